/* The table of Adreno's instructions: its formats tile the word, its texts show what is encoded. */
#include "adreno/isa/table/table.h"

#include "base/bits.h"
#include "base/diag.h"

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

/* Each bit of each format belongs to one field or constant. */
static void
test_formats_tile_the_word(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ADRENO_FORMAT_COUNT; i++) {
        const adreno_format_info *format = adreno_format_row((adreno_format)i);
        uint64_t covered = 0;
        unsigned n = 0;
        for (; n < ADRENO_MAX_BITS && format->bits[n].width; n++) {
            const adreno_bits *b = &format->bits[n];
            const uint64_t bits = base_mask64(b->width) << b->low;
            if (b->low + b->width > 64 || covered & bits)
                fail_msg("%s: bits from %u on", format->name, b->low);
            covered |= bits;
        }
        if (covered != UINT64_MAX)
            fail_msg("%s: bits %016llx are missing", format->name, (unsigned long long)~covered);
        assert_true(n < ADRENO_MAX_BITS);
    }
}

/* Fields that no element of the text has by its own name: what shows them. */
static bool
is_shown_elsewhere(adreno_field field)
{
    static const adreno_field others[] = {
        ADRENO_F_r1,         ADRENO_F_r2,       ADRENO_F_r3,     ADRENO_F_neg1,
        ADRENO_F_neg2,       ADRENO_F_neg3,     ADRENO_F_last,   ADRENO_F_conv,
        ADRENO_F_full,       ADRENO_F_dst_full, ADRENO_F_kind,   ADRENO_F_dst_rel,
        ADRENO_F_base_high,  ADRENO_F_base,     ADRENO_F_mode,   ADRENO_F_off_high,
        ADRENO_F_off,        ADRENO_F_shift,    ADRENO_F_c1,     ADRENO_F_im1,
        ADRENO_F_im2,        ADRENO_F_im3,      ADRENO_F_uav_im, ADRENO_F_load_im,
        ADRENO_F_has_offset, ADRENO_F_bindless, ADRENO_F_sp,     ADRENO_F_const_a1,
        ADRENO_F_scope_high,
    };
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] == field)
            return true;
    return false;
}

/* Fields that the driver's disassembler does not show in these formats; such words are printed as data. */
static bool
is_hidden(const char *format, adreno_field field)
{
    const bool is_dp = (!strcmp(format, "CAT3_DP") && field == ADRENO_F_repeat) ||
                       (!strcmp(format, "CAT1_MOVMSK") && field == ADRENO_F_round);
    const bool is_lanes = !strncmp(format, "CAT5_BRCST", 10) || !strncmp(format, "CAT5_QUAD", 9);
    return is_dp ||
           (is_lanes && (field == ADRENO_F_d3 || field == ADRENO_F_a || field == ADRENO_F_o ||
                         field == ADRENO_F_src2)) ||
           (!strcmp(format, "CAT6_ATOMIC_B") && field == ADRENO_F_rck);
}

static bool
is_in_text(const adreno_isa *t, unsigned format, adreno_field field)
{
    for (const adreno_piece *p = t->pieces[format];
         p->element < ADRENO_ELEMENT_COUNT || p->character; p++) {
        if (p->element < ADRENO_ELEMENT_COUNT && p->element != ADRENO_E_name &&
            adreno_element_row((adreno_element)p->element)->field == field)
            return true;
    }
    return false;
}

/* Each field is shown by the text, and each element of the text is known. */
static void
test_texts_show_fields(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    assert_true(DIAG_TRY(&f.diag));
    const adreno_isa *t = adreno_isa_open(&f.arena, 7);
    for (unsigned i = 0; i < ADRENO_FORMAT_COUNT; i++) {
        const adreno_format_info *format = adreno_format_row((adreno_format)i);
        assert_null(strstr(format->text, "{}"));
        for (const adreno_piece *p = t->pieces[i];
             p->element < ADRENO_ELEMENT_COUNT || p->character; p++)
            if (p->element == ADRENO_ELEMENT_COUNT && p->character == '{')
                fail_msg("%s: unknown element", format->name);
        for (unsigned n = 0; n < ADRENO_MAX_BITS && format->bits[n].width; n++) {
            const adreno_bits *b = &format->bits[n];
            const adreno_field field = (adreno_field)b->value;
            if (b->kind == ADRENO_BITS_FIELD && !is_shown_elsewhere(field) &&
                !is_hidden(format->name, field) && !is_in_text(t, i, field))
                fail_msg("%s: field %u is not in the text", format->name, b->value);
        }
    }
    arena_free(&f.arena);
}

/* The number of a row fits into the opcode bits of its format, and rows differ in their constants or are told apart by values. */
static void
test_numbers(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    assert_true(DIAG_TRY(&f.diag));
    for (unsigned gen = ADRENO_FIRST_GEN; gen <= ADRENO_LAST_GEN; gen++) {
        const adreno_isa *t = adreno_isa_open(&f.arena, gen);
        for (unsigned op = 1; op < ADRENO_OP_COUNT; op++) {
            const adreno_op_info *row = adreno_op_row((adreno_op)op);
            const adreno_format_info *format = adreno_format_of((adreno_op)op);
            unsigned bits = 0;
            for (unsigned n = 0; n < ADRENO_MAX_BITS && format->bits[n].width; n++)
                bits += format->bits[n].kind == ADRENO_BITS_NUMBER ? format->bits[n].width : 0;
            assert_int_equal(row->number >> bits, 0);
            assert_true(row->first <= row->last);
            for (unsigned other = 1; other < op; other++) {
                const bool same = t->mask[op] == t->mask[other] && t->value[op] == t->value[other];
                if (same && adreno_op_exists((adreno_op)op, gen) &&
                    adreno_op_exists((adreno_op)other, gen) &&
                    !(row->properties & ADRENO_OTHER_TYPES))
                    fail_msg("a%uxx: %s and %s are the same", gen, row->name,
                             adreno_op_row((adreno_op)other)->name);
            }
        }
    }
    arena_free(&f.arena);
}

/* What is encoded is decoded again. */
static void
test_codec(void **state)
{
    fixture f;
    adreno_inst in = {.op = ADRENO_ADD_F}, out;
    (void)state;
    start(&f);
    assert_true(DIAG_TRY(&f.diag));
    const adreno_isa *t = adreno_isa_open(&f.arena, 6);
    in.f[ADRENO_F_dst] = 5;
    in.f[ADRENO_F_src2] = 0x2802; /* (1.0) */
    in.f[ADRENO_F_full] = 1;
    assert_false(adreno_decode(t, adreno_encode(t, &in), &out));
    assert_int_equal(out.op, ADRENO_ADD_F);
    assert_memory_equal(out.f, in.f, sizeof in.f);
    assert_int_equal(adreno_read_source(out.f[ADRENO_F_src2]).kind, ADRENO_S_TABLE);
    assert_true(adreno_decode(t, UINT64_C(0x0000080000000000), &out)); /* bit 43 of a nop */
    assert_int_equal(out.op, ADRENO_NOP);
    assert_false(adreno_decode(t, UINT64_MAX, &out));
    assert_int_equal(out.op, ADRENO_RAW);
    assert_true(adreno_encode(t, &out) == UINT64_MAX);
    arena_free(&f.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats_tile_the_word),
        cmocka_unit_test(test_texts_show_fields),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_codec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
