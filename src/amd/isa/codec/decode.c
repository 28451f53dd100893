/* Decoder. The leading bits select the encoding, the encoding's layout unpacks the fields, the
 * opcode number selects the row, and the row's operands take their registers from the fields.
 *
 * Field values are checked against the row, so that invalid bytes are not decoded as an
 * instruction; bits that the hardware ignores are ignored. errata.md lists where LLVM is stricter
 * or laxer than the manuals.
 */
#include "amd/isa/table/dual.h"
#include "amd/isa/table/layout.h"
#include "amd/isa/table/mimg.h"
#include "amd/isa/table/names.h"
#include "base/bits.h"

typedef struct decoder {
    amd_gen gen;
    const uint8_t *bytes;
    size_t size;
    uint32_t word[4]; /* the first words; zero beyond the readable bytes */
    amd_fmt fmt;
    amd_ext ext;
    const amd_op_info *row;
    amd_places places;
    amd_raw raw;
    amd_inst *in;
    bool extra; /* an unused operand field is not zero */
} decoder;

static uint32_t
word_at(const decoder *d, size_t i)
{
    const uint8_t *p = d->bytes + i * 4;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Unpacks the fields of a layout. `words` are the instruction's; for an extension layout, the last
 * word before it and its own. */
static void
unpack(amd_layout_id id, const uint32_t *words, amd_raw *raw)
{
    const amd_layout *l = &amd_layouts[id];
    for (unsigned i = 0; i < l->count; i++) {
        const amd_layout_row *r = &l->rows[i];
        raw->f[r->field] |= amd_row_read(r, words[r->word]);
    }
}

/* The encodings with the same prefix on all generations: scalar and 32-bit vector ALU. */
static amd_fmt
common_format(uint32_t w)
{
    if (w >> 31 == 0)
        return w >> 25 == 0x3f ? AMD_VOP1 : w >> 25 == 0x3e ? AMD_VOPC : AMD_VOP2;
    if (w >> 30 != 2)
        return AMD_FMT_NONE;
    switch (w >> 23) {
    case 0x17d: return AMD_SOP1;
    case 0x17e: return AMD_SOPC;
    case 0x17f: return AMD_SOPP;
    default: return w >> 28 == 0xb ? AMD_SOPK : AMD_SOP2;
    }
}

/* Distinguishes FLAT's three kinds by the segment field. */
static amd_fmt
flat_format(unsigned segment)
{
    static const amd_fmt formats[] = {AMD_FLAT, AMD_SCRATCH, AMD_GLOBAL, AMD_FMT_NONE};
    return formats[segment & 3];
}

static amd_fmt
gcn_format(amd_gen gen, uint32_t w)
{
    bool scalar_words = gen <= AMD_GFX7; /* SMRD has a prefix of five bits */
    switch (w >> 26) {
    case 0x30:
    case 0x31: return scalar_words || w >> 26 == 0x30 ? AMD_SMEM : AMD_EXP;
    case 0x32: return scalar_words ? AMD_VINTRP : AMD_FMT_NONE;
    case 0x34: return !scalar_words && w >> 23 == 0x1a7 ? AMD_VOP3P : AMD_VOP3;
    case 0x35: return scalar_words ? AMD_FMT_NONE : AMD_VINTRP;
    case 0x36: return AMD_DS;
    case 0x37: return gen >= AMD_GFX9 ? flat_format(w >> 14) : AMD_FLAT;
    case 0x38: return AMD_MUBUF;
    case 0x3a: return AMD_MTBUF;
    case 0x3c: return AMD_MIMG;
    case 0x3e: return scalar_words ? AMD_EXP : AMD_FMT_NONE;
    default: return AMD_FMT_NONE;
    }
}

static amd_fmt
rdna_format(amd_gen gen, uint32_t w)
{
    bool gfx11 = gen >= AMD_GFX11;
    switch (w >> 26) {
    case 0x32: return gfx11 ? AMD_VOPD : AMD_VINTRP;
    case 0x33:
        if (w >> 23 == 0x198)
            return AMD_VOP3P;
        return !gfx11            ? AMD_FMT_NONE
               : w >> 24 == 0xcd ? AMD_VINTERP
               : w >> 24 == 0xce ? AMD_LDSDIR
                                 : AMD_FMT_NONE;
    case 0x35: return AMD_VOP3;
    case 0x36: return AMD_DS;
    case 0x37: return flat_format(gfx11 ? w >> 16 : w >> 14);
    case 0x38: return AMD_MUBUF;
    case 0x3a: return AMD_MTBUF;
    case 0x3c: return AMD_MIMG;
    case 0x3d: return AMD_SMEM;
    case 0x3e: return AMD_EXP;
    default: return AMD_FMT_NONE;
    }
}

static amd_fmt
gfx12_format(uint32_t w)
{
    switch (w >> 26) {
    case 0x31: return w & 0x200000 ? AMD_MTBUF : AMD_MUBUF; /* the bit is part of the opcode */
    case 0x34:
    case 0x39: return AMD_MIMG;
    case 0x37:
    case 0x38:
    case 0x3a:
    case 0x3c: return AMD_FMT_NONE;
    case 0x3b: return flat_format(w >> 24);
    default: return rdna_format(AMD_GFX12, w);
    }
}

/* The encoding that the first word selects, or AMD_FMT_NONE. */
static amd_fmt
format_of(amd_gen gen, uint32_t w)
{
    amd_fmt fmt = common_format(w);
    if (fmt == AMD_FMT_NONE)
        fmt = gen <= AMD_GFX950 ? gcn_format(gen, w)
              : gen < AMD_GFX12 ? rdna_format(gen, w)
                                : gfx12_format(w);
    return fmt;
}

/* SDWA: select 7 and dst_unused 3 are reserved. Fields that a layout lacks are 0. */
static bool
has_reserved_select(const decoder *d)
{
    return d->raw.f[AMD_FIELD_DST_SEL] > 6 || d->raw.f[AMD_FIELD_DST_UNUSED] > 2 ||
           d->raw.f[AMD_FIELD_SRC0_SEL] > 6 || d->raw.f[AMD_FIELD_SRC1_SEL] > 6;
}

/* Values of src0 select SDWA and DPP. */
static bool
decode_extension(decoder *d)
{
    bool e32 = d->fmt == AMD_VOP1 || d->fmt == AMD_VOP2 || d->fmt == AMD_VOPC;
    bool e64 = d->fmt == AMD_VOP3 || d->fmt == AMD_VOP3P;
    unsigned size = d->in->size;
    d->ext = AMD_EXT_NONE;
    if (!e32 && !(e64 && d->gen >= AMD_GFX11))
        return true;
    if (e32 && !d->row->operands[0].role) { /* v_nop */
        d->raw.f[AMD_FIELD_SRC0] = 0;
        return true;
    }
    switch (d->raw.f[AMD_FIELD_SRC0]) {
    case AMD_SRC_SDWA:
        if (d->gen >= AMD_GFX11)
            return false;
        d->ext = AMD_EXT_SDWA;
        break;
    case AMD_SRC_DPP16: d->ext = AMD_EXT_DPP16; break;
    case AMD_SRC_DPP8:
    case AMD_SRC_DPP8_FI:
        if (d->gen < AMD_GFX10)
            return true;
        d->ext = AMD_EXT_DPP8;
        break;
    default: return true;
    }
    bool may = d->ext == AMD_EXT_SDWA ? e32 && d->row->flags & AMD_F_SDWA
                                      : amd_op_has_dpp((amd_op)d->in->op, d->fmt, d->gen);
    if (!may || d->size < size + 4u)
        return false;
    if (d->ext == AMD_EXT_SDWA && !amd_op_has_sdwa((amd_op)d->in->op, d->gen))
        return false;
    unpack(amd_layout_of_ext(d->gen, d->fmt, d->ext), &d->word[size / 4 - 1], &d->raw);
    d->in->size = (uint8_t)(size + 4);
    if (d->ext == AMD_EXT_SDWA && has_reserved_select(d))
        return false;
    if (d->ext == AMD_EXT_DPP8)
        d->raw.f[AMD_FIELD_FI] = d->raw.f[AMD_FIELD_SRC0] == AMD_SRC_DPP8_FI;
    return true;
}

/* Scalar registers form tuples; the bits below the tuple's alignment are ignored. */
static unsigned
align_scalar(amd_gen gen, const amd_operand *o, unsigned code)
{
    bool named = code >= amd_sgpr_count(gen) && (code < amd_ttmp_first(gen) || code >= AMD_REG_M0);
    unsigned count = amd_type_dwords((amd_type)o->type, gen < AMD_GFX10);
    if (named || count < 2)
        return code;
    return code & ~(count == 2 ? 1u : 3u);
}

/* Are a matrix operation's vdst and src2 AGPRs? On gfx908 they always are. */
static bool
has_agprs(const decoder *d)
{
    return d->gen == AMD_GFX908 || d->raw.f[AMD_FIELD_ACC_CD];
}

/* The register of a memory operation's data: ACC selects AGPRs (gfx90a, gfx942). */
static unsigned
data_register(const decoder *d, unsigned v)
{
    return (d->raw.f[AMD_FIELD_ACC] ? AMD_REG_AGPR0 : AMD_REG_VGPR0) + v;
}

/* gfx6 and gfx7 (Sea Islands ISA, "SMRD"): the immediate counts dwords. gfx7 also has a code for a
 * literal, which counts dwords too. There is no null register, and constants are invalid. */
static void
separate_smrd_offset(uint32_t *f)
{
    uint32_t offset = f[AMD_FIELD_OFFSET], code = offset == AMD_REG_NULL ? AMD_SRC_INT_0 : offset;
    f[AMD_FIELD_SOFFSET] = f[AMD_FIELD_IMM] ? AMD_REG_NULL : code;
    f[AMD_FIELD_OFFSET] = f[AMD_FIELD_IMM] ? offset * 4 : 0;
}

/* SMEM before gfx10: OFFSET is a number, or has a register's code in its low bits; on gfx9 SOFFSET
 * may add a register to the number. From gfx10 on SOFFSET is the register (or null), OFFSET the
 * number in bytes. */
static void
separate_smem_offset(decoder *d)
{
    uint32_t *f = d->raw.f;
    if (d->fmt != AMD_SMEM || d->gen >= AMD_GFX10)
        return;
    if (d->gen < AMD_GFX8) {
        separate_smrd_offset(f);
        return;
    }
    uint32_t code = f[AMD_FIELD_SOE] ? f[AMD_FIELD_SOFFSET] : f[AMD_FIELD_OFFSET] & 0x7f;
    if (code == AMD_REG_NULL)
        code = AMD_SRC_INT_0; /* there is no null register yet; a constant is invalid too */
    f[AMD_FIELD_SOFFSET] = f[AMD_FIELD_IMM] && !f[AMD_FIELD_SOE] ? AMD_REG_NULL : code;
    if (!f[AMD_FIELD_IMM])
        f[AMD_FIELD_OFFSET] = 0;
    d->in->zero_offset = f[AMD_FIELD_IMM] && f[AMD_FIELD_SOE] && !f[AMD_FIELD_OFFSET];
}

/* The register code for a field's value. */
static unsigned
register_code(const decoder *d, amd_field field, const amd_operand *o)
{
    unsigned v = d->raw.f[field];
    switch (field) {
    case AMD_FIELD_NONE:
        return o->kind == AMD_K_LIT                        ? AMD_SRC_LITERAL
               : amd_operand_kind(d->gen, o) == AMD_K_EXEC ? AMD_REG_EXEC_LO
                                                           : AMD_REG_VCC_LO;
    case AMD_FIELD_VDST:
        if (d->gen >= AMD_GFX11 && o->kind != AMD_K_VGPR && v >> 1 == AMD_REG_M0 >> 1)
            v ^= 1; /* in a scalar field null and m0 are exchanged */
        if (o->kind == AMD_K_AGPR || (o->kind == AMD_K_VACC && has_agprs(d)))
            return AMD_REG_AGPR0 + v;
        if (o->kind == AMD_K_VGPR && d->fmt >= AMD_DS)
            return data_register(d, v);
        return o->kind == AMD_K_VGPR || o->kind == AMD_K_VACC ? AMD_REG_VGPR0 + v : v;
    case AMD_FIELD_XSRC0:
        return d->ext == AMD_EXT_SDWA && d->raw.f[AMD_FIELD_S0] ? v : AMD_REG_VGPR0 + v;
    case AMD_FIELD_SRC0:
        if (v >= AMD_REG_VGPR0 &&
            (o->kind == AMD_K_AGPR || (o->kind == AMD_K_VANY && d->raw.f[AMD_FIELD_ACC] & 1)))
            return v - AMD_REG_VGPR0 + AMD_REG_AGPR0;
        return d->fmt == AMD_VINTRP && o->kind == AMD_K_VGPR ? AMD_REG_VGPR0 + v : v;
    case AMD_FIELD_SRC2:
        return o->kind == AMD_K_SACC && v >= AMD_REG_VGPR0 && has_agprs(d)
                   ? v - AMD_REG_VGPR0 + AMD_REG_AGPR0
                   : v;
    case AMD_FIELD_SRC1:
        if (v >= AMD_REG_VGPR0 && o->kind == AMD_K_VANY && d->raw.f[AMD_FIELD_ACC] & 2)
            return v - AMD_REG_VGPR0 + AMD_REG_AGPR0;
        if ((d->fmt != AMD_VOP2 && d->fmt != AMD_VOPC) || o->kind == AMD_K_SSRC)
            return v; /* SSRC: lane numbers of gfx6 and gfx7 */
        return d->ext == AMD_EXT_SDWA && d->raw.f[AMD_FIELD_S1] ? v : AMD_REG_VGPR0 + v;
    case AMD_FIELD_SDST:
        return d->ext == AMD_EXT_SDWA && !d->raw.f[AMD_FIELD_SD] ? AMD_REG_VCC_LO : v;
    case AMD_FIELD_SBASE: return v * 2;
    case AMD_FIELD_SRSRC:
    case AMD_FIELD_SSAMP: return d->gen == AMD_GFX12 ? v : v * 4;
    case AMD_FIELD_SADDR:
        if (d->fmt == AMD_SCRATCH && v == AMD_REG_EXEC_HI && d->gen >= AMD_GFX10 &&
            d->gen < AMD_GFX11)
            return AMD_REG_ABSENT; /* neither vaddr nor saddr */
        return v == amd_saddr_off(d->gen) ? AMD_REG_ABSENT : v;
    case AMD_FIELD_SOFFSET:
        if (d->fmt != AMD_SMEM || amd_is_prefetch(d->row))
            return v;
        return v == AMD_REG_NULL ? AMD_REG_ABSENT : v;
    case AMD_FIELD_VDATA:
    case AMD_FIELD_DATA1:
        if (d->fmt >= AMD_DS && d->fmt <= AMD_SCRATCH)
            return data_register(d, v);
        return AMD_REG_VGPR0 + v;
    case AMD_FIELD_VADDR:
        if (d->fmt == AMD_DS && d->row->flags & AMD_F_EXPC)
            return data_register(d, v); /* the number of global wave sync */
        return AMD_REG_VGPR0 + v;
    case AMD_FIELD_DATA2:
    case AMD_FIELD_DATA3: return AMD_REG_VGPR0 + v;
    default: return v;
    }
}

/* gfx11's WMMA: modifiers only select the halves of 16-bit results and addends. */
static void
drop_matrix_modifiers(decoder *d)
{
    if (d->gen < AMD_GFX12 && d->row->operands[0].type != AMD_T_MF128)
        d->raw.f[AMD_FIELD_OPSEL_HI] = 7;
}

/* The op_sel bits of 8-bit float conversions. */
static uint32_t
op_sel_bits_of_bytes(const decoder *d)
{
    switch (amd_converts_bytes(d->gen, d->row)) {
    case AMD_TO_BYTE: return 12;
    case AMD_FROM_BYTE: return 3;
    default: return UINT32_MAX;
    }
}

/* Clears bits that the hardware ignores: op_sel if all operands are 32-bit, neg and abs of integers
 * with op_sel, v_cmpx's vdst. */
static void
drop_ignored(decoder *d)
{
    uint32_t *f = d->raw.f;
    uint32_t flags = d->row->flags;
    if (!amd_has_op_sel(d->gen, d->row))
        flags &= ~(uint32_t)AMD_F_OPSEL;
    bool dot = d->row->fmt == AMD_VOP2 && d->row->operands[0].role == AMD_ROLE_BOTH &&
               d->row->operands[1].kind == AMD_K_VSRC && !(flags & AMD_F_FP); /* v_dot4c_i32_i8 */
    uint32_t neg_ignored = 0, halves = amd_half_mask(d->gen, d->row);
    switch (d->fmt) {
    case AMD_VOP3:
        if (amd_has_scale(d->row))
            f[AMD_FIELD_NEG] &= ~amd_int_sources(d->row);
        if (flags & AMD_F_NEG && d->row->fmt != AMD_VOPC)
            f[AMD_FIELD_ABS] &= ~amd_int_sources(d->row);
        else if (amd_is_bitop3(d->row) || amd_swaps_rows(d->row))
            break;
        else if (flags & AMD_F_OPSEL || dot)
            neg_ignored = (1u << amd_op_src_count(d->row)) - 1;
        if (amd_converts_bytes(d->gen, d->row)) {
            f[AMD_FIELD_ABS] &= d->gen < AMD_GFX12 ? 3u : UINT32_MAX;
            f[AMD_FIELD_NEG] &= d->gen < AMD_GFX12 ? 1u : UINT32_MAX;
            if (d->ext != AMD_EXT_NONE) /* the bits that select the byte */
                f[AMD_FIELD_OPSEL] &= op_sel_bits_of_bytes(d);
            break;
        }
        if (!(flags & AMD_F_OPSEL) ||
            (d->gen >= AMD_GFX11 &&
             (d->row->fmt == AMD_VOP2 || d->row->operands[1].type == AMD_T_V2F16)))
            f[AMD_FIELD_OPSEL] &= halves | (halves && amd_op_sel_third(d->row) ? 4u : 0u);
        else if (amd_permutes_lanes(d->row))
            f[AMD_FIELD_OPSEL] &= amd_op_src_count(d->row) == 3 ? 3 : 7;
        if (amd_operand_kind(d->gen, &d->row->operands[0]) == AMD_K_EXEC)
            f[AMD_FIELD_VDST] = 0;
        break;
    case AMD_VOP3P:
        f[AMD_FIELD_OPSEL_HI] &= (1u << amd_op_src_count(d->row)) - 1;
        if (amd_type_is_matrix((amd_type)d->row->operands[0].type))
            drop_matrix_modifiers(d);
        if (amd_moves_agpr(d->row)) {
            f[AMD_FIELD_OPSEL_HI] = 1;
            f[AMD_FIELD_CLAMP] = 0;
        }
        break;
    case AMD_VOP1:
        if (d->in->op == AMD_V_MOV_B16)
            f[AMD_FIELD_ABS] &= ~1u;
        break;
    case AMD_VOP2:
        if (d->ext == AMD_EXT_DPP16 && dot)
            neg_ignored = 3;
        else if (d->ext == AMD_EXT_DPP16 && flags & AMD_F_NEG)
            f[AMD_FIELD_ABS] &= ~amd_int_sources(d->row);
        break;
    case AMD_DS:
        if (d->gen >= AMD_GFX90A && d->gen <= AMD_GFX950 && !(flags & AMD_F_EXPC) &&
            (flags & AMD_F_LDS || d->in->op == AMD_DS_SWIZZLE_B32))
            f[AMD_FIELD_GDS] = 0; /* only global wave sync has GDS */
        break;
    case AMD_SMEM:
        if (d->row->operands[0].kind == AMD_K_SBASE ||
            (d->row->operands[0].role == AMD_ROLE_IMM && d->gen < AMD_GFX11))
            f[AMD_FIELD_GLC] = 0; /* s_dcache_discard, s_atc_probe */
        break;
    case AMD_GLOBAL:
        if (!d->row->operands[0].role) { /* global_inv */
            f[AMD_FIELD_VADDR] = f[AMD_FIELD_VDATA] = f[AMD_FIELD_VDST] = 0;
            f[AMD_FIELD_OFFSET] = 0;
        }
        break;
    case AMD_MUBUF:
        if (d->in->op == AMD_BUFFER_STORE_LDS_DWORD)
            f[AMD_FIELD_VADDR] = f[AMD_FIELD_VDATA] = 0;
        else if (d->row->operands[0].kind == AMD_K_VADDR) /* buffer_load_lds_b32 */
            f[AMD_FIELD_VDATA] = 0;
        if (!d->row->operands[0].role) { /* buffer_gl0_inv */
            f[AMD_FIELD_VADDR] = f[AMD_FIELD_VDATA] = f[AMD_FIELD_SRSRC] = 0;
            f[AMD_FIELD_SOFFSET] = f[AMD_FIELD_OFFSET] = f[AMD_FIELD_SLC] = 0;
        }
        if (d->gen == AMD_GFX90A && d->in->op == AMD_BUFFER_WBL2) /* clang sets both */
            f[AMD_FIELD_GLC] = f[AMD_FIELD_SC1] = 0;
        break;
    default: break;
    }
    f[AMD_FIELD_NEG] &= ~neg_ignored;
    f[AMD_FIELD_ABS] &= ~neg_ignored;
}

/* Interpolation in VOP3 has the attribute in src0: the first source is src1, with the modifier bits
 * of src1. */
static bool
shift_modifiers(decoder *d)
{
    uint32_t *f = d->raw.f;
    if (d->fmt != AMD_VOP3 || d->places.attr == AMD_FIELD_NONE)
        return true;
    if ((f[AMD_FIELD_NEG] | f[AMD_FIELD_ABS]) & 1)
        return false;
    f[AMD_FIELD_NEG] >>= 1;
    f[AMD_FIELD_ABS] >>= 1;
    return true;
}

/* In 32-bit encodings the highest bit of a 16-bit register's number selects its half. */
static void
take_half(decoder *d, const amd_operand *o)
{
    bool src = o->role == AMD_ROLE_SRC;
    amd_field field = src ? d->places.src[d->in->n_src] : d->places.dst[d->in->n_dst];
    bool e32 = d->fmt == AMD_VOP1 || d->fmt == AMD_VOP2 || d->fmt == AMD_VOPC;
    uint32_t *f = &d->raw.f[field];
    if (!e32 || !amd_is_half(d->gen, d->row, o) || !(*f & 0x80) ||
        (field == AMD_FIELD_SRC0 && *f < AMD_REG_VGPR0))
        return;
    *f &= ~0x80u;
    d->raw.f[AMD_FIELD_OPSEL] |= 1u << amd_half_bit(d->row, o, d->in->n_src);
}

static bool
decode_registers(decoder *d)
{
    amd_inst *in = d->in;
    amd_places_of(d->gen, d->row, d->fmt, d->ext, &d->places);
    drop_ignored(d);
    if (!shift_modifiers(d))
        return false;
    for (const amd_operand *o = d->row->operands;
         o < d->row->operands + AMD_MAX_OPERANDS && o->role; o++) {
        take_half(d, o);
        if (o->role == AMD_ROLE_SRC) {
            in->src[in->n_src] = (uint16_t)align_scalar(
                d->gen, o, register_code(d, d->places.src[in->n_src], o));
            in->n_src++;
        } else if (o->role != AMD_ROLE_IMM) {
            in->dst[in->n_dst] = (uint16_t)align_scalar(
                d->gen, o, register_code(d, d->places.dst[in->n_dst], o));
            in->n_dst++;
        }
    }
    return true;
}

/* A source of 255 means that a literal follows the instruction. */
static bool
decode_literal(decoder *d)
{
    amd_inst *in = d->in;
    bool literal = false;
    for (unsigned i = 0; i < in->n_src; i++)
        literal |= in->src[i] == AMD_SRC_LITERAL;
    if (!literal)
        return true;
    if (d->ext != AMD_EXT_NONE || d->size < in->size + 4u)
        return false;
    in->literal = word_at(d, in->size / 4);
    in->size += 4;
    return true;
}

/* Immediates that consist of bit fields are raw, numbers are signed. */
static void
decode_immediate(decoder *d)
{
    const uint32_t *f = d->raw.f;
    amd_inst *in = d->in;
    for (const amd_operand *o = d->row->operands;
         o < d->row->operands + AMD_MAX_OPERANDS && o->role; o++) {
        if (o->role != AMD_ROLE_IMM)
            continue;
        switch (o->kind) {
        case AMD_K_DEC:
        case AMD_K_HEX:
        case AMD_K_LABEL: in->imm = (int32_t)base_sext64(f[AMD_FIELD_SIMM16], 16); break;
        case AMD_K_GPRIDX:
            in->imm = (int32_t)f[d->fmt == AMD_SOPC ? AMD_FIELD_SSRC1 : AMD_FIELD_SIMM16];
            break;
        case AMD_K_OFFSET: break;
        case AMD_K_LENGTH: in->imm = (int32_t)f[AMD_FIELD_SDATA]; break;
        case AMD_K_PROBE:
            in->imm = (int32_t)amd_number_as_register(d->gen, f[AMD_FIELD_SDATA]);
            break;
        case AMD_K_MSGRTN:
            in->imm = (int32_t)amd_number_as_register(d->gen, f[AMD_FIELD_SSRC0]);
            break;
        case AMD_K_ATTR:
            if (d->fmt == AMD_VINTRP || d->fmt == AMD_LDSDIR)
                in->imm = (int32_t)(f[AMD_FIELD_ATTR] * 4 + f[AMD_FIELD_CHAN]);
            else
                in->imm = (int32_t)((f[AMD_FIELD_SRC0] & 63) * 4 + (f[AMD_FIELD_SRC0] >> 6 & 3) +
                                    (f[AMD_FIELD_SRC0] & 256));
            break;
        case AMD_K_TARGET: break;
        default: in->imm = (int32_t)f[AMD_FIELD_SIMM16]; break;
        }
    }
}

static void
decode_members(decoder *d)
{
    amd_inst *in = d->in;
    const uint32_t *f = d->raw.f;
#define MEMBER(name, member) in->member = f[AMD_FIELD_##name];
    AMD_MEMBER_FIELDS(MEMBER)
#undef MEMBER
    if (d->gen == AMD_GFX12 && d->row->flags & AMD_F_ATOMIC) {
        in->glc = in->th & 1; /* the lowest bit of an atomic's TH: it returns a result */
        in->th &= 6;
    }
    if (d->gen == AMD_GFX12 && d->fmt == AMD_MUBUF)
        in->format = 0; /* ignored */
    if (amd_is_bitop3(d->row)) {
        in->imm = in->neg | in->abs << 3 | in->omod << 6;
        in->neg = in->abs = in->omod = 0;
    }
    if (d->fmt == AMD_VOP3 && amd_swaps_rows(d->row)) {
        in->fi = in->op_sel & 1;
        in->bound_ctrl = in->op_sel >> 1 & 1;
        in->op_sel = 0;
    }
    amd_offsets range = amd_offsets_of(d->gen, d->fmt);
    in->offset = (int32_t)f[AMD_FIELD_OFFSET];
    if (range.low < 0 && in->offset > range.high)
        in->offset += range.low * 2;
}

/* Image addresses in non-consecutive registers: up to three more words with four registers each. */
static bool
decode_nsa(decoder *d)
{
    amd_inst *in = d->in;
    unsigned words = d->raw.f[AMD_FIELD_NSA];
    if (!words)
        return true;
    uint8_t sizes[AMD_MAX_ADDRESS_FIELDS];
    unsigned tuples = amd_mimg_address_fields(d->gen, d->row, in, sizes);
    if (d->size < 8 + words * 4 || tuples > 1 + words * 4 ||
        words > amd_mimg_nsa_words_max(d->gen, d->row))
        return false;
    if (d->row->memory & AMD_A_BVH && words != (tuples + 2) / 4)
        return false;
    in->size = (uint8_t)(8 + words * 4);
    in->nsa = true;
    for (unsigned i = 0; i < tuples; i++) {
        unsigned first =
            i ? AMD_REG_VGPR0 + d->bytes[7 + i]
              : in->src[d->row->operands[0].role == AMD_ROLE_SRC]; /* after a store's data */
        for (unsigned k = 0; k < sizes[i]; k++)
            in->nsa_addr[in->n_nsa++] = (uint16_t)(first + k);
    }
    return true;
}

/* gfx12's image addresses: one field each, see amd_mimg_address_fields. */
static bool
decode_address_fields(decoder *d)
{
    amd_inst *in = d->in;
    uint8_t dwords[AMD_MAX_ADDRESS_FIELDS];
    unsigned fields = amd_mimg_address_fields(d->gen, d->row, in, dwords), n = 0;
    for (unsigned i = 0; i < fields; i++) {
        unsigned field = i ? AMD_FIELD_VADDR1 + i - 1 : AMD_FIELD_VADDR;
        for (unsigned k = 0; k < dwords[i]; k++)
            in->nsa_addr[n++] = (uint16_t)(AMD_REG_VGPR0 + d->raw.f[field] + k);
    }
    bool sampler = d->row->number[d->gen] >= AMD_VSAMPLE_NUMBERS, ray = d->row->memory & AMD_A_BVH;
    unsigned last = sampler ? 4 : 5; /* number of fields; unused ones before the last are ignored */
    if ((ray ? fields : amd_mimg_address_most(d->row)) < last &&
        d->raw.f[sampler ? AMD_FIELD_VADDR3 : AMD_FIELD_VADDR4])
        d->extra = true;
    in->nsa = n > 1;
    in->n_nsa = (uint8_t)(in->nsa ? n : 0);
    if (!in->nsa)
        in->nsa_addr[0] = 0;
    return true;
}

/* Marks absent optional operands. */
static void
drop_absent(decoder *d)
{
    amd_inst *in = d->in;
    switch (d->fmt) {
    case AMD_MUBUF:
    case AMD_MTBUF:
        if (in->n_src + in->n_dst == 0)
            break;
        if (!in->offen && !in->idxen && !in->addr64 && in->n_src >= 3)
            in->src[in->n_src - 3] = AMD_REG_ABSENT;
        if (in->lds && in->n_dst)
            in->dst[0] = AMD_REG_ABSENT;
        break;
    case AMD_FLAT:
    case AMD_GLOBAL:
        if ((d->row->flags & AMD_F_ATOMIC && !in->glc) || (in->lds && in->n_dst))
            in->dst[0] = AMD_REG_ABSENT;
        break;
    case AMD_SCRATCH:
        if (in->lds && in->n_dst)
            in->dst[0] = AMD_REG_ABSENT;
        if (amd_has_sve(d->gen)
                ? !d->raw.f[AMD_FIELD_SVE]
                : in->src[in->n_src - 1] != AMD_REG_ABSENT ||
                      (d->gen >= AMD_GFX10 && d->raw.f[AMD_FIELD_SADDR] == AMD_REG_EXEC_HI))
            in->src[0] = AMD_REG_ABSENT;
        break;
    case AMD_EXP:
        for (unsigned i = 0; i < 4; i++) {
            bool used = in->compr ? i < 2 && in->dmask >> i * 2 & 3 : in->dmask >> i & 1;
            if (!used)
                in->src[i] = AMD_REG_ABSENT;
        }
        break;
    default: break;
    }
}

/* The number of the matrix instruction behind v_mfma_ld_scale_b32 that uses its scales, as rows
 * have it; or `number`. */
static unsigned
scaled_number(const decoder *d, unsigned number)
{
    int load = amd_op_number(AMD_V_MFMA_LD_SCALE_B32, AMD_VOP3P, d->gen);
    bool registers = (d->word[1] & 0xe0020100) == 0x00020100; /* the scales; no negations */
    if (!registers || d->fmt != AMD_VOP3P || load < 0 || number != (unsigned)load || d->size < 16 ||
        d->word[2] >> 23 != AMD_MAI_WORD >> 7 || (d->word[2] >> 11 & 15) != 1)
        return number;
    unsigned scaled = AMD_SCALED_NUMBERS | (d->word[2] >> 16 & 0x7f);
    return amd_op_find(d->gen, AMD_VOP3P, scaled) != AMD_OP_INVALID ? scaled : number;
}

bool
amd_decode_loose(amd_gen gen, const uint8_t *bytes, size_t size, amd_inst *out, bool *extra)
{
    decoder d = {.gen = gen, .bytes = bytes, .size = size, .in = out};
    *out = (amd_inst){0};
    *extra = false;
    if (size < 4)
        return false;
    for (unsigned i = 0; i < 4 && size >= i * 4 + 4; i++)
        d.word[i] = word_at(&d, i);
    d.fmt = format_of(gen, d.word[0]);
    amd_layout_id layout = amd_layout_of(gen, NULL, d.fmt);
    if (layout == AMD_L_NONE)
        return false;
    if (d.fmt == AMD_VOPD)
        return amd_decode_dual(gen, d.word, size, out, extra);
    unpack(layout, d.word, &d.raw);
    unsigned number = d.raw.f[AMD_FIELD_OP];
    if (layout == AMD_L_VIMAGE && d.word[0] >> 26 == 0x39)
        number += AMD_VSAMPLE_NUMBERS;
    number = scaled_number(&d, number);
    amd_op op = d.fmt == AMD_EXP ? AMD_EXPORT : amd_op_find(gen, d.fmt, number);
    d.row = amd_op_row(op);
    if (!d.row || d.row->number[gen] < 0 || size < amd_layouts[layout].words * 4u)
        return false;
    amd_layout_id exact = amd_layout_of(gen, d.row, d.fmt);
    if (exact != layout) {
        d.raw = (amd_raw){{0}};
        unpack(exact, d.word, &d.raw);
    }
    amd_exchange_null(gen, d.fmt, &d.raw);
    separate_smem_offset(&d);
    out->op = (uint16_t)op;
    out->fmt = (uint8_t)d.fmt;
    out->size = (uint8_t)(amd_layouts[exact].words * 4);
    if (!decode_extension(&d))
        return false;
    out->ext = (uint8_t)d.ext;
    if (!decode_registers(&d))
        return false;
    decode_members(&d);
    decode_immediate(&d);
    drop_absent(&d);
    if (!decode_literal(&d))
        return false;
    if (d.fmt == AMD_MIMG && !(gen == AMD_GFX12 ? decode_address_fields(&d) : decode_nsa(&d)))
        return false;
    amd_unused unused = amd_unused_fields(d.row, d.fmt, d.ext, &d.places, &d.raw);
    *extra = d.extra || unused == AMD_UNUSED_SET;
    return unused != AMD_UNUSED_LITERAL &&
           amd_raw_valid(d.gen, d.row, d.fmt, d.ext, &d.places, &d.raw) &&
           amd_inst_valid(d.gen, d.row, &d.places, out);
}

bool
amd_decode(amd_gen gen, const uint8_t *bytes, size_t size, amd_inst *out)
{
    bool extra;
    return amd_decode_loose(gen, bytes, size, out, &extra) && !extra;
}
