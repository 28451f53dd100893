/* The AMD back end's machine IR: the IR container at level `amd_level`, and the data of a program.
 *
 * As in ACO, opcodes are those of the hardware (isa/ops.def) and of pseudo instructions
 * (pseudo.def), types are register classes, and there are two CFGs over the same blocks (edge list
 * 0 logical, 1 linear). VGPRs live along logical edges, SGPRs and linear VGPRs along linear edges.
 *
 * Operand order of a hardware instruction. Definitions: the row's destinations (isa/ops.def, roles
 * D and B) in order, then implicit ones, fixed (scc, vcc, exec). References: the row's sources
 * (role S) in order; then, if a destination is also read (role B: v_fmac, v_writelane, atomics
 * ...), or keeps a half of its register (op_sel's bit 3), one reference for it, tied to that
 * definition so that both get one register (amd_tied);
 * then implicit ones, fixed (scc, vcc, m0, exec). An atomic without a result has no definition but
 * keeps the tied reference. An absent operand ("off") is a reference of kind NONE that is not
 * fixed.
 *
 * Lane masks (divergent booleans, exec) are s1 in wave32 and s2 in wave64: p->lane_mask. Before
 * insert_exec_mask, the dependency on exec is implicit. A uniform boolean is an s1 that is 0 or 1,
 * or scc.
 */
#ifndef AMD_AMD_H
#define AMD_AMD_H

#include "amd/isa/codec/legal.h"
#include "amd/isa/isa.h"
#include "amd/isa/table/properties.h"
#include "cg/state.h"
#include "ir/text.h"

/* Pseudo opcodes follow the hardware's: AMD_P_PARALLELCOPY ... */
enum {
    AMD_OP_BEFORE_PSEUDO = AMD_OP_HW_COUNT - 1,
#define PSEUDO(id, name, n_defs, n_refs, words, flags) AMD_##id,
#include "amd/pseudo.def"
#undef PSEUDO
    AMD_OP_COUNT,
};

/* ---- register classes (ACO's bits) ---- */

enum {
    AMD_RC_SIZE = 0x1f, /* number of registers, or of bytes with AMD_RC_BYTES */
    AMD_RC_VGPR = 0x20,
    AMD_RC_BYTES = 0x40,  /* VGPR parts */
    AMD_RC_LINEAR = 0x80, /* a VGPR that lives along the linear CFG, for all lanes */
    AMD_S1 = 1,
    AMD_S2 = 2,
    AMD_S3 = 3,
    AMD_S4 = 4,
    AMD_S6 = 6,
    AMD_S8 = 8,
    AMD_S16 = 16,
    AMD_V1 = 0x21,
    AMD_V2,
    AMD_V3,
    AMD_V4,
    AMD_V5,
    AMD_V6,
    AMD_V7,
    AMD_V8,
    AMD_V1B = 0x61,
    AMD_V2B,
    AMD_V3B,
    AMD_V4B,
    AMD_V6B = 0x66,
    AMD_V8B = 0x68,
    AMD_LV1 = 0xa1,
    AMD_LV2 = 0xa2,
};

static inline bool
amd_rc_is_vgpr(unsigned rc)
{
    return (rc & AMD_RC_VGPR) != 0;
}

static inline bool
amd_rc_is_linear(unsigned rc)
{
    return !(rc & AMD_RC_VGPR) || (rc & AMD_RC_LINEAR);
}

/* The bytes that the class occupies in its register file (for one lane); the number of whole
 * registers. */
static inline unsigned
amd_rc_bytes(unsigned rc)
{
    return (rc & AMD_RC_SIZE) * (rc & AMD_RC_BYTES ? 1 : 4);
}

static inline unsigned
amd_rc_regs(unsigned rc)
{
    return (amd_rc_bytes(rc) + 3) / 4;
}

/* The class of `bytes` bytes in SGPRs or VGPRs; a VGPR class of bytes if the size is not a multiple
 * of 4. */
