/* Features of RADV that the Radeon does not offer: the stages of graphics that it does not run. A
 * program that asks for them hears that there are none, as on a device without. */
#include "pipelines.h"
#include "radeon.h"

#include <string.h>

/* RADV's own functions, which are kept when the application takes ours. */
static struct {
    PFN_vkGetPhysicalDeviceFeatures features;
    PFN_vkGetPhysicalDeviceFeatures2 features2;
    PFN_vkGetPhysicalDeviceProperties properties;
} radv;

static void
hide_stages(VkPhysicalDeviceFeatures *f)
{
    f->geometryShader = VK_FALSE;
    f->tessellationShader = VK_FALSE;
}

/* From gfx11 on vertex shaders count what they capture; before, the command processor does. Mesa 22
 * counts in GDS memory, which is not there. */
static bool
counts_captured(VkPhysicalDevice device)
{
    VkPhysicalDeviceProperties p = {0};
    if (radv.properties)
        radv.properties(device, &p);
    return radeon_get()->chip->gen >= AMD_GFX11 && VK_VERSION_MAJOR(p.driverVersion) >= 23;
}

static void
hide_transform_feedback(VkPhysicalDevice device, VkPhysicalDeviceTransformFeedbackFeaturesEXT *f)
{
    f->transformFeedback &= counts_captured(device);
    f->geometryStreams = VK_FALSE;
}

static void
hide_meshes(VkPhysicalDeviceMeshShaderFeaturesEXT *f)
{
    f->taskShader = VK_FALSE;
    f->meshShader = VK_FALSE;
}

static VKAPI_ATTR void VKAPI_CALL
get_features(VkPhysicalDevice device, VkPhysicalDeviceFeatures *out)
{
    radv.features(device, out);
    hide_stages(out);
}

static VKAPI_ATTR void VKAPI_CALL
get_features2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2 *out)
{
    radv.features2(device, out);
    hide_stages(&out->features);
    for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext) {
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT)
            hide_transform_feedback(device, (void *)s);
        else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT)
            hide_meshes((void *)s);
    }
}

PFN_vkVoidFunction
radeon_hide_features(const char *name, PFN_vkVoidFunction f)
{
    if (f && strcmp(name, "vkGetPhysicalDeviceProperties") == 0)
        memcpy(&radv.properties, &f, sizeof f);
    if (f && strcmp(name, "vkGetPhysicalDeviceFeatures") == 0) {
        memcpy(&radv.features, &f, sizeof f);
        return (PFN_vkVoidFunction)get_features;
    }
    if (f && (strcmp(name, "vkGetPhysicalDeviceFeatures2") == 0 ||
              strcmp(name, "vkGetPhysicalDeviceFeatures2KHR") == 0)) {
        memcpy(&radv.features2, &f, sizeof f);
        return (PFN_vkVoidFunction)get_features2;
    }
    return f;
}
