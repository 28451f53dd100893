/* The AMD back end as a family. */
#ifndef AMD_ENTRY_FAMILY_H
#define AMD_ENTRY_FAMILY_H

#include "amd/target/target_id.h"

extern const family amd_family;

/* The parts of the family. */
extern const family_compiler amd_family_compiler;

/* family_objects.count, describe, print_statistics. */
void
amd_count_code(arena *scratch, const family_target *target, const obj_code *code,
               family_figures *out);
void
amd_describe_code(const obj_code *code, family_figures *out);
void
amd_print_statistics(const family_figures *figures, base_buf *out);

#endif
