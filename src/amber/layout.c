/* Layout of data types by the rules of std140 and std430 (OpenGL 4.6, section 7.6.2.2), as
 * documented in docs/memory_layout.md of google/amber:
 *
 * - a vector of n components is aligned to n numbers, a vector of 3 to 4;
 * - a column of a matrix is a vector, in std140 aligned to at least 16 bytes;
 * - the same holds for elements of arrays and, in std140, structures;
 * - a vec3 that is a whole element or a column occupies 4 numbers; in a structure the next member
 *   may use its fourth.
 *
 * Explicit offsets and strides of structures override the rules.
 */
#include "amber/layout.h"

#include <string.h>

enum {
    MAX_SLOTS = 1 << 16,   /* per element */
    MAX_ELEMENT = 1 << 26, /* bytes per element */
    MAX_DEPTH = 16,        /* of nested structures */
};

typedef struct layouter {
    arena *arena;
    diag *diag;
    bool std140;
    amber_slot *slots;
    size_t count, cap;
} layouter;

static uint64_t
round_up(uint64_t v, uint64_t align)
{
    return (v + align - 1) / align * align;
}

static void
add_slot(layouter *l, uint64_t offset, unsigned mode, unsigned bits)
{
    if (l->count >= MAX_SLOTS || offset >= MAX_ELEMENT)
        diag_fail(l->diag, ERR_AMBER_LIMIT, "the element of a buffer");
    l->slots = arena_grow(l->arena, l->slots, &l->cap, l->count + 1, sizeof *l->slots);
    l->slots[l->count++] = (amber_slot){
        .offset = (uint32_t)offset, .mode = (uint8_t)mode, .bits = (uint8_t)bits};
}

/* Alignment of a column of numbers in bytes. */
static uint64_t
align_column(const layout_type *t, bool std140)
{
    uint64_t align = t->bits / 8u * (t->rows == 3 ? 4u : t->rows);
    return t->columns > 1 && std140 ? round_up(align, 16) : align;
}

static uint64_t
align_of(const layout_type *t, bool std140)
{
    uint64_t align = 1;
    switch (t->kind) {
    case LAYOUT_NUMBER: align = align_column(t, std140); break;
    case LAYOUT_TEXEL: align = t->texel.packed ? t->texel.packed / 8u : 1; break;
    case LAYOUT_STRUCT: align = t->align[std140]; break;
    }
    if (std140 && (t->count || t->kind == LAYOUT_STRUCT))
        align = round_up(align, 16);
    return align;
}

void
amber_layout_close_struct(diag *d, layout_type *t)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < t->member_count; i++) {
        const layout_type *m = t->members[i].type;
        depth = m->depth > depth ? m->depth : depth;
        for (int std140 = 0; std140 < 2; std140++) {
            uint64_t align = align_of(m, std140);
            t->align[std140] = align > t->align[std140] ? align : t->align[std140];
        }
    }
    t->depth = depth + 1;
    if (t->depth > MAX_DEPTH)
        diag_fail(d, ERR_AMBER_LIMIT, "the nesting of structures");
}

static uint64_t
put_type(layouter *l, const layout_type *t, uint64_t at, const layout_member *member);

/* Each of these functions places the slots of one item at `at` and returns its end. */
static uint64_t
put_number(layouter *l, const layout_type *t, uint64_t at, const layout_member *member)
{
    uint64_t bytes = t->bits / 8u, column = bytes * t->rows, stride = align_column(t, l->std140);
    if (member && member->matrix_stride && t->columns > 1)
        stride = member->matrix_stride;
    for (unsigned c = 0; c < t->columns; c++)
        for (unsigned r = 0; r < t->rows; r++)
            add_slot(l, at + c * stride + r * bytes, t->mode, t->bits);
    return t->columns > 1 ? at + t->columns * stride : at + column;
}

