/* What the programs of this folder that draw share: an image that is drawn to, and a graphics
 * pipeline with the state that they have alike. */
#ifndef TESTS_VULKAN_DRAWING_H
#define TESTS_VULKAN_DRAWING_H

#include "app.h"

/* Function `name` of an extension of the device. */
#define DRAWING_FUNCTION(a, name) ((PFN_##name)vkGetDeviceProcAddr((a)->device, #name))

/* A square image of RGBA8 texels. */
typedef struct drawing_image {
    VkImage image;
    VkImageView view;
    uint32_t size; /* texels of a side */
} drawing_image;

/* Drawn to and copied from, and used as `more` says. */
drawing_image
drawing_new_image(const app *a, uint32_t size, VkImageUsageFlags more);

/* The rendering to the image, which begins as `load` says. `attachment` must live as long. */
VkRenderingInfo
drawing_to(const drawing_image *i, VkAttachmentLoadOp load, VkRenderingAttachmentInfo *attachment);

/* Copies the image to the buffer. */
void
drawing_copy(VkCommandBuffer c, const drawing_image *i, VkBuffer to);

VkPipelineShaderStageCreateInfo
drawing_stage(const app *a, VkShaderStageFlagBits stage, const char *file);

/* The description of a pipeline for dynamic rendering: triangles without vertex input, one viewport,
 * one sample. Its parts refer to each other, so it is not copied. */
typedef struct drawing_pipeline {
    VkViewport viewport;
    VkRect2D scissor;
    VkFormat format;
    VkPipelineColorBlendAttachmentState colors;
    VkPipelineVertexInputStateCreateInfo input;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkPipelineViewportStateCreateInfo view;
    VkPipelineRasterizationStateCreateInfo raster;
    VkPipelineMultisampleStateCreateInfo samples;
    VkPipelineColorBlendStateCreateInfo blend;
    VkPipelineRenderingCreateInfo rendering;
    VkGraphicsPipelineCreateInfo info;
} drawing_pipeline;

/* Draws to an image of `size`, or, without `has_colors`, to none. */
void
drawing_describe(drawing_pipeline *p, uint32_t size, bool has_colors);

VkPipeline
drawing_new_pipeline(const app *a, const VkGraphicsPipelineCreateInfo *info);

#endif
