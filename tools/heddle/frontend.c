/* Translates text to SPIR-V with shaderc and SPIRV-Tools. Each call makes its own compiler: the
 * libraries' objects are not shared, so calls on several threads are safe. */
#include "frontend.h"

#include <stdlib.h>
#include <string.h>

static char *
copy_text(const char *text, size_t len)
{
    char *copy = malloc(len + 1);
    if (copy) {
        memcpy(copy, text, len);
        copy[len] = '\0';
    }
    return copy;
}

static frontend_result
failed(const char *message)
{
    return (frontend_result){.messages = copy_text(message, strlen(message))};
}

void
frontend_free(frontend_result *result)
{
    free(result->words);
    free(result->messages);
    *result = (frontend_result){0};
}

#if !HEDDLE_HAS_OPTIMIZER

bool
frontend_has_optimizer(void)
{
    return false;
}

void
frontend_optimize(frontend_result *result, const char *environment, const char *const *flags,
                  size_t n_flags)
{
    (void)environment, (void)flags, (void)n_flags;
    frontend_free(result);
    *result = failed("this heddle was built without SPIRV-Tools' optimizer\n");
}

#endif

#if HEDDLE_HAS_FRONTEND

#include <shaderc/shaderc.h>
#include <spirv-tools/libspirv.h>
#include <stdio.h>

/* Copies the words out of a library's buffer. */
static void
take_words(frontend_result *r, const void *bytes, size_t size)
{
    r->words = malloc(size ? size : 1);
    r->ok = r->words != NULL;
    r->n_words = size / 4;
    if (r->ok)
        memcpy(r->words, bytes, size);
}

/* ---- SPIR-V assembly ---- */

static frontend_result
assemble(const char *text, size_t size, const char *name, const frontend_options *o)
{
    frontend_result r = {0};
    spv_target_env env;
    const char *wanted = o->target_env ? o->target_env : "vulkan1.3";
    if (!spvParseTargetEnv(wanted, &env))
        return failed("unknown target environment");
    spv_context context = spvContextCreate(env);
    spv_binary binary = NULL;
    spv_diagnostic diagnostic = NULL;
    /* Ids keep their numbers by default, so that messages agree with the text. */
    spv_result_t status = spvTextToBinaryWithOptions(
        context, text, size,
        o->renumber ? SPV_TEXT_TO_BINARY_OPTION_NONE
                    : SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS,
        &binary, &diagnostic);
    if (status == SPV_SUCCESS) {
        take_words(&r, binary->code, binary->wordCount * 4);
    } else {
        size_t room = strlen(name) + (diagnostic ? strlen(diagnostic->error) : 0) + 64;
        r.messages = malloc(room);
        if (r.messages && diagnostic)
            snprintf(r.messages, room, "%s:%zu:%zu: error: %s\n", name,
                     diagnostic->position.line + 1, diagnostic->position.column + 1,
                     diagnostic->error);
        else if (r.messages)
            snprintf(r.messages, room, "%s: error: cannot be assembled\n", name);
    }
    spvDiagnosticDestroy(diagnostic);
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
    return r;
}

void
frontend_validate(frontend_result *result, const char *environment)
{
    spv_target_env env;
    spv_diagnostic diagnostic = NULL;
    if (!result->ok || !spvParseTargetEnv(environment, &env))
        return;
    spv_context context = spvContextCreate(env);
    spv_const_binary_t binary = {result->words, result->n_words};
    if (spvValidate(context, &binary, &diagnostic) != SPV_SUCCESS) {
        frontend_free(result);
        *result = failed(diagnostic ? diagnostic->error : "invalid SPIR-V");
    }
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
}

#if HEDDLE_HAS_OPTIMIZER

#include "optimize.h"

bool
frontend_has_optimizer(void)
{
    return true;
}

void
frontend_optimize(frontend_result *result, const char *environment, const char *const *flags,
                  size_t n_flags)
{
    spv_target_env env;
    if (!result->ok || !spvParseTargetEnv(environment, &env))
        return;
    optimize_result r = optimize_spirv(result->words, result->n_words, (int)env, flags, n_flags);
    frontend_free(result);
    if (!r.ok) {
        *result = failed(r.message);
        return;
    }
    *result = (frontend_result){.ok = true, .words = r.words, .n_words = r.n_words};
    frontend_validate(result, environment);
}

