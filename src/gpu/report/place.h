/* Where in which program's code a finding is, and whose code that is.
 *
 * A program may be several parts of code, compiled apart: RADV enters vertex shaders whose input is
 * set later by a prolog, and leaves pixel shaders whose formats are set later by an epilog. The
 * entry alone says neither where an instruction is nor whose.
 */
#ifndef GPU_REPORT_PLACE_H
#define GPU_REPORT_PLACE_H

#include "gpu/code/code.h"
#include "gpu/report/report.h"

/* An instruction, with what its code is read by. */
typedef struct gpu_place {
    amd_gen gen;
    bool wave64;
    const mach_memory *memory;
    uint64_t program;   /* entry of the program that has executed it */
    gpu_code_part part; /* its entry is of the code that has the instruction */
    bool is_known;
    gpu_shader shader; /* whose code it is, if that is known */
} gpu_place;

/* The place of a finding of a dispatch or draw. */
gpu_place
gpu_place_of(const gpu_run *run, const mach_finding *f, const gpu_shaders *shaders);

/* The place of the earlier one of two accesses in conflict. */
gpu_place
gpu_place_of_earlier(amd_gen gen, const gpu_conflict *c, const mach_memory *m,
                     const gpu_shaders *shaders);

/* The shader of a place; NULL: nobody knows whose it is. */
static inline const gpu_shader *
gpu_place_shader(const gpu_place *p)
{
    return p->is_known ? &p->shader : NULL;
}

/* Calls `line` for the instructions around it. */
void
gpu_place_walk(const gpu_place *p, gpu_code_line *line, void *user);

#endif
