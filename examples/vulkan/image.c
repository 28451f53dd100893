/* Image processing: the levels of a picture by a shader, samples between its pixels and levels, and its edges.
 *
 * Storage images of three formats, a view of each level, a sampler that filters, copies between
 * buffers and images. */
#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 64, LEVELS = 5, GROUP = 8, PIXELS = SIZE * SIZE };

/* The picture and its levels as the host computes them: four numbers from 0 to 255 a pixel. */
typedef struct picture {
    uint8_t levels[LEVELS][PIXELS][4];
} picture;

typedef struct state {
    app a;
    app_image picture, samples, edges;
    app_kernel level, sample, edge;
    app_buffer in, levels_out, samples_out, edges_out;
    VkSampler sampler;
} state;

static void
draw(picture *p)
{
    uint32_t random = 7;
    for (uint32_t k = 0; k < PIXELS; k++) {
        uint32_t x = k % SIZE, y = k / SIZE;
        bool inside = (x - 32) * (x - 32) + (y - 24) * (y - 24) < 400;
        p->levels[0][k][0] = (uint8_t)(inside ? 220 : 3 * x);
        p->levels[0][k][1] = (uint8_t)(4 * y);
        p->levels[0][k][2] = (uint8_t)(app_random(&random) & 255);
        p->levels[0][k][3] = 255;
    }
}

/* ---- the device ---- */

static void
make_kernels(state *s)
{
    const app *a = &s->a;
    app_kernel_info info = {
        .shader = "image_level.spv",
        .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
        .n_bindings = 2};
    s->level = app_new_kernel(a, &info);
    info.shader = "image_edges.spv";
    s->edge = app_new_kernel(a, &info);
    info.shader = "image_sample.spv";
    info.bindings[0] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    info.push_bytes = sizeof(float);
    s->sample = app_new_kernel(a, &info);
    const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                         .magFilter = VK_FILTER_LINEAR,
                                         .minFilter = VK_FILTER_LINEAR,
                                         .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                                         .addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                         .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                         .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                         .maxLod = LEVELS};
    app_check(a, vkCreateSampler(a->device, &sampler, NULL, &s->sampler), "vkCreateSampler");
}

static void
open(state *s)
{
    app *a = &s->a;
    app_open(a, "image");
    make_kernels(s);
    const VkExtent2D size = {SIZE, SIZE};
    s->picture = app_new_image(a, VK_FORMAT_R8G8B8A8_UNORM, size, LEVELS);
    s->samples = app_new_image(a, VK_FORMAT_R32G32B32A32_SFLOAT, size, 1);
    s->edges = app_new_image(a, VK_FORMAT_R32_UINT, size, 1);
    s->in = app_new_buffer(a, PIXELS * 4);
    s->levels_out = app_new_buffer(a, sizeof(picture));
    s->samples_out = app_new_buffer(a, PIXELS * 16);
    s->edges_out = app_new_buffer(a, PIXELS * 4);
}

static void
close(state *s)
{
    app *a = &s->a;
    vkDestroySampler(a->device, s->sampler, NULL);
    app_free_kernel(a, &s->level);
    app_free_kernel(a, &s->sample);
    app_free_kernel(a, &s->edge);
    app_free_image(a, &s->picture);
    app_free_image(a, &s->samples);
    app_free_image(a, &s->edges);
    app_free_buffer(a, &s->in);
    app_free_buffer(a, &s->levels_out);
    app_free_buffer(a, &s->samples_out);
    app_free_buffer(a, &s->edges_out);
    app_close(a);
}

/* A level of an image and its place in a buffer. */
static VkBufferImageCopy
region(uint32_t level, VkDeviceSize offset)
{
    return (VkBufferImageCopy){.bufferOffset = offset,
                               .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1},
                               .imageExtent = {SIZE >> level, SIZE >> level, 1}};
}

static void
make_levels(state *s, VkCommandBuffer commands)
{
    for (uint32_t k = 1; k < LEVELS; k++) {
        VkDescriptorSet set = app_new_set(&s->a, &s->level);
        uint32_t groups = ((SIZE >> k) + GROUP - 1) / GROUP;
        app_set_image(&s->a, set, 0, s->picture.levels[k - 1], VK_NULL_HANDLE);
        app_set_image(&s->a, set, 1, s->picture.levels[k], VK_NULL_HANDLE);
        app_bind(commands, &s->level, set, NULL, 0);
        vkCmdDispatch(commands, groups, groups, 1);
        app_barrier(&s->a, commands);
    }
}

static void
use_levels(state *s, VkCommandBuffer commands)
{
    const app *a = &s->a;
    const float levels = LEVELS - 1;
    VkDescriptorSet sample = app_new_set(a, &s->sample), edge = app_new_set(a, &s->edge);
    app_set_image(a, sample, 0, s->picture.all, s->sampler);
    app_set_image(a, sample, 1, s->samples.all, VK_NULL_HANDLE);
    app_set_image(a, edge, 0, s->picture.levels[0], VK_NULL_HANDLE);
    app_set_image(a, edge, 1, s->edges.all, VK_NULL_HANDLE);
    app_bind(commands, &s->sample, sample, &levels, sizeof levels);
    vkCmdDispatch(commands, SIZE / GROUP, SIZE / GROUP, 1);
    app_bind(commands, &s->edge, edge, NULL, 0);
    vkCmdDispatch(commands, SIZE / GROUP, SIZE / GROUP, 1);
    app_barrier(&s->a, commands);
}

