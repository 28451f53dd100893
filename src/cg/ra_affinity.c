/* Finds values that should share registers or be adjacent, before allocation; such values form
 * webs.
 *
 * A web is a set of values with fixed distances between their registers, so that one position
 * determines all. Two values join at a distance if that distance makes a copy unnecessary: a phi
 * and the operands that die on its edges, both sides of a parallel copy whose source dies, a
 * definition and the operand tied to it (distance 0); a vector and the parts that it is made of or
 * split into, if they die there (distance: the part's position in the vector). Webs are union-find
 * classes whose links carry the distances. Two webs stay separate if the distance puts values that
 * live at the same time into one register. A live range is approximated by one interval of
 * instruction numbers, and only a few neighbours in large webs are checked: a web is only a
 * preference, and allocation is correct without it.
 *
 * The first member that gets a register decides the web's base, if the registers of all members are
 * free then, or will be when they are defined. These registers are then `wanted`: other values use
 * them only if they find no others.
 *
 * What a part of a vector is computed from joins the part, if it dies there: so the part is made in
 * place, and its registers do not wait beside those of the operands. Where registers are scarce,
 * values need their freedom more (cg_ra_has_choice).
 */
#include "cg/ra.h"

#include <string.h>

enum {
    WIDEST = 128,    /* bytes per web */
    NEIGHBOURS = 12, /* members checked on each side */
    MEMBERS = 64,    /* of a web whose registers may become free later */
};

typedef struct finder {
    ra_ctx *c;
    const cg_span *spans; /* by value */
} finder;

/* ---- webs ---- */

/* The root of the value's web; `*offset` is the value's position relative to the root's. */
static uint32_t
find_root(const ra_ctx *c, uint32_t id, int *offset)
{
    ra_web *w = c->webs;
    uint32_t root = id;
    int sum = 0;
    for (; w[root].parent != root; root = w[root].parent)
        sum += w[root].offset;
    *offset = sum;
    while (w[id].parent != root) {
        uint32_t parent = w[id].parent;
        int own = w[id].offset;
        w[id].parent = root;
        w[id].offset = (int16_t)sum;
        sum -= own;
        id = parent;
    }
    return root;
}

/* True if both values are live at some point: in SSA form, one is then live at the other's
 * definition. If a value dies in several blocks, only its last death is known; the others are
 * assumed to come first. */
static bool
live_together(const finder *n, uint32_t a, uint32_t b)
{
    const cg_span *s = n->spans;
    if (s[a].start >= s[b].end || s[b].start >= s[a].end)
        return false;
    uint32_t later = s[a].start > s[b].start ? a : b, earlier = later == a ? b : a;
    const ir_block *in = n->c->f->values[later].def->block;
    if (cg_live_has(&n->c->live->out[in->index], earlier))
        return true;
    return s[earlier].end <= 2 * in->last->index + 2;
}

static bool
overlap(int a, unsigned a_size, int b, unsigned b_size)
{
    return a < b + (int)b_size && b < a + (int)a_size;
}

/* True if members near `a` and near `b` would share registers while both live; `shift` is the
 * position of b's root relative to a's. */
static bool
interfere(const finder *n, uint32_t a, uint32_t b, int shift)
{
    const ra_web *w = n->c->webs;
    uint32_t x = a, y = b;
    for (unsigned k = 0; k < NEIGHBOURS; k++, x = w[x].next) {
        int at_x, at_y;
        if (k && x == a)
            return false;
        find_root(n->c, x, &at_x);
        y = b;
        for (unsigned m = 0; m < NEIGHBOURS && (m == 0 || y != b); m++, y = w[y].next) {
            find_root(n->c, y, &at_y);
            if (overlap(at_x, cg_ra_units(n->c, cg_ra_val(n->c, x)->rc), at_y + shift,
                        cg_ra_units(n->c, cg_ra_val(n->c, y)->rc)) &&
                live_together(n, x, y))
                return true;
        }
    }
    return false;
}

static int
modulo(int a, int m)
{
    return (a % m + m) % m;
}

/* Merges root `b` and its members into root `a`, at a distance of `shift` registers. */
static void
merge(ra_ctx *c, uint32_t a, uint32_t b, int shift)
{
    ra_web *x = &c->webs[a], *y = &c->webs[b];
    uint32_t next = x->next;
    x->next = y->next;
    y->next = next;
    y->parent = a;
    y->offset = (int16_t)shift;
    x->count += y->count;
    x->left += y->left;
    x->lo = (int16_t)(y->lo + shift < x->lo ? y->lo + shift : x->lo);
    x->hi = (int16_t)(y->hi + shift > x->hi ? y->hi + shift : x->hi);
    if (y->align > x->align) {
        x->align = y->align;
        x->phase = (uint8_t)modulo(y->phase - shift, y->align);
    }
}

