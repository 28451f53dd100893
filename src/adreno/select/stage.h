/* Stages of graphics in selection: their inputs and outputs as rows of the program
 * (select_stage.c), and what fragment shaders have (select_fragment.c). */
#ifndef ADRENO_SELECT_STAGE_H
#define ADRENO_SELECT_STAGE_H

#include "adreno/select/select.h"

/* Finds the rows, numbers them, and defines inputs at the start of the current block. */
void
adreno_select_stage_start(adreno_sel *s);

/* Ends the program with its outputs. */
void
adreno_select_stage_end(adreno_sel *s);

/* Instructions that only this stage has; return false for others. */
bool
adreno_select_vertex(adreno_sel *s, const ir_instr *i);
bool
adreno_select_fragment(adreno_sel *s, const ir_instr *i);

/* Chooses the registers of a vertex shader's inputs, when its outputs are known. */
void
adreno_place_attributes(adreno_sel *s);

/* Notes what store_output stores. */
void
adreno_select_store(adreno_sel *s, const ir_instr *i);

/* The number of the row; n_io if there is none. */
uint32_t
adreno_io_row(const adreno_sel *s, adreno_io_kind kind, unsigned slot, unsigned location);

/* Component `c` of the only row of a kind, which is in registers. */
static inline ir_ref
adreno_io_input(const adreno_sel *s, adreno_io_kind kind, unsigned c)
{
    return s->io[adreno_io_row(s, kind, 0, 0)][c];
}

/* The row of the weights of a load_barycentric; of the pixel's centre for weights elsewhere. */
adreno_io_kind
adreno_weights_row(const adreno_sel *s, const ir_instr *i);

/* Of a fragment: the pixel's x or y in the window; the layer. */
ir_ref
adreno_fragment_place(adreno_sel *s, unsigned c);
ir_ref
adreno_fragment_layer(adreno_sel *s);

/* The row of a varying that is the provoking vertex'. */
static inline adreno_io_kind
adreno_flat_kind(const adreno_sel *s)
{
    return s->p->target->flat_op == ADRENO_BARY_F ? ADRENO_IO_FLAT_VARYING : ADRENO_IO_VARYING;
}

/* A slot that no vertex shader of the target gives: it is 0. */
static inline bool
adreno_is_no_slot(const adreno_sel *s, unsigned slot)
{
    return !s->p->target->vertex_slots && (slot == IR_SLOT_layer || slot == IR_SLOT_viewport_index);
}

/* Is there a fragment for each sample? */
static inline bool
adreno_shades_samples(const adreno_sel *s)
{
    return s->hir->shader.fragment.sample_shading || s->p->pipeline->sample_shading;
}

#endif
