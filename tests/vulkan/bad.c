/* An application with an error in it, which its argument names; run_bad.py knows what becomes of
 * it. Where it goes on, it prints PASS. */
#include "app.h"

#include <stdio.h>
#include <string.h>

typedef struct state {
    app a;
    app_kernel kernel;
    app_buffer numbers;
    VkDescriptorSet set;
    uint32_t *rounds;
} state;

static void
begin(state *s)
{
    const app_kernel_info info = {
        .shader = "bad.spv", .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}, .n_bindings = 1};
    app_open(&s->a, "bad");
    s->kernel = app_new_kernel(&s->a, &info);
    s->numbers = app_new_buffer(&s->a, 65 * 4);
    s->set = app_new_set(&s->a, &s->kernel);
    app_set_buffer(&s->a, s->set, 0, &s->numbers);
    s->rounds = s->numbers.data;
    *s->rounds = 1;
}

static VkCommandBuffer
record(state *s, uint32_t x, uint32_t y)
{
    VkCommandBuffer commands = app_begin(&s->a);
    app_bind(commands, &s->kernel, s->set, NULL, 0);
    vkCmdDispatch(commands, x, y, 1);
    app_barrier(&s->a, commands);
    return commands;
}

static void
run(state *s, uint32_t x, uint32_t y)
{
    app_run(&s->a, record(s, x, y));
}

static void
plain(state *s)
{
    run(s, 1, 1);
}

/* The shader's loop has no end: the number is greater than any time allows. */
static void
endless(state *s)
{
    *s->rounds = UINT32_MAX;
    run(s, 1, 1);
}

static void
huge(state *s)
{
    run(s, 65535, 60000);
}

/* The memory behind a descriptor is gone; the first run makes the driver allocate what it needs
 * itself, which might take the place. */
static void
freed(state *s)
{
    run(s, 1, 1);
    VkCommandBuffer commands = record(s, 1, 1);
    app_free_buffer(&s->a, &s->numbers);
    app_run(&s->a, commands);
}

/* The memory that an indirect dispatch reads is gone. */
static void
freed_grid(state *s)
{
    app_buffer grid = app_new_buffer(&s->a, 12);
    VkCommandBuffer commands = app_begin(&s->a);
    app_bind(commands, &s->kernel, s->set, NULL, 0);
    vkCmdDispatchIndirect(commands, grid.buffer, 0);
    app_free_buffer(&s->a, &grid);
    app_run(&s->a, commands);
}

/* The grid of an indirect dispatch is garbage. */
static void
wrong_grid(state *s)
{
    app_buffer grid = app_new_buffer(&s->a, 12);
    VkCommandBuffer commands = app_begin(&s->a);
    memset(grid.data, 0xff, 12);
    app_bind(commands, &s->kernel, s->set, NULL, 0);
    vkCmdDispatchIndirect(commands, grid.buffer, 0);
    app_run(&s->a, commands);
}

/* A descriptor that was never written. */
static void
unwritten(state *s)
{
    s->set = app_new_set(&s->a, &s->kernel);
    run(s, 1, 1);
}

static void
freed_image(state *s)
{
    const app_kernel_info info = {
        .shader = "bad_image.spv", .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}, .n_bindings = 1};
    app_image picture = app_new_image(&s->a, VK_FORMAT_R8G8B8A8_UNORM, (VkExtent2D){16, 16}, 1);
    s->kernel = app_new_kernel(&s->a, &info);
    s->set = app_new_set(&s->a, &s->kernel);
    app_set_image(&s->a, s->set, 0, picture.all, VK_NULL_HANDLE);
    VkCommandBuffer commands = record(s, 2, 2);
    app_free_image(&s->a, &picture);
    app_run(&s->a, commands);
}

/* The memory of the set itself is gone: the shader loads its descriptor from nowhere. */
static void
freed_set(state *s)
{
    VkCommandBuffer commands = record(s, 1, 1);
    vkDestroyDescriptorPool(s->a.device, s->a.sets, NULL);
    app_run(&s->a, commands);
}

int
main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(state *s);
    } errors[] = {
        {"plain", plain},         {"endless", endless},         {"huge", huge},
        {"freed", freed},         {"freed-grid", freed_grid},   {"wrong-grid", wrong_grid},
        {"unwritten", unwritten}, {"freed-image", freed_image}, {"freed-set", freed_set},
    };
    state s;
    for (unsigned k = 0; k < sizeof errors / sizeof *errors; k++) {
        if (argc == 2 && strcmp(argv[1], errors[k].name) == 0) {
            begin(&s);
            errors[k].run(&s);
            app_run(&s.a, app_begin(&s.a)); /* RADV 22.3.6 learns now that a device is lost */
            return app_verdict(&s.a, 0, 1);
        }
    }
    printf("bad: which error?\n");
    return 2;
}
