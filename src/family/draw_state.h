/* What families' draws have in common: which attribute and buffer a location reads, which outputs
 * of a shader something reads, and the state of the fixed functions with the bytes of memory that
 * they access. */
#ifndef FAMILY_DRAW_STATE_H
#define FAMILY_DRAW_STATE_H

#include "family/family.h"

/* The buffer of a binding; NULL: there is none. */
const family_vertex_buffer *
family_find_vertex_buffer(const family_draw *d, uint32_t binding);

/* The attribute of a location; numbers of 64 bits go on at the next one, `*skipped` bytes later. */
const family_vertex_attribute *
family_find_attribute(const family_pipeline *p, uint32_t location, uint32_t *skipped);

/* Does something read what a store_output of this stage stores to a location? Attachments that are
 * known read only what they say; what a next stage does not read is gone (family_apply_link).
 * Nothing reads a rate of shading where fragments are pixels alone: Vulkan reduces rates to those
 * that a device has. */
bool
family_is_wanted(const family_pipeline *p, ir_stage stage, const ir_instr *store,
                 unsigned location);

/* Fills `out` with the draw's state: attachments have their bytes, and indices are read, in `a`;
 * those behind the buffer's end are 0. `modes` are those of the fragment shader; NULL: there is
 * none. What a vertex shader's outputs say is the caller's. */
void
family_fix_draw(arena *a, const mach_memory *m, const family_draw *d, const ir_fragment *modes,
                mach_draw *out);

#endif
