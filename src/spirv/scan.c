/* Analyses how functions use variables, before any code is emitted.
 *
 * A variable of storage class Function or Private is kept as SSA values, with one SSA variable per
 * leaf, except for leaves that an access chain reaches through a non-constant index: those are kept
 * in memory. (A dynamic component of a vector is selected instead.) A variable with dynamic indices
 * whose only stores write the same constant to all of it becomes constant data. For loops, the scan
 * records the blocks in which a variable is stored to, so that emission makes header phis only
 * where they may be needed.
 *
 * Pointers are followed to their root: a variable, or a parameter. Callees are scanned before their
 * callers; a call affects the argument's root as the callee affects its parameter.
 */
#include "spirv/reader.h"

#include <stdlib.h>

typedef struct scanner {
    spirv_reader *r;
    spirv_func *f;
    const spirv_block *b;
} scanner;

static spirv_scan *
scan_of(spirv_id *id)
{
    return id->scan && id->scan->root ? id->scan : NULL;
}

static spirv_scan *
root_of(spirv_reader *r, const spirv_scan *s)
{
    return spirv_id_of(r, s->root)->scan;
}

/* Adds leaves to the root's ranges in memory. If there is no free range, the last one is extended.
 */
static void
add_range(spirv_scan *root, uint32_t from, uint32_t to)
{
    if (from >= to)
        return;
    for (unsigned k = 0; k < root->n_memory; k++) {
        spirv_range *g = &root->memory[k];
        bool full = root->n_memory == SPIRV_MAX_RANGES && k == SPIRV_MAX_RANGES - 1;
        if ((from > g->to || to < g->from) && !full)
            continue;
        g->from = from < g->from ? from : g->from;
        g->to = to > g->to ? to : g->to;
        return;
    }
    root->memory[root->n_memory++] = (spirv_range){from, to};
}

/* The stacks of ray queries among leaves `first` on, of type `t`, are indexed dynamically. */
static void
add_stacks(spirv_scan *root, const spirv_type *t, uint32_t first)
{
    if (t->is_query)
        add_range(root, first + SPIRV_QUERY_STACK, first + t->leaves);
    else if (t->kind == SPIRV_STRUCT)
        for (uint32_t m = 0; m < t->count; m++)
            add_stacks(root, t->members[m].type, first + t->members[m].first_leaf);
    else if (t->kind == SPIRV_ARRAY && t->leaves <= SPIRV_MAX_SSA_LEAVES)
        for (uint32_t k = 0; k < t->count; k++)
            add_stacks(root, t->elem, first + k * t->elem->leaves);
}

void
spirv_scan_root(spirv_reader *r, spirv_id *id, const spirv_type *pointee)
{
    id->scan = ARENA_NEW(r->a, spirv_scan);
    id->scan->root = id->number;
    id->scan->count = pointee->leaves;
    if (r->has_queries)
        add_stacks(id->scan, pointee, 0);
}

/* ---- stores ---- */

static void
note_store(scanner *s, const spirv_scan *p)
{
    spirv_func *f = s->f;
    const spirv_id *root = spirv_id_of(s->r, p->root);
    if (root->kind == SPIRV_ID_VAR)
        f->writes_private = true;
    f->stores = arena_grow(s->r->a, f->stores, &f->cap_stores, f->n_stores + 1, sizeof *f->stores);
    f->stores[f->n_stores++] = (spirv_store_note){p->root, s->b->pre};
}

static void
write_part(scanner *s, const spirv_scan *p)
{
    root_of(s->r, p)->written = true;
    note_store(s, p);
}

static void
scan_store(scanner *s, const spirv_insn *i)
{
    spirv_scan *p = scan_of(spirv_ref(s->r, i, 1));
    if (!p)
        return;
    spirv_scan *root = root_of(s->r, p);
    const spirv_id *value = spirv_ref(s->r, i, 2);
    bool whole = !p->dynamic && !p->component && !p->first && p->count == root->count;
    note_store(s, p);
    if (!whole || value->kind != SPIRV_ID_CONST ||
        (root->constant && root->constant != value->number))
        root->written = true;
    root->constant = value->number;
}

