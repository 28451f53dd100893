/* Estimates the duration of code from its instructions alone. */
#ifndef AMD_ISA_ESTIMATE_H
#define AMD_ISA_ESTIMATE_H

#include "amd/isa/table/timing.h"

typedef struct amd_estimate {
    uint32_t latency; /* cycles from the first instruction to the end of one wave that runs alone */
    uint32_t inv_throughput; /* cycles for which one wave occupies its busiest unit */
} amd_estimate;

/* Estimates `size` bytes of code. Loops (backward branches) count as eight iterations each, all
 * other code as executed once; bytes that are not instructions are skipped. Saturates at
 * UINT32_MAX. `a` holds its working memory. */
amd_estimate
amd_estimate_code(arena *a, const amd_pace *pace, const uint8_t *code, uint32_t size);

#endif
