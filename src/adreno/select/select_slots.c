/* Buffers before a6xx, which has descriptor sets: instructions name storage buffers by numbers, and
 * uniform buffers are read through addresses that the driver puts into the constant file.
 *
 * ldgb, stgb and atomic.s have the offset in dwords, by which the bounds are checked, and once more
 * the address in bytes: on a5xx 64 bits that count from the buffer, on a4xx 32 bits, with the
 * buffer's address added, which a4xx has in its constant file from c448.x on (ir3_a4xx.c of Mesa).
 * What the driver must provide is listed in adreno_program.slots, for each buffer and use. */
#include "adreno/select/select.h"

#include "base/bits.h"

#include <string.h>

enum { SHAPE_4D = 3, DWORD = 4, MAX_ROW = 4, MAX_SAMPLERS = 16 };

/* The binding that a handle names, and the element of it. */
static adreno_slot
resource_of(adreno_sel *s, ir_ref handle, adreno_slot_kind kind)
{
    const ir_instr *def = adreno_resource_index(s, handle);
    const family_binding *b = adreno_find_binding(s, def);
    uint64_t index;
    if (!ir_is_const(s->hir, def->refs[0], &index))
        adreno_sel_unsupported(s, "resources that are chosen at run time");
    return (adreno_slot){
        .kind = (uint8_t)kind, .set = b->set, .binding = b->binding, .element = (uint32_t)index};
}

/* Constants of a slot. */
static uint32_t
words_of(const adreno_sel *s, adreno_slot_kind kind)
{
    static const uint8_t words[] = {
#define SLOT(id, name, words, sentence) words,
#include "adreno/slots.def"
#undef SLOT
    };
    return words[kind] + (kind == ADRENO_SLOT_ADDRESS && s->p->target->wide_addresses);
}

/* Whose numbers a kind has: storage buffers and images have those of one kind. */
static unsigned
numbers_of(unsigned kind)
{
    return kind == ADRENO_SLOT_IMAGE ? ADRENO_SLOT_BUFFER : kind;
}

/* The place of the slot for a handle: a number, or a place in the constant file; the same for the
 * same resource. */
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
        n += numbers_of(old->kind) == numbers_of(kind);
    }
    const uint32_t words = words_of(s, kind);
    const uint32_t most = kind == ADRENO_SLOT_SAMPLER ? MAX_SAMPLERS : ADRENO_MAX_SLOTS;
    if (p->n_slots == ADRENO_MAX_SLOTS || n >= most || p->n_literals + words > ADRENO_MAX_LITERALS)
        adreno_sel_unsupported(s, "so many resources");
    if (!p->target->storage && numbers_of(kind) == ADRENO_SLOT_BUFFER)
        adreno_sel_unsupported(s, "storage buffers and images");
    slot.place = words ? adreno_literal_place(p, p->n_literals) : n;
    p->n_literals += words;
    if (words)
        p->constant_words = p->n_literals;
    p->slots[p->n_slots++] = slot;
    return slot.place;
}

adreno_descriptor
adreno_find_slot(adreno_sel *s, ir_ref handle, adreno_slot_kind kind)
{
    return (adreno_descriptor){.number = find_slot(s, handle, kind), .index = ir_none()};
}

/* ---- storage buffers ---- */

/* Where an access is: the offset in dwords, and the address in bytes. */
typedef struct slot_place {
    ir_ref dwords, bytes;
} slot_place;

/* A dword of the constant file at the buffer's number, on a4xx. */
static ir_ref
buffer_address(adreno_sel *s, uint32_t slot)
{
    return adreno_emit_const(s, ADRENO_CONST_BUFFERS + 4 * slot);
}

static slot_place
place_at(adreno_sel *s, uint32_t slot, ir_ref at)
{
    slot_place r = {.dwords = adreno_op2(s, ADRENO_SHR_B, at, adreno_full(2))};
    r.bytes = s->p->target->wide_addresses
                  ? adreno_join(s, 2, (ir_ref[]){at, adreno_full(0)})
                  : adreno_op2(s, ADRENO_ADD_U, at, buffer_address(s, slot));
    return r;
}

static void
mark_access(adreno_sel *s, uint32_t slot, unsigned shape, unsigned n, unsigned type)
{
    ir_words(s->last)[1] = slot;
    adreno_mark(s, 2, ADRENO_W_DIMS, shape);
    adreno_mark(s, 2, ADRENO_W_ELEMS, n - 1);
    adreno_mark(s, 0, ADRENO_M_TYPE, type);
}

