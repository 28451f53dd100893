/* Conservative rasterization: random triangles, whose corners lie on the grid of 1/256 pixels, are
 * drawn overestimated, and underestimated. What each pixel should have follows from the area of the
 * triangle in it, which is clipped here. The shader asks for FullyCoveredEXT where triangles are
 * underestimated: RADV has it nowhere else. run_newest.py runs it. */
#include "app.h"

#include <math.h>
#include <string.h>

enum {
    SIZE = 16,
    BYTES = 4 * SIZE * SIZE,
    TRIANGLES = 40,
    MODES = 3 /* none, over, under */,
    MOST_CORNERS = 8
};

typedef struct point {
    double x, y;
} point;

typedef struct state {
    app a;
    VkPipelineLayout layout;
    VkPipeline pipelines[MODES]; /* by VkConservativeRasterizationModeEXT */
    VkImage image;
    VkImageView view;
    app_buffer picture;
} state;

#define FUNCTION(s, name) ((PFN_##name)vkGetDeviceProcAddr((s)->a.device, #name))

/* ---- what draws ---- */

static void
make_image(state *s)
{
    VkMemoryRequirements needs;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .extent = {SIZE, SIZE, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    app_check(&s->a, vkCreateImage(s->a.device, &info, NULL, &s->image), "vkCreateImage");
    vkGetImageMemoryRequirements(s->a.device, s->image, &needs);
    app_check(&s->a, vkBindImageMemory(s->a.device, s->image, app_allocate(&s->a, &needs, 0), 0),
              "vkBindImageMemory");
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = s->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = info.format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    app_check(&s->a, vkCreateImageView(s->a.device, &view, NULL, &s->view), "vkCreateImageView");
}

static VkPipeline
make_pipeline(const state *s, VkConservativeRasterizationModeEXT mode)
{
    static const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
    static const VkRect2D scissor = {{0, 0}, {SIZE, SIZE}};
    static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    static const VkPipelineColorBlendAttachmentState colors = {.colorWriteMask = 15};
    VkPipeline made;
    const VkBool32 asked = mode == VK_CONSERVATIVE_RASTERIZATION_MODE_UNDERESTIMATE_EXT;
    const VkSpecializationMapEntry entry = {0, 0, sizeof asked};
    const VkSpecializationInfo constants = {1, &entry, sizeof asked, &asked};
    const VkPipelineShaderStageCreateInfo stages[2] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = app_new_module(&s->a, "conservative.vert.spv"),
         .pName = "main"},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = app_new_module(&s->a, "conservative.frag.spv"),
         .pName = "main",
         .pSpecializationInfo = &constants}};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineViewportStateCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &scissor};
    const VkPipelineRasterizationConservativeStateCreateInfoEXT conservative = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
        .conservativeRasterizationMode = mode};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .pNext = &conservative,
        .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &colors};
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &rendering,
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &view,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pColorBlendState = &blend,
        .layout = s->layout};
    app_check(&s->a, vkCreateGraphicsPipelines(s->a.device, VK_NULL_HANDLE, 1, &info, NULL, &made),
              "vkCreateGraphicsPipelines");
    return made;
}

static void
begin(state *s)
{
    static const char *const extensions[] = {VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME,
                                             VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME,
                                             NULL};
    static const VkPushConstantRange push = {VK_SHADER_STAGE_VERTEX_BIT, 0, 24};
    VkPhysicalDeviceDynamicRenderingFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
        .dynamicRendering = true};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push};
    app_open_with(&s->a, "conservative", extensions, &features);
    app_check(&s->a, vkCreatePipelineLayout(s->a.device, &layout, NULL, &s->layout),
              "vkCreatePipelineLayout");
    for (unsigned m = 1; m < MODES; m++)
        s->pipelines[m] = make_pipeline(s, (VkConservativeRasterizationModeEXT)m);
    make_image(s);
    s->picture = app_new_buffer(&s->a, BYTES);
}

/* ---- commands ---- */

static void
image_barrier(const state *s, VkCommandBuffer c, VkAccessFlags from, VkAccessFlags to, bool first)
{
    const VkImageMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                      .srcAccessMask = from,
                                      .dstAccessMask = to,
                                      .oldLayout = first ? VK_IMAGE_LAYOUT_UNDEFINED
                                                         : VK_IMAGE_LAYOUT_GENERAL,
                                      .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .image = s->image,
                                      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         0, 0, NULL, 0, NULL, 1, &all);
}

