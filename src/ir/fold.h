/* The fold engine: constant folding and algebraic rules at construction (after LuaJIT's FOLD).
 *
 * The builder describes the operation it is about to make as an ir_fold. All-constant operations
 * are evaluated. Else the rules of the opcode are tried in order; a rule either finds an existing
 * reference as the result, or rewrites the node into a simpler one, to which the rules of its
 * opcode are applied in turn, or does not match. Every rule makes the node smaller or moves it
 * towards a normal form (constants on the right, additions of constants, shifts), so that this
 * ends.
 *
 * Rules are exact: the result is the same bit pattern for every input (any NaN equals any NaN).
 */
#ifndef IR_FOLD_H
#define IR_FOLD_H

#include "ir/builder.h"

typedef struct ir_fold {
    ir_builder *b;
    ir_fn *f;
    ir_op op;
    unsigned n, bits, dbits; /* number of sources; sizes of ir_eval_alu */
    ir_ref s[3];
    bool is_const[3];
    uint64_t c[3]; /* the constant, where is_const */
    ir_ref result;
} ir_fold;

typedef enum ir_fold_end {
    IR_FOLD_NONE,   /* the rule does not match */
    IR_FOLD_RESULT, /* `result` is the value */
    IR_FOLD_AGAIN,  /* op, n, bits, dbits, s now describe a simpler operation */
} ir_fold_end;

typedef struct ir_fold_rule {
    const char *name;
    ir_fold_end (*apply)(ir_fold *n);
} ir_fold_rule;

/* The rules of an opcode, ending with a row whose name is NULL; or NULL. */
const ir_fold_rule *
ir_fold_rules(ir_op op);

/* Fills n, dbits, is_const and c from op, bits, s and dbits, and puts the operands of commutative
 * opcodes in order: constants last, else by number. */
void
ir_fold_prepare(ir_fold *n);

/* True if `n->result` is the operation's value; else `n` is what is left to be made. */
bool
ir_fold_alu(ir_fold *n);

#endif
