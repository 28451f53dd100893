/* Which code belongs to which pipeline of the application.
 *
 * The application's calls that make, name and destroy shader modules and compute pipelines are
 * seen on their way to RADV. A pipeline's code address is learnt from RADV itself: for each new
 * pipeline a command buffer is recorded that binds and dispatches it and is never submitted, and
 * the registers that its stream sets are read. The stream is in a buffer of the device; for gfx6,
 * whose streams RADV moves there as they are submitted, it is in the process's memory, two pointers
 * away from the command buffer. Shaders of RADV's own (copies, fills) are made
 * without these calls, so they stay unknown.
 */
#include "pipelines.h"
#include "radeon.h"

#include <stdlib.h>
#include <string.h>

/* A row: a pipeline, or a module. */
typedef struct known {
    struct known *next;
    VkDevice device;
    uint64_t handle;
    gpu_shader shader;
} known;

/* What is recorded on: a device's command buffer. */
typedef struct probe {
    struct probe *next;
    VkDevice device;
    VkCommandPool pool;
    VkCommandBuffer commands;
} probe;

static struct {
    pthread_mutex_t lock; /* of the lists */
    pthread_mutex_t probing;
    known *pipelines, *modules;
    probe *probes;
    uint32_t buffer; /* handle of the buffer that held the last probe's stream */
    PFN_vkGetDeviceProcAddr device_proc;
    PFN_vkCreateShaderModule create_module;
    PFN_vkDestroyShaderModule destroy_module;
    PFN_vkCreateComputePipelines create_pipelines;
    PFN_vkDestroyPipeline destroy_pipeline;
    PFN_vkSetDebugUtilsObjectNameEXT set_name;
    PFN_vkDestroyDevice destroy_device;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER, .probing = PTHREAD_MUTEX_INITIALIZER};

/* A handle as a number, whatever its type is. */
#define NUMBER_OF(handle) ((uint64_t)(handle))

/* ---- the lists ---- */

static known *
find(known *list, VkDevice device, uint64_t handle)
{
    while (list && (list->device != device || list->handle != handle))
        list = list->next;
    return list;
}

static void
add(known **list, VkDevice device, uint64_t handle, const gpu_shader *shader)
{
    known *k = calloc(1, sizeof *k);
    if (!k)
        return;
    pthread_mutex_lock(&own.lock);
    *k = (known){*list, device, handle, *shader};
    *list = k;
    pthread_mutex_unlock(&own.lock);
}

/* Removes the row of a handle, or all of a device for handle 0. */
static void
forget(known **list, VkDevice device, uint64_t handle)
{
    pthread_mutex_lock(&own.lock);
    while (*list) {
        known *k = *list;
        if (k->device == device && (!handle || k->handle == handle)) {
            *list = k->next;
            free(k);
        } else {
            list = &k->next;
        }
    }
    pthread_mutex_unlock(&own.lock);
}

bool
radeon_find_shader(uint64_t entry, gpu_shader *out)
{
    pthread_mutex_lock(&own.lock);
    const known *k = own.pipelines;
    while (k && !gpu_shader_is_at(&k->shader, entry))
        k = k->next;
    if (k) {
        *out = k->shader;
        out->entry = entry;
    }
    pthread_mutex_unlock(&own.lock);
    return k != NULL;
}

bool
radeon_lacks_addresses(void)
{
    pthread_mutex_lock(&own.lock);
    const known *k = own.pipelines;
    while (k && !k->shader.entry)
        k = k->next;
    bool lacks = own.pipelines && !k;
    pthread_mutex_unlock(&own.lock);
    return lacks;
}

bool
radeon_shader_at(void *user, uint32_t index, gpu_shader *out)
{
    (void)user;
    pthread_mutex_lock(&own.lock);
    const known *k = own.pipelines;
    while (k && index--)
        k = k->next;
    if (k)
        *out = k->shader;
    pthread_mutex_unlock(&own.lock);
    return k != NULL;
}

/* ---- the code's address ---- */

/* The grid of the dispatch that is recorded and never executed. */
static const uint32_t mark[3] = {0x4a11, 0x4a12, 0x4a13};

typedef struct address_ctx {
    uint32_t low_register;
    uint64_t address; /* as of gpu_shader_is_at */
} address_ctx;

static void
note_address(void *user, uint32_t reg, uint32_t value)
{
    address_ctx *c = user;
    if (reg == c->low_register)
        c->address = (uint64_t)value << 8;
}

/* The code's address that is set where the stream dispatches the mark, which is taken out, so that
 * it is never met again; 0 if it does not. */
