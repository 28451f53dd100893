/* Buffers before a6xx, which has descriptor sets: instructions name storage buffers by numbers, and
 * uniform buffers are read through addresses that the driver puts into the constant file.
 *
 * ldgb, stgb and atomic.s have the offset in dwords, by which the bounds are checked, and once more
 * the address in bytes: on a5xx 64 bits that count from the buffer, on a4xx 32 bits, with the
 * buffer's address added, which a4xx has in its constant file from c448.x on (ir3_a4xx.c of Mesa).
 * What the driver must provide is listed in adreno_program.slots, for each buffer and use. */
#include "adreno/select/select.h"

enum { SHAPE_4D = 3, DWORD = 4, MAX_ROW = 4, MAX_FIELD = 4096 };

/* The binding that a handle names, and the element of it. */
static adreno_slot
resource_of(adreno_sel *s, ir_ref handle, adreno_slot_kind kind)
{
    const ir_instr *def = adreno_resource_index(s, handle);
    const family_binding *b = adreno_find_binding(s, def);
    uint64_t index;
    if (!ir_is_const(s->hir, def->refs[0], &index))
        adreno_sel_unsupported(s, "buffers that are chosen at run time");
    return (adreno_slot){
        .kind = (uint8_t)kind, .set = b->set, .binding = b->binding, .element = (uint32_t)index};
}

/* Constants of a slot. */
static uint32_t
words_of(const adreno_sel *s, adreno_slot_kind kind)
{
    switch (kind) {
    case ADRENO_SLOT_ADDRESS: return s->p->target->wide_addresses ? 2 : 1;
    case ADRENO_SLOT_SIZE: return 1;
    default: return 0;
    }
}

/* The place of the slot for a handle: the number of a storage buffer, or a place in the constant
 * file; the same for the same resource. */
static uint32_t
find_slot(adreno_sel *s, ir_ref handle, adreno_slot_kind kind)
{
    adreno_program *p = s->p;
    adreno_slot slot = resource_of(s, handle, kind);
    uint32_t n = 0;
    for (uint32_t k = 0; k < p->n_slots; k++) {
        const adreno_slot *old = &p->slots[k];
        if (old->kind == kind && old->set == slot.set && old->binding == slot.binding &&
            old->element == slot.element)
            return old->place;
        n += old->kind == ADRENO_SLOT_BUFFER;
    }
    const uint32_t words = words_of(s, kind);
    if (p->n_slots == ADRENO_MAX_SLOTS || p->n_literals + words > ADRENO_MAX_LITERALS)
        adreno_sel_unsupported(s, "so many buffers");
    slot.place = words ? ADRENO_CONST_PUSH + p->push_dwords + p->n_literals : n;
    p->n_literals += words;
    if (words)
        p->constant_words = p->n_literals;
    p->slots[p->n_slots++] = slot;
    return slot.place;
}

/* ---- storage buffers ---- */

/* Where an access is: the offset in dwords, and the address in bytes. */
typedef struct slot_place {
    uint32_t number;
    ir_ref dwords, bytes;
} slot_place;

static ir_ref
plus(adreno_sel *s, ir_ref a, ir_ref b)
{
    const bool zero = b.kind == IR_REF_CONST && !b.id;
    return zero ? a : adreno_emit_2(s, ADRENO_ADD_U, ADRENO_F1, a, b);
}

static ir_ref
number(uint32_t n)
{
    return adreno_number(n, false);
}

/* A dword of the constant file at the buffer's number, on a4xx. */
static ir_ref
buffer_address(adreno_sel *s, uint32_t slot)
{
    return adreno_emit_const(s, ADRENO_CONST_BUFFERS + 4 * slot);
}

static slot_place
place_at(adreno_sel *s, uint32_t slot, ir_ref offset, uint32_t skip)
{
    const ir_ref at = plus(s, adreno_in_reg(s, offset), number(skip));
    slot_place r = {.number = slot,
                    .dwords = adreno_emit_2(s, ADRENO_SHR_B, ADRENO_F1, at, number(2))};
    r.bytes = s->p->target->wide_addresses ? adreno_join(s, 2, (ir_ref[]){at, number(0)})
                                           : plus(s, at, buffer_address(s, slot));
    return r;
}

