/* Checks that an instruction's operands match its row and its encoding. Decoder and encoder use the
 * same checks: what one rejects, the other cannot produce. */
#include "amd/isa/table/layout.h"
#include "amd/isa/table/mimg.h"

/* The number of registers of a matrix part, see AMD_CLASS_MB. */
static unsigned
matrix_dwords(amd_gen gen, const amd_operand *o, bool wave64)
{
    amd_type t = (amd_type)o->type;
    if (gen == AMD_GFX12)
        return amd_type_dwords(t, wave64);
    if (o->role == AMD_ROLE_SRC && o->kind == AMD_K_VGPR)
        return amd_type_dwords(t, false) * 2;
    return wave64 ? 4 : 8;
}

/* gfx801 to gfx805 use a separate register for each 16-bit value of a formatted access. */
static unsigned
unpacked_dwords(amd_op op, unsigned packed)
{
    switch (op) {
    case AMD_BUFFER_LOAD_FORMAT_D16_XY:
    case AMD_BUFFER_STORE_FORMAT_D16_XY:
    case AMD_TBUFFER_LOAD_FORMAT_D16_XY:
    case AMD_TBUFFER_STORE_FORMAT_D16_XY: return 2;
    case AMD_BUFFER_LOAD_FORMAT_D16_XYZ:
    case AMD_BUFFER_STORE_FORMAT_D16_XYZ:
    case AMD_TBUFFER_LOAD_FORMAT_D16_XYZ:
    case AMD_TBUFFER_STORE_FORMAT_D16_XYZ: return 3;
    case AMD_BUFFER_LOAD_FORMAT_D16_XYZW:
    case AMD_BUFFER_STORE_FORMAT_D16_XYZW:
    case AMD_TBUFFER_LOAD_FORMAT_D16_XYZW:
    case AMD_TBUFFER_STORE_FORMAT_D16_XYZW: return 4;
    default: return packed;
    }
}

/* The registers of a matrix operation's factor of 32 elements a lane, by its format. Formats that
 * do not exist take those of 8 bits. */
static unsigned
factor_dwords(unsigned format)
{
    return format == AMD_FACTOR_FP4                               ? 4
           : format == AMD_FACTOR_FP6 || format == AMD_FACTOR_BF6 ? 6
                                                                  : 8;
}

/* The number of registers that the operand occupies, for a wave64; MASK counts as one, as the wave
 * size is not known here. */
static unsigned
operand_dwords(amd_gen gen, const amd_op_info *row, const amd_inst *in, const amd_operand *o)
{
    unsigned n = amd_type_dwords((amd_type)o->type, false);
    if (amd_type_is_matrix((amd_type)o->type))
        return matrix_dwords(gen, o, true);
    switch (in->fmt) {
    case AMD_VOP3P:
        if (o->kind == AMD_K_VANY && amd_has_factor_formats(row))
            return factor_dwords(o == &row->operands[1] ? in->cbsz : in->blgp);
        return n;
    case AMD_MIMG:
        if (o->kind == AMD_K_VDATA && gen == AMD_GFX8 && in->d16) {
            amd_inst unpacked = *in;
            unpacked.d16 = false;
            return amd_mimg_data_dwords(row, &unpacked);
        }
        if (o->kind == AMD_K_VDATA)
            return amd_mimg_data_dwords(row, in);
        if (o->kind == AMD_K_VADDR && gen < AMD_GFX10)
            return amd_mimg_address_least(row);
        if (o->kind == AMD_K_VADDR)
            return in->nsa ? 1 : amd_mimg_address_tuple(row, in);
        return n;
    case AMD_MUBUF:
    case AMD_MTBUF:
        if (o->kind == AMD_K_VADDR)
            return in->addr64 ? 2u : (in->offen ? 1u : 0u) + (in->idxen ? 1u : 0u);
        if (o->kind == AMD_K_VDATA && gen == AMD_GFX8)
            n = unpacked_dwords((amd_op)in->op, n);
        return n + (o->kind == AMD_K_VDATA && in->tfe ? 1 : 0);
    case AMD_FLAT: return n + (o->role == AMD_ROLE_DST && in->tfe ? 1 : 0);
    case AMD_GLOBAL:
        if (o->kind == AMD_K_VADDR && in->src[in->n_src - 1] != AMD_REG_ABSENT)
            return 1;
        return n;
    default: return n;
    }
}

