/* heddle targets: prints one line for each target, with the resources that its family shows, or with
 * the names that users have for it. */
#include "cli.h"

#include <stdio.h>

static unsigned
digits(uint64_t value)
{
    unsigned n = 1;
    while (value >= 10) {
        value /= 10;
        n++;
    }
    return n;
}

/* Sets the widths of the figures' columns: one more than the longest number of any target. */
static void
find_widths(unsigned widths[HEDDLE_MAX_FIGURES])
{
    heddle_target_info t = {.struct_size = sizeof t};
    for (uint32_t i = 0; heddle_get_target(i, &t) == HEDDLE_OK; i++) {
        for (uint32_t k = 0; k < t.n_figures; k++) {
            unsigned width = digits(t.figures[k].value) + 1;
            widths[k] = width > widths[k] ? width : widths[k];
        }
    }
}

static void
print_target(const heddle_target_info *t, const unsigned *widths)
{
    char waves[80] = "";
    size_t used = 0;
    for (uint32_t size = 1; size && size <= t->wave_sizes; size <<= 1)
        if (t->wave_sizes & size)
            used += (size_t)snprintf(waves + used, sizeof waves - used, "%s%u", used ? ", " : "",
                                     size);
    printf("%-15s %-7s %-8s wave %-7s", t->name, t->family, t->generation, waves);
    for (uint32_t k = 0; k < t->n_figures; k++)
        printf(" %s %-*llu", t->figures[k].name, (int)widths[k],
               (unsigned long long)t->figures[k].value);
    puts(t->compiles ? " compiles" : "");
}

/* Prints "gfx1030   navi21, sienna cichlid, RX 6800 ...". */
static void
print_names(const heddle_target_info *t)
{
    printf("%-*s", *t->names ? 15 : 0, t->name);
    for (const char *const *n = t->names; *n; n++)
        printf("%s%s", n == t->names ? " " : ", ", *n);
    puts("");
}

static int
print_targets(const cli_list *operands, bool names)
{
    heddle_target_info info = {.struct_size = sizeof info};
    unsigned widths[HEDDLE_MAX_FIGURES] = {0};
    if (operands->count)
        return cli_usage_error("targets: takes no operands");
    find_widths(widths);
    for (uint32_t i = 0; heddle_get_target(i, &info) == HEDDLE_OK; i++) {
        if (names)
            print_names(&info);
        else
            print_target(&info, widths);
    }
    return CLI_OK;
}

int
cmd_targets(int argc, char **argv)
{
    bool names = false;
    const cli_option options[] = {
        {0, "names", CLI_FLAG, &names, NULL, "the other names that options take", NULL},
    };
    cli_list operands = {0};
    int code = cli_parse(options, 1, argc, argv, &operands);
    if (code < 0)
        code = print_targets(&operands, names);
    cli_release(options, 1, &operands);
    return code;
}
