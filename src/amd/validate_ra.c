/* Checks a register allocation independently of how it was made.
 *
 * For each block the checker tracks the value in each byte of each register and propagates that
 * along the edges until nothing changes: a register about which predecessors disagree is unknown.
 * There are two such states because there are two CFGs: VGPRs in the logical CFG, and all registers
 * in the linear CFG (from which SGPRs and linear VGPRs are read). A definition writes both, so a
 * VGPR's definition destroys a linear VGPR in its place and vice versa. Each reference must then
 * find its value in its register; a phi's reference must find it at the end of its predecessor.
 *
 * It also checks that registers exist and are within the budget, tuples are aligned, definitions of
 * an instruction do not overlap, tied operands share the register, operands that die late are not
 * overwritten, and linear VGPRs begin at top level, where no inactive lane needs the previous
 * contents.
 *
 * An allocation error is reported as IR_VERIFY. Time: blocks x registers x loop depth; for tests.
 */
#include "amd/live.h"
#include "ir/text.h"

#include <string.h>

typedef struct reg_state {
    uint32_t logical[AMD_PHYS_COUNT - AMD_VGPR0]; /* by byte of the VGPR file: the value, or 0 */
    uint32_t linear[AMD_PHYS_COUNT];
    bool reached;
} reg_state;

typedef struct val_ctx {
    ir_fn *f;
    const amd_program *p;
    reg_state *end; /* by block */
    reg_state now;
} val_ctx;

_Noreturn static void
fail(const val_ctx *c, const ir_instr *i, const char *what)
{
    base_buf text = buf_make(c->f->ctx->scratch);
    buf_printf(&text, " in BB%u: ", i->block->index);
    ir_print_instr(c->f, i, 0, &text);
    diag_fail(c->f->ctx->diag, ERR_IR_VERIFY, "registers", "register_allocation", what,
              buf_text(&text));
}

/* ---- registers as such ---- */

static bool
is_special(unsigned reg, unsigned bytes)
{
    return reg >= AMD_VCC && reg + bytes <= AMD_PHYS(AMD_REG_SCC + 1);
}

static void
check_register(const val_ctx *c, const ir_instr *i, ir_ref r)
{
    unsigned bytes = amd_rc_bytes(r.rc), reg = r.reg;
    bool vgpr = amd_rc_is_vgpr(r.rc);
    unsigned lo = vgpr ? AMD_VGPR0 : 0;
    unsigned hi = vgpr ? AMD_VGPR0 + c->p->vgpr_budget * 4u : c->p->target->sgpr_limit * 4u;
    unsigned align = vgpr || bytes % 8 ? 4 : bytes % 16 ? 8 : 16;
    if (reg == IR_REG_NONE || !(r.flags & IR_ASSIGNED))
        fail(c, i, "a value has no register");
    if (r.rc != (uint8_t)c->f->values[r.id].type)
        fail(c, i, "a reference has another class than its value");
    if (!(!vgpr && is_special(reg, bytes)) && (reg < lo || reg + bytes > hi))
        fail(c, i, "a register is outside of its file or above the budget");
    if (!(r.rc & AMD_RC_BYTES) && reg % 4)
        fail(c, i, "a whole register does not begin at its first byte");
    if (!vgpr && reg < AMD_VCC && reg % align && !(r.flags & IR_FIXED))
        fail(c, i, "an SGPR tuple is not aligned");
}

static bool
overlap(ir_ref a, ir_ref b)
{
    return a.reg < b.reg + amd_rc_bytes(b.rc) && b.reg < a.reg + amd_rc_bytes(a.rc);
}

static void
check_definitions(const val_ctx *c, const ir_instr *i)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (ir_is_value(i->defs[d]))
            check_register(c, i, i->defs[d]);
        for (unsigned e = 0; e < d; e++) {
            if (i->defs[d].reg != AMD_NULL && overlap(i->defs[d], i->defs[e]))
                fail(c, i, "two definitions overlap");
        }
        for (unsigned r = 0; amd_kills_late(i->op) && r < i->n_refs; r++) {
            if (ir_is_value(i->refs[r]) && overlap(i->defs[d], i->refs[r]))
                fail(c, i, "a definition overwrites an operand that is still read");
        }
        bool linear = amd_rc_is_vgpr(i->defs[d].rc) && amd_rc_is_linear(i->defs[d].rc);
        if (linear && i->op == AMD_P_START_LINEAR_VGPR && !(i->block->kind & IR_BLOCK_TOP_LEVEL))
            fail(c, i, "a linear VGPR begins below top level");
    }
    int ref = amd_tied_ref(i), def = amd_tied_def(i);
    if (ref >= 0 && def >= 0 && ir_is_value(i->refs[ref]) && i->refs[ref].reg != i->defs[def].reg)
        fail(c, i, "a tied operand and its definition have different registers");
}

/* ---- contents ---- */

