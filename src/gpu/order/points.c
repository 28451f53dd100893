#include "gpu/order/points.h"

/* CP_COHER_CNTL, of SURFACE_SYNC and of ACQUIRE_MEM up to gfx9 (Mesa, sid.h). With an attachment's
 * DEST_BASE_ENA the packet waits until graphics are idle (the same driver, si_gfx_cs.c). */
enum {
    CB_DEST_BASE_ENA = 0xff << 6,
    DB_DEST_BASE_ENA = 1 << 14,
    TCL1_ACTION_ENA = 1 << 22,
    SH_KCACHE_ACTION_ENA = 1 << 27,
};

static uint32_t
points_of_coherence(const gpu_packet *p, uint32_t control)
{
    bool vector = control & TCL1_ACTION_ENA || p->gen == AMD_GFX6; /* gfx6 always does */
    return (vector ? GPU_POINT_VECTOR : 0) |
           (control & SH_KCACHE_ACTION_ENA ? GPU_POINT_SCALAR : 0) |
           (control & (CB_DEST_BASE_ENA | DB_DEST_BASE_ENA) ? GPU_POINT_DRAWS : 0);
}

/* From gfx11 on the packet may wait for events that RELEASE_MEM counts (PWS_ENA): of which stage,
 * is not looked at. */
static uint32_t
points_of_acquire(const gpu_packet *p)
{
    bool waits = gpu_word_of(p, GPU_ACQUIRE_MEM_PWS_ENA);
    if (p->gen < AMD_GFX10)
        return points_of_coherence(p, gpu_word_of(p, GPU_ACQUIRE_MEM_COHER_CNTL));
    return (waits ? GPU_POINT_SHADERS | GPU_POINT_DRAWS : 0) |
           (gpu_word_of(p, GPU_ACQUIRE_MEM_GLV_INV) ? GPU_POINT_VECTOR : 0) |
           (gpu_word_of(p, GPU_ACQUIRE_MEM_GLK_INV) ? GPU_POINT_SCALAR : 0);
}

/* Pixels are over behind their vertices: drivers wait for the former alone where both matter. */
static uint32_t
points_of_event(const gpu_packet *p)
{
    enum { CS_PARTIAL_FLUSH = 7, VS_PARTIAL_FLUSH = 15, PS_PARTIAL_FLUSH = 16 };
    switch (gpu_word_of(p, GPU_EVENT_WRITE_EVENT_TYPE)) {
    case CS_PARTIAL_FLUSH: return GPU_POINT_SHADERS;
    case VS_PARTIAL_FLUSH: return GPU_POINT_VERTICES;
    case PS_PARTIAL_FLUSH: return GPU_POINT_VERTICES | GPU_POINT_PIXELS;
    default: return 0;
    }
}

uint32_t
gpu_points_of(const gpu_packet *p)
{
    enum { EVENT_BITS = 0xf3f /* without the actions on caches */ };
    switch (p->op) {
    case GPU_OP_EVENT_WRITE: return points_of_event(p);
    case GPU_OP_EVENT_WRITE_EOP:
    case GPU_OP_RELEASE_MEM: return p->words[0] & ~(uint32_t)EVENT_BITS ? GPU_POINT_RELEASE : 0;
    case GPU_OP_WAIT_REG_MEM:
        return gpu_word_of(p, GPU_WAIT_REG_MEM_MEM_SPACE) ? GPU_POINT_MEMORY : 0;
    case GPU_OP_WAIT_REG_MEM64:
        return gpu_word_of(p, GPU_WAIT_REG_MEM64_MEM_SPACE) ? GPU_POINT_MEMORY : 0;
    case GPU_OP_ATOMIC_MEM: return gpu_word_of(p, GPU_ATOMIC_MEM_COMMAND) ? GPU_POINT_MEMORY : 0;
    case GPU_OP_SURFACE_SYNC:
        return points_of_coherence(p, gpu_word_of(p, GPU_SURFACE_SYNC_COHER_CNTL));
    case GPU_OP_ACQUIRE_MEM: return points_of_acquire(p);
    case GPU_OP_CP_DMA: return gpu_word_of(p, GPU_CP_DMA_CP_SYNC) ? GPU_POINT_DMA : 0;
    case GPU_OP_DMA_DATA: return gpu_word_of(p, GPU_DMA_DATA_CP_SYNC) ? GPU_POINT_DMA : 0;
    default: return 0;
    }
}

/* ---- accesses ---- */

/* Places that packets name by a number in 3:0 of a selector: memory, and memory through L2. */
static bool
is_memory(uint32_t select)
{
    enum { MEMORY = 1, L2 = 2, ASYNC = 5 };
    return select == MEMORY || select == L2 || select == ASYNC;
}

