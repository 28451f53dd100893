/* Converts SPIR-V's control flow to HIR's structured form.
 *
 * The walk follows the structural dominator tree (after Ramsey 2022, "Beyond Relooper", with merge
 * blocks taken from the merge instructions). A block's children in the tree are of two kinds. Arms
 * are reached only by one edge from the end of the block and are emitted at that edge. Joins (merge
 * blocks, cases that others fall into) are emitted after the block's code, in reverse post-order:
 *
 *     { { code of b, falls off to Y1 } Y1's tree, falls off to Y2 } Y2's tree, falls off to `fall`
 *
 * Each join is a target while the code before it is emitted. An edge to a target T becomes
 *   nothing         if falling off the end of the region leads to T;
 *   a jump          if T follows, or is the continue block of, the innermost HIR loop;
 *   a flag          otherwise: T's flag is set, and the lanes go to the end of the region or out of
 *                   the loop. After each region the flags raised in it are tested: those lanes skip
 *                   the code that comes next, until T is reached.
 * Flags are SSA variables that are false where T was opened; most of them fold away. If only one
 * arm of a selection reaches its merge block and the other leaves by a flag, the code after the
 * merge block is put into the arm instead (if (c) return; rest -> if (c) {} else { rest }).
 *
 * A loop becomes a HIR loop. Its continue construct becomes HIR's continue region if several places
 * continue and it does not leave the loop; otherwise it is the last join of the body, and the
 * continue region is empty. So continue regions never break. A function with several returns gets a
 * loop of one iteration, which the returns break out of.
 */
#include "spirv/structure.h"

enum { MANY_RETURNS = 16, MAX_JOIN_NESTING = 64 };

/* ---- targets ---- */

static spirv_target *
open_target(spirv_reader *r, spirv_block *b)
{
    spirv_target *t = ARENA_NEW(r->a, spirv_target);
    *t = (spirv_target){.block = b, .opened = r->b.block, .depth = r->loop_depth};
    b->target = t;
    return t;
}

static void
close_target(spirv_target *t)
{
    t->block->target = NULL;
}

static bool
is_direct(const spirv_reader *r, const spirv_target *t)
{
    return r->loop && (t == r->loop->brk || t == r->loop->cont);
}

static spirv_tail
direct_tail(const spirv_reader *r, const spirv_target *t)
{
    return t == r->loop->brk ? SPIRV_BREAKS : SPIRV_CONTINUES;
}

static void
raise_flag(spirv_reader *r, spirv_target *t)
{
    if (!t->flag) {
        t->flag = spirv_ssa_new(r, 1, true, NULL);
        r->ssa[t->flag].type = IR_BOOL;
        spirv_ssa_write_at(r, t->flag, t->opened, spirv_imm(r, 1, 0));
    }
    spirv_ssa_write(r, t->flag, spirv_imm(r, 1, 1));
}

/* Records that lanes with t's flag set are among those that fall off the region. */
static void
push_pending(spirv_reader *r, spirv_target *t)
{
    r->pending = arena_grow(r->a, r->pending, &r->cap_pending, r->n_pending + 1,
                            sizeof *r->pending);
    r->pending[r->n_pending++] = t;
}

/* Records that they are among those that break out of the innermost loop. */
static spirv_tail
leave_loop(spirv_reader *r, spirv_target *t)
{
    spirv_loop *l = r->loop;
    l->leaving = arena_grow(r->a, l->leaving, &l->cap_leaving, l->n_leaving + 1,
                            sizeof *l->leaving);
    l->leaving[l->n_leaving++] = t;
    return SPIRV_BREAKS;
}

static spirv_tail
exit_to(spirv_reader *r, spirv_target *t, const spirv_target *fall)
{
    t->reached++;
    if (t == fall)
        return SPIRV_FALLS;
    if (is_direct(r, t))
        return direct_tail(r, t);
    raise_flag(r, t);
    if (t->depth < r->loop_depth)
        return leave_loop(r, t);
    push_pending(r, t);
    return SPIRV_FALLS;
}

/* ---- ifs ---- */

