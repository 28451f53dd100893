/* Runs a dispatch (tools/heddle/device_job.h) on turnip, in a process for arm64 under qemu.
 *
 * The kernel driver is turnip-anchor's made-up one, whose buffers are ranges of a memory file. What
 * turnip submits is handed to a program of the host (execute.c), which has the same file mapped, so
 * that turnip finds the results where a GPU would leave them.
 *
 * Usage: program DRIVER EXECUTE JOB. The exit code is DEVICE_JOB_LACKS if turnip does not offer
 * what the module declares, 1 after findings or errors. */
#define _GNU_SOURCE

#include "device_job.h"
#include "fakemsm.h"

#include <dlfcn.h>
#include <drm/msm_drm.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vulkan/vulkan.h>
#include <xf86drm.h>

#define EXPORT __attribute__((visibility("default")))

enum { MAX_SETS = 8, MAX_DESCRIPTORS = 256 };

static const char *execute_path;
static int failures;

static _Noreturn void
give_up(const char *what, int code)
{
    fprintf(stderr, "program: %s\n", what);
    exit(code);
}

/* ---- submissions ---- */

/* The address of the memory file's first byte: a buffer's offset is a part of its address. */
static uint64_t
first_address(void)
{
    struct drm_msm_gem_info info = {.handle = 1, .info = MSM_INFO_GET_OFFSET};
    uint64_t iova = 0, size;
    int (*forward)(int, unsigned long, void *, unsigned long) = dlsym(RTLD_NEXT,
                                                                      "drmCommandWriteRead");
    fakemsm_buffer(0, &iova, &size);
    forward(-1, DRM_MSM_GEM_INFO, &info, sizeof info);
    return iova - info.value;
}

static void
tell(FILE *to, const struct drm_msm_gem_submit *r)
{
    const struct drm_msm_gem_submit_bo *bos = (const void *)(uintptr_t)r->bos;
    const struct drm_msm_gem_submit_cmd *cmds = (const void *)(uintptr_t)r->cmds;
    uint64_t iova, size;
    for (size_t k = 0; fakemsm_buffer(k, &iova, &size); k++)
        fprintf(to, "buffer %llx %llx\n", (unsigned long long)iova, (unsigned long long)size);
    for (uint32_t k = 0; k < r->nr_cmds; k++)
        fprintf(to, "stream %llx %x\n",
                (unsigned long long)(bos[cmds[k].submit_idx].presumed + cmds[k].submit_offset),
                cmds[k].size / 4);
    fclose(to);
}

static void
execute(const struct drm_msm_gem_submit *r)
{
    char file[16], first[32], *node = drmGetRenderDeviceNameFromFd(-1);
    int ends[2], status = -1;
    const int memory = dup(atoi(strrchr(node, '/') + 1));
    free(node);
    snprintf(file, sizeof file, "%d", memory);
    snprintf(first, sizeof first, "%llx", (unsigned long long)first_address());
    if (memory < 0 || pipe(ends))
        give_up("no pipe", 1);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[0], 0);
        close(ends[0]);
        close(ends[1]);
        execl(execute_path, execute_path, file, first, (char *)NULL);
        _exit(126);
    }
    close(ends[0]);
    tell(fdopen(ends[1], "w"), r);
    waitpid(child, &status, 0);
    close(memory);
    failures += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

EXPORT int
drmCommandWriteRead(int fd, unsigned long index, void *data, unsigned long size)
{
    int (*forward)(int, unsigned long, void *, unsigned long) = dlsym(RTLD_NEXT,
                                                                      "drmCommandWriteRead");
    if (index == DRM_MSM_GEM_SUBMIT)
        execute(data);
    return forward(fd, index, data, size);
}

EXPORT int
drmIoctl(int fd, unsigned long request, void *data)
{
    int (*forward)(int, unsigned long, void *) = dlsym(RTLD_NEXT, "drmIoctl");
    if ((request & 0xff) == DRM_COMMAND_BASE + DRM_MSM_GEM_SUBMIT)
        execute(data);
    return forward(fd, request, data);
}

/* ---- the job ---- */

