/* What the device is: DRM_AMDGPU_INFO, and the requests that identify it. */
#include "radeon.h"

#include <amdgpu_drm.h>
#include <drm.h>

#include <errno.h>
#include <stddef.h>
#include <string.h>

/* The kernel interface's version: 3.64 is Linux 6.17's. Mesa 26 refuses those before 3.54. */
enum { MAJOR = 3, MINOR = 64 };

/* Queries that are newer than Debian 12's header (Linux 6.11's amdgpu_drm.h). */
enum { INFO_MAX_IBS = 0x22, IBS_OF_JOB = 50 };

enum { CLOCK_KHZ = 100000, ENGINE_KHZ = 1000000 };
#define HEAP_BYTES (UINT64_C(4) << 30)

/* What struct drm_amdgpu_info_device has behind tcc_disabled_mask in newer headers. */
typedef struct device_tail {
    uint64_t min_engine_clock, min_memory_clock;
    uint32_t tcp_kib, sqc_of_wgp, sqc_data_kib, sqc_inst_kib, gl1_kib, gl2_kib;
    uint64_t last_level_bytes;
    uint32_t backends_mask_high, shadow_size, shadow_alignment, csa_size, csa_alignment;
    uint32_t user_queues, pad;
} device_tail;

/* AMDGPU_IDS_FLAGS_FUSION: the processor's memory; CONFORMANT_TRUNC_COORD on gfx11 and gfx12. */
static uint64_t
id_flags(const gpu_chip *c)
{
    return (gpu_chip_is_integrated(c) ? 1u : 0) | (c->gen >= AMD_GFX11 ? 8u : 0);
}

static void
set_units(const gpu_chip *c, struct drm_amdgpu_info_device *d)
{
    enum { ENGINES_OF_ROW = 4 };
    d->num_shader_engines = c->engines;
    d->num_shader_arrays_per_engine = c->arrays;
    d->cu_active_number = gpu_chip_compute_units(c);
    d->num_cu_per_sh = c->cus;
    d->enabled_rb_pipes_mask = (uint32_t)((UINT64_C(1) << c->backends) - 1);
    d->num_rb_pipes = c->backends;
    d->num_tcc_blocks = c->l2_channels;
    for (uint32_t e = 0; e < c->engines; e++) {
        for (uint32_t a = 0; a < c->arrays; a++)
            d->cu_bitmap[e % ENGINES_OF_ROW][e / ENGINES_OF_ROW * 2 + a] = (1u << c->cus) - 1;
    }
}

/* Addresses: up to gfx8 40 bits below the hole, from gfx9 on 47 bits on both sides of it, as the
 * kernel's amdgpu_vm gives them. */
static void
set_addresses(const gpu_chip *c, struct drm_amdgpu_info_device *d)
{
    bool high = c->gen >= AMD_GFX9;
    d->virtual_address_offset = 0x200000;
    d->virtual_address_max = high ? UINT64_C(0x800000000000) : UINT64_C(0x10000000000);
    d->virtual_address_alignment = 4096;
    d->pte_fragment_size = 0x200000;
    d->gart_page_size = 4096;
    if (high) {
        d->high_va_offset = UINT64_C(0xffff800000000000);
        d->high_va_max = UINT64_C(0xffffffffffe00000);
    }
}

static size_t
device_info(const gpu_chip *c, uint8_t out[1024])
{
    enum { TAIL = offsetof(struct drm_amdgpu_info_device, tcc_disabled_mask) + 8 };
    struct drm_amdgpu_info_device d = {
        .device_id = c->pci_id,
        .external_rev = c->external_revision,
        .family = (uint32_t)c->family,
        .gpu_counter_freq = CLOCK_KHZ,
        .max_engine_clock = ENGINE_KHZ,
        .max_memory_clock = ENGINE_KHZ,
        .num_hw_gfx_contexts = 8,
        .ids_flags = id_flags(c),
        .vram_type = (uint32_t)c->vram,
        .vram_bit_width = c->bus_bits,
        .gc_double_offchip_lds_buf = c->gen < AMD_GFX11,
        .wave_front_size = c->gen >= AMD_GFX10 ? 32 : 64,
        .num_shader_visible_vgprs = c->vgprs,
        .gs_vgt_table_depth = 32,
        .gs_prim_buffer_depth = 1792,
        .max_gs_waves_per_vgt = 32,
    };
    device_tail t = {.min_engine_clock = ENGINE_KHZ / 2,
                     .min_memory_clock = ENGINE_KHZ / 10,
                     .last_level_bytes = (uint64_t)c->last_level_mib << 20};
    set_units(c, &d);
    set_addresses(c, &d);
    if (c->gen >= AMD_GFX11) {
        t.tcp_kib = t.sqc_inst_kib = 32;
        t.sqc_of_wgp = 1;
        t.sqc_data_kib = 16;
        t.gl1_kib = 256;
        t.gl2_kib = c->l2_kib;
    }
    memcpy(out, &d, TAIL);
    memcpy(out + TAIL, &t, sizeof t);
    return TAIL + sizeof t;
}

