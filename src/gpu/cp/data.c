/* Packets that move data: writes, copies, DMA, atomics, registers from memory. */
#include "gpu/cp/execute.h"

#include <inttypes.h>
#include <string.h>

/* Where data comes from or goes to (COPY_DATA and WRITE_DATA). */
enum {
    SEL_REGISTER = 0,
    SEL_MEMORY = 1,
    SEL_L2 = 2,
    SEL_IMMEDIATE = 5, /* as a source */
    SEL_ASYNC = 5,     /* as a destination: memory */
    SEL_CLOCK = 9,
};

static bool
is_memory(uint32_t destination)
{
    return destination == SEL_MEMORY || destination == SEL_L2 || destination == SEL_ASYNC;
}

gpu_cp_status
gpu_cp_write_data(gpu_cp *cp, const gpu_packet *p)
{
    enum { FIRST = 3 };
    uint32_t to = gpu_word_of(p, GPU_WRITE_DATA_DST_SEL), n = p->n_words - FIRST;
    uint64_t address = gpu_words_of(p, GPU_WRITE_DATA_DST_ADDR_LO, GPU_WRITE_DATA_DST_ADDR_HI);
    bool one = gpu_word_of(p, GPU_WRITE_DATA_WR_ONE_ADDR);
    if (to == SEL_REGISTER) {
        for (uint32_t k = 0; k < n; k++)
            gpu_cp_set_register(cp, ((uint32_t)address + (one ? 0 : k)) * 4, p->words[FIRST + k]);
        return GPU_CP_DONE;
    }
    if (!is_memory(to))
        return gpu_cp_fail(cp, "WRITE_DATA to destination %u is not executed", (unsigned)to);
    uint8_t *at = gpu_cp_at(cp, address, one ? 4 : UINT64_C(4) * n, "writes");
    if (!at)
        return GPU_CP_FAULT;
    if (n)
        memcpy(at, p->words + (one ? p->n_words - 1 : FIRST), one ? 4 : (size_t)n * 4);
    return GPU_CP_DONE;
}

/* Reads what COPY_DATA copies. */
static bool
copy_source(gpu_cp *cp, const gpu_packet *p, uint64_t *v)
{
    uint32_t from = gpu_word_of(p, GPU_COPY_DATA_SRC_SEL);
    unsigned bytes = gpu_word_of(p, GPU_COPY_DATA_COUNT_SEL) ? 8 : 4;
    uint64_t source = gpu_words_of(p, GPU_COPY_DATA_SRC_LO, GPU_COPY_DATA_SRC_HI);
    switch (from) {
    case SEL_REGISTER:
        *v = gpu_cp_register(cp, (uint32_t)source * 4);
        if (bytes == 8)
            *v |= (uint64_t)gpu_cp_register(cp, (uint32_t)source * 4 + 4) << 32;
        return true;
    case SEL_MEMORY:
    case SEL_L2: return gpu_cp_read(cp, source, bytes, v);
    case SEL_IMMEDIATE: *v = source; return true;
    case SEL_CLOCK: *v = cp->hooks.clock(cp->hooks.user); return true;
    default:
        gpu_cp_fail(cp, "COPY_DATA from source %u is not executed", (unsigned)from);
        return false;
    }
}

gpu_cp_status
gpu_cp_copy_data(gpu_cp *cp, const gpu_packet *p)
{
    uint32_t to = gpu_word_of(p, GPU_COPY_DATA_DST_SEL);
    unsigned bytes = gpu_word_of(p, GPU_COPY_DATA_COUNT_SEL) ? 8 : 4;
    uint64_t address = gpu_words_of(p, GPU_COPY_DATA_DST_LO, GPU_COPY_DATA_DST_HI), v;
    if (!copy_source(cp, p, &v))
        return GPU_CP_FAULT;
    if (is_memory(to))
        return gpu_cp_write(cp, address, bytes, v) ? GPU_CP_DONE : GPU_CP_FAULT;
    if (to != SEL_REGISTER)
        return gpu_cp_fail(cp, "COPY_DATA to destination %u is not executed", (unsigned)to);
    gpu_cp_set_register(cp, (uint32_t)address * 4, (uint32_t)v);
    if (bytes == 8)
        gpu_cp_set_register(cp, (uint32_t)address * 4 + 4, (uint32_t)(v >> 32));
    return GPU_CP_DONE;
}

/* ---- DMA ---- */

