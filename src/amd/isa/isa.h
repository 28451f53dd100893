/* The instruction set of GCN and RDNA as data.
 *
 * An instruction is a row of ops.def: its name, its encodings with one opcode column per
 * generation, its operands in the order of the assembler's text, and flags. `amd_inst` is one
 * decoded instruction, which decoder, encoder, assembler, disassembler, emulator and emit_program
 * share. Register codes are the hardware's own: in `src` the 9-bit SRC code, the same code in `dst`
 * (there, too, VGPRs are 256 + n, regardless of the field's width).
 *
 * Sources: AMD's ISA reference guides of each generation; isa/errata.md lists their errors.
 */
#ifndef AMD_ISA_H
#define AMD_ISA_H

#include "base/buf.h"
#include "base/diag.h"

/* Opcode columns: instruction sets that are not subsets of another. GFX9 is Vega (gfx900 to gfx90c
 * except those with columns of their own); GFX908, GFX90A, GFX942 and GFX950 are CDNA 1 to 4. */
typedef enum amd_gen {
    AMD_GFX6,
    AMD_GFX7,
    AMD_GFX8,
    AMD_GFX9,
    AMD_GFX908,
    AMD_GFX90A,
    AMD_GFX942,
    AMD_GFX950,
    AMD_GFX10,
    AMD_GFX10_3,
    AMD_GFX11,
    AMD_GFX11_5,
    AMD_GFX12,
    AMD_GEN_COUNT,
} amd_gen;

/* gfx90a to gfx950: VGPRs and AGPRs are one file, whose tuples begin at an even register. */
static inline bool
amd_shares_agprs(amd_gen gen)
{
    return gen >= AMD_GFX90A && gen <= AMD_GFX950;
}

/* gfx942 and gfx950, whose encodings, cache bits and wait states are those of the CDNA 3 guide. */
static inline bool
amd_is_cdna3(amd_gen gen)
{
    return gen == AMD_GFX942 || gen == AMD_GFX950;
}

/* The instruction set of the processor (processors.def) that a target id begins with, such as
 * "gfx1030" or "gfx90a:xnack+"; false for an unknown name. */
bool
amd_gen_find(const char *id, amd_gen *gen);

/* Encodings. SDWA and DPP are not separate encodings but extensions of VOP1, VOP2, VOPC
 * (`amd_ext`). */
typedef enum amd_fmt {
    AMD_FMT_NONE, /* pseudo instructions of the machine IR */
    AMD_SOP1,
    AMD_SOP2,
    AMD_SOPK,
    AMD_SOPC,
    AMD_SOPP,
    AMD_SMEM,
    AMD_VOP1,
    AMD_VOP2,
    AMD_VOPC,
    AMD_VOP3, /* also VOP3B: with a scalar destination in dst[1] */
    AMD_VOP3P,
    AMD_VINTRP,
    AMD_VINTERP, /* gfx11 and later: interpolation from VGPRs */
    AMD_LDSDIR,  /* gfx11 and later: loads of parameters and LDS values into VGPRs */
    AMD_VOPD,    /* gfx11 and later: two operations in one instruction, wave32 */
    AMD_DS,
    AMD_MUBUF,
    AMD_MTBUF,
    AMD_MIMG, /* opcode numbers from 0x100 on: gfx12's VSAMPLE */
    AMD_FLAT,
    AMD_GLOBAL,
    AMD_SCRATCH,
    AMD_EXP,
    AMD_FMT_COUNT,
} amd_fmt;

typedef enum amd_ext {
    AMD_EXT_NONE,
    AMD_EXT_SDWA,
    AMD_EXT_DPP16,
    AMD_EXT_DPP8,
} amd_ext;

/* Register and operand codes (RDNA 2 ISA, table "SSRC/SRC operands"). amd_inst uses these codes for
 * every generation; the encodings of gfx11 and later exchange m0 and null, which decoder and
 * encoder convert. */
