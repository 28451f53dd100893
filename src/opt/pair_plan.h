/* What the files of pair_halves share: where numbers are, and which of them should be together. */
#ifndef OPT_PAIR_PLAN_H
#define OPT_PAIR_PLAN_H

#include "opt/pair_halves.h"

#include "base/map.h"
#include "ir/hir.h"

/* A register, by a number of its own, and a half of it. Register 0: a constant or undefined value,
 * which is in every register. */
typedef struct opt_place {
    uint64_t reg;
    uint8_t half;
} opt_place;

/* Two phis of a block, on which the same paths bring numbers of the same kind. */
typedef struct opt_phi_pair {
    ir_instr *low, *high;
    bool taken, banned;
} opt_phi_pair;

/* Numbers that should share a register. */
typedef struct opt_pair_seeds {
    uint32_t *mate;     /* by value: the result that should be in the other half, or 0 */
    bool *low;          /* by value: it should be in the low half */
    opt_phi_pair *phis; /* in the order of blocks */
    size_t n_phis, cap_phis;
} opt_pair_seeds;

typedef struct opt_planned_pair {
    ir_instr *low, *high;
    bool swapped;       /* the first two operands of `high` are exchanged */
    const ir_instr *at; /* the one of the two that stays where it is */
} opt_planned_pair;

typedef struct opt_pairing {
    ir_fn *f;
    opt_pair_rule rule;
    arena *scratch;
    opt_pair_seeds seeds;
    opt_place *at;    /* by value: its place, if it is part of a pair */
    uint32_t *order;  /* by value: the position of its definition; 0: not reached by the walk */
    bool *used;       /* by value: by an instruction that the walk has reached */
    base_map waiting; /* hash of opcode and registers -> an operation without a partner */
    opt_planned_pair *pairs;
    size_t n_pairs, cap_pairs, next_phi;
} opt_pairing;

/* Where a scalar is. */
opt_place
opt_place_of(const opt_pairing *p, ir_ref r);

/* Puts two results into the halves of a register. */
void
opt_put_pair(opt_pairing *p, uint32_t low, uint32_t high);

/* Operand `k` of `i`, without negations that instructions of this kind do themselves. */
ir_ref
opt_pair_operand(const opt_pairing *p, const ir_instr *i, unsigned k, opt_pair_kind kind);

/* pair_seeds.c: finds p->seeds. */
void
opt_find_pair_seeds(opt_pairing *p);

/* pair_seeds.c: once places are known, mates among the operations that found no partner. Returns
 * true if there are any. */
bool
opt_find_pair_twins(opt_pairing *p);

#endif
