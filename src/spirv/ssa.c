/* SSA construction while HIR is emitted (Braun, Buchwald, Hack, Leissa, Mallon, Zwinkau 2013).
 *
 * A variable's value at the end of a block is looked up backwards from there and recorded. At a
 * block with several predecessors a phi is made, and removed again if all its references are the
 * same. Structure makes the lookups short: if a variable was not written between the head of a
 * construct and its merge block, the walk continues at the head. (Blocks are numbered in structured
 * order, so this is a search among the blocks that write the variable.) A loop's header needs no
 * phi for a variable that the loop does not write.
 *
 * There are two kinds of variables. Leaves of the module's variables keep their value until they
 * are overwritten. Temporaries (results used where their block does not dominate, flags, the values
 * that OpPhi merges) are written before they are read on every path that matters. So a lookup of a
 * temporary that reaches a loop header continues before the loop; its phis at loop headers are made
 * explicitly.
 *
 * Lookups use an explicit stack, because their depth can equal the length of the function.
 */
#include "base/sorted.h"
#include "ir/ssa_repair.h"
#include "spirv/reader.h"

/* ---- variables ---- */

uint32_t
spirv_ssa_new(spirv_reader *r, uint32_t n, bool is_temp, const spirv_var *var)
{
    spirv_charge(r, n);
    if (!r->n_ssa)
        r->n_ssa = 1;
    size_t first = r->n_ssa;
    r->ssa = arena_grow(r->a, r->ssa, &r->cap_ssa, first + n, sizeof *r->ssa);
    for (uint32_t k = 0; k < n; k++)
        r->ssa[first + k] = (spirv_ssa_var){.is_temp = is_temp, .var = var};
    r->n_ssa += n;
    return (uint32_t)first;
}

uint32_t
spirv_ssa_leaves(spirv_reader *r, const spirv_type *t, bool is_temp, const spirv_var *var)
{
    uint32_t first = spirv_ssa_new(r, t->leaves, is_temp, var);
    for (uint32_t k = 0; k < t->leaves; k++)
        r->ssa[first + k].type = spirv_leaf_type(r, t, k);
    return first;
}

static uint64_t
key_of(uint32_t var, const ir_block *b)
{
    return (uint64_t)var << 32 | b->index;
}

static void
remember(spirv_reader *r, uint32_t var, const ir_block *b, ir_ref value)
{
    map_put(&r->defs, key_of(var, b), value.id | (uint64_t)value.comp << 32);
    r->ssa[var].at = b->index + 1;
    r->ssa[var].value = ir_pack_ref(IR_REF_VALUE, value.id, IR_REG_NONE, value.comp, 0);
}

/* Most lookups are in the block of the one before. */
static bool
recall(const spirv_reader *r, uint32_t var, const ir_block *b, ir_ref *value)
{
    const spirv_ssa_var *v = &r->ssa[var];
    uint64_t word;
    if (v->at == b->index + 1) {
        *value = ir_replace_follow(&r->replaced, v->value);
        return true;
    }
    if (!map_get(&r->defs, key_of(var, b), &word))
        return false;
    ir_ref x = ir_use(r->f, (uint32_t)word);
    x.comp = (uint8_t)(word >> 32);
    *value = ir_replace_follow(&r->replaced, x);
    return true;
}

void
spirv_ssa_write_at(spirv_reader *r, uint32_t var, ir_block *b, ir_ref value)
{
    spirv_ssa_var *v = &r->ssa[var];
    remember(r, var, b, value);
    uint32_t n = v->n_writes;
    if (n && v->writes[n - 1] == b->index)
        return;
    if (n == v->cap_writes) {
        size_t cap = v->cap_writes;
        v->writes = arena_grow(r->a, v->writes, &cap, n + 1u, sizeof *v->writes);
        v->cap_writes = (uint32_t)cap;
    }
    v->writes[v->n_writes++] = b->index;
}

void
spirv_ssa_write(spirv_reader *r, uint32_t var, ir_ref value)
{
    spirv_ssa_write_at(r, var, r->b.block, value);
}

/* Returns true if the variable was written in a block after `from` and before `to`. */
static bool
written_between(const spirv_ssa_var *v, uint32_t from, uint32_t to)
{
    uint32_t lo = base_lower_bound(v->writes, v->n_writes, (uint64_t)from + 1);
    return lo < v->n_writes && v->writes[lo] < to;
}

/* The block of the last write before block `to`, or -1. */
static int64_t
last_write_before(const spirv_ssa_var *v, uint32_t to)
{
    uint32_t lo = base_lower_bound(v->writes, v->n_writes, to);
    return lo ? (int64_t)v->writes[lo - 1] : -1;
}

