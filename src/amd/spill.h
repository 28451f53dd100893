/* Spilling: what its files share. */
#ifndef AMD_SPILL_H
#define AMD_SPILL_H

#include "amd/live.h"
#include "cg/next_use.h"

/* Classes of values that may share a spill slot, because no two of them live at the same time: a
 * phi and its operands. parent[v] leads to the class's representative (union-find). */
typedef struct amd_cssa {
    uint32_t *parent;
    size_t n_values;
} amd_cssa;

/* Representative of `id`'s class; of `id` itself if it is newer than the classes. */
uint32_t
amd_cssa_class(const amd_cssa *c, uint32_t id);

/* Inserts copies so that each phi and its operands form a class (conventional SSA). Needs liveness,
 * and computes it anew if copies were made. Classes are allocated in `a`. */
amd_cssa
amd_lower_to_cssa(ir_fn *f, arena *a);

/* Which original values must be stored, and the instructions that name their slots. */
typedef struct spill_use {
    ir_instr *instr; /* p_reload, p_spill: its word gets the slot of `id`'s class */
    uint32_t id;
} spill_use;

/* State of an original value. */
typedef struct spill_value {
    uint32_t name;        /* what it is called now */
    uint32_t next;        /* position of its next use, counted from the block's beginning */
    uint32_t at;          /* place in the register set + 1, or 0 */
    uint32_t mark;        /* clock of what met it last: instruction, edge, block ... */
    uint32_t on_edge;     /* the name that it has at the end of the edge's predecessor */
    uint8_t size;         /* registers; 0 if it is not of the bank or has no choice */
    bool needed;          /* its slot is read: it must be stored where it is defined */
    ir_instr *memory_phi; /* the phi that was taken out as its result lives in the slot, or NULL */
} spill_value;

/* Values in registers at a block's beginning or end, with their names there. */
typedef struct spill_set {
    uint32_t *ids, *names;
    uint32_t count;
} spill_set;

typedef struct spill_ctx {
    ir_fn *f;
    amd_program *p;
    arena *a;
    const amd_live *live;
    const amd_cssa *classes;
    cg_next_use next;
    const uint32_t *loop_depth;
    unsigned *loop_demand; /* by block, of loops' headers: the largest demand in the loop */
    bool vgpr;
    unsigned list;   /* edges along which the bank's values live */
    unsigned budget; /* registers, in the running block */
    uint16_t *room;  /* by block: registers, less those of linear VGPRs */
    amd_span *spans; /* of originals, before spilling */

    spill_value *v;
    uint32_t n_v; /* originals; later values are names only */
    uint32_t clock;
    uint32_t *regs;           /* the register set: originals */
    uint32_t n_regs, in_regs; /* their number, and the registers they take */

    spill_set *entry, *exit; /* by block */
    ir_instr ***entry_phis;  /* by block: phi of each entry value, or NULL; headers only */
    uint32_t *after;         /* the running block: next use behind each reference, in order */
    size_t n_after, cap_after;
    spill_use *uses;
    size_t n_uses, cap_uses;
    uint32_t stored; /* registers of the values that are stored */
    ir_instr **phis; /* that spilling made */
    size_t n_phis, cap_phis;
} spill_ctx;

/* ---- spill.c ---- */

/* Puts the value into the register set under a name. */
void
spill_add(spill_ctx *c, uint32_t id, uint32_t name);
void
spill_remove(spill_ctx *c, uint32_t id);

/* A new name for original `id`, made before `at`: its definition done again, or a reload. */
uint32_t
spill_reload(spill_ctx *c, uint32_t id, ir_instr *at);

/* ---- spill_edges.c ---- */

/* Chooses what is in registers at the block's beginning, and reloads on the edges from predecessors
 * what is missing there. */
void
spill_enter_block(spill_ctx *c, ir_block *b);

/* Writes down what is in registers at the block's end, and does the edges back to loop headers. */
void
spill_leave_block(spill_ctx *c, ir_block *b);

void
spill_remove_trivial_phis(spill_ctx *c);

/* ---- spill_room.c ---- */

/* Registers that each block leaves to values that may be spilled, by block index. */
uint16_t *
spill_find_room(const ir_fn *f, bool vgpr, arena *a);

/* The registers that the bank must have for any single instruction, with linear VGPRs. */
unsigned
spill_floor(const ir_fn *f, bool vgpr);

/* Linear VGPRs whose lanes may hold SGPRs; those that find no lane go to scratch. */
unsigned
spill_lane_vgprs(const ir_fn *f);

/* True if a value in scc lives on where another one is defined: then it needs an SGPR. */
bool
spill_scc_moves(const ir_fn *f);

/* ---- spill_slots.c ---- */

/* Stores what must be stored, gives slots; true if scratch is used. */
bool
spill_assign_slots(spill_ctx *c);

#endif
