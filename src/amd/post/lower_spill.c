/* Spills and reloads: SGPRs go to lanes of linear VGPRs or of scratch dwords, VGPRs to AGPRs where
 * the wave has some to spare, else to scratch.
 *
 * scratch_load and scratch_store use only a constant offset (neither VGPR nor SGPR: "ST mode" of
 * gfx10.3, RDNA 2 ISA, 9.3), up to 2047 bytes; larger offsets, and all where there is no such mode,
 * use m0 as scalar address, or vcc if m0 is in use. It is a multiple of 2048, to which the constant
 * is added: accesses near each other set it once. Offsets of buffers (lower_memory.c) go up to
 * 4095.
 *
 * An SGPR that goes to scratch passes through lanes of a linear VGPR. The active lanes may differ
 * between the store and the load, so exec is saved in vcc and set to the SGPRs' lanes. Each SGPR
 * has its own lane, whose memory no other value uses.
 *
 *     s_mov_b64 vcc, exec
 *     v_writelane_b32 v0, s4, 6
 *     v_writelane_b32 v0, s5, 7
 *     s_bfm_b64 exec, 2, 6
 *     scratch_store_dword off, v0, off offset:16
 *     s_mov_b64 exec, vcc
 */
#include "amd/post/lower.h"

/* Below these a constant fits the instruction, on every target. */
enum { OFFSETS = 2048, BUFFER_OFFSETS = 4096 };

static void
write_lanes(low_ctx *c, const ir_instr *i)
{
    ir_ref value = i->refs[0], linear = low_v(i->refs[1].reg, 1);
    for (unsigned k = 0; k < amd_rc_regs(value.rc); k++) {
        ir_ref part = low_s(value.reg + k * 4, 1);
        if (value.kind == IR_REF_CONST) {
            bool high = k == 1 && (value.flags & IR_CONST64);
            part = amd_const(k == 0 ? value.id : high ? (uint32_t)((int32_t)value.id >> 31) : 0);
        }
        part = amd_low_scalar(c, part);
        amd_low_3(c, AMD_V_WRITELANE_B32, linear, part, amd_const(ir_words(i)[0] + k), linear);
    }
}

static void
read_lanes(low_ctx *c, const ir_instr *i)
{
    ir_ref linear = low_v(i->refs[0].reg, 1);
    for (unsigned k = 0; k < amd_rc_regs(i->defs[0].rc); k++) {
        ir_ref part = low_s(i->defs[0].reg + k * 4, 1);
        amd_low_2(c, AMD_V_READLANE_B32, part, linear, amd_const(ir_words(i)[0] + k));
    }
}

/* The scalar address for accesses to `bytes` bytes from `*offset` on, of which the instruction's
 * constant is left in `*offset`: none, or a register. That of a swizzled buffer counts the bytes of
 * all lanes (Sea Islands and GCN3 ISA, "Buffer addressing"). */
static ir_ref
scalar_address(low_ctx *c, uint32_t *offset, uint32_t bytes)
{
    bool swizzled = amd_scratch_is_buffer(c->p->target);
    uint32_t fit = swizzled ? BUFFER_OFFSETS : OFFSETS, within = *offset % fit;
    uint32_t base = *offset - within;
    if (within + bytes > fit) {
        base = *offset;
        within = 0;
    }
    if (base == 0 && amd_has(c->p->target, scratch_at_offset))
        return ir_none();
    unsigned reg = amd_low_spare_scalar(c, "no scratch register for a spill's address");
    amd_low_load_const(c, reg, swizzled ? base * c->p->wave_size : base);
    *offset = within;
    return low_s(reg, 1);
}

