/* Translates GLSL and HLSL to SPIR-V with shaderc. Each call makes its own compiler, so calls on
 * several threads are safe. */
#include "frontend_glsl.h"
#include "guard.h"
#include "hlsl_correct.h"

#if HEDDLE_HAS_FRONTEND

#include <shaderc/shaderc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* What is translated. */
typedef struct source {
    frontend_kind kind;
    const char *text, *name;
    size_t size;
    const frontend_options *options;
} source;

/* ---- included files ---- */

/* An included file: shaderc's record, followed by the data that it points to. */
typedef struct included {
    shaderc_include_result result;
    char *path, *text;
} included;

/* The user data of shaderc's callbacks. */
typedef struct includer {
    const frontend_options *options;
    frontend_result *result; /* gets the paths of the files */
} includer;

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

/* Tries the including file's folder, then those of -I. */
static bool
find_include(const frontend_options *o, included *in, const char *name, bool relative,
             const char *from)
{
    const char *slash = strrchr(from, '/');
    if (relative && try_include(in, from, slash ? (size_t)(slash - from) : 0, name))
        return true;
    for (size_t i = 0; o->include && i < o->include->count; i++) {
        if (try_include(in, o->include->items[i], strlen(o->include->items[i]), name))
            return true;
    }
    return false;
}

static void
note_include(frontend_result *r, const char *path)
{
    for (size_t i = 0; i < r->includes.count; i++) {
        if (strcmp(r->includes.items[i], path) == 0)
            return;
    }
    char *copy = frontend_copy_text(path, strlen(path));
    if (copy)
        cli_list_add(&r->includes, copy);
}

