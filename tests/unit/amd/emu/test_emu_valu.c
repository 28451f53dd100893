/* Vector ALU: values from the instructions' descriptions in the RDNA 2 ISA guide, and corner
 * values.
 *
 * A row runs one instruction with v0, v1, v2 set (and v3, the destination, to 0xdddddddd) and
 * compares v3 (and v4 for 64-bit results, which are in v[3:4]; 64-bit sources are v[0:1], v[6:7],
 * v[8:9]).
 */
#include "emu_env.h"

typedef struct row {
    const char *text;
    uint32_t a, b, c, want;
} row;

#define INF  0x7f800000
#define NINF 0xff800000
#define QNAN 0x7fc00000
#define SNAN 0x7f800001
#define ONE  0x3f800000
#define TWO  0x40000000
#define HALF 0x3f000000
#define NEG  0x80000000

static const row rows[] = {
    {"v_add_f32 v3, v0, v1", ONE, TWO, 0, 0x40400000},
    {"v_add_f32 v3, -v0, |v1|", ONE, 0xc0000000, 0, ONE},
    {"v_add_f32 v3, v0, v1", 1, 1, 0, 2}, /* denormals are kept */
    {"v_sub_f32 v3, v0, v1", ONE, TWO, 0, 0xbf800000},
    {"v_subrev_f32 v3, v0, v1", ONE, TWO, 0, ONE},
    {"v_mul_f32 v3, v0, v1", 0x40400000, HALF, 0, 0x3fc00000},
    {"v_mul_legacy_f32 v3, v0, v1", 0, INF, 0, 0},
    {"v_mul_legacy_f32 v3, v0, v1", QNAN, 0, 0, 0},
    {"v_fma_f32 v3, v0, v1, v2", 0x3f800001, 0x3f800001, 0xbf800002, 0x28800000}, /* one rounding */
    {"v_fma_f32 v3, v0, v1, v2 clamp", TWO, TWO, ONE, ONE},
    {"v_add_f32 v3, v0, v1 clamp", 0xbf800000, 0, 0, 0},
    {"v_min_f32 v3, v0, v1", QNAN, ONE, 0, ONE},
    {"v_min_f32 v3, v0, v1", ONE, QNAN, 0, ONE},
    {"v_min_f32 v3, v0, v1", 0, NEG, 0, NEG},
    {"v_max_f32 v3, v0, v1", NEG, 0, 0, 0},
    {"v_max_f32 v3, v0, v1", 0xbf800000, TWO, 0, TWO},
    {"v_med3_f32 v3, v0, v1, v2", ONE, 0x40400000, TWO, TWO},
    {"v_med3_f32 v3, v0, v1, v2", QNAN, 0x40400000, TWO, TWO},
    {"v_med3_i32 v3, v0, v1, v2", 5, 0xffffffff, 2, 2},
    {"v_med3_u32 v3, v0, v1, v2", 5, 0xffffffff, 2, 5},
    {"v_min3_f32 v3, v0, v1, v2", ONE, 0x40400000, TWO, ONE},
    {"v_max3_i32 v3, v0, v1, v2", 5, 0xffffffff, 7, 7},
    {"v_exp_f32 v3, v0", NINF, 0, 0, 0},
    {"v_exp_f32 v3, v0", NEG, 0, 0, ONE},
    {"v_exp_f32 v3, v0", INF, 0, 0, INF},
    {"v_exp_f32 v3, v0", 0x40400000, 0, 0, 0x41000000},
    {"v_exp_f32 v3, v0", 0xc2fe0000, 0, 0, 0}, /* 2^-127 is flushed */
    {"v_log_f32 v3, v0", NINF, 0, 0, 0xffc00000},
    {"v_log_f32 v3, v0", 0xbf800000, 0, 0, 0xffc00000},
    {"v_log_f32 v3, v0", NEG, 0, 0, NINF},
    {"v_log_f32 v3, v0", 0, 0, 0, NINF},
    {"v_log_f32 v3, v0", ONE, 0, 0, 0},
    {"v_log_f32 v3, v0", INF, 0, 0, INF},
    {"v_rcp_f32 v3, v0", NINF, 0, 0, NEG},
    {"v_rcp_f32 v3, v0", 0xc0000000, 0, 0, 0xbf000000},
    {"v_rcp_f32 v3, v0", NEG, 0, 0, NINF},
    {"v_rcp_f32 v3, v0", 1, 0, 0, INF}, /* denormals are flushed */
    {"v_rsq_f32 v3, v0", NEG, 0, 0, NINF},
    {"v_rsq_f32 v3, v0", 0x40800000, 0, 0, HALF},
    {"v_rsq_f32 v3, v0", INF, 0, 0, 0},
    {"v_sqrt_f32 v3, v0", NEG, 0, 0, NEG},
    {"v_sqrt_f32 v3, v0", 0x40800000, 0, 0, TWO},
    {"v_sqrt_f32 v3, v0", NINF, 0, 0, 0xffc00000},
    {"v_sin_f32 v3, v0", 0x3e800000, 0, 0, ONE}, /* revolutions */
    {"v_sin_f32 v3, v0", NEG, 0, 0, NEG},
    {"v_sin_f32 v3, v0", HALF, 0, 0, 0},
    {"v_cos_f32 v3, v0", 0x3e800000, 0, 0, 0},
    {"v_cos_f32 v3, v0", NEG, 0, 0, ONE},
    {"v_cos_f32 v3, v0", 0xff7fffff, 0, 0, ONE},
    {"v_fract_f32 v3, v0", 0xbfa00000, 0, 0, 0x3f400000},
    {"v_fract_f32 v3, v0", 0x80800000, 0, 0, 0x3f7fffff},
    {"v_rndne_f32 v3, v0", 0x40200000, 0, 0, TWO},
    {"v_ceil_f32 v3, v0", 0xbf000000, 0, 0, NEG},
    {"v_trunc_f32 v3, v0", 0xc0300000, 0, 0, 0xc0000000},
    {"v_frexp_exp_i32_f32 v3, v0", 0x41000000, 0, 0, 4},
    {"v_frexp_exp_i32_f32 v3, v0", INF, 0, 0, 0},
    {"v_frexp_mant_f32 v3, v0", 0xc1000000, 0, 0, 0xbf000000},
    {"v_ldexp_f32 v3, v0, v1", ONE, 0xfffffffe, 0, 0x3e800000},
    {"v_ldexp_f32 v3, v0, v1", ONE, 0x7fffffff, 0, INF},
    {"v_cubeid_f32 v3, v0, v1, v2", ONE, HALF, 0xc0000000, 0x40a00000},
    {"v_cubesc_f32 v3, v0, v1, v2", ONE, HALF, 0xc0000000, 0xbf800000},
    {"v_cubetc_f32 v3, v0, v1, v2", ONE, HALF, 0xc0000000, 0xbf000000},
    {"v_cubema_f32 v3, v0, v1, v2", ONE, HALF, 0xc0000000, 0xc0800000},
    {"v_div_fixup_f32 v3, v0, v1, v2", QNAN, 0, 0, 0xffc00000},
    {"v_div_fixup_f32 v3, v0, v1, v2", ONE, NEG, ONE, NINF},
    {"v_div_fixup_f32 v3, v0, v1, v2", 0xc0000000, ONE, TWO, TWO},
    {"v_cvt_i32_f32 v3, v0", QNAN, 0, 0, 0},
    {"v_cvt_i32_f32 v3, v0", 0x4f000000, 0, 0, 0x7fffffff},
    {"v_cvt_i32_f32 v3, v0", 0xc0300000, 0, 0, 0xfffffffe},
    {"v_cvt_u32_f32 v3, v0", 0xbf800000, 0, 0, 0},
    {"v_cvt_u32_f32 v3, v0", INF, 0, 0, 0xffffffff},
    {"v_cvt_u32_f32 v3, v0", 0x4f7fffff, 0, 0, 0xffffff00},
    {"v_cvt_f32_u32 v3, v0", 0xffffffff, 0, 0, 0x4f800000},
    {"v_cvt_f32_i32 v3, v0", 0xffffffff, 0, 0, 0xbf800000},
    {"v_cvt_rpi_i32_f32 v3, v0", 0x3fc00000, 0, 0, 2},
    {"v_cvt_flr_i32_f32 v3, v0", 0xbf000000, 0, 0, 0xffffffff},
    {"v_cvt_off_f32_i4 v3, v0", 8, 0, 0, 0xbf000000},
    {"v_cvt_off_f32_i4 v3, v0", 7, 0, 0, 0x3ee00000},
    {"v_cvt_f32_ubyte2 v3, v0", 0x00ff0000, 0, 0, 0x437f0000},
    {"v_cvt_pk_u8_f32 v3, v0, v1, v2", 0x43000000, 1, 0x11223344, 0x11228044},
    {"v_cvt_pknorm_i16_f32 v3, v0, v1", ONE, 0xbf800000, 0, 0x80017fff},
    {"v_cvt_pknorm_u16_f32 v3, v0, v1", ONE, 0xbf800000, 0, 0x0000ffff},
    {"v_cvt_pk_i16_i32 v3, v0, v1", 0x12345, 0xfffe0000, 0, 0x80007fff},
    {"v_cvt_pk_u16_u32 v3, v0, v1", 0x12345, 7, 0, 0x0007ffff},
    {"v_cvt_pkrtz_f16_f32 v3, v0, v1", 0x3f802fff, 0x47800000, 0, 0x7bff3c01},
    /* 16-bit results leave the other half */
    {"v_cvt_f16_f32 v3, v0", 0x3f803000, 0, 0, 0xdddd3c02},
    {"v_cvt_f16_f32 v3, v0", 0x33000000, 0, 0, 0xdddd0000},
    {"v_cvt_f16_f32 v3, v0", 0x33000001, 0, 0, 0xdddd0001},
    {"v_cvt_f16_f32 v3, v0", 0x477ff000, 0, 0, 0xdddd7c00},
    {"v_cvt_f32_f16 v3, v0", 0x00008001, 0, 0, 0xb3800000},
    {"v_add_f16 v3, v0, v1", 0x3c00, 0x4000, 0, 0xdddd4200},
    {"v_fma_f16 v3, v0, v1, v2 op_sel:[1,0,0,1]", 0x40000000, 0x4200, 0x3c00, 0x4700dddd},
    {"v_rcp_f16 v3, v0", 0xc000, 0, 0, 0xddddb800},
    {"v_sqrt_f16 v3, v0", 0xfc00, 0, 0, 0xddddfe00},
    {"v_sin_f16 v3, v0", 0x3400, 0, 0, 0xdddd3c00},
    {"v_ldexp_f16 v3, v0, v1", 0x3c00, 0xfff6, 0, 0xdddd1400},
    {"v_frexp_exp_i16_f16 v3, v0", 0x4000, 0, 0, 0xdddd0002},
    {"v_max_f16 v3, v0, v1", 0x8000, 0x0000, 0, 0xdddd0000},
    {"v_cvt_u16_f16 v3, v0", 0xbc00, 0, 0, 0xdddd0000},
    {"v_cvt_i16_f16 v3, v0", 0xfc00, 0, 0, 0xdddd8000},
    {"v_pack_b32_f16 v3, v0, v1", 0x11112222, 0x33334444, 0, 0x44442222},
    {"v_add_nc_u16 v3, v0, v1", 0xffff, 2, 0, 0xdddd0001},
    {"v_add_nc_u16 v3, v0, v1 clamp", 0xffff, 2, 0, 0xddddffff},
    {"v_mad_u16 v3, v0, v1, v2", 300, 300, 5, 0xdddd5f95},
    /* integers */
    {"v_add_nc_u32 v3, v0, v1", 0xffffffff, 2, 0, 1},
    {"v_add_nc_u32 v3, v0, v1 clamp", 0xffffffff, 2, 0, 0xffffffff},
    {"v_sub_nc_u32 v3, v0, v1 clamp", 1, 2, 0, 0},
    {"v_add_nc_i32 v3, v0, v1 clamp", 0x7fffffff, 1, 0, 0x7fffffff},
    {"v_sub_nc_i32 v3, v0, v1 clamp", 0x80000000, 1, 0, 0x80000000},
    {"v_mul_i32_i24 v3, v0, v1", 0x00ffffff, 5, 0, 0xfffffffb},
    {"v_mul_hi_u32_u24 v3, v0, v1", 0xffffffff, 0x00ffffff, 0, 0xffff},
    {"v_mad_u32_u24 v3, v0, v1, v2", 0xff000003, 4, 5, 17},
    {"v_mul_hi_i32 v3, v0, v1", 0xffffffff, 2, 0, 0xffffffff},
    {"v_mul_hi_u32 v3, v0, v1", 0xffffffff, 2, 0, 1},
    {"v_lshlrev_b32 v3, v0, v1", 33, 1, 0, 2},
    {"v_ashrrev_i32 v3, v0, v1", 4, 0x80000000, 0, 0xf8000000},
    {"v_bfe_u32 v3, v0, v1, v2", 0xabcd1234, 8, 8, 0x12},
    {"v_bfe_i32 v3, v0, v1, v2", 0x0000f000, 12, 4, 0xffffffff},
    {"v_bfe_i32 v3, v0, v1, v2", 0xffffffff, 12, 0, 0},
    {"v_bfi_b32 v3, v0, v1, v2", 0xff00ff00, 0x12345678, 0x9abcdef0, 0x12bc56f0},
    {"v_bfm_b32 v3, v0, v1", 4, 8, 0, 0xf00},
    {"v_bfrev_b32 v3, v0", 0x00000001, 0, 0, 0x80000000},
    {"v_ffbh_u32 v3, v0", 0, 0, 0, 0xffffffff},
    {"v_ffbh_u32 v3, v0", 0x0000ffff, 0, 0, 16},
    {"v_ffbl_b32 v3, v0", 0xff000008, 0, 0, 3},
    {"v_ffbh_i32 v3, v0", 0x40000000, 0, 0, 1},
    {"v_ffbh_i32 v3, v0", 0x0fffffff, 0, 0, 4},
    {"v_ffbh_i32 v3, v0", 0xffffffff, 0, 0, 0xffffffff},
    {"v_bcnt_u32_b32 v3, v0, v1", 0xf0f0, 100, 0, 108},
    {"v_alignbit_b32 v3, v0, v1, v2", 0x12345678, 0x9abcdef0, 8, 0x789abcde},
    {"v_alignbyte_b32 v3, v0, v1, v2", 0x12345678, 0x9abcdef0, 3, 0x3456789a},
    {"v_perm_b32 v3, v0, v1, v2", 0x01234567, 0x89abcdef, 0x0c070f00, 0x0001ffef},
    {"v_perm_b32 v3, v0, v1, v2", 0x01234567, 0x89abcdef, 0x080a0b04, 0xff000067},
    {"v_lerp_u8 v3, v0, v1, v2", 0x01020304, 0x02020203, 1, 0x01020204},
    {"v_sad_u8 v3, v0, v1, v2", 0x01ff0010, 0x02000000, 7, 7 + 1 + 255 + 16},
    {"v_msad_u8 v3, v0, v1, v2", 0x01ff0010, 0x02000000, 7, 8},
    {"v_sad_hi_u8 v3, v0, v1, v2", 0x01, 0x03, 7, 0x20007},
    {"v_sad_u32 v3, v0, v1, v2", 0xfffffffb, 0, 0, 0xfffffffb}, /* errata: unsigned distance */
    {"v_sad_u16 v3, v0, v1, v2", 0x00010002, 0x00030001, 1, 4},
    {"v_xad_u32 v3, v0, v1, v2", 6, 3, 10, 15},
    {"v_lshl_add_u32 v3, v0, v1, v2", 3, 4, 5, 53},
    {"v_add_lshl_u32 v3, v0, v1, v2", 3, 4, 5, 224},
    {"v_lshl_or_b32 v3, v0, v1, v2", 3, 4, 5, 53},
    {"v_and_or_b32 v3, v0, v1, v2", 6, 3, 8, 10},
    {"v_mad_i32_i16 v3, v0, v1, v2", 0xffff, 3, 1, 0xfffffffe},
    {"v_mad_u32_u16 v3, v0, v1, v2", 0xffff, 3, 1, 0x2fffe},
    /* packed and dot */
    {"v_pk_add_u16 v3, v0, v1", 0x0001ffff, 0x00020001, 0, 0x00030000},
    {"v_pk_add_u16 v3, v0, v1 clamp", 0x0001ffff, 0x00020001, 0, 0x0003ffff},
    {"v_pk_add_i16 v3, v0, v1 op_sel:[1,0] op_sel_hi:[0,1]", 0x00010002, 0x00100020, 0, 0x00120021},
    {"v_pk_mul_lo_u16 v3, v0, v1", 0x00030004, 0x00050006, 0, 0x000f0018},
    {"v_pk_ashrrev_i16 v3, v0, v1", 0x00040001, 0x8000fffe, 0, 0xf800ffff},
    {"v_pk_fma_f16 v3, v0, v1, v2", 0x3c004000, 0x40004200, 0x3c003c00, 0x42004700},
    {"v_pk_add_f16 v3, v0, v1 neg_lo:[1,0] neg_hi:[0,1]", 0x40003c00, 0x3c004000, 0, 0x3c003c00},
    {"v_pk_min_f16 v3, v0, v1", 0x7e003c00, 0x3c004000, 0, 0x3c003c00},
    {"v_fma_mix_f32 v3, v0, v1, v2 op_sel:[1,0,0] op_sel_hi:[1,0,1]", 0x40000000, 0x40400000,
     0x3c00, 0x40e00000},
    {"v_fma_mixhi_f16 v3, v0, v1, v2", ONE, TWO, ONE, 0x4200dddd},
    {"v_dot2_f32_f16 v3, v0, v1, v2", 0x40003c00, 0x3c004200, ONE, 0x40c00000},
    {"v_dot4_i32_i8 v3, v0, v1, v2", 0xff020304, 0x01010101, 10, 18},
    {"v_dot4_u32_u8 v3, v0, v1, v2", 0xff020304, 0x01010101, 10, 274},
    {"v_dot8_i32_i4 v3, v0, v1, v2", 0xf1111111, 0x11111111, 0, 6},
    {"v_dot2_i32_i16 v3, v0, v1, v2", 0xffff0003, 0x00020004, 1, 11},
    /* modifiers and constants */
    {"v_mul_f32 v3, 0.15915494, v1", 0, ONE, 0, 0x3e22f983},
    {"v_mov_b32 v3, -16", 0, 0, 0, 0xfffffff0},
    {"v_mov_b32 v3, 0x12345678", 0, 0, 0, 0x12345678},
    {"v_mov_b32 v3, -4.0", 0, 0, 0, 0xc0800000},
    {"v_add_f16 v3, 1.0, v1", 0, 0x3c00, 0, 0xdddd4000},
    {"v_fmaak_f32 v3, v0, v1, 0x40000000", ONE, TWO, 0, 0x40800000},
    {"v_fmamk_f32 v3, v0, 0x40400000, v1", TWO, ONE, 0, 0x40e00000},
    {"v_cndmask_b32 v3, v0, -v1, s[6:7]", ONE, TWO, 0, 0xc0000000},
    /* SDWA */
    {"v_add_nc_u32_sdwa v3, v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 "
     "src1_sel:WORD_1",
     0x1234, 0x00050000, 0, 0x17},
    {"v_add_nc_u32_sdwa v3, sext(v0), v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0 "
     "src1_sel:DWORD",
     0xff, 3, 0, 0x0002dddd},
    {"v_mov_b32_sdwa v3, v0 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:BYTE_3", 0xab000000, 0, 0,
     0x00ab0000},
    {"v_mov_b32_sdwa v3, v0 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:BYTE_3", 0x8b000000, 0,
     0, 0xffff8b00},
};

