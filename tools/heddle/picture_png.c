/* PNG files, with libpng. */
#include "picture_png.h"

#include "cli.h"

#if HEDDLE_HAS_PNG

#include <png.h>
#include <stdlib.h>

enum { MAX_SIDE = 1 << 14 }; /* limit in pixels for files that are read */

bool
picture_has_png(void)
{
    return true;
}

bool
picture_read_png(arena *a, const char *path, picture *out)
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
    *out = (picture){image.width, image.height, pixels};
    png_image_free(&image);
    return pixels != NULL;
}

static png_image
describe(const picture *p)
{
    return (png_image){.version = PNG_IMAGE_VERSION,
                       .width = p->width,
                       .height = p->height,
                       .format = PNG_FORMAT_RGBA};
}

bool
picture_write_png(const char *path, const picture *p)
{
    png_image image = describe(p);
    if (png_image_write_to_file(&image, path, 0, p->rgba, 0, NULL))
        return true;
    cli_error(path, "FILE_WRITE", "%s", image.message);
    return false;
}

uint8_t *
picture_png_bytes(const picture *p, size_t *size)
{
    png_image image = describe(p);
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *bytes = malloc(room);
    bool ok = bytes && png_image_write_to_memory(&image, bytes, &room, 0, p->rgba, 0, NULL);
    *size = room;
    if (ok)
        return bytes;
    free(bytes);
    return NULL;
}

#else

bool
picture_has_png(void)
{
    return false;
}

bool
picture_read_png(arena *a, const char *path, picture *out)
{
    (void)a, (void)path;
    *out = (picture){0};
    return false;
}

bool
picture_write_png(const char *path, const picture *p)
{
    (void)p;
    cli_error(path, "NO_PNG", "this heddle was built without libpng");
    return false;
}

uint8_t *
picture_png_bytes(const picture *p, size_t *size)
{
    (void)p;
    *size = 0;
    return NULL;
}

#endif
