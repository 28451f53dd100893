/* Memory: buffers through descriptors, global, local and private memory, constants, barriers.
 *
 * Buffers count elements of the access's size: dwords, with storage_16bit 16 bits. With
 * storage_8bit bytes are texels of a descriptor of their own, in half registers, as in turnip's
 * code. What is smaller than a chip's elements has become dwords (opt/widen_accesses.c). */
#include "adreno/select/select.h"

#include "base/bits.h"

#include <string.h>

/* Buffers of descriptors, and those with numbers (select_slots.c); others. */
typedef enum space { BUFFER, SLOT, GLOBAL, LOCAL, PRIVATE } space;

/* An access: where, and how large its elements are. */
typedef struct place {
    space space;
    unsigned bits;
    adreno_descriptor desc; /* BUFFER, SLOT */
    ir_ref offset;          /* bytes, BUFFER: as HIR has it; GLOBAL: the address in two registers */
    ir_ref high;            /* GLOBAL */
    uint32_t base;          /* added to the offset */
    uint32_t access;
} place;

/* ---- descriptors ---- */

const ir_instr *
adreno_resource_index(adreno_sel *s, ir_ref handle)
{
    const ir_instr *def = s->hir->values[handle.id].def;
    while (def && def->op == IR_read_first_invocation)
        def = s->hir->values[def->refs[0].id].def;
    if (!def || def->op != IR_vulkan_resource_index)
        adreno_sel_unsupported(s, "handles that are chosen at run time");
    return def;
}

const family_binding *
adreno_find_binding(adreno_sel *s, const ir_instr *index)
{
    family_binding *b = family_find_binding(s->p->layout, ir_attr_get(index, IR_A_DESC_SET),
                                            ir_attr_get(index, IR_A_BINDING));
    if (!b)
        adreno_sel_unsupported(s, "a descriptor that is not in the layout");
    b->is_used = true;
    return b;
}

/* The descriptor of a binding's element. */
static adreno_descriptor
element_of(adreno_sel *s, const ir_instr *def)
{
    const family_binding *b = adreno_find_binding(s, def);
    const uint32_t step = b->stride / 64;
    adreno_descriptor d = {.set = b->set, .number = b->offset / 64, .index = ir_none()};
    uint64_t index;
    if (ir_is_const(s->hir, def->refs[0], &index)) {
        d.number += (uint32_t)index * step;
        return d;
    }
    d.index = adreno_get(s, def->refs[0]);
    if (step > 1)
        d.index = adreno_op2(s, ADRENO_SHL_B, d.index, adreno_full(base_ctz64(step)));
    return d;
}

/* A handle that is a value has the number in the low half of a register, the set in the other. */
enum { SET_AT = 16, NUMBER_MASK = (1 << SET_AT) - 1, SEVERAL_SETS = -1 };
enum { MAX_DEPTH = 8, MAX_CHOICES = 1024 };

static void
make_handle(adreno_sel *s, const ir_instr *i)
{
    const adreno_descriptor d = element_of(s, i);
    const ir_ref own = adreno_full(d.number | d.set << SET_AT);
    adreno_set_def(s, i,
                   d.index.kind == IR_REF_NONE ? own : adreno_op2(s, ADRENO_ADD_U, d.index, own));
}

/* The set of all descriptors that a chosen handle may be. Choices are looked through `depth` deep,
 * and `*left` of them in all, since one may stand behind many. */
static int
set_of(const adreno_sel *s, ir_ref handle, unsigned depth, unsigned *left)
{
    const ir_instr *def = s->hir->values[handle.id].def;
    if (def->op == IR_vulkan_resource_index)
        return (int)ir_attr_get(def, IR_A_DESC_SET);
    if (!depth || !*left || (def->op != IR_bcsel && def->op != IR_phi))
        return SEVERAL_SETS;
    --*left;
    const unsigned first = def->op == IR_bcsel;
    const int set = set_of(s, def->refs[first], depth - 1, left);
    for (unsigned r = first + 1; r < def->n_refs && set != SEVERAL_SETS; r++)
        if (set_of(s, def->refs[r], depth - 1, left) != set)
            return SEVERAL_SETS;
    return set;
}