unsigned
amd_operand_dwords(amd_gen gen, const amd_op_info *row, const amd_inst *in, const amd_operand *o,
                   bool wave64)
{
    if (o->type == AMD_T_MASK)
        return wave64 ? 2 : 1;
    if (amd_type_is_matrix((amd_type)o->type))
        return matrix_dwords(gen, o, wave64);
    return operand_dwords(gen, row, in, o);
}

static bool
vgpr_valid(unsigned code, unsigned count)
{
    return code >= AMD_REG_VGPR0 && code + count <= AMD_REG_VGPR0 + 256;
}

/* Do these AGPRs exist on the generation? */
static bool
agpr_valid(amd_gen gen, unsigned code, unsigned count)
{
    return gen >= AMD_GFX908 && gen <= AMD_GFX950 && code >= AMD_REG_AGPR0 &&
           code + count <= AMD_REG_AGPR0 + 256;
}

/* Data of memory operations; from gfx90a on they may be in AGPRs. */
static bool
data_valid(amd_gen gen, const amd_inst *in, unsigned code, unsigned count)
{
    bool agprs = gen >= AMD_GFX90A && in->fmt >= AMD_DS && in->fmt <= AMD_SCRATCH;
    return vgpr_valid(code, count) || (agprs && agpr_valid(gen, code, count));
}

static bool
scalar_source_valid(amd_gen gen, const amd_inst *in, unsigned code, unsigned count)
{
    bool e64 = in->fmt == AMD_VOP3 || in->fmt == AMD_VOP3P;
    if (code == AMD_SRC_LITERAL) /* in VOP3 from gfx10 on (RDNA 1.0 ISA, "Literal constants") */
        return in->ext == AMD_EXT_NONE && (!e64 || gen >= AMD_GFX10);
    return amd_scalar_valid(gen, code, count) || amd_constant_valid(gen, code);
}

/* VSRC: the field that holds it decides what is allowed. */
static bool
vector_source_valid(amd_gen gen, const amd_inst *in, amd_field field, unsigned code, unsigned count)
{
    if (code >= AMD_REG_VGPR0)
        return vgpr_valid(code, count);
    bool e32 = in->fmt == AMD_VOP1 || in->fmt == AMD_VOP2 || in->fmt == AMD_VOPC;
    if (e32 && in->ext != AMD_EXT_SDWA && field != AMD_FIELD_SRC0)
        return false; /* src1, and src0 with DPP */
    if (!e32 && in->ext != AMD_EXT_NONE) {
        /* DPP in VOP3: src1 must be a VGPR on gfx11 (RDNA3.5 ISA, "DPP": no longer) */
        if (field == AMD_FIELD_XSRC0 || (field == AMD_FIELD_SRC1 && gen == AMD_GFX11))
            return false;
    }
    if (code == AMD_SRC_LDS_DIRECT)
        return count == 1 && gen < AMD_GFX11;
    return scalar_source_valid(gen, in, code, count);
}

/* Must an optional operand be absent? Otherwise it must be present. An absent operand is omitted in
 * the text, or written "off". */
static bool
is_absent(amd_gen gen, const amd_op_info *row, const amd_inst *in, const amd_operand *o,
          unsigned place)
{
    (void)gen;
    switch (in->fmt) {
    case AMD_MUBUF:
    case AMD_MTBUF:
        if (o->kind == AMD_K_VADDR)
            return !in->offen && !in->idxen && !in->addr64;
        return o->kind == AMD_K_VDATA && in->lds;
    case AMD_FLAT:
    case AMD_GLOBAL:
        return o->role == AMD_ROLE_DST && (in->lds || (row->flags & AMD_F_ATOMIC && !in->glc));
    case AMD_SCRATCH:
        if (o->kind == AMD_K_VADDR) { /* with saddr, and if there is neither */
            bool saddr = in->src[in->n_src - 1] != AMD_REG_ABSENT;
            if (in->src[place] == AMD_REG_ABSENT)
                return saddr || gen > AMD_GFX90A;
            return saddr && !amd_has_sve(gen);
        }
        return o->role == AMD_ROLE_DST && in->lds;
    case AMD_EXP: {
        unsigned bits = in->compr ? 3u << place * 2 : 1u << place;
        return !(in->dmask & bits);
    }
    default: return false;
    }
}

