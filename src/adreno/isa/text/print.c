/* The printer: walks over the format's text. */
#include "adreno/isa/table/table.h"
#include "adreno/isa/text/text.h"
#include "base/fp.h"
#include "base/number.h"

#include <math.h>

typedef struct printer {
    const adreno_isa *t;
    const adreno_inst *in;
    const adreno_op_info *row;
    const char *target;
    base_buf *out;
} printer;

static uint32_t
value(const printer *p, adreno_field field)
{
    return p->in->f[field];
}

static const char *
half(const printer *p, unsigned rule)
{
    return adreno_is_half(p->in, (adreno_size_rule)rule) ? "h" : "";
}

static void
put_name(const printer *p, const char *names, unsigned index)
{
    const char *name;
    size_t size;
    if (adreno_get_name(names, index, &name, &size) && size)
        buf_put(p->out, name, size);
}

/* ---- registers and sources ---- */

/* Register files: a0 and p0 stand behind r60. */
static void
put_register(const printer *p, const char *prefix, unsigned reg)
{
    unsigned number = reg >> 2;
    const char *file = number == ADRENO_REG_A0 ? "a" : number == ADRENO_REG_P0 ? "p" : "r";
    buf_printf(p->out, "%s%s%u.%c", prefix, file, *file == 'r' ? number : 0, "xyzw"[reg & 3]);
}

static void
put_const(const printer *p, const char *prefix, unsigned number)
{
    buf_printf(p->out, "%sc%u.%c", prefix, number >> 2, "xyzw"[number & 3]);
}

/* As many digits as the pattern needs; whole numbers have one behind the point. */
static void
put_float(const printer *p, uint32_t pattern, unsigned bits)
{
    char text[BASE_FLOAT_TEXT];
    const double number = base_fp_decode(pattern & base_mask64(bits), bits);
    const bool is_whole = isfinite(number) && trunc(number) == number;
    const int digits = bits == 16 ? 5 : 9;
    buf_put(p->out, text,
            base_float_print(text, number, is_whole ? 'f' : 'g', is_whole ? 1 : digits));
}

static void
put_relative(const printer *p, const char *prefix, const adreno_source *s, bool with_zero)
{
    buf_printf(p->out, "%s%s<a0.x", prefix, s->kind == ADRENO_S_CONST_REL ? "c" : "r");
    if (s->value || with_zero)
        buf_printf(p->out, " + %d", (int)s->value);
    buf_puts(p->out, ">");
}

/* An entry of the table of floats; those behind its end are numbers. */
static void
put_table(const printer *p, const adreno_source *s)
{
    static const char floats[] = ADRENO_FLOAT_TABLE;
    const char *name;
    size_t size;
    const char *h = s->own_half ? "h" : "";
    if (adreno_get_name(floats, (unsigned)s->value, &name, &size))
        buf_printf(p->out, "%s(%.*s)", h, (int)size, name);
    else
        buf_printf(p->out, "%s%u", h, (unsigned)s->value);
}

/* A source of categories 2 to 4; `h` is the prefix of the instruction's size. */
static void
put_source(const printer *p, const adreno_source *s, const char *h)
{
    const unsigned format = adreno_op_row(p->in->op)->format;
    const bool is_third = format >= ADRENO_FMT_CAT3 && format <= ADRENO_FMT_CAT3_WMM;
    switch (s->kind) {
    case ADRENO_S_REG: put_register(p, h, (unsigned)s->value); break;
    case ADRENO_S_CONST: put_const(p, h, (unsigned)s->value); break;
    case ADRENO_S_REG_REL:
    case ADRENO_S_CONST_REL: put_relative(p, h, s, is_third); break;
    case ADRENO_S_NUMBER: buf_printf(p->out, *h ? "h(%d)" : "%d", (int)s->value); break;
    case ADRENO_S_TABLE: put_table(p, s); break;
    default: break;
    }
}

/* Categories 2 and 3 have (r) only with (rptN), else (nopN). */
static bool
has_r(const printer *p, adreno_field r)
{
    const unsigned category = (unsigned)(p->t->value[p->in->op] >> 61);
    const bool has_nop = value(p, ADRENO_F_r1) | value(p, ADRENO_F_r2);
    const bool is_dp = adreno_op_row(p->in->op)->format == ADRENO_FMT_CAT3_DP;
    if (category == 4 || value(p, ADRENO_F_repeat) || (r == ADRENO_F_r3 && (is_dp || !has_nop)))
        return value(p, r);
    return false;
}

