/* Inputs and outputs of vertex and fragment shaders.
 *
 * What a shader reads and writes are rows of its program (stage_io.def), found by a walk over HIR
 * before anything is selected. Inputs in registers are values that the program starts with.
 * Outputs are noted where they are stored, and exported at the end: positions, then parameters; the
 * depth, then colours. The last export of a type is EXPORT_DONE. */
#include "r600/select/stage.h"

#include "base/bits.h"
#include "family/draw_state.h"

#include <string.h>

enum {
    FIRST_POSITION = 60,
    MOST_EXPORTS = R600_MOST_PARAMETERS + 1,
    MASKED = 7,
    MOST_DISTANCES = 8
};

/* ---- rows ---- */

static bool
is_row(const r600_io *io, const r600_io_key *k)
{
    return io->kind == k->kind && io->slot == k->slot && io->location == k->location &&
           io->interp == k->interp && io->at == k->at;
}

r600_io *
r600_sel_make_row(r600_sel *s, r600_io_key key)
{
    r600_program *p = s->program;
    for (uint32_t k = 0; k < p->n_io; k++)
        if (is_row(&p->io[k], &key))
            return &p->io[k];
    if (p->n_io == R600_MOST_IO)
        r600_sel_lacks(s, "so many inputs and outputs");
    p->io[p->n_io] = (r600_io){.kind = key.kind,
                               .slot = key.slot,
                               .location = key.location,
                               .interp = key.interp,
                               .at = key.at,
                               .number = R600_IO_NO_PARAMETER};
    return &p->io[p->n_io++];
}

tree_operand *
r600_sel_row(r600_sel *s, r600_io_key key)
{
    for (uint32_t k = 0; k < s->program->n_io; k++)
        if (is_row(&s->program->io[k], &key))
            return s->io[k];
    return NULL;
}

/* ---- outputs ---- */

static r600_io_kind
output_kind(const r600_sel *s, const ir_instr *store)
{
    if (s->hir->shader.stage == IR_STAGE_VERTEX)
        return R600_IO_OUTPUT;
    switch (ir_attr_get(store, IR_A_SLOT)) {
    case IR_SLOT_depth: return R600_IO_DEPTH;
    case IR_SLOT_stencil: return R600_IO_STENCIL;
    case IR_SLOT_sample_mask: return R600_IO_SAMPLE_MASK;
    default: return ir_attr_get(store, IR_A_BLEND_SOURCE) ? R600_IO_SECOND_COLOR : R600_IO_COLOR;
    }
}

/* The row of component `at` of what is stored. */
static r600_io_key
output_key(const r600_sel *s, const ir_instr *store, unsigned at)
{
    return (r600_io_key){.kind = (uint8_t)output_kind(s, store),
                         .slot = (uint8_t)ir_attr_get(store, IR_A_SLOT),
                         .location = (uint8_t)(ir_attr_get(store, IR_A_LOCATION) + at / 4)};
}

static bool
is_wanted(const r600_sel *s, const ir_instr *store)
{
    return family_is_wanted(s->program->pipeline, s->hir->shader.stage, store,
                            ir_attr_get(store, IR_A_LOCATION));
}

static void
scan_output(r600_sel *s, const ir_instr *i)
{
    const unsigned first = ir_attr_get(i, IR_A_COMPONENT);
    if (!is_wanted(s, i))
        return;
    for (unsigned at = first; at < first + r600_sel_parts(s, i->refs[0]); at++)
        r600_sel_make_row(s, output_key(s, i, at))->mask |= (uint8_t)(1u << at % 4);
}

tree_operand
r600_sel_widen(r600_sel *s, unsigned bits, unsigned type, tree_operand x)
{
    if (bits != 16)
        return x;
    if (type == IR_BASE_float)
        return r600_sel_op1(s, R600_FLT16_TO_FLT32, x);
    return r600_sel_op(s, type == IR_BASE_int ? R600_BFE_INT : R600_BFE_UINT, x, r600_tree_const(0),
                       r600_tree_const(16));
}

static void
note_output(r600_sel *s, const ir_instr *i)
{
    const unsigned first = ir_attr_get(i, IR_A_COMPONENT), bits = r600_sel_bits(s, i->refs[0]);
    if (!is_wanted(s, i))
        return;
    for (unsigned k = 0; k < r600_sel_parts(s, i->refs[0]); k++) {
        tree_operand *row = r600_sel_row(s, output_key(s, i, first + k));
        row[(first + k) % 4] = r600_sel_widen(s, bits, ir_attr_get(i, IR_A_TEX_TYPE),
                                              r600_sel_part(s, i->refs[0], k));
    }
}

/* ---- the start ---- */

