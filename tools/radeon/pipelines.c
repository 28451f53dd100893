/* Which code belongs to which pipeline of the application.
 *
 * The application's calls that make, name and destroy shader modules and pipelines are
 * seen on their way to RADV. A pipeline's code address is learnt from RADV itself: for each new
 * pipeline a command buffer is recorded that binds and dispatches it, or draws, and is never
 * submitted, and the registers that its stream sets are read. Graphics pipelines of which a draw
 * needs more (libraries, mesh shaders, vertex input that is set later) are not looked at. The stream is in a buffer of the device; for gfx6,
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
    PFN_vkCreateGraphicsPipelines create_graphics;
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

/* The grid of the dispatch that is recorded and never executed; the vertices of the draw. */
static const uint32_t mark[3] = {0x4a11, 0x4a12, 0x4a13};

/* Programs whose addresses a stream sets. Vertices are shaded as ES by NGG. */
typedef enum program {
    PROGRAM_COMPUTE,
    PROGRAM_VERTEX,
    PROGRAM_NGG,
    PROGRAM_PIXEL,
    PROGRAMS,
} program;

/* What is looked for, by a packet with the mark, and found. */
typedef struct address_ctx {
    amd_gen gen;
    bool draws;
    uint64_t address[PROGRAMS]; /* as of gpu_shader_is_at; 0: not set */
} address_ctx;

static void
note_address(void *user, uint32_t reg, uint32_t value)
{
    static const amd_hw_reg low[PROGRAMS] = {AMD_HW_COMPUTE_PGM_LO, AMD_HW_SPI_SHADER_PGM_LO_VS,
                                             AMD_HW_SPI_SHADER_PGM_LO_ES,
                                             AMD_HW_SPI_SHADER_PGM_LO_PS};
    address_ctx *c = user;
    for (unsigned p = 0; p < PROGRAMS; p++) {
        if (reg && reg == amd_hw_reg_address(low[p], c->gen))
            c->address[p] = (uint64_t)value << 8;
    }
}

/* Is it the packet with the mark? It is taken out, so that it is never met again. */
static bool
take_mark(const address_ctx *c, const gpu_packet *p, uint8_t *host)
{
    bool is_draw = c->draws && p->op == GPU_OP_DRAW_INDEX_AUTO;
    bool is_dispatch = !c->draws && p->op == GPU_OP_DISPATCH_DIRECT;
    size_t size = is_draw ? sizeof mark[0] : sizeof mark;
    if ((!is_draw && !is_dispatch) || memcmp(p->words, mark, size) != 0)
        return false;
    memset(host + 4 * (p->at + UINT64_C(1)), 0, size);
    return true;
}

/* Fills in the addresses that are set where the stream has the mark; false if it has not. */
static bool
take_address(address_ctx *c, uint8_t *host, uint64_t size)
{
    enum { MAX_DWORDS = 1 << 14 };
    gpu_stream s = {.dwords = (const uint32_t *)(const void *)host,
                    .count = size / 4 < MAX_DWORDS ? (uint32_t)(size / 4) : MAX_DWORDS,
                    .gen = c->gen};
    gpu_packet p;
    memset(c->address, 0, sizeof c->address);
    while (gpu_stream_next(&s, &p) == GPU_STREAM_PACKET && (p.type != 3 || p.opcode)) {
        gpu_packet_registers(&p, note_address, c);
        if (take_mark(c, &p, host))
            return true;
    }
    return false;
}

