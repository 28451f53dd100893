/* A growable run of bytes in an arena: text being printed, code being emitted. */
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

/* Room for `size` more bytes, counted as written; returns where they start. */
void *
buf_extend(base_buf *b, size_t size);
void
buf_put(base_buf *b, const void *data, size_t size);

/* Little-endian numbers, whatever the host. */
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

/* Overwrites eight bytes at `at`, which are there, in little endian. */
void
buf_set_u64(base_buf *b, size_t at, uint64_t v);

/* Zeros up to a multiple of `align` bytes. */
void
buf_align(base_buf *b, size_t align);

void
buf_puts(base_buf *b, const char *text);
void
buf_printf(base_buf *b, const char *format, ...);
/* A number as base_float_print prints it: buf_printf has no floats, they follow the locale. */
void
buf_put_float(base_buf *b, double x, char style, int precision);

/* The contents as a string: a terminating zero is put behind, and not counted in `size`. */
char *
buf_text(base_buf *b);

#endif