/* A kind of rings: its version for drivers, and how many there are. */
typedef struct ring_kind {
    uint8_t major, minor;
    uint32_t discovery; /* the version as newer kernels find it; 0: they do not */
    uint32_t rings;     /* a bit each */
    uint32_t start_alignment, size_alignment;
} ring_kind;

static ring_kind
shader_rings(const gpu_chip *c, uint32_t type)
{
    static const uint8_t major[AMD_GEN_COUNT] = {
        [AMD_GFX6] = 6,   [AMD_GFX7] = 7,     [AMD_GFX8] = 8,   [AMD_GFX9] = 9,
        [AMD_GFX908] = 9, [AMD_GFX90A] = 9,   [AMD_GFX942] = 9, [AMD_GFX950] = 9,
        [AMD_GFX10] = 10, [AMD_GFX10_3] = 10, [AMD_GFX11] = 11, [AMD_GFX11_5] = 11,
        [AMD_GFX12] = 12};
    bool third = c->gen == AMD_GFX7 || c->gen == AMD_GFX10_3;
    return (ring_kind){.major = major[c->gen],
                       .minor = third ? 3 : c->gen == AMD_GFX10,
                       .discovery = c->ip_version,
                       .rings = type == AMDGPU_HW_IP_GFX ? 1 : (1u << GPU_RINGS_OF_KIND) - 1,
                       .start_alignment = 32,
                       .size_alignment = 32};
}

/* The copy engines, SDMA. */
static ring_kind
copy_rings(const gpu_chip *c)
{
    return (ring_kind){.major = c->sdma_version >> 16,
                       .minor = c->sdma_version >> 8 & 0xff,
                       .discovery = c->ip_version ? c->sdma_version : 0,
                       .rings = c->sdma_version ? 3 : 0,
                       .start_alignment = 256,
                       .size_alignment = 4};
}

static ring_kind
rings_of(const gpu_chip *c, uint32_t type)
{
    switch (type) {
    case AMDGPU_HW_IP_GFX:
    case AMDGPU_HW_IP_COMPUTE: return shader_rings(c, type);
    case AMDGPU_HW_IP_DMA: return copy_rings(c);
    default: return (ring_kind){0};
    }
}

static size_t
ring_info(const gpu_chip *c, uint32_t type, uint8_t *out)
{
    const ring_kind k = rings_of(c, type);
    const struct drm_amdgpu_info_hw_ip ip = {.hw_ip_version_major = k.major,
                                             .hw_ip_version_minor = k.minor,
                                             .ib_start_alignment = k.start_alignment,
                                             .ib_size_alignment = k.size_alignment,
                                             .available_rings = k.rings};
    uint32_t words[sizeof ip / 4];
    memcpy(words, &ip, sizeof ip);
    words[sizeof ip / 4 - 1] = k.discovery; /* ip_discovery_version; was padding */
    memcpy(out, words, sizeof words);
    return sizeof words;
}

static void
set_heap(struct drm_amdgpu_heap_info *h)
{
    h->total_heap_size = HEAP_BYTES;
    h->usable_heap_size = HEAP_BYTES;
    h->max_allocation = HEAP_BYTES / 4 * 3;
}

static size_t
memory_info(uint8_t *out)
{
    struct drm_amdgpu_memory_info m = {0};
    set_heap(&m.vram);
    set_heap(&m.cpu_accessible_vram);
    set_heap(&m.gtt);
    memcpy(out, &m, sizeof m);
    return sizeof m;
}

/* Versions that are new enough for every packet that drivers make depend on them. */
static size_t
firmware_info(const gpu_chip *c, uint8_t *out)
{
    const struct drm_amdgpu_info_firmware f = {.ver = c->gen >= AMD_GFX11 ? 3000 : 1000,
                                               .feature = 60};
    memcpy(out, &f, sizeof f);
    return sizeof f;
}