static void
emit_access(low_ctx *c, ir_ref data, uint32_t offset, ir_ref saddr, bool store)
{
    static const uint16_t ops[2][4] = {{AMD_SCRATCH_LOAD_DWORD, AMD_SCRATCH_LOAD_DWORDX2,
                                        AMD_SCRATCH_LOAD_DWORDX3, AMD_SCRATCH_LOAD_DWORDX4},
                                       {AMD_SCRATCH_STORE_DWORD, AMD_SCRATCH_STORE_DWORDX2,
                                        AMD_SCRATCH_STORE_DWORDX3, AMD_SCRATCH_STORE_DWORDX4}};
    ir_ref refs[] = {ir_none(), store ? data : saddr, saddr};
    unsigned op = ops[store][amd_rc_regs(data.rc) - 1];
    ir_instr *access = amd_low_emit(c, op, !store, &data, store ? 3 : 2, refs);
    ir_words(access)[0] = offset;
    ir_words(access)[2] = AMD_SYNC_SCRATCH | AMD_SYNC_SPILL;
}

static void
access_vector(low_ctx *c, uint32_t base, ir_ref data, bool store)
{
    unsigned regs = amd_rc_regs(data.rc);
    ir_ref saddr = scalar_address(c, &base, regs * 4);
    unsigned most = amd_scratch_is_buffer(c->p->target) ? 1 : 4;
    for (unsigned at = 0, n; at < regs; at += n) {
        n = regs - at < most ? regs - at : most;
        emit_access(c, low_v(data.reg + at * 4, n), base + at * 4, saddr, store);
    }
}

/* Between VGPRs and as many AGPRs from number `first` on. */
static void
move_agprs(low_ctx *c, uint32_t first, ir_ref data, bool store)
{
    for (unsigned k = 0; k < amd_rc_regs(data.rc); k++) {
        ir_ref kept = low_v(AMD_AGPR0 + (first + k) * 4, 1), part = low_v(data.reg + k * 4, 1);
        if (store)
            amd_low_1(c, AMD_V_ACCVGPR_WRITE_B32, kept, part);
        else
            amd_low_1(c, AMD_V_ACCVGPR_READ_B32, part, kept);
    }
}

/* To or from the place of a value that is in VGPRs. */
static void
move_vector(low_ctx *c, const ir_instr *i, ir_ref data, bool store)
{
    uint32_t place = ir_words(i)[0], agpr = ir_words(i)[1];
    if (agpr)
        move_agprs(c, place, data, store);
    else
        access_vector(c, place, data, store);
}

/* Loads or stores one lane of the linear VGPR for each register of the value. */
static void
access_lanes(low_ctx *c, const ir_instr *i, ir_ref linear, unsigned regs, uint32_t offset)
{
    bool wide = c->p->wave_size == 64;
    ir_ref exec = amd_phys(AMD_EXEC, c->p->lane_mask), saved = amd_phys(AMD_VCC, c->p->lane_mask);
    unsigned live = c->live;
    amd_low_1(c, wide ? AMD_S_MOV_B64 : AMD_S_MOV_B32, saved, exec);
    amd_low_2(c, wide ? AMD_S_BFM_B64 : AMD_S_BFM_B32, exec, amd_const(regs),
              amd_const(ir_words(i)[0]));
    c->live |= LOW_VCC;
    access_vector(c, offset, low_v(linear.reg, 1), i->op == AMD_P_SPILL);
    c->live = live;
    amd_low_1(c, wide ? AMD_S_MOV_B64 : AMD_S_MOV_B32, exec, saved);
}

void
amd_low_spill(low_ctx *c, const ir_instr *i)
{
    if (i->n_refs == 1) {
        move_vector(c, i, i->refs[0], true);
        return;
    }
    write_lanes(c, i);
    if (i->n_refs == 3)
        access_lanes(c, i, i->refs[1], amd_rc_regs(i->refs[0].rc), i->refs[2].id);
}

void
amd_low_reload(low_ctx *c, const ir_instr *i)
{
    if (i->n_refs == 0) {
        move_vector(c, i, i->defs[0], false);
        return;
    }
    if (i->n_refs == 2)
        access_lanes(c, i, i->refs[0], amd_rc_regs(i->defs[0].rc), i->refs[1].id);
    read_lanes(c, i);
}
