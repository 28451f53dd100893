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

/* Makes room for `size` more bytes, so that appending them moves nothing. */
void
buf_reserve(base_buf *b, size_t size);

/* Appends `size` uninitialised bytes and returns a pointer to them. */
static inline void *
buf_extend(base_buf *b, size_t size)
{
    if (size > b->cap - b->size)
        buf_reserve(b, size);
    b->size += size;
    return b->data + (b->size - size);
}

static inline void
buf_put(base_buf *b, const void *data, size_t size)
{
    if (size)
        memcpy(buf_extend(b, size), data, size);
}

/* Writes a little-endian number. Returns where the next one goes. */
static inline unsigned char *
base_put_u32(unsigned char *at, uint32_t v)
{
    at[0] = (unsigned char)v;
    at[1] = (unsigned char)(v >> 8);
    at[2] = (unsigned char)(v >> 16);
    at[3] = (unsigned char)(v >> 24);
    return at + 4;
}

static inline unsigned char *
base_put_u64(unsigned char *at, uint64_t v)
{
    return base_put_u32(base_put_u32(at, (uint32_t)v), (uint32_t)(v >> 32));
}

/* These append little-endian numbers on any host. */
static inline void
buf_put_u8(base_buf *b, uint8_t v)
{
    *(unsigned char *)buf_extend(b, 1) = v;
}

static inline void
buf_put_u32(base_buf *b, uint32_t v)
{
    base_put_u32((unsigned char *)buf_extend(b, 4), v);
}

static inline void
buf_put_u16(base_buf *b, uint16_t v)
{
    unsigned char *at = (unsigned char *)buf_extend(b, 2);
    at[0] = (unsigned char)v;
    at[1] = (unsigned char)(v >> 8);
}

static inline void
buf_put_u64(base_buf *b, uint64_t v)
{
    base_put_u64((unsigned char *)buf_extend(b, 8), v);
}

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
