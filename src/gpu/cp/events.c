/* Packets of events, waits and conditions. Work is over when a packet is executed, so an event at
 * the end of the pipe happens at once. */
#include "gpu/cp/execute.h"

#include <inttypes.h>
#include <string.h>

/* What is written at the end of the pipe (DATA_SEL). */
enum { DATA_NONE = 0, DATA_32 = 1, DATA_64 = 2, DATA_CLOCK = 3 };

/* What a write at the end of the pipe needs. */
typedef struct eop_write {
    uint32_t select; /* DATA_* */
    uint64_t address, data;
} eop_write;

static gpu_cp_status
write_eop(gpu_cp *cp, const eop_write *e)
{
    uint64_t v = e->data;
    switch (e->select) {
    case DATA_NONE: return GPU_CP_DONE;
    case DATA_32:
    case DATA_64: break;
    case DATA_CLOCK: v = cp->hooks.clock(cp->hooks.user); break;
    default:
        return gpu_cp_fail(cp, "an event that writes data of kind %u is not executed",
                           (unsigned)e->select);
    }
    return gpu_cp_write(cp, e->address, e->select == DATA_32 ? 4 : 8, v) ? GPU_CP_DONE
                                                                         : GPU_CP_FAULT;
}

gpu_cp_status
gpu_cp_event_write_eop(gpu_cp *cp, const gpu_packet *p)
{
    return write_eop(cp, &(eop_write){.select = gpu_word_of(p, GPU_EVENT_WRITE_EOP_DATA_SEL),
                                      .address = gpu_words_of(p, GPU_EVENT_WRITE_EOP_ADDRESS_LO,
                                                              GPU_EVENT_WRITE_EOP_ADDRESS_HI),
                                      .data = gpu_words_of(p, GPU_EVENT_WRITE_EOP_DATA_LO,
                                                           GPU_EVENT_WRITE_EOP_DATA_HI)});
}

gpu_cp_status
gpu_cp_release_mem(gpu_cp *cp, const gpu_packet *p)
{
    return write_eop(
        cp, &(eop_write){
                .select = gpu_word_of(p, GPU_RELEASE_MEM_DATA_SEL),
                .address = gpu_words_of(p, GPU_RELEASE_MEM_ADDRESS_LO, GPU_RELEASE_MEM_ADDRESS_HI),
                .data = gpu_words_of(p, GPU_RELEASE_MEM_DATA_LO, GPU_RELEASE_MEM_DATA_HI)});
}

/* EVENT_WRITE_EOS.COMMAND 2 writes 32 bits (Mesa, sid.h, EOS_DATA_SEL_VALUE_32BIT). */
gpu_cp_status
gpu_cp_event_write_eos(gpu_cp *cp, const gpu_packet *p)
{
    enum { STORE_32 = 2 };
    uint32_t command = gpu_word_of(p, GPU_EVENT_WRITE_EOS_COMMAND);
    if (command != STORE_32)
        return gpu_cp_fail(cp, "EVENT_WRITE_EOS with command %u is not executed",
                           (unsigned)command);
    return write_eop(cp, &(eop_write){.select = DATA_32,
                                      .address = gpu_words_of(p, GPU_EVENT_WRITE_EOS_ADDRESS_LO,
                                                              GPU_EVENT_WRITE_EOS_ADDRESS_HI),
                                      .data = gpu_word_of(p, GPU_EVENT_WRITE_EOS_DATA)});
}

/* The counters of pipeline statistics: eleven numbers of 64 bits (Mesa, radv_query.c,
 * pipeline_statistics_indices). Those of geometry and tessellation stay 0. */
static gpu_cp_status
write_statistics(gpu_cp *cp, uint64_t address)
{
    enum { COUNTERS = 11 };
    const mach_draw_counts *c = &cp->counts;
    const uint64_t counters[COUNTERS] = {
        [0] = c->fragment_invocations, [1] = c->clip_primitives_out, [2] = c->clip_primitives_in,
        [3] = c->vertex_invocations,   [6] = c->primitives,          [7] = c->vertices,
        [10] = cp->invocations};
    uint8_t *at = gpu_cp_at(cp, address, sizeof counters, "writes");
    if (!at)
        return GPU_CP_FAULT;
    memcpy(at, counters, sizeof counters);
    return GPU_CP_DONE;
}

/* An occlusion counter of each render backend: a number of 64 bits whose top bit says that it was
 * written, one every 16 bytes. The first one counts all samples. */
static gpu_cp_status
write_occlusion(gpu_cp *cp, uint64_t address)
{
    enum { DISTANCE = 16 };
    const uint64_t written = UINT64_C(1) << 63;
    uint32_t n = cp->backends ? cp->backends : 1;
    for (uint32_t k = 0; k < n; k++) {
        uint64_t passed = k ? 0 : cp->counts.samples_passed;
        if (!gpu_cp_write(cp, address + (uint64_t)DISTANCE * k, 8, passed | written))
            return GPU_CP_FAULT;
    }
    return GPU_CP_DONE;
}

gpu_cp_status
gpu_cp_write_zpass(gpu_cp *cp, const gpu_packet *p)
{
    return write_occlusion(
        cp, gpu_words_of(p, GPU_EVENT_WRITE_ZPASS_ADDRESS_LO, GPU_EVENT_WRITE_ZPASS_ADDRESS_HI));
}

