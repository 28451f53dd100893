/* Builds the two CFGs during selection: the machine blocks for each construct of HIR.
 *
 * A uniform if becomes the blocks of its arms. A divergent if also gets linear blocks:
 *
 *          B (branch)                 logical: B -> then -> merge, B -> else -> merge
 *         /         \                 linear:  B -> then, B -> then_linear, both -> invert,
 *      then     then_linear                    invert -> else, invert -> else_linear, both -> merge
 *         \         /
 *           invert
 *         /         \
 *      else     else_linear
 *         \         /
 *            merge
 *
 * A loop is header .. body .. K (continue) .. latch -> header, X (exit). A break or continue is
 * divergent if not all active lanes of the loop take it together: its block has the logical edge to
 * X or K, but its linear edge goes to the remaining lanes: the end of the enclosing divergent arm,
 * or K. After the merge block of a divergent if that lanes may have left, possibly no lane is
 * active; a guard (p_cbranch_z exec) skips to the next place where some are: the end of the
 * enclosing divergent arm, otherwise K if lanes may wait there, otherwise X. At K all lanes that
 * have not left by a break are active again; if there are none, a guard skips to X. Each guard has
 * its own block (no critical linear edges). See insert_exec_mask.c for the masks.
 */
#ifndef AMD_SELECT_CFG_H
#define AMD_SELECT_CFG_H

#include "amd/select/select.h"

typedef enum cfg_kind { CFG_IF_UNIFORM, CFG_IF_DIVERGENT, CFG_LOOP, CFG_DEAD } cfg_kind;

typedef struct cfg_list {
    ir_block **at;
    size_t n, cap;
} cfg_list;

/* An open if or loop. */
typedef struct cfg_construct {
    cfg_kind kind;
    ir_block *hir;        /* the block that opened it */
    ir_block *hir_second; /* start of the else arm; of the continue region */
    ir_block *hir_merge;
    bool in_second;               /* in the else arm; in the continue region */
    bool leaves;                  /* if: a divergent break or continue inside it */
    bool div_break, div_continue; /* loops */
    ir_block *branch;             /* if: the machine block with the branch */
    ir_block *then_linear, *invert, *otherwise, *else_linear, *merge; /* if */
    ir_block *header, *cont, *exit;                                   /* loop */
    cfg_list skips[2]; /* guard blocks to insert before invert (K), before merge (X) */
} cfg_construct;

typedef struct cfg {
    sel *s;
    cfg_construct *stack;
    size_t depth, cap;
    bool guard;          /* lanes may have left the if that ended before the current block */
    uint8_t *loop_flags; /* by HIR index of the loop's opening block: 1 divergent break, 2 divergent
                            continue */
    uint8_t *dead;       /* by HIR index: unreachable */
    ir_block ***edge_block; /* by HIR block and predecessor number: the machine block that
                               carries the edge */
} cfg;

/* Analyses the constructs of s->hir; s->cur is not yet set. */
void
amd_cfg_init(cfg *c, sel *s);

/* Sets s->cur to the machine block in which HIR block `b` begins; NULL if no lane and no wave
 * reaches it. */
void
amd_cfg_begin_block(cfg *c, ir_block *b);

/* Must be called after the phis of `b`: inserts guards against an empty exec. */
void
amd_cfg_after_phis(cfg *c, ir_block *b);

/* Selects the terminator of `b`. Conditions are selected values. */
void
amd_cfg_end_block(cfg *c, ir_block *b);

#endif
