/* Launches on the emulator: shaders as turnip does, and texts as computerator does. */
#ifndef ADRENO_LAUNCH_LAUNCH_H
#define ADRENO_LAUNCH_LAUNCH_H

#include "adreno/adreno.h"
#include "adreno/emu/emu.h"

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
    const adreno_program *program;
    adreno_dispatch *dispatch;
    uint32_t *consts; /* the dispatch's, of which the first are the caller's */
} adreno_launch;

/* Puts the shader's code and descriptor sets into memory, and makes a dispatch with them, its
 * constants, and what its program needs. Returns UINT32_MAX, or the number of a resource that has
 * no descriptor. */
uint32_t
adreno_put_shader(adreno_launch *l, const family_target *t, const family_dispatch *d);

/* family_emulator.draw. */
bool
adreno_launch_draw(const ir_ctx *c, mach_memory *m, const family_target *t, const family_draw *draw,
                   mach_report *report);

/* family_emulator.launch_text. */
family_launch
adreno_launch_text(const ir_ctx *c, mach_memory *m, const family_assembly *job,
                   const family_dispatch *d, family_text_buffers *out);

#endif
