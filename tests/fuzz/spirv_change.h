/* SPIR-V with a few instructions changed: ids exchanged, literals and opcodes replaced, instructions
 * left out. Such modules get further into the compiler than those with changed bytes. */
#ifndef FUZZ_SPIRV_CHANGE_H
#define FUZZ_SPIRV_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of random numbers that begins with the words themselves. */
uint64_t
spirv_change_seed(const uint32_t *words, size_t n);

/* Changes one to three instructions; false if the words are no row of whole instructions. */
bool
spirv_change(uint32_t *words, size_t n, uint64_t *state);

#endif
