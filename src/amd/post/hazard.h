/* Hazards that software must resolve, as rules (internal to insert_nops.c).
 *
 * A rule forbids a `last` instruction after a `first` one, if both use a register of the rule's
 * space in the stated ways, and if
 *
 *   states  fewer wait states lie between them (an instruction is one, s_nop n is n + 1), or
 *   valus   fewer vector ALU instructions lie between them, or
 *   else    no instruction lies between them that ends it.
 *
 * If there is a `middle` instruction, it must come between them and use the register too (if the
 * rule counts, whatever it uses); what ends the rule before it and behind it may differ. The `fix`
 * of a rule is inserted before the last instruction and ends it.
 *
 * A soft clause is a row of memory instructions of one kind with nothing between them. Where XNACK
 * may be on (amd_program.may_retry) the hardware may repeat all of it: rules with `clause` last as
 * long as one does.
 */
#ifndef AMD_HAZARD_H
#define AMD_HAZARD_H

#include "amd/post/reg_range.h"

/* What an instruction is, as bits. */
#define HZ_CLASS(n)     (UINT64_C(1) << (n))
#define HZ_SALU         HZ_CLASS(0) /* scalar ALU; not branches, waits and messages */
#define HZ_SMEM         HZ_CLASS(1)
#define HZ_SMEM_BUFFER  HZ_CLASS(2)
#define HZ_VALU         HZ_CLASS(3)
#define HZ_NOT_VALU     HZ_CLASS(4)
#define HZ_VALU_NOT_NOP HZ_CLASS(5)
#define HZ_VALU_SGPR    HZ_CLASS(6) /* vector ALU that writes an SGPR or vcc */
#define HZ_VMEM_LOAD    HZ_CLASS(7) /* vector memory that writes registers */
#define HZ_VMEM_STORE   HZ_CLASS(8)
#define HZ_DS           HZ_CLASS(9)
#define HZ_DOT          HZ_CLASS(10) /* a dot product */
#define HZ_BRANCH       HZ_CLASS(11)
#define HZ_VCCZ_BRANCH  HZ_CLASS(12)
#define HZ_CMPX         HZ_CLASS(13)
#define HZ_PERMLANE     HZ_CLASS(14)
#define HZ_TRANS        HZ_CLASS(15)
#define HZ_DPP          HZ_CLASS(16)
#define HZ_READLANE     HZ_CLASS(17) /* v_readlane, v_readfirstlane */
#define HZ_WRITELANE    HZ_CLASS(18)
#define HZ_DIV_FMAS     HZ_CLASS(19)
#define HZ_SETREG       HZ_CLASS(20)
#define HZ_GETREG       HZ_CLASS(21)
#define HZ_M0_MESSAGE   HZ_CLASS(22) /* a message or GDS, which use m0 */
#define HZ_M0_USER      HZ_CLASS(23) /* s_movrel, interpolation, loads of parameters */
#define HZ_BIG_STORE    HZ_CLASS(24) /* a store of more than 64 bits */
#define HZ_NSA          HZ_CLASS(25) /* image with addresses in NSA form */
#define HZ_NSA_LONG     HZ_CLASS(26) /* the same, of four dwords and more */
#define HZ_OFFSET_6     HZ_CLASS(27) /* buffer access with bit 1 or 2 of the offset set */
#define HZ_PARTIAL      HZ_CLASS(28) /* vector ALU that writes a part of a register */
#define HZ_SALU_EXEC    HZ_CLASS(29) /* scalar ALU that writes exec */
#define HZ_VCC_WHOLE    HZ_CLASS(30) /* writes both halves of vcc */
#define HZ_SMEM_SELF    HZ_CLASS(31) /* scalar load that overwrites what it reads */
#define HZ_VMEM_SELF    HZ_CLASS(32) /* the same of vector memory */
#define HZ_VMEM_CHANGE  HZ_CLASS(33) /* vector memory: a store or an atomic */
#define HZ_VMEM         (HZ_VMEM_LOAD | HZ_VMEM_STORE)