/* How many bytes at an address lie in one buffer, `bytes` at most; 0, with a fault, if none. */
static uint64_t
in_one_buffer(gpu_cp *cp, uint64_t address, uint64_t bytes, const char *what)
{
    if (!gpu_cp_at(cp, address, 1, what))
        return 0;
    const mach_region *r = cp->memory->regions[cp->hint];
    uint64_t left = r->size - (mach_canonical(address) - r->base);
    return left < bytes ? left : bytes;
}

static void
fill(uint8_t *to, uint64_t bytes, uint32_t pattern)
{
    uint64_t k = 0;
    for (; k + 4 <= bytes; k += 4)
        memcpy(to + k, &pattern, 4);
    memcpy(to + k, &pattern, (size_t)(bytes - k));
}

/* Buffers that are next to each other are one range for the GPU, so it goes buffer by buffer. */
gpu_cp_status
gpu_cp_transfer(gpu_cp *cp, const gpu_transfer *t)
{
    if (t->nowhere || (!t->fills && t->from == t->to)) /* a prefetch into L2 */
        return GPU_CP_DONE;
    for (uint64_t done = 0, n; done < t->bytes; done += n) {
        uint64_t left = t->bytes - done;
        n = in_one_buffer(cp, t->to + done, left, "writes");
        if (n && !t->fills)
            n = in_one_buffer(cp, t->from + done, n, "reads");
        if (!n)
            return GPU_CP_FAULT;
        uint8_t *to = gpu_cp_at(cp, t->to + done, n, "writes");
        if (t->fills)
            fill(to, n, (uint32_t)t->from);
        else
            memmove(to, gpu_cp_at(cp, t->from + done, n, "reads"), (size_t)n);
    }
    return GPU_CP_DONE;
}

/* Sources and destinations of DMA. */
enum { DMA_ADDRESS = 0, DMA_DATA = 2, DMA_NOWHERE = 2, DMA_L2 = 3 };

static gpu_cp_status
start_transfer(gpu_cp *cp, gpu_transfer *t, uint32_t from, uint32_t to)
{
    if (from != DMA_ADDRESS && from != DMA_DATA && from != DMA_L2)
        return gpu_cp_fail(cp, "DMA from source %u is not executed", (unsigned)from);
    if (to != DMA_ADDRESS && to != DMA_NOWHERE && to != DMA_L2)
        return gpu_cp_fail(cp, "DMA to destination %u is not executed", (unsigned)to);
    t->fills = from == DMA_DATA;
    t->nowhere = to == DMA_NOWHERE;
    return gpu_cp_transfer(cp, t);
}

gpu_cp_status
gpu_cp_cp_dma(gpu_cp *cp, const gpu_packet *p)
{
    gpu_transfer t = {.from = gpu_words_of(p, GPU_CP_DMA_SRC_ADDR_LO, GPU_CP_DMA_SRC_ADDR_HI),
                      .to = gpu_words_of(p, GPU_CP_DMA_DST_ADDR_LO, GPU_CP_DMA_DST_ADDR_HI),
                      .bytes = gpu_word_of(p, GPU_CP_DMA_BYTE_COUNT)};
    return start_transfer(cp, &t, gpu_word_of(p, GPU_CP_DMA_SRC_SEL),
                          gpu_word_of(p, GPU_CP_DMA_DST_SEL));
}

gpu_cp_status
gpu_cp_dma_data(gpu_cp *cp, const gpu_packet *p)
{
    gpu_transfer t = {.from = gpu_words_of(p, GPU_DMA_DATA_SRC_ADDR_LO, GPU_DMA_DATA_SRC_ADDR_HI),
                      .to = gpu_words_of(p, GPU_DMA_DATA_DST_ADDR_LO, GPU_DMA_DATA_DST_ADDR_HI),
                      .bytes = gpu_word_of(p, GPU_DMA_DATA_BYTE_COUNT)};
    return start_transfer(cp, &t, gpu_word_of(p, GPU_DMA_DATA_SRC_SEL),
                          gpu_word_of(p, GPU_DMA_DATA_DST_SEL));
}

/* ---- atomics ---- */

/* Opcodes of the L2 cache, from gfx7 on: the low five bits say what, bit 5 whether the number has
 * 64 bits, bit 6 whether the old value is returned, for which a packet has no use. Source: the
 * enumeration TC_OP in the Linux kernel's headers (navi10_enum.h). */
enum {
    TC_SWAP = 0x07,
    TC_CMPSWAP = 0x08,
    TC_ADD = 0x0f,
    TC_SUB = 0x10,
    TC_SMIN = 0x11,
    TC_UMIN = 0x12,
    TC_SMAX = 0x13,
    TC_UMAX = 0x14,
    TC_AND = 0x15,
    TC_OR = 0x16,
    TC_XOR = 0x17,
    TC_INC = 0x18,
    TC_DEC = 0x19,
    TC_OPERATION = 0x1f,
    TC_WIDE = 0x20,
};

