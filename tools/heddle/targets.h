/* Targets that options name: by their own names, or by codenames and products (families.h). */
#ifndef TARGETS_H
#define TARGETS_H

#include "cli.h"

/* The target's own name ("gfx1030" for "RX 6800"); `name` itself if it names none, for those who
 * report that. NULL is NULL. */
const char *
cli_target_name(const char *name);

/* Puts own names into the list, each target once, in the order of their first names; `otherwise` if
 * the list is empty. */
void
cli_settle_targets(cli_list *targets, const char *otherwise);

/* Says that `name` is no target, and what is near. Returns CLI_USAGE. */
int
cli_target_error(const char *command, const char *name);

#endif
