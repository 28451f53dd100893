/* Random structured programs for the made-up machine.
 *
 * A pool holds the values that may be used here. Statements define new values from some of the
 * pool, open an if with phis at its end, or a loop with phis at its header and behind it. At the
 * end of a construct the pool is cut back to what it was, plus the construct's phis.
 *
 * Lanes part in an if of a predicate: the linear edges lead through both arms, by blocks that are
 * not logical and skip an arm that no lane takes. An arm may end with a break. Neither list of
 * edges has a critical edge to a block with phis.
 *
 * Some phis of an if, and of a loop's header, take an undefined operand. What they define is used
 * only where the other operand was taken: in an arm of another if on the same condition, or behind
 * a test that is false in the first iteration.
 *
 *            logical                     linear
 *            B                           B
 *           / \                         / \
 *       then   else                  then  (skip)
 *           \ /                         \ /
 *          merge                       (else)
 *                                       / \
 *                                    else  (skip)
 *                                       \ /
 *                                      merge
 */
#include "toy_draw.h"

enum { MAX_PHIS = 6, MAX_EXITS = 8 };

/* A way out of a loop: the block that its logical and its linear edge come from, and what the phis
 * behind the loop take. */
typedef struct exit_edge {
    ir_block *logical, *linear;
    ir_ref values[MAX_PHIS], pinned;
} exit_edge;

typedef struct toy_loop {
    ir_block *exit;
    exit_edge edges[MAX_EXITS];
    unsigned n_edges, n_phis;
    unsigned rcs[MAX_PHIS];
    bool parted; /* only some of the loop's lanes are active here */
} loop;

/* ---- blocks ---- */

static ir_block *
open_block(toy_draw *g, ir_block *b, unsigned kind)
{
    ir_append_block(g->f, b);
    b->kind = kind;
    return g->b = b;
}

static ir_block *
new_block(toy_draw *g)
{
    return ir_block_new(g->f);
}

static void
open_logical(toy_draw *g, ir_block *b, unsigned kind, unsigned first)
{
    open_block(g, b, kind | IR_BLOCK_LOGICAL);
    if (first)
        toy_emit(g, first, 0, 0, NULL);
    toy_emit(g, TOY_LOGICAL_START, 0, 0, NULL);
}

static void
add_edges(ir_block *from, ir_block *to)
{
    ir_add_edge(from, to, 0);
    ir_add_edge(from, to, 1);
}

static void
close_block(toy_draw *g, unsigned op, unsigned n_refs, ir_ref ref)
{
    toy_emit(g, TOY_LOGICAL_END, 0, 0, NULL);
    toy_emit(g, op, 0, n_refs, &ref);
}

static void
close_with_jump(toy_draw *g, ir_block *to)
{
    close_block(g, TOY_JUMP, 0, ir_none());
    add_edges(g->b, to);
}

/* A block of linear edges alone, between the two. */
static ir_block *
add_skip(toy_draw *g, ir_block *from, ir_block *to)
{
    ir_block *b = open_block(g, new_block(g), 0);
    toy_emit(g, TOY_JUMP, 0, 0, NULL);
    ir_add_edge(from, b, 1);
    ir_add_edge(b, to, 1);
    return b;
}

/* A phi in front of what the block has, whose references are to be set. */
static ir_instr *
new_phi(toy_draw *g, ir_block *b, unsigned rc)
{
    unsigned list = toy_is_uniform(rc);
    ir_instr *phi = ir_new_instr(g->f, list ? TOY_LINEAR_PHI : TOY_PHI, 1, b->preds[list].count);
    ir_define(g->f, phi, 0, (ir_type)rc);
    ir_prepend(b, phi);
    return phi;
}

static void
set_phi(ir_instr *phi, const ir_block *from, ir_ref value)
{
    phi->refs[ir_pred_index(phi->block, from, ir_has_flag(phi, IR_OP_LINEAR_PHI))] = value;
}

static ir_ref
undef(unsigned rc)
{
    return ir_pack_ref(IR_REF_UNDEF, 0, IR_REG_NONE, rc, 0);
}

/* What a phi of the class may take here. */
static ir_ref
phi_operand(toy_draw *g, unsigned rc)
{
    bool small = rc == TOY_S1 || rc == TOY_V1 || rc == TOY_H1;
    if (small && toy_once_in(g, 10))
        return toy_constant(g, rc);
    return toy_pick(g, rc == TOY_V1 && toy_once_in(g, 8) ? TOY_S1 : rc);
}

