#include "amd/abi/lower_abi.h"

#include "amd/abi/abi.h"
#include "amd/lower/lower_shuffle.h"
#include "amd/lower/lower_values.h"
#include "amd/target/hir_level.h"
#include "amd/target/notes.h"
#include "base/bits.h"
#include "ir/analysis.h"
#include "ir/builder.h"
#include "ir/replace.h"
#include "opt/fold_demotes.h"
#include "opt/lower_loops.h"

#include <assert.h>
#include <string.h>

enum { MAX_SET_POINTERS = 8, MAX_USER_SGPRS = 16 };

/* Fields of what tells about the wave: TG_SIZE has the number of waves in bits 5:0 and the wave's
 * number where the property wave_id_in_info says; ttmp8 has it in bits 29:25 (LLVM 19, AMDGPUUsage,
 * "ttmp registers"). Packed local ids have 10 bits each. */
enum { WAVE_ID = 20, WAVE_ID_BITS = 5, LATE_WAVE_ID = 6, LATE_WAVE_ID_BITS = 6 };
enum { TTMP_GROUP_YZ = 7, TTMP_WAVE = 8, TTMP_GROUP_X = 9, TTMP_WAVE_ID = 25 };
enum { PACKED_ID_BITS = 10 };

/* ---- what is used ---- */

static bool
one_subgroup(const amd_abi *a)
{
    const uint32_t *w = a->f->shader.workgroup_size;
    return (uint64_t)w[0] * w[1] * w[2] <= a->p->wave_size;
}

static void
scan_push_constant(amd_abi *a, const ir_instr *i)
{
    uint64_t offset;
    ir_type t = a->f->values[i->defs[0].id].type;
    bool constant = ir_is_const(a->f, i->refs[0], &offset);
    a->uses_push = true;
    if (!constant) {
        a->push_inline = false;
        return;
    }
    offset += ir_attr_get(i, IR_A_BASE);
    uint64_t end = offset + ir_type_bits(t) / 8 * ir_type_comps(t);
    if (offset % (ir_type_bits(t) < 32 ? ir_type_bits(t) / 8 : 4) || end > 4 * MAX_USER_SGPRS)
        a->push_inline = false;
    else if ((end + 3) / 4 > a->push_dwords)
        a->push_dwords = (uint32_t)((end + 3) / 4);
}

static void
scan_local_ids(amd_abi *a, unsigned n)
{
    if (n > a->local_ids)
        a->local_ids = n;
}

static void
scan_binding(amd_abi *a, const ir_instr *i)
{
    uint32_t set = ir_attr_get(i, IR_A_DESC_SET), binding = ir_attr_get(i, IR_A_BINDING);
    family_binding *place = family_find_binding(a->layout, set, binding);
    if (set >= AMD_ABI_SETS || !place) {
        ir_locate(a->f, i->loc);
        diag_fail(a->f->ctx->diag, ERR_TARGET_NO_BINDING, set, binding);
    }
    place->is_used = true;
    a->has_samplers |= place->samplers != NULL;
    a->has_inline |= place->type == OBJ_DESCRIPTOR_INLINE_UNIFORM_BLOCK;
    a->place[i->defs[0].id] = place;
    if (place->in_block)
        a->uses_block = true;
    else
        a->uses_set[set] = true;
}

/* Notes which dimensions of the workgroup's id are used. */
static void
scan_group_id(amd_abi *a, ir_ref r)
{
    if (!ir_is_value(r) || a->f->values[r.id].def->op != IR_load_workgroup_id)
        return;
    for (unsigned d = 0; d < 3; d++)
        a->uses_group_id[d] |= r.comp == IR_WHOLE || r.comp == d;
}

