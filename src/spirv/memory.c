/* Loads and stores: a walk over the type, with one access for each contiguous scalar or vector.
 * Booleans in memory are 32 bits. */
#include "spirv/reader.h"

/* ---- one access ---- */

typedef struct access {
    const spirv_ptr *p;
    uint64_t start;   /* `base` of the accessed object */
    uint32_t flags;   /* IR_ACCESS_* in addition to the pointer's */
    uint32_t aligned; /* alignment of the object's address; 0: the pointer's own */
} access;

static void
set_align(spirv_reader *r, const access *a, const spirv_ptr *p, unsigned bytes)
{
    ir_instr *i = ir_built(&r->b);
    uint32_t mul = p->align, offset = (uint32_t)p->base;
    if (p->place == SPIRV_PLACE_PHYSICAL) {
        mul = a->aligned ? a->aligned : bytes;
        offset = (uint32_t)(p->base - a->start);
    } else if (a->aligned > mul) {
        mul = a->aligned;
        offset = (uint32_t)(p->base - a->start);
    }
    /* scalars lie at multiples of their size (Vulkan, "Offset and Stride Assignment") */
    if (p->place != SPIRV_PLACE_PHYSICAL && mul < bytes) {
        mul = bytes;
        offset = 0;
    }
    if (mul < 1)
        mul = 1;
    if (mul > 256)
        mul = 256;
    ir_attr_set(i, IR_A_ALIGN_MUL, mul);
    ir_attr_set(i, IR_A_ALIGN_OFFSET, offset & (mul - 1));
}

/* The offset operand and BASE, for places that have both. */
static ir_ref
split_offset(spirv_reader *r, const spirv_ptr *p, uint32_t *base)
{
    bool fits = p->base <= INT32_MAX;
    *base = fits ? (uint32_t)p->base : 0;
    if (!fits)
        return spirv_address(r, p, 0);
    return ir_is_value(p->offset) ? p->offset : spirv_imm(r, 32, 0);
}

/* The end of the memory that an access may touch. */
static uint32_t
end_of(const spirv_reader *r, const spirv_ptr *p)
{
    switch (p->place) {
    case SPIRV_PLACE_PUSH: return r->f->shader.push_constant_size;
    case SPIRV_PLACE_CONSTANT:
    case SPIRV_PLACE_SCRATCH: return p->var ? p->var->offset + (uint32_t)p->var->type->size : 0;
    default: return 0;
    }
}

/* The number of bytes from BASE that an access may touch. */
static uint32_t
range_of(const spirv_reader *r, const spirv_ptr *p, uint32_t base, unsigned bytes)
{
    uint32_t end = end_of(r, p);
    if (!end)
        return 0;
    return ir_is_value(p->offset) && end > base ? end - base : bytes;
}

static bool
has_range(const spirv_ptr *p)
{
    return p->place == SPIRV_PLACE_PUSH || p->place == SPIRV_PLACE_CONSTANT ||
           p->place == SPIRV_PLACE_SCRATCH;
}

static ir_op
load_op(const spirv_ptr *p)
{
    switch (p->place) {
    case SPIRV_PLACE_BUFFER: return p->is_ubo ? IR_load_ubo : IR_load_ssbo;
    case SPIRV_PLACE_PUSH: return IR_load_push_constant;
    case SPIRV_PLACE_SHARED: return IR_load_shared;
    case SPIRV_PLACE_SCRATCH: return IR_load_scratch;
    case SPIRV_PLACE_CONSTANT: return IR_load_constant;
    default: return IR_load_global;
    }
}

static uint32_t
access_flags(const access *a, const spirv_ptr *p)
{
    uint32_t flags = p->access | a->flags;
    bool fixed = (flags & IR_ACCESS_READONLY) && (flags & IR_ACCESS_RESTRICT) &&
                 !(flags & (IR_ACCESS_VOLATILE | IR_ACCESS_COHERENT));
    return fixed ? flags | IR_ACCESS_CAN_REORDER : flags;
}