static inline unsigned
amd_rc(bool vgpr, unsigned bytes)
{
    if (!vgpr)
        return (bytes + 3) / 4;
    return bytes % 4 ? AMD_RC_VGPR | AMD_RC_BYTES | bytes : AMD_RC_VGPR | bytes / 4;
}

/* ---- physical registers: register code of isa.h * 4 + byte ---- */

#define AMD_PHYS(code) ((uint16_t)((code)*4))
enum {
    AMD_VCC = AMD_REG_VCC_LO * 4,
    AMD_M0 = AMD_REG_M0 * 4,
    AMD_NULL = AMD_REG_NULL * 4,
    AMD_EXEC = AMD_REG_EXEC_LO * 4,
    AMD_SCC = AMD_REG_SCC * 4,
    AMD_VGPR0 = AMD_REG_VGPR0 * 4,
    AMD_AGPR0 = AMD_REG_AGPR0 * 4,
    AMD_PHYS_COUNT = AMD_AGPR0,
    AMD_PHYS_COUNT_AGPRS = AMD_AGPR0 + 256 * 4, /* where there are AGPRs */
};

/* Banks of registers (ir_class.bank). */
enum { AMD_BANK_SGPR, AMD_BANK_VGPR, AMD_BANK_COUNT };

/* The level; that of targets whose VGPR tuples must be aligned; that of programs which have values
 * of half a VGPR, up to register allocation. They differ in the classes of their machines.
 * amd_level_of is behind the targets. */
extern const ir_level amd_level, amd_half_level;
extern const ir_machine amd_machine, amd_paired_machine, amd_half_machine;

/* The units of register files that a register has: registers are counted in them in cg_state. */
static inline unsigned
amd_reg_units(const ir_fn *f)
{
    return f->level == &amd_half_level ? 2 : 1;
}

/* ---- attribute words by encoding family; fields are named in level.c ----
 * SALU:  word 0 imm; of a branch, the index of the target block (emit_program makes it a distance)
 * VALU:  word 0 modifiers (AMD_MODS_*), word 1 DPP, word 2 SDWA
 * SMEM:  word 0 offset, word 1 memory bits, word 2 sync
 * DS:    word 0 offset (offset0 | offset1 << 8 for two-address ops), word 1 memory bits (gds), word
 * 2 sync MUBUF, MTBUF, MIMG, FLAT, GLOBAL, SCRATCH: word 0 offset, word 1 memory bits, word 2 sync
 * VINTRP, LDSDIR: word 0 parameter * 4 + channel; other instructions that read parameters have it
 * in word 2 from bit 16 on
 * EXP:   word 0 target, en, compr, done, vm */
typedef enum amd_words {
    AMD_WORDS_NONE,
    AMD_WORDS_SALU,
    AMD_WORDS_VALU,
    AMD_WORDS_MEM,
    AMD_WORDS_EXP,
    AMD_WORDS_BARRIER, /* execution_scope, memory_scope, mem_semantics, mem_modes as in HIR */
    AMD_WORDS_REDUCE,  /* reduction_op, cluster_size, bits, full (all lanes are active) */
    AMD_WORDS_SLOT,    /* the place of a spilled value; is it the number of an AGPR? */
    AMD_WORDS_OFFSET,
} amd_words;

/* Shifts of the fields in VALU word 0. */
enum {
    AMD_MOD_NEG = 0,       /* 4 bits, one per source */
    AMD_MOD_ABS = 4,       /* 4 */
    AMD_MOD_NEG_HI = 8,    /* 4: VOP3P */
    AMD_MOD_OPSEL = 12,    /* 4: sources 0-2, bit 3 the destination */
    AMD_MOD_OPSEL_HI = 16, /* 4: VOP3P; selection sets 7 to use the high halves */
    AMD_MOD_OMOD = 20,     /* 2 */
    AMD_MOD_CLAMP = 22,    /* 1 */
    AMD_MOD_WAIT_EXP = 24, /* 3: VINTERP: exports, and loads of parameters, that may be pending */
    /* word 1: DPP16 dpp_ctrl 9 bits at 0, row_mask 9, bank_mask 13, bound_ctrl 17, fi 18; DPP8: 24
       bits of lane selects */
    AMD_DPP_ROW_MASK = 9,
    AMD_DPP_BANK_MASK = 13,
    AMD_DPP_BOUND_CTRL = 17,
    AMD_DPP_FI = 18,
    AMD_DPP8_FI = 24,
    /* word 2: SDWA dst_sel 3 bits at 0, dst_unused 2 at 3, src0_sel 3 at 5, src1_sel 3 at 8, sext 2
       at 11 */
    AMD_SDWA_DST_UNUSED = 3,
    AMD_SDWA_SRC0 = 5,
    AMD_SDWA_SRC1 = 8,
    AMD_SDWA_SEXT = 11,
    AMD_SDWA_PRESERVE = 2, /* dst_unused: the other bytes are kept */
    AMD_ATTR_SHIFT = 16,   /* word 2, 9 bits: parameter * 4 + channel, 256: the high halves */
};

