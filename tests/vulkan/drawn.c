/* Programs with draws that have, or do not have, the barriers that they need between commands; the
 * argument names one, and run_bad.py knows what is found. All print PASS: the device executes
 * commands in their order.
 *
 * A triangle covers an image of 8 by 8 pixels. Its vertices, indices, arguments and colour stand in
 * one buffer, where the application puts them, but for one of them, which a dispatch makes. Vertex
 * input may be set later, beside the draw: RADV enters the vertex shader by a prolog then. The
 * pipeline may be linked of four libraries, which are destroyed before it draws: RADV's fragment
 * shader goes on with an epilog then, too. */
#include "drawing.h"

#include <stdio.h>
#include <string.h>

enum { SIZE = 8, BYTES = 4 * SIZE * SIZE };
enum { VERTICES = 0, INDICES = 6, ARGUMENTS = 9, COLOR = 16, WORDS = 20 }; /* of the buffer */

/* Three corners, three indices, four arguments, three unused words, a colour. */
static const float corners[6] = {-1, -1, 3, -1, -1, 3};
static const uint32_t others[WORDS - INDICES] = {0, 1, 2, 3, 1,          0, 0,
                                                 0, 0, 0, 0, 0x3f800000, 0, 0x3f800000};

typedef struct state {
    app a;
    bool late;   /* vertex input is set later */
    bool linked; /* of libraries */
    app_kernel kernel;
    VkDescriptorSet set;
    app_buffer buffer, picture;
    VkPipeline pipeline;
    drawing_image image;
    VkCommandBuffer commands;
} state;

/* ---- what draws ---- */

static const VkVertexInputBindingDescription binding = {0, 2 * sizeof(float),
                                                        VK_VERTEX_INPUT_RATE_VERTEX};
static const VkVertexInputAttributeDescription place = {0, 0, VK_FORMAT_R32G32_SFLOAT, 0};

static void
set_late_input(const state *s)
{
    static const VkVertexInputBindingDescription2EXT late_binding = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .stride = 2 * sizeof(float),
        .inputRate = VK_VERTEX_INPUT_RATE_VERTEX,
        .divisor = 1};
    static const VkVertexInputAttributeDescription2EXT late_place = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        .format = VK_FORMAT_R32G32_SFLOAT};
    DRAWING_FUNCTION(&s->a, vkCmdSetVertexInputEXT)
    (s->commands, 1, &late_binding, 1, &late_place);
}

enum { LIBRARIES = 4 };

/* Makes a library of one part of the pipeline's state. */
static VkPipeline
make_library(const state *s, const VkGraphicsPipelineCreateInfo *all, unsigned part)
{
    static const struct {
        VkGraphicsPipelineLibraryFlagsEXT flags;
        uint32_t first_stage, n_stages;
    } parts[LIBRARIES] = {{VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT, 0, 0},
                          {VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT, 0, 1},
                          {VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT, 1, 1},
                          {VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT, 0, 0}};
    const VkGraphicsPipelineLibraryCreateInfoEXT kind = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = (void *)(uintptr_t)all->pNext,
        .flags = parts[part].flags};
    VkGraphicsPipelineCreateInfo info = *all;
    info.pNext = &kind;
    info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    info.stageCount = parts[part].n_stages;
    info.pStages += parts[part].first_stage;
    return drawing_new_pipeline(&s->a, &info);
}

static VkPipeline
link_pipeline(const state *s, const VkGraphicsPipelineCreateInfo *all)
{
    VkPipeline libraries[LIBRARIES];
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .libraryCount = LIBRARIES,
        .pLibraries = libraries};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &linked,
        .layout = all->layout};
    for (unsigned k = 0; k < LIBRARIES; k++)
        libraries[k] = make_library(s, all, k);
    VkPipeline made = drawing_new_pipeline(&s->a, &info);
    for (unsigned k = 0; k < LIBRARIES; k++)
        vkDestroyPipeline(s->a.device, libraries[k], NULL);
    return made;
}

