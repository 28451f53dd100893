/* Command streams of Adreno a6xx: a dispatch with registers, constants and a called stream, what
 * events leave, a border colour in its table, and streams that are wrong. */
#include "adreno/isa/asm/asm.h"
#include "base/bits.h"
#include "base/diag.h"
#include "gpu/a6xx/a6xx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 1024, BUFFERS = 4, INSTRLEN_UNIT = 128 };
#define BASE UINT64_C(0x100001000)

/* Buffers of WORDS dwords, one page apart: two streams, code, data. */
enum { STREAM, CALLED, CODE, DATA };

typedef struct fixture {
    diag diag;
    arena arena;
    uint32_t words[BUFFERS][WORDS];
    uint32_t n[BUFFERS];
    gpu_a6xx_buffer buffers[BUFFERS];
    uint32_t dispatches, findings;
    char message[160];
} fixture;

static uint64_t
address_of(unsigned buffer)
{
    return BASE + UINT64_C(0x2000) * buffer;
}

/* Each invocation stores its number in the dispatch plus the first shared constant. */
static const char store_text[] = "@fullsyncstart\n"
                                 "@fullnopstart\n"
                                 "shl.b r2.x, r48.x, 6\n"
                                 "add.u r2.x, r2.x, r0.x\n"
                                 "shl.b r2.y, r2.x, 2\n"
                                 "add.u r1.x, r2.y, c0.x\n"
                                 "mov.u32u32 r1.y, c0.y\n"
                                 "add.u r2.z, r2.x, c504.x\n"
                                 "stg.u32 g[r1.x], r2.z, 1\n"
                                 "@fullnopend\n"
                                 "@fullsyncend\n"
                                 "end\n";

/* Stores what is left of a texture. */
static const char border_text[] = "@fullsyncstart\n"
                                  "@fullnopstart\n"
                                  "mov.u32u32 r0.x, -1082130432\n" /* -1.0 */
                                  "mov.u32u32 r0.y, 0\n"
                                  "mov.u32u32 r0.z, 0\n"
                                  "saml.base0 (f32)(xyzw)r1.x, r0.x, r0.z, s#1, t#0\n"
                                  "mov.u32u32 r2.x, c0.x\n"
                                  "mov.u32u32 r2.y, c0.y\n"
                                  "stg.u32 g[r2.x], r1.x, 4\n"
                                  "@fullnopend\n"
                                  "@fullsyncend\n"
                                  "end\n";

static void
assemble(fixture *f, const char *text)
{
    const asm_options o = {.is_code = true};
    const adreno_isa *isa = adreno_isa_open(&f->arena, 6);
    if (!DIAG_TRY(&f->diag))
        fail_msg("%s", f->diag.message);
    adreno_asm_unit *u = adreno_assemble_unit(&f->diag, &f->arena, isa, &o,
                                              (asm_text){text, strlen(text)});
    asm_resolve(u->text);
    memcpy(f->words[CODE], u->text->sections[0].data.data, u->text->sections[0].data.size);
}

static int
set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    diag_init(&f.diag);
    arena_init(&f.arena, &base_malloc_allocator, diag_out_of_memory, &f.diag);
    for (unsigned k = 0; k < BUFFERS; k++)
        f.buffers[k] = (gpu_a6xx_buffer){address_of(k), sizeof f.words[k], (uint8_t *)f.words[k]};
    assemble(&f, store_text);
    *state = &f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    arena_free(&f->arena);
    return 0;
}

/* ---- streams ---- */

static void
put(fixture *f, unsigned stream, uint32_t word)
{
    f->words[stream][f->n[stream]++] = word;
}

static void
put_list(fixture *f, unsigned stream, const uint32_t *words, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        put(f, stream, words[k]);
}

static uint32_t
parity(uint32_t value)
{
    return ~base_popcount32(value) & 1;
}

static void
set_register(fixture *f, unsigned stream, uint32_t number, uint32_t value)
{
    put(f, stream, 4u << 28 | 1 | parity(1) << 7 | number << 8 | parity(number) << 27);
    put(f, stream, value);
}

static void
operate(fixture *f, unsigned stream, uint32_t opcode, const uint32_t *words, uint32_t n)
{
    put(f, stream, 7u << 28 | n | parity(n) << 15 | opcode << 16 | parity(opcode) << 23);
    put_list(f, stream, words, n);
}

