/* Pseudo instructions between fibres: control flow and shared registers, as in turnip's code.
 *
 * Blocks are split; fibres go different ways, and what one of them writes to a shared register all
 * of them read. */
#include "adreno/post/lower.h"

/* ---- blocks ---- */

static ir_block *
new_block_behind(adreno_lowering *l, const ir_block *b)
{
    ir_block *made = ir_block_new(l->f);
    made->kind = b->kind;
    ir_insert_block(l->f, made, b->index + 1);
    return made;
}

/* Moves what stands behind `i` to a new block. */
static ir_block *
split_behind(adreno_lowering *l, ir_instr *i)
{
    ir_block *b = i->block, *rest = new_block_behind(l, b);
    while (i->next) {
        ir_instr *moved = i->next;
        ir_unlink(moved);
        ir_append(rest, moved);
    }
    while (b->succs[1].count) {
        ir_block *to = b->succs[1].at[0];
        ir_add_edge(rest, to, 1);
        ir_remove_edge(b, to, 1);
    }
    return rest;
}

static ir_instr *
append(adreno_lowering *l, ir_block *b, unsigned op, unsigned n_defs, unsigned n_refs)
{
    ir_instr *i = ir_new_instr(l->f, op, n_defs, n_refs);
    i->loc = l->at->loc;
    ir_append(b, i);
    return i;
}

static void
append_move(adreno_lowering *l, ir_block *b, ir_ref def, ir_ref ref)
{
    ir_append(b, adreno_make_move(l, def, ref));
}

static ir_instr *
append_op(adreno_lowering *l, ir_block *b, unsigned op, const ir_ref refs[3])
{
    ir_instr *i = append(l, b, op, 1, 2);
    i->defs[0] = refs[0];
    i->refs[0] = refs[1];
    i->refs[1] = refs[2];
    return i;
}

static void
append_test(adreno_lowering *l, ir_block *b, unsigned cond, const ir_ref refs[3])
{
    adreno_set(append_op(l, b, ADRENO_CMPS_S, refs), 0, ADRENO_M_COND, cond);
}

static void
append_jump(adreno_lowering *l, ir_block *from, ir_block *to)
{
    append(l, from, ADRENO_JUMP, 0, 0);
    ir_add_edge(from, to, 1);
}

/* Ends `from` with a branch: successor 0 is taken, by br where the predicate does not hold. */
static void
append_branch(adreno_lowering *l, ir_block *from, unsigned op, ir_ref p, ir_block *const to[2])
{
    const bool is_plain = op == ADRENO_GETONE || op == ADRENO_GETLAST;
    ir_instr *i = append(l, from, op, 0, is_plain ? 0 : 1);
    if (i->n_refs)
        i->refs[0] = p;
    adreno_set(i, 0, ADRENO_M_INV, op == ADRENO_BR);
    ir_add_edge(from, to[0], 1);
    ir_add_edge(from, to[1], 1);
}

/* The block behind `i` of the fibres that do not branch to `*rest`, which is behind it. */
static ir_block *
add_arm(adreno_lowering *l, ir_instr *i, unsigned op, ir_ref p, ir_block **rest)
{
    ir_block *b = i->block;
    *rest = split_behind(l, i);
    ir_block *arm = new_block_behind(l, b);
    append_branch(l, b, op, p, (ir_block *[]){*rest, arm});
    return arm;
}

static void
prepend_move(adreno_lowering *l, ir_block *b, ir_ref def, ir_ref ref)
{
    ir_prepend(b, adreno_make_move(l, def, ref));
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
    ir_block *rest, *arm = add_arm(l, i, ADRENO_BR, i->refs[1], &rest);
    append_move(l, arm, shared_place(0), i->refs[0]);
    append_jump(l, arm, rest);
    prepend_move(l, rest, i->defs[0], shared_place(0));
}

static void
lower_elect(adreno_lowering *l, ir_instr *i)
{
    adreno_add_move(l, i->defs[0], adreno_full(0));
    ir_block *rest, *arm = add_arm(l, i, ADRENO_GETONE, ir_none(), &rest);
    append_move(l, arm, i->defs[0], adreno_full(1));
    append_jump(l, arm, rest);
}

/* Who does not branch changes the result: all fibres go the same way. */
static void
lower_vote(adreno_lowering *l, ir_instr *i)
{
    const unsigned op = i->op == ADRENO_P_VOTE_ALL ? ADRENO_BALL : ADRENO_BANY;
    adreno_add_move(l, i->defs[0], adreno_full(1));
    ir_block *rest, *arm = add_arm(l, i, op, i->refs[0], &rest);
    append_move(l, arm, i->defs[0], adreno_full(0));
    append_jump(l, arm, rest);
}

