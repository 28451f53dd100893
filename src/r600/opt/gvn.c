/* Value numbering: a value that equals one which is known where it is computed is replaced.
 *
 * The walk follows the tree; what is computed inside an `if` or a region is known there alone, and
 * moves out of it if it is computed again behind (hoist.c).
 * Moves equal their sources, with their signs where the user can apply them. The results of slots
 * that compute one number are one value. */
#include "r600/opt/gvn.h"

#include "base/bits.h"

tree_slot *
r600_gvn_def(const gvn *g, const tree_operand *o)
{
    tree_node *n = o->kind == TREE_VALUE ? g->p->values[o->id].def : NULL;
    return n && n->kind == TREE_ALU && !n->is_pack ? n->slots : NULL;
}

/* ---- operands ---- */

/* `o` read with the signs of `outer`. */
static tree_operand
apply(const tree_operand *o, uint8_t outer)
{
    tree_operand r = *o;
    if (r.kind == TREE_CONST) {
        r.id &= outer & TREE_ABS ? 0x7fffffff : 0xffffffff;
        r.id ^= outer & TREE_NEG ? 0x80000000 : 0;
        return r;
    }
    if (outer & TREE_ABS)
        r.mods = TREE_ABS;
    r.mods ^= outer & TREE_NEG;
    return r;
}

static unsigned
count_kcache(const tree_node *n, r600_gen gen, const tree_operand *more)
{
    uint32_t keys[TREE_MAX_SLOTS * 3 + 1];
    unsigned count = 0;
    for (unsigned i = 0; i <= n->n; i++) {
        for (unsigned k = 0; k < (i < n->n ? r600_tree_sources(n->slots[i].op) : 1); k++) {
            const tree_operand *o = i < n->n ? &n->slots[i].src[k] : more;
            unsigned at = 0;
            if (o->kind != TREE_KCACHE)
                continue;
            const uint32_t key = (gen == R600_GEN_R600 ? o->id : o->id / 2) | (uint32_t)o->buffer
                                                                                  << 24;
            while (at < count && keys[at] != key)
                at++;
            if (at == count)
                keys[count++] = key;
        }
    }
    return count;
}

bool
r600_gvn_can_read(const gvn *g, const tree_node *n, unsigned slot, unsigned k,
                  const tree_operand *o)
{
    const tree_slot *s = &n->slots[slot];
    const r600_op_info *row = r600_op_row((r600_op)s->op);
    const r600_gen gen = g->p->chip->gen;
    (void)k;
    if (row->properties & (R600_P_INTERP | R600_P_F64) || row->format == R600_FMT_LDS)
        return o->kind == TREE_VALUE && !o->mods;
    if (o->mods &&
        (!r600_tree_is_float(s->op) || (row->format == R600_FMT_OP3 && o->mods & TREE_ABS)))
        return false;
    if (o->kind == TREE_CONST && n->is_pack) /* whose literals could be too many */
        return !(row->properties & R600_P_PREV) && (o->id == 0 || o->id == 0x3f800000);
    return o->kind != TREE_KCACHE || count_kcache(n, gen, o) <= (gen == R600_GEN_R600 ? 4u : 2u);
}

static bool
find_same(const gvn *g, const tree_operand *o, tree_operand *out)
{
    enum { MOST_STEPS = 64 }; /* phis can equal each other in a circle */
    *out = *o;
    for (unsigned i = 0; i < MOST_STEPS && out->kind == TREE_VALUE && g->same[out->id].kind; i++)
        *out = apply(&g->same[out->id], out->mods);
    return !r600_tree_same(out, o);
}

/* An operand becomes another one. Counts of uses only grow, so that they are never too low. */
static void
replace(gvn *g, tree_operand *at, const tree_operand *o)
{
    *at = *o;
    if (o->kind == TREE_VALUE)
        g->uses[o->id]++;
}

