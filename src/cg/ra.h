/* Register allocation: declarations that its files share.
 *
 * Allocation walks over the blocks once, on SSA. A value of the input (an "original") may change
 * its register: each time it moves, a parallel copy gives it a new name, and later references are
 * renamed. So an original has a current name and a current register. Both are recorded at the end
 * of each block for its live-out values, and phis are inserted where predecessors disagree.
 *
 * Registers are counted in units of the machine (ir/machine.h). A value takes whole units. The
 * register file is kept twice: between the moves that make room for the current instruction and the
 * instruction (`before`: operands and live-through values), and after the instruction (`after`:
 * definitions and live-through values). A dying operand leaves its register to the definitions, but
 * not to a value that moves, because moves come before the instruction.
 */
#ifndef CG_RA_H
#define CG_RA_H

#include "cg/live.h"
#include "cg/register_allocation.h"

enum {
    RA_REGS = IR_MAX_UNITS,
    RA_WORDS = RA_REGS / 64,
    RA_NOWHERE = 0xffff,
    RA_MAX_DEFS = 256,
};

typedef struct ra_file {
    uint64_t before[RA_WORDS], after[RA_WORDS]; /* one bit per register: occupied */
    uint32_t *owner; /* by unit: the original in it before the instruction, or 0 */
} ra_file;

/* The registers that a class allows: `size` units within lo .. hi - 1, beginning `phase` after a
 * multiple of `align`. Pinned values are placed as high as possible, all others low. */
typedef struct ra_shape {
    uint16_t lo, hi;
    uint8_t size, align, phase, bank;
    uint8_t apart; /* ir_class.apart */
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
    bool pinned;   /* may not move */
    uint16_t want; /* a unit that makes an instruction shorter, or RA_NOWHERE */
} ra_value;

typedef struct ra_place {
    uint32_t name;
    uint16_t reg;
} ra_place;

typedef struct ra_pack ra_pack; /* ra_get_reg.c: items of ra_repack */

typedef struct ra_ctx {
    ir_fn *f;
    cg_state *state;
    const ir_class *classes; /* by type */
    unsigned shift, unit;    /* a unit has `unit` == 1 << `shift` bytes */
    const cg_live *live;
    arena *a; /* scratch */
    ra_file file;
    ra_value *v;
    ra_web *webs;         /* by original */
    const cg_span *spans; /* of the n_spans values that there were before allocation */
    size_t n_spans;
    size_t n_v, cap_v, cap_webs;
    uint64_t wanted[RA_WORDS]; /* registers reserved for members of webs */
    uint16_t *wanted_by;       /* by unit: number of webs that want it */
    ra_place **out;       /* by block: the names and registers of its live-out values at its end */
    const ir_block *last; /* the block allocated previously */
    uint32_t clock;       /* number of the current instruction or block entry */

    ir_instr *instr;   /* running instruction; NULL at a block's entry */
    ir_tied tied;      /* of it */
    uint16_t *def_reg; /* its definitions' registers, up to RA_MAX_DEFS */
    uint32_t *moves;   /* originals that moved for it */
    size_t n_moves, cap_moves;
    uint32_t *killed; /* originals that it uses last */
    size_t n_killed, cap_killed;

    ra_pack *pack;
    ir_instr **phis; /* phis inserted by allocation */
    size_t n_phis, cap_phis;
    /* By bank, in units: end of the registers that may be used; end of those that pinned values may
     * use; end of those that are taken before registers which webs want. */
    uint16_t end[IR_MAX_BANKS], pinned_end[IR_MAX_BANKS], soft_end[IR_MAX_BANKS];
    /* By bank: the unit behind the one that was taken last (cg_state.in_turn). */
    uint16_t turn[IR_MAX_BANKS];
} ra_ctx;

static inline const ir_class *
cg_ra_class(const ra_ctx *c, unsigned rc)
{
    return &c->classes[rc];
}

