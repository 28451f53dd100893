/* Reads captures. Nothing in a file is believed: sizes, indices and addresses are checked before
 * they are used.
 */
#include "gpu/capture/capture.h"

#include "base/bits.h"
#include "gpu/capture/format.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What all buffers may have together. */
#define MAX_BYTES (UINT64_C(16) << 30)

enum { MAX_BUFFERS = 1 << 20 };

typedef struct reader {
    arena *a;
    gpu_capture *c;
    char *message;
    const uint8_t *at; /* of the chunk's content: what is left */
    uint64_t size;
    uint64_t offset;     /* of the chunk, for messages */
    uint64_t bytes;      /* of all buffers so far */
    uint32_t pieces_cap; /* rows for which there is room */
    uint32_t shaders_cap, buffers_cap, waits_cap;
    bool has_ibs;
} reader;

static bool
fail(reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = snprintf(r->message, 160, "at byte %" PRIu64 ": ", r->offset);
    vsnprintf(r->message + n, 160 - (size_t)n, format, args);
    va_end(args);
    return false;
}

static uint32_t
take_u32(reader *r)
{
    uint32_t v = (uint32_t)r->at[0] | (uint32_t)r->at[1] << 8 | (uint32_t)r->at[2] << 16 |
                 (uint32_t)r->at[3] << 24;
    r->at += 4;
    r->size -= 4;
    return v;
}

static uint64_t
take_u64(reader *r)
{
    uint64_t low = take_u32(r);
    return low | (uint64_t)take_u32(r) << 32;
}

/* A text in a field of `size` bytes, which is ended if it has no end. Control characters, which
 * would reach the terminal, become dots. */
