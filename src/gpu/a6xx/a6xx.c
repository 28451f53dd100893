#include "gpu/a6xx/a6xx.h"

#include "base/bits.h"

#include <stdio.h>
#include <string.h>

enum {
#define REG(name, number) REG_##name = (number),
#include "gpu/a6xx/registers.def"
#undef REG
    N_REGISTERS = 0x10000,
    CODE_UNIT = 128, /* bytes, of SP_CS_INSTRLEN */
    MAX_DEPTH = 4,   /* of streams that call streams */
    MAX_UBOS = 32,
};

typedef enum packet_op {
#define PACKET(name, opcode, words) PACKET_##name = (opcode),
#include "gpu/a6xx/packets.def"
#undef PACKET
} packet_op;

typedef struct packet_row {
    const char *name;
    uint32_t words;
} packet_row;

static const packet_row packet_rows[128] = {
#define PACKET(name, opcode, words) [opcode] = {#name, words},
#include "gpu/a6xx/packets.def"
#undef PACKET
};

typedef struct processor {
    const gpu_a6xx_submission *s;
    arena *scratch;
    char *message;
    uint32_t *registers;
    uint32_t consts[ADRENO_EMU_CONSTS];
    uint8_t const_loaded[ADRENO_EMU_CONSTS]; /* 1: it was */
    uint64_t ubos[MAX_UBOS];                 /* descriptors that instructions name without a base */
    unsigned depth;
} processor;

typedef struct packet {
    uint32_t opcode, n;
    const uint32_t *words;
} packet;

static bool
fail(processor *p, const char *what, uint64_t number)
{
    snprintf(p->message, 160, "%s (0x%llx)", what, (unsigned long long)number);
    return false;
}

/* The bytes at an address; NULL if they are in no buffer. */
static uint8_t *
find(const processor *p, uint64_t address, uint64_t size)
{
    for (uint32_t k = 0; k < p->s->n_buffers; k++) {
        const gpu_a6xx_buffer *b = &p->s->buffers[k];
        if (address >= b->address && size <= b->size && address - b->address <= b->size - size)
            return b->host + (address - b->address);
    }
    return NULL;
}

static uint64_t
wide(const uint32_t words[2])
{
    return words[0] | (uint64_t)words[1] << 32;
}

static uint32_t
field(uint32_t word, unsigned low, unsigned high)
{
    return word >> low & (uint32_t)base_mask64(high - low + 1);
}

/* ---- state that streams load ---- */

enum {
    SOURCE_DIRECT = 0,
    SOURCE_BINDLESS = 1,
    SOURCE_INDIRECT = 2,
    TYPE_SHADER = 0,
    TYPE_CONSTANTS = 1,
    TYPE_UBO = 2
};
enum { BLOCK_CS_SHADER = 13, BLOCK_SHARED = 14 };
/* Constants that all stages share have the last places that instructions can name; turnip keeps
 * push constants there. */
enum { FIRST_SHARED_CONST = 504 * 4 };

static bool
load_constants(processor *p, uint32_t first, const uint32_t *data, uint32_t n)
{
    if (first + n > ADRENO_EMU_CONSTS)
        return fail(p, "constants behind the file are loaded", first + n);
    memcpy(p->consts + first, data, n * sizeof *data);
    memset(p->const_loaded + first, 1, n);
    return true;
}

static bool
load_ubos(processor *p, uint32_t first, const uint32_t *data, uint32_t n)
{
    if (first + n > MAX_UBOS)
        return fail(p, "more descriptors without a base are loaded than there are", first + n);
    for (uint32_t k = 0; k < n; k++)
        p->ubos[first + k] = wide(data + 2 * (size_t)k);
    return true;
}

/* Instructions and descriptors of sets that are loaded ahead change nothing. */
static bool
load_state(processor *p, const packet *x)
{
    const uint32_t what = x->words[0], first = field(what, 0, 13), n = field(what, 22, 31);
    const uint32_t type = field(what, 14, 15), source = field(what, 16, 17);
    const uint32_t unit = type == TYPE_CONSTANTS ? 4 : 2; /* dwords */
    const uint32_t *data = x->words + 3;
    if (field(what, 18, 21) == BLOCK_SHARED && type == TYPE_UBO && source == SOURCE_DIRECT)
        return x->n >= 3 + n ? load_constants(p, FIRST_SHARED_CONST + first, data, n)
                             : fail(p, "a packet is too short", what);
    if (field(what, 18, 21) != BLOCK_CS_SHADER || type == TYPE_SHADER || source == SOURCE_BINDLESS)
        return true;
    if (source == SOURCE_INDIRECT)
        data = (const uint32_t *)(const void *)find(p, wide(x->words + 1), 4 * (uint64_t)unit * n);
    else if (source != SOURCE_DIRECT || x->n < 3 + unit * n)
        return fail(p, "LOAD_STATE6 has no such source", what);
    if (!data)
        return fail(p, "LOAD_STATE6 loads from no buffer", wide(x->words + 1));
    if (type == TYPE_CONSTANTS)
        return load_constants(p, 4 * first, data, 4 * n);
    return type == TYPE_UBO ? load_ubos(p, first, data, n)
                            : fail(p, "LOAD_STATE6 loads what is not known", what);
}

