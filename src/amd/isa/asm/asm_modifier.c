/* Modifiers: what follows the operands, in any order. A row of the table says where a modifier's
 * value goes and which forms of an instruction have it; fields that an encoding lacks are found by
 * the encoder. */
#include "amd/isa/asm/asm.h"
#include "amd/isa/table/layout.h"
#include "amd/isa/table/names.h"

#include <string.h>

/* How a modifier is written. */
typedef enum modifier_syntax {
    FLAG,   /* name */
    NUMBER, /* name:number */
    BITS,   /* name:[0,1,1] */
    OTHER,  /* a function's */
} modifier_syntax;

/* Forms that have the modifier; every form if 0. */
enum { IN_DPP16 = 1, IN_DPP8 = 2, IN_SDWA = 4, IN_PLAIN = 8 };

typedef struct modifier modifier;
struct modifier {
    const char *name;
    modifier_syntax syntax;
    uint8_t forms;
    uint8_t low, high; /* limits of NUMBER; high: bits of BITS */
    void (*set)(amd_inst *in, uint32_t value);
    bool (*parse)(asm_ctx *a, amd_asm_trial *t);
    uint8_t first, last; /* amd_gen; all if they are not written */
};

#define SETTER(function, member)                                                                   \
    static void set_##function(amd_inst *in, uint32_t v)                                           \
    {                                                                                              \
        in->member = v;                                                                            \
    }
#define BYTE_SETTER(function, member)                                                              \
    static void set_##function(amd_inst *in, uint32_t v)                                           \
    {                                                                                              \
        in->member = (uint8_t)v;                                                                   \
    }
/* clang-format off */
SETTER(clamp, clamp) SETTER(glc, glc) SETTER(slc, slc) SETTER(dlc, dlc) SETTER(lds, lds)
SETTER(gds, gds) SETTER(tfe, tfe) SETTER(lwe, lwe) SETTER(offen, offen) SETTER(idxen, idxen)
SETTER(unorm, unorm) SETTER(r128, r128)
SETTER(a16, a16) SETTER(d16, d16) SETTER(done, done) SETTER(compr, compr) SETTER(vm, vm)
SETTER(da, da) SETTER(addr64, addr64) SETTER(bound_ctrl, bound_ctrl) SETTER(fi, fi)
SETTER(row_en, row_en)
BYTE_SETTER(index_key, op_sel) BYTE_SETTER(wait_exp, wait_exp) BYTE_SETTER(wait_vdst, wait_vdst)
BYTE_SETTER(wait_vsrc, wait_vsrc)
SETTER(sc1, sc1) BYTE_SETTER(cbsz, cbsz) BYTE_SETTER(abid, abid)
BYTE_SETTER(row_mask, row_mask) BYTE_SETTER(bank_mask, bank_mask) BYTE_SETTER(dmask, dmask)
BYTE_SETTER(neg_lo, neg) BYTE_SETTER(neg_hi, neg_hi) BYTE_SETTER(op_sel_hi, op_sel_hi)
    /* clang-format on */

    static void set_high(amd_inst *in, uint32_t v)
{
    in->imm |= (int32_t)(v << 8);
}

static void
set_op_sel(amd_inst *in, uint32_t v)
{
    const amd_op_info *row = amd_op_row((amd_op)in->op);
    if (in->fmt == AMD_VOP3 && in->n_src < 3 &&
        !amd_op_sel_third(row)) /* the destination's bit follows the sources' */
        v = (v & ((1u << in->n_src) - 1)) | (v >> in->n_src & 1) << 3;
    in->op_sel |= (uint8_t)v;
}

static void
set_row_mirror(amd_inst *in, uint32_t v)
{
    in->dpp_ctrl = (uint16_t)(0x140 * v);
}

static void
set_row_half_mirror(amd_inst *in, uint32_t v)
{
    in->dpp_ctrl = (uint16_t)(0x141 * v);
}

#define DPP_SETTER(name, base)                                                                     \
    static void set_##name(amd_inst *in, uint32_t v)                                               \
    {                                                                                              \
        in->dpp_ctrl = (uint16_t)((base) + v);                                                     \
    }
