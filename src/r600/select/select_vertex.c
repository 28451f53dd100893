/* What vertex shaders have: attributes, which they fetch themselves, and numbers of vertices.
 *
 * R0.x is the vertex' number with the draw's offset, R0.w the instance's, counted from 0. An
 * attribute is fetched from its binding's resource, which has the stride; the instruction has the
 * format. */
#include "family/draw_state.h"
#include "r600/select/stage.h"

/* ---- formats ---- */

/* Vertex formats by the bits of their components: as integers or normalised, and as floats; 0:
 * there is none. Three components of 8 or 16 bits are fetched one by one. */
typedef struct data_format {
    uint8_t bits[4];
    uint8_t number, as_float;
} data_format;

static const data_format formats[] = {
    {{8}, 1, 0},
    {{8, 8}, 7, 0},
    {{8, 8, 8, 8}, 26, 0},
    {{16}, 5, 6},
    {{16, 16}, 15, 16},
    {{16, 16, 16, 16}, 31, 32},
    {{32}, 13, 14},
    {{32, 32}, 29, 30},
    {{32, 32, 32}, 47, 48},
    {{32, 32, 32, 32}, 34, 35},
    {{10, 10, 10, 2}, 25, 0},
    {{11, 11, 10}, 0, 22},
};

static uint8_t
find_format(const uint8_t bits[4], unsigned n, bool is_float)
{
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
        unsigned c = 0;
        while (c < 4 && formats[i].bits[c] == (c < n ? bits[c] : 0))
            c++;
        if (c == 4)
            return is_float ? formats[i].as_float : formats[i].number;
    }
    return 0;
}

/* The fields of a fetch that say how numbers are made. */
static void
set_numbers(mach_numeric kind, r600_fetched *e)
{
    e->num = kind == MACH_NUM_UINT || kind == MACH_NUM_SINT         ? R600_NUM_INT
             : kind == MACH_NUM_USCALED || kind == MACH_NUM_SSCALED ? R600_NUM_SCALED
                                                                    : R600_NUM_NORM;
    e->is_signed = kind == MACH_NUM_SINT || kind == MACH_NUM_SSCALED || kind == MACH_NUM_SNORM;
    e->has_no_zero = kind == MACH_NUM_FLOAT || e->num == R600_NUM_INT;
}

/* ---- attributes ---- */

/* What is fetched for a location. */
typedef struct attribute {
    uint32_t binding, offset;
    const mach_format_info *format; /* NULL: words */
} attribute;

/* n / d, without a remainder: T. Granlund and P. Montgomery, Division by Invariant Integers using
 * Multiplication, figure 4.1. */
static tree_operand
divide(r600_sel *s, tree_operand n, uint32_t d)
{
    uint32_t shift = 0;
    while (UINT64_C(1) << shift < d)
        shift++;
    const uint64_t m = ((((UINT64_C(1) << shift) - d) << 32) / d) + 1;
    const tree_operand t = r600_sel_op2(s, R600_MULHI_UINT, n, r600_tree_const((uint32_t)m));
    const tree_operand rest = r600_sel_op2(s, R600_LSHR_INT, r600_sel_op2(s, R600_SUB_INT, n, t),
                                           r600_tree_const(1));
    return r600_sel_op2(s, R600_LSHR_INT, r600_sel_op2(s, R600_ADD_INT, t, rest),
                        r600_tree_const(shift - 1));
}

static tree_operand
driver_constant(unsigned number)
{
    return (tree_operand){.kind = TREE_KCACHE, .id = number};
}

/* The element that a vertex reads of a binding. */
static tree_operand
element_of(r600_sel *s, uint32_t binding)
{
    const family_pipeline *p = s->program->pipeline;
    const family_vertex_binding *b = &p->bindings[binding];
    const tree_operand first = driver_constant(R600_CONST_BASE_INSTANCE);
    if (!p->has_vertices || !b->per_instance)
        return s->vertex_id;
    if (b->divisor == 0)
        return r600_sel_op1(s, R600_MOV, first);
    const tree_operand n = b->divisor == 1 ? s->instance_id : divide(s, s->instance_id, b->divisor);
    return r600_sel_op2(s, R600_ADD_INT, n, first);
}

/* Fetches `n` components of 32 bits behind `skip` of them. */
static void
fetch_words(r600_sel *s, const attribute *a, unsigned skip, unsigned n, tree_operand *out)
{
    static const uint8_t words[] = {13, 29, 47, 34};
    const r600_fetched e = {.resource = R600_RESOURCE_VERTEX + a->binding,
                            .format = words[n - 1],
                            .num = R600_NUM_INT,
                            .offset = a->offset + skip * 4,
                            .bytes = n * 4,
                            .has_no_zero = true,
                            .n = n};
    r600_sel_fetch_as(s, &e, element_of(s, a->binding), out);
}

