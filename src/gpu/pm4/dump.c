/* Command streams as text. */
#include "gpu/pm4/dump.h"

#include "gpu/pm4/packets.h"

/* Reads on behind a packet of padding; returns the number of those in a row. */
static uint32_t
skip_padding(gpu_stream *s)
{
    uint32_t n = 1;
    for (;; n++) {
        gpu_stream ahead = *s;
        gpu_packet p;
        if (gpu_stream_next(&ahead, &p) != GPU_STREAM_PACKET || !gpu_packet_is_padding(&p))
            return n;
        *s = ahead;
    }
}

gpu_dump_result
gpu_dump_stream(const char *processor, const uint32_t *dwords, uint32_t count, base_buf *out)
{
    gpu_dump_result result = GPU_DUMP_OK;
    gpu_stream s = {.dwords = dwords, .count = count};
    if (!amd_gen_find(processor, &s.gen))
        return GPU_DUMP_NO_PROCESSOR;
    for (;;) {
        gpu_packet p;
        gpu_stream_status status = gpu_stream_next(&s, &p);
        if (status == GPU_STREAM_END)
            return result;
        buf_printf(out, "0x%05llx ", 4ull * p.at);
        if (status != GPU_STREAM_PACKET) {
            buf_printf(out, "error: %s\n", gpu_stream_status_text(status));
            result = GPU_DUMP_MALFORMED;
        }
        if (status == GPU_STREAM_PACKET && gpu_packet_is_padding(&p)) {
            buf_printf(out, "padding: %u dwords\n", (unsigned)skip_padding(&s));
            continue;
        }
        if (status != GPU_STREAM_PACKET && status != GPU_STREAM_TOO_SHORT)
            return result;
        buf_puts(out, status == GPU_STREAM_TOO_SHORT ? "        " : "");
        gpu_print_packet(&p, out);
    }
}
