/* SSA repair: the phis of a variable in texts of HIR and of a machine level; variables and trivial
 * phis on random CFGs, for both lists of edges, against walks over random paths that track the last
 * definition; the number of phis against the iterated dominance frontier, computed naively. */
#include "amd/amd.h"
#include "ir/analysis.h"
#include "ir/hir.h"
#include "ir/ssa_repair.h"
#include "ir/verify.h"
#include "ir_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* ---- repair of one variable ---- */

/* In a text, `define` instructions define the variable and `use` instructions read it; the first
 * operand in the text does not matter. */
typedef struct variable {
    ir_fn *f;
    unsigned list, define, use;
    ir_type type;
    ir_ssa_var v;
} variable;

static ir_ref
last_def(const variable *x, const ir_block *b)
{
    for (const ir_instr *i = b->last; i; i = i->prev) {
        if (i->op == x->define)
            return i->defs[0];
    }
    return ir_none();
}

static ir_ref
made(const variable *x, ir_ref r)
{
    if (r.kind != IR_REF_NONE)
        return r;
    if (x->f->level->machine)
        return amd_undef(x->type);
    ir_instr *undef = ir_new_instr(x->f, IR_undef, 1, 0);
    ir_define(x->f, undef, 0, x->type);
    ir_prepend(x->f->blocks[0], undef);
    return undef->defs[0];
}

static void
drop_trivial(variable *x)
{
    ir_replacement map = {.f = x->f};
    ir_replace_trivial_phis(&map, x->v.open, x->v.n_open, NULL, NULL);
    ir_replace_all(&map);
    assert_false(ir_replace_trivial_phis(&map, NULL, 0, NULL, NULL));
}

static void
place(variable *x)
{
    ir_compute_dominance(x->f);
    x->v = ir_ssa_open(x->f, x->list, x->f->ctx->scratch);
    ir_ssa_begin(&x->v, x->type, x->f->blocks[0], NULL);
    IR_FOREACH_BLOCK(b, x->f) {
        if (last_def(x, b).kind != IR_REF_NONE)
            ir_ssa_define(&x->v, b);
    }
    ir_ssa_place(&x->v);
    for (uint32_t k = 0; k < x->v.n; k++) {
        ir_block *b = x->v.by_index[k];
        ir_ssa_at_start(&x->v, b);
        if (last_def(x, b).kind != IR_REF_NONE)
            ir_ssa_set_end(&x->v, b, last_def(x, b));
    }
    ir_ssa_finish(&x->v);
}

static void
repair(variable *x)
{
    place(x);
    IR_FOREACH_BLOCK(b, x->f) {
        ir_ref now = ir_ssa_at_start(&x->v, b);
        IR_FOREACH_INSTR(i, b) {
            for (unsigned r = 0; ir_has_flag(i, IR_OP_PHI) && r < i->n_refs; r++)
                i->refs[r] = made(x, i->refs[r]);
            if (i->op == x->use)
                i->refs[0] = made(x, now);
            now = i->op == x->define ? i->defs[0] : now;
        }
    }
    drop_trivial(x);
}

/* The definitions and uses in the result, one per line, must be `want`. */
static void
expect(const ir_level *level, variable x, const char *text, const char *const *want)
{
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%s", e.d.message);
    x.f = env_parse(&e, level, text);
    repair(&x);
    ir_verify(x.f, "repair");
    char *out = env_print(&e, x.f, 0);
    for (unsigned k = 0; want[k]; k++) {
        if (!strstr(out, want[k]))
            fail_msg("no '%s' in\n%s", want[k], out);
    }
    unsigned n = 0;
    IR_FOREACH_BLOCK(b, x.f) {
        for (const ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next)
            n++;
    }
    assert_int_equal(n, strstr(text, "phis:")[6] - '0');
    env_close(&e);
}

static const variable hir = {.define = IR_mov, .use = IR_fneg, .type = IR_I32};

