/* Sources of categories 1 to 4, which encode in their bits what they are. */
#include "adreno/isa/table/table.h"

#include "base/bits.h"

enum { REL_BITS = 10 };

/* A number of `bits` bits with a sign. */
static int64_t
extend(uint64_t value, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return (int64_t)(((value & base_mask64(bits)) ^ sign) - sign);
}

static bool
fits(int64_t value, unsigned bits)
{
    return extend((uint64_t)value, bits) == value;
}

/* A register's last use is bit 10; bits 8 and 9 must be zero. */
static adreno_source
read_register(uint32_t bits)
{
    return (adreno_source){.kind = bits & 0x300 ? ADRENO_S_NONE : ADRENO_S_REG,
                           .value = bits & 0xff,
                           .last = bits >> 10 & 1};
}

static adreno_source
read_relative(uint32_t bits)
{
    return (adreno_source){.kind = bits >> 10 & 1 ? ADRENO_S_CONST_REL : ADRENO_S_REG_REL,
                           .value = extend(bits, REL_BITS)};
}

static uint32_t
relative_bits(const adreno_source *s)
{
    return (uint32_t)((uint64_t)s->value & base_mask64(REL_BITS)) |
           (s->kind == ADRENO_S_CONST_REL ? 1u << 10 : 0);
}

/* ---- categories 2 and 4: bits 11 to 13 are the kind, 14 and 15 the sign ---- */

adreno_source
adreno_read_source(uint32_t bits)
{
    adreno_source s = {0};
    switch (bits >> 11 & 7) {
    case 0: s = read_register(bits); break;
    case 1: s = read_relative(bits); break;
    case 2:
    case 6:
        s = (adreno_source){.kind = ADRENO_S_CONST, .value = bits & 0x7ff, .extra = bits >> 13 & 1};
        break;
    case 4: s = (adreno_source){.kind = ADRENO_S_NUMBER, .value = extend(bits, 11)}; break;
    case 5:
        s = (adreno_source){
            .kind = ADRENO_S_TABLE, .value = bits & 0x3ff, .own_half = bits >> 10 & 1};
        break;
    default: break;
    }
    s.absneg = bits >> 14 & 3;
    return s;
}

bool
adreno_write_source(const adreno_source *s, uint32_t *bits)
{
    bool ok = true;
    uint32_t value = (uint32_t)s->value;
    switch (s->kind) {
    case ADRENO_S_REG: *bits = value | (uint32_t)s->last << 10; break;
    case ADRENO_S_CONST:
        *bits = value | 2u << 11;
        ok = value < 0x800;
        break;
    case ADRENO_S_REG_REL:
    case ADRENO_S_CONST_REL:
        *bits = relative_bits(s) | 1u << 11;
        ok = fits(s->value, REL_BITS);
        break;
    case ADRENO_S_NUMBER:
        *bits = (value & 0x7ff) | 4u << 11;
        ok = fits(s->value, 11);
        break;
    case ADRENO_S_TABLE: *bits = value | 5u << 11 | (uint32_t)s->own_half << 10; break;
    default: return false;
    }
    *bits |= (uint32_t)s->absneg << 14;
    return ok;
}

/* ---- category 3: bits 11 and 12 are the kind; a8xx has numbers and the table of floats, too
 * ---- */

static bool
has_immediates(adreno_op op, bool third)
{
    const adreno_op_info *row = adreno_op_row(op);
    return row->properties & ADRENO_IMMEDIATES || (third && row->properties & ADRENO_IMMEDIATE_3);
}

adreno_source
adreno_read_source3(const adreno_isa *t, adreno_op op, bool third, uint32_t bits)
{
    if (bits >> 12 & 1 && has_immediates(op, third))
        return (adreno_source){.kind = ADRENO_S_NUMBER, .value = bits & 0xfff};
    if (bits >> 12 & 1)
        return (adreno_source){
            .kind = ADRENO_S_CONST, .value = bits & 0x7ff, .extra = bits >> 11 & 1};
    if (bits >> 11 & 1)
        return read_relative(bits);
    if (t->gen >= 8 && bits >> 8 == 6)
        return (adreno_source){.kind = ADRENO_S_NUMBER, .value = extend(bits, 8)};
    if (t->gen >= 8 && bits >> 8 == 7 && (bits & 15) < 12)
        return (adreno_source){.kind = ADRENO_S_TABLE,
                               .value = bits & 15,
                               .own_half = bits >> 7 & 1,
                               .extra = (bits >> 4 & 7) != 0};
    return read_register(bits);
}