static void
note(void *user, const adreno_dispatch *d, const mach_report *r)
{
    fixture *f = user;
    (void)d;
    f->dispatches++;
    f->findings += r->n_findings;
    if (r->n_findings)
        print_message("%s: %s\n", r->findings[0].text, r->findings[0].message);
}

static bool
execute(fixture *f)
{
    const gpu_a6xx_stream stream = {address_of(STREAM), f->n[STREAM]};
    const gpu_a6xx_submission s = {.buffers = f->buffers,
                                   .n_buffers = BUFFERS,
                                   .streams = &stream,
                                   .n_streams = 1,
                                   .checks = MACH_CHECK_ALL,
                                   .ran = note,
                                   .user = f};
    return gpu_a6xx_execute(&s, &f->arena, f->message);
}

/* Registers of the shader, in the called stream. */
static void
put_program(fixture *f)
{
    const uint64_t code = address_of(CODE);
    set_register(f, CALLED, 0xa9b0, 4u << 7 | 1u << 31); /* four registers */
    set_register(f, CALLED, 0xa9b4, (uint32_t)code);     /* SP_CS_OBJ_START */
    set_register(f, CALLED, 0xa9b5, (uint32_t)(code >> 32));
    set_register(f, CALLED, 0xa9bc, sizeof f->words[CODE] / INSTRLEN_UNIT);
    set_register(f, CALLED, 0xb990, 3 | 63u << 2);                   /* groups of 64 */
    set_register(f, CALLED, 0xb997, 192 | 0xfcu << 8 | 0xfcu << 16); /* r48.x, r0.x */
}

/* The data's address in c0, a number in c504. */
static void
put_constants(fixture *f, uint32_t number)
{
    const uint64_t data = address_of(DATA);
    const uint32_t own[] = {1u << 14 | 13u << 18 | 1u << 22, 0, 0, (uint32_t)data,
                            (uint32_t)(data >> 32),          0, 0};
    const uint32_t shared[] = {2u << 14 | 14u << 18 | 1u << 22, 0, 0, number};
    operate(f, STREAM, 0x34, own, 7);
    operate(f, STREAM, 0x34, shared, 4);
}

static void
put_call(fixture *f)
{
    const uint64_t called = address_of(CALLED);
    operate(f, STREAM, 0x3f, (uint32_t[]){(uint32_t)called, (uint32_t)(called >> 32), f->n[CALLED]},
            3);
}

static void
check_data(const fixture *f, uint32_t n, uint32_t number)
{
    for (uint32_t k = 0; k < WORDS; k++)
        assert_int_equal(f->words[DATA][k], k < n ? k + number : 0);
}

/* ---- tests ---- */

static void
test_dispatch(void **state)
{
    fixture *f = *state;
    put_program(f);
    put_call(f);
    put_constants(f, 1000);
    operate(f, STREAM, 0x33, (uint32_t[]){0, 3, 1, 1}, 4);
    if (!execute(f))
        fail_msg("%s", f->message);
    assert_int_equal(f->dispatches, 1);
    assert_int_equal(f->findings, 0);
    check_data(f, 3 * 64, 1000);
}

/* The numbers of groups are in memory, behind the code. */
static void
test_indirect(void **state)
{
    fixture *f = *state;
    const uint64_t groups = address_of(CALLED) + 4 * (WORDS - 3);
    memcpy(f->words[CALLED] + WORDS - 3, (uint32_t[]){2, 1, 1}, 12);
    put_program(f);
    put_call(f);
    put_constants(f, 7);
    operate(f, STREAM, 0x41, (uint32_t[]){0, (uint32_t)groups, (uint32_t)(groups >> 32), 0}, 4);
    if (!execute(f))
        fail_msg("%s", f->message);
    check_data(f, 2 * 64, 7);
}

static void
test_constant_without_value(void **state)
{
    fixture *f = *state;
    put_program(f);
    put_call(f);
    operate(f, STREAM, 0x33, (uint32_t[]){0, 1, 1, 1}, 4);
    assert_true(execute(f));
    assert_true(f->findings > 0);
}

/* Dwords of DATA where things are. */
enum { SET = 256, TEXEL = 512, TABLE = 640 };

