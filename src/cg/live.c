/* Live variables, kill flags, register demand.
 *
 * The live sets solve the usual dataflow equations: the live-out set of a block contains what its
 * successors have live-in and what their phis take from it; the live-in set is the live-out set
 * without the block's definitions, with its uses. The blocks are visited from last to first. A
 * block is visited again if the set of a successor has changed since, which happens only for values
 * that are live through loops. The sets contain only values that cross blocks. These are numbered
 * in order, so that values defined near each other share a word of a bit set, and a set stores only
 * the words that are not zero: it is small where few values are live, and handles 64 values in one
 * step where many are. The results are sorted arrays.
 *
 * A second, backward walk over each block sets kill flags and counts demand.
 *
 * Blocks and instructions of a large function are far apart in memory. One walk reads all of them
 * and packs what the equations need (definitions, uses, edges) into arrays.
 */
#include "cg/live.h"
#include "base/bitset.h"

typedef struct live_value {
    uint32_t block;      /* where it is defined */
    uint32_t number;     /* values that cross blocks come first */
    uint8_t bank, units; /* what it counts */
} live_value;

/* The words of a bit set that are not zero, in ascending order. */
typedef struct word_set {
    uint32_t *at;
    uint64_t *bits;
    uint32_t count;
} word_set;

/* The lists that an edge is in. */
enum { EDGE_LOGICAL = 1, EDGE_LINEAR = 2 };

typedef struct live_edge {
    uint32_t to, lists;
} live_edge;

/* The different successors by block: those of block b end at start[b + 1]. */
typedef struct live_edges {
    live_edge *at;
    uint32_t *start;
    size_t n, cap, cap_back;
    bool *phis; /* by block: it begins with a phi */
} live_edges;

/* Values by block: those of block b end at start[b + 1]. */
typedef struct block_ids {
    uint32_t *ids, *start;
    size_t n, cap;
} block_ids;

typedef struct live_ctx {
    ir_fn *f;
    const ir_machine *machine;
    cg_live *live;
    arena *a;
    live_value *v;
    uint32_t n_cross, n_words; /* values that cross blocks, and the words that their numbers need */
    uint32_t *ids;             /* by number */
    uint64_t *linear;          /* the numbers of values that are live along linear edges */
    block_ids uses, defs;      /* values of other blocks that a block uses; its own that cross */
    word_set *in;              /* by block */
    word_set words;            /* room for one set */
    live_edges edges;
    uint32_t *visited, *grown; /* by block: when it was last visited, when `in` last changed */
    uint32_t time;
    uint32_t n_instrs;
    cg_demand *entry;  /* by block: of the live-in values */
    uint64_t *now;     /* the numbers of the values that are live at this point */
    uint64_t *touched; /* words of `now` in use, for values that cross blocks */
    cg_demand demand;
} live_ctx;

static const ir_class hir_class = {.units = 1};

/* ---- live sets ---- */

static cg_demand
add(cg_demand a, cg_demand b)
{
    for (unsigned k = 0; k < IR_MAX_BANKS; k++)
        a.units[k] += b.units[k];
    return a;
}

static void
count_value(cg_demand *d, const live_value *v)
{
    d->units[v->bank] += v->units;
}

/* The demand of a definition. HIR has no registers: each value counts as one. */
static void
note_definition(live_ctx *c, ir_ref def, const ir_block *b)
{
    const ir_class *class = c->machine ? &c->machine->classes[def.rc] : &hir_class;
    bool special = c->machine && (def.flags & IR_FIXED) && ir_is_special(c->machine, def.reg);
    live_value *v = &c->v[def.id];
    v->block = b->index;
    v->bank = class->bank;
    v->units = special ? 0 : class->units;
}

static void
note_crossing(live_ctx *c, uint32_t id, uint32_t mark)
{
    c->n_cross += c->v[id].number == 0;
    c->v[id].number = mark;
}

/* Collects the values of other blocks that `i` uses. Marks in `number` the values that cross blocks
 * with the last block that uses them, + 1. A phi uses its operand at the end of the predecessor.
 * All definitions in this block before `i` are known; that of a value of a later block need not be.
 */
