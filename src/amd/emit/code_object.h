/* Converts a compiled program to the model of a code object. */
#ifndef AMD_CODE_OBJECT_H
#define AMD_CODE_OBJECT_H

#include "amd/compile/compile.h"
#include "object/object.h"

/* Fills `out` from `binary`; `name` is the entry point's. Lists are allocated in `a`; the code is
 * not copied. */
void
amd_make_object(arena *a, const amd_binary *binary, const char *name, obj_code *out);

#endif
