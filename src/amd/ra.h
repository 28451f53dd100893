/* Register allocation: declarations that its files share.
 *
 * Allocation walks over the blocks once, on SSA. A value of the input (an "original") may change
 * its register: each time it moves, a parallel copy gives it a new name, and later references are
 * renamed. So an original has a current name and a current register. Both are recorded at the end
 * of each block for its live-out values, and phis are inserted where predecessors disagree.
 *
 * Registers are numbered by their codes (isa.h): 0-127 scalars, 253 scc, 256-511 VGPRs. A value
 * occupies whole registers. There are two states of the register file: `before` is the state before
 * the current instruction, after the moves that make room for it (operands and values that live
 * on); `after` is the state after it (definitions and values that live on). An operand that dies
 * leaves its register to the definitions, but not to a value that is moved, because moves come
 * before the instruction.
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
    uint64_t before[RA_WORDS], after[RA_WORDS]; /* one bit per register: occupied */
    uint32_t owner[RA_REGS]; /* the original in the register before the instruction, or 0 */
} ra_file;

/* A class's requirements for its registers: `size` registers within lo .. hi - 1, the first one
 * `phase` after a multiple of `align`; linear VGPRs as high as possible, all others low. */
typedef struct ra_shape {
    uint16_t lo, hi;
    uint8_t size, align, phase;
    bool high;
} ra_shape;

/* Values that should have fixed distances, see ra_affinity.c. Counted in registers. */
typedef struct ra_web {
    uint32_t parent; /* union-find; a root's is itself */
    uint32_t next;   /* ring of the members */
    uint32_t count;  /* root: members */
    uint32_t left;   /* root: members without a register so far */
    int16_t offset;  /* own position minus the parent's */
    int16_t lo, hi;  /* root: the members' registers, relative to its position */
    uint16_t base;   /* root: its position, RA_NOWHERE while undecided */
    uint8_t align;   /* root: base % align must be phase */
    uint8_t phase;
} ra_web;

/* State of an original value (indexed by id; entries for names that are not originals are
 * unused). */
typedef struct ra_value {
    uint32_t name;
    uint32_t moved_at; /* clock of the instruction for which it has moved */
    uint32_t dies_at;  /* clock of the instruction that is its last use and reads it early */
    uint32_t fixed_at; /* clock of the instruction that requires its current register: it must
                          not move then */
    uint16_t reg;      /* RA_NOWHERE if it has none */
    uint16_t from;     /* register before the move */
    uint8_t rc;
    bool vcc;    /* instructions are shorter if it is in vcc */
    bool pinned; /* must not move: linear VGPRs */
} ra_value;

typedef struct ra_place {
    uint32_t name;
    uint16_t reg;
} ra_place;

/* The operand and definition of an instruction that must share a register; -1 if there are none. */
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
    uint64_t wanted[RA_WORDS];   /* registers reserved for members of webs */
    uint16_t wanted_by[RA_REGS]; /* number of webs that want the register */
    ra_place **out;       /* by block: the names and registers of its live-out values at its end */
    const ir_block *last; /* the block allocated previously */
    uint32_t clock;       /* number of the current instruction or block entry */

    ir_instr *instr;               /* current instruction; NULL at a block's entry */
    ra_tied tied;                  /* tied operands of `instr` */
    uint16_t def_reg[RA_MAX_DEFS]; /* registers of its definitions */
    uint32_t *moves;               /* originals that move for it */
    size_t n_moves, cap_moves;
    uint32_t *killed; /* originals that it uses last */
    size_t n_killed, cap_killed;

    ra_pack *pack;
    ir_instr **phis; /* phis inserted by allocation */
    size_t n_phis, cap_phis;
    uint16_t sgpr_end, vgpr_end; /* codes: one past the last allocatable register */
    /* limits linear VGPRs to the demand, so that they do not increase the number used */
    uint16_t linear_end;
    /* by bank (1: VGPRs): one past the registers that are preferred to those that webs want */
    uint16_t soft_end[2];
} ra_ctx;

/* ---- ra_file.c ---- */

bool
ra_is_free(const uint64_t *mask, unsigned reg, unsigned size);
void
ra_mark(uint64_t *mask, unsigned reg, unsigned size);
void
ra_unmark(uint64_t *mask, unsigned reg, unsigned size);

