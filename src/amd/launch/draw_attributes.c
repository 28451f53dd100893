/* Records of vertex attributes for shaders whose vertex input is dynamic state (docs/abi.md): the
 * driver's part of what the compiler otherwise does with formats and rates. */
#include "amd/launch/draw.h"

#include "amd/emu/desc/descriptor.h"
#include "amd/emu/desc/hwformat.h"
#include "amd/emu/desc/texel.h"

enum { FIELDS = 4, MULTIPLIER, PER_INSTANCE = 1, INCREMENT = 2 };
enum { PRE_SHIFT_AT = 8, POST_SHIFT_AT = 16, LARGEST = 31 };

/* Division by `d` of a number n of 32 bits: with p = floor(log2(d)) and m = floor(2^(32 + p) / d)
 * it is n * (m + 1) >> 32 + p if (m + 1) * d - 2^(32 + p) <= 2^p, else (n + 1) * m >> 32 + p
 * (Granlund and Montgomery; Robison, "N-bit unsigned division via N-bit multiply-add"). */
static void
divide_by(uint32_t d, uint32_t words[AMD_DRAW_RECORD_WORDS])
{
    uint32_t p = LARGEST - base_clz32(d);
    uint64_t one = UINT64_C(1) << (32 + p), m = one / d;
    bool up = (m + 1) * d - one <= UINT64_C(1) << p;
    bool shifts = !(d & (d - 1));
    words[FIELDS] |= shifts ? p << PRE_SHIFT_AT : p << POST_SHIFT_AT;
    words[FIELDS] |= shifts || !up ? INCREMENT : 0;
    words[MULTIPLIER] = shifts ? UINT32_MAX : (uint32_t)(m + up);
}

/* The formats of descriptors have no three channels of 8 or 16 bits: four are loaded, if their
 * alignment allows it, and the last is 1. */
static mach_format
four_channels(mach_format f)
{
    const mach_format_info *info = mach_format_get(f);
    if (info->channels != 3 || info->bits[0] > 16 || info->bits[0] % 8)
        return f;
    for (unsigned k = 1; k < MACH_FORMAT_COUNT; k++) {
        const mach_format_info *four = mach_format_get((mach_format)k);
        if (four->channels == 4 && four->kind == info->kind && four->bits[0] == info->bits[0] &&
            four->bits[1] == info->bits[0] && four->swizzle[0] == info->swizzle[0])
            return (mach_format)k;
    }
    return f;
}

static bool
lacks_sign(const amd_target *t, const mach_format_info *f)
{
    bool sign = f->kind == MACH_NUM_SNORM || f->kind == MACH_NUM_SSCALED ||
                f->kind == MACH_NUM_SINT;
    return f->bits[3] == 2 && sign && amd_has(t, unsigned_alpha2);
}

static bool
is_misaligned(const amd_target *t, const mach_format_info *loaded, const family_vertex_attribute *a,
              uint32_t stride)
{
    uint32_t channel = loaded->bits[0] / 8u, bytes = loaded->bytes;
    bool packed = loaded->bits[0] % 8 || loaded->bits[1] % 8;
    bool single = packed || loaded->bits[0] < 32;
    return amd_has(t, aligned_typed_loads) && single && bytes > channel &&
           (a->offset | stride) % (bytes == 6 ? 2 : bytes);
}

const char *
amd_draw_describe_attribute(const amd_target *t, const family_draw *d, uint32_t location,
                            uint32_t words[AMD_DRAW_RECORD_WORDS])
{
    enum { FORMAT_32_FLOAT = 22 }; /* hwformat.h; dwords are loaded */
    const family_vertex_attribute *a = &d->pipeline->attributes[location];
    const family_vertex_binding *rate = &d->pipeline->bindings[a->binding];
    const family_vertex_buffer *b = NULL;
    for (uint32_t k = 0; k < d->n_buffers; k++)
        b = d->buffers[k].binding == a->binding ? &d->buffers[k] : b;
    if (!b || (!a->format && !a->wide))
        return NULL;
    mach_format format = four_channels(a->format);
    const mach_format_info *info = mach_format_get(format);
    uint64_t end = a->offset + (a->wide ? 8u * a->wide : mach_format_get(a->format)->bytes);
    uint64_t records = b->size < end  ? 0
                       : rate->stride ? (b->size - end) / rate->stride + 1
                                      : b->size - a->offset;
    if (rate->stride && t->gen == AMD_GFX8)
        records = records ? (records - 1) * rate->stride + end - a->offset : 0;
    amd_buffer_desc desc = {.base = b->address + a->offset,
                            .stride = rate->stride,
                            .num_records = records < UINT32_MAX ? (uint32_t)records : UINT32_MAX,
                            .oob = rate->stride ? AMD_OOB_INDEX : AMD_OOB_RAW,
                            .format = FORMAT_32_FLOAT,
                            .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W}};
    if (!a->wide) {
        desc.format = amd_format_from_mach(format, desc.dst_sel);
        if (!amd_format_to_buffer(t->gen, desc.format) || lacks_sign(t, info))
            return "this format of a vertex attribute as dynamic state";
        if (is_misaligned(t, info, a, rate->stride))
            return "an unaligned vertex attribute as dynamic state";
        if (format != a->format)
            desc.dst_sel[3] = AMD_SEL_1;
    }
    amd_buffer_encode(t->gen, &desc, words);
    words[FIELDS] = rate->per_instance ? PER_INSTANCE : 0;
    if (rate->per_instance && rate->divisor)
        divide_by(rate->divisor, words);
    return NULL;
}
