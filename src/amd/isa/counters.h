/* The counters of operations under way, and the fields of the immediates that wait for them.
 *
 * An instruction that waits has a list of fields; each names its counter. Disassembler, assembler
 * and the emulator's waits checker read the same lists.
 */
#ifndef AMD_COUNTERS_H
#define AMD_COUNTERS_H

#include "amd/isa/isa.h"

/* What memory operations, messages and exports are counted in. The first three are those of every
 * generation up to gfx11.5; gfx12 calls the same hardware loadcnt, expcnt and dscnt. */
typedef enum amd_wait {
    AMD_WAIT_VM,     /* vmcnt, loadcnt: vector memory; up to gfx9 its stores too */
    AMD_WAIT_EXP,    /* expcnt: exports, GDS, LDS direct; gfx6: the data of stores */
    AMD_WAIT_LGKM,   /* lgkmcnt, dscnt: LDS, GDS, constants, messages; gfx12: LDS alone */
    AMD_WAIT_VS,     /* vscnt, storecnt: vector stores, from gfx10 */
    AMD_WAIT_SAMPLE, /* samplecnt: images with a sampler, gfx12 */
    AMD_WAIT_BVH,    /* bvhcnt: rays, gfx12 */
    AMD_WAIT_KM,     /* kmcnt: constants and messages, gfx12 */
    AMD_WAIT_COUNT,
} amd_wait;

/* A counter in an immediate: `bits` bits at `pos`, and where the counter is split `bits2` higher
 * ones at `pos2`. All ones is the default: do not wait. Lists end with a NULL name. */
typedef struct amd_counter {
    const char *name;
    uint8_t pos, bits, pos2, bits2;
    uint8_t wait; /* amd_wait; AMD_WAIT_COUNT in s_waitcnt_depctr, whose counters are others */
} amd_counter;

/* The fields of s_waitcnt in the order of LLVM's text. */
const amd_counter *
amd_waitcnt_counters(amd_gen gen);

/* The fields of s_waitcnt_depctr (gfx12: s_wait_alu). */
const amd_counter *
amd_depctr_counters(amd_gen gen);

/* Every counter of the generation by itself, as the instructions that wait for one have it:
 * s_wait_loadcnt, s_waitcnt_vscnt. NULL name where the generation lacks it. The width is the
 * counter's own. */
const amd_counter *
amd_wait_counter(amd_gen gen, amd_wait wait);

uint32_t
amd_counter_get(const amd_counter *c, uint32_t imm);
uint32_t
amd_counter_put(const amd_counter *c, uint32_t imm, uint32_t value);
uint32_t
amd_counter_max(const amd_counter *c);

#endif
