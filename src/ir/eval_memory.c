/* Loads, stores and atomic operations on all kinds of memory, lane by lane in order.
 *
 * For each kind of memory, a function finds the bytes of a lane's access (a `span`). For robust
 * kinds a span ends at the end of the buffer, and bytes beyond it read as 0; the other kinds must
 * contain the whole access.
 */
#include "ir/eval_internal.h"
#include "ir/eval_math.h"

/* Bytes that an access may touch; `ok` is false after an error. */
typedef struct span {
    uint8_t *at;
    uint64_t size;
    bool ok;
} span;

static span
span_from(uint8_t *data, uint64_t size, uint64_t offset)
{
    return offset < size ? (span){data + offset, size - offset, true} : (span){NULL, 0, true};
}

static const ev_operand *
address_operand(const ev_instr *i, unsigned n)
{
    /* Stores have the value as first operand. */
    bool store = i->op == IR_store_ssbo || i->op == IR_store_global || i->op == IR_store_shared ||
                 i->op == IR_store_scratch;
    return &i->more[n + store];
}

static ir_eval_buffer
find_buffer(ev_wave *w, uint32_t handle)
{
    ev_group *g = w->g;
    unsigned slot = handle % EV_BUFFER_CACHE;
    if (!g->cached[slot] || g->cached_handle[slot] != handle) {
        g->cached_buffer[slot] = g->env->buffer(g->env->user, handle);
        g->cached_handle[slot] = handle;
        g->cached[slot] = true;
    }
    return g->cached_buffer[slot];
}

static span
find_in_buffer(ev_wave *w, const ev_instr *i, unsigned lane, uint64_t bytes, bool write)
{
    (void)bytes, (void)write;
    unsigned from = ev_handle_lane(w, i, lane);
    uint32_t handle = (uint32_t)ev_operand_get(w, address_operand(i, 0), 0, from);
    ir_eval_buffer b = find_buffer(w, handle);
    return span_from(b.data, b.size, ev_operand_get(w, address_operand(i, 1), 0, lane));
}

static span
find_global(ev_wave *w, const ev_instr *i, unsigned lane, uint64_t bytes, bool write)
{
    uint64_t address = ev_operand_get(w, address_operand(i, 0), 0, lane);
    const ir_eval_env *env = w->g->env;
    uint8_t *at = env->translate ? env->translate(env->user, address, bytes, write) : NULL;
    if (!at)
        ev_fail(w, IR_EVAL_BAD_ACCESS, lane, "@%s of %llu bytes at address 0x%llx, not mapped",
                ir_op_of(w->g->e->f, i->ir)->name, (unsigned long long)bytes,
                (unsigned long long)address);
    return (span){at, bytes, at != NULL};
}

/* Shared memory and scratch: `size` bytes at `data`, which must contain the whole access. */
static span
find_inside(ev_wave *w, const ev_instr *i, unsigned lane, uint64_t bytes, uint8_t *data,
            uint64_t size)
{
    uint64_t offset = ev_operand_get(w, address_operand(i, 0), 0, lane);
    offset = (uint32_t)(offset + ir_attr_get(i->ir, IR_A_BASE));
    if (offset <= size && bytes <= size - offset)
        return (span){data + offset, bytes, true};
    ev_fail(w, IR_EVAL_BAD_ACCESS, lane, "@%s of %llu bytes at offset %llu of %llu",
            ir_op_of(w->g->e->f, i->ir)->name, (unsigned long long)bytes,
            (unsigned long long)offset, (unsigned long long)size);
    return (span){NULL, 0, false};
}

static span
find_shared(ev_wave *w, const ev_instr *i, unsigned lane, uint64_t bytes, bool write)
{
    (void)write;
    return find_inside(w, i, lane, bytes, w->g->shared, w->g->e->f->shader.shared_size);
}

static span
find_scratch(ev_wave *w, const ev_instr *i, unsigned lane, uint64_t bytes, bool write)
{
    (void)write;
    uint64_t size = w->g->e->f->shader.scratch_size;
    return find_inside(w, i, lane, bytes, w->scratch + lane * size, size);
}

/* Push constants and constant data are only read: the cast drops a const that loads respect. */
static span
find_read_only(ev_wave *w, const ev_instr *i, unsigned lane, uint64_t bytes, bool write)
{
    (void)bytes, (void)write;
    const ir_shader *s = &w->g->e->f->shader;
    bool push = i->op == IR_load_push_constant;
    const uint8_t *data = push ? w->g->env->push_constants : s->constant_data;
    uint64_t size = push ? w->g->env->push_constant_size : s->constant_size;
    uint64_t offset = ev_operand_get(w, address_operand(i, 0), 0, lane);
    return span_from((uint8_t *)(uintptr_t)data, size, offset + ir_attr_get(i->ir, IR_A_BASE));
}

typedef span
find_fn(ev_wave *w, const ev_instr *i, unsigned lane, uint64_t bytes, bool write);

static find_fn *
find_of(unsigned op)
{
    switch (op) {
    case IR_load_ubo:
    case IR_load_ssbo:
    case IR_store_ssbo:
    case IR_ssbo_atomic:
    case IR_ssbo_atomic_swap: return find_in_buffer;
    case IR_load_global:
    case IR_store_global:
    case IR_global_atomic:
    case IR_global_atomic_swap: return find_global;
    case IR_load_shared:
    case IR_store_shared:
    case IR_shared_atomic:
    case IR_shared_atomic_swap: return find_shared;
    case IR_load_scratch:
    case IR_store_scratch: return find_scratch;
    default: return find_read_only;
    }
}

static uint64_t
load_bits(const uint8_t *at, unsigned bits)
{
    uint64_t v = 0;
    for (unsigned k = 0; k < bits / 8; k++)
        v |= (uint64_t)at[k] << 8 * k;
    return v;
}