/* Does a next stage read the slot as a parameter? One that is not known may. */
static bool
is_parameter(const r600_sel *s, const r600_io *io)
{
    const family_pipeline *p = s->program->pipeline;
    if (io->slot == IR_SLOT_location)
        return true;
    if (io->slot == IR_SLOT_position || io->slot == IR_SLOT_point_size)
        return false;
    return !p->has_next || p->next.slots >> io->slot & 1;
}

static const r600_io_key primitive_key = {.kind = R600_IO_OUTPUT, .slot = IR_SLOT_primitive_id};

/* The primitive's number is what R0.z has, if vertices are not shared; a next stage that reads it
 * must be known. */
static void
scan_primitive(r600_sel *s)
{
    const family_pipeline *p = s->program->pipeline;
    if (p->has_next && p->next.slots >> IR_SLOT_primitive_id & 1)
        r600_sel_make_row(s, primitive_key)->mask = 1;
}

static void
number_outputs(r600_sel *s)
{
    r600_program *p = s->program;
    for (uint32_t k = 0; k < p->n_io; k++)
        if (p->io[k].kind == R600_IO_OUTPUT && is_parameter(s, &p->io[k]))
            p->io[k].number = (uint8_t)p->n_parameters++;
    if (p->n_parameters > R600_MOST_PARAMETERS)
        r600_sel_lacks(s, "more than 32 locations of outputs");
}

/* Weights, two components each; then parameters where the hardware interpolates, and the rest, a
 * register each. */
static void
number_inputs(r600_sel *s)
{
    r600_program *p = s->program;
    const bool loads = s->p->chip->gen <= R600_GEN_R700;
    unsigned at = 0;
    for (unsigned kind = 0; kind < R600_IO_VARYING; kind++)
        for (uint32_t k = 0; k < p->n_io; k++)
            if (p->io[k].kind == kind)
                p->io[k].reg = (uint16_t)at, at += 2;
    at = (at + 3) & ~3u;
    for (uint32_t k = 0; k < p->n_io; k++) {
        if (p->io[k].kind != R600_IO_VARYING)
            continue;
        p->io[k].number = (uint8_t)p->n_parameters++;
        p->io[k].reg = (uint16_t)at;
        at += loads ? 4 : 0;
    }
    if (p->n_parameters > R600_MOST_PARAMETERS)
        r600_sel_lacks(s, "more than 32 locations of inputs");
    for (uint32_t k = 0; k < p->n_io; k++)
        if (p->io[k].kind == R600_IO_COLOR && p->io[k].location >= p->first_rat)
            p->first_rat = p->io[k].location + 1u;
    unsigned face = 0;
    for (uint32_t k = 0; k < p->n_io; k++) {
        r600_io *io = &p->io[k];
        if (io->kind <= R600_IO_VARYING || io->kind >= R600_IO_OUTPUT)
            continue;
        const bool is_face = io->kind == R600_IO_FACE || io->kind == R600_IO_SAMPLE_MASK_IN;
        io->reg = (uint16_t)(is_face && face ? face : at);
        if (is_face && !face)
            face = at;
        at += io->reg == at ? 4 : 0;
    }
}

static void
define_inputs(r600_sel *s)
{
    const r600_program *p = s->program;
    for (uint32_t k = 0; k < p->n_io; k++) {
        const r600_io *io = &p->io[k];
        const bool is_loaded = io->kind != R600_IO_VARYING || s->p->chip->gen <= R600_GEN_R700;
        for (unsigned c = 0; c < 4 && io->kind < R600_IO_OUTPUT && is_loaded; c++)
            if (io->mask >> c & 1)
                s->io[k][c] = r600_sel_input(s, io->reg + c);
    }
}

void
r600_select_stage_start(r600_sel *s)
{
    const bool is_vertex = s->hir->shader.stage == IR_STAGE_VERTEX;
    s->program->n_io = s->program->n_parameters = s->program->first_rat = 0;
    memset(s->program->captured_stride, 0, sizeof s->program->captured_stride);
    IR_FOREACH_INSTR_OF(i, s->hir) {
        s->loc = i->loc;
        if (i->op == IR_store_output)
            scan_output(s, i);
        else if (!is_vertex)
            r600_scan_fragment(s, i);
    }
    if (is_vertex)
        scan_primitive(s);
    s->io = arena_array(s->p->arena, s->program->n_io + 1, sizeof *s->io);
    for (uint32_t k = 0; k < s->program->n_io; k++)
        for (unsigned c = 0; c < 4; c++)
            s->io[k][c] = (tree_operand){0};
    if (is_vertex) {
        number_outputs(s);
        s->vertex_id = r600_sel_input(s, 0);
        s->instance_id = r600_sel_input(s, 3);
        tree_operand *primitive = r600_sel_row(s, primitive_key);
        if (primitive)
            primitive[0] = r600_sel_input(s, 2);
    } else {
        number_inputs(s);
        define_inputs(s);
        r600_sel_find_slopes(s);
        if (s->needs_pixel)
            r600_sel_find_pixel(s);
    }
}

