/* The subset of MessagePack that notes need: a writer that appends to a buffer, and a reader that
 * makes a tree of values and trusts no count.
 *
 * Source: the MessagePack specification (github.com/msgpack/msgpack, spec.md). Extension types
 * cannot be read; floating-point numbers cannot be written.
 */
#ifndef OBJECT_PACK_H
#define OBJECT_PACK_H

#include "base/buf.h"
#include "base/diag.h"

#include <string.h>

/* Writing. Maps and arrays start with their number of entries; the entries follow. */
void
pack_map(base_buf *b, uint32_t entries);
void
pack_array(base_buf *b, uint32_t entries);
void
pack_chars(base_buf *b, const char *text, size_t size);
void
pack_bool(base_buf *b, bool v);

/* A number that needs more than one byte. */
void
pack_wide_uint(base_buf *b, uint64_t v);

static inline void
pack_uint(base_buf *b, uint64_t v)
{
    if (v < 0x80)
        buf_put_u8(b, (uint8_t)v);
    else
        pack_wide_uint(b, v);
}

/* Inline, so that the lengths of the keys are constants. */
static inline void
pack_text(base_buf *b, const char *text)
{
    size_t n = strlen(text);
    if (n >= 32) {
        pack_chars(b, text, n);
        return;
    }
    uint8_t *at = buf_extend(b, n + 1);
    at[0] = (uint8_t)(0xa0 + n);
    memcpy(at + 1, text, n);
}

/* Writes an entry of a map with a string key. */
static inline void
pack_key_uint(base_buf *b, const char *key, uint64_t v)
{
    pack_text(b, key);
    pack_uint(b, v);
}

static inline void
pack_key_text(base_buf *b, const char *key, const char *text)
{
    pack_text(b, key);
    pack_text(b, text);
}

/* Writes an entry whose value is an array of numbers. */
void
pack_key_words(base_buf *b, const char *key, const uint32_t *words, uint32_t count);

typedef enum pack_kind {
    PACK_NIL,
    PACK_BOOL,
    PACK_UINT, /* any integer >= 0 */
    PACK_INT,  /* a negative integer */
    PACK_FLOAT,
    PACK_TEXT,
    PACK_BYTES,
    PACK_ARRAY,
    PACK_MAP,
} pack_kind;

typedef struct pack_value {
    pack_kind kind;
    uint32_t count;  /* number of entries, or of bytes of a text */
    uint64_t number; /* PACK_UINT, PACK_INT (two's complement), PACK_BOOL */
    /* PACK_TEXT: a terminated copy in the arena; PACK_BYTES: not terminated */
    const char *text;
    const struct pack_value *items; /* PACK_ARRAY; PACK_MAP: key, value, key, value ... */
} pack_value;

/* Appends a value. Values that the reader does not keep (floats, bytes) become nil. */
void
pack_put(base_buf *b, const pack_value *v);

/* Reads one value from `size` bytes. Fails with OBJECT_BAD_METADATA. */
const pack_value *
pack_read(diag *d, arena *a, const uint8_t *bytes, size_t size);

/* The value for the text key `key`, or NULL if there is none or `map` is not a map (or is NULL). */
const pack_value *
pack_get(const pack_value *map, const char *key);

/* The same as a number or a text; `otherwise` if there is no value of that kind. Numbers above
 * UINT32_MAX do not count. */
uint32_t
pack_get_uint(const pack_value *map, const char *key, uint32_t otherwise);
const char *
pack_get_text(const pack_value *map, const char *key, const char *otherwise);

/* The numbers of the array for the key; 0 where there is none. */
void
pack_get_words(const pack_value *map, const char *key, uint32_t *words, uint32_t count);

/* Item `i` of an array, or NULL if there is none or `array` is not an array (or is NULL). */
const pack_value *
pack_at(const pack_value *array, uint32_t i);

/* Number of items of an array or entries of a map; 0 for anything else and for NULL. */
uint32_t
pack_count(const pack_value *v);

#endif