#define HIR(n, body)                                                                               \
    "// phis: " n "\nshader: compute\nworkgroup_size: 1, 1, 1\nimpl \"m\" {\nblock b0:\n"          \
    "32 %1 = load_const (1)\n1 %2 = ieq %1, %1\n" body "}\n"

static void
test_an_if(void **state)
{
    (void)state;
    expect(&ir_hir_level, hir,
           HIR("1", "32 %3 = mov %1\nif %2 then b1 else b2 merge b3\n"
                    "block b1:\n32 %4 = fneg %1\n32 %5 = mov %1\n32 %6 = fneg %1\njump b3\n"
                    "block b2:\njump b3\nblock b3:\n32 %7 = fneg %1\nreturn\n"),
           (const char *[]){"32 %4 = fneg %3", "32 %6 = fneg %5", "32 %8 = phi b1: %5, b2: %3",
                            "32 %7 = fneg %8", NULL});
    /* Neither arm defines it: no phi. */
    expect(&ir_hir_level, hir,
           HIR("0", "32 %3 = mov %1\nif %2 then b1 else b2 merge b3\nblock b1:\njump b3\n"
                    "block b2:\njump b3\nblock b3:\n32 %7 = fneg %1\nreturn\n"),
           (const char *[]){"32 %7 = fneg %3", NULL});
}

static void
test_no_definition_on_a_path(void **state)
{
    (void)state;
    expect(&ir_hir_level, hir,
           HIR("1", "if %2 then b1 else b2 merge b3\nblock b1:\n32 %3 = mov %1\njump b3\n"
                    "block b2:\n32 %4 = fneg %1\njump b3\nblock b3:\n32 %5 = fneg %1\nreturn\n"),
           (const char *[]){"%7 = undef", "%8 = undef", "32 %6 = phi b1: %3, b2: %8",
                            "32 %4 = fneg %7", "32 %5 = fneg %6", NULL});
}

#define LOOP(body)                                                                                 \
    "loop b1 merge b6 continue b5\nblock b1:\n" body                                               \
    "if %2 then b2 else b3 merge b4\nblock b2:\njump b6\nblock b3:\njump b4\n"

static void
test_loops(void **state)
{
    (void)state;
    expect(
        &ir_hir_level, hir,
        HIR("1", "32 %3 = mov %1\n" LOOP(
                     "32 %4 = fneg %1\n") "block b4:\njump b5\n"
                                          "block b5:\n32 %5 = mov %1\njump b1\nblock b6:\n32 %6 = "
                                          "fneg %1\nreturn\n"),
        (const char *[]){"32 %7 = phi b0: %3, b5: %5", "32 %4 = fneg %7", "32 %6 = fneg %7", NULL});
    /* Defined in each iteration before it is read; the header's phi is not needed, but not trivial.
     */
    expect(&ir_hir_level, hir,
           HIR("1", LOOP("32 %4 = mov %1\n32 %5 = fneg %1\n") "block b4:\njump b5\n"
                                                              "block b5:\njump b1\nblock b6:\n32 "
                                                              "%6 = fneg %1\nreturn\n"),
           (const char *[]){"32 %5 = fneg %4", "32 %6 = fneg %4", NULL});
    /* The continue block defines the same value that reaches it. */
    expect(&ir_hir_level, hir,
           HIR("2",
               "32 %3 = mov %1\n" LOOP(
                   "") "block b4:\nloop b7 merge b12 continue b11\nblock b7:\n32 %4 = fneg %1\n"
                       "if %2 then b8 else b9 merge b10\nblock b8:\njump b12\nblock b9:\njump b10\n"
                       "block b10:\njump b11\nblock b11:\n32 %5 = mov %1\njump b7\n"
                       "block b12:\njump b5\n"
                       "block b5:\njump b1\nblock b6:\n32 %6 = fneg %1\nreturn\n"),
           (const char *[]){"32 %7 = phi b0: %3, b11: %8", "32 %8 = phi b4: %7, b9: %5",
                            "32 %4 = fneg %8", "32 %6 = fneg %7", NULL});
}

