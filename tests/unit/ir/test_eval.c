/* The HIR interpreter: control flow, subgroups, memory and the errors it reports, on small shaders
 * whose results are known. */
#include "base/ray.h"
#include "ir/eval.h"
#include "ir/hir.h"
#include "ir/verify.h"
#include "ir_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WORDS = 256 };

typedef struct world {
    ir_env e;
    uint32_t data[4][WORDS]; /* the buffers of bindings 0 to 3 */
    uint64_t size[4];
    ir_eval_env env;
    ir_eval_result result;
} world;

static uint32_t
resource(void *user, uint32_t set, uint32_t binding, uint32_t index, ir_desc_type type)
{
    (void)user, (void)type;
    return set * 100 + binding * 10 + index;
}

static ir_eval_buffer
buffer(void *user, uint32_t handle)
{
    world *w = user;
    unsigned binding = handle / 10;
    if (binding >= 4)
        return (ir_eval_buffer){0};
    return (ir_eval_buffer){(uint8_t *)w->data[binding], w->size[binding]};
}

static uint8_t *
translate(void *user, uint64_t address, uint64_t size, bool write)
{
    world *w = user;
    uint64_t at = address - 0x10000;
    (void)write;
    return at <= sizeof w->data[3] && size <= sizeof w->data[3] - at ? (uint8_t *)w->data[3] + at
                                                                     : NULL;
}

static world *
start(void)
{
    world *w = calloc(1, sizeof *w);
    env_open(&w->e);
    for (unsigned b = 0; b < 4; b++)
        w->size[b] = sizeof w->data[b];
    w->env = (ir_eval_env){
        .user = w, .resource = resource, .buffer = buffer, .translate = translate};
    return w;
}

/* Runs one shader text, one workgroup unless `groups` says more. */
static ir_eval_status
run(world *w, const char *text, unsigned wave, unsigned groups)
{
    if (!DIAG_TRY(&w->e.d))
        fail_msg("%u:%u: %s", w->e.d.loc.line, w->e.d.loc.column, w->e.d.message);
    ir_fn *f = env_parse(&w->e, &ir_hir_level, text);
    ir_verify(f, "the test's text");
    const uint32_t count[3] = {groups, 1, 1};
    return ir_eval_run(ir_eval_new(f, wave, &w->e.a), &w->env, count, &w->result);
}

static void
finish(world *w)
{
    env_close(&w->e);
    free(w);
}

#define CONST(id, value) "    32 %" #id " = load_const (" #value ")\n"
#define HEAD(size)                                                                                 \
    "shader: compute\nworkgroup_size: " #size ", 1, 1\nshared_size: 256\nscratch_size: 16\n"       \
    "impl \"main\" {\n    block b0: // preds:\n" CONST(1, 0x00000000) CONST(2, 0x00000004)         \
        CONST(3, 0x00000001) "    32 %4 = @vulkan_resource_index (%1) (desc_set=0, binding=0, "    \
                             "desc_type=ssbo)\n"                                                   \
                             "    32 %5 = @load_local_invocation_index\n    32 %6 = imul %5, %2\n"
#define STORE(value, handle, offset)                                                               \
    "    @store_ssbo (%" #value ", %" #handle ", %" #offset                                        \
    ") (wrmask=x, access=none, align_mul=4, align_offset=0)\n"
#define END "    return\n}\n"

/* Lane n has n + 1 iterations of a loop; the break is in the middle, %12 is used after the loop. */
static const char loop_text[] = HEAD(24) "    loop b1 merge b5 continue b4\n"
                                         "        block b1: // preds: b0 b4\n"
                                         "        32 %10 = phi b0: %1, b4: %13\n"
                                         "        32 %11 = phi b0: %3, b4: %10\n"
                                         "        32 %12 = iadd %10, %11\n"
                                         "        1 %14 = uge %10, %5\n"
                                         "        if %14 then b2 else b6 merge b3\n"
                                         "            block b2: // preds: b1\n"
                                         "            jump b5\n"
                                         "            block b6: // preds: b1\n"
                                         "            jump b3\n"
                                         "        block b3: // preds: b6\n"
                                         "        jump b4\n"
                                         "        block b4: // preds: b3\n"
                                         "        32 %13 = iadd %10, %3\n"
                                         "        jump b1\n"
                                         "    block b5: // preds: b2\n"
                                         "    64 %15 = @ballot (%14)\n"
                                         "    32 %16 = bit_count %15\n" STORE(
                                             12, 4, 6) "    32 %17 = load_const (0x00000060)\n"
                                                       "    32 %18 = iadd %6, %17\n" STORE(16, 4,
                                                                                           18) END;

