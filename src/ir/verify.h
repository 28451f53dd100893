/* The verifier: small named checks of the invariants that passes rely on. */
#ifndef IR_VERIFY_H
#define IR_VERIFY_H

#include "ir/ir.h"

/* Checks structure, SSA, types, attributes and edges of any level (a backend adds its own checks).
 * Fails with IR_VERIFY (a defect of Heddle), which names the check, the pass `after` which it ran,
 * and the instruction as text. If `after` is NULL, `f` was written by a user, and failure is
 * reported as IR_INVALID.
 */
void
ir_verify(const ir_fn *f, const char *after);

#endif
