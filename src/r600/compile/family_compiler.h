/* The compiler as the family's. */
#ifndef R600_COMPILE_FAMILY_COMPILER_H
#define R600_COMPILE_FAMILY_COMPILER_H

#include "family/family.h"

extern const family_compiler r600_family_compiler;

#endif
