/* Atomics on local and global memory: data first, then what it is compared with. Bindless ones have
 * their result in the register before (buffer.c). */
#include "adreno/emu/mem/mem.h"

#include "base/bits.h"
#include "machine/image.h"

#include <string.h>

/* The operation by the end of the row's name; signed and float ones by the type. */
static const struct {
    const char *name;
    uint8_t unsigned_op, signed_op, float_op;
} operations[] = {
    {"add", IR_ATOMIC_iadd, IR_ATOMIC_iadd, IR_ATOMIC_fadd},
    {"xchg", IR_ATOMIC_xchg, IR_ATOMIC_xchg, IR_ATOMIC_xchg},
    {"cmpxchg", IR_ATOMIC_cmpxchg, IR_ATOMIC_cmpxchg, IR_ATOMIC_cmpxchg},
    {"min", IR_ATOMIC_umin, IR_ATOMIC_imin, IR_ATOMIC_fmin},
    {"max", IR_ATOMIC_umax, IR_ATOMIC_imax, IR_ATOMIC_fmax},
    {"and", IR_ATOMIC_iand, IR_ATOMIC_iand, IR_ATOMIC_COUNT},
    {"or", IR_ATOMIC_ior, IR_ATOMIC_ior, IR_ATOMIC_COUNT},
    {"xor", IR_ATOMIC_ixor, IR_ATOMIC_ixor, IR_ATOMIC_COUNT},
    {"inc", IR_ATOMIC_inc_wrap, IR_ATOMIC_inc_wrap, IR_ATOMIC_COUNT},
    {"dec", IR_ATOMIC_dec_wrap, IR_ATOMIC_dec_wrap, IR_ATOMIC_COUNT},
};

bool
adreno_atomic_of(const adreno_inst *in, unsigned *op)
{
    const char *name = adreno_op_row(in->op)->name, *last = strrchr(name, '.');
    const unsigned type = in->f[ADRENO_F_type];
    if (strncmp(name, "atomic.", 7) != 0 || !last)
        return false;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (strcmp(operations[i].name, last + 1) != 0)
            continue;
        *op = type <= ADRENO_F32                         ? operations[i].float_op
              : type == ADRENO_S32 || type == ADRENO_S16 ? operations[i].signed_op
                                                         : operations[i].unsigned_op;
        return *op != IR_ATOMIC_COUNT;
    }
    return false;
}

static uint32_t
combine_floats(unsigned op, uint32_t old, uint32_t data)
{
    const float a = base_bits_f32(old), b = base_bits_f32(data);
    const float r = op == IR_ATOMIC_fadd   ? a + b
                    : op == IR_ATOMIC_fmin ? a < b ? a : b
                    : a > b                ? a
                                           : b;
    return base_f32_bits(r);
}

/* What is stored over `old`. */
static uint64_t
combine(unsigned op, uint64_t old, uint64_t data, uint64_t compare)
{
    const int32_t a = (int32_t)old, b = (int32_t)data;
    switch (op) {
    case IR_ATOMIC_iadd: return old + data;
    case IR_ATOMIC_imin: return a < b ? old : data;
    case IR_ATOMIC_umin: return old < data ? old : data;
    case IR_ATOMIC_imax: return a > b ? old : data;
    case IR_ATOMIC_umax: return old > data ? old : data;
    case IR_ATOMIC_iand: return old & data;
    case IR_ATOMIC_ior: return old | data;
    case IR_ATOMIC_ixor: return old ^ data;
    case IR_ATOMIC_xchg: return data;
    case IR_ATOMIC_cmpxchg: return old == compare ? data : old;
    case IR_ATOMIC_inc_wrap: return old >= data ? 0 : old + 1;
    case IR_ATOMIC_dec_wrap: return old == 0 || old > data ? data : old - 1;
    default: return combine_floats(op, (uint32_t)old, (uint32_t)data);
    }
}

bool
adreno_exchanges_pairs(const adreno_inst *in)
{
    unsigned op;
    return in->f[ADRENO_F_type] == ADRENO_U64 && adreno_atomic_of(in, &op) &&
           (op == IR_ATOMIC_xchg || op == IR_ATOMIC_cmpxchg);
}

static uint64_t
read_words(adreno_wave *w, unsigned fibre, unsigned reg, unsigned n)
{
    uint64_t value = 0;
    for (unsigned k = 0; k < n; k++)
        value |= (uint64_t)adreno_wave_read(w, fibre, reg + k, false) << 32 * k;
    return value;
}

void
adreno_do_atomic(adreno_wave *w, const adreno_inst *in, const adreno_atomic *a)
{
    unsigned op = IR_ATOMIC_iadd;
    const unsigned f = a->access.fibre, n = a->access.size / 4;
    adreno_atomic_of(in, &op);
    const bool swaps = op == IR_ATOMIC_cmpxchg;
    const adreno_bytes b = adreno_reach(w, &a->access);
    const bool is_defined = adreno_bytes_defined(&b, a->access.size);
    uint64_t old = 0;
    for (unsigned i = 0; i < (swaps ? 2 * n : n); i++)
        adreno_need_value(w, f, a->data + i, false, "an atomic's data");
    if (b.host) {
        adreno_note_access(w, &a->access);
        memcpy(&old, b.host, a->access.size);
        const uint64_t data = read_words(w, f, a->data, n);
        const uint64_t compare = swaps ? read_words(w, f, a->data + n, n) : 0;
        const uint64_t now = combine(op, old, data, compare);
        memcpy(b.host, &now, a->access.size);
        /* data that is not defined has been reported */
        adreno_define_bytes(&b, a->access.size, is_defined || op == IR_ATOMIC_xchg);
    }
    for (unsigned k = 0; k < n; k++) {
        adreno_wave_write(w, f, a->dst + k, false, (uint32_t)(old >> 32 * k));
        adreno_wave_define(w, f, a->dst + k, false, is_defined);
    }
}

static void
run(adreno_wave *w, const adreno_inst *in, bool is_local)
{
    ADRENO_FOREACH_FIBRE(f, w) {
        const uint32_t src1 = in->f[ADRENO_F_src1];
        uint64_t address = adreno_number_or_reg(w, f, src1, in->f[ADRENO_F_im1], "the address");
        if (!is_local)
            address |= (uint64_t)adreno_wave_read(w, f, src1 + 1, false) << 32;
        const adreno_atomic a = {.access = {.space = is_local ? ADRENO_LOCAL : ADRENO_GLOBAL,
                                            .kind = ADRENO_ATOMIC,
                                            .address = address,
                                            .size = 4,
                                            .fibre = f},
                                 .data = in->f[ADRENO_F_src2],
                                 .dst = in->f[ADRENO_F_dst]};
        adreno_do_atomic(w, in, &a);
    }
}

bool
adreno_execute_atomic(adreno_wave *w, const adreno_inst *in)
{
    unsigned op;
    const unsigned format = adreno_op_row(in->op)->format, type = in->f[ADRENO_F_type];
    const bool is_local = format == ADRENO_FMT_CAT6_ATOMIC_L;
    if ((!is_local && format != ADRENO_FMT_CAT6_ATOMIC_G) || !adreno_atomic_of(in, &op) ||
        in->f[ADRENO_F_im2] || adreno_type_bytes(type) != 4)
        return false;
    run(w, in, is_local);
    return true;
}
