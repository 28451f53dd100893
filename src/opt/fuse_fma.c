/* Fuses multiplications and additions unless the shader forbids it (IR_EXACT).
 *
 *     32 %4 = fmul %1, %2
 *     32 %5 = fadd %4, %3        ->     32 %5 = ffma %1, %2, %3
 *
 * A product is fused if all that use it are sums that take it: otherwise it would be computed
 * twice. A sum of two such products takes one, and the other begins a chain of ffma; what is added
 * to the chain later goes into that product, if it is known by then:
 *
 *     %5 = fmul %1, %2
 *     %6 = ffma %3, %4, %5       ->     %5 = ffma %1, %2, %9
 *     %7 = fadd %6, %9                  %6 = ffma %3, %4, %5
 *
 * So no value lives longer than before, and a sum of n products takes n instructions. Subtractions
 * negate an operand, which is free if selection has modifiers. A sum that is only compared with 0
 * is not computed: its summands are compared instead.
 *
 * A product that a preamble computes once is not fused into what each invocation computes, nor does
 * a chain begin with it: its sum stays one addition.
 *
 * A first walk lists the sums and comparisons and counts, for each product, the sums that could
 * take it; the second goes through the list. The pass runs late, because a fused operation hides
 * its product from other rules.
 */
#include "ir/replace.h"
#include "opt/opt.h"

#include "base/fp.h"
#include "ir/builder.h"
#include "opt/given.h"

#include <math.h>

/* The product that a chain of ffma begins with, and what reads it. */
typedef struct chain {
    ir_instr *base, *next;
} chain;

typedef struct fuse {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    const uint32_t *uses;
    size_t n_uses;     /* number of values when uses were counted */
    const bool *given; /* by value of that time: opt_find_given */
    /* By value of that time: sums that could take it as a product; the chain that ends in it. */
    uint32_t *takers;
    chain *chains;
    ir_instr **list; /* sums and comparisons, in order */
    size_t n;
} fuse;

static bool
is_sum(const ir_instr *i)
{
    return i->op == IR_fadd || i->op == IR_fsub;
}

static bool
preserves_special(const fuse *p, unsigned bits)
{
    return p->f->shader.fp.preserve_nan_inf >> (bits >> 5) & 1;
}

static bool
is_given(const fuse *p, uint32_t id)
{
    return p->given && id < p->n_uses && p->given[id];
}

/* ---- products ---- */

/* Is `r` a constant 2^k, where k >= 0? */
static bool
is_power(const fuse *p, ir_ref r, unsigned bits)
{
    uint64_t c;
    int exponent;
    if (!ir_is_const(p->f, r, &c))
        return false;
    double value = base_fp_decode(c, bits);
    return value >= 1 && frexp(value, &exponent) == 0.5;
}

/* Is the product `m`, of a power of two, without an error, also if `addend` is added? If it
 * overflows, a small constant does not bring it back, unless the sum is rounded towards zero. */
static bool
is_scaled(const fuse *p, const ir_instr *m, ir_ref addend)
{
    uint64_t c;
    unsigned bits = ir_type_bits(p->f->values[m->defs[0].id].type);
    if (p->f->shader.fp.round_zero >> (bits >> 5) & 1)
        return false;
    return ir_is_const(p->f, addend, &c) && fabs(base_fp_decode(c, bits)) <= 1 &&
           (is_power(p, m->refs[0], bits) || is_power(p, m->refs[1], bits));
}

/* The product that operand `k` of the sum `i` reads, if it may be fused, else NULL. */
static ir_instr *
product_of(const fuse *p, const ir_instr *i, unsigned k)
{
    ir_ref r = i->refs[k];
    if (r.id >= p->n_uses || ir_same_ref(r, i->refs[1 - k]))
        return NULL;
    ir_instr *m = p->f->values[r.id].def;
    if (!m || m->op != IR_fmul || m->defs[0].id != r.id)
        return NULL;
    if (is_given(p, r.id) && !is_given(p, i->defs[0].id))
        return NULL;
    bool exact = m->form & IR_EXACT || i->form & IR_EXACT;
    return exact && !is_scaled(p, m, i->refs[1 - k]) ? NULL : m;
}

