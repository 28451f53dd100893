/* Packets of copy engines as text. */
#include "gpu/sdma/sdma.h"

#include <string.h>

enum { MOST_WORDS = 64, PER_LINE = 8, NAME_BITS = 0xffff };

/* Prints the words that have a name. Returns the first that has none. */
static uint32_t
print_fields(const gpu_copy_packet *p, base_buf *out)
{
    uint32_t k = 1;
    for (const char *name = p->fields; *name && k < p->n_words; k++) {
        size_t n = strcspn(name, ",");
        if (p->words[k])
            buf_printf(out, " %.*s=0x%x", (int)n, name, (unsigned)p->words[k]);
        name += n + (name[n] == ',');
    }
    return k;
}

void
gpu_print_copy_packet(const gpu_copy_packet *p, base_buf *out)
{
    buf_puts(out, p->name);
    if (p->words[0] & ~(uint32_t)NAME_BITS)
        buf_printf(out, " header 0x%x", (unsigned)p->words[0]);
    uint32_t first = print_fields(p, out);
    buf_puts(out, "\n");
    uint32_t end = p->n_words - first < MOST_WORDS ? p->n_words : first + MOST_WORDS;
    for (uint32_t k = first; k < end; k++) {
        bool begins = (k - first) % PER_LINE == 0,
             ends = k + 1 == end || (k - first) % PER_LINE == 7;
        buf_printf(out, "%s0x%x%s", begins ? "    " : " ", (unsigned)p->words[k], ends ? "\n" : "");
    }
    if (end < p->n_words)
        buf_printf(out, "    and %u words\n", (unsigned)(p->n_words - end));
}
