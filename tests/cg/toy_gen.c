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
#include "toy_gen.h"

#include "base/bits.h"

enum { MAX_POOL = 1024, MAX_PHIS = 6, MAX_EXITS = 8 };

/* A way out of a loop: the block that its logical and its linear edge come from, and what the phis
 * behind the loop take. */
typedef struct exit_edge {
    ir_block *logical, *linear;
    ir_ref values[MAX_PHIS];
} exit_edge;

typedef struct loop {
    ir_block *exit;
    exit_edge edges[MAX_EXITS];
    unsigned n_edges, n_phis;
    unsigned rcs[MAX_PHIS];
    bool parted; /* only some of the loop's lanes are active here */
} loop;

typedef struct gen {
    ir_fn *f;
    ir_block *b;
    toy_shape shape;
    uint64_t state;
    ir_ref pool[MAX_POOL];
    unsigned n_pool, statements;
    loop *loop; /* the innermost, or NULL */
} gen;

static uint32_t
rnd(gen *g, uint32_t below)
{
    g->state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(base_hash64(g->state) % below);
}

static bool
once_in(gen *g, uint32_t n)
{
    return rnd(g, n) == 0;
}

/* ---- instructions ---- */

static void
add_pool(gen *g, ir_ref r)
{
    if (g->n_pool < MAX_POOL)
        g->pool[g->n_pool++] = ir_use(g->f, r.id);
}

static ir_instr *
emit(gen *g, unsigned op, unsigned n_defs, unsigned n_refs, const ir_ref *refs)
{
    ir_instr *i = ir_new_instr(g->f, op, n_defs, n_refs);
    for (unsigned r = 0; r < n_refs; r++)
        i->refs[r] = refs[r];
    ir_append(g->b, i);
    return i;
}

static ir_ref
define(gen *g, ir_instr *i, unsigned d, unsigned rc)
{
    ir_ref r = ir_define(g->f, i, d, (ir_type)rc);
    add_pool(g, r);
    return r;
}

static ir_ref
constant(gen *g, unsigned rc)
{
    return (ir_ref){.kind = IR_REF_CONST,
                    .id = rnd(g, 1000),
                    .reg = IR_REG_NONE,
                    .comp = IR_WHOLE,
                    .rc = (uint8_t)rc};
}

/* What a value of the class is made of, if not of one constant. */
static unsigned
part_of(unsigned rc)
{
    switch (rc) {
    case TOY_S2:
    case TOY_S4: return TOY_S1;
    case TOY_V2:
    case TOY_V3:
    case TOY_V4: return TOY_V1;
    case TOY_H2: return TOY_H1;
    default: return rc;
    }
}

static ir_ref
pick(gen *g, unsigned rc);

static ir_ref
make(gen *g, unsigned rc)
{
    ir_ref refs[4], in;
    unsigned part = part_of(rc), n = toy_bytes(rc) / toy_bytes(part);
    switch (rc) {
    case TOY_X6: in = pick(g, TOY_V1); return define(g, emit(g, TOY_AFILL, 1, 1, &in), 0, rc);
    case TOY_P1:
        refs[0] = pick(g, TOY_V1);
        refs[1] = constant(g, TOY_V1);
        return define(g, emit(g, TOY_CMP, 1, 2, refs), 0, rc);
    case TOY_A1: in = pick(g, TOY_S1); return define(g, emit(g, TOY_SETA, 1, 1, &in), 0, rc);
    default:
        for (unsigned k = 0; k < n; k++)
            refs[k] = constant(g, part);
        return define(g, emit(g, n > 1 ? TOY_JOIN : TOY_COPY, 1, n, refs), 0, rc);
    }
}

/* A value of the class from the pool, preferably a late one; made anew if none is found. */
static ir_ref
pick(gen *g, unsigned rc)
{
    for (unsigned tries = 0; tries < 24 && g->n_pool; tries++) {
        unsigned window = g->shape.alive < g->n_pool ? g->shape.alive : g->n_pool;
        ir_ref r = g->pool[g->n_pool - 1 - rnd(g, once_in(g, 8) ? g->n_pool : window)];
        if (r.rc == rc)
            return r;
    }
    return make(g, rc);
}

static unsigned
scalar_class(gen *g)
{
    static const uint8_t rcs[] = {TOY_S1, TOY_S1, TOY_S1, TOY_S2, TOY_S4};
    return rcs[rnd(g, sizeof rcs)];
}

