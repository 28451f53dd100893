#include "opt/choose_handles.h"

#include "ir/builder.h"
#include "ir/replace.h"
#include "opt/lower_loops.h"

/* The elements of a binding, with numbers from `first` on. */
typedef struct binding {
    const ir_instr *index; /* a vulkan_resource_index of it */
    uint32_t first, count;
} binding;

/* An instruction that is replaced, and the blocks that take its place, in order. */
typedef struct place {
    ir_instr *instr;
    ir_block *block; /* its original block */
    ir_block **made;
    size_t n_made, cap_made;
} place;

typedef struct chooser {
    ir_fn *f;
    ir_builder b;
    opt_element_count count;
    const void *user;
    binding *bindings;
    size_t n_bindings, cap_bindings;
    bool *is_handle;    /* by value */
    uint32_t n_values;  /* of these */
    ir_ref *number;     /* by handle: the number that stands for it, once it is asked for */
    uint32_t *elements; /* of one handle, sorted */
    size_t n_elements, cap_elements;
    uint32_t *seen; /* by handle: the last question that came by */
    uint32_t question;
    place *places;
    size_t n_places, cap_places;
    ir_replacement map;
} chooser;

/* ---- handles ---- */

/* Handles are what makes them, and selections and phis of handles. */
static void
find_handles(chooser *c)
{
    ir_fn *f = c->f;
    bool changed = true;
    c->n_values = f->n_values;
    c->is_handle = ARENA_ARRAY(f->ctx->scratch, f->n_values, bool);
    while (changed) {
        changed = false;
        IR_FOREACH_INSTR_OF(i, f) {
            bool is = i->op == IR_vulkan_resource_index;
            for (unsigned r = 0; r < i->n_refs && !is; r++)
                is = (i->op == IR_bcsel || i->op == IR_phi) && ir_is_value(i->refs[r]) &&
                     c->is_handle[i->refs[r].id];
            if (!is || !i->n_defs || c->is_handle[i->defs[0].id])
                continue;
            c->is_handle[i->defs[0].id] = true;
            changed |= i->op != IR_vulkan_resource_index;
        }
    }
}

static bool
is_handle(const chooser *c, ir_ref r)
{
    return ir_is_value(r) && r.id < c->n_values && c->is_handle[r.id];
}

static bool
is_constant(const chooser *c, ir_ref handle)
{
    uint64_t n;
    const ir_instr *def = c->f->values[handle.id].def;
    return def->op == IR_vulkan_resource_index && ir_is_const(c->f, def->refs[0], &n);
}

static const binding *
binding_of(chooser *c, const ir_instr *index)
{
    const uint32_t set = ir_attr_get(index, IR_A_DESC_SET);
    const uint32_t number = ir_attr_get(index, IR_A_BINDING);
    uint32_t first = 0;
    for (size_t k = 0; k < c->n_bindings; k++) {
        const binding *b = &c->bindings[k];
        if (ir_attr_get(b->index, IR_A_DESC_SET) == set &&
            ir_attr_get(b->index, IR_A_BINDING) == number)
            return b;
        first = b->first + b->count;
    }
    c->bindings = arena_grow(c->f->ctx->scratch, c->bindings, &c->cap_bindings, c->n_bindings + 1,
                             sizeof *c->bindings);
    c->bindings[c->n_bindings] = (binding){index, first, c->count(c->user, c->f, index)};
    return &c->bindings[c->n_bindings++];
}

/* The element with a number. */
static const binding *
binding_at(const chooser *c, uint32_t number)
{
    size_t k = 0;
    while (number >= c->bindings[k].first + c->bindings[k].count)
        k++;
    return &c->bindings[k];
}

/* ---- numbers of handles ---- */

static ir_ref
number_of(chooser *c, ir_ref handle);