static uint64_t
put_texel(layouter *l, const amber_texel *t, uint64_t at)
{
    if (t->packed) {
        add_slot(l, at, AMBER_UINT, t->packed);
        return at + t->bytes;
    }
    for (unsigned i = 0; i < t->count; i++)
        if (t->part[i].bits % 8 == 0 && t->part[i].bits != 24)
            add_slot(l, at + t->part[i].shift / 8, t->part[i].mode, t->part[i].bits);
    return at + t->bytes;
}

static uint64_t
put_struct(layouter *l, const layout_type *t, uint64_t at)
{
    uint64_t end = at;
    for (uint32_t i = 0; i < t->member_count; i++) {
        const layout_member *m = &t->members[i];
        uint64_t start = m->has_offset ? at + m->offset
                                       : at + round_up(end - at, align_of(m->type, l->std140));
        if (start < end)
            diag_fail(l->diag, ERR_AMBER_LAYOUT, "OFFSET", m->name);
        end = put_type(l, m->type, start, m);
    }
    if (t->stride) {
        if (at + t->stride < end)
            diag_fail(l->diag, ERR_AMBER_LAYOUT, "STRIDE", "the structure");
        return at + t->stride;
    }
    return at + round_up(end - at, align_of(t, l->std140));
}

static uint64_t
put_type(layouter *l, const layout_type *t, uint64_t at, const layout_member *member)
{
    uint64_t end = at, start = at;
    uint32_t n = t->count ? t->count : 1;
    for (uint32_t i = 0; i < n; i++) {
        switch (t->kind) {
        case LAYOUT_NUMBER: end = put_number(l, t, start, member); break;
        case LAYOUT_TEXEL: end = put_texel(l, &t->texel, start); break;
        case LAYOUT_STRUCT: end = put_struct(l, t, start); break;
        }
        if (t->count)
            end = member && member->array_stride
                      ? start + member->array_stride
                      : start + round_up(end - start, align_of(t, l->std140));
        if (end >= MAX_ELEMENT)
            diag_fail(l->diag, ERR_AMBER_LIMIT, "the element of a buffer");
        start = end;
    }
    return end;
}

/* Finds the texel format that equals a number type, as uniform texel buffers and images need:
 * vec2<uint16> is R16G16_UINT. */
static bool
find_texel(const layout_type *t, amber_texel *out)
{
    static const char *const modes[] = {
        [AMBER_UINT] = "UINT", [AMBER_SINT] = "SINT", [AMBER_SFLOAT] = "SFLOAT"};
    static const char letters[] = "RGBA";
    char name[32], *p = name;
    if (t->kind == LAYOUT_TEXEL) {
        *out = t->texel;
        return true;
    }
    if (t->kind != LAYOUT_NUMBER || t->columns != 1)
        return false;
    for (unsigned i = 0; i < t->rows; i++) {
        *p++ = letters[i];
        if (t->bits >= 10)
            *p++ = (char)('0' + t->bits / 10);
        *p++ = (char)('0' + t->bits % 10);
    }
    *p++ = '_';
    memcpy(p, modes[t->mode], strlen(modes[t->mode]) + 1);
    return amber_texel_find(name, strlen(name), out);
}

const amber_type *
amber_layout_make(arena *a, diag *d, const layout_type *type, bool std140)
{
    layouter l = {.arena = a, .diag = d, .std140 = std140};
    amber_type *t = ARENA_NEW(a, amber_type);
    uint64_t end = put_type(&l, type, 0, NULL);
    /* A whole element is followed by the next one, so a vec3 takes the space of a vec4. */
    if (type->kind == LAYOUT_NUMBER)
        end = round_up(end, align_of(type, std140));
    if (!l.count)
        diag_fail(d, ERR_AMBER_EXPECTED, "a type with members", "an empty one");
    t->size = (uint32_t)end;
    t->slots = l.slots;
    t->slot_count = (uint32_t)l.count;
    t->std140 = std140;
    t->rows = type->kind == LAYOUT_NUMBER ? type->rows : 0;
    t->has_texel = find_texel(type, &t->texel);
    return t;
}
