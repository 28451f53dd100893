/* Inexact simplification of floats, unless the shader forbids it.
 *
 * These rules may change the last bits of a result, or the result for NaNs, infinities and signed
 * zeros. They do not apply to operations that are IR_EXACT (NoContraction), and rules that affect
 * special values do not apply if the function preserves these (SignedZeroInfNanPreserve). A
 * division of 16 or 32 bits, however, is always replaced by a product with the reciprocal, whose
 * error is within the 2.5 ULP that Vulkan allows ("Precision and Operation of SPIR-V
 * Instructions"). The builder applies the exact rules (ir/fold_float.c). One walk, before the last
 * value numbering.
 */
#include "opt/lower.h"
#include "opt/opt.h"

#include "base/fp.h"

#include <math.h>

typedef struct node {
    ir_builder *b;
    ir_op op;
    ir_ref s[3]; /* sources; in commutative operations a constant is second */
    unsigned bits;
    bool special; /* NaNs, infinities and signed zeros must be preserved */
} node;

/* Returns true if source `r` of the operation is a constant. */
static bool
constant(const node *n, unsigned r, double *value)
{
    uint64_t c;
    if (!ir_is_const(n->b->f, n->s[r], &c))
        return false;
    *value = base_fp_decode(c, n->bits);
    return true;
}

static bool
is_number(const node *n, unsigned r, double value)
{
    double c;
    return constant(n, r, &c) && c == value;
}

/* The instruction that defines source `r` if it is an `op` that may be relaxed too, else NULL. */
static const ir_instr *
operand(const node *n, unsigned r, ir_op op)
{
    const ir_instr *def = n->b->f->values[n->s[r].id].def;
    return def && def->op == op && !(def->form & IR_EXACT) ? def : NULL;
}

/* Replaces the operation by `r`, unless the operation would flush denormals. */
static ir_ref
unchanged(const node *n, ir_ref r)
{
    return n->b->f->shader.fp.denorm_flush >> (n->bits >> 5) & 1 ? ir_none() : r;
}

/* op(op(x, c1), c2) = op(x, op(c1, c2)), if the new constant is a normal number. Otherwise results
 * that x keeps finite or nonzero would be lost. */
static ir_ref
reassociate(const node *n)
{
    const ir_instr *i = operand(n, 0, n->op);
    double least = n->bits == 16 ? 0x1p-14 : n->bits == 32 ? 0x1p-126 : 0x1p-1022, value;
    uint64_t bits;
    if (!i || !ir_is_const(n->b->f, n->s[1], NULL) || !ir_is_const(n->b->f, i->refs[1], NULL))
        return ir_none();
    ir_ref c = ir_build_alu(n->b, n->op, 0, i->refs[1], n->s[1], ir_none());
    if (!ir_is_const(n->b->f, c, &bits))
        return ir_none();
    value = fabs(base_fp_decode(bits, n->bits));
    return value >= least && value < HUGE_VAL
               ? ir_build_alu(n->b, n->op, 0, i->refs[0], c, ir_none())
               : ir_none();
}

/* If `r` is 1 - a, where `a` is one of the factors of `product`, the other factor; else NONE. */
static ir_ref
complement(const node *n, ir_ref r, const ir_instr *product, ir_ref *a)
{
    uint64_t one;
    const ir_fn *f = n->b->f;
    const ir_instr *def = f->values[r.id].def;
    if (!def || def->op != IR_fsub || def->form & IR_EXACT || !ir_is_const(f, def->refs[0], &one) ||
        base_fp_decode(one, n->bits) != 1)
        return ir_none();
    *a = def->refs[1];
    for (unsigned k = 0; k < 2; k++) {
        if (ir_same_ref(product->refs[k], *a))
            return product->refs[1 - k];
    }
    return ir_none();
}