/* 32-bit encodings have halves of v0 to v127 only. */
static bool
half_valid(amd_gen gen, const amd_op_info *row, const amd_inst *in, const amd_operand *o,
           unsigned code)
{
    bool e32 = in->fmt == AMD_VOP1 || in->fmt == AMD_VOP2 || in->fmt == AMD_VOPC;
    return !e32 || code < AMD_REG_VGPR0 + 128 || !amd_is_half(gen, row, o);
}

/* Most operands: a VGPR in a vector ALU instruction, which may be there whatever its size and the
 * encoding are. */
static bool
is_plain_vgpr(const amd_inst *in, const amd_operand *o, unsigned code)
{
    enum { LARGEST = 32, LOWER = AMD_REG_VGPR0 + 128 /* see half_valid */ };
    return (o->kind == AMD_K_VSRC || o->kind == AMD_K_VGPR) && in->fmt >= AMD_VOP1 &&
           in->fmt <= AMD_VOP3P && code >= AMD_REG_VGPR0 && code + LARGEST <= LOWER;
}

static bool
operand_valid(amd_gen gen, const amd_op_info *row, const amd_inst *in, const amd_operand *o,
              amd_field field, unsigned place, unsigned code)
{
    if (is_plain_vgpr(in, o, code))
        return true;
    unsigned count = operand_dwords(gen, row, in, o);
    switch (amd_operand_kind(gen, o)) {
    case AMD_K_EXEC: return code == AMD_REG_EXEC_LO;
    case AMD_K_LIT: return code == AMD_SRC_LITERAL;
    case AMD_K_PARAM: return code <= 2;
    case AMD_K_MASK:
        if (field == AMD_FIELD_NONE)
            return code == AMD_REG_VCC_LO;
        return amd_scalar_valid(gen, code, gen < AMD_GFX10 ? 2 : 1) &&
               !(o->role == AMD_ROLE_SRC && code >= AMD_REG_EXEC_LO);
    case AMD_K_SBAR: return code == AMD_REG_M0 || (code >= 128 && amd_constant_valid(gen, code));
    case AMD_K_SSRC:
        if (in->fmt == AMD_VOP2 && field == AMD_FIELD_SRC1 && code == AMD_SRC_LITERAL)
            return false; /* lanes of gfx6 and gfx7 */
        return scalar_source_valid(gen, in, code, count);
    case AMD_K_VLANE: return (code == AMD_SRC_LDS_DIRECT && gen < AMD_GFX11) || vgpr_valid(code, 1);
    case AMD_K_VSRC:
        if (amd_type_is_matrix((amd_type)o->type) && code < AMD_REG_VGPR0 &&
            (code < AMD_SRC_INT_0 || code > AMD_SRC_F_INV_2PI ||
             (code >= AMD_SRC_SHARED_BASE && code <= AMD_SRC_POPS_EXITING_WAVE_ID)))
            return false; /* a matrix is VGPRs or an inline constant */
        return vector_source_valid(gen, in, field, code, count) &&
               half_valid(gen, row, in, o, code);
    case AMD_K_SOFFSET:
        if (in->fmt == AMD_SMEM)
            return code == AMD_REG_ABSENT || amd_scalar_valid(gen, code, 1) ||
                   (code == AMD_SRC_LITERAL && gen == AMD_GFX7);
        return amd_scalar_valid(gen, code, 1) || amd_constant_valid(gen, code);
    case AMD_K_SBASE:
    case AMD_K_RSRC:
    case AMD_K_SAMP: return code != AMD_REG_NULL && amd_scalar_valid(gen, code, count);
    case AMD_K_SADDR:
        if (code == AMD_REG_EXEC_HI && gen >= AMD_GFX11)
            return false;
        return code == AMD_REG_ABSENT || amd_scalar_valid(gen, code, count);
    case AMD_K_AGPR: return agpr_valid(gen, code, count);
    case AMD_K_VACC:
        return agpr_valid(gen, code, count) || (gen != AMD_GFX908 && vgpr_valid(code, count));
    case AMD_K_SACC:
        if (code >= AMD_SRC_INT_0 && code < AMD_REG_VGPR0)
            return amd_constant_valid(gen, code);
        return in->dst[0] >= AMD_REG_AGPR0 ? agpr_valid(gen, code, count) : vgpr_valid(code, count);
    case AMD_K_VANY: return vgpr_valid(code, count) || agpr_valid(gen, code, count);
    case AMD_K_VGPR:
    case AMD_K_VDATA:
    case AMD_K_VDATA0:
    case AMD_K_VDATA1:
        if (is_absent(gen, row, in, o, place))
            return code == AMD_REG_ABSENT;
        return data_valid(gen, in, code, count) && half_valid(gen, row, in, o, code);
    case AMD_K_VADDR:
        if (in->fmt == AMD_DS && row->flags & AMD_F_EXPC)
            return data_valid(gen, in, code, count);
        return is_absent(gen, row, in, o, place) ? code == AMD_REG_ABSENT : vgpr_valid(code, count);
    case AMD_K_VEXP:
        return is_absent(gen, row, in, o, place) ? code == AMD_REG_ABSENT : vgpr_valid(code, count);
    case AMD_K_SDST:
    case AMD_K_SDATA:
        if (in->fmt == AMD_SMEM && (o->role != AMD_ROLE_SRC || gen == AMD_GFX8) &&
            (code == AMD_REG_M0 || code >= AMD_REG_EXEC_LO))
            return false;
        if (in->fmt == AMD_VOP3 && amd_type_class((amd_type)o->type) == AMD_CLASS_F &&
            code >= AMD_REG_EXEC_LO)
            return false; /* v_s_exp_f32 and related opcodes: LLVM 19 (SReg_32_XEXEC) */
        return amd_scalar_valid(gen, code, count);
    default: return amd_scalar_valid(gen, code, count);
    }
}

