/* Translates text to SPIR-V: SPIR-V assembly with SPIRV-Tools, GLSL and HLSL in frontend_glsl.c.
 * The libraries' objects are not shared, so calls on several threads are safe. */
#include "frontend_glsl.h"

#include <stdlib.h>
#include <string.h>

char *
frontend_copy_text(const char *text, size_t len)
{
    char *copy = malloc(len + 1);
    if (copy) {
        memcpy(copy, text, len);
        copy[len] = '\0';
    }
    return copy;
}

/* Appends `len` characters to the messages. */
static void
append(frontend_result *r, const char *text, size_t len)
{
    size_t old = r->messages ? strlen(r->messages) : 0;
    char *grown = realloc(r->messages, old + len + 1);
    if (!grown)
        return;
    memcpy(grown + old, text, len);
    grown[old + len] = '\0';
    r->messages = grown;
}

static void
append_text(frontend_result *r, const char *text)
{
    append(r, text, strlen(text));
}

static void
append_name(frontend_result *r, const char *error)
{
    append_text(r, " [");
    append_text(r, error);
    append_text(r, "]");
}

void
frontend_say(frontend_result *r, const char *name, const char *error, const char *why)
{
    append_text(r, name);
    append_text(r, ": error: ");
    append_text(r, why);
    append_name(r, error);
    append_text(r, "\n");
}

/* Returns true if `word` occurs in the text. */
static bool
has_word(const char *text, size_t len, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= len; i++) {
        if (memcmp(text + i, word, n) == 0)
            return true;
    }
    return false;
}

void
frontend_say_all(frontend_result *r, const char *error, const char *lines)
{
    while (*lines) {
        size_t len = strcspn(lines, "\n");
        /* glslang's last line for HLSL, which says nothing more than those before it. */
        if (has_word(lines, len, "HLSL parsing failed.")) {
            lines += len + (lines[len] == '\n');
            continue;
        }
        append(r, lines, len);
        if (has_word(lines, len, "error: "))
            append_name(r, error);
        append_text(r, "\n");
        lines += len + (lines[len] == '\n');
    }
}

void
frontend_take(frontend_result *r, const void *bytes, size_t size)
{
    r->words = calloc(size / 4 + 1, 4);
    r->ok = r->words != NULL;
    r->n_words = size / 4;
    r->size = size;
    if (r->ok)
        memcpy(r->words, bytes, size);
}

static frontend_result
failed(const char *message)
{
    return (frontend_result){.messages = frontend_copy_text(message, strlen(message))};
}

void
frontend_free(frontend_result *result)
{
    free(result->words);
    free(result->messages);
    for (size_t i = 0; i < result->includes.count; i++)
        free((char *)result->includes.items[i]);
    free(result->includes.items);
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

#include <spirv-tools/libspirv.h>
#include <stdio.h>

/* ---- SPIR-V assembly ---- */

static frontend_result
assemble(const char *text, size_t size, const char *name, const frontend_options *o)
{
    frontend_result r = {0};
    spv_target_env env;
    const char *wanted = o->target_env ? o->target_env : "vulkan1.3";
    if (!spvParseTargetEnv(wanted, &env))
        return failed("--target-env is vulkan1.0 to vulkan1.3, or spv1.0 to spv1.6 [TARGET_ENV]\n");
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
        frontend_take(&r, binary->code, binary->wordCount * 4);
    } else {
        size_t room = strlen(name) + (diagnostic ? strlen(diagnostic->error) : 0) + 64;
        r.messages = malloc(room);
        if (r.messages && diagnostic)
            snprintf(r.messages, room, "%s:%zu:%zu: error: %s [SPIRV_ASM]\n", name,
                     diagnostic->position.line + 1, diagnostic->position.column + 1,
                     diagnostic->error);
        else if (r.messages)
            snprintf(r.messages, room, "%s: error: cannot be assembled [SPIRV_ASM]\n", name);
    }
    spvDiagnosticDestroy(diagnostic);
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
    return r;
}

char *
frontend_disassemble(const uint32_t *words, size_t n_words, const char *path)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_text text = NULL;
    spv_diagnostic diagnostic = NULL;
    char *copy = NULL;
    if (spvBinaryToText(context, words, n_words,
                        SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES,
                        &text, &diagnostic) == SPV_SUCCESS)
        copy = frontend_copy_text(text->str, text->length);
    else
        cli_error(path, "SPIRV_ASM", "%s", diagnostic ? diagnostic->error : "invalid SPIR-V");
    spvTextDestroy(text);
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return copy;
}

void
frontend_validate(frontend_result *result, const char *environment)
{
    spv_target_env env;
    spv_diagnostic diagnostic = NULL;
    if (!result->ok || !spvParseTargetEnv(environment, &env))
        return;
    spv_context context = spvContextCreate(env);
    spv_validator_options options = spvValidatorOptionsCreate();
    /* Features of Vulkan that all devices have, which an environment does not imply. */
    spvValidatorOptionsSetScalarBlockLayout(options, true);
    spvValidatorOptionsSetWorkgroupScalarBlockLayout(options, true);
    spvValidatorOptionsSetAllowLocalSizeId(options, true);
    spv_const_binary_t binary = {result->words, result->n_words};
    if (spvValidateWithOptions(context, options, &binary, &diagnostic) != SPV_SUCCESS) {
        frontend_free(result);
        *result = failed(diagnostic ? diagnostic->error : "invalid SPIR-V");
    }
    spvDiagnosticDestroy(diagnostic);
    spvValidatorOptionsDestroy(options);
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

frontend_result
frontend_translate(frontend_kind kind, const char *text, size_t size, const char *name,
                   const frontend_options *options)
{
    if (kind == FRONTEND_SPIRV_ASM)
        return assemble(text, size, name, options);
    if (kind == FRONTEND_GLSL || kind == FRONTEND_HLSL)
        return frontend_compile_source(kind, text, size, name, options);
    return failed("this text cannot be translated to SPIR-V [UNKNOWN_KIND]\n");
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

char *
frontend_disassemble(const uint32_t *words, size_t n_words, const char *path)
{
    (void)words, (void)n_words;
    cli_error(path, "NO_FRONTEND", "this heddle was built without SPIRV-Tools");
    return NULL;
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
    return failed(
        "this heddle was built without shaderc and SPIRV-Tools; give it SPIR-V [NO_FRONTEND]\n");
}

#endif