/* Joins the webs so that `b` is `distance` registers after `a`, if possible. */
static void
join(const finder *n, uint32_t a, uint32_t b, int distance)
{
    ra_ctx *c = n->c;
    int at_a, at_b;
    uint32_t x = find_root(c, a, &at_a), y = find_root(c, b, &at_b);
    const ra_web *p = &c->webs[x], *q = &c->webs[y];
    int shift = at_a + distance - at_b;
    int lo = q->lo + shift < p->lo ? q->lo + shift : p->lo;
    int hi = q->hi + shift > p->hi ? q->hi + shift : p->hi;
    int align = p->align < q->align ? p->align : q->align;
    if (x == y || (hi - lo) << c->shift > WIDEST || modulo(p->phase + shift - q->phase, align) ||
        interfere(n, a, b, shift))
        return;
    if (p->count >= q->count)
        merge(c, x, y, shift);
    else
        merge(c, y, x, -shift);
}

static bool
may_join(const ra_ctx *c, ir_ref r)
{
    return ir_is_value(r) && !cg_ra_val(c, r.id)->pinned;
}

/* Joins reference `part`, if it dies, at `bytes` after the start of `whole` (if `whole_dies`:
 * `whole` is the reference). */
static void
join_part(const finder *n, ir_ref whole, ir_ref part, unsigned bytes, bool whole_dies)
{
    bool dies = ((whole_dies ? whole : part).flags & IR_KILL) != 0;
    if (dies && !(bytes & (n->c->unit - 1)) && may_join(n->c, whole) && may_join(n->c, part) &&
        cg_ra_class(n->c, whole.rc)->bank == cg_ra_class(n->c, part.rc)->bank)
        join(n, whole.id, part.id, (int)(bytes >> n->c->shift));
}

static void
join_same(const finder *n, ir_ref def, ir_ref ref)
{
    if (cg_ra_units(n->c, def.rc) == cg_ra_units(n->c, ref.rc))
        join_part(n, def, ref, 0, false);
}

static void
join_vector(const finder *n, const ir_instr *i)
{
    const ir_machine_ops *ops = &n->c->f->level->machine->ops;
    unsigned bytes = 0;
    if (i->op == ops->create_vector) {
        for (unsigned r = 0; r < i->n_refs; bytes += cg_ra_bytes(n->c, i->refs[r].rc), r++)
            join_part(n, i->defs[0], i->refs[r], bytes, false);
    } else if (i->op == ops->split_vector) {
        for (unsigned d = 0; d < i->n_defs; bytes += cg_ra_bytes(n->c, i->defs[d].rc), d++)
            join_part(n, i->refs[0], i->defs[d], bytes, true);
    } else if (i->op == ops->extract_vector) {
        bytes = i->refs[1].id * cg_ra_bytes(n->c, i->defs[0].rc);
        join_part(n, i->refs[0], i->defs[0], bytes, true);
    }
}

static void
note_want(void *user, uint32_t id, unsigned unit)
{
    ra_ctx *c = user;
    c->v[id].want = (uint16_t)unit;
}

static void
visit(const finder *n, const ir_instr *i)
{
    const ir_machine *m = n->c->f->level->machine;
    ir_tied tied = m->tied(i);
    if (tied.def >= 0)
        join_same(n, i->defs[tied.def], i->refs[tied.ref]);
    if (ir_has_flag(i, IR_OP_PHI)) {
        for (unsigned r = 0; r < i->n_refs; r++)
            join_same(n, i->defs[0], i->refs[r]);
    } else if (i->op == m->ops.parallel_copy) {
        for (unsigned r = 0; r < i->n_refs; r++)
            join_same(n, i->defs[r], i->refs[r]);
    } else {
        join_vector(n, i);
    }
    if (m->find_wants)
        m->find_wants(i, note_want, n->c);
}

bool
cg_ra_has_choice(const ra_ctx *c, unsigned bank)
{
    return c->state->max_demand.units[bank] * 4 <= c->state->budget[bank] * 3;
}

/* May the value of `r`, which `i` reads, be in the register of the result of `i`? */
static bool
is_chained(const ra_ctx *c, const ir_instr *i, ir_ref r)
{
    const ir_class *is = cg_ra_class(c, i->defs[0].rc);
    return may_join(c, r) && (r.flags & (IR_KILL | IR_LATE_KILL)) == IR_KILL &&
           cg_ra_class(c, r.rc)->bank == is->bank && cg_ra_units(c, r.rc) == is->units &&
           c->f->values[r.id].def->block == i->block;
}

