/* rotate_loops: tests the condition of a loop at its end.
 *
 *     BB1 (header): test; branch BB5 or BB2     BB1: test; branch BB5 or BB1a
 *     BB2: ...                                  BB1a: jump BB2
 *     BB4: ...; jump BB1                   ->   BB2 (header): ...
 *     BB5: ...                                  BB4: ...; test; branch BB4a or BB2
 *                                               BB4a: jump BB5
 *                                               BB5: ...
 *
 * Each iteration has one branch less. The header, which the last block repeats, must be short. The
 * blocks between are places for what align_loops inserts before and behind the loop; jumps to the
 * next block are no instructions.
 *
 * If constants decide the first test, that is left out.
 *
 * Registers are known, so that the repeated instructions define the same values again. Linear.
 */
#include "amd/amd.h"

enum { MAX_HEADER = 5 }; /* instructions, with the branch */

typedef struct rotate_ctx {
    ir_fn *f;
    ir_block **behind; /* by block index: the new block that follows it; NULL: none */
} rotate_ctx;

static bool
is_short(const ir_block *b)
{
    unsigned n = 0;
    for (const ir_instr *i = b->first; i && n <= MAX_HEADER; i = i->next)
        n++;
    return n <= MAX_HEADER;
}

static bool
branches(const ir_block *b)
{
    return b->succs[1].count == 2 &&
           (b->last->op == AMD_P_CBRANCH_Z || b->last->op == AMD_P_CBRANCH_NZ);
}

/* The last block of the loop whose header is `h`, if it is the only one that goes back to it and
 * does so always. */
static ir_block *
only_latch(const ir_block *h)
{
    ir_block *latch = NULL;
    for (uint32_t p = 0; p < h->preds[1].count; p++) {
        ir_block *from = h->preds[1].at[p];
        if (from->index < h->index)
            continue;
        if (latch)
            return NULL;
        latch = from;
    }
    return latch && latch != h && latch->last->op == AMD_P_BRANCH && latch->succs[1].count == 1
               ? latch
               : NULL;
}

/* The successor by which the header leaves the loop; 2 if it is not left there alone. */
static unsigned
exit_of(const ir_block *h, const ir_block *latch)
{
    const ir_block *const to[] = {h->succs[1].at[0], h->succs[1].at[1]};
    for (unsigned e = 0; e < 2; e++) {
        if (to[e]->index > latch->index && to[!e]->index == h->index + 1)
            return e;
    }
    return 2;
}

/* ---- tests that constants decide ---- */

static bool
compare(unsigned op, uint32_t a, uint32_t b, bool *out)
{
    int32_t x = (int32_t)a, y = (int32_t)b;
    switch (op) {
    case AMD_S_CMP_EQ_U32:
    case AMD_S_CMP_EQ_I32: *out = a == b; return true;
    case AMD_S_CMP_LG_U32:
    case AMD_S_CMP_LG_I32: *out = a != b; return true;
    case AMD_S_CMP_GT_U32: *out = a > b; return true;
    case AMD_S_CMP_GE_U32: *out = a >= b; return true;
    case AMD_S_CMP_LT_U32: *out = a < b; return true;
    case AMD_S_CMP_LE_U32: *out = a <= b; return true;
    case AMD_S_CMP_GT_I32: *out = x > y; return true;
    case AMD_S_CMP_GE_I32: *out = x >= y; return true;
    case AMD_S_CMP_LT_I32: *out = x < y; return true;
    case AMD_S_CMP_LE_I32: *out = x <= y; return true;
    default: return false;
    }
}

static bool
is_constant(ir_ref r, uint32_t *value)
{
    *value = r.id;
    return r.kind == IR_REF_CONST && !(r.flags & IR_CONST64);
}

/* The value of `r` behind `b`, if a copy in `b` put a constant there last. */
static bool
find_constant(const ir_block *b, ir_ref r, uint32_t *value)
{
    if (is_constant(r, value))
        return true;
    if (!ir_is_value(r) || r.reg == IR_REG_NONE)
        return false;
    for (const ir_instr *i = b->last; i; i = i->prev) {
        for (unsigned d = 0; d < i->n_defs; d++) {
            unsigned reg = i->defs[d].reg, end = reg + amd_rc_bytes(i->defs[d].rc);
            if (r.reg + 4u > reg && r.reg < end)
                return i->op == AMD_P_PARALLELCOPY && reg == r.reg && i->defs[d].rc == AMD_S1 &&
                       is_constant(i->refs[d], value);
        }
    }
    return false;
}

