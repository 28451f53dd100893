/* What the stages of a pipeline tell each other: components that are written and read, constants,
 * equal components; and what becomes of both by that. */
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
    assert_int_equal(out.locations[0].same[1], 0);
    assert_int_equal(out.locations[0].same[3], 1 + 1);
    assert_int_equal(out.locations[2].same[1], 1 + 1);
    assert_int_equal(out.locations[2].same[2], 0); /* a constant */
    env_close(&e);
}

static void
test_stages(void **state)
{
    ir_env e;
    family_stage_link out, in = {.slots = 1u << IR_SLOT_location};
    (void)state;
    read_outputs(&e, &out);
    in.locations[0].components = 3;
    in.locations[1].components = 15;
    family_link_stages(&out, &in);
    assert_int_equal(in.locations[0].constants, 1);
    assert_int_equal(in.locations[0].value[0], 0x3f800000);
    assert_int_equal(in.locations[1].constants, 0);
    assert_int_equal(in.locations[3].constants, 0); /* what is not read */
    env_close(&e);
}

/* ---- equal components ---- */

static const char fragment[] =
    "shader: fragment\n"
    "impl \"main\" {\n"
    "    block b0: // preds:\n"
    "    32x2 %1 = @load_barycentric (interp=smooth, at=pixel)\n"
    "    32x2 %2 = @load_interpolated_input (%1) (slot=location, location=0, component=2)\n"
    "    32 %3 = @load_interpolated_input (%1) (slot=location, location=2, component=1)\n"
    "    32 %4 = @load_interpolated_input (%1) (slot=location, location=5, component=0)\n"
    "    64 %5 = @load_input (slot=location, location=3, component=2)\n"
    "    32 %6 = unpack_64_2x32_x %5\n"
    "    32 %7 = @load_input (slot=location, location=2, component=2)\n"
    "    32 %8 = fadd %2.x, %2.y\n"
    "    32 %9 = fadd %8, %3\n"
    "    32 %10 = fadd %9, %4\n"
    "    32 %11 = fadd %10, %7\n"
    "    32x4 %12 = vec %11, %6, %6, %10\n"
    "    @store_output (%12) (slot=location, location=0, component=0, type=float)\n"
    "    return\n"
    "}\n";

/* Both shaders' links. */
static void
link_both(ir_env *e, const char *text, family_pipeline *p, ir_fn **f)
{
    memset(p, 0, sizeof *p);
    read_outputs(e, &p->previous);
    *f = env_parse(e, &ir_hir_level, text);
    ir_verify(*f, "the fragment shader");
    family_link_inputs(*f, &p->next);
    family_link_stages(&p->previous, &p->next);
    p->has_next = p->has_previous = true;
}

/* Location 2 is flat in part: its first component is not location 0's. */
static void
test_ways(void **state)
{
    ir_env e;
    family_pipeline p;
    ir_fn *f;
    (void)state;
    link_both(&e, fragment, &p, &f);
    assert_int_equal(p.next.locations[2].way, FAMILY_WAY_SEVERAL);
    assert_true(p.next.locations[0].way && p.next.locations[0].way == p.next.locations[5].way);
    assert_int_equal(p.next.locations[2].same[1], 0);
    assert_int_equal(p.next.locations[0].same[3], 0); /* what is first is not read */
    p.next.locations[2].way = p.next.locations[0].way;
    family_link_stages(&p.previous, &p.next);
    assert_int_equal(p.next.locations[2].same[1], 1 + 3);
    env_close(&e);
}

static unsigned
count(const char *text, const char *what)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, what)); at++)
        n++;
    return n;
}

/* Of the loads one is left, of location 0's w. */
static void
test_apply_fragment(void **state)
{
    ir_env e;
    family_pipeline p;
    ir_fn *f;
    (void)state;
    link_both(&e, fragment, &p, &f);
    p.next.locations[2].same[1] = 1 + 3;
    family_apply_link(f, &p);
    ir_verify(f, "the fragment shader, linked");
    const char *text = env_print(&e, f, 0);
    assert_int_equal(count(text, "@load_interpolated_input"), 2); /* equal ones */
    assert_int_equal(count(text, "component=3"), 2);
    assert_int_equal(count(text, "@load_input"), 0);
    assert_int_equal(count(text, "0x1122334455667788"), 1);
    env_close(&e);
}

static void
test_apply_vertex(void **state)
{
    ir_env e;
    family_pipeline p;
    ir_fn *f;
    (void)state;
    link_both(&e, fragment, &p, &f);
    p.next.locations[2].same[1] = 1 + 3;
    f = env_parse(&e, &ir_hir_level, vertex);
    family_apply_link(f, &p);
    ir_verify(f, "the vertex shader, linked");
    const char *text = env_print(&e, f, 0);
    assert_int_equal(count(text, "@store_output"), 2);
    assert_int_equal(count(text, "component=3"), 1);
    assert_int_equal(count(text, "slot=point_size"), 1);
    env_close(&e);
}

/* Without the other stage nothing changes. */
static void
test_alone(void **state)
{
    ir_env e;
    family_pipeline p;
    ir_fn *f;
    (void)state;
    link_both(&e, fragment, &p, &f);
    const char *before = env_print(&e, f, 0);
    p.has_previous = false;
    family_apply_link(f, &p);
    family_apply_link(f, NULL);
    assert_string_equal(env_print(&e, f, 0), before);
    env_close(&e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs),      cmocka_unit_test(test_stages),
        cmocka_unit_test(test_ways),         cmocka_unit_test(test_apply_fragment),
        cmocka_unit_test(test_apply_vertex), cmocka_unit_test(test_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
