/* The Vulkan device: buffers, images, views and samplers of one run.
 *
 * Each buffer of the script that the pipeline uses gets a host-visible VkBuffer with its contents.
 * An image also gets a VkImage, which the run fills from that buffer and copies back. Multisampled
 * images cannot be copied and live until the script ends.
 */
#include "amber/dev_vk.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BINDING = 4096 };

bool
amber_vk_is_ok(vk_run *r, VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return true;
    return amber_set_result(r->result, AMBER_FAIL, "%s: VkResult %d", what, (int)result);
}

VkResult
amber_vk_allocate(vk_device *d, VkMemoryRequirements needs, VkMemoryPropertyFlags flags,
                  bool addressed, VkDeviceMemory *out)
{
    const VkMemoryAllocateFlagsInfo address = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    for (uint32_t i = 0; i < d->memory.memoryTypeCount; i++) {
        if (!(needs.memoryTypeBits >> i & 1) ||
            (d->memory.memoryTypes[i].propertyFlags & flags) != flags)
            continue;
        VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .pNext = addressed ? &address : NULL,
                                     .allocationSize = needs.size,
                                     .memoryTypeIndex = i};
        return d->vk.AllocateMemory(d->device, &info, NULL, out);
    }
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static bool
is_image_kind(amber_descriptor kind)
{
    return kind == AMBER_BIND_STORAGE_IMAGE || kind == AMBER_BIND_SAMPLED_IMAGE ||
           kind == AMBER_BIND_COMBINED;
}

static bool
is_texel_kind(amber_descriptor kind)
{
    return kind == AMBER_BIND_UNIFORM_TEXEL || kind == AMBER_BIND_STORAGE_TEXEL;
}

/* Compares by set, binding and element. */
static int
compare_bindings(const void *a, const void *b)
{
    const amber_binding *x = a, *y = b;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    if (x->binding != y->binding)
        return x->binding < y->binding ? -1 : 1;
    return x->element < y->element ? -1 : x->element > y->element;
}

VkImageAspectFlags
amber_vk_aspects(const amber_texel *t)
{
    VkImageAspectFlags aspects = 0;
    for (unsigned i = 0; i < t->count; i++)
        aspects |= t->part[i].name == 'D'   ? VK_IMAGE_ASPECT_DEPTH_BIT
                   : t->part[i].name == 'S' ? VK_IMAGE_ASPECT_STENCIL_BIT
                                            : 0u;
    return aspects ? aspects : VK_IMAGE_ASPECT_COLOR_BIT;
}

static void
use_buffer(vk_run *r, const amber_buffer *b, VkImageUsageFlags usage)
{
    if (!b)
        return;
    r->slots[b->index].source = b;
    r->slots[b->index].usage |= usage;
}

static VkImageUsageFlags
binding_usage(amber_descriptor kind)
{
    return kind == AMBER_BIND_STORAGE_IMAGE ? VK_IMAGE_USAGE_STORAGE_BIT
           : is_image_kind(kind)            ? VK_IMAGE_USAGE_SAMPLED_BIT
                                            : 0u;
}

