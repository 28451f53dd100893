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

/* Sets of sizes (`bits` of a node): the sizes are powers of two, so that a set is their sum. */
enum {
    IR_FOLD_BOOL = 1,
    IR_FOLD_INTS = 8 | 16 | 32 | 64,
    IR_FOLD_FLOATS = 16 | 32 | 64,
    IR_FOLD_ALL = IR_FOLD_BOOL | IR_FOLD_INTS,
};

typedef struct ir_fold_rule {
    const char *name;
    uint8_t sizes; /* the rule is tried for these; each of them has cases that it matches */
    ir_fold_end (*apply)(ir_fold *n);
} ir_fold_rule;

/* Tables of rules by opcode, one a file of rules; an opcode has rules in one of them at most. */
extern const ir_fold_rule *const ir_fold_int_rules[IR_HIR_OP_COUNT];
extern const ir_fold_rule *const ir_fold_bit_rules[IR_HIR_OP_COUNT];
extern const ir_fold_rule *const ir_fold_compare_rules[IR_HIR_OP_COUNT];
extern const ir_fold_rule *const ir_fold_convert_rules[IR_HIR_OP_COUNT];
extern const ir_fold_rule *const ir_fold_float_rules[IR_HIR_OP_COUNT];

/* The rules of an opcode, ending with a row whose name is NULL; or NULL. */
const ir_fold_rule *
ir_fold_rules(ir_op op);

/* Fills n, dbits, is_const and c from op, bits, s and dbits, and puts the operands of commutative
 * opcodes in order: constants last, else by number. */
void
ir_fold_prepare(ir_fold *n);

/* ---- for rules ---- */

/* The operation is `r`; the constant `value`. */
ir_fold_end
ir_fold_to(ir_fold *n, ir_ref r);
ir_fold_end
ir_fold_to_imm(ir_fold *n, uint64_t value);

/* The operation is `op` of these sources, with the definition's size as it is. */
ir_fold_end
ir_fold_again(ir_fold *n, ir_op op, ir_ref a, ir_ref b, ir_ref c);

/* The instruction that defines scalar `r` if it is of opcode `op`, or NULL. */
const ir_instr *
ir_fold_def(const ir_fold *n, ir_ref r, ir_op op);

/* True if `r` is defined by `op` with a constant as second source. */
bool
ir_fold_def_const(const ir_fold *n, ir_ref r, ir_op op, ir_ref *first, uint64_t *c);

/* True if floats of `bits` bits pass through operations unchanged: denormals are not flushed. */
bool
ir_fold_is_transparent(const ir_fold *n, unsigned bits);

/* A constant of the size of the sources. */
static inline ir_ref
ir_fold_imm(const ir_fold *n, uint64_t value)
{
    return ir_build_imm(n->b, n->bits, value);
}

static inline ir_ref
ir_fold_imm32(const ir_fold *n, uint32_t value)
{
    return ir_build_imm(n->b, 32, value);
}

/* True if source `s` is the constant `value` (which is cut to its size). */
static inline bool
ir_fold_is(const ir_fold *n, unsigned s, uint64_t value)
{
    return n->is_const[s] && n->c[s] == (value & base_mask64(n->bits));
}

/* True if `s` is a constant power of two; `*log` is its logarithm. */
static inline bool
ir_fold_is_pow2(const ir_fold *n, unsigned s, uint32_t *log)
{
    if (!n->is_const[s] || !base_is_pow2(n->c[s]))
        return false;
    *log = base_ctz64(n->c[s]);
    return true;
}

/* ---- for the builder ---- */

/* True if `n->result` is the operation's value; else `n` is what is left to be made. */
bool
ir_fold_alu(ir_fold *n);

#endif
