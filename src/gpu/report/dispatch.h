/* A dispatch as text: its launch state, shader and descriptors. */
#ifndef GPU_REPORT_DISPATCH_H
#define GPU_REPORT_DISPATCH_H

#include "gpu/report/report.h"

enum { GPU_DESCRIPTORS_OF_DISPATCH = 128 };

/* The descriptors that a dispatch has used, each once for an instruction. */
typedef struct gpu_descriptors {
    mach_descriptor all[GPU_DESCRIPTORS_OF_DISPATCH];
    uint32_t n;
    uint64_t left_out; /* for which there was no room */
} gpu_descriptors;

/* Adds one, unless it is there. */
void
gpu_note_descriptor(gpu_descriptors *s, const mach_descriptor *d);

/* Appends the dispatch's state: pipeline, registers, user SGPRs and where they may point, the code
 * if `with_code`, and the descriptors. */
void
gpu_print_dispatch(const gpu_run *run, const gpu_shader *shader, const gpu_descriptors *used,
                   bool with_code, base_buf *out);

#endif
