/* Encoder: the inverse of the decoder. Operand registers go to the fields that the row's operands
 * name, modifiers to their own fields, and the layout packs the fields into words. If anything is
 * left in a field after packing (a value too wide, a modifier that the encoding lacks), the
 * instruction cannot be encoded. */
#include "amd/isa/table/dual.h"
#include "amd/isa/table/layout.h"
#include "amd/isa/table/mimg.h"

typedef struct encoder {
    amd_gen gen;
    const amd_op_info *row;
    amd_inst *in;
    amd_places places;
    amd_raw raw;
    unsigned n_nsa; /* number of tuples of an image's addresses; their first registers */
    uint16_t nsa[AMD_MAX_NSA];
} encoder;

/* The number of tuples in which an image's addresses are encoded, with the first register of each
 * in `first`; 0 if registers that must be consecutive are not. */
static unsigned
nsa_tuples(const encoder *e, uint16_t *first)
{
    const amd_inst *in = e->in;
    uint8_t sizes[AMD_MAX_ADDRESS_FIELDS];
    unsigned tuples = amd_mimg_address_fields(e->gen, e->row, in, sizes), at = 0;
    for (unsigned i = 0; i < tuples; i++) {
        first[i] = in->nsa_addr[at];
        for (unsigned k = 0; k < sizes[i]; k++, at++) {
            if (at >= in->n_nsa || in->nsa_addr[at] != first[i] + k)
                return 0;
        }
    }
    return at == in->n_nsa ? tuples : 0;
}

/* The number of extra address words, with four registers each. */
static unsigned
nsa_words(unsigned tuples)
{
    return tuples < 2 ? 1 : (tuples + 2u) / 4;
}

/* Moves the bits of a layout's fields from `raw` to `words`; for an extension layout, the first
 * word is the last one before it. */
static void
pack(amd_layout_id id, amd_raw *raw, uint32_t *words)
{
    const amd_layout *l = &amd_layouts[id];
    for (unsigned i = 0; i < l->count; i++) {
        const amd_layout_row *r = &l->rows[i];
        words[r->word] |= amd_row_write(r, raw->f[r->field]);
        raw->f[r->field] &= ~r->mask;
    }
}

static bool
all_packed(const amd_raw *raw)
{
    uint32_t left = 0; /* compilers make vectors of it */
    for (unsigned i = 0; i < AMD_RAW_SIZE; i++)
        left |= raw->f[i];
    return left == 0;
}

static bool
is_agpr(unsigned code)
{
    return code >= AMD_REG_AGPR0 && code != AMD_REG_ABSENT;
}

