/* Making HIR: constants fold, algebra simplifies and values are numbered while instructions are
 * made.
 *
 * A builder stands at the end of a block (or before an instruction). `ir_build_alu` first asks the
 * fold engine (ir/fold.c), then looks for the same pure instruction made before in a place that
 * dominates this one, and only then makes a new instruction. So readers and passes write what they
 * mean and get small code; what they get may be a value made earlier.
 *
 * Value numbering is scoped: what was made inside a scope (the arm of an if, a loop's body) is
 * forgotten when it is closed. A builder used outside the structured order (a pass that hops
 * between blocks) clears the table with ir_builder_at.
 */
#ifndef IR_BUILDER_H
#define IR_BUILDER_H

#include "ir/hir.h"

typedef struct ir_builder {
    ir_fn *f;
    ir_block *block;                /* instructions go to its end ... */
    ir_instr *before;               /* ... or before this one, if not NULL */
    uint32_t loc;                   /* given to new instructions */
    bool exact;                     /* float operations made are IR_EXACT */
    struct ir_numbering *numbering; /* scoped table of pure instructions; made by ir_builder_init */
    ir_instr *built;                /* made last by ir_build_intr */
    /* Called, if not NULL, for each algebraic rule that fires: tests count them. */
    void (*trace)(void *user, ir_op op, const char *rule, unsigned bits);
    void *trace_user;
} ir_builder;

void
ir_builder_init(ir_builder *b, ir_fn *f);

/* Moves the builder and forgets numbered values: at the end of `block`, or before `at`. */
void
ir_builder_at_end(ir_builder *b, ir_block *block);
void
ir_builder_before(ir_builder *b, ir_instr *at);

/* Moves to the end of `block` and keeps the numbered values: all blocks of the open scopes must
 * dominate it. */
void
ir_builder_continue_at(ir_builder *b, ir_block *block);

/* Values numbered between the two are forgotten at the second. */
void
ir_builder_open_scope(ir_builder *b);
void
ir_builder_close_scope(ir_builder *b);

/* An ALU operation. `type` is the definition's type where the row leaves it open (FX, IX, UX), else
 * 0. Absent sources are ir_none(). The result is a component reference; to an earlier value or
 * constant where folding finds one. */
ir_ref
ir_build_alu(ir_builder *b, ir_op op, ir_type type, ir_ref s0, ir_ref s1, ir_ref s2);

/* What a component reference reads in the end: through vec and mov. Other references are returned
 * as they are. The functions below do this with their operands. */
ir_ref
ir_look_through(const ir_fn *f, ir_ref r);

/* Constants of `bits` bits. They stand at the head of the function's first block, which must be in
 * f->blocks, one instruction for each value, and are never forgotten. So are undefined values. */
ir_ref
ir_build_imm(ir_builder *b, unsigned bits, uint64_t value);
/* A float constant rounded to `bits`. */
ir_ref
ir_build_fimm(ir_builder *b, unsigned bits, double value);
ir_ref
ir_build_undef(ir_builder *b, ir_type type);

/* A vector of `n` component references (n = 1 gives the component itself). A vector of all
 * components of one value in order is that value. */
ir_ref
ir_build_vec(ir_builder *b, const ir_ref *comps, unsigned n);

/* An intrinsic (INTR row) with the given references; `type` 0 where it has no result. Attributes
 * start at zero: set them on the result of ir_built before anything else is built. Pure intrinsics
 * are not value-numbered here (opt does). */
ir_ref
ir_build_intr(ir_builder *b, ir_op op, ir_type type, const ir_ref *refs, unsigned n);

/* The instruction made last by ir_build_intr. */
static inline ir_instr *
ir_built(ir_builder *b)
{
    return b->built;
}

/* Puts an instruction where the builder stands. */
void
ir_build_place(ir_builder *b, ir_instr *i);

/* A phi with `n` references still NONE, at the head of `block`. */
ir_instr *
ir_build_phi(ir_builder *b, ir_block *block, ir_type type, unsigned n);

/* Terminators of the builder's block, with their edges. The two of an if are `then`, `otherwise`.
 */
void
ir_build_jump(ir_builder *b, ir_block *to);
void
ir_build_if(ir_builder *b, ir_ref cond, ir_block *then, ir_block *otherwise, ir_block *merge);
void
ir_build_loop(ir_builder *b, ir_block *header, ir_block *merge, ir_block *cont);
void
ir_build_return(ir_builder *b);

/* irb_fadd(b, x, y) and so on: one for each ALU row whose definition's type follows from its
 * sources. For rows with FX, IX, UX use ir_build_alu with a type. */
#define IRB_ARGS_1 ir_ref s0
#define IRB_ARGS_2 ir_ref s0, ir_ref s1
#define IRB_ARGS_3 ir_ref s0, ir_ref s1, ir_ref s2
#define IRB_PASS_1 s0, ir_none(), ir_none()
#define IRB_PASS_2 s0, s1, ir_none()
#define IRB_PASS_3 s0, s1, s2
#define ALU(id, n, dst, k0, k1, k2, flags, expr)                                                   \
    static inline ir_ref irb_##id(ir_builder *b, IRB_ARGS_##n)                                     \
    {                                                                                              \
        return ir_build_alu(b, IR_##id, 0, IRB_PASS_##n);                                          \
    }
#include "ir/ops.def"

#endif