static void
test_lanes_leave_a_loop_one_by_one(void **state)
{
    (void)state;
    for (unsigned wave = 1; wave <= 64; wave *= 2) {
        world *w = start();
        assert_int_equal(run(w, loop_text, wave, 1), IR_EVAL_OK);
        for (unsigned l = 0; l < 24; l++) {
            /* phis read each other's old values: %11 is %10 of the previous iteration, initially 1
             */
            assert_int_equal(w->data[0][l], l ? 2 * l - 1 : 1);
            /* all lanes are active again after the loop */
            unsigned first = l / wave * wave, left = 24 - first;
            assert_int_equal(w->data[0][24 + l], left < wave ? left : wave);
        }
        finish(w);
    }
}

/* Neighbours exchange through workgroup memory across subgroups: out[n] = in[(n + 1) % 64] * 3. */
static const char shared_text[] = HEAD(64) CONST(7, 0x00000003) CONST(
    8, 0x0000003f) "    32 %9 = imul %5, %7\n"
                   "    @store_shared (%9, %6) (wrmask=x, align_mul=4, align_offset=0)\n"
                   "    @barrier (execution_scope=workgroup, memory_scope=workgroup, "
                   "mem_semantics=acquire|release, mem_modes=shared)\n"
                   "    32 %10 = iadd %5, %3\n"
                   "    32 %11 = iand %10, %8\n"
                   "    32 %12 = imul %11, %2\n"
                   "    32 %13 = @load_shared (%12) (align_mul=4, align_offset=0)\n" STORE(13, 4, 6)
                       END;

static void
test_barriers_order_the_subgroups(void **state)
{
    (void)state;
    for (unsigned wave = 4; wave <= 64; wave *= 2) {
        world *w = start();
        assert_int_equal(run(w, shared_text, wave, 2), IR_EVAL_OK);
        for (unsigned l = 0; l < 64; l++)
            assert_int_equal(w->data[0][l], (l + 1) % 64 * 3);
        finish(w);
    }
}

/* A subgroup operation of lanes 0 to 7, of which the even ones are active; others store 99. */
#define SUBGROUP(op)                                                                               \
    HEAD(8)                                                                                        \
    CONST(7, 0x00000063)                                                                           \
    CONST(8, 0x00000002)                                                                           \
    "    32 %9 = iand %5, %3\n"                                                                    \
    "    1 %10 = ieq %9, %1\n"                                                                     \
    "    32 %11 = iadd %5, %3\n"                                                                   \
    "    if %10 then b1 else b3 merge b2\n"                                                        \
    "        block b1: // preds: b0\n"                                                             \
    "        32 %12 = " op "\n"                                                                    \
    "        jump b2\n"                                                                            \
    "        block b3: // preds: b0\n"                                                             \
    "        jump b2\n"                                                                            \
    "    block b2: // preds: b1 b3\n"                                                              \
    "    32 %13 = phi b1: %12, b3: %7\n" STORE(13, 4, 6) END

