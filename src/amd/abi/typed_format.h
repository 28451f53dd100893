/* Formats of typed loads of buffers (MTBUF): the number that the instruction has. */
#ifndef AMD_ABI_TYPED_FORMAT_H
#define AMD_ABI_TYPED_FORMAT_H

#include "amd/amd.h"
#include "machine/format.h"

/* The number for channels of `bits` bits, the first one in the lowest bits of an element, that are
 * of kind UNORM, SNORM, USCALED, SSCALED, UINT, SINT or FLOAT; 0 if the target has no such format.
 */
uint32_t
amd_typed_format(const amd_target *t, const uint8_t bits[4], mach_numeric kind);

#endif
