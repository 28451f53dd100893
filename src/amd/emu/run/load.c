/* Loads code objects into memory and decodes register words into dispatches. Sources: LLVM 19,
 * docs/AMDGPUUsage.rst ("Kernel Descriptor", "Initial Kernel Execution State", "Code Object V5
 * Metadata"); register fields of COMPUTE_PGM_RSRC1 and 2. */
#include "amd/emu/run/load.h"

#include "amd/emu/core/gens.h"
#include "base/bits.h"

#include <string.h>

/* DYNAMIC_STACK: bytes of stack added to the kernel's own if the compiler could not know how much
 * its calls need (USES_DYNAMIC_STACK in the kernel's properties). The runtime chooses this
 * number. */
enum { LOAD_ALIGN = 4096, DYNAMIC_STACK = 4096, MAX_AGPRS = 256 };
enum { LARGEST_ARGUMENTS = 1 << 24 }; /* in bytes; more is absurd */

bool
amd_emu_load(mach_memory *m, const obj_file *file, uint64_t *base)
{
    uint64_t size = 0;
    for (uint32_t s = 0; s < file->n_segments; s++) {
        uint64_t end = file->segments[s].address + file->segments[s].memory_size;
        size = end > size ? end : size;
    }
    if (size > UINT64_C(1) << 32)
        return false;
    const mach_region *r = mach_memory_alloc(m, MACH_HEAP_LOW, size, LOAD_ALIGN, "code object");
    if (!r)
        return false;
    for (uint32_t s = 0; s < file->n_segments; s++)
        memcpy(r->host + file->segments[s].address, file->segments[s].bytes,
               (size_t)file->segments[s].size);
    for (uint32_t k = 0; k < file->n_relocs; k++) {
        const obj_reloc *o = &file->relocs[k];
        uint64_t v = o->addend + (o->is_relative ? r->base : 0);
        if (o->address <= r->size && o->size <= r->size - o->address)
            memcpy(r->host + o->address, &v, o->size);
    }
    *base = r->base;
    return true;
}

/* Bits [high, low]. */
static uint32_t
bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & (uint32_t)base_mask64(high - low + 1);
}

/* The words give numbers in granules, minus one. */
void
amd_emu_set_counts(amd_emu_dispatch *d, const uint32_t rsrc[3])
{
    const emu_gen *g = amd_emu_gen_of(d->gen);
    uint32_t vgprs = (bits(rsrc[0], 5, 0) + 1) * g->vgpr_granule[d->wave_size == 64];
    uint32_t sgprs = (bits(rsrc[0], 9, 6) + 1) * g->sgpr_granule;
    /* gfx9 counts in units of 16, but always sets the lowest bit to 0 */
    if (g->sgpr_granule == 16)
        sgprs = (bits(rsrc[0], 9, 6) / 2 + 1) * 16;
    vgprs = vgprs > g->max_vgprs ? g->max_vgprs : vgprs;
    uint32_t vectors = g->accum_offset ? (bits(rsrc[2], 5, 0) + 1) * 4 : vgprs;
    d->n_vgprs = vectors < vgprs ? vectors : vgprs;
    d->n_shared_vgprs = g->shared_vgprs && d->wave_size == 64 ? bits(rsrc[2], 3, 0) * 8 : 0;
    if (d->n_shared_vgprs > g->max_vgprs - d->n_vgprs)
        d->n_shared_vgprs = g->max_vgprs - d->n_vgprs;
    d->n_agprs = !g->agprs ? 0 : g->accum_offset ? vgprs - d->n_vgprs : vgprs;
    d->n_agprs = d->n_agprs > MAX_AGPRS ? MAX_AGPRS : d->n_agprs; /* there are no higher numbers */
    d->n_sgprs = sgprs && sgprs < g->max_sgprs ? sgprs : g->max_sgprs;
}

void
amd_emu_set_words(amd_emu_dispatch *d, const uint32_t rsrc[3])
{
    const emu_gen *g = amd_emu_gen_of(d->gen);
    uint32_t r1 = rsrc[0], r2 = rsrc[1];
    amd_emu_set_counts(d, rsrc);
    d->one_unit = d->gen >= AMD_GFX10 && !bits(r1, 29, 29);
    d->n_user_sgprs = bits(r2, 5, 1);
    d->scratch_wave_offset = bits(r2, 0, 0);
    for (unsigned a = 0; a < 3; a++)
        d->workgroup_id[a] = bits(r2, 7 + a, 7 + a);
    d->workgroup_info = bits(r2, 10, 10);
    d->workitem_ids = bits(r2, 12, 11) > 2 ? 2 : bits(r2, 12, 11);
    d->mode = bits(r1, 19, 12);
    d->mode |= g->clamp_bits ? bits(r1, 21, 21) << 8 | bits(r1, 23, 23) << 9 : 3u << 8;
    d->mode |= g->fp16_ovfl ? bits(r1, 26, 26) << 23 : 0;
}

