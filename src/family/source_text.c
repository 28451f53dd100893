#include "family/source_text.h"

family_source_text *
family_source_text_of(arena *a, const obj_code *code, family_source source)
{
    family_source_text *t = ARENA_NEW(a, family_source_text);
    *t = (family_source_text){.arena = a, .source = source, .code = code};
    t->files = ARENA_ARRAY(a, code->n_files + 1u, family_source_file);
    return t;
}

/* Lists the lines of a file. Of two with one number the first counts. */
static void
read_file(family_source_text *t, uint32_t file)
{
    family_source_file *f = &t->files[file];
    const char *name = t->code->files[file], *text;
    size_t size, n = 0, cap = 0;
    base_text_line line;
    f->is_read = true;
    f->by_number = map_make(t->arena);
    if (!t->source.find(t->source.user, name, &text, &size))
        return;
    base_text_lines lines = base_text_lines_of(text, size, name);
    while (base_text_next(&lines, &line)) {
        uint64_t known;
        if (!line.number || map_get(&f->by_number, line.number, &known))
            continue;
        f->lines = arena_grow(t->arena, f->lines, &cap, n + 1, sizeof *f->lines);
        f->lines[n++] = line;
        map_put(&f->by_number, line.number, n - 1);
    }
}

const base_text_line *
family_source_line(family_source_text *t, const obj_line *row)
{
    if (row->file >= t->code->n_files)
        return NULL;
    if (!t->files[row->file].is_read)
        read_file(t, row->file);
    const family_source_file *f = &t->files[row->file];
    uint64_t index;
    return map_get(&f->by_number, row->line, &index) ? &f->lines[index] : NULL;
}
