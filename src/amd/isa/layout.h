/* Bit layouts: where each field of an encoding lies.
 *
 * A layout is a list of rows F(field, position, bits, at): `bits` bits from bit `position` of the
 * instruction's first 64 bits are the field's bits from `at` upwards. Static asserts prove that the
 * rows of a layout tile its words: no bit is named twice, none is forgotten. Decoder and encoder
 * are loops over these rows. Extension words (SDWA, DPP) are layouts of their own at bit 32, beside
 * the 32-bit encoding they extend.
 *
 * Source: "RDNA 2" Instruction Set Architecture reference guide, chapter "Microcode Formats". RDNA
 * 1 has the same.
 */
#ifndef AMD_ISA_LAYOUT_H
#define AMD_ISA_LAYOUT_H

#include "amd/isa/table.h"

/* Fields that are amd_inst's members: F(field, member). */
#define AMD_MEMBER_FIELDS(F)                                                                       \
    F(NEG, neg)                                                                                    \
    F(ABS, abs)                                                                                    \
    F(OPSEL, op_sel)                                                                               \
    F(OPSEL_HI, op_sel_hi)                                                                         \
    F(NEG_HI, neg_hi)                                                                              \
    F(OMOD, omod)                                                                                  \
    F(CLAMP, clamp)                                                                                \
    F(DPP_CTRL, dpp_ctrl)                                                                          \
    F(ROW_MASK, row_mask)                                                                          \
    F(BANK_MASK, bank_mask)                                                                        \
    F(BOUND_CTRL, bound_ctrl)                                                                      \
    F(FI, fi)                                                                                      \
    F(DPP8, dpp8)                                                                                  \
    F(DST_SEL, dst_sel)                                                                            \
    F(DST_UNUSED, dst_unused)                                                                      \
    F(SRC0_SEL, src0_sel)                                                                          \
    F(SRC1_SEL, src1_sel)                                                                          \
    F(SEXT, sext)                                                                                  \
    F(GLC, glc)                                                                                    \
    F(SLC, slc)                                                                                    \
    F(DLC, dlc)                                                                                    \
    F(LDS, lds)                                                                                    \
    F(GDS, gds)                                                                                    \
    F(TFE, tfe)                                                                                    \
    F(OFFEN, offen)                                                                                \
    F(IDXEN, idxen)                                                                                \
    F(LWE, lwe)                                                                                    \
    F(UNORM, unorm)                                                                                \
    F(R128, r128)                                                                                  \
    F(A16, a16)                                                                                    \
    F(D16, d16)                                                                                    \
    F(DIM, dim)                                                                                    \
    F(DMASK, dmask)                                                                                \
    F(FORMAT, format)                                                                              \
    F(TARGET, target)                                                                              \
    F(COMPR, compr)                                                                                \
    F(DONE, done)                                                                                  \
    F(VM, vm)

/* Fields that need a look: opcode, operands, immediates. */
#define AMD_OTHER_FIELDS(F)                                                                        \
    F(NONE)                                                                                        \
    F(RESERVED) /* written as zero; what is read is ignored */                                     \
    F(ZERO)     /* must be zero */                                                                 \
    F(ENC)      /* the encoding's fixed bits */                                                    \
    F(OP)                                                                                          \
    F(SIMM16)                                                                                      \
    F(SDST)                                                                                        \
    F(SSRC0)                                                                                       \
    F(SSRC1)                                                                                       \
    F(VDST)                                                                                        \
    F(SRC0)                                                                                        \
    F(SRC1)                                                                                        \
    F(SRC2)                                                                                        \
    F(XSRC0) /* src0 in SDWA's and DPP's word */                                                   \
    F(S0)    /* SDWA: src0, src1 are scalar */                                                     \
    F(S1)                                                                                          \
    F(SD) /* SDWA of VOPC: sdst is given, else vcc */                                              \
    F(ATTR)                                                                                        \
    F(CHAN)                                                                                        \
    F(SDATA)                                                                                       \
    F(SBASE)                                                                                       \
    F(SOFFSET)                                                                                     \
    F(SADDR)                                                                                       \
    F(OFFSET)                                                                                      \
    F(SEG)                                                                                         \
    F(VADDR)                                                                                       \
    F(VDATA)                                                                                       \
    F(DATA1)                                                                                       \
    F(DATA2)                                                                                       \
    F(DATA3)                                                                                       \
    F(SRSRC)                                                                                       \
    F(SSAMP)                                                                                       \
    F(NSA)

