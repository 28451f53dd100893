/* A decoded instruction, as handlers and checkers see it.
 *
 * Each opcode has one handler. A handler reads its operands from the decoded instruction, changes
 * the wave, and returns.
 */
#ifndef AMD_EMU_INST_H
#define AMD_EMU_INST_H

#include "amd/isa/table/table.h"

/* Rows of vector registers: VGPRs and, from EMU_AGPR0 on, accumulation VGPRs. For both, a
 * register's row is its code minus AMD_REG_VGPR0. */
enum {
    EMU_LANES = 64,
    EMU_SREGS = 128,
    EMU_MAX_VGPRS = 512,
    EMU_AGPR0 = AMD_REG_AGPR0 - AMD_REG_VGPR0,
    EMU_MAX_RANGES = 20
};

/* MODE register fields (RDNA 2 ISA, "MODE register"). */
enum {
    EMU_MODE_DX10_CLAMP = 1 << 8,
    EMU_MODE_IEEE = 1 << 9,
    /* denormal fields: bit 0 keeps inputs, bit 1 keeps results */
    EMU_DENORM_IN_32 = 1 << 4,
    EMU_DENORM_OUT_32 = 1 << 5,
    EMU_DENORM_IN_16_64 = 1 << 6,
    EMU_DENORM_OUT_16_64 = 1 << 7,
};

typedef struct emu_wave emu_wave;
typedef struct emu_inst emu_inst;
typedef void
emu_handler(emu_wave *w, const emu_inst *i);

/* The operand that a range of registers belongs to, if an index may select other registers for it
 * (mode_gcn.c). */
typedef enum emu_slot { EMU_SLOT_NONE, EMU_SLOT_SRC0, EMU_SLOT_DST = EMU_SLOT_SRC0 + 3 } emu_slot;

/* Registers [first, first + count) that an instruction reads or writes: operand codes, VGPRs from
 * 256. */
typedef struct emu_range {
    uint16_t first;
    uint8_t count;
    bool write;
    uint8_t slot; /* emu_slot; further sources and results follow in order */
} emu_range;

/* One instruction of the code, decoded when it is first reached. */
struct emu_inst {
    amd_inst in;
    const amd_op_info *row;
    emu_handler *run;
    emu_handler *inner;    /* the handler that `run` calls if it is amd_emu_lds_direct */
    emu_handler *unshared; /* the handler that `run` calls if it is amd_emu_shared_vgprs */
    const void *op;        /* the opcode's data for its handler: an emu_valu, ... */
    uint32_t keep; /* vector ALU: MODE's denormal bits that must be set for the faster handlers */
    const struct emu_quick *quick; /* data of the handler in valu_quick.c, and */
    emu_handler *general;          /* the handler for all other cases */
    uint64_t pc, next;             /* addresses of this instruction and the next one */
    /* operands of memory instructions by kind, AMD_REG_ABSENT if there is none */
    uint16_t vdata, vaddr, saddr, rsrc, samp, soffset, data0, data1, result;
    uint32_t n_ranges;
    emu_range ranges[EMU_MAX_RANGES];
    bool reported[8];                /* findings already reported here, by the checker's bit
                                        number */
    uint64_t visits;                 /* number of executions: shows where a hang is */
    struct emu_hazard_info *hazards; /* NULL: the hazards checker is off */
    emu_inst *halves;                /* VOPD: its two operations */
    uint8_t gen;                     /* amd_gen */
    bool relative;                   /* m0 selects its registers (index.c) */
    bool unpacked_d16; /* 16-bit components of formatted data have a register each (gfx8 except
                          gfx810) */
};

/* Size of a block of registers, for loads and stores that move those that m0 selects. */
enum { EMU_BLOCK = 32 };
static inline bool
amd_emu_is_block(const emu_inst *i)
{
    return i->row->memory == EMU_BLOCK * 4;
}

/* Records that `i` reads or writes `count` registers from operand code `code`; ignores
 * constants. */
void
amd_emu_add_range(emu_inst *i, uint32_t code, uint32_t count, bool write);

/* Updates an instruction's ranges after its operands have become other registers. */
void
amd_emu_move_ranges(emu_inst *i);

/* Does a range that is read begin at register `reg`? */
bool
amd_emu_reads(const emu_inst *i, uint16_t reg);

#endif
