/* Directives that emit data, and alignment. */
#include "asm/ctx.h"
#include "asm/directives.h"
#include "base/fp.h"
#include "base/number.h"

#include <string.h>

/* The maximum that one directive, and all together, may add: prevents lines from requesting
 * terabytes. */
enum { MAX_FILL = 1 << 24, MAX_FILLED = 1 << 28 };

void
asm_fill(asm_ctx *a, uint64_t bytes)
{
    a->filled += bytes;
    if (a->filled <= MAX_FILLED)
        return;
    asm_fail(a, ERR_ASM_SIZE, NULL);
    asm_report(a);
}

static void
put_number(asm_ctx *a, uint64_t v, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        buf_put_u8(a->out, (uint8_t)(v >> (8 * i)));
}

/* Emits `n` numbers with the same value. */
static void
repeat(asm_ctx *a, size_t n, unsigned size, uint64_t v)
{
    size_t bytes = n * size;
    uint8_t *to = bytes ? buf_extend(a->out, bytes) : NULL;
    if (size == 1 && n)
        memset(to, (int)(v & 255), n);
    for (size_t i = 0; size > 1 && i < bytes; i++)
        to[i] = (uint8_t)(v >> (8 * (i % size)));
}

/* Emits one number. A value that depends on addresses is filled in later. */
static void
place_number(asm_ctx *a, unsigned size)
{
    const char *at = a->token.text;
    asm_expr e;
    asm_sum sum = {.number = 0};
    int64_t low = size == 8 ? INT64_MIN : -(INT64_C(1) << (size * 8 - 1)),
            high = size == 8 ? INT64_MAX : (INT64_C(1) << size * 8) - 1;
    if (!asm_parse_late(a, false, &e))
        asm_report(a);
    if (!asm_evaluate(a, &e, &sum) || sum.bases) {
        asm_add_fixup(a, (asm_fixup){.kind = ASM_FIX_DATA,
                                     .section = a->section,
                                     .offset = a->out->size,
                                     .size = (uint8_t)size,
                                     .expr = e,
                                     .at = at});
        sum.number = 0;
    } else if (sum.number < low || sum.number > high) {
        asm_seek(a, at);
        asm_fail(a, ERR_ASM_RANGE,
                 arena_printf(a->arena, "%lld to %lld", (long long)low, (long long)high));
        asm_report(a);
    } else {
        a->n_codes = e.first;
    }
    put_number(a, (uint64_t)sum.number, size);
}

static void
place_numbers(asm_ctx *a, unsigned size)
{
    do
        place_number(a, size);
    while (asm_take(a, ','));
}

/* .octa: 16 bytes; a number of more than 64 bits must be hexadecimal. */
static void
place_octas(asm_ctx *a, unsigned unused)
{
    (void)unused;
    do {
        const char *p = a->token.text;
        uint64_t low = 0, high = 0;
        if (a->token.len > 18 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && a->token.len < 35) {
            for (p += 2; p < a->token.text + a->token.len; p++) {
                unsigned digit = (unsigned)(*p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10);
                high = high << 4 | low >> 60;
                low = low << 4 | digit;
            }
            asm_next(a);
        } else {
            low = (uint64_t)asm_number(a, INT64_MIN, INT64_MAX);
            high = low >> 63 ? UINT64_MAX : 0;
        }
        put_number(a, low, 8);
        put_number(a, high, 8);
    } while (asm_take(a, ','));
}

/* The pattern of `bits` bits for the float in the token, rounded once. */
static uint64_t
float_pattern(asm_ctx *a, unsigned bits)
{
    const asm_token *t = &a->token;
    if (asm_is_name(a, "inf") || asm_is_name(a, "infinity"))
        return base_fp_infinity(bits);
    if (asm_is_name(a, "nan"))
        return base_fp_infinity(bits) | UINT64_C(1) << (base_fp_fraction_bits(bits) - 1);
    if (t->kind == ASM_FLOAT)
        return base_float_read(t->text, t->len, bits);
    if (t->kind == ASM_INT)
        return base_fp_from_u64(t->value, bits, BASE_ROUND_EVEN);
    asm_want(a, "a float");
    return 0;
}

/* Reads a float of `size` bytes as its pattern. */
static uint64_t
take_float(asm_ctx *a, unsigned size)
{
    bool minus = asm_take(a, '-');
    if (!minus)
        asm_take(a, '+');
    uint64_t pattern = float_pattern(a, size * 8);
    asm_next(a);
    return pattern ^ (uint64_t)minus << (size * 8 - 1);
}

static void
place_floats(asm_ctx *a, unsigned size)
{
    do
        put_number(a, take_float(a, size), size);
    while (asm_take(a, ','));
}

/* The character denoted by the escape after a backslash at `*p`, which is advanced past it. Escapes
 * are those of C, including octal and hexadecimal. */
