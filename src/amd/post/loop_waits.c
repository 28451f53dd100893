/* A register that was loaded before a loop, and that each iteration uses, would be waited for in
 * each of them:
 *
 *     v1 = buffer_load_dword                   v1 = buffer_load_dword
 *     loop:                                    s_waitcnt vmcnt(0)
 *         s_waitcnt vmcnt(0)           ->      loop:
 *         v_cmp_eq_u32 0, v1                       v_cmp_eq_u32 0, v1
 *
 * So insert_wait_states waits at the end of the block before. It does so for what the header uses,
 * or the only block behind it: further uses are far enough away that the load had better go on
 * meanwhile. What the loop itself loads into the register must be waited for inside.
 *
 * One walk over the blocks, which carries the sets of the loops around.
 */
#include "amd/post/loop_waits.h"

#include "amd/isa/table/table.h"
#include "ir/analysis.h"

enum { WORDS = AMD_TRACKED_REGS / 64 };

typedef struct open_loop {
    amd_reg_set *uses;
    amd_reg_set loads;
    uint32_t end; /* index of the block behind it */
} open_loop;

static void
add(amd_reg_set *s, const ir_ref *refs, unsigned n)
{
    for (unsigned r = 0; r < n; r++) {
        amd_reg_range range = amd_range_of(refs[r]);
        for (unsigned reg = range.first; reg < range.first + range.count; reg++)
            s->bits[reg / 64] |= UINT64_C(1) << reg % 64;
    }
}

static void
add_block(amd_reg_set *uses, const ir_block *b)
{
    IR_FOREACH_INSTR(i, b) {
        add(uses, i->refs, i->n_refs);
        add(uses, i->defs, i->n_defs);
    }
}

static void
add_loads(amd_reg_set *loads, const ir_block *b)
{
    IR_FOREACH_INSTR(i, b) {
        const amd_op_info *row = amd_op_row((amd_op)i->op);
        if (row && (row->flags & (AMD_F_VM | AMD_F_LGKM)))
            add(loads, i->defs, i->n_defs);
    }
}

/* Ends the loops before block `at`: what a loop loads, the loop around it does. */
static uint32_t
close_loops(open_loop *open, uint32_t n, uint32_t at)
{
    for (; n && open[n - 1].end <= at; n--) {
        for (unsigned w = 0; w < WORDS; w++) {
            open[n - 1].uses->bits[w] &= ~open[n - 1].loads.bits[w];
            if (n > 1)
                open[n - 2].loads.bits[w] |= open[n - 1].loads.bits[w];
        }
    }
    return n;
}

static amd_reg_set *
uses_at_once(const ir_fn *f, const ir_block *header, uint32_t end, arena *a)
{
    amd_reg_set *uses = ARENA_NEW(a, amd_reg_set);
    add_block(uses, header);
    if (header->index + 1 < end) {
        const ir_block *next = f->blocks[header->index + 1];
        if (next->preds[1].count == 1 && next->preds[1].at[0] == header)
            add_block(uses, next);
    }
    return uses;
}

const amd_reg_set *const *
amd_find_loop_waits(const ir_fn *f, arena *a)
{
    const amd_reg_set **found = ARENA_ARRAY(a, f->n_blocks, const amd_reg_set *);
    const uint32_t *end = ir_find_loop_ends(f, 1, a);
    open_loop *open = ARENA_ARRAY(a, f->n_blocks, open_loop);
    uint32_t n = 0;
    for (uint32_t at = 0; at < f->n_blocks; at++) {
        n = close_loops(open, n, at);
        if (end[at]) {
            amd_reg_set *uses = uses_at_once(f, f->blocks[at], end[at], a);
            open[n++] = (open_loop){.uses = uses, .end = end[at]};
            found[at] = uses;
        }
        if (n)
            add_loads(&open[n - 1].loads, f->blocks[at]);
    }
    close_loops(open, n, f->n_blocks);
    return found;
}