adreno_descriptor
adreno_find_handle(adreno_sel *s, ir_ref handle)
{
    const ir_instr *def = s->hir->values[handle.id].def;
    if (!s->p->target->bindless)
        return adreno_find_slot(s, handle, ADRENO_SLOT_TEXTURE);
    if (def->op != IR_bcsel && def->op != IR_phi)
        return element_of(s, adreno_resource_index(s, handle));
    unsigned left = MAX_CHOICES;
    const int set = set_of(s, handle, MAX_DEPTH, &left);
    if (set == SEVERAL_SETS)
        adreno_sel_unsupported(s, "handles of several sets");
    return (adreno_descriptor){
        .set = (uint32_t)set,
        .index = adreno_op2(s, ADRENO_AND_B, adreno_get(s, handle), adreno_full(NUMBER_MASK)),
        .differs = true};
}

adreno_descriptor
adreno_find_sampler(adreno_sel *s, ir_ref handle)
{
    if (!s->p->target->bindless)
        return adreno_find_slot(s, handle, ADRENO_SLOT_SAMPLER);
    adreno_descriptor d = adreno_find_handle(s, handle);
    const ir_instr *def = adreno_resource_index(s, handle);
    const family_binding *b = adreno_find_binding(s, def);
    d.number += ir_attr_get(def, IR_A_DESC_TYPE) == IR_DESC_combined ||
                b->type == OBJ_DESCRIPTOR_COMBINED;
    return d;
}

ir_ref
adreno_descriptor_ref(adreno_sel *s, const adreno_descriptor *d)
{
    enum { MOST = 255 };
    if (d->index.kind == IR_REF_NONE && d->number <= MOST)
        return adreno_full(d->number);
    if (d->index.kind == IR_REF_NONE)
        return adreno_in_reg(s, adreno_full(d->number));
    if (!d->number)
        return adreno_in_reg(s, d->index);
    return adreno_op2(s, ADRENO_ADD_U, d->index, adreno_full(d->number));
}

void
adreno_mark_descriptor(adreno_sel *s, const adreno_descriptor *d, uint32_t access)
{
    enum { IMM, UNIFORM_REG, NONUNIFORM_REG };
    const bool is_imm = d->index.kind == IR_REF_NONE && d->number <= 255;
    const bool differs = d->differs ||
                         (access & IR_ACCESS_NON_UNIFORM && d->index.kind != IR_REF_NONE);
    adreno_mark(s, 2, ADRENO_W_MODE, is_imm ? IMM : differs ? NONUNIFORM_REG : UNIFORM_REG);
    adreno_mark(s, 2, ADRENO_W_BASE, d->set);
    adreno_mark(s, 2, ADRENO_W_BINDLESS, 1);
}

/* ---- addresses ---- */

ir_ref
adreno_plus(adreno_sel *s, ir_ref a, uint32_t n)
{
    if (!n)
        return a;
    return a.kind == IR_REF_CONST ? adreno_full(a.id + n)
                                  : adreno_op2(s, ADRENO_ADD_U, a, adreno_full(n));
}

ir_ref
adreno_units_of(adreno_sel *s, ir_ref a, unsigned by)
{
    if (!by)
        return a;
    return a.kind == IR_REF_CONST ? adreno_full(a.id >> by)
                                  : adreno_op2(s, ADRENO_SHR_B, a, adreno_full(by));
}

ir_ref
adreno_scaled_down(adreno_sel *s, ir_ref hir, unsigned by)
{
    uint64_t n;
    const ir_instr *def = s->hir->values[hir.id].def;
    if (!def || def->op != IR_ishl || !ir_is_const(s->hir, def->refs[1], &n) || n < by)
        return adreno_units_of(s, adreno_get(s, hir), by);
    const ir_ref x = adreno_get(s, def->refs[0]);
    return n == by ? x : adreno_op2(s, ADRENO_SHL_B, x, adreno_full((uint32_t)n - by));
}

/* ---- single accesses ---- */

