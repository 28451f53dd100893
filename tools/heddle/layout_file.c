/* The reader of layout files. Each line is taken apart into words; the rows grow by one. */
#include "layout_file.h"

#include "frontend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 8, WORDS_OF_SAMPLER = 4 };

struct layout_file {
    heddle_pipeline_layout pipeline;
    heddle_set_layout sets[HEDDLE_MAX_SETS];
    const heddle_set_layout *list[HEDDLE_MAX_SETS];
    heddle_layout_binding *rows[HEDDLE_MAX_SETS];
    heddle_push_range *ranges;
    uint32_t **samplers; /* the words of each binding that has some */
    size_t n_samplers;
};

/* A line being read. */
typedef struct line {
    layout_file *file;
    const char *path;
    unsigned number;
    int set; /* the last one; -1: none yet */
    char *words[MAX_WORDS];
    unsigned n_words;
} line;

static bool
fail(const line *l, const char *format, const char *text)
{
    char where[1000], message[300];
    snprintf(where, sizeof where, "%s:%u", l->path, l->number);
    snprintf(message, sizeof message, format, text);
    cli_error(where, "LAYOUT_FILE", "%s", message);
    return false;
}

static void *
grow(void *rows, size_t count, size_t size)
{
    rows = realloc(rows, (count + 1) * size);
    if (!rows)
        cli_out_of_memory();
    memset((char *)rows + count * size, 0, size);
    return rows;
}

static bool
read_number(const line *l, const char *text, uint32_t *out)
{
    char *end;
    unsigned long long v = strtoull(text, &end, 0);
    *out = (uint32_t)v;
    if (*text >= '0' && *text <= '9' && !*end && v <= UINT32_MAX)
        return true;
    return fail(l, "'%.100s' is not a number up to 4294967295", text);
}

static bool
read_type(const line *l, const char *text, heddle_descriptor_type *out)
{
    for (int t = HEDDLE_DESCRIPTOR_NONE + 1; t <= HEDDLE_DESCRIPTOR_MUTABLE; t++) {
        *out = (heddle_descriptor_type)t;
        if (strcmp(text, heddle_descriptor_type_text(*out)) == 0)
            return true;
    }
    return fail(l, "'%.100s' is not a type of descriptors", text);
}

/* The mask of "comp,vert". */
static bool
read_stages(const line *l, char *text, uint32_t *out)
{
    for (char *next; text; text = next) {
        next = strchr(text, ',');
        if (next)
            *next++ = '\0';
        const char *name = frontend_stage_named(text);
        if (!name)
            return fail(l, "'%.100s' is not a stage", text);
        *out |= HEDDLE_STAGE_BIT(frontend_stage_value(name));
    }
    return true;
}

/* "W,W,W,W": a multiple of four words, at least those of `count` samplers. */
static bool
read_samplers(line *l, char *text, heddle_layout_binding *b)
{
    layout_file *f = l->file;
    uint32_t *words = NULL;
    size_t n = 0;
    bool ok = true;
    for (char *next; text && ok; text = next) {
        next = strchr(text, ',');
        if (next)
            *next++ = '\0';
        words = grow(words, n, sizeof *words);
        ok = read_number(l, text, &words[n++]);
    }
    f->samplers = grow(f->samplers, f->n_samplers, sizeof *f->samplers);
    f->samplers[f->n_samplers++] = words;
    b->immutable_samplers = words;
    if (ok && n != (uint64_t)b->count * WORDS_OF_SAMPLER)
        return fail(l, "%s: there must be four words for each sampler", "samplers");
    return ok;
}

/* ---- the lines ---- */

static bool
read_set(line *l)
{
    layout_file *f = l->file;
    uint32_t set;
    if (l->n_words != 2)
        return fail(l, "expected %s", "set NUMBER");
    if (!read_number(l, l->words[1], &set))
        return false;
    if (set >= HEDDLE_MAX_SETS)
        return fail(l, "set %s: there are sets 0 to 31", l->words[1]);
    l->set = (int)set;
    f->list[set] = &f->sets[set];
    f->sets[set].struct_size = sizeof f->sets[set];
    if (set >= f->pipeline.n_sets)
        f->pipeline.n_sets = set + 1;
    return true;
}

