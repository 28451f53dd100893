/* Sets of an integer's values: those for which a condition holds. A set is a few runs lo .. hi in
 * ascending order, of unsigned numbers. */
#ifndef OPT_VALUE_SET_H
#define OPT_VALUE_SET_H

#include "ir/builder.h"

enum { OPT_MAX_RUNS = 8 };

typedef struct opt_value_run {
    uint64_t lo, hi;
} opt_value_run;

typedef struct opt_value_set {
    opt_value_run at[OPT_MAX_RUNS];
    unsigned n;
} opt_value_set;

/* All numbers of so many bits. */
opt_value_set
opt_values_all(unsigned bits);

/* The other numbers of so many bits; numbers in both sets. False if there are too many runs. */
bool
opt_values_invert(const opt_value_set *s, unsigned bits, opt_value_set *out);
bool
opt_values_intersect(const opt_value_set *a, const opt_value_set *b, opt_value_set *out);

/* The integer that the condition compares with constants, or NONE. */
ir_ref
opt_tested_value(const ir_fn *f, ir_ref cond);

/* The values of `x` for which the condition holds. False if it tests something else too, or in
 * another way. */
bool
opt_values_for(const ir_fn *f, ir_ref cond, ir_ref x, opt_value_set *out);

/* Builds the condition that `x` is in the set, which has one run at least. */
ir_ref
opt_values_test(ir_builder *b, ir_ref x, const opt_value_set *s, unsigned bits);

#endif
