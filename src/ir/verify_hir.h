/* Checks of the verifier that know HIR. Not for others than the verifier. */
#ifndef IR_VERIFY_HIR_H
#define IR_VERIFY_HIR_H

#include "ir/hir.h"

typedef struct ir_verifier {
    const ir_fn *f;
    const char *after; /* the pass that ran last, or NULL: f was just read */
    const char *check; /* the check that runs */
} ir_verifier;

/* Fails. `b` and `i`, where it went wrong, may be NULL. */
_Noreturn void
ir_verify_fail(const ir_verifier *v, const ir_block *b, const ir_instr *i, const char *format, ...);

/* Constructs nest as ir.h says, blocks stand in structured order. */
void
ir_verify_structure(const ir_verifier *v);

/* Types of operands and results. */
void
ir_verify_types(const ir_verifier *v);

/* Values of attributes. */
void
ir_verify_attributes(const ir_verifier *v);

#endif
