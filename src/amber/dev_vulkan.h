/* A Vulkan driver as a device: the reference that every emulator is compared with. */
#ifndef AMBER_DEV_VULKAN_H
#define AMBER_DEV_VULKAN_H

#include "amber/device.h"

/* Opens the first device with a compute queue that the system's Vulkan loader (libvulkan.so.1)
 * offers. All features that it has are enabled. NULL with a message where there is none, or where
 * Heddle was built without the Vulkan headers. The state lives in `a`, which must outlive it. */
amber_device *
amber_vulkan_open(arena *a, const char **message);

/* Names the driver and its version, in `a`: what a result of `d`, opened as above, depends on. */
const char *
amber_vulkan_driver(arena *a, const amber_device *d);

#endif
