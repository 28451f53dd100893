/* Random structured programs of machine IR.
 *
 * A pool holds the values that may be used. A statement defines a value from some of the pool,
 * opens an if with phis at its end, or a loop with a counter and phis at its header. At the end of
 * a construct the pool is restored, and the construct's phis are added. Logical and linear CFG are
 * the same and have no critical edges.
 */
#include "machine_gen.h"

#include "base/bits.h"

enum { MAX_POOL = 512 };

typedef struct gen {
    ir_fn *f;
    ir_block *b;
    uint64_t seed;
    gen_options o;
    ir_ref pool[MAX_POOL];
    unsigned n_pool;
    unsigned statements;
} gen;

static uint32_t
rnd(gen *g, uint32_t below)
{
    g->seed += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(base_hash64(g->seed) % below);
}

static void
add_pool(gen *g, ir_ref r)
{
    if (g->n_pool < MAX_POOL)
        g->pool[g->n_pool++] = r;
}

static ir_instr *
emit(gen *g, unsigned op, unsigned n_defs, unsigned n_refs)
{
    ir_instr *i = amd_new(g->f, op, n_defs, n_refs);
    ir_append(g->b, i);
    return i;
}

/* A value of class `rc` from the pool, preferably a recent one; a new one if there is none. */
static ir_ref
pick(gen *g, unsigned rc)
{
    for (unsigned tries = 0; tries < 24 && g->n_pool; tries++) {
        unsigned window = g->o.alive < g->n_pool ? g->o.alive : g->n_pool;
        ir_ref r = g->pool[g->n_pool - 1 - rnd(g, rnd(g, 8) ? window : g->n_pool)];
        if (r.rc == rc)
            return r;
    }
    ir_instr *i = emit(g, AMD_P_PARALLELCOPY, 1, 1);
    ir_ref c = amd_rc_regs(rc) == 1 ? amd_const(rnd(g, 1000))
                                    : amd_const64((int32_t)rnd(g, 100000));
    i->refs[0] = c;
    if (amd_rc_regs(rc) > 2) {
        ir_unlink(i);
        i = emit(g, AMD_P_CREATE_VECTOR, 1, amd_rc_regs(rc));
        for (unsigned k = 0; k < amd_rc_regs(rc); k++)
            i->refs[k] = amd_const(rnd(g, 1000));
    }
    return ir_define(g->f, i, 0, (ir_type)rc);
}

static void
define(gen *g, ir_instr *i, unsigned d, unsigned rc)
{
    add_pool(g, ir_define(g->f, i, d, (ir_type)rc));
}

static void
define_scc(gen *g, ir_instr *i, unsigned d)
{
    ir_define(g->f, i, d, AMD_S1);
    i->defs[d] = ir_fixed(i->defs[d], AMD_SCC);
}

static unsigned
scalar_rc(gen *g)
{
    static const uint8_t rcs[] = {AMD_S1, AMD_S1, AMD_S1, AMD_S2, AMD_S2, AMD_S4, AMD_S8, AMD_S3};
    return rcs[rnd(g, sizeof rcs)];
}

static unsigned
vector_rc(gen *g)
{
    static const uint8_t rcs[] = {AMD_V1, AMD_V1, AMD_V1, AMD_V2, AMD_V2, AMD_V3, AMD_V4};
    return rcs[rnd(g, sizeof rcs)];
}

static unsigned
some_rc(gen *g)
{
    return rnd(g, 100) < g->o.scalar ? scalar_rc(g) : vector_rc(g);
}

/* ---- statements ---- */

