#include "toy_draw.h"

#include "base/bits.h"

uint32_t
toy_rnd(toy_draw *g, uint32_t below)
{
    g->state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(base_hash64(g->state) % below);
}

bool
toy_once_in(toy_draw *g, uint32_t n)
{
    return toy_rnd(g, n) == 0;
}

/* ---- instructions ---- */

void
toy_add_pool(toy_draw *g, ir_ref r)
{
    if (g->n_pool < TOY_MAX_POOL)
        g->pool[g->n_pool++] = ir_use(g->f, r.id);
}

ir_instr *
toy_emit(toy_draw *g, unsigned op, unsigned n_defs, unsigned n_refs, const ir_ref *refs)
{
    ir_instr *i = ir_new_instr(g->f, op, n_defs, n_refs);
    for (unsigned r = 0; r < n_refs; r++)
        i->refs[r] = refs[r];
    ir_append(g->b, i);
    g->recent[g->n_recent++ % TOY_RECENT] = i;
    return i;
}

ir_ref
toy_define(toy_draw *g, ir_instr *i, unsigned d, unsigned rc)
{
    ir_ref r = ir_define(g->f, i, d, (ir_type)rc);
    toy_add_pool(g, r);
    return r;
}

ir_ref
toy_constant(toy_draw *g, unsigned rc)
{
    return ir_pack_ref(IR_REF_CONST, toy_rnd(g, 1000), IR_REG_NONE, rc, 0);
}

/* What a value of the class is made of, if not of one constant. */
static unsigned
part_of(unsigned rc)
{
    switch (rc) {
    case TOY_S2:
    case TOY_S4: return TOY_S1;
    case TOY_V2:
    case TOY_V3:
    case TOY_V4: return TOY_V1;
    case TOY_H2: return TOY_H1;
    default: return rc;
    }
}

static ir_ref
make(toy_draw *g, unsigned rc)
{
    ir_ref refs[4], in;
    unsigned part = part_of(rc), n = toy_bytes(rc) / toy_bytes(part);
    switch (rc) {
    case TOY_X6:
        in = toy_pick(g, TOY_V1);
        return toy_define(g, toy_emit(g, TOY_AFILL, 1, 1, &in), 0, rc);
    case TOY_P1:
        refs[0] = toy_pick(g, TOY_V1);
        refs[1] = toy_constant(g, TOY_V1);
        return toy_define(g, toy_emit(g, TOY_CMP, 1, 2, refs), 0, rc);
    case TOY_A1:
        in = toy_pick(g, TOY_S1);
        return toy_define(g, toy_emit(g, TOY_SETA, 1, 1, &in), 0, rc);
    default:
        for (unsigned k = 0; k < n; k++)
            refs[k] = toy_constant(g, part);
        return toy_define(g, toy_emit(g, n > 1 ? TOY_JOIN : TOY_COPY, 1, n, refs), 0, rc);
    }
}

/* A value of the class from the pool, preferably a late one; made anew if none is found. */
ir_ref
toy_pick(toy_draw *g, unsigned rc)
{
    for (unsigned tries = 0; tries < 24 && g->n_pool; tries++) {
        unsigned window = g->shape.alive < g->n_pool ? g->shape.alive : g->n_pool;
        ir_ref r = g->pool[g->n_pool - 1 - toy_rnd(g, toy_once_in(g, 8) ? g->n_pool : window)];
        if (r.rc == rc)
            return r;
    }
    return make(g, rc);
}

static unsigned
scalar_class(toy_draw *g)
{
    static const uint8_t rcs[] = {TOY_S1, TOY_S1, TOY_S1, TOY_S2, TOY_S4};
    return rcs[toy_rnd(g, sizeof rcs)];
}

static unsigned
vector_class(toy_draw *g)
{
    static const uint8_t rcs[] = {TOY_V1, TOY_V1, TOY_V1, TOY_V2, TOY_V3,
                                  TOY_V4, TOY_H1, TOY_H1, TOY_H2};
    return rcs[toy_rnd(g, sizeof rcs)];
}

