/* Category 6 on global, local and private memory, and on constants.
 *
 * Offsets are bytes. Private memory is addressed from each fibre's first byte. */
#include "adreno/emu/mem/mem.h"

#include "base/bits.h"

uint32_t
adreno_number_or_reg(adreno_wave *w, unsigned fibre, uint32_t bits, bool im, const char *what)
{
    if (im)
        return bits;
    adreno_need_value(w, fibre, bits, false, what);
    return adreno_wave_read(w, fibre, bits, false);
}

/* The signed offset in fields off and off_high. */
static int64_t
offset_of(const adreno_inst *in)
{
    const adreno_format_info *format = adreno_format_of(in->op);
    const unsigned low = adreno_field_width(format, ADRENO_F_off);
    const unsigned bits = low + adreno_field_width(format, ADRENO_F_off_high);
    return base_sext64(in->f[ADRENO_F_off] | (uint64_t)in->f[ADRENO_F_off_high] << low, bits);
}

/* Addresses have 64 bits from a5xx on. */
static uint64_t
address_in(adreno_wave *w, unsigned fibre, unsigned reg)
{
    adreno_need_value(w, fibre, reg, false, "the address");
    if (w->isa->gen >= 5)
        adreno_need_value(w, fibre, reg + 1, false, "the address");
    const uint32_t high = w->isa->gen >= 5 ? adreno_wave_read(w, fibre, reg + 1, false)
                                           : w->m->d->address_high;
    return adreno_wave_read(w, fibre, reg, false) | (uint64_t)high << 32;
}

static void
global(adreno_wave *w, const adreno_inst *in)
{
    const bool is_store = in->op == ADRENO_STG;
    ADRENO_FOREACH_FIBRE(f, w) {
        const uint64_t base = address_in(w, f, in->f[ADRENO_F_src1]);
        const adreno_transfer t = {
            .access = {.space = ADRENO_GLOBAL,
                       .kind = is_store ? ADRENO_STORE : ADRENO_LOAD,
                       .address = base + (uint64_t)offset_of(in),
                       .fibre = f},
            .type = in->f[ADRENO_F_type],
            .n = in->f[ADRENO_F_size],
            .reg = in->f[is_store ? ADRENO_F_src3 : ADRENO_F_dst],
        };
        (is_store ? adreno_store : adreno_load)(w, &t);
    }
}

/* Local and private memory. */
static void
own(adreno_wave *w, const adreno_inst *in, adreno_space space, bool is_store)
{
    ADRENO_FOREACH_FIBRE(f, w) {
        const unsigned reg = in->f[ADRENO_F_src1];
        adreno_need_value(w, f, reg, false, "the offset");
        const adreno_transfer t = {
            .access = {.space = space,
                       .kind = is_store ? ADRENO_STORE : ADRENO_LOAD,
                       .address = (uint32_t)(adreno_wave_read(w, f, reg, false) +
                                             (uint32_t)offset_of(in)),
                       .fibre = f},
            .type = in->f[ADRENO_F_type],
            .n = in->f[ADRENO_F_size],
            .reg = in->f[is_store ? ADRENO_F_src2 : ADRENO_F_dst],
        };
        (is_store ? adreno_store : adreno_load)(w, &t);
    }
}

/* Constants from registers. */
static void
store_const(adreno_wave *w, const adreno_inst *in)
{
    const unsigned f = adreno_wave_first(w);
    uint32_t place = in->f[ADRENO_F_dst];
    if (f >= w->n_fibres)
        return;
    if (in->f[ADRENO_F_const_a1])
        place += adreno_wave_read(w, f, ADRENO_NUMBER_A0 + 1, false);
    for (unsigned i = 0; i < in->f[ADRENO_F_size] && place + i < ADRENO_EMU_CONSTS; i++) {
        w->m->consts[place + i] = adreno_wave_read(w, f, in->f[ADRENO_F_src1] + i, false);
        w->m->const_state[place + i] = adreno_wave_is_defined(w, f, in->f[ADRENO_F_src1] + i,
                                                              false);
    }
}

static void
put_in_all(adreno_wave *w, const adreno_inst *in, bool is_fibre, uint32_t value)
{
    ADRENO_FOREACH_FIBRE(f, w) {
        const bool half = adreno_is_half_type(in->f[ADRENO_F_type]);
        adreno_wave_write(w, f, in->f[ADRENO_F_dst], half, is_fibre ? f : value);
        adreno_wave_define(w, f, in->f[ADRENO_F_dst], half, true);
    }
}

bool
adreno_execute_memory(adreno_wave *w, const adreno_inst *in)
{
    switch (in->op) {
    case ADRENO_LDG:
    case ADRENO_STG: global(w, in); return true;
    case ADRENO_LDL:
    case ADRENO_LDLW: own(w, in, ADRENO_LOCAL, false); return true;
    case ADRENO_STL:
    case ADRENO_STLW: own(w, in, ADRENO_LOCAL, true); return true;
    case ADRENO_LDP: own(w, in, ADRENO_PRIVATE, false); return true;
    case ADRENO_STP: own(w, in, ADRENO_PRIVATE, true); return true;
    case ADRENO_STC: store_const(w, in); return true;
    case ADRENO_RAY_INTERSECTION: adreno_execute_ray(w, in); return true;
    case ADRENO_GETFIBERID: put_in_all(w, in, true, 0); return true;
    case ADRENO_GETWID: put_in_all(w, in, false, w->index); return true;
    case ADRENO_GETSPID: put_in_all(w, in, false, 0); return true;
    default: return adreno_execute_atomic(w, in) || adreno_execute_exchange(w, in);
    }
}
