#include "adreno/isa/table/table.h"

#define CHIP(id, name, gen, sub, ...) static const char *const id##_names[] = {__VA_ARGS__, NULL};
#include "adreno/isa/table/chips.def"
#undef CHIP

const adreno_chip adreno_chips[] = {
#define CHIP(id, name, gen, sub, ...) {name, gen, sub, id##_names},
#include "adreno/isa/table/chips.def"
#undef CHIP
};

const uint32_t adreno_chip_count = sizeof adreno_chips / sizeof *adreno_chips;
