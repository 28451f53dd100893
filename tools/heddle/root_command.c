/* A program by another root's loader: `LOADER --library-path FOLDERS PROGRAM ARGUMENTS`. So a driver
 * that needs a newer libc than this system's runs here, in a program of this system. */
#define _GNU_SOURCE 1

#include "root_command.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *
copy_text(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        cli_out_of_memory();
    return copy;
}

/* The paths below `root` that match; to be freed by globfree. */
static glob_t
match(const char *root, const char *pattern)
{
    char path[PATH_MAX];
    glob_t found = {0};
    int n = snprintf(path, sizeof path, "%s/%s", root, pattern);
    if (n > 0 && n < (int)sizeof path && glob(path, 0, NULL, &found) == GLOB_NOSPACE)
        cli_out_of_memory();
    return found;
}

/* The loader: where the distributions put it. NULL: there is none. */
static char *
find_loader(const char *root)
{
    static const char *const places[] = {"lib64/ld-linux*.so.*", "usr/lib64/ld-linux*.so.*",
                                         "lib/ld-linux*.so.*", "usr/lib/ld-linux*.so.*"};
    char *loader = NULL;
    for (unsigned k = 0; !loader && k < sizeof places / sizeof *places; k++) {
        glob_t found = match(root, places[k]);
        for (size_t i = 0; !loader && i < found.gl_pathc; i++) {
            if (access(found.gl_pathv[i], X_OK) == 0) /* no link that leads out of the folder */
                loader = copy_text(found.gl_pathv[i]);
        }
        globfree(&found);
    }
    return loader;
}

/* The folders of libraries, with colons. */
static char *
find_libraries(const char *root)
{
    static const char *const places[] = {"usr/lib/*-linux-gnu", "lib/*-linux-gnu", "usr/lib64",
                                         "lib64"};
    char *all = copy_text("");
    for (unsigned k = 0; k < sizeof places / sizeof *places; k++) {
        glob_t found = match(root, places[k]);
        for (size_t i = 0; i < found.gl_pathc; i++) {
            char *more;
            if (asprintf(&more, "%s%s%s", all, *all ? ":" : "", found.gl_pathv[i]) < 0)
                cli_out_of_memory();
            free(all);
            all = more;
        }
        globfree(&found);
    }
    return all;
}

/* The program's file, which the loader does not search for. */
static char *
find_program(const char *name)
{
    char path[PATH_MAX];
    if (strcmp(name, "/proc/self/exe") == 0) {
        ssize_t n = readlink(name, path, sizeof path - 1);
        path[n > 0 ? n : 0] = 0;
        return copy_text(path);
    }
    if (strchr(name, '/'))
        return copy_text(name);
    const char *at = getenv("PATH");
    while (at && *at) {
        int n = (int)strcspn(at, ":");
        int size = snprintf(path, sizeof path, "%.*s/%s", n, at, name);
        if (size > 0 && size < (int)sizeof path && access(path, X_OK) == 0)
            return copy_text(path);
        at += n + (at[n] == ':');
    }
    return copy_text(name); /* the loader says that there is none */
}

bool
cli_root_command(const char *root, const cli_list *command, cli_list *out)
{
    const char *loader = find_loader(root);
    if (!loader) {
        cli_error(root, "NO_LOADER", "the folder has no dynamic loader (lib64/ld-linux*.so.*)");
        return false;
    }
    cli_list_add(out, loader);
    cli_list_add(out, "--library-path");
    cli_list_add(out, find_libraries(root));
    cli_list_add(out, find_program(command->items[0]));
    for (size_t k = 1; k < command->count; k++)
        cli_list_add(out, command->items[k]);
    return true;
}
