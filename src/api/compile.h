/* One compile: declarations shared by compile.c and the reader of its input. */
#ifndef API_COMPILE_H
#define API_COMPILE_H

#include "api/layout.h"
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
    api_layout given;        /* by the caller */
    spirv_binding *declared; /* what the shader declares */
    size_t n_declared;
    family_layout layout;
    family_request request;
    void *switches; /* of the family */
} compiler;

/* Reads the entry point that the options name into a function, and the descriptors that the module
 * declares. Fails as the reader does, and with API_NO_ENTRY, API_UNSUPPORTED. */
ir_fn *
api_read_spirv(compiler *c);

/* Makes the layout to compile for: the given one, after checking that the shader fits to it, or one
 * of the shader's own descriptors. Fails with API_LAYOUT_*. */
void
api_choose_layout(compiler *c, const ir_fn *f);

/* Lists where the descriptors are that the shader declares, once the family has compiled. */
void
api_list_resources(compiler *c, obj_code *code);

#endif