gpu_cp_status
gpu_cp_event_write(gpu_cp *cp, const gpu_packet *p)
{
    enum { INDEX_ZPASS = 1, INDEX_STATISTICS = 2, PIXEL_PIPE_STAT_CONTROL = 0x38 };
    uint32_t type = gpu_word_of(p, GPU_EVENT_WRITE_EVENT_TYPE);
    uint32_t index = gpu_word_of(p, GPU_EVENT_WRITE_EVENT_INDEX);
    uint64_t address = gpu_words_of(p, GPU_EVENT_WRITE_ADDRESS_LO, GPU_EVENT_WRITE_ADDRESS_HI);
    if (p->n_words < 3 || type == PIXEL_PIPE_STAT_CONTROL) /* the latter says what is counted */
        return GPU_CP_DONE;
    if (index == INDEX_STATISTICS)
        return write_statistics(cp, address);
    return index == INDEX_ZPASS ? write_occlusion(cp, address) : GPU_CP_DONE;
}

/* ---- waits ---- */

bool
gpu_cp_holds(uint32_t function, uint64_t value, uint64_t reference)
{
    switch (function) {
    case 1: return value < reference;
    case 2: return value <= reference;
    case 3: return value == reference;
    case 4: return value != reference;
    case 5: return value >= reference;
    case 6: return value > reference;
    default: return true;
    }
}

typedef struct wait {
    uint32_t function;
    bool in_memory;
    unsigned bytes;
    uint64_t address, reference, mask;
} wait;

/* Waits of graphics for counters in registers (graphics' own events) hold at once. */
static gpu_cp_status
wait_for(gpu_cp *cp, const wait *w)
{
    uint64_t v;
    if (!w->in_memory)
        return GPU_CP_DONE;
    if (!gpu_cp_read(cp, w->address & ~UINT64_C(3), w->bytes, &v))
        return GPU_CP_FAULT;
    if (gpu_cp_holds(w->function, v & w->mask, w->reference)) {
        gpu_cp_go_on(cp);
        return GPU_CP_DONE;
    }
    static const char *const functions[] = {"", "<", "<=", "==", "!=", ">=", ">", ""};
    gpu_cp_fail(cp,
                "the packet waits until the value at 0x%" PRIx64 " is %s 0x%" PRIx64
                "; it is 0x%" PRIx64,
                w->address, functions[w->function & 7], w->reference, v & w->mask);
    return gpu_cp_wait(cp);
}

gpu_cp_status
gpu_cp_wait_reg_mem(gpu_cp *cp, const gpu_packet *p)
{
    return wait_for(cp, &(wait){.function = gpu_word_of(p, GPU_WAIT_REG_MEM_FUNCTION),
                                .in_memory = gpu_word_of(p, GPU_WAIT_REG_MEM_MEM_SPACE),
                                .bytes = 4,
                                .address = gpu_words_of(p, GPU_WAIT_REG_MEM_ADDRESS_LO,
                                                        GPU_WAIT_REG_MEM_ADDRESS_HI),
                                .reference = gpu_word_of(p, GPU_WAIT_REG_MEM_REFERENCE),
                                .mask = gpu_word_of(p, GPU_WAIT_REG_MEM_MASK)});
}

gpu_cp_status
gpu_cp_wait_reg_mem64(gpu_cp *cp, const gpu_packet *p)
{
    return wait_for(cp, &(wait){.function = gpu_word_of(p, GPU_WAIT_REG_MEM64_FUNCTION),
                                .in_memory = gpu_word_of(p, GPU_WAIT_REG_MEM64_MEM_SPACE),
                                .bytes = 8,
                                .address = gpu_words_of(p, GPU_WAIT_REG_MEM64_ADDRESS_LO,
                                                        GPU_WAIT_REG_MEM64_ADDRESS_HI),
                                .reference = gpu_words_of(p, GPU_WAIT_REG_MEM64_REFERENCE_LO,
                                                          GPU_WAIT_REG_MEM64_REFERENCE_HI),
                                .mask = gpu_words_of(p, GPU_WAIT_REG_MEM64_MASK_LO,
                                                     GPU_WAIT_REG_MEM64_MASK_HI)});
}

/* ---- conditions ---- */

/* Predicated packets are executed while a value in memory is not 0 (VISIBLE), or is 0. Predicates
 * on queries of graphics (ZPASS, PRIMCOUNT) let everything through. */
gpu_cp_status
gpu_cp_set_predication(gpu_cp *cp, const gpu_packet *p)
{
    enum { BOOL64 = 3, BOOL32 = 4 };
    uint32_t op = gpu_word_of(p, GPU_SET_PREDICATION_PRED_OP);
    uint64_t v,
        address = gpu_words_of(p, GPU_SET_PREDICATION_ADDRESS_LO, GPU_SET_PREDICATION_ADDRESS_HI);
    cp->leave_out = false;
    if (op != BOOL64 && op != BOOL32)
        return GPU_CP_DONE;
    if (!gpu_cp_read(cp, address, op == BOOL64 ? 8 : 4, &v))
        return GPU_CP_FAULT;
    cp->leave_out = (v != 0) != (gpu_word_of(p, GPU_SET_PREDICATION_VISIBLE) != 0);
    return GPU_CP_DONE;
}

/* The next EXEC_COUNT dwords are executed if the value is not 0. */
gpu_cp_status
gpu_cp_cond_exec(gpu_cp *cp, const gpu_packet *p)
{
    uint64_t v, address = gpu_words_of(p, GPU_COND_EXEC_ADDRESS_LO, GPU_COND_EXEC_ADDRESS_HI);
    if (!gpu_cp_read(cp, address & ~UINT64_C(3), 4, &v))
        return GPU_CP_FAULT;
    return v ? GPU_CP_DONE : gpu_cp_skip(cp, gpu_word_of(p, GPU_COND_EXEC_EXEC_COUNT));
}
