/* Pointers: an access chain becomes a place, a constant number of bytes (or leaves), and a dynamic
 * one.
 *
 * A pointer starts as its variable. Each index either advances it by a constant, or adds index *
 * stride to the dynamic offset. Strides are the decorated ones (explicit layout) or the reader's
 * own. `align` is the largest power of two that divides the dynamic offset.
 */
#include "spirv/reader.h"

/* ---- descriptors ---- */

ir_ref
spirv_handle(spirv_reader *r, const spirv_ptr *p)
{
    const spirv_var *v = p->var;
    bool first = !ir_is_value(p->handle) && !p->base;
    if (first && ir_is_value(v->handle))
        return v->handle;
    ir_ref index = spirv_imm(r, 32, p->base);
    if (ir_is_value(p->handle))
        index = irb_iadd(&r->b, p->handle, index);
    ir_ref h = ir_build_intr(&r->b, IR_vulkan_resource_index, IR_I32, &index, 1);
    ir_instr *i = ir_built(&r->b);
    ir_attr_set(i, IR_A_DESC_SET, v->set);
    ir_attr_set(i, IR_A_BINDING, v->binding);
    ir_attr_set(i, IR_A_DESC_TYPE, v->desc_type);
    return h;
}

static bool
is_buffer_descriptor(const spirv_ptr *p)
{
    return p->place == SPIRV_PLACE_DESC && p->type->kind == SPIRV_STRUCT;
}

void
spirv_enter_buffer(spirv_reader *r, spirv_ptr *p)
{
    if (!is_buffer_descriptor(p))
        return;
    p->handle = spirv_handle(r, p);
    p->place = SPIRV_PLACE_BUFFER;
    p->is_ubo = p->var->desc_type == IR_DESC_ubo;
    p->explicit_layout = true;
    p->base = 0;
    p->align = r->opt->buffer_align ? r->opt->buffer_align : 16;
    if (p->is_ubo)
        p->access |= IR_ACCESS_READONLY | IR_ACCESS_CAN_REORDER;
}

/* ---- leaves ---- */

const spirv_ptr *
spirv_pointer_operand(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    const spirv_ptr *p = spirv_pointer(r, spirv_ref(r, i, k));
    if (!is_buffer_descriptor(p))
        return p;
    spirv_ptr *q = arena_copy(r->a, p, sizeof *p);
    spirv_enter_buffer(r, q);
    return q;
}

/* The leaves that decide whether two pointers of one type are equal. */
static const ir_ref *
address_leaves(spirv_reader *r, const spirv_ptr *p)
{
    spirv_ptr q = *p;
    spirv_enter_buffer(r, &q);
    ir_ref *leaf = spirv_new_leaves(r, 2);
    switch (q.place) {
    case SPIRV_PLACE_BUFFER:
        leaf[0] = q.handle;
        leaf[1] = spirv_address(r, &q, 0);
        return leaf;
    case SPIRV_PLACE_SHARED:
    case SPIRV_PLACE_PHYSICAL: leaf[0] = spirv_address(r, &q, 0); return leaf;
    default: spirv_unsupported(r, "pointers of storage class %u as data", q.storage);
    }
}

/* A type does not describe a matrix's layout in memory, so that layout is lost when the pointer
 * becomes data. */
const ir_ref *
spirv_pointer_leaves(spirv_reader *r, const spirv_ptr *p)
{
    if (p->comp_stride || ir_is_value(p->component) ||
        (p->explicit_layout && p->type->kind == SPIRV_MATRIX))
        spirv_unsupported(r, "pointers to matrices or dynamic components as data");
    return address_leaves(r, p);
}

/* Returns true if vulkan_resource_index makes the handle directly, rather than a phi or select. */
static bool
is_plain_handle(const spirv_reader *r, ir_ref handle)
{
    const ir_instr *def = r->f->values[ir_replace_follow(&r->replaced, handle).id].def;
    return def && def->op == IR_vulkan_resource_index;
}

