/* heddle opt: runs single passes over a program in text form, HIR or machine IR, or optimizes the
 * machine code of a target that has an optimizer for it. */
#include "cli.h"
#include "opt_code.h"

#include "families/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct opt {
    const char *target, *from, *abi, *output, *emit, *arrays;
    unsigned wave_size;
    bool figures;
    cli_list passes;
    pass_watch watch;
} opt;

/* The lists of names as one list. The caller frees it. */
static char *
join(const cli_list *lists)
{
    size_t size = 1;
    for (size_t i = 0; i < lists->count; i++)
        size += strlen(lists->items[i]) + 1;
    char *all = malloc(size);
    if (!all)
        cli_out_of_memory();
    *all = 0;
    for (size_t i = 0; i < lists->count; i++) {
        strcat(all, i ? "," : "");
        strcat(all, lists->items[i]);
    }
    return all;
}

/* The target that is used if neither options nor text name one. */
static const char *
default_target(const opt *o, const char *text)
{
    const char *at = strstr(text, "\ntarget:"), *body = strstr(text, "\nimpl");
    bool stated = strncmp(text, "target:", 7) == 0 || (at && (!body || at < body));
    return o->target || stated ? o->target : families_default_target();
}

static int
run_passes(opt *o, heddle_context *context, const char *path, const char *passes)
{
    uint8_t *text;
    size_t size;
    heddle_output *out;
    if (!cli_read_file(path, &text, &size))
        return CLI_FAILED;
    heddle_compile_options options = {
        .struct_size = sizeof options,
        .target = default_target(o, (const char *)text),
        .wave_size = o->wave_size,
        .abi = o->abi && strcmp(o->abi, "hsa") == 0 ? HEDDLE_ABI_HSA : HEDDLE_ABI_VULKAN,
        .file = strcmp(path, "-") == 0 ? "<stdin>" : path,
        .from = o->from,
        .passes = passes,
    };
    int code = pass_watch_begin(&o->watch, getenv("HEDDLE_DEBUG"), &options);
    if (code == CLI_OK)
        code = cli_exit_code(heddle_run_passes(context, (const char *)text, size, &options, &out));
    if (code == CLI_OK) {
        bool ok = cli_write_file(o->output ? o->output : "-", heddle_output_data(out),
                                 heddle_output_size(out));
        code = ok ? CLI_OK : CLI_FAILED;
        heddle_destroy_output(out);
    }
    pass_watch_end(&o->watch);
    free(text);
    return code;
}

static int
run(opt *o, const cli_list *operands)
{
    if (o->passes.count == 1 && strcmp(o->passes.items[0], "list") == 0)
        return cli_list_phases(o->target);
    if (!o->passes.count && o->target) {
        const opt_code code = {o->target, o->emit, o->output, o->arrays, o->figures, &o->watch};
        return opt_code_run(&code, operands);
    }
    if (!o->passes.count)
        return cli_usage_error("opt: no --pass; --pass list lists the passes");
    if (operands->count != 1)
        return cli_usage_error("opt: %s", operands->count ? "more than one input" : "no input");
    heddle_context *context = cli_context();
    if (!context)
        return CLI_INTERNAL;
    char *passes = join(&o->passes);
    int code = run_passes(o, context, operands->items[0], passes);
    free(passes);
    heddle_destroy_context(context);
    return code;
}

int
cmd_opt(int argc, char **argv)
{
    opt o = {0};
    cli_list operands = {0};
    const cli_option options[] = {
        {0, "pass", CLI_LIST, &o.passes, "NAMES",
         "the passes to run, separated by commas; list lists them", NULL},
        {'t', "target", CLI_TEXT, &o.target, "TARGET", "else as the text says, or the default",
         NULL},
        {0, "from", CLI_TEXT, &o.from, "PHASE", "that the text is from; else as the text says",
         NULL},
        {0, "emit", CLI_TEXT, &o.emit, "PHASE",
         "of machine code: the text behind the phase, or its figures, in place of code", NULL},
        {0, "figures", CLI_FLAG, &o.figures, NULL,
         "of machine code: a line with each program's figures, before and after", NULL},
        {0, "arrays", CLI_TEXT, &o.arrays, "REGISTERS",
         "of machine code: those that an index chooses, as R5-R8.xy,R10-R13", NULL},
        {'o', NULL, CLI_TEXT, &o.output, "OUT",
         "write to this file, or into this folder; - is standard output", NULL},
        {0, "wave-size", CLI_NUMBER, &o.wave_size, "N", "lanes of a wave (as the text says, or 64)",
         NULL},
        {0, "abi", CLI_CHOICE, &o.abi, "ABI", "vulkan (default) or hsa", "vulkan|hsa"},
        PASS_WATCH_OPTIONS(&o.watch),
    };
    int code = cli_parse(options, sizeof options / sizeof options[0], argc, argv, &operands);
    if (code < 0)
        code = run(&o, &operands);
    cli_release(options, sizeof options / sizeof options[0], &operands);
    return code;
}
