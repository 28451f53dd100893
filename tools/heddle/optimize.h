/* A C interface to the parts of SPIRV-Tools' optimizer (C++ only) that the program uses. */
#ifndef OPTIMIZE_H
#define OPTIMIZE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct optimize_result {
    int ok;
    uint32_t *words; /* malloc'd, if ok */
    size_t n_words;
    char message[256]; /* the error, if not ok */
} optimize_result;

/* Runs passes, named as on spirv-opt's command line ("--inline-entry-points-exhaustive", "-O"),
 * over a valid module for the environment `env`, a spv_target_env. */
optimize_result
optimize_spirv(const uint32_t *words, size_t n_words, int env, const char *const *flags,
               size_t n_flags);

#ifdef __cplusplus
}
#endif

#endif
