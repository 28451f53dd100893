/* Addresses of scalar memory instructions, for loads, stores and atomics. */
#ifndef AMD_EMU_SMEM_H
#define AMD_EMU_SMEM_H

#include "amd/emu/core/wave.h"

/* The address of an instruction, computed from its operands. */
typedef struct emu_scalar_place {
    uint64_t base; /* the address, or the buffer's address */
    uint64_t at;   /* offset from it */
    uint64_t size; /* the buffer's size; UINT64_MAX without a buffer */
} emu_scalar_place;

emu_scalar_place
amd_emu_scalar_source(emu_wave *w, const emu_inst *i);

/* The address of dword `k`; false where it is beyond the buffer. */
bool
amd_emu_scalar_address(const emu_scalar_place *p, uint32_t k, uint64_t *address);

/* Writes a loaded dword and its undefined bytes to an SGPR. */
void
amd_emu_scalar_loaded(emu_wave *w, uint32_t code, uint32_t v, uint32_t undefined);

#endif
