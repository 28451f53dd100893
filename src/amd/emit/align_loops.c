/* align_loops: keeps small loops in the few lines of code that a wave's instruction buffer holds.
 *
 *     s_mov_b32 s0, 0                       s_mov_b32 s0, 0
 *     loop: (100 bytes)                     s_inst_prefetch 0x2
 *         ...                      ->       p_align_loop 100
 *                                           loop: (100 bytes)
 *     s_endpgm                                  ...
 *                                           s_inst_prefetch 0x3
 *                                           s_endpgm
 *
 * The buffer has four lines: with n lines fetched ahead it keeps 3 - n lines behind the current
 * one (RDNA 2 ISA, "S_INST_PREFETCH"). A loop of two or three lines stays in it if n is 4 less its
 * lines; 3 is what a wave begins with, as ACO assumes, too. A loop of one line needs nothing but
 * its place. emit_program writes the s_nops for that, since it knows where the loop begins.
 *
 * This holds for innermost loops that are entered from the block before them alone; the mode is
 * changed if it can be changed back at all places where the loop is left. The code of each block
 * is measured once at most.
 */
#include "amd/emit/size.h"

#include "amd/isa/table/table.h"
#include "ir/analysis.h"

enum { BUFFER = 4, MOST = 3, USUAL = 3 };

typedef struct loop {
    ir_fn *f;
    uint32_t first, end; /* blocks */
} loop;

static bool
is_inside(const loop *l, const ir_block *b)
{
    return b->index >= l->first && b->index < l->end;
}

/* Bytes that its code has at least: no instruction is shorter than four. */
static uint32_t
least_size(const loop *l)
{
    uint32_t size = 0;
    for (uint32_t n = l->first; n < l->end && size <= MOST * AMD_LINE; n++) {
        IR_FOREACH_INSTR(i, l->f->blocks[n])
            size += amd_is_pseudo(i->op) ? 0 : 4;
    }
    return size;
}

/* Bytes, or 0 if it is too large. */
static uint32_t
size_of_loop(const loop *l)
{
    uint32_t size = 0;
    if (least_size(l) > MOST * AMD_LINE)
        return 0;
    for (uint32_t n = l->first; n < l->end && size <= MOST * AMD_LINE; n++)
        size += amd_size_of_block(l->f, l->f->blocks[n]);
    return size <= MOST * AMD_LINE ? size : 0;
}

static bool
is_entered_from_above(const loop *l)
{
    const ir_block *header = l->f->blocks[l->first];
    const ir_block *before = l->first ? l->f->blocks[l->first - 1] : NULL;
    if (!before || before->succs[1].count != 1 || before->succs[1].at[0] != header)
        return false;
    for (uint32_t p = 0; p < header->preds[1].count; p++) {
        const ir_block *from = header->preds[1].at[p];
        if (from != before && !is_inside(l, from))
            return false;
    }
    return true;
}

/* Calls `visit` for the blocks behind the loop's exits. */
static bool
each_exit(const loop *l, bool (*visit)(const loop *l, ir_block *b))
{
    bool ok = true;
    for (uint32_t n = l->first; n < l->end; n++) {
        const ir_block *b = l->f->blocks[n];
        for (uint32_t s = 0; s < b->succs[1].count; s++) {
            if (!is_inside(l, b->succs[1].at[s]))
                ok &= visit(l, b->succs[1].at[s]);
        }
    }
    return ok;
}

static bool
is_left_to_alone(const loop *l, ir_block *b)
{
    bool alone = true;
    for (uint32_t p = 0; p < b->preds[1].count; p++)
        alone &= is_inside(l, b->preds[1].at[p]);
    return alone;
}

static ir_instr *
new_instr(ir_fn *f, unsigned op, uint32_t word)
{
    ir_instr *i = amd_new(f, op, 0, 0);
    ir_words(i)[0] = word;
    return i;
}

static bool
restore(const loop *l, ir_block *b)
{
    if (!b->first || b->first->op != AMD_S_INST_PREFETCH)
        ir_prepend(b, new_instr(l->f, AMD_S_INST_PREFETCH, USUAL));
    return true;
}

static void
align_loop(const loop *l)
{
    uint32_t size = is_entered_from_above(l) ? size_of_loop(l) : 0;
    size_t lines = amd_lines_of(size);
    ir_block *before = size ? l->f->blocks[l->first - 1] : NULL;
    if (!before || !ir_may_change(l->f->ctx))
        return;
    if (lines > 1 && each_exit(l, is_left_to_alone)) {
        ir_append(before, new_instr(l->f, AMD_S_INST_PREFETCH, BUFFER - (uint32_t)lines));
        each_exit(l, restore);
    }
    ir_append(before, new_instr(l->f, AMD_P_ALIGN_LOOP, size));
}

void
amd_align_loops(ir_fn *f)
{
    if (!amd_has(amd_prog(f)->target, holds_loops))
        return;
    arena_mark mark = arena_save(f->ctx->scratch);
    const uint32_t *end = ir_find_loop_ends(f, 1, f->ctx->scratch);
    loop inner = {.f = f};
    for (uint32_t n = 0; n < f->n_blocks; n++) {
        if (end[n])
            inner = (loop){f, n, end[n]};
        if (inner.end == n + 1)
            align_loop(&inner);
    }
    arena_release(f->ctx->scratch, mark);
}
