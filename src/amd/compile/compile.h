/* The AMD compiler: HIR to machine code.
 *
 * amd_compile runs the pipeline: it lowers HIR to the ABI, selects instructions and runs the phases
 * of phases.def on them. Spilling adds the arguments for scratch memory if the shader has none.
 */
#ifndef AMD_COMPILE_H
#define AMD_COMPILE_H

#include "amd/abi/layout.h"
#include "amd/amd.h"
#include "family/pipeline.h"
#include "ir/pass.h"

/* Debug switches. */
typedef struct amd_switches {
    uint32_t debug;        /* AMD_DEBUG_* */
    uint16_t sgprs, vgprs; /* limits of the register budgets; 0: none */
    uint16_t reach;        /* limit of branches' reach in words; 0: none */
    uint16_t nohazard;     /* the row of post/hazards.def that is left out, from 1; 0: none */
    uint16_t end;          /* 1 + the instruction before which the program ends; 0: none */
} amd_switches;

typedef struct amd_options {
    const amd_target *target;
    const char *target_id;           /* with settings (target/target_id.h); NULL: without */
    uint32_t wave_size;              /* 32 or 64; 0: the shader's required size, else 64 */
    const family_layout *layout;     /* with positions */
    const family_pipeline *pipeline; /* not NULL */
    amd_switches switches;
    bool hsa;
    uint32_t address_high; /* vulkan: the high half of addresses in one SGPR */
    ir_pass_run *run;      /* selects what to print, verify, time, skip; must not be NULL */
} amd_options;

/* Machine code and its description for a code object. Lives in the arena of the context. */
typedef struct amd_binary {
    const amd_program *program;
    const ir_fn *fn; /* the machine IR as emitted, or at the point where the run stopped */
    const uint8_t *code;
    uint32_t size;         /* in bytes, including constant data */
    uint32_t code_size;    /* bytes of the code only */
    uint32_t sgprs, vgprs; /* numbers used */
    uint32_t rsrc[3];      /* of the hardware stage: PGM_RSRC1, 2, 3 */
} amd_binary;

/* Sets a debug switch: a row of debug.def, sgprs=N, vgprs=N, reach=N,
 * nohazard=N. `switches` are an
 * amd_switches. Returns NULL, or an error message that is a format for the word. */
const char *
amd_read_switch(void *switches, const char *word);

/* All steps from HIR as read to machine IR that can be encoded; terminated by NULL. */
extern const ir_step amd_pipeline[];

/* Gives `f` its program: a new one for HIR, or, with options->run->from, that of the text that it
 * was parsed from. Fails with TARGET_LIMIT, and with IR_BAD_STATE if the text was made with other
 * options. */
amd_program *
amd_prepare(ir_fn *f, const amd_options *options);

/* Compiles `hir`, modifying it; if options->run->from is set, it may be at any level. If the run
 * stops early, `code` is NULL and `fn` is the state at that point. Fails as its parts do. */
void
amd_compile(ir_fn *hir, const amd_options *options, amd_binary *out);

#endif
