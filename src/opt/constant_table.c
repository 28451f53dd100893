/* Loads from small tables of constants become arithmetic.
 *
 * The numbers that a load may give are known: those at the places that its offset can reach, which
 * are a multiple of a power of two apart (possible_bits.h), up to the end of the variable. Behind
 * it the shader must not read.
 *
 *     all numbers are the same      that number
 *     there are two places          offset == place ? a : b
 *     they grow by a power of two   (offset << c) + a
 *     they need few bits each       one constant of 32 or 64 bits, shifted by offset * bits
 *     there are two numbers         a bit for each place, shifted; bit ? a : b
 *
 * The first is done for numbers of all sizes, the others for 32 bits. A load of several components
 * is replaced if all together cost no more than LIMIT operations.
 */
#include "opt/constant_table.h"

#include "opt/possible_bits.h"

#include "ir/bounds.h"

enum { MAX_PLACES = 64, LIMIT = 8 };

/* What a load of one component can give. */
typedef struct table {
    ir_builder *b;
    ir_ref offset; /* a multiple of 1 << log */
    unsigned log;
    unsigned first, last;       /* the numbers of the places: offset >> log */
    uint64_t value[MAX_PLACES]; /* by number of the place */
    unsigned cost;              /* of the operations built so far */
} table;

static ir_ref
imm32(const table *t, uint64_t value)
{
    return ir_build_imm(t->b, 32, value);
}

/* ---- the places ---- */

/* Takes a constant out of the offset: returns the rest, and adds the constant to `*at`. */
static ir_ref
without_constant(const ir_fn *f, ir_ref offset, int64_t *at)
{
    uint64_t c;
    const ir_instr *i = f->values[offset.id].def;
    if (!i || i->op != IR_iadd || !ir_is_const(f, i->refs[1], &c))
        return offset;
    *at += base_sext64(c, 32);
    return i->refs[0];
}

/* Finds the places of the load's first component; `*at` is the byte at offset 0. */
static bool
find_places(table *t, const ir_instr *i, unsigned bytes, int64_t *at)
{
    const ir_fn *f = t->b->f;
    int64_t from = ir_attr_get(i, IR_A_BASE), end = f->shader.constant_size;
    uint32_t range = ir_attr_get(i, IR_A_RANGE);
    if (range && from + range < end)
        end = from + range;
    *at = from;
    t->offset = without_constant(f, i->refs[0], at);
    uint64_t bits = opt_possible_bits(f, t->offset), most = ir_upper_bound(f, t->offset);
    if (!bits || ir_type_bits(ir_ref_type(f, t->offset)) != 32)
        return false;
    t->log = base_ctz64(bits);
    most = (most < bits ? most : bits) >> t->log;
    int64_t step = (int64_t)1 << t->log, last = (end - bytes - *at) >> t->log;
    int64_t first = *at < from ? (from - *at + step - 1) >> t->log : 0;
    last = last < (int64_t)most ? last : (int64_t)most;
    if (first > last || last >= MAX_PLACES)
        return false;
    t->first = (unsigned)first;
    t->last = (unsigned)last;
    return true;
}

static void
read_values(table *t, int64_t at, unsigned bytes)
{
    const uint8_t *data = t->b->f->shader.constant_data;
    for (unsigned k = t->first; k <= t->last; k++) {
        t->value[k] = 0;
        for (unsigned n = 0; n < bytes; n++)
            t->value[k] |= (uint64_t)data[at + ((int64_t)k << t->log) + n] << 8 * n;
    }
}

/* ---- expressions ---- */

/* (offset / place) << log2, of places numbered from 0. */
static ir_ref
scaled(table *t, unsigned log2)
{
    t->cost += log2 != t->log;
    if (log2 < t->log)
        return irb_ushr(t->b, t->offset, imm32(t, t->log - log2));
    return irb_ishl(t->b, t->offset, imm32(t, log2 - t->log));
}

static ir_ref
as_same(const table *t, unsigned bits)
{
    for (unsigned k = t->first + 1; k <= t->last; k++) {
        if (t->value[k] != t->value[t->first])
            return ir_none();
    }
    return ir_build_imm(t->b, bits, t->value[t->first]);
}

static ir_ref
as_two_places(table *t)
{
    if (t->last != t->first + 1)
        return ir_none();
    t->cost += 2;
    ir_ref is_first = irb_ieq(t->b, t->offset, imm32(t, (uint64_t)t->first << t->log));
    return irb_bcsel(t->b, is_first, imm32(t, t->value[t->first]), imm32(t, t->value[t->last]));
}

