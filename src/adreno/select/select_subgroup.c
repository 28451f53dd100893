/* Subgroup operations. */
#include "adreno/select/select.h"

bool
adreno_select_subgroup(adreno_sel *s, const ir_instr *i)
{
    (void)s;
    (void)i;
    return false;
}
