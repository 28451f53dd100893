/* A table of visited instructions, for value numbering over a dominator tree.
 *
 * Instructions with the same hash form a chain, the newest first. The pass decides whether two
 * instructions are equal, whether one may replace the other, and which entries have become useless.
 * These tests are inlined, so that numbering HIR (opt/gvn.c) and machine levels
 * (cg/value_numbering.c) share the search without cost. A search examines a bounded number of
 * candidates, so that walks are linear.
 */
#ifndef IR_VALUE_TABLE_H
#define IR_VALUE_TABLE_H

#include "ir/ir.h"

/* Limit on the candidates examined in a chain. */
enum { IR_VALUE_CHAIN = 16 };

typedef struct ir_value_entry {
    struct ir_value_entry *next;
    ir_instr *instr;
    uint32_t hash;
} ir_value_entry;

typedef struct ir_value_table {
    arena *a;
    ir_value_entry **chains;
    uint32_t mask;
} ir_value_table;

/* A test of `have`, an instruction of the table, while `i` is visited. */
typedef bool
ir_value_test(const void *user, const ir_instr *have, const ir_instr *i);

/* The pass's tests: has_gone for entries that are useless from now on, may_replace for those that
 * may replace `i`. */
typedef struct ir_value_rules {
    ir_value_test *has_gone, *may_replace;
} ir_value_rules;

/* An empty table for about `count` instructions, in `a`. */
static inline ir_value_table
ir_value_table_make(arena *a, size_t count)
{
    ir_value_table t = {.a = a, .mask = 63};
    while (t.mask < count)
        t.mask = 2 * t.mask + 1;
    t.chains = ARENA_ARRAY(a, (size_t)t.mask + 1, ir_value_entry *);
    return t;
}

/* Do `a` and `b` have the same opcode, encoding, operands and attribute words? Results are not
 * compared. */
static inline bool
ir_same_operation(const ir_instr *a, const ir_instr *b)
{
    if (a->op != b->op || a->form != b->form || a->n_refs != b->n_refs || a->n_words != b->n_words)
        return false;
    for (unsigned r = 0; r < a->n_refs; r++) {
        if (!ir_same_ref(a->refs[r], b->refs[r]))
            return false;
    }
    return !a->n_words || !memcmp(ir_words(a), ir_words(b), a->n_words * sizeof *ir_words(a));
}

/* One multiplication spreads a word over those above it; base_hash64 mixes the whole at the end. */
static inline uint64_t
ir_hash_step(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 32;
}

/* The hash of an operation with a result of type `type`. Of its references, those from `first` on
 * count. */
static inline uint32_t
ir_operation_hash(const ir_instr *i, ir_type type, unsigned first)
{
    uint64_t h = i->op | (uint64_t)type << 16 | (uint64_t)i->n_refs << 32 | (uint64_t)i->form << 48;
    for (unsigned r = first; r < i->n_refs; r++)
        h = ir_hash_step(h, i->refs[r].id | (uint64_t)i->refs[r].comp << 32);
    for (unsigned w = 0; w < i->n_words; w++)
        h = ir_hash_step(h, ir_words(i)[w]);
    return (uint32_t)base_hash64(h);
}

/* Returns an instruction of the table that may replace `i`; otherwise adds `i` and returns NULL.
 * Entries that have gone leave the table when they are met. */
static inline ir_instr *
ir_value_table_find_or_add(ir_value_table *t, ir_instr *i, uint32_t hash,
                           const ir_value_rules *rules, const void *user)
{
    ir_value_entry **at = &t->chains[hash & t->mask];
    for (unsigned n = 0; *at && n < IR_VALUE_CHAIN; n++) {
        ir_value_entry *e = *at;
        if (rules->has_gone(user, e->instr, i))
            *at = e->next;
        else if (e->hash == hash && rules->may_replace(user, e->instr, i))
            return e->instr;
        else
            at = &e->next;
    }
    ir_value_entry *e = arena_alloc(t->a, sizeof *e);
    *e = (ir_value_entry){t->chains[hash & t->mask], i, hash};
    t->chains[hash & t->mask] = e;
    return NULL;
}

#endif
