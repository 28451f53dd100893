/* Internals of the *hazards* checker: the elements of the rules in hazards.def.
 *
 * A rule describes two, sometimes three, instructions whose conflict the hardware does not resolve:
 * the first creates the hazard, the second is hit by it, and in some rules one in the middle arms
 * it. Each side is a set of classes (what kind of instruction) and of uses (how it touches which
 * registers); the hazard exists if the sides share a register. It ends after a number of wait
 * states, or with an instruction that mitigates it. A rule may also describe a single instruction.
 *
 * For each instruction, its classes, its uses, and the sets of rules that it may create, be hit by,
 * and end are computed once (hazard_info.c). A wave keeps a ring of its last instructions for rules
 * that count wait states, and sets of pending registers for the others (hazards.c).
 */
#ifndef AMD_EMU_HAZARDS_H
#define AMD_EMU_HAZARDS_H

#include "amd/emu/core/wave.h"
#include "amd/isa/table/counters.h"

/* Kinds of instructions. An instruction may belong to several. */
#define HAZARD_CLASSES(C)                                                                          \
    C(SALU)         /* scalar ALU, SOPP among them */                                              \
    C(SALU_REAL)    /* scalar ALU without SOPP */                                                  \
    C(VALU)         /* vector ALU, with matrix and interpolation from VOP3 */                      \
    C(VALU_PLAIN)   /* vector ALU other than matrix instructions and accumulator moves */          \
    C(VALU_PARTIAL) /* vector ALU that keeps low bits: SDWA dst_sel, op_sel[3] */                  \
    C(VALU_NOT_TRANS)                                                                              \
    C(VALU_NOT_NOP)                                                                                \
    C(VALU_WRITES_SGPR)                                                                            \
    C(VALU_READS_SGPR) /* an SGPR or a literal, not counting exec */                               \
    C(TRANS)                                                                                       \
    C(DPP)                                                                                         \
    C(DIV_FMAS)                                                                                    \
    C(READLANE) /* v_readlane, v_readfirstlane */                                                  \
    C(WRITELANE)                                                                                   \
    C(CMPX)     /* a comparison that writes exec */                                                \
    C(PERMLANE) /* v_permlane16 and its like */                                                    \
    C(INTERP)                                                                                      \
    C(LDS_DIRECT)     /* reads the lds_direct operand */                                           \
    C(LDSDIR)         /* LDSDIR encoding: lds_direct_load, lds_param_load */                       \
    C(LDSDIR_NO_VSRC) /* the same, not waiting for vm_vsrc itself */                               \
    C(VMEM)           /* buffer, image */                                                          \
    C(FLAT)           /* flat_* */                                                                 \
    C(SEGMENT)        /* global_*, scratch_* */                                                    \
    C(DS)                                                                                          \
    C(VM_STORE) /* vector memory without a result */                                               \
    C(VM_LOAD)  /* vector memory with a result, by the counters of gfx12 */                        \
    C(VM_SAMPLE)                                                                                   \
    C(VM_BVH)                                                                                      \
    C(SMEM)                                                                                        \
    C(SMEM_BUFFER) /* through a V# */                                                              \
    C(SMEM_LOAD)                                                                                   \
    C(SMEM_STORE)                                                                                  \
    C(EXP)                                                                                         \
    C(BIG_STORE)  /* its data may be overwritten too early: over 64 bits */                        \
    C(M0_MESSAGE) /* s_sendmsg, s_ttracedata, GDS */                                               \
    C(M0_LDS)     /* LDS add-TID, loads to LDS */                                                  \
    C(MOVREL)     /* s_movrel* */                                                                  \
    C(GETREG)                                                                                      \
    C(SETREG)                                                                                      \
    C(SET_VSKIP) /* s_setreg of MODE.vskip, s_setvskip */                                          \
    C(VECTOR)    /* instructions that vskip skips */                                               \
    C(RFE)                                                                                         \
    C(BRANCH)                                                                                      \
    C(NON_VALU)                                                                                    \
    C(NSA)       /* image with addresses in NSA form */                                            \
    C(NSA_LONG)  /* the same, of four dwords and more */                                           \
    C(OFFSET_6)  /* MUBUF, MTBUF with bit 1 or 2 of the offset set */                              \
    C(FP_ATOMIC) /* vector memory atomic on floats */                                              \
    C(DENORM_MODE)                                                                                 \
    C(FMA_F64)                                                                                     \
    C(DOT)                                                                                         \
    C(MFMA)                                                                                        \
    C(DGEMM) /* MFMA on f64 */                                                                     \
    C(ACC_READ)                                                                                    \
    C(ACC_WRITE)                                                                                   \
    C(WMMA)                                                                                        \
    C(DEALLOC_VGPRS) /* s_sendmsg sendmsg(MSG_DEALLOC_VGPRS) */                                    \
    C(VCCZ_BRANCH)                                                                                 \
    C(VCC_WHOLE) /* writes all of vcc */                                                           \
    C(VCC_HALF)  /* writes only vcc_lo or vcc_hi */                                                \
    C(SETREG_TRAPSTS)                                                                              \
    C(SALU_BREAKS_SMEM) /* scalar ALU after which scalar loads have read their SGPRs */            \
    C(SHIFT64)                                                                                     \
    C(MAD64) /* v_mad_u64_u32, v_mad_i64_i32 */

