/* The table of TeraScale's instructions: fields tile each word, texts show each field, rows differ. */
#include "base/bits.h"
#include "base/diag.h"
#include "r600/isa/table/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    diag diag;
    arena arena;
} fixture;

static void
start(fixture *f)
{
    diag_init(&f->diag);
    arena_init(&f->arena, &base_malloc_allocator, diag_out_of_memory, &f->diag);
}

/* Each bit of each word belongs to one field or constant. */
static void
test_fields_tile_words(void **state)
{
    (void)state;
    for (unsigned i = R600_WORD_NONE + 1; i < R600_WORD_COUNT; i++) {
        const r600_word_info *word = r600_word_row((r600_word)i);
        uint64_t covered = 0;
        unsigned n = 0;
        for (; n < R600_MAX_BITS && word->bits[n].width; n++) {
            const r600_bits *b = &word->bits[n];
            const uint64_t bits = base_mask64(b->width) << b->low;
            if (b->low + b->width > 32 || covered & bits)
                fail_msg("%s: bits from %u on", word->name, b->low);
            covered |= bits;
        }
        if (covered != UINT32_MAX)
            fail_msg("%s: bits %08x are missing", word->name, (unsigned)~covered);
        assert_true(n < R600_MAX_BITS);
    }
}

static bool
shows(const r600_isa *t, unsigned format, unsigned field)
{
    static const r600_element_kind runs[] = {R600_E_SELECTS, R600_E_UNNORM};
    for (const r600_piece *p = t->operands[format]; p->element < R600_ELEMENT_COUNT || p->character;
         p++) {
        if (p->element == R600_ELEMENT_COUNT)
            continue;
        const r600_element_info *e = r600_element_row((r600_element)p->element);
        const unsigned n = e->kind == runs[0] ? e->arg : e->kind == R600_E_REG && e->arg ? 2 : 1;
        if (field >= e->field && field < e->field + n)
            return true;
    }
    for (const uint8_t *o = t->options[format]; *o != R600_ELEMENT_COUNT; o++) {
        const r600_element_info *e = r600_element_row((r600_element)*o);
        const unsigned n = e->kind == runs[1] ? 4 : 1;
        const bool in_kcache = e->kind == R600_E_KCACHE &&
                               (field == R600_F_kc_mode0 + (unsigned)e->arg ||
                                field == R600_F_kc_addr0 + (unsigned)e->arg);
        if ((field >= e->field && field < e->field + n) || in_kcache)
            return true;
    }
    return false;
}

/* Fields that the printer of ALU instructions shows without an element. */
static bool
is_of_alu(unsigned field)
{
    return (field >= R600_F_src0_sel && field <= R600_F_src2_abs) || field == R600_F_last ||
           field == R600_F_write_mask || (field >= R600_F_dst_gpr && field <= R600_F_dst_chan);
}

static void
test_texts_show_fields(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    assert_true(DIAG_TRY(&f.diag));
    for (unsigned gen = 0; gen < R600_GENS; gen++) {
        const r600_isa *t = r600_isa_open(&f.arena, (r600_gen)gen);
        for (unsigned i = 0; i < R600_FORMAT_COUNT; i++) {
            const r600_format_info *format = r600_format_row((r600_format)i);
            for (unsigned field = 0; field < R600_FIELD_COUNT; field++)
                if (t->width[i][field] && !shows(t, i, field) &&
                    !(format->space == R600_SPACE_ALU && is_of_alu(field)))
                    fail_msg("%s: field %u is not in the text", format->name, field);
        }
    }
    arena_free(&f.arena);
}

