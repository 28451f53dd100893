/* Matrix operations of gfx908 to gfx942: places of elements, broadcasts, sparse factors, small
 * floats, accumulation registers. The expected places are those that AMD's matrix instruction
 * calculator prints. */
#include "emu_env.h"

static emu_env *
env_of(amd_gen gen)
{
    emu_env *e = emu_env_new(64);
    e->d.gen = gen;
    e->w.n_agprs = 256;
    return e;
}

/* A small value that differs for most (i, k). */
static int
value(unsigned i, unsigned k)
{
    return (int)((i * 7 + k * 5) % 11) - 5;
}

static uint32_t
half(int v)
{
    static const uint16_t codes[] = {0xc500, 0xc400, 0xc200, 0xc000, 0xbc00, 0,
                                     0x3c00, 0x4000, 0x4200, 0x4400, 0x4500};
    return codes[v + 5];
}

/* 4x4x1, 16 blocks: A's row i of block b in lane i + 4b, D's row in register i, column in the lane.
 */
static void
test_4x4x1(void **state)
{
    (void)state;
    emu_env *e = env_of(AMD_GFX908);
    for (uint32_t l = 0; l < 64; l++) {
        e->w.vgpr[0][l] = base_f32_bits((float)l);
        e->w.vgpr[1][l] = base_f32_bits((float)(l + 100));
        for (uint32_t r = 0; r < 4; r++)
            e->w.vgpr[EMU_AGPR0 + 4 + r][l] = base_f32_bits((float)(r * 64 + l));
    }
    e->w.sgpr[AMD_REG_EXEC_LO] = 1; /* exec is ignored */
    emu_run_text(e, "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[4:7]");
    for (uint32_t b = 0; b < 16; b++)
        for (uint32_t i = 0; i < 4; i++)
            for (uint32_t j = 0; j < 4; j++) {
                uint32_t l = j + 4 * b;
                float want = (float)(i + 4 * b) * (float)(l + 100) + (float)(i * 64 + l);
                assert_int_equal(e->w.vgpr[EMU_AGPR0 + i][l], base_f32_bits(want));
            }
    /* of each four blocks the third one's A; B's lanes 16 to 31 */
    emu_run_text(e, "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[4:7] cbsz:2 abid:2 blgp:5");
    for (uint32_t b = 0; b < 16; b++) {
        uint32_t l = 1 + 4 * b, from = b / 4 * 4 + 2;
        float want = (float)(3 + 4 * from) * (float)(l % 16 + 16 + 100) + (float)(3 * 64 + l);
        assert_int_equal(e->w.vgpr[EMU_AGPR0 + 3][l], base_f32_bits(want));
    }
    emu_env_free(e);
}

/* 32x32x8 of f16: lane i + 32 (k / 4) has four k; D's rows in chunks of four. */
static void
test_32x32x8(void **state)
{
    (void)state;
    emu_env *e = env_of(AMD_GFX90A);
    for (uint32_t i = 0; i < 32; i++)
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t l = i + 32 * (k / 4), shift = k % 2 * 16;
            e->w.vgpr[0 + k % 4 / 2][l] |= half(value(i, k)) << shift;
            e->w.vgpr[2 + k % 4 / 2][l] |= half(value(k, i)) << shift;
        }
    emu_run_text(e, "v_mfma_f32_32x32x8f16 v[4:19], v[0:1], v[2:3], 2.0");
    for (uint32_t i = 0; i < 32; i++)
        for (uint32_t j = 0; j < 32; j++) {
            int want = 2;
            for (uint32_t k = 0; k < 8; k++)
                want += value(i, k) * value(k, j);
            uint32_t got = e->w.vgpr[4 + i % 4 + 4 * (i / 8)][j + 32 * (i / 4 % 2)];
            assert_int_equal(got, base_f32_bits((float)want));
        }
    emu_env_free(e);
}

/* xf32, 16x16x8: lane i + 16 (k / 2), register k % 2; of a factor 10 bits of the fraction count. */
static void
test_xf32(void **state)
{
    (void)state;
    emu_env *e = env_of(AMD_GFX942);
    for (uint32_t i = 0; i < 16; i++)
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t l = i + 16 * (k / 2), rest = 0x1fff;
            uint32_t a = base_f32_bits((float)value(i, k)), b = base_f32_bits((float)value(k, i));
            e->w.vgpr[0 + k % 2][l] = a ? a | rest : 0;
            e->w.vgpr[2 + k % 2][l] = b ? b | rest : 0;
        }
    emu_run_text(e, "v_mfma_f32_16x16x8_xf32 v[4:7], v[0:1], v[2:3], 0.5");
    for (uint32_t i = 0; i < 16; i++)
        for (uint32_t j = 0; j < 16; j++) {
            float want = 0.5f;
            for (uint32_t k = 0; k < 8; k++)
                want += (float)(value(i, k) * value(k, j));
            assert_int_equal(e->w.vgpr[4 + i % 4][j + 16 * (i / 4)], base_f32_bits(want));
        }
    emu_env_free(e);
}

