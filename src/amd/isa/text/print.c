/* Disassembler: the text that llvm-mc 19 prints for an instruction.
 *
 * The mnemonic gets a suffix if the row has several encodings. The row's operands follow in its
 * order, then the modifiers in the encoding's order. Implied operands (v_cmpx's exec) are omitted.
 */
#include "amd/isa/text/print.h"
#include "amd/isa/table/consts.h"
#include "amd/isa/table/dual.h"
#include "amd/isa/table/layout.h"
#include "amd/isa/table/mimg.h"
#include "amd/isa/table/names.h"

typedef struct printer {
    amd_gen gen;
    const amd_inst *in;
    const amd_op_info *row;
    bool wave64;
    base_buf *out;
} printer;

static void
print_mnemonic(const printer *p)
{
    buf_puts(p->out, amd_op_name((amd_op)p->in->op, p->gen));
    if (p->in->nsa && p->row->operands[3].kind == AMD_K_SAMP && p->gen < AMD_GFX12)
        buf_puts(p->out, " ");                     /* as LLVM 19 does */
    bool operands = p->row->operands[0].role != 0; /* v_nop has no suffix */
    if (p->in->ext == AMD_EXT_SDWA && p->in->fmt == AMD_VOPC && p->gen == AMD_GFX8)
        return; /* as LLVM 19 does */
    bool e64 = p->in->fmt == AMD_VOP3 || p->in->fmt == AMD_VOP3P;
    bool cdna_fmac = p->in->op == AMD_V_PK_FMAC_F16 && p->gen <= AMD_GFX950; /* LLVM's whim */
    if (p->in->ext == AMD_EXT_SDWA)
        buf_puts(p->out, "_sdwa");
    else if (p->in->ext != AMD_EXT_NONE && e64)
        buf_puts(p->out, "_e64_dpp");
    else if (p->in->ext != AMD_EXT_NONE) /* LLVM 19 omits it for gfx11's compares */
        buf_puts(p->out, p->in->fmt == AMD_VOPC && p->gen >= AMD_GFX11 ? "" : "_dpp");
    else if ((amd_op_has_e64((amd_op)p->in->op, p->gen) || cdna_fmac) && operands &&
             amd_op_number((amd_op)p->in->op, (amd_fmt)p->row->fmt, p->gen) >= 0)
        buf_puts(p->out, p->in->fmt == AMD_VOP3 ? "_e64" : "_e32");
}

/* Prints `count` registers from `first` of register file `file`. */
static void
print_tuple(const printer *p, const char *file, unsigned first, unsigned count)
{
    if (count == 1)
        buf_printf(p->out, "%s%u", file, first);
    else
        buf_printf(p->out, "%s[%u:%u]", file, first, first + count - 1);
}

static void
print_constant(const printer *p, unsigned code, amd_type t)
{
    static const char *const floats[] = {"0.5", "-0.5", "1.0", "-1.0",
                                         "2.0", "-2.0", "4.0", "-4.0"};
    if (code <= AMD_SRC_INT_0 + 64)
        buf_printf(p->out, "%d", (int)code - AMD_SRC_INT_0);
    else if (code <= AMD_SRC_INT_NEG1 + 15)
        buf_printf(p->out, "%d", AMD_SRC_INT_NEG1 - 1 - (int)code);
    else if (code >= AMD_SRC_F_0_5 && code <= AMD_SRC_F_INV_2PI &&
             (t == AMD_T_U16 || t == AMD_T_I16 || t == AMD_T_B16))
        buf_printf(p->out, "0x%x", (unsigned)amd_float_constant(code, AMD_T_F16)); /* no name */
    else if (code >= AMD_SRC_F_0_5 && code < AMD_SRC_F_INV_2PI)
        buf_puts(p->out, floats[code - AMD_SRC_F_0_5]);
    else if (code == AMD_SRC_F_INV_2PI)
        buf_puts(p->out, amd_type_bits(t, false) == 64 && t != AMD_T_V2F32 ? "0.15915494309189532"
                                                                           : "0.15915494");
}

