/* The interpreter's image operations on decoded descriptors. */
#include "machine/image.h"

/* Stores a result in the operation. */
static bool
give(ir_eval_image_op *op, mach_texel t)
{
    for (unsigned c = 0; c < 4; c++)
        op->result[c] = t.c[c];
    return true;
}

static void
coords(const ir_eval_image_op *op, int32_t out[4])
{
    for (unsigned c = 0; c < 4; c++)
        out[c] = (int32_t)(c < op->n_coord ? op->coord[c] : 0);
}

static bool
storage_op(const mach_image *m, ir_eval_image_op *op)
{
    int32_t at[4];
    mach_texel t = {{op->data[0], op->data[1], op->data[2], op->data[3]}};
    coords(op, at);
    switch (op->op) {
    case IR_image_load: return give(op, mach_image_load(m, at, 0, op->sample));
    case IR_image_store: mach_image_store(m, at, 0, op->sample, &t); return true;
    default:
        t = (mach_texel){{0}};
        t.c[0] = mach_image_atomic(m, op->atomic, at, op->sample, op->compare, op->data[0]);
        return give(op, t);
    }
}

static bool
query_op(const mach_image *m, ir_eval_image_op *op)
{
    uint32_t size[3] = {0};
    mach_texel t = {{0}};
    switch (op->op) {
    case IR_image_samples: t.c[0] = m->samples; break;
    case IR_image_levels: t.c[0] = m->view_levels; break;
    default:
        mach_image_query_size(m, op->has & IR_EVAL_HAS_LOD ? (int32_t)op->lod : 0, size);
        for (unsigned c = 0; c < 3; c++)
            t.c[c] = size[c];
    }
    return give(op, t);
}

static bool
fetch_op(const mach_image *m, ir_eval_image_op *op)
{
    int32_t at[4];
    coords(op, at);
    for (unsigned c = 0; c < 3 && (op->has & IR_EVAL_HAS_OFFSET); c++)
        at[c] = (int32_t)((uint32_t)at[c] + op->offset[c]);
    int32_t level = op->has & IR_EVAL_HAS_LOD ? (int32_t)op->lod : 0;
    return give(op, mach_image_fetch(m, at, level, op->sample));
}

/* The number of meaningful offsets (the layer has none). */
static unsigned
offset_count(ir_dim dim)
{
    return dim == IR_DIM_1D ? 1 : dim == IR_DIM_3D ? 3 : 2;
}

static mach_sample
sample_of(const ir_eval_image_op *op)
{
    mach_sample p = {.component = op->component, .gather = op->tex_op == IR_TEX_tg4};
    for (unsigned c = 0; c < op->n_coord && c < 4; c++)
        p.coord[c] = base_bits_f32(op->coord[c]);
    for (unsigned c = 0; c < offset_count(op->dim) && (op->has & IR_EVAL_HAS_OFFSET); c++)
        p.offset[c] = (int32_t)op->offset[c];
    for (unsigned c = 0; c < 3; c++) {
        p.ddx[c] = base_bits_f32(op->ddx[c]);
        p.ddy[c] = base_bits_f32(op->ddy[c]);
    }
    if (op->tex_op == IR_TEX_txl || op->tex_op == IR_TEX_txb) {
        p.lod_mode = op->tex_op == IR_TEX_txl ? MACH_LOD_EXPLICIT : MACH_LOD_BIAS;
        p.lod = base_bits_f32(op->lod);
    }
    if (op->has & IR_EVAL_HAS_GRADIENTS)
        p.lod_mode = MACH_LOD_GRADIENT;
    if (op->has & IR_EVAL_HAS_MIN_LOD)
        p.min_lod = base_bits_f32(op->min_lod);
    p.has_dref = (op->has & IR_EVAL_HAS_DREF) != 0;
    p.dref = base_bits_f32(op->dref);
    return p;
}

bool
mach_image_op(const mach_image *image, const mach_sampler *sampler, ir_eval_image_op *op)
{
    if ((op->dim == IR_DIM_buf) != (image->dim == MACH_DIM_BUFFER))
        return false;
    if (op->op != IR_tex)
        return op->op <= IR_image_atomic_swap ? storage_op(image, op) : query_op(image, op);
    if (op->tex_op == IR_TEX_txf || op->tex_op == IR_TEX_txf_ms)
        return fetch_op(image, op);
    if (!sampler || image->dim == MACH_DIM_BUFFER)
        return false;
    mach_sample p = sample_of(op);
    if (op->tex_op == IR_TEX_lod)
        return give(op, mach_image_query_lod(image, sampler, &p));
    return give(op, mach_image_sample(image, sampler, &p));
}
