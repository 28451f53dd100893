/* The elements of a text: sources and what else has a form of its own. */
#include "adreno/isa/asm/trial.h"

#include "adreno/isa/text/text.h"
#include "base/fp.h"
#include "base/number.h"

#include <string.h>

static bool
has_field(const adreno_trial *r, adreno_field field)
{
    return adreno_field_width(adreno_format_of(r->in.op), field) != 0;
}

static char
next_char(adreno_trial *r)
{
    adreno_skip_blanks(r);
    return r->at < r->a->end ? *r->at : '\0';
}

/* ---- sources ---- */

/* "<a0.x + 12>" behind the name of a file. */
static bool
read_relative(adreno_trial *r, int64_t *offset)
{
    *offset = 0;
    if (!adreno_take(r, "<") || !adreno_take(r, "a0.x"))
        return adreno_want(r, "'<a0.x'");
    bool minus = next_char(r) == '-';
    if (minus || adreno_take(r, "+")) {
        r->at += minus;
        if (!adreno_read_number(r, -1024, 1024, offset))
            return false;
        *offset = minus ? -*offset : *offset;
    }
    return adreno_take(r, ">") || adreno_want(r, "'>'");
}

/* "(pi)": an entry of the table of floats. */
static bool
read_table(adreno_trial *r, adreno_source *s)
{
    static const char floats[] = ADRENO_FLOAT_TABLE;
    const char *before = r->at, *name;
    size_t size;
    if (!adreno_take(r, "("))
        return false;
    adreno_skip_blanks(r);
    for (unsigned i = 0; adreno_get_name(floats, i, &name, &size); i++) {
        const size_t left = (size_t)(r->a->end - r->at);
        if (left <= size || memcmp(r->at, name, size) != 0 || r->at[size] != ')')
            continue;
        r->at += size + 1;
        s->kind = ADRENO_S_TABLE;
        s->value = i;
        return true;
    }
    r->at = before;
    return false;
}

/* "(1.5)", "(-inf)": a float of `bits` bits. */
static bool
read_float(adreno_trial *r, unsigned bits, adreno_source *s)
{
    const char *before = r->at;
    uint64_t pattern;
    if (!adreno_take(r, "("))
        return false;
    const bool minus = adreno_take(r, "-");
    adreno_skip_blanks(r);
    const size_t left = (size_t)(r->a->end - r->at);
    const size_t length = base_float_length(r->at, left);
    if (length) {
        pattern = base_float_read(r->at, length, bits);
        r->at += length;
    } else if (adreno_take(r, "inf")) {
        pattern = base_fp_infinity(bits);
    } else if (adreno_take(r, "nan")) {
        pattern = base_fp_infinity(bits) | UINT64_C(1) << (base_fp_fraction_bits(bits) - 1);
    } else {
        r->at = before;
        return false;
    }
    s->kind = ADRENO_S_FLOAT;
    s->value = (int64_t)(pattern | (uint64_t)minus << (bits - 1));
    return adreno_take(r, ")") || adreno_want(r, "')'");
}

/* "h(12)": a number for half registers. */
static bool
read_half_number(adreno_trial *r, adreno_source *s)
{
    s->kind = ADRENO_S_NUMBER;
    return adreno_take(r, "(") && adreno_read_number(r, -0x8000, UINT32_MAX, &s->value) &&
           (adreno_take(r, ")") || adreno_want(r, "')'"));
}

/* A register or constant, direct or relative. Returns false without a failure if it is neither. */
static bool
read_place_source(adreno_trial *r, adreno_source *s, bool *half)
{
    const char *before;
    uint32_t reg;
    adreno_skip_blanks(r);
    before = r->at;
    if (adreno_read_register(r, &reg, half)) {
        s->kind = ADRENO_S_REG;
        s->value = reg;
        return true;
    }
    *half = adreno_take(r, "h");
    const bool is_const = adreno_take(r, "c");
    if (is_const && adreno_read_place(r, 512, &reg)) {
        s->kind = ADRENO_S_CONST;
        s->value = reg;
        return true;
    }
    if ((is_const || adreno_take(r, "r")) && next_char(r) == '<') {
        s->kind = is_const ? ADRENO_S_CONST_REL : ADRENO_S_REG_REL;
        if (read_relative(r, &s->value))
            return true;
    }
    r->at = before;
    return false;
}

