/* The family: what the layers above see of this back end. */
#ifndef ADRENO_ENTRY_FAMILY_H
#define ADRENO_ENTRY_FAMILY_H

#include "family/family.h"

extern const family adreno_family;

#endif
