/* One fuzz target per program. Each is built twice: with driver.c (seeded mutation, a fixed number
 * of runs, in every `make check`), and with clang's libFuzzer (-Dfuzzers=true), which searches for
 * new paths.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's entry point: takes any bytes, returns 0; a fault is a finding. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The `index`th initial input, from malloc, for targets that generate them; NULL after the last.
 * Targets whose initial inputs are files return NULL. */
uint8_t *
fuzz_seed(int index, size_t *size);

#endif
