/* The lowering of gradients of cubes: a shader that samples a cube runs on the interpreter, whose
 * callback notes the coordinates' gradients; they must be the differential quotients of the face's
 * coordinates, which are computed here by Vulkan's table of faces ("Cube Map Face Selection"). */
#include "../ir/ir_env.h"
#include "ir/eval.h"
#include "ir/verify.h"
#include "opt/cube_gradients.h"

#include "base/bits.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LANES = 64, WORDS = 12 };

static const char shader[] =
    "shader: compute\nworkgroup_size: 64, 1, 1\n"
    "impl \"main\" {\n"
    "    block b0: // preds:\n"
    "    32 %2 = load_const (0x0)\n"
    "    32 %20 = load_const (48)\n"
    "    32 %21 = load_const (16)\n"
    "    32 %22 = load_const (32)\n"
    "    32x3 %1 = @load_local_invocation_id\n"
    "    32 %3 = @vulkan_resource_index (%2) (desc_set=0, binding=1, desc_type=ssbo)\n"
    "    32 %4 = @vulkan_resource_index (%2) (desc_set=0, binding=0, desc_type=combined)\n"
    "    32 %7 = imul %1.x, %20\n"
    "    32 %23 = iadd %7, %21\n"
    "    32 %24 = iadd %7, %22\n"
    "    32x3 %11 = @load_ssbo (%3, %7) (access=none, align_mul=16, align_offset=0)\n"
    "    32x3 %12 = @load_ssbo (%3, %23) (access=none, align_mul=16, align_offset=0)\n"
    "    32x3 %13 = @load_ssbo (%3, %24) (access=none, align_mul=16, align_offset=0)\n"
    "    32x4 %14 = @tex (%4, %4, %11, _, _, _, %12, %13, _, _) (op=txd, image_dim=cube, "
    "type=float, access=none)\n"
    "    @store_ssbo (%14, %3, %7) (wrmask=xyzw, access=none, align_mul=16, align_offset=0)\n"
    "    return\n"
    "}\n";

/* Of each lane: direction, and its gradients, four words each. */
static float numbers[LANES][WORDS], before[LANES][WORDS];
static unsigned n_sampled;
static double worst;

static uint32_t
resource(void *user, uint32_t set, uint32_t binding, uint32_t index, ir_desc_type type)
{
    (void)user, (void)set, (void)index, (void)type;
    return binding;
}

static ir_eval_buffer
buffer(void *user, uint32_t handle)
{
    (void)user, (void)handle;
    return (ir_eval_buffer){(uint8_t *)numbers, sizeof numbers};
}

/* s and t on face `f` over twice the magnitude of the face's component. */
static void
face_coordinates(unsigned f, const double v[3], double out[2])
{
    double x = v[0], y = v[1], z = v[2];
    const double rows[6][3] = {{-z, -y, x}, {z, -y, -x}, {x, z, y},
                               {x, -z, -y}, {x, -y, z},  {-x, -y, -z}};
    for (unsigned k = 0; k < 2; k++)
        out[k] = rows[f][k] / (2 * rows[f][2]);
}

static unsigned
face_of(const double v[3])
{
    double x = fabs(v[0]), y = fabs(v[1]), z = fabs(v[2]);
    unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    return 2 * axis + (v[axis] < 0);
}

static void
check_gradient(const float *direction, const float *change, const uint32_t *got)
{
    const double step = 1e-6;
    double low[3], high[3], at[3], a[2], b[2];
    for (unsigned c = 0; c < 3; c++) {
        at[c] = direction[c];
        low[c] = at[c] - step * change[c];
        high[c] = at[c] + step * change[c];
    }
    face_coordinates(face_of(at), low, a);
    face_coordinates(face_of(at), high, b);
    for (unsigned k = 0; k < 2; k++) {
        double want = (b[k] - a[k]) / (2 * step), error = fabs(base_bits_f32(got[k]) - want);
        worst = fmax(worst, error / (1 + fabs(want)));
    }
}

static bool
image(void *user, ir_eval_image_op *op)
{
    const float *lane = before[n_sampled++ % LANES];
    (void)user;
    assert_int_equal(op->tex_op, IR_TEX_txd);
    check_gradient(lane, lane + 4, op->ddx);
    check_gradient(lane, lane + 8, op->ddy);
    return true;
}

/* Directions to all faces, some to edges and corners. */
static void
fill(void)
{
    uint32_t random = 1;
    for (unsigned l = 0; l < LANES; l++) {
        for (unsigned w = 0; w < WORDS; w++) {
            random = random * 1664525u + 1013904223u;
            numbers[l][w] = (float)(random >> 8) / (float)(1 << 23) - 1;
        }
        if (l % 8 == 0)
            numbers[l][1] = numbers[l][0];
        if (l % 16 == 0)
            numbers[l][2] = -numbers[l][0];
    }
    memcpy(before, numbers, sizeof before);
}

static void
test_gradients(void **state)
{
    ir_env e;
    ir_eval_result r;
    const ir_eval_env env = {.resource = resource, .buffer = buffer, .image = image};
    const uint32_t groups[3] = {1, 1, 1};
    (void)state;
    env_open(&e);
    fill();
    if (!DIAG_TRY(&e.d))
        fail_msg("%s", e.d.message);
    ir_fn *f = env_parse(&e, &ir_hir_level, shader);
    ir_verify(f, "the shader");
    assert_true(opt_lower_cube_gradients(f));
    assert_false(opt_lower_cube_gradients(f));
    ir_eval_run(ir_eval_new(f, LANES, &e.a), &env, groups, &r);
    assert_int_equal(r.status, IR_EVAL_OK);
    assert_int_equal(n_sampled, LANES);
    assert_true(worst < 1e-5);
    env_close(&e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gradients)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
