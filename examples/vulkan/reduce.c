/* Sum, least, greatest and exclusive or of numbers, by subgroups, shared memory and atomics, on several
 * queues at once: each takes a part, and the last submission, which waits for all of them by
 * semaphores, takes what is left. Group sizes are specialization constants. */
#include "app.h"

#include <string.h>

enum { NUMBERS = 30011, SIZES = 3, EACH = 4 };

typedef struct result {
    uint32_t sum, least, greatest, parity;
} result;

typedef struct part {
    uint32_t first, end, slot;
} part;

typedef struct state {
    app a;
    app_kernel kernel;
    app_buffer numbers, results;
    VkDescriptorSet set;
    uint32_t group;
    VkSemaphore done[APP_QUEUES];
    VkFence fence;
} state;

static const result nothing = {0, UINT32_MAX, 0, 0};

static void
join(result *to, uint32_t v)
{
    to->sum += v;
    to->least = v < to->least ? v : to->least;
    to->greatest = v > to->greatest ? v : to->greatest;
    to->parity ^= v;
}

static VkCommandBuffer
record(state *s, const part *p)
{
    uint32_t in_group = s->group * EACH;
    VkCommandBuffer commands = app_begin(&s->a);
    app_bind(commands, &s->kernel, s->set, p, sizeof *p);
    vkCmdDispatch(commands, (p->end - p->first + in_group - 1) / in_group, 1, 1);
    app_barrier(&s->a, commands);
    app_check(&s->a, vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
}

/* The last waits for all others. */
static void
submit(state *s, uint32_t queue, bool is_last)
{
    static const VkPipelineStageFlags stages[APP_QUEUES] = {
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT};
    uint32_t n = s->a.n_queues;
    const part p = {NUMBERS / (n + 1) * queue, is_last ? NUMBERS : NUMBERS / (n + 1) * (queue + 1),
                    is_last ? 0 : queue};
    VkCommandBuffer commands = record(s, &p);
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .waitSemaphoreCount = is_last ? n : 0,
                               .pWaitSemaphores = s->done,
                               .pWaitDstStageMask = stages,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands,
                               .signalSemaphoreCount = !is_last,
                               .pSignalSemaphores = &s->done[queue % APP_QUEUES]};
    app_check(&s->a,
              vkQueueSubmit(s->a.queues[is_last ? 0 : queue], 1, &info,
                            is_last ? s->fence : VK_NULL_HANDLE),
              "vkQueueSubmit");
}

static result
run(state *s)
{
    uint32_t n = s->a.n_queues;
    result all = nothing, *found = s->results.data;
    for (uint32_t k = 0; k < n; k++)
        found[k] = nothing;
    for (uint32_t k = 0; k <= n; k++)
        submit(s, k, k == n);
    app_check(&s->a, vkWaitForFences(s->a.device, 1, &s->fence, true, UINT64_MAX),
              "vkWaitForFences");
    app_check(&s->a, vkResetFences(s->a.device, 1, &s->fence), "vkResetFences");
    for (uint32_t k = 0; k < n; k++) {
        all.sum += found[k].sum;
        all.parity ^= found[k].parity;
        all.least = found[k].least < all.least ? found[k].least : all.least;
        all.greatest = found[k].greatest > all.greatest ? found[k].greatest : all.greatest;
    }
    return all;
}

static void
open(state *s)
{
    app *a = &s->a;
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    app_open(a, "reduce");
    s->numbers = app_new_buffer(a, NUMBERS * 4ul);
    s->results = app_new_buffer(a, APP_QUEUES * sizeof(result));
    for (uint32_t k = 0; k < a->n_queues; k++)
        app_check(a, vkCreateSemaphore(a->device, &semaphore, NULL, &s->done[k]),
                  "vkCreateSemaphore");
    app_check(a, vkCreateFence(a->device, &fence, NULL, &s->fence), "vkCreateFence");
}

static void
close(state *s)
{
    app *a = &s->a;
    app_check(a, vkDeviceWaitIdle(a->device), "vkDeviceWaitIdle");
    for (uint32_t k = 0; k < a->n_queues; k++)
        vkDestroySemaphore(a->device, s->done[k], NULL);
    vkDestroyFence(a->device, s->fence, NULL);
    app_free_buffer(a, &s->numbers);
    app_free_buffer(a, &s->results);
    app_close(a);
}

static void
make_kernel(state *s, uint32_t group)
{
    const uint32_t constants[2] = {group, EACH};
    const app_kernel_info info = {
        .shader = "reduce.spv",
        .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        .n_bindings = 2,
        .push_bytes = sizeof(part),
        .constants = constants,
        .n_constants = 2};
    s->group = group;
    s->kernel = app_new_kernel(&s->a, &info);
    s->set = app_new_set(&s->a, &s->kernel);
    app_set_buffer(&s->a, s->set, 0, &s->numbers);
    app_set_buffer(&s->a, s->set, 1, &s->results);
}

int
main(void)
{
    static const uint32_t groups[SIZES] = {64, 96, 256};
    state s;
    result expected = nothing;
    uint32_t random = 5, wrong = 0;
    open(&s);
    for (uint32_t k = 0; k < NUMBERS; k++) {
        uint32_t v = app_random(&random);
        ((uint32_t *)s.numbers.data)[k] = v;
        join(&expected, v);
    }
    for (unsigned k = 0; k < SIZES; k++) {
        make_kernel(&s, groups[k]);
        result got = run(&s);
        wrong += memcmp(&got, &expected, sizeof got) != 0;
        app_free_kernel(&s.a, &s.kernel);
    }
    int code = app_verdict(&s.a, wrong, SIZES);
    close(&s);
    return code;
}