typedef struct job {
    const device_job *head;
    const uint32_t *words;
    const VkSpecializationMapEntry *spec_entries;
    const uint32_t *spec_values;
    const uint8_t *push;
    const char *name;
    const device_job_descriptor *descriptors;
    uint8_t *buffers[MAX_DESCRIPTORS]; /* the bytes; the size stands before them */
    uint8_t *bytes;
    size_t size;
} job;

static uint32_t
size_of(const job *j, uint32_t buffer)
{
    uint32_t size;
    memcpy(&size, j->buffers[buffer] - 4, 4);
    return size;
}

static void
read_specs(job *j, const uint32_t *pairs)
{
    const uint32_t n = j->head->n_specs;
    VkSpecializationMapEntry *entries = calloc(n + 1, sizeof *entries);
    uint32_t *values = calloc(n + 1, sizeof *values);
    for (uint32_t k = 0; k < n; k++) {
        entries[k] = (VkSpecializationMapEntry){pairs[2 * k], 4 * k, 4};
        values[k] = pairs[2 * k + 1];
    }
    j->spec_entries = entries;
    j->spec_values = values;
}

static void
read_job(job *j, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END))
        give_up("the job cannot be read", 1);
    j->size = (size_t)ftell(f);
    j->bytes = malloc(j->size + 1);
    rewind(f);
    if (fread(j->bytes, 1, j->size, f) != j->size || j->size < sizeof *j->head)
        give_up("the job is cut off", 1);
    fclose(f);
    const device_job *h = j->head = (const device_job *)(const void *)j->bytes;
    if (h->magic != DEVICE_JOB_MAGIC || h->n_buffers > MAX_DESCRIPTORS)
        give_up("the job is of another kind", 1);
    uint8_t *at = j->bytes + sizeof *h;
    j->words = (const uint32_t *)(const void *)at;
    at += 4 * (size_t)h->n_words;
    read_specs(j, (const uint32_t *)(const void *)at);
    at += 8 * (size_t)h->n_specs;
    j->push = at;
    at += (h->push_bytes + 3) & ~3u;
    j->name = strndup((const char *)at, h->name_bytes);
    at += (h->name_bytes + 3) & ~3u;
    j->descriptors = (const device_job_descriptor *)(const void *)at;
    at += h->n_descriptors * sizeof *j->descriptors;
    for (uint32_t k = 0; k < h->n_buffers; k++) {
        j->buffers[k] = at + 4;
        at += 4 + ((size_of(j, k) + 3) & ~3u);
    }
}

static void
write_job(const job *j, const char *path)
{
    FILE *f = fopen(path, "r+b");
    if (!f || fwrite(j->bytes, 1, j->size, f) != j->size || fclose(f))
        give_up("the job cannot be written", 1);
}

/* ---- Vulkan ---- */

typedef struct vulkan {
    PFN_vkGetInstanceProcAddr get;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkBuffer buffers[MAX_DESCRIPTORS];
    uint8_t *mapped[MAX_DESCRIPTORS];
    VkDescriptorSetLayout set_layouts[MAX_SETS];
    uint32_t n_sets;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet sets[MAX_SETS];
} vulkan;

#define CALL(v, name) ((PFN_##name)(v)->get((v)->instance, #name))

static void
check(VkResult r, const char *what)
{
    if (r != VK_SUCCESS)
        give_up(what, 1);
}

static void
open_instance(vulkan *v, const char *driver)
{
    void *library = dlopen(driver, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        give_up(dlerror(), 1);
    v->get = (PFN_vkGetInstanceProcAddr)dlsym(library, "vk_icdGetInstanceProcAddr");
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &app};
    uint32_t n = 1;
    check(CALL(v, vkCreateInstance)(&info, NULL, &v->instance), "no instance");
    CALL(v, vkEnumeratePhysicalDevices)(v->instance, &n, &v->physical);
    if (!n)
        give_up("no device", 1);
}

typedef struct features {
    VkBool32 int64, float64, int8, storage8, storage16, addresses, workgroup_layout,
        uniform_control_flow;
    VkSubgroupFeatureFlags subgroups;
} features;

