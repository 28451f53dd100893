/* The Vulkan device: opening it, and what it can do.
 *
 * The loader is found at run time, so that nothing links to it. All features of the device are
 * enabled at once: the device is opened once for many scripts.
 */
#include "amber/dev_vk.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

typedef struct feature_row {
    const char *name; /* as in AmberScript */
    size_t offset;    /* of the VkBool32 in vk_features or vk_properties */
} feature_row;

#define CORE(name)              {#name, offsetof(vk_features, core.features.name)}
#define GROUP(group, part, name) {#group "." #name, offsetof(vk_features, part.name)}

static const feature_row feature_rows[] = {
    CORE(robustBufferAccess),
    CORE(fullDrawIndexUint32),
    CORE(imageCubeArray),
    CORE(independentBlend),
    CORE(geometryShader),
    CORE(tessellationShader),
    CORE(sampleRateShading),
    CORE(dualSrcBlend),
    CORE(logicOp),
    CORE(multiDrawIndirect),
    CORE(drawIndirectFirstInstance),
    CORE(depthClamp),
    CORE(depthBiasClamp),
    CORE(fillModeNonSolid),
    CORE(depthBounds),
    CORE(wideLines),
    CORE(largePoints),
    CORE(alphaToOne),
    CORE(multiViewport),
    CORE(samplerAnisotropy),
    CORE(textureCompressionETC2),
    CORE(textureCompressionASTC_LDR),
    CORE(textureCompressionBC),
    CORE(occlusionQueryPrecise),
    CORE(pipelineStatisticsQuery),
    CORE(vertexPipelineStoresAndAtomics),
    CORE(fragmentStoresAndAtomics),
    CORE(shaderTessellationAndGeometryPointSize),
    CORE(shaderImageGatherExtended),
    CORE(shaderStorageImageExtendedFormats),
    CORE(shaderStorageImageMultisample),
    CORE(shaderStorageImageReadWithoutFormat),
    CORE(shaderStorageImageWriteWithoutFormat),
    CORE(shaderUniformBufferArrayDynamicIndexing),
    CORE(shaderSampledImageArrayDynamicIndexing),
    CORE(shaderStorageBufferArrayDynamicIndexing),
    CORE(shaderStorageImageArrayDynamicIndexing),
    CORE(shaderClipDistance),
    CORE(shaderCullDistance),
    CORE(shaderFloat64),
    CORE(shaderInt64),
    CORE(shaderInt16),
    CORE(shaderResourceResidency),
    CORE(shaderResourceMinLod),
    CORE(sparseBinding),
    CORE(sparseResidencyBuffer),
    CORE(sparseResidencyImage2D),
    CORE(sparseResidencyImage3D),
    CORE(sparseResidency2Samples),
    CORE(sparseResidency4Samples),
    CORE(sparseResidency8Samples),
    CORE(sparseResidency16Samples),
    CORE(sparseResidencyAliased),
    CORE(variableMultisampleRate),
    CORE(inheritedQueries),
    GROUP(VariablePointerFeatures, v11, variablePointers),
    GROUP(VariablePointerFeatures, v11, variablePointersStorageBuffer),
    GROUP(Storage16BitFeatures, v11, storageBuffer16BitAccess),
    GROUP(Storage16BitFeatures, v11, uniformAndStorageBuffer16BitAccess),
    GROUP(Storage16BitFeatures, v11, storagePushConstant16),
    GROUP(Storage16BitFeatures, v11, storageInputOutput16),
    GROUP(Storage8BitFeatures, v12, storageBuffer8BitAccess),
    GROUP(Storage8BitFeatures, v12, uniformAndStorageBuffer8BitAccess),
    GROUP(Storage8BitFeatures, v12, storagePushConstant8),
    GROUP(Float16Int8Features, v12, shaderFloat16),
    GROUP(Float16Int8Features, v12, shaderInt8),
    GROUP(VulkanMemoryModelFeatures, v12, vulkanMemoryModel),
    GROUP(VulkanMemoryModelFeatures, v12, vulkanMemoryModelDeviceScope),
    GROUP(BufferDeviceAddressFeatures, v12, bufferDeviceAddress),
    GROUP(SubgroupSizeControl, v13, subgroupSizeControl),
    GROUP(SubgroupSizeControl, v13, computeFullSubgroups),
    GROUP(ZeroInitializeWorkgroupMemoryFeatures, v13, shaderZeroInitializeWorkgroupMemory),
};