static void
make_pipeline(state *s)
{
    static const VkDynamicState late = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
    static const VkPipelineDynamicStateCreateInfo later = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &late};
    const VkPipelineShaderStageCreateInfo stages[2] = {
        drawing_stage(&s->a, VK_SHADER_STAGE_VERTEX_BIT,
                      s->late ? "drawn_late.vert.spv" : "drawn.vert.spv"),
        drawing_stage(&s->a, VK_SHADER_STAGE_FRAGMENT_BIT, "drawn.frag.spv")};
    drawing_pipeline p;
    drawing_describe(&p, SIZE, true);
    p.input.vertexBindingDescriptionCount = 1;
    p.input.pVertexBindingDescriptions = &binding;
    p.input.vertexAttributeDescriptionCount = 1;
    p.input.pVertexAttributeDescriptions = &place;
    p.info.stageCount = 2;
    p.info.pStages = stages;
    p.info.pDynamicState = s->late ? &later : NULL;
    p.info.layout = s->kernel.layout;
    s->pipeline = s->linked ? link_pipeline(s, &p.info) : drawing_new_pipeline(&s->a, &p.info);
}

/* ---- commands ---- */

static void
barrier(const state *s, VkAccessFlags from, VkAccessFlags to)
{
    const VkMemoryBarrier all = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = from, .dstAccessMask = to};
    vkCmdPipelineBarrier(s->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL, 0, NULL);
}

/* Opens the device; the application sets all words but `count` from `first` on. */
static void
begin(state *s, uint32_t first, uint32_t count)
{
    const char *const extensions[] = {
        VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME, VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME,
        s->linked ? VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME : NULL,
        s->linked ? VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME : NULL, NULL};
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .graphicsPipelineLibrary = true};
    const app_kernel_info info = {.shader = "drawn.comp.spv",
                                  .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                  .n_bindings = 1,
                                  .push_bytes = 4 * 18};
    VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT late = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
        .pNext = s->linked ? &libraries : NULL,
        .vertexInputDynamicState = true};
    VkPhysicalDeviceDynamicRenderingFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
        .pNext = &late,
        .dynamicRendering = true};
    app_open_with(&s->a, "drawn", extensions, &features);
    s->kernel = app_new_kernel(&s->a, &info);
    s->buffer = app_new_buffer(&s->a, 4 * WORDS);
    s->picture = app_new_buffer(&s->a, BYTES);
    s->set = app_new_set(&s->a, &s->kernel);
    app_set_buffer(&s->a, s->set, 0, &s->buffer);
    memcpy(s->buffer.data, corners, sizeof corners);
    memcpy((uint32_t *)s->buffer.data + INDICES, others, sizeof others);
    memset((uint32_t *)s->buffer.data + first, 0, 4 * (size_t)count);
    s->image = drawing_new_image(&s->a, SIZE, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    make_pipeline(s);
    s->commands = app_begin(&s->a);
    const VkImageMemoryBarrier undefined = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = s->image.image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(s->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &undefined);
}

/* A dispatch makes `count` words from `first` on. */
static void
make(const state *s, uint32_t first, uint32_t count)
{
    uint32_t push[18] = {first, count}, words[WORDS];
    memcpy(words, corners, sizeof corners);
    memcpy(words + INDICES, others, sizeof others);
    memcpy(push + 2, words + first, 4 * (size_t)count);
    app_bind(s->commands, &s->kernel, s->set, push, sizeof push);
    vkCmdDispatch(s->commands, 1, 1, 1);
}

typedef enum draw_kind { PLAIN, INDEXED, INDIRECT } draw_kind;

