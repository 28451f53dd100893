/* The counters of outstanding operations, and the fields of the immediates that wait for them.
 *
 * Each waiting instruction has a list of fields; each field names its counter. Disassembler,
 * assembler and the emulator's waits checker use the same lists.
 */
#ifndef AMD_COUNTERS_H
#define AMD_COUNTERS_H

#include "amd/isa/isa.h"

/* The counters of memory operations, messages and exports. The first three exist on every
 * generation up to gfx11.5; gfx12 calls the same hardware loadcnt, expcnt and dscnt. */
typedef enum amd_wait {
    AMD_WAIT_VM,     /* vmcnt, loadcnt: vector memory; up to gfx9 including its stores */
    AMD_WAIT_EXP,    /* expcnt: exports, GDS, LDS direct; gfx6: the data of stores */
    AMD_WAIT_LGKM,   /* lgkmcnt, dscnt: LDS, GDS, constants, messages; gfx12: LDS alone */
    AMD_WAIT_VS,     /* vscnt, storecnt: vector stores, from gfx10 */
    AMD_WAIT_SAMPLE, /* samplecnt: images with a sampler, gfx12 */
    AMD_WAIT_BVH,    /* bvhcnt: rays, gfx12 */
    AMD_WAIT_KM,     /* kmcnt: constants and messages, gfx12 */
    AMD_WAIT_COUNT,
} amd_wait;

/* A counter in an immediate: `bits` bits at `pos` and, if it is split, `bits2` higher bits at
 * `pos2`. The default, all ones, means do not wait. Lists end with a NULL name. */
typedef struct amd_counter {
    const char *name;
    uint8_t pos, bits, pos2, bits2;
    uint8_t wait; /* amd_wait; AMD_WAIT_COUNT in s_waitcnt_depctr, which has other counters */
} amd_counter;

/* The fields of s_waitcnt in the order of LLVM's text. */
const amd_counter *
amd_waitcnt_counters(amd_gen gen);

/* The fields of s_waitcnt_depctr (gfx12: s_wait_alu). */
const amd_counter *
amd_depctr_counters(amd_gen gen);

/* A single counter of the generation, as in the instructions that wait for one: s_wait_loadcnt,
 * s_waitcnt_vscnt. NULL name if the generation lacks it. The width is the counter's own. */
const amd_counter *
amd_wait_counter(amd_gen gen, amd_wait wait);

/* The values that `in` waits for: each counter is at most this when it has executed; UINT8_MAX:
 * any. The register of s_waitcnt_vscnt and its like counts as null. False if it waits for none. */
bool
amd_waits_for(amd_gen gen, const amd_inst *in, uint8_t at_most[AMD_WAIT_COUNT]);

uint32_t
amd_counter_get(const amd_counter *c, uint32_t imm);
uint32_t
amd_counter_put(const amd_counter *c, uint32_t imm, uint32_t value);
uint32_t
amd_counter_max(const amd_counter *c);

#endif
