/* Launches on the emulator. */
#ifndef R600_LAUNCH_LAUNCH_H
#define R600_LAUNCH_LAUNCH_H

#include "family/family.h"
#include "r600/emu/emu.h"
#include "r600/r600.h"

extern const family_emulator r600_family_emulator;

/* A shader that is put into memory. */
typedef struct r600_launch {
    const ir_ctx *c;
    mach_memory *memory;
    const family_shader *shader;
    const r600_program *program;
    r600_emu_dispatch *dispatch;
    mach_region *constants; /* constant buffer 0 */
    uint64_t entry;         /* of the code */
} r600_launch;

/* A dispatch with what the program and the run say. */
r600_emu_dispatch *
r600_new_dispatch(const ir_ctx *c, const family_dispatch *d, const r600_program *p);

/* Puts code, constants and resources into memory, and completes the dispatch with them. `head` are
 * the first dwords of constant buffer 0, of which the driver's are the caller's. Returns
 * UINT32_MAX, or the number of a resource that nothing can describe. */
uint32_t
r600_put_shader(r600_launch *l, uint32_t head[R600_CONST_PUSH]);

/* The words of a vertex resource: SQ_VTX_CONSTANT_WORD0_0 to WORD7_0 (AMD, Evergreen 3D register
 * reference). */
void
r600_set_resource(r600_emu_dispatch *d, uint32_t number, const r600_range *range, uint32_t stride);

/* family_emulator.draw. */
bool
r600_launch_draw(const ir_ctx *c, mach_memory *m, const family_target *t, const family_draw *draw,
                 mach_report *report);

#endif
