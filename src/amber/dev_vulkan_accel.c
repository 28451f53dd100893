/* The Vulkan device: acceleration structures of one run, which are built before its own work, those
 * of the bottom level first. */
#include "amber/accel.h"
#include "amber/dev_vk.h"

#include <string.h>

/* ---- blocks ---- */

static bool
create_block(vk_run *r, VkDeviceSize size, VkBufferUsageFlags usage, vk_block *out)
{
    vk_device *d = r->d;
    VkMemoryRequirements needs;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = size,
                               .usage = usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                       VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    void *mapped;
    if (!amber_vk_is_ok(r, d->vk.CreateBuffer(d->device, &info, NULL, &out->buffer),
                        "vkCreateBuffer"))
        return false;
    d->vk.GetBufferMemoryRequirements(d->device, out->buffer, &needs);
    if (!amber_vk_is_ok(r, amber_vk_allocate(d, needs, host, true, &out->memory),
                        "memory of an acceleration structure") ||
        !amber_vk_is_ok(r, d->vk.BindBufferMemory(d->device, out->buffer, out->memory, 0),
                        "vkBindBufferMemory") ||
        !amber_vk_is_ok(r, d->vk.MapMemory(d->device, out->memory, 0, VK_WHOLE_SIZE, 0, &mapped),
                        "vkMapMemory"))
        return false;
    const VkBufferDeviceAddressInfo where = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                             .buffer = out->buffer};
    out->mapped = mapped;
    out->address = d->vk.GetBufferDeviceAddress(d->device, &where);
    return true;
}

static void
destroy_block(vk_device *d, const vk_block *b)
{
    d->vk.DestroyBuffer(d->device, b->buffer, NULL);
    d->vk.FreeMemory(d->device, b->memory, NULL);
}

static bool
create_input(vk_run *r, VkDeviceSize size, vk_block *out)
{
    return create_block(r, size,
                        VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR, out);
}

/* ---- structures ---- */

/* Creates the structure of what `a` is built from, with its memory. */
static bool
create_structure(vk_run *r, vk_accel *a, VkAccelerationStructureTypeKHR type, uint32_t count)
{
    enum { SCRATCH_ALIGN = 256 }; /* no driver may ask for more */
    vk_device *d = r->d;
    uint32_t *counts = ARENA_ARRAY(r->arena, count, uint32_t);
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    for (uint32_t i = 0; i < count; i++)
        counts[i] = a->ranges[i].primitiveCount;
    a->info = (VkAccelerationStructureBuildGeometryInfoKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = type,
        .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
        .geometryCount = count,
        .pGeometries = a->geometries};
    d->vk.GetAccelerationStructureBuildSizesKHR(
        d->device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &a->info, counts, &sizes);
    if (!create_block(r, sizes.accelerationStructureSize,
                      VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR, &a->storage) ||
        !create_block(r, sizes.buildScratchSize + SCRATCH_ALIGN, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                      &a->scratch))
        return false;
    const VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = a->storage.buffer,
        .size = sizes.accelerationStructureSize,
        .type = type};
    if (!amber_vk_is_ok(r, d->vk.CreateAccelerationStructureKHR(d->device, &info, NULL, &a->handle),
                        "vkCreateAccelerationStructureKHR"))
        return false;
    const VkAccelerationStructureDeviceAddressInfoKHR where = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
        .accelerationStructure = a->handle};
    a->address = d->vk.GetAccelerationStructureDeviceAddressKHR(d->device, &where);
    a->info.dstAccelerationStructure = a->handle;
    a->info.scratchData.deviceAddress = (a->scratch.address + SCRATCH_ALIGN - 1) &
                                        ~(VkDeviceAddress)(SCRATCH_ALIGN - 1);
    return true;
}

static void
set_geometry(const amber_geometry *g, VkDeviceAddress at, VkAccelerationStructureGeometryKHR *out)
{
    const VkDeviceSize point = 3 * sizeof(float);
    *out = (VkAccelerationStructureGeometryKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .geometryType = g->boxes ? VK_GEOMETRY_TYPE_AABBS_KHR : VK_GEOMETRY_TYPE_TRIANGLES_KHR,
        .flags = (g->opaque ? VK_GEOMETRY_OPAQUE_BIT_KHR : 0u) |
                 (g->once ? VK_GEOMETRY_NO_DUPLICATE_ANY_HIT_INVOCATION_BIT_KHR : 0u)};
    if (g->boxes)
        out->geometry.aabbs = (VkAccelerationStructureGeometryAabbsDataKHR){
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
            .data.deviceAddress = at,
            .stride = 2 * point};
    else
        out->geometry.triangles = (VkAccelerationStructureGeometryTrianglesDataKHR){
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
            .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
            .vertexData.deviceAddress = at,
            .vertexStride = point,
            .maxVertex = 3 * g->count - 1,
            .indexType = VK_INDEX_TYPE_NONE_KHR};
}

static vk_accel *
new_accel(vk_run *r, uint32_t count)
{
    vk_accel *a = ARENA_NEW(r->arena, vk_accel);
    a->geometries = ARENA_ARRAY(r->arena, count, VkAccelerationStructureGeometryKHR);
    a->ranges = ARENA_ARRAY(r->arena, count, VkAccelerationStructureBuildRangeInfoKHR);
    return a;
}

