/* Which 16-bit numbers should share a register (pair_halves.c): those that are packed anyway.
 *
 * Neighbouring components of a vector, the operands of pack_32_2x16, and two phis that get numbers
 * of the same kind from each predecessor are seeds. A seed's numbers, if one opcode computes both,
 * are mates, and so are, operand by operand, the numbers that they are computed from. The tree of
 * mates is worth it if it has fewer instructions: each pair saves one, each pair of operands that
 * are not mates and not in one register costs one, and the seed's own packing is saved.
 */
#include "opt/pair_plan.h"

#include <stdlib.h>

/* The depth of trees, and the gain of operands that must be packed. */
enum { MAX_DEPTH = 24, PACKED = -1 };

typedef struct seeker {
    opt_pairing *p;
    uint32_t *tried; /* by value: the partner with which it was tried ... */
    int *gain;       /* ... and its gain */
} seeker;

static bool
is_place_shared(const opt_pairing *p, ir_ref a, ir_ref b)
{
    return opt_place_of(p, a).reg == opt_place_of(p, b).reg;
}

/* Can the operations that define `a` and `b` be a pair? */
static opt_pair_kind
kind_of(const opt_pairing *p, ir_ref a, ir_ref b)
{
    const ir_instr *x = p->f->values[a.id].def, *y = p->f->values[b.id].def;
    bool same = x != y && x->op == y->op && x->form == y->form && x->block == y->block &&
                ir_has_flag(x, IR_OP_ALU) && p->f->values[a.id].type == IR_I16 &&
                p->f->values[b.id].type == IR_I16;
    if (!same || p->seeds.mate[a.id] || p->seeds.mate[b.id])
        return OPT_PAIR_NONE;
    opt_pair_kind kind = p->rule(p->f, x);
    return p->rule(p->f, y) == kind ? kind : OPT_PAIR_NONE;
}

static int
gain_of(seeker *s, ir_ref a, ir_ref b, unsigned depth);

/* The gain of two operands; conditions must be the same. */
static int
operand_gain(seeker *s, const ir_instr *x, const ir_instr *y, unsigned k, unsigned depth)
{
    opt_pairing *p = s->p;
    opt_pair_kind kind = p->rule(p->f, x);
    ir_ref a = opt_pair_operand(p, x, k, kind), b = opt_pair_operand(p, y, k, kind);
    if (ir_type_bits(ir_ref_type(p->f, a)) == 1)
        return ir_same_ref(a, b) ? 0 : -MAX_DEPTH;
    if (is_place_shared(p, a, b))
        return 0;
    int g = gain_of(s, a, b, depth + 1);
    return g > PACKED ? g : PACKED;
}

static int
gain_of(seeker *s, ir_ref a, ir_ref b, unsigned depth)
{
    opt_pair_kind kind = kind_of(s->p, a, b);
    if (kind == OPT_PAIR_NONE || depth > MAX_DEPTH)
        return PACKED;
    if (kind == OPT_PAIR_PARTS)
        return 0;
    if (s->tried[a.id] == b.id)
        return s->gain[a.id];
    const ir_instr *x = s->p->f->values[a.id].def, *y = s->p->f->values[b.id].def;
    int gain = 1;
    for (unsigned k = 0; k < x->n_refs; k++)
        gain += operand_gain(s, x, y, k, depth);
    s->tried[a.id] = b.id;
    s->gain[a.id] = gain;
    return gain;
}

/* Makes the results of two operations mates, and those that they are computed from. */
static void
make_mates(seeker *s, ir_ref low, ir_ref high, unsigned depth)
{
    opt_pairing *p = s->p;
    opt_pair_kind kind = kind_of(p, low, high);
    if (kind == OPT_PAIR_NONE || depth > MAX_DEPTH || gain_of(s, low, high, depth) <= PACKED)
        return;
    const ir_instr *x = p->f->values[low.id].def, *y = p->f->values[high.id].def;
    p->seeds.mate[low.id] = high.id;
    p->seeds.mate[high.id] = low.id;
    p->seeds.low[low.id] = true;
    for (unsigned k = 0; k < x->n_refs && kind != OPT_PAIR_PARTS; k++) {
        ir_ref a = opt_pair_operand(p, x, k, kind), b = opt_pair_operand(p, y, k, kind);
        if (!is_place_shared(p, a, b))
            make_mates(s, a, b, depth + 1);
    }
}

