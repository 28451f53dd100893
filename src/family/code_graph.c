/* Machine code as a graph of its blocks. */
#include "base/bitset.h"
#include "base/dot.h"
#include "family/blocks.h"

#include <stdio.h>

static void
put_inst(const family_listing *l, const family_code_inst *i, base_buf *out)
{
    char label[24] = "";
    family_inst in;
    if (!family_listing_decode(l, i->at, &in)) {
        buf_puts(out, "    .long 0x");
        for (uint32_t k = i->size; k-- > 0;)
            buf_printf(out, "%02x", l->bytes[i->at + k]);
        buf_puts(out, "\n");
        return;
    }
    size_t to = family_listing_target(l, &in, i->at);
    if (to != SIZE_MAX && to % 4 == 0 && bitset_has(l->labels, to / 4))
        snprintf(label, sizeof label, "L%zx", to);
    buf_puts(out, "    ");
    l->isa->print(l->reader, *label ? label : NULL, out);
    buf_puts(out, "\n");
}

static void
put_box(const family_listing *l, const family_code *c, uint32_t b, const char *name)
{
    const family_block *block = &c->blocks[b];
    base_buf text = buf_make(l->out->arena);
    if (b == 0)
        buf_printf(&text, "%s\n", name);
    else
        buf_printf(&text, "L%x\n", c->insts[block->first].at);
    for (uint32_t k = block->first; k < block->end; k++)
        put_inst(l, &c->insts[k], &text);
    base_dot_box(l->out, b, (const char *)text.data, text.size);
}

static void
put_arrows(const family_code *c, uint32_t b, base_buf *out)
{
    const family_block *block = &c->blocks[b];
    family_flow flow = (family_flow)c->insts[block->end - 1].flow;
    if (block->next != FAMILY_NO_BLOCK)
        base_dot_arrow(out, b, block->next, flow == FAMILY_MAYBE ? "not taken" : NULL, 0);
    if (block->target != FAMILY_NO_BLOCK)
        base_dot_arrow(out, b, block->target, flow == FAMILY_MAYBE ? "taken" : NULL,
                       block->target <= b ? BASE_DOT_BACK : 0);
    if (flow == FAMILY_UNKNOWN && c->insts[block->end - 1].is_inst)
        base_dot_arrow(out, b, c->n_blocks, "computed", 0);
}

/* Padding behind the program, which nothing leads to, is left out. */
static bool
is_shown(const family_code *c, uint32_t b)
{
    const family_block *block = &c->blocks[b];
    const family_code_inst *only = &c->insts[block->first];
    return !b || block->n_preds || block->end - block->first > 1 || only->flow != FAMILY_END;
}

void
family_print_graph(const family_listing *l, const char *name)
{
    const family_code *c = family_read_code(l->out->arena, l);
    bool computed = false;
    base_dot_open(l->out, name);
    for (uint32_t b = 0; b < c->n_blocks; b++)
        if (is_shown(c, b)) {
            put_box(l, c, b, name);
            const family_code_inst *last = &c->insts[c->blocks[b].end - 1];
            computed |= last->flow == FAMILY_UNKNOWN && last->is_inst;
        }
    if (computed)
        base_dot_box(l->out, c->n_blocks, "a computed place\n", 17);
    for (uint32_t b = 0; b < c->n_blocks; b++)
        if (is_shown(c, b))
            put_arrows(c, b, l->out);
    base_dot_close(l->out);
}