#endif

/* ---- GLSL and HLSL ---- */

static const struct {
    const char *name;
    shaderc_shader_kind kind;
} kinds[] = {
    {"comp", shaderc_compute_shader},      {"vert", shaderc_vertex_shader},
    {"frag", shaderc_fragment_shader},     {"geom", shaderc_geometry_shader},
    {"tesc", shaderc_tess_control_shader}, {"tese", shaderc_tess_evaluation_shader},
    {"task", shaderc_task_shader},         {"mesh", shaderc_mesh_shader},
};

static const struct {
    const char *name;
    shaderc_env_version version;
    shaderc_spirv_version spirv;
} environments[] = {
    {"vulkan1.0", shaderc_env_version_vulkan_1_0, shaderc_spirv_version_1_0},
    {"vulkan1.1", shaderc_env_version_vulkan_1_1, shaderc_spirv_version_1_3},
    {"vulkan1.1spv1.4", shaderc_env_version_vulkan_1_1, shaderc_spirv_version_1_4},
    {"vulkan1.2", shaderc_env_version_vulkan_1_2, shaderc_spirv_version_1_5},
    {"vulkan1.3", shaderc_env_version_vulkan_1_3, shaderc_spirv_version_1_6},
    {"spv1.0", shaderc_env_version_vulkan_1_0, shaderc_spirv_version_1_0},
    {"spv1.1", shaderc_env_version_vulkan_1_1, shaderc_spirv_version_1_1},
    {"spv1.2", shaderc_env_version_vulkan_1_1, shaderc_spirv_version_1_2},
    {"spv1.3", shaderc_env_version_vulkan_1_1, shaderc_spirv_version_1_3},
    {"spv1.4", shaderc_env_version_vulkan_1_1, shaderc_spirv_version_1_4},
    {"spv1.5", shaderc_env_version_vulkan_1_2, shaderc_spirv_version_1_5},
    {"spv1.6", shaderc_env_version_vulkan_1_3, shaderc_spirv_version_1_6},
};

/* An included file: shaderc's record, followed by the data that it points to. */
typedef struct included {
    shaderc_include_result result;
    char *path, *text;
} included;

/* Reads `folder/name` (or `name` if the folder is empty) into `in`. Returns false on failure. */
static bool
try_include(included *in, const char *folder, size_t folder_len, const char *name)
{
    size_t room = folder_len + strlen(name) + 2;
    uint8_t *text;
    in->path = malloc(room);
    if (!in->path)
        return false;
    snprintf(in->path, room, "%.*s%s%s", (int)folder_len, folder, folder_len ? "/" : "", name);
    if (!cli_read_file_quietly(in->path, &text, &in->result.content_length)) {
        free(in->path);
        in->path = NULL;
        return false;
    }
    in->text = (char *)text;
    in->result.content = in->text;
    in->result.source_name = in->path;
    in->result.source_name_length = strlen(in->path);
    return true;
}

static shaderc_include_result *
resolve_include(void *user, const char *name, int type, const char *from, size_t depth)
{
    const frontend_options *o = user;
    const char *slash = strrchr(from, '/');
    included *in = calloc(1, sizeof *in);
    if (!in)
        return NULL;
    if (depth < 100) {
        if (type == shaderc_include_type_relative &&
            try_include(in, from, slash ? (size_t)(slash - from) : 0, name))
            return &in->result;
        for (size_t i = 0; o->include && i < o->include->count; i++) {
            if (try_include(in, o->include->items[i], strlen(o->include->items[i]), name))
                return &in->result;
        }
    }
    /* shaderc's convention for an error: no name, and the message as content. */
    in->result.source_name = "";
    in->result.content = "cannot be read, in the file's folder or those of -I";
    in->result.content_length = strlen(in->result.content);
    return &in->result;
}

static void
release_include(void *user, shaderc_include_result *result)
{
    included *in = (included *)result;
    (void)user;
    if (in) {
        free(in->path);
        free(in->text);
    }
    free(in);
}

static bool
set_environment(shaderc_compile_options_t s, const char *name)
{
    for (size_t i = 0; i < sizeof environments / sizeof environments[0]; i++) {
        if (strcmp(environments[i].name, name ? name : "vulkan1.3") == 0) {
            shaderc_compile_options_set_target_env(s, shaderc_target_env_vulkan,
                                                   environments[i].version);
            shaderc_compile_options_set_target_spirv(s, environments[i].spirv);
            return true;
        }
    }
    return false;
}

