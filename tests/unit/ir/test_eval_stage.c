/* The HIR interpreter on vertex and fragment shaders: inputs and outputs, quads, invocations that
 * end or become helpers. */
#include "ir/eval.h"
#include "ir/verify.h"
#include "ir_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MAX = 64 };

typedef struct world {
    ir_env e;
    ir_eval_env env;
    ir_eval_result result;
    float located[3][MAX][4]; /* what each invocation stores at a location */
    float (*out)[4];          /* at location 0 */
    bool stored[MAX];
    uint32_t buffer[MAX];
} world;

static float
pattern(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t
bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Invocation n is vertex n, or pixel n % 4 of quad n / 4: at (2 (n / 4) + n % 2, n % 4 / 2). Its
 * input at location k is k + i + 10 j, with the weights i = x, j = y * y. */
static bool
io(void *user, ir_eval_io *op)
{
    world *w = user;
    uint32_t n = op->invocation;
    float x = (float)(2 * (n / 4) + n % 2), y = (float)(n % 4 / 2);
    switch (op->op) {
    case IR_load_vertex_index: op->value[0] = n; return true;
    case IR_load_input:
        for (unsigned c = 0; c < op->n; c++)
            op->value[c] = bits_of((float)(op->location + op->component + c));
        return true;
    case IR_load_barycentric:
        op->value[0] = bits_of(x);
        op->value[1] = bits_of(y * y);
        return true;
    case IR_load_interpolated_input:
        op->value[0] = bits_of((float)op->location + pattern(op->place[0]) +
                               10 * pattern(op->place[1]));
        return true;
    case IR_store_output:
        w->stored[n] = true;
        for (unsigned c = 0; c < op->n; c++)
            w->located[op->location][n][op->component + c] = pattern((uint32_t)op->value[c]);
        return true;
    default: return false;
    }
}

static uint32_t
resource(void *user, uint32_t set, uint32_t binding, uint32_t index, ir_desc_type type)
{
    (void)user, (void)set, (void)binding, (void)type;
    return index;
}

static ir_eval_buffer
buffer(void *user, uint32_t handle)
{
    world *w = user;
    (void)handle;
    return (ir_eval_buffer){(uint8_t *)w->buffer, sizeof w->buffer};
}

static void
run_subgroups(world *w, const char *text, unsigned size, uint32_t n, bool *helper)
{
    env_open(&w->e);
    w->out = w->located[0];
    w->env = (ir_eval_env){
        .user = w, .io = io, .resource = resource, .buffer = buffer, .instruction_limit = 10000};
    if (!DIAG_TRY(&w->e.d))
        fail_msg("%u:%u: %s", w->e.d.loc.line, w->e.d.loc.column, w->e.d.message);
    ir_fn *f = env_parse(&w->e, &ir_hir_level, text);
    ir_verify(f, "the test's text");
    ir_eval *e = ir_eval_new(f, size, &w->e.a);
    assert_int_equal(ir_eval_run_stage(e, &w->env, n, helper, &w->result), IR_EVAL_OK);
}

static void
run(world *w, const char *text, uint32_t n, bool *helper)
{
    run_subgroups(w, text, 16, n, helper);
}

static const char vertex_text[] =
    "shader: vertex\n"
    "impl \"main\" {\n"
    "    block b0: // preds:\n"
    "    32 %1 = @load_vertex_index\n"
    "    32x2 %2 = @load_input (slot=location, location=5)\n"
    "    32 %3 = u2f %1\n"
    "    32x3 %4 = vec %2.x, %2.y, %3\n"
    "    @store_output (%4) (slot=location, component=1, type=float)\n"
    "    return\n"
    "}\n";

static void
test_vertices(void **state)
{
    static world w;
    (void)state;
    run(&w, vertex_text, 37, NULL);
    for (unsigned n = 0; n < 37; n++) {
        const float want[4] = {0, 5, 6, (float)n};
        assert_memory_equal(w.out[n], want, sizeof want);
    }
    assert_false(w.stored[37]);
    env_close(&w.e);
}

#define FRAGMENT                                                                                   \
    "shader: fragment\n"                                                                           \
    "impl \"main\" {\n"                                                                            \
    "    block b0: // preds:\n"                                                                    \
    "    32 %1 = load_const (0x00000000)\n"                                                        \
    "    32x2 %2 = @load_barycentric (interp=smooth, at=pixel)\n"                                  \
    "    32 %3 = @load_interpolated_input (%2) (slot=location, location=2)\n"                      \
    "    32 %4 = fmul %2.x, %2.y\n"

/* x * y has other differences in each row and column; those of a quad's first pixel are coarse. */
static const char derivative_text[] = FRAGMENT
    "    32 %5 = @ddx_fine (%4)\n"
    "    32 %6 = @ddx_coarse (%4)\n"
    "    32 %7 = @ddy_fine (%4)\n"
    "    32x4 %8 = vec %5, %6, %7, %3\n"
    "    @store_output (%8) (slot=location, type=float)\n"
    "    return\n"
    "}\n";

static void
test_differences_in_quads(void **state)
{
    static world w;
    bool helper[8] = {false, true, false, false, false, false, false, true};
    (void)state;
    run(&w, derivative_text, 8, helper);
    for (unsigned n = 0; n < 8; n++) {
        float x = (float)(2 * (n / 4) + n % 2), y = (float)(n % 4 / 2);
        const float want[4] = {y, 0, x, 2 + x + 10 * y};
        assert_int_equal(w.stored[n], !helper[n]);
        if (w.stored[n])
            assert_memory_equal(w.out[n], want, sizeof want);
    }
    env_close(&w.e);
}

/* Pixels with x = 1 become helpers: they store nothing, but the differences still see them. The
 * loop that follows ends for a helper only by the end of its quad. */
#define HANDLE                                                                                     \
    "    32 %9 = @vulkan_resource_index (%1) (desc_set=0, binding=0, desc_type=ssbo)\n"            \
    "    32 %10 = load_const (0x3f800000)\n"                                                       \
    "    32 %11 = load_const (0x00000001)\n"                                                       \
    "    1 %12 = feq %2.x, %10\n"

static const char demote_text[] = FRAGMENT HANDLE
    "    if %12 then b1 else b2 merge b3\n"
    "        block b1: // preds: b0\n"
    "        @demote\n"
    "        jump b3\n"
    "        block b2: // preds: b0\n"
    "        jump b3\n"
    "    block b3: // preds: b1 b2\n"
    "    1 %13 = @is_helper_invocation\n"
    "    32 %14 = b2f %13\n"
    "    32 %15 = @ddx_fine (%14)\n"
    "    32 %16 = @ssbo_atomic (%9, %1, %11) (atomic_op=iadd, access=none)\n"
    "    @store_output (%15) (slot=location, type=float)\n"
    "    return\n"
    "}\n";

static void
test_demoted_invocations_are_helpers(void **state)
{
    static world w;
    (void)state;
    run(&w, demote_text, 8, NULL);
    for (unsigned n = 0; n < 8; n++) {
        bool demoted = n == 1 || n == 3;
        assert_int_equal(w.stored[n], !demoted);
        if (!demoted)
            assert_true(w.out[n][0] == (n < 4 ? 1 : 0));
    }
    assert_int_equal(w.buffer[0], 6);
    env_close(&w.e);
}

/* An endless loop that each invocation leaves by its end alone. */
static const char terminate_text[] = FRAGMENT HANDLE
    "    32 %13 = @ssbo_atomic (%9, %1, %11) (atomic_op=iadd, access=none)\n"
    "    if %12 then b1 else b9 merge b10\n"
    "        block b1: // preds: b0\n"
    "        loop b2 merge b8 continue b7\n"
    "            block b2: // preds: b1 b7\n"
    "            32 %14 = phi b1: %1, b7: %15\n"
    "            32 %15 = iadd %14, %11\n"
    "            1 %16 = ult %15, %13\n"
    "            if %16 then b3 else b4 merge b5\n"
    "                block b3: // preds: b2\n"
    "                jump b5\n"
    "                block b4: // preds: b2\n"
    "                @terminate\n"
    "                jump b5\n"
    "            block b5: // preds: b3 b4\n"
    "            if %12 then b6 else b11 merge b12\n"
    "                block b6: // preds: b5\n"
    "                jump b12\n"
    "                block b11: // preds: b5\n"
    "                jump b8\n"
    "            block b12: // preds: b6\n"
    "            jump b7\n"
    "            block b7: // preds: b12\n"
    "            jump b2\n"
    "        block b8: // preds: b11\n"
    "        jump b10\n"
    "        block b9: // preds: b0\n"
    "        jump b10\n"
    "    block b10: // preds: b8 b9\n"
    "    @store_output (%4) (slot=location, type=float)\n"
    "    return\n"
    "}\n";

static void
test_ended_invocations_leave_loops(void **state)
{
    static world w;
    (void)state;
    run(&w, terminate_text, 8, NULL);
    for (unsigned n = 0; n < 8; n++)
        assert_int_equal(w.stored[n], n != 1 && n != 3);
    assert_int_equal(w.buffer[0], 8);
    env_close(&w.e);
}

/* What an invocation has from its subgroup of `size` pixels, of whose weights i is n in the first
 * quad: numbers of one, two or four lanes. */
static const char subgroup_text[] =
    "shader: fragment\n"
    "impl \"main\" {\n"
    "    block b0: // preds:\n"
    "    32 %1 = load_const (0x00000001)\n"
    "    32 %2 = load_const (0x00000000)\n"
    "    1 %3 = load_const (true)\n"
    "    32 %4 = @load_input (slot=location, location=7)\n"
    "    32 %5 = @reduce (%4) (reduction_op=fadd)\n"
    "    32 %6 = @load_subgroup_size\n"
    "    32 %7 = @load_subgroup_invocation\n"
    "    32 %8 = @load_subgroup_id\n"
    "    32 %9 = @shuffle_xor (%7, %1)\n"
    "    64 %10 = @ballot (%3)\n"
    "    32 %11 = @ballot_bit_count_exclusive (%10)\n"
    "    1 %12 = @inverse_ballot (%10)\n"
    "    1 %13 = @elect\n"
    "    32 %14 = @exclusive_scan (%1) (reduction_op=iadd)\n"
    "    32 %15 = @rotate (%7, %1)\n"
    "    32 %16 = @read_invocation (%7, %2)\n"
    "    32 %17 = @read_first_invocation (%8)\n"
    "    32 %18 = unpack_64_2x32_x %10\n"
    "    32 %19 = b2f %12\n"
    "    32 %20 = b2f %13\n"
    "    32 %21 = u2f %6\n"
    "    32 %22 = u2f %7\n"
    "    32 %23 = u2f %9\n"
    "    32 %24 = u2f %11\n"
    "    32 %25 = u2f %14\n"
    "    32 %26 = u2f %15\n"
    "    32 %27 = u2f %16\n"
    "    32 %28 = u2f %17\n"
    "    32 %29 = u2f %18\n"
    "    32x4 %30 = vec %5, %21, %22, %23\n"
    "    32x4 %31 = vec %24, %25, %26, %27\n"
    "    32x4 %32 = vec %28, %29, %19, %20\n"
    "    @store_output (%30) (slot=location, type=float)\n"
    "    @store_output (%31) (slot=location, location=1, type=float)\n"
    "    @store_output (%32) (slot=location, location=2, type=float)\n"
    "    return\n"
    "}\n";

/* A subgroup smaller than a quad has its own lanes alone, though quads run together. */
static void
test_subgroups_in_quads(void **state)
{
    static world w;
    (void)state;
    for (unsigned size = 1; size <= 4; size *= 2) {
        run_subgroups(&w, subgroup_text, size, 8, NULL);
        for (unsigned n = 0; n < 8; n++) {
            const float lane = (float)(n % size), other = size > 1 ? (float)(n % size ^ 1) : 0;
            const float want[3][4] = {{7.0f * (float)size, (float)size, lane, other},
                                      {lane, lane, (float)((n % size + 1) % size), 0},
                                      {(float)(n / size), (float)((1u << size) - 1), 1, !lane}};
            for (unsigned at = 0; at < 3; at++)
                assert_memory_equal(w.located[at][n], want[at], sizeof want[at]);
        }
        env_close(&w.e);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_differences_in_quads),
        cmocka_unit_test(test_demoted_invocations_are_helpers),
        cmocka_unit_test(test_ended_invocations_leave_loops),
        cmocka_unit_test(test_subgroups_in_quads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