static void
store_bits(uint8_t *at, unsigned bits, uint64_t v)
{
    for (unsigned k = 0; k < bits / 8; k++)
        at[k] = (uint8_t)(v >> 8 * k);
}

/* What a load outside of buffers and constants gives: 0 of memory that a driver bounds; of constant
 * data, which is an array of the shader, what is not defined. */
static uint64_t
outside_of(const ev_wave *w, const ev_instr *i)
{
    const uint64_t bytes = w->g->env->undefined * UINT64_C(0x0101010101010101);
    return i->op == IR_load_constant ? bytes & base_mask64(i->def.bits) : 0;
}

static ev_step
exec_load(ev_wave *w, const ev_instr *i)
{
    find_fn *find = find_of(i->op);
    const uint64_t outside = outside_of(w, i);
    unsigned size = i->def.bits / 8;
    bool watched = ev_races_watches(w, i);
    EV_FOREACH_LANE_IN_TURN(l, w) {
        span s = find(w, i, l, (uint64_t)i->def.n * size, false);
        if (!s.ok)
            return EV_FAIL;
        for (unsigned c = 0; c < i->def.n; c++) {
            bool inside = (c + 1) * size <= s.size;
            if (inside && watched)
                ev_races_load(w, i, l, s.at + c * size, size);
            ev_def_set(w, i, c, l, inside ? load_bits(s.at + c * size, i->def.bits) : outside);
        }
    }
    return EV_NEXT;
}

static ev_step
exec_store(ev_wave *w, const ev_instr *i)
{
    find_fn *find = find_of(i->op);
    const ev_operand *value = &i->more[0];
    uint32_t mask = ir_attr_get(i->ir, IR_A_WRITE_MASK);
    unsigned size = value->bits / 8, n = value->n;
    bool watched = ev_races_watches(w, i);
    while (n && !(mask >> (n - 1) & 1))
        n--;
    EV_FOREACH_LANE_IN_TURN(l, w) {
        span s = find(w, i, l, (uint64_t)n * size, true);
        if (!s.ok)
            return EV_FAIL;
        for (unsigned c = 0; c < n; c++) {
            if (!(mask >> c & 1) || (c + 1) * size > s.size)
                continue;
            uint64_t bits = ev_operand_get(w, value, c, l);
            if (watched)
                ev_races_store(w, i, l, s.at + c * size, bits);
            store_bits(s.at + c * size, value->bits, bits);
        }
    }
    return EV_NEXT;
}

static ev_step
exec_atomic(ev_wave *w, const ev_instr *i)
{
    find_fn *find = find_of(i->op);
    unsigned n = i->ir->n_refs, size = i->def.bits / 8;
    bool swap = i->op == IR_ssbo_atomic_swap || i->op == IR_global_atomic_swap ||
                i->op == IR_shared_atomic_swap;
    ir_atomic_op op = (ir_atomic_op)ir_attr_get(i->ir, IR_A_ATOMIC_OP);
    ev_races_order(w);
    EV_FOREACH_LANE_IN_TURN(l, w) {
        span s = find(w, i, l, size, true);
        if (!s.ok)
            return EV_FAIL;
        uint64_t data = ev_operand_get(w, &i->more[n - 1], 0, l), old = 0;
        uint64_t compare = swap ? ev_operand_get(w, &i->more[n - 2], 0, l) : 0;
        if (size <= s.size) {
            old = load_bits(s.at, i->def.bits);
            store_bits(s.at, i->def.bits, ev_atomic(op, i->def.bits, old, compare, data));
        }
        ev_def_set(w, i, 0, l, old);
    }
    return EV_NEXT;
}

static ev_step
exec_resource(ev_wave *w, const ev_instr *i)
{
    const ir_eval_env *env = w->g->env;
    uint32_t set = ir_attr_get(i->ir, IR_A_DESC_SET), binding = ir_attr_get(i->ir, IR_A_BINDING);
    ir_desc_type type = (ir_desc_type)ir_attr_get(i->ir, IR_A_DESC_TYPE);
    uint32_t index = 0, handle = 0;
    bool known = false;
    EV_FOREACH_LANE(l, w) {
        uint32_t want = (uint32_t)ev_operand_get(w, &i->more[0], 0, l);
        if (!known || want != index)
            handle = env->resource(env->user, set, binding, want, type);
        index = want;
        known = true;
        ev_def_set(w, i, 0, l, handle);
    }
    return EV_NEXT;
}

static ev_step
exec_buffer_size(ev_wave *w, const ev_instr *i)
{
    EV_FOREACH_LANE(l, w) {
        ir_eval_buffer b = find_buffer(w, (uint32_t)ev_operand_get(w, &i->more[0], 0, l));
        ev_def_set(w, i, 0, l, b.size);
    }
    return EV_NEXT;
}

ev_exec *
ev_find_memory(unsigned op)
{
    switch (op) {
    case IR_load_ubo:
    case IR_load_ssbo:
    case IR_load_global:
    case IR_load_shared:
    case IR_load_scratch:
    case IR_load_push_constant:
    case IR_load_constant: return exec_load;
    case IR_store_ssbo:
    case IR_store_global:
    case IR_store_shared:
    case IR_store_scratch: return exec_store;
    case IR_ssbo_atomic:
    case IR_ssbo_atomic_swap:
    case IR_global_atomic:
    case IR_global_atomic_swap:
    case IR_shared_atomic:
    case IR_shared_atomic_swap: return exec_atomic;
    case IR_vulkan_resource_index: return exec_resource;
    case IR_get_ssbo_size: return exec_buffer_size;
    default: return NULL;
    }
}
