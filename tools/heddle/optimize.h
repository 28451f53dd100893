/* SPIRV-Tools' optimizer, whose interface is C++ alone: what of it the program uses, for C. */
#ifndef OPTIMIZE_H
#define OPTIMIZE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct optimize_result {
    int ok;
    uint32_t *words; /* malloc'd, where ok */
    size_t n_words;
    char message[256]; /* what is wrong, where not */
} optimize_result;

/* Runs passes as the command line of spirv-opt names them ("--inline-entry-points-exhaustive", "-O")
 * over a valid module of the environment `env`, a spv_target_env. */
optimize_result
optimize_spirv(const uint32_t *words, size_t n_words, int env, const char *const *flags,
               size_t n_flags);

#ifdef __cplusplus
}
#endif

#endif
