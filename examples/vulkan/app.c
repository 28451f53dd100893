#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
app_check(const app *a, VkResult result, const char *what)
{
    enum { FAILED = 2, LOST = 3 };
    if (result == VK_SUCCESS)
        return;
    if (result == VK_ERROR_DEVICE_LOST)
        printf("%s: %s: VK_ERROR_DEVICE_LOST\n", a->name, what);
    else
        printf("%s: %s: error %d\n", a->name, what, (int)result);
    fflush(stdout);
    exit(result == VK_ERROR_DEVICE_LOST ? LOST : FAILED);
}

int
app_verdict(const app *a, uint32_t wrong, uint32_t n)
{
    if (wrong)
        printf("FAIL %s: %u of %u results are wrong (%s)\n", a->name, (unsigned)wrong, (unsigned)n,
               a->properties.deviceName);
    else
        printf("PASS %s: %u results (%s)\n", a->name, (unsigned)n, a->properties.deviceName);
    return wrong ? 1 : 0;
}

uint32_t
app_random(uint32_t *state)
{
    *state ^= *state << 13; /* Marsaglia's xorshift */
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* ---- the device ---- */

static void
choose_device(app *a)
{
    uint32_t n = 1;
    VkResult result = vkEnumeratePhysicalDevices(a->instance, &n, &a->physical);
    if (result != VK_INCOMPLETE)
        app_check(a, result, "vkEnumeratePhysicalDevices");
    if (!n) {
        printf("%s: there is no Vulkan device\n", a->name);
        exit(2);
    }
    a->subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &a->subgroup};
    vkGetPhysicalDeviceProperties2(a->physical, &properties);
    a->properties = properties.properties;
}

static void
choose_family(app *a)
{
    VkQueueFamilyProperties families[8];
    uint32_t n = 8;
    vkGetPhysicalDeviceQueueFamilyProperties(a->physical, &n, families);
    while (a->family < n && !(families[a->family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        a->family++;
    if (a->family >= n) {
        printf("%s: the device has no compute queue\n", a->name);
        exit(2);
    }
    uint32_t count = families[a->family].queueCount;
    a->n_queues = count < APP_QUEUES ? count : APP_QUEUES;
    a->timestamp_bits = families[a->family].timestampValidBits;
    for (uint32_t k = 0; k < n; k++) {
        const VkQueueFlags flags = families[k].queueFlags;
        if (flags & VK_QUEUE_TRANSFER_BIT &&
            !(flags & (VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT))) {
            a->has_transfer = true;
            a->transfer_family = k;
        }
    }
}

static void
make_device(app *a, const char *const *extensions, void *more)
{
    uint32_t n = 0;
    static const float priorities[APP_QUEUES] = {1, 1, 1, 1};
    const VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = more,
        .timelineSemaphore = true};
    const VkDeviceQueueCreateInfo queues[] = {
        {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
         .queueFamilyIndex = a->family,
         .queueCount = a->n_queues,
         .pQueuePriorities = priorities},
        {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
         .queueFamilyIndex = a->transfer_family,
         .queueCount = 1,
         .pQueuePriorities = priorities},
    };
    while (extensions && extensions[n])
        n++;
    app_check(a,
              vkCreateDevice(a->physical,
                             &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                                   .pNext = &features,
                                                   .enabledExtensionCount = n,
                                                   .ppEnabledExtensionNames = extensions,
                                                   .queueCreateInfoCount = 1 + a->has_transfer,
                                                   .pQueueCreateInfos = queues},
                             NULL, &a->device),
              "vkCreateDevice");
    for (uint32_t k = 0; k < a->n_queues; k++)
        vkGetDeviceQueue(a->device, a->family, k, &a->queues[k]);
    if (a->has_transfer)
        vkGetDeviceQueue(a->device, a->transfer_family, 0, &a->transfer);
}

static void
make_pools(app *a)
{
    enum { SETS = 64 };
    static const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SETS * APP_BINDINGS},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, SETS},
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, SETS},
    };
    const VkCommandPoolCreateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                              .queueFamilyIndex = a->family};
    const VkDescriptorPoolCreateInfo sets = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = SETS,
                                             .poolSizeCount = sizeof sizes / sizeof *sizes,
                                             .pPoolSizes = sizes};
    app_check(a, vkCreateCommandPool(a->device, &commands, NULL, &a->pool), "vkCreateCommandPool");
    app_check(a, vkCreateDescriptorPool(a->device, &sets, NULL, &a->sets),
              "vkCreateDescriptorPool");
}

/* Does the loader or a driver have the extension by which objects get names? */
static bool
can_name(void)
{
    enum { MOST = 64 };
    VkExtensionProperties all[MOST];
    uint32_t n = MOST;
    vkEnumerateInstanceExtensionProperties(NULL, &n, all);
    for (uint32_t k = 0; k < n; k++) {
        if (strcmp(all[k].extensionName, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) == 0)
            return true;
    }
    return false;
}

void
app_open(app *a, const char *name)
{
    app_open_with(a, name, NULL, NULL);
}

