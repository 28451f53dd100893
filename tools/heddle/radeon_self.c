#include "radeon_self.h"

#include <stdlib.h>
#include <string.h>

#define OTHERWISE "gfx1030"

const char *
cli_radv_name(arena *a, const char *target)
{
    return arena_printf(a, "radv-%s", target ? target : OTHERWISE);
}

int
cli_run_self_on_radv(const radeon_self *r, const cli_list *words)
{
    const char *device[] = {"gpu", "-t", r->target ? r->target : OTHERWISE, "--check",
                            r->check ? r->check : "all"};
    cli_list all = {0};
    for (size_t k = 0; k < sizeof device / sizeof *device; k++)
        cli_list_add(&all, device[k]);
    if (r->root) {
        cli_list_add(&all, "--root");
        cli_list_add(&all, r->root);
    }
    cli_list_add(&all, "--");
    cli_list_add(&all, "/proc/self/exe");
    for (size_t k = 0; k < words->count; k++)
        cli_list_add(&all, words->items[k]);
    char **argv = calloc(all.count + 1, sizeof *argv);
    if (!argv)
        cli_out_of_memory();
    memcpy(argv, all.items, all.count * sizeof *argv);
    int code = cmd_gpu((int)all.count, argv);
    free(argv);
    cli_list_free(&all);
    return code;
}
