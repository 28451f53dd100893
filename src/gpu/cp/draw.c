/* Draws: packets give vertices, instances and indices, registers all the rest.
 *
 * Indirect draws read their arguments at base 1: vertices (or indices), instances, first vertex (or
 * index, and what is added to indices), first instance. The last two go to user data of the vertex
 * shader, at registers that the packet names.
 */
#include "gpu/cp/execute.h"

#include "amd/object/object.h"

#include <string.h>

enum { INDIRECT_BASE = 1 };

static gpu_cp_status
run(gpu_cp *cp, amd_draw *d)
{
    gpu_draw g = {.registers = &cp->registers, .number = cp->draws++, .packet = cp->fault.address};
    if (!cp->hooks.draw || !d->count || !d->instances)
        return GPU_CP_DONE;
    d->processor = cp->processor;
    d->packs_tiles = true;
    d->packed_d16 = !strcmp(cp->processor, "gfx810");
    d->may_retry = amd_obj_may_retry(cp->processor, OBJ_ABI_VULKAN);
    d->counts = &cp->counts;
    g.draw = *d;
    return cp->hooks.draw(cp->hooks.user, &g, cp->memory, &cp->fault) ? GPU_CP_DONE : GPU_CP_FAULT;
}

/* INDEX_TYPE: 16, 32 or 8 bits. */
static uint32_t
index_bytes(const gpu_cp *cp)
{
    static const uint8_t bytes[4] = {2, 4, 1, 2};
    return bytes[amd_hw_register_value(&cp->registers, AMD_HW_VGT_INDEX_TYPE, 0) & 3];
}

static uint32_t
instances(const gpu_cp *cp)
{
    return amd_hw_register_value(&cp->registers, AMD_HW_VGT_NUM_INSTANCES, 0);
}

gpu_cp_status
gpu_cp_draw_auto(gpu_cp *cp, const gpu_packet *p)
{
    return run(cp, &(amd_draw){.count = gpu_word_of(p, GPU_DRAW_INDEX_AUTO_INDEX_COUNT),
                               .instances = instances(cp)});
}

gpu_cp_status
gpu_cp_draw_index(gpu_cp *cp, const gpu_packet *p)
{
    return run(cp, &(amd_draw){.count = gpu_word_of(p, GPU_DRAW_INDEX_2_INDEX_COUNT),
                               .instances = instances(cp),
                               .indexed = true,
                               .index_address = gpu_words_of(p, GPU_DRAW_INDEX_2_INDEX_BASE_LO,
                                                             GPU_DRAW_INDEX_2_INDEX_BASE_HI),
                               .index_bytes = index_bytes(cp),
                               .max_indices = gpu_word_of(p, GPU_DRAW_INDEX_2_MAX_SIZE)});
}

/* A draw of indices from `first` on in the buffer of INDEX_BASE, which has `size`. */
static gpu_cp_status
draw_from(gpu_cp *cp, uint32_t first, uint32_t size, amd_draw *d)
{
    d->indexed = true;
    d->index_bytes = index_bytes(cp);
    d->index_address = cp->index_base + (uint64_t)first * d->index_bytes;
    d->max_indices = size > first ? size - first : 0;
    return run(cp, d);
}

gpu_cp_status
gpu_cp_draw_index_offset(gpu_cp *cp, const gpu_packet *p)
{
    amd_draw d = {.count = gpu_word_of(p, GPU_DRAW_INDEX_OFFSET_2_INDEX_COUNT),
                  .instances = instances(cp)};
    return draw_from(cp, gpu_word_of(p, GPU_DRAW_INDEX_OFFSET_2_INDEX_OFFSET),
                     gpu_word_of(p, GPU_DRAW_INDEX_OFFSET_2_MAX_SIZE), &d);
}

/* ---- indirect draws ---- */

/* The packet, and where arguments go, as dwords of the shader registers. */
typedef struct indirect {
    gpu_op op;
    bool indexed;
    uint32_t vertex_at, instance_at;
} indirect;

