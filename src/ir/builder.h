/* Construction of HIR. Constants are folded, algebra is simplified and values are numbered as
 * instructions are made.
 *
 * A builder is positioned at the end of a block or before an instruction. `ir_build_alu` first asks
 * the fold engine (ir/fold.c), then looks for an equal pure instruction in a dominating position,
 * and only then makes a new instruction. Readers and passes can therefore write straightforward
 * code and still get small results; the result may be a value made earlier.
 *
 * Value numbering is scoped: closing a scope (the arm of an if, a loop's body) forgets the values
 * numbered inside it. A builder used outside the structured order (a pass that moves between
 * blocks) clears the table with ir_builder_at.
 */
#ifndef IR_BUILDER_H
#define IR_BUILDER_H

#include "ir/hir.h"

typedef struct ir_builder {
    ir_fn *f;
    ir_block *block;                /* instructions are added at its end ... */
    ir_instr *before;               /* ... or before this one, if not NULL */
    uint32_t loc;                   /* given to new instructions */
    bool exact;                     /* new float operations are IR_EXACT */
    struct ir_numbering *numbering; /* scoped table of pure instructions; made by ir_builder_init */
    ir_instr *built;                /* the instruction made last by ir_build_intr */
    /* If not NULL, called for each algebraic rule that fires; tests count the calls. */
    void (*trace)(void *user, ir_op op, const char *rule, unsigned bits);
    void *trace_user;
} ir_builder;

void
ir_builder_init(ir_builder *b, ir_fn *f);

/* Moves the builder to the end of `block` or before `at`, and forgets numbered values. */
void
ir_builder_at_end(ir_builder *b, ir_block *block);
void
ir_builder_before(ir_builder *b, ir_instr *at);

/* Moves to the end of `block` and keeps the numbered values. All blocks of the open scopes must
 * dominate `block`. */
void
ir_builder_continue_at(ir_builder *b, ir_block *block);

/* Opens and closes a scope. Values numbered inside it are forgotten when it closes. */
void
ir_builder_open_scope(ir_builder *b);
void
ir_builder_close_scope(ir_builder *b);

/* Builds an ALU operation. `type` is the definition's type where the row leaves it open (FX, IX,
 * UX), else 0. Absent sources are ir_none(). Returns a component reference, which refers to an
 * earlier value or a constant if folding finds one. */
ir_ref
ir_build_alu(ir_builder *b, ir_op op, ir_type type, ir_ref s0, ir_ref s1, ir_ref s2);

/* ir_look_through of a value that a vec or mov defines. */
ir_ref
ir_look_through_copy(const ir_fn *f, ir_ref r);

/* Follows a component reference through vec and mov to the component it finally reads. Other
 * references are returned unchanged. The functions below do this with their operands. */
static inline ir_ref
ir_look_through(const ir_fn *f, ir_ref r)
{
    const ir_instr *def = ir_def_of(f, r);
    return def && (def->op == IR_vec || def->op == IR_mov) ? ir_look_through_copy(f, r) : r;
}

/* Constants of `bits` bits. They are at the start of the function's first block, which must be in
 * f->blocks. Each value has one instruction, which is never forgotten. The same holds for undefined
 * values. */
ir_ref
ir_build_imm(ir_builder *b, unsigned bits, uint64_t value);
/* A float constant rounded to `bits`. */
ir_ref
ir_build_fimm(ir_builder *b, unsigned bits, double value);
ir_ref
ir_build_undef(ir_builder *b, ir_type type);

/* Builds a vector of `n` component references. With n = 1 it returns the component itself; if the
 * references are all components of one value in order, it returns that value. */
ir_ref
ir_build_vec(ir_builder *b, const ir_ref *comps, unsigned n);

/* Builds an intrinsic (INTR row of the function's level) with the given references; `type` is 0 if
 * it has no result. Attributes start at zero: set them on the result of ir_built before building
 * anything else. Pure intrinsics are not value-numbered here (opt does that). */
ir_ref
ir_build_intr(ir_builder *b, unsigned op, ir_type type, const ir_ref *refs, unsigned n);

/* The instruction made last by ir_build_intr. */
static inline ir_instr *
ir_built(ir_builder *b)
{
    return b->built;
}

/* Inserts an instruction at the builder's position. */
void
ir_build_place(ir_builder *b, ir_instr *i);

/* Adds a phi at the head of `block` with `n` references, all NONE so far. */
ir_instr *
ir_build_phi(ir_builder *b, ir_block *block, ir_type type, unsigned n);

/* These terminate the builder's block and add its edges. The successors of an if are `then` and
 * `otherwise`.
 */
void
ir_build_jump(ir_builder *b, ir_block *to);
void
ir_build_if(ir_builder *b, ir_ref cond, ir_block *then, ir_block *otherwise, ir_block *merge);
void
ir_build_loop(ir_builder *b, ir_block *header, ir_block *merge, ir_block *cont);
void
ir_build_return(ir_builder *b);

/* irb_fadd(b, x, y) and so on: one function for each ALU row whose sources determine the
 * definition's type. For rows with FX, IX, UX use ir_build_alu with a type. */
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
