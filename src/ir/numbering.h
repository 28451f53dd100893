/* Scoped value numbering: a hash table of pure instructions with an undo log.
 *
 * An instruction is found again by opcode, result type, references and attribute words. What was
 * added since a scope was opened is taken out when it is closed, in reverse order: with linear
 * probing the entry added last never stands in the way of an older one, so removal is a store.
 */
#ifndef IR_NUMBERING_H
#define IR_NUMBERING_H

#include "ir/ir.h"

typedef struct ir_numbering_slot {
    uint32_t hash, id; /* value 0: empty */
} ir_numbering_slot;

/* The constants and undefined values at the head of the function's first block. All builders of a
 * function share them, one after the other: what was removed since is found out when it is asked
 * for. */
typedef struct ir_constants {
    base_map at[2]; /* up to 32 bits and undefined values; 64 bits -> value */
    ir_instr *last; /* constants end here; NULL: not known, the builder at work has made none */
} ir_constants;

typedef struct ir_numbering {
    ir_fn *f;
    ir_numbering_slot *slots;
    size_t cap; /* power of two, or 0 */
    uint32_t *log;
    size_t n_log, cap_log; /* slots in the order they were filled */
    size_t *scopes;
    size_t n_scopes, cap_scopes; /* n_log where each open scope began */
    ir_constants *constants;     /* the function's */
} ir_numbering;

/* The constant (or undefined value) of the key in map `m` of `c`, or 0. */
uint32_t
ir_constants_find(const ir_fn *f, const ir_constants *c, unsigned m, uint64_t key);

/* The last of the constants at the head of the first block, or NULL. */
ir_instr *
ir_constants_last(const ir_fn *f, const ir_constants *c);

/* An empty table, with the constants that stand at the head of the function's first block. */
ir_numbering *
ir_numbering_new(ir_fn *f);

/* The hash of an instruction with one definition of type `type`. */
uint32_t
ir_numbering_hash(const ir_instr *i, ir_type type);

/* The value of an equal instruction that was added, or 0. */
uint32_t
ir_numbering_find(const ir_numbering *n, const ir_instr *i, ir_type type, uint32_t hash);

/* Adds the (one) definition of an instruction. */
void
ir_numbering_add(ir_numbering *n, uint32_t id, uint32_t hash);

void
ir_numbering_open(ir_numbering *n);
void
ir_numbering_close(ir_numbering *n);

/* Forgets all but the constants. */
void
ir_numbering_clear(ir_numbering *n);

#endif
