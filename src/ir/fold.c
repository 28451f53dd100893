#include "ir/fold.h"

#include "ir/eval_alu.h"

#include <assert.h>

void
ir_fold_prepare(ir_fold *n)
{
    n->n = ir_alu_table[n->op].n;
    for (unsigned s = 0; s < n->n; s++)
        n->is_const[s] = ir_is_const(n->f, n->s[s], &n->c[s]);
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

const ir_fold_rule *
ir_fold_rules(ir_op op)
{
    (void)op;
    return NULL;
}

static bool
fold_constants(ir_fold *n)
{
    for (unsigned s = 0; s < n->n; s++) {
        if (!n->is_const[s])
            return false;
    }
    uint64_t r = ir_eval_alu(n->op, n->bits, n->dbits, n->c, n->f->shader.fp);
    n->result = ir_build_imm(n->b, n->dbits, r);
    return true;
}

/* The first rule of the opcode that matches. */
static ir_fold_end
apply_rules(ir_fold *n)
{
    const ir_fold_rule *r = ir_fold_rules(n->op);
    for (; r && r->name; r++) {
        ir_op op = n->op;
        unsigned bits = n->bits;
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
        switch (apply_rules(n)) {
        case IR_FOLD_NONE: return false;
        case IR_FOLD_RESULT: return true;
        case IR_FOLD_AGAIN: ir_fold_prepare(n); break;
        }
    }
}