static void
print_register(const printer *p, unsigned code, unsigned count, const amd_operand *o)
{
    amd_type t = amd_constant_type(p->row, o);
    if (amd_type_is_matrix((amd_type)o->type) && p->gen < AMD_GFX12 && !p->wave64)
        t = AMD_T_F64; /* LLVM 19 prints 1/(2 pi) this way */
    const char *name = amd_register_name(p->gen, code, count);
    if (!name && code < AMD_SRC_INT_0)
        name = amd_register_name(p->gen, code, 1);
    if (name) {
        buf_puts(p->out, name);
    } else if (code >= AMD_REG_AGPR0) {
        print_tuple(p, "a", code - AMD_REG_AGPR0, count);
    } else if (code >= AMD_REG_VGPR0) {
        print_tuple(p, "v", code - AMD_REG_VGPR0, count);
    } else if (code < amd_sgpr_count(p->gen)) {
        /* the pair of a wave mask is not known when decoding */
        print_tuple(p, "s", count == 2 ? code & ~1u : code, count);
    } else if (code >= amd_ttmp_first(p->gen) && code < AMD_REG_M0) {
        code -= amd_ttmp_first(p->gen);
        print_tuple(p, "ttmp", count == 2 ? code & ~1u : code, count);
    } else if (code == AMD_SRC_LITERAL) {
        if (o->kind == AMD_K_LIT && p->in->fmt != AMD_SOPK)
            buf_printf(p->out, "0x%x", (unsigned)p->in->literal);
        else if (p->in->fmt == AMD_SOP1 && t == AMD_T_F16)
            amd_print_literal(p->in->literal, AMD_T_F32, p->out); /* as LLVM 19 does */
        else
            amd_print_literal(p->in->literal, t, p->out);
    } else {
        print_constant(p, code, t);
    }
}

/* Does LLVM read op_sel of the operation without names of halves? */
static bool
reads_op_sel_alone(const printer *p)
{
    switch (p->in->op) {
    case AMD_V_CNDMASK_B16:
    case AMD_V_MUL_LO_U16: return false;
    case AMD_V_ADD_NC_U16:
    case AMD_V_SUB_NC_U16: return true; /* of VOP3 alone since gfx10 */
    default:
        return (p->row->fmt == AMD_VOP3 && p->row->flags & AMD_F_OPSEL) ||
               p->row->operands[0].role == AMD_ROLE_BOTH || /* v_fmac_f16 */
               amd_converts_bytes(p->gen, p->row);
    }
}

/* Does the text name the halves of 16-bit registers? LLVM 19's usual text has none: they are named
 * only if one of them is high, and in VOP3 only where no LLVM reads op_sel alone. */
static bool
names_halves(const printer *p)
{
    bool e32 = p->in->fmt == AMD_VOP1 || p->in->fmt == AMD_VOP2 || p->in->fmt == AMD_VOPC;
    if (e32)
        return p->in->op_sel || p->in->op == AMD_V_MOV_B16 || p->in->op == AMD_V_SWAP_B16;
    return p->in->fmt == AMD_VOP3 && p->in->op_sel && !reads_op_sel_alone(p);
}

/* Prints the half of a 16-bit register. */
static void
print_half(const printer *p, const amd_operand *o, unsigned bit)
{
    if (names_halves(p) && amd_is_half(p->gen, p->row, o))
        buf_puts(p->out, p->in->op_sel >> bit & 1 ? ".h" : ".l");
}

