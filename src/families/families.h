/* The families that are linked in, and look-ups over all of them.
 *
 * families.c holds the table alone. A program that defines `families` itself, such as a test of a
 * made-up family, gets its own table and the look-ups of find.c.
 */
#ifndef FAMILIES_FAMILIES_H
#define FAMILIES_FAMILIES_H

#include "family/family.h"

/* Terminated by NULL. */
extern const family *const families[];

/* Fills in target number `index` of all families, from 0. Returns false if there is none. */
bool
families_get_target(uint32_t index, family_target *out);

/* Finds a target by its name, or by one of its other names if no other target has that too; NULL is
 * no name. Other names are compared without case, spaces, dashes, makers and series: "navi21",
 * "RX 6800" and "AMD Radeon RX 6800 (RADV NAVI21)" are gfx1030. Returns false if there is none. */
bool
families_find_target(const char *name, family_target *out);

/* Says what to write instead of a name that families_find_target does not find: the targets that it
 * may be, or the nearest names. Writes a text that fits `room`. Returns true if it is ambiguous. */
bool
families_explain_target(const char *name, char *out, size_t room);

/* The name of the target that is used if none is named: that of the first family that has one; NULL
 * if none has. */
const char *
families_default_target(void);

/* The sum of the wave sizes that the targets have. */
uint32_t
families_wave_sizes(void);

/* Reads a code object as its family does. Bytes that no family owns are read by the first one
 * that reads objects, which says what is wrong with them. Fails with an OBJECT_* error. */
void
families_read_object(diag *d, arena *a, const void *bytes, size_t size, obj_file *out);

/* The name of pass number `index`, from 0, of the pipelines of all families, each name once, then
 * of their phases behind the pipelines; NULL after the last. */
const char *
families_pass(uint32_t index);

#endif
