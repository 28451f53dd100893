/* A script that runs a module on memory made from its declarations, so that devices can be compared
 * without one that a person wrote. */
#ifndef MODULE_SCRIPT_H
#define MODULE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the script to `path`. Its shader is a stand-in: the runner replaces it by the module
 * (run_options.spirv). Buffers hold series of small integers. Returns false after a message
 * ([BISECT_MODULE]) if the module is no compute shader of buffers alone; `name` is the input's. */
bool
module_script_write(const char *path, const char *name, const uint32_t *words, size_t n_words);

#endif
