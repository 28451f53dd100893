/* heddle compile: compiles shaders to code objects, or to the text of any intermediate step. */
#include "input.h"
#include "link_stages.h"
#include "pass_watch.h"
#include "targets.h"

#include "families/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct compile {
    heddle_context *context;
    input_options input;
    told told;
    cli_list targets;
    const char *emit, *from, *output, *dependency_file;
    bool dependencies, preprocess, spirv_asm;
    bool full_names; /* outputs are named NAME.TARGET.EXTENSION */
    bool in_folder;  /* `output` is a folder */
    bool default_target;
    bool live;   /* asm with live registers */
    bool source; /* asm with the text of source */
    bool graph;  /* of HIR, a phase or asm */
    pass_watch watch;
} compile;

/* Kinds of output: what they are written to by default, and whether they differ between targets.
 * The phases' names, which stand in no row, are text. */
static const struct kind {
    const char *emit, *extension;
    bool is_text;  /* goes to standard output unless -o names a folder */
    bool is_front; /* made without the library; the same for all targets */
} kinds[] = {
    {"obj", "elf", false, false},    {"bin", "bin", false, false},
    {"asm", "s", true, false},       {"spirv", "spv", false, true},
    {"hir", "hir", true, false},     {"spirv-asm", "spvasm", true, true},
    {"preprocess", "i", true, true},
};

static const struct kind *
kind_named(const char *emit)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].emit, emit) == 0)
            return &kinds[i];
    }
    return NULL;
}

/* ---- names of outputs ---- */

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The output path: as given, else a file with the input's name and the kind's extension in the
 * folder given or the current one, else standard output. The caller frees it. */
static char *
output_path(const compile *c, const char *from, const char *target)
{
    const struct kind *kind = kind_named(c->emit);
    bool is_stdin = strcmp(from, "-") == 0;
    const char *name = is_stdin ? "stdin" : base_name(from), *dot = strrchr(name, '.');
    bool to_stdout = !c->in_folder && !c->output && (!kind || kind->is_text || is_stdin);
    int stem = dot && dot > name && !c->full_names ? (int)(dot - name) : (int)strlen(name);
    const char *folder = c->in_folder ? c->output : "";
    bool slash = *folder && folder[strlen(folder) - 1] != '/';
    bool targeted = c->full_names && !(kind && kind->is_front);
    size_t room = strlen(folder) + strlen(name) + strlen(target) + strlen(c->emit) +
                  (c->output ? strlen(c->output) : 0) + 16;
    char *path = malloc(room);
    if (!path)
        cli_out_of_memory();
    if (c->output && !c->in_folder)
        snprintf(path, room, "%s", c->output);
    else if (to_stdout)
        snprintf(path, room, "-");
    else
        snprintf(path, room, "%s%s%.*s%s%s.%s%s", folder, slash ? "/" : "", stem, name,
                 targeted ? "." : "", targeted ? target : "",
                 kind && !c->graph ? kind->extension : c->emit,
                 c->graph ? ".dot"
                 : kind   ? ""
                          : ".mir");
    return path;
}

static int
write_output(const compile *c, const char *from, const char *target, const void *data, size_t size)
{
    char *path = output_path(c, from, target);
    bool ok = cli_write_file(path, data, size);
    free(path);
    return ok ? CLI_OK : CLI_FAILED;
}

/* ---- dependencies, for make ---- */

/* A path as make reads it: a blank, # and $ are escaped. */
static void
put_path(FILE *f, const char *path)
{
    for (; *path; path++) {
        if (*path == ' ' || *path == '#')
            fputc('\\', f);
        if (*path == '$')
            fputc('$', f);
        fputc(*path, f);
    }
}

/* Writes the rule "OUTPUT: INPUT INCLUDED..." to the file of -MF, else to OUTPUT.d. */
static int
write_dependencies(const compile *c, const input *in)
{
    char *output = output_path(c, in->path, c->targets.items[0]);
    size_t room = strlen(output) + 3;
    char *path = malloc(room);
    if (!path)
        cli_out_of_memory();
    snprintf(path, room, "%s.d", output);
    const char *to = c->dependency_file ? c->dependency_file : path;
    FILE *f = fopen(to, "w");
    if (f) {
        put_path(f, output);
        fputc(':', f);
        for (size_t i = 0; i <= in->translated.includes.count; i++) {
            fputc(' ', f);
            put_path(f, i ? in->translated.includes.items[i - 1] : in->path);
        }
        fputc('\n', f);
    }
    bool ok = f && !ferror(f);
    if ((f && fclose(f) != 0) || !ok)
        ok = false;
    if (!ok)
        cli_error(to, "FILE_WRITE", "cannot be written");
    free(path);
    free(output);
    return ok ? CLI_OK : CLI_FAILED;
}

/* ---- compiling ---- */

