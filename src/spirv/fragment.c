/* What fragment shaders alone have: derivatives, the end of an invocation, helper invocations,
 * interlocks. */
#include "spirv/reader.h"

static void
need_fragment(spirv_reader *r)
{
    if (r->opt->stage != IR_STAGE_FRAGMENT)
        spirv_invalid(r, "the instruction is for fragment shaders");
}

/* ---- derivatives ---- */

static ir_ref
derivative(spirv_reader *r, ir_op op, ir_ref x)
{
    return ir_build_intr(&r->b, op, ir_ref_type(r->f, x), &x, 1);
}

static ir_ref
width(spirv_reader *r, bool fine, ir_ref x)
{
    ir_ref dx = derivative(r, fine ? IR_ddx_fine : IR_ddx_coarse, x);
    ir_ref dy = derivative(r, fine ? IR_ddy_fine : IR_ddy_coarse, x);
    ir_ref a = irb_fabs(&r->b, dx), b = irb_fabs(&r->b, dy);
    return irb_fadd(&r->b, a, b);
}

static ir_ref
one_derivative(spirv_reader *r, unsigned op, ir_ref x)
{
    switch (op) {
    case SPIRV_OpDPdx:
    case SPIRV_OpDPdxCoarse: return derivative(r, IR_ddx_coarse, x);
    case SPIRV_OpDPdy:
    case SPIRV_OpDPdyCoarse: return derivative(r, IR_ddy_coarse, x);
    case SPIRV_OpDPdxFine: return derivative(r, IR_ddx_fine, x);
    case SPIRV_OpDPdyFine: return derivative(r, IR_ddy_fine, x);
    default: return width(r, op == SPIRV_OpFwidthFine, x);
    }
}

static void
emit_derivative(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1), *c = spirv_scalar_of(t);
    if (!c || c->kind != SPIRV_FLOAT || c->bits > 32 || spirv_operand_type(r, i, 3) != t)
        spirv_invalid(r, "the derivative is not of floats of at most 32 bits");
    const ir_ref *x = spirv_operand(r, i, 3);
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    for (uint32_t k = 0; k < t->leaves; k++)
        leaf[k] = one_derivative(r, i->op, x[k]);
    spirv_define(r, i, leaf);
}

/* ---- ends and helpers ---- */

void
spirv_build_terminate(spirv_reader *r)
{
    need_fragment(r);
    ir_build_intr(&r->b, IR_terminate, 0, NULL, 0);
}

void
spirv_emit_fragment(spirv_reader *r, const spirv_insn *i)
{
    need_fragment(r);
    switch (i->op) {
    case SPIRV_OpDemoteToHelperInvocation: ir_build_intr(&r->b, IR_demote, 0, NULL, 0); break;
    case SPIRV_OpIsHelperInvocationEXT:
        spirv_define_scalar(r, i, ir_build_intr(&r->b, IR_is_helper_invocation, IR_BOOL, NULL, 0));
        break;
    case SPIRV_OpBeginInvocationInterlockEXT:
        ir_build_intr(&r->b, IR_begin_interlock, 0, NULL, 0);
        break;
    case SPIRV_OpEndInvocationInterlockEXT:
        ir_build_intr(&r->b, IR_end_interlock, 0, NULL, 0);
        break;
    default: emit_derivative(r, i);
    }
}
