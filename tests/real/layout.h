/* The numbers in a block of memory, by the offsets and strides with which the module declares it. */
#ifndef REAL_LAYOUT_H
#define REAL_LAYOUT_H

#include "spirv/reader.h"

typedef struct real_cell {
    uint64_t offset;    /* bytes */
    uint8_t kind, bits; /* SPIRV_INT, SPIRV_FLOAT or SPIRV_POINTER; 8 to 64 */
    bool is_signed;
    int column, row;          /* in a matrix; -1: in none */
    uint8_t lane, lanes;      /* in a vector of `lanes` components */
    const spirv_type *target; /* a pointer's type */
} real_cell;

typedef void
real_visit(void *user, const real_cell *cell);

/* Calls `visit` for each number of the block that lies within `size` bytes; of a runtime array for
 * as many elements as there is room. Bytes that no number covers are padding. */
void
real_walk(const spirv_type *block, uint64_t size, real_visit *visit, void *user);

/* Bytes that a block takes, with `elements` of its runtime array where it has one. */
uint64_t
real_block_size(const spirv_type *block, uint64_t elements);

/* Bytes from one element of the block's runtime array to the next; 0: it has none. */
uint32_t
real_block_stride(const spirv_type *block);

#endif
