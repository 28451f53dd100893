/* The program's own error messages. */
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void
print(const char *where, const char *name, const char *format, va_list args)
{
    fprintf(stderr, "%s: error: ", where);
    vfprintf(stderr, format, args);
    fprintf(stderr, " [%s]\n", name);
}

int
cli_error(const char *where, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print(where, name, format, args);
    va_end(args);
    return CLI_FAILED;
}

void
cli_out_of_memory(void)
{
    cli_error("heddle", "NO_MEMORY", "out of memory");
    exit(CLI_INTERNAL);
}

int
cli_usage_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print("heddle", "USAGE", format, args);
    va_end(args);
    return CLI_USAGE;
}