typedef enum hazard_class_bit {
#define HAZARD_CLASS_BIT(name) HAZARD_CB_##name,
    HAZARD_CLASSES(HAZARD_CLASS_BIT)
#undef HAZARD_CLASS_BIT
        HAZARD_CLASS_COUNT
} hazard_class_bit;

_Static_assert(HAZARD_CLASS_COUNT <= 64, "classes are bits of one word");

/* The bit of a class. */
#define HAZARD_C(name) (UINT64_C(1) << HAZARD_CB_##name)

/* Vector memory of all encodings, whose instructions in a row are a soft clause. */
#define HAZARD_VMEM_CLAUSE (HAZARD_C(VMEM) | HAZARD_C(FLAT) | HAZARD_C(SEGMENT))

/* Kinds of waits, as bits: set if an instruction waits until nothing of the kind is outstanding. */
enum {
    HAZARD_WAIT_VM = 1 << AMD_WAIT_VM, /* and so on for the other counters */
    HAZARD_WAIT_LGKM = 1 << AMD_WAIT_LGKM,
    HAZARD_WAIT_VS = 1 << AMD_WAIT_VS,
    HAZARD_WAIT_SAMPLE = 1 << AMD_WAIT_SAMPLE,
    HAZARD_WAIT_BVH = 1 << AMD_WAIT_BVH,
    HAZARD_WAIT_KM = 1 << AMD_WAIT_KM,
    HAZARD_WAIT_SA_SDST = 1 << 16, /* the fields of s_waitcnt_depctr */
    HAZARD_WAIT_VA_VDST = 1 << 17, /* vector memory, LDS and exports imply it */
    HAZARD_WAIT_VA_SDST = 1 << 18,
    HAZARD_WAIT_VA_VCC = 1 << 19,
    HAZARD_WAIT_VM_VSRC = 1 << 20,
    HAZARD_WAIT_ANY = 1 << 21, /* any instruction that waits for a counter, whatever the count */
    /* from gfx11 on: the same as the fields of that name, before any instruction that needs it */
    HAZARD_WAIT_SELF_SA_SDST = 1 << 22,
    HAZARD_WAIT_SELF_VA_SDST = 1 << 23,
    HAZARD_WAIT_SELF_VA_VCC = 1 << 24,
};

/* The way an instruction uses registers. */
enum {
    HAZARD_READ = 1, /* an operand, or implicitly vcc or m0 */
    HAZARD_WRITE = 2,
    HAZARD_EXEC = 4,   /* exec, as every vector instruction reads it */
    HAZARD_MASK = 8,   /* a lane mask: carry-in, v_cndmask's select, v_div_fmas' vcc */
    HAZARD_CONST = 16, /* an SGPR as a value that is the same for all lanes */
    HAZARD_LANE = 32,  /* a lane select */
    HAZARD_ZERO = 64,  /* vccz or execz as a source */
    HAZARD_SRC0 = 128, /* the first source: the one that DPP permutes or v_readlane reads */
    HAZARD_DATA = 256, /* data of a large store */
    HAZARD_AB = 512,   /* matrix sources A and B, the index of sparse matrix instructions */
    HAZARD_ACC = 1024, /* matrix source C; for sparse ones and accumulating dot products: vdst */
    HAZARD_DATA_SOFFSET = 2048, /* data of a large store to a buffer with an SGPR offset */
};

