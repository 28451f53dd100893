/* Pseudo instructions between fibres: control flow and shared registers, as in turnip's code.
 *
 * Blocks are split; fibres go different ways, and what one of them writes to a shared register all
 * of them read. The new blocks are written in their order: the end of one is the start of the
 * next, and the last one, `rest`, has what stood behind the instruction. */
#include "adreno/post/lower.h"

/* ---- blocks ---- */

/* Makes a block, the last one before the rest. */
static ir_block *
new_block(adreno_lowering *l)
{
    ir_block *made = ir_block_new(l->f);
    ir_insert_block(l->f, made, l->rest->index);
    return made;
}

/* Moves what stands behind `i` to the rest, and begins to write behind `i`. */
static void
split(adreno_lowering *l, ir_instr *i)
{
    l->end = i->block;
    l->rest = ir_split_block(i->next);
    ir_insert_block(l->f, l->rest, l->end->index + 1);
}

static ir_block *
behind(const adreno_lowering *l, const ir_block *b)
{
    return l->f->blocks[b->index + 1];
}

static void
go_on(adreno_lowering *l)
{
    l->end = behind(l, l->end);
    if (l->end != l->rest)
        return;
    l->end = NULL;
    l->at = l->rest->first;
}

static void
jump(adreno_lowering *l, ir_block *to)
{
    adreno_add_instr(l, ADRENO_JUMP, 0, 0);
    ir_add_edge(l->end, to, 1);
    go_on(l);
}

/* The fibres that do not branch go on in the block behind. br is taken where the predicate does not
 * hold. */
static void
branch(adreno_lowering *l, unsigned op, ir_ref p, ir_block *to)
{
    const bool is_plain = op == ADRENO_GETONE || op == ADRENO_GETLAST;
    ir_instr *i = adreno_add_instr(l, op, 0, is_plain ? 0 : 1);
    if (i->n_refs)
        i->refs[0] = p;
    adreno_set(i, 0, ADRENO_M_INV, op == ADRENO_BR);
    ir_add_edge(l->end, to, 1);
    ir_add_edge(l->end, behind(l, l->end), 1);
    go_on(l);
}

static void
test(adreno_lowering *l, unsigned cond, ir_ref p, ir_ref a, ir_ref b)
{
    adreno_set(adreno_add_op(l, ADRENO_CMPS_S, p, a, b), 0, ADRENO_M_COND, cond);
}

/* Shared registers that allocation does not hand out. */
static ir_ref
shared_place(unsigned k)
{
    return adreno_place(ADRENO_REG_LANES + 4 * k, 4);
}

/* ---- one value for all ---- */

/* What is moved to a shared register is the first fibre's. */
static void
lower_read_first(adreno_lowering *l, ir_instr *i)
{
    adreno_add_move(l, shared_place(0), i->refs[0]);
    adreno_add_move(l, i->defs[0], shared_place(0));
}

static void
lower_read_at(adreno_lowering *l, ir_instr *i)
{
    split(l, i);
    new_block(l);
    branch(l, ADRENO_BR, i->refs[1], l->rest);
    adreno_add_move(l, shared_place(0), i->refs[0]);
    jump(l, l->rest);
    adreno_add_move(l, i->defs[0], shared_place(0));
}

/* The result is `others` in the fibres that branch. */
static void
lower_branch(adreno_lowering *l, ir_instr *i, unsigned op, uint32_t others)
{
    split(l, i);
    new_block(l);
    adreno_add_move(l, i->defs[0], adreno_full(others));
    branch(l, op, i->n_refs ? i->refs[0] : ir_none(), l->rest);
    adreno_add_move(l, i->defs[0], adreno_full(!others));
    jump(l, l->rest);
}

