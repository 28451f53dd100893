/* The interpreter against itself: random functions give the same memory with one lane at a time,
 * where control flow is simple, as with many; and all kernels agree with ir_eval_alu. */
#include "base/fp.h"
#include "gen_hir.h"
#include "ir/eval.h"
#include "ir/eval_internal.h"
#include "ir/verify.h"
#include "ir_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { INVOCATIONS = 64, WORDS = INVOCATIONS * GEN_OUT_WORDS };

typedef struct memory {
    uint32_t out[WORDS], in[GEN_IN_WORDS];
} memory;

static uint32_t
resource(void *user, uint32_t set, uint32_t binding, uint32_t index, ir_desc_type type)
{
    (void)user, (void)set, (void)index, (void)type;
    return binding;
}

static ir_eval_buffer
buffer(void *user, uint32_t handle)
{
    memory *m = user;
    return handle ? (ir_eval_buffer){(uint8_t *)m->in, sizeof m->in}
                  : (ir_eval_buffer){(uint8_t *)m->out, sizeof m->out};
}

static void
run(ir_env *e, const ir_fn *f, unsigned wave, memory *m)
{
    const ir_eval_env env = {.user = m, .resource = resource, .buffer = buffer};
    const uint32_t groups[3] = {1, 1, 1};
    ir_eval_result result;
    *m = (memory){{0}};
    for (unsigned k = 0; k < GEN_IN_WORDS; k++)
        m->in[k] = (uint32_t)base_hash64(k) >> k % 32;
    if (ir_eval_run(ir_eval_new(f, wave, &e->a), &env, groups, &result) != IR_EVAL_OK)
        fail_msg("%s\n%s", result.message, env_print(e, f, 0));
}

/* Returns the number of loops in the function. */
static unsigned
check_seed(unsigned seed)
{
    static const unsigned waves[] = {2, 7, 32, 64};
    ir_env e;
    memory one, many;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("seed %u: %s", seed, e.d.message);
    ir_fn *f = gen_function(&e.ctx, seed, 20 + seed / 4, INVOCATIONS);
    ir_verify(f, "generator");
    run(&e, f, 1, &one);
    for (unsigned k = 0; k < 4; k++) {
        run(&e, f, waves[k], &many);
        for (unsigned w = 0; w < WORDS; w++) {
            if (one.out[w] != many.out[w])
                fail_msg("seed %u, wave size %u, word %u: 0x%x, want 0x%x\n%s", seed, waves[k], w,
                         many.out[w], one.out[w], env_print(&e, f, 0));
        }
    }
    unsigned loops = 0;
    for (size_t b = 0; b < f->n_blocks; b++)
        loops += f->blocks[b]->cont != NULL;
    env_close(&e);
    return loops;
}

static void
test_wave_size_does_not_matter(void **state)
{
    (void)state;
    unsigned loops = 0;
    for (unsigned seed = 0; seed < 400; seed++)
        loops += check_seed(seed);
    assert_true(loops > 400); /* the generator must make enough loops for the test */
}

/* ---- kernels ---- */

static uint64_t
interesting(uint64_t *seed, unsigned bits)
{
    static const uint64_t corners[] = {
        0,          1,          2,          31,         0x7fffffff,
        0x80000000, 0xffffffff, 0x3f800000, 0xbf000000, 0x7f800000,
        0x7fc00001, 0x00000001, 0x4b000001, UINT64_MAX, UINT64_C(1) << 63,
        0x3ff};
    uint64_t r = base_hash64(++*seed);
    uint64_t v = r & 1 ? base_hash64(++*seed) : corners[r >> 8 & 15] << (r & 2 ? bits / 2 : 0);
    return v & base_mask64(bits);
}

static void
check_kernel(ir_op op, unsigned bits, unsigned dbits, uint64_t *seed)
{
    const ir_alu_info *row = &ir_alu_table[op];
    ir_fn f = {.level = &ir_hir_level};
    ir_block b = {.fn = &f};
    ir_instr ir = {.block = &b, .op = (uint16_t)op};
    ev_instr i = {.ir = &ir, .op = (uint16_t)op, .bits = (uint8_t)bits, .dbits = (uint8_t)dbits};
    union {
        uint32_t narrow[64];
        uint64_t wide[64];
    } s[3], d;
    uint64_t src[64][3];
    for (unsigned k = 0; k < 3; k++) {
        unsigned fixed = k < row->n ? ir_kind_bits((ir_kind)row->src[k]) : 32;
        i.src_bits[k] = (uint8_t)(fixed ? fixed : bits);
        for (unsigned l = 0; l < 64; l++) {
            src[l][k] = interesting(seed, i.src_bits[k]);
            if (i.src_bits[k] == 64)
                s[k].wide[l] = src[l][k];
            else
                s[k].narrow[l] = (uint32_t)src[l][k];
        }
    }
    ev_find_kernel(op, bits, dbits, f.shader.fp)(&i, &d, &s[0], &s[1], &s[2], 64);
    bool is_float = ir_kind_base((ir_kind)row->dst) == IR_KIND_F;
    for (unsigned l = 0; l < 64; l++) {
        uint64_t got = dbits == 64 ? d.wide[l] : d.narrow[l];
        uint64_t want = ir_eval_alu(op, bits, dbits, src[l], f.shader.fp);
        bool nan = is_float && base_fp_is_nan(got, dbits) && base_fp_is_nan(want, dbits);
        if (got != want && !nan)
            fail_msg("%s, %u to %u bits, 0x%llx 0x%llx 0x%llx: 0x%llx, want 0x%llx",
                     ir_hir_level.ops[op].name, bits, dbits, (unsigned long long)src[l][0],
                     (unsigned long long)src[l][1], (unsigned long long)src[l][2],
                     (unsigned long long)got, (unsigned long long)want);
    }
}

static void
test_kernels_agree_with_the_table(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (unsigned op = 0; op < IR_HIR_OP_COUNT; op++) {
        const ir_alu_info *row = &ir_alu_table[op];
        for (unsigned bits = 1; row->n && bits <= 64; bits *= 2) {
            unsigned sizes[3] = {bits, bits, bits};
            for (unsigned k = 0; k < row->n; k++)
                sizes[k] = ir_kind_bits((ir_kind)row->src[k]) ? ir_kind_bits((ir_kind)row->src[k])
                                                              : bits;
            bool floats = ir_alu_is_float_src((ir_op)op, 0) || ir_alu_is_float_src((ir_op)op, 1);
            floats |= ir_kind_base((ir_kind)row->dst) == IR_KIND_F && !ir_kind_bits(row->dst);
            unsigned size = ir_alu_bits((ir_op)op, sizes), least = floats ? 16 : 8;
            if (bits == 2 || bits == 4 || (bits < least && op != IR_inot && op != IR_bcsel))
                continue;
            for (unsigned d = least; d <= 64; d *= 2) {
                for (unsigned round = 0; round < 8; round++)
                    check_kernel((ir_op)op, size, ir_alu_def_bits((ir_op)op, size, d), &seed);
            }
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wave_size_does_not_matter),
        cmocka_unit_test(test_kernels_agree_with_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