static unsigned
vector_class(gen *g)
{
    static const uint8_t rcs[] = {TOY_V1, TOY_V1, TOY_V1, TOY_V2, TOY_V3,
                                  TOY_V4, TOY_H1, TOY_H1, TOY_H2};
    return rcs[rnd(g, sizeof rcs)];
}

static unsigned
any_class(gen *g)
{
    if (rnd(g, 100) < g->shape.arrays)
        return once_in(g, 3) ? TOY_A1 : TOY_X6;
    if (once_in(g, 8))
        return TOY_P1;
    return rnd(g, 100) < g->shape.scalar ? scalar_class(g) : vector_class(g);
}

/* An operand of an instruction whose result is of the class: scalars go everywhere. */
static ir_ref
operand(gen *g, unsigned rc)
{
    if (once_in(g, 12))
        return constant(g, TOY_S1);
    if (toy_is_uniform(rc))
        return pick(g, scalar_class(g));
    return pick(g, once_in(g, 4) ? scalar_class(g) : vector_class(g));
}

/* ---- statements ---- */

static void
gen_arithmetic(gen *g, unsigned rc)
{
    static const uint16_t ops[] = {TOY_ADD, TOY_ADD, TOY_LOAD, TOY_SHUFFLE, TOY_CVT, TOY_MAD};
    unsigned op = ops[rnd(g, sizeof ops / sizeof *ops)], n = g->f->level->ops[op].n_refs;
    ir_ref refs[3];
    for (unsigned r = 0; r < n; r++)
        refs[r] = operand(g, rc);
    if (op == TOY_MAD) {
        bool small = rc == TOY_S1 || rc == TOY_V1 || rc == TOY_H1;
        refs[2] = small && once_in(g, 10) ? constant(g, rc) : pick(g, rc);
    }
    define(g, emit(g, op, 1, n, refs), 0, rc);
}

/* Fixed registers: of the operand, of both results. */
static void
gen_divide(gen *g)
{
    unsigned rc = rnd(g, 100) < g->shape.scalar ? TOY_S1 : TOY_V1;
    unsigned first = rc == TOY_S1 ? 0 : TOY_V0 * TOY_UNIT, size = toy_bytes(rc);
    ir_ref refs[2] = {ir_fixed(pick(g, rc), first + size), pick(g, rc)};
    if (once_in(g, 3))
        refs[1] = ir_fixed(refs[1], first + (2 + rnd(g, 2)) * size);
    ir_instr *i = emit(g, TOY_DIVIDE, 2, 2, refs);
    for (unsigned d = 0; d < 2; d++) {
        define(g, i, d, rc);
        i->defs[d] = ir_fixed(i->defs[d], first + (2 + d) * size);
    }
}

/* cc lives on for a while, and may have to move away. */
static void
gen_carry(gen *g)
{
    ir_ref refs[3] = {pick(g, TOY_S1), pick(g, TOY_S1)};
    ir_instr *i = emit(g, TOY_CARRY, 2, 2, refs);
    define(g, i, 0, TOY_S1);
    refs[2] = ir_define(g->f, i, 1, TOY_S1);
    i->defs[1] = ir_fixed(i->defs[1], TOY_CC);
    for (unsigned n = rnd(g, 3); n > 0; n--)
        gen_arithmetic(g, vector_class(g));
    refs[2] = ir_fixed(refs[2], TOY_CC);
    define(g, emit(g, TOY_ADDC, 1, 3, refs), 0, TOY_S1);
}

static void
gen_predicate(gen *g)
{
    ir_ref refs[3];
    unsigned rc;
    switch (rnd(g, 4)) {
    case 0:
        refs[0] = pick(g, TOY_P1);
        refs[1] = pick(g, TOY_P1);
        define(g, emit(g, TOY_ADD, 1, 2, refs), 0, TOY_P1);
        break;
    case 1:
        rc = vector_class(g);
        refs[0] = pick(g, TOY_P1);
        refs[1] = operand(g, rc);
        refs[2] = operand(g, rc);
        define(g, emit(g, TOY_SEL, 1, 3, refs), 0, rc);
        break;
    default:
        refs[0] = pick(g, vector_class(g));
        refs[1] = operand(g, TOY_V1);
        define(g, emit(g, TOY_CMP, 1, 2, refs), 0, TOY_P1);
        break;
    }
}

static void
gen_array(gen *g)
{
    ir_ref refs[3] = {pick(g, TOY_X6)};
    refs[1] = pick(g, TOY_A1);
    if (once_in(g, 3)) {
        refs[2] = pick(g, TOY_V1);
        define(g, emit(g, TOY_AWRITE, 1, 3, refs), 0, TOY_X6);
    } else {
        define(g, emit(g, TOY_AREAD, 1, 2, refs), 0, TOY_V1);
    }
}