static void
run(state *s)
{
    VkCommandBuffer commands = app_begin(&s->a);
    VkBufferImageCopy all = region(0, 0), levels[LEVELS];
    for (uint32_t k = 0; k < LEVELS; k++)
        levels[k] = region(k, k * PIXELS * 4ul);
    app_begin_image(commands, &s->picture);
    app_begin_image(commands, &s->samples);
    app_begin_image(commands, &s->edges);
    vkCmdCopyBufferToImage(commands, s->in.buffer, s->picture.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                           &all);
    app_barrier(&s->a, commands);
    make_levels(s, commands);
    use_levels(s, commands);
    vkCmdCopyImageToBuffer(commands, s->picture.image, VK_IMAGE_LAYOUT_GENERAL,
                           s->levels_out.buffer, LEVELS, levels);
    vkCmdCopyImageToBuffer(commands, s->samples.image, VK_IMAGE_LAYOUT_GENERAL,
                           s->samples_out.buffer, 1, &all);
    vkCmdCopyImageToBuffer(commands, s->edges.image, VK_IMAGE_LAYOUT_GENERAL, s->edges_out.buffer,
                           1, &all);
    app_barrier(&s->a, commands);
    app_run(&s->a, commands);
}

/* ---- the host ---- */

/* A mean may be rounded either way. */
static uint32_t
check_levels(const picture *p, const picture *got)
{
    uint32_t wrong = 0;
    for (uint32_t l = 1; l < LEVELS; l++) {
        uint32_t size = SIZE >> l;
        for (uint32_t k = 0; k < 4 * size * size; k++) {
            uint32_t c = k % 4, x = k / 4 % size, y = k / 4 / size, sum = 0;
            for (uint32_t n = 0; n < 4; n++)
                sum += got->levels[l - 1][(2 * y + n / 2) * 2 * size + 2 * x + n % 2][c];
            wrong += fabs(sum / 4.0 - got->levels[l][y * size + x][c]) > 0.51;
        }
    }
    return wrong + (memcmp(p->levels[0], got->levels[0], sizeof p->levels[0]) != 0);
}

/* Between four pixels of a level; columns repeat, rows do not. */
static double
filter_level(const picture *p, uint32_t level, const double place[2], uint32_t channel)
{
    int size = SIZE >> level;
    double x = place[0] * size - 0.5, y = place[1] * size - 0.5, sum = 0;
    for (int k = 0; k < 4; k++) {
        int column = (int)floor(x) + (k & 1), row = (int)floor(y) + (k >> 1);
        double weight = (1 - fabs(x - column)) * (1 - fabs(y - row));
        row = row < 0 ? 0 : row >= size ? size - 1 : row;
        column = (column + size) % size;
        sum += weight * p->levels[level][row * size + column][channel];
    }
    return sum / 255;
}

/* Weights of devices have eight bits. */
static uint32_t
check_samples(const picture *p, const float *got)
{
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < PIXELS * 4; k++) {
        uint32_t x = k / 4 % SIZE, y = k / 4 / SIZE, channel = k % 4;
        double place[2] = {(x + 0.25) / SIZE, (y + 0.25) / SIZE};
        double lod = (LEVELS - 1) * (double)y / SIZE, part = lod - floor(lod);
        double expected = (1 - part) * filter_level(p, (uint32_t)lod, place, channel) +
                          part * filter_level(p, (uint32_t)lod + 1, place, channel);
        wrong += !(fabs(got[k] - expected) < 0.02);
    }
    return wrong;
}

static int
red(const picture *p, int x, int y)
{
    x = x < 0 ? 0 : x >= SIZE ? SIZE - 1 : x;
    y = y < 0 ? 0 : y >= SIZE ? SIZE - 1 : y;
    return p->levels[0][y * SIZE + x][0];
}

static uint32_t
check_edges(const picture *p, const uint32_t *got)
{
    uint32_t wrong = 0;
    for (int at = 0; at < PIXELS; at++) {
        int x = at % SIZE, y = at / SIZE, across = 0, down = 0;
        for (int k = -1; k <= 1; k++) {
            int weight = k ? 1 : 2;
            across += weight * (red(p, x + 1, y + k) - red(p, x - 1, y + k));
            down += weight * (red(p, x + k, y + 1) - red(p, x + k, y - 1));
        }
        wrong += got[at] != (uint32_t)(abs(across) + abs(down));
    }
    return wrong;
}

int
main(void)
{
    static picture p;
    state s;
    draw(&p);
    open(&s);
    memcpy(s.in.data, p.levels[0], sizeof p.levels[0]);
    run(&s);
    uint32_t wrong = check_levels(&p, s.levels_out.data);
    wrong += check_samples(s.levels_out.data, s.samples_out.data);
    wrong += check_edges(&p, s.edges_out.data);
    int code = app_verdict(&s.a, wrong, PIXELS * 6 + PIXELS * 4 / 3);
    close(&s);
    return code;
}
