/* Loads code objects and sets up dispatches from them, for both ABIs.
 *
 * Steps: amd_emu_load copies the file's segments into memory; amd_emu_set_up decodes a kernel's
 * register words (counts, MODE, system SGPRs); then the user SGPRs are filled: for hsa by
 * amd_emu_set_up_hsa, for vulkan by the caller.
 */
#ifndef AMD_EMU_LOAD_H
#define AMD_EMU_LOAD_H

#include "amd/emu/emu.h"
#include "amd/object/object.h"

/* Copies the segments of `file` into one region of `m` and applies its relocations; `*base` gets
 * the address of the file's address 0. False if there is no room. */
bool
amd_emu_load(mach_memory *m, const obj_file *file, uint64_t *base);

/* Fills register counts of `*d` alone; as below. */
void
amd_emu_set_counts(amd_emu_dispatch *d, const uint32_t rsrc[3]);

/* Fills register counts, MODE, system SGPRs and the number of user SGPRs of `*d` from the words of
 * COMPUTE_PGM_RSRC1 to 3; its generation and wave size must be set. */
void
amd_emu_set_words(amd_emu_dispatch *d, const uint32_t rsrc[3]);

/* Fills entry, wave size, register counts, LDS and scratch sizes, MODE, system SGPRs and the number
 * of user SGPRs of `*d` from the kernel; grid sizes, checks, seed and limits are left as they are.
 * False if the emulator does not know the kernel's target. */
bool
amd_emu_set_up(amd_emu_dispatch *d, const obj_code *kernel, uint64_t base);

/* For hsa kernels: allocates the kernarg segment, copies `args` into it (`size` bytes, the explicit
 * arguments in the metadata's layout), fills the hidden arguments of code objects v3 to v5 from d's
 * group and grid sizes, and fills all user SGPRs. LDS and scratch sizes of `d` above the kernel's
 * own are dynamic memory. d->group_size and d->grid_groups must be set. False if there is no
 * room. */
bool
amd_emu_set_up_hsa(amd_emu_dispatch *d, const obj_code *kernel, mach_memory *m, const void *args,
                   size_t size);

#endif
