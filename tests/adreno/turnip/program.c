/* Runs a dispatch (tools/heddle/device_job.h) on turnip, in a process for arm64 under qemu.
 *
 * The kernel driver is turnip-anchor's made-up one, whose buffers are ranges of a memory file. What
 * turnip submits is handed to a program of the host (execute.c), which has the same file mapped, so
 * that turnip finds the results where a GPU would leave them.
 *
 * Usage: program DRIVER EXECUTE JOB. The exit code is DEVICE_JOB_LACKS if turnip does not offer
 * what the dispatch needs, 1 after findings or errors. */
#define _GNU_SOURCE

#include "program.h"

#include "fakemsm.h"

#include <dlfcn.h>
#include <drm/msm_drm.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xf86drm.h>

#define EXPORT __attribute__((visibility("default")))

static const char *execute_path, *job_path;
static int failures;

_Noreturn void
give_up(const char *what)
{
    fprintf(stderr, "program: %s\n", what);
    exit(1);
}

_Noreturn void
lack(const char *format, ...)
{
    FILE *f = fopen(job_path, "wb");
    va_list args;
    va_start(args, format);
    if (f)
        vfprintf(f, format, args);
    va_end(args);
    if (f)
        fclose(f);
    exit(DEVICE_JOB_LACKS);
}

void
check(VkResult r, const char *what)
{
    if (r != VK_SUCCESS)
        give_up(what);
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
        give_up("no pipe");
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
        give_up("the job cannot be read");
    j->size = (size_t)ftell(f);
    j->bytes = malloc(j->size + 1);
    rewind(f);
    if (fread(j->bytes, 1, j->size, f) != j->size || j->size < sizeof *j->head)
        give_up("the job is cut off");
    fclose(f);
    const device_job *h = j->head = (const device_job *)(const void *)j->bytes;
    if (h->magic != DEVICE_JOB_MAGIC || h->n_descriptors > MAX_DESCRIPTORS)
        give_up("the job is of another kind");
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
    j->samplers = (const device_job_sampler *)(const void *)at;
    at += h->n_samplers * sizeof *j->samplers;
    for (uint32_t k = 0; k < h->n_buffers; k++) {
        j->buffers[k] = (const device_job_buffer *)(const void *)at;
        j->bytes_of[k] = at + sizeof **j->buffers;
        at = j->bytes_of[k] + ((j->buffers[k]->size + 3) & ~3u);
    }
}

static void
write_job(const job *j, const char *path)
{
    FILE *f = fopen(path, "r+b");
    if (!f || fwrite(j->bytes, 1, j->size, f) != j->size || fclose(f))
        give_up("the job cannot be written");
}

/* ---- Vulkan ---- */

static void
open_instance(vulkan *v, const char *driver)
{
    void *library = dlopen(driver, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        give_up(dlerror());
    v->get = (PFN_vkGetInstanceProcAddr)dlsym(library, "vk_icdGetInstanceProcAddr");
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &app};
    uint32_t n = 1;
    check(CALL(v, vkCreateInstance)(&info, NULL, &v->instance), "no instance");
    CALL(v, vkEnumeratePhysicalDevices)(v->instance, &n, &v->physical);
    if (!n)
        give_up("no device");
}

typedef struct features {
    VkBool32 int64, float64, int8, multisampled, residency, load_any, store_any, storage8,
        storage16, addresses, atomic_float, workgroup_layout, uniform_control_flow;
    VkSubgroupFeatureFlags subgroups;
} features;

/* What a module may declare, and the feature that it needs. turnip 22.3.6 crashes on modules that
 * need 64-bit numbers. */
