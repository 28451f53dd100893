/* Liveness of registers under execution masks.
 *
 * First a forward walk names masks. A mask that comes into being at one place of the code (an
 * instruction that changes the execution mask, or a block where different ones meet) gets a number,
 * and a parent, which contains it; its number and its parent's are those of the moment, as with SSA
 * values: running the place again makes a new one. The walk knows for scalar registers which mask
 * they hold, or which one contains theirs: that is how `exec = saved` is recognised as the mask of
 * before, and `exec &= condition` as a part of it.
 *
 * Then a backward walk finds for each half of each register the smallest known mask that contains
 * all lanes that may still be read, perhaps without a part of it that has been written since. A
 * read makes it the mask in force; a write ends it if the mask in force contains it, or leaves the
 * rest. Where a mask came into being, what was live in it becomes live in its parent; where blocks
 * meet, in the mask that the edge brings. The two sides of an `if` are parts of one mask of which
 * each is the rest of the other: a value that both write is not live before. On the way of a branch
 * that is taken because the mask is empty, nothing is live in it. Two masks join to the nearest
 * common ancestor. Both walks only ever move to larger masks, so they end.
 *
 * A read of other lanes counts in the outermost mask that the wave has had: lanes outside of it
 * never held a value. If the code makes masks that nothing is known of (all lanes, quads), it
 * counts in all lanes. Scalar registers are live in all lanes or not at all.
 */
#include "family/liveness.h"

#include "base/bitset.h"

#include <string.h>

enum { ALL = 1, FIRST = 2 }; /* numbers of masks: 0 none; then one a block, one an instruction */
enum { MASK_REGISTERS = 128 };

/* What a register holds as a mask: a part of `id`, exactly `id`, or the rest of its parent. States
 * are compared as bytes, so there is no padding. */
enum { PART, EXACT, REST };
typedef struct mask_value {
    uint32_t id;
    uint32_t form; /* PART, EXACT, REST */
    uint32_t def;  /* the instruction that has put it there, from 1 on; 0: not known */
} mask_value;

/* The lanes in which a register is live: those of `mask` that are not in `without`. 0: none. */
typedef struct live_lanes {
    uint32_t mask, without;
} live_lanes;

typedef struct mask_state {
    uint32_t active; /* 0: not reached yet */
    mask_value held[MASK_REGISTERS];
} mask_state;

typedef struct analysis {
    const family_code *c;
    family_liveness *out;
    arena *a;
    uint32_t n_masks, *parent; /* by mask */
    uint32_t *active;          /* the mask in force before each instruction */
    uint32_t *left;            /* and behind each block */
    mask_state *in, now;       /* of blocks */
    uint32_t *stamp, stamps;   /* by mask: visited by nearest() */
    uint32_t *first;           /* by block: the mask that the first edge brings */
    bool *meets;               /* by block: different masks meet there */
    bool again;                /* another such block has been found */
    bool widens;               /* the code makes masks that nothing is known of */
    bool pairs;                /* a mask takes two scalar registers */
    uint32_t *rest_of;         /* by mask: the other part of the parent, made before; 0: none */
    uint32_t *chosen_by;       /* by mask: made of its parent and what this instruction has made */
    live_lanes **live, *state; /* by block: of each half of each register, before it */
} analysis;

/* ---- masks ---- */

static uint32_t
block_mask(uint32_t block)
{
    return FIRST + block;
}

static uint32_t
inst_mask(const analysis *x, uint32_t inst)
{
    return FIRST + x->c->n_blocks + inst;
}

/* Is `outer` the mask itself or an ancestor? */
static bool
contains(const analysis *x, uint32_t outer, uint32_t mask)
{
    for (uint32_t steps = 0; mask && steps < x->n_masks; steps++) {
        if (mask == outer)
            return true;
        mask = x->parent[mask];
    }
    return false;
}