static void
test_rows(void **state)
{
    (void)state;
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        emu_env *e = emu_env_new(lanes);
        e->w.sgpr[6] = e->w.sgpr[7] = UINT32_MAX;
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            if (lanes == 32 && strstr(rows[r].text, "s[6:7]"))
                continue;
            emu_set_all(e, 0, rows[r].a);
            emu_set_all(e, 1, rows[r].b);
            emu_set_all(e, 2, rows[r].c);
            emu_set_all(e, 3, 0xdddddddd);
            emu_run_text(e, rows[r].text);
            for (uint32_t l = 0; l < lanes; l += lanes - 1)
                if (e->w.vgpr[3][l] != rows[r].want)
                    fail_msg("%s with 0x%08x, 0x%08x, 0x%08x: 0x%08x in lane %u, should be 0x%08x",
                             rows[r].text, rows[r].a, rows[r].b, rows[r].c, e->w.vgpr[3][l], l,
                             rows[r].want);
        }
        emu_env_free(e);
    }
}

typedef struct wide_row {
    const char *text;
    uint64_t a, b, c, want;
} wide_row;

#define D1   UINT64_C(0x3ff0000000000000)
#define D2   UINT64_C(0x4000000000000000)
#define DINF UINT64_C(0x7ff0000000000000)