static const struct capability_row {
    uint32_t capability;
    const char *name;
    size_t feature; /* its offset */
} capabilities[] = {
    {10, "Float64", offsetof(features, float64)},
    {11, "Int64", offsetof(features, int64)},
    {12, "Int64Atomics", offsetof(features, int64)},
    {27, "StorageImageMultisample", offsetof(features, multisampled)},
    {39, "Int8", offsetof(features, int8)},
    {41, "SparseResidency", offsetof(features, residency)},
    {55, "StorageImageReadWithoutFormat", offsetof(features, load_any)},
    {56, "StorageImageWriteWithoutFormat", offsetof(features, store_any)},
    {4428, "WorkgroupMemoryExplicitLayout", offsetof(features, workgroup_layout)},
    {4433, "StorageBuffer16BitAccess", offsetof(features, storage16)},
    {4434, "UniformAndStorageBuffer16BitAccess", offsetof(features, storage16)},
    {4435, "StoragePushConstant16", offsetof(features, storage16)},
    {4448, "StorageBuffer8BitAccess", offsetof(features, storage8)},
    {4449, "UniformAndStorageBuffer8BitAccess", offsetof(features, storage8)},
    {4450, "StoragePushConstant8", offsetof(features, storage8)},
    {5347, "PhysicalStorageBufferAddresses", offsetof(features, addresses)},
    {6033, "AtomicFloat32AddEXT", offsetof(features, atomic_float)},
};

/* Has the module this text, such as an extension's name? */
static bool
has_text(const job *j, const char *text)
{
    const char *at = (const char *)j->words, *end = at + 4 * (size_t)j->head->n_words;
    return memmem(at, (size_t)(end - at), text, strlen(text)) != NULL;
}

static void
check_capability(const features *f, uint32_t capability)
{
    if (capability >= 61 && capability <= 68 && /* GroupNonUniform ... Quad, as the flags */
        !(f->subgroups >> (capability - 61) & 1))
        lack("turnip does not offer subgroup operations of SPIR-V's capability %u", capability);
    for (size_t k = 0; k < sizeof capabilities / sizeof *capabilities; k++) {
        VkBool32 has;
        memcpy(&has, (const uint8_t *)f + capabilities[k].feature, sizeof has);
        if (capabilities[k].capability == capability && !has)
            lack("turnip does not offer %s", capabilities[k].name);
    }
}

/* Capabilities stand at the start of a module, behind five words. */
static void
check_module(const features *f, const job *j)
{
    for (uint32_t at = 5; at < j->head->n_words && j->words[at] == (2u << 16 | 17); at += 2)
        check_capability(f, j->words[at + 1]);
    if (j->head->storage_16bit && !f->storage16)
        lack("turnip does not offer 16-bit accesses");
    if (!f->uniform_control_flow && has_text(j, "SPV_KHR_subgroup_uniform_control"))
        lack("turnip does not offer VK_KHR_shader_subgroup_uniform_control_flow");
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

typedef struct feature_chain {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan11Features v11;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceVulkan13Features v13;
} feature_chain;

static void
ask_features(vulkan *v, feature_chain *c)
{
    *c = (feature_chain){
        .core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &c->v11},
        .v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &c->v12},
        .v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &c->v13},
        .v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES}};
    CALL(v, vkGetPhysicalDeviceFeatures2)(v->physical, &c->core);
}

static features
find_features(vulkan *v, const feature_chain *c)
{
    const VkPhysicalDeviceFeatures *core = &c->core.features;
    VkPhysicalDeviceSubgroupProperties subgroups = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroups};
    CALL(v, vkGetPhysicalDeviceProperties2)(v->physical, &properties);
    return (features){
        .int64 = core->shaderInt64,
        .float64 = core->shaderFloat64,
        .int8 = c->v12.shaderInt8,
        .multisampled = core->shaderStorageImageMultisample,
        .residency = core->shaderResourceResidency,
        .load_any = core->shaderStorageImageReadWithoutFormat,
        .store_any = core->shaderStorageImageWriteWithoutFormat,
        .storage8 = c->v12.storageBuffer8BitAccess,
        .storage16 = c->v11.storageBuffer16BitAccess,
        .addresses = c->v12.bufferDeviceAddress,
        .atomic_float = has_extension(v, "VK_EXT_shader_atomic_float"),
        .workgroup_layout = has_extension(v, "VK_KHR_workgroup_memory_explicit_layout"),
        .uniform_control_flow = has_extension(v, "VK_KHR_shader_subgroup_uniform_control_flow"),
        .subgroups = subgroups.supportedOperations};
}

