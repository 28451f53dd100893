/* The comparisons of EXPECT and probe.
 *
 * Integers are compared in the width of their slot. Floats are equal within 1e-6 percent of the
 * expected value, which is exact for binary16 and binary32 and tolerates the last bits of a double
 * written in decimal; NaN equals NaN. This tolerance, the default of 0.002 for colours, and the
 * measure of EQ_HISTOGRAM_EMD_BUFFER agree with google/amber (src/verifier.cc, src/buffer.cc).
 */
#include "amber/check.h"
#include "base/bits.h"
#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const amber_tolerance exact = {.value = 1e-6, .percent = true};
static const amber_tolerance color_default = {.value = 0.002, .percent = false};

static bool
is_near(double actual, double expected, amber_tolerance t)
{
    if (isnan(actual) || isnan(expected))
        return isnan(actual) && isnan(expected);
    if (isinf(actual) || isinf(expected))
        return actual == expected;
    return fabs(actual - expected) <= (t.percent ? t.value / 100.0 * fabs(expected) : t.value);
}

/* The tolerance for the component: the only one given applies to all; otherwise there is one for
 * each, and the default for the rest. */
static amber_tolerance
pick_tolerance(const amber_command *c, unsigned component, amber_tolerance otherwise)
{
    if (c->tolerance_count == 1)
        return c->tolerance[0];
    return component < c->tolerance_count ? c->tolerance[component] : otherwise;
}

static bool
compare_floats(amber_compare op, double actual, double expected, amber_tolerance t)
{
    switch (op) {
    case AMBER_EQ: return is_near(actual, expected, exact);
    case AMBER_NE: return !is_near(actual, expected, exact);
    case AMBER_LT: return actual < expected;
    case AMBER_LE: return actual <= expected;
    case AMBER_GT: return actual > expected;
    case AMBER_GE: return actual >= expected;
    case AMBER_FUZZY: return is_near(actual, expected, t);
    }
    return false;
}

/* Both have been truncated to the slot's width and extended again by its sign. */
static bool
compare_integers(amber_compare op, amber_value actual, amber_value expected, bool is_signed,
                 amber_tolerance t)
{
    bool less = is_signed ? (int64_t)actual.u < (int64_t)expected.u : actual.u < expected.u;
    bool equal = actual.u == expected.u;
    switch (op) {
    case AMBER_EQ: return equal;
    case AMBER_NE: return !equal;
    case AMBER_LT: return less;
    case AMBER_LE: return less || equal;
    case AMBER_GT: return !less && !equal;
    case AMBER_GE: return !less;
    case AMBER_FUZZY: return is_near(actual.f, expected.f, t);
    }
    return false;
}

static bool
is_signed_mode(amber_mode mode)
{
    return mode == AMBER_SINT || mode == AMBER_SNORM || mode == AMBER_SSCALED;
}

/* Compares the slot at `at` with the value in the script. Sets `actual` and `expected` to the
 * values compared. */
static bool
compare_slot(const amber_command *c, const amber_slot *s, const uint8_t *at, unsigned component,
             amber_value *actual, amber_value *expected)
{
    amber_mode mode = (amber_mode)s->mode;
    uint8_t cut[8];
    amber_tolerance t = pick_tolerance(c, component, exact);
    *actual = amber_load(at, mode, s->bits);
    if (actual->is_float) {
        /* The expected value in the slot's width, but without rounding to binary16. */
        if (s->bits == 32)
            expected->f = (double)(float)expected->f;
        return compare_floats(c->compare, actual->f, expected->f, t);
    }
    amber_store(cut, mode, s->bits, *expected);
    *expected = amber_load(cut, mode, s->bits);
    return compare_integers(c->compare, *actual, *expected, is_signed_mode(mode), t);
}

/* The text of a number in a message, the same in every locale. */
typedef struct number_text {
    char text[BASE_FLOAT_TEXT];
} number_text;