static void
take_r(adreno_trial *r, adreno_field flag)
{
    r->in.f[flag] = 1;
    r->has_r |= flag != ADRENO_F_r3;
}

/* Flags before a source. */
static bool
read_source_flags(adreno_trial *r, adreno_source *s, adreno_field neg, adreno_field flag_r)
{
    while (next_char(r) == '(') {
        if (adreno_take(r, "(neg)") || adreno_take(r, "(not)"))
            s->absneg |= 1;
        else if (adreno_take(r, "(absneg)"))
            s->absneg |= 3;
        else if (adreno_take(r, "(abs)"))
            s->absneg |= 2;
        else if (adreno_take(r, "(last)"))
            s->last = true;
        else if (adreno_take(r, "(r)"))
            take_r(r, flag_r);
        else
            break;
    }
    if (neg == ADRENO_F_sy) /* categories 2 and 4 have both in the source */
        return true;
    r->in.f[neg] = s->absneg & 1;
    return s->absneg < 2 && (!s->absneg || has_field(r, neg))
               ? true
               : adreno_want(r, "no sign before this");
}

/* A source of categories 2 to 4 without its flags. */
static bool
read_source(adreno_trial *r, adreno_source *s)
{
    bool half;
    if (read_place_source(r, s, &half))
        return adreno_set_size(r, ADRENO_BY_SRC, half);
    half = adreno_take(r, "h");
    if (read_table(r, s)) {
        s->own_half = half;
        r->table_size = half;
        return true;
    }
    if (half)
        return read_half_number(r, s) && adreno_set_size(r, ADRENO_BY_SRC, true);
    s->kind = ADRENO_S_NUMBER;
    if (!adreno_read_number(r, -0x8000, 0xffff, &s->value))
        return adreno_want(r, "a register, a constant or a number");
    return adreno_op_row(r->in.op)->format >= ADRENO_FMT_CAT3 &&
                   adreno_op_row(r->in.op)->format <= ADRENO_FMT_CAT3_WMM
               ? true
               : adreno_set_size(r, ADRENO_BY_SRC, false);
}

static bool
read_source2(adreno_trial *r, adreno_field field, adreno_field flag_r)
{
    adreno_source s = {0};
    return read_source_flags(r, &s, ADRENO_F_sy, flag_r) && read_source(r, &s) &&
           (adreno_write_source(&s, &r->in.f[field]) ||
            adreno_want(r, "a smaller number before this"));
}

static bool
read_source3(adreno_trial *r, bool third)
{
    const adreno_field neg = third ? ADRENO_F_neg3 : ADRENO_F_neg1;
    const adreno_field flag_r = third ? ADRENO_F_r3 : ADRENO_F_r1;
    uint32_t *bits = &r->in.f[third ? ADRENO_F_src3 : ADRENO_F_src1];
    adreno_source s = {0};
    return read_source_flags(r, &s, neg, flag_r) && read_source(r, &s) &&
           (adreno_write_source3(r->t, r->in.op, third, &s, bits) ||
            adreno_want(r, "a source that the instruction can have before this"));
}

static bool
read_middle_source(adreno_trial *r)
{
    adreno_source s = {0};
    return read_source_flags(r, &s, ADRENO_F_neg2, ADRENO_F_r2) &&
           adreno_read_sized(r, ADRENO_F_src2, ADRENO_BY_SRC);
}

/* ---- moves ---- */

/* Numbers of half registers have 16 bits. */
static bool
read_move_number(adreno_trial *r, adreno_source *s)
{
    const unsigned type = r->in.f[ADRENO_F_stype];
    const bool is_half = !has_field(r, ADRENO_F_stype) || adreno_is_half(&r->in, ADRENO_BY_STYPE);
    s->kind = ADRENO_S_NUMBER;
    if (!adreno_read_number(r, is_half ? INT16_MIN : INT32_MIN, is_half ? UINT16_MAX : UINT32_MAX,
                            &s->value))
        return adreno_want(r, "a register, a constant or a number");
    if (is_half)
        s->value &= UINT16_MAX;
    if (has_field(r, ADRENO_F_stype) && type <= ADRENO_F32)
        return adreno_want(r, "a float in parentheses instead of this");
    return true;
}