static void
test_subgroup_operations_see_active_lanes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t even[4]; /* lanes 0 2 4 6 */
    } rows[] = {
        {SUBGROUP("@reduce (%11) (reduction_op=iadd)"), {16, 16, 16, 16}},
        {SUBGROUP("@reduce (%11) (reduction_op=iadd, cluster_size=4)"), {4, 4, 12, 12}},
        {SUBGROUP("@reduce (%11) (reduction_op=umax)"), {7, 7, 7, 7}},
        {SUBGROUP("@inclusive_scan (%11) (reduction_op=iadd)"), {1, 4, 9, 16}},
        {SUBGROUP("@exclusive_scan (%11) (reduction_op=imul)"), {1, 1, 3, 15}},
        {SUBGROUP("@exclusive_scan (%11) (reduction_op=imin)"), {0x7fffffff, 1, 1, 1}},
        {SUBGROUP("@read_first_invocation (%11)"), {1, 1, 1, 1}},
        {SUBGROUP("@read_invocation (%11, %2)"), {5, 5, 5, 5}},
        {SUBGROUP("@shuffle_xor (%11, %8)"), {3, 1, 7, 5}},
        {SUBGROUP("@shuffle_up (%11, %8)"), {0, 1, 3, 5}},
        {SUBGROUP("@shuffle_down (%11, %8)"), {3, 5, 7, 0}},
        {SUBGROUP("@shuffle (%11, %5)"), {1, 3, 5, 7}},
        {SUBGROUP("@rotate (%11, %8) (cluster_size=8)"), {3, 5, 7, 1}},
        {SUBGROUP("@quad_broadcast (%11, %8)"), {3, 3, 7, 7}},
        {SUBGROUP("@quad_swap_horizontal (%11)"), {0, 0, 0, 0}},
        {SUBGROUP("@quad_swap_vertical (%11)"), {3, 1, 7, 5}},
    };
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        world *w = start();
        assert_int_equal(run(w, rows[r].text, 8, 1), IR_EVAL_OK);
        for (unsigned l = 0; l < 8; l++)
            assert_int_equal(w->data[0][l], l & 1 ? 99 : rows[r].even[l / 2]);
        finish(w);
    }
}

/* Loads outside give 0, stores outside are dropped: buffer 1 has 10 bytes. */
static const char robust_text[] = HEAD(
    1) "    32 %7 = @vulkan_resource_index (%1) (desc_set=0, binding=1, desc_type=ssbo)\n"
       "    32x4 %8 = @load_ssbo (%7, %2) (access=none, align_mul=4, align_offset=0)\n"
       "    @store_ssbo (%8, %4, %1) (wrmask=xyzw, access=none, align_mul=4, "
       "align_offset=0)\n" CONST(9, 0xfffffff0) CONST(
           11, 0x00000010) "    32x2 %10 = vec %3, %2\n"
                           "    @store_ssbo (%10, %7, %9) (wrmask=xy, access=none, align_mul=4, "
                           "align_offset=0)\n"
                           "    @store_ssbo (%10, %4, %11) (wrmask=y, access=none, align_mul=4, "
                           "align_offset=0)\n"
                           "    32 %12 = @ssbo_atomic (%7, %9, %3) (atomic_op=iadd, access=none)\n"
                           "    32 %13 = @get_ssbo_size (%7) (access=none)\n" STORE(13, 4, 11) END;

static void
test_buffers_are_robust(void **state)
{
    (void)state;
    world *w = start();
    w->size[1] = 10;
    for (unsigned k = 0; k < WORDS; k++)
        w->data[1][k] = 7 + k, w->data[0][k] = 1000;
    assert_int_equal(run(w, robust_text, 32, 1), IR_EVAL_OK);
    const uint32_t want[] = {8, 0, 0, 0, 10, 4, 1000};
    for (unsigned k = 0; k < 7; k++)
        assert_int_equal(w->data[0][k], want[k]);
    assert_int_equal(w->data[1][2], 9);
    finish(w);
}

static void
test_atomics_return_the_old_value(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t before, after, old3;
    } rows[] = {
#define ATOMIC(op)                                                                                 \
    HEAD(4)                                                                                        \
    "    32 %7 = iadd %5, %3\n    32 %8 = @ssbo_atomic (%4, %1, %7) "                              \
    "(atomic_op=" op ", access=none)\n    32 %9 = iadd %6, %2\n" STORE(8, 4, 9) END
        {ATOMIC("iadd"), 5, 15, 11},
        {ATOMIC("umax"), 2, 4, 3},
        {ATOMIC("imin"), 0xfffffff0, 0xfffffff0, 0xfffffff0},
        {ATOMIC("xchg"), 9, 4, 3},
        {ATOMIC("ixor"), 0, 4, 0},
        {ATOMIC("inc_wrap"), 3, 3, 2},
    };
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        world *w = start();
        w->data[0][0] = rows[r].before;
        assert_int_equal(run(w, rows[r].text, 32, 1), IR_EVAL_OK);
        assert_int_equal(w->data[0][0], rows[r].after);
        assert_int_equal(w->data[0][4], rows[r].old3);
        finish(w);
    }
}

