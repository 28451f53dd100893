/* Pseudo instructions become hardware instructions. */
#include "adreno/post/post.h"

#include "adreno/adreno.h"
#include "cg/parallel_copy.h"

typedef struct lowering {
    ir_fn *f;
    cg_sequencer *seq;
    ir_instr *at; /* what is made stands before it */
} lowering;

static ir_ref
place(unsigned reg, unsigned bytes)
{
    const unsigned rc = reg >= ADRENO_REG_PREDICATE ? ADRENO_P1
                        : bytes == 2                ? ADRENO_H1
                                                    : ADRENO_F1;
    return ir_pack_ref(IR_REF_NONE, 0, reg, rc, IR_ASSIGNED);
}

static ir_instr *
add(lowering *l, unsigned op, unsigned n_defs, unsigned n_refs)
{
    ir_instr *i = ir_new_instr(l->f, op, n_defs, n_refs);
    i->loc = l->at->loc;
    ir_insert_before(l->at, i);
    return i;
}

static ir_instr *
add_typed(lowering *l, unsigned op, unsigned type, ir_ref def, ir_ref ref)
{
    ir_instr *i = add(l, op, 1, 1);
    i->defs[0] = def;
    i->refs[0] = ref;
    adreno_set(i, 0, ADRENO_M_STYPE, type);
    adreno_set(i, 0, ADRENO_M_DTYPE, type);
    return i;
}

static void
add_move(lowering *l, ir_ref def, ir_ref ref)
{
    add_typed(l, ADRENO_MOV, adreno_is_half_class(def.rc) ? ADRENO_U16 : ADRENO_U32, def, ref);
}

/* swz moves both at once. */
static void
add_swap(lowering *l, ir_ref a, ir_ref b)
{
    const unsigned type = adreno_is_half_class(a.rc) ? ADRENO_U16 : ADRENO_U32;
    ir_instr *i = add(l, ADRENO_SWZ, 2, 2);
    i->defs[0] = i->refs[1] = a;
    i->defs[1] = i->refs[0] = b;
    adreno_set(i, 0, ADRENO_M_STYPE, type);
    adreno_set(i, 0, ADRENO_M_DTYPE, type);
}

/* ---- copies ---- */

static unsigned
bytes_of(const lowering *l, unsigned rc)
{
    return ir_machine_of(l->f)->classes[rc].bytes;
}

/* A part of a copy: `bytes` bytes to register `dst`. */
static void
add_part(lowering *l, unsigned dst, ir_ref ref, unsigned skip, unsigned bytes)
{
    if (ref.kind != IR_REF_CONST && ref.kind != IR_REF_UNDEF)
        cg_add_copy(l->seq, (cg_copy){.dst = dst, .src = ref.reg + skip, .size = bytes},
                    (cg_granularity){.largest = 4, .smallest = 2});
}

/* Numbers are written when all registers have been read. */
static void
add_number(lowering *l, unsigned dst, ir_ref ref, unsigned bytes)
{
    if (ref.kind == IR_REF_CONST)
        add_move(l, place(dst, bytes), ref);
}

/* The parts of a copy: registers, or numbers. */
static void
each_part(lowering *l, const ir_instr *i, bool numbers)
{
    unsigned at = 0;
    for (unsigned k = 0; k < (i->op == ADRENO_P_SPLIT_VECTOR ? i->n_defs : i->n_refs); k++) {
        const bool splits = i->op == ADRENO_P_SPLIT_VECTOR;
        const ir_ref ref = splits ? i->refs[0] : i->refs[k];
        const unsigned bytes = bytes_of(l, splits ? i->defs[k].rc : ref.rc);
        const unsigned dst = i->op == ADRENO_P_CREATE_VECTOR ? i->defs[0].reg + at : i->defs[k].reg;
        if (numbers)
            add_number(l, dst, ref, bytes);
        else
            add_part(l, dst, ref, splits ? at : 0, bytes);
        at += bytes;
    }
}