static unsigned
choose_phis(toy_draw *g, unsigned rcs[MAX_PHIS])
{
    unsigned n = toy_rnd(g, MAX_PHIS);
    for (unsigned k = 0; k < n; k++)
        rcs[k] = toy_any_class(g);
    return n;
}

static void
gen_statements(toy_draw *g, unsigned depth);

/* ---- breaks ---- */

static void
note_exit(toy_draw *g, ir_block *logical, ir_block *linear, const ir_ref *values)
{
    exit_edge *e = &g->loop->edges[g->loop->n_edges++];
    *e = (exit_edge){.logical = logical, .linear = linear, .pinned = g->pinned};
    for (unsigned k = 0; k < g->loop->n_phis; k++)
        e->values[k] = values[k];
}

/* The active lanes leave the loop. Where others wait, the machine goes on with them: returns the
 * block that leads there, or NULL. */
static ir_block *
gen_break(toy_draw *g, const ir_ref *values)
{
    loop *l = g->loop;
    ir_block *from = g->b;
    if (!l->parted) {
        close_with_jump(g, l->exit);
        note_exit(g, from, from, values);
        return NULL;
    }
    close_block(g, TOY_BREAK, 0, ir_none());
    ir_add_edge(from, l->exit, 0);
    ir_block *rest = open_block(g, new_block(g), 0);
    toy_emit(g, TOY_JUMP, 0, 0, NULL);
    ir_add_edge(from, rest, 1);
    note_exit(g, from, add_skip(g, from, l->exit), values);
    return rest;
}

static void
gen_exit(toy_draw *g, loop *l)
{
    open_logical(g, l->exit, IR_BLOCK_LOOP_EXIT, TOY_ENDLOOP);
    for (unsigned k = 0; k < l->n_phis; k++) {
        ir_instr *phi = new_phi(g, l->exit, l->rcs[k]);
        for (unsigned e = 0; e < l->n_edges; e++) {
            bool linear = toy_is_uniform(l->rcs[k]);
            set_phi(phi, linear ? l->edges[e].linear : l->edges[e].logical, l->edges[e].values[k]);
        }
        toy_add_pool(g, phi->defs[0]);
    }
    if (!ir_is_value(g->pinned))
        return;
    ir_instr *phi = new_phi(g, l->exit, TOY_Y6);
    for (unsigned e = 0; e < l->n_edges; e++)
        set_phi(phi, l->edges[e].linear, l->edges[e].pinned);
    g->pinned = phi->defs[0];
}

/* ---- ifs ---- */

/* An if in the making. An arm whose lanes leave the loop has no end that phis could take from. */
typedef struct branch {
    ir_block *arms[2], *merge;
    ir_block *ends[2];   /* logical ends of the arms, NULL if the lanes left the loop */
    ir_block *linear[2]; /* the same for linear edges */
    unsigned n_phis, rcs[MAX_PHIS];
    ir_ref values[2][MAX_PHIS], pinned[2];
    bool undefined[MAX_PHIS]; /* the phi takes nothing from the second arm */
    const ir_ref *breaks; /* the first arm leaves the loop with these values, the second is empty */
    ir_ref shown[MAX_PHIS]; /* values that are used in the first arm alone: */
    unsigned n_shown;       /* then it puts them out, and the second is empty */
} branch;

static bool
is_small(const branch *br)
{
    return br->breaks || br->n_shown;
}

/* The arm may let its lanes leave the loop. */
static bool
may_break(toy_draw *g, const branch *br, unsigned arm)
{
    if (is_small(br))
        return br->breaks && arm == 0;
    bool room = g->loop && g->loop->n_edges + 1 < MAX_EXITS && (arm == 0 || br->ends[0]);
    return room && toy_once_in(g, 4);
}

static void
gen_end_of_arm(toy_draw *g, branch *br, unsigned arm)
{
    ir_ref values[MAX_PHIS];
    br->ends[arm] = br->linear[arm] = g->b;
    if (!may_break(g, br, arm)) {
        close_block(g, TOY_JUMP, 0, ir_none());
        ir_add_edge(g->b, br->merge, 0);
        return;
    }
    for (unsigned k = 0; k < g->loop->n_phis && !br->breaks; k++)
        values[k] = phi_operand(g, g->loop->rcs[k]);
    br->ends[arm] = NULL;
    br->linear[arm] = gen_break(g, br->breaks ? br->breaks : values);
}