/* How it uses registers. */
enum {
    HZ_READ = 1,
    HZ_WRITE = 2,
    HZ_EXEC = 4,  /* exec, as vector instructions read it */
    HZ_LANE = 8,  /* the operand that selects a lane */
    HZ_MASK = 16, /* a lane mask: the select of v_cndmask, a carry, v_div_fmas' vcc */
    HZ_DATA = 32, /* what a store stores */
};

/* What it waits for: counters as bits 1 << amd_wait, if they must be 0, and fields of
 * s_waitcnt_depctr. */
enum {
    HZ_SA_SDST = 1 << 8, /* scalar results are written */
    HZ_VA_VDST = 1 << 9,
    HZ_VA_SDST = 1 << 10,
    HZ_VA_VCC = 1 << 11,
    HZ_VM_VSRC = 1 << 12,     /* vector memory has read its operands */
    HZ_SCALAR_READ = 1 << 13, /* a vector instruction reads an SGPR, or has a literal */
};

/* Registers that a rule is about. */
typedef enum amd_hazard_space {
    HZ_NO_REGS, /* none: the classes alone decide */
    HZ_SCALAR,  /* SGPRs, vcc, m0, exec */
    HZ_SGPR,    /* SGPRs and vcc */
    HZ_SGPR_NOT_VCC,
    HZ_VCC,
    HZ_EXECS,
    HZ_M0,
    HZ_VGPR,
} amd_hazard_space;

/* What is inserted. */
typedef enum amd_hazard_fix {
    HZ_FIX_NOP, /* s_nop for the missing wait states */
    HZ_FIX_S_MOV_NULL,
    HZ_FIX_V_MOV, /* v_mov_b32 v0, v0 */
    HZ_FIX_V_NOP,
    HZ_FIX_VSCNT, /* s_waitcnt_vscnt null, 0 */
    HZ_FIX_VCCZ,  /* s_waitcnt lgkmcnt(0), s_mov_b64 vcc, vcc */
    HZ_FIX_WAIT,  /* s_waitcnt_depctr (gfx12: s_wait_alu) with the fields of `fields` 0 */
} amd_hazard_fix;

typedef struct amd_hazard_side {
    uint64_t is;  /* any of these classes; 0: none */
    uint32_t how; /* with these uses; ignored without a space */
} amd_hazard_side;

/* What ends it: any of the classes, or a wait that includes any of `waits`. */
typedef struct amd_hazard_end {
    uint64_t is;
    uint32_t waits;
} amd_hazard_end;

typedef struct amd_hazard {
    const char *name;
    uint32_t gens; /* bits of amd_gen */
    uint8_t wave;  /* 64: only in wave64 */
    uint8_t space; /* amd_hazard_space */
    uint8_t states, valus;
    uint8_t split; /* `last` reads a register from before `middle` and one written behind it by one
                      of the latest `split` vector instructions, with fewer than `valus` - `split` -
                      1 between the writes */
    bool pairs;    /* both SGPRs of an aligned pair count as used by `first` */
    uint8_t fix;
    uint32_t fields; /* HZ_FIX_WAIT: HZ_SA_SDST ... */
    amd_hazard_side first, middle, last;
    amd_hazard_end end, end2; /* before and behind the middle instruction */
    uint64_t clause; /* an instruction of none of these classes ends it; 0: classes do not matter */
    uint8_t retry;   /* amd_obj_retry: only where such accesses may be repeated */
} amd_hazard;

/* The rules, terminated by a NULL name. */
extern const amd_hazard amd_hazards[];

enum { HZ_MAX_USES = 24 };

typedef struct amd_hazard_use {
    uint16_t first, count; /* tracked registers (reg_range.h) */
    uint16_t how;
} amd_hazard_use;

/* An instruction as rules see it. */
typedef struct amd_hazard_info {
    uint64_t is;    /* HZ_SALU ... */
    uint32_t waits; /* counters and fields that it waits for */
    uint32_t states;
    uint32_t n_uses;
    amd_hazard_use uses[HZ_MAX_USES];
} amd_hazard_info;

/* The first instruction of a pair describes both. */
void
amd_hazard_describe(const amd_program *p, const ir_instr *i, amd_hazard_info *out);

/* The immediate of s_waitcnt_depctr that waits for `fields`. */
uint32_t
amd_hazard_wait(uint32_t fields);

#endif
