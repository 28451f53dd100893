/* A submission that waits until the host sets an event, behind which a dispatch reads what the host
 * has written meanwhile: also into a buffer that did not exist when it was submitted. */
#define _POSIX_C_SOURCE 200809L

#include "app.h"

#include <string.h>
#include <time.h>

enum { NUMBERS = 64, BYTES = 4 * NUMBERS, ROUNDS = 3 };

static uint32_t
result_of(uint32_t v)
{
    for (unsigned k = 0; k < ROUNDS; k++)
        v = v * 3 + 1;
    return v;
}

int
main(void)
{
    static const app_kernel_info info = {
        .shader = "unordered.spv",
        .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        .n_bindings = 2,
        .push_bytes = 4};
    static const VkMemoryBarrier host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                         .srcAccessMask = VK_ACCESS_HOST_WRITE_BIT,
                                         .dstAccessMask = VK_ACCESS_SHADER_READ_BIT};
    const VkEventCreateInfo event_info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    const struct timespec moment = {.tv_nsec = 100000000};
    const uint32_t rounds = ROUNDS;
    VkEvent event;
    app a;
    app_open(&a, "waited");
    app_kernel kernel = app_new_kernel(&a, &info);
    app_buffer from = app_new_buffer(&a, BYTES), to = app_new_buffer(&a, BYTES);
    VkDescriptorSet set = app_new_set(&a, &kernel);
    app_set_buffer(&a, set, 0, &from);
    app_set_buffer(&a, set, 1, &to);
    app_check(&a, vkCreateEvent(a.device, &event_info, NULL, &event), "vkCreateEvent");
    VkCommandBuffer commands = app_begin(&a);
    vkCmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_HOST_BIT,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 1, &host, 0, NULL, 0, NULL);
    app_bind(commands, &kernel, set, &rounds, sizeof rounds);
    vkCmdDispatch(commands, 1, 1, 1);
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands};
    app_check(&a, vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    app_check(&a, vkQueueSubmit(a.queues[0], 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    nanosleep(&moment, NULL);
    app_buffer later = app_new_buffer(&a, BYTES);
    memset(later.data, 1, BYTES);
    for (uint32_t k = 0; k < NUMBERS; k++)
        ((uint32_t *)from.data)[k] = 7 * k;
    app_check(&a, vkSetEvent(a.device, event), "vkSetEvent");
    app_check(&a, vkQueueWaitIdle(a.queues[0]), "vkQueueWaitIdle");
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < NUMBERS; k++)
        wrong += ((const uint32_t *)to.data)[k] != result_of(7 * k);
    return app_verdict(&a, wrong, NUMBERS);
}