/* Has the module this text, such as an extension's name? */
static bool
has_text(const job *j, const char *text)
{
    const char *at = (const char *)j->words, *end = at + 4 * (size_t)j->head->n_words;
    return memmem(at, (size_t)(end - at), text, strlen(text)) != NULL;
}

/* Is a capability of the module one that the device lacks? turnip 22.3.6 crashes on modules that
 * need 64-bit numbers. Capabilities stand at the start of a module, behind five words. */
static bool
lacks(const features *f, const job *j)
{
    bool lacks = j->head->storage_16bit && !f->storage16;
    for (uint32_t at = 5; at < j->head->n_words && j->words[at] == (2u << 16 | 17); at += 2) {
        const uint32_t capability = j->words[at + 1];
        if (capability >= 61 && capability <= 68) /* GroupNonUniform ... Quad, as the flags */
            lacks |= !(f->subgroups >> (capability - 61) & 1);
        switch (capability) {
        case 10: lacks |= !f->float64; break;
        case 11:
        case 12: lacks |= !f->int64; break;
        case 39: lacks |= !f->int8; break;
        case 4428: lacks |= !f->workgroup_layout; break;
        case 4433: /* StorageBuffer16BitAccess, and those of other blocks */
        case 4434:
        case 4435: lacks |= !f->storage16; break;
        case 4448: /* the same of 8 bits */
        case 4449:
        case 4450: lacks |= !f->storage8; break;
        case 5347: lacks |= !f->addresses; break;
        default: break;
        }
    }
    return lacks || (!f->uniform_control_flow && has_text(j, "SPV_KHR_subgroup_uniform_control"));
}

static VkBool32
has_extension(vulkan *v, const char *name)
{
    static VkExtensionProperties list[512];
    uint32_t n = 512;
    CALL(v, vkEnumerateDeviceExtensionProperties)(v->physical, NULL, &n, list);
    for (uint32_t k = 0; k < n; k++)
        if (strcmp(list[k].extensionName, name) == 0)
            return VK_TRUE;
    return VK_FALSE;
}

/* A device with all features that turnip offers. */
static void
open_device(vulkan *v, const job *j)
{
    VkPhysicalDeviceVulkan13Features f13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features f12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &f13};
    VkPhysicalDeviceVulkan11Features f11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &f12};
    VkPhysicalDeviceFeatures2 f = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                   .pNext = &f11};
    CALL(v, vkGetPhysicalDeviceFeatures2)(v->physical, &f);
    VkPhysicalDeviceSubgroupProperties subgroups = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroups};
    CALL(v, vkGetPhysicalDeviceProperties2)(v->physical, &properties);
    const features offered = {f.features.shaderInt64,
                              f.features.shaderFloat64,
                              f12.shaderInt8,
                              f12.storageBuffer8BitAccess,
                              f11.storageBuffer16BitAccess,
                              f12.bufferDeviceAddress,
                              has_extension(v, "VK_KHR_workgroup_memory_explicit_layout"),
                              has_extension(v, "VK_KHR_shader_subgroup_uniform_control_flow"),
                              subgroups.supportedOperations};
    if (lacks(&offered, j))
        give_up("turnip does not offer a capability", DEVICE_JOB_LACKS);
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &f,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    check(CALL(v, vkCreateDevice)(v->physical, &info, NULL, &v->device), "no device");
    CALL(v, vkGetDeviceQueue)(v->device, 0, 0, &v->queue);
}

static uint32_t
memory_type(vulkan *v, uint32_t allowed)
{
    VkPhysicalDeviceMemoryProperties p;
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                         VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    CALL(v, vkGetPhysicalDeviceMemoryProperties)(v->physical, &p);
    for (uint32_t k = 0; k < p.memoryTypeCount; k++)
        if (allowed >> k & 1 && (p.memoryTypes[k].propertyFlags & wanted) == wanted)
            return k;
    give_up("no memory that is coherent", 1);
}