/* The same if all users of the product take it. */
static ir_instr *
taken(const fuse *p, const ir_instr *i, unsigned k)
{
    ir_instr *m = product_of(p, i, k);
    return m && p->takers[i->refs[k].id] == p->uses[i->refs[k].id] ? m : NULL;
}

/* A sum of two products that have other uses takes the one with fewer of them. */
static void
decline(const fuse *p, const ir_instr *i)
{
    if (!is_sum(i) || !taken(p, i, 0) || !taken(p, i, 1))
        return;
    uint32_t a = i->refs[0].id, b = i->refs[1].id;
    if (p->uses[a] > 1 && p->uses[b] > 1)
        p->takers[p->uses[a] < p->uses[b] ? b : a] = 0;
}

/* ---- chains ---- */

static chain *
chain_of(const fuse *p, uint32_t id)
{
    return id < p->n_uses && p->uses[id] == 1 && p->chains[id].base ? &p->chains[id] : NULL;
}

/* A new instruction stands where `at` stands. */
static void
note_place(const fuse *p, ir_ref made, const ir_instr *at)
{
    ir_instr *def = p->f->values[made.id].def;
    if (def && !def->mark)
        def->mark = at->mark;
}

/* Where the first product of the chain could read `r` too, if the chain is in the block of `i`;
 * else NULL. */
static ir_instr *
place_behind(const fuse *p, const chain *c, ir_ref r, const ir_instr *i)
{
    const ir_instr *def = p->f->values[r.id].def;
    if (!def || c->base->block != i->block || c->next->block != i->block)
        return NULL;
    if (def->block != i->block || def->mark < c->base->mark)
        return c->base;
    return def->mark < c->next->mark ? c->next : NULL;
}

/* Lets the chain, whose end is an operand of the sum `i`, begin with `r`, or with -r. */
static bool
begin_with(fuse *p, const chain *c, ir_ref r, bool negate, const ir_instr *i)
{
    ir_instr *at = place_behind(p, c, r, i);
    if (!at)
        return false;
    ir_builder_before(&p->b, at);
    p->b.loc = c->base->loc;
    ir_replace_in(&p->map, c->base);
    ir_ref addend = negate ? irb_fneg(&p->b, r) : r;
    note_place(p, addend, at);
    ir_ref made = irb_ffma(&p->b, c->base->refs[0], c->base->refs[1], addend);
    note_place(p, made, at);
    for (unsigned k = 0; k < c->next->n_refs; k++) {
        if (c->next->refs[k].id == c->base->defs[0].id)
            c->next->refs[k] = made;
    }
    ir_remove(c->base);
    return true;
}

/* ---- sums ---- */

/* The operand whose product the sum takes: rather one that others take too. -1: none. */
static int
choose(const fuse *p, const ir_instr *i)
{
    bool a = taken(p, i, 0), b = taken(p, i, 1);
    if (a && b)
        return p->uses[i->refs[1].id] > 1 || p->uses[i->refs[0].id] == 1;
    return a ? 0 : b ? 1 : -1;
}

static ir_ref
fused(fuse *p, const ir_instr *i, unsigned k, const ir_instr *m)
{
    bool sub = i->op == IR_fsub;
    ir_ref x = ir_replace_follow(&p->map, m->refs[0]), y = ir_replace_follow(&p->map, m->refs[1]);
    ir_ref addend = i->refs[1 - k];
    if (sub && k == 1)
        x = irb_fneg(&p->b, x);
    if (sub && k == 0)
        addend = irb_fneg(&p->b, addend);
    return irb_ffma(&p->b, x, y, addend);
}

/* The chain that the sum `i`, which became `made`, ends: of its operand `k`, value `id` before. */
static void
note_chain(const fuse *p, const ir_instr *i, unsigned k, uint32_t id, ir_ref made)
{
    ir_instr *def = p->f->values[made.id].def;
    chain *to = &p->chains[i->defs[0].id];
    if ((i->op == IR_fsub && k == 1) || id >= p->n_uses || p->uses[id] != 1 || i->form & IR_EXACT ||
        preserves_special(p, ir_type_bits(p->f->values[id].type)))
        return;
    ir_instr *m = p->f->values[id].def;
    bool begins = m && m->op == IR_fmul && !(m->form & IR_EXACT) && !is_given(p, id) && def &&
                  def->op == IR_ffma && def->refs[2].id == id &&
                  ir_same_ref(i->refs[k], def->refs[2]);
    if (begins)
        *to = (chain){m, def};
    else if (p->chains[id].base)
        *to = p->chains[id];
}

