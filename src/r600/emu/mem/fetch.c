/* Fetches from vertex buffers, through the words of their resources.
 *
 * A resource has a base, a size and a stride. If the instruction says so, it also has the format,
 * from Evergreen on with selects: it is a texel buffer. Before, components that the format lacks
 * are anything. The address is base + index * stride + offset. A fetch outside the resource
 * gives zeros, and a finding; outside a texel buffer zeros alone, as Vulkan lets shaders read. */
#include "r600/emu/core/wave.h"

#include "base/bits.h"
#include "base/fp.h"
#include "r600/emu/desc/format.h"

enum { MAX_COMPONENTS = 4, SELECT_MASK = 7, NUM_NORM = 0, NUM_INT = 1, NO_INDEX = 2 };

/* What stands for a component that the hardware does not promise. */
enum { ANYTHING = 0x5bad5bad };

/* Formats of plain components: the number of components and their bits; float or not. */
typedef struct data_format {
    uint8_t format, components, bits;
    bool is_float;
} data_format;

static const data_format formats[] = {
    {1, 1, 8, false},   {5, 1, 16, false},  {6, 1, 16, true},   {7, 2, 8, false},
    {13, 1, 32, false}, {14, 1, 32, true},  {15, 2, 16, false}, {16, 2, 16, true},
    {26, 4, 8, false},  {29, 2, 32, false}, {30, 2, 32, true},  {31, 4, 16, false},
    {32, 4, 16, true},  {34, 4, 32, false}, {35, 4, 32, true},  {44, 3, 8, false},
    {45, 3, 16, false}, {46, 3, 16, true},  {47, 3, 32, false}, {48, 3, 32, true},
};

/* What the words of a resource say. */
typedef struct buffer {
    uint64_t address, size;
    uint32_t stride, format, num, is_signed;
    const data_format *plain; /* NULL: elements are texels */
    mach_image texels;        /* their format and selects */
    bool has_no_selects;      /* of a texel buffer */
    uint32_t bytes;           /* of an element */
} buffer;

static buffer
read_resource(const emu_wave *w, uint32_t number)
{
    const uint32_t *r = emu_machine_of(w)->d->resources[number];
    return (buffer){.address = r[0] | (uint64_t)(r[2] & 0xff) << 32,
                    .size = (uint64_t)r[1] + 1,
                    .stride = r[2] >> 8 & 0x7ff,
                    .format = r[2] >> 20 & 0x3f,
                    .num = r[2] >> 26 & 3,
                    .is_signed = r[2] >> 28 & 1};
}

static const data_format *
find_format(uint32_t number)
{
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].format == number)
            return &formats[i];
    return NULL;
}

static uint32_t
convert(const buffer *b, const data_format *f, uint32_t raw)
{
    const int64_t value = b->is_signed ? base_sext64(raw, f->bits) : (int64_t)raw;
    if (f->is_float)
        return f->bits == 16 ? base_f32_bits(base_f16_to_f32((uint16_t)raw)) : raw;
    if (b->num == NUM_INT)
        return (uint32_t)(uint64_t)value;
    const double most = (double)base_mask64(f->bits - b->is_signed);
    const double x = b->num == NUM_NORM ? (double)value / most : (double)value;
    return base_f64_to_f32(x < -1 && b->num == NUM_NORM ? -1 : x, BASE_ROUND_EVEN);
}

static void
read_components(const buffer *b, const uint8_t *bytes, uint32_t out[MAX_COMPONENTS])
{
    const uint32_t size = b->plain->bits / 8u;
    for (unsigned c = 0; c < b->plain->components; c++) {
        uint32_t raw = 0;
        for (uint32_t i = size; i-- > 0;)
            raw = raw << 8 | bytes[c * size + i];
        out[c] = convert(b, b->plain, raw);
    }
}

static void
read_texel(const buffer *b, const uint8_t *bytes, uint32_t out[MAX_COMPONENTS])
{
    const mach_texel t = mach_texel_swizzle(&b->texels, mach_texel_read(b->texels.format, bytes));
    for (unsigned c = 0; c < MAX_COMPONENTS; c++)
        out[c] = b->has_no_selects && !mach_format_get(b->texels.format)->bits[c]
                     ? ANYTHING
                     : (uint32_t)t.c[c];
}

/* The components of an element. Returns false if it is outside the resource. */
static bool
read_element(emu_wave *w, const buffer *b, uint64_t offset, uint32_t out[MAX_COMPONENTS])
{
    emu_machine *m = emu_machine_of(w);
    const mach_region *r = offset <= b->size && b->bytes <= b->size - offset
                               ? mach_memory_find(m->memory, &m->hint, b->address + offset,
                                                  b->bytes)
                               : NULL;
    for (unsigned c = 0; c < MAX_COMPONENTS; c++)
        out[c] = c == 3 && b->plain ? (b->num == NUM_INT ? 1 : base_f32_bits(1.0f)) : 0;
    if (r)
        (b->plain ? read_components : read_texel)(b, r->host + (b->address + offset - r->base),
                                                  out);
    return r != NULL;
}