/* ---- pointers ---- */

static void
scan_chain(scanner *s, const spirv_insn *i)
{
    spirv_reader *r = s->r;
    spirv_id *base = spirv_ref(r, i, 3), *id = spirv_ref(r, i, 2);
    spirv_scan *from = scan_of(base);
    if (!from || !base->type || base->type->kind != SPIRV_POINTER || !base->type->elem)
        return;
    spirv_scan *to = arena_copy(r->a, from, sizeof *from);
    const spirv_type *t = base->type->elem;
    bool ptr = i->op == SPIRV_OpPtrAccessChain || i->op == SPIRV_OpInBoundsPtrAccessChain;
    id->scan = to;
    for (unsigned k = 4; k < i->n; k++) {
        uint64_t index = 0;
        uint32_t first = to->first;
        bool known = spirv_const_value(r, spirv_ref(r, i, k), &index);
        bool vector = t->kind == SPIRV_VECTOR && !(ptr && k == 4);
        if (ptr && k == 4)
            known = false;
        else
            t = spirv_element(r, t, known ? spirv_clamp_index(t, index) : 0, &first);
        if (to->dynamic || to->component)
            continue;
        if (known) {
            to->first = first;
            to->count = t->leaves;
        } else if (vector) {
            to->component = true;
        } else {
            to->dynamic = true;
        }
    }
    if (to->dynamic && !from->dynamic)
        add_range(root_of(r, to), to->first, to->first + to->count);
}

/* ---- calls ---- */

static void
scan_argument(scanner *s, const spirv_scan *arg, const spirv_scan *param)
{
    spirv_scan *root = root_of(s->r, arg);
    for (unsigned k = 0; k < param->n_memory && !arg->dynamic; k++)
        add_range(root, arg->first + param->memory[k].from, arg->first + param->memory[k].to);
    if (param->written || param->constant)
        write_part(s, arg);
}

static void
scan_call(scanner *s, const spirv_insn *i)
{
    spirv_func *callee = spirv_ref(s->r, i, 3)->func, *f = s->f;
    if (!callee || i->n - 4u != callee->n_params)
        spirv_invalid(s->r, "the call does not fit a function");
    for (unsigned k = 4; k < i->n; k++) {
        const spirv_scan *arg = scan_of(spirv_ref(s->r, i, k));
        spirv_id *param = spirv_id_of(s->r, callee->params[k - 4]);
        if (arg && scan_of(param))
            scan_argument(s, arg, param->scan);
    }
    if (!callee->writes_private)
        return;
    f->writes_private = true;
    f->calls = arena_grow(s->r->a, f->calls, &f->cap_calls, f->n_calls + 1, sizeof *f->calls);
    f->calls[f->n_calls++] = s->b->pre;
}

/* ---- instructions ---- */

static inline void
use_variable(const spirv_id *id)
{
    if (id->var)
        id->var->used = true;
}

/* Any instruction other than those that the scan knows may write the variable that it points to. */
static inline void
scan_id(scanner *s, const spirv_id *id, bool writes)
{
    use_variable(id);
    if (writes && id->scan && id->scan->root)
        write_part(s, id->scan);
}

/* Visits the ids among the operands from word `k` on, which the rest of the layout describes. */
static void
scan_rest(scanner *s, const spirv_insn *i, const char *layout, unsigned k, bool writes)
{
    for (; *layout && k < i->n; layout++) {
        if (*layout == 'i')
            scan_id(s, spirv_id_of(s->r, i->w[k++]), writes);
        else if (*layout == 'n')
            k++;
        else if (*layout != 'I' && *layout != '|')
            return;
        while (*layout == 'I' && k < i->n)
            scan_id(s, spirv_id_of(s->r, i->w[k++]), writes);
    }
}

