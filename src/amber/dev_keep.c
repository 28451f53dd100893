/* Images that are kept; see dev_keep.h. */
#include "amber/dev_keep.h"

#include "amber/dev_emu.h"

bool
amber_keep_is_image(amber_descriptor kind)
{
    return kind == AMBER_BIND_STORAGE_IMAGE || kind == AMBER_BIND_SAMPLED_IMAGE ||
           kind == AMBER_BIND_COMBINED;
}

static bool
is_read_only(amber_descriptor kind)
{
    return kind == AMBER_BIND_UNIFORM || kind == AMBER_BIND_UNIFORM_DYNAMIC ||
           kind == AMBER_BIND_UNIFORM_TEXEL || kind == AMBER_BIND_SAMPLED_IMAGE ||
           kind == AMBER_BIND_COMBINED;
}

static amber_kept_image *
find(const amber_keep *k, const amber_buffer *b)
{
    return b && b->index < k->count ? k->images[b->index] : NULL;
}

void
amber_keep_sync(amber_keep *k, const amber_buffer *b, const amber_memory *m, bool write)
{
    amber_kept_image *i = find(k, b);
    if (!i)
        return;
    if (i->state == AMBER_KEPT_NEWER) {
        amber_emu_image_get(&i->image, b, m->bytes);
        i->state = AMBER_KEPT_SAME;
    }
    if (write)
        i->state = AMBER_KEPT_OLDER;
}

void
amber_keep_sync_all(amber_keep *k, const amber_memory *memory)
{
    for (size_t n = 0; n < k->count; n++)
        if (k->images[n])
            amber_keep_sync(k, k->images[n]->source, &memory[n], false);
}

void
amber_keep_before(amber_keep *k, const amber_dispatch *run)
{
    const amber_pipeline *p = run->pipeline;
    for (uint32_t n = 0; n < p->binding_count && k->count; n++) {
        const amber_binding *b = &p->bindings[n];
        if (b->buffer && !amber_keep_is_image(b->kind))
            amber_keep_sync(k, b->buffer, &run->memory[b->buffer->index], false);
    }
    for (uint32_t n = 0; n < run->addressed_count && k->count; n++)
        amber_keep_sync(k, run->addressed[n], &run->memory[run->addressed[n]->index], false);
}

/* Describes the image of a buffer, laid out; `size` is 0 if it has no layout. */
static void
lay_out(const amber_keep *k, const amber_buffer *b, mach_image *m)
{
    m->size = amber_emu_image(b, m);
    if (m->size && k->target && family_emulator_of(k->target)->layout_image)
        m->size = family_emulator_of(k->target)->layout_image(k->target, m);
}

static void
set_image(amber_keep *k, uint32_t index, amber_kept_image *i)
{
    k->images = arena_grow_zeroed(k->arena, k->images, &k->cap, (size_t)index + 1,
                                  sizeof *k->images);
    k->count = k->count > index ? k->count : (size_t)index + 1;
    k->images[index] = i;
}

const mach_image *
amber_keep_image(amber_keep *k, const amber_buffer *b, const amber_memory *memory)
{
    amber_kept_image *i = find(k, b);
    if (!i) {
        i = ARENA_NEW(k->arena, amber_kept_image);
        i->source = b;
        lay_out(k, b, &i->image);
        if (!i->image.size)
            return NULL;
        i->image.data = arena_zalloc_sparse(k->arena, (size_t)i->image.size);
        i->state = AMBER_KEPT_OLDER;
        set_image(k, b->index, i);
    }
    if (i->state == AMBER_KEPT_OLDER) {
        amber_emu_image_put(&i->image, b, memory[b->index].bytes);
        i->state = AMBER_KEPT_SAME;
    }
    return &i->image;
}

void
amber_keep_after(amber_keep *k, const amber_dispatch *run)
{
    const amber_pipeline *p = run->pipeline;
    for (uint32_t n = 0; n < run->addressed_count && k->count; n++)
        amber_keep_sync(k, run->addressed[n], &run->memory[run->addressed[n]->index], true);
    /* A buffer that is bound in both ways has two copies; the image's is what remains. */
    for (int images = 0; images < 2; images++) {
        for (uint32_t n = 0; n < p->binding_count && k->count; n++) {
            const amber_binding *b = &p->bindings[n];
            amber_kept_image *i = find(k, b->buffer);
            if (i && !is_read_only(b->kind) && amber_keep_is_image(b->kind) == (images == 1))
                i->state = images ? AMBER_KEPT_NEWER : AMBER_KEPT_OLDER;
        }
    }
}

void
amber_keep_drawn(amber_keep *k, const amber_buffer *b)
{
    amber_kept_image *i = find(k, b);
    if (i)
        i->state = AMBER_KEPT_NEWER;
}
