/* The Vulkan device: opening.
 *
 * The loader is found at run time, so that nothing links to it. All features of the device are
 * enabled at once, because the device is opened once for many scripts; an extension that changes
 * what other scripts do is enabled by a device of its own.
 */
#include "amber/dev_vk.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void
close_device(vk_device *d)
{
    if (!d->device)
        return;
    amber_vk_end_script(&d->base);
    d->vk.DestroyFence(d->device, d->fence, NULL);
    d->vk.DestroyCommandPool(d->device, d->pool, NULL);
    d->vk.DestroyDevice(d->device, NULL);
    d->device = VK_NULL_HANDLE;
    d->pool = VK_NULL_HANDLE;
    d->fence = VK_NULL_HANDLE;
}

static void
destroy(amber_device *base)
{
    vk_device *d = (vk_device *)base;
    if (d->lost)
        return;
    close_device(d);
    if (d->instance)
        d->vk.DestroyInstance(d->instance, NULL);
    if (d->library)
        dlclose(d->library);
}

static bool
was_lost(const amber_device *base)
{
    return ((const vk_device *)base)->was_lost;
}

/* dlsym returns an object pointer; POSIX guarantees that its bits are those of the function
 * pointer. */
static PFN_vkGetInstanceProcAddr
load_library(vk_device *d)
{
    PFN_vkGetInstanceProcAddr get = NULL;
    d->library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (d->library) {
        void *symbol = dlsym(d->library, "vkGetInstanceProcAddr");
        memcpy(&get, &symbol, sizeof get);
    }
    return get;
}

static bool
create_instance(vk_device *d, PFN_vkGetInstanceProcAddr get)
{
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
    PFN_vkEnumerateInstanceExtensionProperties list = (PFN_vkEnumerateInstanceExtensionProperties)
        get(NULL, "vkEnumerateInstanceExtensionProperties");
    VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                             .pApplicationName = "heddle",
                             .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &app};
    if (!create || !list || create(&info, NULL, &d->instance) != VK_SUCCESS)
        return false;
    list(NULL, &d->instance_extension_count, NULL);
    d->instance_extensions = ARENA_ARRAY(d->arena, d->instance_extension_count,
                                         VkExtensionProperties);
    list(NULL, &d->instance_extension_count, d->instance_extensions);
#define VK_LOAD(name) d->vk.name = (PFN_vk##name)get(d->instance, "vk" #name);
    VK_INSTANCE_FUNCTIONS(VK_LOAD)
#undef VK_LOAD
    return true;
}

/* A queue family that supports compute, one that draws, too, if there is one; or UINT32_MAX. */
static uint32_t
find_queue(vk_device *d, VkPhysicalDevice physical)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = COUNT(families), found = UINT32_MAX;
    d->vk.GetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    d->draws = false;
    for (uint32_t i = 0; i < count && !d->draws; i++) {
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT))
            continue;
        d->draws = families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT;
        found = d->draws || found == UINT32_MAX ? i : found;
    }
    return found;
}

static bool
find_physical(vk_device *d)
{
    VkPhysicalDevice devices[16];
    VkPhysicalDeviceProperties properties;
    uint32_t count = COUNT(devices);
    VkResult result = d->vk.EnumeratePhysicalDevices(d->instance, &count, devices);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        d->vk.GetPhysicalDeviceProperties(devices[i], &properties);
        d->queue_family = find_queue(d, devices[i]);
        if (properties.apiVersion >= VK_API_VERSION_1_3 && d->queue_family != UINT32_MAX) {
            d->physical = devices[i];
            return true;
        }
    }
    return false;
}

static void
chain(void **tail[], void *structure, void **next)
{
    **tail = structure;
    *tail = next;
}

/* A structure of features that belongs to an extension. */
typedef struct extension_row {
    const char *name;
    size_t offset; /* of the structure in vk_features; 0: none */
    VkStructureType type;
    uint32_t asks; /* AMBER_ASKS_*: enabled for scripts that ask for it; 0: for all */
} extension_row;

#define FEATURES(member) offsetof(vk_features, member)

/* Extensions that scripts or their shaders may need; they are enabled where they exist. */
static const extension_row extension_rows[] = {
    {VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME, FEATURES(workgroup),
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, 0},
    {VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME, FEATURES(image_atomic64),
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT, 0},
    {VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME, FEATURES(atomic_float),
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, 0},
    {VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME, FEATURES(index_uint8),
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT, 0},
    {VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME, FEATURES(provoking_vertex),
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT, 0},
    {VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME, FEATURES(list_restart),
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT, 0},
    {VK_EXT_DEPTH_CLAMP_ZERO_ONE_EXTENSION_NAME, FEATURES(depth_clamp),
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLAMP_ZERO_ONE_FEATURES_EXT, 0},
    {VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME, FEATURES(interlock),
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT, 0},
    {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, FEATURES(accel),
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, AMBER_ASKS_RAYS},
    {VK_KHR_RAY_QUERY_EXTENSION_NAME, FEATURES(ray_query),
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR, AMBER_ASKS_RAYS},
    {VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME, FEATURES(ray_pipeline),
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR, AMBER_ASKS_RAYS},
    {VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, 0, (VkStructureType)0, AMBER_ASKS_RAYS},
    {VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME, 0, (VkStructureType)0,
     AMBER_ASKS_UNRESTRICTED_DEPTH},
    {VK_KHR_SHADER_CLOCK_EXTENSION_NAME, 0, (VkStructureType)0, 0},
};

#undef FEATURES