static void
test_an_unreachable_operand(void **state)
{
    (void)state;
    /* The loop has no break: b4 and b5 are unreachable, but b1 has an edge from b5. */
    expect(&ir_hir_level, hir,
           HIR("2", "32 %3 = mov %1\nloop b1 merge b6 continue b5\nblock b1:\n32 %4 = fneg %1\n"
                    "if %2 then b2 else b3 merge b4\nblock b2:\n32 %7 = mov %1\njump b6\n"
                    "block b3:\njump b6\nblock b4:\njump b5\nblock b5:\n32 %5 = mov %1\njump b1\n"
                    "block b6:\n32 %6 = fneg %1\nreturn\n"),
           (const char *[]){"32 %6 = fneg %", NULL});
}

/* A divergent if: the linear edges lead through both arms, one after the other. */
#define DIVERGENT(before, in_then)                                                                 \
    "// phis: 1\nshader: compute\nworkgroup_size: 64, 1, 1\nimpl \"m\" {\nBB0\n"                   \
    "/* logical preds: / linear preds: / kind: top-level, logical */\n"                            \
    "p_logical_start\n" before "p_logical_end\np_cbranch_z %0:exec, BB1, BB2\n"                    \
    "/* logical succs: BB1, BB4, / linear succs: BB1, BB2, */\n"                                   \
    "BB1\n/* logical preds: BB0, / linear preds: BB0, / kind: logical */\n"                        \
    "p_logical_start\n" in_then "p_logical_end\np_branch BB3\n"                                    \
    "/* logical succs: BB6, / linear succs: BB3, */\n"                                             \
    "BB2\n/* logical preds: / linear preds: BB0, / kind: uniform */\np_branch BB3\n"               \
    "/* logical succs: / linear succs: BB3, */\n"                                                  \
    "BB3\n/* logical preds: / linear preds: BB1, BB2, / kind: invert */\n"                         \
    "p_cbranch_z %0:exec, BB4, BB5\n/* logical succs: / linear succs: BB4, BB5, */\n"              \
    "BB4\n/* logical preds: BB0, / linear preds: BB3, / kind: logical */\n"                        \
    "p_logical_start\np_unit_test 1\np_logical_end\np_branch BB6\n"                                \
    "/* logical succs: BB6, / linear succs: BB6, */\n"                                             \
    "BB5\n/* logical preds: / linear preds: BB3, / kind: uniform */\np_branch BB6\n"               \
    "/* logical succs: / linear succs: BB6, */\n"                                                  \
    "BB6\n/* logical preds: BB1, BB4, / linear preds: BB4, BB5, / kind: top-level, merge, "        \
    "logical */\np_logical_start\np_unit_test 2\np_logical_end\ns_endpgm\n"                        \
    "/* logical succs: / linear succs: */\n}\n"

static void
test_both_lists_of_edges(void **state)
{
    (void)state;
    variable s = {.list = 1, .define = AMD_S_MOV_B32, .use = AMD_P_UNIT_TEST, .type = AMD_S1};
    expect(&amd_level, s, DIVERGENT("s1: %1 = s_mov_b32 1\n", "s1: %2 = s_mov_b32 2\n"),
           (const char *[]){"/ kind: invert */\n    s1: %3 = p_linear_phi %2, %1\n",
                            "p_logical_start\n    p_unit_test %3\n    p_logical_end\n    s_endpgm",
                            NULL});
    expect(&amd_level, s, DIVERGENT("", "s1: %2 = s_mov_b32 2\n"),
           (const char *[]){"s1: %3 = p_linear_phi %2, s1: undef\n", "p_unit_test %3", NULL});
    variable v = {.list = 0, .define = AMD_V_MOV_B32, .use = AMD_P_UNIT_TEST, .type = AMD_V1};
    expect(&amd_level, v, DIVERGENT("v1: %1 = v_mov_b32 1\n", "v1: %2 = v_mov_b32 2\n"),
           (const char *[]){"v1: %3 = p_phi %2, %1\n", "p_unit_test %1", "p_unit_test %3", NULL});
}

