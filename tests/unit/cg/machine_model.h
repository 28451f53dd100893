/* A model of the AMD machine for tests of register allocation: runs machine IR, on values before
 * allocation and on registers after it, and records the operands of p_unit_test.
 *
 * It simulates one lane of a wave, and all lanes of VGPRs written by v_writelane. Most opcodes
 * compute a hash of opcode and operands, which is enough to detect a wrong operand; copies,
 * branches, spills and loop control have their real semantics.
 */
#ifndef TEST_MACHINE_MODEL_H
#define TEST_MACHINE_MODEL_H

#include "amd/amd.h"
#include "amd/isa/table/table.h"

enum {
    MODEL_LANES = 32,
    MODEL_TRACE = 4096,
    MODEL_STEPS = 20000,
    MODEL_DWORDS = 16,
    MODEL_SCRATCH = 4096,
    MODEL_SLOTS = 8192
};

typedef struct model_machine {
    const ir_fn *f;
    bool by_register;
    uint32_t (*values)[MODEL_DWORDS];     /* by value id */
    uint32_t regs[512];                   /* by register code */
    uint32_t lanes[256][MODEL_LANES];     /* VGPRs by v_writelane */
    uint32_t (*value_lanes)[MODEL_LANES]; /* linear VGPR values */
    uint32_t scratch[MODEL_SCRATCH];
    uint32_t scratch_lanes[MODEL_SCRATCH][MODEL_LANES]; /* written with a partial exec */
    unsigned first, active;      /* the lanes of exec, set by s_bfm; active 0: exec is unchanged */
    uint32_t slots[MODEL_SLOTS]; /* of p_spill, by dword */
    uint32_t trace[MODEL_TRACE];
    unsigned n_trace;
    bool ended; /* s_endpgm was reached within the step limit */
} model_machine;

/* Runs `f` from its first block. */
void
model_run(model_machine *m, const ir_fn *f, bool by_register, arena *a);

#endif
