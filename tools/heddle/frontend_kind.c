/* Determines the kind of an input. */
#include "frontend.h"

#include <string.h>

/* A stage's extension, its other name in glslc's options and pragmas, and the library's. */
static const struct {
    const char *extension, *name;
    heddle_stage stage;
} stages[] = {
    {"comp", "compute", HEDDLE_STAGE_COMPUTE},
    {"vert", "vertex", HEDDLE_STAGE_VERTEX},
    {"frag", "fragment", HEDDLE_STAGE_FRAGMENT},
    {"geom", "geometry", HEDDLE_STAGE_GEOMETRY},
    {"tesc", "tesscontrol", HEDDLE_STAGE_TESS_CONTROL},
    {"tese", "tesseval", HEDDLE_STAGE_TESS_EVALUATION},
    {"task", "task", HEDDLE_STAGE_TASK},
    {"mesh", "mesh", HEDDLE_STAGE_MESH},
};

static const struct {
    const char *extension;
    frontend_kind kind;
} extensions[] = {
    {"spv", FRONTEND_SPIRV},      {"spvasm", FRONTEND_SPIRV_ASM}, {"spvas", FRONTEND_SPIRV_ASM},
    {"glsl", FRONTEND_GLSL},      {"hlsl", FRONTEND_HLSL},        {"hir", FRONTEND_HIR},
    {"s", FRONTEND_ASM},          {"asm", FRONTEND_ASM},          {"amber", FRONTEND_AMBER},
    {"vkscript", FRONTEND_AMBER}, {"test", FRONTEND_CTS},         {"mir", FRONTEND_HIR},
};

heddle_stage
frontend_stage_value(const char *extension)
{
    for (size_t i = 0; extension && i < sizeof stages / sizeof stages[0]; i++) {
        if (strcmp(extension, stages[i].extension) == 0)
            return stages[i].stage;
    }
    return HEDDLE_STAGE_DEFAULT;
}

/* The extension that ends at `end`, and its length: "comp" for "a/b.comp". */
static const char *
last_extension(const char *path, const char *end, size_t *len)
{
    const char *c = end;
    while (c > path && c[-1] != '.' && c[-1] != '/')
        c--;
    bool found = c > path && c[-1] == '.';
    *len = found ? (size_t)(end - c) : 0;
    return c;
}

static bool
is_word(const char *text, size_t len, const char *word)
{
    return strlen(word) == len && memcmp(text, word, len) == 0;
}

static const char *
stage_named(const char *text, size_t len)
{
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        if (is_word(text, len, stages[i].extension))
            return stages[i].extension;
    }
    return NULL;
}

const char *
frontend_stage_named(const char *name)
{
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        if (strcmp(name, stages[i].extension) == 0 || strcmp(name, stages[i].name) == 0)
            return stages[i].extension;
    }
    return NULL;
}

const char *
frontend_stage_of_path(const char *path)
{
    size_t len;
    const char *ext = last_extension(path, path + strlen(path), &len);
    const char *stage = stage_named(ext, len);
    if (stage || !len)
        return stage;
    ext = last_extension(path, ext - 1, &len);
    return stage_named(ext, len);
}

frontend_kind
frontend_detect(const char *path, const uint8_t *bytes, size_t size)
{
    static const uint8_t little[] = {3, 2, 0x23, 7}, big[] = {7, 0x23, 2, 3};
    size_t len;
    if (size >= 4 && memcmp(bytes, "\177ELF", 4) == 0)
        return FRONTEND_ELF;
    if (size >= 4 && (memcmp(bytes, little, 4) == 0 || memcmp(bytes, big, 4) == 0))
        return FRONTEND_SPIRV;
    const char *ext = last_extension(path, path + strlen(path), &len);
    if (stage_named(ext, len))
        return FRONTEND_GLSL;
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++) {
        if (is_word(ext, len, extensions[i].extension))
            return extensions[i].kind;
    }
    return FRONTEND_UNKNOWN;
}