/* Units and bytes that a value of the class takes. */
static inline unsigned
cg_ra_units(const ra_ctx *c, unsigned rc)
{
    return c->classes[rc].units;
}

static inline unsigned
cg_ra_bytes(const ra_ctx *c, unsigned rc)
{
    return c->classes[rc].bytes;
}

/* ---- ra_file.c ---- */

static inline bool
cg_ra_is_free(const uint64_t *mask, unsigned reg, unsigned size)
{
    for (unsigned r = reg; r < reg + size; r++) {
        if (mask[r / 64] >> (r % 64) & 1)
            return false;
    }
    return true;
}

static inline void
cg_ra_mark(uint64_t *mask, unsigned reg, unsigned size)
{
    for (unsigned r = reg; r < reg + size; r++)
        mask[r / 64] |= UINT64_C(1) << (r % 64);
}

static inline void
cg_ra_unmark(uint64_t *mask, unsigned reg, unsigned size)
{
    for (unsigned r = reg; r < reg + size; r++)
        mask[r / 64] &= ~(UINT64_C(1) << (r % 64));
}

/* A position of that shape that is free in all of the masks (`b` may be NULL), or RA_NOWHERE. */
unsigned
cg_ra_search(const uint64_t *a, const uint64_t *b, const ra_shape *shape);

/* A position of that shape that is free after the instruction, and in `b` (which may be NULL): in a
 * bank whose registers are taken in turn, the next one. RA_NOWHERE if there is none. */
unsigned
cg_ra_take_free(ra_ctx *c, const uint64_t *b, const ra_shape *shape);

/* A position that is free after the instruction, costs nothing and is not wanted by a web, or
 * RA_NOWHERE: one that leaves the next values apart, if there is one. */
unsigned
cg_ra_take_cheap(ra_ctx *c, const ra_shape *shape);

/* What the class allows. */
static inline ra_shape
cg_ra_shape_of(const ra_ctx *c, unsigned rc)
{
    const ir_class *k = cg_ra_class(c, rc);
    unsigned first = c->f->level->machine->banks[k->bank].first;
    unsigned end = k->pinned ? c->pinned_end[k->bank] : c->end[k->bank];
    if (k->limit && first + k->limit < end)
        end = first + k->limit;
    return (ra_shape){.lo = (uint16_t)first,
                      .hi = (uint16_t)end,
                      .size = k->units,
                      .align = k->align,
                      .bank = k->bank,
                      .apart = k->apart,
                      .high = k->pinned};
}

/* True if `reg` is such a position by range and alignment. */
static inline bool
cg_ra_fits(const ra_shape *shape, unsigned reg)
{
    return reg >= shape->lo && reg + shape->size <= shape->hi && reg % shape->align == shape->phase;
}

static inline ra_value *
cg_ra_val(const ra_ctx *c, uint32_t id)
{
    return &c->v[id];
}

/* Adds entries for the values up to f->n_values. */
void
cg_ra_grow_values(ra_ctx *c);

/* True if the current instruction is the last to use original `id` (and reads it early). */
static inline bool
cg_ra_is_dying(const ra_ctx *c, uint32_t id)
{
    return c->v[id].dies_at == c->clock;
}

/* Assigns `reg` to original `id`: before the instruction, and after it if it lives on. */
void
cg_ra_put(ra_ctx *c, uint32_t id, unsigned reg);

/* Frees the register of original `id`. */
void
cg_ra_take(ra_ctx *c, uint32_t id);

/* ---- ra_get_reg.c ---- */

/* Frees the register of original `id` and records that it moves; it has no register until
 * ra_settle. */
void
cg_ra_evict(ra_ctx *c, uint32_t id);

/* Gives originals without a register a free one; false if there is none for one of them. */
bool
cg_ra_settle(ra_ctx *c);

/* A register of class `rc` after the instruction: a free one, or one that is freed by moving
 * others. RA_NOWHERE if that fails: then the bank must be repacked. At a block's entry `self` is
 * the original that gets the register, otherwise 0. */
