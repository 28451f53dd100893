/* The Vulkan device: descriptor sets, pipeline and commands of one dispatch. All these objects are
 * destroyed at its end.
 */
#include "amber/dev_vk.h"

#include <string.h>

enum { TIMEOUT_SECONDS = 120 };

static VkDescriptorType
descriptor_type(amber_descriptor kind)
{
    static const VkDescriptorType types[] = {
        [AMBER_BIND_UNIFORM] = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        [AMBER_BIND_STORAGE] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        [AMBER_BIND_UNIFORM_DYNAMIC] = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
        [AMBER_BIND_STORAGE_DYNAMIC] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
        [AMBER_BIND_UNIFORM_TEXEL] = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
        [AMBER_BIND_STORAGE_TEXEL] = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
        [AMBER_BIND_STORAGE_IMAGE] = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        [AMBER_BIND_SAMPLED_IMAGE] = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        [AMBER_BIND_COMBINED] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        [AMBER_BIND_SAMPLER] = VK_DESCRIPTOR_TYPE_SAMPLER,
    };
    return types[kind];
}

static bool
is_dynamic_kind(amber_descriptor kind)
{
    return kind == AMBER_BIND_UNIFORM_DYNAMIC || kind == AMBER_BIND_STORAGE_DYNAMIC;
}

/* Makes the layout of one set from its bindings; the elements of an array are adjacent in the list.
 */
static bool
create_set_layout(vk_run *r, uint32_t set)
{
    VkDescriptorSetLayoutBinding *rows = ARENA_ARRAY(r->arena, r->binding_count + 1,
                                                     VkDescriptorSetLayoutBinding);
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->binding_count; i++) {
        const amber_binding *b = &r->bindings[i];
        if (b->set != set)
            continue;
        if (count && rows[count - 1].binding == b->binding) {
            rows[count - 1].descriptorCount++;
            continue;
        }
        rows[count++] = (VkDescriptorSetLayoutBinding){.binding = b->binding,
                                                       .descriptorType = descriptor_type(b->kind),
                                                       .descriptorCount = 1,
                                                       .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    }
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count,
        .pBindings = rows};
    return amber_vk_is_ok(
        r, r->d->vk.CreateDescriptorSetLayout(r->d->device, &info, NULL, &r->layouts[set]),
        "vkCreateDescriptorSetLayout");
}

static bool
create_sets(vk_run *r)
{
    vk_device *d = r->d;
    VkDescriptorPoolSize sizes[AMBER_BIND_SAMPLER + 1];
    if (!r->set_count)
        return true;
    for (uint32_t k = 0; k <= AMBER_BIND_SAMPLER; k++)
        sizes[k] = (VkDescriptorPoolSize){descriptor_type((amber_descriptor)k), 1};
    for (uint32_t i = 0; i < r->binding_count; i++)
        sizes[r->bindings[i].kind].descriptorCount++;
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = r->set_count,
                                       .poolSizeCount = AMBER_BIND_SAMPLER + 1,
                                       .pPoolSizes = sizes};
    if (!amber_vk_is_ok(r, d->vk.CreateDescriptorPool(d->device, &pool, NULL, &r->pool),
                        "vkCreateDescriptorPool"))
        return false;
    for (uint32_t i = 0; i < r->set_count; i++)
        if (!create_set_layout(r, i))
            return false;
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = r->pool,
                                        .descriptorSetCount = r->set_count,
                                        .pSetLayouts = r->layouts};
    return amber_vk_is_ok(r, d->vk.AllocateDescriptorSets(d->device, &info, r->sets),
                          "vkAllocateDescriptorSets");
}

static void
write_sets(vk_run *r)
{
    for (uint32_t i = 0; i < r->binding_count; i++) {
        const amber_binding *b = &r->bindings[i];
        VkDescriptorBufferInfo buffer = {
            .buffer = b->buffer ? r->slots[b->buffer->index].buffer : VK_NULL_HANDLE,
            .offset = b->offset,
            .range = b->range == AMBER_WHOLE_RANGE ? VK_WHOLE_SIZE : b->range};
        VkDescriptorImageInfo image = {.sampler = r->views[i].sampler,
                                       .imageView = r->views[i].image,
                                       .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
        VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet = r->sets[b->set],
                                      .dstBinding = b->binding,
                                      .dstArrayElement = b->element,
                                      .descriptorCount = 1,
                                      .descriptorType = descriptor_type(b->kind),
                                      .pImageInfo = &image,
                                      .pBufferInfo = &buffer,
                                      .pTexelBufferView = &r->views[i].texels};
        /* A dynamic buffer's range must leave room for the dynamic offset. */
        if (is_dynamic_kind(b->kind) && b->range == AMBER_WHOLE_RANGE &&
            b->offset + b->dynamic_offset < b->buffer->size)
            buffer.range = b->buffer->size - b->offset - b->dynamic_offset;
        r->d->vk.UpdateDescriptorSets(r->d->device, 1, &write, 0, NULL);
    }
}

