/* Makes, compares and prints the data that a description specifies. */
#include "data_spec.h"

#include "base/bits.h"
#include "base/fp.h"

#include <math.h>
#include <string.h>

static bool
fail(const char **message, const char *what)
{
    *message = what;
    return false;
}

static bool
is_float(data_type t)
{
    return t >= DATA_F16;
}

static bool
is_signed(data_type t)
{
    return t < DATA_F16 && t & 1;
}

static void
put(void *out, uint64_t v, unsigned size)
{
    uint8_t *p = out;
    for (unsigned i = 0; i < size; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

static uint64_t
get(const void *from, uint64_t index, unsigned size)
{
    const uint8_t *p = (const uint8_t *)from + index * size;
    uint64_t v = 0;
    for (unsigned i = size; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static double
get_real(const void *from, uint64_t index, data_type t)
{
    unsigned size = data_type_size(t);
    return base_fp_decode(get(from, index, size), size * 8);
}

bool
data_number_store(const data_number *n, data_type type, void *out, const char **message)
{
    unsigned bits = data_type_size(type) * 8;
    if (is_float(type)) {
        put(out, base_fp_encode(n->real, bits, BASE_ROUND_EVEN), bits / 8);
        return true;
    }
    if (n->is_float)
        return fail(message, "a float cannot be stored as an integer");
    /* accepts any value that fits the bits, signed or unsigned: -1 and 0xffffffff are the same u32
     */
    uint64_t most = n->is_negative ? UINT64_C(1) << (bits - 1) : base_mask64(bits);
    if (n->magnitude > most)
        return fail(message, "the number is too large for its type");
    put(out, n->is_negative ? 0 - n->magnitude : n->magnitude, bits / 8);
    return true;
}

/* The next number of a generator (xorshift64*, Vigna 2016). */
static uint64_t
next_random(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}

static void
make_random(const data_spec *s, uint8_t *bytes, uint64_t n)
{
    unsigned size = data_type_size(s->type);
    uint64_t state = (s->seed + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t v = next_random(&state);
        if (is_float(s->type)) /* no more bits than a half float has, so that 1 is never reached */
            v = base_fp_encode(ldexp((double)(v >> 53), -11), size * 8, BASE_ROUND_EVEN);
        put(bytes + i * size, is_float(s->type) ? v : v >> (64 - 8 * size), size);
    }
}

/* start, start + step ...; integers wrap around. */
static void
make_iota(const data_spec *s, uint8_t *bytes, uint64_t n)
{
    unsigned size = data_type_size(s->type);
    data_number start = s->n_values > 0 ? s->values[0] : (data_number){.suffix = -1};
    data_number step = s->n_values > 1 ? s->values[1] : (data_number){.magnitude = 1, .real = 1};
    uint64_t v = start.is_negative ? 0 - start.magnitude : start.magnitude;
    uint64_t d = step.is_negative ? 0 - step.magnitude : step.magnitude;
    for (uint64_t i = 0; i < n; i++, v += d) {
        double x = start.real + (double)i * step.real;
        put(bytes + i * size, is_float(s->type) ? base_fp_encode(x, size * 8, BASE_ROUND_EVEN) : v,
            size);
    }
}

static bool
check_iota(const data_spec *s, const char **message)
{
    for (uint32_t i = 0; i < s->n_values; i++)
        if (s->values[i].is_float && !is_float(s->type))
            return fail(message, "a float cannot be stored as an integer");
    return true;
}

static bool
make_values(const data_spec *s, uint8_t *bytes, uint64_t n, const char **message)
{
    unsigned size = data_type_size(s->type);
    for (uint64_t i = 0; i < n; i++) {
        if (i >= s->n_values)
            memcpy(bytes + i * size, bytes + (i - s->n_values) * size, size);
        else if (!data_number_store(&s->values[i], s->type, bytes + i * size, message))
            return false;
    }
    return true;
}

/* Determines the size in bytes; 0 if nothing specifies it. */
static bool
find_size(const data_spec *s, uint64_t otherwise, size_t file_size, uint64_t *size,
          const char **message)
{
    unsigned element = data_type_size(s->type);
    *size = otherwise;
    if (s->has_count)
        *size = s->count > DATA_MAX_BYTES / element ? UINT64_MAX : s->count * element;
    else if (s->has_size)
        *size = s->size;
    else if (s->source == DATA_FILE)
        *size = file_size;
    else if (s->source == DATA_VALUES && !otherwise)
        *size = (uint64_t)s->n_values * element;
    if (!*size && !s->has_count && !s->has_size && s->source != DATA_FILE)
        return fail(message, "count=N or size=N is missing");
    if (*size > DATA_MAX_BYTES)
        return fail(message, "more than 1 GiB");
    if (*size % element)
        return fail(message, "the size is not a multiple of the element's");
    return true;
}

bool
data_spec_make(arena *a, const data_spec *s, uint64_t otherwise, const void *file, size_t file_size,
               uint8_t **bytes, uint64_t *size, const char **message)
{
    if (!find_size(s, otherwise, file_size, size, message))
        return false;
    *bytes = arena_zalloc(a, (size_t)*size);
    uint64_t n = *size / data_type_size(s->type);
    switch (s->source) {
    case DATA_ZEROS:
    case DATA_UNDEFINED: return true;
    case DATA_FILL:
    case DATA_VALUES: return make_values(s, *bytes, n, message);
    case DATA_RANDOM: make_random(s, *bytes, n); return true;
    case DATA_IOTA:
        if (!check_iota(s, message))
            return false;
        make_iota(s, *bytes, n);
        return true;
    case DATA_FILE:
        if (file_size < *size)
            return fail(message, "the file is shorter than the stated size");
        memcpy(*bytes, file, (size_t)*size);
        return true;
    }
    return true;
}

void
data_print_element(const void *bytes, uint64_t index, data_type type, base_buf *out)
{
    unsigned size = data_type_size(type);
    uint64_t v = get(bytes, index, size);
    if (type == DATA_F16)
        buf_put_float(out, get_real(bytes, index, type), 'g', 5);
    else if (is_float(type))
        buf_put_float(out, get_real(bytes, index, type), 'g', type == DATA_F32 ? 9 : 17);
    else if (is_signed(type))
        buf_printf(out, "%lld", (long long)base_sext64(v, size * 8));
    else
        buf_printf(out, "%llu", (unsigned long long)v);
}

/* A float's position in the order of all floats of its size. */
static int64_t
rank(uint64_t v, unsigned bits)
{
    uint64_t magnitude = v & base_mask64(bits - 1);
    return v >> (bits - 1) ? -(int64_t)magnitude : (int64_t)magnitude;
}

static bool
is_close(const data_spec *s, const void *got, const void *want, uint64_t i)
{
    unsigned size = data_type_size(s->type);
    uint64_t g = get(got, i, size), w = get(want, i, size);
    if (g == w)
        return true;
    if (!is_float(s->type)) {
        double x = is_signed(s->type) ? (double)base_sext64(g, size * 8) : (double)g;
        double y = is_signed(s->type) ? (double)base_sext64(w, size * 8) : (double)w;
        return fabs(x - y) <= s->tolerance || fabs(x - y) <= s->relative * fabs(y);
    }
    double x = get_real(got, i, s->type), y = get_real(want, i, s->type);
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (isinf(x) || isinf(y))
        return false;
    int64_t a = rank(g, size * 8), b = rank(w, size * 8);
    uint64_t distance = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
    return distance <= s->ulps || fabs(x - y) <= s->tolerance ||
           fabs(x - y) <= s->relative * fabs(y);
}

uint64_t
data_compare(const data_spec *s, const void *got, const void *want, uint64_t size, uint64_t *first)
{
    uint64_t n = size / data_type_size(s->type), wrong = 0;
    for (uint64_t i = 0; i < n; i++)
        if (!is_close(s, got, want, i) && !wrong++)
            *first = i;
    return wrong;
}
