/* The numbers in a block of memory, by the offsets and strides with which the module declares it.
 */
#ifndef REAL_LAYOUT_H
#define REAL_LAYOUT_H

#include "spirv/reader.h"

typedef struct real_cell {
    uint64_t offset;    /* bytes */
    uint8_t kind, bits; /* SPIRV_INT, SPIRV_FLOAT or SPIRV_POINTER; 8 to 64 */
    bool is_signed;
    int column, row;          /* in a matrix; -1: not in a matrix */
    uint8_t lane, lanes;      /* component `lane` of a vector of `lanes` */
    const spirv_type *target; /* a pointer's type */
} real_cell;

typedef void
real_visit(void *user, const real_cell *cell);

/* Calls `visit` for each number in the first `size` bytes of the block; a runtime array has as many
 * elements as fit. Bytes that no number covers are padding. */
void
real_walk(const spirv_type *block, uint64_t size, real_visit *visit, void *user);

/* The size of a block in bytes, with `elements` elements of its runtime array if it has one. */
uint64_t
real_block_size(const spirv_type *block, uint64_t elements);

/* The stride of the block's runtime array in bytes; 0: it has none. */
uint32_t
real_block_stride(const spirv_type *block);

#endif
