/* Lists of strings. */
#include "cli.h"

#include <stdlib.h>

void
cli_list_add(cli_list *list, const char *item)
{
    const char **grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    if (!grown) {
        cli_out_of_memory();
    }
    list->items = grown;
    list->items[list->count++] = item;
}

void
cli_list_free(cli_list *list)
{
    free(list->items);
    *list = (cli_list){0};
}