/* movmsk in the fibres in which the predicate holds gives their mask. */
static void
lower_ballot(adreno_lowering *l, ir_instr *i)
{
    const unsigned n = adreno_row(i->defs[0].rc);
    split(l, i);
    new_block(l);
    for (unsigned k = 0; k < n; k++)
        adreno_add_move(l, shared_place(k), adreno_full(0));
    branch(l, ADRENO_BR, i->refs[0], l->rest);
    ir_instr *mask = adreno_add_instr(l, ADRENO_MOVMSK, 1, 0);
    mask->defs[0] = ir_pack_ref(IR_REF_NONE, 0, shared_place(0).reg, i->defs[0].rc, IR_ASSIGNED);
    jump(l, l->rest);
    for (unsigned k = 0; k < n; k++)
        adreno_add_move(l, adreno_place(i->defs[0].reg + 4 * k, 4), shared_place(k));
}

/* ---- shuffles ---- */

/* For each distance there is: all fibres shift by it, those that want it keep the result. A
 * predicate is no source of a selection: the result goes through a branch. */
static void
lower_shuffle(adreno_lowering *l, ir_instr *i)
{
    const ir_ref def = i->defs[0], done = i->defs[1], t = i->defs[2], p = i->defs[3];
    const ir_ref value = i->refs[0], distance = i->refs[1];
    const bool half = adreno_is_half_class(def.rc);
    split(l, i);
    ir_block *loop = new_block(l);
    new_block(l);
    ir_block *all = new_block(l);
    new_block(l);
    ir_block *next = new_block(l);
    new_block(l);
    adreno_add_move(l, done, adreno_full(0));
    jump(l, loop);
    test(l, ADRENO_EQ, p, done, adreno_full(0));
    branch(l, ADRENO_BR, p, all);
    adreno_add_move(l, shared_place(0), distance);
    jump(l, all);
    ir_instr *shfl = adreno_add_op(l, ADRENO_SHFL, t, value, shared_place(0));
    adreno_set(shfl, 2, ADRENO_W_MODE, 7);
    adreno_set(shfl, 0, ADRENO_M_TYPE, half ? ADRENO_U16 : ADRENO_U32);
    test(l, ADRENO_EQ, p, distance, shared_place(0));
    branch(l, ADRENO_BR, p, next);
    adreno_add_move(l, def, t);
    adreno_add_move(l, done, adreno_full(1));
    jump(l, next);
    test(l, ADRENO_NE, p, done, adreno_full(0));
    branch(l, ADRENO_BALL, p, l->rest);
    jump(l, loop);
}

/* ---- scans ---- */

/* to = a op b; the three are different registers. */
static void
combine(adreno_lowering *l, unsigned op, ir_ref to, ir_ref a, ir_ref b)
{
    const ir_ref factors[] = {b, a, b};
    adreno_add_op(l, op == ADRENO_MADSH_M16 ? ADRENO_MULL_U : op, to, a, b);
    for (unsigned k = 0; k < 2 && op == ADRENO_MADSH_M16; k++) {
        ir_instr *mad = adreno_add_instr(l, ADRENO_MADSH_M16, 1, 3);
        mad->defs[0] = mad->refs[2] = to;
        mad->refs[0] = factors[k];
        mad->refs[1] = factors[k + 1];
    }
}

static unsigned
how_of(const ir_instr *i)
{
    return adreno_attr(i, 0, ADRENO_M_COND, 3);
}

/* The fibres take turns: each combines its value with the shared one. */
static void
build_turns(adreno_lowering *l, const ir_instr *i, ir_block *loop, ir_block *done)
{
    const ir_ref t = i->defs[1], old = i->defs[2];
    branch(l, ADRENO_GETONE, ir_none(), behind(l, behind(l, loop)));
    adreno_add_move(l, old, shared_place(1));
    combine(l, ir_words(i)[1], t, i->refs[0], old);
    adreno_add_move(l, shared_place(1), t);
    if (how_of(i) != ADRENO_SCAN_ALL)
        adreno_add_move(l, i->defs[0], how_of(i) == ADRENO_SCAN_UP_TO ? t : old);
    jump(l, done);
    jump(l, loop);
}

/* Eight fibres after another: all that are left combine their values with the shared one, which is
 * right for the first eight. These leave, the last one when what it has is the shared value, which
 * is read of the first fibre. */
