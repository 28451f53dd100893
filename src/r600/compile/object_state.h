/* What a compiled program's note says. */
#ifndef R600_COMPILE_OBJECT_STATE_H
#define R600_COMPILE_OBJECT_STATE_H

#include "r600/object/object.h"
#include "r600/r600.h"

/* The state of a program, in the arena. */
r600_obj_state *
r600_obj_make_state(arena *a, const r600_program *p);

#endif
