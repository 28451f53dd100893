/* Exchanges in clusters and quads of neighbouring fibres.
 *
 * brcst.active.wN: in each cluster of N the fibres of the upper half get the value of the last
 * active one of the lower half, as turnip's scans need. */
#include "adreno/emu/image/image.h"

typedef struct values {
    uint32_t value[ADRENO_MAX_FIBRES];
    bool defined[ADRENO_MAX_FIBRES], is_set[ADRENO_MAX_FIBRES];
} values;

static void
take(const adreno_wave *w, const adreno_inst *in, values *v, unsigned to, unsigned from)
{
    const bool half = !in->f[ADRENO_F_full];
    const unsigned src = in->f[ADRENO_F_src1];
    v->is_set[to] = true;
    v->value[to] = adreno_wave_read(w, from, src, half);
    v->defined[to] = adreno_wave_is_defined(w, from, src, half) && adreno_wave_is_active(w, from);
}

static void
give(adreno_wave *w, const adreno_inst *in, const values *v)
{
    const bool half = adreno_is_half_type(in->f[ADRENO_F_type]);
    ADRENO_FOREACH_FIBRE(f, w) {
        if (!v->is_set[f])
            continue;
        adreno_wave_write(w, f, in->f[ADRENO_F_dst], half, v->value[f]);
        adreno_wave_define(w, f, in->f[ADRENO_F_dst], half, v->defined[f]);
    }
}

static void
broadcast(const adreno_wave *w, const adreno_inst *in, values *v)
{
    const unsigned size = 2u << in->f[ADRENO_F_lanes];
    ADRENO_FOREACH_FIBRE(f, w) {
        const unsigned first = f / size * size, middle = first + size / 2;
        unsigned from = middle;
        while (from > first && !adreno_wave_is_active(w, from - 1))
            from--;
        if (f >= middle && from > first)
            take(w, in, v, f, from - 1);
    }
}

static unsigned
quad_source(adreno_wave *w, const adreno_inst *in, unsigned fibre)
{
    const unsigned first = fibre / 4 * 4;
    switch (in->op) {
    case ADRENO_QUAD_SHUFFLE_HORIZ: return fibre ^ 1;
    case ADRENO_QUAD_SHUFFLE_VERT: return fibre ^ 2;
    case ADRENO_QUAD_SHUFFLE_DIAG: return fibre ^ 3;
    default:
        return first +
               (adreno_wave_read(w, fibre, in->f[ADRENO_F_src2], !in->f[ADRENO_F_full]) & 3);
    }
}

bool
adreno_execute_cluster(adreno_wave *w, const adreno_inst *in)
{
    values v = {0};
    switch (in->op) {
    case ADRENO_BRCST_ACTIVE: broadcast(w, in, &v); break;
    case ADRENO_QUAD_SHUFFLE_BRCST:
    case ADRENO_QUAD_SHUFFLE_HORIZ:
    case ADRENO_QUAD_SHUFFLE_VERT:
    case ADRENO_QUAD_SHUFFLE_DIAG:
        ADRENO_FOREACH_FIBRE(f, w)
            take(w, in, &v, f, quad_source(w, in, f));
        break;
    default: return false;
    }
    give(w, in, &v);
    return true;
}