static size_t
registers(const gpu_chip *c, const struct drm_amdgpu_info *q, uint8_t *out)
{
    uint32_t n = q->read_mmr_reg.count;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t v = radeon_tiling_register(c, q->read_mmr_reg.dword_offset + k);
        memcpy(out + 4 * k, &v, 4);
    }
    return 4 * (size_t)n;
}

/* Fills `out`, which is zero, and returns the size; 0: the kernel has no such query. */
static size_t
answer(const gpu_chip *c, const struct drm_amdgpu_info *q, uint8_t out[1024])
{
    uint32_t one = 1;
    uint64_t number = HEAP_BYTES;
    switch (q->query) {
    case AMDGPU_INFO_ACCEL_WORKING: memcpy(out, &one, 4); return 4;
    case AMDGPU_INFO_HW_IP_INFO: return ring_info(c, q->query_hw_ip.type, out);
    case AMDGPU_INFO_HW_IP_COUNT:
        one = rings_of(c, q->query_hw_ip.type).rings != 0;
        memcpy(out, &one, 4);
        return 4;
    case AMDGPU_INFO_TIMESTAMP:
        number = gpu_device_clock();
        memcpy(out, &number, 8);
        return 8;
    case AMDGPU_INFO_FW_VERSION: return firmware_info(c, out);
    case AMDGPU_INFO_VRAM_GTT:
        for (unsigned k = 0; k < 3; k++)
            memcpy(out + 8 * k, &number, 8);
        return 24;
    case AMDGPU_INFO_READ_MMR_REG: return q->read_mmr_reg.count > 256 ? 0 : registers(c, q, out);
    case AMDGPU_INFO_DEV_INFO: return device_info(c, out);
    case AMDGPU_INFO_MEMORY: return memory_info(out);
    case INFO_MAX_IBS:
        for (unsigned k = 0; k < 16; k++)
            memcpy(out + 4 * k, &(uint32_t){IBS_OF_JOB}, 4);
        return 64;
    /* numbers that are 0 */
    case AMDGPU_INFO_NUM_BYTES_MOVED:
    case AMDGPU_INFO_VRAM_USAGE:
    case AMDGPU_INFO_GTT_USAGE:
    case AMDGPU_INFO_VIS_VRAM_USAGE:
    case AMDGPU_INFO_NUM_EVICTIONS:
    case AMDGPU_INFO_NUM_VRAM_CPU_PAGE_FAULTS:
    case AMDGPU_INFO_RAS_ENABLED_FEATURES: return 8;
    case AMDGPU_INFO_VRAM_LOST_COUNTER:
    case AMDGPU_INFO_SENSOR: return 4;
    case AMDGPU_INFO_GDS_CONFIG: return sizeof(struct drm_amdgpu_info_gds);
    case AMDGPU_INFO_VIDEO_CAPS: return sizeof(struct drm_amdgpu_info_video_caps);
    default: return 0;
    }
}

int
radeon_info(radeon *r, void *argument)
{
    const struct drm_amdgpu_info *q = argument;
    uint8_t out[1024] = {0};
    size_t n = answer(r->chip, q, out);
    if (!n)
        return -EINVAL;
    n = n < q->return_size ? n : q->return_size;
    return radeon_copy_out(q->return_pointer, out, n) ? 0 : -EFAULT;
}

/* The kernel copies as much as there is room for, and says how much there is. */
static bool
give_text(const char *to, __kernel_size_t *size, const char *text)
{
    size_t n = strlen(text), room = n < *size ? n : *size;
    *size = n;
    return !to || radeon_copy_out((uintptr_t)to, text, room);
}

int
radeon_version(radeon *r, void *argument)
{
    struct drm_version *v = argument;
    (void)r;
    v->version_major = MAJOR;
    v->version_minor = MINOR;
    v->version_patchlevel = 0;
    bool ok = give_text(v->name, &v->name_len, "amdgpu") &&
              give_text(v->date, &v->date_len, "20150101") &&
              give_text(v->desc, &v->desc_len, "AMD GPU");
    return ok ? 0 : -EFAULT;
}

int
radeon_get_cap(radeon *r, void *argument)
{
    struct drm_get_cap *c = argument;
    (void)r;
    c->value = c->capability == DRM_CAP_SYNCOBJ || c->capability == DRM_CAP_SYNCOBJ_TIMELINE;
    return 0;
}

int
radeon_get_client(radeon *r, void *argument)
{
    struct drm_client *c = argument;
    (void)r;
    if (c->idx)
        return -EINVAL;
    c->auth = 1;
    return 0;
}
