/* The instruction table, decoder and encoder on their own: rules of the table, fields after
 * decoding, instructions that cannot be encoded, files of assembly. tests/isa compares bytes and
 * texts of every row. */
#include "amd/isa/table/consts.h"
#include "amd/isa/table/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const amd_gen gen = AMD_GFX10_3;

static void
out_of_memory(void *user)
{
    (void)user;
    exit(3);
}

typedef struct fixture {
    arena arena;
    diag diag;
    base_buf code;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    arena_init(&f->arena, &base_malloc_allocator, out_of_memory, NULL);
    f->code = buf_make(&f->arena);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    arena_free(&f->arena);
    free(f);
    return 0;
}

/* Assembles `text`; false with the diagnostic in f->diag. */
static bool
assemble(fixture *f, const char *text)
{
    diag_init(&f->diag);
    f->code.size = 0;
    if (!DIAG_TRY(&f->diag))
        return false;
    amd_assemble(&f->diag, &f->arena, gen, true, text, strlen(text), &f->code);
    return true;
}

static amd_inst
inst_of(fixture *f, const char *text)
{
    amd_inst in;
    if (!assemble(f, text))
        fail_msg("%s: %s", text, f->diag.message);
    assert_true(amd_decode(gen, f->code.data, f->code.size, &in));
    assert_int_equal(in.size, f->code.size);
    return in;
}

static uint32_t
word(const fixture *f, size_t i)
{
    const uint8_t *p = f->code.data + i * 4;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void
numbers_lead_back_to_rows(void **state)
{
    (void)state;
    static const amd_gen gens[] = {AMD_GFX10, AMD_GFX10_3};
    for (unsigned g = 0; g < 2; g++) {
        for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++) {
            for (amd_fmt fmt = 1; fmt < AMD_FMT_COUNT; fmt++) {
                int number = amd_op_number(op, fmt, gens[g]);
                if (number >= 0)
                    assert_int_equal(amd_op_find(gens[g], fmt, (unsigned)number), op);
            }
        }
    }
    assert_int_equal(amd_op_number(AMD_V_ADD_F32, AMD_VOP2, gen), 3);
    assert_int_equal(amd_op_number(AMD_V_ADD_F32, AMD_VOP3, gen), 0x103);
    assert_int_equal(amd_op_number(AMD_V_RCP_F32, AMD_VOP3, gen), 0x180 + 0x2a);
    assert_int_equal(amd_op_number(AMD_V_FMAMK_F32, AMD_VOP3, gen), -1);
    assert_int_equal(amd_op_number(AMD_V_MAC_F32, AMD_VOP2, AMD_GFX10), 0x1f);
    assert_int_equal(amd_op_number(AMD_V_MAC_F32, AMD_VOP2, gen), -1);
    assert_null(amd_op_row(AMD_OP_INVALID));
    assert_null(amd_op_row(AMD_OP_HW_COUNT));
}

static void
rows_are_consistent(void **state)
{
    (void)state;
    for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++) {
        const amd_op_info *row = amd_op_row(op);
        assert_true(amd_op_dst_count(row) <= AMD_MAX_DST);
        assert_true(amd_op_src_count(row) <= AMD_MAX_SRC);
        if (row->flags & AMD_F_COMM)
            assert_int_equal(row->reversed, op);
        if (row->reversed != AMD_OP_INVALID) {
            const amd_op_info *other = amd_op_row((amd_op)row->reversed);
            assert_int_equal(other->reversed, op);
            assert_int_equal(amd_op_src(row, 0)->type, amd_op_src(other, 1)->type);
            assert_int_equal(amd_op_src(row, 1)->type, amd_op_src(other, 0)->type);
        }
        bool memory = row->flags & (AMD_F_LOAD | AMD_F_STORE | AMD_F_ATOMIC);
        if (memory)
            assert_true(row->flags & (AMD_F_VM | AMD_F_VS | AMD_F_LGKM));
    }
}

static uint64_t
next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *state >> 24;
}

/* The leading bits of every encoding, so that random words are often instructions. */
static const uint32_t heads[] = {0x00000000, 0x7e000000, 0x7c000000, 0x80000000, 0xb0000000,
                                 0xbe800000, 0xbf000000, 0xbf800000, 0xc8000000, 0xcc000000,
                                 0xd4000000, 0xd8000000, 0xdc000000, 0xe0000000, 0xe8000000,
                                 0xf0000000, 0xf4000000, 0xf8000000};

