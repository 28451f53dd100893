/* Programs that have, or do not have, the barriers that they need between commands; the argument
 * names one, and run_bad.py knows what is found. All print PASS: the device executes commands in
 * their order. */
#include "app.h"

#include <stdio.h>
#include <string.h>

enum { GROUPS = 4, NUMBERS = 64 * GROUPS, BYTES = 4 * NUMBERS, ROUNDS = 3, MANY_ROUNDS = 40000 };

typedef struct state {
    app a;
    app_kernel kernel;
    app_buffer buffers[2];
    VkDescriptorSet sets[2]; /* from the first buffer to the second, and back */
    VkCommandBuffer commands;
} state;

static void
begin(state *s)
{
    const app_kernel_info info = {
        .shader = "unordered.spv",
        .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        .n_bindings = 2,
        .push_bytes = 4};
    app_open(&s->a, "unordered");
    s->kernel = app_new_kernel(&s->a, &info);
    for (unsigned k = 0; k < 2; k++)
        s->buffers[k] = app_new_buffer(&s->a, BYTES);
    for (unsigned k = 0; k < 2; k++) {
        s->sets[k] = app_new_set(&s->a, &s->kernel);
        for (unsigned b = 0; b < 2; b++)
            app_set_buffer(&s->a, s->sets[k], b, &s->buffers[b ^ k]);
    }
    s->commands = app_begin(&s->a);
}

static void
dispatch(const state *s, unsigned set, uint32_t rounds)
{
    app_bind(s->commands, &s->kernel, s->sets[set], &rounds, sizeof rounds);
    vkCmdDispatch(s->commands, GROUPS, 1, 1);
}

static void
barrier_between(const state *s, VkAccessFlags from, VkAccessFlags to)
{
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                        VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = from, .dstAccessMask = to};
    vkCmdPipelineBarrier(s->commands, stages, stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void
barrier(state *s)
{
    dispatch(s, 0, ROUNDS);
    barrier_between(s, VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT);
    dispatch(s, 1, ROUNDS);
}

static void
no_barrier(state *s)
{
    dispatch(s, 0, ROUNDS);
    dispatch(s, 1, ROUNDS);
}

/* The second dispatch waits for the first, but its caches may be older. */
static void
no_access(state *s)
{
    dispatch(s, 0, ROUNDS);
    barrier_between(s, 0, 0);
    dispatch(s, 1, ROUNDS);
}

static void
event(state *s)
{
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_SHADER_READ_BIT};
    VkEvent done;
    app_check(&s->a, vkCreateEvent(s->a.device, &info, NULL, &done), "vkCreateEvent");
    dispatch(s, 0, ROUNDS);
    vkCmdSetEvent(s->commands, done, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    vkCmdWaitEvents(s->commands, 1, &done, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 1, &memory, 0, NULL, 0, NULL);
    dispatch(s, 1, ROUNDS);
}

/* ---- with transfers ---- */

static void
fill(state *s)
{
    vkCmdFillBuffer(s->commands, s->buffers[0].buffer, 0, BYTES, 7);
    barrier_between(s, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT);
    dispatch(s, 0, ROUNDS);
}

static void
no_fill_barrier(state *s)
{
    vkCmdFillBuffer(s->commands, s->buffers[0].buffer, 0, BYTES, 7);
    dispatch(s, 0, ROUNDS);
}

static void
update(state *s)
{
    const uint32_t numbers[4] = {1, 2, 3, 4};
    vkCmdUpdateBuffer(s->commands, s->buffers[0].buffer, 0, sizeof numbers, numbers);
    barrier_between(s, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT);
    dispatch(s, 0, ROUNDS);
}

static void
no_update_barrier(state *s)
{
    const uint32_t numbers[4] = {1, 2, 3, 4};
    vkCmdUpdateBuffer(s->commands, s->buffers[0].buffer, 0, sizeof numbers, numbers);
    dispatch(s, 0, ROUNDS);
}

static void
copy(const state *s)
{
    const VkBufferCopy region = {.size = BYTES};
    vkCmdCopyBuffer(s->commands, s->buffers[1].buffer, s->buffers[0].buffer, 1, &region);
}

static void
copy_behind(state *s)
{
    dispatch(s, 0, ROUNDS);
    barrier_between(s, VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    copy(s);
}

static void
no_copy_barrier(state *s)
{
    dispatch(s, 0, ROUNDS);
    copy(s);
}

/* ---- with two queues ---- */

/* Submits the commands, and begins new ones for the next queue. */
static void
submit(state *s, unsigned queue, const VkSemaphore *wait, const VkSemaphore *signal)
{
    static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .waitSemaphoreCount = wait != NULL,
                               .pWaitSemaphores = wait,
                               .pWaitDstStageMask = &stage,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &s->commands,
                               .signalSemaphoreCount = signal != NULL,
                               .pSignalSemaphores = signal};
    app_check(&s->a, vkEndCommandBuffer(s->commands), "vkEndCommandBuffer");
    app_check(&s->a, vkQueueSubmit(s->a.queues[queue], 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
    s->commands = app_begin(&s->a);
}

/* The first queue's commands take so long that they are not over when the second's come. */
static void
on_two_queues(state *s, const VkSemaphore *between)
{
    dispatch(s, 0, MANY_ROUNDS);
    VkCommandBuffer first = s->commands;
    s->commands = app_begin(&s->a);
    dispatch(s, 1, ROUNDS);
    VkCommandBuffer second = s->commands;
    s->commands = first;
    submit(s, 0, NULL, between);
    s->commands = second;
    submit(s, 1, between, NULL);
    app_check(&s->a, vkDeviceWaitIdle(s->a.device), "vkDeviceWaitIdle");
}

static void
two_queues(state *s)
{
    on_two_queues(s, NULL);
}

static void
semaphore(state *s)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore between;
    app_check(&s->a, vkCreateSemaphore(s->a.device, &info, NULL, &between), "vkCreateSemaphore");
    on_two_queues(s, &between);
}

int
main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(state *s);
    } programs[] = {
        {"barrier", barrier},
        {"no-barrier", no_barrier},
        {"no-access", no_access},
        {"event", event},
        {"fill", fill},
        {"no-fill-barrier", no_fill_barrier},
        {"update", update},
        {"no-update-barrier", no_update_barrier},
        {"copy", copy_behind},
        {"no-copy-barrier", no_copy_barrier},
        {"two-queues", two_queues},
        {"semaphore", semaphore},
    };
    state s;
    for (unsigned k = 0; k < sizeof programs / sizeof *programs; k++) {
        if (argc == 2 && strcmp(argv[1], programs[k].name) == 0) {
            begin(&s);
            programs[k].run(&s);
            app_run(&s.a, s.commands);
            return app_verdict(&s.a, 0, 1);
        }
    }
    printf("unordered: which program?\n");
    return 2;
}
