/* Statements: control flow and fetches by their formats' texts, slots, literals. */
#include "r600/isa/asm/asm.h"

#include "asm/fixup.h"
#include "base/bits.h"
#include "base/number.h"
#include "r600/isa/text/text.h"

#include <string.h>

/* ---- slots and labels ---- */

/* Where a statement's slot stands: behind the number of the group; NULL if it has none. */
static const char *
find_slot(const asm_ctx *a)
{
    const char *p = a->token.text;
    if (a->token.kind == ASM_INT) {
        p += a->token.len;
        while (p < a->end && (*p == ' ' || *p == '\t'))
            p++;
    }
    const bool is_slot = a->end - p >= 2 && *p && strchr(R600_SLOT_CHARS, *p) && p[1] == ':';
    return is_slot ? p : NULL;
}

bool
r600_asm_begins(const asm_ctx *a)
{
    return find_slot(a) != NULL;
}

/* ---- operands of control flow and fetches ---- */

static void
read_address(r600_reader *r)
{
    if (r600_take(r, "@")) {
        r600_set_field(r, R600_F_addr, r600_take_number(r, 0, UINT32_MAX));
        return;
    }
    r600_skip_blanks(r);
    r->label = r->at;
    while (r->at < r->end && asm_is_symbol_char(*r->at))
        r->at++;
    r->label_size = (uint32_t)(r->at - r->label);
    if (!r->label_size)
        r600_want(r, "a label, or @ and a number");
}

static void
read_selects(r600_reader *r, const r600_element_info *e)
{
    static const char chars[] = R600_SELECT_CHARS;
    for (unsigned i = 0; i < e->arg; i++, r->at++) {
        const char *known = r->at < r->end && *r->at ? strchr(chars, *r->at) : NULL;
        if (!known)
            r600_want(r, "a component: x, y, z, w, 0, 1 or _");
        r600_set_field(r, e->field + i, known - chars);
    }
}

static void
read_mask(r600_reader *r, const r600_element_info *e)
{
    for (unsigned i = 0; i < e->arg; i++, r->at++) {
        if (r->at == r->end || (*r->at != "xyzw"[i] && *r->at != '_'))
            r600_want(r, "a component or _");
        r->in.f[e->field] |= (*r->at != '_' ? 1u : 0u) << i;
    }
}

static void
read_operand(r600_reader *r, const r600_element_info *e)
{
    switch (e->kind) {
    case R600_E_ADDR: read_address(r); break;
    case R600_E_REG:
        r->in.f[e->field] = r600_take_register(r);
        if (e->arg && r600_take(r, "[LOOP]"))
            r->in.f[e->field + 1] = 1;
        break;
    case R600_E_SELECTS: read_selects(r, e); break;
    case R600_E_MASK: read_mask(r, e); break;
    case R600_E_PREFIX:
        r600_expect(r, e->text);
        r600_set_field(r, e->field, r600_take_number(r, 0, UINT32_MAX));
        break;
    case R600_E_NUMBER: r600_set_field(r, e->field, r600_take_number(r, 0, UINT32_MAX)); break;
    default: r600_set_field(r, e->field, r600_take_choice(r, e->text)); break;
    }
}

static void
read_operands(r600_reader *r)
{
    const r600_piece *p = r->t->operands[r600_op_row(r->in.op)->format];
    for (; p->element < R600_ELEMENT_COUNT || p->character; p++) {
        const char text[2] = {p->character, '\0'};
        if (p->element < R600_ELEMENT_COUNT)
            read_operand(r, r600_element_row((r600_element)p->element));
        else if (p->character != ' ')
            r600_expect(r, text);
    }
}

/* Fields whose usual value is not zero. */
static void
set_usual(r600_reader *r)
{
    static const r600_field ones[] = {R600_F_barrier, R600_F_coord_x, R600_F_coord_y,
                                      R600_F_coord_z, R600_F_coord_w};
    for (unsigned i = 0; i < sizeof ones / sizeof *ones; i++)
        if (r600_field_width(r->t, r->in.op, ones[i]))
            r->in.f[ones[i]] = 1;
}

/* ---- output ---- */