/* A device with all features that turnip offers. */
static void
open_device(vulkan *v, const job *j)
{
    feature_chain chain;
    ask_features(v, &chain);
    const features offered = find_features(v, &chain);
    check_module(&offered, j);
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &chain.core,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    check(CALL(v, vkCreateDevice)(v->physical, &info, NULL, &v->device), "no device");
    CALL(v, vkGetDeviceQueue)(v->device, 0, 0, &v->queue);
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
            lack("turnip has four sets");
        if (v->n_sets <= j->descriptors[k].set)
            v->n_sets = j->descriptors[k].set + 1;
    }
    for (uint32_t set = 0; set < v->n_sets; set++)
        make_set_layout(v, j, set);
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                       (j->head->push_bytes + 3) & ~3u};
    if (range.size > 128)
        lack("turnip has 128 bytes of push constants");
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = v->n_sets,
                                             .pSetLayouts = v->set_layouts,
                                             .pushConstantRangeCount = range.size != 0,
                                             .pPushConstantRanges = &range};
    check(CALL(v, vkCreatePipelineLayout)(v->device, &info, NULL, &v->layout), "no layout");
}

static void
make_pool(vulkan *v)
{
    enum { N_TYPES = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC + 1 };
    VkDescriptorPoolSize sizes[N_TYPES];
    for (uint32_t k = 0; k < N_TYPES; k++)
        sizes[k] = (VkDescriptorPoolSize){
            (VkDescriptorType)k,
            k < VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ? MAX_DESCRIPTORS : 8};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = MAX_SETS,
                                             .poolSizeCount = N_TYPES,
                                             .pPoolSizes = sizes};
    check(CALL(v, vkCreateDescriptorPool)(v->device, &info, NULL, &v->pool), "no pool");
}

static void
write_descriptor(vulkan *v, const job *j, uint32_t k)
{
    const device_job_descriptor *d = &j->descriptors[k];
    const VkDescriptorBufferInfo buffer = {
        d->buffer == DEVICE_JOB_NONE ? VK_NULL_HANDLE : v->buffers[d->buffer], d->offset,
        d->range == UINT32_MAX ? VK_WHOLE_SIZE : d->range};
    const VkDescriptorImageInfo image = {v->samplers[k], v->views[k], VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = v->sets[d->set],
                                        .dstBinding = d->binding,
                                        .dstArrayElement = d->element,
                                        .descriptorCount = 1,
                                        .descriptorType = (VkDescriptorType)d->type,
                                        .pImageInfo = &image,
                                        .pBufferInfo = &buffer,
                                        .pTexelBufferView = &v->texels[k]};
    CALL(v, vkUpdateDescriptorSets)(v->device, 1, &write, 0, NULL);
}

static void
make_sets(vulkan *v, const job *j)
{
    make_pool(v);
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = v->pool,
        .descriptorSetCount = v->n_sets,
        .pSetLayouts = v->set_layouts};
    if (v->n_sets)
        check(CALL(v, vkAllocateDescriptorSets)(v->device, &allocate, v->sets), "no sets");
    for (uint32_t k = 0; k < j->head->n_descriptors; k++)
        write_descriptor(v, j, k);
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
        lack("turnip has waves of 64 and 128");
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
    put_image_barriers(v, j, c);
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
        give_up("usage: program DRIVER EXECUTE JOB");
    execute_path = argv[2];
    job_path = argv[3];
    read_job(&j, argv[3]);
    open_instance(&v, argv[1]);
    open_device(&v, &j);
    make_resources(&v, &j);
    make_layout(&v, &j);
    make_sets(&v, &j);
    run(&v, &j, make_pipeline(&v, &j));
    take_resources(&v, &j);
    write_job(&j, argv[3]);
    return failures != 0;
}
