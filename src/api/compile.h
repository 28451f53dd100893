/* One compile: declarations shared by compile.c and the reader of its input. */
#ifndef API_COMPILE_H
#define API_COMPILE_H

#include "api/api.h"
#include "spirv/spirv.h"

typedef struct compile_job {
    const uint32_t *words; /* SPIR-V, or ... */
    size_t n_words;
    const char *text; /* ... HIR */
    size_t text_size;
    heddle_compile_options options;
} compile_job;

typedef struct compiler {
    api_state *s;
    const compile_job *job;
    ir_ctx ctx;
    ir_pass_run run;
    spirv_options spirv;
    family_target target;
    family_layout layout;
    family_request request;
    void *switches; /* of the family */
} compiler;

/* Reads the entry point that the options name into a function, and the layout of its descriptor
 * sets. Fails as the reader does, and with API_NO_ENTRY, API_UNSUPPORTED. */
ir_fn *
api_read_spirv(compiler *c);

#endif
