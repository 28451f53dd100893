/* Moves loads up to where the program waits for others anyway, so that it waits for all at once.
 *
 *     %1 = load_ssbo %8, %2              %1 = load_ssbo %8, %2
 *     if %3 then b1 ...                  %4 = load_ssbo %8, %5
 *         b1: %4 = load_ssbo %8, %5  ->  if %3 then b1 ...
 *             ... %4 ... %1                  b1: ... %4 ... %1
 *
 * Only loads that may be speculated move, with the few operations that make their addresses, to the
 * nearest block that dominates theirs in which there is a load of the same unit. They do not leave
 * a loop, nor an arm of an if
 *
 *   - whose other arm is not empty: of two arms, one load would be for nothing;
 *   - behind which the program ends, if no vector is loaded before it: the if asks whether the wave
 *     has work at all.
 *
 * A load whose address comes from a load of that block gains nothing there.
 *
 * What waits takes registers. So a block receives a limited number of components; a load that finds
 * no room goes to the block before the if that it is in, and others join it there.
 *
 * Loads of one descriptor that do not dominate each other become one, in the nearest block that
 * dominates them all.
 *
 * Time is linear: the way up, the operations that are looked at and the descriptors that are told
 * apart are limited.
 */
#include "opt/opt.h"
#include "opt/speculate.h"

#include "ir/dominance.h"
#include "ir/replace.h"

enum {
    MAX_STEPS = 16,       /* from a block to one that dominates it */
    MAX_OPERATIONS = 4,   /* that move with a load */
    MAX_LOOKED_AT = 16,   /* operations behind an address */
    MAX_DESCRIPTORS = 16, /* that are told apart */
};

typedef enum kind { DESCRIPTOR, SCALAR, VECTOR, N_KINDS } kind;

/* Components that a block receives. Those of vectors cost a program of few registers no waves. */
static const uint16_t room[N_KINDS] = {[DESCRIPTOR] = 32, [SCALAR] = 16, [VECTOR] = 12};

/* What a block has of loads of a unit. */
typedef struct holding {
    bool loads;
    uint16_t received;
} holding;

typedef struct descriptor {
    ir_instr *load;  /* the first in the program */
    ir_block *place; /* dominates all loads of it; NULL: none nearby */
} descriptor;

typedef struct hoist {
    ir_fn *f;
    holding (*blocks)[N_KINDS]; /* by block */
    descriptor descriptors[MAX_DESCRIPTORS];
    unsigned n_descriptors;
    ir_replacement map;
    bool changed;
} hoist;

/* ---- kinds ---- */

static bool
is_divergent(const ir_instr *i)
{
    return i->block->fn->values[i->defs[0].id].divergent;
}

/* Is it a load? Then `*k` receives its kind. */
static bool
is_load(const ir_instr *i, kind *k)
{
    if (i->n_defs != 1 || !ir_has_flag(i, IR_OP_INTRINSIC | IR_OP_TEX))
        return false;
    switch (i->op) {
    case IR_load_ubo:
    case IR_load_ssbo:
    case IR_load_global: *k = is_divergent(i) ? VECTOR : SCALAR; return true;
    case IR_image_load:
    case IR_tex: *k = VECTOR; return true;
    default:
        *k = DESCRIPTOR;
        return ir_has_flag(i, IR_OP_HANDLE) && ir_has_flag(i, IR_OP_INDEXED) && !is_divergent(i);
    }
}

static unsigned
components(const ir_instr *i)
{
    ir_type t = i->block->fn->values[i->defs[0].id].type;
    return ir_type_comps(t) * ((ir_type_bits(t) + 31u) / 32);
}

/* ---- addresses ---- */

/* Can the operands of `i` be computed at the end of `to`, if at most `*left` operations move? */
static bool
is_available(const hoist *h, const ir_instr *i, const ir_block *to, unsigned *left)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        const ir_instr *def = ir_def_of(h->f, i->refs[r]);
        if (!def || ir_dominates(def->block, to, 0))
            continue;
        bool moves = def->op == IR_load_const || ir_has_flag(def, IR_OP_ALU) || def->op == IR_vec;
        if (!moves || !*left)
            return false;
        --*left;
        if (!is_available(h, def, to, left))
            return false;
    }
    return true;
}

static bool
may_stand_in(const hoist *h, const ir_instr *i, const ir_block *to)
{
    unsigned left = MAX_OPERATIONS;
    return is_available(h, i, to, &left);
}

/* Do the operands of `i` come from a load of `k` in `b`? Yes if that cannot be told. */
static bool
waits_in(const hoist *h, const ir_instr *i, const ir_block *b, kind k, unsigned *left)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        const ir_instr *def = ir_def_of(h->f, i->refs[r]);
        kind other;
        if (!def || (def->block != b && ir_dominates(def->block, b, 0)) || def->op == IR_phi)
            continue;
        if (is_load(def, &other)) {
            if (other == k)
                return true;
            continue;
        }
        if (!*left)
            return true;
        --*left;
        if (waits_in(h, def, b, k, left))
            return true;
    }
    return false;
}

/* ---- the place ---- */

static bool
is_empty(const ir_block *b)
{
    return b->first == b->last && b->first->op == IR_jump;
}

/* Does the program end in `b`, or behind it, without doing anything? */
static bool
is_end(const ir_block *b)
{
    for (unsigned n = 0; n < MAX_STEPS && is_empty(b); n++)
        b = b->succs[0].at[0];
    return b->first == b->last && b->succs[0].count == 0;
}

/* Is `b`, whose nearest dominator is `up`, executed wherever that is, or the only arm of its if
 * that has instructions? */
