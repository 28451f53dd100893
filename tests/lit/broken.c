/* A pass that is wrong on purpose: opt_relax_float, which also turns the second integer product
 * into a sum. The linker puts it in place of the pass (--wrap) in the program that tests of bisect
 * and reduce run. */
#include "opt/opt.h"

bool
__real_opt_relax_float(ir_fn *f);
bool
__wrap_opt_relax_float(ir_fn *f);

bool
__wrap_opt_relax_float(ir_fn *f)
{
    bool changed = __real_opt_relax_float(f);
    unsigned n = 0;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (i->op != IR_imul || !ir_may_change(f->ctx) || ++n != 2)
                continue;
            i->op = IR_iadd;
            ir_note_op(f, IR_iadd);
            changed = true;
        }
    }
    return changed;
}