/* Loads `n` contiguous components of `bits` bits. */
static ir_ref
load_piece(spirv_reader *r, const access *a, const spirv_ptr *p, unsigned bits, unsigned n)
{
    ir_ref refs[2];
    unsigned n_refs = 0;
    uint32_t base = 0;
    bool split = p->place != SPIRV_PLACE_BUFFER && p->place != SPIRV_PLACE_PHYSICAL;
    if (p->place == SPIRV_PLACE_BUFFER)
        refs[n_refs++] = p->handle;
    refs[n_refs++] = split ? split_offset(r, p, &base) : spirv_address(r, p, 0);
    ir_ref v = ir_build_intr(&r->b, load_op(p), IR_TYPE(bits, n), refs, n_refs);
    ir_instr *i = ir_built(&r->b);
    if (split)
        ir_attr_set(i, IR_A_BASE, base);
    else
        ir_attr_set(i, IR_A_ACCESS, access_flags(a, p));
    if (has_range(p))
        ir_attr_set(i, IR_A_RANGE, range_of(r, p, base, n * bits / 8));
    set_align(r, a, p, bits / 8);
    return v;
}

static void
store_piece(spirv_reader *r, const access *a, const spirv_ptr *p, ir_ref value, unsigned n)
{
    ir_ref refs[3] = {value};
    unsigned n_refs = 1;
    uint32_t base = 0;
    bool split = p->place == SPIRV_PLACE_SHARED || p->place == SPIRV_PLACE_SCRATCH;
    ir_op op = p->place == SPIRV_PLACE_BUFFER   ? IR_store_ssbo
               : p->place == SPIRV_PLACE_SHARED ? IR_store_shared
               : split                          ? IR_store_scratch
                                                : IR_store_global;
    if (p->place == SPIRV_PLACE_BUFFER)
        refs[n_refs++] = p->handle;
    refs[n_refs++] = split ? split_offset(r, p, &base) : spirv_address(r, p, 0);
    ir_build_intr(&r->b, op, 0, refs, n_refs);
    ir_instr *i = ir_built(&r->b);
    if (split)
        ir_attr_set(i, IR_A_BASE, base);
    else
        ir_attr_set(i, IR_A_ACCESS, access_flags(a, p));
    unsigned bits = ir_type_bits(ir_ref_type(r->f, value));
    if (has_range(p))
        ir_attr_set(i, IR_A_RANGE, range_of(r, p, base, n * bits / 8));
    ir_attr_set(i, IR_A_WRITE_MASK, (1u << n) - 1);
    set_align(r, a, p, bits / 8);
}

/* ---- scalars and vectors ---- */

static unsigned
memory_bits(const spirv_type *t)
{
    return t->bits == 1 ? 32 : t->bits;
}

/* The number of components of a scalar, vector or pointer type. */
static unsigned
piece_comps(const spirv_ptr *p)
{
    const spirv_type *t = p->type;
    return t->kind == SPIRV_VECTOR ? t->count : t->kind == SPIRV_POINTER ? t->leaves : 1;
}

static void
load_vector(spirv_reader *r, const access *a, const spirv_ptr *p, ir_ref *leaf)
{
    unsigned n = piece_comps(p), bits = memory_bits(p->type);
    bool scattered = p->comp_stride && n > 1;
    spirv_ptr q = *p;
    for (unsigned c = 0; c < (scattered ? n : 1); c++) {
        ir_ref v = load_piece(r, a, &q, bits, scattered ? 1 : n);
        for (unsigned k = 0; k < (scattered ? 1 : n); k++)
            leaf[scattered ? c : k] = n == 1 || scattered ? v : ir_comp(v, k);
        q.base += p->comp_stride;
    }
    for (unsigned c = 0; c < n && p->type->bits == 1; c++)
        leaf[c] = irb_ine(&r->b, leaf[c], spirv_imm(r, 32, 0));
}

static void
store_vector(spirv_reader *r, const access *a, const spirv_ptr *p, const ir_ref *leaf)
{
    unsigned n = piece_comps(p);
    ir_ref value[4];
    for (unsigned c = 0; c < n; c++)
        value[c] = p->type->bits == 1
                       ? ir_build_alu(&r->b, IR_b2i, IR_I32, leaf[c], ir_none(), ir_none())
                       : leaf[c];
    if (!p->comp_stride || n == 1) {
        store_piece(r, a, p, ir_build_vec(&r->b, value, n), n);
        return;
    }
    spirv_ptr q = *p;
    for (unsigned c = 0; c < n; c++) {
        store_piece(r, a, &q, value[c], 1);
        q.base += p->comp_stride;
    }
}

/* ---- the walk over the type ---- */

/* A piece without leaves is a pointer that can only be undefined (types.c). */
static bool
is_piece(const spirv_type *t)
{
    return spirv_is_scalar(t) || t->kind == SPIRV_VECTOR || t->kind == SPIRV_POINTER;
}