/* Is a header that has nothing but its test never left where the loop is entered from `before`? */
static bool
is_always_entered(const ir_block *h, const ir_block *before, unsigned e)
{
    const ir_instr *test = h->first, *t = h->last;
    uint32_t a, b;
    bool holds;
    if (test->next != t || test->n_refs != 2 || t->refs[0].reg != AMD_SCC ||
        !(t->refs[0].flags & IR_KILL) || !compare(test->op, 0, 0, &holds) ||
        !find_constant(before, test->refs[0], &a) || !find_constant(before, test->refs[1], &b))
        return false;
    compare(test->op, a, b, &holds);
    return (holds == (t->op == AMD_P_CBRANCH_Z)) == (e == 1);
}

/* ---- the new shape ---- */

/* The header becomes a jump into the loop. */
static void
drop_first_test(ir_block *h, ir_block *exit, unsigned e)
{
    ir_edges *succs = &h->succs[1], *preds = &exit->preds[1];
    preds->at[ir_pred_index(exit, h, 1)] = preds->at[--preds->count];
    succs->at[0] = succs->at[!e];
    succs->count = 1;
    ir_unlink(h->first);
    ir_unlink(h->last);
    ir_append(h, amd_new(h->fn, AMD_P_BRANCH, 0, 0));
}

static void
replace_succ(ir_block *b, unsigned s, ir_block *to)
{
    ir_block *old = b->succs[1].at[s];
    uint32_t p = ir_pred_index(old, b, 1);
    old->preds[1].at[p] = old->preds[1].at[--old->preds[1].count];
    ir_add_edge(b, to, 1); /* as the last successor; it becomes number s */
    b->succs[1].at[s] = to;
    b->succs[1].count--;
}

/* A new block that only jumps to `to`, with that edge. */
static ir_block *
new_jump(const rotate_ctx *c, ir_block *to)
{
    ir_block *b = ir_block_new(c->f);
    b->kind = IR_BLOCK_UNIFORM;
    ir_append(b, amd_new(c->f, AMD_P_BRANCH, 0, 0));
    ir_add_edge(b, to, 1);
    return b;
}

static void
rotate(rotate_ctx *c, ir_block *h, ir_block *latch, unsigned e)
{
    ir_block *body = h->succs[1].at[!e], *exit = h->succs[1].at[e];
    replace_succ(latch, 0, body);
    ir_unlink(latch->last);
    for (const ir_instr *i = h->first; i; i = i->next)
        ir_append(latch, ir_clone_instr(c->f, i));
    c->behind[latch->index] = new_jump(c, exit);
    ir_add_edge(latch, c->behind[latch->index], 1);
    if (!e) { /* the order of a branch's successors matters */
        latch->succs[1].at[0] = latch->succs[1].at[1];
        latch->succs[1].at[1] = body;
    }
    c->behind[h->index] = new_jump(c, body);
    replace_succ(h, !e, c->behind[h->index]);
    if (h->preds[1].count == 1 && is_always_entered(h, h->preds[1].at[0], e))
        drop_first_test(h, exit, e);
    body->kind |= h->kind & IR_BLOCK_LOOP_HEADER;
    h->kind &= ~(uint32_t)IR_BLOCK_LOOP_HEADER;
}

static void
place_new_blocks(rotate_ctx *c)
{
    ir_fn *f = c->f;
    ir_block **old = f->blocks;
    size_t n_old = f->n_blocks;
    f->blocks = NULL;
    f->n_blocks = f->cap_blocks = 0;
    for (size_t n = 0; n < n_old; n++) {
        ir_append_block(f, old[n]);
        if (c->behind[n])
            ir_append_block(f, c->behind[n]);
    }
}

void
amd_rotate_loops(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    arena_mark mark = arena_save(a);
    rotate_ctx c = {.f = f};
    uint32_t kills = f->valid & IR_HAS_KILLS; /* new blocks and edges end analyses, but not this */
    for (size_t n = f->n_blocks; n-- > 0;) {  /* inner loops first */
        ir_block *h = f->blocks[n];
        ir_block *latch = branches(h) && is_short(h) ? only_latch(h) : NULL;
        unsigned e = latch ? exit_of(h, latch) : 2;
        if (e == 2 || !ir_may_change(f->ctx))
            continue;
        if (!c.behind)
            c.behind = ARENA_ARRAY(a, f->n_blocks, ir_block *);
        if (!c.behind[h->index] && !c.behind[latch->index])
            rotate(&c, h, latch, e);
    }
    if (c.behind) {
        place_new_blocks(&c);
        f->valid = kills;
    }
    arena_release(a, mark);
}
