/* Buffers and images of category 6: untyped accesses count elements of the instruction's type;
 * typed ones convert texels. Accesses outside are dropped and give 0. */
#include "adreno/emu/image/image.h"

#include "base/fp.h"

#include <string.h>

enum { MODE_IMM, MODE_UNIFORM, MODE_NONUNIFORM };

/* Where the instruction's descriptor is, for a fibre. */
static adreno_place
place_of(adreno_wave *w, const adreno_inst *in, unsigned fibre)
{
    const uint32_t bits = in->f[ADRENO_F_uav], mode = in->f[ADRENO_F_mode];
    return (adreno_place){.set = in->f[ADRENO_F_bindless] ? (int)in->f[ADRENO_F_base] : -1,
                          .index = mode == MODE_UNIFORM
                                       ? w->descriptor
                                       : adreno_number_or_reg(w, fibre, bits, mode == MODE_IMM,
                                                              "the descriptor's number"),
                          .fibre = fibre};
}

/* A number that all fibres use is read before one of them gets its result, which may be in the same
 * register. */
static void
read_descriptor(adreno_wave *w, const adreno_inst *in)
{
    const unsigned first = adreno_wave_first(w);
    if (in->f[ADRENO_F_mode] == MODE_UNIFORM && first < w->n_fibres)
        w->descriptor = adreno_number_or_reg(w, first, in->f[ADRENO_F_uav], false,
                                             "the descriptor's number");
}

static uint32_t
offset_of(const adreno_inst *in)
{
    const unsigned low = adreno_field_width(adreno_format_of(in->op), ADRENO_F_off);
    return in->f[ADRENO_F_has_offset] ? in->f[ADRENO_F_off] | in->f[ADRENO_F_off_high] << low : 0;
}

static bool
open_buffer(adreno_wave *w, const adreno_inst *in, unsigned fibre, adreno_buffer_view *v)
{
    const adreno_place place = place_of(w, in, fibre);
    const uint32_t *words = adreno_find_descriptor(w, &place, ADRENO_DESCRIPTOR_BYTES);
    if (!words)
        return false;
    if (adreno_decode_buffer(words, v))
        return true;
    adreno_find(w, ADRENO_RULE_DESCRIPTOR, (int)fibre, "descriptor %u of base %d is no buffer",
                place.index, place.set);
    return false;
}

static uint64_t
bytes_of(const adreno_buffer_view *v)
{
    return adreno_view_texels(v) * mach_format_get(v->format)->bytes;
}

/* ---- untyped ---- */

/* Loads or stores the elements that are inside. */
static void
transfer(adreno_wave *w, const adreno_inst *in, unsigned fibre, bool is_store)
{
    adreno_buffer_view v;
    const unsigned type = in->f[ADRENO_F_type], n = in->f[ADRENO_F_elems] + 1;
    const unsigned reg = in->f[ADRENO_F_src1], size = adreno_type_bytes(type);
    const bool half = adreno_is_half_type(type);
    adreno_need_value(w, fibre, in->f[ADRENO_F_src2], false, "the index");
    if (!open_buffer(w, in, fibre, &v))
        return;
    const uint64_t first = (uint64_t)(uint32_t)(adreno_wave_read(w, fibre, in->f[ADRENO_F_src2],
                                                                 false) +
                                                offset_of(in));
    for (unsigned i = 0; i < n; i++) {
        const uint64_t at = (first + i) * size;
        const adreno_transfer t = {.access = {.space = ADRENO_GLOBAL,
                                              .kind = is_store ? ADRENO_STORE : ADRENO_LOAD,
                                              .address = v.address + at,
                                              .fibre = fibre},
                                   .type = type,
                                   .n = 1,
                                   .reg = reg + i};
        if (at + size <= bytes_of(&v)) {
            (is_store ? adreno_store : adreno_load)(w, &t);
        } else if (!is_store) {
            adreno_wave_write(w, fibre, reg + i, half, 0);
            adreno_wave_define(w, fibre, reg + i, half, true);
        }
    }
}

/* The result replaces the first of: result, data, what is compared with. The index counts 4 bytes;
 * 2 where numbers have 64 bits (Mesa's ir3_nir_lower_io_offsets, turnip's code for a750). */
static void
untyped_atomic(adreno_wave *w, const adreno_inst *in, unsigned fibre)
{
    adreno_buffer_view v;
    const unsigned reg = in->f[ADRENO_F_src1], words = adreno_atomic_words(in->f[ADRENO_F_type]);
    adreno_need_value(w, fibre, in->f[ADRENO_F_src2], false, "the index");
    if (!open_buffer(w, in, fibre, &v))
        return;
    const uint64_t index = adreno_wave_read(w, fibre, in->f[ADRENO_F_src2], false);
    const uint64_t at = index * (words == 2 ? 2 : 4);
    const adreno_atomic a = {.access = {.space = ADRENO_GLOBAL,
                                        .kind = ADRENO_ATOMIC,
                                        .address = v.address + at,
                                        .size = 4 * words,
                                        .fibre = fibre},
                             .data = reg + words,
                             .dst = reg};
    if (at + a.access.size <= bytes_of(&v))
        adreno_do_atomic(w, in, &a);
    else
        adreno_give_zeros(w, fibre, reg, words);
}