/* ---- dispatches ---- */

static uint64_t
address_register(const processor *p, unsigned number)
{
    return wide(p->registers + number);
}

static uint8_t
launch_register(uint32_t number)
{
    return number == 0xfc ? ADRENO_EMU_NO_REG : (uint8_t)number;
}

static void
describe(const processor *p, const uint32_t groups[3], adreno_dispatch *d)
{
    const uint32_t *r = p->registers, control = r[REG_SP_CS_CTRL_REG0];
    const uint32_t size = r[REG_HLSQ_CS_NDRANGE_0];
    *d = (adreno_dispatch){
        .gen = 6,
        .entry = address_register(p, REG_SP_CS_OBJ_START) + r[REG_SP_CS_OBJ_FIRST_EXEC_OFFSET],
        .wave_size = field(control, 20, 20) ? 128 : 64,
        .group_size = {field(size, 2, 11) + 1, field(size, 12, 21) + 1, field(size, 22, 31) + 1},
        .groups = {groups[0], groups[1], groups[2]},
        .local_id = launch_register(field(r[REG_HLSQ_CS_CNTL_0], 24, 31)),
        .workgroup_id = launch_register(field(r[REG_HLSQ_CS_CNTL_0], 0, 7)),
        .n_full = 4 * field(control, 7, 12),
        .branch_stack = 2 * field(control, 14, 19), /* which counts pairs */
        .early_preamble = field(control, 23, 23),
        .local_bytes = (field(r[REG_SP_CS_UNKNOWN_A9B1], 0, 4) + 1) * 1024,
        .private_bytes = field(r[REG_SP_CS_PVT_MEM_PARAM], 0, 7) * 512,
        .border_colors = address_register(p, REG_SP_PS_TP_BORDER_COLOR_BASE_ADDR),
        .consts = p->consts,
        .n_consts = ADRENO_EMU_CONSTS,
        .consts_given = p->const_loaded,
        .checks = p->s->checks,
        .rules_off = p->s->rules_off,
    };
    for (unsigned k = 0; k < 5; k++)
        d->sets[k] = address_register(p, REG_SP_CS_BINDLESS_BASE + 2 * k) & ~UINT64_C(3);
}

/* Descriptors that instructions name without a base, as the emulator has them, of
 * ADRENO_DESCRIPTOR_BYTES each. */
static void
map_ubos(const processor *p, mach_memory *m, adreno_dispatch *d)
{
    mach_region *r = mach_memory_alloc(m, MACH_HEAP_SET, MAX_UBOS * ADRENO_DESCRIPTOR_BYTES, 0,
                                       "descriptors without a base");
    for (unsigned k = 0; r && k < MAX_UBOS; k++)
        memcpy(r->host + (size_t)k * ADRENO_DESCRIPTOR_BYTES, &p->ubos[k], sizeof p->ubos[k]);
    d->buffers = r ? r->base : 0;
    d->n_buffers = r ? MAX_UBOS : 0;
}

/* Maps a buffer, the shader's code as a region of its own. */
static void
map_buffer(mach_memory *m, const gpu_a6xx_buffer *b, uint64_t code, uint64_t code_size)
{
    const bool holds = code >= b->address && code + code_size <= b->address + b->size;
    const uint64_t cuts[4] = {b->address, holds ? code : b->address,
                              holds ? code + code_size : b->address, b->address + b->size};
    for (unsigned k = 0; k < 3; k++)
        if (cuts[k] < cuts[k + 1])
            mach_memory_map(m, cuts[k], cuts[k + 1] - cuts[k], b->host + (cuts[k] - b->address),
                            k == 1 ? "code" : "buffer");
}

static bool
run_dispatch(processor *p, const uint32_t groups[3])
{
    const arena_mark mark = arena_save(p->scratch);
    adreno_dispatch d;
    mach_memory m;
    mach_report *report = ARENA_NEW(p->scratch, mach_report);
    describe(p, groups, &d);
    const uint64_t code_size = (uint64_t)p->registers[REG_SP_CS_INSTRLEN] * CODE_UNIT;
    mach_memory_init(&m, p->scratch);
    for (uint32_t k = 0; k < p->s->n_buffers; k++)
        map_buffer(&m, &p->s->buffers[k], d.entry, code_size);
    map_ubos(p, &m, &d);
    adreno_emu_run(&d, &m, p->scratch, report);
    if (p->s->ran)
        p->s->ran(p->s->user, &d, report);
    arena_release(p->scratch, mark);
    return true;
}

static bool
run_indirect(processor *p, const packet *x)
{
    const uint64_t address = wide(x->words + 1);
    const uint8_t *at = find(p, address, 12);
    uint32_t groups[3];
    if (!at)
        return fail(p, "EXEC_CS_INDIRECT reads no buffer", address);
    memcpy(groups, at, sizeof groups);
    return run_dispatch(p, groups);
}

/* ---- packets ---- */