DPP_SETTER(row_shl, 0x100)
DPP_SETTER(row_shr, 0x110)
DPP_SETTER(row_ror, 0x120)
DPP_SETTER(row_share, 0x150)
DPP_SETTER(wave_shl, 0x12f)
DPP_SETTER(wave_rol, 0x133)
DPP_SETTER(wave_shr, 0x137)
DPP_SETTER(wave_ror, 0x13b)
DPP_SETTER(row_xmask, 0x160)

/* "[1,0,...]" of exactly or up to `count` numbers below `limit`, `bits` bits each. */
static bool
parse_list(asm_ctx *a, unsigned count, bool exact, int64_t limit, unsigned bits, uint32_t *value)
{
    unsigned n = 0;
    *value = 0;
    if (!asm_expect(a, '[', "'['"))
        return false;
    do {
        int64_t v;
        if (n == count)
            return asm_expected(a, "']'");
        if (!asm_integer(a, 0, limit - 1, &v))
            return false;
        *value |= (uint32_t)v << n++ * bits;
    } while (asm_take(a, ','));
    if (exact && n != count)
        return asm_expected(a, "','");
    return asm_expect(a, ']', "']'");
}

static bool
parse_quad_perm(asm_ctx *a, amd_asm_trial *t)
{
    uint32_t v;
    if (!parse_list(a, 4, true, 4, 2, &v))
        return false;
    t->in.dpp_ctrl = (uint16_t)v;
    return true;
}

/* row_bcast:15, row_bcast:31: the last lane of a row or of two to the next one. */
static bool
parse_row_bcast(asm_ctx *a, amd_asm_trial *t)
{
    int64_t v;
    if (!asm_integer(a, 15, 31, &v) || (v != 15 && v != 31))
        return asm_expected(a, "15 or 31");
    t->in.dpp_ctrl = v == 15 ? 0x142 : 0x143;
    return true;
}

static bool
parse_dpp8(asm_ctx *a, amd_asm_trial *t)
{
    return parse_list(a, 8, true, 8, 3, &t->in.dpp8);
}

static bool
parse_offset(asm_ctx *a, amd_asm_trial *t)
{
    amd_offsets range = amd_offsets_of(amd_asm_of(a)->gen, (amd_fmt)t->in.fmt);
    int64_t v;
    if (range.high == 0)
        range = (amd_offsets){INT32_MIN, INT32_MAX}; /* the encoder says that there is none */
    if (t->row->flags & AMD_F_OFFSET2)
        return asm_expected(a, "offset0 or offset1");
    if (t->in.fmt == AMD_SMEM && t->in.n_src && t->in.src[t->in.n_src - 1] == AMD_REG_ABSENT)
        return asm_expected(a, "one offset");
    if (t->in.op == AMD_DS_SWIZZLE_B32 ? !amd_asm_swizzle(a, &v)
                                       : !asm_integer(a, range.low, range.high, &v))
        return false;
    t->in.offset = (int32_t)v;
    t->in.zero_offset = !v && t->in.fmt == AMD_SMEM && amd_asm_of(a)->gen >= AMD_GFX9 &&
                        amd_asm_of(a)->gen <= AMD_GFX950;
    return true;
}

static bool
parse_half_offset(asm_ctx *a, amd_asm_trial *t, unsigned shift)
{
    int64_t v;
    if (!(t->row->flags & AMD_F_OFFSET2))
        return asm_expected(a, "offset");
    if (!asm_integer(a, 0, 255, &v))
        return false;
    t->in.offset |= (int32_t)(v << shift);
    return true;
}

static bool
parse_offset0(asm_ctx *a, amd_asm_trial *t)
{
    return parse_half_offset(a, t, 0);
}

static bool
parse_offset1(asm_ctx *a, amd_asm_trial *t)
{
    return parse_half_offset(a, t, 8);
}

/* mul:2, mul:4, div:2; mul:1 and div:1 have no effect. */
static bool
parse_mul(asm_ctx *a, amd_asm_trial *t)
{
    int64_t v;
    if (!asm_integer(a, 1, 4, &v) || v == 3)
        return asm_expected(a, "1, 2 or 4");
    t->in.omod = (uint8_t)(v / 2);
    return true;
}

static bool
parse_div(asm_ctx *a, amd_asm_trial *t)
{
    int64_t v;
    if (!asm_integer(a, 1, 2, &v))
        return false;
    t->in.omod = v == 2 ? 3 : 0;
    return true;
}

