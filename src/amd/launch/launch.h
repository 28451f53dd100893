/* Launches shaders on the emulator as a driver does, and kernels as a ROCm runtime does. */
#ifndef AMD_LAUNCH_LAUNCH_H
#define AMD_LAUNCH_LAUNCH_H

#include "amd/emu/run/load.h"
#include "amd/target/target_id.h"

/* The family's emulator. */
extern const family_emulator amd_family_emulator;

/* Makes a dispatch of the emulator with the parts common to all launches, in `a`. */
amd_emu_dispatch *
amd_new_dispatch(arena *a, const family_target *t, const family_dispatch *d);

/* Notes how many waves of the code a SIMD holds, for the time of a watched dispatch. Everything
 * else of `d` is set. */
void
amd_note_occupancy(amd_emu_dispatch *d, const family_target *t, const obj_code *code);

/* family_emulator.launch_shader. */
family_launch
amd_launch_shader(const ir_ctx *c, mach_memory *m, const family_target *t, const family_dispatch *d,
                  const family_shader *shader);

/* family_emulator.draw. */
bool
amd_launch_draw(const ir_ctx *c, mach_memory *m, const family_target *t, const family_draw *draw,
                mach_report *report);

/* Writes the code object of a shader of the hsa ABI, reads it back, loads it into `m`, and sets up
 * the dispatch using only information in the object: registers, and kernel arguments by name.
 * `sets` are the addresses of the descriptor sets. `d` must contain the sizes of grid and group.
 * Returns false if memory is exhausted. Fails as amd_obj_write and amd_obj_read do. */
typedef struct amd_hsa_arguments {
    const uint64_t *sets;
    uint32_t set_count;
    const uint8_t *push;
    uint32_t push_size; /* in bytes */
} amd_hsa_arguments;

bool
amd_launch_hsa(const ir_ctx *c, const obj_code *made, const amd_hsa_arguments *args, mach_memory *m,
               amd_emu_dispatch *d);

#endif
