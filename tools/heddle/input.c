/* Inputs of compile and stats. */
#include "input.h"

#include "data_spec.h"

#include "base/fp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    frontend_kind kind;
} languages[] = {
    {"spirv", FRONTEND_SPIRV}, {"spirv-asm", FRONTEND_SPIRV_ASM},
    {"glsl", FRONTEND_GLSL},   {"hlsl", FRONTEND_HLSL},
    {"hir", FRONTEND_HIR},     {"elf", FRONTEND_ELF},
};

static frontend_kind
language_named(const char *name)
{
    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++) {
        if (strcmp(languages[i].name, name) == 0)
            return languages[i].kind;
    }
    return FRONTEND_UNKNOWN;
}

/* Reads a binding. Returns false after a message. */
static bool
parse_binding(const char *option, const char *text, uint32_t *out)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 0);
    *out = (uint32_t)value;
    if (*text >= '0' && *text <= '9' && !*end && value <= UINT32_MAX)
        return true;
    cli_usage_error("%s %s: not a binding, a number up to 4294967295", option, text);
    return false;
}

/* The first bindings of HLSL's registers: far enough apart that those of a shader do not overlap,
 * unless the options say otherwise. Returns false after a message. */
static bool
parse_registers(const input_options *o, frontend_registers *r)
{
    *r = (frontend_registers){.b = 0, .t = 1000, .u = 2000, .s = 3000};
    const struct {
        char letter;
        const char *base;
        uint32_t *at;
    } rows[] = {{'b', o->base_b, &r->b},
                {'t', o->base_t, &r->t},
                {'u', o->base_u, &r->u},
                {'s', o->base_s, &r->s}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].base && !parse_binding("-f...-binding-base", rows[i].base, rows[i].at))
            return false;
    }
    for (size_t k = 0; k < o->shift.count; k++) {
        const char *text = o->shift.items[k];
        size_t i = 0;
        while (i < 4 && rows[i].letter != *text)
            i++;
        if (i == 4 || text[1] != '=') {
            cli_usage_error(
                "--hlsl-shift %s: not a register's letter (b, t, u, s), = and a binding", text);
            return false;
        }
        if (!parse_binding("--hlsl-shift", text + 2, rows[i].at))
            return false;
    }
    return true;
}

enum { PREPROCESS = 1, WITH_LINES = 2 }; /* of `run_frontend` */

/* Calls the front end. Returns false after a message about the options. */
static bool
run_frontend(const input *in, unsigned how, frontend_kind kind, frontend_result *out)
{
    const input_options *o = in->options;
    frontend_registers registers;
    if (!parse_registers(o, &registers))
        return false;
    const frontend_options f = {.stage = in->stage,
                                .entry = o->entry,
                                .target_env = o->target_env,
                                .include = &o->include,
                                .define = &o->define,
                                .undefine = &o->undefine,
                                .registers = &registers,
                                .dxc = o->dxc,
                                .dxc_options = &o->dxc_options,
                                .std = o->std,
                                .preprocess = (how & PREPROCESS) != 0,
                                .line_info = o->line_info || how & WITH_LINES,
                                .auto_map = true};
    *out = frontend_translate(kind, (const char *)in->bytes, in->size, in->path, &f);
    return true;
}

/* Translates the text, or preprocesses it. Returns -1 or the exit code. */
static int
translate(input *in, bool preprocess)
{
    if (!run_frontend(in, preprocess ? PREPROCESS : 0, in->kind, &in->translated))
        return CLI_USAGE;
    if (in->translated.messages)
        fputs(in->translated.messages, stderr);
    if (!in->translated.ok)
        return CLI_FAILED;
    if (preprocess)
        return -1;
    in->words = in->translated.words;
    in->n_words = in->translated.n_words;
    in->language = in->kind;
    in->kind = FRONTEND_SPIRV;
    return -1;
}

/* Reads the file, and finds out what it is. Returns -1 or the exit code. */
static int
read_input(input *in, const char *path, const input_options *o)
{
    *in = (input){.path = path, .options = o};
    if (!cli_read_file(path, &in->bytes, &in->size))
        return CLI_FAILED;
    in->kind = o->lang ? language_named(o->lang) : frontend_detect(path, in->bytes, in->size);
    in->stage = o->stage ? frontend_stage_named(o->stage) : frontend_stage_of_path(path);
    return -1;
}