/* Operand fields of vector instructions; unused ones must be zero. */
static const uint8_t operand_fields[] = {
    AMD_FIELD_SIMM16, AMD_FIELD_VDST,  AMD_FIELD_SRC0,  AMD_FIELD_SRC1,
    AMD_FIELD_SRC2,   AMD_FIELD_XSRC0, AMD_FIELD_VADDR, AMD_FIELD_VDATA,
    AMD_FIELD_DATA1,  AMD_FIELD_DATA2, AMD_FIELD_DATA3,
};

amd_unused
amd_unused_fields(const amd_op_info *row, amd_fmt fmt, amd_ext ext, const amd_places *places,
                  const amd_raw *raw)
{
    if (fmt == AMD_FLAT || fmt == AMD_GLOBAL || fmt == AMD_SCRATCH || fmt == AMD_LDSDIR)
        return AMD_UNUSED_ZERO; /* ignored there */
    amd_unused found = AMD_UNUSED_ZERO;
    uint64_t used[2] = {0, 0};
    for (unsigned i = 0; i < AMD_MAX_DST; i++)
        used[places->dst[i] / 64] |= UINT64_C(1) << places->dst[i] % 64;
    for (unsigned i = 0; i < AMD_MAX_SRC; i++)
        used[places->src[i] / 64] |= UINT64_C(1) << places->src[i] % 64;
    used[places->attr / 64] |= UINT64_C(1) << places->attr % 64;
    for (unsigned i = 0; i < AMD_MAX_OPERANDS; i++) {
        if (row->operands[i].role == AMD_ROLE_IMM)
            used[AMD_FIELD_SIMM16 / 64] |= UINT64_C(1) << AMD_FIELD_SIMM16 % 64;
    }
    if (ext != AMD_EXT_NONE)
        used[AMD_FIELD_SRC0 / 64] |= UINT64_C(1) << AMD_FIELD_SRC0 % 64;
    for (unsigned i = 0; i < sizeof operand_fields; i++) {
        unsigned f = operand_fields[i];
        if (!raw->f[f] || used[f / 64] >> f % 64 & 1)
            continue;
        bool source = f == AMD_FIELD_SRC0 || f == AMD_FIELD_SRC1 || f == AMD_FIELD_SRC2;
        if (source && raw->f[f] == AMD_SRC_LITERAL)
            return AMD_UNUSED_LITERAL;
        found = AMD_UNUSED_SET;
    }
    return found;
}

/* A bit mask of the sources whose class is among the bits `classes`. */
static uint32_t
sources_of(const amd_op_info *row, uint32_t classes)
{
    uint32_t bits = 0;
    const amd_operand *o;
    for (unsigned i = 0; (o = amd_op_src(row, i)); i++)
        bits |= (classes >> amd_type_class((amd_type)o->type) & 1) << i;
    return bits;
}