/* The bits of op_sel that the names of halves show. */
static unsigned
named_halves(const printer *p)
{
    unsigned n_src = 0, bits = 0;
    for (const amd_operand *o = p->row->operands;
         o < p->row->operands + AMD_MAX_OPERANDS && o->role; o++) {
        bool src = o->role == AMD_ROLE_SRC;
        bool vgpr = !src || (o->role == AMD_ROLE_SRC && p->in->src[n_src] >= AMD_REG_VGPR0);
        if (vgpr && amd_is_half(p->gen, p->row, o))
            bits |= 1u << amd_half_bit(p->row, o, n_src);
        n_src += src;
    }
    return bits;
}

/* Are the encoding's source modifiers written on the operand? */
static bool
prefix_modifiers(const printer *p)
{
    return p->in->fmt != AMD_VOP3P || p->row->flags & AMD_F_MIX;
}

static void
print_source(const printer *p, unsigned i, const amd_operand *o)
{
    const amd_inst *in = p->in;
    unsigned code = in->src[i];
    unsigned count = amd_operand_dwords(p->gen, p->row, in, o, p->wave64);
    bool neg = prefix_modifiers(p) && in->neg >> i & 1;
    bool abs = prefix_modifiers(p) && in->abs >> i & 1;
    bool sext = in->sext >> i & 1;
    if (in->fmt == AMD_VOP3P && p->row->flags & AMD_F_MIX)
        abs = in->neg_hi >> i & 1;
    if (o->kind == AMD_K_PARAM) {
        static const char *const params[] = {"p10", "p20", "p0"};
        buf_puts(p->out, params[code]);
        return;
    }
    /* "-1" would be the constant minus one, not a negated one */
    bool constant = code >= 128 && code < AMD_REG_VGPR0 && !amd_register_name(p->gen, code, 0);
    bool call = neg && !abs && constant;
    buf_puts(p->out, call ? "neg(" : neg ? "-" : "");
    buf_puts(p->out, abs ? "|" : sext ? "sext(" : "");
    print_register(p, code, count, o);
    if (code >= AMD_REG_VGPR0)
        print_half(p, o, i);
    buf_puts(p->out, abs ? "|" : sext ? ")" : "");
    buf_puts(p->out, call ? ")" : "");
}

static void
print_nsa(const printer *p)
{
    uint8_t dwords[AMD_MAX_ADDRESS_FIELDS];
    unsigned fields = amd_mimg_address_fields(p->gen, p->row, p->in, dwords), n = 0;
    for (unsigned i = 0; i < fields; n += dwords[i++]) {
        buf_puts(p->out, i ? ", " : "[");
        print_tuple(p, "v", p->in->nsa_addr[n] - AMD_REG_VGPR0, dwords[i]);
    }
    buf_puts(p->out, "]");
}

/* Does the text have this operand? `code` is its register. */
static bool
is_printed(const printer *p, const amd_operand *o, unsigned code)
{
    if (amd_operand_kind(p->gen, o) == AMD_K_EXEC)
        return false;
    if (code != AMD_REG_ABSENT)
        return true;
    switch (p->in->fmt) {
    case AMD_SMEM: return false;
    case AMD_MUBUF: return o->kind != AMD_K_VDATA;
    case AMD_FLAT:
    case AMD_GLOBAL:
    case AMD_SCRATCH: return o->role == AMD_ROLE_SRC;
    default: return true;
    }
}

static void
print_export_source(const printer *p, unsigned i)
{
    unsigned code = p->in->src[p->in->compr ? i / 2 : i];
    if (p->in->dmask >> i & 1)
        buf_printf(p->out, "v%u", code - AMD_REG_VGPR0);
    else
        buf_puts(p->out, "off");
}

/* In dwords on gfx6 and gfx7. */
static void
print_smem_number(const printer *p)
{
    int32_t offset = p->gen < AMD_GFX8 ? p->in->offset / 4 : p->in->offset;
    buf_printf(p->out, offset < 0 ? "-0x%x" : "0x%x", (unsigned)(offset < 0 ? -offset : offset));
}

