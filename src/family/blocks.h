/* Machine code as basic blocks, for the live-register view and the control-flow graph.
 *
 * Blocks begin at entries, at targets of branches and behind instructions that do more than fall
 * through. Only a family with `effects` has them.
 */
#ifndef FAMILY_BLOCKS_H
#define FAMILY_BLOCKS_H

#include "family/listing.h"

#define FAMILY_NO_BLOCK UINT32_MAX

typedef struct family_code_inst {
    uint32_t at, size; /* bytes */
    bool is_inst;      /* else a dword of data */
    uint8_t flow;      /* family_flow; of data: FAMILY_UNKNOWN */
    uint8_t test;      /* family_test */
    uint32_t target;   /* of a branch: instruction number; FAMILY_NO_BLOCK: none in the code */
    uint32_t first_use, n_uses, first_step, n_steps; /* in family_code's lists */
} family_code_inst;

typedef struct family_block {
    uint32_t first, end;          /* instructions */
    uint32_t next, target;        /* blocks that follow: by falling through, by the branch;
                                            FAMILY_NO_BLOCK: none */
    uint32_t first_pred, n_preds; /* in family_code.preds */
} family_block;

typedef struct family_code {
    const family_isa *isa;
    size_t size; /* bytes */
    uint32_t n_insts, n_blocks;
    family_code_inst *insts;
    family_block *blocks;
    uint32_t *block_of; /* of each instruction */
    uint32_t *preds;
    family_use *uses;
    family_mask_step *steps;
} family_code;

/* Reads the code of a listing that has labels, in `a`. */
family_code *
family_read_code(arena *a, const family_listing *l);

/* The number of the instruction that begins at byte `at`, or FAMILY_NO_BLOCK. */
uint32_t
family_inst_at(const family_code *c, size_t at);

/* Appends the graph of a listing that has labels, called `name`, to its text. */
void
family_print_graph(const family_listing *l, const char *name);

#endif
