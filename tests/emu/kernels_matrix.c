/* References of kernels_matrix.cl. */
#include "kernel_test.h"

static i32
term(const u32 *words, u32 base, u32 at, u32 k)
{
    return (i32)(words[(base + at + k * 32) % KERNEL_ITEMS] >> (k & 7) & 15);
}

/* A value of the product of a wave's matrices: 3 plus a sum of `terms` products; `less` is
 * subtracted from the first factor. */
static i32
product(const u32 *a, const u32 *b, u32 base, u32 row, u32 column, u32 terms, i32 less)
{
    i32 sum = 3;
    for (u32 k = 0; k < terms; k++)
        sum += (term(a, base, row, k) - less) * term(b, base, column, k);
    return sum;
}

/* The bits of a value in the result's type. */
enum { AS_FLOAT, AS_INT, AS_DOUBLE };

static void
fold_product(const kernel_trial *t, const u32 *a, const u32 *b, u32 *out, u32 terms, i32 less,
             int as)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 base = i / t->wave * t->wave, column = i - base;
        for (u32 row = 0; row < 16 && column < 16; row++) {
            i32 v = product(a, b, base, row, column, terms, less);
            out[i] += mix(12345, as == AS_INT     ? (u32)v
                                 : as == AS_FLOAT ? f32_bits((float)v)
                                                  : f64_bits((double)v));
        }
    }
}

REFERENCE(matrix_half)
{
    fold_product(t, a, b, out, 16, 0, AS_FLOAT);
}

REFERENCE(matrix_bytes)
{
    fold_product(t, a, b, out, t->gen == AMD_GFX942 ? 32 : 16, 8, AS_INT);
}

REFERENCE(matrix_float)
{
    fold_product(t, a, b, out, 4, 0, AS_FLOAT);
}

REFERENCE(matrix_double)
{
    fold_product(t, a, b, out, 4, 0, AS_DOUBLE);
}

#define MFMA (GENS_ONE(GFX908) | GENS_ONE(GFX90A) | GENS_ONE(GFX942))

const kernel_row kernel_matrix[] = {
    {ROW(matrix_half), .gens = MFMA | GENS_FROM(GFX11)},
    {ROW(matrix_bytes), .gens = MFMA | GENS_FROM(GFX11)},
    {ROW(matrix_float), .gens = MFMA},
    {ROW(matrix_double), .gens = GENS_ONE(GFX90A) | GENS_ONE(GFX942)},
    {.name = NULL},
};