static bool
is_glsl(spirv_reader *r, const spirv_insn *i)
{
    const spirv_id *set = i->op == SPIRV_OpExtInst ? spirv_ref(r, i, 3) : NULL;
    return set && set->kind == SPIRV_ID_SET && set->set == SPIRV_SET_GLSL450;
}

/* Visits the ids that an instruction reads, as far as its row tells them. */
static void
scan_ids(scanner *s, const spirv_insn *i, bool writes)
{
    const spirv_op_row *row = spirv_op_row_of(i->op);
    unsigned k = 1u + row->fixed;
    for (unsigned ids = row->ids >> row->result << row->result; ids; ids &= ids - 1)
        scan_id(s, spirv_id_of(s->r, i->w[1 + base_ctz64(ids)]), writes);
    if (i->n > k)
        scan_rest(s, i, is_glsl(s->r, i) ? "I" : row->layout + row->fixed, k, writes);
}

spirv_func *
spirv_mark_operands(spirv_reader *r, const spirv_insn *i)
{
    scan_ids(&(scanner){.r = r}, i, false);
    return i->op == SPIRV_OpFunctionCall ? spirv_ref(r, i, 3)->func : NULL;
}

static void
scan_instruction(scanner *s, const spirv_insn *i)
{
    spirv_reader *r = s->r;
    switch (i->op) {
    case SPIRV_OpVariable: {
        spirv_id *id = spirv_ref(r, i, 2);
        if (id->type->kind != SPIRV_POINTER || !id->type->elem)
            spirv_invalid(r, "the type of a variable is not a pointer");
        spirv_scan_root(r, id, id->type->elem);
        if (i->n > 4)
            id->scan->constant = i->w[4];
        break;
    }
    case SPIRV_OpAccessChain:
    case SPIRV_OpInBoundsAccessChain:
    case SPIRV_OpPtrAccessChain:
    case SPIRV_OpInBoundsPtrAccessChain: scan_chain(s, i); break;
    case SPIRV_OpCopyObject: spirv_ref(r, i, 2)->scan = scan_of(spirv_ref(r, i, 3)); break;
    case SPIRV_OpLoad:
    case SPIRV_OpName:
    case SPIRV_OpArrayLength: break;
    case SPIRV_OpStore: scan_store(s, i); break;
    case SPIRV_OpCopyMemory:
    case SPIRV_OpCopyMemorySized: {
        spirv_scan *p = scan_of(spirv_ref(r, i, 1));
        if (p)
            write_part(s, p);
        break;
    }
    case SPIRV_OpFunctionCall: scan_call(s, i); break;
    default: scan_ids(s, i, true); return;
    }
    scan_ids(s, i, false);
}

static int
compare_stores(const void *a, const void *b)
{
    const spirv_store_note *x = a, *y = b;
    if (x->root != y->root)
        return x->root < y->root ? -1 : 1;
    return (x->pre > y->pre) - (x->pre < y->pre);
}

