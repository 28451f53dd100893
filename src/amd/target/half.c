/* Halves of VGPRs as operands, see half.h. */
#include "amd/target/half.h"

/* ---- vector instructions ---- */

static bool
is_16_bits(const amd_operand *o)
{
    return o && amd_type_bits((amd_type)o->type, false) == 16;
}

/* Without an encoding of 32 bits; v_lshlrev_b16 and others lost theirs on gfx10. */
static bool
is_vop3_alone(amd_gen gen, const amd_op_info *row)
{
    return row->fmt == AMD_VOP3 || (row->fmt == AMD_VOP2 && row->number[gen] >= 0x100);
}

static bool
selects_halves(amd_gen gen, const amd_op_info *row, const amd_operand *o)
{
    return amd_is_half(gen, row, o) ||
           (is_vop3_alone(gen, row) && amd_has_op_sel(gen, row) && !amd_permutes_lanes(row));
}

bool
amd_selects_source_half(amd_gen gen, const amd_op_info *row, const amd_operand *o)
{
    return is_16_bits(o) && o->kind == AMD_K_VSRC && selects_halves(gen, row, o);
}

bool
amd_selects_result_half(amd_gen gen, const amd_op_info *row)
{
    const amd_operand *dst = amd_op_dst(row, 0);
    return is_16_bits(dst) && dst->kind == AMD_K_VGPR && selects_halves(gen, row, dst);
}

/* How an operand says which half it is. */
typedef enum half_field {
    HALF_NONE,   /* it cannot */
    HALF_SEL,    /* op_sel */
    HALF_SELS,   /* op_sel and op_sel_hi of a packed instruction: both operations read it */
    HALF_BYTES,  /* v_perm's selection of bytes */
    HALF_WIDENS, /* a shift or mask that widens the low half to 32 bits: another one */
    HALF_OPCODE, /* another opcode of the memory instruction */
} half_field;

static bool
is_const(ir_ref r, uint32_t value)
{
    return r.kind == IR_REF_CONST && r.id == value;
}

/* An instruction that makes 32 bits of the low half of a source, and that which makes the same of
 * the high half: `op` with `constant` first. */
typedef struct widening {
    uint16_t from;
    uint8_t ref; /* of the source */
    uint16_t op;
    uint32_t constant;
} widening;

static const widening widenings[] = {
    {AMD_V_AND_B32, 1, AMD_V_LSHRREV_B32, 16},
    {AMD_V_BFE_U32, 0, AMD_V_LSHRREV_B32, 16},
    {AMD_V_BFE_I32, 0, AMD_V_ASHRREV_I32, 16},
    {AMD_V_LSHLREV_B32, 1, AMD_V_AND_B32, 0xffff0000},
};

static const widening *
find_widening(const ir_instr *i, unsigned ref)
{
    for (unsigned k = 0; k < sizeof widenings / sizeof *widenings; k++) {
        const widening *w = &widenings[k];
        if (w->from != i->op || w->ref != ref)
            continue;
        bool field = is_const(i->refs[1], 0) && i->n_refs == 3 && is_const(i->refs[2], 16);
        bool whole = w->ref == 0              ? field
                     : i->op == AMD_V_AND_B32 ? is_const(i->refs[0], 0xffff)
                                              : is_const(i->refs[0], 16);
        return whole ? w : NULL;
    }
    return NULL;
}

/* Bytes 0 to 3 of v_perm's sources are those of the second one, 4 to 7 those of the first; 12 and
 * above are constants (RDNA 2 ISA, V_PERM_B32). */
enum { PERM_SOURCE = 4, PERM_CONSTANTS = 12 };

static bool
is_byte_of(uint32_t selection, unsigned byte, unsigned ref)
{
    uint32_t s = selection >> 8 * byte & 0xff;
    return s / PERM_SOURCE == !ref;
}

static bool
permutes_low_half(const ir_instr *i, unsigned ref)
{
    if (i->op != AMD_V_PERM_B32 || ref > 1 || i->refs[2].kind != IR_REF_CONST)
        return false;
    for (unsigned byte = 0; byte < 4; byte++) {
        uint32_t s = i->refs[2].id >> 8 * byte & 0xff;
        bool high = is_byte_of(i->refs[2].id, byte, ref) && s % PERM_SOURCE >= 2;
        if (high || (s >= 2 * PERM_SOURCE && s < PERM_CONSTANTS))
            return false;
    }
    return true;
}

/* Mixed precision: op_sel_hi says that a source has 16 bits. Packed: both operations must read the
 * low half. */
