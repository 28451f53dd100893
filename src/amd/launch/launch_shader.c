/* Launches a compiled shader as a driver does: puts code and descriptor sets into memory, and fills
 * the user SGPRs that the program's arguments request (docs/abi.md, the default layout). */
#include "amd/emu/run/load.h"
#include "amd/launch/arguments.h"
#include "amd/launch/descriptors.h"
#include "amd/launch/launch.h"
#include "family/launch.h"

#include <string.h>

mach_region *
amd_launch_allocate(amd_launch *r, mach_heap heap, uint64_t size, const char *name)
{
    return family_allocate(r->c, r->memory, heap, size, name);
}

/* ---- descriptor sets ---- */

/* Writes the descriptor, of at most `room` bytes. Returns false if the hardware has none. */
static bool
write_descriptor(amd_gen gen, const family_resource *b, uint8_t *at, uint32_t room)
{
    uint32_t words[16] = {0};
    bool ok = true;
    if (b->sampler)
        amd_desc_sampler(
            gen, b->kind == FAMILY_SAMPLER ? words : words + AMD_COMBINED_SAMPLER_OFFSET / 4,
            b->sampler);
    switch (b->kind) {
    case FAMILY_IMAGE: ok = amd_desc_image(gen, words, b->address, b->image); break;
    case FAMILY_TEXEL_BUFFER:
        ok = b->image && amd_desc_texel_buffer(gen, words, b->address, b->image);
        break;
    case FAMILY_BUFFER: amd_desc_buffer(gen, words, b->address, b->size); break;
    case FAMILY_SAMPLER: break;
    case FAMILY_ACCEL: ok = false; break; /* ray queries are not compiled */
    }
    if (ok)
        memcpy(at, words, room < sizeof words ? room : sizeof words);
    return ok;
}

/* Makes the descriptor sets. Returns the number of the first resource that has no descriptor, or
 * UINT32_MAX. */
uint32_t
amd_launch_put_sets(amd_launch *r)
{
    const family_shader *s = r->shader;
    /* In hsa, addresses are full: there is no heap with a known high half. */
    mach_heap heap = s->abi == OBJ_ABI_HSA ? MACH_HEAP_LOW : MACH_HEAP_SET;
    for (size_t i = 0; i < s->layout->n_bindings; i++)
        if (s->layout->bindings[i].set >= r->set_count)
            r->set_count = s->layout->bindings[i].set + 1;
    mach_region **sets = ARENA_ARRAY(r->c->arena, r->set_count, mach_region *);
    r->set_addresses = ARENA_ARRAY(r->c->arena, r->set_count, uint64_t);
    for (uint32_t k = 0; k < r->set_count; k++) {
        uint32_t size = family_set_size(s->layout, k);
        if (size) {
            sets[k] = amd_launch_allocate(r, heap, size, "descriptor set");
            r->set_addresses[k] = sets[k]->base;
        }
    }
    for (uint32_t i = 0; i < s->n_resources; i++) {
        const family_resource *b = &s->resources[i];
        const family_binding *place = family_find_binding(s->layout, b->set, b->binding);
        uint64_t offset;
        if (!place)
            continue;
        offset = place->offset + (uint64_t)b->element * place->stride;
        if (offset + place->stride <= sets[b->set]->size &&
            !write_descriptor(r->target->gen, b, sets[b->set]->host + offset, place->stride))
            return i;
    }
    return UINT32_MAX;
}

void
amd_launch_put_push_constants(amd_launch *r)
{
    uint32_t size = r->shader->push_size;
    if (!size)
        return;
    r->push = amd_launch_allocate(r, MACH_HEAP_SET, (size + 3) & ~3u, "push constants");
    memcpy(r->push->host, r->shader->push, size);
}

uint64_t
amd_launch_put_code(amd_launch *r)
{
    const obj_code *code = &r->shader->binary->code;
    return family_put_code(r->c, r->memory, code->code, code->code_size)->base;
}

/* ---- registers ---- */

/* The low half of the address of a table of set pointers. */
static uint32_t
put_set_table(amd_launch *r)
{
    mach_region *table = amd_launch_allocate(r, MACH_HEAP_SET, (uint64_t)r->set_count * 4,
                                             "table of descriptor sets");
    for (uint32_t s = 0; s < r->set_count; s++)
        for (unsigned i = 0; i < 4; i++)
            table->host[4 * s + i] = (uint8_t)(r->set_addresses[s] >> 8 * i);
    return (uint32_t)table->base;
}