/* The nearest common ancestor. */
static uint32_t
nearest(analysis *x, uint32_t a, uint32_t b)
{
    if (!a || !b || a == b)
        return a ? a : b;
    x->stamps++;
    for (uint32_t m = a; m && x->stamp[m] != x->stamps; m = x->parent[m])
        x->stamp[m] = x->stamps;
    for (uint32_t m = b, steps = 0; m && steps < x->n_masks; m = x->parent[m], steps++)
        if (x->stamp[m] == x->stamps)
            return m;
    return ALL;
}

/* Gives a mask a parent, or moves it to an ancestor of both. Its own descendants, which are of the
 * time before, lead to it and are passed over. */
static void
set_parent(analysis *x, uint32_t mask, uint32_t parent)
{
    uint32_t old = x->parent[mask];
    x->parent[mask] = 0;
    if (contains(x, mask, parent))
        parent = old ? old : ALL;
    x->parent[mask] = old ? nearest(x, old, parent) : parent;
    x->widens |= x->parent[mask] == ALL && mask >= block_mask(x->c->n_blocks);
}

/* The outermost mask within all lanes. */
static uint32_t
outermost(const analysis *x, uint32_t mask)
{
    for (uint32_t steps = 0; !x->widens && mask != ALL && steps < x->n_masks; steps++) {
        if (x->parent[mask] == ALL)
            return mask;
        mask = x->parent[mask];
    }
    return ALL;
}

/* Where mask `made` comes into being again, the masks within the former one are only known to be
 * within its parent. */
static void
forget(analysis *x, uint32_t made)
{
    for (uint32_t r = 0; r < MASK_REGISTERS; r++)
        if (contains(x, made, x->now.held[r].id))
            x->now.held[r] = (mask_value){x->parent[made], PART, x->now.held[r].def};
}

/* ---- the forward walk ---- */

static mask_value
value_of(const analysis *x, uint16_t operand)
{
    if (operand == FAMILY_MASK_ALL)
        return (mask_value){ALL, EXACT, 0};
    if (operand == x->c->isa->mask)
        return (mask_value){x->now.active, EXACT, 0};
    return operand < MASK_REGISTERS ? x->now.held[operand] : (mask_value){ALL, PART, 0};
}

/* The smallest mask that is known to contain the value. */
static uint32_t
bound_of(const analysis *x, mask_value v)
{
    return v.form == REST ? x->parent[v.id] : v.id;
}

/* The rest of `a` without `b`, if that is known to be the rest of a mask in its parent. */
static mask_value
rest(const analysis *x, mask_value a, mask_value b)
{
    uint32_t active = x->now.active;
    if (a.form == REST && b.form == EXACT && b.id == a.id)
        return a;
    if (a.form == EXACT && b.form == EXACT && x->parent[b.id] == a.id && b.id != ALL)
        return (mask_value){b.id, REST, 0};
    /* the condition that chose the mask in force */
    if (a.form == EXACT && b.def && x->chosen_by[active] == b.def && x->parent[active] == a.id)
        return (mask_value){active, REST, 0};
    return (mask_value){bound_of(x, a), PART, 0};
}

/* Is `a` the rest of `b`'s parent? */
static bool
is_rest(const analysis *x, mask_value a, mask_value b)
{
    if (a.id == ALL || b.form != EXACT)
        return false;
    return a.form == REST
               ? a.id == b.id
               : a.form == EXACT && (x->rest_of[a.id] == b.id || x->rest_of[b.id] == a.id);
}

static mask_value
unite(analysis *x, mask_value a, mask_value b)
{
    if (is_rest(x, a, b) || is_rest(x, b, a))
        return (mask_value){x->parent[a.id], EXACT, 0};
    uint32_t both = nearest(x, bound_of(x, a), bound_of(x, b));
    bool whole = (a.form == EXACT && a.id == both) || (b.form == EXACT && b.id == both);
    return (mask_value){both, whole ? EXACT : PART, 0};
}