static shaderc_include_result *
resolve_include(void *user, const char *name, int type, const char *from, size_t depth)
{
    const includer *i = user;
    included *in = calloc(1, sizeof *in);
    if (!in)
        return NULL;
    if (depth < 100 &&
        find_include(i->options, in, name, type == shaderc_include_type_relative, from)) {
        note_include(i->result, in->path);
        return &in->result;
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

/* ---- options ---- */

/* HLSL's RW buffers become the decoration BufferBlock, which SPIR-V has up to 1.3. */
static const char *
default_environment(frontend_kind kind)
{
    return kind == FRONTEND_HLSL ? "vulkan1.1" : "vulkan1.3";
}

static bool
set_environment(shaderc_compile_options_t s, const char *name)
{
    for (size_t i = 0; i < sizeof environments / sizeof environments[0]; i++) {
        if (strcmp(environments[i].name, name) == 0) {
            shaderc_compile_options_set_target_env(s, shaderc_target_env_vulkan,
                                                   environments[i].version);
            shaderc_compile_options_set_target_spirv(s, environments[i].spirv);
            return true;
        }
    }
    return false;
}

/* Sets the first binding of each kind of HLSL's registers. */
static void
set_registers(shaderc_compile_options_t s, const frontend_registers *r)
{
    shaderc_compile_options_set_binding_base(s, shaderc_uniform_kind_buffer, r->b);
    shaderc_compile_options_set_binding_base(s, shaderc_uniform_kind_texture, r->t);
    shaderc_compile_options_set_binding_base(s, shaderc_uniform_kind_unordered_access_view, r->u);
    shaderc_compile_options_set_binding_base(s, shaderc_uniform_kind_image, r->u);
    shaderc_compile_options_set_binding_base(s, shaderc_uniform_kind_sampler, r->s);
}

/* Defines NAME=VALUE; a name alone is 1. A later -U removes the macro. */
static void
set_macros(shaderc_compile_options_t s, const frontend_options *o)
{
    for (size_t i = 0; o->define && i < o->define->count; i++) {
        const char *text = o->define->items[i], *equals = strchr(text, '=');
        size_t len = equals ? (size_t)(equals - text) : strlen(text);
        const char *value = equals ? equals + 1 : "1";
        bool undefined = false;
        for (size_t u = 0; o->undefine && u < o->undefine->count; u++)
            undefined |= strlen(o->undefine->items[u]) == len &&
                         memcmp(o->undefine->items[u], text, len) == 0;
        if (!undefined)
            shaderc_compile_options_add_macro_definition(s, text, len, value, strlen(value));
    }
}

static void
set_options(shaderc_compile_options_t s, const source *from, includer *user)
{
    const frontend_options *o = from->options;
    if (from->kind == FRONTEND_HLSL) {
        shaderc_compile_options_set_source_language(s, shaderc_source_language_hlsl);
        shaderc_compile_options_set_hlsl_io_mapping(s, true);
        shaderc_compile_options_set_hlsl_functionality1(s, true);
        if (o->registers)
            set_registers(s, o->registers);
    }
    shaderc_compile_options_set_auto_bind_uniforms(s, o->auto_map);
    shaderc_compile_options_set_auto_map_locations(s, o->auto_map);
    shaderc_compile_options_set_optimization_level(
        s, o->optimize ? shaderc_optimization_level_performance : shaderc_optimization_level_zero);
    if (o->line_info)
        shaderc_compile_options_set_generate_debug_info(s);
    shaderc_compile_options_set_include_callbacks(s, resolve_include, release_include, user);
    set_macros(s, o);
}

/* ---- what shaderc does not say ---- */

/* The text behind white space and comments. */
static const char *
skip_blank(const char *c, const char *end)
{
    while (c < end) {
        if (end - c >= 2 && c[0] == '/' && c[1] == '/') {
            while (c < end && *c != '\n')
                c++;
        } else if (end - c >= 2 && c[0] == '/' && c[1] == '*') {
            for (c += 2; c < end && !(end - c >= 2 && c[0] == '*' && c[1] == '/');)
                c++;
            c = end - c >= 2 ? c + 2 : end;
        } else if (*c == ' ' || (*c >= '\t' && *c <= '\r')) {
            c++;
        } else {
            break;
        }
    }
    return c;
}

/* The number in the #version line, which only comments may precede; 0: there is none. */
static unsigned
stated_version(const char *text, size_t size, bool *es)
{
    const char *end = text + size, *c = skip_blank(text, end);
    unsigned version = 0;
    if (c < end && *c == '#')
        c = skip_blank(c + 1, end);
    else
        return 0;
    if (end - c < 7 || memcmp(c, "version", 7) != 0)
        return 0;
    for (c = skip_blank(c + 7, end); c < end && *c >= '0' && *c <= '9' && version < 100000; c++)
        version = version * 10 + (unsigned)(*c - '0');
    c = skip_blank(c, end);
    *es = end - c >= 2 && c[0] == 'e' && c[1] == 's';
    return version;
}

/* For versions without Vulkan, and for files without a version, glslang prints its built-in
 * functions to standard output: these are refused before it sees them. Returns NULL, or why. */
static const char *
why_not_version(const char *text, size_t size)
{
    bool es = false;
    unsigned version = stated_version(text, size, &es);
    if (!version)
        return "there is no #version line: GLSL for Vulkan begins with '#version 450', or give "
               "-std=450";
    if (version < (es ? 310u : 140u))
        return "Vulkan has GLSL from '#version 140' and '#version 310 es' on";
    return NULL;
}

/* Reads "450", "450core" or "310es". */
static bool
parse_std(const char *std, int *version, shaderc_profile *profile)
{
    static const struct {
        const char *name;
        shaderc_profile profile;
    } profiles[] = {{"", shaderc_profile_none},
                    {"core", shaderc_profile_core},
                    {"compatibility", shaderc_profile_compatibility},
                    {"es", shaderc_profile_es}};
    char *end;
    long value = strtol(std, &end, 10);
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
        if (strcmp(profiles[i].name, end) == 0 && value >= 100 && value < 1000) {
            *version = (int)value;
            *profile = profiles[i].profile;
            return true;
        }
    }
    return false;
}

static bool
has_stage_pragma(const char *text)
{
    const char *pragma = strstr(text, "#pragma");
    while (pragma && strncmp(skip_blank(pragma + 7, pragma + strlen(pragma)), "shader_stage", 12))
        pragma = strstr(pragma + 7, "#pragma");
    return pragma != NULL;
}

/* Returns the stage's name; NULL if shaderc is to find it in the text. */
static const char *
stated_stage(const source *from)
{
    return from->options->stage ? from->options->stage : frontend_stage_of_path(from->name);
}

/* Returns false, with the message in `r`, if shaderc would fail without a message. */
static bool
can_start(const source *from, frontend_result *r)
{
    const char *why = NULL;
    if (from->kind == FRONTEND_GLSL && !from->options->std)
        why = why_not_version(from->text, from->size);
    if (why) {
        frontend_say(r, from->name, "GLSL_VERSION", why);
        return false;
    }
    if (stated_stage(from) || (from->kind == FRONTEND_GLSL && has_stage_pragma(from->text)))
        return true;
    frontend_say(r, from->name, "NO_STAGE",
                 from->kind == FRONTEND_GLSL
                     ? "the stage is not known: give --stage compute (vertex, fragment ...), name "
                       "the file x.comp, or write #pragma shader_stage(compute) in it"
                     : "the stage is not known: give --stage compute (vertex, fragment ...), or "
                       "name the file x.comp.hlsl");
    return false;
}

/* ---- translation ---- */

static shaderc_shader_kind
shader_kind(const source *from)
{
    const char *stage = stated_stage(from);
    for (size_t i = 0; stage && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, stage) == 0)
            return kinds[i].kind;
    }
    return shaderc_glsl_infer_from_source;
}

