/* The functions of libdrm that look for devices: there is one, on a made-up PCI bus. */
#include "radeon.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <xf86drm.h>

enum { AMD_VENDOR = 0x1002, BUS = 3 };

/* What a drmDevicePtr points to; it lives as long as the process. */
typedef struct device_record {
    drmDevice device;
    drmPciBusInfo bus;
    drmPciDeviceInfo pci;
    char *nodes[DRM_NODE_MAX];
} device_record;

static drmDevicePtr
the_device(void)
{
    static device_record record;
    radeon *r = radeon_get();
    record.bus = (drmPciBusInfo){.bus = BUS};
    record.pci = (drmPciDeviceInfo){.vendor_id = AMD_VENDOR, .device_id = r->chip->pci_id};
    record.nodes[DRM_NODE_RENDER] = r->path;
    record.nodes[DRM_NODE_PRIMARY] = r->path;
    record.device = (drmDevice){.nodes = record.nodes,
                                .available_nodes = 1 << DRM_NODE_RENDER,
                                .bustype = DRM_BUS_PCI,
                                .businfo.pci = &record.bus,
                                .deviceinfo.pci = &record.pci};
    return &record.device;
}

static int
get_devices(uint32_t flags, drmDevicePtr devices[], int most)
{
    (void)flags;
    if (devices && most > 0)
        devices[0] = the_device();
    return 1;
}

static int
get_device(int fd, uint32_t flags, drmDevicePtr *device)
{
    (void)fd, (void)flags;
    *device = the_device();
    return 0;
}

static int
get_device_of_id(dev_t id, uint32_t flags, drmDevicePtr *device)
{
    (void)id, (void)flags;
    *device = the_device();
    return 0;
}

static void
free_device(drmDevicePtr *device)
{
    *device = NULL;
}

static void
free_devices(drmDevicePtr devices[], int n)
{
    (void)devices, (void)n;
}

const radeon_import radeon_device_imports[] = {
    {"ioctl", (void (*)(void))radeon_ioctl},
    {"drmGetDevices2", (void (*)(void))get_devices},
    {"drmGetDevice2", (void (*)(void))get_device},
    {"drmGetDeviceFromDevId", (void (*)(void))get_device_of_id},
    {"drmFreeDevice", (void (*)(void))free_device},
    {"drmFreeDevices", (void (*)(void))free_devices},
};
const uint32_t radeon_device_import_count = sizeof radeon_device_imports /
                                            sizeof *radeon_device_imports;
