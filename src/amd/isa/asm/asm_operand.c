/* Operands: registers, constants, and the modifiers that are written around sources: -v1, |v1|,
 * neg(), abs(), sext(). */
#include "amd/isa/asm/asm.h"
#include "amd/isa/table/consts.h"
#include "amd/isa/table/layout.h"
#include "amd/isa/table/names.h"
#include "base/bits.h"
#include "base/fp.h"

#include <string.h>

/* Register files by their names' beginnings. */
typedef struct amd_asm_file_of {
    const char *name;
    uint8_t len;
    uint16_t first, size; /* code of register 0, registers */
    uint16_t behind;      /* registers behind them that tuples may end in */
} amd_asm_file_of;

enum { N_FILES = 4 };

static void
register_files(amd_gen gen, amd_asm_file_of files[N_FILES])
{
    unsigned ttmp = amd_ttmp_first(gen);
    uint16_t vcc = gen >= AMD_GFX10 ? 2 : 0; /* s[104:107], as ACO has it */
    files[0] = (amd_asm_file_of){"v", 1, AMD_REG_VGPR0, 256, 0};
    files[1] = (amd_asm_file_of){"s", 1, AMD_REG_SGPR0, (uint16_t)amd_sgpr_count(gen), vcc};
    files[2] = (amd_asm_file_of){"ttmp", 4, (uint16_t)ttmp, (uint16_t)(AMD_REG_M0 - ttmp), 0};
    bool agprs = gen >= AMD_GFX908 && gen <= AMD_GFX950;
    files[3] = (amd_asm_file_of){"a", 1, AMD_REG_AGPR0, agprs ? 256 : 0, 0};
}

/* "v12": the number after a file's name; false if something else follows. */
static bool
register_number(const asm_token *t, const amd_asm_file_of *f, unsigned *number)
{
    if (t->len <= f->len || t->len > f->len + 3u || memcmp(t->text, f->name, f->len) != 0)
        return false;
    *number = 0;
    for (uint32_t i = f->len; i < t->len; i++) {
        if (t->text[i] < '0' || t->text[i] > '9')
            return false;
        *number = *number * 10 + (unsigned)(t->text[i] - '0');
    }
    return true;
}

/* "[4:7]" or "[4]" after a file's name. */
static bool
register_range(asm_ctx *a, const amd_asm_file_of *f, unsigned *code, unsigned *count)
{
    int64_t first, last;
    if (!asm_integer(a, 0, f->size - 1, &first))
        return false;
    last = first;
    if (asm_take(a, ':') && !asm_integer(a, first, f->size + f->behind - 1, &last))
        return false;
    *code = f->first + (unsigned)first;
    *count = (unsigned)(last - first) + 1;
    return asm_expect(a, ']', "']'");
}

static bool
parse_register(asm_ctx *a, unsigned *code, unsigned *count, bool *bad);

/* "[s0, s1]": consecutive single registers. */
static bool
register_list(asm_ctx *a, unsigned *code, unsigned *count, bool *bad)
{
    unsigned next, one;
    for (*count = 0; *count == 0 || asm_take(a, ','); ++*count) {
        if (!parse_register(a, &next, &one, bad) || one != 1 ||
            (*count && next != *code + *count)) {
            *bad = true;
            return asm_expected(a, "the next register");
        }
        if (*count == 0)
            *code = next;
    }
    *bad = !asm_expect(a, ']', "']'");
    return !*bad;
}

/* A register or tuple; false (and nothing noted or taken) if there is none, with `*bad` set if it
 * begins like one but is wrong. Scalars that are constants to the hardware (scc, shared_base) have
 * count 0. */