/* Rows of one bank: joined from parts, or taken apart. Scalars may be parts of vectors. */
static void
gen_row(gen *g)
{
    bool scalar = rnd(g, 100) < g->shape.scalar;
    unsigned part = scalar ? TOY_S1 : TOY_V1, n = scalar ? 2 + 2 * rnd(g, 2) : 2 + rnd(g, 3);
    unsigned row = scalar ? n == 2 ? TOY_S2 : TOY_S4 : TOY_V1 + n - 1;
    ir_ref refs[4];
    if (!scalar && once_in(g, 3)) {
        part = TOY_H1;
        row = once_in(g, 2) ? TOY_H2 : TOY_V1;
        n = 2;
    }
    if (once_in(g, 2)) {
        for (unsigned k = 0; k < n; k++)
            refs[k] = part == TOY_V1 && once_in(g, 4) ? pick(g, TOY_S1) : pick(g, part);
        for (unsigned k = 0; k < n; k++)
            refs[k] = once_in(g, 8) ? constant(g, part) : refs[k];
        define(g, emit(g, TOY_JOIN, 1, n, refs), 0, row);
        return;
    }
    refs[0] = pick(g, row);
    if (once_in(g, 3)) {
        refs[1] = constant(g, TOY_S1);
        refs[1].id = rnd(g, n);
        define(g, emit(g, TOY_PART, 1, 2, refs), 0, part);
        return;
    }
    ir_instr *i = emit(g, TOY_SPLIT, n, 1, refs);
    for (unsigned k = 0; k < n; k++)
        define(g, i, k, part);
}

static void
gen_output(gen *g)
{
    ir_ref refs[4];
    unsigned n = 1 + rnd(g, 4);
    bool address = false;
    for (unsigned k = 0; k < n; k++) {
        unsigned rc = any_class(g);
        refs[k] = pick(g,
                       rc == TOY_A1 && address ? TOY_V1 : rc); /* there is one address register */
        address |= rc == TOY_A1;
    }
    emit(g, TOY_OUT, 0, n, refs);
}

static void
gen_simple(gen *g)
{
    unsigned what = rnd(g, 20);
    if (rnd(g, 100) < g->shape.arrays) {
        gen_array(g);
    } else if (what < 3) {
        gen_row(g);
    } else if (what < 5) {
        gen_output(g);
    } else if (what < 8) {
        gen_predicate(g);
    } else if (what < 9) {
        gen_divide(g);
    } else if (what < 10) {
        gen_carry(g);
    } else if (what < 11) {
        ir_ref in = pick(g, TOY_V1);
        define(g, emit(g, TOY_FIRST, 1, 1, &in), 0, TOY_S1);
    } else {
        unsigned scalar = rnd(g, 100) < g->shape.scalar;
        gen_arithmetic(g, scalar ? scalar_class(g) : vector_class(g));
    }
}

/* ---- blocks ---- */

static ir_block *
open_block(gen *g, ir_block *b, unsigned kind)
{
    ir_append_block(g->f, b);
    b->kind = kind;
    return g->b = b;
}

static ir_block *
new_block(gen *g)
{
    return ir_block_new(g->f);
}

static void
open_logical(gen *g, ir_block *b, unsigned kind, unsigned first)
{
    open_block(g, b, kind | IR_BLOCK_LOGICAL);
    if (first)
        emit(g, first, 0, 0, NULL);
    emit(g, TOY_LOGICAL_START, 0, 0, NULL);
}

static void
add_edges(ir_block *from, ir_block *to)
{
    ir_add_edge(from, to, 0);
    ir_add_edge(from, to, 1);
}

static void
close_block(gen *g, unsigned op, unsigned n_refs, ir_ref ref)
{
    emit(g, TOY_LOGICAL_END, 0, 0, NULL);
    emit(g, op, 0, n_refs, &ref);
}

static void
close_with_jump(gen *g, ir_block *to)
{
    close_block(g, TOY_JUMP, 0, ir_none());
    add_edges(g->b, to);
}

/* A block of linear edges alone, between the two. */
static ir_block *
add_skip(gen *g, ir_block *from, ir_block *to)
{
    ir_block *b = open_block(g, new_block(g), 0);
    emit(g, TOY_JUMP, 0, 0, NULL);
    ir_add_edge(from, b, 1);
    ir_add_edge(b, to, 1);
    return b;
}

