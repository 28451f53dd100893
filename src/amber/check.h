/* Expectations: whether the contents of buffers are what a script says. */
#ifndef AMBER_CHECK_H
#define AMBER_CHECK_H

#include "amber/device.h"

/* Checks one EXPECT command (AMBER_OP_EXPECT_*) against the contents of the script's buffers.
 * Returns true, or false with the result set to a failure that names the place and both values. */
bool
amber_check(const amber_command *c, const amber_memory *memory, amber_result *r);

#endif
