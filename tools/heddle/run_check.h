/* The option --check of heddle run: checkers, and single rules that are switched off. */
#ifndef RUN_CHECK_H
#define RUN_CHECK_H

#include "machine/report.h"

typedef struct run_checks {
    uint32_t checks;  /* MACH_CHECK_* */
    const char *off;  /* names of rules with commas, malloc'd; NULL: none */
    const char *text; /* what the user has written; NULL: nothing, which is all */
} run_checks;

/* Reads a list with commas: checkers, "all", "none"; "-NAME" takes away a checker or a rule, at the
 * start from all. NULL is all. Returns -1, or the exit code after a message. */
int
run_checks_parse(const char *text, run_checks *out);

void
run_checks_free(run_checks *c);

/* Prints the checkers and their rules, each with a sentence, for `--check list`. */
void
run_checks_print(void);

/* Appends how to switch off the finding's rule if code of clang is known to break it. */
void
run_checks_hint(const run_checks *c, const mach_finding *f, base_buf *out);

/* Reads the value of --findings, a number or "all". Returns false if it is neither. */
bool
run_findings_parse(const char *text, uint32_t *out);

#endif
