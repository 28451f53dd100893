/* bary.f: a varying at a place of the primitive; flat.b, ldlv: that of the provoking vertex.
 *
 * The first source is the place of the component among the varyings, the second one of bary.f two
 * registers with the weights of vertices 1 and 2. Source: Mesa's ir3_compiler_nir (how drivers use
 * them); the sum is rounded once. */
#include "adreno/emu/graphics/graphics.h"

#include "adreno/emu/alu/alu.h"
#include "base/fp.h"

/* One execution: repetition `step` in a fibre. */
typedef struct execution {
    adreno_wave *w;
    const adreno_inst *in;
    unsigned fibre, step;
} execution;

static int64_t
register_of(const execution *e, unsigned source)
{
    static const adreno_field flags[] = {ADRENO_F_r1, ADRENO_F_r2};
    const adreno_source s = adreno_source_of(e->w->isa, e->in, source);
    const bool moves_on = e->in->f[ADRENO_F_repeat] && e->in->f[flags[source]];
    return s.value + (moves_on ? (int64_t)e->step : 0);
}

/* The place among the varyings; a register may have it. */
static uint32_t
place_of(const execution *e)
{
    if (e->in->op == ADRENO_LDLV)
        return e->in->f[ADRENO_F_off] + e->step;
    const adreno_source s = adreno_source_of(e->w->isa, e->in, 0);
    const int64_t value = register_of(e, 0);
    if (s.kind != ADRENO_S_REG)
        return (uint32_t)value;
    adreno_need_value(e->w, e->fibre, value, false, "the place of a varying");
    return adreno_wave_read(e->w, e->fibre, value, false);
}

static float
interpolate(const execution *e, const adreno_varying *v, bool *defined)
{
    double p[3], ij[2];
    const int64_t weights = register_of(e, 1);
    for (unsigned k = 0; k < 3; k++)
        p[k] = (double)base_bits_f32(v->vertex[k]);
    for (unsigned k = 0; k < 2; k++) {
        *defined &= adreno_wave_is_defined(e->w, e->fibre, weights + k, false);
        ij[k] = (double)base_bits_f32(adreno_wave_read(e->w, e->fibre, weights + k, false));
    }
    return (float)(p[0] + ij[0] * (p[1] - p[0]) + ij[1] * (p[2] - p[0]));
}

static uint32_t
saturated(const adreno_inst *in, uint32_t bits)
{
    const float x = base_bits_f32(bits);
    if (!in->f[ADRENO_F_sat])
        return bits;
    return base_f32_bits(x >= 1 ? 1.0f : x > 0 ? x : 0.0f);
}

static void
execute_once(const execution *e)
{
    const adreno_varyings *v = e->w->varyings;
    const uint32_t place = place_of(e);
    const bool half = e->in->op == ADRENO_LDLV ? adreno_is_half_type(e->in->f[ADRENO_F_type])
                                               : adreno_is_half(e->in, ADRENO_BY_DST);
    bool flat = e->in->op != ADRENO_BARY_F;
    const int64_t dst = (int64_t)e->in->f[ADRENO_F_dst] + e->step;
    uint32_t bits = 0;
    bool defined = place < v->n;
    if (!defined)
        adreno_find(e->w, ADRENO_RULE_VARYING, (int)e->fibre, "place %u, of %u", place, v->n);
    if (defined) {
        const adreno_varying *x = &v->place[e->fibre / 4][place];
        const unsigned kind = v->kind[place];
        defined = x->defined;
        flat |= kind == ADRENO_PLACE_PROVOKING;
        bits = kind >= ADRENO_PLACE_POINT_X
                   ? base_f32_bits(v->point[e->fibre][kind - ADRENO_PLACE_POINT_X])
               : flat ? x->vertex[0]
                      : saturated(e->in, base_f32_bits(interpolate(e, x, &defined)));
    }
    if (half)
        bits = flat ? bits & 0xffff : base_f64_to_f16((double)base_bits_f32(bits), BASE_ROUND_EVEN);
    adreno_wave_write(e->w, e->fibre, dst, half, bits);
    adreno_wave_define(e->w, e->fibre, dst, half, defined);
}

bool
adreno_execute_varying(adreno_wave *w, const adreno_inst *in)
{
    if (in->op != ADRENO_BARY_F && in->op != ADRENO_FLAT_B && in->op != ADRENO_LDLV)
        return false;
    if (!w->varyings) {
        adreno_stop(w, MACH_RUN_BAD_CODE, "a shader that is no fragment shader reads a varying");
        return true;
    }
    if (w->inputs_ended)
        adreno_find(w, ADRENO_RULE_INPUT_ENDED, -1, "(ei) has been executed before");
    execution e = {.w = w, .in = in};
    const unsigned steps = in->op == ADRENO_LDLV ? in->f[ADRENO_F_size]
                                                 : in->f[ADRENO_F_repeat] + 1;
    for (e.step = 0; e.step < steps; e.step++)
        for (e.fibre = 0; e.fibre < w->n_fibres; e.fibre++)
            if (adreno_wave_is_active(w, e.fibre))
                execute_once(&e);
    w->inputs_ended |= in->f[ADRENO_F_ei] != 0;
    return true;
}