static mask_value
intersect(const analysis *x, mask_value a, mask_value b)
{
    uint32_t in_a = bound_of(x, a), in_b = bound_of(x, b);
    if (a.form == EXACT && contains(x, a.id, in_b) && b.form != PART)
        return b;
    if (b.form == EXACT && contains(x, b.id, in_a) && a.form != PART)
        return a;
    return (mask_value){contains(x, in_a, in_b) ? in_b : in_a, PART, 0};
}

static mask_value
combine(analysis *x, const family_mask_step *s)
{
    mask_value a = value_of(x, s->a), b = value_of(x, s->b), made;
    switch ((family_mask_op)s->op) {
    case FAMILY_MASK_COPY: return a;
    case FAMILY_MASK_PART: return (mask_value){bound_of(x, a), PART, 0};
    case FAMILY_MASK_REST: return rest(x, a, b);
    case FAMILY_MASK_BOTH: return intersect(x, a, b);
    case FAMILY_MASK_UNION: return unite(x, a, b);
    case FAMILY_MASK_DIFFER:
        made = x->parent[b.id] == a.id ? rest(x, a, b) : rest(x, b, a);
        if (made.form == REST)
            return made;
        break;
    case FAMILY_MASK_EITHER: break;
    }
    return (mask_value){nearest(x, bound_of(x, a), bound_of(x, b)), PART, 0};
}

/* Puts `v` in force at instruction `k`: the mask itself if it is known, else a new one. */
static mask_value
activate(analysis *x, uint32_t k, mask_value v)
{
    uint32_t made = inst_mask(x, k);
    if (v.form == EXACT && v.id != made) {
        x->now.active = v.id;
        x->widens |= v.id == ALL;
        return v;
    }
    x->rest_of[made] = v.form == REST && v.id != made ? v.id : 0;
    set_parent(x, made, bound_of(x, v));
    forget(x, made);
    x->now.active = made;
    return (mask_value){made, EXACT, 0};
}

/* The instruction that has made the condition, if a mask is chosen from the one in force by one. */
static uint32_t
condition_of(const analysis *x, const family_mask_step *s)
{
    mask_value a = value_of(x, s->a), b = value_of(x, s->b);
    if (s->op != FAMILY_MASK_BOTH)
        return 0;
    return a.form == EXACT ? b.def : b.form == EXACT ? a.def : 0;
}

/* A register that is written holds no known mask; nor does one of two registers that begins before
 * it. */
static void
lose(analysis *x, uint32_t k, const family_use *u)
{
    uint32_t first = u->first && x->pairs ? u->first - 1u : u->first;
    for (uint32_t r = first; r < (uint32_t)u->first + u->count; r++)
        if (r < MASK_REGISTERS)
            x->now.held[r] = (mask_value){ALL, PART, r == u->first ? k + 1 : 0};
}

static bool
writes_mask(const family_code *c, const family_code_inst *i)
{
    for (uint32_t k = i->first_use; k < i->first_use + i->n_uses; k++) {
        const family_use *u = &c->uses[k];
        if (u->write && u->first <= c->isa->mask + 1 && u->first + u->count > c->isa->mask)
            return true;
    }
    return false;
}

static void
take_step(analysis *x, uint32_t k, const family_mask_step *s, mask_value v)
{
    if (s->to != x->c->isa->mask) {
        if (s->to < MASK_REGISTERS)
            x->now.held[s->to] = (mask_value){v.id, v.form, k + 1};
        return;
    }
    mask_value now = activate(x, k, v);
    if (s->op == FAMILY_MASK_COPY && s->a < MASK_REGISTERS)
        x->now.held[s->a] = (mask_value){now.id, now.form, x->now.held[s->a].def};
}

