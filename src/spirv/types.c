/* Types: sizes as a number of leaves (scalar components), and two memory layouts.
 *
 * The explicit layout comes from the module (Offset, ArrayStride, MatrixStride, RowMajor). The
 * natural layout is the reader's own, for workgroup memory, scratch and constant data: std430's
 * rules, with booleans as 32 bits and matrices by columns.
 */
#include "spirv/reader.h"

enum { SIZE_MAX_BYTES = 1 << 30 };

static uint64_t
round_up(uint64_t x, uint64_t align)
{
    return (x + align - 1) & ~(align - 1);
}

static uint32_t
saturate(uint64_t x)
{
    return x > UINT32_MAX ? UINT32_MAX : (uint32_t)x;
}

/* Keeps sizes far from overflow: nothing larger than SIZE_MAX_BYTES is ever laid out. */
static uint64_t
bounded(uint64_t x)
{
    return x > SIZE_MAX_BYTES ? SIZE_MAX_BYTES : x;
}

/* ---- making ---- */

static spirv_type *
new_type(spirv_reader *r, const spirv_insn *i, spirv_kind kind)
{
    spirv_id *id = spirv_ref(r, i, 1);
    spirv_type *t = id->type;
    if (!t || id->kind != SPIRV_ID_TYPE) /* otherwise made by OpTypeForwardPointer */
        t = ARENA_NEW(r->a, spirv_type);
    t->kind = (uint8_t)kind;
    t->id = id->number;
    t->align = 1;
    id->type = t; /* visible to others as a type only when complete: spirv_read_type */
    return t;
}

const spirv_type *
spirv_type_ref(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    const spirv_id *id = spirv_ref(r, i, k);
    if (id->kind != SPIRV_ID_TYPE)
        spirv_invalid(r, "operand %u (id %u) is not a type", k, id->number);
    return id->type;
}

static void
set_depth(spirv_reader *r, spirv_type *t, const spirv_type *inner)
{
    if (inner->depth >= SPIRV_MAX_TYPE_DEPTH)
        spirv_limit(r, "types nest deeper than %d", SPIRV_MAX_TYPE_DEPTH);
    if (t->depth <= inner->depth)
        t->depth = (uint8_t)(inner->depth + 1);
}

static void
read_scalar(spirv_reader *r, const spirv_insn *i, spirv_kind kind)
{
    spirv_type *t = new_type(r, i, kind);
    uint32_t bits = kind == SPIRV_BOOL ? 1 : i->w[2];
    bool ok = bits == 16 || bits == 32 || bits == 64 || (bits == 8 && kind == SPIRV_INT);
    if (kind != SPIRV_BOOL && !ok)
        spirv_unsupported(r, "scalar types of %u bits", bits);
    t->bits = (uint8_t)bits;
    t->is_signed = kind == SPIRV_INT && i->w[3];
    t->leaves = 1;
    t->size = t->align = kind == SPIRV_BOOL ? 4 : bits / 8;
}

static void
read_vector(spirv_reader *r, const spirv_insn *i)
{
    spirv_type *t = new_type(r, i, SPIRV_VECTOR);
    t->elem = spirv_type_ref(r, i, 2);
    t->count = i->w[3];
    if (!spirv_is_scalar(t->elem))
        spirv_invalid(r, "the component type of a vector is not a scalar");
    if (t->count < 2 || t->count > 4)
        spirv_unsupported(r, "vectors of %u components", t->count);
    t->bits = t->elem->bits;
    t->depth = 1;
    t->leaves = t->count;
    t->size = t->elem->size * t->count;
    t->align = (uint32_t)t->elem->size * (t->count == 3 ? 4 : t->count);
}

static void
read_matrix(spirv_reader *r, const spirv_insn *i)
{
    spirv_type *t = new_type(r, i, SPIRV_MATRIX);
    t->elem = spirv_type_ref(r, i, 2);
    t->count = i->w[3];
    if (t->elem->kind != SPIRV_VECTOR || t->elem->elem->kind != SPIRV_FLOAT)
        spirv_invalid(r, "the column type of a matrix is not a vector of floats");
    if (t->count < 2 || t->count > 4)
        spirv_invalid(r, "a matrix has %u columns", t->count);
    t->bits = t->elem->bits;
    t->depth = 2;
    t->leaves = t->count * t->elem->count;
    t->align = t->elem->align;
    t->size = round_up(t->elem->size, t->align) * t->count;
}

uint64_t
spirv_natural_stride(const spirv_type *array)
{
    return round_up(array->elem->size, array->elem->align);
}

static void
check_element(spirv_reader *r, const spirv_type *e)
{
    if (e->kind == SPIRV_VOID || e->kind == SPIRV_FUNCTION)
        spirv_invalid(r, "void and function types cannot be elements");
}

