/* AmberScript: ACCELERATION_STRUCTURE BOTTOM_LEVEL, which holds the points of geometries, and
 * TOP_LEVEL, which holds instances of those. Points are read as far as the text goes; what does not
 * make whole triangles or boxes is an error at the geometry's END. */
#include "amber/accel.h"
#include "amber/read.h"

#include <math.h>

enum { MAX_24_BITS = 0xffffff };

/* ---- flags ---- */

typedef struct flag_word {
    const char *word;
    uint32_t bit;
} flag_word;

static const flag_word geometry_flags[] = {
    {"OPAQUE", 1},
    {"NO_DUPLICATE_ANY_HIT", 2},
    {NULL, 0},
};

static const flag_word instance_flags[] = {
    {"TRIANGLE_FACING_CULL_DISABLE", AMBER_INSTANCE_CULL_DISABLE},
    {"TRIANGLE_FLIP_FACING", AMBER_INSTANCE_FLIP_FACING},
    {"FORCE_OPAQUE", AMBER_INSTANCE_OPAQUE},
    {"FORCE_NO_OPAQUE", AMBER_INSTANCE_NOT_OPAQUE},
    {"FORCE_OPACITY_MICROMAP_2_STATE", 16},
    {"DISABLE_OPACITY_MICROMAPS", 32},
    {NULL, 0},
};

/* The bits of the last token: a word of the list, or a number up to `max` if that is not 0. */
static uint32_t
flag_of(reader *r, const flag_word *words, uint32_t max)
{
    const lex_token *t = &r->token;
    for (; words->word; words++)
        if (amber_read_is(r, words->word))
            return words->bit;
    bool is_number = (t->kind == LEX_INTEGER || t->kind == LEX_HEX) && !t->negative;
    if (!max || !is_number || t->u > max)
        amber_read_expected(r, "a flag");
    return (uint32_t)t->u;
}

/* FLAGS flag..., up to the end of the line, or up to END if nothing follows FLAGS there. */
static uint32_t
read_flags(reader *r, const flag_word *words, uint32_t max)
{
    bool is_block = amber_lex_peek(&r->lex).kind == LEX_END_OF_LINE;
    uint32_t flags = 0;
    for (;;) {
        const lex_token *t = amber_read_token(r);
        if (t->kind == LEX_END_OF_LINE && is_block)
            continue;
        if (t->kind == LEX_END_OF_LINE || amber_read_is(r, "END"))
            return flags;
        flags |= flag_of(r, words, max);
    }
}

/* ---- bottom level ---- */

/* A coordinate must be a number that floats have, or NaN. */
static float
coordinate(reader *r)
{
    const lex_token *t = &r->token;
    if (t->kind != LEX_INTEGER && t->kind != LEX_HEX && t->kind != LEX_FLOAT)
        amber_read_expected(r, "a coordinate, FLAGS or END");
    if (fabs(t->f) > 3.4e38)
        amber_read_expected(r, "a coordinate of less than 3.4e38");
    return (float)t->f;
}

/* GEOMETRY TRIANGLES or AABBS, points, END */
static void
read_geometry(reader *r, amber_geometry *g)
{
    static const char *const kinds[] = {"TRIANGLES", "AABBS", NULL};
    float *points = NULL;
    size_t n = 0, cap = 0;
    uint32_t flags = 0;
    g->boxes = amber_read_choice(r, kinds, "TRIANGLES or AABBS") == 1;
    for (;;) {
        const lex_token *t = amber_read_token(r);
        if (t->kind == LEX_END_OF_LINE)
            continue;
        if (amber_read_is(r, "END"))
            break;
        if (amber_read_is(r, "FLAGS")) {
            flags |= read_flags(r, geometry_flags, 0);
            continue;
        }
        points = arena_grow(r->arena, points, &cap, n + 1, sizeof *points);
        points[n++] = coordinate(r);
    }
    const uint32_t each = g->boxes ? 6 : 9;
    amber_read_count_bytes(r, n * sizeof *points);
    if (!n)
        diag_fail(r->diag, ERR_AMBER_MISSING, "GEOMETRY", "coordinates");
    if (n % each)
        diag_fail(r->diag, ERR_AMBER_VALUES, each, (uint32_t)n);
    g->points = points;
    g->count = (uint32_t)(n / each);
    g->opaque = flags & 1;
    g->once = flags & 2;
}