static void
decode_and_encode_are_inverse(void **state)
{
    fixture *f = *state;
    uint64_t random = 1;
    unsigned valid = 0;
    for (unsigned i = 0; i < 400000; i++) {
        uint8_t bytes[20];
        amd_inst in, again;
        for (unsigned k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)next_random(&random);
        uint32_t head = heads[i % (sizeof heads / sizeof *heads)];
        bytes[3] = (uint8_t)(head >> 24 | (bytes[3] & 3));
        bytes[2] = (uint8_t)(head >> 16 | bytes[2]);
        if (i & 1) /* VOP3 and image words are more often valid with few modifiers */
            bytes[1] = 0, bytes[7] &= 7;
        arena_mark mark = arena_save(&f->arena);
        base_buf code = buf_make(&f->arena), text = buf_make(&f->arena);
        if (amd_decode(gen, bytes, sizeof bytes, &in)) {
            valid++;
            assert_true(in.size >= 4 && in.size <= sizeof bytes);
            amd_print(gen, &in, i & 2, &text);
            assert_true(amd_encode(gen, &in, &code));
            assert_int_equal(code.size, in.size);
            assert_true(amd_decode(gen, code.data, code.size, &again));
            assert_memory_equal(&in, &again, sizeof in);
        }
        arena_release(&f->arena, mark);
    }
    assert_true(valid > 50000);
}

static void
truncated_instructions_are_refused(void **state)
{
    fixture *f = *state;
    static const char *const texts[] = {
        "s_mov_b32 s0, 0x12345678",        "v_add_f32_sdwa v0, v1, v2",
        "v_fma_f32 v0, v1, 0x1234, v2",    "ds_read_b32 v0, v1",
        "v_mov_b32_dpp v0, v1 row_mirror", "image_load v0, [v1, v5, v3], s[0:7] dmask:0x1 dim:3D"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        inst_of(f, texts[i]);
        for (size_t size = 0; size < f->code.size; size++) {
            uint8_t *exact = malloc(size ? size : 1); /* so that ASan sees a read after the end */
            amd_inst in;
            memcpy(exact, f->code.data, size);
            assert_false(amd_decode(gen, exact, size, &in));
            free(exact);
        }
    }
}

static void
implied_operands_have_places(void **state)
{
    fixture *f = *state;
    amd_inst in = inst_of(f, "v_cmp_lt_f32_e32 vcc, s3, v1");
    assert_int_equal(in.n_dst, 1);
    assert_int_equal(in.dst[0], AMD_REG_VCC_LO);
    assert_int_equal(in.src[0], 3);
    assert_int_equal(in.src[1], AMD_REG_VGPR0 + 1);
    in = inst_of(f, "v_cmpx_lt_f32_e64 v1, v2");
    assert_int_equal(in.dst[0], AMD_REG_EXEC_LO);
    in = inst_of(f, "v_cndmask_b32_e32 v0, v1, v2, vcc");
    assert_int_equal(in.n_src, 3);
    assert_int_equal(in.src[2], AMD_REG_VCC_LO);
    in = inst_of(f, "v_add_co_ci_u32_e64 v0, s[2:3], v1, v2, s[4:5]");
    assert_int_equal(in.dst[1], 2);
    assert_int_equal(in.src[2], 4);
    in = inst_of(f, "v_fmaak_f32 v0, v1, v2, 0x40490fdb");
    assert_int_equal(in.src[2], AMD_SRC_LITERAL);
    assert_int_equal(in.literal, 0x40490fdb);
}