/* Numbers that grow by 1, 2, 4 ... from place to place. */
static ir_ref
as_line(table *t)
{
    uint32_t by = (uint32_t)(t->value[t->last] - t->value[t->last - 1]);
    for (unsigned k = t->first + 1; k <= t->last; k++) {
        if ((uint32_t)(t->value[k] - t->value[k - 1]) != by)
            return ir_none();
    }
    uint32_t start = (uint32_t)t->value[t->first] - by * t->first;
    if (!base_is_pow2(by))
        return ir_none();
    t->cost += start != 0;
    return irb_iadd(t->b, scaled(t, base_ctz64(by)), imm32(t, start));
}

/* The constant whose bits from k << log2 on are the numbers less `least`. */
static uint64_t
packed(const table *t, unsigned log2, uint32_t least)
{
    uint64_t all = 0;
    for (unsigned k = t->first; k <= t->last; k++)
        all |= (uint64_t)(uint32_t)(t->value[k] - least) << (k << log2);
    return all;
}

/* The logarithm of the number of bits that numbers up to `most` need, a power of two. */
static unsigned
log_width(uint32_t most)
{
    unsigned log2 = 0;
    while (log2 < 5 && most >> (1u << log2))
        log2++;
    return log2;
}

/* Numbers of a few bits each in one constant; `least` is added behind. */
static ir_ref
as_fields(table *t, unsigned log2, uint32_t least)
{
    ir_builder *b = t->b;
    unsigned width = 1u << log2, bits = (t->last + 1) << log2;
    ir_ref x, at;
    if (bits > 64)
        return ir_none();
    uint64_t all = packed(t, log2, least);
    at = scaled(t, log2);
    if (bits <= 32) {
        x = irb_ubitfield_extract(b, imm32(t, all), at, imm32(t, width));
    } else {
        t->cost += 3; /* two more words, a slow shift */
        x = irb_ushr(b, ir_build_imm(b, 64, all), at);
        x = irb_iand(b, irb_unpack_64_2x32_x(b, x), imm32(t, base_mask64(width)));
    }
    t->cost += 1 + (least != 0);
    return irb_iadd(b, x, imm32(t, least));
}

static ir_ref
as_small_numbers(table *t)
{
    int32_t least = INT32_MAX, most = INT32_MIN;
    for (unsigned k = t->first; k <= t->last; k++) {
        int32_t v = (int32_t)t->value[k];
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    unsigned from_zero = least < 0 ? 5 : log_width((uint32_t)most);
    unsigned log2 = log_width((uint32_t)most - (uint32_t)least);
    bool add = log2 < from_zero;
    return log2 == 5 ? ir_none() : as_fields(t, log2, add ? (uint32_t)least : 0);
}

static ir_ref
as_two_numbers(table *t)
{
    uint64_t a = t->value[t->first], b = a, mask = 0;
    if (t->last >= 32)
        return ir_none();
    for (unsigned k = t->first; k <= t->last; k++) {
        uint64_t v = t->value[k];
        b = b == a ? v : b;
        if (v != a && v != b)
            return ir_none();
        mask |= (uint64_t)(v != a) << k;
    }
    ir_ref one = imm32(t, 1), bit = irb_ubitfield_extract(t->b, imm32(t, mask), scaled(t, 0), one);
    t->cost += 3;
    return irb_bcsel(t->b, irb_ine(t->b, bit, imm32(t, 0)), imm32(t, b), imm32(t, a));
}

static ir_ref
expression(table *t, unsigned bits)
{
    ir_ref (*const forms[])(table *) = {as_two_places, as_line, as_small_numbers, as_two_numbers};
    ir_ref r = as_same(t, bits);
    for (unsigned k = 0; bits == 32 && !ir_is_value(r) && k < sizeof forms / sizeof *forms; k++)
        r = forms[k](t);
    return r;
}

ir_ref
opt_constant_table(ir_builder *b, const ir_instr *i)
{
    ir_type type = ir_ref_type(b->f, i->defs[0]);
    unsigned bits = ir_type_bits(type), n = ir_type_comps(type);
    ir_ref comps[IR_MAX_COMPS];
    table t = {.b = b};
    int64_t at;
    if (bits < 8 || !find_places(&t, i, n * bits / 8, &at))
        return ir_none();
    for (unsigned c = 0; c < n; c++) {
        read_values(&t, at + c * bits / 8, bits / 8);
        comps[c] = expression(&t, bits);
        if (!ir_is_value(comps[c]) || t.cost > LIMIT)
            return ir_none();
    }
    return ir_build_vec(b, comps, n);
}