enum {
    AMD_REG_SGPR0 = 0, /* s0 to s105 */
    AMD_REG_VCC_LO = 106,
    AMD_REG_VCC_HI = 107,
    AMD_REG_TTMP0 = 108, /* to 123 */
    AMD_REG_M0 = 124,
    AMD_REG_NULL = 125,
    AMD_REG_EXEC_LO = 126,
    AMD_REG_EXEC_HI = 127,
    AMD_SRC_INT_0 = 128,    /* 0 to 64: code 128 + n */
    AMD_SRC_INT_NEG1 = 193, /* -1 to -16: code 192 + n */
    AMD_SRC_SHARED_BASE = 235,
    AMD_SRC_SHARED_LIMIT = 236,
    AMD_SRC_PRIVATE_BASE = 237,
    AMD_SRC_PRIVATE_LIMIT = 238,
    AMD_SRC_POPS_EXITING_WAVE_ID = 239,
    AMD_SRC_F_0_5 = 240, /* 0.5 -0.5 1 -1 2 -2 4 -4, then 1/(2 pi) = 248 */
    AMD_SRC_F_INV_2PI = 248,
    AMD_SRC_DPP8 = 233, /* in src0's field only */
    AMD_SRC_DPP8_FI = 234,
    AMD_SRC_SDWA = 249,
    AMD_SRC_DPP16 = 250,
    AMD_SRC_VCCZ = 251,
    AMD_SRC_EXECZ = 252,
    AMD_SRC_SCC = 253,
    AMD_SRC_LDS_DIRECT = 254,
    AMD_SRC_LITERAL = 255,
    AMD_REG_VGPR0 = 256, /* to 511 */
    AMD_REG_AGPR0 = 512, /* to 767: accumulation VGPRs of gfx908 to gfx950 */
    AMD_REG_SCC = AMD_SRC_SCC,
    AMD_REG_ABSENT = 0xffff, /* an absent optional operand (vaddr of a buffer op, "off") */
};

typedef enum amd_op {
    AMD_OP_INVALID,
#define AMD_OP(id, ...) AMD_##id,
#include "amd/isa/ops.def"
#undef AMD_OP
    AMD_OP_HW_COUNT, /* pseudo opcodes of the machine IR follow, see amd/pseudo.def */
} amd_op;

enum { AMD_MAX_DST = 2, AMD_MAX_SRC = 5, AMD_MAX_NSA = 13 };

/* One instruction. Fields that its encoding lacks are zero. The order of `dst` and `src` is the
 * row's, which is the order of the assembler's text (vdata, vaddr, srsrc, ssamp, soffset ...):
 * `dst` holds the operands whose role is D or B in ops.def (an atomic's vdata of MUBUF and MIMG is
 * B: data in dst[0], and the result if glc), `src` those whose role is S. Implied operands have
 * places too: vcc of VOPC and v_cndmask_b32_e32, exec of v_cmpx. The place of an absent optional
 * operand (soffset of SMEM, "off", vdst of a flat atomic without glc) holds AMD_REG_ABSENT. */
typedef struct amd_inst {
    uint16_t op;   /* amd_op */
    uint16_t op_y; /* VOPD: the second operation's opcode; otherwise 0 */
    uint8_t fmt;   /* amd_fmt: the encoding of the row in use */
    uint8_t ext;   /* amd_ext */
    uint8_t size;  /* bytes, set by decoder and encoder */
    uint8_t n_dst, n_src;
    uint16_t dst[AMD_MAX_DST];
    uint16_t src[AMD_MAX_SRC];
    uint32_t literal; /* value of a source that is AMD_SRC_LITERAL */
    int32_t imm; /* simm16 of SOPK and SOPP; s_waitcnt's, s_sendmsg's ... raw value; VINTRP attr * 4
                    + chan (VOP3: bit 8 is `high`); v_bitop3: the truth table */

    /* VOP3, VOP3P, SDWA, DPP: bit i belongs to source i; op_sel bit 3 to the destination */
    uint8_t neg, abs, op_sel, op_sel_hi, neg_hi;
    uint8_t omod; /* 0 none, 1 *2, 2 *4, 3 /2 */
    bool clamp;

    /* DPP */
    uint16_t dpp_ctrl; /* 9 bits */
    uint8_t row_mask, bank_mask;
    bool bound_ctrl, fi;
    uint32_t dpp8; /* eight 3-bit lane selects, lane 0 lowest */

    /* SDWA: selects 0-3 BYTE_n, 4 WORD_0, 5 WORD_1, 6 DWORD; unused 0 PAD, 1 SEXT, 2 PRESERVE */
    uint8_t dst_sel, dst_unused, src0_sel, src1_sel;
    uint8_t sext; /* bit i: source i sign-extended */

    /* memory */
    int32_t offset;   /* bytes; DS: offset0 | offset1 << 8 if the instruction has two */
    bool zero_offset; /* SMEM of gfx9 to gfx950: an offset of 0 is encoded in addition to the
                         register */
    bool glc, slc, dlc, lds, gds, tfe, offen, idxen, lwe, unorm, r128, a16, d16;
    bool addr64, da, sc1,
        nv;            /* addr64: MUBUF of gfx6, gfx7; da: MIMG before gfx10; sc1: gfx942, whose
                                 sc0 is glc and whose nt is slc */
    uint8_t scope, th; /* gfx12's cache policy: scope 0 CU to 3 SYS, temporal hint; glc says on
                          all generations whether an atomic returns a result, so its bit in TH is
                          clear here */
    bool nsa;          /* MIMG: the addresses are in nsa_addr; src[0] is the first of them too */
    uint8_t n_nsa;     /* number of addresses in nsa_addr */
    uint8_t dim;       /* MIMG dimension, RDNA encoding 0-7 */
    uint8_t dmask;     /* MIMG; EXP: en */
    uint8_t format;    /* MTBUF: 7-bit unified format; before gfx10 dfmt | nfmt << 4 */
    uint16_t nsa_addr[AMD_MAX_NSA];

    /* MFMA: broadcast size, block, and lane pattern (f64: negations) */
    uint8_t cbsz, abid, blgp;

    /* VINTERP: outstanding exports allowed; LDSDIR: allowed va_vdst and vm_vsrc counts */
    uint8_t wait_exp, wait_vdst, wait_vsrc;

    /* EXP */
    uint8_t target;
    bool compr, done, vm, row_en;
} amd_inst;