static bool
is_texel(const place *p)
{
    return p->space == BUFFER && p->bits == 8;
}

/* Fills in the operands that say where it is, `skip` bytes behind the place; returns how many. */
static unsigned
put_place(adreno_sel *s, const place *p, uint32_t skip, ir_ref *refs)
{
    const unsigned log = base_ctz64(p->bits / 8);
    switch (p->space) {
    case BUFFER:
        refs[0] = adreno_in_reg(s,
                                adreno_plus(s, adreno_scaled_down(s, p->offset, log), skip >> log));
        refs[1] = adreno_descriptor_ref(s, &p->desc);
        return 2;
    case GLOBAL: refs[0] = adreno_join(s, 2, (ir_ref[]){p->offset, p->high}); return 1;
    default: refs[0] = adreno_in_reg(s, p->offset); return 1;
    }
}

/* Of a buffer with a number: the byte there, in a register. */
static ir_ref
byte_at(adreno_sel *s, const place *p, uint32_t skip)
{
    return adreno_plus(s, adreno_in_reg(s, p->offset), skip);
}

static void
mark_access(adreno_sel *s, const place *p, unsigned n, uint32_t skip)
{
    const unsigned type = p->bits == 8 ? ADRENO_U8_32 : adreno_type_of(IR_BASE_uint, p->bits == 16);
    if (p->space == BUFFER)
        adreno_mark_descriptor(s, &p->desc, p->access);
    else
        ir_words(s->last)[1] = p->base + skip;
    adreno_mark(s, 2, ADRENO_W_TYPED, is_texel(p));
    adreno_mark(s, 2, ADRENO_W_ELEMS, n - 1);
    adreno_mark(s, 0, ADRENO_M_TYPE, is_texel(p) ? ADRENO_U16 : type);
}

/* Loads `n` registers, `skip` bytes behind the place. */
static ir_ref
load(adreno_sel *s, const place *p, unsigned n, uint32_t skip)
{
    static const uint16_t ops[] = {[BUFFER] = ADRENO_LDIB_B,
                                   [GLOBAL] = ADRENO_LDG,
                                   [LOCAL] = ADRENO_LDL,
                                   [PRIVATE] = ADRENO_LDP};
    ir_ref refs[2];
    if (p->space == SLOT)
        return adreno_load_slot(s, p->desc.number, byte_at(s, p, skip), n);
    const unsigned n_refs = put_place(s, p, skip, refs);
    const ir_ref r = adreno_emit(s, ops[p->space], adreno_class(p->bits == 16 || is_texel(p), n),
                                 n_refs, refs);
    mark_access(s, p, n, skip);
    if (p->space == BUFFER || p->space == GLOBAL)
        adreno_mark(s, 2, ADRENO_W_UNCHANGED, (p->access & IR_ACCESS_CAN_REORDER) != 0);
    return is_texel(p) ? adreno_emit_cov(s, ADRENO_U16, ADRENO_U32, ADRENO_F1, r) : r;
}

/* A byte as the texel that a store converts: what is more than it holds would be the most. */
static ir_ref
as_texel(adreno_sel *s, ir_ref data)
{
    const ir_ref byte = adreno_op2(s, ADRENO_AND_B, data, adreno_full(0xff));
    return adreno_emit_cov(s, ADRENO_U32, ADRENO_U16, ADRENO_H1, byte);
}

static void
store(adreno_sel *s, const place *p, unsigned n, const ir_ref *data, uint32_t skip)
{
    static const uint16_t ops[] = {[BUFFER] = ADRENO_STIB_B,
                                   [GLOBAL] = ADRENO_STG,
                                   [LOCAL] = ADRENO_STL,
                                   [PRIVATE] = ADRENO_STP};
    const bool is_first = p->space == BUFFER; /* data before place */
    if (p->space == SLOT) {
        adreno_store_slot(s, p->desc.number, byte_at(s, p, skip), n, data);
        return;
    }
    const ir_ref row = is_texel(p) ? as_texel(s, data[0]) : adreno_join(s, n, data);
    ir_ref refs[3];
    const unsigned n_refs = put_place(s, p, skip, refs + is_first);
    refs[is_first ? 0 : n_refs] = row;
    adreno_emit(s, ops[p->space], 0, n_refs + 1, refs);
    mark_access(s, p, n, skip);
}