static void
gen_scalar_op(gen *g)
{
    ir_instr *i;
    ir_ref a = pick(g, AMD_S1), b = pick(g, AMD_S1), pair = pick(g, AMD_S2);
    ir_ref quad = pick(g, AMD_S4), v = pick(g, AMD_V1);
    switch (rnd(g, 6)) {
    case 0: /* scc is live across instructions that may need copies */
        i = emit(g, AMD_S_CMP_LT_U32, 1, 2);
        i->refs[0] = a;
        i->refs[1] = amd_const(0x80000000u);
        define_scc(g, i, 0);
        ir_ref scc = i->defs[0];
        i = emit(g, AMD_S_MUL_I32, 1, 2);
        i->refs[0] = a;
        i->refs[1] = b;
        define(g, i, 0, AMD_S1);
        i = emit(g, AMD_S_CSELECT_B32, 1, 3);
        i->refs[0] = a;
        i->refs[1] = b;
        i->refs[2] = scc;
        define(g, i, 0, AMD_S1);
        break;
    case 1: /* vcc, and a fixed operand */
        i = emit(g, AMD_P_PARALLELCOPY, 1, 1);
        i->refs[0] = a;
        ir_define(g->f, i, 0, AMD_S1);
        i->defs[0] = ir_fixed(i->defs[0], AMD_M0);
        ir_ref m0 = i->defs[0];
        i = emit(g, AMD_S_MOVRELS_B32, 1, 2);
        i->refs[0] = b;
        i->refs[1] = m0;
        define(g, i, 0, AMD_S1);
        break;
    case 2:
        i = emit(g, AMD_S_LOAD_DWORDX4, 1, 2);
        i->refs[0] = pair;
        i->refs[1] = a;
        define(g, i, 0, AMD_S4);
        break;
    case 3:
        i = emit(g, AMD_S_BUFFER_LOAD_DWORDX8, 1, 2);
        i->refs[0] = quad;
        i->refs[1] = a;
        define(g, i, 0, AMD_S8);
        break;
    case 4:
        i = emit(g, AMD_P_AS_UNIFORM, 1, 1);
        i->refs[0] = v;
        define(g, i, 0, AMD_S1);
        break;
    default:
        i = emit(g, AMD_S_ADD_U32, 2, 2);
        i->refs[0] = a;
        i->refs[1] = b;
        define(g, i, 0, AMD_S1);
        define_scc(g, i, 1);
        break;
    }
}

static void
gen_vector_op(gen *g)
{
    ir_instr *i;
    ir_ref a = pick(g, AMD_V1), b = pick(g, AMD_V1), d = pick(g, AMD_V1);
    ir_ref pair = pick(g, AMD_V2), quad = pick(g, AMD_S4), scalar = pick(g, AMD_S1);
    switch (rnd(g, 5)) {
    case 0: /* a tied operand */
        i = emit(g, AMD_V_FMAC_F32, 1, 3);
        i->refs[0] = a;
        i->refs[1] = b;
        i->refs[2] = d;
        define(g, i, 0, AMD_V1);
        break;
    case 1:
        i = emit(g, AMD_BUFFER_LOAD_DWORDX4, 1, 3);
        i->refs[0] = a;
        i->refs[1] = quad;
        i->refs[2] = amd_const(0);
        define(g, i, 0, AMD_V4);
        break;
    case 2: { /* a mask that may be in vcc, and one that must be */
        i = emit(g, AMD_V_CMP_LT_F32, 1, 2);
        i->refs[0] = a;
        i->refs[1] = b;
        ir_ref mask = ir_define(g->f, i, 0, AMD_S1);
        bool fixed = rnd(g, 2);
        i = emit(g, AMD_V_DIV_FMAS_F32, 1, fixed ? 4 : 3);
        i->refs[0] = a;
        i->refs[1] = b;
        i->refs[2] = a;
        if (fixed)
            i->refs[3] = ir_fixed(mask, AMD_VCC);
        define(g, i, 0, AMD_V1);
        add_pool(g, mask);
        break;
    }
    case 3:
        i = emit(g, AMD_V_LSHLREV_B64, 1, 2);
        i->refs[0] = a;
        i->refs[1] = pair;
        define(g, i, 0, AMD_V2);
        break;
    default:
        i = emit(g, AMD_V_ADD_F32, 1, 2);
        i->refs[0] = rnd(g, 3) ? a : scalar;
        i->refs[1] = b;
        define(g, i, 0, AMD_V1);
        break;
    }
}

static void
gen_vector(gen *g)
{
    bool vgpr = rnd(g, 100) >= g->o.scalar;
    unsigned rc1 = vgpr ? AMD_V1 : AMD_S1, rc2 = vgpr ? AMD_V2 : AMD_S2, n = 2 + rnd(g, 3);
    unsigned whole = amd_rc(vgpr, n * 4);
    if (rnd(g, 2)) {
        ir_ref parts[4];
        for (unsigned k = 0; k < n; k++)
            parts[k] = vgpr && !rnd(g, 4) ? pick(g, AMD_S1) : pick(g, rc1);
        ir_instr *i = emit(g, AMD_P_CREATE_VECTOR, 1, n);
        for (unsigned k = 0; k < n; k++)
            i->refs[k] = rnd(g, 8) ? parts[k] : amd_const(rnd(g, 100));
        define(g, i, 0, whole);
        return;
    }
    ir_ref v = pick(g, whole);
    if (rnd(g, 3) == 0) {
        ir_instr *i = emit(g, AMD_P_EXTRACT_VECTOR, 1, 2);
        bool pair = n == 4 && rnd(g, 2);
        i->refs[0] = v;
        i->refs[1] = amd_const(rnd(g, pair ? 2 : n));
        define(g, i, 0, pair ? rc2 : rc1);
        return;
    }
    ir_instr *i = emit(g, AMD_P_SPLIT_VECTOR, n, 1);
    i->refs[0] = v;
    for (unsigned k = 0; k < n; k++)
        define(g, i, k, rc1);
}

