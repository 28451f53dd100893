/* Prints lines of machine code. */
#include "api/listing.h"

#include "amd/isa/table/table.h"
#include "amd/isa/text/print.h"

#include "base/bitset.h"

#include <stdio.h>
#include <string.h>

bool
listing_decode(const listing *l, size_t at, amd_inst *in, bool *extra)
{
    size_t left = l->size - at;
    return left >= 4 && amd_decode_loose(l->target->gen, l->bytes + at, left, in, extra) &&
           in->size <= left;
}

size_t
listing_branch_target(const listing *l, const amd_inst *in, size_t at)
{
    bool is_branch = amd_op_row((amd_op)in->op)->flags & AMD_F_BRANCH;
    if ((in->fmt != AMD_SOPP && in->op != AMD_S_CALL_B64) || !is_branch)
        return SIZE_MAX;
    int64_t to = (int64_t)at + 4 + 4 * (int64_t)in->imm;
    return to >= 0 && (uint64_t)to <= l->size ? (size_t)to : SIZE_MAX;
}

void
listing_find_labels(listing *l, arena *a)
{
    amd_inst in;
    uint64_t *starts = ARENA_ARRAY(a, BITSET_WORDS(l->size / 4 + 1), uint64_t);
    uint64_t *targets = ARENA_ARRAY(a, BITSET_WORDS(l->size / 4 + 1), uint64_t);
    for (size_t at = 0; at < l->size;) {
        bool extra, ok = listing_decode(l, at, &in, &extra);
        size_t to = ok ? listing_branch_target(l, &in, at) : SIZE_MAX;
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

/* Prints the text of one instruction, with its last operand replaced if `operand` is not NULL. */
static void
print_instruction(const listing *l, const amd_inst *in, const char *operand)
{
    size_t start = l->out->size;
    amd_print(l->target->gen, in, l->wave64, l->out);
    if (!operand)
        return;
    while (l->out->size > start && l->out->data[l->out->size - 1] != ' ')
        l->out->size--;
    buf_puts(l->out, operand);
}

/* The value of a symbol is always encoded as a literal, but the number it replaces may not be. */
static bool
has_literal(const amd_inst *in)
{
    for (unsigned k = 0; k < in->n_src; k++)
        if (in->src[k] == AMD_SRC_LITERAL)
            return true;
    return false;
}

/* Returns true if the instruction's text assembles to its bytes. */
static bool
is_assembled(const listing *l, const amd_inst *in, size_t at)
{
    size_t start = l->out->size;
    amd_print(l->target->gen, in, l->wave64, l->out);
    bool ok = !l->check || amd_line_check_run(l->check, (const char *)l->out->data + start,
                                              l->out->size - start, l->bytes + at, in->size);
    l->out->size = start;
    return ok;
}

void
listing_data(const uint8_t *bytes, size_t left, base_buf *out)
{
    if (left >= 4) {
        buf_printf(out, ".long 0x%02x%02x%02x%02x", bytes[3], bytes[2], bytes[1], bytes[0]);
    } else {
        for (size_t i = 0; i < left; i++)
            buf_printf(out, "%s0x%02x", i ? ", " : ".byte ", bytes[i]);
    }
}

static void
print_comment(const listing *l, size_t at, size_t next, size_t width)
{
    const uint8_t *bytes = l->bytes;
    buf_printf(l->out, "%*s // %012llX:", width < 60 ? (int)(60 - width) : 1, "",
               (unsigned long long)(l->address + at));
    for (size_t i = at; i + 4 <= next; i += 4)
        buf_printf(l->out, " %02X%02X%02X%02X", bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]);
}

void
listing_source(listing *l, size_t at)
{
    const obj_line *row = l->code ? obj_find_line(l->code, at) : NULL;
    if (row && row != l->shown) {
        buf_puts(l->out, "// ");
        for (const char *c = l->code->files[row->file]; *c; c++)
            buf_put_u8(l->out, (unsigned char)*c < ' ' ? '?' : (uint8_t)*c);
        buf_printf(l->out, ":%u", row->line);
        if (row->column)
            buf_printf(l->out, ":%u", row->column);
        buf_puts(l->out, "\n");
    }
    l->shown = row;
}

/* Prints the words of an instruction whose text would not give them, with its meaning above. */
static void
print_words(const listing *l, const amd_inst *in, size_t at, bool extra)
{
    if (l->with_bytes) {
        buf_puts(l->out, "// ");
        amd_print(l->target->gen, in, l->wave64, l->out);
        buf_puts(l->out, extra ? " (fields that it does not use are set)\n" : "\n");
    }
    for (size_t word = at; word < at + in->size; word += 4)
        buf_printf(l->out, "%s0x%02x%02x%02x%02x", word > at ? ", " : "\t.long ",
                   l->bytes[word + 3], l->bytes[word + 2], l->bytes[word + 1], l->bytes[word]);
}

size_t
listing_line(listing *l, size_t at, size_t end, listing_operand operand)
{
    size_t start, left = end - at, next = at + (left < 4 ? left : 4);
    amd_inst in;
    bool extra, is_inst = listing_decode(l, at, &in, &extra) && in.size <= left;
    listing_source(l, at);
    start = l->out->size;
    if (is_inst && !extra && ((operand.text && has_literal(&in)) || is_assembled(l, &in, at))) {
        buf_puts(l->out, "\t");
        print_instruction(l, &in, operand.text);
    } else if (is_inst) {
        print_words(l, &in, at, extra);
    } else {
        buf_puts(l->out, "\t");
        listing_data(l->bytes + at, left, l->out);
    }
    next = is_inst ? at + in.size : next;
    for (size_t i = start; i < l->out->size; i++) /* finds the start of the line itself */
        start = l->out->data[i] == '\n' ? i + 1 : start;
    if (l->with_bytes)
        print_comment(l, at, next, l->out->size - start);
    if (operand.note)
        buf_printf(l->out, " <%s>", operand.note);
    buf_puts(l->out, "\n");
    if (l->with_fields && is_inst) {
        buf_puts(l->out, "\t// ");
        amd_print_fields(l->target->gen, &in, l->bytes + at, l->out);
        buf_puts(l->out, "\n");
    }
    return next;
}

static bool
has_label(const listing *l, size_t at)
{
    return l->labels && at % 4 == 0 && bitset_has(l->labels, at / 4);
}

void
listing_run(listing *l)
{
    for (size_t at = 0; at < l->size;) {
        char label[24] = "";
        amd_inst in;
        bool extra;
        if (has_label(l, at))
            buf_printf(l->out, "L%zx:\n", at);
        size_t to = l->labels && listing_decode(l, at, &in, &extra)
                        ? listing_branch_target(l, &in, at)
                        : SIZE_MAX;
        if (to != SIZE_MAX && has_label(l, to))
            snprintf(label, sizeof label, "L%zx", to);
        at = listing_line(l, at, l->size, (listing_operand){.text = *label ? label : NULL});
    }
    if (has_label(l, l->size))
        buf_printf(l->out, "L%zx:\n", l->size);
}

void
listing_head(const obj_code *c, base_buf *out)
{
    buf_printf(out,
               "// %s: target %s, %s, wave%u, %u SGPRs, %u VGPRs, %u bytes LDS, %u bytes scratch\n",
               c->name, c->target, obj_abi_name(c->abi), c->wave_size, c->sgprs, c->vgprs,
               c->lds_bytes, c->scratch_bytes);
    if (c->workgroup_size[0])
        buf_printf(out, "// workgroup %u %u %u\n", c->workgroup_size[0], c->workgroup_size[1],
                   c->workgroup_size[2]);
    buf_printf(out, "// rsrc 0x%08x 0x%08x 0x%08x\n", c->rsrc[0], c->rsrc[1], c->rsrc[2]);
    for (uint32_t i = 0; i < c->n_user_sgprs; i++) {
        const obj_user_sgpr *u = &c->user_sgprs[i];
        if (u->count == 1)
            buf_printf(out, "// s%u ", u->first_sgpr);
        else
            buf_printf(out, "// s[%u:%u] ", u->first_sgpr, u->first_sgpr + u->count - 1);
        buf_printf(out, "%s %u\n", obj_user_kind_name(u->kind), u->index);
    }
}