/* Fetches all channels of a format. */
static void
fetch_channels(r600_sel *s, const attribute *a, tree_operand out[4])
{
    const mach_format_info *f = a->format;
    const bool is_float = f->kind == MACH_NUM_FLOAT;
    r600_fetched e = {.resource = R600_RESOURCE_VERTEX + a->binding,
                      .offset = a->offset,
                      .format = find_format(f->bits, f->channels, is_float),
                      .bytes = f->bytes,
                      .n = f->channels};
    set_numbers((mach_numeric)f->kind, &e);
    if (e.format) {
        r600_sel_fetch_as(s, &e, element_of(s, a->binding), out);
        return;
    }
    e.format = find_format(f->bits, 1, is_float);
    if (!e.format || f->channels != 3)
        r600_sel_lacks(s, "the format of an attribute");
    for (unsigned c = 0; c < f->channels; c++) {
        e.offset = a->offset + c * f->bits[0] / 8u;
        e.bytes = f->bits[0] / 8u;
        e.n = 1;
        r600_sel_fetch_as(s, &e, element_of(s, a->binding), &out[c]);
    }
}

/* The four components of a location: channels, 0 or 1. */
static void
swizzle(const attribute *a, const tree_operand channels[4], tree_operand out[4])
{
    const unsigned kind = a->format->kind;
    const bool is_int = kind == MACH_NUM_UINT || kind == MACH_NUM_SINT;
    for (unsigned c = 0; c < 4; c++) {
        const char from = a->format->swizzle[c];
        out[c] = from == '0'   ? r600_tree_const(0)
                 : from == '1' ? r600_tree_const(is_int ? 1 : 0x3f800000)
                               : channels[from == 'w' ? 3 : from - 'x'];
    }
}

/* Components `first` to `first` + n of a location. */
static void
load_location(r600_sel *s, unsigned location, unsigned first, unsigned n, tree_operand *out)
{
    const family_pipeline *p = s->program->pipeline;
    uint32_t skipped;
    attribute a = {.binding = location};
    if (!p->has_vertices) {
        fetch_words(s, &a, first, n, out);
        return;
    }
    const family_vertex_attribute *from = family_find_attribute(p, location, &skipped);
    a = (attribute){.binding = from->binding, .offset = from->offset + skipped};
    if (from->wide) {
        fetch_words(s, &a, first, n, out);
        return;
    }
    if (from->format == MACH_FORMAT_none) {
        for (unsigned k = 0; k < n; k++)
            out[k] = r600_tree_const(0);
        return;
    }
    tree_operand channels[4], all[4];
    a.format = mach_format_get(from->format);
    fetch_channels(s, &a, channels);
    swizzle(&a, channels, all);
    for (unsigned k = 0; k < n; k++)
        out[k] = all[first + k];
}

static bool
is_int_attribute(const r600_sel *s, unsigned location)
{
    const family_pipeline *p = s->program->pipeline;
    return p->has_vertices && mach_format_is_int(p->attributes[location].format);
}

/* Attributes of 16 bits are fetched as 32. */
static void
load_attribute(r600_sel *s, const ir_instr *i)
{
    tree_operand *out = r600_sel_def(s, i);
    const unsigned n = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
    const unsigned location = ir_attr_get(i, IR_A_LOCATION), first = ir_attr_get(i, IR_A_COMPONENT);
    if (s->program->pipeline->dynamic & FAMILY_DYNAMIC_VERTEX_INPUT)
        r600_sel_lacks(s, "attributes that are stated after compilation");
    for (unsigned k = 0; k < n;) {
        const unsigned at = first + k, left = 4 - at % 4, many = n - k < left ? n - k : left;
        if (location + at / 4 >= FAMILY_VERTEX_ATTRIBUTES)
            r600_sel_lacks(s, "so many locations");
        load_location(s, location + at / 4, at % 4, many, out + k);
        k += many;
    }
    if (r600_sel_bits(s, ir_use(s->hir, i->defs[0].id)) != 16 || is_int_attribute(s, location))
        return;
    for (unsigned k = 0; k < n; k++)
        out[k] = r600_sel_op1(s, R600_FLT32_TO_FLT16, out[k]);
}

/* ---- the stage ---- */

bool
r600_select_vertex(r600_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_input: load_attribute(s, i); return true;
    case IR_load_vertex_index: *r600_sel_def(s, i) = s->vertex_id; return true;
    case IR_load_instance_index:
        *r600_sel_def(s, i) = r600_sel_op2(s, R600_ADD_INT, s->instance_id,
                                           driver_constant(R600_CONST_BASE_INSTANCE));
        return true;
    case IR_load_base_vertex:
        *r600_sel_def(s, i) = driver_constant(R600_CONST_BASE_VERTEX);
        return true;
    case IR_load_base_instance:
        *r600_sel_def(s, i) = driver_constant(R600_CONST_BASE_INSTANCE);
        return true;
    case IR_load_draw_index: *r600_sel_def(s, i) = driver_constant(R600_CONST_DRAW); return true;
    case IR_load_view_index: *r600_sel_def(s, i) = r600_tree_const(0); return true;
    default: return false;
    }
}
