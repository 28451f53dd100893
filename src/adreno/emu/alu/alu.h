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

/* Fibres that a kernel computes at a time. */
enum { ADRENO_CHUNK = 16 };

struct adreno_operation;

/* Computes ADRENO_CHUNK results, of the sources' size, from rows of sources: bits of that size with
 * their signs applied. All three rows are there. */
typedef void
adreno_kernel(const struct adreno_operation *o, const uint32_t *const src[], uint32_t *out);

/* What of an operation is the same for all fibres. */
typedef struct adreno_operation {
    const adreno_inst *in;
    unsigned bits; /* of the sources: 16 or 32 */
    unsigned dst_bits;
    unsigned category, n;
    bool sat, is_float;
    bool is_wide;  /* integers: what the kernel gives has all bits of the result's size */
    uint8_t truth; /* comparisons: bit 0: true for equal, 1 greater, 2 less, 3 not ordered */
    uint8_t absneg[ADRENO_MAX_SOURCES];
    adreno_kernel *kernel; /* NULL: it is not known what it computes */
} adreno_operation;

/* Prepares an operation, which may then be computed with any sources. */
void
adreno_prepare(const adreno_isa *t, const adreno_inst *in, adreno_operation *out);

/* Applies (neg) and (abs) of source `index` to a row of `n` numbers. */
void
adreno_apply_sign(const adreno_operation *o, unsigned index, uint32_t *row, unsigned n);

/* Saturates what the kernel has given, and gives it the result's size. */
void
adreno_finish(const adreno_operation *o, uint32_t *out, unsigned n);
void
adreno_finish_int(const adreno_operation *o, uint32_t *out, unsigned n);
void
adreno_finish_float(const adreno_operation *o, uint32_t *out, unsigned n);

adreno_kernel *
adreno_int_kernel(adreno_operation *o);
adreno_kernel *
adreno_float_kernel(const adreno_operation *o);
/* Of moves and conversions with one source and result; NULL if it is another. */
adreno_kernel *
adreno_move_kernel(const adreno_inst *in);

/* A move or conversion of category 1. */
uint32_t
adreno_convert(const adreno_inst *in, uint32_t bits);

#endif
