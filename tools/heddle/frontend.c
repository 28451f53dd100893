<<<<<<< HEAD
/* SPIR-V from text, by shaderc and SPIRV-Tools. Each call makes its own compiler: the libraries'
 * objects are not shared, so calls on several threads are safe. */
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
=======
/* The frontend with shaderc and SPIRV-Tools. */
#include "frontend.h"

#include <shaderc/shaderc.h>
#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Target environments by name. A SPIR-V version belongs to the first Vulkan version that takes it.
 */
static const struct {
    const char *name;
    shaderc_env_version vulkan;
    shaderc_spirv_version spirv;
    spv_target_env tools;
} environments[] = {
    {"spv1.0", shaderc_env_version_vulkan_1_0, shaderc_spirv_version_1_0, SPV_ENV_UNIVERSAL_1_0},
    {"spv1.1", shaderc_env_version_vulkan_1_1, shaderc_spirv_version_1_1, SPV_ENV_UNIVERSAL_1_1},
    {"spv1.2", shaderc_env_version_vulkan_1_1, shaderc_spirv_version_1_2, SPV_ENV_UNIVERSAL_1_2},
    {"spv1.3", shaderc_env_version_vulkan_1_1, shaderc_spirv_version_1_3, SPV_ENV_UNIVERSAL_1_3},
    {"spv1.4", shaderc_env_version_vulkan_1_2, shaderc_spirv_version_1_4, SPV_ENV_UNIVERSAL_1_4},
    {"spv1.5", shaderc_env_version_vulkan_1_2, shaderc_spirv_version_1_5, SPV_ENV_UNIVERSAL_1_5},
    {"spv1.6", shaderc_env_version_vulkan_1_3, shaderc_spirv_version_1_6, SPV_ENV_UNIVERSAL_1_6},
    {"vulkan1.0", shaderc_env_version_vulkan_1_0, shaderc_spirv_version_1_0, SPV_ENV_VULKAN_1_0},
    {"vulkan1.1", shaderc_env_version_vulkan_1_1, shaderc_spirv_version_1_3, SPV_ENV_VULKAN_1_1},
    {"vulkan1.1spv1.4", shaderc_env_version_vulkan_1_1, shaderc_spirv_version_1_4,
     SPV_ENV_VULKAN_1_1_SPIRV_1_4},
    {"vulkan1.2", shaderc_env_version_vulkan_1_2, shaderc_spirv_version_1_5, SPV_ENV_VULKAN_1_2},
    {"vulkan1.3", shaderc_env_version_vulkan_1_3, shaderc_spirv_version_1_6, SPV_ENV_VULKAN_1_3},
};

/* Rows of the table that are tried where no environment is given. */
static const size_t default_environments[] = {0, 3, 4, 5, 6};

static const shaderc_shader_kind shader_kinds[] = {
    [FRONTEND_VERT] = shaderc_vertex_shader,
    [FRONTEND_FRAG] = shaderc_fragment_shader,
    [FRONTEND_GEOM] = shaderc_geometry_shader,
    [FRONTEND_TESC] = shaderc_tess_control_shader,
    [FRONTEND_TESE] = shaderc_tess_evaluation_shader,
    [FRONTEND_COMP] = shaderc_compute_shader,
    [FRONTEND_TASK] = shaderc_task_shader,
    [FRONTEND_MESH] = shaderc_mesh_shader,
    [FRONTEND_RGEN] = shaderc_raygen_shader,
    [FRONTEND_RAHIT] = shaderc_anyhit_shader,
    [FRONTEND_RCHIT] = shaderc_closesthit_shader,
    [FRONTEND_RMISS] = shaderc_miss_shader,
    [FRONTEND_RINT] = shaderc_intersection_shader,
    [FRONTEND_RCALL] = shaderc_callable_shader,
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void *
allocate(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p) {
        fputs("heddle: error: out of memory\n", stderr);
        exit(3);
    }
    return p;
}

static char *
copy_string(const char *text, size_t size)
{
    char *copy = allocate(size + 1);
    memcpy(copy, text, size);
    copy[size] = '\0';
>>>>>>> 7d4615e (wip3)
    return copy;
}

static frontend_result
<<<<<<< HEAD
failed(const char *message)
{
    return (frontend_result){.messages = copy_text(message, strlen(message))};
=======
fail(const char *message)
{
    return (frontend_result){.message = copy_string(message, strlen(message))};
}

static frontend_result
succeed(const void *words, size_t count)
{
    frontend_result r = {.ok = true, .word_count = count};
    r.words = allocate(count * 4);
    memcpy(r.words, words, count * 4);
    return r;
>>>>>>> 7d4615e (wip3)
}

void
frontend_free(frontend_result *result)
{
    free(result->words);
<<<<<<< HEAD
    free(result->messages);
    *result = (frontend_result){0};
}

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
    /* Ids keep their numbers, so that messages and the text agree. */
    spv_result_t status = spvTextToBinaryWithOptions(
        context, text, size, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary, &diagnostic);
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
=======
    free(result->message);
    *result = (frontend_result){0};
}

