/* Fuses multiplications and additions unless the shader forbids it (IR_EXACT).
 *
 *     32 %4 = fmul %1, %2
 *     32 %5 = fadd %4, %3        ->     32 %5 = ffma %1, %2, %3
 *
 * Only products with no other use are fused; others would be computed twice. Subtractions negate an
 * operand, which is free if selection has modifiers. A sum that is only compared with 0 is not
 * computed: its summands are compared instead. One walk. The pass runs late, because a fused
 * operation hides its product from other rules.
 */
#include "ir/replace.h"
#include "opt/opt.h"

#include "ir/builder.h"

typedef struct fuse {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    const uint32_t *uses;
    size_t n_uses; /* number of values when uses were counted */
} fuse;

/* The product that `r` reads, if it may be fused into its only user, else NULL. */
static const ir_instr *
product(const fuse *p, ir_ref r)
{
    if (r.id >= p->n_uses || p->uses[r.id] != 1)
        return NULL;
    const ir_instr *i = p->f->values[r.id].def;
    return i && i->op == IR_fmul && !(i->form & IR_EXACT) ? i : NULL;
}

static ir_ref
fused(fuse *p, const ir_instr *i)
{
    const ir_instr *a = product(p, i->refs[0]), *b = product(p, i->refs[1]);
    bool sub = i->op == IR_fsub;
    if (b) {
        ir_ref x = sub ? irb_fneg(&p->b, b->refs[0]) : b->refs[0];
        return irb_ffma(&p->b, x, b->refs[1], i->refs[0]);
    }
    if (!a)
        return ir_none();
    ir_ref c = sub ? irb_fneg(&p->b, i->refs[1]) : i->refs[1];
    return irb_ffma(&p->b, a->refs[0], a->refs[1], c);
}

/* ---- comparisons ---- */

/* x + y < 0 is x < -y, x - y < 0 is x < y, and so on. Requires that nothing else uses the sum and
 * that infinities, which may cancel in the sum, need not be preserved. */
static void
compare_summands(fuse *p, ir_instr *i, unsigned zero)
{
    uint64_t c;
    ir_ref sum = i->refs[1 - zero];
    unsigned bits = ir_type_bits(ir_ref_type(p->f, sum));
    const ir_instr *def = p->f->values[sum.id].def;
    if (!ir_is_const(p->f, i->refs[zero], &c) || c & base_mask64(bits - 1) ||
        p->f->shader.fp.preserve_nan_inf >> (bits >> 5) & 1)
        return;
    if (sum.id >= p->n_uses || p->uses[sum.id] != 1 || !def || def->form & IR_EXACT ||
        (def->op != IR_fadd && def->op != IR_fsub))
        return;
    ir_builder_before(&p->b, i);
    p->b.loc = i->loc;
    i->refs[1 - zero] = def->refs[0];
    i->refs[zero] = def->op == IR_fadd ? irb_fneg(&p->b, def->refs[1]) : def->refs[1];
}

/* ---- the walk ---- */

static void
visit(fuse *p, ir_instr *i)
{
    if (i->op == IR_flt || i->op == IR_fge) {
        ir_replace_in(&p->map, i);
        compare_summands(p, i, 0);
        compare_summands(p, i, 1);
        return;
    }
    if ((i->op != IR_fadd && i->op != IR_fsub) || i->form & IR_EXACT)
        return;
    ir_builder_before(&p->b, i);
    p->b.loc = i->loc;
    ir_replace_in(&p->map, i);
    ir_ref r = fused(p, i);
    if (!ir_is_value(r) || !ir_may_change(p->f->ctx))
        return;
    ir_replace_add(&p->map, i->defs[0].id, r);
    ir_remove(i);
}

bool
opt_fuse_fma(ir_fn *f)
{
    if (!ir_made_op(f, IR_fmul) || !(ir_made_op(f, IR_fadd) || ir_made_op(f, IR_fsub)))
        return false;
    fuse p = {.f = f, .map = {.f = f}, .n_uses = f->n_values};
    p.uses = ir_count_uses(f, f->ctx->scratch);
    ir_builder_init(&p.b, f);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b)
            visit(&p, i);
    }
    if (p.map.any)
        ir_replace_all(&p.map);
    return p.map.any;
}