static bool
parse_register(asm_ctx *a, unsigned *code, unsigned *count, bool *bad)
{
    *bad = false;
    if (a->token.kind != ASM_IDENT)
        return false;
    if (amd_register_find(amd_asm_of(a)->gen, a->token.text, a->token.len, code, count)) {
        asm_next(a);
        return true;
    }
    amd_asm_file_of files[N_FILES];
    register_files(amd_asm_of(a)->gen, files);
    for (const amd_asm_file_of *f = files; f < files + N_FILES; f++) {
        unsigned number;
        if (register_number(&a->token, f, &number)) {
            if (number >= f->size) {
                *bad = true;
                return asm_expected(a, "a register that exists");
            }
            *code = f->first + number;
            *count = 1;
            asm_next(a);
            return true;
        }
        if (a->token.len == f->len && memcmp(a->token.text, f->name, f->len) == 0 &&
            a->p < a->end && *a->p == '[') {
            asm_next(a);
            asm_next(a);
            *bad = !register_range(a, f, code, count);
            return !*bad;
        }
    }
    for (unsigned gen = 0; gen < AMD_GEN_COUNT && !*bad; gen++)
        *bad = amd_register_find((amd_gen)gen, a->token.text, a->token.len, code, count);
    if (*bad) /* no symbol: another generation's */
        asm_expected(a, "a register that exists");
    return false;
}

/* Does LLVM 22 name a half of this operand? Interpolation and the packing of 8-bit floats select it
 * by op_sel. The shift of v_alignbit_b32 and v_alignbyte_b32, which has 32 bits by the RDNA3 ISA,
 * is named as a low half alone. */
static bool
has_named_half(amd_gen gen, const amd_asm_trial *t, const amd_operand *o, char half)
{
    if (amd_is_half(gen, t->row, o))
        return true;
    if (gen < AMD_GFX11 || (o->kind != AMD_K_VGPR && o->kind != AMD_K_VSRC))
        return false;
    bool align = t->in.op == AMD_V_ALIGNBIT_B32 || t->in.op == AMD_V_ALIGNBYTE_B32;
    bool packs = t->in.op == AMD_V_CVT_PK_FP8_F32 || t->in.op == AMD_V_CVT_PK_BF8_F32;
    return (t->in.fmt == AMD_VINTERP && amd_type_bits((amd_type)o->type, false) == 16) ||
           (packs && gen >= AMD_GFX12 && o == t->row->operands) ||
           (align && o == &t->row->operands[3] && half == 'l');
}

/* "v1.h": the half that is chosen of a 16-bit operand. */
static void
take_half(asm_ctx *a, amd_asm_trial *t, const amd_operand *o)
{
    asm_token *k = &a->token;
    t->half = 0;
    if (k->kind != ASM_IDENT || k->len < 4 || k->text[0] != 'v' || k->text[k->len - 2] != '.' ||
        (k->text[k->len - 1] != 'l' && k->text[k->len - 1] != 'h') ||
        !has_named_half(amd_asm_of(a)->gen, t, o, k->text[k->len - 1]))
        return;
    t->half = (uint8_t)k->text[k->len - 1];
    k->len -= 2;
}

/* Whether the token begins a register, or a half of one: else it may be a symbol. */
static bool
names_register(asm_ctx *a, amd_asm_trial *t, const amd_operand *o)
{
    const char *at = a->token.text;
    asm_failure before = a->failure;
    unsigned code, count;
    bool bad;
    take_half(a, t, o);
    bool is = parse_register(a, &code, &count, &bad) || bad;
    a->failure = before;
    asm_seek(a, at);
    return is;
}

/* Puts a literal into the instruction; there is room for one value. */
static bool
put_literal(asm_ctx *a, amd_asm_trial *t, uint32_t value, const char *at)
{
    if (t->has_literal && t->in.literal != value) {
        asm_seek(a, at);
        return asm_expected(a, "only one literal");
    }
    t->has_literal = true;
    t->in.literal = value;
    return true;
}

/* The upper half of an f32, rounded to even. The f32 is truncated first, and its last bit set if
 * that lost anything. The constant 1/(2 pi) is not rounded. */
static uint64_t
bfloat_pattern(double number)
{
    uint64_t cut = base_fp_encode(number, 32, BASE_ROUND_ZERO);
    if (cut == amd_float_constant(AMD_SRC_F_INV_2PI, AMD_T_F32))
        return amd_float_constant(AMD_SRC_F_INV_2PI, AMD_T_BF16);
    cut |= base_fp_decode(cut, 32) != number;
    return (cut + 0x7fff + (cut >> 16 & 1)) >> 16 & UINT16_MAX;
}

