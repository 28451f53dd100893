/* Checks bundles: their size, their nesting, the registers that their instructions read and write,
 * and the level's own rules. */
#include "ir/bundle.h"
#include "ir/machine.h"
#include "ir/verify_hir.h"

typedef struct bundle_check {
    const ir_verifier *v;
    const ir_bundle_kind *kind;
    uint32_t *defined_in; /* by value: the bundle that defines it */
    uint32_t bundle;      /* numbers from 1; an instruction in no bundle has its own */
} bundle_check;

static bool
registers_overlap(const ir_fn *f, ir_ref a, ir_ref b)
{
    unsigned null_reg = f->level->machine->null_reg;
    if (a.reg == IR_REG_NONE || b.reg == IR_REG_NONE || a.reg == null_reg || b.reg == null_reg)
        return false;
    return a.reg < b.reg + ir_class_of(f, b.rc)->bytes &&
           b.reg < a.reg + ir_class_of(f, a.rc)->bytes;
}

/* No instruction from `first` to `i` exclusively writes a register that `i` writes. */
static void
check_writes(const bundle_check *c, const ir_instr *first, const ir_instr *i)
{
    for (const ir_instr *j = first; j != i; j = j->next) {
        for (unsigned d = 0; d < i->n_defs; d++) {
            for (unsigned e = 0; e < j->n_defs; e++) {
                if (registers_overlap(c->v->f, i->defs[d], j->defs[e]))
                    ir_verify_fail(c->v, i->block, i,
                                   "two instructions of a bundle write the register of result %u",
                                   d);
            }
        }
    }
}

static void
check_reads(const bundle_check *c, const ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (ir_is_value(i->refs[r]) && c->defined_in[i->refs[r].id] == c->bundle)
            ir_verify_fail(c->v, i->block, i, "value %%%u is defined in the same bundle",
                           i->refs[r].id);
    }
    for (unsigned d = 0; d < i->n_defs; d++)
        c->defined_in[i->defs[d].id] = i->defs[d].id ? c->bundle : 0;
}

/* A bundle of an inner kind does not cross the border of an outer one. */
static void
check_nesting(const bundle_check *c, const ir_instr *i)
{
    for (const ir_bundle_kind *outer = c->v->f->level->bundles; outer != c->kind; outer++) {
        if (!(i->form & outer->joins) &&
            (ir_joins_previous(i->prev, outer) || ir_joins_next(i, outer)))
            ir_verify_fail(c->v, i->block, i, "the bundle is partly in a '%s' bundle", outer->name);
    }
}

/* Checks `i`, the instruction number `n` (from 1) of the bundle that begins with `first`. */
static void
check_member(const bundle_check *c, const ir_instr *first, const ir_instr *i, unsigned n)
{
    const ir_bundle_kind *k = c->kind;
    if (ir_has_flag(i, IR_OP_PHI))
        ir_verify_fail(c->v, i->block, i, "a phi in a bundle");
    if (k->slots && n > k->slots)
        ir_verify_fail(c->v, i->block, i, "more than %u instructions in a bundle", k->slots);
    if (!k->in_order && c->v->f->ssa)
        check_reads(c, i);
    if (!k->in_order && c->v->f->allocated)
        check_writes(c, first, i);
    if (n > 1)
        check_nesting(c, i);
    const char *why = n > 1 && !ir_joins_next(i, k) && k->check ? k->check(first, i) : NULL;
    if (why)
        ir_verify_fail(c->v, i->block, i, "the bundle that ends here: %s", why);
}

static void
check_block(bundle_check *c, const ir_block *b)
{
    const ir_instr *first = b->first;
    unsigned n = 0;
    if (first && first->form & c->kind->joins)
        ir_verify_fail(c->v, b, first, "the block's first instruction joins a bundle");
    for (const ir_instr *i = b->first; i; i = i->next) {
        bool joins = i->form & c->kind->joins;
        if (!joins) {
            first = i;
            n = 0;
            c->bundle++;
        }
        n++;
        if (joins || ir_joins_next(i, c->kind))
            check_member(c, first, i, n);
    }
}

void
ir_verify_bundles(const ir_verifier *v)
{
    const ir_fn *f = v->f;
    IR_FOREACH_BUNDLE_KIND(k, f->level) {
        bundle_check c = {v, k, ARENA_ARRAY(f->ctx->scratch, f->n_values, uint32_t), 0};
        IR_FOREACH_BLOCK(b, f) {
            check_block(&c, b);
        }
    }
}
