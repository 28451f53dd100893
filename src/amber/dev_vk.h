/* The state of the Vulkan device (internal to dev_vulkan*.c). */
#ifndef AMBER_DEV_VK_H
#define AMBER_DEV_VK_H

#define VK_NO_PROTOTYPES
#include "amber/dev_vulkan.h"

#include <vulkan/vulkan_core.h>

/* Functions of an instance and of a device; names without "vk". */
#define VK_INSTANCE_FUNCTIONS(F)                                                                   \
    F(DestroyInstance)                                                                             \
    F(EnumeratePhysicalDevices)                                                                    \
    F(GetPhysicalDeviceProperties)                                                                 \
    F(GetPhysicalDeviceProperties2)                                                                \
    F(GetPhysicalDeviceFeatures2)                                                                  \
    F(GetPhysicalDeviceQueueFamilyProperties)                                                      \
    F(GetPhysicalDeviceMemoryProperties)                                                           \
    F(GetPhysicalDeviceImageFormatProperties)                                                      \
    F(GetPhysicalDeviceFormatProperties)                                                           \
    F(EnumerateDeviceExtensionProperties)                                                          \
    F(CreateDevice)                                                                                \
    F(GetDeviceProcAddr)

#define VK_DEVICE_FUNCTIONS(F)                                                                     \
    F(DestroyDevice)                                                                               \
    F(GetDeviceQueue)                                                                              \
    F(CreateCommandPool)                                                                           \
    F(DestroyCommandPool)                                                                          \
    F(AllocateCommandBuffers)                                                                      \
    F(ResetCommandPool)                                                                            \
    F(BeginCommandBuffer)                                                                          \
    F(EndCommandBuffer)                                                                            \
    F(QueueSubmit)                                                                                 \
    F(CreateFence)                                                                                 \
    F(DestroyFence)                                                                                \
    F(WaitForFences)                                                                               \
    F(CreateBuffer)                                                                                \
    F(DestroyBuffer)                                                                               \
    F(GetBufferMemoryRequirements)                                                                 \
    F(BindBufferMemory)                                                                            \
    F(CreateBufferView)                                                                            \
    F(DestroyBufferView)                                                                           \
    F(CreateImage)                                                                                 \
    F(DestroyImage)                                                                                \
    F(GetImageMemoryRequirements)                                                                  \
    F(BindImageMemory)                                                                             \
    F(CreateImageView)                                                                             \
    F(DestroyImageView)                                                                            \
    F(CreateSampler)                                                                               \
    F(DestroySampler)                                                                              \
    F(AllocateMemory)                                                                              \
    F(FreeMemory)                                                                                  \
    F(MapMemory)                                                                                   \
    F(CreateDescriptorSetLayout)                                                                   \
    F(DestroyDescriptorSetLayout)                                                                  \
    F(CreateDescriptorPool)                                                                        \
    F(DestroyDescriptorPool)                                                                       \
    F(AllocateDescriptorSets)                                                                      \
    F(UpdateDescriptorSets)                                                                        \
    F(CreatePipelineLayout)                                                                        \
    F(DestroyPipelineLayout)                                                                       \
    F(CreateShaderModule)                                                                          \
    F(DestroyShaderModule)                                                                         \
    F(CreateComputePipelines)                                                                      \
    F(DestroyPipeline)                                                                             \
    F(CmdPipelineBarrier)                                                                          \
    F(CmdCopyBufferToImage)                                                                        \
    F(CmdCopyImageToBuffer)                                                                        \
    F(CmdClearColorImage)                                                                          \
    F(CmdBindPipeline)                                                                             \
    F(CmdBindDescriptorSets)                                                                       \
    F(CmdPushConstants)                                                                            \
    F(CmdDispatch)

typedef struct vk_functions {
#define VK_MEMBER(name) PFN_vk##name name;
    VK_INSTANCE_FUNCTIONS(VK_MEMBER)
    VK_DEVICE_FUNCTIONS(VK_MEMBER)
#undef VK_MEMBER
} vk_functions;

/* The device's features and properties; the structures are chained as Vulkan requires. */
typedef struct vk_features {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan11Features v11;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceVulkan13Features v13;
    VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR workgroup;
    VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT image_atomic64;
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float;
} vk_features;

typedef struct vk_properties {
    VkPhysicalDeviceProperties2 core;
    VkPhysicalDeviceVulkan11Properties v11;
    VkPhysicalDeviceVulkan12Properties v12;
    VkPhysicalDeviceVulkan13Properties v13;
} vk_properties;

/* An image with its objects; `next` links the multisampled images that live until the script ends.
 */
typedef struct vk_image {
    const amber_buffer *source;
    VkImage image;
    VkDeviceMemory memory;
    bool fresh; /* in undefined layout, with undefined contents */
    struct vk_image *next;
} vk_image;

typedef struct vk_device {
    amber_device base;
    arena *arena;
    void *library; /* handle from dlopen */
    vk_functions vk;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t queue_family;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkPhysicalDeviceMemoryProperties memory;
    vk_features features;
    vk_properties properties;
    VkExtensionProperties *extensions, *instance_extensions;
    uint32_t extension_count, instance_extension_count;
    vk_image *kept;
    bool lost;     /* a dispatch did not finish: no object may be destroyed any more */
    bool was_lost; /* the driver took a dispatch no more */
} vk_device;

/* Queries of amber_device_functions. */
bool
amber_vk_has_feature(amber_device *base, const char *name);
bool
amber_vk_has_device_extension(amber_device *base, const char *name);
bool
amber_vk_has_instance_extension(amber_device *base, const char *name);
bool
amber_vk_has_property(amber_device *base, const char *name);

/* Returns true if the device has what the module's SPIR-V extensions need. Otherwise sets a skip
 * that names what is missing. */
bool
amber_vk_check_module(vk_device *d, const uint32_t *words, size_t count, amber_result *r);

/* dispatch and end_script of amber_device_functions. */
bool
amber_vk_dispatch(amber_device *base, arena *scratch, const amber_dispatch *run, amber_result *r);
void
amber_vk_end_script(amber_device *base);

/* A buffer of the script that the dispatch binds. */
typedef struct vk_slot {
    const amber_buffer *source; /* NULL: not bound */
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint8_t *mapped;
    vk_image *image; /* NULL: not bound as an image */
    bool own_image;  /* destroyed with the dispatch */
} vk_slot;

/* What a binding needs besides the buffer. */
typedef struct vk_view {
    VkBufferView texels;
    VkImageView image;
    VkSampler sampler;
} vk_view;

/* One dispatch. */
typedef struct vk_run {
    vk_device *d;
    arena *arena;
    const amber_dispatch *run;
    amber_result *result;
    vk_slot *slots; /* by amber_buffer.index */
    uint32_t slot_count;
    amber_binding *bindings; /* sorted by set, binding, element */
    vk_view *views;          /* by binding */
    uint32_t binding_count;
    VkDescriptorSetLayout *layouts;
    VkDescriptorSet *sets;
    uint32_t set_count;
    VkDescriptorPool pool;
    VkPipelineLayout layout;
    VkShaderModule module;
    VkPipeline pipeline;
} vk_run;

/* Returns true if a call succeeded. Otherwise sets the result to a failure of `what`. */
bool
amber_vk_is_ok(vk_run *r, VkResult result, const char *what);

/* Sorts the bindings and makes the dispatch's arrays. */
bool
amber_vk_prepare(vk_run *r);

/* Creates and destroys the objects that the bindings need. */
bool
amber_vk_create_resources(vk_run *r);
void
amber_vk_destroy_resources(vk_run *r);

#endif