static void
take_text(reader *r, char *out, size_t size)
{
    memcpy(out, r->at, size);
    out[size - 1] = 0;
    for (char *c = out; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 127 ? '.' : *c;
    r->at += size;
    r->size -= size;
}

/* The rows of a list whose chunk must be whole rows; UINT32_MAX, with a message, if it is not. */
static uint32_t
count_rows(reader *r, const char *what, unsigned row)
{
    uint64_t n = r->size / row;
    if (r->size % row == 0 && n < UINT32_MAX)
        return (uint32_t)n;
    fail(r, "the list of %s has %" PRIu64 " bytes, which are no whole rows", what, r->size);
    return UINT32_MAX;
}

static bool
has_size(reader *r, const char *what, unsigned size)
{
    return r->size >= size ||
           fail(r, "%s has %" PRIu64 " bytes instead of %u", what, r->size, size);
}

/* Makes room for one row more. */
static void *
grow(reader *r, const void *rows, uint32_t n, uint32_t *cap, size_t row)
{
    if (n < *cap)
        return (void *)(uintptr_t)rows;
    *cap = *cap ? *cap * 2 : 16;
    void *more = arena_zalloc(r->a, *cap * row);
    if (n)
        memcpy(more, rows, n * row);
    return more;
}

/* ---- chunks ---- */

static bool
read_info(reader *r)
{
    char chip[32];
    if (!has_size(r, "the head", GPU_INFO_SIZE))
        return false;
    if (r->c->chip)
        return fail(r, "a second head");
    take_text(r, chip, sizeof chip);
    take_text(r, r->c->ring, sizeof r->c->ring);
    r->c->submission = take_u64(r);
    r->c->seed = take_u64(r);
    r->c->chip = gpu_chip_find(chip);
    if (!r->c->chip)
        return fail(r, "there is no chip '%s'", chip);
    const gpu_cp_hooks none = {0};
    return gpu_cp_init(&r->c->cp, r->c->chip->processor, &none, r->a) ||
           fail(r, "there is no processor '%s'", r->c->chip->processor);
}

static bool
read_state(reader *r)
{
    gpu_cp *cp = &r->c->cp;
    if (!has_size(r, "the state", GPU_STATE_SIZE))
        return false;
    cp->dispatches = take_u64(r);
    cp->draws = take_u64(r);
    cp->invocations = take_u64(r);
    r->c->limit = take_u64(r);
    for (unsigned k = 0; k < GPU_CP_BASES; k++)
        cp->bases[k] = take_u64(r);
    r->c->is_copy = r->size >= GPU_STATE_MORE && take_u32(r);
    return true;
}

static bool
read_registers(reader *r)
{
    uint32_t n = count_rows(r, "registers", GPU_REGISTER_SIZE);
    for (uint32_t k = 0; n != UINT32_MAX && k < n; k++) {
        uint32_t address = take_u32(r), value = take_u32(r);
        uint32_t *at = amd_hw_register_at(&r->c->cp.registers, address);
        if (!at)
            return fail(r, "there is no register 0x%" PRIx32, address);
        *at = value;
    }
    return n != UINT32_MAX;
}

static bool
read_buffer(reader *r)
{
    gpu_capture *c = r->c;
    if (!has_size(r, "a buffer", GPU_BUFFER_SIZE))
        return false;
    gpu_capture_buffer b = {0};
    uint32_t k = take_u32(r);
    take_u32(r);
    b.size = take_u64(r);
    take_text(r, b.name, sizeof b.name);
    if (c->end.hashes)
        return fail(r, "a buffer behind the hashes of all");
    if (k != c->n_buffers || k >= MAX_BUFFERS)
        return fail(r, "buffer %" PRIu32 " where buffer %" PRIu32 " is expected", k, c->n_buffers);
    if (!b.size || b.size > MAX_BYTES - r->bytes)
        return fail(r,
                    "buffer %" PRIu32 " has %" PRIu64 " bytes: none, or too many with the others",
                    k, b.size);
    r->bytes += b.size;
    c->buffers = grow(r, c->buffers, k, &r->buffers_cap, sizeof b);
    c->buffers[c->n_buffers++] = b;
    return true;
}

/* Is [offset, offset + size) inside buffer `k`? */
static bool
is_inside(reader *r, uint32_t k, uint64_t offset, uint64_t size)
{
    if (k >= r->c->n_buffers)
        return fail(r, "there is no buffer %" PRIu32, k);
    uint64_t all = r->c->buffers[k].size;
    return (offset <= all && size <= all - offset) ||
           fail(r, "buffer %" PRIu32 " has no %" PRIu64 " bytes from 0x%" PRIx64, k, size, offset);
}

static bool
read_data(reader *r)
{
    gpu_capture *c = r->c;
    gpu_capture_piece p = {0};
    if (!has_size(r, "data", GPU_DATA_SIZE))
        return false;
    p.buffer = take_u32(r);
    uint32_t kind = take_u32(r);
    p.offset = take_u64(r);
    p.size = take_u64(r);
    p.is_fill = kind == 1;
    if (kind > 1)
        return fail(r, "data of kind %" PRIu32, kind);
    if (r->size < (p.is_fill ? 4 : p.size))
        return fail(r, "data of %" PRIu64 " bytes in a chunk with %" PRIu64, p.size, r->size);
    if (!is_inside(r, p.buffer, p.offset, p.size))
        return false;
    p.bytes = r->at;
    if (p.is_fill)
        p.fill = take_u32(r);
    gpu_capture_piece *all = grow(r, c->pieces, c->n_pieces, &r->pieces_cap, sizeof p);
    all[c->n_pieces++] = p;
    c->pieces = all;
    if (c->n_waits)
        ((gpu_capture_wait *)(uintptr_t)c->waits)[c->n_waits - 1].count++;
    return true;
}

/* The data behind it is written while the packet waits. */
static bool
read_wait(reader *r)
{
    gpu_capture *c = r->c;
    gpu_capture_wait w = {.first = c->n_pieces};
    if (!has_size(r, "a wait", GPU_WAIT_SIZE))
        return false;
    w.packet = take_u64(r);
    gpu_capture_wait *all = grow(r, c->waits, c->n_waits, &r->waits_cap, sizeof w);
    all[c->n_waits++] = w;
    c->waits = all;
    return true;
}

static bool
read_ranges(reader *r)
{
    uint32_t n = count_rows(r, "ranges", GPU_RANGE_SIZE);
    if (n == UINT32_MAX)
        return false;
    uint32_t before = r->c->n_ranges; /* those of buffers that were mapped later follow */
    gpu_capture_range *all = ARENA_ARRAY(r->a, before + n, gpu_capture_range);
    if (before)
        memcpy(all, r->c->ranges, before * sizeof *all);
    for (uint32_t k = 0; k < n; k++) {
        gpu_capture_range *g = &all[before + k];
        g->address = take_u64(r);
        g->size = take_u64(r);
        g->buffer = take_u32(r);
        take_u32(r);
        g->offset = take_u64(r);
        if (!g->size || (g->address | g->offset) % GPU_CAPTURE_PAGE)
            return fail(r, "a range has no bytes, or does not begin at a page");
        if (!is_inside(r, g->buffer, g->offset, g->size))
            return false;
    }
    r->c->ranges = all;
    r->c->n_ranges = before + n;
    return true;
}

static bool
read_shader(reader *r)
{
    gpu_capture *c = r->c;
    gpu_shader s = {0};
    if (!has_size(r, "a pipeline", GPU_SHADER_SIZE))
        return false;
    s.entry = take_u64(r);
    s.pipeline = take_u64(r);
    s.module = take_u64(r);
    take_text(r, s.name, sizeof s.name);
    take_text(r, s.module_name, sizeof s.module_name);
    take_text(r, s.stage, sizeof s.stage);
    take_text(r, s.entry_point, sizeof s.entry_point);
    take_text(r, s.source, sizeof s.source);
    for (unsigned k = 0; k < GPU_LINE_KINDS; k++) {
        for (unsigned j = 0; j < GPU_LINES_OF_KIND; j++)
            s.lines[k][j] = take_u32(r);
    }
    gpu_shader *all = grow(r, c->shaders, c->n_shaders, &r->shaders_cap, sizeof s);
    all[c->n_shaders++] = s;
    c->shaders = all;
    return true;
}

static bool
read_streams(reader *r)
{
    uint32_t n = count_rows(r, "streams", GPU_IB_SIZE);
    if (n == UINT32_MAX)
        return false;
    gpu_ib *all = ARENA_ARRAY(r->a, n, gpu_ib);
    for (uint32_t k = 0; k < n; k++) {
        all[k].address = take_u64(r);
        all[k].dwords = take_u32(r);
        take_u32(r);
    }
    r->c->ibs = all;
    r->c->n_ibs = n;
    r->has_ibs = true;
    return true;
}

/* A list of numbers of 64 bits. */
static const uint64_t *
read_numbers(reader *r, uint32_t n)
{
    uint64_t *all = ARENA_ARRAY(r->a, n, uint64_t);
    for (uint32_t k = 0; k < n; k++)
        all[k] = take_u64(r);
    return all;
}

static bool
read_clock(reader *r)
{
    uint32_t n = count_rows(r, "times", 8);
    if (n == UINT32_MAX)
        return false;
    r->c->end.clock = read_numbers(r, n);
    r->c->end.n_clock = n;
    return true;
}

static bool
read_hashes(reader *r)
{
    if (r->size / 8 != r->c->n_buffers)
        return fail(r, "there are %" PRIu64 " hashes of %" PRIu32 " buffers", r->size / 8,
                    r->c->n_buffers);
    r->c->end.hashes = read_numbers(r, r->c->n_buffers);
    return true;
}

static bool
read_end(reader *r)
{
    gpu_capture_end *e = &r->c->end;
    if (!has_size(r, "the end", GPU_END_SIZE))
        return false;
    e->failed = take_u32(r);
    e->waited = take_u32(r);
    e->fault.address = take_u64(r);
    take_text(r, e->fault.message, sizeof e->fault.message);
    e->known = true;
    return true;
}

static bool
read_chunk(reader *r, uint32_t tag)
{
    static const struct {
        uint32_t tag;
        bool (*read)(reader *r);
    } chunks[] = {
        {GPU_CHUNK_STATE, read_state},   {GPU_CHUNK_REGISTER, read_registers},
        {GPU_CHUNK_BUFFER, read_buffer}, {GPU_CHUNK_DATA, read_data},
        {GPU_CHUNK_RANGE, read_ranges},  {GPU_CHUNK_SHADER, read_shader},
        {GPU_CHUNK_IB, read_streams},    {GPU_CHUNK_CLOCK, read_clock},
        {GPU_CHUNK_HASH, read_hashes},   {GPU_CHUNK_END, read_end},
        {GPU_CHUNK_WAIT, read_wait},
    };
    if (tag == GPU_CHUNK_INFO)
        return read_info(r);
    if (!r->c->chip)
        return fail(r, "the file does not begin with its head");
    for (unsigned k = 0; k < sizeof chunks / sizeof *chunks; k++) {
        if (chunks[k].tag == tag)
            return chunks[k].read(r);
    }
    return true; /* of a later version */
}

static bool
read_head(reader *r)
{
    if (r->size < GPU_CAPTURE_HEAD || memcmp(r->at, GPU_CAPTURE_MAGIC, 8) != 0)
        return fail(r, "it is no capture");
    r->at += 8;
    r->size -= 8;
    uint32_t version = take_u32(r);
    take_u32(r);
    return (version && version <= GPU_CAPTURE_VERSION) ||
           fail(r, "version %" PRIu32 ", but only those up to %u are known", version,
                (unsigned)GPU_CAPTURE_VERSION);
}

bool
gpu_capture_read(arena *a, const uint8_t *bytes, size_t size, gpu_capture *out, char message[160])
{
    reader r = {.a = a, .c = out, .message = message, .at = bytes, .size = size};
    memset(out, 0, sizeof *out);
    if (!read_head(&r))
        return false;
    for (uint64_t at = GPU_CAPTURE_HEAD; at < size;) {
        r.offset = at;
        r.at = bytes + at;
        r.size = size - at;
        if (r.size < GPU_CHUNK_HEAD)
            return fail(&r, "the file is cut off");
        uint32_t tag = take_u32(&r);
        take_u32(&r);
        uint64_t content = take_u64(&r);
        if (content > r.size)
            return fail(&r, "the file is cut off: a chunk has %" PRIu64 " bytes more",
                        content - r.size);
        r.size = content;
        if (!read_chunk(&r, tag))
            return false;
        at += GPU_CHUNK_HEAD + content;
        at += -at & 7;
    }
    r.offset = size;
    return r.has_ibs || fail(&r, "the file is cut off: it has no streams");
}

static void
fill_pieces(const gpu_capture *c, uint32_t first, uint32_t count)
{
    for (uint32_t k = first; k < first + count; k++) {
        const gpu_capture_piece *p = &c->pieces[k];
        uint8_t *at = c->buffers[p->buffer].host + p->offset;
        if (!p->is_fill)
            memcpy(at, p->bytes, p->size);
        for (uint64_t b = 0; p->is_fill && b < p->size; b++)
            at[b] = (uint8_t)(p->fill >> 8 * (b & 3));
    }
}

void
gpu_capture_fill(const gpu_capture *c)
{
    fill_pieces(c, 0, c->n_waits ? c->waits[0].first : c->n_pieces);
}

void
gpu_capture_fill_wait(const gpu_capture *c, const gpu_capture_wait *w)
{
    fill_pieces(c, w->first, w->count);
}
