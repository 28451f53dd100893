/* The bounds come from built-in values, whose range the size of the workgroup gives, from
 * constants, and from operations that cannot exceed theirs.
 *
 *     32x3 %1 = @load_local_invocation_id        (workgroup_size: 64, 1, 1)
 *     32 %2 = iadd %1.x, 64                      at most 127
 *     1 %3 = ult %2, 128                         true (fold_compare.c)
 *
 * Operations of two sources look at both, to a depth of DEPTH; phis are not looked through.
 */
#include "ir/bounds.h"

enum { DEPTH = 4 };

static uint64_t
bound(const ir_fn *f, ir_ref r, unsigned depth);

/* The last number below `size`, or `all` if the size is not known. */
static uint64_t
below(uint64_t size, uint64_t all)
{
    return size ? size - 1 : all;
}

/* All bits up to the highest one of `x`. */
static uint64_t
fill(uint64_t x)
{
    for (unsigned s = 1; s < 64; s *= 2)
        x |= x >> s;
    return x;
}

static uint64_t
bound_of_builtin(const ir_fn *f, const ir_instr *i, ir_ref r, uint64_t all)
{
    const uint32_t *size = f->shader.workgroup_size;
    switch (i->op) {
    case IR_load_local_invocation_id: return r.comp < 3 ? below(size[r.comp], all) : all;
    case IR_load_local_invocation_index: return below((uint64_t)size[0] * size[1] * size[2], all);
    case IR_load_subgroup_invocation: return below(f->shader.wave_size, all);
    default: return all;
    }
}

/* Of an operation whose second source is the constant `c`. */
static uint64_t
bound_by_constant(const ir_instr *i, uint64_t a, uint64_t c, unsigned bits)
{
    uint64_t all = base_mask64(bits);
    switch (i->op) {
    case IR_ushr: return a >> (c & (bits - 1));
    case IR_ishl: return a <= all >> (c & (bits - 1)) ? a << (c & (bits - 1)) : all;
    case IR_udiv: return c ? a / c : all;
    case IR_umod: return c && c - 1 < a ? c - 1 : a;
    default: return all;
    }
}

static uint64_t
bound_of_two(const ir_instr *i, uint64_t a, uint64_t b, uint64_t all)
{
    uint64_t less = a < b ? a : b, more = a < b ? b : a;
    switch (i->op) {
    case IR_iand:
    case IR_umin: return less;
    case IR_ior:
    case IR_ixor: return fill(more);
    case IR_umax: return more;
    case IR_iadd: return a <= all - b ? a + b : all;
    case IR_imul: return !a || b <= all / a ? a * b : all;
    default: return all;
    }
}

static uint64_t
bound_of_alu(const ir_fn *f, const ir_instr *i, unsigned depth, uint64_t all)
{
    uint64_t c;
    switch (i->op) {
    case IR_b2i: return 1;
    case IR_u2u: {
        uint64_t a = bound(f, i->refs[0], depth - 1);
        return a < all ? a : all;
    }
    case IR_bcsel: {
        uint64_t a = bound(f, i->refs[1], depth - 1), b = bound(f, i->refs[2], depth - 1);
        return a < b ? b : a;
    }
    case IR_ushr:
    case IR_ishl:
    case IR_udiv:
    case IR_umod:
        return ir_is_const(f, i->refs[1], &c)
                   ? bound_by_constant(i, bound(f, i->refs[0], depth - 1), c,
                                       ir_type_bits(f->values[i->defs[0].id].type))
                   : all;
    case IR_iand:
    case IR_umin:
    case IR_ior:
    case IR_ixor:
    case IR_umax:
    case IR_iadd:
    case IR_imul:
        return bound_of_two(i, bound(f, i->refs[0], depth - 1), bound(f, i->refs[1], depth - 1),
                            all);
    default: return all;
    }
}

static uint64_t
bound(const ir_fn *f, ir_ref r, unsigned depth)
{
    uint64_t c, all = base_mask64(ir_type_bits(ir_ref_type(f, r)));
    if (ir_is_const(f, r, &c))
        return c;
    const ir_instr *i = f->values[r.id].def;
    if (!i || !depth)
        return all;
    return ir_has_flag(i, IR_OP_ALU) ? bound_of_alu(f, i, depth, all)
                                     : bound_of_builtin(f, i, r, all);
}

uint64_t
ir_upper_bound(const ir_fn *f, ir_ref r)
{
    return bound(f, r, DEPTH);
}
