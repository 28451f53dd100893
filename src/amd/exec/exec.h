/* What insert_exec_mask's files share (internal to src/amd/exec): helper lanes of fragment shaders.
 *
 * A fragment shader's wave starts with the lanes of fragments that are covered. Instructions that
 * read other lanes of a quad need all of its lanes: up to the last such instruction of a program
 * the wave runs whole quads, with helper lanes that have no effects (needs.c). Stores, atomics and
 * exports are for the exact lanes, those of fragments that are covered and have not been demoted
 * (quads.c).
 */
#ifndef AMD_EXEC_EXEC_H
#define AMD_EXEC_EXEC_H

#include "amd/amd.h"

/* Does the instruction have effects that helper lanes must not have? */
bool
amd_needs_exact(const ir_instr *i);

/* Is it an export that only exact lanes make, of what neighbours have, too? */
bool
amd_exports_pairs(const ir_instr *i);

/* Facts about a fragment shader's blocks. */
typedef struct amd_quad_needs {
    bool any;     /* something needs whole quads */
    bool *behind; /* by block: something on a path behind its end does */
    bool *top;    /* by block: all waves run through it, once */
    bool demotes; /* lanes may become helpers */
    bool *demote; /* by block: it does that */
} amd_quad_needs;

void
amd_find_quad_needs(const ir_fn *f, arena *a, amd_quad_needs *out);

/* Has the arm that `b` is, or ends with, no code there but phis? */
bool
amd_is_empty_arm(const ir_block *b);

/* The last instruction of the block that needs whole quads, or NULL. */
ir_instr *
amd_last_quad_need(const ir_block *b);

/* ---- the walk of insert_exec_mask ---- */

typedef struct open_if {
    ir_ref saved, cond;
    ir_ref current; /* current mask when the construct was opened */
    ir_ref lanes;   /* masks.lanes before it */
    bool code;      /* the then arm has code */
    uint8_t arm;    /* where the walk is */
    uint8_t left;   /* arms that leave a loop that has no masks */
} open_if;

typedef struct open_loop {
    ir_ref entry;
    ir_instr *running_phi; /* NULL: no lanes leave separately */
    ir_instr *exact_phi;   /* NULL: no lane becomes a helper in the loop */
    ir_ref outer_running, outer_current;
    ir_ref held;            /* a temporary with the value of exec, if no lanes leave */
    bool breaks, continues; /* there are divergent ones */
} open_loop;

typedef struct masks {
    ir_ref running, current;
    ir_ref held;  /* a temporary with the value of exec, or none */
    ir_ref body;  /* the same for what stands before the block's branch */
    ir_ref lanes; /* the condition of the if whose first arm this is, if exec has all its lanes */
    ir_ref exact; /* of fragment shaders with helpers: lanes that are none */
} masks;

typedef struct exec_ctx {
    ir_fn *f;
    amd_program *p;
    masks *at_end; /* by block */
    masks now;
    open_if *ifs;
    size_t n_ifs, cap_ifs;
    open_loop *loops;
    size_t n_loops, cap_loops;
    size_t n_left;   /* open loops that lanes leave separately */
    bool all_lanes;  /* the program starts with all lanes of its waves active */
    uint8_t *leaves; /* by block index of a loop's header: BREAKS ... */
    /* fragment shaders (quads.c): */
    amd_quad_needs quads;
    bool helpers;             /* lanes that are none of `exact` may be active */
    const ir_block *narrowed; /* exec has lost lanes in the middle of this block */
} exec_ctx;

/* The form of a scalar opcode for lane masks. */
#define AMD_EXEC_LM(c, name)                                                                       \
    ((c)->p->wave_size == 64 ? (unsigned)AMD_##name##_B64 : (unsigned)AMD_##name##_B32)

static inline ir_ref
amd_exec_ref(const exec_ctx *c)
{
    return amd_phys(AMD_EXEC, c->p->lane_mask);
}

/* Emits d = op(a, b), or op(a) if `b` is none, before `at`; `to_exec` writes exec instead of a new
 * temporary. The same for d = a. */
ir_ref
amd_exec_emit(exec_ctx *c, ir_instr *at, unsigned op, ir_ref a, ir_ref b, bool to_exec);
ir_ref
amd_exec_copy(exec_ctx *c, ir_instr *at, ir_ref a, bool to_exec);

/* Sets exec to the lanes of `cond` alone; returns exec before. */
ir_ref
amd_exec_save(exec_ctx *c, ir_instr *at, ir_ref cond);

/* quads.c: does what the block needs besides control flow, between the masks at its start and its
 * branch. */
void
amd_exec_visit_quads(exec_ctx *c, ir_block *b);

/* Do helpers go at the start of this block, so that exec need not be restored before? */
bool
amd_exec_starts_exact(const exec_ctx *c, const ir_block *b);

/* The mask of exact lanes where control flow meets; at a loop's header, which may get a phi, and
 * behind the loop. */
ir_ref
amd_exec_join_exact(const exec_ctx *c, ir_block *b);
ir_instr *
amd_exec_open_loop(exec_ctx *c, ir_block *header);
void
amd_exec_close_loop(exec_ctx *c, ir_block *exit, ir_instr *phi);

#endif
