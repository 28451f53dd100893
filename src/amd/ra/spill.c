/* Spilling, if a shader needs more registers than there are: AMD's part of cg/spill.c.
 *
 * Where VGPRs alone are missing, blocks are put in an order that needs fewer, if one is found
 * (cg/schedule_demand.c). If there are enough then, nothing is spilled.
 *
 * Else SGPRs are spilled first, to lanes of linear VGPRs; then VGPRs are spilled to scratch, with
 * the budget that the linear VGPRs leave. Linear VGPRs are live from the beginning of the program,
 * and linear_vgprs.c says where they end; no SGPR slot spans two of them. They get at most a
 * quarter of the VGPRs that the largest instruction does not need, so there is always room for
 * each instruction and for some other values. SGPRs that find no lane go to scratch too: the last
 * slots are lanes of scratch dwords. VGPR slots are AGPRs where VGPRs and AGPRs are one file, of
 * which a wave that is alone on its SIMD can name only half as VGPRs; what finds none has dwords
 * of scratch. A program that spills has no halves of registers any more (find_halves.c).
 */
#include "amd/exec/exec.h"
#include "amd/ra/halves.h"
#include "amd/ra/linear_vgprs.h"
#include "amd/target/notes.h"
#include "amd/target/occupancy.h"
#include "cg/schedule.h"
#include "cg/spilling.h"

#include <assert.h>

/* ---- banks ---- */

static cg_spill_bank
sgpr_bank(const ir_fn *f)
{
    return (cg_spill_bank){.bank = AMD_BANK_SGPR,
                           .edges = 1,
                           .reserved = cg_special_moves(f, AMD_SCC),
                           .more_refs = 1, /* the linear VGPR */
                           .page = (uint16_t)amd_prog(f)->wave_size};
}

/* Does the instruction give an SGPR its value again: a reload, or a move of a constant? */
static bool
gives_sgpr(const ir_instr *i)
{
    bool reload = i->op == AMD_P_RELOAD;
    if (!reload && !amd_level.machine->is_move(i))
        return false;
    return !amd_rc_is_vgpr(i->defs[0].rc) && !(i->defs[0].flags & IR_FIXED);
}

/* Does it take the helpers from exec, so that `at` runs in exact lanes? Behind a move they are gone
 * for good, but `at` may read what they have. */
static bool
takes_lanes(const ir_instr *i, const ir_instr *at)
{
    bool narrows = i->op == AMD_S_AND_B32 || i->op == AMD_S_AND_B64 ||
                   i->op == AMD_S_AND_SAVEEXEC_B32 || i->op == AMD_S_AND_SAVEEXEC_B64;
    if (!narrows && !(i->op == AMD_P_PARALLELCOPY && amd_exports_pairs(at)))
        return false;
    bool any = false;
    for (unsigned d = 0; d < i->n_defs; d++)
        any |= i->defs[d].flags & IR_FIXED && i->defs[d].reg == AMD_EXEC;
    return any;
}

/* What runs in exact lanes alone (exec/quads.c) stands behind an instruction that takes the helpers
 * from exec, and behind SGPRs that are reloaded for it; VGPRs that it reads are reloaded before
 * that, since helpers may use them later. */
static ir_instr *
place_for_helpers(ir_instr *at)
{
    ir_instr *i = at->prev;
    while (i && gives_sgpr(i))
        i = i->prev;
    return i && takes_lanes(i, at) ? i : at;
}

static const cg_spill_bank vgpr_bank = {
    .bank = AMD_BANK_VGPR, .edges = 0, .place = place_for_helpers};

/* The number of linear VGPRs whose lanes may hold SGPRs. SGPRs that find no lane go to scratch. */
static unsigned
lane_vgprs(const ir_fn *f)
{
    enum { PART = 4 };
    const amd_program *p = amd_prog(f);
    unsigned most = amd_vgpr_bound(p), floor = cg_spill_floor(f, &vgpr_bank);
    unsigned part = most > floor ? (most - floor) / PART : 0;
    return part ? part : 1;
}

/* ---- slots ---- */

/* Defines the linear VGPRs for SGPRs after p_startpgm, and sets `out` to references to them. */
static void
start_linear_vgprs(ir_fn *f, uint32_t n, ir_ref *out)
{
    ir_instr *at = f->blocks[0]->first;
    while (at->op == AMD_P_STARTPGM)
        at = at->next;
    for (uint32_t k = 0; k < n; k++) {
        ir_instr *start = amd_new(f, AMD_P_START_LINEAR_VGPR, 1, 0);
        out[k] = ir_define(f, start, 0, AMD_LV1);
        ir_insert_before(at, start);
    }
}

/* Adds `n` dwords at the end of scratch, and returns their offset in bytes. */
static uint32_t
add_scratch(amd_program *p, uint32_t n)
{
    uint32_t base = (p->scratch_bytes + 3) & ~3u;
    if (n)
        p->scratch_bytes = base + n * 4;
    return base;
}