/* ---- places ---- */

/* Bytes of a buffer have a descriptor of their own. */
static place
place_of(adreno_sel *s, const ir_instr *i, unsigned at, unsigned bits)
{
    place p = {.bits = bits, .offset = i->refs[at], .high = ir_none()};
    switch (i->op) {
    case IR_load_global:
    case IR_store_global:
    case IR_global_atomic:
    case IR_global_atomic_swap:
        p.space = GLOBAL;
        p.offset = adreno_get_part(s, i->refs[at], 0);
        p.high = adreno_get_part(s, i->refs[at], 1);
        p.access = ir_attr_has(i, IR_A_ACCESS) ? ir_attr_get(i, IR_A_ACCESS) : 0;
        break;
    case IR_load_shared:
    case IR_store_shared:
    case IR_shared_atomic:
    case IR_shared_atomic_swap:
    case IR_load_scratch:
    case IR_store_scratch:
        p.space = i->op == IR_load_scratch || i->op == IR_store_scratch ? PRIVATE : LOCAL;
        p.offset = adreno_get(s, i->refs[at]);
        p.base = ir_attr_get(i, IR_A_BASE);
        /* the field has 13 bits with a sign */
        if (p.base + 64 >= 4096) {
            p.offset = adreno_plus(s, p.offset, p.base);
            p.base = 0;
        }
        break;
    default:
        if (!s->p->target->bindless) {
            p.space = SLOT;
            p.desc = adreno_find_slot(s, i->refs[at - 1], ADRENO_SLOT_BUFFER);
            p.offset = adreno_get(s, p.offset);
            break;
        }
        p.space = BUFFER;
        p.desc = adreno_find_handle(s, i->refs[at - 1]);
        p.desc.number += bits == 8;
        p.access = ir_attr_get(i, IR_A_ACCESS);
        break;
    }
    return p;
}

/* ---- loads and stores of HIR ---- */

static void
select_load(adreno_sel *s, const ir_instr *i)
{
    const unsigned at = i->n_refs - 1u, bits = adreno_def_bits(s, i);
    const unsigned each = bits == 64 ? 32 : bits == 1 ? 32 : bits;
    const unsigned n = adreno_def_parts(s, i);
    const place p = place_of(s, i, at, each);
    ir_ref *out = adreno_def(s, i);
    if (ir_alignment(i) < each / 8)
        adreno_sel_unsupported(s, "unaligned accesses");
    /* bytes come one by one, because a row of them has no class */
    const unsigned most = each == 8 ? 1 : 4;
    for (unsigned k = 0; k < n; k += most) {
        const unsigned count = n - k < most ? n - k : most;
        adreno_split(s, load(s, &p, count, k * each / 8), count, out + k);
    }
}

static void
select_store(adreno_sel *s, const ir_instr *i)
{
    const unsigned at = i->n_refs - 1u, bits = adreno_ref_bits(s, i->refs[0]);
    const unsigned each = bits == 64 ? 32 : bits, most = each == 8 ? 1 : 4;
    const uint32_t written = ir_written_parts(s->hir, i);
    const place p = place_of(s, i, at, each);
    ir_ref data[4];
    if (ir_alignment(i) < each / 8)
        adreno_sel_unsupported(s, "unaligned accesses");
    for (unsigned k = 0, n; (n = base_next_run(written, most, &k)); k += n) {
        for (unsigned c = 0; c < n; c++)
            data[c] = adreno_get_part(s, i->refs[0], k + c);
        store(s, &p, n, data, k * each / 8);
    }
}

/* ---- atomics ---- */

#define ROW_OF(op, t)                                                                              \
    {                                                                                              \
        ADRENO_ATOMIC_B_##op, ADRENO_ATOMIC_##op, ADRENO_ATOMIC_G_##op, ADRENO_ATOMIC_S_##op,      \
            ADRENO_ATOMIC_S5_##op, t                                                               \
    }