/* A phi in front of what the block has, whose references are to be set. */
static ir_instr *
new_phi(gen *g, ir_block *b, unsigned rc)
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

/* What a phi of the class may take here. */
static ir_ref
phi_operand(gen *g, unsigned rc)
{
    bool small = rc == TOY_S1 || rc == TOY_V1 || rc == TOY_H1;
    if (small && once_in(g, 10))
        return constant(g, rc);
    return pick(g, rc == TOY_V1 && once_in(g, 8) ? TOY_S1 : rc);
}

static unsigned
choose_phis(gen *g, unsigned rcs[MAX_PHIS])
{
    unsigned n = rnd(g, MAX_PHIS);
    for (unsigned k = 0; k < n; k++)
        rcs[k] = any_class(g);
    return n;
}

static void
gen_statements(gen *g, unsigned depth);

/* ---- breaks ---- */

static void
note_exit(gen *g, ir_block *logical, ir_block *linear, const ir_ref *values)
{
    exit_edge *e = &g->loop->edges[g->loop->n_edges++];
    *e = (exit_edge){.logical = logical, .linear = linear};
    for (unsigned k = 0; k < g->loop->n_phis; k++)
        e->values[k] = values[k];
}

/* The active lanes leave the loop. Where others wait, the machine goes on with them: returns the
 * block that leads there, or NULL. */
static ir_block *
gen_break(gen *g, const ir_ref *values)
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
    emit(g, TOY_JUMP, 0, 0, NULL);
    ir_add_edge(from, rest, 1);
    note_exit(g, from, add_skip(g, from, l->exit), values);
    return rest;
}

static void
gen_exit(gen *g, loop *l)
{
    open_logical(g, l->exit, IR_BLOCK_LOOP_EXIT, TOY_ENDLOOP);
    for (unsigned k = 0; k < l->n_phis; k++) {
        ir_instr *phi = new_phi(g, l->exit, l->rcs[k]);
        for (unsigned e = 0; e < l->n_edges; e++) {
            bool linear = toy_is_uniform(l->rcs[k]);
            set_phi(phi, linear ? l->edges[e].linear : l->edges[e].logical, l->edges[e].values[k]);
        }
        add_pool(g, phi->defs[0]);
    }
}

/* ---- ifs ---- */

/* An if in the making. An arm whose lanes leave the loop has no end that phis could take from. */
typedef struct branch {
    ir_block *arms[2], *merge;
    ir_block *ends[2];   /* logical ends of the arms, NULL if the lanes left the loop */
    ir_block *linear[2]; /* the same for linear edges */
    unsigned n_phis, rcs[MAX_PHIS];
    ir_ref values[2][MAX_PHIS];
    const ir_ref *breaks; /* the first arm leaves the loop with these values, the second is empty */
} branch;

/* The arm may let its lanes leave the loop. */
static bool
may_break(gen *g, const branch *br, unsigned arm)
{
    if (br->breaks)
        return arm == 0;
    bool room = g->loop && g->loop->n_edges + 1 < MAX_EXITS && (arm == 0 || br->ends[0]);
    return room && once_in(g, 4);
}

static void
gen_end_of_arm(gen *g, branch *br, unsigned arm)
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
gen_arm(gen *g, branch *br, unsigned arm, unsigned depth)
{
    unsigned n_pool = g->n_pool;
    open_logical(g, br->arms[arm], 0, 0);
    if (!br->breaks)
        gen_statements(g, depth + 1);
    for (unsigned k = 0; k < br->n_phis; k++)
        br->values[arm][k] = phi_operand(g, br->rcs[k]);
    gen_end_of_arm(g, br, arm);
    g->n_pool = n_pool;
}

/* All lanes take one arm. */
static void
gen_uniform_arms(gen *g, branch *br, unsigned depth)
{
    for (unsigned arm = 0; arm < 2; arm++)
        add_edges(g->b, br->arms[arm]);
    for (unsigned arm = 0; arm < 2; arm++) {
        gen_arm(g, br, arm, depth);
        if (br->linear[arm])
            ir_add_edge(br->linear[arm], br->merge, 1);
    }
    open_logical(g, br->merge, 0, 0);
    for (unsigned k = 0; k < br->n_phis; k++) {
        ir_instr *phi = new_phi(g, br->merge, br->rcs[k]);
        ir_block *const *ends = toy_is_uniform(br->rcs[k]) ? br->linear : br->ends;
        for (unsigned arm = 0; arm < 2; arm++) {
            if (ends[arm])
                set_phi(phi, ends[arm], br->values[arm][k]);
        }
        add_pool(g, phi->defs[0]);
    }
}

