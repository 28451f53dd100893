/* Scoped value numbering: a hash table of pure instructions with an undo log.
 *
 * An instruction is found again by opcode, result type, references and attribute words. Closing a
 * scope removes the entries added since it was opened, in reverse order. With linear probing, the
 * newest entry is never on the probe path of an older one, so removal is a single store.
 */
#ifndef IR_NUMBERING_H
#define IR_NUMBERING_H

#include "ir/ir.h"

typedef struct ir_numbering_slot {
    uint32_t hash, id; /* id 0: empty slot */
} ir_numbering_slot;

enum { IR_FEW_CONSTANTS = 64 };

/* The constants and undefined values at the head of the function's first block, shared by all
 * builders of a function, one after the other. An instruction that has been removed meanwhile is
 * detected at lookup. */
typedef struct ir_constants {
    base_map at[2]; /* up to 32 bits and undefined values; 64 bits; each maps to a value */
    uint32_t few[IR_FEW_CONSTANTS]; /* the 32-bit constants 0, 1 ... without a map, or 0 */
    ir_instr *last; /* the last constant; NULL: unknown, the current builder has made none */
} ir_constants;

typedef struct ir_numbering {
    ir_fn *f;
    ir_numbering_slot *slots;
    size_t cap; /* power of two, or 0 */
    uint32_t *log;
    size_t n_log, cap_log; /* slots in the order in which they were filled */
    size_t *scopes;
    size_t n_scopes, cap_scopes; /* n_log at the start of each open scope */
    ir_constants *constants;     /* the function's */
} ir_numbering;

/* The keys of a constant, and of an undefined value. */
static inline uint64_t
ir_constant_key(unsigned bits, uint64_t value)
{
    return bits == 64 ? value : value | (uint64_t)bits << 32;
}

static inline uint64_t
ir_undef_key(ir_type type)
{
    return (uint64_t)type << 48;
}

/* Returns the value for the key in map `m` of `c`, or 0. */
uint32_t
ir_constants_find(const ir_fn *f, const ir_constants *c, unsigned m, uint64_t key);

/* Sets it. */
void
ir_constants_add(ir_constants *c, unsigned m, uint64_t key, uint32_t id);

/* Returns the last of the constants at the head of the first block, or NULL. */
ir_instr *
ir_constants_last(const ir_fn *f, const ir_constants *c);

/* Makes an empty table that knows the constants at the head of the function's first block. */
ir_numbering *
ir_numbering_new(ir_fn *f);

/* Returns the value of an equal instruction added before, or 0. `hash` is ir_operation_hash of all
 * references (value_table.h). */
uint32_t
ir_numbering_find(const ir_numbering *n, const ir_instr *i, ir_type type, uint32_t hash);

/* Adds an instruction by its (only) definition. */
void
ir_numbering_add(ir_numbering *n, uint32_t id, uint32_t hash);

void
ir_numbering_open(ir_numbering *n);
void
ir_numbering_close(ir_numbering *n);

/* Forgets everything except the constants. */
void
ir_numbering_clear_entries(ir_numbering *n);

static inline void
ir_numbering_clear(ir_numbering *n)
{
    if (n->n_log)
        ir_numbering_clear_entries(n);
}

#endif