/* The dimension may begin with a digit, so its characters are read, not a token. */
static bool
parse_dim(asm_ctx *a, amd_asm_trial *t)
{
    static const char prefix[] = "SQ_RSRC_IMG_";
    const char *at = a->token.text, *p = at;
    uint32_t dim;
    while (p < a->end && ((*p >= '0' && *p <= '9') || (*p >= 'A' && *p <= 'Z') || *p == '_'))
        p++;
    if ((size_t)(p - at) > sizeof prefix - 1 && memcmp(at, prefix, sizeof prefix - 1) == 0)
        at += sizeof prefix - 1;
    if (!amd_name_find(amd_dim_names, at, (size_t)(p - at), &dim))
        return asm_expected(a, "a dimension");
    t->in.dim = (uint8_t)dim;
    asm_seek(a, p);
    return true;
}

static bool
buffer_format(asm_ctx *a, int64_t *format)
{
    static const char prefix[] = "BUF_FMT_";
    size_t n = sizeof prefix - 1;
    if (a->token.kind == ASM_IDENT && a->token.len > n && memcmp(a->token.text, prefix, n) == 0) {
        for (unsigned i = 0; amd_buf_format(amd_asm_of(a)->gen, i) < AMD_BUF_FORMATS; i++) {
            const char *name = amd_buf_formats[amd_buf_format(amd_asm_of(a)->gen, i)];
            if (strlen(name) == a->token.len - n &&
                memcmp(name, a->token.text + n, a->token.len - n) == 0) {
                *format = i;
                asm_next(a);
                return true;
            }
        }
    }
    return asm_expected(a, "a buffer format");
}

/* "[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]", in any order, either or both. */
static bool
split_format(asm_ctx *a, int64_t *format)
{
    static const char data[] = "BUF_DATA_FORMAT_", num[] = "BUF_NUM_FORMAT_";
    uint32_t data_format = AMD_DATA_FORMAT_DEFAULT, num_format = AMD_NUM_FORMAT_DEFAULT;
    do {
        const char *text = a->token.text;
        size_t len = a->token.kind == ASM_IDENT ? a->token.len : 0, d = sizeof data - 1,
               n = sizeof num - 1;
        bool known = false;
        if (len > d && memcmp(text, data, d) == 0)
            known = amd_name_find_on(amd_asm_of(a)->gen, amd_data_formats, text + d, len - d,
                                     &data_format);
        else if (len > n && memcmp(text, num, n) == 0)
            known = amd_name_find_on(amd_asm_of(a)->gen, amd_num_formats, text + n, len - n,
                                     &num_format);
        if (!known)
            return asm_expected(a, "a data or number format");
        asm_next(a);
    } while (asm_take(a, ','));
    *format = data_format | num_format << 4;
    return true;
}

static bool
parse_format(asm_ctx *a, amd_asm_trial *t)
{
    int64_t v;
    if (amd_asm_of(a)->gen < AMD_GFX10 && asm_take(a, '[')) {
        if (!split_format(a, &v) || !asm_expect(a, ']', "']'"))
            return false;
    } else if (asm_take(a, '[')) {
        if (!buffer_format(a, &v) || !asm_expect(a, ']', "']'"))
            return false;
    } else if (!asm_integer(a, 0, 127, &v)) {
        return false;
    }
    t->in.format = (uint8_t)v;
    return true;
}

static bool
parse_select(asm_ctx *a, const char *const *names, unsigned count, uint8_t *value)
{
    for (unsigned i = 0; i < count; i++) {
        if (asm_take_name(a, names[i])) {
            *value = (uint8_t)i;
            return true;
        }
    }
    return asm_expected(a, "a part of a register");
}

static bool
parse_dst_sel(asm_ctx *a, amd_asm_trial *t)
{
    return parse_select(a, amd_sdwa_selects, 7, &t->in.dst_sel);
}

static bool
parse_dst_unused(asm_ctx *a, amd_asm_trial *t)
{
    return parse_select(a, amd_sdwa_unused, 3, &t->in.dst_unused);
}

static bool
parse_src0_sel(asm_ctx *a, amd_asm_trial *t)
{
    return parse_select(a, amd_sdwa_selects, 7, &t->in.src0_sel);
}

static bool
parse_src1_sel(asm_ctx *a, amd_asm_trial *t)
{
    return parse_select(a, amd_sdwa_selects, 7, &t->in.src1_sel);
}

