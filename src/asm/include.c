/* Directives that control reading: other files, messages, the end; and directives that are ignored
 * because they are for debuggers or state known facts. */
#include "asm/ctx.h"
#include "asm/directives.h"

#include <string.h>

/* Consumes the text in quotes in the current token; escapes are not interpreted. */
static const char *
take_text(asm_ctx *a)
{
    asm_token text = asm_take_string(a);
    return arena_printf(a->arena, "%.*s", (int)(text.len - 2), text.text + 1);
}

/* The bytes of a file that the caller provides. If a needed file is missing, the call ends. */
static asm_span
take_file(asm_ctx *a, bool is_needed, const char **name)
{
    const asm_options *o = &a->unit->options;
    asm_span file = {NULL, 0};
    const char *at = a->token.text;
    *name = take_text(a);
    bool found = o->include && o->include(o->include_user, *name, &file.text, &file.len);
    a->included += file.len;
    if (found && a->included <= ASM_MAX_INCLUDED)
        return file;
    a->is_last = is_needed;
    asm_seek(a, at);
    asm_fail(a,
             found        ? ERR_ASM_SIZE
             : o->include ? ERR_ASM_NO_FILE
                          : ERR_ASM_NO_FILES,
             asm_short(a, *name, strlen(*name)));
    asm_report(a);
}

static void
include(asm_ctx *a, unsigned unused)
{
    const char *name, *at = a->line;
    asm_span file = take_file(a, true, &name);
    (void)unused;
    if (a->token.kind != ASM_END)
        return;
    if (file.len)
        asm_enter(a, (asm_source){.kind = ASM_FILE,
                                  .text = file.text,
                                  .end = file.text + file.len,
                                  .name = name,
                                  .parent = a->source,
                                  .call = at,
                                  .back = a->p,
                                  .rounds = 1,
                                  .n_conds = a->n_conds});
}

/* .incbin "FILE" [, SKIP [, COUNT]] */
static void
include_bytes(asm_ctx *a, unsigned unused)
{
    const char *name;
    asm_span file = take_file(a, false, &name);
    int64_t skip = 0, count = INT64_MAX;
    (void)unused;
    if (asm_take(a, ',') && !asm_is(a, ','))
        skip = asm_number(a, 0, INT64_MAX);
    if (asm_take(a, ','))
        count = asm_number(a, 0, INT64_MAX);
    size_t from = (uint64_t)skip < file.len ? (size_t)skip : file.len;
    size_t size = (uint64_t)count < file.len - from ? (size_t)count : file.len - from;
    asm_fill(a, size);
    if (size)
        buf_put(a->out, file.text + from, size);
}

static void
end(asm_ctx *a, unsigned unused)
{
    (void)unused;
    a->is_ended = true;
    asm_skip_line(a);
}

static void
error(asm_ctx *a, unsigned is_last)
{
    const char *text = a->token.kind == ASM_END ? ".error in the text" : take_text(a);
    a->is_last = is_last;
    asm_seek(a, a->line);
    a->failure = (asm_failure){a->line, ERR_ASM_USER, text};
    asm_report(a);
}

static void
note(asm_ctx *a, unsigned is_warning)
{
    const asm_options *o = &a->unit->options;
    const char *text = a->token.kind == ASM_END ? ".warning in the text" : take_text(a);
    diag_loc loc = a->d->loc;
    if (!o->note)
        return;
    asm_locate(a, a->line);
    o->note(o->note_user, &a->d->loc, is_warning, text);
    a->d->loc = loc;
}

static void
pass_over(asm_ctx *a, unsigned unused)
{
    (void)unused;
    asm_skip_line(a);
}

const asm_directive asm_include_directives[] = {
    {".include", include, 0, false},
    {".incbin", include_bytes, 0, false},
    {".end", end, 0, false},
    {".error", error, false, false},
    {".err", error, false, false},
    {".abort", error, true, false},
    {".warning", note, true, false},
    {".print", note, false, false},
    {".ident", pass_over, 0, false},
    {".addrsig", pass_over, 0, false},
    {".addrsig_sym", pass_over, 0, false},
    {".file", pass_over, 0, false},
    {".loc", pass_over, 0, false},
    {".line", pass_over, 0, false},
    {".version", pass_over, 0, false},
    {".extern", pass_over, 0, false},
    {".no_dead_strip", pass_over, 0, false},
    {".lto_discard", pass_over, 0, false},
    {".cfi_sections", pass_over, 0, false},
    {".cfi_startproc", pass_over, 0, false},
    {".cfi_endproc", pass_over, 0, false},
    {".cfi_escape", pass_over, 0, false},
    {".cfi_def_cfa", pass_over, 0, false},
    {".cfi_def_cfa_offset", pass_over, 0, false},
    {".cfi_def_cfa_register", pass_over, 0, false},
    {".cfi_adjust_cfa_offset", pass_over, 0, false},
    {".cfi_offset", pass_over, 0, false},
    {".cfi_rel_offset", pass_over, 0, false},
    {".cfi_register", pass_over, 0, false},
    {".cfi_restore", pass_over, 0, false},
    {".cfi_same_value", pass_over, 0, false},
    {".cfi_undefined", pass_over, 0, false},
    {".cfi_remember_state", pass_over, 0, false},
    {".cfi_restore_state", pass_over, 0, false},
    {NULL, NULL, 0, false},
};
