/* Tools for selection. */
#include "r600/select/select.h"

_Noreturn void
r600_sel_lacks(const r600_sel *s, const char *what)
{
    ir_locate(s->hir, s->loc);
    diag_fail(s->hir->ctx->diag, ERR_TARGET_SELECT, s->p->chip->name, what);
}

/* ---- nodes ---- */

uint32_t
r600_sel_define(r600_sel *s, tree_node *n)
{
    const uint32_t v = r600_tree_value(s->p);
    s->p->values[v].def = n;
    s->p->values[v].reg = s->wish++ & 3;
    return v;
}

/* Operations that are only there for all four slots at once, and on Cayman those of slot t. */
static bool
is_pack(const r600_sel *s, unsigned op)
{
    const char slots = r600_slots_of(s->p->isa, (r600_op)op);
    return slots == 'Q' || (slots == 'S' && s->p->chip->gen == R600_GEN_CM);
}

static tree_node *
new_alu(r600_sel *s, unsigned op, const tree_operand src[3])
{
    if (!r600_op_exists((r600_op)op, s->p->chip->gen))
        r600_sel_lacks(s, r600_op_row((r600_op)op)->name);
    const unsigned n = is_pack(s, op) ? TREE_MAX_SLOTS : 1;
    tree_node *node = r600_tree_new(s->p, TREE_ALU);
    node->n = (uint8_t)n;
    node->is_pack = n > 1;
    node->slots = ARENA_ARRAY(s->p->arena, n, tree_slot);
    for (unsigned i = 0; i < n; i++) {
        node->slots[i] = (tree_slot){.op = (uint16_t)op, .slot = (uint8_t)i};
        for (unsigned k = 0; k < r600_tree_sources(op); k++)
            node->slots[i].src[k] = src[k];
    }
    r600_tree_append(s->list, node);
    return node;
}

/* ---- what R600 and R700 lack ---- */

/* A field of a constant number of bits. */
static tree_operand
shift_field(r600_sel *s, bool is_signed, tree_operand x, tree_operand at, uint32_t width)
{
    const tree_operand rest = r600_tree_const(32 - width);
    if (!is_signed)
        return r600_sel_op2(s, R600_AND_INT, r600_sel_op2(s, R600_LSHR_INT, x, at),
                            r600_tree_const((uint32_t)((UINT64_C(1) << width) - 1)));
    const tree_operand up = at.kind == TREE_CONST ? r600_tree_const(32 - width - at.id)
                                                  : r600_sel_op2(s, R600_SUB_INT, rest, at);
    return r600_sel_op2(s, R600_ASHR_INT, r600_sel_op2(s, R600_LSHL_INT, x, up), rest);
}

/* Fields of a known width by shifts and masks, conversions of binary16; kind TREE_NONE for
 * others. */
static tree_operand
expand_lacking(r600_sel *s, unsigned op, tree_operand a, tree_operand b, tree_operand c)
{
    switch (op) {
    case R600_BFE_INT:
    case R600_BFE_UINT:
        if (c.kind != TREE_CONST || (b.kind == TREE_CONST && b.id + c.id > 32))
            break;
        return shift_field(s, op == R600_BFE_INT, a, b, c.id);
    case R600_BFI_INT:
        if (a.kind != TREE_CONST)
            break;
        return r600_sel_op2(s, R600_OR_INT, r600_sel_op2(s, R600_AND_INT, b, a),
                            r600_sel_op2(s, R600_AND_INT, c, r600_tree_const(~a.id)));
    default: break;
    }
    return r600_sel_expand_half(s, op, a);
}

tree_operand
r600_sel_op(r600_sel *s, unsigned op, tree_operand a, tree_operand b, tree_operand c)
{
    if (!r600_op_exists((r600_op)op, s->p->chip->gen)) {
        const tree_operand r = expand_lacking(s, op, a, b, c);
        if (r.kind)
            return r;
    }
    tree_node *n = new_alu(s, op, (tree_operand[]){a, b, c});
    const uint32_t v = r600_sel_define(s, n);
    n->slots[n->is_pack ? s->p->values[v].reg : 0].def = v;
    return r600_tree_use(v);
}

tree_vector *
r600_sel_vector(r600_sel *s, tree_kind kind, r600_op op)
{
    if (!r600_op_exists(op, s->p->chip->gen))
        r600_sel_lacks(s, r600_op_row(op)->name);
    tree_node *n = r600_tree_new(s->p, kind);
    n->n = 1;
    n->vectors = ARENA_NEW(s->p->arena, tree_vector);
    n->vectors->inst = (r600_inst){.op = op, .n_words = kind == TREE_FETCH ? 4 : 2};
    n->vectors->inst.f[R600_F_barrier] = kind == TREE_FLOW;
    r600_tree_append(s->list, n);
    return n->vectors;
}

void
r600_sel_wait(r600_sel *s, uint32_t rats)
{
    if (!(s->unacked & rats) || !r600_op_exists(R600_WAIT_ACK, s->p->chip->gen))
        return;
    r600_sel_vector(s, TREE_FLOW, R600_WAIT_ACK);
    s->unacked = 0;
}

/* ---- values ---- */

unsigned
r600_sel_bits(const r600_sel *s, ir_ref r)
{
    return ir_type_bits(ir_ref_type(s->hir, r));
}

unsigned
r600_sel_parts(const r600_sel *s, ir_ref r)
{
    return ir_type_parts(ir_ref_type(s->hir, r));
}

/* A component of a constant; booleans are masks. */
static tree_operand
constant_part(const r600_sel *s, const ir_instr *def, unsigned at, unsigned bits)
{
    const unsigned per = bits == 64 ? 2 : 1;
    const uint64_t value = ir_const_comp(s->hir, def, at / per);
    if (bits == 1)
        return r600_tree_const(value ? UINT32_MAX : 0);
    return r600_tree_const((uint32_t)(at % per ? value >> 32 : value));
}

tree_operand
r600_sel_part(r600_sel *s, ir_ref r, unsigned k)
{
    const ir_value *v = &s->hir->values[r.id];
    const unsigned bits = ir_type_bits(v->type), per = bits == 64 ? 2 : 1;
    const unsigned at = k + (r.comp == IR_WHOLE ? 0 : r.comp * per);
    if (v->def && v->def->op == IR_undef)
        return (tree_operand){.kind = TREE_UNDEF};
    if (v->def && v->def->op == IR_load_const)
        return constant_part(s, v->def, at, bits);
    if (!s->values[r.id])
        r600_sel_lacks(s, "descriptors as values");
    return s->values[r.id][at];
}

tree_operand *
r600_sel_def(r600_sel *s, const ir_instr *i)
{
    const uint32_t id = i->defs[0].id;
    const ir_type t = s->hir->values[id].type;
    if (!s->values[id])
        s->values[id] = ARENA_ARRAY(s->p->arena, 2 * ir_type_comps(t), tree_operand);
    return s->values[id];
}