typedef enum amd_field {
#define AMD_FIELD_ENUM(name)                AMD_FIELD_##name,
#define AMD_MEMBER_FIELD_ENUM(name, member) AMD_FIELD_##name,
    AMD_OTHER_FIELDS(AMD_FIELD_ENUM) AMD_MEMBER_FIELDS(AMD_MEMBER_FIELD_ENUM)
#undef AMD_FIELD_ENUM
#undef AMD_MEMBER_FIELD_ENUM
        AMD_FIELD_COUNT
} amd_field;

/* All layouts: L(name, value of ENC, words). The rows of layout X are AMD_LAYOUT_X. */
#define AMD_LAYOUTS(L)                                                                             \
    L(SOP1, 0x17d, 1)                                                                              \
    L(SOP2, 0x2, 1)                                                                                \
    L(SOPK, 0xb, 1)                                                                                \
    L(SOPC, 0x17e, 1)                                                                              \
    L(SOPP, 0x17f, 1)                                                                              \
    L(SMEM, 0x3d, 2)                                                                               \
    L(VOP1, 0x3f, 1)                                                                               \
    L(VOP2, 0x0, 1)                                                                                \
    L(VOPC, 0x3e, 1)                                                                               \
    L(VOP3, 0x35, 2)                                                                               \
    L(VOP3B, 0x35, 2)                                                                              \
    L(VOP3P, 0x198, 2)                                                                             \
    L(VINTRP, 0x32, 1)                                                                             \
    L(DS, 0x36, 2)                                                                                 \
    L(MUBUF, 0x38, 2)                                                                              \
    L(MTBUF, 0x3a, 2)                                                                              \
    L(MIMG, 0x3c, 2)                                                                               \
    L(FLAT, 0x37, 2)                                                                               \
    L(EXP, 0x3e, 2)                                                                                \
    L(SDWA, 0, 1)                                                                                  \
    L(SDWA_C, 0, 1)                                                                                \
    L(DPP16, 0, 1)                                                                                 \
    L(DPP8, 0, 1)

/* clang-format off */
#define AMD_LAYOUT_SOP1(F) \
    F(ENC, 23, 9, 0) F(SDST, 16, 7, 0) F(OP, 8, 8, 0) F(SSRC0, 0, 8, 0)
#define AMD_LAYOUT_SOP2(F) \
    F(ENC, 30, 2, 0) F(OP, 23, 7, 0) F(SDST, 16, 7, 0) F(SSRC1, 8, 8, 0) F(SSRC0, 0, 8, 0)
#define AMD_LAYOUT_SOPK(F) \
    F(ENC, 28, 4, 0) F(OP, 23, 5, 0) F(SDST, 16, 7, 0) F(SIMM16, 0, 16, 0)
#define AMD_LAYOUT_SOPC(F) \
    F(ENC, 23, 9, 0) F(OP, 16, 7, 0) F(SSRC1, 8, 8, 0) F(SSRC0, 0, 8, 0)
#define AMD_LAYOUT_SOPP(F) \
    F(ENC, 23, 9, 0) F(OP, 16, 7, 0) F(SIMM16, 0, 16, 0)
#define AMD_LAYOUT_SMEM(F) \
    F(ENC, 26, 6, 0) F(OP, 18, 8, 0) F(RESERVED, 17, 1, 0) F(GLC, 16, 1, 0) F(RESERVED, 15, 1, 0) F(DLC, 14, 1, 0) \
    F(RESERVED, 13, 1, 0) F(SDATA, 6, 7, 0) F(SBASE, 0, 6, 0) \
    F(SOFFSET, 57, 7, 0) F(RESERVED, 53, 4, 0) F(OFFSET, 32, 21, 0)