/* Sources v[0:1], v[6:7], v[8:9]; result v[3:4]. 32-bit sources are the low halves. */
static const wide_row wide_rows[] = {
    {"v_add_f64 v[3:4], v[0:1], v[6:7]", D1, D2, 0, UINT64_C(0x4008000000000000)},
    {"v_add_f64 v[3:4], v[0:1], -|v[6:7]|", D1, D2, 0, UINT64_C(0xbff0000000000000)},
    {"v_fma_f64 v[3:4], v[0:1], v[6:7], v[8:9]", D2, D2, D1, UINT64_C(0x4014000000000000)},
    {"v_mul_f64 v[3:4], v[0:1], 0x40000000", D2, 0, 0,
     UINT64_C(0x4010000000000000)}, /* literal: high half */
    {"v_min_f64 v[3:4], v[0:1], v[6:7]", UINT64_C(0x7ff8000000000000), D1, 0, D1},
    {"v_ldexp_f64 v[3:4], v[0:1], v6", D1, 3, 0, UINT64_C(0x4020000000000000)},
    {"v_rndne_f64 v[3:4], v[0:1]", UINT64_C(0x4004000000000000), 0, 0, D2},
    {"v_fract_f64 v[3:4], v[0:1]", UINT64_C(0xbff4000000000000), 0, 0,
     UINT64_C(0x3fe8000000000000)},
    {"v_rcp_f64 v[3:4], v[0:1]", D2, 0, 0, UINT64_C(0x3fe0000000000000)},
    {"v_sqrt_f64 v[3:4], v[0:1]", UINT64_C(0x4010000000000000), 0, 0, D2},
    {"v_frexp_mant_f64 v[3:4], v[0:1]", D2, 0, 0, UINT64_C(0x3fe0000000000000)},
    {"v_cvt_f64_f32 v[3:4], v0", ONE, 0, 0, D1},
    {"v_cvt_f64_i32 v[3:4], v0", 0xffffffff, 0, 0, UINT64_C(0xbff0000000000000)},
    {"v_div_fixup_f64 v[3:4], v[0:1], v[6:7], v[8:9]", D1, 0, D1, DINF},
    {"v_lshlrev_b64 v[3:4], v0, v[6:7]", 36, 3, 0, UINT64_C(0x3000000000)},
    {"v_ashrrev_i64 v[3:4], 4, v[6:7]", 0, UINT64_C(0x8000000000000000), 0,
     UINT64_C(0xf800000000000000)},
    {"v_mad_u64_u32 v[3:4], s[6:7], v0, v6, v[8:9]", 0xffffffff, 0xffffffff, 5,
     UINT64_C(0xfffffffe00000006)},
    {"v_mad_i64_i32 v[3:4], s[6:7], v0, v6, v[8:9]", 0xffffffff, 7, 5,
     UINT64_C(0xfffffffffffffffe)},
    {"v_qsad_pk_u16_u8 v[3:4], v[0:1], v6, v[8:9]", UINT64_C(0x0000000000000001), 0,
     UINT64_C(0x0004000300020001), UINT64_C(0x0004000300020002)},
};

