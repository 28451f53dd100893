/* Targets as users name them: a processor, and settings of what its chips can have on or off
 * ("gfx90a:sramecc+:xnack-", LLVM's target ids). A setting changes what code must bear, not its
 * instructions: phases ask amd_program for that. */
#ifndef AMD_TARGET_ID_H
#define AMD_TARGET_ID_H

#include "amd/amd.h"
#include "amd/object/object.h"
#include "family/family.h"

/* The family's description of a target (family_target.own). */
typedef struct amd_target_id {
    char name[sizeof "gfx10-1-generic:xnack+"]; /* in canonical form */
    const amd_target *target;
    amd_obj_feature xnack, sramecc;
} amd_target_id;

/* The ids without settings, in the order of amd_targets; then those with. */
extern const amd_target_id amd_target_ids[];

/* The target of this name, its settings in any order; NULL if there is none. */
const amd_target_id *
amd_find_target_id(const char *name);

static inline const amd_target *
amd_target_of(const family_target *t)
{
    return ((const amd_target_id *)t->own)->target;
}

#endif
