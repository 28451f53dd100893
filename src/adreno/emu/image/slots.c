/* Storage buffers before a6xx: instructions (ldgb, stgb, atomic.s) name them by numbers. What a
 * driver sets for each is SSBO_1, the size in dwords, and its address (a4xx.xml, a5xx.xml,
 * fd4_emit.c and fd5_emit.c of Mesa). An access is told twice where it is: in dwords, which are
 * checked against the size here, and as an address in bytes, from the buffer on a5xx, absolute and
 * of 32 bits on a4xx. Where the two differ the rule `descriptor` says so.
 *
 * Images share the numbers. Accesses with one to three coordinates (the shape says how many) are
 * theirs: the address is that of the texel by SSBO_0's pitches, and counts dwords in atomics of
 * a5xx (ir3_a4xx.c). They are checked against the sizes of SSBO_1, and convert by its format. */
#include "adreno/emu/image/image.h"

#include <string.h>

typedef struct access_fields {
    unsigned data, offset, address; /* registers; offset: or a number */
    bool offset_im;
    unsigned dst, n;
} access_fields;

static access_fields
fields_of(const adreno_inst *in)
{
    const uint32_t *f = in->f;
    switch (in->op) {
    case ADRENO_LDIB:
    case ADRENO_LDGB:
    case ADRENO_LDGB5:
        return (access_fields){.address = f[ADRENO_F_src1],
                               .offset = f[ADRENO_F_src2],
                               .offset_im = f[ADRENO_F_im2],
                               .dst = f[ADRENO_F_dst],
                               .n = f[ADRENO_F_elems] + 1};
    case ADRENO_STIB_OLD:
    case ADRENO_STIB5:
    case ADRENO_STGB:
    case ADRENO_STGB5:
        return (access_fields){.data = f[ADRENO_F_src1],
                               .offset = f[ADRENO_F_src2],
                               .offset_im = f[ADRENO_F_im2],
                               .address = f[ADRENO_F_src3],
                               .n = f[ADRENO_F_elems] + 1};
    default:
        return (access_fields){.data = f[ADRENO_F_src1],
                               .offset = f[ADRENO_F_src2],
                               .offset_im = f[ADRENO_F_im2],
                               .address = f[ADRENO_F_src3],
                               .dst = f[ADRENO_F_dst],
                               .n = 1};
    }
}

static bool
is_wide(const adreno_wave *w)
{
    return w->isa->gen >= 5;
}

static uint64_t
size_of(const adreno_slot_words *s)
{
    return 4 * (s->word[0] >> 16 | (uint64_t)(s->word[1] & 0xffff) << 16);
}

static uint64_t
base_of(const adreno_wave *w, const adreno_slot_words *s)
{
    return s->address_low | (uint64_t)(is_wide(w) ? s->address_high : w->m->d->address_high) << 32;
}

/* Compares the address in bytes with the offset. */
static void
check_address(adreno_wave *w, const access_fields *a, unsigned fibre, const adreno_slot_words *s)
{
    const unsigned words = is_wide(w) ? 2 : 1;
    const uint32_t offset = adreno_number_or_reg(w, fibre, a->offset, a->offset_im, "the offset");
    const uint32_t wanted = 4 * offset + (is_wide(w) ? 0 : s->address_low);
    for (unsigned k = 0; k < words; k++)
        adreno_need_value(w, fibre, a->address + k, false, "the address");
    const uint32_t low = adreno_wave_read(w, fibre, a->address, false);
    const uint32_t high = words > 1 ? adreno_wave_read(w, fibre, a->address + 1, false) : 0;
    if (low != wanted || high)
        adreno_find(w, ADRENO_RULE_DESCRIPTOR, (int)fibre,
                    "the address 0x%x is not that of the offset, 0x%x", low, wanted);
}

static void
give_zeros(adreno_wave *w, unsigned fibre, unsigned reg, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        adreno_wave_write(w, fibre, reg + i, false, 0);
        adreno_wave_define(w, fibre, reg + i, false, true);
    }
}

static void
transfer(adreno_wave *w, const adreno_inst *in, const adreno_transfer *t, bool inside)
{
    const bool is_store = in->op == ADRENO_STGB || in->op == ADRENO_STGB5;
    if (inside)
        (is_store ? adreno_store : adreno_load)(w, t);
    else if (!is_store)
        give_zeros(w, t->access.fibre, t->reg, 1);
}