/* movmsk in the fibres in which the predicate holds gives their mask. */
static void
lower_ballot(adreno_lowering *l, ir_instr *i)
{
    const unsigned n = adreno_row(i->defs[0].rc);
    for (unsigned k = 0; k < n; k++)
        adreno_add_move(l, shared_place(k), adreno_full(0));
    ir_block *rest, *arm = add_arm(l, i, ADRENO_BR, i->refs[0], &rest);
    ir_instr *mask = append(l, arm, ADRENO_MOVMSK, 1, 0);
    mask->defs[0] = ir_pack_ref(IR_REF_NONE, 0, shared_place(0).reg, i->defs[0].rc, IR_ASSIGNED);
    append_jump(l, arm, rest);
    for (unsigned k = n; k-- > 0;)
        prepend_move(l, rest, adreno_place(i->defs[0].reg + 4 * k, 4), shared_place(k));
}

/* ---- shuffles ---- */

/* For each distance there is: all fibres shift by it, those that want it keep the result. */
static void
lower_shuffle(adreno_lowering *l, ir_instr *i)
{
    const ir_ref def = i->defs[0], done = i->defs[1], t = i->defs[2], p = i->defs[3];
    const ir_ref value = i->refs[0], distance = i->refs[1];
    const bool half = adreno_is_half_class(def.rc);
    adreno_add_move(l, done, adreno_full(0));
    ir_block *b = i->block, *rest = split_behind(l, i), *loop = new_block_behind(l, b);
    ir_block *arm = new_block_behind(l, loop), *all = new_block_behind(l, arm);
    ir_block *again = new_block_behind(l, all);
    append_jump(l, b, loop);
    append_test(l, loop, ADRENO_EQ, (ir_ref[]){p, done, adreno_full(0)});
    append_branch(l, loop, ADRENO_BR, p, (ir_block *[]){all, arm});
    append_move(l, arm, shared_place(0), distance);
    append_jump(l, arm, all);
    ir_instr *shfl = append_op(l, all, ADRENO_SHFL, (ir_ref[]){t, value, shared_place(0)});
    adreno_set(shfl, 2, ADRENO_W_MODE, 7);
    adreno_set(shfl, 0, ADRENO_M_TYPE, half ? ADRENO_U16 : ADRENO_U32);
    append_test(l, all, ADRENO_EQ, (ir_ref[]){p, distance, shared_place(0)});
    /* a predicate is no source of a selection: the result goes through a branch */
    ir_block *keep = split_behind(l, all->last), *next = new_block_behind(l, keep);
    append_branch(l, all, ADRENO_BR, p, (ir_block *[]){next, keep});
    append_move(l, keep, def, shfl->defs[0]);
    append_move(l, keep, done, adreno_full(1));
    append_jump(l, keep, next);
    append_test(l, next, ADRENO_NE, (ir_ref[]){p, done, adreno_full(0)});
    append_branch(l, next, ADRENO_BALL, p, (ir_block *[]){rest, again});
    append_jump(l, again, loop);
}

/* ---- scans ---- */

