/* Replacement of values: passes record `old -> new` while they walk, and rewrite all references
 * once. */
#ifndef IR_REPLACE_H
#define IR_REPLACE_H

#include "ir/ir.h"

/* {.f = f} is an empty map, which costs nothing: most passes over most functions replace no value.
 */
typedef struct ir_replacement {
    ir_fn *f;
    ir_ref *to; /* by value: its replacement; kind NONE: the value itself. In the scratch arena */
    size_t cap;
    bool any;
} ir_replacement;

/* Replaces `id` by `to` from now on. `to` is a whole value of the same type or, if `id` is scalar,
 * a component. `to` must not lead back to `id`. */
void
ir_replace_add(ir_replacement *m, uint32_t id, ir_ref to);

static inline bool
ir_is_replaced(const ir_replacement *m, ir_ref r)
{
    return r.id < m->cap && ir_is_value(r) && ir_is_value(m->to[r.id]);
}

/* ir_replace_follow of a reference whose value is replaced. */
ir_ref
ir_replace_chase(const ir_replacement *m, ir_ref r);

/* The final replacement of `r`. It keeps the flags of `r`, and its component if a whole value
 * replaces another. Chains are shortened on the way, so long ones stay cheap. */
static inline ir_ref
ir_replace_follow(const ir_replacement *m, ir_ref r)
{
    return ir_is_replaced(m, r) ? ir_replace_chase(m, r) : r;
}

/* The same for all references of an instruction. Returns true if one changed. */
static inline bool
ir_replace_in(const ir_replacement *m, ir_instr *i)
{
    bool changed = false;
    if (!m->any)
        return false;
    for (ir_ref *r = i->refs, *end = r + i->n_refs; r < end; r++) {
        if (!ir_is_replaced(m, *r))
            continue;
        *r = ir_replace_chase(m, *r);
        changed = true;
    }
    return changed;
}

/* ... and for all references of the function. */
bool
ir_replace_all(const ir_replacement *m);

/* Removes an instruction with one definition whose uses are (being) replaced. */
void
ir_remove(ir_instr *i);

#endif