/* A float's pattern in an operand of type `type`. If a double is not an inline constant, its high
 * word is returned in the low half. */
static uint64_t
float_pattern(double number, amd_type type)
{
    unsigned bits = amd_type_bits(type, false);
    if (amd_type_class(type) == AMD_CLASS_BF)
        return bfloat_pattern(number);
    if (type == AMD_T_V2F16 || type == AMD_T_V2F32)
        bits /= 2;
    return base_fp_encode(number, bits < 32 ? 16 : bits < 64 ? 32 : 64, BASE_ROUND_EVEN);
}

/* The SRC code of a number in an operand of type `type`, making a literal where needed. */
static bool
number_code(asm_ctx *a, amd_asm_trial *t, amd_type type, uint64_t value, bool is_float,
            const char *at, unsigned *code)
{
    unsigned bits = amd_type_bits(type, false);
    int64_t number = (int64_t)value;
    unsigned wide = bits < 32 && t->in.fmt != AMD_SOP1 ? 16 : 32;
    bool half = bits == 16 && is_float &&
                type != AMD_T_BF16; /* 16-bit integers take floats by name */
    bool whole = t->in.fmt == AMD_SOP1 && bits < 32 && !is_float; /* LLVM 19 takes 32 bits here */
    *code = half    ? amd_inline_constant(AMD_T_F16, value)
            : whole ? amd_inline_constant(AMD_T_I64, (uint64_t)base_sext64(value, 32))
                    : amd_inline_constant(type, value);
    if (*code == AMD_SRC_F_INV_2PI && amd_asm_of(a)->gen < AMD_GFX8)
        *code = AMD_SRC_LITERAL;
    if (wide > bits && value > UINT16_MAX && number > 0)
        *code = AMD_SRC_LITERAL; /* the upper half is kept, though it means nothing */
    bool fits = number >= -(INT64_C(1) << (wide - 1)) && number < INT64_C(1) << wide;
    if (bits == 64)
        fits = fits || *code != AMD_SRC_LITERAL;
    if (is_float && bits == 64) {
        if (*code == AMD_SRC_LITERAL && amd_type_class(type) != AMD_CLASS_F) {
            asm_seek(a, at);
            return asm_expected(a, "an integer: a literal of 64-bit integers is no float");
        }
        if (*code == AMD_SRC_LITERAL)
            return put_literal(a, t, (uint32_t)(value >> 32), at);
        return true;
    }
    if (!fits) {
        asm_seek(a, at);
        return asm_fail(a, ERR_ASM_RANGE, bits < 32 ? "16 bits" : "32 bits");
    }
    bool vop = t->in.fmt >= AMD_VOP1 && t->in.fmt <= AMD_VOP3P;
    bool integer = amd_type_class(type) != AMD_CLASS_F && type != AMD_T_BF16;
    if (bits == 16 && vop && integer && !is_float && number > INT16_MAX)
        *code = AMD_SRC_LITERAL; /* not one of the negative constants */
    if (bits == 16 && (vop || t->in.fmt == AMD_SOP2 || t->in.fmt == AMD_SOPC) && number < 0)
        value &= UINT16_MAX;
    if (*code == AMD_SRC_LITERAL)
        return put_literal(a, t, (uint32_t)value, at);
    return true;
}

/* "lit(0x40)", as LLVM writes a number from version 20 on where an inline constant has its value: a
 * literal all the same. */
static bool
marked_literal(asm_ctx *a, amd_asm_trial *t, unsigned *code)
{
    const char *at = a->token.text;
    int64_t value;
    asm_next(a);
    if (!asm_expect(a, '(', "'('") || !asm_integer(a, INT32_MIN, UINT32_MAX, &value) ||
        !asm_expect(a, ')', "')'"))
        return false;
    *code = AMD_SRC_LITERAL;
    return put_literal(a, t, (uint32_t)value, at);
}

/* The modifiers around a source. */
typedef struct signs {
    bool neg, abs;
} signs;