static bool
write_memory(processor *p, uint64_t address, const uint32_t *data, uint32_t n)
{
    uint8_t *to = find(p, address, 4 * (uint64_t)n);
    if (!to)
        return fail(p, "a packet writes no buffer", address);
    memcpy(to, data, n * sizeof *data);
    return true;
}

/* Events with an address leave what they are given behind the work before them. */
static bool
write_event(processor *p, const packet *x)
{
    return x->n < 4 || write_memory(p, wide(x->words + 1), x->words + 3, 1);
}

/* Groups of state for draws, which are not executed, may be turned off. */
static bool
set_draw_state(processor *p, const packet *x)
{
    for (uint32_t k = 0; k + 2 < x->n; k += 3)
        if (!field(x->words[k], 17, 18) && field(x->words[k], 0, 15))
            return fail(p, "draws are not executed", x->words[k]);
    return true;
}

static bool
execute_stream(processor *p, uint64_t address, uint32_t dwords);

static bool
execute_packet(processor *p, const packet *x)
{
    switch ((packet_op)x->opcode) {
    case PACKET_EXEC_CS: return run_dispatch(p, x->words + 1);
    case PACKET_EXEC_CS_INDIRECT: return run_indirect(p, x);
    case PACKET_LOAD_STATE6_FRAG:
    case PACKET_LOAD_STATE6: return load_state(p, x);
    case PACKET_MEM_WRITE: return write_memory(p, wide(x->words), x->words + 2, x->n - 2);
    case PACKET_INDIRECT_BUFFER:
        return execute_stream(p, wide(x->words), field(x->words[2], 0, 19));
    case PACKET_SET_DRAW_STATE: return set_draw_state(p, x);
    case PACKET_EVENT_WRITE: return write_event(p, x);
    case PACKET_NOP:
    case PACKET_WAIT_MEM_WRITES:
    case PACKET_WAIT_FOR_ME:
    case PACKET_WAIT_FOR_IDLE:
    case PACKET_SKIP_IB2_ENABLE_GLOBAL:
    case PACKET_SET_MODE:
    case PACKET_SET_MARKER: return true;
    }
    return fail(p, "a packet is not executed", x->opcode);
}

/* ---- streams ---- */

/* The parity bit makes the number of ones odd. */
static bool
has_parity(uint32_t value, uint32_t bit)
{
    return (base_popcount32(value) + bit) % 2 == 1;
}

static bool
set_registers(processor *p, uint32_t header, const uint32_t *values, uint32_t n)
{
    const uint32_t first = field(header, 8, 25);
    if (!has_parity(n, field(header, 7, 7)) || !has_parity(first, field(header, 27, 27)))
        return fail(p, "a header's parity is wrong", header);
    if (first + n > N_REGISTERS)
        return fail(p, "there is no such register", first);
    memcpy(p->registers + first, values, n * sizeof *values);
    return true;
}

static bool
execute_operation(processor *p, uint32_t header, const uint32_t *words, uint32_t n)
{
    const packet x = {.opcode = field(header, 16, 22), .n = n, .words = words};
    if (!has_parity(n, field(header, 15, 15)) || !has_parity(x.opcode, field(header, 23, 23)))
        return fail(p, "a header's parity is wrong", header);
    if (!packet_rows[x.opcode].name)
        return fail(p, "there is no packet of this number", x.opcode);
    if (n < packet_rows[x.opcode].words)
        return fail(p, "a packet is too short", header);
    return execute_packet(p, &x);
}

static bool
execute_stream(processor *p, uint64_t address, uint32_t dwords)
{
    const uint32_t *at = (const uint32_t *)(const void *)find(p, address, 4 * (uint64_t)dwords);
    bool ok = at && address % 4 == 0;
    if (!ok)
        return fail(p, "a stream is in no buffer", address);
    if (p->depth++ == MAX_DEPTH)
        return fail(p, "streams call each other too deep", address);
    for (uint32_t k = 0; ok && k < dwords;) {
        const uint32_t header = at[k++], type = header >> 28;
        const uint32_t n = type == 4 ? field(header, 0, 6) : field(header, 0, 13);
        if (type != 4 && type != 7)
            return fail(p, "a header has no type", header);
        if (n > dwords - k)
            return fail(p, "a packet goes on behind its stream", header);
        ok = type == 4 ? set_registers(p, header, at + k, n)
                       : execute_operation(p, header, at + k, n);
        k += n;
    }
    p->depth--;
    return ok;
}

bool
gpu_a6xx_execute(const gpu_a6xx_submission *s, arena *scratch, char message[160])
{
    const arena_mark mark = arena_save(scratch);
    processor *p = ARENA_NEW(scratch, processor);
    bool ok = true;
    *p = (processor){.s = s, .scratch = scratch, .message = message};
    p->registers = ARENA_ARRAY(scratch, N_REGISTERS, uint32_t);
    for (uint32_t k = 0; ok && k < s->n_streams; k++)
        ok = execute_stream(p, s->streams[k].address, s->streams[k].dwords);
    arena_release(scratch, mark);
    return ok;
}