/* Takes shaderc's messages over. */
static void
take_messages(const source *from, frontend_result *r, const char *messages)
{
    const char *error_name = from->kind == FRONTEND_HLSL ? "HLSL" : "GLSL";
    if (strstr(messages, "BufferBlock(3) requires"))
        frontend_say(r, from->name, error_name,
                     "HLSL's RW buffers need SPIR-V 1.3: leave --target-env out, or give "
                     "--target-env vulkan1.1");
    else if (*messages)
        frontend_say_all(r, error_name, messages);
    if (r->ok || (r->messages && strstr(r->messages, "error: ")))
        return;
    frontend_say(r, from->name, error_name,
                 strstr(messages, "Entry point not found")
                     ? "there is no such entry point: it is called main, or as --entry says"
                     : "shaderc fails and gives no reason");
}

static void
run_shaderc(shaderc_compiler_t compiler, shaderc_compile_options_t s, const source *from,
            frontend_result *r)
{
    const char *entry = from->options->entry ? from->options->entry : "main";
    shaderc_compilation_result_t done =
        from->options->preprocess
            ? shaderc_compile_into_preprocessed_text(compiler, from->text, from->size,
                                                     shader_kind(from), from->name, entry, s)
            : shaderc_compile_into_spv(compiler, from->text, from->size, shader_kind(from),
                                       from->name, entry, s);
    if (done && shaderc_result_get_compilation_status(done) == shaderc_compilation_status_success)
        frontend_take(r, shaderc_result_get_bytes(done), shaderc_result_get_length(done));
    take_messages(from, r, done ? shaderc_result_get_error_message(done) : "");
    if (done)
        shaderc_result_release(done);
}

/* Sets all options. Returns false, with the message in `r`, if one is wrong. */
static bool
prepare(shaderc_compile_options_t s, const source *from, includer *user, frontend_result *r)
{
    const frontend_options *o = from->options;
    int version;
    shaderc_profile profile;
    if (!set_environment(s, o->target_env ? o->target_env : default_environment(from->kind))) {
        frontend_say(r, from->name, "TARGET_ENV",
                     "--target-env is vulkan1.0 to vulkan1.3, or spv1.0 to spv1.6");
        return false;
    }
    if (o->std && from->kind == FRONTEND_GLSL) {
        if (!parse_std(o->std, &version, &profile)) {
            frontend_say(r, from->name, "GLSL_VERSION",
                         "-std takes a version and a profile: 450, 310es");
            return false;
        }
        shaderc_compile_options_set_forced_version_profile(s, version, profile);
    }
    set_options(s, from, user);
    return true;
}

