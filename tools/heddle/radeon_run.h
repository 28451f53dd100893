/* Runs a command with the software Radeon as its Vulkan device. */
#ifndef RADEON_RUN_H
#define RADEON_RUN_H

#include "../radeon/counts.h"
#include "cli.h"
#include "radeon_env.h"

/* How to run: in `root`'s libraries, unless it is NULL. */
typedef struct radeon_run {
    radeon_wish radeon;
    const char *root;
    int output; /* file descriptor for the command's output; 0: this program's */
} radeon_run;

/* Counts that the command's processes share with this one, all zero. */
radeon_counts *
cli_new_radeon_counts(void);
void
cli_free_radeon_counts(radeon_counts *c);

/* Runs the command. Returns its exit code, 128 and more for a signal; or CLI_FAILED or CLI_USAGE
 * after a message. This process's environment is then the command's. */
int
cli_run_on_radeon(const radeon_run *run, const cli_list *command);

#endif
