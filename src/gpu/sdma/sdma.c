/* Packets of the copy engine, but for parts of images. */
#include "gpu/sdma/sdma.h"

#include "gpu/sdma/execute.h"

#include <inttypes.h>
#include <string.h>

/* ---- memory ---- */

static void
tell_access(gpu_cp *cp, const gpu_sdma_packet *p, uint64_t address, uint64_t size, bool writes)
{
    const gpu_packet_access a = {.packet = p->name,
                                 .at = cp->fault.address,
                                 .agent = GPU_AGENT_DMA,
                                 .address = address,
                                 .size = size,
                                 .writes = writes};
    if (cp->hooks.accesses)
        cp->hooks.accesses(cp->hooks.user, &a);
}

gpu_cp_status
gpu_sdma_transfer(gpu_cp *cp, const gpu_sdma_packet *p, const gpu_transfer *t)
{
    if (!t->fills)
        tell_access(cp, p, t->from, t->bytes, false);
    tell_access(cp, p, t->to, t->bytes, true);
    return gpu_cp_transfer(cp, t);
}

/* The bytes that a counter stands for, which is one less. */
static uint64_t
count_of(const gpu_sdma_packet *p, unsigned word)
{
    return (p->words[word] & (p->version < GPU_SDMA_5_2 ? 0x3fffffu : 0x3fffffffu)) + UINT64_C(1);
}

static gpu_cp_status
copy_linear(gpu_cp *cp, const gpu_sdma_packet *p)
{
    const gpu_transfer t = {
        .from = gpu_sdma_address(p, 3), .to = gpu_sdma_address(p, 5), .bytes = count_of(p, 1)};
    return gpu_sdma_transfer(cp, p, &t);
}

/* FILLSIZE, 31:30, is the logarithm of the number's size. The number of bytes is whole dwords. */
static gpu_cp_status
fill(gpu_cp *cp, const gpu_sdma_packet *p)
{
    enum { DWORDS = 2 };
    if (p->words[0] >> 30 != DWORDS)
        return gpu_cp_fail(cp, "%s of numbers of other than 4 bytes is not executed", p->name);
    const gpu_transfer t = {.from = p->words[3],
                            .to = gpu_sdma_address(p, 1),
                            .bytes = (count_of(p, 4) + 3) & ~UINT64_C(3),
                            .fills = true};
    return gpu_sdma_transfer(cp, p, &t);
}

static uint32_t
write_dwords(const gpu_sdma_packet *p)
{
    return (p->words[3] & 0xfffff) + 1;
}

static gpu_cp_status
write_data(gpu_cp *cp, const gpu_sdma_packet *p)
{
    uint64_t address = gpu_sdma_address(p, 1), bytes = UINT64_C(4) * write_dwords(p);
    uint8_t *at = gpu_cp_at(cp, address, bytes, "writes");
    if (!at)
        return GPU_CP_FAULT;
    tell_access(cp, p, address, bytes, true);
    memcpy(at, p->words + 4, (size_t)bytes);
    return GPU_CP_DONE;
}

static gpu_cp_status
write_fence(gpu_cp *cp, const gpu_sdma_packet *p)
{
    return gpu_cp_write(cp, gpu_sdma_address(p, 1), 4, p->words[3]) ? GPU_CP_DONE : GPU_CP_FAULT;
}

static gpu_cp_status
write_time(gpu_cp *cp, const gpu_sdma_packet *p)
{
    uint64_t clock = cp->hooks.clock(cp->hooks.user);
    return gpu_cp_write(cp, gpu_sdma_address(p, 1), 8, clock) ? GPU_CP_DONE : GPU_CP_FAULT;
}

/* Bit 31: memory, not a register; 30:28 the relation. */
static gpu_cp_status
poll(gpu_cp *cp, const gpu_sdma_packet *p)
{
    uint64_t v, address = gpu_sdma_address(p, 1) & ~UINT64_C(3);
    if (!(p->words[0] >> 31))
        return gpu_cp_fail(cp, "%s of a register is not executed", p->name);
    if (!gpu_cp_read(cp, address, 4, &v))
        return GPU_CP_FAULT;
    if (gpu_cp_holds(p->words[0] >> 28 & 7, v & p->words[4], p->words[3])) {
        gpu_cp_go_on(cp);
        if (cp->hooks.passes)
            cp->hooks.passes(cp->hooks.user, GPU_POINT_MEMORY);
        return GPU_CP_DONE;
    }
    gpu_cp_fail(cp, "the packet waits for a value at 0x%" PRIx64 "; it is 0x%" PRIx64, address,
                v & p->words[4]);
    return gpu_cp_wait(cp);
}

/* A NOP waits for the copies before it. Words behind it, as many as 29:16 say, are nothing. */
static gpu_cp_status
nop(gpu_cp *cp, const gpu_sdma_packet *p)
{
    (void)p;
    if (cp->hooks.passes)
        cp->hooks.passes(cp->hooks.user, GPU_POINT_DMA);
    return GPU_CP_DONE;
}

static gpu_cp_status
nothing(gpu_cp *cp, const gpu_sdma_packet *p)
{
    (void)cp, (void)p;
    return GPU_CP_DONE;
}

/* ---- streams ---- */

/* An operation, in 7:0 of the header, and its part, in 15:8. `words` is the packet's length, to
 * which `more` may add. Fields have the kernel's names (sdma_v4_0's packets). */
typedef struct sdma_row {
    const char *name, *fields; /* of the words behind the header */
    uint8_t operation, part, words;
    uint32_t (*more)(const gpu_sdma_packet *p);
    gpu_sdma_execute *execute;
} sdma_row;

