/* Machine code, read instruction by instruction, and assembled, as the family's. */
#ifndef ADRENO_CODE_READER_H
#define ADRENO_CODE_READER_H

#include "family/family.h"

extern const family_isa adreno_family_isa;

#endif
