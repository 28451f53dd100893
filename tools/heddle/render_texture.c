/* The textures of heddle render: what the option says, and mip levels. */
#include "picture_png.h"
#include "render.h"

#include <stdlib.h>
#include <string.h>

/* ---- the option ---- */

static bool
take_word(const char *word, size_t size, render_texture *t)
{
    static const char aniso[] = "aniso=";
    char *end;
    if (size == 7 && memcmp(word, "nearest", size) == 0)
        t->is_nearest = true;
    else if (size == 6 && memcmp(word, "linear", size) == 0)
        t->level_count = 1;
    else if (size == 5 && memcmp(word, "clamp", size) == 0)
        t->is_clamped = true;
    else if (size == 4 && memcmp(word, "srgb", size) == 0)
        t->is_srgb = true;
    else if (size > sizeof aniso - 1 && memcmp(word, aniso, sizeof aniso - 1) == 0) {
        unsigned long n = strtoul(word + sizeof aniso - 1, &end, 10);
        t->anisotropy = n >= 1 && n <= 16 && end == word + size ? (unsigned)n : 0;
        return t->anisotropy != 0;
    } else {
        return false;
    }
    return true;
}

/* Takes the words behind the path. Returns false at an unknown one. */
static bool
take_words(const char *words, render_texture *t)
{
    while (*words) {
        size_t size = strcspn(++words, ",");
        if (!take_word(words, size, t))
            return false;
        words += size;
    }
    return true;
}

/* ---- mip levels ---- */

/* The mean of the four texels of the level above that a texel covers; where a side is odd, the
 * last row or column is left out, and where it is 1, it counts twice. */
static void
mean_of_four(const picture *above, uint32_t x, uint32_t y, const amber_texel *t, uint8_t *out)
{
    double sum[4] = {0}, c[4];
    for (unsigned k = 0; k < 4; k++) {
        uint32_t from_x = 2 * x + (k & 1), from_y = 2 * y + (k >> 1);
        from_x = from_x < above->width ? from_x : above->width - 1;
        from_y = from_y < above->height ? from_y : above->height - 1;
        amber_texel_decode(t, above->rgba + 4 * ((size_t)from_y * above->width + from_x), c);
        for (unsigned n = 0; n < 4; n++)
            sum[n] += c[n] / 4;
    }
    amber_texel_encode(t, sum, out);
}

static picture
half_of(arena *a, const picture *above, const amber_texel *t)
{
    picture p = {above->width > 1 ? above->width / 2 : 1, above->height > 1 ? above->height / 2 : 1,
                 NULL};
    p.rgba = arena_alloc(a, (size_t)p.width * p.height * 4);
    for (uint32_t y = 0; y < p.height; y++) {
        for (uint32_t x = 0; x < p.width; x++)
            mean_of_four(above, x, y, t, p.rgba + 4 * ((size_t)y * p.width + x));
    }
    return p;
}

static void
make_levels(arena *a, render_texture *t)
{
    const char *name = t->is_srgb ? "R8G8B8A8_SRGB" : "R8G8B8A8_UNORM";
    bool only_one = t->level_count == 1 || t->is_nearest;
    amber_texel texel;
    amber_texel_find(name, strlen(name), &texel);
    t->level_count = 1;
    for (const picture *p = t->levels; !only_one && (p->width > 1 || p->height > 1); p++)
        t->levels[t->level_count++] = half_of(a, p, &texel);
}

int
render_read_texture(arena *a, const char *text, bool upside_down, render_texture *out)
{
    const char *slash = strrchr(text, '/'), *name = slash ? slash : text;
    size_t size = (size_t)(name - text) + strcspn(name, ",");
    const char *path = arena_printf(a, "%.*s", (int)size, text);
    *out = (render_texture){0};
    if (!take_words(text + size, out))
        return cli_usage_error("render: --texture %s: behind the file there may be nearest, "
                               "linear, clamp, srgb and aniso=1 to 16",
                               text);
    if (!picture_read_png(a, path, &out->levels[0]))
        return cli_error(path, "RENDER_TEXTURE", "this is no PNG file that can be read");
    if (upside_down)
        picture_flip(&out->levels[0]);
    make_levels(a, out);
    return -1;
}