/* A number's pattern with modifiers carried out. */
static uint64_t
with_signs(uint64_t pattern, amd_type type, signs s)
{
    bool pair = type == AMD_T_V2F16 || type == AMD_T_V2BF16;
    unsigned bits = pair ? 16 : amd_type_bits(type, false);
    uint64_t sign = UINT64_C(1) << (bits - 1);
    if (!s.neg && !s.abs)
        return pattern;
    pattern &= base_mask64(bits);
    if (s.abs)
        pattern &= ~sign;
    return s.neg ? pattern ^ sign : pattern;
}

static bool
number_operand(asm_ctx *a, amd_asm_trial *t, const amd_operand *o, bool primary, signs s,
               unsigned *code)
{
    const char *at = a->token.text;
    amd_type type = amd_constant_type(t->row, o);
    bool minus = false;
    int64_t value;
    if (asm_is(a, '-')) {
        asm_next(a);
        minus = a->token.kind == ASM_FLOAT;
        if (!minus)
            asm_seek(a, at);
    }
    if (a->token.kind == ASM_FLOAT) {
        uint64_t pattern = with_signs(
            float_pattern(minus ? -a->token.number : a->token.number, type), type, s);
        asm_next(a);
        value = (int64_t)pattern;
        if (o->kind != AMD_K_LIT)
            return number_code(a, t, type, pattern, true, at, code);
    } else if ((s.neg || s.abs) && amd_type_bits(type, false) == 64) {
        return asm_expected(a, "a float"); /* LLVM 19 takes VOP3 here */
    } else if (!amd_asm_literal(a, primary, &value)) {
        return false;
    }
    if (o->kind != AMD_K_LIT)
        return number_code(a, t, type, with_signs((uint64_t)value, type, s), false, at, code);
    *code = AMD_SRC_LITERAL;
    bool half = type == AMD_T_F16;
    if (half ? value < INT16_MIN || value > UINT16_MAX : value < INT32_MIN || value > UINT32_MAX) {
        asm_seek(a, at);
        return asm_fail(a, ERR_ASM_RANGE, half ? "16 bits" : "32 bits");
    }
    return put_literal(a, t, (uint32_t)value & (half ? UINT16_MAX : UINT32_MAX), at);
}

static bool
takes_constants(amd_kind kind)
{
    return kind == AMD_K_SSRC || kind == AMD_K_SBAR || kind == AMD_K_VSRC || kind == AMD_K_LIT ||
           kind == AMD_K_SOFFSET || kind == AMD_K_SACC;
}

static bool
is_vector_kind(amd_kind kind)
{
    return kind == AMD_K_VGPR || kind == AMD_K_VADDR || kind == AMD_K_VDATA ||
           kind == AMD_K_VDATA0 || kind == AMD_K_VDATA1 || kind == AMD_K_VEXP ||
           kind == AMD_K_AGPR || kind == AMD_K_VACC || kind == AMD_K_VANY;
}

/* A register or number; modifiers around a number are applied to it. */
static bool
plain_operand(asm_ctx *a, amd_asm_trial *t, const amd_operand *o, bool primary, signs s,
              unsigned *code, unsigned *count)
{
    bool bad;
    const char *at = a->token.text;
    amd_kind kind = (amd_kind)o->kind;
    *count = 0;
    take_half(a, t, o);
    if (kind != AMD_K_LIT && parse_register(a, code, count, &bad)) {
        bool vector = *code >= AMD_REG_VGPR0;
        bool scalar_allowed = (!is_vector_kind(kind) && kind != AMD_K_SACC) ||
                              (kind == AMD_K_VGPR && t->in.ext == AMD_EXT_SDWA);
        bool vector_allowed = is_vector_kind(kind) || kind == AMD_K_VSRC || kind == AMD_K_VLANE ||
                              kind == AMD_K_SACC;
        if (vector ? vector_allowed : scalar_allowed)
            return true;
        asm_seek(a, at);
        return asm_expected(a, is_vector_kind(kind) ? "a vector register" : "a scalar register");
    }
    if (kind != AMD_K_LIT && bad)
        return false;
    if (takes_constants(kind) && asm_is_name(a, "lit"))
        return marked_literal(a, t, code);
    if (!takes_constants(kind))
        return asm_expected(a, is_vector_kind(kind) ? "a vector register" : "a register");
    return number_operand(a, t, o, primary, s, code);
}

