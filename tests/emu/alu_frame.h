/* Runs single opcodes on the emulator and on their references.
 *
 * A frame owns a wave whose registers the test sets. A random instruction within the limits of its
 * row and encoding is encoded to bytes, fetched (decoded and bound) by the emulator like any
 * program's, and executed on all lanes; each lane's result is compared.
 */
#ifndef ALU_FRAME_H
#define ALU_FRAME_H

#include "alu_ref.h"

#include "one_wave.h"

typedef struct frame {
    one_wave one;
    mach_region *code;
    arena_mark mark;
    uint64_t random;
    const char *name; /* of the generation */
    /* counts of the row that is being tested */
    uint64_t inputs, wrong;
    char first[400]; /* the first difference */
} frame;

/* Why a batch was not run: the drawn instruction cannot be encoded, or the emulator refused it. */
typedef enum frame_outcome { FRAME_RAN, FRAME_NOT_ENCODABLE, FRAME_REFUSED } frame_outcome;

/* How the values of a batch are drawn. `cross` is the number of a combination of corner values;
 * UINT64_MAX: random values. `mode` is 0 to 15: rounding + denormals * 4. */
typedef struct frame_batch {
    unsigned mode;
    uint64_t cross;
} frame_batch;

void
frame_begin(frame *f, amd_gen gen, const char *name, uint64_t seed);
void
frame_end(frame *f);

/* 64 random bits: splitmix64 (Steele, Lea and Flood 2014). */
static inline uint64_t
frame_bits(frame *f)
{
    uint64_t z = f->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* A random number below `n`, which is less than 2^32. */
static inline uint64_t
frame_random(frame *f, uint64_t n)
{
    return (frame_bits(f) >> 32) * n >> 32;
}

/* The number of batches that cross all corner values of the row's sources. */
uint64_t
frame_crossings(const amd_op_info *row);

/* Runs a vector instruction in encoding `fmt` with `ext`, on all lanes of a wave of `lanes`. */
frame_outcome
frame_vector(frame *f, const amd_op_info *row, const ref_row *ref, amd_op op, amd_fmt fmt,
             amd_ext ext, uint32_t lanes, frame_batch batch);

/* Runs a scalar instruction on 64 values. */
frame_outcome
frame_scalar(frame *f, const amd_op_info *row, ref_scalar_fn *ref, amd_op op);

/* Encodes `in` and lets the emulator fetch it; frame_release frees the memory. */
frame_outcome
frame_fetch(frame *f, amd_inst *in, emu_inst **out);
void
frame_release(frame *f);

/* alu_inputs.c: the corner values of a type; a random value, every second one of which is
 * special. */
unsigned
input_corners(unsigned type, bool few);
uint64_t
input_corner(unsigned type, bool few, uint64_t index);
uint64_t
input_random(frame *f, unsigned type, const uint64_t *before, unsigned n_before);

#endif
