/* Reads PM4 packets, their fields and the registers that they set. */
#include "gpu/pm4/packets.h"

#include "amd/registers/registers.h"

typedef struct packet_row {
    const char *name;
    uint8_t opcode, from, to, words;
} packet_row;

typedef struct word_row {
    const char *name;
    gpu_op op;
    gpu_word field;
    uint8_t word, low, high, from, to;
} word_row;

static const packet_row packet_rows[] = {
#define GPU_PACKET(name, opcode, from, to, words) {#name, opcode, AMD_##from, AMD_##to, words},
#define GPU_WORD(packet, name, word, low, high, from, to)
#define GPU_WORD_MOVED(packet, name, word, low, high, from, to)
#include "gpu/pm4/packets.def"
    {"UNKNOWN", 0, AMD_GEN_COUNT, AMD_GEN_COUNT, 0},
};

static const word_row word_rows[] = {
#define GPU_PACKET(name, opcode, from, to, words)
#define GPU_WORD(packet, name, word, low, high, from, to)                                          \
    {#name, GPU_OP_##packet, GPU_##packet##_##name, word, low, high, AMD_##from, AMD_##to},
#define GPU_WORD_MOVED(packet, name, word, low, high, from, to)                                    \
    GPU_WORD(packet, name, word, low, high, from, to)
#include "gpu/pm4/packets.def"
};

enum { N_WORDS = sizeof word_rows / sizeof *word_rows };

static gpu_op
find_op(uint32_t opcode, amd_gen gen)
{
    unsigned op = 0;
    while (op < GPU_OP_UNKNOWN && (packet_rows[op].opcode != opcode || gen < packet_rows[op].from ||
                                   gen > packet_rows[op].to))
        op++;
    return (gpu_op)op;
}

const char *
gpu_op_name(gpu_op op)
{
    return packet_rows[op].name;
}

gpu_stream_status
gpu_stream_next(gpu_stream *s, gpu_packet *out)
{
    *out = (gpu_packet){.at = s->at, .op = GPU_OP_UNKNOWN, .gen = s->gen};
    if (s->at >= s->count)
        return GPU_STREAM_END;
    uint32_t header = s->dwords[s->at], n = (header >> 16 & 0x3fff) + 1;
    out->type = header >> 30;
    out->words = s->dwords + s->at + 1;
    if (out->type == 1)
        return GPU_STREAM_BAD_TYPE;
    /* A NOP of type 3 with the greatest count is a header alone (nvd.h: the ring's padding). */
    if (out->type == 2 || (out->type == 3 && n == 0x4000))
        n = 0;
    if (n > s->count - s->at - 1)
        return GPU_STREAM_TRUNCATED;
    out->n_words = n;
    s->at += 1 + n;
    if (out->type == 0)
        out->reg = (header & 0xffff) * 4;
    if (out->type != 3)
        return GPU_STREAM_PACKET;
    out->opcode = header >> 8 & 0xff;
    out->op = find_op(out->opcode, s->gen);
    out->predicated = header & 1;
    out->compute = header >> 1 & 1;
    return n < packet_rows[out->op].words ? GPU_STREAM_TOO_SHORT : GPU_STREAM_PACKET;
}

const char *
gpu_stream_status_text(gpu_stream_status status)
{
    switch (status) {
    case GPU_STREAM_END: return "the stream is over";
    case GPU_STREAM_TRUNCATED: return "the packet goes on behind the end of the stream";
    case GPU_STREAM_BAD_TYPE: return "a packet of type 1, which no generation has";
    case GPU_STREAM_TOO_SHORT: return "the packet has fewer words than its operation needs";
    default: return "a packet";
    }
}

static bool
has_field(const gpu_packet *p, const word_row *row)
{
    return row->op == p->op && row->from <= p->gen && p->gen <= row->to && row->word < p->n_words;
}

static uint32_t
bits_of(const gpu_packet *p, const word_row *row)
{
    uint64_t mask = (UINT64_C(2) << (row->high - row->low)) - 1;
    return p->words[row->word] >> row->low & (uint32_t)mask;
}

uint32_t
gpu_word_of(const gpu_packet *p, gpu_word field)
{
    for (unsigned k = 0; k < N_WORDS; k++) {
        if (word_rows[k].field == field && has_field(p, &word_rows[k]))
            return bits_of(p, &word_rows[k]);
    }
    return 0;
}

uint64_t
gpu_words_of(const gpu_packet *p, gpu_word low, gpu_word high)
{
    return gpu_word_of(p, low) | (uint64_t)gpu_word_of(p, high) << 32;
}

/* ---- registers ---- */

/* The range whose registers an operation sets, counted in dwords; AMD_HW_SPACE_COUNT: none. */
static amd_hw_space
space_of(gpu_op op)
{
    switch (op) {
    case GPU_OP_SET_CONFIG_REG: return AMD_HW_SPACE_CONFIG;
    case GPU_OP_SET_SH_REG:
    case GPU_OP_SET_SH_REG_INDEX:
    case GPU_OP_SET_SH_REG_PAIRS:
    case GPU_OP_SET_SH_REG_PAIRS_PACKED:
    case GPU_OP_SET_SH_REG_PAIRS_PACKED_N: return AMD_HW_SPACE_SH;
    case GPU_OP_SET_CONTEXT_REG:
    case GPU_OP_SET_CONTEXT_REG_INDEX:
    case GPU_OP_SET_CONTEXT_REG_PAIRS:
    case GPU_OP_SET_CONTEXT_REG_PAIRS_PACKED: return AMD_HW_SPACE_CONTEXT;
    case GPU_OP_SET_UCONFIG_REG:
    case GPU_OP_SET_UCONFIG_REG_INDEX:
    case GPU_OP_SET_UCONFIG_REG_PAIRS: return AMD_HW_SPACE_UCONFIG;
    default: return AMD_HW_SPACE_COUNT;
    }
}

/* What is being set: registers of a range, by the number of their dword in it. */
typedef struct setter {
    uint32_t base;
    gpu_set_register *set;
    void *user;
} setter;

static void
set_one(const setter *s, uint32_t dword, uint32_t value)
{
    s->set(s->user, s->base + (dword & 0xffff) * 4, value);
}

/* The first word names the first of neighbours; its upper half may hold an index. */
static void
set_neighbours(const gpu_packet *p, const setter *s)
{
    for (uint32_t k = 1; k < p->n_words; k++)
        set_one(s, (p->words[0] & 0xffff) + k - 1, p->words[k]);
}

/* A register and a value in turn. */
static void
set_pairs(const gpu_packet *p, const setter *s)
{
    for (uint32_t k = 0; k + 1 < p->n_words; k += 2)
        set_one(s, p->words[k], p->words[k + 1]);
}

/* The number of registers, then two registers in a word and their two values. An odd number is made
 * even by repeating one. */
static void
set_packed_pairs(const gpu_packet *p, const setter *s)
{
    for (uint32_t k = 1; k + 2 < p->n_words; k += 3) {
        set_one(s, p->words[k], p->words[k + 1]);
        set_one(s, p->words[k] >> 16, p->words[k + 2]);
    }
}

bool
gpu_packet_is_padding(const gpu_packet *p)
{
    return p->type == 2 || (p->op == GPU_OP_NOP && !p->n_words);
}

bool
gpu_packet_registers(const gpu_packet *p, gpu_set_register *set, void *user)
{
    if (p->type == 0) {
        for (uint32_t k = 0; k < p->n_words; k++)
            set(user, p->reg + 4 * k, p->words[k]);
        return true;
    }
    amd_hw_space space = p->type == 3 ? space_of(p->op) : AMD_HW_SPACE_COUNT;
    if (space == AMD_HW_SPACE_COUNT)
        return false;
    setter s = {amd_hw_space_base(space), set, user};
    switch (p->op) {
    case GPU_OP_SET_SH_REG_PAIRS:
    case GPU_OP_SET_CONTEXT_REG_PAIRS:
    case GPU_OP_SET_UCONFIG_REG_PAIRS: set_pairs(p, &s); break;
    case GPU_OP_SET_SH_REG_PAIRS_PACKED:
    case GPU_OP_SET_SH_REG_PAIRS_PACKED_N:
    case GPU_OP_SET_CONTEXT_REG_PAIRS_PACKED: set_packed_pairs(p, &s); break;
    default: set_neighbours(p, &s); break;
    }
    return true;
}

/* ---- text ---- */

typedef struct print_ctx {
    base_buf *out;
    amd_gen gen;
} print_ctx;

static void
print_register(void *user, uint32_t address, uint32_t value)
{
    const print_ctx *c = user;
    buf_puts(c->out, "    ");
    amd_hw_print_register(address, value, c->gen, c->out);
    buf_puts(c->out, "\n");
}

static void
print_head(const gpu_packet *p, base_buf *out)
{
    if (p->type == 0)
        buf_puts(out, "type 0");
    else if (p->type == 2)
        buf_puts(out, "type 2");
    else if (p->op == GPU_OP_UNKNOWN)
        buf_printf(out, "unknown operation 0x%02x", (unsigned)p->opcode);
    else
        buf_puts(out, packet_rows[p->op].name);
    if (p->predicated)
        buf_puts(out, " predicated");
}

/* The last word of a dispatch is the initiator, which is a register too. */
static uint32_t
print_initiator(const gpu_packet *p, print_ctx *c)
{
    bool is = p->op == GPU_OP_DISPATCH_DIRECT || p->op == GPU_OP_DISPATCH_INDIRECT;
    if (!is || !p->n_words)
        return 0;
    uint32_t address = amd_hw_reg_address(AMD_HW_COMPUTE_DISPATCH_INITIATOR, p->gen);
    print_register(c, address, p->words[p->n_words - 1]);
    return 1;
}

/* Returns the number of words that have fields. */
static uint32_t
print_fields(const gpu_packet *p, base_buf *out)
{
    uint32_t known = 0;
    for (unsigned k = 0; k < N_WORDS; k++) {
        const word_row *row = &word_rows[k];
        if (!has_field(p, row))
            continue;
        known = row->word + 1u > known ? row->word + 1u : known;
        uint32_t v = bits_of(p, row);
        if (v)
            buf_printf(out, v < 10 ? " %s=%u" : " %s=0x%x", row->name, (unsigned)v);
    }
    return known;
}

void
gpu_print_packet(const gpu_packet *p, base_buf *out)
{
    enum { WORDS_SHOWN = 64 };
    print_ctx c = {out, p->gen};
    print_head(p, out);
    uint32_t known = print_fields(p, out);
    buf_puts(out, "\n");
    if (gpu_packet_registers(p, print_register, &c))
        return;
    uint32_t end = p->n_words - print_initiator(p, &c);
    for (uint32_t k = known; k < end && k < known + WORDS_SHOWN; k++)
        buf_printf(out, "    0x%08x\n", (unsigned)p->words[k]);
    if (end > known + WORDS_SHOWN)
        buf_printf(out, "    and %u more words\n", (unsigned)(end - known - WORDS_SHOWN));
}
