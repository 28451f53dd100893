/* Selection of what fragment shaders alone have: inputs, derivatives, colours, helpers.
 *
 * Which instructions need the helper lanes of a quad follows from the instructions themselves
 * (exec/needs.c), so nothing is marked here.
 */
#include "amd/select/select_alu.h"
#include "amd/select/select_half.h"

#include "amd/target/hir_level.h"

/* ---- inputs ---- */

/* `r` are VGPRs, and the mask for m0 last. */
static ir_ref
read_param(sel *s, unsigned op, unsigned n, const ir_ref *r, uint32_t attr)
{
    ir_instr *i = amd_new(s->f, op, 1, n);
    for (unsigned k = 0; k < n; k++)
        i->refs[k] = r[k];
    ir_ref d = ir_define(s->f, i, 0, AMD_V1);
    i->loc = s->loc;
    ir_append(s->cur, i);
    s->last = i;
    if (amd_words_of(op) == AMD_WORDS_SALU)
        ir_words(i)[0] = attr;
    else
        ir_words(i)[2] = attr << AMD_ATTR_SHIFT;
    return d;
}

static uint32_t
attribute(const ir_instr *i)
{
    return ir_attr_get(i, IR_A_BASE) * 4 + (ir_attr_get(i, IR_A_COMPONENT) & 3);
}

/* 16-bit parameters are in the low halves of their registers. */
static ir_ref
interpolate_half(sel *s, uint32_t attr, ir_ref x, ir_ref y, ir_ref mask)
{
    unsigned last = sel_has(s, AMD_V_INTERP_P2_F16) ? AMD_V_INTERP_P2_F16
                                                    : AMD_V_INTERP_P2_LEGACY_F16;
    ir_ref first = read_param(s, AMD_V_INTERP_P1LL_F16, 2, (ir_ref[]){x, mask}, attr);
    return read_param(s, last, 3, (ir_ref[]){y, first, mask}, attr);
}

static void
interpolate(sel *s, const ir_instr *i)
{
    ir_ref x = amd_sel_as_vgpr(s, amd_sel_get_comp(s, i->refs[0], 0)),
           y = amd_sel_as_vgpr(s, amd_sel_get_comp(s, i->refs[0], 1));
    ir_ref mask = amd_sel_as_sgpr(s, amd_sel_get(s, i->refs[1]));
    uint32_t attr = attribute(i);
    if (sel_bits(s, i->defs[0]) == 16) {
        amd_sel_set(s, i, interpolate_half(s, attr, x, y, mask));
        return;
    }
    ir_ref first = read_param(s, AMD_V_INTERP_P1_F32, 2, (ir_ref[]){x, mask}, attr);
    amd_sel_set(s, i, read_param(s, AMD_V_INTERP_P2_F32, 3, (ir_ref[]){y, first, mask}, attr));
}

/* Vertex 0 is parameter 2 of v_interp_mov_f32, 1 and 2 are 0 and 1 (RDNA 2 ISA,
 * V_INTERP_MOV_F32). */
static void
read_vertex(sel *s, const ir_instr *i)
{
    unsigned vertex = ir_attr_get(i, IR_A_COMPONENT) >> 4;
    ir_ref mask = amd_sel_as_sgpr(s, amd_sel_get(s, i->refs[0]));
    ir_ref refs[2] = {amd_const((vertex + 2) % 3), mask};
    amd_sel_set(s, i, read_param(s, AMD_V_INTERP_MOV_F32, 2, refs, attribute(i)));
}

static void
load_param(sel *s, const ir_instr *i)
{
    ir_ref mask = amd_sel_as_sgpr(s, amd_sel_get(s, i->refs[0]));
    amd_sel_set(s, i, read_param(s, AMD_LDS_PARAM_LOAD, 1, &mask, attribute(i)));
}

static void
interpolate_loaded(sel *s, const ir_instr *i)
{
    bool half = sel_bits(s, i->defs[0]) == 16;
    ir_ref lanes = amd_sel_as_vgpr(s, amd_sel_get(s, i->refs[0]));
    ir_ref x = amd_sel_as_vgpr(s, amd_sel_get_comp(s, i->refs[1], 0)),
           y = amd_sel_as_vgpr(s, amd_sel_get_comp(s, i->refs[1], 1));
    ir_ref r = amd_sel_3(s, half ? AMD_V_INTERP_P10_F16_F32 : AMD_V_INTERP_P10_F32, AMD_V1, lanes,
                         x, lanes);
    amd_sel_set(s, i,
                amd_sel_3(s, half ? AMD_V_INTERP_P2_F16_F32 : AMD_V_INTERP_P2_F32_INREG, AMD_V1,
                          lanes, y, r));
}

/* ---- derivatives ---- */

/* Which lane of the quad a derivative subtracts, and from which: quad_perm's controls. Lanes 0 and
 * 1 are the upper row, 2 and 3 the lower one. */
typedef struct neighbours {
    uint8_t from, to;
} neighbours;

#define QUAD(a, b, c, d) ((a) | (b) << 2 | (c) << 4 | (d) << 6)

static neighbours
neighbours_of(unsigned op)
{
    switch (op) {
    case IR_ddx_fine: return (neighbours){QUAD(0, 0, 2, 2), QUAD(1, 1, 3, 3)};
    case IR_ddy_fine: return (neighbours){QUAD(0, 1, 0, 1), QUAD(2, 3, 2, 3)};
    case IR_ddx_coarse: return (neighbours){QUAD(0, 0, 0, 0), QUAD(1, 1, 1, 1)};
    default: return (neighbours){QUAD(0, 0, 0, 0), QUAD(2, 2, 2, 2)};
    }
}

