#include "amd/abi/lower_abi.h"

#include "amd/lower/lower_shuffle.h"
#include "amd/lower/lower_values.h"
#include "amd/target/hir_level.h"
#include "amd/target/notes.h"
#include "ir/analysis.h"
#include "ir/builder.h"
#include "ir/replace.h"
#include "opt/lower_loops.h"

#include <assert.h>
#include <string.h>

enum { MAX_SETS = 32, MAX_SET_POINTERS = 8, MAX_USER_SGPRS = 16, HANDLE_SHIFT = 2 };

/* The position of the wave's number in TG_SIZE on gfx10.3. Earlier chips must use bits 11:6, the
 * ordered append term, which counts waves if the dispatch initiator leaves ORDERED_APPEND_* zero
 * (Mesa, ac_nir_lower_intrinsics_to_args.c, load_subgroup_id_lowered). */
enum { INFO_WAVE_ID = 20, INFO_WAVE_ID_BITS = 5 };

/* The high half of descriptor set and push constant addresses (docs/abi.md). */
#define ADDRESS_HIGH 0xffff8000u

typedef struct abi {
    ir_fn *f;
    amd_program *p;
    const family_layout *layout;
    ir_builder b;
    ir_replacement map;
    ir_ref *set_base, *set_offset; /* by value, for descriptor addresses: the terms of the sum */
    bool uses_set[MAX_SETS];
    bool uses_push, push_inline;
    uint32_t push_dwords; /* inline: dwords from offset 0 up to the last one used */
    bool uses_group_id[3], uses_group_count, uses_group_info, uses_scratch;
    unsigned local_ids; /* VGPRs: 1 to 3 */
    int set_arg[MAX_SETS], table_arg, push_arg, count_arg, info_arg, group_arg[3], local_arg[3];
    /* hsa: */
    int kernarg_arg;
    ir_ref kernarg;                     /* the 64-bit address of the segment */
    ir_ref set_address[MAX_SETS];       /* 64 bits, by slot */
    uint8_t set_slot[MAX_SETS];         /* by set: its number among the used sets */
    uint32_t push_offset, count_offset; /* in the segment, in bytes */
} abi;

/* ---- what is used ---- */

static bool
one_subgroup(const abi *a)
{
    const uint32_t *w = a->f->shader.workgroup_size;
    return (uint64_t)w[0] * w[1] * w[2] <= a->p->wave_size;
}

static void
scan_push_constant(abi *a, const ir_instr *i)
{
    uint64_t offset;
    ir_type t = a->f->values[i->defs[0].id].type;
    bool constant = ir_is_const(a->f, i->refs[0], &offset);
    a->uses_push = true;
    if (!constant || ir_type_bits(t) < 32) {
        a->push_inline = false;
        return;
    }
    offset += ir_attr_get(i, IR_A_BASE);
    uint64_t end = offset + ir_type_bits(t) / 8 * ir_type_comps(t);
    if (offset % 4 || end > 4 * MAX_USER_SGPRS)
        a->push_inline = false;
    else if (end / 4 > a->push_dwords)
        a->push_dwords = (uint32_t)(end / 4);
}

static void
scan_local_ids(abi *a, unsigned n)
{
    if (n > a->local_ids)
        a->local_ids = n;
}