/* Doubles: lane i + 4 (block + 4 k), result of row i in lane j + 4 (block + 4 i); gfx942 negates.
 */
static void
test_doubles(void **state)
{
    (void)state;
    emu_env *e = env_of(AMD_GFX942);
    for (uint32_t l = 0; l < 64; l++) {
        uint64_t a = base_f64_bits(value(l % 4, l / 16) + (int)(l / 4 % 4));
        uint64_t b = base_f64_bits(value(l / 16, l % 4));
        e->w.vgpr[0][l] = (uint32_t)a;
        e->w.vgpr[1][l] = (uint32_t)(a >> 32);
        e->w.vgpr[2][l] = (uint32_t)b;
        e->w.vgpr[3][l] = (uint32_t)(b >> 32);
    }
    emu_run_text(e, "v_mfma_f64_4x4x4_4b_f64 v[4:5], v[0:1], v[2:3], 1.0 neg:[1,0,0]");
    for (uint32_t l = 0; l < 64; l++) {
        int want = 1, block = (int)(l / 4 % 4);
        for (uint32_t k = 0; k < 4; k++)
            want -= (value(l / 16, k) + block) * value(k, l % 4);
        uint64_t got = e->w.vgpr[4][l] | (uint64_t)e->w.vgpr[5][l] << 32;
        assert_true(got == base_f64_bits(want));
    }
    emu_env_free(e);
}

/* Two of each four k of A are stored; ABID 1 takes the second eight bits of the index. */
static void
test_sparse(void **state)
{
    (void)state;
    emu_env *e = env_of(AMD_GFX942);
    for (uint32_t l = 0; l < 64; l++) {
        e->w.vgpr[0][l] = half(1) | half(2) << 16; /* k 1 and 3 of the first four */
        e->w.vgpr[1][l] = half(3) | half(4) << 16; /* k 0 and 2 of the second four */
        e->w.vgpr[6][l] = (1 | 3 << 2 | 0 << 4 | 2 << 6) << 8;
        for (uint32_t n = 0; n < 8; n++) {
            uint32_t k = l / 16 * 8 + n;
            e->w.vgpr[2 + n / 2][l] |= half(value(k, l % 16)) << n % 2 * 16;
        }
    }
    emu_run_text(e, "v_smfmac_f32_16x16x32_f16 a[0:3], v[0:1], v[2:5], v6 abid:1");
    for (uint32_t j = 0; j < 16; j++) {
        int want = 0;
        for (uint32_t k = 0; k < 32; k += 8)
            want += value(k + 1, j) + 2 * value(k + 3, j) + 3 * value(k + 4, j) +
                    4 * value(k + 6, j);
        assert_int_equal(e->w.vgpr[EMU_AGPR0 + 2][j + 16], base_f32_bits((float)want));
    }
    emu_env_free(e);
}

/* 0x40 is 1.0 of both 8-bit formats (biases 8 and 16); 0x48 is 2.0 of FP8, 0x44 2.0 of BF8. */
static void
test_small_floats(void **state)
{
    (void)state;
    emu_env *e = env_of(AMD_GFX942);
    for (uint32_t r = 0; r < 4; r++)
        emu_set_all(e, r, r < 2 ? 0x48404840 : 0x44404440);
    emu_run_text(e, "v_mfma_f32_16x16x32_fp8_bf8 v[4:7], v[0:1], v[2:3], 0");
    assert_int_equal(e->w.vgpr[4][0], base_f32_bits(16 * (1 + 4)));
    e->w.vgpr[0][5] = 0x80; /* no negative zero: NaN */
    emu_run_text(e, "v_mfma_f32_16x16x32_fp8_bf8 v[4:7], v[0:1], v[2:3], 0");
    assert_true((e->w.vgpr[5][16] & 0x7fffffff) > 0x7f800000); /* row 5 */
    emu_env_free(e);
}

/* Moves between the files obey exec; loads and stores reach AGPRs. */
static void
test_registers(void **state)
{
    (void)state;
    emu_env *e = env_of(AMD_GFX90A);
    emu_set_lanes(e, 0);
    for (uint32_t l = 0; l < 64; l++)
        e->w.vgpr[3][l] = l * 4;
    e->w.sgpr[AMD_REG_EXEC_LO] = 0xff;
    e->w.sgpr[AMD_REG_EXEC_HI] = 0;
    emu_run_text(e, "v_accvgpr_write_b32 a5, v0\nv_accvgpr_mov_b32 a6, a5\n"
                    "v_accvgpr_read_b32 v1, a6\nds_write_b32 v3, a6\nds_read_b32 a7, v3");
    assert_int_equal(e->w.vgpr[1][7], 107);
    assert_int_equal(e->w.vgpr[1][8], 0);
    assert_int_equal(e->w.vgpr[EMU_AGPR0 + 7][3], 103);
    emu_env_free(e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_4x4x1),     cmocka_unit_test(test_32x32x8),
        cmocka_unit_test(test_xf32),      cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_sparse),    cmocka_unit_test(test_small_floats),
        cmocka_unit_test(test_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
