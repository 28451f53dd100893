/* Functions of expressions by which LLVM, from version 19 on, computes a kernel's resources in
 * assembly: from the registers and the stack of functions that may be defined later. max() and or()
 * take any number of values.
 *
 * Source: LLVM, AMDGPUMCExpr.h for names and arguments; values checked with llvm-mc-19
 * (tests/isa/test_calls.py). Version 19 does not have instprefsize: LLVM's later test
 * inst-prefetch-hint.ll shows its values.
 */
#include "amd/isa/asm/asm.h"

static const amd_hsa_target *
target_of(const asm_ctx *a)
{
    return &amd_asm_of(a)->target;
}

/* alignto(VALUE, ALIGN): VALUE, rounded up. */
static bool
align_to(const asm_ctx *a, const int64_t *args, int64_t *out)
{
    uint64_t v = (uint64_t)args[0], align = (uint64_t)args[1];
    (void)a;
    if (align == 0)
        return false;
    *out = (int64_t)((v + align - 1) / align * align);
    return true;
}

/* totalnumvgprs(AGPRS, VGPRS) */
static bool
total_vgprs(const asm_ctx *a, const int64_t *args, int64_t *out)
{
    *out = amd_hsa_total_vgprs(target_of(a), (uint32_t)args[0], (uint32_t)args[1]);
    return true;
}

/* extrasgprs(VCC, FLAT_SCRATCH, XNACK): the SGPRs reserved if these are used. */
static bool
extra_sgprs(const asm_ctx *a, const int64_t *args, int64_t *out)
{
    *out = amd_hsa_extra_sgprs(target_of(a), args[0] != 0, args[1] != 0, args[2] != 0);
    return true;
}

/* instprefsize(BYTES): lines of the instruction cache to prefetch. */
static bool
prefetch_size(const asm_ctx *a, const int64_t *args, int64_t *out)
{
    *out = amd_hsa_prefetch_size(target_of(a), (uint64_t)args[0]);
    return true;
}

/* Waves that so many SGPRs leave room for, of at most `most`. LLVM numbers the generations: 7 is
 * gfx8, 9 is gfx10. */
static int64_t
waves_by_sgprs(int64_t n, int64_t most, int64_t generation)
{
    static const uint8_t upto[2][5] = {{48, 56, 64, 72, 80}, {80, 88, 100, 100, 100}};
    bool later = generation >= 7;
    if (generation >= 9)
        return most;
    for (int k = 0; k < 5; k++)
        if (n <= upto[later][k])
            return 10 - k;
    return later ? 7 : 5;
}

/* occupancy(MOST WAVES, GRANULE, ALL VGPRS, GENERATION, FIRST, SGPRS, VGPRS): waves on a SIMD. */
static bool
occupancy(const asm_ctx *a, const int64_t *args, int64_t *out)
{
    int64_t most = args[0], granule = args[1], all = args[2], sgprs = args[5], vgprs = args[6];
    int64_t waves = args[4], rounded, by;
    (void)a;
    if (granule <= 0 || granule > INT32_MAX || vgprs < 0 || vgprs > INT32_MAX)
        return false;
    if (sgprs) {
        by = waves_by_sgprs(sgprs, most, args[3]);
        waves = by < waves ? by : waves;
    }
    if (vgprs) {
        rounded = (vgprs + granule - 1) / granule * granule;
        by = vgprs < granule ? most : all / rounded;
        by = by < 1 ? 1 : by > most ? most : by;
        waves = by < waves ? by : waves;
    }
    *out = waves;
    return true;
}

static const asm_function functions[] = {
    {"alignto", 2, 0, align_to},           {"totalnumvgprs", 2, 0, total_vgprs},
    {"extrasgprs", 3, 0, extra_sgprs},     {"occupancy", 7, 0, occupancy},
    {"instprefsize", 1, 0, prefetch_size},
};
/* Those that do not depend on the target. */
static const asm_function operators[] = {{"max", 0, ASM_MAX, NULL}, {"or", 0, ASM_OR, NULL}};

const asm_function *
amd_asm_find_function(const asm_ctx *a)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (asm_is_name(a, operators[i].name))
            return &operators[i];
    for (size_t i = 0; i < sizeof functions / sizeof *functions && amd_asm_of(a)->has_target; i++)
        if (asm_is_name(a, functions[i].name))
            return &functions[i];
    return NULL;
}
