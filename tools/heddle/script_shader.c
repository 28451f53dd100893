/* Translates the shaders of scripts to SPIR-V: languages, target environments, validation. */
#include "script_shader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const default_environments[] = {"spv1.0", "spv1.3", "spv1.4", "spv1.5",
                                                   "spv1.6"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static frontend_result
fail(const char *message)
{
    size_t size = strlen(message) + 1;
    frontend_result r = {.messages = malloc(size)};
    if (r.messages)
        memcpy(r.messages, message, size);
    return r;
}

/* Reads hexadecimal numbers separated by white space and commas. If all are below 256, they are the
 * bytes of little-endian words, otherwise each is a word. */
static frontend_result
read_hex(const amber_shader *s)
{
    frontend_result r = {.words = malloc((s->size + 1) * sizeof *r.words)};
    uint32_t all = 0;
    if (!r.words)
        return fail("out of memory");
    for (const char *p = s->text; *p;) {
        char *end;
        uint32_t v = (uint32_t)strtoul(p, &end, 16);
        if (end == p) {
            p++;
            continue;
        }
        r.words[r.n_words++] = v;
        all |= v;
        p = end;
    }
    if (all < 256) {
        const uint32_t *b = r.words;
        r.n_words /= 4;
        for (size_t i = 0; i < r.n_words; i++, b += 4)
            r.words[i] = b[0] | b[1] << 8 | b[2] << 16 | b[3] << 24;
    }
    r.ok = true;
    return r;
}

static frontend_result
read_binary(const amber_shader *s)
{
    frontend_result r = {.words = malloc(s->size + 4), .n_words = s->size / 4};
    if (!r.words)
        return fail("out of memory");
    memcpy(r.words, s->text, r.n_words * 4);
    r.ok = true;
    return r;
}

/* Runs the passes of SHADER_OPTIMIZATION; a message names its line. */
static void
optimize(const amber_attach *at, frontend_result *r, const char *environment)
{
    frontend_optimize(r, environment, at->optimize, at->optimize_count);
    size_t room = r->messages ? strlen(r->messages) + 64 : 0;
    char *message = room ? malloc(room) : NULL;
    if (!message || r->ok)
        return;
    snprintf(message, room, "SHADER_OPTIMIZATION on line %u: %s", at->optimize_line, r->messages);
    free(r->messages);
    r->messages = message;
}

/* The stage as glslc's file names have it. */
static const char *
stage_name(amber_stage stage)
{
    static const char *const names[] = {
        [AMBER_VERTEX] = "vert",       [AMBER_FRAGMENT] = "frag",        [AMBER_GEOMETRY] = "geom",
        [AMBER_TESS_CONTROL] = "tesc", [AMBER_TESS_EVALUATION] = "tese", [AMBER_COMPUTE] = "comp",
    };
    return names[stage];
}

/* A vertex shader whose position is the attribute at location 0. */
static const char passthrough[] = "#version 430\n"
                                  "layout(location = 0) in vec4 position;\n"
                                  "void main() { gl_Position = position; }\n";

static frontend_result
translate(const amber_attach *at, const char *name, const char *environment)
{
    const amber_shader *s = at->shader;
    frontend_options options = {
        .stage = stage_name(at->stage),
        .entry = s->language == AMBER_HLSL ? at->entry : NULL,
        .target_env = environment,
        .renumber = true, /* as in Amber */
        .line_info = true,
    };
    frontend_result r;
    switch (s->language) {
    case AMBER_SPIRV_HEX: r = read_hex(s); break;
    case AMBER_SPIRV_BIN: r = read_binary(s); break;
    case AMBER_SPIRV_ASM:
        r = frontend_translate(FRONTEND_SPIRV_ASM, s->text, s->size, name, &options);
        break;
    case AMBER_PASSTHROUGH:
        r = frontend_translate(FRONTEND_GLSL, passthrough, sizeof passthrough - 1, name, &options);
        break;
    default:
        r = frontend_translate(s->language == AMBER_HLSL ? FRONTEND_HLSL : FRONTEND_GLSL, s->text,
                               s->size, name, &options);
    }
    frontend_validate(&r, environment);
    if (r.ok && at->optimize_count)
        optimize(at, &r, environment);
    return r;
}

/* The environment stated in the script; a script that requires the extension implies SPIR-V 1.4. */
static const char *
target_environment(const amber_script *script, const amber_shader *s)
{
    const amber_names *n = &script->device_extensions;
    for (size_t i = 0; i < n->count && !s->target_env; i++)
        if (strcmp(n->items[i], "VK_KHR_spirv_1_4") == 0)
            return "spv1.4";
    return s->target_env;
}

frontend_result
script_compile(const amber_script *script, const amber_attach *at, const char *path)
{
    const char *environment = target_environment(script, at->shader);
    if (environment)
        return translate(at, path, environment);
    frontend_result first = translate(at, path, default_environments[0]);
    for (size_t i = 1; i < COUNT(default_environments) && !first.ok; i++) {
        frontend_result r = translate(at, path, default_environments[i]);
        if (r.ok) {
            frontend_free(&first);
            return r;
        }
        frontend_free(&r);
    }
    return first;
}