/* Bits of a memory instruction's word 1. */
enum {
    AMD_MEM_GLC = 1u << 0,
    AMD_MEM_SLC = 1u << 1, /* streaming; where has_scopes, the temporal hint NT */
    AMD_MEM_DLC = 1u << 2,
    AMD_MEM_LDS = 1u << 3,
    AMD_MEM_TFE = 1u << 4,
    AMD_MEM_OFFEN = 1u << 5,
    AMD_MEM_IDXEN = 1u << 6,
    AMD_MEM_LWE = 1u << 7,
    AMD_MEM_UNORM = 1u << 8,
    AMD_MEM_R128 = 1u << 9,
    AMD_MEM_A16 = 1u << 10,
    AMD_MEM_D16 = 1u << 11,
    AMD_MEM_GDS = 1u << 12,
    AMD_MEM_NSA = 1u << 13,
    AMD_MEM_SCOPE = 14, /* shift, 2 bits: AMD_SCOPE_* (isa/table/names.h), where has_scopes or
                            has_scope_bits */
    AMD_MEM_DIM = 16,   /* shift, 3 bits */
    AMD_MEM_ADDR64 = 1u << 19,
    AMD_MEM_DMASK = 20,  /* shift, 4 bits */
    AMD_MEM_FORMAT = 24, /* shift, 7 bits */
};

/* Word 2 of a memory instruction, and the memory effects of barriers: the memory that is accessed,
 * and its ordering. */
enum {
    AMD_SYNC_BUFFER = 1u << 0,
    AMD_SYNC_IMAGE = 1u << 1,
    AMD_SYNC_SHARED = 1u << 2,
    AMD_SYNC_SCRATCH = 1u << 3,
    AMD_SYNC_SPILL = 1u << 4,
    AMD_SYNC_CAN_REORDER = 1u << 8,
    AMD_SYNC_VOLATILE = 1u << 9,
    AMD_SYNC_ATOMIC = 1u << 10,
};

/* ---- the program ---- */

/* The register contents that the driver and the hardware set before the first instruction
 * (docs/abi.md). */