static void
step_masks(analysis *x, uint32_t k)
{
    const family_code *c = x->c;
    const family_code_inst *i = &c->insts[k];
    const family_mask_step *steps = c->steps + i->first_step;
    mask_value made[FAMILY_MAX_STEPS];
    uint32_t condition = 0;
    bool activated = false;
    for (uint32_t s = 0; s < i->n_steps; s++) {
        made[s] = combine(x, &steps[s]);
        activated |= steps[s].to == c->isa->mask;
        condition |= steps[s].to == c->isa->mask ? condition_of(x, &steps[s]) : 0;
    }
    for (uint32_t u = i->first_use; u < i->first_use + i->n_uses; u++)
        if (c->uses[u].write && c->uses[u].first < MASK_REGISTERS)
            lose(x, k, &c->uses[u]);
    for (uint32_t s = 0; s < i->n_steps; s++)
        take_step(x, k, &steps[s], made[s]);
    if (!activated && writes_mask(c, i))
        activate(x, k, (mask_value){ALL, PART, 0});
    x->chosen_by[inst_mask(x, k)] = condition;
}

/* What a register holds where blocks meet: `old`, and `new` from a further edge. What holds the
 * mask in force on every edge holds that of the block. */
static mask_value
meet(analysis *x, uint32_t block, mask_value old, mask_value new)
{
    uint32_t made = block_mask(block), def = old.def == new.def ? old.def : 0;
    bool is_former = contains(x, made, new.id) && (new.id != made || x->now.active != made);
    bool is_same = old.id == new.id &&old.form == new.form && !is_former;
    bool was_mask = old.form == EXACT && (old.id == made || old.id == x->first[block]);
    if (is_same)
        return (mask_value){old.id, old.form, def};
    if (x->meets[block] && was_mask && new.form == EXACT &&new.id == x->now.active)
        return (mask_value){made, EXACT, def};
    if (is_former)
        new = (mask_value){x->parent[made] ? x->parent[made] : ALL, PART, 0};
    return (mask_value){nearest(x, bound_of(x, old), bound_of(x, new)), PART, def};
}

/* The first edge to a block. */
static void
begin_block(analysis *x, uint32_t to)
{
    uint32_t made = block_mask(to);
    x->in[to] = x->now;
    x->first[to] = x->now.active;
    if (!x->meets[to])
        return;
    set_parent(x, made, x->now.active);
    x->in[to].active = made;
}

/* Brings the state behind a block to one that follows. Returns true if that changes. */
static bool
flow_masks(analysis *x, uint32_t to)
{
    mask_state *in = &x->in[to];
    const mask_state before = *in;
    uint32_t made = block_mask(to);
    if (!in->active) {
        begin_block(x, to);
        return true;
    }
    if (in->active != x->now.active) {
        x->again |= !x->meets[to];
        x->meets[to] = true;
        set_parent(x, made,
                   nearest(x, in->active == made ? x->parent[made] : in->active, x->now.active));
        in->active = made;
    }
    for (uint32_t r = 0; r < MASK_REGISTERS; r++)
        in->held[r] = meet(x, to, in->held[r], x->now.held[r]);
    return memcmp(&before, in, sizeof before) != 0;
}

static void
enter(analysis *x, uint32_t block)
{
    uint32_t made = block_mask(block);
    x->parent[made] = ALL;
    x->in[block].active = made;
    for (uint32_t r = 0; r < MASK_REGISTERS; r++)
        x->in[block].held[r] = (mask_value){ALL, PART, 0};
}

/* Walks over a block, and to those that follow. Returns true if one of them has changed. */
static bool
walk_masks(analysis *x, uint32_t b, uint64_t *queued)
{
    const family_block *block = &x->c->blocks[b];
    const uint32_t next[2] = {block->next, block->target};
    bool changed = false;
    x->now = x->in[b];
    for (uint32_t k = block->first; k < block->end; k++) {
        x->active[k] = x->now.active;
        step_masks(x, k);
    }
    x->left[b] = x->now.active;
    for (unsigned e = 0; e < 2; e++)
        if (next[e] != FAMILY_NO_BLOCK && flow_masks(x, next[e])) {
            bitset_add(queued, next[e]);
            changed = true;
        }
    return changed;
}