/* ---- typed ---- */

static void
read_coords(adreno_wave *w, const adreno_inst *in, unsigned fibre, int32_t out[4])
{
    memset(out, 0, 4 * sizeof *out);
    for (unsigned i = 0; i <= in->f[ADRENO_F_dims]; i++) {
        adreno_need_value(w, fibre, in->f[ADRENO_F_src2] + i, false, "a coordinate");
        out[i] = (int32_t)adreno_wave_read(w, fibre, in->f[ADRENO_F_src2] + i, false);
    }
}

/* Storage images have cubes as layers. */
static bool
open_typed(adreno_wave *w, const adreno_inst *in, unsigned fibre, mach_image *m)
{
    const adreno_place place = place_of(w, in, fibre);
    return adreno_open_image(w, &place, m);
}

static void
typed_atomic(adreno_wave *w, const adreno_inst *in, unsigned fibre)
{
    mach_image m;
    int32_t at[4];
    unsigned op = IR_ATOMIC_iadd;
    const unsigned reg = in->f[ADRENO_F_src1];
    if (!open_typed(w, in, fibre, &m) || !adreno_atomic_of(in, &op))
        return;
    read_coords(w, in, fibre, at);
    const uint32_t data = adreno_wave_read(w, fibre, reg + 1, false);
    const uint32_t compare = op == IR_ATOMIC_cmpxchg ? adreno_wave_read(w, fibre, reg + 2, false)
                                                     : 0;
    const uint64_t old = mach_image_atomic(&m, (ir_atomic_op)op, at, 0, compare, data);
    adreno_wave_write(w, fibre, reg, false, (uint32_t)old);
    adreno_wave_define(w, fibre, reg, false, true);
}

/* Half registers hold texels with 16 bits. */
static uint32_t
to_register(uint64_t texel, unsigned type)
{
    if (type == ADRENO_F16)
        return base_f64_to_f16((double)base_bits_f32((uint32_t)texel), BASE_ROUND_EVEN);
    return (uint32_t)texel;
}

static uint32_t
from_register(uint32_t bits, unsigned type)
{
    if (type == ADRENO_F16)
        return base_f32_bits((float)base_fp_decode(bits, 16));
    return type == ADRENO_S16 ? (uint32_t)base_sext64(bits, 16) : bits;
}

static void
typed_transfer(adreno_wave *w, const adreno_inst *in, unsigned fibre, bool is_store)
{
    mach_image m;
    int32_t at[4];
    mach_texel t = {{0}};
    const unsigned type = in->f[ADRENO_F_type], reg = in->f[ADRENO_F_src1];
    const bool half = adreno_is_half_type(type);
    if (!open_typed(w, in, fibre, &m))
        return;
    read_coords(w, in, fibre, at);
    if (!is_store)
        t = mach_image_load(&m, at, 0, 0);
    for (unsigned i = 0; i <= in->f[ADRENO_F_elems]; i++) {
        if (!is_store) {
            adreno_wave_write(w, fibre, reg + i, half, to_register(t.c[i], type));
            adreno_wave_define(w, fibre, reg + i, half, true);
            continue;
        }
        if (!adreno_wave_is_defined(w, fibre, reg + i, half))
            adreno_find(w, ADRENO_RULE_UNDEFINED_STORE, (int)fibre, "component %u is not defined",
                        i);
        t.c[i] = from_register(adreno_wave_read(w, fibre, reg + i, half), type);
    }
    if (is_store)
        mach_image_store(&m, at, 0, 0, &t);
}

/* ---- queries and uniform buffers ---- */

/* Elements of a buffer; width, height, depth or layers of an image. Layers of a 1D image follow its
 * width: ir3 reads an array's sizes one behind the other. */
static void
resource_info(adreno_wave *w, const adreno_inst *in, unsigned fibre)
{
    mach_image m;
    const unsigned dst = in->f[ADRENO_F_dst];
    if (!open_typed(w, in, fibre, &m))
        return;
    uint32_t sizes[3] = {m.width, m.height, m.dim == MACH_DIM_3D ? m.depth : m.layers};
    if (m.dim == MACH_DIM_1D) {
        sizes[1] = m.layers;
        sizes[2] = 1;
    }
    for (unsigned i = 0; i <= in->f[ADRENO_F_dims] && i < 3; i++) {
        adreno_wave_write(w, fibre, dst + i, false, sizes[i]);
        adreno_wave_define(w, fibre, dst + i, false, true);
    }
}