void
spirv_begin_then(spirv_reader *r, spirv_arms *a, ir_ref cond)
{
    ir_fn *f = r->f;
    *a = (spirv_arms){.head = r->b.block,
                      .then = ir_block_new(f),
                      .other = ir_block_new(f),
                      .merge = ir_block_new(f),
                      .open_mark = r->n_open};
    ir_build_if(&r->b, cond, a->then, a->other, a->merge);
    ir_builder_open_scope(&r->b);
    spirv_open_block(r, a->then, a->head);
}

void
spirv_begin_else(spirv_reader *r, spirv_arms *a, spirv_tail then_tail)
{
    a->then_end = r->b.block;
    a->then_tail = then_tail;
    spirv_close_blocks(r, a->open_mark);
    ir_builder_close_scope(&r->b);
    ir_builder_open_scope(&r->b);
    spirv_open_block(r, a->other, a->head);
}

static void
jump_out(spirv_reader *r, ir_block *b, spirv_tail tail)
{
    ir_builder_continue_at(&r->b, b);
    ir_build_jump(&r->b, tail == SPIRV_BREAKS ? r->loop->merge : r->loop->next);
}

static void
jump_to(spirv_reader *r, ir_block *b, ir_block *to)
{
    ir_builder_continue_at(&r->b, b);
    ir_build_jump(&r->b, to);
}

spirv_tail
spirv_end_if(spirv_reader *r, spirv_arms *a, spirv_tail else_tail)
{
    ir_block *other_end = r->b.block;
    spirv_tail then_tail = a->then_tail, tail = else_tail;
    spirv_close_blocks(r, a->open_mark);
    ir_builder_close_scope(&r->b);
    if (then_tail != else_tail && then_tail != SPIRV_FALLS) {
        jump_out(r, a->then_end, then_tail);
    } else {
        jump_to(r, a->then_end, a->merge);
        tail = then_tail;
    }
    if (then_tail == SPIRV_FALLS && else_tail != SPIRV_FALLS)
        jump_out(r, other_end, else_tail);
    else
        jump_to(r, other_end, a->merge);
    spirv_open_block(r, a->merge, a->head);
    return tail;
}

/* ---- flags after a region ---- */

/* Jumps out of the innermost loop for the lanes whose flag for t is set. Returns false if all lanes
 * leave. */
static bool
leave_where(spirv_reader *r, spirv_target *t, spirv_tail tail)
{
    uint64_t known;
    ir_ref flag = spirv_ssa_read(r, t->flag);
    if (ir_is_const(r->f, flag, &known))
        return !known;
    spirv_arms a;
    spirv_begin_then(r, &a, flag);
    raise_flag(r, t); /* a constant, for the phi at the next test of the flag */
    spirv_begin_else(r, &a, tail);
    spirv_end_if(r, &a, SPIRV_FALLS);
    return true;
}

typedef struct dispatch {
    ir_ref skip;     /* lanes that skip the code that comes next, or NONE */
    bool gone;       /* no lane is left */
    spirv_tail tail; /* if so: how they left */
} dispatch;

/* Handles the flags raised since `mark`, at a point where lanes come together before `next` (NULL:
 * before nothing). Lanes on their way to `next` have arrived; lanes that can jump do so; the others
 * will skip `next`. */
static dispatch
look_at_flags(spirv_reader *r, size_t mark, const spirv_target *next)
{
    dispatch d = {.skip = ir_none()};
    size_t n = mark;
    uint32_t stamp = ++r->stamp;
    for (size_t k = mark; k < r->n_pending; k++) {
        spirv_target *t = r->pending[k];
        bool leaves = t->depth < r->loop_depth;
        if (t == next || t->stamp == stamp)
            continue;
        t->stamp = stamp;
        if (!is_direct(r, t) && !leaves)
            r->pending[n++] = t;
        if (d.gone)
            continue;
        if (is_direct(r, t) || leaves) {
            spirv_tail tail = is_direct(r, t) ? direct_tail(r, t) : leave_loop(r, t);
            d.gone = !leave_where(r, t, tail);
            d.tail = tail;
        } else {
            ir_ref flag = spirv_ssa_read(r, t->flag);
            d.skip = ir_is_value(d.skip) ? irb_ior(&r->b, d.skip, flag) : flag;
        }
    }
    r->n_pending = n;
    return d;
}

