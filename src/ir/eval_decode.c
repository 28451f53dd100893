/* Translates a HIR function into the interpreter's program: registers, constants, edges. */
#include "ir/eval_internal.h"

#include <assert.h>

typedef struct decoder {
    ir_eval *e;
    const ir_fn *f;
    uint32_t *first;        /* value -> register of component 0; not set for vec, mov */
    uint32_t next;          /* the next free register */
    uint32_t temporary;     /* registers for parallel phi moves */
    const uint32_t *unused; /* a list with one register that may be read and written freely */
} decoder;

static unsigned
lane_words(const decoder *d, unsigned bits)
{
    unsigned even = (d->e->width + 1) & ~1u; /* keeps 64-bit registers aligned */
    return bits == 64 ? 2 * d->e->width : even;
}

static uint32_t
register_of(const decoder *d, ir_ref r, unsigned comp)
{
    r.comp = r.comp == IR_WHOLE ? (uint8_t)comp : r.comp;
    for (;;) {
        const ir_instr *def = d->f->values[r.id].def;
        if (!def || (def->op != IR_vec && def->op != IR_mov))
            break;
        ir_ref to = def->refs[def->op == IR_vec ? r.comp : 0];
        to.comp = to.comp == IR_WHOLE ? r.comp : to.comp;
        r = to;
    }
    return d->first[r.id] + r.comp * lane_words(d, ir_type_bits(d->f->values[r.id].type));
}

static void
assign_registers(decoder *d)
{
    d->first = ARENA_ARRAY(d->e->arena, d->f->n_values, uint32_t);
    for (size_t v = 1; v < d->f->n_values; v++) {
        const ir_value *value = &d->f->values[v];
        if (!value->def || value->def->op == IR_vec || value->def->op == IR_mov)
            continue;
        d->first[v] = d->next;
        d->next += ir_type_comps(value->type) * lane_words(d, ir_type_bits(value->type));
    }
}

static ev_operand
operand(const decoder *d, ir_ref r)
{
    if (!ir_is_value(r))
        return (ev_operand){.regs = d->unused, .bits = 32};
    ir_type t = ir_ref_type(d->f, r);
    uint32_t *regs = ARENA_ARRAY(d->e->arena, ir_type_comps(t), uint32_t);
    for (unsigned c = 0; c < ir_type_comps(t); c++)
        regs[c] = register_of(d, r, c);
    return (ev_operand){regs, (uint8_t)ir_type_comps(t), (uint8_t)ir_type_bits(t)};
}

/* ---- instructions ---- */

static bool
is_division(unsigned op)
{
    return op == IR_idiv || op == IR_udiv || op == IR_irem || op == IR_imod || op == IR_umod;
}

/* Operations that machines compute with an error (Vulkan, "Precision of Individual Operations"). */
static bool
is_rough(unsigned op)
{
    return op == IR_fdiv || op == IR_frcp || op == IR_fsqrt || op == IR_frsq || op == IR_fexp2 ||
           op == IR_flog2 || op == IR_fsin || op == IR_fcos || op == IR_fpow;
}

static void
decode_alu(const decoder *d, ev_instr *out, const ir_instr *i)
{
    unsigned sizes[3] = {0};
    for (unsigned s = 0; s < 3; s++) {
        bool there = s < i->n_refs && ir_is_value(i->refs[s]);
        out->s[s] = there ? register_of(d, i->refs[s], 0) : d->unused[0];
        sizes[s] = there ? ir_type_bits(ir_ref_type(d->f, i->refs[s])) : 0;
        out->src_bits[s] = (uint8_t)(there ? sizes[s] : 32);
    }
    out->bits = (uint8_t)ir_alu_bits((ir_op)i->op, sizes);
    out->dbits = (uint8_t)ir_type_bits(ir_ref_type(d->f, i->defs[0]));
    out->d = register_of(d, i->defs[0], 0);
    out->exec = is_division(i->op) ? ev_exec_divide : is_rough(i->op) ? ev_exec_rough : ev_exec_alu;
    out->kernel = ev_find_kernel((ir_op)i->op, out->bits, out->dbits, d->f->shader.fp);
}

