/* Changes a few instructions of SPIR-V: exchanges ids, replaces literals and opcodes, removes
 * instructions. Such modules get further into the compiler than those with changed bytes. */
#ifndef FUZZ_SPIRV_CHANGE_H
#define FUZZ_SPIRV_CHANGE_H

#include <stddef.h>
#include <stdint.h>

/* Calls `run` with the input's words as they are (copy 0) and, if they are a sequence of whole
 * instructions, with `copies` copies (1 and up) in which one to three instructions are changed. The
 * changes depend on the words and on `salt`. */
void
spirv_change_each(const uint8_t *data, size_t size, unsigned copies, uint64_t salt,
                  void (*run)(const uint32_t *words, size_t n, unsigned copy));

#endif
