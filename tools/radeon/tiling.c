/* Registers that describe tiled images, which drivers' address libraries read.
 *
 * The emulator lays tiled images out in its own way behind the same addresses, so these decide
 * sizes and alignments alone. Sources: GB_ADDR_CONFIG in chips.def; the tables of gfx6 to gfx8: the
 * Linux kernel's gfx_v6_0.c, gfx_v7_0.c and gfx_v8_0.c, *_tiling_mode_table_init.
 */
#include "radeon.h"

/* Dword addresses by which libdrm and RADV ask. */
enum {
    MC_ARB_RAMCFG = 0x9d8,
    GB_ADDR_CONFIG = 0x263e,
    GB_TILE_MODE0 = 0x2644,
    GB_MACROTILE_MODE0 = 0x2664,
    TILE_MODES = 32,
    MACROTILE_MODES = 16,
};

/* Array modes and micro tile modes (ARRAY_MODE, MICRO_TILE_MODE_NEW). */
enum {
    LINEAR = 1,
    THIN_1D = 2,
    THICK_1D = 3,
    THIN_2D = 4,
    PRT = 5,
    THICK_2D = 7,
    XTHICK_2D = 8,
    PRT_THICK = 11,
    THIN_3D = 12,
    THICK_3D = 13,
    XTHICK_3D = 14,
};
enum { DISPLAY, THIN, DEPTH, ROTATED, THICK };

enum { PIPES_8 = 12 /* P8_32x32_16x16 */, PIPES_4 = 5 /* P4_16x16 */ };
enum { PIPES_8_GFX6 = 10 /* P8_32x32_8x16 */, PIPES_4_GFX6 = 4 /* P4_8x16 */ };

/* gfx7, gfx8: array mode, micro tile mode, the split of samples (of tiles, for depth), four
 * pipes. */
static const struct {
    uint8_t array, micro, split, four_pipes;
} modes_gfx7[TILE_MODES] = {
    {THIN_2D, DEPTH, 0, 0},   {THIN_2D, DEPTH, 1, 0},   {THIN_2D, DEPTH, 2, 0},
    {THIN_2D, DEPTH, 3, 0},   {THIN_2D, DEPTH, 5, 0},   {THIN_1D, DEPTH, 5, 0},
    {PRT, DEPTH, 5, 0},       {PRT, DEPTH, 5, 1},       {LINEAR, DISPLAY, 0, 0},
    {THIN_1D, DISPLAY, 1, 0}, {THIN_2D, DISPLAY, 1, 0}, {PRT, DISPLAY, 3, 0},
    {PRT, DISPLAY, 3, 1},     {THIN_1D, THIN, 1, 0},    {THIN_2D, THIN, 1, 0},
    {THIN_3D, THIN, 1, 0},    {PRT, THIN, 3, 0},        {PRT, THIN, 3, 1},
    {THICK_1D, THIN, 0, 0},   {THICK_1D, THICK, 0, 0},  {THICK_2D, THICK, 0, 0},
    {THICK_3D, THICK, 0, 0},  {PRT_THICK, THICK, 0, 0}, {PRT_THICK, THICK, 0, 1},
    {THICK_2D, THIN, 0, 0},   {XTHICK_2D, THICK, 0, 0}, {XTHICK_3D, THICK, 0, 0},
    {THIN_1D, ROTATED, 1, 0}, {THIN_2D, ROTATED, 1, 0}, {PRT, ROTATED, 3, 0},
    {PRT, ROTATED, 3, 1},
};

/* Bank height, macro tile aspect, banks, as powers of two; banks less one. */
static const uint8_t macro_modes[MACROTILE_MODES][3] = {
    {2, 2, 3}, {2, 2, 3}, {2, 2, 3}, {2, 2, 3}, {1, 1, 3}, {0, 0, 3}, {0, 0, 3}, {0, 0, 0},
    {3, 2, 3}, {2, 2, 3}, {1, 1, 3}, {0, 1, 3}, {0, 0, 2}, {0, 0, 1}, {0, 0, 1}, {0, 0, 0}};

/* gfx6, Tahiti: the geometry of banks is part of the mode. Bank heights, aspects and numbers of
 * banks (of two) are powers of two; banks are one wide. Splits are of 64 bytes, as powers of two;
 * that of a row of memory is GB_ADDR_CONFIG's 2 KiB. */
