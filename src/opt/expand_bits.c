/* Fields and counts of bits, parts, signs and carries by shifts, masks and comparisons. */
#include "opt/expand.h"
#include "opt/lower.h"

static ir_ref
imm(ir_builder *b, uint32_t n)
{
    return ir_build_imm(b, 32, n);
}

/* `count` ones, 0 to 32. */
static ir_ref
ones(ir_builder *b, ir_ref count)
{
    const ir_ref all = imm(b, UINT32_MAX);
    const ir_ref mask = irb_ixor(b, irb_ishl(b, all, count), all);
    return irb_bcsel(b, irb_uge(b, count, imm(b, 32)), all, mask);
}

/* A field of `count` bits from `offset`; of 0 bits it is 0. */
static ir_ref
take_field(ir_builder *b, const ir_instr *i)
{
    const ir_ref x = i->refs[0], offset = i->refs[1], count = i->refs[2];
    if (i->op == IR_ubitfield_extract)
        return irb_iand(b, irb_ushr(b, x, offset), ones(b, count));
    const ir_ref up = irb_isub(b, imm(b, 32), irb_iadd(b, offset, count));
    const ir_ref down = irb_isub(b, imm(b, 32), count);
    const ir_ref r = irb_ishr(b, irb_ishl(b, x, up), down);
    return irb_bcsel(b, irb_ieq(b, count, imm(b, 0)), imm(b, 0), r);
}

static ir_ref
take_part(ir_builder *b, const ir_instr *i)
{
    const bool is_byte = i->op == IR_extract_u8 || i->op == IR_extract_i8;
    const bool is_signed = i->op == IR_extract_i8 || i->op == IR_extract_i16;
    const uint32_t size = is_byte ? 8 : 16;
    const ir_ref n = irb_iand(b, i->refs[1], imm(b, is_byte ? 3 : 1));
    const ir_ref at = irb_imul(b, n, imm(b, size));
    if (!is_signed)
        return irb_iand(b, irb_ushr(b, i->refs[0], at), imm(b, is_byte ? 0xff : 0xffff));
    const ir_ref up = irb_isub(b, imm(b, 32 - size), at);
    return irb_ishr(b, irb_ishl(b, i->refs[0], up), imm(b, 32 - size));
}

static ir_ref
sign(ir_builder *b, const ir_instr *i, unsigned bits)
{
    const ir_ref zero = ir_build_imm(b, bits, 0), x = i->refs[0];
    const ir_ref one = ir_build_imm(b, bits, 1), minus = ir_build_imm(b, bits, UINT64_MAX);
    return irb_bcsel(b, irb_ilt(b, x, zero), minus, irb_bcsel(b, irb_ieq(b, x, zero), zero, one));
}

/* ---- counts ---- */

/* The number of the highest one, or -1: halves are looked at, then quarters. */
static ir_ref
find_highest(ir_builder *b, ir_ref x)
{
    ir_ref n = imm(b, 0), rest = x;
    for (uint32_t step = 16; step; step /= 2) {
        const ir_ref upper = irb_ushr(b, rest, imm(b, step));
        const ir_ref has = irb_ine(b, upper, imm(b, 0));
        n = irb_iadd(b, n, irb_bcsel(b, has, imm(b, step), imm(b, 0)));
        rest = irb_bcsel(b, has, upper, rest);
    }
    return irb_bcsel(b, irb_ieq(b, x, imm(b, 0)), imm(b, UINT32_MAX), n);
}

static ir_ref
find_lowest(ir_builder *b, ir_ref x)
{
    return find_highest(b, irb_iand(b, x, irb_isub(b, imm(b, 0), x)));
}

/* The bits at the mask's places and those `n` to the left of them. */
static void
pick(ir_builder *b, ir_ref x, uint32_t mask, uint32_t n, ir_ref out[2])
{
    out[0] = irb_iand(b, x, imm(b, mask));
    out[1] = irb_iand(b, irb_ushr(b, x, imm(b, n)), imm(b, mask));
}

/* Sums of neighbours: of bits, pairs, and so on. */
static ir_ref
count_ones(ir_builder *b, ir_ref x)
{
    static const uint32_t masks[] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};
    for (unsigned k = 0; k < 5; k++) {
        ir_ref part[2];
        pick(b, x, masks[k], 1u << k, part);
        x = irb_iadd(b, part[0], part[1]);
    }
    return x;
}

/* Neighbours change places. */
static ir_ref
reverse(ir_builder *b, ir_ref x)
{
    static const uint32_t masks[] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};
    for (unsigned k = 0; k < 5; k++) {
        ir_ref part[2];
        pick(b, x, masks[k], 1u << k, part);
        x = irb_ior(b, irb_ishl(b, part[0], imm(b, 1u << k)), part[1]);
    }
    return x;
}

ir_ref
opt_expand_count(ir_builder *b, const ir_instr *i)
{
    const ir_ref x = i->n_refs ? i->refs[0] : ir_none();
    if (!i->n_refs || opt_src_bits(b, i) != 32)
        return ir_none();
    switch (i->op) {
    case IR_bit_count: return count_ones(b, x);
    case IR_bitfield_reverse: return reverse(b, x);
    case IR_find_lsb: return find_lowest(b, x);
    case IR_ufind_msb: return find_highest(b, x);
    case IR_ifind_msb: return find_highest(b, irb_ixor(b, x, irb_ishr(b, x, imm(b, 31))));
    default: return ir_none();
    }
}

/* ---- fields, parts, signs, carries ---- */

ir_ref
opt_expand_bits(ir_builder *b, const ir_instr *i)
{
    const unsigned bits = i->n_refs ? opt_src_bits(b, i) : 0;
    const ir_ref *r = i->refs;
    switch (i->op) {
    case IR_ubitfield_extract:
    case IR_ibitfield_extract: return bits == 32 ? take_field(b, i) : ir_none();
    case IR_bfm: return irb_ishl(b, ones(b, irb_iand(b, r[0], imm(b, 31))), r[1]);
    case IR_bitfield_select:
        return irb_ior(b, irb_iand(b, r[0], r[1]), irb_iand(b, irb_inot(b, r[0]), r[2]));
    case IR_extract_u8:
    case IR_extract_i8:
    case IR_extract_u16:
    case IR_extract_i16: return take_part(b, i);
    case IR_isign: return bits == 16 || bits == 32 ? sign(b, i, bits) : ir_none();
    case IR_uadd_carry:
        return opt_convert(b, IR_b2i, bits, irb_ult(b, irb_iadd(b, r[0], r[1]), r[0]));
    case IR_usub_borrow: return opt_convert(b, IR_b2i, bits, irb_ult(b, r[0], r[1]));
    default: return ir_none();
    }
}