static number_text
print_float(double x)
{
    number_text n;
    base_float_print(n.text, x, 'g', 6);
    return n;
}

static number_text
print_value(const amber_value *v, bool is_signed)
{
    number_text n;
    if (v->is_float)
        base_float_print(n.text, v->f, 'g', 9);
    else if (is_signed)
        snprintf(n.text, sizeof n.text, "%" PRId64, (int64_t)v->u);
    else
        snprintf(n.text, sizeof n.text, "%" PRIu64, v->u);
    return n;
}

/* The four channels of a colour. */
static number_text
print_color(const double *color)
{
    number_text n;
    size_t at = 0;
    for (unsigned i = 0; i < 4; i++)
        at += (size_t)snprintf(n.text + at, sizeof n.text - at, "%s%s", i ? " " : "",
                               print_float(color[i]).text);
    return n;
}

static bool
fail_values(const amber_command *c, const amber_slot *s, uint64_t offset, const amber_value *actual,
            const amber_value *expected, amber_result *r)
{
    static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">=", "~="};
    number_text a = print_value(actual, is_signed_mode((amber_mode)s->mode));
    number_text e = print_value(expected, is_signed_mode((amber_mode)s->mode));
    return amber_set_result(r, AMBER_FAIL, "line %u: %s at byte %" PRIu64 ": %s, expected %s %s",
                            c->line, c->buffer->name, offset, a.text, signs[c->compare], e.text);
}

static bool
check_values(const amber_command *c, const amber_memory *m, amber_result *r)
{
    const amber_type *t = c->type;
    uint64_t elements = (c->value_count + t->slot_count - 1) / t->slot_count;
    if (c->offset > m->size || elements * t->size > m->size - c->offset)
        return amber_set_result(
            r, AMBER_FAIL, "line %u: %s has %" PRIu64 " bytes, expected are bytes up to %" PRIu64,
            c->line, c->buffer->name, m->size, c->offset + elements * t->size);
    for (uint32_t v = 0; v < c->value_count; v++) {
        uint32_t slot = v % t->slot_count;
        const amber_slot *s = &t->slots[slot];
        uint64_t offset = c->offset + (uint64_t)(v / t->slot_count) * t->size + s->offset;
        amber_value actual, expected = c->values[v];
        unsigned component = t->rows ? slot % t->rows : slot;
        if (!compare_slot(c, s, m->bytes + offset, component, &actual, &expected))
            return fail_values(c, s, offset, &actual, &expected, r);
    }
    return true;
}

static bool
is_color_near(const amber_command *c, const amber_texel *t, const double actual[4])
{
    for (unsigned i = 0; i < t->count; i++) {
        static const char order[] = "RGBA";
        const char *place = strchr(order, t->part[i].name);
        if (!place)
            continue;
        unsigned n = (unsigned)(place - order);
        amber_tolerance tolerance = c->tolerance_count == 1 ? c->tolerance[0]
                                                            : pick_tolerance(c, n, color_default);
        if ((n < 3 || c->with_alpha) && !is_near(actual[n], c->color[n], tolerance))
            return false;
    }
    return true;
}

static bool
check_color(const amber_command *c, const amber_memory *m, amber_result *r)
{
    const amber_buffer *b = c->buffer;
    uint64_t wrong = 0, right = c->rect[0] + (uint64_t)c->rect[2];
    uint64_t bottom = c->rect[1] + (uint64_t)c->rect[3];
    double actual[4], first[4] = {0};
    uint64_t at[2] = {0};
    if (!b->type->has_texel || b->samples > 1)
        return amber_set_result(r, AMBER_FAIL, "line %u: %s has no texels to compare", c->line,
                                b->name);
    if (right > b->width || bottom > b->height || b->elements < (uint64_t)b->width * b->height)
        return amber_set_result(r, AMBER_FAIL, "line %u: %s has %u x %u texels, expected are more",
                                c->line, b->name, b->width, b->height);
    for (uint64_t y = c->rect[1]; y < bottom; y++) {
        for (uint64_t x = c->rect[0]; x < right; x++) {
            amber_texel_decode(&b->type->texel, m->bytes + (y * b->width + x) * b->type->size,
                               actual);
            if (is_color_near(c, &b->type->texel, actual) || wrong++)
                continue;
            memcpy(first, actual, sizeof first);
            at[0] = x;
            at[1] = y;
        }
    }
    if (!wrong)
        return true;
    return amber_set_result(
        r, AMBER_FAIL,
        "line %u: %s at %" PRIu64 ",%" PRIu64 ": %s, expected %s; %" PRIu64 " texels differ",
        c->line, b->name, at[0], at[1], print_color(first).text, print_color(c->color).text, wrong);
}

