/* heddle run on a text that describes its own dispatch, as freedreno's computerator does: prints
 * what is in its buffers afterwards, as integers and as floats. */
#ifndef RUN_DESCRIBED_H
#define RUN_DESCRIBED_H

#include "run_kernel.h"

/* Returns true if the emulator of the target that is given runs such texts. */
bool
run_has_described(const kernel_options *o);

/* Runs each file. Returns the exit code. */
int
run_described(const kernel_options *o, const cli_list *files);

#endif