ir_ref
adreno_load_slot(adreno_sel *s, uint32_t slot, ir_ref offset, unsigned n)
{
    const unsigned op = s->p->target->wide_addresses ? ADRENO_LDGB5 : ADRENO_LDGB;
    const slot_place p = place_at(s, slot, offset);
    const ir_ref r = adreno_emit_2(s, op, adreno_class(false, n), p.bytes, p.dwords);
    mark_access(s, slot, SHAPE_4D, n, ADRENO_U32);
    return r;
}

void
adreno_store_slot(adreno_sel *s, uint32_t slot, ir_ref offset, unsigned n, const ir_ref *data)
{
    const unsigned op = s->p->target->wide_addresses ? ADRENO_STGB5 : ADRENO_STGB;
    const slot_place p = place_at(s, slot, offset);
    adreno_emit_3(s, op, 0, adreno_join(s, n, data), p.dwords, p.bytes);
    mark_access(s, slot, SHAPE_4D, n, ADRENO_U32);
}

/* An atomic of one dword at a place, which has two references. */
static void
change(adreno_sel *s, const ir_instr *i, const adreno_atomic *a, ir_ref first, ir_ref second)
{
    const ir_ref data = adreno_in_reg(s, adreno_join(s, a->n, a->list));
    const unsigned op = s->p->target->wide_addresses ? a->op->slot5 : a->op->slot;
    adreno_set_def(s, i, adreno_op3(s, op, data, first, second));
}

void
adreno_change_slot(adreno_sel *s, const ir_instr *i, uint32_t slot, ir_ref offset,
                   const adreno_atomic *a)
{
    const slot_place p = place_at(s, slot, offset);
    change(s, i, a, p.dwords, p.bytes);
    mark_access(s, slot, SHAPE_4D, 1, a->op->type);
}

/* ---- storage images ----
 *
 * An access has coordinates and, like that of a buffer, an address, which the shader computes of
 * bytes of a texel and pitches: in constants, on a4xx behind the address from c448.x on. Atomics
 * count dwords on a5xx, and are not typed on a4xx (ir3_a4xx.c of Mesa). */

typedef struct image_place {
    uint32_t number;
    unsigned n;
    ir_ref coords, at;
} image_place;

static image_place
place_of_image(adreno_sel *s, const ir_instr *i, unsigned shift)
{
    const bool wide = s->p->target->wide_addresses;
    image_place r = {.number = find_slot(s, i->refs[0], ADRENO_SLOT_IMAGE)};
    const uint32_t own = ADRENO_CONST_BUFFERS + 4 * r.number;
    const uint32_t pitches = wide ? find_slot(s, i->refs[0], ADRENO_SLOT_PITCHES) : 0;
    ir_ref coords[4], sum = ir_none();
    r.n = adreno_image_coords(s, i, coords);
    for (unsigned c = 0; c < r.n; c++) {
        const uint32_t from = wide ? pitches + c : own + (c ? c : 3);
        const ir_ref by = adreno_emit_const(s, from), x = adreno_in_reg(s, coords[c]);
        sum = c ? adreno_op3(s, ADRENO_MAD_S24, by, x, sum) : adreno_op2(s, ADRENO_MUL_S24, x, by);
    }
    if (!wide)
        sum = adreno_op2(s, ADRENO_ADD_U, sum, buffer_address(s, r.number));
    if (shift)
        sum = adreno_op2(s, ADRENO_SHR_B, sum, adreno_full(shift));
    r.coords = adreno_join(s, r.n, coords);
    r.at = wide ? adreno_join(s, 2, (ir_ref[]){sum, adreno_full(0)}) : sum;
    return r;
}

/* Components of the format; of one that is not known all. */
static unsigned
components_of(const ir_instr *i)
{
    static const char *const names[] = {
#define NAME(x) #x,
        IR_FORMATS(NAME)
#undef NAME
    };
    unsigned n = 0;
    for (const char *c = names[ir_attr_get(i, IR_A_FORMAT)]; *c && *c != '_'; c++)
        n += strchr("rgba", *c) != NULL;
    return n ? n : 4;
}

/* A number of 16 bits is loaded and stored as one of 32. */
static ir_ref
resize(adreno_sel *s, unsigned type, bool widen, ir_ref r)
{
    return widen ? adreno_emit_cov(s, type & ~1u, type, ADRENO_F1, r)
                 : adreno_emit_cov(s, type, type & ~1u, ADRENO_H1, r);
}