/* Records that no lane is on its way to `y` any more. */
static void
forget_flag(spirv_reader *r, size_t mark, const spirv_target *y)
{
    size_t n = mark;
    for (size_t k = mark; k < r->n_pending; k++) {
        if (r->pending[k] != y)
            r->pending[n++] = r->pending[k];
    }
    r->n_pending = n;
}

/* ---- joins ---- */

static spirv_tail
emit_seq(spirv_reader *r, spirv_block *b, spirv_target *fall);

/* Emits join `y` after the code that ended with `tail`; flags were raised since `mark`. If
 * `inplace` is not NULL and no lane skips, only sets *inplace to the block, and the caller emits
 * it. */
static spirv_tail
emit_join(spirv_reader *r, spirv_target *y, size_t mark, spirv_target *fall, spirv_tail tail,
          spirv_block **inplace)
{
    spirv_block *b = y->block;
    close_target(y);
    if (tail != SPIRV_FALLS) {
        forget_flag(r, mark, y);
        return tail;
    }
    dispatch d = look_at_flags(r, mark, y);
    uint64_t known = 0;
    if (d.gone)
        return d.tail;
    if (!y->reached || (ir_is_value(d.skip) && ir_is_const(r->f, d.skip, &known) && known))
        return SPIRV_FALLS;
    if (!ir_is_value(d.skip) || ir_is_const(r->f, d.skip, NULL)) {
        if (!inplace)
            return emit_seq(r, b, fall);
        *inplace = b;
        return SPIRV_FALLS;
    }
    spirv_arms a;
    spirv_begin_then(r, &a, d.skip);
    spirv_begin_else(r, &a, SPIRV_FALLS);
    return spirv_end_if(r, &a, emit_seq(r, b, fall));
}

/* ---- edges ---- */

/* Sets the values of `to`'s OpPhis for the edge from `from`. */
static void
write_phis(spirv_reader *r, const spirv_block *from, const spirv_block *to)
{
    for (uint32_t at = to->first; at < to->end;) {
        spirv_insn i = spirv_insn_at(r, at);
        at += i.n;
        if (i.op == SPIRV_OpLine || i.op == SPIRV_OpNoLine)
            continue;
        if (i.op != SPIRV_OpPhi)
            break;
        spirv_write_phi(r, &i, from->label);
    }
}

static bool
is_arm(const spirv_block *from, const spirv_block *to)
{
    return !to->target && !to->is_join && to->idom == from->index && !to->emitted;
}

static spirv_tail
edge(spirv_reader *r, spirv_block *from, uint32_t to, spirv_target *fall, spirv_block **inplace)
{
    spirv_block *b = &from->func->blocks[to];
    write_phis(r, from, b);
    if (b->target)
        return exit_to(r, b->target, fall);
    if (!is_arm(from, b))
        spirv_invalid(r, "the branch from label %u to label %u leaves the structured constructs",
                      from->label, b->label);
    if (!inplace)
        return emit_seq(r, b, fall);
    *inplace = b;
    return SPIRV_FALLS;
}

spirv_tail
spirv_emit_edge(spirv_reader *r, spirv_block *from, uint32_t to, spirv_target *fall)
{
    return edge(r, from, to, fall, NULL);
}

/* Returns true if the edge to `to` is a jump out of or within the innermost loop. */
static bool
jumps(const spirv_reader *r, const spirv_block *to, const spirv_target *fall)
{
    return to->target && to->target != fall && is_direct(r, to->target);
}

/* ---- selections ---- */

/* Emits an if in which one edge is a jump and the other continues in place. */
static spirv_tail
guarded_jump(spirv_reader *r, spirv_block *b, ir_ref cond, const uint32_t to[2], spirv_target *fall,
             spirv_block **inplace)
{
    spirv_arms a;
    bool first = jumps(r, &b->func->blocks[to[0]], fall);
    spirv_begin_then(r, &a, cond);
    spirv_begin_else(r, &a, first ? edge(r, b, to[0], fall, NULL) : SPIRV_FALLS);
    spirv_end_if(r, &a, first ? SPIRV_FALLS : edge(r, b, to[1], fall, NULL));
    return edge(r, b, to[first], fall, inplace);
}

/* The condition of an OpBranchConditional. */
static ir_ref
condition(spirv_reader *r, const spirv_insn *i)
{
    if (spirv_operand_type(r, i, 1)->kind != SPIRV_BOOL)
        spirv_invalid(r, "the condition is not a boolean");
    return spirv_scalar(r, i, 1);
}

