/* What memory operations count, and the instructions that wait for counters, by target (internal to
 * insert_wait_states.c).
 */
#ifndef AMD_WAIT_COUNT_H
#define AMD_WAIT_COUNT_H

#include "amd/amd.h"
#include "amd/isa/table/counters.h"

/* The counters that an instruction increments, as bits 1 << amd_wait. */
typedef struct amd_counted {
    uint8_t counters;
    uint8_t results;   /* of these, those that say when its results are written */
    uint8_t data;      /* of these, those that say when its operands have been read */
    uint8_t unordered; /* of these, those in which it ends in no order with others */
} amd_counted;

/* `row` is the instruction's. */
amd_counted
amd_count_waits(const amd_program *p, const ir_instr *i, const amd_op_info *row);

/* The counters that may be greater than 0. */
unsigned
amd_wait_counters(const amd_program *p);

enum { AMD_NO_WAIT = UINT8_MAX };

/* Values that counters must not exceed. */
typedef struct amd_wait_values {
    uint8_t at_most[AMD_WAIT_COUNT]; /* AMD_NO_WAIT: any */
} amd_wait_values;

extern const amd_wait_values amd_no_wait;

/* Inserts the instructions that wait before `at`. */
void
amd_insert_waits(ir_instr *at, const amd_wait_values *w);

/* The same at the end of `b`, before its branch if there is one. */
void
amd_append_waits(ir_block *b, const amd_wait_values *w);

/* Inserts before `at` a wait until memory instructions have read their VGPRs: they are on their way
 * (s_waitcnt_depctr, gfx12: s_wait_alu). */
void
amd_insert_wait_for_sources(ir_instr *at);

/* Inserts before `at` what makes L2 write back what other groups must see (the property
 * writes_back_l2). It counts as a vector load. */
void
amd_insert_write_back(ir_instr *at);

/* Inserts after `at` what makes the caches before L2 forget old data; if `device`, those that
 * groups share, too. */
void
amd_insert_invalidation(ir_instr *at, bool device);

#endif
