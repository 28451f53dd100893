/* Inputs and outputs of vertex and fragment shaders.
 *
 * What a shader reads and writes are rows of the program (stage_io.def), found by a walk over HIR
 * before anything is selected. Inputs in registers are what p_start defines, from r0.x on; rows of
 * outputs are operands of the end, each so many registers in a row as its highest component needs.
 * Varyings have four places for each location that is read. */
#include "adreno/select/stage.h"

#include "base/bits.h"
#include "family/draw_state.h"

#include <string.h>

/* ---- rows ---- */

/* The rows of the table: the first generation that has it, and what it is. */
static const struct {
    unsigned first;
    const char *sentence;
} kinds[] = {
#define IO(id, first, name, reg, sentence) {first, sentence},
#include "adreno/object/stage_io.def"
#undef IO
};

static bool
has_kind(const adreno_sel *s, adreno_io_kind kind)
{
    return s->p->target->chip->gen >= kinds[kind].first;
}

/* The row of this kind, slot and location; made if there is none. */
static adreno_io *
row_of(adreno_sel *s, adreno_io_kind kind, unsigned slot, unsigned location)
{
    adreno_program *p = s->p;
    if (!has_kind(s, kind))
        adreno_sel_unsupported(s, kinds[kind].sentence);
    const uint32_t k = adreno_io_row(s, kind, slot, location);
    if (k < p->n_io)
        return &p->io[k];
    if (k == ADRENO_MAX_IO)
        adreno_sel_unsupported(s, "so many inputs and outputs");
    p->io[p->n_io] = (adreno_io){.kind = (uint8_t)kind,
                                 .slot = (uint8_t)slot,
                                 .location = (uint8_t)location,
                                 .reg = ADRENO_IO_NO_REG};
    return &p->io[p->n_io++];
}

uint32_t
adreno_io_row(const adreno_sel *s, adreno_io_kind kind, unsigned slot, unsigned location)
{
    uint32_t k = 0;
    while (k < s->p->n_io && (s->p->io[k].kind != kind || s->p->io[k].slot != slot ||
                              s->p->io[k].location != location))
        k++;
    return k;
}

/* Adds the components that an instruction loads or stores, so many registers; those beyond four
 * belong to the next locations. */
static void
need(adreno_sel *s, adreno_io_kind kind, const ir_instr *i)
{
    unsigned words = i->n_defs ? adreno_def_parts(s, i) : adreno_parts(s, i->refs[0]);
    unsigned location = ir_attr_get(i, IR_A_LOCATION), at = ir_attr_get(i, IR_A_COMPONENT);
    const unsigned slot = ir_attr_get(i, IR_A_SLOT);
    for (; words; words--, at++)
        row_of(s, kind, slot, location + at / 4)->mask |= (uint8_t)(1u << at % 4);
}

static void
need_input(adreno_sel *s, adreno_io_kind kind, unsigned mask)
{
    row_of(s, kind, 0, 0)->mask |= (uint8_t)mask;
}

/* ---- what a shader has ---- */

static void
scan_vertex(adreno_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_input: need(s, ADRENO_IO_ATTRIBUTE, i); break;
    case IR_load_vertex_index: need_input(s, ADRENO_IO_VERTEX_ID, 1); break;
    case IR_load_instance_index: need_input(s, ADRENO_IO_INSTANCE_ID, 1); break;
    default: break;
    }
}

adreno_io_kind
adreno_weights_row(const adreno_sel *s, const ir_instr *i)
{
    static const adreno_io_kind rows[2][3] = {
        {ADRENO_IO_IJ_PIXEL, ADRENO_IO_IJ_CENTROID, ADRENO_IO_IJ_SAMPLE},
        {ADRENO_IO_IJ_LINEAR_PIXEL, ADRENO_IO_IJ_LINEAR_CENTROID, ADRENO_IO_IJ_LINEAR_SAMPLE}};
    unsigned at = IR_INTERP_AT_pixel;
    if (i->op == IR_load_barycentric)
        at = ir_attr_get(i, IR_A_INTERP_AT);
    if (i->op == IR_load_barycentric && at == IR_INTERP_AT_pixel && adreno_shades_samples(s))
        at = IR_INTERP_AT_sample;
    return rows[ir_attr_get(i, IR_A_INTERP) == IR_INTERP_noperspective][at];
}

