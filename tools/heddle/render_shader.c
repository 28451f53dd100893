/* The shaders of heddle render: GLSL with #version, HLSL and SPIR-V as they are, and Shadertoy's,
 * which are the body of a program: what they expect around them is put there. */
#include "render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a Shadertoy finds. It is written in OpenGL ES's language, in which `sample` and other words
 * are names. */
static const char before[] = "#version 310 es\n"
                             "precision highp float;\n"
                             "precision highp int;\n"
                             "precision highp sampler2D;\n"
                             "layout(location = 0) out vec4 heddle_color;\n"
                             "layout(set = 0, binding = 0, std140) uniform heddle_frame {\n"
                             "    vec3 iResolution;\n"
                             "    float iTime;\n"
                             "    vec4 iMouse;\n"
                             "    vec4 iDate;\n"
                             "    int iFrame;\n"
                             "    float iTimeDelta;\n"
                             "    float iFrameRate;\n"
                             "    float iSampleRate;\n"
                             "    vec3 iChannelResolution[4];\n"
                             "    float iChannelTime[4];\n"
                             "};\n"
                             "layout(set = 0, binding = 1) uniform sampler2D iChannel0;\n"
                             "layout(set = 0, binding = 2) uniform sampler2D iChannel1;\n"
                             "layout(set = 0, binding = 3) uniform sampler2D iChannel2;\n"
                             "layout(set = 0, binding = 4) uniform sampler2D iChannel3;\n"
                             "#define iGlobalTime iTime\n"
                             "#define HW_PERFORMANCE 1\n"
                             "#line 1\n";

static const char behind[] = "\n"
                             "void main() {\n"
                             "    vec4 color = vec4(0.0, 0.0, 0.0, 1.0);\n"
                             "    mainImage(color, gl_FragCoord.xy);\n"
                             "    heddle_color = vec4(color.rgb, 1.0);\n"
                             "}\n";

/* Is there a line that begins with #version? */
static bool
has_version(const char *text)
{
    for (const char *at = text; at; at = strchr(at, '\n')) {
        at += strspn(at, " \t\r\n");
        if (*at == '#' && strncmp(at + 1 + strspn(at + 1, " \t"), "version", 7) == 0)
            return true;
    }
    return false;
}

static int
translate(arena *a, const render_options *o, frontend_kind kind, const char *text,
          render_shader *out)
{
    const frontend_options options = {.stage = "frag",
                                      .entry = kind == FRONTEND_HLSL ? o->entry : NULL,
                                      .target_env = "vulkan1.1",
                                      .include = &o->include,
                                      .define = &o->define,
                                      .line_info = true};
    frontend_result r = frontend_translate(kind, text, strlen(text), o->path, &options);
    frontend_validate(&r, "vulkan1.1");
    if (r.messages)
        fputs(r.messages, stderr);
    if (r.ok) {
        out->words = arena_copy(a, r.words, r.n_words * 4);
        out->word_count = r.n_words;
    }
    int code = r.ok ? -1 : CLI_FAILED;
    frontend_free(&r);
    return code;
}

static int
read_glsl(arena *a, const render_options *o, const char *text, render_shader *out)
{
    if (has_version(text))
        return translate(a, o, FRONTEND_GLSL, text, out);
    if (!strstr(text, "mainImage"))
        return cli_error(o->path, "RENDER_SHADER",
                         "there is neither #version, as in GLSL, nor mainImage, as in a Shadertoy");
    out->from_below = true;
    return translate(a, o, FRONTEND_GLSL, arena_printf(a, "%s%s%s", before, text, behind), out);
}

static int
take_words(arena *a, const render_options *o, const uint8_t *bytes, size_t size, render_shader *out)
{
    if (size % 4)
        return cli_error(o->path, "SPIRV_SIZE", "the size is not a multiple of 4 bytes");
    out->words = arena_copy(a, bytes, size);
    out->word_count = size / 4;
    return -1;
}

int
render_read_shader(arena *a, const render_options *o, render_shader *out)
{
    uint8_t *bytes;
    size_t size;
    int code;
    *out = (render_shader){0};
    if (!cli_read_file(o->path, &bytes, &size))
        return CLI_FAILED;
    const char *text = (const char *)bytes;
    frontend_kind kind = frontend_detect(o->path, bytes, size);
    switch (kind) {
    case FRONTEND_SPIRV: code = take_words(a, o, bytes, size, out); break;
    case FRONTEND_SPIRV_ASM:
    case FRONTEND_HLSL: code = translate(a, o, kind, text, out); break;
    case FRONTEND_GLSL:
    case FRONTEND_UNKNOWN: code = read_glsl(a, o, text, out); break;
    default: code = cli_error(o->path, "RENDER_SHADER", "this is no fragment shader");
    }
    free(bytes);
    return code;
}
