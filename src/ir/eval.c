/* Execution: control flow, the workgroup's waves, shader inputs. */
#include "ir/eval.h"

#include "base/fp.h"
#include "ir/eval_internal.h"

#include <stdarg.h>
#include <stdio.h>

ev_step
ev_fail(ev_wave *w, ir_eval_status status, unsigned lane, const char *format, ...)
{
    ir_eval_result *r = w->g->result;
    if (r->status != IR_EVAL_OK)
        return EV_FAIL;
    r->status = status;
    int n = snprintf(r->message, sizeof r->message, "block b%u, workgroup (%u,%u,%u), ", w->block,
                     w->g->id[0], w->g->id[1], w->g->id[2]);
    n += snprintf(r->message + n, sizeof r->message - (size_t)n,
                  "subgroup %u, lane %u: ", ev_subgroup_of(w, lane), ev_lane_in_subgroup(w, lane));
    va_list args;
    va_start(args, format);
    vsnprintf(r->message + n, sizeof r->message - (size_t)n, format, args);
    va_end(args);
    return EV_FAIL;
}

/* ---- lanes ---- */

static void
copy_lanes(ev_wave *w, const ev_move *m, uint64_t mask)
{
    uint32_t *dst = w->regs + m->dst;
    const uint32_t *src = w->regs + m->src;
    if (mask == w->live && m->dst != m->src) {
        memcpy(dst, src, w->lanes * (m->wide ? 8 : 4));
        return;
    }
    for (; mask; mask &= mask - 1) {
        unsigned l = base_ctz64(mask);
        if (m->wide)
            memcpy(dst + 2 * l, src + 2 * l, 8);
        else
            dst[l] = src[l];
    }
}

/* Runs on all lanes, whether or not they execute the block. The operands of a lane that does not
 * execute it are either those of the last time it did (loads, phis and the like respect the mask),
 * and the result is the same as then, or they are newer ones from a block it executed since. In the
 * second case SSA form guarantees that the lane executes this instruction again before it uses the
 * result. */
ev_step
ev_exec_alu(ev_wave *w, const ev_instr *i)
{
    uint32_t *r = w->regs;
    i->kernel(i, r + i->d, r + i->s[0], r + i->s[1], r + i->s[2], w->lanes);
    return EV_NEXT;
}

/* Division. If requested, a zero divisor gives a different result. */
ev_step
ev_exec_divide(ev_wave *w, const ev_instr *i)
{
    uint64_t pattern = w->g->env->undefined * UINT64_C(0x0101010101010101);
    ev_exec_alu(w, i);
    for (unsigned l = 0; pattern && l < w->lanes; l++)
        if (!ev_get(w, i->s[1], i->bits, l))
            ev_set(w, i->d, i->dbits, l, pattern & base_mask64(i->dbits));
    return EV_NEXT;
}

/* A 32-bit division by a number outside 2^-126 to 2^126, and sines outside -pi to pi, have no
 * guaranteed precision (Vulkan, "Precision of Individual Operations"). Sines of numbers up to 2^16
 * are taken for good all the same. */
static bool
has_extreme_operand(const ev_wave *w, const ev_instr *i, unsigned lane)
{
    uint32_t magnitude;
    if (i->dbits != 32 || (i->op != IR_fdiv && i->op != IR_fsin && i->op != IR_fcos))
        return false;
    magnitude = w->regs[i->s[i->op == IR_fdiv] + lane] & 0x7fffffff;
    return i->op == IR_fdiv ? magnitude < 0x00800000 || magnitude > 0x7e800000
                            : magnitude > 0x47800000;
}

/* Operations whose results may be slightly off. If requested, `rough` is added to the result. Zeros
 * are kept. Precision is only promised for finite results, so infinity becomes a NaN and a NaN
 * becomes 0. */
ev_step
ev_exec_rough(ev_wave *w, const ev_instr *i)
{
    ev_exec_alu(w, i);
    for (unsigned l = 0; w->g->env->rough && l < w->lanes; l++) {
        uint64_t v = ev_get(w, i->d, i->dbits, l);
        uint64_t magnitude = v & base_mask64(i->dbits - 1u);
        if (magnitude > base_fp_infinity(i->dbits) || has_extreme_operand(w, i, l))
            v = 0;
        else if (magnitude == base_fp_infinity(i->dbits))
            v++; /* becomes a NaN */
        else if (magnitude)
            v += (uint64_t)(int64_t)w->g->env->rough;
        ev_set(w, i->d, i->dbits, l, v & base_mask64(i->dbits));
    }
    return EV_NEXT;
}

/* ---- control flow ---- */

