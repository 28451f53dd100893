/* Code shared by Heddle's own devices. */
#include "amber/dev_emu.h"

#include "base/bits.h"

#include <string.h>

/* Compute features that the interpreter and the emulators support; Vulkan's other features belong
 * to graphics or are not built. */
static const char *const features[] = {
    "robustBufferAccess",
    "fullDrawIndexUint32",
    "imageCubeArray",
    "shaderImageGatherExtended",
    "shaderStorageImageExtendedFormats",
    "shaderStorageImageMultisample",
    "shaderStorageImageReadWithoutFormat",
    "shaderStorageImageWriteWithoutFormat",
    "shaderUniformBufferArrayDynamicIndexing",
    "shaderSampledImageArrayDynamicIndexing",
    "shaderStorageBufferArrayDynamicIndexing",
    "shaderStorageImageArrayDynamicIndexing",
    "shaderResourceResidency",
    "shaderFloat64",
    "shaderInt64",
    "shaderInt16",
    "VariablePointerFeatures.variablePointers",
    "VariablePointerFeatures.variablePointersStorageBuffer",
    "Float16Int8Features.shaderFloat16",
    "Float16Int8Features.shaderInt8",
    "AccelerationStructureFeaturesKHR.accelerationStructure",
    "RayQueryFeaturesKHR.rayQuery",
    "RayTracingPipelineFeaturesKHR.rayTraversalPrimitiveCulling",
    "BufferDeviceAddressFeatures.bufferDeviceAddress",
    "VulkanMemoryModelFeatures.vulkanMemoryModel",
    "VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope",
    "ZeroInitializeWorkgroupMemoryFeatures.shaderZeroInitializeWorkgroupMemory",
    "Storage8BitFeatures.storageBuffer8BitAccess",
    "Storage8BitFeatures.uniformAndStorageBuffer8BitAccess",
    "Storage8BitFeatures.storagePushConstant8",
    "Storage16BitFeatures.storageBuffer16BitAccess",
    "Storage16BitFeatures.uniformAndStorageBuffer16BitAccess",
    "Storage16BitFeatures.storagePushConstant16",
    "SubgroupSizeControl.subgroupSizeControl",
    "SubgroupSizeControl.computeFullSubgroups",
    "SubgroupSupportedOperations.basic",
    "SubgroupSupportedOperations.vote",
    "SubgroupSupportedOperations.arithmetic",
    "SubgroupSupportedOperations.ballot",
    "SubgroupSupportedOperations.shuffle",
    "SubgroupSupportedOperations.shuffleRelative",
    "SubgroupSupportedOperations.clustered",
    "SubgroupSupportedOperations.quad",
    "SubgroupSupportedStages.compute",
};

/* The same of devices that draw. */
static const char *const graphics_features[] = {
    "vertexPipelineStoresAndAtomics",
    "Storage16BitFeatures.storageInputOutput16",
    "TransformFeedbackFeatures.transformFeedback", /* the name is Heddle's own */
    "fragmentStoresAndAtomics",
    "sampleRateShading",
    "samplerAnisotropy",
    "fillModeNonSolid",
    "wideLines",
    "largePoints",
    "depthClamp",
    "depthBounds",
    "depthBiasClamp",
    "dualSrcBlend",
    "independentBlend",
    "logicOp",
    "shaderClipDistance",
    "shaderCullDistance",
    "IndexTypeUint8Features.indexTypeUint8",
    "DepthClampZeroOneFeatures.depthClampZeroOne",
    "SubgroupSupportedStages.fragment",
};

static const char *const graphics_extensions[] = {
    "VK_EXT_depth_clamp_zero_one",
    "VK_EXT_depth_range_unrestricted",
    "VK_EXT_fragment_shader_interlock",
    "VK_EXT_index_type_uint8",
    "VK_EXT_primitive_topology_list_restart",
    "VK_EXT_shader_demote_to_helper_invocation",
};