/* A copy or a fill: where it reads, if `reads`, and where it writes. */
static uint32_t
accesses_of_copy(const gpu_packet_access *like, const uint64_t from_to[2], bool reads,
                 gpu_packet_access out[GPU_PACKET_ACCESSES])
{
    uint32_t n = 0;
    if (reads && from_to[0] == from_to[1]) /* a prefetch */
        return 0;
    for (unsigned k = reads ? 0 : 1; k < 2; k++) {
        out[n] = *like;
        out[n].agent = GPU_AGENT_DMA;
        out[n].address = from_to[k];
        out[n++].writes = k == 1;
    }
    return n;
}

enum { DMA_OF_DATA = 2, DMA_NOWHERE = 2 };

static uint32_t
accesses_of_cp_dma(const gpu_packet *p, gpu_packet_access *like,
                   gpu_packet_access out[GPU_PACKET_ACCESSES])
{
    const uint64_t places[2] = {gpu_words_of(p, GPU_CP_DMA_SRC_ADDR_LO, GPU_CP_DMA_SRC_ADDR_HI),
                                gpu_words_of(p, GPU_CP_DMA_DST_ADDR_LO, GPU_CP_DMA_DST_ADDR_HI)};
    like->size = gpu_word_of(p, GPU_CP_DMA_BYTE_COUNT);
    if (gpu_word_of(p, GPU_CP_DMA_DST_SEL) == DMA_NOWHERE)
        return 0;
    return accesses_of_copy(like, places, gpu_word_of(p, GPU_CP_DMA_SRC_SEL) != DMA_OF_DATA, out);
}

static uint32_t
accesses_of_dma_data(const gpu_packet *p, gpu_packet_access *like,
                     gpu_packet_access out[GPU_PACKET_ACCESSES])
{
    const uint64_t places[2] = {
        gpu_words_of(p, GPU_DMA_DATA_SRC_ADDR_LO, GPU_DMA_DATA_SRC_ADDR_HI),
        gpu_words_of(p, GPU_DMA_DATA_DST_ADDR_LO, GPU_DMA_DATA_DST_ADDR_HI)};
    like->size = gpu_word_of(p, GPU_DMA_DATA_BYTE_COUNT);
    if (gpu_word_of(p, GPU_DMA_DATA_DST_SEL) == DMA_NOWHERE)
        return 0;
    return accesses_of_copy(like, places, gpu_word_of(p, GPU_DMA_DATA_SRC_SEL) != DMA_OF_DATA, out);
}

static uint32_t
accesses_of_copy_data(const gpu_packet *p, gpu_packet_access *like,
                      gpu_packet_access out[GPU_PACKET_ACCESSES])
{
    uint32_t n = 0;
    like->size = gpu_word_of(p, GPU_COPY_DATA_COUNT_SEL) ? 8 : 4;
    if (is_memory(gpu_word_of(p, GPU_COPY_DATA_SRC_SEL))) {
        like->address = gpu_words_of(p, GPU_COPY_DATA_SRC_LO, GPU_COPY_DATA_SRC_HI);
        out[n++] = *like;
    }
    if (is_memory(gpu_word_of(p, GPU_COPY_DATA_DST_SEL))) {
        like->address = gpu_words_of(p, GPU_COPY_DATA_DST_LO, GPU_COPY_DATA_DST_HI);
        like->writes = true;
        out[n++] = *like;
    }
    return n;
}

static uint32_t
accesses_of_write_data(const gpu_packet *p, gpu_packet_access *like,
                       gpu_packet_access out[GPU_PACKET_ACCESSES])
{
    enum { FIRST = 3 };
    if (!is_memory(gpu_word_of(p, GPU_WRITE_DATA_DST_SEL)))
        return 0;
    like->address = gpu_words_of(p, GPU_WRITE_DATA_DST_ADDR_LO, GPU_WRITE_DATA_DST_ADDR_HI);
    like->size = gpu_word_of(p, GPU_WRITE_DATA_WR_ONE_ADDR) ? 4 : 4ul * (p->n_words - FIRST);
    like->writes = true;
    *out = *like;
    return 1;
}

uint32_t
gpu_accesses_of(const gpu_packet *p, uint64_t base, gpu_packet_access out[GPU_PACKET_ACCESSES])
{
    gpu_packet_access like = {.packet = gpu_op_name(p->op), .agent = GPU_AGENT_CP};
    switch (p->op) {
    case GPU_OP_CP_DMA: return accesses_of_cp_dma(p, &like, out);
    case GPU_OP_DMA_DATA: return accesses_of_dma_data(p, &like, out);
    case GPU_OP_COPY_DATA: return accesses_of_copy_data(p, &like, out);
    case GPU_OP_WRITE_DATA: return accesses_of_write_data(p, &like, out);
    case GPU_OP_DISPATCH_INDIRECT:
        like.address = p->n_words >= 3 ? p->words[0] | (uint64_t)p->words[1] << 32
                                       : base + p->words[0];
        like.size = 12;
        *out = like;
        return 1;
    default: return 0;
    }
}
