/* AmberScript: the top-level commands of a script. */
#include "amber/read.h"

static void
read_requirement(reader *r, amber_names *list)
{
    amber_read_add_name(r, list, amber_read_name(r, "the name of what is required"));
    amber_read_line_end(r, "a requirement");
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
    amber_read_word(r, "ENGINE_DATA");
    amber_read_word(r, "fence_timeout_ms");
    r->script->fence_timeout_ms = (uint32_t)amber_read_uint(r, "a time in milliseconds",
                                                            UINT32_MAX);
    amber_read_line_end(r, "SET");
}

static const struct {
    const char *word;
    void (*read)(reader *r);
} top_commands[] = {
    {"ACCELERATION_STRUCTURE", amber_read_accel},
    {"BUFFER", amber_read_buffer},
    {"DERIVE_PIPELINE", amber_read_derive_pipeline},
    {"DEVICE_EXTENSION", read_device_extension},
    {"DEVICE_FEATURE", read_device_feature},
    {"DEVICE_PROPERTY", read_device_property},
    {"IMAGE", amber_read_image},
    {"INSTANCE_EXTENSION", read_instance_extension},
    {"PIPELINE", amber_read_pipeline},
    {"REPEAT", amber_read_repeat},
    {"SAMPLER", amber_read_sampler},
    {"SET", read_set},
    {"SHADER", amber_read_shader},
    {"STRUCT", amber_read_struct},
    {"VIRTUAL_FILE", amber_read_virtual_file},
};

static void
read_top_command(reader *r)
{
    for (size_t i = 0; i < sizeof top_commands / sizeof top_commands[0]; i++) {
        if (amber_read_is(r, top_commands[i].word)) {
            top_commands[i].read(r);
            return;
        }
    }
    if (!amber_read_command(r))
        amber_read_expected(r, "a command");
}

void
amber_read_amberscript(reader *r)
{
    for (;;) {
        amber_read_skip_lines(r);
        if (amber_read_token(r)->kind == LEX_END_OF_TEXT)
            break;
        read_top_command(r);
    }
}