/* Walks from block `b`, which nothing known leads to, until nothing changes. */
static void
walk_from(analysis *x, uint32_t b, uint64_t *queued)
{
    enter(x, b);
    bitset_add(queued, b);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t n = 0; n < x->c->n_blocks; n++)
            if (bitset_has(queued, n)) {
                bitset_remove(queued, n);
                again |= walk_masks(x, n, queued);
            }
    }
}

/* Starts again when it has found further blocks where different masks meet: a mask that was taken
 * for a part of the one before such a block is a part of the one that the block makes. */
static void
name_masks(analysis *x)
{
    const family_code *c = x->c;
    uint64_t *queued = bitset_new(x->a, c->n_blocks + 1u);
    do {
        x->again = x->widens = false;
        memset(x->parent, 0, x->n_masks * sizeof *x->parent);
        memset(x->rest_of, 0, x->n_masks * sizeof *x->rest_of);
        memset(x->chosen_by, 0, x->n_masks * sizeof *x->chosen_by);
        memset(x->in, 0, c->n_blocks * sizeof *x->in);
        for (uint32_t b = 0; b < c->n_blocks; b++)
            if (!b || !c->blocks[b].n_preds)
                walk_from(x, b, queued);
        for (uint32_t b = 0; b < c->n_blocks; b++)
            if (!x->in[b].active)
                walk_from(x, b, queued);
    } while (x->again);
}

/* ---- the backward walk ---- */

static const live_lanes dead, everywhere = {ALL, 0};

static bool
is_scalar(uint32_t r)
{
    return r < MASK_REGISTERS;
}

/* The lanes that are left after those of `mask` are gone. */
static live_lanes
take_away(const analysis *x, live_lanes l, uint32_t mask)
{
    if (contains(x, mask, l.mask))
        return dead;
    if (!l.without && x->parent[mask] == l.mask)
        return (live_lanes){l.mask, mask};
    if (l.without && (x->rest_of[mask] == l.without || x->rest_of[l.without] == mask))
        return dead;
    return l;
}

static live_lanes
unite_lanes(analysis *x, live_lanes a, live_lanes b)
{
    if (!a.mask || !b.mask)
        return a.mask ? a : b;
    if (a.mask == b.mask && a.without == b.without)
        return a;
    return (live_lanes){nearest(x, a.mask, b.mask), 0};
}

static void
end_use(analysis *x, const family_use *u, uint32_t active)
{
    for (uint32_t r = u->first; r < (uint32_t)u->first + u->count && r < x->out->n_registers; r++)
        for (unsigned h = 0; h < 2; h++) {
            live_lanes *s = &x->state[2 * r + h];
            if (s->mask && u->kills >> h & 1)
                *s = is_scalar(r) || u->all_lanes ? dead : take_away(x, *s, active);
        }
}

static void
begin_use(analysis *x, const family_use *u, uint32_t active)
{
    const live_lanes here = {u->all_lanes ? outermost(x, active) : active, 0};
    for (uint32_t r = u->first; r < (uint32_t)u->first + u->count && r < x->out->n_registers; r++)
        for (unsigned h = 0; h < 2; h++) {
            live_lanes *s = &x->state[2 * r + h];
            if (u->read >> h & 1)
                *s = is_scalar(r) ? everywhere : unite_lanes(x, *s, here);
        }
}

/* Before the mask `made` comes into being, what is live in it is live in its parent; what is live
 * in its parent but not in it is live in the other part, if that exists already. */
static void
leave_mask(analysis *x, uint32_t made)
{
    for (uint32_t n = 0; n < 2 * x->out->n_registers; n++) {
        live_lanes *s = &x->state[n];
        if (!s->mask || s->mask == ALL)
            continue;
        if (contains(x, made, s->mask))
            *s = (live_lanes){x->parent[made], 0};
        else if (s->without == made)
            *s = (live_lanes){x->rest_of[made] ? x->rest_of[made] : s->mask, 0};
    }
}