/* A name of `names` after `prefix`. */
static bool
prefixed_name(asm_ctx *a, const char *prefix, const amd_name *names, uint32_t *value)
{
    size_t n = strlen(prefix);
    if (a->token.kind != ASM_IDENT || a->token.len <= n || memcmp(a->token.text, prefix, n) != 0 ||
        !amd_name_find(names, a->token.text + n, a->token.len - n, value))
        return false;
    asm_next(a);
    return true;
}

/* gfx12's temporal hint; for an atomic it includes the bit that returns the old value. */
static bool
parse_th(asm_ctx *a, amd_asm_trial *t)
{
    bool store = t->row->flags & AMD_F_STORE, atomic = t->row->flags & AMD_F_ATOMIC;
    const char *prefix = atomic ? "TH_ATOMIC_" : store ? "TH_STORE_" : "TH_LOAD_";
    const amd_name *names = atomic  ? amd_th_atomic_names
                            : store ? amd_th_store_names
                                    : amd_th_load_names;
    uint32_t v;
    int64_t number;
    if (!prefixed_name(a, prefix, names, &v)) {
        if (a->token.kind == ASM_IDENT)
            return asm_expected(a, "a temporal hint of this kind of access");
        if (!asm_integer(a, 0, 7, &number))
            return false;
        v = (uint32_t)number;
    }
    t->in.th = (uint8_t)(atomic ? v & 6 : v);
    t->in.glc = atomic && v & 1;
    return true;
}

static bool
is_matrix_neg(const asm_ctx *a, const amd_asm_trial *t)
{
    return amd_is_cdna3(amd_asm_of(a)->gen) && amd_matrix_negates(t->row);
}

static bool
parse_blgp(asm_ctx *a, amd_asm_trial *t)
{
    int64_t v;
    if (is_matrix_neg(a, t))
        return asm_expected(a, "neg: doubles have no blgp");
    if (!asm_integer(a, 0, 7, &v))
        return false;
    t->in.blgp = (uint8_t)v;
    return true;
}

/* The truth table of v_bitop3. */
static bool
parse_bitop3(asm_ctx *a, amd_asm_trial *t)
{
    int64_t v;
    if (!amd_is_bitop3(t->row))
        return asm_expected(a, "a modifier of this instruction");
    if (!asm_integer(a, 0, 255, &v))
        return false;
    t->in.imm = (int32_t)v;
    return true;
}

static bool
parse_scope(asm_ctx *a, amd_asm_trial *t)
{
    uint32_t v;
    int64_t number;
    if (!prefixed_name(a, "SCOPE_", amd_scope_names, &v)) {
        if (a->token.kind == ASM_IDENT)
            return asm_expected(a, "a scope");
        if (!asm_integer(a, 0, 3, &number))
            return false;
        v = (uint32_t)number;
    }
    t->in.scope = (uint8_t)v;
    return true;
}

static bool
parse_matrix_neg(asm_ctx *a, amd_asm_trial *t)
{
    uint32_t bits;
    if (!is_matrix_neg(a, t))
        return asm_expected(a, "blgp");
    if (!parse_list(a, 3, false, 2, 1, &bits))
        return false;
    t->in.blgp = (uint8_t)bits;
    return true;
}

/* gfx12's conversions from and to a byte. */
static bool
parse_byte_sel(asm_ctx *a, amd_asm_trial *t)
{
    amd_byte_conversion bytes = amd_converts_bytes(amd_asm_of(a)->gen, t->row);
    int64_t v;
    if (t->in.fmt != AMD_VOP3 || (bytes != AMD_FROM_BYTE && bytes != AMD_TO_BYTE))
        return asm_expected(a, "a modifier of this instruction");
    if (!asm_integer(a, 0, 3, &v))
        return false;
    t->in.op_sel = (uint8_t)(bytes == AMD_TO_BYTE ? v << 2 : v >> 1 | (v & 1) << 1);
    return true;
}

