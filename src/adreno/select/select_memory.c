/* Memory: buffers through descriptors, global, local and private memory, constants, barriers.
 *
 * Buffers count elements of the access's size: dwords, with storage_16bit 16 bits. With
 * storage_8bit bytes are texels of a descriptor of their own, in half registers, as in turnip's
 * code. What is smaller than a chip's elements has become dwords (opt/widen_accesses.c). */
#include "adreno/select/select.h"

#include "base/bits.h"

#include <string.h>

typedef enum space { BUFFER, UNIFORM, GLOBAL, LOCAL, PRIVATE } space;

/* An access: where, and how large its elements are. */
typedef struct place {
    space space;
    adreno_descriptor desc; /* BUFFER, UNIFORM */
    ir_ref offset;          /* bytes; GLOBAL: the address in two registers */
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
        d.index = adreno_emit_2(s, ADRENO_SHL_B, ADRENO_F1, d.index,
                                adreno_number(base_ctz64(step), false));
    return d;
}

/* A handle that is a value has the number in the low half of a register, the set in the other. */
enum { SET_AT = 16, NUMBER_MASK = (1 << SET_AT) - 1, SEVERAL_SETS = -1 };
enum { MAX_DEPTH = 8, MAX_CHOICES = 1024 };

static void
make_handle(adreno_sel *s, const ir_instr *i)
{
    const adreno_descriptor d = element_of(s, i);
    const ir_ref own = adreno_number(d.number | d.set << SET_AT, false);
    adreno_set_def(s, i,
                   d.index.kind == IR_REF_NONE
                       ? own
                       : adreno_emit_2(s, ADRENO_ADD_U, ADRENO_F1, d.index, own));
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
    return (adreno_descriptor){.set = (uint32_t)set,
                               .index = adreno_emit_2(s, ADRENO_AND_B, ADRENO_F1,
                                                      adreno_get(s, handle),
                                                      adreno_number(NUMBER_MASK, false)),
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
        return adreno_number(d->number, false);
    if (d->index.kind == IR_REF_NONE)
        return adreno_in_reg(s, adreno_number(d->number, false));
    if (!d->number)
        return adreno_in_reg(s, d->index);
    return adreno_emit_2(s, ADRENO_ADD_U, ADRENO_F1, d->index, adreno_number(d->number, false));
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

/* `a` plus a constant. */
static ir_ref
plus(adreno_sel *s, ir_ref a, uint32_t n)
{
    if (!n)
        return a;
    if (a.kind == IR_REF_CONST)
        return adreno_number(a.id + n, false);
    return adreno_emit_2(s, ADRENO_ADD_U, ADRENO_F1, a, adreno_number(n, false));
}

ir_ref
adreno_scaled_down(adreno_sel *s, ir_ref hir, unsigned by)
{
    uint64_t n;
    const ir_instr *def = s->hir->values[hir.id].def;
    if (def && def->op == IR_ishl && ir_is_const(s->hir, def->refs[1], &n) && n >= by) {
        const ir_ref x = adreno_get(s, def->refs[0]);
        if (n == by)
            return x;
        return adreno_emit_2(s, ADRENO_SHL_B, ADRENO_F1, x, adreno_number((uint32_t)n - by, false));
    }
    if (ir_is_const(s->hir, hir, &n))
        return adreno_number((uint32_t)n >> by, false);
    if (!by)
        return adreno_get(s, hir);
    return adreno_emit_2(s, ADRENO_SHR_B, ADRENO_F1, adreno_get(s, hir), adreno_number(by, false));
}

/* ---- single accesses ---- */

static unsigned
type_of(unsigned bits)
{
    return bits == 8 ? ADRENO_U8_32 : bits == 16 ? ADRENO_U16 : ADRENO_U32;
}

/* Loads `n` registers of `bits` bits, `skip` bytes behind the place. */
static ir_ref
load(adreno_sel *s, const place *p, ir_ref hir, unsigned bits, unsigned n, uint32_t skip)
{
    const unsigned rc = adreno_class(bits == 16, n), shift = bits == 8 ? 0 : bits == 16 ? 1 : 2;
    ir_ref r, refs[3];
    switch (p->space) {
    case BUFFER:
        refs[0] = adreno_in_reg(s, plus(s, adreno_scaled_down(s, hir, shift), skip >> shift));
        refs[1] = adreno_descriptor_ref(s, &p->desc);
        r = adreno_emit(s, ADRENO_LDIB_B, adreno_class(bits < 32, n), 2, refs);
        adreno_mark_descriptor(s, &p->desc, p->access);
        adreno_mark(s, 2, ADRENO_W_TYPED, bits == 8);
        adreno_mark(s, 2, ADRENO_W_UNCHANGED, (p->access & IR_ACCESS_CAN_REORDER) != 0);
        if (bits == 8) {
            adreno_mark(s, 0, ADRENO_M_TYPE, ADRENO_U16);
            return adreno_emit_cov(s, ADRENO_U16, ADRENO_U32, ADRENO_F1, r);
        }
        break;
    case GLOBAL:
        refs[0] = adreno_join(s, 2, (ir_ref[]){p->offset, p->high});
        r = adreno_emit(s, ADRENO_LDG, rc, 1, refs);
        ir_words(s->last)[1] = skip;
        break;
    default:
        refs[0] = adreno_in_reg(s, p->offset);
        r = adreno_emit(s, p->space == LOCAL ? ADRENO_LDL : ADRENO_LDP, rc, 1, refs);
        ir_words(s->last)[1] = p->base + skip;
        break;
    }
    adreno_mark(s, 2, ADRENO_W_ELEMS, n - 1);
    adreno_mark(s, 0, ADRENO_M_TYPE, type_of(bits));
    return r;
}

/* A byte as the texel that a store converts: what is more than it holds would be the most. */
static ir_ref
as_texel(adreno_sel *s, ir_ref data)
{
    const ir_ref byte = adreno_emit_2(s, ADRENO_AND_B, ADRENO_F1, data, adreno_number(0xff, false));
    return adreno_emit_cov(s, ADRENO_U32, ADRENO_U16, ADRENO_H1, byte);
}

static void
store(adreno_sel *s, const place *p, ir_ref hir, unsigned bits, unsigned n, const ir_ref *data,
      uint32_t skip)
{
    const unsigned shift = bits == 8 ? 0 : bits == 16 ? 1 : 2;
    const bool is_texel = p->space == BUFFER && bits == 8;
    const ir_ref row = is_texel ? as_texel(s, data[0]) : adreno_join(s, n, data);
    ir_ref refs[3];
    switch (p->space) {
    case BUFFER:
        refs[0] = row;
        refs[1] = adreno_in_reg(s, plus(s, adreno_scaled_down(s, hir, shift), skip >> shift));
        refs[2] = adreno_descriptor_ref(s, &p->desc);
        adreno_emit(s, ADRENO_STIB_B, 0, 3, refs);
        adreno_mark_descriptor(s, &p->desc, p->access);
        adreno_mark(s, 2, ADRENO_W_TYPED, is_texel);
        break;
    case GLOBAL:
        refs[0] = adreno_join(s, 2, (ir_ref[]){p->offset, p->high});
        refs[1] = row;
        adreno_emit(s, ADRENO_STG, 0, 2, refs);
        ir_words(s->last)[1] = skip;
        break;
    default:
        refs[0] = adreno_in_reg(s, p->offset);
        refs[1] = row;
        adreno_emit(s, p->space == LOCAL ? ADRENO_STL : ADRENO_STP, 0, 2, refs);
        ir_words(s->last)[1] = p->base + skip;
        break;
    }
    adreno_mark(s, 2, ADRENO_W_ELEMS, n - 1);
    adreno_mark(s, 0, ADRENO_M_TYPE, is_texel ? ADRENO_U16 : type_of(bits));
}

/* ---- places ---- */

/* Bytes of a buffer have a descriptor of their own. */
static place
place_of(adreno_sel *s, const ir_instr *i, unsigned at, unsigned bits)
{
    place p = {.offset = ir_none(), .high = ir_none()};
    switch (i->op) {
    case IR_load_global:
    case IR_store_global:
    case IR_global_atomic:
    case IR_global_atomic_swap:
        p.space = GLOBAL;
        p.offset = adreno_get_part(s, i->refs[at], 0);
        p.high = adreno_get_part(s, i->refs[at], 1);
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
            p.offset = plus(s, p.offset, p.base);
            p.base = 0;
        }
        break;
    default:
        p.space = BUFFER;
        p.desc = adreno_find_handle(s, i->refs[at - 1]);
        p.desc.number += bits == 8;
        p.access = ir_attr_get(i, IR_A_ACCESS);
        break;
    }
    return p;
}

/* ---- loads and stores of HIR ---- */

static unsigned
alignment(const ir_instr *i)
{
    const uint32_t mul = ir_attr_get(i, IR_A_ALIGN_MUL), at = ir_attr_get(i, IR_A_ALIGN_OFFSET);
    return at ? 1u << base_ctz64(at) : mul;
}

static void
select_load(adreno_sel *s, const ir_instr *i)
{
    const unsigned at = i->n_refs - 1u, bits = ir_type_bits(s->hir->values[i->defs[0].id].type);
    const unsigned each = bits == 64 ? 32 : bits == 1 ? 32 : bits;
    const unsigned n = adreno_parts(s, ir_use(s->hir, i->defs[0].id));
    const place p = place_of(s, i, at, bits);
    ir_ref *out = adreno_def(s, i);
    if (alignment(i) < each / 8)
        adreno_sel_unsupported(s, "unaligned accesses");
    /* bytes come one by one, because a row of them has no class */
    const unsigned most = each == 8 ? 1 : 4;
    for (unsigned k = 0; k < n; k += most) {
        const unsigned count = n - k < most ? n - k : most;
        adreno_split(s, load(s, &p, i->refs[at], each, count, k * each / 8), count, out + k);
    }
}

static void
store_run(adreno_sel *s, const ir_instr *i, const place *p, unsigned first, unsigned count)
{
    const unsigned at = i->n_refs - 1u, bits = adreno_ref_bits(s, i->refs[0]);
    const unsigned each = bits == 64 ? 32 : bits;
    const unsigned most = each == 8 ? 1 : 4;
    ir_ref data[4];
    for (unsigned k = first; k < first + count;) {
        const unsigned left = first + count - k, n = left < most ? left : most;
        for (unsigned c = 0; c < n; c++)
            data[c] = adreno_get_part(s, i->refs[0], k + c);
        store(s, p, i->refs[at], each, n, data, k * each / 8);
        k += n;
    }
}

static void
select_store(adreno_sel *s, const ir_instr *i)
{
    const unsigned per = adreno_ref_bits(s, i->refs[0]) == 64 ? 2 : 1;
    const unsigned n = adreno_parts(s, i->refs[0]);
    const uint32_t mask = ir_attr_get(i, IR_A_WRITE_MASK);
    const place p = place_of(s, i, i->n_refs - 1u, adreno_ref_bits(s, i->refs[0]));
    if (alignment(i) <
        (adreno_ref_bits(s, i->refs[0]) == 64 ? 4 : adreno_ref_bits(s, i->refs[0]) / 8))
        adreno_sel_unsupported(s, "unaligned accesses");
    for (unsigned k = 0; k < n;) {
        unsigned end = k;
        while (end < n && mask >> end / per & 1)
            end++;
        if (end > k)
            store_run(s, i, &p, k, end - k);
        k = end > k ? end : k + 1;
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

const adreno_atomic_op *
adreno_find_atomic(unsigned op)
{
    return atomics[op].local ? &atomics[op] : NULL;
}

void
adreno_bindless_atomic(adreno_sel *s, const adreno_atomic_op *row, ir_ref at,
                       const adreno_descriptor *d, adreno_atomic_data *data)
{
    const ir_ref zero = adreno_number(0, false);
    const unsigned all = data->words + data->n;
    ir_ref parts[6] = {zero, zero}, result[6];
    memcpy(parts + data->words, data->list, data->n * sizeof *parts);
    const ir_ref refs[3] = {adreno_join(s, all, parts), at, adreno_descriptor_ref(s, d)};
    const ir_ref r = adreno_emit(s, row->bindless, adreno_class(false, all), 3, refs);
    adreno_mark(s, 0, ADRENO_M_TYPE, data->words == 2 ? ADRENO_U64 : row->type);
    ir_instr *atomic = s->last;
    adreno_split(s, r, all, result);
    s->last = atomic;
    memcpy(data->list, result, data->words * sizeof *result);
}

/* An exchange of 64 bits in a buffer; its index counts 2 bytes. */
static void
exchange_pairs(adreno_sel *s, const ir_instr *i, const adreno_atomic_op *row, bool swaps)
{
    adreno_atomic_data data = {.n = swaps ? 4 : 2, .words = 2};
    const unsigned at = i->n_refs - data.n / 2 - 1;
    const place p = place_of(s, i, at, 64);
    if (p.space != BUFFER || !s->p->target->atomics_64bit)
        adreno_sel_unsupported(s, "atomic operations of 64 bits");
    for (unsigned k = 0; k < data.n; k++)
        data.list[k] = adreno_get_part(s, i->refs[i->n_refs - 1u - k / 2], k % 2);
    const ir_ref index = adreno_in_reg(s, adreno_scaled_down(s, i->refs[at], 1));
    adreno_bindless_atomic(s, row, index, &p.desc, &data);
    adreno_mark_descriptor(s, &p.desc, p.access);
    memcpy(adreno_def(s, i), data.list, 2 * sizeof *data.list);
}

static void
select_atomic(adreno_sel *s, const ir_instr *i, bool swaps)
{
    const unsigned n = swaps ? 2 : 1, at = i->n_refs - n - 1;
    const unsigned bits = adreno_ref_bits(s, i->refs[i->n_refs - 1]);
    const adreno_atomic_op *row = adreno_find_atomic(ir_attr_get(i, IR_A_ATOMIC_OP));
    if (!row || bits < 32)
        adreno_sel_unsupported(s, "this atomic operation");
    if (bits == 64) {
        exchange_pairs(s, i, row, swaps);
        return;
    }
    const place p = place_of(s, i, at, 32);
    adreno_atomic_data data = {
        .list = {adreno_get(s, i->refs[i->n_refs - 1]), ir_none()}, .n = n, .words = 1};
    ir_ref r;
    if (swaps)
        data.list[1] = adreno_get(s, i->refs[i->n_refs - 2]);
    if (p.space == BUFFER) {
        const ir_ref index = adreno_in_reg(s, adreno_scaled_down(s, i->refs[at], 2));
        adreno_bindless_atomic(s, row, index, &p.desc, &data);
        adreno_mark_descriptor(s, &p.desc, p.access);
        r = data.list[0];
    } else if (p.space == LOCAL) {
        const ir_ref refs[2] = {adreno_in_reg(s, plus(s, p.offset, p.base)),
                                adreno_join(s, n, data.list)};
        r = adreno_emit(s, row->local, ADRENO_F1, 2, refs);
        adreno_mark(s, 0, ADRENO_M_TYPE, row->type);
    } else {
        const ir_ref refs[2] = {adreno_join(s, 2, (ir_ref[]){p.offset, p.high}),
                                adreno_join(s, n, data.list)};
        r = adreno_emit(s, row->global, ADRENO_F1, 2, refs);
        adreno_mark(s, 0, ADRENO_M_TYPE, row->type);
    }
    adreno_set_def(s, i, r);
}

/* ---- uniform buffers and constants ---- */

/* The component of a row of four that a number selects. */
static ir_ref
pick(adreno_sel *s, const ir_ref row[4], ir_ref number)
{
    const ir_ref odd = adreno_emit_2(s, ADRENO_AND_B, ADRENO_F1, number, adreno_number(1, false));
    const ir_ref high = adreno_emit_2(s, ADRENO_AND_B, ADRENO_F1, number, adreno_number(2, false));
    const ir_ref a = adreno_emit_3(s, ADRENO_SEL_B32, ADRENO_F1, row[1], odd, row[0]);
    const ir_ref b = adreno_emit_3(s, ADRENO_SEL_B32, ADRENO_F1, row[3], odd, row[2]);
    return adreno_emit_3(s, ADRENO_SEL_B32, ADRENO_F1, b, high, a);
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
    if (offset.kind == IR_REF_CONST)
        return load_unit(s, p, adreno_number(offset.id / 16, false), offset.id / 4 % 4, 1);
    const ir_ref unit = adreno_emit_2(s, ADRENO_SHR_B, ADRENO_F1, offset, adreno_number(4, false));
    adreno_split(s, load_unit(s, p, unit, 0, 4), 4, row);
    const ir_ref number = adreno_emit_2(s, ADRENO_SHR_B, ADRENO_F1, offset,
                                        adreno_number(2, false));
    return pick(s, row, number);
}

ir_ref
adreno_small_part(adreno_sel *s, ir_ref dword, ir_ref offset, unsigned bits)
{
    ir_ref shift;
    if (offset.kind == IR_REF_CONST) {
        shift = adreno_number(8 * (offset.id & 3), false);
    } else {
        const ir_ref low = adreno_emit_2(s, ADRENO_AND_B, ADRENO_F1, offset,
                                         adreno_number(3, false));
        shift = adreno_emit_2(s, ADRENO_SHL_B, ADRENO_F1, low, adreno_number(3, false));
    }
    const ir_ref r = adreno_emit_2(s, ADRENO_SHR_B, ADRENO_F1, dword, shift);
    return bits == 16 ? adreno_emit_cov(s, ADRENO_U32, ADRENO_U16, ADRENO_H1, r)
                      : adreno_emit_2(s, ADRENO_AND_B, ADRENO_F1, r, adreno_number(0xff, false));
}

static void
select_uniform(adreno_sel *s, const ir_instr *i)
{
    const unsigned bits = ir_type_bits(s->hir->values[i->defs[0].id].type);
    const unsigned n = adreno_parts(s, ir_use(s->hir, i->defs[0].id)),
                   size = bits < 32 ? bits / 8 : 4;
    const place p = {.space = UNIFORM,
                     .desc = adreno_find_handle(s, i->refs[0]),
                     .access = ir_attr_get(i, IR_A_ACCESS)};
    const ir_ref offset = adreno_get(s, i->refs[1]);
    ir_ref *out = adreno_def(s, i);
    const uint32_t mul = ir_attr_get(i, IR_A_ALIGN_MUL), at = ir_attr_get(i, IR_A_ALIGN_OFFSET);
    for (unsigned k = 0; k < n;) {
        const ir_ref here = plus(s, offset, k * size);
        const uint32_t comp = (at + k * size) / 4 % 4;
        if (size < 4) {
            out[k] = adreno_small_part(s, load_any_dword(s, &p, here), here, bits);
            k++;
        } else if (mul >= 16 || here.kind == IR_REF_CONST) {
            const uint32_t first = here.kind == IR_REF_CONST ? here.id / 4 % 4 : comp;
            const unsigned count = n - k < 4 - first ? n - k : 4 - first;
            const ir_ref unit = here.kind == IR_REF_CONST
                                    ? adreno_number(here.id / 16, false)
                                    : adreno_emit_2(s, ADRENO_SHR_B, ADRENO_F1, here,
                                                    adreno_number(4, false));
            adreno_split(s, load_unit(s, &p, unit, first, count), count, out + k);
            k += count;
        } else {
            out[k++] = load_any_dword(s, &p, here);
        }
    }
}

/* A dword of the constant file, `at` dwords behind the one that `index` selects. */
static ir_ref
const_at(adreno_sel *s, ir_ref index, uint32_t at)
{
    if (index.kind == IR_REF_CONST)
        return adreno_emit_const(s, at + index.id);
    ir_instr *i = ir_new_instr(s->f, ADRENO_P_CONST_AT, 2, 1);
    i->refs[0] = index;
    i->loc = s->loc;
    const ir_ref r = ir_define(s->f, i, 0, ADRENO_F1);
    ir_define(s->f, i, 1, ADRENO_H1);
    ir_words(i)[1] = at;
    ir_append(s->cur, i);
    s->last = i;
    return r;
}

/* Loads from the bytes that begin at dword `at` of the constant file. */
static void
load_consts(adreno_sel *s, const ir_instr *i, uint32_t at)
{
    const unsigned bits = ir_type_bits(s->hir->values[i->defs[0].id].type);
    const unsigned n = adreno_parts(s, ir_use(s->hir, i->defs[0].id)),
                   size = bits < 32 ? bits / 8 : 4;
    const ir_ref offset = plus(s, adreno_get(s, i->refs[0]), ir_attr_get(i, IR_A_BASE));
    ir_ref *out = adreno_def(s, i);
    for (unsigned k = 0; k < n; k++) {
        const ir_ref here = plus(s, offset, k * size);
        const ir_ref index = here.kind == IR_REF_CONST
                                 ? adreno_number(here.id / 4, false)
                                 : adreno_emit_2(s, ADRENO_SHR_B, ADRENO_F1, here,
                                                 adreno_number(2, false));
        const ir_ref dword = const_at(s, index, at);
        out[k] = size < 4 ? adreno_small_part(s, dword, here, bits) : dword;
    }
}

/* Constant data becomes numbers of the constant file. */
static void
select_constant(adreno_sel *s, const ir_instr *i)
{
    adreno_program *p = s->p;
    const ir_shader *sh = &s->hir->shader;
    const uint32_t words = (sh->constant_size + 3) / 4;
    if (!p->constant_at && words) {
        if (p->n_literals + words > ADRENO_MAX_LITERALS)
            adreno_sel_unsupported(s, "so much constant data");
        p->constant_at = 1 + p->n_literals;
        for (uint32_t b = 0; b < sh->constant_size; b++)
            p->literals[p->n_literals + b / 4] |= (uint32_t)sh->constant_data[b] << 8 * (b % 4);
        p->n_literals += words;
        p->constant_words = p->n_literals;
    }
    load_consts(s, i, ADRENO_CONST_PUSH + p->push_dwords + p->constant_at - 1);
}

/* ---- the rest ---- */

/* Elements of 16 or 32 bits. */
static void
select_size(adreno_sel *s, const ir_instr *i)
{
    const adreno_descriptor d = adreno_find_handle(s, i->refs[0]);
    const ir_ref n = adreno_emit_1(s, ADRENO_RESINFO_B, ADRENO_F1, adreno_descriptor_ref(s, &d));
    adreno_mark_descriptor(s, &d, ir_attr_get(i, IR_A_ACCESS));
    adreno_mark(s, 0, ADRENO_M_TYPE, ADRENO_U32);
    adreno_set_def(s, i,
                   adreno_emit_2(s, ADRENO_SHL_B, ADRENO_F1, n,
                                 adreno_number(s->p->target->storage_16bit ? 1 : 2, false)));
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
    case IR_shared_atomic: select_atomic(s, i, false); return true;
    case IR_ssbo_atomic_swap:
    case IR_global_atomic_swap:
    case IR_shared_atomic_swap: select_atomic(s, i, true); return true;
    case IR_load_ubo: select_uniform(s, i); return true;
    case IR_load_push_constant: load_consts(s, i, ADRENO_CONST_PUSH); return true;
    case IR_load_constant: select_constant(s, i); return true;
    case IR_get_ssbo_size: select_size(s, i); return true;
    case IR_barrier: select_barrier(s, i); return true;
    case IR_ray_intersect: select_intersection(s, i); return true;
    default: return false;
    }
}
