/* The pipeline layout that a caller gives, read into the form of the layers below. */
#ifndef API_LAYOUT_H
#define API_LAYOUT_H

#include "api/api.h"

typedef struct api_push_range {
    uint32_t stages;     /* HEDDLE_STAGE_BITs */
    uint32_t first, end; /* bytes */
} api_push_range;

typedef struct api_layout {
    family_layout places; /* of all sets; bindings without elements are left out */
    api_push_range *ranges;
    size_t n_ranges;
} api_layout;

/* Reads and checks a layout, and has the target's family place it. Its memory lives as long as the
 * call; the words of samplers stay the caller's. Fails with API_LAYOUT, API_NO_SERVICE,
 * TARGET_SET_SIZE. */
void
api_read_layout(api_state *s, const family_target *t, const heddle_pipeline_layout *from,
                api_layout *out);

/* Finds a binding of a placed layout; NULL if there is none. */
const family_binding *
api_find_binding(const family_layout *layout, uint32_t set, uint32_t binding);

#endif