void
r600_emu_write_fetch(emu_wave *w, const r600_inst *in, const uint32_t value[MAX_COMPONENTS],
                     uint32_t lane)
{
    for (unsigned c = 0; c < MAX_COMPONENTS; c++) {
        const uint32_t select = in->f[R600_F_out_sel_x + c];
        emu_lanes *to = &w->gpr[in->f[R600_F_out_gpr]][c];
        if (select == SELECT_MASK)
            continue;
        to->v[lane] = select < EMU_SELECT_0    ? value[select]
                      : select == EMU_SELECT_1 ? base_f32_bits(1.0f)
                                               : 0;
        to->defined |= UINT64_C(1) << lane;
    }
}

/* Elements in one of the plain formats, or texels: of a resource that says its format, and of
 * packed formats. */
static buffer
buffer_of(emu_wave *w, const r600_inst *in)
{
    enum { PLAIN_SELECTS = 0 | 1 << 3 | 2 << 6 | 3 << 9 };
    const uint32_t number = in->f[R600_F_resource];
    const bool by_resource = in->f[R600_F_const_fields];
    buffer b = read_resource(w, number);
    if (!by_resource) {
        b.format = in->f[R600_F_format];
        b.num = in->f[R600_F_num_format];
        b.is_signed = in->f[R600_F_is_signed];
        b.plain = find_format(b.format);
    }
    if (b.plain) {
        b.bytes = b.plain->components * b.plain->bits / 8u;
        return b;
    }
    const r600_texel_format f = {
        .number = (uint8_t)b.format, .what = (uint8_t)b.num, .is_signed = b.is_signed != 0};
    const uint32_t selects = emu_machine_of(w)->d->resources[number][3] >> 3 & 0xfff;
    b.texels.format = r600_decode_format(&f);
    if (b.texels.format == MACH_FORMAT_none)
        r600_emu_unsupported(w, "a format that the emulator does not have");
    b.has_no_selects = by_resource && emu_machine_of(w)->d->chip->gen < R600_GEN_EG;
    r600_decode_selects(b.texels.format, by_resource && !b.has_no_selects ? selects : PLAIN_SELECTS,
                        b.texels.swizzle);
    b.bytes = mach_format_get(b.texels.format)->bytes;
    return b;
}

/* What word 4 of the resource says. */
static void
give_size(emu_wave *w, const r600_inst *in)
{
    const uint32_t value[MAX_COMPONENTS] = {
        emu_machine_of(w)->d->resources[in->f[R600_F_resource]][4]};
    EMU_FOREACH_LANE(lane, emu_active(w))
        r600_emu_write_fetch(w, in, value, lane);
}

void
r600_emu_fetch(emu_wave *w, const r600_inst *in)
{
    const uint8_t format = r600_op_row(in->op)->format;
    if (in->op != R600_RAW && (format == R600_FMT_TEX || format == R600_FMT_TEX_MOD)) {
        r600_emu_sample(w, in);
        return;
    }
    if (in->op == R600_GET_BUFFER_RESINFO && !in->f[R600_F_out_rel]) {
        give_size(w, in);
        return;
    }
    if (in->op == R600_READ_SCRATCH && !in->f[R600_F_out_rel] && !in->f[R600_F_src_rel]) {
        r600_emu_scratch_read(w, in);
        return;
    }
    if (in->op != R600_VFETCH || in->f[R600_F_out_rel] || in->f[R600_F_src_rel])
        r600_emu_unsupported(w, "a fetch that the emulator does not have");
    const buffer b = buffer_of(w, in);
    const emu_lanes index = w->gpr[in->f[R600_F_src_gpr]][in->f[R600_F_sel_x]];
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        uint32_t value[MAX_COMPONENTS];
        if (!(index.defined >> lane & 1))
            r600_emu_find(w, R600_RULE_UNDEFINED_ADDRESS, (int)lane, "the index is not defined");
        const uint64_t offset = (uint64_t)index.v[lane] * b.stride + in->f[R600_F_offset];
        if (read_element(w, &b, offset, value))
            r600_emu_check_fetch(w, b.address + offset, b.bytes, lane);
        else if (b.plain)
            r600_emu_find(w, R600_RULE_FETCH_BOUNDS, (int)lane,
                          "the element is outside the resource");
        r600_emu_write_fetch(w, in, value, lane);
    }
}