/* to = a op b; the three are different registers. */
static void
append_combine(adreno_lowering *l, ir_block *block, unsigned op, const ir_ref refs[3])
{
    if (op != ADRENO_MADSH_M16) {
        append_op(l, block, op, refs);
        return;
    }
    append_op(l, block, ADRENO_MULL_U, refs);
    for (unsigned k = 0; k < 2; k++) {
        ir_instr *mad = append(l, block, ADRENO_MADSH_M16, 1, 3);
        mad->defs[0] = mad->refs[2] = refs[0];
        mad->refs[0] = refs[2 - k];
        mad->refs[1] = refs[1 + k];
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
    ir_block *one = new_block_behind(l, loop), *others = new_block_behind(l, one);
    append_branch(l, loop, ADRENO_GETONE, ir_none(), (ir_block *[]){others, one});
    append_move(l, one, old, shared_place(1));
    append_combine(l, one, ir_words(i)[1], (ir_ref[]){t, i->refs[0], old});
    append_move(l, one, shared_place(1), t);
    if (how_of(i) != ADRENO_SCAN_ALL)
        append_move(l, one, i->defs[0], how_of(i) == ADRENO_SCAN_UP_TO ? t : old);
    append_jump(l, one, done);
    append_jump(l, others, loop);
}

/* Eight fibres after another: all that are left combine their values with the shared one, which is
 * right for the first eight. These leave, the last one when what it has is the shared value, which
 * is read of the first fibre. */
static void
build_eights(adreno_lowering *l, const ir_instr *i, ir_block *loop, ir_block *done)
{
    const ir_ref t = i->defs[1], old = i->defs[2];
    const unsigned op = ir_words(i)[1];
    ir_block *last = new_block_behind(l, loop);
    append_move(l, loop, old, shared_place(1));
    append_combine(l, loop, op, (ir_ref[]){t, i->refs[0], old});
    if (how_of(i) == ADRENO_SCAN_UP_TO)
        append_move(l, loop, i->defs[0], t);
    if (how_of(i) == ADRENO_SCAN_BEFORE)
        append_combine(l, loop, op, (ir_ref[]){i->defs[0], i->refs[2], old});
    append_branch(l, loop, ADRENO_GETLAST, ir_none(), (ir_block *[]){done, last});
    append_move(l, last, shared_place(1), t);
    append_branch(l, last, ADRENO_GETONE, ir_none(), (ir_block *[]){loop, done});
}

/* A cluster of at most eight fibres: the last one has what is wanted. */
static void
build_last(adreno_lowering *l, const ir_instr *i, ir_block *loop, ir_block *done)
{
    ir_block *last = new_block_behind(l, loop);
    append_branch(l, loop, ADRENO_GETLAST, ir_none(), (ir_block *[]){done, last});
    append_move(l, last, shared_place(1), i->refs[0]);
    append_jump(l, last, done);
}

/* One cluster after another; the fibres of the others wait behind. Returns the block for a
 * cluster's. */
static ir_block *
build_clusters(adreno_lowering *l, const ir_instr *i, ir_block *b)
{
    const ir_ref p = i->defs[3], cluster = i->refs[2];
    ir_block *outer = new_block_behind(l, b), *begin = new_block_behind(l, outer);
    ir_block *wait = new_block_behind(l, begin);
    append_jump(l, b, outer);
    append_move(l, outer, shared_place(0), cluster);
    append_test(l, outer, ADRENO_EQ, (ir_ref[]){p, cluster, shared_place(0)});
    append_branch(l, outer, ADRENO_BR, p, (ir_block *[]){wait, begin});
    append_jump(l, wait, outer);
    return begin;
}

static void
lower_scan(adreno_lowering *l, ir_instr *i)
{
    enum { LOG_EIGHT = 3 };
    const bool in_clusters = how_of(i) == ADRENO_SCAN_ALL && i->n_refs == 3;
    const unsigned log_size = adreno_attr(i, 2, ADRENO_W_LANES, 3);
    ir_block *b = i->block, *rest = split_behind(l, i);
    ir_block *begin = in_clusters ? build_clusters(l, i, b) : b;
    ir_block *loop = new_block_behind(l, begin), *done = rest;
    if (how_of(i) == ADRENO_SCAN_ALL)
        done = new_block_behind(l, loop);
    const bool in_eight = i->op == ADRENO_P_SCAN_EIGHTS && log_size && log_size <= LOG_EIGHT;
    if (!in_eight)
        append_move(l, begin, shared_place(1), i->refs[1]);
    append_jump(l, begin, loop);
    if (in_eight)
        build_last(l, i, loop, done);
    else if (i->op == ADRENO_P_SCAN)
        build_turns(l, i, loop, done);
    else
        build_eights(l, i, loop, done);
    if (done == rest)
        return;
    append_move(l, done, i->defs[0], shared_place(1));
    append_jump(l, done, rest);
}

bool
adreno_lower_lanes(adreno_lowering *l, ir_instr *i)
{
    l->at = i;
    switch (i->op) {
    case ADRENO_P_READ_FIRST: lower_read_first(l, i); break;
    case ADRENO_P_READ_AT: lower_read_at(l, i); break;
    case ADRENO_P_ELECT: lower_elect(l, i); break;
    case ADRENO_P_VOTE_ANY:
    case ADRENO_P_VOTE_ALL: lower_vote(l, i); break;
    case ADRENO_P_BALLOT: lower_ballot(l, i); break;
    case ADRENO_P_SHUFFLE: lower_shuffle(l, i); break;
    case ADRENO_P_SCAN:
    case ADRENO_P_SCAN_EIGHTS: lower_scan(l, i); break;
    default: return false;
    }
    ir_unlink(i);
    return true;
}