unsigned
cg_ra_get_reg(ra_ctx *c, unsigned rc, uint32_t self);

/* The number of registers that must move if a definition goes there; RA_COST_NEVER if it cannot. */
enum { RA_COST_NEVER = 1 << 20 };
unsigned
cg_ra_window_cost(const ra_ctx *c, unsigned reg, unsigned size);

/* ra_slide.c: makes room for a definition by letting values of a range slide together. Returns its
 * position, or RA_NOWHERE if that would move `limit` registers or more. */
unsigned
cg_ra_slide(ra_ctx *c, const ra_shape *shape, unsigned limit);

/* Moves values that live on in registers reg .. reg + size - 1 elsewhere; false if that fails: then
 * the bank must be repacked. `self` as in ra_get_reg. */
bool
cg_ra_make_room(ra_ctx *c, unsigned reg, unsigned size, uint32_t self);

/* Evicts values that live on in registers reg .. reg + size - 1. */
void
cg_ra_clear(ra_ctx *c, unsigned reg, unsigned size);

/* Reassigns a whole register bank: everything that may move, and the definitions that are not
 * fixed. */
void
cg_ra_repack(ra_ctx *c, unsigned bank);

/* Is definition `d` of the current instruction free to be allocated, neither fixed nor tied? */
bool
cg_ra_is_open_def(const ra_ctx *c, unsigned d);

/* ---- ra_affinity.c ---- */

/* Finds values that should share registers, or be adjacent. */
void
cg_ra_find_affinities(ra_ctx *c);

/* Makes a web with only this value. ra_share_web: puts `id`, a copy of `with`, into that value's
 * web at its position. */
void
cg_ra_init_web(ra_ctx *c, uint32_t id);
void
cg_ra_share_web(ra_ctx *c, uint32_t with, uint32_t id);

/* The value's position according to its web, or RA_NOWHERE. */
unsigned
cg_ra_web_place(const ra_ctx *c, uint32_t id);

/* The web's requirements for registers, within the class's bounds; `*own` is the value's position
 * in it. */
ra_shape
cg_ra_web_window(const ra_ctx *c, uint32_t id, unsigned *own);

/* Is the demand so far below the budget that values may be kept out of registers that others will
 * need? */
bool
cg_ra_has_choice(const ra_ctx *c, unsigned bank);

/* A position of the web's window within `window`, outside of `not` (which may be NULL), at which
 * the value, `own` registers behind its begin, is free now, and the other members' registers are
 * when they are defined; or RA_NOWHERE. */
unsigned
cg_ra_web_room(const ra_ctx *c, uint32_t id, const uint64_t * not, const ra_shape *window,
               unsigned own);

/* Must be called once per definition when the value has got its register: may decide the web's
 * position. `force`: decides it even if the web already has one. */
void
cg_ra_web_placed(ra_ctx *c, uint32_t id, unsigned reg, bool force);

/* The value will get register `reg`: decides the position of its web if that is undecided. */
void
cg_ra_web_decide(ra_ctx *c, uint32_t id, unsigned reg);

/* ---- ra_hint.c ---- */

/* The best register for definition `d` (value `id`) of `i`: free after the instruction, or worth
 * freeing; or RA_NOWHERE. */
unsigned
cg_ra_hint(ra_ctx *c, const ir_instr *i, unsigned d);

/* A position for the value that leaves room for its web, or RA_NOWHERE. */
unsigned
cg_ra_find_room(ra_ctx *c, uint32_t id);

/* ---- register_allocation.c ---- */

/* Records that the program uses these registers. */
void
cg_ra_note_used(ra_ctx *c, unsigned reg, unsigned size);

/* ---- ra_phis.c ---- */

void
cg_ra_enter_block(ra_ctx *c, ir_block *b);
void
cg_ra_leave_block(ra_ctx *c, ir_block *b);

/* Removes phis that allocation inserted and that merge a single value. */
void
cg_ra_remove_trivial_phis(ra_ctx *c);

#endif
