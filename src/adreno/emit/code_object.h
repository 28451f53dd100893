/* What a code object says of a program beside its code. */
#ifndef ADRENO_EMIT_CODE_OBJECT_H
#define ADRENO_EMIT_CODE_OBJECT_H

#include "adreno/object/object.h"
#include "ir/ir.h"

/* The state of an emitted program, in the function's arena. */
const adreno_obj_state *
adreno_make_state(const ir_fn *f);

#endif
