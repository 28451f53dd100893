/* Merges scalar loads of neighbouring descriptors.
 *
 *     s8: %2 = s_load_dwordx8 %1, _                   s16: %4 = s_load_dwordx16 %1, _
 *     ...                                        ->   s8: %2,  s8: %3 = p_split_vector %4
 *     s8: %3 = s_load_dwordx8 %1, _ offset:32         ...
 *
 * Both loads must be near each other in one block, from memory that does not change. The wide load
 * takes the place of the first. Register allocation leaves its parts where they are, so the split
 * costs nothing, but the second part lives from there on. Several sizes of loads merge in turn, as
 * far as there are wider ones. Pairs that begin at a multiple of their size come first: of
 * descriptors at 32, 16, 48 and 0, the first two would leave the others alone. The middle end
 * merges what the shader itself loads (opt/vectorize_mem.c); descriptors are not there yet.
 */
#include "amd/opt/combine.h"

/* How many loads are kept in mind, and how many instructions may lie between two. */
enum { KEPT = 4, NEAR = 64 };

typedef struct merging {
    ir_fn *f;
    ir_instr *kept[KEPT]; /* loads of the block, a ring */
    unsigned next;
    uint32_t position; /* ir_instr.mark of loads: the number in the block */
    bool any_place;    /* pairs may begin anywhere */
    bool left;         /* some pair did not begin at a multiple of its size */
} merging;

/* The load of twice the size of `op`, or AMD_OP_INVALID. */
static unsigned
wider(unsigned op)
{
    switch (op) {
    case AMD_S_LOAD_DWORDX4: return AMD_S_LOAD_DWORDX8;
    case AMD_S_LOAD_DWORDX8: return AMD_S_LOAD_DWORDX16;
    default: return AMD_OP_INVALID;
    }
}

static bool
is_plain(const ir_instr *i)
{
    bool unchanging = (ir_words(i)[2] & AMD_SYNC_CAN_REORDER) != 0;
    return unchanging && !ir_words(i)[1] && ir_is_value(i->refs[0]) &&
           i->refs[1].kind == IR_REF_NONE && !(i->refs[1].flags & IR_FIXED) &&
           !(i->defs[0].flags & IR_FIXED);
}

/* A kept load whose bytes are next to those of `i`, or NULL. */
static ir_instr **
neighbour(merging *m, const ir_instr *i)
{
    uint32_t bytes = amd_rc_bytes(i->defs[0].rc);
    for (unsigned k = 0; k < KEPT; k++) {
        const ir_instr *o = m->kept[k];
        if (!o || o->op != i->op || !ir_same_ref(o->refs[0], i->refs[0]) ||
            ir_words(o)[2] != ir_words(i)[2] || m->position - o->mark > NEAR)
            continue;
        uint32_t a = ir_words(o)[0], b = ir_words(i)[0], low = a < b ? a : b;
        if (low + bytes != (a < b ? b : a))
            continue;
        if (m->any_place || low % (2 * bytes) == 0)
            return &m->kept[k];
        m->left = true;
    }
    return NULL;
}

void
amd_opt_join_loads(ir_fn *f, ir_instr *load, ir_instr *low, ir_instr *high, ir_instr *at)
{
    unsigned rc = low->defs[0].rc;
    ir_instr *split = amd_new(f, AMD_P_SPLIT_VECTOR, 2, 1);
    load->loc = split->loc = at->loc;
    split->refs[0] = ir_define(f, load, 0,
                               (ir_type)amd_rc(amd_rc_is_vgpr(rc), 2 * amd_rc_bytes(rc)));
    split->defs[0] = low->defs[0];
    split->defs[1] = high->defs[0];
    ir_insert_before(at, load);
    ir_insert_before(at, split);
    for (unsigned d = 0; d < 2; d++)
        f->values[split->defs[d].id].def = split;
    ir_unlink(low);
    ir_unlink(high);
}

/* Returns the load of the bytes of both; `first` comes first in the block. */
static ir_instr *
merge(merging *m, ir_instr *first, ir_instr *second)
{
    bool in_order = ir_words(first)[0] < ir_words(second)[0];
    ir_instr *low = in_order ? first : second, *high = in_order ? second : first;
    ir_instr *load = amd_new(m->f, (amd_op)wider(low->op), 1, 2);
    for (unsigned w = 0; w < 3; w++)
        ir_words(load)[w] = ir_words(low)[w];
    load->refs[0] = first->refs[0];
    load->refs[1] = first->refs[1];
    amd_opt_join_loads(m->f, load, low, high, first);
    load->mark = first->mark;
    return load;
}

static void
visit(merging *m, ir_instr *i)
{
    i->mark = ++m->position;
    while (wider(i->op) != AMD_OP_INVALID && is_plain(i)) {
        ir_instr **o = neighbour(m, i);
        if (!o || !ir_may_change(m->f->ctx)) {
            m->kept[m->next++ % KEPT] = i;
            return;
        }
        ir_instr *kept = *o; /* a merged load may come before it */
        *o = NULL;
        i = kept->mark < i->mark ? merge(m, kept, i) : merge(m, i, kept);
    }
}

/* Returns true if pairs are left. */
static bool
merge_in_block(ir_fn *f, const ir_block *b, bool any_place)
{
    merging m = {.f = f, .any_place = any_place};
    IR_FOREACH_INSTR(i, b)
        visit(&m, i);
    return m.left;
}

void
amd_opt_merge_loads(ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        if (merge_in_block(f, b, false))
            merge_in_block(f, b, true);
    }
}