static void
set_options(shaderc_compile_options_t s, frontend_kind kind, const frontend_options *o)
{
    if (kind == FRONTEND_HLSL) {
        shaderc_compile_options_set_source_language(s, shaderc_source_language_hlsl);
        shaderc_compile_options_set_hlsl_io_mapping(s, true);
        shaderc_compile_options_set_hlsl_functionality1(s, true);
    }
    shaderc_compile_options_set_auto_bind_uniforms(s, o->auto_map);
    shaderc_compile_options_set_auto_map_locations(s, o->auto_map);
    shaderc_compile_options_set_optimization_level(
        s, o->optimize ? shaderc_optimization_level_performance : shaderc_optimization_level_zero);
    if (o->line_info)
        shaderc_compile_options_set_generate_debug_info(s);
    shaderc_compile_options_set_include_callbacks(s, resolve_include, release_include, (void *)o);
    for (size_t i = 0; o->define && i < o->define->count; i++) {
        const char *text = o->define->items[i], *equals = strchr(text, '=');
        size_t len = equals ? (size_t)(equals - text) : strlen(text);
        const char *value = equals ? equals + 1 : "1";
        shaderc_compile_options_add_macro_definition(s, text, len, value, strlen(value));
    }
}

static shaderc_shader_kind
shader_kind(const char *name, const frontend_options *o)
{
    const char *stage = o->stage ? o->stage : frontend_stage_of_path(name);
    for (size_t i = 0; stage && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, stage) == 0)
            return kinds[i].kind;
    }
    return shaderc_glsl_infer_from_source;
}

static frontend_result
compile(frontend_kind kind, const char *text, size_t size, const char *name,
        const frontend_options *o)
{
    frontend_result r = {0};
    shaderc_compiler_t compiler = shaderc_compiler_initialize();
    shaderc_compile_options_t s = shaderc_compile_options_initialize();
    shaderc_compilation_result_t result = NULL;
    if (!compiler || !s || !set_environment(s, o->target_env)) {
        r = failed(compiler && s ? "unknown target environment" : "shaderc does not start");
    } else {
        set_options(s, kind, o);
        result = shaderc_compile_into_spv(compiler, text, size, shader_kind(name, o), name,
                                          o->entry ? o->entry : "main", s);
        const char *messages = shaderc_result_get_error_message(result);
        if (messages && *messages)
            r.messages = copy_text(messages, strlen(messages));
        if (shaderc_result_get_compilation_status(result) == shaderc_compilation_status_success)
            take_words(&r, shaderc_result_get_bytes(result), shaderc_result_get_length(result));
    }
    if (result)
        shaderc_result_release(result);
    if (s)
        shaderc_compile_options_release(s);
    if (compiler)
        shaderc_compiler_release(compiler);
    return r;
}

frontend_result
frontend_translate(frontend_kind kind, const char *text, size_t size, const char *name,
                   const frontend_options *options)
{
    if (kind == FRONTEND_SPIRV_ASM)
        return assemble(text, size, name, options);
    if (kind == FRONTEND_GLSL || kind == FRONTEND_HLSL)
        return compile(kind, text, size, name, options);
    return failed("this text cannot be translated to SPIR-V\n");
}

/* Each compiler holds a reference to glslang's process-wide tables; the last one frees them. */
frontend_hold *
frontend_acquire(void)
{
    return (frontend_hold *)shaderc_compiler_initialize();
}

void
frontend_release(frontend_hold *hold)
{
    if (hold)
        shaderc_compiler_release((shaderc_compiler_t)hold);
}

#else

frontend_hold *
frontend_acquire(void)
{
    return NULL;
}

void
frontend_release(frontend_hold *hold)
{
    (void)hold;
}

void
frontend_validate(frontend_result *result, const char *environment)
{
    (void)result, (void)environment;
}

frontend_result
frontend_translate(frontend_kind kind, const char *text, size_t size, const char *name,
                   const frontend_options *options)
{
    (void)kind, (void)text, (void)size, (void)name, (void)options;
    return failed("this heddle was built without shaderc and SPIRV-Tools; give it SPIR-V\n");
}

#endif
