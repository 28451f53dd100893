/* Operations of category 1 that move several registers, or between fibres. */
#include "adreno/emu/alu/alu.h"

typedef struct moved_value {
    uint32_t value;
    bool defined;
} moved_value;

/* What a move reads: the bits of a register or constant, and whether they have a value. */
static uint32_t
moved(const adreno_wave *w, const adreno_inst *in, unsigned fibre, unsigned reg)
{
    return adreno_convert(in, adreno_wave_read(w, fibre, reg, adreno_is_half(in, ADRENO_BY_STYPE)));
}

static void
put(adreno_wave *w, const adreno_inst *in, unsigned fibre, unsigned reg, moved_value v)
{
    const bool half = adreno_is_half(in, ADRENO_BY_DTYPE);
    adreno_wave_write(w, fibre, reg, half, v.value);
    adreno_wave_define(w, fibre, reg, half, v.defined);
}

/* Sources are read before the results arrive, so that swz can swap. */
static void
move_several(adreno_wave *w, const adreno_inst *in)
{
    static const adreno_field srcs[] = {ADRENO_F_src, ADRENO_F_src1, ADRENO_F_src2, ADRENO_F_src3};
    static const adreno_field dsts[] = {ADRENO_F_dst, ADRENO_F_dst1, ADRENO_F_dst2, ADRENO_F_dst3};
    const bool half = adreno_is_half(in, ADRENO_BY_STYPE);
    const unsigned n = in->op == ADRENO_SWZ ? 2 : 4;
    ADRENO_FOREACH_FIBRE(f, w) {
        uint32_t value[4];
        bool defined[4];
        for (unsigned i = 0; i < n; i++) {
            const unsigned src = in->f[in->op == ADRENO_SCT ? ADRENO_F_src : srcs[i]] +
                                 (in->op == ADRENO_SCT ? i : 0);
            value[i] = moved(w, in, f, src);
            defined[i] = adreno_wave_is_defined(w, f, src, half);
        }
        for (unsigned i = 0; i < n; i++) {
            const unsigned dst = in->op == ADRENO_GAT             ? in->f[ADRENO_F_dst] + i
                                 : in->op == ADRENO_SWZ && i == 1 ? in->f[ADRENO_F_dst2]
                                                                  : in->f[dsts[i]];
            put(w, in, f, dst, (moved_value){value[i], defined[i]});
        }
    }
}

/* The value in one fibre, for all. */
static void
move_from_lane(adreno_wave *w, const adreno_inst *in)
{
    const bool half = adreno_is_half(in, ADRENO_BY_STYPE);
    const unsigned first = adreno_wave_first(w);
    const uint32_t lane = in->f[ADRENO_F_lane] & 0x80
                              ? adreno_wave_read(w, first, ADRENO_NUMBER_A0, true)
                              : in->f[ADRENO_F_lane];
    if (first >= w->n_fibres)
        return;
    const unsigned from = lane % w->n_fibres, src = in->f[ADRENO_F_src];
    const uint32_t value = moved(w, in, from, src);
    const bool defined = adreno_wave_is_defined(w, from, src, half);
    ADRENO_FOREACH_FIBRE(f, w)
        put(w, in, f, in->f[ADRENO_F_dst], (moved_value){value, defined});
}

/* The mask of the active fibres, in full registers. */
static void
move_mask(adreno_wave *w, const adreno_inst *in)
{
    for (unsigned i = 0; i <= in->f[ADRENO_F_width]; i++) {
        const uint32_t mask = i < 2 * ADRENO_FIBRE_WORDS
                                  ? (uint32_t)(w->active[i / 2] >> 32 * (i % 2))
                                  : 0;
        ADRENO_FOREACH_FIBRE(f, w) {
            adreno_wave_write(w, f, in->f[ADRENO_F_dst] + i, false, mask);
            adreno_wave_define(w, f, in->f[ADRENO_F_dst] + i, false, true);
        }
    }
}

bool
adreno_execute_move(adreno_wave *w, const adreno_inst *in)
{
    switch (in->op) {
    case ADRENO_SWZ:
    case ADRENO_GAT:
    case ADRENO_SCT: move_several(w, in); return true;
    case ADRENO_MOVS: move_from_lane(w, in); return true;
    case ADRENO_MOVMSK: move_mask(w, in); return true;
    default: return false;
    }
}