static bool
is_inline_number(unsigned code)
{
    return (code >= AMD_SRC_INT_0 && code < AMD_SRC_SHARED_BASE) ||
           (code >= AMD_SRC_F_0_5 && code <= AMD_SRC_F_INV_2PI);
}

/* A source with neg, abs, sext around it. */
static bool
modified_operand(asm_ctx *a, amd_asm_trial *t, const amd_operand *o, unsigned i, unsigned *code,
                 unsigned *count)
{
    const char *at = a->token.text;
    bool neg = false, neg_call = false, abs_bar = false, abs_call = false, sext = false;
    if (asm_is(a, '-')) {
        asm_next(a);
        neg = asm_is(a, '|') || asm_is_name(a, "abs") || names_register(a, t, o);
        if (!neg)
            asm_seek(a, at);
    } else if (asm_take_name(a, "neg")) {
        neg = neg_call = true;
        if (!asm_expect(a, '(', "'('"))
            return false;
    }
    if (asm_take(a, '|')) {
        abs_bar = true;
    } else if (asm_take_name(a, "abs")) {
        abs_call = true;
        if (!asm_expect(a, '(', "'('"))
            return false;
    } else if (asm_take_name(a, "sext")) {
        sext = true;
        if (!asm_expect(a, '(', "'('"))
            return false;
    }
    /* The 32-bit encodings have no modifiers, but numbers that have them carried out. */
    bool e32 = t->in.fmt <= AMD_VOPC && t->in.ext == AMD_EXT_NONE && t->row->flags & AMD_F_NEG &&
               !(amd_int_sources(t->row) >> i & 1);
    signs s = {e32 && neg, e32 && (abs_bar || abs_call)};
    if (!plain_operand(a, t, o, abs_bar, s, code, count))
        return false;
    if ((abs_bar && !asm_expect(a, '|', "'|'")) ||
        ((abs_call || sext) && !asm_expect(a, ')', "')'")) ||
        (neg_call && !asm_expect(a, ')', "')'")))
        return false;
    if (e32 && (*code == AMD_SRC_LITERAL || is_inline_number(*code)))
        return true;
    bool mix = t->row->flags & AMD_F_MIX;
    if (t->in.fmt == AMD_VOP3P && !mix && (neg || abs_bar || abs_call || sext)) {
        asm_seek(a, at);
        return asm_expected(a, "no sign: packed operands have neg_lo and neg_hi");
    }
    t->in.neg |= (uint8_t)(neg << i);
    if (mix)
        t->in.neg_hi |= (uint8_t)((abs_bar || abs_call) << i);
    else
        t->in.abs |= (uint8_t)((abs_bar || abs_call) << i);
    t->in.sext |= (uint8_t)(sext << i);
    return true;
}

/* "[v1, v5, v3]": an image's addresses. */
static bool
nsa_operand(asm_ctx *a, amd_asm_trial *t, unsigned *code, unsigned *count)
{
    amd_inst *in = &t->in;
    bool bad;
    asm_next(a);
    do {
        unsigned one, size;
        if (in->n_nsa == AMD_MAX_NSA)
            return asm_expected(a, "']'");
        if (!parse_register(a, &one, &size, &bad) || one < AMD_REG_VGPR0 ||
            (size != 1 && amd_asm_of(a)->gen < AMD_GFX11) || in->n_nsa + size > AMD_MAX_NSA)
            return asm_expected(a, "a vector register");
        for (unsigned k = 0; k < size; k++)
            in->nsa_addr[in->n_nsa++] = (uint16_t)(one + k);
    } while (asm_take(a, ','));
    *code = in->nsa_addr[0];
    *count = 1;
    in->nsa = in->n_nsa > 1;
    if (!in->nsa)
        in->n_nsa = 0;
    return asm_expect(a, ']', "']'");
}

/* gfx6 and gfx7: the number counts dwords; one that is too large becomes a literal on gfx7. */
static bool
smrd_offset(asm_ctx *a, amd_asm_trial *t, unsigned *code)
{
    int64_t value, high = amd_offsets_of(amd_asm_of(a)->gen, AMD_SMEM).high / 4;
    const char *at = a->token.text;
    if (!asm_integer(a, 0, amd_asm_of(a)->gen == AMD_GFX7 ? UINT32_MAX : high, &value))
        return false;
    *code = value > high ? AMD_SRC_LITERAL : AMD_REG_ABSENT;
    if (value > high)
        return put_literal(a, t, (uint32_t)value, at);
    t->in.offset = (int32_t)value * 4;
    return true;
}