/* SMEM's immediate offset is an operand if there is no register. */
static void
print_smem_offset(const printer *p, unsigned soffset)
{
    bool absent = soffset == AMD_REG_ABSENT, null = p->gen >= AMD_GFX10 && p->gen < AMD_GFX12;
    if (!absent && !p->in->offset && !p->in->zero_offset && p->gen != AMD_GFX12)
        return;
    buf_puts(p->out, absent ? ", " : " offset:");
    if (absent && !p->in->offset && null)
        buf_puts(p->out, "null"); /* as LLVM 19 does */
    else
        print_smem_number(p);
}

static void
print_operand(const printer *p, const amd_operand *o, unsigned index)
{
    if (o->role != AMD_ROLE_SRC) {
        unsigned count = amd_operand_dwords(p->gen, p->row, p->in, o, p->wave64);
        print_register(p, p->in->dst[index], count, o);
        print_half(p, o, amd_half_bit(p->row, o, 0));
    } else if (o->kind == AMD_K_VEXP) {
        print_export_source(p, index);
    } else if (p->in->src[index] == AMD_REG_ABSENT) {
        buf_puts(p->out, "off");
    } else if (o->kind == AMD_K_VADDR && p->in->nsa) {
        print_nsa(p);
    } else {
        print_source(p, index, o);
    }
}

static void
print_operands(const printer *p)
{
    unsigned n_dst = 0, n_src = 0;
    const char *comma = " ";
    for (const amd_operand *o = p->row->operands;
         o < p->row->operands + AMD_MAX_OPERANDS && o->role; o++) {
        if (o->role == AMD_ROLE_IMM) {
            if (o->kind == AMD_K_CODE && p->in->imm == 0)
                continue;
            buf_puts(p->out, comma);
            if (o->kind == AMD_K_OFFSET)
                print_smem_number(p);
            else
                amd_print_immediate(p->gen, p->in, (amd_kind)o->kind, p->out);
        } else {
            unsigned index = o->role == AMD_ROLE_SRC ? n_src++ : n_dst++;
            unsigned code = o->role == AMD_ROLE_SRC ? p->in->src[index] : p->in->dst[index];
            if (!is_printed(p, o, code))
                continue;
            buf_puts(p->out, comma);
            print_operand(p, o, index);
        }
        comma = o->kind == AMD_K_TARGET ? " " : ", ";
    }
}

static void
print_flag(const printer *p, bool on, const char *text)
{
    if (on)
        buf_puts(p->out, text);
}

/* Prints "name:[a,b,c]" with the low `count` bits. */
static void
print_bits(const printer *p, const char *name, unsigned bits, unsigned count)
{
    buf_printf(p->out, " %s:", name);
    for (unsigned i = 0; i < count; i++)
        buf_printf(p->out, "%c%u", i ? ',' : '[', bits >> i & 1);
    buf_puts(p->out, "]");
}

static void
print_clamp_omod(const printer *p)
{
    static const char *const omods[] = {"", " mul:2", " mul:4", " div:2"};
    print_flag(p, p->in->clamp, " clamp");
    buf_puts(p->out, omods[p->in->omod & 3]);
}

/* One bit for each source, then the destination's, which v_cmpx does not have. */
static void
print_op_sel(const printer *p)
{
    unsigned bits = p->in->op_sel, n = p->in->n_src + amd_op_sel_third(p->row);
    bool result = amd_operand_kind(p->gen, &p->row->operands[0]) != AMD_K_EXEC;
    if (p->in->op == AMD_V_CNDMASK_B16 && names_halves(p) && !(bits & ~named_halves(p)))
        return; /* LLVM 22 reads no op_sel here */
    if (amd_permutes_lanes(p->row))
        print_bits(p, "op_sel", bits, 2);
    else
        print_bits(p, "op_sel", (bits & ((1u << n) - 1)) | (bits >> 3 & 1) << n, n + result);
}

