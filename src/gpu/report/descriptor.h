/* Descriptors as text: what their words mean, and which memory they lead to. */
#ifndef GPU_REPORT_DESCRIPTOR_H
#define GPU_REPORT_DESCRIPTOR_H

#include "amd/isa/isa.h"
#include "base/buf.h"
#include "machine/memory.h"
#include "machine/watch.h"

/* Appends the fields of a V#, T# or S# on one line, without its end. `m` names the buffer at its
 * base. */
void
gpu_print_descriptor(amd_gen gen, const mach_descriptor *d, const mach_memory *m, base_buf *out);

#endif
