#include "base/buf.h"

#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST = 128 }; /* initial capacity in bytes */

void
buf_reserve(base_buf *b, size_t size)
{
    size_t need = b->size + size;
    b->data = arena_grow(b->arena, b->data, &b->cap, need < FIRST ? FIRST : need, 1);
}

void
buf_put_zeros(base_buf *b, size_t count)
{
    if (count)
        memset(buf_extend(b, count), 0, count);
}

void
buf_set_u64(base_buf *b, size_t at, uint64_t v)
{
    base_put_u64(b->data + at, v);
}

void
buf_align(base_buf *b, size_t align)
{
    buf_put_zeros(b, (align - b->size % align) % align);
}

void
buf_puts(base_buf *b, const char *text)
{
    buf_put(b, text, strlen(text));
}

void
buf_printf(base_buf *b, const char *format, ...)
{
    va_list args;
    char small[256];
    va_start(args, format);
    int len = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (len < 0)
        return;
    if ((size_t)len < sizeof small) {
        buf_put(b, small, (size_t)len);
        return;
    }
    char *at = buf_extend(b, (size_t)len + 1);
    va_start(args, format);
    vsnprintf(at, (size_t)len + 1, format, args);
    va_end(args);
    b->size--;
}

void
buf_put_float(base_buf *b, double x, char style, int precision)
{
    char text[BASE_FLOAT_TEXT];
    buf_put(b, text, base_float_print(text, x, style, precision));
}

char *
buf_text(base_buf *b)
{
    buf_put_u8(b, 0);
    b->size--;
    return (char *)b->data;
}