static void
draw(const state *s, unsigned mode, const point t[3])
{
    float corners[6];
    const VkRenderingAttachmentInfo image = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = s->view,
                                             .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                             .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR};
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = {{0, 0}, {SIZE, SIZE}},
                                       .layerCount = 1,
                                       .colorAttachmentCount = 1,
                                       .pColorAttachments = &image};
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {SIZE, SIZE, 1}};
    for (unsigned k = 0; k < 3; k++) {
        corners[2 * k] = (float)(t[k].x / (SIZE / 2) - 1);
        corners[2 * k + 1] = (float)(t[k].y / (SIZE / 2) - 1);
    }
    VkCommandBuffer c = app_begin(&s->a);
    image_barrier(s, c, 0, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, true);
    FUNCTION(s, vkCmdBeginRenderingKHR)(c, &rendering);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[mode]);
    vkCmdPushConstants(c, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof corners, corners);
    vkCmdDraw(c, 3, 1, 0, 0);
    FUNCTION(s, vkCmdEndRenderingKHR)(c);
    image_barrier(s, c, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, false);
    vkCmdCopyImageToBuffer(c, s->image, VK_IMAGE_LAYOUT_GENERAL, s->picture.buffer, 1, &region);
    app_run(&s->a, c);
}

/* ---- areas ---- */

/* What of a polygon has coordinate `axis` of at least `limit`, or at most. */
static unsigned
clip(const point *in, unsigned n, unsigned axis, double limit, bool least, point *out)
{
    unsigned m = 0;
    for (unsigned k = 0; k < n; k++) {
        point p = in[k], q = in[(k + 1) % n];
        double a = (axis ? p.y : p.x) - limit, b = (axis ? q.y : q.x) - limit;
        a = least ? a : -a;
        b = least ? b : -b;
        if (a >= 0)
            out[m++] = p;
        if ((a < 0) != (b < 0))
            out[m++] = (point){p.x + (q.x - p.x) * a / (a - b), p.y + (q.y - p.y) * a / (a - b)};
    }
    return m;
}

static double
area_of(const point *p, unsigned n)
{
    double sum = 0;
    for (unsigned k = 0; k < n; k++)
        sum += p[k].x * p[(k + 1) % n].y - p[(k + 1) % n].x * p[k].y;
    return fabs(sum) / 2;
}

/* The part of the pixel's area that the triangle has. */
static double
area_in(const point t[3], unsigned x, unsigned y)
{
    point a[MOST_CORNERS], b[MOST_CORNERS];
    unsigned n = clip(t, 3, 0, x, true, a);
    n = clip(a, n, 0, x + 1.0, false, b);
    n = clip(b, n, 1, y, true, a);
    n = clip(a, n, 1, y + 1.0, false, b);
    return area_of(b, n);
}

/* ---- results ---- */

static point
random_corner(uint32_t *random)
{
    uint32_t r = app_random(random);
    return (point){(r & 0xfff) / 256.0, (r >> 12 & 0xfff) / 256.0};
}

/* Pixels whose areas are nearly nothing, or nearly all, are left out. */
static uint32_t
count_wrong(const state *s, unsigned mode, const point t[3])
{
    static const double least = 1e-9;
    uint32_t wrong = 0;
    for (unsigned k = 0; k < SIZE * SIZE; k++) {
        const uint8_t *p = (const uint8_t *)s->picture.data + 4 * (size_t)k;
        double area = area_in(t, k % SIZE, k / SIZE);
        bool over = mode == VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
        bool drawn = over ? area > least : area > 1 - least;
        wrong += (p[3] != 0) != drawn || (p[0] != 0) != (drawn && !over);
    }
    return wrong;
}

int
main(void)
{
    state s;
    uint32_t random = 1, wrong = 0;
    begin(&s);
    for (unsigned k = 0; k < TRIANGLES; k++) {
        const point t[3] = {random_corner(&random), random_corner(&random), random_corner(&random)};
        for (unsigned m = 1; m < MODES; m++) {
            draw(&s, m, t);
            wrong += count_wrong(&s, m, t);
        }
    }
    return app_verdict(&s.a, wrong, TRIANGLES * (MODES - 1) * SIZE * SIZE);
}
