/* An interpreter of the made-up machine: on values before register allocation, on registers after
 * it. */
#ifndef TEST_TOY_RUN_H
#define TEST_TOY_RUN_H

#include "toy.h"

enum { TOY_LANES = 4, TOY_MEMORY = 1 << 16, TOY_FRAMES = 64, TOY_STEPS = 2000 };

/* What a construct keeps of the lanes. */
typedef struct toy_frame {
    bool loop;
    unsigned saved, then; /* lanes at its beginning; of an if, those that took the first arm */
} toy_frame;

typedef uint8_t toy_data[TOY_LANES][TOY_MAX_BYTES];

/* What an instruction of a bundle will write when all of the bundle have read. */
typedef struct toy_write {
    ir_ref def;
    toy_data data;
} toy_write;

enum { TOY_MAX_WRITES = 32 };

typedef struct toy_run {
    const ir_fn *f;
    bool by_register;
    toy_data *values, *coming; /* by value; what its phi will define */
    uint8_t regs[TOY_LANES][TOY_UNITS * TOY_UNIT];
    uint8_t memory[TOY_LANES][TOY_MEMORY];
    uint16_t cells[TOY_AREAS][TOY_CELLS];
    unsigned ticks;
    toy_write writes[TOY_MAX_WRITES];
    unsigned n_writes;
    bool in_bundle;
    unsigned exec; /* active lanes */
    toy_frame frames[TOY_FRAMES];
    unsigned n_frames;
    uint64_t output;   /* hash of what the program has put out */
    unsigned n_output; /* bytes */
    bool ended;        /* the end was reached within the limit of blocks */
    bool trace;        /* blocks and output are printed */
} toy_run;

/* Runs the program; `by_register`: it has registers. Of `m` only `trace` is read. */
void
toy_execute(toy_run *m, const ir_fn *f, bool by_register, arena *a);

#endif