/* Is the extension there, and enabled for scripts that ask for `asks`? */
static bool
is_wanted(vk_device *d, const extension_row *row, uint32_t asks)
{
    return (row->asks & ~asks) == 0 && amber_vk_has_device_extension(&d->base, row->name);
}

/* Appends the structures of what is wanted to those of the core. */
static void
chain_extensions(vk_device *d, uint32_t asks)
{
    void **tail = &d->features.v13.pNext;
    *tail = NULL;
    for (size_t i = 0; i < COUNT(extension_rows); i++) {
        const extension_row *row = &extension_rows[i];
        if (!row->offset || !is_wanted(d, row, asks))
            continue;
        VkBaseOutStructure *s = (VkBaseOutStructure *)(void *)((char *)&d->features + row->offset);
        s->sType = row->type;
        s->pNext = NULL;
        *tail = s;
        tail = (void **)&s->pNext;
    }
}

static void
query_physical(vk_device *d)
{
    vk_features *f = &d->features;
    vk_properties *p = &d->properties;
    void **tail = &f->core.pNext;
    d->vk.EnumerateDeviceExtensionProperties(d->physical, NULL, &d->extension_count, NULL);
    d->extensions = ARENA_ARRAY(d->arena, d->extension_count, VkExtensionProperties);
    d->vk.EnumerateDeviceExtensionProperties(d->physical, NULL, &d->extension_count, d->extensions);
    f->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    f->v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    f->v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    f->v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    chain(&tail, &f->v11, &f->v11.pNext);
    chain(&tail, &f->v12, &f->v12.pNext);
    chain(&tail, &f->v13, &f->v13.pNext);
    chain_extensions(d, UINT32_MAX);
    d->vk.GetPhysicalDeviceFeatures2(d->physical, &f->core);
    p->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    p->v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
    p->v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
    p->v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES;
    tail = &p->core.pNext;
    chain(&tail, &p->v11, &p->v11.pNext);
    chain(&tail, &p->v12, &p->v12.pNext);
    chain(&tail, &p->v13, &p->v13.pNext);
    d->vk.GetPhysicalDeviceProperties2(d->physical, &p->core);
    d->vk.GetPhysicalDeviceMemoryProperties(d->physical, &d->memory);
}

static bool
create_device(vk_device *d)
{
    const char *names[COUNT(extension_rows)];
    uint32_t count = 0;
    float priority = 1.0f;
    for (size_t i = 0; i < COUNT(extension_rows); i++)
        if (is_wanted(d, &extension_rows[i], d->asks))
            names[count++] = extension_rows[i].name;
    chain_extensions(d, d->asks);
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = d->queue_family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &d->features.core,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = count,
                               .ppEnabledExtensionNames = names};
    if (d->vk.CreateDevice(d->physical, &info, NULL, &d->device) != VK_SUCCESS)
        return false;
#define VK_LOAD(name) d->vk.name = (PFN_vk##name)d->vk.GetDeviceProcAddr(d->device, "vk" #name);
    VK_DEVICE_FUNCTIONS(VK_LOAD)
#undef VK_LOAD
    d->vk.GetDeviceQueue(d->device, d->queue_family, 0, &d->queue);
    return true;
}

static bool
create_commands(vk_device *d)
{
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .queueFamilyIndex = d->queue_family};
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    if (d->vk.CreateCommandPool(d->device, &pool, NULL, &d->pool) != VK_SUCCESS ||
        d->vk.CreateFence(d->device, &fence, NULL, &d->fence) != VK_SUCCESS)
        return false;
    VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = d->pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
    return d->vk.AllocateCommandBuffers(d->device, &commands, &d->commands) == VK_SUCCESS;
}

static bool
open_device(vk_device *d)
{
    return create_device(d) && create_commands(d);
}

static bool
begin_script(amber_device *base, uint32_t asks, amber_result *r)
{
    vk_device *d = (vk_device *)base;
    if (d->lost || (d->device && d->asks == asks))
        return true;
    close_device(d);
    d->asks = asks;
    return open_device(d) || amber_set_result(r, AMBER_FAIL, "the Vulkan device cannot be opened");
}

static const amber_device_functions functions = {
    .has_feature = amber_vk_has_feature,
    .has_device_extension = amber_vk_has_device_extension,
    .has_instance_extension = amber_vk_has_instance_extension,
    .has_property = amber_vk_has_property,
    .dispatch = amber_vk_dispatch,
    .repeats = true,
    .draw = amber_vk_draw,
    .clear = amber_vk_clear,
    .begin_script = begin_script,
    .end_script = amber_vk_end_script,
    .was_lost = was_lost,
    .destroy = destroy,
};

amber_device *
amber_vulkan_open(arena *a, const char **message)
{
    vk_device *d = ARENA_NEW(a, vk_device);
    d->base.functions = &functions;
    d->base.name = "vulkan";
    d->arena = a;
    PFN_vkGetInstanceProcAddr get = load_library(d);
    if (!get) {
        *message = "there is no Vulkan loader (libvulkan.so.1)";
    } else if (!create_instance(d, get)) {
        *message = "the Vulkan loader makes no instance";
    } else if (!find_physical(d)) {
        *message = "there is no device of Vulkan 1.3 that computes";
    } else {
        query_physical(d);
        if (open_device(d))
            return &d->base;
        *message = "the Vulkan device cannot be opened";
    }
    destroy(&d->base);
    return NULL;
}

const char *
amber_vulkan_driver(arena *a, const amber_device *base)
{
    const vk_properties *p = &((const vk_device *)base)->properties;
    return arena_printf(a, "%s, %s, %s, %u", p->core.properties.deviceName, p->v12.driverName,
                        p->v12.driverInfo, p->core.properties.driverVersion);
}
