/* Names of values: messages, hardware registers, counters, formats, targets ... in LLVM's spelling.
 * Disassembler and assembler use the same lists. */
#ifndef AMD_NAMES_H
#define AMD_NAMES_H

#include "amd/isa/isa.h"

/* A name, its value, and the generations that know it (amd_gen; all if not given); lists end with a
 * NULL name. */
typedef struct amd_name {
    const char *name;
    uint32_t value;
    uint8_t first, last;
} amd_name;

extern const amd_name amd_hwreg_names[];
extern const amd_name amd_message_names[];
extern const amd_name amd_gs_op_names[];
extern const amd_name amd_sys_op_names[];
extern const amd_name amd_version_names[];
extern const amd_name amd_dim_names[]; /* without SQ_RSRC_IMG_ */

/* Export targets by name. `count` targets have a number after the name; 0: a single target without
 * a number. The last name is used for targets that do not exist. */
typedef struct amd_target_name {
    const char *name;
    uint8_t first, count, first_gen, last_gen;
} amd_target_name;
extern const amd_target_name amd_target_names[];

/* A part of s_delay_alu: `bits` bits of the immediate from `pos`, with names for `count` values. */
typedef struct amd_delay_part {
    const char *name;
    uint8_t pos, bits, count;
    const char *const *values;
} amd_delay_part;
extern const amd_delay_part amd_delay_parts[];

/* Message ids with operations (and streams). */
enum { AMD_MSG_GS = 2, AMD_MSG_GS_DONE = 3, AMD_MSG_SYSMSG = 15 };

/* BUF_FMT_ names by unified format, without the prefix; there are none from AMD_BUF_FORMATS on. */
enum { AMD_BUF_FORMATS = 78, AMD_BUF_FORMAT_DEFAULT = 1 };
extern const char *const amd_buf_formats[AMD_BUF_FORMATS];

/* Before gfx10 a format has two parts: a data format (the low four bits; without the prefix
 * BUF_DATA_FORMAT_) and a number format (without BUF_NUM_FORMAT_); the defaults are not written. */
extern const amd_name amd_data_formats[];
extern const amd_name amd_num_formats[];
enum { AMD_DATA_FORMAT_DEFAULT = 1, AMD_NUM_FORMAT_DEFAULT = 0 };
/* The index in amd_buf_formats of unified format `number` of `gen`, or AMD_BUF_FORMATS if there is
 * none: gfx11 and later have fewer formats than gfx10 (RDNA3 ISA, "Unified buffer formats"). */
unsigned
amd_buf_format(amd_gen gen, unsigned number);

/* SDWA selects and dst_unused, by value. */
extern const char *const amd_indexed_names[4]; /* operands that s_set_gpr_idx_on indexes, by bit */
extern const char *const amd_sdwa_selects[7];
extern const char *const amd_sdwa_unused[3];

/* The name of the `count` registers from `code`, or of the value that the code represents; NULL if
 * they have no own name. */
const char *
amd_register_name(amd_gen gen, unsigned code, unsigned count);

/* Finds the registers named by the `len` characters at `name`; `count` is 0 for values, which fit
 * any size. */
bool
amd_register_find(amd_gen gen, const char *name, size_t len, unsigned *code, unsigned *count);

/* The number of SGPRs with names s0 and so on: 104, 102 or 106. */
static inline unsigned
amd_sgpr_count(amd_gen gen)
{
    return gen < AMD_GFX8 ? 104 : gen < AMD_GFX10 ? 102 : 106;
}

/* The code of ttmp0; the last one is always 123. */
static inline unsigned
amd_ttmp_first(amd_gen gen)
{
    return gen < AMD_GFX9 ? AMD_REG_TTMP0 + 4 : AMD_REG_TTMP0;
}

/* The name of `value`, NULL if there is none. */
const char *
amd_name_of(const amd_name *list, uint32_t value);

/* The same, restricted to the names that `gen` knows. */
const char *
amd_name_on(amd_gen gen, const amd_name *list, uint32_t value);
bool
amd_name_find_on(amd_gen gen, const amd_name *list, const char *name, size_t len, uint32_t *value);

/* Finds the `len` characters at `name`; false if they are not in the list. */
bool
amd_name_find(const amd_name *list, const char *name, size_t len, uint32_t *value);

/* gfx12's cache policy: scopes, and the temporal hints of loads, stores and atomics (an atomic's
 * with its bit for "returns"), without their prefixes SCOPE_, TH_LOAD_, TH_STORE_, TH_ATOMIC_. If
 * names share a value, the first is printed. */
extern const amd_name amd_scope_names[];
extern const amd_name amd_th_load_names[];
extern const amd_name amd_th_store_names[];
extern const amd_name amd_th_atomic_names[];
enum {
    AMD_SCOPE_SE = 1,
    AMD_SCOPE_DEV = 2,
    AMD_SCOPE_SYS = 3,
    AMD_TH_NT = 1, /* not temporal; of an atomic 2, without the bit for "returns" */
    AMD_TH_ATOMIC_NT = 2,
    AMD_TH_BYPASS = 3,  /* in system scope; elsewhere last use, or write back */
    AMD_TH_CASCADE = 4, /* of an atomic, in device and system scope */
};

#endif