static void
scan_instr(abi *a, const ir_instr *i)
{
    const uint32_t *w = a->f->shader.workgroup_size;
    switch (i->op) {
    case IR_vulkan_resource_index: {
        uint32_t set = ir_attr_get(i, IR_A_DESC_SET);
        if (set >= MAX_SETS) {
            ir_locate(a->f, i->loc);
            diag_fail(a->f->ctx->diag, ERR_TARGET_NO_BINDING, set, ir_attr_get(i, IR_A_BINDING));
        }
        a->uses_set[set] = true;
        break;
    }
    case IR_load_push_constant: scan_push_constant(a, i); break;
    case IR_load_workgroup_id: memset(a->uses_group_id, true, sizeof a->uses_group_id); break;
    case IR_load_num_workgroups: a->uses_group_count = true; break;
    case IR_load_scratch:
    case IR_store_scratch: a->uses_scratch = true; break;
    case IR_load_subgroup_id:
    case IR_load_num_subgroups: a->uses_group_info |= !one_subgroup(a); break;
    case IR_load_local_invocation_id:
    case IR_load_local_invocation_index: scan_local_ids(a, w[2] > 1 ? 3 : w[1] > 1 ? 2 : 1); break;
    default: break;
    }
}

/* ---- arguments ---- */

static int
add_arg(abi *a, amd_arg_kind kind, unsigned index, unsigned count, bool vgpr)
{
    amd_program *p = a->p;
    unsigned next = 0;
    for (unsigned i = 0; i < p->n_args; i++) {
        if (p->args[i].vgpr == vgpr)
            next = p->args[i].reg + p->args[i].count;
    }
    /* At most 8 set pointers, 16 push constants, and one argument for each of the other kinds and
     * dimensions. */
    assert(p->n_args < AMD_MAX_ARGS);
    if (!next)
        next = vgpr ? AMD_REG_VGPR0 : AMD_REG_SGPR0;
    if (count == 2) /* pairs of SGPRs are even-aligned */
        next += next & 1;
    p->args[p->n_args] = (amd_arg){.kind = (uint8_t)kind,
                                   .vgpr = vgpr,
                                   .count = (uint8_t)count,
                                   .index = (uint16_t)index,
                                   .reg = (uint16_t)next};
    if (!vgpr && kind < AMD_ARG_WORKGROUP_ID)
        p->n_user_sgprs = next + count;
    return (int)p->n_args++;
}

static unsigned
count_sets(const abi *a)
{
    unsigned n = 0;
    for (unsigned s = 0; s < MAX_SETS; s++)
        n += a->uses_set[s];
    return n;
}

static void
add_push_constants(abi *a)
{
    unsigned after = (a->uses_group_count ? 3 : 0) + 2; /* spilling may add scratch arguments */
    if (!a->uses_push)
        return;
    a->push_inline &= a->p->n_user_sgprs + a->push_dwords + after <= MAX_USER_SGPRS;
    a->push_arg = (int)a->p->n_args;
    if (!a->push_inline)
        add_arg(a, AMD_ARG_PUSH_POINTER, 0, 1, false);
    for (unsigned d = 0; a->push_inline && d < a->push_dwords; d++)
        add_arg(a, AMD_ARG_PUSH_INLINE, d, 1, false);
}

static uint32_t
add_kernarg(abi *a, amd_arg_kind kind, unsigned index, uint32_t size)
{
    amd_program *p = a->p;
    uint32_t offset = p->kernarg_size;
    p->kernargs[p->n_kernargs++] = (amd_kernarg){(uint8_t)kind, (uint16_t)index, offset, size};
    p->kernarg_size += size;
    return offset;
}

/* Declares the kernarg segment and the user SGPRs of an AMDHSA dispatch. */
static void
declare_kernargs(abi *a)
{
    amd_program *p = a->p;
    unsigned slots = 0;
    p->n_kernargs = p->kernarg_size = 0;
    for (unsigned s = 0; s < MAX_SETS; s++) {
        if (!a->uses_set[s])
            continue;
        a->set_slot[s] = (uint8_t)slots++;
        add_kernarg(a, AMD_ARG_DESCRIPTOR_SET, s, 8);
    }
    a->push_inline = false;
    if (a->uses_push)
        a->push_offset = add_kernarg(a, AMD_ARG_PUSH_INLINE, 0, a->f->shader.push_constant_size);
    p->kernarg_size = (p->kernarg_size + 7) / 8 * 8;
    if (a->uses_group_count)
        a->count_offset = p->kernarg_size;
    for (unsigned d = 0; d < 3 && a->uses_group_count; d++)
        add_kernarg(a, AMD_ARG_WORKGROUP_COUNT, d, 4);
    p->kernarg_size = (p->kernarg_size + 7) / 8 * 8;
    if (p->kernarg_size)
        a->kernarg_arg = add_arg(a, AMD_ARG_KERNARG, 0, 2, false);
}

