#include "drawn.h"

#include <string.h>

const char *
drawn_processor(amd_gen gen)
{
    static const char *const names[AMD_GEN_COUNT] = {
        [AMD_GFX6] = "gfx600",     [AMD_GFX7] = "gfx700",   [AMD_GFX8] = "gfx803",
        [AMD_GFX9] = "gfx900",     [AMD_GFX908] = "gfx908", [AMD_GFX90A] = "gfx90a",
        [AMD_GFX942] = "gfx942",   [AMD_GFX950] = "gfx950", [AMD_GFX10] = "gfx1010",
        [AMD_GFX10_3] = "gfx1030", [AMD_GFX11] = "gfx1100", [AMD_GFX11_5] = "gfx1150",
        [AMD_GFX12] = "gfx1200",
    };
    return names[gen];
}

/* Selects an opcode and the first of its encodings from `k` on; false if the generation lacks it.
 */
static bool
choose(amd_gen gen, uint32_t k, amd_op *op, amd_fmt *fmt, amd_ext *ext)
{
    *op = (amd_op)(1 + k * 7919u % (AMD_OP_HW_COUNT - 1u));
    *ext = (amd_ext)(k % 4);
    for (unsigned f = 0; f < AMD_FMT_COUNT - 1u; f++) {
        *fmt = (amd_fmt)(1 + (k + f) % (AMD_FMT_COUNT - 1u));
        if (opcode_draw_has(gen, *op, *fmt, *ext))
            return true;
        if (opcode_draw_has(gen, *op, *fmt, AMD_EXT_NONE)) {
            *ext = AMD_EXT_NONE;
            return true;
        }
    }
    return false;
}

bool
drawn_inst(opcode_draw *draw, uint32_t k, uint32_t words[OPCODE_WORDS], amd_inst *in)
{
    amd_op op;
    amd_fmt fmt;
    amd_ext ext;
    return choose(draw->gen, k, &op, &fmt, &ext) && opcode_draw_words(draw, op, fmt, ext, words) &&
           amd_decode(draw->gen, (const uint8_t *)words, OPCODE_WORDS * 4, in);
}