/* Sets `field` for register `code`; validity has been checked. */
static void
put_register(encoder *e, amd_field field, unsigned code)
{
    uint32_t *f = e->raw.f;
    uint32_t v = code & 0xff;
    if (code == AMD_REG_ABSENT)
        v = 0;
    if (field == AMD_FIELD_VDST && e->gen >= AMD_GFX11 && code >> 1 == AMD_REG_M0 >> 1)
        v ^= 1; /* null and m0 are exchanged */
    switch (field) {
    case AMD_FIELD_NONE: return;
    case AMD_FIELD_VDST:
    case AMD_FIELD_VDATA:
    case AMD_FIELD_DATA1:
    case AMD_FIELD_VADDR:
        if (is_agpr(code) && e->in->fmt >= AMD_DS)
            f[AMD_FIELD_ACC] = 1;
        else if (is_agpr(code) && e->in->fmt == AMD_VOP3P && e->row->operands[0].kind == AMD_K_VACC)
            f[AMD_FIELD_ACC_CD] = e->gen != AMD_GFX908;
        break;
    case AMD_FIELD_SRC0:
    case AMD_FIELD_SRC2:
        if (is_agpr(code)) {
            if (field == AMD_FIELD_SRC0 && e->row->operands[0].kind == AMD_K_VACC)
                f[AMD_FIELD_ACC] |= 1;
            code += AMD_REG_VGPR0 - AMD_REG_AGPR0;
        }
        v = e->in->fmt == AMD_VINTRP ? v : code;
        break;
    case AMD_FIELD_SRC1:
        if (is_agpr(code)) {
            f[AMD_FIELD_ACC] |= 2;
            code += AMD_REG_VGPR0 - AMD_REG_AGPR0;
        }
        if (e->in->fmt != AMD_VOP2 && e->in->fmt != AMD_VOPC)
            v = code;
        else if (e->in->ext == AMD_EXT_SDWA)
            f[AMD_FIELD_S1] = code < AMD_REG_VGPR0;
        break;
    case AMD_FIELD_XSRC0:
        if (e->in->ext == AMD_EXT_SDWA)
            f[AMD_FIELD_S0] = code < AMD_REG_VGPR0;
        break;
    case AMD_FIELD_SDST:
        if (e->in->fmt == AMD_VOPC && code == AMD_REG_VCC_LO)
            return; /* SDWA: SD clear selects vcc */
        f[AMD_FIELD_SD] = e->in->fmt == AMD_VOPC;
        break;
    case AMD_FIELD_SCALE0:
    case AMD_FIELD_SCALE1: v = code; break;
    case AMD_FIELD_SBASE: v = code / 2; break;
    case AMD_FIELD_SRSRC:
    case AMD_FIELD_SSAMP: v = e->gen == AMD_GFX12 ? code : code / 4; break;
    case AMD_FIELD_SADDR:
        if (code == AMD_REG_ABSENT)
            v = amd_saddr_off(e->gen);
        break;
    case AMD_FIELD_SOFFSET:
        if (code == AMD_REG_ABSENT)
            v = e->in->fmt == AMD_SMEM ? AMD_REG_NULL : 0;
        break;
    default: break;
    }
    f[field] = v;
}

/* gfx12's image addresses: one field each; registers that share a field are consecutive. */
static bool
put_address_fields(encoder *e)
{
    const amd_inst *in = e->in;
    uint8_t dwords[AMD_MAX_ADDRESS_FIELDS];
    unsigned fields = amd_mimg_address_fields(e->gen, e->row, in, dwords), n = 0;
    unsigned first = in->src[e->row->operands[0].role == AMD_ROLE_SRC];
    for (unsigned i = 0; i < fields; n += dwords[i++]) {
        unsigned code = in->nsa ? in->nsa_addr[n] : first + n;
        e->raw.f[i ? AMD_FIELD_VADDR1 + i - 1 : AMD_FIELD_VADDR] = code & 0xff;
        for (unsigned k = 1; in->nsa && k < dwords[i]; k++) {
            if (in->nsa_addr[n + k] != code + k)
                return false;
        }
    }
    return true;
}

static bool
put_immediate(encoder *e)
{
    uint32_t *f = e->raw.f;
    const amd_inst *in = e->in;
    if (!amd_op_shape(e->row)->n_imm)
        return true;
    for (const amd_operand *o = e->row->operands;
         o < e->row->operands + AMD_MAX_OPERANDS && o->role; o++) {
        if (o->role != AMD_ROLE_IMM || o->kind == AMD_K_TARGET || o->kind == AMD_K_OFFSET)
            continue;
        uint32_t v = (uint32_t)in->imm;
        switch (o->kind) {
        case AMD_K_LENGTH:
            if (v > 31)
                return false;
            f[AMD_FIELD_SDATA] = v;
            break;
        case AMD_K_PROBE: /* null and m0 are exchanged later */
            f[AMD_FIELD_SDATA] = amd_number_as_register(e->gen, v);
            break;
        case AMD_K_GPRIDX: f[in->fmt == AMD_SOPC ? AMD_FIELD_SSRC1 : AMD_FIELD_SIMM16] = v; break;
        case AMD_K_MSGRTN: f[AMD_FIELD_SSRC0] = amd_number_as_register(e->gen, v); break;
        case AMD_K_ATTR:
            if (in->fmt == AMD_VINTRP || in->fmt == AMD_LDSDIR) {
                f[AMD_FIELD_ATTR] = v >> 2;
                f[AMD_FIELD_CHAN] = v & 3;
            } else {
                if (v > 511)
                    return false;
                f[AMD_FIELD_SRC0] = (v >> 2 & 63) | (v & 3) << 6 | (v & 256);
            }
            break;
        default:
            if (in->imm < -0x8000 || in->imm > 0xffff)
                return false;
            f[AMD_FIELD_SIMM16] = v & 0xffff;
        }
    }
    return true;
}