/* The size required by REQUIRED_SIZE, or 0. */
static uint32_t
required_subgroup_size(const vk_run *r)
{
    const amber_attach *at = r->run->stage;
    switch (at->subgroup) {
    case AMBER_SUBGROUP_EXACT: return at->subgroup_size;
    case AMBER_SUBGROUP_MIN: return r->d->properties.v13.minSubgroupSize;
    case AMBER_SUBGROUP_MAX: return r->d->properties.v13.maxSubgroupSize;
    default: return 0;
    }
}

static bool
check_subgroup_size(vk_run *r, uint32_t size)
{
    const VkPhysicalDeviceVulkan13Properties *p = &r->d->properties.v13;
    if (!size || (size >= p->minSubgroupSize && size <= p->maxSubgroupSize &&
                  p->requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT))
        return true;
    return amber_set_result(r->result, AMBER_SKIP, "subgroup size %u", size);
}

static bool
create_pipeline(vk_run *r)
{
    vk_device *d = r->d;
    const amber_attach *at = r->run->stage;
    VkSpecializationMapEntry *map = ARENA_ARRAY(r->arena, at->spec_count, VkSpecializationMapEntry);
    uint32_t *values = ARENA_ARRAY(r->arena, at->spec_count, uint32_t);
    for (uint32_t i = 0; i < at->spec_count; i++) {
        map[i] = (VkSpecializationMapEntry){at->specs[i].id, i * 4, 4};
        values[i] = at->specs[i].value;
    }
    VkSpecializationInfo specs = {at->spec_count, map, at->spec_count * sizeof *values, values};
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = required_subgroup_size(r)};
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = size.requiredSubgroupSize ? &size : NULL,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = r->module,
                  .pName = at->entry,
                  .pSpecializationInfo = &specs},
        .layout = r->layout};
    if (at->full_subgroups)
        info.stage.flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    if (at->varying_subgroups)
        info.stage.flags |= VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
    return check_subgroup_size(r, size.requiredSubgroupSize) &&
           amber_vk_is_ok(r,
                          d->vk.CreateComputePipelines(d->device, VK_NULL_HANDLE, 1, &info, NULL,
                                                       &r->pipeline),
                          "vkCreateComputePipelines");
}

/* Sizes of push constants are multiples of 4 bytes. */
static uint32_t
push_size(const vk_run *r)
{
    return (r->run->push_size + 3) & ~3u;
}

static bool
create_program(vk_run *r)
{
    vk_device *d = r->d;
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, push_size(r)};
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = r->set_count,
                                         .pSetLayouts = r->layouts,
                                         .pushConstantRangeCount = push.size != 0,
                                         .pPushConstantRanges = &push};
    VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       .codeSize = r->run->word_count * 4,
                                       .pCode = r->run->words};
    if (push.size > d->properties.core.properties.limits.maxPushConstantsSize)
        return amber_set_result(r->result, AMBER_SKIP, "%u bytes of push constants", push.size);
    return amber_vk_is_ok(r, d->vk.CreatePipelineLayout(d->device, &layout, NULL, &r->layout),
                          "vkCreatePipelineLayout") &&
           amber_vk_is_ok(r, d->vk.CreateShaderModule(d->device, &module, NULL, &r->module),
                          "vkCreateShaderModule") &&
           create_pipeline(r);
}

static void
put_barrier(vk_run *r, const vk_slot *s)
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
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, 1}};
    VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
    r->d->vk.CmdPipelineBarrier(r->d->commands, stages, stages, 0, 1, &all, 0, NULL, s != NULL,
                                &image);
}

/* Copies between an image and its buffer, level by level. */
static void
put_copies(vk_run *r, const vk_slot *s, bool upload)
{
    const amber_buffer *b = s->source;
    VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                              .imageExtent = {b->width, b->height, b->depth}};
    VkExtent3D *e = &copy.imageExtent;
    for (uint32_t level = 0; level < b->mips; level++) {
        copy.imageSubresource.mipLevel = level;
        if (upload)
            r->d->vk.CmdCopyBufferToImage(r->d->commands, s->buffer, s->image->image,
                                          VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
        else
            r->d->vk.CmdCopyImageToBuffer(r->d->commands, s->image->image, VK_IMAGE_LAYOUT_GENERAL,
                                          s->buffer, 1, &copy);
        copy.bufferOffset += (VkDeviceSize)e->width * e->height * e->depth * b->type->size;
        e->width = e->width > 1 ? e->width / 2 : 1;
        e->height = e->height > 1 ? e->height / 2 : 1;
        e->depth = e->depth > 1 ? e->depth / 2 : 1;
    }
}

static void
put_uploads(vk_run *r)
{
    VkClearColorValue zero = {{0}};
    VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, 1};
    for (uint32_t i = 0; i < r->slot_count; i++) {
        vk_slot *s = &r->slots[i];
        if (!s->image)
            continue;
        if (s->image->fresh)
            put_barrier(r, s);
        if (s->own_image)
            put_copies(r, s, true);
        else if (s->image->fresh)
            r->d->vk.CmdClearColorImage(r->d->commands, s->image->image, VK_IMAGE_LAYOUT_GENERAL,
                                        &zero, 1, &all);
        s->image->fresh = false;
    }
    put_barrier(r, NULL);
}

