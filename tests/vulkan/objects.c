/* Shader objects (VK_EXT_shader_object) with names, and no barrier between them: dispatches make the
 * corners of a triangle and a colour, which its fragment shader copies. run_newest.py knows what is
 * found. Needs a newer RADV than Debian 12's. */
#include "../../tools/radeon/objects.h"

#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 8, COLOR = 16, COPY = 20, WORDS = 24, PUSH_WORDS = 18 };
enum { MOST_BYTES = 1 << 16 };

typedef struct state {
    app a;
    app_kernel kernel; /* its layouts are used alone */
    app_buffer buffer;
    VkDescriptorSet set;
    VkShaderEXT compute, vertex, fragment;
    VkCommandBuffer commands;
} state;

#define FUNCTION(s, name) ((PFN_##name)vkGetDeviceProcAddr((s)->a.device, #name))

/* ---- objects ---- */

static VkShaderEXT
make_object(const state *s, VkShaderStageFlagBits stage, const char *file, const char *name)
{
    static uint32_t code[MOST_BYTES / 4];
    static const VkPushConstantRange push = {VK_SHADER_STAGE_ALL, 0, 4 * PUSH_WORDS};
    char path[4096];
    VkShaderEXT object;
    snprintf(path, sizeof path, "%s/%s", SHADERS, file);
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(2);
    }
    const VkShaderCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
        .stage = stage,
        .nextStage = stage == VK_SHADER_STAGE_VERTEX_BIT ? VK_SHADER_STAGE_FRAGMENT_BIT : 0,
        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
        .codeSize = fread(code, 1, sizeof code, f),
        .pCode = code,
        .pName = "main",
        .setLayoutCount = 1,
        .pSetLayouts = &s->kernel.set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push};
    fclose(f);
    app_check(&s->a, FUNCTION(s, vkCreateShadersEXT)(s->a.device, 1, &info, NULL, &object),
              "vkCreateShadersEXT");
    const VkDebugUtilsObjectNameInfoEXT named = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_SHADER_EXT,
        .objectHandle = (uint64_t)object,
        .pObjectName = name};
    PFN_vkSetDebugUtilsObjectNameEXT set_name = (PFN_vkSetDebugUtilsObjectNameEXT)
        vkGetInstanceProcAddr(s->a.instance, "vkSetDebugUtilsObjectNameEXT");
    if (set_name)
        set_name(s->a.device, &named);
    return object;
}

static void
bind(const state *s, VkShaderStageFlagBits stage, VkShaderEXT object)
{
    FUNCTION(s, vkCmdBindShadersEXT)(s->commands, 1, &stage, &object);
}

/* ---- the draw ---- */