int
input_preprocess(input *in, const char *path, const input_options *o)
{
    int code = read_input(in, path, o);
    if (code >= 0)
        return code;
    if (in->kind != FRONTEND_GLSL && in->kind != FRONTEND_HLSL)
        return cli_usage_error("%s is not GLSL or HLSL, which alone are preprocessed", path);
    return translate(in, true);
}

int
input_load(input *in, const char *path, const input_options *o)
{
    int code = read_input(in, path, o);
    if (code >= 0)
        return code;
    in->layout = o->layout ? layout_file_read(o->layout) : NULL;
    if (o->layout && !in->layout)
        return CLI_FAILED;
    if (o->pipeline && strcmp(o->pipeline, "defaults") == 0) {
        pipeline_file_print_defaults();
        return CLI_OK;
    }
    in->pipeline = o->pipeline ? pipeline_file_read(o->pipeline) : NULL;
    if (o->pipeline && !in->pipeline)
        return CLI_FAILED;
    switch (in->kind) {
    case FRONTEND_SPIRV:
        in->words = (const uint32_t *)(const void *)in->bytes;
        in->n_words = in->size / 4;
        if (in->size % 4 == 0)
            return -1;
        return cli_error(path, "SPIRV_SIZE", "the size is not a multiple of 4 bytes");
    case FRONTEND_GLSL:
    case FRONTEND_HLSL:
    case FRONTEND_SPIRV_ASM: return translate(in, false);
    case FRONTEND_HIR:
    case FRONTEND_ELF: return -1;
    case FRONTEND_ASM:
        return cli_error(path, "UNKNOWN_KIND", "assembly is not compiled: see heddle asm");
    case FRONTEND_AMBER:
    case FRONTEND_CTS:
        return cli_error(path, "UNKNOWN_KIND", "a script is not compiled: see heddle run");
    default:
        return cli_error(path, "UNKNOWN_KIND",
                         "neither the contents nor the name say what this is; give --lang");
    }
}

void
input_free(input *in)
{
    frontend_free(&in->translated);
    layout_file_free(in->layout);
    pipeline_file_free(in->pipeline);
    free(in->bytes);
    in->bytes = NULL;
}

/* Parses a value: "3", "-3", "0x3" are integers; "1.5", "1e3" floats, which are rounded to the
 * constant's type; also "true" and "false". Returns NULL, or what is wrong. */
static const char *
parse_value(const char *text, heddle_spec_constant *out)
{
    data_number n;
    const char *message;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        out->type = HEDDLE_SPEC_BOOL;
        out->value = *text == 't';
        return NULL;
    }
    if (!data_number_parse(&text, &n, &message))
        return message;
    if (*text)
        return "not a number, true or false";
    if (n.is_float) {
        out->type = HEDDLE_SPEC_FLOAT;
        out->value = base_fp_encode(n.real, 64, BASE_ROUND_EVEN);
        return NULL;
    }
    out->type = HEDDLE_SPEC_INTEGER;
    out->value = n.is_negative ? 0 - n.magnitude : n.magnitude;
    return n.is_negative && n.magnitude > UINT64_C(1) << 63 ? "too small a number" : NULL;
}

/* Parses ID=VALUE. Returns NULL, or what is wrong. */
static const char *
parse_spec(const char *text, heddle_spec_constant *out)
{
    char *end;
    unsigned long long id = strtoull(text, &end, 0);
    if (*text < '0' || *text > '9' || *end != '=')
        return "not ID=VALUE";
    if (id > UINT32_MAX)
        return "the id is a number up to 4294967295";
    out->id = (uint32_t)id;
    return parse_value(end + 1, out);
}

