/* Replaces pseudo instructions by hardware instructions.
 *
 * Runs after ssa_elimination on physical registers. First the liveness of scc, m0, vcc and exec is
 * computed backwards over the blocks, so that copies do not clobber them; then each pseudo
 * instruction is replaced. What needs no other block is done to a block while it is at hand: walks
 * over a large program are bound by memory. The remaining ones have no code: p_barrier, which tells
 * insert_wait_states the memory that it orders, and p_unit_test. p_constaddr_add also stays;
 * emit_program writes it, because it knows the distance to the data.
 *
 * Branches name their target block by its index in the immediate. A conditional branch is inverted
 * if its first successor does not follow.
 */
#include "amd/post/lower.h"
#include "amd/target/graphics.h"
#include "amd/target/hir_level.h"

#include <assert.h>

/* ---- scc, m0, vcc, exec ---- */

static unsigned
special_bit(ir_ref r)
{
    bool named = ir_is_value(r) || (r.kind == IR_REF_NONE && (r.flags & IR_FIXED));
    if (!named)
        return 0;
    if (r.reg == AMD_SCC)
        return LOW_SCC;
    if (r.reg == AMD_M0)
        return LOW_M0;
    if (r.reg == AMD_EXEC || r.reg == AMD_EXEC + 4)
        return LOW_EXEC;
    return r.reg == AMD_VCC || r.reg == AMD_VCC + 4 ? LOW_VCC : 0;
}

/* Computes the special registers live before `i`; marks it with those live after it. */
static unsigned
special_before(ir_instr *i, unsigned live)
{
    i->mark = live;
    for (unsigned d = 0; d < i->n_defs; d++)
        live &= ~special_bit(i->defs[d]);
    for (unsigned r = 0; r < i->n_refs; r++)
        live |= special_bit(i->refs[r]);
    if (amd_needs_exec(i) || i->op == AMD_P_SPILL || i->op == AMD_P_RELOAD)
        live |= LOW_EXEC;
    return live;
}

typedef struct special_live {
    uint8_t *in, *out; /* by block: LOW_* live at its start, at its end */
    ir_block **work;   /* blocks with an edge back, and what must be visited again */
    size_t n_work, cap_work;
} special_live;

static unsigned
special_behind(const special_live *s, const ir_block *b)
{
    unsigned live = 0;
    for (uint32_t k = 0; k < b->succs[1].count; k++)
        live |= s->in[b->succs[1].at[k]->index];
    return live;
}

/* Marks the instructions of `b`; returns true if more is live at its start than before. */
static bool
mark_block(special_live *s, const ir_block *b)
{
    unsigned live = special_behind(s, b), before = s->in[b->index];
    s->out[b->index] = (uint8_t)live;
    IR_FOREACH_INSTR_REVERSE(i, b)
        live = special_before(i, live);
    s->in[b->index] = (uint8_t)live;
    return live != before;
}

static void
push_block(special_live *s, ir_block *b)
{
    arena *a = b->fn->ctx->scratch;
    s->work = arena_grow(a, s->work, &s->cap_work, s->n_work + 1, sizeof(ir_block *));
    s->work[s->n_work++] = b;
}

static bool
goes_back(const ir_block *b)
{
    for (uint32_t k = 0; k < b->succs[1].count; k++) {
        if (b->succs[1].at[k]->index <= b->index)
            return true;
    }
    return false;
}

/* Forms the image addresses, too. One backward walk is enough but for what is live around loops. */
static void
find_special_live(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    special_live s = {.in = ARENA_ARRAY(a, f->n_blocks, uint8_t),
                      .out = ARENA_ARRAY(a, f->n_blocks, uint8_t)};
    for (size_t k = f->n_blocks; k-- > 0;) {
        ir_block *b = f->blocks[k];
        amd_low_form_nsa(b);
        mark_block(&s, b);
        if (goes_back(b))
            push_block(&s, b);
    }
    while (s.n_work) {
        const ir_block *b = s.work[--s.n_work];
        if (special_behind(&s, b) == s.out[b->index] || !mark_block(&s, b))
            continue;
        for (uint32_t p = 0; p < b->preds[1].count; p++)
            push_block(&s, b->preds[1].at[p]);
    }
}

/* ---- copies ---- */

/* What nothing uses is not copied. Fixed definitions such as exec count as used, because they may
 * be read implicitly. */
static void
add_part(void *user, const cg_part *p)
{
    if (!(p->def.flags & IR_KILL) || p->def.flags & IR_FIXED)
        amd_low_add_copy(user, p->dst, p->src, p->offset, p->size);
}

static void
lower_copies(low_ctx *c, const ir_instr *i)
{
    amd_low_begin_copies(c);
    cg_each_part(i, add_part, c);
    amd_low_end_copies(c);
}