static void
lower_copy(lowering *l, ir_instr *i)
{
    unsigned n;
    l->at = i;
    if (i->op == ADRENO_P_EXTRACT_VECTOR) {
        const unsigned bytes = bytes_of(l, i->defs[0].rc);
        add_part(l, i->defs[0].reg, i->refs[0], i->refs[1].id * bytes, bytes);
    } else {
        each_part(l, i, false);
    }
    const cg_step *steps = cg_sequence(l->seq, &n);
    for (unsigned k = 0; k < n; k++) {
        const ir_ref to = place(steps[k].dst, steps[k].size);
        const ir_ref from = place(steps[k].src, steps[k].size);
        if (steps[k].swap)
            add_swap(l, to, from);
        else
            add_move(l, to, from);
    }
    if (i->op != ADRENO_P_EXTRACT_VECTOR)
        each_part(l, i, true);
    ir_unlink(i);
}

/* ---- others ---- */

/* The address register holds 16 bits. */
static void
lower_const_at(lowering *l, ir_instr *i)
{
    l->at = i;
    const ir_ref half = i->defs[1];
    ir_instr *cov = add_typed(l, ADRENO_COV, 0, half, i->refs[0]);
    adreno_set(cov, 0, ADRENO_M_STYPE, ADRENO_U32);
    adreno_set(cov, 0, ADRENO_M_DTYPE, ADRENO_S16);
    ir_instr *mova = add(l, ADRENO_MOVA, 0, 1);
    mova->refs[0] = half;
    ir_instr *mov = add_typed(l, ADRENO_MOV, ADRENO_U32, i->defs[0],
                              adreno_number(ir_words(i)[1], false));
    adreno_set(mov, 0, ADRENO_M_CFILE, 1);
    adreno_set(mov, 0, ADRENO_M_REL, 1);
    ir_unlink(i);
}

/* ---- pseudo instructions with control flow ---- */

/* Splits the block behind `i`; returns the new block, which has what follows. */
static ir_block *
split_behind(lowering *l, ir_instr *i)
{
    ir_block *b = i->block, *rest = ir_block_new(l->f);
    rest->kind = b->kind;
    ir_append_block(l->f, rest);
    while (i->next) {
        ir_instr *moved = i->next;
        ir_unlink(moved);
        ir_append(rest, moved);
    }
    for (size_t k = l->f->n_blocks - 1; k > b->index + 1; k--) {
        l->f->blocks[k] = l->f->blocks[k - 1];
        l->f->blocks[k]->index = (uint32_t)k;
    }
    l->f->blocks[b->index + 1] = rest;
    rest->index = b->index + 1;
    while (b->succs[1].count) {
        ir_block *to = b->succs[1].at[0];
        ir_add_edge(rest, to, 1);
        ir_remove_edge(b, to, 1);
    }
    return rest;
}

static ir_instr *
append(lowering *l, ir_block *b, unsigned op, unsigned n_defs, unsigned n_refs)
{
    ir_instr *i = ir_new_instr(l->f, op, n_defs, n_refs);
    ir_append(b, i);
    return i;
}

static ir_instr *
append_move(lowering *l, ir_block *b, ir_ref def, ir_ref ref)
{
    ir_instr *i = append(l, b, ADRENO_MOV, 1, 1);
    const unsigned type = adreno_is_half_class(def.rc) ? ADRENO_U16 : ADRENO_U32;
    i->defs[0] = def;
    i->refs[0] = ref;
    adreno_set(i, 0, ADRENO_M_STYPE, type);
    adreno_set(i, 0, ADRENO_M_DTYPE, type);
    return i;
}

/* The first of the scratch registers that fibres share. */
static ir_ref
shared_place(unsigned k)
{
    return place(ADRENO_REG_SHARED + 4 * 4 + 4 * k, 4);
}

/* `block`, a branch to what is behind, a block in between that some fibres run: returns the latter;
 * `*rest` gets what is behind. */
static ir_block *
open_arm(lowering *l, ir_instr *i, unsigned op, ir_block **rest)
{
    ir_block *b = i->block, *arm;
    *rest = split_behind(l, i);
    ir_instr *branch = append(l, b, op, 0, op == ADRENO_GETONE ? 0 : 1);
    arm = split_behind(l, branch);
    ir_add_edge(b, *rest, 1);
    ir_add_edge(b, arm, 1);
    ir_add_edge(arm, *rest, 1);
    return arm;
}