static bool
put_offset(encoder *e)
{
    int32_t offset = e->in->offset;
    if (!offset) /* in the range of every format, and of those without a field */
        return true;
    amd_offsets range = amd_offsets_of(e->gen, (amd_fmt)e->in->fmt);
    if (offset < range.low || offset > range.high)
        return false;
    e->raw.f[AMD_FIELD_OFFSET] = (uint32_t)(offset < 0 ? offset - range.low * 2 : offset);
    return true;
}

/* SMEM before gfx10, see separate_smem_offset. A register alone is put into OFFSET. */
static void
join_smem_offset(encoder *e)
{
    uint32_t *f = e->raw.f;
    if (e->in->fmt != AMD_SMEM || e->gen >= AMD_GFX10)
        return;
    bool has_register = amd_op_src_count(e->row) && f[AMD_FIELD_SOFFSET] != AMD_REG_NULL;
    if (e->gen < AMD_GFX8 && f[AMD_FIELD_OFFSET] % 4 == 0)
        f[AMD_FIELD_OFFSET] /= 4; /* a remainder makes the encoding fail */
    else if (e->gen < AMD_GFX8)
        f[AMD_FIELD_OFFSET] = UINT32_MAX;
    if (!has_register) {
        f[AMD_FIELD_IMM] = f[AMD_FIELD_SOFFSET] == AMD_REG_NULL;
        f[AMD_FIELD_SOFFSET] = 0;
    } else if (f[AMD_FIELD_OFFSET] || e->in->zero_offset) {
        f[AMD_FIELD_IMM] = f[AMD_FIELD_SOE] = 1; /* gfx8 lacks these fields, so encoding fails
                                                    there */
    } else {
        f[AMD_FIELD_OFFSET] = f[AMD_FIELD_SOFFSET];
        f[AMD_FIELD_SOFFSET] = 0;
    }
}

#define IS_BEHIND(name, member)                                                                    \
    _Static_assert(offsetof(amd_inst, member) >= offsetof(amd_inst, neg), "see has_members");
AMD_MEMBER_FIELDS(IS_BEHIND)
#undef IS_BEHIND

/* Is a member that has its own field set? All lie between `neg` and the end, where most
 * instructions are zero. */
static bool
has_members(const amd_inst *in)
{
    enum { FIRST = offsetof(amd_inst, neg), BYTES = sizeof *in - FIRST };
    const unsigned char *from = (const unsigned char *)in + FIRST;
    uint64_t any = 0, word;
    for (unsigned k = 0; k + sizeof word <= BYTES; k += sizeof word) {
        memcpy(&word, from + k, sizeof word);
        any |= word;
    }
    memcpy(&word, from + BYTES - sizeof word, sizeof word);
    return any | word;
}

