/* What chips before Evergreen lack, and what demotes mean for questions about helpers: behind the
 * pipeline, because it depends on the chip. */
#include "ir/pass.h"
#include "opt/cube_gradients.h"
#include "opt/expand.h"
#include "opt/lower.h"
#include "opt/lower_helper.h"
#include "r600/lower/lower.h"

/* The builder makes signed parts of the shifts that they would be: selection makes these. */
static ir_ref
lower_bits(ir_builder *b, const ir_instr *i)
{
    if (!ir_has_flag(i, IR_OP_ALU) || i->op == IR_isign || i->op == IR_extract_i8 ||
        i->op == IR_extract_i16)
        return ir_none();
    const ir_ref r = opt_expand_bits(b, i);
    return r.kind == IR_REF_NONE ? opt_expand_count(b, i) : r;
}

void
r600_lower_chip(ir_fn *f, const r600_chip *chip)
{
    opt_lower_cube_gradients(f);
    if (f->shader.stage == IR_STAGE_FRAGMENT) {
        ir_require(f, IR_HAS_DOMINANCE);
        opt_lower_helper(f);
    }
    if (chip->gen <= R600_GEN_R700)
        opt_lower(f, lower_bits);
}