/* A position of that shape that is free in all of the masks (`b` may be NULL), or RA_NOWHERE. */
unsigned
ra_search(const uint64_t *a, const uint64_t *b, ra_shape shape);

ra_shape
ra_shape_of(const ra_ctx *c, unsigned rc);

/* True if `reg` is such a position by range and alignment. */
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

/* True if the current instruction is the last to use original `id` (and reads it early). */
static inline bool
ra_is_dying(const ra_ctx *c, uint32_t id)
{
    return c->v[id].dies_at == c->clock;
}

/* Assigns `reg` to original `id`: before the instruction, and after it if it lives on. */
void
ra_put(ra_ctx *c, uint32_t id, unsigned reg);

/* Frees the register of original `id`. */
void
ra_take(ra_ctx *c, uint32_t id);

/* ---- ra_get_reg.c ---- */

/* Frees the register of original `id` and records that it moves; it has no register until
 * ra_settle. */
void
ra_evict(ra_ctx *c, uint32_t id);

/* Gives originals without a register a free one; false if there is none for one of them. */
bool
ra_settle(ra_ctx *c);

/* A register of class `rc` after the instruction: a free one, or one that is freed by moving
 * others. RA_NOWHERE if that fails: then the bank must be repacked. At a block's entry `self` is
 * the original that gets the register, otherwise 0. */
unsigned
ra_get_reg(ra_ctx *c, unsigned rc, uint32_t self);

/* The number of registers that must move if a definition goes there; RA_COST_NEVER if it cannot. */
enum { RA_COST_NEVER = 1 << 20 };
unsigned
ra_window_cost(const ra_ctx *c, unsigned reg, unsigned size);

/* Moves values that live on in registers reg .. reg + size - 1 elsewhere; false if that fails: then
 * the bank must be repacked. `self` as in ra_get_reg. */
bool
ra_make_room(ra_ctx *c, unsigned reg, unsigned size, uint32_t self);

/* Evicts values that live on in registers reg .. reg + size - 1. */
void
ra_clear(ra_ctx *c, unsigned reg, unsigned size);

/* Reassigns a whole register bank: everything that may move, and the definitions that are not
 * fixed. */
void
ra_repack(ra_ctx *c, bool vgpr);

/* Is definition `d` of the current instruction free to be allocated, neither fixed nor tied? */
bool
ra_is_open_def(const ra_ctx *c, unsigned d);

/* ---- ra_affinity.c ---- */

/* Finds values that should share registers, or be adjacent. */
void
ra_find_affinities(ra_ctx *c);

/* Makes a web for the value alone. ra_share_web: puts `id`, a copy of `with`, into that value's web
 * at its position. */
void
ra_init_web(ra_ctx *c, uint32_t id);
void
ra_share_web(ra_ctx *c, uint32_t with, uint32_t id);

/* The value's position according to its web, or RA_NOWHERE. */
unsigned
ra_web_place(const ra_ctx *c, uint32_t id);

/* The web's requirements for registers, within the class's bounds; `*own` is the value's position
 * in it. */
ra_shape
ra_web_window(const ra_ctx *c, uint32_t id, unsigned *own);

/* Must be called once per definition when the value has got its register: may decide the web's
 * position. `force`: decides it even if the web already has one. */
void
ra_web_placed(ra_ctx *c, uint32_t id, unsigned reg, bool force);

/* ---- ra_hint.c ---- */

/* The best register for definition `d` (value `id`) of `i`: free after the instruction, or worth
 * freeing; or RA_NOWHERE. */
unsigned
ra_hint(ra_ctx *c, const ir_instr *i, unsigned d);

/* A position for the value that leaves room for its web, or RA_NOWHERE. */
unsigned
ra_find_room(const ra_ctx *c, uint32_t id);

/* ---- register_allocation.c ---- */

/* Records that the program uses these registers. */
void
ra_note_used(ra_ctx *c, unsigned reg, unsigned size);

/* ---- ra_phis.c ---- */

void
ra_enter_block(ra_ctx *c, ir_block *b);
void
ra_leave_block(ra_ctx *c, ir_block *b);

/* Removes phis that allocation inserted and that merge a single value. */
void
ra_remove_trivial_phis(ra_ctx *c);

#endif