/* Makes a pointer from `type` (a pointer type) and leaves. */
static spirv_ptr *
pointer_from(spirv_reader *r, const spirv_type *type, const ir_ref *leaf)
{
    if (!type->leaves)
        spirv_unsupported(r, "pointers of storage class %u as data", type->storage);
    spirv_ptr *p = ARENA_NEW(r->a, spirv_ptr);
    *p = (spirv_ptr){.storage = type->storage,
                     .type = type->elem,
                     .stride = type->stride,
                     .align = 1,
                     .explicit_layout = true,
                     .component = ir_none(),
                     .handle = ir_none(),
                     .offset = leaf[0],
                     .coord = ir_none(),
                     .sample = ir_none()};
    switch (type->storage) {
    case SPIRV_SC_PHYSICAL: p->place = SPIRV_PLACE_PHYSICAL; break;
    case SPIRV_SC_WORKGROUP:
        p->place = SPIRV_PLACE_SHARED;
        p->explicit_layout = r->shared_blocks;
        break;
    case SPIRV_SC_UNIFORM: p->is_ubo = true; /* fallthrough */
    case SPIRV_SC_STORAGE_BUFFER:
        p->place = SPIRV_PLACE_BUFFER;
        p->handle = leaf[0];
        p->offset = leaf[1];
        if (!is_plain_handle(r, leaf[0]))
            p->access |= IR_ACCESS_NON_UNIFORM;
        break;
    default: break;
    }
    return p;
}

const spirv_ptr *
spirv_pointer(spirv_reader *r, spirv_id *id)
{
    if (!id->type || id->type->kind != SPIRV_POINTER || !id->type->elem)
        spirv_invalid(r, "id %u is not a pointer", id->number);
    if (!id->ptr)
        return pointer_from(r, id->type, spirv_leaves(r, id));
    if (!id->block || r->hir[id->block->index].open)
        return id->ptr;
    ir_ref refs[5] = {id->ptr->component, id->ptr->handle, id->ptr->offset, id->ptr->coord,
                      id->ptr->sample};
    spirv_localise(r, id, refs, 5);
    spirv_ptr *p = arena_copy(r->a, id->ptr, sizeof *p);
    p->component = refs[0];
    p->handle = refs[1];
    p->offset = refs[2];
    p->coord = refs[3];
    p->sample = refs[4];
    return p;
}

ir_ref
spirv_address(spirv_reader *r, const spirv_ptr *p, uint64_t more)
{
    unsigned bits = p->place == SPIRV_PLACE_PHYSICAL ? 64 : 32;
    uint64_t base = (p->base + more) & base_mask64(bits);
    if (!ir_is_value(p->offset))
        return spirv_imm(r, bits, base);
    return base ? irb_iadd(&r->b, p->offset, spirv_imm(r, bits, base)) : p->offset;
}

/* ---- steps ---- */

static uint64_t
comp_bytes(const spirv_type *scalar)
{
    return scalar->size;
}

/* Bytes from one element of an array, matrix or vector to the next. */
static uint64_t
stride_of(spirv_reader *r, const spirv_ptr *p)
{
    const spirv_type *t = p->type;
    switch (t->kind) {
    case SPIRV_VECTOR: return p->comp_stride ? p->comp_stride : comp_bytes(t->elem);
    case SPIRV_MATRIX:
        if (p->explicit_layout && p->row_major)
            return comp_bytes(t->elem->elem);
        return p->explicit_layout && p->matrix_stride ? p->matrix_stride : spirv_natural_stride(t);
    case SPIRV_ARRAY:
    case SPIRV_RUNTIME_ARRAY:
        if (!p->explicit_layout)
            return spirv_natural_stride(t);
        if (!t->stride)
            spirv_invalid(r, "array type id %u has no ArrayStride", t->id);
        return t->stride;
    default: spirv_invalid(r, "type id %u is not indexed", t->id);
    }
}

/* Makes the pointer's type that of its elements. The caller moves the address. */
static void
enter_element(spirv_ptr *p)
{
    const spirv_type *t = p->type;
    p->type = t->elem;
    p->stride = 0;
    if (t->kind == SPIRV_MATRIX) {
        p->comp_stride = p->explicit_layout && p->row_major ? p->matrix_stride : 0;
        p->matrix_stride = 0;
        p->row_major = false;
    } else if (t->kind == SPIRV_VECTOR) {
        p->comp_stride = 0;
    }
}

