/* Which code belongs to which pipeline of the application.
 *
 * The application's calls that make, name and destroy shader modules and pipelines are
 * seen on their way to RADV, as are shader objects (VK_EXT_shader_object). Where their code is says
 * probe.c. A library (VK_EXT_graphics_pipeline_library) has shaders that no draw runs; a pipeline
 * that is linked of it has these, too, and several may have the same code: the newest is named. Where
 * vertices are not shaded by a vertex shader alone nothing is drawn, so code is not known. A
 * fragment shader object is drawn with any vertex shader object. Shaders of RADV's own (copies,
 * fills) are made without these calls, so they stay unknown.
 */
#include "pipelines.h"
#include "probe.h"
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

static struct {
    pthread_mutex_t lock;       /* of the lists */
    known *pipelines, *modules; /* shader objects are rows of the first */
    PFN_vkCreateShaderModule create_module;
    PFN_vkDestroyShaderModule destroy_module;
    PFN_vkCreateComputePipelines create_pipelines;
    PFN_vkCreateGraphicsPipelines create_graphics;
    PFN_vkDestroyPipeline destroy_pipeline;
    PFN_vkCreateShadersEXT create_objects;
    PFN_vkDestroyShaderEXT destroy_object;
    PFN_vkSetDebugUtilsObjectNameEXT set_name;
    PFN_vkDestroyDevice destroy_device;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A handle as a number, whatever its type is. */
#define NUMBER_OF(handle) ((uint64_t)(handle))

static const char OTHER_STAGE[] = "other"; /* its code is never looked for */

/* ---- the lists ---- */

static known *
find(known *list, VkDevice device, uint64_t handle)
{
    while (list && (list->device != device || list->handle != handle))
        list = list->next;
    return list;
}

/* Adds a row; the lock is held. */
static void
add_locked(known **list, VkDevice device, uint64_t handle, const gpu_shader *shader)
{
    known *k = calloc(1, sizeof *k);
    if (!k)
        return;
    *k = (known){*list, device, handle, *shader};
    *list = k;
}

static void
add(known **list, VkDevice device, uint64_t handle, const gpu_shader *shader)
{
    pthread_mutex_lock(&own.lock);
    add_locked(list, device, handle, shader);
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
radeon_find_shader(void *user, uint64_t address, gpu_shader *out)
{
    (void)user;
    uint64_t nearest = UINT64_MAX;
    pthread_mutex_lock(&own.lock);
    for (const known *k = own.pipelines; k; k = k->next) {
        uint64_t offset = gpu_shader_offset(&k->shader, address);
        if (offset < nearest) {
            nearest = offset;
            *out = k->shader;
            out->entry = address - offset;
        }
    }
    pthread_mutex_unlock(&own.lock);
    return nearest != UINT64_MAX;
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

/* The structure of a chain that has the type, or NULL. */
static const void *
chained(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *s = chain;
    while (s && s->sType != type)
        s = s->pNext;
    return s;
}

static const char *
stage_name(VkShaderStageFlagBits stage)
{
    return stage == VK_SHADER_STAGE_VERTEX_BIT     ? "vertex"
           : stage == VK_SHADER_STAGE_FRAGMENT_BIT ? "fragment"
           : stage == VK_SHADER_STAGE_COMPUTE_BIT  ? "compute"
                                                   : OTHER_STAGE;
}

/* Adds a stage of a pipeline, whose code is at `entry`. A module may be given in place of its handle
 * (maintenance5). */
static void
note_stage(VkDevice device, const VkPipelineShaderStageCreateInfo *stage, VkPipeline pipeline,
           uint64_t entry)
{
    gpu_shader shader = {0};
    const VkShaderModuleCreateInfo *code = chained(stage->pNext,
                                                   VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
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
    snprintf(shader.stage, sizeof shader.stage, "%s", stage_name(stage->stage));
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
        const radeon_bound bound = {.pipeline = out[k]};
        if (out[k])
            note_stage(device, &infos[k].stage, out[k],
                       radeon_code_addresses(device, &bound).address[RADEON_COMPUTE]);
    }
    return result;
}

/* Gives the shaders of a library to a pipeline that is linked of it. */
static void
note_library(VkDevice device, VkPipeline library, VkPipeline pipeline)
{
    pthread_mutex_lock(&own.lock);
    for (const known *k = own.pipelines; k; k = k->next) {
        if (k->device != device || k->handle != NUMBER_OF(library))
            continue;
        gpu_shader shader = k->shader;
        shader.pipeline = NUMBER_OF(pipeline);
        shader.name[0] = 0;
        add_locked(&own.pipelines, device, shader.pipeline, &shader);
    }
    pthread_mutex_unlock(&own.lock);
}

static bool
is_library(const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineCreateFlags2CreateInfoKHR *more = chained(
        info->pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
    return (more ? more->flags : info->flags) & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
}

/* May a draw be recorded with nothing but the pipeline? */
static bool
may_draw(VkDevice device, VkPipeline pipeline)
{
    bool has_vertices = false, has_others = false;
    pthread_mutex_lock(&own.lock);
    for (const known *k = own.pipelines; k; k = k->next) {
        if (k->device == device && k->handle == NUMBER_OF(pipeline)) {
            has_vertices |= !strcmp(k->shader.stage, stage_name(VK_SHADER_STAGE_VERTEX_BIT));
            has_others |= !strcmp(k->shader.stage, OTHER_STAGE);
        }
    }
    pthread_mutex_unlock(&own.lock);
    return has_vertices && !has_others;
}

static uint64_t
vertex_address(const radeon_addresses *c)
{
    return c->address[RADEON_NGG] ? c->address[RADEON_NGG] : c->address[RADEON_VERTEX];
}

/* Asks where the code of a pipeline's stages is. */
static void
find_stages(VkDevice device, VkPipeline pipeline)
{
    const radeon_bound bound = {.draws = true, .pipeline = pipeline};
    const radeon_addresses c = radeon_code_addresses(device, &bound);
    pthread_mutex_lock(&own.lock);
    for (known *k = own.pipelines; k; k = k->next) {
        bool is_vertex = !strcmp(k->shader.stage, stage_name(VK_SHADER_STAGE_VERTEX_BIT));
        if (k->device == device && k->handle == NUMBER_OF(pipeline))
            k->shader.entry = is_vertex ? vertex_address(&c) : c.address[RADEON_PIXEL];
    }
    pthread_mutex_unlock(&own.lock);
}

static void
note_graphics(VkDevice device, const VkGraphicsPipelineCreateInfo *info, VkPipeline pipeline)
{
    const VkPipelineLibraryCreateInfoKHR *linked = chained(
        info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    for (uint32_t k = 0; linked && k < linked->libraryCount; k++)
        note_library(device, linked->pLibraries[k], pipeline);
    for (uint32_t k = 0; k < info->stageCount; k++)
        note_stage(device, &info->pStages[k], pipeline, 0);
    if (!is_library(info) && may_draw(device, pipeline) && !radeon_hidden_families())
        find_stages(device, pipeline);
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

/* Adds a shader object, whose code is at `entry`: a row without a pipeline. */
static void
note_object(VkDevice device, const VkShaderCreateInfoEXT *info, VkShaderEXT object, uint64_t entry)
{
    gpu_shader shader = {.entry = entry};
    if (info->codeType == VK_SHADER_CODE_TYPE_SPIRV_EXT)
        radeon_read_module(info->pCode, info->codeSize / 4, &shader);
    shader.module = NUMBER_OF(object);
    snprintf(shader.stage, sizeof shader.stage, "%s", stage_name(info->stage));
    snprintf(shader.entry_point, sizeof shader.entry_point, "%s", info->pName);
    add(&own.pipelines, device, shader.module, &shader);
}

/* Any vertex shader object of the device, or none. */
static VkShaderEXT
any_vertex_object(VkDevice device)
{
    pthread_mutex_lock(&own.lock);
    const known *k = own.pipelines;
    while (k && (k->device != device || k->shader.pipeline || strcmp(k->shader.stage, "vertex")))
        k = k->next;
    VkShaderEXT object = k ? (VkShaderEXT)k->handle : VK_NULL_HANDLE;
    pthread_mutex_unlock(&own.lock);
    return object;
}

/* Where a shader object's code is. A fragment shader is drawn with the vertex shader. */
static uint64_t
object_address(VkDevice device, VkShaderStageFlagBits stage, VkShaderEXT object, VkShaderEXT vertex)
{
    radeon_bound bound = {.draws = stage != VK_SHADER_STAGE_COMPUTE_BIT};
    if (bound.draws && radeon_hidden_families())
        return 0;
    switch (stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
        bound.vertex = object;
        const radeon_addresses c = radeon_code_addresses(device, &bound);
        return vertex_address(&c);
    case VK_SHADER_STAGE_FRAGMENT_BIT:
        bound.vertex = vertex;
        bound.fragment = object;
        return vertex ? radeon_code_addresses(device, &bound).address[RADEON_PIXEL] : 0;
    default:
        bound.compute = object;
        return radeon_code_addresses(device, &bound).address[RADEON_COMPUTE];
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_objects(VkDevice device, uint32_t n, const VkShaderCreateInfoEXT *infos,
               const VkAllocationCallbacks *allocator, VkShaderEXT *out)
{
    VkResult result = own.create_objects(device, n, infos, allocator, out);
    VkShaderEXT vertex = any_vertex_object(device);
    for (uint32_t k = 0; k < n; k++) {
        if (out[k] && infos[k].stage == VK_SHADER_STAGE_VERTEX_BIT)
            vertex = out[k];
    }
    for (uint32_t k = 0; k < n; k++) {
        const VkShaderStageFlagBits stage = infos[k].stage;
        bool known_stage = stage == VK_SHADER_STAGE_VERTEX_BIT ||
                           stage == VK_SHADER_STAGE_FRAGMENT_BIT ||
                           stage == VK_SHADER_STAGE_COMPUTE_BIT;
        if (out[k] && known_stage)
            note_object(device, &infos[k], out[k], object_address(device, stage, out[k], vertex));
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_object(VkDevice device, VkShaderEXT object, const VkAllocationCallbacks *allocator)
{
    if (object)
        forget(&own.pipelines, device, NUMBER_OF(object));
    own.destroy_object(device, object, allocator);
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
    known *object = find(own.pipelines, device, info->objectHandle);
    if (object && info->objectType == VK_OBJECT_TYPE_SHADER_EXT)
        snprintf(object->shader.module_name, sizeof object->shader.module_name, "%s", name);
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
        radeon_forget_probe(device);
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
        {"vkCreateShadersEXT", &own.create_objects, (PFN_vkVoidFunction)create_objects},
        {"vkDestroyShaderEXT", &own.destroy_object, (PFN_vkVoidFunction)destroy_object},
        {"vkSetDebugUtilsObjectNameEXT", &own.set_name, (PFN_vkVoidFunction)set_name},
        {"vkDestroyDevice", &own.destroy_device, (PFN_vkVoidFunction)destroy_device},
    };
    const radeon *r = radeon_get();
    if (!r->checks && !r->captures && !r->sums && !r->dispatches)
        return f;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        radeon_probe_by((PFN_vkGetDeviceProcAddr)f);
    for (unsigned k = 0; f && k < sizeof functions / sizeof *functions; k++) {
        if (strcmp(name, functions[k].name) == 0) {
            memcpy(functions[k].own, &f, sizeof f);
            return functions[k].replacement;
        }
    }
    return f;
}