#define AMD_LAYOUT_VOP1(F) \
    F(ENC, 25, 7, 0) F(VDST, 17, 8, 0) F(OP, 9, 8, 0) F(SRC0, 0, 9, 0)
#define AMD_LAYOUT_VOP2(F) \
    F(ENC, 31, 1, 0) F(OP, 25, 6, 0) F(VDST, 17, 8, 0) F(SRC1, 9, 8, 0) F(SRC0, 0, 9, 0)
#define AMD_LAYOUT_VOPC(F) \
    F(ENC, 25, 7, 0) F(OP, 17, 8, 0) F(SRC1, 9, 8, 0) F(SRC0, 0, 9, 0)
#define AMD_LAYOUT_VOP3(F) \
    F(ENC, 26, 6, 0) F(OP, 16, 10, 0) F(CLAMP, 15, 1, 0) F(OPSEL, 11, 4, 0) F(ABS, 8, 3, 0) F(VDST, 0, 8, 0) \
    F(NEG, 61, 3, 0) F(OMOD, 59, 2, 0) F(SRC2, 50, 9, 0) F(SRC1, 41, 9, 0) F(SRC0, 32, 9, 0)
#define AMD_LAYOUT_VOP3B(F) \
    F(ENC, 26, 6, 0) F(OP, 16, 10, 0) F(CLAMP, 15, 1, 0) F(SDST, 8, 7, 0) F(VDST, 0, 8, 0) \
    F(NEG, 61, 3, 0) F(OMOD, 59, 2, 0) F(SRC2, 50, 9, 0) F(SRC1, 41, 9, 0) F(SRC0, 32, 9, 0)
#define AMD_LAYOUT_VOP3P(F) \
    F(ENC, 23, 9, 0) F(OP, 16, 7, 0) F(CLAMP, 15, 1, 0) F(OPSEL_HI, 14, 1, 2) F(OPSEL, 11, 3, 0) \
    F(NEG_HI, 8, 3, 0) F(VDST, 0, 8, 0) \
    F(NEG, 61, 3, 0) F(OPSEL_HI, 59, 2, 0) F(SRC2, 50, 9, 0) F(SRC1, 41, 9, 0) F(SRC0, 32, 9, 0)
#define AMD_LAYOUT_VINTRP(F) \
    F(ENC, 26, 6, 0) F(VDST, 18, 8, 0) F(OP, 16, 2, 0) F(ATTR, 10, 6, 0) F(CHAN, 8, 2, 0) F(SRC0, 0, 8, 0)
#define AMD_LAYOUT_DS(F) \
    F(ENC, 26, 6, 0) F(OP, 18, 8, 0) F(GDS, 17, 1, 0) F(RESERVED, 16, 1, 0) F(OFFSET, 0, 16, 0) \
    F(VDST, 56, 8, 0) F(DATA1, 48, 8, 0) F(VDATA, 40, 8, 0) F(VADDR, 32, 8, 0)
#define AMD_LAYOUT_MUBUF(F) \
    F(ENC, 26, 6, 0) F(OP, 18, 8, 0) F(RESERVED, 17, 1, 0) F(LDS, 16, 1, 0) F(DLC, 15, 1, 0) F(GLC, 14, 1, 0) \
    F(IDXEN, 13, 1, 0) F(OFFEN, 12, 1, 0) F(OFFSET, 0, 12, 0) \
    F(SOFFSET, 56, 8, 0) F(TFE, 55, 1, 0) F(SLC, 54, 1, 0) F(RESERVED, 53, 1, 0) F(SRSRC, 48, 5, 0) F(VDATA, 40, 8, 0) \
    F(VADDR, 32, 8, 0)