static bool
starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool
read_binding(line *l)
{
    layout_file *f = l->file;
    if (l->set < 0)
        return fail(l, "%s stands before the first set", "the binding");
    if (l->n_words < 3)
        return fail(l, "expected %s", "binding NUMBER TYPE [COUNT] [stages=...] [samplers=...]");
    heddle_set_layout *set = &f->sets[l->set];
    heddle_layout_binding **rows = &f->rows[l->set], *b;
    *rows = grow(*rows, set->n_bindings, sizeof **rows);
    b = &(*rows)[set->n_bindings++];
    set->bindings = *rows;
    b->struct_size = sizeof *b;
    b->count = 1;
    if (!read_number(l, l->words[1], &b->binding) || !read_type(l, l->words[2], &b->type))
        return false;
    for (unsigned k = 3; k < l->n_words; k++) {
        char *word = l->words[k];
        bool ok = starts_with(word, "stages=")     ? read_stages(l, word + 7, &b->stages)
                  : starts_with(word, "samplers=") ? read_samplers(l, word + 9, b)
                                                   : read_number(l, word, &b->count);
        if (!ok)
            return false;
    }
    return true;
}

static bool
read_push(line *l)
{
    layout_file *f = l->file;
    heddle_pipeline_layout *p = &f->pipeline;
    if (l->n_words < 3 || l->n_words > 4 ||
        (l->n_words == 4 && !starts_with(l->words[3], "stages=")))
        return fail(l, "expected %s", "push OFFSET SIZE [stages=...]");
    f->ranges = grow(f->ranges, p->n_push_ranges, sizeof *f->ranges);
    heddle_push_range *r = &f->ranges[p->n_push_ranges++];
    p->push_ranges = f->ranges;
    r->struct_size = sizeof *r;
    return read_number(l, l->words[1], &r->offset) && read_number(l, l->words[2], &r->size) &&
           (l->n_words == 3 || read_stages(l, l->words[3] + 7, &r->stages));
}

/* Takes the line apart. */
static bool
split(line *l, char *text)
{
    static const char spaces[] = " \t\r";
    l->n_words = 0;
    text[strcspn(text, "#")] = '\0';
    for (text += strspn(text, spaces); *text; text += strspn(text, spaces)) {
        size_t n = strcspn(text, spaces);
        if (l->n_words == MAX_WORDS)
            return fail(l, "'%.100s' is too much", text);
        l->words[l->n_words++] = text;
        text += n;
        if (*text)
            *text++ = '\0';
    }
    return true;
}

static bool
read_line(line *l, char *text)
{
    if (!split(l, text))
        return false;
    if (!l->n_words)
        return true;
    if (strcmp(l->words[0], "set") == 0)
        return read_set(l);
    if (strcmp(l->words[0], "binding") == 0)
        return read_binding(l);
    if (strcmp(l->words[0], "push") == 0)
        return read_push(l);
    return fail(l, "expected set, binding or push, found '%.100s'", l->words[0]);
}

layout_file *
layout_file_read(const char *path)
{
    uint8_t *bytes;
    size_t size;
    if (!cli_read_file(path, &bytes, &size))
        return NULL;
    line l = {.file = grow(NULL, 0, sizeof(layout_file)), .path = path, .set = -1};
    bool ok = true;
    l.file->pipeline.struct_size = sizeof l.file->pipeline;
    l.file->pipeline.sets = l.file->list;
    for (char *text = (char *)bytes, *next; text && ok; text = next) {
        next = strchr(text, '\n');
        if (next)
            *next++ = '\0';
        l.number++;
        ok = read_line(&l, text);
    }
    free(bytes);
    if (ok)
        return l.file;
    layout_file_free(l.file);
    return NULL;
}

void
layout_file_free(layout_file *file)
{
    if (!file)
        return;
    for (int s = 0; s < HEDDLE_MAX_SETS; s++)
        free(file->rows[s]);
    for (size_t k = 0; k < file->n_samplers; k++)
        free(file->samplers[k]);
    free(file->samplers);
    free(file->ranges);
    free(file);
}

const heddle_pipeline_layout *
layout_file_layout(const layout_file *file)
{
    return file ? &file->pipeline : NULL;
}
