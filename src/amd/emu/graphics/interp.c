/* Interpolation with parameters in LDS (gfx6 to gfx10.3: VINTRP and its VOP3 forms), gfx11's loads
 * of parameters (LDSDIR), and single LDS values as sources.
 *
 * m0 is {new primitive mask 30:16, offset of the parameters 15:0}. Bit k of the mask says that quad
 * k + 1 begins another primitive. For each primitive an attribute has 12 dwords: P0, P10 and P20,
 * with four channels each; a dword holds two 16-bit attributes (RDNA 2 ISA, "LDS Parameter
 * Instructions"; RDNA 3 ISA, "LDS_PARAM_LOAD"). The documents give S * P10 + P0 without its
 * rounding; here it is rounded once.
 */
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/graphics/graphics.h"
#include "amd/emu/mem/access.h"
#include "amd/emu/num/float.h"

enum { PARAM_P10, PARAM_P20, PARAM_P0 }; /* v_interp_mov's codes */

/* A lane's parameter; adds to `*undefined` whether LDS holds no defined value for it. */
static uint32_t
parameter(emu_wave *w, const emu_inst *i, uint32_t which, uint32_t l, uint32_t *undefined)
{
    static const uint32_t dword[3] = {4, 8, 0};
    uint32_t m0 = w->sgpr[AMD_REG_M0], mask = m0 >> 16 & 0x7fff, v = 0;
    uint32_t primitives = base_popcount32(mask) + 1;
    uint32_t primitive = base_popcount32(mask & (uint32_t)base_mask64(l / 4));
    uint32_t attribute = (uint32_t)i->in.imm >> 2 & 63, channel = (uint32_t)i->in.imm & 3;
    uint32_t at = (m0 & 0xffff) +
                  4 * ((attribute * primitives + primitive) * 12 + channel + dword[which]);
    amd_emu_load_bytes(w, AMD_EMU_SHARED_BASE | at, 4, (int)l, &v, w->shadow ? undefined : NULL);
    return v;
}

/* The half of a parameter that VOP3's `high` selects. */
static float
half_parameter(emu_wave *w, const emu_inst *i, uint32_t which, uint32_t l, uint32_t *undefined)
{
    return amd_emu_from_half(parameter(w, i, which, l, undefined) >> (i->in.imm & 256 ? 16 : 0) &
                             0xffff);
}

/* Source `k`, a VGPR, with modifiers applied. */
static float
source(const emu_wave *w, const emu_inst *i, uint32_t k, uint32_t l)
{
    float v = base_bits_f32(w->vgpr[i->in.src[k] - AMD_REG_VGPR0][l]);
    v = i->in.abs >> k & 1 ? fabsf(v) : v;
    return i->in.neg >> k & 1 ? -v : v;
}

static float
modified(const emu_inst *i, float v)
{
    static const float factor[4] = {1, 2, 4, 0.5f};
    v *= factor[i->in.omod & 3];
    return !i->in.clamp ? v : v > 0 ? (v < 1 ? v : 1) : 0;
}

static uint32_t
one_lane(emu_wave *w, const emu_inst *i, uint32_t l, uint32_t *undefined)
{
    uint32_t old = w->vgpr[i->in.dst[0] - AMD_REG_VGPR0][l];
    float r;
    switch (i->in.op) {
    case AMD_V_INTERP_MOV_F32: {
        float v = base_bits_f32(parameter(w, i, i->in.src[0] & 3, l, undefined));
        return base_f32_bits(modified(i, v));
    }
    case AMD_V_INTERP_P1_F32:
        r = fmaf(source(w, i, 0, l), base_bits_f32(parameter(w, i, PARAM_P10, l, undefined)),
                 base_bits_f32(parameter(w, i, PARAM_P0, l, undefined)));
        break;
    case AMD_V_INTERP_P2_F32:
        r = fmaf(source(w, i, 0, l), base_bits_f32(parameter(w, i, PARAM_P20, l, undefined)),
                 base_bits_f32(old));
        break;
    case AMD_V_INTERP_P1LL_F16:
        r = fmaf(source(w, i, 0, l), half_parameter(w, i, PARAM_P10, l, undefined),
                 half_parameter(w, i, PARAM_P0, l, undefined));
        break;
    case AMD_V_INTERP_P1LV_F16: { /* P0 comes from a register, whose half is also selected */
        uint32_t pair = w->vgpr[i->in.src[1] - AMD_REG_VGPR0][l];
        float p0 = amd_emu_from_half(pair >> (i->in.imm & 256 ? 16 : 0) & 0xffff);
        p0 = i->in.abs & 2 ? fabsf(p0) : p0;
        r = fmaf(source(w, i, 0, l), half_parameter(w, i, PARAM_P10, l, undefined),
                 i->in.neg & 2 ? -p0 : p0);
        break;
    }
    default: /* V_INTERP_P2_F16, on gfx9 also under gfx8's number: the rest of the register is
                kept */
        r = modified(i, fmaf(source(w, i, 0, l), half_parameter(w, i, PARAM_P20, l, undefined),
                             source(w, i, 1, l)));
        return (old & 0xffff0000) | amd_emu_f32_to_half(r, w->mode >> 2 & 3);
    }
    return base_f32_bits(modified(i, r));
}