/* Finds names in the preprocessed text and corrects the module by them. */
static void
correct(shaderc_compiler_t compiler, shaderc_compile_options_t s, const source *from,
        frontend_result *r)
{
    hlsl_names names = {0};
    shaderc_compilation_result_t done = shaderc_compile_into_preprocessed_text(
        compiler, from->text, from->size, shader_kind(from), from->name, "main", s);
    bool ok = done &&
              shaderc_result_get_compilation_status(done) == shaderc_compilation_status_success &&
              hlsl_find_names(shaderc_result_get_bytes(done), shaderc_result_get_length(done),
                              &names);
    if (ok)
        hlsl_correct(r, &names);
    const char *why = names.has_loose_push
                          ? "[[vk::push_constant]] is for ConstantBuffer<T> or cbuffer: glslang "
                            "makes other globals part of a constant buffer"
                          : "the declarations cannot be read";
    if (!ok || !r->ok || names.has_loose_push) {
        r->ok = false;
        frontend_say(r, from->name, "HLSL", why);
    }
    hlsl_free_names(&names);
    if (done)
        shaderc_result_release(done);
}

/* Translates a `source`. */
static frontend_result
translate(const void *arg)
{
    const source *from = arg;
    frontend_result r = {0};
    includer user = {from->options, &r};
    shaderc_compiler_t compiler = shaderc_compiler_initialize();
    shaderc_compile_options_t s = shaderc_compile_options_initialize();
    if (!compiler || !s)
        frontend_say(&r, from->name, "GLSL", "shaderc does not start");
    else if (prepare(s, from, &user, &r))
        run_shaderc(compiler, s, from, &r);
    if (r.ok && from->kind == FRONTEND_HLSL && !from->options->preprocess)
        correct(compiler, s, from, &r);
    if (s)
        shaderc_compile_options_release(s);
    if (compiler)
        shaderc_compiler_release(compiler);
    return r;
}

/* glslang's HLSL front end runs in a process of its own, as it crashes on some functions. */
static frontend_result
translate_guarded(const source *from)
{
    static const char why[] =
        ": error: shaderc's HLSL front end crashes on this shader; what it does "
        "not read is in docs/hlsl.md [HLSL]\n";
    size_t room = strlen(from->name) + sizeof why;
    char *message = malloc(room);
    if (message)
        snprintf(message, room, "%s%s", from->name, why);
    frontend_result r = guard_run(translate, from, message ? message : why);
    free(message);
    return r;
}

/* dxc does not tell which files it includes: shaderc's preprocessor finds them. */
static frontend_result
translate_by_dxc(const source *from)
{
    frontend_options preprocess = *from->options;
    preprocess.preprocess = true;
    source again = *from;
    again.options = &preprocess;
    frontend_result r = frontend_run_dxc(from->text, from->size, from->name, stated_stage(from),
                                         from->options);
    if (r.ok && strstr(from->text, "#include")) {
        frontend_result files = translate_guarded(&again);
        r.includes = files.includes;
        files.includes = (cli_list){0};
        frontend_free(&files);
    }
    return r;
}

frontend_result
frontend_compile_source(frontend_kind kind, const char *text, size_t size, const char *name,
                        const frontend_options *options)
{
    const source from = {kind, text, name, size, options};
    frontend_result r = {0};
    if (!can_start(&from, &r))
        return r;
    if (kind != FRONTEND_HLSL)
        return translate(&from);
    return options->dxc && !options->preprocess ? translate_by_dxc(&from)
                                                : translate_guarded(&from);
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

#endif
