/* shfl: values of other fibres. */
#include "adreno/emu/mem/mem.h"

enum { SHFL_XOR = 1, SHFL_UP, SHFL_DOWN, SHFL_RUP = 6, SHFL_RDOWN };

/* The fibre that `fibre` reads; n_fibres if there is none. */
static unsigned
source_of(const adreno_wave *w, const adreno_inst *in, unsigned fibre, uint32_t by)
{
    const unsigned n = w->n_fibres;
    unsigned from = n;
    switch (in->f[ADRENO_F_mode]) {
    case SHFL_XOR: from = fibre ^ by; break;
    case SHFL_UP: from = fibre >= by ? fibre - by : n; break;
    case SHFL_DOWN: from = by < n ? fibre + by : n; break;
    case SHFL_RUP: from = (fibre - by) % n; break;
    case SHFL_RDOWN: from = (fibre + by) % n; break;
    default: break;
    }
    return from < n ? from : n;
}

static void
shuffle(adreno_wave *w, const adreno_inst *in)
{
    const bool half = adreno_is_half_type(in->f[ADRENO_F_type]);
    const unsigned src = in->f[ADRENO_F_src1], dst = in->f[ADRENO_F_dst];
    uint32_t value[ADRENO_MAX_FIBRES];
    bool defined[ADRENO_MAX_FIBRES];
    ADRENO_FOREACH_FIBRE(f, w) {
        const uint32_t by = adreno_number_or_reg(w, f, in->f[ADRENO_F_src2], in->f[ADRENO_F_im2],
                                                 "the distance");
        const unsigned from = source_of(w, in, f, by);
        const bool has_value = from < w->n_fibres && adreno_wave_is_active(w, from);
        value[f] = has_value ? adreno_wave_read(w, from, src, half) : 0;
        defined[f] = has_value && adreno_wave_is_defined(w, from, src, half);
    }
    ADRENO_FOREACH_FIBRE(f, w) {
        adreno_wave_write(w, f, dst, half, value[f]);
        adreno_wave_define(w, f, dst, half, defined[f]);
    }
}

bool
adreno_execute_exchange(adreno_wave *w, const adreno_inst *in)
{
    if (in->op != ADRENO_SHFL)
        return false;
    shuffle(w, in);
    return true;
}
