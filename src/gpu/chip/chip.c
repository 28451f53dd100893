/* The table of chips. */
#include "gpu/chip/chip.h"

#include <string.h>

#define GEN_OF(processor) processor##_gen
enum {
#define AMD_PROCESSOR(name, gen, limits) GEN_OF(name) = AMD_##gen,
#define AMD_GENERIC(id, name, gen, limits)
#include "amd/isa/table/processors.def"
#undef AMD_PROCESSOR
#undef AMD_GENERIC
};

static const gpu_chip chips[] = {
#define GPU_CHIP(name, processor, product, id, family, rev, ip, sdma, se, sa, cu, rb, l2c, config, \
                 vgprs, vram, bus, l2, last)                                                       \
    {#name,                                                                                        \
     #processor,                                                                                   \
     product,                                                                                      \
     (amd_gen)GEN_OF(processor),                                                                   \
     id,                                                                                           \
     GPU_FAMILY_##family,                                                                          \
     rev,                                                                                          \
     ip,                                                                                           \
     sdma,                                                                                         \
     se,                                                                                           \
     sa,                                                                                           \
     cu,                                                                                           \
     rb,                                                                                           \
     l2c,                                                                                          \
     config,                                                                                       \
     vgprs,                                                                                        \
     GPU_VRAM_##vram,                                                                              \
     bus,                                                                                          \
     l2,                                                                                           \
     last},
#include "gpu/chip/chips.def"
};

enum { N_CHIPS = sizeof chips / sizeof *chips };

const gpu_chip *
gpu_chip_at(uint32_t index)
{
    return index < N_CHIPS ? &chips[index] : NULL;
}

static char
upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool
is_same_name(const char *a, const char *b)
{
    while (*a && upper(*a) == upper(*b))
        a++, b++;
    return upper(*a) == upper(*b);
}

const gpu_chip *
gpu_chip_find(const char *name)
{
    for (unsigned k = 0; k < N_CHIPS; k++) {
        if (is_same_name(name, chips[k].name) || is_same_name(name, chips[k].processor))
            return &chips[k];
    }
    return NULL;
}

bool
gpu_chip_is_integrated(const gpu_chip *chip)
{
    return chip->vram == GPU_VRAM_DDR4 || chip->vram == GPU_VRAM_DDR5 ||
           chip->vram == GPU_VRAM_LPDDR5;
}

uint32_t
gpu_chip_compute_units(const gpu_chip *chip)
{
    return chip->engines * chip->arrays * chip->cus;
}