static void
write(reg_state *s, ir_ref def)
{
    unsigned bytes = amd_rc_bytes(def.rc);
    bool vgpr = amd_rc_is_vgpr(def.rc), linear = amd_rc_is_linear(def.rc);
    uint32_t id = ir_is_value(def) ? def.id : 0;
    for (unsigned b = def.reg; b < def.reg + bytes && b < AMD_PHYS_COUNT; b++) {
        s->linear[b] = linear ? id : 0;
        if (vgpr && b >= AMD_VGPR0)
            s->logical[b - AMD_VGPR0] = linear ? 0 : id;
    }
}

static bool
holds(const reg_state *s, ir_ref r)
{
    bool linear = amd_rc_is_linear(r.rc);
    if (!linear && r.reg < AMD_VGPR0)
        return false;
    for (unsigned b = r.reg; b < r.reg + amd_rc_bytes(r.rc); b++) {
        if ((linear ? s->linear[b] : s->logical[b - AMD_VGPR0]) != r.id)
            return false;
    }
    return true;
}

static void
step(reg_state *s, const ir_instr *i)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (i->defs[d].reg != IR_REG_NONE)
            write(s, i->defs[d]);
    }
}

static void
meet(uint32_t *into, const uint32_t *from, size_t n, bool first)
{
    for (size_t b = 0; b < n; b++)
        into[b] = first || into[b] == from[b] ? from[b] : 0;
}

/* The state at the block's beginning, including phis. */
static void
enter(val_ctx *c, const ir_block *b)
{
    memset(&c->now, 0, sizeof c->now);
    for (unsigned list = 0; list < 2; list++) {
        bool first = true;
        for (uint32_t p = 0; p < b->preds[list].count; p++) {
            const reg_state *end = &c->end[b->preds[list].at[p]->index];
            if (!end->reached)
                continue;
            if (list)
                meet(c->now.linear, end->linear, AMD_PHYS_COUNT, first);
            else
                meet(c->now.logical, end->logical, AMD_PHYS_COUNT - AMD_VGPR0, first);
            first = false;
        }
    }
}

/* Runs a block; true if the state at its end has changed. */
static bool
run_block(val_ctx *c, const ir_block *b)
{
    enter(c, b);
    IR_FOREACH_INSTR(i, b)
    {
        step(&c->now, i);
    }
    c->now.reached = true;
    bool changed = memcmp(&c->now, &c->end[b->index], sizeof c->now) != 0;
    c->end[b->index] = c->now;
    return changed;
}

/* ---- the check ---- */

static void
check_phi(const val_ctx *c, const ir_instr *phi)
{
    const ir_edges *preds = &phi->block->preds[ir_has_flag(phi, IR_OP_LINEAR_PHI)];
    for (unsigned r = 0; r < phi->n_refs; r++) {
        ir_ref ref = phi->refs[r];
        if (!ir_is_value(ref))
            continue;
        check_register(c, phi, ref);
        if (!holds(&c->end[preds->at[r]->index], ref))
            fail(c, phi, "a phi's operand is not in its register at the end of its predecessor");
    }
}

/* Phis act as one: all definitions are written together. */
static void
check_phi_definitions(const val_ctx *c, const ir_block *b)
{
    uint64_t *taken = ARENA_ARRAY(c->f->ctx->scratch, AMD_PHYS_COUNT / 64, uint64_t);
    for (const ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        unsigned reg = i->defs[0].reg, bytes = amd_rc_bytes(i->defs[0].rc);
        for (unsigned at = reg; at < reg + bytes; at++) {
            if (taken[at / 64] >> (at % 64) & 1)
                fail(c, i, "two phis overlap");
            taken[at / 64] |= UINT64_C(1) << (at % 64);
        }
    }
}

static void
check_block(val_ctx *c, const ir_block *b)
{
    arena_mark mark = arena_save(c->f->ctx->scratch);
    enter(c, b);
    check_phi_definitions(c, b);
    IR_FOREACH_INSTR(i, b)
    {
        bool phi = ir_has_flag(i, IR_OP_PHI);
        if (phi)
            check_phi(c, i);
        for (unsigned r = 0; !phi && r < i->n_refs; r++) {
            if (!ir_is_value(i->refs[r]))
                continue;
            check_register(c, i, i->refs[r]);
            if (!holds(&c->now, i->refs[r]))
                fail(c, i, "an operand's register does not hold its value");
        }
        check_definitions(c, i);
        step(&c->now, i);
    }
    arena_release(c->f->ctx->scratch, mark);
}

void
amd_validate_ra(ir_fn *f)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    val_ctx *c = ARENA_NEW(f->ctx->scratch, val_ctx);
    c->f = f;
    c->p = amd_prog(f);
    c->end = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, reg_state);
    for (bool changed = true; changed;) {
        changed = false;
        IR_FOREACH_BLOCK(b, f)
        {
            changed |= run_block(c, b);
        }
    }
    IR_FOREACH_BLOCK(b, f)
    {
        check_block(c, b);
    }
    arena_release(f->ctx->scratch, mark);
}