/* The elements that texts name exist. */
static void
test_elements(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    assert_true(DIAG_TRY(&f.diag));
    const r600_isa *t = r600_isa_open(&f.arena, R600_GEN_EG);
    for (unsigned i = 0; i < R600_FORMAT_COUNT; i++) {
        const r600_format_info *format = r600_format_row((r600_format)i);
        unsigned braces = 0, elements = 0, words = *format->options ? 1 : 0, options = 0;
        for (const char *p = format->operands; *p; p++)
            braces += *p == '{';
        for (const r600_piece *p = t->operands[i]; p->element < R600_ELEMENT_COUNT || p->character;
             p++)
            elements += p->element < R600_ELEMENT_COUNT;
        for (const char *p = format->options; *p; p++)
            words += *p == ' ';
        while (t->options[i][options] != R600_ELEMENT_COUNT)
            options++;
        if (braces != elements || words != options)
            fail_msg("%s: an element does not exist", format->name);
    }
    arena_free(&f.arena);
}

/* Numbers fit into the opcode bits, and no two rows of a space have the same constants. */
static void
test_numbers(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    assert_true(DIAG_TRY(&f.diag));
    for (unsigned gen = 0; gen < R600_GENS; gen++) {
        const r600_isa *t = r600_isa_open(&f.arena, (r600_gen)gen);
        for (unsigned space = 0; space < R600_SPACES; space++) {
            for (const uint16_t *a = t->ops[space]; *a; a++)
                for (const uint16_t *b = t->ops[space]; b < a; b++)
                    if (!memcmp(t->mask[*a], t->mask[*b], sizeof t->mask[0]) &&
                        !memcmp(t->value[*a], t->value[*b], sizeof t->value[0]))
                        fail_msg("%s and %s are the same", r600_op_row((r600_op)*a)->name,
                                 r600_op_row((r600_op)*b)->name);
        }
    }
    arena_free(&f.arena);
}

/* Pieces of fields are put together: OFFSET of LDS, COUNT of R700. */
static void
test_pieces(void **state)
{
    fixture f;
    r600_inst in = {.op = R600_LDS_WRITE}, out;
    uint32_t words[R600_MAX_WORDS];
    (void)state;
    start(&f);
    assert_true(DIAG_TRY(&f.diag));
    for (uint32_t i = 0; i < 64; i++) {
        const r600_isa *t = r600_isa_open(&f.arena, R600_GEN_EG);
        in.f[R600_F_lds_offset] = i;
        r600_encode(t, &in, words);
        assert_false(r600_decode(t, R600_SPACE_ALU, words, &out));
        assert_int_equal(out.op, R600_LDS_WRITE);
        assert_int_equal(out.f[R600_F_lds_offset], i);
    }
    const r600_isa *t = r600_isa_open(&f.arena, R600_GEN_R700);
    in = (r600_inst){.op = R600_TEX};
    in.f[R600_F_count] = 13;
    r600_encode(t, &in, words);
    assert_int_equal(words[1], 5u << 10 | 1u << 19 | 1u << 23);
    arena_free(&f.arena);
}

/* A program's words are what control flow says. */
static void
test_map(void **state)
{
    fixture f;
    /* ALU @2 CNT(2); NOP END_OF_PROGRAM; a group of one instruction with a literal; data */
    static const uint32_t words[] = {0x00000002, 0xa0040000, 0x00000000, 0x80200000, 0x800000fd,
                                     0x00000c90, 0x0000002a, 0,          0x12345678, 0};
    uint8_t bytes[sizeof words];
    (void)state;
    start(&f);
    assert_true(DIAG_TRY(&f.diag));
    for (unsigned i = 0; i < sizeof words / 4; i++)
        base_put_u32(bytes + 4 * i, words[i]);
    const r600_place *p = r600_map_code(r600_isa_open(&f.arena, R600_GEN_EG), &f.arena, bytes,
                                        sizeof words / 4);
    assert_int_equal(p[0].kind, R600_PLACE_CODE);
    assert_int_equal(p[1].kind, R600_PLACE_INSIDE);
    assert_int_equal(p[4].space, R600_SPACE_ALU);
    assert_int_equal(p[4].group, 1);
    assert_int_equal(p[6].kind, R600_PLACE_LITERAL);
    assert_int_equal(p[6].size, 2);
    assert_int_equal(p[8].kind, R600_PLACE_DATA);
    arena_free(&f.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_tile_words),
        cmocka_unit_test(test_texts_show_fields),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
