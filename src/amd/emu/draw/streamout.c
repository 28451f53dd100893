/* Streamout of hardware vertex shaders: the shader stores what transform feedback captures, the
 * hardware says where.
 *
 * Vertices are not shared: each primitive has its own, in order, so lanes are what is captured, one
 * after the other, up to the primitive for which a buffer has no room. Waves get, in the SGPRs
 * behind the user's: the number of their first lanes that are captured, in bits 22:16; the vertex
 * number of lane 0 in the buffers; for each buffer, in dwords, where the draw begins.
 * Sources: Mesa's register database; what RADV's shaders read (ac_nir_emit_legacy_streamout).
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
