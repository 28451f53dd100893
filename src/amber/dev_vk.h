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
    F(CmdDispatch)                                                                                 \
    F(CreateGraphicsPipelines)                                                                     \
    F(CmdClearDepthStencilImage)                                                                   \
    F(CmdBeginRendering)                                                                           \
    F(CmdEndRendering)                                                                             \
    F(CmdBindVertexBuffers)                                                                        \
    F(CmdBindIndexBuffer)                                                                          \
    F(CmdDraw)                                                                                     \
    F(CmdDrawIndexed)                                                                              \
    F(GetBufferDeviceAddress)                                                                      \
    F(CreateAccelerationStructureKHR)                                                              \
    F(DestroyAccelerationStructureKHR)                                                             \
    F(GetAccelerationStructureBuildSizesKHR)                                                       \
    F(GetAccelerationStructureDeviceAddressKHR)                                                    \
    F(CmdBuildAccelerationStructuresKHR)

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
    VkPhysicalDeviceIndexTypeUint8FeaturesEXT index_uint8;
    VkPhysicalDeviceProvokingVertexFeaturesEXT provoking_vertex;
    VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT list_restart;
    VkPhysicalDeviceDepthClampZeroOneFeaturesEXT depth_clamp;
    VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT interlock;
    VkPhysicalDeviceAccelerationStructureFeaturesKHR accel;
    VkPhysicalDeviceRayQueryFeaturesKHR ray_query;
    VkPhysicalDeviceRayTracingPipelineFeaturesKHR ray_pipeline;
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
    bool draws;    /* the queue does */
    uint32_t asks; /* AMBER_ASKS_*: these extensions are enabled, where they exist */
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

/* dispatch, draw, clear and end_script of amber_device_functions. */
bool
amber_vk_dispatch(amber_device *base, arena *scratch, const amber_dispatch *run, amber_result *r);
bool
amber_vk_draw(amber_device *base, arena *scratch, const amber_draw *draw, amber_result *r);
bool
amber_vk_clear(amber_device *base, arena *scratch, const amber_clear *clear, amber_result *r);
void
amber_vk_end_script(amber_device *base);

/* A buffer of the script that the run uses. Depth and stencil of formats with both are copied as
 * planes, the stencil's behind that of the depths. */
typedef struct vk_slot {
    const amber_buffer *source; /* NULL: not used */
    VkImageUsageFlags usage;    /* as an image; 0: it is none */
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint8_t *mapped;
    VkDeviceSize stencil_plane; /* its offset; 0: no planes */
    vk_image *image;            /* NULL: none */
    bool own_image;             /* destroyed with the run */
} vk_slot;

/* What a binding needs besides the buffer. */
typedef struct vk_view {
    VkBufferView texels;
    VkImageView image;
    VkSampler sampler;
} vk_view;

/* The attachments of a draw or clear. */
typedef struct vk_targets {
    VkImageView color[AMBER_MAX_TARGETS], resolve[AMBER_MAX_TARGETS], depth_stencil;
} vk_targets;

/* A buffer with an address, which the host sees. */
typedef struct vk_block {
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint8_t *mapped;
    VkDeviceAddress address;
} vk_block;

/* An acceleration structure and how it is built. */
typedef struct vk_accel {
    VkAccelerationStructureKHR handle;
    VkDeviceAddress address;
    vk_block storage, input, scratch;
    VkAccelerationStructureGeometryKHR *geometries;
    VkAccelerationStructureBuildRangeInfoKHR *ranges;
    VkAccelerationStructureBuildGeometryInfoKHR info;
} vk_accel;

/* Those that a pipeline binds, by the indices of the levels; NULL: not bound. */
typedef struct vk_accels {
    vk_accel **tops, **bottoms;
    uint32_t top_count, bottom_count;
} vk_accels;

/* One dispatch, draw or clear. */
typedef struct vk_run {
    vk_device *d;
    arena *arena;
    amber_result *result;
    const amber_pipeline *source;
    const amber_memory *memory; /* of each buffer, by amber_buffer.index */
    const amber_stage_code *stages;
    uint32_t stage_count;
    const amber_vertices *vertices; /* of a draw */
    const amber_clear *clear;
    const uint32_t *groups; /* of a dispatch */
    uint32_t times;         /* amber_dispatch.times */
    const uint8_t *push;
    uint32_t push_size;
    VkShaderStageFlags visible; /* to these stages are descriptors */
    vk_slot *slots;             /* by amber_buffer.index */
    uint32_t slot_count;
    amber_binding *bindings; /* sorted by set, binding, element */
    vk_view *views;          /* by binding */
    uint32_t binding_count;
    vk_targets targets;
    vk_accels accels;
    VkDescriptorSetLayout *layouts;
    VkDescriptorSet *sets;
    uint32_t set_count;
    VkDescriptorPool pool;
    VkPipelineLayout layout;
    VkShaderModule *modules; /* by stage */
    VkPipeline pipeline;
} vk_run;

/* Returns true if a call succeeded. Otherwise sets the result to a failure of `what`. */
bool
amber_vk_is_ok(vk_run *r, VkResult result, const char *what);

/* Depth, stencil, both, or colour. */
VkImageAspectFlags
amber_vk_aspects(const amber_texel *t);

/* Sorts the bindings, finds what is used, and makes the run's arrays. */
bool
amber_vk_prepare(vk_run *r);

/* Allocates memory of a type that has all of `flags`; `addressed`: for a buffer with an address. */
VkResult
amber_vk_allocate(vk_device *d, VkMemoryRequirements needs, VkMemoryPropertyFlags flags,
                  bool addressed, VkDeviceMemory *out);

/* Creates and destroys the acceleration structures that the bindings name, and records that they
 * are built. */
bool
amber_vk_create_accels(vk_run *r);
void
amber_vk_destroy_accels(vk_run *r);
void
amber_vk_put_builds(vk_run *r);

/* Creates and destroys the buffers and images that are used, and what the bindings need.
 */
bool
amber_vk_create_resources(vk_run *r);
void
amber_vk_destroy_resources(vk_run *r);

/* Records a barrier of all memory; with `s`, that of an image whose contents are undefined. */
void
amber_vk_put_barrier(vk_run *r, const vk_slot *s);

/* Record the copies of images' contents from and to their buffers. */
void
amber_vk_put_uploads(vk_run *r);
void
amber_vk_put_downloads(vk_run *r);

/* Store the script's bytes in a slot's buffer, and get them back. */
void
amber_vk_write_slot(const vk_run *r, vk_slot *s);
void
amber_vk_read_slots(const vk_run *r);

/* The shader stages of a pipeline; NULL with the result set if the device lacks what they need. */
const VkPipelineShaderStageCreateInfo *
amber_vk_make_stages(vk_run *r);

/* Creates descriptors, modules and the pipeline with `create`, executes the commands of `put`, and
 * takes the results back. */
typedef struct vk_work {
    bool (*create)(vk_run *r);
    void (*put)(vk_run *r);
} vk_work;

bool
amber_vk_execute(vk_run *r, const vk_work *work);

/* Records the binding of pipeline, descriptors and push constants. */
void
amber_vk_put_bindings(vk_run *r, VkPipelineBindPoint point);

#endif