static void
plant(seeker *s, ir_ref low, ir_ref high)
{
    if (!is_place_shared(s->p, low, high) && gain_of(s, low, high, 0) >= 0)
        make_mates(s, low, high, 0);
}

/* ---- phis ---- */

typedef struct candidate {
    ir_instr *phi;
    uint64_t kind;  /* hash of what defines its operands */
    uint32_t order; /* of its component: see order_of */
} candidate;

/* Components are usually computed in their order. The number that comes into a phi last, through
 * any phis of inner loops, tells it. */
static uint32_t
order_of(const ir_fn *f, const ir_instr *phi)
{
    enum { MAX_PHIS = 16 };
    ir_ref r = phi->refs[phi->n_refs - 1];
    const ir_instr *def = f->values[r.id].def;
    for (unsigned k = 0; k < MAX_PHIS && def->op == IR_phi; k++) {
        r = def->refs[def->n_refs - 1];
        def = f->values[r.id].def;
    }
    return r.id << 2 | (r.comp & 3);
}

static uint64_t
kind_of_operands(const ir_fn *f, const ir_instr *phi)
{
    uint64_t hash = 0;
    for (unsigned k = 0; k < phi->n_refs; k++) {
        const ir_value *v = &f->values[phi->refs[k].id];
        bool constant = v->def->op == IR_load_const || v->def->op == IR_undef;
        uint64_t kind = constant                     ? 0
                        : ir_type_comps(v->type) > 1 ? (uint64_t)phi->refs[k].id << 32
                                                     : v->def->op + 1u;
        hash = base_hash64(hash + kind + (constant ? 0 : (uint64_t)v->def->block->index << 16));
    }
    return hash;
}

static int
compare(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void
add_phi_pair(seeker *s, ir_instr *low, ir_instr *high)
{
    opt_pair_seeds *seeds = &s->p->seeds;
    seeds->phis = arena_grow(s->p->scratch, seeds->phis, &seeds->cap_phis, seeds->n_phis + 1,
                             sizeof *seeds->phis);
    seeds->phis[seeds->n_phis++] = (opt_phi_pair){.low = low, .high = high};
    opt_put_pair(s->p, low->defs[0].id, high->defs[0].id);
}

static void
find_phis(seeker *s, const ir_block *b)
{
    opt_pairing *p = s->p;
    candidate *found = NULL;
    size_t n = 0, cap = 0;
    for (ir_instr *i = b->first; i && i->op == IR_phi; i = i->next) {
        if (p->f->values[i->defs[0].id].type != IR_I16 || p->rule(p->f, i) == OPT_PAIR_NONE)
            continue;
        found = arena_grow(p->scratch, found, &cap, n + 1, sizeof *found);
        found[n++] = (candidate){i, kind_of_operands(p->f, i), order_of(p->f, i)};
    }
    if (n > 1)
        qsort(found, n, sizeof *found, compare);
    for (size_t k = 0; k + 1 < n; k++) {
        if (found[k].kind == found[k + 1].kind) {
            add_phi_pair(s, found[k].phi, found[k + 1].phi);
            k++;
        }
    }
}

/* ---- all ---- */

static void
find_in(seeker *s, const ir_instr *i)
{
    bool vector = i->op == IR_vec && ir_type_bits(s->p->f->values[i->defs[0].id].type) == 16;
    if (!vector && i->op != IR_pack_32_2x16)
        return;
    for (unsigned k = 0; k + 1 < i->n_refs; k += 2)
        plant(s, i->refs[k], i->refs[k + 1]);
}

void
opt_find_pair_seeds(opt_pairing *p)
{
    size_t n = p->f->n_values;
    seeker s = {p, ARENA_ARRAY(p->scratch, n, uint32_t), ARENA_ARRAY(p->scratch, n, int)};
    p->seeds.mate = ARENA_ARRAY(p->scratch, n, uint32_t);
    p->seeds.low = ARENA_ARRAY(p->scratch, n, bool);
    IR_FOREACH_BLOCK(b, p->f)
        find_phis(&s, b);
    for (size_t k = 0; k < p->seeds.n_phis; k++) {
        const opt_phi_pair *pair = &p->seeds.phis[k];
        for (unsigned r = 0; r < pair->low->n_refs; r++)
            plant(&s, pair->low->refs[r], pair->high->refs[r]);
    }
    IR_FOREACH_BLOCK(b, p->f) {
        IR_FOREACH_INSTR(i, b)
            find_in(&s, i);
    }
}
