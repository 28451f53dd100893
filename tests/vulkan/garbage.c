/* Garbage by the real driver's way: an application whose command streams (from gfx7 on; on gfx6
 * RADV copies them as they are submitted), descriptors, addresses or grids are wrong by a seed, the
 * argument. Commands are recorded by the driver; the words that it
 * made are looked for in the process, by numbers that stand among them, and some are changed before
 * they are submitted. The program ends with PASS, or with a lost device; run_garbage.py sees that it
 * does not end otherwise. */
#define _GNU_SOURCE 1

#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { RUNS = 12, NUMBERS = 64, MOST_BYTES = 1 << 26, CHUNK = 1 << 16 };

/* In push constants, which stand in the stream. */
static const uint32_t mark[2] = {0x6d61726b, 0x6b72616d};

typedef struct push {
    uint32_t first, second, uses, unused;
    uint64_t at;
} push;

typedef struct state {
    app a;
    app_kernel kernel;
    app_buffer numbers, grid;
    app_image picture;
    VkDescriptorSet set;
    uint64_t address; /* of the numbers */
    uint32_t random;
} state;

/* ---- the process's memory ---- */

/* Copies by the kernel, which says of what is not there. */
static bool
copy_words(uint64_t at, void *own, size_t bytes, bool writes)
{
    const struct iovec here = {own, bytes}, there = {(void *)(uintptr_t)at, bytes};
    ssize_t n = writes ? process_vm_writev(getpid(), &here, 1, &there, 1, 0)
                       : process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    return n == (ssize_t)bytes;
}

/* Changes some of the `n` words from `at` on. */
static void
change(state *s, uint64_t at, uint32_t n)
{
    for (uint32_t k = app_random(&s->random) % 4 + 1; k; k--) {
        uint32_t r = app_random(&s->random), word;
        uint64_t place = at + 4 * (uint64_t)(app_random(&s->random) % n);
        if (!copy_words(place, &word, sizeof word, false))
            continue;
        word = r & 1 ? app_random(&s->random) : word ^ 1u << (r >> 8 & 31);
        copy_words(place, &word, sizeof word, true);
    }
}

/* What to look for, and the words around it to change. */
typedef struct sought {
    uint32_t words[2], mask; /* of the second */
    uint32_t before, n;
} sought;

static void
search(state *s, uint64_t from, uint64_t to, const sought *w)
{
    static uint32_t words[CHUNK / 4];
    for (uint64_t at = from; at < to; at += CHUNK) {
        uint32_t n = to - at < CHUNK ? (uint32_t)(to - at) : CHUNK;
        if (!copy_words(at, words, n, false))
            continue;
        for (uint32_t k = 0; k + 1 < n / 4; k++) {
            if (words[k] == w->words[0] && (words[k + 1] & w->mask) == w->words[1])
                change(s, at + 4 * (uint64_t)k - 4 * (uint64_t)w->before, w->n);
        }
    }
}

/* Changes words around all places of the GPU's memory that have what is sought: the file's name is
 * that of tools/radeon/memory.c. */
static void
change_all(state *s, const sought *w)
{
    char line[512], mode[8];
    unsigned long long from, to;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%llx-%llx %7s", &from, &to, mode) == 3 && mode[1] == 'w' &&
            to - from <= MOST_BYTES && strstr(line, "memfd:radeon"))
            search(s, from, to, w);
    }
    if (f)
        fclose(f);
}

/* ---- the program ---- */

static void
begin(state *s)
{
    const app_kernel_info info = {
        .shader = "garbage.spv",
        .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
        .n_bindings = 2,
        .push_bytes = sizeof(push)};
    VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        .bufferDeviceAddress = true};
    static const char *const none[] = {NULL};
    app_open_with(&s->a, "garbage", none, &addresses);
    s->kernel = app_new_kernel(&s->a, &info);
    s->numbers = app_new_buffer(&s->a, 4 * NUMBERS);
    s->grid = app_new_buffer(&s->a, 12);
    s->picture = app_new_image(&s->a, VK_FORMAT_R8G8B8A8_UNORM, (VkExtent2D){16, 16}, 1);
    const VkBufferDeviceAddressInfo where = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                             .buffer = s->numbers.buffer};
    s->address = vkGetBufferDeviceAddress(s->a.device, &where);
}

typedef enum garbage { STREAM, DESCRIPTORS, ADDRESS, GRID, KINDS } garbage;

static VkCommandBuffer
record(state *s, garbage kind)
{
    push p = {mark[0], mark[1], 0, 0, s->address};
    VkCommandBuffer commands = app_begin(&s->a);
    if (kind == ADDRESS) {
        uint64_t r = app_random(&s->random);
        p.uses = app_random(&s->random) & 7;
        p.at = r & 1 ? s->address + (r >> 8) : r << 32 | app_random(&s->random);
    }
    app_begin_image(commands, &s->picture);
    app_bind(commands, &s->kernel, s->set, &p, sizeof p);
    if (kind == GRID)
        vkCmdDispatchIndirect(commands, s->grid.buffer, 0);
    else
        vkCmdDispatch(commands, 1, 1, 1);
    app_barrier(&s->a, commands);
    return commands;
}

static void
set_grid(state *s)
{
    uint32_t *grid = s->grid.data;
    for (unsigned k = 0; k < 3; k++)
        grid[k] = app_random(&s->random) >> app_random(&s->random) % 32;
}

static void
run(state *s)
{
    const sought stream = {{mark[0], mark[1]}, UINT32_MAX, 60, 90};
    const sought descriptor = {
        {(uint32_t)s->address, (uint32_t)(s->address >> 32) & 0xffff}, 0xffff, 0, 24};
    garbage kind = app_random(&s->random) % KINDS;
    s->set = app_new_set(&s->a, &s->kernel);
    app_set_buffer(&s->a, s->set, 0, &s->numbers);
    app_set_image(&s->a, s->set, 1, s->picture.all, VK_NULL_HANDLE);
    if (kind == GRID)
        set_grid(s);
    VkCommandBuffer commands = record(s, kind);
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
    app_check(&s->a, vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    if (kind == STREAM || kind == DESCRIPTORS)
        change_all(s, kind == STREAM ? &stream : &descriptor);
    app_check(&s->a, vkQueueSubmit(s->a.queues[0], 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
    app_check(&s->a, vkQueueWaitIdle(s->a.queues[0]), "vkQueueWaitIdle");
}

int
main(int argc, char **argv)
{
    state s = {.random = argc > 1 ? (uint32_t)atoi(argv[1]) * 2654435761u + 1 : 1};
    begin(&s);
    for (unsigned k = 0; k < RUNS; k++)
        run(&s);
    return app_verdict(&s.a, 0, RUNS);
}
