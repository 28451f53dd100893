/* How near names are to each other, for messages about unknown ones. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* The number of letters to insert, drop or replace to get one name from the other (Levenshtein
 * 1965), without regard to case. Of `a` only the first 64 letters count. */
unsigned
base_edit_distance(const char *a, size_t a_size, const char *b, size_t b_size);

#endif