/* Sends the lanes of `mask` along the edge. They wait at its block together with the lanes already
 * waiting there. */
static void
take_edge(ev_wave *w, const ev_edge *edge, uint64_t mask)
{
    if (!mask)
        return;
    for (uint32_t m = 0; m < edge->n_moves; m++)
        copy_lanes(w, &edge->moves[m], mask);
    unsigned at = w->n_pending;
    while (at && w->pending[at - 1].block < edge->block)
        at--;
    if (at && w->pending[at - 1].block == edge->block) {
        w->pending[at - 1].mask |= mask;
        return;
    }
    memmove(&w->pending[at + 1], &w->pending[at], (w->n_pending - at) * sizeof *w->pending);
    w->pending[at].block = edge->block;
    w->pending[at].mask = mask;
    w->n_pending++;
}

/* Enters the first block at which lanes wait. */
static ev_step
enter_next(ev_wave *w)
{
    if (!w->n_pending)
        return EV_DONE;
    w->n_pending--;
    w->block = w->pending[w->n_pending].block;
    w->mask = w->pending[w->n_pending].mask;
    const ev_block *b = &w->g->e->blocks[w->block];
    w->at = b->first;
    w->instructions += b->n_instrs;
    w->g->result->instructions += b->n_instrs;
    w->g->result->lane_ops += (uint64_t)b->n_instrs * base_popcount64(w->mask);
    uint64_t limit = w->g->env->instruction_limit;
    if (w->instructions > (limit ? limit : UINT64_C(1) << 26))
        return ev_fail(w, IR_EVAL_HANG, base_ctz64(w->mask),
                       "still running after %llu instructions",
                       (unsigned long long)w->instructions);
    return EV_JUMP;
}

ev_step
ev_end_lanes(ev_wave *w, uint64_t lanes)
{
    unsigned n = 0;
    w->live &= ~lanes;
    w->mask &= ~lanes;
    for (unsigned k = 0; k < w->n_pending; k++) {
        w->pending[k].mask &= ~lanes;
        if (w->pending[k].mask)
            w->pending[n++] = w->pending[k];
    }
    w->n_pending = n;
    return w->mask ? EV_NEXT : enter_next(w);
}

static ev_step
exec_jump(ev_wave *w, const ev_instr *i)
{
    take_edge(w, &i->edges[0], w->mask);
    return enter_next(w);
}

static ev_step
exec_if(ev_wave *w, const ev_instr *i)
{
    const uint32_t *cond = w->regs + i->s[0];
    uint64_t taken = 0;
    for (unsigned l = 0; l < w->lanes; l++)
        taken |= (uint64_t)(cond[l] & 1) << l;
    take_edge(w, &i->edges[0], w->mask & taken);
    take_edge(w, &i->edges[1], w->mask & ~taken);
    return enter_next(w);
}

static ev_step
exec_return(ev_wave *w, const ev_instr *i)
{
    (void)i;
    return enter_next(w);
}

ev_exec *
ev_find_terminator(unsigned op)
{
    switch (op) {
    case IR_jump:
    case IR_loop: return exec_jump;
    case IR_if: return exec_if;
    case IR_return: return exec_return;
    default: return NULL;
    }
}

static ev_step
run_wave(ev_wave *w)
{
    const ev_instr *i = w->at;
    for (;;) {
        ev_step s = i->exec(w, i);
        if (s == EV_NEXT) {
            i++;
        } else if (s == EV_JUMP) {
            i = w->at;
        } else {
            w->at = i + 1;
            return s;
        }
    }
}

/* ---- workgroups ---- */

static void
start_wave(ev_wave *w, unsigned id)
{
    const ir_eval *e = w->g->e;
    unsigned left = e->invocations - id * e->width;
    w->id = id;
    w->lanes = left < e->width ? left : e->width;
    w->live = base_mask64(w->lanes);
    w->mask = 0;
    w->helpers = 0;
    for (unsigned l = 0; w->g->helper && l < w->lanes; l++)
        w->helpers |= (uint64_t)w->g->helper[id * e->width + l] << l;
    w->instructions = 0;
    ev_races_order(w);
    w->n_pending = 1;
    w->pending[0].block = 0;
    w->pending[0].mask = w->live;
    if (e->f->shader.scratch_size)
        memset(w->scratch, w->g->env->undefined, (size_t)e->f->shader.scratch_size * e->width);
    enter_next(w);
}

static void
note_helpers(const ev_wave *w)
{
    for (unsigned l = 0; w->g->helper && l < w->lanes; l++)
        w->g->helper[w->id * w->g->e->width + l] = w->helpers >> l & 1;
}

