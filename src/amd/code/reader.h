/* The reader of machine code: family_isa's functions over the decoder and the printer. */
#ifndef AMD_CODE_READER_H
#define AMD_CODE_READER_H

#include "amd/amd.h"
#include "amd/isa/asm/unit.h"
#include "family/family.h"

typedef struct amd_reader {
    amd_gen gen;
    bool wave64;
    asm_line_check *check; /* of the text: does it assemble to its bytes? */
    base_buf text;         /* room for it */
    amd_inst inst;         /* the current instruction */
    bool indexed;          /* it stands between s_set_gpr_idx_on and off (effects.c) */
} amd_reader;

/* family_isa.open, decode, print, is_exact, print_fields, print_padding. */
void *
amd_reader_open(arena *a, const family_target *t, uint32_t wave_size);
bool
amd_reader_decode(void *reader, const uint8_t *bytes, size_t size, family_inst *out);
void
amd_reader_print(const void *reader, const char *last, base_buf *out);
bool
amd_reader_is_exact(void *reader, const uint8_t *bytes, const char *last);
void
amd_reader_print_fields(const void *reader, const uint8_t *bytes, base_buf *out);
uint32_t
amd_print_padding(const obj_code *code, base_buf *out);

/* Returns true if byte `at` of the code is an s_code_end; `at` is at most the code's size. */
bool
amd_is_code_end(const obj_code *code, uint32_t at);

#endif
