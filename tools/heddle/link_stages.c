/* Linking the two shaders of a graphics pipeline. */
#include "link_stages.h"

/* Links one stage. Returns CLI_OK, or the exit code after a message. */
static int
link_one(heddle_context *context, const input *in, const heddle_compile_options *options,
         heddle_output **out)
{
    if (in->kind != FRONTEND_SPIRV)
        return cli_usage_error("--link: %s is not SPIR-V, GLSL or HLSL", in->path);
    return cli_exit_code(heddle_link_stage(context, in->words, in->n_words, options, out));
}

/* Reads the other shader, which is of `stage`, and links it. Of the options, those count that both
 * have in common. */
static int
link_other(link_stages *l, heddle_context *context, const input_options *o,
           heddle_compile_options options, heddle_stage stage)
{
    input in;
    input_options common = *o;
    common.stage = stage == HEDDLE_STAGE_VERTEX ? "vertex" : "fragment";
    common.entry = NULL;
    common.lang = NULL;
    int code = input_load(&in, o->link, &common);
    if (code < 0) {
        options.stage = stage;
        options.entry = NULL;
        options.file = in.path;
        code = link_one(context, &in, &options, &l->outputs[stage == HEDDLE_STAGE_FRAGMENT]);
    }
    input_free(&in);
    return code;
}

int
link_stages_open(link_stages *l, heddle_context *context, const input *in, const input_options *o,
                 heddle_compile_options *options)
{
    static const heddle_pipeline none = {.struct_size = sizeof none};
    *l = (link_stages){.outputs = {NULL}};
    if (!o->link)
        return CLI_OK;
    bool is_fragment = options->stage == HEDDLE_STAGE_FRAGMENT;
    if (!is_fragment && options->stage != HEDDLE_STAGE_VERTEX)
        return cli_usage_error("--link: %s is neither a vertex nor a fragment shader by its name; "
                               "give --stage",
                               in->path);
    heddle_stage other = is_fragment ? HEDDLE_STAGE_VERTEX : HEDDLE_STAGE_FRAGMENT;
    int code = link_one(context, in, options, &l->outputs[is_fragment]);
    if (code == CLI_OK)
        code = link_other(l, context, o, *options, other);
    if (code != CLI_OK)
        return code;
    l->pipeline = options->pipeline ? *options->pipeline : none;
    l->pipeline.previous = heddle_output_link(l->outputs[0]);
    l->pipeline.next = heddle_output_link(l->outputs[1]);
    options->pipeline = &l->pipeline;
    return CLI_OK;
}

void
link_stages_free(link_stages *l)
{
    for (unsigned k = 0; k < 2; k++)
        heddle_destroy_output(l->outputs[k]);
}