static void
print_vop3_modifiers(const printer *p)
{
    unsigned op_sel = p->in->op_sel;
    if (amd_is_bitop3(p->row) && p->in->imm)
        buf_printf(p->out, p->in->imm < 10 ? " bitop3:%u" : " bitop3:0x%x", (unsigned)p->in->imm);
    amd_byte_conversion bytes = p->gen == AMD_GFX12 ? amd_converts_bytes(p->gen, p->row)
                                                    : AMD_NO_BYTES;
    if (op_sel && (bytes == AMD_FROM_BYTE || bytes == AMD_TO_BYTE)) {
        unsigned n_byte = bytes == AMD_TO_BYTE ? op_sel >> 2 : (op_sel & 1) << 1 | op_sel >> 1;
        buf_printf(p->out, " byte_sel:%u", n_byte);
    } else if (op_sel) {
        print_op_sel(p);
    }
    for (unsigned i = 0; i < AMD_MAX_OPERANDS; i++)
        print_flag(p,
                   p->row->operands[i].kind == AMD_K_ATTR && p->row->operands[i].role &&
                       p->in->imm & 256,
                   " high");
    if (amd_swaps_rows(p->row)) {
        print_flag(p, p->in->bound_ctrl, " bound_ctrl:1");
        print_flag(p, p->in->fi, " fi:1");
    }
    print_clamp_omod(p);
}

/* Prints the broadcast of A and the lanes of B, or, for doubles on gfx942, the negations. */
static void
print_matrix_modifiers(const printer *p)
{
    const amd_inst *in = p->in;
    if (p->row->number[p->gen] >= AMD_SCALED_NUMBERS) { /* two of three bits have a meaning */
        if (in->op_sel)
            print_bits(p, "op_sel", in->op_sel, 3);
        print_bits(p, "op_sel_hi", in->op_sel_hi, 3);
    }
    if (in->cbsz)
        buf_printf(p->out, " cbsz:%u", in->cbsz);
    if (in->abid)
        buf_printf(p->out, " abid:%u", in->abid);
    if (in->blgp && amd_is_cdna3(p->gen) && amd_matrix_negates(p->row))
        print_bits(p, "neg", in->blgp, 3);
    else if (in->blgp)
        buf_printf(p->out, " blgp:%u", in->blgp);
}

static void
print_vop3p_modifiers(const printer *p)
{
    if (p->row->operands[0].kind == AMD_K_VACC) {
        print_matrix_modifiers(p);
        return;
    }
    unsigned n = p->in->n_src, all = (1u << n) - 1;
    bool mix = p->row->flags & AMD_F_MIX;
    bool matrix = amd_type_is_matrix((amd_type)p->row->operands[0].type);
    if (matrix && p->in->op_sel && p->gen == AMD_GFX12)
        buf_printf(p->out, " index_key:%u", p->in->op_sel);
    else if (p->in->op_sel & all)
        print_bits(p, "op_sel", p->in->op_sel, n);
    if ((p->in->op_sel_hi & all) != (mix ? 0 : all))
        print_bits(p, "op_sel_hi", p->in->op_sel_hi, n);
    if (!mix && p->in->neg & all)
        print_bits(p, "neg_lo", p->in->neg, n);
    if (!mix && p->in->neg_hi & all)
        print_bits(p, "neg_hi", p->in->neg_hi, n);
    print_flag(p, p->in->clamp, " clamp");
}

static void
print_sdwa(const printer *p)
{
    const amd_inst *in = p->in;
    print_clamp_omod(p);
    if (in->fmt != AMD_VOPC &&
        !(amd_writes_whole_sdwa(p->row) && in->dst_sel == 6 && !in->dst_unused))
        buf_printf(p->out, " dst_sel:%s dst_unused:%s", amd_sdwa_selects[in->dst_sel],
                   amd_sdwa_unused[in->dst_unused]);
    buf_printf(p->out, " src0_sel:%s", amd_sdwa_selects[in->src0_sel]);
    if (in->fmt != AMD_VOP1)
        buf_printf(p->out, " src1_sel:%s", amd_sdwa_selects[in->src1_sel]);
}

