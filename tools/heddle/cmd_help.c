/* heddle help, heddle version. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static void
print_overview(void)
{
    puts("heddle: a GPU shader compiler with an emulator for its code\n\n"
         "usage: heddle COMMAND [options] [INPUT...]\n\ncommands:");
    for (const cli_command *c = cli_commands; c->name; c++)
        printf("  %-10s%s\n", c->name, c->summary);
    puts("\n'heddle help COMMAND' explains a command. Exit codes: 0 success, 1 an error in the\n"
         "input or a failed test, 2 usage, 3 an internal error.");
}

static int
print_help(const cli_list *operands)
{
    if (operands->count == 0) {
        print_overview();
        return CLI_OK;
    }
    if (operands->count > 1)
        return cli_usage_error("help: one command at a time");
    const cli_command *c = cli_find_command(operands->items[0]);
    if (!c)
        return cli_usage_error("help: there is no command '%s'", operands->items[0]);
    char name[32], help[] = "--help";
    snprintf(name, sizeof name, "%s", c->name);
    return c->run(2, (char *[]){name, help, NULL});
}

int
cmd_help(int argc, char **argv)
{
    cli_list operands = {0};
    int code = cli_parse(NULL, 0, argc, argv, &operands);
    if (code < 0)
        code = print_help(&operands);
    cli_release(NULL, 0, &operands);
    return code;
}

static int
print_version(const cli_list *operands)
{
    if (operands->count)
        return cli_usage_error("version: takes no operands");
    printf("heddle %s\nfrontend: %s\n", HEDDLE_VERSION_TEXT, HEDDLE_HAS_FRONTEND ? "yes" : "no");
    return CLI_OK;
}

int
cmd_version(int argc, char **argv)
{
    cli_list operands = {0};
    int code = cli_parse(NULL, 0, argc, argv, &operands);
    if (code < 0)
        code = print_version(&operands);
    cli_release(NULL, 0, &operands);
    return code;
}