/* Register spaces; a rule applies to one. Codes are operand codes; hardware registers have separate
 * codes. */
enum { HAZARD_HWREG0 = 1024 };
typedef enum hazard_space {
    HAZARD_S_NONE, /* classes alone decide */
    HAZARD_S_SGPR, /* SGPRs and vcc */
    HAZARD_S_VCC,
    HAZARD_S_SGPR_NOT_VCC,
    HAZARD_S_EXEC,
    HAZARD_S_M0,
    HAZARD_S_SCALAR, /* SGPRs, vcc, m0, exec */
    HAZARD_S_VECTOR, /* VGPRs and accumulators */
    HAZARD_S_HWREG,
} hazard_space;

typedef struct hazard_use {
    uint16_t code, count;
    uint16_t how; /* HAZARD_READ ... */
} hazard_use;

enum { HAZARD_MAX_USES = 32, HAZARD_MAX_RULES = 64 };

struct emu_hazard_info {
    const emu_inst *written;        /* the instruction as encoded in the code */
    uint64_t classes;               /* HAZARD_C */
    uint32_t waits;                 /* HAZARD_WAIT_ */
    uint32_t states;                /* wait states that it provides */
    uint64_t first, middle, second; /* rules that it may create, arm, be hit by: bits of the set */
    uint64_t end1, end2;            /* pending rules that it ends, before and after the middle
                                       instruction */
    bool writes_exec;
    uint32_t n_uses;
    hazard_use uses[HAZARD_MAX_USES];
};

/* One side of a rule: any of the classes, and the relevant uses. */
typedef struct hazard_side {
    uint64_t is;
    uint32_t how;
} hazard_side;

/* The condition that ends a pending hazard: any of the classes, or any of the waits. */
typedef struct hazard_end {
    uint64_t is;
    uint32_t waits;
} hazard_end;

/* The wait states required between `first`, with use `a`, and `second`, with use `b`; for rules in
 * which the number depends on the instructions. */
typedef uint32_t
hazard_need(const emu_inst *first, const hazard_use *a, const emu_inst *second, const hazard_use *b,
            amd_gen gen);

/* Reports a finding if the instruction, alone or in the wave's current state, is a hazard. */
typedef struct hazard_rule hazard_rule;
typedef void
hazard_test(emu_wave *w, const emu_inst *i, const hazard_rule *r);

struct hazard_rule {
    const char *name;
    const char *text;   /* the forbidden situation */
    const char *source; /* reference for the rule */
    const char *clang;  /* in which way code of clang 19 breaks it (docs/emulator.md); NULL: not */
    uint32_t gens;      /* bits of amd_gen */
    hazard_space space;
    uint32_t wave;   /* 64: in wave64 only */
    uint32_t states; /* required wait states; 0: pending until ended */
    uint32_t
        salus;  /* pending rules: ends after this many scalar ALU instructions (vector: one more) */
    bool pairs; /* the first instruction makes both SGPRs of an aligned pair pending */
    uint64_t clause; /* pending rules: ends with an instruction of none of these classes; 0: not */
    uint8_t retry;   /* amd_obj_retry: only where such accesses may be repeated (XNACK) */
    bool any_write;  /* registers that others have written in between still count */
    hazard_side first, middle, second;
    hazard_end end1, end2; /* before the middle (or only) instruction; after it */
    hazard_need *need;     /* NULL: `states` */
    hazard_test *test;     /* called when an instruction of `second`'s classes comes */
};

/* The rules of a generation; their indices are the bits in emu_hazard_info. */
struct hazard_set {
    amd_gen gen;
    uint32_t n;
    const hazard_rule *rules[HAZARD_MAX_RULES];
    uint64_t counted, pending, tests; /* rules by kind */
};
typedef struct hazard_set hazard_set;

/* All rules, terminated by a NULL name. */
extern const hazard_rule amd_emu_hazard_rules[];

/* Does register `code` belong to the space? */
bool
amd_emu_hazard_in_space(hazard_space space, uint32_t code);