static void
test_bad_accesses_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {HEAD(64) CONST(7, 0x00000040) "    32 %8 = iadd %6, %7\n    32 %9 = @load_shared (%8) "
                                       "(align_mul=4, align_offset=0)\n" END,
         "subgroup 1, lane 16: @load_shared of 4 bytes at offset 256 of 256"},
        {HEAD(2) CONST(7, 0x0000000e) "    @store_scratch (%3, %7) (wrmask=x, align_mul=2, "
                                      "align_offset=0)\n" END,
         "lane 0: @store_scratch of 4 bytes at offset 14 of 16"},
        {HEAD(2) "    64 %7 = load_const (0x0000000000010400)\n"
                 "    32 %8 = @load_global (%7) (access=none, align_mul=4, align_offset=0)\n" END,
         "@load_global of 4 bytes at address 0x10400, not mapped"},
        {HEAD(2) "    32 %7 = @image_samples (%4) (image_dim=2D, access=none)\n" END,
         "the device refuses @image_samples"},
    };
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        world *w = start();
        assert_int_not_equal(run(w, rows[r].text, 32, 1), IR_EVAL_OK);
        if (!strstr(w->result.message, rows[r].message))
            fail_msg("%s", w->result.message);
        finish(w);
    }
}

static const char endless_text[] = HEAD(4) "    loop b1 merge b3 continue b2\n"
                                           "        block b1: // preds: b0 b2\n"
                                           "        jump b2\n"
                                           "        block b2: // preds: b1\n"
                                           "        jump b1\n"
                                           "    block b3: // preds:\n" END;

static void
test_endless_loops_end(void **state)
{
    (void)state;
    world *w = start();
    w->env.instruction_limit = 1000;
    assert_int_equal(run(w, endless_text, 32, 1), IR_EVAL_HANG);
    assert_non_null(strstr(w->result.message, "still running after"));
    finish(w);
}

/* 64-bit, 16-bit and boolean values with inactive lanes: the kernels for other sizes. */
static const char sizes_text[] = HEAD(4) "    64 %7 = u2u %5\n"
                                         "    64 %8 = load_const (0x0000000100000001)\n"
                                         "    64 %9 = imul %7, %8\n"
                                         "    32 %10 = unpack_64_2x32_y %9\n"
                                         "    16 %11 = u2f %5\n"
                                         "    16 %12 = load_const (0x3800)\n"
                                         "    16 %13 = fmul %11, %12\n"
                                         "    32 %14 = f2f %13\n"
                                         "    1 %15 = ult %3, %5\n"
                                         "    1 %16 = inot %15\n"
                                         "    if %16 then b1 else b3 merge b2\n"
                                         "        block b1: // preds: b0\n"
                                         "        64 %17 = iadd %9, %8\n"
                                         "        8 %18 = u2u %5\n"
                                         "        jump b2\n"
                                         "        block b3: // preds: b0\n"
                                         "        jump b2\n"
                                         "    block b2: // preds: b1 b3\n"
                                         "    64 %19 = phi b1: %17, b3: %9\n"
                                         "    32 %20 = u2u %19\n"
                                         "    32x3 %21 = vec %10, %14, %20\n"
                                         "    32 %22 = imul %6, %2\n"
                                         "    @store_ssbo (%21, %4, %22) (wrmask=xyz, access=none, "
                                         "align_mul=4, align_offset=0)\n" END;

static void
test_all_sizes(void **state)
{
    (void)state;
    world *w = start();
    assert_int_equal(run(w, sizes_text, 4, 1), IR_EVAL_OK);
    for (unsigned l = 0; l < 4; l++) {
        assert_int_equal(w->data[0][4 * l], l);
        assert_int_equal(w->data[0][4 * l + 1], base_f32_bits((float)l / 2));
        assert_int_equal(w->data[0][4 * l + 2], l < 2 ? l + 1 : l);
    }
    finish(w);
}

/* Undefined results: which of several lanes stores to one place last, an undef, a quotient by zero,
 * and the last bit of a quotient. */
