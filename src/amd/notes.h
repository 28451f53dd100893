/* What the compiler tells a developer who asks by a debug switch. Notes go to the printer of the
 * pass run (heddle_compile_options.trace); without one, nowhere. */
#ifndef AMD_NOTES_H
#define AMD_NOTES_H

#include "amd/amd.h"

/* perfwarn: that the code has to do something slow, in words (printf). Nothing without the switch.
 */
void
amd_perfwarn(const amd_program *p, const char *format, ...);

/* liveinfo: the program with kill flags, each instruction with the registers it demands. Nothing
 * without the switch. Needs liveness. */
void
amd_note_liveness(const ir_fn *f);

#endif
