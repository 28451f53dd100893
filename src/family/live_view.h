/* The live-register view: columns beside a listing, as comments.
 *
 *     v_add_f32_e32 v3, v1, v2              //   12 |  7  4 | :: v^ | :vv^
 *
 * There is a column for each register of a bank up to the highest one that the code uses: ':' live,
 * 'v' read, '^' written, 'x' both, blank: not live, and so free. Before the columns stand the
 * number of the instruction and the pressure: the registers of each bank that the instruction needs
 * at a time, which is the larger of those live before it and those live or written behind it.
 */
#ifndef FAMILY_LIVE_VIEW_H
#define FAMILY_LIVE_VIEW_H

#include "family/liveness.h"

typedef struct family_live_bank {
    const family_bank *bank;
    uint32_t used;      /* one more than the highest register of the code */
    uint32_t most;      /* the largest pressure */
    uint32_t at, times; /* the first instruction that has it, and how many have it */
} family_live_bank;

typedef struct family_live_view {
    const family_liveness *liveness;
    uint32_t n_banks;
    family_live_bank banks[FAMILY_MAX_BANKS];
    uint32_t *pressure; /* n_banks for each instruction */
    bool is_complete;   /* there are no calls or computed jumps, at which everything is live */
    uint32_t since;     /* rows printed since the last ruler */
} family_live_view;

/* Makes the view of a listing that has labels, in `a`. */
family_live_view *
family_live_view_of(arena *a, arena *scratch, const family_listing *l);

/* Appends the legend and the maxima as comments. `figures` of the shader may be NULL. */
void
family_live_print_head(const family_live_view *v, const family_figures *figures, base_buf *out);

/* Appends the columns of the instruction at byte `at` to a line of `width` characters. */
void
family_live_print_row(family_live_view *v, size_t at, size_t width, base_buf *out);

/* Appends the ruler, a line of its own, if it is time for one. */
void
family_live_print_ruler(family_live_view *v, base_buf *out);

#endif