static void
put_dispatch(vk_run *r)
{
    vk_device *d = r->d;
    const amber_dispatch *run = r->run;
    uint32_t *offsets = ARENA_ARRAY(r->arena, r->binding_count, uint32_t), count = 0;
    uint8_t *push = arena_zalloc(r->arena, push_size(r));
    for (uint32_t i = 0; i < r->binding_count; i++)
        if (is_dynamic_kind(r->bindings[i].kind))
            offsets[count++] = (uint32_t)r->bindings[i].dynamic_offset;
    d->vk.CmdBindPipeline(d->commands, VK_PIPELINE_BIND_POINT_COMPUTE, r->pipeline);
    if (r->set_count)
        d->vk.CmdBindDescriptorSets(d->commands, VK_PIPELINE_BIND_POINT_COMPUTE, r->layout, 0,
                                    r->set_count, r->sets, count, offsets);
    if (push_size(r)) {
        memcpy(push, run->push, run->push_size);
        d->vk.CmdPushConstants(d->commands, r->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, push_size(r),
                               push);
    }
    d->vk.CmdDispatch(d->commands, run->groups[0], run->groups[1], run->groups[2]);
    put_barrier(r, NULL);
}

static bool
submit(vk_run *r)
{
    vk_device *d = r->d;
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &d->commands};
    if (!amber_vk_is_ok(r, d->vk.ResetCommandPool(d->device, d->pool, 0), "vkResetCommandPool") ||
        !amber_vk_is_ok(r, d->vk.BeginCommandBuffer(d->commands, &begin), "vkBeginCommandBuffer"))
        return false;
    put_uploads(r);
    put_dispatch(r);
    for (uint32_t i = 0; i < r->slot_count; i++)
        if (r->slots[i].own_image)
            put_copies(r, &r->slots[i], false);
    put_barrier(r, NULL);
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    d->vk.DestroyFence(d->device, d->fence, NULL);
    d->fence = VK_NULL_HANDLE;
    if (!amber_vk_is_ok(r, d->vk.CreateFence(d->device, &fence, NULL, &d->fence),
                        "vkCreateFence") ||
        !amber_vk_is_ok(r, d->vk.EndCommandBuffer(d->commands), "vkEndCommandBuffer"))
        return false;
    VkResult result = d->vk.QueueSubmit(d->queue, 1, &info, d->fence);
    d->was_lost = result == VK_ERROR_DEVICE_LOST;
    if (!amber_vk_is_ok(r, result, "vkQueueSubmit"))
        return false;
    result = d->vk.WaitForFences(d->device, 1, &d->fence, VK_TRUE,
                                 TIMEOUT_SECONDS * UINT64_C(1000000000));
    d->lost = result != VK_SUCCESS;
    return amber_vk_is_ok(r, result, "the dispatch did not end");
}

static void
read_back(vk_run *r)
{
    for (uint32_t i = 0; i < r->slot_count; i++) {
        const vk_slot *s = &r->slots[i];
        if (s->source && (!s->image || s->own_image))
            memcpy(r->run->memory[i].bytes, s->mapped, (size_t)r->run->memory[i].size);
    }
}

/* Handles that were never created are null, which Vulkan ignores. */
static void
destroy_objects(vk_run *r)
{
    vk_device *d = r->d;
    d->vk.DestroyPipeline(d->device, r->pipeline, NULL);
    d->vk.DestroyShaderModule(d->device, r->module, NULL);
    d->vk.DestroyPipelineLayout(d->device, r->layout, NULL);
    d->vk.DestroyDescriptorPool(d->device, r->pool, NULL);
    for (uint32_t i = 0; i < r->set_count; i++)
        d->vk.DestroyDescriptorSetLayout(d->device, r->layouts[i], NULL);
    amber_vk_destroy_resources(r);
}

bool
amber_vk_dispatch(amber_device *base, arena *scratch, const amber_dispatch *run,
                  amber_result *result)
{
    vk_device *d = (vk_device *)base;
    vk_run r = {.d = d, .arena = scratch, .run = run, .result = result};
    const uint32_t *limit = d->properties.core.properties.limits.maxComputeWorkGroupCount;
    if (d->lost)
        return amber_set_result(result, AMBER_FAIL, "an earlier dispatch did not end");
    if (run->addressed_count)
        return amber_set_result(result, AMBER_SKIP, "buffers at given addresses");
    for (unsigned i = 0; i < 3; i++)
        if (run->groups[i] > limit[i])
            return amber_set_result(result, AMBER_SKIP, "%u workgroups", run->groups[i]);
    if (!amber_vk_check_module(d, run->words, run->word_count, result) || !amber_vk_prepare(&r))
        return false;
    bool ok = amber_vk_create_resources(&r) && create_sets(&r);
    if (ok) {
        write_sets(&r);
        ok = create_program(&r) && submit(&r);
    }
    if (ok)
        read_back(&r);
    if (!d->lost)
        destroy_objects(&r);
    return ok;
}