static void
improve_slots(gvn *g, tree_node *n)
{
    tree_operand o;
    for (unsigned i = 0; i < n->n; i++)
        for (unsigned k = 0; k < r600_tree_sources(n->slots[i].op); k++)
            if (find_same(g, &n->slots[i].src[k], &o) && r600_gvn_can_read(g, n, i, k, &o) &&
                r600_tree_may_change(g->p))
                replace(g, &n->slots[i].src[k], &o);
}

static void
improve_vectors(gvn *g, tree_node *n)
{
    for (unsigned i = 0; i < n->n; i++) {
        const uint8_t format = r600_op_row(n->vectors[i].inst.op)->format;
        const bool has_selects = format == R600_FMT_TEX || format == R600_FMT_CF_EXPORT;
        for (unsigned c = 0; c < 8; c++) {
            tree_operand *at = c < 4 ? &n->vectors[i].src[c] : &n->vectors[i].index[c - 4];
            tree_operand o;
            if (at->kind == TREE_VALUE && !at->mods && g->alias[at->id])
                at->id = g->alias[at->id];
            if (!find_same(g, at, &o))
                continue;
            const bool is_read = (o.kind == TREE_VALUE && !o.mods) ||
                                 (o.kind == TREE_CONST && has_selects &&
                                  (o.id == 0 || o.id == 0x3f800000));
            if (is_read && r600_tree_may_change(g->p))
                replace(g, at, &o);
        }
    }
}

static void
improve_phis(gvn *g, tree_phi *phi, unsigned first, unsigned n)
{
    for (; phi; phi = phi->next)
        for (unsigned i = first; i < n; i++) {
            tree_operand o;
            if (find_same(g, &phi->src[i], &o) &&
                (o.kind == TREE_CONST ||
                 ((o.kind == TREE_VALUE || o.kind == TREE_KCACHE) && !o.mods)) &&
                r600_tree_may_change(g->p))
                replace(g, &phi->src[i], &o);
        }
}

/* ---- equal nodes ---- */

static uint32_t
hash_node(const tree_node *n)
{
    uint64_t h = n->n;
    for (unsigned i = 0; i < n->n; i++) {
        const tree_slot *s = &n->slots[i];
        h = base_hash64(h ^ ((uint64_t)s->op << 16 | s->clamp << 8 | s->omod));
        for (unsigned k = 0; k < r600_tree_sources(s->op); k++)
            h = base_hash64(h ^ ((uint64_t)s->src[k].kind << 56 | (uint64_t)s->src[k].mods << 48 |
                                 (uint64_t)s->src[k].buffer << 40 | s->src[k].id));
    }
    return (uint32_t)h;
}

static bool
is_equal(const tree_node *a, const tree_node *b)
{
    if (a->n != b->n || a->is_pack != b->is_pack)
        return false;
    for (unsigned i = 0; i < a->n; i++) {
        const tree_slot *s = &a->slots[i], *t = &b->slots[i];
        if (s->op != t->op || s->clamp != t->clamp || s->omod != t->omod ||
            (a->is_pack && s->slot != t->slot) || (t->def && !s->def))
            return false;
        for (unsigned k = 0; k < r600_tree_sources(s->op); k++)
            if (!r600_tree_same(&s->src[k], &t->src[k]))
                return false;
    }
    return true;
}

/* The entry of a node that equals `n`: of one that `n` sees, or of one whose scope is left. */
static gvn_entry *
find_equal(const gvn *g, const tree_node *n, uint32_t hash, bool is_behind)
{
    for (uint32_t e = g->buckets[hash % GVN_BUCKETS]; e; e = g->entries[e - 1].next) {
        gvn_entry *entry = &g->entries[e - 1];
        if (entry->hash == hash && entry->is_behind == is_behind && is_equal(entry->n, n))
            return entry;
    }
    return NULL;
}

static void
add_entry(gvn *g, tree_node *n, uint32_t hash)
{
    uint32_t *bucket = &g->buckets[hash % GVN_BUCKETS];
    g->entries = (gvn_entry *)arena_grow(g->p->arena, g->entries, &g->cap_entries, g->n_entries + 1,
                                         sizeof *g->entries);
    g->entries[g->n_entries++] = (gvn_entry){*bucket, hash, n, false};
    *bucket = (uint32_t)g->n_entries;
}