/* ---- lookup ---- */

/* A phi that is being filled. */
typedef struct fill {
    ir_instr *phi;
    ir_block *block;
    uint32_t next;
} fill;

typedef struct lookup {
    spirv_reader *r;
    uint32_t var;
    fill *stack;
    size_t n, cap;
    ir_block **passed; /* blocks passed by a long walk, which record its result too */
    size_t n_passed, cap_passed;
} lookup;

/* Returns true if a lookup at the end of loop header `b` needs a phi there. */
static bool
needs_header_phi(const lookup *l, const ir_block *b)
{
    spirv_reader *r = l->r;
    const spirv_ssa_var *v = &r->ssa[l->var];
    const spirv_hir_block *h = &r->hir[b->index];
    if (v->is_temp || !h->loop->source)
        return false;
    if (h->sealed) /* the loop has been emitted, so its writes are known */
        return written_between(v, h->head->index, h->loop->merge->index);
    return v->var->opened <= h->head->index && spirv_loop_writes(r, h->loop, v->var);
}

static ir_instr *
make_phi(lookup *l, ir_block *b, uint32_t n)
{
    spirv_reader *r = l->r;
    spirv_charge(r, 4 + n);
    ir_instr *phi = ir_build_phi(&r->b, b, r->ssa[l->var].type, n);
    remember(r, l->var, b, phi->defs[0]);
    return phi;
}

/* Queues a phi of an open loop's header, to be completed at the end of the loop. */
static void
push_open_phi(lookup *l, ir_instr *phi, ir_block *b)
{
    spirv_reader *r = l->r;
    spirv_open_phi *o = ARENA_NEW(r->a, spirv_open_phi);
    spirv_loop *loop = r->hir[b->index].loop;
    *o = (spirv_open_phi){.next = loop->open_phis, .phi = phi, .var = l->var};
    loop->open_phis = o;
}

static void
push_fill(lookup *l, ir_instr *phi, ir_block *b)
{
    l->stack = arena_grow(l->r->a, l->stack, &l->cap, l->n + 1, sizeof *l->stack);
    l->stack[l->n++] = (fill){.phi = phi, .block = b};
}

/* Follows heads from `b` to the highest one that is not above the variable's last write; nothing
 * between the two writes it. Jump pointers (Myers 1983, "An applicative random-access stack") make
 * this logarithmic. */
static ir_block *
climb(const spirv_reader *r, const spirv_ssa_var *v, ir_block *b)
{
    int64_t write = last_write_before(v, b->index);
    for (;;) {
        const spirv_hir_block *h = &r->hir[b->index];
        if (!h->depth)
            return b;
        if (h->jump->index >= write)
            b = h->jump;
        else if (h->head->index >= write)
            b = h->head;
        else
            return b;
    }
}

/* Records some of the blocks of a long walk, which then store its result. Where no block can be
 * skipped (many arms that leave a loop wrote the variable), the next walk ends at one of them. */
static void
pass(lookup *l, ir_block *b, unsigned steps)
{
    if (steps % 8 != 1)
        return;
    l->passed = arena_grow(l->r->a, l->passed, &l->cap_passed, l->n_passed + 1, sizeof *l->passed);
    l->passed[l->n_passed++] = b;
}

/* Walks to a block where the value at the end of `b` is known, or to a phi that must be filled
 * first. In the second case it pushes the phi and returns false: the value is not known yet. */
static bool
walk_to_value(lookup *l, ir_block *b, ir_ref *value)
{
    spirv_reader *r = l->r;
    const spirv_ssa_var *v = &r->ssa[l->var];
    for (unsigned steps = 0;; steps++) {
        spirv_charge(r, 1);
        if (recall(r, l->var, b, value))
            return true;
        pass(l, b, steps);
        ir_block *top = climb(r, v, b);
        const spirv_hir_block *h = &r->hir[b->index];
        if (top != b) {
            b = top;
        } else if (h->is_header && !needs_header_phi(l, b)) {
            b = h->head;
        } else if (h->is_header) {
            ir_instr *phi = make_phi(l, b, 2);
            *value = phi->defs[0];
            if (h->sealed) {
                push_fill(l, phi, b);
                return false;
            }
            push_open_phi(l, phi, b);
            return true;
        } else if (b->preds[0].count == 1) {
            b = b->preds[0].at[0];
        } else if (!b->preds[0].count) {
            *value = ir_build_undef(&r->b, v->type);
            remember(r, l->var, b, *value);
            return true;
        } else {
            ir_instr *phi = make_phi(l, b, b->preds[0].count);
            *value = phi->defs[0];
            push_fill(l, phi, b);
            return false;
        }
    }
}

