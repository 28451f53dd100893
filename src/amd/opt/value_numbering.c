/* value_numbering: one of several equal instructions that selection made stays.
 *
 *     v1: %4 = v_lshlrev_b32 2, %1
 *     ...                              ->    v1: %4 = v_lshlrev_b32 2, %1
 *     v1: %7 = v_lshlrev_b32 2, %1           (%4 for %7)
 *
 * HIR's values are numbered already; these are addresses, vectors, constants in registers and
 * operands of another size. exec is not in the program yet. A VGPR of a dominating block holds the
 * values of more lanes, except behind a loop that lanes leave one by one; a lane mask or a value
 * that depends on other lanes is the same only where no lane came or went in between. These rules
 * and the algorithm are in cg/value_numbering.c.
 *
 * HEDDLE_DEBUG=novn leaves it out.
 */
#include "cg/value_numbering.h"
#include "amd/amd.h"

void
amd_value_numbering(ir_fn *f)
{
    if (!(amd_prog(f)->debug & AMD_DEBUG_NO_VN))
        cg_number_values(f);
}
