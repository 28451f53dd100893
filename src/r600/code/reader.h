/* Reads machine code instruction by instruction, and assembles it: the services of family_isa. */
#ifndef R600_CODE_READER_H
#define R600_CODE_READER_H

#include "family/family.h"

void *
r600_reader_open(arena *a, const family_target *t, uint32_t wave_size);

void
r600_reader_begin(void *reader, const uint8_t *bytes, size_t size);

bool
r600_reader_decode(void *reader, const uint8_t *bytes, size_t size, family_inst *out);

void
r600_reader_print(const void *reader, const char *last, base_buf *out);

bool
r600_reader_is_exact(void *reader, const uint8_t *bytes, const char *last);

void
r600_reader_print_fields(const void *reader, const uint8_t *bytes, base_buf *out);

void
r600_assemble_text(const ir_ctx *c, const family_assembly *job, base_buf *out);

/* The target that a text names: by a directive `.r600_target cypress`. */
const char *
r600_stated_target(arena *a, const char *text, size_t size);

#endif
