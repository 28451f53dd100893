/* Reads files named by .include and .incbin: from the current folder, the text's folder, then those
 * of -I. */
#include "included.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct included_file {
    struct included_file *next;
    uint8_t *data;
} included_file;

/* Reads FOLDER/NAME; `length` is the length of the folder including its slash. */
static bool
read_from(const char *folder, size_t length, const char *name, uint8_t **data, size_t *size)
{
    bool slash = length && folder[length - 1] != '/';
    char *path = malloc(length + strlen(name) + 2);
    if (!path)
        return false;
    memcpy(path, folder, length);
    snprintf(path + length, strlen(name) + 2, "%s%s", slash ? "/" : "", name);
    bool ok = cli_read_file_quietly(path, data, size);
    free(path);
    return ok;
}

static bool
find(const included *in, const char *name, uint8_t **data, size_t *size)
{
    const char *slash = in->path ? strrchr(in->path, '/') : NULL;
    if (strcmp(name, "-") == 0)
        return false;
    if (read_from("", 0, name, data, size))
        return true;
    if (*name == '/')
        return false;
    if (slash && read_from(in->path, (size_t)(slash - in->path) + 1, name, data, size))
        return true;
    for (size_t i = 0; in->paths && i < in->paths->count; i++)
        if (read_from(in->paths->items[i], strlen(in->paths->items[i]), name, data, size))
            return true;
    return false;
}

static int
include(void *user, const char *name, const char **text, size_t *size)
{
    included *in = user;
    included_file *f = malloc(sizeof *f);
    if (!f || !find(in, name, &f->data, size)) {
        free(f);
        return 0;
    }
    f->next = in->files;
    in->files = f;
    *text = (const char *)f->data;
    return 1;
}

void
included_set(included *in, heddle_asm_options *options)
{
    options->include = include;
    options->include_user = in;
}

bool
included_define(included *in, const cli_list *definitions, heddle_asm_options *options)
{
    in->symbols = calloc(definitions->count + 1, sizeof *in->symbols);
    for (size_t i = 0; in->symbols && i < definitions->count; i++) {
        const char *text = definitions->items[i], *equals = strchr(text, '=');
        char *end = NULL;
        size_t length = equals ? (size_t)(equals - text) : 0;
        errno = 0;
        long long value = equals ? strtoll(equals + 1, &end, 0) : 0;
        if (!length || end == equals + 1 || *end || errno) {
            cli_usage_error("asm: -D needs NAME=NUMBER, not '%s'", text);
            return false;
        }
        in->symbols[i] = (heddle_asm_symbol){text, length, value};
    }
    options->symbols = in->symbols;
    options->n_symbols = in->symbols ? (uint32_t)definitions->count : 0;
    return true;
}

void
included_release(included *in)
{
    while (in->files) {
        included_file *f = in->files;
        in->files = f->next;
        free(f->data);
        free(f);
    }
    free(in->symbols);
    in->symbols = NULL;
}
