#include "adreno/adreno.h"

#include <string.h>

adreno_target
adreno_target_of(const adreno_chip *chip)
{
    const unsigned gen = chip->gen, sub = 10 * gen + chip->sub;
    const bool is_702 = strcmp(chip->name, "a702") == 0; /* has waves of its own */
    return (adreno_target){
        .chip = chip,
#define PROPERTY(type, name, value, sentence) .name = value,
#include "adreno/properties.def"
#undef PROPERTY
    };
}
