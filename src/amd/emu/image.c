/* Image instructions (MIMG). */
#include "amd/emu/wave.h"

bool
emu_bind_image(emu_inst *i)
{
    (void)i;
    return false;
}
