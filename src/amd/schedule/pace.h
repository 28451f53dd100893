/* How long instructions take, as schedulers see it: the durations of the machine model
 * (isa/table/timing.h), by opcode, and of pseudo instructions. */
#ifndef AMD_PACE_H
#define AMD_PACE_H

#include "amd/amd.h"
#include "amd/isa/table/timing.h"

typedef struct amd_duration {
    uint16_t issue;   /* cycles until the wave's next instruction issues */
    uint16_t latency; /* cycles until a result can be used */
    bool loads;       /* its results, if there are any, come from memory */
} amd_duration;

/* A duration that was found before; issue 0: none. */
typedef struct amd_known_duration {
    amd_duration is;
    uint16_t op;
} amd_known_duration;

typedef struct amd_durations {
    const amd_program *program;
    amd_pace pace;
    amd_known_duration *known; /* by the opcode's low bits: the latest */
} amd_durations;

/* Those of the program, which keeps them. */
const amd_durations *
amd_durations_of(amd_program *p);

/* The duration of the instruction's opcode. It is valid until the next call. */
const amd_duration *
amd_duration_of(const amd_durations *d, const ir_instr *i);

/* Does an instruction of this duration give results that come from memory? */
static inline bool
amd_loads(const amd_duration *d, const ir_instr *i)
{
    return d->loads && i->n_defs;
}

#endif
