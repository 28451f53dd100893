/* The emulator of TeraScale: runs a dispatch from the words of its program.
 *
 * The caller puts everything that the program reaches into a mach_memory and fills a dispatch with
 * what a driver sets up: sizes of the register file and the stack, constant buffers, resource words
 * of vertex fetches, the ranges behind RATs. Afterwards the results are in the memory, and the
 * report has a status and the checkers' findings. The emulator never ends the process, and the same
 * inputs give the same outputs: a generator seeded with `seed` picks the wave that runs next.
 *
 * The model: the waves of one workgroup run at a time, a wave executes one instruction of control
 * flow, or one group of an ALU clause, after another, and memory is coherent. What the hardware
 * does with code that breaks a rule is not modelled: the checkers name the rule (core/rules.def).
 *
 *   core/   the state of a wave; findings
 *   alu/    operations, operands, groups
 *   flow/   control flow and its stack
 *   mem/    LDS, fetches, textures, RATs
 *   desc/   the words of textures, samplers and RATs
 *   graphics/  exports, parameters, gradients
 *   check/  rules of groups that can be seen without running them; the stack
 *   run/    the dispatch; waves of stages of graphics
 *   draw/   draws */
#ifndef R600_EMU_EMU_H
#define R600_EMU_EMU_H

#include "machine/memory.h"
#include "machine/report.h"
#include "r600/emu/desc/texture.h"

enum {
    R600_MAX_BUFFERS = 16,
    R600_MAX_RESOURCES = 256,
    R600_RESOURCE_WORDS = 8,
    R600_MAX_RATS = 12,
    R600_MAX_SAMPLERS = 18,
    R600_EMU_WAVE_SLOTS = 64 /* numbers that waves of a shader engine can have */
};

/* A range of memory. */
typedef struct r600_range {
    uint64_t address, size; /* bytes */
} r600_range;

enum { R600_STREAMS = 4 };

/* A buffer of transform feedback (VGT_STRMOUT_*). */
typedef struct r600_stream {
    uint64_t address, size;
    uint32_t stride; /* bytes of a vertex; 0: nothing is captured */
} r600_stream;

/* What a wave exports. */
typedef struct r600_export {
    r600_op op;    /* EXPORT or EXPORT_DONE */
    uint32_t type; /* 0 pixel, 1 position, 2 parameter */
    uint32_t base;
    uint32_t wave;
    uint64_t lanes;        /* active ones that are no helpers and were not killed */
    uint32_t value[4][64]; /* by component and lane; components that are masked are 0 */
    uint64_t defined[4];   /* lanes */
    uint8_t mask;          /* components that are not masked */
} r600_export;

typedef struct r600_emu_dispatch {
    const r600_chip *chip;
    const uint8_t *code; /* little-endian dwords */
    size_t size;         /* bytes */
    uint32_t n_gprs;     /* allocated to a wave; using a higher number is a finding */
    uint32_t stack_entries;
    uint32_t lds_bytes;                                          /* per workgroup */
    uint32_t group_size[3];                                      /* work items */
    uint32_t groups[3];                                          /* of the grid */
    r600_range constants[R600_MAX_BUFFERS];                      /* constant buffers */
    uint32_t resources[R600_MAX_RESOURCES][R600_RESOURCE_WORDS]; /* of vertices and textures */
    r600_range rats[R600_MAX_RATS];
    uint32_t rat_words[R600_MAX_RATS][R600_RAT_WORDS]; /* of images; zeros: a buffer, `rats` */
    uint32_t samplers[R600_MAX_SAMPLERS][R600_SAMPLER_WORDS];
    uint32_t borders[R600_MAX_SAMPLERS][4]; /* TD_*_BORDER_RED to ALPHA */
    r600_range returns;                     /* where operations of RATs with a result put it */
    r600_range scratch;                     /* of each lane of R600_EMU_WAVE_SLOTS waves: */
    uint32_t scratch_elements;              /* of 16 bytes */
    uint32_t checks;                        /* MACH_CHECK_* */
    const char *rules_off; /* names of rules that are not checked, with commas; NULL: none */
    uint64_t seed;
    uint64_t max_instructions;                          /* per wave; 0: 1 << 24 */
    void (*exported)(void *user, const r600_export *e); /* NULL: exports are unsupported */
    void *export_user;
    /* What the fixed function and the fetch shader put into a register's component before the
     * program starts, by lane. NULL: the numbers of compute, and CALL_FS is unsupported. */
    void (*fill)(void *user, uint32_t wave, uint32_t reg, uint32_t chan, uint32_t value[64]);
    /* A texture unit of the caller: what an instruction gives for coordinates, which are those
     * behind its selects. `before` is the first component of what the instruction before gave if
     * that one sets gradients or offsets. NULL: the emulator's own, which reads `resources` and
     * `samplers`. */
    void (*sampled)(void *user, const r600_inst *in, const uint32_t coordinate[4], uint32_t before,
                    uint32_t value[4]);
    void *user; /* of both */
    /* Planes of parameters: P0, P10, P20. */
    const float (*parameters)[3][4];
    uint32_t n_parameters;
} r600_emu_dispatch;

/* Runs a dispatch. Memory for its state comes from `a`. */
void
r600_emu_run(arena *a, mach_memory *m, const r600_emu_dispatch *d, mach_report *report);

/* Checks the form of all groups of d->code without running it; only the chip and the code count. */
void
r600_emu_check_code(arena *a, const r600_emu_dispatch *d, mach_report *report);

/* Rule number `index` of the checkers, from 0. Returns false behind the last. */
bool
r600_emu_get_rule(uint32_t index, mach_rule *out);

#endif