static void
gen_output(gen *g)
{
    unsigned n = 1 + rnd(g, 4);
    ir_ref refs[4];
    for (unsigned k = 0; k < n; k++)
        refs[k] = pick(g, some_rc(g));
    ir_instr *i = emit(g, AMD_P_UNIT_TEST, 0, n);
    for (unsigned k = 0; k < n; k++)
        i->refs[k] = refs[k];
}

/* ---- blocks ---- */

static ir_block *
new_block(gen *g, unsigned kind)
{
    ir_block *b = ir_block_new(g->f);
    ir_append_block(g->f, b);
    b->kind = kind | IR_BLOCK_UNIFORM | IR_BLOCK_LOGICAL;
    return b;
}

static void
open_block(gen *g, ir_block *b)
{
    g->b = b;
    emit(g, AMD_P_LOGICAL_START, 0, 0);
}

static void
link_blocks(ir_block *from, ir_block *to)
{
    ir_add_edge(from, to, 0);
    ir_add_edge(from, to, 1);
}

static void
close_with_branch(gen *g, ir_block *to)
{
    emit(g, AMD_P_LOGICAL_END, 0, 0);
    emit(g, AMD_P_BRANCH, 0, 0);
    link_blocks(g->b, to);
}

static void
close_with_condition(gen *g, ir_ref value, uint32_t below, ir_block *if_set, ir_block *if_zero)
{
    ir_instr *i = emit(g, AMD_S_CMP_LT_U32, 1, 2);
    i->refs[0] = value;
    i->refs[1] = amd_const(below);
    define_scc(g, i, 0);
    ir_ref scc = i->defs[0];
    emit(g, AMD_P_LOGICAL_END, 0, 0);
    emit(g, AMD_P_CBRANCH_Z, 0, 1)->refs[0] = scc;
    link_blocks(g->b, if_set);
    link_blocks(g->b, if_zero);
}

static ir_instr *
add_phi(gen *g, ir_block *b, unsigned rc, unsigned n)
{
    ir_instr *phi = amd_new(g->f, amd_rc_is_linear(rc) ? AMD_P_LINEAR_PHI : AMD_P_PHI, 1, n);
    ir_define(g->f, phi, 0, (ir_type)rc);
    ir_prepend(b, phi);
    return phi;
}

static void
gen_statements(gen *g, unsigned depth);

/* Blocks must be in f->blocks in order: a block is moved to the end when it is opened. */
static void
move_to_end(gen *g, ir_block *b)
{
    ir_fn *f = g->f;
    for (size_t k = b->index; k + 1 < f->n_blocks; k++) {
        f->blocks[k] = f->blocks[k + 1];
        f->blocks[k]->index = (uint32_t)k;
    }
    f->blocks[f->n_blocks - 1] = b;
    b->index = (uint32_t)f->n_blocks - 1;
}

static void
gen_if(gen *g, unsigned depth)
{
    ir_block *arms[2] = {new_block(g, 0), new_block(g, 0)}, *merge = new_block(g, 0);
    unsigned n_pool = g->n_pool, n_phis = rnd(g, 5);
    ir_ref merged[2][5];
    unsigned rcs[5];
    for (unsigned k = 0; k < n_phis; k++)
        rcs[k] = some_rc(g);
    close_with_condition(g, pick(g, AMD_S1), 0x80000000u, arms[0], arms[1]);
    for (unsigned a = 0; a < 2; a++) {
        move_to_end(g, arms[a]);
        open_block(g, arms[a]);
        gen_statements(g, depth + 1);
        for (unsigned k = 0; k < n_phis; k++)
            merged[a][k] = rnd(g, 8) ? pick(g, rcs[k]) : amd_undef(rcs[k]);
        if (a == 0)
            for (unsigned k = 0; k < n_phis; k++)
                merged[0][k] = merged[0][k].kind == IR_REF_UNDEF ? pick(g, rcs[k]) : merged[0][k];
        close_with_branch(g, merge);
        g->n_pool = n_pool;
    }
    move_to_end(g, merge);
    open_block(g, merge);
    for (unsigned k = 0; k < n_phis; k++) {
        ir_instr *phi = add_phi(g, merge, rcs[k], 2);
        phi->refs[0] = merged[0][k];
        phi->refs[1] = merged[1][k].kind == IR_REF_UNDEF ? merged[0][k] : merged[1][k];
        bool other_arm = merged[1][k].kind == IR_REF_UNDEF && ir_is_value(merged[0][k]);
        if (other_arm)
            phi->refs[1] = rcs[k] == AMD_S1 || rcs[k] == AMD_V1 ? amd_const(7) : amd_undef(rcs[k]);
        if (phi->refs[1].kind != IR_REF_UNDEF)
            add_pool(g, phi->defs[0]);
    }
}

