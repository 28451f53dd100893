/* The processor's loop: streams, the table of operations, registers and memory. */
#include "gpu/cp/execute.h"

#include "base/bits.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool
gpu_cp_init(gpu_cp *cp, const char *processor, const gpu_cp_hooks *hooks, arena *a)
{
    enum { MAX_PACKETS = 1 << 26 };
    *cp = (gpu_cp){.processor = processor, .hooks = *hooks, .max_packets = MAX_PACKETS};
    if (!amd_gen_find(processor, &cp->gen))
        return false;
    amd_hw_registers_init(&cp->registers, cp->gen, a);
    return true;
}

void
gpu_cp_start(gpu_cp *cp, mach_memory *m, const gpu_ib *ibs, uint32_t n_ibs)
{
    cp->memory = m;
    cp->hint = 0;
    cp->ibs = ibs;
    cp->n_ibs = n_ibs;
    cp->depth = 0;
    cp->packets = 0;
    cp->leave_out = false;
    cp->waiting = false;
}

/* ---- memory and registers ---- */

gpu_cp_status
gpu_cp_fail(gpu_cp *cp, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(cp->fault.message, sizeof cp->fault.message, format, args);
    va_end(args);
    return GPU_CP_FAULT;
}

uint8_t *
gpu_cp_at(gpu_cp *cp, uint64_t address, uint64_t size, const char *what)
{
    address = mach_canonical(address);
    const mach_region *r = mach_memory_find(cp->memory, &cp->hint, address, size);
    if (r)
        return r->host + (address - r->base);
    const mach_region *below = mach_memory_below(cp->memory, address);
    if (below)
        gpu_cp_fail(cp,
                    "the packet %s %" PRIu64 " bytes at 0x%" PRIx64
                    ", which is not mapped; the buffer below is '%s', 0x%" PRIx64
                    " bytes from 0x%" PRIx64,
                    what, size, address, below->name, below->size, below->base);
    else
        gpu_cp_fail(cp, "the packet %s %" PRIu64 " bytes at 0x%" PRIx64 ", which is not mapped",
                    what, size, address);
    return NULL;
}

bool
gpu_cp_read(gpu_cp *cp, uint64_t address, unsigned bytes, uint64_t *value)
{
    const uint8_t *at = gpu_cp_at(cp, address, bytes, "reads");
    *value = 0;
    if (at)
        memcpy(value, at, bytes);
    return at != NULL;
}

bool
gpu_cp_write(gpu_cp *cp, uint64_t address, unsigned bytes, uint64_t value)
{
    uint8_t *at = gpu_cp_at(cp, address, bytes, "writes");
    if (at)
        memcpy(at, &value, bytes);
    return at != NULL;
}

uint32_t
gpu_cp_register(const gpu_cp *cp, uint32_t address)
{
    const uint32_t *at = amd_hw_register_at(&cp->registers, address);
    return at ? *at : 0;
}

void
gpu_cp_set_register(gpu_cp *cp, uint32_t address, uint32_t value)
{
    uint32_t *at = amd_hw_register_at(&cp->registers, address);
    if (at)
        *at = value;
}

static void
set_register(void *user, uint32_t address, uint32_t value)
{
    gpu_cp_set_register(user, address, value);
}

/* ---- streams ---- */

static gpu_cp_stream *
innermost(gpu_cp *cp)
{
    return &cp->streams[cp->depth - 1];
}

/* Begins a stream, in place of the innermost one if it is a chain. */
static gpu_cp_status
enter(gpu_cp *cp, uint64_t address, uint32_t dwords, bool chain)
{
    if (!chain && cp->depth == GPU_CP_DEPTH)
        return gpu_cp_fail(cp, "streams call each other to more than %u levels",
                           (unsigned)GPU_CP_DEPTH);
    if (address % 4)
        return gpu_cp_fail(cp, "a stream begins at 0x%" PRIx64 ", which is not a multiple of 4",
                           address);
    const uint8_t *bytes = gpu_cp_at(cp, address, UINT64_C(4) * dwords, "calls a stream of");
    if (!bytes)
        return GPU_CP_FAULT;
    cp->depth += !chain;
    *innermost(cp) = (gpu_cp_stream){
        .in = {.dwords = (const uint32_t *)(const void *)bytes, .count = dwords, .gen = cp->gen},
        .address = address};
    return GPU_CP_DONE;
}

static gpu_cp_status
call_stream(gpu_cp *cp, const gpu_packet *p)
{
    uint64_t address = gpu_words_of(p, GPU_INDIRECT_BUFFER_IB_BASE_LO,
                                    GPU_INDIRECT_BUFFER_IB_BASE_HI);
    bool chain = gpu_word_of(p, GPU_INDIRECT_BUFFER_CHAIN) && cp->depth;
    return enter(cp, address, gpu_word_of(p, GPU_INDIRECT_BUFFER_IB_SIZE), chain);
}

