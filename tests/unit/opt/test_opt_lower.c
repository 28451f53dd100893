/* Lowering passes keep the meaning of a program: the interpreter runs operations before and after
 * the pass, on corner values and random bits, one per lane. After the pass no operation that it
 * lowers may be left. */
#include "../ir/ir_env.h"
#include "ir/eval.h"
#include "ir/verify.h"
#include "opt/opt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { LANES = 64, ROUNDS = 24 };

typedef struct buffers {
    uint64_t in[3][LANES];
    uint64_t out[LANES];
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
    if (handle == 3)
        return (ir_eval_buffer){(uint8_t *)b->out, sizeof b->out};
    return (ir_eval_buffer){(uint8_t *)b->in[handle], sizeof b->in[handle]};
}

static void
run(ir_env *e, const ir_fn *f, buffers *b)
{
    const uint32_t one[3] = {1, 1, 1};
    ir_eval_env env = {.user = b, .resource = resource, .buffer = buffer};
    ir_eval_result result;
    memset(b->out, 0, sizeof b->out);
    if (ir_eval_run(ir_eval_new(f, 64, &e->a), &env, one, &result) != IR_EVAL_OK)
        fail_msg("%s", result.message);
}

/* ---- the program: out[lane] = op(in[0][lane], in[1][lane], in[2][lane]) ---- */

typedef struct operation {
    const char *op;
    unsigned n, src[3], dst; /* sizes in bits */
} operation;

/* `constant` replaces source 1 if not NULL. */
static char *
program(ir_env *e, const operation *o, const uint64_t *constant)
{
    base_buf t = buf_make(&e->a);
    buf_puts(&t, "workgroup_size: 64, 1, 1\nimpl \"m\" {\nblock b0:\n"
                 "32 %90 = load_const (3)\n32 %91 = load_const (0)\n"
                 "32 %92 = @load_local_invocation_index\n32 %93 = ishl %92, %90\n");
    for (unsigned s = 0; s < 4; s++)
        buf_printf(&t,
                   "32 %%%u = @vulkan_resource_index (%%91) (desc_set=0, binding=%u, "
                   "desc_type=ssbo)\n",
                   80 + s, s);
    for (unsigned s = 0; s < o->n; s++) {
        if (s == 1 && constant)
            buf_printf(&t, "%u %%1 = load_const (0x%llx)\n", o->src[1],
                       (unsigned long long)*constant);
        else
            buf_printf(&t, "%u %%%u = @load_ssbo (%%%u, %%93) (align_mul=8)\n", o->src[s],
                       s ? s : 100, 80 + s);
    }
    buf_printf(&t, "%u %%101 = %s %%100%s%s\n", o->dst, o->op, o->n > 1 ? ", %1" : "",
               o->n > 2 ? ", %2" : "");
    buf_puts(&t, "@store_ssbo (%101, %83, %93) (wrmask=x, align_mul=8)\nreturn\n}\n");
    return buf_text(&t);
}

/* ---- inputs ---- */

static uint64_t
random_bits(uint64_t *seed)
{
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    return base_hash64(*seed);
}

/* A corner value, a small number, or random bits of a random length, perhaps negated. */
static uint64_t
random_value(uint64_t *seed, unsigned bits)
{
    static const uint64_t corners[] = {0, 1, 2, 3, 7, 10, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff};
    uint64_t r = random_bits(seed), v;
    unsigned kind = r & 7;
    r >>= 3;
    if (kind == 0)
        v = corners[r % 12];
    else if (kind == 1)
        v = (UINT64_C(1) << (r % bits)) - (r >> 8) % 3 + 1;
    else
        v = random_bits(seed) >> (r % bits);
    if (kind & 1)
        v = 0 - v;
    return v & base_mask64(bits);
}

static void
fill(buffers *b, const operation *o, uint64_t *seed)
{
    bool divides = strstr(o->op, "div") || strstr(o->op, "rem") || strstr(o->op, "mod");
    bool extracts = strstr(o->op, "extract") != NULL;
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned s = 0; s < o->n; s++)
            b->in[s][lane] = random_value(seed, o->src[s]);
        if (divides && b->in[1][lane] == 0)
            b->in[1][lane] = 1;
        if (extracts) {
            b->in[1][lane] %= o->src[0];
            b->in[2][lane] %= o->src[0] - b->in[1][lane] + 1;
        }
    }
}

/* Floats within the integer type's range, so that conversions are defined. */
static void
fill_floats(buffers *b, unsigned bits, bool is_signed, uint64_t *seed)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t r = random_bits(seed);
        double x = (double)(r >> 1) / (double)(UINT64_C(1) << (random_bits(seed) % 64));
        if (bits == 16)
            x = (double)(r % 65504);
        if (is_signed && (r & 1))
            x = -x;
        uint64_t v = bits == 64 ? base_f64_bits(x) : base_f32_bits((float)x);
        if (bits == 16)
            v = is_signed && (r & 1) ? 0xd640 : 0x5640 + r % 64; /* about 100 */
        b->in[0][lane] = v;
    }
}

/* ---- checks ---- */

static void
check_gone(const ir_fn *f, const operation *o)
{
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            bool same = i->n_defs && strcmp(ir_op_of(f, i)->name, o->op) == 0;
            if (same && f->values[i->defs[0].id].type == IR_TYPE(o->dst, 1) && i->n_refs &&
                ir_ref_type(f, i->refs[0]) == IR_TYPE(o->src[0], 1))
                fail_msg("%s of %u bits is still there", o->op, o->src[0]);
        }
    }
}