static void
use_attachments(vk_run *r, const amber_graphics *g)
{
    for (uint32_t i = 0; i < g->target_count; i++) {
        use_buffer(r, g->targets[i].buffer, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
        use_buffer(r, g->targets[i].resolve, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    }
    use_buffer(r, g->depth_stencil, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
}

/* One more than the greatest index of a buffer that may be used. */
static uint32_t
count_slots(const vk_run *r)
{
    const amber_graphics *g = r->source->graphics;
    uint32_t n = 0;
#define COUNT_SLOT(b) n = (b) && (b)->index >= n ? (b)->index + 1 : n
    for (uint32_t i = 0; i < r->binding_count; i++)
        COUNT_SLOT(r->bindings[i].buffer);
    for (uint32_t i = 0; g && i < g->target_count; i++) {
        COUNT_SLOT(g->targets[i].buffer);
        COUNT_SLOT(g->targets[i].resolve);
    }
    if (g)
        COUNT_SLOT(g->depth_stencil);
    for (uint32_t i = 0; r->vertices && i < r->vertices->input_count; i++)
        COUNT_SLOT(r->vertices->inputs[i].buffer);
    if (r->vertices)
        COUNT_SLOT(r->vertices->index);
#undef COUNT_SLOT
    return n;
}

static bool
prepare_bindings(vk_run *r)
{
    const amber_pipeline *p = r->source;
    r->binding_count = p->binding_count;
    r->bindings = arena_copy(r->arena, p->bindings, p->binding_count * sizeof *p->bindings);
    r->views = ARENA_ARRAY(r->arena, p->binding_count, vk_view);
    qsort(r->bindings, r->binding_count, sizeof *r->bindings, compare_bindings);
    for (uint32_t i = 0; i < r->binding_count; i++) {
        const amber_binding *b = &r->bindings[i];
        if (b->set >= r->d->properties.core.properties.limits.maxBoundDescriptorSets ||
            b->binding >= MAX_BINDING)
            return amber_set_result(r->result, AMBER_SKIP, "descriptor set %u binding %u", b->set,
                                    b->binding);
        if (b->set >= r->set_count)
            r->set_count = b->set + 1;
    }
    return true;
}

bool
amber_vk_prepare(vk_run *r)
{
    if (!r->clear && !prepare_bindings(r))
        return false;
    r->slot_count = count_slots(r);
    r->slots = ARENA_ARRAY(r->arena, r->slot_count, vk_slot);
    for (uint32_t i = 0; i < r->binding_count; i++)
        use_buffer(r, r->bindings[i].buffer, binding_usage(r->bindings[i].kind));
    if (r->source->graphics)
        use_attachments(r, r->source->graphics);
    for (uint32_t i = 0; r->vertices && i < r->vertices->input_count; i++)
        use_buffer(r, r->vertices->inputs[i].buffer, 0);
    if (r->vertices)
        use_buffer(r, r->vertices->index, 0);
    r->layouts = ARENA_ARRAY(r->arena, r->set_count, VkDescriptorSetLayout);
    r->sets = ARENA_ARRAY(r->arena, r->set_count, VkDescriptorSet);
    r->modules = ARENA_ARRAY(r->arena, r->stage_count, VkShaderModule);
    return true;
}

/* The bytes of a slot's buffer, and where its stencils are. */
static VkDeviceSize
plan_buffer(vk_slot *s)
{
    const amber_buffer *b = s->source;
    VkDeviceSize texels = b->size / b->type->size;
    VkDeviceSize depths = texels * (b->type->texel.part[0].bits > 16 ? 4 : 2);
    if (!s->usage || amber_vk_aspects(&b->type->texel) !=
                         (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT))
        return b->size ? b->size : 4;
    s->stencil_plane = (depths + 3) & ~(VkDeviceSize)3; /* offsets of copies are multiples of 4 */
    return s->stencil_plane + texels;
}

static bool
create_buffer(vk_run *r, vk_slot *s)
{
    vk_device *d = r->d;
    VkMemoryRequirements needs;
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = plan_buffer(s),
        .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                 VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                 VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
    };
    if (!amber_vk_is_ok(r, d->vk.CreateBuffer(d->device, &info, NULL, &s->buffer),
                        "vkCreateBuffer"))
        return false;
    d->vk.GetBufferMemoryRequirements(d->device, s->buffer, &needs);
    VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                 VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    void *mapped;
    if (!amber_vk_is_ok(r, amber_vk_allocate(d, needs, host, false, &s->memory),
                        "memory of a buffer") ||
        !amber_vk_is_ok(r, d->vk.BindBufferMemory(d->device, s->buffer, s->memory, 0),
                        "vkBindBufferMemory") ||
        !amber_vk_is_ok(r, d->vk.MapMemory(d->device, s->memory, 0, VK_WHOLE_SIZE, 0, &mapped),
                        "vkMapMemory"))
        return false;
    s->mapped = mapped;
    amber_vk_write_slot(r, s);
    return true;
}

static VkImageType
image_type(const amber_buffer *b)
{
    return b->dim == AMBER_1D   ? VK_IMAGE_TYPE_1D
           : b->dim == AMBER_3D ? VK_IMAGE_TYPE_3D
                                : VK_IMAGE_TYPE_2D;
}

static bool
is_format_supported(vk_run *r, const VkImageCreateInfo *info)
{
    VkImageFormatProperties p;
    return r->d->vk.GetPhysicalDeviceImageFormatProperties(
               r->d->physical, info->format, info->imageType, info->tiling, info->usage,
               info->flags, &p) == VK_SUCCESS &&
           p.sampleCounts & info->samples && p.maxMipLevels >= info->mipLevels &&
           p.maxArrayLayers >= info->arrayLayers;
}

/* A multisampled image may be used in another way later, so it gets all usages that there are. */
static bool
choose_usage(vk_run *r, const vk_slot *s, VkImageCreateInfo *info)
{
    static const VkImageUsageFlags later[] = {
        VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
        VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
        VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
        VK_IMAGE_USAGE_SAMPLED_BIT,
        0,
    };
    VkImageUsageFlags usage = s->usage | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                              VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    for (size_t i = s->source->samples > 1 ? 0 : 4; i < 5; i++) {
        info->usage = usage | later[i];
        if (is_format_supported(r, info))
            return true;
    }
    return false;
}

static bool
create_image(vk_run *r, vk_slot *s)
{
    vk_device *d = r->d;
    const amber_buffer *b = s->source;
    if (!b->type->has_texel || !b->elements)
        return amber_set_result(r->result, AMBER_FAIL, "%s cannot be bound as an image", b->name);
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = image_type(b),
        .format = (VkFormat)b->type->texel.vk,
        .extent = {b->width, b->height, b->depth},
        .mipLevels = b->mips,
        .flags = b->cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0u,
        .arrayLayers = amber_layers(b),
        .samples = (VkSampleCountFlagBits)b->samples,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
    };
    if (!choose_usage(r, s, &info))
        return amber_set_result(r->result, AMBER_SKIP, "image of format %s with %u samples",
                                b->type->texel.name, b->samples);
    /* A kept image outlives the dispatch, so its record must too. */
    vk_image *image = ARENA_NEW(b->samples > 1 ? d->arena : r->arena, vk_image);
    image->source = b;
    image->fresh = true;
    if (!amber_vk_is_ok(r, d->vk.CreateImage(d->device, &info, NULL, &image->image),
                        "vkCreateImage"))
        return false;
    s->image = image;
    s->own_image = b->samples == 1;
    if (!s->own_image) {
        image->next = d->kept;
        d->kept = image;
    }
    VkMemoryRequirements needs;
    d->vk.GetImageMemoryRequirements(d->device, image->image, &needs);
    return amber_vk_is_ok(r, amber_vk_allocate(d, needs, 0, false, &image->memory),
                          "memory of an image") &&
           amber_vk_is_ok(r, d->vk.BindImageMemory(d->device, image->image, image->memory, 0),
                          "vkBindImageMemory");
}

static bool
get_image(vk_run *r, vk_slot *s)
{
    for (vk_image *i = r->d->kept; i && s->source->samples > 1; i = i->next) {
        if (i->source == s->source) {
            s->image = i;
            return true;
        }
    }
    return create_image(r, s);
}

static bool
create_texel_view(vk_run *r, const amber_binding *b, vk_view *v)
{
    vk_device *d = r->d;
    const amber_type *t = b->buffer->type;
    VkFormatProperties properties;
    bool storage = b->kind == AMBER_BIND_STORAGE_TEXEL;
    if (!t->has_texel)
        return amber_set_result(r->result, AMBER_FAIL, "%s cannot be bound as a texel buffer",
                                b->buffer->name);
    d->vk.GetPhysicalDeviceFormatProperties(d->physical, (VkFormat)t->texel.vk, &properties);
    if (!(properties.bufferFeatures & (storage ? VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT
                                               : VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT)))
        return amber_set_result(r->result, AMBER_SKIP, "texel buffer of format %s", t->texel.name);
    VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = r->slots[b->buffer->index].buffer,
        .format = (VkFormat)t->texel.vk,
        .offset = b->offset,
        .range = b->range == AMBER_WHOLE_RANGE ? VK_WHOLE_SIZE : b->range,
    };
    return amber_vk_is_ok(r, d->vk.CreateBufferView(d->device, &info, NULL, &v->texels),
                          "vkCreateBufferView");
}