static void
put_members(encoder *e)
{
    uint32_t *f = e->raw.f;
    const amd_inst *in = e->in;
    if (has_members(in)) {
#define MEMBER(name, member) f[AMD_FIELD_##name] = in->member;
        AMD_MEMBER_FIELDS(MEMBER)
#undef MEMBER
    }
    if (in->fmt == AMD_SCRATCH || in->fmt == AMD_GLOBAL)
        f[AMD_FIELD_SEG] = in->fmt == AMD_SCRATCH ? 1 : 2;
    if (in->fmt == AMD_FLAT || (in->fmt == AMD_GLOBAL && !e->row->operands[0].role))
        f[AMD_FIELD_SADDR] = e->gen < AMD_GFX10 ? 0 : AMD_REG_NULL;
    if (amd_has_sve(e->gen))
        f[AMD_FIELD_SVE] = in->fmt == AMD_SCRATCH && in->src[0] != AMD_REG_ABSENT;
    else if (in->fmt == AMD_SCRATCH && in->src[0] == AMD_REG_ABSENT &&
             f[AMD_FIELD_SADDR] == AMD_REG_NULL)
        f[AMD_FIELD_SADDR] = AMD_REG_EXEC_HI; /* neither vaddr nor saddr */
    if (in->nsa && e->gen != AMD_GFX12) {
        unsigned words = nsa_words(e->n_nsa);
        /* encoding fails if there are more words than the field can hold */
        bool fits = e->n_nsa && words <= amd_mimg_nsa_words_max(e->gen, e->row);
        f[AMD_FIELD_NSA] = fits ? words : UINT32_MAX;
    }
    if (e->gen == AMD_GFX12 && in->fmt == AMD_MUBUF)
        f[AMD_FIELD_FORMAT] = 1; /* by convention */
    if (e->gen == AMD_GFX12 && e->row->flags & AMD_F_ATOMIC) {
        f[AMD_FIELD_TH] |= f[AMD_FIELD_GLC]; /* it returns a result */
        f[AMD_FIELD_GLC] = 0;
    }
    if (amd_is_bitop3(e->row)) {
        f[AMD_FIELD_NEG] = in->imm & 7;
        f[AMD_FIELD_ABS] = in->imm >> 3 & 7;
        f[AMD_FIELD_OMOD] = in->imm >> 6 & 3;
    }
    if (in->fmt == AMD_VOP3 && amd_swaps_rows(e->row)) {
        f[AMD_FIELD_OPSEL] = in->fi | (uint32_t)in->bound_ctrl << 1;
        f[AMD_FIELD_FI] = f[AMD_FIELD_BOUND_CTRL] = 0;
    }
    switch (in->ext) {
    case AMD_EXT_SDWA: f[AMD_FIELD_SRC0] = AMD_SRC_SDWA; break;
    case AMD_EXT_DPP16: f[AMD_FIELD_SRC0] = AMD_SRC_DPP16; break;
    case AMD_EXT_DPP8:
        f[AMD_FIELD_SRC0] = in->fi ? AMD_SRC_DPP8_FI : AMD_SRC_DPP8;
        f[AMD_FIELD_FI] = 0;
        break;
    default: break;
    }
}

/* Sets the halves of 16-bit registers in 32-bit encodings: bit 7 of the register fields. */
static void
put_halves(encoder *e)
{
    const amd_inst *in = e->in;
    unsigned n_src = 0, n_dst = 0;
    if (!in->op_sel || (in->fmt != AMD_VOP1 && in->fmt != AMD_VOP2 && in->fmt != AMD_VOPC))
        return;
    for (const amd_operand *o = e->row->operands;
         o < e->row->operands + AMD_MAX_OPERANDS && o->role; o++) {
        bool src = o->role == AMD_ROLE_SRC;
        unsigned bit = 1u << amd_half_bit(e->row, o, n_src);
        unsigned code = src ? in->src[n_src] : in->dst[n_dst];
        amd_field field = src ? e->places.src[n_src] : e->places.dst[n_dst];
        n_src += src;
        n_dst += !src;
        if (!(in->op_sel & bit) || code < AMD_REG_VGPR0 || !amd_is_half(e->gen, e->row, o))
            continue;
        e->raw.f[field] |= 0x80;
        e->raw.f[AMD_FIELD_OPSEL] &= ~bit;
    }
}

static bool
extension_valid(const encoder *e)
{
    if (e->in->ext == AMD_EXT_NONE)
        return true;
    bool e32 = e->in->fmt == AMD_VOP1 || e->in->fmt == AMD_VOP2 || e->in->fmt == AMD_VOPC;
    if (e->in->ext == AMD_EXT_SDWA)
        return e32 && amd_op_has_sdwa((amd_op)e->in->op, e->gen);
    return amd_op_has_dpp((amd_op)e->in->op, (amd_fmt)e->in->fmt, e->gen);
}

static bool
has_literal(const amd_inst *in)
{
    for (unsigned i = 0; i < in->n_src; i++) {
        if (in->src[i] == AMD_SRC_LITERAL)
            return true;
    }
    return false;
}

/* v_bitop3 has no modifiers in its truth table's bits. */
static bool
table_valid(const encoder *e)
{
    const amd_inst *in = e->in;
    return !amd_is_bitop3(e->row) ||
           (in->imm >= 0 && in->imm < 256 && !(in->neg | in->abs | in->omod));
}

