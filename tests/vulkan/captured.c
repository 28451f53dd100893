/* Transform feedback: draws capture strips into two buffers, one behind the other. The first one
 * takes several groups of vertices; the second goes on where it ended, by what was counted; for the
 * last one there is room for a part. run_newest.py runs it on chips whose vertex shaders count
 * themselves. */
#include "drawing.h"

#include <stdio.h>
#include <string.h>

enum { BUFFERS = 2, DRAWS = 3, SIZE = 8, CORNERS = 3 };
enum { FIRST = 298, SECOND = 3, LAST = 2, TRIANGLES = FIRST + SECOND + LAST };
static const uint32_t stride[BUFFERS] = {12, 8};

/* The triangles of each strip, its first vertex; the last one has more than there is room for. */
static const struct {
    uint32_t triangles, first, captured;
} draws[DRAWS] = {{FIRST, 0, FIRST}, {SECOND, 1000, SECOND}, {7, 2000, LAST}};

typedef struct state {
    app a;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkBuffer captured[BUFFERS];
    void *data[BUFFERS];
    app_buffer counters;
    VkCommandBuffer commands;
} state;

static VkDeviceSize
bytes_of(unsigned buffer)
{
    return (VkDeviceSize)TRIANGLES * CORNERS * stride[buffer];
}

/* ---- what draws ---- */

static void
make_buffer(state *s, unsigned k)
{
    VkMemoryRequirements needs;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = bytes_of(k) +
                                             stride[k], /* no room for another triangle */
                                     .usage = VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT};
    app_check(&s->a, vkCreateBuffer(s->a.device, &info, NULL, &s->captured[k]), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(s->a.device, s->captured[k], &needs);
    VkDeviceMemory memory = app_allocate(
        &s->a, &needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    app_check(&s->a, vkBindBufferMemory(s->a.device, s->captured[k], memory, 0),
              "vkBindBufferMemory");
    app_check(&s->a, vkMapMemory(s->a.device, memory, 0, VK_WHOLE_SIZE, 0, &s->data[k]),
              "vkMapMemory");
    memset(s->data[k], 0xee, info.size);
}

static void
make_pipeline(state *s)
{
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    const VkPipelineShaderStageCreateInfo stage = drawing_stage(&s->a, VK_SHADER_STAGE_VERTEX_BIT,
                                                                "captured.vert.spv");
    drawing_pipeline p;
    drawing_describe(&p, SIZE, false);
    app_check(&s->a, vkCreatePipelineLayout(s->a.device, &layout, NULL, &s->layout),
              "vkCreatePipelineLayout");
    p.assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    p.info.stageCount = 1;
    p.info.pStages = &stage;
    p.info.layout = s->layout;
    s->pipeline = drawing_new_pipeline(&s->a, &p.info);
}

static void
begin(state *s)
{
    static const char *const extensions[] = {VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME,
                                             VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME, NULL};
    VkPhysicalDeviceTransformFeedbackFeaturesEXT capture = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .transformFeedback = true};
    VkPhysicalDeviceDynamicRenderingFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
        .pNext = &capture,
        .dynamicRendering = true};
    app_open_with(&s->a, "captured", extensions, &features);
    for (unsigned k = 0; k < BUFFERS; k++)
        make_buffer(s, k);
    s->counters = app_new_buffer(&s->a, 4 * BUFFERS);
    make_pipeline(s);
    s->commands = app_begin(&s->a);
}

/* ---- commands ---- */

/* A draw captures behind those before it, which the counters say. */
static void
capture(const state *s, unsigned draw)
{
    static const VkDeviceSize offsets[BUFFERS] = {0, 4};
    const VkBuffer counters[BUFFERS] = {s->counters.buffer, s->counters.buffer};
    const VkCommandBuffer c = s->commands;
    uint32_t counted = draw ? BUFFERS : 0;
    DRAWING_FUNCTION(&s->a, vkCmdBeginTransformFeedbackEXT)(c, 0, counted, counters, offsets);
    vkCmdDraw(c, draws[draw].triangles + 2, 1, draws[draw].first, 0);
    DRAWING_FUNCTION(&s->a, vkCmdEndTransformFeedbackEXT)(c, 0, BUFFERS, counters, offsets);
    const VkMemoryBarrier counts = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
        .dstAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
                         VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT |
                             VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                         0, 1, &counts, 0, NULL, 0, NULL);
}

/* Each draw has a render pass of its own. */
static void
record(const state *s)
{
    static const VkDeviceSize offsets[BUFFERS];
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = {{0, 0}, {SIZE, SIZE}},
                                       .layerCount = 1};
    const VkDeviceSize sizes[BUFFERS] = {VK_WHOLE_SIZE, VK_WHOLE_SIZE};
    vkCmdBindPipeline(s->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
    DRAWING_FUNCTION(&s->a, vkCmdBindTransformFeedbackBuffersEXT)
    (s->commands, 0, BUFFERS, s->captured, offsets, sizes);
    for (unsigned d = 0; d < DRAWS; d++) {
        DRAWING_FUNCTION(&s->a, vkCmdBeginRenderingKHR)(s->commands, &rendering);
        capture(s, d);
        DRAWING_FUNCTION(&s->a, vkCmdEndRenderingKHR)(s->commands);
    }
}

/* ---- results ---- */

static bool
is_captured(const state *s, uint32_t place, uint32_t vertex)
{
    uint32_t first[3], second[2];
    const float half = 0.5f * (float)vertex;
    memcpy(first, (const char *)s->data[0] + (size_t)place * stride[0], sizeof first);
    memcpy(second, (const char *)s->data[1] + (size_t)place * stride[1], sizeof second);
    return first[0] == vertex && first[1] == 0 && memcmp(&first[2], &half, sizeof half) == 0 &&
           second[0] == 0xeeeeeeee && second[1] == vertex;
}

static uint32_t
count_wrong(const state *s)
{
    static const uint32_t corner[2][CORNERS] = {{0, 1, 2}, {0, 2, 1}}; /* of even and odd ones */
    uint32_t wrong = 0, place = 0;
    for (unsigned d = 0; d < DRAWS; d++) {
        for (uint32_t t = 0; t < draws[d].captured; t++) {
            for (unsigned c = 0; c < CORNERS; c++)
                wrong += !is_captured(s, place++, draws[d].first + t + corner[t & 1][c]);
        }
    }
    for (unsigned k = 0; k < BUFFERS; k++) {
        const uint8_t *behind = (const uint8_t *)s->data[k] + bytes_of(k);
        for (uint32_t b = 0; b < stride[k]; b++)
            wrong += behind[b] != 0xee;
    }
    return wrong;
}

int
main(void)
{
    state s;
    begin(&s);
    record(&s);
    app_run(&s.a, s.commands);
    const uint32_t *counters = s.counters.data;
    printf("counters: %u %u\n", counters[0], counters[1]);
    return app_verdict(&s.a, count_wrong(&s), TRIANGLES * CORNERS);
}
