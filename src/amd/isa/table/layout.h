/* Bit layouts: the position of each field of an encoding (layouts.def), by generation.
 *
 * A layout is a list of rows F(field, position, bits, at): `bits` bits from bit `position` of the
 * instruction are the field's bits from `at` upwards; no row crosses a 32-bit word. Static asserts
 * prove that the rows of a layout tile its words: each bit is named exactly once. Decoder and
 * encoder are loops over these rows. Extension words (SDWA, DPP) have separate layouts, in which
 * bit 32 is the first bit after the extended encoding.
 */
#ifndef AMD_ISA_LAYOUT_H
#define AMD_ISA_LAYOUT_H

#include "amd/isa/table/table.h"

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
    F(VM, vm)                                                                                      \
    F(ROW_EN, row_en)                                                                              \
    F(ADDR64, addr64)                                                                              \
    F(DA, da)                                                                                      \
    F(SC1, sc1)                                                                                    \
    F(NV, nv)                                                                                      \
    F(SCOPE, scope)                                                                                \
    F(TH, th)                                                                                      \
    F(CBSZ, cbsz)                                                                                  \
    F(ABID, abid)                                                                                  \
    F(BLGP, blgp)                                                                                  \
    F(WAIT_EXP, wait_exp)                                                                          \
    F(WAIT_VDST, wait_vdst)                                                                        \
    F(WAIT_VSRC, wait_vsrc)

/* Fields that need individual handling: opcode, operands, immediates. */
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
    F(NSA)                                                                                         \
    F(IMM)    /* SMEM before gfx10: OFFSET is a number, no register */                             \
    F(SOE)    /* SMEM of gfx9: SOFFSET is there */                                                 \
    F(SVE)    /* SCRATCH of gfx942 and from gfx11 on: VADDR is there */                            \
    F(ACC)    /* gfx908 to gfx950: operands that are AGPRs */                                      \
    F(ACC_CD) /* the same of vdst and src2 of MFMA */                                              \
    F(SCALE0) /* scales of MFMA's factors */                                                       \
    F(SCALE1)                                                                                      \
    F(SCALED) /* MFMA's ABID where the scales are used: 1 */                                       \
    F(OPY)    /* VOPD's second operation and its operands */                                       \
    F(VDSTY)                                                                                       \
    F(SRC0Y)                                                                                       \
    F(SRC1Y)                                                                                       \
    F(VADDR1) /* further addresses of gfx12's image instructions */                                \
    F(VADDR2)                                                                                      \
    F(VADDR3)                                                                                      \
    F(VADDR4)

typedef enum amd_field {
#define AMD_FIELD_ENUM(name)                AMD_FIELD_##name,
#define AMD_MEMBER_FIELD_ENUM(name, member) AMD_FIELD_##name,
    AMD_OTHER_FIELDS(AMD_FIELD_ENUM) AMD_MEMBER_FIELDS(AMD_MEMBER_FIELD_ENUM)
#undef AMD_FIELD_ENUM
#undef AMD_MEMBER_FIELD_ENUM
        AMD_FIELD_COUNT
} amd_field;

#include "amd/isa/table/layouts.def"

typedef enum amd_layout_id {
    AMD_L_NONE,
#define AMD_LAYOUT_ENUM(name, enc, words) AMD_L_##name,
    AMD_LAYOUTS(AMD_LAYOUT_ENUM)
#undef AMD_LAYOUT_ENUM
        AMD_L_COUNT
} amd_layout_id;

/* The upper half of a matrix instruction's first word; its number is in the low seven bits. */
enum { AMD_MAI_WORD = 0x1a7 << 7 };

/* One row of a layout: bits of a field, and of a word from bit `shift` on. */
typedef struct amd_layout_row {
    uint8_t field; /* amd_field */
    uint8_t word, shift, at;
    uint32_t mask; /* of the bits in the field */
} amd_layout_row;

/* The row's bits of its word, where they belong in the field. */
static inline uint32_t
amd_row_read(const amd_layout_row *r, uint32_t word)
{
    return word >> r->shift << r->at & r->mask;
}

/* The row's bits of the field, where they belong in the word. */
static inline uint32_t
amd_row_write(const amd_layout_row *r, uint32_t field)
{
    return (field & r->mask) >> r->at << r->shift;
}

