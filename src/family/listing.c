/* Prints lines of machine code. */
#include "family/listing.h"

#include "base/bitset.h"
#include "family/blocks.h"
#include "family/live_view.h"

#include <stdio.h>
#include <string.h>

void
family_listing_begin(const family_listing *l)
{
    if (l->isa->begin)
        l->isa->begin(l->reader, l->bytes, l->size);
}

bool
family_listing_decode(const family_listing *l, size_t at, family_inst *in)
{
    size_t left = l->size - at;
    return l->isa->decode(l->reader, l->bytes + at, left, in) && in->size <= left;
}

size_t
family_listing_target(const family_listing *l, const family_inst *in, size_t at)
{
    int64_t to = (int64_t)at + in->distance;
    return in->is_branch && to >= 0 && (uint64_t)to <= l->size ? (size_t)to : SIZE_MAX;
}

void
family_listing_find_labels(family_listing *l, arena *a)
{
    family_inst in;
    uint64_t *starts = ARENA_ARRAY(a, BITSET_WORDS(l->size / 4 + 1), uint64_t);
    uint64_t *targets = ARENA_ARRAY(a, BITSET_WORDS(l->size / 4 + 1), uint64_t);
    for (size_t at = 0; at < l->size;) {
        bool ok = family_listing_decode(l, at, &in);
        size_t to = ok ? family_listing_target(l, &in, at) : SIZE_MAX;
        bitset_add(starts, at / 4);
        if (to != SIZE_MAX)
            bitset_add(targets, to / 4);
        at += ok ? in.size : 4;
    }
    if (l->size % 4 == 0)
        bitset_add(starts, l->size / 4);
    for (size_t i = 0; i < BITSET_WORDS(l->size / 4 + 1); i++)
        targets[i] &= starts[i];
    l->labels = targets;
}

/* Prints bytes as data: a dword, or what is left of one. */
static void
list_data(const uint8_t *bytes, size_t left, base_buf *out)
{
    if (left >= 4) {
        buf_printf(out, ".long 0x%02x%02x%02x%02x", bytes[3], bytes[2], bytes[1], bytes[0]);
    } else {
        for (size_t i = 0; i < left; i++)
            buf_printf(out, "%s0x%02x", i ? ", " : ".byte ", bytes[i]);
    }
}

enum { TAB = 7 }; /* columns that a tab takes beyond its character */

static void
print_comment(const family_listing *l, size_t at, size_t next, size_t width)
{
    const uint8_t *bytes = l->bytes;
    buf_printf(l->out, "%*s // %012llX:", width < 60 ? (int)(60 - width) : 1, "",
               (unsigned long long)(l->address + at));
    for (size_t i = at; i + 4 <= next; i += 4)
        buf_printf(l->out, " %02X%02X%02X%02X", bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]);
}

/* Text of others: a control character must not end the comment. */
static void
put_plain(const char *text, size_t size, base_buf *out)
{
    for (size_t i = 0; i < size; i++)
        buf_put_u8(out,
                   (unsigned char)text[i] < ' ' ? text[i] == '\t' ? ' ' : '?' : (uint8_t)text[i]);
}

/* Appends ": " and the text of the line, without what indents it. */
static void
print_line_text(family_listing *l, const obj_line *row)
{
    const base_text_line *line = l->source ? family_source_line(l->source, row) : NULL;
    size_t first = 0;
    while (line && first < line->size && (line->start[first] == ' ' || line->start[first] == '\t'))
        first++;
    if (!line || first == line->size)
        return;
    buf_puts(l->out, ": ");
    put_plain(line->start + first, line->size - first, l->out);
}

static void
print_source(family_listing *l, size_t at)
{
    const obj_line *row = l->code ? obj_find_line(l->code, at) : NULL;
    if (row && row != l->shown) {
        buf_puts(l->out, "// ");
        put_plain(l->code->files[row->file], strlen(l->code->files[row->file]), l->out);
        buf_printf(l->out, ":%u", row->line);
        if (row->column)
            buf_printf(l->out, ":%u", row->column);
        print_line_text(l, row);
        buf_puts(l->out, "\n");
    }
    l->shown = row;
}

/* Prints the words of an instruction whose text would not give them, with its meaning above. */
static void
print_words(const family_listing *l, const family_inst *in, size_t at)
{
    if (l->with_bytes) {
        buf_puts(l->out, "// ");
        l->isa->print(l->reader, NULL, l->out);
        buf_puts(l->out, in->has_extra ? " (fields that it does not use are set)\n" : "\n");
    }
    for (size_t word = at; word < at + in->size; word += 4)
        buf_printf(l->out, "%s0x%02x%02x%02x%02x", word > at ? ", " : "\t.long ",
                   l->bytes[word + 3], l->bytes[word + 2], l->bytes[word + 1], l->bytes[word]);
}