static void
note_uses(live_ctx *c, const ir_instr *i, const ir_block *b)
{
    block_ids *u = &c->uses;
    bool phi = ir_has_flag(i, IR_OP_PHI);
    for (unsigned r = 0; r < i->n_refs; r++) {
        uint32_t id = i->refs[r].id;
        if (!ir_is_value(i->refs[r]))
            continue;
        if (phi && !c->v[id].number)
            note_crossing(c, id, UINT32_MAX);
        if (phi || c->v[id].block == b->index || c->v[id].number == b->index + 1)
            continue;
        note_crossing(c, id, b->index + 1);
        u->ids = arena_grow(c->a, u->ids, &u->cap, u->n + 1, sizeof *u->ids);
        u->ids[u->n++] = id;
    }
}

static void
note_edge(live_ctx *c, uint32_t from, uint32_t to, uint32_t list)
{
    live_edges *e = &c->edges;
    for (size_t k = e->start[from]; k < e->n; k++) {
        if (e->at[k].to == to) {
            e->at[k].lists |= list;
            return;
        }
    }
    e->at = arena_grow(c->a, e->at, &e->cap, e->n + 1, sizeof *e->at);
    e->at[e->n++] = (live_edge){to, list};
}

static void
note_edges(live_ctx *c, const ir_block *b)
{
    live_edges *e = &c->edges;
    bool back = false;
    for (unsigned list = 0; list < 2; list++) {
        for (uint32_t s = 0; s < b->succs[list].count; s++)
            note_edge(c, b->index, b->succs[list].at[s]->index, 1u << list);
    }
    for (size_t k = e->start[b->index]; k < e->n; k++)
        back |= e->at[k].to <= b->index;
    if (back) {
        cg_live *l = c->live;
        l->back = arena_grow(c->f->arena, l->back, &e->cap_back, l->n_back + 1, sizeof *l->back);
        l->back[l->n_back++] = b->index;
    }
    e->phis[b->index] = b->first && ir_has_flag(b->first, IR_OP_PHI);
    e->start[b->index + 1] = (uint32_t)e->n;
}

/* Reads the function, and numbers its instructions in order. */
static void
collect(live_ctx *c)
{
    size_t n = c->f->n_blocks;
    c->v = ARENA_ARRAY(c->a, c->f->n_values, live_value);
    c->uses.start = ARENA_ARRAY(c->a, n + 1, uint32_t);
    c->edges.start = ARENA_ARRAY(c->a, n + 1, uint32_t);
    c->edges.phis = ARENA_ARRAY(c->a, n, bool);
    IR_FOREACH_BLOCK(b, c->f) {
        IR_FOREACH_INSTR(i, b) {
            i->index = c->n_instrs++;
            note_uses(c, i, b);
            for (unsigned d = 0; d < i->n_defs; d++) {
                if (ir_is_value(i->defs[d]))
                    note_definition(c, i->defs[d], b);
            }
        }
        c->uses.start[b->index + 1] = (uint32_t)c->uses.n;
        note_edges(c, b);
    }
}

static void
number_values(live_ctx *c)
{
    uint32_t n = 0, n_local = 0;
    c->n_words = (uint32_t)BITSET_WORDS(c->n_cross);
    c->ids = ARENA_ARRAY(c->a, c->n_cross, uint32_t);
    c->linear = bitset_new(c->a, c->n_cross);
    for (uint32_t id = 0; id < c->f->n_values; id++) {
        if (!c->v[id].number) {
            c->v[id].number = c->n_words * 64 + n_local++;
            continue;
        }
        if (c->machine && c->machine->classes[c->f->values[id].type].edges == 1)
            bitset_add(c->linear, n);
        c->ids[n] = id;
        c->v[id].number = n++;
    }
    c->now = bitset_new(c->a, c->n_words * 64 + n_local);
    c->touched = bitset_new(c->a, c->n_words);
}

/* Collects the values that cross blocks, by the block that defines them. */
static void
sort_definitions(live_ctx *c)
{
    size_t n_blocks = c->f->n_blocks;
    uint32_t *start = ARENA_ARRAY(c->a, n_blocks + 2, uint32_t);
    c->defs = (block_ids){.ids = ARENA_ARRAY(c->a, c->n_cross, uint32_t), .start = start};
    for (uint32_t n = 0; n < c->n_cross; n++)
        start[c->v[c->ids[n]].block + 2]++;
    for (size_t b = 2; b <= n_blocks; b++)
        start[b] += start[b - 1];
    for (uint32_t n = 0; n < c->n_cross; n++)
        c->defs.ids[start[c->v[c->ids[n]].block + 1]++] = c->ids[n];
}