static void
read_array(spirv_reader *r, const spirv_insn *i)
{
    bool runtime = i->op == SPIRV_OpTypeRuntimeArray;
    spirv_type *t = new_type(r, i, runtime ? SPIRV_RUNTIME_ARRAY : SPIRV_ARRAY);
    t->elem = spirv_type_ref(r, i, 2);
    check_element(r, t->elem);
    set_depth(r, t, t->elem);
    t->stride = spirv_decor_arg(spirv_ref(r, i, 1), SPIRV_DEC_ARRAY_STRIDE, 0);
    t->align = t->elem->align;
    if (runtime) {
        t->leaves = UINT32_MAX;
        return;
    }
    uint64_t length = spirv_const_word(r, i, 3);
    if (!length)
        spirv_invalid(r, "an array has no elements");
    t->count = saturate(length);
    t->leaves = t->elem->leaves == UINT32_MAX ? UINT32_MAX
                                              : saturate((uint64_t)t->count * t->elem->leaves);
    t->size = bounded(spirv_natural_stride(t) * t->count);
}

/* ---- structs ---- */

static void
place_members(spirv_reader *r, spirv_type *t)
{
    uint64_t leaves = 0, size = 0;
    for (uint32_t m = 0; m < t->count; m++) {
        spirv_member *x = &t->members[m];
        const spirv_type *e = x->type;
        set_depth(r, t, e);
        x->first_leaf = saturate(leaves);
        leaves = e->leaves == UINT32_MAX ? UINT32_MAX : saturate(leaves + e->leaves);
        x->natural = size = round_up(size, e->align);
        size = bounded(size + e->size);
        uint64_t end = x->offset + spirv_explicit_size(e, x->matrix_stride, x->row_major);
        t->explicit_size = end > t->explicit_size ? bounded(end) : t->explicit_size;
        t->align = e->align > t->align ? e->align : t->align;
    }
    t->leaves = (uint32_t)leaves;
    t->size = bounded(round_up(size, t->align));
}

static void
decorate_member(spirv_member *m, const spirv_decor *d)
{
    uint32_t arg = d->n_args ? d->args[0] : 0;
    switch (d->what) {
    case SPIRV_DEC_OFFSET: m->offset = arg, m->has_offset = true; break;
    case SPIRV_DEC_MATRIX_STRIDE: m->matrix_stride = arg; break;
    case SPIRV_DEC_ROW_MAJOR: m->row_major = true; break;
    case SPIRV_DEC_BUILTIN: m->builtin = arg; break;
    default: m->access |= spirv_access_of(d->what); break;
    }
}

static void
read_struct(spirv_reader *r, const spirv_insn *i)
{
    spirv_type *t = new_type(r, i, SPIRV_STRUCT);
    t->count = i->n - 2u;
    t->members = ARENA_ARRAY(r->a, t->count, spirv_member);
    for (uint32_t m = 0; m < t->count; m++) {
        t->members[m].type = spirv_type_ref(r, i, m + 2);
        t->members[m].builtin = UINT32_MAX;
        check_element(r, t->members[m].type);
    }
    for (const spirv_decor *d = spirv_ref(r, i, 1)->decor; d; d = d->next) {
        if (d->member < t->count)
            decorate_member(&t->members[d->member], d);
        t->is_block |= d->member == UINT32_MAX && d->what == SPIRV_DEC_BLOCK;
        t->is_buffer_block |= d->member == UINT32_MAX && d->what == SPIRV_DEC_BUFFER_BLOCK;
    }
    place_members(r, t);
}

/* ---- pointers and the rest ---- */

/* The number of leaves of a pointer as a value: an address; a descriptor and an offset; or an
 * offset. Others have none: they can be undefined and be copied, but point nowhere. */
static uint32_t
pointer_leaves(uint32_t storage)
{
    switch (storage) {
    case SPIRV_SC_PHYSICAL: return 1;
    case SPIRV_SC_UNIFORM:
    case SPIRV_SC_STORAGE_BUFFER: return 2;
    case SPIRV_SC_WORKGROUP: return 1;
    default: return 0;
    }
}

static void
read_pointer(spirv_reader *r, const spirv_insn *i)
{
    bool forward = i->op == SPIRV_OpTypeForwardPointer;
    spirv_type *t = new_type(r, i, SPIRV_POINTER);
    t->storage = i->w[2];
    t->leaves = pointer_leaves(t->storage);
    t->bits = t->storage == SPIRV_SC_PHYSICAL ? 64 : 32;
    t->size = t->align = t->storage == SPIRV_SC_WORKGROUP ? 4 : 8;
    if (forward)
        return;
    t->elem = spirv_type_ref(r, i, 3);
    t->stride = spirv_decor_arg(spirv_ref(r, i, 1), SPIRV_DEC_ARRAY_STRIDE, 0);
}