typedef enum amd_arg_kind {
    AMD_ARG_DESCRIPTOR_SET,  /* index: set; 1 SGPR, the low half of the address */
    AMD_ARG_SET_TABLE,       /* 1 SGPR: pointer to the 32-bit set pointers */
    AMD_ARG_PUSH_INLINE,     /* index: first dword; count SGPRs */
    AMD_ARG_PUSH_POINTER,    /* 1 SGPR */
    AMD_ARG_WORKGROUP_COUNT, /* 3 SGPRs */
    AMD_ARG_SCRATCH,         /* 2 SGPRs: 64-bit base of the dispatch's scratch memory */
    AMD_ARG_KERNARG,         /* hsa: 2 SGPRs */
    AMD_ARG_VERTEX_BUFFERS,  /* 1 SGPR: pointer to the V#s of the vertex buffers, by binding */
    AMD_ARG_ATTRIBUTES,      /* the same for dynamic input: to records of attributes, by location */
    AMD_ARG_BASE_VERTEX,     /* 1 SGPR each: what the draw adds to the hardware's numbers */
    AMD_ARG_BASE_INSTANCE,
    AMD_ARG_DRAW_ID,
    AMD_ARG_VIEW_INDEX,
    AMD_ARG_ATTRIBUTE_RING, /* 1 SGPR: pointer to the V# of the attribute ring */
    AMD_ARG_XFB_BUFFERS,    /* 1 SGPR: pointer to the V#s of the buffers of transform feedback */
    AMD_ARG_FRAGMENT_STATE, /* 1 SGPR: dynamic state; AMD_STATE_* */
    AMD_ARG_WORKGROUP_ID,   /* system: index: dimension; 1 SGPR */
    AMD_ARG_WORKGROUP_INFO, /* system: TG_SIZE: bits 5:0 number of waves, 24:20 the wave's number */
    AMD_ARG_SCRATCH_OFFSET, /* system: the wave's byte offset in scratch memory */
    AMD_ARG_WORKGROUP_ID_YZ, /* ttmp: y in bits 15:0, z in 31:16 */
    AMD_ARG_WAVE_ID,         /* ttmp: bits 29:25 the wave's number */
    AMD_ARG_LOCAL_ID,        /* VGPRs v0, v1, v2: x, y, z; count 1 each, index: dimension */
    /* Primitive shaders, system SGPRs: numbers of vertices and primitives of the group; of the
     * wave; the place of the group's attributes in the ring. */
    AMD_ARG_GROUP_COUNTS,
    AMD_ARG_WAVE_COUNTS,
    AMD_ARG_ATTRIBUTE_OFFSET,
    /* Vertex shaders, system SGPRs of streamout: bits 22:16 the wave's vertices that are captured,
     * which are its first; the number of its first in the buffers; index: buffer; where the draw
     * begins in it, in dwords. */
    AMD_ARG_XFB_CONFIG,
    AMD_ARG_XFB_INDEX,
    AMD_ARG_XFB_OFFSET,
    AMD_ARG_PRIMITIVE, /* VGPR: the primitive's vertices, ready for its export, or two as halves */
    AMD_ARG_THIRD_VERTEX, /* VGPR: the primitive's third vertex, if the other two are halves */
    AMD_ARG_VERTEX_ID,    /* VGPR: an index as read, or the vertex' number in the draw */
    AMD_ARG_INSTANCE_ID,  /* VGPR: the instance's number in the draw */
    AMD_ARG_PRIMITIVE_ID, /* VGPR: the number of the vertex' primitive, which shares none */
    AMD_ARG_PRIM_MASK,    /* fragment shaders, a system SGPR: for m0, where parameters are read */
    AMD_ARG_COLLISION,    /* the same, behind it: numbers of the wave and of one to wait for */
    AMD_ARG_FRAGMENT,     /* VGPRs; index: the bit of SPI_PS_INPUT_ENA that asks for them */
    AMD_ARG_KIND_COUNT,
} amd_arg_kind;

/* Bits of AMD_ARG_FRAGMENT_STATE: the logarithm of a pixel's samples; alpha is 1. */
enum { AMD_STATE_SAMPLES = 7, AMD_STATE_ALPHA_TO_ONE = 8 };

enum { AMD_MAX_ARGS = 48 };

typedef struct amd_arg {
    uint8_t kind; /* amd_arg_kind */
    bool vgpr;
    uint8_t count; /* registers */
    uint16_t index;
    uint16_t reg; /* first register code (isa.h) */
} amd_arg;

/* The hardware stage that runs a program. */
typedef enum amd_stage {
    AMD_STAGE_COMPUTE_CS,
    AMD_STAGE_VERTEX_VS,
    AMD_STAGE_VERTEX_NGG, /* a primitive shader: ES and GS in one */
    AMD_STAGE_FRAGMENT_FS,
} amd_stage;

/* A register that the driver writes for the program, besides its RSRC words. */
typedef struct amd_set_reg {
    uint32_t address; /* in bytes, as in amd/registers */
    uint32_t value;
} amd_set_reg;

enum { AMD_MAX_SET_REGS = 24 };