size_t
family_listing_line(family_listing *l, size_t at, size_t end, family_operand operand)
{
    size_t start, left = end - at, next = at + (left < 4 ? left : 4);
    family_inst in;
    bool is_inst = family_listing_decode(l, at, &in) && in.size <= left;
    if (l->live)
        family_live_print_ruler(l->live, l->out);
    print_source(l, at);
    start = l->out->size;
    if (is_inst && !in.has_extra && l->isa->is_exact(l->reader, l->bytes + at, operand.text)) {
        buf_puts(l->out, "\t");
        l->isa->print(l->reader, operand.text, l->out);
    } else if (is_inst) {
        print_words(l, &in, at);
    } else {
        buf_puts(l->out, "\t");
        list_data(l->bytes + at, left, l->out);
    }
    next = is_inst ? at + in.size : next;
    for (size_t i = start; i < l->out->size; i++) /* finds the start of the line itself */
        start = l->out->data[i] == '\n' ? i + 1 : start;
    if (l->live)
        family_live_print_row(l->live, at, l->out->size - start + TAB, l->out);
    else if (l->with_bytes)
        print_comment(l, at, next, l->out->size - start);
    if (operand.note)
        buf_printf(l->out, " <%s>", operand.note);
    buf_puts(l->out, "\n");
    if (l->with_fields && is_inst && l->isa->print_fields) {
        buf_puts(l->out, "\t// ");
        l->isa->print_fields(l->reader, l->bytes + at, l->out);
        buf_puts(l->out, "\n");
    }
    return next;
}

static bool
has_label(const family_listing *l, size_t at)
{
    return l->labels && at % 4 == 0 && bitset_has(l->labels, at / 4);
}

void
family_listing_run(family_listing *l)
{
    for (size_t at = 0; at < l->size;) {
        char label[24] = "";
        family_inst in;
        if (has_label(l, at))
            buf_printf(l->out, "L%zx:\n", at);
        size_t to = l->labels && family_listing_decode(l, at, &in)
                        ? family_listing_target(l, &in, at)
                        : SIZE_MAX;
        if (to != SIZE_MAX && has_label(l, to))
            snprintf(label, sizeof label, "L%zx", to);
        at = family_listing_line(l, at, l->size, (family_operand){.text = *label ? label : NULL});
    }
    if (has_label(l, l->size))
        buf_printf(l->out, "L%zx:\n", l->size);
}

/* Prints what follows the code: the padding, then constant data. The text must include
 * the padding, because the code contains the distance to its data. */
static void
print_constant_data(const family_isa *isa, const obj_code *code, base_buf *out)
{
    uint32_t at = isa->print_padding ? isa->print_padding(code, out) : code->data_offset;
    if (at < code->code_size)
        buf_printf(out, "%s.data:\n", code->name);
    for (; at < code->code_size; at += 4) {
        buf_puts(out, "\t");
        list_data(code->code + at, code->code_size - at, out);
        buf_puts(out, "\n");
    }
}

void
family_listing_show_live(const ir_ctx *c, const family_target *t, family_listing *l)
{
    const family_objects *objects = family_objects_of(t);
    family_figures figures = {0};
    family_need(c->diag, t, l->isa->effects, "live registers");
    l->live = family_live_view_of(c->arena, c->scratch, l);
    if (objects->count && l->code)
        objects->count(c->scratch, t, l->code, &figures);
    family_live_print_head(l->live, l->code ? &figures : NULL, l->out);
}

static void
print_binding(const obj_resource *r, base_buf *out)
{
    bool is_inline = r->type == OBJ_DESCRIPTOR_INLINE_UNIFORM_BLOCK;
    buf_printf(out, "// set %u, binding %u: %s", r->set, r->binding, obj_descriptor_name(r->type));
    if (is_inline)
        buf_printf(out, " of %u bytes", r->count);
    else if (r->count != 1)
        buf_printf(out, "[%u]", r->count);
    buf_printf(out, " at byte %u", r->offset);
    if (r->count != 1 && !is_inline)
        buf_printf(out, ", one every %u", r->stride);
    buf_printf(out, "%s%s\n", r->in_block ? " of the push constants" : "",
               r->is_used ? "" : ", not used");
}

void
family_print_bindings(const obj_code *code, base_buf *out)
{
    for (uint32_t i = 0; i < code->n_resources; i++)
        print_binding(&code->resources[i], out);
}

void
family_print_shader(const ir_ctx *c, const family_target *t, const obj_code *code, family_text how,
                    base_buf *out)
{
    const family_isa *isa = family_isa_of(t);
    const family_objects *objects = family_objects_of(t);
    family_need(c->diag, t, isa->open, "the text of code");
    family_listing l = {.isa = isa,
                        .reader = isa->open(c->scratch, t, code->wave_size),
                        .bytes = code->code,
                        .size = code->data_offset,
                        .with_bytes = how.with_bytes,
                        .with_fields = how.with_fields,
                        .code = code,
                        .out = out};
    family_listing_begin(&l);
    family_listing_find_labels(&l, c->arena);
    if (how.as_graph) {
        family_need(c->diag, t, isa->effects, "the control-flow graph");
        family_print_graph(&l, code->name);
        return;
    }
    if (objects->print_notes)
        objects->print_notes(code, out);
    if (how.source.find)
        l.source = family_source_text_of(c->arena, code, how.source);
    if (how.with_live)
        family_listing_show_live(c, t, &l);
    buf_printf(out, "%s:\n", code->name);
    family_listing_run(&l);
    print_constant_data(isa, code, out);
}