static half_field
field_of_packed(const ir_instr *i, const amd_op_info *row, unsigned ref)
{
    bool sel = ir_words(i)[0] >> (AMD_MOD_OPSEL + ref) & 1;
    bool sel_hi = ir_words(i)[0] >> (AMD_MOD_OPSEL_HI + ref) & 1;
    const amd_operand *dst = amd_op_dst(row, 0), *o = amd_op_src(row, ref);
    if (row->flags & AMD_F_MIX)
        return sel_hi && !sel ? HALF_SEL : HALF_NONE;
    bool pairs = dst && dst->type == o->type &&
                 (o->type == AMD_T_V2F16 || o->type == AMD_T_V2U16 || o->type == AMD_T_V2I16);
    return pairs && !sel && !sel_hi ? HALF_SELS : HALF_NONE;
}

static bool
is_plain(const ir_instr *i)
{
    return !i->form && !ir_words(i)[1] && !ir_words(i)[2];
}

static half_field
field_of_source(amd_gen gen, const ir_instr *i, const amd_op_info *row, unsigned ref)
{
    const amd_operand *o = amd_op_src(row, ref);
    if (!o || !is_plain(i))
        return HALF_NONE;
    if (row->fmt == AMD_VOP3P)
        return field_of_packed(i, row, ref);
    if (amd_selects_source_half(gen, row, o))
        return ir_words(i)[0] >> (AMD_MOD_OPSEL + ref) & 1 ? HALF_NONE : HALF_SEL;
    if (ir_words(i)[0])
        return HALF_NONE;
    if (permutes_low_half(i, ref))
        return HALF_BYTES;
    return find_widening(i, ref) ? HALF_WIDENS : HALF_NONE;
}

static void
permute_high_half(ir_instr *i, unsigned ref)
{
    uint32_t selection = i->refs[2].id;
    for (unsigned byte = 0; byte < 4; byte++) {
        if (is_byte_of(i->refs[2].id, byte, ref))
            selection += 2u << 8 * byte;
    }
    i->refs[2].id = selection;
}

static void
widen_high_half(ir_instr *i, const widening *w)
{
    ir_ref source = i->refs[w->ref];
    i->op = w->op;
    i->refs[0] = amd_const(w->constant);
    i->refs[1] = source;
    i->n_refs = 2;
}

/* ---- memory ---- */

/* By opcode whose data has 16 bits or a byte: those for the low half of a register and for the high
 * one. Loads fill the half (d16) and keep the other. */
typedef struct memory_row {
    uint16_t low, high;
} memory_row;

