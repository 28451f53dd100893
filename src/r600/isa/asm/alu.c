/* Operands of ALU instructions. */
#include "r600/isa/asm/asm.h"

#include "base/bits.h"
#include "base/number.h"
#include "r600/isa/text/text.h"

#include <string.h>

enum { MAX_SOURCES = 3 };

/* ".y": a channel. */
static bool
take_channel(r600_reader *r, uint32_t *channel)
{
    static const char channels[] = "xyzw";
    const char *known = r->end - r->at >= 2 && *r->at == '.' && r->at[1]
                            ? strchr(channels, r->at[1])
                            : NULL;
    if (!known || (r->end - r->at > 2 && asm_is_symbol_char(r->at[2])))
        return false;
    r->at += 2;
    *channel = (uint32_t)(known - channels);
    return true;
}

/* ---- literals ---- */

static void
set_literal(r600_reader *r, uint32_t *s, uint32_t value)
{
    r600_asm *m = r->m;
    uint32_t i = 0;
    if (m->has_named_literals)
        r600_want(r, "a literal by its name, L.x to L.w, as in the group's other slots");
    while (i < m->n_literals && m->literals[i] != value)
        i++;
    if (i == R600_MAX_LITERALS)
        r600_want(r, "no more than four literals in a group");
    if (i == m->n_literals)
        m->literals[m->n_literals++] = value;
    s[R600_SRC_SEL] = R600_SEL_LITERAL;
    s[R600_SRC_CHAN] = i;
}

/* A number that is no constant of the hardware. A float has a point or an exponent. */
static bool
take_literal(r600_reader *r, uint32_t *s)
{
    const char *at = r->at;
    const bool is_negative = at < r->end && *at == '-';
    at += is_negative;
    if (at == r->end || base_digit_value(*at) > 9)
        return false;
    const size_t length = base_float_length(at, (size_t)(r->end - at));
    size_t digits = 0;
    while (digits < length && base_digit_value(at[digits]) <= 9)
        digits++;
    if (length > digits) {
        const uint32_t bits = (uint32_t)base_float_read(at, length, 32);
        r->at = at + length;
        set_literal(r, s, bits | (is_negative ? 0x80000000u : 0));
        return true;
    }
    const int64_t value = r600_take_number(r, INT32_MIN, UINT32_MAX);
    set_literal(r, s, (uint32_t)value);
    return true;
}

/* ---- sources ---- */

static bool
take_number_of(r600_reader *r, const r600_source_info *row, uint32_t *number)
{
    const char *from = r->at;
    *number = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9' && *number < 1000; r->at++)
        *number = *number * 10 + (uint32_t)(*r->at - '0');
    return r->at > from && *number < row->count;
}

/* The rest of an operand of a row whose name was read. */
static bool
take_rest(r600_reader *r, const r600_source_info *row, uint32_t *s)
{
    uint32_t number = 0;
    if (row->form == R600_S_NUMBERED_X && !take_number_of(r, row, &number))
        return false;
    if (row->form == R600_S_INDEXED_X &&
        (!r600_take(r, "[") || !take_number_of(r, row, &number) || !r600_take(r, "]")))
        return false;
    s[R600_SRC_SEL] = row->first + number;
    s[R600_SRC_REL] = r600_take_index(r);
    const bool has_channel = take_channel(r, &s[R600_SRC_CHAN]);
    const bool ends = r->at == r->end || !asm_is_symbol_char(*r->at);
    return ends && (has_channel || row->form == R600_S_ALONE);
}

/* The row whose name is the longest that gives an operand. */
static bool
take_select(r600_reader *r, uint32_t *s)
{
    static const r600_source_info unnamed = {0, 512, 0, R600_GEN_CM, R600_S_NUMBERED_X, "S"};
    const char *before = r->at;
    for (const r600_source_info *row = r600_sources;; row++) {
        const r600_source_info *use = row->count ? row : &unnamed;
        r->at = before;
        s[R600_SRC_REL] = s[R600_SRC_CHAN] = 0;
        if (r->t->gen >= use->first_gen && r->t->gen <= use->last_gen && r600_take(r, use->name) &&
            take_rest(r, use, s))
            return true;
        if (!row->count)
            break;
    }
    r->at = before;
    return false;
}