static const modifier modifiers[] = {
    {"clamp", FLAG, IN_PLAIN | IN_SDWA, 0, 0, set_clamp, NULL},
    {"mul", OTHER, IN_PLAIN | IN_SDWA, 0, 0, NULL, parse_mul},
    {"div", OTHER, IN_PLAIN | IN_SDWA, 0, 0, NULL, parse_div},
    {"high", FLAG, IN_PLAIN, 0, 0, set_high, NULL},
    {"op_sel", BITS, IN_PLAIN, 0, 4, set_op_sel, NULL},
    {"op_sel_hi", BITS, IN_PLAIN, 0, 3, set_op_sel_hi, NULL},
    {"byte_sel", OTHER, IN_PLAIN, 0, 0, NULL, parse_byte_sel, AMD_GFX12, AMD_GFX12},
    {"bitop3", OTHER, IN_PLAIN, 0, 0, NULL, parse_bitop3, AMD_GFX950, AMD_GFX950},
    {"neg_lo", BITS, IN_PLAIN, 0, 3, set_neg_lo, NULL},
    {"neg_hi", BITS, IN_PLAIN, 0, 3, set_neg_hi, NULL},
    {"dst_sel", OTHER, IN_SDWA, 0, 0, NULL, parse_dst_sel},
    {"dst_unused", OTHER, IN_SDWA, 0, 0, NULL, parse_dst_unused},
    {"src0_sel", OTHER, IN_SDWA, 0, 0, NULL, parse_src0_sel},
    {"src1_sel", OTHER, IN_SDWA, 0, 0, NULL, parse_src1_sel},
    {"quad_perm", OTHER, IN_DPP16, 0, 0, NULL, parse_quad_perm},
    {"row_shl", NUMBER, IN_DPP16, 1, 15, set_row_shl, NULL},
    {"row_shr", NUMBER, IN_DPP16, 1, 15, set_row_shr, NULL},
    {"row_ror", NUMBER, IN_DPP16, 1, 15, set_row_ror, NULL},
    {"row_share", NUMBER, IN_DPP16, 0, 15, set_row_share, NULL, AMD_GFX10, AMD_GFX12},
    {"row_xmask", NUMBER, IN_DPP16, 0, 15, set_row_xmask, NULL, AMD_GFX10, AMD_GFX12},
    {"row_newbcast", NUMBER, IN_DPP16, 0, 15, set_row_share, NULL, AMD_GFX90A, AMD_GFX950},
    {"wave_shl", NUMBER, IN_DPP16, 1, 1, set_wave_shl, NULL, AMD_GFX8, AMD_GFX950},
    {"wave_rol", NUMBER, IN_DPP16, 1, 1, set_wave_rol, NULL, AMD_GFX8, AMD_GFX950},
    {"wave_shr", NUMBER, IN_DPP16, 1, 1, set_wave_shr, NULL, AMD_GFX8, AMD_GFX950},
    {"wave_ror", NUMBER, IN_DPP16, 1, 1, set_wave_ror, NULL, AMD_GFX8, AMD_GFX950},
    {"row_bcast", OTHER, IN_DPP16, 0, 0, NULL, parse_row_bcast, AMD_GFX8, AMD_GFX950},
    {"row_mirror", FLAG, IN_DPP16, 0, 0, set_row_mirror, NULL},
    {"row_half_mirror", FLAG, IN_DPP16, 0, 0, set_row_half_mirror, NULL},
    {"row_mask", NUMBER, IN_DPP16, 0, 15, set_row_mask, NULL},
    {"bank_mask", NUMBER, IN_DPP16, 0, 15, set_bank_mask, NULL},
    {"bound_ctrl", NUMBER, IN_DPP16 | IN_PLAIN, 0, 1, set_bound_ctrl, NULL},
    {"fi", NUMBER, IN_DPP16 | IN_DPP8 | IN_PLAIN, 0, 1, set_fi, NULL},
    {"dpp8", OTHER, IN_DPP8, 0, 0, NULL, parse_dpp8},
    {"offset", OTHER, IN_PLAIN, 0, 0, NULL, parse_offset},
    {"offset0", OTHER, IN_PLAIN, 0, 0, NULL, parse_offset0},
    {"offset1", OTHER, IN_PLAIN, 0, 0, NULL, parse_offset1},
    {"glc", FLAG, IN_PLAIN, 0, 0, set_glc, NULL}, /* gfx942: scalar memory */
    {"slc", FLAG, IN_PLAIN, 0, 0, set_slc, NULL, 0, AMD_GFX90A},
    {"scc", FLAG, IN_PLAIN, 0, 0, set_sc1, NULL, AMD_GFX90A, AMD_GFX90A},
    {"sc0", FLAG, IN_PLAIN, 0, 0, set_glc, NULL, AMD_GFX942, AMD_GFX950},
    {"nt", FLAG, IN_PLAIN, 0, 0, set_slc, NULL, AMD_GFX942, AMD_GFX950},
    {"sc1", FLAG, IN_PLAIN, 0, 0, set_sc1, NULL, AMD_GFX942, AMD_GFX950},
    {"cbsz", NUMBER, IN_PLAIN, 0, 7, set_cbsz, NULL, AMD_GFX908, AMD_GFX950},
    {"abid", NUMBER, IN_PLAIN, 0, 15, set_abid, NULL, AMD_GFX908, AMD_GFX950},
    {"blgp", OTHER, IN_PLAIN, 0, 0, NULL, parse_blgp, AMD_GFX908, AMD_GFX950},
    {"neg", OTHER, IN_PLAIN, 0, 0, NULL, parse_matrix_neg, AMD_GFX942, AMD_GFX950},
    {"slc", FLAG, IN_PLAIN, 0, 0, set_slc, NULL, AMD_GFX10, AMD_GFX12},
    {"dlc", FLAG, IN_PLAIN, 0, 0, set_dlc, NULL},
    {"lds", FLAG, IN_PLAIN, 0, 0, set_lds, NULL},
    {"gds", FLAG, IN_PLAIN, 0, 0, set_gds, NULL},
    {"tfe", FLAG, IN_PLAIN, 0, 0, set_tfe, NULL},
    {"lwe", FLAG, IN_PLAIN, 0, 0, set_lwe, NULL},
    {"offen", FLAG, IN_PLAIN, 0, 0, set_offen, NULL},
    {"addr64", FLAG, IN_PLAIN, 0, 0, set_addr64, NULL, AMD_GFX6, AMD_GFX7},
    {"idxen", FLAG, IN_PLAIN, 0, 0, set_idxen, NULL},
    {"unorm", FLAG, IN_PLAIN, 0, 0, set_unorm, NULL},
    {"r128", FLAG, IN_PLAIN, 0, 0, set_r128, NULL},
    {"a16", FLAG, IN_PLAIN, 0, 0, set_a16, NULL},
    {"d16", FLAG, IN_PLAIN, 0, 0, set_d16, NULL},
    {"dmask", NUMBER, IN_PLAIN, 0, 15, set_dmask, NULL},
    {"da", FLAG, IN_PLAIN, 0, 0, set_da, NULL, AMD_GFX6, AMD_GFX950},
    {"dim", OTHER, IN_PLAIN, 0, 0, NULL, parse_dim, AMD_GFX10, AMD_GFX12},
    {"format", OTHER, IN_PLAIN, 0, 0, NULL, parse_format},
    {"done", FLAG, IN_PLAIN, 0, 0, set_done, NULL},
    {"compr", FLAG, IN_PLAIN, 0, 0, set_compr, NULL},
    {"vm", FLAG, IN_PLAIN, 0, 0, set_vm, NULL},
    {"index_key", NUMBER, IN_PLAIN, 0, 3, set_index_key, NULL, AMD_GFX12, AMD_GFX12},
    {"row_en", FLAG, IN_PLAIN, 0, 0, set_row_en, NULL, AMD_GFX11, AMD_GFX12},
    {"th", OTHER, IN_PLAIN, 0, 0, NULL, parse_th},
    {"scope", OTHER, IN_PLAIN, 0, 0, NULL, parse_scope},
    {"wait_exp", NUMBER, IN_PLAIN, 0, 7, set_wait_exp, NULL, AMD_GFX11, AMD_GFX12},
    {"wait_vdst", NUMBER, IN_PLAIN, 0, 15, set_wait_vdst, NULL, AMD_GFX11, AMD_GFX11_5},
    {"wait_va_vdst", NUMBER, IN_PLAIN, 0, 15, set_wait_vdst, NULL, AMD_GFX12, AMD_GFX12},
    {"wait_vm_vsrc", NUMBER, IN_PLAIN, 0, 1, set_wait_vsrc, NULL, AMD_GFX12, AMD_GFX12},
};