static spirv_tail
emit_conditional(spirv_reader *r, spirv_block *b, spirv_target *fall, spirv_block **inplace)
{
    spirv_insn i = spirv_insn_at(r, b->end);
    const spirv_block *blocks = b->func->blocks;
    uint32_t to[2] = {spirv_id_of(r, i.w[2])->label->index, spirv_id_of(r, i.w[3])->label->index};
    uint64_t known;
    ir_ref cond = condition(r, &i);
    if (to[0] == to[1])
        return edge(r, b, to[0], fall, inplace);
    if (ir_is_const(r->f, cond, &known))
        return edge(r, b, to[!known], fall, inplace);
    if (inplace && jumps(r, &blocks[to[0]], fall) != jumps(r, &blocks[to[1]], fall))
        return guarded_jump(r, b, cond, to, fall, inplace);
    spirv_arms a;
    spirv_begin_then(r, &a, cond);
    spirv_begin_else(r, &a, edge(r, b, to[0], fall, NULL));
    return spirv_end_if(r, &a, edge(r, b, to[1], fall, NULL));
}

/* Returns true if the code that `arm` dominates leaves other than by jumps. A part that is too
 * large to examine counts as if it did. */
static bool
leaves_by_flag(const spirv_reader *r, const spirv_block *arm)
{
    const spirv_func *f = arm->func;
    enum { MAX_LOOK = 32 };
    if (arm->post - arm->pre > MAX_LOOK)
        return true;
    for (uint32_t p = arm->pre; p < arm->post; p++) {
        const spirv_block *b = &f->blocks[f->by_pre[p]];
        const spirv_target *ret = &r->frame->ret;
        if (spirv_returns(b)) {
            if (!is_direct(r, ret) && ret->depth == r->loop_depth)
                return true;
        }
        for (uint32_t s = 0; s < b->n_succs; s++) {
            const spirv_block *to = &f->blocks[b->succs[s]];
            if (to->target && !is_direct(r, to->target) && to->target->depth == r->loop_depth)
                return true;
        }
    }
    return false;
}

static bool
reaches(const spirv_block *b, const spirv_block *arm, const spirv_block *merge)
{
    const spirv_func *f = b->func;
    if (arm == merge)
        return true;
    for (uint32_t p = f->pred_at[merge->index]; p < f->pred_at[merge->index + 1]; p++) {
        if (is_arm(b, arm) && spirv_dominates(arm, &f->blocks[f->preds[p]]))
            return true;
    }
    return false;
}

/* If exactly one successor reaches the merge block and the other leaves by a flag or by falling
 * further: the number of the first; else -1. */
static int
only_arm_to_merge(const spirv_reader *r, const spirv_block *b)
{
    const spirv_func *f = b->func;
    if (b->term != SPIRV_OpBranchConditional || b->n_succs != 2 || b->merge == UINT32_MAX ||
        r->nesting > MAX_JOIN_NESTING)
        return -1;
    const spirv_block *m = &f->blocks[b->merge];
    const spirv_block *s[2] = {&f->blocks[b->succs[0]], &f->blocks[b->succs[1]]};
    bool first = reaches(b, s[0], m);
    if (!m->reachable || m->idom != b->index || first == reaches(b, s[1], m))
        return -1;
    const spirv_block *leaving = s[first];
    bool flag = leaving->target
                    ? !is_direct(r, leaving->target) && leaving->target->depth == r->loop_depth
                    : leaves_by_flag(r, leaving);
    return flag ? !first : -1;
}

/* Emits the arm that reaches the merge block, and the code after it. */
static spirv_tail
emit_arm_and_merge(spirv_reader *r, spirv_block *b, uint32_t arm, spirv_target *fall)
{
    spirv_block *m = &b->func->blocks[b->merge];
    if (&b->func->blocks[arm] == m) {
        write_phis(r, b, m);
        return emit_seq(r, m, fall);
    }
    spirv_target *y = open_target(r, m);
    size_t mark = r->n_pending;
    spirv_tail tail = edge(r, b, arm, y, NULL);
    return emit_join(r, y, mark, fall, tail, NULL);
}

