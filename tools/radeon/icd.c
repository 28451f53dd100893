/* The Vulkan driver that the loader sees: Mesa's RADV on this process's Radeon.
 *
 * It loads RADV, turns its imports (imports.c) and passes everything on, but for features that the
 * Radeon lacks (features.c). If it is asked to, it hides the graphics queue family: RADV copies and
 * clears by draws on graphics queues and by compute shaders on others. Then the application's
 * family 0 is RADV's family 1. RADV from 25 on has no other family than the graphics' on gfx6; it is
 * shown always.
 *
 *   HEDDLE_RADEON_DRIVER   the driver's library; libvulkan_radeon.so
 *   HEDDLE_RADEON_QUEUES   `compute`: the graphics family is hidden
 */
#include "pipelines.h"
#include "radeon.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_icd.h>

enum { MAX_FAMILIES = 16 };

/* RADV's own functions. */
static struct {
    pthread_once_t once;
    bool shows_all;
    uint32_t hidden; /* families; known once families were counted */
    PFN_vkGetInstanceProcAddr instance_proc, physical_device_proc;
    VkResult(VKAPI_PTR *negotiate)(uint32_t *version);
    PFN_vkGetDeviceProcAddr device_proc;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties families;
    PFN_vkCreateDevice create_device;
    PFN_vkGetDeviceQueue get_queue;
    PFN_vkGetDeviceQueue2 get_queue2;
    PFN_vkCreateCommandPool create_pool;
} radv = {.once = PTHREAD_ONCE_INIT};

/* ISO C has no conversion between pointers to objects and functions; POSIX has. */
static PFN_vkVoidFunction
find_symbol(void *library, const char *name)
{
    PFN_vkVoidFunction f;
    void *symbol = dlsym(library, name);
    memcpy(&f, &symbol, sizeof f);
    return f;
}

/* Turns ioctl() in libdrm's libraries, which RADV has loaded. */
static void
turn_libdrm(void)
{
    static const char *const libraries[] = {"libdrm.so.2", "libdrm_amdgpu.so.1"};
    for (unsigned k = 0; k < sizeof libraries / sizeof *libraries; k++) {
        void *library = dlopen(libraries[k], RTLD_NOW | RTLD_NOLOAD);
        if (library)
            radeon_turn_imports(library, radeon_device_imports, radeon_device_import_count);
    }
}

static void
load(void)
{
    const char *path = getenv("HEDDLE_RADEON_DRIVER"), *queues = getenv("HEDDLE_RADEON_QUEUES");
    void *library = dlopen(path ? path : "libvulkan_radeon.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "heddle: the Radeon has no driver: %s\n", dlerror());
        return;
    }
    radv.shows_all = !queues || strcmp(queues, "compute") != 0;
    turn_libdrm();
    if (!radeon_turn_imports(library, radeon_device_imports, radeon_device_import_count)) {
        fprintf(stderr, "heddle: the Radeon's driver imports no ioctl()\n");
        return;
    }
    radv.physical_device_proc = (PFN_vkGetInstanceProcAddr)find_symbol(
        library, "vk_icdGetPhysicalDeviceProcAddr");
    radv.negotiate = (VkResult(VKAPI_PTR *)(uint32_t *))find_symbol(
        library, "vk_icdNegotiateLoaderICDInterfaceVersion");
    radv.instance_proc = (PFN_vkGetInstanceProcAddr)find_symbol(library,
                                                                "vk_icdGetInstanceProcAddr");
}

/* ---- the hidden family ---- */

/* Fills `all` with RADV's families and returns how many are left of them behind those that are
 * hidden: the first, if another computes. There is one chip in a process, so all devices agree. */
