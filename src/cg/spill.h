/* Spilling: declarations that its files share. See spill.c. */
#ifndef CG_SPILL_H
#define CG_SPILL_H

#include "cg/cssa.h"
#include "cg/live.h"
#include "cg/next_use.h"
#include "cg/spilling.h"

/* State of an original value. */
typedef struct spill_value {
    uint32_t name;        /* what it is called now */
    uint32_t next;        /* position of its next use, counted from the block's beginning */
    uint32_t at;          /* index in the register set + 1, or 0 */
    uint32_t mark;        /* clock of the last instruction, edge or block that met it */
    uint32_t on_edge;     /* its name at the end of the edge's predecessor */
    uint8_t size;         /* registers; 0 if it is of another bank or cannot be spilled */
    bool needed;          /* its slot is read, so it must be stored at its definition */
    ir_instr *memory_phi; /* the phi that was removed because its result is in the slot, or NULL */
} spill_value;

/* The values in registers at the beginning or end of a block, and their names there. */
typedef struct spill_set {
    uint32_t *ids, *names;
    uint32_t count;
} spill_set;

typedef struct spill_ctx {
    ir_fn *f;
    const ir_machine *m;
    arena *a;
    const cg_live *live;
    const cg_cssa *classes;
    const cg_spill_bank *bank;
    cg_next_use next;
    unsigned *loop_demand; /* by block, only for headers of loops: the largest demand in the loop */
    unsigned list;         /* the edges along which the bank's values are live */
    unsigned budget;       /* registers in the current block */
    uint16_t *room;        /* by block: registers without those of pinned values */
    cg_span *spans;        /* of originals, before spilling */

    spill_value *v;
    uint32_t n_v; /* number of originals; later values are names only */
    uint32_t clock;
    uint32_t *regs;           /* the register set: originals */
    uint32_t n_regs, in_regs; /* their number, and the registers they take */

    spill_set *entry, *exit; /* by block */
    ir_instr ***entry_phis;  /* by block: phi of each entry value, or NULL; headers only */
    uint32_t *after;         /* the current block: the next use after each reference, in order */
    size_t n_after, cap_after;
    cg_spill_use *uses;
    size_t n_uses, cap_uses;
    uint32_t stored; /* registers of the values that are stored */
    ir_instr **phis; /* that spilling made */
    size_t n_phis, cap_phis;
} spill_ctx;

/* ---- spill.c ---- */

/* Puts the value into the register set under a name. */
void
cg_spill_add(spill_ctx *c, uint32_t id, uint32_t name);
void
cg_spill_remove(spill_ctx *c, uint32_t id);

/* Makes a new name for original `id` before `at`: repeats its definition, or reloads it. */
uint32_t
cg_spill_reload(spill_ctx *c, uint32_t id, ir_instr *at);

/* ---- spill_edges.c ---- */

/* Chooses the values that are in registers at the beginning of the block, and reloads the missing
 * ones on the edges from predecessors. */
void
cg_spill_enter_block(spill_ctx *c, ir_block *b);

/* Records which values are in registers at the end of the block, and completes the edges back to
 * headers of loops. */
void
cg_spill_leave_block(spill_ctx *c, ir_block *b);

void
cg_spill_remove_trivial_phis(spill_ctx *c);

/* ---- spill_room.c ---- */

/* By block index: the registers that are left for values that may be spilled. */
uint16_t *
cg_spill_find_room(const ir_fn *f, const cg_spill_bank *bank, arena *a);

/* ---- spill_slots.c ---- */

/* Stores the values that must be stored, and assigns slots. Returns the number of slots. */
uint32_t
cg_spill_assign_slots(spill_ctx *c);

#endif