/* x * (1 - a) + y * a = (y - x) * a + x, which saves one product */
static ir_ref
relax_mix(const node *n)
{
    const ir_instr *p[2] = {operand(n, 0, IR_fmul), operand(n, 1, IR_fmul)};
    for (unsigned k = 0; k < 4 && p[0] && p[1]; k++) {
        const ir_instr *first = p[k & 1], *second = p[1 - (k & 1)];
        ir_ref a, x = first->refs[k >> 1], y = complement(n, first->refs[1 - (k >> 1)], second, &a);
        if (ir_is_value(y))
            return irb_fadd(n->b, irb_fmul(n->b, irb_fsub(n->b, y, x), a), x);
    }
    return ir_none();
}

/* x + 0 = x */
static ir_ref
relax_fadd(const node *n)
{
    if (!n->special && is_number(n, 1, 0))
        return unchanged(n, n->s[0]);
    ir_ref r = reassociate(n);
    return ir_is_value(r) || n->special ? r : relax_mix(n);
}

/* 0 - x = -x, x - x = 0 */
static ir_ref
relax_fsub(const node *n)
{
    if (n->special)
        return ir_none();
    if (ir_same_ref(n->s[0], n->s[1]))
        return ir_build_imm(n->b, n->bits, 0);
    return is_number(n, 0, 0) ? irb_fneg(n->b, n->s[1]) : ir_none();
}

/* x * 0 = 0, sqrt(x) * sqrt(x) = x */
static ir_ref
relax_fmul(const node *n)
{
    const ir_instr *root = ir_same_ref(n->s[0], n->s[1]) ? operand(n, 0, IR_fsqrt) : NULL;
    if (!n->special && is_number(n, 1, 0))
        return ir_build_imm(n->b, n->bits, 0);
    return root && !n->special ? unchanged(n, root->refs[0]) : reassociate(n);
}

/* x * 0 + y = y, x * y + 0 = x * y */
static ir_ref
relax_ffma(const node *n)
{
    if (n->special)
        return ir_none();
    if (is_number(n, 0, 0) || is_number(n, 1, 0))
        return unchanged(n, n->s[2]);
    return is_number(n, 2, 0) ? irb_fmul(n->b, n->s[0], n->s[1]) : ir_none();
}

/* 1 / sqrt(x) = rsq(x), 1 / exp2(x) = exp2(-x), 1 / pow(x, y) = pow(x, -y), for source `r` */
static ir_ref
reciprocal(const node *n, unsigned r)
{
    const ir_instr *i = n->bits != 64 ? operand(n, r, IR_fsqrt) : NULL;
    if (i)
        return irb_frsq(n->b, i->refs[0]);
    if (n->special)
        return ir_none();
    if ((i = operand(n, r, IR_fexp2)))
        return irb_fexp2(n->b, irb_fneg(n->b, i->refs[0]));
    if ((i = operand(n, r, IR_fpow)))
        return irb_fpow(n->b, i->refs[0], irb_fneg(n->b, i->refs[1]));
    return ir_none();
}

/* x / y = x * (1 / y). A constant 1 / y must be a normal number. */
static ir_ref
relax_fdiv(const node *n)
{
    double c;
    if (n->bits == 64)
        return ir_none();
    if (constant(n, 1, &c)) {
        double least = n->bits == 16 ? 0x1p-14 : 0x1p-126, size = c < 0 ? -c : c;
        if (!(size >= least && 1 / size >= least))
            return ir_none();
        return irb_fmul(n->b, n->s[0], ir_build_fimm(n->b, n->bits, 1 / c));
    }
    ir_ref inverse = reciprocal(n, 1);
    return irb_fmul(n->b, n->s[0], ir_is_value(inverse) ? inverse : irb_frcp(n->b, n->s[1]));
}

/* x to a power of 1 or more, by squares: one multiplication a bit, and one more for each bit that
 * is set below the highest. */
static ir_ref
whole_power(const node *n, ir_ref x, unsigned power)
{
    ir_ref r = x;
    for (unsigned bit = 31 - base_clz32(power); bit-- > 0;) {
        r = irb_fmul(n->b, r, r);
        if (power >> bit & 1)
            r = irb_fmul(n->b, r, x);
    }
    return r;
}

