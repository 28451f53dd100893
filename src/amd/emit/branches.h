/* Branches of a program that is being emitted.
 *
 * A branch reaches 32767 words (RDNA 2 ISA, SOPP: a signed 16-bit distance in words). If a target
 * may be further away, islands are placed on the way: `s_branch`es in the middle of the code, to
 * the target or to the next island, with a branch around them. They need no register and write
 * none, and cost nothing if all targets are near.
 */
#ifndef AMD_BRANCHES_H
#define AMD_BRANCHES_H

#include "amd/amd.h"

typedef struct amd_branch {
    size_t at;      /* position of its word in the buffer */
    uint32_t block; /* its target */
    uint32_t from;  /* the block that is being emitted when it is recorded */
    size_t island;  /* the position it branches to instead; SIZE_MAX: none */
} amd_branch;

typedef struct amd_branches {
    ir_fn *f;
    base_buf *out;
    uint32_t reach; /* in words */
    size_t start;   /* position of the code in the buffer */
    amd_branch *list;
    size_t count, cap;
    size_t first_open;  /* the targets of all entries before have been reached */
    uint32_t block;     /* index of the block that is being emitted */
    size_t check;       /* islands may be needed when the buffer has this size */
    uint32_t *loop_end; /* ir_find_loop_ends; NULL as long as nothing was far */
    uint32_t *headers;  /* emitted blocks that later blocks branch back to */
    size_t n_headers;
    uint32_t next_header; /* the first block not yet considered for `headers` */
    size_t *island;       /* by block: the last island on the way to it, or 0 */
} amd_branches;

/* Must be called before the first instruction is written. The program's debug_reach, if not 0,
 * replaces the reach. */
void
amd_branches_init(amd_branches *b, ir_fn *f, base_buf *out);

/* Records that the next word is a branch to block `target`. */
void
amd_branches_add(amd_branches *b, uint32_t target);

/* Must be called between instructions when the buffer's size is at least `check`: writes the
 * islands that are needed. `reached` tells whether control flows here from the preceding
 * instruction. */
void
amd_branches_write_islands(amd_branches *b, bool reached);

/* Fills in the distances. All blocks must have their offsets. Returns false if the target cannot
 * branch by one of them: then s_nops have been inserted into blocks, and the program must be
 * emitted again. */
bool
amd_branches_finish(amd_branches *b);

#endif
