/* Copies on a queue that only transfers, buffers and images of several kinds, beside copies of the
 * same images by shaders. The data that comes back must be what was sent. */
#include "app.h"

#include <stdio.h>
#include <string.h>

/* An image: format, bytes of a texel or block, texels of a block's side. */
typedef struct kind {
    const char *name;
    VkFormat format;
    uint32_t bytes, block;
    VkExtent3D size;
    uint32_t levels, layers;
} kind;

static const kind kinds[] = {
    {"2D", VK_FORMAT_R8G8B8A8_UNORM, 4, 1, {65, 33, 1}, 1, 1},
    {"2D, levels", VK_FORMAT_R8G8B8A8_UNORM, 4, 1, {65, 33, 1}, 5, 1},
    {"2D, a byte", VK_FORMAT_R8_UINT, 1, 1, {64, 64, 1}, 3, 1},
    {"2D, 16 bytes", VK_FORMAT_R32G32B32A32_UINT, 16, 1, {40, 24, 1}, 2, 1},
    {"array", VK_FORMAT_R16_UINT, 2, 1, {32, 48, 1}, 1, 5},
    {"array, levels", VK_FORMAT_R32G32_UINT, 8, 1, {33, 20, 1}, 4, 3},
    {"3D", VK_FORMAT_R32_UINT, 4, 1, {20, 12, 7}, 1, 1},
    {"3D, levels", VK_FORMAT_R32_UINT, 4, 1, {20, 12, 7}, 3, 1},
    {"blocks", VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 8, 4, {64, 32, 1}, 4, 2},
    {"larger", VK_FORMAT_R32_UINT, 4, 1, {600, 300, 1}, 3, 1},
};

enum { MOST_BYTES = 1 << 21, QUEUES = 2 };

typedef struct state {
    app a;
    VkQueue queues[QUEUES]; /* the one that only transfers, the one that computes */
    VkCommandPool pools[QUEUES];
    app_buffer in, out;
    uint32_t wrong, results, random;
} state;

static bool
begin(state *s)
{
    app *a = &s->a;
    app_open(a, "transfer");
    if (!a->has_transfer)
        return false;
    s->queues[0] = a->transfer;
    s->queues[1] = a->queues[0];
    for (unsigned q = 0; q < QUEUES; q++) {
        const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                              .queueFamilyIndex = q ? a->family
                                                                    : a->transfer_family};
        app_check(a, vkCreateCommandPool(a->device, &info, NULL, &s->pools[q]),
                  "vkCreateCommandPool");
    }
    s->in = app_new_buffer(a, MOST_BYTES);
    s->out = app_new_buffer(a, MOST_BYTES);
    s->random = 7;
    return true;
}

static VkCommandBuffer
commands_for(const state *s, unsigned queue)
{
    VkCommandBuffer commands;
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = s->pools[queue],
        .commandBufferCount = 1};
    const VkCommandBufferBeginInfo start = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    app_check(&s->a, vkAllocateCommandBuffers(s->a.device, &info, &commands), "vkAllocate");
    app_check(&s->a, vkBeginCommandBuffer(commands, &start), "vkBeginCommandBuffer");
    return commands;
}

static void
run(const state *s, unsigned queue, VkCommandBuffer commands)
{
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands};
    app_check(&s->a, vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    app_check(&s->a, vkQueueSubmit(s->queues[queue], 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    app_check(&s->a, vkQueueWaitIdle(s->queues[queue]), "vkQueueWaitIdle");
}

static void
fill_in(state *s)
{
    uint32_t *words = s->in.data;
    for (uint32_t k = 0; k < MOST_BYTES / 4; k++)
        words[k] = app_random(&s->random);
    memset(s->out.data, 0, MOST_BYTES);
}

static void
check(state *s, const char *what, uint64_t bytes)
{
    bool same = memcmp(s->in.data, s->out.data, (size_t)bytes) == 0;
    s->results++;
    s->wrong += !same;
    if (!same)
        printf("%s: other data comes back\n", what);
}

static void
barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT |
                                                  VK_ACCESS_TRANSFER_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 1, &all, 0, NULL, 0, NULL);
}

/* ---- buffers ---- */

static void
copy_buffers(state *s)
{
    enum { ODD = 100003, PART = 64, FILLED = 4096 };
    const VkBufferCopy odd = {.srcOffset = 5, .dstOffset = 5, .size = ODD};
    const uint32_t *in = s->in.data, *out = s->out.data;
    fill_in(s);
    VkCommandBuffer commands = commands_for(s, 0);
    vkCmdFillBuffer(commands, s->out.buffer, 0, VK_WHOLE_SIZE, 0x01020304);
    barrier(commands);
    vkCmdCopyBuffer(commands, s->in.buffer, s->out.buffer, 1, &odd);
    vkCmdUpdateBuffer(commands, s->out.buffer, MOST_BYTES - PART, PART, in);
    run(s, 0, commands);
    s->results += 3;
    s->wrong += memcmp((const char *)in + 5, (const char *)out + 5, ODD) != 0;
    s->wrong += out[(ODD + 5) / 4 + 1] != 0x01020304 || out[MOST_BYTES / 4 - FILLED] != 0x01020304;
    s->wrong += memcmp(in, out + (MOST_BYTES - PART) / 4, PART) != 0;
}

/* ---- images ---- */