static void
load_memory(spirv_reader *r, const access *a, const spirv_ptr *p, ir_ref *leaf)
{
    spirv_charge(r, 1);
    if (is_piece(p->type)) {
        if (p->type->leaves)
            load_vector(r, a, p, leaf);
        return;
    }
    for (uint32_t k = 0; k < p->type->count; k++) {
        spirv_ptr e = *p;
        spirv_step(r, &e, k);
        load_memory(r, a, &e, leaf);
        leaf += e.type->leaves;
    }
}

static void
store_memory(spirv_reader *r, const access *a, const spirv_ptr *p, const ir_ref *leaf)
{
    spirv_charge(r, 1);
    if (is_piece(p->type)) {
        if (p->type->leaves)
            store_vector(r, a, p, leaf);
        return;
    }
    for (uint32_t k = 0; k < p->type->count; k++) {
        spirv_ptr e = *p;
        spirv_step(r, &e, k);
        store_memory(r, a, &e, leaf);
        leaf += e.type->leaves;
    }
}

/* ---- variables that are SSA values ---- */

/* How many of the leaves that `p` points to are in scratch: 0 none, 1 some, 2 all. */
static unsigned
share_in_memory(const spirv_ptr *p)
{
    const spirv_var *v = p->var;
    uint32_t from = p->leaf, to = from + p->type->leaves;
    unsigned share = 0;
    for (unsigned k = 0; k < v->n_memory; k++) {
        if (v->memory[k].from <= from && to <= v->memory[k].to)
            return 2;
        if (v->memory[k].from < to && from < v->memory[k].to)
            share = 1;
    }
    return share;
}

static void
load_known(spirv_reader *r, const spirv_ptr *p, ir_ref *leaf)
{
    const spirv_scan *s = p->var->scan;
    const uint64_t *bits = spirv_const_leaves(r, spirv_id_of(r, s->constant));
    for (uint32_t k = 0; k < p->type->leaves; k++)
        leaf[k] = spirv_imm(r, ir_type_bits(spirv_leaf_type(r, p->type, k)), bits[p->leaf + k]);
}

static void
load_variable(spirv_reader *r, const access *a, const spirv_ptr *p, ir_ref *leaf)
{
    unsigned share = p->var->in_constant ? 0 : share_in_memory(p);
    if (p->var->in_constant) {
        load_known(r, p, leaf);
    } else if (share == 2) {
        spirv_ptr q = *p;
        spirv_as_memory(r, &q);
        load_memory(r, a, &q, leaf);
    } else if (share == 1) {
        for (uint32_t k = 0; k < p->type->count; k++) {
            spirv_ptr e = *p;
            spirv_step(r, &e, k);
            load_variable(r, a, &e, leaf);
            leaf += e.type->leaves;
        }
    } else {
        for (uint32_t k = 0; k < p->type->leaves; k++)
            leaf[k] = spirv_ssa_read(r, p->var->ssa + p->leaf + k);
    }
}

static void
store_variable(spirv_reader *r, const access *a, const spirv_ptr *p, const ir_ref *leaf)
{
    unsigned share = share_in_memory(p);
    if (p->var->in_constant)
        return; /* the variable is constant: every store writes the value that it already has */
    if (share == 2) {
        spirv_ptr q = *p;
        spirv_as_memory(r, &q);
        store_memory(r, a, &q, leaf);
    } else if (share == 1) {
        for (uint32_t k = 0; k < p->type->count; k++) {
            spirv_ptr e = *p;
            spirv_step(r, &e, k);
            store_variable(r, a, &e, leaf);
            leaf += e.type->leaves;
        }
    } else {
        for (uint32_t k = 0; k < p->type->leaves; k++)
            spirv_ssa_write(r, p->var->ssa + p->leaf + k, leaf[k]);
    }
}

spirv_ptr
spirv_whole_vector(const spirv_ptr *p, spirv_type *vec)
{
    spirv_ptr q = *p;
    *vec = (spirv_type){.kind = SPIRV_VECTOR,
                        .elem = p->type,
                        .bits = p->type->bits,
                        .count = p->vector_size,
                        .leaves = p->vector_size};
    q.component = ir_none();
    q.type = vec;
    return q;
}

/* ---- all places ---- */

static ir_ref *
load_descriptor(spirv_reader *r, const spirv_ptr *p)
{
    ir_ref *leaf = spirv_new_leaves(r, 2);
    if (p->type->kind == SPIRV_ACCEL) {
        ir_ref handle = spirv_handle(r, p);
        leaf[0] = ir_build_intr(&r->b, IR_load_accel_struct, IR_I64, &handle, 1);
        ir_attr_set(ir_built(&r->b), IR_A_ACCESS, p->access);
        return leaf;
    }
    if (p->type->kind != SPIRV_IMAGE && p->type->kind != SPIRV_SAMPLER &&
        p->type->kind != SPIRV_SAMPLED_IMAGE)
        spirv_unsupported(r, "loads of type id %u", p->type->id);
    leaf[0] = leaf[1] = spirv_handle(r, p);
    return leaf;
}

