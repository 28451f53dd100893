/* Atomics on floats, on pairs of small floats, and those of gfx11 and gfx12, on global memory,
 * through flat addresses, through a buffer, and on LDS; checks the memory and the returned values.
 */
#include "emu_env.h"

/* Lane 0: v[0:1] the address (LDS, buffers: v0 an offset), v[2:3] data, v[4:5] the compare value.
 */
typedef struct atomic_case {
    amd_gen gen;
    const char *text;
    uint64_t old, data, compared, want;
    uint32_t bytes;
} atomic_case;

#define F32_1_5 0x3fc00000
#define F32_2   0x40000000
#define F32_3_5 0x40600000
#define F64_1   0x3ff0000000000000
#define F64_M2  0xc000000000000000
#define F64_M1  0xbff0000000000000
/* binary16 1 and 2 + 3 and 2048 + 1 (a tie: 2048) ; bfloat16 1.0078125 + 2^-8 (a tie: 1.015625) */
static const atomic_case cases[] = {
    {AMD_GFX908, "global_atomic_add_f32 v[0:1], v2, off", F32_1_5, F32_2, 0, F32_3_5, 4},
    {AMD_GFX908, "global_atomic_pk_add_f16 v[0:1], v2, off", 0x68003c00, 0x3c004000, 0, 0x68004200,
     4},
    {AMD_GFX908, "buffer_atomic_add_f32 v2, v0, s[4:7], 0 offen", F32_1_5, F32_2, 0, F32_3_5, 4},
    {AMD_GFX90A, "global_atomic_add_f32 v6, v[0:1], v2, off glc", F32_1_5, F32_2, 0, F32_3_5, 4},
    {AMD_GFX90A, "flat_atomic_add_f64 v[6:7], v[0:1], v[2:3] glc", F64_1, F64_M2, 0, F64_M1, 8},
    {AMD_GFX90A, "global_atomic_min_f64 v[6:7], v[0:1], v[2:3], off glc", F64_1, F64_M2, 0, F64_M2,
     8},
    {AMD_GFX90A, "global_atomic_max_f64 v[6:7], v[0:1], v[2:3], off glc", F64_1, F64_M2, 0, F64_1,
     8},
    {AMD_GFX90A, "buffer_atomic_max_f64 v[2:3], v0, s[4:7], 0 offen", F64_M2, F64_1, 0, F64_1, 8},
    {AMD_GFX90A, "ds_add_rtn_f64 v[6:7], v0, v[2:3]", F64_1, F64_M2, 0, F64_M1, 8},
    {AMD_GFX942, "global_atomic_pk_add_bf16 v6, v[0:1], v2, off sc0", 0x3f813f80, 0x3b803f80, 0,
     0x3f824000, 4},
    {AMD_GFX942, "ds_pk_add_rtn_f16 v6, v0, v2", 0x68003c00, 0x3c004000, 0, 0x68004200, 4},
    {AMD_GFX942, "ds_pk_add_bf16 v0, v2", 0x3f813f80, 0x3b803f80, 0, 0x3f824000, 4},
    {AMD_GFX11, "global_atomic_add_f32 v6, v[0:1], v2, off glc", F32_1_5, F32_2, 0, F32_3_5, 4},
    {AMD_GFX11, "ds_cmpstore_rtn_b32 v6, v0, v2, v4", 7, 9, 7, 9, 4},
    {AMD_GFX11, "ds_cmpstore_b32 v0, v2, v4", 7, 9, 8, 7, 4},
    {AMD_GFX11, "ds_cmpstore_rtn_b64 v[6:7], v0, v[2:3], v[4:5]", 7, 9, 7, 9, 8},
    {AMD_GFX11, "ds_cmpstore_rtn_f32 v6, v0, v2, v4", 0x80000000, F32_2, 0, F32_2, 4},
    {AMD_GFX12, "flat_atomic_add_f32 v6, v[0:1], v2 th:TH_ATOMIC_RETURN", F32_1_5, F32_2, 0,
     F32_3_5, 4},
    {AMD_GFX12, "global_atomic_pk_add_f16 v6, v[0:1], v2, off th:TH_ATOMIC_RETURN", 0x68003c00,
     0x3c004000, 0, 0x68004200, 4},
    {AMD_GFX12, "buffer_atomic_pk_add_bf16 v2, v0, s[4:7], null offen", 0x3f813f80, 0x3b803f80, 0,
     0x3f824000, 4},
    {AMD_GFX12, "ds_cond_sub_rtn_u32 v6, v0, v2", 5, 3, 0, 2, 4},
    {AMD_GFX12, "ds_cond_sub_u32 v0, v2", 3, 5, 0, 3, 4},
    {AMD_GFX12, "ds_sub_clamp_rtn_u32 v6, v0, v2", 3, 5, 0, 0, 4},
    {AMD_GFX12, "ds_sub_clamp_u32 v0, v2", 5, 3, 0, 2, 4},
    /* when it is id 7's turn, 7 adds; 6 does not */
    {AMD_GFX12, "global_atomic_ordered_add_b64 v[6:7], v[0:1], v[2:3], off th:TH_ATOMIC_RETURN",
     0x0000001000000007, 0x0000000500000007, 0, 0x0000001500000008, 8},
    {AMD_GFX12, "global_atomic_ordered_add_b64 v[6:7], v[0:1], v[2:3], off th:TH_ATOMIC_RETURN",
     0x0000001000000007, 0x0000000500000006, 0, 0x0000001000000007, 8},
};

