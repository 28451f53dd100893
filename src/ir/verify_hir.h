/* The verifier's checks in files of their own: of HIR, and of bundles. Private to the verifier. */
#ifndef IR_VERIFY_HIR_H
#define IR_VERIFY_HIR_H

#include "ir/hir.h"

typedef struct ir_verifier {
    const ir_fn *f;
    const char *after; /* the pass that ran last, or NULL if f was just read */
    const char *check; /* the check that is running */
} ir_verifier;

/* Fails. `b` and `i` give the location and may be NULL. */
_Noreturn void
ir_verify_fail(const ir_verifier *v, const ir_block *b, const ir_instr *i, const char *format, ...);

/* Checks that constructs nest as ir.h describes and that blocks are in structured order. */
void
ir_verify_structure(const ir_verifier *v);

/* Checks types of operands and results. */
void
ir_verify_types(const ir_verifier *v);

/* Checks the bundles of a machine level. */
void
ir_verify_bundles(const ir_verifier *v);

/* Checks values of attributes. */
void
ir_verify_attributes(const ir_verifier *v);

#endif