#define AMD_LAYOUT_MTBUF(F) \
    F(ENC, 26, 6, 0) F(FORMAT, 19, 7, 0) F(OP, 16, 3, 0) F(DLC, 15, 1, 0) F(GLC, 14, 1, 0) F(IDXEN, 13, 1, 0) \
    F(OFFEN, 12, 1, 0) F(OFFSET, 0, 12, 0) \
    F(SOFFSET, 56, 8, 0) F(TFE, 55, 1, 0) F(SLC, 54, 1, 0) F(OP, 53, 1, 3) F(SRSRC, 48, 5, 0) F(VDATA, 40, 8, 0) \
    F(VADDR, 32, 8, 0)
#define AMD_LAYOUT_MIMG(F) \
    F(ENC, 26, 6, 0) F(SLC, 25, 1, 0) F(OP, 18, 7, 0) F(LWE, 17, 1, 0) F(TFE, 16, 1, 0) F(R128, 15, 1, 0) \
    F(RESERVED, 14, 1, 0) F(GLC, 13, 1, 0) F(UNORM, 12, 1, 0) F(DMASK, 8, 4, 0) F(DLC, 7, 1, 0) F(RESERVED, 6, 1, 0) \
    F(DIM, 3, 3, 0) F(NSA, 1, 2, 0) F(OP, 0, 1, 7) \
    F(D16, 63, 1, 0) F(A16, 62, 1, 0) F(RESERVED, 58, 4, 0) F(SSAMP, 53, 5, 0) F(SRSRC, 48, 5, 0) F(VDATA, 40, 8, 0) \
    F(VADDR, 32, 8, 0)
#define AMD_LAYOUT_FLAT(F) \
    F(ENC, 26, 6, 0) F(RESERVED, 25, 1, 0) F(OP, 18, 7, 0) F(SLC, 17, 1, 0) F(GLC, 16, 1, 0) F(SEG, 14, 2, 0) F(LDS, 13, 1, 0) \
    F(DLC, 12, 1, 0) F(OFFSET, 0, 12, 0) \
    F(VDST, 56, 8, 0) F(ZERO, 55, 1, 0) F(SADDR, 48, 7, 0) F(VDATA, 40, 8, 0) F(VADDR, 32, 8, 0)
#define AMD_LAYOUT_EXP(F) \
    F(ENC, 26, 6, 0) F(RESERVED, 13, 13, 0) F(VM, 12, 1, 0) F(DONE, 11, 1, 0) F(COMPR, 10, 1, 0) F(TARGET, 4, 6, 0) \
    F(DMASK, 0, 4, 0) \
    F(DATA3, 56, 8, 0) F(DATA2, 48, 8, 0) F(DATA1, 40, 8, 0) F(VDATA, 32, 8, 0)
#define AMD_LAYOUT_SDWA(F) \
    F(S1, 63, 1, 0) F(RESERVED, 62, 1, 0) F(ABS, 61, 1, 1) F(NEG, 60, 1, 1) F(SEXT, 59, 1, 1) F(SRC1_SEL, 56, 3, 0) \
    F(S0, 55, 1, 0) F(RESERVED, 54, 1, 0) F(ABS, 53, 1, 0) F(NEG, 52, 1, 0) F(SEXT, 51, 1, 0) F(SRC0_SEL, 48, 3, 0) \
    F(OMOD, 46, 2, 0) F(CLAMP, 45, 1, 0) F(DST_UNUSED, 43, 2, 0) F(DST_SEL, 40, 3, 0) F(XSRC0, 32, 8, 0)
#define AMD_LAYOUT_SDWA_C(F) \
    F(S1, 63, 1, 0) F(RESERVED, 62, 1, 0) F(ABS, 61, 1, 1) F(NEG, 60, 1, 1) F(SEXT, 59, 1, 1) F(SRC1_SEL, 56, 3, 0) \
    F(S0, 55, 1, 0) F(RESERVED, 54, 1, 0) F(ABS, 53, 1, 0) F(NEG, 52, 1, 0) F(SEXT, 51, 1, 0) F(SRC0_SEL, 48, 3, 0) \
    F(SD, 47, 1, 0) F(SDST, 40, 7, 0) F(XSRC0, 32, 8, 0)
