/* What the stages of a pipeline tell each other: components that are written and read, constants. */
#include "../ir/ir_env.h"
#include "family/pipeline.h"
#include "ir/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char vertex[] =
    "shader: vertex\n"
    "impl \"main\" {\n"
    "    block b0: // preds:\n"
    "    32 %1 = load_const (0x3f800000)\n"
    "    32 %2 = load_const (7)\n"
    "    64 %3 = load_const (0x1122334455667788)\n"
    "    32 %4 = @load_vertex_index\n"
    "    32x4 %5 = vec %1, %4, %2, %4\n"
    "    32x2 %6 = vec %1, %1\n"
    "    @store_output (%5) (slot=location, location=0, component=0, type=float)\n"
    "    @store_output (%6) (slot=location, location=2, component=1, type=float)\n"
    "    @store_output (%4) (slot=location, location=2, component=1, type=uint)\n"
    "    @store_output (%3) (slot=location, location=3, component=2, type=uint)\n"
    "    @store_output (%1) (slot=point_size, location=0, component=0, type=float)\n"
    "    return\n"
    "}\n";

static void
read_outputs(ir_env *e, family_stage_link *out)
{
    env_open(e);
    if (!DIAG_TRY(&e->d))
        fail_msg("%u: %s", e->d.loc.line, e->d.message);
    ir_fn *f = env_parse(e, &ir_hir_level, vertex);
    ir_verify(f, "the shader");
    family_link_outputs(f, out);
}

static void
test_outputs(void **state)
{
    ir_env e;
    family_stage_link out;
    (void)state;
    read_outputs(&e, &out);
    assert_int_equal(out.locations[0].components, 15);
    assert_int_equal(out.locations[0].constants, 5);
    assert_int_equal(out.locations[0].value[0], 0x3f800000);
    assert_int_equal(out.locations[0].value[2], 7);
    assert_int_equal(out.locations[1].components, 0);
    assert_int_equal(out.locations[2].components, 6);
    assert_int_equal(out.locations[2].constants, 4); /* the last store to a component counts */
    assert_int_equal(out.locations[3].components, 12);
    assert_int_equal(out.locations[3].constants, 12);
    assert_int_equal(out.locations[3].value[2], 0x55667788);
    assert_int_equal(out.locations[3].value[3], 0x11223344);
    assert_true(out.slots >> IR_SLOT_point_size & 1);
    env_close(&e);
}

static void
test_constants(void **state)
{
    ir_env e;
    family_stage_link out, in = {.slots = 1u << IR_SLOT_location};
    (void)state;
    read_outputs(&e, &out);
    in.locations[0].components = 3;
    in.locations[1].components = 15;
    family_link_constants(&out, &in);
    assert_int_equal(in.locations[0].constants, 1);
    assert_int_equal(in.locations[0].value[0], 0x3f800000);
    assert_int_equal(in.locations[1].constants, 0);
    assert_int_equal(in.locations[3].constants, 0); /* what is not read */
    env_close(&e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