/* Declares the user SGPRs of the vulkan ABI. */
static void
declare_user_sgprs(abi *a)
{
    bool table = count_sets(a) > MAX_SET_POINTERS;
    if (table)
        a->table_arg = add_arg(a, AMD_ARG_SET_TABLE, 0, 1, false);
    for (unsigned s = 0; s < MAX_SETS; s++) {
        if (a->uses_set[s] && !table)
            a->set_arg[s] = add_arg(a, AMD_ARG_DESCRIPTOR_SET, s, 1, false);
    }
    add_push_constants(a);
    if (a->uses_group_count)
        a->count_arg = add_arg(a, AMD_ARG_WORKGROUP_COUNT, 0, 3, false);
}

static void
declare_arguments(abi *a)
{
    a->p->n_args = a->p->n_user_sgprs = 0;
    if (!a->uses_scratch) { /* values have replaced it */
        a->p->scratch_bytes -= a->f->shader.scratch_size;
        a->f->shader.scratch_size = 0;
    }
    a->p->needs_scratch |= a->f->shader.scratch_size > 0;
    if (a->p->hsa)
        declare_kernargs(a);
    else
        declare_user_sgprs(a);
    if (a->p->needs_scratch)
        add_arg(a, AMD_ARG_SCRATCH, 0, 2, false);
    for (unsigned d = 0; d < 3; d++) {
        if (a->uses_group_id[d])
            a->group_arg[d] = add_arg(a, AMD_ARG_WORKGROUP_ID, d, 1, false);
    }
    if (a->uses_group_info)
        a->info_arg = add_arg(a, AMD_ARG_WORKGROUP_INFO, 0, 1, false);
    if (a->p->needs_scratch)
        add_arg(a, AMD_ARG_SCRATCH_OFFSET, 0, 1, false);
    for (unsigned d = 0; d < a->local_ids || d == 0; d++)
        a->local_arg[d] = add_arg(a, AMD_ARG_LOCAL_ID, d, 1, true);
}

static ir_ref
load_arg(abi *a, int arg)
{
    const amd_arg *row = &a->p->args[arg];
    amd_hir_op op = row->vgpr ? AMD_HIR_load_vector_arg_amd : AMD_HIR_load_scalar_arg_amd;
    ir_ref r = ir_build_intr(&a->b, op, IR_TYPE(32, row->count), NULL, 0);
    ir_attr_set(ir_built(&a->b), IR_A_BASE, (uint32_t)arg);
    a->f->values[r.id].divergent = row->vgpr;
    return r;
}

static ir_ref
imm(abi *a, uint32_t v)
{
    return ir_build_imm(&a->b, 32, v);
}

/* ---- memory of the ABI ---- */

static ir_ref
load_smem(abi *a, ir_type type, ir_ref address, ir_ref offset)
{
    ir_ref refs[2] = {address, offset};
    ir_ref r = ir_build_intr(&a->b, AMD_HIR_load_smem_amd, type, refs, 2);
    ir_attr_set(ir_built(&a->b), IR_A_ALIGN_MUL, 4);
    return r;
}

/* vulkan: the full address for its low half. */
static ir_ref
whole_address(abi *a, ir_ref low)
{
    return irb_pack_64_2x32(&a->b, low, imm(a, ADDRESS_HIGH));
}

static ir_ref
pack_pair(abi *a, ir_ref pair)
{
    return irb_pack_64_2x32(&a->b, ir_comp(pair, 0), ir_comp(pair, 1));
}