static void
put_source2(const printer *p, adreno_field field, adreno_field r)
{
    static const char signs[] = "- (neg) (abs) (absneg)";
    const adreno_source s = adreno_read_source(value(p, field));
    buf_puts(p->out, s.last ? "(last)" : "");
    put_name(p, signs, s.absneg);
    buf_puts(p->out, has_r(p, r) ? "(r)" : "");
    put_source(p, &s, half(p, ADRENO_BY_SRC));
}

static void
put_source3(const printer *p, bool third)
{
    const adreno_field neg = third ? ADRENO_F_neg3 : ADRENO_F_neg1;
    const adreno_field r = third ? ADRENO_F_r3 : ADRENO_F_r1;
    const uint32_t bits = value(p, third ? ADRENO_F_src3 : ADRENO_F_src1);
    const adreno_source s = adreno_read_source3(p->t, p->in->op, third, bits);
    buf_puts(p->out, value(p, neg) ? "(neg)" : "");
    buf_puts(p->out, has_r(p, r) ? "(r)" : "");
    buf_puts(p->out, s.last ? "(last)" : "");
    put_source(p, &s, s.kind == ADRENO_S_NUMBER ? "" : half(p, ADRENO_BY_SRC));
}

static void
put_middle_source(const printer *p)
{
    buf_puts(p->out, value(p, ADRENO_F_neg2) ? "(neg)" : "");
    buf_puts(p->out, has_r(p, ADRENO_F_r2) ? "(r)" : "");
    put_register(p, half(p, ADRENO_BY_SRC), value(p, ADRENO_F_src2));
}

/* The source of a move: numbers by their type. */
static void
put_move_number(const printer *p, uint32_t number)
{
    switch (p->in->op == ADRENO_MOVA ? ADRENO_S16 : value(p, ADRENO_F_stype)) {
    case ADRENO_S16: buf_printf(p->out, "%d", (int)(int16_t)number); break;
    case ADRENO_S32: buf_printf(p->out, "%d", (int)(int32_t)number); break;
    case ADRENO_U32: buf_printf(p->out, number > 0x1000 ? "0x%x" : "%u", number); break;
    default: buf_printf(p->out, "%u", number); break;
    }
}

static void
put_move_source(const printer *p, adreno_size_rule rule)
{
    adreno_source s = adreno_read_move(p->in);
    const bool is_typed = adreno_field_width(adreno_format_of(p->in->op), ADRENO_F_stype) != 0;
    const bool is_alias = p->in->op == ADRENO_ALIAS;
    const bool is_half = adreno_is_half(p->in, rule) || !(is_typed || is_alias);
    const char *h = is_half ? "h" : "";
    s.last |= value(p, ADRENO_F_last) != 0;
    buf_puts(p->out, s.last ? "(last)" : "");
    const bool is_number = s.kind == ADRENO_S_NUMBER || s.kind == ADRENO_S_FLOAT;
    buf_puts(p->out,
             value(p, ADRENO_F_r1) && !is_number && p->in->op != ADRENO_MOVA_R ? "(r)" : "");
    switch (s.kind) {
    case ADRENO_S_REG: put_register(p, h, (unsigned)s.value); break;
    case ADRENO_S_CONST: put_const(p, h, (unsigned)s.value); break;
    case ADRENO_S_REG_REL:
    case ADRENO_S_CONST_REL: put_relative(p, h, &s, false); break;
    case ADRENO_S_FLOAT:
        buf_printf(p->out, "%s(", h);
        put_float(p, (uint32_t)s.value, is_half ? 16 : 32);
        buf_puts(p->out, ")");
        break;
    case ADRENO_S_NUMBER:
        if (is_alias)
            buf_printf(p->out, "%s(0x%x)", h, (unsigned)s.value & (is_half ? 0xffff : UINT32_MAX));
        else
            put_move_number(p, (uint32_t)s.value);
        break;
    default: break;
    }
}

/* ---- elements ---- */