static uint64_t
take_address(const radeon *r, uint8_t *host, uint64_t size)
{
    enum { MAX_DWORDS = 1 << 14 };
    amd_gen gen = r->chip->gen;
    address_ctx c = {amd_hw_reg_address(AMD_HW_COMPUTE_PGM_LO, gen), 0};
    gpu_stream s = {.dwords = (const uint32_t *)(const void *)host,
                    .count = size / 4 < MAX_DWORDS ? (uint32_t)(size / 4) : MAX_DWORDS,
                    .gen = gen};
    gpu_packet p;
    while (gpu_stream_next(&s, &p) == GPU_STREAM_PACKET && (p.type != 3 || p.opcode)) {
        gpu_packet_registers(&p, note_address, &c);
        if (p.op == GPU_OP_DISPATCH_DIRECT && memcmp(p.words, mark, sizeof mark) == 0) {
            memset(host + 4 * (p.at + UINT64_C(1)), 0, sizeof mark);
            return c.address;
        }
    }
    return 0;
}

/* Looks into all buffers, the one that it was in before first. */
static uint64_t
find_address(radeon *r)
{
    uint64_t address = 0;
    pthread_mutex_lock(&r->lock);
    for (uint32_t k = 0; !address && k < r->n_buffers; k++) {
        uint32_t handle = k ? k : own.buffer;
        const radeon_buffer *b = handle < r->n_buffers ? r->buffers[handle] : NULL;
        if (!b || b->is_users)
            continue;
        address = take_address(r, b->base.host, b->base.size);
        if (address)
            own.buffer = handle;
    }
    pthread_mutex_unlock(&r->lock);
    return address;
}

/* Copies from where a word points to, if it may be a pointer. */
static bool
follow(void *to, uint64_t pointer, size_t size)
{
    enum { PAGE = 4096 };
    uint64_t page = pointer & ~(uint64_t)(PAGE - 1);
    return pointer % 4 == 0 && radeon_is_mapped(page, pointer + size - page) &&
           radeon_copy_in(to, pointer, size);
}

/* Looks for the stream behind a command buffer's handle: it points to what points to it. */
static uint64_t
chase_address(const radeon *r, VkCommandBuffer commands)
{
    enum { WORDS = 4096, MORE_WORDS = 16, STREAM = 1024 /* bytes */ };
    uint64_t word, more[MORE_WORDS], address = 0;
    for (uint32_t k = 0; !address && k < WORDS; k++) {
        if (!follow(&word, NUMBER_OF(commands) + 8ul * k, sizeof word))
            break;
        if (!follow(more, word, sizeof more))
            continue;
        for (uint32_t m = 0; !address && m < MORE_WORDS; m++) {
            uint32_t stream[STREAM / 4];
            if (follow(stream, more[m], sizeof stream))
                address = take_address(r, (uint8_t *)stream, sizeof stream);
        }
    }
    return address;
}

#define DEVICE_FUNCTION(device, name) ((PFN_##name)own.device_proc(device, #name))

/* The device's command buffer, made at first use; NULL if there is none. */
static probe *
probe_of(VkDevice device)
{
    probe *p = own.probes;
    while (p && p->device != device)
        p = p->next;
    if (p)
        return p;
    p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = radeon_hidden_families()};
    VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
    *p = (probe){.next = own.probes, .device = device};
    if (DEVICE_FUNCTION(device, vkCreateCommandPool)(device, &pool, NULL, &p->pool) == VK_SUCCESS)
        buffer.commandPool = p->pool;
    if (p->pool)
        DEVICE_FUNCTION(device, vkAllocateCommandBuffers)(device, &buffer, &p->commands);
    own.probes = p;
    return p;
}

static uint64_t
code_address(VkDevice device, VkPipeline pipeline)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    uint64_t address = 0;
    pthread_mutex_lock(&own.probing);
    const probe *p = own.device_proc ? probe_of(device) : NULL;
    if (p && p->commands &&
        DEVICE_FUNCTION(device, vkBeginCommandBuffer)(p->commands, &begin) == VK_SUCCESS) {
        DEVICE_FUNCTION(device, vkCmdBindPipeline)
        (p->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        DEVICE_FUNCTION(device, vkCmdDispatch)(p->commands, mark[0], mark[1], mark[2]);
        DEVICE_FUNCTION(device, vkEndCommandBuffer)(p->commands);
        address = find_address(radeon_get());
        if (!address)
            address = chase_address(radeon_get(), p->commands);
        DEVICE_FUNCTION(device, vkResetCommandBuffer)(p->commands, 0);
    }
    pthread_mutex_unlock(&own.probing);
    return address;
}

static void
forget_probe(VkDevice device)
{
    pthread_mutex_lock(&own.probing);
    for (probe **at = &own.probes; *at; at = &(*at)->next) {
        probe *p = *at;
        if (p->device != device)
            continue;
        if (p->pool)
            DEVICE_FUNCTION(device, vkDestroyCommandPool)(device, p->pool, NULL);
        *at = p->next;
        free(p);
        break;
    }
    pthread_mutex_unlock(&own.probing);
}

/* ---- the application's calls ---- */

