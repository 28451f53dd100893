/* Streamout: the shader stores what transform feedback captures.
 *
 * To hardware vertex shaders the hardware says where. Vertices are not shared: each primitive has
 * its own, in order, so lanes are what is captured, one after the other, up to the primitive for
 * which a buffer has no room. Waves get, in the SGPRs behind the user's: the number of their first
 * lanes that are captured, in bits 22:16; the vertex number of lane 0 in the buffers; for each
 * buffer, in dwords, where the draw begins. Sources: Mesa's register database; what RADV's shaders
 * read (ac_nir_emit_legacy_streamout).
 *
 * Primitive shaders count themselves. Their groups have numbers of 12 bits, by which they take
 * turns. Up to gfx11.5 they count in registers, which keep what a draw leaves there; from gfx12 on
 * in memory, so numbers go on from draw to draw. Sources: RDNA 3 ISA, "GS NGG Streamout
 * Instructions"; RDNA 4 ISA, GLOBAL_ATOMIC_ORDERED_ADD_B64; Mesa (radeonsi, si_state_streamout.c).
 */
#include "amd/emu/draw/state.h"

static uint32_t
value_at(const draw_run *r, amd_hw_reg reg, uint32_t buffer)
{
    return amd_hw_register_value(r->regs, reg, buffer * AMD_HW_XFB_DWORDS);
}

/* The vertices for which the buffer has room. */
static uint32_t
room_of(const draw_run *r, uint32_t buffer)
{
    uint32_t size = value_at(r, AMD_HW_VGT_STRMOUT_BUFFER_SIZE_0, buffer);
    uint32_t start = value_at(r, AMD_HW_VGT_STRMOUT_BUFFER_OFFSET_0, buffer);
    uint32_t stride = amd_hw_register_field_at(r->regs, AMD_HW_VGT_STRMOUT_VTX_STRIDE_0_STRIDE,
                                               buffer * AMD_HW_XFB_DWORDS);
    return stride && size > start ? (size - start) / stride : 0;
}

void
amd_draw_read_streamout(draw_run *r)
{
    if (r->ngg || !draw_field(r, AMD_HW_VGT_STRMOUT_CONFIG_STREAMOUT_0_EN))
        return;
    uint32_t buffers = draw_field(r, AMD_HW_VGT_STRMOUT_BUFFER_CONFIG_STREAM_0_BUFFER_EN);
    r->out.shares_nothing = true;
    r->streamout_room = UINT32_MAX;
    for (uint32_t k = 0; k < AMD_HW_XFB_BUFFERS; k++) {
        if (buffers >> k & 1 && room_of(r, k) < r->streamout_room)
            r->streamout_room = room_of(r, k);
    }
}

void
amd_draw_give_streamout(const draw_run *r, uint32_t first, uint32_t n, amd_emu_stage_wave *w)
{
    enum { COUNT_AT = 16 };
    uint32_t index = r->streamed + first, of = r->streamed_of ? r->streamed_of : 1;
    uint32_t end = r->streamout_room - r->streamout_room % of;
    uint32_t count = index >= end ? 0 : end - index < n ? end - index : n;
    if (draw_field(r, AMD_HW_SPI_SHADER_PGM_RSRC2_VS_SO_EN)) {
        amd_draw_give_scalar(w, count << COUNT_AT);
        amd_draw_give_scalar(w, index);
    }
    uint32_t rsrc2 = draw_value(r, AMD_HW_SPI_SHADER_PGM_RSRC2_VS);
    for (uint32_t k = 0; k < AMD_HW_XFB_BUFFERS; k++) {
        if (rsrc2 & amd_hw_field_bits(AMD_HW_SPI_SHADER_PGM_RSRC2_VS_SO_BASE0_EN, r->gen, 1) << k)
            amd_draw_give_scalar(w, value_at(r, AMD_HW_VGT_STRMOUT_BUFFER_OFFSET_0, k));
    }
}

/* ---- primitive shaders ---- */

enum { ORDER_BITS = 12 };

uint32_t
amd_draw_group_order(const draw_run *r)
{
    uint32_t base = draw_value(r, AMD_HW_GE_GS_ORDERED_ID_BASE);
    return (base + r->batch) & ((1u << ORDER_BITS) - 1);
}

void
amd_draw_begin_counters(draw_run *r)
{
    uint32_t *counters = amd_emu_stage_counters(r->vertex.stage);
    for (uint32_t k = 0; k < AMD_HW_XFB_BUFFERS; k++)
        counters[k] = amd_hw_register_value(r->regs, AMD_HW_GDS_STRMOUT_DWORDS_WRITTEN_0, k);
}

static void
keep(const draw_run *r, amd_hw_reg reg, uint32_t dwords, uint32_t v)
{
    uint32_t address = amd_hw_reg_address(reg, r->gen);
    if (address)
        *amd_hw_register_at(r->regs, address + 4 * dwords) = v;
}

void
amd_draw_end_counters(draw_run *r)
{
    const uint32_t *counters = amd_emu_stage_counters(r->vertex.stage);
    if (!r->ngg || !draw_field(r, AMD_HW_VGT_SHADER_STAGES_EN_NGG_WAVE_ID_EN))
        return;
    for (uint32_t k = 0; k < AMD_HW_XFB_BUFFERS; k++)
        keep(r, AMD_HW_GDS_STRMOUT_DWORDS_WRITTEN_0, k, counters[k]);
    keep(r, AMD_HW_GE_GS_ORDERED_ID_BASE, 0, amd_draw_group_order(r));
}
