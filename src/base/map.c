#include "base/map.h"

#include "base/bits.h"

#include <string.h>

typedef struct base_map_slot {
    uint64_t key, value;
    bool used;
} base_map_slot;

typedef struct base_string {
    const char *text;
    size_t len;
    uint32_t same_hash; /* next string with this hash, or UINT32_MAX */
} base_string;

static base_map_slot *
find_slot(const base_map *m, uint64_t key)
{
    size_t i = (size_t)base_hash64(key) & (m->cap - 1);
    while (m->slots[i].used && m->slots[i].key != key)
        i = (i + 1) & (m->cap - 1);
    return &m->slots[i];
}

bool
map_get(const base_map *m, uint64_t key, uint64_t *value)
{
    if (!m->cap)
        return false;
    const base_map_slot *s = find_slot(m, key);
    if (s->used && value)
        *value = s->value;
    return s->used;
}

static void
grow(base_map *m)
{
    base_map old = *m;
    m->cap = old.cap ? old.cap * 2 : 16;
    m->slots = ARENA_ARRAY(m->arena, m->cap, base_map_slot);
    for (size_t i = 0; i < old.cap; i++) {
        if (old.slots[i].used)
            *find_slot(m, old.slots[i].key) = old.slots[i];
    }
}

void
map_put(base_map *m, uint64_t key, uint64_t value)
{
    if (m->count * 4 >= m->cap * 3)
        grow(m);
    base_map_slot *s = find_slot(m, key);
    m->count += !s->used;
    *s = (base_map_slot){key, value, true};
}

uint64_t
base_hash_text(const char *text, size_t len)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return h;
}

uint32_t
strings_find(const base_strings *s, const char *text, size_t len)
{
    uint64_t i;
    if (!map_get(&s->by_hash, base_hash_text(text, len), &i))
        return UINT32_MAX;
    while (i != UINT32_MAX && !(s->items[i].len == len && memcmp(s->items[i].text, text, len) == 0))
        i = s->items[i].same_hash;
    return (uint32_t)i;
}

uint32_t
strings_intern(base_strings *s, const char *text, size_t len)
{
    uint32_t found = strings_find(s, text, len);
    if (found != UINT32_MAX)
        return found;
    arena *a = s->by_hash.arena;
    uint64_t hash = base_hash_text(text, len), other = UINT32_MAX;
    map_get(&s->by_hash, hash, &other);
    char *copy = arena_alloc(a, len + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    s->items = arena_grow(a, s->items, &s->cap, s->count + 1, sizeof *s->items);
    s->items[s->count] = (base_string){copy, len, (uint32_t)other};
    map_put(&s->by_hash, hash, s->count);
    return (uint32_t)s->count++;
}

const char *
strings_get(const base_strings *s, uint32_t i)
{
    return s->items[i].text;
}
