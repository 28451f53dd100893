/* Loading code objects and setting dispatches up from them, for both ABIs.
 *
 * The order: amd_emu_load puts the file's segments into memory; amd_emu_set_up takes what a
 * kernel's register words say (counts, MODE, system SGPRs); then the user SGPRs are filled: for hsa
 * by amd_emu_set_up_hsa, for vulkan by the caller, with amd_emu_user for each kind.
 */
#ifndef AMD_EMU_LOAD_H
#define AMD_EMU_LOAD_H

#include "amd/emu/emu.h"
#include "object/object.h"

/* Copies the segments of `file` into one region of `m` and applies its relocations; `*base` is
 * where the file's address 0 is then. False when there is no room. */
bool
amd_emu_load(mach_memory *m, const obj_file *file, uint64_t *base);

/* Fills entry, wave size, register counts, LDS and scratch sizes, MODE, system SGPRs and the number
 * of user SGPRs of `*d` from the kernel; sizes of the grid, checks, seed and limits stay as they
 * are. False if the emulator does not know the kernel's target. */
bool
amd_emu_set_up(amd_emu_dispatch *d, const obj_code *kernel, uint64_t base);

/* The user SGPRs that hold `kind` (with this index, where the kind has one), to be filled; NULL if
 * the kernel has none.
 * `*count` gets their number; it may be NULL. */
uint32_t *
amd_emu_user(amd_emu_dispatch *d, const obj_code *kernel, obj_user_kind kind, uint32_t index,
             uint32_t *count);

/* For hsa kernels: allocates the kernarg segment, copies `args` (`size` bytes, as the metadata lays
 * out the explicit arguments) into it, fills the hidden arguments that code objects v3 to v5 name
 * from d's group and grid sizes, and all user SGPRs. LDS and scratch sizes of `d` above the
 * kernel's own are dynamic. d->group_size and d->grid_groups must be set. False when there is no
 * room. */
bool
amd_emu_set_up_hsa(amd_emu_dispatch *d, const obj_code *kernel, mach_memory *m, const void *args,
                   size_t size);

#endif