static void
add_now(live_ctx *c, uint32_t id)
{
    uint32_t number = c->v[id].number;
    bitset_add(c->now, number);
    if (number < c->n_cross)
        bitset_add(c->touched, number / 64);
}

/* Clears `now`, which contains exactly the elements of the set. */
static void
clear_now(live_ctx *c, const word_set *s)
{
    for (uint32_t k = 0; k < s->count; k++)
        c->now[s->at[k]] = 0;
    bitset_clear(c->touched, c->n_words);
}

/* Adds the operands that the phis of successor `to` take from `b`. */
static void
add_phi_operands(live_ctx *c, const ir_block *b, const ir_block *to, unsigned list)
{
    uint32_t pred = UINT32_MAX;
    for (const ir_instr *i = to->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        if (ir_has_flag(i, IR_OP_LINEAR_PHI) != (list == 1))
            continue;
        pred = pred == UINT32_MAX ? ir_pred_index(to, b, list) : pred;
        if (ir_is_value(i->refs[pred]))
            add_now(c, i->refs[pred].id);
    }
}

/* Adds the members of the set that are live along linear edges, the others, or both. */
static void
add_words(live_ctx *c, const word_set *s, bool linear, bool logical)
{
    for (uint32_t k = 0; k < s->count; k++) {
        uint32_t w = s->at[k];
        uint64_t bits = s->bits[k] & ((linear ? c->linear[w] : 0) | (logical ? ~c->linear[w] : 0));
        c->now[w] |= bits;
        c->touched[w / 64] |= (uint64_t)(bits != 0) << w % 64;
    }
}

/* Fills `now`, which is empty, with the values that are live out of `b`. */
static void
go_to_end(live_ctx *c, const ir_block *b)
{
    const live_edges *e = &c->edges;
    for (uint32_t k = e->start[b->index]; k < e->start[b->index + 1]; k++) {
        const live_edge *edge = &e->at[k];
        add_words(c, &c->in[edge->to], edge->lists & EDGE_LINEAR, edge->lists & EDGE_LOGICAL);
        for (unsigned list = 0; e->phis[edge->to] && list < 2; list++) {
            if (edge->lists >> list & 1)
                add_phi_operands(c, b, c->f->blocks[edge->to], list);
        }
    }
}

static void
go_to_beginning(live_ctx *c, uint32_t block)
{
    for (uint32_t k = c->defs.start[block]; k < c->defs.start[block + 1]; k++)
        bitset_remove(c->now, c->v[c->defs.ids[k]].number);
    for (uint32_t k = c->uses.start[block]; k < c->uses.start[block + 1]; k++)
        add_now(c, c->uses.ids[k]);
}

/* Copies the words of `now` for values that cross blocks to `words`. */
static void
gather_words(live_ctx *c)
{
    word_set *s = &c->words;
    s->count = 0;
    for (size_t t = 0; t < BITSET_WORDS(c->n_words); t++) {
        for (uint64_t left = c->touched[t]; left; left &= left - 1) {
            uint32_t w = (uint32_t)t * 64 + base_ctz64(left);
            s->at[s->count] = w;
            s->bits[s->count] = c->now[w];
            s->count += c->now[w] != 0;
        }
    }
}

static bool
same_words(const word_set *a, const word_set *b)
{
    for (uint32_t k = 0; k < a->count && a->count == b->count; k++) {
        if (a->at[k] != b->at[k] || a->bits[k] != b->bits[k])
            return false;
    }
    return a->count == b->count;
}

/* Makes `words` the live-in set; returns false if it was equal. */
static bool
set_in(live_ctx *c, word_set *in)
{
    const word_set *s = &c->words;
    if (same_words(s, in))
        return false;
    *in = (word_set){.at = arena_copy(c->a, s->at, s->count * sizeof *s->at),
                     .bits = arena_copy(c->a, s->bits, s->count * sizeof *s->bits),
                     .count = s->count};
    return true;
}

