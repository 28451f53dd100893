/* Messages with lines of source; see told.h. */
#include "told.h"

#include "base/text_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- keeping ---- */

static char *
keep(const char *text)
{
    size_t size = text ? strlen(text) + 1 : 0;
    char *copy = text ? malloc(size) : NULL;
    if (text && !copy)
        cli_out_of_memory();
    return text ? memcpy(copy, text, size) : NULL;
}

/* "word 12, OpLoad", or NULL. */
static char *
keep_place(const heddle_diagnostic *d)
{
    char text[128];
    if (!d->unit)
        return NULL;
    snprintf(text, sizeof text, "%s %llu%s%.64s", d->unit, (unsigned long long)d->offset,
             d->item ? ", " : "", d->item ? d->item : "");
    return keep(text);
}

static void
free_note(told_note *n)
{
    free(n->text);
    free(n->name);
    free(n->file);
    free(n->message);
    free(n->place);
}

static void
add_note(told *t, const heddle_diagnostic *d)
{
    told_note *notes = realloc(t->notes, (t->n_notes + 1) * sizeof *notes);
    if (!notes)
        cli_out_of_memory();
    t->notes = notes;
    t->notes[t->n_notes++] = (told_note){.text = keep(d->text),
                                         .name = keep(d->name),
                                         .file = keep(d->file),
                                         .message = keep(d->message),
                                         .place = keep_place(d),
                                         .result = d->result,
                                         .line = d->line,
                                         .column = d->column};
}

/* The error of the first compile, if it has no line. */
static told_note *
lineless_error(told *t)
{
    for (size_t i = 0; i < t->n_notes; i++)
        if (t->notes[i].result != HEDDLE_OK && !t->notes[i].line)
            return &t->notes[i];
    return NULL;
}

/* Adds the line of the same error in the second compile. */
static void
add_line(told *t, const heddle_diagnostic *d)
{
    char place[160] = "";
    told_note *n = lineless_error(t);
    if (!n || !d->line || strcmp(n->name, d->name) != 0)
        return;
    free(n->file);
    n->file = keep(d->file);
    n->line = d->line;
    n->column = d->column;
    if (n->place)
        snprintf(place, sizeof place, " (%s)", n->place);
    char column[16] = "";
    if (n->column)
        snprintf(column, sizeof column, ":%u", (unsigned)n->column);
    const char *kind = n->result == HEDDLE_ERROR_UNSUPPORTED ? "unsupported: " : "";
    size_t room = strlen(d->file) + strlen(n->message) + strlen(place) + 64;
    free(n->text);
    n->text = malloc(room);
    if (!n->text)
        cli_out_of_memory();
    snprintf(n->text, room, "%s:%u%s: error: %s%s%s", d->file, (unsigned)n->line, column, kind,
             n->message, place);
}

void
told_receive(void *user, const heddle_diagnostic *d)
{
    told *t = user;
    if (!t->is_held)
        fprintf(stderr, "%s [%s]\n", d->text, d->name);
    else if (t->is_second)
        add_line(t, d);
    else
        add_note(t, d);
}

/* ---- excerpts ---- */

/* Prints a line of source with a caret: below the column, or, if only the line is known, below all
 * of its text. */
static void
print_line(const base_text_line *l, uint32_t column)
{
    size_t first = 0, end = l->size;
    while (first < end && (l->start[first] == ' ' || l->start[first] == '\t'))
        first++;
    while (end > first && (l->start[end - 1] == ' ' || l->start[end - 1] == '\t'))
        end--;
    if (first == end)
        return;
    bool known = column && column <= end;
    size_t at = known ? column - 1 : first, last = known ? at + 1 : end;
    fprintf(stderr, "%5u | %.*s\n      | ", (unsigned)l->number, (int)end, l->start);
    for (size_t i = 0; i < at; i++)
        fputc(l->start[i] == '\t' ? '\t' : ' ', stderr);
    for (size_t i = at; i < last; i++)
        fputc(i == at ? '^' : '~', stderr);
    fputc('\n', stderr);
}

/* Prints the source's line below its message, if its text is there. */
static void
print_excerpt(told *t, const told_note *n)
{
    const char *text;
    size_t size;
    base_text_line line;
    if (n->line && n->file && source_find(&t->source, n->file, &text, &size) &&
        base_text_find(base_text_lines_of(text, size, n->file), n->line, &line))
        print_line(&line, n->column);
}

/* ---- calls ---- */

void
told_begin(told *t, const source *from)
{
    *t = (told){.source = *from, .is_held = true};
}

bool
told_lacks_line(told *t)
{
    t->is_second = lineless_error(t) != NULL;
    return t->is_second;
}

void
told_end(told *t)
{
    for (size_t i = 0; i < t->n_notes; i++) {
        fprintf(stderr, "%s [%s]\n", t->notes[i].text, t->notes[i].name);
        print_excerpt(t, &t->notes[i]);
        free_note(&t->notes[i]);
    }
    free(t->notes);
    source_free(&t->source);
    *t = (told){0};
}
