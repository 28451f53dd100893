/* The tables of registers and packets, and the reader of command streams. */
#include "amd/registers/registers.h"
#include "gpu/pm4/dump.h"
#include "gpu/pm4/packets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
test_fields_move(void **state)
{
    (void)state;
    arena a;
    arena_init(&a, &base_malloc_allocator, NULL, NULL);
    amd_hw_registers f;
    const struct {
        amd_gen gen;
        uint32_t size;
    } cases[] = {
        {AMD_GFX6, 0x1fff}, {AMD_GFX10_3, 0x1fff}, {AMD_GFX11, 0x7fff}, {AMD_GFX12, 0x7fff}};
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        amd_hw_registers_init(&f, cases[k].gen, &a);
        *amd_hw_register_at(&f, amd_hw_reg_address(AMD_HW_COMPUTE_TMPRING_SIZE, f.gen)) = 0x7ffffff;
        assert_int_equal(amd_hw_register_field(&f, AMD_HW_COMPUTE_TMPRING_SIZE_WAVES), 0xfff);
        assert_int_equal(amd_hw_register_field(&f, AMD_HW_COMPUTE_TMPRING_SIZE_WAVESIZE),
                         cases[k].size);
    }
    assert_null(amd_hw_register_at(&f, 0xb849));
    assert_null(amd_hw_register_at(&f, 0x29000));
    assert_int_equal(amd_hw_reg_address(AMD_HW_COMPUTE_RELAUNCH, AMD_GFX8), 0xb888);
    assert_int_equal(amd_hw_reg_address(AMD_HW_COMPUTE_RELAUNCH, AMD_GFX11), 0xb8c0);
    assert_int_equal(amd_hw_reg_address(AMD_HW_COMPUTE_RELAUNCH, AMD_GFX7), 0);
    assert_string_equal(amd_hw_reg_name(0xb888, AMD_GFX10), "COMPUTE_REQ_CTRL");
    assert_null(amd_hw_reg_name(0xb888, AMD_GFX6));
    arena_free(&a);
}

/* Registers as they are set, in order. */
typedef struct seen {
    uint32_t count, address[8], value[8];
} seen;

static void
see(void *user, uint32_t address, uint32_t value)
{
    seen *s = user;
    s->address[s->count] = address;
    s->value[s->count++] = value;
}

static uint32_t
header(uint32_t opcode, uint32_t words)
{
    return 3u << 30 | (words - 1) << 16 | opcode << 8;
}

static void
check_set(amd_gen gen, const uint32_t *dwords, uint32_t count, const seen *expected)
{
    gpu_stream s = {dwords, count, 0, gen};
    gpu_packet p;
    seen got = {0};
    assert_int_equal(gpu_stream_next(&s, &p), GPU_STREAM_PACKET);
    assert_true(gpu_packet_registers(&p, see, &got));
    assert_int_equal(got.count, expected->count);
    for (uint32_t k = 0; k < got.count; k++) {
        assert_int_equal(got.address[k], expected->address[k]);
        assert_int_equal(got.value[k], expected->value[k]);
    }
    assert_int_equal(gpu_stream_next(&s, &p), GPU_STREAM_END);
}

static void
test_sets_registers(void **state)
{
    (void)state;
    const uint32_t neighbours[] = {header(0x76, 3), 0x20c, 7, 8};
    const uint32_t indexed[] = {header(0x9b, 2), 3u << 28 | 0x216, 9};
    const uint32_t pairs[] = {header(0xba, 4), 0x20c, 1, 0x240, 2};
    const uint32_t packed[] = {header(0xbb, 7), 4, 0x20d020c, 1, 2, 0x2400212, 3, 4};
    const uint32_t uconfig[] = {header(0xbe, 4), 0x380, 1, 0x381, 2};
    const uint32_t old[] = {1u << 16 | 0x2c0c, 5, 6};
    check_set(AMD_GFX6, neighbours, 4, &(seen){2, {0xb830, 0xb834}, {7, 8}});
    check_set(AMD_GFX9, indexed, 3, &(seen){1, {0xb858}, {9}});
    check_set(AMD_GFX12, pairs, 5, &(seen){2, {0xb830, 0xb900}, {1, 2}});
    check_set(AMD_GFX11, packed, 8, &(seen){4, {0xb830, 0xb834, 0xb848, 0xb900}, {1, 2, 3, 4}});
    check_set(AMD_GFX12, uconfig, 5, &(seen){2, {0x30e00, 0x30e04}, {1, 2}});
    check_set(AMD_GFX6, old, 3, &(seen){2, {0xb030, 0xb034}, {5, 6}});
}

static void
test_malformed(void **state)
{
    (void)state;
    const uint32_t cut[] = {header(0x15, 4), 1, 2};
    const uint32_t short_one[] = {header(0x15, 2), 1, 2, 2u << 30};
    const uint32_t type1[] = {2u << 30, 1u << 30};
    gpu_packet p;
    gpu_stream s = {cut, 3, 0, AMD_GFX9};
    assert_int_equal(gpu_stream_next(&s, &p), GPU_STREAM_TRUNCATED);
    s = (gpu_stream){short_one, 4, 0, AMD_GFX9};
    assert_int_equal(gpu_stream_next(&s, &p), GPU_STREAM_TOO_SHORT);
    assert_int_equal(gpu_stream_next(&s, &p), GPU_STREAM_PACKET);
    assert_int_equal(p.type, 2);
    s = (gpu_stream){type1, 2, 0, AMD_GFX9};
    assert_int_equal(gpu_stream_next(&s, &p), GPU_STREAM_PACKET);
    assert_int_equal(gpu_stream_next(&s, &p), GPU_STREAM_BAD_TYPE);
    assert_int_equal(p.at, 1);
}

/* Bits of the same number move where the count of bytes grew with gfx9. */
static void
test_words_move(void **state)
{
    (void)state;
    const uint32_t dma[] = {header(0x50, 6), 2u << 29, 0x1234, 0, 0x1000, 0x56, 0x3ffffff};
    for (unsigned gen = AMD_GFX8; gen <= AMD_GFX9; gen++) {
        gpu_stream s = {dma, 7, 0, (amd_gen)gen};
        gpu_packet p;
        assert_int_equal(gpu_stream_next(&s, &p), GPU_STREAM_PACKET);
        assert_int_equal(p.op, GPU_OP_DMA_DATA);
        assert_int_equal(gpu_word_of(&p, GPU_DMA_DATA_SRC_SEL), 2);
        assert_int_equal(gpu_word_of(&p, GPU_DMA_DATA_BYTE_COUNT),
                         gen == AMD_GFX8 ? 0x1fffff : 0x3ffffff);
        assert_true(gpu_words_of(&p, GPU_DMA_DATA_DST_ADDR_LO, GPU_DMA_DATA_DST_ADDR_HI) ==
                    UINT64_C(0x5600001000));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_move),
        cmocka_unit_test(test_sets_registers),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_words_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