/* A row of the opcode table. The head of isa/ops.def describes its columns. */
typedef struct amd_op_info amd_op_info;

/* The mnemonic of `op` on `gen`, without suffixes such as _e32. */
const char *
amd_op_name(amd_op op, amd_gen gen);

/* The name of earlier generations, if LLVM's assembler accepts that too; otherwise NULL. May equal
 * amd_op_name's. */
const char *
amd_op_old_name(amd_op op, amd_gen gen);

/* Additional names that the assembler accepts on the generations from `first` to `last`; terminated
 * by a NULL name. */
typedef struct amd_alias {
    uint16_t op;
    uint8_t first, last;
    const char *name;
} amd_alias;
extern const amd_alias amd_aliases[];

/* Opcode number of `op` in encoding `fmt` on `gen`; -1 if it does not exist. */
int
amd_op_number(amd_op op, amd_fmt fmt, amd_gen gen);

/* Does the opcode exist on `gen`, in any encoding? */
bool
amd_op_exists(amd_op op, amd_gen gen);

/* Does `op` have its 32-bit vector encoding on `gen`, which SDWA and (before gfx11) DPP extend? */
bool
amd_op_has_e32(amd_op op, amd_gen gen);

/* May `op` use DPP in encoding `fmt` on `gen`? DPP16 exists from gfx8 on, DPP8 from gfx10 on; in
 * VOP3, VOP3P and compares from gfx11 on. */
bool
amd_op_has_dpp(amd_op op, amd_fmt fmt, amd_gen gen);

/* Does `op` have a VOP3 encoding on `gen` besides a 32-bit one? */
bool
amd_op_has_e64(amd_op op, amd_gen gen);

/* May `op` use SDWA on `gen`? It exists on gfx8 to gfx10.3; only gfx8 has it for v_mac, and only
 * gfx10 for v_movrel. */
bool
amd_op_has_sdwa(amd_op op, amd_gen gen);

/* Decodes the instruction at `bytes`, of which `size` are readable. False if they are not an
 * instruction of `gen`. */
bool
amd_decode(amd_gen gen, const uint8_t *bytes, size_t size, amd_inst *out);

/* The same as the hardware does it, ignoring operand fields that the instruction does not use (vdst
 * of a store, vsrcx1 of v_dual_mov_b32); amd_decode requires them to be zero, like LLVM. `*extra`
 * tells that one is not zero: amd_encode writes zero for it. An unused source with the code for a
 * literal is rejected, because it is unknown whether a literal follows. */
bool
amd_decode_loose(amd_gen gen, const uint8_t *bytes, size_t size, amd_inst *out, bool *extra);

/* Appends the encoding to `out` (at most 20 bytes: MIMG with NSA); sets in->size. False if the
 * instruction has no such encoding on `gen` (a constant where a VGPR is required, an offset out of
 * range ...). */
bool
amd_encode(amd_gen gen, amd_inst *in, base_buf *out);

/* Appends the text in LLVM's syntax, without a line end. `wave64` selects between vcc and vcc_lo.
 * `pc` is the instruction's address, for branch targets, which are printed like llvm-mc
 * -disassemble does (the raw offset). */
void
amd_print(amd_gen gen, const amd_inst *in, bool wave64, base_buf *out);

/* Assembles `text` (a whole file: labels, comments, .directives listed in docs) into `out`; fails
 * with a diagnostic at line and column. */
void
amd_assemble(diag *d, arena *scratch, amd_gen gen, bool wave64, const char *text, size_t size,
             base_buf *out);

#endif
