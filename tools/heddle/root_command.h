/* A command that runs with the libraries of another system, unpacked into a folder. */
#ifndef ROOT_COMMAND_H
#define ROOT_COMMAND_H

#include "cli.h"

/* Appends to `out` the words that run `command` by the dynamic loader of `root`, with that folder's
 * libraries before this system's. The command must be a program, not a script. False, after a
 * message, if the folder has no loader. */
bool
cli_root_command(const char *root, const cli_list *command, cli_list *out);

#endif
