#include "base/dot.h"

#include <string.h>

/* Appends a quoted string: each line of the text is aligned to the left. */
static void
put_quoted(const char *text, size_t size, base_buf *out)
{
    buf_puts(out, "\"");
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n')
            buf_puts(out, "\\l");
        else if (c == '\t')
            buf_puts(out, "    ");
        else if (c == '"' || c == '\\')
            buf_printf(out, "\\%c", c);
        else
            buf_put_u8(out, c < ' ' ? '?' : c);
    }
    buf_puts(out, "\"");
}

void
base_dot_open(base_buf *out, const char *name)
{
    buf_puts(out, "digraph ");
    put_quoted(name, strlen(name), out);
    buf_puts(out, " {\n    node [shape=box, fontname=\"monospace\", fontsize=10];\n"
                  "    edge [fontname=\"monospace\", fontsize=10];\n");
}

void
base_dot_close(base_buf *out)
{
    buf_puts(out, "}\n");
}

void
base_dot_box(base_buf *out, uint32_t block, const char *text, size_t size)
{
    buf_printf(out, "    b%u [label=", block);
    put_quoted(text, size, out);
    buf_puts(out, "];\n");
}

void
base_dot_arrow(base_buf *out, uint32_t from, uint32_t to, const char *label, unsigned how)
{
    const char *divide = " [";
    buf_printf(out, "    b%u -> b%u", from, to);
    if (label) {
        buf_printf(out, "%slabel=", divide);
        put_quoted(label, strlen(label), out);
        divide = ", ";
    }
    if (how & BASE_DOT_BACK) {
        buf_printf(out, "%scolor=blue, class=back", divide);
        divide = ", ";
    }
    if (how & BASE_DOT_FAINT) {
        buf_printf(out, "%sstyle=dashed, color=gray", divide);
        divide = ", ";
    }
    buf_puts(out, *divide == ',' ? "];\n" : ";\n");
}
