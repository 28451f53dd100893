/* The Vulkan device: descriptor sets, shaders and commands of one run. All these objects are
 * destroyed at its end.
 */
#include "amber/dev_vk.h"

#include <string.h>

enum {
    TIMEOUT_SECONDS = 120,
    MAX_TIMES = 16, /* of a dispatch in a submission */
};

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
        [AMBER_BIND_ACCEL] = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
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
                                                       .stageFlags = r->visible};
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
create_pool(vk_run *r)
{
    VkDescriptorPoolSize sizes[AMBER_BIND_KINDS];
    uint32_t counts[AMBER_BIND_KINDS] = {0}, n = 0;
    for (uint32_t i = 0; i < r->binding_count; i++)
        counts[r->bindings[i].kind]++;
    for (uint32_t k = 0; k < AMBER_BIND_KINDS; k++)
        if (counts[k])
            sizes[n++] = (VkDescriptorPoolSize){descriptor_type((amber_descriptor)k), counts[k]};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = r->set_count,
                                       .poolSizeCount = n,
                                       .pPoolSizes = sizes};
    return amber_vk_is_ok(r, r->d->vk.CreateDescriptorPool(r->d->device, &pool, NULL, &r->pool),
                          "vkCreateDescriptorPool");
}

static bool
create_sets(vk_run *r)
{
    vk_device *d = r->d;
    if (!r->set_count)
        return true;
    if (!create_pool(r))
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
        VkWriteDescriptorSetAccelerationStructureKHR accel = {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
            .accelerationStructureCount = 1,
            .pAccelerationStructures = b->accel ? &r->accels.tops[b->accel->index]->handle : NULL};
        VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .pNext = b->accel ? &accel : NULL,
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
required_subgroup_size(const vk_run *r, const amber_attach *at)
{
    switch (at->subgroup) {
    case AMBER_SUBGROUP_EXACT: return at->subgroup_size;
    case AMBER_SUBGROUP_MIN: return r->d->properties.v13.minSubgroupSize;
    case AMBER_SUBGROUP_MAX: return r->d->properties.v13.maxSubgroupSize;
    default: return 0;
    }
}

static bool
check_subgroup_size(vk_run *r, VkShaderStageFlags stage, uint32_t size)
{
    const VkPhysicalDeviceVulkan13Properties *p = &r->d->properties.v13;
    if (!size || (size >= p->minSubgroupSize && size <= p->maxSubgroupSize &&
                  p->requiredSubgroupSizeStages & stage))
        return true;
    return amber_set_result(r->result, AMBER_SKIP, "subgroup size %u", size);
}

static const VkSpecializationInfo *
make_specialization(const vk_run *r, const amber_attach *at)
{
    VkSpecializationMapEntry *map = ARENA_ARRAY(r->arena, at->spec_count, VkSpecializationMapEntry);
    uint32_t *values = ARENA_ARRAY(r->arena, at->spec_count, uint32_t);
    VkSpecializationInfo *info = ARENA_NEW(r->arena, VkSpecializationInfo);
    for (uint32_t i = 0; i < at->spec_count; i++) {
        map[i] = (VkSpecializationMapEntry){at->specs[i].id, i * 4, 4};
        values[i] = at->specs[i].value;
    }
    *info = (VkSpecializationInfo){at->spec_count, map, at->spec_count * sizeof *values, values};
    return info;
}

static bool
make_stage(vk_run *r, uint32_t i, VkPipelineShaderStageCreateInfo *out)
{
    static const VkShaderStageFlagBits bits[] = {
        [AMBER_VERTEX] = VK_SHADER_STAGE_VERTEX_BIT,
        [AMBER_FRAGMENT] = VK_SHADER_STAGE_FRAGMENT_BIT,
        [AMBER_GEOMETRY] = VK_SHADER_STAGE_GEOMETRY_BIT,
        [AMBER_TESS_CONTROL] = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
        [AMBER_TESS_EVALUATION] = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
        [AMBER_COMPUTE] = VK_SHADER_STAGE_COMPUTE_BIT,
    };
    const amber_attach *at = r->stages[i].attach;
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *size = ARENA_NEW(
        r->arena, VkPipelineShaderStageRequiredSubgroupSizeCreateInfo);
    size->sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    size->requiredSubgroupSize = required_subgroup_size(r, at);
    VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       .codeSize = r->stages[i].word_count * 4,
                                       .pCode = r->stages[i].words};
    if (!check_subgroup_size(r, bits[at->stage], size->requiredSubgroupSize) ||
        !amber_vk_is_ok(r, r->d->vk.CreateShaderModule(r->d->device, &module, NULL, &r->modules[i]),
                        "vkCreateShaderModule"))
        return false;
    *out = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .pNext = size->requiredSubgroupSize ? size : NULL,
        .stage = bits[at->stage],
        .module = r->modules[i],
        .pName = at->entry,
        .pSpecializationInfo = make_specialization(r, at),
    };
    if (at->full_subgroups)
        out->flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    if (at->varying_subgroups)
        out->flags |= VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
    return true;
}