static void
read_move_flags(adreno_trial *r, adreno_source *s)
{
    for (;;) {
        if (adreno_take(r, "(last)"))
            s->last = true;
        else if (adreno_take(r, "(r)"))
            r->in.f[ADRENO_F_r1] = 1;
        else
            return;
    }
}

static bool
read_move_source(adreno_trial *r)
{
    const bool is_typed = has_field(r, ADRENO_F_stype);
    adreno_source s = {0};
    bool half;
    read_move_flags(r, &s);
    if (read_place_source(r, &s, &half)) {
        if (is_typed && !adreno_set_size(r, ADRENO_BY_STYPE, half))
            return false;
    } else if (is_typed && r->in.f[ADRENO_F_stype] <= ADRENO_F32) {
        half = adreno_take(r, "h");
        if (!read_float(r, r->in.f[ADRENO_F_stype] == ADRENO_F16 ? 16 : 32, &s))
            return adreno_want(r, "a register, a constant or a float in parentheses");
    } else if (!read_move_number(r, &s)) {
        return false;
    }
    return adreno_write_move(&s, &r->in) || adreno_want(r, "another source before this");
}

static bool
read_lane_source(adreno_trial *r)
{
    adreno_source s = {0};
    read_move_flags(r, &s);
    r->in.f[ADRENO_F_last] = s.last;
    return adreno_read_sized(r, ADRENO_F_src, ADRENO_BY_STYPE);
}

static bool
read_lane(adreno_trial *r)
{
    int64_t lane = 0x80;
    if (!adreno_take(r, "a0.x") && !adreno_read_number(r, 0, 127, &lane))
        return adreno_want(r, "the number of a lane or a0.x");
    r->in.f[ADRENO_F_lane] = (uint32_t)lane;
    return true;
}

static bool
read_alias_source(adreno_trial *r)
{
    adreno_source s = {0};
    bool half;
    if (!read_place_source(r, &s, &half)) {
        half = adreno_take(r, "h");
        const bool is_float = !r->in.f[ADRENO_F_tclass];
        if (is_float && !read_float(r, half ? 16 : 32, &s))
            return adreno_want(r, "a register, a constant or a float in parentheses");
        if (!is_float && !read_half_number(r, &s))
            return adreno_want(r, "a register, a constant or a number in parentheses");
    }
    return adreno_set_size(r, ADRENO_BY_TSIZE, half) &&
           (adreno_write_move(&s, &r->in) || adreno_want(r, "another source before this"));
}

/* ---- destinations ---- */

static bool
read_relative_dst(adreno_trial *r, adreno_size_rule rule)
{
    const char *before;
    int64_t offset;
    adreno_skip_blanks(r);
    before = r->at;
    const bool half = adreno_take(r, "h");
    if (adreno_take(r, "r") && next_char(r) == '<') {
        if (!read_relative(r, &offset))
            return false;
        if (offset < 0 || offset > 255)
            return adreno_want(r, "an offset from 0 to 255 before this");
        r->in.f[ADRENO_F_dst_rel] = 1;
        r->in.f[ADRENO_F_dst] = (uint32_t)offset;
        return adreno_set_size(r, rule, half);
    }
    r->at = before;
    return adreno_read_sized(r, ADRENO_F_dst, rule);
}

/* up0.x is encoded as a0.x. */
static bool
read_predicate_dst(adreno_trial *r)
{
    const char *before;
    adreno_skip_blanks(r);
    before = r->at;
    const bool half = adreno_take(r, "h");
    if (adreno_read_special(r, "up0.", ADRENO_REG_A0, &r->in.f[ADRENO_F_dst]))
        return adreno_set_size(r, ADRENO_BY_DST, half);
    r->at = before;
    return adreno_read_sized(r, ADRENO_F_dst, ADRENO_BY_DST);
}

static bool
read_alias_dst(adreno_trial *r)
{
    if (!r->in.f[ADRENO_F_scope] || r->in.f[ADRENO_F_scope_high])
        return adreno_read_sized(r, ADRENO_F_dst, ADRENO_BY_TSIZE);
    return (adreno_take(r, "rt") && adreno_read_place(r, 8, &r->in.f[ADRENO_F_dst])) ||
           adreno_want(r, "a component of a render target");
}

