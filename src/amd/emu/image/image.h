/* Image instructions, for the loop.
 *
 * A binder sets `run` and `op` of an instruction whose `in` and `row` are set. It returns false if
 * the instruction is not its own.
 */
#ifndef AMD_EMU_IMAGE_H
#define AMD_EMU_IMAGE_H

#include "amd/emu/core/inst.h"

bool
amd_emu_bind_image(emu_inst *i);
bool
amd_emu_bind_bvh(emu_inst *i);

#endif
