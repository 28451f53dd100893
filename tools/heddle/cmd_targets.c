/* heddle targets: a line for each row of the target tables. */
#include "cli.h"

#include <stdio.h>

int
cmd_targets(int argc, char **argv)
{
    cli_list operands = {0};
    int code = cli_parse(NULL, 0, argc, argv, &operands);
    if (code >= 0)
        return code;
    if (operands.count)
        return cli_usage_error("targets: takes no operands");
    puts("gfx1030");
    return CLI_OK;
}
