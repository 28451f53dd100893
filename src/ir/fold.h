/* The fold engine: constant folding and algebraic rules applied at construction (after LuaJIT's
 * FOLD).
 *
 * The builder describes the operation it is about to make as an ir_fold. An operation on constants
 * only is evaluated. Otherwise the rules of the opcode are tried in order. A rule either finds an
 * existing reference as the result, or rewrites the node into a simpler one, to which the rules of
 * its opcode are applied in turn, or does not match. Every rule makes the node smaller or moves it
 * towards a normal form (constants on the right, additions of constants, shifts), so rewriting
 * terminates.
 *
 * Rules are exact: both sides give the same bit pattern for every input (any NaN equals any NaN).
 */
#ifndef IR_FOLD_H
#define IR_FOLD_H

#include "ir/builder.h"

typedef struct ir_fold {
    ir_builder *b;
    ir_fn *f;
    ir_op op;
    unsigned n, bits, dbits; /* number of sources; sizes as in ir_eval_alu */
    ir_ref s[3];
    bool is_const[3];
    uint64_t c[3];  /* the constant's value if is_const */
    uint64_t inner; /* ir_fold_inner of the opcodes that make the sources, and of 0 */
    uint8_t has;    /* what rules need of the sources: IR_FOLD_C0 ... */
    ir_ref result;
} ir_fold;

/* A bit for an opcode. Others may have the same one. */
static inline uint64_t
ir_fold_inner(unsigned op)
{
    return UINT64_C(1) << op % 64;
}

typedef enum ir_fold_end {
    IR_FOLD_NONE,   /* the rule does not match */
    IR_FOLD_RESULT, /* `result` is the value */
    IR_FOLD_AGAIN,  /* op, n, bits, dbits, s now describe a simpler operation */
} ir_fold_end;

/* Sets of sizes (`bits` of a node). Sizes are powers of two, so a set is the sum of its members. */
enum {
    IR_FOLD_BOOL = 1,
    IR_FOLD_INTS = 8 | 16 | 32 | 64,
    IR_FOLD_FLOATS = 16 | 32 | 64,
    IR_FOLD_ALL = IR_FOLD_BOOL | IR_FOLD_INTS,
};

/* What rules need of a node's sources. */
enum {
    IR_FOLD_C0 = 1, /* this source is a constant */
    IR_FOLD_C1 = 2,
    IR_FOLD_C2 = 4,
    IR_FOLD_CONST = 8,  /* one of them is a constant */
    IR_FOLD_INNER = 16, /* one of them is made by an ALU operation */
    IR_FOLD_SAME = 32,  /* two of them are the same */
};

typedef struct ir_fold_rule {
    const char *name;
    /* sizes for which the rule is tried; the rule matches some case in each of them */
    uint8_t sizes;
    ir_fold_end (*apply)(ir_fold *n);
    /* What every node has that the rule matches, so that most rules need not be asked: IR_FOLD_C0
     * ...; and, unless 0, an opcode by which one of its sources is made. */
    uint8_t needs;
    uint16_t inner;
} ir_fold_rule;

/* Tables of rules by opcode, one for each file of rules. An opcode has rules in at most one of
 * them. */
extern const ir_fold_rule *const ir_fold_int_rules[IR_HIR_OP_COUNT];
extern const ir_fold_rule *const ir_fold_bit_rules[IR_HIR_OP_COUNT];
extern const ir_fold_rule *const ir_fold_compare_rules[IR_HIR_OP_COUNT];
extern const ir_fold_rule *const ir_fold_convert_rules[IR_HIR_OP_COUNT];
extern const ir_fold_rule *const ir_fold_float_rules[IR_HIR_OP_COUNT];

/* Returns the rules of an opcode, terminated by a row whose name is NULL, or returns NULL. */
const ir_fold_rule *
ir_fold_rules(ir_op op);

/* Fills in n, is_const, c, inner and has from op and s, and orders the operands of commutative
 * opcodes: constants last, other operands by number. */
void
ir_fold_prepare(ir_fold *n);

/* ---- for rules ---- */

/* Ends a rule: the operation equals `r`, or the constant `value`. */
ir_fold_end
ir_fold_to(ir_fold *n, ir_ref r);
ir_fold_end
ir_fold_to_imm(ir_fold *n, uint64_t value);

/* Ends a rule: the operation becomes `op` of these sources; the definition's size stays. */
ir_fold_end
ir_fold_again(ir_fold *n, ir_op op, ir_ref a, ir_ref b, ir_ref c);

/* The operation of which value `r` is the result; IR_undef for what nothing defines: a phi that the
 * reader of SPIR-V has removed and whose users it has not changed yet. */
ir_op
ir_fold_op_of(const ir_fold *n, ir_ref r);

/* Returns the instruction that defines scalar `r` if its opcode is `op`, else NULL. */
static inline const ir_instr *
ir_fold_def(const ir_fold *n, ir_ref r, ir_op op)
{
    const ir_instr *def = ir_def_of(n->f, r);
    return def && def->op == op ? def : NULL;
}

/* Returns true if `r` is defined by `op` with a constant as its second source. */
bool
ir_fold_def_const(const ir_fold *n, ir_ref r, ir_op op, ir_ref *first, uint64_t *c);

/* Returns true if operations do not flush denormals of `bits`-bit floats. */
bool
ir_fold_is_transparent(const ir_fold *n, unsigned bits);

/* Makes a constant of the sources' size. */
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

/* Returns true if source `s` is the constant `value` (truncated to the source's size). */
static inline bool
ir_fold_is(const ir_fold *n, unsigned s, uint64_t value)
{
    return n->is_const[s] && n->c[s] == (value & base_mask64(n->bits));
}

/* Returns true if source `s` is a constant power of two; `*log` receives its logarithm. */
static inline bool
ir_fold_is_pow2(const ir_fold *n, unsigned s, uint32_t *log)
{
    if (!n->is_const[s] || !base_is_pow2(n->c[s]))
        return false;
    *log = base_ctz64(n->c[s]);
    return true;
}

/* ---- for the builder ---- */

/* Returns true if `n->result` is the operation's value. Otherwise `n` describes the operation that
 * remains to be made. */
bool
ir_fold_alu(ir_fold *n);

#endif
