/* Selection of image operations. */
#include "amd/select_memory.h"

bool
sel_image(sel *s, const ir_instr *i)
{
    (void)s;
    (void)i;
    return false;
}