static ir_ref
number_of_element(chooser *c, const ir_instr *index)
{
    const binding *b = binding_of(c, index);
    const ir_ref last = ir_build_imm(&c->b, 32, b->count - 1);
    const ir_ref element = irb_umin(&c->b, index->refs[0], last);
    return irb_iadd(&c->b, element, ir_build_imm(&c->b, 32, b->first));
}

/* A phi of numbers beside the one of handles; it is known before its operands are asked for, which
 * may lead back to it. */
static ir_ref
number_of_phi(chooser *c, uint32_t id, const ir_instr *phi)
{
    ir_instr *n = ir_build_phi(&c->b, phi->block, IR_I32, phi->n_refs);
    c->number[id] = ir_use(c->f, n->defs[0].id);
    for (unsigned r = 0; r < phi->n_refs; r++)
        n->refs[r] = number_of(c, phi->refs[r]);
    return c->number[id];
}

/* What is no handle (an undefined one, a null pointer) stays. */
static ir_ref
number_of(chooser *c, ir_ref handle)
{
    if (!is_handle(c, handle))
        return handle;
    if (ir_is_value(c->number[handle.id]))
        return c->number[handle.id];
    ir_instr *def = c->f->values[handle.id].def;
    ir_ref n;
    if (def->op == IR_phi) {
        n = number_of_phi(c, handle.id, def);
    } else if (def->op == IR_bcsel) {
        const ir_ref a = number_of(c, def->refs[1]), b = number_of(c, def->refs[2]);
        ir_builder_before(&c->b, def);
        n = irb_bcsel(&c->b, def->refs[0], a, b);
    } else {
        ir_builder_before(&c->b, def);
        n = number_of_element(c, def);
    }
    c->number[handle.id] = n;
    return n;
}

/* ---- the elements that a handle may be ---- */

static void
add_elements(chooser *c, uint32_t first, uint32_t count)
{
    size_t at = 0;
    for (uint32_t n = first; n < first + count; n++) {
        while (at < c->n_elements && c->elements[at] < n)
            at++;
        if (at < c->n_elements && c->elements[at] == n)
            continue;
        c->elements = arena_grow(c->f->ctx->scratch, c->elements, &c->cap_elements,
                                 c->n_elements + 1, sizeof *c->elements);
        memmove(c->elements + at + 1, c->elements + at, (c->n_elements - at) * sizeof *c->elements);
        c->elements[at] = n;
        c->n_elements++;
    }
}

static void
find_elements(chooser *c, ir_ref handle)
{
    uint64_t n;
    if (!is_handle(c, handle) || c->seen[handle.id] == c->question)
        return;
    c->seen[handle.id] = c->question;
    const ir_instr *def = c->f->values[handle.id].def;
    if (def->op != IR_vulkan_resource_index) {
        for (unsigned r = def->op == IR_bcsel; r < def->n_refs; r++)
            find_elements(c, def->refs[r]);
        return;
    }
    const binding *b = binding_of(c, def);
    if (!ir_is_const(c->f, def->refs[0], &n))
        add_elements(c, b->first, b->count);
    else
        add_elements(c, b->first + (n < b->count ? (uint32_t)n : b->count - 1), 1);
}

/* ---- ifs ---- */

/* A handle operand that may be several elements, in order; `number` is less by `bias` than the
 * number of the element that it is. */
typedef struct choice {
    uint8_t operand;
    ir_ref number;
    uint32_t bias;
    uint32_t *elements;
    size_t count;
} choice;

/* An instruction, its choices, and the operands that they have been given so far. */
typedef struct expansion {
    chooser *c;
    place *p;
    choice choices[2];
    unsigned n_choices;
    bool together; /* the same comparisons make all choices */
    ir_ref given[2];
} expansion;

static void
add_block(expansion *e, ir_block *b)
{
    place *p = e->p;
    p->made = arena_grow(e->c->f->ctx->scratch, p->made, &p->cap_made, p->n_made + 1,
                         sizeof *p->made);
    p->made[p->n_made++] = b;
    ir_builder_at_end(&e->c->b, b);
}

