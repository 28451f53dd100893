#include "ir/graph.h"

#include "base/dot.h"
#include "ir/text.h"

enum { LOGICAL, LINEAR };

static bool
has_linear(const ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        if (b->succs[LINEAR].count)
            return true;
    }
    return false;
}

static bool
has_edge(const ir_edges *e, const ir_block *to)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (e->at[i] == to)
            return true;
    return false;
}

static void
put_box(const ir_fn *f, const ir_block *b, unsigned flags, base_buf *out)
{
    base_buf text = buf_make(f->ctx->arena); /* the printer releases scratch memory */
    buf_printf(&text, "%s%u\n", f->level->machine ? "BB" : "b", b->index);
    IR_FOREACH_INSTR(i, b) {
        buf_puts(&text, "    ");
        ir_print_instr(f, i, flags, &text);
        buf_puts(&text, "\n");
    }
    base_dot_box(out, b->index, (const char *)text.data, text.size);
}

static void
put_arrows(const ir_fn *f, const ir_block *b, unsigned list, unsigned how, base_buf *out)
{
    static const char *const names[2][2] = {{"true", "false"}, {"not taken", "taken"}};
    const ir_edges *e = &b->succs[list];
    for (uint32_t i = 0; i < e->count; i++) {
        const ir_block *to = e->at[i];
        bool is_named = e->count == 2 && !(how & BASE_DOT_FAINT);
        if (how & BASE_DOT_FAINT && has_edge(&b->succs[LINEAR], to))
            continue;
        base_dot_arrow(out, b->index, to->index,
                       is_named ? names[f->level->machine != NULL][i] : NULL,
                       how | (to->index <= b->index ? BASE_DOT_BACK : 0));
    }
}

void
ir_print_graph(const ir_fn *f, unsigned flags, base_buf *out)
{
    bool two = has_linear(f);
    base_dot_open(out, f->name);
    IR_FOREACH_BLOCK(b, f) {
        put_box(f, b, flags, out);
    }
    IR_FOREACH_BLOCK(b, f) {
        put_arrows(f, b, two ? LINEAR : LOGICAL, 0, out);
        if (two)
            put_arrows(f, b, LOGICAL, BASE_DOT_FAINT, out);
    }
    base_dot_close(out);
}
