/* What operations of categories 1 to 4 compute, for one fibre.
 *
 * Sources are the bits of registers and constants, without sign; half ones in the low 16 bits. What
 * Mesa's code relies on is known from the operations of NIR that it selects them for, and from
 * public emulators; where nothing says what an operation does, it is not executed. */
#ifndef ADRENO_EMU_ALU_ALU_H
#define ADRENO_EMU_ALU_ALU_H

#include "adreno/emu/core/wave.h"

enum { ADRENO_MAX_SOURCES = 3 };

/* The sources of an operation; category 1 has one. */
unsigned
adreno_count_sources(const adreno_inst *in);

/* The bits of source `index`, from 0, if the instruction contains them: a number or an entry of the
 * table of floats. Returns false if it is a register or constant. */
bool
adreno_literal_source(const adreno_isa *t, const adreno_inst *in, unsigned index, uint32_t *bits);

/* Computes the result: 32 bits, or 16 for a half destination. Returns false if it is not known what
 * the operation does. */
bool
adreno_compute(const adreno_isa *t, const adreno_inst *in, const uint32_t src[ADRENO_MAX_SOURCES],
               uint32_t *dst);

/* Executes an operation of categories 1 to 4 with its repetitions in the active fibres; one with a
 * shared destination once, with what the first of them reads. Returns false if it is not known what
 * it does. */
bool
adreno_execute_alu(adreno_wave *w, const adreno_inst *in);

/* ---- inside the ALU ---- */

/* Operations of category 1 that move several registers, or between fibres. Returns false if it is
 * another. */
bool
adreno_execute_move(adreno_wave *w, const adreno_inst *in);

/* What source `index` is. */
adreno_source
adreno_source_of(const adreno_isa *t, const adreno_inst *in, unsigned index);

/* An operation without the parts that all have: sources with their signs, the size that it computes
 * with, and what modifies its result. */
typedef struct adreno_operation {
    const adreno_inst *in;
    unsigned bits; /* of the sources: 16 or 32 */
    unsigned dst_bits;
    uint32_t src[ADRENO_MAX_SOURCES];  /* integers: with their signs applied */
    double number[ADRENO_MAX_SOURCES]; /* floats: the same */
    bool sat;
    /* What is the same for all fibres. */
    unsigned category, n;
    bool is_float;
    uint8_t absneg[ADRENO_MAX_SOURCES];
} adreno_operation;

/* Prepares an operation, which may then be computed with any sources. */
void
adreno_prepare(const adreno_isa *t, const adreno_inst *in, adreno_operation *out);

bool
adreno_compute_prepared(adreno_operation *o, const uint32_t src[ADRENO_MAX_SOURCES], uint32_t *dst);

bool
adreno_compute_float(const adreno_operation *o, uint32_t *dst);
bool
adreno_compute_int(const adreno_operation *o, uint32_t *dst);

/* A move or conversion of category 1. */
uint32_t
adreno_convert(const adreno_inst *in, uint32_t bits);

/* Whether two numbers, given as their order (-1, 0, 1; 2: not ordered), meet a condition. */
bool
adreno_meets(unsigned condition, int order);

#endif
