/* AMDHSA kernel descriptors as assembler directives: 64 bytes from the values of `.amdhsa_`
 * directives and back.
 *
 * The rows are amdhsa.def's. What exists on a processor, and how registers are counted, depends on
 * its name.
 */
#ifndef AMD_AMDHSA_H
#define AMD_AMDHSA_H

#include "base/buf.h"

enum { AMD_HSA_DESCRIPTOR_SIZE = 64, AMD_HSA_ENTRY_OFFSET = 16, AMD_HSA_ENTRY_SIZE = 8 };

typedef enum amd_hsa_row {
#define HSA(name, word, low, bits, otherwise, where) AMD_HSA_##name,
#include "amd/isa/amdhsa.def"
#undef HSA
    AMD_HSA_ROW_COUNT,
} amd_hsa_row;

/* What of a processor the directives depend on. */
typedef struct amd_hsa_target {
    uint8_t major, minor, stepping; /* of the name: gfx90a is 9, 0, 10 */
    bool has_xnack; /* XNACK can be on: the processor has it, and it is not stated off */
} amd_hsa_target;

/* A processor's name to `out` (has_xnack stays); false if it is none. */
bool
amd_hsa_parse_target(const char *name, size_t len, amd_hsa_target *out);

/* The directives of one kernel. */
typedef struct amd_hsa_kernel {
    uint32_t values[AMD_HSA_ROW_COUNT];
    bool given[AMD_HSA_ROW_COUNT];
} amd_hsa_kernel;

/* The row of the directive called `.amdhsa_` and `name`, or AMD_HSA_ROW_COUNT; a row's name;
 * whether it exists on the processor, and the largest value it takes. */
amd_hsa_row
amd_hsa_find(const char *name, size_t len);
const char *
amd_hsa_name(amd_hsa_row row);
bool
amd_hsa_exists(const amd_hsa_target *t, amd_hsa_row row);
uint32_t
amd_hsa_largest(const amd_hsa_target *t, amd_hsa_row row);

/* SGPRs that a kernel has behind its own where it uses these; VGPRs where it has two kinds; the
 * value of inst_pref_size for code of so many bytes, 0 where there is none. As LLVM's assembler
 * counts them in extrasgprs(), totalnumvgprs() and instprefsize(). */
uint32_t
amd_hsa_extra_sgprs(const amd_hsa_target *t, bool vcc, bool flat_scratch, bool xnack);
uint32_t
amd_hsa_total_vgprs(const amd_hsa_target *t, uint32_t agprs, uint32_t vgprs);
uint32_t
amd_hsa_prefetch_size(const amd_hsa_target *t, uint64_t bytes);

/* Makes the descriptor, all but the entry's offset (bytes 16 to 23); rows that are not given get
 * their default. NULL, or what is wrong. */
const char *
amd_hsa_encode(const amd_hsa_target *t, const amd_hsa_kernel *k,
               uint8_t out[AMD_HSA_DESCRIPTOR_SIZE]);

/* The directives that make this descriptor. False where none do: a bit is set that none sets. (From
 * GFX10 on the field for SGPRs means nothing; compilers set it, assemblers leave it 0.) */
bool
amd_hsa_decode(const amd_hsa_target *t, const uint8_t descriptor[AMD_HSA_DESCRIPTOR_SIZE],
               amd_hsa_kernel *out);

/* Appends `.amdhsa_kernel NAME`, the directives, and the end. */
void
amd_hsa_print(const amd_hsa_target *t, const char *name, const amd_hsa_kernel *k, base_buf *out);

#endif
