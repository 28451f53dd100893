/* The table of families: the only file outside a back end that names one. */
#include "families/families.h"

#define FAMILY(prefix) extern const family prefix##_family;
#include "families/families.def"
#undef FAMILY

const family *const families[] = {
#define FAMILY(prefix) &prefix##_family,
#include "families/families.def"
#undef FAMILY
    NULL,
};
