/* The Vulkan device: draws and clears, by dynamic rendering. */
#include "amber/dev_vk.h"

#include <string.h>

/* ---- attachments ---- */

static bool
is_integer(const amber_buffer *b)
{
    amber_mode mode = (amber_mode)b->type->texel.part[0].mode;
    return mode == AMBER_UINT || mode == AMBER_SINT;
}

/* Colours of integer formats are cut. */
static VkClearColorValue
clear_color(const amber_clear *c, const amber_buffer *b)
{
    VkClearColorValue v;
    for (unsigned i = 0; i < 4; i++) {
        if (is_integer(b))
            v.int32[i] = (int32_t)c->color[i];
        else
            v.float32[i] = (float)c->color[i];
    }
    return v;
}

static VkRenderingAttachmentInfo
make_attachment(const vk_run *r, VkImageView view)
{
    return (VkRenderingAttachmentInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = view,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = r->clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
}

static VkRenderingAttachmentInfo
make_color(const vk_run *r, uint32_t i)
{
    const amber_target *t = &r->source->graphics->targets[i];
    VkRenderingAttachmentInfo a = make_attachment(r, r->targets.color[i]);
    if (r->clear)
        a.clearValue.color = clear_color(r->clear, t->buffer);
    if (t->resolve && !r->clear) {
        a.resolveMode = is_integer(t->buffer) ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT
                                              : VK_RESOLVE_MODE_AVERAGE_BIT;
        a.resolveImageView = r->targets.resolve[i];
        a.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    }
    return a;
}

static void
begin_rendering(vk_run *r)
{
    const amber_graphics *g = r->source->graphics;
    VkRenderingAttachmentInfo colors[AMBER_MAX_TARGETS], depth;
    VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                            .renderArea.extent = {g->width, g->height},
                            .layerCount = 1,
                            .colorAttachmentCount = g->target_count,
                            .pColorAttachments = colors};
    for (uint32_t i = 0; i < g->target_count; i++)
        colors[i] = make_color(r, i);
    if (g->depth_stencil) {
        VkImageAspectFlags aspects = amber_vk_aspects(&g->depth_stencil->type->texel);
        depth = make_attachment(r, r->targets.depth_stencil);
        if (r->clear)
            depth.clearValue.depthStencil = (VkClearDepthStencilValue){r->clear->depth,
                                                                       r->clear->stencil};
        info.pDepthAttachment = aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? &depth : NULL;
        info.pStencilAttachment = aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? &depth : NULL;
    }
    r->d->vk.CmdBeginRendering(r->d->commands, &info);
}

static void
put_clear(vk_run *r)
{
    begin_rendering(r);
    r->d->vk.CmdEndRendering(r->d->commands);
}

/* ---- state ---- */

/* The parts of a pipeline's description that point to each other. */
typedef struct state {
    VkVertexInputBindingDescription *bindings;
    VkVertexInputAttributeDescription *attributes;
    VkPipelineVertexInputStateCreateInfo input;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkPipelineTessellationStateCreateInfo tessellation;
    VkViewport viewport;
    VkRect2D scissor;
    VkPipelineViewportStateCreateInfo viewports;
    VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking;
    VkPipelineRasterizationStateCreateInfo raster;
    VkPipelineMultisampleStateCreateInfo samples;
    VkPipelineDepthStencilStateCreateInfo tests;
    VkPipelineColorBlendAttachmentState targets[AMBER_MAX_TARGETS];
    VkPipelineColorBlendStateCreateInfo blend;
    VkFormat formats[AMBER_MAX_TARGETS];
    VkPipelineRenderingCreateInfo rendering;
} state;