static void
make_buffer(vulkan *v, const job *j, uint32_t k)
{
    const uint32_t size = size_of(j, k);
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = size ? size : 4,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT};
    VkMemoryRequirements need;
    VkDeviceMemory memory;
    void *mapped;
    check(CALL(v, vkCreateBuffer)(v->device, &info, NULL, &v->buffers[k]), "no buffer");
    CALL(v, vkGetBufferMemoryRequirements)(v->device, v->buffers[k], &need);
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = need.size,
                                           .memoryTypeIndex = memory_type(v, need.memoryTypeBits)};
    check(CALL(v, vkAllocateMemory)(v->device, &allocate, NULL, &memory), "no memory");
    CALL(v, vkBindBufferMemory)(v->device, v->buffers[k], memory, 0);
    check(CALL(v, vkMapMemory)(v->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "no mapping");
    v->mapped[k] = mapped;
    memcpy(mapped, j->buffers[k], size);
}

static void
make_set_layout(vulkan *v, const job *j, uint32_t set)
{
    VkDescriptorSetLayoutBinding b[MAX_DESCRIPTORS];
    uint32_t n = 0;
    for (uint32_t k = 0; k < j->head->n_descriptors; k++) {
        const device_job_descriptor *d = &j->descriptors[k];
        uint32_t at = 0;
        if (d->set != set)
            continue;
        while (at < n && b[at].binding != d->binding)
            at++;
        if (at == n)
            b[n++] = (VkDescriptorSetLayoutBinding){.binding = d->binding,
                                                    .descriptorType = (VkDescriptorType)d->type,
                                                    .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
        if (b[at].descriptorCount <= d->element)
            b[at].descriptorCount = d->element + 1;
    }
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = n,
        .pBindings = b};
    check(CALL(v, vkCreateDescriptorSetLayout)(v->device, &info, NULL, &v->set_layouts[set]),
          "no set layout");
}

static void
make_layout(vulkan *v, const job *j)
{
    for (uint32_t k = 0; k < j->head->n_descriptors; k++) {
        if (j->descriptors[k].set >= 4)
            give_up("turnip has four sets", DEVICE_JOB_LACKS);
        if (v->n_sets <= j->descriptors[k].set)
            v->n_sets = j->descriptors[k].set + 1;
    }
    for (uint32_t set = 0; set < v->n_sets; set++)
        make_set_layout(v, j, set);
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                       (j->head->push_bytes + 3) & ~3u};
    if (range.size > 128)
        give_up("turnip has 128 bytes of push constants", DEVICE_JOB_LACKS);
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = v->n_sets,
                                             .pSetLayouts = v->set_layouts,
                                             .pushConstantRangeCount = range.size != 0,
                                             .pPushConstantRanges = &range};
    check(CALL(v, vkCreatePipelineLayout)(v->device, &info, NULL, &v->layout), "no layout");
}

static void
make_sets(vulkan *v, const job *j)
{
    static const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, MAX_DESCRIPTORS},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MAX_DESCRIPTORS},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 8},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 8}};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = MAX_SETS,
                                             .poolSizeCount = 4,
                                             .pPoolSizes = sizes};
    check(CALL(v, vkCreateDescriptorPool)(v->device, &info, NULL, &v->pool), "no pool");
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = v->pool,
        .descriptorSetCount = v->n_sets,
        .pSetLayouts = v->set_layouts};
    if (v->n_sets)
        check(CALL(v, vkAllocateDescriptorSets)(v->device, &allocate, v->sets), "no sets");
    for (uint32_t k = 0; k < j->head->n_descriptors; k++) {
        const device_job_descriptor *d = &j->descriptors[k];
        const VkDescriptorBufferInfo buffer = {v->buffers[d->buffer], d->offset,
                                               d->range == UINT32_MAX ? VK_WHOLE_SIZE : d->range};
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = v->sets[d->set],
                                            .dstBinding = d->binding,
                                            .dstArrayElement = d->element,
                                            .descriptorCount = 1,
                                            .descriptorType = (VkDescriptorType)d->type,
                                            .pBufferInfo = &buffer};
        CALL(v, vkUpdateDescriptorSets)(v->device, 1, &write, 0, NULL);
    }
}