const VkPipelineShaderStageCreateInfo *
amber_vk_make_stages(vk_run *r)
{
    VkPipelineShaderStageCreateInfo *list = ARENA_ARRAY(r->arena, r->stage_count,
                                                        VkPipelineShaderStageCreateInfo);
    for (uint32_t i = 0; i < r->stage_count; i++)
        if (!make_stage(r, i, &list[i]))
            return NULL;
    return list;
}

static bool
create_compute(vk_run *r)
{
    const VkPipelineShaderStageCreateInfo *stage = amber_vk_make_stages(r);
    if (!stage)
        return false;
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .stage = *stage,
                                        .layout = r->layout};
    return amber_vk_is_ok(
        r,
        r->d->vk.CreateComputePipelines(r->d->device, VK_NULL_HANDLE, 1, &info, NULL, &r->pipeline),
        "vkCreateComputePipelines");
}

/* Sizes of push constants are multiples of 4 bytes. */
static uint32_t
push_size(const vk_run *r)
{
    return (r->push_size + 3) & ~3u;
}

static bool
create_layout(vk_run *r)
{
    vk_device *d = r->d;
    VkPushConstantRange push = {r->visible, 0, push_size(r)};
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = r->set_count,
                                         .pSetLayouts = r->layouts,
                                         .pushConstantRangeCount = push.size != 0,
                                         .pPushConstantRanges = &push};
    if (push.size > d->properties.core.properties.limits.maxPushConstantsSize)
        return amber_set_result(r->result, AMBER_SKIP, "%u bytes of push constants", push.size);
    return amber_vk_is_ok(r, d->vk.CreatePipelineLayout(d->device, &layout, NULL, &r->layout),
                          "vkCreatePipelineLayout");
}

void
amber_vk_put_bindings(vk_run *r, VkPipelineBindPoint point)
{
    vk_device *d = r->d;
    uint32_t *offsets = ARENA_ARRAY(r->arena, r->binding_count, uint32_t), count = 0;
    uint8_t *push = arena_zalloc(r->arena, push_size(r));
    for (uint32_t i = 0; i < r->binding_count; i++)
        if (is_dynamic_kind(r->bindings[i].kind))
            offsets[count++] = (uint32_t)r->bindings[i].dynamic_offset;
    d->vk.CmdBindPipeline(d->commands, point, r->pipeline);
    if (r->set_count)
        d->vk.CmdBindDescriptorSets(d->commands, point, r->layout, 0, r->set_count, r->sets, count,
                                    offsets);
    if (push_size(r)) {
        memcpy(push, r->push, r->push_size);
        d->vk.CmdPushConstants(d->commands, r->layout, r->visible, 0, push_size(r), push);
    }
}

static void
put_dispatch(vk_run *r)
{
    amber_vk_put_bindings(r, VK_PIPELINE_BIND_POINT_COMPUTE);
    r->d->vk.CmdDispatch(r->d->commands, r->groups[0], r->groups[1], r->groups[2]);
}

