/* Descriptor handles: what lower_abi makes of vulkan_resource_index and of its uses. Most
 * descriptors are loaded from the set's memory; immutable samplers and the V#s of inline uniform
 * blocks are made of constants. */
#include "amd/abi/abi.h"
#include "amd/target/hir_level.h"
#include "opt/lower_loops.h"

#include <string.h>

enum { HANDLE_SHIFT = 2 };

/* vulkan: the low half of the address of a binding's set, or of the block that has it. */
static ir_ref
set_low(amd_abi *a, const family_binding *place)
{
    if (place->in_block)
        return amd_abi_load_arg(a, a->block_arg);
    if (a->table_arg < 0)
        return amd_abi_load_arg(a, a->set_arg[place->set]);
    return amd_abi_load_smem(a, IR_I32, amd_abi_whole_address(a, amd_abi_load_arg(a, a->table_arg)),
                             amd_abi_imm(a, place->set * 4));
}

/* A handle has 32 bits and is not 0, which is the null pointer. vulkan: the low half of the
 * descriptor's address. hsa: the set's slot with bit 5 set and, above it, the descriptor's offset
 * in its set, a multiple of 16. Uses that know the set get the terms instead. */
ir_ref
amd_abi_lower_index(amd_abi *a, const ir_instr *i)
{
    ir_builder *b = &a->b;
    const family_binding *place = a->place[i->defs[0].id];
    ir_ref r, base,
        at = irb_iadd(b, irb_imul(b, i->refs[0], amd_abi_imm(a, place->stride)),
                      amd_abi_imm(a, place->offset));
    if (a->p->hsa) {
        unsigned slot = place->in_block ? a->block_slot : a->set_slot[place->set];
        base = a->set_address[slot];
        r = irb_ior(b, irb_ishl(b, at, amd_abi_imm(a, HANDLE_SHIFT)),
                    amd_abi_imm(a, slot | AMD_ABI_SETS));
    } else {
        base = set_low(a, place);
        r = irb_iadd(b, base, at);
        base = amd_abi_whole_address(a, base);
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

/* The instruction that makes a handle, behind reads of the first lane's; not a
 * vulkan_resource_index if the handle is chosen at run time. */
static const ir_instr *
origin(const amd_abi *a, ir_ref handle)
{
    const ir_instr *def = a->f->values[handle.id].def;
    while (def->op == IR_read_first_invocation)
        def = a->f->values[def->refs[0].id].def;
    return def;
}

/* In a combined image sampler the S# follows the T#, also if the shader has a sampler only. */
static uint32_t
sampler_offset(const amd_abi *a, const ir_instr *def)
{
    if (def->op != IR_vulkan_resource_index)
        return 0;
    const family_binding *place = a->place[def->defs[0].id];
    bool combined = ir_attr_get(def, IR_A_DESC_TYPE) == IR_DESC_combined ||
                    (a->layout->is_given && place->type == OBJ_DESCRIPTOR_COMBINED);
    return combined ? AMD_COMBINED_SAMPLER_OFFSET : 0;
}

/* The address and the offset that a handle represents if its set is not known here. */
static ir_ref
decode_handle(amd_abi *a, ir_ref handle, ir_ref *offset)
{
    ir_builder *b = &a->b;
    if (!a->p->hsa)
        return amd_abi_whole_address(a, handle);
    ir_ref slot = irb_iand(b, handle, amd_abi_imm(a, AMD_ABI_SETS - 1));
    ir_ref at = irb_iand(b, irb_ushr(b, handle, amd_abi_imm(a, HANDLE_SHIFT)),
                         amd_abi_imm(a, ~15u));
    *offset = irb_iadd(b, at, *offset);
    return amd_abi_pack_pair(
        a, amd_abi_load_smem(a, IR_TYPE(32, 2), a->kernarg, irb_ishl(b, slot, amd_abi_imm(a, 3))));
}

/* Loads the descriptor of `dwords` words, `skip` bytes behind the place of the handle. The terms
 * are kept separate: SMEM adds them, and the set's address is already available. */
static ir_ref
load_descriptor(amd_abi *a, ir_ref handle, unsigned dwords, uint32_t skip)
{
    ir_ref address, at = amd_abi_imm(a, skip);
    if (a->set_base[handle.id].kind != IR_REF_NONE) {
        at = irb_iadd(&a->b, a->set_offset[handle.id], at);
        address = a->set_base[handle.id];
    } else {
        address = decode_handle(a, ir_replace_follow(&a->map, handle), &at);
    }
    return amd_abi_load_smem(a, IR_TYPE(32, dwords), address, at);
}

/* ---- descriptors that are not in memory ---- */

/* The V# of an inline uniform block, whose bytes lie in the set. There is one for each binding, so
 * the handle is never chosen by an index. */
static ir_ref
inline_block(amd_abi *a, ir_ref handle, const family_binding *place)
{
    ir_builder *b = &a->b;
    ir_ref base = a->set_base[handle.id], at = amd_abi_imm(a, place->offset);
    ir_ref low = irb_unpack_64_2x32_x(b, base), high = irb_unpack_64_2x32_y(b, base);
    if (a->p->hsa) {
        base = irb_iadd(b, base, irb_pack_64_2x32(b, at, amd_abi_imm(a, 0)));
        low = irb_unpack_64_2x32_x(b, base);
        high = irb_unpack_64_2x32_y(b, base);
    } else {
        low = irb_iadd(b, low, at);
    }
    ir_ref words[4] = {low, irb_iand(b, high, amd_abi_imm(a, 0xffff)), amd_abi_imm(a, place->count),
                       amd_abi_imm(a, amd_raw_buffer_word3(a->p->target->gen))};
    return ir_build_vec(b, words, 4);
}

static bool
same_samplers(const family_binding *place)
{
    const uint32_t *w = place->samplers;
    for (uint32_t k = AMD_SAMPLER_DWORDS; k < place->count * AMD_SAMPLER_DWORDS; k++) {
        if (w[k] != w[k - AMD_SAMPLER_DWORDS])
            return false;
    }
    return true;
}

/* The place of the words of all elements in the constant data, to which they are appended once. */
static uint32_t
keep_samplers(amd_abi *a, const family_binding *place)
{
    ir_shader *s = &a->f->shader;
    if (!a->samplers_at)
        a->samplers_at = ARENA_ARRAY(a->f->arena, a->layout->n_bindings, uint32_t);
    uint32_t *known = &a->samplers_at[place - a->layout->bindings];
    if (*known)
        return *known - 1;
    uint32_t at = (s->constant_size + 15) / 16 * 16;
    uint32_t size = place->count * AMD_SAMPLER_DWORDS * 4;
    uint8_t *data = arena_zalloc(a->f->arena, at + size);
    if (s->constant_size)
        memcpy(data, s->constant_data, s->constant_size);
    for (uint32_t k = 0; k < size; k++)
        data[at + k] = (uint8_t)(place->samplers[k / 4] >> k % 4 * 8);
    s->constant_data = data;
    s->constant_size = at + size;
    *known = at + 1;
    return at;
}

/* The words of an immutable sampler: constants if the element is known, else read from the constant
 * data. `handle` was made by `def`, from the index of any active lane if it is a first lane's. */
static ir_ref
immutable_sampler(amd_abi *a, ir_ref handle, const ir_instr *def, const family_binding *place)
{
    ir_builder *b = &a->b;
    uint64_t element = 0;
    if (same_samplers(place) || ir_is_const(a->f, def->refs[0], &element)) {
        const uint32_t *w = place->samplers;
        ir_ref words[AMD_SAMPLER_DWORDS];
        w += (element < place->count ? element : place->count - 1) * AMD_SAMPLER_DWORDS;
        for (unsigned k = 0; k < AMD_SAMPLER_DWORDS; k++)
            words[k] = amd_abi_imm(a, w[k]);
        return ir_build_vec(b, words, AMD_SAMPLER_DWORDS);
    }
    ir_ref index = ir_replace_follow(&a->map, def->refs[0]);
    if (a->f->values[handle.id].def != def)
        index = ir_build_intr(b, IR_read_first_invocation, IR_I32, &index, 1);
    index = irb_umin(b, index, amd_abi_imm(a, place->count - 1));
    ir_ref at = irb_imul(b, index, amd_abi_imm(a, AMD_SAMPLER_DWORDS * 4));
    ir_ref r = ir_build_intr(b, IR_load_constant, IR_TYPE(32, AMD_SAMPLER_DWORDS), &at, 1);
    ir_attr_set(ir_built(b), IR_A_BASE, keep_samplers(a, place));
    ir_attr_set(ir_built(b), IR_A_RANGE, place->count * AMD_SAMPLER_DWORDS * 4);
    ir_attr_set(ir_built(b), IR_A_ALIGN_MUL, 16);
    return r;
}

/* Fails if a handle chosen at run time may be that of a descriptor that is not in memory. */
static void
check_chosen(const amd_abi *a, const ir_instr *i, bool sampler)
{
    const char *what = sampler && a->has_samplers              ? "an immutable sampler"
                       : i->op == IR_load_ubo && a->has_inline ? "an inline uniform block"
                                                               : NULL;
    if (!what)
        return;
    ir_locate(a->f, i->loc);
    diag_fail(a->f->ctx->diag, ERR_TARGET_CHOSEN, what);
}

/* The descriptor's words if they are not in memory. */
static ir_ref
known_descriptor(amd_abi *a, ir_ref handle, const ir_instr *def, bool sampler)
{
    const family_binding *place = a->place[def->defs[0].id];
    if (place->type == OBJ_DESCRIPTOR_INLINE_UNIFORM_BLOCK)
        return inline_block(a, ir_use(a->f, def->defs[0].id), place);
    if (sampler && place->samplers)
        return immutable_sampler(a, handle, def, place);
    return ir_none();
}

void
amd_abi_lower_handles(amd_abi *a, ir_instr *i)
{
    uint8_t refs[2];
    unsigned n = opt_handle_refs(i, refs);
    for (unsigned u = 0; u < n; u++) {
        ir_ref *handle = &i->refs[refs[u]];
        bool sampler = i->op == IR_tex && refs[u] == IR_TEX_SAMPLER;
        const ir_instr *def = origin(a, *handle);
        ir_ref known = ir_none();
        if (def->op == IR_vulkan_resource_index)
            known = known_descriptor(a, *handle, def, sampler);
        else
            check_chosen(a, i, sampler);
        if (known.kind == IR_REF_NONE)
            known = load_descriptor(a, *handle, descriptor_dwords(i, refs[u]),
                                    sampler ? sampler_offset(a, def) : 0);
        *handle = known;
    }
}
