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

static bool
describe(const void *user, const family_resource *r, const family_binding *b,
         uint32_t words[FAMILY_DESCRIPTOR_WORDS])
{
    const amd_gen gen = ((const amd_launch *)user)->target->gen;
    const bool is_alone = r->kind == FAMILY_SAMPLER;
    (void)b;
    if (r->sampler)
        amd_desc_sampler(gen, is_alone ? words : words + AMD_COMBINED_SAMPLER_OFFSET / 4,
                         r->sampler);
    switch (r->kind) {
    case FAMILY_IMAGE: return amd_desc_image(gen, words, r->address, r->image);
    case FAMILY_TEXEL_BUFFER:
        return r->image && amd_desc_texel_buffer(gen, words, r->address, r->image);
    case FAMILY_BUFFER: amd_desc_buffer(gen, words, r->address, r->size); return true;
    case FAMILY_ACCEL: return false; /* ray queries are not compiled */
    default: return true;
    }
}

uint32_t
amd_launch_put_sets(amd_launch *r)
{
    const family_shader *s = r->shader;
    for (size_t i = 0; i < s->layout->n_bindings; i++)
        if (s->layout->bindings[i].set >= r->set_count)
            r->set_count = s->layout->bindings[i].set + 1;
    r->set_addresses = ARENA_ARRAY(r->c->arena, r->set_count, uint64_t);
    /* In hsa, addresses are full: there is no heap with a known high half. */
    const mach_heap heap = s->abi == OBJ_ABI_HSA ? MACH_HEAP_LOW : MACH_HEAP_SET;
    const family_sets sets = {heap, r->set_addresses, r->set_count, describe, r};
    return family_put_sets(r->c, r->memory, s, &sets);
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
