/* What instructions do to registers: family_isa's `effects`. */
#ifndef AMD_CODE_EFFECTS_H
#define AMD_CODE_EFFECTS_H

#include "amd/isa/table/numbers.h"
#include "family/effects.h"

/* family_isa.banks, effects; the number of exec. */
enum { AMD_MASK_REGISTER = AMD_NUMBER_EXEC_LO };
extern const family_bank amd_banks[];
void
amd_reader_effects(void *reader, family_effects *out);

#endif