/* Writes what the front end makes. */
static int
emit_front(const compile *c, const input *in)
{
    const char *target = c->targets.items[0];
    if (strcmp(c->emit, "preprocess") == 0)
        return write_output(c, in->path, target, in->translated.words, in->translated.size);
    if (in->kind != FRONTEND_SPIRV)
        return cli_usage_error("compile: %s cannot become %s", in->path, c->emit);
    if (strcmp(c->emit, "spirv") == 0)
        return write_output(c, in->path, target, in->words, in->n_words * 4);
    char *text = frontend_disassemble(in->words, in->n_words, in->path);
    int code = text ? write_output(c, in->path, target, text, strlen(text)) : CLI_FAILED;
    free(text);
    return code;
}

/* Does the text of machine IR say what target it is for? */
static bool
states_target(const input *in)
{
    const char *text = (const char *)in->bytes, *at = strstr(text, "\ntarget:");
    const char *body = strstr(text, "\nimpl");
    return in->kind == FRONTEND_HIR && at && (!body || at < body);
}

/* Replaces the code object in `*out` by its text. */
static heddle_result
print_object(const compile *c, const input *in, heddle_output **out)
{
    heddle_output *object = *out;
    source from = input_source(in);
    const heddle_asm_options options = {.struct_size = sizeof options,
                                        .file = in->path,
                                        .with_live_registers = c->live,
                                        .without_bytes = 1,
                                        .source = c->source ? source_find : NULL,
                                        .source_user = &from};
    heddle_result result = heddle_print_kernel_with(c->context, heddle_output_data(object),
                                                    heddle_output_size(object), 0, &options, out);
    heddle_destroy_output(object);
    source_free(&from);
    return result;
}

static int
compile_for(compile *c, const input *in, heddle_compile_options *options, const char *target)
{
    heddle_output *out;
    bool views = c->live || c->source;
    options->target = c->default_target && states_target(in) ? NULL : target;
    options->emit = views ? "obj" : c->emit;
    options->from = c->from;
    options->graph = c->graph;
    int watched = pass_watch_begin(&c->watch, getenv("HEDDLE_DEBUG"), options);
    if (watched != CLI_OK)
        return watched;
    heddle_result result = input_compile(c->context, in, options, &out);
    if (result == HEDDLE_OK && views)
        result = print_object(c, in, &out);
    if (result != HEDDLE_OK)
        return cli_exit_code(result);
    int code = write_output(c, in->path, target, heddle_output_data(out), heddle_output_size(out));
    heddle_destroy_output(out);
    return code;
}

static int
compile_loaded(compile *c, const input *in)
{
    const struct kind *kind = kind_named(c->emit);
    heddle_spec_constant *specs;
    heddle_compile_options options;
    int code, worst = CLI_OK;
    if (kind && kind->is_front)
        return emit_front(c, in);
    if (in->kind == FRONTEND_ELF)
        return cli_usage_error("compile: %s cannot become %s", in->path, c->emit);
    if (input_compile_options(in, &c->input, &specs, &options)) {
        link_stages link;
        code = link_stages_open(&link, c->context, in, &c->input, &options);
        for (size_t i = 0; i < c->targets.count && code == CLI_OK; i++)
            worst = cli_worse(worst, compile_for(c, in, &options, c->targets.items[i]));
        code = cli_worse(code, worst);
        link_stages_free(&link);
    } else {
        code = CLI_USAGE;
    }
    free(specs);
    return code;
}

static int
compile_file(compile *c, const char *path)
{
    input in;
    bool preprocess = strcmp(c->emit, "preprocess") == 0;
    int code = preprocess ? input_preprocess(&in, path, &c->input)
                          : input_load(&in, path, &c->input);
    if (code < 0)
        code = compile_loaded(c, &in);
    if (code == CLI_OK && (c->dependencies || c->dependency_file))
        code = write_dependencies(c, &in);
    input_free(&in);
    return code;
}

/* ---- the command line ---- */

/* Says which two inputs have the same output. */
static int
find_twins(const cli_list *operands, const cli_list *paths)
{
    for (size_t i = 0; i < paths->count; i++) {
        for (size_t k = 0; k < i && strcmp(paths->items[i], "-") != 0; k++) {
            if (strcmp(paths->items[i], paths->items[k]) == 0)
                return cli_usage_error("compile: %s and %s would both become %s",
                                       operands->items[k], operands->items[i], paths->items[i]);
        }
    }
    return CLI_OK;
}

/* Two inputs of one name would overwrite each other's output. */
static int
check_names(const compile *c, const cli_list *operands)
{
    cli_list paths = {0};
    for (size_t i = 0; i < operands->count; i++)
        cli_list_add(&paths, output_path(c, operands->items[i], c->targets.items[0]));
    int code = find_twins(operands, &paths);
    for (size_t i = 0; i < paths.count; i++)
        free((char *)paths.items[i]);
    cli_list_free(&paths);
    return code;
}

