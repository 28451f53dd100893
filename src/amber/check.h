/* Expectations: checks that the contents of buffers match the script. */
#ifndef AMBER_CHECK_H
#define AMBER_CHECK_H

#include "amber/device.h"

/* Checks one EXPECT command (AMBER_OP_EXPECT_*) against the contents of the script's buffers.
 * Returns true, or returns false and sets the result to a failure that names the position and both
 * values. */
bool
amber_check(const amber_command *c, const amber_memory *memory, amber_result *r);

/* The contents of the command's buffer with which an EXPECT command for equal values would hold, in
 * the arena; NULL for other commands and comparisons, and where the buffer is too small. */
const uint8_t *
amber_expected_bytes(arena *a, const amber_command *c, const amber_memory *memory);

#endif
