/* The subset of YAML used for metadata of code objects: block maps and sequences by indentation,
 * plain or quoted scalars, flow sequences and maps on one line. No anchors, tags, multi-line
 * scalars, or directives.
 *
 * Source: YAML 1.2.2, chapters 7 and 8; LLVM 19, docs/AMDGPUUsage.rst, ".amdgpu_metadata".
 */
#ifndef OBJECT_YAML_H
#define OBJECT_YAML_H

#include "object/pack.h"

/* Reads one document. Plain scalars that look like integers or booleans are read as such; all
 * others are texts. Errors are reported at d->loc, counting lines from its line at the call. Fails
 * with OBJECT_BAD_YAML. */
const pack_value *
yaml_read(diag *d, arena *a, const char *text, size_t size);

/* Appends a value as a document between "---" and "...", which yaml_read reads back. */
void
yaml_write(const pack_value *v, base_buf *out);

#endif
