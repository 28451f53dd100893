/* Image operations: gathers a lane's operands into an ir_eval_image_op for the environment. */
#include "base/fp.h"
#include "ir/eval_internal.h"

/* A 32-bit pattern of component `c`; 16-bit floats and integers are widened. */
static uint32_t
wide(const ev_wave *w, const ev_operand *o, unsigned c, unsigned lane, bool is_float)
{
    uint64_t v = ev_operand_get(w, o, c, lane);
    if (o->bits >= 32)
        return (uint32_t)v;
    if (is_float)
        return base_f32_bits(base_f16_to_f32((uint16_t)v));
    return (uint32_t)base_sext64(v, o->bits);
}

/* Copies up to `max` components. Returns how many the operand has. */
static unsigned
gather(const ev_wave *w, const ev_operand *o, unsigned lane, bool is_float, uint32_t *out,
       unsigned max)
{
    unsigned n = o->n < max ? o->n : max;
    for (unsigned c = 0; c < n; c++)
        out[c] = wide(w, o, c, lane, is_float);
    return n;
}

/* Passes the operation to the environment and stores its result. All of its images have memory. */
static bool
perform(ev_wave *w, const ev_instr *i, unsigned lane, ir_eval_image_op *op)
{
    const ir_eval_env *env = w->g->env;
    bool sparse = (op->access & IR_ACCESS_RESIDENCY) != 0;
    op->n_result = i->def.n - sparse;
    op->result_bits = i->def.bits == 64 ? 64 : 32;
    if (!env->image || !env->image(env->user, op)) {
        ev_fail(w, IR_EVAL_UNSUPPORTED, lane, "the device refuses @%s",
                ir_op_of(w->g->e->f, i->ir)->name);
        return false;
    }
    bool half = i->def.bits == 16 && op->type == IR_BASE_float;
    for (unsigned c = 0; c < i->def.n; c++) {
        uint64_t v = c < op->n_result ? op->result[c] : 0;
        if (half)
            v = base_f64_to_f16(base_bits_f32((uint32_t)v), BASE_ROUND_EVEN);
        ev_def_set(w, i, c, lane, v & base_mask64(i->def.bits));
    }
    return true;
}

static ir_eval_image_op
start(const ev_wave *w, const ev_instr *i, unsigned lane)
{
    return (ir_eval_image_op){
        .op = (ir_op)i->op,
        .dim = (ir_dim)ir_attr_get(i->ir, IR_A_IMAGE_DIM),
        .array = ir_attr_get(i->ir, IR_A_IMAGE_ARRAY) != 0,
        .access = ir_attr_get(i->ir, IR_A_ACCESS),
        .image = (uint32_t)ev_operand_get(w, &i->more[0], 0, ev_handle_lane(w, i, lane)),
    };
}

/* Gathers the operation's value as 32-bit patterns according to the format's kind (a 16-bit value
 * is a float unless the format is an integer one). */
static void
gather_data(const ev_wave *w, const ev_operand *o, unsigned lane, ir_eval_image_op *op)
{
    op->n_data = o->n < 4 ? o->n : 4;
    for (unsigned c = 0; c < op->n_data; c++)
        op->data[c] = o->bits == 64 ? ev_operand_get(w, o, c, lane)
                                    : wide(w, o, c, lane, op->type == IR_BASE_float);
}

static ir_base_type
format_type(ir_format f)
{
    switch (f) {
    case IR_FORMAT_r32g32b32a32_sint:
    case IR_FORMAT_r16g16b16a16_sint:
    case IR_FORMAT_r8g8b8a8_sint:
    case IR_FORMAT_r32_sint:
    case IR_FORMAT_r32g32_sint:
    case IR_FORMAT_r16g16_sint:
    case IR_FORMAT_r8g8_sint:
    case IR_FORMAT_r16_sint:
    case IR_FORMAT_r8_sint:
    case IR_FORMAT_r64_sint: return IR_BASE_int;
    case IR_FORMAT_r32g32b32a32_uint:
    case IR_FORMAT_r16g16b16a16_uint:
    case IR_FORMAT_r8g8b8a8_uint:
    case IR_FORMAT_r32_uint:
    case IR_FORMAT_r10g10b10a2_uint:
    case IR_FORMAT_r32g32_uint:
    case IR_FORMAT_r16g16_uint:
    case IR_FORMAT_r8g8_uint:
    case IR_FORMAT_r16_uint:
    case IR_FORMAT_r8_uint:
    case IR_FORMAT_r64_uint: return IR_BASE_uint;
    default: return IR_BASE_float;
    }
}