static void
scan_instr(amd_abi *a, const ir_instr *i)
{
    const uint32_t *w = a->f->shader.workgroup_size;
    for (unsigned r = 0; r < i->n_refs; r++)
        scan_group_id(a, i->refs[r]);
    if (a->stage)
        a->stage->scan(a, i);
    switch (i->op) {
    case IR_vulkan_resource_index: scan_binding(a, i); break;
    case IR_load_push_constant: scan_push_constant(a, i); break;
    case IR_load_num_workgroups: a->uses_group_count = true; break;
    case IR_load_scratch:
    case IR_store_scratch: a->uses_scratch = true; break;
    case IR_load_num_subgroups:
        a->uses_group_info |= !one_subgroup(a) && !amd_has(a->p->target, ids_in_ttmp);
        break;
    case IR_load_subgroup_id: a->uses_group_info |= !one_subgroup(a); break;
    case IR_load_local_invocation_id:
    case IR_load_local_invocation_index: scan_local_ids(a, w[2] > 1 ? 3 : w[1] > 1 ? 2 : 1); break;
    default: break;
    }
}

/* ---- arguments ---- */

int
amd_abi_append_arg(amd_program *p, amd_arg arg)
{
    /* At most 8 set pointers, 16 push constants, and one argument for each of the other kinds and
     * dimensions. */
    assert(p->n_args < AMD_MAX_ARGS);
    p->args[p->n_args] = arg;
    return (int)p->n_args++;
}

int
amd_abi_add_arg(amd_abi *a, amd_arg arg)
{
    amd_program *p = a->p;
    unsigned first = arg.vgpr ? AMD_REG_VGPR0 : AMD_REG_SGPR0 + amd_first_user_sgpr(p),
             next = first;
    for (unsigned i = 0; i < p->n_args; i++) {
        if (p->args[i].vgpr == arg.vgpr)
            next = p->args[i].reg + p->args[i].count;
    }
    if (next < first)
        next = first;
    if (arg.count == 2) /* pairs of SGPRs are even-aligned */
        next += next & 1;
    if (!arg.vgpr && arg.kind < AMD_ARG_WORKGROUP_ID)
        p->n_user_sgprs = next + arg.count - first;
    arg.reg = (uint16_t)next;
    return amd_abi_append_arg(p, arg);
}

static int
add_arg(amd_abi *a, amd_arg_kind kind, unsigned index, unsigned count, bool vgpr)
{
    return amd_abi_add_arg(a, (amd_arg){.kind = (uint8_t)kind,
                                        .vgpr = vgpr,
                                        .count = (uint8_t)count,
                                        .index = (uint16_t)index});
}

static unsigned
count_sets(const amd_abi *a)
{
    unsigned n = 0;
    for (unsigned s = 0; s < AMD_ABI_SETS; s++)
        n += a->uses_set[s];
    return n;
}

/* The inline dwords may leave no room for the counts and for scratch, which spilling may add. */
static void
add_push_constants(amd_abi *a)
{
    unsigned others = (a->uses_group_count ? 3 : 0) + 2 + a->uses_block;
    if (a->stage)
        others += a->stage->count_user_sgprs(a);
    a->push_inline &= a->uses_push &&
                      a->p->n_user_sgprs + a->push_dwords + others <= MAX_USER_SGPRS;
    if (a->uses_block || (a->uses_push && !a->push_inline))
        a->block_arg = add_arg(a, AMD_ARG_PUSH_POINTER, 0, 1, false);
    a->push_arg = (int)a->p->n_args;
    for (unsigned d = 0; a->push_inline && d < a->push_dwords; d++)
        add_arg(a, AMD_ARG_PUSH_INLINE, d, 1, false);
}

static uint32_t
add_kernarg(amd_abi *a, amd_arg_kind kind, unsigned index, uint32_t size)
{
    amd_program *p = a->p;
    uint32_t offset = p->kernarg_size;
    p->kernargs[p->n_kernargs++] = (amd_kernarg){(uint8_t)kind, (uint16_t)index, offset, size};
    p->kernarg_size += size;
    return offset;
}