/* Looks into all buffers, the one that it was in before first. */
static bool
find_address(radeon *r, address_ctx *c)
{
    bool found = false;
    pthread_mutex_lock(&r->lock);
    for (uint32_t k = 0; !found && k < r->n_buffers; k++) {
        uint32_t handle = k ? k : own.buffer;
        const radeon_buffer *b = handle < r->n_buffers ? r->buffers[handle] : NULL;
        if (!b || b->is_users)
            continue;
        found = take_address(c, b->base.host, b->base.size);
        if (found)
            own.buffer = handle;
    }
    pthread_mutex_unlock(&r->lock);
    return found;
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
static bool
chase_address(VkCommandBuffer commands, address_ctx *c)
{
    enum { WORDS = 4096, MORE_WORDS = 16, STREAM = 1024 /* bytes */, DRAWN = 4096 };
    uint64_t word, more[MORE_WORDS];
    bool found = false;
    for (uint32_t k = 0; !found && k < WORDS; k++) {
        if (!follow(&word, NUMBER_OF(commands) + 8ul * k, sizeof word))
            break;
        if (!follow(more, word, sizeof more))
            continue;
        for (uint32_t m = 0; !found && m < MORE_WORDS; m++) {
            uint32_t stream[DRAWN / 4];
            size_t size = c->draws ? DRAWN : STREAM;
            if (follow(stream, more[m], size))
                found = take_address(c, (uint8_t *)stream, size);
        }
    }
    return found;
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

/* Records the work with the mark. */
static void
record_mark(const probe *p, VkPipeline pipeline, bool draws)
{
    DEVICE_FUNCTION(p->device, vkCmdBindPipeline)
    (p->commands, draws ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE,
     pipeline);
    if (draws)
        DEVICE_FUNCTION(p->device, vkCmdDraw)(p->commands, mark[0], 1, 0, 0);
    else
        DEVICE_FUNCTION(p->device, vkCmdDispatch)(p->commands, mark[0], mark[1], mark[2]);
}

/* The addresses of a pipeline's programs; 0 where they are not learnt. */
static address_ctx
code_address(VkDevice device, VkPipeline pipeline, bool draws)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    address_ctx c = {.gen = radeon_get()->chip->gen, .draws = draws};
    pthread_mutex_lock(&own.probing);
    const probe *p = own.device_proc ? probe_of(device) : NULL;
    if (p && p->commands &&
        DEVICE_FUNCTION(device, vkBeginCommandBuffer)(p->commands, &begin) == VK_SUCCESS) {
        record_mark(p, pipeline, draws);
        DEVICE_FUNCTION(device, vkEndCommandBuffer)(p->commands);
        if (!find_address(radeon_get(), &c) && !chase_address(p->commands, &c))
            memset(c.address, 0, sizeof c.address);
        DEVICE_FUNCTION(device, vkResetCommandBuffer)(p->commands, 0);
    }
    pthread_mutex_unlock(&own.probing);
    return c;
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

/* Adds a stage of a pipeline, whose code is at `entry`. */
static void
note_stage(VkDevice device, const VkPipelineShaderStageCreateInfo *stage, VkPipeline pipeline,
           uint64_t entry)
{
    const char *name = stage->stage == VK_SHADER_STAGE_VERTEX_BIT     ? "vertex"
                       : stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT ? "fragment"
                                                                      : "compute";
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
    shader.entry = entry;
    snprintf(shader.stage, sizeof shader.stage, "%s", name);
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
            note_stage(device, &infos[k].stage, out[k],
                       code_address(device, out[k], false).address[PROGRAM_COMPUTE]);
    }
    return result;
}

/* May a draw be recorded with nothing but the pipeline? */
static bool
may_draw(const VkGraphicsPipelineCreateInfo *info)
{
    bool has_vertices = false, input_later = false;
    for (uint32_t k = 0; k < info->stageCount; k++) {
        const VkShaderStageFlagBits stage = info->pStages[k].stage;
        has_vertices |= stage == VK_SHADER_STAGE_VERTEX_BIT;
        if (stage != VK_SHADER_STAGE_VERTEX_BIT && stage != VK_SHADER_STAGE_FRAGMENT_BIT)
            return false;
    }
    for (uint32_t k = 0; info->pDynamicState && k < info->pDynamicState->dynamicStateCount; k++)
        input_later |= info->pDynamicState->pDynamicStates[k] == VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
    return has_vertices && !input_later && !(info->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR);
}

static void
note_graphics(VkDevice device, const VkGraphicsPipelineCreateInfo *info, VkPipeline pipeline)
{
    address_ctx c = {.gen = radeon_get()->chip->gen};
    if (may_draw(info) && !radeon_hidden_families())
        c = code_address(device, pipeline, true);
    uint64_t ngg = c.address[PROGRAM_NGG];
    for (uint32_t k = 0; k < info->stageCount; k++) {
        bool is_vertex = info->pStages[k].stage == VK_SHADER_STAGE_VERTEX_BIT;
        uint64_t vertex = ngg ? ngg : c.address[PROGRAM_VERTEX];
        if (is_vertex || info->pStages[k].stage == VK_SHADER_STAGE_FRAGMENT_BIT)
            note_stage(device, &info->pStages[k], pipeline,
                       is_vertex ? vertex : c.address[PROGRAM_PIXEL]);
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_graphics(VkDevice device, VkPipelineCache cache, uint32_t n,
                const VkGraphicsPipelineCreateInfo *infos, const VkAllocationCallbacks *allocator,
                VkPipeline *out)
{
    VkResult result = own.create_graphics(device, cache, n, infos, allocator, out);
    for (uint32_t k = 0; k < n; k++) {
        if (out[k])
            note_graphics(device, &infos[k], out[k]);
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
    known *module = find(own.modules, device, info->objectHandle);
    for (known *k = own.pipelines; k && info->objectType == VK_OBJECT_TYPE_PIPELINE; k = k->next) {
        if (k->device == device && k->handle == info->objectHandle)
            snprintf(k->shader.name, sizeof k->shader.name, "%s", name);
    }
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
        {"vkCreateGraphicsPipelines", &own.create_graphics, (PFN_vkVoidFunction)create_graphics},
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