/* Do two uses share a register of the space? */
bool
amd_emu_hazard_overlap(hazard_space space, const hazard_use *a, const hazard_use *b);

/* Fills `*info`, for an instruction that the code contains as `written`. */
void
amd_emu_hazard_describe(const struct hazard_set *set, const emu_inst *i, const emu_inst *written,
                        bool wave64, struct emu_hazard_info *info);

static inline bool
amd_emu_hazard_is(const emu_inst *i, uint64_t classes)
{
    return (i->hazards->classes & classes) != 0;
}

/* Sizes of the rings of a wave's last instructions. */
enum { HAZARD_RING = 32, HAZARD_VALU_RING = 16 };

typedef struct hazard_issue {
    const emu_inst *inst;
    uint32_t time; /* time of issue, in wait states */
} hazard_issue;

/* A vector instruction with the registers that its index selects. */
typedef struct hazard_moved {
    emu_inst inst;
    struct emu_hazard_info info;
} hazard_moved;

/* Registers with a pending hazard of a rule: one bit each, and the instruction that made it
 * pending. */
typedef struct hazard_stage {
    uint64_t *bits;
    const emu_inst **by;
    uint32_t *at; /* number of scalar ALU instructions issued before */
    bool any;
} hazard_stage;

/* The checker's state for a wave. */
struct emu_hazards {
    const hazard_set *set;
    uint64_t live; /* counting rules whose first instruction is in the ring */
    uint64_t open; /* pending rules with a non-empty stage */
    uint32_t time, n;
    hazard_issue ring[HAZARD_RING];
    /* the last vector ALU instructions since all of them were waited for, each with the number of
     * scalar writes of exec before it */
    uint32_t n_valu, execs;
    struct {
        const emu_inst *inst;
        uint32_t execs;
    } valu[HAZARD_VALU_RING];
    uint32_t since_trans; /* vector ALU instructions after the last transcendental one among them */
    uint32_t salus;       /* scalar ALU instructions (SOPP not counted) */
    uint32_t clause;      /* instructions left in the clause of s_clause */
    /* a ring of HAZARD_RING copies, which the other rings refer to; NULL: none yet */
    hazard_moved *moved;
    uint32_t n_moved;
    hazard_stage *stages[HAZARD_MAX_RULES][2];
};

/* Reports that `i` breaks `rule` in conflict with `first` (NULL: with itself). */
void
amd_emu_hazard_report(emu_wave *w, const hazard_rule *rule, const emu_inst *first,
                      const char *format, ...);

/* Is it gfx942, whose matrix instructions and vector ALU differ from gfx90a's? */
#define HAZARD_IS_GFX942(gen) (amd_is_cdna3(gen))

/* Wait states that depend on the instructions (hazard_matrix.c). */
hazard_need amd_emu_hazard_need_c_908, amd_emu_hazard_need_read_908, amd_emu_hazard_need_write_908,
    amd_emu_hazard_need_over_908, amd_emu_hazard_need_not_dot, amd_emu_hazard_need_mfma_c,
    amd_emu_hazard_need_mfma_result, amd_emu_hazard_need_mfma_memory, amd_emu_hazard_need_mfma_over,
    amd_emu_hazard_need_dot;

/* Rules that are tested by a function (hazard_tests.c). */
hazard_test amd_emu_hazard_test_inst_prefetch, amd_emu_hazard_test_offset_3f,
    amd_emu_hazard_test_flat_offset, amd_emu_hazard_test_negative_scratch,
    amd_emu_hazard_test_negative_unaligned, amd_emu_hazard_test_long_nsa,
    amd_emu_hazard_test_nsa_in_clause, amd_emu_hazard_test_last_shift,
    amd_emu_hazard_test_mad_overlap, amd_emu_hazard_test_carry_scratch,
    amd_emu_hazard_test_partial_forward, amd_emu_hazard_test_trans_use,
    amd_emu_hazard_test_lds_direct, amd_emu_hazard_test_misaligned_flat,
    amd_emu_hazard_test_late_accumulator, amd_emu_hazard_test_after_dgemm,
    amd_emu_hazard_test_denorm_mode, amd_emu_hazard_test_dealloc,
    amd_emu_hazard_test_self_in_clause, amd_emu_hazard_test_store_in_clause;

#endif