typedef struct atomic {
    uint32_t operation; /* TC_* */
    unsigned bytes;
    uint64_t old, data, compare;
} atomic;

static int64_t
as_signed(const atomic *a, uint64_t v)
{
    return a->bytes == 8 ? (int64_t)v : (int32_t)(uint32_t)v;
}

/* The new value of memory; false if the operation is not executed. */
static bool
atomic_result(const atomic *a, uint64_t *result)
{
    uint64_t old = a->old, data = a->data;
    bool less = as_signed(a, old) < as_signed(a, data);
    switch (a->operation) {
    case TC_SWAP: *result = data; return true;
    case TC_CMPSWAP: *result = old == a->compare ? data : old; return true;
    case TC_ADD: *result = old + data; return true;
    case TC_SUB: *result = old - data; return true;
    case TC_SMIN: *result = less ? old : data; return true;
    case TC_UMIN: *result = old < data ? old : data; return true;
    case TC_SMAX: *result = less ? data : old; return true;
    case TC_UMAX: *result = old < data ? data : old; return true;
    case TC_AND: *result = old & data; return true;
    case TC_OR: *result = old | data; return true;
    case TC_XOR: *result = old ^ data; return true;
    case TC_INC: *result = old >= data ? 0 : old + 1; return true;
    case TC_DEC: *result = old == 0 || old > data ? data : old - 1; return true;
    default: return false;
    }
}

/* ATOMIC_COMMAND_LOOP repeats a compare-and-swap until it succeeds. */
gpu_cp_status
gpu_cp_atomic_mem(gpu_cp *cp, const gpu_packet *p)
{
    uint32_t opcode = gpu_word_of(p, GPU_ATOMIC_MEM_ATOMIC);
    bool loops = gpu_word_of(p, GPU_ATOMIC_MEM_COMMAND) & 1;
    atomic a = {.operation = opcode & TC_OPERATION, .bytes = opcode & TC_WIDE ? 8 : 4};
    uint64_t mask = a.bytes == 8 ? UINT64_MAX : UINT32_MAX, result;
    uint64_t address = gpu_words_of(p, GPU_ATOMIC_MEM_ADDRESS_LO, GPU_ATOMIC_MEM_ADDRESS_HI);
    a.data = mask & gpu_words_of(p, GPU_ATOMIC_MEM_SRC_DATA_LO, GPU_ATOMIC_MEM_SRC_DATA_HI);
    a.compare = mask & gpu_words_of(p, GPU_ATOMIC_MEM_CMP_DATA_LO, GPU_ATOMIC_MEM_CMP_DATA_HI);
    if (!gpu_cp_read(cp, address, a.bytes, &a.old))
        return GPU_CP_FAULT;
    if (!atomic_result(&a, &result))
        return gpu_cp_fail(cp, "ATOMIC_MEM with opcode 0x%x is not executed", (unsigned)opcode);
    if (loops && a.operation == TC_CMPSWAP && a.old != a.compare) {
        gpu_cp_fail(cp,
                    "the packet waits until the value at 0x%" PRIx64 " is 0x%" PRIx64
                    "; it is 0x%" PRIx64,
                    address, a.compare, a.old);
        return gpu_cp_wait(cp);
    }
    gpu_cp_go_on(cp);
    return gpu_cp_write(cp, address, a.bytes, result) ? GPU_CP_DONE : GPU_CP_FAULT;
}

/* ---- registers ---- */

/* LOAD_SH_REG and LOAD_SH_REG_INDEX have the same words. */
gpu_cp_status
gpu_cp_load_space(gpu_cp *cp, const gpu_packet *p, amd_hw_space space)
{
    uint64_t address = p->words[0] | (uint64_t)(p->words[1] & 0xffff) << 32;
    uint32_t first = p->words[2] & 0xffff, n = p->words[3] & 0x3fff;
    const uint8_t *at = gpu_cp_at(cp, address & ~UINT64_C(3), UINT64_C(4) * n, "reads");
    if (!at)
        return GPU_CP_FAULT;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t v;
        memcpy(&v, at + 4 * (size_t)k, 4);
        gpu_cp_set_register(cp, amd_hw_space_base(space) + 4 * (first + k), v);
    }
    return GPU_CP_DONE;
}

gpu_cp_status
gpu_cp_load_registers(gpu_cp *cp, const gpu_packet *p)
{
    return gpu_cp_load_space(cp, p, AMD_HW_SPACE_SH);
}