/* An image that nothing writes is a texture, too. */
static ir_ref
fetch_image(adreno_sel *s, const ir_instr *i)
{
    const unsigned dim = ir_attr_get(i, IR_A_IMAGE_DIM);
    const bool unchanged = ir_attr_get(i, IR_A_ACCESS) &
                           (IR_ACCESS_READONLY | IR_ACCESS_CAN_REORDER);
    ir_ref coords[4];
    unsigned n = adreno_image_coords(s, i, coords);
    if (!unchanged || dim == IR_DIM_cube)
        adreno_sel_unsupported(s, "loads of storage images of this format");
    if (n == 1)
        coords[n++] = adreno_full(0);
    const ir_ref r = adreno_emit_1(s, ADRENO_ISAM, adreno_class(false, 4),
                                   adreno_join(s, n, coords));
    ir_words(s->last)[1] = find_slot(s, i->refs[0], ADRENO_SLOT_TEXTURE) << 4;
    adreno_mark_texture(s, i, 15, adreno_storage_type(i));
    return r;
}

static ir_ref
load_typed(adreno_sel *s, const ir_instr *i, unsigned n)
{
    const image_place p = place_of_image(s, i, 0);
    const unsigned op = s->p->target->typed_loads ? ADRENO_LDIB : ADRENO_LDGB;
    const ir_ref r = adreno_emit_2(s, op, adreno_class(false, n), p.at, p.coords);
    mark_access(s, p.number, p.n - 1, n, adreno_storage_type(i));
    adreno_mark(s, 2, ADRENO_W_TYPED, 1);
    return r;
}

static void
load_image(adreno_sel *s, const ir_instr *i)
{
    const bool half = adreno_def_bits(s, i) == 16;
    const bool one_dword = ir_attr_get(i, IR_A_FORMAT) == IR_FORMAT_r32_sfloat ||
                           ir_attr_get(i, IR_A_FORMAT) == IR_FORMAT_r32_uint ||
                           ir_attr_get(i, IR_A_FORMAT) == IR_FORMAT_r32_sint;
    const bool fetches = !s->p->target->typed_loads && !one_dword;
    const unsigned n = fetches ? 4 : components_of(i), type = adreno_storage_type(i);
    ir_ref parts[4];
    adreno_split(s, fetches ? fetch_image(s, i) : load_typed(s, i, n), n, parts);
    for (unsigned k = 0; k < adreno_def_parts(s, i); k++) {
        const ir_ref one = adreno_full(type == ADRENO_F32 ? 0x3f800000 : 1);
        const ir_ref part = k < n ? parts[k] : k == 3 ? one : adreno_full(0);
        adreno_def(s, i)[k] = half ? resize(s, type, false, adreno_in_reg(s, part)) : part;
    }
}

static void
store_image(adreno_sel *s, const ir_instr *i)
{
    const unsigned n = components_of(i), type = adreno_storage_type(i);
    ir_ref data[4];
    for (unsigned k = 0; k < n; k++) {
        data[k] = k < adreno_parts(s, i->refs[3]) ? adreno_get_part(s, i->refs[3], k)
                                                  : adreno_full(0);
        if (adreno_is_half_class(data[k].rc))
            data[k] = resize(s, type, true, adreno_in_reg(s, data[k]));
    }
    const unsigned op = s->p->target->wide_addresses ? ADRENO_STIB5 : ADRENO_STIB_OLD;
    const image_place p = place_of_image(s, i, 0);
    adreno_emit_3(s, op, 0, adreno_join(s, n, data), p.coords, p.at);
    mark_access(s, p.number, p.n - 1, n, type);
    adreno_mark(s, 2, ADRENO_W_TYPED, 1);
}

static void
change_image(adreno_sel *s, const ir_instr *i)
{
    const bool wide = s->p->target->wide_addresses;
    const adreno_atomic a = adreno_find_atomic(s, i, 1, "this atomic operation on images");
    const image_place p = place_of_image(s, i, wide ? 2 : 0);
    change(s, i, &a, p.coords, p.at);
    mark_access(s, p.number, p.n - 1, 1, a.op->type);
    adreno_mark(s, 2, ADRENO_W_TYPED, wide);
}

bool
adreno_select_slots(adreno_sel *s, const ir_instr *i)
{
    if (i->op == IR_image_size && ir_attr_get(i, IR_A_IMAGE_DIM) != IR_DIM_buf)
        return false; /* that of a texture */
    switch (i->op) {
    case IR_vulkan_resource_index: return true; /* found at its uses */
    case IR_load_ubo:
        adreno_load_at(s, i, find_slot(s, i->refs[0], ADRENO_SLOT_ADDRESS),
                       adreno_get(s, i->refs[1]));
        return true;
    case IR_image_load: load_image(s, i); return true;
    case IR_image_store: store_image(s, i); return true;
    case IR_image_atomic:
    case IR_image_atomic_swap: change_image(s, i); return true;
    case IR_image_size:
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
