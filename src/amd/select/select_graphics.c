/* Selection of what vertex and fragment shaders alone have: attributes of vertices, exports,
 * messages. */
#include "amd/select/select_memory.h"

#include "amd/target/hir_level.h"

/* ---- attributes ---- */

static ir_ref
load_dwords(sel *s, sel_address *a, unsigned n, uint32_t format)
{
    static const uint16_t untyped[] = {AMD_BUFFER_LOAD_DWORD, AMD_BUFFER_LOAD_DWORDX2,
                                       AMD_BUFFER_LOAD_DWORDX3, AMD_BUFFER_LOAD_DWORDX4};
    static const uint16_t typed[] = {AMD_TBUFFER_LOAD_FORMAT_X, AMD_TBUFFER_LOAD_FORMAT_XY,
                                     AMD_TBUFFER_LOAD_FORMAT_XYZ, AMD_TBUFFER_LOAD_FORMAT_XYZW};
    static const uint16_t described[] = {AMD_BUFFER_LOAD_FORMAT_X, AMD_BUFFER_LOAD_FORMAT_XY,
                                         AMD_BUFFER_LOAD_FORMAT_XYZ, AMD_BUFFER_LOAD_FORMAT_XYZW};
    bool of_descriptor = format == AMD_FORMAT_OF_DESCRIPTOR;
    const uint16_t *ops = of_descriptor ? described : format ? typed : untyped;
    ir_ref refs[3] = {a->index, a->base, sel_no_offset(s)};
    a->flags = AMD_MEM_IDXEN | (of_descriptor ? 0 : format << AMD_MEM_FORMAT);
    ir_ref r = amd_sel_emit(s, ops[n - 1], amd_rc(true, n * 4), 3, refs);
    amd_sel_finish_memory(s, a);
    ir_words(s->last)[1] &= ~(uint32_t)AMD_MEM_OFFEN;
    return r;
}

static void
load_attribute(sel *s, const ir_instr *i)
{
    unsigned n = ir_type_comps(s->hir->values[i->defs[0].id].type), first = n;
    uint32_t format = ir_attr_get(i, IR_A_RANGE);
    sel_address a = {.kind = SEL_BUFFER, .sync = AMD_SYNC_CAN_REORDER};
    a.base = amd_sel_get_vector(s, i->refs[0], true);
    a.index = amd_sel_as_vgpr(s, amd_sel_get(s, i->refs[1]));
    a.offset = ir_attr_get(i, IR_A_BASE);
    if (n == 3 && !format && !amd_has(s->p->target, has_dwordx3))
        first = 2;
    ir_ref r = load_dwords(s, &a, first, format), parts[4];
    if (first == n) {
        amd_sel_set_vector(s, i, r);
        return;
    }
    amd_sel_split(s, r, first, parts);
    a.offset += 4 * first;
    parts[first] = load_dwords(s, &a, n - first, format);
    amd_sel_set_comps(s, i, parts);
}

/* ---- exports ---- */

/* Component `c`, or none if it is not exported or undefined. */
static ir_ref
exported(sel *s, ir_ref value, unsigned c, uint32_t mask)
{
    ir_ref r = value.comp == IR_WHOLE ? ir_comp(value, c) : value;
    const ir_instr *def = s->hir->values[r.id].def;
    if (!(mask >> c & 1))
        return ir_none();
    if (def->op == IR_vec && ir_is_value(def->refs[r.comp]))
        def = s->hir->values[def->refs[r.comp].id].def;
    return def->op == IR_undef ? ir_none() : amd_sel_as_vgpr(s, amd_sel_get(s, r));
}

static void
select_export(sel *s, const ir_instr *i)
{
    enum { COMPRESSED = 1 << 12, DONE = 1 << 13, VALID_MASK = 1 << 14 };
    uint32_t base = ir_attr_get(i, IR_A_BASE), mask = ir_attr_get(i, IR_A_WRITE_MASK), word = 0;
    ir_ref refs[4];
    for (unsigned c = 0; c < 4; c++) {
        refs[c] = exported(s, i->refs[0], c, mask);
        word |= ir_is_value(refs[c]) ? 1u << (8 + c) : 0;
    }
    ir_instr *e = amd_new(s->f, AMD_EXPORT, 0, 4);
    for (unsigned c = 0; c < 4; c++)
        e->refs[c] = refs[c];
    /* compressed: an enable bit for each half */
    if (base & AMD_EXPORT_COMPRESSED)
        word = (word & 0x100 ? 0x300u : 0) | (word & 0x200 ? 0xc00u : 0) | COMPRESSED;
    bool mask_valid = base & AMD_EXPORT_VALID_MASK && amd_has(s->p->target, exports_halves);
    word |= (base & AMD_EXPORT_TARGET) | (base & AMD_EXPORT_DONE ? DONE : 0) |
            (mask_valid ? VALID_MASK : 0);
    ir_words(e)[0] = word;
    e->loc = s->loc;
    ir_append(s->cur, e);
    s->last = e;
}