static gpu_cp_status
call_stream_si(gpu_cp *cp, const gpu_packet *p)
{
    return enter(
        cp, gpu_words_of(p, GPU_INDIRECT_BUFFER_SI_IB_BASE_LO, GPU_INDIRECT_BUFFER_SI_IB_BASE_HI),
        gpu_word_of(p, GPU_INDIRECT_BUFFER_SI_IB_SIZE), false);
}

gpu_cp_status
gpu_cp_skip(gpu_cp *cp, uint32_t dwords)
{
    gpu_stream *s = &innermost(cp)->in;
    uint32_t left = s->count - s->at;
    s->at += dwords < left ? dwords : left;
    return GPU_CP_DONE;
}

/* ---- waits ---- */

gpu_cp_status
gpu_cp_wait(gpu_cp *cp)
{
    cp->waiting = true;
    return GPU_CP_WAITING;
}

void
gpu_cp_go_on(gpu_cp *cp)
{
    if (cp->waiting && cp->hooks.resumed)
        cp->hooks.resumed(cp->hooks.user);
    cp->waiting = false;
}

/* ---- operations ---- */

static gpu_cp_status
nothing(gpu_cp *cp, const gpu_packet *p)
{
    (void)cp, (void)p;
    return GPU_CP_DONE;
}

static gpu_cp_status
set_base(gpu_cp *cp, const gpu_packet *p)
{
    uint32_t index = gpu_word_of(p, GPU_SET_BASE_BASE_INDEX);
    if (index >= GPU_CP_BASES)
        return gpu_cp_fail(cp, "SET_BASE sets base %u, which nothing uses", (unsigned)index);
    cp->bases[index] = gpu_words_of(p, GPU_SET_BASE_ADDRESS_LO, GPU_SET_BASE_ADDRESS_HI);
    return GPU_CP_DONE;
}

/* What executes an operation; NULL: it is not executed here, and a fault. Registers are set before
 * by the tables. Caches are coherent and packets execute in order, so what waits for earlier ones
 * or maintains caches has nothing to do. */
static gpu_cp_execute *const operations[GPU_OP_UNKNOWN] = {
    [GPU_OP_NOP] = nothing,
    [GPU_OP_SET_BASE] = set_base,
    [GPU_OP_CLEAR_STATE] = gpu_cp_clear_state,
    [GPU_OP_CONTEXT_CONTROL] = nothing,
    [GPU_OP_INDIRECT_BUFFER] = call_stream,
    [GPU_OP_INDIRECT_BUFFER_SI] = call_stream_si,
    /* dispatches and data */
    [GPU_OP_DISPATCH_DIRECT] = gpu_cp_dispatch_direct,
    [GPU_OP_DISPATCH_INDIRECT] = gpu_cp_dispatch_indirect,
    [GPU_OP_WRITE_DATA] = gpu_cp_write_data,
    [GPU_OP_COPY_DATA] = gpu_cp_copy_data,
    [GPU_OP_CP_DMA] = gpu_cp_cp_dma,
    [GPU_OP_DMA_DATA] = gpu_cp_dma_data,
    [GPU_OP_ATOMIC_MEM] = gpu_cp_atomic_mem,
    [GPU_OP_LOAD_SH_REG] = gpu_cp_load_registers,
    [GPU_OP_LOAD_SH_REG_INDEX] = gpu_cp_load_registers,
    /* events, waits and conditions */
    [GPU_OP_EVENT_WRITE] = gpu_cp_event_write,
    [GPU_OP_EVENT_WRITE_EOP] = gpu_cp_event_write_eop,
    [GPU_OP_EVENT_WRITE_EOS] = gpu_cp_event_write_eos,
    [GPU_OP_RELEASE_MEM] = gpu_cp_release_mem,
    [GPU_OP_WAIT_REG_MEM] = gpu_cp_wait_reg_mem,
    [GPU_OP_WAIT_REG_MEM64] = gpu_cp_wait_reg_mem64,
    [GPU_OP_SET_PREDICATION] = gpu_cp_set_predication,
    [GPU_OP_COND_EXEC] = gpu_cp_cond_exec,
    /* order and caches */
    [GPU_OP_SURFACE_SYNC] = nothing,
    [GPU_OP_ACQUIRE_MEM] = nothing,
    [GPU_OP_PFP_SYNC_ME] = nothing,
    [GPU_OP_HDP_FLUSH] = nothing,
    [GPU_OP_INVALIDATE_TLBS] = nothing,
    [GPU_OP_PRIME_UTCL2] = nothing,
    [GPU_OP_SWITCH_BUFFER] = nothing,
    [GPU_OP_PREAMBLE_CNTL] = nothing,
    [GPU_OP_INCREMENT_DE_COUNTER] = nothing,
    [GPU_OP_INCREMENT_CE_COUNTER] = nothing,
    [GPU_OP_WAIT_ON_CE_COUNTER] = nothing,
    [GPU_OP_LOAD_CONST_RAM] = nothing,
    [GPU_OP_WRITE_CONST_RAM] = nothing,
    [GPU_OP_DUMP_CONST_RAM] = nothing,
    /* graphics: state and draws */
    [GPU_OP_INDEX_BUFFER_SIZE] = gpu_cp_index_count,
    [GPU_OP_INDEX_BASE] = gpu_cp_index_base,
    [GPU_OP_INDEX_TYPE] = gpu_cp_index_type,
    [GPU_OP_NUM_INSTANCES] = gpu_cp_num_instances,
    [GPU_OP_DRAW_PREAMBLE] = nothing,
    [GPU_OP_LOAD_CONTEXT_REG] = gpu_cp_load_context,
    [GPU_OP_LOAD_CONTEXT_REG_INDEX] = gpu_cp_load_context,
    [GPU_OP_CONTEXT_REG_RMW] = gpu_cp_context_rmw,
    [GPU_OP_STRMOUT_BUFFER_UPDATE] = nothing,
    [GPU_OP_EVENT_WRITE_ZPASS] = gpu_cp_write_zpass,
    [GPU_OP_FRAME_CONTROL] = nothing,
    [GPU_OP_UPDATE_DB_SUMMARIZER_TIMEOUT] = nothing,
    [GPU_OP_DRAW_INDIRECT] = gpu_cp_draw_indirect,
    [GPU_OP_DRAW_INDEX_INDIRECT] = gpu_cp_draw_index_indirect,
    [GPU_OP_DRAW_INDEX_2] = gpu_cp_draw_index,
    [GPU_OP_DRAW_INDIRECT_MULTI] = gpu_cp_draw_indirect_multi,
    [GPU_OP_DRAW_INDEX_AUTO] = gpu_cp_draw_auto,
    [GPU_OP_DRAW_INDEX_OFFSET_2] = gpu_cp_draw_index_offset,
    [GPU_OP_DRAW_INDEX_INDIRECT_MULTI] = gpu_cp_draw_index_indirect_multi,
};

