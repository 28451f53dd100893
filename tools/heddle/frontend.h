<<<<<<< HEAD
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
} frontend_options;

typedef struct frontend_result {
    bool ok;
    uint32_t *words; /* malloc'd */
    size_t n_words;
    char *messages; /* malloc'd, lines "file:line: error: ..."; NULL if there are none */
} frontend_result;

/* Makes SPIR-V of text. `name` is the path, for messages and #include. Thread-safe. */
frontend_result
frontend_translate(frontend_kind kind, const char *text, size_t size, const char *name,
                   const frontend_options *options);
=======
/* From the languages that people write to SPIR-V: GLSL and HLSL by shaderc, SPIR-V assembly by
 * SPIRV-Tools. Only the program has these; the library starts at SPIR-V.
 */
#ifndef FRONTEND_H
#define FRONTEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum frontend_language {
    FRONTEND_GLSL,
    FRONTEND_HLSL,
    FRONTEND_SPIRV_ASM,
    FRONTEND_SPIRV_HEX, /* numbers in hexadecimal: bytes, or words */
    FRONTEND_SPIRV,     /* the binary itself, in either byte order */
} frontend_language;

typedef enum frontend_stage {
    FRONTEND_VERT,
    FRONTEND_FRAG,
    FRONTEND_GEOM,
    FRONTEND_TESC,
    FRONTEND_TESE,
    FRONTEND_COMP,
    FRONTEND_TASK,
    FRONTEND_MESH,
    FRONTEND_RGEN,
    FRONTEND_RAHIT,
    FRONTEND_RCHIT,
    FRONTEND_RMISS,
    FRONTEND_RINT,
    FRONTEND_RCALL,
} frontend_stage;

/* A file that needs no file system: a script's VIRTUAL_FILE. */
typedef struct frontend_file {
    const char *path, *text;
} frontend_file;

typedef struct frontend_source {
    frontend_language language;
    frontend_stage stage; /* of GLSL and HLSL */
    const char *name;     /* for messages, and for #include "..." beside it */
    const char *text;
    size_t size;
    const char *entry; /* HLSL: the function to compile; NULL is "main" */
    /* "spv1.3", "vulkan1.1", "vulkan1.1spv1.4". NULL: SPIR-V 1.0, and when the shader cannot be
     * compiled for that, the first later version for which it can. */
    const char *target_env;
    const char *const *include_dirs;
    size_t include_count;
    const char *const *defines; /* "NAME" or "NAME=VALUE" */
    size_t define_count;
    const frontend_file *files; /* looked up before the file system */
    size_t file_count;
} frontend_source;

typedef struct frontend_result {
    bool ok;
    bool unsupported; /* the language is not built in */
    uint32_t *words;
    size_t word_count;
    char *message; /* of a failure: lines, the compiler's own words; never NULL then */
} frontend_result;

/* Compiles, and validates what it got. */
frontend_result
frontend_compile(const frontend_source *source);
>>>>>>> 7d4615e (wip3)

void
frontend_free(frontend_result *result);

<<<<<<< HEAD
=======
/* The language by a file's name (.comp, .hlsl, .spvasm, .spv ...); false if it tells none. The
 * stage is set where the name tells it. */
bool
frontend_guess(const char *path, frontend_language *language, frontend_stage *stage,
               bool *has_stage);

/* The stage called "comp" ...; false if there is none. */
bool
frontend_stage_by_name(const char *name, frontend_stage *stage);

>>>>>>> 7d4615e (wip3)
#endif
