/* Replacement for the Vulkan device if the Vulkan headers were missing when Heddle was built. */
#include "amber/dev_vulkan.h"

amber_device *
amber_vulkan_open(arena *a, const char **message)
{
    (void)a;
    *message = "built without the Vulkan headers";
    return NULL;
}

const char *
amber_vulkan_driver(arena *a, const amber_device *d)
{
    (void)a;
    (void)d;
    return "none";
}
