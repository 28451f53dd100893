/* A scheduled tree with registers to bytecode. */
#ifndef R600_EMIT_EMIT_H
#define R600_EMIT_EMIT_H

#include "r600/schedule/schedule.h"

/* What the caller of a program must know, and what it costs. */
typedef struct r600_figures {
    uint32_t dwords, gprs, stack;
    uint32_t cf, groups, alu, fetches;
    uint32_t spilled; /* elements of scratch memory behind those of the program */
} r600_figures;

/* Appends the words. */
void
r600_emit(tree_program *p, const ra_state *ra, base_buf *out, r600_figures *figures);

/* ---- inside ---- */

enum { EMIT_NO_LABEL = 0 };

/* An instruction of control flow. */
typedef struct emit_cf {
    r600_inst in;
    base_buf clause; /* words behind the control flow */
    uint32_t align;  /* of the clause, in units of 64 bits; 0: there is none */
    uint32_t target; /* 1 + the instruction that its address names */
} emit_cf;

typedef struct emitter {
    tree_program *p;
    const ra_state *ra;
    emit_cf *cf;
    size_t n, cap;
    uint32_t loops, pushes, most_elements;
    uint32_t last_label; /* the last instruction that a jump goes to, or that nothing may join */
    r600_figures *figures;
} emitter;

emit_cf *
r600_emit_cf(emitter *e, unsigned op);

/* The clause that begins at `n`. Return its last node. */
tree_node *
r600_emit_alu(emitter *e, tree_node *n);
tree_node *
r600_emit_fetches(emitter *e, tree_node *n);

void
r600_emit_transfer(emitter *e, const tree_node *n);

#endif
