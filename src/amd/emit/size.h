/* Sizes of code, for align_loops and emit_program. */
#ifndef AMD_SIZE_H
#define AMD_SIZE_H

#include "amd/amd.h"

enum { AMD_LINE = 64 }; /* bytes in which code is fetched (RDNA 2 ISA, "S_CODE_END") */

static inline size_t
amd_lines_of(size_t bytes)
{
    return (bytes + AMD_LINE - 1) / AMD_LINE;
}

/* The bytes that emit_program will write for `b`, without padding and islands. */
uint32_t
amd_size_of_block(ir_fn *f, const ir_block *b);

#endif
