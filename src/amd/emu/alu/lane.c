/* Vector instructions that move data between lanes or between vector and scalar registers, and
 * those whose registers are indexed by m0. */
#include "amd/emu/alu/lane.h"

#include "amd/emu/alu/alu.h"
#include "amd/emu/alu/valu.h"
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"

static uint32_t
vgpr_number(uint32_t code)
{
    return code - AMD_REG_VGPR0;
}

static void
readfirstlane(emu_wave *w, const emu_inst *i)
{
    uint64_t exec = amd_emu_exec(w);
    uint32_t code = i->in.src[0], lane = exec ? base_ctz64(exec) : 0;
    amd_emu_write_s32(w, i->in.dst[0],
                      code >= AMD_REG_VGPR0 ? w->vgpr[vgpr_number(code)][lane]
                                            : amd_emu_read_s32(w, &i->in, code));
}

static void
readlane(emu_wave *w, const emu_inst *i)
{
    uint32_t code = i->in.src[0], lane = amd_emu_read_s32(w, &i->in, i->in.src[1]) & (w->lanes - 1);
    amd_emu_write_s32(w, i->in.dst[0],
                      code >= AMD_REG_VGPR0 ? w->vgpr[vgpr_number(code)][lane]
                                            : amd_emu_read_s32(w, &i->in, code));
}

static void
writelane(emu_wave *w, const emu_inst *i)
{
    uint32_t lane = amd_emu_read_s32(w, &i->in, i->in.src[1]) & (w->lanes - 1);
    w->vgpr[vgpr_number(i->in.dst[0])][lane] = amd_emu_read_s32(w, &i->in, i->in.src[0]);
}

uint32_t
amd_emu_permlane_source(const emu_wave *w, const amd_inst *in, uint32_t l)
{
    bool vary = in->op == AMD_V_PERMLANE16_VAR_B32 || in->op == AMD_V_PERMLANEX16_VAR_B32;
    bool other = in->op == AMD_V_PERMLANEX16_B32 || in->op == AMD_V_PERMLANEX16_VAR_B32;
    uint32_t row = (l & ~15u) ^ (other ? 16 : 0);
    if (vary)
        return row | (w->vgpr[vgpr_number(in->src[1])][l] & 15);
    uint32_t eight = amd_emu_read_s32(w, in, in->src[l & 8 ? 2 : 1]);
    return row | (eight >> (4 * (l & 7)) & 15);
}

/* v_permlane16 and related opcodes: op_sel bit 0 is FI, bit 1 bound_ctrl. Without FI, a disabled
 * source lane reads 0 with bound_ctrl; otherwise the destination lane is kept. */
static void
permlane16(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    uint32_t d[EMU_LANES];
    uint64_t exec = amd_emu_exec(w), write = exec;
    bool fi = in->op_sel & 1, bound = in->op_sel & 2;
    emu_row room;
    const uint32_t *s = amd_emu_source_row(w, i, in->src[0], EMU_T_U32, 0, &room);
    for (uint32_t l = 0; l < w->lanes; l++) {
        uint32_t from = amd_emu_permlane_source(w, in, l);
        bool valid = fi || (exec >> from & 1);
        d[l] = valid ? s[from] : 0;
        if (!valid && !bound)
            write &= ~(UINT64_C(1) << l);
    }
    amd_emu_write_vgpr(w, vgpr_number(in->dst[0]), d, write);
}

/* v_permlane64_b32 exchanges the halves of a wave64, ignoring exec in the source lane; in wave32 it
 * does nothing (RDNA 3 ISA, V_PERMLANE64_B32). */
static void
permlane64(emu_wave *w, const emu_inst *i)
{
    const uint32_t *s = w->vgpr[vgpr_number(i->in.src[0])];
    uint32_t d[EMU_LANES];
    if (w->lanes < 64)
        return;
    for (uint32_t l = 0; l < 64; l++)
        d[l] = s[l ^ 32];
    amd_emu_write_vgpr(w, vgpr_number(i->in.dst[0]), d, amd_emu_exec(w));
}