/* hsa: loads the addresses that the shader needs at its start (after the constants, which this
 * uses). */
static void
load_addresses(abi *a)
{
    ir_instr *at = a->f->blocks[0]->first;
    while (at->op == IR_load_const)
        at = at->next;
    ir_builder_before(&a->b, at);
    if (!a->p->kernarg_size)
        return;
    a->kernarg = pack_pair(a, load_arg(a, a->kernarg_arg));
    for (unsigned s = 0, slot = 0; s < MAX_SETS; s++) {
        if (a->uses_set[s]) {
            ir_ref pair = load_smem(a, IR_TYPE(32, 2), a->kernarg, imm(a, 8 * slot));
            a->set_address[slot++] = pack_pair(a, pair);
        }
    }
}

/* ---- system values ---- */

static ir_ref
local_id(abi *a, unsigned d)
{
    return d < a->local_ids ? load_arg(a, a->local_arg[d]) : imm(a, 0);
}

static ir_ref
lower_system_value(abi *a, const ir_instr *i)
{
    const uint32_t *w = a->f->shader.workgroup_size;
    ir_builder *b = &a->b;
    ir_ref v[3];
    switch (i->op) {
    case IR_load_workgroup_id:
        for (unsigned d = 0; d < 3; d++)
            v[d] = load_arg(a, a->group_arg[d]);
        return ir_build_vec(b, v, 3);
    case IR_load_num_workgroups:
        return a->p->hsa ? load_smem(a, IR_TYPE(32, 3), a->kernarg, imm(a, a->count_offset))
                         : load_arg(a, a->count_arg);
    case IR_load_local_invocation_id:
        for (unsigned d = 0; d < 3; d++)
            v[d] = local_id(a, d);
        return ir_build_vec(b, v, 3);
    case IR_load_local_invocation_index: {
        ir_ref yz = irb_iadd(b, irb_imul(b, local_id(a, 2), imm(a, w[1])), local_id(a, 1));
        return irb_iadd(b, irb_imul(b, yz, imm(a, w[0])), local_id(a, 0));
    }
    case IR_load_subgroup_id:
        if (one_subgroup(a))
            return imm(a, 0);
        return irb_ubitfield_extract(b, load_arg(a, a->info_arg), imm(a, INFO_WAVE_ID),
                                     imm(a, INFO_WAVE_ID_BITS));
    case IR_load_num_subgroups:
        return one_subgroup(a) ? imm(a, 1) : irb_iand(b, load_arg(a, a->info_arg), imm(a, 0x3f));
    case IR_load_subgroup_size: return imm(a, a->p->wave_size);
    default: return ir_none();
    }
}

/* ---- push constants, descriptors ---- */

static ir_ref
lower_push_constant(abi *a, const ir_instr *i)
{
    ir_builder *b = &a->b;
    ir_type t = a->f->values[i->defs[0].id].type;
    unsigned bits = ir_type_bits(t), n = ir_type_comps(t);
    uint64_t at;
    if (a->push_inline && ir_is_const(a->f, i->refs[0], &at)) {
        ir_ref comps[IR_MAX_COMPS];
        unsigned dword = (unsigned)(at + ir_attr_get(i, IR_A_BASE)) / 4;
        for (unsigned c = 0; c < n; c++, dword += bits / 32) {
            comps[c] = load_arg(a, a->push_arg + (int)dword);
            if (bits == 64)
                comps[c] = irb_pack_64_2x32(b, comps[c], load_arg(a, a->push_arg + (int)dword + 1));
        }
        return ir_build_vec(b, comps, n);
    }
    ir_ref offset = irb_iadd(b, i->refs[0], imm(a, ir_attr_get(i, IR_A_BASE) + a->push_offset));
    ir_ref low = a->p->hsa ? ir_none() : load_arg(a, a->push_arg);
    if (bits >= 32 && !a->f->values[i->refs[0].id].divergent)
        return load_smem(a, t, a->p->hsa ? a->kernarg : whole_address(a, low), offset);
    /* vulkan: the block lies within the 4 GiB of its low half, so there is no carry. */
    ir_ref address = a->p->hsa ? irb_iadd(b, a->kernarg, irb_pack_64_2x32(b, offset, imm(a, 0)))
                               : whole_address(a, irb_iadd(b, low, offset));
    ir_ref r = ir_build_intr(b, IR_load_global, t, &address, 1);
    ir_attr_set(ir_built(b), IR_A_ACCESS, IR_ACCESS_CAN_REORDER | IR_ACCESS_READONLY);
    ir_attr_set(ir_built(b), IR_A_ALIGN_MUL, bits / 8);
    a->f->values[r.id].divergent = a->f->values[i->defs[0].id].divergent;
    return r;
}