static void
scan_weights(adreno_sel *s, const ir_instr *i)
{
    need_input(s, adreno_weights_row(s, i), 3);
    if (i->op == IR_load_barycentric || ir_attr_get(i, IR_A_INTERP) != IR_INTERP_smooth)
        return;
    if (has_kind(s, ADRENO_IO_CENTER_W) || adreno_shades_samples(s))
        need_input(s, ADRENO_IO_CENTER_W, 1);
    else
        need_input(s, ADRENO_IO_ZW, 3);
}

/* A varying that is the provoking vertex'. */
static void
need_flat(adreno_sel *s, const ir_instr *i)
{
    const unsigned slot = ir_attr_get(i, IR_A_SLOT);
    if (adreno_is_no_slot(s, slot))
        return;
    if (slot == IR_SLOT_primitive_id && !s->p->target->vertex_slots)
        adreno_sel_unsupported(s, "the number of the primitive");
    need(s, adreno_flat_kind(s), i);
    if (s->p->target->flat_op == ADRENO_BARY_F)
        need_input(s, ADRENO_IO_IJ_PIXEL, 3);
}

/* The layer of what a fragment reads of an input attachment, or of the view. */
static void
need_layer(adreno_sel *s)
{
    if (!adreno_is_no_slot(s, IR_SLOT_layer))
        row_of(s, ADRENO_IO_VARYING, IR_SLOT_layer, 0)->mask |= 1;
}

static void
scan_fragment(adreno_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_barycentric:
    case IR_load_barycentric_at_offset:
    case IR_load_barycentric_at_sample: scan_weights(s, i); break;
    case IR_load_input: need_flat(s, i); break;
    case IR_load_interpolated_input:
        if (!s->p->target->vertex_slots && ir_attr_get(i, IR_A_SLOT) != IR_SLOT_location)
            adreno_sel_unsupported(s, "distances of vertices, which fragments read");
        need(s, ADRENO_IO_VARYING, i);
        break;
    case IR_load_point_coord:
        row_of(s, ADRENO_IO_VARYING, IR_SLOT_point_coord, 0)->mask |= 3;
        need_input(s, ADRENO_IO_IJ_PIXEL, 3);
        break;
    case IR_load_frag_coord:
        need_input(s, ADRENO_IO_XY, 3);
        need_input(s, ADRENO_IO_ZW, 3);
        break;
    case IR_load_front_face: need_input(s, ADRENO_IO_FACE, 1); break;
    case IR_load_sample_id:
    case IR_load_sample_pos: need_input(s, ADRENO_IO_SAMPLE_ID, 1); break;
    case IR_is_helper_invocation:
    case IR_load_sample_mask_in:
        need_input(s, ADRENO_IO_SAMPLE_MASK_IN, 1);
        if (adreno_shades_samples(s))
            need_input(s, ADRENO_IO_SAMPLE_ID, 1);
        break;
    case IR_tex:
        if (ir_attr_get(i, IR_A_IMAGE_DIM) != IR_DIM_subpass)
            break;
        need_input(s, ADRENO_IO_XY, 3);
        if (ir_attr_get(i, IR_A_IMAGE_ARRAY))
            need_layer(s);
        break;
    default: break;
    }
}

static adreno_io_kind
output_kind(const adreno_sel *s, const ir_instr *store)
{
    if (s->hir->shader.stage == IR_STAGE_VERTEX)
        return ADRENO_IO_OUTPUT;
    switch (ir_attr_get(store, IR_A_SLOT)) {
    case IR_SLOT_depth: return ADRENO_IO_DEPTH;
    case IR_SLOT_stencil: return ADRENO_IO_STENCIL;
    case IR_SLOT_sample_mask: return ADRENO_IO_SAMPLE_MASK;
    default:
        return ir_attr_get(store, IR_A_BLEND_SOURCE) ? ADRENO_IO_SECOND_COLOR : ADRENO_IO_COLOR;
    }
}

static bool
is_wanted(const adreno_sel *s, const ir_instr *store, unsigned location)
{
    return family_is_wanted(s->p->pipeline, s->hir->shader.stage, store, location);
}

/* Outputs of vertices that all chips have. */
static bool
is_old_slot(unsigned slot)
{
    return slot == IR_SLOT_position || slot == IR_SLOT_point_size || slot == IR_SLOT_location;
}

