/* Writes captures. */
#include "gpu/capture/capture.h"

#include "base/buf.h"
#include "gpu/capture/format.h"

#include <string.h>

typedef struct writer {
    gpu_capture_put *put;
    void *user;
    bool ok;
} writer;

static void
put_bytes(writer *w, const void *data, size_t size)
{
    w->ok = w->ok && w->put(w->user, data, size);
}

/* A row of numbers and texts that is being made. */
typedef struct row {
    uint8_t bytes[GPU_SHADER_SIZE];
    uint8_t *at;
} row;

static void
begin_row(row *r)
{
    memset(r->bytes, 0, sizeof r->bytes);
    r->at = r->bytes;
}

static void
add_u32(row *r, uint32_t v)
{
    r->at = base_put_u32(r->at, v);
}

static void
add_u64(row *r, uint64_t v)
{
    r->at = base_put_u64(r->at, v);
}

/* A text in a field of `size` bytes. */
static void
add_text(row *r, const char *text, size_t size)
{
    size_t n = strlen(text);
    memcpy(r->at, text, n < size ? n : size - 1);
    r->at += size;
}

static void
put_row(writer *w, const row *r)
{
    put_bytes(w, r->bytes, (size_t)(r->at - r->bytes));
}

static void
put_chunk(writer *w, uint32_t tag, uint64_t size)
{
    row r;
    begin_row(&r);
    add_u32(&r, tag);
    add_u32(&r, 0);
    add_u64(&r, size);
    put_row(w, &r);
}

static void
put_padding(writer *w, uint64_t size)
{
    static const uint8_t zeros[8];
    put_bytes(w, zeros, (size_t)(-size & 7));
}

static void
put_head(writer *w)
{
    row r;
    begin_row(&r);
    memcpy(r.at, GPU_CAPTURE_MAGIC, 8);
    r.at += 8;
    add_u32(&r, GPU_CAPTURE_VERSION);
    add_u32(&r, 0);
    put_row(w, &r);
}

/* ---- the state before ---- */

static void
put_info(writer *w, const gpu_capture *c)
{
    row r;
    begin_row(&r);
    add_text(&r, c->chip->name, 32);
    add_text(&r, c->ring, sizeof c->ring);
    add_u64(&r, c->submission);
    add_u64(&r, c->seed);
    put_chunk(w, GPU_CHUNK_INFO, GPU_INFO_SIZE);
    put_row(w, &r);
    begin_row(&r);
    add_u64(&r, c->cp.dispatches);
    add_u64(&r, c->cp.draws);
    add_u64(&r, c->cp.invocations);
    add_u64(&r, c->limit);
    for (unsigned k = 0; k < GPU_CP_BASES; k++)
        add_u64(&r, c->cp.bases[k]);
    add_u32(&r, c->is_copy);
    add_u32(&r, 0);
    put_chunk(w, GPU_CHUNK_STATE, GPU_STATE_SIZE + GPU_STATE_MORE);
    put_row(w, &r);
}

/* Writes the registers that are not 0; nothing if `w` is NULL. Returns their number. */
static uint64_t
walk_registers(writer *w, const amd_hw_registers *f)
{
    uint64_t n = 0;
    for (unsigned s = 0; s < AMD_HW_SPACE_COUNT; s++) {
        uint32_t base = amd_hw_space_base((amd_hw_space)s);
        for (uint32_t k = 0; k < amd_hw_space_dwords((amd_hw_space)s); k++) {
            row r;
            n += f->values[s][k] != 0;
            if (!w || !f->values[s][k])
                continue;
            begin_row(&r);
            add_u32(&r, base + 4 * k);
            add_u32(&r, f->values[s][k]);
            put_row(w, &r);
        }
    }
    return n;
}

static void
put_piece(writer *w, const gpu_capture_piece *p)
{
    row r;
    begin_row(&r);
    add_u32(&r, p->buffer);
    add_u32(&r, p->is_fill);
    add_u64(&r, p->offset);
    add_u64(&r, p->size);
    uint64_t content = p->is_fill ? 8 : p->size;
    put_chunk(w, GPU_CHUNK_DATA, GPU_DATA_SIZE + content);
    put_row(w, &r);
    begin_row(&r);
    add_u64(&r, p->fill);
    if (p->is_fill)
        put_row(w, &r);
    else
        put_bytes(w, p->bytes, p->size);
    put_padding(w, content);
}

/* Are the bytes one dword again and again? The size is a multiple of 4, and not 0. */
static bool
is_fill(const uint8_t *bytes, uint64_t size)
{
    return size % 4 == 0 && memcmp(bytes, bytes + 4, size - 4) == 0;
}

/* Writes the pages of [from, to): those with zeros are left out, those that a dword fills are a
 * piece each, others in a row are one. */
