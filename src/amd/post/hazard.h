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
 */
#ifndef AMD_HAZARD_H
#define AMD_HAZARD_H

#include "amd/post/reg_range.h"

/* What an instruction is, as bits. */
enum {
    HZ_SALU = 1 << 0, /* scalar ALU; not branches, waits and messages */
    HZ_SMEM = 1 << 1,
    HZ_SMEM_BUFFER = 1 << 2,
    HZ_VALU = 1 << 3,
    HZ_NOT_VALU = 1 << 4,
    HZ_VALU_NOT_NOP = 1 << 5,
    HZ_VALU_SGPR = 1 << 6, /* vector ALU that writes an SGPR or vcc */
    HZ_VMEM_LOAD = 1 << 7, /* vector memory that writes registers */
    HZ_VMEM_STORE = 1 << 8,
    HZ_DS = 1 << 9,
    HZ_DOT = 1 << 10, /* a dot product */
    HZ_BRANCH = 1 << 11,
    HZ_VCCZ_BRANCH = 1 << 12,
    HZ_CMPX = 1 << 13,
    HZ_PERMLANE = 1 << 14,
    HZ_TRANS = 1 << 15,
    HZ_DPP = 1 << 16,
    HZ_READLANE = 1 << 17, /* v_readlane, v_readfirstlane */
    HZ_WRITELANE = 1 << 18,
    HZ_DIV_FMAS = 1 << 19,
    HZ_SETREG = 1 << 20,
    HZ_GETREG = 1 << 21,
    HZ_M0_MESSAGE = 1 << 22, /* a message or GDS, which use m0 */
    HZ_M0_USER = 1 << 23,    /* s_movrel, interpolation, loads of parameters */
    HZ_BIG_STORE = 1 << 24,  /* a store of more than 64 bits */
    HZ_NSA = 1 << 25,        /* image with addresses in NSA form */
    HZ_NSA_LONG = 1 << 26,   /* the same, of four dwords and more */
    HZ_OFFSET_6 = 1 << 27,   /* buffer access with bit 1 or 2 of the offset set */
    HZ_PARTIAL = 1 << 28,    /* vector ALU that writes a part of a register */
    HZ_SALU_EXEC = 1 << 29,  /* scalar ALU that writes exec */
    HZ_VCC_WHOLE = 1 << 30,  /* writes both halves of vcc */
};

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
    uint32_t is;  /* any of these classes; 0: none */
    uint32_t how; /* with these uses; ignored without a space */
} amd_hazard_side;

/* What ends it: any of the classes, or a wait that includes any of `waits`. */
typedef struct amd_hazard_end {
    uint32_t is, waits;
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
    uint32_t is;    /* HZ_SALU ... */
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
