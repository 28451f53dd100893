/* Register allocation: what its files share.
 *
 * Allocation walks over the blocks once, on SSA. A value of the input (an "original") may change
 * places: each time it moves, a parallel copy gives it a new name, and the references behind are
 * renamed. So an original has a current name and a current register; both are written down at the
 * end of each block for what is live out of it, and phis are put where predecessors disagree.
 *
 * Registers are counted by their codes (isa.h): 0-127 scalars, 253 scc, 256-511 VGPRs. A value
 * takes whole registers. The register file is kept twice: as it is before the running instruction,
 * behind the moves that make room for it (`before`: operands and what lives on), and as it will be
 * behind it (`after`: definitions and what lives on). An operand that dies leaves its register to
 * the definitions, but not to a value that is moved, because moves come before the instruction.
 */
#ifndef AMD_RA_H
#define AMD_RA_H

#include "amd/live.h"

enum {
    RA_REGS = 512,
    RA_WORDS = RA_REGS / 64,
    RA_NOWHERE = 0xffff,
    RA_MAX_DEFS = 256,
};

typedef struct ra_file {
    uint64_t before[RA_WORDS], after[RA_WORDS]; /* bit per register: taken */
    uint32_t owner[RA_REGS]; /* original that holds the register before the instruction, or 0 */
} ra_file;

/* What a class asks of its registers: `size` registers of lo .. hi - 1, the first `phase` behind a
 * multiple of `align`; linear VGPRs as high as possible, all else low. */
typedef struct ra_shape {
    uint16_t lo, hi;
    uint8_t size, align, phase;
    bool high;
} ra_shape;

/* Values that should lie at fixed distances, see ra_affinity.c. Counted in registers. */
typedef struct ra_web {
    uint32_t parent; /* union-find; a root's is itself */
    uint32_t next;   /* ring of the members */
    uint32_t count;  /* root: members */
    uint32_t left;   /* root: members that did not get a register yet */
    int16_t offset;  /* own place less the parent's */
    int16_t lo, hi;  /* root: members' registers, less its place */
    uint16_t base;   /* root: its place, RA_NOWHERE while that is open */
    uint8_t align;   /* root: base % align is to be phase */
    uint8_t phase;
} ra_web;

/* State of an original value (indexed by id; entries of mere names are unused). */
typedef struct ra_value {
    uint32_t name;
    uint32_t moved_at; /* clock of the instruction for which it has moved */
    uint32_t dies_at;  /* clock of the instruction that kills it early */
    uint32_t fixed_at; /* clock of the instruction that demands its register: no moves then */
    uint16_t reg;      /* RA_NOWHERE while it has none */
    uint16_t from;     /* register before the move */
    uint8_t rc;
    bool vcc;    /* an instruction is shorter if it lies in vcc */
    bool pinned; /* may not move: linear VGPRs */
} ra_value;

typedef struct ra_place {
    uint32_t name;
    uint16_t reg;
} ra_place;

/* Operand and definition of an instruction that must share a register; -1 if there are none. */
typedef struct ra_tied {
    int ref, def;
} ra_tied;

typedef struct ra_pack ra_pack; /* ra_get_reg.c: items of ra_repack */

typedef struct ra_ctx {
    ir_fn *f;
    amd_program *p;
    const amd_live *live;
    arena *a; /* scratch */
    ra_file file;
    ra_value *v;
    ra_web *webs; /* by original */
    size_t n_v, cap_v, cap_webs;
    uint64_t wanted[RA_WORDS];   /* registers that members of webs will go to */
    uint16_t wanted_by[RA_REGS]; /* how many webs want it */
    ra_place *
        *out; /* by block: what its live-out values are called at its end, and where they are */
    const ir_block *last; /* the block allocated before this one */
    uint32_t clock;       /* number of the running instruction or block entry */

    ir_instr *instr;               /* running instruction; NULL at a block's entry */
    ra_tied tied;                  /* of it */
    uint16_t def_reg[RA_MAX_DEFS]; /* its definitions' registers */
    uint32_t *moves;               /* originals that moved for it */
    size_t n_moves, cap_moves;
    uint32_t *killed; /* originals that it is the last to use */
    size_t n_killed, cap_killed;

    ra_pack *pack;
    ir_instr **phis; /* those that allocation made */
    size_t n_phis, cap_phis;
    uint16_t sgpr_end, vgpr_end; /* codes: behind the last register that may be used */
    /* linear VGPRs keep to what the demand asks for, so that no more is used */
    uint16_t linear_end;
    /* by bank (1: VGPRs): behind the registers that are taken before those that webs want */
    uint16_t soft_end[2];
} ra_ctx;

/* ---- ra_file.c ---- */

