/* The compiler: HIR to machine code. */
#ifndef ADRENO_COMPILE_COMPILE_H
#define ADRENO_COMPILE_COMPILE_H

#include "adreno/adreno.h"
#include "family/family.h"

extern const family_compiler adreno_family_compiler;

#endif