/* A set with a texture of one texel and a sampler whose border colour is entry 2 of the table. */
static void
put_texture(fixture *f)
{
    uint32_t *data = f->words[DATA];
    const uint64_t set = address_of(DATA) + 4 * SET, table = address_of(DATA) + 4 * TABLE;
    mach_image m = {.dim = MACH_DIM_2D,
                    .format = MACH_FORMAT_r32g32b32a32_sfloat,
                    .width = 1,
                    .height = 1,
                    .depth = 1,
                    .layers = 1,
                    .levels = 1,
                    .samples = 1};
    assert_true(adreno_layout_image(6, &m) > 0);
    assert_true(adreno_encode_image(&m, address_of(DATA) + 4 * TEXEL, data + SET));
    data[SET + 16] = 3u << 5 | 3u << 8 | 3u << 11; /* clamped to the border */
    data[SET + 18] = 2u << 7;
    set_register(f, CALLED, 0xa9e8, (uint32_t)set | 3);
    set_register(f, CALLED, 0xa9e9, (uint32_t)(set >> 32));
    set_register(f, CALLED, 0xb180, (uint32_t)table);
    set_register(f, CALLED, 0xb181, (uint32_t)(table >> 32));
    set_register(f, CALLED, 0xb990, 3); /* groups of one */
}

static void
test_border_color(void **state)
{
    fixture *f = *state;
    static const uint32_t color[4] = {0x3f000000, 0x40000000, 0xc0400000, 0x3f800000};
    assemble(f, border_text);
    put_program(f);
    put_texture(f);
    memcpy(f->words[DATA] + TABLE + 2 * 32, color, sizeof color);
    put_call(f);
    put_constants(f, 0);
    operate(f, STREAM, 0x33, (uint32_t[]){0, 1, 1, 1}, 4);
    if (!execute(f))
        fail_msg("%s", f->message);
    assert_int_equal(f->findings, 0);
    assert_memory_equal(f->words[DATA], color, sizeof color);
}

static void
test_events(void **state)
{
    fixture *f = *state;
    const uint64_t at = address_of(DATA) + 8;
    const uint32_t low = (uint32_t)at, high = (uint32_t)(at >> 32);
    operate(f, STREAM, 0x46, (uint32_t[]){4, low, high, 55}, 4);
    operate(f, STREAM, 0x46, (uint32_t[]){6}, 1);
    operate(f, STREAM, 0x3d, (uint32_t[]){low + 4, high, 66, 77}, 4);
    assert_true(execute(f));
    assert_int_equal(f->words[DATA][2], 55);
    assert_int_equal(f->words[DATA][3], 66);
    assert_int_equal(f->words[DATA][4], 77);
}

static void
expect_failure(fixture *f, const char *what)
{
    assert_false(execute(f));
    if (!strstr(f->message, what))
        fail_msg("'%s' does not contain '%s'", f->message, what);
}

static void
test_parity(void **state)
{
    fixture *f = *state;
    set_register(f, STREAM, 0xa9b0, 0);
    f->words[STREAM][0] ^= 1u << 27;
    expect_failure(f, "parity");
    f->words[STREAM][0] ^= 1u << 27 | 1u << 7;
    expect_failure(f, "parity");
}

static void
test_wrong_streams(void **state)
{
    fixture *f = *state;
    operate(f, STREAM, 0x2f, NULL, 0);
    expect_failure(f, "no packet of this number (0x2f)");
    f->n[STREAM] = 0;
    operate(f, STREAM, 0x33, (uint32_t[]){0, 1}, 2);
    expect_failure(f, "too short");
    f->words[STREAM][0] = 7u << 28 | 0x3fff | parity(0x3fff) << 15 | 0x10u << 16 |
                          parity(0x10) << 23;
    expect_failure(f, "behind its stream");
    f->words[STREAM][0] = 3u << 30;
    expect_failure(f, "no type");
    f->n[STREAM] = 0;
    operate(f, STREAM, 0x3f, (uint32_t[]){0x1000, 0, 4}, 3);
    expect_failure(f, "in no buffer (0x1000)");
    f->n[STREAM] = 0;
    operate(f, STREAM, 0x3f, (uint32_t[]){(uint32_t)BASE, (uint32_t)(BASE >> 32), 4}, 3);
    expect_failure(f, "too deep");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_dispatch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_indirect, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_constant_without_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_border_color, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_events, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parity, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_streams, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