static void
set_wide(emu_env *e, uint32_t reg, uint64_t v)
{
    emu_set_all(e, reg, (uint32_t)v);
    emu_set_all(e, reg + 1, (uint32_t)(v >> 32));
}

static void
test_wide_rows(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(64);
    for (size_t r = 0; r < sizeof wide_rows / sizeof *wide_rows; r++) {
        const wide_row *k = &wide_rows[r];
        set_wide(e, 0, k->a);
        set_wide(e, 6, k->b);
        set_wide(e, 8, k->c);
        emu_run_text(e, k->text);
        uint64_t got = e->w.vgpr[3][63] | (uint64_t)e->w.vgpr[4][63] << 32;
        if (got != k->want)
            fail_msg("%s: 0x%016llx, should be 0x%016llx", k->text, (unsigned long long)got,
                     (unsigned long long)k->want);
    }
    emu_env_free(e);
}

/* MODE: flushing of denormals, rounding. */
static void
test_mode(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    emu_set_all(e, 0, 1); /* the smallest denormal */
    emu_set_all(e, 1, 0x3f800000);
    e->w.mode = 0xc0; /* binary32: flush in and out */
    emu_run_text(
        e,
        "v_add_f32 v3, v0, v1\nv_mul_f32 v4, v0, v1\nv_mov_b32 v5, v0\nv_cmp_eq_f32 vcc_lo, 0, v0");
    assert_int_equal(e->w.vgpr[3][0], 0x3f800000);
    assert_int_equal(e->w.vgpr[4][0], 0);
    assert_int_equal(e->w.vgpr[5][0], 1); /* moves keep bits */
    assert_int_equal(e->w.sgpr[AMD_REG_VCC_LO], UINT32_MAX);
    e->w.mode = 0xf0;
    emu_run_text(e,
                 "v_cmp_eq_f32 vcc_lo, 0, v0\ns_round_mode 0x1\nv_add_f32 v3, v0, v1\n"
                 "s_round_mode 0x2\nv_sub_f32 v4, v1, v0\ns_round_mode 0x3\nv_sub_f32 v5, v1, v0\n"
                 "s_round_mode 0xc\nv_cvt_f16_f32 v6, v7");
    assert_int_equal(e->w.sgpr[AMD_REG_VCC_LO], 0);
    assert_int_equal(e->w.vgpr[3][0], 0x3f800001); /* up */
    assert_int_equal(e->w.vgpr[4][0], 0x3f7fffff); /* down */
    assert_int_equal(e->w.vgpr[5][0], 0x3f7fffff); /* to zero */
    emu_set_all(e, 7, 0x477ff000);
    emu_run_text(e, "s_round_mode 0xc\nv_cvt_f16_f32 v6, v7");
    assert_int_equal(e->w.vgpr[6][0] & 0xffff, 0x7bff); /* no overflow when rounding to zero */
    emu_env_free(e);
}

