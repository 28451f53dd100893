/* HEDDLE_SHADER_OVERRIDE_PATH: a folder with code for shaders, ID.asm for the shader of that id, which
 * takes the place of what is compiled. For every family; HEDDLE_DEBUG=disasm prints ids. */
#ifndef SHADER_OVERRIDE_H
#define SHADER_OVERRIDE_H

#include <stddef.h>
#include <stdint.h>

typedef struct shader_override {
    uint8_t *text; /* the last one, malloc'd */
} shader_override;

/* The text of ID.asm and its size, valid until the next call or shader_override_free. NULL: there
 * is no such file, or no such folder. */
const char *
shader_override_find(shader_override *o, const char *id, size_t *size);

void
shader_override_free(shader_override *o);

#endif