static const char open_text[] = HEAD(4) CONST(10, 0x00000008) CONST(11, 0x0000000c)
    CONST(12, 0x3f800000) CONST(13, 0x40400000)
        STORE(5, 4, 1) "    32 %14 = undef\n" STORE(14, 4, 2) "    32 %15 = udiv %3, %1\n" STORE(
            15, 4, 10) "    32 %16 = fdiv %12, %13\n" STORE(16, 4, 11) END;

static void
test_what_is_open_can_be_chosen(void **state)
{
    static const struct {
        uint8_t undefined;
        bool backwards;
        int8_t rough;
        uint32_t result[4];
    } cases[] = {{0, false, 0, {3, 0, 0, 0x3eaaaaab}},
                 {0xa5, false, 0, {3, 0xa5a5a5a5, 0xa5a5a5a5, 0x3eaaaaab}},
                 {0, true, 0, {0, 0, 0, 0x3eaaaaab}},
                 {0, false, 1, {3, 0, 0, 0x3eaaaaac}},
                 {0, false, -1, {3, 0, 0, 0x3eaaaaaa}}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world *w = start();
        w->env.undefined = cases[i].undefined;
        w->env.backwards = cases[i].backwards;
        w->env.rough = cases[i].rough;
        assert_int_equal(run(w, open_text, 4, 1), IR_EVAL_OK);
        assert_memory_equal(w->data[0], cases[i].result, sizeof cases[i].result);
        finish(w);
    }
}

/* Lanes race if one stores a number where another has stored or loaded a different one, or loads
 * what another one stored; not if a barrier or an atomic is between them. Memory is 0, and a
 * store that changes nothing is none. Byte 0 is the same for all lanes; each has a place of its own
 * at %6, and its neighbour's is at %13. */
#define LOAD(id, offset)                                                                           \
    "    32 %" #id " = @load_ssbo (%4, %" #offset ") (access=none, align_mul=4, align_offset=0)\n"
#define NEIGHBOUR     "    32 %12 = ixor %5, %3\n    32 %13 = imul %12, %2\n"
#define ATOMIC_OF(id) "    32 %" #id " = @ssbo_atomic (%4, %7, %3) (atomic_op=iadd, access=none)\n"
#define SUBGROUP_BARRIER                                                                           \
    "    @barrier (execution_scope=subgroup, memory_scope=subgroup, "                              \
    "mem_semantics=acquire|release, mem_modes=ssbo)\n"