static VkImageViewType
view_type(const amber_buffer *b)
{
    static const VkImageViewType types[] = {VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_2D,
                                            VK_IMAGE_VIEW_TYPE_3D};
    static const VkImageViewType arrays[] = {VK_IMAGE_VIEW_TYPE_1D_ARRAY,
                                             VK_IMAGE_VIEW_TYPE_2D_ARRAY};
    if (b->cube)
        return amber_is_array(b) ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
    return amber_is_array(b) ? arrays[image_type(b)] : types[image_type(b)];
}

static bool
create_image_view(vk_run *r, const amber_binding *b, vk_view *v)
{
    bool storage = b->kind == AMBER_BIND_STORAGE_IMAGE;
    VkImageAspectFlags aspects = amber_vk_aspects(&b->buffer->type->texel);
    if (aspects & VK_IMAGE_ASPECT_DEPTH_BIT)
        aspects = VK_IMAGE_ASPECT_DEPTH_BIT; /* what is sampled of both */
    VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = r->slots[b->buffer->index].image->image,
        .viewType = view_type(b->buffer),
        .format = (VkFormat)b->buffer->type->texel.vk,
        .subresourceRange = {aspects, b->base_mip, storage ? 1 : VK_REMAINING_MIP_LEVELS, 0,
                             VK_REMAINING_ARRAY_LAYERS},
    };
    return amber_vk_is_ok(r, r->d->vk.CreateImageView(r->d->device, &info, NULL, &v->image),
                          "vkCreateImageView");
}