/* ---- random CFGs ---- */

enum { MAX_BLOCKS = 40, UNDEFINED = 0 };

typedef struct cfg {
    ir_env e;
    uint64_t random;
    variable x;
    bool dominates[MAX_BLOCKS][MAX_BLOCKS], reached[MAX_BLOCKS];
    ir_ref at_start[MAX_BLOCKS];
    ir_replacement map;
} cfg;

static uint32_t
dice(cfg *c, uint32_t n)
{
    c->random += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((base_hash64(c->random) >> 32) * n >> 32);
}

/* Edges lead forwards, so the order of blocks is topological. */
static void
make_forward_edges(cfg *c, bool all_reached)
{
    ir_fn *f = c->x.f;
    unsigned list = c->x.list;
    for (uint32_t b = 1; b < f->n_blocks; b++) {
        unsigned n = dice(c, 12) || all_reached ? 1 + dice(c, 3) : 0;
        for (; n; n--) {
            uint32_t from = dice(c, 3) ? b - 1 - dice(c, b < 4 ? b : 4) : dice(c, b);
            if (ir_pred_index(f->blocks[b], f->blocks[from], list) == UINT32_MAX)
                ir_add_edge(f->blocks[from], f->blocks[b], list);
        }
    }
}

static void
find_dominators(cfg *c)
{
    const ir_fn *f = c->x.f;
    memset(c->dominates, 0, sizeof c->dominates);
    for (uint32_t b = 0; b < f->n_blocks; b++) {
        const ir_edges *preds = &f->blocks[b]->preds[c->x.list];
        c->reached[b] = b == 0;
        for (uint32_t d = 0; d < f->n_blocks; d++) {
            bool all = true;
            for (uint32_t p = 0; p < preds->count; p++) {
                uint32_t from = preds->at[p]->index;
                c->reached[b] |= c->reached[from];
                all &= !c->reached[from] || c->dominates[d][from];
            }
            c->dominates[d][b] = d == b || (all && preds->count && c->reached[b]);
        }
    }
}

static void
make_back_edges(cfg *c)
{
    ir_fn *f = c->x.f;
    for (uint32_t k = 0; k < f->n_blocks / 4; k++) {
        uint32_t from = 1 + dice(c, (uint32_t)f->n_blocks - 1), to = 1 + dice(c, from);
        if (c->reached[from] && c->dominates[to][from] &&
            ir_pred_index(f->blocks[to], f->blocks[from], c->x.list) == UINT32_MAX)
            ir_add_edge(f->blocks[from], f->blocks[to], c->x.list);
    }
}

static void
make_cfg(cfg *c, uint64_t seed, bool all_reached)
{
    *c = (cfg){.random = seed};
    env_open(&c->e);
    if (!DIAG_TRY(&c->e.d))
        fail_msg("%s", c->e.d.message);
    bool linear = dice(c, 2);
    c->x = (variable){.list = linear, .type = linear ? AMD_S1 : AMD_V1, .define = AMD_P_UNIT_TEST};
    ir_fn *f = c->x.f = ir_fn_new(&c->e.ctx, &amd_level, "m");
    c->map.f = f;
    for (uint32_t b = 0, n = 2 + dice(c, MAX_BLOCKS - 2); b < n; b++) {
        ir_block *block = ir_block_new(f);
        ir_append_block(f, block);
        if (dice(c, 3) && (b || !all_reached))
            continue;
        ir_instr *i = amd_new(f, c->x.define, 1, 0);
        ir_define(f, i, 0, c->x.type);
        ir_append(block, i);
    }
    make_forward_edges(c, all_reached);
    find_dominators(c);
    make_back_edges(c);
}

/* The value of a reference on the current path; `phis` are the current values of phis. */
static uint32_t
value_of(const cfg *c, ir_ref r, const uint32_t *phis)
{
    r = ir_replace_follow(&c->map, r);
    if (!ir_is_value(r))
        return UNDEFINED;
    return ir_has_flag(c->x.f->values[r.id].def, IR_OP_PHI) ? phis[r.id] : r.id;
}