uint32_t
amd_emu_swapped_lane(const amd_inst *in, uint32_t l, bool second)
{
    uint32_t distance = in->op == AMD_V_PERMLANE16_SWAP_B32 ? 16 : 32;
    return second == !(l & distance) ? l ^ distance : l;
}

/* v_permlane16_swap_b32, v_permlane32_swap_b32: lanes in odd rows (of 16 or 32) of the first
 * register and those in even rows of the second one change places. exec, fi and bound_ctrl act as
 * in v_permlane16_b32. */
static void
permlane_swap(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    uint32_t d[2][EMU_LANES], *rows[2];
    uint64_t exec = amd_emu_exec(w), write[2] = {exec, exec};
    for (uint32_t k = 0; k < 2; k++)
        rows[k] = w->vgpr[vgpr_number(in->dst[k])];
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t l = 0; l < w->lanes; l++) {
            uint32_t from = amd_emu_swapped_lane(in, l, k);
            bool valid = in->fi || (exec >> from & 1);
            d[k][l] = from == l ? rows[k][l] : valid ? rows[!k][from] : 0;
            if (!valid && !in->bound_ctrl)
                write[k] &= ~(UINT64_C(1) << l);
        }
    }
    for (uint32_t k = 0; k < 2; k++)
        amd_emu_write_vgpr(w, vgpr_number(in->dst[k]), d[k], write[k]);
}

void
amd_emu_movrel_move(const emu_wave *w, const emu_inst *i, emu_inst *move)
{
    *move = *i;
    amd_emu_resolve_relative(w, &move->in);
    move->in.op = AMD_V_MOV_B32;
    move->row = amd_op_row(AMD_V_MOV_B32);
    move->run = amd_emu_run_valu;
}

static void
tell_lost(emu_wave *w)
{
    amd_emu_find(w, EMU_RULE_REGISTER_BOUNDS, -1, "m0, 0x%x, leads beyond the %u VGPRs allocated",
                 w->sgpr[AMD_REG_M0], w->n_vgprs);
}

/* Moves with registers indexed by m0: RDNA 2 ISA, V_MOVRELD_B32 and the following. */
static void
movrel(emu_wave *w, const emu_inst *i)
{
    emu_inst move;
    amd_emu_movrel_move(w, i, &move);
    bool lost = w->sgpr[AMD_REG_M0] &&
                ((move.in.src[0] == AMD_REG_VGPR0 && i->in.src[0] != AMD_REG_VGPR0) ||
                 (move.in.dst[0] == AMD_REG_VGPR0 && i->in.dst[0] != AMD_REG_VGPR0));
    if (lost)
        tell_lost(w);
    amd_emu_run_valu(w, &move);
}

void
amd_emu_swap_registers(const emu_wave *w, const amd_inst *in, uint32_t reg[2])
{
    amd_inst swap = *in;
    amd_emu_resolve_relative(w, &swap);
    reg[0] = vgpr_number(swap.dst[0]);
    reg[1] = vgpr_number(swap.dst[1]);
}

/* v_swap_b16 (RDNA3 ISA): both may be halves of one register. */
static void
swap_halves(emu_wave *w, const emu_inst *i)
{
    uint32_t was[2][EMU_LANES], now[EMU_LANES];
    const amd_inst *in = &i->in;
    for (uint32_t k = 0; k < 2; k++) {
        const uint32_t *v = w->vgpr[vgpr_number(in->dst[k])];
        for (uint32_t l = 0; l < w->lanes; l++)
            was[k][l] = v[l] >> amd_emu_swapped_half(in, k) & 0xffff;
    }
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t reg = vgpr_number(in->dst[k]), at = amd_emu_swapped_half(in, k);
        for (uint32_t l = 0; l < w->lanes; l++)
            now[l] = (w->vgpr[reg][l] & ~(0xffffu << at)) | was[!k][l] << at;
        amd_emu_write_vgpr(w, reg, now, amd_emu_exec(w));
    }
}

