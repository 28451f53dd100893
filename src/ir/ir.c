#include "ir/ir.h"

#include <assert.h>
#include <string.h>

ir_fn *
ir_fn_new(ir_ctx *ctx, const ir_level *level, const char *name)
{
    ir_fn *f = ARENA_NEW(ctx->arena, ir_fn);
    f->ctx = ctx;
    f->level = level;
    f->arena = ctx->arena;
    f->name = arena_strdup(f->arena, name);
    f->ssa = true;
    f->changes = 1;
    f->strings = strings_make(f->arena);
    ir_new_value(f, 0);
    f->locs = arena_grow(f->arena, f->locs, &f->cap_locs, 1, sizeof *f->locs);
    f->locs[f->n_locs++] = (ir_loc){0};
    return f;
}

ir_fn *
ir_fn_new_from(const ir_fn *f, const ir_level *level)
{
    ir_fn *n = ir_fn_new(f->ctx, level, f->name);
    n->shader = f->shader;
    n->strings = f->strings;
    n->locs = f->locs;
    n->n_locs = f->n_locs;
    n->cap_locs = f->cap_locs;
    n->backend = f->backend;
    n->target = f->target;
    return n;
}

void
ir_locate(const ir_fn *f, uint32_t loc)
{
    diag_loc *d = &f->ctx->diag->loc;
    const ir_loc *l = &f->locs[loc < f->n_locs ? loc : 0];
    if (!l->line)
        return;
    d->source = strings_get(&f->strings, l->file);
    d->line = l->line;
    d->column = l->column;
}

/* ---- blocks and edges ---- */

enum { LINE = 64 }; /* a cache line */

_Static_assert(sizeof(void *) != 8 || sizeof(ir_block) == 3 * LINE, "what ir.h says of blocks");

/* Returns memory for an instruction or a block. Those of one kind are packed together, apart from
 * other allocations, because walks over a large function are bound by memory latency. */
static void *
take_room(ir_fn *f, ir_room *room, size_t size)
{
    enum { CHUNK = 4096, ALIGN = 8 };
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (ARENA_GUARDED || size > CHUNK / 8)
        return arena_alloc(f->arena, size);
    if ((size_t)(room->end - room->next) < size) {
        unsigned char *chunk = arena_alloc(f->arena, CHUNK);
        size_t skip = -(uintptr_t)chunk % LINE;
        room->next = chunk + skip;
        room->end = chunk + CHUNK;
    }
    void *taken = room->next;
    room->next += size;
    return taken;
}

ir_block *
ir_block_new(ir_fn *f)
{
    ir_block *b = take_room(f, &f->block_room, sizeof *b);
    *b = (ir_block){.fn = f, .index = UINT32_MAX};
    return b;
}

void
ir_append_block(ir_fn *f, ir_block *b)
{
    f->blocks = arena_grow(f->arena, f->blocks, &f->cap_blocks, f->n_blocks + 1, sizeof *f->blocks);
    b->index = (uint32_t)f->n_blocks;
    f->blocks[f->n_blocks++] = b;
    f->valid = 0;
}

void
ir_insert_block(ir_fn *f, ir_block *b, size_t index)
{
    ir_append_block(f, b);
    for (size_t k = f->n_blocks - 1; k > index; k--) {
        f->blocks[k] = f->blocks[k - 1];
        f->blocks[k]->index = (uint32_t)k;
    }
    f->blocks[index] = b;
    b->index = (uint32_t)index;
}

void
ir_compact_blocks(ir_fn *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->n_blocks; i++) {
        if (f->blocks[i]->index == UINT32_MAX)
            continue;
        f->blocks[kept] = f->blocks[i];
        f->blocks[kept]->index = (uint32_t)kept;
        kept++;
    }
    f->n_blocks = kept;
    f->valid = 0;
}

static void
push_edge(arena *a, ir_edges *e, ir_block *b)
{
    if (e->cap == 0) {
        e->at = e->few;
        e->cap = IR_FEW_EDGES;
    } else if (e->count == e->cap) {
        size_t cap = e->cap;
        e->at = arena_grow(a, e->at, &cap, cap + 1, sizeof *e->at);
        e->cap = (uint32_t)cap;
    }
    e->at[e->count++] = b;
}

void
ir_add_edge(ir_block *from, ir_block *to, unsigned list)
{
    push_edge(from->fn->arena, &from->succs[list], to);
    push_edge(from->fn->arena, &to->preds[list], from);
    from->fn->valid = 0;
}

static uint32_t
edge_index(const ir_edges *e, const ir_block *b)
{
    for (uint32_t i = 0; i < e->count; i++) {
        if (e->at[i] == b)
            return i;
    }
    return UINT32_MAX;
}

/* Fast version of edge_index for edges in block order, the usual case; else returns UINT32_MAX. */
static uint32_t
sorted_edge_index(const ir_edges *e, const ir_block *b)
{
    uint32_t lo = 0, hi = e->count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (e->at[mid]->index < b->index)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < e->count && e->at[lo] == b ? lo : UINT32_MAX;
}

uint32_t
ir_pred_index(const ir_block *b, const ir_block *pred, unsigned list)
{
    enum { FEW = 8 };
    const ir_edges *e = &b->preds[list];
    uint32_t at = e->count > FEW ? sorted_edge_index(e, pred) : UINT32_MAX;
    return at != UINT32_MAX ? at : edge_index(e, pred);
}

