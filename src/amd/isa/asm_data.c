/* Directives that place bytes, and alignment. */
#include "amd/isa/asm.h"

#include <string.h>

/* What one directive may add: keeps a line from asking for terabytes. */
enum { MAX_FILL = 1 << 24 };

static const struct {
    const char *name;
    uint8_t size;
} numbers[] = {
    {".byte", 1},  {".short", 2}, {".2byte", 2}, {".hword", 2}, {".half", 2},  {".long", 4},
    {".4byte", 4}, {".int", 4},   {".word", 4},  {".quad", 8},  {".8byte", 8},
};

static void
put_number(amd_asm *a, uint64_t v, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        buf_put_u8(a->out, (uint8_t)(v >> (8 * i)));
}

/* One number; what depends on addresses is filled in later. */
static void
place_number(amd_asm *a, unsigned size)
{
    const char *at = a->token.text;
    int64_t v, sections, low = size == 8 ? INT64_MIN : -(INT64_C(1) << (size * 8 - 1)),
                         high = size == 8 ? INT64_MAX : (INT64_C(1) << size * 8) - 1;
    a->eval.may_defer = true;
    a->eval.section = a->section;
    a->eval.offset = a->out->size;
    bool ok = asm_address(a, false, &v, &sections);
    a->eval.may_defer = false;
    if (!ok)
        asm_report(a);
    if (a->eval.deferred || sections) {
        asm_add_fixup(a, (asm_fixup){.kind = ASM_FIX_DATA,
                                     .section = a->section,
                                     .offset = a->out->size,
                                     .size = (uint8_t)size,
                                     .at = at});
        v = 0;
    } else if (v < low || v > high) {
        asm_seek(a, at);
        asm_fail(a, ERR_AMD_ASM_RANGE,
                 arena_printf(a->arena, "%lld to %lld", (long long)low, (long long)high));
        asm_report(a);
    }
    put_number(a, (uint64_t)v, size);
}

static bool
place_numbers(amd_asm *a)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!asm_take_name(a, numbers[i].name))
            continue;
        do
            place_number(a, numbers[i].size);
        while (asm_take(a, ','));
        return true;
    }
    return false;
}

/* The character behind a backslash at `*p`, which goes on behind it: as in C, octal and hexadecimal
 * too. */
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
place_string(amd_asm *a, bool terminated)
{
    do {
        const char *p = a->token.text + 1, *end = a->token.text + a->token.len - 1;
        if (a->token.kind != ASM_STRING) {
            asm_expected(a, "a text in quotes");
            asm_report(a);
        }
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
        asm_next(a);
    } while (asm_take(a, ','));
}

/* .zero N, .space N [, VALUE] */
static void
place_space(amd_asm *a)
{
    int64_t n = asm_number(a, 0, MAX_FILL), v = 0;
    if (asm_take(a, ','))
        v = asm_number(a, -128, 255);
    if (n)
        memset(buf_extend(a->out, (size_t)n), (int)(v & 255), (size_t)n);
}

/* .fill COUNT [, SIZE [, VALUE]] */
static void
place_fill(amd_asm *a)
{
    int64_t n = asm_number(a, 0, MAX_FILL), size = 1, v = 0;
    if (asm_take(a, ','))
        size = asm_number(a, 0, 8);
    if (asm_take(a, ','))
        v = asm_number(a, INT64_MIN, INT64_MAX);
    for (int64_t i = 0; i < n; i++)
        put_number(a, size < 8 ? (uint64_t)v & ((UINT64_C(1) << (8 * size)) - 1) : (uint64_t)v,
                   (unsigned)size);
}

/* .uleb128 and .sleb128 of numbers that are known. */
static void
place_leb128(amd_asm *a, bool is_signed)
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

/* Fills up to a multiple of `bytes`: code with s_nop, as the hardware would have to run through it,
 * data with zeros, or with `value` of `width` bytes where one is given. */
static void
align(amd_asm *a, uint64_t bytes, unsigned width, uint64_t value)
{
    amd_unit_section *s = &a->unit->sections[a->section];
    s->align = bytes > s->align ? (uint32_t)bytes : s->align;
    bool code = s->is_executable && !width;
    if (code || width > 1)
        while (a->out->size % 4 && a->out->size % bytes)
            buf_put_u8(a->out, 0);
    while (a->out->size % bytes)
        put_number(a, code ? 0xbf800000u : value, code ? 4 : width ? width : 1);
}

/* .p2align N [, VALUE [, MOST]]; MOST bytes at most are filled, else none. */
static void
align_directive(amd_asm *a, bool is_power, unsigned width)
{
    int64_t n = asm_number(a, 0, is_power ? 12 : 4096), value = 0, most = INT64_MAX;
    uint64_t bytes = is_power ? UINT64_C(1) << n : n ? (uint64_t)n : 1;
    bool has_value = false;
    if (bytes & (bytes - 1)) {
        asm_fail(a, ERR_AMD_ASM_RANGE, "a power of two");
        asm_report(a);
    }
    if (asm_take(a, ',') && a->token.kind != ASM_END && !asm_is(a, ',')) {
        value = asm_number(a, INT32_MIN, UINT32_MAX);
        has_value = !a->unit->sections[a->section].is_executable || width > 1 || value;
    }
    if (asm_take(a, ','))
        most = asm_number(a, 0, INT32_MAX);
    if ((int64_t)((bytes - a->out->size % bytes) % bytes) <= most)
        align(a, bytes, has_value ? width : 0, (uint64_t)value);
}

static bool
alignment(amd_asm *a)
{
    static const struct {
        const char *name;
        bool is_power;
        uint8_t width;
    } rows[] = {{".p2align", true, 1}, {".p2alignw", true, 2}, {".p2alignl", true, 4},
                {".balign", false, 1}, {".balignw", false, 2}, {".balignl", false, 4},
                {".align", false, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (asm_take_name(a, rows[i].name)) {
            align_directive(a, rows[i].is_power, rows[i].width);
            return true;
        }
    }
    return false;
}

bool
asm_data_directive(amd_asm *a)
{
    if (place_numbers(a) || alignment(a))
        return true;
    if (asm_take_name(a, ".asciz") || asm_take_name(a, ".string"))
        place_string(a, true);
    else if (asm_take_name(a, ".ascii"))
        place_string(a, false);
    else if (asm_take_name(a, ".zero") || asm_take_name(a, ".space") || asm_take_name(a, ".skip"))
        place_space(a);
    else if (asm_take_name(a, ".fill"))
        place_fill(a);
    else if (asm_take_name(a, ".uleb128"))
        place_leb128(a, false);
    else if (asm_take_name(a, ".sleb128"))
        place_leb128(a, true);
    else
        return false;
    return true;
}