static void
read_function_type(spirv_reader *r, const spirv_insn *i)
{
    spirv_type *t = new_type(r, i, SPIRV_FUNCTION);
    t->elem = spirv_type_ref(r, i, 2);
    t->count = i->n - 3u;
    t->args = ARENA_ARRAY(r->a, t->count, const spirv_type *);
    for (uint32_t a = 0; a < t->count; a++)
        t->args[a] = spirv_type_ref(r, i, a + 3);
}

static ir_dim
dim_of(spirv_reader *r, uint32_t dim, bool multisampled)
{
    static const uint8_t dims[] = {IR_DIM_1D,   IR_DIM_2D,  IR_DIM_3D,     IR_DIM_cube,
                                   IR_DIM_rect, IR_DIM_buf, IR_DIM_subpass};
    if (dim >= sizeof dims)
        spirv_unsupported(r, "image dimension %u", dim);
    if (multisampled && dim == SPIRV_DIM_2D)
        return IR_DIM_ms;
    return (ir_dim)dims[dim];
}

static void
read_image_type(spirv_reader *r, const spirv_insn *i)
{
    spirv_type *t = new_type(r, i, SPIRV_IMAGE);
    t->elem = spirv_type_ref(r, i, 2);
    t->multisampled = i->w[6] == 1;
    t->dim = (uint8_t)dim_of(r, i->w[3], t->multisampled);
    t->depth_image = i->w[4] == 1;
    t->arrayed = i->w[5] == 1;
    t->sampled = (uint8_t)(i->w[7] > 2 ? 0 : i->w[7]);
    if (i->w[8] >= IR_FORMAT_COUNT)
        spirv_unsupported(r, "image format %u", i->w[8]);
    t->format = (uint8_t)i->w[8];
    t->leaves = 1;
    t->bits = 32;
    if (t->elem->kind != SPIRV_INT && t->elem->kind != SPIRV_FLOAT && t->elem->kind != SPIRV_VOID)
        spirv_invalid(r, "the sampled type of an image is not a numeric scalar");
}

static void
read_opaque(spirv_reader *r, const spirv_insn *i, spirv_kind kind, uint32_t leaves)
{
    spirv_type *t = new_type(r, i, kind);
    t->leaves = leaves;
    t->bits = 32;
    if (kind == SPIRV_SAMPLED_IMAGE) {
        t->elem = spirv_type_ref(r, i, 2);
        if (t->elem->kind != SPIRV_IMAGE)
            spirv_invalid(r, "a sampled image is not of an image type");
    }
}

static void
read_accel(spirv_reader *r, const spirv_insn *i)
{
    spirv_type *t = new_type(r, i, SPIRV_ACCEL);
    t->leaves = 1;
    t->bits = 64;
    t->size = t->align = 8;
}

static void
read_query(spirv_reader *r, const spirv_insn *i)
{
    spirv_type *t = new_type(r, i, SPIRV_STRUCT);
    t->members = spirv_query_members(r, &t->count);
    t->is_query = r->has_queries = true;
    place_members(r, t);
}

void
spirv_read_type(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpTypeVoid: new_type(r, i, SPIRV_VOID); break;
    case SPIRV_OpTypeBool: read_scalar(r, i, SPIRV_BOOL); break;
    case SPIRV_OpTypeInt: read_scalar(r, i, SPIRV_INT); break;
    case SPIRV_OpTypeFloat: read_scalar(r, i, SPIRV_FLOAT); break;
    case SPIRV_OpTypeVector: read_vector(r, i); break;
    case SPIRV_OpTypeMatrix: read_matrix(r, i); break;
    case SPIRV_OpTypeArray:
    case SPIRV_OpTypeRuntimeArray: read_array(r, i); break;
    case SPIRV_OpTypeStruct: read_struct(r, i); break;
    case SPIRV_OpTypePointer:
    case SPIRV_OpTypeForwardPointer: read_pointer(r, i); break;
    case SPIRV_OpTypeFunction: read_function_type(r, i); break;
    case SPIRV_OpTypeImage: read_image_type(r, i); break;
    case SPIRV_OpTypeSampler: read_opaque(r, i, SPIRV_SAMPLER, 1); break;
    case SPIRV_OpTypeSampledImage: read_opaque(r, i, SPIRV_SAMPLED_IMAGE, 2); break;
    case SPIRV_OpTypeAccelerationStructureNV: read_accel(r, i); break;
    case SPIRV_OpTypeRayQueryKHR: read_query(r, i); break;
    default: new_type(r, i, SPIRV_OTHER)->leaves = UINT32_MAX; break;
    }
    spirv_ref(r, i, 1)->kind = SPIRV_ID_TYPE;
}