/* The multiplications that are not slower than a logarithm and an exponential. */
static bool
is_cheap_power(double c)
{
    enum { HIGHEST = 32, MOST = 5 };
    if (c < 2 || c > HIGHEST || c != (unsigned)c)
        return false;
    unsigned power = (unsigned)c;
    return 31 - base_clz32(power) + base_popcount32(power) - 1 <= MOST;
}

/* x to the power of 1/2, 1, small whole numbers */
static ir_ref
relax_fpow(const node *n)
{
    double c;
    ir_ref x = n->s[0];
    if (!constant(n, 1, &c))
        return ir_none();
    if (c == 0.5)
        return irb_fsqrt(n->b, x);
    if (c == 1)
        return unchanged(n, x);
    return is_cheap_power(c) ? whole_power(n, x, (unsigned)c) : ir_none();
}

/* exp2(log2(x)) = x = log2(exp2(x)) */
static ir_ref
relax_inverse(const node *n, ir_op op)
{
    const ir_instr *i = operand(n, 0, op);
    return i && !n->special ? unchanged(n, i->refs[0]) : ir_none();
}

/* The sign of a 32-bit number: x * 2^127, at least 2 for normal numbers, limited to -1 and 1. */
static ir_ref
relax_fsign(const node *n)
{
    ir_builder *b = n->b;
    if (n->special || n->bits != 32 || b->f->shader.fp.denorm_preserve & 2)
        return ir_none();
    ir_ref large = irb_fmul(b, n->s[0], ir_build_fimm(b, 32, 0x1p127));
    return irb_fmin(b, irb_fmax(b, large, ir_build_fimm(b, 32, -1)), ir_build_fimm(b, 32, 1));
}

static node
make_node(ir_builder *b, const ir_instr *i)
{
    node n = {.b = b, .op = (ir_op)i->op, .bits = opt_src_bits(b, i)};
    n.special = b->f->shader.fp.preserve_nan_inf >> (n.bits >> 5) & 1;
    for (unsigned r = 0; r < i->n_refs && r < 3; r++)
        n.s[r] = ir_look_through(b->f, i->refs[r]);
    if (ir_has_flag(i, IR_OP_COMMUTES) && ir_is_const(b->f, n.s[0], NULL)) {
        ir_ref first = n.s[0];
        n.s[0] = n.s[1];
        n.s[1] = first;
    }
    return n;
}

static ir_ref
relax(ir_builder *b, const ir_instr *i)
{
    bool arithmetic = i->op >= IR_fadd && i->op <= IR_fpow; /* the rows of it */
    if ((!arithmetic && i->op != IR_fsign) || i->form & IR_EXACT)
        return ir_none();
    node n = make_node(b, i);
    switch (i->op) {
    case IR_fsign: return relax_fsign(&n);
    case IR_fadd: return relax_fadd(&n);
    case IR_fsub: return relax_fsub(&n);
    case IR_fmul: return relax_fmul(&n);
    case IR_ffma: return relax_ffma(&n);
    case IR_fdiv: return relax_fdiv(&n);
    case IR_frcp: return reciprocal(&n, 0);
    case IR_fpow: return relax_fpow(&n);
    case IR_fexp2: return relax_inverse(&n, IR_flog2);
    case IR_flog2: return relax_inverse(&n, IR_fexp2);
    default: return ir_none();
    }
}

bool
opt_relax_float(ir_fn *f)
{
    static const uint16_t ops[] = {IR_fadd, IR_fsub, IR_fmul,  IR_ffma,  IR_fdiv,
                                   IR_frcp, IR_fpow, IR_fexp2, IR_flog2, IR_fsign};
    bool any = false;
    for (unsigned k = 0; k < sizeof ops / sizeof *ops; k++)
        any |= ir_made_op(f, ops[k]);
    return any && opt_lower(f, relax);
}