static uint32_t
read_families(VkPhysicalDevice device, VkQueueFamilyProperties all[MAX_FAMILIES])
{
    uint32_t n = MAX_FAMILIES;
    radv.families(device, &n, all);
    bool others_compute = false;
    for (uint32_t k = 1; k < n; k++)
        others_compute |= (all[k].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0;
    radv.hidden = others_compute && (all[0].queueFlags & VK_QUEUE_GRAPHICS_BIT) ? 1 : 0;
    return n - radv.hidden;
}

uint32_t
radeon_hidden_families(void)
{
    return radv.hidden;
}

static VKAPI_ATTR void VKAPI_CALL
get_families(VkPhysicalDevice device, uint32_t *count, VkQueueFamilyProperties *out)
{
    VkQueueFamilyProperties all[MAX_FAMILIES];
    uint32_t n = read_families(device, all);
    *count = out && *count < n ? *count : n;
    if (out)
        memcpy(out, all + radv.hidden, *count * sizeof *out);
}

/* Structures that an application has chained stay as they are. */
static VKAPI_ATTR void VKAPI_CALL
get_families2(VkPhysicalDevice device, uint32_t *count, VkQueueFamilyProperties2 *out)
{
    VkQueueFamilyProperties all[MAX_FAMILIES];
    uint32_t n = read_families(device, all);
    *count = out && *count < n ? *count : n;
    for (uint32_t k = 0; out && k < *count; k++)
        out[k].queueFamilyProperties = all[k + radv.hidden];
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_device(VkPhysicalDevice device, const VkDeviceCreateInfo *info,
              const VkAllocationCallbacks *allocator, VkDevice *out)
{
    VkDeviceCreateInfo own = *info;
    VkDeviceQueueCreateInfo queues[MAX_FAMILIES];
    VkQueueFamilyProperties all[MAX_FAMILIES];
    read_families(device, all);
    if (own.queueCreateInfoCount > MAX_FAMILIES)
        return VK_ERROR_INITIALIZATION_FAILED;
    for (uint32_t k = 0; k < own.queueCreateInfoCount; k++) {
        queues[k] = info->pQueueCreateInfos[k];
        queues[k].queueFamilyIndex += radv.hidden;
    }
    own.pQueueCreateInfos = queues;
    return radv.create_device(device, &own, allocator, out);
}

static VKAPI_ATTR void VKAPI_CALL
get_queue(VkDevice device, uint32_t family, uint32_t index, VkQueue *out)
{
    radv.get_queue(device, family + radv.hidden, index, out);
}

static VKAPI_ATTR void VKAPI_CALL
get_queue2(VkDevice device, const VkDeviceQueueInfo2 *info, VkQueue *out)
{
    VkDeviceQueueInfo2 own = *info;
    own.queueFamilyIndex += radv.hidden;
    radv.get_queue2(device, &own, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_pool(VkDevice device, const VkCommandPoolCreateInfo *info,
            const VkAllocationCallbacks *allocator, VkCommandPool *out)
{
    VkCommandPoolCreateInfo own = *info;
    own.queueFamilyIndex += radv.hidden;
    return radv.create_pool(device, &own, allocator, out);
}

static PFN_vkVoidFunction VKAPI_PTR
get_device_proc(VkDevice device, const char *name);

/* The function that the application gets in place of RADV's `f`, which is kept. */
static PFN_vkVoidFunction
hide_family(const char *name, PFN_vkVoidFunction f)
{
    const struct {
        const char *name;
        void *own;
        PFN_vkVoidFunction replacement;
    } functions[] = {
        {"vkGetPhysicalDeviceQueueFamilyProperties", &radv.families,
         (PFN_vkVoidFunction)get_families},
        {"vkGetPhysicalDeviceQueueFamilyProperties2", NULL, (PFN_vkVoidFunction)get_families2},
        {"vkGetPhysicalDeviceQueueFamilyProperties2KHR", NULL, (PFN_vkVoidFunction)get_families2},
        {"vkCreateDevice", &radv.create_device, (PFN_vkVoidFunction)create_device},
        {"vkGetDeviceQueue", &radv.get_queue, (PFN_vkVoidFunction)get_queue},
        {"vkGetDeviceQueue2", &radv.get_queue2, (PFN_vkVoidFunction)get_queue2},
        {"vkCreateCommandPool", &radv.create_pool, (PFN_vkVoidFunction)create_pool},
    };
    for (unsigned k = 0; f && !radv.shows_all && k < sizeof functions / sizeof *functions; k++) {
        if (strcmp(name, functions[k].name) == 0) {
            if (functions[k].own)
                memcpy(functions[k].own, &f, sizeof f);
            return functions[k].replacement;
        }
    }
    return f;
}

static PFN_vkVoidFunction
take_over(const char *name, PFN_vkVoidFunction f)
{
    f = radeon_hide_features(name, radeon_watch_call(name, f));
    if (!f || strcmp(name, "vkGetDeviceProcAddr") != 0)
        return hide_family(name, f);
    memcpy(&radv.device_proc, &f, sizeof f);
    return (PFN_vkVoidFunction)get_device_proc;
}

static PFN_vkVoidFunction VKAPI_PTR
get_device_proc(VkDevice device, const char *name)
{
    return take_over(name, radv.device_proc(device, name));
}

/* ---- what the loader calls ---- */

#define EXPORTED __attribute__((visibility("default"))) VKAPI_ATTR

EXPORTED PFN_vkVoidFunction VKAPI_CALL
vk_icdGetInstanceProcAddr(VkInstance instance, const char *name)
{
    pthread_once(&radv.once, load);
    if (!radv.instance_proc)
        return NULL;
    if (instance && !radv.families)
        radv.families = (PFN_vkGetPhysicalDeviceQueueFamilyProperties)radv.instance_proc(
            instance, "vkGetPhysicalDeviceQueueFamilyProperties");
    return take_over(name, radv.instance_proc(instance, name));
}

EXPORTED PFN_vkVoidFunction VKAPI_CALL
vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *name)
{
    pthread_once(&radv.once, load);
    return radv.physical_device_proc ? take_over(name, radv.physical_device_proc(instance, name))
                                     : NULL;
}

EXPORTED VkResult VKAPI_CALL
vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
    pthread_once(&radv.once, load);
    return radv.negotiate ? radv.negotiate(version) : VK_ERROR_INITIALIZATION_FAILED;
}