/* A value that is to be part of a vector is made in place: the operand that dies where it is made
 * is there already, if it is of the same block; one that makes the instruction shorter first. */
static void
join_chain(const finder *n, const ir_instr *i)
{
    ra_ctx *c = n->c;
    int offset;
    if (i->n_defs != 1 || ir_has_flag(i, IR_OP_PHI) || !may_join(c, i->defs[0]) ||
        !cg_ra_has_choice(c, cg_ra_class(c, i->defs[0].rc)->bank))
        return;
    const ra_web *root = &c->webs[find_root(c, i->defs[0].id, &offset)];
    if (root->hi - root->lo <= (int)cg_ra_units(c, i->defs[0].rc))
        return;
    int shorter = c->f->level->machine->shorter_in ? c->f->level->machine->shorter_in(i) : -1;
    if (shorter >= 0 && is_chained(c, i, i->refs[shorter])) {
        join(n, i->defs[0].id, i->refs[shorter].id, 0);
        return;
    }
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (is_chained(c, i, i->refs[r])) {
            join(n, i->defs[0].id, i->refs[r].id, 0);
            return;
        }
    }
}

/* Puts values behind each other as the state wishes, if neither is tied to another place. */
static void
join_neighbours(const finder *n)
{
    const ra_ctx *c = n->c;
    const uint32_t *behind = c->state->behind;
    for (uint32_t a = 1; behind && a < c->f->n_values; a++) {
        const uint32_t b = behind[a];
        if (!b || cg_ra_val(c, a)->pinned || cg_ra_val(c, b)->pinned ||
            cg_ra_val(c, a)->rc != cg_ra_val(c, b)->rc)
            continue;
        join(n, a, b, (int)cg_ra_units(c, cg_ra_val(c, a)->rc));
    }
}

void
cg_ra_find_affinities(ra_ctx *c)
{
    c->spans = cg_find_spans(c->f, c->live, c->a);
    c->n_spans = c->f->n_values;
    finder n = {.c = c, .spans = c->spans};
    IR_FOREACH_INSTR_OF(i, c->f) {
        visit(&n, i);
    }
    join_neighbours(&n);
    for (uint32_t b = c->f->n_blocks; b-- > 0;) {
        for (const ir_instr *i = c->f->blocks[b]->last; i; i = i->prev)
            join_chain(&n, i);
    }
}

/* ---- during allocation ---- */

void
cg_ra_init_web(ra_ctx *c, uint32_t id)
{
    const ir_class *class = cg_ra_class(c, cg_ra_val(c, id)->rc);
    c->webs[id] = (ra_web){.parent = id,
                           .next = id,
                           .count = 1,
                           .left = 1,
                           .hi = class->units,
                           .base = RA_NOWHERE,
                           .align = class->align};
}

void
cg_ra_share_web(ra_ctx *c, uint32_t with, uint32_t id)
{
    int offset;
    uint32_t root = find_root(c, with, &offset);
    c->webs[id].parent = root;
    c->webs[id].offset = (int16_t)offset;
    c->webs[root].count++;
    c->webs[root].left++;
}

unsigned
cg_ra_web_place(const ra_ctx *c, uint32_t id)
{
    int offset;
    const ra_web *root = &c->webs[find_root(c, id, &offset)];
    return root->base == RA_NOWHERE ? RA_NOWHERE : (unsigned)(root->base + offset);
}

ra_shape
cg_ra_web_window(const ra_ctx *c, uint32_t id, unsigned *own)
{
    int offset;
    const ra_web *root = &c->webs[find_root(c, id, &offset)];
    ra_shape shape = cg_ra_shape_of(c, cg_ra_val(c, id)->rc);
    *own = (unsigned)(offset - root->lo);
    shape.size = (uint8_t)(root->hi - root->lo);
    shape.align = root->align;
    shape.phase = (uint8_t)modulo(root->phase + root->lo, root->align);
    return shape;
}

static void
count_wanted(ra_ctx *c, const ra_web *root, int by)
{
    for (int r = root->base + root->lo; r < root->base + root->hi; r++) {
        c->wanted_by[r] = (uint16_t)(c->wanted_by[r] + by);
        if (c->wanted_by[r])
            cg_ra_mark(c->wanted, (unsigned)r, 1);
        else
            cg_ra_unmark(c->wanted, (unsigned)r, 1);
    }
}