static void
check(const operation *o, const uint64_t *constant, bool floats)
{
    static const ir_step pipeline[] = {
        OPT_STEP(lower_idiv), OPT_STEP(lower_int64), OPT_STEP(dce), {NULL}};
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%s %u: %s", o->op, o->src[0], e.d.message);
    const char *text = program(&e, o, constant);
    ir_fn *before = env_parse(&e, &ir_hir_level, text), *after = env_parse(&e, &ir_hir_level, text);
    ir_pass_run how = {.verify = true};
    ir_verify(before, NULL);
    ir_run_passes(after, pipeline, &how);
    check_gone(after, o);
    buffers *b = ARENA_NEW(&e.a, buffers);
    uint64_t seed = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (floats)
            fill_floats(b, o->src[0], strcmp(o->op, "f2i") == 0, &seed);
        else
            fill(b, o, &seed);
        run(&e, before, b);
        uint64_t want[LANES];
        memcpy(want, b->out, sizeof want);
        run(&e, after, b);
        for (unsigned lane = 0; lane < LANES; lane++) {
            if (want[lane] != b->out[lane])
                fail_msg("%s %u (0x%llx, 0x%llx, 0x%llx): 0x%llx, not 0x%llx", o->op, o->src[0],
                         (unsigned long long)b->in[0][lane],
                         (unsigned long long)(constant ? *constant : b->in[1][lane]),
                         (unsigned long long)b->in[2][lane], (unsigned long long)b->out[lane],
                         (unsigned long long)want[lane]);
        }
    }
    env_close(&e);
}

static const char *const divisions[] = {"udiv", "umod", "idiv", "irem", "imod"};
static const unsigned sizes[] = {8, 16, 32, 64};

static void
test_division(void **state)
{
    (void)state;
    for (unsigned d = 0; d < 5; d++) {
        for (unsigned s = 0; s < 4; s++)
            check(&(operation){divisions[d], 2, {sizes[s], sizes[s]}, sizes[s]}, NULL, false);
    }
}

static void
test_division_by_constants(void **state)
{
    (void)state;
    static const uint64_t divisors[] = {
        1,   2,   3,    5,    6,     7,     9,     10,         11,         12,
        13,  14,  25,   28,   60,    64,    95,    100,        125,        127,
        128, 641, 1000, 3600, 32767, 65535, 65536, 0x7fffffff, 0x80000000,
    };
    for (unsigned d = 0; d < 5; d++) {
        for (unsigned s = 0; s < 4; s++) {
            for (unsigned k = 0; k < sizeof divisors / sizeof *divisors; k++) {
                uint64_t c = divisors[k] & base_mask64(sizes[s]);
                uint64_t negated = (0 - c) & base_mask64(sizes[s]);
                operation o = {divisions[d], 2, {sizes[s], sizes[s]}, sizes[s]};
                if (c)
                    check(&o, &c, false);
                if (c)
                    check(&o, &negated, false);
            }
        }
    }
}

static void
test_int64(void **state)
{
    (void)state;
    static const char *const two[] = {"imul", "imul_high", "umul_high", "imin",
                                      "imax", "umin",      "umax"};
    static const char *const one[] = {"iabs", "isign", "bitfield_reverse"};
    for (unsigned k = 0; k < sizeof two / sizeof *two; k++)
        check(&(operation){two[k], 2, {64, 64}, 64}, NULL, false);
    for (unsigned k = 0; k < sizeof one / sizeof *one; k++)
        check(&(operation){one[k], 1, {64}, 64}, NULL, false);
    check(&(operation){"ufind_msb", 1, {64}, 32}, NULL, false);
    check(&(operation){"ifind_msb", 1, {64}, 32}, NULL, false);
    check(&(operation){"bitfield_select", 3, {64, 64, 64}, 64}, NULL, false);
}

static void
test_any_size(void **state)
{
    (void)state;
    static const char *const two[] = {"uadd_carry", "usub_borrow", "iadd_sat",
                                      "uadd_sat",   "isub_sat",    "usub_sat"};
    for (unsigned s = 0; s < 4; s++) {
        if (sizes[s] == 32)
            continue;
        for (unsigned k = 0; k < sizeof two / sizeof *two; k++)
            check(&(operation){two[k], 2, {sizes[s], sizes[s]}, sizes[s]}, NULL, false);
        operation u = {"ubitfield_extract", 3, {sizes[s], 32, 32}, sizes[s]}, i = u;
        i.op = "ibitfield_extract";
        check(&u, NULL, false);
        check(&i, NULL, false);
    }
    for (unsigned s = 0; s < 2; s++) {
        check(&(operation){"umul_high", 2, {sizes[s], sizes[s]}, sizes[s]}, NULL, false);
        check(&(operation){"imul_high", 2, {sizes[s], sizes[s]}, sizes[s]}, NULL, false);
        check(&(operation){"bitfield_reverse", 1, {sizes[s]}, sizes[s]}, NULL, false);
    }
}

static void
test_conversions(void **state)
{
    (void)state;
    for (unsigned s = 1; s < 4; s++) {
        check(&(operation){"u2f", 1, {64}, sizes[s]}, NULL, false);
        check(&(operation){"i2f", 1, {64}, sizes[s]}, NULL, false);
        check(&(operation){"f2u", 1, {sizes[s]}, 64}, NULL, true);
        check(&(operation){"f2i", 1, {sizes[s]}, 64}, NULL, true);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_division),    cmocka_unit_test(test_division_by_constants),
        cmocka_unit_test(test_int64),       cmocka_unit_test(test_any_size),
        cmocka_unit_test(test_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
