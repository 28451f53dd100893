#include "opt/memory.h"

/* Bits of a domain. Each binding is hashed to one of the next bits. The last bits are for the
 * elements of an array of resources: a known one is hashed to one of them, others have all. */
enum { ANY_BUFFER = 1, SHARED = 2, SCRATCH = 4, FIRST_BINDING = 3, N_BINDINGS = 40 };
enum { FIRST_ELEMENT = FIRST_BINDING + N_BINDINGS, N_ELEMENTS = 64 - FIRST_ELEMENT };

static const uint64_t elements = ~UINT64_C(0) << FIRST_ELEMENT;

/* By opcode; `op` is 0 if the opcode is not a load or store. */
static const opt_access_row rows[IR_HIR_OP_LIMIT] = {
    [IR_load_ubo] = {IR_load_ubo, -1, 0, 1, OPT_MEMORY_CONSTANT},
    [IR_load_push_constant] = {IR_load_push_constant, -1, -1, 0, OPT_MEMORY_CONSTANT},
    [IR_load_constant] = {IR_load_constant, -1, -1, 0, OPT_MEMORY_CONSTANT},
    [IR_load_ssbo] = {IR_load_ssbo, -1, 0, 1, OPT_MEMORY_BUFFER},
    [IR_load_global] = {IR_load_global, -1, -1, 0, OPT_MEMORY_BUFFER},
    [IR_load_shared] = {IR_load_shared, -1, -1, 0, OPT_MEMORY_SHARED},
    [IR_load_scratch] = {IR_load_scratch, -1, -1, 0, OPT_MEMORY_SCRATCH},
    [IR_store_ssbo] = {IR_store_ssbo, 0, 1, 2, OPT_MEMORY_BUFFER},
    [IR_store_global] = {IR_store_global, 0, -1, 1, OPT_MEMORY_BUFFER},
    [IR_store_shared] = {IR_store_shared, 0, -1, 1, OPT_MEMORY_SHARED},
    [IR_store_scratch] = {IR_store_scratch, 0, -1, 1, OPT_MEMORY_SCRATCH},
};

/* Strips the constant parts off an offset or address and adds them to `*at`. */
static ir_ref
split_base(const ir_replacement *map, ir_ref r, int64_t *at)
{
    const ir_fn *f = map->f;
    uint64_t c;
    unsigned bits = ir_type_bits(ir_ref_type(f, r));
    for (;;) {
        r = ir_replace_follow(map, r);
        if (ir_is_const(f, r, &c)) {
            *at += base_sext64(c, bits);
            return ir_none();
        }
        const ir_instr *def = f->values[r.id].def;
        if (def->op != IR_iadd || !ir_is_const(f, def->refs[1], &c))
            return r;
        *at += base_sext64(c, bits);
        r = def->refs[0];
    }
}

/* Accesses that others are to see at once are ordered with those to all elements. */
static uint64_t
element_bits(const ir_replacement *map, ir_ref index, uint32_t flags)
{
    uint64_t n;
    if (flags & (IR_ACCESS_COHERENT | IR_ACCESS_VOLATILE) ||
        !ir_is_const(map->f, ir_replace_follow(map, index), &n))
        return elements;
    return UINT64_C(1) << (FIRST_ELEMENT + n % N_ELEMENTS);
}

static uint64_t
buffer_domain(const ir_replacement *map, ir_ref handle, uint32_t flags)
{
    const ir_instr *def = map->f->values[ir_replace_follow(map, handle).id].def;
    if (flags & IR_ACCESS_ALIASED || !def || def->op != IR_vulkan_resource_index)
        return ANY_BUFFER;
    uint32_t set = ir_attr_get(def, IR_A_DESC_SET), binding = ir_attr_get(def, IR_A_BINDING);
    uint64_t bit = UINT64_C(1) << (FIRST_BINDING + (set * 17 + binding) % N_BINDINGS);
    return bit | element_bits(map, def->refs[0], flags);
}

static uint64_t
domain_of(const ir_replacement *map, opt_memory memory, ir_ref resource, uint32_t flags)
{
    switch (memory) {
    case OPT_MEMORY_BUFFER:
        return ir_is_value(resource) ? buffer_domain(map, resource, flags) : ANY_BUFFER;
    case OPT_MEMORY_SHARED: return SHARED;
    case OPT_MEMORY_SCRATCH: return SCRATCH;
    default: return 0;
    }
}

