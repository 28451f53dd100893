/* Inputs of compile and stats. */
#include "input.h"

#include "data_spec.h"

#include "base/fp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
translate(input *in, const input_options *o)
{
    const frontend_options f = {.stage = in->stage,
                                .entry = o->entry,
                                .target_env = o->target_env,
                                .include = &o->include,
                                .define = &o->define,
                                .line_info = o->line_info,
                                .auto_map = true};
    in->translated = frontend_translate(in->kind, (const char *)in->bytes, in->size, in->path, &f);
    if (in->translated.messages)
        fputs(in->translated.messages, stderr);
    if (!in->translated.ok)
        return CLI_FAILED;
    in->words = in->translated.words;
    in->n_words = in->translated.n_words;
    in->kind = FRONTEND_SPIRV;
    return -1;
}

int
input_load(input *in, const char *path, const input_options *o)
{
    *in = (input){.path = path};
    if (!cli_read_file(path, &in->bytes, &in->size))
        return CLI_FAILED;
    in->kind = frontend_detect(path, in->bytes, in->size);
    in->stage = o->stage ? o->stage : frontend_stage_of_path(path);
    switch (in->kind) {
    case FRONTEND_SPIRV:
        in->words = (const uint32_t *)(const void *)in->bytes;
        in->n_words = in->size / 4;
        if (in->size % 4 == 0)
            return -1;
        fprintf(stderr, "%s: error: the size is not a multiple of 4 bytes\n", path);
        return CLI_FAILED;
    case FRONTEND_GLSL:
    case FRONTEND_HLSL:
    case FRONTEND_SPIRV_ASM: return translate(in, o);
    case FRONTEND_HIR:
    case FRONTEND_ELF: return -1;
    default:
        fprintf(stderr, "%s: error: neither the contents nor the extension tell what this is\n",
                path);
        return CLI_FAILED;
    }
}

void
input_free(input *in)
{
    frontend_free(&in->translated);
    free(in->bytes);
    in->bytes = NULL;
}

/* Parses a value: "3", "-3", "0x3" give an integer; "1.5", "1e3" a float's bits; "1.5d" a double's,
 * "1.5h" a half float's; also "true" and "false". */
static bool
parse_value(const char *text, uint64_t *value)
{
    data_number n;
    const char *message;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *value = *text == 't';
        return true;
    }
    if (!data_number_parse(&text, &n, &message) || *text)
        return false;
    if (n.is_float)
        *value = base_fp_encode(n.real, n.suffix < 0 ? 32 : data_type_size(n.suffix) * 8,
                                BASE_ROUND_EVEN);
    else
        *value = n.is_negative ? 0 - n.magnitude : n.magnitude;
    return true;
}

static bool
parse_specs(const cli_list *list, heddle_spec_constant **out)
{
    *out = calloc(list->count + 1, sizeof **out);
    for (size_t i = 0; *out && i < list->count; i++) {
        char *end;
        const char *text = list->items[i];
        (*out)[i].id = (uint32_t)strtoul(text, &end, 0);
        if (end == text || *end != '=' || !parse_value(end + 1, &(*out)[i].value)) {
            cli_usage_error("--spec %s: not ID=VALUE", text);
            return false;
        }
    }
    return *out != NULL;
}

static heddle_stage
stage_by_name(const char *name)
{
    static const char *const names[] = {"vert", "tesc", "tese", "geom",
                                        "frag", "comp", "task", "mesh"};
    for (int i = 0; name && i < 8; i++) {
        if (strcmp(names[i], name) == 0)
            return (heddle_stage)(HEDDLE_STAGE_VERTEX + i);
    }
    return HEDDLE_STAGE_DEFAULT;
}

/* Texts requested by HEDDLE_DEBUG=print=... go to stderr, separate from the output. */
static void
print_trace(void *user, const char *phase, const char *text, size_t size)
{
    (void)user;
    fprintf(stderr, "// after %s\n%.*s\n", phase, (int)size, text);
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
        .stage = stage_by_name(in->stage),
        .entry = o->entry,
        .wave_size = o->wave_size,
        .abi = o->abi && strcmp(o->abi, "hsa") == 0 ? HEDDLE_ABI_HSA : HEDDLE_ABI_VULKAN,
        .optimization = o->level ? (heddle_optimization)(HEDDLE_OPTIMIZE_NONE + (*o->level - '0'))
                                 : HEDDLE_OPTIMIZE_DEFAULT,
        .spec_constants = *specs,
        .n_spec_constants = o->spec.count,
        .debug = getenv("HEDDLE_DEBUG"),
        .file = in->path,
        .trace = print_trace,
        .bisect_limit = o->bisect_limit,
    };
    return true;
}

heddle_result
input_compile(heddle_context *context, const input *in, const heddle_compile_options *options,
              heddle_output **out)
{
    if (in->kind == FRONTEND_HIR)
        return heddle_compile_hir(context, (const char *)in->bytes, in->size, options, out);
    return heddle_compile(context, in->words, in->n_words, options, out);
}