static bool
create_sampler(vk_run *r, const amber_sampler *s, vk_view *v)
{
    VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = s->mag == AMBER_LINEAR ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
        .minFilter = s->min == AMBER_LINEAR ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
        .mipmapMode = s->mip == AMBER_LINEAR ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                             : VK_SAMPLER_MIPMAP_MODE_NEAREST,
        .addressModeU = (VkSamplerAddressMode)s->address[0],
        .addressModeV = (VkSamplerAddressMode)s->address[1],
        .addressModeW = (VkSamplerAddressMode)s->address[2],
        .anisotropyEnable = s->max_anisotropy > 1,
        .maxAnisotropy = (float)s->max_anisotropy,
        .compareEnable = s->compare,
        .compareOp = (VkCompareOp)s->compare_op,
        .minLod = s->min_lod,
        .maxLod = s->max_lod,
        .borderColor = (VkBorderColor)s->border,
        .unnormalizedCoordinates = s->unnormalized,
    };
    return amber_vk_is_ok(r, r->d->vk.CreateSampler(r->d->device, &info, NULL, &v->sampler),
                          "vkCreateSampler");
}

static bool
create_target_view(vk_run *r, const amber_buffer *b, uint32_t mip, VkImageView *out)
{
    VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = b ? r->slots[b->index].image->image : VK_NULL_HANDLE,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = b ? (VkFormat)b->type->texel.vk : VK_FORMAT_UNDEFINED,
        .subresourceRange = {b ? amber_vk_aspects(&b->type->texel) : 0u, mip, 1, 0, 1},
    };
    return !b || amber_vk_is_ok(r, r->d->vk.CreateImageView(r->d->device, &info, NULL, out),
                                "vkCreateImageView");
}

static bool
create_target_views(vk_run *r, const amber_graphics *g)
{
    for (uint32_t i = 0; i < g->target_count; i++) {
        const amber_target *t = &g->targets[i];
        if (!create_target_view(r, t->buffer, t->mip, &r->targets.color[i]) ||
            !create_target_view(r, t->resolve, 0, &r->targets.resolve[i]))
            return false;
    }
    return create_target_view(r, g->depth_stencil, 0, &r->targets.depth_stencil);
}

bool
amber_vk_create_resources(vk_run *r)
{
    for (uint32_t i = 0; i < r->slot_count; i++) {
        vk_slot *s = &r->slots[i];
        if (s->source && (!create_buffer(r, s) || (s->usage && !get_image(r, s))))
            return false;
    }
    for (uint32_t i = 0; i < r->binding_count; i++) {
        const amber_binding *b = &r->bindings[i];
        if (is_image_kind(b->kind) && !create_image_view(r, b, &r->views[i]))
            return false;
        if (is_texel_kind(b->kind) && !create_texel_view(r, b, &r->views[i]))
            return false;
        if (b->sampler && !create_sampler(r, b->sampler, &r->views[i]))
            return false;
    }
    return amber_vk_create_accels(r) &&
           (!r->source->graphics || create_target_views(r, r->source->graphics));
}

static void
destroy_image(vk_device *d, vk_image *i)
{
    d->vk.DestroyImage(d->device, i->image, NULL);
    d->vk.FreeMemory(d->device, i->memory, NULL);
}

/* Handles that were never created are null, which Vulkan ignores. */
void
amber_vk_destroy_resources(vk_run *r)
{
    vk_device *d = r->d;
    for (uint32_t i = 0; i < r->binding_count; i++) {
        d->vk.DestroyBufferView(d->device, r->views[i].texels, NULL);
        d->vk.DestroyImageView(d->device, r->views[i].image, NULL);
        d->vk.DestroySampler(d->device, r->views[i].sampler, NULL);
    }
    for (uint32_t i = 0; i < AMBER_MAX_TARGETS; i++) {
        d->vk.DestroyImageView(d->device, r->targets.color[i], NULL);
        d->vk.DestroyImageView(d->device, r->targets.resolve[i], NULL);
    }
    d->vk.DestroyImageView(d->device, r->targets.depth_stencil, NULL);
    amber_vk_destroy_accels(r);
    for (uint32_t i = 0; i < r->slot_count; i++) {
        vk_slot *s = &r->slots[i];
        if (s->own_image)
            destroy_image(d, s->image);
        d->vk.DestroyBuffer(d->device, s->buffer, NULL);
        d->vk.FreeMemory(d->device, s->memory, NULL);
    }
}

void
amber_vk_end_script(amber_device *base)
{
    vk_device *d = (vk_device *)base;
    if (d->lost)
        return;
    for (vk_image *i = d->kept; i; i = i->next)
        destroy_image(d, i);
    d->kept = NULL;
}
