#include "diff_cache.h"

#include "base/bits.h"

#include <stdio.h>
#include <string.h>

typedef struct hash {
    uint64_t a, b;
} hash;

static void
add_bytes(hash *h, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t v = 0;
        memcpy(&v, p + i, size - i < 8 ? size - i : 8);
        h->a = base_hash64(h->a ^ v);
        h->b = base_hash64(h->b + v + UINT64_C(0x9e3779b97f4a7c15)) * 5;
    }
    h->a = base_hash64(h->a ^ size);
}

const char *
diff_cache_path(const diff_cache *c, arena *a, const char *text, const uint32_t *spirv,
                size_t n_words)
{
    hash h = {1, 2};
    add_bytes(&h, c->driver, strlen(c->driver));
    add_bytes(&h, text, strlen(text));
    add_bytes(&h, spirv, n_words * 4);
    return arena_printf(a, "%s/%016llx%016llx", c->folder, (unsigned long long)h.a,
                        (unsigned long long)h.b);
}

bool
diff_cache_get(const char *path, uint32_t *words, size_t n)
{
    FILE *f = fopen(path, "rb");
    bool ok = f && fread(words, 4, n, f) == n && fgetc(f) == EOF;
    if (f)
        fclose(f);
    return ok;
}

void
diff_cache_put(const char *path, const uint32_t *words, size_t n)
{
    char unfinished[4096];
    if (snprintf(unfinished, sizeof unfinished, "%s.new", path) >= (int)sizeof unfinished)
        return;
    FILE *f = fopen(unfinished, "wb");
    if (!f)
        return;
    bool ok = fwrite(words, 4, n, f) == n;
    ok = fclose(f) == 0 && ok;
    if (!ok || rename(unfinished, path) != 0)
        remove(unfinished);
}
