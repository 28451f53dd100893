/* What pixel waves export: colours by SPI_SHADER_COL_FORMAT, depth, stencil and sample mask by
 * SPI_SHADER_Z_FORMAT, and which pixels live. */
#include "amd/emu/draw/state.h"

#include "amd/emu/num/float.h"
#include "base/bits.h"
#include "base/fp.h"

/* SPI_SHADER_EX_FORMAT */
enum {
    EX_ZERO,
    EX_32_R,
    EX_32_GR,
    EX_32_AR,
    EX_FP16,
    EX_UNORM16,
    EX_SNORM16,
    EX_UINT16,
    EX_SINT16,
    EX_32_ABGR,
};

enum { TARGET_Z = 8, TARGET_NULL = 9, TARGET_EVEN_LANES = 21, TARGET_ODD_LANES = 22 };

static uint32_t
widen(uint32_t format, uint32_t half)
{
    switch (format) {
    case EX_FP16: return base_f32_bits(amd_emu_from_half(half));
    case EX_UNORM16: return base_f32_bits((float)half / 65535.0f);
    case EX_SNORM16: {
        float v = (float)(int16_t)half / 32767.0f;
        return base_f32_bits(v < -1 ? -1 : v);
    }
    case EX_SINT16: return (uint32_t)(int32_t)(int16_t)half;
    default: return half;
    }
}

/* A lane's components, red first; those that are not exported are as they were. */
static void
read_lane(const draw_run *r, const amd_emu_export *e, uint32_t format, uint32_t lane,
          uint32_t out[4])
{
    unsigned alpha = r->is->alpha_in_second ? 1 : 3;
    switch (format) {
    case EX_ZERO: break;
    case EX_32_R:
    case EX_32_GR:
    case EX_32_ABGR:
        for (unsigned c = 0; c < 4; c++)
            out[c] = e->enabled >> c & 1 ? e->value[c][lane] : out[c];
        break;
    case EX_32_AR:
        out[0] = e->enabled & 1 ? e->value[0][lane] : out[0];
        out[3] = e->enabled >> alpha & 1 ? e->value[alpha][lane] : out[3];
        break;
    default: /* two components in a register */
        for (unsigned c = 0; c < 4; c++)
            out[c] = widen(format, e->value[c / 2][lane] >> (c & 1 ? 16 : 0) & 0xffff);
        break;
    }
}

static mach_fragment *
fragment_of(const draw_run *r, uint32_t lane)
{
    return &r->pixels->fragments[lane / 4][lane % 4];
}

/* A lane's colour in the attachment's components. */
static void
read_color(const draw_run *r, const amd_emu_export *e, uint32_t export, uint32_t lane,
           uint32_t to[4])
{
    uint32_t rgba[4] = {0, 0, 0, 0};
    read_lane(r, e, r->pixels->color_format >> 4 * export & 15, lane, rgba);
    for (unsigned c = 0; c < 4; c++)
        to[c] = rgba[r->shuffle[r->export_target[export]][c]];
}

static void
store_color(draw_run *r, const amd_emu_export *e, uint32_t export, bool second)
{
    uint32_t shown = second ? 0 : export, target = r->export_target[shown];
    if (target >= MACH_MAX_COLORS)
        return;
    for (uint64_t left = e->lanes & r->pixels->live; left; left &= left - 1) {
        uint32_t lane = base_ctz64(left);
        mach_fragment *f = fragment_of(r, lane);
        read_color(r, e, shown, lane, second ? f->second : f->color[target]);
    }
}

/* Two sources of one attachment, of lanes of one parity: the first is in the even lane of the pair,
 * the second in the odd one (Mesa, p_dual_src_export_gfx11, which exports with the live lanes
 * active: so both count where the lane that they are of is). */
static void
store_sources(draw_run *r, const amd_emu_export *e, uint32_t parity)
{
    const uint64_t even = 0x5555555555555555;
    if (r->export_target[0] >= MACH_MAX_COLORS)
        return;
    for (uint64_t left = r->pixels->live & even << parity; left; left &= left - 1) {
        uint32_t lane = base_ctz64(left);
        mach_fragment *f = fragment_of(r, lane);
        if (!(e->lanes >> (lane & ~1u) & 3))
            continue;
        read_color(r, e, 0, lane & ~1u, f->color[r->export_target[0]]);
        read_color(r, e, 0, lane | 1, f->second);
    }
}

/* Of 16-bit formats the stencil is in bits 23:16 of the first register, the mask in the second
 * one (Mesa, ac_nir_lower_ps.c). */
static void
store_depth(draw_run *r, const amd_emu_export *e)
{
    bool packed = r->pixels->depth_format == EX_UINT16;
    for (uint64_t left = e->lanes & r->pixels->live; left; left &= left - 1) {
        uint32_t lane = base_ctz64(left);
        mach_fragment *f = fragment_of(r, lane);
        f->depth = base_bits_f32(e->value[0][lane]);
        f->stencil = (uint8_t)(packed ? e->value[0][lane] >> 16 : e->value[1][lane]);
        if (r->pixels->exports_mask)
            f->mask = (uint16_t)(packed ? e->value[1][lane] : e->value[2][lane]);
    }
}

/* The last export, or one with the bit VM, says in exec which pixels live. */
static void
take_valid_mask(draw_run *r, const amd_emu_export *e)
{
    bool says = r->is->done_is_valid_mask ? e->done : e->valid_mask;
    for (uint64_t left = says ? r->pixels->live : 0; left; left &= left - 1) {
        uint32_t lane = base_ctz64(left);
        fragment_of(r, lane)->dead = !(e->lanes >> lane & 1);
    }
}

void
amd_draw_take_pixel_export(void *user, const amd_emu_export *e)
{
    draw_run *r = user;
    r->pixels->any_export = true;
    r->pixels->done |= e->done;
    if (e->target < MACH_MAX_COLORS)
        store_color(r, e, e->target, e->target == 1 && r->second_source);
    else if (e->target == TARGET_Z)
        store_depth(r, e);
    else if (e->target == TARGET_EVEN_LANES || e->target == TARGET_ODD_LANES)
        store_sources(r, e, e->target - TARGET_EVEN_LANES);
    take_valid_mask(r, e);
}
