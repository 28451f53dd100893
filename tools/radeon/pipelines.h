/* Sees the application's calls that are about pipelines. */
#ifndef RADEON_PIPELINES_H
#define RADEON_PIPELINES_H

#include <vulkan/vulkan.h>

/* The function that the application gets in place of RADV's function `f` of this name. */
PFN_vkVoidFunction
radeon_watch_call(const char *name, PFN_vkVoidFunction f);

#endif