/* Between the arms: uniform values of the first arm go on here, or those from before it. */
static void
gen_invert(gen *g, branch *br, ir_block *invert, ir_block *skip, const ir_ref *before)
{
    open_block(g, invert, IR_BLOCK_INVERT);
    emit(g, TOY_ELSE, 0, 0, NULL);
    for (unsigned k = 0; k < br->n_phis; k++) {
        if (!toy_is_uniform(br->rcs[k]))
            continue;
        ir_instr *phi = new_phi(g, invert, br->rcs[k]);
        set_phi(phi, br->linear[0], br->values[0][k]);
        set_phi(phi, skip, before[k]);
        br->values[0][k] = phi->defs[0];
        add_pool(g, phi->defs[0]);
    }
}

/* Lanes part: first those of one arm, then those of the other. */
static void
gen_parted_arms(gen *g, branch *br, unsigned depth, const ir_ref *before)
{
    ir_block *invert = new_block(g), *skip[2], *from = g->b;
    bool parted = g->loop && g->loop->parted;
    ir_add_edge(from, br->arms[0], 0);
    ir_add_edge(from, br->arms[1], 0);
    ir_add_edge(from, br->arms[0], 1);
    if (g->loop)
        g->loop->parted = true;
    gen_arm(g, br, 0, depth);
    ir_add_edge(br->linear[0], invert, 1);
    skip[0] = add_skip(g, from, invert);
    gen_invert(g, br, invert, skip[0], before);
    ir_add_edge(invert, br->arms[1], 1);
    gen_arm(g, br, 1, depth);
    ir_add_edge(br->linear[1], br->merge, 1);
    skip[1] = add_skip(g, invert, br->merge);
    if (g->loop)
        g->loop->parted = parted;
    open_logical(g, br->merge, IR_BLOCK_MERGE, TOY_ENDIF);
    for (unsigned k = 0; k < br->n_phis; k++) {
        ir_instr *phi = new_phi(g, br->merge, br->rcs[k]);
        bool linear = toy_is_uniform(br->rcs[k]);
        ir_block *const *ends = linear ? br->linear : br->ends;
        if (ends[1])
            set_phi(phi, ends[1], br->values[1][k]);
        if (linear)
            set_phi(phi, skip[1], br->values[0][k]);
        else if (ends[0])
            set_phi(phi, ends[0], br->values[0][k]);
        add_pool(g, phi->defs[0]);
    }
}

static void
gen_if(gen *g, unsigned depth)
{
    branch br = {.arms = {new_block(g), new_block(g)}, .merge = new_block(g)};
    ir_ref before[MAX_PHIS];
    bool parts = !once_in(g, 3);
    br.n_phis = choose_phis(g, br.rcs);
    for (unsigned k = 0; k < br.n_phis; k++)
        before[k] = phi_operand(g, br.rcs[k]);
    ir_ref condition = pick(g, parts ? TOY_P1 : TOY_S1);
    close_block(g, parts ? TOY_IF : TOY_BRANCH, 1, condition);
    if (parts)
        gen_parted_arms(g, &br, depth, before);
    else
        gen_uniform_arms(g, &br, depth);
}

/* ---- loops ---- */

/* Behind the body: all lanes stay or leave. */
static void
close_uniform_loop(gen *g, ir_ref again, ir_block *latch, const ir_ref *values)
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
close_parted_loop(gen *g, ir_ref leaves, ir_block *latch, const ir_ref *values)
{
    branch br = {.arms = {new_block(g), new_block(g)}, .merge = latch, .breaks = values};
    close_block(g, TOY_IF, 1, leaves);
    gen_parted_arms(g, &br, 0, NULL);
}

/* Whether the next iteration comes changes from one to the next. */
static void
close_loop(gen *g, ir_ref counter, ir_block *latch)
{
    ir_ref refs[2] = {counter, operand(g, counter.rc)}, values[MAX_PHIS];
    bool uniform = toy_is_uniform(counter.rc);
    for (unsigned k = 0; k < g->loop->n_phis; k++)
        values[k] = phi_operand(g, g->loop->rcs[k]);
    unsigned op = uniform ? TOY_ADD : TOY_CMP, rc = uniform ? TOY_S1 : TOY_P1;
    ir_ref condition = define(g, emit(g, op, 1, 2, refs), 0, rc);
    (uniform ? close_uniform_loop : close_parted_loop)(g, condition, latch, values);
}

