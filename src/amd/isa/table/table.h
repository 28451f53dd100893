/* The rows of ops.def as data.
 *
 * Users query a row instead of listing opcodes: for allowed operands, their widths, or the counters
 * that an instruction increments. An operand's place in amd_inst follows from its role:
 * destinations (and operands that are both) occupy the places of `dst` in order, sources those of
 * `src`.
 */
#ifndef AMD_TABLE_H
#define AMD_TABLE_H

#include "amd/isa/isa.h"

typedef enum amd_role {
    AMD_ROLE_DST = 1,
    AMD_ROLE_SRC = 2,
    AMD_ROLE_BOTH = 3, /* read and written: in dst */
    AMD_ROLE_IMM = 4,  /* in imm, target */
} amd_role;

/* Kinds of operands. A kind says which registers and constants are allowed and, with the format,
 * which field holds them. */
#define AMD_KINDS(K)                                                                               \
    K(SDST)  /* scalar register, 7-bit: SGPR, vcc, ttmp, m0, null, exec */                         \
    K(SREG)  /* the same as a source: in SOPK's sdst field */                                      \
    K(SSRC)  /* scalar source: scalar register, inline constant, literal, vccz, execz, scc */      \
    K(SBAR)  /* a barrier's number: inline constant or m0 */                                       \
    K(VGPR)  /* VGPR, in vdst, or in the next source field (which then has 8 bits) */              \
    K(VSRC)  /* VGPR; in src0 and in VOP3 also what SSRC may be; src1 of VOP2, VOPC: VGPR only */  \
    K(AGPR)  /* accumulation VGPR (gfx908 to gfx942), in vdst or src0 */                           \
    K(VACC)  /* a matrix's vdst: AGPRs, from gfx90a on also VGPRs */                               \
    K(VANY)  /* VGPRs or AGPRs: a matrix in src0 or src1 */                                        \
    K(SACC)  /* a matrix in src2: of the same file as vdst, or an inline constant */               \
    K(VLANE) /* VGPR or lds_direct: the source of v_readlane */                                    \
    K(MASK)  /* wave mask: vcc (not encoded) in 32-bit encodings, an SGPR or pair in VOP3 */       \
    K(EXEC)  /* exec as v_cmpx's destination: not encoded, not in the text; see operand_kind */    \
    K(LIT)   /* the 32-bit literal after the instruction: src holds AMD_SRC_LITERAL */             \
    K(PARAM) /* v_interp_mov's parameter: 0 p10, 1 p20, 2 p0 */                                    \
    K(SDATA) /* SGPRs in SMEM's sdata field: stored, or an atomic's */                             \
    K(SBASE) /* SGPR pair (address) or four (V#) */                                                \
    K(SOFFSET) /* scalar register; MUBUF: inline constants; SMEM: AMD_REG_ABSENT if not used */    \
    K(SADDR)   /* SGPR (pair), AMD_REG_ABSENT: off */                                              \
    K(VADDR)   /* VGPR address; type VAR: image address, see amd_inst.nsa; ABSENT: off */          \
    K(VDATA)   /* VGPR data of MUBUF, MTBUF, MIMG, FLAT ...; ABSENT in an LDS load of MUBUF */     \
    K(VDATA0)  /* DS data0 */                                                                      \
    K(VDATA1)  /* DS data1 */                                                                      \
    K(RSRC)    /* four SGPRs (V#) or eight (T#) */                                                 \
    K(SAMP)    /* four SGPRs (S#) */                                                               \
    K(VEXP)    /* VGPR of an export, ABSENT: off */                                                \
    /* immediates */                                                                               \
    K(DEC)     /* simm16, printed in decimal up to 64, else in hex */                              \
    K(CODE)    /* s_endpgm's: in decimal, not printed if 0 */                                      \
    K(VERSION) /* s_version's: a name and flags */                                                 \
    K(GPRIDX)  /* which operands are indexed: bits SRC0, SRC1, SRC2, DST */                        \
    K(HEX)     /* simm16, printed in hex */                                                        \
    K(LABEL)   /* signed distance in dwords from the next instruction */                           \
    K(WAITCNT) /* vmcnt, expcnt, lgkmcnt */                                                        \
    K(DEPCTR)                                                                                      \
    K(SENDMSG)                                                                                     \
    K(MSGRTN) /* the message of s_sendmsg_rtn, in ssrc0's field */                                 \
    K(DELAY)  /* s_delay_alu's two dependencies and the distance between them */                   \
    K(HWREG)  /* id, offset, size of a hardware register's field */                                \
    K(OFFSET) /* SMEM's offset as an operand that is always written: in amd_inst.offset */         \
    K(LENGTH) /* a prefetch's length in sdata: 5 bits, in imm */                                   \
    K(PROBE)  /* s_atc_probe's number in sdata */                                                  \
    K(ATTR)   /* attribute * 4 + channel; VOP3: bit 8 is `high` */                                 \
    K(TARGET) /* export target, in amd_inst.target */