static bool
read_const_dst(adreno_trial *r)
{
    if (!adreno_take(r, "a1.x"))
        return adreno_read_field_number(r, ADRENO_F_dst, 0);
    r->in.f[ADRENO_F_const_a1] = 1;
    return !adreno_take(r, "+") || adreno_read_field_number(r, ADRENO_F_dst, 0);
}

/* ---- category 0 ---- */

/* "#12" counts instructions from here; "#name" is a label. */
static bool
read_target(adreno_trial *r)
{
    int64_t number;
    adreno_take(r, "#");
    adreno_skip_blanks(r);
    asm_seek(r->a, r->at);
    if (r->a->token.kind == ASM_IDENT) {
        r->label = r->a->token.text;
        r->label_size = r->a->token.len;
        r->at += r->label_size;
        return true;
    }
    if (!adreno_read_number(r, INT32_MIN, INT32_MAX, &number))
        return adreno_want(r, "a label or a number of instructions");
    r->in.f[ADRENO_F_imm] = (uint32_t)number;
    return true;
}

/* ---- category 5 ---- */

static bool
read_descriptors(adreno_trial *r)
{
    uint32_t base = 0;
    r->is_indirect = adreno_take_flag(r, ".s2en");
    r->is_nonuniform = adreno_take_flag(r, ".nonuniform");
    if (!r->is_nonuniform)
        adreno_take_flag(r, ".uniform");
    if (adreno_take(r, ".base")) {
        r->is_bindless = true;
        base = r->at < r->a->end ? (uint32_t)(unsigned char)*r->at - '0' : 8;
        if (base > 7)
            return adreno_want(r, "a base from 0 to 7");
        r->at++;
    }
    r->in.f[ADRENO_F_base] = base & 1;
    r->in.f[ADRENO_F_base_high] = base >> 1;
    return r->is_indirect || r->is_bindless || adreno_want(r, "'.s2en' or '.base'");
}

static adreno_desc_mode
find_mode(const adreno_trial *r, bool with_a1)
{
    if (!r->is_indirect)
        return with_a1 ? ADRENO_DESC_BINDLESS_A1_IMM : ADRENO_DESC_BINDLESS_IMM;
    if (!r->is_bindless)
        return r->is_nonuniform ? ADRENO_DESC_NONUNIFORM : ADRENO_DESC_UNIFORM;
    if (with_a1)
        return r->is_nonuniform ? ADRENO_DESC_BINDLESS_A1_NONUNIFORM
                                : ADRENO_DESC_BINDLESS_A1_UNIFORM;
    return r->is_nonuniform ? ADRENO_DESC_BINDLESS_NONUNIFORM : ADRENO_DESC_BINDLESS_UNIFORM;
}

/* ", s#1": the number of a sampler or texture. */
static bool
read_binding(adreno_trial *r, const char *file, int64_t most, int64_t *number)
{
    const char *before = r->at;
    if (adreno_take(r, ",") && adreno_take(r, file) && adreno_take(r, "#"))
        return adreno_read_number(r, 0, most, number);
    r->at = before;
    return false;
}

/* Numbers of sampler and texture share 8 bits, or one of them has all. */
static bool
pack_bindings(adreno_trial *r, bool with_a1, int64_t samp, int64_t tex)
{
    const bool is_one = with_a1 && r->t->gen >= 6;
    r->in.f[ADRENO_F_src3] = (uint32_t)(is_one ? samp | tex : samp | tex << 4);
    if (is_one ? samp && tex : samp > 15 || tex > 15)
        return adreno_want(r, "numbers of sampler and texture that fit before this");
    return true;
}

static bool
read_descriptor_register(adreno_trial *r)
{
    bool half;
    if (!adreno_take(r, ",") || !adreno_read_register(r, &r->in.f[ADRENO_F_src3], &half))
        return adreno_want(r, "a register with the numbers of sampler and texture");
    return half != r->is_bindless ||
           adreno_want(r, half ? "a whole register before this" : "a half register before this");
}