static void
step_member(spirv_reader *r, spirv_ptr *p, uint64_t index)
{
    const spirv_type *t = p->type;
    if (index >= t->count)
        spirv_invalid(r, "member %llu of type id %u, which has %u", (unsigned long long)index,
                      t->id, t->count);
    const spirv_member *m = &t->members[index];
    p->type = m->type;
    p->stride = 0;
    p->access |= m->access;
    p->matrix_stride = m->matrix_stride;
    p->row_major = m->row_major;
    if (p->place == SPIRV_PLACE_SSA || p->place == SPIRV_PLACE_INPUT)
        p->leaf += m->first_leaf;
    else if (p->explicit_layout && !m->has_offset)
        spirv_invalid(r, "member %llu of type id %u has no Offset", (unsigned long long)index,
                      t->id);
    else
        p->base += p->explicit_layout ? m->offset : m->natural;
}

/* To an element of an array of descriptors. */
static void
step_descriptor(spirv_reader *r, spirv_ptr *p, ir_ref index, uint64_t known)
{
    const spirv_type *array = p->type;
    uint64_t inner = 1;
    if (array->kind != SPIRV_ARRAY && array->kind != SPIRV_RUNTIME_ARRAY)
        spirv_invalid(r, "a descriptor of type id %u is indexed", array->id);
    p->type = array->elem;
    for (const spirv_type *t = p->type; t->kind == SPIRV_ARRAY; t = t->elem)
        inner *= t->count;
    if (!ir_is_value(index)) {
        p->base += spirv_clamp_index(array, known) * inner;
        return;
    }
    ir_ref more = irb_imul(&r->b, index, spirv_imm(r, 32, inner));
    p->handle = ir_is_value(p->handle) ? irb_iadd(&r->b, p->handle, more) : more;
}

void
spirv_step(spirv_reader *r, spirv_ptr *p, uint64_t index)
{
    spirv_enter_buffer(r, p);
    const spirv_type *t = p->type;
    if (!spirv_is_composite(t) || ir_is_value(p->component))
        spirv_invalid(r, "type id %u has no elements", t->id);
    if (p->place == SPIRV_PLACE_DESC) {
        step_descriptor(r, p, ir_none(), index);
    } else if (t->kind == SPIRV_STRUCT) {
        step_member(r, p, index);
    } else {
        bool leaves = p->place == SPIRV_PLACE_SSA || p->place == SPIRV_PLACE_INPUT;
        if (leaves)
            p->leaf += (uint32_t)spirv_clamp_index(t, index) * t->elem->leaves;
        else
            p->base += index * stride_of(r, p);
        enter_element(p);
    }
}

void
spirv_as_memory(spirv_reader *r, spirv_ptr *p)
{
    const spirv_var *v = p->var;
    if (p->place != SPIRV_PLACE_SSA)
        return;
    p->place = v->in_constant ? SPIRV_PLACE_CONSTANT : SPIRV_PLACE_SCRATCH;
    p->base = v->offset + spirv_natural_offset(r, v->type, p->leaf);
}

/* Can an index only be 0? Memory of the shader's own has no other elements. */
static bool
is_only_element(const spirv_ptr *p)
{
    bool own = p->place == SPIRV_PLACE_SCRATCH || p->place == SPIRV_PLACE_SHARED;
    return own && p->type->kind == SPIRV_ARRAY && p->type->count == 1;
}

