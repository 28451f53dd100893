/* Images and textures. */
#include "adreno/select/select.h"

bool
adreno_select_image(adreno_sel *s, const ir_instr *i)
{
    (void)s;
    (void)i;
    return false;
}
