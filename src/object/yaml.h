/* YAML, as far as the metadata of code objects is written in it: block maps and sequences by
 * indentation, scalars plain or in quotes, flow sequences and maps on one line. No anchors, tags,
 * multi-line scalars, or directives.
 *
 * Source: YAML 1.2.2, chapters 7 and 8; LLVM 19, docs/AMDGPUUsage.rst, ".amdgpu_metadata".
 */
#ifndef OBJECT_YAML_H
#define OBJECT_YAML_H

#include "object/pack.h"

/* Reads one document. Plain scalars that look so are integers and booleans; all others are texts.
 * Errors are reported at d->loc, whose line is counted on from the line that it has at the call.
 * Fails with OBJECT_BAD_YAML. */
const pack_value *
yaml_read(diag *d, arena *a, const char *text, size_t size);

/* Appends a value as a document between "---" and "...", which yaml_read reads back. */
void
yaml_write(const pack_value *v, base_buf *out);

#endif
