/* The registers of a draw's fixed functions (internal to src/amd/launch). */
#ifndef AMD_LAUNCH_DRAW_H
#define AMD_LAUNCH_DRAW_H

#include "amd/amd.h"
#include "amd/registers/registers.h"
#include "base/bits.h"
#include "family/family.h"

/* Sets a field of the register, or of the one `dwords` behind it; generations that lack it have
 * another way to say it. */
static inline void
amd_draw_set(amd_hw_registers *f, amd_hw_field field, uint32_t v)
{
    amd_hw_set_register_field(f, field, 0, v);
}

/* Assembly, viewports, clipping, faces, samples (draw_state.c). */
void
amd_draw_write_state(amd_hw_registers *f, const amd_target *t, const family_draw *d);

/* Tests, blending, attachments (draw_targets.c). Returns NULL, or what the hardware cannot do. */
const char *
amd_draw_write_targets(amd_hw_registers *f, const amd_target *t, const family_draw *d);

/* The record of a location whose vertex input is dynamic state; what is not there is left 0
 * (draw_attributes.c). Returns NULL, or what the hardware cannot do. */
enum { AMD_DRAW_RECORD_WORDS = 8 };
const char *
amd_draw_describe_attribute(const amd_target *t, const family_draw *d, uint32_t location,
                            uint32_t words[AMD_DRAW_RECORD_WORDS]);

#endif
