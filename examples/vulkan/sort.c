/* A radix sort of keys with values, four bits a pass: counts in shared memory, a scan by subgroups,
 * places by ballots. The number of keys is known to the device alone, so dispatches are indirect. */
#include "app.h"

enum {
    KEYS = 3001,
    GROUP = 256,
    DIGITS = 16,
    PASSES = 8,
    MOST_GROUPS = (KEYS + GROUP - 1) / GROUP
};

/* What the device knows; the grid follows at an offset of 16 bytes. */
typedef struct sizes {
    uint32_t keys, unused[3];
    uint32_t grid[3];
} sizes;

enum { SIZE_KERNEL, COUNT_KERNEL, SCAN_KERNEL, MOVE_KERNEL, KERNELS };

typedef struct state {
    app a;
    app_kernel kernels[KERNELS];
    app_buffer sizes, keys[2], counts;
    VkDescriptorSet sets[2]; /* from the first to the second, and back */
} state;

static void
open(state *s)
{
    static const char *const shaders[KERNELS] = {"sort_size.spv", "sort_count.spv", "sort_scan.spv",
                                                 "sort_move.spv"};
    app *a = &s->a;
    app_open(a, "sort");
    app_kernel_info info = {.n_bindings = 4, .push_bytes = 4};
    for (unsigned k = 0; k < info.n_bindings; k++)
        info.bindings[k] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    for (unsigned k = 0; k < KERNELS; k++) {
        info.shader = shaders[k];
        s->kernels[k] = app_new_kernel(a, &info);
    }
    s->sizes = app_new_buffer(a, sizeof(sizes));
    s->counts = app_new_buffer(a, DIGITS * MOST_GROUPS * 4ul);
    for (unsigned k = 0; k < 2; k++)
        s->keys[k] = app_new_buffer(a, KEYS * 8ul);
    for (unsigned k = 0; k < 2; k++) {
        s->sets[k] = app_new_set(a, &s->kernels[0]);
        app_set_buffer(a, s->sets[k], 0, &s->sizes);
        app_set_buffer(a, s->sets[k], 1, &s->keys[k]);
        app_set_buffer(a, s->sets[k], 2, &s->keys[1 - k]);
        app_set_buffer(a, s->sets[k], 3, &s->counts);
    }
}

static void
close(state *s)
{
    for (unsigned k = 0; k < KERNELS; k++)
        app_free_kernel(&s->a, &s->kernels[k]);
    app_free_buffer(&s->a, &s->sizes);
    app_free_buffer(&s->a, &s->counts);
    app_free_buffer(&s->a, &s->keys[0]);
    app_free_buffer(&s->a, &s->keys[1]);
    app_close(&s->a);
}

/* Keys of few values, so that many are the same; the value is the key's place. */
static void
fill(state *s)
{
    uint32_t random = 11, *keys = s->keys[0].data;
    ((sizes *)s->sizes.data)->keys = KEYS;
    for (uint32_t k = 0; k < KEYS; k++) {
        keys[2 * k] = app_random(&random) * (k % 3 ? 0x10001u : 0x01000000u) & 0xff0fff0fu;
        keys[2 * k + 1] = k;
    }
}

static void
run(state *s)
{
    enum { GRID = 16 };
    VkCommandBuffer commands = app_begin(&s->a);
    uint32_t shift = 0;
    app_bind(commands, &s->kernels[SIZE_KERNEL], s->sets[0], &shift, sizeof shift);
    vkCmdDispatch(commands, 1, 1, 1);
    app_barrier(&s->a, commands);
    for (unsigned pass = 0; pass < PASSES; pass++) {
        VkDescriptorSet set = s->sets[pass % 2];
        shift = 4 * pass;
        app_bind(commands, &s->kernels[COUNT_KERNEL], set, &shift, sizeof shift);
        vkCmdDispatchIndirect(commands, s->sizes.buffer, GRID);
        app_barrier(&s->a, commands);
        app_bind(commands, &s->kernels[SCAN_KERNEL], set, &shift, sizeof shift);
        vkCmdDispatch(commands, 1, 1, 1);
        app_barrier(&s->a, commands);
        app_bind(commands, &s->kernels[MOVE_KERNEL], set, &shift, sizeof shift);
        vkCmdDispatchIndirect(commands, s->sizes.buffer, GRID);
        app_barrier(&s->a, commands);
    }
    app_run(&s->a, commands);
}

/* The keys ascend, equal ones in the order of their values, and none is lost. */
static uint32_t
check(const uint32_t *got, const uint32_t *original)
{
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < KEYS; k++) {
        uint32_t key = got[2 * k], value = got[2 * k + 1];
        bool follows = !k || key > got[2 * k - 2] ||
                       (key == got[2 * k - 2] && value > got[2 * k - 1]);
        wrong += !follows || value >= KEYS || original[value] != key;
    }
    return wrong;
}

int
main(void)
{
    static uint32_t original[KEYS];
    state s;
    open(&s);
    fill(&s);
    for (uint32_t k = 0; k < KEYS; k++)
        original[k] = ((const uint32_t *)s.keys[0].data)[2 * k];
    run(&s);
    int code = app_verdict(&s.a, check(s.keys[0].data, original), KEYS);
    close(&s);
    return code;
}