static void
gen_loop(gen *g, unsigned depth)
{
    loop l = {.exit = new_block(g)}, *outer = g->loop;
    ir_block *header = new_block(g), *latch = new_block(g), *before = g->b;
    unsigned rcs[MAX_PHIS + 1], n = choose_phis(g, rcs + 1) + 1, keep;
    ir_instr *phis[MAX_PHIS + 1];
    ir_ref values[MAX_PHIS + 1];
    rcs[0] = once_in(g, 2) ? TOY_S1 : TOY_V1;
    l.n_phis = choose_phis(g, l.rcs);
    for (unsigned k = 0; k < n; k++)
        values[k] = phi_operand(g, rcs[k]);
    emit(g, TOY_LOOP, 0, 0, NULL);
    close_with_jump(g, header);
    add_edges(latch, header);
    open_logical(g, header, IR_BLOCK_LOOP_HEADER, 0);
    for (unsigned k = 0; k < n; k++) {
        phis[k] = new_phi(g, header, rcs[k]);
        set_phi(phis[k], before, values[k]);
        add_pool(g, phis[k]->defs[0]);
    }
    g->loop = &l;
    for (unsigned k = rnd(g, 4); k > 0; k--)
        gen_simple(g);
    keep = g->n_pool;
    gen_statements(g, depth + 1);
    ir_ref refs[2] = {phis[0]->defs[0], operand(g, rcs[0])};
    values[0] = define(g, emit(g, TOY_ADD, 1, 2, refs), 0, rcs[0]);
    for (unsigned k = 1; k < n; k++)
        values[k] = phi_operand(g, rcs[k]);
    for (unsigned k = 0; k < n; k++)
        set_phi(phis[k], latch, values[k]);
    close_loop(g, phis[0]->defs[0], latch);
    close_block(g, TOY_JUMP, 0, ir_none());
    g->loop = outer;
    g->n_pool = keep;
    gen_exit(g, &l);
}

/* ---- the program ---- */

static void
gen_statements(gen *g, unsigned depth)
{
    for (unsigned n = 1 + rnd(g, 12); n > 0 && g->statements; n--) {
        g->statements--;
        unsigned what = rnd(g, 20);
        if (what < 2 && depth < g->shape.depth)
            gen_if(g, depth);
        else if (what < 3 && depth < g->shape.depth)
            gen_loop(g, depth);
        else
            gen_simple(g);
    }
}

static void
gen_start(gen *g)
{
    ir_instr *i = emit(g, TOY_START, 5, 0, NULL);
    static const uint8_t rcs[] = {TOY_S1, TOY_S2, TOY_V1, TOY_V2, TOY_H1};
    static const uint16_t regs[] = {0, 8, TOY_V0 * TOY_UNIT + 12, TOY_V0 * TOY_UNIT,
                                    TOY_V0 * TOY_UNIT + 10};
    for (unsigned d = 0; d < 5; d++) {
        define(g, i, d, rcs[d]);
        i->defs[d] = ir_fixed(i->defs[d], regs[d]);
    }
}

toy_shape
toy_random_shape(uint64_t seed)
{
    gen g = {.state = seed * 77 + 5};
    return (toy_shape){.seed = seed,
                       .statements = 4 + rnd(&g, once_in(&g, 4) ? 160 : 40),
                       .depth = rnd(&g, 5),
                       .alive = 4 + rnd(&g, 40),
                       .scalar = 10 + rnd(&g, 70),
                       .arrays = once_in(&g, 2) ? rnd(&g, 25) : 0};
}

ir_fn *
toy_generate(ir_ctx *ctx, const toy_shape *shape)
{
    gen *g = ARENA_NEW(ctx->arena, gen);
    *g = (gen){.f = ir_fn_new(ctx, &toy_level, "random"), .shape = *shape, .state = shape->seed};
    g->statements = shape->statements;
    g->f->shader.workgroup_size[0] = 4;
    g->f->shader.workgroup_size[1] = g->f->shader.workgroup_size[2] = 1;
    open_block(g, new_block(g), IR_BLOCK_TOP_LEVEL | IR_BLOCK_LOGICAL);
    gen_start(g);
    emit(g, TOY_LOGICAL_START, 0, 0, NULL);
    while (g->statements)
        gen_statements(g, 0);
    gen_output(g);
    close_block(g, TOY_END, 0, ir_none());
    return g->f;
}
