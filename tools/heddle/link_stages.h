/* --link FILE: the two shaders of a pipeline told of each other. */
#ifndef LINK_STAGES_H
#define LINK_STAGES_H

#include "input.h"

typedef struct link_stages {
    heddle_output
        *outputs[2]; /* of heddle_link_stage: of the vertex shader, of the fragment shader */
    heddle_pipeline pipeline; /* that of --pipeline, with both */
} link_stages;

/* If the options have --link, links the input with the shader in that file: `options->pipeline`
 * becomes `l->pipeline`. Returns an exit code, after a message if it is not CLI_OK. The caller calls
 * link_stages_free in any case. */
int
link_stages_open(link_stages *l, heddle_context *context, const input *in, const input_options *o,
                 heddle_compile_options *options);

void
link_stages_free(link_stages *l);

#endif
