/* A made-up family beside those that are linked in. Its machine is that of tests/cg: its compiler
 * selects straight-line HIR for it, and the passes of src/cg do the rest; its emulator is the
 * interpreter. Code objects, assembler and printer are as small as can be. */
#ifndef TEST_LOOM_H
#define TEST_LOOM_H

#include "families/families.h"

/* The family's parts as a whole family has them; the test takes members away. */
typedef struct loom_parts {
    family_compiler compiler;
    family_objects objects;
    family_isa isa;
    family_emulator emulator;
    uint32_t subgroup_size; /* of the targets */
} loom_parts;

extern loom_parts loom;
extern family loom_family;

/* Makes the family whole. */
void
loom_reset(void);

#endif
