/* MessagePack. The first byte of a value determines its kind and often its size; sizes are
 * big-endian. The reader limits depth to DEPTH, and every count to the number of remaining bytes,
 * because each entry takes at least one. The size of the tree is therefore at most a small multiple
 * of the input. */
#include "object/pack.h"

#include <string.h>

enum { DEPTH = 24 };

static void
put_big_endian(base_buf *b, uint64_t v, unsigned size)
{
    uint8_t *at = buf_extend(b, size);
    for (unsigned i = 0; i < size; i++)
        at[i] = (uint8_t)(v >> (8 * (size - 1 - i)));
}

/* Writes a count: in the first byte as `small + n` up to `limit`, else `wide` with 16 bits, or
 * `wide + 1` with 32. */
static void
put_count(base_buf *b, uint8_t small, uint32_t limit, uint8_t wide, uint32_t n)
{
    if (n <= limit) {
        buf_put_u8(b, (uint8_t)(small + n));
    } else if (n <= 0xffff) {
        buf_put_u8(b, wide);
        put_big_endian(b, n, 2);
    } else {
        buf_put_u8(b, (uint8_t)(wide + 1));
        put_big_endian(b, n, 4);
    }
}

void
pack_map(base_buf *b, uint32_t entries)
{
    put_count(b, 0x80, 15, 0xde, entries);
}

void
pack_array(base_buf *b, uint32_t entries)
{
    put_count(b, 0x90, 15, 0xdc, entries);
}

void
pack_chars(base_buf *b, const char *text, size_t size)
{
    uint32_t n = (uint32_t)size;
    if (n > 31 && n <= 0xff) {
        buf_put_u8(b, 0xd9);
        buf_put_u8(b, (uint8_t)n);
    } else {
        put_count(b, 0xa0, 31, 0xda, n);
    }
    buf_put(b, text, n);
}

void
pack_wide_uint(base_buf *b, uint64_t v)
{
    unsigned log = v <= 0xff ? 0 : v <= 0xffff ? 1 : v <= UINT32_MAX ? 2 : 3;
    buf_put_u8(b, (uint8_t)(0xcc + log));
    put_big_endian(b, v, 1u << log);
}

void
pack_bool(base_buf *b, bool v)
{
    buf_put_u8(b, v ? 0xc3 : 0xc2);
}

void
pack_key_words(base_buf *b, const char *key, const uint32_t *words, uint32_t count)
{
    pack_text(b, key);
    pack_array(b, count);
    for (uint32_t i = 0; i < count; i++)
        pack_uint(b, words[i]);
}

void
pack_put(base_buf *b, const pack_value *v)
{
    uint32_t n = v->kind == PACK_MAP ? 2 * v->count : v->count;
    switch (v->kind) {
    case PACK_BOOL: pack_bool(b, v->number != 0); break;
    case PACK_UINT: pack_uint(b, v->number); break;
    case PACK_INT:
        buf_put_u8(b, 0xd3);
        put_big_endian(b, v->number, 8);
        break;
    case PACK_TEXT: pack_text(b, v->text); break;
    case PACK_ARRAY:
    case PACK_MAP:
        (v->kind == PACK_MAP ? pack_map : pack_array)(b, v->count);
        for (uint32_t i = 0; i < n; i++)
            pack_put(b, &v->items[i]);
        break;
    default: buf_put_u8(b, 0xc0); break;
    }
}

typedef struct reader {
    diag *d;
    arena *a;
    const uint8_t *next, *end;
} reader;

static uint64_t
take(reader *r, unsigned size)
{
    uint64_t v = 0;
    if ((size_t)(r->end - r->next) < size)
        diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "a value is cut off");
    for (unsigned i = 0; i < size; i++)
        v = v << 8 | *r->next++;
    return v;
}

static void
read_value(reader *r, pack_value *out, int depth);

static void
read_items(reader *r, pack_value *out, pack_kind kind, uint64_t count, int depth)
{
    uint64_t n = kind == PACK_MAP ? count * 2 : count;
    if (n > (uint64_t)(r->end - r->next))
        diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "a list is longer than the note");
    pack_value *items = ARENA_ARRAY(r->a, (size_t)n, pack_value);
    *out = (pack_value){.kind = kind, .count = (uint32_t)count, .items = items};
    for (uint64_t i = 0; i < n; i++)
        read_value(r, &items[i], depth + 1);
}

