/* Command streams in AMD's format PM4: dwords that form packets of three types.
 *
 *   type 0   sets registers one behind another, from a number in the header
 *   type 2   one dword of padding
 *   type 3   an operation, with the words that belong to it
 *
 * Source: the Linux kernel's amdgpu headers (nvd.h: "Navi's PM4 definitions").
 */
#ifndef GPU_PM4_PACKETS_H
#define GPU_PM4_PACKETS_H

#include "amd/isa/isa.h"
#include "base/buf.h"

/* Operations of type 3; a generation has those whose rows in packets.def say so. */
typedef enum gpu_op {
#define GPU_PACKET(name, opcode, from, to, words) GPU_OP_##name,
#define GPU_WORD(packet, name, word, low, high, from, to)
#define GPU_WORD_MOVED(packet, name, word, low, high, from, to)
#include "gpu/pm4/packets.def"
    GPU_OP_UNKNOWN,
} gpu_op;

/* Fields of their words. */
typedef enum gpu_word {
#define GPU_PACKET(name, opcode, from, to, words)
#define GPU_WORD(packet, name, word, low, high, from, to) GPU_##packet##_##name,
#define GPU_WORD_MOVED(packet, name, word, low, high, from, to)
#include "gpu/pm4/packets.def"
    GPU_WORD_COUNT
} gpu_word;

typedef struct gpu_packet {
    unsigned type;         /* 0, 2 or 3 */
    uint32_t at;           /* dword of the header in the stream */
    const uint32_t *words; /* behind the header */
    uint32_t n_words;
    uint32_t opcode; /* type 3 */
    gpu_op op;       /* type 3: GPU_OP_UNKNOWN if the generation has no such opcode */
    uint32_t reg;    /* type 0: byte address of the first register */
    bool predicated; /* type 3: left out where predication says so */
    bool compute;    /* type 3: for the registers of compute shaders */
    amd_gen gen;
} gpu_packet;

typedef enum gpu_stream_status {
    GPU_STREAM_PACKET,    /* a packet was read */
    GPU_STREAM_END,       /* the stream is over */
    GPU_STREAM_TRUNCATED, /* a packet's words go on behind the stream's end */
    GPU_STREAM_BAD_TYPE,  /* a header of type 1, which no generation has */
    GPU_STREAM_TOO_SHORT, /* a known packet has fewer words than its operation needs */
} gpu_stream_status;

/* A stream that is being read. */
typedef struct gpu_stream {
    const uint32_t *dwords;
    uint32_t count, at;
    amd_gen gen;
} gpu_stream;

/* Reads the next packet. If the status is not GPU_STREAM_PACKET, `out` has the place of the header
 * and, for GPU_STREAM_TOO_SHORT, the whole packet; the stream can be read on behind that one
 * alone. */
gpu_stream_status
gpu_stream_next(gpu_stream *s, gpu_packet *out);

/* What is wrong, in a sentence. */
const char *
gpu_stream_status_text(gpu_stream_status status);

/* The operation's name, as in packets.def. */
const char *
gpu_op_name(gpu_op op);

/* A field of a packet's words; 0 if the generation does not have it or the packet is too short. */
uint32_t
gpu_word_of(const gpu_packet *p, gpu_word field);

/* Two words as one number of 64 bits. */
uint64_t
gpu_words_of(const gpu_packet *p, gpu_word low, gpu_word high);

/* Is it a packet without words that does nothing? Drivers fill streams up with them. */
bool
gpu_packet_is_padding(const gpu_packet *p);

/* Calls `set` for each register that the packet sets, in its order. Returns false if it is not a
 * packet that sets registers. */
typedef void
gpu_set_register(void *user, uint32_t address, uint32_t value);
bool
gpu_packet_registers(const gpu_packet *p, gpu_set_register *set, void *user);

/* Appends the packet as lines of text: its name with its fields, and below it a line for each
 * register that it sets, or its words if it has no fields. */
void
gpu_print_packet(const gpu_packet *p, base_buf *out);

#endif