static void
read_bottom_level(reader *r)
{
    static const char *const words[] = {"GEOMETRY", "END", NULL};
    amber_bottom_level *b = amber_read_new_bottom(
        r, amber_read_name(r, "the name of the acceleration structure"));
    size_t cap = 0;
    amber_read_line_end(r, "BOTTOM_LEVEL");
    for (;;) {
        amber_geometry g = {0};
        amber_read_skip_lines(r);
        if (amber_read_choice(r, words, "GEOMETRY or END") == 1)
            break;
        read_geometry(r, &g);
        if (b->geometry_count && b->geometries[0].boxes != g.boxes)
            diag_fail(r->diag, ERR_AMBER_MISSING, b->name, "one kind of geometry for all");
        b->geometries = arena_grow(r->arena, b->geometries, &cap, (size_t)b->geometry_count + 1,
                                   sizeof *b->geometries);
        b->geometries[b->geometry_count++] = g;
    }
    if (!b->geometry_count)
        diag_fail(r->diag, ERR_AMBER_MISSING, b->name, "GEOMETRY");
}

/* ---- top level ---- */

/* TRANSFORM, 12 numbers, END */
static void
read_transform(reader *r, amber_instance *i)
{
    float inverse[12];
    for (unsigned k = 0; k < 12; k++) {
        amber_read_skip_lines(r);
        i->transform[k] = (float)amber_read_real(r, "one of the 12 numbers of a matrix");
    }
    amber_read_skip_lines(r);
    amber_read_word(r, "END");
    if (!amber_accel_invert(i->transform, inverse))
        diag_fail(r->diag, ERR_AMBER_MISSING, "TRANSFORM", "an inverse");
}

static void
read_instance_options(reader *r, amber_instance *i)
{
    static const char *const words[] = {"TRANSFORM", "FLAGS", "MASK", "OFFSET",
                                        "INDEX",     "END",   NULL};
    for (;;) {
        amber_read_skip_lines(r);
        switch (amber_read_choice(r, words, "TRANSFORM, FLAGS, MASK, OFFSET, INDEX or END")) {
        case 0: read_transform(r, i); break;
        case 1: i->flags = (uint8_t)read_flags(r, instance_flags, UINT8_MAX); break;
        case 2: i->mask = (uint8_t)amber_read_uint(r, "a mask", UINT8_MAX); break;
        case 3: i->offset = (uint32_t)amber_read_uint(r, "an offset", MAX_24_BITS); break;
        case 4: i->custom_index = (uint32_t)amber_read_uint(r, "an index", MAX_24_BITS); break;
        default: return;
        }
    }
}

/* The rest of BLAS_INSTANCE USE bottom, or of BOTTOM_LEVEL_INSTANCE bottom options END. */
static void
read_instance(reader *r, amber_top_level *t, bool is_short, size_t *cap)
{
    amber_instance i = {.mask = UINT8_MAX, .transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    if (is_short)
        amber_read_word(r, "USE");
    i.bottom = amber_read_bottom_ref(r);
    if (!is_short)
        read_instance_options(r, &i);
    amber_read_count_bytes(r, sizeof i);
    t->instances = arena_grow(r->arena, t->instances, cap, (size_t)t->instance_count + 1,
                              sizeof *t->instances);
    t->instances[t->instance_count++] = i;
}

static void
read_top_level(reader *r)
{
    static const char *const words[] = {"BOTTOM_LEVEL_INSTANCE", "BLAS_INSTANCE", "END", NULL};
    amber_top_level *t = amber_read_new_top(
        r, amber_read_name(r, "the name of the acceleration structure"));
    size_t cap = 0;
    amber_read_line_end(r, "TOP_LEVEL");
    for (;;) {
        amber_read_skip_lines(r);
        unsigned word = amber_read_choice(r, words, "BOTTOM_LEVEL_INSTANCE or END");
        if (word == 2)
            break;
        read_instance(r, t, word == 1, &cap);
    }
    if (!t->instance_count)
        diag_fail(r->diag, ERR_AMBER_MISSING, t->name, "BOTTOM_LEVEL_INSTANCE");
}

void
amber_read_accel(reader *r)
{
    static const char *const levels[] = {"BOTTOM_LEVEL", "TOP_LEVEL", NULL};
    if (amber_read_choice(r, levels, "BOTTOM_LEVEL or TOP_LEVEL") == 0)
        read_bottom_level(r);
    else
        read_top_level(r);
    amber_read_line_end(r, "END");
}