static void
gen_arm(toy_draw *g, branch *br, unsigned arm, unsigned depth)
{
    unsigned n_pool = g->n_pool;
    open_logical(g, br->arms[arm], 0, 0);
    if (!is_small(br))
        gen_statements(g, depth + 1);
    if (br->n_shown && arm == 0)
        toy_emit(g, TOY_OUT, 0, br->n_shown, br->shown);
    for (unsigned k = 0; k < br->n_phis; k++) {
        bool undefined = arm == 1 && br->undefined[k];
        br->values[arm][k] = undefined ? undef(br->rcs[k]) : phi_operand(g, br->rcs[k]);
    }
    gen_end_of_arm(g, br, arm);
    br->pinned[arm] = g->pinned;
    g->n_pool = n_pool;
}

/* The phi's result can be used from here on, or only where its first operand was taken. */
static void
add_result(toy_draw *g, branch *br, const ir_instr *phi, unsigned k)
{
    if (br->undefined[k])
        br->shown[br->n_shown++] = ir_use(g->f, phi->defs[0].id);
    else
        toy_add_pool(g, phi->defs[0]);
}

/* The pinned array where two linear edges meet; a block that is NULL has none. */
static void
merge_pinned(toy_draw *g, ir_block *b, ir_block *const from[2], const ir_ref pinned[2])
{
    if (!ir_is_value(g->pinned))
        return;
    ir_instr *phi = new_phi(g, b, TOY_Y6);
    for (unsigned k = 0; k < 2; k++) {
        if (from[k])
            set_phi(phi, from[k], pinned[k]);
    }
    g->pinned = phi->defs[0];
}

/* All lanes take one arm. */
static void
gen_uniform_arms(toy_draw *g, branch *br, unsigned depth)
{
    ir_ref before = g->pinned;
    for (unsigned arm = 0; arm < 2; arm++)
        add_edges(g->b, br->arms[arm]);
    for (unsigned arm = 0; arm < 2; arm++) {
        g->pinned = before;
        gen_arm(g, br, arm, depth);
        if (br->linear[arm])
            ir_add_edge(br->linear[arm], br->merge, 1);
    }
    open_logical(g, br->merge, 0, 0);
    merge_pinned(g, br->merge, br->linear, br->pinned);
    for (unsigned k = 0; k < br->n_phis; k++) {
        ir_instr *phi = new_phi(g, br->merge, br->rcs[k]);
        ir_block *const *ends = toy_is_uniform(br->rcs[k]) ? br->linear : br->ends;
        for (unsigned arm = 0; arm < 2; arm++) {
            if (ends[arm])
                set_phi(phi, ends[arm], br->values[arm][k]);
        }
        add_result(g, br, phi, k);
    }
}

/* Between the arms: uniform values of the first arm go on here, or those from before it. */
static void
gen_invert(toy_draw *g, branch *br, ir_block *invert, ir_block *skip, const ir_ref *before)
{
    open_block(g, invert, IR_BLOCK_INVERT);
    toy_emit(g, TOY_ELSE, 0, 0, NULL);
    for (unsigned k = 0; k < br->n_phis; k++) {
        if (!toy_is_uniform(br->rcs[k]))
            continue;
        ir_instr *phi = new_phi(g, invert, br->rcs[k]);
        set_phi(phi, br->linear[0], br->values[0][k]);
        set_phi(phi, skip, before[k]);
        br->values[0][k] = phi->defs[0];
        if (!br->undefined[k])
            toy_add_pool(g, phi->defs[0]);
    }
}

