/* What the program reads: kinds of inputs, and SPIR-V made of GLSL, HLSL (by shaderc) and SPIR-V
 * assembly (by SPIRV-Tools). Built without these libraries, the two translations fail with a
 * message that says so. */
#ifndef FRONTEND_H
#define FRONTEND_H

#include "cli.h"

#include <stdint.h>

typedef enum frontend_kind {
    FRONTEND_UNKNOWN,
    FRONTEND_SPIRV,     /* words, by magic number of either endianness */
    FRONTEND_SPIRV_ASM, /* .spvasm, .spvas */
    FRONTEND_GLSL,      /* .comp .vert .frag .geom .tesc .tese .task .mesh .glsl */
    FRONTEND_HLSL,      /* .hlsl */
    FRONTEND_HIR,       /* .hir */
    FRONTEND_ASM,       /* .s .asm: the target's assembly */
    FRONTEND_ELF,       /* by magic number */
    FRONTEND_AMBER,     /* .amber, .vkscript */
    FRONTEND_CTS,       /* .test: VK-GL-CTS's shader library */
} frontend_kind;

/* The kind by magic number, else by the extension of `path`. */
frontend_kind
frontend_detect(const char *path, const uint8_t *bytes, size_t size);

/* The stage that an extension names ("comp" for x.comp and x.comp.glsl), or NULL. */
const char *
frontend_stage_of_path(const char *path);

typedef struct frontend_options {
    const char
        *stage; /* "comp" ...; NULL: as the path says; GLSL's #pragma shader_stage counts too */
    const char *entry;       /* HLSL's entry point; NULL: main */
    const char *target_env;  /* "vulkan1.0" to "vulkan1.3", "spv1.0" to "spv1.6"; NULL: vulkan1.3 */
    const cli_list *include; /* folders; may be NULL. The including file's own folder comes first */
    const cli_list *define;  /* NAME or NAME=VALUE; may be NULL */
    bool line_info;          /* OpLine and names */
    bool auto_map;           /* give bindings and locations to what has none */
    bool optimize;           /* shaderc's performance passes */
    bool renumber;           /* assembly: numeric ids are names like others (%0 is allowed) */
} frontend_options;

typedef struct frontend_result {
    bool ok;
    uint32_t *words; /* malloc'd */
    size_t n_words;
    char *messages; /* malloc'd, lines "file:line: error: ..."; NULL if there are none */
} frontend_result;

/* While this is held the libraries keep their tables of built-in functions, which they otherwise
 * make anew for each translation. NULL is harmless. */
typedef struct frontend_hold frontend_hold;

frontend_hold *
frontend_acquire(void);

void
frontend_release(frontend_hold *hold);

/* Makes SPIR-V of text. `name` is the path, for messages and #include. Thread-safe. */
frontend_result
frontend_translate(frontend_kind kind, const char *text, size_t size, const char *name,
                   const frontend_options *options);

/* Makes a failure of a result whose words are no valid SPIR-V for the environment ("spv1.3",
 * "vulkan1.1" ...). Built without SPIRV-Tools it does nothing. */
void
frontend_validate(frontend_result *result, const char *environment);

/* Runs passes of SPIRV-Tools' optimizer over a valid module, as spirv-opt's command line names them;
 * the result is valid or a failure. frontend_has_optimizer: was it built in? */
void
frontend_optimize(frontend_result *result, const char *environment, const char *const *flags,
                  size_t n_flags);
bool
frontend_has_optimizer(void);

void
frontend_free(frontend_result *result);

#endif