static void
lower_read_first(lowering *l, ir_instr *i)
{
    ir_block *rest, *arm = open_arm(l, i, ADRENO_GETONE, &rest);
    const ir_ref def = i->defs[0], ref = i->refs[0];
    append_move(l, arm, shared_place(0), ref);
    append(l, arm, ADRENO_JUMP, 0, 0);
    ir_instr *move = append_move(l, rest, def, shared_place(0));
    ir_unlink(move);
    ir_prepend(rest, move);
    ir_unlink(i);
}

static void
lower_elect(lowering *l, ir_instr *i)
{
    l->at = i;
    add_move(l, i->defs[0], adreno_number(0, false));
    ir_block *rest, *arm = open_arm(l, i, ADRENO_GETONE, &rest);
    append_move(l, arm, i->defs[0], adreno_number(1, false));
    append(l, arm, ADRENO_JUMP, 0, 0);
    ir_unlink(i);
}

/* The result is set before, and changed by those who do not branch: ball goes on if all hold. */
static void
lower_vote(lowering *l, ir_instr *i)
{
    const bool all = i->op == ADRENO_P_VOTE_ALL;
    const ir_ref p = i->refs[0], def = i->defs[0];
    l->at = i;
    add_move(l, def, adreno_number(1, false));
    ir_block *rest, *arm = open_arm(l, i, all ? ADRENO_BALL : ADRENO_BANY, &rest);
    arm->preds[1].at[0]->last->refs[0] = p;
    append_move(l, arm, def, adreno_number(0, false));
    append(l, arm, ADRENO_JUMP, 0, 0);
    ir_unlink(i);
}

/* movmsk in the fibres in which the predicate holds gives their mask to shared registers. */
static void
lower_ballot(lowering *l, ir_instr *i)
{
    const unsigned n = adreno_row(i->defs[0].rc);
    const ir_ref p = i->refs[0], def = i->defs[0];
    l->at = i;
    for (unsigned k = 0; k < n; k++)
        add_move(l, shared_place(k), adreno_number(0, false));
    ir_block *rest, *arm = open_arm(l, i, ADRENO_BR, &rest);
    ir_instr *branch = arm->preds[1].at[0]->last;
    branch->refs[0] = p;
    adreno_set(branch, 0, ADRENO_M_INV, 1);
    ir_instr *mask = append(l, arm, ADRENO_MOVMSK, 1, 0);
    mask->defs[0] = ir_pack_ref(IR_REF_NONE, 0, shared_place(0).reg, def.rc, IR_ASSIGNED);
    append(l, arm, ADRENO_JUMP, 0, 0);
    for (unsigned k = n; k-- > 0;) {
        ir_instr *move = append_move(l, rest, place(def.reg + 4 * k, 4), shared_place(k));
        ir_unlink(move);
        ir_prepend(rest, move);
    }
    ir_unlink(i);
}

static void
drop(lowering *l, ir_instr *i)
{
    (void)l;
    ir_unlink(i);
}

typedef void lower_fn(lowering *l, ir_instr *i);

static lower_fn *
lowering_of(unsigned op)
{
    switch (op) {
    case ADRENO_P_PARALLELCOPY:
    case ADRENO_P_CREATE_VECTOR:
    case ADRENO_P_SPLIT_VECTOR:
    case ADRENO_P_EXTRACT_VECTOR: return lower_copy;
    case ADRENO_P_CONST_AT: return lower_const_at;
    case ADRENO_P_READ_FIRST: return lower_read_first;
    case ADRENO_P_ELECT: return lower_elect;
    case ADRENO_P_VOTE_ANY:
    case ADRENO_P_VOTE_ALL: return lower_vote;
    case ADRENO_P_BALLOT: return lower_ballot;
    case ADRENO_P_START: return drop;
    default: return NULL;
    }
}

void
adreno_lower_pseudo(ir_fn *f)
{
    lowering l = {.f = f, .seq = cg_sequencer_new(f->arena)};
    for (size_t k = 0; k < f->n_blocks; k++) {
        ir_instr *next;
        for (ir_instr *i = f->blocks[k]->first; i; i = next) {
            next = i->next;
            lower_fn *lower = lowering_of(i->op);
            if (lower)
                lower(&l, i);
        }
    }
}
