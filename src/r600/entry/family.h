/* The family: what the layers above see of this back end. */
#ifndef R600_ENTRY_FAMILY_H
#define R600_ENTRY_FAMILY_H

#include "family/family.h"

extern const family r600_family;

#endif
