/* heddle targets: prints one line for each row of the target tables. */
#include "cli.h"

#include <stdio.h>

static void
print_target(const heddle_target_info *t)
{
    const char *waves = t->wave_sizes == 96 ? "32, 64" : t->wave_sizes == 64 ? "64" : "32";
    printf("%-9s %-7s %-8s wave %-7s sgprs %-4u vgprs %-4u waves %-3u lds %-6u%s\n", t->name,
           t->family, t->generation, waves, t->sgprs, t->vgprs, t->max_waves, t->lds_bytes,
           t->compiles ? " compiles" : "");
}

static int
print_targets(const cli_list *operands)
{
    heddle_target_info info = {.struct_size = sizeof info};
    if (operands->count)
        return cli_usage_error("targets: takes no operands");
    for (uint32_t i = 0; heddle_get_target(i, &info) == HEDDLE_OK; i++)
        print_target(&info);
    return CLI_OK;
}

int
cmd_targets(int argc, char **argv)
{
    cli_list operands = {0};
    int code = cli_parse(NULL, 0, argc, argv, &operands);
    if (code < 0)
        code = print_targets(&operands);
    cli_release(NULL, 0, &operands);
    return code;
}