/* v_cndmask moves bits, but they count as floats if it can negate them. */
static uint32_t
float_sources(const amd_op_info *row)
{
    bool moves = row->flags & AMD_F_NEG && sources_of(row, 1u << AMD_CLASS_MASK);
    uint32_t moved = moves ? 1u << AMD_CLASS_B : 0;
    return sources_of(row, 1u << AMD_CLASS_F | 1u << AMD_CLASS_V2F | 1u << AMD_CLASS_BF | moved);
}

uint32_t
amd_int_sources(const amd_op_info *row)
{
    return sources_of(row, 1u << AMD_CLASS_B | 1u << AMD_CLASS_U | 1u << AMD_CLASS_I) &
           ~float_sources(row);
}

/* Valid are quad_perm; row_shl, row_shr, row_ror by 1 to 15; mirrors. Before gfx10 also shifts,
 * rotations and broadcasts over rows (GCN3 ISA, "DPP"); gfx90a and gfx942: row_newbcast (CDNA 2
 * ISA), the only one for doubles (according to LLVM's assembler); from gfx10 on row_share,
 * row_xmask (RDNA 2 ISA, "DPP16"). */
static bool
dpp_ctrl_valid(amd_gen gen, const amd_op_info *row, uint32_t ctrl)
{
    if (amd_shares_agprs(gen) && amd_op_has_doubles(row))
        return ctrl >= 0x150 && ctrl < 0x160;
    if (ctrl < 0x100)
        return true;
    if (ctrl < 0x130)
        return ctrl & 15;
    if (ctrl == 0x140 || ctrl == 0x141)
        return true;
    if (gen >= AMD_GFX10)
        return ctrl >= 0x150 && ctrl < 0x170;
    if (ctrl >= 0x150 && ctrl < 0x160)
        return amd_shares_agprs(gen);
    return (ctrl < 0x140 && ctrl % 4 == 0) || ctrl == 0x142 || ctrl == 0x143;
}

static bool
is_float_result(const amd_op_info *row)
{
    amd_class class = amd_type_class((amd_type)row->operands[0].type);
    return class == AMD_CLASS_F || class == AMD_CLASS_V2F;
}

/* gfx12's VOP3P operations that do not select halves: matrices, and dot products of 8-bit
 * floats. */
static bool
fixed_halves(const amd_op_info *row)
{
    const amd_operand *o = row->operands;
    return amd_type_is_matrix((amd_type)o[0].type) ||
           (o[1].type == AMD_T_B32 && o[3].type == AMD_T_F32 && !(row->flags & AMD_F_CLAMP));
}

/* RDNA4 ISA, "Wave Matrix Multiply Accumulate": float factors and the addend have neg_lo and neg_hi
 * (for the addend they mean neg and abs); neg_lo of integer factors says that they are signed.
 * op_sel of a sparse product selects the bits of the index that it uses. */
static bool
matrix_modifiers_valid(const amd_op_info *row, const uint32_t *f)
{
    const amd_operand *o;
    uint32_t neg = 0, neg_hi = 0, key = 0;
    for (unsigned i = 0; (o = amd_op_src(row, i)); i++) {
        bool is_float = amd_type_class((amd_type)o->type) == AMD_CLASS_MF || o->type == AMD_T_F32;
        bool is_signed = amd_type_class((amd_type)o->type) == AMD_CLASS_MI && o->kind == AMD_K_VGPR;
        neg |= (uint32_t)(is_float || is_signed) << i;
        neg_hi |= (uint32_t)is_float << i;
    }
    if (row->operands[0].role == AMD_ROLE_BOTH)
        key = row->operands[1].type == AMD_T_MI32 ||
                      row == amd_op_row(AMD_V_SWMMAC_I32_16X16X64_IU4)
                  ? 1
                  : 3;
    return f[AMD_FIELD_OPSEL] <= key && f[AMD_FIELD_OPSEL_HI] == 7 && !(f[AMD_FIELD_NEG] & ~neg) &&
           !(f[AMD_FIELD_NEG_HI] & ~neg_hi);
}

/* The bits that op_sel may have. */
static uint32_t
op_sel_bits(amd_gen gen, const amd_op_info *row, amd_fmt fmt, uint32_t sources, bool dst_half)
{
    bool may = fmt != AMD_VOP3 || amd_has_op_sel(gen, row);
    switch (amd_converts_bytes(gen, row)) {
    case AMD_FROM_BYTE: return 3;
    case AMD_FROM_BYTES: return 9;
    case AMD_TO_BYTE: return gen < AMD_GFX12 ? 15 : 12;
    default:
        if (amd_swaps_rows(row))
            return 3;
        if (row->fmt == AMD_VOP3 && amd_op_sel_third(row))
            sources |= 4;
        return (may ? sources | (dst_half ? 8u : 0) : 0) | amd_half_mask(gen, row);
    }
}

