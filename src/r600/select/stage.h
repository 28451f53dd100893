/* Stages of graphics in selection: their inputs and outputs as rows of the program, and exports
 * (select_stage.c); what vertex and fragment shaders have (select_vertex.c, select_fragment.c). */
#ifndef R600_SELECT_STAGE_H
#define R600_SELECT_STAGE_H

#include "r600/select/select.h"

/* Finds the rows, numbers them, and defines inputs. */
void
r600_select_stage_start(r600_sel *s);

/* Ends the program with its exports. */
void
r600_select_stage_end(r600_sel *s);

/* Instructions that only stages of graphics have; returns false for others. */
bool
r600_select_stage(r600_sel *s, const ir_instr *i);

/* ---- inside ---- */

/* What a row is found by. */
typedef struct r600_io_key {
    uint8_t kind, slot, location, interp, at;
} r600_io_key;

/* The row; made if there is none. */
r600_io *
r600_sel_make_row(r600_sel *s, r600_io_key key);

/* The components of a row; NULL if there is none. */
tree_operand *
r600_sel_row(r600_sel *s, r600_io_key key);

static inline tree_operand
r600_sel_row_part(r600_sel *s, r600_io_kind kind, unsigned c)
{
    return r600_sel_row(s, (r600_io_key){.kind = (uint8_t)kind})[c];
}

/* Adds the rows that an instruction of a fragment shader reads. */
void
r600_scan_fragment(r600_sel *s, const ir_instr *i);

/* Streams out what transform feedback captures; returns false for other instructions. */
bool
r600_select_capture(r600_sel *s, const ir_instr *i);

/* Appends the exports of a fragment. */
void
r600_sel_export_pixels(r600_sel *s);

/* A coordinate of the fragment's pixel, and its layer, as integers: where an input attachment is
 * read. */
tree_operand
r600_sel_fragment_place(r600_sel *s, unsigned c);
tree_operand
r600_sel_fragment_layer(r600_sel *s);

/* The row of weights that an instruction reads. Fails for what only Evergreen has. */
r600_io_kind
r600_sel_weights_row(const r600_sel *s, const ir_instr *i);
void
r600_sel_need_evergreen(r600_sel *s, const char *what);

/* The sample that is shaded, the samples that are covered, and a sample's place in its pixel
 * (select_quad.c). */
tree_operand
r600_sel_sample_id(r600_sel *s);
tree_operand
r600_sel_sample_mask(r600_sel *s);
void
r600_sel_sample_place(r600_sel *s, tree_operand sample, tree_operand out[2]);

/* Before Evergreen: fetches what says that the lane is no helper. */
void
r600_sel_find_pixel(r600_sel *s);

/* What GET_GRADIENTS_H or _V gives of a number. */
tree_operand
r600_sel_gradient(r600_sel *s, unsigned op, tree_operand x);

/* Derivatives, and weights at an offset or a sample. */
void
r600_select_derivative(r600_sel *s, const ir_instr *i);
void
r600_select_weights_at(r600_sel *s, const ir_instr *i);

/* Before Evergreen: finds the slopes of inputs that are read at places chosen at run time, and
 * reads component `c` of the program's row `k` where weights say. */
void
r600_sel_find_slopes(r600_sel *s);
tree_operand
r600_sel_input_at(r600_sel *s, const ir_instr *weights, uint32_t k, unsigned c);

/* An export of these components; those of kind TREE_NONE are masked. */
typedef struct r600_exported {
    unsigned type, base;
    tree_operand c[4];
} r600_exported;

enum { R600_EXPORT_PIXEL, R600_EXPORT_POSITION, R600_EXPORT_PARAMETER };

/* Appends exports of one type, the last one as EXPORT_DONE. */
void
r600_sel_export(r600_sel *s, const r600_exported *list, unsigned n);

/* Is there a fragment for each sample? */
static inline bool
r600_shades_samples(const r600_sel *s)
{
    return s->hir->shader.fragment.sample_shading || s->program->pipeline->sample_shading;
}

/* A number of 16 bits as 32. `type` is what its bits are, IR_BASE_*. */
tree_operand
r600_sel_widen(r600_sel *s, unsigned bits, unsigned type, tree_operand x);

#endif