/* Extensions that only allow shaders to use features that the devices have. */
static const char *const device_extensions[] = {
    "VK_EXT_scalar_block_layout",
    "VK_EXT_shader_image_atomic_int64",
    "VK_EXT_shader_subgroup_ballot",
    "VK_EXT_shader_subgroup_vote",
    "VK_EXT_subgroup_size_control",
    "VK_KHR_16bit_storage",
    "VK_KHR_8bit_storage",
    "VK_KHR_acceleration_structure",
    "VK_KHR_buffer_device_address",
    "VK_KHR_deferred_host_operations",
    "VK_KHR_ray_query",
    "VK_KHR_ray_tracing_pipeline", /* for rayTraversalPrimitiveCulling */
    "VK_KHR_shader_atomic_int64",
    "VK_KHR_shader_float16_int8",
    "VK_KHR_shader_float_controls",
    "VK_KHR_shader_integer_dot_product",
    "VK_KHR_shader_maximal_reconvergence",
    "VK_KHR_shader_non_semantic_info",
    "VK_KHR_shader_subgroup_extended_types",
    "VK_KHR_shader_subgroup_uniform_control_flow",
    "VK_KHR_shader_terminate_invocation",
    "VK_KHR_spirv_1_4",
    "VK_KHR_storage_buffer_storage_class",
    "VK_KHR_uniform_buffer_standard_layout",
    "VK_KHR_variable_pointers",
    "VK_KHR_vulkan_memory_model",
    "VK_KHR_workgroup_memory_explicit_layout",
    "VK_KHR_zero_initialize_workgroup_memory",
};

static const char *const instance_extensions[] = {"VK_KHR_get_physical_device_properties2"};

