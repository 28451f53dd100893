/* Memory for addresses: each type of pointer gets REAL_POOL buffers of the pointed-to type, with
 * their own addresses. So lists and trees of pointers lead to valid memory; they never end.
 */
#include "maker.h"

#define FIRST_ADDRESS UINT64_C(0x0000000800000000)
#define DISTANCE      UINT64_C(0x0000000000100000)

/* An array of `t`, as pointers may be indexed; it takes as many elements as fit. A type that ends
 * with a runtime array is long enough and returned as it is. */
static const spirv_type *
array_of(real_maker *m, const spirv_type *t, uint32_t stride)
{
    spirv_type *array = ARENA_NEW(m->c->arena, spirv_type);
    if (real_block_stride(t))
        return t;
    *array = (spirv_type){.kind = SPIRV_RUNTIME_ARRAY, .elem = t, .stride = stride};
    if (!stride)
        array->stride = (uint32_t)(real_block_size(t, 0) + 15) & ~15u;
    return array;
}

static real_pool *
new_pool(real_maker *m, const spirv_type *target, uint32_t stride)
{
    real_case *c = m->c;
    real_pool *p = ARENA_NEW(c->arena, real_pool);
    *p = (real_pool){.next = m->pools, .target = target->id, .first = c->n_buffers};
    m->pools = p;
    for (unsigned i = 0; i < REAL_POOL; i++) {
        real_buffer *b = real_add_buffer(
            m, arena_printf(c->arena, "%u behind pointers to type %u", i, target->id));
        real_make_block(m, b, array_of(m, target, stride), REAL_ARRAY_ROOM);
        b->amber.address = FIRST_ADDRESS + b->amber.index * DISTANCE;
    }
    return p;
}

/* The priority of a type of pointer for integers that become addresses: a pointer to pointers comes
 * first, as it leads to all others. */
static unsigned
rank_of(const spirv_type *t)
{
    bool is_pointer = t && t->kind == SPIRV_POINTER && t->storage == SPIRV_SC_PHYSICAL && t->elem;
    if (!is_pointer)
        return 0;
    return t->elem->kind == SPIRV_POINTER                                          ? 3
           : t->elem->kind == SPIRV_STRUCT || t->elem->kind == SPIRV_RUNTIME_ARRAY ? 2
                                                                                   : 1;
}

/* The type of pointer to physical memory with the highest priority in the module, or NULL. */
static const spirv_type *
any_pointer(const spirv_reader *r)
{
    const spirv_type *best = NULL;
    for (size_t i = 0; i < r->n_ids; i++) {
        const spirv_type *t = r->ids[i].kind == SPIRV_ID_TYPE ? r->ids[i].type : NULL;
        if (rank_of(t) > rank_of(best))
            best = t;
    }
    return best;
}

uint64_t
real_pool_address(void *user, const spirv_type *pointer)
{
    real_maker *m = user;
    real_pool *p;
    if (!pointer)
        pointer = any_pointer(&m->c->reader);
    if (!pointer)
        return 0;
    for (p = m->pools; p && p->target != pointer->elem->id; p = p->next)
        ;
    if (!p)
        p = new_pool(m, pointer->elem, pointer->stride);
    return m->c->buffers[p->first + real_next(&m->draw) % REAL_POOL]->amber.address;
}