static bool
walk_back(lookup *l, ir_block *b, ir_ref *value)
{
    bool known = walk_to_value(l, b, value);
    while (l->n_passed)
        remember(l->r, l->var, l->passed[--l->n_passed], *value);
    return known;
}

/* A phi that merges nothing is undefined: its loop is unreachable. */
static ir_ref
choose(void *user, const ir_instr *phi, ir_ref only)
{
    spirv_reader *r = user;
    return ir_is_value(only) ? only : ir_build_undef(&r->b, ir_ref_type(r->f, phi->defs[0]));
}

/* The value of a filled phi: the phi itself, or its trivial value. */
static ir_ref
finish_phi(spirv_reader *r, ir_instr *phi)
{
    ir_replace_trivial_phis(&r->replaced, &phi, 1, choose, r);
    return ir_replace_follow(&r->replaced, phi->defs[0]);
}

static ir_ref
read_at(spirv_reader *r, uint32_t var, ir_block *b)
{
    lookup l = {.r = r, .var = var};
    ir_ref value;
    bool known = walk_back(&l, b, &value);
    while (l.n) {
        fill *top = &l.stack[l.n - 1];
        if (known)
            top->phi->refs[top->next++] = value;
        if (top->next < top->phi->n_refs) {
            known = walk_back(&l, top->block->preds[0].at[top->next], &value);
        } else {
            value = finish_phi(r, top->phi);
            remember(r, var, top->block, value);
            known = true;
            l.n--;
        }
    }
    remember(r, var, b, value);
    return value;
}

ir_ref
spirv_ssa_read(spirv_reader *r, uint32_t var)
{
    ir_ref value;
    if (r->ssa[var].at == r->b.block->index + 1 && recall(r, var, r->b.block, &value))
        return value;
    return read_at(r, var, r->b.block);
}

ir_ref
spirv_ssa_header_phi(spirv_reader *r, uint32_t var)
{
    ir_block *b = r->b.block;
    lookup l = {.r = r, .var = var};
    ir_instr *phi = make_phi(&l, b, 2);
    push_open_phi(&l, phi, b);
    return phi->defs[0];
}

/* ---- blocks ---- */

/* Jumps from the head again if the last two strides have equal length, otherwise just to the head.
 */
static void
set_jump(spirv_reader *r, spirv_hir_block *h)
{
    const spirv_hir_block *up = &r->hir[h->head->index];
    const spirv_hir_block *over = up->depth ? &r->hir[up->jump->index] : up;
    bool equal = up->depth && over->depth &&
                 up->depth - over->depth == over->depth - r->hir[over->jump->index].depth;
    h->depth = up->depth + 1;
    h->jump = equal ? over->jump : h->head;
}

void
spirv_open_block(spirv_reader *r, ir_block *b, ir_block *head)
{
    spirv_charge(r, 4);
    ir_append_block(r->f, b);
    r->hir = arena_grow(r->a, r->hir, &r->cap_hir, b->index + 1u, sizeof *r->hir);
    r->hir[b->index] = (spirv_hir_block){.head = head, .open = true, .sealed = true};
    if (head)
        set_jump(r, &r->hir[b->index]);
    r->open = arena_grow(r->a, r->open, &r->cap_open, r->n_open + 1, sizeof *r->open);
    r->open[r->n_open++] = b;
    ir_builder_continue_at(&r->b, b);
}

void
spirv_close_blocks(spirv_reader *r, size_t mark)
{
    while (r->n_open > mark)
        r->hir[r->open[--r->n_open]->index].open = false;
}

void
spirv_seal_header(spirv_reader *r, ir_block *b)
{
    spirv_loop *loop = r->hir[b->index].loop;
    r->hir[b->index].sealed = true;
    while (loop->open_phis) {
        spirv_open_phi o = *loop->open_phis;
        loop->open_phis = o.next;
        for (unsigned k = 0; k < 2; k++)
            o.phi->refs[k] = read_at(r, o.var, b->preds[0].at[k]);
        /* the value recorded for the block is the phi, or what the block itself wrote later */
        finish_phi(r, o.phi);
    }
}

/* ---- the end ---- */

/* Replacing a phi may have made phis trivial that were filled before. */
void
spirv_ssa_finish(spirv_reader *r)
{
    ir_instr **phis = NULL;
    size_t n = 0, cap = 0;
    IR_FOREACH_BLOCK(b, r->f) {
        for (ir_instr *i = b->first; i && i->op == IR_phi; i = i->next) {
            phis = arena_grow(r->a, phis, &cap, n + 1, sizeof *phis);
            phis[n++] = i;
        }
    }
    ir_replace_trivial_phis(&r->replaced, phis, n, choose, r);
    ir_replace_all(&r->replaced);
}