static bool
set_vertex_input(vk_run *r, state *s)
{
    const amber_vertices *v = r->vertices;
    s->bindings = ARENA_ARRAY(r->arena, v->input_count, VkVertexInputBindingDescription);
    s->attributes = ARENA_ARRAY(r->arena, v->input_count, VkVertexInputAttributeDescription);
    for (uint32_t i = 0; i < v->input_count; i++) {
        const amber_vertex_input *in = &v->inputs[i];
        VkFormatProperties p;
        r->d->vk.GetPhysicalDeviceFormatProperties(r->d->physical, (VkFormat)in->format.vk, &p);
        if (!(p.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT))
            return amber_set_result(r->result, AMBER_SKIP, "vertices of format %s",
                                    in->format.name);
        s->bindings[i] = (VkVertexInputBindingDescription){
            i, in->stride,
            in->per_instance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX};
        s->attributes[i] = (VkVertexInputAttributeDescription){in->location, i,
                                                               (VkFormat)in->format.vk, 0};
    }
    s->input = (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = v->input_count,
        .pVertexBindingDescriptions = s->bindings,
        .vertexAttributeDescriptionCount = v->input_count,
        .pVertexAttributeDescriptions = s->attributes,
    };
    s->assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = (VkPrimitiveTopology)v->topology,
        .primitiveRestartEnable = r->source->graphics->restart,
    };
    s->tessellation = (VkPipelineTessellationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .patchControlPoints = r->source->graphics->patch_vertices,
    };
    return true;
}

static void
set_raster(const amber_graphics *g, state *s)
{
    static const VkSampleMask all = UINT32_MAX;
    const mach_viewport *v = &g->viewport;
    s->viewport = (VkViewport){v->x, v->y, v->width, v->height, v->min_depth, v->max_depth};
    s->scissor.extent = (VkExtent2D){g->width, g->height};
    s->viewports = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &s->viewport,
        .scissorCount = 1,
        .pScissors = &s->scissor,
    };
    s->provoking = (VkPipelineRasterizationProvokingVertexStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT};
    s->raster = (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .pNext = g->last_provokes ? &s->provoking : NULL,
        .depthClampEnable = g->clamps_depth,
        .rasterizerDiscardEnable = g->discards_all,
        .polygonMode = (VkPolygonMode)g->polygon_mode,
        .cullMode = (g->cull_front ? VK_CULL_MODE_FRONT_BIT : 0u) |
                    (g->cull_back ? VK_CULL_MODE_BACK_BIT : 0u),
        .frontFace = g->front_is_clockwise ? VK_FRONT_FACE_CLOCKWISE
                                           : VK_FRONT_FACE_COUNTER_CLOCKWISE,
        .depthBiasEnable = g->has_bias,
        .depthBiasConstantFactor = g->bias.constant,
        .depthBiasClamp = g->bias.clamp,
        .depthBiasSlopeFactor = g->bias.slope,
        .lineWidth = g->line_width,
    };
    s->samples = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = (VkSampleCountFlagBits)g->samples,
        .pSampleMask = g->samples <= 32 ? &all : NULL,
    };
}

static VkStencilOpState
make_stencil(const mach_stencil *s)
{
    return (VkStencilOpState){
        .failOp = (VkStencilOp)s->fail,
        .passOp = (VkStencilOp)s->pass,
        .depthFailOp = (VkStencilOp)s->depth_fail,
        .compareOp = (VkCompareOp)s->compare,
        .compareMask = s->compare_mask,
        .writeMask = s->write_mask,
        .reference = s->reference,
    };
}

/* Bounds from 0 to 1 let all depths pass, so that they need no feature. */
static bool
set_tests(vk_run *r, const amber_graphics *g, state *s)
{
    bool bounds = g->bounds_depth && (g->depth_bounds[0] > 0.0f || g->depth_bounds[1] < 1.0f);
    if (bounds && !r->d->features.core.features.depthBounds)
        return amber_set_result(r->result, AMBER_SKIP, "device feature depthBounds");
    s->tests = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = g->tests.depth_test,
        .depthWriteEnable = g->tests.depth_write,
        .depthCompareOp = (VkCompareOp)g->tests.depth_compare,
        .depthBoundsTestEnable = bounds,
        .stencilTestEnable = g->tests.stencil_test,
        .front = make_stencil(&g->tests.stencil[0]),
        .back = make_stencil(&g->tests.stencil[1]),
        .minDepthBounds = g->depth_bounds[0],
        .maxDepthBounds = g->depth_bounds[1],
    };
    return true;
}