/* A parameter: of a vertex shader, an output that fragment shaders can read; of a fragment shader,
 * an input. Their numbers are their places in the program's list. */
typedef struct amd_param {
    uint8_t slot;       /* ir_slot */
    uint8_t location;   /* of SLOT `location`; of distances: of four */
    uint8_t components; /* that are written or read, a bit each */
    uint32_t control;   /* fragment shaders: what they need of SPI_PS_INPUT_CNTL */
} amd_param;

enum { AMD_MAX_PARAMS = 32 };

/* hsa: an entry of the kernarg segment. `kind` is DESCRIPTOR_SET (the 64-bit address of set
 * `index`), PUSH_POINTER (the 64-bit address of the block with the dynamic buffers' descriptors),
 * PUSH_INLINE (the push constant block) or WORKGROUP_COUNT (a dword, dimension
 * `index`). */
typedef struct amd_kernarg {
    uint8_t kind; /* amd_arg_kind */
    uint16_t index;
    uint32_t offset, size; /* bytes */
} amd_kernarg;

enum { AMD_MAX_KERNARGS = 37 }; /* 32 sets, the block, the push constants, three dimensions */

typedef struct amd_target {
    char name[16]; /* "gfx1030", as base/short_name.h compares it */
    amd_gen gen;
    uint16_t sgpr_limit;     /* addressable by a wave, excluding vcc */
    uint16_t vgpr_limit;     /* 256; 512 if AGPRs share the file */
    uint16_t physical_vgprs; /* per SIMD and lane, for wave32 if it exists: 1024 on gfx10 */
    uint16_t physical_sgprs; /* 0: SGPRs do not limit occupancy (gfx10+) */
    uint8_t vgpr_granule[2]; /* allocation step: wave32, wave64 */
    uint8_t max_waves;       /* per SIMD: 16 on gfx10.3 (20 on gfx10) */
    uint32_t lds_limit;      /* maximum bytes per workgroup */
} amd_target;

/* The known processors; their number; the processor that a target id (target/target_id.h) begins
 * with, or NULL. */
extern const amd_target amd_targets[];
extern const uint32_t amd_target_count;
const amd_target *
amd_find_target(const char *id);

/* Can the compiler generate code for the target? Every target can be assembled and disassembled. */
bool
amd_target_compiles(const amd_target *t);

/* The level of the target's machine IR. */
const ir_level *
amd_level_of(const amd_target *t);

/* Is scratch memory a swizzled buffer, whose descriptor takes four SGPRs? */
bool
amd_scratch_is_buffer(const amd_target *t);

/* Does a program that uses scratch get its place in SGPRs? */
bool
amd_takes_scratch_args(const amd_target *t);

/* Debug switches (HEDDLE_DEBUG). */
enum {
#define SWITCH(name, id, bit) AMD_DEBUG_##id = 1 << (bit),
#include "amd/debug.def"
#undef SWITCH
};

/* Code from byte `offset` on comes from f->locs[loc]. */
typedef struct amd_line {
    uint32_t offset, loc;
} amd_line;