static void
optional_operands_are_absent(void **state)
{
    fixture *f = *state;
    amd_inst in = inst_of(f, "s_load_dwordx2 s[0:1], s[2:3], 0x10");
    assert_int_equal(in.src[1], AMD_REG_ABSENT);
    assert_int_equal(in.offset, 16);
    in = inst_of(f, "s_load_dwordx2 s[0:1], s[2:3], s7 offset:0x10");
    assert_int_equal(in.src[1], 7);
    in = inst_of(f, "buffer_load_dword v0, off, s[4:7], 0 offset:12");
    assert_int_equal(in.src[0], AMD_REG_ABSENT);
    assert_int_equal(in.src[1], 4);
    assert_int_equal(in.src[2], AMD_SRC_INT_0);
    in = inst_of(f, "buffer_load_dword v5, s[4:7], 0 offen lds");
    assert_int_equal(in.dst[0], AMD_REG_ABSENT);
    assert_int_equal(in.src[0], AMD_REG_VGPR0 + 5);
    in = inst_of(f, "global_atomic_add v[1:2], v3, off");
    assert_int_equal(in.dst[0], AMD_REG_ABSENT);
    assert_int_equal(in.src[1], AMD_REG_VGPR0 + 3);
    assert_int_equal(in.src[2], AMD_REG_ABSENT);
    in = inst_of(f, "global_atomic_add v9, v1, v3, s[2:3] offset:-8 glc");
    assert_int_equal(in.dst[0], AMD_REG_VGPR0 + 9);
    assert_int_equal(in.src[2], 2);
    assert_int_equal(in.offset, -8);
    in = inst_of(f, "scratch_load_dword v0, off, s4 offset:4");
    assert_int_equal(in.src[0], AMD_REG_ABSENT);
    assert_int_equal(in.src[1], 4);
    in = inst_of(f, "exp mrt0 v1, off, v3, off done vm");
    assert_int_equal(in.dmask, 5);
    assert_int_equal(in.src[1], AMD_REG_ABSENT);
    assert_int_equal(in.src[2], AMD_REG_VGPR0 + 3);
}

static void
modifiers_belong_to_sources(void **state)
{
    fixture *f = *state;
    amd_inst in = inst_of(f, "v_fma_f32 v0, -v1, |v2|, -|v3| clamp mul:4");
    assert_int_equal(in.neg, 5);
    assert_int_equal(in.abs, 6);
    assert_true(in.clamp);
    assert_int_equal(in.omod, 2);
    in = inst_of(f, "v_add_nc_u16 v0, v1, v2 op_sel:[0,1,1]");
    assert_int_equal(in.op_sel, 2 | 8);
    in = inst_of(f, "v_pk_add_f16 v0, v1, v2 op_sel_hi:[0,1] neg_lo:[1,0]");
    assert_int_equal(in.op_sel_hi, 2);
    assert_int_equal(in.neg, 1);
    in = inst_of(f, "v_fma_mix_f32 v0, |v1|, -v2, v3 op_sel_hi:[1,0,0]");
    assert_int_equal(in.neg_hi, 1);
    assert_int_equal(in.neg, 2);
    in = inst_of(f, "v_interp_p1ll_f16 v0, -v1, attr3.z high");
    assert_int_equal(in.neg, 1);
    assert_int_equal(in.imm, 256 + 3 * 4 + 2);
    in = inst_of(f, "image_store v[0:1], [v2, v9], s[0:7] dmask:0x3 dim:2D");
    assert_true(in.nsa);
    assert_int_equal(in.n_nsa, 2);
    assert_int_equal(in.nsa_addr[0], AMD_REG_VGPR0 + 2);
    assert_int_equal(in.nsa_addr[1], AMD_REG_VGPR0 + 9);
    assert_int_equal(in.src[1], AMD_REG_VGPR0 + 2);
    in = inst_of(f, "s_branch 0xfffe");
    assert_int_equal(in.imm, -2);
}

/* `in` can be encoded; with `change` applied it cannot. */
#define REFUSES(text, change)                                                                      \
    do {                                                                                           \
        amd_inst in = inst_of(f, text);                                                            \
        assert_true(amd_encode(gen, &in, &f->code));                                               \
        change;                                                                                    \
        size_t size = f->code.size;                                                                \
        assert_false(amd_encode(gen, &in, &f->code));                                              \
        assert_int_equal(f->code.size, size);                                                      \
    } while (0)