unsigned
toy_any_class(toy_draw *g)
{
    if (toy_rnd(g, 100) < g->shape.arrays)
        return toy_once_in(g, 3) ? TOY_A1 : TOY_X6;
    if (toy_once_in(g, 8))
        return TOY_P1;
    return toy_rnd(g, 100) < g->shape.scalar ? scalar_class(g) : vector_class(g);
}

/* An operand of an instruction whose result is of the class: scalars go everywhere. */
ir_ref
toy_operand(toy_draw *g, unsigned rc)
{
    if (toy_once_in(g, 12))
        return toy_constant(g, TOY_S1);
    if (toy_is_uniform(rc))
        return toy_pick(g, scalar_class(g));
    return toy_pick(g, toy_once_in(g, 4) ? scalar_class(g) : vector_class(g));
}

/* ---- statements ---- */

static void
gen_arithmetic(toy_draw *g, unsigned rc)
{
    static const uint16_t ops[] = {TOY_ADD, TOY_ADD, TOY_LOAD, TOY_SHUFFLE, TOY_CVT, TOY_MAD};
    unsigned op = ops[toy_rnd(g, sizeof ops / sizeof *ops)], n = g->f->level->ops[op].n_refs;
    ir_ref refs[3];
    for (unsigned r = 0; r < n; r++)
        refs[r] = toy_operand(g, rc);
    if (op == TOY_MAD) {
        bool small = rc == TOY_S1 || rc == TOY_V1 || rc == TOY_H1;
        refs[2] = small && toy_once_in(g, 10) ? toy_constant(g, rc) : toy_pick(g, rc);
    }
    toy_define(g, toy_emit(g, op, 1, n, refs), 0, rc);
}

/* Fixed registers: of the operand, of both results. */
static void
gen_divide(toy_draw *g)
{
    unsigned rc = toy_rnd(g, 100) < g->shape.scalar ? TOY_S1 : TOY_V1;
    unsigned first = rc == TOY_S1 ? 0 : TOY_V0 * TOY_UNIT, size = toy_bytes(rc);
    ir_ref refs[2] = {ir_fixed(toy_pick(g, rc), first + size), toy_pick(g, rc)};
    if (toy_once_in(g, 3))
        refs[1] = ir_fixed(refs[1], first + (2 + toy_rnd(g, 2)) * size);
    ir_instr *i = toy_emit(g, TOY_DIVIDE, 2, 2, refs);
    for (unsigned d = 0; d < 2; d++) {
        toy_define(g, i, d, rc);
        i->defs[d] = ir_fixed(i->defs[d], first + (2 + d) * size);
    }
}

/* cc lives on for a while, and may have to move away. */
static void
gen_carry(toy_draw *g)
{
    ir_ref refs[3] = {toy_pick(g, TOY_S1), toy_pick(g, TOY_S1)};
    ir_instr *i = toy_emit(g, TOY_CARRY, 2, 2, refs);
    toy_define(g, i, 0, TOY_S1);
    refs[2] = ir_define(g->f, i, 1, TOY_S1);
    i->defs[1] = ir_fixed(i->defs[1], TOY_CC);
    for (unsigned n = toy_rnd(g, 3); n > 0; n--)
        gen_arithmetic(g, vector_class(g));
    refs[2] = ir_fixed(refs[2], TOY_CC);
    toy_define(g, toy_emit(g, TOY_ADDC, 1, 3, refs), 0, TOY_S1);
}