#define LOAD(op, half)                                                                             \
    [op] = {half, half##_HI}, [half] = {half, half##_HI}, [half##_HI] = {0, half##_HI}
#define LOADS(kind)                                                                                \
    LOAD(AMD_##kind##_LOAD_USHORT, AMD_##kind##_LOAD_SHORT_D16),                                   \
        [AMD_##kind##                                                                              \
            _LOAD_SSHORT] = {AMD_##kind##_LOAD_SHORT_D16, AMD_##kind##_LOAD_SHORT_D16_HI},         \
        LOAD(AMD_##kind##_LOAD_UBYTE, AMD_##kind##_LOAD_UBYTE_D16),                                \
        LOAD(AMD_##kind##_LOAD_SBYTE, AMD_##kind##_LOAD_SBYTE_D16)
#define STORE(op)    [op] = {op, op##_D16_HI}
#define STORES(kind) STORE(AMD_##kind##_STORE_SHORT), STORE(AMD_##kind##_STORE_BYTE)

static const memory_row memory_rows[AMD_OP_HW_COUNT] = {
    LOADS(BUFFER),
    LOADS(GLOBAL),
    LOADS(FLAT),
    LOADS(SCRATCH),
    LOAD(AMD_DS_READ_U16, AMD_DS_READ_U16_D16),
    [AMD_DS_READ_I16] = {AMD_DS_READ_U16_D16, AMD_DS_READ_U16_D16_HI},
    LOAD(AMD_DS_READ_U8, AMD_DS_READ_U8_D16),
    LOAD(AMD_DS_READ_I8, AMD_DS_READ_I8_D16),
    STORES(BUFFER),
    STORES(GLOBAL),
    STORES(FLAT),
    STORES(SCRATCH),
    STORE(AMD_DS_WRITE_B16),
    STORE(AMD_DS_WRITE_B8),
};

static bool
is_memory(const amd_op_info *row)
{
    return row->fmt == AMD_DS || row->fmt == AMD_MUBUF || row->fmt == AMD_FLAT ||
           row->fmt == AMD_GLOBAL || row->fmt == AMD_SCRATCH;
}

static const memory_row *
memory_of(amd_gen gen, const ir_instr *i, const amd_op_info *row)
{
    const uint32_t other = AMD_MEM_LDS | AMD_MEM_TFE;
    const memory_row *m = &memory_rows[i->op];
    bool may = m->low && is_memory(row) && !(ir_words(i)[1] & other);
    return may && amd_op_exists((amd_op)m->high, gen) ? m : NULL;
}

/* Flat loads are in two orders. */
static bool
loads_in_order(const amd_target *t, const amd_op_info *row)
{
    return row->fmt == AMD_DS || (row->fmt != AMD_FLAT && amd_has(t, loads_in_order));
}

bool
amd_is_ordered_half_load(const amd_target *t, const ir_instr *i)
{
    const memory_row *m = amd_is_pseudo(i->op) ? NULL : &memory_rows[i->op];
    if (!m || (m->low != i->op && m->high != i->op))
        return false;
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    return (row->flags & AMD_F_LOAD) && loads_in_order(t, row);
}

static bool
is_data(const amd_operand *o)
{
    return o && (o->kind == AMD_K_VDATA || o->kind == AMD_K_VDATA0);
}

/* ---- all ---- */

static const amd_op_info *
row_of(const ir_instr *i)
{
    return amd_is_pseudo(i->op) ? NULL : amd_op_row((amd_op)i->op);
}

static bool
is_valu(const amd_op_info *row)
{
    return row->fmt == AMD_VOP1 || row->fmt == AMD_VOP2 || row->fmt == AMD_VOPC ||
           row->fmt == AMD_VOP3 || row->fmt == AMD_VOP3P;
}

static half_field
field_of(amd_gen gen, const ir_instr *i, unsigned ref)
{
    const amd_op_info *row = row_of(i);
    if (row && is_valu(row))
        return field_of_source(gen, i, row, ref);
    bool stored = row && i->n_defs == 0 && is_data(amd_op_src(row, ref));
    return stored && memory_of(gen, i, row) ? HALF_OPCODE : HALF_NONE;
}

bool
amd_can_read_high(const amd_target *t, const ir_instr *i, unsigned ref)
{
    return field_of(t->gen, i, ref) != HALF_NONE;
}

bool
amd_can_write_half(const amd_target *t, const ir_instr *i)
{
    const amd_op_info *row = row_of(i);
    if (!row || i->n_defs != 1 || i->defs[0].rc != AMD_V1)
        return false;
    if (!is_valu(row))
        return memory_of(t->gen, i, row) && (row->flags & AMD_F_LOAD) && loads_in_order(t, row);
    unsigned both = amd_op_dst(row, 0)->role == AMD_ROLE_BOTH;
    bool mixed = i->op == AMD_V_FMA_MIXLO_F16, high = ir_words(i)[0] >> (AMD_MOD_OPSEL + 3) & 1;
    if (!is_plain(i) || (high && !mixed) || i->n_refs != amd_op_src_count(row) + (both && !mixed))
        return false;
    return mixed || amd_selects_result_half(t->gen, row);
}

int
amd_half_accumulator(const ir_instr *i)
{
    int n = (int)amd_op_src_count(amd_op_row((amd_op)i->op));
    return n < i->n_refs ? n : -1;
}

void
amd_read_high(const amd_target *t, ir_instr *i, unsigned ref)
{
    switch (field_of(t->gen, i, ref)) {
    case HALF_NONE: break;
    case HALF_SELS: ir_words(i)[0] |= 1u << (AMD_MOD_OPSEL_HI + ref); /* fallthrough */
    case HALF_SEL: ir_words(i)[0] |= 1u << (AMD_MOD_OPSEL + ref); break;
    case HALF_BYTES: permute_high_half(i, ref); break;
    case HALF_WIDENS: widen_high_half(i, find_widening(i, ref)); break;
    case HALF_OPCODE: i->op = memory_rows[i->op].high; break;
    }
}

void
amd_write_half(ir_instr *i, bool high)
{
    const memory_row *m = &memory_rows[i->op];
    if (m->low)
        i->op = high ? m->high : m->low;
    else if (high && i->op == AMD_V_FMA_MIXLO_F16)
        i->op = AMD_V_FMA_MIXHI_F16;
    else if (high)
        ir_words(i)[0] |= 8u << AMD_MOD_OPSEL;
}

bool
amd_has_halves(const ir_fn *f)
{
    for (size_t id = 1; id < f->n_values; id++) {
        if (f->values[id].type == AMD_V2B)
            return true;
    }
    return false;
}
