/* Translates the shaders of scripts to SPIR-V. */
#ifndef SCRIPT_SHADER_H
#define SCRIPT_SHADER_H

#include "amber/amber.h"
#include "frontend.h"

/* Compiles (or assembles, or reads) and validates the shader of `at`; `path` is the script's. If
 * the script states no target environment, SPIR-V 1.0 is tried first and then later versions,
 * because some scripts rely on a runner's setting. Free the result with frontend_free. */
frontend_result
script_compile(const amber_script *script, const amber_attach *at, const char *path);

#endif