/* Is register `reg` free after the instruction, or will what lives in it die before `when`? */
static bool
is_free_by(const ra_ctx *c, unsigned reg, uint32_t when)
{
    uint32_t id = c->file.owner[reg];
    if (cg_ra_is_free(c->file.after, reg, 1))
        return true;
    return id && id < c->n_spans && !cg_ra_is_dying(c, id) && c->spans[id].end <= when;
}

/* When the web of `id`, which is being defined, needs its registers: by register of its window, the
 * number of the first definition of a member that is still to come, UINT32_MAX where there is none.
 * At once, where that is not known. */
static void
find_needs(const ra_ctx *c, uint32_t id, uint32_t needs[WIDEST])
{
    int offset;
    const ra_web *w = c->webs, *root = &w[find_root(c, id, &offset)];
    size_t size = (size_t)(root->hi - root->lo);
    bool known = id < c->n_spans;
    memset(needs, known ? 0xff : 0, size * sizeof *needs);
    unsigned k = 0;
    for (uint32_t m = id; known && (k == 0 || m != id); m = w[m].next) {
        uint32_t start = c->spans[m].start;
        find_root(c, m, &offset);
        for (unsigned r = 0; r < cg_ra_units(c, cg_ra_val(c, m)->rc); r++) {
            uint32_t *need = &needs[(unsigned)(offset - root->lo) + r];
            bool sooner = m != id && start >= c->spans[id].start && start < *need;
            *need = sooner ? start : *need;
        }
        known = ++k < MEMBERS;
    }
    if (!known)
        memset(needs, 0, size * sizeof *needs);
}

/* Will the registers of the window that begins at `window->lo` be free when the web needs them?
 * Those of the value itself, `size` from `own` on, need not be. */
static bool
window_is_free(const ra_ctx *c, const ra_shape *window, const uint32_t needs[], unsigned own,
               unsigned size)
{
    for (unsigned r = 0; r < window->size; r++) {
        bool is_own = r >= own && r < own + size;
        if (!is_own && !is_free_by(c, window->lo + r, needs[r]))
            return false;
    }
    return true;
}

unsigned
cg_ra_web_room(const ra_ctx *c, uint32_t id, const uint64_t * not, const ra_shape *window,
               unsigned own)
{
    int offset;
    uint32_t needs[WIDEST];
    unsigned size = cg_ra_units(c, cg_ra_val(c, id)->rc);
    if (c->webs[find_root(c, id, &offset)].count == 1)
        return RA_NOWHERE;
    find_needs(c, id, needs);
    ra_shape at = *window;
    for (unsigned r = window->lo; r + window->size <= window->hi; r++) {
        at.lo = (uint16_t)r;
        if (cg_ra_fits(window, r) && cg_ra_is_free(c->file.after, r + own, size) &&
            (!not || cg_ra_is_free(not, r, window->size)) &&
            window_is_free(c, &at, needs, own, size))
            return r;
    }
    return RA_NOWHERE;
}

/* Sets the web's position, which `reg` for its member `id` implies, if its members' registers are
 * within bounds, and will be free when the others are defined. */
static void
set_base(ra_ctx *c, uint32_t id, unsigned reg, bool force)
{
    int offset;
    uint32_t needs[WIDEST];
    ra_web *root = &c->webs[find_root(c, id, &offset)];
    ra_shape shape = cg_ra_shape_of(c, cg_ra_val(c, id)->rc), window = shape;
    int base = (int)reg - offset;
    if (base + root->lo < shape.lo || base + root->hi > shape.hi ||
        base % root->align != root->phase)
        return;
    window.lo = (uint16_t)(base + root->lo);
    window.size = (uint8_t)(root->hi - root->lo);
    if (!force)
        find_needs(c, id, needs);
    if (force || window_is_free(c, &window, needs, reg - window.lo, shape.size))
        root->base = (uint16_t)base;
}

void
cg_ra_web_decide(ra_ctx *c, uint32_t id, unsigned reg)
{
    int offset;
    ra_web *root = &c->webs[find_root(c, id, &offset)];
    if (root->count == 1 || root->base != RA_NOWHERE)
        return;
    set_base(c, id, reg, false);
    if (root->left && root->base != RA_NOWHERE)
        count_wanted(c, root, 1);
}

void
cg_ra_web_placed(ra_ctx *c, uint32_t id, unsigned reg, bool force)
{
    int offset;
    ra_web *root = &c->webs[find_root(c, id, &offset)];
    if (root->count == 1)
        return; /* the web has no other member */
    if (root->base != RA_NOWHERE && root->left)
        count_wanted(c, root, -1);
    if (force || root->base == RA_NOWHERE)
        set_base(c, id, reg, force);
    root->left--;
    if (root->left && root->base != RA_NOWHERE)
        count_wanted(c, root, 1);
}