/* IEEE mode quiets signalling NaNs in min and max; DX10_CLAMP makes a NaN 0; omod needs flushing
 * and no IEEE. */
static void
test_ieee_and_clamp(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    emu_set_all(e, 0, SNAN);
    emu_set_all(e, 1, ONE);
    emu_run_text(e, "v_min_f32 v3, v0, v1");
    assert_int_equal(e->w.vgpr[3][0], ONE);
    e->w.mode = 0xf0 | EMU_MODE_IEEE;
    emu_run_text(e, "v_min_f32 v3, v0, v1\nv_mul_f32 v4, v1, v1 mul:2");
    assert_int_equal(e->w.vgpr[3][0], 0x7fc00001);
    assert_int_equal(e->w.vgpr[4][0], ONE);
    emu_set_all(e, 0, QNAN);
    e->w.mode = 0xc0 | EMU_MODE_DX10_CLAMP;
    emu_run_text(
        e, "v_add_f32 v3, v0, v1 clamp\nv_mul_f32 v4, v1, v1 mul:2\nv_mul_f32 v5, v1, v1 div:2");
    assert_int_equal(e->w.vgpr[3][0], 0);
    assert_int_equal(e->w.vgpr[4][0], TWO);
    assert_int_equal(e->w.vgpr[5][0], HALF);
    emu_env_free(e);
}