static void
scan_output(adreno_sel *s, const ir_instr *i)
{
    const adreno_io_kind kind = output_kind(s, i);
    const adreno_target *t = s->p->target;
    if (kind == ADRENO_IO_COLOR && ir_attr_get(i, IR_A_LOCATION) >= t->colors)
        adreno_sel_unsupported(s, "so many colours");
    if (kind == ADRENO_IO_OUTPUT && !t->vertex_slots && !is_old_slot(ir_attr_get(i, IR_A_SLOT)))
        adreno_sel_unsupported(s, "distances, layers and viewports of vertices");
    if (is_wanted(s, i, ir_attr_get(i, IR_A_LOCATION)))
        need(s, kind, i);
    if (kind == ADRENO_IO_OUTPUT && ir_attr_get(i, IR_A_SLOT) == IR_SLOT_position)
        row_of(s, kind, IR_SLOT_position, 0)->mask = 15;
}

/* ---- transform feedback ---- */

/* The row of what a store captures from its dword `first` on; NULL: there is none. */
static adreno_io *
captured_row(const adreno_sel *s, const ir_instr *i, unsigned first)
{
    const uint32_t at = ir_attr_get(i, IR_A_BASE) / 4 + first;
    for (uint32_t k = 0; k < s->p->n_io; k++) {
        adreno_io *io = &s->p->io[k];
        if (io->kind == ADRENO_IO_CAPTURED && io->location == ir_attr_get(i, IR_A_BINDING) &&
            io->at == at)
            return io;
    }
    return NULL;
}

/* A vertex has a captured row for each four dwords. */
static void
scan_captured(adreno_sel *s, const ir_instr *i)
{
    const unsigned words = adreno_parts(s, i->refs[0]);
    const uint32_t buffer = ir_attr_get(i, IR_A_BINDING), base = ir_attr_get(i, IR_A_BASE) / 4;
    if (adreno_ref_bits(s, i->refs[0]) < 32)
        adreno_sel_unsupported(s, "captured numbers of 16 bits");
    s->p->captured_stride[buffer] = ir_attr_get(i, IR_A_RANGE);
    for (unsigned k = 0; k < words; k += 4) {
        const unsigned n = words - k < 4 ? words - k : 4;
        adreno_io *io = row_of(s, ADRENO_IO_CAPTURED, s->p->n_io, buffer);
        io->mask = (uint8_t)((1u << n) - 1);
        io->at = (uint16_t)(base + k);
    }
}

static void
select_captured(adreno_sel *s, const ir_instr *i)
{
    for (unsigned k = 0; k < adreno_parts(s, i->refs[0]); k++)
        s->io[captured_row(s, i, k & ~3u) - s->p->io][k % 4] = adreno_get_part(s, i->refs[0], k);
}

/* ---- numbers ---- */

/* Attributes and inputs follow each other, each in registers of its own; varyings in places. */
static void
number_rows(adreno_program *p)
{
    unsigned reg = 0, place = 0;
    for (uint32_t k = 0; k < p->n_io; k++) {
        adreno_io *io = &p->io[k];
        if (io->kind < ADRENO_IO_VARYING) {
            io->reg = (uint16_t)reg;
            reg += base_bit_width(io->mask);
        } else if (adreno_has_places(io)) {
            io->at = (uint16_t)place;
            place += 4;
        }
    }
}

static bool
is_half(unsigned kind)
{
    return kind == ADRENO_IO_FACE || kind == ADRENO_IO_SAMPLE_ID;
}

static void
define_inputs(adreno_sel *s)
{
    unsigned n = 0, d = 0;
    adreno_program *p = s->p;
    for (uint32_t k = 0; k < p->n_io; k++)
        n += p->io[k].kind < ADRENO_IO_VARYING ? base_popcount32(p->io[k].mask) : 0;
    ir_instr *start = s->start = ir_new_instr(s->f, ADRENO_P_START, n, 0);
    for (uint32_t k = 0; k < p->n_io; k++) {
        adreno_io *io = &p->io[k];
        const bool half = is_half(io->kind);
        for (unsigned c = 0; c < 4 && io->kind < ADRENO_IO_VARYING; c++) {
            if (!(io->mask >> c & 1))
                continue;
            const ir_ref def = ir_define(s->f, start, d, half ? ADRENO_H1 : ADRENO_F1);
            start->defs[d++] = ir_fixed(def, 4u * (io->reg + c));
            s->io[k][c] = def;
        }
        if (half)
            io->reg *= 2;
    }
    ir_append(s->cur, start);
}