/* dpp_ctrl: GCN3 ISA, "DPP"; RDNA 2 ISA, "DPP16"; CDNA 2 ISA, row_newbcast. */
static void
print_dpp_ctrl(const printer *p, unsigned ctrl)
{
    static const struct {
        uint16_t first;
        const char *format;
    } rows[] = {
        {0x160, " row_xmask:%u"}, {0x150, " row_share:%u"},    {0x143, " row_bcast:31"},
        {0x142, " row_bcast:15"}, {0x141, " row_half_mirror"}, {0x140, " row_mirror"},
        {0x13c, " wave_ror:1"},   {0x138, " wave_shr:1"},      {0x134, " wave_rol:1"},
        {0x130, " wave_shl:1"},   {0x120, " row_ror:%u"},      {0x110, " row_shr:%u"},
        {0x100, " row_shl:%u"},
    };
    unsigned i = 0;
    if (ctrl < 0x100) {
        buf_printf(p->out, " quad_perm:[%u,%u,%u,%u]", ctrl & 3, ctrl >> 2 & 3, ctrl >> 4 & 3,
                   ctrl >> 6 & 3);
        return;
    }
    while (ctrl < rows[i].first)
        i++;
    const char *format = rows[i].first == 0x150 && p->gen < AMD_GFX10 ? " row_newbcast:%u"
                                                                      : rows[i].format;
    buf_printf(p->out, format, ctrl - rows[i].first);
}

static void
print_dpp16(const printer *p)
{
    print_dpp_ctrl(p, p->in->dpp_ctrl);
    buf_printf(p->out, " row_mask:0x%x bank_mask:0x%x", p->in->row_mask, p->in->bank_mask);
    print_flag(p, p->in->bound_ctrl, " bound_ctrl:1");
    print_flag(p, p->in->fi, " fi:1");
}

static void
print_dpp8(const printer *p)
{
    buf_puts(p->out, " dpp8:");
    for (unsigned i = 0; i < 8; i++)
        buf_printf(p->out, "%c%u", i ? ',' : '[', (unsigned)(p->in->dpp8 >> i * 3 & 7));
    buf_puts(p->out, "]");
    print_flag(p, p->in->fi, " fi:1");
}

/* gfx12: the meaning of a value depends on the instruction's operation and on the scope. */
static void
print_scope(const printer *p)
{
    bool store = p->row->flags & AMD_F_STORE, atomic = p->row->flags & AMD_F_ATOMIC;
    const amd_name *names = atomic  ? amd_th_atomic_names
                            : store ? amd_th_store_names
                                    : amd_th_load_names;
    unsigned th = p->in->th | (atomic && p->in->glc), scope = p->in->scope;
    const char *prefix = atomic ? "TH_ATOMIC_" : store ? "TH_STORE_" : "TH_LOAD_";
    const char *name = amd_name_of(names, th);
    if (!atomic && th == AMD_TH_BYPASS && scope == AMD_SCOPE_SYS)
        name = "BYPASS";
    if (atomic && th & AMD_TH_CASCADE && scope < AMD_SCOPE_DEV)
        buf_printf(p->out, " th:TH_ATOMIC_0x%x", th);
    else if (th && name)
        buf_printf(p->out, " th:%s%s", prefix, name);
    else if (th)
        buf_printf(p->out, " th:0x%x", th);
    if (scope)
        buf_printf(p->out, " scope:SCOPE_%s", amd_name_of(amd_scope_names, scope));
}

static void
print_cache_policy(const printer *p)
{
    if (p->gen == AMD_GFX12) {
        print_scope(p);
        return;
    }
    bool gfx942 = amd_is_cdna3(p->gen) && p->in->fmt != AMD_SMEM;
    print_flag(p, p->in->glc, gfx942 ? " sc0" : " glc");
    print_flag(p, p->in->slc, gfx942 ? " nt" : " slc");
    print_flag(p, p->in->sc1, gfx942 ? " sc1" : " scc");
    print_flag(p, p->in->dlc, " dlc");
}