/* The uniform buffer's address and size. */
static bool
open_uniform(adreno_wave *w, const adreno_inst *in, unsigned fibre, uint64_t *address,
             uint64_t *size)
{
    const adreno_place place = place_of(w, in, fibre);
    const uint32_t *words = adreno_find_descriptor(w, &place, 8);
    if (!words)
        return false;
    *address = words[0] | (uint64_t)(words[1] & 0x1ffff) << 32;
    *size = (uint64_t)(words[1] >> 17) * 16;
    return true;
}

/* Dwords behind an offset in units of 16 bytes; the result of `.u` is shared. */
static void
load_uniform(adreno_wave *w, const adreno_inst *in, unsigned fibre)
{
    uint64_t base, size;
    if (!open_uniform(w, in, fibre, &base, &size))
        return;
    const uint64_t unit = adreno_number_or_reg(w, fibre, in->f[ADRENO_F_src1], in->f[ADRENO_F_im1],
                                               "the offset");
    for (unsigned i = 0; i <= in->f[ADRENO_F_elems]; i++) {
        const uint64_t at = 16 * unit + 4 * (in->f[ADRENO_F_off] + i);
        const unsigned dst = in->f[ADRENO_F_dst] + i;
        const adreno_transfer t = {
            .access = {.space = ADRENO_GLOBAL, .address = base + at, .fibre = fibre},
            .type = ADRENO_U32,
            .n = 1,
            .reg = dst};
        if (at + 4 <= size) {
            adreno_load(w, &t);
        } else {
            adreno_wave_write(w, fibre, dst, false, 0);
            adreno_wave_define(w, fibre, dst, false, true);
        }
    }
}

/* Units of 16 bytes to constants from a1.x on. */
static void
load_consts(adreno_wave *w, const adreno_inst *in, unsigned fibre)
{
    uint64_t base, size;
    if (!open_uniform(w, in, fibre, &base, &size))
        return;
    const uint64_t unit = adreno_number_or_reg(w, fibre, in->f[ADRENO_F_src1], in->f[ADRENO_F_im1],
                                               "the offset");
    const uint32_t to = adreno_wave_read(w, fibre, ADRENO_NUMBER_A0 + 1, false);
    for (uint32_t i = 0; i < 4 * (in->f[ADRENO_F_load] + 1) && to + i < ADRENO_EMU_CONSTS; i++) {
        const adreno_access a = {
            .space = ADRENO_GLOBAL, .address = base + 16 * unit + 4 * i, .size = 4, .fibre = fibre};
        const bool inside = 16 * unit + 4 * i + 4 <= size;
        const adreno_bytes b = inside ? adreno_reach(w, &a) : (adreno_bytes){0};
        w->m->consts[to + i] = 0;
        if (b.host)
            memcpy(&w->m->consts[to + i], b.host, sizeof w->m->consts[0]);
        w->m->const_state[to + i] = 1;
    }
}

static void
execute(adreno_wave *w, const adreno_inst *in, unsigned fibre)
{
    const bool typed = in->f[ADRENO_F_typed], is_store = in->op == ADRENO_STIB_B;
    switch (in->op) {
    case ADRENO_LDIB_B:
    case ADRENO_STIB_B: (typed ? typed_transfer : transfer)(w, in, fibre, is_store); break;
    case ADRENO_RESINFO_B: resource_info(w, in, fibre); break;
    case ADRENO_LDC: load_uniform(w, in, fibre); break;
    case ADRENO_LDC_K: load_consts(w, in, fibre); break;
    default: (typed ? typed_atomic : untyped_atomic)(w, in, fibre); break;
    }
}

static bool
is_known(const adreno_inst *in)
{
    unsigned op;
    switch (in->op) {
    case ADRENO_LDIB_B:
    case ADRENO_STIB_B: return !in->f[ADRENO_F_rck];
    case ADRENO_RESINFO_B:
    case ADRENO_LDC:
    case ADRENO_LDC_K: return true;
    default:
        if (adreno_op_row(in->op)->format != ADRENO_FMT_CAT6_ATOMIC_B)
            return false;
        return adreno_type_bytes(in->f[ADRENO_F_type]) == 4
                   ? adreno_atomic_of(in, &op)
                   : adreno_exchanges_pairs(in) && !in->f[ADRENO_F_typed];
    }
}

bool
adreno_execute_image(adreno_wave *w, const adreno_inst *in)
{
    if (w->isa->value[in->op] >> 61 == 5)
        return adreno_execute_cluster(w, in) || adreno_execute_texture(w, in);
    if (w->isa->gen < 6)
        return adreno_execute_slots(w, in);
    if (!is_known(in))
        return false;
    const bool once = in->op == ADRENO_LDC_K || (in->op == ADRENO_LDC && in->f[ADRENO_F_u]);
    read_descriptor(w, in);
    ADRENO_FOREACH_FIBRE(f, w) {
        execute(w, in, f);
        if (once)
            break;
    }
    return true;
}