bool
adreno_write_source3(const adreno_isa *t, adreno_op op, bool third, const adreno_source *s,
                     uint32_t *bits)
{
    uint32_t value = (uint32_t)s->value;
    switch (s->kind) {
    case ADRENO_S_REG: *bits = value | (uint32_t)s->last << 10; return true;
    case ADRENO_S_CONST:
        *bits = value | 1u << 12;
        return value < 0x800 && !has_immediates(op, third);
    case ADRENO_S_REG_REL:
    case ADRENO_S_CONST_REL: *bits = relative_bits(s) | 1u << 11; return fits(s->value, REL_BITS);
    case ADRENO_S_NUMBER:
        if (has_immediates(op, third)) {
            *bits = value | 1u << 12;
            return s->value >= 0 && s->value < 0x1000;
        }
        *bits = (value & 0xff) | 6u << 8;
        return t->gen >= 8 && fits(s->value, 8);
    case ADRENO_S_TABLE: *bits = value | (uint32_t)s->own_half << 7 | 7u << 8; return t->gen >= 8;
    default: return false;
    }
}

/* ---- category 1 and aliases: the kind is a field of its own ---- */

enum { KIND_REG, KIND_CONST, KIND_IMMEDIATE };

/* An immediate is a float by the type of the source. */
static bool
is_float(const adreno_inst *in)
{
    if (in->op == ADRENO_ALIAS)
        return !in->f[ADRENO_F_tclass];
    const bool typed = in->op == ADRENO_MOV || in->op == ADRENO_COV;
    return typed && in->f[ADRENO_F_stype] <= ADRENO_F32;
}

adreno_source
adreno_read_move(const adreno_inst *in)
{
    const uint32_t bits = in->f[ADRENO_F_src];
    const bool is_alias = in->op == ADRENO_ALIAS;
    adreno_source s = {0};
    switch (in->f[ADRENO_F_kind]) {
    case KIND_REG:
        if (bits >> 11 == 0 && !(is_alias && bits >> 8))
            s = read_register(bits);
        else if (bits >> 11 == 1 && !is_alias)
            s = read_relative(bits);
        break;
    case KIND_CONST:
        if (bits < 0x800)
            s = (adreno_source){.kind = ADRENO_S_CONST, .value = bits};
        break;
    case KIND_IMMEDIATE:
        s = (adreno_source){.kind = is_float(in) ? ADRENO_S_FLOAT : ADRENO_S_NUMBER, .value = bits};
        break;
    default: break;
    }
    return s;
}

bool
adreno_write_move(const adreno_source *s, adreno_inst *in)
{
    uint32_t *bits = &in->f[ADRENO_F_src], value = (uint32_t)s->value;
    const bool is_alias = in->op == ADRENO_ALIAS;
    in->f[ADRENO_F_kind] = KIND_REG;
    switch (s->kind) {
    case ADRENO_S_REG: *bits = value | (uint32_t)s->last << 10; return !(is_alias && s->last);
    case ADRENO_S_REG_REL:
    case ADRENO_S_CONST_REL:
        *bits = relative_bits(s) | 1u << 11;
        return !is_alias && fits(s->value, REL_BITS);
    case ADRENO_S_CONST:
        in->f[ADRENO_F_kind] = KIND_CONST;
        *bits = value;
        return value < 0x800;
    case ADRENO_S_NUMBER:
    case ADRENO_S_FLOAT:
        in->f[ADRENO_F_kind] = KIND_IMMEDIATE;
        *bits = value;
        return true;
    default: return false;
    }
}
