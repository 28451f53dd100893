/* Inputs of compile and stats: the shared options, and a file as SPIR-V words or text. */
#ifndef INPUT_H
#define INPUT_H

#include "cli.h"
#include "frontend.h"

/* The options shared by compile and stats. Zero-initialise; the rows of INPUT_OPTIONS fill it. */
typedef struct input_options {
    const char *stage, *entry, *abi, *level, *target_env;
    unsigned wave_size, bisect_limit;
    cli_list spec, include, define;
    bool line_info;
} input_options;

/* clang-format off */
#define INPUT_OPTIONS(o)                                                                           \
    {0, "stage", CLI_CHOICE, &(o).stage, "STAGE", "of the entry point; else as the file says",     \
     "vert|tesc|tese|geom|frag|comp|task|mesh"},                                                   \
    {0, "entry", CLI_TEXT, &(o).entry, "NAME", "the entry point; else the stage's first", NULL},   \
    {0, "wave-size", CLI_NUMBER, &(o).wave_size, "N", "lanes of a wave (as the shader needs it)",  \
     NULL},                                                                                        \
    {0, "abi", CLI_CHOICE, &(o).abi, "ABI", "vulkan (default) or hsa", "vulkan|hsa"},              \
    {'O', NULL, CLI_CHOICE, &(o).level, "LEVEL", "optimisation: 0, 1 or 2 (default)", "0|1|2"},    \
    {0, "bisect-limit", CLI_NUMBER, &(o).bisect_limit, "N",                                        \
     "run only the first N passes that may be left out", NULL},                                    \
    {0, "spec", CLI_LIST, &(o).spec, "ID=VALUE",                                                   \
     "a specialisation constant: 3, 0x3, 1.5 (a float), 1.5d, true", NULL},                        \
    {'I', NULL, CLI_LIST, &(o).include, "DIR", "look for #include files here", NULL},              \
    {'D', NULL, CLI_LIST, &(o).define, "NAME=V", "define a macro", NULL},                          \
    {0, "target-env", CLI_TEXT, &(o).target_env, "ENV",                                            \
     "of GLSL, HLSL and SPIR-V assembly: vulkan1.3 (default), spv1.4 ...", NULL},                  \
    {'g', NULL, CLI_FLAG, &(o).line_info, NULL, "keep names and source lines", NULL}
/* clang-format on */

typedef struct input {
    const char *path;
    frontend_kind kind; /* FRONTEND_SPIRV (also for translated text), FRONTEND_HIR, FRONTEND_ELF */
    uint8_t *bytes;     /* the file, followed by a zero byte */
    size_t size;
    const uint32_t *words; /* FRONTEND_SPIRV */
    size_t n_words;
    const char *stage; /* from the options or the path; NULL if neither specifies it */
    frontend_result translated;
} input;

/* Reads `path` and translates it if necessary. Returns -1, or the exit code after messages to
 * stderr. */
int
input_load(input *in, const char *path, const input_options *o);

void
input_free(input *in);

/* Makes the library's options for an input. Returns false, after a message, if an option is
 * invalid. The result points into `specs`, which the caller frees. */
bool
input_compile_options(const input *in, const input_options *o, heddle_spec_constant **specs,
                      heddle_compile_options *out);

/* Calls heddle_compile or heddle_compile_hir, depending on the input's kind. */
heddle_result
input_compile(heddle_context *context, const input *in, const heddle_compile_options *options,
              heddle_output **out);

#endif
