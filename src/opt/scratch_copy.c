/* An array or structure that is passed by value, or copied to a local variable, and indexed by a
 * number that is not constant, is stored to scratch memory piece by piece and read from there:
 *
 *     32 %3 = @load_ssbo (%1, %2 + 16)     @store_scratch (%3) (base=0)
 *     32 %4 = @load_ssbo (%1, %2 + 20)     @store_scratch (%4) (base=4)
 *     32 %6 = @load_scratch (%5)       ->  32 %6 = @load_ssbo (%1, %2 + %5 + 16)
 *
 * Reading the source instead needs no copy, if the source never changes. The conditions are that
 * all stores are in one block, which comes before all loads, and store to constant places what was
 * loaded from one buffer, each at the same distance from its place. The loads may then be computed:
 * whichever place they read, it has the value that is found at that distance, or none. A value that
 * dominates the stores is known at the loads.
 *
 * Scratch memory is treated as a whole, since it does not tell where a variable ends. One walk.
 */
#include "opt/scratch_copy.h"

#include "opt/memory.h"

#include "ir/analysis.h"
#include "ir/builder.h"

typedef struct copied {
    ir_fn *f;
    ir_replacement map;
    ir_instr *source;                 /* a load that was copied */
    opt_place from;                   /* its place */
    int64_t distance;                 /* from places in scratch to those in the source */
    uint32_t align_mul, align_offset; /* of the source's address for place 0 */
    ir_block *stores;                 /* the block that stores */
    ir_instr *last_store;
    ir_instr **loads;
    size_t n_loads, cap_loads;
    bool computed; /* a load's place is not constant: otherwise the values are known */
} copied;

/* The source that component `comp` of `i`'s data was loaded from must be the known one. */
static bool
add_component(copied *c, const ir_instr *i, ir_ref value, int64_t at)
{
    opt_place p;
    value = ir_look_through(c->f, value);
    ir_instr *load = c->f->values[value.id].def;
    if (load->op != IR_load_ssbo && load->op != IR_load_ubo)
        return false;
    opt_find_place(&c->map, load, &p);
    if (p.memory != OPT_MEMORY_CONSTANT ||
        ir_type_bits(p.type) != ir_type_bits(ir_ref_type(c->f, value)))
        return false;
    int64_t distance = p.at + (int64_t)value.comp * (ir_type_bits(p.type) / 8) - at;
    if (!c->source) {
        c->source = load;
        c->from = p;
        c->distance = distance;
        c->stores = i->block;
    }
    uint32_t mul = ir_attr_get(load, IR_A_ALIGN_MUL);
    if (load == c->source || mul < c->align_mul) {
        c->align_mul = mul;
        c->align_offset = (ir_attr_get(load, IR_A_ALIGN_OFFSET) + (uint32_t)(distance - p.at)) &
                          (mul - 1);
    }
    return load->op == c->source->op && p.flags == c->from.flags && distance == c->distance &&
           ir_same_ref(p.resource, c->from.resource) && ir_same_ref(p.base, c->from.base);
}

static bool
add_store(copied *c, ir_instr *i)
{
    uint64_t at;
    ir_ref v = i->refs[0];
    if (!ir_is_const(c->f, i->refs[1], &at) || (c->stores && c->stores != i->block))
        return false;
    ir_type t = ir_ref_type(c->f, v);
    for (unsigned k = 0; k < ir_type_comps(t); k++) {
        int64_t place = (int64_t)(at + ir_attr_get(i, IR_A_BASE) + k * (ir_type_bits(t) / 8u));
        if (ir_attr_get(i, IR_A_WRITE_MASK) >> k & 1 &&
            !add_component(c, i, ir_type_comps(t) == 1 ? v : ir_comp(v, k), place))
            return false;
    }
    c->last_store = i;
    return true;
}

/* Looks at all accesses. */
static bool
survey(copied *c)
{
    IR_FOREACH_INSTR_OF(i, c->f) {
        if (i->op == IR_store_scratch && !add_store(c, i))
            return false;
        if (i->op != IR_load_scratch)
            continue;
        c->computed |= !ir_is_const(c->f, i->refs[0], NULL);
        c->loads = arena_grow(c->f->ctx->scratch, c->loads, &c->cap_loads, c->n_loads + 1,
                              sizeof *c->loads);
        c->loads[c->n_loads++] = i;
    }
    return c->source && c->computed;
}

/* Are the stores executed before each load? */
static bool
come_first(const copied *c)
{
    for (const ir_instr *i = c->stores->first; i != c->last_store; i = i->next) {
        if (i->op == IR_load_scratch)
            return false;
    }
    for (size_t n = 0; n < c->n_loads; n++) {
        if (!ir_dominates(c->stores, c->loads[n]->block, 0))
            return false;
    }
    return true;
}

/* The load from the source that has the value of `i`. */
static void
redirect(copied *c, ir_builder *b, ir_instr *i)
{
    ir_builder_before(b, i);
    b->loc = i->loc;
    uint32_t mul = ir_attr_get(i, IR_A_ALIGN_MUL), most = c->align_mul < mul ? c->align_mul : mul;
    ir_ref at = i->refs[0], constant;
    if (ir_is_value(c->from.base))
        at = irb_iadd(b, c->from.base, at);
    constant = ir_build_imm(b, 32, (uint32_t)(c->distance + ir_attr_get(i, IR_A_BASE)));
    ir_ref refs[2] = {c->from.resource, irb_iadd(b, at, constant)};
    ir_ref r = ir_build_intr(b, c->source->op, c->f->values[i->defs[0].id].type, refs, 2);
    ir_instr *load = ir_built(b);
    ir_attr_set(load, IR_A_ACCESS, c->from.flags);
    ir_attr_set(load, IR_A_ALIGN_MUL, most);
    ir_attr_set(load, IR_A_ALIGN_OFFSET,
                (c->align_offset + ir_attr_get(i, IR_A_ALIGN_OFFSET)) & (most - 1));
    ir_replace_add(&c->map, i->defs[0].id, r);
    ir_remove(i);
}

bool
opt_forward_scratch_copy(ir_fn *f)
{
    copied c = {.f = f, .map = {.f = f}};
    ir_builder b;
    if (!survey(&c))
        return false;
    ir_compute_dominance(f);
    if (!come_first(&c) || !ir_may_change(f->ctx))
        return false;
    ir_builder_init(&b, f);
    for (size_t n = 0; n < c.n_loads; n++)
        redirect(&c, &b, c.loads[n]);
    IR_FOREACH_INSTR(i, c.stores) {
        if (i->op == IR_store_scratch)
            ir_unlink(i);
    }
    ir_replace_all(&c.map);
    f->shader.scratch_size = 0;
    return true;
}