static bool
has_modifier(amd_gen gen, const modifier *m)
{
    return gen >= m->first && (!m->last || gen <= m->last);
}

static unsigned
form_of(const amd_asm_trial *t)
{
    bool e64 = t->in.fmt == AMD_VOP3 || t->in.fmt == AMD_VOP3P;
    switch (t->in.ext) {
    case AMD_EXT_SDWA: return IN_SDWA;
    case AMD_EXT_DPP16: return e64 ? IN_DPP16 | IN_PLAIN : IN_DPP16;
    case AMD_EXT_DPP8: return e64 ? IN_DPP8 | IN_PLAIN : IN_DPP8;
    default: return IN_PLAIN;
    }
}

static bool
parse_value(asm_ctx *a, amd_asm_trial *t, const modifier *m)
{
    int64_t number;
    uint32_t bits;
    if (m->syntax == FLAG) {
        m->set(&t->in, 1);
        return true;
    }
    if (!asm_expect(a, ':', "':'"))
        return false;
    switch (m->syntax) {
    case NUMBER:
        if (!asm_integer(a, m->low, m->high, &number))
            return false;
        m->set(&t->in, (uint32_t)number);
        return true;
    case BITS:
        if (!parse_list(a, m->high, false, 2, 1, &bits))
            return false;
        m->set(&t->in, bits);
        return true;
    default: return m->parse(a, t);
    }
}