static const char *const properties[] = {
    "FloatControlsProperties.shaderSignedZeroInfNanPreserveFloat16",
    "FloatControlsProperties.shaderSignedZeroInfNanPreserveFloat32",
    "FloatControlsProperties.shaderSignedZeroInfNanPreserveFloat64",
    "FloatControlsProperties.shaderDenormPreserveFloat16",
    "FloatControlsProperties.shaderDenormPreserveFloat32",
    "FloatControlsProperties.shaderDenormPreserveFloat64",
    "FloatControlsProperties.shaderDenormFlushToZeroFloat32",
    "FloatControlsProperties.shaderRoundingModeRTEFloat16",
    "FloatControlsProperties.shaderRoundingModeRTEFloat32",
    "FloatControlsProperties.shaderRoundingModeRTEFloat64",
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool
is_listed(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

bool
amber_emu_has_feature(amber_device *d, const char *name)
{
    return is_listed(features, COUNT(features), name) ||
           (d->functions->draw && is_listed(graphics_features, COUNT(graphics_features), name));
}

bool
amber_emu_has_device_extension(amber_device *d, const char *name)
{
    return is_listed(device_extensions, COUNT(device_extensions), name) ||
           (d->functions->draw && is_listed(graphics_extensions, COUNT(graphics_extensions), name));
}

bool
amber_emu_has_instance_extension(amber_device *d, const char *name)
{
    return is_listed(instance_extensions, COUNT(instance_extensions), name) ||
           amber_emu_has_device_extension(d, name);
}

bool
amber_emu_has_property(amber_device *d, const char *name)
{
    (void)d;
    return is_listed(properties, COUNT(properties), name);
}

bool
amber_emu_wave_size(const amber_attach *stage, const amber_emu_waves *waves, uint32_t *size,
                    amber_result *r)
{
    uint32_t all = waves->sizes;
    switch (stage->subgroup) {
    case AMBER_SUBGROUP_EXACT: *size = stage->subgroup_size; break;
    case AMBER_SUBGROUP_MIN: *size = all & (0 - all); break;
    case AMBER_SUBGROUP_MAX: *size = all ? UINT32_C(1) << (31 - base_clz32(all)) : 0; break;
    default: *size = waves->wanted; break;
    }
    if (base_is_pow2(*size) && (*size & all))
        return true;
    return amber_set_result(r, AMBER_SKIP, "subgroup size %u", *size);
}

void
amber_emu_job_open(amber_emu_job *j)
{
    memset(j, 0, sizeof *j);
    diag_init(&j->diag);
    arena_init(&j->arena, &base_malloc_allocator, diag_out_of_memory, &j->diag);
    arena_init(&j->scratch, &base_malloc_allocator, diag_out_of_memory, &j->diag);
    arena_init(&j->kept, &base_malloc_allocator, diag_out_of_memory, &j->diag);
    j->ctx = (ir_ctx){.diag = &j->diag, .arena = &j->arena, .scratch = &j->scratch};
    j->kept_ctx = (ir_ctx){.diag = &j->diag, .arena = &j->kept, .scratch = &j->scratch};
    j->images.arena = &j->kept;
}

static ir_stage
stage_of(const amber_attach *a)
{
    switch (a->stage) {
    case AMBER_VERTEX: return IR_STAGE_VERTEX;
    case AMBER_FRAGMENT: return IR_STAGE_FRAGMENT;
    default: return IR_STAGE_COMPUTE;
    }
}

void
amber_emu_job_begin(amber_emu_job *j, const amber_dispatch *run, uint32_t wave_size)
{
    j->options = (spirv_options){
        .entry = run->stage->entry,
        .stage = stage_of(run->stage),
        .subgroup_size = wave_size,
        .fuses_sums = j->fuses_sums,
    };
}

bool
amber_emu_protect(amber_emu_job *j, bool (*work)(void *user), void *user, amber_result *r)
{
    char text[AMBER_REASON_MAX];
    diag_init(&j->diag);
    if (DIAG_TRY(&j->diag))
        return work(user);
    diag_format(&j->diag, text, sizeof text);
    return amber_set_result(r, j->diag.class == DIAG_UNSUPPORTED ? AMBER_SKIP : AMBER_FAIL, "%s",
                            text);
}

void
amber_emu_job_close(amber_emu_job *j)
{
    arena_free(&j->arena);
    arena_free(&j->scratch);
    arena_free(&j->kept);
    j->programs = NULL;
    j->images = (amber_keep){.arena = &j->kept, .target = j->images.target};
}

void
amber_emu_job_end(amber_emu_job *j, const amber_dispatch *run)
{
    if (run->is_lasting) {
        /* their largest blocks stay for the next dispatch */
        arena_release(&j->arena, (arena_mark){0});
        arena_release(&j->scratch, (arena_mark){0});
        return;
    }
    amber_keep_sync_all(&j->images, run->memory);
    amber_emu_job_close(j);
}

void *
amber_emu_find_program(const amber_emu_job *j, const amber_dispatch *run)
{
    for (const amber_emu_program *p = j->programs; p; p = p->next)
        if (p->words == run->words && p->stage == run->stage &&
            p->wave_size == j->options.subgroup_size)
            return p->own;
    return NULL;
}

void
amber_emu_add_program(amber_emu_job *j, const amber_dispatch *run, void *own)
{
    amber_emu_program *p = ARENA_NEW(&j->kept, amber_emu_program);
    *p = (amber_emu_program){.next = j->programs,
                             .words = run->words,
                             .stage = run->stage,
                             .wave_size = j->options.subgroup_size,
                             .own = own};
    j->programs = p;
}

ir_fn *
amber_emu_read(amber_emu_job *j, const amber_dispatch *run)
{
    const amber_attach *at = run->stage;
    spirv_spec *specs = ARENA_ARRAY(&j->kept, at->spec_count, spirv_spec);
    for (uint32_t i = 0; i < at->spec_count; i++)
        specs[i] = (spirv_spec){.id = at->specs[i].id, .value = at->specs[i].value};
    j->options.specs = specs;
    j->options.n_specs = at->spec_count;
    ir_fn *f = spirv_read(&j->kept_ctx, &j->options, run->words, run->word_count);
    f->shader.full_subgroups = at->full_subgroups;
    return f;
}

uint64_t
amber_emu_range(const amber_binding *b, uint64_t *offset)
{
    uint64_t size = b->buffer->size, at = b->offset + b->dynamic_offset;
    *offset = at < size && at >= b->offset ? at : size;
    return b->range < size - *offset ? b->range : size - *offset;
}

uint64_t
amber_emu_image(const amber_buffer *b, mach_image *m)
{
    static const mach_dim dims[] = {[AMBER_NOT_IMAGE] = MACH_DIM_2D,
                                    [AMBER_1D] = MACH_DIM_1D,
                                    [AMBER_2D] = MACH_DIM_2D,
                                    [AMBER_3D] = MACH_DIM_3D};
    *m = (mach_image){
        .dim = b->cube ? MACH_DIM_CUBE : dims[b->dim],
        .array = amber_is_array(b),
        .width = b->width,
        .height = b->height,
        .depth = b->depth,
        .samples = b->samples,
        .levels = b->mips,
        .layers = amber_layers(b),
    };
    if (!b->type->has_texel || !b->elements)
        return 0;
    m->format = mach_format_from_vk(b->type->texel.vk);
    if (m->format == MACH_FORMAT_none)
        return 0;
    /* As with drivers, only renderable formats can be multisampled, and formats with 64-bit
     * channels are not renderable.
     */
    if (b->samples > 1 && b->type->texel.part[0].bits == 64)
        return 0;
    return mach_image_layout(m);
}

const mach_image *
amber_emu_get_image(amber_emu_job *j, const amber_dispatch *run, const amber_buffer *b,
                    amber_result *r)
{
    const mach_image *m = amber_keep_image(&j->images, b, run->memory);
    if (!m)
        amber_set_result(r, AMBER_SKIP, "image of format %s with %u samples",
                         b->type->has_texel ? b->type->texel.name : "none", b->samples);
    return m;
}

void
amber_emu_image_view(const amber_binding *b, mach_image *m)
{
    m->base_level = b->base_mip;
    m->view_levels = b->kind == AMBER_BIND_STORAGE_IMAGE ? 1 : m->levels - b->base_mip;
}

bool
amber_emu_texel_buffer(const amber_binding *b, uint8_t *bytes, mach_image *m)
{
    uint64_t offset, size = amber_emu_range(b, &offset);
    if (!b->buffer->type->has_texel)
        return false;
    *m = (mach_image){
        .format = mach_format_from_vk(b->buffer->type->texel.vk),
        .dim = MACH_DIM_BUFFER,
        .width = (uint32_t)(size / b->buffer->type->size),
        .height = 1,
        .depth = 1,
        .samples = 1,
        .levels = 1,
        .layers = 1,
    };
    if (m->format == MACH_FORMAT_none || (m->width && !mach_image_layout(m)))
        return false;
    m->data = bytes + offset;
    m->size = size;
    return true;
}

/* Copies a row of texels, or each sample of its texels. `to_image` is the direction. */
static void
copy_row(const mach_image *m, const amber_buffer *b, uint8_t *bytes, const uint32_t at[3],
         uint32_t width, bool to_image)
{
    /* a depth with a stencil has padding in the image alone */
    uint32_t texel = b->type->size;
    bool padded = texel < mach_format_get(m->format)->bytes;
    /* number of texels that are contiguous in both layouts */
    uint32_t run = m->samples == 1 && !padded ? width : 1;
    for (uint32_t x = 0; x < width; x += run) {
        for (uint32_t s = 0; s < m->samples; s++, bytes += (uint64_t)run * texel) {
            uint8_t *there = m->data + mach_texel_offset(m, x, at[0], at[1], at[2], s);
            memcpy(to_image ? there : bytes, to_image ? bytes : there, (size_t)run * texel);
        }
    }
}

static void
copy_image(const mach_image *m, const amber_buffer *b, uint8_t *bytes, bool to_image)
{
    for (uint32_t level = 0; level < m->levels; level++) {
        uint32_t width = mach_level_size(m->width, level);
        uint32_t height = mach_level_size(m->height, level);
        uint32_t slices = m->dim == MACH_DIM_3D ? mach_level_size(m->depth, level) : m->layers;
        for (uint32_t z = 0; z < slices; z++) {
            for (uint32_t y = 0; y < height; y++) {
                copy_row(m, b, bytes, (const uint32_t[]){y, z, level}, width, to_image);
                bytes += (uint64_t)width * m->samples * b->type->size;
            }
        }
    }
}

void
amber_emu_image_put(const mach_image *m, const amber_buffer *b, const uint8_t *bytes)
{
    copy_image(m, b, (uint8_t *)bytes, true);
}

void
amber_emu_image_get(const mach_image *m, const amber_buffer *b, uint8_t *bytes)
{
    copy_image(m, b, bytes, false);
}

mach_sampler
amber_emu_sampler(const amber_sampler *s)
{
    /* By VkBorderColor: the float and integer patterns of transparent black, opaque black and
     * opaque white. */
    bool integer = s->border & 1;
    uint32_t one = integer ? 1 : base_f32_bits(1.0f);
    uint32_t color = s->border >= 4 ? one : 0, alpha = s->border >= 2 ? one : 0;
    return (mach_sampler){
        .mag_linear = s->mag == AMBER_LINEAR,
        .min_linear = s->min == AMBER_LINEAR,
        .mip_linear = s->mip == AMBER_LINEAR,
        .mag_aniso = (uint8_t)s->max_anisotropy,
        .min_aniso = (uint8_t)s->max_anisotropy,
        .unnormalized = s->unnormalized,
        .address = {(uint8_t)s->address[0], (uint8_t)s->address[1], (uint8_t)s->address[2]},
        .compare_enable = s->compare,
        .compare = (uint8_t)s->compare_op,
        .min_lod = s->min_lod,
        .max_lod = s->max_lod,
        .border = {color, color, color, alpha},
    };
}
