/* The file: a head, and chunks (docs/capture.md). Numbers are little-endian. */
#ifndef GPU_CAPTURE_FORMAT_H
#define GPU_CAPTURE_FORMAT_H

#include "gpu/report/shader.h"

#define GPU_CAPTURE_MAGIC "HEDDLEGC"

/* A chunk's name, as a number. */
#define GPU_TAG(a, b, c, d)                                                                        \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum {
    GPU_CAPTURE_HEAD = 16, /* bytes: magic, version, 0 */
    GPU_CHUNK_HEAD = 16,   /* name, 0, size of the content; which is filled up to 8 */
    GPU_CAPTURE_PAGE = 4096,
};

/* Sizes of the rows of chunks that are lists, and of the parts of others before what varies. */
enum {
    GPU_INFO_SIZE = 32 + 16 + 2 * 8,
    GPU_STATE_SIZE = 4 * 8 + 4 * 8, /* then, from version 2 on, the kind and 0 */
    GPU_STATE_MORE = 8,
    GPU_WAIT_SIZE = 8,
    GPU_REGISTER_SIZE = 8,
    GPU_BUFFER_SIZE = 16 + 32,
    GPU_DATA_SIZE = 24,
    GPU_RANGE_SIZE = 32,
    GPU_IB_SIZE = 16,
    GPU_SHADER_SIZE = 3 * 8 + 64 + 64 + 16 + 64 + 160 + 4 * GPU_LINE_KINDS * GPU_LINES_OF_KIND,
    GPU_END_SIZE = 16 + 320,
};

#define GPU_CHUNK_INFO     GPU_TAG('I', 'N', 'F', 'O')
#define GPU_CHUNK_STATE    GPU_TAG('S', 'T', 'A', 'T')
#define GPU_CHUNK_REGISTER GPU_TAG('R', 'E', 'G', 'S')
#define GPU_CHUNK_BUFFER   GPU_TAG('B', 'U', 'F', 'F')
#define GPU_CHUNK_DATA     GPU_TAG('D', 'A', 'T', 'A')
#define GPU_CHUNK_RANGE    GPU_TAG('R', 'A', 'N', 'G')
#define GPU_CHUNK_SHADER   GPU_TAG('S', 'H', 'D', 'R')
#define GPU_CHUNK_IB       GPU_TAG('I', 'B', 'S', ' ')
#define GPU_CHUNK_WAIT     GPU_TAG('W', 'A', 'I', 'T')
#define GPU_CHUNK_CLOCK    GPU_TAG('C', 'L', 'K', 'S')
#define GPU_CHUNK_HASH     GPU_TAG('H', 'A', 'S', 'H')
#define GPU_CHUNK_END      GPU_TAG('D', 'O', 'N', 'E')

#endif