static uint32_t
words_of_nop(const gpu_sdma_packet *p)
{
    return p->words[0] >> 16 & 0x3fff;
}

/* Bit 19: the image is compressed; words about its metadata follow, which the emulator's images
 * have none of. */
static uint32_t
words_of_tiled(const gpu_sdma_packet *p)
{
    return p->words[0] >> 19 & 1 ? p->version < GPU_SDMA_7 ? 3 : 1 : 0;
}

static const sdma_row rows[] = {
    {"NOP", "", 0, 0, 1, words_of_nop, nop},
    {"COPY_LINEAR", "COUNT,PARAMETER,SRC_LO,SRC_HI,DST_LO,DST_HI", 1, 0, 7, NULL, copy_linear},
    {"COPY_LINEAR_SUB_WINDOW",
     "SRC_LO,SRC_HI,SRC_XY,SRC_Z_PITCH,SRC_SLICE_PITCH,DST_LO,DST_HI,DST_XY,DST_Z_PITCH,"
     "DST_SLICE_PITCH,RECT_XY,RECT_Z",
     1, 4, 13, NULL, gpu_sdma_copy_linear_window},
    {"COPY_TILED_SUB_WINDOW",
     "TILED_LO,TILED_HI,TILED_XY,TILED_Z_WIDTH,HEIGHT_DEPTH,INFO,LINEAR_LO,LINEAR_HI,LINEAR_XY,"
     "LINEAR_Z_PITCH,LINEAR_SLICE_PITCH,RECT_XY,RECT_Z",
     1, 5, 14, words_of_tiled, gpu_sdma_copy_tiled_window},
    {"COPY_T2T_SUB_WINDOW",
     "SRC_LO,SRC_HI,SRC_XY,SRC_Z_WIDTH,SRC_HEIGHT_DEPTH,SRC_INFO,DST_LO,DST_HI,DST_XY,DST_Z_WIDTH,"
     "DST_HEIGHT_DEPTH,DST_INFO,RECT_XY,RECT_Z",
     1, 6, 15, words_of_tiled, gpu_sdma_copy_between_tiled},
    {"WRITE_LINEAR", "DST_LO,DST_HI,COUNT", 2, 0, 4, write_dwords, write_data},
    {"FENCE", "ADDR_LO,ADDR_HI,DATA", 5, 0, 4, NULL, write_fence},
    {"TRAP", "CONTEXT", 6, 0, 2, NULL, nothing},
    {"POLL_REGMEM", "ADDR_LO,ADDR_HI,VALUE,MASK,RETRY", 8, 0, 6, NULL, poll},
    {"CONSTANT_FILL", "DST_LO,DST_HI,DATA,COUNT", 11, 0, 5, NULL, fill},
    {"TIMESTAMP", "ADDR_LO,ADDR_HI", 13, 2, 3, NULL, write_time},
    {"GCR_REQ", "BASE_LO,BASE_HI,LIMIT_LO,LIMIT_HI", 17, 0, 5, NULL, nothing},
};

static const sdma_row *
find_row(uint32_t header)
{
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].operation == (header & 0xff) && rows[k].part == (header >> 8 & 0xff))
            return &rows[k];
    }
    return NULL;
}

/* Executes the packet at the stream's place. */
static gpu_cp_status
step(gpu_cp *cp, uint32_t version)
{
    gpu_cp_stream *s = cp->streams;
    const uint32_t *words = s->in.dwords + s->in.at, left = s->in.count - s->in.at;
    const sdma_row *row = find_row(*words);
    cp->fault.address = s->address + UINT64_C(4) * s->in.at;
    if (!row)
        return gpu_cp_fail(cp, "SDMA operation %u, part %u, is not known", (unsigned)*words & 0xff,
                           (unsigned)*words >> 8 & 0xff);
    gpu_sdma_packet p = {row->name, words, version};
    uint32_t n = row->words;
    if (n <= left && row->more)
        n += row->more(&p);
    if (n > left)
        return gpu_cp_fail(cp, "%s goes on behind the end of the stream", row->name);
    const gpu_copy_packet shown = {row->name, row->fields, words, n};
    if (cp->hooks.copy_packet && !cp->waiting)
        cp->hooks.copy_packet(cp->hooks.user, &shown, cp->fault.address);
    gpu_cp_status status = row->execute(cp, &p);
    if (status == GPU_CP_DONE)
        s->in.at += n;
    return status;
}

static gpu_cp_status
enter(gpu_cp *cp, const gpu_ib *ib)
{
    cp->fault.address = ib->address;
    if (ib->address % 4)
        return gpu_cp_fail(cp, "a stream begins at 0x%" PRIx64 ", which is not a multiple of 4",
                           ib->address);
    const uint8_t *bytes = gpu_cp_at(cp, ib->address, UINT64_C(4) * ib->dwords,
                                     "calls a stream of");
    if (!bytes)
        return GPU_CP_FAULT;
    cp->depth = 1;
    cp->streams[0] = (gpu_cp_stream){.in = {.dwords = (const uint32_t *)(const void *)bytes,
                                            .count = ib->dwords,
                                            .gen = cp->gen},
                                     .address = ib->address};
    return GPU_CP_DONE;
}

gpu_cp_status
gpu_sdma_run(gpu_cp *cp, uint32_t version)
{
    gpu_cp_status status = GPU_CP_DONE;
    while (status == GPU_CP_DONE) {
        if (cp->depth && cp->streams[0].in.at < cp->streams[0].in.count) {
            status = step(cp, version);
        } else if (cp->n_ibs) {
            cp->n_ibs--;
            status = enter(cp, cp->ibs++);
        } else {
            return GPU_CP_DONE;
        }
    }
    return status;
}