static VkPipeline
make_pipeline(vulkan *v, const job *j)
{
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = 4 * (size_t)j->head->n_words,
                                           .pCode = j->words};
    const VkSpecializationInfo specs = {j->head->n_specs, j->spec_entries,
                                        4 * (size_t)j->head->n_specs, j->spec_values};
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = j->head->subgroup_size};
    VkShaderModule module;
    VkPipeline pipeline;
    if (size.requiredSubgroupSize && size.requiredSubgroupSize != 64 &&
        size.requiredSubgroupSize != 128)
        give_up("turnip has waves of 64 and 128", DEVICE_JOB_LACKS);
    check(CALL(v, vkCreateShaderModule)(v->device, &info, NULL, &module), "no module");
    const VkComputePipelineCreateInfo pipe = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = size.requiredSubgroupSize ? &size : NULL,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = j->name,
                  .pSpecializationInfo = &specs},
        .layout = v->layout};
    check(CALL(v, vkCreateComputePipelines)(v->device, VK_NULL_HANDLE, 1, &pipe, NULL, &pipeline),
          "no pipeline");
    return pipeline;
}

/* Offsets of dynamic descriptors: by set, then binding, then element. */
static uint32_t
dynamic_offsets(const job *j, uint32_t out[MAX_DESCRIPTORS])
{
    uint64_t keys[MAX_DESCRIPTORS];
    uint32_t n = 0;
    for (uint32_t k = 0; k < j->head->n_descriptors; k++) {
        const device_job_descriptor *d = &j->descriptors[k];
        uint32_t at = n;
        const uint64_t key = (uint64_t)d->set << 40 | (uint64_t)d->binding << 16 | d->element;
        if (d->type < VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC)
            continue;
        for (; at && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
            out[at] = out[at - 1];
        }
        keys[at] = key;
        out[at] = d->dynamic_offset;
        n++;
    }
    return n;
}

static void
run(vulkan *v, const job *j, VkPipeline pipeline)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandPool pool;
    VkCommandBuffer c;
    uint32_t offsets[MAX_DESCRIPTORS];
    const uint32_t n = dynamic_offsets(j, offsets), *g = j->head->groups;
    check(CALL(v, vkCreateCommandPool)(v->device, &info, NULL, &pool), "no command pool");
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1};
    check(CALL(v, vkAllocateCommandBuffers)(v->device, &allocate, &c), "no command buffer");
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(CALL(v, vkBeginCommandBuffer)(c, &begin), "no recording");
    CALL(v, vkCmdBindPipeline)(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    if (v->n_sets)
        CALL(v, vkCmdBindDescriptorSets)
    (c, VK_PIPELINE_BIND_POINT_COMPUTE, v->layout, 0, v->n_sets, v->sets, n, offsets);
    if (j->head->push_bytes)
        CALL(v, vkCmdPushConstants)
    (c, v->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, (j->head->push_bytes + 3) & ~3u, j->push);
    CALL(v, vkCmdDispatch)(c, g[0], g[1], g[2]);
    check(CALL(v, vkEndCommandBuffer)(c), "the recording fails");
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &c};
    check(CALL(v, vkQueueSubmit)(v->queue, 1, &submit, VK_NULL_HANDLE), "the submission fails");
    CALL(v, vkQueueWaitIdle)(v->queue);
}

int
main(int argc, char **argv)
{
    static job j;
    static vulkan v;
    if (argc != 4)
        give_up("usage: program DRIVER EXECUTE JOB", 2);
    execute_path = argv[2];
    read_job(&j, argv[3]);
    open_instance(&v, argv[1]);
    open_device(&v, &j);
    for (uint32_t k = 0; k < j.head->n_buffers; k++)
        make_buffer(&v, &j, k);
    make_layout(&v, &j);
    make_sets(&v, &j);
    run(&v, &j, make_pipeline(&v, &j));
    for (uint32_t k = 0; k < j.head->n_buffers; k++)
        memcpy(j.buffers[k], v.mapped[k], size_of(&j, k));
    write_job(&j, argv[3]);
    return failures != 0;
}