/* Lanes part: first those of one arm, then those of the other. */
static void
gen_parted_arms(toy_draw *g, branch *br, unsigned depth, const ir_ref *before)
{
    ir_block *invert = new_block(g), *skip[2], *from = g->b;
    bool parted = g->loop && g->loop->parted;
    ir_ref pinned[2] = {g->pinned, g->pinned};
    ir_add_edge(from, br->arms[0], 0);
    ir_add_edge(from, br->arms[1], 0);
    ir_add_edge(from, br->arms[0], 1);
    if (g->loop)
        g->loop->parted = true;
    gen_arm(g, br, 0, depth);
    ir_add_edge(br->linear[0], invert, 1);
    skip[0] = add_skip(g, from, invert);
    gen_invert(g, br, invert, skip[0], before);
    pinned[0] = br->pinned[0];
    merge_pinned(g, invert, (ir_block *[]){br->linear[0], skip[0]}, pinned);
    pinned[1] = g->pinned;
    ir_add_edge(invert, br->arms[1], 1);
    gen_arm(g, br, 1, depth);
    ir_add_edge(br->linear[1], br->merge, 1);
    skip[1] = add_skip(g, invert, br->merge);
    if (g->loop)
        g->loop->parted = parted;
    open_logical(g, br->merge, IR_BLOCK_MERGE, TOY_ENDIF);
    pinned[0] = br->pinned[1];
    merge_pinned(g, br->merge, (ir_block *[]){br->linear[1], skip[1]}, pinned);
    for (unsigned k = 0; k < br->n_phis; k++) {
        ir_instr *phi = new_phi(g, br->merge, br->rcs[k]);
        bool linear = toy_is_uniform(br->rcs[k]);
        ir_block *const *ends = linear ? br->linear : br->ends;
        if (linear && br->undefined[k]) /* lanes of both arms may be there */
            br->values[1][k] = br->values[0][k];
        if (ends[1])
            set_phi(phi, ends[1], br->values[1][k]);
        if (linear)
            set_phi(phi, skip[1], br->values[0][k]);
        else if (ends[0])
            set_phi(phi, ends[0], br->values[0][k]);
        add_result(g, br, phi, k);
    }
}

static void
gen_arms(toy_draw *g, branch *br, ir_ref condition, unsigned depth, const ir_ref *before)
{
    bool parts = condition.rc == TOY_P1;
    close_block(g, parts ? TOY_IF : TOY_BRANCH, 1, condition);
    if (parts)
        gen_parted_arms(g, br, depth, before);
    else
        gen_uniform_arms(g, br, depth);
}

/* Puts the values out where the condition is odd; there may be one address among them. */
static void
gen_show(toy_draw *g, ir_ref condition, const ir_ref *values, unsigned n)
{
    branch br = {.arms = {new_block(g), new_block(g)}, .merge = new_block(g)};
    bool address = false;
    for (unsigned k = 0; k < n; k++) {
        if (values[k].rc != TOY_A1 || !address)
            br.shown[br.n_shown++] = values[k];
        address |= values[k].rc == TOY_A1;
    }
    gen_arms(g, &br, condition, 0, NULL);
}

static void
gen_if(toy_draw *g, unsigned depth)
{
    branch br = {.arms = {new_block(g), new_block(g)}, .merge = new_block(g)};
    ir_ref before[MAX_PHIS];
    bool parts = !toy_once_in(g, 3);
    br.n_phis = choose_phis(g, br.rcs);
    for (unsigned k = 0; k < br.n_phis; k++) {
        br.undefined[k] = toy_once_in(g, 6);
        before[k] = br.undefined[k] ? undef(br.rcs[k]) : phi_operand(g, br.rcs[k]);
    }
    ir_ref condition = toy_pick(g, parts ? TOY_P1 : TOY_S1);
    gen_arms(g, &br, condition, depth, before);
    if (!br.n_shown)
        return;
    for (unsigned n = toy_rnd(g, 4); n > 0; n--)
        toy_draw_simple(g);
    gen_show(g, condition, br.shown, br.n_shown);
}

/* ---- loops ---- */

/* Behind the body: all lanes stay or leave. */
static void
close_uniform_loop(toy_draw *g, ir_ref again, ir_block *latch, const ir_ref *values)
{
    ir_block *leave = new_block(g);
    close_block(g, TOY_BRANCH, 1, again);
    add_edges(g->b, latch);
    add_edges(g->b, leave);
    open_logical(g, latch, 0, 0);
    open_logical(g, leave, 0, 0);
    close_with_jump(g, g->loop->exit);
    note_exit(g, leave, leave, values);
    g->b = latch;
}

/* Some lanes leave. */
static void
close_parted_loop(toy_draw *g, ir_ref leaves, ir_block *latch, const ir_ref *values)
{
    branch br = {.arms = {new_block(g), new_block(g)}, .merge = latch, .breaks = values};
    close_block(g, TOY_IF, 1, leaves);
    gen_parted_arms(g, &br, 0, NULL);
}

