/* What the parts of the program on turnip share: the job, and Vulkan's objects. */
#ifndef TURNIP_PROGRAM_H
#define TURNIP_PROGRAM_H

#include "device_job.h"

#include <stdbool.h>
#include <vulkan/vulkan.h>

enum { MAX_SETS = 8, MAX_DESCRIPTORS = 256 };

/* Ends with an error. */
_Noreturn void
give_up(const char *what);

/* Ends with DEVICE_JOB_LACKS and leaves what is lacking (a printf format) in place of the job. */
_Noreturn void
lack(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Gives up unless a call succeeded. */
void
check(VkResult r, const char *what);

typedef struct job {
    const device_job *head;
    const uint32_t *words;
    const VkSpecializationMapEntry *spec_entries;
    const uint32_t *spec_values;
    const uint8_t *push;
    const char *name;
    const device_job_descriptor *descriptors;
    const device_job_sampler *samplers;
    const device_job_buffer *buffers[MAX_DESCRIPTORS];
    uint8_t *bytes_of[MAX_DESCRIPTORS]; /* contents of the buffers */
    uint8_t *bytes;                     /* the file */
    size_t size;
} job;

typedef struct vulkan {
    PFN_vkGetInstanceProcAddr get;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkBuffer buffers[MAX_DESCRIPTORS];
    uint8_t *mapped[MAX_DESCRIPTORS];
    VkImage images[MAX_DESCRIPTORS]; /* by buffer; none: it is bound as buffers alone */
    uint8_t *mapped_images[MAX_DESCRIPTORS];
    VkBufferView texels[MAX_DESCRIPTORS]; /* these three by descriptor */
    VkImageView views[MAX_DESCRIPTORS];
    VkSampler samplers[MAX_DESCRIPTORS];
    VkDescriptorSetLayout set_layouts[MAX_SETS];
    uint32_t n_sets;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet sets[MAX_SETS];
} vulkan;

#define CALL(v, name) ((PFN_##name)(v)->get((v)->instance, #name))

/* Makes the buffers and images with their contents, and what descriptors need of them. */
void
make_resources(vulkan *v, const job *j);

/* Records the images' change to the layout in which they are used. */
void
put_image_barriers(vulkan *v, const job *j, VkCommandBuffer c);

/* Puts the contents in the place of those that the job has brought. */
void
take_resources(const vulkan *v, const job *j);

#endif
