/* Private memory of vertex and fragment shaders: scratch memory.
 *
 * The x of an element (tree/scratch.c) has one dword, so that any dword can be chosen at run time.
 * Lanes that help write theirs, too, which RATs do not. Compute shaders have RAT R600_RAT_PRIVATE
 * (select_memory.c). Arrays that are small are in registers (select_array.c). */
#include "r600/select/select.h"

#include "base/bits.h"

enum { SCRATCH_BIT = 1 << R600_RAT_PRIVATE };

/* The element of the dword at a byte, `base` dwords behind it. */
static tree_operand
element_of(r600_sel *s, ir_ref offset, uint32_t base)
{
    return r600_sel_plus(s, r600_sel_dwords(s, offset), base);
}

static uint32_t
last_element(const r600_sel *s)
{
    return s->program->private_bytes / 4 - 1;
}

static tree_operand
read_element(r600_sel *s, tree_operand element)
{
    r600_sel_wait(s, SCRATCH_BIT);
    tree_node *n = r600_tree_read_scratch(s->p, element, last_element(s), 0);
    r600_tree_append(s->list, n);
    s->wish = 0;
    const uint32_t value = r600_sel_define(s, n);
    r600_tree_take_scratch(s->p, n, 0, value);
    return r600_tree_use(value);
}

static void
write_element(r600_sel *s, tree_operand element, tree_operand value)
{
    tree_node *n = r600_tree_write_scratch(s->p, element, last_element(s), 0);
    r600_tree_append(s->list, n);
    n->vectors->src[0] = value.kind == TREE_UNDEF ? r600_tree_const(0) : value;
    s->unacked |= SCRATCH_BIT;
}

/* ---- numbers of 8 and 16 bits ---- */

/* The bit of a dword at which component `k` begins. */
static tree_operand
shift_of(r600_sel *s, tree_operand byte)
{
    const tree_operand low = r600_sel_op2(s, R600_AND_INT, byte, r600_tree_const(3));
    return r600_sel_op2(s, R600_LSHL_INT, low, r600_tree_const(3));
}

static void
write_narrow(r600_sel *s, tree_operand byte, unsigned bits, tree_operand value)
{
    const tree_operand ones = r600_tree_const((1u << bits) - 1), shift = shift_of(s, byte);
    const tree_operand element = r600_sel_op2(s, R600_LSHR_INT, byte, r600_tree_const(2));
    const tree_operand mask = r600_sel_op2(s, R600_LSHL_INT, ones, shift);
    const tree_operand old = read_element(s, element);
    const tree_operand part = r600_sel_op2(s, R600_LSHL_INT,
                                           r600_sel_op2(s, R600_AND_INT, value, ones), shift);
    const tree_operand others = r600_sel_op2(s, R600_AND_INT, old,
                                             r600_sel_op1(s, R600_NOT_INT, mask));
    write_element(s, element, r600_sel_op2(s, R600_OR_INT, others, part));
}

static tree_operand
read_narrow(r600_sel *s, tree_operand byte)
{
    const tree_operand element = r600_sel_op2(s, R600_LSHR_INT, byte, r600_tree_const(2));
    const tree_operand word = read_element(s, element);
    return r600_sel_op2(s, R600_LSHR_INT, word, shift_of(s, byte));
}

/* ---- instructions ---- */

static void
load(r600_sel *s, const ir_instr *i)
{
    const ir_ref def = ir_use(s->hir, i->defs[0].id);
    const unsigned n = r600_sel_parts(s, def), bits = r600_sel_bits(s, def);
    const uint32_t base = ir_attr_get(i, IR_A_BASE);
    tree_operand *out = r600_sel_def(s, i);
    for (unsigned k = 0; k < n; k++) {
        if (bits >= 32)
            out[k] = read_element(s, element_of(s, i->refs[0], base / 4 + k));
        else
            out[k] = read_narrow(
                s, r600_sel_plus(s, r600_sel_get(s, i->refs[0]), base + k * bits / 8));
    }
}

static void
store(r600_sel *s, const ir_instr *i)
{
    const ir_ref value = i->refs[0], offset = i->refs[1];
    const unsigned bits = r600_sel_bits(s, value);
    const uint32_t base = ir_attr_get(i, IR_A_BASE), written = ir_written_parts(s->hir, i);
    for (unsigned k = 0; base_next_run(written, 1, &k); k++) {
        const tree_operand part = r600_sel_part(s, value, k);
        if (bits >= 32)
            write_element(s, element_of(s, offset, base / 4 + k), part);
        else
            write_narrow(s, r600_sel_plus(s, r600_sel_get(s, offset), base + k * bits / 8), bits,
                         part);
    }
}

static void
check(r600_sel *s, const ir_instr *i)
{
    const bool is_load = i->op == IR_load_scratch;
    const ir_ref value = is_load ? ir_use(s->hir, i->defs[0].id) : i->refs[0];
    const unsigned bits = r600_sel_bits(s, value), bytes = bits >= 32 ? 4 : bits / 8;
    if (ir_alignment(i) < bytes || ir_attr_get(i, IR_A_BASE) % bytes)
        r600_sel_lacks(s, "unaligned accesses");
    s->program->private_bytes = (s->hir->shader.scratch_size + 3) & ~3u;
    if (s->program->private_bytes / 4 > R600_MOST_SCRATCH)
        r600_sel_lacks(s, "more than 16 KiB of private memory");
}

bool
r600_select_scratch(r600_sel *s, const ir_instr *i)
{
    if ((i->op != IR_load_scratch && i->op != IR_store_scratch) ||
        s->hir->shader.stage == IR_STAGE_COMPUTE)
        return false;
    check(s, i);
    if (i->op == IR_load_scratch)
        load(s, i);
    else
        store(s, i);
    return true;
}