void
adreno_select_stage_start(adreno_sel *s)
{
    const bool is_vertex = s->hir->shader.stage == IR_STAGE_VERTEX;
    IR_FOREACH_BLOCK(b, s->hir) {
        IR_FOREACH_INSTR(i, b) {
            s->loc = i->loc;
            (is_vertex ? scan_vertex : scan_fragment)(s, i);
        }
    }
    IR_FOREACH_BLOCK(b, s->hir) {
        IR_FOREACH_INSTR(i, b) {
            s->loc = i->loc;
            if (i->op == IR_store_output)
                scan_output(s, i);
            if (i->op == IR_store_xfb)
                scan_captured(s, i);
        }
    }
    s->io = ARENA_ARRAY(s->f->arena, s->p->n_io + 1, adreno_io_refs);
    for (uint32_t k = 0; k < s->p->n_io; k++)
        for (unsigned c = 0; c < 4; c++)
            s->io[k][c] = ir_none();
    number_rows(s->p);
    define_inputs(s);
}

/* ---- outputs ---- */

/* A number of 16 bits is widened. */
static ir_ref
widen(adreno_sel *s, const ir_instr *store, ir_ref r)
{
    const ir_base_type kind = (ir_base_type)ir_attr_get(store, IR_A_TEX_TYPE);
    return adreno_is_half_class(r.rc) ? adreno_emit_convert(s, kind, kind, false, r) : r;
}

void
adreno_select_store(adreno_sel *s, const ir_instr *i)
{
    const adreno_io_kind kind = output_kind(s, i);
    unsigned location = ir_attr_get(i, IR_A_LOCATION), at = ir_attr_get(i, IR_A_COMPONENT);
    if (!is_wanted(s, i, location))
        return;
    for (unsigned k = 0; k < adreno_parts(s, i->refs[0]); k++, at++) {
        const uint32_t row = adreno_io_row(s, kind, ir_attr_get(i, IR_A_SLOT), location + at / 4);
        s->io[row][at % 4] = widen(s, i, adreno_get_part(s, i->refs[0], k));
    }
}

/* The registers of an output. What is not written is not defined, but of a position the origin. */
static ir_ref
join_row(adreno_sel *s, uint32_t row)
{
    const adreno_io *io = &s->p->io[row];
    const unsigned count = base_bit_width(io->mask);
    const bool is_position = io->kind == ADRENO_IO_OUTPUT && io->slot == IR_SLOT_position;
    for (unsigned c = 0; c < count; c++)
        if (s->io[row][c].kind == IR_REF_NONE)
            s->io[row][c] = is_position ? adreno_float(c == 3) : adreno_undef(ADRENO_F1);
    return adreno_join(s, count, s->io[row]);
}

/* The output that has what a captured row has, in the same components; otherwise `row` itself. */
static uint32_t
same_output(const adreno_sel *s, uint32_t row)
{
    const adreno_program *p = s->p;
    for (uint32_t k = 0; k < p->n_io && p->io[row].kind == ADRENO_IO_CAPTURED; k++) {
        const unsigned count = base_bit_width(p->io[row].mask);
        bool same = p->io[k].kind == ADRENO_IO_OUTPUT && base_bit_width(p->io[k].mask) >= count;
        for (unsigned c = 0; c < count && same; c++)
            same = ir_is_value(s->io[k][c]) && ir_is_value(s->io[row][c]) &&
                   s->io[k][c].id == s->io[row][c].id;
        if (same)
            return k;
    }
    return row;
}

static void
check_words(adreno_sel *s)
{
    enum { MOST = 252 }; /* a draw has no place for more (ADRENO_DRAW_WORDS) */
    unsigned words = 0;
    for (uint32_t k = 0; k < s->p->n_io; k++)
        if (s->p->io[k].kind == ADRENO_IO_OUTPUT || s->p->io[k].kind == ADRENO_IO_CAPTURED)
            words += same_output(s, k) == k ? base_bit_width(s->p->io[k].mask) : 0;
    if (words > MOST)
        adreno_sel_unsupported(s, "so many outputs");
}

