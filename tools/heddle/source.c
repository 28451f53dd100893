#include "source.h"

#include "spirv/spirv.h"

#include <stdlib.h>
#include <string.h>

/* Finds the text that the module's debug info contains. */
static bool
find_in_module(source *s, const char *file, const char **text, size_t *size)
{
    diag d;
    arena a;
    char *volatile copy = NULL;
    volatile size_t length = 0;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    if (s->words && DIAG_TRY(&d)) {
        base_buf out = buf_make(&a);
        if (spirv_find_source(s->words, s->n_words, file, &out) && out.size &&
            (copy = malloc(out.size)) != NULL) {
            memcpy(copy, out.data, out.size);
            length = out.size;
        }
    }
    arena_free(&a);
    if (copy)
        cli_list_add(&s->kept, copy);
    *text = copy;
    *size = length;
    return copy != NULL;
}

int
source_find(void *user, const char *file, const char **text, size_t *size)
{
    source *s = user;
    uint8_t *data;
    *text = s->text;
    *size = s->size;
    if (s->text && s->path && strcmp(file, s->path) == 0)
        return 1;
    if (find_in_module(s, file, text, size))
        return 1;
    if (strcmp(file, "-") == 0 || !cli_read_file_quietly(file, &data, size))
        return 0;
    cli_list_add(&s->kept, (const char *)data);
    *text = (const char *)data;
    return 1;
}

void
source_free(source *s)
{
    for (size_t i = 0; i < s->kept.count; i++)
        free((char *)s->kept.items[i]);
    cli_list_free(&s->kept);
    s->kept = (cli_list){0};
}
