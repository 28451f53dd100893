/* Doubles: operations on two slots, of which the even one reads high dwords and gives the low one,
 * or on four (emu/alu/double.c says it from the hardware's side). What is not here was made of
 * these by opt/expand_double.c. */
#include "r600/select/select.h"

typedef struct double_row {
    uint16_t hir, op;
    uint8_t sources;
    bool swaps, is_mask, has_four;
} double_row;

static const double_row rows[] = {
    {IR_fadd, R600_ADD_64, 2, false, false, false},  {IR_fmul, R600_MUL_64, 2, false, false, true},
    {IR_ffma, R600_FMA_64, 3, false, false, true},   {IR_fmin, R600_MIN_64, 2, false, false, false},
    {IR_fmax, R600_MAX_64, 2, false, false, false},  {IR_feq, R600_SETE_64, 2, false, true, false},
    {IR_fneu, R600_SETNE_64, 2, false, true, false}, {IR_fge, R600_SETGE_64, 2, false, true, false},
    {IR_flt, R600_SETGT_64, 2, true, true, false},
};

/* A node of two or four slots; `high` and `low` are the sources' dwords. Results are out[0] and, of
 * doubles, out[1]. An operation with three sources writes a register in each slot. */
static void
emit(r600_sel *s, const double_row *row, const tree_operand *high, const tree_operand *low,
     tree_operand out[2])
{
    if (!r600_op_exists((r600_op)row->op, s->p->chip->gen))
        r600_sel_lacks(s, r600_op_row((r600_op)row->op)->name);
    tree_node *n = r600_tree_new(s->p, TREE_ALU);
    n->n = row->has_four ? 4 : 2;
    n->is_pack = true;
    n->slots = ARENA_ARRAY(s->p->arena, n->n, tree_slot);
    for (unsigned k = 0; k < n->n; k++) {
        n->slots[k] = (tree_slot){.op = row->op, .slot = (uint8_t)k};
        for (unsigned i = 0; i < row->sources; i++)
            n->slots[k].src[i] = k + 1 < n->n ? high[i] : low[i];
    }
    const unsigned results = row->is_mask ? 1 : 2, defs = row->sources == 3 ? n->n : results;
    for (unsigned k = 0; k < defs; k++) {
        s->wish = k;
        n->slots[k].def = r600_sel_define(s, n);
        if (k < results)
            out[k] = r600_tree_use(n->slots[k].def);
    }
    r600_tree_append(s->list, n);
}

static void
select_row(r600_sel *s, const ir_instr *i, const double_row *row)
{
    tree_operand high[3] = {0}, low[3] = {0};
    for (unsigned k = 0; k < row->sources; k++) {
        const unsigned to = row->swaps ? 1 - k : k;
        high[to] = r600_sel_part(s, i->refs[k], 1);
        low[to] = r600_sel_part(s, i->refs[k], 0);
    }
    emit(s, row, high, low, r600_sel_def(s, i));
}

/* A half becomes a double by way of a single, for which HIR has no form that the builder keeps. */
static void
convert(r600_sel *s, const ir_instr *i, bool to_double)
{
    static const double_row wide = {IR_f2f, R600_FLT32_TO_FLT64, 1, false, false, false};
    static const double_row narrow = {IR_f2f, R600_FLT64_TO_FLT32, 1, false, true, false};
    tree_operand x = r600_sel_get(s, i->refs[0]);
    if (r600_sel_bits(s, i->refs[0]) == 16)
        x = r600_sel_op1(s, R600_FLT16_TO_FLT32, x);
    if (to_double)
        emit(s, &wide, &x, (const tree_operand[1]){r600_tree_const(0)}, r600_sel_def(s, i));
    else
        emit(s, &narrow, (const tree_operand[1]){r600_sel_part(s, i->refs[0], 1)}, &x,
             r600_sel_def(s, i));
}

/* Neither greater nor less, or either. */
static void
compare_twice(r600_sel *s, const ir_instr *i)
{
    static const double_row row = {IR_flt, R600_SETGT_64, 2, false, true, false};
    tree_operand r[2];
    for (unsigned k = 0; k < 2; k++) {
        const ir_ref a = i->refs[k], b = i->refs[1 - k];
        emit(s, &row, (const tree_operand[2]){r600_sel_part(s, a, 1), r600_sel_part(s, b, 1)},
             (const tree_operand[2]){r600_sel_part(s, a, 0), r600_sel_part(s, b, 0)}, &r[k]);
    }
    const tree_operand either = r600_sel_op2(s, R600_OR_INT, r[0], r[1]);
    *r600_sel_def(s, i) = i->op == IR_fneo ? either : r600_sel_op1(s, R600_NOT_INT, either);
}

bool
r600_select_double(r600_sel *s, const ir_instr *i)
{
    const unsigned from = r600_sel_bits(s, i->refs[0]);
    const unsigned to = ir_type_bits(s->hir->values[i->defs[0].id].type);
    const bool is_conversion = i->op == IR_f2f && (to == 64 || from + to == 96);
    if ((from != 64 && !is_conversion) || !(s->p->chip->properties & R600_DOUBLES))
        return false;
    if (is_conversion) {
        convert(s, i, to == 64);
        return true;
    }
    if (i->op == IR_fneo || i->op == IR_fequ) {
        compare_twice(s, i);
        return true;
    }
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].hir != i->op)
            continue;
        select_row(s, i, &rows[k]);
        return true;
    }
    return false;
}