/* SMEM: a register, or the immediate offset in its place. */
static bool
smem_offset(asm_ctx *a, amd_asm_trial *t, unsigned *code, unsigned *count)
{
    bool bad;
    int64_t value;
    if (a->token.kind == ASM_END) { /* no offset */
        *code = AMD_REG_ABSENT;
        *count = 0;
        return !amd_is_prefetch(t->row) || asm_expected(a, "a scalar register");
    }
    if (parse_register(a, code, count, &bad))
        return true;
    if (amd_is_prefetch(t->row))
        return !bad && asm_expected(a, "a scalar register");
    if (!bad && amd_asm_of(a)->gen < AMD_GFX8)
        return smrd_offset(a, t, code);
    amd_offsets range = amd_offsets_of(amd_asm_of(a)->gen, AMD_SMEM);
    if (bad || !asm_integer(a, range.low, range.high, &value))
        return false;
    t->in.offset = (int32_t)value;
    *code = AMD_REG_ABSENT;
    *count = 0;
    return true;
}

static bool
parameter(asm_ctx *a, unsigned *code)
{
    static const char *const names[] = {"p10", "p20", "p0"};
    for (unsigned i = 0; i < 3; i++) {
        if (asm_take_name(a, names[i])) {
            *code = i;
            return true;
        }
    }
    return asm_expected(a, "p0, p10 or p20");
}

static bool
may_be_off(const amd_asm_trial *t, amd_kind kind)
{
    switch (kind) {
    case AMD_K_SADDR:
    case AMD_K_VEXP: return true;
    case AMD_K_VADDR:
        return t->in.fmt == AMD_MUBUF || t->in.fmt == AMD_MTBUF || t->in.fmt == AMD_SCRATCH;
    default: return false;
    }
}

bool
amd_asm_operand(asm_ctx *a, amd_asm_trial *t, const amd_operand *o, unsigned i)
{
    unsigned code = AMD_REG_ABSENT, count = 0;
    bool src = o->role == AMD_ROLE_SRC;
    bool vop = (t->in.fmt >= AMD_VOP1 && t->in.fmt <= AMD_VOP3P) || t->in.fmt == AMD_VINTERP;
    amd_kind kind = (amd_kind)o->kind;
    bool ok = true;
    if (amd_operand_kind(amd_asm_of(a)->gen, o) == AMD_K_EXEC)
        code = AMD_REG_EXEC_LO;
    else if (kind == AMD_K_PARAM)
        ok = parameter(a, &code);
    else if (may_be_off(t, kind) && asm_take_name(a, "off"))
        ;
    else if (kind == AMD_K_VADDR && t->in.fmt == AMD_MIMG && asm_is(a, '['))
        ok = nsa_operand(a, t, &code, &count);
    else if (kind == AMD_K_SOFFSET && t->in.fmt == AMD_SMEM)
        ok = smem_offset(a, t, &code, &count);
    else if (!src && asm_is(a, '[')) {
        bool bad;
        asm_next(a);
        ok = register_list(a, &code, &count, &bad);
    } else if (src && vop &&
               (kind == AMD_K_VSRC || kind == AMD_K_VGPR || (kind == AMD_K_SSRC && i == 0)))
        ok = modified_operand(a, t, o, i, &code, &count);
    else
        ok = plain_operand(a, t, o, false, (signs){false, false}, &code, &count);
    if (t->half == 'h')
        t->in.op_sel |= (uint8_t)(1u << amd_half_bit(t->row, o, i));
    t->half = 0;
    if (src) {
        t->in.src[i] = (uint16_t)code;
        t->src_count[i] = (uint8_t)(count > 255 ? 255 : count);
    } else {
        t->in.dst[i] = (uint16_t)code;
        t->dst_count[i] = (uint8_t)(count > 255 ? 255 : count);
    }
    return ok;
}
