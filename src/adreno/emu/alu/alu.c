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

/* (neg) of bits inverts them. */
static uint32_t
signed_bits(const adreno_operation *o, uint32_t bits, unsigned absneg)
{
    const uint32_t mask = (uint32_t)base_mask64(o->bits), sign = 1u << (o->bits - 1);
    if (o->is_float)
        return (absneg & 2 ? bits & ~sign : bits) ^ (absneg & 1 ? sign : 0);
    if (adreno_op_row(o->in->op)->type == ADRENO_T_B)
        return absneg & 1 ? ~bits & mask : bits;
    if (absneg & 2 && bits & sign)
        bits = -bits;
    return (absneg & 1 ? -bits : bits) & mask;
}

void
adreno_apply_sign(const adreno_operation *o, unsigned index, uint32_t *row, unsigned n)
{
    const unsigned absneg = o->absneg[index];
    for (unsigned i = 0; i < n; i++)
        row[i] = signed_bits(o, row[i], absneg);
}

/* ---- operations ---- */

/* By condition: bit 0 if it holds for equal numbers, 1 greater, 2 less, 3 not ordered. */
static uint8_t
truth_of(const adreno_inst *in)
{
    static const uint8_t truths[8] = {4, 5, 2, 3, 1, 14, 14, 14};
    return truths[in->f[ADRENO_F_cond]] ^ (in->f[ADRENO_F_sat] ? 15 : 0);
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
    if (o->category == 1)
        o->kernel = adreno_move_kernel(in);
    if (o->category < 2 || o->category > 4)
        return;
    o->truth = truth_of(in);
    for (unsigned i = 0; i < o->n; i++)
        o->absneg[i] = (uint8_t)sign_of(t, in, i);
    o->kernel = o->is_float ? adreno_float_kernel(o) : adreno_int_kernel(o);
}

void
adreno_finish(const adreno_operation *o, uint32_t *out, unsigned n)
{
    if (o->category == 1)
        return;
    if (o->is_float)
        adreno_finish_float(o, out, n);
    else
        adreno_finish_int(o, out, n);
}

bool
adreno_compute(const adreno_isa *t, const adreno_inst *in, const uint32_t src[ADRENO_MAX_SOURCES],
               uint32_t *dst)
{
    adreno_operation o;
    uint32_t rows[ADRENO_MAX_SOURCES][ADRENO_CHUNK] = {0}, out[ADRENO_CHUNK];
    adreno_prepare(t, in, &o);
    if (!o.kernel)
        return false;
    for (unsigned i = 0; i < o.n; i++) {
        for (unsigned k = 0; k < ADRENO_CHUNK; k++)
            rows[i][k] = o.category == 1 ? src[i] : src[i] & (uint32_t)base_mask64(o.bits);
        adreno_apply_sign(&o, i, rows[i], ADRENO_CHUNK);
    }
    o.kernel(&o, (const uint32_t *const[]){rows[0], rows[1], rows[2]}, out);
    adreno_finish(&o, out, ADRENO_CHUNK);
    *dst = out[0];
    return true;
}
