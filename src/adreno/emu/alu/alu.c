/* Sources and their signs, and which part of the ALU an operation belongs to. */
#include "adreno/emu/alu/alu.h"

#include "base/bits.h"
#include "base/fp.h"

static unsigned
category_of(const adreno_isa *t, const adreno_inst *in)
{
    return (unsigned)(t->value[in->op] >> 61);
}

static bool
has_field(const adreno_inst *in, adreno_field field)
{
    return adreno_field_width(adreno_format_of(in->op), field) != 0;
}

unsigned
adreno_count_sources(const adreno_inst *in)
{
    return has_field(in, ADRENO_F_src3) ? 3 : has_field(in, ADRENO_F_src2) ? 2 : 1;
}

/* ---- literals ---- */

static double
table_float(int64_t index)
{
    return index < ADRENO_TABLE_FLOATS ? adreno_table_floats[index] : 0;
}

adreno_source
adreno_source_of(const adreno_isa *t, const adreno_inst *in, unsigned index)
{
    static const adreno_field fields[] = {ADRENO_F_src1, ADRENO_F_src2, ADRENO_F_src3};
    const unsigned category = category_of(t, in);
    const uint32_t bits = in->f[fields[index]];
    if (category == 1)
        return adreno_read_move(in);
    if (category == 3 && index != 1)
        return adreno_read_source3(t, in->op, index == 2, bits);
    if (category == 3)
        return (adreno_source){.kind = ADRENO_S_REG, .value = bits};
    return adreno_read_source(bits);
}

bool
adreno_literal_source(const adreno_isa *t, const adreno_inst *in, unsigned index, uint32_t *bits)
{
    const adreno_source s = adreno_source_of(t, in, index);
    const bool half = adreno_is_half(in, category_of(t, in) == 1 ? ADRENO_BY_STYPE : ADRENO_BY_SRC);
    const unsigned width = half ? 16 : 32;
    switch (s.kind) {
    case ADRENO_S_NUMBER:
    case ADRENO_S_FLOAT: *bits = (uint32_t)((uint64_t)s.value & base_mask64(width)); return true;
    case ADRENO_S_TABLE:
        *bits = (uint32_t)base_fp_encode(table_float(s.value), width, BASE_ROUND_EVEN);
        return true;
    default: return false;
    }
}

/* ---- signs ---- */

/* (neg), (abs) of source `index`. */
static unsigned
sign_of(const adreno_isa *t, const adreno_inst *in, unsigned index)
{
    static const adreno_field negs[] = {ADRENO_F_neg1, ADRENO_F_neg2, ADRENO_F_neg3};
    return category_of(t, in) == 3 ? in->f[negs[index]] : adreno_source_of(t, in, index).absneg;
}

static double
signed_float(double number, unsigned absneg)
{
    const bool is_negative = absneg & 2 ? false : number < 0 || (number == 0 && 1 / number < 0);
    const double size = number < 0 || (number == 0 && 1 / number < 0) ? -number : number;
    return is_negative != (absneg & 1) ? -size : size;
}

/* (neg) of bits inverts them. */
static uint32_t
signed_int(const adreno_operation *o, uint32_t bits, unsigned absneg)
{
    const uint32_t mask = (uint32_t)base_mask64(o->bits), sign = 1u << (o->bits - 1);
    bits &= mask;
    if (adreno_op_row(o->in->op)->type == ADRENO_T_B)
        return absneg & 1 ? ~bits & mask : bits;
    if (absneg & 2 && bits & sign)
        bits = -bits;
    return (absneg & 1 ? -bits : bits) & mask;
}

void
adreno_prepare(const adreno_isa *t, const adreno_inst *in, adreno_operation *o)
{
    *o = (adreno_operation){.in = in,
                            .bits = adreno_is_half(in, ADRENO_BY_SRC) ? 16 : 32,
                            .dst_bits = adreno_is_half(in, ADRENO_BY_DST) ? 16 : 32,
                            .sat = in->f[ADRENO_F_sat],
                            .category = category_of(t, in),
                            .n = adreno_count_sources(in),
                            .is_float = adreno_op_row(in->op)->type == ADRENO_T_F};
    if (adreno_op_row(in->op)->format == ADRENO_FMT_CAT3_DP)
        o->dst_bits = 32;
    for (unsigned i = 0; i < o->n && o->category >= 2 && o->category <= 4; i++)
        o->absneg[i] = (uint8_t)sign_of(t, in, i);
}

bool
adreno_compute_prepared(adreno_operation *o, const uint32_t src[ADRENO_MAX_SOURCES], uint32_t *dst)
{
    const adreno_op op = o->in->op;
    if (op == ADRENO_MOV || op == ADRENO_COV || op == ADRENO_MOVA || op == ADRENO_MOVA1) {
        *dst = adreno_convert(o->in, src[0]);
        return true;
    }
    if (o->category < 2 || o->category > 4)
        return false;
    for (unsigned i = 0; i < o->n; i++) {
        if (o->is_float)
            o->number[i] = signed_float(base_fp_decode(src[i] & base_mask64(o->bits), o->bits),
                                        o->absneg[i]);
        else
            o->src[i] = signed_int(o, src[i], o->absneg[i]);
    }
    return o->is_float ? adreno_compute_float(o, dst) : adreno_compute_int(o, dst);
}

bool
adreno_compute(const adreno_isa *t, const adreno_inst *in, const uint32_t src[ADRENO_MAX_SOURCES],
               uint32_t *dst)
{
    adreno_operation o;
    adreno_prepare(t, in, &o);
    return adreno_compute_prepared(&o, src, dst);
}

bool
adreno_meets(unsigned condition, int order)
{
    switch (condition) {
    case 0: return order == -1;
    case 1: return order == -1 || order == 0;
    case 2: return order == 1;
    case 3: return order == 0 || order == 1;
    case 4: return order == 0;
    default: return order != 0;
    }
}
