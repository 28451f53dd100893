/* Replacement of values: passes record `old -> new` while they walk, and rewrite all references
 * once. */
#ifndef OPT_REPLACE_H
#define OPT_REPLACE_H

#include "ir/hir.h"

/* {.f = f} is an empty map, which costs nothing: most passes over most functions replace no value.
 */
typedef struct opt_replace {
    ir_fn *f;
    ir_ref *to; /* by value: its replacement; kind NONE: the value itself. In the scratch arena */
    size_t cap;
    bool any;
} opt_replace;

/* Replaces `id` by `to` from now on. `to` is a whole value of the same type or, if `id` is scalar,
 * a component. `to` must not lead back to `id`. */
void
opt_replace_add(opt_replace *m, uint32_t id, ir_ref to);

/* The reference that `r` finally stands for. */
static inline ir_ref
opt_replace_follow(const opt_replace *m, ir_ref r)
{
    while (r.id < m->cap && ir_is_value(m->to[r.id])) { /* id 0, "none", is never replaced */
        ir_ref to = m->to[r.id];
        r = to.comp == IR_WHOLE ? ir_comp(to, r.comp) : to;
    }
    return r;
}

/* The same for all references of an instruction. Returns true if one changed. */
static inline bool
opt_replace_in(const opt_replace *m, ir_instr *i)
{
    bool changed = false;
    for (ir_ref *r = i->refs, *end = r + i->n_refs; r < end; r++) {
        if (r->id >= m->cap || !ir_is_value(m->to[r->id]))
            continue;
        *r = opt_replace_follow(m, *r);
        changed = true;
    }
    return changed;
}

/* ... and for all references of the function. */
bool
opt_replace_all(const opt_replace *m);

/* Removes an instruction with one definition whose uses are (being) replaced. */
void
opt_remove(ir_instr *i);

#endif
