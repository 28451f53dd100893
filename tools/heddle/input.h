/* Inputs of compile and stats: the shared options, and a file as SPIR-V words or text. */
#ifndef INPUT_H
#define INPUT_H

#include "cli.h"
#include "frontend.h"
#include "layout_file.h"
#include "pipeline_file.h"
#include "told.h"

/* The options shared by compile and stats. Zero-initialise; input_options.def has the rows
 * that fill it. */
typedef struct input_options {
    const char *lang, *stage, *entry, *abi, *level, *target_env, *std;
    unsigned wave_size, bisect_limit;
    cli_list spec, include, define, undefine;
    cli_list shift; /* --hlsl-shift: "b=0" ... */
    const char *dxc;
    cli_list dxc_options;
    /* The same, as glslc spells it; NULL: not given. */
    const char *base_b, *base_t, *base_u, *base_s;
    const char *layout;   /* --layout; NULL: none */
    const char *pipeline; /* --pipeline; NULL: none */
    const char *link;     /* --link; NULL: none */
    bool line_info;
    told *told; /* set by input_context */
} input_options;

#define INPUT_STAGES                                                                               \
    "vert|tesc|tese|geom|frag|comp|task|mesh|vertex|tesscontrol|tesseval|geometry|fragment|"       \
    "compute"
#define INPUT_LANGS "spirv|spirv-asm|glsl|hlsl|hir|elf"

typedef struct input {
    const char *path;
    frontend_kind kind; /* FRONTEND_SPIRV (also for translated text), FRONTEND_HIR, FRONTEND_ELF */
    uint8_t *bytes;     /* the file, followed by a zero byte */
    size_t size;
    const uint32_t *words; /* FRONTEND_SPIRV */
    size_t n_words;
    const char *stage;   /* its extension, from the options or the path; NULL if neither says it */
    layout_file *layout; /* NULL: none */
    pipeline_file *pipeline; /* NULL: none */
    frontend_result translated;
    frontend_kind language; /* what was translated */
    const input_options *options;
} input;

/* Makes a context whose diagnostics show the lines of the input's source. `t` must live as long
 * as it. Returns NULL, after a message, if there is no memory. */
heddle_context *
input_context(input_options *o, told *t);

/* Reads `path` and translates it if necessary. Returns -1, or the exit code after messages to
 * stderr. */
int
input_load(input *in, const char *path, const input_options *o);

/* Reads and preprocesses a file of GLSL or HLSL: the text is in in->translated. */
int
input_preprocess(input *in, const char *path, const input_options *o);

/* Where texts of its source are found; the caller frees what is found. */
source
input_source(const input *in);

void
input_free(input *in);

/* Makes the library's options for an input. Returns false, after a message, if an option is
 * invalid. The result points into `specs`, which the caller frees. */
bool
input_compile_options(const input *in, const input_options *o, heddle_spec_constant **specs,
                      heddle_compile_options *out);

/* Calls heddle_compile or heddle_compile_hir, depending on the input's kind. The messages of an
 * error name the line of the text that was translated: if it was translated without debug info,
 * that is done once more to find it. */
heddle_result
input_compile(heddle_context *context, const input *in, const heddle_compile_options *options,
              heddle_output **out);

#endif