static void
print_offset(const printer *p)
{
    if (p->in->offset)
        buf_printf(p->out, " offset:%d", (int)p->in->offset);
}

static void
print_ds_modifiers(const printer *p)
{
    unsigned offset = (unsigned)p->in->offset;
    if (p->in->op == AMD_DS_SWIZZLE_B32) {
        amd_print_swizzle(offset, p->out);
    } else if (p->row->flags & AMD_F_OFFSET2) {
        if (offset & 0xff)
            buf_printf(p->out, " offset0:%u", offset & 0xff);
        if (offset >> 8)
            buf_printf(p->out, " offset1:%u", offset >> 8);
    } else {
        print_offset(p);
    }
    print_flag(p, p->in->gds, " gds");
}

/* Before gfx10; defaults are omitted. */
static void
print_split_format(const printer *p, unsigned data, unsigned num)
{
    const char *comma = data != AMD_DATA_FORMAT_DEFAULT ? "," : "";
    if (data == AMD_DATA_FORMAT_DEFAULT && num == AMD_NUM_FORMAT_DEFAULT)
        return;
    buf_puts(p->out, " format:[");
    if (*comma)
        buf_printf(p->out, "BUF_DATA_FORMAT_%s", amd_name_of(amd_data_formats, data));
    if (num != AMD_NUM_FORMAT_DEFAULT)
        buf_printf(p->out, "%sBUF_NUM_FORMAT_%s", comma, amd_name_on(p->gen, amd_num_formats, num));
    buf_puts(p->out, "]");
}

static void
print_buffer_modifiers(const printer *p)
{
    unsigned format = p->in->format;
    if (!p->row->operands[0].role) { /* buffer_gl0_inv, buffer_inv */
        print_cache_policy(p);
        return;
    }
    if (p->in->fmt == AMD_MTBUF && p->gen < AMD_GFX10) {
        print_split_format(p, format & 15, format >> 4);
    } else if (p->in->fmt == AMD_MTBUF && format != AMD_BUF_FORMAT_DEFAULT) {
        unsigned known = amd_buf_format(p->gen, format);
        if (known < AMD_BUF_FORMATS)
            buf_printf(p->out, " format:[BUF_FMT_%s]", amd_buf_formats[known]);
        else
            buf_printf(p->out, " format:%u", format);
    }
    if (p->in->op == AMD_BUFFER_STORE_LDS_DWORD) {
        print_offset(p);
        print_flag(p, p->in->lds, " lds");
        print_cache_policy(p);
        return;
    }
    print_flag(p, p->in->idxen, " idxen");
    print_flag(p, p->in->offen, " offen");
    print_flag(p, p->in->addr64, " addr64");
    print_offset(p);
    print_cache_policy(p);
    print_flag(p, p->in->tfe, " tfe");
    print_flag(p, p->in->lds, " lds");
}

static void
print_image_modifiers(const printer *p)
{
    const amd_inst *in = p->in;
    if (p->row->memory & AMD_A_BVH) {
        print_flag(p, in->a16, " a16");
        return;
    }
    if (in->dmask)
        buf_printf(p->out, " dmask:0x%x", in->dmask);
    if (p->gen >= AMD_GFX10)
        buf_printf(p->out, " dim:SQ_RSRC_IMG_%s", amd_name_of(amd_dim_names, in->dim));
    print_flag(p, in->unorm, " unorm");
    print_cache_policy(p);
    print_flag(p, in->r128, " r128");
    print_flag(p, in->a16, " a16");
    print_flag(p, in->tfe, " tfe");
    print_flag(p, in->lwe, " lwe");
    print_flag(p, in->da, " da");
    print_flag(p, in->d16, " d16");
}