static void
all_live(analysis *x)
{
    for (uint32_t s = 0; s < 2 * x->out->n_registers; s++)
        x->state[s] = everywhere;
}

static void
step_back(analysis *x, uint32_t k)
{
    const family_code *c = x->c;
    const family_code_inst *i = &c->insts[k];
    uint32_t active = x->active[k] ? x->active[k] : ALL;
    if (x->parent[inst_mask(x, k)])
        leave_mask(x, inst_mask(x, k));
    for (uint32_t u = i->first_use; u < i->first_use + i->n_uses; u++)
        end_use(x, &c->uses[u], active);
    for (uint32_t u = i->first_use; u < i->first_use + i->n_uses; u++)
        begin_use(x, &c->uses[u], active);
    if (i->flow == FAMILY_UNKNOWN || i->flow == FAMILY_CALL)
        all_live(x);
}

static void
keep(analysis *x, uint32_t k)
{
    uint64_t *row = x->out->before + (size_t)k * x->out->n_words;
    memset(row, 0, x->out->n_words * sizeof *row);
    for (uint32_t r = 0; r < x->out->n_registers; r++)
        if (x->state[2 * r].mask || x->state[2 * r + 1].mask)
            bitset_add(row, r);
}

/* The mask that is known to be empty on the way from a block to one that follows; 0: none. */
static uint32_t
empty_mask(const analysis *x, uint32_t from, bool taken)
{
    const family_block *block = &x->c->blocks[from];
    const family_code_inst *last = &x->c->insts[block->end - 1];
    family_test test = taken ? FAMILY_TEST_NONE : FAMILY_TEST_ANY;
    bool tells = last->flow == FAMILY_MAYBE && last->test == test && block->next != block->target;
    return tells ? x->active[block->end - 1] : 0;
}

/* What is live before block `to`, as seen from behind block `from`. */
static live_lanes
carry(const analysis *x, live_lanes l, uint32_t from, uint32_t to)
{
    uint32_t made = block_mask(to), left = x->left[from], parent = x->parent[made];
    if (!l.mask || l.mask == ALL || x->in[to].active != made)
        return l;
    if (l.mask == made && left)
        return (live_lanes){left, 0};
    if (contains(x, made, l.mask))
        return (live_lanes){parent ? parent : ALL, 0};
    if (l.without && contains(x, made, l.without))
        return (live_lanes){l.mask, l.without == made && left != l.mask ? left : 0};
    return l;
}

/* Adds what is live before block `to`. */
static void
join(analysis *x, uint32_t from, uint32_t to, bool taken)
{
    const live_lanes *live = to == FAMILY_NO_BLOCK ? NULL : x->live[to];
    if (!live)
        return;
    uint32_t empty = empty_mask(x, from, taken);
    for (uint32_t s = 0; s < 2 * x->out->n_registers; s++) {
        live_lanes l = carry(x, live[s], from, to);
        if (empty && empty != ALL && l.mask && !is_scalar(s / 2))
            l = take_away(x, l, empty);
        x->state[s] = unite_lanes(x, x->state[s], l);
    }
}

/* Walks over a block. Returns true if what is live before it has changed. */
static bool
walk_block(analysis *x, uint32_t b)
{
    const family_block *block = &x->c->blocks[b];
    size_t size = 2 * x->out->n_registers * sizeof *x->state;
    memset(x->state, 0, size);
    join(x, b, block->next, false);
    join(x, b, block->target, true);
    for (uint32_t k = block->end; k-- > block->first;) {
        step_back(x, k);
        keep(x, k);
    }
    if (x->live[b] && memcmp(x->live[b], x->state, size) == 0)
        return false;
    if (!x->live[b])
        x->live[b] = arena_alloc(x->a, size);
    memcpy(x->live[b], x->state, size);
    return true;
}

