#include "ir/fold.h"

#include "ir/eval_alu.h"

#include <assert.h>

/* Constants last, other operands by number. */
static void
order_operands(ir_fold *n)
{
    bool commutes = (n->f->level->ops[n->op].flags & IR_OP_COMMUTES) != 0;
    bool by_number = n->s[0].id > n->s[1].id ||
                     (n->s[0].id == n->s[1].id && n->s[0].comp > n->s[1].comp);
    if (!commutes || (n->is_const[0] == n->is_const[1] ? !by_number : n->is_const[1]))
        return;
    ir_ref r = n->s[0];
    uint64_t c = n->c[0];
    bool k = n->is_const[0];
    n->s[0] = n->s[1], n->c[0] = n->c[1], n->is_const[0] = n->is_const[1];
    n->s[1] = r, n->c[1] = c, n->is_const[1] = k;
}

void
ir_fold_prepare(ir_fold *n)
{
    uint32_t flags = 0;
    n->n = ir_alu_table[n->op].n;
    n->inner = ir_fold_inner(0);
    n->is_const[1] = n->is_const[2] = false;
    for (unsigned s = 0; s < n->n; s++) {
        ir_op op = ir_fold_op_of(n, n->s[s]);
        n->is_const[s] = op == IR_load_const && ir_is_const(n->f, n->s[s], &n->c[s]);
        n->inner |= ir_fold_inner(op);
        flags |= n->f->level->ops[op].flags;
    }
    order_operands(n);
    unsigned constants = IR_FOLD_C0 * n->is_const[0] | IR_FOLD_C1 * n->is_const[1] |
                         IR_FOLD_C2 * n->is_const[2];
    bool same = ir_same_ref(n->s[0], n->s[1]) || ir_same_ref(n->s[1], n->s[2]) ||
                ir_same_ref(n->s[0], n->s[2]);
    n->has = (uint8_t)(constants | IR_FOLD_CONST * (constants != 0) |
                       IR_FOLD_INNER * ((flags & IR_OP_ALU) != 0) | IR_FOLD_SAME * same);
}

const ir_fold_rule *
ir_fold_rules(ir_op op)
{
    const ir_fold_rule *const *const tables[] = {ir_fold_int_rules, ir_fold_bit_rules,
                                                 ir_fold_compare_rules, ir_fold_convert_rules,
                                                 ir_fold_float_rules};
    for (unsigned t = 0; t < sizeof tables / sizeof *tables; t++) {
        if (tables[t][op])
            return tables[t][op];
    }
    return NULL;
}

/* ---- for rules ---- */

ir_fold_end
ir_fold_to(ir_fold *n, ir_ref r)
{
    n->result = ir_look_through(n->f, r);
    return IR_FOLD_RESULT;
}

ir_fold_end
ir_fold_to_imm(ir_fold *n, uint64_t value)
{
    n->result = ir_build_imm(n->b, n->dbits, value);
    return IR_FOLD_RESULT;
}

ir_fold_end
ir_fold_again(ir_fold *n, ir_op op, ir_ref a, ir_ref b, ir_ref c)
{
    const ir_ref s[3] = {a, b, c};
    unsigned sizes[3];
    for (unsigned k = 0; k < 3; k++) {
        n->s[k] = ir_look_through(n->f, s[k]);
        sizes[k] = ir_is_value(s[k]) ? ir_type_bits(ir_ref_type(n->f, n->s[k])) : 0;
    }
    n->op = op;
    n->bits = ir_alu_bits(op, sizes);
    n->dbits = ir_alu_def_bits(op, n->bits, n->dbits);
    return IR_FOLD_AGAIN;
}

ir_op
ir_fold_op_of(const ir_fold *n, ir_ref r)
{
    const ir_instr *def = n->f->values[r.id].def;
    return def ? (ir_op)def->op : IR_undef;
}

bool
ir_fold_def_const(const ir_fold *n, ir_ref r, ir_op op, ir_ref *first, uint64_t *c)
{
    const ir_instr *def = ir_fold_def(n, r, op);
    if (!def || !ir_is_const(n->f, def->refs[1], c))
        return false;
    *first = def->refs[0];
    return true;
}

bool
ir_fold_is_transparent(const ir_fold *n, unsigned bits)
{
    return !(n->f->shader.fp.denorm_flush >> (bits >> 5) & 1);
}

/* ---- the engine ---- */

static bool
fold_constants(ir_fold *n)
{
    if ((n->has & (IR_FOLD_C0 | IR_FOLD_C1 | IR_FOLD_C2)) != (1u << n->n) - 1)
        return false;
    uint64_t r = ir_eval_alu(n->op, n->bits, n->dbits, n->c, n->f->shader.fp);
    n->result = ir_build_imm(n->b, n->dbits, r);
    return true;
}

/* (p ? c1 : c2) op (p ? c3 : c4) = p ? c1 op c3 : c2 op c4 */
static bool
fold_selected(ir_fold *n)
{
    const ir_instr *i[2];
    for (unsigned s = 0; s < 2; s++) {
        i[s] = n->n == 2 ? ir_fold_def(n, n->s[s], IR_bcsel) : NULL;
        if (!i[s])
            return false;
    }
    uint64_t c[2][3] = {{0}}, r[2];
    for (unsigned s = 0; s < 2; s++) {
        if (!ir_is_const(n->f, i[s]->refs[1], &c[0][s]) ||
            !ir_is_const(n->f, i[s]->refs[2], &c[1][s]))
            return false;
    }
    if (!ir_same_ref(i[0]->refs[0], i[1]->refs[0]))
        return false;
    for (unsigned k = 0; k < 2; k++)
        r[k] = ir_eval_alu(n->op, n->bits, n->dbits, c[k], n->f->shader.fp);
    ir_fold_again(n, IR_bcsel, i[0]->refs[0], ir_build_imm(n->b, n->dbits, r[0]),
                  ir_build_imm(n->b, n->dbits, r[1]));
    ir_fold_prepare(n);
    return true;
}

/* Without branches, as nearly all rules do not match. */
static bool
may_match(const ir_fold_rule *r, const ir_fold *n)
{
    unsigned lacks = (r->needs & ~(unsigned)n->has) | (n->bits & ~(unsigned)r->sizes);
    return (lacks == 0) & ((n->inner & ir_fold_inner(r->inner)) != 0);
}

/* Applies the first rule of the opcode that matches. */
static ir_fold_end
apply_rules(ir_fold *n)
{
    const ir_fold_rule *r = ir_fold_rules(n->op);
    for (; r && r->name; r++) {
        ir_op op = n->op;
        unsigned bits = n->bits;
        if (!may_match(r, n)) {
            assert(!(r->sizes & bits) || r->apply(n) == IR_FOLD_NONE);
            continue;
        }
        ir_fold_end end = r->apply(n);
        if (end == IR_FOLD_NONE)
            continue;
        if (n->b->trace)
            n->b->trace(n->b->trace_user, op, r->name, bits);
        return end;
    }
    return IR_FOLD_NONE;
}

bool
ir_fold_alu(ir_fold *n)
{
    for (;;) {
        if (fold_constants(n))
            return true;
        if (fold_selected(n))
            continue;
        switch (apply_rules(n)) {
        case IR_FOLD_NONE: return false;
        case IR_FOLD_RESULT: return true;
        case IR_FOLD_AGAIN: ir_fold_prepare(n); break;
        }
    }
}
