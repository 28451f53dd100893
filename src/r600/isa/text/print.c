/* The printer of control flow and fetches: operands and options as their formats say. */
#include "r600/isa/text/text.h"

#include "base/bits.h"

void
r600_print_name(const char *names, uint32_t index, base_buf *out)
{
    const char *name;
    size_t size;
    if (r600_get_name(names, index, &name, &size))
        buf_put(out, name, size);
    else
        buf_printf(out, "#%u", index);
}

/* The numbers from 124 on are temporaries of the clause. */
void
r600_print_register(uint32_t reg, base_buf *out)
{
    if (reg >= R600_FIRST_TEMP)
        buf_printf(out, "T%u", reg - R600_FIRST_TEMP);
    else
        buf_printf(out, "R%u", reg);
}

/* ---- operands ---- */

static void
print_operand(const r600_printer *p, const r600_element_info *e)
{
    const uint32_t *f = &p->in->f[e->field];
    switch (e->kind) {
    case R600_E_ADDR:
        if (p->target)
            buf_puts(p->out, p->target);
        else
            buf_printf(p->out, "@%u", *f);
        break;
    case R600_E_REG:
        r600_print_register(*f, p->out);
        if (e->arg && f[1])
            buf_puts(p->out, "[LOOP]");
        break;
    case R600_E_SELECTS:
        for (unsigned i = 0; i < e->arg; i++)
            buf_put_u8(p->out, (uint8_t)R600_SELECT_CHARS[f[i] & 7]);
        break;
    case R600_E_MASK:
        for (unsigned i = 0; i < e->arg; i++)
            buf_put_u8(p->out, (uint8_t)(*f >> i & 1 ? "xyzw"[i] : '_'));
        break;
    case R600_E_NUMBER:
    case R600_E_PREFIX: buf_printf(p->out, "%s%u", e->text, *f); break;
    default: r600_print_name(e->text, *f, p->out); break;
    }
}

/* ---- options ---- */

static void
print_kcache(const r600_printer *p, const r600_element_info *e)
{
    const uint32_t bank = p->in->f[R600_F_kc_bank0 + e->arg];
    const uint32_t mode = p->in->f[R600_F_kc_mode0 + e->arg];
    const uint32_t first = p->in->f[R600_F_kc_addr0 + e->arg] * R600_KCACHE_LINE;
    if (!mode && !bank && !first)
        return;
    buf_printf(p->out, " %s(CB%u:%u", e->text, bank, first);
    if (mode)
        buf_printf(p->out, "-%u", first + (mode == 1 ? 1 : 2) * R600_KCACHE_LINE - 1);
    buf_puts(p->out, mode == 3 ? "+LOOP)" : ")");
}

static void
print_unnormalized(const r600_printer *p, const r600_element_info *e)
{
    const uint32_t *f = &p->in->f[e->field];
    if (f[0] && f[1] && f[2] && f[3])
        return;
    buf_printf(p->out, " %s(", e->text);
    for (unsigned i = 0; i < 4; i++)
        if (!f[i])
            buf_put_u8(p->out, (uint8_t) "xyzw"[i]);
    buf_puts(p->out, ")");
}

/* "NAME name0 name1 ..." */
static void
print_choice(const r600_printer *p, const r600_element_info *e, uint32_t value)
{
    const char *name, *names = e->text;
    size_t size;
    r600_get_name(names, 0, &name, &size);
    buf_puts(p->out, " ");
    buf_put(p->out, name, size);
    buf_puts(p->out, "(");
    if (r600_get_name(names, value + 1, &name, &size))
        buf_put(p->out, name, size);
    else
        buf_printf(p->out, "#%u", value);
    buf_puts(p->out, ")");
}

static void
print_number_option(const r600_printer *p, const r600_element_info *e, uint32_t value)
{
    if (e->kind == R600_E_SIGNED)
        buf_printf(p->out, " %s(%d)", e->text, (int)base_sext64(value, e->arg));
    else
        buf_printf(p->out, " %s(%u)", e->text, value + e->arg);
}

static void
print_option(const r600_printer *p, const r600_element_info *e)
{
    const uint32_t value = p->in->f[e->field];
    switch (e->kind) {
    case R600_E_FLAG:
    case R600_E_NOT:
        if ((value != 0) == (e->kind == R600_E_FLAG))
            buf_printf(p->out, " %s", e->text);
        break;
    case R600_E_ALWAYS: print_number_option(p, e, value); break;
    case R600_E_VALUE:
    case R600_E_SIGNED:
        if (value)
            print_number_option(p, e, value);
        break;
    case R600_E_CHOICE:
        if (value)
            print_choice(p, e, value);
        break;
    case R600_E_BARE:
        if (value) {
            buf_puts(p->out, " ");
            r600_print_name(e->text, value, p->out);
        }
        break;
    case R600_E_KCACHE: print_kcache(p, e); break;
    case R600_E_UNNORM: print_unnormalized(p, e); break;
    case R600_E_INDEX:
        if (value) {
            buf_printf(p->out, " %s(", e->text);
            r600_print_register(value, p->out);
            buf_puts(p->out, ")");
        }
        break;
    default: r600_print_alu_option(p, e); break;
    }
}

void
r600_print_options(const r600_printer *p)
{
    const uint8_t format = r600_op_row(p->in->op)->format;
    for (const uint8_t *o = p->t->options[format]; *o != R600_ELEMENT_COUNT; o++) {
        const r600_element_info *e = r600_element_row((r600_element)*o);
        if (p->t->width[format][e->field])
            print_option(p, e);
    }
}

static void
print_operands(const r600_printer *p)
{
    const r600_piece *piece = p->t->operands[r600_op_row(p->in->op)->format];
    if (piece->element < R600_ELEMENT_COUNT || piece->character)
        buf_puts(p->out, " ");
    for (; piece->element < R600_ELEMENT_COUNT || piece->character; piece++) {
        if (piece->element < R600_ELEMENT_COUNT)
            print_operand(p, r600_element_row((r600_element)piece->element));
        else
            buf_put_u8(p->out, (uint8_t)piece->character);
    }
}

static void
print_words(const r600_inst *in, base_buf *out)
{
    buf_puts(out, in->op == R600_RAW ? ".long" : r600_op_row(in->op)->name);
    for (unsigned w = 0; w < in->n_words; w++)
        buf_printf(out, "%s 0x%08x", w ? "," : "", in->words[w]);
}

void
r600_print(const r600_isa *t, const r600_inst *in, const char *target, base_buf *out)
{
    const r600_printer p = {t, in, target, out};
    if (in->op == R600_RAW) {
        print_words(in, out);
    } else if (in->op == R600_LITERAL) {
        r600_print_literals(in, out);
    } else if (r600_format_of(in->op)->space == R600_SPACE_ALU) {
        r600_print_alu(&p);
    } else {
        buf_puts(out, r600_op_row(in->op)->name);
        print_operands(&p);
        r600_print_options(&p);
    }
}