/* The registers of the value that `i` stores or loads. */
static unsigned
spilled_regs(const ir_instr *i)
{
    return amd_rc_regs(i->n_defs ? i->defs[0].rc : i->refs[0].rc);
}

/* The first slots are AGPRs, the others dwords of scratch; a value that would have both is in
 * scratch. Returns the number of dwords. */
static uint32_t
give_places(ir_fn *f, const cg_spilled *s)
{
    amd_program *p = amd_prog(f);
    uint32_t agprs = amd_spare_agprs(p), kept = 0, first = s->n_slots;
    for (size_t k = 0; k < s->n_uses; k++) {
        ir_instr *i = s->uses[k].instr;
        uint32_t slot = ir_words(i)[0], end = slot + spilled_regs(i);
        ir_words(i)[1] = end <= agprs;
        kept = end <= agprs && end > kept ? end : kept;
        first = end > agprs && slot < first ? slot : first;
    }
    uint32_t base = add_scratch(p, s->n_slots - first);
    for (size_t k = 0; k < s->n_uses; k++) {
        ir_instr *i = s->uses[k].instr;
        if (!ir_words(i)[1])
            ir_words(i)[0] = base + (ir_words(i)[0] - first) * 4;
    }
    p->agprs_used = kept;
    return s->n_slots - first;
}

/* A spill or reload of lanes becomes one of lanes in scratch, at `offset`. */
static void
move_to_scratch(ir_fn *f, ir_instr *old, uint32_t offset)
{
    ir_instr *i = ir_extend_instr(old, 1, 1);
    i->defs[old->n_defs] = amd_phys(AMD_VCC, amd_prog(f)->lane_mask);
    i->refs[old->n_refs] = amd_const(offset);
}

/* Uses linear VGPRs for as many pages of lanes as possible. The other pages are dwords of scratch,
 * which are accessed through a common linear VGPR. Returns true if there are such pages. */
static bool
give_lanes(ir_fn *f, const cg_spilled *s)
{
    uint32_t wave = amd_prog(f)->wave_size, pages = (s->n_slots + wave - 1) / wave;
    uint32_t kept = lane_vgprs(f);
    kept = kept < pages ? kept : pages;
    uint32_t base = add_scratch(amd_prog(f), pages - kept);
    ir_ref *linear = ARENA_ARRAY(f->ctx->scratch, kept + 1u, ir_ref);
    start_linear_vgprs(f, kept + (kept < pages), linear);
    for (size_t k = 0; k < s->n_uses; k++) {
        ir_instr *i = s->uses[k].instr;
        uint32_t page = ir_words(i)[0] / wave;
        ir_words(i)[0] %= wave;
        i->refs[i->n_refs - 1] = linear[page < kept ? page : kept];
        if (page >= kept)
            move_to_scratch(f, i, base + (page - kept) * 4);
    }
    return kept < pages;
}

/* ---- the arguments that scratch needs ---- */

static void
move_arg_registers(ir_fn *f, unsigned from, unsigned by)
{
    amd_program *p = amd_prog(f);
    for (uint32_t a = 0; a < p->n_args; a++) {
        if (!p->args[a].vgpr && p->args[a].reg >= from)
            p->args[a].reg = (uint16_t)(p->args[a].reg + by);
    }
    ir_instr *start = f->blocks[0]->first;
    for (unsigned d = 0; start->op == AMD_P_STARTPGM && d < start->n_defs; d++) {
        ir_ref *def = &start->defs[d];
        if (!amd_rc_is_vgpr(def->rc) && def->reg >= AMD_PHYS(from) && def->reg < AMD_VCC)
            def->reg = (uint16_t)(def->reg + AMD_PHYS(by));
    }
}

/* The base of scratch becomes the last user SGPR, and the wave's offset the last system SGPR
 * (docs/abi.md); the SGPRs between them move up. Targets whose hardware sets the base have neither.
 */
static void
add_scratch_args(ir_fn *f)
{
    amd_program *p = amd_prog(f);
    bool has_args = p->needs_scratch || !amd_takes_scratch_args(p->target);
    p->needs_scratch = true;
    if (has_args)
        return;
    bool descriptor = p->hsa && amd_scratch_is_buffer(p->target); /* comes first */
    bool fixed = p->stage == AMD_STAGE_VERTEX_NGG; /* the offset stands before the user SGPRs */
    unsigned users_end = amd_first_user_sgpr(p) + p->n_user_sgprs;
    unsigned count = descriptor ? 4 : 2, first = descriptor ? 0 : users_end;
    unsigned last = users_end + count;
    assert(p->n_args + 2 <= AMD_MAX_ARGS); /* add_arg of lower_abi.c says why */
    move_arg_registers(f, first, count);
    for (uint32_t a = 0; a < p->n_args; a++) {
        unsigned end = p->args[a].reg + p->args[a].count;
        last = !p->args[a].vgpr && end > last ? end : last;
    }
    p->args[p->n_args++] = (amd_arg){
        .kind = AMD_ARG_SCRATCH, .count = (uint8_t)count, .reg = (uint16_t)first};
    p->args[p->n_args++] = (amd_arg){
        .kind = AMD_ARG_SCRATCH_OFFSET,
        .count = 1,
        .reg = (uint16_t)(fixed ? AMD_NGG_SCRATCH_OFFSET : last),
    };
    p->n_user_sgprs += count;
}

