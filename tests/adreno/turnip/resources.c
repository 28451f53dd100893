/* Buffers, images, views and samplers of the program on turnip.
 *
 * Images are linear, because the emulator has no others, and are filled and read through their
 * mapping, in the layout that turnip says: the 2D engine, which would copy, is not emulated. What
 * has no linear image is lacking. A resource that is bound as an image and as a buffer is both, and
 * the image's contents are taken back. */
#include "program.h"

#include <string.h>

static uint32_t
memory_type(const vulkan *v, uint32_t allowed)
{
    VkPhysicalDeviceMemoryProperties p;
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                         VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    CALL(v, vkGetPhysicalDeviceMemoryProperties)(v->physical, &p);
    for (uint32_t k = 0; k < p.memoryTypeCount; k++)
        if (allowed >> k & 1 && (p.memoryTypes[k].propertyFlags & wanted) == wanted)
            return k;
    give_up("no memory that is coherent");
}

static uint8_t *
map_memory(const vulkan *v, const VkMemoryRequirements *need, VkDeviceMemory *memory)
{
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = need->size,
                                           .memoryTypeIndex = memory_type(v, need->memoryTypeBits)};
    void *mapped;
    check(CALL(v, vkAllocateMemory)(v->device, &allocate, NULL, memory), "no memory");
    check(CALL(v, vkMapMemory)(v->device, *memory, 0, VK_WHOLE_SIZE, 0, &mapped), "no mapping");
    return mapped;
}

static void
make_buffer(vulkan *v, const job *j, uint32_t k)
{
    const uint32_t size = j->buffers[k]->size;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = size ? size : 4,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                                              VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                              VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT};
    VkMemoryRequirements need;
    VkDeviceMemory memory;
    check(CALL(v, vkCreateBuffer)(v->device, &info, NULL, &v->buffers[k]), "no buffer");
    CALL(v, vkGetBufferMemoryRequirements)(v->device, v->buffers[k], &need);
    v->mapped[k] = map_memory(v, &need, &memory);
    CALL(v, vkBindBufferMemory)(v->device, v->buffers[k], memory, 0);
    memcpy(v->mapped[k], j->bytes_of[k], size);
}

/* ---- images ---- */

/* How the descriptors use a resource as an image; 0: they do not. */
static VkImageUsageFlags
image_usage(const job *j, uint32_t buffer)
{
    static const VkImageUsageFlags usages[] = {
        [VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER] = VK_IMAGE_USAGE_SAMPLED_BIT,
        [VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE] = VK_IMAGE_USAGE_SAMPLED_BIT,
        [VK_DESCRIPTOR_TYPE_STORAGE_IMAGE] = VK_IMAGE_USAGE_STORAGE_BIT};
    VkImageUsageFlags usage = 0;
    for (uint32_t k = 0; k < j->head->n_descriptors; k++)
        if (j->descriptors[k].buffer == buffer &&
            j->descriptors[k].type <= VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
            usage |= usages[j->descriptors[k].type];
    return usage;
}

static VkImageAspectFlags
aspect_of(const device_job_buffer *b)
{
    switch ((VkFormat)b->format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D32_SFLOAT: return VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_FORMAT_S8_UINT: return VK_IMAGE_ASPECT_STENCIL_BIT;
    case VK_FORMAT_D16_UNORM_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT: lack("images of depths and stencils have planes");
    default: return VK_IMAGE_ASPECT_COLOR_BIT;
    }
}

static uint32_t
layers_of(const device_job_buffer *b)
{
    return b->layers ? b->layers : 1;
}

static uint32_t
size_at(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

static void
check_image(const vulkan *v, const VkImageCreateInfo *i)
{
    VkImageFormatProperties p = {0};
    const VkResult r = CALL(v, vkGetPhysicalDeviceImageFormatProperties)(
        v->physical, i->format, i->imageType, i->tiling, i->usage, i->flags, &p);
    const char *use = i->usage & VK_IMAGE_USAGE_STORAGE_BIT ? "stored to" : "sampled";
    if (r != VK_SUCCESS)
        lack("turnip has no linear images of VkFormat %d and %d dimensions that are %s", i->format,
             i->imageType + 1, use);
    if (!(p.sampleCounts & i->samples))
        lack("turnip has no linear images of VkFormat %d with %d samples that are %s", i->format,
             i->samples, use);
    if (p.maxMipLevels < i->mipLevels || p.maxArrayLayers < i->arrayLayers)
        lack("turnip has no linear images of VkFormat %d with %u levels and %u layers", i->format,
             i->mipLevels, i->arrayLayers);
}

/* Moves an image's contents: `bytes` has them tightly packed, level after level. */
static void
move_image(const vulkan *v, const job *j, uint32_t k, bool fill)
{
    const device_job_buffer *b = j->buffers[k];
    uint8_t *packed = j->bytes_of[k];
    for (uint32_t level = 0; level < b->levels; level++) {
        const size_t row = (size_t)size_at(b->width, level) * b->texel_bytes;
        const uint32_t rows = size_at(b->height, level), slices = size_at(b->depth, level);
        for (uint32_t at = 0; at < layers_of(b) * slices * rows; at++, packed += row) {
            const uint32_t y = at % rows, z = at / rows % slices, layer = at / rows / slices;
            const VkImageSubresource which = {aspect_of(b), level, layer};
            VkSubresourceLayout place;
            CALL(v, vkGetImageSubresourceLayout)(v->device, v->images[k], &which, &place);
            uint8_t *there = v->mapped_images[k] + place.offset + z * place.depthPitch +
                             y * place.rowPitch;
            memcpy(fill ? there : packed, fill ? packed : there, row);
        }
    }
}

static void
make_image(vulkan *v, const job *j, uint32_t k)
{
    const device_job_buffer *b = j->buffers[k];
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .flags = b->cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0u,
                                    .imageType = b->dim == 1   ? VK_IMAGE_TYPE_1D
                                                 : b->dim == 3 ? VK_IMAGE_TYPE_3D
                                                               : VK_IMAGE_TYPE_2D,
                                    .format = (VkFormat)b->format,
                                    .extent = {b->width, b->height, b->depth},
                                    .mipLevels = b->levels,
                                    .arrayLayers = layers_of(b),
                                    .samples = (VkSampleCountFlagBits)b->samples,
                                    .tiling = VK_IMAGE_TILING_LINEAR,
                                    .usage = image_usage(j, k),
                                    .initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED};
    VkMemoryRequirements need;
    VkDeviceMemory memory;
    check_image(v, &info);
    if (b->samples > 1)
        lack("linear images with several samples are not filled");
    check(CALL(v, vkCreateImage)(v->device, &info, NULL, &v->images[k]), "no image");
    CALL(v, vkGetImageMemoryRequirements)(v->device, v->images[k], &need);
    v->mapped_images[k] = map_memory(v, &need, &memory);
    check(CALL(v, vkBindImageMemory)(v->device, v->images[k], memory, 0), "no image's memory");
    move_image(v, j, k, true);
}

void
put_image_barriers(vulkan *v, const job *j, VkCommandBuffer c)
{
    for (uint32_t k = 0; k < j->head->n_buffers; k++) {
        const VkImageMemoryBarrier barrier = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
            .srcAccessMask = VK_ACCESS_HOST_WRITE_BIT,
            .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
            .oldLayout = VK_IMAGE_LAYOUT_PREINITIALIZED,
            .newLayout = VK_IMAGE_LAYOUT_GENERAL,
            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .image = v->images[k],
            .subresourceRange = {aspect_of(j->buffers[k]), 0, VK_REMAINING_MIP_LEVELS, 0,
                                 VK_REMAINING_ARRAY_LAYERS}};
        if (v->images[k])
            CALL(v, vkCmdPipelineBarrier)
        (c, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, NULL, 0, NULL,
         1, &barrier);
    }
}

