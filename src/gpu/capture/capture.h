/* Captures: a submission with all that its execution depends on, as a file (docs/capture.md).
 *
 * Who executes a submission writes the state before it (gpu_capture_write) and, when it is over,
 * what became of it (gpu_capture_finish). The reader gives the same back; gpu_replay (replay.h)
 * executes it again without a driver.
 */
#ifndef GPU_CAPTURE_CAPTURE_H
#define GPU_CAPTURE_CAPTURE_H

#include "gpu/chip/chip.h"
#include "gpu/cp/cp.h"
#include "gpu/report/shader.h"

enum { GPU_CAPTURE_VERSION = 2 };

/* A piece of memory with a size of its own, which ranges of addresses show. */
typedef struct gpu_capture_buffer {
    uint8_t *host;
    uint64_t size;
    char name[32]; /* for messages */
    /* The next part at or behind `*from` that may hold something other than zeros; false if there
     * is none. NULL: all of it may. */
    bool (*next_data)(void *user, uint64_t *from, uint64_t *to);
    void *user;
} gpu_capture_buffer;

typedef struct gpu_capture_range {
    uint64_t address, size;
    uint32_t buffer; /* index */
    uint64_t offset; /* of the range's first byte in the buffer */
} gpu_capture_range;

/* Bytes of a buffer, or a dword that fills them. */
typedef struct gpu_capture_piece {
    uint32_t buffer;
    bool is_fill;
    uint32_t fill;
    uint64_t offset, size;
    const uint8_t *bytes;
} gpu_capture_piece;

/* A packet waited until something else had written memory: what that wrote, as pieces. */
typedef struct gpu_capture_wait {
    uint64_t packet; /* its address */
    uint32_t first, count;
} gpu_capture_wait;

/* How the submission ended. */
typedef struct gpu_capture_end {
    bool known;  /* otherwise the file has none: it did not end */
    bool waited; /* a packet waited until the submission was given up */
    bool failed; /* by `fault` */
    gpu_fault fault;
    const uint64_t *clock; /* the values that the GPU's clock had, in turn */
    uint32_t n_clock;
    const uint64_t *hashes; /* of each buffer, when it had ended */
} gpu_capture_end;

typedef struct gpu_capture {
    const gpu_chip *chip;
    char ring[16];
    uint64_t submission;
    bool is_copy;   /* of a copy engine */
    uint64_t seed;  /* of the waves' order */
    uint64_t limit; /* of instructions of waves, of a dispatch; 0: none */
    gpu_cp cp;      /* of which registers, bases and counts are the state */
    gpu_capture_buffer *buffers;
    uint32_t n_buffers;
    const gpu_capture_range *ranges; /* that do not overlap */
    uint32_t n_ranges;
    const gpu_capture_piece *pieces; /* of the reader: what the buffers hold; the rest is 0 */
    uint32_t n_pieces;
    const gpu_capture_wait *waits; /* of the reader, in turn; their pieces are the last ones */
    uint32_t n_waits;
    const gpu_ib *ibs;
    uint32_t n_ibs;
    const gpu_shader *shaders; /* that are known */
    uint32_t n_shaders;
    gpu_capture_end end;
} gpu_capture;

/* Where a file goes. False: it cannot be written. */
typedef bool
gpu_capture_put(void *user, const void *data, size_t size);

/* Writes the state before the submission. False if `put` has failed. */
bool
gpu_capture_write(const gpu_capture *c, gpu_capture_put *put, void *user);

/* Numbers made of the pages of all buffers, in `a`; of pages with zeros 0. */
const uint64_t *
gpu_capture_pages(const gpu_capture *c, arena *a);

/* What has changed while a packet waited. */
typedef struct gpu_capture_change {
    uint64_t packet;       /* its address */
    const uint64_t *pages; /* before, of the first `n_buffers` buffers */
    uint32_t n_buffers;    /* those behind are new, as are ranges behind the first `n_ranges` */
    uint32_t n_ranges;
} gpu_capture_change;

/* Writes new buffers and ranges, and the pages that differ. The packet goes on then. */
bool
gpu_capture_go_on(const gpu_capture *c, const gpu_capture_change *change, gpu_capture_put *put,
                  void *user);

/* Writes c->end behind that, but for the hashes, which are made of the buffers as they are now, and
 * are left out where a packet has waited. */
bool
gpu_capture_finish(const gpu_capture *c, gpu_capture_put *put, void *user);

/* Reads a file, whose bytes must live as long as `out`; the buffers' `host` is NULL. False, with a
 * message, if it is not a capture, or a wrong one. */
bool
gpu_capture_read(arena *a, const uint8_t *bytes, size_t size, gpu_capture *out, char message[160]);

/* Fills the buffers, whose `host` points to zeros, with what the file says. */
void
gpu_capture_fill(const gpu_capture *c);

/* The same for what was written during a wait. */
void
gpu_capture_fill_wait(const gpu_capture *c, const gpu_capture_wait *w);

/* A number made of a buffer's bytes. */
uint64_t
gpu_capture_hash(const gpu_capture_buffer *b);

#endif