static void
what_has_no_encoding_is_refused(void **state)
{
    fixture *f = *state;
    REFUSES("v_add_f32_e32 v0, v1, v2", in.src[1] = 4);
    REFUSES("v_add_f32_e32 v0, v1, v2", in.neg = 1);
    REFUSES("v_add_f32_e32 v0, v1, v2", in.n_src = 1);
    REFUSES("v_add_f32_e32 v0, v1, v2", in.dst[0] = 4);
    REFUSES("v_add_f32_e64 v0, v1, v2", in.neg = 4);
    REFUSES("v_add_f32_e64 v0, v1, v2", in.src[0] = 512);
    REFUSES("v_add_f32_e64 v0, v1, v2", in.glc = true);
    REFUSES("v_add_nc_u32_e64 v0, v1, v2", in.omod = 1);
    REFUSES("v_add_f64 v[0:1], v[2:3], v[4:5]", in.src[0] = AMD_REG_VGPR0 + 255);
    REFUSES("v_add_f64 v[0:1], v[2:3], s[4:5]", in.src[1] = 5);
    REFUSES("v_mov_b32_dpp v0, v1 row_mirror", in.src[0] = 1);
    REFUSES("v_mov_b32_dpp v0, v1 row_mirror", in.dpp_ctrl = 0x130);
    REFUSES("v_mov_b32_sdwa v0, v1", in.src0_sel = 7);
    REFUSES("v_fma_f32 v0, v1, v2, v3", in.ext = AMD_EXT_DPP16);
    REFUSES("s_mov_b32 s0, s1", in.dst[0] = AMD_SRC_INT_0);
    REFUSES("s_mov_b64 s[0:1], s[2:3]", in.dst[0] = 1);
    REFUSES("s_movk_i32 s0, 1", in.imm = 0x10000);
    REFUSES("s_load_dword s0, s[2:3], 0x10", in.offset = 1 << 20);
    REFUSES("s_load_dword s0, s[2:3], 0x10", in.src[0] = 3);
    REFUSES("buffer_load_dword v0, off, s[4:7], 0", in.offset = 4096);
    REFUSES("buffer_load_dword v0, off, s[4:7], 0", in.offset = -1);
    REFUSES("buffer_load_dword v0, off, s[4:7], 0", in.offen = true);
    REFUSES("buffer_load_dword v0, off, s[4:7], 0", in.src[1] = 6);
    REFUSES("buffer_load_dwordx2 v[0:1], off, s[4:7], 0", in.lds = true);
    REFUSES("flat_load_dword v0, v[1:2]", in.offset = 2048);
    REFUSES("flat_atomic_add v[1:2], v0", in.glc = true);
    REFUSES("global_load_dword v0, v[1:2], off", in.offset = -2049);
    REFUSES("ds_read_b32 v0, v1", in.offset = 65536);
    REFUSES("ds_bpermute_b32 v0, v1, v2", in.gds = true);
    REFUSES("image_load v0, [v1, v3], s[0:7] dmask:0x1 dim:2D", in.n_nsa = 3);
    REFUSES("image_load v0, v[1:2], s[0:7] dmask:0x1 dim:2D", in.dim = 8);
    REFUSES("s_nop 0", in.op = AMD_V_MAC_F32);
    REFUSES("s_nop 0", in.op = AMD_OP_INVALID);
    REFUSES("s_nop 0", in.fmt = AMD_VOP3);
}

static void
inline_constants(void **state)
{
    (void)state;
    assert_int_equal(amd_inline_constant(AMD_T_B32, 64), AMD_SRC_INT_0 + 64);
    assert_int_equal(amd_inline_constant(AMD_T_B32, 65), AMD_SRC_LITERAL);
    assert_int_equal(amd_inline_constant(AMD_T_B32, 0xfffffff0), 208);
    assert_int_equal(amd_inline_constant(AMD_T_B32, 0xffffffef), AMD_SRC_LITERAL);
    assert_int_equal(amd_inline_constant(AMD_T_F32, 0x3f800000), 242);
    assert_int_equal(amd_inline_constant(AMD_T_F32, 0x3e22f983), AMD_SRC_F_INV_2PI);
    assert_int_equal(amd_inline_constant(AMD_T_F16, 0x3c00), 242);
    assert_int_equal(amd_inline_constant(AMD_T_F16, 0xfff0), 208);
    assert_int_equal(amd_inline_constant(AMD_T_I16, 0x3c00), AMD_SRC_LITERAL);
    assert_int_equal(amd_inline_constant(AMD_T_F64, UINT64_C(0xc010000000000000)), 247);
    assert_int_equal(amd_inline_constant(AMD_T_F64, 0x3f800000), AMD_SRC_LITERAL);
}

