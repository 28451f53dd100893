/* Links one relocatable file (ET_REL), as a compiler writes it with -c, to a code object in memory.
 *
 * Sections get addresses, relocations of the kinds that the format lists are applied, and symbols
 * that may be replaced in other files get entries of a table of addresses (.got), so that the
 * result is what a linker makes of this file alone. Debug sections stay. A symbol that the file
 * does not define is an error that names it, unless it is weak, and so is a relocation that cannot
 * be resolved.
 */
#ifndef OBJECT_LINK_H
#define OBJECT_LINK_H

#include "object/read.h"

/* Appends the linked file to `out`. `r` has read its header. Fails with an OBJECT_* error. */
void
elf_link(elf_reader *r, base_buf *out);

#endif
