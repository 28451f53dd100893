/* Conservative rasterization: random triangles, whose corners lie on the grid of 1/256 pixels, are
 * drawn overestimated, and underestimated. What each pixel should have follows from the area of the
 * triangle in it, which is clipped here. The shader asks for FullyCoveredEXT where triangles are
 * underestimated: RADV has it nowhere else. run_newest.py runs it. */
#include "drawing.h"

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
    drawing_image image;
    app_buffer picture;
} state;

/* ---- what draws ---- */

static VkPipeline
make_pipeline(const state *s, VkConservativeRasterizationModeEXT mode)
{
    const VkBool32 asked = mode == VK_CONSERVATIVE_RASTERIZATION_MODE_UNDERESTIMATE_EXT;
    const VkSpecializationMapEntry entry = {0, 0, sizeof asked};
    const VkSpecializationInfo constants = {1, &entry, sizeof asked, &asked};
    VkPipelineShaderStageCreateInfo stages[2] = {
        drawing_stage(&s->a, VK_SHADER_STAGE_VERTEX_BIT, "conservative.vert.spv"),
        drawing_stage(&s->a, VK_SHADER_STAGE_FRAGMENT_BIT, "conservative.frag.spv")};
    const VkPipelineRasterizationConservativeStateCreateInfoEXT conservative = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
        .conservativeRasterizationMode = mode};
    drawing_pipeline p;
    drawing_describe(&p, SIZE, true);
    stages[1].pSpecializationInfo = &constants;
    p.raster.pNext = &conservative;
    p.info.stageCount = 2;
    p.info.pStages = stages;
    p.info.layout = s->layout;
    return drawing_new_pipeline(&s->a, &p.info);
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
    s->image = drawing_new_image(&s->a, SIZE, 0);
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
                                      .image = s->image.image,
                                      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         0, 0, NULL, 0, NULL, 1, &all);
}

static void
draw(const state *s, unsigned mode, const point t[3])
{
    float corners[6];
    VkRenderingAttachmentInfo attachment;
    const VkRenderingInfo rendering = drawing_to(&s->image, VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                 &attachment);
    for (unsigned k = 0; k < 3; k++) {
        corners[2 * k] = (float)(t[k].x / (SIZE / 2) - 1);
        corners[2 * k + 1] = (float)(t[k].y / (SIZE / 2) - 1);
    }
    VkCommandBuffer c = app_begin(&s->a);
    image_barrier(s, c, 0, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, true);
    DRAWING_FUNCTION(&s->a, vkCmdBeginRenderingKHR)(c, &rendering);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[mode]);
    vkCmdPushConstants(c, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof corners, corners);
    vkCmdDraw(c, 3, 1, 0, 0);
    DRAWING_FUNCTION(&s->a, vkCmdEndRenderingKHR)(c);
    image_barrier(s, c, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, false);
    drawing_copy(c, &s->image, s->picture.buffer);
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