/* f->backend of a function at amd_level and amd_hir_level. */
typedef struct amd_program {
    cg_state cg; /* first: general passes take f->backend for it */
    ir_fn *fn;
    const amd_target *target;
    const char *target_id; /* the target with its settings, for the code object */
    uint8_t may_retry;     /* amd_obj_retry: XNACK may be on */
    uint32_t wave_size;
    uint8_t lane_mask;                 /* AMD_S1 or AMD_S2 */
    uint32_t debug;                    /* AMD_DEBUG_* */
    struct ir_pass_run *run;           /* prints notes (notes.h); may be NULL */
    uint16_t debug_sgprs, debug_vgprs; /* tests: maximum register budgets; 0: no limit */
    uint32_t debug_end;      /* 1 + the number of the instruction that s_endpgm precedes; 0: none */
    uint16_t debug_reach;    /* tests: assumed reach of branches in words; 0: the real one */
    uint16_t debug_nohazard; /* tests: the rule of hazards that is left out, from 1; 0: none */
    bool of_text;            /* the machine IR was read: what it says may have no encoding */
    bool hsa;                /* ABI */
    uint32_t address_high;   /* vulkan: the high half of addresses in one SGPR */
    const struct family_layout *layout;     /* for amd_lower_abi */
    uint8_t stage;                          /* amd_stage */
    const struct family_pipeline *pipeline; /* not NULL, but in texts of machine IR */

    amd_arg args[AMD_MAX_ARGS];
    uint32_t n_args;
    uint32_t n_user_sgprs;
    amd_kernarg kernargs[AMD_MAX_KERNARGS]; /* hsa, by offset */
    uint32_t n_kernargs, kernarg_size;      /* bytes */

    /* Graphics: */
    amd_set_reg set_regs[AMD_MAX_SET_REGS];
    uint32_t n_set_regs;
    amd_param params[AMD_MAX_PARAMS];
    uint32_t n_params;

    uint32_t float_mode; /* MODE bits 7:0: rounding 3:0, denormals 7:4 */
    uint32_t lds_bytes;
    uint32_t scratch_bytes; /* per lane; spilling adds to the shader's own */
    bool needs_vcc, needs_scratch;
    bool may_spill; /* set with the first spill: scratch may be needed */
    bool one_unit;  /* its workgroups run on one compute unit each, although they could have two */

    uint16_t
        max_waves; /* waves per SIMD that the demand allows; cg.budget: registers at that number */

    /* after register allocation */
    uint32_t sgprs_used, vgprs_used; /* highest + 1 */
    uint32_t agprs_used;             /* AGPRs that hold spilled VGPRs */
    uint32_t shared_vgprs; /* behind those in use: VGPRs that the halves of a wave64 share */
    uint32_t spilled_sgprs, spilled_vgprs;

    const struct amd_durations *durations; /* NULL until a scheduler asks for them */

    struct amd_line *lines; /* emit_program: by offset; one entry per change of line */
    size_t n_lines, cap_lines;
    uint32_t code_size; /* emit_program: bytes of code, excluding the constant data after it */
} amd_program;

/* The system SGPRs of a primitive shader, before the user's: numbers of the group's vertices (bits
 * 20:12) and primitives (30:22); of the wave's vertices (7:0) and primitives (15:8), the wave's
 * number in the group (27:24); scratch offset, or the place in the attribute ring, in blocks of 512
 * bytes, in bits 14:0 (Mesa 24, radv_shader_args.c, ac_nir.c). */
enum {
    AMD_NGG_GROUP_COUNTS = 2,
    AMD_NGG_WAVE_COUNTS = 3,
    AMD_NGG_SCRATCH_OFFSET = 5,
    AMD_NGG_ATTRIBUTE_OFFSET = 5,
    AMD_NGG_FIRST_USER = 8,
};

static inline unsigned
amd_first_user_sgpr(const amd_program *p)
{
    return p->stage == AMD_STAGE_VERTEX_NGG ? AMD_NGG_FIRST_USER : 0;
}

/* The fields that later phases need, in the text form's header (ir/text.h). */
extern const ir_text_field amd_program_fields[];

static inline amd_program *
amd_prog(const ir_fn *f)
{
    return f->backend;
}

/* ---- making machine instructions ---- */

/* A new instruction `op` with room for definitions and references; its words are zero. It is not
 * inserted. */
static inline ir_instr *
amd_new(ir_fn *f, unsigned op, unsigned n_defs, unsigned n_refs)
{
    return ir_new_instr(f, op, n_defs, n_refs);
}

/* A 32-bit constant of class s1 or v1, or a sign-extended 64-bit one of class s2. */
static inline ir_ref
amd_const(uint32_t value)
{
    return ir_pack_ref(IR_REF_CONST, value, IR_REG_NONE, AMD_S1, 0);
}

static inline ir_ref
amd_const64(int32_t value)
{
    return ir_pack_ref(IR_REF_CONST, (uint32_t)value, IR_REG_NONE, AMD_S2, IR_CONST64);
}