static void
gen_predicate(toy_draw *g)
{
    ir_ref refs[3];
    unsigned rc;
    switch (toy_rnd(g, 4)) {
    case 0:
        refs[0] = toy_pick(g, TOY_P1);
        refs[1] = toy_pick(g, TOY_P1);
        toy_define(g, toy_emit(g, TOY_ADD, 1, 2, refs), 0, TOY_P1);
        break;
    case 1:
        rc = vector_class(g);
        refs[0] = toy_pick(g, TOY_P1);
        refs[1] = toy_operand(g, rc);
        refs[2] = toy_operand(g, rc);
        toy_define(g, toy_emit(g, TOY_SEL, 1, 3, refs), 0, rc);
        break;
    default:
        refs[0] = toy_pick(g, vector_class(g));
        refs[1] = toy_operand(g, TOY_V1);
        toy_define(g, toy_emit(g, TOY_CMP, 1, 2, refs), 0, TOY_P1);
        break;
    }
}

/* Accesses to memory, whose order counts where the areas are the same. */
static void
gen_memory(toy_draw *g)
{
    unsigned rc = toy_rnd(g, 100) < g->shape.scalar ? TOY_S1 : TOY_V1;
    ir_ref refs[2] = {toy_operand(g, rc), toy_operand(g, rc)};
    unsigned area = toy_rnd(g, TOY_AREAS);
    if (toy_once_in(g, 8)) {
        toy_define(g, toy_emit(g, TOY_TICK, 1, 0, NULL), 0, TOY_S1);
    } else if (area < TOY_AREAS - 1 && toy_once_in(g, 2)) {
        ir_words(toy_emit(g, TOY_POKE, 0, 2, refs))[0] = area;
    } else {
        ir_instr *i = toy_emit(g, TOY_PEEK, 1, 1, refs);
        ir_words(i)[0] = area;
        toy_define(g, i, 0, rc);
    }
}

/* Of the pinned array only the latest version may be used. */
static void
gen_pinned(toy_draw *g)
{
    ir_ref refs[3] = {g->pinned, toy_pick(g, TOY_A1)};
    if (toy_once_in(g, 2)) {
        toy_define(g, toy_emit(g, TOY_AREAD, 1, 2, refs), 0, TOY_V1);
        return;
    }
    refs[2] = toy_pick(g, TOY_S1);
    g->pinned = ir_define(g->f, toy_emit(g, TOY_AWRITE, 1, 3, refs), 0, TOY_Y6);
}

static void
gen_array(toy_draw *g)
{
    if (ir_is_value(g->pinned) && toy_once_in(g, 3)) {
        gen_pinned(g);
        return;
    }
    ir_ref refs[3] = {toy_pick(g, TOY_X6)};
    refs[1] = toy_pick(g, TOY_A1);
    if (toy_once_in(g, 3)) {
        refs[2] = toy_pick(g, TOY_V1);
        toy_define(g, toy_emit(g, TOY_AWRITE, 1, 3, refs), 0, TOY_X6);
    } else {
        toy_define(g, toy_emit(g, TOY_AREAD, 1, 2, refs), 0, TOY_V1);
    }
}

/* Rows of one bank: joined from parts, or taken apart. Scalars may be parts of vectors. */
static void
gen_row(toy_draw *g)
{
    bool scalar = toy_rnd(g, 100) < g->shape.scalar;
    unsigned part = scalar ? TOY_S1 : TOY_V1,
             n = scalar ? 2 + 2 * toy_rnd(g, 2) : 2 + toy_rnd(g, 3);
    unsigned row = scalar ? n == 2 ? TOY_S2 : TOY_S4 : TOY_V1 + n - 1;
    ir_ref refs[4];
    if (!scalar && toy_once_in(g, 3)) {
        part = TOY_H1;
        row = toy_once_in(g, 2) ? TOY_H2 : TOY_V1;
        n = 2;
    }
    if (toy_once_in(g, 2)) {
        for (unsigned k = 0; k < n; k++)
            refs[k] = part == TOY_V1 && toy_once_in(g, 4) ? toy_pick(g, TOY_S1) : toy_pick(g, part);
        for (unsigned k = 0; k < n; k++)
            refs[k] = toy_once_in(g, 8) ? toy_constant(g, part) : refs[k];
        toy_define(g, toy_emit(g, TOY_JOIN, 1, n, refs), 0, row);
        return;
    }
    refs[0] = toy_pick(g, row);
    if (toy_once_in(g, 3)) {
        refs[1] = toy_constant(g, TOY_S1);
        refs[1].id = toy_rnd(g, n);
        toy_define(g, toy_emit(g, TOY_PART, 1, 2, refs), 0, part);
        return;
    }
    ir_instr *i = toy_emit(g, TOY_SPLIT, n, 1, refs);
    for (unsigned k = 0; k < n; k++)
        toy_define(g, i, k, part);
}

