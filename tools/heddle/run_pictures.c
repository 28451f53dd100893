#include "run_pictures.h"
#include "picture_png.h"

#include "amber/check.h"

#include <string.h>

/* DIR/SCRIPT.TARGET.IMAGE and what follows. */
static const char *
file_name(const run_pictures *p, const amber_buffer *b, const char *tail)
{
    const char *slash = strrchr(p->path, '/');
    return arena_printf(p->arena, "%s/%s.%s.%s%s.png", p->dir, slash ? slash + 1 : p->path,
                        p->target, b->name, tail);
}

/* The parts of an image: what is added to its name for each. */
static const struct {
    picture_part part;
    const char *tail;
} parts[] = {{PICTURE_COLOR, ""}, {PICTURE_DEPTH, ""}, {PICTURE_STENCIL, ".stencil"}};

enum { PARTS = sizeof parts / sizeof parts[0] };

static void
write_image(const run_pictures *p, const amber_buffer *b, const uint8_t *bytes)
{
    for (unsigned k = 0; k < PARTS; k++) {
        for (uint32_t level = 0; level < b->mips && picture_has_part(b, parts[k].part); level++) {
            const char *tail = level ? arena_printf(p->arena, "%s.level%u", parts[k].tail, level)
                                     : parts[k].tail;
            picture image = picture_of_buffer(p->arena, b, bytes, level, parts[k].part);
            picture_write_png(file_name(p, b, tail), &image);
        }
    }
}

/* One part of the first level of what a comparison has found wrong. */
static void
write_comparison(const run_pictures *p, const amber_buffer *b, const uint8_t *actual,
                 const uint8_t *expected, unsigned k)
{
    const char *tail = parts[k].tail;
    picture a = picture_of_buffer(p->arena, b, actual, 0, parts[k].part);
    picture e = picture_of_buffer(p->arena, b, expected, 0, parts[k].part);
    picture d = picture_difference(p->arena, &a, &e);
    picture_write_png(file_name(p, b, arena_printf(p->arena, "%s.actual", tail)), &a);
    picture_write_png(file_name(p, b, arena_printf(p->arena, "%s.expected", tail)), &e);
    picture_write_png(file_name(p, b, arena_printf(p->arena, "%s.difference", tail)), &d);
}

static void
write_failure(const run_pictures *p, const amber_memory *memory, const amber_command *failed)
{
    const amber_buffer *b = failed->buffer;
    const uint8_t *expected = amber_expected_bytes(p->arena, failed, memory);
    if (!expected || !picture_is_image(b) || b->samples > 1)
        return;
    for (unsigned k = 0; k < PARTS; k++) {
        if (picture_has_part(b, parts[k].part))
            write_comparison(p, b, memory[b->index].bytes, expected, k);
    }
}

void
run_write_pictures(void *user, const amber_script *script, const amber_memory *memory,
                   const amber_command *failed)
{
    const run_pictures *p = user;
    for (uint32_t i = 0; i < script->buffer_count; i++) {
        const amber_buffer *b = script->buffers[i];
        if (picture_is_image(b) && (b->samples == 1 || p->has_samples))
            write_image(p, b, memory[i].bytes);
    }
    if (failed)
        write_failure(p, memory, failed);
}
