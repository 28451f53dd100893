/* Hash maps in an arena, from 64-bit keys to 64-bit values, and interned strings. They use open
 * addressing with linear probing. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"

typedef struct base_map {
    arena *arena;
    struct base_map_slot *slots; /* `cap` of them, a power of two */
    size_t count, cap;
} base_map;

static inline base_map
map_make(arena *a)
{
    return (base_map){.arena = a};
}

/* Looks up `key`. Returns false if it is not in the map. `value` may be NULL. */
bool
map_get(const base_map *m, uint64_t key, uint64_t *value);

/* Sets the value of `key`. */
void
map_put(base_map *m, uint64_t key, uint64_t value);

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
uint64_t
base_hash_text(const char *text, size_t len);

/* Maps strings to small numbers and back. Numbers start at 0 and follow the order of first
 * insertion. */
typedef struct base_strings {
    base_map by_hash; /* hash -> number of the first string with it */
    struct base_string *items;
    size_t count, cap;
} base_strings;

static inline base_strings
strings_make(arena *a)
{
    return (base_strings){.by_hash = map_make(a)};
}

/* Returns the number of the `len` bytes at `text`. A new string is copied. */
uint32_t
strings_intern(base_strings *s, const char *text, size_t len);

/* Returns the number of a string, or UINT32_MAX if it has not been interned. */
uint32_t
strings_find(const base_strings *s, const char *text, size_t len);

/* Returns string number `i`, zero-terminated. */
const char *
strings_get(const base_strings *s, uint32_t i);

#endif
