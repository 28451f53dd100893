#include "shader_override.h"

#include "cli.h"

#include <stdio.h>
#include <stdlib.h>

const char *
shader_override_find(shader_override *o, const char *id, size_t *size)
{
    const char *folder = getenv("HEDDLE_SHADER_OVERRIDE_PATH");
    char path[4096];
    shader_override_free(o);
    if (!folder || snprintf(path, sizeof path, "%s/%s.asm", folder, id) >= (int)sizeof path ||
        !cli_read_file_quietly(path, &o->text, size))
        return NULL;
    fprintf(stderr, "heddle: note: the code of shader %s is from %s\n", id, path);
    return (const char *)o->text;
}

void
shader_override_free(shader_override *o)
{
    free(o->text);
    o->text = NULL;
}
