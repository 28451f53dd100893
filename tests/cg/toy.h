/* A made-up machine, which shows that what is in src/cg is general. docs/add-a-target.md explains it.
 *
 * It has four lanes. Values of the scalar and the address bank are uniform: one for all lanes; those of the
 * vector and the predicate bank have one value per lane. A unit of the register file is 2 bytes.
 *
 *     bank      registers            classes
 *     scalar    s[0] .. s[29], cc    s1, s2, s4: registers in a row, aligned to their number
 *     vector    v[0] .. v[31]        v1, v2, v4 aligned to their number; v3 to one
 *               h[0] .. h[31]        h1, h2: halves of v[0] .. v[15]
 *                                    x6: an array of six registers, whose elements an address selects
 *                                    y6: the same, uniform and pinned
 *     predicate p[0] .. p[3]         p1; no memory instruction knows them
 *     address   a[0]                 a1; the same
 *
 * Up to five instructions with two different constants between them are a bundle: they read before
 * they write (ir/bundle.h). Memory has three areas of TOY_CELLS cells, of which one is constant.
 *
 * Uniform values live along the linear edges, the others along the logical ones.
 */
#ifndef TEST_TOY_H
#define TEST_TOY_H

#include "cg/state.h"

typedef enum toy_op {
    TOY_NONE,
#define TOY(id, ...) TOY_##id,
#include "toy.def"
#undef TOY
    TOY_OP_COUNT
} toy_op;

typedef enum toy_class {
    TOY_S1 = 1,
    TOY_S2,
    TOY_S4,
    TOY_V1,
    TOY_V2,
    TOY_V3,
    TOY_V4,
    TOY_H1,
    TOY_H2,
    TOY_X6,
    TOY_Y6,
    TOY_P1,
    TOY_A1,
    TOY_CLASSES,
} toy_class;

enum { TOY_BANK_S, TOY_BANK_V, TOY_BANK_P, TOY_BANK_A, TOY_BANKS };

enum {
    TOY_UNIT = 2, /* bytes */
    TOY_V0 = 64,  /* units where the banks begin */
    TOY_P0 = 128,
    TOY_A0 = 192,
    TOY_UNITS = 256,
    TOY_CC = 62 * TOY_UNIT, /* behind the scalar registers */
    TOY_MAX_BYTES = 24,     /* of a value */
    TOY_ELEMENTS = 6,
    TOY_BUNDLE_SLOTS = 5,
    TOY_BUNDLE_CONSTANTS = 2,
    TOY_JOINS = 1, /* bit of ir_instr.form */
    TOY_AREAS = 3, /* of memory; the last is constant */
    TOY_CELLS = 16,
};

/* The program's state: f->backend. */
typedef struct toy_program {
    cg_state cg;                /* must be first */
    uint16_t bound[TOY_BANKS];  /* units that there are, 0: the bank's */
    uint32_t memory;            /* bytes of spill slots, per lane */
    uint32_t stored[TOY_BANKS]; /* units that were spilled */
    uint64_t random;            /* state of what is drawn: orders (toy_order.h) */
} toy_program;

extern const ir_level toy_level;

static inline toy_program *
toy_prog(const ir_fn *f)
{
    return f->backend;
}

static inline unsigned
toy_bytes(unsigned rc)
{
    return toy_level.machine->classes[rc].bytes;
}

static inline bool
toy_is_uniform(unsigned rc)
{
    return toy_level.machine->classes[rc].edges == 1;
}

/* True if definition 0 overwrites a reference, and which. */
int
toy_tied_ref(const ir_instr *i);

/* ---- phases (toy_phases.c) ---- */

/* Does what does not fit need spilling? Needs liveness. */
bool
toy_needs_spilling(const ir_fn *f);

/* Spills what does not fit; needs liveness, leaves it. */
void
toy_spill(ir_fn *f);

/* Leaves SSA: phis and all copies become mov and swap. Needs registers. */
void
toy_lower(ir_fn *f);

#endif