/* ---- branches ---- */

static bool
follows(const ir_block *b, const ir_block *to)
{
    return to->index == b->index + 1;
}

static void
branch(low_ctx *c, unsigned op, ir_ref condition, const ir_block *to)
{
    unsigned n = op == AMD_S_BRANCH ? 0 : 1;
    ir_words(amd_low_emit(c, op, 0, NULL, n, &condition))[0] = to->index;
}

static void
note_skip(low_ctx *c, ir_block *b)
{
    c->skips = arena_grow(c->f->ctx->scratch, c->skips, &c->cap_skips, c->n_skips + 1,
                          sizeof *c->skips);
    c->skips[c->n_skips++] = b;
}

/* Was vcc, as far as the block shows, last written as a whole? */
static bool
is_vcc_written_whole(const ir_instr *branch)
{
    for (const ir_instr *i = branch->prev; i; i = i->prev) {
        for (unsigned d = 0; d < i->n_defs; d++) {
            unsigned reg = i->defs[d].reg;
            if (reg == AMD_VCC || reg == AMD_VCC + 4)
                return amd_rc_regs(i->defs[d].rc) == 2;
        }
    }
    return false;
}

/* Where vccz keeps its value if half of vcc is written, vcc is written again as a whole. */
static void
refresh_vccz(low_ctx *c)
{
    ir_ref vcc = amd_phys(AMD_VCC, c->p->lane_mask);
    if (amd_has(c->p->target, stale_vccz) && !is_vcc_written_whole(c->at))
        amd_low_1(c, AMD_S_MOV_B64, vcc, vcc);
}

static void
lower_cbranch(low_ctx *c, const ir_instr *i)
{
    const ir_block *b = i->block;
    ir_ref cond = i->refs[0];
    ir_block *const *to = b->succs[1].at;
    bool taken_if_zero = i->op == AMD_P_CBRANCH_Z;
    unsigned kind = cond.reg == AMD_SCC ? 0 : cond.reg == AMD_VCC ? 1 : 2;
    static const uint16_t ops[3][2] = {{AMD_S_CBRANCH_SCC1, AMD_S_CBRANCH_SCC0},
                                       {AMD_S_CBRANCH_VCCNZ, AMD_S_CBRANCH_VCCZ},
                                       {AMD_S_CBRANCH_EXECNZ, AMD_S_CBRANCH_EXECZ}};
    assert(b->succs[1].count == 2);
    assert(kind != 2 || cond.reg == AMD_EXEC);
    if (kind == 1)
        refresh_vccz(c);
    if (kind == 2)
        note_skip(c, i->block);
    cond = amd_phys(cond.reg, cond.rc);
    if (follows(b, to[1])) {
        branch(c, ops[kind][!taken_if_zero], cond, to[0]);
        return;
    }
    branch(c, ops[kind][taken_if_zero], cond, to[1]);
    if (!follows(b, to[0]))
        branch(c, AMD_S_BRANCH, ir_none(), to[0]);
}

static void
lower_branch(low_ctx *c, const ir_instr *i)
{
    const ir_block *b = i->block;
    if (b->succs[1].count && !follows(b, b->succs[1].at[0]))
        branch(c, AMD_S_BRANCH, ir_none(), b->succs[1].at[0]);
}

/* ---- the rest ---- */

static const amd_arg *
find_arg(const amd_program *p, unsigned kind)
{
    for (uint32_t a = 0; a < p->n_args; a++) {
        if (p->args[a].kind == kind)
            return &p->args[a];
    }
    return NULL;
}

/* FLAT_SCRATCH = base of the dispatch's scratch + offset of the wave (docs/abi.md): a pair of
 * SGPRs, or hardware registers. s_setreg takes id | first bit << 6 | (bits - 1) << 11; FLAT_SCR_LO
 * and _HI are 20 and 21 (RDNA 2 ISA, "Hardware registers"; llvm-mc agrees). The base's registers
 * have no other use. */
static void
start_scratch(low_ctx *c)
{
    const amd_arg *base = find_arg(c->p, AMD_ARG_SCRATCH);
    const amd_arg *offset = find_arg(c->p, AMD_ARG_SCRATCH_OFFSET);
    enum { FLAT_SCR_LO = 20, FLAT_SCR_HI = 21, ALL_BITS = 31 << 11 };
    if (!c->p->needs_scratch || !base || !offset)
        return;
    if (amd_scratch_is_buffer(c->p->target)) {
        amd_low_start_scratch_buffer(c, base, offset);
        return;
    }
    ir_ref lo = low_s(AMD_PHYS(base->reg), 1), hi = low_s(AMD_PHYS(base->reg + 1u), 1);
    unsigned pair = amd_has(c->p->target, flat_scratch_sgpr);
    ir_ref to_lo = pair ? low_s(AMD_PHYS(pair), 1) : lo;
    ir_ref to_hi = pair ? low_s(AMD_PHYS(pair + 1u), 1) : hi;
    amd_low_2(c, AMD_S_ADD_U32, to_lo, lo, low_s(AMD_PHYS(offset->reg), 1));
    amd_low_3(c, AMD_S_ADDC_U32, to_hi, hi, amd_const(0), amd_phys(AMD_SCC, AMD_S1));
    if (pair)
        return;
    ir_words(amd_low_emit(c, AMD_S_SETREG_B32, 0, NULL, 1, &lo))[0] = FLAT_SCR_LO | ALL_BITS;
    ir_words(amd_low_emit(c, AMD_S_SETREG_B32, 0, NULL, 1, &hi))[0] = FLAT_SCR_HI | ALL_BITS;
}

