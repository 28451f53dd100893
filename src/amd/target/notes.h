/* Messages for a developer who requests them by a debug switch. They go to the printer of the pass
 * run (heddle_compile_options.trace); without one they are dropped. */
#ifndef AMD_NOTES_H
#define AMD_NOTES_H

#include "amd/amd.h"

/* perfwarn: reports, in words (printf), that the code must do something slow. No effect without the
 * switch. */
void
amd_perfwarn(const amd_program *p, const char *format, ...);

/* perfwarn: says which instruction demands the most registers of a bank, and where in the source it
 * is from. No effect without the switch. Needs liveness. */
void
amd_perfwarn_demand(const ir_fn *f, unsigned bank);

/* liveinfo: prints the program with kill flags, each instruction with its register demand. No
 * effect without the switch. Needs liveness. */
void
amd_note_liveness(const ir_fn *f);

#endif