static void
update_block(live_ctx *c, const ir_block *b)
{
    c->visited[b->index] = ++c->time;
    go_to_end(c, b);
    go_to_beginning(c, b->index);
    gather_words(c);
    clear_now(c, &c->words);
    if (set_in(c, &c->in[b->index]))
        c->grown[b->index] = ++c->time;
}

/* Has the set of a successor changed since the last visit? */
static bool
is_stale(const live_ctx *c, uint32_t block)
{
    for (uint32_t k = c->edges.start[block]; k < c->edges.start[block + 1]; k++) {
        if (c->grown[c->edges.at[k].to] > c->visited[block])
            return true;
    }
    return false;
}

/* After a walk from the last block to the first, a block can only be stale because of an edge back.
 */
static void
solve(live_ctx *c)
{
    size_t n = c->f->n_blocks;
    c->in = ARENA_ARRAY(c->a, n, word_set);
    c->words.at = ARENA_ARRAY(c->a, c->n_words, uint32_t);
    c->words.bits = ARENA_ARRAY(c->a, c->n_words, uint64_t);
    c->visited = ARENA_ARRAY(c->a, n, uint32_t);
    c->grown = ARENA_ARRAY(c->a, n, uint32_t);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t k = (uint32_t)n; k-- > 0;) {
            if (!c->visited[k] || is_stale(c, k))
                update_block(c, c->f->blocks[k]);
        }
        for (uint32_t k = 0; k < c->live->n_back; k++)
            again |= is_stale(c, c->live->back[k]);
    }
}

/* The values of a set as a sorted array, and their demand. */
static cg_demand
list_values(const live_ctx *c, const word_set *s, cg_id_set *out)
{
    cg_demand demand = {0};
    uint32_t count = 0;
    for (uint32_t k = 0; k < s->count; k++)
        count += base_popcount64(s->bits[k]);
    out->ids = arena_alloc(c->f->arena, count * sizeof *out->ids);
    out->count = count;
    for (uint32_t k = 0, n = 0; k < s->count; k++) {
        for (uint64_t bits = s->bits[k]; bits; bits &= bits - 1) {
            uint32_t id = c->ids[s->at[k] * 64 + base_ctz64(bits)];
            out->ids[n++] = id;
            count_value(&demand, &c->v[id]);
        }
    }
    return demand;
}

/* The only successor, if it is plain that the live-out set of the block equals its live-in set;
 * else UINT32_MAX. */
static uint32_t
same_as_end(const live_ctx *c, uint32_t block)
{
    uint32_t first = c->edges.start[block];
    if (c->edges.start[block + 1] != first + 1)
        return UINT32_MAX;
    live_edge only = c->edges.at[first];
    bool same = only.lists == (EDGE_LOGICAL | EDGE_LINEAR) && !c->edges.phis[only.to];
    return same ? only.to : UINT32_MAX;
}

/* Lists the values of `s`, a live-in or live-out set of the block; returns their demand. A
 * successor that is listed already and has the same set lends its array. */
static cg_demand
list_at(const live_ctx *c, uint32_t block, const word_set *s, cg_id_set *out)
{
    for (uint32_t k = c->edges.start[block]; k < c->edges.start[block + 1]; k++) {
        uint32_t to = c->edges.at[k].to;
        if (c->live->in[to].ids && same_words(s, &c->in[to])) {
            *out = c->live->in[to];
            return c->entry[to];
        }
    }
    return list_values(c, s, out);
}

/* ---- kill flags and demand ---- */

static void
make_live(live_ctx *c, uint32_t id)
{
    add_now(c, id);
    count_value(&c->demand, &c->v[id]);
}

/* Ends the live ranges of the definitions of `i`; returns the size of those that are never used. */
static cg_demand
end_definitions(live_ctx *c, ir_instr *i)
{
    cg_demand dead = {0};
    for (unsigned d = 0; d < i->n_defs; d++) {
        ir_ref *def = &i->defs[d];
        if (!ir_is_value(*def))
            continue;
        const live_value *v = &c->v[def->id];
        bool live = bitset_has(c->now, c->v[def->id].number);
        def->flags = (uint8_t)(live ? def->flags & ~IR_KILL : def->flags | IR_KILL);
        if (!live) {
            count_value(&dead, v);
            continue;
        }
        bitset_remove(c->now, v->number);
        c->demand.units[v->bank] -= v->units;
    }
    return dead;
}