static bool
names_exec(const ir_ref *refs, unsigned n)
{
    for (unsigned r = 0; r < n; r++) {
        if ((refs[r].flags & IR_FIXED) && (refs[r].reg == AMD_EXEC || refs[r].reg == AMD_EXEC + 4))
            return true;
    }
    return false;
}

/* Is exec set, on all paths, before anything depends on it? Blocks that lead to none behind the one
 * that sets it lead there. */
static bool
sets_exec_first(const ir_fn *f)
{
    uint32_t furthest = 0;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (i->op == AMD_P_STARTPGM)
                continue;
            if (amd_needs_exec(i) || names_exec(i->refs, i->n_refs))
                return false;
            if (names_exec(i->defs, i->n_defs))
                return furthest <= b->index;
        }
        for (uint32_t s = 0; s < b->succs[1].count; s++) {
            uint32_t to = b->succs[1].at[s]->index;
            if (to <= b->index) /* a loop may not end */
                return false;
            furthest = to > furthest ? to : furthest;
        }
    }
    return false;
}

/* A wave that runs two stages has lanes of both, and starts with those of either (LLVM 19,
 * AMDGPUUsage, llvm.amdgcn.init.exec: what it is for). */
static void
lower_startpgm(low_ctx *c)
{
    if (c->p->stage == AMD_STAGE_VERTEX_NGG && !sets_exec_first(c->f))
        amd_low_1(c, c->p->wave_size == 64 ? AMD_S_MOV_B64 : AMD_S_MOV_B32,
                  low_s(AMD_EXEC, c->p->wave_size / 32),
                  c->p->wave_size == 64 ? amd_const64(-1) : amd_const(UINT32_MAX));
    start_scratch(c);
}

/* The barrier of the whole workgroup has number -1 where it has two parts (RDNA4 ISA,
 * S_BARRIER_SIGNAL). */
static void
emit_barrier(low_ctx *c)
{
    const ir_ref workgroup = amd_const((uint32_t)-1);
    if (!amd_has(c->p->target, has_split_barrier)) {
        amd_low_emit(c, AMD_S_BARRIER, 0, NULL, 0, NULL);
        return;
    }
    amd_low_emit(c, AMD_S_BARRIER_SIGNAL, 0, NULL, 1, &workgroup);
    ir_words(amd_low_emit(c, AMD_S_BARRIER_WAIT, 0, NULL, 0, NULL))[0] = 0xffff;
}

/* Emits s_barrier if the group has several waves; insert_wait_states gets the memory order from the
 * p_barrier, which stays. */
static void
lower_barrier(low_ctx *c, const ir_instr *i)
{
    const uint32_t *size = c->f->shader.workgroup_size;
    bool one_wave = size[0] * size[1] * size[2] <= c->p->wave_size;
    enum { SCOPE_WORKGROUP = 3 };
    if (ir_words(i)[0] < SCOPE_WORKGROUP || one_wave)
        return;
    c->at = i->next; /* after the marker */
    assert(c->at);
    emit_barrier(c);
}

/* The address of the next instruction, whose upper 16 bits some targets do not set, and what adds
 * the distance from there. */
static void
lower_constaddr(low_ctx *c, const ir_instr *i)
{
    ir_ref address = low_s(i->defs[0].reg, 2), high = low_s(i->defs[0].reg + 4u, 1);
    ir_ref defs[2] = {address, amd_phys(AMD_SCC, AMD_S1)};
    amd_low_emit(c, AMD_S_GETPC_B64, 1, &address, 0, NULL);
    if (amd_has(c->p->target, getpc_zero_extends))
        amd_low_1(c, AMD_S_SEXT_I32_I16, high, high);
    ir_words(amd_low_emit(c, AMD_P_CONSTADDR_ADD, 2, defs, 1, &address))[0] = ir_words(i)[0];
}