static bool
is_in_pool(const toy_draw *g, ir_ref r)
{
    unsigned k = 0;
    while (k < g->n_pool && g->pool[k].id != r.id)
        k++;
    return !ir_is_value(r) || k < g->n_pool;
}

/* May an equal instruction stand here? Its operands must be defined, and not need cc. */
static bool
may_repeat(const toy_draw *g, const ir_instr *i)
{
    bool may = i->n_defs && !ir_has_flag(i, IR_OP_EFFECT);
    for (unsigned d = 0; may && d < i->n_defs; d++)
        may = i->defs[d].reg != TOY_CC && i->defs[d].rc != TOY_Y6;
    for (unsigned r = 0; may && r < i->n_refs; r++)
        may = i->refs[r].reg != TOY_CC && is_in_pool(g, i->refs[r]);
    return may;
}

/* The other may dominate it or not: value numbering must find out. */
void
toy_draw_again(toy_draw *g, const ir_instr *from)
{
    ir_ref refs[4];
    if (from->n_refs > 4 || !may_repeat(g, from))
        return;
    bool swaps = ir_has_flag(from, IR_OP_COMMUTES) && toy_once_in(g, 2);
    for (unsigned r = 0; r < from->n_refs; r++)
        refs[r] = from->refs[swaps && r < 2 ? 1 - r : r];
    ir_instr *i = toy_emit(g, from->op, from->n_defs, from->n_refs, refs);
    for (unsigned w = 0; w < i->n_words; w++)
        ir_words(i)[w] = ir_words(from)[w];
    for (unsigned d = 0; d < from->n_defs; d++) {
        toy_define(g, i, d, from->defs[d].rc);
        if (from->defs[d].flags & IR_FIXED)
            i->defs[d] = ir_fixed(i->defs[d], from->defs[d].reg);
    }
}

void
toy_draw_output(toy_draw *g)
{
    ir_ref refs[4];
    unsigned n = 1 + toy_rnd(g, 4);
    bool address = false;
    for (unsigned k = 0; k < n; k++) {
        unsigned rc = toy_any_class(g);
        refs[k] = toy_pick(g, rc == TOY_A1 && address ? TOY_V1
                                                      : rc); /* there is one address register */
        address |= rc == TOY_A1;
    }
    toy_emit(g, TOY_OUT, 0, n, refs);
}

void
toy_draw_simple(toy_draw *g)
{
    unsigned what = toy_rnd(g, 20);
    if (toy_once_in(g, 5)) {
        toy_draw_again(g,
                       g->recent[toy_rnd(g, g->n_recent < TOY_RECENT ? g->n_recent : TOY_RECENT)]);
    } else if (toy_rnd(g, 100) < g->shape.arrays) {
        gen_array(g);
    } else if (what < 3) {
        gen_row(g);
    } else if (what < 5) {
        toy_draw_output(g);
    } else if (what < 8) {
        gen_predicate(g);
    } else if (what < 9) {
        gen_divide(g);
    } else if (what < 10) {
        gen_carry(g);
    } else if (what < 12) {
        gen_memory(g);
    } else if (what < 13) {
        ir_ref in = toy_pick(g, TOY_V1);
        toy_define(g, toy_emit(g, TOY_FIRST, 1, 1, &in), 0, TOY_S1);
    } else {
        unsigned scalar = toy_rnd(g, 100) < g->shape.scalar;
        gen_arithmetic(g, scalar ? scalar_class(g) : vector_class(g));
    }
}
