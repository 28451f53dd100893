/* Descriptor sets as turnip lays them out: 64 bytes for each descriptor, a combined image sampler
 * has two, the image first (tu_descriptor_set.cc of Mesa). */
#ifndef ADRENO_ABI_LAYOUT_H
#define ADRENO_ABI_LAYOUT_H

#include "family/family.h"

enum { ADRENO_RUNTIME_ARRAY_COUNT = 64 }; /* where there are descriptor sets */

/* family_compiler.place. */
void
adreno_layout_place(diag *d, const family_target *target, family_layout *layout);

#endif
