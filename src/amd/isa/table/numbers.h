/* Numbers of registers for analyses of machine code and for those who use them (family/effects.h,
 * machine/watch.h): dense, unlike operand codes. ttmp and null have none. */
#ifndef AMD_NUMBERS_H
#define AMD_NUMBERS_H

#include "amd/isa/isa.h"

enum {
    AMD_NUMBER_SGPR0 = 0, /* to 105 */
    AMD_NUMBER_VCC_LO = 106,
    AMD_NUMBER_VCC_HI = 107,
    AMD_NUMBER_M0 = 108,
    AMD_NUMBER_SCC = 109,
    AMD_NUMBER_EXEC_LO = 110,
    AMD_NUMBER_EXEC_HI = 111,
    AMD_NUMBER_VGPR0 = 128, /* to 383 */
    AMD_NUMBER_AGPR0 = 384, /* to 639 */
    AMD_NUMBER_NONE = 0xffff,
};

/* The number of the register with an operand code; special sources are the register that they
 * read. */
static inline uint16_t
amd_register_number(uint32_t code)
{
    if (code < AMD_REG_TTMP0)
        return (uint16_t)code;
    if (code >= AMD_REG_VGPR0 && code < AMD_REG_AGPR0 + 256)
        return (uint16_t)(code - AMD_REG_VGPR0 + AMD_NUMBER_VGPR0);
    switch (code) {
    case AMD_REG_M0:
    case AMD_SRC_LDS_DIRECT: return AMD_NUMBER_M0;
    case AMD_SRC_SCC: return AMD_NUMBER_SCC;
    case AMD_SRC_VCCZ: return AMD_NUMBER_VCC_LO;
    case AMD_REG_EXEC_LO:
    case AMD_SRC_EXECZ: return AMD_NUMBER_EXEC_LO;
    case AMD_REG_EXEC_HI: return AMD_NUMBER_EXEC_HI;
    default: return AMD_NUMBER_NONE;
    }
}

#endif
