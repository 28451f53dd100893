/* Calls to the library: contexts whose diagnostics go to stderr, and exit codes for results. */
#include "cli.h"

#include <stdio.h>

static void
print_diagnostic(void *user, const heddle_diagnostic *d)
{
    (void)user;
    fprintf(stderr, "%s [%s]\n", d->text, d->name);
}

heddle_context *
cli_context(void)
{
    return cli_context_with(print_diagnostic, NULL);
}

heddle_context *
cli_context_with(void (*diagnostic)(void *user, const heddle_diagnostic *d), void *user)
{
    heddle_context *c;
    const heddle_context_options options = {
        .struct_size = sizeof options, .diagnostic = diagnostic, .diagnostic_user = user};
    if (heddle_create_context(&options, &c) == HEDDLE_OK)
        return c;
    cli_error("heddle", "NO_MEMORY", "out of memory");
    return NULL;
}

int
cli_exit_code(heddle_result result)
{
    switch (result) {
    case HEDDLE_OK: return CLI_OK;
    case HEDDLE_ERROR_ARGUMENT: return CLI_USAGE;
    case HEDDLE_ERROR_INTERNAL:
    case HEDDLE_ERROR_OUT_OF_MEMORY: return CLI_INTERNAL;
    default: return CLI_FAILED;
    }
}

int
cli_worse(int a, int b)
{
    return a > b ? a : b;
}