static void
number_node(gvn *g, tree_node *n)
{
    const uint32_t hash = hash_node(n);
    gvn_entry *found = find_equal(g, n, hash, false);
    if (!found) {
        gvn_entry *behind = find_equal(g, n, hash, true);
        found = behind && r600_gvn_hoist(g, behind->n, n) ? behind : NULL;
    }
    if (found) {
        found->is_behind = false;
        for (unsigned i = 0; i < n->n; i++)
            if (n->slots[i].def)
                g->same[n->slots[i].def] = r600_tree_use(found->n->slots[i].def);
        return;
    }
    add_entry(g, n, hash);
}

static void
leave_scope(const gvn *g, size_t n)
{
    for (size_t i = n; i < g->n_entries; i++)
        g->entries[i].is_behind = true;
}

/* ---- nodes ---- */

/* Slots of a pack that compute the same: the one that wrote a register stands for all. */
static void
join_slots(gvn *g, const tree_node *n)
{
    const bool is_scalar = r600_slots_of(g->p->isa, (r600_op)n->slots->op) == 'S';
    unsigned chosen = 0;
    if (!is_scalar && !(r600_op_row((r600_op)n->slots->op)->properties & R600_P_REPL))
        return;
    for (unsigned i = 0; i < n->n; i++) {
        const tree_slot *s = &n->slots[i];
        chosen = s->writes ? i : chosen;
        if (s->clamp != n->slots->clamp || s->omod != n->slots->omod)
            return;
    }
    for (unsigned i = 0; i < n->n; i++)
        if (i != chosen && n->slots[i].def && n->slots[chosen].def)
            g->same[n->slots[i].def] = r600_tree_use(n->slots[chosen].def);
}

static void
count_use(void *user, tree_node *n, tree_operand *o)
{
    gvn *g = user;
    (void)n;
    if (o->kind == TREE_VALUE)
        g->uses[o->id]++;
}

static bool
simplify(gvn *g, tree_node *n)
{
    if (!r600_tree_may_change(g->p) || !r600_gvn_simplify(g, n))
        return false;
    r600_tree_operands(n, count_use, g);
    return true;
}

/* A move of what an operation can read equals that; vectors, which cannot read it, share a move. */
static void
number_move(gvn *g, tree_node *n)
{
    const uint32_t hash = hash_node(n);
    const gvn_entry *found = find_equal(g, n, hash, false);
    g->same[n->slots->def] = n->slots->src[0];
    if (!found)
        add_entry(g, n, hash);
    else if (r600_tree_may_change(g->p))
        g->alias[n->slots->def] = found->n->slots->def;
}

/* An element whose index is known is a value; what a write leaves of the others are moves. */
static void
resolve_element(gvn *g, tree_node *n)
{
    const tree_access *a = n->access;
    const uint64_t at = (uint64_t)a->base + a->index.id;
    if (!r600_tree_may_change(g->p))
        return;
    n->access = NULL;
    if (!a->is_write) {
        n->slots->src[0] = at < a->n ? a->use[at] : (tree_operand){.kind = TREE_UNDEF};
        return;
    }
    n->slots->def = at < a->n ? a->def[at] : 0;
    for (uint32_t i = 0; i < a->n; i++) {
        if (i == at || !a->def[i])
            continue;
        tree_node *move = r600_tree_alu(g->p, R600_MOV);
        move->slots->src[0] = a->use[i];
        move->slots->def = a->def[i];
        g->p->values[a->def[i]].def = move;
        move->mark = n->mark;
        r600_tree_insert_before(n, move);
    }
}

/* Which of the equal values an array has stays as it is: they are in its registers. */
static void
walk_element(gvn *g, tree_node *n)
{
    tree_operand o;
    tree_operand *index = &n->access->index;
    if (find_same(g, index, &o) && !o.mods && r600_tree_may_change(g->p))
        replace(g, index, &o);
    if (n->access->is_write)
        improve_slots(g, n);
    if (index->kind == TREE_CONST)
        resolve_element(g, n);
}