/* The message of a diagnostic, with its line where SPIRV-Tools knows one. */
static frontend_result
fail_tools(spv_diagnostic d)
{
    char text[1024];
    if (!d)
        return fail("invalid SPIR-V");
    if (d->isTextSource)
        snprintf(text, sizeof text, "%zu:%zu: %s", d->position.line + 1, d->position.column + 1,
                 d->error);
    else
        snprintf(text, sizeof text, "invalid SPIR-V: %s", d->error);
    spvDiagnosticDestroy(d);
    return fail(text);
}

static frontend_result
validate(const uint32_t *words, size_t count, spv_target_env env)
{
    spv_context context = spvContextCreate(env);
    spv_diagnostic d = NULL;
    spv_validator_options options = spvValidatorOptionsCreate();
    spv_const_binary_t binary = {words, count};
    spv_result_t status = spvValidateWithOptions(context, options, &binary, &d);
    frontend_result r = status == SPV_SUCCESS ? succeed(words, count) : fail_tools(d);
    if (status == SPV_SUCCESS)
        spvDiagnosticDestroy(d);
    spvValidatorOptionsDestroy(options);
    spvContextDestroy(context);
    return r;
}

static frontend_result
assemble(const frontend_source *s, size_t env)
{
    spv_context context = spvContextCreate(environments[env].tools);
    spv_binary binary = NULL;
    spv_diagnostic d = NULL;
    spv_result_t status = spvTextToBinary(context, s->text, s->size, &binary, &d);
    frontend_result r;
    if (status == SPV_SUCCESS) {
        spvDiagnosticDestroy(d);
        r = validate(binary->code, binary->wordCount, environments[env].tools);
    } else {
        r = fail_tools(d);
    }
>>>>>>> 7d4615e (wip3)
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
    return r;
}

<<<<<<< HEAD
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

/* An included file: shaderc's record, and what it points to behind it. */
typedef struct included {
    shaderc_include_result result;
    char *path, *text;
} included;

/* Reads `folder/name` (or `name` where the folder is empty) into `in`; false if it cannot. */
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
    /* shaderc's convention: no name, and the message as content. */
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
    return failed("not a text that SPIR-V can be made of\n");
}

#else

frontend_result
frontend_translate(frontend_kind kind, const char *text, size_t size, const char *name,
                   const frontend_options *options)
{
    (void)kind, (void)text, (void)size, (void)name, (void)options;
    return failed("this heddle was built without shaderc and SPIRV-Tools; give it SPIR-V\n");
}

#endif
=======
/* Numbers in hexadecimal between white space and commas. All below 256 are bytes of words in
 * little-endian order, otherwise each is a word. */
static uint32_t *
parse_hex(const frontend_source *s, size_t *count)
{
    uint32_t *numbers = allocate(s->size * sizeof *numbers);
    size_t n = 0;
    uint32_t all = 0;
    for (const char *p = s->text; *p;) {
        char *end;
        unsigned long v = strtoul(p, &end, 16);
        if (end == p) {
            p++;
            continue;
        }
        numbers[n++] = (uint32_t)v;
        all |= (uint32_t)v;
        p = end;
    }
    if (all < 256) {
        for (size_t i = 0; i + 3 < n; i += 4)
            numbers[i / 4] = numbers[i] | numbers[i + 1] << 8 | numbers[i + 2] << 16 |
                             numbers[i + 3] << 24;
        n /= 4;
    }
    *count = n;
    return numbers;
}

static frontend_result
take_words(const frontend_source *s, size_t env)
{
    size_t count = s->size / 4;
    uint32_t *words;
    if (s->language == FRONTEND_SPIRV_HEX) {
        words = parse_hex(s, &count);
    } else {
        words = allocate(s->size);
        memcpy(words, s->text, count * 4);
    }
    frontend_result r = validate(words, count, environments[env].tools);
    free(words);
    return r;
}

static char *
read_whole_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *data = NULL;
    size_t n = 0, cap = 0, got;
    if (!f)
        return NULL;
    do {
        cap = cap ? cap * 2 : 4096;
        char *grown = realloc(data, cap);
        if (!grown)
            break;
        data = grown;
        got = fread(data + n, 1, cap - n - 1, f);
        n += got;
    } while (got && n == cap - 1);
    fclose(f);
    if (data)
        data[n] = '\0';
    *size = n;
    return data;
}

static char *
join_path(const char *dir, size_t dir_size, const char *name)
{
    char *path = allocate(dir_size + strlen(name) + 2);
    memcpy(path, dir, dir_size);
    path[dir_size] = '/';
    strcpy(path + dir_size + (dir_size != 0), name);
    return path;
}

