/* Runs a translation in a process of its own. */
#ifndef GUARD_H
#define GUARD_H

#include "frontend.h"

/* Calls `work` in a child process and returns what it made. If the child crashes, the result is the
 * failure `message` (a line with a line break). Where no process can be made, calls it here. */
frontend_result
guard_run(frontend_result (*work)(const void *user), const void *user, const char *message);

#endif