/* Masks: carries, comparisons, classes; inactive lanes give 0. */
static void
test_masks(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(64);
    emu_set_all(e, 0, UINT32_MAX);
    emu_set_all(e, 1, 1);
    e->w.sgpr[AMD_REG_EXEC_LO] = 0x0000ffff;
    e->w.sgpr[AMD_REG_EXEC_HI] = 1;
    e->w.sgpr[AMD_REG_VCC_LO] = 0xffffffff;
    emu_run_text(e, "v_add_co_u32 v3, s[6:7], v0, v1\nv_cmp_lt_i32 s[8:9], v0, v1\n"
                    "v_add_co_ci_u32 v4, vcc, v0, v0, vcc\nv_cmp_class_f32 s[10:11], v0, 2");
    assert_int_equal(e->w.sgpr[6], 0xffff);
    assert_int_equal(e->w.sgpr[7], 1);
    assert_int_equal(e->w.sgpr[8], 0xffff);
    assert_int_equal(e->w.vgpr[3][3], 0);
    assert_int_equal(e->w.vgpr[4][3], 0xffffffff);
    assert_int_equal(e->w.vgpr[4][20], 0); /* not active */
    assert_int_equal(e->w.sgpr[AMD_REG_VCC_LO], 0xffff);
    assert_int_equal(e->w.sgpr[10], 0xffff); /* 0xffffffff is a quiet NaN */
    emu_run_text(e, "v_cmpx_eq_u32 v1, v3");
    assert_int_equal(e->w.sgpr[AMD_REG_EXEC_LO], 0);
    emu_env_free(e);

    e = emu_env_new(32);
    e->w.sgpr[7] = 77;
    emu_run_text(e, "v_cmp_eq_u32 s6, 0, 0");
    assert_int_equal(e->w.sgpr[6], UINT32_MAX);
    assert_int_equal(e->w.sgpr[7], 77); /* wave32 masks are one register */
    emu_env_free(e);
}