static void
flag_kills(ir_instr *i, uint32_t id)
{
    unsigned flags = IR_KILL | IR_FIRST_KILL;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (!ir_is_value(i->refs[r]) || i->refs[r].id != id)
            continue;
        i->refs[r].flags |= (uint8_t)flags;
        flags = IR_KILL;
    }
}

/* If one reference to the value of reference `first` is a late kill, all of them become late kills.
 * Returns whether that is so. */
static bool
spread_late_kill(ir_instr *i, unsigned first)
{
    unsigned late = 0;
    for (unsigned r = first; r < i->n_refs; r++) {
        if (ir_is_value(i->refs[r]) && i->refs[r].id == i->refs[first].id)
            late |= i->refs[r].flags & IR_LATE_KILL;
    }
    for (unsigned r = first; r < i->n_refs; r++) {
        if (ir_is_value(i->refs[r]) && i->refs[r].id == i->refs[first].id)
            i->refs[r].flags |= (uint8_t)late;
    }
    return late != 0;
}

/* Makes the values that `i` uses live; returns the size of the late kills. */
static cg_demand
begin_operands(live_ctx *c, ir_instr *i)
{
    cg_demand late = {0};
    bool all_late = c->machine->kills_late(i->op);
    unsigned flags = 0;
    for (unsigned r = 0; r < i->n_refs; r++) {
        i->refs[r].flags &= (uint8_t) ~(IR_KILL | IR_FIRST_KILL);
        if (all_late && ir_is_value(i->refs[r]))
            i->refs[r].flags |= IR_LATE_KILL;
        flags |= i->refs[r].flags;
    }
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref ref = i->refs[r];
        if (!ir_is_value(ref) || bitset_has(c->now, c->v[ref.id].number))
            continue;
        make_live(c, ref.id);
        flag_kills(i, ref.id);
        if (flags & IR_LATE_KILL && spread_late_kill(i, r))
            count_value(&late, &c->v[ref.id]);
    }
    return late;
}

static bool
is_of_special(const ir_machine *m, ir_ref r)
{
    const ir_bank *bank = &m->banks[m->classes[r.rc].bank];
    unsigned unit = r.reg >> m->unit_shift;
    return ir_is_special(m, r.reg) ||
           (bank->special && unit >= bank->first + (unsigned)bank->special);
}

unsigned
cg_fixed_copy_if(const ir_machine *m, const ir_instr *i, unsigned r, bool dies)
{
    ir_ref ref = i->refs[r];
    bool copied = (ref.kind == IR_REF_CONST || ir_is_value(ref)) && !is_of_special(m, ref);
    for (unsigned k = 0; k < i->n_refs && copied && dies; k++)
        dies = i->refs[k].id != ref.id || !ir_is_value(i->refs[k]) || ir_same_ref(i->refs[k], ref);
    return copied && !dies ? m->classes[ref.rc].units : 0;
}

/* A tied operand that stays live, or is a constant, is copied first. */
static cg_demand
tied_copy(const live_ctx *c, const ir_instr *i)
{
    ir_tied t = c->machine->tied(i);
    cg_demand copy = {0};
    if (t.ref >= 0 && t.def >= 0 && i->refs[t.ref].kind != IR_REF_UNDEF &&
        !(i->refs[t.ref].flags & IR_KILL) && ir_is_value(i->defs[t.def]))
        count_value(&copy, &c->v[i->defs[t.def].id]);
    return copy;
}

/* What the copies of operands that must be in fixed registers take. */
static cg_demand
fixed_copies(const live_ctx *c, const ir_instr *i)
{
    cg_demand copies = {0};
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (i->refs[r].flags & IR_FIXED)
            copies.units[c->machine->classes[i->refs[r].rc].bank] += cg_fixed_copy(c->machine, i,
                                                                                   r);
    }
    return copies;
}

