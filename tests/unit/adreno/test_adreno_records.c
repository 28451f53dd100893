/* Buffers of records, as acceleration structures are: their descriptor, and fetches by the record's
 * number and the texel's place in it. */
#include "adreno/emu/core/findings.h"
#include "adreno/emu/run/stage.h"
#include "adreno/isa/asm/asm.h"
#include "base/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { RECORD = 32, RECORDS = 3, FIBRES = 4 };

typedef struct fixture {
    diag diag;
    arena arena;
    mach_memory memory;
    mach_report report;
    adreno_dispatch dispatch;
    mach_region *records, *set;
} fixture;

static int
set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    diag_init(&f.diag);
    arena_init(&f.arena, &base_malloc_allocator, diag_out_of_memory, &f.diag);
    mach_memory_init(&f.memory, &f.arena);
    f.records = mach_memory_alloc(&f.memory, MACH_HEAP_LOW, 4 * RECORD * RECORDS, 0, "records");
    f.set = mach_memory_alloc(&f.memory, MACH_HEAP_LOW, ADRENO_DESCRIPTOR_BYTES, 0, "set");
    for (uint32_t k = 0; k < RECORD * RECORDS; k++)
        memcpy(f.records->host + 4 * (size_t)k, &(uint32_t){1000 + k}, 4);
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

/* The words that turnip writes (tu_descriptor_set.cc of Mesa), for so many records. */
static void
write_words(fixture *f, uint32_t records)
{
    const uint32_t words[ADRENO_TEXTURE_WORDS] = {75u << 22,
                                                  records,
                                                  RECORD << 4 | (uint32_t)ADRENO_TEX_BUFFER << 29,
                                                  0,
                                                  (uint32_t)f->records->base,
                                                  (uint32_t)(f->records->base >> 32)};
    memcpy(f->set->host, words, sizeof words);
}

static void
test_words(void **state)
{
    fixture *f = *state;
    adreno_buffer_view v;
    mach_image m;
    uint64_t address;
    uint32_t words[ADRENO_TEXTURE_WORDS];
    write_words(f, RECORDS);
    memcpy(words, f->set->host, sizeof words);
    assert_true(adreno_decode_buffer(words, &v));
    assert_int_equal(v.format, MACH_FORMAT_r32_uint);
    assert_int_equal(v.elements, RECORDS);
    assert_int_equal(v.record, RECORD);
    assert_int_equal(v.address, f->records->base);
    assert_true(adreno_decode_image(7, words, &m, &address));
    assert_int_equal(m.width, RECORD * RECORDS);
    assert_int_equal(m.size, 4 * RECORD * RECORDS);
    assert_true(adreno_encode_buffer(&v, words));
    words[0] &= ~(UINT32_C(0xfff) << 4); /* the swizzle, which turnip leaves out */
    assert_memory_equal(words, f->set->host, sizeof words);
    /* others have records of one texel */
    v.record = 0;
    assert_true(adreno_encode_buffer(&v, words));
    assert_int_equal(words[2] >> 4 & 0xfff, 1);
    assert_true(adreno_decode_buffer(words, &v));
    assert_int_equal(adreno_view_texels(&v), RECORDS);
}

/* Fibre k fetches the texel at the place that registers r1.x and r1.y say, and texel 6 of record 0
 * by aliases, as turnip's code does. */
static adreno_wave *
run(fixture *f, const uint32_t at[FIBRES][2])
{
    static const char text[] = "(rpt5)nop\n"
                               "alias.tex.b32.1 r40.x, (0x0)\n"
                               "alias.tex.b32.0 r40.y, (0x6)\n"
                               "isam.base0.1d (u32)(x)r2.x, r40.x, s#0, t#0\n"
                               "isam.base0.1d (u32)(x)r2.y, r1.x, s#0, t#0\n"
                               "(sy)end\n";
    const asm_options o = {.is_code = true};
    if (!DIAG_TRY(&f->diag))
        fail_msg("%s", f->diag.message);
    adreno_asm_unit *u = adreno_assemble_unit(&f->diag, &f->arena, adreno_isa_open(&f->arena, 7),
                                              &o, (asm_text){text, strlen(text)});
    asm_resolve(u->text);
    const base_buf *code = &u->text->sections[0].data;
    mach_region *r = mach_memory_alloc(&f->memory, MACH_HEAP_LOW, code->size, 0, "code");
    memcpy(r->host, code->data, code->size);
    f->dispatch = (adreno_dispatch){.gen = 7,
                                    .wave_size = 64,
                                    .entry = r->base,
                                    .sets = {f->set->base},
                                    .checks = MACH_CHECK_ALL & ~MACH_CHECK_RACES};
    adreno_stage *s = adreno_stage_open(&f->dispatch, &f->memory, &f->arena, &f->report);
    assert_non_null(s);
    adreno_wave *w = adreno_stage_begin(s, (const uint32_t[3]){0});
    for (unsigned k = 0; k < FIBRES; k++) {
        adreno_stage_give(w, k, 4, false, at[k][0]);
        adreno_stage_give(w, k, 5, false, at[k][1]);
    }
    assert_true(adreno_stage_run(s));
    return w;
}

static void
expect(adreno_wave *w, unsigned reg, const uint32_t want[FIBRES])
{
    for (unsigned k = 0; k < FIBRES; k++) {
        uint32_t bits;
        assert_true(adreno_stage_take(w, k, reg, "a value", &bits));
        assert_int_equal(bits, want[k]);
    }
}

static void
test_fetches(void **state)
{
    fixture *f = *state;
    write_words(f, RECORDS);
    adreno_wave *w = run(f, (const uint32_t[FIBRES][2]){{0, 0}, {1, 5}, {2, 31}, {3, 0}});
    expect(w, 8, (const uint32_t[FIBRES]){1006, 1006, 1006, 1006});
    expect(w, 9, (const uint32_t[FIBRES]){1000, 1037, 1095, 0});
    assert_int_equal(f->report.total, 0);
}

/* More records are stated than are in memory: those that are there can be fetched. */
static void
test_many_records(void **state)
{
    fixture *f = *state;
    write_words(f, 1 << 27);
    adreno_wave *w = run(f, (const uint32_t[FIBRES][2]){{0, 0}, {1, 5}, {2, 31}, {2, 30}});
    expect(w, 9, (const uint32_t[FIBRES]){1000, 1037, 1095, 1094});
    assert_int_equal(f->report.total, 0);
    run(f, (const uint32_t[FIBRES][2]){{0, 0}, {RECORDS, 5}, {2, 31}, {2, 30}});
    assert_int_equal(f->report.n_findings, 1);
    assert_string_equal(f->report.findings[0].rule, adreno_rules[ADRENO_RULE_LOAD_BOUNDS].name);
    assert_int_equal(f->report.findings[0].lane, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fetches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_records, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