static uint8_t
escaped(const char **p, const char *end)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    const char *known = strchr(from, **p);
    unsigned v = 0, count = 0;
    if (**p && known) {
        (*p)++;
        return (uint8_t)to[known - from];
    }
    if (**p == 'x') {
        for ((*p)++; *p < end && count < 2; (*p)++, count++) {
            char c = **p;
            unsigned d = c >= '0' && c <= '9' ? (unsigned)(c - '0')
                         : (c | 0x20) >= 'a' && (c | 0x20) <= 'f'
                             ? (unsigned)((c | 0x20) - 'a') + 10
                             : 99;
            if (d > 15)
                break;
            v = v * 16 + d;
        }
        return (uint8_t)v;
    }
    for (; *p < end && count < 3 && **p >= '0' && **p <= '7'; (*p)++, count++)
        v = v * 8 + (unsigned)(**p - '0');
    return count ? (uint8_t)v : (uint8_t) * (*p)++;
}

static void
place_string(asm_ctx *a, unsigned terminated)
{
    do {
        asm_token text = asm_take_string(a);
        const char *p = text.text + 1, *end = text.text + text.len - 1;
        while (p < end) {
            if (*p == '\\' && p + 1 < end) {
                p++;
                buf_put_u8(a->out, escaped(&p, end));
            } else {
                buf_put_u8(a->out, (uint8_t)*p++);
            }
        }
        if (terminated)
            buf_put_u8(a->out, 0);
    } while (asm_take(a, ','));
}

/* Emits `n` items of `size` bytes: the value `v`, with zeros above 32 bits. */
static void
put_many(asm_ctx *a, int64_t n, unsigned size, uint64_t v)
{
    asm_fill(a, (uint64_t)n * size);
    repeat(a, (size_t)n, size, v & UINT32_MAX);
}

/* .zero N, .space N [, VALUE] */
static void
place_space(asm_ctx *a, unsigned unused)
{
    int64_t n = asm_number(a, 0, MAX_FILL), v = 0;
    (void)unused;
    if (asm_take(a, ','))
        v = asm_number(a, -128, 255);
    put_many(a, n, 1, (uint64_t)v);
}

/* .fill COUNT [, SIZE [, VALUE]] */
static void
place_fill(asm_ctx *a, unsigned unused)
{
    int64_t n = asm_number(a, 0, MAX_FILL), size = 1, v = 0;
    (void)unused;
    if (asm_take(a, ','))
        size = asm_number(a, 0, 8);
    if (asm_take(a, ','))
        v = asm_number(a, INT64_MIN, INT64_MAX);
    put_many(a, n, (unsigned)size, (uint64_t)v);
}

/* .dcb.SIZE COUNT, VALUE and .ds.SIZE COUNT */
static void
place_block(asm_ctx *a, unsigned size)
{
    int64_t n = asm_number(a, 0, MAX_FILL), v = 0;
    if (asm_take(a, ','))
        v = asm_number(a, INT64_MIN, INT64_MAX);
    put_many(a, n, size, (uint64_t)v);
}

static void
place_float_block(asm_ctx *a, unsigned size)
{
    int64_t n = asm_number(a, 0, MAX_FILL);
    uint64_t v = asm_take(a, ',') ? take_float(a, size) : 0;
    asm_fill(a, (uint64_t)n * size);
    for (int64_t i = 0; i < n; i++)
        put_number(a, v, size);
}

/* .org OFFSET [, VALUE]: continues at OFFSET, which must not be lower than the current one. */
static void
go_to(asm_ctx *a, unsigned unused)
{
    const char *at = a->token.text;
    int64_t here = (int64_t)a->out->size, to = 0, v = 0;
    asm_expr e;
    asm_sum sum;
    (void)unused;
    if (!asm_parse(a, false, &e))
        asm_report(a);
    bool known = asm_evaluate(a, &e, &sum) &&
                 (!sum.bases || (sum.bases == 1 && sum.section == a->section));
    to = sum.number;
    if (asm_take(a, ','))
        v = asm_number(a, -128, 255);
    if (!known || to < here || to - here > MAX_FILL) {
        asm_seek(a, at);
        asm_fail(a, ERR_ASM_RANGE, "an offset beyond the current position in the section");
        asm_report(a);
    }
    put_many(a, to - here, 1, (uint64_t)v);
}

/* .uleb128 and .sleb128 of known numbers. */
static void
place_leb128(asm_ctx *a, unsigned is_signed)
{
    do {
        int64_t v = asm_number(a, is_signed ? INT64_MIN : 0, INT64_MAX);
        bool more = true;
        while (more) {
            uint8_t byte = (uint8_t)(v & 127);
            int64_t sign = is_signed && v < 0 ? -1 : 0;
            v = (int64_t)((uint64_t)v >> 7 | (sign ? ~(UINT64_MAX >> 7) : 0));
            more = is_signed ? !(v == sign && (byte >> 6 & 1) == (sign != 0)) : v != 0;
            buf_put_u8(a->out, (uint8_t)(byte | (more ? 128 : 0)));
        }
    } while (asm_take(a, ','));
}

