/* The Vulkan device: contents of buffers and images, between the script's bytes and the device. */
#include "amber/dev_vk.h"

#include <string.h>

void
amber_vk_put_barrier(vk_run *r, const vk_slot *s)
{
    VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                           .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT,
                           .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT |
                                            VK_ACCESS_HOST_READ_BIT};
    VkImageMemoryBarrier image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = s ? s->image->image : VK_NULL_HANDLE,
        .subresourceRange = {s ? amber_vk_aspects(&s->source->type->texel) : 0u, 0,
                             VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
    VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
    r->d->vk.CmdPipelineBarrier(r->d->commands, stages, stages, 0, 1, &all, 0, NULL, s != NULL,
                                &image);
}

/* Copies an aspect of an image from or to its buffer, level by level. */
static void
put_plane(vk_run *r, const vk_slot *s, VkBufferImageCopy copy, bool upload)
{
    const amber_buffer *b = s->source;
    VkExtent3D *e = &copy.imageExtent;
    const amber_component *depth = &b->type->texel.part[0];
    VkDeviceSize texel = b->type->size;
    if (s->stencil_plane)
        texel = copy.imageSubresource.aspectMask == VK_IMAGE_ASPECT_STENCIL_BIT ? 1
                : depth->bits > 16                                              ? 4
                                                                                : 2;
    for (uint32_t level = 0; level < b->mips; level++) {
        copy.imageSubresource.mipLevel = level;
        if (upload)
            r->d->vk.CmdCopyBufferToImage(r->d->commands, s->buffer, s->image->image,
                                          VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
        else
            r->d->vk.CmdCopyImageToBuffer(r->d->commands, s->image->image, VK_IMAGE_LAYOUT_GENERAL,
                                          s->buffer, 1, &copy);
        copy.bufferOffset += texel * e->width * e->height * e->depth * amber_layers(b);
        e->width = e->width > 1 ? e->width / 2 : 1;
        e->height = e->height > 1 ? e->height / 2 : 1;
        e->depth = e->depth > 1 ? e->depth / 2 : 1;
    }
}

static void
put_copies(vk_run *r, const vk_slot *s, bool upload)
{
    const amber_buffer *b = s->source;
    VkImageAspectFlags aspects = amber_vk_aspects(&b->type->texel);
    VkBufferImageCopy copy = {.imageSubresource = {aspects, 0, 0, amber_layers(b)},
                              .imageExtent = {b->width, b->height, b->depth}};
    if (s->stencil_plane)
        copy.imageSubresource.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    put_plane(r, s, copy, upload);
    if (!s->stencil_plane)
        return;
    copy.imageSubresource.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
    copy.bufferOffset = s->stencil_plane;
    put_plane(r, s, copy, upload);
}

/* Sets the contents of a multisampled image to zero. */
static void
put_zeros(vk_run *r, const vk_slot *s)
{
    VkClearColorValue color = {{0}};
    VkClearDepthStencilValue depth = {0};
    VkImageAspectFlags aspects = amber_vk_aspects(&s->source->type->texel);
    VkImageSubresourceRange all = {aspects, 0, VK_REMAINING_MIP_LEVELS, 0,
                                   VK_REMAINING_ARRAY_LAYERS};
    if (aspects == VK_IMAGE_ASPECT_COLOR_BIT)
        r->d->vk.CmdClearColorImage(r->d->commands, s->image->image, VK_IMAGE_LAYOUT_GENERAL,
                                    &color, 1, &all);
    else
        r->d->vk.CmdClearDepthStencilImage(r->d->commands, s->image->image, VK_IMAGE_LAYOUT_GENERAL,
                                           &depth, 1, &all);
}

void
amber_vk_put_uploads(vk_run *r)
{
    for (uint32_t i = 0; i < r->slot_count; i++) {
        vk_slot *s = &r->slots[i];
        if (!s->image)
            continue;
        if (s->image->fresh)
            amber_vk_put_barrier(r, s);
        if (s->own_image)
            put_copies(r, s, true);
        else if (s->image->fresh)
            put_zeros(r, s);
        s->image->fresh = false;
    }
    amber_vk_put_barrier(r, NULL);
}

void
amber_vk_put_downloads(vk_run *r)
{
    for (uint32_t i = 0; i < r->slot_count; i++)
        if (r->slots[i].own_image)
            put_copies(r, &r->slots[i], false);
    amber_vk_put_barrier(r, NULL);
}

/* Moves a component between the script's texels and its plane. */
static void
move_plane(const vk_slot *s, uint8_t *bytes, unsigned component, bool read)
{
    const amber_component *c = &s->source->type->texel.part[component];
    size_t size = s->source->type->size, n = (size_t)(s->source->size / size);
    size_t step = component ? 1 : c->bits > 16 ? 4 : 2;
    uint8_t *plane = s->mapped + (component ? s->stencil_plane : 0);
    bytes += c->shift / 8;
    for (size_t i = 0; i < n; i++)
        memcpy(read ? bytes + i * size : plane + i * step,
               read ? plane + i * step : bytes + i * size, c->bits / 8u);
}

/* The depth is the first component of a format with both (formats.def). */
void
amber_vk_write_slot(const vk_run *r, vk_slot *s)
{
    const amber_memory *m = &r->memory[s->source->index];
    if (!s->stencil_plane) {
        memcpy(s->mapped, m->bytes, (size_t)m->size);
        return;
    }
    move_plane(s, m->bytes, 0, false);
    move_plane(s, m->bytes, 1, false);
}

void
amber_vk_read_slots(const vk_run *r)
{
    for (uint32_t i = 0; i < r->slot_count; i++) {
        const vk_slot *s = &r->slots[i];
        const amber_memory *m = &r->memory[i];
        if (!s->source || (s->image && !s->own_image))
            continue;
        if (!s->stencil_plane) {
            memcpy(m->bytes, s->mapped, (size_t)m->size);
            continue;
        }
        move_plane(s, m->bytes, 0, true);
        move_plane(s, m->bytes, 1, true);
    }
}
