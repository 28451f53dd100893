/* Vertex and fragment shaders: what the environment gives and takes for an invocation, differences
 * between the pixels of a quad, and invocations that end or become helpers. */
#include "base/fp.h"
#include "ir/eval_internal.h"

/* ---- inputs and outputs ---- */

static uint32_t
attribute(const ir_instr *i, ir_attr a)
{
    return ir_attr_has(i, a) ? ir_attr_get(i, a) : 0;
}

static ir_eval_io
describe(const ir_instr *i)
{
    return (ir_eval_io){
        .op = (ir_op)i->op,
        .slot = (ir_slot)attribute(i, IR_A_SLOT),
        .location = attribute(i, IR_A_LOCATION),
        .component = attribute(i, IR_A_COMPONENT),
        .blend_source = attribute(i, IR_A_BLEND_SOURCE),
        .buffer = attribute(i, IR_A_BINDING),
        .offset = attribute(i, IR_A_BASE),
        .stride = attribute(i, IR_A_RANGE),
        .type = (ir_base_type)attribute(i, IR_A_TEX_TYPE),
        .interp = (ir_interp)attribute(i, IR_A_INTERP),
        .at = (ir_interp_at)attribute(i, IR_A_INTERP_AT),
    };
}

static bool
ask(ev_wave *w, const ev_instr *i, unsigned lane, ir_eval_io *io)
{
    const ir_eval_env *env = w->g->env;
    io->invocation = w->id * w->g->e->width + lane;
    if (env->io && env->io(env->user, io))
        return true;
    ev_fail(w, IR_EVAL_UNSUPPORTED, lane, "the device refuses @%s",
            ir_op_of(w->g->e->f, i->ir)->name);
    return false;
}

static ev_step
exec_input(ev_wave *w, const ev_instr *i)
{
    ir_eval_io io = describe(i->ir);
    io.n = i->def.n;
    io.bits = i->def.bits;
    EV_FOREACH_LANE(l, w) {
        for (unsigned c = 0; i->ir->n_refs && c < i->more[0].n && c < 2; c++)
            io.place[c] = (uint32_t)ev_operand_get(w, &i->more[0], c, l);
        if (!ask(w, i, l, &io))
            return EV_FAIL;
        for (unsigned c = 0; c < i->def.n; c++)
            ev_def_set(w, i, c, l, io.value[c] & base_mask64(i->def.bits));
    }
    return EV_NEXT;
}

static ev_step
exec_output(ev_wave *w, const ev_instr *i)
{
    ir_eval_io io = describe(i->ir);
    io.n = i->more[0].n;
    io.bits = i->more[0].bits;
    EV_FOREACH_LANE_IN_TURN(l, w) {
        for (unsigned c = 0; c < io.n; c++)
            io.value[c] = ev_operand_get(w, &i->more[0], c, l);
        if (!ask(w, i, l, &io))
            return EV_FAIL;
    }
    return EV_NEXT;
}

/* ---- quads ---- */

static uint64_t
difference(uint64_t from, uint64_t to, unsigned bits)
{
    if (bits == 32)
        return base_f32_bits(base_bits_f32((uint32_t)to) - base_bits_f32((uint32_t)from));
    double d = (double)base_f16_to_f32((uint16_t)to) - (double)base_f16_to_f32((uint16_t)from);
    return base_f64_to_f16(d, BASE_ROUND_EVEN);
}

/* Where one of the two pixels does not take part the derivative is undefined. */
static ev_step
exec_derivative(ev_wave *w, const ev_instr *i)
{
    uint64_t undefined = w->g->env->undefined * UINT64_C(0x0101010101010101);
    bool fine = i->op == IR_ddx_fine || i->op == IR_ddy_fine;
    unsigned step = i->op == IR_ddx_fine || i->op == IR_ddx_coarse ? 1 : 2;
    const ev_operand *x = &i->more[0];
    EV_FOREACH_LANE(l, w) {
        unsigned from = fine ? l & ~step : l & ~3u;
        uint64_t a = ev_operand_get(w, x, 0, from), b = ev_operand_get(w, x, 0, from + step);
        uint64_t both = UINT64_C(1) << from | UINT64_C(1) << (from + step);
        uint64_t d = undefined && both & ~w->mask ? undefined & base_mask64(x->bits)
                                                  : difference(a, b, x->bits);
        ev_def_set(w, i, 0, l, d);
    }
    return EV_NEXT;
}

/* ---- ends and helpers ---- */

static ev_step
exec_is_helper(ev_wave *w, const ev_instr *i)
{
    EV_FOREACH_LANE(l, w)
        ev_def_set(w, i, 0, l, w->helpers >> l & 1);
    return EV_NEXT;
}

/* Ends the lanes of `ended`, and quads of helpers alone, which have nothing left to do. */
static ev_step
end_quads(ev_wave *w, uint64_t ended)
{
    for (unsigned l = 0; l < w->lanes; l += 4) {
        uint64_t quad = w->live & UINT64_C(15) << l;
        ended |= quad & ~w->helpers ? 0 : quad;
    }
    return ev_end_lanes(w, ended);
}

static ev_step
exec_terminate(ev_wave *w, const ev_instr *i)
{
    (void)i;
    w->helpers |= w->mask;
    return end_quads(w, w->mask);
}

static ev_step
exec_demote(ev_wave *w, const ev_instr *i)
{
    (void)i;
    w->helpers |= w->mask;
    return end_quads(w, 0);
}

/* Invocations run one after the other, in the order of the primitives. */
static ev_step
exec_interlock(ev_wave *w, const ev_instr *i)
{
    (void)w, (void)i;
    return EV_NEXT;
}

ev_step
ev_exec_effect(ev_wave *w, const ev_instr *i)
{
    uint64_t mask = w->mask;
    w->mask = mask & ~w->helpers;
    ev_step s = w->mask ? i->inner(w, i) : EV_NEXT;
    w->mask = mask;
    return s;
}

ev_exec *
ev_find_stage(unsigned op)
{
    switch (op) {
    case IR_load_vertex_index:
    case IR_load_instance_index:
    case IR_load_base_vertex:
    case IR_load_base_instance:
    case IR_load_draw_index:
    case IR_load_view_index:
    case IR_load_frag_coord:
    case IR_load_front_face:
    case IR_load_point_coord:
    case IR_load_sample_id:
    case IR_load_sample_pos:
    case IR_load_sample_mask_in:
    case IR_load_fully_covered:
    case IR_load_shading_rate:
    case IR_load_frag_size:
    case IR_load_frag_invocations:
    case IR_load_barycentric:
    case IR_load_barycentric_at_sample:
    case IR_load_barycentric_at_offset:
    case IR_load_input:
    case IR_load_interpolated_input:
    case IR_load_vertex_input: return exec_input;
    case IR_store_output:
    case IR_store_xfb: return exec_output;
    case IR_ddx_fine:
    case IR_ddy_fine:
    case IR_ddx_coarse:
    case IR_ddy_coarse: return exec_derivative;
    case IR_is_helper_invocation: return exec_is_helper;
    case IR_demote: return exec_demote;
    case IR_terminate: return exec_terminate;
    case IR_begin_interlock:
    case IR_end_interlock: return exec_interlock;
    default: return NULL;
    }
}