static void
walk_alu(gvn *g, tree_node *n)
{
    if (n->access)
        walk_element(g, n);
    if (n->access)
        return;
    improve_slots(g, n);
    while (!n->is_pack && simplify(g, n))
        improve_slots(g, n);
    if (r600_tree_has_effect(n))
        return;
    const tree_slot *s = n->slots;
    if (!n->is_pack && s->op == R600_MOV && !s->clamp && !s->omod && s->def &&
        s->src[0].kind != TREE_SPECIAL && s->src[0].kind != TREE_UNDEF) {
        number_move(g, n);
        return;
    }
    number_node(g, n);
    if (n->is_pack)
        join_slots(g, n);
}

/* An `if` compares as an operation does. */
static void
walk_compare(gvn *g, tree_node *n)
{
    improve_slots(g, n);
    while (simplify(g, n))
        improve_slots(g, n);
}

static void
walk(gvn *g, tree_list *list)
{
    for (tree_node *n = list->first; n; n = n->next) {
        const size_t scope = g->n_entries;
        switch (n->kind) {
        case TREE_ALU: walk_alu(g, n); break;
        case TREE_FETCH:
        case TREE_FLOW: improve_vectors(g, n); break;
        case TREE_IF:
            walk_compare(g, n);
            walk(g, &n->body);
            leave_scope(g, scope);
            break;
        case TREE_REGION:
            improve_phis(g, n->loop_phis, 0, 1);
            walk(g, &n->body);
            leave_scope(g, scope);
            improve_phis(g, n->loop_phis, 1, 1 + n->n_repeats);
            improve_phis(g, n->phis, 0, n->n_departs);
            break;
        default: break;
        }
    }
}

/* A phi whose operands are all one value, or itself, is that value. */
static bool
join_phi(gvn *g, const tree_phi *phi, unsigned n)
{
    const tree_operand *one = NULL;
    for (unsigned i = 0; i < n; i++) {
        const tree_operand *o = &phi->src[i];
        if (o->kind == TREE_VALUE && o->id == phi->def && !o->mods)
            continue;
        if (one && !r600_tree_same(one, o))
            return false;
        one = o;
    }
    if (!one || one->kind == TREE_UNDEF || g->same[phi->def].kind)
        return false;
    g->same[phi->def] = *one;
    return true;
}

static void
place_phis(gvn *g, const tree_phi *phi, uint32_t position)
{
    for (; phi; phi = phi->next)
        g->phi_at[phi->def] = position;
}

static void
count_phi_uses(gvn *g, const tree_phi *phi, unsigned n)
{
    for (; phi; phi = phi->next)
        for (unsigned i = 0; i < n; i++)
            if (phi->src[i].kind == TREE_VALUE)
                g->uses[phi->src[i].id]++;
}

void
r600_opt_gvn(tree_program *p)
{
    gvn *g = ARENA_NEW(p->arena, gvn);
    g->p = p;
    g->same = ARENA_ARRAY(p->arena, p->n_values, tree_operand);
    g->uses = ARENA_ARRAY(p->arena, p->n_values, uint32_t);
    g->alias = ARENA_ARRAY(p->arena, p->n_values, uint32_t);
    g->phi_at = ARENA_ARRAY(p->arena, p->n_values, uint32_t);
    uint32_t position = 0;
    TREE_FOREACH(n, p) {
        n->mark = position += 2; /* what is moved comes between */
        r600_tree_operands(n, count_use, g);
        if (n->kind != TREE_REGION)
            continue;
        place_phis(g, n->loop_phis, n->mark);
        place_phis(g, n->phis, n->mark);
        count_phi_uses(g, n->loop_phis, 1 + n->n_repeats);
        count_phi_uses(g, n->phis, n->n_departs);
        for (const tree_phi *phi = n->loop_phis; phi; phi = phi->next)
            join_phi(g, phi, 1 + n->n_repeats);
        for (const tree_phi *phi = n->phis; phi; phi = phi->next)
            join_phi(g, phi, n->n_departs);
    }
    walk(g, &p->body);
}