static spirv_tail
emit_nested(spirv_reader *r, spirv_block *b, unsigned arm, spirv_target *fall)
{
    spirv_insn i = spirv_insn_at(r, b->end);
    ir_ref cond = condition(r, &i);
    uint64_t known;
    bool first = spirv_id_of(r, i.w[2])->label->index == b->succs[arm];
    uint32_t leaving = b->succs[!arm];
    if (ir_is_const(r->f, cond, &known))
        return known == first ? emit_arm_and_merge(r, b, b->succs[arm], fall)
                              : edge(r, b, leaving, fall, NULL);
    spirv_arms a;
    spirv_begin_then(r, &a, cond);
    spirv_tail tail = first ? emit_arm_and_merge(r, b, b->succs[arm], fall)
                            : edge(r, b, leaving, fall, NULL);
    spirv_begin_else(r, &a, tail);
    tail = first ? edge(r, b, leaving, fall, NULL) : emit_arm_and_merge(r, b, b->succs[arm], fall);
    return spirv_end_if(r, &a, tail);
}

/* ---- a block's end ---- */

static spirv_tail
emit_return(spirv_reader *r, spirv_block *b, spirv_target *fall)
{
    spirv_insn i = spirv_insn_at(r, b->end);
    spirv_func *f = b->func;
    if ((i.op == SPIRV_OpReturnValue) != (f->type->elem->kind != SPIRV_VOID))
        spirv_invalid(r, "the return does not fit the function's result type");
    if (i.op == SPIRV_OpReturnValue) {
        spirv_id *value = spirv_ref(r, &i, 1);
        if (spirv_operand_type(r, &i, 1) != f->type->elem)
            spirv_invalid(r, "the value returned is not of the function's result type");
        const ir_ref *leaf = spirv_leaves(r, value);
        for (uint32_t k = 0; k < f->type->elem->leaves; k++)
            spirv_ssa_write(r, f->result + k, leaf[k]);
    }
    return exit_to(r, &r->frame->ret, fall);
}

static spirv_tail
emit_terminator(spirv_reader *r, spirv_block *b, const spirv_switch *s, spirv_target *fall,
                spirv_block **inplace)
{
    switch (b->term) {
    case SPIRV_OpBranch: return edge(r, b, b->succs[0], fall, inplace);
    case SPIRV_OpBranchConditional: return emit_conditional(r, b, fall, inplace);
    case SPIRV_OpSwitch: return spirv_emit_switch(r, b, s, fall);
    case SPIRV_OpReturn:
    case SPIRV_OpReturnValue: return emit_return(r, b, fall);
    case SPIRV_OpKill:
    case SPIRV_OpTerminateInvocation:
        spirv_insn_at(r, b->end);
        spirv_build_terminate(r);
        return exit_to(r, &r->frame->ret, fall);
    /* undefined behaviour: end in the way that needs no code */
    case SPIRV_OpUnreachable: return SPIRV_FALLS;
    default: spirv_insn_at(r, b->end); spirv_unsupported(r, "%s", spirv_op_row_of(b->term)->name);
    }
}

/* Collects the joins among b's children, in order. The merge block of a loop is left out, and so is
 * its continue target unless `with_cont`. */
static uint32_t
collect_joins(spirv_reader *r, spirv_block *b, const spirv_switch *s, bool with_cont,
              spirv_block ***out)
{
    spirv_func *f = b->func;
    uint32_t n = 0, count = 0;
    bool loop = b->merge_op == SPIRV_OpLoopMerge;
    for (uint32_t c = b->child; c != UINT32_MAX; c = f->blocks[c].sibling)
        count++;
    *out = ARENA_ARRAY(r->a, count, spirv_block *);
    for (uint32_t c = b->child; c != UINT32_MAX; c = f->blocks[c].sibling) {
        bool forced = b->term == SPIRV_OpSwitch && spirv_switch_forces_join(s, c);
        if (loop && (c == b->merge || (c == b->cont && !with_cont)))
            continue;
        if (f->blocks[c].is_join || forced)
            (*out)[n++] = &f->blocks[c];
    }
    return n;
}

/* Emits the instructions of `b`, its terminator, and its joins; the last join in place if possible.
 */