typedef enum amd_kind {
#define AMD_KIND_ENUM(name) AMD_K_##name,
    AMD_KINDS(AMD_KIND_ENUM)
#undef AMD_KIND_ENUM
        AMD_K_COUNT
} amd_kind;

typedef enum amd_class {
    AMD_CLASS_VAR,  /* the size depends on other fields: dmask and tfe, image address */
    AMD_CLASS_MASK, /* one bit per lane: 32 or 64 bits, the wave size */
    AMD_CLASS_B,    /* bits */
    AMD_CLASS_U,    /* unsigned integer */
    AMD_CLASS_I,    /* signed integer */
    AMD_CLASS_F,    /* float */
    AMD_CLASS_V2U,  /* two unsigned 16-bit integers, low half first */
    AMD_CLASS_V2I,
    AMD_CLASS_V2F,
    /* A lane's part of a matrix (WMMA): the size on gfx12 in wave32; wave64 has half of it. Before
     * gfx12, factors (VGPR sources) are twice as large in both wave sizes, and 16-bit results take
     * 32 bits each. */
    AMD_CLASS_MB,   /* of 8-bit floats */
    AMD_CLASS_MI,   /* of integers */
    AMD_CLASS_MF,   /* of 16-bit and 32-bit floats */
    AMD_CLASS_ACC,  /* a lane's part of an MFMA result: 32-bit elements */
    AMD_CLASS_ACCD, /* the same of doubles */
    AMD_CLASS_BF,   /* for constants only (consts.h): one or two bfloat16 */
} amd_class;

/* Types: the class and the size in bits. 16-bit operands are the low half of a 32-bit register
 * unless op_sel selects the high one. */
#define AMD_TYPE(class, bits) ((class) << 12 | (bits))
typedef enum amd_type {
    AMD_T_VAR = AMD_TYPE(AMD_CLASS_VAR, 0),
    AMD_T_MASK = AMD_TYPE(AMD_CLASS_MASK, 0),
    AMD_T_B16 = AMD_TYPE(AMD_CLASS_B, 16),
    AMD_T_B32 = AMD_TYPE(AMD_CLASS_B, 32),
    AMD_T_B64 = AMD_TYPE(AMD_CLASS_B, 64),
    AMD_T_B96 = AMD_TYPE(AMD_CLASS_B, 96),
    AMD_T_B128 = AMD_TYPE(AMD_CLASS_B, 128),
    AMD_T_B192 = AMD_TYPE(AMD_CLASS_B, 192),
    AMD_T_B256 = AMD_TYPE(AMD_CLASS_B, 256),
    AMD_T_B512 = AMD_TYPE(AMD_CLASS_B, 512),
    AMD_T_B1024 = AMD_TYPE(AMD_CLASS_B, 1024),
    AMD_T_U16 = AMD_TYPE(AMD_CLASS_U, 16),
    AMD_T_U32 = AMD_TYPE(AMD_CLASS_U, 32),
    AMD_T_U64 = AMD_TYPE(AMD_CLASS_U, 64),
    AMD_T_I16 = AMD_TYPE(AMD_CLASS_I, 16),
    AMD_T_I32 = AMD_TYPE(AMD_CLASS_I, 32),
    AMD_T_I64 = AMD_TYPE(AMD_CLASS_I, 64),
    AMD_T_F16 = AMD_TYPE(AMD_CLASS_F, 16),
    AMD_T_F32 = AMD_TYPE(AMD_CLASS_F, 32),
    AMD_T_F64 = AMD_TYPE(AMD_CLASS_F, 64),
    AMD_T_F128 = AMD_TYPE(AMD_CLASS_F, 128), /* two f64: compare and swap */
    AMD_T_V2U16 = AMD_TYPE(AMD_CLASS_V2U, 32),
    AMD_T_V2I16 = AMD_TYPE(AMD_CLASS_V2I, 32),
    AMD_T_V2F16 = AMD_TYPE(AMD_CLASS_V2F, 32),
    AMD_T_ACC128 = AMD_TYPE(AMD_CLASS_ACC, 128),
    AMD_T_ACC512 = AMD_TYPE(AMD_CLASS_ACC, 512),
    AMD_T_ACC1024 = AMD_TYPE(AMD_CLASS_ACC, 1024),
    AMD_T_ACCD256 = AMD_TYPE(AMD_CLASS_ACCD, 256),
    AMD_T_V2F32 = AMD_TYPE(AMD_CLASS_V2F, 64), /* two f32: packed math of gfx90a and gfx942 */
    AMD_T_MB64 = AMD_TYPE(AMD_CLASS_MB, 64),
    AMD_T_MB128 = AMD_TYPE(AMD_CLASS_MB, 128),
    AMD_T_MI32 = AMD_TYPE(AMD_CLASS_MI, 32),
    AMD_T_MI64 = AMD_TYPE(AMD_CLASS_MI, 64),
    AMD_T_MI128 = AMD_TYPE(AMD_CLASS_MI, 128),
    AMD_T_MI256 = AMD_TYPE(AMD_CLASS_MI, 256),
    AMD_T_MF128 = AMD_TYPE(AMD_CLASS_MF, 128),
    AMD_T_MF256 = AMD_TYPE(AMD_CLASS_MF, 256),
    AMD_T_BF16 = AMD_TYPE(AMD_CLASS_BF, 16),
    AMD_T_V2BF16 = AMD_TYPE(AMD_CLASS_BF, 32),
} amd_type;

