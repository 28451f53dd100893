/* Writing the descriptors of gfx10.3. */
#include "amber/dev_amd_desc.h"

/* Codes of DST_SEL, the unified format 32_FLOAT, and OOB_SELECT 3 (bytes against NUM_RECORDS). */
enum { SEL_X = 4, SEL_Y = 5, SEL_Z = 6, SEL_W = 7, FORMAT_32_FLOAT = 22, OOB_RAW = 3 };

void
amd_desc_buffer(uint32_t words[4], uint64_t address, uint64_t size)
{
    words[0] = (uint32_t)address;
    words[1] = (uint32_t)(address >> 32) & 0xffff;
    words[2] = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    words[3] = SEL_X | SEL_Y << 3 | SEL_Z << 6 | SEL_W << 9 | FORMAT_32_FLOAT << 12 | 1u << 24 |
               (uint32_t)OOB_RAW << 28;
}
