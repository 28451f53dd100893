/* Parameters of a pixel wave's primitives in LDS.
 *
 * For each parameter and primitive there are P0, P10 and P20: the value at the provoking vertex and
 * the differences of the others', or, for flat parameters, all three values. SPI_PS_INPUT_CNTL says
 * where each comes from: a parameter of the vertices, a constant, or a point's coordinates; or of
 * the primitive, which primitive shaders' lanes of primitives export or store (PRIM_ATTR, on
 * gfx10.3 the last inputs; RADV 26.2.6 has PrimitiveId so), and which is the same at all vertices.
 */
#include "amd/emu/draw/state.h"

#include "amd/emu/num/float.h"
#include "base/fp.h"

#include <string.h>

enum { DWORDS = 12, P10 = 4, P20 = 8, ONE = 0x3f800000 };

static draw_input
read_input(const draw_run *r, uint32_t k)
{
    enum { USE_DEFAULT = 1 << 5 };
    uint32_t source = amd_hw_register_field_at(r->regs, AMD_HW_SPI_PS_INPUT_CNTL_0_OFFSET, k);
    bool sprites = draw_field(r, AMD_HW_SPI_INTERP_CONTROL_0_PNT_SPRITE_ENA);
    return (draw_input){
        .source = source & (USE_DEFAULT - 1),
        .primitive = k >= r->pixels->first_of_primitives ||
                     amd_hw_register_field_at(r->regs, AMD_HW_SPI_PS_INPUT_CNTL_0_PRIM_ATTR, k),
        .constant = source & USE_DEFAULT,
        .constants = (uint8_t)amd_hw_register_field_at(r->regs,
                                                       AMD_HW_SPI_PS_INPUT_CNTL_0_DEFAULT_VAL, k),
        .flat = amd_hw_register_field_at(r->regs, AMD_HW_SPI_PS_INPUT_CNTL_0_FLAT_SHADE, k),
        .sprite = sprites &&
                  amd_hw_register_field_at(r->regs, AMD_HW_SPI_PS_INPUT_CNTL_0_PT_SPRITE_TEX, k),
        .halves = amd_hw_register_field_at(r->regs, AMD_HW_SPI_PS_INPUT_CNTL_0_FP16_INTERP_MODE, k),
    };
}

void
amd_draw_read_inputs(draw_run *r)
{
    for (uint32_t k = 0; k < r->pixels->n_parameters; k++)
        r->pixels->inputs[k] = read_input(r, k);
}

/* DEFAULT_VAL: 0 0 0 0, 0 0 0 1, 1 1 1 0, 1 1 1 1. */
static uint32_t
constant_of(const draw_input *in, unsigned c)
{
    return (c < 3 ? in->constants >> 1 : in->constants) & 1 ? ONE : 0;
}

static uint32_t
difference(const draw_input *in, uint32_t a, uint32_t b)
{
    if (!in->halves)
        return base_f32_bits(base_bits_f32(a) - base_bits_f32(b));
    uint32_t v = 0;
    for (unsigned k = 0; k < 32; k += 16) {
        float d = amd_emu_from_half(a >> k & 0xffff) - amd_emu_from_half(b >> k & 0xffff);
        v |= amd_emu_f32_to_half(d, 0) << k;
    }
    return v;
}

/* Where the input's dwords are, and whether they are defined. */
typedef struct place {
    uint32_t value[DWORDS];
    bool defined[DWORDS];
} place;

/* A point's coordinates are its weights (pixels.c): across, and down or up. */
static void
set_sprite(const draw_run *r, place *to)
{
    enum { SEL_0, SEL_1, SEL_S, SEL_T };
    const uint8_t select[4] = {
        (uint8_t)draw_field(r, AMD_HW_SPI_INTERP_CONTROL_0_PNT_SPRITE_OVRD_X),
        (uint8_t)draw_field(r, AMD_HW_SPI_INTERP_CONTROL_0_PNT_SPRITE_OVRD_Y),
        (uint8_t)draw_field(r, AMD_HW_SPI_INTERP_CONTROL_0_PNT_SPRITE_OVRD_Z),
        (uint8_t)draw_field(r, AMD_HW_SPI_INTERP_CONTROL_0_PNT_SPRITE_OVRD_W)};
    bool up = draw_field(r, AMD_HW_SPI_INTERP_CONTROL_0_PNT_SPRITE_TOP_1);
    memset(to->defined, true, sizeof to->defined);
    for (unsigned c = 0; c < 4; c++) {
        bool is_t = select[c] == SEL_T;
        to->value[c] = select[c] == SEL_1 || (is_t && up) ? ONE : 0;
        to->value[P10 + c] = select[c] == SEL_S ? ONE : 0;
        to->value[P20 + c] = !is_t ? 0 : up ? ONE | 1u << 31 : ONE;
    }
}

static void
set_values(const draw_run *r, const draw_input *in, const mach_primitive *p, place *to)
{
    const draw_parameters *q = r->parameters;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v[3];
        bool defined[3];
        for (unsigned k = 0; k < 3; k++) {
            uint32_t at = in->primitive ? (uint32_t)(p - r->of->primitives)
                                        : p->vertex[k < p->n ? k : 0];
            v[k] = in->constant ? constant_of(in, c) : q->value[in->source][c][at];
            defined[k] = in->constant || (q->written[in->source][at] >> c & 1);
        }
        to->defined[c] = defined[0];
        to->defined[P10 + c] = defined[1] && (in->flat || defined[0]);
        to->defined[P20 + c] = defined[2] && (in->flat || defined[0]);
        to->value[c] = v[0];
        to->value[P10 + c] = in->flat ? v[1] : difference(in, v[1], v[0]);
        to->value[P20 + c] = in->flat ? v[2] : difference(in, v[2], v[0]);
    }
}

void
amd_draw_fill_lds(draw_run *r, const mach_fragment_quad *quads, uint32_t n, draw_lds *lds)
{
    const mach_fragment_quad *first[MACH_BATCH_QUADS]; /* of each primitive */
    uint32_t primitives = 0, parameters = r->pixels->n_parameters;
    lds->new_primitives = 0;
    for (uint32_t q = 0; q < n; q++) {
        bool is_new = !q || quads[q].primitive != quads[q - 1].primitive;
        if (is_new)
            first[primitives++] = &quads[q];
        if (q && is_new)
            lds->new_primitives |= 1u << (q - 1);
    }
    lds->bytes = parameters * primitives * DWORDS * 4;
    for (uint32_t a = 0; a < parameters; a++) {
        const draw_input *in = &r->pixels->inputs[a];
        for (uint32_t p = 0; p < primitives; p++) {
            place to = {0};
            uint32_t at = (a * primitives + p) * DWORDS * 4;
            if (in->sprite && first[p]->part->point_size > 0)
                set_sprite(r, &to);
            else
                set_values(r, in, first[p]->primitive, &to);
            memcpy(lds->values + at, to.value, sizeof to.value);
            for (unsigned k = 0; k < DWORDS * 4; k++)
                lds->defined[at + k] = to.defined[k / 4];
        }
    }
}
