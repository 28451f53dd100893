/* Targets that options name. */
#include "targets.h"

#include "families/families.h"

#include <string.h>

static bool
has_item(const cli_list *list, const char *item)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i], item) == 0)
            return true;
    }
    return false;
}

const char *
cli_target_name(const char *name)
{
    family_target t;
    return name && families_find_target(name, &t) ? t.name : name;
}

void
cli_settle_targets(cli_list *targets, const char *otherwise)
{
    size_t count = targets->count;
    targets->count = 0;
    for (size_t i = 0; i < count; i++) {
        const char *name = cli_target_name(targets->items[i]);
        if (!has_item(targets, name))
            targets->items[targets->count++] = name;
    }
    if (!count)
        cli_list_add(targets, otherwise);
}

int
cli_target_error(const char *command, const char *name)
{
    char instead[300];
    if (families_explain_target(name, instead, sizeof instead))
        return cli_usage_error("%s: the target '%s' is one of %s: name one of these", command, name,
                               instead);
    return cli_usage_error("%s: unknown target '%s': nearest are %s; see heddle targets --names",
                           command, name, instead);
}
