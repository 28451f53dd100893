/* How many registers there are for values that may be spilled, and how many there must be.
 *
 * Linear VGPRs are not spilled: they take away from the block that they live in. An instruction
 * needs its operands at one time, and with them the copy of a tied operand that lives on; then its
 * definitions, with the operands if it kills them late. No spilling gets below that, so bounds that
 * tests set are raised to it.
 *
 * SGPRs that are spilled to lanes get at most a quarter of the VGPRs that are left above that: so
 * there is always room for each instruction, and for some values besides.
 */
#include "amd/spill.h"

static bool
is_linear_vgpr(ir_ref r)
{
    return ir_is_value(r) && amd_rc_is_vgpr(r.rc) && amd_rc_is_linear(r.rc);
}

/* ---- room ---- */

/* Registers of linear VGPRs that live somewhere in each block. */
static uint16_t *
linear_in_blocks(const ir_fn *f, arena *a)
{
    const amd_live *live = amd_prog(f)->live;
    uint16_t *taken = ARENA_ARRAY(a, f->n_blocks, uint16_t);
    IR_FOREACH_BLOCK(b, f)
    {
        IR_FOREACH_INSTR(i, b)
        {
            for (unsigned d = 0; d < i->n_defs; d++) {
                if (!is_linear_vgpr(i->defs[d]))
                    continue;
                unsigned size = amd_rc_regs(i->defs[d].rc);
                for (size_t k = b->index; k < f->n_blocks; k++) {
                    if (k == b->index || amd_live_has(&live->in[k], i->defs[d].id))
                        taken[k] = (uint16_t)(taken[k] + size);
                }
            }
        }
    }
    return taken;
}

uint16_t *
spill_find_room(const ir_fn *f, bool vgpr, arena *a)
{
    const amd_program *p = amd_prog(f);
    unsigned all = vgpr ? p->vgpr_budget : p->sgpr_budget;
    all -= !vgpr && spill_scc_moves(f);
    uint16_t *room = vgpr ? linear_in_blocks(f, a) : ARENA_ARRAY(a, f->n_blocks, uint16_t);
    for (size_t k = 0; k < f->n_blocks; k++)
        room[k] = (uint16_t)(all > room[k] ? all - room[k] : 0);
    return room;
}

/* ---- the floor ---- */

static unsigned
size_in_bank(ir_ref r, bool vgpr)
{
    bool special = (r.flags & IR_FIXED) && (r.reg == AMD_SCC || r.reg == AMD_EXEC);
    bool counts = ir_is_value(r) && amd_rc_is_vgpr(r.rc) == vgpr && !special && !is_linear_vgpr(r);
    return counts ? amd_rc_regs(r.rc) : 0;
}

static unsigned
operand_size(const ir_instr *i, bool vgpr)
{
    unsigned size = 0;
    for (unsigned r = 0; r < i->n_refs; r++) {
        bool again = false;
        for (unsigned k = 0; k < r && !again; k++)
            again = ir_same_ref(i->refs[k], i->refs[r]);
        size += again ? 0 : size_in_bank(i->refs[r], vgpr);
    }
    return size;
}

static unsigned
instr_floor(const ir_instr *i, bool vgpr)
{
    unsigned operands = operand_size(i, vgpr), definitions = 0;
    int tied = amd_tied_ref(i), def = amd_tied_def(i);
    for (unsigned d = 0; d < i->n_defs; d++)
        definitions += size_in_bank(i->defs[d], vgpr);
    bool late = amd_kills_late(i->op);
    for (unsigned r = 0; r < i->n_refs; r++)
        late |= (i->refs[r].flags & IR_LATE_KILL) != 0;
    definitions += late ? operands : 0;
    if (tied >= 0 && def >= 0 && !(i->refs[tied].flags & IR_KILL))
        operands += size_in_bank(i->defs[def], vgpr);
    return operands > definitions ? operands : definitions;
}

unsigned
spill_floor(const ir_fn *f, bool vgpr)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    unsigned most = 0;
    uint16_t *linear = vgpr ? linear_in_blocks(f, f->ctx->scratch) : NULL;
    IR_FOREACH_BLOCK(b, f)
    {
        IR_FOREACH_INSTR(i, b)
        {
            unsigned size = ir_has_flag(i, IR_OP_PHI) ? 0 : instr_floor(i, vgpr);
            size += linear ? linear[b->index] : 0;
            most = size > most ? size : most;
        }
    }
    arena_release(f->ctx->scratch, mark);
    return vgpr ? most : most + spill_scc_moves(f);
}

unsigned
spill_lane_vgprs(const ir_fn *f)
{
    enum { PART = 4 };
    const amd_program *p = amd_prog(f);
    unsigned most = amd_vgpr_bound(p), floor = spill_floor(f, true);
    unsigned part = most > floor ? (most - floor) / PART : 0;
    return part ? part : 1;
}

/* ---- scc ---- */

static bool
defines_scc(ir_ref def)
{
    return (def.flags & IR_FIXED) && def.reg == AMD_SCC;
}

bool
spill_scc_moves(const ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f)
    {
        uint32_t in_scc = 0;
        IR_FOREACH_INSTR(i, b)
        {
            for (unsigned r = 0; r < i->n_refs; r++) {
                if (ir_is_value(i->refs[r]) && i->refs[r].id == in_scc &&
                    (i->refs[r].flags & IR_KILL))
                    in_scc = 0;
            }
            for (unsigned d = 0; d < i->n_defs; d++) {
                if (!defines_scc(i->defs[d]))
                    continue;
                if (in_scc)
                    return true;
                if (ir_is_value(i->defs[d]) && !(i->defs[d].flags & IR_KILL))
                    in_scc = i->defs[d].id;
            }
        }
        if (in_scc)
            return true; /* lives on in another block */
    }
    return false;
}
