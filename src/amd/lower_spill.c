/* Spills and reloads: SGPRs to lanes of linear VGPRs, VGPRs to scratch.
 *
 * scratch_load and scratch_store address with a constant offset alone (neither VGPR nor SGPR: "ST
 * mode" of gfx10.3, RDNA 2 ISA, 9.3), up to 2047 bytes; what lies beyond takes m0 as scalar
 * address, or vcc where m0 is in use.
 */
#include "amd/lower.h"

enum { MAX_OFFSET = 2047 };

static void
spill_scalar(low_ctx *c, const ir_instr *i)
{
    ir_ref value = i->refs[0], linear = low_v(i->refs[1].reg, 1);
    for (unsigned k = 0; k < amd_rc_regs(value.rc); k++) {
        ir_ref part = low_s(value.reg + k * 4, 1);
        if (value.kind == IR_REF_CONST) {
            bool high = k == 1 && (value.flags & IR_CONST64);
            part = amd_const(k == 0 ? value.id : high ? (uint32_t)((int32_t)value.id >> 31) : 0);
        }
        low_3(c, AMD_V_WRITELANE_B32, linear, part, amd_const(i->words[0] + k), linear);
    }
}

static void
reload_scalar(low_ctx *c, const ir_instr *i)
{
    ir_ref linear = low_v(i->refs[0].reg, 1);
    for (unsigned k = 0; k < amd_rc_regs(i->defs[0].rc); k++) {
        ir_ref part = low_s(i->defs[0].reg + k * 4, 1);
        low_2(c, AMD_V_READLANE_B32, part, linear, amd_const(i->words[0] + k));
    }
}

/* The scalar address for accesses up to `end`: none, or a register that gets the offset. */
static ir_ref
scalar_address(low_ctx *c, uint32_t offset, uint32_t end)
{
    if (end <= MAX_OFFSET + 1)
        return ir_none();
    if ((c->live & LOW_M0) && (c->live & LOW_VCC))
        diag_fail(c->f->ctx->diag, ERR_INTERNAL, "no scratch register for a spill's address");
    unsigned reg = c->live & LOW_M0 ? AMD_VCC : AMD_M0;
    low_load_const(c, reg, offset);
    return low_s(reg, 1);
}

static void
access_vector(low_ctx *c, const ir_instr *i, ir_ref data, bool store)
{
    static const uint16_t ops[2][4] = {{AMD_SCRATCH_LOAD_DWORD, AMD_SCRATCH_LOAD_DWORDX2,
                                        AMD_SCRATCH_LOAD_DWORDX3, AMD_SCRATCH_LOAD_DWORDX4},
                                       {AMD_SCRATCH_STORE_DWORD, AMD_SCRATCH_STORE_DWORDX2,
                                        AMD_SCRATCH_STORE_DWORDX3, AMD_SCRATCH_STORE_DWORDX4}};
    unsigned regs = amd_rc_regs(data.rc);
    uint32_t base = i->words[0];
    ir_ref saddr = scalar_address(c, base, base + regs * 4);
    if (saddr.kind == IR_REF_NONE && (saddr.flags & IR_FIXED))
        base = 0;
    for (unsigned at = 0, n; at < regs; at += n) {
        n = regs - at < 4 ? regs - at : 4;
        ir_ref part = low_v(data.reg + at * 4, n);
        ir_ref refs[] = {ir_none(), store ? part : saddr, saddr};
        ir_instr *access = low_emit(c, ops[store][n - 1], !store, &part, store ? 3 : 2, refs);
        access->words[0] = base + at * 4;
        access->words[2] = AMD_SYNC_SCRATCH | AMD_SYNC_SPILL;
    }
}

void
low_spill(low_ctx *c, const ir_instr *i)
{
    if (i->n_refs == 2)
        spill_scalar(c, i);
    else
        access_vector(c, i, i->refs[0], true);
}

void
low_reload(low_ctx *c, const ir_instr *i)
{
    if (i->n_refs == 1)
        reload_scalar(c, i);
    else
        access_vector(c, i, i->defs[0], false);
}