static const adreno_atomic_op atomics[IR_ATOMIC_COUNT] = {
    [IR_ATOMIC_iadd] = ROW_OF(ADD, ADRENO_U32),  [IR_ATOMIC_imin] = ROW_OF(MIN, ADRENO_S32),
    [IR_ATOMIC_umin] = ROW_OF(MIN, ADRENO_U32),  [IR_ATOMIC_imax] = ROW_OF(MAX, ADRENO_S32),
    [IR_ATOMIC_umax] = ROW_OF(MAX, ADRENO_U32),  [IR_ATOMIC_iand] = ROW_OF(AND, ADRENO_U32),
    [IR_ATOMIC_ior] = ROW_OF(OR, ADRENO_U32),    [IR_ATOMIC_ixor] = ROW_OF(XOR, ADRENO_U32),
    [IR_ATOMIC_xchg] = ROW_OF(XCHG, ADRENO_U32), [IR_ATOMIC_cmpxchg] = ROW_OF(CMPXCHG, ADRENO_U32),
};

adreno_atomic
adreno_find_atomic(adreno_sel *s, const ir_instr *i, unsigned words, const char *what)
{
    const unsigned op = ir_attr_get(i, IR_A_ATOMIC_OP), last = i->n_refs - 1u;
    adreno_atomic a = {.op = &atomics[op], .n = words, .words = words};
    if (!a.op->local || adreno_ref_bits(s, i->refs[last]) != 32 * words)
        adreno_sel_unsupported(s, what);
    if (op == IR_ATOMIC_cmpxchg)
        a.n *= 2;
    for (unsigned k = 0; k < a.n; k++)
        a.list[k] = adreno_get_part(s, i->refs[last - k / words], k % words);
    return a;
}

void
adreno_bindless_atomic(adreno_sel *s, adreno_atomic *a, ir_ref at, const adreno_descriptor *d)
{
    const ir_ref zero = adreno_full(0);
    const unsigned all = a->words + a->n;
    ir_ref parts[6] = {zero, zero}, result[6];
    memcpy(parts + a->words, a->list, a->n * sizeof *parts);
    const ir_ref refs[3] = {adreno_join(s, all, parts), at, adreno_descriptor_ref(s, d)};
    const ir_ref r = adreno_emit(s, a->op->bindless, adreno_class(false, all), 3, refs);
    adreno_mark(s, 0, ADRENO_M_TYPE, a->words == 2 ? ADRENO_U64 : a->op->type);
    adreno_split(s, r, all, result);
    memcpy(a->list, result, a->words * sizeof *result);
}

/* Of 64 bits there are exchanges in buffers, whose index counts 2 bytes. */
static void
select_atomic(adreno_sel *s, const ir_instr *i)
{
    const bool wide = s->p->target->bindless && adreno_ref_bits(s, i->refs[i->n_refs - 1]) == 64;
    adreno_atomic a = adreno_find_atomic(s, i, wide ? 2 : 1, "this atomic operation");
    const unsigned at = i->n_refs - a.n / a.words - 1;
    const place p = place_of(s, i, at, wide ? 64 : 32);
    if (wide && (p.space != BUFFER || !s->p->target->atomics_64bit))
        adreno_sel_unsupported(s, "atomic operations of 64 bits");
    if (p.space == BUFFER) {
        const ir_ref index = adreno_in_reg(s, adreno_scaled_down(s, p.offset, wide ? 1 : 2));
        adreno_bindless_atomic(s, &a, index, &p.desc);
        adreno_mark_descriptor(s, &p.desc, p.access);
        memcpy(adreno_def(s, i), a.list, a.words * sizeof *a.list);
        return;
    }
    if (p.space == SLOT) {
        adreno_change_slot(s, i, p.desc.number, byte_at(s, &p, 0), &a);
        return;
    }
    const bool is_local = p.space == LOCAL;
    const ir_ref refs[2] = {is_local ? adreno_in_reg(s, adreno_plus(s, p.offset, p.base))
                                     : adreno_join(s, 2, (ir_ref[]){p.offset, p.high}),
                            adreno_join(s, a.n, a.list)};
    adreno_set_def(s, i, adreno_emit(s, is_local ? a.op->local : a.op->global, ADRENO_F1, 2, refs));
    adreno_mark(s, 0, ADRENO_M_TYPE, a.op->type);
}

