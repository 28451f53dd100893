/* PNG files, with libpng. */
#include "run_png.h"

#include "cli.h"

#include <stdio.h>

#if HEDDLE_HAS_PNG

#include <math.h>
#include <png.h>
#include <string.h>

enum { MAX_SIDE = 1 << 14 }; /* limit in pixels for files that are read */

bool
run_has_png(void)
{
    return true;
}

bool
run_read_png(arena *a, const char *path, const uint8_t **rgba, uint32_t *width, uint32_t *height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels = NULL;
    if (png_image_begin_read_from_file(&image, path) && image.width <= MAX_SIDE &&
        image.height <= MAX_SIDE) {
        image.format = PNG_FORMAT_RGBA;
        pixels = arena_alloc(a, PNG_IMAGE_SIZE(image));
        if (!png_image_finish_read(&image, NULL, pixels, 0, NULL))
            pixels = NULL;
    }
    *rgba = pixels;
    *width = image.width;
    *height = image.height;
    png_image_free(&image);
    return pixels != NULL;
}

static bool
is_integer(const amber_texel *t)
{
    return t->part[0].mode == AMBER_UINT || t->part[0].mode == AMBER_SINT;
}

bool
run_write_png(arena *a, const char *path, const amber_buffer *b, const uint8_t *bytes)
{
    const amber_texel *t = &b->type->texel;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = b->width,
                       .height = b->height,
                       .format = PNG_FORMAT_RGBA};
    uint8_t *pixels = arena_alloc(a, PNG_IMAGE_SIZE(image));
    double scale = is_integer(t) ? 1.0 / 255.0 : 1.0, c[4];
    for (size_t i = 0; i < (size_t)b->width * b->height; i++) {
        amber_texel_decode(t, bytes + i * b->type->size, c);
        for (unsigned k = 0; k < 4; k++)
            pixels[4 * i + k] = (uint8_t)lrint(255.0 * fmin(fmax(c[k] * scale, 0.0), 1.0));
    }
    if (png_image_write_to_file(&image, path, 0, pixels, 0, NULL))
        return true;
    cli_error(path, "FILE_WRITE", "%s", image.message);
    return false;
}

#else

bool
run_has_png(void)
{
    return false;
}

bool
run_read_png(arena *a, const char *path, const uint8_t **rgba, uint32_t *width, uint32_t *height)
{
    (void)a, (void)path, (void)rgba, (void)width, (void)height;
    return false;
}

bool
run_write_png(arena *a, const char *path, const amber_buffer *b, const uint8_t *bytes)
{
    (void)a, (void)b, (void)bytes;
    cli_error(path, "NO_PNG", "this heddle was built without libpng");
    return false;
}

#endif