static void
set_targets(const amber_graphics *g, state *s)
{
    const mach_blend *b = &g->blend;
    for (uint32_t i = 0; i < g->target_count; i++) {
        s->formats[i] = (VkFormat)g->targets[i].buffer->type->texel.vk;
        s->targets[i] = (VkPipelineColorBlendAttachmentState){
            .blendEnable = g->blends,
            .srcColorBlendFactor = (VkBlendFactor)b->color.src,
            .dstColorBlendFactor = (VkBlendFactor)b->color.dst,
            .colorBlendOp = (VkBlendOp)b->color.op,
            .srcAlphaBlendFactor = (VkBlendFactor)b->alpha.src,
            .dstAlphaBlendFactor = (VkBlendFactor)b->alpha.dst,
            .alphaBlendOp = (VkBlendOp)b->alpha.op,
            .colorWriteMask = g->write_mask,
        };
    }
    s->blend = (VkPipelineColorBlendStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .logicOpEnable = g->has_logic_op,
        .logicOp = (VkLogicOp)g->logic_op,
        .attachmentCount = g->target_count,
        .pAttachments = s->targets,
    };
    memcpy(s->blend.blendConstants, b->constant, sizeof b->constant);
    s->rendering = (VkPipelineRenderingCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = g->target_count,
        .pColorAttachmentFormats = s->formats,
    };
    if (!g->depth_stencil)
        return;
    VkFormat format = (VkFormat)g->depth_stencil->type->texel.vk;
    VkImageAspectFlags aspects = amber_vk_aspects(&g->depth_stencil->type->texel);
    if (aspects & VK_IMAGE_ASPECT_DEPTH_BIT)
        s->rendering.depthAttachmentFormat = format;
    if (aspects & VK_IMAGE_ASPECT_STENCIL_BIT)
        s->rendering.stencilAttachmentFormat = format;
}

static bool
has_stage(const vk_run *r, amber_stage stage)
{
    for (uint32_t i = 0; i < r->stage_count; i++)
        if (r->stages[i].attach->stage == stage)
            return true;
    return false;
}

static bool
create_graphics(vk_run *r)
{
    const amber_graphics *g = r->source->graphics;
    state *s = ARENA_NEW(r->arena, state);
    const VkPipelineShaderStageCreateInfo *stages = amber_vk_make_stages(r);
    if (!stages || !set_vertex_input(r, s) || !set_tests(r, g, s))
        return false;
    set_raster(g, s);
    set_targets(g, s);
    VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &s->rendering,
        .stageCount = r->stage_count,
        .pStages = stages,
        .pVertexInputState = &s->input,
        .pInputAssemblyState = &s->assembly,
        .pTessellationState = has_stage(r, AMBER_TESS_EVALUATION) ? &s->tessellation : NULL,
        .pViewportState = &s->viewports,
        .pRasterizationState = &s->raster,
        .pMultisampleState = &s->samples,
        .pDepthStencilState = &s->tests,
        .pColorBlendState = &s->blend,
        .layout = r->layout,
    };
    return amber_vk_is_ok(r,
                          r->d->vk.CreateGraphicsPipelines(r->d->device, VK_NULL_HANDLE, 1, &info,
                                                           NULL, &r->pipeline),
                          "vkCreateGraphicsPipelines");
}

/* ---- commands ---- */

static VkIndexType
index_type(const amber_buffer *b)
{
    switch (b->type->slots[0].bits) {
    case 8: return VK_INDEX_TYPE_UINT8_EXT;
    case 16: return VK_INDEX_TYPE_UINT16;
    default: return VK_INDEX_TYPE_UINT32;
    }
}