/* A division as compilers expand it is correctly rounded over the whole range. */
static void
test_division(void **state)
{
    static const uint32_t values[] = {ONE,        0x40400000, 0x7f7fffff, 0x00800000, 0x00000001,
                                      0x007fffff, 0xff7fffff, 0x3f7fffff, 0x34000000, 0x7e800000,
                                      0x00000003, 0x4b7fffff, 0,          NEG,        INF,
                                      0x20000001, 0x5e800003, 0x7f000000};
    enum { N = sizeof values / sizeof *values };
    (void)state;
    emu_env *e = emu_env_new(32);
    for (size_t n = 0; n < N; n++)
        for (size_t d = 0; d < N; d++) {
            emu_set_all(e, 0, values[n]);
            emu_set_all(e, 1, values[d]);
            emu_run_text(
                e, "v_div_scale_f32 v2, s0, v1, v1, v0\nv_rcp_f32 v3, v2\n"
                   "v_fma_f32 v4, -v2, v3, 1.0\nv_fmac_f32 v3, v4, v3\n"
                   "v_div_scale_f32 v4, vcc_lo, v0, v1, v0\nv_mul_f32 v5, v4, v3\n"
                   "v_fma_f32 v6, -v2, v5, v4\nv_fmac_f32 v5, v6, v3\nv_fma_f32 v2, -v2, v5, v4\n"
                   "v_div_fmas_f32 v2, v2, v3, v5\nv_div_fixup_f32 v7, v2, v1, v0");
            float want = base_bits_f32(values[n]) / base_bits_f32(values[d]);
            uint32_t got = e->w.vgpr[7][5];
            if (want != want ? !((got & 0x7fffffff) > INF) : got != base_f32_bits(want))
                fail_msg("0x%08x / 0x%08x: 0x%08x, should be 0x%08x", values[n], values[d], got,
                         base_f32_bits(want));
        }
    emu_env_free(e);
}

