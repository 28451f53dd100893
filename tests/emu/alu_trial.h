/* Internals of the frame: one instruction under test. See alu_frame.h. */
#ifndef ALU_TRIAL_H
#define ALU_TRIAL_H

#include "alu_frame.h"

enum { SOURCE_V = 10, DEST_V = 64, MASK_IN_S = 20, MASK_OUT_S = 30, SOURCE_S = 40 };

/* Properties of an operand of the current instruction. */
typedef struct source {
    unsigned type, bits;
    uint16_t code;
    bool scalar;
    bool is_mask, is_float, is_inline;
    uint64_t value, high;                       /* for a scalar source */
    uint64_t lane[EMU_LANES], upper[EMU_LANES]; /* for a vector source: bits 63:0, 127:64 */
} source;

typedef struct trial {
    frame *f;
    const amd_op_info *row;
    const ref_row *ref;
    ref_env e;
    amd_inst in;
    source s[4];
    unsigned n_src;
    bool has_literal, reads_mask;
    unsigned d_type, d_bits; /* first destination; 0: only a mask */
    bool to_mask;            /* a MASK or EXEC destination */
    uint16_t mask_code;
    uint64_t mask_in, exec;
    uint32_t old[4][EMU_LANES], got[4][EMU_LANES];
} trial;

/* Draws the instruction's operands and modifiers, MODE, and the registers' values (alu_choose.c). */
void
trial_choose(trial *t, frame_batch batch);

/* Compares lane `l` with the reference (alu_compare.c); `mask_got` is the content of the mask
 * destination. Errors are counted and described in the frame. */
void
trial_compare(trial *t, uint32_t l, uint64_t mask_got);

/* alu_frame.c */
bool
frame_one_in(frame *f, unsigned n);
uint64_t
frame_read_mask(const frame *f, uint32_t code);
/* The format of a float type, or NULL; does the type hold two values? */
const ref_format *
trial_format(unsigned type);
bool
trial_is_pair(unsigned type);

#endif