static ir_ref
build_element(chooser *c, uint32_t number)
{
    static const uint8_t attrs[] = {IR_A_DESC_SET, IR_A_BINDING, IR_A_DESC_TYPE};
    const binding *b = binding_at(c, number);
    const ir_ref element = ir_build_imm(&c->b, 32, number - b->first);
    const ir_ref handle = ir_build_intr(&c->b, IR_vulkan_resource_index,
                                        c->f->values[b->index->defs[0].id].type, &element, 1);
    for (unsigned k = 0; k < sizeof attrs; k++)
        ir_attr_set(ir_built(&c->b), attrs[k], ir_attr_get(b->index, attrs[k]));
    return handle;
}

static ir_ref
build_copy(expansion *e)
{
    ir_fn *f = e->c->f;
    const ir_instr *i = e->p->instr;
    ir_instr *copy = ir_clone_instr(f, i);
    for (unsigned k = 0; k < e->n_choices; k++)
        copy->refs[e->choices[k].operand] = e->given[k];
    if (i->n_defs)
        ir_define(f, copy, 0, f->values[i->defs[0].id].type);
    ir_build_place(&e->c->b, copy);
    return i->n_defs ? ir_use(f, copy->defs[0].id) : ir_none();
}

/* The instruction with choice `at` one of `count` elements from number `first` on, and all later
 * choices; what it gives. `merge`: the block behind the outermost if; NULL: a new one. The builder
 * ends behind it. */
static ir_ref
build_range(expansion *e, unsigned at, size_t first, size_t count, ir_block *merge)
{
    chooser *c = e->c;
    const choice *h = &e->choices[at];
    if (count == 1) {
        const unsigned next = e->together ? e->n_choices : at + 1;
        for (unsigned k = at; k < next; k++)
            e->given[k] = build_element(c, e->choices[k].elements[first]);
        return next < e->n_choices ? build_range(e, next, 0, e->choices[next].count, NULL)
                                   : build_copy(e);
    }
    const size_t half = count / 2;
    ir_block *low = ir_block_new(c->f), *high = ir_block_new(c->f);
    ir_block *end = merge ? merge : ir_block_new(c->f);
    const ir_ref middle = ir_build_imm(&c->b, 32, h->elements[first + half] - h->bias);
    ir_build_if(&c->b, irb_ult(&c->b, h->number, middle), low, high, end);
    add_block(e, low);
    const ir_ref a = build_range(e, at, first, half, NULL);
    ir_build_jump(&c->b, end);
    add_block(e, high);
    const ir_ref b = build_range(e, at, first + half, count - half, NULL);
    ir_build_jump(&c->b, end);
    add_block(e, end);
    if (!ir_is_value(a))
        return a;
    ir_instr *phi = ir_build_phi(&c->b, end, c->f->values[a.id].type, 2);
    phi->refs[0] = a;
    phi->refs[1] = b;
    return ir_use(c->f, phi->defs[0].id);
}

/* Do two choices come to the same place in their elements, whatever the number is? Those of one
 * handle do, and those of two bindings with as many elements by the same index. */
static bool
is_alike(const choice *a, const choice *b)
{
    bool alike = ir_same_ref(a->number, b->number) && a->count == b->count;
    for (size_t k = 0; alike && k < a->count; k++)
        alike = a->elements[k] - a->bias == b->elements[k] - b->bias;
    return alike;
}