static void
set_pair(emu_env *e, uint32_t reg, uint64_t v)
{
    e->w.vgpr[reg][0] = (uint32_t)v;
    e->w.vgpr[reg + 1][0] = (uint32_t)(v >> 32);
}

static void
test_atomics(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const atomic_case *c = &cases[k];
        emu_env *e = emu_env_new(c->gen < AMD_GFX10 ? 64 : 32);
        mach_region *r = mach_memory_alloc(&e->memory, MACH_HEAP_LOW, 64, 0, "data");
        bool lds = strncmp(c->text, "ds_", 3) == 0, buffer = strncmp(c->text, "buffer", 6) == 0;
        uint8_t *place = lds ? e->g.lds + 16 : r->host + 16;
        uint64_t left = 0, given = 0;
        e->d.gen = c->gen;
        e->w.sgpr[AMD_REG_EXEC_LO] = 1;
        e->w.sgpr[AMD_REG_EXEC_HI] = 0;
        e->w.sgpr[4] = (uint32_t)r->base;
        e->w.sgpr[5] = (uint32_t)(r->base >> 32) & 0xffff;
        e->w.sgpr[6] = 64;
        e->w.sgpr[7] = 0x24fac;
        memcpy(place, &c->old, c->bytes);
        set_pair(e, 0, lds || buffer ? 16 : r->base + 16);
        set_pair(e, 2, c->data);
        set_pair(e, 4, c->compared);
        set_pair(e, 6, c->old);
        emu_run_text(e, c->text);
        memcpy(&left, place, c->bytes);
        given = e->w.vgpr[6][0] | (c->bytes > 4 ? (uint64_t)e->w.vgpr[7][0] << 32 : 0);
        if (left != c->want || given != c->old || e->report.total)
            fail_msg("%s: leaves 0x%llx, gives 0x%llx, %s", c->text, (unsigned long long)left,
                     (unsigned long long)given, e->report.findings[0].message);
        emu_env_free(e);
    }
}

/* Accumulation VGPRs as data of memory instructions, from gfx90a on. */
static void
test_agprs(void **state)
{
    static const amd_gen gens[] = {AMD_GFX90A, AMD_GFX942};
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        emu_env *e = emu_env_new(64);
        mach_region *r = mach_memory_alloc(&e->memory, MACH_HEAP_LOW, 1024, 0, "data");
        uint32_t(*a)[EMU_LANES] = e->w.vgpr + EMU_AGPR0;
        e->d.gen = gens[k];
        e->w.n_agprs = 32;
        e->w.sgpr[0] = e->w.sgpr[4] = (uint32_t)r->base;
        e->w.sgpr[1] = e->w.sgpr[5] = (uint32_t)(r->base >> 32);
        e->w.sgpr[6] = 1024;
        e->w.sgpr[7] = 0x24fac;
        for (uint32_t l = 0; l < 64; l++) {
            e->w.vgpr[0][l] = 8 * l;
            a[2][l] = 100 + l;
            a[3][l] = 200 + l;
        }
        emu_run_text(e, "ds_write_b64 v0, a[2:3]\nds_read_b64 a[4:5], v0\n"
                        "global_store_dwordx2 v0, a[4:5], s[0:1]\n"
                        "global_load_dwordx2 a[6:7], v0, s[0:1]\n"
                        "buffer_load_dword a8, v0, s[4:7], 0 offen offset:4\n"
                        "buffer_store_dword a8, v0, s[4:7], 0 offen\n"
                        "global_load_dword a9, v0, s[0:1]");
        for (uint32_t l = 0; l < 64; l++) {
            assert_int_equal(a[6][l], 100 + l);
            assert_int_equal(a[7][l], 200 + l);
            assert_int_equal(a[8][l], 200 + l);
            assert_int_equal(a[9][l], 200 + l);
        }
        emu_run_text(e, gens[k] == AMD_GFX942 ? "ds_add_rtn_u32 a10, v0, a2\n"
                                                "global_atomic_add a11, v0, a2, s[0:1] sc0"
                                              : "ds_add_rtn_u32 a10, v0, a2\n"
                                                "global_atomic_add a11, v0, a2, s[0:1] glc");
        assert_int_equal(a[10][5], 105);
        assert_int_equal(a[11][5], 205);
        assert_int_equal(e->report.total, 0);
        emu_env_free(e);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_agprs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