static void
mark_slot(adreno_sel *s, uint32_t slot, unsigned n, unsigned type)
{
    ir_words(s->last)[1] = slot;
    adreno_mark(s, 2, ADRENO_W_DIMS, SHAPE_4D);
    adreno_mark(s, 2, ADRENO_W_ELEMS, n - 1);
    adreno_mark(s, 0, ADRENO_M_TYPE, type);
}

static void
load_buffer(adreno_sel *s, const ir_instr *i)
{
    const unsigned n = adreno_parts(s, ir_use(s->hir, i->defs[0].id));
    const uint32_t slot = find_slot(s, i->refs[0], ADRENO_SLOT_BUFFER);
    const unsigned op = s->p->target->wide_addresses ? ADRENO_LDGB5 : ADRENO_LDGB;
    const ir_ref offset = adreno_get(s, i->refs[1]);
    ir_ref *out = adreno_def(s, i);
    for (unsigned k = 0; k < n; k += MAX_ROW) {
        const unsigned count = n - k < MAX_ROW ? n - k : MAX_ROW;
        const slot_place p = place_at(s, slot, offset, DWORD * k);
        const ir_ref refs[2] = {p.bytes, p.dwords};
        const ir_ref r = adreno_emit(s, op, adreno_class(false, count), 2, refs);
        mark_slot(s, slot, count, ADRENO_U32);
        adreno_split(s, r, count, out + k);
    }
}

static void
store_run(adreno_sel *s, const ir_instr *i, uint32_t slot, unsigned first, unsigned count)
{
    const unsigned op = s->p->target->wide_addresses ? ADRENO_STGB5 : ADRENO_STGB;
    ir_ref data[MAX_ROW];
    for (unsigned k = first; k < first + count;) {
        const unsigned left = first + count - k, n = left < MAX_ROW ? left : MAX_ROW;
        for (unsigned c = 0; c < n; c++)
            data[c] = adreno_get_part(s, i->refs[0], k + c);
        const slot_place p = place_at(s, slot, adreno_get(s, i->refs[2]), DWORD * k);
        const ir_ref refs[3] = {adreno_join(s, n, data), p.dwords, p.bytes};
        adreno_emit(s, op, 0, 3, refs);
        mark_slot(s, slot, n, ADRENO_U32);
        k += n;
    }
}

static void
store_buffer(adreno_sel *s, const ir_instr *i)
{
    const unsigned per = adreno_ref_bits(s, i->refs[0]) == 64 ? 2 : 1; /* dwords of a component */
    const unsigned n = adreno_parts(s, i->refs[0]);
    const uint32_t slot = find_slot(s, i->refs[1], ADRENO_SLOT_BUFFER);
    const uint32_t mask = ir_attr_get(i, IR_A_WRITE_MASK);
    for (unsigned k = 0; k < n;) {
        unsigned end = k;
        while (end < n && mask >> end / per & 1)
            end++;
        if (end > k)
            store_run(s, i, slot, k, end - k);
        k = end > k ? end : k + 1;
    }
}

static void
change_buffer(adreno_sel *s, const ir_instr *i, bool swaps)
{
    const adreno_atomic_op *row = adreno_find_atomic(ir_attr_get(i, IR_A_ATOMIC_OP));
    const unsigned n = swaps ? 2 : 1, at = i->n_refs - n - 1;
    if (!row || adreno_ref_bits(s, i->refs[i->n_refs - 1]) != 32)
        adreno_sel_unsupported(s, "this atomic operation");
    const uint32_t slot = find_slot(s, i->refs[at - 1], ADRENO_SLOT_BUFFER);
    const slot_place p = place_at(s, slot, adreno_get(s, i->refs[at]), 0);
    ir_ref data[2] = {adreno_get(s, i->refs[i->n_refs - 1]), ir_none()};
    if (swaps)
        data[1] = adreno_get(s, i->refs[i->n_refs - 2]);
    const ir_ref refs[3] = {adreno_in_reg(s, adreno_join(s, n, data)), p.dwords, p.bytes};
    const ir_ref r = adreno_emit(s, s->p->target->wide_addresses ? row->slot5 : row->slot,
                                 ADRENO_F1, 3, refs);
    mark_slot(s, slot, 1, row->type);
    adreno_set_def(s, i, r);
}