static void
put_pages(writer *w, const gpu_capture_buffer *b, uint32_t k, const uint64_t part[2])
{
    gpu_capture_piece raw = {.buffer = k};
    for (uint64_t at = part[0]; at < part[1]; at += GPU_CAPTURE_PAGE) {
        uint64_t size = part[1] - at < GPU_CAPTURE_PAGE ? part[1] - at : GPU_CAPTURE_PAGE;
        gpu_capture_piece page = {.buffer = k, .offset = at, .size = size, .bytes = b->host + at};
        page.is_fill = is_fill(page.bytes, size);
        if (page.is_fill)
            memcpy(&page.fill, page.bytes, 4);
        if (!page.is_fill && !raw.size)
            raw = page;
        else if (!page.is_fill)
            raw.size += size;
        if (page.is_fill && raw.size) {
            put_piece(w, &raw);
            raw.size = 0;
        }
        if (page.is_fill && page.fill)
            put_piece(w, &page);
    }
    if (raw.size)
        put_piece(w, &raw);
}

/* The next part of a buffer that may not be zeros, in whole pages. */
static bool
next_part(const gpu_capture_buffer *b, uint64_t part[2])
{
    part[1] = b->size;
    if (part[0] >= b->size || (b->next_data && !b->next_data(b->user, &part[0], &part[1])))
        return false;
    uint64_t last = (part[1] + GPU_CAPTURE_PAGE - 1) / GPU_CAPTURE_PAGE * GPU_CAPTURE_PAGE;
    part[0] -= part[0] % GPU_CAPTURE_PAGE;
    part[1] = last < b->size ? last : b->size;
    return part[0] < part[1];
}

static void
put_buffer(writer *w, const gpu_capture_buffer *b, uint32_t k)
{
    row r;
    begin_row(&r);
    add_u32(&r, k);
    add_u32(&r, 0);
    add_u64(&r, b->size);
    add_text(&r, b->name, sizeof b->name);
    put_chunk(w, GPU_CHUNK_BUFFER, GPU_BUFFER_SIZE);
    put_row(w, &r);
    for (uint64_t part[2] = {0, 0}; next_part(b, part); part[0] = part[1])
        put_pages(w, b, k, part);
}

/* The ranges from `first` on. */
static void
put_ranges(writer *w, const gpu_capture *c, uint32_t first)
{
    put_chunk(w, GPU_CHUNK_RANGE, (uint64_t)(c->n_ranges - first) * GPU_RANGE_SIZE);
    for (uint32_t k = first; k < c->n_ranges; k++) {
        row r;
        begin_row(&r);
        add_u64(&r, c->ranges[k].address);
        add_u64(&r, c->ranges[k].size);
        add_u32(&r, c->ranges[k].buffer);
        add_u32(&r, 0);
        add_u64(&r, c->ranges[k].offset);
        put_row(w, &r);
    }
}

static void
put_shader(writer *w, const gpu_shader *s)
{
    row r;
    begin_row(&r);
    add_u64(&r, s->entry);
    add_u64(&r, s->pipeline);
    add_u64(&r, s->module);
    add_text(&r, s->name, sizeof s->name);
    add_text(&r, s->module_name, sizeof s->module_name);
    add_text(&r, s->stage, sizeof s->stage);
    add_text(&r, s->entry_point, sizeof s->entry_point);
    add_text(&r, s->source, sizeof s->source);
    for (unsigned k = 0; k < GPU_LINE_KINDS; k++) {
        for (unsigned j = 0; j < GPU_LINES_OF_KIND; j++)
            add_u32(&r, s->lines[k][j]);
    }
    put_chunk(w, GPU_CHUNK_SHADER, GPU_SHADER_SIZE);
    put_row(w, &r);
}

static void
put_streams(writer *w, const gpu_capture *c)
{
    put_chunk(w, GPU_CHUNK_IB, (uint64_t)c->n_ibs * GPU_IB_SIZE);
    for (uint32_t k = 0; k < c->n_ibs; k++) {
        row r;
        begin_row(&r);
        add_u64(&r, c->ibs[k].address);
        add_u32(&r, c->ibs[k].dwords);
        add_u32(&r, 0);
        put_row(w, &r);
    }
}

bool
gpu_capture_write(const gpu_capture *c, gpu_capture_put *put, void *user)
{
    writer w = {put, user, true};
    put_head(&w);
    put_info(&w, c);
    put_chunk(&w, GPU_CHUNK_REGISTER, walk_registers(NULL, &c->cp.registers) * GPU_REGISTER_SIZE);
    walk_registers(&w, &c->cp.registers);
    for (uint32_t k = 0; k < c->n_buffers; k++)
        put_buffer(&w, &c->buffers[k], k);
    put_ranges(&w, c, 0);
    for (uint32_t k = 0; k < c->n_shaders; k++)
        put_shader(&w, &c->shaders[k]);
    put_streams(&w, c);
    return w.ok;
}

/* ---- numbers of memory ---- */

/* Bytes of the page at `at` that are in the part. */
static uint64_t
page_size(const uint64_t part[2], uint64_t at)
{
    return part[1] - at < GPU_CAPTURE_PAGE ? part[1] - at : GPU_CAPTURE_PAGE;
}

/* Goes on from `h` with a page's bytes. Pages of zeros do not count, so that they need not be
 * looked at. */