/* Fills the choices of an instruction; a handle that can only be one element becomes constant. */
static void
find_choices(expansion *e)
{
    chooser *c = e->c;
    ir_instr *i = e->p->instr;
    uint8_t operands[2];
    const unsigned n = opt_handle_refs(i, operands);
    for (unsigned k = 0; k < n; k++) {
        ir_ref *handle = &i->refs[operands[k]];
        if (!is_handle(c, *handle) || is_constant(c, *handle))
            continue;
        const ir_instr *def = c->f->values[handle->id].def;
        choice h = {.operand = operands[k]};
        if (def->op == IR_vulkan_resource_index) {
            h.number = def->refs[0];
            h.bias = binding_of(c, def)->first;
        } else {
            h.number = number_of(c, *handle);
        }
        c->question++;
        c->n_elements = 0;
        find_elements(c, *handle);
        h.count = c->n_elements;
        h.elements = ARENA_ARRAY(c->f->ctx->scratch, h.count, uint32_t);
        memcpy(h.elements, c->elements, h.count * sizeof *h.elements);
        if (h.count > 1) {
            e->choices[e->n_choices++] = h;
            continue;
        }
        ir_builder_before(&c->b, i);
        *handle = build_element(c, h.elements[0]);
    }
    e->together = e->n_choices == 2 && is_alike(&e->choices[0], &e->choices[1]);
}

static void
expand(chooser *c, place *p)
{
    expansion e = {.c = c, .p = p};
    ir_block *before = p->instr->block;
    c->b.loc = p->instr->loc;
    find_choices(&e);
    if (!e.n_choices)
        return;
    ir_block *rest = ir_split_block(p->instr);
    ir_builder_at_end(&c->b, before);
    const ir_ref r = build_range(&e, 0, 0, e.choices[0].count, rest);
    if (p->instr->n_defs)
        ir_replace_add(&c->map, p->instr->defs[0].id, r);
    ir_unlink(p->instr);
}

/* Places the new blocks behind those that were cut. */
static void
order_blocks(chooser *c)
{
    ir_fn *f = c->f;
    ir_block **old = f->blocks;
    const size_t n_old = f->n_blocks;
    size_t k = 0;
    f->blocks = NULL;
    f->n_blocks = f->cap_blocks = 0;
    for (size_t n = 0; n < n_old; n++) {
        ir_append_block(f, old[n]);
        for (; k < c->n_places && c->places[k].block == old[n]; k++)
            for (size_t m = 0; m < c->places[k].n_made; m++)
                ir_append_block(f, c->places[k].made[m]);
    }
}

/* ---- all ---- */

static bool
is_chosen(const chooser *c, const ir_instr *i)
{
    uint8_t operands[2];
    const unsigned n = opt_handle_refs(i, operands);
    for (unsigned k = 0; k < n; k++)
        if (is_handle(c, i->refs[operands[k]]) && !is_constant(c, i->refs[operands[k]]))
            return true;
    return false;
}

/* Comparisons of handles become those of numbers. */
static bool
replace_data(chooser *c, ir_instr *i)
{
    bool changed = false;
    if (!ir_has_flag(i, IR_OP_ALU) || i->op == IR_bcsel)
        return false;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (!is_handle(c, i->refs[r]))
            continue;
        i->refs[r] = number_of(c, i->refs[r]);
        changed = true;
    }
    return changed;
}

bool
opt_choose_handles(ir_fn *f, opt_element_count count, const void *user)
{
    arena *a = f->ctx->scratch;
    chooser c = {.f = f, .count = count, .user = user, .map = {.f = f}};
    bool changed = false;
    if (!ir_made_op(f, IR_vulkan_resource_index))
        return false;
    find_handles(&c);
    c.number = ARENA_ARRAY(a, c.n_values, ir_ref);
    c.seen = ARENA_ARRAY(a, c.n_values, uint32_t);
    ir_builder_init(&c.b, f);
    IR_FOREACH_BLOCK(block, f) {
        IR_FOREACH_INSTR(i, block) {
            changed |= replace_data(&c, i);
            if (!is_chosen(&c, i))
                continue;
            c.places = arena_grow(a, c.places, &c.cap_places, c.n_places + 1, sizeof *c.places);
            c.places[c.n_places++] = (place){.instr = i, .block = block};
        }
    }
    /* from the last to the first: what is cut off a block has been looked at already */
    for (size_t k = c.n_places; k--;)
        expand(&c, &c.places[k]);
    if (!c.n_places)
        return changed;
    order_blocks(&c);
    ir_replace_all(&c.map);
    return true;
}
