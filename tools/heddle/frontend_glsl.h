/* GLSL and HLSL to SPIR-V, with shaderc; and what the parts of the front end share. */
#ifndef FRONTEND_GLSL_H
#define FRONTEND_GLSL_H

#include "frontend.h"

/* As frontend_translate, for GLSL and HLSL. */
frontend_result
frontend_compile_source(frontend_kind kind, const char *text, size_t size, const char *name,
                        const frontend_options *options);

/* The same for HLSL with the program options->dxc. The stage is an extension ("comp"). */
frontend_result
frontend_run_dxc(const char *text, size_t size, const char *name, const char *stage,
                 const frontend_options *options);

/* Makes the result a success with a copy of the bytes, which a zero byte follows. */
void
frontend_take(frontend_result *r, const void *bytes, size_t size);

/* Appends the message "NAME: error: WHY [ERROR]". */
void
frontend_say(frontend_result *r, const char *name, const char *error, const char *why);

/* Appends a library's messages, lines of text; lines with an error get its name in brackets. */
void
frontend_say_all(frontend_result *r, const char *error, const char *lines);

/* A malloc'd copy with a zero byte; NULL if there is no memory. */
char *
frontend_copy_text(const char *text, size_t len);

#endif
