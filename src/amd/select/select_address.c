/* Addresses of memory instructions: what goes into registers, what into the offset field, and which
 * kind of instruction reaches the memory on the target. */
#include "amd/abi/layout.h"
#include "amd/select/select_memory.h"
#include "opt/possible_bits.h"

/* The range of the offset field, in bytes: MUBUF 12 bits unsigned, FLAT family 12 bits signed, DS
 * 16 bits, SMEM 21 bits signed (RDNA 2 ISA, the encodings' tables; FLAT's hold on gfx10). */
static bool
offset_fits(const sel *s, sel_address_kind k, uint32_t offset)
{
    switch (k) {
    case SEL_BUFFER:
    case SEL_ADDR64: return offset < 4096;
    case SEL_FLAT: return offset == 0;
    case SEL_GLOBAL:
    case SEL_SCRATCH: return offset < 2048;
    case SEL_LDS: return offset < 65536;
    default: return offset < 1u << amd_has(s->p->target, smem_offset_bits);
    }
}

static ir_ref
add_to_sgpr(sel *s, ir_ref a, uint32_t n)
{
    return n ? amd_sel_2(s, AMD_S_ADD_U32, AMD_S1, a, amd_const(n)) : a;
}

/* A 64-bit address plus `n`, in the same kind of registers. */
static ir_ref
add_to_address(sel *s, ir_ref a, uint32_t n)
{
    ir_ref half[2] = {amd_sel_half(s, a, 0), amd_sel_half(s, a, 1)}, sum[2];
    if (!sel_is_vgpr(a)) {
        sum[0] = amd_sel_2(s, AMD_S_ADD_U32, AMD_S1, half[0], amd_const(n));
        sum[1] = amd_sel_3(s, AMD_S_ADDC_U32, AMD_S1, half[1], amd_const(0), amd_sel_scc(s));
        return amd_sel_join(s, true, 2, sum);
    }
    ir_ref carry = ir_none();
    for (unsigned h = 0; h < 2; h++)
        sum[h] = amd_sel_carry(s, false, amd_const(h ? 0 : n), half[h], &carry);
    return amd_sel_join(s, false, 2, sum);
}

/* If `r` is a sum with a constant that fits the offset field (which already holds `base`), adds the
 * constant to `*base` and returns the rest; otherwise returns `r`. The hardware's sum wraps like
 * the addition, except SMEM's with a register offset, and drops the two low bits of each part. */
ir_ref
amd_sel_split_sum(const sel *s, sel_address_kind k, ir_ref r, uint32_t *base)
{
    uint64_t c;
    const ir_instr *def = ir_def_of(s->hir, r);
    if (!def || def->op != IR_iadd || !ir_is_const(s->hir, def->refs[1], &c) || c >= 1u << 16 ||
        (k == SEL_SMEM && c % 4))
        return r;
    /* Leave room for the pieces of the largest access. */
    bool wraps = k != SEL_LDS || amd_has(s->p->target, lds_address_wraps);
    if (!wraps || !offset_fits(s, k, *base + (uint32_t)c + 16))
        return r;
    *base += (uint32_t)c;
    return def->refs[0];
}

sel_address
amd_sel_buffer_address(sel *s, bool scalar, ir_ref descriptor, ir_ref offset, uint32_t flags)
{
    sel_address a = {.kind = scalar ? SEL_SMEM_BUFFER : SEL_BUFFER,
                     .index = ir_none(),
                     .flags = flags,
                     .sync = AMD_SYNC_BUFFER};
    a.base = amd_sel_get_vector(s, descriptor, true);
    /* A scalar offset is bounds-checked like others but does not wrap (RDNA 2 ISA, 8.1.5): it is
     * used only for the whole offset. */
    bool whole = scalar || sel_rep_of(s, offset) == SEL_SGPR;
    ir_ref at = amd_sel_get(s, whole ? offset : amd_sel_split_sum(s, a.kind, offset, &a.offset));
    if (at.kind == IR_REF_CONST)
        a.offset += at.id;
    else if (scalar)
        a.index = amd_sel_as_sgpr(s, at);
    else if (sel_is_vgpr(at))
        a.index = at;
    else
        a.scalar = at;
    return a;
}

/* A raw buffer's descriptor of all memory from the address on. */
static ir_ref
whole_memory(sel *s, ir_ref low, ir_ref high)
{
    enum { ADDRESS_BITS = 0xffff };
    if (high.kind == IR_REF_CONST)
        high = amd_const(high.id & ADDRESS_BITS);
    else
        high = amd_sel_2(s, AMD_S_AND_B32, AMD_S1, high, amd_const(ADDRESS_BITS));
    ir_ref words[4] = {low, high, amd_const(UINT32_MAX),
                       amd_const(amd_raw_buffer_word3(s->p->target->gen))};
    return amd_sel_join(s, true, 4, words);
}