static bool
read_descriptor_source(adreno_trial *r)
{
    const char *before;
    int64_t samp = 0, tex = 0;
    if (r->is_indirect && !read_descriptor_register(r))
        return false;
    if (!r->is_indirect) {
        read_binding(r, "s", 255, &samp);
        read_binding(r, "t", 255, &tex);
    }
    before = r->at;
    const bool with_a1 = adreno_take(r, ",") && adreno_take(r, "a1.x");
    r->at = with_a1 ? r->at : before;
    if (with_a1 && !r->is_bindless)
        return adreno_want(r, "a base in the mnemonic for a1.x");
    r->in.f[ADRENO_F_mode] = find_mode(r, with_a1);
    return r->is_indirect || pack_bindings(r, with_a1, samp, tex);
}

static bool
read_texture_source(adreno_trial *r, bool second)
{
    const unsigned properties = adreno_op_row(r->in.op)->properties;
    const bool has = second
                         ? properties & ADRENO_SRC2 || r->in.f[ADRENO_F_o] || r->in.f[ADRENO_F_clp]
                         : (properties & (ADRENO_SRC1 | ADRENO_SRC2)) != 0;
    if (has)
        return (adreno_take(r, ",") || adreno_want(r, "','")) &&
               adreno_read_sized(r, second ? ADRENO_F_src2 : ADRENO_F_src1, ADRENO_BY_SRC);
    if (second && has_field(r, ADRENO_F_has_offset) && adreno_take(r, "+")) {
        r->in.f[ADRENO_F_has_offset] = 1;
        return adreno_read_field_number(r, ADRENO_F_src2, 0);
    }
    return true;
}

static bool
read_type(adreno_trial *r)
{
    static const char types[] = "(f16) (f32) (u16) (u32) (s16) (s32) (u8)";
    const bool is_rck = r->in.f[ADRENO_F_type] == ADRENO_U8_32;
    if (is_rck || !(adreno_op_row(r->in.op)->properties & ADRENO_TYPE))
        return true;
    return adreno_read_name(r, types, &r->in.f[ADRENO_F_type]);
}

static bool
read_numbered(adreno_trial *r, const adreno_element_info *row, unsigned property)
{
    const unsigned width = adreno_field_width(adreno_format_of(r->in.op), (adreno_field)row->field);
    int64_t number = 0;
    if (!(adreno_op_row(r->in.op)->properties & property))
        return true;
    if (!read_binding(r, row->text, (INT64_C(1) << width) - 1, &number))
        return adreno_want(r, *row->text == 's' ? "', s#' and a sampler" : "', t#' and a texture");
    r->in.f[row->field] = (uint32_t)number;
    return true;
}

static bool
read_texture_element(adreno_trial *r, adreno_element e)
{
    const adreno_element_info *row = adreno_element_row(e);
    switch (e) {
    case ADRENO_E_1d: r->in.f[ADRENO_F_single] = !adreno_take_flag(r, row->text); return true;
    case ADRENO_E_rck:
        if (adreno_take_flag(r, row->text))
            r->in.f[ADRENO_F_type] = ADRENO_U8_32;
        return true;
    case ADRENO_E_desc: return read_descriptors(r);
    case ADRENO_E_ttype: return read_type(r);
    case ADRENO_E_tsrc1: return read_texture_source(r, false);
    case ADRENO_E_tsrc2: return read_texture_source(r, true);
    case ADRENO_E_tsrc3: return read_descriptor_source(r);
    case ADRENO_E_samp: return read_numbered(r, row, ADRENO_SAMP);
    default: return read_numbered(r, row, ADRENO_TEX);
    }
}

/* ---- category 6 ---- */

static bool
read_register_or_number(adreno_trial *r, adreno_field field, adreno_field is_number)
{
    const char c = next_char(r);
    bool half;
    if (c == 'r' && adreno_read_register(r, &r->in.f[field], &half))
        return true;
    if (c != 'r' && adreno_read_field_number(r, field, 0)) {
        r->in.f[is_number] = 1;
        return true;
    }
    return adreno_want(r, "a register or a number");
}