typedef struct image {
    VkImage image;
    VkDeviceMemory memory;
} image;

static image
new_image(const state *s, const kind *k)
{
    const uint32_t families[QUEUES] = {s->a.transfer_family, s->a.family};
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = k->size.depth > 1 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
        .format = k->format,
        .extent = k->size,
        .mipLevels = k->levels,
        .arrayLayers = k->layers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .sharingMode = VK_SHARING_MODE_CONCURRENT,
        .queueFamilyIndexCount = QUEUES,
        .pQueueFamilyIndices = families};
    image i;
    VkMemoryRequirements needs;
    app_check(&s->a, vkCreateImage(s->a.device, &info, NULL, &i.image), k->name);
    vkGetImageMemoryRequirements(s->a.device, i.image, &needs);
    i.memory = app_allocate(&s->a, &needs, 0);
    app_check(&s->a, vkBindImageMemory(s->a.device, i.image, i.memory, 0), "vkBindImageMemory");
    return i;
}

static uint32_t
at_level(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

/* Regions for all levels with their layers, one behind another; returns the bytes of all. */
static uint64_t
regions_of(const kind *k, VkBufferImageCopy *out)
{
    uint64_t at = 0;
    for (uint32_t l = 0; l < k->levels; l++) {
        VkExtent3D e = {at_level(k->size.width, l), at_level(k->size.height, l),
                        at_level(k->size.depth, l)};
        out[l] = (VkBufferImageCopy){
            .bufferOffset = at,
            .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, l, 0, k->layers},
            .imageExtent = e};
        uint64_t blocks = (uint64_t)((e.width + k->block - 1) / k->block) *
                          ((e.height + k->block - 1) / k->block) * e.depth * k->layers;
        at += (blocks * k->bytes + 15) & ~UINT64_C(15);
    }
    return at;
}

static void
to_general(VkCommandBuffer commands, VkImage which)
{
    const VkImageMemoryBarrier b = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                    .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                    .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .image = which,
                                    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0,
                                                         VK_REMAINING_MIP_LEVELS, 0,
                                                         VK_REMAINING_ARRAY_LAYERS}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &b);
}

static void
send(const state *s, VkCommandBuffer commands, const image *i, const kind *k,
     const VkBufferImageCopy *regions)
{
    vkCmdCopyBufferToImage(commands, s->in.buffer, i->image, VK_IMAGE_LAYOUT_GENERAL, k->levels,
                           regions);
    barrier(commands);
}

static void
fetch(const state *s, VkCommandBuffer commands, const image *i, const kind *k,
      const VkBufferImageCopy *regions)
{
    vkCmdCopyImageToBuffer(commands, i->image, VK_IMAGE_LAYOUT_GENERAL, s->out.buffer, k->levels,
                           regions);
}

static void
copy_image(VkCommandBuffer commands, const image *from, const image *to, const kind *k,
           const VkBufferImageCopy *regions)
{
    VkImageCopy copies[8];
    for (uint32_t l = 0; l < k->levels; l++)
        copies[l] = (VkImageCopy){.srcSubresource = regions[l].imageSubresource,
                                  .dstSubresource = regions[l].imageSubresource,
                                  .extent = regions[l].imageExtent};
    vkCmdCopyImage(commands, from->image, VK_IMAGE_LAYOUT_GENERAL, to->image,
                   VK_IMAGE_LAYOUT_GENERAL, k->levels, copies);
    barrier(commands);
}

static void
copy_images(state *s, const kind *k)
{
    VkBufferImageCopy regions[8];
    image images[2] = {new_image(s, k), new_image(s, k)};
    uint64_t bytes = regions_of(k, regions);
    if (bytes > MOST_BYTES)
        bytes = 0;
    /* what lies between regions comes back as it is */
    fill_in(s);
    memcpy(s->out.data, s->in.data, MOST_BYTES);
    for (uint32_t l = 0; l < k->levels; l++)
        memset((char *)s->out.data + regions[l].bufferOffset, 0, 4);
    VkCommandBuffer commands = commands_for(s, 0);
    to_general(commands, images[0].image);
    to_general(commands, images[1].image);
    send(s, commands, &images[0], k, regions);
    copy_image(commands, &images[0], &images[1], k, regions);
    fetch(s, commands, &images[1], k, regions);
    run(s, 0, commands);
    check(s, k->name, bytes);
    commands = commands_for(s, 1);
    memset(s->out.data, 0, 16);
    fetch(s, commands, &images[0], k, regions);
    run(s, 1, commands);
    check(s, k->name, bytes);
    commands = commands_for(s, 1);
    send(s, commands, &images[1], k, regions);
    run(s, 1, commands);
    commands = commands_for(s, 0);
    memset(s->out.data, 0, 16);
    fetch(s, commands, &images[1], k, regions);
    run(s, 0, commands);
    check(s, k->name, bytes);
    for (unsigned i = 0; i < 2; i++) {
        vkDestroyImage(s->a.device, images[i].image, NULL);
        vkFreeMemory(s->a.device, images[i].memory, NULL);
    }
}

int
main(void)
{
    state s = {0};
    if (!begin(&s)) {
        printf("SKIP transfer: no queue only transfers (%s)\n", s.a.properties.deviceName);
        return 0;
    }
    copy_buffers(&s);
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
        copy_images(&s, &kinds[k]);
    return app_verdict(&s.a, s.wrong, s.results);
}