/* ---- queries ---- */

void
spirv_check_value_type(spirv_reader *r, const spirv_type *t)
{
    if (t->kind == SPIRV_VOID || t->kind == SPIRV_FUNCTION)
        spirv_invalid(r, "a value has a void or function type");
    if (t->kind == SPIRV_OTHER)
        spirv_unsupported(r, "values of type id %u", t->id);
    if (t->leaves == UINT32_MAX)
        spirv_limit(r, "a value of type id %u has too many components", t->id);
    spirv_charge(r, t->leaves / 4 + 1);
}

const spirv_type *
spirv_scalar_of(const spirv_type *t)
{
    if (spirv_is_scalar(t))
        return t;
    return t->kind == SPIRV_VECTOR ? t->elem : NULL;
}

/* The member that contains leaf `k`: the last non-empty one that starts at or before it. */
static const spirv_member *
member_of_leaf(const spirv_type *t, uint32_t k)
{
    uint32_t lo = 0, hi = t->count;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (t->members[mid].first_leaf <= k)
            lo = mid;
        else
            hi = mid;
    }
    return &t->members[lo];
}

ir_type
spirv_leaf_type(spirv_reader *r, const spirv_type *t, uint32_t k)
{
    for (;;) {
        switch (t->kind) {
        case SPIRV_BOOL:
        case SPIRV_INT:
        case SPIRV_FLOAT:
        case SPIRV_POINTER:
        case SPIRV_ACCEL:
        case SPIRV_VECTOR:
        case SPIRV_MATRIX: return IR_TYPE(t->bits, 1);
        case SPIRV_ARRAY:
            t = t->elem;
            k %= t->leaves ? t->leaves : 1;
            break;
        case SPIRV_STRUCT: {
            const spirv_member *m = member_of_leaf(t, k);
            k -= m->first_leaf;
            t = m->type;
            break;
        }
        case SPIRV_IMAGE:
        case SPIRV_SAMPLER:
        case SPIRV_SAMPLED_IMAGE: return IR_I32;
        default: spirv_invalid(r, "type id %u has no components", t->id);
        }
    }
}

uint64_t
spirv_natural_offset(spirv_reader *r, const spirv_type *t, uint32_t k)
{
    uint64_t at = 0;
    for (;;) {
        switch (t->kind) {
        case SPIRV_VECTOR: return at + k * t->elem->size;
        case SPIRV_MATRIX:
        case SPIRV_ARRAY: {
            uint32_t n = t->elem->leaves ? t->elem->leaves : 1;
            at += k / n * spirv_natural_stride(t);
            k %= n;
            t = t->elem;
            break;
        }
        case SPIRV_STRUCT: {
            const spirv_member *m = member_of_leaf(t, k);
            at += m->natural;
            k -= m->first_leaf;
            t = m->type;
            break;
        }
        case SPIRV_OTHER: spirv_unsupported(r, "memory of type id %u", t->id);
        default: return at + (t->kind == SPIRV_POINTER ? 4 * k : 0);
        }
    }
}

const spirv_type *
spirv_element(spirv_reader *r, const spirv_type *t, uint64_t index, uint32_t *leaf)
{
    if (!spirv_is_composite(t))
        spirv_invalid(r, "type id %u has no elements", t->id);
    if (t->kind != SPIRV_RUNTIME_ARRAY && index >= t->count)
        spirv_invalid(r, "index %llu is outside the %u elements of type id %u",
                      (unsigned long long)index, t->count, t->id);
    if (t->kind == SPIRV_STRUCT) {
        *leaf += t->members[index].first_leaf;
        return t->members[index].type;
    }
    *leaf += (uint32_t)index * t->elem->leaves;
    return t->elem;
}

ir_base_type
spirv_base_type(const spirv_type *scalar)
{
    return scalar->kind == SPIRV_FLOAT ? IR_BASE_float
           : scalar->is_signed         ? IR_BASE_int
                                       : IR_BASE_uint;
}

uint64_t
spirv_explicit_size(const spirv_type *t, uint32_t matrix_stride, bool row_major)
{
    switch (t->kind) {
    case SPIRV_MATRIX: return (row_major ? t->elem->count : t->count) * (uint64_t)matrix_stride;
    case SPIRV_ARRAY:
        return bounded(t->count * (t->stride
                                       ? (uint64_t)t->stride
                                       : spirv_explicit_size(t->elem, matrix_stride, row_major)));
    case SPIRV_STRUCT: return t->explicit_size;
    default: return t->size;
    }
}