static int
compare_calls(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void
scan_body(spirv_reader *r, spirv_func *f)
{
    scanner s = {.r = r, .f = f};
    for (uint32_t p = 0; p < f->n_params; p++) {
        spirv_id *id = spirv_id_of(r, f->params[p]);
        if (id->type->kind == SPIRV_POINTER && id->type->elem &&
            (id->type->storage == SPIRV_SC_FUNCTION || id->type->storage == SPIRV_SC_PRIVATE))
            spirv_scan_root(r, id, id->type->elem);
    }
    for (uint32_t k = 0; k < f->n_reachable; k++) {
        s.b = &f->blocks[f->by_rpo[k]];
        for (uint32_t at = s.b->first; at < s.b->end;) {
            spirv_insn i = spirv_insn_at(r, at);
            scan_instruction(&s, &i);
            at += i.n;
        }
    }
    if (f->n_stores)
        qsort(f->stores, f->n_stores, sizeof *f->stores, compare_stores);
    if (f->n_calls)
        qsort(f->calls, f->n_calls, sizeof *f->calls, compare_calls);
}

/* ---- the call graph ---- */

typedef struct call_walk {
    spirv_func *f;
    uint32_t block, at; /* in by_rpo; word offset to resume at, 0: the start of the block */
} call_walk;

/* The next function called by the walk's function, or NULL. */
static spirv_func *
next_callee(spirv_reader *r, call_walk *w)
{
    if (!w->f->has_calls)
        return NULL;
    for (; w->block < w->f->n_reachable; w->block++, w->at = 0) {
        const spirv_block *b = &w->f->blocks[w->f->by_rpo[w->block]];
        uint32_t at = w->at ? w->at : b->first;
        while (at < b->end) {
            spirv_insn i = spirv_insn_at(r, at);
            at += i.n;
            if (i.op != SPIRV_OpFunctionCall)
                continue;
            w->at = at;
            spirv_func *callee = spirv_ref(r, &i, 3)->func;
            if (!callee)
                spirv_invalid(r, "id %u is not a function", i.w[3]);
            if (callee->state == 1)
                spirv_invalid(r, "recursion: function id %u calls itself", callee->id);
            if (callee->state == 0)
                return callee;
        }
    }
    return NULL;
}

void
spirv_scan_functions(spirv_reader *r, spirv_func *entry)
{
    call_walk *stack = ARENA_ARRAY(r->a, r->n_funcs, call_walk);
    size_t n = 0;
    stack[n++].f = entry;
    entry->state = 1;
    spirv_build_cfg(r, entry);
    while (n) {
        spirv_func *callee = next_callee(r, &stack[n - 1]);
        if (callee) {
            callee->state = 1;
            spirv_build_cfg(r, callee);
            stack[n++] = (call_walk){.f = callee};
        } else {
            scan_body(r, stack[--n].f);
            stack[n].f->state = 2;
        }
    }
}

/* ---- queries during emission ---- */

/* Returns true if a block with from <= pre < to stores to `root`. */
static bool
stores_within(const spirv_func *f, uint32_t root, uint32_t from, uint32_t to)
{
    size_t lo = 0, hi = f->n_stores;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const spirv_store_note *s = &f->stores[mid];
        if (s->root < root || (s->root == root && s->pre < from))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < f->n_stores && f->stores[lo].root == root && f->stores[lo].pre < to;
}

static bool
calls_within(const spirv_func *f, uint32_t from, uint32_t to)
{
    size_t lo = 0, hi = f->n_calls;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (f->calls[mid] < from)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < f->n_calls && f->calls[lo] < to;
}

/* Returns true if the function writes `var` in a block with from <= pre < to. */
static bool
writes_within(spirv_reader *r, const spirv_func *f, const spirv_var *var, uint32_t from,
              uint32_t to)
{
    if (from >= to)
        return false;
    if (stores_within(f, var->id, from, to))
        return true;
    bool global = var->storage == SPIRV_SC_PRIVATE || var->storage == SPIRV_SC_OUTPUT;
    if (global && calls_within(f, from, to))
        return true;
    for (uint32_t p = 0; p < f->n_params; p++) {
        const spirv_id *id = spirv_id_of(r, f->params[p]);
        if (id->ptr && id->ptr->var == var && stores_within(f, id->number, from, to))
            return true;
    }
    return false;
}

bool
spirv_loop_writes(spirv_reader *r, const spirv_loop *loop, const spirv_var *var)
{
    const spirv_block *h = loop->source;
    const spirv_func *f = loop->frame->func;
    if (!h || h->func != f)
        return false;
    const spirv_block *m = h->merge == UINT32_MAX ? NULL : &f->blocks[h->merge];
    if (!m || !m->reachable || !spirv_dominates(h, m))
        return writes_within(r, f, var, h->pre, h->post);
    return writes_within(r, f, var, h->pre, m->pre) || writes_within(r, f, var, m->post, h->post);
}
