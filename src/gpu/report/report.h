/* The findings of a dispatch as text and as JSON: which submission and dispatch it was, whose
 * pipeline, what the checkers say, and the code around each instruction concerned.
 */
#ifndef GPU_REPORT_REPORT_H
#define GPU_REPORT_REPORT_H

#include "base/buf.h"
#include "gpu/cp/launch.h"
#include "gpu/report/shader.h"

/* Appends the line that says which dispatch it is, and one with the pipeline. */
void
gpu_print_run_head(const gpu_run *run, const gpu_shader *shader, base_buf *out);

/* Fills in the shader whose code begins at an address or next before it, which `entry` says then;
 * false: none is known. */
typedef struct gpu_shaders {
    bool (*find)(void *user, uint64_t address, gpu_shader *out);
    void *user;
} gpu_shaders;

/* The shader that a dispatch, or that one of a draw's programs, runs: of the program at its entry,
 * or of the part that this goes on with. NULL: nobody knows whose it is. */
const gpu_shader *
gpu_shader_of(const gpu_run *run, const gpu_shaders *shaders, gpu_shader *own);

/* Appends a dispatch with its findings, a line each, by cause, and below each the code around the
 * instruction; for a conflict with another dispatch, that one's, too. */
void
gpu_print_run(const gpu_run *run, const gpu_shaders *shaders, base_buf *out);

/* Appends the same as a JSON object on one line. */
void
gpu_print_run_json(const gpu_run *run, const gpu_shaders *shaders, base_buf *out);

/* Appends the conflict of a packet with earlier work, the same. */
void
gpu_print_packet_conflict(amd_gen gen, const gpu_conflict *c, const mach_memory *m,
                          const gpu_shaders *shaders, base_buf *out);
void
gpu_print_packet_conflict_json(amd_gen gen, const gpu_conflict *c, const mach_memory *m,
                               const gpu_shaders *shaders, base_buf *out);

/* Appends a JSON string. */
void
gpu_print_json_string(const char *text, base_buf *out);

#endif
