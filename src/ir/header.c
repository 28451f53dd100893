/* Prints and reads fields of structs by tables (ir/text.h).
 *
 *     wave_size: 64
 *     denorm_preserve: f16|f64
 *     budget: 104, 64
 *     arg: kind=workgroup_id index=1 reg=5 count=1
 *
 * A field that is zero is not printed, so that it stays what the parser's new struct has. A line
 * with rows may occur any number of times, each time for one row.
 */
#include "ir/header.h"

/* ---- integers of any size ---- */

static uint64_t
load(const unsigned char *at, unsigned size)
{
    switch (size) {
    case 1: return *at;
    case 2: return *(const uint16_t *)(const void *)at;
    case 4: return *(const uint32_t *)(const void *)at;
    default: return *(const uint64_t *)(const void *)at;
    }
}

static void
store(unsigned char *at, unsigned size, uint64_t v)
{
    switch (size) {
    case 1: *at = (uint8_t)v; break;
    case 2: *(uint16_t *)(void *)at = (uint16_t)v; break;
    case 4: *(uint32_t *)(void *)at = (uint32_t)v; break;
    default: *(uint64_t *)(void *)at = v; break;
    }
}

static unsigned
number_count(const ir_text_field *field)
{
    return field->count ? field->count : 1;
}

/* ---- printing ---- */

static bool
is_zero(const ir_text_field *field, const unsigned char *at)
{
    if (field->kind == IR_TEXT_WORDS)
        return !*(const char *const *)(const void *)at;
    for (unsigned k = 0; k < number_count(field); k++) {
        if (load(at + k * field->size, field->size))
            return false;
    }
    return true;
}

static void
put_flags(const ir_text_field *field, uint64_t v, base_buf *out)
{
    const char *sep = "";
    for (unsigned bit = 0; field->names[bit]; bit++) {
        if (!(v >> bit & 1) || !*field->names[bit])
            continue;
        buf_printf(out, "%s%s", sep, field->names[bit]);
        sep = "|";
        v &= ~(UINT64_C(1) << bit);
    }
    if (v || !*sep)
        buf_printf(out, "%s0x%llx", sep, (unsigned long long)v);
}

static unsigned
name_count(const ir_text_field *field)
{
    unsigned n = 0;
    while (field->names[n])
        n++;
    return n;
}

static void
put_value(const ir_text_field *field, const unsigned char *at, base_buf *out)
{
    switch (field->kind) {
    case IR_TEXT_BOOL: buf_puts(out, *at ? "true" : "false"); break;
    case IR_TEXT_FLAGS: put_flags(field, load(at, field->size), out); break;
    case IR_TEXT_WORDS: buf_puts(out, *(const char *const *)(const void *)at); break;
    case IR_TEXT_ENUM: {
        uint64_t v = load(at, field->size);
        if (v < name_count(field))
            buf_puts(out, field->names[v]);
        else
            buf_printf(out, "%llu", (unsigned long long)v);
        break;
    }
    default:
        for (unsigned k = 0; k < number_count(field); k++)
            buf_printf(out, "%s%llu", k ? ", " : "",
                       (unsigned long long)load(at + k * field->size, field->size));
    }
}

static void
put_rows(const ir_text_field *field, const unsigned char *base, base_buf *out)
{
    const ir_text_rows *rows = field->rows;
    const unsigned char *row = base + field->offset;
    uint64_t n = load(base + rows->count_offset, rows->count_size);
    if (!rows->most)
        row = *(const unsigned char *const *)(const void *)row;
    for (; n; n--, row += rows->row_size) {
        buf_printf(out, "%s:", field->name);
        for (const ir_text_field *f = rows->fields; f->name; f++) {
            if (!f->always && is_zero(f, row + f->offset))
                continue;
            buf_printf(out, " %s=", f->name);
            put_value(f, row + f->offset, out);
        }
        buf_puts(out, "\n");
    }
}

void
ir_put_fields(const ir_text_field *fields, const void *at, base_buf *out)
{
    const unsigned char *base = at;
    for (const ir_text_field *f = fields; f->name; f++) {
        if (f->kind == IR_TEXT_ROWS) {
            put_rows(f, base, out);
        } else if (!is_zero(f, base + f->offset)) {
            buf_printf(out, "%s: ", f->name);
            put_value(f, base + f->offset, out);
            buf_puts(out, "\n");
        }
    }
}