/* Fills up to a multiple of `bytes`. Code is filled with the machine's padding, which the hardware
 * can execute; data is filled with zeros, or with `value` of `width` bytes if one is given. */
static void
align(asm_ctx *a, uint64_t bytes, unsigned width, uint64_t value)
{
    asm_unit_section *s = &a->unit->sections[a->section];
    s->align = bytes > s->align ? (uint32_t)bytes : s->align;
    bool code = s->is_executable && !width;
    unsigned size = code ? a->machine->padding_size : width ? width : 1;
    if (size > 1)
        while (a->out->size % (code ? size : 4) && a->out->size % bytes)
            buf_put_u8(a->out, 0);
    repeat(a, (bytes - a->out->size % bytes) % bytes / size, size,
           code ? a->machine->padding : value);
}

enum { IS_POWER = 16 }; /* the argument is a power of two; added to the value's width */

/* .p2align N [, VALUE [, MOST]]: if more than MOST bytes would be needed, none are filled. */
static void
align_directive(asm_ctx *a, unsigned arg)
{
    bool is_power = arg & IS_POWER;
    unsigned width = arg & ~(unsigned)IS_POWER;
    int64_t n = asm_number(a, 0, is_power ? 12 : 4096), value = 0, most = INT64_MAX;
    uint64_t bytes = is_power ? UINT64_C(1) << n : n ? (uint64_t)n : 1;
    bool has_value = false;
    if (bytes & (bytes - 1)) {
        asm_fail(a, ERR_ASM_RANGE, "a power of two");
        asm_report(a);
    }
    if (asm_take(a, ',') && a->token.kind != ASM_END && !asm_is(a, ',')) {
        value = asm_number(a, INT32_MIN, UINT32_MAX);
        has_value = !a->unit->sections[a->section].is_executable || width > 1 || value;
    }
    if (asm_take(a, ','))
        most = asm_number(a, 0, INT32_MAX);
    uint64_t fill = (bytes - a->out->size % bytes) % bytes;
    asm_fill(a, fill);
    if ((int64_t)fill <= most)
        align(a, bytes, has_value ? width : 0, (uint64_t)value);
}

const asm_directive asm_data_directives[] = {
    {".byte", place_numbers, 1, false},
    {".short", place_numbers, 2, false},
    {".2byte", place_numbers, 2, false},
    {".hword", place_numbers, 2, false},
    {".half", place_numbers, 2, false},
    {".value", place_numbers, 2, false},
    {".long", place_numbers, 4, false},
    {".4byte", place_numbers, 4, false},
    {".int", place_numbers, 4, false},
    {".word", place_numbers, 4, false},
    {".quad", place_numbers, 8, false},
    {".8byte", place_numbers, 8, false},
    {".dc", place_numbers, 2, false},
    {".dc.b", place_numbers, 1, false},
    {".dc.w", place_numbers, 2, false},
    {".dc.l", place_numbers, 4, false},
    {".dc.a", place_numbers, 8, false},
    {".octa", place_octas, 0, false},
    {".float", place_floats, 4, false},
    {".single", place_floats, 4, false},
    {".dc.s", place_floats, 4, false},
    {".double", place_floats, 8, false},
    {".dc.d", place_floats, 8, false},
    {".ascii", place_string, false, false},
    {".asciz", place_string, true, false},
    {".string", place_string, true, false},
    {".zero", place_space, 0, false},
    {".space", place_space, 0, false},
    {".skip", place_space, 0, false},
    {".fill", place_fill, 0, false},
    {".dcb", place_block, 2, false},
    {".dcb.b", place_block, 1, false},
    {".dcb.w", place_block, 2, false},
    {".dcb.l", place_block, 4, false},
    {".dcb.s", place_float_block, 4, false},
    {".dcb.d", place_float_block, 8, false},
    {".ds", place_block, 2, false},
    {".ds.b", place_block, 1, false},
    {".ds.w", place_block, 2, false},
    {".ds.l", place_block, 4, false},
    {".ds.s", place_block, 4, false},
    {".ds.d", place_block, 8, false},
    {".org", go_to, 0, false},
    {".uleb128", place_leb128, false, false},
    {".sleb128", place_leb128, true, false},
    {".p2align", align_directive, IS_POWER | 1, false},
    {".p2alignw", align_directive, IS_POWER | 2, false},
    {".p2alignl", align_directive, IS_POWER | 4, false},
    {".align", align_directive, 1, false},
    {".balign", align_directive, 1, false},
    {".balignw", align_directive, 2, false},
    {".balignl", align_directive, 4, false},
    {NULL, NULL, 0, false},
};