/* Runs the waves one after the other, each until its next barrier, until all are done. */
static ev_step
run_group(ev_group *g)
{
    const ir_eval *e = g->e;
    if (e->f->shader.shared_size)
        memset(g->shared, g->env->undefined, e->f->shader.shared_size);
    if (!e->has_barrier) {
        ev_step s = EV_DONE;
        for (unsigned k = 0; k < e->n_waves && s == EV_DONE; k++) {
            start_wave(&g->waves[0], ev_in_turn(g, k, e->n_waves));
            s = run_wave(&g->waves[0]);
            note_helpers(&g->waves[0]);
        }
        return s;
    }
    for (unsigned k = 0; k < e->n_waves; k++)
        start_wave(&g->waves[k], k);
    for (unsigned running = e->n_waves; running;) {
        for (unsigned k = 0; k < e->n_waves; k++) {
            ev_wave *w = &g->waves[ev_in_turn(g, k, e->n_waves)];
            if (!w->live)
                continue;
            ev_step s = run_wave(w);
            if (s == EV_FAIL)
                return s;
            if (s == EV_DONE) {
                note_helpers(w);
                w->live = 0;
                running--;
            }
        }
    }
    return EV_DONE;
}

static ev_group *
new_group(ir_eval *e)
{
    ev_group *g = ARENA_NEW(e->arena, ev_group);
    unsigned waves = e->has_barrier ? e->n_waves : 1;
    g->e = e;
    g->shared = arena_zalloc(e->arena, e->f->shader.shared_size);
    g->waves = ARENA_ARRAY(e->arena, waves, ev_wave);
    for (unsigned k = 0; k < waves; k++) {
        g->waves[k].g = g;
        g->waves[k].regs = arena_copy(e->arena, e->initial, (size_t)e->n_words * 4);
        g->waves[k].scratch = arena_zalloc(e->arena, (size_t)e->f->shader.scratch_size * e->width);
    }
    return g;
}

/* Sets the undefs of all register files to the value that the environment requests. */
static void
set_undefs(ev_group *g)
{
    const ir_eval *e = g->e;
    unsigned waves = e->has_barrier ? e->n_waves : 1;
    for (size_t u = 0; u < e->n_undefs; u++) {
        unsigned bits = e->undefs[u].bits, words = bits == 64 ? 2 : 1;
        uint32_t pattern = g->env->undefined * 0x01010101u;
        if (bits < 32)
            pattern &= (1u << bits) - 1;
        for (unsigned k = 0; k < waves; k++)
            for (unsigned l = 0; l < words * e->width; l++)
                g->waves[k].regs[e->undefs[u].reg + l] = pattern;
    }
}

/* Readies the group for a run; NULL if the function cannot be executed. */
static ev_group *
begin_run(ir_eval *e, const ir_eval_env *env, ir_eval_result *result)
{
    *result = (ir_eval_result){0};
    if (e->refuse) {
        result->status = IR_EVAL_UNSUPPORTED;
        snprintf(result->message, sizeof result->message,
                 "block b%u: no meaning of @%s outside its target", e->refuse->block->index,
                 ir_op_of(e->f, e->refuse)->name);
        return NULL;
    }
    if (!e->group)
        e->group = new_group(e);
    ev_group *g = e->group;
    g->env = env;
    g->result = result;
    memset(g->cached, 0, sizeof g->cached);
    g->races = env->find_races ? ev_races_new(e->arena) : NULL;
    set_undefs(g);
    return g;
}

ir_eval_status
ir_eval_run(ir_eval *e, const ir_eval_env *env, const uint32_t groups[3], ir_eval_result *result)
{
    ev_group *g = begin_run(e, env, result);
    if (!g)
        return result->status;
    memcpy(g->count, groups, sizeof g->count);
    for (uint32_t z = 0; z < groups[2]; z++) {
        for (uint32_t y = 0; y < groups[1]; y++) {
            for (uint32_t x = 0; x < groups[0]; x++) {
                g->id[0] = ev_in_turn(g, x, groups[0]);
                g->id[1] = ev_in_turn(g, y, groups[1]);
                g->id[2] = ev_in_turn(g, z, groups[2]);
                if (run_group(g) == EV_FAIL)
                    return result->status;
            }
        }
    }
    return result->status;
}

ir_eval_status
ir_eval_run_stage(ir_eval *e, const ir_eval_env *env, uint32_t n, bool *helper,
                  ir_eval_result *result)
{
    ev_group *g = begin_run(e, env, result);
    if (!g)
        return result->status;
    e->invocations = n;
    e->n_waves = (n + e->width - 1) / e->width;
    g->helper = helper;
    run_group(g);
    return result->status;
}