static void
test_races_of_lanes_are_found(void **state)
{
    static const struct {
        const char *text, *race;
    } cases[] = {
        {HEAD(4) STORE(5, 4, 1) END, "@store_ssbo of lane 2 races with lane 1"},
        {HEAD(4) STORE(2, 4, 1) END, ""},
        {HEAD(4) STORE(3, 4, 6) LOAD(14, 6) END, ""},
        {HEAD(4) NEIGHBOUR STORE(3, 4, 6) LOAD(14, 13) END,
         "@load_ssbo of lane 0 races with lane 1"},
        {HEAD(4) NEIGHBOUR STORE(3, 4, 6) SUBGROUP_BARRIER LOAD(14, 13) END, ""},
        {HEAD(4) CONST(7, 0x00000080) NEIGHBOUR STORE(3, 4, 6) ATOMIC_OF(8) LOAD(14, 13) END, ""},
        {HEAD(4) NEIGHBOUR LOAD(14, 13) STORE(3, 4, 6) END,
         "@store_ssbo of lane 0 races with lane 1"},
        {HEAD(4) LOAD(14, 1) STORE(3, 4, 6) END, "@store_ssbo of lane 0 races with others"},
        {HEAD(4) NEIGHBOUR LOAD(14, 13) STORE(1, 4, 6) END, ""},
        {HEAD(4) "    @store_shared (%5, %1) (wrmask=x, align_mul=4, align_offset=0)\n" END,
         "@store_shared of lane 2 races with lane 1"},
        {HEAD(4) "    @store_scratch (%5, %1) (wrmask=x, align_mul=4, align_offset=0)\n" END, ""},
        {HEAD(4) "    @store_ssbo (%5, %4, %1) (wrmask=x, access=coherent, align_mul=4, "
                 "align_offset=0)\n" END,
         ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world *w = start();
        w->env.find_races = true;
        assert_int_equal(run(w, cases[i].text, 4, 1), IR_EVAL_OK);
        const char *race = strchr(w->result.race, '@');
        assert_string_equal(race ? race : "", cases[i].race);
        finish(w);
    }
}

/* Node n of the hierarchy behind the structure's record meets the ray along z in lane n. */
#define RAYS(n)                                                                                    \
    HEAD(n)                                                                                        \
    CONST(7, 0x3fc00000)                                                                           \
    CONST(8, 0x3f800000)                                                                           \
    CONST(9, 0x41200000)                                                                           \
    CONST(10, 0x00ff0000)                                                                          \
    CONST(11, 0x00000014)                                                                          \
    CONST(12, 0x00000010)                                                                          \
    "    32x8 %13 = vec %7, %8, %1, %1, %1, %1, %8, %9\n"                                          \
    "    32 %14 = @vulkan_resource_index (%3) (desc_set=2, binding=0, desc_type=accel)\n"          \
    "    64 %15 = @load_accel_struct (%14) (access=none)\n"                                        \
    "    64 %16 = load_const (0x0000000000000080)\n    64 %17 = iadd %15, %16\n"                   \
    "    32x5 %18 = @ray_intersect (%17, %5, %13, %10)\n    32 %19 = imul %5, %11\n"               \
    "    32 %20 = iadd %19, %12\n"                                                                 \
    "    32x4 %21 = vec %18.a, %18.b, %18.c, %18.d\n    32x2 %22 = vec %18.e, %18.e\n"             \
    "    @store_ssbo (%21, %4, %19) (wrmask=xyzw, access=none, align_mul=4, "                      \
    "align_offset=0)\n" STORE(22, 4, 20) END

static uint64_t
accel(void *user, uint32_t handle)
{
    (void)user;
    return handle == 201 ? 0x10000 : 0;
}

static void
test_rays_meet_nodes(void **state)
{
    static const float points[9] = {0, 0, 4, 4, 0, 4, 0, 4, 4};
    const uint32_t count = 1 << BASE_HIT_COUNT_SHIFT;
    const uint32_t want[3][5] = {
        {BASE_HIT_LEAF | BASE_HIT_BACK_FACE | count, 9, 0x40800000, 0x3ec00000, 0x3e800000},
        {count, 20, 0, 8, 0},
        {BASE_HIT_LEAF | BASE_HIT_BOX, 0}};
    (void)state;
    world *w = start();
    w->env.accel = accel;
    uint32_t *node = &w->data[3][32];
    node[0] = 9;
    memcpy(node + 1, points, sizeof points);
    node[15] = BASE_NODE_LEAF;
    node[16 + 0] = 20; /* an inner node with one child from 1, 1, 1 to 2, 2, 2 */
    node[16 + 2] = 0x01010000;
    node[16 + 3] = 0x02020201;
    node[16 + 14] = 0x86860000;
    node[16 + 15] = 0x00000186;
    node[32 + 15] = BASE_NODE_LEAF | BASE_NODE_BOX;
    assert_int_equal(run(w, RAYS(3), 4, 1), IR_EVAL_OK);
    assert_memory_equal(w->data[0], want, sizeof want);
    assert_int_not_equal(run(w, RAYS(15), 4, 1), IR_EVAL_OK);
    assert_non_null(strstr(w->result.message, "lane 2: node 14 at address 0x10400, not mapped"));
    finish(w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_leave_a_loop_one_by_one),
        cmocka_unit_test(test_barriers_order_the_subgroups),
        cmocka_unit_test(test_subgroup_operations_see_active_lanes),
        cmocka_unit_test(test_buffers_are_robust),
        cmocka_unit_test(test_atomics_return_the_old_value),
        cmocka_unit_test(test_bad_accesses_are_reported),
        cmocka_unit_test(test_endless_loops_end),
        cmocka_unit_test(test_all_sizes),
        cmocka_unit_test(test_what_is_open_can_be_chosen),
        cmocka_unit_test(test_races_of_lanes_are_found),
        cmocka_unit_test(test_rays_meet_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
