#include "picture_animation.h"
#include "picture_png.h"

#include <stdlib.h>
#include <string.h>

enum { SIGNATURE = 8, HEAD = 8, CHECK = 4 /* bytes around a chunk's data */ };

/* ---- chunks ---- */

static void
put_big(base_buf *b, uint32_t v, unsigned bytes)
{
    while (bytes--)
        buf_put_u8(b, (uint8_t)(v >> 8 * bytes));
}

static uint32_t
get_big(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The CRC of a chunk's name and data (PNG, "CRC algorithm"): x^32 + x^26 + ... reflected. */
static uint32_t
crc(const uint8_t *bytes, size_t size)
{
    const uint32_t polynomial = 0xedb88320;
    uint32_t c = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        c ^= bytes[i];
        for (unsigned k = 0; k < 8; k++)
            c = c & 1 ? polynomial ^ c >> 1 : c >> 1;
    }
    return ~c;
}

/* Begins a chunk; its length is set by `end_chunk`. */
static size_t
begin_chunk(base_buf *b, const char *name)
{
    size_t at = b->size;
    put_big(b, 0, 4);
    buf_put(b, name, 4);
    return at;
}

static void
end_chunk(base_buf *b, size_t at)
{
    uint8_t *chunk = (uint8_t *)b->data + at;
    uint32_t size = (uint32_t)(b->size - at - HEAD);
    for (unsigned k = 0; k < 4; k++)
        chunk[k] = (uint8_t)(size >> 8 * (3 - k));
    put_big(b, crc(chunk + 4, size + 4), 4);
}

/* ---- the animation ---- */

picture_animation
picture_animation_begin(arena *a, uint32_t frames, uint32_t per_second)
{
    return (picture_animation){.file = buf_make(a), .frames = frames, .per_second = per_second};
}

static void
put_control(picture_animation *n)
{
    size_t at = begin_chunk(&n->file, "acTL");
    put_big(&n->file, n->frames, 4);
    put_big(&n->file, 0, 4); /* repetitions: no end */
    end_chunk(&n->file, at);
}

static void
put_frame_control(picture_animation *n, const picture *p)
{
    size_t at = begin_chunk(&n->file, "fcTL");
    put_big(&n->file, n->sequence++, 4);
    put_big(&n->file, p->width, 4);
    put_big(&n->file, p->height, 4);
    put_big(&n->file, 0, 4); /* x, y */
    put_big(&n->file, 0, 4);
    put_big(&n->file, 1, 2);
    put_big(&n->file, n->per_second, 2);
    put_big(&n->file, 0, 1); /* the picture stays until the next one, */
    put_big(&n->file, 0, 1); /* which takes its place */
    end_chunk(&n->file, at);
}

static void
put_frame_data(picture_animation *n, const uint8_t *data, size_t size)
{
    size_t at = begin_chunk(&n->file, "fdAT");
    put_big(&n->file, n->sequence++, 4);
    buf_put(&n->file, data, size);
    end_chunk(&n->file, at);
}

/* A chunk of the picture's own file. */
static void
take_chunk(picture_animation *n, const picture *p, const uint8_t *chunk, size_t size)
{
    bool first = !n->has_first, is_data = memcmp(chunk + 4, "IDAT", 4) == 0;
    if (first && memcmp(chunk + 4, "IEND", 4) != 0)
        buf_put(&n->file, chunk, size);
    else if (is_data)
        put_frame_data(n, chunk + HEAD, size - HEAD - CHECK);
    if (first && memcmp(chunk + 4, "IHDR", 4) == 0) {
        put_control(n);
        put_frame_control(n, p);
    }
}

void
picture_animation_add(picture_animation *n, const picture *p)
{
    size_t size;
    uint8_t *bytes = picture_png_bytes(p, &size);
    if (!bytes)
        return;
    if (!n->has_first)
        buf_put(&n->file, bytes, SIGNATURE);
    else
        put_frame_control(n, p);
    for (size_t at = SIGNATURE; at + HEAD + CHECK <= size;) {
        size_t chunk = get_big(bytes + at) + (size_t)HEAD + CHECK;
        take_chunk(n, p, bytes + at, chunk);
        at += chunk;
    }
    n->has_first = true;
    free(bytes);
}

void
picture_animation_end(picture_animation *n)
{
    size_t at = begin_chunk(&n->file, "IEND");
    end_chunk(&n->file, at);
}
