/* Integers of 8 and 16 bits computed with 32, for machines that have only those. */
#include "opt/expand.h"
#include "opt/lower.h"

static ir_ref
imm(ir_builder *b, uint32_t value)
{
    return ir_build_imm(b, 32, value);
}

static bool
is_signed(unsigned op)
{
    switch (op) {
    case IR_ishr:
    case IR_imin:
    case IR_imax:
    case IR_iabs:
    case IR_isign:
    case IR_ifind_msb: return true;
    default: return false;
    }
}

/* Conversions of sizes, parts of larger numbers, selections: machines have them, or they are no
 * work. The selection extends what is compared or becomes a float, since extensions before these
 * are folded away. */
static bool
is_plain(unsigned op)
{
    switch (op) {
    case IR_ieq:
    case IR_ine:
    case IR_ilt:
    case IR_ige:
    case IR_ult:
    case IR_uge:
    case IR_i2i:
    case IR_u2u:
    case IR_b2i:
    case IR_i2f:
    case IR_u2f:
    case IR_bcsel:
    case IR_pack_32_2x16:
    case IR_unpack_32_2x16_x:
    case IR_unpack_32_2x16_y: return true;
    default: return false;
    }
}

/* What is computed with 32 bits to what the narrow operation gives. */
static ir_ref
fit(ir_builder *b, unsigned op, ir_ref r, unsigned bits)
{
    const uint32_t most = (1u << bits) - 1, half = most / 2;
    switch (op) {
    case IR_f2i: return irb_imax(b, irb_imin(b, r, imm(b, half)), imm(b, ~half));
    case IR_f2u: return irb_umin(b, r, imm(b, most));
    case IR_bitfield_reverse: return irb_ushr(b, r, imm(b, 32 - bits));
    default: return r;
    }
}

ir_ref
opt_expand_narrow(ir_builder *b, const ir_instr *i, unsigned bits)
{
    const unsigned from = opt_src_bits(b, i), to = opt_def_bits(b, i);
    ir_ref refs[3] = {ir_none(), ir_none(), ir_none()};
    if (!(b->f->level->ops[i->op].flags & IR_OP_ALU) || i->n_refs > 3)
        return ir_none();
    if ((from != bits && to != bits) || is_plain(i->op))
        return ir_none();
    for (unsigned r = 0; r < i->n_refs; r++) {
        const bool is_narrow = ir_type_bits(ir_ref_type(b->f, i->refs[r])) == bits;
        refs[r] = is_narrow ? opt_convert(b, is_signed(i->op) ? IR_i2i : IR_u2u, 32, i->refs[r])
                            : i->refs[r];
    }
    if (i->op == IR_ishl || i->op == IR_ishr || i->op == IR_ushr)
        refs[1] = irb_iand(b, refs[1], imm(b, bits - 1)); /* counts are taken modulo the size */
    const bool is_open = ir_alu_table[i->op].dst >= IR_KIND_FX;
    const ir_ref r = ir_build_alu(b, (ir_op)i->op, is_open ? IR_TYPE(to == bits ? 32 : to, 1) : 0,
                                  refs[0], refs[1], refs[2]);
    return to == bits ? opt_convert(b, IR_u2u, bits, fit(b, i->op, r, bits)) : r;
}
