/* Formatted buffer loads and stores: MTBUF, and MUBUF's *_FORMAT_*. */
#include "amd/emu/buffer.h"

bool
emu_bind_format(emu_inst *i)
{
    (void)i;
    return false;
}