#undef CORE
#undef GROUP
#define FLOAT_CONTROL(name)                                                                        \
    {"FloatControlsProperties." #name "Float16", offsetof(vk_properties, v12.name##Float16)},      \
        {"FloatControlsProperties." #name "Float32", offsetof(vk_properties, v12.name##Float32)},  \
        {"FloatControlsProperties." #name "Float64", offsetof(vk_properties, v12.name##Float64)}

static const feature_row property_rows[] = {
    FLOAT_CONTROL(shaderSignedZeroInfNanPreserve),
    FLOAT_CONTROL(shaderDenormPreserve),
    FLOAT_CONTROL(shaderDenormFlushToZero),
    FLOAT_CONTROL(shaderRoundingModeRTE),
    FLOAT_CONTROL(shaderRoundingModeRTZ),
};

#undef FLOAT_CONTROL

typedef struct bit_row {
    const char *name;
    uint32_t bit;
} bit_row;

static const bit_row operation_rows[] = {
    {"SubgroupSupportedOperations.basic", VK_SUBGROUP_FEATURE_BASIC_BIT},
    {"SubgroupSupportedOperations.vote", VK_SUBGROUP_FEATURE_VOTE_BIT},
    {"SubgroupSupportedOperations.arithmetic", VK_SUBGROUP_FEATURE_ARITHMETIC_BIT},
    {"SubgroupSupportedOperations.ballot", VK_SUBGROUP_FEATURE_BALLOT_BIT},
    {"SubgroupSupportedOperations.shuffle", VK_SUBGROUP_FEATURE_SHUFFLE_BIT},
    {"SubgroupSupportedOperations.shuffleRelative", VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT},
    {"SubgroupSupportedOperations.clustered", VK_SUBGROUP_FEATURE_CLUSTERED_BIT},
    {"SubgroupSupportedOperations.quad", VK_SUBGROUP_FEATURE_QUAD_BIT},
};

static const bit_row stage_rows[] = {
    {"SubgroupSupportedStages.vertex", VK_SHADER_STAGE_VERTEX_BIT},
    {"SubgroupSupportedStages.tessellationControl", VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
    {"SubgroupSupportedStages.tessellationEvaluation", VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
    {"SubgroupSupportedStages.geometry", VK_SHADER_STAGE_GEOMETRY_BIT},
    {"SubgroupSupportedStages.fragment", VK_SHADER_STAGE_FRAGMENT_BIT},
    {"SubgroupSupportedStages.compute", VK_SHADER_STAGE_COMPUTE_BIT},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool
read_flag(const void *base, const feature_row *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            VkBool32 flag;
            memcpy(&flag, (const char *)base + rows[i].offset, sizeof flag);
            return flag;
        }
    }
    return false;
}

static bool
read_bit(uint32_t bits, const bit_row *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return bits & rows[i].bit;
    return false;
}

static bool
has_feature(amber_device *base, const char *name)
{
    vk_device *d = (vk_device *)base;
    const VkPhysicalDeviceVulkan11Properties *p = &d->properties.v11;
    return read_flag(&d->features, feature_rows, COUNT(feature_rows), name) ||
           read_bit(p->subgroupSupportedOperations, operation_rows, COUNT(operation_rows), name) ||
           read_bit(p->subgroupSupportedStages, stage_rows, COUNT(stage_rows), name);
}

static bool
has_property(amber_device *base, const char *name)
{
    vk_device *d = (vk_device *)base;
    return read_flag(&d->properties, property_rows, COUNT(property_rows), name);
}

static bool
find_extension(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    return false;
}

static bool
has_device_extension(amber_device *base, const char *name)
{
    vk_device *d = (vk_device *)base;
    return find_extension(d->extensions, d->extension_count, name);
}

/* Some scripts name a device's extension here, and loaders drop what is in the core. */
static bool
has_instance_extension(amber_device *base, const char *name)
{
    vk_device *d = (vk_device *)base;
    return strcmp(name, "VK_KHR_get_physical_device_properties2") == 0 ||
           find_extension(d->instance_extensions, d->instance_extension_count, name) ||
           has_device_extension(base, name);
}

static void
destroy(amber_device *base)
{
    vk_device *d = (vk_device *)base;
    if (d->lost)
        return;
    if (d->device) {
        vk_end_script(base);
        d->vk.DestroyFence(d->device, d->fence, NULL);
        d->vk.DestroyCommandPool(d->device, d->pool, NULL);
        d->vk.DestroyDevice(d->device, NULL);
    }
    if (d->instance)
        d->vk.DestroyInstance(d->instance, NULL);
    if (d->library)
        dlclose(d->library);
}

static const amber_device_functions functions = {
    .has_feature = has_feature,
    .has_device_extension = has_device_extension,
    .has_instance_extension = has_instance_extension,
    .has_property = has_property,
    .dispatch = vk_dispatch,
    .end_script = vk_end_script,
    .destroy = destroy,
};

/* dlsym gives an object pointer; POSIX promises that its bits are those of the function's. */
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
    PFN_vkEnumerateInstanceExtensionProperties list =
        (PFN_vkEnumerateInstanceExtensionProperties)get(NULL,
                                                        "vkEnumerateInstanceExtensionProperties");
    VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                             .pApplicationName = "heddle",
                             .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &app};
    if (!create || !list || create(&info, NULL, &d->instance) != VK_SUCCESS)
        return false;
    list(NULL, &d->instance_extension_count, NULL);
    d->instance_extensions =
        ARENA_ARRAY(d->arena, d->instance_extension_count, VkExtensionProperties);
    list(NULL, &d->instance_extension_count, d->instance_extensions);
#define VK_LOAD(name) d->vk.name = (PFN_vk##name)get(d->instance, "vk" #name);
    VK_INSTANCE_FUNCTIONS(VK_LOAD)
#undef VK_LOAD
    return true;
}

/* A queue family that computes, or UINT32_MAX. */
static uint32_t
find_queue(vk_device *d, VkPhysicalDevice physical)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = COUNT(families);
    d->vk.GetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; i++)
        if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)
            return i;
    return UINT32_MAX;
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