static void
put_repeat(const printer *p, adreno_element e)
{
    const unsigned repeat = value(p, ADRENO_F_repeat);
    const unsigned nop = value(p, ADRENO_F_r1) | value(p, ADRENO_F_r2) << 1;
    if (repeat && e != ADRENO_E_nop)
        buf_printf(p->out, "(rpt%u)", repeat);
    else if (nop && !repeat && e != ADRENO_E_rpt)
        buf_printf(p->out, "(nop%u) ", nop);
}

static void
put_relative_dst(const printer *p, adreno_size_rule rule)
{
    const unsigned dst = value(p, ADRENO_F_dst);
    if (value(p, ADRENO_F_dst_rel))
        buf_printf(p->out, dst ? "%sr<a0.x + %u>" : "%sr<a0.x>", half(p, rule), dst);
    else
        put_register(p, half(p, rule), dst);
}

static void
put_predicate_dst(const printer *p)
{
    const unsigned dst = value(p, ADRENO_F_dst);
    if (dst >> 2 == ADRENO_REG_A0)
        buf_printf(p->out, "%sup0.%c", half(p, ADRENO_BY_DST), "xyzw"[dst & 3]);
    else
        put_register(p, half(p, ADRENO_BY_DST), dst);
}

static void
put_descriptors(const printer *p)
{
    const unsigned mode = value(p, ADRENO_F_mode);
    buf_puts(p->out, adreno_is_indirect(mode) ? ".s2en" : "");
    buf_puts(p->out, adreno_is_uniform(mode)      ? ".uniform"
                     : adreno_is_nonuniform(mode) ? ".nonuniform"
                                                  : "");
    if (adreno_is_bindless(mode))
        buf_printf(p->out, ".base%u", value(p, ADRENO_F_base_high) << 1 | value(p, ADRENO_F_base));
}

/* Where sampler and texture are: in a register, in a1.x, or numbers. */
static void
put_descriptor_source(const printer *p)
{
    const unsigned mode = value(p, ADRENO_F_mode), bits = value(p, ADRENO_F_src3);
    const bool has_samp = p->row->properties & ADRENO_SAMP,
               has_tex = p->row->properties & ADRENO_TEX;
    const bool has_a1 = adreno_uses_a1(mode), is_new = p->t->gen >= 7;
    const bool with_a1 = has_a1 && p->t->gen >= 6; /* all bits are one number */
    if (adreno_is_indirect(mode)) {
        buf_puts(p->out, ", ");
        put_register(p, adreno_is_bindless(mode) ? "" : "h", bits);
    } else {
        if (has_samp && !(with_a1 && is_new))
            buf_printf(p->out, ", s#%u", with_a1 ? bits : bits & 15);
        if (has_tex && !(with_a1 && !is_new))
            buf_printf(p->out, ", t#%u", with_a1 ? bits : bits >> 4);
    }
    buf_puts(p->out, has_a1 ? ", a1.x" : "");
}

static void
put_texture_source(const printer *p, bool second)
{
    const unsigned properties = p->row->properties;
    const unsigned bits = value(p, second ? ADRENO_F_src2 : ADRENO_F_src1);
    const bool has = second ? properties & ADRENO_SRC2 || value(p, ADRENO_F_o) ||
                                  value(p, ADRENO_F_clp)
                            : (properties & (ADRENO_SRC1 | ADRENO_SRC2)) != 0;
    if (has) {
        buf_puts(p->out, ", ");
        put_register(p, half(p, ADRENO_BY_SRC), bits);
    } else if (second && value(p, ADRENO_F_has_offset) && bits) {
        buf_printf(p->out, "+%u", bits);
    }
}

/* ((src2 << shift) + off) << the size of the type */
static void
put_shifted(const printer *p)
{
    const unsigned off = value(p, ADRENO_F_off), shift = value(p, ADRENO_F_shift);
    const unsigned type = value(p, ADRENO_F_type);
    const unsigned type_shift = adreno_type_shift(type);
    const char *open = type_shift == 0 ? "" : off == 0 ? "(" : shift == 0 ? "((" : "(((";
    buf_puts(p->out, open);
    put_register(p, "", value(p, ADRENO_F_src2));
    if (type_shift == 0) {
        if (off)
            buf_printf(p->out, "+%u", off);
    } else if (off == 0) {
        buf_printf(p->out, "<<%u)", type_shift + shift);
    } else {
        if (shift)
            buf_printf(p->out, "<<%u)", shift);
        buf_printf(p->out, "+%u)<<%u)", off, type_shift);
    }
}