/* The value of the sum without an instruction of its own, or NONE. `ids`: its operands before. */
static ir_ref
join_chain(fuse *p, const ir_instr *i, const uint32_t *ids)
{
    bool sub = i->op == IR_fsub;
    for (unsigned k = 0; k < (sub ? 1u : 2u); k++) {
        const chain *c = i->form & IR_EXACT ? NULL : chain_of(p, ids[k]);
        if (!c || !begin_with(p, c, i->refs[1 - k], sub, i))
            continue;
        if (!sub)
            note_chain(p, i, 1 - k, ids[1 - k], i->refs[k]);
        return i->refs[k];
    }
    return ir_none();
}

static void
visit_sum(fuse *p, ir_instr *i)
{
    int k = choose(p, i);
    uint32_t ids[2] = {i->refs[0].id, i->refs[1].id};
    const ir_instr *m = k >= 0 ? p->f->values[ids[k]].def : NULL;
    ir_builder_before(&p->b, i);
    p->b.loc = i->loc;
    p->b.exact = i->form & IR_EXACT;
    ir_replace_in(&p->map, i);
    if (!ir_may_change(p->f->ctx))
        return;
    ir_ref r = m ? fused(p, i, (unsigned)k, m) : join_chain(p, i, ids);
    if (!ir_is_value(r))
        return;
    note_place(p, r, i);
    if (m)
        note_chain(p, i, 1 - (unsigned)k, ids[1 - k], r);
    ir_replace_add(&p->map, i->defs[0].id, r);
    ir_remove(i);
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
        preserves_special(p, bits))
        return;
    if (sum.id >= p->n_uses || p->uses[sum.id] != 1 || !def || def->form & IR_EXACT || !is_sum(def))
        return;
    ir_builder_before(&p->b, i);
    p->b.loc = i->loc;
    i->refs[1 - zero] = def->refs[0];
    i->refs[zero] = def->op == IR_fadd ? irb_fneg(&p->b, def->refs[1]) : def->refs[1];
}

/* ---- the walks ---- */

static void
visit(fuse *p, ir_instr *i)
{
    if (is_sum(i)) {
        visit_sum(p, i);
        return;
    }
    ir_replace_in(&p->map, i);
    compare_summands(p, i, 0);
    compare_summands(p, i, 1);
}

static size_t
count_listed(const ir_fn *f)
{
    size_t n = 0;
    IR_FOREACH_INSTR_OF(i, f)
        n += is_sum(i) || i->op == IR_flt || i->op == IR_fge;
    return n;
}

static void
make_list(fuse *p)
{
    uint32_t position = 0;
    IR_FOREACH_INSTR_OF(i, p->f) {
        i->mark = ++position;
        if (!is_sum(i) && i->op != IR_flt && i->op != IR_fge)
            continue;
        p->list[p->n++] = i;
        for (unsigned k = 0; is_sum(i) && k < 2; k++) {
            if (product_of(p, i, k))
                p->takers[i->refs[k].id]++;
        }
    }
}

bool
opt_fuse_fma(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    if (!ir_made_op(f, IR_fmul) || !(ir_made_op(f, IR_fadd) || ir_made_op(f, IR_fsub)))
        return false;
    fuse p = {.f = f,
              .map = {.f = f},
              .n_uses = f->n_values,
              .uses = ir_count_uses(f, a),
              .given = opt_find_given(f)};
    p.takers = ARENA_ARRAY(a, f->n_values, uint32_t);
    p.chains = ARENA_ARRAY(a, f->n_values, chain);
    p.list = ARENA_ARRAY(a, count_listed(f), ir_instr *);
    ir_builder_init(&p.b, f);
    make_list(&p);
    for (size_t n = 0; n < p.n; n++)
        decline(&p, p.list[n]);
    for (size_t n = 0; n < p.n; n++)
        visit(&p, p.list[n]);
    if (p.map.any)
        ir_replace_all(&p.map);
    return p.map.any;
}