static bool
vop_modifiers_valid(amd_gen gen, const amd_op_info *row, amd_fmt fmt, amd_ext ext,
                    const amd_places *places, const uint32_t *f)
{
    if (ext == AMD_EXT_NONE && places->attr == AMD_FIELD_NONE &&
        !(f[AMD_FIELD_OMOD] | f[AMD_FIELD_CLAMP] | f[AMD_FIELD_NEG] | f[AMD_FIELD_ABS] |
          f[AMD_FIELD_OPSEL] | f[AMD_FIELD_NEG_HI] | f[AMD_FIELD_SEXT] | (fmt == AMD_VOP3P)))
        return true; /* most instructions have it */
    uint32_t flags = row->flags, floats = float_sources(row);
    uint32_t sources = (1u << amd_op_src_count(row)) - 1;
    if (amd_is_bitop3(row))
        return !f[AMD_FIELD_CLAMP] && (flags & AMD_F_OPSEL || !f[AMD_FIELD_OPSEL]);
    if (amd_has_factor_formats(row) && (f[AMD_FIELD_ABID] || f[AMD_FIELD_SCALED] > 1))
        return false;
    if (f[AMD_FIELD_OMOD] && !(flags & AMD_F_OMOD))
        return false;
    if (f[AMD_FIELD_CLAMP] && !(flags & AMD_F_CLAMP) && ext != AMD_EXT_SDWA)
        return false;
    if (f[AMD_FIELD_CLAMP] && gen < AMD_GFX8 && !is_float_result(row))
        return false; /* integers saturate, compares signal from gfx8 on (GCN3 ISA, "VOP3") */
    if (fmt == AMD_VOP1 &&
        (f[AMD_FIELD_SRC1_SEL] | f[AMD_FIELD_S1] | (f[AMD_FIELD_SEXT] & ~sources)))
        return false;
    if (ext == AMD_EXT_SDWA && f[AMD_FIELD_OMOD] && !is_float_result(row))
        return false;
    if (ext == AMD_EXT_DPP8 && gen < AMD_GFX10)
        return false; /* RDNA ISA, "DPP8" */
    if (ext == AMD_EXT_DPP16 && !dpp_ctrl_valid(gen, row, f[AMD_FIELD_DPP_CTRL]))
        return false;
    if (f[AMD_FIELD_SRC0_SEL] > 6 || f[AMD_FIELD_SRC1_SEL] > 6 || f[AMD_FIELD_DST_SEL] > 6 ||
        f[AMD_FIELD_DST_UNUSED] > 2)
        return false;
    if (gen < AMD_GFX12 && f[AMD_FIELD_OPSEL] &&
        amd_type_is_matrix((amd_type)row->operands[0].type) && row->operands[0].type != AMD_T_MF128)
        return false; /* WMMA */
    if (fmt == AMD_VINTERP && f[AMD_FIELD_OPSEL] && !(flags & AMD_F_OPSEL))
        return false;
    bool dst_half = fmt == AMD_VOP3 || fmt == AMD_VINTERP || amd_half_mask(gen, row) & 8;
    if (f[AMD_FIELD_OPSEL] & ~op_sel_bits(gen, row, fmt, sources, dst_half))
        return false;
    if (f[AMD_FIELD_CLAMP] | f[AMD_FIELD_OMOD] && amd_converts_bytes(gen, row) == AMD_FROM_BYTE)
        return false;
    if (f[AMD_FIELD_SD] && amd_operand_kind(gen, &row->operands[0]) == AMD_K_EXEC)
        return false;
    if (places->attr == AMD_FIELD_SRC0 && row->fmt == AMD_VINTRP && f[AMD_FIELD_SRC0] & 256)
        return false; /* only f16 has `high` */
    if (fmt == AMD_VOP3P && gen == AMD_GFX12 && fixed_halves(row))
        return matrix_modifiers_valid(row, f);
    if (fmt == AMD_VOP3P && amd_moves_agpr(row))
        return !(f[AMD_FIELD_NEG] | f[AMD_FIELD_NEG_HI] | f[AMD_FIELD_OPSEL]);
    if (row->operands[0].kind == AMD_K_VACC && row->operands[0].role == AMD_ROLE_BOTH &&
        f[AMD_FIELD_BLGP])
        return false; /* sparse matrices */
    if (fmt == AMD_VOP3P)
        return !((f[AMD_FIELD_NEG] | f[AMD_FIELD_NEG_HI]) & ~sources);
    bool e64 = fmt == AMD_VOP3 || fmt == AMD_VINTERP;
    uint32_t neg = (ext != AMD_EXT_NONE && !e64) || flags & AMD_F_NEG ? floats : 0;
    if ((f[AMD_FIELD_NEG] | f[AMD_FIELD_ABS]) & ~neg)
        return false;
    return !(f[AMD_FIELD_SEXT] & floats);
}