/* A handle has 32 bits and is not 0, which is the null pointer. vulkan: the low half of the
 * descriptor's address. hsa: the set's slot with bit 5 set and, above it, the descriptor's offset
 * in its set, a multiple of 16. Uses that know the set get the terms instead. */
static ir_ref
lower_resource_index(abi *a, const ir_instr *i)
{
    ir_builder *b = &a->b;
    uint32_t set = ir_attr_get(i, IR_A_DESC_SET), binding = ir_attr_get(i, IR_A_BINDING);
    const family_binding *place = amd_layout_find(a->layout, set, binding);
    if (!place) {
        ir_locate(a->f, i->loc);
        diag_fail(a->f->ctx->diag, ERR_TARGET_NO_BINDING, set, binding);
    }
    ir_ref r, base,
        at = irb_iadd(b, irb_imul(b, i->refs[0], imm(a, place->stride)), imm(a, place->offset));
    if (a->p->hsa) {
        base = a->set_address[a->set_slot[set]];
        r = irb_ior(b, irb_ishl(b, at, imm(a, HANDLE_SHIFT)), imm(a, a->set_slot[set] | MAX_SETS));
    } else {
        base = a->table_arg >= 0 ? load_smem(a, IR_I32, whole_address(a, load_arg(a, a->table_arg)),
                                             imm(a, set * 4))
                                 : load_arg(a, a->set_arg[set]);
        r = irb_iadd(b, base, at);
        base = whole_address(a, base);
    }
    a->f->values[r.id].divergent = a->f->values[i->defs[0].id].divergent;
    a->set_base[i->defs[0].id] = base;
    a->set_offset[i->defs[0].id] = at;
    return r;
}

/* ---- descriptors at their uses ---- */

static unsigned
descriptor_dwords(const ir_instr *i, unsigned ref)
{
    bool image = ir_attr_has(i, IR_A_IMAGE_DIM) && !(i->op == IR_tex && ref == IR_TEX_SAMPLER);
    return image && ir_attr_get(i, IR_A_IMAGE_DIM) != IR_DIM_buf ? 8 : 4;
}

/* A sampler handle from a combined image sampler points to the image; its S# follows the T#. The
 * handle may be the first lane's. */
static uint32_t
sampler_offset(const abi *a, ir_ref handle)
{
    const ir_instr *def = a->f->values[handle.id].def;
    while (def->op == IR_read_first_invocation)
        def = a->f->values[def->refs[0].id].def;
    bool combined = def->op == IR_vulkan_resource_index &&
                    ir_attr_get(def, IR_A_DESC_TYPE) == IR_DESC_combined;
    return combined ? AMD_COMBINED_SAMPLER_OFFSET : 0;
}