static inline amd_class
amd_type_class(amd_type t)
{
    return (amd_class)(t >> 12);
}

/* Is it a part of a WMMA matrix, whose size depends on the generation and the wave size? */
static inline bool
amd_type_is_matrix(amd_type t)
{
    return amd_type_class(t) >= AMD_CLASS_MB && amd_type_class(t) <= AMD_CLASS_MF;
}

/* Size in bits; a MASK has the wave's size, VAR has 0. For matrices the size on gfx12. */
static inline unsigned
amd_type_bits(amd_type t, bool wave64)
{
    if (t == AMD_T_MASK)
        return wave64 ? 64 : 32;
    return (t & 0xfff) >> (amd_type_is_matrix(t) && wave64 ? 1 : 0);
}

/* Size in 32-bit registers. */
static inline unsigned
amd_type_dwords(amd_type t, bool wave64)
{
    return (amd_type_bits(t, wave64) + 31) / 32;
}

/* Flags of a row. In ops.def F_<name>, elsewhere AMD_F_<name>. */
#define AMD_FLAGS(F)                                                                               \
    F(E64)     /* has a VOP3 encoding besides its 32-bit one */                                    \
    F(SDWA)    /* may be SDWA (gfx8 to gfx10.3) */                                                 \
    F(DPP)     /* may be DPP, see amd_op_has_dpp */                                                \
    F(CLAMP)   /* has the clamp modifier: floats to 0..1, integers saturate */                     \
    F(OMOD)    /* has the output modifier in VOP3 and SDWA */                                      \
    F(NEG)     /* float sources have neg and abs; VOP3P: neg_lo and neg_hi (mix: neg and abs) */   \
    F(OPSEL)   /* VOP3's op_sel chooses halves of 16-bit operands (permlane16: fi, bound_ctrl) */  \
    F(MIX)     /* VOP3P mix: op_sel_hi chooses f16 or f32, neg_hi is abs */                        \
    F(OFFSET2) /* DS with two 8-bit offsets */                                                     \
    F(FP)      /* float operation: rounding and denormal modes apply */                            \
    F(TRANS)   /* transcendental unit */                                                           \
    F(DOT)     /* a dot product */                                                                 \
    F(COMM)    /* the first two sources may be exchanged: `reversed` is the row itself */          \
    F(SCC_R)                                                                                       \
    F(SCC_W)                                                                                       \
    F(VCC_R)  /* reads vcc, which is not an operand */                                             \
    F(D16)    /* MIMG: has the d16 modifier */                                                     \
    F(EXEC_R) /* uses exec otherwise than every vector instruction does */                         \
    F(EXEC_W)                                                                                      \
    F(M0_R)                                                                                        \
    F(LOAD)                                                                                        \
    F(STORE)                                                                                       \
    F(ATOMIC) /* read, modify, write; DS: returns with RTN, others with glc */                     \
    F(RTN)    /* DS: writes a VGPR */                                                              \
    F(LDS)    /* accesses LDS (DS: GDS by the gds bit; flat: may; MUBUF: by the lds bit) */        \
    F(VM)     /* increments vmcnt; atomics only where they return */                               \
    F(VS)     /* increments vscnt (vmcnt before gfx10); atomics only where they do not return */   \
    F(LGKM)   /* increments lgkmcnt */                                                             \
    F(EXPC)   /* increments expcnt */                                                              \
    F(BRANCH) /* may change the program counter */                                                 \
    F(TERM)   /* the next instruction is not reached by falling through */                         \
    F(BARRIER)