static bool
check_equal(const amber_command *c, const amber_memory *a, const amber_memory *b, amber_result *r)
{
    uint64_t wrong = 0, first = 0;
    for (uint64_t i = 0; i < a->size; i++)
        if (a->bytes[i] != b->bytes[i] && !wrong++)
            first = i;
    if (!wrong)
        return true;
    return amber_set_result(r, AMBER_FAIL,
                            "line %u: %s and %s differ in %" PRIu64 " bytes, first at byte %" PRIu64
                            ": 0x%02x and 0x%02x",
                            c->line, c->buffer->name, c->other->name, wrong, first, a->bytes[first],
                            b->bytes[first]);
}

static bool
check_rmse(const amber_command *c, const amber_memory *a, const amber_memory *b, amber_result *r)
{
    const amber_type *t = c->buffer->type;
    double sum = 0.0;
    uint64_t n = 0;
    for (uint64_t e = 0; e < c->buffer->elements; e++) {
        for (uint32_t i = 0; i < t->slot_count; i++, n++) {
            const amber_slot *s = &t->slots[i];
            uint64_t at = e * t->size + s->offset;
            double d = amber_load(a->bytes + at, (amber_mode)s->mode, s->bits).f -
                       amber_load(b->bytes + at, (amber_mode)s->mode, s->bits).f;
            sum += d * d;
        }
    }
    double rmse = n ? sqrt(sum / (double)n) : 0.0;
    if (rmse <= c->limit)
        return true;
    return amber_set_result(
        r, AMBER_FAIL, "line %u: root mean square error of %s and %s is %s > %s", c->line,
        c->buffer->name, c->other->name, print_float(rmse).text, print_float(c->limit).text);
}

static void
count_bytes(const amber_command *c, const amber_memory *m, unsigned channel, uint64_t bins[256])
{
    const amber_type *t = c->buffer->type;
    memset(bins, 0, 256 * sizeof *bins);
    for (uint64_t e = 0; e < c->buffer->elements; e++)
        bins[m->bytes[e * t->size + t->slots[channel].offset]]++;
}

/* The earth mover's distance of two histograms with equal mass is the sum of the differences of
 * their running sums; here computed per channel, over all texels, and scaled to 0 to 1. */
static double
histogram_distance(const amber_command *c, const amber_memory *a, const amber_memory *b,
                   unsigned channel)
{
    uint64_t x[256], y[256];
    double moved = 0.0, carried = 0.0, texels = (double)c->buffer->elements;
    count_bytes(c, a, channel, x);
    count_bytes(c, b, channel, y);
    for (unsigned i = 0; i < 256; i++) {
        carried += ((double)x[i] - (double)y[i]) / texels;
        moved += fabs(carried);
    }
    return moved / 256.0;
}