static void
draw(const state *s, draw_kind kind)
{
    const VkDeviceSize zero = 0;
    VkRenderingAttachmentInfo attachment;
    const VkRenderingInfo rendering = drawing_to(&s->image, VK_ATTACHMENT_LOAD_OP_LOAD,
                                                 &attachment);
    DRAWING_FUNCTION(&s->a, vkCmdBeginRenderingKHR)(s->commands, &rendering);
    vkCmdBindPipeline(s->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
    vkCmdBindDescriptorSets(s->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, s->kernel.layout, 0, 1,
                            &s->set, 0, NULL);
    if (s->late)
        set_late_input(s);
    vkCmdBindVertexBuffers(s->commands, 0, 1, &s->buffer.buffer, &zero);
    vkCmdBindIndexBuffer(s->commands, s->buffer.buffer, 4 * INDICES, VK_INDEX_TYPE_UINT32);
    if (kind == PLAIN)
        vkCmdDraw(s->commands, 3, 1, 0, 0);
    else if (kind == INDEXED)
        vkCmdDrawIndexed(s->commands, 3, 1, 0, 0, 0);
    else
        vkCmdDrawIndirect(s->commands, s->buffer.buffer, 4 * ARGUMENTS, 1, 0);
    DRAWING_FUNCTION(&s->a, vkCmdEndRenderingKHR)(s->commands);
}

/* ---- programs ---- */

/* A dispatch makes a part of what a draw reads; behind a barrier, or not. */
typedef struct part {
    uint32_t first, count;
    draw_kind kind;
    VkAccessFlags reads;
} part;

static const part vertices = {VERTICES, 6, PLAIN, VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT};
static const part indices = {INDICES, 3, INDEXED, VK_ACCESS_INDEX_READ_BIT};
static const part arguments = {ARGUMENTS, 4, INDIRECT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT};
static const part color = {COLOR, 4, PLAIN, VK_ACCESS_SHADER_READ_BIT};

static void
made(state *s, const part *p, bool waits)
{
    make(s, p->first, p->count);
    if (waits)
        barrier(s, VK_ACCESS_SHADER_WRITE_BIT, p->reads);
    draw(s, p->kind);
    barrier(s, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    drawing_copy(s->commands, &s->image, s->picture.buffer);
}

/* The picture is copied behind the draw. */
static void
copied(state *s, const part *p, bool waits)
{
    draw(s, p->kind);
    if (waits)
        barrier(s, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    drawing_copy(s->commands, &s->image, s->picture.buffer);
}

/* A dispatch changes what the draw before it reads, which its words show already. */
static void
changed(state *s, const part *p, bool waits)
{
    draw(s, p->kind);
    if (waits)
        barrier(s, 0, VK_ACCESS_SHADER_WRITE_BIT);
    vkCmdFillBuffer(s->commands, s->buffer.buffer, 4 * p->first, 4 * p->count, 0x3e800000);
    barrier(s, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    drawing_copy(s->commands, &s->image, s->picture.buffer);
}

/* Draws to one attachment need nothing between them. */
static void
drawn_again(state *s, const part *p, bool waits)
{
    draw(s, p->kind);
    copied(s, p, waits);
}

/* Counts pixels that are not (0, 1, 0, 1). */
static uint32_t
count_wrong(const state *s)
{
    const uint8_t *p = s->picture.data;
    uint32_t wrong = 0;
    for (unsigned k = 0; k < SIZE * SIZE; k++, p += 4)
        wrong += p[0] || p[1] != 255 || p[2] || p[3] != 255;
    return wrong;
}

int
main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(state *s, const part *p, bool waits);
        const part *part;
        bool waits, made, late, linked;
    } programs[] = {
        {"vertices", made, &vertices, true, true},
        {"no-vertices-barrier", made, &vertices, false, true},
        {"indices", made, &indices, true, true},
        {"no-indices-barrier", made, &indices, false, true},
        {"arguments", made, &arguments, true, true},
        {"no-arguments-barrier", made, &arguments, false, true},
        {"color", made, &color, true, true},
        {"no-color-barrier", made, &color, false, true},
        {"picture", copied, &vertices, true, false},
        {"no-picture-barrier", copied, &vertices, false, false},
        {"changed-indices", changed, &indices, true, false},
        {"no-changed-indices-barrier", changed, &indices, false, false},
        {"changed-color", changed, &color, true, false},
        {"no-changed-color-barrier", changed, &color, false, false},
        {"drawn-again", drawn_again, &vertices, true, false},
        {"late", made, &vertices, true, true, true},
        {"no-late-vertices-barrier", made, &vertices, false, true, true},
        {"no-late-color-barrier", made, &color, false, true, true},
        {"linked", made, &vertices, true, true, false, true},
        {"no-linked-vertices-barrier", made, &vertices, false, true, false, true},
        {"no-linked-color-barrier", made, &color, false, true, false, true},
    };
    state s;
    for (unsigned k = 0; k < sizeof programs / sizeof *programs; k++) {
        if (argc == 2 && strcmp(argv[1], programs[k].name) == 0) {
            const part *p = programs[k].part;
            s.late = programs[k].late;
            s.linked = programs[k].linked;
            begin(&s, p->first, programs[k].made ? p->count : 0);
            programs[k].run(&s, p, programs[k].waits);
            app_run(&s.a, s.commands);
            return app_verdict(&s.a, count_wrong(&s), SIZE * SIZE);
        }
    }
    printf("drawn: which program?\n");
    return 2;
}