/* Completes what the options say. Returns CLI_OK, or CLI_USAGE after a message. */
static int
settle(compile *c, const cli_list *operands)
{
    struct stat s;
    if (strcmp(c->emit, "list") == 0)
        return CLI_OK;
    if (!operands->count)
        return cli_usage_error("compile: no input");
    if (c->preprocess || c->spirv_asm)
        c->emit = c->preprocess ? "preprocess" : "spirv-asm";
    if (strcmp(c->emit, "cfg") == 0) {
        c->emit = "asm";
        c->graph = true;
    }
    const struct kind *kind = kind_named(c->emit);
    if (c->graph && kind && (kind->is_front || !kind->is_text))
        return cli_usage_error("compile: --cfg is for --emit asm, hir or a phase");
    if (c->graph && (c->live || c->source))
        return cli_usage_error("compile: --cfg shows neither registers nor lines of source");
    if ((c->live || c->source) && strcmp(c->emit, "asm") != 0)
        return cli_usage_error("compile: %s is for --emit asm", c->live ? "--livereg" : "--source");
    c->input.line_info |= c->source;
    if (!kind_named(c->emit) && !cli_is_phase(c->emit))
        return cli_usage_error("compile: --emit %s: there is no such kind or phase; --emit list "
                               "lists the phases",
                               c->emit);
    c->default_target = !c->targets.count;
    cli_settle_targets(&c->targets, families_default_target());
    bool several = operands->count > 1 || c->targets.count > 1;
    size_t len = c->output ? strlen(c->output) : 0;
    c->in_folder = len &&
                   (c->output[len - 1] == '/' || (stat(c->output, &s) == 0 && S_ISDIR(s.st_mode)));
    c->full_names = several || c->in_folder;
    if (several && c->output && !c->in_folder)
        return cli_usage_error("compile: -o %s: several inputs or targets need a folder",
                               c->output);
    if (operands->count > 1 && c->dependency_file)
        return cli_usage_error("compile: -MF is for one input");
    return check_names(c, operands);
}

static int
compile_files(compile *c, const cli_list *operands)
{
    int code = settle(c, operands);
    if (code == CLI_OK && strcmp(c->emit, "list") == 0)
        return cli_list_phases(c->targets.count ? c->targets.items[0] : NULL);
    if (code != CLI_OK)
        return code;
    c->context = input_context(&c->input, &c->told);
    if (!c->context)
        return CLI_INTERNAL;
    for (size_t i = 0; i < operands->count; i++)
        code = cli_worse(code, compile_file(c, operands->items[i]));
    heddle_destroy_context(c->context);
    return code;
}

int
cmd_compile(int argc, char **argv)
{
    compile c = {.emit = "obj"};
    cli_list operands = {0};
    char target_help[100];
    snprintf(target_help, sizeof target_help,
             "%s (default) ...: heddle targets; may be given several times",
             families_default_target());
    const cli_option options[] = {
        {'t', "target", CLI_LIST, &c.targets, "TARGET", target_help, NULL},
        {0, "emit", CLI_TEXT, &c.emit, "KIND",
         "obj (default), asm, bin, preprocess, spirv, spirv-asm, hir or a phase's name; list lists "
         "these",
         NULL},
        {0, "from", CLI_TEXT, &c.from, "PHASE",
         "of HIR or machine IR as text: go on behind this phase; else as the text says", NULL},
        {'o', NULL, CLI_TEXT, &c.output, "OUT",
         "write to this file, or into this folder; - is standard output", NULL},
        {0, "livereg", CLI_FLAG, &c.live, NULL,
         "with --emit asm: the registers that are live beside each instruction", NULL},
        {0, "source", CLI_FLAG, &c.source, NULL,
         "with --emit asm: lines of source above the instructions made from them; implies -g",
         NULL},
        {0, "cfg", CLI_FLAG, &c.graph, NULL,
         "with --emit asm, hir or a phase: its control-flow graph, for graphviz's dot", NULL},
        {0, "live-registers", CLI_FLAG, &c.live, NULL, NULL, NULL},
        {'E', NULL, CLI_FLAG, &c.preprocess, NULL, "as --emit preprocess", NULL},
        {'S', NULL, CLI_FLAG, &c.spirv_asm, NULL, "as --emit spirv-asm", NULL},
        {'H', NULL, CLI_FLAG, &c.spirv_asm, NULL, NULL, NULL},
        {0, "-MD", CLI_FLAG, &c.dependencies, NULL,
         "write OUT.d too: the files that were read, for make", NULL},
        {0, "-MF", CLI_TEXT, &c.dependency_file, "FILE", "the same, to this file", NULL},
        PASS_WATCH_OPTIONS(&c.watch),
#define INPUT_OPTION(letter, name, kind, member, argument, help, choices)                          \
    {letter, name, kind, &c.input.member, argument, help, choices},
#include "input_options.def"
    };
    int code = cli_parse(options, sizeof options / sizeof options[0], argc, argv, &operands);
    if (code < 0)
        code = compile_files(&c, &operands);
    pass_watch_end(&c.watch);
    cli_release(options, sizeof options / sizeof options[0], &operands);
    return code;
}
