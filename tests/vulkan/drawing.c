/* Images and graphics pipelines of programs that draw. */
#include "drawing.h"

enum { ALL_CHANNELS = 15 };

drawing_image
drawing_new_image(const app *a, uint32_t size, VkImageUsageFlags more)
{
    drawing_image made = {.size = size};
    VkMemoryRequirements needs;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .extent = {size, size, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_SRC_BIT | more};
    app_check(a, vkCreateImage(a->device, &info, NULL, &made.image), "vkCreateImage");
    vkGetImageMemoryRequirements(a->device, made.image, &needs);
    app_check(a, vkBindImageMemory(a->device, made.image, app_allocate(a, &needs, 0), 0),
              "vkBindImageMemory");
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = made.image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = info.format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    app_check(a, vkCreateImageView(a->device, &view, NULL, &made.view), "vkCreateImageView");
    return made;
}

VkRenderingInfo
drawing_to(const drawing_image *i, VkAttachmentLoadOp load, VkRenderingAttachmentInfo *attachment)
{
    *attachment = (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                              .imageView = i->view,
                                              .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                              .loadOp = load};
    return (VkRenderingInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                             .renderArea = {{0, 0}, {i->size, i->size}},
                             .layerCount = 1,
                             .colorAttachmentCount = 1,
                             .pColorAttachments = attachment};
}

void
drawing_copy(VkCommandBuffer c, const drawing_image *i, VkBuffer to)
{
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {i->size, i->size, 1}};
    vkCmdCopyImageToBuffer(c, i->image, VK_IMAGE_LAYOUT_GENERAL, to, 1, &region);
}

VkPipelineShaderStageCreateInfo
drawing_stage(const app *a, VkShaderStageFlagBits stage, const char *file)
{
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .module = app_new_module(a, file),
        .pName = "main"};
}

void
drawing_describe(drawing_pipeline *p, uint32_t size, bool has_colors)
{
    *p = (drawing_pipeline){
        .viewport = {0, 0, (float)size, (float)size, 0, 1},
        .scissor = {{0, 0}, {size, size}},
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .colors = {.colorWriteMask = ALL_CHANNELS},
        .input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO},
        .assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                     .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
        .view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                 .viewportCount = 1,
                 .pViewports = &p->viewport,
                 .scissorCount = 1,
                 .pScissors = &p->scissor},
        .raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                   .lineWidth = 1},
        .samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                    .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT},
        .blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                  .attachmentCount = has_colors,
                  .pAttachments = &p->colors},
        .rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                      .colorAttachmentCount = has_colors,
                      .pColorAttachmentFormats = &p->format},
        .info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                 .pNext = &p->rendering,
                 .pVertexInputState = &p->input,
                 .pInputAssemblyState = &p->assembly,
                 .pViewportState = &p->view,
                 .pRasterizationState = &p->raster,
                 .pMultisampleState = &p->samples,
                 .pColorBlendState = &p->blend},
    };
}

VkPipeline
drawing_new_pipeline(const app *a, const VkGraphicsPipelineCreateInfo *info)
{
    VkPipeline made;
    app_check(a, vkCreateGraphicsPipelines(a->device, VK_NULL_HANDLE, 1, info, NULL, &made),
              "vkCreateGraphicsPipelines");
    return made;
}