static uint64_t
hash_page(uint64_t h, const gpu_capture_buffer *b, uint64_t at, uint64_t size)
{
    const uint64_t prime = UINT64_C(0x9e3779b97f4a7c15);
    if (is_fill(b->host + at, size) && !memcmp(b->host + at, "\0\0\0", 4))
        return h;
    h = (h ^ at / GPU_CAPTURE_PAGE) * prime;
    for (uint64_t k = 0; k < size; k += 8) {
        uint64_t v = 0;
        memcpy(&v, b->host + at + k, size - k < 8 ? size - k : 8);
        h = (h ^ v) * prime;
        h ^= h >> 32;
    }
    return h;
}

uint64_t
gpu_capture_hash(const gpu_capture_buffer *b)
{
    uint64_t h = 0;
    for (uint64_t part[2] = {0, 0}; next_part(b, part); part[0] = part[1]) {
        for (uint64_t at = part[0]; at < part[1]; at += GPU_CAPTURE_PAGE)
            h = hash_page(h, b, at, page_size(part, at));
    }
    return h;
}

static uint64_t
pages_of(const gpu_capture_buffer *b)
{
    return (b->size + GPU_CAPTURE_PAGE - 1) / GPU_CAPTURE_PAGE;
}

/* ---- waits ---- */

const uint64_t *
gpu_capture_pages(const gpu_capture *c, arena *a)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < c->n_buffers; k++)
        n += pages_of(&c->buffers[k]);
    uint64_t *all = ARENA_ARRAY(a, n, uint64_t), *own = all;
    for (uint32_t k = 0; k < c->n_buffers; own += pages_of(&c->buffers[k++])) {
        const gpu_capture_buffer *b = &c->buffers[k];
        for (uint64_t part[2] = {0, 0}; next_part(b, part); part[0] = part[1]) {
            for (uint64_t at = part[0]; at < part[1]; at += GPU_CAPTURE_PAGE)
                own[at / GPU_CAPTURE_PAGE] = hash_page(0, b, at, page_size(part, at));
        }
    }
    return all;
}

/* Writes the pages of a buffer whose numbers are not those of before, those with zeros, too. */
static void
put_changes(writer *w, const gpu_capture_buffer *b, uint32_t k, const uint64_t *before)
{
    for (uint64_t part[2] = {0, 0}; next_part(b, part); part[0] = part[1]) {
        for (uint64_t at = part[0]; at < part[1]; at += GPU_CAPTURE_PAGE) {
            gpu_capture_piece page = {
                .buffer = k, .offset = at, .size = page_size(part, at), .bytes = b->host + at};
            if (hash_page(0, b, at, page.size) == before[at / GPU_CAPTURE_PAGE])
                continue;
            page.is_fill = is_fill(page.bytes, page.size);
            if (page.is_fill)
                memcpy(&page.fill, page.bytes, 4);
            put_piece(w, &page);
        }
    }
}

bool
gpu_capture_go_on(const gpu_capture *c, const gpu_capture_change *change, gpu_capture_put *put,
                  void *user)
{
    writer w = {put, user, true};
    const uint64_t *before = change->pages;
    row r;
    for (uint32_t k = change->n_buffers; k < c->n_buffers; k++)
        put_buffer(&w, &c->buffers[k], k);
    if (c->n_ranges > change->n_ranges)
        put_ranges(&w, c, change->n_ranges);
    begin_row(&r);
    add_u64(&r, change->packet);
    put_chunk(&w, GPU_CHUNK_WAIT, GPU_WAIT_SIZE);
    put_row(&w, &r);
    for (uint32_t k = 0; k < change->n_buffers; before += pages_of(&c->buffers[k++]))
        put_changes(&w, &c->buffers[k], k, before);
    return w.ok;
}

/* ---- the end ---- */

bool
gpu_capture_finish(const gpu_capture *c, gpu_capture_put *put, void *user)
{
    writer w = {put, user, true};
    row r;
    put_chunk(&w, GPU_CHUNK_CLOCK, UINT64_C(8) * c->end.n_clock);
    for (uint32_t k = 0; k < c->end.n_clock; k++) {
        begin_row(&r);
        add_u64(&r, c->end.clock[k]);
        put_row(&w, &r);
    }
    if (!c->end.waited)
        put_chunk(&w, GPU_CHUNK_HASH, UINT64_C(8) * c->n_buffers);
    for (uint32_t k = 0; !c->end.waited && k < c->n_buffers; k++) {
        begin_row(&r);
        add_u64(&r, gpu_capture_hash(&c->buffers[k]));
        put_row(&w, &r);
    }
    begin_row(&r);
    add_u32(&r, c->end.failed);
    add_u32(&r, c->end.waited);
    add_u64(&r, c->end.fault.address);
    add_text(&r, c->end.failed ? c->end.fault.message : "", sizeof c->end.fault.message);
    put_chunk(&w, GPU_CHUNK_END, GPU_END_SIZE);
    put_row(&w, &r);
    return w.ok;
}
