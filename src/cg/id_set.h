/* Sets of values as sorted arrays. */
#ifndef CG_ID_SET_H
#define CG_ID_SET_H

#include "base/sorted.h"

/* Values in ascending order. */
typedef struct cg_id_set {
    uint32_t *ids;
    uint32_t count;
} cg_id_set;

/* Position of `id` in `s`, or UINT32_MAX. */
static inline uint32_t
cg_find_id(const cg_id_set *s, uint32_t id)
{
    uint32_t at = base_lower_bound(s->ids, s->count, id);
    return at < s->count && s->ids[at] == id ? at : UINT32_MAX;
}

#endif
