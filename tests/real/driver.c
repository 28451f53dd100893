/* The driver features that modules need, by capability (SPIR-V specification, "Capability"; the
 * features are those that the Vulkan specification's appendix "Vulkan Environment for SPIR-V" names
 * for each). */
#include "driver.h"

#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

static const struct {
    unsigned number;
    const char *name;
} capabilities[] = {
#define CAP(number, name, support) {number, #name},
#include "spirv/capabilities.def"
#undef CAP
};

/* Features by capability; NULL: every driver has it. Capabilities that are not listed count as
 * missing. */
static const struct {
    const char *capability, *feature;
} features[] = {
    {"Matrix", NULL},
    {"Shader", NULL},
    {"Sampled1D", NULL},
    {"Image1D", NULL},
    {"SampledBuffer", NULL},
    {"ImageBuffer", NULL},
    {"ImageQuery", NULL},
    {"DeviceGroup", NULL},
    {"Float16", "Float16Int8Features.shaderFloat16"},
    {"Float64", "shaderFloat64"},
    {"Int64", "shaderInt64"},
    {"Int16", "shaderInt16"},
    {"Int8", "Float16Int8Features.shaderInt8"},
    {"ImageGatherExtended", "shaderImageGatherExtended"},
    {"UniformBufferArrayDynamicIndexing", "shaderUniformBufferArrayDynamicIndexing"},
    {"SampledImageArrayDynamicIndexing", "shaderSampledImageArrayDynamicIndexing"},
    {"StorageBufferArrayDynamicIndexing", "shaderStorageBufferArrayDynamicIndexing"},
    {"StorageImageArrayDynamicIndexing", "shaderStorageImageArrayDynamicIndexing"},
    {"StorageImageExtendedFormats", "shaderStorageImageExtendedFormats"},
    {"StorageImageReadWithoutFormat", "shaderStorageImageReadWithoutFormat"},
    {"StorageImageWriteWithoutFormat", "shaderStorageImageWriteWithoutFormat"},
    {"StorageBuffer16BitAccess", "Storage16BitFeatures.storageBuffer16BitAccess"},
    {"UniformAndStorageBuffer16BitAccess",
     "Storage16BitFeatures.uniformAndStorageBuffer16BitAccess"},
    {"StoragePushConstant16", "Storage16BitFeatures.storagePushConstant16"},
    {"StorageBuffer8BitAccess", "Storage8BitFeatures.storageBuffer8BitAccess"},
    {"UniformAndStorageBuffer8BitAccess", "Storage8BitFeatures.uniformAndStorageBuffer8BitAccess"},
    {"StoragePushConstant8", "Storage8BitFeatures.storagePushConstant8"},
    {"VariablePointersStorageBuffer", "VariablePointerFeatures.variablePointersStorageBuffer"},
    {"VariablePointers", "VariablePointerFeatures.variablePointers"},
    {"VulkanMemoryModel", "VulkanMemoryModelFeatures.vulkanMemoryModel"},
    {"VulkanMemoryModelDeviceScope", "VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope"},
};

static const char *
capability_name(arena *a, unsigned number)
{
    for (size_t i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++)
        if (capabilities[i].number == number)
            return capabilities[i].name;
    return arena_printf(a, "%u", number);
}

static bool
has_feature(amber_device *driver, const char *capability)
{
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
        if (strcmp(features[i].capability, capability) == 0)
            return !features[i].feature ||
                   driver->functions->has_feature(driver, features[i].feature);
    }
    return false;
}

/* All operations and built-ins of subgroups need one of these capabilities. */
static bool
is_of_subgroups(const char *capability)
{
    return strncmp(capability, "GroupNonUniform", 15) == 0 || strcmp(capability, "Groups") == 0 ||
           strncmp(capability, "Subgroup", 8) == 0;
}

/* Extended instruction sets that drivers know, or may ignore. */
static bool
is_known_set(const char *name, size_t room)
{
    static const char *const known[] = {"GLSL.std.450", "NonSemantic."};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i]) <= room && memcmp(name, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

/* Returns the first unknown set of extended instructions, or NULL. Their imports follow
 * capabilities and extensions and precede the memory model. */
static const char *
unknown_set(arena *a, const uint32_t *words, size_t n_words)
{
    enum { HEADER = 5, OP_EXT_INST_IMPORT = 11, OP_MEMORY_MODEL = 14 };
    for (size_t at = HEADER; at + 2 < n_words && words[at] >> 16; at += words[at] >> 16) {
        const char *name = (const char *)&words[at + 2];
        size_t room = ((words[at] >> 16) - 2) * 4;
        if ((words[at] & 0xffff) == OP_MEMORY_MODEL)
            break;
        if ((words[at] & 0xffff) == OP_EXT_INST_IMPORT && !is_known_set(name, room))
            return arena_printf(a, "extended instructions of %.*s", (int)room, name);
    }
    return NULL;
}

const char *
real_driver_lacks(arena *a, amber_device *driver, const uint32_t *words, size_t n_words)
{
    enum { HEADER = 5, OP_CAPABILITY = 17 };
    const char *lacking = NULL;
    for (size_t at = HEADER; at + 1 < n_words && (words[at] & 0xffff) == OP_CAPABILITY; at += 2) {
        const char *name = capability_name(a, words[at + 1]);
        if (is_of_subgroups(name))
            return "subgroups";
        if (strcmp(name, "PhysicalStorageBufferAddresses") == 0)
            return "buffer device addresses";
        if (!has_feature(driver, name))
            lacking = arena_printf(a, "capability %s", name);
    }
    return lacking ? lacking : unknown_set(a, words, n_words);
}

void
real_driver_close(amber_device *driver)
{
#ifdef __SANITIZE_ADDRESS__
    __lsan_do_leak_check();
#endif
    if (driver)
        driver->functions->destroy(driver);
}
