/* Memory instructions, for the loop and the checkers.
 *
 * A binder sets `run` and `op` of an instruction whose `in` and `row` are set. It returns false if
 * the instruction is not its own.
 */
#ifndef AMD_EMU_MEM_H
#define AMD_EMU_MEM_H

#include "amd/emu/core/wave.h"

bool
amd_emu_bind_smem(emu_inst *i);
bool
amd_emu_bind_smem_write(emu_inst *i);
bool
amd_emu_bind_ds(emu_inst *i);
bool
amd_emu_bind_ds_src2(emu_inst *i);
bool
amd_emu_bind_gds(emu_inst *i);
bool
amd_emu_bind_buffer(emu_inst *i);
bool
amd_emu_bind_format(emu_inst *i);
bool
amd_emu_bind_flat(emu_inst *i);

/* The memories that the lanes of a flat_* instruction address (flat.c), as bits. */
enum { EMU_SPACE_VECTOR = 1, EMU_SPACE_LDS = 2 };
uint32_t
amd_emu_flat_spaces(const emu_wave *w, const emu_inst *i);

#endif