static void
query_physical(vk_device *d)
{
    vk_features *f = &d->features;
    vk_properties *p = &d->properties;
    void **tail = &f->core.pNext;
    d->vk.EnumerateDeviceExtensionProperties(d->physical, NULL, &d->extension_count, NULL);
    d->extensions = ARENA_ARRAY(d->arena, d->extension_count, VkExtensionProperties);
    d->vk.EnumerateDeviceExtensionProperties(d->physical, NULL, &d->extension_count,
                                             d->extensions);
    f->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    f->v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    f->v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    f->v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    f->workgroup.sType =
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR;
    f->image_atomic64.sType =
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT;
    f->atomic_float.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT;
    chain(&tail, &f->v11, &f->v11.pNext);
    chain(&tail, &f->v12, &f->v12.pNext);
    chain(&tail, &f->v13, &f->v13.pNext);
    if (has_device_extension(&d->base, VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME))
        chain(&tail, &f->workgroup, &f->workgroup.pNext);
    if (has_device_extension(&d->base, VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME))
        chain(&tail, &f->image_atomic64, &f->image_atomic64.pNext);
    if (has_device_extension(&d->base, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME))
        chain(&tail, &f->atomic_float, &f->atomic_float.pNext);
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
    static const char *const wanted[] = {VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME,
                                         VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME,
                                         VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME,
                                         VK_KHR_SHADER_CLOCK_EXTENSION_NAME};
    const char *names[COUNT(wanted)];
    uint32_t count = 0;
    float priority = 1.0f;
    for (size_t i = 0; i < COUNT(wanted); i++)
        if (has_device_extension(&d->base, wanted[i]))
            names[count++] = wanted[i];
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
    VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = d->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    return d->vk.AllocateCommandBuffers(d->device, &commands, &d->commands) == VK_SUCCESS;
}

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
        if (create_device(d) && create_commands(d))
            return &d->base;
        *message = "the Vulkan device cannot be opened";
    }
    destroy(&d->base);
    return NULL;
}