static bool
check_emd(const amber_command *c, const amber_memory *a, const amber_memory *b, amber_result *r)
{
    const amber_type *t = c->buffer->type;
    double worst = 0.0;
    bool bytes = t->slot_count == 4;
    for (uint32_t i = 0; i < t->slot_count; i++)
        bytes = bytes && t->slots[i].bits == 8 && !is_signed_mode((amber_mode)t->slots[i].mode);
    if (!bytes)
        return amber_set_result(r, AMBER_FAIL, "line %u: histograms need four channels of 8 bits",
                                c->line);
    for (unsigned i = 0; i < 4 && c->buffer->elements; i++)
        worst = fmax(worst, histogram_distance(c, a, b, i));
    if (worst <= c->limit)
        return true;
    return amber_set_result(r, AMBER_FAIL, "line %u: histogram distance of %s and %s is %s > %s",
                            c->line, c->buffer->name, c->other->name, print_float(worst).text,
                            print_float(c->limit).text);
}

bool
amber_check(const amber_command *c, const amber_memory *memory, amber_result *r)
{
    const amber_memory *a = &memory[c->buffer->index];
    const amber_memory *b = c->other ? &memory[c->other->index] : NULL;
    switch (c->op) {
    case AMBER_OP_EXPECT_VALUES: return check_values(c, a, r);
    case AMBER_OP_EXPECT_COLOR: return check_color(c, a, r);
    case AMBER_OP_EXPECT_EQUAL: return check_equal(c, a, b, r);
    case AMBER_OP_EXPECT_RMSE: return check_rmse(c, a, b, r);
    case AMBER_OP_EXPECT_EMD: return check_emd(c, a, b, r);
    default: return true;
    }
}

/* ---- what is expected ---- */

static bool
put_values(const amber_command *c, const amber_memory *m, uint8_t *bytes)
{
    const amber_type *t = c->type;
    uint64_t elements = (c->value_count + t->slot_count - 1) / t->slot_count;
    if (c->offset > m->size || elements * t->size > m->size - c->offset)
        return false;
    for (uint32_t v = 0; v < c->value_count; v++) {
        const amber_slot *s = &t->slots[v % t->slot_count];
        uint64_t at = c->offset + (uint64_t)(v / t->slot_count) * t->size + s->offset;
        amber_store(bytes + at, (amber_mode)s->mode, s->bits, c->values[v]);
    }
    return true;
}

static bool
put_color(const amber_command *c, uint8_t *bytes)
{
    const amber_buffer *b = c->buffer;
    uint64_t right = c->rect[0] + (uint64_t)c->rect[2], bottom = c->rect[1] + (uint64_t)c->rect[3];
    double color[4];
    if (!b->type->has_texel || b->samples > 1 || right > b->width || bottom > b->height ||
        b->elements < (uint64_t)b->width * b->height)
        return false;
    for (uint64_t y = c->rect[1]; y < bottom; y++) {
        for (uint64_t x = c->rect[0]; x < right; x++) {
            uint8_t *texel = bytes + (y * b->width + x) * b->type->size;
            amber_texel_decode(&b->type->texel, texel, color);
            memcpy(color, c->color, (c->with_alpha ? 4 : 3) * sizeof *color);
            amber_texel_encode(&b->type->texel, color, texel);
        }
    }
    return true;
}

const uint8_t *
amber_expected_bytes(arena *a, const amber_command *c, const amber_memory *memory)
{
    switch (c->op) {
    case AMBER_OP_EXPECT_EQUAL:
    case AMBER_OP_EXPECT_RMSE:
    case AMBER_OP_EXPECT_EMD: return memory[c->other->index].bytes;
    case AMBER_OP_EXPECT_VALUES:
    case AMBER_OP_EXPECT_COLOR: break;
    default: return NULL;
    }
    const amber_memory *m = &memory[c->buffer->index];
    bool is_values = c->op == AMBER_OP_EXPECT_VALUES;
    if (is_values && c->compare != AMBER_EQ && c->compare != AMBER_FUZZY)
        return NULL;
    uint8_t *bytes = arena_copy(a, m->bytes, (size_t)m->size);
    return (is_values ? put_values(c, m, bytes) : put_color(c, bytes)) ? bytes : NULL;
}