static void
put_draw(vk_run *r)
{
    const vk_functions *vk = &r->d->vk;
    const amber_vertices *v = r->vertices;
    VkCommandBuffer c = r->d->commands;
    begin_rendering(r);
    amber_vk_put_bindings(r, VK_PIPELINE_BIND_POINT_GRAPHICS);
    for (uint32_t i = 0; i < v->input_count; i++) {
        VkDeviceSize offset = v->inputs[i].offset;
        vk->CmdBindVertexBuffers(c, i, 1, &r->slots[v->inputs[i].buffer->index].buffer, &offset);
    }
    if (v->index) {
        vk->CmdBindIndexBuffer(c, r->slots[v->index->index].buffer, 0, index_type(v->index));
        vk->CmdDrawIndexed(c, v->count, v->instances, 0, (int32_t)v->first, v->first_instance);
    } else {
        vk->CmdDraw(c, v->count, v->instances, v->first, v->first_instance);
    }
    vk->CmdEndRendering(c);
}

/* Vulkan leaves it undefined what is drawn without what the device must have. */
static bool
check_draw(vk_run *r)
{
    const VkPhysicalDeviceFeatures *f = &r->d->features.core.features;
    const char *lacks = NULL;
    if (!r->d->draws)
        return amber_set_result(r->result, AMBER_SKIP, "graphics pipeline: no queue draws");
    if (has_stage(r, AMBER_GEOMETRY) && !f->geometryShader)
        lacks = "geometryShader";
    if (has_stage(r, AMBER_TESS_EVALUATION) && !f->tessellationShader)
        lacks = "tessellationShader";
    if (r->source->graphics->polygon_mode != MACH_POLYGON_FILL && !f->fillModeNonSolid)
        lacks = "fillModeNonSolid";
    if (r->source->graphics->last_provokes && !r->d->features.provoking_vertex.provokingVertexLast)
        lacks = "provokingVertexLast";
    if (r->source->graphics->conservative != MACH_BY_SAMPLES) /* the driver is not asked for it */
        lacks = "VK_EXT_conservative_rasterization";
    if (r->vertices && r->vertices->index &&
        index_type(r->vertices->index) == VK_INDEX_TYPE_UINT8_EXT &&
        !r->d->features.index_uint8.indexTypeUint8)
        lacks = "IndexTypeUint8Features.indexTypeUint8";
    return !lacks || amber_set_result(r->result, AMBER_SKIP, "device feature %s", lacks);
}

bool
amber_vk_draw(amber_device *base, arena *scratch, const amber_draw *draw, amber_result *result)
{
    static const vk_work work = {.create = create_graphics, .put = put_draw};
    vk_run r = {
        .d = (vk_device *)base,
        .arena = scratch,
        .result = result,
        .source = draw->pipeline,
        .memory = draw->memory,
        .stages = draw->stages,
        .stage_count = draw->stage_count,
        .vertices = draw->vertices,
        .push = draw->push,
        .push_size = draw->push_size,
        .visible = VK_SHADER_STAGE_ALL_GRAPHICS,
    };
    if (draw->addressed_count)
        return amber_set_result(result, AMBER_SKIP, "buffers at given addresses");
    return check_draw(&r) && amber_vk_execute(&r, &work);
}

bool
amber_vk_clear(amber_device *base, arena *scratch, const amber_clear *clear, amber_result *result)
{
    static const vk_work work = {.put = put_clear};
    vk_run r = {
        .d = (vk_device *)base,
        .arena = scratch,
        .result = result,
        .source = clear->pipeline,
        .memory = clear->memory,
        .clear = clear,
    };
    if (!r.d->draws)
        return amber_set_result(result, AMBER_SKIP, "graphics pipeline: no queue draws");
    return amber_vk_execute(&r, &work);
}
