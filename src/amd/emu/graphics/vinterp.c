/* Interpolation from VGPRs (gfx11 and later): VINTERP. A quad's lanes 0 to 2 hold a parameter's P0,
 * P10 and P20, as lds_param_load leaves them, whether these lanes are active or not. p10 computes
 * P0 + I * P10 for each lane, p2 adds J * P20 (RDNA 3 ISA, "VINTERP"). op_sel selects halves of
 * 16-bit operands and of the result; the rtz forms round towards zero. */
#include "amd/emu/alu/valu.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/graphics/graphics.h"

typedef struct interp_row {
    uint16_t op;
    uint8_t lane; /* lane of the quad, for the first source */
    bool p0, half, f16,
        rtz; /* third source from lane 0; first (and third) source, result are halves */
} interp_row;

static const interp_row rows[] = {
    {AMD_V_INTERP_P10_F32, 1, true, false, false, false},
    {AMD_V_INTERP_P2_F32_INREG, 2, false, false, false, false},
    {AMD_V_INTERP_P10_F16_F32, 1, true, true, false, false},
    {AMD_V_INTERP_P2_F16_F32, 2, false, true, true, false},
    {AMD_V_INTERP_P10_RTZ_F16_F32, 1, true, true, false, true},
    {AMD_V_INTERP_P2_RTZ_F16_F32, 2, false, true, true, true},
};

static float
source(const emu_wave *w, const emu_inst *i, uint32_t k, uint32_t l, bool half)
{
    uint32_t v = w->vgpr[i->in.src[k] - AMD_REG_VGPR0][l];
    float f = half ? amd_emu_from_half(v >> (i->in.op_sel >> k & 1 ? 16 : 0) & 0xffff)
                   : base_bits_f32(v);
    return i->in.neg >> k & 1 ? -f : f;
}

/* Rounds a double that was rounded to odd to a float, by MODE's rounding or towards zero. */
static float
narrow(const emu_wave *w, const interp_row *r, double d)
{
    bool begun = amd_emu_round_begin(r->rtz ? EMU_RTZ : w->mode & 3);
    volatile double exact = d;
    float f = (float)exact;
    amd_emu_round_end(begun);
    return f;
}

static uint32_t
one_lane(const emu_wave *w, const emu_inst *i, uint32_t l)
{
    const interp_row *r = i->op;
    uint32_t quad = l & ~3u;
    float a = source(w, i, 0, quad + r->lane, r->half), b = source(w, i, 1, l, false);
    float c = source(w, i, 2, r->p0 ? quad : l, r->half && r->p0);
    double d = amd_emu_fma32_odd(a, b, c);
    if (i->in.clamp)
        d = d > 0 ? (d < 1 ? d : 1) : 0;
    if (!r->f16)
        return base_f32_bits(narrow(w, r, d));
    uint32_t old = w->vgpr[i->in.dst[0] - AMD_REG_VGPR0][l];
    uint32_t h = amd_emu_to_half(d, r->rtz ? EMU_RTZ : w->mode >> 2 & 3);
    return i->in.op_sel & 8 ? (old & 0xffff) | h << 16 : (old & 0xffff0000) | h;
}

/* Lanes in which a source is undefined. */
static uint64_t
undefined_lanes(const emu_wave *w, const emu_inst *i)
{
    const interp_row *r = i->op;
    uint64_t u[3], bad = 0;
    for (uint32_t k = 0; k < 3; k++)
        u[k] = amd_emu_shadow_get(w, i->in.src[k] - AMD_REG_VGPR0, EMU_BYTES_ALL);
    for (uint32_t l = 0; l < w->lanes; l++) {
        uint32_t quad = l & ~3u, third = r->p0 ? quad : l;
        uint64_t any = u[0] >> (quad + r->lane) | u[1] >> l | u[2] >> third;
        bad |= (any & 1) << l;
    }
    return bad;
}

static void
interpolate(emu_wave *w, const emu_inst *i)
{
    const interp_row *r = i->op;
    uint32_t reg = i->in.dst[0] - AMD_REG_VGPR0, result[EMU_LANES];
    uint64_t exec = amd_emu_exec(w), bad = w->shadow ? undefined_lanes(w, i) : 0;
    for (uint64_t left = exec; left; left &= left - 1)
        result[base_ctz64(left)] = one_lane(w, i, base_ctz64(left));
    for (uint64_t left = exec; left; left &= left - 1)
        w->vgpr[reg][base_ctz64(left)] = result[base_ctz64(left)];
    uint32_t bytes = !r->f16 ? EMU_BYTES_ALL : i->in.op_sel & 8 ? EMU_BYTES_HIGH : EMU_BYTES_LOW;
    if (w->shadow)
        amd_emu_shadow_set(w, reg, bytes, exec, bad);
    w->lane_instructions += base_popcount64(exec);
}

bool
amd_emu_bind_vinterp(emu_inst *i)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].op == i->in.op) {
            i->op = &rows[k];
            i->run = interpolate;
            return true;
        }
    }
    return false;
}
