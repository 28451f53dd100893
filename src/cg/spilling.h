/* Spilling one bank of registers down to its budget. */
#ifndef CG_SPILLING_H
#define CG_SPILLING_H

#include "cg/cssa.h"

/* How a bank is spilled. */
typedef struct cg_spill_bank {
    uint8_t bank;
    uint8_t edges;     /* the list along which its values live */
    uint8_t reserved;  /* registers of the budget that are not for values */
    uint8_t more_refs; /* of spill and reload, behind the value: for the family to fill in */
    uint16_t page;     /* no slot spans two pages of so many units; 0: there are no pages */
} cg_spill_bank;

/* A spill or reload; attribute word 0 has its slot, in units. */
typedef struct cg_spill_use {
    ir_instr *instr;
    uint32_t id; /* of the value as it was before spilling */
} cg_spill_use;

typedef struct cg_spilled {
    cg_spill_use *uses; /* in the arena given */
    size_t n_uses;
    uint32_t n_slots; /* units */
    uint32_t stored;  /* units of the values that are stored */
} cg_spilled;

/* Spills and reloads values of the bank so that no more than its budget are in registers. Needs
 * liveness, and the classes of cg_lower_to_cssa as they were made before any bank was spilled; sets
 * no liveness. */
cg_spilled
cg_spill(ir_fn *f, const cg_spill_bank *bank, const cg_cssa *classes, arena *a);

/* The registers that the bank must have for any single instruction, with pinned values. */
unsigned
cg_spill_floor(const ir_fn *f, const cg_spill_bank *bank);

/* Removes moves of constants that nothing uses. Needs kill flags. */
void
cg_remove_unused_constants(ir_fn *f);

#endif