/* Without global instructions: buffers where the address, or its base, is uniform; else buffers
 * with 64-bit addresses, or flat instructions. */
sel_address
amd_sel_without_global(sel *s, sel_address a)
{
    if (sel_has(s, AMD_GLOBAL_LOAD_DWORD))
        return a;
    if (a.base.kind != IR_REF_NONE) {
        a.kind = SEL_BUFFER;
        a.base = whole_memory(s, amd_sel_half(s, a.base, 0), amd_sel_half(s, a.base, 1));
    } else if (amd_has(s->p->target, has_addr64)) {
        a.kind = SEL_ADDR64;
        a.base = whole_memory(s, amd_const(0), amd_const(0));
    } else {
        a.kind = SEL_FLAT;
    }
    return a;
}

/* The number of 32 bits that `r`, of 64 bits, is, or whose product with 2^`*shift` it is without
 * loss; else kind NONE. */
static ir_ref
as_32_bits(const sel *s, ir_ref r, unsigned *shift)
{
    const ir_instr *def = ir_def_of(s->hir, r);
    uint64_t by = 0;
    *shift = 0;
    if (def && def->op == IR_ishl && ir_is_const(s->hir, def->refs[1], &by) && by < 32) {
        *shift = (unsigned)by;
        def = ir_def_of(s->hir, def->refs[0]);
    }
    if (!def || def->op != IR_u2u || ir_type_bits(ir_ref_type(s->hir, def->refs[0])) != 32 ||
        (by && opt_possible_bits(s->hir, def->refs[0]) << by > UINT32_MAX))
        return ir_none();
    return def->refs[0];
}

/* A uniform address and an index of 32 bits, which differs between lanes: the instruction adds them
 * (RDNA 2 ISA, 9.2: SADDR and a 32-bit offset without sign). */
static bool
split_index(sel *s, ir_ref address, sel_address *a)
{
    const ir_instr *sum = ir_def_of(s->hir, address);
    if (!sum || sum->op != IR_iadd || !sel_has(s, AMD_GLOBAL_LOAD_DWORD))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        unsigned shift;
        ir_ref index = as_32_bits(s, sum->refs[k], &shift);
        if (index.kind == IR_REF_NONE || sel_rep_of(s, sum->refs[!k]) != SEL_SGPR)
            continue;
        ir_ref at = amd_sel_as_vgpr(s, amd_sel_get(s, index));
        a->base = amd_sel_as_sgpr(s, amd_sel_get(s, sum->refs[!k]));
        a->index = shift ? amd_sel_2(s, AMD_V_LSHLREV_B32, AMD_V1, amd_const(shift), at) : at;
        return true;
    }
    return false;
}

sel_address
amd_sel_global_address(sel *s, bool scalar, ir_ref address, uint32_t flags)
{
    sel_address a = {.kind = scalar ? SEL_SMEM : SEL_GLOBAL,
                     .base = ir_none(),
                     .index = ir_none(),
                     .flags = flags,
                     .sync = AMD_SYNC_BUFFER};
    ir_ref rest = amd_sel_split_sum(s, a.kind, address, &a.offset);
    if (!scalar && split_index(s, rest, &a))
        return a;
    ir_ref at = amd_sel_get(s, rest);
    if (scalar || !sel_is_vgpr(at))
        a.base = at.kind == IR_REF_CONST ? amd_sel_copy(s, AMD_S2, at) : amd_sel_as_sgpr(s, at);
    else
        a.index = at;
    return scalar ? a : amd_sel_without_global(s, a);
}

/* LDS and scratch: a byte offset and a constant. */
sel_address
amd_sel_offset_address(sel *s, sel_address_kind kind, ir_ref offset, uint32_t base)
{
    sel_address a = {.kind = kind,
                     .base = ir_none(),
                     .index = ir_none(),
                     .offset = base,
                     .sync = kind == SEL_LDS ? AMD_SYNC_SHARED : AMD_SYNC_SCRATCH};
    ir_ref at = amd_sel_get(s, amd_sel_split_sum(s, kind, offset, &a.offset));
    if (at.kind == IR_REF_CONST)
        a.offset += at.id;
    else
        a.index = amd_sel_as_vgpr(s, at);
    return a;
}

