/* AMDHSA kernel descriptors as assembler directives: 64 bytes from the values of `.amdhsa_`
 * directives and back.
 *
 * The rows are in amdhsa.def. The processor's name decides which directives exist and how registers
 * are counted.
 */
#ifndef AMD_AMDHSA_H
#define AMD_AMDHSA_H

#include "base/buf.h"

enum { AMD_HSA_DESCRIPTOR_SIZE = 64, AMD_HSA_ENTRY_OFFSET = 16, AMD_HSA_ENTRY_SIZE = 8 };

typedef enum amd_hsa_row {
#define HSA(name, word, low, bits, otherwise, where) AMD_HSA_##name,
#include "amd/isa/asm/amdhsa.def"
#undef HSA
    AMD_HSA_ROW_COUNT,
} amd_hsa_row;

/* The properties of a processor that the directives depend on. */
typedef struct amd_hsa_target {
    uint8_t major, minor, stepping; /* of the name: gfx90a is 9, 0, 10 */
    bool has_xnack; /* XNACK can be on: the processor has it, and it is not declared off */
} amd_hsa_target;

/* Parses a processor's name into `out` (except has_xnack); false if the name is unknown. */
bool
amd_hsa_parse_target(const char *name, size_t len, amd_hsa_target *out);

/* The directives of one kernel. */
typedef struct amd_hsa_kernel {
    uint32_t values[AMD_HSA_ROW_COUNT];
    bool given[AMD_HSA_ROW_COUNT];
} amd_hsa_kernel;

/* The row of the directive `.amdhsa_` + `name`, or AMD_HSA_ROW_COUNT; a row's name; whether it
 * exists on the processor; its largest value. */
amd_hsa_row
amd_hsa_find(const char *name, size_t len);
const char *
amd_hsa_name(amd_hsa_row row);
bool
amd_hsa_exists(const amd_hsa_target *t, amd_hsa_row row);
uint32_t
amd_hsa_largest(const amd_hsa_target *t, amd_hsa_row row);

/* The number of SGPRs reserved after a kernel's own if it uses these; the total number of VGPRs if
 * there are two kinds; the value of inst_pref_size for code of the given size in bytes, 0 if the
 * field does not exist. As LLVM's assembler computes them in extrasgprs(), totalnumvgprs() and
 * instprefsize(). */
uint32_t
amd_hsa_extra_sgprs(const amd_hsa_target *t, bool vcc, bool flat_scratch, bool xnack);
uint32_t
amd_hsa_total_vgprs(const amd_hsa_target *t, uint32_t agprs, uint32_t vgprs);
uint32_t
amd_hsa_prefetch_size(const amd_hsa_target *t, uint64_t bytes);

/* Makes the descriptor, except the entry's offset (bytes 16 to 23); rows that are not given get
 * their defaults. Returns NULL or an error message. */
const char *
amd_hsa_encode(const amd_hsa_target *t, const amd_hsa_kernel *k,
               uint8_t out[AMD_HSA_DESCRIPTOR_SIZE]);

/* Finds the directives that make this descriptor. False if there are none, because a bit is set
 * that no directive sets. (From GFX10 on the field for SGPRs has no meaning; compilers set it,
 * assemblers leave it 0.) */
bool
amd_hsa_decode(const amd_hsa_target *t, const uint8_t descriptor[AMD_HSA_DESCRIPTOR_SIZE],
               amd_hsa_kernel *out);

/* Appends `.amdhsa_kernel NAME`, the directives, and the end. */
void
amd_hsa_print(const amd_hsa_target *t, const char *name, const amd_hsa_kernel *k, base_buf *out);

#endif
