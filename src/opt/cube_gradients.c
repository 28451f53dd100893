/* A direction (x, y, z) points to the face of its component with the largest magnitude, m; of equal
 * ones z is before y, and y before x. The face's coordinates are s / 2|m| and t / 2|m|, where s and
 * t are other components, or their negatives (Vulkan, "Cube Map Face Selection"; the same as
 * V_CUBESC_F32 and those around it). All three are linear in the direction, so that for a change d
 * of it
 *
 *     (s / 2|m|)' = (s(d) - s / |m| * |m|(d)) / 2|m|
 *
 * Gradients given to an instruction are in units of a face, as the coordinates are.
 */
#include "opt/cube_gradients.h"

#include "ir/builder.h"

/* The face that a direction points to. */
typedef struct face {
    ir_ref is_z, is_y; /* of m; neither: it is x */
    ir_ref sign;       /* of m, 1 or -1 */
} face;

/* s, t and |m| of a vector on a face. */
typedef struct projected {
    ir_ref s, t, m;
} projected;

static ir_ref
absolute(ir_builder *b, ir_ref v, unsigned c)
{
    return irb_fabs(b, ir_comp(v, c));
}

static face
find_face(ir_builder *b, ir_ref direction)
{
    ir_ref x = absolute(b, direction, 0), y = absolute(b, direction, 1);
    ir_ref z = absolute(b, direction, 2);
    face f;
    f.is_z = irb_fge(b, z, irb_fmax(b, x, y));
    f.is_y = irb_fge(b, y, x);
    ir_ref other = irb_bcsel(b, f.is_y, ir_comp(direction, 1), ir_comp(direction, 0));
    ir_ref m = irb_bcsel(b, f.is_z, ir_comp(direction, 2), other);
    ir_ref negative = irb_flt(b, m, ir_build_fimm(b, 32, 0));
    f.sign = irb_bcsel(b, negative, ir_build_fimm(b, 32, -1), ir_build_fimm(b, 32, 1));
    return f;
}

static projected
project(ir_builder *b, const face *f, ir_ref v)
{
    ir_ref x = ir_comp(v, 0), y = ir_comp(v, 1), z = ir_comp(v, 2);
    ir_ref down = irb_fneg(b, y), along_x = irb_fneg(b, irb_fmul(b, f->sign, z));
    ir_ref others = irb_bcsel(b, f->is_y, y, x);
    projected p;
    p.s = irb_bcsel(b, f->is_z, irb_fmul(b, f->sign, x), irb_bcsel(b, f->is_y, x, along_x));
    p.t = irb_bcsel(b, f->is_z, down, irb_bcsel(b, f->is_y, irb_fmul(b, f->sign, z), down));
    p.m = irb_fmul(b, f->sign, irb_bcsel(b, f->is_z, z, others));
    return p;
}

static ir_ref
gradient(ir_builder *b, const face *f, ir_ref direction, ir_ref change)
{
    projected at = project(b, f, direction), d = project(b, f, change);
    ir_ref twice = irb_fadd(b, at.m, at.m), v[2];
    ir_ref half = ir_build_alu(b, IR_frcp, IR_I32, twice, ir_none(), ir_none());
    ir_ref relative = irb_fmul(b, irb_fadd(b, d.m, d.m), half);
    v[0] = irb_fmul(b, irb_fsub(b, d.s, irb_fmul(b, at.s, relative)), half);
    v[1] = irb_fmul(b, irb_fsub(b, d.t, irb_fmul(b, at.t, relative)), half);
    return ir_build_vec(b, v, 2);
}

/* Does it take gradients of a direction? */
static bool
is_cube_gradient(const ir_fn *f, const ir_instr *i)
{
    return i->op == IR_tex && ir_attr_get(i, IR_A_IMAGE_DIM) == IR_DIM_cube &&
           ir_attr_get(i, IR_A_TEX_OP) == IR_TEX_txd &&
           ir_type_comps(ir_ref_type(f, i->refs[IR_TEX_DDX])) == 3;
}

bool
opt_lower_cube_gradients(ir_fn *f)
{
    ir_builder b;
    bool changed = false;
    ir_builder_init(&b, f);
    IR_FOREACH_INSTR_OF(i, f) {
        if (!is_cube_gradient(f, i))
            continue;
        ir_builder_before(&b, i);
        b.loc = i->loc;
        ir_ref direction = i->refs[IR_TEX_COORD];
        face to = find_face(&b, direction);
        i->refs[IR_TEX_DDX] = gradient(&b, &to, direction, i->refs[IR_TEX_DDX]);
        i->refs[IR_TEX_DDY] = gradient(&b, &to, direction, i->refs[IR_TEX_DDY]);
        changed = true;
    }
    return changed;
}