static void
print_ldsdir_modifiers(const printer *p)
{
    bool gfx12 = p->gen >= AMD_GFX12;
    buf_printf(p->out, gfx12 ? " wait_va_vdst:%u" : " wait_vdst:%u", p->in->wait_vdst);
    if (gfx12)
        buf_printf(p->out, " wait_vm_vsrc:%u", p->in->wait_vsrc);
}

static void
print_modifiers(const printer *p)
{
    switch (p->in->fmt) {
    case AMD_VOP3: print_vop3_modifiers(p); break;
    case AMD_VOP3P: print_vop3p_modifiers(p); break;
    case AMD_VINTERP:
        print_flag(p, p->in->clamp, " clamp");
        if (p->in->op_sel)
            print_bits(p, "op_sel", p->in->op_sel, 4);
        buf_printf(p->out, " wait_exp:%u", p->in->wait_exp);
        break;
    case AMD_LDSDIR: print_ldsdir_modifiers(p); break;
    case AMD_SMEM:
        if (p->in->n_src >= 2 && p->row->operands[0].role && !amd_is_prefetch(p->row)) {
            print_smem_offset(p, p->in->src[p->in->n_src - 1]);
            if (p->row->operands[0].role != AMD_ROLE_IMM)
                print_cache_policy(p);
        }
        break;
    case AMD_DS: print_ds_modifiers(p); break;
    case AMD_MUBUF:
    case AMD_MTBUF: print_buffer_modifiers(p); break;
    case AMD_MIMG: print_image_modifiers(p); break;
    case AMD_FLAT:
    case AMD_GLOBAL:
    case AMD_SCRATCH:
        print_offset(p);
        print_cache_policy(p);
        print_flag(p, p->in->tfe, " tfe");
        print_flag(p, p->in->lds, " lds");
        break;
    case AMD_EXP:
        print_flag(p, p->in->done, " done");
        print_flag(p, p->in->compr, " compr");
        print_flag(p, p->in->vm, " vm");
        print_flag(p, p->in->row_en, " row_en");
        break;
    default: break;
    }
}

/* One of VOPD's operations. */
static void
print_dual_half(const printer *whole, unsigned op, bool second)
{
    printer p = *whole;
    const amd_operand *o;
    unsigned k = 0;
    p.row = amd_op_row((amd_op)op);
    buf_printf(p.out, "v_dual_%s ", amd_dual_name(p.gen, (amd_op)op));
    print_register(&p, p.in->dst[second], 1, amd_op_dst(p.row, 0));
    for (unsigned i = 0; (o = amd_op_src(p.row, i)); i++) {
        int place = amd_dual_place(o, second, &k);
        if (o->kind == AMD_K_MASK)
            continue;
        buf_puts(p.out, ", ");
        print_register(&p, place < 0 ? AMD_SRC_LITERAL : p.in->src[place], 1, o);
    }
}

void
amd_print(amd_gen gen, const amd_inst *in, bool wave64, base_buf *out)
{
    printer p = {gen, in, amd_op_row((amd_op)in->op), wave64, out};
    if (!p.row) {
        buf_puts(out, "<invalid>");
        return;
    }
    if (in->fmt == AMD_VOPD) {
        print_dual_half(&p, in->op, false);
        buf_puts(out, " :: ");
        print_dual_half(&p, in->op_y, true);
        return;
    }
    print_mnemonic(&p);
    print_operands(&p);
    if (in->ext != AMD_EXT_NONE && (in->fmt == AMD_VOP3 || in->fmt == AMD_VOP3P))
        print_modifiers(&p);
    if (in->ext == AMD_EXT_SDWA)
        print_sdwa(&p);
    else if (in->ext == AMD_EXT_DPP16)
        print_dpp16(&p);
    else if (in->ext == AMD_EXT_DPP8)
        print_dpp8(&p);
    else
        print_modifiers(&p);
}
