/* Doubles by integers: each operation is expanded on constants, so that folding computes it, and
 * compared with the executable meaning of its row, on corner values, on random bits, and on numbers
 * of nearby exponents, whose sums cancel. */
#include "../ir/ir_env.h"
#include "base/fp.h"
#include "ir/builder.h"
#include "ir/eval_alu.h"
#include "opt/expand.h"
#include "opt/lower.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { ROUNDS = 40, TRIALS = 100, FRACTION = 52 };

typedef struct operation {
    ir_op op;
    unsigned n, from, to; /* sources; sizes in bits */
} operation;

static uint64_t
random_bits(uint64_t *seed)
{
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    return base_hash64(*seed);
}

static uint64_t
random_double(uint64_t *seed)
{
    static const uint64_t corners[] = {0,
                                       1,
                                       2,
                                       0xfffffffffffff,
                                       0x10000000000000,
                                       0x10000000000001, /* denormals, the least */
                                       0x3ff0000000000000,
                                       0x3ff0000000000001,
                                       0x3fefffffffffffff,
                                       0x3fe0000000000000,
                                       0x7fefffffffffffff,
                                       0x7ff0000000000000,
                                       0x7ff8000000000000,
                                       0x7ff0000000000001,
                                       0x4330000000000000,
                                       0x4340000000000001,
                                       0x3690000000000000,
                                       0x3690000000000001,
                                       0x36a0000000000000,
                                       0x380fffffffffffff,
                                       0x3810000000000000,
                                       0x47efffffe0000000,
                                       0x47effffff0000000,
                                       0x3e60000000000000,
                                       0x3e70000000000000,
                                       0x3f0ffc0000000000,
                                       0x40effc0000000000,
                                       0x40effe0000000000,
                                       0x3cb0000000000000,
                                       0x3ca0000000000000};
    const uint64_t r = random_bits(seed), kind = r % 8, sign = r >> 8 & 1;
    const uint64_t digits = random_bits(seed) & base_mask64(FRACTION), few = r >> 16 & 63;
    uint64_t v;
    switch (kind) {
    case 0:
    case 1: v = corners[(r >> 32) % (sizeof corners / sizeof *corners)]; break;
    case 2: v = random_bits(seed) >> 1; break;
    case 3: v = digits >> few % FRACTION; break;
    case 4:
        v = (1023 + (r >> 24 & 3)) << FRACTION | (digits >> few % FRACTION << few % FRACTION);
        break;
    default: v = (1000 + (r >> 24 & 31)) << FRACTION | digits; break;
    }
    return v | sign << 63;
}

static uint64_t
random_value(uint64_t *seed, unsigned bits)
{
    static const uint32_t corners[] = {0,          1,          0x7fffff,  0x800000,
                                       0x3f800000, 0x7f800000, 0x7fc00000};
    const uint64_t r = random_bits(seed);
    if (bits == 64)
        return random_double(seed);
    const uint64_t v = bits == 32 && !(r & 3) ? corners[(r >> 8) % 7] : random_bits(seed);
    return v & base_mask64(bits);
}

static bool
is_same(uint64_t x, uint64_t y, unsigned bits)
{
    if (bits == 1 || x == y)
        return x == y;
    const double a = base_fp_decode(x, bits), b = base_fp_decode(y, bits);
    return a != a && b != b;
}

/* What the expansion of the operation on constants folds to. */
static uint64_t
expanded(ir_fn *f, const operation *o, const uint64_t src[3])
{
    ir_builder b;
    ir_instr *i = ir_new_instr(f, o->op, 1, o->n);
    uint64_t value = 0;
    ir_builder_init(&b, f);
    ir_builder_before(&b, ir_terminator(f->blocks[0]));
    for (unsigned s = 0; s < o->n; s++)
        i->refs[s] = ir_build_imm(&b, o->from, src[s]);
    ir_define(f, i, 0, o->to == 1 ? IR_BOOL : IR_TYPE(o->to, 1));
    const ir_ref r = opt_expand_soft_double(&b, i);
    assert_true(ir_is_value(r));
    assert_true(ir_is_const(f, r, &value));
    return value;
}

static void
try_once(ir_fn *f, const operation *o, bool cancels, uint64_t *seed)
{
    uint64_t src[3] = {0};
    for (unsigned s = 0; s < o->n; s++)
        src[s] = random_value(seed, o->from);
    if (o->n > 1 && cancels)
        src[1] = src[0] ^ UINT64_C(1) << 63;
    const uint64_t want = ir_eval_alu(o->op, o->from, o->to, src, f->shader.fp);
    const uint64_t got = expanded(f, o, src);
    if (!is_same(want, got, o->to))
        fail_msg("%s (%llx, %llx, %llx): %llx, expected %llx", ir_hir_level.ops[o->op].name,
                 (unsigned long long)src[0], (unsigned long long)src[1], (unsigned long long)src[2],
                 (unsigned long long)got, (unsigned long long)want);
}

/* Some trials in an environment of their own: folded constants stay in the function. */
static void
check_some(const operation *o, uint64_t *seed)
{
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%s", e.d.message);
    ir_fn *f = env_parse(&e, &ir_hir_level, "impl \"m\" {\nblock b0:\nreturn\n}\n");
    for (unsigned t = 0; t < TRIALS; t++)
        try_once(f, o, t % 4 == 0, seed);
    env_close(&e);
}

static void
check(const operation *o)
{
    uint64_t seed = o->op * 64 + o->from;
    for (unsigned round = 0; round < ROUNDS; round++)
        check_some(o, &seed);
}

static void
test_arithmetic(void **state)
{
    (void)state;
    check(&(operation){IR_fadd, 2, 64, 64});
    check(&(operation){IR_fmul, 2, 64, 64});
    check(&(operation){IR_ffma, 3, 64, 64});
}

static void
test_comparisons(void **state)
{
    static const ir_op ops[] = {IR_feq, IR_fneu, IR_fequ, IR_fneo, IR_flt, IR_fge};
    (void)state;
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        check(&(operation){ops[k], 2, 64, 1});
}

static void
test_conversions(void **state)
{
    (void)state;
    check(&(operation){IR_f2f, 1, 64, 32});
    check(&(operation){IR_f2f, 1, 64, 16});
    check(&(operation){IR_f2f, 1, 32, 64});
    check(&(operation){IR_f2f, 1, 16, 64});
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