/* SMEM that adds either a register or a constant: the register is added to the base. */
static void
join_scalar_index(sel *s, sel_address *a)
{
    if (a->kind != SEL_SMEM || a->index.kind == IR_REF_NONE || amd_has(s->p->target, smem_sums))
        return;
    ir_ref sum[2];
    sum[0] = amd_sel_2(s, AMD_S_ADD_U32, AMD_S1, amd_sel_half(s, a->base, 0), a->index);
    sum[1] = amd_sel_3(s, AMD_S_ADDC_U32, AMD_S1, amd_sel_half(s, a->base, 1), amd_const(0),
                       amd_sel_scc(s));
    a->base = amd_sel_join(s, true, 2, sum);
    a->index = ir_none();
}

/* Moves the part that does not fit the offset field into the address, leaving room for `size` bytes
 * of pieces. */
void
amd_sel_fit_offset(sel *s, sel_address *a, uint32_t size)
{
    join_scalar_index(s, a);
    if (a->kind == SEL_FLAT ||
        (offset_fits(s, a->kind, a->offset) && offset_fits(s, a->kind, a->offset + size)))
        return;
    uint32_t n = a->offset;
    a->offset = 0;
    if (a->kind == SEL_ADDR64 || (a->kind == SEL_GLOBAL && a->base.kind == IR_REF_NONE))
        a->index = add_to_address(s, a->index, n);
    else if (a->kind == SEL_GLOBAL || a->kind == SEL_SMEM)
        a->base = add_to_address(s, a->base, n);
    else if (a->index.kind == IR_REF_NONE)
        a->index = amd_sel_copy(s, a->kind == SEL_SMEM_BUFFER ? AMD_S1 : AMD_V1, amd_const(n));
    else if (a->kind == SEL_SMEM_BUFFER)
        a->index = add_to_sgpr(s, a->index, n);
    else
        a->index = amd_sel_2(s, AMD_V_ADD_NC_U32, AMD_V1, amd_const(n), a->index);
}

/* The operands of the address in the row's order, with data at the row's position; `data` is NONE
 * for loads. */
static unsigned
address_operands(sel *s, const sel_address *a, ir_ref data, ir_ref refs[5])
{
    bool has_data = data.kind != IR_REF_NONE, index = a->index.kind != IR_REF_NONE;
    unsigned n = 0;
    switch (a->kind) {
    case SEL_BUFFER:
    case SEL_ADDR64:
        if (has_data)
            refs[n++] = data;
        refs[n++] = a->index;
        refs[n++] = a->base;
        refs[n++] = sel_scalar_offset(s, a);
        return n;
    case SEL_SMEM:
    case SEL_SMEM_BUFFER:
        refs[n++] = a->base;
        refs[n++] = a->index;
        return n;
    case SEL_LDS:
        refs[n++] = index ? a->index : amd_sel_copy(s, AMD_V1, amd_const(0));
        if (has_data)
            refs[n++] = data;
        return n;
    case SEL_FLAT:
        refs[n++] = a->index;
        if (has_data)
            refs[n++] = data;
        return n;
    default: /* GLOBAL, SCRATCH: vaddr, data, saddr */
        refs[n++] = index                    ? a->index
                    : a->kind == SEL_SCRATCH ? amd_sel_copy(s, AMD_V1, amd_const(0))
                                             : amd_sel_copy(s, AMD_V1, amd_const(0));
        if (has_data)
            refs[n++] = data;
        refs[n++] = a->base;
        return n;
    }
}

void
amd_sel_finish_memory(sel *s, const sel_address *a)
{
    ir_words(s->last)[0] = a->offset;
    ir_words(s->last)[1] |= a->flags;
    ir_words(s->last)[2] |= a->sync;
    if (a->kind == SEL_BUFFER && a->index.kind != IR_REF_NONE)
        ir_words(s->last)[1] |= AMD_MEM_OFFEN;
    if (a->kind == SEL_ADDR64)
        ir_words(s->last)[1] |= AMD_MEM_ADDR64;
}

/* Moves the constant into the register if the instruction does not add both. */
static void
join_offset(sel *s, sel_address *a)
{
    uint32_t n = a->offset;
    bool scalar = a->kind == SEL_SMEM_BUFFER && a->index.kind != IR_REF_NONE &&
                  !amd_has(s->p->target, smem_sums);
    if (scalar)
        a->index = add_to_sgpr(s, a->index, n);
    else if (a->kind == SEL_FLAT && n)
        a->index = add_to_address(s, a->index, n);
    else
        return;
    a->offset = 0;
}

ir_ref
amd_sel_emit_memory(sel *s, unsigned op, unsigned rc, const sel_address *a, ir_ref data,
                    uint32_t offset)
{
    ir_ref refs[5];
    sel_address b = *a;
    b.offset += offset;
    join_offset(s, &b);
    unsigned n = address_operands(s, &b, data, refs);
    ir_ref r = amd_sel_emit(s, op, rc, n, refs);
    amd_sel_finish_memory(s, &b);
    return r;
}