/* ---- exports ---- */

void
r600_sel_export(r600_sel *s, const r600_exported *list, unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        const bool is_last = k + 1 == n;
        tree_vector *v = r600_sel_vector(s, TREE_FLOW, is_last ? R600_EXPORT_DONE : R600_EXPORT);
        v->inst.f[R600_F_type] = list[k].type;
        v->inst.f[R600_F_array_base] = list[k].base;
        v->inst.f[R600_F_elem_size] = 3;
        for (unsigned c = 0; c < 4; c++) {
            v->src[c] = list[k].c[c];
            v->inst.f[R600_F_sel_x + c] = v->src[c].kind ? 0 : MASKED;
        }
    }
}

/* Component `c` of an output; kind TREE_NONE if it is not stored. */
static tree_operand
output(r600_sel *s, unsigned slot, unsigned location, unsigned c)
{
    const r600_io_key key = {
        .kind = R600_IO_OUTPUT, .slot = (uint8_t)slot, .location = (uint8_t)location};
    const tree_operand *row = r600_sel_row(s, key);
    return row ? row[c] : (tree_operand){0};
}

/* A position that is not written is that of the origin. */
static void
add_position(r600_sel *s, r600_exported *e)
{
    for (unsigned c = 0; c < 4; c++) {
        e->c[c] = output(s, IR_SLOT_position, 0, c);
        if (!e->c[c].kind)
            e->c[c] = r600_tree_const(c == 3 ? 0x3f800000 : 0);
    }
}

/* Distances are one array: to clip, then to cull. Returns their number. */
static unsigned
collect_distances(r600_sel *s, tree_operand out[MOST_DISTANCES])
{
    static const uint8_t slots[] = {IR_SLOT_clip_distance, IR_SLOT_cull_distance};
    unsigned n = 0;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned first = n;
        for (unsigned k = 0; k < MOST_DISTANCES && first + k < MOST_DISTANCES; k++) {
            out[first + k] = output(s, slots[i], k / 4, k % 4);
            n = out[first + k].kind ? first + k + 1 : n;
        }
        for (unsigned k = first; k < n; k++)
            out[k] = out[k].kind ? out[k] : r600_tree_const(0);
    }
    return n;
}

static void
export_positions(r600_sel *s)
{
    r600_exported list[4] = {{.type = R600_EXPORT_POSITION, .base = FIRST_POSITION}};
    tree_operand distances[MOST_DISTANCES];
    unsigned n = 1;
    add_position(s, &list[0]);
    const r600_exported misc = {.c = {output(s, IR_SLOT_point_size, 0, 0),
                                      {0},
                                      output(s, IR_SLOT_layer, 0, 0),
                                      output(s, IR_SLOT_viewport_index, 0, 0)}};
    if (misc.c[0].kind || misc.c[2].kind || misc.c[3].kind)
        list[n++] = misc;
    const unsigned n_distances = collect_distances(s, distances);
    for (unsigned k = 0; k < n_distances; k++)
        list[n + k / 4].c[k % 4] = distances[k];
    n += (n_distances + 3) / 4;
    for (unsigned k = 0; k < n; k++)
        list[k].type = R600_EXPORT_POSITION, list[k].base = FIRST_POSITION + k;
    r600_sel_export(s, list, n);
}

/* The hardware wants one parameter at least. */
static void
export_parameters(r600_sel *s)
{
    r600_exported list[MOST_EXPORTS] = {{.type = R600_EXPORT_PARAMETER}};
    for (uint32_t k = 0; k < s->program->n_io; k++) {
        const r600_io *io = &s->program->io[k];
        if (io->number == R600_IO_NO_PARAMETER)
            continue;
        list[io->number].type = R600_EXPORT_PARAMETER;
        list[io->number].base = io->number;
        for (unsigned c = 0; c < 4; c++)
            list[io->number].c[c] = s->io[k][c];
    }
    r600_sel_export(s, list, s->program->n_parameters ? s->program->n_parameters : 1);
}

void
r600_select_stage_end(r600_sel *s)
{
    if (s->hir->shader.stage == IR_STAGE_FRAGMENT) {
        r600_sel_export_pixels(s);
        return;
    }
    export_positions(s);
    export_parameters(s);
}

bool
r600_select_stage(r600_sel *s, const ir_instr *i)
{
    switch (s->hir->shader.stage) {
    case IR_STAGE_VERTEX: break;
    case IR_STAGE_FRAGMENT: break;
    default: return false;
    }
    if (i->op == IR_store_output) {
        note_output(s, i);
        return true;
    }
    if (s->hir->shader.stage == IR_STAGE_VERTEX)
        return r600_select_capture(s, i) || r600_select_vertex(s, i);
    return r600_select_fragment(s, i);
}