/* image_load, image_store, image_atomic, image_atomic_swap: (handle, coord, sample, ...). */
static ev_step
exec_storage(ev_wave *w, const ev_instr *i)
{
    bool atomic = i->op == IR_image_atomic || i->op == IR_image_atomic_swap;
    if (atomic)
        ev_races_order(w);
    EV_FOREACH_LANE_IN_TURN(l, w) {
        ir_eval_image_op op = start(w, i, l);
        op.format = (ir_format)ir_attr_get(i->ir, IR_A_FORMAT);
        op.type = format_type(op.format);
        op.n_coord = gather(w, &i->more[1], l, false, op.coord, 4);
        if (i->more[2].n)
            op.has |= IR_EVAL_HAS_SAMPLE;
        gather(w, &i->more[2], l, false, &op.sample, 1);
        if (atomic)
            op.atomic = (ir_atomic_op)ir_attr_get(i->ir, IR_A_ATOMIC_OP);
        if (i->op == IR_image_atomic_swap)
            op.compare = ev_operand_get(w, &i->more[3], 0, l);
        if (i->op != IR_image_load)
            gather_data(w, &i->more[i->op == IR_image_atomic_swap ? 4 : 3], l, &op);
        if (!perform(w, i, l, &op))
            return EV_FAIL;
    }
    return EV_NEXT;
}

static ev_step
exec_query(ev_wave *w, const ev_instr *i)
{
    EV_FOREACH_LANE(l, w) {
        ir_eval_image_op op = start(w, i, l);
        op.type = IR_BASE_uint;
        if (i->op == IR_image_size && i->more[1].n) {
            op.has = IR_EVAL_HAS_LOD;
            gather(w, &i->more[1], l, false, &op.lod, 1);
        }
        if (!perform(w, i, l, &op))
            return EV_FAIL;
    }
    return EV_NEXT;
}

/* Records that an operand of tex is present. */
static const ev_operand *
present(const ev_instr *i, unsigned ref, unsigned bit, ir_eval_image_op *op)
{
    if (i->more[ref].n)
        op->has |= bit;
    return &i->more[ref];
}

/* Sampling with an implicit level of detail takes the differences of the coordinate in the quad. */
static void
take_gradients(const ev_wave *w, const ev_instr *i, unsigned lane, ir_eval_image_op *op)
{
    bool implicit = op->tex_op == IR_TEX_tex || op->tex_op == IR_TEX_txb ||
                    op->tex_op == IR_TEX_lod;
    const ev_operand *coord = &i->more[IR_TEX_COORD];
    uint32_t at[3][3], undefined = w->g->env->undefined * 0x01010101u;
    if (!implicit || w->g->e->f->shader.stage != IR_STAGE_FRAGMENT)
        return;
    for (unsigned k = 0; k < 3; k++)
        gather(w, coord, (lane & ~3u) + k, true, at[k], 3);
    for (unsigned c = 0; c < coord->n && c < 3; c++) {
        float from = base_bits_f32(at[0][c]);
        op->ddx[c] = base_f32_bits(base_bits_f32(at[1][c]) - from);
        op->ddy[c] = base_f32_bits(base_bits_f32(at[2][c]) - from);
        if (undefined && UINT64_C(7) << (lane & ~3u) & ~w->mask)
            op->ddx[c] = op->ddy[c] = undefined;
    }
    op->has |= IR_EVAL_HAS_GRADIENTS;
}

static ev_step
exec_tex(ev_wave *w, const ev_instr *i)
{
    EV_FOREACH_LANE(l, w) {
        ir_eval_image_op op = start(w, i, l);
        op.tex_op = (ir_tex_op)ir_attr_get(i->ir, IR_A_TEX_OP);
        op.type = (ir_base_type)ir_attr_get(i->ir, IR_A_TEX_TYPE);
        op.component = ir_attr_get(i->ir, IR_A_COMPONENT);
        bool f = op.tex_op != IR_TEX_txf && op.tex_op != IR_TEX_txf_ms;
        op.n_coord = gather(w, &i->more[IR_TEX_COORD], l, f, op.coord, 4);
        gather(w, present(i, IR_TEX_SAMPLER, IR_EVAL_HAS_SAMPLER, &op), l, false, &op.sampler, 1);
        gather(w, present(i, IR_TEX_LOD, IR_EVAL_HAS_LOD, &op), l, f, &op.lod, 1);
        gather(w, present(i, IR_TEX_DREF, IR_EVAL_HAS_DREF, &op), l, true, &op.dref, 1);
        gather(w, present(i, IR_TEX_OFFSET, IR_EVAL_HAS_OFFSET, &op), l, false, op.offset, 3);
        gather(w, present(i, IR_TEX_DDX, IR_EVAL_HAS_GRADIENTS, &op), l, true, op.ddx, 3);
        gather(w, &i->more[IR_TEX_DDY], l, true, op.ddy, 3);
        gather(w, present(i, IR_TEX_MIN_LOD, IR_EVAL_HAS_MIN_LOD, &op), l, true, &op.min_lod, 1);
        gather(w, present(i, IR_TEX_SAMPLE, IR_EVAL_HAS_SAMPLE, &op), l, false, &op.sample, 1);
        take_gradients(w, i, l, &op);
        if (!perform(w, i, l, &op))
            return EV_FAIL;
    }
    return EV_NEXT;
}

ev_exec *
ev_find_image(unsigned op)
{
    switch (op) {
    case IR_image_load:
    case IR_image_store:
    case IR_image_atomic:
    case IR_image_atomic_swap: return exec_storage;
    case IR_image_size:
    case IR_image_samples:
    case IR_image_levels: return exec_query;
    case IR_tex: return exec_tex;
    default: return NULL;
    }
}
