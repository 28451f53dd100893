/* The phases of a compile, by name. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

/* Has a pass of the target this name, without a number or with its own? */
static bool
is_phase_of(const char *target, const char *name)
{
    heddle_phase_info info = {.struct_size = sizeof info};
    char number[16];
    for (uint32_t i = 0; heddle_get_phase(target, i, &info) == HEDDLE_OK; i++) {
        size_t len = strlen(info.pass);
        snprintf(number, sizeof number, ".%u", (unsigned)info.number);
        if (strncmp(info.pass, name, len) == 0 && (!name[len] || !strcmp(name + len, number)))
            return true;
    }
    return false;
}

bool
cli_is_phase(const char *name)
{
    heddle_target_info t = {.struct_size = sizeof t};
    for (uint32_t i = 0; heddle_get_target(i, &t) == HEDDLE_OK; i++) {
        if (t.compiles && is_phase_of(t.name, name))
            return true;
    }
    return false;
}

int
cli_list_phases(const char *target)
{
    heddle_phase_info info = {.struct_size = sizeof info};
    if (heddle_get_phase(target, 0, &info) != HEDDLE_OK)
        return cli_usage_error("-t %s: there are no phases; heddle targets lists the targets that "
                               "are compiled for",
                               target ? target : "(none)");
    for (uint32_t i = 0; heddle_get_phase(target, i, &info) == HEDDLE_OK; i++) {
        char name[80];
        if (info.count > 1)
            snprintf(name, sizeof name, "%s.%u", info.pass, (unsigned)info.number);
        else
            snprintf(name, sizeof name, "%s", info.pass);
        printf("%-20s %s%s\n", name, info.sentence, info.required ? "" : " (optional)");
    }
    return CLI_OK;
}