typedef struct amd_layout {
    const amd_layout_row *rows;
    uint16_t count;
    uint16_t enc;  /* value of ENC */
    uint8_t words; /* number of 32-bit words that the rows describe */
} amd_layout;

/* The values of all fields of one instruction, by amd_field; fields that its encoding lacks are
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

/* The layout of an instruction with this row in encoding `fmt`; `row` selects among VOP3's two,
 * VOP3P's two and gfx12's image layouts. `row` NULL: the layout for reading only the opcode
 * number. */
amd_layout_id
amd_layout_of(amd_gen gen, const amd_op_info *row, amd_fmt fmt);

/* The layout of the extension word; only for ext != AMD_EXT_NONE. */
amd_layout_id
amd_layout_of_ext(amd_gen gen, amd_fmt fmt, amd_ext ext);

void
amd_places_of(amd_gen gen, const amd_op_info *row, amd_fmt fmt, amd_ext ext, amd_places *out);

/* The byte offsets that an instruction of `fmt` can hold. DS instructions with two offsets have
 * both in 16 bits. */
typedef struct amd_offsets {
    int32_t low, high;
} amd_offsets;
amd_offsets
amd_offsets_of(amd_gen gen, amd_fmt fmt);

/* Converts between the encoding's register codes and amd_inst's, in both directions: gfx11 and
 * later have null at 124 and m0 at 125. */
void
amd_exchange_null(amd_gen gen, amd_fmt fmt, amd_raw *raw);

/* Converts a number in a scalar register field between its value and the field's, in both
 * directions. */
static inline uint32_t
amd_number_as_register(amd_gen gen, uint32_t v)
{
    return gen >= AMD_GFX11 && v >> 1 == AMD_REG_M0 >> 1 ? v ^ 1 : v;
}

/* v_accvgpr_read_b32 and v_accvgpr_write_b32, VOP3P without its modifiers. */
static inline bool
amd_moves_agpr(const amd_op_info *row)
{
    return row->operands[0].kind == AMD_K_AGPR || row->operands[1].kind == AMD_K_AGPR;
}

/* SADDR's code for "off": exec_hi before gfx10, null from there on. */
static inline unsigned
amd_saddr_off(amd_gen gen)
{
    return gen < AMD_GFX10 ? AMD_REG_EXEC_HI : AMD_REG_NULL;
}

/* Do scratch instructions have a separate bit that tells whether there is a vaddr? */
static inline bool
amd_has_sve(amd_gen gen)
{
    return amd_is_cdna3(gen) || gen >= AMD_GFX11;
}

/* Do `count` registers from scalar register `code` exist, with the alignment that their number
 * requires? */
bool
amd_scalar_valid(amd_gen gen, unsigned code, unsigned count);

/* Is `code` one of the inline constants or special sources that represent a complete value? */
bool
amd_constant_valid(amd_gen gen, unsigned code);

/* The number of registers that an operand of this instruction occupies; resolves types that depend
 * on modifiers (tfe, dmask, offen ...) and on the wave size. */
unsigned
amd_operand_dwords(amd_gen gen, const amd_op_info *row, const amd_inst *in, const amd_operand *o,
                   bool wave64);

/* A bit mask of the sources that are integers, which have no neg and abs. */
uint32_t
amd_int_sources(const amd_op_info *row);

/* The contents of operand fields that the instruction does not use. */
typedef enum amd_unused { AMD_UNUSED_ZERO, AMD_UNUSED_SET, AMD_UNUSED_LITERAL } amd_unused;
amd_unused
amd_unused_fields(const amd_op_info *row, amd_fmt fmt, amd_ext ext, const amd_places *places,
                  const amd_raw *raw);

/* Does this encoding of the row's instruction have these modifiers? */
bool
amd_raw_valid(amd_gen gen, const amd_op_info *row, amd_fmt fmt, amd_ext ext,
              const amd_places *places, const amd_raw *raw);

/* Do the row and the encoding allow the operands of `in`? */
bool
amd_inst_valid(amd_gen gen, const amd_op_info *row, const amd_places *places, const amd_inst *in);

#endif