static void
build_eights(adreno_lowering *l, const ir_instr *i, ir_block *loop, ir_block *done)
{
    const ir_ref t = i->defs[1], old = i->defs[2];
    const unsigned op = ir_words(i)[1];
    adreno_add_move(l, old, shared_place(1));
    combine(l, op, t, i->refs[0], old);
    if (how_of(i) == ADRENO_SCAN_UP_TO)
        adreno_add_move(l, i->defs[0], t);
    if (how_of(i) == ADRENO_SCAN_BEFORE)
        combine(l, op, i->defs[0], i->refs[2], old);
    branch(l, ADRENO_GETLAST, ir_none(), done);
    adreno_add_move(l, shared_place(1), t);
    branch(l, ADRENO_GETONE, ir_none(), loop);
}

/* A cluster of at most eight fibres: the last one has what is wanted. */
static void
build_last(adreno_lowering *l, const ir_instr *i, ir_block *done)
{
    branch(l, ADRENO_GETLAST, ir_none(), done);
    adreno_add_move(l, shared_place(1), i->refs[0]);
    jump(l, done);
}

/* One cluster after another; the fibres of the others wait behind. */
static void
open_clusters(adreno_lowering *l, const ir_instr *i, ir_block *outer, ir_block *wait)
{
    const ir_ref p = i->defs[3], cluster = i->refs[2];
    jump(l, outer);
    adreno_add_move(l, shared_place(0), cluster);
    test(l, ADRENO_EQ, p, cluster, shared_place(0));
    branch(l, ADRENO_BR, p, wait);
}

static void
lower_scan(adreno_lowering *l, ir_instr *i)
{
    enum { LOG_EIGHT = 3 };
    const bool all = how_of(i) == ADRENO_SCAN_ALL, in_clusters = all && i->n_refs == 3;
    const unsigned log_size = adreno_attr(i, 2, ADRENO_W_LANES, 3);
    const bool in_turns = i->op == ADRENO_P_SCAN;
    const bool in_eight = !in_turns && log_size && log_size <= LOG_EIGHT;
    split(l, i);
    ir_block *outer = in_clusters ? new_block(l) : NULL;
    if (in_clusters)
        new_block(l);
    ir_block *loop = new_block(l);
    for (unsigned k = 0; k < 1u + in_turns; k++)
        new_block(l);
    ir_block *done = all ? new_block(l) : l->rest, *wait = in_clusters ? new_block(l) : NULL;
    if (in_clusters)
        open_clusters(l, i, outer, wait);
    if (!in_eight)
        adreno_add_move(l, shared_place(1), i->refs[1]);
    jump(l, loop);
    if (in_eight)
        build_last(l, i, done);
    else if (in_turns)
        build_turns(l, i, loop, done);
    else
        build_eights(l, i, loop, done);
    if (all) {
        adreno_add_move(l, i->defs[0], shared_place(1));
        jump(l, l->rest);
    }
    if (in_clusters)
        jump(l, outer);
}

bool
adreno_lower_lanes(adreno_lowering *l, ir_instr *i)
{
    switch (i->op) {
    case ADRENO_P_READ_FIRST: lower_read_first(l, i); break;
    case ADRENO_P_READ_AT: lower_read_at(l, i); break;
    case ADRENO_P_ELECT: lower_branch(l, i, ADRENO_GETONE, 0); break;
    case ADRENO_P_VOTE_ANY: lower_branch(l, i, ADRENO_BANY, 1); break;
    case ADRENO_P_VOTE_ALL: lower_branch(l, i, ADRENO_BALL, 1); break;
    case ADRENO_P_BALLOT: lower_ballot(l, i); break;
    case ADRENO_P_SHUFFLE: lower_shuffle(l, i); break;
    case ADRENO_P_SCAN:
    case ADRENO_P_SCAN_EIGHTS: lower_scan(l, i); break;
    default: return false;
    }
    return true;
}
