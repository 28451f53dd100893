/* A growable byte buffer in an arena, for text being printed and code being emitted. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/arena.h"

typedef struct base_buf {
    arena *arena;
    unsigned char *data; /* NULL while empty */
    size_t size, cap;    /* bytes */
} base_buf;

static inline base_buf
buf_make(arena *a)
{
    return (base_buf){.arena = a};
}

/* Appends `size` uninitialised bytes and returns a pointer to them. */
void *
buf_extend(base_buf *b, size_t size);
void
buf_put(base_buf *b, const void *data, size_t size);

/* These append little-endian numbers on any host. */
void
buf_put_u8(base_buf *b, uint8_t v);
void
buf_put_u16(base_buf *b, uint16_t v);
void
buf_put_u32(base_buf *b, uint32_t v);
void
buf_put_u64(base_buf *b, uint64_t v);
void
buf_put_zeros(base_buf *b, size_t count);

/* Overwrites the existing eight bytes at `at` with a little-endian number. */
void
buf_set_u64(base_buf *b, size_t at, uint64_t v);

/* Pads with zeros to a multiple of `align` bytes. */
void
buf_align(base_buf *b, size_t align);

void
buf_puts(base_buf *b, const char *text);
void
buf_printf(base_buf *b, const char *format, ...);
/* Appends a number as base_float_print prints it. buf_printf does not print floats, because they
 * would follow the locale. */
void
buf_put_float(base_buf *b, double x, char style, int precision);

/* Returns the contents as a string. Appends a terminating zero, which `size` does not count. */
char *
buf_text(base_buf *b);

#endif