/* Replaces `i`; returns true if it must be removed. */
static bool
lower_instr(low_ctx *c, const ir_instr *i)
{
    switch (i->op) {
    case AMD_P_PARALLELCOPY:
    case AMD_P_CREATE_VECTOR:
    case AMD_P_SPLIT_VECTOR:
    case AMD_P_EXTRACT_VECTOR:
    case AMD_P_AS_UNIFORM: lower_copies(c, i); return true;
    case AMD_P_BRANCH: lower_branch(c, i); return true;
    case AMD_P_CBRANCH_Z:
    case AMD_P_CBRANCH_NZ: lower_cbranch(c, i); return true;
    case AMD_P_STARTPGM: lower_startpgm(c); return true;
    case AMD_P_REDUCE:
    case AMD_P_INCLUSIVE_SCAN:
    case AMD_P_EXCLUSIVE_SCAN: amd_low_reduce(c, i); return true;
    case AMD_P_BPERMUTE: amd_low_bpermute(c, i); return true;
    case AMD_P_CONSTADDR: lower_constaddr(c, i); return true;
    case AMD_P_SPILL: amd_low_spill(c, i); return true;
    case AMD_P_RELOAD: amd_low_reload(c, i); return true;
    case AMD_P_BARRIER: lower_barrier(c, i); return false;
    case AMD_P_LOGICAL_START:
    case AMD_P_LOGICAL_END:
    case AMD_P_START_LINEAR_VGPR:
    case AMD_P_END_LINEAR_VGPR: return true;
    default: return false;
    }
}

static void
lower_block(low_ctx *c, const ir_block *b)
{
    IR_FOREACH_INSTR(i, b) {
        if (amd_low_is_dead_exec(i)) {
            ir_unlink(i);
            continue;
        }
        if (!amd_is_pseudo(i->op)) {
            amd_low_halves(c->p->target, i);
            continue;
        }
        c->at = i;
        c->live = i->mark;
        if (lower_instr(c, i))
            ir_unlink(i);
    }
}

/* ---- early ends ---- */

/* exec = 0 */
static ir_instr *
clear_exec(ir_fn *f)
{
    bool wide = amd_prog(f)->wave_size == 64;
    ir_instr *i = amd_new(f, wide ? AMD_S_MOV_B64 : AMD_S_MOV_B32, 1, 1);
    i->refs[0] = wide ? amd_const64(0) : amd_const(0);
    i->defs[0] = amd_phys(AMD_EXEC, amd_prog(f)->lane_mask);
    return i;
}

/* Appends the block that ends a fragment shader's wave without exact lanes: an export of nothing,
 * for which the hardware waits, then the end. Lanes that are active at it count as fragments that
 * live, so none may be: helpers are still. No block leads to it but by branches in the middle of
 * others. */
static ir_block *
append_end(ir_fn *f)
{
    enum { DONE = 1 << 13, VALID_MASK = 1 << 14 };
    const amd_target *t = amd_prog(f)->target;
    ir_block *b = ir_block_new(f);
    ir_instr *e = amd_new(f, AMD_EXPORT, 0, 4), *end = amd_new(f, amd_end_op(amd_prog(f)), 0, 0);
    for (unsigned c = 0; c < 4; c++)
        e->refs[c] = ir_none();
    uint32_t target = amd_has(t, has_null_target) ? AMD_TARGET_NULL : AMD_TARGET_COLOR;
    ir_words(e)[0] = target | DONE | (amd_has(t, exports_halves) ? VALID_MASK : 0);
    ir_append_block(f, b);
    b->kind = IR_BLOCK_UNIFORM;
    ir_append(b, clear_exec(f));
    ir_append(b, e);
    ir_append(b, end);
    return b;
}

static void
resolve_ends(ir_fn *f)
{
    ir_block *end = NULL;
    size_t n = f->n_blocks;
    for (size_t k = 0; k < n; k++) {
        IR_FOREACH_INSTR(i, f->blocks[k]) {
            if (i->op != AMD_S_CBRANCH_SCC0 || ir_words(i)[0] != AMD_BRANCH_TO_END)
                continue;
            end = end ? end : append_end(f);
            ir_words(i)[0] = end->index;
        }
    }
}

void
amd_lower_to_hw_instr(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    arena_mark mark = arena_save(a);
    low_ctx c = {.f = f, .p = amd_prog(f), .seq = cg_sequencer_new(a)};
    find_special_live(f);
    IR_FOREACH_BLOCK(b, f)
        lower_block(&c, b);
    amd_low_remove_skips(&c);
    amd_low_finish_memory(&c);
    if (c.p->stage == AMD_STAGE_FRAGMENT_FS)
        resolve_ends(f);
    low_known *known = amd_low_known_new(a);
    IR_FOREACH_BLOCK(b, f) {
        amd_low_remove_known_moves(known, b);
        amd_low_shorten(b);
    }
    arena_release(a, mark);
}