static void
derivative(sel *s, const ir_instr *i)
{
    neighbours n = neighbours_of(i->op);
    bool half = sel_bits(s, i->defs[0]) == 16;
    ir_ref v = amd_sel_get(s, i->refs[0]);
    if (!sel_is_vgpr(v)) { /* the same in all lanes */
        amd_sel_set(s, i, amd_sel_copy(s, AMD_V1, amd_const(0)));
        return;
    }
    ir_ref from = amd_sel_quad_permute(s, v, n.from), to = amd_sel_quad_permute(s, v, n.to);
    amd_sel_set(s, i, amd_sel_2(s, half ? AMD_V_SUB_F16 : AMD_V_SUB_F32, AMD_V1, to, from));
}

/* ---- colours ---- */

static void
pack_color(sel *s, const ir_instr *i)
{
    static const uint16_t ops[] = {
        [AMD_PACK_FLOAT] = AMD_V_CVT_PKRTZ_F16_F32,  [AMD_PACK_UNORM] = AMD_V_CVT_PKNORM_U16_F32,
        [AMD_PACK_SNORM] = AMD_V_CVT_PKNORM_I16_F32, [AMD_PACK_UINT] = AMD_V_CVT_PK_U16_U32,
        [AMD_PACK_SINT] = AMD_V_CVT_PK_I16_I32,
    };
    amd_sel_set(s, i,
                amd_sel_2(s, ops[ir_attr_get(i, IR_A_BASE)], AMD_V1, amd_sel_get(s, i->refs[0]),
                          amd_sel_get(s, i->refs[1])));
}

static void
pair_lanes(sel *s, const ir_instr *i)
{
    ir_ref own = amd_sel_get(s, i->refs[0]), other = amd_sel_get(s, i->refs[1]);
    amd_sel_set(s, i, amd_sel_pair_lanes(s, ir_attr_get(i, IR_A_BASE), own, other));
}

/* ---- helpers ---- */

static void
demote(sel *s, const ir_instr *i)
{
    bool some = i->op == AMD_HIR_demote_if_amd;
    ir_instr *d = amd_new(s->f, AMD_P_DEMOTE, 0, some);
    if (some)
        d->refs[0] = amd_sel_get_mask(s, i->refs[0]);
    d->loc = s->loc;
    ir_append(s->cur, d);
    s->last = d;
}

static void
is_helper(sel *s, const ir_instr *i)
{
    ir_instr *h = amd_new(s->f, AMD_P_IS_HELPER, 1, 0);
    ir_ref r = ir_define(s->f, h, 0, s->p->lane_mask);
    h->loc = s->loc;
    ir_append(s->cur, h);
    s->last = h;
    amd_sel_set_mask(s, i, r);
}

/* ---- interlocks ---- */

static void
wait_for_overlapped(sel *s, const ir_instr *i)
{
    ir_instr *w = amd_new(s->f, AMD_S_WAIT_EVENT, 0, 0);
    ir_words(w)[0] = amd_has(s->p->target, overlap_event) - 1;
    w->loc = i->loc;
    ir_append(s->cur, w);
    s->last = w;
}

/* HW_REG_POPS_PACKER has the packer in bits 2:1 and whether to look at it in bit 0; HW_REG_MODE has
 * the packer's number and 1 in bits 25:24 (what RADV 26.2.6 makes). */
static void
set_packer(sel *s, const ir_instr *i)
{
    enum { POPS_PACKER = 25 | 2 << 11, MODE = 1 | 24 << 6 | 1 << 11 };
    ir_instr *w = amd_new(s->f, AMD_S_SETREG_B32, 0, 1);
    w->refs[0] = amd_sel_as_sgpr(s, amd_sel_get(s, i->refs[0]));
    ir_words(w)[0] = amd_has(s->p->target, has_packer_register) ? POPS_PACKER : MODE;
    w->loc = i->loc;
    ir_append(s->cur, w);
    s->last = w;
}

static void
rest(sel *s, const ir_instr *i)
{
    enum { CLOCKS_64 = 3 };
    ir_instr *w = amd_new(s->f, AMD_S_SLEEP, 0, 0);
    ir_words(w)[0] = CLOCKS_64;
    w->loc = i->loc;
    ir_append(s->cur, w);
    s->last = w;
}

bool
amd_sel_fragment(sel *s, const ir_instr *i)
{
    switch (i->op) {
    case AMD_HIR_interpolate_amd: interpolate(s, i); return true;
    case AMD_HIR_vertex_param_amd: read_vertex(s, i); return true;
    case AMD_HIR_load_param_amd: load_param(s, i); return true;
    case AMD_HIR_interpolate_loaded_amd: interpolate_loaded(s, i); return true;
    case IR_ddx_fine:
    case IR_ddy_fine:
    case IR_ddx_coarse:
    case IR_ddy_coarse: derivative(s, i); return true;
    case AMD_HIR_pack_color_amd: pack_color(s, i); return true;
    case AMD_HIR_pair_lanes_amd: pair_lanes(s, i); return true;
    case IR_demote:
    case IR_terminate:
    case AMD_HIR_demote_if_amd: demote(s, i); return true;
    case IR_begin_interlock: wait_for_overlapped(s, i); return true;
    case AMD_HIR_set_packer_amd: set_packer(s, i); return true;
    case AMD_HIR_exiting_wave_amd:
        amd_sel_set(s, i,
                    amd_sel_1(s, AMD_S_MOV_B32, AMD_S1,
                              amd_phys(4 * AMD_SRC_POPS_EXITING_WAVE_ID, AMD_S1)));
        return true;
    case AMD_HIR_sleep_amd: rest(s, i); return true;
    case IR_is_helper_invocation: is_helper(s, i); return true;
    default: return false;
    }
}
