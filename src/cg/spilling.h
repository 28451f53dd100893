/* Spilling one bank of registers down to its budget. */
#ifndef CG_SPILLING_H
#define CG_SPILLING_H

#include "cg/cssa.h"

/* How a bank is spilled. */
typedef struct cg_spill_bank {
    uint8_t bank;
    uint8_t edges;     /* the list of edges along which its values are live */
    uint8_t reserved;  /* registers of the budget that values may not use */
    uint8_t more_refs; /* operands of spill and reload after the value, which the family sets */
    uint16_t page;     /* size of a page in units, whose boundary no slot crosses; 0: no pages */
    /* The instruction before which a reload for `at` stands, where the same registers are free;
     * NULL: always `at`. */
    ir_instr *(*place)(ir_instr *at);
} cg_spill_bank;

/* A spill or reload; attribute word 0 has its slot, in units. */
typedef struct cg_spill_use {
    ir_instr *instr;
    uint32_t id; /* the value's id before spilling */
} cg_spill_use;

typedef struct cg_spilled {
    cg_spill_use *uses; /* in the arena given */
    size_t n_uses;
    uint32_t n_slots; /* units */
    uint32_t stored;  /* units of the stored values */
} cg_spilled;

/* Spills and reloads values of the bank until the demand is within its budget. Needs liveness, and
 * the classes that cg_lower_to_cssa made before any bank was spilled. Does not update liveness. */
cg_spilled
cg_spill(ir_fn *f, const cg_spill_bank *bank, const cg_cssa *classes, arena *a);

/* The minimum number of registers of the bank, with which every single instruction works, including
 * pinned values. */
unsigned
cg_spill_floor(const ir_fn *f, const cg_spill_bank *bank);

/* Must a value that its definition fixes to the special register `reg` move to one of its bank,
 * because it is live where another one is defined, or in another block? `cg_spill_bank.reserved`
 * must leave room for it. Needs kill flags. */
bool
cg_special_moves(const ir_fn *f, unsigned reg);

/* Removes moves of constants whose results are not used. Needs kill flags. */
void
cg_remove_unused_constants(ir_fn *f);

#endif