static void
execute(adreno_wave *w, const adreno_inst *in, unsigned fibre, const adreno_slot_words *s)
{
    const access_fields a = fields_of(in);
    const bool is_store = in->op == ADRENO_STGB || in->op == ADRENO_STGB5;
    const bool is_load = in->op == ADRENO_LDGB || in->op == ADRENO_LDGB5;
    check_address(w, &a, fibre, s);
    const uint64_t offset = 4 * (uint64_t)adreno_number_or_reg(w, fibre, a.offset, a.offset_im,
                                                               "the offset");
    for (unsigned i = 0; i < a.n; i++) {
        const uint64_t at = offset + 4 * i;
        const bool inside = at + 4 <= size_of(s);
        const adreno_access access = {.space = ADRENO_GLOBAL,
                                      .kind = is_store  ? ADRENO_STORE
                                              : is_load ? ADRENO_LOAD
                                                        : ADRENO_ATOMIC,
                                      .address = base_of(w, s) + at,
                                      .size = 4,
                                      .fibre = fibre};
        const adreno_transfer t = {
            .access = access, .type = ADRENO_U32, .n = 1, .reg = (is_store ? a.data : a.dst) + i};
        const adreno_atomic atomic = {.access = access, .data = a.data, .dst = a.dst};
        if (is_store || is_load)
            transfer(w, in, &t, inside);
        else if (inside)
            adreno_do_atomic(w, in, &atomic);
        else
            give_zeros(w, fibre, a.dst, 1);
    }
}

/* ---- images ---- */

static bool
is_atomic(const adreno_inst *in)
{
    const unsigned format = adreno_op_row(in->op)->format;
    return format == ADRENO_FMT_CAT6_ATOMIC_S || format == ADRENO_FMT_CAT6_ATOMIC_S5;
}

static bool
is_image_store(const adreno_inst *in)
{
    return in->op == ADRENO_STIB_OLD || in->op == ADRENO_STIB5;
}

/* The image that the words describe, for accesses with so many coordinates. */
static bool
open_slot(adreno_wave *w, const adreno_slot_words *s, unsigned n, mach_image *m)
{
    uint32_t number = s->word[0] >> 8 & 0xff;
    const uint32_t width = s->word[0] >> 16, height = s->word[1] & 0xffff;
    memset(m, 0, sizeof *m);
    if (!is_wide(w) && !adreno_format_from(ADRENO_STORED_FORMATS_4, number, &number))
        return false;
    m->format = adreno_format_of_number(number);
    if (m->format == MACH_FORMAT_none || s->bytes != mach_format_get(m->format)->bytes)
        return false;
    m->dim = n == 1 ? MACH_DIM_1D : n == 2 ? MACH_DIM_2D : MACH_DIM_3D;
    m->width = width | (n == 1 && height > 1 ? height << 15 : 0);
    m->height = n == 1 ? 1 : height;
    m->depth = n == 3 ? s->word[1] >> 16 : 1;
    m->layers = m->levels = m->view_levels = m->view_layers = m->samples = 1;
    m->level[0] = (mach_level){.row_pitch = s->pitch, .slice_pitch = s->array_pitch};
    m->size = n == 1   ? (uint64_t)m->width * s->bytes
              : n == 2 ? (uint64_t)m->height * s->pitch
                       : (uint64_t)m->depth * s->array_pitch;
    const mach_region *r = mach_memory_find(w->m->memory, &w->region_hint, base_of(w, s), m->size);
    m->data = r ? r->host + (base_of(w, s) - r->base) : NULL;
    return r != NULL;
}

/* An access to an image in a fibre. */
typedef struct image_access {
    adreno_wave *w;
    const adreno_inst *in;
    const adreno_slot_words *words;
    unsigned fibre;
    access_fields fields;
    int32_t at[4];
} image_access;

/* The coordinates, with which the address must agree. */
static void
read_coords(image_access *a)
{
    adreno_wave *w = a->w;
    const uint32_t steps[3] = {a->words->bytes, a->words->pitch, a->words->array_pitch};
    const unsigned n = a->in->f[ADRENO_F_dims] + 1, words = is_wide(w) ? 2 : 1;
    uint32_t wanted = 0, outside = 0;
    for (unsigned c = 0; c < n; c++) {
        adreno_need_value(w, a->fibre, a->fields.offset + c, false, "a coordinate");
        const uint32_t x = adreno_wave_read(w, a->fibre, a->fields.offset + c, false);
        a->at[c] = (int32_t)x;
        wanted += x * steps[c];
        outside |= x >> 23; /* products have 24 bits */
    }
    if (!is_wide(w))
        wanted += a->words->address_low;
    else if (is_atomic(a->in))
        wanted >>= 2;
    for (unsigned k = 0; k < words; k++)
        adreno_need_value(w, a->fibre, a->fields.address + k, false, "the address");
    const uint32_t low = adreno_wave_read(w, a->fibre, a->fields.address, false);
    if (low != wanted && !outside)
        adreno_find(w, ADRENO_RULE_DESCRIPTOR, (int)a->fibre,
                    "the address 0x%x is not that of the coordinates, 0x%x", low, wanted);
}

