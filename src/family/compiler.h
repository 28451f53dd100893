/* What families' compilers have in common. */
#ifndef FAMILY_COMPILER_H
#define FAMILY_COMPILER_H

#include "family/family.h"

/* A debug switch: its word, and its bit of the family's switches. */
typedef struct family_switch {
    const char *word; /* NULL: the end of a list */
    uint32_t bit;
} family_switch;

/* Sets the bit of a word in `*bits`. Returns what family_compiler.read_switch does. */
const char *
family_read_switch(const family_switch *list, const char *word, uint32_t *bits);

/* Fails with TARGET_LIMIT if a workgroup has more than 1024 invocations or more than so many bytes
 * of shared memory. */
void
family_check_group(const ir_fn *hir, const family_target *t, uint32_t most_shared);

/* For opt_choose_handles, where instructions name resources by constants: the elements of a binding
 * of the layout; of one without a size FAMILY_UNSIZED_ELEMENTS. Fails with TARGET_SELECT if there
 * are more than 48. `user`: a family_elements. */
enum { FAMILY_UNSIZED_ELEMENTS = 8 };

typedef struct family_elements {
    const family_layout *layout;
    const char *target;
} family_elements;
uint32_t
family_count_elements(const void *user, const ir_fn *f, const ir_instr *index);

/* What a target lacks that has no code for the operation, in words for ERR_TARGET_SELECT: a feature
 * that shaders name, or else the operation. */
const char *
family_feature_of(const ir_fn *hir, const ir_instr *i);

/* The model of a code object without data behind the code, as far as the request and the shader say
 * it: all but the wave's size, the sizes of memory, and the family's own. */
obj_code
family_describe_code(const family_request *r, const ir_shader *s, const base_buf *code);

#endif
