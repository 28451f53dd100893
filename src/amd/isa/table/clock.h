/* A wave's time by the machine model (docs/machine-model.md): instructions go in one after the
 * other, each says how many cycles later the next one could issue. The static estimate runs code
 * through one clock; the emulator gives each wave a clock.
 */
#ifndef AMD_CLOCK_H
#define AMD_CLOCK_H

#include "amd/isa/table/counters.h"
#include "amd/isa/table/timing.h"

enum { AMD_CLOCK_PENDING = 64, AMD_CLOCK_REGS = AMD_REG_AGPR0 + 256 };

/* A wave that runs alone on its compute unit. Starts as amd_clock_start leaves it. */
typedef struct amd_clock {
    amd_pace pace;
    uint64_t now;                   /* the cycle at which the next instruction may issue */
    uint64_t ready[AMD_CLOCK_REGS]; /* by register: the cycle at which its value is ready */
    uint64_t free[AMD_UNIT_COUNT];  /* the cycle from which the unit takes an instruction */
    /* rings: the cycles at which the operations of each counter have finished */
    uint64_t done[AMD_WAIT_COUNT][AMD_CLOCK_PENDING];
    uint32_t issued[AMD_WAIT_COUNT];
} amd_clock;

/* What is known of an execution besides the instruction. */
typedef struct amd_event {
    bool taken;         /* a branch jumps */
    uint32_t lines;     /* of memory that the lanes touch; 0: not known */
    uint32_t conflicts; /* of LDS banks */
} amd_event;

/* The cycles that an execution took from its wave and from its unit. */
typedef struct amd_spent {
    uint64_t wave; /* until the next instruction may issue */
    uint8_t unit;  /* amd_unit */
    uint32_t busy;
} amd_spent;

/* `clock` must be zeroed. */
void
amd_clock_start(amd_clock *clock, amd_pace pace);

amd_spent
amd_clock_run(amd_clock *clock, const amd_inst *in, const amd_event *event);

#endif