/* Whether the next iteration comes changes from one to the next. */
static void
close_loop(toy_draw *g, ir_ref counter, ir_block *latch)
{
    ir_ref refs[2] = {counter, toy_operand(g, counter.rc)}, values[MAX_PHIS];
    bool uniform = toy_is_uniform(counter.rc);
    for (unsigned k = 0; k < g->loop->n_phis; k++)
        values[k] = phi_operand(g, g->loop->rcs[k]);
    unsigned op = uniform ? TOY_ADD : TOY_CMP, rc = uniform ? TOY_S1 : TOY_P1;
    ir_ref condition = toy_define(g, toy_emit(g, op, 1, 2, refs), 0, rc);
    (uniform ? close_uniform_loop : close_parted_loop)(g, condition, latch, values);
}

/* The phis of a loop's header: the counter, some of any class, and those below. `first` is what they
 * are in the first iteration, `again` later. */
typedef struct header {
    unsigned n, rcs[MAX_PHIS + 4];
    ir_instr *phis[MAX_PHIS + 4];
    ir_ref first[MAX_PHIS + 4], again[MAX_PHIS + 4];
    unsigned later; /* 0, or number of a scalar that is odd from the second iteration on; the next
                       phi is undefined in the first */
    unsigned array; /* 0, or number of an array that each iteration changes */
} header;

static ir_ref
scalar_constant(toy_draw *g, uint32_t value)
{
    ir_ref r = toy_constant(g, TOY_S1);
    r.id = value;
    return r;
}

static unsigned
add_phi(header *h, unsigned rc, ir_ref first)
{
    h->rcs[h->n] = rc;
    h->first[h->n] = first;
    return h->n++;
}

static void
choose_header(toy_draw *g, header *h)
{
    unsigned rcs[MAX_PHIS], n = choose_phis(g, rcs);
    unsigned counter = toy_once_in(g, 2) ? TOY_S1 : TOY_V1;
    add_phi(h, counter, phi_operand(g, counter));
    for (unsigned k = 0; k < n; k++)
        add_phi(h, rcs[k], phi_operand(g, rcs[k]));
    if (g->shape.arrays && toy_once_in(g, 2))
        h->array = add_phi(h, TOY_X6, toy_pick(g, TOY_X6));
    if (toy_once_in(g, 4)) {
        unsigned rc = toy_any_class(g);
        h->later = add_phi(h, TOY_S1, scalar_constant(g, 0));
        add_phi(h, rc, undef(rc));
    }
}

static void
open_header(toy_draw *g, header *h, ir_block *b, const ir_block *before)
{
    open_logical(g, b, IR_BLOCK_LOOP_HEADER, 0);
    for (unsigned k = 0; k < h->n; k++) {
        h->phis[k] = new_phi(g, b, h->rcs[k]);
        set_phi(h->phis[k], before, h->first[k]);
        if (!h->later || k != h->later + 1)
            toy_add_pool(g, h->phis[k]->defs[0]);
    }
}

/* What the phis are in the next iteration. */
static void
close_header(toy_draw *g, header *h, const ir_block *latch)
{
    ir_ref refs[3] = {h->phis[0]->defs[0], toy_operand(g, h->rcs[0])};
    h->again[0] = toy_define(g, toy_emit(g, TOY_ADD, 1, 2, refs), 0, h->rcs[0]);
    for (unsigned k = 1; k < h->n; k++)
        h->again[k] = phi_operand(g, h->rcs[k]);
    if (h->later)
        h->again[h->later] = scalar_constant(g, 1);
    if (h->array) {
        refs[0] = h->phis[h->array]->defs[0];
        refs[1] = toy_pick(g, TOY_A1);
        refs[2] = toy_pick(g, TOY_V1);
        h->again[h->array] = toy_define(g, toy_emit(g, TOY_AWRITE, 1, 3, refs), 0, TOY_X6);
    }
    for (unsigned k = 0; k < h->n; k++)
        set_phi(h->phis[k], latch, h->again[k]);
}

/* Within the loop, up to the jump back. */
static void
gen_body(toy_draw *g, header *h, ir_block *latch, unsigned depth)
{
    if (h->later)
        gen_show(g, h->phis[h->later]->defs[0], &h->phis[h->later + 1]->defs[0], 1);
    gen_statements(g, depth + 1);
    close_header(g, h, latch);
    close_loop(g, h->phis[0]->defs[0], latch);
}

