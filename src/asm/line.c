/* Source lines: a row for each statement that adds code on another line than the one before.
 *
 * The code of a macro has the line of the outermost call in a file, as in LLVM's and GNU's
 * assembler; the code of a repetition has the lines of its body, unless values are substituted
 * there. Positions in a file mostly ascend, so lines are counted from the last position.
 */
#include "asm/line.h"

#include "asm/ctx.h"

#include <string.h>

/* Moves to the file that contains the statement, or the call that it comes from. */
static void
move_to_file(const asm_ctx *a, asm_position *p)
{
    for (const asm_source *s; (s = &a->sources[p->source])->kind != ASM_FILE;) {
        if (s->kind == ASM_REPEAT && s->text == s->macro->body.text)
            p->source = s->macro->source;
        else
            *p = (asm_position){s->parent, s->call};
    }
}

/* The line of a position in a file. */
static uint32_t
count_line(asm_source *s, const char *at)
{
    const char *p = s->counted ? s->counted : s->text;
    uint32_t line = s->counted_line;
    for (; p < at; p++)
        line += *p == '\n';
    for (; p > at; p--)
        line -= p[-1] == '\n';
    s->counted = at;
    s->counted_line = line;
    return line + 1;
}

static uint32_t
find_file(asm_ctx *a, const char *name)
{
    asm_unit *u = a->unit;
    for (uint32_t i = u->n_files; i-- > 0;)
        if (strcmp(u->files[i], name) == 0)
            return i;
    u->files = arena_grow(a->arena, u->files, &a->files_cap, u->n_files + 1u, sizeof *u->files);
    u->files[u->n_files] = name;
    return u->n_files++;
}

void
asm_note_line(asm_ctx *a, asm_position p, uint32_t section, size_t offset)
{
    asm_unit *u = a->unit;
    move_to_file(a, &p);
    asm_source *s = &a->sources[p.source];
    const char *name = s->name ? s->name : a->file;
    const asm_unit_line row = {.section = section,
                               .offset = (uint32_t)offset,
                               .file = find_file(a, name ? name : ""),
                               .line = count_line(s, p.at)};
    const asm_unit_line *last = u->n_lines ? &u->lines[u->n_lines - 1] : NULL;
    if (last && last->section == section && last->file == row.file && last->line == row.line)
        return;
    u->lines = arena_grow(a->arena, u->lines, &a->lines_cap, (size_t)u->n_lines + 1,
                          sizeof *u->lines);
    u->lines[u->n_lines++] = row;
}