static void
branches_and_data(void **state)
{
    fixture *f = *state;
    assert_true(assemble(f, "first: s_nop 1 ; a comment\n"
                            "  s_cbranch_scc0 last // forward\n"
                            "/* a comment\n of two lines */ s_branch first\n"
                            ".set four, 2 * (1 + 1)\n"
                            "five = four + 1\n"
                            "  .long four, -five, ~0\n"
                            "  .short 0x1234\n  .byte 1, \"X\"\n") == false);
    assert_int_equal(f->diag.loc.line, 9);
    assert_true(assemble(f, "first: s_nop 1 ; a comment\n"
                            "  s_cbranch_scc0 last // forward\n"
                            "/* a comment\n of two lines */ s_branch first\n"
                            ".set four, 2 * (1 + 1)\n"
                            "five = four + 1\n"
                            "  .long four, -five, ~0\n"
                            "  .short 0x1234\n  .byte 1, 'X'\n"
                            "  .p2align 5\n"
                            ".amdhsa_kernel k\n .amdhsa_user_sgpr_count 2\n.end_amdhsa_kernel\n"
                            "last: s_endpgm"));
    assert_int_equal(f->code.size, 36);
    assert_int_equal(word(f, 0), 0xbf800001);
    assert_int_equal(word(f, 1), 0xbf840006); /* from word 2 to word 8 */
    assert_int_equal(word(f, 2), 0xbf82fffd);
    assert_int_equal(word(f, 3), 4);
    assert_int_equal(word(f, 4), 0xfffffffb);
    assert_int_equal(word(f, 5), 0xffffffff);
    assert_int_equal(word(f, 6), 0x58011234);
    assert_int_equal(word(f, 7), 0xbf800000);
    assert_int_equal(word(f, 8), 0xbf810000);
}

static void
errors_name_the_place(void **state)
{
    fixture *f = *state;
    assert_false(assemble(f, "s_nop 0\n\n  v_add_f32 v0, v1, q2\n"));
    assert_int_equal(f->diag.error, ERR_ASM_UNDEFINED);
    assert_int_equal(f->diag.loc.line, 3);
    assert_int_equal(f->diag.loc.column, 21);
    assert_false(assemble(f, "s_nop 0\nhere: s_nop 0\nhere:"));
    assert_int_equal(f->diag.error, ERR_ASM_REDEFINED);
    assert_int_equal(f->diag.loc.line, 3);
    assert_false(assemble(f, "s_branch there\ns_nop 0"));
    assert_int_equal(f->diag.error, ERR_ASM_UNDEFINED);
    assert_int_equal(f->diag.loc.line, 1);
    assert_int_equal(f->diag.loc.column, 10);
}

static void
wave_masks_have_the_wave_size(void **state)
{
    fixture *f = *state;
    amd_inst in;
    base_buf text = buf_make(&f->arena);
    diag_init(&f->diag);
    f->code.size = 0;
    if (DIAG_TRY(&f->diag)) {
        static const char source[] =
            "v_cmp_eq_u32_e64 s3, v0, v1\nv_cndmask_b32 v0, v1, v2, vcc_lo";
        amd_assemble(&f->diag, &f->arena, gen, false, source, sizeof source - 1, &f->code);
    }
    assert_int_equal(f->diag.error, ERR_NONE);
    assert_true(amd_decode(gen, f->code.data, f->code.size, &in));
    amd_print(gen, &in, false, &text);
    assert_string_equal(buf_text(&text), "v_cmp_eq_u32_e64 s3, v0, v1");
    assert_false(assemble(f, "v_cmp_eq_u32_e64 s3, v0, v1"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_lead_back_to_rows),
        cmocka_unit_test(rows_are_consistent),
        cmocka_unit_test_setup_teardown(decode_and_encode_are_inverse, set_up, tear_down),
        cmocka_unit_test_setup_teardown(truncated_instructions_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(implied_operands_have_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(optional_operands_are_absent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(modifiers_belong_to_sources, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_has_no_encoding_is_refused, set_up, tear_down),
        cmocka_unit_test(inline_constants),
        cmocka_unit_test_setup_teardown(branches_and_data, set_up, tear_down),
        cmocka_unit_test_setup_teardown(errors_name_the_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wave_masks_have_the_wave_size, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