static spirv_tail
emit_block(spirv_reader *r, spirv_block *b, bool with_cont, spirv_target *fall,
           spirv_block **inplace)
{
    spirv_switch s = {0};
    spirv_block **joins;
    b->emitted = true;
    spirv_emit_instructions(r, b);
    if (b->term == SPIRV_OpSwitch)
        s = spirv_plan_switch(r, b);
    uint32_t n = collect_joins(r, b, &s, with_cont, &joins);
    int arm = n == 1 && joins[0]->index == b->merge ? only_arm_to_merge(r, b) : -1;
    if (arm >= 0)
        return emit_nested(r, b, (unsigned)arm, fall);
    spirv_target **targets = ARENA_ARRAY(r->a, n + 1u, spirv_target *);
    targets[n] = fall;
    for (uint32_t k = n; k-- > 0;)
        targets[k] = open_target(r, joins[k]);
    size_t mark = r->n_pending;
    spirv_tail tail = emit_terminator(r, b, &s, targets[0], n ? NULL : inplace);
    for (uint32_t k = 0; k < n; k++)
        tail = emit_join(r, targets[k], mark, targets[k + 1], tail, k + 1 == n ? inplace : NULL);
    return tail;
}

/* ---- loops ---- */

/* What the loop control of the header's OpLoopMerge asks for (SPIR-V 1.6, 3.23: bit 0 Unroll, bit 1
 * DontUnroll). */
static ir_unroll
unroll_of(spirv_reader *r, const spirv_block *source)
{
    spirv_insn i = spirv_insn_at(r, source->merge_at);
    return i.w[3] & 1 ? IR_UNROLL_always : i.w[3] & 2 ? IR_UNROLL_never : IR_UNROLL_free;
}

spirv_loop *
spirv_open_loop(spirv_reader *r, spirv_target *brk, const spirv_block *source)
{
    spirv_loop *l = ARENA_NEW(r->a, spirv_loop);
    ir_block *before = r->b.block;
    *l = (spirv_loop){.brk = brk,
                      .header = ir_block_new(r->f),
                      .merge = ir_block_new(r->f),
                      .next = ir_block_new(r->f),
                      .outer = r->loop,
                      .source = source,
                      .frame = r->frame,
                      .open_mark = r->n_open};
    ir_build_loop(&r->b, l->header, l->merge, l->next);
    if (source)
        ir_attr_set(ir_terminator(before), IR_A_UNROLL, unroll_of(r, source));
    ir_builder_open_scope(&r->b);
    spirv_open_block(r, l->header, before);
    l->body_mark = r->n_open;
    r->hir[l->header->index].is_header = true;
    r->hir[l->header->index].depth = 0; /* heads end here, because a phi may be needed */
    r->hir[l->header->index].sealed = false;
    r->hir[l->header->index].loop = l;
    r->loop = l;
    r->loop_depth++;
    return l;
}

void
spirv_open_continue(spirv_reader *r, spirv_loop *l, spirv_tail tail)
{
    ir_build_jump(&r->b, tail == SPIRV_BREAKS ? l->merge : l->next);
    spirv_close_blocks(r, l->body_mark);
    ir_builder_close_scope(&r->b);
    ir_builder_open_scope(&r->b);
    spirv_open_block(r, l->next, l->header);
    l->brk = l->cont = NULL;
}

void
spirv_close_loop(spirv_reader *r, spirv_loop *l)
{
    ir_block *before = r->hir[l->header->index].head;
    ir_build_jump(&r->b, l->header);
    spirv_seal_header(r, l->header);
    r->loop = l->outer;
    r->loop_depth--;
    spirv_close_blocks(r, l->open_mark);
    ir_builder_close_scope(&r->b);
    spirv_open_block(r, l->merge, before);
    for (size_t k = 0; k < l->n_leaving; k++)
        push_pending(r, l->leaving[k]);
}

/* Returns true if the continue construct of `h` leaves the loop or returns. */
static bool
continue_leaves(const spirv_block *h, const spirv_block *c)
{
    const spirv_func *f = h->func;
    for (uint32_t p = c->pre; p < c->post; p++) {
        const spirv_block *b = &f->blocks[f->by_pre[p]];
        if (spirv_returns(b))
            return true;
        for (uint32_t s = 0; s < b->n_succs; s++) {
            if (b->succs[s] != h->index && !spirv_dominates(c, &f->blocks[b->succs[s]]))
                return true;
        }
    }
    return false;
}

