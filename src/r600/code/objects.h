/* Code objects as the family's. */
#ifndef R600_CODE_OBJECTS_H
#define R600_CODE_OBJECTS_H

#include "family/family.h"

extern const family_objects r600_family_objects;

#endif
