/* The bits of an integer that may be 1.
 *
 *     32x3 %1 = @load_local_invocation_id      %1.x in groups of 64: 0x3f
 *     32 %4 = ishl %1.x, 4                     0x3f0
 *     32 %5 = iadd %4, 3                       0x3ff: 0x3f0 + 3, and all bits below the highest one
 *
 * A mask says how large the number may be and what divides it. Where both matter, as in sums,
 * the zeros at the end are kept apart. Chains are followed to a fixed depth, with two operands.
 */
#include "opt/possible_bits.h"

enum { MAX_DEPTH = 6 };

static uint64_t
possible(const ir_fn *f, ir_ref r, unsigned depth);

/* All bits from the highest one of `most` down to bit `zeros`. */
static uint64_t
spread(uint64_t most, unsigned zeros)
{
    for (unsigned n = 1; n < 64; n *= 2)
        most |= most >> n;
    return zeros < 64 ? most >> zeros << zeros : 0;
}

static unsigned
zeros_below(uint64_t bits)
{
    return bits ? base_ctz64(bits) : 64;
}

static uint64_t
possible_sum(uint64_t a, uint64_t b, uint64_t all)
{
    unsigned x = zeros_below(a), y = zeros_below(b);
    uint64_t most = a > all - b ? all : a + b;
    return spread(most, x < y ? x : y);
}

static uint64_t
possible_product(uint64_t a, uint64_t b, uint64_t all)
{
    unsigned zeros = zeros_below(a) + zeros_below(b);
    uint64_t most = b && a > all / b ? all : a * b;
    return spread(most, zeros < 64 ? zeros : 64);
}

/* Invocations are numbered from 0 to the size of their group. */
static uint64_t
possible_in_group(const ir_fn *f, const ir_instr *i, ir_ref r)
{
    const uint32_t *size = f->shader.workgroup_size;
    uint64_t all = (uint64_t)size[0] * size[1] * size[2];
    uint64_t n = i->op == IR_load_local_invocation_id ? r.comp < 3 ? size[r.comp] : 0 : all;
    return n ? spread(n - 1, 0) : UINT32_MAX;
}

static uint64_t
possible_shift(const ir_fn *f, const ir_instr *i, uint64_t all, unsigned bits, unsigned depth)
{
    uint64_t by, a = possible(f, i->refs[0], depth);
    if (ir_is_const(f, i->refs[1], &by))
        return i->op == IR_ishl ? a << by % bits & all : a >> by % bits;
    return i->op == IR_ushr ? spread(a, 0) : all;
}

static uint64_t
possible(const ir_fn *f, ir_ref r, unsigned depth)
{
    uint64_t c;
    unsigned bits = ir_type_bits(ir_ref_type(f, r));
    uint64_t all = base_mask64(bits), a, b;
    if (ir_is_const(f, r, &c))
        return c & all;
    const ir_instr *i = ir_def_of(f, r);
    if (!i || depth == MAX_DEPTH)
        return all;
    depth++;
    switch (i->op) {
    case IR_load_local_invocation_id:
    case IR_load_local_invocation_index: return possible_in_group(f, i, r) & all;
    case IR_b2i: return 1;
    case IR_u2u:
    case IR_mov: return possible(f, i->refs[0], depth) & all;
    case IR_extract_u8: return 0xff;
    case IR_extract_u16: return 0xffff;
    case IR_ishl:
    case IR_ushr: return possible_shift(f, i, all, bits, depth);
    case IR_iand:
    case IR_ior:
    case IR_ixor:
    case IR_iadd:
    case IR_imul:
    case IR_umin: break;
    default: return all;
    }
    a = possible(f, i->refs[0], depth);
    b = possible(f, i->refs[1], depth);
    switch (i->op) {
    case IR_iand: return a & b;
    case IR_iadd: return possible_sum(a, b, all);
    case IR_imul: return possible_product(a, b, all);
    case IR_umin: return spread(a < b ? a : b, 0);
    default: return a | b;
    }
}

uint64_t
opt_possible_bits(const ir_fn *f, ir_ref r)
{
    return possible(f, r, 0);
}
