/* Workgroup memory: LDS. A result comes through queue A, from which the next operation takes it. */
#include "r600/select/select.h"

#include "base/bits.h"

enum { OQ_A_POP = 221 };

tree_slot *
r600_sel_lds(r600_sel *s, unsigned op, tree_operand address)
{
    tree_node *n = r600_tree_alu(s->p, op);
    n->is_pack = true;
    n->slots->src[0] = address;
    r600_tree_append(s->list, n);
    return n->slots;
}

tree_operand
r600_sel_lds_result(r600_sel *s)
{
    return r600_sel_op1(s, R600_MOV, (tree_operand){.kind = TREE_SPECIAL, .id = OQ_A_POP * 4});
}

static tree_operand
address_of(r600_sel *s, const ir_instr *i, unsigned ref)
{
    return r600_sel_plus(s, r600_sel_get(s, i->refs[ref]), ir_attr_get(i, IR_A_BASE));
}

static void
load(r600_sel *s, const ir_instr *i)
{
    const unsigned bits = ir_type_bits(s->hir->values[i->defs[0].id].type);
    const unsigned n = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
    const unsigned bytes = bits >= 32 ? 4 : bits / 8;
    const unsigned op = bytes == 4   ? R600_LDS_READ_RET
                        : bytes == 2 ? R600_LDS_USHORT_READ_RET
                                     : R600_LDS_UBYTE_READ_RET;
    const tree_operand at = address_of(s, i, 0);
    tree_operand *out = r600_sel_def(s, i);
    if (ir_alignment(i) < bytes)
        r600_sel_lacks(s, "unaligned accesses");
    for (unsigned k = 0; k < n; k++) {
        r600_sel_lds(s, op, r600_sel_plus(s, at, k * bytes));
        out[k] = r600_sel_lds_result(s);
    }
}

static void
store(r600_sel *s, const ir_instr *i)
{
    const unsigned bits = r600_sel_bits(s, i->refs[0]), bytes = bits >= 32 ? 4 : bits / 8;
    const uint32_t written = ir_written_parts(s->hir, i);
    const unsigned op = bytes == 4   ? R600_LDS_WRITE
                        : bytes == 2 ? R600_LDS_SHORT_WRITE
                                     : R600_LDS_BYTE_WRITE;
    const tree_operand at = address_of(s, i, 1);
    if (ir_alignment(i) < bytes)
        r600_sel_lacks(s, "unaligned accesses");
    for (unsigned k = 0; base_next_run(written, 1, &k); k++) {
        const tree_operand address = r600_sel_plus(s, at, k * bytes);
        r600_sel_lds(s, op, address)->src[1] = r600_sel_part(s, i->refs[0], k);
    }
}

static void
atomic(r600_sel *s, const ir_instr *i)
{
    static const uint16_t ops[IR_ATOMIC_COUNT] = {
        [IR_ATOMIC_iadd] = R600_LDS_ADD_RET,      [IR_ATOMIC_imin] = R600_LDS_MIN_INT_RET,
        [IR_ATOMIC_umin] = R600_LDS_MIN_UINT_RET, [IR_ATOMIC_imax] = R600_LDS_MAX_INT_RET,
        [IR_ATOMIC_umax] = R600_LDS_MAX_UINT_RET, [IR_ATOMIC_iand] = R600_LDS_AND_RET,
        [IR_ATOMIC_ior] = R600_LDS_OR_RET,        [IR_ATOMIC_ixor] = R600_LDS_XOR_RET,
        [IR_ATOMIC_xchg] = R600_LDS_XCHG_RET,     [IR_ATOMIC_cmpxchg] = R600_LDS_CMP_XCHG_RET,
    };
    const unsigned op = ops[ir_attr_get(i, IR_A_ATOMIC_OP)];
    const tree_operand at = address_of(s, i, 0);
    if (!op || r600_sel_bits(s, i->refs[1]) != 32)
        r600_sel_lacks(s, "this atomic operation");
    tree_slot *slot = r600_sel_lds(s, op, at);
    for (unsigned k = 1; k < i->n_refs; k++)
        slot->src[k] = r600_sel_get(s, i->refs[k]);
    *r600_sel_def(s, i) = r600_sel_lds_result(s);
}

bool
r600_select_shared(r600_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_shared: load(s, i); return true;
    case IR_store_shared: store(s, i); return true;
    case IR_shared_atomic:
    case IR_shared_atomic_swap: atomic(s, i); return true;
    default: return false;
    }
}
