/* Storage buffers before a6xx: instructions (ldgb, stgb, atomic.s) name them by numbers. What a
 * driver sets for each is SSBO_1, the size in dwords, and its address (a4xx.xml, a5xx.xml,
 * fd4_emit.c and fd5_emit.c of Mesa). An access is told twice where it is: in dwords, which are
 * checked against the size here, and as an address in bytes, from the buffer on a5xx, absolute and
 * of 32 bits on a4xx. Where the two differ the rule `descriptor` says so. */
#include "adreno/emu/image/image.h"

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
    case ADRENO_LDGB:
    case ADRENO_LDGB5:
        return (access_fields){.address = f[ADRENO_F_src1],
                               .offset = f[ADRENO_F_src2],
                               .offset_im = f[ADRENO_F_im2],
                               .dst = f[ADRENO_F_dst],
                               .n = f[ADRENO_F_elems] + 1};
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

static bool
is_known(const adreno_inst *in)
{
    const unsigned format = adreno_op_row(in->op)->format;
    unsigned op;
    if (format == ADRENO_FMT_CAT6_ATOMIC_S || format == ADRENO_FMT_CAT6_ATOMIC_S5)
        return adreno_atomic_of(in, &op) && !in->f[ADRENO_F_im1];
    return in->op == ADRENO_LDGB || in->op == ADRENO_LDGB5 ||
           ((in->op == ADRENO_STGB || in->op == ADRENO_STGB5) && !in->f[ADRENO_F_im3]);
}

bool
adreno_execute_slots(adreno_wave *w, const adreno_inst *in)
{
    const adreno_dispatch *d = w->m->d;
    if (!is_known(in) || in->f[ADRENO_F_typed] || !in->f[ADRENO_F_uav_im] ||
        adreno_type_bytes(in->f[ADRENO_F_type]) != 4)
        return false;
    const uint32_t number = in->f[ADRENO_F_uav];
    static const adreno_slot_words none;
    const adreno_slot_words *s = number < d->n_slots ? &d->slots[number] : &none;
    if (number >= d->n_slots)
        adreno_find(w, ADRENO_RULE_DESCRIPTOR, -1, "there is no buffer %u", number);
    ADRENO_FOREACH_FIBRE(f, w)
        execute(w, in, f, s);
    return true;
}
