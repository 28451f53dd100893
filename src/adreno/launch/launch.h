/* Launches on the emulator: shaders as turnip does, and texts as computerator does. */
#ifndef ADRENO_LAUNCH_LAUNCH_H
#define ADRENO_LAUNCH_LAUNCH_H

#include "adreno/emu/emu.h"
#include "family/family.h"

/* The family's emulator. */
extern const family_emulator adreno_family_emulator;

/* A dispatch with the parts common to all launches, in `a`. */
adreno_dispatch *
adreno_new_dispatch(arena *a, const family_target *t, const family_dispatch *d);

/* A shader that is put into memory. */
typedef struct adreno_launch {
    const ir_ctx *c;
    mach_memory *memory;
    const family_shader *shader;
} adreno_launch;

/* Puts the shader's code and descriptor sets into memory, and completes `out` with them, its
 * constants, and what its program needs. Returns the constants, of which the first are the
 * caller's, or NULL; `wrong` is then the number of a resource that has no descriptor. */
uint32_t *
adreno_put_shader(const adreno_launch *launch, adreno_dispatch *out, uint32_t *wrong);

/* family_emulator.draw. */
bool
adreno_launch_draw(const ir_ctx *c, mach_memory *m, const family_target *t, const family_draw *draw,
                   mach_report *report);

/* family_emulator.launch_shader. */
family_launch
adreno_launch_shader(const ir_ctx *c, mach_memory *m, const family_target *t,
                     const family_dispatch *d, const family_shader *shader);

/* family_emulator.launch_text. */
family_launch
adreno_launch_text(const ir_ctx *c, mach_memory *m, const family_assembly *job,
                   const family_dispatch *d, family_text_buffers *out);

#endif
