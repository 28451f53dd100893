/* Derivatives: differences in a quad, whose fibres are left and right, then the row below. dsx and
 * dsy give the whole quad the difference of its first row and column; dsxpp.1 and dsypp.1 each row
 * and column its own, in two instructions, of which the second one, with .p, has the result
 * (OPC_DSXPP_MACRO of Mesa's ir3). Fibres that do not execute have what they had before.
 *
 * rgetpos: the place of a sample, from the pixel's centre (ir3_nir's load_sample_pos_from_id). */
#include "adreno/emu/graphics/graphics.h"

#include "base/fp.h"
#include "machine/raster/raster.h"

/* The two fibres of a quad whose difference counts for fibre `f`. */
static void
neighbours(const adreno_inst *in, unsigned f, unsigned out[2])
{
    const unsigned first = f / 4 * 4;
    switch (in->op) {
    case ADRENO_DSX: out[0] = first, out[1] = first + 1; break;
    case ADRENO_DSY: out[0] = first, out[1] = first + 2; break;
    case ADRENO_DSXPP_1: out[0] = f & ~1u, out[1] = f | 1; break;
    default: out[0] = f & ~2u, out[1] = f | 2; break;
    }
}

static uint32_t
difference(uint32_t a, uint32_t b, bool half)
{
    if (half)
        return base_f64_to_f16(base_fp_decode(b, 16) - base_fp_decode(a, 16), BASE_ROUND_EVEN);
    return base_f32_bits((float)((double)base_bits_f32(b) - (double)base_bits_f32(a)));
}

static void
derive(adreno_wave *w, const adreno_inst *in)
{
    const bool half = !in->f[ADRENO_F_full], pair = in->op != ADRENO_DSX && in->op != ADRENO_DSY;
    const unsigned src = in->f[ADRENO_F_src1], dst = in->f[ADRENO_F_dst];
    uint32_t value[ADRENO_MAX_FIBRES];
    bool defined[ADRENO_MAX_FIBRES];
    for (unsigned f = 0; f < w->n_fibres; f++) {
        unsigned n[2];
        neighbours(in, f, n);
        value[f] = difference(adreno_wave_read(w, n[0], src, half),
                              adreno_wave_read(w, n[1], src, half), half);
        defined[f] = adreno_wave_is_defined(w, n[0], src, half) &&
                     adreno_wave_is_defined(w, n[1], src, half);
    }
    ADRENO_FOREACH_FIBRE(f, w) {
        adreno_wave_write(w, f, dst, half, value[f]);
        adreno_wave_define(w, f, dst, half, defined[f] && (!pair || in->f[ADRENO_F_p]));
    }
}

static void
get_places(adreno_wave *w, const adreno_inst *in)
{
    const bool half = !in->f[ADRENO_F_full], to = adreno_is_half_type(in->f[ADRENO_F_type]);
    const unsigned samples = w->varyings ? w->varyings->samples : 1;
    const mach_sample_place *places = mach_sample_places(samples);
    ADRENO_FOREACH_FIBRE(f, w) {
        adreno_need_value(w, f, in->f[ADRENO_F_src1], half, "the number of a sample");
        const uint32_t n = adreno_wave_read(w, f, in->f[ADRENO_F_src1], half);
        const mach_sample_place *p = &places[n < samples ? n : 0];
        const double at[2] = {p->x / 16.0 - 0.5, p->y / 16.0 - 0.5};
        for (unsigned c = 0; c < 2; c++) {
            const unsigned dst = in->f[ADRENO_F_dst] + c;
            if (!(in->f[ADRENO_F_mask] >> c & 1))
                continue;
            adreno_wave_write(w, f, dst, to,
                              to ? base_f64_to_f16(at[c], BASE_ROUND_EVEN)
                                 : base_f32_bits((float)at[c]));
            adreno_wave_define(w, f, dst, to, true);
        }
    }
}

bool
adreno_execute_quad(adreno_wave *w, const adreno_inst *in)
{
    switch (in->op) {
    case ADRENO_DSX:
    case ADRENO_DSY:
    case ADRENO_DSXPP_1:
    case ADRENO_DSYPP_1: derive(w, in); return true;
    case ADRENO_RGETPOS: get_places(w, in); return true;
    default: return false;
    }
}