/* Tells what the packet itself accesses. */
static void
tell_accesses(gpu_cp *cp, const gpu_packet *p)
{
    enum { INDIRECT_BASE = 1 };
    gpu_packet_access all[GPU_PACKET_ACCESSES];
    uint32_t n = cp->hooks.accesses ? gpu_accesses_of(p, cp->bases[INDIRECT_BASE], all) : 0;
    for (uint32_t k = 0; k < n; k++) {
        all[k].at = cp->fault.address;
        cp->hooks.accesses(cp->hooks.user, &all[k]);
    }
}

static gpu_cp_status
execute_operation(gpu_cp *cp, const gpu_packet *p)
{
    tell_accesses(cp, p);
    gpu_cp_status status = operations[p->op](cp, p);
    uint32_t points = cp->hooks.passes && status == GPU_CP_DONE ? gpu_points_of(p) : 0;
    if (points)
        cp->hooks.passes(cp->hooks.user, points);
    return status;
}

static gpu_cp_status
execute(gpu_cp *cp, const gpu_packet *p)
{
    if (p->type == 2 || (p->type == 3 && p->predicated && cp->leave_out) ||
        gpu_packet_registers(p, set_register, cp))
        return GPU_CP_DONE;
    if (p->op == GPU_OP_UNKNOWN)
        return gpu_cp_fail(cp, "%s has no operation 0x%02x", cp->processor, (unsigned)p->opcode);
    if (!operations[p->op])
        return gpu_cp_fail(cp, "%s is not executed", gpu_op_name(p->op));
    return execute_operation(cp, p);
}

/* Executes the next packet of the innermost stream, which is not at its end. */
static gpu_cp_status
step(gpu_cp *cp)
{
    gpu_cp_stream *s = innermost(cp);
    uint32_t at = s->in.at;
    uint64_t address = s->address + UINT64_C(4) * at;
    gpu_packet p;
    gpu_stream_status read = gpu_stream_next(&s->in, &p);
    cp->fault.address = address;
    if (read != GPU_STREAM_PACKET)
        return gpu_cp_fail(cp, "%s", gpu_stream_status_text(read));
    if (++cp->packets > cp->max_packets)
        return gpu_cp_fail(cp, "the submission has no end: %" PRIu64 " packets were executed",
                           cp->max_packets);
    if (cp->hooks.packet)
        cp->hooks.packet(cp->hooks.user, &p, address);
    gpu_cp_status status = execute(cp, &p);
    if (status == GPU_CP_WAITING)
        s->in.at = at;
    return status;
}

gpu_cp_status
gpu_cp_run(gpu_cp *cp)
{
    gpu_cp_status status = GPU_CP_DONE;
    while (status == GPU_CP_DONE) {
        if (cp->depth && innermost(cp)->in.at < innermost(cp)->in.count) {
            status = step(cp);
        } else if (cp->depth) {
            cp->depth--;
        } else if (cp->n_ibs) {
            const gpu_ib *ib = cp->ibs++;
            cp->n_ibs--;
            cp->fault.address = ib->address;
            status = enter(cp, ib->address, ib->dwords, false);
        } else {
            return GPU_CP_DONE;
        }
    }
    return status;
}
