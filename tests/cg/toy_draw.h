/* Drawing values and instructions of random programs: what toy_gen.c builds control flow around.
 *
 * A pool holds the values that may be used at the point where instructions are made.
 */
#ifndef TEST_TOY_DRAW_H
#define TEST_TOY_DRAW_H

#include "toy_gen.h"

enum { TOY_MAX_POOL = 1024, TOY_RECENT = 64 };

typedef struct toy_draw {
    ir_fn *f;
    ir_block *b; /* instructions go to its end */
    toy_shape shape;
    uint64_t state;
    ir_ref pool[TOY_MAX_POOL];
    unsigned n_pool, statements;
    ir_instr *recent[TOY_RECENT]; /* the latest instructions, in a ring, wherever they are */
    unsigned n_recent;
    ir_ref pinned;         /* what the pinned array is now, if there is one */
    struct toy_loop *loop; /* the innermost, or NULL; toy_gen.c */
} toy_draw;

/* A number below `below`; true once in `n` times. */
uint32_t
toy_rnd(toy_draw *g, uint32_t below);
bool
toy_once_in(toy_draw *g, uint32_t n);

/* Lets later instructions use the value. */
void
toy_add_pool(toy_draw *g, ir_ref r);

/* A new instruction, and a definition of it, which goes to the pool. */
ir_instr *
toy_emit(toy_draw *g, unsigned op, unsigned n_defs, unsigned n_refs, const ir_ref *refs);
ir_ref
toy_define(toy_draw *g, ir_instr *i, unsigned d, unsigned rc);

ir_ref
toy_constant(toy_draw *g, unsigned rc);

/* A value of the class from the pool, preferably a late one; made anew if none is found. */
ir_ref
toy_pick(toy_draw *g, unsigned rc);

/* An operand of an instruction whose result is of the class: scalars go everywhere. */
ir_ref
toy_operand(toy_draw *g, unsigned rc);

unsigned
toy_any_class(toy_draw *g);

/* An instruction equal to `from`, if one may stand here. */
void
toy_draw_again(toy_draw *g, const ir_instr *from);

/* Instructions: an output of some values; anything but control flow. */
void
toy_draw_output(toy_draw *g);
void
toy_draw_simple(toy_draw *g);

#endif
