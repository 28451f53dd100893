/* Addresses of DS instructions, which LDS and GDS share.
 *
 * GDS has its own aperture. m0 holds the base (31:16) and size (15:0) of the part that an
 * instruction may access; on gfx6 to gfx8 its bits 16:0 limit LDS too (ISA guides, "Data Share
 * Indexed and Atomic Access").
 */
#ifndef AMD_EMU_DS_H
#define AMD_EMU_DS_H

#include "amd/emu/mem/access.h"

/* The flat address of byte `at` of LDS or, with the gds bit, of the instruction's part of GDS.
 * False if the `size` bytes there are beyond the hardware's limit: loads return 0 and stores are
 * dropped. */
bool
amd_emu_ds_address(const emu_wave *w, const emu_inst *i, uint32_t at, uint32_t size,
                   uint64_t *address);

#endif
