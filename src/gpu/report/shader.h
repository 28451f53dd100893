/* What a launcher knows of a shader beside its code: the application's pipeline that it belongs to,
 * as who stands between the application and the driver has seen it. Texts are cut where they are
 * too long.
 */
#ifndef GPU_REPORT_SHADER_H
#define GPU_REPORT_SHADER_H

#include <stdbool.h>
#include <stdint.h>

/* What a line of a module's source does to memory, as far as its instructions say. */
typedef enum gpu_line_kind {
    GPU_LINE_BUFFER_LOAD,
    GPU_LINE_BUFFER_STORE,
    GPU_LINE_BUFFER_ATOMIC,
    GPU_LINE_SHARED_LOAD,
    GPU_LINE_SHARED_STORE,
    GPU_LINE_SHARED_ATOMIC,
    GPU_LINE_IMAGE_LOAD, /* samples, too */
    GPU_LINE_IMAGE_STORE,
    GPU_LINE_IMAGE_ATOMIC,
    GPU_LINE_BARRIER,
    GPU_LINE_KINDS,
} gpu_line_kind;

enum { GPU_LINES_OF_KIND = 12 };

typedef struct gpu_shader {
    uint64_t entry;       /* address of the code, as of amd_emu_dispatch */
    uint64_t pipeline;    /* handle of the application; 0: it is a shader object */
    uint64_t module;      /* the same; 0: none of its own; or the shader object */
    char name[64];        /* the pipeline's, by the application; "": none */
    char module_name[64]; /* the same of the module */
    char stage[16];       /* "compute" */
    char entry_point[64]; /* of the module */
    char source[160];     /* the file that the module was made from, by its debug info; "" */
    /* Lines of the source with instructions of each kind, as the module's debug info says, 0 behind
     * the last; only the first of them if there are more. */
    uint32_t lines[GPU_LINE_KINDS][GPU_LINES_OF_KIND];
} gpu_shader;

/* How far an address is behind the beginning of the shader's code; UINT64_MAX: nobody knows where
 * that is. Of `entry` bits 39:8 are known, which COMPUTE_PGM_LO has; a driver sets the upper ones
 * once for all shaders. 0 is no address. */
static inline uint64_t
gpu_shader_offset(const gpu_shader *s, uint64_t address)
{
    const uint64_t known = UINT64_C(0xffffffffff);
    return s->entry ? (address - s->entry) & known : UINT64_MAX;
}

#endif