/* The address and the offset that a handle represents if its set is not known here. */
static ir_ref
decode_handle(abi *a, ir_ref handle, ir_ref *offset)
{
    ir_builder *b = &a->b;
    if (!a->p->hsa)
        return whole_address(a, handle);
    ir_ref slot = irb_iand(b, handle, imm(a, MAX_SETS - 1));
    ir_ref at = irb_iand(b, irb_ushr(b, handle, imm(a, HANDLE_SHIFT)), imm(a, ~15u));
    *offset = irb_iadd(b, at, *offset);
    return pack_pair(a, load_smem(a, IR_TYPE(32, 2), a->kernarg, irb_ishl(b, slot, imm(a, 3))));
}

static void
lower_handles(abi *a, ir_instr *i)
{
    uint8_t refs[2];
    unsigned n = opt_handle_refs(i, refs);
    for (unsigned u = 0; u < n; u++) {
        ir_ref *handle = &i->refs[refs[u]];
        bool sampler = i->op == IR_tex && refs[u] == IR_TEX_SAMPLER;
        uint32_t offset = sampler ? sampler_offset(a, *handle) : 0;
        ir_ref address = *handle, at = imm(a, offset);
        /* The terms are kept separate: SMEM adds them, and the set's address is already
         * available. */
        if (a->set_base[address.id].kind != IR_REF_NONE) {
            at = irb_iadd(&a->b, a->set_offset[address.id], at);
            address = a->set_base[address.id];
        } else {
            address = decode_handle(a, ir_replace_follow(&a->map, address), &at);
        }
        *handle = load_smem(a, IR_TYPE(32, descriptor_dwords(i, refs[u])), address, at);
    }
}

/* ---- the walk ---- */

static ir_ref
lower_instr(abi *a, ir_instr *i)
{
    switch (i->op) {
    case IR_vulkan_resource_index: return lower_resource_index(a, i);
    case IR_load_push_constant: return lower_push_constant(a, i);
    case IR_get_ssbo_size: /* word 2 of a raw buffer's V#: num_records, bytes (docs/abi.md) */
        lower_handles(a, i);
        return ir_comp(i->refs[0], 2);
    default: {
        ir_ref r = lower_system_value(a, i);
        if (r.kind != IR_REF_NONE)
            return r;
        lower_handles(a, i);
        return amd_lower_value(&a->b, i);
    }
    }
}

static void
walk(abi *a)
{
    size_t n_values = a->f->n_values;
    a->map = (ir_replacement){.f = a->f};
    a->set_base = ARENA_ARRAY(a->f->arena, n_values, ir_ref);
    a->set_offset = ARENA_ARRAY(a->f->arena, n_values, ir_ref);
    if (a->p->hsa)
        load_addresses(a);
    IR_FOREACH_BLOCK(b, a->f) {
        IR_FOREACH_INSTR(i, b) {
            ir_builder_before(&a->b, i);
            a->b.loc = i->loc;
            ir_ref to = lower_instr(a, i);
            if (to.kind == IR_REF_NONE)
                continue;
            ir_replace_add(&a->map, i->defs[0].id, to);
            ir_unlink(i);
        }
    }
    ir_replace_all(&a->map);
}

void
amd_lower_abi(ir_fn *f, amd_program *p, const family_layout *layout)
{
    abi *a = ARENA_NEW(f->arena, abi);
    f->level = &amd_hir_level;
    *a = (abi){.f = f, .p = p, .layout = layout, .push_inline = true, .table_arg = -1};
    ir_builder_init(&a->b, f);
    amd_lower_shuffles(f, p);
    bool swaps = opt_lower_float_atomics(f, amd_lacks_float_add),
         loops = opt_lower_divergent_handles(f);
    if (swaps)
        amd_perfwarn(p, "atomic additions of floats become loops of compare and swap");
    if (loops)
        amd_perfwarn(p, "accesses whose descriptor differs between lanes become loops");
    if (swaps || loops) {
        ir_compute_dominance(f);
        ir_compute_loops(f);
        ir_compute_divergence(f);
    }
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b)
            scan_instr(a, i);
    }
    declare_arguments(a);
    walk(a);
}