/* The binning pass sorts primitives by where they are. It fetches what the shader itself fetches,
 * to the registers that all outputs ask for. */
static void
drop_outputs(adreno_sel *s)
{
    adreno_program *p = s->p;
    uint32_t n = 0;
    for (uint32_t k = 0; k < p->n_io; k++) {
        const adreno_io *io = &p->io[k];
        if (io->kind == ADRENO_IO_CAPTURED ||
            (io->kind == ADRENO_IO_OUTPUT && io->slot == IR_SLOT_location))
            continue;
        p->io[n] = *io;
        memmove(s->io[n++], s->io[k], sizeof s->io[k]);
    }
    p->n_io = n;
}

void
adreno_select_stage_end(adreno_sel *s)
{
    ir_ref rows[ADRENO_MAX_IO], refs[ADRENO_MAX_IO];
    const adreno_program *p = s->p;
    unsigned n = 0;
    const bool is_vertex = s->hir->shader.stage == IR_STAGE_VERTEX;
    check_words(s);
    if (is_vertex)
        adreno_place_attributes(s);
    if (is_vertex && p->pipeline->binning)
        drop_outputs(s);
    for (uint32_t k = 0; k < p->n_io; k++)
        if (p->io[k].kind >= ADRENO_IO_OUTPUT && same_output(s, k) == k)
            rows[k] = join_row(s, k);
    for (uint32_t k = 0; k < p->n_io; k++)
        if (p->io[k].kind >= ADRENO_IO_OUTPUT)
            refs[n++] = rows[same_output(s, k)];
    adreno_emit(s, ADRENO_END, 0, n, refs);
}

/* ---- vertex shaders ---- */

static ir_ref
attribute_part(adreno_sel *s, const ir_instr *i, unsigned k)
{
    const unsigned at = ir_attr_get(i, IR_A_COMPONENT) + k;
    const unsigned location = ir_attr_get(i, IR_A_LOCATION) + at / 4;
    const unsigned slot = ir_attr_get(i, IR_A_SLOT);
    return s->io[adreno_io_row(s, ADRENO_IO_ATTRIBUTE, slot, location)][at % 4];
}

/* Attributes of 16 bits are fetched as 32. */
static void
select_attribute(adreno_sel *s, const ir_instr *i)
{
    ir_ref *out = adreno_def(s, i);
    const family_vertex_attribute *a = &s->p->pipeline->attributes[ir_attr_get(i, IR_A_LOCATION)];
    const bool is_int = s->p->pipeline->has_vertices && mach_format_is_int(a->format);
    const ir_base_type kind = is_int ? IR_BASE_uint : IR_BASE_float;
    for (unsigned k = 0; k < adreno_def_parts(s, i); k++) {
        out[k] = attribute_part(s, i, k);
        if (adreno_def_bits(s, i) == 16)
            out[k] = adreno_emit_convert(s, kind, kind, true, out[k]);
    }
}

/* The number of the vertex, to which some chips' shaders add the draw's offset. */
static ir_ref
vertex_index(adreno_sel *s)
{
    const ir_ref own = adreno_io_input(s, ADRENO_IO_VERTEX_ID, 0);
    if (s->p->target->vertex_offset)
        return own;
    return adreno_op2(s, ADRENO_ADD_U, own, adreno_emit_const(s, ADRENO_CONST_BASE_VERTEX));
}

/* Numbers of vertices and draws; returns NONE for other instructions. */
static ir_ref
select_number(adreno_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_vertex_index: return vertex_index(s);
    case IR_load_instance_index: return adreno_io_input(s, ADRENO_IO_INSTANCE_ID, 0);
    case IR_load_base_vertex: return adreno_emit_const(s, ADRENO_CONST_BASE_VERTEX);
    case IR_load_base_instance: return adreno_emit_const(s, ADRENO_CONST_BASE_INSTANCE);
    case IR_load_draw_index: return adreno_emit_const(s, ADRENO_CONST_DRAW);
    case IR_load_view_index: return adreno_full(0);
    default: return ir_none();
    }
}

bool
adreno_select_vertex(adreno_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_input: select_attribute(s, i); return true;
    case IR_store_output: adreno_select_store(s, i); return true;
    case IR_store_xfb: select_captured(s, i); return true;
    default: return adreno_set_any(s, i, select_number(s, i));
    }
}