/* Declares the kernarg segment and the user SGPRs of an AMDHSA dispatch. */
static void
declare_kernargs(amd_abi *a)
{
    amd_program *p = a->p;
    unsigned slots = 0;
    p->n_kernargs = p->kernarg_size = 0;
    for (unsigned s = 0; s < AMD_ABI_SETS; s++) {
        if (!a->uses_set[s])
            continue;
        a->set_slot[s] = (uint8_t)slots++;
        add_kernarg(a, AMD_ARG_DESCRIPTOR_SET, s, 8);
    }
    if (a->uses_block && slots == AMD_ABI_SETS)
        diag_fail(a->f->ctx->diag, ERR_TARGET_SELECT, "32 sets and dynamic buffers in hsa",
                  p->target->name);
    if (a->uses_block) {
        a->block_slot = (uint8_t)slots;
        add_kernarg(a, AMD_ARG_PUSH_POINTER, 0, 8);
    }
    a->push_inline = false;
    if (a->uses_push)
        a->push_offset = add_kernarg(a, AMD_ARG_PUSH_INLINE, 0, /* whole dwords are read */
                                     (a->f->shader.push_constant_size + 3) / 4 * 4);
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
declare_user_sgprs(amd_abi *a)
{
    bool table = count_sets(a) > MAX_SET_POINTERS;
    if (table)
        a->table_arg = add_arg(a, AMD_ARG_SET_TABLE, 0, 1, false);
    for (unsigned s = 0; s < AMD_ABI_SETS; s++) {
        if (a->uses_set[s] && !table)
            a->set_arg[s] = add_arg(a, AMD_ARG_DESCRIPTOR_SET, s, 1, false);
    }
    add_push_constants(a);
    if (a->uses_group_count)
        a->count_arg = add_arg(a, AMD_ARG_WORKGROUP_COUNT, 0, 3, false);
    if (a->stage)
        a->stage->declare_user_sgprs(a);
}

/* One register for each dimension, or one that has all up to its index. */
static void
declare_local_ids(amd_abi *a)
{
    unsigned n = a->local_ids ? a->local_ids : 1;
    bool packed = amd_has(a->p->target, packed_local_ids);
    for (unsigned d = packed ? n - 1 : 0; d < n; d++)
        a->local_arg[packed ? 0 : d] = add_arg(a, AMD_ARG_LOCAL_ID, d, 1, true);
}

static int
add_ttmp(amd_abi *a, amd_arg_kind kind, unsigned index, unsigned ttmp)
{
    return amd_abi_append_arg(a->p, (amd_arg){.kind = (uint8_t)kind,
                                              .count = 1,
                                              .index = (uint16_t)index,
                                              .reg = (uint16_t)(AMD_REG_TTMP0 + ttmp)});
}

/* The ids of the workgroup and of the wave in registers that the hardware always sets. */
static void
declare_ttmps(amd_abi *a)
{
    if (a->uses_group_id[0])
        a->group_arg[0] = add_ttmp(a, AMD_ARG_WORKGROUP_ID, 0, TTMP_GROUP_X);
    if (a->uses_group_id[2])
        a->group_arg[1] = a->group_arg[2] = add_ttmp(a, AMD_ARG_WORKGROUP_ID_YZ, 0, TTMP_GROUP_YZ);
    else if (a->uses_group_id[1])
        a->group_arg[1] = add_ttmp(a, AMD_ARG_WORKGROUP_ID, 1, TTMP_GROUP_YZ);
    if (a->uses_group_info)
        a->info_arg = add_ttmp(a, AMD_ARG_WAVE_ID, 0, TTMP_WAVE);
}

/* The ids of the workgroup and the wave in the SGPRs after the user's. */
static void
declare_system_sgprs(amd_abi *a)
{
    for (unsigned d = 0; d < 3; d++) {
        if (a->uses_group_id[d])
            a->group_arg[d] = add_arg(a, AMD_ARG_WORKGROUP_ID, d, 1, false);
    }
    if (a->uses_group_info)
        a->info_arg = add_arg(a, AMD_ARG_WORKGROUP_INFO, 0, 1, false);
}

static void
add_scratch_offset(amd_abi *a)
{
    if (a->p->stage == AMD_STAGE_VERTEX_NGG)
        amd_abi_append_arg(a->p, (amd_arg){.kind = AMD_ARG_SCRATCH_OFFSET,
                                           .count = 1,
                                           .reg = AMD_REG_SGPR0 + AMD_NGG_SCRATCH_OFFSET});
    else
        add_arg(a, AMD_ARG_SCRATCH_OFFSET, 0, 1, false);
}

static void
declare_arguments(amd_abi *a)
{
    a->p->n_args = a->p->n_user_sgprs = 0;
    if (a->stage)
        a->stage->declare_first_sgprs(a);
    if (!a->uses_scratch) /* values have replaced it */
        a->f->shader.scratch_size = 0;
    a->p->scratch_bytes = a->f->shader.scratch_size;
    a->p->needs_scratch |= a->f->shader.scratch_size > 0;
    bool scratch_args = a->p->needs_scratch && amd_takes_scratch_args(a->p->target);
    bool descriptor = scratch_args && a->p->hsa && amd_scratch_is_buffer(a->p->target);
    if (descriptor) /* the first of AMDHSA's user SGPRs */
        add_arg(a, AMD_ARG_SCRATCH, 0, 4, false);
    if (a->p->hsa)
        declare_kernargs(a);
    else
        declare_user_sgprs(a);
    if (scratch_args && !descriptor)
        add_arg(a, AMD_ARG_SCRATCH, 0, 2, false);
    if (a->stage)
        a->stage->declare_last_sgprs(a);
    else if (amd_has(a->p->target, ids_in_ttmp))
        declare_ttmps(a);
    else
        declare_system_sgprs(a);
    if (scratch_args)
        add_scratch_offset(a);
    if (a->stage)
        a->stage->declare_vgprs(a);
    else
        declare_local_ids(a);
}

ir_ref
amd_abi_load_arg(amd_abi *a, int arg)
{
    const amd_arg *row = &a->p->args[arg];
    amd_hir_op op = row->vgpr ? AMD_HIR_load_vector_arg_amd : AMD_HIR_load_scalar_arg_amd;
    ir_ref r = ir_build_intr(&a->b, op, IR_TYPE(32, row->count), NULL, 0);
    ir_attr_set(ir_built(&a->b), IR_A_BASE, (uint32_t)arg);
    a->f->values[r.id].divergent = row->vgpr;
    return r;
}

/* ---- memory of the ABI ---- */

ir_ref
amd_abi_load_smem(amd_abi *a, ir_type type, ir_ref address, ir_ref offset)
{
    ir_ref refs[2] = {address, offset};
    ir_ref r = ir_build_intr(&a->b, AMD_HIR_load_smem_amd, type, refs, 2);
    ir_attr_set(ir_built(&a->b), IR_A_ALIGN_MUL, 4);
    return r;
}

/* vulkan: the full address for its low half. */
ir_ref
amd_abi_whole_address(amd_abi *a, ir_ref low)
{
    return irb_pack_64_2x32(&a->b, low, amd_abi_imm(a, a->p->address_high));
}

ir_ref
amd_abi_pack_pair(amd_abi *a, ir_ref pair)
{
    return irb_pack_64_2x32(&a->b, ir_comp(pair, 0), ir_comp(pair, 1));
}

/* hsa: the arguments that are addresses come first; the number of one is its slot. */
static bool
is_address(const amd_kernarg *k)
{
    return k->kind == AMD_ARG_DESCRIPTOR_SET || k->kind == AMD_ARG_PUSH_POINTER;
}

/* hsa: loads the addresses that the shader needs at its start (after the constants, which this
 * uses). */
static void
load_addresses(amd_abi *a)
{
    ir_instr *at = a->f->blocks[0]->first;
    while (at->op == IR_load_const || at->op == IR_undef)
        at = at->next;
    ir_builder_before(&a->b, at);
    if (!a->p->kernarg_size)
        return;
    a->kernarg = amd_abi_pack_pair(a, amd_abi_load_arg(a, a->kernarg_arg));
    for (unsigned k = 0; k < a->p->n_kernargs && is_address(&a->p->kernargs[k]); k++) {
        ir_ref pair = amd_abi_load_smem(a, IR_TYPE(32, 2), a->kernarg, amd_abi_imm(a, 8 * k));
        a->set_address[k] = amd_abi_pack_pair(a, pair);
    }
}

/* ---- system values ---- */

/* Packed ids have no more bits than the workgroup's size says; what is behind the last is zero. */
static ir_ref
packed_local_id(amd_abi *a, unsigned d)
{
    uint32_t most = a->f->shader.workgroup_size[d] - 1;
    ir_ref packed = amd_abi_load_arg(a, a->local_arg[0]);
    if (!most)
        return amd_abi_imm(a, 0);
    ir_ref shift = amd_abi_imm(a, PACKED_ID_BITS * d);
    unsigned bits = base_bit_width(most);
    if (d + 1 == a->local_ids)
        return d ? irb_ushr(&a->b, packed, shift) : packed;
    return d ? irb_ubitfield_extract(&a->b, packed, shift, amd_abi_imm(a, bits))
             : irb_iand(&a->b, packed, amd_abi_imm(a, (uint32_t)base_mask64(bits)));
}

static ir_ref
local_id(amd_abi *a, unsigned d)
{
    if (d >= a->local_ids)
        return amd_abi_imm(a, 0);
    return amd_has(a->p->target, packed_local_ids) ? packed_local_id(a, d)
                                                   : amd_abi_load_arg(a, a->local_arg[d]);
}

/* One dimension of the workgroup's id, if it is used. If no program register asks for z, the
 * hardware leaves its bits zero (LLVM 20, SIISelLowering.cpp, "GridZ"). */
static ir_ref
group_id(amd_abi *a, unsigned d)
{
    if (!a->uses_group_id[d])
        return amd_abi_imm(a, 0);
    ir_ref arg = amd_abi_load_arg(a, a->group_arg[d]);
    if (a->p->args[a->group_arg[d]].kind != AMD_ARG_WORKGROUP_ID_YZ)
        return arg;
    return d == 1 ? irb_iand(&a->b, arg, amd_abi_imm(a, 0xffff))
                  : irb_ushr(&a->b, arg, amd_abi_imm(a, 16));
}

/* The wave's number in its workgroup. */
static ir_ref
wave_id(amd_abi *a)
{
    if (amd_has(a->p->target, ids_in_ttmp))
        return irb_ubitfield_extract(&a->b, amd_abi_load_arg(a, a->info_arg),
                                     amd_abi_imm(a, TTMP_WAVE_ID), amd_abi_imm(a, WAVE_ID_BITS));
    bool in_info = amd_has(a->p->target, wave_id_in_info);
    return irb_ubitfield_extract(&a->b, amd_abi_load_arg(a, a->info_arg),
                                 amd_abi_imm(a, in_info ? WAVE_ID : LATE_WAVE_ID),
                                 amd_abi_imm(a, in_info ? WAVE_ID_BITS : LATE_WAVE_ID_BITS));
}

/* The number of waves in the workgroup; workgroups are full. */
static ir_ref
wave_count(amd_abi *a)
{
    const uint32_t *w = a->f->shader.workgroup_size, lanes = a->p->wave_size;
    if (one_subgroup(a) || amd_has(a->p->target, ids_in_ttmp))
        return amd_abi_imm(a, (w[0] * w[1] * w[2] + lanes - 1) / lanes);
    return irb_iand(&a->b, amd_abi_load_arg(a, a->info_arg), amd_abi_imm(a, 0x3f));
}

static ir_ref
lower_system_value(amd_abi *a, const ir_instr *i)
{
    const uint32_t *w = a->f->shader.workgroup_size;
    ir_builder *b = &a->b;
    ir_ref v[3];
    switch (i->op) {
    case IR_load_workgroup_id:
        for (unsigned d = 0; d < 3; d++)
            v[d] = group_id(a, d);
        return ir_build_vec(b, v, 3);
    case IR_load_num_workgroups:
        return a->p->hsa ? amd_abi_load_smem(a, IR_TYPE(32, 3), a->kernarg,
                                             amd_abi_imm(a, a->count_offset))
                         : amd_abi_load_arg(a, a->count_arg);
    case IR_load_local_invocation_id:
        for (unsigned d = 0; d < 3; d++)
            v[d] = local_id(a, d);
        return ir_build_vec(b, v, 3);
    case IR_load_local_invocation_index: {
        ir_ref yz = irb_iadd(b, irb_imul(b, local_id(a, 2), amd_abi_imm(a, w[1])), local_id(a, 1));
        return irb_iadd(b, irb_imul(b, yz, amd_abi_imm(a, w[0])), local_id(a, 0));
    }
    case IR_load_subgroup_id:
        if (one_subgroup(a))
            return amd_abi_imm(a, 0);
        return wave_id(a);
    case IR_load_num_subgroups: return wave_count(a);
    case IR_load_subgroup_size: return amd_abi_imm(a, a->p->wave_size);
    default: return ir_none();
    }
}

/* ---- push constants ---- */

static ir_ref
push_address(amd_abi *a)
{
    return a->p->hsa ? a->kernarg : amd_abi_whole_address(a, amd_abi_load_arg(a, a->block_arg));
}

/* Components of 8 or 16 bits from byte `at` of the block on: parts of the dwords around them. */
static ir_ref
small_push_constants(amd_abi *a, ir_type t, uint32_t at)
{
    ir_builder *b = &a->b;
    unsigned bytes = ir_type_bits(t) / 8, n = ir_type_comps(t);
    uint32_t first = at / 4, words = (at + bytes * n + 3) / 4 - first;
    ir_ref comps[IR_MAX_COMPS];
    ir_ref all = ir_none();
    if (!a->push_inline)
        all = amd_abi_load_smem(a, IR_TYPE(32, words), push_address(a), amd_abi_imm(a, first * 4));
    for (unsigned c = 0; c < n; c++, at += bytes) {
        ir_ref word = a->push_inline ? amd_abi_load_arg(a, a->push_arg + (int)(at / 4))
                      : words > 1    ? ir_comp(all, at / 4 - first)
                                     : all;
        ir_ref low = irb_ushr(b, word, amd_abi_imm(a, at % 4 * 8));
        comps[c] = ir_build_alu(b, IR_u2u, IR_TYPE(bytes * 8, 1), low, ir_none(), ir_none());
    }
    return ir_build_vec(b, comps, n);
}

static ir_ref
lower_push_constant(amd_abi *a, const ir_instr *i)
{
    ir_builder *b = &a->b;
    ir_type t = a->f->values[i->defs[0].id].type;
    unsigned bits = ir_type_bits(t), n = ir_type_comps(t);
    uint64_t at;
    if (bits < 32 && ir_is_const(a->f, i->refs[0], &at))
        return small_push_constants(a, t,
                                    (uint32_t)at + ir_attr_get(i, IR_A_BASE) + a->push_offset);
    if (a->push_inline && ir_is_const(a->f, i->refs[0], &at)) {
        ir_ref comps[IR_MAX_COMPS];
        unsigned dword = (unsigned)(at + ir_attr_get(i, IR_A_BASE)) / 4;
        for (unsigned c = 0; c < n; c++, dword += bits / 32) {
            comps[c] = amd_abi_load_arg(a, a->push_arg + (int)dword);
            if (bits == 64)
                comps[c] = irb_pack_64_2x32(b, comps[c],
                                            amd_abi_load_arg(a, a->push_arg + (int)dword + 1));
        }
        return ir_build_vec(b, comps, n);
    }
    ir_ref offset = irb_iadd(b, i->refs[0],
                             amd_abi_imm(a, ir_attr_get(i, IR_A_BASE) + a->push_offset));
    ir_ref low = a->p->hsa ? ir_none() : amd_abi_load_arg(a, a->block_arg);
    if (bits >= 32 && !a->f->values[i->refs[0].id].divergent)
        return amd_abi_load_smem(a, t, a->p->hsa ? a->kernarg : amd_abi_whole_address(a, low),
                                 offset);
    /* vulkan: the block lies within the 4 GiB of its low half, so there is no carry. */
    ir_ref address = a->p->hsa
                         ? irb_iadd(b, a->kernarg, irb_pack_64_2x32(b, offset, amd_abi_imm(a, 0)))
                         : amd_abi_whole_address(a, irb_iadd(b, low, offset));
    ir_ref r = ir_build_intr(b, IR_load_global, t, &address, 1);
    ir_attr_set(ir_built(b), IR_A_ACCESS, IR_ACCESS_CAN_REORDER | IR_ACCESS_READONLY);
    ir_attr_set(ir_built(b), IR_A_ALIGN_MUL, bits / 8);
    a->f->values[r.id].divergent = a->f->values[i->defs[0].id].divergent;
    return r;
}

/* ---- the walk ---- */

static ir_ref
lower_instr(amd_abi *a, ir_instr *i)
{
    switch (i->op) {
    case IR_vulkan_resource_index: return amd_abi_lower_index(a, i);
    case IR_load_push_constant: return lower_push_constant(a, i);
    case IR_get_ssbo_size: /* word 2 of a raw buffer's V#: num_records, bytes (docs/abi.md) */
        amd_abi_lower_handles(a, i);
        return ir_comp(i->refs[0], 2);
    default: {
        ir_ref r = a->stage ? a->stage->lower(a, i) : ir_none();
        if (r.kind == IR_REF_NONE)
            r = lower_system_value(a, i);
        if (r.kind != IR_REF_NONE)
            return r;
        amd_abi_lower_handles(a, i);
        return amd_lower_value(&a->b, a->p->target, i);
    }
    }
}

static void
walk(amd_abi *a)
{
    size_t n_values = a->f->n_values;
    a->map = (ir_replacement){.f = a->f};
    a->set_base = ARENA_ARRAY(a->f->arena, n_values, ir_ref);
    a->set_offset = ARENA_ARRAY(a->f->arena, n_values, ir_ref);
    if (a->p->hsa)
        load_addresses(a);
    IR_FOREACH_INSTR_OF(i, a->f) {
        ir_builder_before(&a->b, i);
        a->b.loc = i->loc;
        ir_ref to = lower_instr(a, i);
        if (to.kind == IR_REF_NONE)
            continue;
        ir_replace_add(&a->map, i->defs[0].id, to);
        ir_unlink(i);
    }
    ir_replace_all(&a->map);
}

/* Is there an access to shared memory left? */
static bool
uses_shared(const ir_fn *f)
{
    IR_FOREACH_INSTR_OF(i, f) {
        if (i->op == IR_load_shared || i->op == IR_store_shared || i->op == IR_shared_atomic ||
            i->op == IR_shared_atomic_swap)
            return true;
    }
    return false;
}

static const amd_abi_stage *
stage_of(const amd_program *p)
{
    static const amd_abi_stage *const stages[] = {
        [AMD_STAGE_COMPUTE_CS] = NULL,
        [AMD_STAGE_VERTEX_VS] = &amd_abi_vertex_stage,
        [AMD_STAGE_VERTEX_NGG] = &amd_abi_vertex_stage,
        [AMD_STAGE_FRAGMENT_FS] = &amd_abi_fragment_stage,
    };
    return stages[p->stage];
}

void
amd_lower_abi(ir_fn *f, amd_program *p, const family_layout *layout)
{
    amd_abi *a = ARENA_NEW(f->arena, amd_abi);
    f->level = &amd_hir_level;
    *a = (amd_abi){.f = f, .p = p, .layout = layout, .push_inline = true, .table_arg = -1};
    a->stage = stage_of(p);
    ir_builder_init(&a->b, f);
    p->lds_bytes = f->shader.shared_size && uses_shared(f) ? f->shader.shared_size : 0;
    amd_lower_shuffles(f, p);
    bool swaps = opt_lower_atomics(f, amd_lacks_float_atomic),
         loops = opt_lower_divergent_handles(f);
    if (swaps)
        amd_perfwarn(p, "atomic operations on floats become loops of compare and swap");
    if (loops)
        amd_perfwarn(p, "accesses whose descriptor differs between lanes become loops");
    bool folds = p->stage == AMD_STAGE_FRAGMENT_FS && opt_fold_demotes(f, AMD_HIR_demote_if_amd);
    if (swaps || loops || folds) {
        ir_compute_dominance(f);
        ir_compute_loops(f);
        ir_compute_divergence(f);
    }
    a->place = ARENA_ARRAY(f->arena, f->n_values, const family_binding *);
    if (a->stage)
        a->stage->start(a);
    IR_FOREACH_INSTR_OF(i, f)
        scan_instr(a, i);
    declare_arguments(a);
    walk(a);
    if (a->stage)
        a->stage->finish(a);
}