/* Finds an included file: among the virtual ones, beside the file that includes it, in the -I
 * folders. The name that it gets is the path. */
static char *
find_include(const frontend_source *s, const char *name, const char *from, char **path,
             size_t *size)
{
    for (size_t i = 0; i < s->file_count; i++) {
        if (strcmp(s->files[i].path, name) == 0) {
            *size = strlen(s->files[i].text);
            *path = copy_string(name, strlen(name));
            return copy_string(s->files[i].text, *size);
        }
    }
    const char *slash = strrchr(from, '/');
    *path = join_path(from, slash ? (size_t)(slash - from) : 0, name);
    char *text = read_whole_file(*path, size);
    for (size_t i = 0; i < s->include_count && !text; i++) {
        free(*path);
        *path = join_path(s->include_dirs[i], strlen(s->include_dirs[i]), name);
        text = read_whole_file(*path, size);
    }
    return text;
}

static shaderc_include_result *
resolve_include(void *user, const char *requested, int type, const char *requesting, size_t depth)
{
    shaderc_include_result *r = allocate(sizeof *r);
    char *path = NULL;
    size_t size = 0;
    (void)type;
    char *text = depth < 64 ? find_include(user, requested, requesting, &path, &size) : NULL;
    *r = (shaderc_include_result){.user_data = path};
    if (text) {
        r->source_name = path;
        r->source_name_length = strlen(path);
        r->content = text;
        r->content_length = size;
    } else {
        r->source_name = "";
        r->content = copy_string("no such file", 12);
        r->content_length = 12;
    }
    return r;
}

static void
release_include(void *user, shaderc_include_result *r)
{
    (void)user;
    free((char *)r->content);
    free(r->user_data);
    free(r);
}

static shaderc_compile_options_t
make_options(const frontend_source *s, size_t env)
{
    shaderc_compile_options_t o = shaderc_compile_options_initialize();
    shaderc_compile_options_set_target_env(o, shaderc_target_env_vulkan, environments[env].vulkan);
    shaderc_compile_options_set_target_spirv(o, environments[env].spirv);
    shaderc_compile_options_set_optimization_level(o, shaderc_optimization_level_zero);
    shaderc_compile_options_set_include_callbacks(o, resolve_include, release_include, (void *)s);
    if (s->language == FRONTEND_HLSL)
        shaderc_compile_options_set_source_language(o, shaderc_source_language_hlsl);
    for (size_t i = 0; i < s->define_count; i++) {
        const char *define = s->defines[i], *equals = strchr(define, '=');
        size_t len = equals ? (size_t)(equals - define) : strlen(define);
        shaderc_compile_options_add_macro_definition(o, define, len, equals ? equals + 1 : "",
                                                     equals ? strlen(equals + 1) : 0);
    }
    return o;
}

static frontend_result
compile(const frontend_source *s, size_t env)
{
    shaderc_compiler_t compiler = shaderc_compiler_initialize();
    shaderc_compile_options_t options = make_options(s, env);
    shaderc_compilation_result_t out = shaderc_compile_into_spv(
        compiler, s->text, s->size, shader_kinds[s->stage], s->name, s->entry ? s->entry : "main",
        options);
    frontend_result r;
    if (shaderc_result_get_compilation_status(out) == shaderc_compilation_status_success)
        r = succeed(shaderc_result_get_bytes(out), shaderc_result_get_length(out) / 4);
    else
        r = fail(shaderc_result_get_error_message(out));
    shaderc_result_release(out);
    shaderc_compile_options_release(options);
    shaderc_compiler_release(compiler);
    return r;
}

static frontend_result
compile_for(const frontend_source *s, size_t env)
{
    switch (s->language) {
    case FRONTEND_SPIRV_ASM: return assemble(s, env);
    case FRONTEND_SPIRV_HEX:
    case FRONTEND_SPIRV: return take_words(s, env);
    default: return compile(s, env);
    }
}

/* Tries the versions upwards; the message is that of the first try. */
static frontend_result
compile_for_any(const frontend_source *s)
{
    frontend_result first = compile_for(s, default_environments[0]);
    for (size_t i = 1; i < COUNT(default_environments) && !first.ok; i++) {
        frontend_result r = compile_for(s, default_environments[i]);
        if (r.ok) {
            frontend_free(&first);
            return r;
        }
        frontend_free(&r);
    }
    return first;
}

frontend_result
frontend_compile(const frontend_source *source)
{
    if (!source->target_env)
        return compile_for_any(source);
    for (size_t i = 0; i < COUNT(environments); i++)
        if (strcmp(environments[i].name, source->target_env) == 0)
            return compile_for(source, i);
    char text[128];
    snprintf(text, sizeof text, "unknown target environment '%.60s'", source->target_env);
    return fail(text);
}
>>>>>>> 7d4615e (wip3)