static void
gen_loop(gen *g, unsigned depth)
{
    ir_block *header = new_block(g, IR_BLOCK_LOOP_HEADER), *latch = new_block(g, 0),
             *exit = new_block(g, IR_BLOCK_LOOP_EXIT);
    unsigned n_phis = rnd(g, 5), n_pool;
    ir_instr *phis[6];
    ir_ref start[6];
    unsigned rcs[6] = {AMD_S1};
    start[0] = amd_const(0);
    for (unsigned k = 1; k <= n_phis; k++) {
        rcs[k] = some_rc(g);
        start[k] = pick(g, rcs[k]);
    }
    close_with_branch(g, header);
    move_to_end(g, header);
    open_block(g, header);
    n_pool = g->n_pool;
    for (unsigned k = 0; k <= n_phis; k++) {
        phis[k] = add_phi(g, header, rcs[k], 2);
        phis[k]->refs[0] = start[k];
        add_pool(g, phis[k]->defs[0]);
    }
    gen_statements(g, depth + 1);
    for (unsigned k = 1; k <= n_phis; k++)
        phis[k]->refs[1] = pick(g, rcs[k]);
    ir_instr *next = emit(g, AMD_S_ADD_U32, 2, 2);
    next->refs[0] = phis[0]->defs[0];
    next->refs[1] = amd_const(1);
    phis[0]->refs[1] = ir_define(g->f, next, 0, AMD_S1);
    define_scc(g, next, 1);
    close_with_condition(g, phis[0]->refs[1], 1 + rnd(g, 3), latch, exit);
    move_to_end(g, latch);
    open_block(g, latch);
    close_with_branch(g, header);
    g->n_pool = n_pool;
    for (unsigned k = 0; k <= n_phis; k++)
        add_pool(g, rnd(g, 2) ? phis[k]->defs[0] : phis[k]->refs[1]);
    move_to_end(g, exit);
    open_block(g, exit);
}

static void
gen_statements(gen *g, unsigned depth)
{
    unsigned n = 1 + rnd(g, 12);
    while (n-- && g->statements) {
        g->statements--;
        unsigned what = rnd(g, 20);
        if (what < 2 && depth < g->o.depth)
            gen_if(g, depth);
        else if (what < 3 && depth < g->o.depth)
            gen_loop(g, depth);
        else if (what < 8)
            gen_vector(g);
        else if (what < 10)
            gen_output(g);
        else if (rnd(g, 100) < g->o.scalar)
            gen_scalar_op(g);
        else
            gen_vector_op(g);
    }
}

ir_fn *
gen_program(ir_ctx *ctx, const gen_options *o)
{
    gen *g = ARENA_NEW(ctx->arena, gen);
    ir_fn *f = ir_fn_new(ctx, &amd_level, "random");
    amd_program *p = ARENA_NEW(ctx->arena, amd_program);
    *g = (gen){.f = f, .seed = o->seed, .o = *o, .statements = o->statements};
    p->fn = f;
    p->target = amd_find_target("gfx1030");
    p->wave_size = 32;
    p->lane_mask = AMD_S1;
    f->backend = p;
    f->target = p->target;
    f->shader.workgroup_size[0] = 64;
    f->shader.workgroup_size[1] = f->shader.workgroup_size[2] = 1;
    open_block(g, new_block(g, IR_BLOCK_TOP_LEVEL));
    while (g->statements)
        gen_statements(g, 0);
    gen_output(g);
    emit(g, AMD_P_LOGICAL_END, 0, 0);
    emit(g, AMD_S_ENDPGM, 0, 0);
    return f;
}