/* ---- what descriptors need ---- */

static VkImageViewType
view_type(const device_job_buffer *b)
{
    if (b->cube)
        return b->layers > 6 ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
    if (b->dim == 3)
        return VK_IMAGE_VIEW_TYPE_3D;
    if (b->dim == 1)
        return b->layers ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
    return b->layers ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
}

static void
make_view(vulkan *v, const job *j, uint32_t k)
{
    const device_job_descriptor *d = &j->descriptors[k];
    const device_job_buffer *b = j->buffers[d->buffer];
    const bool storage = d->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = v->images[d->buffer],
                                        .viewType = view_type(b),
                                        .format = (VkFormat)b->format,
                                        .subresourceRange = {aspect_of(b), d->base_level,
                                                             storage ? 1 : VK_REMAINING_MIP_LEVELS,
                                                             0, VK_REMAINING_ARRAY_LAYERS}};
    check(CALL(v, vkCreateImageView)(v->device, &info, NULL, &v->views[k]), "no view");
}

static void
make_texel_view(vulkan *v, const job *j, uint32_t k)
{
    const device_job_descriptor *d = &j->descriptors[k];
    const VkFormat format = (VkFormat)j->buffers[d->buffer]->format;
    const VkFormatFeatureFlags need = d->type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
                                          ? VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT
                                          : VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
    VkFormatProperties p;
    CALL(v, vkGetPhysicalDeviceFormatProperties)(v->physical, format, &p);
    if (!(p.bufferFeatures & need))
        lack("turnip has no texel buffers of VkFormat %d", format);
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .buffer = v->buffers[d->buffer],
                                         .format = format,
                                         .offset = d->offset,
                                         .range = d->range == UINT32_MAX ? VK_WHOLE_SIZE
                                                                         : d->range};
    check(CALL(v, vkCreateBufferView)(v->device, &info, NULL, &v->texels[k]), "no texel buffer");
}

static void
make_sampler(vulkan *v, const job *j, uint32_t k)
{
    const device_job_sampler *s = &j->samplers[j->descriptors[k].sampler];
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .magFilter = (VkFilter)s->mag,
                                      .minFilter = (VkFilter)s->min,
                                      .mipmapMode = (VkSamplerMipmapMode)s->mip,
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
                                      .unnormalizedCoordinates = s->unnormalized};
    check(CALL(v, vkCreateSampler)(v->device, &info, NULL, &v->samplers[k]), "no sampler");
}

void
make_resources(vulkan *v, const job *j)
{
    for (uint32_t k = 0; k < j->head->n_buffers; k++) {
        make_buffer(v, j, k);
        if (image_usage(j, k))
            make_image(v, j, k);
    }
    for (uint32_t k = 0; k < j->head->n_descriptors; k++) {
        const device_job_descriptor *d = &j->descriptors[k];
        if (d->sampler != DEVICE_JOB_NONE)
            make_sampler(v, j, k);
        if (d->buffer != DEVICE_JOB_NONE && v->images[d->buffer] &&
            d->type <= VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
            make_view(v, j, k);
        if (d->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
            d->type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)
            make_texel_view(v, j, k);
    }
}

void
take_resources(const vulkan *v, const job *j)
{
    for (uint32_t k = 0; k < j->head->n_buffers; k++) {
        if (v->images[k])
            move_image(v, j, k, false);
        else
            memcpy(j->bytes_of[k], v->mapped[k], j->buffers[k]->size);
    }
}
