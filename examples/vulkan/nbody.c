/* Bodies that attract each other: two dispatches a step with a barrier between them; each step is a
 * submission, and the steps wait for each other by a timeline semaphore. */
#include "app.h"

#include <math.h>
#include <string.h>

enum { BODIES = 192, GROUP = 64, STEPS = 6 };

typedef struct body {
    float place[3], mass;
    float velocity[3], unused;
} body;

typedef struct step_constants {
    float time, softening;
} step_constants;

static const step_constants constants = {0.01f, 0.05f};

static void
scatter(body *bodies)
{
    uint32_t random = 3;
    for (uint32_t k = 0; k < BODIES; k++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            bodies[k].place[axis] = (float)(app_random(&random) % 2000) / 1000 - 1;
            bodies[k].velocity[axis] = (float)(app_random(&random) % 200) / 1000 - 0.1f;
        }
        bodies[k].mass = (float)(1 + app_random(&random) % 8) / 64;
    }
}

/* The same in double precision. */
static void
compute(const body *bodies, double places[BODIES][3])
{
    static double velocities[BODIES][3];
    for (uint32_t k = 0; k < BODIES * 3; k++) {
        places[k / 3][k % 3] = bodies[k / 3].place[k % 3];
        velocities[k / 3][k % 3] = bodies[k / 3].velocity[k % 3];
    }
    for (unsigned step = 0; step < STEPS; step++) {
        for (uint32_t k = 0; k < BODIES * BODIES; k++) {
            const double *from = places[k / BODIES], *to = places[k % BODIES];
            double way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
            double square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
            double near = 1 / sqrt(square + (double)constants.softening);
            for (unsigned axis = 0; axis < 3; axis++)
                velocities[k / BODIES][axis] += (double)constants.time * way[axis] *
                                                (double)bodies[k % BODIES].mass * near * near *
                                                near;
        }
        for (uint32_t k = 0; k < BODIES * 3; k++)
            places[k / 3][k % 3] += (double)constants.time * velocities[k / 3][k % 3];
    }
}

static VkCommandBuffer
record_step(app *a, const app_kernel kernels[2], VkDescriptorSet set)
{
    VkCommandBuffer commands = app_begin(a);
    for (unsigned k = 0; k < 2; k++) {
        app_bind(commands, &kernels[k], set, &constants, sizeof constants);
        vkCmdDispatch(commands, BODIES / GROUP, 1, 1);
        app_barrier(a, commands);
    }
    app_check(a, vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
}

static VkSemaphore
new_timeline(const app *a)
{
    VkSemaphore semaphore;
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    app_check(a, vkCreateSemaphore(a->device, &info, NULL, &semaphore), "vkCreateSemaphore");
    return semaphore;
}

/* Submits a step, which waits for the one before it, to the queues in turn. */
static void
submit_step(const app *a, VkSemaphore timeline, VkCommandBuffer commands, uint64_t step)
{
    static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const uint64_t after = step + 1;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &step,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &after};
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .pNext = &values,
                                 .waitSemaphoreCount = 1,
                                 .pWaitSemaphores = &timeline,
                                 .pWaitDstStageMask = &stage,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands,
                                 .signalSemaphoreCount = 1,
                                 .pSignalSemaphores = &timeline};
    app_check(a, vkQueueSubmit(a->queues[step % a->n_queues], 1, &submit, VK_NULL_HANDLE),
              "vkQueueSubmit");
}

static void
run(app *a, const app_kernel kernels[2], VkDescriptorSet set)
{
    const uint64_t last = STEPS;
    VkSemaphore timeline = new_timeline(a);
    const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &timeline,
                                      .pValues = &last};
    for (uint64_t step = 0; step < STEPS; step++)
        submit_step(a, timeline, record_step(a, kernels, set), step);
    app_check(a, vkWaitSemaphores(a->device, &wait, UINT64_MAX), "vkWaitSemaphores");
    app_check(a, vkDeviceWaitIdle(a->device), "vkDeviceWaitIdle");
    vkDestroySemaphore(a->device, timeline, NULL);
}

static uint32_t
check(const body *got, double expected[BODIES][3])
{
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < BODIES * 3; k++)
        wrong += !(fabs(got[k / 3].place[k % 3] - expected[k / 3][k % 3]) < 1e-4);
    return wrong;
}

int
main(void)
{
    static double expected[BODIES][3];
    app a;
    app_open(&a, "nbody");
    app_kernel_info info = {.shader = "nbody_push.spv",
                            .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                            .n_bindings = 1,
                            .push_bytes = sizeof constants};
    app_kernel kernels[2] = {app_new_kernel(&a, &info)};
    info.shader = "nbody_move.spv";
    kernels[1] = app_new_kernel(&a, &info);
    app_buffer bodies = app_new_buffer(&a, BODIES * sizeof(body));
    VkDescriptorSet set = app_new_set(&a, &kernels[0]);
    app_set_buffer(&a, set, 0, &bodies);
    scatter(bodies.data);
    compute(bodies.data, expected);
    run(&a, kernels, set);
    int code = app_verdict(&a, check(bodies.data, expected), BODIES * 3);
    app_free_kernel(&a, &kernels[0]);
    app_free_kernel(&a, &kernels[1]);
    app_free_buffer(&a, &bodies);
    app_close(&a);
    return code;
}