/* v_swap_b32; v_swaprel_b32 with the same indices in m0 as v_movrelsd_2. */
static void
swap(emu_wave *w, const emu_inst *i)
{
    uint32_t a[EMU_LANES], b[EMU_LANES], reg[2];
    amd_emu_swap_registers(w, &i->in, reg);
    for (uint32_t k = 0; k < 2; k++)
        if (reg[k] == 0 && i->in.dst[k] != AMD_REG_VGPR0)
            tell_lost(w);
    memcpy(a, w->vgpr[reg[0]], sizeof a);
    memcpy(b, w->vgpr[reg[1]], sizeof b);
    amd_emu_write_vgpr(w, reg[0], b, amd_emu_exec(w));
    amd_emu_write_vgpr(w, reg[1], a, amd_emu_exec(w));
}

static uint32_t
msad(uint32_t a, uint32_t b)
{
    uint32_t r = 0;
    for (uint32_t s = 0; s < 32; s += 8) {
        uint32_t x = a >> s & 255, y = b >> s & 255;
        r += y ? (x > y ? x - y : y - x) : 0;
    }
    return r;
}

/* v_mqsad_u32_u8: four masked sums of absolute differences at successive byte offsets, 32 bits
 * each; the only instruction with 128-bit operands. */
static void
mqsad(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    emu_row bytes, r2, sum;
    uint32_t out[4][EMU_LANES];
    amd_emu_wide_source(w, i, in->src[0], EMU_T_U64, &bytes);
    for (uint32_t part = 0; part < 4; part++) {
        const uint32_t *c = amd_emu_source_row(w, i, in->src[2], EMU_T_U32, part, &r2);
        const uint32_t *b = amd_emu_source_row(w, i, in->src[1], EMU_T_U32, 0, &sum);
        for (uint32_t l = 0; l < w->lanes; l++) {
            uint32_t window = (uint32_t)(bytes.q[l] >> (8 * part));
            uint32_t s = msad(window, b[l]), v = s + c[l];
            out[part][l] = in->clamp && v < s ? UINT32_MAX : v;
        }
    }
    for (uint32_t part = 0; part < 4; part++)
        amd_emu_write_vgpr(w, vgpr_number(in->dst[0]) + part, out[part], amd_emu_exec(w));
}

static void
nothing(emu_wave *w, const emu_inst *i)
{
    (void)w;
    (void)i;
}

bool
amd_emu_bind_lane(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_V_READFIRSTLANE_B32: i->run = readfirstlane; return true;
    case AMD_V_READLANE_B32: i->run = readlane; return true;
    case AMD_V_WRITELANE_B32: i->run = writelane; return true;
    case AMD_V_PERMLANE16_B32:
    case AMD_V_PERMLANEX16_B32:
    case AMD_V_PERMLANE16_VAR_B32:
    case AMD_V_PERMLANEX16_VAR_B32: i->run = permlane16; return true;
    case AMD_V_PERMLANE64_B32: i->run = permlane64; return true;
    case AMD_V_MOVRELD_B32:
    case AMD_V_MOVRELS_B32:
    case AMD_V_MOVRELSD_B32:
    case AMD_V_MOVRELSD_2_B32:
        i->op = amd_emu_valu_find(AMD_V_MOV_B32); /* the row of the move that it performs */
        i->run = movrel;
        return true;
    case AMD_V_PERMLANE16_SWAP_B32:
    case AMD_V_PERMLANE32_SWAP_B32: i->run = permlane_swap; return true;
    case AMD_V_SWAP_B32:
    case AMD_V_SWAPREL_B32: i->run = swap; return true;
    case AMD_V_SWAP_B16: i->run = swap_halves; return true;
    case AMD_V_MQSAD_U32_U8: i->run = mqsad; return true;
    case AMD_V_NOP:
    case AMD_V_PIPEFLUSH:
    case AMD_V_CLREXCP: i->run = nothing; return true;
    default: return false;
    }
}