static uint64_t
undefined_sources(const emu_wave *w, const emu_inst *i)
{
    uint64_t u = 0;
    for (uint32_t k = 0; k < i->in.n_src; k++)
        if (i->in.src[k] >= AMD_REG_VGPR0 && i->in.src[k] != AMD_REG_ABSENT)
            u |= amd_emu_shadow_get(w, i->in.src[k] - AMD_REG_VGPR0, EMU_BYTES_ALL);
    if (i->in.op == AMD_V_INTERP_P2_F32)
        u |= amd_emu_shadow_get(w, i->in.dst[0] - AMD_REG_VGPR0, EMU_BYTES_ALL);
    return u;
}

static bool
gives_half(const emu_inst *i)
{
    return i->in.op == AMD_V_INTERP_P2_F16 || i->in.op == AMD_V_INTERP_P2_LEGACY_F16;
}

static void
interpolate(emu_wave *w, const emu_inst *i)
{
    uint32_t reg = i->in.dst[0] - AMD_REG_VGPR0, result[EMU_LANES];
    uint64_t exec = amd_emu_exec(w), bad = w->shadow ? undefined_sources(w, i) : 0;
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "place of parameters");
    for (uint64_t left = exec; left; left &= left - 1) {
        uint32_t l = base_ctz64(left), undefined = 0;
        result[l] = one_lane(w, i, l, &undefined);
        bad |= (uint64_t)(undefined != 0) << l;
    }
    for (uint64_t left = exec; left; left &= left - 1)
        w->vgpr[reg][base_ctz64(left)] = result[base_ctz64(left)];
    if (w->shadow)
        amd_emu_shadow_set(w, reg, gives_half(i) ? EMU_BYTES_LOW : EMU_BYTES_ALL, exec, bad);
    w->lane_instructions += base_popcount64(exec);
}

/* m0 for a value from LDS: byte address 15:0, type 18:16 (0 and 1 an unsigned byte and short, 2 a
 * dword, 4 and 5 signed; "Vega" ISA, "LDS Direct Read"). */
static uint32_t
direct_value(emu_wave *w, uint32_t *undefined)
{
    static const uint8_t bytes[8] = {1, 2, 4, 0, 1, 2, 0, 0};
    uint32_t m0 = w->sgpr[AMD_REG_M0], type = m0 >> 16 & 7, v = 0;
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "place of a value in LDS");
    if (!bytes[type]) {
        amd_emu_stop(w, MACH_RUN_UNSUPPORTED, "LDS direct with data type %u", type);
        return 0;
    }
    amd_emu_load_bytes(w, AMD_EMU_SHARED_BASE | (m0 & 0xffff), bytes[type], -1, &v,
                       w->shadow ? undefined : NULL);
    return type >= 4 ? (uint32_t)base_sext64(v, bytes[type] * 8u) : v;
}

/* Runs a vector instruction with lds_direct as a source (up to gfx10.3). The undefined checker
 * treats the value as defined. */
void
amd_emu_lds_direct(emu_wave *w, const emu_inst *i)
{
    uint32_t undefined = 0;
    w->lds_direct = direct_value(w, &undefined);
    if (!w->m->stop)
        i->inner(w, i);
}

/* All lanes of quads that have an active lane. */
static uint64_t
active_quads(const emu_wave *w)
{
    uint64_t q = amd_emu_exec(w);
    q |= q >> 1;
    q = (q | q >> 2) & UINT64_C(0x1111111111111111);
    return q * 15;
}

/* gfx11: lds_direct_load gives the value to all lanes of active quads; lds_param_load gives P0, P10
 * and P20 of the quad's primitive to its first three lanes (RDNA 3 ISA, "LDS Direct and Parameter
 * Load"). */
static void
load_direct(emu_wave *w, const emu_inst *i)
{
    static const uint32_t which[4] = {PARAM_P0, PARAM_P10, PARAM_P20, PARAM_P0};
    uint32_t reg = i->in.dst[0] - AMD_REG_VGPR0, value = 0, undefined = 0;
    uint64_t lanes = active_quads(w), bad = 0;
    bool direct = i->in.op == AMD_LDS_DIRECT_LOAD;
    if (direct)
        value = direct_value(w, &undefined);
    else if (w->shadow)
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "place of parameters");
    bad = undefined ? UINT64_MAX : 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        uint32_t l = base_ctz64(left), u = 0;
        if (!direct && l % 4 == 3) {
            bad |= UINT64_C(1) << l; /* the fourth lane gets no parameter */
            continue;
        }
        w->vgpr[reg][l] = direct ? value : parameter(w, i, which[l % 4], l, &u);
        bad |= (uint64_t)(u != 0) << l;
    }
    if (w->shadow)
        amd_emu_shadow_set(w, reg, EMU_BYTES_ALL, lanes, bad);
}

bool
amd_emu_bind_interp(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_LDS_PARAM_LOAD:
    case AMD_LDS_DIRECT_LOAD: i->run = load_direct; return true;
    case AMD_V_INTERP_P1_F32:
    case AMD_V_INTERP_P2_F32:
    case AMD_V_INTERP_MOV_F32:
    case AMD_V_INTERP_P1LL_F16:
    case AMD_V_INTERP_P1LV_F16:
    case AMD_V_INTERP_P2_F16:
    case AMD_V_INTERP_P2_LEGACY_F16: i->run = interpolate; return true;
    default: return false;
    }
}
