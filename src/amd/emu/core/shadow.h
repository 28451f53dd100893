/* The shadow state of the *undefined* checker: the bits of a wave's registers that hold no defined
 * value.
 *
 * VGPRs are tracked per byte, with four lane masks each. SGPRs, vcc, exec and m0 are tracked per
 * bit, because wave masks are built bit by bit. A set bit means undefined.
 */
#ifndef AMD_EMU_SHADOW_H
#define AMD_EMU_SHADOW_H

#include "amd/emu/core/wave.h"

/* A page of scratch memory is EMU_SCRATCH_PAGE bytes: emu_machine.scratch_stored. */
enum { EMU_SCRATCH_PAGE = 4096 };

/* A set of bytes of a register. */
enum { EMU_BYTES_LOW = 3, EMU_BYTES_HIGH = 12, EMU_BYTES_ALL = 15 };

/* Two VGPRs or halves that are being exchanged by exclusive or (check/undefined_exchange.c). */
typedef struct emu_exchange {
    uint32_t steps; /* done; 0: there is none */
    uint32_t reg[2], shift[2], mask;
    uint64_t exec;
    uint64_t undefined[2][4];     /* lanes by byte, before the first step */
    uint32_t value[2][EMU_LANES]; /* that the registers have now */
} emu_exchange;

enum { EMU_EXCHANGES = 32 }; /* that may overlap */

typedef struct emu_exchanges {
    emu_exchange at[EMU_EXCHANGES];
    uint32_t next; /* is forgotten first */
} emu_exchanges;

typedef struct emu_shadow {
    uint64_t v[EMU_MAX_VGPRS + 16][4]; /* lanes where byte 0 to 3 of the register is undefined */
    uint32_t s[EMU_SREGS + 16];
    bool scc, flat_scratch;
    emu_exchanges exchanges;
} emu_shadow;

/* At a wave's start `vectors` VGPRs in the lanes of exec are defined, and no SGPR; SGPRs are
 * declared defined one by one. */
void
amd_emu_shadow_start(emu_wave *w, uint32_t vectors, uint64_t exec);
void
amd_emu_shadow_define(emu_wave *w, uint32_t code, uint32_t count);

/* Lanes in which any byte of `bytes` in VGPR `reg` is undefined. */
static inline uint64_t
amd_emu_shadow_get(const emu_wave *w, uint32_t reg, uint32_t bytes)
{
    const uint64_t *v = w->shadow->v[reg];
    uint64_t u = 0;
    for (uint32_t k = 0; k < 4; k++)
        u |= bytes >> k & 1 ? v[k] : 0;
    return u;
}

/* Records that the lanes of `written` got new values in these bytes, undefined in the lanes of
 * `undefined`. */
static inline void
amd_emu_shadow_set(emu_wave *w, uint32_t reg, uint32_t bytes, uint64_t written, uint64_t undefined)
{
    uint64_t *v = w->shadow->v[reg];
    for (uint32_t k = 0; k < 4; k++)
        if (bytes >> k & 1)
            v[k] = (v[k] & ~written) | (undefined & written);
}

/* Reports a finding if one of `bytes` of VGPR `reg` is undefined in one of `lanes`; `what` names
 * its use. These bytes then count as defined, so that one cause makes one finding. */
void
amd_emu_shadow_use_bytes(emu_wave *w, uint32_t reg, uint32_t bytes, uint64_t lanes,
                         const char *what);

static inline void
amd_emu_shadow_use(emu_wave *w, uint32_t reg, uint64_t lanes, const char *what)
{
    amd_emu_shadow_use_bytes(w, reg, EMU_BYTES_ALL, lanes, what);
}

/* The same for `count` SGPRs from operand code `code` (constants are defined). */
void
amd_emu_shadow_use_scalar(emu_wave *w, uint32_t code, uint32_t count, const char *what);

/* Undefined bits of a scalar source of one or two registers; constants have none. */
uint64_t
amd_emu_shadow_bits(const emu_wave *w, uint32_t code, bool wide);

/* Sets the undefined bits of a scalar result; reports a finding if it is exec and they include
 * lanes of the wave. */
void
amd_emu_shadow_set_scalar(emu_wave *w, uint32_t code, bool wide, uint64_t undefined);

#endif