/* Writes the words after the layout's: a literal or image addresses. */
static void
put_tail(const encoder *e, base_buf *out)
{
    const amd_inst *in = e->in;
    if (has_literal(in))
        buf_put_u32(out, in->literal);
    if (!in->nsa || e->gen == AMD_GFX12)
        return;
    for (unsigned i = 1; i < nsa_words(e->n_nsa) * 4 + 1; i++)
        buf_put_u8(out, i < e->n_nsa ? (uint8_t)e->nsa[i] : 0);
}

bool
amd_encode(amd_gen gen, amd_inst *in, base_buf *out)
{
    if (in->fmt == AMD_VOPD)
        return amd_encode_dual(gen, in, out);
    encoder e = {.gen = gen, .row = amd_op_row((amd_op)in->op), .in = in};
    int number = amd_op_number((amd_op)in->op, (amd_fmt)in->fmt, gen);
    if (number < 0 || !extension_valid(&e) || !table_valid(&e))
        return false;
    amd_fmt fmt = (amd_fmt)in->fmt;
    amd_places_of(gen, e.row, fmt, (amd_ext)in->ext, &e.places);
    if (!amd_inst_valid(gen, e.row, &e.places, in) || !put_offset(&e))
        return false;
    for (unsigned i = 0; i < in->n_dst; i++)
        put_register(&e, e.places.dst[i], in->dst[i]);
    for (unsigned i = 0; i < in->n_src; i++)
        put_register(&e, e.places.src[i], in->src[i]);
    if (in->nsa)
        e.n_nsa = nsa_tuples(&e, e.nsa);
    put_members(&e);
    put_halves(&e);
    join_smem_offset(&e);
    if (fmt == AMD_MIMG && gen == AMD_GFX12 && !put_address_fields(&e))
        return false;
    if (!put_immediate(&e) || !amd_raw_valid(gen, e.row, fmt, (amd_ext)in->ext, &e.places, &e.raw))
        return false;
    amd_layout_id layout = amd_layout_of(gen, e.row, fmt);
    if (layout == AMD_L_NONE)
        return false;
    e.raw.f[AMD_FIELD_ENC] = amd_layouts[layout].enc;
    e.raw.f[AMD_FIELD_OP] = fmt == AMD_EXP              ? 0
                            : layout == AMD_L_VSAMPLE   ? (uint32_t)number - AMD_VSAMPLE_NUMBERS
                            : layout == AMD_L_MAI_SCALE ? AMD_MAI_WORD | (number & 0x7f)
                                                        : (uint32_t)number;
    if (layout == AMD_L_MAI_SCALE)
        e.raw.f[AMD_FIELD_SCALED] = 1;
    if (fmt == AMD_VOP3 && e.places.attr != AMD_FIELD_NONE) {
        /* the first source is src1, with the modifier bits of src1 */
        e.raw.f[AMD_FIELD_NEG] <<= 1;
        e.raw.f[AMD_FIELD_ABS] <<= 1;
    }
    if (fmt == AMD_VOP3 && amd_operand_kind(gen, &e.row->operands[0]) == AMD_K_EXEC)
        e.raw.f[AMD_FIELD_VDST] = AMD_REG_EXEC_LO; /* ignored, but set by convention */
    if (fmt == AMD_VOP3P && layout != AMD_L_MAI &&
        layout != AMD_L_MAI_SCALE) /* of absent sources: set by convention */
        e.raw.f[AMD_FIELD_OPSEL_HI] |= 7u & ~((1u << in->n_src) - 1);
    amd_exchange_null(gen, fmt, &e.raw);
    uint32_t word[4] = {0};
    pack(layout, &e.raw, word);
    unsigned words = amd_layouts[layout].words;
    if (in->ext != AMD_EXT_NONE)
        pack(amd_layout_of_ext(gen, fmt, (amd_ext)in->ext), &e.raw, &word[words++ - 1]);
    if (!all_packed(&e.raw))
        return false;
    size_t start = out->size;
    for (unsigned i = 0; i < words; i++)
        buf_put_u32(out, word[i]);
    put_tail(&e, out);
    in->size = (uint8_t)(out->size - start);
    return true;
}