static void
read_bytes(reader *r, pack_value *out, pack_kind kind, uint64_t count)
{
    if (count > (uint64_t)(r->end - r->next))
        diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "a text is longer than the note");
    char *text = arena_alloc(r->a, (size_t)count + 1);
    memcpy(text, r->next, (size_t)count);
    text[count] = '\0';
    r->next += count;
    *out = (pack_value){.kind = kind, .count = (uint32_t)count, .text = text};
}

static void
set_signed(pack_value *out, uint64_t v, unsigned bytes)
{
    unsigned shift = 64 - 8 * bytes;
    uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
    uint64_t wide = v << shift >> shift;
    out->kind = wide & sign ? PACK_INT : PACK_UINT;
    out->number = (wide ^ sign) - sign;
}

static void
read_value(reader *r, pack_value *out, int depth)
{
    if (depth > DEPTH)
        diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "values are nested too deeply");
    uint8_t c = (uint8_t)take(r, 1);
    *out = (pack_value){.kind = PACK_NIL};
    if (c <= 0x7f)
        *out = (pack_value){.kind = PACK_UINT, .number = c};
    else if (c <= 0x8f)
        read_items(r, out, PACK_MAP, c & 15u, depth);
    else if (c <= 0x9f)
        read_items(r, out, PACK_ARRAY, c & 15u, depth);
    else if (c <= 0xbf)
        read_bytes(r, out, PACK_TEXT, c & 31u);
    else if (c == 0xc2 || c == 0xc3)
        *out = (pack_value){.kind = PACK_BOOL, .number = c & 1u};
    else if (c >= 0xc4 && c <= 0xc6)
        read_bytes(r, out, PACK_BYTES, take(r, 1u << (c - 0xc4)));
    else if (c == 0xca || c == 0xcb)
        *out = (pack_value){.kind = PACK_FLOAT, .number = take(r, c == 0xca ? 4 : 8)};
    else if (c >= 0xcc && c <= 0xcf)
        *out = (pack_value){.kind = PACK_UINT, .number = take(r, 1u << (c - 0xcc))};
    else if (c >= 0xd0 && c <= 0xd3)
        set_signed(out, take(r, 1u << (c - 0xd0)), 1u << (c - 0xd0));
    else if (c >= 0xd9 && c <= 0xdb)
        read_bytes(r, out, PACK_TEXT, take(r, 1u << (c - 0xd9)));
    else if (c == 0xdc || c == 0xdd)
        read_items(r, out, PACK_ARRAY, take(r, c == 0xdc ? 2 : 4), depth);
    else if (c == 0xde || c == 0xdf)
        read_items(r, out, PACK_MAP, take(r, c == 0xde ? 2 : 4), depth);
    else if (c >= 0xe0)
        set_signed(out, c, 1);
    else if (c != 0xc0)
        diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "a value has a type that notes do not use");
}

const pack_value *
pack_read(diag *d, arena *a, const uint8_t *bytes, size_t size)
{
    reader r = {d, a, bytes, bytes + size};
    pack_value *v = ARENA_NEW(a, pack_value);
    read_value(&r, v, 0);
    return v;
}

const pack_value *
pack_get(const pack_value *map, const char *key)
{
    if (!map || map->kind != PACK_MAP)
        return NULL;
    for (uint32_t i = 0; i < map->count; i++) {
        const pack_value *k = &map->items[2 * i];
        if (k->kind == PACK_TEXT && strcmp(k->text, key) == 0)
            return k + 1;
    }
    return NULL;
}

uint32_t
pack_get_uint(const pack_value *map, const char *key, uint32_t otherwise)
{
    const pack_value *v = pack_get(map, key);
    if (!v || (v->kind != PACK_UINT && v->kind != PACK_BOOL) || v->number > UINT32_MAX)
        return otherwise;
    return (uint32_t)v->number;
}

const char *
pack_get_text(const pack_value *map, const char *key, const char *otherwise)
{
    const pack_value *v = pack_get(map, key);
    return v && v->kind == PACK_TEXT ? v->text : otherwise;
}

void
pack_get_words(const pack_value *map, const char *key, uint32_t *words, uint32_t count)
{
    const pack_value *list = pack_get(map, key);
    for (uint32_t i = 0; i < count; i++) {
        const pack_value *v = pack_at(list, i);
        words[i] = v && v->kind == PACK_UINT ? (uint32_t)v->number : 0;
    }
}

const pack_value *
pack_at(const pack_value *array, uint32_t i)
{
    return array && array->kind == PACK_ARRAY && i < array->count ? &array->items[i] : NULL;
}

uint32_t
pack_count(const pack_value *v)
{
    return v && (v->kind == PACK_ARRAY || v->kind == PACK_MAP) ? v->count : 0;
}