typedef enum amd_flag_bit {
#define AMD_FLAG_BIT(name) AMD_FB_##name,
    AMD_FLAGS(AMD_FLAG_BIT)
#undef AMD_FLAG_BIT
        AMD_FB_COUNT
} amd_flag_bit;

typedef enum amd_flag {
#define AMD_FLAG_ENUM(name) AMD_F_##name = (int)(1u << AMD_FB_##name),
    AMD_FLAGS(AMD_FLAG_ENUM)
#undef AMD_FLAG_ENUM
} amd_flag;

/* The parts of an image instruction's address, in this order; the row's column `memory` has
 * them. */
typedef enum amd_address_part {
    AMD_A_OFFSET = 1,
    AMD_A_BIAS = 2,
    AMD_A_COMPARE = 4,
    AMD_A_GRADIENTS = 8,
    AMD_A_COORDS = 16,
    AMD_A_LOD = 32,    /* lod, lod clamp, or mip level: always the last part */
    AMD_A_G16 = 64,    /* gradients are 16-bit */
    AMD_A_BVH = 128,   /* a ray: node pointer, extent, origin, direction, inverse direction */
    AMD_A_BVH64 = 129, /* the same with a 64-bit node pointer */
    /* gfx12: a 64-bit base, extent and instance mask, origin, direction, offset of the node; of
     * two nodes */
    AMD_A_BVH8 = 130,
    AMD_A_BVH_DUAL = 131,
} amd_address_part;

typedef struct amd_operand {
    uint8_t role;  /* amd_role; 0 after the last operand */
    uint8_t kind;  /* amd_kind */
    uint16_t type; /* amd_type; 0 for immediates */
} amd_operand;

enum { AMD_MAX_OPERANDS = 6 };

/* The operand's kind on `gen`: before gfx10 v_cmpx writes a mask like v_cmp does, in addition to
 * exec (Vega ISA, "VOPC"). */
static inline amd_kind
amd_operand_kind(amd_gen gen, const amd_operand *o)
{
    return o->kind == AMD_K_EXEC && gen < AMD_GFX10 ? AMD_K_MASK : (amd_kind)o->kind;
}
/* gfx12: MIMG numbers from here on are VSAMPLE's. gfx950: VOP3P numbers from here on are those of
 * matrix instructions whose scales v_mfma_ld_scale_b32 loads in the same 16 bytes. */
enum { AMD_VSAMPLE_NUMBERS = 0x100, AMD_SCALED_NUMBERS = 0x100 };

struct amd_op_info {
    const char *name;
    uint8_t fmt;       /* amd_fmt */
    uint8_t memory;    /* bytes moved per lane */
    uint16_t reversed; /* amd_op */
    uint32_t flags;    /* amd_flag */
    int16_t number[AMD_GEN_COUNT];
    amd_operand operands[AMD_MAX_OPERANDS];
};
extern const amd_op_info amd_op_rows[AMD_OP_HW_COUNT];

/* What follows from the roles of a row's operands: how many are in dst, in src, and immediates;
 * the place in dst of the first one that is read, too, or -1; and the operands' numbers by their
 * places in dst and src, four bits each. */
typedef struct amd_shape {
    uint8_t n_dst, n_src, n_imm;
    int8_t both;
    uint32_t dst, src;
} amd_shape;
extern const amd_shape amd_op_shapes[AMD_OP_HW_COUNT];