static inline ir_ref
amd_undef(unsigned rc)
{
    return ir_pack_ref(IR_REF_UNDEF, 0, IR_REG_NONE, rc, 0);
}

/* The register `reg` itself, of class `rc`, not a value: %0:exec in text. */
static inline ir_ref
amd_phys(unsigned reg, unsigned rc)
{
    return ir_pack_ref(IR_REF_NONE, 0, reg, rc, IR_FIXED);
}

/* The reference that holds the old value of a destination that is also read, and the definition
 * that must share its register (-1 if the instruction has none). Pseudo instructions have neither.
 */
ir_tied
amd_tied(const ir_instr *i);

/* ---- ir_instr.form: the encoding chosen (amd_fmt), and its extension (amd_ext) in bits 6:5; 0
 * until chosen; bit 7: a pair with the instruction before (target/pair.h) ---- */

enum { AMD_FORM_JOINS = 0x80 };

static inline uint8_t
amd_form(unsigned fmt, unsigned ext)
{
    return (uint8_t)(fmt | ext << 5);
}

static inline unsigned
amd_form_ext(const ir_instr *i)
{
    return i->form >> 5 & 3;
}

/* ---- properties of opcodes ---- */

static inline bool
amd_is_pseudo(unsigned op)
{
    return op >= AMD_OP_HW_COUNT;
}

amd_words
amd_words_of(unsigned op);

/* The operand code of a constant for an operand of type `t` (an amd_type): an inline constant's
 * code, or AMD_SRC_LITERAL. A pair of f16 has the inline constants of f16, in its low half. */
unsigned
amd_const_code_of(amd_gen gen, ir_ref constant, unsigned t);

/* Is it a constant that only a literal can be, for such an operand? */
bool
amd_is_literal(amd_gen gen, ir_ref r, unsigned t);

/* Is the reference in SGPRs? */
bool
amd_is_scalar_ref(ir_ref r);

/* amd_bus_take (isa/codec/legal.h) for a reference, as an operand of type `t`: constants without a
 * literal and VGPRs do not use the bus. */
bool
amd_bus_take_ref(amd_bus *b, ir_ref r, unsigned t);

/* May the vector instruction `op` have these sources? Checks places that accept only VGPRs, the
 * constant bus, and literals. */
bool
amd_sources_fit(amd_gen gen, unsigned op, unsigned n, const ir_ref *refs);

/* Is reference `at` a literal that the vector instruction may not have? Where VOP3 takes none, only
 * an instruction with a 32-bit encoding may, which has a VGPR as its other source, no modifiers,
 * and no mask, whose register is not known before register allocation. */
bool
amd_is_bad_literal(amd_gen gen, unsigned op, unsigned n, const ir_ref *refs, unsigned at);

/* Does the target's VOP3 refuse a literal that the vector instruction has? It gets no modifiers. */
bool
amd_forbids_modifiers(const amd_program *p, const ir_instr *i);

/* Checks that ir_verify does not make (ir_pass_run.check): operands of vector instructions. */
void
amd_check_operands(const ir_fn *f, const char *after);

/* Does the instruction depend on exec? VALU, VMEM, DS, and pseudo instructions on VGPRs do. */
bool
amd_needs_exec(const ir_instr *i);

/* Word 0 of a branch in the middle of a block that ends the program, behind whose code it leads. */
#define AMD_BRANCH_TO_END UINT32_MAX

/* Does the opcode read parameters of a primitive? Its last reference is the mask for m0: an SGPR up
 * to lower_to_hw_instr, then m0. */
bool
amd_reads_params(unsigned op);

/* ir_machine.refine_effects of this level. */
void
amd_refine_effects(const ir_instr *i, ir_effects *e);

/* ---- the phases, in order; most are a file of their name ---- */

#define PHASE(id, function, ...) void function(ir_fn *f);
#define OPTIONAL_PHASE           PHASE
#include "amd/phases.def"
#undef OPTIONAL_PHASE
#undef PHASE

/* Appends the machine code to `out`; sets block offsets. */
void
amd_emit_program(ir_fn *f, base_buf *out);

#endif