/* Submits the commands that were recorded, and waits for their end. */
static bool
submit(vk_run *r)
{
    vk_device *d = r->d;
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &d->commands};
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
    return amber_vk_is_ok(r, result, "the device did not end its work");
}

/* Runs the work once, or as often as a dispatch asks for, a few times with each submission; the
 * contents of the script's buffers go to the device before it and come back behind it. */
static bool
run_work(vk_run *r, const vk_work *work)
{
    vk_device *d = r->d;
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    uint32_t times = r->times ? r->times : 1;
    for (uint32_t done = 0; done < times;) {
        uint32_t end = times - done < MAX_TIMES ? times : done + MAX_TIMES;
        if (!amber_vk_is_ok(r, d->vk.ResetCommandPool(d->device, d->pool, 0),
                            "vkResetCommandPool") ||
            !amber_vk_is_ok(r, d->vk.BeginCommandBuffer(d->commands, &begin),
                            "vkBeginCommandBuffer"))
            return false;
        if (!done) {
            amber_vk_put_uploads(r);
            amber_vk_put_builds(r);
        }
        for (; done < end; done++) {
            work->put(r);
            amber_vk_put_barrier(r, NULL);
        }
        if (done == times)
            amber_vk_put_downloads(r);
        if (!submit(r))
            return false;
    }
    return true;
}

/* Handles that were never created are null, which Vulkan ignores. */
static void
destroy_objects(vk_run *r)
{
    vk_device *d = r->d;
    d->vk.DestroyPipeline(d->device, r->pipeline, NULL);
    for (uint32_t i = 0; i < r->stage_count; i++)
        d->vk.DestroyShaderModule(d->device, r->modules[i], NULL);
    d->vk.DestroyPipelineLayout(d->device, r->layout, NULL);
    d->vk.DestroyDescriptorPool(d->device, r->pool, NULL);
    for (uint32_t i = 0; i < r->set_count; i++)
        d->vk.DestroyDescriptorSetLayout(d->device, r->layouts[i], NULL);
    amber_vk_destroy_resources(r);
}

bool
amber_vk_execute(vk_run *r, const vk_work *work)
{
    vk_device *d = r->d;
    d->was_lost = d->lost;
    if (d->lost)
        return amber_set_result(r->result, AMBER_FAIL, "earlier work did not end");
    for (uint32_t i = 0; i < r->stage_count; i++)
        if (!amber_vk_check_module(d, r->stages[i].words, r->stages[i].word_count, r->result))
            return false;
    if (!amber_vk_prepare(r))
        return false;
    bool ok = amber_vk_create_resources(r) && create_sets(r);
    if (ok) {
        write_sets(r);
        ok = (!work->create || (create_layout(r) && work->create(r))) && run_work(r, work);
    }
    if (ok)
        amber_vk_read_slots(r);
    if (!d->lost)
        destroy_objects(r);
    return ok;
}

bool
amber_vk_dispatch(amber_device *base, arena *scratch, const amber_dispatch *run,
                  amber_result *result)
{
    static const vk_work work = {.create = create_compute, .put = put_dispatch};
    vk_device *d = (vk_device *)base;
    amber_stage_code code = {
        .words = run->words, .word_count = run->word_count, .attach = run->stage};
    vk_run r = {
        .d = d,
        .arena = scratch,
        .result = result,
        .source = run->pipeline,
        .memory = run->memory,
        .stages = &code,
        .stage_count = 1,
        .groups = run->groups,
        .times = run->times,
        .push = run->push,
        .push_size = run->push_size,
        .visible = VK_SHADER_STAGE_COMPUTE_BIT,
    };
    const uint32_t *limit = d->properties.core.properties.limits.maxComputeWorkGroupCount;
    if (run->addressed_count)
        return amber_set_result(result, AMBER_SKIP, "buffers at given addresses");
    for (unsigned i = 0; i < 3; i++)
        if (run->groups[i] > limit[i])
            return amber_set_result(result, AMBER_SKIP, "%u workgroups", run->groups[i]);
    return amber_vk_execute(&r, &work);
}