static void
give(const image_access *a, unsigned k, uint64_t value)
{
    adreno_wave_write(a->w, a->fibre, a->fields.dst + k, false, (uint32_t)value);
    adreno_wave_define(a->w, a->fibre, a->fields.dst + k, false, true);
}

/* What is compared with is behind the data. */
static void
change_texel(const image_access *a, const mach_image *m)
{
    unsigned op = IR_ATOMIC_iadd;
    if (!adreno_atomic_of(a->in, &op))
        return;
    const uint32_t data = adreno_wave_read(a->w, a->fibre, a->fields.data, false);
    const uint32_t compare = op == IR_ATOMIC_cmpxchg
                                 ? adreno_wave_read(a->w, a->fibre, a->fields.data + 1, false)
                                 : 0;
    give(a, 0, mach_image_atomic(m, (ir_atomic_op)op, a->at, 0, compare, data));
}

static void
load_texel(const image_access *a, const mach_image *m)
{
    const mach_texel t = mach_image_load(m, a->at, 0, 0);
    for (unsigned k = 0; k < a->fields.n; k++)
        give(a, k, t.c[k]);
}

static void
store_texel(const image_access *a, const mach_image *m)
{
    mach_texel t = {{0}};
    for (unsigned k = 0; k < a->fields.n; k++) {
        const unsigned reg = a->fields.data + k;
        if (!adreno_wave_is_defined(a->w, a->fibre, reg, false))
            adreno_find(a->w, ADRENO_RULE_UNDEFINED_STORE, (int)a->fibre,
                        "component %u is not defined", k);
        t.c[k] = adreno_wave_read(a->w, a->fibre, reg, false);
    }
    mach_image_store(m, a->at, 0, 0, &t);
}

static void
execute_image(adreno_wave *w, const adreno_inst *in, unsigned fibre, const adreno_slot_words *s)
{
    image_access a = {.w = w, .in = in, .words = s, .fibre = fibre, .fields = fields_of(in)};
    mach_image m;
    read_coords(&a);
    if (!open_slot(w, s, in->f[ADRENO_F_dims] + 1, &m))
        adreno_find(w, ADRENO_RULE_DESCRIPTOR, (int)fibre,
                    "buffer %u is no image that the emulator knows", in->f[ADRENO_F_uav]);
    else
        (is_atomic(in) ? change_texel : is_image_store(in) ? store_texel : load_texel)(&a, &m);
}

/* Has the access coordinates? Loads of images are typed, on a4xx ldgb; atomics typed on a5xx. */
static bool
is_image(const adreno_wave *w, const adreno_inst *in)
{
    const bool typed = in->f[ADRENO_F_typed] || (is_atomic(in) && !is_wide(w));
    return in->f[ADRENO_F_dims] < 3 && typed;
}

static bool
is_known(const adreno_inst *in)
{
    unsigned op;
    if (is_atomic(in))
        return adreno_atomic_of(in, &op) && !in->f[ADRENO_F_im1];
    return in->op == ADRENO_LDGB || in->op == ADRENO_LDGB5 || in->op == ADRENO_LDIB ||
           ((in->op == ADRENO_STGB || in->op == ADRENO_STGB5 || is_image_store(in)) &&
            !in->f[ADRENO_F_im3]);
}

bool
adreno_execute_slots(adreno_wave *w, const adreno_inst *in)
{
    const adreno_dispatch *d = w->m->d;
    const bool image = is_image(w, in);
    if (!is_known(in) || image != (in->f[ADRENO_F_dims] < 3) || !in->f[ADRENO_F_uav_im] ||
        adreno_type_bytes(in->f[ADRENO_F_type]) != 4)
        return false;
    const uint32_t number = in->f[ADRENO_F_uav];
    static const adreno_slot_words none;
    const adreno_slot_words *s = number < d->n_slots ? &d->slots[number] : &none;
    if (number >= d->n_slots)
        adreno_find(w, ADRENO_RULE_DESCRIPTOR, -1, "there is no buffer %u", number);
    ADRENO_FOREACH_FIBRE(f, w)
        (image ? execute_image : execute)(w, in, f, s);
    return true;
}