bool
opt_find_place(const ir_replacement *map, const ir_instr *i, opt_place *out)
{
    const ir_fn *f = map->f;
    const opt_access_row *row = &rows[i->op];
    if (!row->op)
        return false;
    uint32_t flags = opt_attr_or_0(i, IR_A_ACCESS);
    *out = (opt_place){.row = row, .flags = flags, .at = opt_attr_or_0(i, IR_A_BASE)};
    out->memory = flags & IR_ACCESS_CAN_REORDER ? OPT_MEMORY_CONSTANT : (opt_memory)row->memory;
    out->type = row->data < 0 ? f->values[i->defs[0].id].type : ir_ref_type(f, i->refs[row->data]);
    out->resource = row->resource < 0 ? ir_none() : i->refs[row->resource];
    out->base = split_base(map, i->refs[row->offset], &out->at);
    out->domain = domain_of(map, out->memory, out->resource, flags);
    return true;
}

bool
opt_may_access_memory(const ir_fn *f)
{
    return ir_made_op(f, IR_load_ssbo) || ir_made_op(f, IR_store_ssbo) ||
           ir_made_op(f, IR_load_global) || ir_made_op(f, IR_store_global) ||
           ir_made_op(f, IR_load_shared) || ir_made_op(f, IR_store_shared) ||
           ir_made_op(f, IR_load_scratch) || ir_made_op(f, IR_store_scratch);
}

bool
opt_is_alone(const ir_fn *f)
{
    const uint32_t *size = f->shader.workgroup_size;
    return size[0] == 1 && size[1] == 1 && size[2] == 1;
}

static uint64_t
domain_of_barrier(const ir_instr *i)
{
    uint32_t modes = ir_attr_get(i, IR_A_MODES);
    bool shared = modes & IR_MODE_SHARED && !opt_is_alone(i->block->fn);
    return (modes & IR_MODE_SSBO ? ANY_BUFFER : 0u) | (shared ? SHARED : 0u);
}

/* The domain of an access of the table. */
static uint64_t
domain_of_row(const ir_replacement *map, const ir_instr *i, const opt_access_row *row)
{
    uint32_t flags = opt_attr_or_0(i, IR_A_ACCESS);
    bool constant = flags & IR_ACCESS_CAN_REORDER;
    ir_ref resource = row->resource < 0 ? ir_none() : i->refs[row->resource];
    return domain_of(map, constant ? OPT_MEMORY_CONSTANT : (opt_memory)row->memory, resource,
                     flags);
}

uint64_t
opt_domain_of(const ir_replacement *map, const ir_instr *i)
{
    if (rows[i->op].op)
        return domain_of_row(map, i, &rows[i->op]);
    switch (i->op) {
    case IR_ssbo_atomic:
    case IR_ssbo_atomic_swap:
        return domain_of(map, OPT_MEMORY_BUFFER, i->refs[0], ir_attr_get(i, IR_A_ACCESS));
    case IR_global_atomic:
    case IR_global_atomic_swap: return ANY_BUFFER;
    case IR_shared_atomic:
    case IR_shared_atomic_swap: return SHARED;
    case IR_barrier: return domain_of_barrier(i);
    default: return 0;
    }
}

bool
opt_domains_meet(uint64_t a, uint64_t b)
{
    const uint64_t buffers = ~(uint64_t)(SHARED | SCRATCH), both = a & b;
    if ((a & ANY_BUFFER && b & buffers) || (b & ANY_BUFFER && a & buffers))
        return true;
    return both & (SHARED | SCRATCH) || (both & elements && both & ~elements);
}

uint64_t
opt_whole_arrays(uint64_t domain)
{
    return domain & elements ? domain | elements : domain;
}

bool
opt_constants_tell(ir_ref a, uint64_t a_domain, ir_ref b, uint64_t b_domain)
{
    return ir_same_ref(a, b) ||
           (a_domain & b_domain & elements && !((a_domain | b_domain) & ANY_BUFFER));
}
