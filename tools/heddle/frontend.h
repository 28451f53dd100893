/* The program's inputs: their kinds, and translation to SPIR-V from GLSL and HLSL (by shaderc) and
 * from SPIR-V assembly (by SPIRV-Tools). Without these libraries, the translations fail with a
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

/* Determines the kind from the magic number, else from the extension of `path`. */
frontend_kind
frontend_detect(const char *path, const uint8_t *bytes, size_t size);

/* The stage's extension ("comp") for a name that glslc takes ("compute", "comp"), or NULL. */
const char *
frontend_stage_named(const char *name);

/* The stage with this extension; HEDDLE_STAGE_DEFAULT for NULL. */
heddle_stage
frontend_stage_value(const char *extension);

/* The stage that an extension specifies ("comp" for x.comp and x.comp.glsl), or NULL. */
const char *
frontend_stage_of_path(const char *path);

/* The binding of the first register of each letter of HLSL: b0, t0, u0, s0. */
typedef struct frontend_registers {
    uint32_t b, t, u, s;
} frontend_registers;

typedef struct frontend_options {
    const char
        *stage; /* "comp" ...; NULL: from the path; GLSL's #pragma shader_stage is respected too */
    const char *entry; /* HLSL's entry point; NULL: main */
    /* "vulkan1.0" to "vulkan1.3", "spv1.0" to "spv1.6"; NULL: vulkan1.3, vulkan1.1 for HLSL */
    const char *target_env;
    /* folders; may be NULL. The including file's own folder is searched first */
    const cli_list *include;
    const cli_list *define;              /* NAME or NAME=VALUE; may be NULL */
    const cli_list *undefine;            /* names that `define` must not define; may be NULL */
    const frontend_registers *registers; /* HLSL; NULL: all letters begin at binding 0 */
    const char *dxc;             /* HLSL: the program dxc, in place of shaderc; NULL: shaderc */
    const cli_list *dxc_options; /* what else it is given; may be NULL */
    const char *std; /* GLSL's version and profile ("450", "310es"); NULL: as #version says */
    bool preprocess; /* GLSL and HLSL: the result is preprocessed text */
    bool line_info;  /* OpLine and names */
    bool auto_map;   /* assign bindings and locations where they are missing */
    bool optimize;   /* shaderc's performance passes */
    bool renumber;   /* assembly: treat numeric ids as names (%0 is allowed) */
} frontend_options;

typedef struct frontend_result {
    bool ok;
    uint32_t *words; /* malloc'd; also the preprocessed text, which a zero byte follows */
    size_t n_words;
    size_t size;       /* in bytes */
    char *messages;    /* malloc'd, lines "file:line: error: ... [NAME]"; NULL if there are none */
    cli_list includes; /* the paths of the included files, each once */
} frontend_result;

/* While held, the libraries keep their tables of built-in functions, which they would otherwise
 * rebuild for each translation. NULL is allowed. */
typedef struct frontend_hold frontend_hold;

frontend_hold *
frontend_acquire(void);

void
frontend_release(frontend_hold *hold);

/* Translates text to SPIR-V. `name` is the path, for messages and #include. Thread-safe. */
frontend_result
frontend_translate(frontend_kind kind, const char *text, size_t size, const char *name,
                   const frontend_options *options);

/* The SPIR-V as assembly, indented and with names: a malloc'd text. Returns NULL, after
 * a message to stderr, if the words are no SPIR-V. */
char *
frontend_disassemble(const uint32_t *words, size_t n_words, const char *path);

/* Turns the result into a failure if its words are not valid SPIR-V for the environment ("spv1.3",
 * "vulkan1.1" ...). Does nothing if built without SPIRV-Tools. */
void
frontend_validate(frontend_result *result, const char *environment);

/* Runs passes of SPIRV-Tools' optimizer, named as on spirv-opt's command line, over a valid module.
 * The result is valid or a failure. frontend_has_optimizer returns true if the optimizer is built
 * in. */
void
frontend_optimize(frontend_result *result, const char *environment, const char *const *flags,
                  size_t n_flags);
bool
frontend_has_optimizer(void);

void
frontend_free(frontend_result *result);

#endif
