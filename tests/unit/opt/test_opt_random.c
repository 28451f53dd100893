/* Random programs: passes keep their results (checked by the interpreter), printing and parsing is
 * an identity, and values that the divergence analysis calls uniform are uniform. The seeds are
 * fixed; HEDDLE_SEEDS=first,count runs others. */
#include "../ir/hir_gen.h"
#include "../ir/ir_env.h"
#include "ir/analysis.h"
#include "ir/builder.h"
#include "ir/eval.h"
#include "ir/verify.h"
#include "opt/opt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct buffers {
    uint8_t in[HIR_GEN_IN];
    uint8_t out[HIR_GEN_OUT];
    uint32_t flag[4];
} buffers;

static uint32_t
resource(void *user, uint32_t set, uint32_t binding, uint32_t index, ir_desc_type type)
{
    (void)user, (void)set, (void)index, (void)type;
    return binding;
}

static ir_eval_buffer
buffer(void *user, uint32_t handle)
{
    buffers *b = user;
    if (handle == 0)
        return (ir_eval_buffer){b->in, sizeof b->in};
    if (handle == 1)
        return (ir_eval_buffer){b->out, sizeof b->out};
    return (ir_eval_buffer){(uint8_t *)b->flag, sizeof b->flag};
}

static buffers *
run(ir_env *e, const ir_fn *f)
{
    const uint32_t groups[3] = {1, 2, 1};
    buffers *b = ARENA_NEW(&e->a, buffers);
    ir_eval_env env = {
        .user = b, .resource = resource, .buffer = buffer, .instruction_limit = 1 << 22};
    ir_eval_result result;
    for (uint32_t i = 0; i < sizeof b->in; i++)
        b->in[i] = (uint8_t)base_hash64(i / 4 % 7 == 0 ? i & 3 : i);
    if (ir_eval_run(ir_eval_new(f, 32, &e->a), &env, groups, &result) != IR_EVAL_OK) {
        fprintf(stderr, "%s\n", result.message);
        return NULL;
    }
    return b;
}

static bool
same_word(uint32_t a, uint32_t b)
{
    return a == b || ((a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000);
}

static bool
same(const buffers *a, const buffers *b)
{
    for (uint32_t i = 0; i < sizeof a->out; i += 4) {
        uint32_t x, y;
        memcpy(&x, a->out + i, 4);
        memcpy(&y, b->out + i, 4);
        if (!same_word(x, y)) {
            fprintf(stderr, "site %u lane %u: 0x%x, not 0x%x\n", i / 4 % HIR_GEN_SITES,
                    i / 4 / HIR_GEN_SITES, y, x);
            return false;
        }
    }
    return true;
}

/* ---- uniform values ---- */

static bool
check_pass(ir_env *e, const char *text, const buffers *want, const ir_step *pipeline)
{
    ir_fn *f = env_parse(e, &ir_hir_level, text);
    ir_pass_run how = {.verify = true};
    ir_run_passes(f, pipeline, &how);
    const buffers *have = run(e, f);
    if (have && same(want, have))
        return true;
    fprintf(stderr, "after %s:\n%s", pipeline->pass->name, env_print(e, f, 0));
    return false;
}

/* After each 32-bit value that the analysis calls uniform: flag |= not all lanes agree. */
static void
insert_checks(ir_fn *f)
{
    ir_builder b;
    ir_builder_init(&b, f);
    ir_instr *first = f->blocks[0]->first;
    while (first->op == IR_load_const)
        first = first->next;
    ir_builder_before(&b, first);
    ir_ref zero = ir_build_imm(&b, 32, 0);
    ir_ref flag = ir_build_intr(&b, IR_vulkan_resource_index, IR_I32, &zero, 1);
    ir_attr_set(ir_built(&b), IR_A_BINDING, 2);
    size_t n_values = f->n_values;
    IR_FOREACH_BLOCK(block, f) {
        IR_FOREACH_INSTR(i, block) {
            if (!i->n_defs || i->defs[0].id >= n_values || i->op == IR_load_const ||
                i == f->values[flag.id].def)
                continue;
            uint32_t id = i->defs[0].id;
            if (f->values[id].divergent || f->values[id].type != IR_I32)
                continue;
            ir_instr *at = i->op == IR_phi ? ir_first_non_phi(block) : i->next;
            if (block == f->blocks[0] && at->op == IR_load_const)
                continue;
            ir_builder_before(&b, at);
            ir_ref same = ir_build_intr(&b, IR_vote_ieq, IR_BOOL, &i->defs[0], 1);
            ir_ref bad = ir_build_alu(&b, IR_b2i, IR_I32, irb_inot(&b, same), ir_none(), ir_none());
            ir_ref refs[] = {flag, zero, bad};
            ir_build_intr(&b, IR_ssbo_atomic, IR_I32, refs, 3);
            ir_attr_set(ir_built(&b), IR_A_ATOMIC_OP, IR_ATOMIC_ior);
        }
    }
}

static bool
check_divergence(ir_env *e, const char *text, bool lcssa)
{
    ir_fn *f = env_parse(e, &ir_hir_level, text);
    if (lcssa)
        ir_convert_to_lcssa(f);
    ir_compute_loops(f);
    ir_compute_divergence(f);
    insert_checks(f);
    ir_verify(f, "insert_checks");
    const buffers *b = run(e, f);
    if (b && !b->flag[0])
        return true;
    fprintf(stderr, "a value called uniform differs:\n%s", env_print(e, f, IR_PRINT_DIVERGENCE));
    return false;
}

static const ir_step *const pipelines[] = {
#define OPT(name, needs, keeps, flags, what)                                                       \
    (const ir_step[]){OPT_STEP(name), OPT_STEP(dce), {NULL}},
#include "opt/passes.def"
#undef OPT
    opt_pipeline,
};

static bool
check_seed(uint64_t seed)
{
    ir_env e;
    env_open(&e);
    volatile bool ok = true;
    const char *volatile text = "";
    if (DIAG_TRY(&e.d)) {
        ir_fn *f = hir_gen(&e.ctx, seed, 40 + 60 * (seed % 4), seed / 4 % 4);
        ir_verify(f, "hir_gen");
        text = env_print(&e, f, 0);
        ok = strcmp(text, env_print(&e, env_parse(&e, &ir_hir_level, text), 0)) == 0;
        const buffers *want = run(&e, f);
        for (size_t p = 0; ok && p < sizeof pipelines / sizeof *pipelines; p++)
            ok = want && check_pass(&e, text, want, pipelines[p]);
        ok = ok && check_divergence(&e, text, false) && check_divergence(&e, text, true);
    } else {
        fprintf(stderr, "%s\n", e.d.message);
        ok = false;
    }
    if (!ok)
        fprintf(stderr, "the program:\n%s", text);
    env_close(&e);
    return ok;
}

static void
test_random_programs(void **state)
{
    (void)state;
    unsigned long long first = 1, count = 150;
    const char *seeds = getenv("HEDDLE_SEEDS");
    if (seeds)
        sscanf(seeds, "%llu,%llu", &first, &count);
    for (unsigned long long s = first; s < first + count; s++) {
        if (getenv("HEDDLE_VERBOSE"))
            fprintf(stderr, "seed %llu\n", s);
        if (!check_seed(s))
            fail_msg("seed %llu", s);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
