/* The shadow state of the *undefined* checker: which bits of a wave's registers hold no defined
 * value.
 *
 * VGPRs are tracked by halves: a mask of lanes for the low and one for the high 16 bits. SGPRs and
 * vcc, exec, m0 are tracked by bits, because wave masks are made bit by bit. Set bits mean
 * undefined.
 */
#ifndef AMD_EMU_SHADOW_H
#define AMD_EMU_SHADOW_H

#include "amd/emu/wave.h"

enum { EMU_HALF_LOW = 1, EMU_HALF_HIGH = 2, EMU_HALF_BOTH = 3 };

typedef struct emu_shadow {
    uint64_t low[EMU_MAX_VGPRS + 16], high[EMU_MAX_VGPRS + 16];
    uint32_t s[EMU_SREGS];
    bool scc;
} emu_shadow;

/* Lanes whose named halves (any of them) of VGPR `reg` are undefined. */
static inline uint64_t
emu_shadow_get(const emu_wave *w, uint32_t reg, uint32_t halves)
{
    const emu_shadow *s = w->shadow;
    return (halves & EMU_HALF_LOW ? s->low[reg] : 0) | (halves & EMU_HALF_HIGH ? s->high[reg] : 0);
}

/* The lanes of `written` got a new value in these halves, undefined in the lanes of `undefined`. */
static inline void
emu_shadow_set(emu_wave *w, uint32_t reg, uint32_t halves, uint64_t written, uint64_t undefined)
{
    emu_shadow *s = w->shadow;
    if (halves & EMU_HALF_LOW)
        s->low[reg] = (s->low[reg] & ~written) | (undefined & written);
    if (halves & EMU_HALF_HIGH)
        s->high[reg] = (s->high[reg] & ~written) | (undefined & written);
}

/* A finding if VGPR `reg` is undefined in one of `lanes`; `what` says what it decides. The register
 * counts as defined then, so that one cause makes one finding. */
void
emu_shadow_use(emu_wave *w, uint32_t reg, uint64_t lanes, const char *what);

/* The same for `count` SGPRs from operand code `code` (constants are defined). */
void
emu_shadow_use_scalar(emu_wave *w, uint32_t code, uint32_t count, const char *what);

#endif
