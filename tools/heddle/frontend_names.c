/* Stages and languages by name. */
#include "frontend.h"

#include <string.h>

static const char *const stage_names[] = {
    [FRONTEND_VERT] = "vert",   [FRONTEND_FRAG] = "frag",   [FRONTEND_GEOM] = "geom",
    [FRONTEND_TESC] = "tesc",   [FRONTEND_TESE] = "tese",   [FRONTEND_COMP] = "comp",
    [FRONTEND_TASK] = "task",   [FRONTEND_MESH] = "mesh",   [FRONTEND_RGEN] = "rgen",
    [FRONTEND_RAHIT] = "rahit", [FRONTEND_RCHIT] = "rchit", [FRONTEND_RMISS] = "rmiss",
    [FRONTEND_RINT] = "rint",   [FRONTEND_RCALL] = "rcall",
};

bool
frontend_stage_by_name(const char *name, frontend_stage *stage)
{
    for (size_t i = 0; i < sizeof stage_names / sizeof stage_names[0]; i++) {
        if (strcmp(stage_names[i], name) == 0) {
            *stage = (frontend_stage)i;
            return true;
        }
    }
    return false;
}

/* "x.comp.glsl" and "x.comp" are both GLSL of a compute shader. */
bool
frontend_guess(const char *path, frontend_language *language, frontend_stage *stage,
               bool *has_stage)
{
    static const struct {
        const char *ending;
        frontend_language language;
    } endings[] = {
        {"glsl", FRONTEND_GLSL},        {"hlsl", FRONTEND_HLSL}, {"spvasm", FRONTEND_SPIRV_ASM},
        {"spvhex", FRONTEND_SPIRV_HEX}, {"spv", FRONTEND_SPIRV},
    };
    char name[256];
    const char *slash = strrchr(path, '/');
    size_t len = strlen(slash ? slash + 1 : path);
    bool known = false;
    *has_stage = false;
    if (len >= sizeof name)
        return false;
    memcpy(name, slash ? slash + 1 : path, len + 1);
    for (char *dot = strrchr(name, '.'); dot; dot = strrchr(name, '.')) {
        for (size_t i = 0; i < sizeof endings / sizeof endings[0] && !known; i++) {
            if (strcmp(dot + 1, endings[i].ending) == 0) {
                *language = endings[i].language;
                known = true;
            }
        }
        if (frontend_stage_by_name(dot + 1, stage)) {
            *has_stage = true;
            if (!known)
                *language = FRONTEND_GLSL;
            return true;
        }
        *dot = '\0';
    }
    return known;
}
