/* Packed operations on pairs of dwords: V_PK_*_F32 and V_PK_MOV_B32 of CDNA.
 *
 * op_sel selects each source's dword for the low result, op_sel_hi the one for the high result;
 * inline constants and literals are the same in both. (CDNA 3 ISA, "Packed math".)
 */
#include "amd/emu/alu/alu.h"
#include "amd/emu/alu/valu.h"
#include "amd/emu/core/operand.h"

/* The low or the high dwords of a source. */
static const uint32_t *
dwords(emu_wave *w, const emu_inst *i, uint32_t s, bool high, emu_row *room)
{
    uint32_t code = i->in.src[s];
    bool is_register = code < EMU_SREGS || code >= AMD_REG_VGPR0;
    return amd_emu_source_row(w, i, code, EMU_T_F32, is_register && high, room);
}

static void
packed_half(emu_wave *w, const emu_inst *i, const emu_valu *v, bool high, emu_row *d)
{
    const amd_inst *in = &i->in;
    uint32_t select = high ? in->op_sel_hi : in->op_sel, neg = high ? in->neg_hi : in->neg;
    emu_row rooms[3];
    const void *lanes[3] = {NULL, NULL, NULL};
    for (uint32_t s = 0; s < 3 && v->src[s]; s++) {
        const uint32_t *u = dwords(w, i, s, select >> s & 1, &rooms[s]);
        uint32_t flip = neg >> s & 1 ? 0x80000000 : 0;
        for (uint32_t l = 0; l < w->lanes; l++)
            rooms[s].u[l] = u[l] ^ flip;
        if (!(w->mode & EMU_DENORM_IN_32))
            for (uint32_t l = 0; l < w->lanes; l++)
                rooms[s].u[l] = amd_emu_flush32(rooms[s].u[l]);
        lanes[s] = rooms[s].u;
    }
    emu_args k = {
        w->lanes, w->mode,     lanes[0], lanes[1], lanes[2], NULL, d->u, NULL, amd_emu_nan_rule(w),
        in,       w->m->d->gen};
    bool rounded = amd_emu_round_begin(amd_emu_rounding(w, v));
    v->fn(&k);
    amd_emu_round_end(rounded);
    amd_emu_finish(w, in, v, d);
}

static void
run_packed_f32(emu_wave *w, const emu_inst *i)
{
    emu_row low, high;
    uint32_t reg = i->in.dst[0] - AMD_REG_VGPR0;
    uint64_t exec = amd_emu_exec(w);
    packed_half(w, i, i->op, false, &low);
    packed_half(w, i, i->op, true, &high);
    w->lane_instructions += base_popcount64(exec);
    amd_emu_write_vgpr(w, reg, low.u, exec);
    amd_emu_write_vgpr(w, reg + 1, high.u, exec);
}

/* Takes the low dword from the first source, the high dword from the second. */
static void
run_packed_mov(emu_wave *w, const emu_inst *i)
{
    emu_row rooms[2];
    uint32_t d[2][EMU_LANES], reg = i->in.dst[0] - AMD_REG_VGPR0;
    uint64_t exec = amd_emu_exec(w);
    for (uint32_t s = 0; s < 2; s++) {
        const uint32_t *u = dwords(w, i, s, i->in.op_sel >> s & 1, &rooms[s]);
        memcpy(d[s], u, w->lanes * sizeof *u);
    }
    w->lane_instructions += base_popcount64(exec);
    amd_emu_write_vgpr(w, reg, d[0], exec);
    amd_emu_write_vgpr(w, reg + 1, d[1], exec);
}

bool
amd_emu_bind_vop3p_wide(emu_inst *i)
{
    i->run = run_packed_f32;
    switch (i->in.op) {
    case AMD_V_PK_ADD_F32: i->op = amd_emu_valu_find(AMD_V_ADD_F32); return true;
    case AMD_V_PK_MUL_F32: i->op = amd_emu_valu_find(AMD_V_MUL_F32); return true;
    case AMD_V_PK_FMA_F32: i->op = amd_emu_valu_find(AMD_V_FMA_F32); return true;
    case AMD_V_PK_MOV_B32: i->run = run_packed_mov; return true;
    default: return false;
    }
}