/* An offset, whose upper bits may be a field of their own. */
static bool
read_offset(adreno_trial *r, bool is_signed, bool has_sign)
{
    const adreno_format_info *format = adreno_format_of(r->in.op);
    const unsigned low = adreno_field_width(format, ADRENO_F_off);
    const unsigned bits = low + adreno_field_width(format, ADRENO_F_off_high);
    const int64_t most = (INT64_C(1) << (is_signed ? bits - 1 : bits)) - 1;
    int64_t off;
    const bool minus = has_sign && next_char(r) == '-';
    if (has_sign && !minus && !adreno_take(r, "+"))
        return true;
    r->at += minus;
    if (!adreno_read_number(r, 0, most + minus, &off))
        return false;
    off = minus ? -off : off;
    r->in.f[ADRENO_F_off] = (uint32_t)((uint64_t)off & ((1u << low) - 1));
    r->in.f[ADRENO_F_off_high] = (uint32_t)((uint64_t)off >> low & ((1u << (bits - low)) - 1));
    r->in.f[ADRENO_F_has_offset] = has_field(r, ADRENO_F_has_offset);
    return true;
}

static bool
read_shift(adreno_trial *r, int64_t low, int64_t high, int64_t *shift)
{
    if (!adreno_take(r, "<<"))
        return adreno_want(r, "'<<'");
    return adreno_read_number(r, low, high, shift) &&
           (adreno_take(r, ")") || adreno_want(r, "')'"));
}

static bool
read_plus(adreno_trial *r)
{
    return (adreno_take(r, "+") || adreno_want(r, "'+'")) &&
           adreno_read_field_number(r, ADRENO_F_off, 0);
}

/* (((src2 << shift) + off) << size of the type), without what is zero */
static bool
read_shifted(adreno_trial *r)
{
    const unsigned by_type = adreno_type_shift(r->in.f[ADRENO_F_type]);
    unsigned open = 0;
    int64_t shift = 0, last;
    while (open < 4 && adreno_take(r, "("))
        open++;
    if (!adreno_read_sized(r, ADRENO_F_src2, ADRENO_WHOLE))
        return false;
    if (by_type == 0 || open == 0)
        return open || by_type
                   ? adreno_want(r, "an offset shifted by the size of the type before this")
               : next_char(r) == '+' ? read_plus(r)
                                     : true;
    if (open == 1) {
        if (!read_shift(r, by_type, by_type + 3, &shift))
            return false;
        r->in.f[ADRENO_F_shift] = (uint32_t)shift - by_type;
        return true;
    }
    if (open == 3 && !read_shift(r, 0, 3, &shift))
        return false;
    r->in.f[ADRENO_F_shift] = (uint32_t)shift;
    return read_plus(r) && (adreno_take(r, ")") || adreno_want(r, "')'")) &&
           read_shift(r, by_type, by_type, &last);
}

static bool
read_base(adreno_trial *r)
{
    if (!adreno_take(r, ".base"))
        return true;
    r->in.f[ADRENO_F_bindless] = 1;
    return adreno_read_mnemonic_number(r, ADRENO_F_base, 0);
}

/* How many vec4 are loaded. */
static bool
read_load(adreno_trial *r)
{
    bool half;
    if (adreno_read_register(r, &r->in.f[ADRENO_F_load], &half))
        return true;
    r->in.f[ADRENO_F_load_im] = 1;
    return adreno_read_field_number(r, ADRENO_F_load, 1);
}

static bool
read_binding_point(adreno_trial *r)
{
    if (!r->in.f[ADRENO_F_mode])
        return adreno_read_field_number(r, ADRENO_F_uav, 0);
    return adreno_read_sized(r, ADRENO_F_uav, ADRENO_WHOLE);
}

/* a8xx takes the offset from the half of a register that `sp` says. */
static bool
read_ldc_offset(adreno_trial *r)
{
    bool half = false;
    const bool is_reg = adreno_read_register(r, &r->in.f[ADRENO_F_src1], &half);
    r->in.f[ADRENO_F_im1] = !is_reg;
    r->in.f[ADRENO_F_sp] = r->t->gen >= 8 && !half;
    if (half && r->t->gen < 8)
        return adreno_want(r, "a whole register before this");
    return is_reg || adreno_read_field_number(r, ADRENO_F_src1, 0);
}