bool
amd_emu_set_up(amd_emu_dispatch *d, const obj_code *k, uint64_t base)
{
    const amd_obj_state *s = amd_obj_state_of(k);
    if (!amd_gen_find(k->target, &d->gen))
        return false;
    d->packed_d16 = !strncmp(k->target, "gfx810", strlen("gfx810"));
    d->may_retry = amd_obj_may_retry(k->target, k->abi);
    d->wave_size = k->wave_size;
    amd_emu_set_words(d, s->rsrc);
    d->entry = base + k->entry_address;
    d->lds_bytes = k->lds_bytes;
    d->scratch_bytes = k->scratch_bytes;
    if (s->dynamic_stack)
        d->scratch_bytes += k->scratch_bytes > UINT32_MAX - DYNAMIC_STACK ? 0 : DYNAMIC_STACK;
    return true;
}

/* The user SGPRs for `kind` (with this index, if the kind has one), to be filled by the caller;
 * NULL if the kernel has none. `*count` (may be NULL) gets their number. */
static uint32_t *
user_registers(amd_emu_dispatch *d, const obj_code *kernel, amd_obj_user_kind kind, uint32_t index,
               uint32_t *count)
{
    const amd_obj_state *s = amd_obj_state_of(kernel);
    for (uint32_t k = 0; k < s->n_user_sgprs; k++) {
        const amd_obj_user_sgpr *u = &s->user_sgprs[k];
        if (u->kind != kind || u->index != index ||
            (uint64_t)u->first_sgpr + u->count > AMD_EMU_MAX_USER_SGPRS)
            continue;
        if (count)
            *count = u->count;
        return d->user_sgprs + u->first_sgpr;
    }
    return NULL;
}

static void
put64(uint32_t *at, uint64_t v)
{
    if (at) {
        at[0] = (uint32_t)v;
        at[1] = (uint32_t)(v >> 32);
    }
}

/* The scratch buffer descriptor that the HSA runtime makes: swizzled by dwords, adds the lane
 * number, no bounds. Before gfx10 it has element size 4 and the format of 32-bit unsigned integers;
 * on gfx8 and gfx9 the format's field holds bits of the stride, which is 0 (LLVM 19,
 * SIInstrInfo::getScratchRsrcWords23). */
static void
put_scratch_descriptor(uint32_t *at, amd_gen gen, uint32_t wave_size)
{
    if (!at)
        return;
    uint32_t common = 4u | 5u << 3 | 6u << 6 | 7u << 9 | (wave_size == 64 ? 3u : 2u) << 21 |
                      1u << 23;
    put64(at, AMD_EMU_SCRATCH_BASE | UINT64_C(1) << 63);
    at[2] = UINT32_MAX;
    if (gen >= AMD_GFX10)
        at[3] = common | 1u << 24 | 2u << 28;
    else if (gen >= AMD_GFX9)
        at[3] = common | 4u << 12;
    else
        at[3] = common | 4u << 12 | 1u << 19 | (gen < AMD_GFX8 ? 4u << 15 : 0);
}

static uint64_t
grid_dims(const amd_emu_dispatch *d)
{
    if (d->grid_groups[2] > 1 || d->group_size[2] > 1)
        return 3;
    return d->grid_groups[1] > 1 || d->group_size[1] > 1 ? 2 : 1;
}

/* The AQL dispatch packet ("HSA Platform System Architecture", 2.9.6): sizes in work items. */
static bool
put_packet(uint32_t *at, const amd_emu_dispatch *d, mach_memory *m, uint64_t kernarg)
{
    if (!at)
        return true;
    const mach_region *r = mach_memory_alloc(m, MACH_HEAP_LOW, 64, 64, "dispatch packet");
    if (!r)
        return false;
    const uint16_t header = 2, setup = (uint16_t)grid_dims(d); /* a kernel dispatch */
    memcpy(r->host, &header, 2);
    memcpy(r->host + 2, &setup, 2);
    for (unsigned a = 0; a < 3; a++) {
        uint16_t group = (uint16_t)d->group_size[a];
        uint32_t grid = d->grid_items[a] ? d->grid_items[a] : d->group_size[a] * d->grid_groups[a];
        memcpy(r->host + 4 + 2 * a, &group, 2);
        memcpy(r->host + 12 + 4 * a, &grid, 4);
    }
    memcpy(r->host + 24, &d->scratch_bytes, 4);
    memcpy(r->host + 28, &d->lds_bytes, 4);
    memcpy(r->host + 40, &kernarg, 8);
    put64(at, r->base);
    return true;
}

/* The queue's descriptor (amd_queue_t in ROCm's amd_hsa_queue.h). Code for processors without
 * aperture registers takes the apertures' high halves from it (AMDGPUUsage, "Flat Scratch" and
 * "Address Spaces"). */
enum { QUEUE_SIZE = 256, QUEUE_GROUP_APERTURE = 0x40, QUEUE_PRIVATE_APERTURE = 0x44 };