/* Dword `n` of the push constants; 0 if the script does not set it. */
static uint32_t
push_dword(const amd_launch *r, uint32_t n)
{
    uint32_t v = 0;
    for (uint32_t i = 0; i < 4; i++)
        if (4 * n + i < r->shader->push_size)
            v |= (uint32_t)r->shader->push[4 * n + i] << 8 * i;
    return v;
}

bool
amd_launch_give(amd_launch *r, const amd_arg *a, uint32_t *s)
{
    switch ((amd_arg_kind)a->kind) {
    case AMD_ARG_DESCRIPTOR_SET:
        *s = a->index < r->set_count ? (uint32_t)r->set_addresses[a->index] : 0;
        return true;
    case AMD_ARG_SET_TABLE: *s = put_set_table(r); return true;
    case AMD_ARG_PUSH_INLINE:
        for (uint32_t i = 0; i < a->count; i++)
            s[i] = push_dword(r, a->index + i);
        return true;
    case AMD_ARG_PUSH_POINTER: *s = r->push ? (uint32_t)r->push->base : 0; return true;
    case AMD_ARG_SCRATCH:
        s[0] = (uint32_t)AMD_EMU_SCRATCH_BASE;
        s[1] = (uint32_t)(AMD_EMU_SCRATCH_BASE >> 32);
        return true;
    default: return false;
    }
}

static void
set_argument(amd_launch *r, const amd_arg *a)
{
    amd_emu_dispatch *d = r->dispatch;
    uint32_t *s = &d->user_sgprs[a->reg % AMD_EMU_MAX_USER_SGPRS];
    switch ((amd_arg_kind)a->kind) {
    case AMD_ARG_WORKGROUP_COUNT: memcpy(s, r->asked->groups, sizeof r->asked->groups); break;
    case AMD_ARG_WORKGROUP_ID: d->workgroup_id[a->index] = true; break;
    case AMD_ARG_WORKGROUP_ID_YZ: d->workgroup_id[1] = d->workgroup_id[2] = true; break;
    case AMD_ARG_WORKGROUP_INFO: d->workgroup_info = true; break;
    case AMD_ARG_SCRATCH_OFFSET: d->scratch_wave_offset = true; break;
    case AMD_ARG_LOCAL_ID:
        d->workitem_ids = a->index > d->workitem_ids ? a->index : d->workitem_ids;
        break;
    default: amd_launch_give(r, a, s); break;
    }
}

/* Does what a driver of the vulkan ABI does. */
static void
launch_vulkan(amd_launch *r)
{
    const amd_program *p = r->binary->program;
    amd_emu_dispatch *d = r->dispatch;
    amd_launch_put_push_constants(r);
    d->entry = amd_launch_put_code(r);
    d->wave_size = p->wave_size;
    amd_emu_set_counts(d, r->binary->rsrc);
    d->lds_bytes = p->lds_bytes;
    d->one_unit = p->one_unit;
    d->scratch_bytes = p->scratch_bytes;
    d->n_user_sgprs = p->n_user_sgprs;
    d->mode = p->float_mode | 1u << 8; /* DX10_CLAMP, as in RSRC1 */
    for (uint32_t i = 0; i < p->n_args; i++)
        set_argument(r, &p->args[i]);
}

static void
launch_hsa(amd_launch *r)
{
    const amd_hsa_arguments args = {.sets = r->set_addresses,
                                    .set_count = r->set_count,
                                    .push = r->shader->push,
                                    .push_size = r->shader->push_size};
    if (!amd_launch_hsa(r->c, &r->shader->binary->code, &args, r->memory, r->dispatch))
        diag_fail(r->c->diag, ERR_AMBER_LIMIT, "the kernel");
}

family_launch
amd_launch_shader(const ir_ctx *c, mach_memory *m, const family_target *t, const family_dispatch *d,
                  const family_shader *shader)
{
    amd_launch r = {.c = c,
                    .memory = m,
                    .target = amd_target_of(t),
                    .asked = d,
                    .shader = shader,
                    .binary = shader->binary->own};
    uint32_t wrong = amd_launch_put_sets(&r);
    if (wrong != UINT32_MAX)
        return (family_launch){.resource = wrong};
    r.dispatch = amd_new_dispatch(c->arena, t, d);
    if (shader->abi == OBJ_ABI_HSA)
        launch_hsa(&r);
    else
        launch_vulkan(&r);
    amd_note_occupancy(r.dispatch, t, &shader->binary->code);
    return (family_launch){.own = r.dispatch, .entry = r.dispatch->entry};
}