#define AMD_LAYOUT_DPP16(F) \
    F(ROW_MASK, 60, 4, 0) F(BANK_MASK, 56, 4, 0) F(ABS, 55, 1, 1) F(NEG, 54, 1, 1) F(ABS, 53, 1, 0) F(NEG, 52, 1, 0) \
    F(BOUND_CTRL, 51, 1, 0) F(FI, 50, 1, 0) F(RESERVED, 49, 1, 0) F(DPP_CTRL, 40, 9, 0) F(XSRC0, 32, 8, 0)
#define AMD_LAYOUT_DPP8(F) \
    F(DPP8, 40, 24, 0) F(XSRC0, 32, 8, 0)
/* clang-format on */

typedef enum amd_layout_id {
#define AMD_LAYOUT_ENUM(name, enc, words) AMD_L_##name,
    AMD_LAYOUTS(AMD_LAYOUT_ENUM)
#undef AMD_LAYOUT_ENUM
        AMD_L_COUNT
} amd_layout_id;

/* One row of a layout. */
typedef struct amd_layout_row {
    uint8_t field; /* amd_field */
    uint8_t pos, bits, at;
} amd_layout_row;

/* The row's bits, low ones first: no field is wider than 24. */
static inline uint32_t
amd_row_mask(const amd_layout_row *r)
{
    return (1u << r->bits) - 1;
}

typedef struct amd_layout {
    const amd_layout_row *rows;
    uint16_t count;
    uint16_t enc;  /* value of ENC */
    uint8_t words; /* 32-bit words that the rows describe */
} amd_layout;

/* The values of all fields of one instruction, by amd_field; those that its encoding lacks are
 * zero. */
enum { AMD_RAW_SIZE = (AMD_FIELD_COUNT + 3) / 4 * 4 };
typedef struct amd_raw {
    uint32_t f[AMD_RAW_SIZE];
} amd_raw;

extern const amd_layout amd_layouts[AMD_L_COUNT];

/* The field that each operand of an instruction is stored in, AMD_FIELD_NONE for implied operands
 * and literals. */
typedef struct amd_places {
    uint8_t dst[AMD_MAX_DST], src[AMD_MAX_SRC];
    uint8_t attr; /* ATTR's field, or NONE */
} amd_places;

/* The layout of an instruction with this row in encoding `fmt`; `row` decides between VOP3's two.
 */
amd_layout_id
amd_layout_of(const amd_op_info *row, amd_fmt fmt);

/* The layout of the extension word; only for ext != AMD_EXT_NONE. */
amd_layout_id
amd_layout_of_ext(amd_fmt fmt, amd_ext ext);

void
amd_places_of(const amd_op_info *row, amd_fmt fmt, amd_ext ext, amd_places *out);

/* Whether `count` registers from scalar register `code` exist and are aligned as their number
 * demands. */
bool
amd_scalar_valid(unsigned code, unsigned count);

/* Whether `code` is one of the inline constants or special sources that stand for a whole value. */
bool
amd_constant_valid(unsigned code);

/* Registers that an operand of this instruction takes: types that depend on modifiers (tfe, dmask,
 * offen ...) and on the wave size are resolved. */
unsigned
amd_operand_dwords(const amd_op_info *row, const amd_inst *in, const amd_operand *o, bool wave64);

/* The sources, as bits, that are integers: they have no neg and abs. */
uint32_t
amd_int_sources(const amd_op_info *row);

/* Whether operand fields that the instruction does not use are zero. */
bool
amd_unused_fields_zero(const amd_op_info *row, amd_fmt fmt, amd_ext ext, const amd_places *places,
                       const amd_raw *raw);

/* Whether the modifiers are some that the row's instructions have in this encoding. */
bool
amd_raw_valid(const amd_op_info *row, amd_fmt fmt, amd_ext ext, const amd_places *places,
              const amd_raw *raw);

/* Whether the operands of `in` are what the row and the encoding allow. */
bool
amd_inst_valid(const amd_op_info *row, const amd_places *places, const amd_inst *in);

#endif
