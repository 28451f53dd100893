/* Runs this program again, with the system's RADV on the software Radeon as its Vulkan driver. */
#ifndef RADEON_SELF_H
#define RADEON_SELF_H

#include "cli.h"

#include "base/arena.h"

typedef struct radeon_self {
    const char *target; /* NULL: gfx1030 */
    const char *check;  /* as --check has it; NULL: all */
    const char *root;   /* another system's folder; NULL: this one */
} radeon_self;

/* What the names of pictures call the target. */
const char *
cli_radv_name(arena *a, const char *target);

/* Returns the exit code: the program's, or CLI_FAILED for findings. */
int
cli_run_self_on_radv(const radeon_self *r, const cli_list *words);

#endif