/* gfx11's 16-bit operands: each is a half of a register, in 32-bit encodings too; the destination's
 * other half stays, and an addend that is the destination is the same half. */
static void
test_halves(void **state)
{
    static const struct {
        const char *text;
        uint32_t want;
    } cases[] = {
        {"v_add_f16 v0.l, v1.l, v2.l", 0xaaaa4200},
        {"v_add_f16 v0.h, v1.l, v2.l", 0x4200aaaa},
        {"v_add_f16 v0.h, v1.h, v2.l", 0x4600aaaa},
        {"v_add_f16 v0.l, v1.l, v2.h", 0xaaaa4880},
        {"v_add_f16_e64 v0.h, v1.h, v2.h", 0x4a00aaaa},
        {"v_mov_b16 v0.h, v1.h", 0x4400aaaa},
        {"v_cvt_f32_f16 v0, v1.h", 0x40800000},
        {"v_cvt_f16_f32 v0.h, 1.0", 0x3c00aaaa},
        {"v_mov_b32 v0, 0x40003c00\nv_fmac_f16 v0.h, v1.l, v2.l", 0x44003c00},
        {"v_mov_b32 v0, 0x40003c00\nv_fmac_f16 v0.l, v1.h, v2.l", 0x40004880},
        {"v_cmp_lt_f16 vcc_lo, v1.h, v2.l\nv_cndmask_b32 v0, 1, 2, vcc_lo", 1},
        {"v_cmp_lt_f16 vcc_lo, v1.l, v2.l\nv_cndmask_b32 v0, 1, 2, vcc_lo", 2},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        emu_env *e = emu_env_new(32);
        e->d.gen = AMD_GFX11;
        emu_set_all(e, 0, 0xaaaaaaaa);
        emu_set_all(e, 1, 0x44003c00); /* 1, 4 */
        emu_set_all(e, 2, 0x48004000); /* 2, 8 */
        emu_run_text(e, cases[k].text);
        if (e->w.vgpr[0][5] != cases[k].want)
            fail_msg("%s: 0x%08x, should be 0x%08x", cases[k].text, e->w.vgpr[0][5], cases[k].want);
        emu_env_free(e);
    }
}

/* Entries of the "Vega" ISA's table: the lowest byte counts. */
static void
test_screen_partition(void **state)
{
    static const uint8_t cases[][2] = {{0, 1},    {3, 15},   {0x11, 2},  {0x22, 4},
                                       {0x33, 8}, {0x55, 8}, {0x8b, 15}, {0xff, 1}};
    (void)state;
    emu_env *e = emu_env_new(64);
    e->d.gen = AMD_GFX9;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        emu_set_all(e, 1, cases[k][0] | 0xabcd00u);
        emu_run_text(e, "v_screen_partition_4se_b32 v0, v1");
        assert_int_equal(e->w.vgpr[0][9], cases[k][1]);
    }
    emu_env_free(e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),   cmocka_unit_test(test_wide_rows),
        cmocka_unit_test(test_mode),   cmocka_unit_test(test_ieee_and_clamp),
        cmocka_unit_test(test_masks),  cmocka_unit_test(test_division),
        cmocka_unit_test(test_halves), cmocka_unit_test(test_screen_partition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
