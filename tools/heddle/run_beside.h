/* heddle run --device radv,TARGET: scripts by the system's RADV and by Heddle, side by side. */
#ifndef RUN_BESIDE_H
#define RUN_BESIDE_H

#include "cli.h"
#include "run_script.h"

/* Runs each script by RADV on the software Radeon and on the target's emulator, and prints what both
 * executed. Returns the exit code. */
int
run_beside(const char *target, const run_options *options, const cli_list *scripts);

#endif