static bool
may_leave(const hoist *h, const ir_block *b, const ir_block *up)
{
    const ir_instr *end = ir_terminator(up);
    if (end->op != IR_if || b == up->merge)
        return end->op == IR_if || end->op == IR_jump;
    const ir_block *other = up->succs[0].at[up->succs[0].at[0] == b];
    return is_empty(other) && (!is_end(up->merge) || h->blocks[up->index][VECTOR].loads);
}

static bool
has_room(const hoist *h, const ir_block *b, kind k, unsigned n)
{
    return h->blocks[b->index][k].received + n <= room[k];
}

/* Descriptors and uniform values have the scalar unit in common. */
static bool
has_loads(const hoist *h, const ir_block *b, kind k)
{
    const holding *at = h->blocks[b->index];
    return k == VECTOR ? at[VECTOR].loads : at[DESCRIPTOR].loads || at[SCALAR].loads;
}

/* The block to which the load moves; NULL if it stays. */
static ir_block *
find_place(const hoist *h, const ir_instr *i, kind k)
{
    ir_block *b = i->block, *before = NULL;
    for (unsigned n = 0; n < MAX_STEPS; n++) {
        ir_block *up = ir_idom(b, 0);
        unsigned left = MAX_LOOKED_AT;
        if (!up || up->loop_header != b->loop_header || !may_leave(h, b, up) ||
            !may_stand_in(h, i, up))
            return NULL;
        if (!before && b != up->merge)
            before = up;
        if (has_loads(h, up, k)) {
            if (k == VECTOR && waits_in(h, i, up, k, &left))
                return NULL;
            return has_room(h, up, k, components(i)) ? up : before;
        }
        b = up;
    }
    return NULL;
}

/* ---- moving ---- */

static void
move(hoist *h, ir_instr *i, ir_block *to)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_instr *def = ir_def_of(h->f, i->refs[r]);
        if (def && !ir_dominates(def->block, to, 0))
            move(h, def, to);
    }
    ir_unlink(i);
    ir_insert_before(ir_terminator(to), i);
    h->changed = true;
}

static void
move_load(hoist *h, ir_instr *i, kind k)
{
    ir_block *to = opt_may_speculate(i) ? find_place(h, i, k) : NULL;
    if (to && ir_may_change(h->f->ctx)) {
        move(h, i, to);
        holding *at = &h->blocks[to->index][k];
        at->received = (uint16_t)(at->received + components(i));
    }
    h->blocks[i->block->index][k].loads = true;
}

/* ---- descriptors ---- */

static bool
is_same(const hoist *h, const ir_instr *a, const ir_instr *b)
{
    bool same = a->op == b->op && a->n_refs == b->n_refs &&
                h->f->values[a->defs[0].id].type == h->f->values[b->defs[0].id].type;
    for (unsigned r = 0; same && r < a->n_refs; r++)
        same = ir_same_ref(a->refs[r], b->refs[r]);
    return same;
}

static descriptor *
find_descriptor(hoist *h, const ir_instr *i)
{
    for (unsigned k = 0; k < h->n_descriptors; k++) {
        if (is_same(h, h->descriptors[k].load, i))
            return &h->descriptors[k];
    }
    return NULL;
}

/* The nearest block that dominates both; NULL if it is far. */
static ir_block *
common_block(ir_block *a, const ir_block *b)
{
    for (unsigned n = 0; a && !ir_dominates(a, b, 0); n++)
        a = n < MAX_STEPS ? ir_idom(a, 0) : NULL;
    return a;
}

static void
note_descriptor(hoist *h, ir_instr *i)
{
    descriptor *d = find_descriptor(h, i);
    if (d && d->place)
        d->place = common_block(d->place, i->block);
    else if (!d && h->n_descriptors < MAX_DESCRIPTORS)
        h->descriptors[h->n_descriptors++] = (descriptor){i, i->block};
}

static void
note_descriptors(hoist *h)
{
    kind k;
    IR_FOREACH_INSTR_OF(i, h->f) {
        if (is_load(i, &k) && k == DESCRIPTOR && opt_may_speculate(i))
            note_descriptor(h, i);
    }
}

/* Loads of one descriptor become one, in a block that dominates them. */
static void
visit_descriptor(hoist *h, ir_instr *i)
{
    descriptor *d = find_descriptor(h, i);
    bool here = d && d->place && i->block == d->place;
    if (d && d->load != i && ir_dominates(d->load->block, i->block, 0) &&
        ir_may_change(h->f->ctx)) {
        ir_replace_add(&h->map, i->defs[0].id, d->load->defs[0]);
        ir_remove(i);
        h->changed = true;
        return;
    }
    if (d && d->load == i && d->place && !here && may_stand_in(h, i, d->place) &&
        ir_may_change(h->f->ctx))
        move(h, i, d->place);
    move_load(h, i, DESCRIPTOR);
}

static void
visit(hoist *h, ir_instr *i)
{
    kind k;
    ir_replace_in(&h->map, i);
    if (!is_load(i, &k))
        return;
    if (k == DESCRIPTOR)
        visit_descriptor(h, i);
    else if (i->op == IR_load_ubo || i->op == IR_load_ssbo)
        move_load(h, i, k);
    else
        h->blocks[i->block->index][k].loads = true;
}

bool
opt_hoist(ir_fn *f)
{
    if (f->n_blocks < 2)
        return false;
    hoist h = {.f = f, .map = {.f = f}};
    h.blocks = arena_zalloc(f->ctx->scratch, f->n_blocks * sizeof *h.blocks);
    note_descriptors(&h);
    IR_FOREACH_INSTR_OF(i, f)
        visit(&h, i);
    ir_replace_all(&h.map);
    return h.changed;
}