static void
put_instruction(r600_reader *r)
{
    uint32_t words[R600_MAX_WORDS];
    if (r->label) {
        asm_seek(r->a, r->label);
        asm_symbol *s = asm_take_symbol(r->a);
        s->used = true;
        asm_add_fixup(r->a, (asm_fixup){.kind = ASM_FIX_BRANCH,
                                        .symbol = asm_symbol_of(r->a, r->label, r->label_size),
                                        .offset = r->a->out->size,
                                        .at = r->label});
        asm_seek(r->a, r->at);
    }
    r600_encode(r->t, &r->in, words);
    for (unsigned w = 0; w < r->t->n_words[r600_op_row(r->in.op)->format]; w++)
        buf_put_u32(r->a->out, words[w]);
}

/* ---- ALU ---- */

static void
end_group(r600_reader *r)
{
    r600_asm *m = r->m;
    for (uint32_t i = 0; i < m->n_literals + (m->n_literals & 1); i++)
        buf_put_u32(r->a->out, i < m->n_literals ? m->literals[i] : 0);
    m->n_literals = 0;
    m->has_named_literals = false;
}

static uint16_t
find_row(r600_reader *r, r600_space space)
{
    const char *before = r->at;
    const asm_text name = r600_take_name(r);
    const uint32_t i = strings_find(&r->m->names[space], name.text, name.size);
    if (i != UINT32_MAX)
        return r->m->rows[space][i];
    r->at = before;
    return 0;
}

static void
fail_unknown(r600_reader *r)
{
    r600_skip_blanks(r);
    asm_seek(r->a, r->at);
    const asm_text name = r600_take_name(r);
    asm_fail(r->a, ERR_ASM_UNKNOWN, asm_short(r->a, name.text, name.size));
    asm_report(r->a);
}

static void
read_slot(r600_reader *r)
{
    const char slot = *r->at;
    r->in.slot = (uint8_t)(strchr(R600_SLOT_CHARS, slot) - R600_SLOT_CHARS);
    if (r->t->gen == R600_GEN_CM && r->in.slot == R600_SLOT_T)
        r600_want(r, "a slot of Cayman, x to w");
    r->at += 2;
    const uint16_t op = find_row(r, R600_SPACE_ALU);
    if (!op)
        fail_unknown(r);
    r->in.op = (r600_op)op;
    r600_read_alu(r);
    r600_read_options(r);
    r->in.f[R600_F_last] = r600_take(r, ";");
    put_instruction(r);
    if (r->in.f[R600_F_last])
        end_group(r);
}

/* LIT 1.0, 0x20: words. */
static void
read_literals(r600_reader *r)
{
    do {
        r600_skip_blanks(r);
        const bool is_negative = r600_take(r, "-");
        const size_t length = base_float_length(r->at, (size_t)(r->end - r->at));
        size_t digits = 0;
        while (digits < length && base_digit_value(r->at[digits]) <= 9)
            digits++;
        uint32_t value;
        if (length > digits) {
            value = (uint32_t)base_float_read(r->at, length, 32) | (is_negative ? 0x80000000u : 0);
            r->at += length;
        } else {
            value = (uint32_t)r600_take_number(r, 0, UINT32_MAX);
            value = is_negative ? 0u - value : value;
        }
        buf_put_u32(r->a->out, value);
    } while (r600_take(r, ","));
}

/* ---- statements ---- */

/* The end of the statement: of the line, or the start of a comment. */
static const char *
find_end(const asm_ctx *a)
{
    const char *p = a->token.text;
    while (p < a->end && *p != '\n' && *p != '\r' &&
           !(*p == '/' && a->end - p > 1 && (p[1] == '/' || p[1] == '*')))
        p++;
    return p;
}

static void
read_other(r600_reader *r)
{
    uint16_t op = find_row(r, R600_SPACE_CF);
    if (!op)
        op = find_row(r, R600_SPACE_FETCH);
    if (!op)
        fail_unknown(r);
    r->in.op = (r600_op)op;
    set_usual(r);
    read_operands(r);
    r600_read_options(r);
    put_instruction(r);
}

void
r600_asm_statement(asm_ctx *a)
{
    r600_asm *m = a->user;
    const char *slot = find_slot(a);
    r600_reader r = {.a = a, .m = m, .t = m->isa, .at = slot ? slot : a->token.text};
    r.end = find_end(a);
    if (slot)
        read_slot(&r);
    else if (r600_take_word(&r, "LIT"))
        read_literals(&r);
    else
        read_other(&r);
    asm_seek(a, r.at);
}