static void
visit_instr(live_ctx *c, ir_instr *i)
{
    cg_demand behind = c->demand;
    behind = add(behind, end_definitions(c, i));
    behind = add(behind, begin_operands(c, i));
    cg_demand before = add(c->demand, add(tied_copy(c, i), fixed_copies(c, i)));
    cg_demand most = cg_demand_max(before, behind);
    c->live->instrs[i->index] = most;
    cg_demand *block = &c->live->blocks[i->block->index];
    *block = cg_demand_max(*block, most);
}

/* The phis of a block act at once: their definitions begin together, and their references belong to
 * the predecessors. */
static void
visit_phis(live_ctx *c, ir_block *b)
{
    cg_demand entry = c->demand;
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        cg_demand dead = end_definitions(c, i);
        entry = add(entry, dead);
    }
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        c->live->instrs[i->index] = entry;
        for (unsigned r = 0; r < i->n_refs; r++) {
            uint32_t id = i->refs[r].id;
            bool kill = ir_is_value(i->refs[r]) && !bitset_has(c->now, c->v[id].number);
            i->refs[r].flags &= (uint8_t) ~(IR_KILL | IR_FIRST_KILL);
            i->refs[r].flags |= kill ? IR_KILL | IR_FIRST_KILL : 0;
        }
    }
    cg_demand *block = &c->live->blocks[b->index];
    *block = cg_demand_max(*block, entry);
}

/* Sets `demand` and the array of live-out values. */
static void
begin_block(live_ctx *c, const ir_block *b)
{
    uint32_t to = same_as_end(c, b->index);
    go_to_end(c, b);
    if (to != UINT32_MAX) {
        c->demand = c->entry[to];
        c->live->out[b->index] = c->live->in[to];
        return;
    }
    gather_words(c);
    c->demand = list_at(c, b->index, &c->words, &c->live->out[b->index]);
}

static void
visit_block(live_ctx *c, ir_block *b)
{
    begin_block(c, b);
    c->live->blocks[b->index] = c->demand;
    IR_FOREACH_INSTR_REVERSE(i, b) {
        if (ir_has_flag(i, IR_OP_PHI))
            break;
        visit_instr(c, i);
    }
    visit_phis(c, b);
    clear_now(c, &c->in[b->index]);
}

/* Computes the live-in sets; `live` has no others yet. */
static void
find_live_in(live_ctx *c)
{
    ir_fn *f = c->f;
    c->live->n_values = (uint32_t)f->n_values;
    c->live->in = ARENA_ARRAY(f->arena, f->n_blocks, cg_id_set);
    c->live->out = ARENA_ARRAY(f->arena, f->n_blocks, cg_id_set);
    collect(c);
    number_values(c);
    sort_definitions(c);
    solve(c);
    c->entry = ARENA_ARRAY(c->a, f->n_blocks, cg_demand);
    for (uint32_t b = (uint32_t)f->n_blocks; b-- > 0;)
        c->entry[b] = list_at(c, b, &c->in[b], &c->live->in[b]);
}

cg_live *
cg_find_live_sets(ir_fn *f)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    cg_live *live = ARENA_NEW(f->arena, cg_live);
    live_ctx c = {.f = f, .machine = f->level->machine, .live = live, .a = f->ctx->scratch};
    find_live_in(&c);
    IR_FOREACH_BLOCK(b, f) {
        begin_block(&c, b);
        gather_words(&c);
        clear_now(&c, &c.words);
    }
    arena_release(f->ctx->scratch, mark);
    return live;
}

void
cg_find_live(ir_fn *f)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    cg_live *live = ARENA_NEW(f->arena, cg_live);
    live_ctx c = {.f = f, .machine = f->level->machine, .live = live, .a = f->ctx->scratch};
    cg_demand most = {0};
    find_live_in(&c);
    live->blocks = ARENA_ARRAY(f->arena, f->n_blocks, cg_demand);
    live->instrs = ARENA_ARRAY(f->arena, c.n_instrs, cg_demand);
    IR_FOREACH_BLOCK(b, f) {
        visit_block(&c, b);
        most = cg_demand_max(most, live->blocks[b->index]);
    }
    arena_release(f->ctx->scratch, mark);
    cg_of(f)->live = live;
    cg_of(f)->max_demand = most;
    f->valid |= IR_HAS_LIVENESS | IR_HAS_KILLS;
    f->level->machine->demand_known(f);
}