/* ---- the phase ---- */

/* A limit set by a test is raised to the needs of the largest instruction. */
static void
raise_bound(ir_fn *f, uint16_t *bound, unsigned least, unsigned step)
{
    if (!*bound || least <= *bound)
        return;
    *bound = (uint16_t)((least + step - 1) / step * step);
    amd_set_budgets(amd_prog(f));
}

static int
excess(const amd_program *p, unsigned bank)
{
    return p->cg.max_demand.units[bank] - p->cg.budget[bank];
}

/* A value in scc moves to an SGPR where another one is defined. */
static bool
exceeds_sgprs(const ir_fn *f)
{
    int over = excess(amd_prog(f), AMD_BANK_SGPR);
    return over > 0 || (over == 0 && cg_special_moves(f, AMD_SCC));
}

static void
spill_sgprs(ir_fn *f, const cg_cssa *classes)
{
    amd_program *p = amd_prog(f);
    const cg_spill_bank bank = sgpr_bank(f);
    amd_perfwarn_demand(f, AMD_BANK_SGPR);
    arena_mark mark = arena_save(f->ctx->scratch);
    cg_spilled s = cg_spill(f, &bank, classes, f->ctx->scratch);
    if (give_lanes(f, &s))
        add_scratch_args(f);
    amd_end_linear_vgprs(f);
    p->spilled_sgprs = s.stored;
    arena_release(f->ctx->scratch, mark);
    amd_perfwarn(p, "%u SGPRs are spilled to lanes of VGPRs", p->spilled_sgprs);
    cg_find_live(f);
}

static void
spill_vgprs(ir_fn *f, const cg_cssa *classes)
{
    amd_program *p = amd_prog(f);
    amd_perfwarn_demand(f, AMD_BANK_VGPR);
    arena_mark mark = arena_save(f->ctx->scratch);
    cg_spilled s = cg_spill(f, &vgpr_bank, classes, f->ctx->scratch);
    uint32_t dwords = give_places(f, &s);
    if (dwords)
        add_scratch_args(f);
    p->spilled_vgprs = s.stored;
    arena_release(f->ctx->scratch, mark);
    amd_perfwarn(p, "%u VGPRs are spilled, to %u AGPRs and %u dwords of scratch memory",
                 p->spilled_vgprs, p->agprs_used, dwords);
    cg_find_live(f);
}

/* Where helpers begin to run (exec/quads.c), arguments that are spilled are stored behind it: for
 * helpers, too. */
static void
store_for_helpers(ir_fn *f)
{
    ir_block *b = f->blocks[0];
    ir_instr *start = b->first;
    while (start && start->op != AMD_S_WQM_B32 && start->op != AMD_S_WQM_B64)
        start = start->next;
    if (!start)
        return;
    ir_instr *behind = start->next;
    for (ir_instr *i = b->first, *next; i != start; i = next) {
        next = i->next;
        if (i->op == AMD_P_SPILL) {
            ir_unlink(i);
            ir_insert_before(behind, i);
        }
    }
}

/* Another order of the blocks may need no more VGPRs than there are; an SGPR stays free for moves
 * of scc. */
static bool
fits_reordered(ir_fn *f)
{
    amd_program *p = amd_prog(f);
    cg_demand spare = {0};
    spare.units[AMD_BANK_SGPR] = (int32_t)amd_reg_units(f);
    if (p->debug & AMD_DEBUG_NO_SCHED || exceeds_sgprs(f) ||
        !cg_lower_to_budgets(f, AMD_BANK_VGPR, spare))
        return false;
    amd_set_budgets(p);
    return true;
}

void
amd_spill(ir_fn *f)
{
    amd_program *p = amd_prog(f);
    if (!exceeds_sgprs(f) && (excess(p, AMD_BANK_VGPR) <= 0 || fits_reordered(f)))
        return;
    if (amd_widen_halves(f))
        cg_find_live(f);
    p->may_spill = true;
    amd_set_budgets(p);
    cg_cssa classes = cg_lower_to_cssa(f, f->arena);
    const cg_spill_bank sgprs = sgpr_bank(f);
    raise_bound(f, &p->debug_sgprs, cg_spill_floor(f, &sgprs), 4);
    if (exceeds_sgprs(f))
        spill_sgprs(f, &classes);
    raise_bound(f, &p->debug_vgprs, cg_spill_floor(f, &vgpr_bank), 1);
    if (excess(p, AMD_BANK_VGPR) > 0)
        spill_vgprs(f, &classes);
    store_for_helpers(f);
    cg_remove_unused_constants(f);
    cg_find_live(f);
}