static void
set_fixed_state(const state *s)
{
    static const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
    static const VkRect2D scissor = {{0, 0}, {SIZE, SIZE}};
    static const VkSampleMask all = 1;
    const VkCommandBuffer c = s->commands;
    FUNCTION(s, vkCmdSetViewportWithCountEXT)(c, 1, &viewport);
    FUNCTION(s, vkCmdSetScissorWithCountEXT)(c, 1, &scissor);
    FUNCTION(s, vkCmdSetRasterizerDiscardEnableEXT)(c, false);
    FUNCTION(s, vkCmdSetVertexInputEXT)(c, 0, NULL, 0, NULL);
    FUNCTION(s, vkCmdSetPrimitiveTopologyEXT)(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    FUNCTION(s, vkCmdSetPrimitiveRestartEnableEXT)(c, false);
    FUNCTION(s, vkCmdSetPolygonModeEXT)(c, VK_POLYGON_MODE_FILL);
    FUNCTION(s, vkCmdSetCullModeEXT)(c, VK_CULL_MODE_NONE);
    FUNCTION(s, vkCmdSetFrontFaceEXT)(c, VK_FRONT_FACE_CLOCKWISE);
    FUNCTION(s, vkCmdSetDepthTestEnableEXT)(c, false);
    FUNCTION(s, vkCmdSetDepthWriteEnableEXT)(c, false);
    FUNCTION(s, vkCmdSetDepthBiasEnableEXT)(c, false);
    FUNCTION(s, vkCmdSetStencilTestEnableEXT)(c, false);
    FUNCTION(s, vkCmdSetRasterizationSamplesEXT)(c, VK_SAMPLE_COUNT_1_BIT);
    FUNCTION(s, vkCmdSetSampleMaskEXT)(c, VK_SAMPLE_COUNT_1_BIT, &all);
    FUNCTION(s, vkCmdSetAlphaToCoverageEnableEXT)(c, false);
}

static void
draw(const state *s)
{
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = {{0, 0}, {SIZE, SIZE}},
                                       .layerCount = 1};
    FUNCTION(s, vkCmdBeginRenderingKHR)(s->commands, &rendering);
    bind(s, VK_SHADER_STAGE_VERTEX_BIT, s->vertex);
    bind(s, VK_SHADER_STAGE_FRAGMENT_BIT, s->fragment);
    set_fixed_state(s);
    vkCmdBindDescriptorSets(s->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, s->kernel.layout, 0, 1,
                            &s->set, 0, NULL);
    vkCmdDraw(s->commands, 3, 1, 0, 0);
    FUNCTION(s, vkCmdEndRenderingKHR)(s->commands);
}

/* ---- the dispatches ---- */

static void
make(const state *s, uint32_t first, uint32_t count, const float *values)
{
    uint32_t push[PUSH_WORDS] = {first, count};
    memcpy(push + 2, values, count * sizeof *values);
    bind(s, VK_SHADER_STAGE_COMPUTE_BIT, s->compute);
    vkCmdBindDescriptorSets(s->commands, VK_PIPELINE_BIND_POINT_COMPUTE, s->kernel.layout, 0, 1,
                            &s->set, 0, NULL);
    vkCmdPushConstants(s->commands, s->kernel.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push,
                       push);
    vkCmdDispatch(s->commands, 1, 1, 1);
}

static void
begin(state *s)
{
    static const char *const extensions[] = {
        VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME, VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
        VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME, NULL};
    const app_kernel_info info = {.shader = "drawn.comp.spv",
                                  .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                  .n_bindings = 1,
                                  .push_bytes = 4 * PUSH_WORDS};
    VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
        .shaderObject = true};
    VkPhysicalDeviceDynamicRenderingFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
        .pNext = &objects,
        .dynamicRendering = true};
    app_open_with(&s->a, "objects", extensions, &features);
    s->kernel = app_new_kernel(&s->a, &info);
    s->buffer = app_new_buffer(&s->a, 4 * WORDS);
    s->set = app_new_set(&s->a, &s->kernel);
    app_set_buffer(&s->a, s->set, 0, &s->buffer);
    s->compute = make_object(s, VK_SHADER_STAGE_COMPUTE_BIT, "drawn.comp.spv", "maker");
    s->vertex = make_object(s, VK_SHADER_STAGE_VERTEX_BIT, "objects.vert.spv", "corners");
    s->fragment = make_object(s, VK_SHADER_STAGE_FRAGMENT_BIT, "objects.frag.spv", "paint");
    s->commands = app_begin(&s->a);
}

int
main(void)
{
    static const float corners[6] = {-1, -1, 3, -1, -1, 3}, color[4] = {0, 1, 0, 1};
    state s;
    begin(&s);
    make(&s, 0, 6, corners);
    make(&s, COLOR, 4, color);
    draw(&s);
    app_barrier(&s.a, s.commands);
    app_run(&s.a, s.commands);
    const float *copy = (const float *)s.buffer.data + COPY;
    uint32_t wrong = 0;
    for (unsigned k = 0; k < 4; k++)
        wrong += copy[k] < color[k] || copy[k] > color[k];
    return app_verdict(&s.a, wrong, 4);
}