/* ---- uniform buffers ---- */

/* The component of a row of four that a number selects. */
static ir_ref
pick(adreno_sel *s, const ir_ref row[4], ir_ref number)
{
    const ir_ref odd = adreno_op2(s, ADRENO_AND_B, number, adreno_full(1));
    const ir_ref high = adreno_op2(s, ADRENO_AND_B, number, adreno_full(2));
    const ir_ref a = adreno_op3(s, ADRENO_SEL_B32, row[1], odd, row[0]);
    const ir_ref b = adreno_op3(s, ADRENO_SEL_B32, row[3], odd, row[2]);
    return adreno_op3(s, ADRENO_SEL_B32, b, high, a);
}

/* `n` dwords of a uniform buffer from component `comp` of unit `unit` on. */
static ir_ref
load_unit(adreno_sel *s, const place *p, ir_ref unit, unsigned comp, unsigned n)
{
    const ir_ref refs[2] = {unit.kind == IR_REF_CONST && unit.id > 255 ? adreno_in_reg(s, unit)
                                                                       : unit,
                            adreno_descriptor_ref(s, &p->desc)};
    const ir_ref r = adreno_emit(s, ADRENO_LDC, adreno_class(false, n), 2, refs);
    ir_words(s->last)[1] = comp;
    adreno_mark(s, 2, ADRENO_W_ELEMS, n - 1);
    adreno_mark_descriptor(s, &p->desc, p->access);
    return r;
}

/* The dword at an offset that may be anywhere. */
static ir_ref
load_any_dword(adreno_sel *s, const place *p, ir_ref offset)
{
    ir_ref row[4];
    const ir_ref unit = adreno_units_of(s, offset, 4);
    if (offset.kind == IR_REF_CONST)
        return load_unit(s, p, unit, offset.id / 4 % 4, 1);
    adreno_split(s, load_unit(s, p, unit, 0, 4), 4, row);
    return pick(s, row, adreno_units_of(s, offset, 2));
}

ir_ref
adreno_small_part(adreno_sel *s, ir_ref dword, ir_ref offset, unsigned bits)
{
    ir_ref shift;
    if (offset.kind == IR_REF_CONST) {
        shift = adreno_full(8 * (offset.id & 3));
    } else {
        const ir_ref low = adreno_op2(s, ADRENO_AND_B, offset, adreno_full(3));
        shift = adreno_op2(s, ADRENO_SHL_B, low, adreno_full(3));
    }
    const ir_ref r = adreno_op2(s, ADRENO_SHR_B, dword, shift);
    return bits == 16 ? adreno_emit_cov(s, ADRENO_U32, ADRENO_U16, ADRENO_H1, r)
                      : adreno_op2(s, ADRENO_AND_B, r, adreno_full(0xff));
}

static void
select_uniform(adreno_sel *s, const ir_instr *i)
{
    const unsigned bits = adreno_def_bits(s, i);
    const unsigned n = adreno_def_parts(s, i), size = bits < 32 ? bits / 8 : 4;
    const place p = {.desc = adreno_find_handle(s, i->refs[0]),
                     .access = ir_attr_get(i, IR_A_ACCESS)};
    const ir_ref offset = adreno_get(s, i->refs[1]);
    ir_ref *out = adreno_def(s, i);
    const uint32_t mul = ir_attr_get(i, IR_A_ALIGN_MUL), at = ir_attr_get(i, IR_A_ALIGN_OFFSET);
    for (unsigned k = 0; k < n;) {
        const ir_ref here = adreno_plus(s, offset, k * size);
        const uint32_t comp = (at + k * size) / 4 % 4;
        if (size < 4) {
            out[k] = adreno_small_part(s, load_any_dword(s, &p, here), here, bits);
            k++;
        } else if (mul >= 16 || here.kind == IR_REF_CONST) {
            const uint32_t first = here.kind == IR_REF_CONST ? here.id / 4 % 4 : comp;
            const unsigned count = n - k < 4 - first ? n - k : 4 - first;
            const ir_ref unit = adreno_units_of(s, here, 4);
            adreno_split(s, load_unit(s, &p, unit, first, count), count, out + k);
            k += count;
        } else {
            out[k++] = load_any_dword(s, &p, here);
        }
    }
}