/* Global wave sync has no LDS form, and lane permutations have no GDS form. */
static bool
ds_modifiers_valid(amd_gen gen, const amd_op_info *row, const uint32_t *f)
{
    (void)gen;
    if (row == amd_op_row(AMD_DS_ADD_GS_REG_RTN) || row == amd_op_row(AMD_DS_SUB_GS_REG_RTN))
        return f[AMD_FIELD_GDS];
    if (row->operands[1].kind == AMD_K_VADDR && row->operands[1].role == AMD_ROLE_BOTH) /* stacks */
        return !f[AMD_FIELD_GDS];
    if (row->flags & AMD_F_EXPC)
        return f[AMD_FIELD_GDS];
    if (f[AMD_FIELD_GDS])
        return row->flags & AMD_F_LDS || row == amd_op_row(AMD_DS_SWIZZLE_B32);
    return row->operands[0].role != 0 || f[AMD_FIELD_OFFSET] == 0;
}

/* gfx11's cache maintenance and probes have no cache policy, and s_memtime has no offset. */
static bool
smem_fields_valid(amd_gen gen, const amd_op_info *row, const uint32_t *f)
{
    bool plain = !row->operands[0].role || row->operands[0].kind == AMD_K_PROBE;
    if (gen < AMD_GFX10)
        return amd_op_src_count(row) || !f[AMD_FIELD_IMM];
    return !plain || (gen != AMD_GFX11 && gen != AMD_GFX11_5) ||
           !(f[AMD_FIELD_GLC] || f[AMD_FIELD_DLC]);
}

/* Ray intersections have fixed modifiers (RDNA 2 ISA, "Ray Tracing"). */
static bool
bvh_modifiers_valid(amd_gen gen, const amd_op_info *row, const uint32_t *f)
{
    if (f[AMD_FIELD_A16] && row->memory > AMD_A_BVH64)
        return false;
    bool unorm = f[AMD_FIELD_UNORM] || gen == AMD_GFX12; /* VIMAGE has no such field */
    return f[AMD_FIELD_DMASK] == 15 && unorm && f[AMD_FIELD_R128] &&
           !(f[AMD_FIELD_DIM] | f[AMD_FIELD_TH] | f[AMD_FIELD_SCOPE] | f[AMD_FIELD_GLC] |
             f[AMD_FIELD_SLC] | f[AMD_FIELD_DLC] | f[AMD_FIELD_TFE] | f[AMD_FIELD_LWE] |
             f[AMD_FIELD_D16] | f[AMD_FIELD_SSAMP]);
}

/* Does a buffer, LDS or flat instruction have data in VGPRs? */
static bool
has_data(const amd_op_info *row, const uint32_t *f)
{
    bool data = false;
    for (const amd_operand *o = row->operands; o < row->operands + AMD_MAX_OPERANDS && o->role; o++)
        data |= o->kind == AMD_K_VDATA || o->kind == AMD_K_VDATA0 || o->kind == AMD_K_VGPR ||
                row->fmt == AMD_DS;
    return data && !f[AMD_FIELD_LDS];
}

