#include "amd/schedule/pace.h"

#include "amd/isa/table/table.h"

/* Other waves of the SIMD fill most of a latency of LONG cycles or more: a wave hides this part. */
enum { LONG = 100, PART = 4 };

enum { KNOWN = 128 }; /* durations that are kept: a power of two */

const amd_durations *
amd_durations_of(amd_program *p)
{
    arena *a = p->fn->arena;
    if (p->durations)
        return p->durations;
    amd_durations *d = ARENA_NEW(a, amd_durations);
    d->program = p;
    d->pace = amd_pace_of(p->target->gen, p->target->name, p->wave_size == 64);
    d->known = ARENA_ARRAY(a, KNOWN, amd_known_duration);
    return p->durations = d;
}

/* Vectors are made where their parts lie, if all goes well. */
static amd_duration
of_pseudo(unsigned op)
{
    return (amd_duration){.issue = 1, .latency = op != AMD_P_CREATE_VECTOR};
}

static amd_duration
of_row(const amd_durations *d, unsigned op, const amd_op_info *row)
{
    amd_timing t = amd_timing_of(&d->pace, (amd_op)op);
    unsigned latency = t.latency >= LONG ? t.latency / PART : t.latency;
    return (amd_duration){.issue = t.issue ? t.issue : 1,
                          .latency = (uint16_t)latency,
                          .loads = (row->flags & (AMD_F_VM | AMD_F_LGKM)) != 0};
}

const amd_duration *
amd_duration_of(const amd_durations *d, const ir_instr *i)
{
    amd_known_duration *known = &d->known[i->op % KNOWN];
    if (!known->is.issue || known->op != i->op) {
        const amd_op_info *row = amd_op_row((amd_op)i->op);
        *known = (amd_known_duration){row ? of_row(d, i->op, row) : of_pseudo(i->op), i->op};
    }
    return &known->is;
}
