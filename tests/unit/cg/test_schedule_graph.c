/* The scheduling graph: the edges of small texts, and random orders of random programs, which must
 * compute the same and have the demand that liveness finds. */
#include "machine_env.h"

#include "cg/schedule_graph.h"
#include "ir/text.h"
#include "ir/verify.h"

#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The size of a program's graphs. */
typedef struct sizes {
    uint64_t edges, operands;
} sizes;

/* ---- edges ---- */

static unsigned
latency(const void *user, const ir_instr *from, const ir_instr *to, cg_dep_kind kind, unsigned ref)
{
    (void)user, (void)to, (void)ref;
    bool load = ir_has_flag(from, IR_OP_READS);
    return kind == CG_DEP_VALUE ? (load ? 20 : 2) : kind == CG_DEP_WRITE;
}

/* The edges of the first block, without those of fences: "from>to kind". */
static const char *
edges_of(env *e, const char *block, bool allocated, cg_graph **graph)
{
    base_buf text = buf_make(&e->a), out = buf_make(&e->a);
    buf_printf(&text,
               "shader: compute\nworkgroup_size: 64, 1, 1\n%simpl \"main\" {\nBB0\n"
               "/* logical preds: / linear preds: / kind: top-level, logical */\n%s"
               "/* logical succs: / linear succs: */\n}\n",
               allocated ? "allocated: true\n" : "", block);
    ir_fn *f = ir_parse(&e->ctx, &amd_level, buf_text(&text), strlen(buf_text(&text)));
    cg_graph *g = cg_graph_new(f, latency, NULL, &e->a);
    cg_graph_build(g, f->blocks[0]->first, NULL);
    static const char kinds[] = {'v', 'r', 'w', 'm', 'o'};
    for (uint32_t k = 0; k < g->n_nodes; k++) {
        for (uint32_t p = g->nodes[k].preds; p < g->nodes[k + 1].preds; p++) {
            if (g->preds[p].kind != CG_DEP_ORDER)
                buf_printf(&out, "%u>%u%c%u ", g->preds[p].node, k, kinds[g->preds[p].kind],
                           g->preds[p].latency);
        }
    }
    *graph = g;
    return buf_text(&out);
}

static void
check_edges(const char *block, bool allocated, const char *want)
{
    env e = {0};
    cg_graph *g;
    open_env(&e);
    if (DIAG_TRY(&e.d))
        assert_string_equal(edges_of(&e, block, allocated, &g), want);
    else
        fail_msg("%s", e.d.message);
    close_env(&e);
}