/* The bytes of a geometry's points, each geometry's from a multiple of 8. */
static size_t
bytes_of(const amber_geometry *g)
{
    return g->count * (g->boxes ? 6 : 9) * sizeof *g->points;
}

static size_t
room_of(const amber_geometry *g)
{
    return (bytes_of(g) + 7) & ~(size_t)7;
}

static bool
create_bottom(vk_run *r, const amber_bottom_level *b)
{
    vk_accel *a = r->accels.bottoms[b->index] = new_accel(r, b->geometry_count);
    size_t size = 0, at = 0;
    for (uint32_t i = 0; i < b->geometry_count; i++)
        size += room_of(&b->geometries[i]);
    if (!create_input(r, size, &a->input))
        return false;
    for (uint32_t i = 0; i < b->geometry_count; at += room_of(&b->geometries[i++])) {
        const amber_geometry *g = &b->geometries[i];
        memcpy(a->input.mapped + at, g->points, bytes_of(g));
        set_geometry(g, a->input.address + at, &a->geometries[i]);
        a->ranges[i].primitiveCount = g->count;
    }
    return create_structure(r, a, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
                            b->geometry_count);
}

static void
set_instance(const vk_run *r, const amber_instance *i, VkAccelerationStructureInstanceKHR *out)
{
    *out = (VkAccelerationStructureInstanceKHR){
        .instanceCustomIndex = i->custom_index & 0xffffff,
        .mask = i->mask,
        .instanceShaderBindingTableRecordOffset = i->offset & 0xffffff,
        .flags = i->flags,
        .accelerationStructureReference = r->accels.bottoms[i->bottom->index]->address};
    memcpy(&out->transform, i->transform, sizeof i->transform);
}

static bool
create_top(vk_run *r, const amber_top_level *t)
{
    vk_accel *a = r->accels.tops[t->index] = new_accel(r, 1);
    VkAccelerationStructureInstanceKHR instance;
    if (!create_input(r, t->instance_count * sizeof instance, &a->input))
        return false;
    for (uint32_t i = 0; i < t->instance_count; i++) {
        set_instance(r, &t->instances[i], &instance);
        memcpy(a->input.mapped + i * sizeof instance, &instance, sizeof instance);
    }
    a->geometries[0] = (VkAccelerationStructureGeometryKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
        .geometry.instances = {
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
            .data.deviceAddress = a->input.address}};
    a->ranges[0].primitiveCount = t->instance_count;
    return create_structure(r, a, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, 1);
}

static void
count_levels(vk_run *r)
{
    vk_accels *all = &r->accels;
    amber_accel_count(r->bindings, r->binding_count, &all->top_count, &all->bottom_count);
    all->tops = ARENA_ARRAY(r->arena, all->top_count, vk_accel *);
    all->bottoms = ARENA_ARRAY(r->arena, all->bottom_count, vk_accel *);
}

static bool
add_top(vk_run *r, const amber_top_level *t)
{
    for (uint32_t i = 0; i < t->instance_count; i++) {
        const amber_bottom_level *b = t->instances[i].bottom;
        if (!r->accels.bottoms[b->index] && !create_bottom(r, b))
            return false;
    }
    return create_top(r, t);
}

bool
amber_vk_create_accels(vk_run *r)
{
    count_levels(r);
    if (r->accels.top_count && !(r->d->asks & AMBER_ASKS_RAYS))
        return amber_set_result(r->result, AMBER_FAIL,
                                "the script does not ask for the device extension "
                                "VK_KHR_acceleration_structure");
    for (uint32_t k = 0; k < r->binding_count; k++) {
        const amber_top_level *t = r->bindings[k].accel;
        if (t && !r->accels.tops[t->index] && !add_top(r, t))
            return false;
    }
    return true;
}

static void
destroy_accel(vk_device *d, const vk_accel *a)
{
    if (!a)
        return;
    if (a->handle)
        d->vk.DestroyAccelerationStructureKHR(d->device, a->handle, NULL);
    destroy_block(d, &a->storage);
    destroy_block(d, &a->input);
    destroy_block(d, &a->scratch);
}

void
amber_vk_destroy_accels(vk_run *r)
{
    for (uint32_t k = 0; k < r->accels.top_count; k++)
        destroy_accel(r->d, r->accels.tops[k]);
    for (uint32_t k = 0; k < r->accels.bottom_count; k++)
        destroy_accel(r->d, r->accels.bottoms[k]);
}

static void
put_level(vk_run *r, vk_accel *const *list, uint32_t count)
{
    bool any = false;
    for (uint32_t k = 0; k < count; k++) {
        if (!list[k])
            continue;
        const VkAccelerationStructureBuildRangeInfoKHR *ranges = list[k]->ranges;
        r->d->vk.CmdBuildAccelerationStructuresKHR(r->d->commands, 1, &list[k]->info, &ranges);
        any = true;
    }
    if (any)
        amber_vk_put_barrier(r, NULL);
}

void
amber_vk_put_builds(vk_run *r)
{
    put_level(r, r->accels.bottoms, r->accels.bottom_count);
    put_level(r, r->accels.tops, r->accels.top_count);
}
