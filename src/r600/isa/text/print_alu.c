/* The printer of ALU instructions and of literals. */
#include "r600/isa/text/text.h"

#include "base/bits.h"
#include "base/number.h"

#include <string.h>

enum { MNEMONIC_WIDTH = 16, MAX_SOURCES = 3, LARGEST_INTEGER = 0xffff };

/* The register or counter that relative operands add. */
static void
print_index(const r600_printer *p)
{
    buf_puts(p->out, "[");
    r600_print_name(R600_INDEX_NAMES, p->in->f[R600_F_index_mode], p->out);
    buf_puts(p->out, "]");
}

static void
print_select(const r600_printer *p, const uint32_t *s)
{
    const r600_source_info *row = r600_find_source(p->t->gen, s[R600_SRC_SEL]);
    const uint32_t number = row ? s[R600_SRC_SEL] - row->first : s[R600_SRC_SEL];
    const unsigned form = row ? row->form : R600_S_NUMBERED_X;
    buf_puts(p->out, row ? row->name : "S");
    if (form == R600_S_INDEXED_X)
        buf_printf(p->out, "[%u]", number);
    else if (form == R600_S_NUMBERED_X)
        buf_printf(p->out, "%u", number);
    if (s[R600_SRC_REL])
        print_index(p);
    if (form != R600_S_ALONE || s[R600_SRC_CHAN])
        buf_printf(p->out, ".%c", "xyzw"[s[R600_SRC_CHAN]]);
}

/* The integers 1 and -1 are in parentheses behind a sign: -1 is a constant. */
static void
print_source(const r600_printer *p, unsigned i)
{
    const uint32_t *s = r600_source_fields(p->in, i);
    const bool is_integer = s[R600_SRC_SEL] == R600_SEL_1 || s[R600_SRC_SEL] == R600_SEL_M1;
    const bool in_parentheses = s[R600_SRC_NEG] && is_integer && !s[R600_SRC_ABS];
    const char *bar = s[R600_SRC_ABS] ? "|" : "";
    buf_printf(p->out, "%s%s%s", s[R600_SRC_NEG] ? "-" : "", bar, in_parentheses ? "(" : "");
    print_select(p, s);
    buf_printf(p->out, "%s%s", in_parentheses ? ")" : "", bar);
}

/* Sources behind those of the row are shown if their bits are set. */
static unsigned
count_sources(const r600_printer *p)
{
    unsigned n = r600_op_row(p->in->op)->properties & R600_P_SOURCES;
    for (unsigned i = n; i < MAX_SOURCES; i++) {
        const uint32_t *s = r600_source_fields(p->in, i);
        for (unsigned k = 0; k < R600_SRC_FIELDS; k++)
            n = s[k] ? i + 1 : n;
    }
    return n;
}

/* A register that is not written stands behind "__", without its number if that is 0. */
static void
print_destination(const r600_printer *p)
{
    const uint32_t *f = p->in->f;
    const bool is_written = !r600_field_width(p->t, p->in->op, R600_F_write_mask) ||
                            f[R600_F_write_mask];
    if (!is_written)
        buf_puts(p->out, "__");
    if (is_written || f[R600_F_dst_gpr] || f[R600_F_dst_rel])
        r600_print_register(f[R600_F_dst_gpr], p->out);
    if (f[R600_F_dst_rel])
        print_index(p);
    buf_printf(p->out, ".%c", "xyzw"[f[R600_F_dst_chan]]);
}

void
r600_print_alu(const r600_printer *p)
{
    const r600_op_info *row = r600_op_row(p->in->op);
    const unsigned n = count_sources(p);
    if (p->in->group)
        buf_printf(p->out, "%4u ", p->in->group);
    else
        buf_puts(p->out, "     ");
    buf_printf(p->out, "%c: %-*s", R600_SLOT_CHARS[p->in->slot], MNEMONIC_WIDTH, row->name);
    const char *comma = " ";
    if (row->format != R600_FMT_LDS) {
        buf_puts(p->out, comma);
        print_destination(p);
        comma = ", ";
    }
    for (unsigned i = 0; i < n; i++) {
        buf_puts(p->out, comma);
        print_source(p, i);
        comma = ", ";
    }
    r600_print_options(p);
    if (p->in->f[R600_F_last])
        buf_puts(p->out, " ;");
}

/* ---- options ---- */

static void
print_bank(const r600_printer *p, uint32_t value)
{
    const char *name;
    size_t size;
    const bool is_scalar = p->in->slot == R600_SLOT_T;
    buf_puts(p->out, " ");
    if (r600_get_name(is_scalar ? R600_SCALAR_BANKS : R600_VECTOR_BANKS, value, &name, &size))
        buf_put(p->out, name, size);
    else
        buf_printf(p->out, "BANK(%u)", value);
}

/* Shown where no operand shows it. */
static void
print_index_mode(const r600_printer *p, const r600_element_info *e, uint32_t value)
{
    bool is_shown = p->in->f[R600_F_dst_rel] != 0;
    for (unsigned i = 0; i < MAX_SOURCES; i++)
        is_shown |= r600_source_fields(p->in, i)[R600_SRC_REL] != 0;
    if (!is_shown) {
        buf_printf(p->out, " %s(", e->text);
        r600_print_name(R600_INDEX_NAMES, value, p->out);
        buf_puts(p->out, ")");
    }
}

void
r600_print_alu_option(const r600_printer *p, const r600_element_info *e)
{
    const uint32_t value = p->in->f[e->field];
    if (!value)
        return;
    switch (e->kind) {
    case R600_E_BANK: print_bank(p, value); break;
    case R600_E_OMOD:
        buf_puts(p->out, " ");
        r600_print_name(r600_has_mask_op(p->t, p->in) ? R600_MASK_OPS : R600_OMOD_NAMES, value,
                        p->out);
        break;
    case R600_E_INDEXMODE: print_index_mode(p, e, value); break;
    default: break;
    }
}

/* ---- literals ---- */

/* A float that few digits state exactly. */
static bool
print_float(uint32_t bits, base_buf *out)
{
    enum { PRECISION = 6, LONGEST = 9 };
    char text[BASE_FLOAT_TEXT];
    const double value = (double)base_bits_f32(bits);
    const unsigned exponent = bits >> 23 & 0xff;
    if (exponent < 97 || exponent > 157)
        return false;
    size_t n = base_float_print(text, value, 'g', PRECISION);
    if (n > LONGEST || strchr(text, 'e'))
        return false;
    const char *digits = *text == '-' ? text + 1 : text;
    if (base_f32_bits((float)base_double_read(digits, strlen(digits))) != (bits & 0x7fffffff))
        return false;
    buf_printf(out, "%s%s", text, strchr(text, '.') ? "" : ".0");
    return true;
}

void
r600_print_literals(const r600_inst *in, base_buf *out)
{
    buf_printf(out, "        %s", r600_op_row(in->op)->name);
    for (unsigned w = 0; w < in->n_words; w++) {
        buf_puts(out, w ? ", " : " ");
        if (in->words[w] <= LARGEST_INTEGER)
            buf_printf(out, "%u", in->words[w]);
        else if (!print_float(in->words[w], out))
            buf_printf(out, "0x%08x", in->words[w]);
    }
}