/* The row of `op`, or NULL if it is not a hardware instruction. */
static inline const amd_op_info *
amd_op_row(amd_op op)
{
    return op > AMD_OP_INVALID && op < AMD_OP_HW_COUNT ? &amd_op_rows[op] : NULL;
}

static inline const amd_shape *
amd_op_shape(const amd_op_info *row)
{
    return &amd_op_shapes[row - amd_op_rows];
}

/* For these conversions LLVM's SDWA text omits the destination: 32 bits and more are always written
 * whole. */
static inline bool
amd_writes_whole_sdwa(const amd_op_info *row)
{
    return row == amd_op_row(AMD_V_CVT_F32_FP8) || row == amd_op_row(AMD_V_CVT_F32_BF8) ||
           row == amd_op_row(AMD_V_CVT_PK_F32_FP8) || row == amd_op_row(AMD_V_CVT_PK_F32_BF8);
}

/* Does BLGP negate the operation's matrices? It does for doubles on gfx942 (CDNA 3 ISA, "MFMA"). */
static inline bool
amd_matrix_negates(const amd_op_info *row)
{
    amd_class class = amd_type_class((amd_type)row->operands[0].type);
    return class == AMD_CLASS_ACCD || class == AMD_CLASS_F;
}

/* v_bitop3_b32, v_bitop3_b16: the bits of neg, abs and omod are a truth table (CDNA 4 ISA). */
static inline bool
amd_is_bitop3(const amd_op_info *row)
{
    return row->fmt == AMD_VOP3 &&
           (row == amd_op_row(AMD_V_BITOP3_B32) || row == amd_op_row(AMD_V_BITOP3_B16));
}

/* v_permlane16_swap_b32, v_permlane32_swap_b32: their VOP3 encoding has fi and bound_ctrl in
 * op_sel. */
static inline bool
amd_swaps_rows(const amd_op_info *row)
{
    return row == amd_op_row(AMD_V_PERMLANE16_SWAP_B32) ||
           row == amd_op_row(AMD_V_PERMLANE32_SWAP_B32);
}

/* v_cvt_scalef32_*: the last source is a scale. */
static inline bool
amd_has_scale(const amd_op_info *row)
{
    return row->fmt == AMD_VOP3 && row->number[AMD_GFX950] >= 0x235 &&
           row->number[AMD_GFX950] <= 0x26a && row->flags & AMD_F_NEG && row->flags & AMD_F_FP &&
           !(row->flags & AMD_F_CLAMP);
}

/* Does the matrix instruction take its factors' formats, and so their sizes, from cbsz and blgp? */
static inline bool
amd_has_factor_formats(const amd_op_info *row)
{
    return row->fmt == AMD_VOP3P && row->operands[1].type == AMD_T_B256 &&
           row->operands[0].role == AMD_ROLE_DST && row->operands[0].kind == AMD_K_VACC;
}

/* Factor formats of matrix instructions, in cbsz and blgp (CDNA 4 ISA, "MFMA"). */
typedef enum amd_factor_format {
    AMD_FACTOR_FP8,
    AMD_FACTOR_BF8,
    AMD_FACTOR_FP6,
    AMD_FACTOR_BF6,
    AMD_FACTOR_FP4,
} amd_factor_format;

/* Does the row of MUBUF, FLAT, GLOBAL or SCRATCH have the lds bit, with which it loads to LDS? */
static inline bool
amd_has_lds_bit(amd_gen gen, const amd_op_info *row)
{
    bool long_loads = row == amd_op_row(AMD_BUFFER_LOAD_DWORDX3) ||
                      row == amd_op_row(AMD_BUFFER_LOAD_DWORDX4);
    return row->flags & AMD_F_LDS && (gen == AMD_GFX950 || !long_loads);
}

/* The operand in dst[i] or src[i]; NULL if the row has no such operand. */
static inline const amd_operand *
amd_op_dst(const amd_op_info *row, unsigned i)
{
    const amd_shape *s = amd_op_shape(row);
    return i < s->n_dst ? &row->operands[s->dst >> 4 * i & 15] : NULL;
}
static inline const amd_operand *
amd_op_src(const amd_op_info *row, unsigned i)
{
    const amd_shape *s = amd_op_shape(row);
    return i < s->n_src ? &row->operands[s->src >> 4 * i & 15] : NULL;
}

