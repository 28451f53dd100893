/* A Vulkan driver as a device: the reference for all emulators. */
#ifndef AMBER_DEV_VULKAN_H
#define AMBER_DEV_VULKAN_H

#include "amber/device.h"

/* Opens the first device with a compute queue that the system's Vulkan loader (libvulkan.so.1)
 * offers, with all its features enabled. Returns NULL and a message if there is none, or if Heddle
 * was built without the Vulkan headers. The device's state is in `a`, which must outlive it. */
amber_device *
amber_vulkan_open(arena *a, const char **message);

/* Returns the driver's name and version, allocated in `a`, which results of `d` (opened as above)
 * depend on. */
const char *
amber_vulkan_driver(arena *a, const amber_device *d);

#endif
