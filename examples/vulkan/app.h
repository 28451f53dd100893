/* What the compute programs of this folder share: a device, buffers, images, kernels. Headless,
 * Vulkan 1.2, on the first device that the loader offers.
 *
 * Whatever fails ends the program: with exit code 3 if the device was lost, otherwise with 2.
 */
#ifndef EXAMPLES_VULKAN_APP_H
#define EXAMPLES_VULKAN_APP_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

enum { APP_QUEUES = 4, APP_LEVELS = 8, APP_BINDINGS = 8 };

typedef struct app {
    const char *name; /* of the program */
    VkInstance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkDevice device;
    uint32_t family; /* a queue family with compute */
    uint32_t timestamp_bits;
    uint32_t n_queues;
    VkQueue queues[APP_QUEUES];
    bool has_transfer; /* a family that does nothing else, and a queue of it */
    uint32_t transfer_family;
    VkQueue transfer;
    VkCommandPool pool;
    VkDescriptorPool sets;
    unsigned barriers; /* that were recorded */
} app;

/* Opens the first device, with all of the family's queues up to APP_QUEUES. */
void
app_open(app *a, const char *name);
void
app_close(app *a);

/* The same with extensions of the device, behind the last of which stands NULL, and the structures of
 * their features. */
void
app_open_with(app *a, const char *name, const char *const *extensions, void *features);

/* Ends the program unless `result` is VK_SUCCESS. */
void
app_check(const app *a, VkResult result, const char *what);

/* Prints PASS or FAIL, and returns the exit code; `wrong` counts wrong results of `n`. */
int
app_verdict(const app *a, uint32_t wrong, uint32_t n);

VkDeviceMemory
app_allocate(const app *a, const VkMemoryRequirements *needs, VkMemoryPropertyFlags flags);

/* A buffer in memory of the device that the host can see, and is coherent; it is zero. */
typedef struct app_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *data;
    VkDeviceSize bytes;
} app_buffer;

app_buffer
app_new_buffer(const app *a, VkDeviceSize bytes);
void
app_free_buffer(const app *a, app_buffer *b);

typedef struct app_image {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView all;                /* levels */
    VkImageView levels[APP_LEVELS]; /* one each */
    uint32_t n_levels;
} app_image;

/* An image of two dimensions for shaders and copies. */
app_image
app_new_image(const app *a, VkFormat format, VkExtent2D size, uint32_t n_levels);
void
app_free_image(const app *a, app_image *image);

/* A shader: the file `name` in the folder of the variable SHADERS, or in the build's. */
VkShaderModule
app_new_module(const app *a, const char *name);

typedef struct app_kernel {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
} app_kernel;

/* A shader and its interface: one descriptor of each kind, in the order of bindings. */
typedef struct app_kernel_info {
    const char *shader; /* NAME.spv in the folder of the variable SHADERS, or in the build's */
    VkDescriptorType bindings[APP_BINDINGS];
    uint32_t n_bindings;
    uint32_t push_bytes;
    const uint32_t *constants; /* specialization constants from 0 */
    uint32_t n_constants;
} app_kernel_info;

app_kernel
app_new_kernel(const app *a, const app_kernel_info *info);
void
app_free_kernel(const app *a, app_kernel *k);

VkDescriptorSet
app_new_set(const app *a, const app_kernel *k);
void
app_set_buffer(const app *a, VkDescriptorSet set, uint32_t binding, const app_buffer *b);

/* A storage image, or with a sampler a combined one. */
void
app_set_image(const app *a, VkDescriptorSet set, uint32_t binding, VkImageView view,
              VkSampler sampler);

VkCommandBuffer
app_begin(const app *a);

/* Binds a kernel and a set of it, and pushes its constants if it has any. */
void
app_bind(VkCommandBuffer commands, const app_kernel *k, VkDescriptorSet set, const void *push,
         uint32_t push_bytes);

/* What is written before, by shaders and copies, is seen behind: by shaders, copies, indirect
 * dispatches and the host. The variable WITHOUT_BARRIER may name the one, from 1, to leave out. */
void
app_barrier(app *a, VkCommandBuffer commands);

/* All levels of an image, whose contents are lost, become VK_IMAGE_LAYOUT_GENERAL. */
void
app_begin_image(VkCommandBuffer commands, const app_image *image);

/* Ends the commands, runs them on the first queue, and waits. */
void
app_run(const app *a, VkCommandBuffer commands);

/* The same numbers on each machine; `*state` is not 0. */
uint32_t
app_random(uint32_t *state);

#endif