/* Enters `b` from its predecessor number `p`: its phis read in parallel. */
static void
pass_edge(const cfg *c, const ir_block *b, uint32_t p, uint32_t *phis)
{
    uint32_t now[MAX_BLOCKS], n = 0;
    for (const ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next)
        now[n++] = value_of(c, i->refs[p], phis);
    n = 0;
    for (const ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next)
        phis[i->defs[0].id] = now[n++];
}

static void
walk(cfg *c, uint64_t seed)
{
    uint32_t *phis = ARENA_ARRAY(&c->e.a, c->x.f->n_values, uint32_t), defined = UNDEFINED;
    const ir_block *b = c->x.f->blocks[0];
    for (unsigned steps = 0; steps < 200; steps++) {
        if (value_of(c, c->at_start[b->index], phis) != defined)
            fail_msg("seed %u: block %u is entered with %u, not %u", (unsigned)seed, b->index,
                     value_of(c, c->at_start[b->index], phis), defined);
        if (last_def(&c->x, b).kind != IR_REF_NONE)
            defined = last_def(&c->x, b).id;
        const ir_edges *succs = &b->succs[c->x.list];
        if (!succs->count)
            return;
        const ir_block *to = succs->at[dice(c, succs->count)];
        pass_edge(c, to, ir_pred_index(to, b, c->x.list), phis);
        b = to;
    }
}

/* Does the definition in `x` meet another one in `b`? */
static bool
meets_in(const cfg *c, uint32_t x, const ir_block *b)
{
    const ir_edges *preds = &b->preds[c->x.list];
    bool any = false;
    for (uint32_t p = 0; p < preds->count; p++)
        any |= c->dominates[x][preds->at[p]->index];
    return any && (x == b->index || !c->dominates[x][b->index]);
}

/* The size of the iterated dominance frontier of the definitions, by its definition. */
static unsigned
count_meets(const cfg *c)
{
    bool meets[MAX_BLOCKS] = {0}, changed = true;
    unsigned n = 0;
    while (changed) {
        changed = false;
        IR_FOREACH_BLOCK(x, c->x.f) {
            if (!meets[x->index] && last_def(&c->x, x).kind == IR_REF_NONE)
                continue;
            IR_FOREACH_BLOCK(b, c->x.f) {
                bool now = !meets[b->index] && meets_in(c, x->index, b);
                meets[b->index] |= now;
                changed |= now;
                n += now;
            }
        }
    }
    return n;
}

static unsigned
count_phis(const cfg *c)
{
    unsigned n = 0;
    IR_FOREACH_BLOCK(b, c->x.f) {
        for (const ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next)
            n++;
    }
    return n;
}

enum { CFGS = 3000 };

static void
test_variables_on_random_cfgs(void **state)
{
    (void)state;
    unsigned n_phis = 0, n_unreached = 0;
    for (uint64_t seed = 1; seed <= CFGS; seed++) {
        cfg c;
        make_cfg(&c, seed, seed % 2);
        place(&c.x);
        IR_FOREACH_BLOCK(b, c.x.f) {
            c.at_start[b->index] = ir_ssa_at_start(&c.x.v, b);
            n_unreached += !c.reached[b->index];
        }
        for (unsigned k = 0; k < 4; k++)
            walk(&c, seed);
        if (seed % 2 && count_phis(&c) != count_meets(&c))
            fail_msg("seed %u: %u phis, not %u", (unsigned)seed, count_phis(&c), count_meets(&c));
        n_phis += count_phis(&c);
        env_close(&c.e);
    }
    assert_true(n_phis > CFGS && n_unreached > CFGS / 2);
}