/* A literal by its name: those of the group are then written out behind it. */
static void
note_named(r600_reader *r, const uint32_t *s)
{
    if (s[R600_SRC_SEL] != R600_SEL_LITERAL)
        return;
    if (r->m->n_literals)
        r600_want(r, "a number, as in the group's other slots, for the literal before this");
    r->m->has_named_literals = true;
}

/* A constant or register, or a number that becomes a literal. */
static bool
take_value(r600_reader *r, uint32_t *s)
{
    r600_skip_blanks(r);
    if (!take_select(r, s))
        return take_literal(r, s);
    note_named(r, s);
    return true;
}

/* A sign before a constant of the hardware is the modifier, before other numbers a part of them. */
static bool
take_signed(r600_reader *r, uint32_t *s)
{
    r600_skip_blanks(r);
    const char *before = r->at;
    const bool is_negative = !take_select(r, s) && r600_take(r, "-");
    const bool has_constant = is_negative && take_select(r, s);
    if (has_constant) {
        note_named(r, s);
        s[R600_SRC_NEG] = 1;
        return true;
    }
    r->at = before;
    return take_value(r, s);
}

static void
read_source(r600_reader *r, uint32_t *s)
{
    if (take_signed(r, s))
        return;
    s[R600_SRC_NEG] = r600_take(r, "-");
    s[R600_SRC_ABS] = r600_take(r, "|");
    const char *close = s[R600_SRC_ABS] ? "|" : s[R600_SRC_NEG] && r600_take(r, "(") ? ")" : NULL;
    if (!take_value(r, s))
        r600_want(r, "a source: a register, constant or number");
    if (close)
        r600_expect(r, close);
}

/* Signs and other bits that the row's format does not have. */
static void
check_source(r600_reader *r, unsigned i)
{
    const uint32_t *s = r600_source_fields(&r->in, i);
    for (unsigned k = 0; k < R600_SRC_FIELDS; k++) {
        const unsigned field = (unsigned)(&s[k] - r->in.f);
        if (s[k] && !r600_field_width(r->t, r->in.op, field))
            r600_want(r, "a source that the instruction can have before this");
    }
}

/* ---- the destination ---- */

static void
read_destination(r600_reader *r)
{
    uint32_t *f = r->in.f;
    r600_skip_blanks(r);
    const bool is_masked = r600_take(r, "__");
    const bool has_mask = r600_field_width(r->t, r->in.op, R600_F_write_mask) != 0;
    if (is_masked && !has_mask)
        r600_want(r, "a register before this: the instruction always writes");
    if (has_mask)
        f[R600_F_write_mask] = !is_masked;
    if (!is_masked || (r->at < r->end && *r->at != '.' && *r->at != '['))
        f[R600_F_dst_gpr] = r600_take_register(r);
    f[R600_F_dst_rel] = r600_take_index(r);
    if (!take_channel(r, &f[R600_F_dst_chan]))
        r600_want(r, "a channel, .x to .w");
}

static void
check_slot(r600_reader *r)
{
    const uint32_t channel = r->in.f[R600_F_dst_chan];
    if (r->in.slot != R600_SLOT_T && r->in.slot != channel)
        r600_want(r, "a channel that is the slot's, before this");
}

void
r600_read_alu(r600_reader *r)
{
    const r600_op_info *row = r600_op_row(r->in.op);
    const unsigned least = row->properties & R600_P_SOURCES;
    const bool has_destination = row->format != R600_FMT_LDS;
    if (has_destination) {
        read_destination(r);
        check_slot(r);
    } else {
        r->in.f[R600_F_dst_chan] = r->in.slot;
        if (r->in.slot == R600_SLOT_T)
            r600_want(r, "no LDS instruction in slot t");
    }
    for (unsigned i = 0; i < MAX_SOURCES; i++) {
        const bool needs_comma = i || has_destination;
        const bool has_comma = needs_comma && r600_take(r, ",");
        if (i >= least && !has_comma)
            return;
        if (needs_comma && !has_comma)
            r600_expect(r, ",");
        read_source(r, &r->in.f[R600_F_src0_sel + i * R600_SRC_FIELDS]);
        check_source(r, i);
    }
}