static void
store_attribute(sel *s, const ir_instr *i)
{
    ir_ref parts[4];
    for (unsigned c = 0; c < 4; c++) {
        parts[c] = exported(s, i->refs[0], c, 15);
        if (!ir_is_value(parts[c]))
            parts[c] = amd_undef(AMD_V1);
    }
    sel_address a = {.kind = SEL_BUFFER, .sync = AMD_SYNC_BUFFER};
    a.base = amd_sel_get_vector(s, i->refs[1], true);
    a.index = amd_sel_as_vgpr(s, amd_sel_get(s, i->refs[2]));
    a.offset = ir_attr_get(i, IR_A_BASE) * 16;
    a.flags = AMD_MEM_IDXEN | amd_sel_store_flags(s, IR_ACCESS_COHERENT);
    ir_ref offset = amd_sel_as_sgpr(s, amd_sel_get(s, i->refs[3]));
    ir_ref refs[4] = {amd_sel_join(s, false, 4, parts), a.index, a.base, offset};
    amd_sel_emit(s, AMD_BUFFER_STORE_DWORDX4, 0, 4, refs);
    amd_sel_finish_memory(s, &a);
    ir_words(s->last)[1] &= ~(uint32_t)AMD_MEM_OFFEN;
}

/* ---- lanes, messages ---- */

/* A field of ones, whose width is in bits 22:16 (RDNA 2 ISA, S_BFE_U64). */
static void
lanes_below(sel *s, const ir_instr *i)
{
    ir_ref n = amd_sel_as_sgpr(s, amd_sel_get(s, i->refs[0]));
    ir_ref mask = amd_sel_2(s, AMD_S_BFE_U64, AMD_S2, amd_const64(-1), n);
    amd_sel_set_mask(s, i, s->p->wave_size == 32 ? amd_sel_half(s, mask, 0) : mask);
}

static ir_ref
copy_to_m0(sel *s, ir_ref r)
{
    ir_instr *copy = amd_new(s->f, AMD_P_PARALLELCOPY, 1, 1);
    copy->refs[0] = amd_sel_as_sgpr(s, amd_sel_get(s, r));
    ir_ref m0 = ir_fixed(ir_define(s->f, copy, 0, AMD_S1), AMD_M0);
    copy->defs[0] = m0;
    copy->loc = s->loc;
    ir_append(s->cur, copy);
    return m0;
}

static void
send_message(sel *s, const ir_instr *i)
{
    ir_ref m0 = copy_to_m0(s, i->refs[0]);
    ir_instr *send = amd_new(s->f, AMD_S_SENDMSG, 0, 1);
    send->refs[0] = m0;
    ir_words(send)[0] = ir_attr_get(i, IR_A_BASE);
    send->loc = s->loc;
    ir_append(s->cur, send);
    s->last = send;
}

/* ---- transform feedback ---- */

/* An instruction of the global data share that returns `rc`; it also reads m0, operand 0. */
static ir_ref
share_globally(sel *s, const ir_instr *i, unsigned op, unsigned rc, ir_ref value)
{
    ir_ref refs[2] = {value, copy_to_m0(s, i->refs[0])};
    ir_ref r = amd_sel_emit(s, op, rc, 2, refs);
    ir_words(s->last)[1] |= AMD_MEM_GDS;
    ir_words(s->last)[2] = AMD_SYNC_VOLATILE; /* of all classes */
    return r;
}

static void
take_turn(sel *s, const ir_instr *i)
{
    share_globally(s, i, AMD_DS_ORDERED_COUNT, AMD_V1, amd_sel_copy(s, AMD_V1, amd_const(0)));
    ir_words(s->last)[0] = ir_attr_get(i, IR_A_BASE);
}

static void
add_counter(sel *s, const ir_instr *i)
{
    uint32_t base = ir_attr_get(i, IR_A_BASE);
    unsigned op = base & AMD_COUNTER_SUBTRACT ? AMD_DS_SUB_GS_REG_RTN : AMD_DS_ADD_GS_REG_RTN;
    ir_ref by = amd_sel_as_vgpr(s, amd_sel_get(s, i->refs[1]));
    ir_ref pair = share_globally(s, i, op, AMD_V2, by);
    ir_words(s->last)[0] = base & (AMD_COUNTER_SUBTRACT - 1);
    amd_sel_set(s, i, amd_sel_2(s, AMD_P_EXTRACT_VECTOR, AMD_V1, pair, amd_const(0)));
}

static void
ordered_add(sel *s, const ir_instr *i)
{
    ir_ref parts[2] = {amd_sel_get(s, i->refs[1]), amd_sel_get(s, i->refs[2])};
    sel_address a = amd_sel_global_address(s, false, i->refs[0], AMD_MEM_GLC);
    a.sync |= AMD_SYNC_ATOMIC;
    ir_ref data = amd_sel_join(s, false, 2, parts);
    amd_sel_set(s, i,
                amd_sel_emit_memory(s, AMD_GLOBAL_ATOMIC_ORDERED_ADD_B64, AMD_V2, &a, data, 0));
}

bool
amd_sel_graphics(sel *s, const ir_instr *i)
{
    switch (i->op) {
    case AMD_HIR_load_attribute_amd: load_attribute(s, i); return true;
    case AMD_HIR_export_amd: select_export(s, i); return true;
    case AMD_HIR_store_attribute_amd: store_attribute(s, i); return true;
    case AMD_HIR_lanes_below_amd: lanes_below(s, i); return true;
    case AMD_HIR_sendmsg_amd: send_message(s, i); return true;
    case AMD_HIR_take_turn_amd: take_turn(s, i); return true;
    case AMD_HIR_add_counter_amd: add_counter(s, i); return true;
    case AMD_HIR_ordered_add_amd: ordered_add(s, i); return true;
    default: return false;
    }
}
