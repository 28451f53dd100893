/* Command streams as text. */
#ifndef GPU_PM4_DUMP_H
#define GPU_PM4_DUMP_H

#include "base/buf.h"

typedef enum gpu_dump_result {
    GPU_DUMP_OK,
    GPU_DUMP_MALFORMED,    /* the text says where and why */
    GPU_DUMP_NO_PROCESSOR, /* there is no processor of this name */
} gpu_dump_result;

/* Appends the packets of a stream of `count` dwords for a processor ("gfx1030"): for each its byte
 * offset, its name and fields, and the registers that it sets. A packet with too few words is
 * named, and reading goes on behind it; at one that cannot be read it ends. Padding in a row is one
 * line. */
gpu_dump_result
gpu_dump_stream(const char *processor, const uint32_t *dwords, uint32_t count, base_buf *out);

#endif
