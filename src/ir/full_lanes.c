/* Finds the blocks in which all lanes of a wave are active.
 *
 * A workgroup that fills its waves starts with all lanes active. They stay active at the top level,
 * in arms of ifs with a uniform condition, and in loops that no divergent if breaks or continues.
 */
#include "ir/analysis.h"
#include "ir/hir.h"

typedef struct walk {
    const ir_fn *f;
    ir_block **open; /* openers of the enclosing constructs */
    uint32_t depth;
    bool *mixed; /* by index of a loop's opener: lanes leave an iteration at different points */
} walk;

static void
enter_block(walk *w, ir_block *b)
{
    if (w->depth && w->open[w->depth - 1]->merge == b)
        w->depth--;
}

static bool
is_divergent_if(const ir_fn *f, const ir_block *b)
{
    const ir_instr *t = ir_terminator(b);
    return t->op == IR_if && f->values[t->refs[0].id].divergent;
}

/* Handles a jump out of ifs to the merge or continue block of the enclosing loop. */
static void
visit_jump(walk *w, const ir_block *b)
{
    const ir_block *to = b->succs[0].at[0];
    bool divergent = false;
    for (uint32_t d = w->depth; d-- > 0;) {
        const ir_block *o = w->open[d];
        if (o->cont) {
            w->mixed[o->index] |= divergent;
            return;
        }
        if (o->merge == to)
            return;
        divergent |= is_divergent_if(w->f, o);
    }
}

static void
find_mixed_loops(walk *w)
{
    IR_FOREACH_BLOCK(b, w->f) {
        enter_block(w, b);
        if (ir_terminator(b)->op == IR_jump)
            visit_jump(w, b);
        if (b->merge)
            w->open[w->depth++] = b;
    }
}

bool
ir_waves_are_full(const ir_fn *f)
{
    const uint32_t *size = f->shader.workgroup_size, wave = f->shader.wave_size;
    return wave && size[0] && (uint64_t)size[0] * size[1] * size[2] % wave == 0;
}

bool *
ir_find_full_blocks(const ir_fn *f, arena *a)
{
    bool *full = ARENA_ARRAY(a, f->n_blocks, bool);
    if (!ir_waves_are_full(f))
        return full;
    walk w = {.f = f, .open = ARENA_ARRAY(a, f->n_blocks + 1, ir_block *)};
    w.mixed = ARENA_ARRAY(a, f->n_blocks, bool);
    find_mixed_loops(&w);
    w.depth = 0;
    IR_FOREACH_BLOCK(b, f) {
        enter_block(&w, b);
        const ir_block *o = w.depth ? w.open[w.depth - 1] : NULL;
        full[b->index] = !o || (full[o->index] && !is_divergent_if(f, o) && !w.mixed[o->index]);
        if (b->merge)
            w.open[w.depth++] = b;
    }
    return full;
}