static bool
parse_specs(const cli_list *list, heddle_spec_constant **out)
{
    *out = calloc(list->count + 1, sizeof **out);
    for (size_t i = 0; *out && i < list->count; i++) {
        const char *wrong = parse_spec(list->items[i], &(*out)[i]);
        for (size_t k = 0; k < i && !wrong; k++)
            wrong = (*out)[k].id == (*out)[i].id ? "the constant has a value already" : NULL;
        if (wrong) {
            cli_usage_error("--spec %s: %s", list->items[i], wrong);
            return false;
        }
    }
    return *out != NULL;
}

/* 0, 1, 2, or glslc's s, which asks for small code. */
static heddle_optimization
level_of(const char *level)
{
    if (!level || *level == 's')
        return HEDDLE_OPTIMIZE_DEFAULT;
    return (heddle_optimization)(HEDDLE_OPTIMIZE_NONE + (*level - '0'));
}

/* Texts requested by HEDDLE_DEBUG=print=... go to stderr, separate from the output. */
static void
print_trace(void *user, const char *phase, const char *text, size_t size)
{
    (void)user;
    const char *after = strncmp(phase, "before ", 7) == 0 ? "" : "after ";
    fprintf(stderr, "// %s%s\n%.*s\n", after, phase, (int)size, text);
}

bool
input_compile_options(const input *in, const input_options *o, heddle_spec_constant **specs,
                      heddle_compile_options *out)
{
    *specs = NULL;
    if (!parse_specs(&o->spec, specs))
        return false;
    *out = (heddle_compile_options){
        .struct_size = sizeof *out,
        .stage = frontend_stage_value(in->stage),
        .entry = o->entry,
        .wave_size = o->wave_size,
        .abi = o->abi && strcmp(o->abi, "hsa") == 0 ? HEDDLE_ABI_HSA : HEDDLE_ABI_VULKAN,
        .optimization = level_of(o->level),
        .spec_constants = *specs,
        .n_spec_constants = o->spec.count,
        .debug = getenv("HEDDLE_DEBUG"),
        .file = in->path,
        .trace = print_trace,
        .bisect_limit = o->bisect_limit,
        .layout = layout_file_layout(in->layout),
        .pipeline = pipeline_file_pipeline(in->pipeline),
        /* the program itself made bindings of the registers */
        .one_type_a_binding = in->language == FRONTEND_HLSL,
    };
    return true;
}

heddle_context *
input_context(input_options *o, told *t)
{
    *t = (told){0};
    o->told = t;
    return cli_context_with(told_receive, t);
}

source
input_source(const input *in)
{
    bool is_text = in->language == FRONTEND_GLSL || in->language == FRONTEND_HLSL ||
                   in->kind == FRONTEND_HIR;
    return (source){.path = in->path,
                    .text = is_text ? (const char *)in->bytes : NULL,
                    .size = in->size,
                    .words = in->kind == FRONTEND_SPIRV ? in->words : NULL,
                    .n_words = in->n_words};
}

static heddle_result
run_compiler(heddle_context *context, const input *in, const heddle_compile_options *options,
             heddle_output **out)
{
    if (in->kind == FRONTEND_HIR)
        return heddle_compile_hir(context, (const char *)in->bytes, in->size, options, out);
    return heddle_compile(context, in->words, in->n_words, options, out);
}

/* Translates again, now with debug info, and compiles that, to find the line of an error. */
static void
find_line(heddle_context *context, const input *in, const heddle_compile_options *options)
{
    input again = *in;
    heddle_output *out;
    if (!run_frontend(in, WITH_LINES, in->language, &again.translated))
        return;
    again.words = again.translated.words;
    again.n_words = again.translated.n_words;
    if (again.translated.ok && run_compiler(context, &again, options, &out) == HEDDLE_OK)
        heddle_destroy_output(out);
    frontend_free(&again.translated);
}

heddle_result
input_compile(heddle_context *context, const input *in, const heddle_compile_options *options,
              heddle_output **out)
{
    told *t = in->options->told;
    bool is_text = in->language == FRONTEND_GLSL || in->language == FRONTEND_HLSL;
    const source from = input_source(in);
    told_begin(t, &from);
    heddle_result result = run_compiler(context, in, options, out);
    if (result != HEDDLE_OK && result != HEDDLE_ERROR_ARGUMENT && is_text && told_lacks_line(t))
        find_line(context, in, options);
    told_end(t);
    return result;
}