static void
put_offset(const printer *p, adreno_element e)
{
    const adreno_format_info *format = adreno_format_of(p->in->op);
    const unsigned low = adreno_field_width(format, ADRENO_F_off);
    const unsigned bits = low + adreno_field_width(format, ADRENO_F_off_high);
    unsigned off = value(p, ADRENO_F_off) | value(p, ADRENO_F_off_high) << low;
    int number = e == ADRENO_E_soff && off >> (bits - 1) ? (int)off - (1 << bits) : (int)off;
    if (e == ADRENO_E_off)
        buf_printf(p->out, "%d", number);
    else if (number)
        buf_printf(p->out, "%+d", number);
}

static void
put_number_or_register(const printer *p, bool is_number, unsigned bits, const char *prefix)
{
    if (is_number)
        buf_printf(p->out, "%u", bits);
    else
        buf_printf(p->out, "%sr%u.%c", prefix, bits >> 2, "xyzw"[bits & 3]);
}

static void
put_const_dst(const printer *p)
{
    const unsigned dst = value(p, ADRENO_F_dst);
    if (!value(p, ADRENO_F_const_a1))
        buf_printf(p->out, "%u", dst);
    else if (dst)
        buf_printf(p->out, "a1.x+%u", dst);
    else
        buf_puts(p->out, "a1.x");
}

static void
put_alias_dst(const printer *p)
{
    const unsigned dst = value(p, ADRENO_F_dst);
    if (value(p, ADRENO_F_scope) && !value(p, ADRENO_F_scope_high))
        buf_printf(p->out, "rt%u.%c", dst >> 2, "xyzw"[dst & 3]);
    else
        put_register(p, half(p, ADRENO_BY_TSIZE), dst);
}

static void
put_jump(const printer *p)
{
    if (p->target)
        buf_printf(p->out, "#%s", p->target);
    else
        buf_printf(p->out, "#%d", (int)(int32_t)value(p, ADRENO_F_imm));
}

static void
put_binding(const printer *p, const adreno_element_info *row, unsigned property)
{
    if (p->row->properties & property)
        buf_printf(p->out, ", %s#%u", row->text, value(p, (adreno_field)row->field));
}

/* Elements of category 5. Returns false if it is another. */
static bool
put_texture_element(const printer *p, adreno_element e)
{
    static const char types[] = "(f16) (f32) (u16) (u32) (s16) (s32) (u8) -";
    const adreno_element_info *row = adreno_element_row(e);
    switch (e) {
    case ADRENO_E_1d: buf_puts(p->out, value(p, ADRENO_F_single) ? "" : row->text); break;
    case ADRENO_E_rck:
        buf_puts(p->out, value(p, ADRENO_F_type) == ADRENO_U8_32 ? row->text : "");
        break;
    case ADRENO_E_desc: put_descriptors(p); break;
    case ADRENO_E_ttype:
        if (p->row->properties & ADRENO_TYPE)
            put_name(p, types, value(p, ADRENO_F_type));
        break;
    case ADRENO_E_tsrc1: put_texture_source(p, false); break;
    case ADRENO_E_tsrc2: put_texture_source(p, true); break;
    case ADRENO_E_tsrc3: put_descriptor_source(p); break;
    case ADRENO_E_samp: put_binding(p, row, ADRENO_SAMP); break;
    case ADRENO_E_tex: put_binding(p, row, ADRENO_TEX); break;
    default: return false;
    }
    return true;
}