static uint64_t
make_queue(mach_memory *m)
{
    const mach_region *r = mach_memory_alloc(m, MACH_HEAP_LOW, QUEUE_SIZE, 64, "queue descriptor");
    const uint32_t group = AMD_EMU_SHARED_BASE >> 32, private = AMD_EMU_PRIVATE_BASE >> 32;
    if (!r)
        return 0;
    memcpy(r->host + QUEUE_GROUP_APERTURE, &group, 4);
    memcpy(r->host + QUEUE_PRIVATE_APERTURE, &private, 4);
    return r->base;
}

/* The value of a hidden argument that exists for each dimension. */
static uint64_t
hidden_of_axis(const amd_emu_dispatch *d, unsigned kind, unsigned axis)
{
    uint32_t items = d->grid_items[axis], group = d->group_size[axis];
    switch (kind) {
    case 0: return items ? items / group : d->grid_groups[axis];
    case 1: return group;
    case 2: return items % group;
    default: return d->grid_offset[axis];
    }
}

/* The value of a hidden argument, by its kind ("Code Object V3 Kernel Argument Metadata Map" and
 * V5's additions). Arguments for services of a runtime (printf, hostcall, heap, device enqueue,
 * multi-grid synchronisation) stay 0, as in a runtime that does not offer them. */
static uint64_t
hidden_value(const amd_emu_dispatch *d, const obj_code *k, uint64_t queue, const char *kind)
{
    static const char *const prefixes[] = {"hidden_block_count_", "hidden_group_size_",
                                           "hidden_remainder_", "hidden_global_offset_"};
    for (unsigned p = 0; p < 4; p++) {
        size_t n = strlen(prefixes[p]);
        if (!strncmp(kind, prefixes[p], n) && kind[n] >= 'x' && kind[n] <= 'z')
            return hidden_of_axis(d, p, (unsigned)(kind[n] - 'x'));
    }
    if (!strcmp(kind, "hidden_grid_dims"))
        return grid_dims(d);
    if (!strcmp(kind, "hidden_dynamic_lds_size"))
        return d->lds_bytes > k->lds_bytes ? d->lds_bytes - k->lds_bytes : 0;
    if (!strcmp(kind, "hidden_private_base"))
        return AMD_EMU_PRIVATE_BASE >> 32;
    if (!strcmp(kind, "hidden_shared_base"))
        return AMD_EMU_SHARED_BASE >> 32;
    return !strcmp(kind, "hidden_queue_ptr") ? queue : 0;
}

/* The `count` user SGPRs of a kind, or NULL if the kernel has fewer of them. */
static uint32_t *
user(amd_emu_dispatch *d, const obj_code *k, amd_obj_user_kind kind, uint32_t count)
{
    uint32_t has = 0;
    uint32_t *at = user_registers(d, k, kind, 0, &has);
    return has < count ? NULL : at;
}

bool
amd_emu_set_up_hsa(amd_emu_dispatch *d, const obj_code *k, mach_memory *m, const void *args,
                   size_t size)
{
    size_t bytes = k->args_size > size ? k->args_size : size;
    if (bytes > LARGEST_ARGUMENTS)
        return false;
    mach_region *r = mach_memory_alloc(m, MACH_HEAP_LOW, bytes, 64, "kernel arguments");
    if (!r)
        return false;
    if (size)
        memcpy(r->host, args, size);
    uint64_t queue = make_queue(m);
    for (uint32_t a = 0; a < k->n_args; a++) {
        const obj_arg *arg = &k->args[a];
        uint64_t v = hidden_value(d, k, queue, arg->kind);
        if (!strncmp(arg->kind, "hidden_", 7) && (uint64_t)arg->offset + arg->size <= bytes)
            memcpy(r->host + arg->offset, &v, arg->size > 8 ? 8 : arg->size);
    }
    put64(user(d, k, AMD_OBJ_USER_QUEUE_POINTER, 2), queue);
    put64(user(d, k, AMD_OBJ_USER_KERNARG_POINTER, 2), r->base);
    /* gfx7, gfx8: the offset of the scratch memory from the aperture's, and a lane's size */
    put64(user(d, k, AMD_OBJ_USER_FLAT_SCRATCH_INIT, 2),
          amd_emu_gen_of(d->gen)->flat_scratch == EMU_FS_OFFSET ? (uint64_t)d->scratch_bytes << 32
                                                                : AMD_EMU_SCRATCH_BASE);
    put64(user(d, k, AMD_OBJ_USER_DISPATCH_ID, 2), 0);
    put_scratch_descriptor(user(d, k, AMD_OBJ_USER_PRIVATE_SEGMENT_BUFFER, 4), d->gen,
                           d->wave_size);
    uint32_t *private_size = user(d, k, AMD_OBJ_USER_PRIVATE_SEGMENT_SIZE, 1);
    if (private_size)
        *private_size = d->scratch_bytes;
    return put_packet(user(d, k, AMD_OBJ_USER_DISPATCH_POINTER, 2), d, m, r->base);
}