ir_ref *
spirv_load(spirv_reader *r, const spirv_ptr *pointer, uint32_t flags, uint32_t aligned)
{
    if (pointer->place == SPIRV_PLACE_DESC && pointer->type->kind != SPIRV_STRUCT)
        return load_descriptor(r, pointer);
    if (ir_is_value(pointer->component)) {
        spirv_type vec;
        spirv_ptr whole = spirv_whole_vector(pointer, &vec);
        ir_ref *comps = spirv_load(r, &whole, flags, aligned);
        *comps = spirv_choose(r, comps, vec.count, pointer->component);
        return comps;
    }
    spirv_ptr p = *pointer;
    spirv_enter_buffer(r, &p);
    access a = {.p = &p, .start = p.base, .flags = flags, .aligned = aligned};
    spirv_check_value_type(r, p.type);
    ir_ref *leaf = spirv_new_leaves(r, p.type->leaves);
    ir_ref again = p.place == SPIRV_PLACE_SSA && (flags | p.access) & IR_ACCESS_VOLATILE
                       ? spirv_reload_input(r, &p)
                       : ir_none();
    if (ir_is_value(again))
        *leaf = again;
    else if (p.place == SPIRV_PLACE_SSA)
        load_variable(r, &a, &p, leaf);
    else if (p.place == SPIRV_PLACE_INPUT && p.var->input)
        memcpy(leaf, p.var->input + p.leaf, p.type->leaves * sizeof *leaf);
    else if (p.place == SPIRV_PLACE_TEXEL || p.place == SPIRV_PLACE_INPUT)
        spirv_unsupported(r, "a load from storage class %u", p.storage);
    else
        load_memory(r, &a, &p, leaf);
    return leaf;
}

void
spirv_store(spirv_reader *r, const spirv_ptr *pointer, const ir_ref *leaf, uint32_t flags,
            uint32_t aligned)
{
    if (ir_is_value(pointer->component)) {
        spirv_type vec;
        spirv_ptr whole = spirv_whole_vector(pointer, &vec);
        ir_ref *comps = spirv_load(r, &whole, flags, aligned);
        for (unsigned c = 0; c < vec.count; c++) {
            ir_ref here = irb_ieq(&r->b, pointer->component, spirv_imm(r, 32, c));
            comps[c] = irb_bcsel(&r->b, here, *leaf, comps[c]);
        }
        spirv_store(r, &whole, comps, flags, aligned);
        return;
    }
    spirv_ptr p = *pointer;
    spirv_enter_buffer(r, &p);
    access a = {.p = &p, .start = p.base, .flags = flags, .aligned = aligned};
    spirv_check_value_type(r, p.type);
    switch (p.place) {
    case SPIRV_PLACE_SSA: store_variable(r, &a, &p, leaf); break;
    case SPIRV_PLACE_BUFFER:
        if (p.is_ubo)
            spirv_invalid(r, "a store to a uniform block");
        store_memory(r, &a, &p, leaf);
        break;
    case SPIRV_PLACE_SHARED:
    case SPIRV_PLACE_SCRATCH:
    case SPIRV_PLACE_PHYSICAL: store_memory(r, &a, &p, leaf); break;
    case SPIRV_PLACE_CONSTANT: break;
    default: spirv_invalid(r, "a store to storage class %u", p.storage);
    }
}

/* ---- instructions ---- */

/* A memory-access mask (SPIR-V 1.6, 3.26) at word `k`, with its operands. */
typedef struct mask {
    uint32_t flags, aligned;
    unsigned words;
} mask;

static mask
read_mask(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    mask m = {0};
    if (k >= i->n)
        return m;
    uint32_t bits = i->w[k];
    m.words = 1;
    if (bits & SPIRV_ACCESS_VOLATILE)
        m.flags |= IR_ACCESS_VOLATILE;
    if (bits & SPIRV_ACCESS_NONTEMPORAL)
        m.flags |= IR_ACCESS_NON_TEMPORAL;
    if (bits & SPIRV_ACCESS_ALIGNED) {
        m.aligned = spirv_word(r, i, k + m.words++);
        if (!base_is_pow2(m.aligned))
            spirv_invalid(r, "an alignment of %u is not a power of two", m.aligned);
    }
    for (uint32_t bit = SPIRV_ACCESS_MAKE_AVAILABLE; bit <= SPIRV_ACCESS_MAKE_VISIBLE; bit *= 2) {
        if (!(bits & bit))
            continue;
        m.flags |= IR_ACCESS_COHERENT;
        spirv_const_word(r, i, k + m.words++);
    }
    return m;
}

