/* Sees the application's calls that are about pipelines, and changes what it hears of features. */
#ifndef RADEON_PIPELINES_H
#define RADEON_PIPELINES_H

#include <vulkan/vulkan.h>

/* The function that the application gets in place of RADV's function `f` of this name. Without
 * checkers, captures and sums it is `f`: nobody asks, and making pipelines takes RADV's time alone. */
PFN_vkVoidFunction
radeon_watch_call(const char *name, PFN_vkVoidFunction f);

/* The same for what says which features there are (features.c). */
PFN_vkVoidFunction
radeon_hide_features(const char *name, PFN_vkVoidFunction f);

/* RADV's queue families that the application does not see: its first compute family is that of this
 * number. */
uint32_t
radeon_hidden_families(void);

#endif
