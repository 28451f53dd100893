/* Which 16-bit numbers should share a register (pair_halves.c): those that are packed anyway.
 *
 * Neighbouring components of a vector, the operands of pack_32_2x16, and two phis that get numbers
 * of the same kind from each predecessor are seeds. A seed's numbers, if one opcode computes both,
 * are mates, and so are, operand by operand, the numbers that they are computed from. The tree of
 * mates is worth it if it has fewer instructions: each pair saves one, each pair of operands that
 * are not mates and not in one register costs one, and the seed's own packing is saved.
 *
 * Nothing needs the results of twins in one register: here the tree must save more by itself.
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
    if (!same || p->seeds.mate[a.id] || p->seeds.mate[b.id] || p->at[a.id].reg || p->at[b.id].reg)
        return OPT_PAIR_NONE;
    opt_pair_kind kind = p->rule(p->f, x);
    return p->rule(p->f, y) == kind ? kind : OPT_PAIR_NONE;
}

/* How well do two operands fit together, before what they are computed from is known? */
static unsigned
fit(const opt_pairing *p, ir_ref a, ir_ref b)
{
    return is_place_shared(p, a, b) ? 2 : kind_of(p, a, b) != OPT_PAIR_NONE;
}

/* Two operations, and whether the first two operands of the second one are exchanged. */
typedef struct couple {
    const ir_instr *x, *y;
    opt_pair_kind kind;
    bool exchange;
} couple;

static couple
couple_of(const opt_pairing *p, ir_ref a, ir_ref b, opt_pair_kind kind)
{
    couple c = {p->f->values[a.id].def, p->f->values[b.id].def, kind, false};
    if (!ir_has_flag(c.x, IR_OP_COMMUTES) || kind == OPT_PAIR_PARTS)
        return c;
    ir_ref x[2], y[2];
    for (unsigned k = 0; k < 2; k++) {
        x[k] = opt_pair_operand(p, c.x, k, kind);
        y[k] = opt_pair_operand(p, c.y, k, kind);
    }
    c.exchange = fit(p, x[0], y[1]) + fit(p, x[1], y[0]) > fit(p, x[0], y[0]) + fit(p, x[1], y[1]);
    return c;
}

/* Operand `k` of the second operation. */
static ir_ref
second_operand(const opt_pairing *p, const couple *c, unsigned k)
{
    return opt_pair_operand(p, c->y, c->exchange && k < 2 ? 1 - k : k, c->kind);
}

static int
gain_of(seeker *s, ir_ref a, ir_ref b, unsigned depth);

