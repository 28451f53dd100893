/* The Vulkan device: its features, by the names that scripts use. */
#include "amber/dev_vk.h"

#include <stddef.h>
#include <string.h>

typedef struct feature_row {
    const char *name; /* as in AmberScript */
    size_t offset;    /* of the VkBool32 in vk_features or vk_properties */
} feature_row;

#define CORE(name)                                                                                 \
    {                                                                                              \
#name, offsetof(vk_features, core.features.name)                                           \
    }
#define GROUP(group, part, name)                                                                   \
    {                                                                                              \
#group "." #name, offsetof(vk_features, part.name)                                         \
    }

static const feature_row feature_rows[] = {
    CORE(robustBufferAccess),
    CORE(fullDrawIndexUint32),
    CORE(imageCubeArray),
    CORE(independentBlend),
    CORE(geometryShader),
    CORE(tessellationShader),
    CORE(sampleRateShading),
    CORE(dualSrcBlend),
    CORE(logicOp),
    CORE(multiDrawIndirect),
    CORE(drawIndirectFirstInstance),
    CORE(depthClamp),
    CORE(depthBiasClamp),
    CORE(fillModeNonSolid),
    CORE(depthBounds),
    CORE(wideLines),
    CORE(largePoints),
    CORE(alphaToOne),
    CORE(multiViewport),
    CORE(samplerAnisotropy),
    CORE(textureCompressionETC2),
    CORE(textureCompressionASTC_LDR),
    CORE(textureCompressionBC),
    CORE(occlusionQueryPrecise),
    CORE(pipelineStatisticsQuery),
    CORE(vertexPipelineStoresAndAtomics),
    CORE(fragmentStoresAndAtomics),
    CORE(shaderTessellationAndGeometryPointSize),
    CORE(shaderImageGatherExtended),
    CORE(shaderStorageImageExtendedFormats),
    CORE(shaderStorageImageMultisample),
    CORE(shaderStorageImageReadWithoutFormat),
    CORE(shaderStorageImageWriteWithoutFormat),
    CORE(shaderUniformBufferArrayDynamicIndexing),
    CORE(shaderSampledImageArrayDynamicIndexing),
    CORE(shaderStorageBufferArrayDynamicIndexing),
    CORE(shaderStorageImageArrayDynamicIndexing),
    CORE(shaderClipDistance),
    CORE(shaderCullDistance),
    CORE(shaderFloat64),
    CORE(shaderInt64),
    CORE(shaderInt16),
    CORE(shaderResourceResidency),
    CORE(shaderResourceMinLod),
    CORE(sparseBinding),
    CORE(sparseResidencyBuffer),
    CORE(sparseResidencyImage2D),
    CORE(sparseResidencyImage3D),
    CORE(sparseResidency2Samples),
    CORE(sparseResidency4Samples),
    CORE(sparseResidency8Samples),
    CORE(sparseResidency16Samples),
    CORE(sparseResidencyAliased),
    CORE(variableMultisampleRate),
    CORE(inheritedQueries),
    GROUP(VariablePointerFeatures, v11, variablePointers),
    GROUP(VariablePointerFeatures, v11, variablePointersStorageBuffer),
    GROUP(Storage16BitFeatures, v11, storageBuffer16BitAccess),
    GROUP(Storage16BitFeatures, v11, uniformAndStorageBuffer16BitAccess),
    GROUP(Storage16BitFeatures, v11, storagePushConstant16),
    GROUP(Storage16BitFeatures, v11, storageInputOutput16),
    GROUP(Storage8BitFeatures, v12, storageBuffer8BitAccess),
    GROUP(Storage8BitFeatures, v12, uniformAndStorageBuffer8BitAccess),
    GROUP(Storage8BitFeatures, v12, storagePushConstant8),
    GROUP(Float16Int8Features, v12, shaderFloat16),
    GROUP(Float16Int8Features, v12, shaderInt8),
    GROUP(VulkanMemoryModelFeatures, v12, vulkanMemoryModel),
    GROUP(VulkanMemoryModelFeatures, v12, vulkanMemoryModelDeviceScope),
    GROUP(BufferDeviceAddressFeatures, v12, bufferDeviceAddress),
    GROUP(SubgroupSizeControl, v13, subgroupSizeControl),
    GROUP(SubgroupSizeControl, v13, computeFullSubgroups),
    GROUP(IndexTypeUint8Features, index_uint8, indexTypeUint8),
    GROUP(DepthClampZeroOneFeatures, depth_clamp, depthClampZeroOne),
    GROUP(AccelerationStructureFeaturesKHR, accel, accelerationStructure),
    GROUP(RayQueryFeaturesKHR, ray_query, rayQuery),
    GROUP(RayTracingPipelineFeaturesKHR, ray_pipeline, rayTracingPipeline),
    GROUP(RayTracingPipelineFeaturesKHR, ray_pipeline, rayTraversalPrimitiveCulling),
    GROUP(ZeroInitializeWorkgroupMemoryFeatures, v13, shaderZeroInitializeWorkgroupMemory),
};