bool
ra_is_free(const uint64_t *mask, unsigned reg, unsigned size);
void
ra_mark(uint64_t *mask, unsigned reg, unsigned size);
void
ra_unmark(uint64_t *mask, unsigned reg, unsigned size);

/* A place of that shape that is free in all of the masks (`b` may be NULL), or RA_NOWHERE. */
unsigned
ra_search(const uint64_t *a, const uint64_t *b, ra_shape shape);

ra_shape
ra_shape_of(const ra_ctx *c, unsigned rc);

/* True if `reg` is such a place, by range and alignment. */
bool
ra_fits(ra_shape shape, unsigned reg);

static inline ra_value *
ra_val(const ra_ctx *c, uint32_t id)
{
    return &c->v[id];
}

/* Adds entries for the values up to f->n_values. */
void
ra_grow_values(ra_ctx *c);

/* True if the running instruction is the last to need original `id` (and reads it early). */
static inline bool
ra_is_dying(const ra_ctx *c, uint32_t id)
{
    return c->v[id].dies_at == c->clock;
}

/* Original `id` now lies in `reg`: before the instruction, and behind it if it lives on. */
void
ra_put(ra_ctx *c, uint32_t id, unsigned reg);

/* It leaves its register. */
void
ra_take(ra_ctx *c, uint32_t id);

/* ---- ra_get_reg.c ---- */

/* Takes original `id` out of its register, and notes that it moves; it has none until ra_settle. */
void
ra_evict(ra_ctx *c, uint32_t id);

/* Gives originals without a register a free one; false if one does not find any. */
bool
ra_settle(ra_ctx *c);

/* A register of class `rc` behind the instruction: a free one, or one that is made free by moving
 * others. RA_NOWHERE if that does not do: then the bank must be repacked. At a block's entry `self`
 * is the original that it is for, else 0. */
unsigned
ra_get_reg(ra_ctx *c, unsigned rc, uint32_t self);

/* Registers to be moved if a definition goes there; RA_COST_NEVER if that cannot be. */
enum { RA_COST_NEVER = 1 << 20 };
unsigned
ra_window_cost(const ra_ctx *c, unsigned reg, unsigned size);

/* Moves what lives on in registers reg .. reg + size - 1 to elsewhere; false if that does not do:
 * then the bank must be repacked. `self` as in ra_get_reg. */
bool
ra_make_room(ra_ctx *c, unsigned reg, unsigned size, uint32_t self);

/* Evicts what lives on in registers reg .. reg + size - 1. */
void
ra_clear(ra_ctx *c, unsigned reg, unsigned size);

/* Lays out a register bank anew: everything that may move, and the definitions that are not fixed.
 */
void
ra_repack(ra_ctx *c, bool vgpr);

/* Whether definition `d` of the running instruction gets its register by allocation alone: it is
 * not fixed and not tied. */
bool
ra_is_open_def(const ra_ctx *c, unsigned d);

/* ---- ra_affinity.c ---- */

/* Which values should share registers, or lie side by side. */
void
ra_find_affinities(ra_ctx *c);

/* A web for the value alone; and another's web and place for the copy `id` of it. */
void
ra_init_web(ra_ctx *c, uint32_t id);
void
ra_share_web(ra_ctx *c, uint32_t with, uint32_t id);

/* Where the value's web has it, or RA_NOWHERE. */
unsigned
ra_web_place(const ra_ctx *c, uint32_t id);

/* What its web asks of registers, with the class's bounds; `*own`: where the value is in that. */
ra_shape
ra_web_window(const ra_ctx *c, uint32_t id, unsigned *own);

/* The value got its register, once for each definition: its web's place may follow. `force`: it
 * does, also if it has one. */
void
ra_web_placed(ra_ctx *c, uint32_t id, unsigned reg, bool force);

/* ---- ra_hint.c ---- */

/* Where definition `d` (value `id`) of `i` would best go: free behind the instruction, or worth to
 * be made free; or RA_NOWHERE. */
unsigned
ra_hint(ra_ctx *c, const ir_instr *i, unsigned d);

/* A place for the value that leaves room for its web, or RA_NOWHERE. */
unsigned
ra_find_room(const ra_ctx *c, uint32_t id);

/* ---- register_allocation.c ---- */

/* The program uses these registers. */
void
ra_note_used(ra_ctx *c, unsigned reg, unsigned size);

/* ---- ra_phis.c ---- */

void
ra_enter_block(ra_ctx *c, ir_block *b);
void
ra_leave_block(ra_ctx *c, ir_block *b);

/* Removes phis that allocation made and that merge one value. */
void
ra_remove_trivial_phis(ra_ctx *c);

#endif
