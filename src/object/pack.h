/* MessagePack, as far as notes need it: a writer that appends to a buffer, and a reader that makes
 * a tree of values and trusts no count.
 *
 * Source: the MessagePack specification (github.com/msgpack/msgpack, spec.md). Extension types are
 * not read; floating point is not written.
 */
#ifndef OBJECT_PACK_H
#define OBJECT_PACK_H

#include "base/buf.h"
#include "base/diag.h"

/* Writing. Maps and arrays are announced with their number of entries, which then follow. */
void
pack_map(base_buf *b, uint32_t entries);
void
pack_array(base_buf *b, uint32_t entries);
void
pack_text(base_buf *b, const char *text);
void
pack_uint(base_buf *b, uint64_t v);
void
pack_bool(base_buf *b, bool v);

/* An entry of a map with a string key. */
void
pack_key_uint(base_buf *b, const char *key, uint64_t v);
void
pack_key_text(base_buf *b, const char *key, const char *text);

typedef enum pack_kind {
    PACK_NIL,
    PACK_BOOL,
    PACK_UINT, /* any integer that is not negative */
    PACK_INT,  /* a negative one */
    PACK_FLOAT,
    PACK_TEXT,
    PACK_BYTES,
    PACK_ARRAY,
    PACK_MAP,
} pack_kind;

typedef struct pack_value {
    pack_kind kind;
    uint32_t count;                 /* of entries, or of a text's bytes */
    uint64_t number;                /* PACK_UINT, PACK_INT (two's complement), PACK_BOOL */
    const char *text;               /* PACK_TEXT: terminated copy in the arena; PACK_BYTES: not */
    const struct pack_value *items; /* PACK_ARRAY; PACK_MAP: key, value, key, value ... */
} pack_value;

/* Appends a value; those that the reader does not keep (floats, bytes) become nil. */
void
pack_put(base_buf *b, const pack_value *v);

/* Reads one value from `size` bytes. Fails with OBJECT_BAD_METADATA. */
const pack_value *
pack_read(diag *d, arena *a, const uint8_t *bytes, size_t size);

/* The value of a map's entry with text key `key`; NULL where there is none or `map` is no map (or
 * NULL). */
const pack_value *
pack_get(const pack_value *map, const char *key);

/* The same as a number or a text; `otherwise` where there is none of that kind. Numbers above
 * UINT32_MAX count as none. */
uint32_t
pack_get_uint(const pack_value *map, const char *key, uint32_t otherwise);
const char *
pack_get_text(const pack_value *map, const char *key, const char *otherwise);

/* Item `i` of an array, or NULL where there is none or `array` is no array (or NULL). */
const pack_value *
pack_at(const pack_value *array, uint32_t i);

/* Number of items of an array (entries of a map), 0 for anything else and for NULL. */
uint32_t
pack_count(const pack_value *v);

#endif