/* Whether the row's instructions have the modifier, which others of the same form lack. */
static bool
suits(const modifier *m, const amd_asm_trial *t)
{
    amd_fmt fmt = (amd_fmt)t->in.fmt;
    if (m->set == set_op_sel)
        return fmt == AMD_VOP3 || fmt == AMD_VOP3P || fmt == AMD_VINTERP;
    if (m->set == set_neg_lo || m->set == set_neg_hi)
        return fmt == AMD_VOP3P;
    if (m->set == set_fi || m->set == set_bound_ctrl)
        return t->in.ext != AMD_EXT_NONE || (fmt == AMD_VOP3 && amd_swaps_rows(t->row));
    if (m->set != set_high)
        return true;
    bool attribute = false; /* the upper half of an attribute's slot */
    for (unsigned i = 0; i < AMD_MAX_OPERANDS && t->row->operands[i].role; i++)
        attribute |= t->row->operands[i].kind == AMD_K_ATTR;
    return attribute && fmt == AMD_VOP3;
}

/* DPP needs a pattern of lanes; before gfx11 bound_ctrl:0 means the same as bound_ctrl:1 (LLVM 19).
 */
static bool
finish_dpp(asm_ctx *a, amd_asm_trial *t, bool has_lanes)
{
    if (t->in.ext != AMD_EXT_DPP16 && t->in.ext != AMD_EXT_DPP8)
        return true;
    for (unsigned i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
        if (modifiers[i].set == set_bound_ctrl && t->modifiers[i / 64] >> i % 64 & 1 &&
            amd_asm_of(a)->gen < AMD_GFX11)
            t->in.bound_ctrl = true;
    }
    return has_lanes || asm_expected(a, "a pattern of lanes");
}

/* Modifiers of DPP that leave open which lane reads which. */
static bool
chooses_lanes(const modifier *m)
{
    return m->forms & (IN_DPP16 | IN_DPP8) && m->set != set_row_mask && m->set != set_bank_mask &&
           m->set != set_bound_ctrl && m->set != set_fi;
}

bool
amd_asm_modifiers(asm_ctx *a, amd_asm_trial *t)
{
    bool has_lanes = false;
    while (a->token.kind != ASM_END) {
        unsigned i = 0, count = sizeof modifiers / sizeof *modifiers;
        while (i < count && !(has_modifier(amd_asm_of(a)->gen, &modifiers[i]) &&
                              asm_is_name(a, modifiers[i].name)))
            i++;
        if (i == count || !(modifiers[i].forms & form_of(t)) || !suits(&modifiers[i], t) ||
            t->modifiers[i / 64] >> i % 64 & 1)
            return asm_expected(a, "a modifier of this instruction or the end of the line");
        t->modifiers[i / 64] |= UINT64_C(1) << i % 64;
        has_lanes |= chooses_lanes(&modifiers[i]);
        if (strcmp(modifiers[i].name, "op_sel_hi") == 0)
            t->op_sel_hi_given = true;
        asm_next(a);
        if (!parse_value(a, t, &modifiers[i]))
            return false;
        asm_take(a, ',');
    }
    return finish_dpp(a, t, has_lanes);
}
