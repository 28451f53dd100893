/* Walks over a block. All offsets come from the module's decorations; no layout is computed. */
#include "layout.h"

/* The layout of the matrices in a member. */
typedef struct matrices {
    uint32_t stride;
    bool row_major;
} matrices;

typedef struct walker {
    uint64_t size;
    real_visit *visit;
    void *user;
} walker;

static void
visit_scalar(const walker *w, const spirv_type *t, real_cell cell)
{
    cell.kind = t->kind;
    cell.bits = t->kind == SPIRV_POINTER ? 64 : t->bits;
    cell.is_signed = t->is_signed;
    cell.target = t->kind == SPIRV_POINTER ? t : NULL;
    bool is_number = t->kind == SPIRV_INT || t->kind == SPIRV_FLOAT || t->kind == SPIRV_POINTER;
    if (is_number && cell.offset + cell.bits / 8 <= w->size)
        w->visit(w->user, &cell);
}

static void
visit_matrix(const walker *w, const spirv_type *t, uint64_t at, matrices m)
{
    const spirv_type *column = t->elem, *scalar = column->elem;
    uint32_t step = scalar->bits / 8;
    uint32_t stride = m.stride ? m.stride : step * column->count;
    for (uint32_t c = 0; c < t->count; c++)
        for (uint32_t r = 0; r < column->count; r++)
            visit_scalar(w, scalar,
                         (real_cell){.offset = at + (m.row_major ? (uint64_t)r * stride + c * step
                                                                 : (uint64_t)c * stride + r * step),
                                     .column = (int)c,
                                     .row = (int)r,
                                     .lane = (uint8_t)r,
                                     .lanes = (uint8_t)column->count});
}

static uint32_t
stride_of(const spirv_type *array)
{
    return array->stride ? array->stride : (uint32_t)array->elem->size;
}

static void
visit_type(const walker *w, const spirv_type *t, uint64_t at, matrices m)
{
    uint64_t count = t->count;
    if (at >= w->size)
        return;
    switch (t->kind) {
    case SPIRV_STRUCT:
        for (uint32_t i = 0; i < t->count; i++)
            visit_type(w, t->members[i].type, at + t->members[i].offset,
                       (matrices){t->members[i].matrix_stride, t->members[i].row_major});
        break;
    case SPIRV_RUNTIME_ARRAY: count = UINT64_MAX; /* fallthrough */
    case SPIRV_ARRAY:
        for (uint64_t i = 0; i < count && stride_of(t) && at < w->size; i++, at += stride_of(t))
            visit_type(w, t->elem, at, m);
        break;
    case SPIRV_MATRIX: visit_matrix(w, t, at, m); break;
    case SPIRV_VECTOR:
        for (uint32_t i = 0; i < t->count; i++)
            visit_scalar(w, t->elem,
                         (real_cell){.offset = at + (uint64_t)i * (t->elem->bits / 8),
                                     .column = -1,
                                     .row = -1,
                                     .lane = (uint8_t)i,
                                     .lanes = (uint8_t)t->count});
        break;
    default:
        visit_scalar(w, t, (real_cell){.offset = at, .column = -1, .row = -1, .lanes = 1});
        break;
    }
}

void
real_walk(const spirv_type *block, uint64_t size, real_visit *visit, void *user)
{
    walker w = {size, visit, user};
    visit_type(&w, block, 0, (matrices){0});
}

/* The runtime array at the end of the block, and its offset. */
static const spirv_type *
runtime_array(const spirv_type *block, uint64_t *offset)
{
    const spirv_member *last;
    *offset = 0;
    if (block->kind == SPIRV_RUNTIME_ARRAY)
        return block;
    if (block->kind != SPIRV_STRUCT || !block->count)
        return NULL;
    last = &block->members[block->count - 1];
    *offset = last->offset;
    return last->type->kind == SPIRV_RUNTIME_ARRAY ? last->type : NULL;
}

uint32_t
real_block_stride(const spirv_type *block)
{
    uint64_t offset;
    const spirv_type *array = runtime_array(block, &offset);
    return array ? stride_of(array) : 0;
}

uint64_t
real_block_size(const spirv_type *block, uint64_t elements)
{
    uint64_t offset, fixed = block->kind == SPIRV_STRUCT ? block->explicit_size : block->size;
    const spirv_type *array = runtime_array(block, &offset);
    if (!array)
        return fixed;
    return offset + elements * stride_of(array);
}
