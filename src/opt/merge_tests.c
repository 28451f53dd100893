/* Replaces two comparisons of which one or both must hold by one comparison.
 *
 *     1 %4 = flt %1, %3
 *     1 %5 = flt %2, %3                32 %4 = fmin %1, %2
 *     1 %6 = ior %4, %5        ->      1 %6 = flt %4, %3
 *
 *     1 %4 = fneu %1, 0                32 %4 = fadd |%1|, |%2|
 *     1 %5 = fneu %2, 0        ->      1 %6 = fneu %4, 0
 *     1 %6 = ior %4, %5
 *
 * Both comparisons must have no other use. The smaller of two floats ignores a NaN like the "or" of
 * two ordered comparisons does, but not like the "and"; integers have both. The result is a
 * comparison again, so longer chains fold from their first member on. One walk.
 */
#include "ir/replace.h"
#include "opt/opt.h"

#include "ir/builder.h"

typedef struct merge {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    const uint32_t *uses;
    size_t n_uses; /* number of values when uses were counted */
} merge;

/* What `op` of two comparisons becomes: the operand in which they differ is the first or second. */
typedef struct row {
    uint8_t op, compare, first, second;
} row;

static const row rows[] = {
    {IR_ior, IR_flt, IR_fmin, IR_fmax},  {IR_ior, IR_fge, IR_fmax, IR_fmin},
    {IR_ior, IR_ilt, IR_imin, IR_imax},  {IR_ior, IR_ige, IR_imax, IR_imin},
    {IR_ior, IR_ult, IR_umin, IR_umax},  {IR_ior, IR_uge, IR_umax, IR_umin},
    {IR_iand, IR_ilt, IR_imax, IR_imin}, {IR_iand, IR_ige, IR_imin, IR_imax},
    {IR_iand, IR_ult, IR_umax, IR_umin}, {IR_iand, IR_uge, IR_umin, IR_umax},
};

/* The comparison of at most 32 bits that `r` reads, if only `r` does so; `id` is its number before
 * replacements. */
static const ir_instr *
comparison(const merge *m, ir_ref r, uint32_t id)
{
    const ir_instr *i = m->f->values[r.id].def;
    bool single = id < m->n_uses && m->uses[id] == 1;
    if (!single || !i || i->n_refs != 2 || !ir_is_value(i->refs[0]))
        return NULL;
    return ir_type_bits(ir_ref_type(m->f, i->refs[0])) <= 32 ? i : NULL;
}

static bool
is_zero(const merge *m, ir_ref r)
{
    uint64_t c;
    unsigned bits = ir_type_bits(ir_ref_type(m->f, r));
    return ir_is_const(m->f, r, &c) && !(c & base_mask64(bits - 1));
}

/* x != 0 or y != 0: |x| + |y| != 0; x == 0 and y == 0: |x| + |y| == 0. Sums of f16 and f32 are 0
 * only if both summands are, also if denormals are flushed: comparisons flush them, too. */
static ir_ref
merge_zeros(merge *m, const ir_instr *i, const ir_instr *x, const ir_instr *y)
{
    unsigned op = i->op == IR_ior ? IR_fneu : IR_feq;
    if (x->op != op || y->op != op || !is_zero(m, x->refs[1]) || !is_zero(m, y->refs[1]))
        return ir_none();
    ir_ref a = irb_fabs(&m->b, x->refs[0]), b = irb_fabs(&m->b, y->refs[0]);
    return ir_build_alu(&m->b, (ir_op)op, 0, irb_fadd(&m->b, a, b), x->refs[1], ir_none());
}

static ir_ref
merge_order(merge *m, const ir_instr *i, const ir_instr *x, const ir_instr *y)
{
    const row *r = rows, *end = rows + sizeof rows / sizeof *rows;
    while (r < end && (r->op != i->op || r->compare != x->op))
        r++;
    if (r == end || x->op != y->op)
        return ir_none();
    bool second = ir_same_ref(x->refs[0], y->refs[0]);
    if (!second && !ir_same_ref(x->refs[1], y->refs[1]))
        return ir_none();
    ir_ref a = x->refs[second], b = y->refs[second], same = x->refs[!second];
    ir_ref most = ir_build_alu(&m->b, (ir_op)(second ? r->second : r->first), 0, a, b, ir_none());
    return ir_build_alu(&m->b, (ir_op)x->op, 0, second ? same : most, second ? most : same,
                        ir_none());
}

static void
visit(merge *m, ir_instr *i)
{
    uint32_t ids[2] = {i->refs[0].id, i->refs[1].id};
    ir_replace_in(&m->map, i);
    const ir_instr *x = comparison(m, i->refs[0], ids[0]), *y = comparison(m, i->refs[1], ids[1]);
    if (!x || !y)
        return;
    ir_builder_before(&m->b, i);
    m->b.loc = i->loc;
    m->b.exact = (x->form | y->form) & IR_EXACT;
    ir_ref r = merge_order(m, i, x, y);
    if (!ir_is_value(r))
        r = merge_zeros(m, i, x, y);
    if (!ir_is_value(r) || !ir_may_change(m->f->ctx))
        return;
    ir_replace_add(&m->map, i->defs[0].id, r);
    ir_remove(i);
}

bool
opt_merge_tests(ir_fn *f)
{
    if (!ir_made_op(f, IR_ior) && !ir_made_op(f, IR_iand))
        return false;
    merge m = {.f = f, .map = {.f = f}, .n_uses = f->n_values};
    m.uses = ir_count_uses(f, f->ctx->scratch);
    ir_builder_init(&m.b, f);
    IR_FOREACH_INSTR_OF(i, f) {
        bool is = i->op == IR_ior || i->op == IR_iand;
        if (is && f->values[i->defs[0].id].type == IR_BOOL)
            visit(&m, i);
    }
    if (m.map.any)
        ir_replace_all(&m.map);
    return m.map.any;
}