void
spirv_step_dynamic(spirv_reader *r, spirv_ptr *p, ir_ref index, const spirv_type *index_type)
{
    spirv_enter_buffer(r, p);
    const spirv_type *t = p->type;
    if (!spirv_is_composite(t) || t->kind == SPIRV_STRUCT || ir_is_value(p->component))
        spirv_invalid(r, "a dynamic index into type id %u", t->id);
    bool wide = p->place == SPIRV_PLACE_PHYSICAL;
    index = spirv_index(r, index, index_type, wide ? 64 : 32);
    if (p->place == SPIRV_PLACE_DESC) {
        step_descriptor(r, p, index, 0);
        return;
    }
    bool leaves = p->place == SPIRV_PLACE_SSA || p->place == SPIRV_PLACE_INPUT;
    if (t->kind == SPIRV_VECTOR && leaves) {
        p->type = t->elem;
        p->component = index;
        p->vector_size = (uint8_t)t->count;
        return;
    }
    if (p->place == SPIRV_PLACE_INPUT)
        spirv_unsupported(r, "dynamically indexed input arrays");
    spirv_as_memory(r, p);
    uint64_t stride = stride_of(r, p);
    bool only = is_only_element(p);
    enter_element(p);
    if (only)
        return;
    ir_ref bytes = irb_imul(&r->b, index, spirv_imm(r, wide ? 64 : 32, stride));
    p->offset = ir_is_value(p->offset) ? irb_iadd(&r->b, p->offset, bytes) : bytes;
    uint64_t low = stride & (0 - stride);
    if (low && low < p->align)
        p->align = (uint32_t)low;
}

/* ---- instructions ---- */

/* The distance in bytes between consecutive pointees of a pointer of type `t`: its ArrayStride if
 * memory has an explicit layout ("OpPtrAccessChain"); 0 if unknown. */
static uint64_t
pointee_stride(const spirv_ptr *p, const spirv_type *t)
{
    const spirv_type array = {.kind = SPIRV_RUNTIME_ARRAY, .elem = t->elem};
    if (!p->explicit_layout)
        return spirv_natural_stride(&array);
    return t->stride ? t->stride : spirv_explicit_size(t->elem, p->matrix_stride, p->row_major);
}

/* OpPtrAccessChain's first index: steps by whole elements of the pointer's ArrayStride. */
static void
step_pointer(spirv_reader *r, spirv_ptr *p, const spirv_insn *i)
{
    const spirv_type *index_type = spirv_operand_type(r, i, 4);
    uint32_t stride = p->stride;
    uint64_t known;
    spirv_enter_buffer(r, p);
    if (p->place != SPIRV_PLACE_BUFFER && p->place != SPIRV_PLACE_SHARED &&
        p->place != SPIRV_PLACE_PHYSICAL)
        spirv_unsupported(r, "OpPtrAccessChain in storage class %u", p->storage);
    spirv_type array = {.kind = SPIRV_RUNTIME_ARRAY,
                        .elem = p->type,
                        .stride = (uint32_t)pointee_stride(p, spirv_operand_type(r, i, 3)),
                        .count = 0,
                        .align = p->type->align};
    p->type = &array;
    ir_ref index = spirv_scalar(r, i, 4);
    if (ir_is_const(r->f, index, &known))
        spirv_step(r, p,
                   index_type->is_signed ? (uint64_t)base_sext64(known, index_type->bits) : known);
    else
        spirv_step_dynamic(r, p, index, index_type);
    p->stride = stride;
}

static void
emit_chain(spirv_reader *r, const spirv_insn *i)
{
    spirv_ptr p = *spirv_pointer(r, spirv_ref(r, i, 3));
    unsigned k = 4;
    if (i->op == SPIRV_OpPtrAccessChain || i->op == SPIRV_OpInBoundsPtrAccessChain)
        step_pointer(r, &p, i), k++;
    for (; k < i->n; k++) {
        uint64_t known;
        const spirv_type *t = spirv_operand_type(r, i, k);
        spirv_id *index = spirv_ref(r, i, k);
        if (index->non_uniform && p.place == SPIRV_PLACE_DESC)
            p.access |= IR_ACCESS_NON_UNIFORM;
        if (spirv_const_value(r, index, &known))
            spirv_step(r, &p, t->is_signed ? (uint64_t)base_sext64(known, t->bits) : known);
        else
            spirv_step_dynamic(r, &p, spirv_scalar(r, i, k), t);
    }
    spirv_define_ptr(r, i, &p);
}