enum { ROW = 5 };
static const struct {
    uint8_t array, micro, pipes, split, height, aspect, banks;
} modes_gfx6[TILE_MODES] = {
    {THIN_2D, DEPTH, PIPES_8_GFX6, 0, 2, 1, 3},
    {THIN_2D, DEPTH, PIPES_8_GFX6, 1, 2, 1, 3},
    {THIN_2D, DEPTH, PIPES_8_GFX6, 2, 2, 1, 3},
    {THIN_2D, DEPTH, PIPES_8_GFX6, ROW, 2, 0, 1},
    {THIN_1D, DEPTH, PIPES_8_GFX6, 0, 0, 0, 0},
    {THIN_2D, DEPTH, PIPES_8_GFX6, 3, 2, 0, 0},
    {THIN_2D, DEPTH, PIPES_8_GFX6, 2, 3, 0, 0},
    {THIN_2D, DEPTH, PIPES_4_GFX6, 4, 2, 0, 0},
    {LINEAR, DISPLAY, 0, 0, 0, 0, 0},
    {THIN_1D, DISPLAY, PIPES_8_GFX6, 0, 0, 0, 0},
    {THIN_2D, DISPLAY, PIPES_8_GFX6, 2, 2, 1, 3},
    {THIN_2D, DISPLAY, PIPES_8_GFX6, 2, 1, 1, 3},
    {THIN_2D, DISPLAY, PIPES_8_GFX6, 3, 0, 0, 3},
    {THIN_1D, THIN, PIPES_8_GFX6, 0, 0, 0, 0},
    {THIN_2D, THIN, PIPES_8_GFX6, 2, 2, 0, 3},
    {THIN_2D, THIN, PIPES_8_GFX6, 2, 1, 0, 3},
    {THIN_2D, THIN, PIPES_8_GFX6, 3, 0, 0, 3},
    {THIN_2D, THIN, PIPES_8_GFX6, ROW, 0, 0, 3},
    {THICK_1D, THIN, PIPES_8_GFX6, 0, 0, 0, 0},
    {XTHICK_2D, THIN, PIPES_8_GFX6, ROW, 0, 0, 3},
    {THICK_2D, THIN, PIPES_8_GFX6, ROW, 0, 0, 3},
    {THIN_2D, THIN, PIPES_8_GFX6, 2, 3, 0, 1},
    {THIN_2D, THIN, PIPES_8_GFX6, 2, 2, 0, 1},
    {THIN_2D, THIN, PIPES_8_GFX6, 2, 3, 0, 0},
    {THIN_2D, THIN, PIPES_8_GFX6, 3, 2, 0, 0},
    {THIN_2D, THIN, PIPES_4_GFX6, 4, 2, 0, 0},
    {THIN_2D, THIN, PIPES_4_GFX6, 4, 2, 0, 0},
    {THIN_2D, THIN, PIPES_4_GFX6, 4, 2, 0, 0},
    {THIN_2D, THIN, PIPES_4_GFX6, 4, 2, 0, 0},
    {THIN_2D, THIN, PIPES_4_GFX6, 4, 2, 0, 0},
    {THIN_2D, THIN, PIPES_4_GFX6, 5, 1, 0, 0},
};

static uint32_t
tile_mode(const gpu_chip *chip, uint32_t k)
{
    if (chip->gen == AMD_GFX6)
        return (uint32_t)modes_gfx6[k].micro | modes_gfx6[k].array << 2 | modes_gfx6[k].pipes << 6 |
               modes_gfx6[k].split << 11 | modes_gfx6[k].height << 16 | modes_gfx6[k].aspect << 18 |
               modes_gfx6[k].banks << 20;
    uint32_t v = (uint32_t)modes_gfx7[k].array << 2 |
                 (modes_gfx7[k].four_pipes ? PIPES_4 : PIPES_8) << 6 |
                 (uint32_t)modes_gfx7[k].micro << 22;
    return v | (uint32_t)modes_gfx7[k].split << (modes_gfx7[k].micro == DEPTH ? 11 : 25);
}

uint32_t
radeon_tiling_register(const gpu_chip *chip, uint32_t dword_address)
{
    enum { RAM_CONFIG = 0x7081 };
    uint32_t tile = dword_address - GB_TILE_MODE0, macro = dword_address - GB_MACROTILE_MODE0;
    if (dword_address == GB_ADDR_CONFIG)
        return chip->gb_addr_config;
    if (dword_address == MC_ARB_RAMCFG)
        return RAM_CONFIG;
    if (chip->gen >= AMD_GFX9)
        return 0;
    if (tile < TILE_MODES)
        return tile_mode(chip, tile);
    if (macro < MACROTILE_MODES && chip->gen != AMD_GFX6)
        return (uint32_t)macro_modes[macro][0] << 2 | (uint32_t)macro_modes[macro][1] << 4 |
               (uint32_t)macro_modes[macro][2] << 6;
    return 0;
}