void
app_open_with(app *a, const char *name, const char *const *extensions, void *features)
{
    static const char *const own[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    *a = (app){.name = name};
    const VkApplicationInfo info = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                    .pApplicationName = name,
                                    .apiVersion = VK_API_VERSION_1_2};
    app_check(
        a,
        vkCreateInstance(&(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                 .pApplicationInfo = &info,
                                                 .enabledExtensionCount = can_name(),
                                                 .ppEnabledExtensionNames = own},
                         NULL, &a->instance),
        "vkCreateInstance");
    choose_device(a);
    choose_family(a);
    make_device(a, extensions, features);
    make_pools(a);
}

void
app_close(app *a)
{
    vkDestroyDescriptorPool(a->device, a->sets, NULL);
    vkDestroyCommandPool(a->device, a->pool, NULL);
    vkDestroyDevice(a->device, NULL);
    vkDestroyInstance(a->instance, NULL);
}

/* ---- memory ---- */

VkDeviceMemory
app_allocate(const app *a, const VkMemoryRequirements *needs, VkMemoryPropertyFlags flags)
{
    VkPhysicalDeviceMemoryProperties types;
    VkDeviceMemory memory;
    uint32_t type = 0;
    vkGetPhysicalDeviceMemoryProperties(a->physical, &types);
    while (type < types.memoryTypeCount &&
           (!(needs->memoryTypeBits >> type & 1) ||
            (types.memoryTypes[type].propertyFlags & flags) != flags))
        type++;
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs->size,
                                       .memoryTypeIndex = type};
    app_check(a, vkAllocateMemory(a->device, &info, NULL, &memory), "vkAllocateMemory");
    return memory;
}

app_buffer
app_new_buffer(const app *a, VkDeviceSize bytes)
{
    app_buffer b = {.bytes = bytes};
    VkMemoryRequirements needs;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = bytes,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                 VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    app_check(a, vkCreateBuffer(a->device, &info, NULL, &b.buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(a->device, b.buffer, &needs);
    b.memory = app_allocate(
        a, &needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    app_check(a, vkBindBufferMemory(a->device, b.buffer, b.memory, 0), "vkBindBufferMemory");
    app_check(a, vkMapMemory(a->device, b.memory, 0, bytes, 0, &b.data), "vkMapMemory");
    memset(b.data, 0, bytes);
    return b;
}

void
app_free_buffer(const app *a, app_buffer *b)
{
    vkDestroyBuffer(a->device, b->buffer, NULL);
    vkFreeMemory(a->device, b->memory, NULL);
}

/* ---- images ---- */

static VkImageView
make_view(const app *a, const app_image *image, VkFormat format, VkImageSubresourceRange range)
{
    VkImageView view;
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = image->image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = format,
                                        .subresourceRange = range};
    app_check(a, vkCreateImageView(a->device, &info, NULL, &view), "vkCreateImageView");
    return view;
}

app_image
app_new_image(const app *a, VkFormat format, VkExtent2D size, uint32_t n_levels)
{
    app_image i = {.n_levels = n_levels};
    VkMemoryRequirements needs;
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {size.width, size.height, 1},
        .mipLevels = n_levels,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                 VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    app_check(a, vkCreateImage(a->device, &info, NULL, &i.image), "vkCreateImage");
    vkGetImageMemoryRequirements(a->device, i.image, &needs);
    i.memory = app_allocate(a, &needs, 0);
    app_check(a, vkBindImageMemory(a->device, i.image, i.memory, 0), "vkBindImageMemory");
    i.all = make_view(a, &i, format,
                      (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, n_levels, 0, 1});
    for (uint32_t k = 0; k < n_levels; k++)
        i.levels[k] = make_view(a, &i, format,
                                (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, k, 1, 0, 1});
    return i;
}

void
app_free_image(const app *a, app_image *image)
{
    vkDestroyImageView(a->device, image->all, NULL);
    for (uint32_t k = 0; k < image->n_levels; k++)
        vkDestroyImageView(a->device, image->levels[k], NULL);
    vkDestroyImage(a->device, image->image, NULL);
    vkFreeMemory(a->device, image->memory, NULL);
}

/* ---- kernels ---- */

/* A shader in the folder that the variable SHADERS names, or in the build's. */
static FILE *
open_shader(const char *name)
{
    const char *own = getenv("SHADERS");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", own ? own : SHADERS, name);
    FILE *f = fopen(path, "rb");
    if (f || !own)
        return f;
    snprintf(path, sizeof path, "%s/%s", SHADERS, name);
    return fopen(path, "rb");
}

VkShaderModule
app_new_module(const app *a, const char *name)
{
    enum { MOST = 1 << 20 };
    VkShaderModule module;
    FILE *f = open_shader(name);
    uint32_t *words = malloc(MOST);
    size_t n = f && words ? fread(words, 1, MOST, f) : 0;
    if (!n) {
        printf("%s: cannot read %s\n", a->name, name);
        exit(2);
    }
    fclose(f);
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = n, .pCode = words};
    app_check(a, vkCreateShaderModule(a->device, &info, NULL, &module), "vkCreateShaderModule");
    free(words);
    return module;
}

static void
make_layout(const app *a, const app_kernel_info *info, app_kernel *k)
{
    VkDescriptorSetLayoutBinding bindings[APP_BINDINGS];
    for (uint32_t b = 0; b < info->n_bindings; b++)
        bindings[b] = (VkDescriptorSetLayoutBinding){.binding = b,
                                                     .descriptorType = info->bindings[b],
                                                     .descriptorCount = 1,
                                                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT |
                                                                   VK_SHADER_STAGE_FRAGMENT_BIT};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = info->n_bindings,
        .pBindings = bindings};
    app_check(a, vkCreateDescriptorSetLayout(a->device, &set, NULL, &k->set_layout),
              "vkCreateDescriptorSetLayout");
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, info->push_bytes};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &k->set_layout,
        .pushConstantRangeCount = info->push_bytes != 0,
        .pPushConstantRanges = &push};
    app_check(a, vkCreatePipelineLayout(a->device, &layout, NULL, &k->layout),
              "vkCreatePipelineLayout");
}

