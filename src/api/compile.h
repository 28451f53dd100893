/* One compile: declarations shared by compile.c and the reader of its input. */
#ifndef API_COMPILE_H
#define API_COMPILE_H

#include "api/layout.h"
#include "spirv/spirv.h"

typedef enum compile_kind {
    COMPILE_WHOLE,
    COMPILE_PASSES, /* of a text: only options.passes run */
    COMPILE_LINK,   /* of SPIR-V: only the middle end runs */
} compile_kind;

typedef struct compile_job {
    compile_kind kind;
    const uint32_t *words; /* SPIR-V, or ... */
    size_t n_words;
    const char *text; /* ... HIR or machine IR */
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
    const family_pipeline *pipeline; /* NULL: all defaults */
    family_request request;
    void *switches;                    /* of the family */
    ir_text_origin origin;             /* of a text */
    ir_run_words words;                /* in the header of a text */
    ir_steps steps;                    /* of the family's pipeline */
    struct api_text_binding *bindings; /* in the header of a text */
    size_t n_bindings;
    size_t from; /* the step that the text is from; steps.count: none */
} compiler;

/* Fails with API_BAD_ARGUMENT: `format` has one %s. */
_Noreturn void
api_bad_argument(compiler *c, const char *format, const char *text);

/* Appends the program to the output, as text from which a compile can go on. */
void
api_give_text(compiler *c, const ir_fn *f);

/* ---- texts (text.c) ---- */

/* Lists the steps of the target's pipeline, and finds the step that the text is from. Fails with
 * API_BAD_ARGUMENT and IR_BAD_STATE. */
void
api_find_from(compiler *c);

/* Reads the job's text. Fails as the parser and the verifier do. */
ir_fn *
api_read_text(compiler *c);

/* Sets what a printed text shows besides the function. */
void
api_set_parts(compiler *c);

/* Marks the bindings of the layout that the code reads according to the text. */
void
api_set_used(compiler *c);

/* Runs the job's passes on a function that was read from text. */
void
api_run_list(compiler *c, ir_fn *f);

/* Reads the entry point that the options name into a function, and the descriptors that the module
 * declares. Fails as the reader does, and with API_NO_ENTRY, API_UNSUPPORTED. */
ir_fn *
api_read_spirv(compiler *c);

/* Reads and checks a graphics pipeline (pipeline.c), which is in the call's arena. Fails with
 * API_PIPELINE. */
const family_pipeline *
api_read_pipeline(api_state *s, const heddle_pipeline *from);

/* Makes the output's link of what a stage tells the other one. */
void
api_give_link(api_state *s, const family_stage_link *from);

/* Makes the layout to compile for: the given one, after checking that the shader fits to it, or one
 * of the shader's own descriptors. Fails with API_LAYOUT_*. */
void
api_choose_layout(compiler *c, const ir_fn *f);

/* Lists where the descriptors are that the shader declares, once the family has compiled. */
void
api_list_resources(compiler *c, obj_code *code);

#endif
