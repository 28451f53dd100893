/* The difference of two texts, line by line. */
#ifndef LINE_DIFF_H
#define LINE_DIFF_H

#include <stdbool.h>
#include <stdio.h>

/* Prints the difference as a unified diff with three lines around each change, after the lines
 * "--- OLD" and "+++ NEW" with the names of the texts. Prints nothing and returns false if the texts
 * are equal. */
bool
line_diff_print(FILE *to, const char *const names[2], const char *old, const char *new);

#endif