/* ---- the rest ---- */

/* Elements of 16 or 32 bits. */
static void
select_size(adreno_sel *s, const ir_instr *i)
{
    const adreno_descriptor d = adreno_find_handle(s, i->refs[0]);
    const ir_ref n = adreno_op1(s, ADRENO_RESINFO_B, adreno_descriptor_ref(s, &d));
    adreno_mark_descriptor(s, &d, ir_attr_get(i, IR_A_ACCESS));
    adreno_mark(s, 0, ADRENO_M_TYPE, ADRENO_U32);
    adreno_set_def(
        s, i, adreno_op2(s, ADRENO_SHL_B, n, adreno_full(s->p->target->storage_16bit ? 1 : 2)));
}

static void
select_barrier(adreno_sel *s, const ir_instr *i)
{
    enum { GLOBAL_BIT = 1, LOCAL_BIT = 2, READ_BIT = 4, WRITE_BIT = 8 };
    const uint32_t scope = ir_attr_get(i, IR_A_EXEC_SCOPE), modes = ir_attr_get(i, IR_A_MODES);
    if (modes) {
        adreno_emit(s, ADRENO_FENCE, 0, 0, NULL);
        adreno_mark(s, 2, ADRENO_W_BARRIER, GLOBAL_BIT | LOCAL_BIT | READ_BIT | WRITE_BIT);
    }
    if (scope >= IR_SCOPE_workgroup) {
        adreno_emit(s, ADRENO_BAR, 0, 0, NULL);
        adreno_mark(s, 2, ADRENO_W_BARRIER, GLOBAL_BIT);
    }
}

/* The operands have the instruction's order. */
static void
select_intersection(adreno_sel *s, const ir_instr *i)
{
    ir_ref refs[4];
    if (!s->p->target->ray_intersection)
        adreno_sel_unsupported(s, "ray queries");
    for (unsigned r = 0; r < 4; r++) {
        ir_ref parts[8];
        const unsigned n = adreno_parts(s, i->refs[r]);
        for (unsigned k = 0; k < n; k++)
            parts[k] = adreno_get_part(s, i->refs[r], k);
        refs[r] = adreno_join(s, n, parts);
    }
    const ir_ref met = adreno_emit(s, ADRENO_RAY_INTERSECTION, adreno_class(false, 5), 4, refs);
    adreno_split(s, met, 5, adreno_def(s, i));
}

bool
adreno_select_memory(adreno_sel *s, const ir_instr *i)
{
    if (!s->p->target->bindless && adreno_select_slots(s, i))
        return true;
    switch (i->op) {
    case IR_vulkan_resource_index: make_handle(s, i); return true;
    case IR_load_ssbo:
    case IR_load_global:
    case IR_load_shared:
    case IR_load_scratch: select_load(s, i); return true;
    case IR_store_ssbo:
    case IR_store_global:
    case IR_store_shared:
    case IR_store_scratch: select_store(s, i); return true;
    case IR_ssbo_atomic:
    case IR_global_atomic:
    case IR_shared_atomic:
    case IR_ssbo_atomic_swap:
    case IR_global_atomic_swap:
    case IR_shared_atomic_swap: select_atomic(s, i); return true;
    case IR_load_ubo: select_uniform(s, i); return true;
    case IR_load_push_constant: adreno_select_push(s, i); return true;
    case IR_load_constant: adreno_select_constant(s, i); return true;
    case IR_get_ssbo_size: select_size(s, i); return true;
    case IR_barrier: select_barrier(s, i); return true;
    case IR_ray_intersect: select_intersection(s, i); return true;
    default: return false;
    }
}
