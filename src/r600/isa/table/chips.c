/* The chips. */
#include "r600/isa/table/table.h"

#include <stddef.h>

#define CHIP(name, gen, wave, properties, ...)                                                     \
    {name, R600_GEN_##gen, wave, properties, (const char *const[]){__VA_ARGS__, NULL}},
const r600_chip r600_chips[] = {
#include "r600/isa/table/chips.def"
};
#undef CHIP

const uint32_t r600_chip_count = sizeof r600_chips / sizeof *r600_chips;
