/* Branches of a program that is being emitted.
 *
 * A branch reaches 32767 words (RDNA 2 ISA, SOPP: a signed 16-bit distance in words). Where a
 * target may come to lie further away, islands stand on the way: `s_branch`es to it, or to the next
 * island, in the middle of the code, with a branch past them. They need no register, write nothing,
 * and cost nothing where all is near.
 */
#ifndef AMD_BRANCHES_H
#define AMD_BRANCHES_H

#include "amd/amd.h"

typedef struct amd_branch {
    size_t at;      /* of its word in the buffer */
    uint32_t block; /* its target */
    size_t island;  /* where it goes instead, SIZE_MAX: nowhere else */
} amd_branch;

typedef struct amd_branches {
    ir_fn *f;
    base_buf *out;
    uint32_t reach; /* words */
    size_t start;   /* of the code in the buffer */
    amd_branch *list;
    size_t count, cap;
    size_t first_open; /* targets of those before it have been reached */
    uint32_t block;    /* index of the block that is being emitted */
    size_t check;      /* where the buffer has this size, islands may be needed */
    uint32_t *last;    /* by block: index of the last block that branches back to it, 0 if none
                          does; NULL while nothing was far */
    uint32_t *headers; /* blocks that have been and are branched back to */
    size_t n_headers;
    uint32_t next_header; /* the first block not looked at for `headers` */
    size_t *island;       /* by block: the last island on the way to it, or 0 */
} amd_branches;

/* To be called before the first instruction is written. The program's debug_reach, if not 0, is
 * taken for the reach. */
void
amd_branches_init(amd_branches *b, ir_fn *f, base_buf *out);

/* The word that is written next is a branch to block `target`. */
void
amd_branches_add(amd_branches *b, uint32_t target);

/* To be called between instructions where the buffer's size is at least `check`: writes the islands
 * that are needed. `reached` tells whether control comes here from the instruction before. */
void
amd_branches_write_islands(amd_branches *b, bool reached);

/* Fills in the distances. All blocks have their offsets. */
void
amd_branches_finish(amd_branches *b);

#endif
