/* AmberScript: the top-level commands of a script. */
#include "amber/read.h"

static void
read_requirement(reader *r, amber_names *list)
{
    read_add_name(r, list, read_name(r, "the name of what is required"));
    read_line_end(r, "a requirement");
}

static void
read_device_feature(reader *r)
{
    read_requirement(r, &r->script->features);
}

static void
read_device_property(reader *r)
{
    read_requirement(r, &r->script->properties);
}

static void
read_device_extension(reader *r)
{
    read_requirement(r, &r->script->device_extensions);
}

static void
read_instance_extension(reader *r)
{
    read_requirement(r, &r->script->instance_extensions);
}

static void
read_set(reader *r)
{
    read_word(r, "ENGINE_DATA");
    read_word(r, "fence_timeout_ms");
    r->script->fence_timeout_ms = (uint32_t)read_uint(r, "a time in milliseconds", UINT32_MAX);
    read_line_end(r, "SET");
}

static void
read_acceleration_structure(reader *r)
{
    read_unsupported(r, "ray tracing pipeline");
}

static const struct {
    const char *word;
    void (*read)(reader *r);
} top_commands[] = {
    {"ACCELERATION_STRUCTURE", read_acceleration_structure},
    {"BUFFER", read_buffer},
    {"DERIVE_PIPELINE", read_derive_pipeline},
    {"DEVICE_EXTENSION", read_device_extension},
    {"DEVICE_FEATURE", read_device_feature},
    {"DEVICE_PROPERTY", read_device_property},
    {"IMAGE", read_image},
    {"INSTANCE_EXTENSION", read_instance_extension},
    {"PIPELINE", read_pipeline},
    {"REPEAT", read_repeat},
    {"SAMPLER", read_sampler},
    {"SET", read_set},
    {"SHADER", read_shader},
    {"STRUCT", read_struct},
    {"VIRTUAL_FILE", read_virtual_file},
};

static void
read_top_command(reader *r)
{
    for (size_t i = 0; i < sizeof top_commands / sizeof top_commands[0]; i++) {
        if (read_is(r, top_commands[i].word)) {
            top_commands[i].read(r);
            return;
        }
    }
    if (!read_command(r))
        read_expected(r, "a command");
}

void
read_amberscript(reader *r)
{
    for (;;) {
        read_skip_lines(r);
        if (read_token(r)->kind == LEX_END_OF_TEXT)
            break;
        read_top_command(r);
    }
}
