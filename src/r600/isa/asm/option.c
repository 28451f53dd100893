/* Options: what may follow the operands, in any order. */
#include "r600/isa/asm/asm.h"

#include "r600/isa/text/text.h"

#include <string.h>

/* KC0(CB0:0-15) */
static void
read_kcache(r600_reader *r, const r600_element_info *e)
{
    r600_expect(r, "(");
    r600_expect(r, "CB");
    r600_set_field(r, R600_F_kc_bank0 + e->arg, r600_take_number(r, 0, 15));
    r600_expect(r, ":");
    const int64_t first = r600_take_number(r, 0, INT32_MAX);
    int64_t last = first - 1;
    if (first % R600_KCACHE_LINE)
        r600_want(r, "a multiple of 16 before this");
    if (r600_take(r, "-"))
        last = r600_take_number(r, 0, INT32_MAX);
    const int64_t lines = (last + 1 - first) / R600_KCACHE_LINE;
    if ((last + 1) % R600_KCACHE_LINE || lines < 0 || lines > 2)
        r600_want(r, "16 or 32 constants before this");
    const bool is_loop = lines == 2 && r600_take(r, "+LOOP");
    r600_set_field(r, R600_F_kc_addr0 + e->arg, first / R600_KCACHE_LINE);
    r600_set_field(r, R600_F_kc_mode0 + e->arg, is_loop ? 3 : lines);
    r600_expect(r, ")");
}

static void
read_unnormalized(r600_reader *r, const r600_element_info *e)
{
    r600_expect(r, "(");
    for (unsigned i = 0; i < 4; i++) {
        const char channel[] = {"xyzw"[i], '\0'};
        if (r600_take(r, channel))
            r->in.f[e->field + i] = 0;
    }
    r600_expect(r, ")");
}

static void
read_number_option(r600_reader *r, const r600_element_info *e)
{
    const unsigned width = r600_field_width(r->t, r->in.op, e->field);
    r600_expect(r, "(");
    if (e->kind == R600_E_SIGNED) {
        const int64_t half = INT64_C(1) << (width - 1);
        r->in.f[e->field] = (uint32_t)r600_take_number(r, -half, half - 1) &
                            (uint32_t)(2 * half - 1);
    } else {
        r600_set_field(r, e->field, r600_take_number(r, e->arg, UINT32_MAX) - e->arg);
    }
    r600_expect(r, ")");
}

/* Reads the option if it is `e`. */
static bool
take_option(r600_reader *r, const r600_element_info *e)
{
    const char *name = e->text;
    size_t size = strcspn(name, " ");
    char word[32];
    if (size >= sizeof word)
        return false;
    memcpy(word, name, size);
    word[size] = '\0';
    if (!size || !r600_take_word(r, word))
        return false;
    switch (e->kind) {
    case R600_E_FLAG: r->in.f[e->field] = 1; break;
    case R600_E_NOT: r->in.f[e->field] = 0; break;
    case R600_E_VALUE:
    case R600_E_ALWAYS:
    case R600_E_SIGNED: read_number_option(r, e); break;
    case R600_E_CHOICE:
        r600_expect(r, "(");
        r600_set_field(r, e->field, r600_take_choice(r, name + size + 1));
        r600_expect(r, ")");
        break;
    case R600_E_KCACHE: read_kcache(r, e); break;
    case R600_E_UNNORM: read_unnormalized(r, e); break;
    case R600_E_INDEX:
        r600_expect(r, "(");
        r->in.f[e->field] = r600_take_register(r);
        r600_expect(r, ")");
        break;
    case R600_E_INDEXMODE:
        r600_expect(r, "(");
        if (r600_take(r, "#7"))
            r->in.f[e->field] = 7;
        for (uint32_t i = 0; i < 7; i++) {
            const char *mode;
            r600_get_name(R600_INDEX_NAMES, i, &mode, &size);
            if ((size_t)(r->end - r->at) > size && !memcmp(r->at, mode, size) &&
                r->at[size] == ')') {
                r->in.f[e->field] = i;
                r->at += size;
            }
        }
        r600_expect(r, ")");
        break;
    default: return false;
    }
    return true;
}

/* Reads one of a list of names whose place is the field's value. */
static bool
take_bare(r600_reader *r, unsigned field, const char *names)
{
    const char *name;
    size_t size;
    r600_skip_blanks(r);
    for (uint32_t i = 0; i < 6; i++) {
        char word[32];
        if (!r600_get_name(names, i, &name, &size) || size >= sizeof word)
            continue;
        memcpy(word, name, size);
        word[size] = '\0';
        if (r600_take_word(r, word)) {
            r->in.f[field] = i;
            return true;
        }
    }
    return false;
}

static bool
take_alu_option(r600_reader *r, const r600_element_info *e)
{
    switch (e->kind) {
    case R600_E_BARE: return take_bare(r, e->field, e->text);
    case R600_E_OMOD:
        return take_bare(r, e->field,
                         r600_has_mask_op(r->t, &r->in) ? R600_MASK_OPS : R600_OMOD_NAMES);
    case R600_E_BANK:
        if (take_bare(r, e->field,
                      r->in.slot == R600_SLOT_T ? R600_SCALAR_BANKS : R600_VECTOR_BANKS))
            return true;
        if (!r600_take_word(r, "BANK"))
            return false;
        r600_expect(r, "(");
        r600_set_field(r, e->field, r600_take_number(r, 0, 7));
        r600_expect(r, ")");
        return true;
    default: return take_option(r, e);
    }
}

static bool
read_option(r600_reader *r)
{
    const uint8_t format = r600_op_row(r->in.op)->format;
    for (const uint8_t *o = r->t->options[format]; *o != R600_ELEMENT_COUNT; o++) {
        const r600_element_info *e = r600_element_row((r600_element)*o);
        if (r->t->width[format][e->field] && take_alu_option(r, e))
            return true;
    }
    return false;
}

void
r600_read_options(r600_reader *r)
{
    for (;;) {
        r600_skip_blanks(r);
        if (r->at == r->end || *r->at == ';')
            return;
        if (!read_option(r))
            r600_want(r, "an option that the instruction has");
    }
}