static void
drop_edge(ir_edges *e, uint32_t at)
{
    memmove(&e->at[at], &e->at[at + 1], (e->count - 1 - at) * sizeof *e->at);
    e->count--;
}

static void
drop_phi_refs(ir_block *b, uint32_t at, unsigned list)
{
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        if (ir_has_flag(i, IR_OP_LINEAR_PHI) != (list == 1))
            continue;
        memmove(&i->refs[at], &i->refs[at + 1], (i->n_refs - 1u - at) * sizeof *i->refs);
        i->n_refs--;
    }
}

void
ir_remove_edge(ir_block *from, ir_block *to, unsigned list)
{
    uint32_t pred = edge_index(&to->preds[list], from);
    uint32_t succ = edge_index(&from->succs[list], to);
    assert(pred != UINT32_MAX && succ != UINT32_MAX);
    drop_phi_refs(to, pred, list);
    drop_edge(&to->preds[list], pred);
    drop_edge(&from->succs[list], succ);
    from->fn->valid = 0;
}

static void
replace_edge(ir_edges *e, const ir_block *from, ir_block *to)
{
    for (uint32_t i = 0; i < e->count; i++)
        e->at[i] = e->at[i] == from ? to : e->at[i];
}

void
ir_move_succs(ir_block *from, ir_block *to)
{
    for (unsigned list = 0; list < 2; list++) {
        ir_edges *old = &from->succs[list], *now = &to->succs[list];
        assert(now->count == 0);
        for (uint32_t s = 0; s < old->count; s++)
            replace_edge(&old->at[s]->preds[list], from, to);
        *now = *old;
        if (old->at == old->few)
            now->at = now->few;
        *old = (ir_edges){0};
    }
    to->fn->valid = 0;
}

/* ---- values and instructions ---- */

ir_instr *
ir_new_instr_words(ir_fn *f, unsigned op, unsigned n_defs, unsigned n_refs, unsigned n_words)
{
    size_t refs_size = (n_defs + n_refs) * sizeof(ir_ref), words_size = n_words * sizeof(uint32_t);
    ir_instr *i = take_room(f, &f->instr_room, offsetof(ir_instr, defs) + refs_size + words_size);
    *i = (ir_instr){.op = (uint16_t)op,
                    .n_defs = (uint8_t)n_defs,
                    .n_refs = (uint16_t)n_refs,
                    .n_words = (uint16_t)n_words};
    i->refs = (ir_ref *)(ir_words(i) + n_words);
    ir_note_op(f, op);
    for (unsigned d = 0; d < n_defs; d++)
        i->defs[d] = ir_none();
    for (unsigned w = 0; w < n_words; w++)
        ir_words(i)[w] = 0;
    for (unsigned r = 0; r < n_refs; r++)
        i->refs[r] = ir_none();
    return i;
}

ir_instr *
ir_new_instr(ir_fn *f, unsigned op, unsigned n_defs, unsigned n_refs)
{
    assert(f->level->ops[op].n_words != IR_ANY);
    return ir_new_instr_words(f, op, n_defs, n_refs, f->level->ops[op].n_words);
}

static ir_instr *
clone_larger(ir_fn *f, const ir_instr *i, unsigned n_defs, unsigned n_refs)
{
    ir_instr *c = ir_new_instr_words(f, i->op, n_defs, n_refs, i->n_words);
    memcpy(c->defs, i->defs, i->n_defs * sizeof *i->defs);
    memcpy(c->refs, i->refs, i->n_refs * sizeof *i->refs);
    memcpy(ir_words(c), ir_words(i), i->n_words * sizeof *ir_words(i));
    c->loc = i->loc;
    c->form = i->form;
    return c;
}

ir_instr *
ir_clone_instr(ir_fn *f, const ir_instr *i)
{
    return clone_larger(f, i, i->n_defs, i->n_refs);
}

ir_instr *
ir_extend_instr(ir_instr *i, unsigned more_defs, unsigned more_refs)
{
    ir_fn *f = i->block->fn;
    ir_instr *c = clone_larger(f, i, i->n_defs + more_defs, i->n_refs + more_refs);
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (ir_is_value(i->defs[d]))
            f->values[i->defs[d].id].def = c;
    }
    ir_insert_before(i, c);
    ir_unlink(i);
    return c;
}

/* ---- attributes ---- */

uint32_t
ir_get_attr(const ir_instr *i, const ir_attr_info *a)
{
    return (ir_words(i)[a->word] >> a->shift) & (uint32_t)base_mask64(a->bits);
}

/* ---- rewriting ---- */

ir_instr *
ir_find_op(const ir_fn *f, unsigned op)
{
    IR_FOREACH_INSTR_OF(i, f) {
        if (i->op == op)
            return i;
    }
    return NULL;
}

uint32_t *
ir_count_uses(const ir_fn *f, arena *a)
{
    uint32_t *uses = ARENA_ARRAY(a, f->n_values, uint32_t);
    IR_FOREACH_INSTR_OF(i, f) {
        for (unsigned r = 0; r < i->n_refs; r++) {
            if (ir_is_value(i->refs[r])) /* the id of a constant is not an index */
                uses[i->refs[r].id]++;
        }
    }
    return uses;
}