/* ---- parsing ---- */

const ir_text_field *
ir_find_field(const ir_text_field *fields, ir_tok name)
{
    while (fields->name && !ir_tok_is(name, fields->name))
        fields++;
    return fields->name ? fields : NULL;
}

_Noreturn static void
bad_field(ir_lexer *l, ir_tok t)
{
    ir_lex_at(l, t);
    diag_fail(l->diag, ERR_IR_BAD_FIELD, (int)t.len, t.text);
}

/* Consumes one of the names; returns its index. */
static uint64_t
take_name(ir_lexer *l, const ir_text_field *field)
{
    ir_tok t = ir_lex_word(l, "a word");
    for (unsigned i = 0; field->names[i]; i++) {
        if (*field->names[i] && ir_tok_is(t, field->names[i]))
            return i;
    }
    bad_field(l, t);
}

static void
take_bool(ir_lexer *l, unsigned char *at)
{
    bool v = ir_lex_is_word(l, "true");
    if (!v && !ir_lex_is_word(l, "false"))
        ir_lex_fail(l, "true or false");
    ir_lex_next(l);
    *(bool *)(void *)at = v;
}

/* "gvn,dce", "gfx90a:xnack+": words may not be separated by blanks only. */
static void
take_words(ir_lexer *l, arena *a, unsigned char *at)
{
    base_buf words = buf_make(a);
    char between = ',';
    do {
        ir_tok t = ir_lex_word(l, "a word");
        buf_put(&words, &between, words.size != 0);
        buf_put(&words, t.text, t.len);
        between = ir_lex_is(l, ':') ? ':' : ',';
    } while (ir_lex_take(l, between));
    *(const char **)(void *)at = buf_text(&words);
}

static void
take_value(ir_lexer *l, arena *a, const ir_text_field *field, unsigned char *at)
{
    uint64_t flags = 0;
    switch (field->kind) {
    case IR_TEXT_BOOL: take_bool(l, at); break;
    case IR_TEXT_ENUM: store(at, field->size, take_name(l, field)); break;
    case IR_TEXT_WORDS: take_words(l, a, at); break;
    case IR_TEXT_FLAGS:
        do
            flags |= UINT64_C(1) << take_name(l, field);
        while (ir_lex_take(l, '|'));
        store(at, field->size, flags);
        break;
    default:
        for (unsigned k = 0; k < number_count(field); k++) {
            if (k)
                ir_lex_expect(l, ',');
            store(at + k * field->size, field->size, ir_lex_number(l, field->size * 8u));
        }
    }
}

/* Adds a row of zeros. */
static unsigned char *
add_row(ir_lexer *l, arena *a, const ir_text_field *field, unsigned char *base)
{
    const ir_text_rows *rows = field->rows;
    unsigned char *count = base + rows->count_offset;
    uint64_t n = load(count, rows->count_size);
    if (rows->most && n >= rows->most) {
        ir_lex_at(l, l->tok);
        diag_fail(l->diag, ERR_IR_TOO_LARGE, (unsigned)n + 1, (unsigned)rows->most);
    }
    store(count, rows->count_size, n + 1);
    if (rows->most)
        return base + field->offset + n * rows->row_size;
    unsigned char **list = (unsigned char **)(void *)(base + field->offset);
    if ((n & (n - 1)) == 0) { /* full: the capacity is a power of two */
        unsigned char *more = arena_zalloc(a, (n ? 2 * n : 1) * rows->row_size);
        if (n)
            memcpy(more, *list, n * rows->row_size);
        *list = more;
    }
    return *list + n * rows->row_size;
}

static void
take_row(ir_lexer *l, arena *a, const ir_text_field *field, unsigned char *base)
{
    unsigned char *row = add_row(l, a, field, base);
    while (l->tok.kind == IR_TOK_WORD && !l->tok.new_line) {
        ir_tok name = ir_lex_word(l, "a property");
        const ir_text_field *f = ir_find_field(field->rows->fields, name);
        if (!f)
            bad_field(l, name);
        ir_lex_expect(l, '=');
        take_value(l, a, f, row + f->offset);
    }
}

void
ir_take_field(ir_lexer *l, arena *a, const ir_text_field *field, void *at)
{
    unsigned char *base = at;
    if (field->kind == IR_TEXT_ROWS)
        take_row(l, a, field, base);
    else
        take_value(l, a, field, base + field->offset);
}