static void
find_live(analysis *x)
{
    const family_code *c = x->c;
    uint64_t *queued = bitset_new(x->a, c->n_blocks + 1u);
    for (uint32_t b = 0; b < c->n_blocks; b++)
        bitset_add(queued, b);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t b = c->n_blocks; b-- > 0;) {
            if (!bitset_has(queued, b))
                continue;
            bitset_remove(queued, b);
            if (!walk_block(x, b))
                continue;
            for (uint32_t p = 0; p < c->blocks[b].n_preds; p++)
                bitset_add(queued, c->preds[c->blocks[b].first_pred + p]);
            again = true;
        }
    }
}

/* ---- the result ---- */

/* One more than the highest register that the code uses. */
static uint32_t
count_registers(const family_code *c)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < c->n_insts; k++)
        for (uint32_t u = 0; u < c->insts[k].n_uses; u++) {
            const family_use *use = &c->uses[c->insts[k].first_use + u];
            uint32_t end = (uint32_t)use->first + use->count;
            n = end > n ? end : n;
        }
    return n;
}

/* Does the code put masks into two registers each? */
static bool
has_pairs(const family_code *c)
{
    for (uint32_t k = 0; k < c->n_insts; k++) {
        const family_code_inst *i = &c->insts[k];
        for (uint32_t s = 0; s < i->n_steps; s++)
            for (uint32_t u = 0; u < i->n_uses; u++) {
                const family_use *use = &c->uses[i->first_use + u];
                if (use->write && use->count == 2 && use->first == c->steps[i->first_step + s].to)
                    return true;
            }
    }
    return false;
}

void
family_live_behind(const family_liveness *l, uint32_t inst, uint64_t *out)
{
    const family_code *c = l->code;
    const family_block *b = &c->blocks[c->block_of[inst]];
    memset(out, 0, l->n_words * sizeof *out);
    if (inst + 1 < b->end) {
        memcpy(out, family_live_before(l, inst + 1), l->n_words * sizeof *out);
        return;
    }
    const uint32_t next[2] = {b->next, b->target};
    for (unsigned e = 0; e < 2; e++)
        if (next[e] != FAMILY_NO_BLOCK)
            bitset_union(out, family_live_before(l, c->blocks[next[e]].first), 64 * l->n_words);
}

family_liveness *
family_liveness_of(arena *a, arena *scratch, const family_code *c)
{
    family_liveness *out = ARENA_NEW(a, family_liveness);
    arena_mark mark = arena_save(scratch);
    analysis x = {.c = c, .out = out, .a = scratch};
    out->code = c;
    out->n_registers = count_registers(c);
    out->n_words = (uint32_t)BITSET_WORDS(out->n_registers + 1u);
    out->before = ARENA_ARRAY(a, (size_t)(c->n_insts + 1u) * out->n_words, uint64_t);
    x.n_masks = FIRST + c->n_blocks + c->n_insts;
    x.parent = ARENA_ARRAY(scratch, x.n_masks, uint32_t);
    x.rest_of = ARENA_ARRAY(scratch, x.n_masks, uint32_t);
    x.chosen_by = ARENA_ARRAY(scratch, x.n_masks, uint32_t);
    x.stamp = ARENA_ARRAY(scratch, x.n_masks, uint32_t);
    x.active = ARENA_ARRAY(scratch, c->n_insts + 1u, uint32_t);
    x.left = ARENA_ARRAY(scratch, c->n_blocks + 1u, uint32_t);
    x.first = ARENA_ARRAY(scratch, c->n_blocks + 1u, uint32_t);
    x.meets = ARENA_ARRAY(scratch, c->n_blocks + 1u, bool);
    x.pairs = has_pairs(c);
    x.in = ARENA_ARRAY(scratch, c->n_blocks + 1u, mask_state);
    x.live = ARENA_ARRAY(scratch, c->n_blocks + 1u, live_lanes *);
    x.state = ARENA_ARRAY(scratch, 2 * out->n_registers + 1u, live_lanes);
    name_masks(&x);
    find_live(&x);
    if (a != scratch)
        arena_release(scratch, mark);
    return out;
}