static VKAPI_ATTR VkResult VKAPI_CALL
create_module(VkDevice device, const VkShaderModuleCreateInfo *info,
              const VkAllocationCallbacks *allocator, VkShaderModule *out)
{
    VkResult result = own.create_module(device, info, allocator, out);
    if (result != VK_SUCCESS)
        return result;
    gpu_shader shader = {.module = NUMBER_OF(*out)};
    radeon_read_module(info->pCode, info->codeSize / 4, &shader);
    add(&own.modules, device, shader.module, &shader);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_module(VkDevice device, VkShaderModule module, const VkAllocationCallbacks *allocator)
{
    if (module)
        forget(&own.modules, device, NUMBER_OF(module));
    own.destroy_module(device, module, allocator);
}

/* A module may be given in place of its handle (maintenance5). */
static const VkShaderModuleCreateInfo *
chained_module(const void *chain)
{
    const VkBaseInStructure *s = chain;
    while (s && s->sType != VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO)
        s = s->pNext;
    return (const VkShaderModuleCreateInfo *)(const void *)s;
}

static void
note_pipeline(VkDevice device, const VkPipelineShaderStageCreateInfo *stage, VkPipeline pipeline)
{
    gpu_shader shader = {0};
    const VkShaderModuleCreateInfo *code = chained_module(stage->pNext);
    pthread_mutex_lock(&own.lock);
    const known *module = find(own.modules, device, NUMBER_OF(stage->module));
    if (module)
        shader = module->shader;
    pthread_mutex_unlock(&own.lock);
    if (!module && code)
        radeon_read_module(code->pCode, code->codeSize / 4, &shader);
    shader.module = NUMBER_OF(stage->module);
    shader.pipeline = NUMBER_OF(pipeline);
    shader.entry = code_address(device, pipeline);
    snprintf(shader.stage, sizeof shader.stage, "compute");
    snprintf(shader.entry_point, sizeof shader.entry_point, "%s", stage->pName);
    add(&own.pipelines, device, shader.pipeline, &shader);
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_pipelines(VkDevice device, VkPipelineCache cache, uint32_t n,
                 const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *allocator,
                 VkPipeline *out)
{
    VkResult result = own.create_pipelines(device, cache, n, infos, allocator, out);
    for (uint32_t k = 0; k < n; k++) {
        if (out[k])
            note_pipeline(device, &infos[k].stage, out[k]);
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_pipeline(VkDevice device, VkPipeline pipeline, const VkAllocationCallbacks *allocator)
{
    if (pipeline)
        forget(&own.pipelines, device, NUMBER_OF(pipeline));
    own.destroy_pipeline(device, pipeline, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL
set_name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info)
{
    const char *name = info->pObjectName ? info->pObjectName : "";
    pthread_mutex_lock(&own.lock);
    known *pipeline = find(own.pipelines, device, info->objectHandle);
    known *module = find(own.modules, device, info->objectHandle);
    if (pipeline && info->objectType == VK_OBJECT_TYPE_PIPELINE)
        snprintf(pipeline->shader.name, sizeof pipeline->shader.name, "%s", name);
    if (module && info->objectType == VK_OBJECT_TYPE_SHADER_MODULE) {
        snprintf(module->shader.module_name, sizeof module->shader.module_name, "%s", name);
        for (known *k = own.pipelines; k; k = k->next) {
            if (k->device == device && k->shader.module == info->objectHandle)
                memcpy(k->shader.module_name, module->shader.module_name,
                       sizeof k->shader.module_name);
        }
    }
    pthread_mutex_unlock(&own.lock);
    return own.set_name(device, info);
}

static VKAPI_ATTR void VKAPI_CALL
destroy_device(VkDevice device, const VkAllocationCallbacks *allocator)
{
    if (device) {
        forget(&own.pipelines, device, 0);
        forget(&own.modules, device, 0);
        forget_probe(device);
    }
    own.destroy_device(device, allocator);
}

PFN_vkVoidFunction
radeon_watch_call(const char *name, PFN_vkVoidFunction f)
{
    const struct {
        const char *name;
        void *own;
        PFN_vkVoidFunction replacement;
    } functions[] = {
        {"vkCreateShaderModule", &own.create_module, (PFN_vkVoidFunction)create_module},
        {"vkDestroyShaderModule", &own.destroy_module, (PFN_vkVoidFunction)destroy_module},
        {"vkCreateComputePipelines", &own.create_pipelines, (PFN_vkVoidFunction)create_pipelines},
        {"vkDestroyPipeline", &own.destroy_pipeline, (PFN_vkVoidFunction)destroy_pipeline},
        {"vkSetDebugUtilsObjectNameEXT", &own.set_name, (PFN_vkVoidFunction)set_name},
        {"vkDestroyDevice", &own.destroy_device, (PFN_vkVoidFunction)destroy_device},
    };
    const radeon *r = radeon_get();
    if (!r->checks && !r->captures && !r->sums)
        return f;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        memcpy(&own.device_proc, &f, sizeof f);
    for (unsigned k = 0; f && k < sizeof functions / sizeof *functions; k++) {
        if (strcmp(name, functions[k].name) == 0) {
            memcpy(functions[k].own, &f, sizeof f);
            return functions[k].replacement;
        }
    }
    return f;
}