/* Ends the body, which ended with `tail`: lanes on their way out of the loop leave it. */
static spirv_tail
end_body(spirv_reader *r, size_t mark, spirv_target *cont, spirv_tail tail)
{
    close_target(cont);
    if (tail != SPIRV_FALLS) {
        forget_flag(r, mark, cont);
        return tail;
    }
    dispatch d = look_at_flags(r, mark, cont);
    return d.gone ? d.tail : SPIRV_FALLS;
}

/* Emits body and continue construct together as HIR's body; jumps to the header are continues. */
static void
emit_joined_loop(spirv_reader *r, spirv_block *h, spirv_loop *l)
{
    spirv_target *back = open_target(r, h);
    size_t mark = r->n_pending;
    l->cont = back;
    spirv_tail tail = emit_block(r, h, true, back, NULL);
    spirv_open_continue(r, l, end_body(r, mark, back, tail));
}

static void
emit_split_loop(spirv_reader *r, spirv_block *h, spirv_block *c, spirv_loop *l)
{
    spirv_target *cont = open_target(r, c);
    size_t mark = r->n_pending;
    l->cont = cont;
    spirv_tail tail = emit_block(r, h, false, cont, NULL);
    spirv_open_continue(r, l, end_body(r, mark, cont, tail));
    if (!cont->reached)
        return;
    spirv_target *back = open_target(r, h);
    emit_seq(r, c, back);
    close_target(back);
}

/* Emits the loop that `h` opens; `brk` is its merge block's target, or NULL. */
static void
emit_loop(spirv_reader *r, spirv_block *h, spirv_target *brk)
{
    spirv_block *c = &h->func->blocks[h->cont];
    bool separate = c != h && c->reachable;
    if (separate && c->idom != h->index) {
        spirv_insn_at(r, h->merge_at);
        spirv_invalid(r, "the loop's header does not dominate its continue target");
    }
    spirv_loop *l = spirv_open_loop(r, brk, h);
    if (separate && c->n_preds > 1 && !continue_leaves(h, c))
        emit_split_loop(r, h, c, l);
    else
        emit_joined_loop(r, h, l);
    spirv_close_loop(r, l);
}

/* Emits the loop and the code after it. */
static spirv_tail
emit_loop_and_merge(spirv_reader *r, spirv_block *h, spirv_target *fall, spirv_block **inplace)
{
    spirv_block *m = &h->func->blocks[h->merge];
    size_t mark = r->n_pending;
    if (m->reachable && m->idom != h->index) {
        spirv_insn_at(r, h->merge_at);
        spirv_invalid(r, "the loop's header does not dominate its merge block");
    }
    spirv_target *brk = open_target(r, m);
    emit_loop(r, h, brk);
    return emit_join(r, brk, mark, fall, SPIRV_FALLS, inplace);
}

/* ---- the driver ---- */

/* Emits `b` and everything it dominates. */
static spirv_tail
emit_seq(spirv_reader *r, spirv_block *b, spirv_target *fall)
{
    spirv_tail tail = SPIRV_FALLS;
    if (++r->nesting > SPIRV_MAX_NESTING)
        spirv_limit(r, "control flow nests deeper than %d", SPIRV_MAX_NESTING);
    while (b) {
        spirv_block *next = NULL;
        if (b->merge_op == SPIRV_OpLoopMerge)
            tail = emit_loop_and_merge(r, b, fall, &next);
        else
            tail = emit_block(r, b, false, fall, &next);
        b = next;
    }
    r->nesting--;
    return tail;
}

void
spirv_emit_body(spirv_reader *r, spirv_frame *frame)
{
    spirv_func *f = frame->func;
    size_t mark = r->n_pending;
    frame->ret = (spirv_target){.opened = r->b.block, .depth = r->loop_depth};
    if (f->n_returns > MANY_RETURNS) {
        spirv_loop *l = spirv_open_loop(r, &frame->ret, NULL);
        emit_seq(r, &f->blocks[0], NULL);
        spirv_open_continue(r, l, SPIRV_BREAKS);
        spirv_close_loop(r, l);
    } else {
        emit_seq(r, &f->blocks[0], &frame->ret);
    }
    r->n_pending = mark;
}