static void
test_edges(void **state)
{
    static const struct {
        const char *block, *edges;
        bool allocated;
    } cases[] = {
        /* Values; scc is read before it is written again, and its writes keep their order. */
        {"s1: %1:s[2], s1: %2:s[3] = p_startpgm\n"
         "s1: %3:scc = s_cmp_lt_u32 %1, %2\n"
         "s1: %4 = s_cselect_b32 %1, %2, %3:scc\n"
         "s1: %5, s1: %6:scc = s_add_u32 %1, %4\n",
         "0>1v2 0>2v2 1>2v2 0>3v2 2>3v2 1>3w1 ", false},
        /* A fixed value is in its register until its last use, fixed there or not. */
        {"s1: %1:s[2] = p_startpgm\n"
         "s1: %2:m0 = p_parallelcopy %1\n"
         "s1: %3 = s_mul_i32 %2, %2\n"
         "s1: %4:m0 = p_parallelcopy 5\n",
         "0>1v2 1>2v2 1>3w1 2>3r0 ", false},
        /* Memory: a load depends on earlier stores to its class; a load of another class, or one
         * that may be reordered, does not; a barrier depends on everything before it. */
        {"v2: %1:v[0-1], v1: %2:v[2], s2: %3:s[2-3] = p_startpgm\n"
         "global_store_dword %1, %2, _ storage:buffer\n"
         "v1: %4 = global_load_dword %1, _ storage:buffer\n"
         "v1: %5 = ds_read_b32 %2 storage:shared\n"
         "s1: %6 = s_load_dword %3, 0 storage:reorder\n"
         "global_store_dword %1, %5, _ storage:buffer\n"
         "s_barrier\n",
         "0>1v2 0>2v2 1>2m0 0>3v2 0>4v2 0>5v2 3>5v20 1>5m0 2>5m0 5>6m0 3>6m0 ", false},
        /* Vector instructions stay before or after a change of exec. */
        {"v1: %1:v[0], s2: %2:s[2-3] = p_startpgm\n"
         "v1: %3 = v_add_f32 %1, %1\n"
         "s2: %4:exec = s_mov_b64 %2\n"
         "v1: %5 = v_mul_f32 %1, %1\n"
         "s1: %6 = s_mul_i32 5, 6\n",
         "0>1v2 0>2v2 1>2m0 0>3v2 2>3m0 ", false},
        /* Registers. */
        {"v2: %5:v[4-5] = p_startpgm\n"
         "v1: %1:v[0] = v_mov_b32 1\n"
         "v1: %2:v[1] = v_add_f32 %1:v[0], %1:v[0]\n"
         "v1: %3:v[0] = v_mov_b32 2\n"
         "v2: %4:v[1-2] = v_lshlrev_b64 %3:v[0], %5:v[4-5]\n",
         "1>2v2 1>3w1 2>3r0 3>4v2 0>4v2 2>4w1 ", true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_edges(cases[k].block, cases[k].allocated, cases[k].edges);
}

static void
test_fences(void **state)
{
    env e = {0};
    cg_graph *g;
    (void)state;
    open_env(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%s", e.d.message);
    edges_of(&e,
             "s1: %1:s[2] = p_startpgm\n"
             "p_logical_start\n"
             "s1: %2 = s_mul_i32 %1, 3\n"
             "s1: %3 = s_mul_i32 %2, 3\n"
             "s1: %4 = s_load_dwordx2 %1, 0 storage:reorder\n"
             "p_logical_end\n"
             "s_endpgm\n",
             false, &g);
    cg_graph_start(g, CG_FORWARDS);
    for (uint32_t k = 0; k < 2; k++) {
        assert_int_equal(g->n_ready, 1);
        cg_graph_place(g, k, k);
    }
    assert_int_equal(g->n_ready, 2);
    assert_int_equal(g->ready[0], 2);
    assert_int_equal(g->nodes[2].height, 2);
    assert_int_equal(g->nodes[2].cycle, 2);
    cg_graph_place(g, 4, 2);
    cg_graph_place(g, 2, 3);
    assert_int_equal(g->nodes[3].cycle, 5);
    cg_graph_place(g, 3, 5);
    assert_int_equal(g->n_ready, 1);
    assert_int_equal(g->ready[0], 5);
    close_env(&e);
}

/* ---- random orders ---- */

static void
check_heap(const cg_graph *g)
{
    for (uint32_t k = 0; k < g->n_ready; k++) {
        const cg_node *n = &g->nodes[g->ready[k]], *best = &g->nodes[g->ready[0]];
        assert_int_equal(n->heap, k);
        assert_int_equal(n->waits, 0);
        if (g->direction == CG_FORWARDS)
            assert_true(n->height <= best->height);
        else
            assert_true(n->depth <= best->depth);
    }
}

static void
check_cycles(const cg_graph *g, const uint32_t *cycles)
{
    bool back = g->direction == CG_BACKWARDS;
    for (uint32_t k = 0; k < g->n_nodes; k++) {
        for (uint32_t p = g->nodes[k].preds; p < g->nodes[k + 1].preds; p++) {
            uint32_t from = g->preds[p].node;
            uint32_t first = cycles[back ? k : from], then = cycles[back ? from : k];
            assert_true(then >= first + g->preds[p].latency);
        }
    }
}

static void
reorder(env *e, cg_graph *g, ir_instr *first, ir_instr *end)
{
    cg_graph_build(g, first, end);
    cg_direction d = env_random(e, 2) ? CG_FORWARDS : CG_BACKWARDS;
    bool best = !env_random(e, 4);
    uint32_t *cycles = ARENA_ARRAY(&e->a, g->n_nodes, uint32_t), now = 0;
    cg_demand before = {0};
    cg_graph_start(g, d);
    ((sizes *)e->user)->edges += g->nodes[g->n_nodes].preds;
    for (uint32_t k = 0; k < g->n_nodes; k++) {
        assert_true(g->n_ready > 0);
        check_heap(g);
        uint32_t node = g->ready[best ? 0 : env_random(e, g->n_ready)];
        cg_placing p = cg_graph_try(g, node);
        now = g->nodes[node].cycle > now ? g->nodes[node].cycle : now;
        cycles[node] = now;
        before = g->demand;
        cg_graph_place(g, node, now);
        for (unsigned b = 0; b < AMD_BANK_COUNT; b++)
            assert_int_equal(g->demand.units[b], before.units[b] + p.change.units[b]);
        ((sizes *)e->user)->operands += g->nodes[node].instr->n_refs +
                                        g->nodes[node].instr->n_defs + 1u;
    }
    assert_int_equal(g->n_ready, 0);
    check_cycles(g, cycles);
    cg_graph_apply(g);
}

/* The demand that liveness finds, for comparison. */
typedef struct facts {
    cg_demand *instrs;
    uint8_t *flags;
    size_t n_flags;
} facts;

static facts
note_facts(env *e, const ir_fn *f)
{
    facts s = {0};
    size_t n = 0, cap = 0, cap_flags = 0;
    const unsigned mask = IR_KILL | IR_FIRST_KILL | IR_LATE_KILL;
    IR_FOREACH_BLOCK(b, f) {
        s.instrs = arena_grow(&e->a, s.instrs, &cap, n + 1, sizeof *s.instrs);
        s.instrs[n++] = cg_of(f)->live->blocks[b->index];
        IR_FOREACH_INSTR(i, b) {
            s.instrs = arena_grow(&e->a, s.instrs, &cap, n + 1, sizeof *s.instrs);
            s.instrs[n++] = cg_of(f)->live->instrs[i->index];
            s.flags = arena_grow(&e->a, s.flags, &cap_flags, s.n_flags + i->n_refs + i->n_defs, 1);
            for (unsigned d = 0; d < i->n_defs; d++)
                s.flags[s.n_flags++] = i->defs[d].flags & mask;
            for (unsigned r = 0; r < i->n_refs; r++)
                s.flags[s.n_flags++] = i->refs[r].flags & mask;
        }
    }
    s.instrs = arena_copy(&e->a, s.instrs, n * sizeof *s.instrs);
    return s;
}

static void
check_facts(env *e, ir_fn *f, unsigned seed)
{
    facts have = note_facts(e, f);
    cg_find_live(f);
    facts want = note_facts(e, f);
    size_t n = 0;
    assert_int_equal(have.n_flags, want.n_flags);
    IR_FOREACH_BLOCK(b, f) {
        n++;
        IR_FOREACH_INSTR(i, b)
            n++;
    }
    for (size_t k = 0; k < n; k++) {
        for (unsigned bank = 0; bank < AMD_BANK_COUNT; bank++) {
            if (have.instrs[k].units[bank] != want.instrs[k].units[bank])
                fail_msg("seed %u: demand %d, not %d, at %u", seed, have.instrs[k].units[bank],
                         want.instrs[k].units[bank], (unsigned)k);
        }
    }
    if (memcmp(have.flags, want.flags, want.n_flags) != 0)
        fail_msg("seed %u: other kill flags", seed);
}

static void
reorder_block(env *e, cg_graph *g, ir_block *b)
{
    ir_instr *first = ir_first_non_phi(b), *end = NULL;
    while (first && first->next && !env_random(e, 3))
        first = first->next;
    for (ir_instr *i = first; i && !end && env_random(e, 2); i = i->next)
        end = env_random(e, 8) ? NULL : i->next;
    if (first)
        reorder(e, g, first, end);
}

static void
run_one(env *e, const gen_options *o)
{
    model_machine *want = ARENA_NEW(&e->a, model_machine), *m = ARENA_NEW(&e->a, model_machine);
    ir_fn *f = gen_program(&e->ctx, o);
    model_run(want, f, false, &e->a);
    if (!want->ended)
        return; /* runs too long */
    cg_find_live(f);
    cg_graph *g = cg_graph_new(f, latency, NULL, &e->a);
    for (unsigned round = 0; round < 2; round++) {
        IR_FOREACH_BLOCK(b, f)
            reorder_block(e, g, b);
        ir_verify(f, "scheduling");
        model_run(m, f, false, &e->a);
        check_same(m, want, o->seed, "scheduling");
        check_facts(e, f, (unsigned)o->seed);
    }
}

static void
check_one(env *e, const gen_options *o)
{
    sizes n = {0};
    e->user = &n;
    run_one(e, o);
    if (n.edges > 3 * n.operands)
        fail_msg("%u edges of %u operands", (unsigned)n.edges, (unsigned)n.operands);
}

static void
test_random(void **state)
{
    (void)state;
    run_many(200, (gen_options){.statements = 60, .depth = 3, .alive = 12, .scalar = 40}, check_one,
             NULL);
    run_many(200, (gen_options){.statements = 150, .depth = 2, .alive = 20, .scalar = 70},
             check_one, NULL);
    run_many(100, (gen_options){.statements = 400, .depth = 1, .alive = 40, .scalar = 20},
             check_one, NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_fences),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
