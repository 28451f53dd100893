/* How long an instruction takes: the machine model's rows (timing.def), asked by opcode and
 * processor.
 *
 * The model is that of docs/machine-model.md: one wave issues in order, an instruction takes its
 * unit for some cycles, and its result is ready after a latency. The static estimate (estimate.h),
 * the counts of executed instructions and schedulers use it.
 */
#ifndef AMD_TIMING_H
#define AMD_TIMING_H

#include "amd/isa/isa.h"

typedef enum amd_unit {
    AMD_UNIT_NONE, /* nothing but the issue of an instruction */
    AMD_UNIT_VALU,
    AMD_UNIT_TRANS,  /* transcendental functions, beside the VALU from RDNA on */
    AMD_UNIT_MATRIX, /* matrices of CDNA, beside the VALU */
    AMD_UNIT_SALU,
    AMD_UNIT_SMEM,
    AMD_UNIT_VMEM,
    AMD_UNIT_LDS,
    AMD_UNIT_EXPORT,
    AMD_UNIT_BRANCH,
    AMD_UNIT_COUNT,
} amd_unit;

typedef enum amd_timing_class {
#define AMD_TIMING(name, ...) AMD_TIMING_##name,
#define AMD_SPEED(...)
#define AMD_TIMED(...)
#include "amd/isa/table/timing.def"
#undef AMD_TIMING
#undef AMD_SPEED
#undef AMD_TIMED
    AMD_TIMING_COUNT,
} amd_timing_class;

/* The duration of an instruction in cycles of the compute unit's clock. */
typedef struct amd_timing {
    uint8_t class;    /* amd_timing_class */
    uint8_t unit;     /* amd_unit */
    uint16_t issue;   /* until the wave's next instruction can issue */
    uint16_t busy;    /* for which the unit takes no other instruction, of any wave */
    uint16_t latency; /* until the result can be used; BRANCH: until the target issues */
} amd_timing;

/* What the duration depends on besides the opcode. Made once for a program. */
typedef struct amd_pace {
    uint8_t gen;    /* amd_gen */
    uint8_t column; /* of timing.def */
    bool wave64;
    uint8_t passes;             /* a wave takes the vector units this many times */
    bool wide;                  /* VALU_WIDE serves wave64 in one pass */
    uint8_t line_shift;         /* log2 of the bytes of a line of the vector cache */
    uint8_t slot;               /* cycles between two issues of a wave: 4 on GCN, 1 on RDNA */
    uint16_t fma, f64, f64_add; /* issue cycles of these classes, if not 0 */
} amd_pace;

/* The pace of a processor of processors.def; `processor` may be NULL for the generation's usual
 * one. */
amd_pace
amd_pace_of(amd_gen gen, const char *processor, bool wave64);

/* The class of an opcode. It follows from the opcode's row, but for the list AMD_TIMED. */
amd_timing_class
amd_timing_class_of(amd_op op);

/* The duration of a hardware opcode. Memory instructions: as if each lane moved the row's bytes and
 * no two lanes met in a bank; images: 16 bytes. */
amd_timing
amd_timing_of(const amd_pace *pace, amd_op op);

/* The duration of one instruction, with what only its fields say: the channels of an image, a near
 * constant, both halves of VOPD, the cycles of s_nop and s_sleep. */
amd_timing
amd_inst_timing(const amd_pace *pace, const amd_inst *in);

/* The units' names by amd_unit ("none", "valu"), terminated by NULL. */
extern const char *const amd_unit_names[];

#endif
