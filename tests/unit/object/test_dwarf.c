/* DWARF line tables: written tables with any rows are read back; malformed tables are errors. */
#include "world.h"

#include "object/dwarf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_FILES = 200, N_ROWS = 3000 };

static uint32_t
draw(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(*seed >> 33);
}

/* Rows near each other, as special opcodes have them, and far apart. */
static void
draw_lines(obj_line *lines, uint64_t seed)
{
    uint32_t offset = 0, line = 1000;
    for (uint32_t i = 0; i < N_ROWS; i++) {
        offset += 4 * (1 + (draw(&seed) % 4 ? draw(&seed) % 20 : draw(&seed) % 100000));
        line = draw(&seed) % 8 ? line + draw(&seed) % 20 : draw(&seed) % 100000;
        line -= line > 12 ? draw(&seed) % 12 : 0;
        lines[i] = (obj_line){offset, draw(&seed) % 9 ? 3 : draw(&seed) % N_FILES, line,
                              draw(&seed) % 3 ? 0 : draw(&seed) % 300};
    }
}

static void
test_round_trip(void **state)
{
    world *w = *state;
    obj_line *lines = ARENA_ARRAY(&w->a, N_ROWS, obj_line);
    const char **files = ARENA_ARRAY(&w->a, N_FILES, const char *);
    const dwarf_section none = {0};
    for (uint32_t i = 0; i < N_FILES; i++)
        files[i] = arena_printf(&w->a, "folder/%u.comp", i);
    for (uint64_t seed = 0; seed < 20; seed++) {
        obj_code c = {.files = files, .n_files = N_FILES, .lines = lines, .n_lines = N_ROWS};
        obj_code got = {0};
        base_buf b = buf_make(&w->a);
        dwarf_table t;
        draw_lines(lines, seed);
        c.data_offset = got.data_offset = lines[N_ROWS - 1].code_offset + 8;
        size_t address = dwarf_write_lines(&c, &b);
        b.data[address + 1] = 0x16; /* little-endian: 0x1600 */
        if (!DIAG_TRY(&w->d)) {
            fail_msg("%s", w->d.message);
            return;
        }
        dwarf_read_lines(&w->d, &w->a, &(dwarf_section){b.data, b.size}, &none, &none, &t);
        dwarf_set_lines(&w->a, &t, 0x1600, &got);
        assert_int_equal(got.n_files, N_FILES);
        assert_string_equal(got.files[7], "folder/7.comp");
        assert_int_equal(got.n_lines, N_ROWS);
        assert_memory_equal(got.lines, lines, N_ROWS * sizeof *lines);
        for (uint32_t i = 0; i < N_ROWS; i += 17) {
            const obj_line *row = obj_find_line(&got, lines[i].code_offset + 3);
            assert_int_equal(row ? row - got.lines : -1, lines[i].line ? (int)i : -1);
        }
        assert_null(obj_find_line(&got, 0));
    }
}

/* Reads `bytes`, with the number of rows in `*n`; false if that is an error. */
static bool
reads(world *w, const uint8_t *bytes, size_t size, size_t *n)
{
    const dwarf_section none = {0};
    dwarf_table t;
    if (!DIAG_TRY(&w->d)) {
        assert_int_equal(w->d.error, ERR_OBJECT_BAD_ELF);
        return false;
    }
    dwarf_read_lines(&w->d, &w->a, &(dwarf_section){bytes, size}, &none, &none, &t);
    *n = t.n_rows;
    return true;
}

static void
test_wrong_tables(void **state)
{
    static const char *const files[] = {"a"};
    static const obj_line lines[] = {{0, 0, 3, 0}, {4, 0, 4, 0}};
    world *w = *state;
    obj_code c = {.files = files, .n_files = 1, .lines = lines, .n_lines = 2, .data_offset = 8};
    base_buf b = buf_make(&w->a);
    size_t n = 0;
    dwarf_write_lines(&c, &b);
    assert_true(reads(w, b.data, b.size, &n));
    assert_int_equal(n, 3); /* with the end of the sequence */
    for (size_t size = 1; size < b.size; size++)
        assert_false(reads(w, b.data, size, &n)); /* its length exceeds the section */
    b.data[4] = 9;                                /* a future version is skipped */
    assert_true(reads(w, b.data, b.size, &n));
    assert_int_equal(n, 0);
    b.data[4] = 5;
    enum { LINE_RANGE_AT = 4 + 2 + 2 + 4 + 4 };
    assert_int_equal(b.data[LINE_RANGE_AT], 14);
    b.data[LINE_RANGE_AT] = 0;
    assert_false(reads(w, b.data, b.size, &n));
    /* Directory entries that take no bytes could be any number. */
    static const uint8_t endless[] = {26,   0,  0, 0, 5,    0,    8,    0,    18, 0, 0, 0, 4, 1, 1,
                                      0xfb, 14, 1, 0, 0xff, 0xff, 0xff, 0xff, 15, 0, 0, 0, 0, 0, 0};
    assert_false(reads(w, endless, sizeof endless, &n));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, make_world, drop_world),
        cmocka_unit_test_setup_teardown(test_wrong_tables, make_world, drop_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