#undef CORE
#undef GROUP
#define FLOAT_CONTROL(name)                                                                        \
    {"FloatControlsProperties." #name "Float16", offsetof(vk_properties, v12.name##Float16)},      \
        {"FloatControlsProperties." #name "Float32", offsetof(vk_properties, v12.name##Float32)},  \
    {                                                                                              \
        "FloatControlsProperties." #name "Float64", offsetof(vk_properties, v12.name##Float64)     \
    }

static const feature_row property_rows[] = {
    FLOAT_CONTROL(shaderSignedZeroInfNanPreserve), FLOAT_CONTROL(shaderDenormPreserve),
    FLOAT_CONTROL(shaderDenormFlushToZero),        FLOAT_CONTROL(shaderRoundingModeRTE),
    FLOAT_CONTROL(shaderRoundingModeRTZ),
};

#undef FLOAT_CONTROL

typedef struct bit_row {
    const char *name;
    uint32_t bit;
} bit_row;

static const bit_row operation_rows[] = {
    {"SubgroupSupportedOperations.basic", VK_SUBGROUP_FEATURE_BASIC_BIT},
    {"SubgroupSupportedOperations.vote", VK_SUBGROUP_FEATURE_VOTE_BIT},
    {"SubgroupSupportedOperations.arithmetic", VK_SUBGROUP_FEATURE_ARITHMETIC_BIT},
    {"SubgroupSupportedOperations.ballot", VK_SUBGROUP_FEATURE_BALLOT_BIT},
    {"SubgroupSupportedOperations.shuffle", VK_SUBGROUP_FEATURE_SHUFFLE_BIT},
    {"SubgroupSupportedOperations.shuffleRelative", VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT},
    {"SubgroupSupportedOperations.clustered", VK_SUBGROUP_FEATURE_CLUSTERED_BIT},
    {"SubgroupSupportedOperations.quad", VK_SUBGROUP_FEATURE_QUAD_BIT},
};

static const bit_row stage_rows[] = {
    {"SubgroupSupportedStages.vertex", VK_SHADER_STAGE_VERTEX_BIT},
    {"SubgroupSupportedStages.tessellationControl", VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
    {"SubgroupSupportedStages.tessellationEvaluation", VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
    {"SubgroupSupportedStages.geometry", VK_SHADER_STAGE_GEOMETRY_BIT},
    {"SubgroupSupportedStages.fragment", VK_SHADER_STAGE_FRAGMENT_BIT},
    {"SubgroupSupportedStages.compute", VK_SHADER_STAGE_COMPUTE_BIT},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool
read_flag(const void *base, const feature_row *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            VkBool32 flag;
            memcpy(&flag, (const char *)base + rows[i].offset, sizeof flag);
            return flag;
        }
    }
    return false;
}

static bool
read_bit(uint32_t bits, const bit_row *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return bits & rows[i].bit;
    return false;
}

bool
amber_vk_has_feature(amber_device *base, const char *name)
{
    vk_device *d = (vk_device *)base;
    const VkPhysicalDeviceVulkan11Properties *p = &d->properties.v11;
    return read_flag(&d->features, feature_rows, COUNT(feature_rows), name) ||
           read_bit(p->subgroupSupportedOperations, operation_rows, COUNT(operation_rows), name) ||
           read_bit(p->subgroupSupportedStages, stage_rows, COUNT(stage_rows), name);
}

bool
amber_vk_has_property(amber_device *base, const char *name)
{
    vk_device *d = (vk_device *)base;
    return read_flag(&d->properties, property_rows, COUNT(property_rows), name);
}

static bool
find_extension(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    return false;
}

bool
amber_vk_has_device_extension(amber_device *base, const char *name)
{
    vk_device *d = (vk_device *)base;
    return find_extension(d->extensions, d->extension_count, name);
}

/* Some scripts name a device extension here, and loaders no longer list extensions that are in the
 * core. */
bool
amber_vk_has_instance_extension(amber_device *base, const char *name)
{
    vk_device *d = (vk_device *)base;
    return strcmp(name, "VK_KHR_get_physical_device_properties2") == 0 ||
           find_extension(d->instance_extensions, d->instance_extension_count, name) ||
           amber_vk_has_device_extension(base, name);
}

/* SPIR-V extensions that need a device extension which scripts need not name. */
static const struct {
    const char *spirv, *vulkan;
} module_rows[] = {
    {"SPV_KHR_subgroup_uniform_control_flow", "VK_KHR_shader_subgroup_uniform_control_flow"},
    {"SPV_KHR_workgroup_memory_explicit_layout", "VK_KHR_workgroup_memory_explicit_layout"},
    {"SPV_KHR_maximal_reconvergence", "VK_KHR_shader_maximal_reconvergence"},
    {"SPV_EXT_shader_image_int64", "VK_EXT_shader_image_atomic_int64"},
    {"SPV_EXT_shader_atomic_float_add", "VK_EXT_shader_atomic_float"},
    {"SPV_KHR_shader_clock", "VK_KHR_shader_clock"},
    {"SPV_KHR_ray_query", "VK_KHR_ray_query"},
    {"SPV_AMD_shader_early_and_late_fragment_tests", "VK_AMD_shader_early_and_late_fragment_tests"},
    {"SPV_EXT_shader_stencil_export", "VK_EXT_shader_stencil_export"},
};

bool
amber_vk_check_module(vk_device *d, const uint32_t *words, size_t count, amber_result *r)
{
    enum { HEADER = 5, OP_EXTENSION = 10 };
    for (size_t at = HEADER; at < count;) {
        size_t size = words[at] >> 16;
        const char *text = (const char *)&words[at + 1];
        if (!size || size > count - at)
            break; /* the driver will report it */
        for (size_t i = 0; (words[at] & 0xffff) == OP_EXTENSION && i < COUNT(module_rows); i++) {
            size_t length = strlen(module_rows[i].spirv) + 1;
            if (length > (size - 1) * 4 || memcmp(text, module_rows[i].spirv, length) != 0)
                continue;
            if (!amber_vk_has_device_extension(&d->base, module_rows[i].vulkan))
                return amber_set_result(r, AMBER_SKIP, "device extension %s",
                                        module_rows[i].vulkan);
        }
        at += size;
    }
    return true;
}