/* Gives an object its file's name, which tools show. */
static void
set_name(const app *a, VkObjectType type, uint64_t handle, const char *name)
{
    PFN_vkSetDebugUtilsObjectNameEXT f = (PFN_vkSetDebugUtilsObjectNameEXT)vkGetDeviceProcAddr(
        a->device, "vkSetDebugUtilsObjectNameEXT");
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name};
    if (f)
        f(a->device, &info);
}

app_kernel
app_new_kernel(const app *a, const app_kernel_info *info)
{
    app_kernel k = {0};
    VkSpecializationMapEntry entries[APP_BINDINGS];
    for (uint32_t c = 0; c < info->n_constants; c++)
        entries[c] = (VkSpecializationMapEntry){c, c * 4, 4};
    const VkSpecializationInfo constants = {info->n_constants, entries, info->n_constants * 4ul,
                                            info->constants};
    VkShaderModule module = app_new_module(a, info->shader);
    make_layout(a, info, &k);
    const VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = k.layout};
    app_check(a,
              vkCreateComputePipelines(a->device, VK_NULL_HANDLE, 1, &pipeline, NULL, &k.pipeline),
              "vkCreateComputePipelines");
    set_name(a, VK_OBJECT_TYPE_PIPELINE, (uint64_t)k.pipeline, info->shader);
    vkDestroyShaderModule(a->device, module, NULL);
    return k;
}

void
app_free_kernel(const app *a, app_kernel *k)
{
    vkDestroyPipeline(a->device, k->pipeline, NULL);
    vkDestroyPipelineLayout(a->device, k->layout, NULL);
    vkDestroyDescriptorSetLayout(a->device, k->set_layout, NULL);
}

VkDescriptorSet
app_new_set(const app *a, const app_kernel *k)
{
    VkDescriptorSet set;
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = a->sets,
        .descriptorSetCount = 1,
        .pSetLayouts = &k->set_layout};
    app_check(a, vkAllocateDescriptorSets(a->device, &info, &set), "vkAllocateDescriptorSets");
    return set;
}

void
app_set_buffer(const app *a, VkDescriptorSet set, uint32_t binding, const app_buffer *b)
{
    const VkDescriptorBufferInfo info = {b->buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .dstBinding = binding,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &info};
    vkUpdateDescriptorSets(a->device, 1, &write, 0, NULL);
}

void
app_set_image(const app *a, VkDescriptorSet set, uint32_t binding, VkImageView view,
              VkSampler sampler)
{
    const VkDescriptorImageInfo info = {sampler, view, VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .dstBinding = binding,
        .descriptorCount = 1,
        .descriptorType = sampler ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                                  : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        .pImageInfo = &info};
    vkUpdateDescriptorSets(a->device, 1, &write, 0, NULL);
}

/* ---- commands ---- */

VkCommandBuffer
app_begin(const app *a)
{
    VkCommandBuffer commands;
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = a->pool,
        .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    app_check(a, vkAllocateCommandBuffers(a->device, &info, &commands), "vkAllocateCommandBuffers");
    app_check(a, vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    return commands;
}

void
app_bind(VkCommandBuffer commands, const app_kernel *k, VkDescriptorSet set, const void *push,
         uint32_t push_bytes)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, k->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, k->layout, 0, 1, &set, 0,
                            NULL);
    if (push_bytes)
        vkCmdPushConstants(commands, k->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes, push);
}

void
app_barrier(app *a, VkCommandBuffer commands)
{
    static const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                         VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT};
    const char *without = getenv("WITHOUT_BARRIER");
    if (without && strtoul(without, NULL, 10) == ++a->barriers)
        return;
    vkCmdPipelineBarrier(commands,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT |
                             VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                         0, 1, &barrier, 0, NULL, 0, NULL);
}

void
app_begin_image(VkCommandBuffer commands, const app_image *image)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, image->n_levels, 0, 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                         0, NULL, 0, NULL, 1, &barrier);
}

void
app_run(const app *a, VkCommandBuffer commands)
{
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands};
    app_check(a, vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    app_check(a, vkQueueSubmit(a->queues[0], 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    app_check(a, vkQueueWaitIdle(a->queues[0]), "vkQueueWaitIdle");
}