/* Tells of what the processor reads for the packet. */
static void
tell_read(gpu_cp *cp, gpu_op op, uint64_t address, uint64_t size)
{
    const gpu_packet_access a = {.packet = gpu_op_name(op),
                                 .at = cp->fault.address,
                                 .agent = GPU_AGENT_CP,
                                 .address = address,
                                 .size = size};
    if (cp->hooks.accesses)
        cp->hooks.accesses(cp->hooks.user, &a);
}

static void
set_user_data(gpu_cp *cp, uint32_t at, uint32_t v)
{
    if (at)
        gpu_cp_set_register(cp, amd_hw_space_base(AMD_HW_SPACE_SH) + 4 * at, v);
}

static gpu_cp_status
draw_indirect(gpu_cp *cp, const indirect *to, uint64_t address)
{
    uint32_t a[5];
    unsigned n = to->indexed ? 5 : 4;
    const uint8_t *at = gpu_cp_at(cp, address, 4 * n, "reads a draw's arguments of");
    if (!at)
        return GPU_CP_FAULT;
    tell_read(cp, to->op, address, 4 * n);
    memcpy(a, at, 4 * (size_t)n);
    set_user_data(cp, to->vertex_at, a[n - 2]);
    set_user_data(cp, to->instance_at, a[n - 1]);
    amd_hw_set_register(&cp->registers, AMD_HW_VGT_NUM_INSTANCES, 0, a[1]);
    amd_draw d = {.count = a[0], .instances = a[1]};
    return to->indexed ? draw_from(cp, a[2], cp->index_count, &d) : run(cp, &d);
}

gpu_cp_status
gpu_cp_draw_indirect(gpu_cp *cp, const gpu_packet *p)
{
    const indirect to = {p->op, false, gpu_word_of(p, GPU_DRAW_INDIRECT_BASE_VTX_LOC),
                         gpu_word_of(p, GPU_DRAW_INDIRECT_START_INST_LOC)};
    return draw_indirect(cp, &to,
                         cp->bases[INDIRECT_BASE] + gpu_word_of(p, GPU_DRAW_INDIRECT_DATA_OFFSET));
}

gpu_cp_status
gpu_cp_draw_index_indirect(gpu_cp *cp, const gpu_packet *p)
{
    const indirect to = {p->op, true, gpu_word_of(p, GPU_DRAW_INDEX_INDIRECT_BASE_VTX_LOC),
                         gpu_word_of(p, GPU_DRAW_INDEX_INDIRECT_START_INST_LOC)};
    return draw_indirect(
        cp, &to, cp->bases[INDIRECT_BASE] + gpu_word_of(p, GPU_DRAW_INDEX_INDIRECT_DATA_OFFSET));
}

/* Both packets have their words in the same places. */
static gpu_cp_status
draw_multi(gpu_cp *cp, const gpu_packet *p, bool indexed)
{
    enum { COUNT_IN_MEMORY = 1 << 30, LOC = 0xffff };
    const uint32_t draw_number = 1u << 31, *words = p->words;
    const indirect to = {p->op, indexed, words[1] & LOC, words[2] & LOC};
    uint64_t n = words[4], address = cp->bases[INDIRECT_BASE] + words[0];
    if (words[3] & COUNT_IN_MEMORY) {
        uint64_t most = n, from = words[5] | (uint64_t)(words[6] & LOC) << 32;
        if (!gpu_cp_read(cp, from & ~UINT64_C(3), 4, &n))
            return GPU_CP_FAULT;
        tell_read(cp, p->op, from & ~UINT64_C(3), 4);
        n = n < most ? n : most;
    }
    gpu_cp_status status = GPU_CP_DONE;
    for (uint64_t k = 0; k < n && status == GPU_CP_DONE; k++) {
        if (words[3] & draw_number)
            set_user_data(cp, words[3] & LOC, (uint32_t)k);
        status = draw_indirect(cp, &to, address + k * words[7]);
    }
    return status;
}

gpu_cp_status
gpu_cp_draw_indirect_multi(gpu_cp *cp, const gpu_packet *p)
{
    return draw_multi(cp, p, false);
}

gpu_cp_status
gpu_cp_draw_index_indirect_multi(gpu_cp *cp, const gpu_packet *p)
{
    return draw_multi(cp, p, true);
}
