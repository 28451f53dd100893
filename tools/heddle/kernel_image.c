#include "kernel_image.h"

#include <string.h>

enum { MAX_SIZE = 16384, MAX_LAYERS = 2048 };

static bool
fail(const char **message, const char *what)
{
    *message = what;
    return false;
}

/* Reads a number from 1 to `most` at `*p` and advances `*p` past it. Returns 0 if there is none. */
static uint32_t
read_number(const char **p, uint32_t most)
{
    uint32_t v = 0;
    const char *start = *p;
    while (**p >= '0' && **p <= '9' && *p - start < 6)
        v = v * 10 + (uint32_t)(*(*p)++ - '0');
    return v <= most ? v : 0;
}

/* The length of the item at `*p`, up to ',' or ';' or the end. */
static size_t
item_length(const char *p)
{
    return strcspn(p, ",;");
}

static bool
is_item(const char *p, size_t n, const char *name)
{
    return strlen(name) == n && memcmp(p, name, n) == 0;
}

static bool
parse_format(const char **p, mach_image *out)
{
    char name[48];
    size_t n = item_length(*p);
    if (n >= sizeof name)
        return false;
    memcpy(name, *p, n);
    name[n] = '\0';
    *p += n;
    out->format = mach_format_from_name(name);
    return out->format != MACH_FORMAT_none;
}

static bool
parse_size(const char **p, mach_image *out)
{
    uint32_t *const sizes[3] = {&out->width, &out->height, &out->depth};
    static const mach_dim dims[3] = {MACH_DIM_1D, MACH_DIM_2D, MACH_DIM_3D};
    for (unsigned k = 0; k < 3; k++) {
        *sizes[k] = read_number(p, MAX_SIZE);
        if (!*sizes[k])
            return false;
        out->dim = dims[k];
        if (**p != 'x')
            return !**p || **p == ',' || **p == ';';
        (*p)++;
    }
    return false;
}

static bool
parse_image_item(const char *p, size_t n, mach_image *out)
{
    const char *value = memchr(p, '=', n), *end = value ? value + 1 : NULL;
    if (is_item(p, n, "cube")) {
        out->dim = MACH_DIM_CUBE;
        return true;
    }
    uint32_t v = value ? read_number(&end, MAX_LAYERS) : 0;
    if (!v || end != p + n)
        return false;
    if (is_item(p, (size_t)(value - p), "layers")) {
        out->layers = v;
        out->array = true;
        return true;
    }
    out->levels = v;
    return is_item(p, (size_t)(value - p), "levels");
}

bool
kernel_image_parse(const char *text, mach_image *out, const char **data, const char **message)
{
    const char *p = text;
    *out = (mach_image){.height = 1, .depth = 1, .layers = 1, .levels = 1, .samples = 1};
    *data = NULL;
    if (!parse_format(&p, out))
        return fail(message, "image: begins with a format's name (r8g8b8a8_unorm)");
    out->height = out->depth = 1;
    if (*p != ',' || (p++, !parse_size(&p, out)))
        return fail(message, "expected the size after the format: W, WxH or WxHxD, up to 16384");
    out->height += !out->height;
    out->depth += !out->depth;
    while (*p == ',') {
        size_t n = item_length(++p);
        if (!parse_image_item(p, n, out))
            return fail(message, "an image's items are layers=N, levels=N and cube");
        p += n;
    }
    if (out->dim == MACH_DIM_CUBE) {
        out->array &= out->layers > 6;
        out->layers = out->layers > 6 ? out->layers : 6;
    }
    *data = *p == ';' ? p + 1 : NULL;
    return true;
}

/* Parses "compare=less" and so on. */
static bool
parse_compare(const char *p, size_t n, mach_sampler *out)
{
    static const char *const names[] = {"never",   "less",      "equal",         "less-equal",
                                        "greater", "not-equal", "greater-equal", "always"};
    static const char head[] = "compare=";
    size_t skip = sizeof head - 1;
    for (unsigned k = 0; n > skip && memcmp(p, head, skip) == 0 && k < 8; k++)
        if (is_item(p + skip, n - skip, names[k])) {
            out->compare_enable = true;
            out->compare = (uint8_t)k;
            return true;
        }
    return false;
}

bool
kernel_sampler_parse(const char *text, mach_sampler *out, const char **message)
{
    static const char *const modes[] = {"repeat", "mirror", "edge", "border", "mirror-edge"};
    *out = (mach_sampler){.max_lod = 15};
    memset(out->address, MACH_ADDRESS_CLAMP_TO_EDGE, sizeof out->address);
    for (const char *p = text;; p++) {
        size_t n = item_length(p);
        bool known = is_item(p, n, "nearest") || parse_compare(p, n, out);
        for (unsigned k = 0; k < 5; k++)
            if (is_item(p, n, modes[k])) {
                memset(out->address, (int)k, sizeof out->address);
                known = true;
            }
        if (is_item(p, n, "linear"))
            known = out->mag_linear = out->min_linear = true;
        if (is_item(p, n, "mips"))
            known = out->mip_linear = true;
        if (is_item(p, n, "unnormalized"))
            known = out->unnormalized = true;
        if (!known || p[n] == ';')
            return fail(message, "a sampler's items are nearest, linear, mips, repeat, mirror, "
                                 "edge, border, mirror-edge, unnormalized and compare=less, ...");
        p += n;
        if (!*p)
            return true;
    }
}

/* Number of depth slices or layers. */
static uint32_t
slices_of(const mach_image *m)
{
    return m->dim == MACH_DIM_3D ? m->depth : m->layers;
}

/* Size in bytes of a row of texels or of blocks, and the number of such rows. */
static uint64_t
row_bytes(const mach_image *m)
{
    const mach_format_info *f = mach_format_get(m->format);
    return (uint64_t)mach_blocks(m->width, f->block_w) * f->bytes;
}

static uint32_t
count_rows(const mach_image *m)
{
    return mach_blocks(m->height, mach_format_get(m->format)->block_h);
}

uint64_t
kernel_image_bytes(const mach_image *m)
{
    return row_bytes(m) * count_rows(m) * slices_of(m);
}

void
kernel_image_fill(mach_image *m, const uint8_t *bytes)
{
    uint64_t row = row_bytes(m);
    uint32_t step = mach_format_get(m->format)->block_h;
    for (uint32_t s = 0; s < slices_of(m); s++)
        for (uint32_t y = 0; y < count_rows(m); y++, bytes += row) {
            uint64_t at = mach_texel_offset(m, 0, y * step, s, 0, 0);
            if (at != UINT64_MAX && row <= m->size - at)
                memcpy(m->data + at, bytes, (size_t)row);
        }
}
