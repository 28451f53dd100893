/* Reads machine code instruction by instruction, and assembles it: the services of family_isa. */
#ifndef ADRENO_CODE_READER_H
#define ADRENO_CODE_READER_H

#include "family/family.h"

void *
adreno_reader_open(arena *a, const family_target *t, uint32_t wave_size);

bool
adreno_reader_decode(void *reader, const uint8_t *bytes, size_t size, family_inst *out);

void
adreno_reader_print(const void *reader, const char *last, base_buf *out);

bool
adreno_reader_is_exact(void *reader, const uint8_t *bytes, const char *last);

void
adreno_reader_print_fields(const void *reader, const uint8_t *bytes, base_buf *out);

void
adreno_assemble_text(const ir_ctx *c, const family_assembly *job, base_buf *out);

/* The target that a text names: by a directive `.adreno_target a660`. */
const char *
adreno_stated_target(arena *a, const char *text, size_t size);

#endif
