/* Parts of operations. */
#ifndef R600_EMU_ALU_COMPUTE_H
#define R600_EMU_ALU_COMPUTE_H

#include "r600/emu/core/wave.h"

/* The comparison of an operation that compares. Returns false for others. */
bool
r600_emu_compare(r600_op op, const uint32_t s[3], bool *out);

/* Applies the multiplier and the clamp of a result. */
uint32_t
r600_emu_modify(const r600_inst *in, uint32_t bits, bool is_mask_op);

/* The sum of four products. */
uint32_t
r600_emu_dot(r600_op op, const uint32_t a[4], const uint32_t b[4]);

/* What a slot has read and computed. */
typedef struct emu_work {
    const r600_inst *in;
    const r600_op_info *row;
    uint64_t lanes; /* that write */
    emu_lanes s[3], result;
    bool has_result;
    uint64_t pass; /* of a predicate: lanes in which it holds */
} emu_work;

/* Lanes in which all sources are defined. */
uint64_t
r600_emu_defined_in(const emu_work *k);

/* Does the operation need what other slots have read? */
bool
r600_emu_is_together(r600_op op);

/* Does it compute with doubles? */
bool
r600_emu_is_double(r600_op op);

/* Computes those of a group with doubles, by their slots x to w. */
void
r600_emu_doubles(const emu_wave *w, emu_work *four[4]);

/* Computes those of a group. */
void
r600_emu_together(const emu_wave *w, emu_work *work, unsigned n);

#endif