/* The gain of two operands; conditions must be the same. */
static int
operand_gain(seeker *s, const couple *c, unsigned k, unsigned depth)
{
    opt_pairing *p = s->p;
    ir_ref a = opt_pair_operand(p, c->x, k, c->kind), b = second_operand(p, c, k);
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
    const couple c = couple_of(s->p, a, b, kind);
    int gain = 1;
    for (unsigned k = 0; k < c.x->n_refs; k++)
        gain += operand_gain(s, &c, k, depth);
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
    const couple c = couple_of(p, low, high, kind);
    p->seeds.mate[low.id] = high.id;
    p->seeds.mate[high.id] = low.id;
    p->seeds.low[low.id] = true;
    for (unsigned k = 0; k < c.x->n_refs && kind != OPT_PAIR_PARTS; k++) {
        ir_ref a = opt_pair_operand(p, c.x, k, kind), b = second_operand(p, &c, k);
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

static seeker
make_seeker(opt_pairing *p)
{
    size_t n = p->f->n_values;
    return (seeker){p, ARENA_ARRAY(p->scratch, n, uint32_t), ARENA_ARRAY(p->scratch, n, int)};
}

void
opt_find_pair_seeds(opt_pairing *p)
{
    size_t n = p->f->n_values;
    seeker s = make_seeker(p);
    p->seeds.mate = ARENA_ARRAY(p->scratch, n, uint32_t);
    p->seeds.low = ARENA_ARRAY(p->scratch, n, bool);
    IR_FOREACH_BLOCK(b, p->f)
        find_phis(&s, b);
    for (size_t k = 0; k < p->seeds.n_phis; k++) {
        const opt_phi_pair *pair = &p->seeds.phis[k];
        for (unsigned r = 0; r < pair->low->n_refs; r++)
            plant(&s, pair->low->refs[r], pair->high->refs[r]);
    }
    IR_FOREACH_INSTR_OF(i, p->f)
        find_in(&s, i);
}

/* ---- twins ---- */

static bool
is_single(const opt_pairing *p, const ir_instr *i)
{
    uint32_t id = i->n_defs ? i->defs[0].id : 0;
    return id && ir_has_flag(i, IR_OP_ALU) && p->f->values[id].type == IR_I16 && !p->at[id].reg &&
           !p->seeds.mate[id] && p->rule(p->f, i) != OPT_PAIR_NONE;
}

/* By value: how many instructions of its block compute it one after the other. */
static void
find_depths(const opt_pairing *p, const ir_block *b, uint32_t *depths)
{
    IR_FOREACH_INSTR(i, b) {
        uint32_t depth = 0;
        for (unsigned r = 0; r < i->n_refs && i->op != IR_phi; r++) {
            bool here = ir_is_value(i->refs[r]) && p->f->values[i->refs[r].id].def->block == b;
            if (here && depths[i->refs[r].id] > depth)
                depth = depths[i->refs[r].id];
        }
        for (unsigned d = 0; d < i->n_defs; d++)
            depths[i->defs[d].id] = depth + 1;
    }
}

/* Equal for operations whose opcodes and operands' opcodes are the same. Since their depth is, too,
 * neither is computed from the other. */
static uint64_t
shape_of(const opt_pairing *p, const ir_instr *i, uint32_t depth)
{
    opt_pair_kind kind = p->rule(p->f, i);
    uint64_t of[3] = {0}, shape = i->op | (uint64_t)i->form << 16 | (uint64_t)depth << 32;
    for (unsigned k = 0; k < i->n_refs; k++)
        of[k] = p->f->values[opt_pair_operand(p, i, k, kind).id].def->op;
    if (ir_has_flag(i, IR_OP_COMMUTES) && of[0] > of[1]) {
        uint64_t t = of[0];
        of[0] = of[1];
        of[1] = t;
    }
    return base_hash64(shape ^ base_hash64(of[0] | of[1] << 16 | of[2] << 32));
}

/* The last operations come first: what they are computed from follows them. A tree is worth it if
 * it saves more than what its results, apart again, may cost. */
static bool
find_twins_in(seeker *s, const ir_block *b, const uint32_t *depths)
{
    enum { ENOUGH = 2 };
    opt_pairing *p = s->p;
    base_map waiting = map_make(p->scratch);
    bool any = false;
    for (ir_instr *i = b->last; i; i = i->prev) {
        uint64_t other = 0;
        if (!is_single(p, i))
            continue;
        uint64_t shape = shape_of(p, i, depths[i->defs[0].id]);
        bool found = map_get(&waiting, shape, &other) && other && !p->seeds.mate[other] &&
                     gain_of(s, i->defs[0], p->f->values[other].def->defs[0], 0) >= ENOUGH;
        if (found)
            make_mates(s, i->defs[0], p->f->values[other].def->defs[0], 0);
        map_put(&waiting, shape, found ? 0 : i->defs[0].id);
        any |= found;
    }
    return any;
}

bool
opt_find_pair_twins(opt_pairing *p)
{
    seeker s = make_seeker(p);
    uint32_t *depths = ARENA_ARRAY(p->scratch, p->f->n_values, uint32_t);
    bool any = false;
    IR_FOREACH_BLOCK(b, p->f) {
        find_depths(p, b, depths);
        any |= find_twins_in(&s, b, depths);
    }
    return any;
}
