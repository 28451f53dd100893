/* The list of all items (items_base.h): PLAIN(name) for inlined ones, FUNCTION(name) for those that
 * are separate functions at -O0, CALLING(name) for those that call functions at every level. */
#ifndef ITEMS_ALL_H
#define ITEMS_ALL_H

#include "items_base.h"

#include "items.h"

#include "items_int.h"

#include "items_convert.h"

#include "items_math.h"

#include "items_flow.h"

#include "items_calls.h"

#include "items_wide.h"

#define ITEMS_ALL(PLAIN, FUNCTION, CALLING)                                                        \
    ITEMS(FUNCTION)                                                                                \
    ITEMS_INT(PLAIN)                                                                               \
    ITEMS_CONVERT(PLAIN)                                                                           \
    ITEMS_MATH(PLAIN)                                                                              \
    ITEMS_FLOW(PLAIN)                                                                              \
    ITEMS_CALLS(CALLING)                                                                           \
    ITEMS_SCRATCH(PLAIN)                                                                           \
    ITEMS_WIDE(PLAIN)                                                                              \
    ITEMS_WIDE_CALLS(CALLING)

/* For these there are also kernels in which all items do the same. */
#define ITEMS_UNIFORM(X)                                                                           \
    X(arith)                                                                                       \
    X(bits)                                                                                        \
    X(wide)                                                                                        \
    X(convert)                                                                                     \
    X(choose)                                                                                      \
    X(early)                                                                                       \
    X(ops8)                                                                                        \
    X(ops16)                                                                                       \
    X(ops32)                                                                                       \
    X(ops64)                                                                                       \
    X(divide16)                                                                                    \
    X(divide_wide)                                                                                 \
    X(divide_constants)                                                                            \
    X(saturate16)                                                                                  \
    X(saturate32)                                                                                  \
    X(saturate64)                                                                                  \
    X(rotate)                                                                                      \
    X(count)                                                                                       \
    X(bitfields)                                                                                   \
    X(mul_high)                                                                                    \
    X(mad24)                                                                                       \
    X(extremes)                                                                                    \
    X(distances)                                                                                   \
    X(shorts2)                                                                                     \
    X(logic)                                                                                       \
    X(byte_order)                                                                                  \
    X(three_operands)                                                                              \
    X(int_to_float)                                                                                \
    X(float_to_int)                                                                                \
    X(long_to_float)                                                                               \
    X(directed)                                                                                    \
    X(float_widths)                                                                                \
    X(fma32)                                                                                       \
    X(rounding32)                                                                                  \
    X(scale)                                                                                       \
    X(classify)                                                                                    \
    X(fminmax)                                                                                     \
    X(denormals)                                                                                   \
    X(signs)                                                                                       \
    X(half_math)                                                                                   \
    X(half_compare)                                                                                \
    X(deep_if)                                                                                     \
    X(exits)                                                                                       \
    X(bytecode)                                                                                    \
    X(queens)                                                                                      \
    X(loop_switch)                                                                                 \
    X(int128)                                                                                      \
    X(overflow)                                                                                    \
    X(switch_values)

#endif