static void
emit_compare(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_operand_type(r, i, 3);
    if (t->kind != SPIRV_POINTER || t != spirv_operand_type(r, i, 4))
        spirv_invalid(r, "the operands are not pointers of one type");
    spirv_check_value_type(r, t);
    const ir_ref *a = address_leaves(r, spirv_pointer(r, spirv_ref(r, i, 3)));
    const ir_ref *b = address_leaves(r, spirv_pointer(r, spirv_ref(r, i, 4)));
    ir_ref equal = irb_ieq(&r->b, a[0], b[0]);
    if (t->leaves == 2)
        equal = irb_iand(&r->b, equal, irb_ieq(&r->b, a[1], b[1]));
    spirv_define_scalar(r, i, i->op == SPIRV_OpPtrEqual ? equal : irb_inot(&r->b, equal));
}

static void
emit_difference(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_operand_type(r, i, 3), *result = spirv_type_ref(r, i, 1);
    if (t->kind != SPIRV_POINTER || t != spirv_operand_type(r, i, 4) || result->kind != SPIRV_INT)
        spirv_invalid(r, "the operands are not pointers of one type");
    spirv_check_value_type(r, t);
    spirv_ptr p = *spirv_pointer(r, spirv_ref(r, i, 3));
    spirv_enter_buffer(r, &p);
    const ir_ref *a = address_leaves(r, &p);
    const ir_ref *b = address_leaves(r, spirv_pointer(r, spirv_ref(r, i, 4)));
    uint64_t stride = pointee_stride(&p, t);
    unsigned last = t->leaves - 1;
    ir_ref bytes = irb_isub(&r->b, a[last], b[last]);
    ir_ref n = irb_idiv(&r->b, bytes, spirv_imm(r, t->bits, stride ? stride : 1));
    spirv_define_scalar(
        r, i, ir_build_alu(&r->b, IR_i2i, IR_TYPE(result->bits, 1), n, ir_none(), ir_none()));
}

static void
emit_conversion(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *to = spirv_type_ref(r, i, 1), *from = spirv_operand_type(r, i, 3);
    const spirv_type *p = to->kind == SPIRV_POINTER ? to : from;
    if (p->kind != SPIRV_POINTER || p->storage != SPIRV_SC_PHYSICAL)
        spirv_unsupported(r, "conversion of pointers that are not physical");
    if (to != p && to->kind != SPIRV_INT)
        spirv_invalid(r, "the result is not an integer");
    ir_ref x = spirv_operand(r, i, 3)[0];
    spirv_define_scalar(r, i,
                        ir_build_alu(&r->b, IR_u2u, IR_TYPE(to->bits, 1), x, ir_none(), ir_none()));
}

static void
emit_texel(spirv_reader *r, const spirv_insn *i)
{
    spirv_ptr p = *spirv_pointer(r, spirv_ref(r, i, 3));
    const spirv_type *result = spirv_type_ref(r, i, 1);
    const spirv_type *t = spirv_operand_type(r, i, 4), *c = spirv_scalar_of(t);
    if (p.place != SPIRV_PLACE_DESC || p.type->kind != SPIRV_IMAGE || p.type->sampled != 2)
        spirv_invalid(r, "the operand is not a pointer to a storage image");
    if (result->kind != SPIRV_POINTER || !c || c->kind != SPIRV_INT)
        spirv_invalid(r, "the coordinate is not of integers");
    p.handle = spirv_handle(r, &p);
    p.image = p.type;
    p.type = result->elem;
    p.place = SPIRV_PLACE_TEXEL;
    p.coord = ir_build_vec(&r->b, spirv_operand(r, i, 4), t->leaves);
    p.sample = p.image->multisampled ? spirv_scalar(r, i, 5) : ir_none();
    spirv_define_ptr(r, i, &p);
}

void
spirv_emit_pointer(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpAccessChain:
    case SPIRV_OpInBoundsAccessChain:
    case SPIRV_OpPtrAccessChain:
    case SPIRV_OpInBoundsPtrAccessChain: emit_chain(r, i); break;
    case SPIRV_OpPtrEqual:
    case SPIRV_OpPtrNotEqual: emit_compare(r, i); break;
    case SPIRV_OpPtrDiff: emit_difference(r, i); break;
    case SPIRV_OpImageTexelPointer: emit_texel(r, i); break;
    default: emit_conversion(r, i); break;
    }
}
