/* A shuffle whose index is made from the lane's own number is a simpler exchange, which machines do
 * without an address for each lane.
 *
 *     32 %2 = ixor %lane, 1
 *     32 %3 = @shuffle (%1, %2)  ->  32 %3 = @shuffle_xor (%1, 1)
 *
 * lane + n and lane - n, for a uniform n, are shuffle_down and shuffle_up, and modulo the size of
 * the wave a rotation; last - lane flips all bits; lane & ~3 and what is added to it is a lane of
 * the quad. A shuffle from a lane that does not exist is undefined.
 */
#include "opt/subgroup_lane.h"

/* Lanes; smaller waves have no quads to look for. */
enum { QUAD = 4 };

static bool
is_lane(const ir_fn *f, ir_ref r)
{
    const ir_instr *def = ir_def_of(f, r);
    return def && def->op == IR_load_subgroup_invocation;
}

/* Is `r` the result of `op` on the lane's number and another operand, which `*other` receives? */
static bool
is_lane_and(const ir_fn *f, ir_ref r, ir_op op, ir_ref *other)
{
    const ir_instr *def = ir_def_of(f, r);
    if (!def || def->op != op)
        return false;
    bool second = op != IR_isub && is_lane(f, def->refs[1]);
    *other = def->refs[!second];
    return second || is_lane(f, def->refs[0]);
}

static ir_ref
exchange(ir_builder *b, const ir_instr *i, ir_op op, ir_ref n)
{
    ir_ref refs[2] = {i->refs[0], n};
    return ir_build_intr(b, op, b->f->values[i->defs[0].id].type, refs, 2);
}

/* The lane at a uniform distance. */
static ir_ref
by_distance(ir_builder *b, const ir_instr *i, ir_op op, ir_ref n)
{
    uint64_t c;
    bool below = op == IR_shuffle_down && ir_is_const(b->f, n, &c) && c >> 31;
    if (b->f->values[n.id].divergent)
        return ir_none();
    return below ? exchange(b, i, IR_shuffle_up, ir_build_imm(b, 32, 0 - (uint32_t)c))
                 : exchange(b, i, op, n);
}

/* The index (x & mask) + n, where `mask` keeps all bits of a lane's number that are above the
 * quad. */
static ir_ref
in_quad(ir_builder *b, const ir_instr *i, ir_ref base, uint64_t n)
{
    uint32_t last = b->f->shader.wave_size - 1;
    ir_ref mask;
    uint64_t c;
    if (n > 3 || !is_lane_and(b->f, base, IR_iand, &mask) || !ir_is_const(b->f, mask, &c) ||
        (c & last) != (last & ~3u))
        return ir_none();
    return exchange(b, i, IR_quad_broadcast, ir_build_imm(b, 32, n));
}

/* The index `def`, whose second operand is a constant. */
static ir_ref
with_constant(ir_builder *b, const ir_instr *i, const ir_instr *def, uint64_t c)
{
    uint32_t last = b->f->shader.wave_size - 1;
    ir_ref n;
    switch (def->op) {
    case IR_ixor:
        return is_lane(b->f, def->refs[0]) ? exchange(b, i, IR_shuffle_xor, def->refs[1])
                                           : ir_none();
    case IR_iadd: return in_quad(b, i, def->refs[0], c);
    case IR_ior:
        if (c == 3 && is_lane(b->f, def->refs[0]))
            return exchange(b, i, IR_quad_broadcast, def->refs[1]);
        return in_quad(b, i, def->refs[0], c);
    case IR_iand:
        if (!is_lane(b->f, def->refs[0]))
            return c == last && is_lane_and(b->f, def->refs[0], IR_iadd, &n) &&
                           !b->f->values[n.id].divergent
                       ? exchange(b, i, IR_rotate, n)
                       : ir_none();
        return (c & last) == last ? i->refs[0] : in_quad(b, i, i->refs[1], 0);
    default: return ir_none();
    }
}

ir_ref
opt_shuffle_by_lane(ir_builder *b, const ir_instr *i)
{
    const ir_fn *f = b->f;
    const ir_instr *def = ir_def_of(f, i->refs[1]);
    uint64_t c;
    ir_ref n;
    if (i->op != IR_shuffle || !def || f->shader.wave_size < QUAD)
        return ir_none();
    if (is_lane(f, i->refs[1]))
        return i->refs[0];
    if (is_lane_and(f, i->refs[1], IR_iadd, &n))
        return by_distance(b, i, IR_shuffle_down, n);
    if (is_lane_and(f, i->refs[1], IR_isub, &n))
        return by_distance(b, i, IR_shuffle_up, n);
    if (def->op == IR_isub && is_lane(f, def->refs[1]) && ir_is_const(f, def->refs[0], &c) &&
        c == f->shader.wave_size - 1)
        return exchange(b, i, IR_shuffle_xor, def->refs[0]);
    return def->n_refs == 2 && ir_is_const(f, def->refs[1], &c) ? with_constant(b, i, def, c)
                                                                : ir_none();
}

ir_ref
opt_shift_by_lane(ir_builder *b, const ir_instr *i)
{
    uint64_t c;
    if (i->op != IR_ishl || b->f->shader.wave_size != 32 || !is_lane(b->f, i->refs[1]) ||
        !ir_is_const(b->f, i->refs[0], &c) || (c != 1 && c < UINT64_MAX - 1))
        return ir_none();
    ir_ref low = irb_ishl(b, ir_build_imm(b, 32, c), i->refs[1]);
    return irb_pack_64_2x32(b, low, ir_build_imm(b, 32, c == 1 ? 0 : UINT32_MAX));
}
