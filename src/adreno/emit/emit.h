/* Machine code from the last IR. */
#ifndef ADRENO_EMIT_EMIT_H
#define ADRENO_EMIT_EMIT_H

#include "base/buf.h"
#include "ir/ir.h"

/* Appends the program's words. Sets the program's figures. */
void
adreno_emit_program(ir_fn *f, base_buf *out);

#endif