/* Elements of categories 6 and 7. */
static bool
put_memory_element(const printer *p, adreno_element e)
{
    const bool has_number = value(p, ADRENO_F_mode) == 0;
    switch (e) {
    case ADRENO_E_base:
        if (value(p, ADRENO_F_bindless))
            buf_printf(p->out, ".base%u", value(p, ADRENO_F_base));
        break;
    case ADRENO_E_off:
    case ADRENO_E_uoff: put_offset(p, e); break;
    case ADRENO_E_shifted: put_shifted(p); break;
    case ADRENO_E_load:
        put_number_or_register(p, value(p, ADRENO_F_load_im),
                               value(p, ADRENO_F_load) + value(p, ADRENO_F_load_im), "");
        break;
    case ADRENO_E_cdst: put_const_dst(p); break;
    case ADRENO_E_ubo: put_number_or_register(p, has_number, value(p, ADRENO_F_uav), ""); break;
    case ADRENO_E_ldc1:
        put_number_or_register(p, value(p, ADRENO_F_im1), value(p, ADRENO_F_src1),
                               p->t->gen >= 8 && !value(p, ADRENO_F_sp) ? "h" : "");
        break;
    case ADRENO_E_scope:
        put_name(p, adreno_element_row(e)->text,
                 value(p, ADRENO_F_scope_high) << 1 | value(p, ADRENO_F_scope));
        break;
    case ADRENO_E_adst: put_alias_dst(p); break;
    case ADRENO_E_asrc: put_move_source(p, ADRENO_BY_TSIZE); break;
    default: return false;
    }
    return true;
}

static void
put_own(const printer *p, adreno_element e)
{
    switch (e) {
    case ADRENO_E_name: buf_puts(p->out, p->row->name); break;
    case ADRENO_E_rpt:
    case ADRENO_E_rptnop:
    case ADRENO_E_nop: put_repeat(p, e); break;
    case ADRENO_E_target: put_jump(p); break;
    case ADRENO_E_mdst: put_relative_dst(p, ADRENO_BY_DTYPE); break;
    case ADRENO_E_rdst: put_relative_dst(p, ADRENO_WHOLE); break;
    case ADRENO_E_pdst: put_predicate_dst(p); break;
    case ADRENO_E_msrc:
    case ADRENO_E_msrc_gpr: put_move_source(p, ADRENO_BY_STYPE); break;
    case ADRENO_E_lane:
        if (value(p, ADRENO_F_lane) & 0x80)
            buf_puts(p->out, "a0.x");
        else
            buf_printf(p->out, "%u", value(p, ADRENO_F_lane));
        break;
    case ADRENO_E_width: buf_printf(p->out, "%u", 32 * (value(p, ADRENO_F_width) + 1)); break;
    case ADRENO_E_s1: put_source2(p, ADRENO_F_src1, ADRENO_F_r1); break;
    case ADRENO_E_s2: put_source2(p, ADRENO_F_src2, ADRENO_F_r2); break;
    case ADRENO_E_c1: put_source3(p, false); break;
    case ADRENO_E_c2: put_middle_source(p); break;
    case ADRENO_E_c3: put_source3(p, true); break;
    default:
        if (!put_texture_element(p, e))
            put_memory_element(p, e);
        break;
    }
}

static void
put_element(const printer *p, adreno_element e)
{
    const adreno_element_info *row = adreno_element_row(e);
    const uint32_t v = value(p, (adreno_field)row->field);
    switch (row->kind) {
    case ADRENO_E_FLAG: buf_puts(p->out, v ? row->text : ""); break;
    case ADRENO_E_NAMES: put_name(p, row->text, v); break;
    case ADRENO_E_NUMBER: buf_printf(p->out, "%u", v + row->arg); break;
    case ADRENO_E_SIGNED: put_offset(p, e); break;
    case ADRENO_E_POWER: buf_printf(p->out, "%u", 2u << v); break;
    case ADRENO_E_REG: put_register(p, half(p, row->arg), v); break;
    case ADRENO_E_REG_C:
        if (value(p, ADRENO_F_c1))
            put_const(p, "", v);
        else
            buf_printf(p->out, "r%u.%c", v >> 2, "xyzw"[v & 3]);
        break;
    case ADRENO_E_REG_N: put_number_or_register(p, value(p, (adreno_field)row->arg), v, ""); break;
    default: put_own(p, e); break;
    }
}

void
adreno_print(const adreno_isa *t, const adreno_inst *in, const char *target, base_buf *out)
{
    const printer p = {
        .t = t, .in = in, .row = adreno_op_row(in->op), .target = target, .out = out};
    if (in->op == ADRENO_RAW) {
        buf_printf(out, "raw 0x%016llx", (unsigned long long)in->word);
        return;
    }
    ADRENO_FOREACH_PIECE(piece, t, in->op) {
        if (piece->element < ADRENO_ELEMENT_COUNT)
            put_element(&p, (adreno_element)piece->element);
        else
            buf_put_u8(out, (uint8_t)piece->character);
    }
}