/* ---- uniform buffers ---- */

/* The address of a byte of a uniform buffer. */
static ir_ref
uniform_address(adreno_sel *s, uint32_t place, ir_ref offset)
{
    const ir_ref low = adreno_emit_const(s, place);
    const ir_ref sum = plus(s, low, offset);
    if (!s->p->target->wide_addresses)
        return sum;
    const ir_ref high = adreno_emit_const(s, place + 1);
    if (offset.kind == IR_REF_CONST && !offset.id)
        return adreno_join(s, 2, (ir_ref[]){sum, high});
    const ir_ref carry = adreno_emit_2(s, ADRENO_CMPS_U, ADRENO_F1, sum, low);
    return adreno_join(s, 2, (ir_ref[]){sum, plus(s, high, carry)});
}

/* `n` dwords at an offset that is a multiple of four bytes. */
static ir_ref
load_dwords(adreno_sel *s, uint32_t place, ir_ref offset, unsigned n)
{
    const bool fits = offset.kind == IR_REF_CONST && offset.id < MAX_FIELD;
    const ir_ref address = uniform_address(s, place, fits ? number(0) : offset);
    const ir_ref r = adreno_emit(s, ADRENO_LDG, adreno_class(false, n), 1, &address);
    ir_words(s->last)[1] = fits ? offset.id : 0;
    adreno_mark(s, 2, ADRENO_W_ELEMS, n - 1);
    adreno_mark(s, 0, ADRENO_M_TYPE, ADRENO_U32);
    return r;
}

static ir_ref
offset_by(adreno_sel *s, ir_ref offset, uint32_t n)
{
    if (offset.kind == IR_REF_CONST)
        return number(offset.id + n);
    return plus(s, offset, number(n));
}

static void
load_uniform(adreno_sel *s, const ir_instr *i)
{
    const unsigned bits = ir_type_bits(s->hir->values[i->defs[0].id].type);
    const unsigned n = adreno_parts(s, ir_use(s->hir, i->defs[0].id));
    const uint32_t place = find_slot(s, i->refs[0], ADRENO_SLOT_ADDRESS);
    const ir_ref offset = adreno_get(s, i->refs[1]);
    ir_ref *out = adreno_def(s, i);
    for (unsigned k = 0; bits < 32 && k < n; k++) {
        const ir_ref here = offset_by(s, offset, k * bits / 8);
        const ir_ref dword = here.kind == IR_REF_CONST
                                 ? number(here.id & ~3u)
                                 : adreno_emit_2(s, ADRENO_AND_B, ADRENO_F1, here, number(~3u));
        out[k] = adreno_small_part(s, load_dwords(s, place, dword, 1), here, bits);
    }
    for (unsigned k = 0; bits >= 32 && k < n; k += MAX_ROW) {
        const unsigned count = n - k < MAX_ROW ? n - k : MAX_ROW;
        const ir_ref r = load_dwords(s, place, offset_by(s, offset, DWORD * k), count);
        adreno_split(s, r, count, out + k);
    }
}

bool
adreno_select_slots(adreno_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_vulkan_resource_index: return true; /* found at its uses */
    case IR_load_ssbo: load_buffer(s, i); return true;
    case IR_store_ssbo: store_buffer(s, i); return true;
    case IR_ssbo_atomic: change_buffer(s, i, false); return true;
    case IR_ssbo_atomic_swap: change_buffer(s, i, true); return true;
    case IR_load_ubo: load_uniform(s, i); return true;
    case IR_get_ssbo_size:
        adreno_set_def(s, i, adreno_emit_const(s, find_slot(s, i->refs[0], ADRENO_SLOT_SIZE)));
        return true;
    case IR_load_global:
    case IR_store_global:
        if (!s->p->target->wide_addresses)
            adreno_sel_unsupported(s, "addresses of 64 bits");
        return false;
    case IR_global_atomic:
    case IR_global_atomic_swap: adreno_sel_unsupported(s, "atomics at addresses");
    default: return false;
    }
}
