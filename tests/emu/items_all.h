/* All items (items_base.h), as a list: PLAIN(name) for those that are inlined, FUNCTION(name) for those that are functions of their own at
 * -O0, CALLING(name) for those that call functions at every level. */
#ifndef ITEMS_ALL_H
#define ITEMS_ALL_H

#include "items_base.h"

#include "items.h"

#include "items_int.h"

#include "items_convert.h"

#include "items_math.h"

#include "items_flow.h"

#include "items_calls.h"

#define ITEMS_ALL(PLAIN, FUNCTION, CALLING)                                                        \
    ITEMS(FUNCTION)                                                                                \
    ITEMS_INT(PLAIN)                                                                               \
    ITEMS_CONVERT(PLAIN)                                                                           \
    ITEMS_MATH(PLAIN)                                                                              \
    ITEMS_FLOW(PLAIN)                                                                              \
    ITEMS_CALLS(CALLING)                                                                           \
    ITEMS_SCRATCH(PLAIN)

#endif