static ev_exec *
find_intrinsic(unsigned op)
{
    ev_exec *(*const families[])(unsigned) = {ev_find_system, ev_find_memory, ev_find_image,
                                              ev_find_stage, ev_find_ray};
    for (unsigned k = 0; k < sizeof families / sizeof *families; k++) {
        ev_exec *exec = families[k](op);
        if (exec)
            return exec;
    }
    return NULL;
}

/* Stages of graphics have no workgroups. */
static bool
waits_for_group(const decoder *d, const ir_instr *i)
{
    return i->op == IR_barrier && d->f->shader.stage == IR_STAGE_COMPUTE &&
           ir_attr_get(i, IR_A_EXEC_SCOPE) >= IR_SCOPE_workgroup;
}

/* Sets the function that executes an intrinsic. */
static void
choose_exec(const decoder *d, ev_instr *out, unsigned op)
{
    ev_exec *exec = ev_find_subgroup(op);
    if (exec && d->e->subgroup < d->e->width) {
        out->inner = exec;
        exec = ev_exec_subgroups;
    }
    out->exec = exec ? exec : find_intrinsic(op);
}

static void
decode_intrinsic(const decoder *d, ev_instr *out, const ir_instr *i)
{
    choose_exec(d, out, i->op);
    if (!out->exec)
        d->e->refuse = i;
    out->def = operand(d, i->n_defs ? i->defs[0] : ir_none());
    ev_operand *refs = out->refs;
    if (i->n_refs > sizeof out->refs / sizeof *out->refs)
        refs = ARENA_ARRAY(d->e->arena, i->n_refs, ev_operand);
    for (unsigned r = 0; r < i->n_refs; r++)
        refs[r] = operand(d, i->refs[r]);
    out->more = refs;
    d->e->has_barrier |= waits_for_group(d, i);
    bool effect = i->op == IR_store_output ||
                  (ir_has_flag(i, IR_OP_WRITES) && i->op != IR_store_scratch);
    if (d->f->shader.stage == IR_STAGE_FRAGMENT && effect) {
        out->inner = out->exec;
        out->exec = ev_exec_effect;
    }
}

/* ---- edges ---- */

/* Copies the sources to temporaries first if one of them is itself a phi of the block. */
static void
add_phi_moves(decoder *d, ev_edge *edge, const ir_block *to, uint32_t pred)
{
    unsigned n = 0;
    bool overlap = false;
    for (const ir_instr *p = to->first; p && p->op == IR_phi; p = p->next) {
        const ir_instr *def = ir_is_value(p->refs[pred]) ? d->f->values[p->refs[pred].id].def
                                                         : NULL;
        n += ir_type_comps(d->f->values[p->defs[0].id].type);
        overlap |= def && (def->op == IR_vec || def->op == IR_mov ||
                           (def->op == IR_phi && def->block == to));
    }
    ev_move *moves = ARENA_ARRAY(d->e->arena, 2 * n, ev_move);
    uint32_t temporary = d->temporary;
    n = 0;
    for (const ir_instr *p = to->first; p && p->op == IR_phi; p = p->next) {
        ir_type t = d->f->values[p->defs[0].id].type;
        for (unsigned c = 0; c < ir_type_comps(t) && ir_is_value(p->refs[pred]); c++) {
            moves[n++] = (ev_move){register_of(d, p->defs[0], c), register_of(d, p->refs[pred], c),
                                   ir_type_bits(t) == 64};
        }
    }
    for (unsigned m = 0; overlap && m < n; m++) {
        moves[n + m] = (ev_move){moves[m].dst, temporary, moves[m].wide};
        moves[m].dst = temporary;
        temporary += lane_words(d, moves[m].wide ? 64 : 32);
    }
    edge->moves = moves;
    edge->n_moves = overlap ? 2 * n : n;
    d->next = temporary > d->next ? temporary : d->next;
}

static void
decode_terminator(decoder *d, ev_instr *out, const ir_instr *i)
{
    const ir_block *b = i->block;
    out->exec = ev_find_terminator(i->op);
    if (i->op == IR_if)
        out->s[0] = register_of(d, i->refs[0], 0);
    for (unsigned s = 0; s < b->succs[0].count && s < 2; s++) {
        const ir_block *to = b->succs[0].at[s];
        uint32_t pred = ir_pred_index(to, b, 0);
        /* Both edges of an if may lead to one block. */
        if (s == 1 && b->succs[0].at[0] == to)
            for (pred++; to->preds[0].at[pred] != b;)
                pred++;
        out->edges[s].block = to->index;
        if (to->first && to->first->op == IR_phi)
            add_phi_moves(d, &out->edges[s], to, pred);
    }
}