static void
emit_load(spirv_reader *r, const spirv_insn *i)
{
    const spirv_ptr *p = spirv_pointer(r, spirv_ref(r, i, 3));
    mask m = read_mask(r, i, 4);
    spirv_id *id = spirv_ref(r, i, 2);
    if (id->type != p->type)
        spirv_invalid(r, "the result type is not what the pointer points to");
    if (p->access & IR_ACCESS_NON_UNIFORM)
        id->non_uniform = true;
    id->access = p->access;
    spirv_define(r, i, spirv_load(r, p, m.flags, m.aligned));
}

static void
emit_store(spirv_reader *r, const spirv_insn *i)
{
    const spirv_ptr *p = spirv_pointer(r, spirv_ref(r, i, 1));
    mask m = read_mask(r, i, 3);
    if (spirv_operand_type(r, i, 2) != p->type)
        spirv_invalid(r, "the object's type is not what the pointer points to");
    spirv_store(r, p, spirv_operand(r, i, 2), m.flags, m.aligned);
}

/* Types that differ only in decorations have the same leaves (checked one by one). */
static void
check_same_leaves(spirv_reader *r, const spirv_type *a, const spirv_type *b)
{
    spirv_check_value_type(r, a);
    bool same = a->leaves == b->leaves;
    for (uint32_t k = 0; same && k < a->leaves; k++)
        same = spirv_leaf_type(r, a, k) == spirv_leaf_type(r, b, k);
    if (!same)
        spirv_invalid(r, "the pointers point to different types");
}

static void
emit_copy(spirv_reader *r, const spirv_insn *i)
{
    const spirv_ptr *to = spirv_pointer(r, spirv_ref(r, i, 1));
    const spirv_ptr *from = spirv_pointer(r, spirv_ref(r, i, 2));
    bool sized = i->op == SPIRV_OpCopyMemorySized;
    mask m = read_mask(r, i, sized ? 4 : 3);
    mask second = m.words ? read_mask(r, i, (sized ? 4 : 3) + m.words) : m;
    mask source = second.words ? second : m;
    check_same_leaves(r, to->type, from->type);
    if (sized && spirv_const_word(r, i, 3) != to->type->size)
        spirv_unsupported(r, "OpCopyMemorySized of a part of an object");
    const ir_ref *leaf = spirv_load(r, from, source.flags, source.aligned);
    spirv_store(r, to, leaf, m.flags, m.aligned);
}

static void
emit_array_length(spirv_reader *r, const spirv_insn *i)
{
    const spirv_ptr *p = spirv_pointer_operand(r, i, 3);
    const spirv_type *result = spirv_type_ref(r, i, 1);
    if (p->type->kind != SPIRV_STRUCT || !p->type->count || i->w[4] != p->type->count - 1 ||
        p->type->members[i->w[4]].type->kind != SPIRV_RUNTIME_ARRAY)
        spirv_invalid(r, "the operand is not a structure that ends with a runtime array");
    if (p->place != SPIRV_PLACE_BUFFER || p->is_ubo)
        spirv_unsupported(r, "the length of an array outside storage buffers");
    if (result->kind != SPIRV_INT || result->bits != 32)
        spirv_invalid(r, "the result is not a 32-bit integer");
    spirv_ptr array = *p;
    spirv_step(r, &array, i->w[4]);
    if (!array.type->stride)
        spirv_invalid(r, "array type id %u has no ArrayStride", array.type->id);
    ir_ref size = ir_build_intr(&r->b, IR_get_ssbo_size, IR_I32, &array.handle, 1);
    ir_attr_set(ir_built(&r->b), IR_A_ACCESS, array.access);
    ir_ref bytes = irb_isub(&r->b, size, spirv_address(r, &array, 0));
    spirv_define_scalar(r, i, irb_udiv(&r->b, bytes, spirv_imm(r, 32, array.type->stride)));
}

void
spirv_emit_memory(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpLoad: emit_load(r, i); break;
    case SPIRV_OpStore: emit_store(r, i); break;
    case SPIRV_OpArrayLength: emit_array_length(r, i); break;
    default: emit_copy(r, i); break;
    }
}
