/* Expectations: checks that the contents of buffers match the script. */
#ifndef AMBER_CHECK_H
#define AMBER_CHECK_H

#include "amber/device.h"

/* Checks one EXPECT command (AMBER_OP_EXPECT_*) against the contents of the script's buffers.
 * Returns true, or returns false and sets the result to a failure that names the position and both
 * values. */
bool
amber_check(const amber_command *c, const amber_memory *memory, amber_result *r);

#endif