/* ---- blocks ---- */

/* Instructions that need no execution: constants are in the register file from the start, phis are
 * moves on edges, and the others only rename registers.
 */
static bool
is_silent(const ir_instr *i)
{
    return i->op == IR_load_const || i->op == IR_undef || i->op == IR_phi || i->op == IR_vec ||
           i->op == IR_mov;
}

static void
decode_block(decoder *d, const ir_block *b)
{
    ev_block *block = &d->e->blocks[b->index];
    for (const ir_instr *i = b->first; i; i = i->next)
        block->n_instrs += !is_silent(i);
    ev_instr *at = ARENA_ARRAY(d->e->arena, block->n_instrs, ev_instr);
    block->first = at;
    for (const ir_instr *i = b->first; i; i = i->next) {
        if (is_silent(i))
            continue;
        at->ir = i;
        at->op = i->op;
        uint32_t flags = ir_op_of(d->f, i)->flags;
        if (flags & IR_OP_ALU)
            decode_alu(d, at, i);
        else if (flags & IR_OP_TERMINATOR)
            decode_terminator(d, at, i);
        else
            decode_intrinsic(d, at, i);
        at++;
    }
}

static void
write_constant(const decoder *d, const ir_instr *i)
{
    ir_type t = d->f->values[i->defs[0].id].type;
    for (unsigned c = 0; c < ir_type_comps(t); c++) {
        uint32_t *r = d->e->initial + register_of(d, i->defs[0], c);
        uint64_t v = ir_const_comp(d->f, i, c);
        for (unsigned l = 0; l < d->e->width; l++) {
            if (ir_type_bits(t) == 64)
                memcpy(r + 2 * l, &v, sizeof v);
            else
                r[l] = (uint32_t)v;
        }
    }
}

static void
note_undef(decoder *d, const ir_instr *i)
{
    ir_eval *e = d->e;
    ir_type t = d->f->values[i->defs[0].id].type;
    for (unsigned c = 0; c < ir_type_comps(t); c++) {
        e->undefs = arena_grow(e->arena, e->undefs, &e->cap_undefs, e->n_undefs + 1,
                               sizeof *e->undefs);
        e->undefs[e->n_undefs++] = (ev_undef){register_of(d, i->defs[0], c), ir_type_bits(t)};
    }
}

/* The lanes of a wave: fragments are in whole quads. */
static unsigned
wave_width(const ir_fn *f, unsigned subgroup)
{
    enum { QUAD = 4 };
    return f->shader.stage == IR_STAGE_FRAGMENT && subgroup < QUAD ? QUAD : subgroup;
}

ir_eval *
ir_eval_new(const ir_fn *f, unsigned size, arena *a)
{
    assert(size && size <= EV_MAX_WIDTH);
    const unsigned width = wave_width(f, size);
    ir_eval *e = ARENA_NEW(a, ir_eval);
    *e = (ir_eval){.f = f, .arena = a, .subgroup = size, .width = width};
    const uint32_t *group = f->shader.workgroup_size;
    e->invocations = group[0] * group[1] * group[2];
    e->n_waves = (e->invocations + width - 1) / width;
    e->blocks = ARENA_ARRAY(a, f->n_blocks, ev_block);
    static const uint32_t none = 0;
    decoder d = {.e = e, .f = f, .unused = &none, .next = 2 * width + 2};
    assign_registers(&d);
    d.temporary = d.next;
    for (size_t b = 0; b < f->n_blocks; b++)
        decode_block(&d, f->blocks[b]);
    e->n_words = d.next;
    e->initial = ARENA_ARRAY(a, e->n_words, uint32_t);
    IR_FOREACH_BLOCK(b, f) {
        for (const ir_instr *i = b->first; i; i = i->next) {
            if (i->op == IR_load_const)
                write_constant(&d, i);
            else if (i->op == IR_undef)
                note_undef(&d, i);
        }
    }
    return e;
}