/* Is it a scalar prefetch? Its offset is an operand, and it writes nothing. */
static inline bool
amd_is_prefetch(const amd_op_info *row)
{
    return row->operands[0].kind == AMD_K_OFFSET || row->operands[1].kind == AMD_K_OFFSET;
}

/* Is an operand a double or 64 bits of any kind? */
static inline bool
amd_op_has_doubles(const amd_op_info *row)
{
    for (unsigned i = 0; i < AMD_MAX_OPERANDS && row->operands[i].role; i++) {
        uint16_t t = row->operands[i].type;
        if (t == AMD_T_F64 || t == AMD_T_B64 || t == AMD_T_V2F32)
            return true;
    }
    return false;
}

/* v_permlane16 and related opcodes: op_sel holds fi and bound_ctrl. */
static inline bool
amd_permutes_lanes(const amd_op_info *row)
{
    return row->fmt == AMD_VOP3 && row->flags & AMD_F_OPSEL && !(row->flags & AMD_F_NEG) &&
           row->operands[1].kind == AMD_K_VGPR;
}

/* Conversions of 8-bit floats in VOP3 whose op_sel does not only select halves. */
typedef enum amd_byte_conversion {
    AMD_NO_BYTES,
    AMD_FROM_BYTE,  /* gfx12: bits 0 and 1 are the byte's number, with the two bits swapped */
    AMD_FROM_BYTES, /* gfx12: bit 0 selects the half that holds two bytes */
    AMD_TO_BYTE,    /* bits 2 and 3 are the number of the result's byte */
} amd_byte_conversion;
amd_byte_conversion
amd_converts_bytes(amd_gen gen, const amd_op_info *row);

/* Does op_sel have a third bit, before the destination's, although there are two sources? v_fmac's
 * destination is a source. */
static inline bool
amd_op_sel_third(const amd_op_info *row)
{
    return amd_converts_bytes(AMD_GFX942, row) == AMD_TO_BYTE ||
           row == amd_op_row(AMD_V_CVT_SCALEF32_PK_FP4_F16) ||
           row == amd_op_row(AMD_V_CVT_SCALEF32_PK_FP4_BF16) ||
           (row->fmt == AMD_VOP2 && row->operands[0].role == AMD_ROLE_BOTH);
}

/* Is the operand a 16-bit half of a VGPR that the instruction selects? On gfx11 and later this
 * holds for every vector ALU operation with 16-bit operands (RDNA3 ISA, "16-bit operands"): VOP3
 * selects the half by op_sel, 32-bit encodings by the register number's highest bit, so that they
 * reach only v0 to v127. amd_inst always uses op_sel. */
bool
amd_is_half(amd_gen gen, const amd_op_info *row, const amd_operand *o);

/* The bit of op_sel of operand `o`, behind `n_src` sources: v_swap_b16's second register is in the
 * place of a source. */
static inline unsigned
amd_half_bit(const amd_op_info *row, const amd_operand *o, unsigned n_src)
{
    if (o->role == AMD_ROLE_SRC)
        return n_src;
    return o > row->operands && o->role == AMD_ROLE_BOTH ? 0 : 3;
}

/* The bits of op_sel of such operands. */
unsigned
amd_half_mask(amd_gen gen, const amd_op_info *row);

/* Does VOP3's op_sel select halves of the row's 16-bit operands, as the flag OPSEL says? It does
 * from gfx9 on; there, operations that have a 32-bit encoding still write all 32 bits (Vega ISA,
 * "VOP3A"). */
bool
amd_has_op_sel(amd_gen gen, const amd_op_info *row);

/* The number of places in dst and src that the row's operands occupy. */
static inline unsigned
amd_op_dst_count(const amd_op_info *row)
{
    return amd_op_shape(row)->n_dst;
}
static inline unsigned
amd_op_src_count(const amd_op_info *row)
{
    return amd_op_shape(row)->n_src;
}

/* The place in dst of the first operand that is read, too; -1 if there is none. */
static inline int
amd_op_both(const amd_op_info *row)
{
    return amd_op_shape(row)->both;
}

/* The opcode with `number` in encoding `fmt` on `gen`, or AMD_OP_INVALID. A VOP3 number may belong
 * to a row of VOP1, VOP2, VOPC or VINTRP with AMD_F_E64. */
amd_op
amd_op_find(amd_gen gen, amd_fmt fmt, unsigned number);

#endif