static bool
read_scope(adreno_trial *r, const char *names)
{
    uint32_t scope;
    if (!adreno_read_name(r, names, &scope))
        return false;
    r->in.f[ADRENO_F_scope] = scope & 1;
    r->in.f[ADRENO_F_scope_high] = scope >> 1;
    return true;
}

static bool
read_register_or_const(adreno_trial *r, adreno_field field)
{
    if (next_char(r) != 'c')
        return adreno_read_sized(r, field, ADRENO_WHOLE);
    r->in.f[ADRENO_F_c1] = 1;
    return (adreno_take(r, "c") && adreno_read_place(r, 64, &r->in.f[field])) ||
           adreno_want(r, "a constant from c0.x to c63.w");
}

static bool
read_memory_element(adreno_trial *r, adreno_element e)
{
    switch (e) {
    case ADRENO_E_base: return read_base(r);
    case ADRENO_E_off:
        if (!r->in_operands)
            return adreno_read_mnemonic_number(r, ADRENO_F_off, 0);
        return read_offset(r, false, false);
    case ADRENO_E_uoff: return read_offset(r, false, true);
    case ADRENO_E_shifted: return read_shifted(r);
    case ADRENO_E_load: return read_load(r);
    case ADRENO_E_cdst: return read_const_dst(r);
    case ADRENO_E_ubo: return read_binding_point(r);
    case ADRENO_E_ldc1: return read_ldc_offset(r);
    case ADRENO_E_scope: return read_scope(r, adreno_element_row(e)->text);
    case ADRENO_E_adst: return read_alias_dst(r);
    case ADRENO_E_asrc: return read_alias_source(r);
    default: return read_texture_element(r, e);
    }
}

static bool
read_own(adreno_trial *r, adreno_element e)
{
    switch (e) {
    case ADRENO_E_target: return read_target(r);
    case ADRENO_E_mdst: return read_relative_dst(r, ADRENO_BY_DTYPE);
    case ADRENO_E_rdst: return read_relative_dst(r, ADRENO_WHOLE);
    case ADRENO_E_pdst: return read_predicate_dst(r);
    case ADRENO_E_msrc: return read_move_source(r);
    case ADRENO_E_msrc_gpr: return read_lane_source(r);
    case ADRENO_E_lane: return read_lane(r);
    case ADRENO_E_width: return adreno_read_power(r, ADRENO_F_width, 32);
    case ADRENO_E_s1: return read_source2(r, ADRENO_F_src1, ADRENO_F_r1);
    case ADRENO_E_s2: return read_source2(r, ADRENO_F_src2, ADRENO_F_r2);
    case ADRENO_E_c1: return read_source3(r, false);
    case ADRENO_E_c2: return read_middle_source(r);
    case ADRENO_E_c3: return read_source3(r, true);
    default: return read_memory_element(r, e);
    }
}

bool
adreno_read_element(adreno_trial *r, adreno_element e)
{
    const adreno_element_info *row = adreno_element_row(e);
    const adreno_field field = (adreno_field)row->field;
    switch (row->kind) {
    case ADRENO_E_FLAG:
        if (adreno_take_flag(r, row->text))
            r->in.f[field] = 1;
        return true;
    case ADRENO_E_NAMES:
        if ((e == ADRENO_E_stype || e == ADRENO_E_dtype) && adreno_take(r, "s8")) {
            r->in.f[field] = ADRENO_U8_32; /* its name until Mesa 23 */
            return true;
        }
        return adreno_read_name(r, row->text, &r->in.f[field]);
    case ADRENO_E_NUMBER:
        return r->in_operands ? adreno_read_field_number(r, field, row->arg)
                              : adreno_read_mnemonic_number(r, field, row->arg);
    case ADRENO_E_SIGNED: return read_offset(r, true, true);
    case ADRENO_E_POWER: return adreno_read_power(r, field, 2);
    case ADRENO_E_REG: return adreno_read_sized(r, field, (adreno_size_rule)row->arg);
    case ADRENO_E_REG_C: return read_register_or_const(r, field);
    case ADRENO_E_REG_N: return read_register_or_number(r, field, (adreno_field)row->arg);
    default: return read_own(r, e);
    }
}
