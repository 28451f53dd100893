/* Machine code as an input of heddle stats: raw bytes, a listing that shows the words, or assembly. */
#ifndef STATS_CODE_H
#define STATS_CODE_H

#include "cli.h"

#include "families/families.h"

#define STATS_CODE_KINDS "asm|bin|words"

/* What is measured, and the result. */
typedef struct stats_code {
    const char *kind; /* one of STATS_CODE_KINDS */
    const char *path;
    const char *target; /* the library's name */
    uint32_t wave_size; /* 0: the target's default; set to the one that counts */
    family_figures figures;
} stats_code;

/* Counts the code in `bytes` (`size` of them, followed by a zero). Returns -1, or the exit code
 * after messages. */
int
stats_code_count(heddle_context *context, const uint8_t *bytes, size_t size, stats_code *c);

/* Prints the figures as heddle_print_stats does. */
void
stats_code_print(const stats_code *c);

#endif