bool
amd_raw_valid(amd_gen gen, const amd_op_info *row, amd_fmt fmt, amd_ext ext,
              const amd_places *places, const amd_raw *raw)
{
    const uint32_t *f = raw->f;
    if (f[AMD_FIELD_ZERO])
        return false;
    if ((fmt >= AMD_VOP1 && fmt <= AMD_VOP3P) || fmt == AMD_VINTERP)
        return vop_modifiers_valid(gen, row, fmt, ext, places, f);
    if (f[AMD_FIELD_ACC] && fmt >= AMD_DS && fmt <= AMD_SCRATCH && !has_data(row, f))
        return false;
    switch (fmt) {
    case AMD_SMEM: {
        bool number = row->operands[0].kind == AMD_K_PROBE || amd_is_prefetch(row);
        if (gen == AMD_GFX12)
            return !number || f[AMD_FIELD_SDATA] < 32;
        return smem_fields_valid(gen, row, f);
    }
    case AMD_DS: return ds_modifiers_valid(gen, row, f);
    case AMD_MIMG:
        if (row->memory & AMD_A_BVH)
            return bvh_modifiers_valid(gen, row, f);
        if (f[AMD_FIELD_SSAMP] && row->operands[3].role == 0)
            return false;
        return !f[AMD_FIELD_D16] || row->flags & AMD_F_D16;
    case AMD_MUBUF:
    case AMD_MTBUF:
        if (!row->operands[0].role)
            return !(f[AMD_FIELD_OFFEN] | f[AMD_FIELD_IDXEN] |
                     ((f[AMD_FIELD_GLC] | f[AMD_FIELD_SC1]) && !amd_is_cdna3(gen)) |
                     f[AMD_FIELD_DLC] | f[AMD_FIELD_LDS] | f[AMD_FIELD_TFE] | f[AMD_FIELD_ADDR64]);
        if (f[AMD_FIELD_ADDR64] && (f[AMD_FIELD_OFFEN] | f[AMD_FIELD_IDXEN]))
            return false; /* the address occupies the VGPRs (Sea Islands ISA, "MUBUF") */
        if (row == amd_op_row(AMD_BUFFER_STORE_LDS_DWORD))
            return f[AMD_FIELD_LDS] &&
                   !(f[AMD_FIELD_OFFEN] | f[AMD_FIELD_IDXEN] | f[AMD_FIELD_TFE]);
        if (f[AMD_FIELD_TFE] && (fmt == AMD_MTBUF || row->flags & AMD_F_ATOMIC))
            return false;
        if (row->operands[0].kind == AMD_K_VADDR)
            return !f[AMD_FIELD_LDS] && !f[AMD_FIELD_TFE];
        if (f[AMD_FIELD_DLC] && row->flags & AMD_F_ATOMIC && gen < AMD_GFX11)
            return false;
        return !f[AMD_FIELD_LDS] || (amd_has_lds_bit(gen, row) && !f[AMD_FIELD_TFE]);
    case AMD_FLAT:
        if (gen < AMD_GFX9)
            return true;
        if (gen == AMD_GFX12)
            return f[AMD_FIELD_SADDR] == AMD_REG_NULL && !f[AMD_FIELD_SVE];
        return f[AMD_FIELD_SADDR] == (gen < AMD_GFX10 ? 0 : AMD_REG_NULL) && !f[AMD_FIELD_LDS] &&
               f[AMD_FIELD_OFFSET] <= (uint32_t)amd_offsets_of(gen, AMD_FLAT).high &&
               !f[AMD_FIELD_SVE];
    case AMD_GLOBAL:
        if (f[AMD_FIELD_SVE])
            return false;
        if (gen == AMD_GFX12 && !row->operands[0].role) /* it has no address */
            return f[AMD_FIELD_SADDR] == AMD_REG_NULL;
        return !f[AMD_FIELD_LDS] || row->flags & AMD_F_LDS;
    case AMD_SCRATCH: return !f[AMD_FIELD_LDS] || row->flags & AMD_F_LDS;
    default: return true;
    }
}

bool
amd_inst_valid(amd_gen gen, const amd_op_info *row, const amd_places *places, const amd_inst *in)
{
    unsigned n_dst = 0, n_src = 0;
    for (const amd_operand *o = row->operands; o < row->operands + AMD_MAX_OPERANDS && o->role;
         o++) {
        if (o->role == AMD_ROLE_IMM)
            continue;
        bool src = o->role == AMD_ROLE_SRC;
        amd_field field = src ? places->src[n_src] : places->dst[n_dst];
        unsigned place = src ? n_src++ : n_dst++;
        unsigned code = src ? in->src[place] : in->dst[place];
        if (!operand_valid(gen, row, in, o, field, place, code))
            return false;
    }
    if (in->nsa && in->n_nsa != amd_mimg_address_dwords(row, in))
        return false;
    for (unsigned i = 0; i < in->n_nsa; i++) {
        if (!vgpr_valid(in->nsa_addr[i], 1))
            return false;
    }
    return in->n_dst == n_dst && in->n_src == n_src;
}