/* Inserts a phi in every block with predecessors, so that most are not needed. */
static size_t
make_all_phis(cfg *c, ir_instr **phis)
{
    ir_ref out[MAX_BLOCKS];
    size_t n = 0;
    IR_FOREACH_BLOCK(b, c->x.f) {
        c->at_start[b->index] = ir_none();
        if (b->preds[c->x.list].count) {
            phis[n] = ir_new_phi(c->x.f, b, c->x.list, c->x.type);
            c->at_start[b->index] = phis[n]->defs[0];
            ir_prepend(b, phis[n++]);
        }
        ir_ref def = last_def(&c->x, b);
        out[b->index] = def.kind == IR_REF_NONE ? c->at_start[b->index] : def;
    }
    for (size_t k = 0; k < n; k++) {
        for (unsigned r = 0; r < phis[k]->n_refs; r++)
            phis[k]->refs[r] = out[phis[k]->block->preds[c->x.list].at[r]->index];
    }
    return n;
}

/* Unneeded phis are removed, independent of the order in which they are listed. */
static void
test_trivial_phis_on_random_cfgs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= CFGS; seed++) {
        cfg c;
        ir_instr *phis[MAX_BLOCKS];
        make_cfg(&c, seed, true);
        size_t n = make_all_phis(&c, phis);
        for (size_t k = n; k > 1; k--) {
            size_t other = dice(&c, (uint32_t)k);
            ir_instr *phi = phis[k - 1];
            phis[k - 1] = phis[other];
            phis[other] = phi;
        }
        ir_replace_trivial_phis(&c.map, phis, n, NULL, NULL);
        if (count_phis(&c) != count_meets(&c))
            fail_msg("seed %u: %u phis, not %u", (unsigned)seed, count_phis(&c), count_meets(&c));
        assert_false(ir_replace_trivial_phis(&c.map, phis, n, NULL, NULL));
        ir_replace_all(&c.map);
        for (unsigned k = 0; k < 4; k++)
            walk(&c, seed);
        env_close(&c.e);
    }
}

static ir_ref
keep_odd(void *user, const ir_instr *phi, ir_ref only)
{
    (void)user;
    return phi->block->index % 2 ? ir_none() : only;
}

/* A phi that the caller keeps is not removed, nor are phis that would be trivial without it. */
static void
test_kept_phis(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= CFGS / 10; seed++) {
        cfg c;
        ir_instr *phis[MAX_BLOCKS];
        make_cfg(&c, seed, true);
        size_t n = make_all_phis(&c, phis), odd = 0, left = 0;
        ir_replace_trivial_phis(&c.map, phis, n, keep_odd, NULL);
        ir_replace_all(&c.map);
        for (uint32_t b = 1; b < c.x.f->n_blocks; b += 2)
            odd++, left += ir_has_flag(c.x.f->blocks[b]->first, IR_OP_PHI);
        assert_int_equal(odd, left);
        walk(&c, seed);
        env_close(&c.e);
    }
}

/* A replaced operand keeps the register that its instruction requires, through a chain too. */
static void
test_required_registers(void **state)
{
    (void)state;
    cfg c;
    make_cfg(&c, 1, true);
    ir_ref r[3];
    for (unsigned k = 0; k < 3; k++)
        r[k] = ir_use(c.x.f, ir_new_value(c.x.f, c.x.type));
    ir_replace_add(&c.map, r[0].id, r[1]);
    ir_replace_add(&c.map, r[1].id, r[2]);
    ir_ref now = ir_replace_follow(&c.map, ir_fixed(r[0], AMD_VCC));
    assert_true(now.id == r[2].id && now.reg == AMD_VCC && now.flags & IR_FIXED);
    assert_int_equal(ir_replace_follow(&c.map, r[0]).reg, IR_REG_NONE);
    env_close(&c.e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_if),
        cmocka_unit_test(test_no_definition_on_a_path),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_an_unreachable_operand),
        cmocka_unit_test(test_both_lists_of_edges),
        cmocka_unit_test(test_variables_on_random_cfgs),
        cmocka_unit_test(test_trivial_phis_on_random_cfgs),
        cmocka_unit_test(test_kept_phis),
        cmocka_unit_test(test_required_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
