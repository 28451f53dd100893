/* Results of the Vulkan driver, kept in a folder from one run of the differential fuzzer to the
 * next: the driver is the slowest device and changes least.
 *
 * Each result is a file named by a 128-bit hash of everything the result depends on: the program's
 * text, its SPIR-V, the driver and its version. Files are created atomically, so a run that is
 * interrupted at any time leaves a valid cache.
 */
#ifndef FUZZ_DIFF_CACHE_H
#define FUZZ_DIFF_CACHE_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct diff_cache {
    const char *folder; /* NULL: nothing is kept */
    const char *driver; /* its name and version */
} diff_cache;

/* The path of a result's file, in `a`. */
const char *
diff_cache_path(const diff_cache *c, arena *a, const char *text, const uint32_t *spirv,
                size_t n_words);

/* Reads exactly `n` words; false if there is no such result. */
bool
diff_cache_get(const char *path, uint32_t *words, size_t n);

/* Stores a result; errors are ignored. */
void
diff_cache_put(const char *path, const uint32_t *words, size_t n);

#endif