static void
gen_loop(toy_draw *g, unsigned depth)
{
    loop l = {.exit = new_block(g)}, *outer = g->loop;
    ir_block *top = new_block(g), *latch = new_block(g), *before = g->b;
    header h = {0};
    choose_header(g, &h);
    l.n_phis = choose_phis(g, l.rcs);
    toy_emit(g, TOY_LOOP, 0, 0, NULL);
    close_with_jump(g, top);
    add_edges(latch, top);
    open_header(g, &h, top, before);
    ir_instr *pinned = ir_is_value(g->pinned) ? new_phi(g, top, TOY_Y6) : NULL;
    if (pinned) {
        set_phi(pinned, before, g->pinned);
        g->pinned = pinned->defs[0];
    }
    g->loop = &l;
    const ir_instr *above[3];
    unsigned n_above = toy_rnd(g, 4);
    for (unsigned k = 0; k < n_above; k++) {
        toy_draw_simple(g);
        above[k] = g->b->last;
    }
    unsigned keep = g->n_pool;
    gen_body(g, &h, latch, depth);
    if (pinned)
        set_phi(pinned, latch, g->pinned);
    close_block(g, TOY_JUMP, 0, ir_none());
    g->loop = outer;
    g->n_pool = keep;
    gen_exit(g, &l);
    for (unsigned k = 0; k < n_above; k++)
        toy_draw_again(g, above[k]); /* what is uniform in the loop was another for early lanes */
}

/* ---- the program ---- */

static void
gen_statements(toy_draw *g, unsigned depth)
{
    for (unsigned n = 1 + toy_rnd(g, 12); n > 0 && g->statements; n--) {
        g->statements--;
        unsigned what = toy_rnd(g, 20);
        if (what < 2 && depth < g->shape.depth)
            gen_if(g, depth);
        else if (what < 3 && depth < g->shape.depth)
            gen_loop(g, depth);
        else
            toy_draw_simple(g);
    }
}

static void
gen_start(toy_draw *g)
{
    ir_instr *i = toy_emit(g, TOY_START, 5, 0, NULL);
    static const uint8_t rcs[] = {TOY_S1, TOY_S2, TOY_V1, TOY_V2, TOY_H1};
    static const uint16_t regs[] = {0, 8, TOY_V0 * TOY_UNIT + 12, TOY_V0 * TOY_UNIT,
                                    TOY_V0 * TOY_UNIT + 10};
    for (unsigned d = 0; d < 5; d++) {
        toy_define(g, i, d, rcs[d]);
        i->defs[d] = ir_fixed(i->defs[d], regs[d]);
    }
}

toy_shape
toy_random_shape(uint64_t seed)
{
    toy_draw g = {.state = seed * 77 + 5};
    return (toy_shape){.seed = seed,
                       .statements = 4 + toy_rnd(&g, toy_once_in(&g, 4) ? 160 : 40),
                       .depth = toy_rnd(&g, 5),
                       .alive = 4 + toy_rnd(&g, 40),
                       .scalar = 10 + toy_rnd(&g, 70),
                       .arrays = toy_once_in(&g, 2) ? toy_rnd(&g, toy_once_in(&g, 4) ? 60 : 25)
                                                    : 0};
}

ir_fn *
toy_generate(ir_ctx *ctx, const toy_shape *shape)
{
    toy_draw *g = ARENA_NEW(ctx->arena, toy_draw);
    *g = (toy_draw){
        .f = ir_fn_new(ctx, &toy_level, "random"), .shape = *shape, .state = shape->seed};
    g->statements = shape->statements;
    g->f->shader.workgroup_size[0] = 4;
    g->f->shader.workgroup_size[1] = g->f->shader.workgroup_size[2] = 1;
    open_block(g, new_block(g), IR_BLOCK_TOP_LEVEL | IR_BLOCK_LOGICAL);
    gen_start(g);
    toy_emit(g, TOY_LOGICAL_START, 0, 0, NULL);
    if (shape->arrays && toy_once_in(g, 2)) {
        ir_ref in = toy_pick(g, TOY_S1);
        g->pinned = ir_define(g->f, toy_emit(g, TOY_BEGIN, 1, 1, &in), 0, TOY_Y6);
    }
    while (g->statements)
        gen_statements(g, 0);
    toy_draw_output(g);
    close_block(g, TOY_END, 0, ir_none());
    return g->f;
}
