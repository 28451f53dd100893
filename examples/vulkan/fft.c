/* A Fourier transform and its inverse: a dispatch a pass, between two buffers by turns; push constants
 * say which pass it is, descriptors are updated between submissions, timestamps enclose the work. */
#include "app.h"

#include <math.h>
#include <stdio.h>

enum { N = 512, PASSES = 9, GROUP = 64 };

typedef struct pass_constants {
    uint32_t n, stride;
    float direction, scale;
} pass_constants;

typedef struct state {
    app a;
    app_kernel kernel;
    app_buffer buffers[3]; /* input, and two by turns */
    VkDescriptorSet sets[2];
    VkQueryPool times;
} state;

static void
open(state *s)
{
    app *a = &s->a;
    app_open(a, "fft");
    const app_kernel_info info = {
        .shader = "fft.spv",
        .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        .n_bindings = 2,
        .push_bytes = sizeof(pass_constants)};
    const VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                           .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                           .queryCount = 2};
    s->kernel = app_new_kernel(a, &info);
    app_check(a, vkCreateQueryPool(a->device, &queries, NULL, &s->times), "vkCreateQueryPool");
    for (unsigned k = 0; k < 3; k++)
        s->buffers[k] = app_new_buffer(a, N * 8ul);
    for (unsigned k = 0; k < 2; k++)
        s->sets[k] = app_new_set(a, &s->kernel);
}

static void
close(state *s)
{
    for (unsigned k = 0; k < 3; k++)
        app_free_buffer(&s->a, &s->buffers[k]);
    vkDestroyQueryPool(s->a.device, s->times, NULL);
    app_free_kernel(&s->a, &s->kernel);
    app_close(&s->a);
}

/* Transforms buffer `from` and the other of the two by turns; returns the one with the result. */
static unsigned
transform(state *s, unsigned from, float direction)
{
    const app *a = &s->a;
    unsigned turns[2] = {from, from == 1 ? 2 : 1};
    VkCommandBuffer commands = app_begin(a);
    for (unsigned k = 0; k < 2; k++) {
        app_set_buffer(a, s->sets[k], 0, &s->buffers[turns[k]]);
        app_set_buffer(a, s->sets[k], 1, &s->buffers[turns[1 - k]]);
    }
    vkCmdResetQueryPool(commands, s->times, 0, 2);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, s->times, 0);
    for (unsigned pass = 0; pass < PASSES; pass++) {
        const pass_constants c = {N, 1u << pass, direction, direction < 0 ? 1 : 0.5f};
        app_bind(commands, &s->kernel, s->sets[pass % 2], &c, sizeof c);
        vkCmdDispatch(commands, N / 2 / GROUP, 1, 1);
        app_barrier(&s->a, commands);
    }
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, s->times, 1);
    app_run(a, commands);
    return turns[PASSES % 2];
}

/* The work has taken some time, if the device has a clock. */
static uint32_t
check_times(const state *s)
{
    uint64_t times[2];
    VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT;
    app_check(&s->a,
              vkGetQueryPoolResults(s->a.device, s->times, 0, 2, sizeof times, times, 8, flags),
              "vkGetQueryPoolResults");
    return s->a.timestamp_bits && times[1] <= times[0];
}

static uint32_t
check_transform(const float *in, const float *got)
{
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < N; k++) {
        double re = 0, im = 0;
        for (uint32_t n = 0; n < N; n++) {
            double angle = -2 * acos(-1.0) * ((uint64_t)k * n % N) / N;
            re += in[2 * n] * cos(angle) - in[2 * n + 1] * sin(angle);
            im += in[2 * n] * sin(angle) + in[2 * n + 1] * cos(angle);
        }
        wrong += !(fabs(re - got[2 * k]) + fabs(im - got[2 * k + 1]) < 5e-3);
    }
    return wrong;
}

static uint32_t
check_inverse(const float *in, const float *got)
{
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < 2 * N; k++)
        wrong += !(fabsf(in[k] - got[k]) < 1e-4f);
    return wrong;
}

int
main(void)
{
    static float in[2 * N];
    state s;
    uint32_t random = 9;
    open(&s);
    for (uint32_t k = 0; k < 2 * N; k++)
        ((float *)s.buffers[0].data)[k] = in[k] = (float)(app_random(&random) % 2001) / 1000 - 1;
    unsigned transformed = transform(&s, 0, -1);
    uint32_t wrong = check_transform(in, s.buffers[transformed].data) + check_times(&s);
    unsigned back = transform(&s, transformed, 1);
    wrong += check_inverse(in, s.buffers[back].data) + check_times(&s);
    int code = app_verdict(&s.a, wrong, 3 * N);
    close(&s);
    return code;
}
