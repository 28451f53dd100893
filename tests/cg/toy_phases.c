/* What the made-up machine does itself: the order in which banks are spilled, where their slots
 * lie, and how copies become moves.
 *
 * Memory is reached from full registers alone, so predicates and addresses pass through one: their
 * spills and reloads become those of a value of the vector or scalar bank. That is why they are
 * spilled first.
 */
#include "toy.h"

#include "cg/live.h"
#include "cg/parallel_copy.h"
#include "cg/spilling.h"
#include "cg/ssa_elimination.h"

/* ---- spilling ---- */

/* How a bank is spilled, and for those that memory does not know: the class that their values pass
 * through, and how they get there and back. */
typedef struct spill_row {
    cg_spill_bank bank;
    uint8_t through;
    uint16_t to, from;
} spill_row;

/* Reserved is in the scalar bank a register for cc, which moves there where it is overwritten, and
 * in both what is lost beside the fixed registers of divide; in the vector bank also what is lost
 * where the part that halves may use ends, which is less than the largest value. */
static const spill_row rows[] = {
    {{.bank = TOY_BANK_A, .edges = 1}, TOY_S1, TOY_GETA, TOY_SETA},
    {{.bank = TOY_BANK_P, .edges = 0}, TOY_V1, TOY_GETP, TOY_SETP},
    {{.bank = TOY_BANK_S, .edges = 1, .reserved = 4}, 0, 0, 0},
    {{.bank = TOY_BANK_V, .edges = 0, .reserved = 16}, 0, 0, 0},
};

static ir_instr *
new_unary(ir_fn *f, unsigned op, ir_ref from)
{
    ir_instr *i = ir_new_instr(f, op, 1, 1);
    i->refs[0] = from;
    return i;
}

/* A spill or reload of a value that memory does not know goes through a register. */
static void
pass_through(ir_fn *f, const spill_row *row, ir_instr *i)
{
    if (i->op == TOY_SPILL) {
        ir_instr *get = new_unary(f, row->to, i->refs[0]);
        ir_insert_before(i, get);
        i->refs[0] = ir_define(f, get, 0, row->through);
        return;
    }
    ir_ref result = i->defs[0];
    ir_instr *set = new_unary(f, row->from, ir_define(f, i, 0, row->through));
    set->defs[0] = result;
    f->values[result.id].def = set;
    ir_insert_after(i, set);
}

/* Bytes of a unit's slot: a value that passes through a register takes as much as that. */
static unsigned
slot_bytes(const spill_row *row)
{
    return row->through ? toy_bytes(row->through) : TOY_UNIT;
}

static void
spill_bank(ir_fn *f, const spill_row *row, const cg_cssa *classes)
{
    toy_program *p = toy_prog(f);
    cg_spilled s = cg_spill(f, &row->bank, classes, f->arena);
    for (size_t k = 0; k < s.n_uses; k++) {
        ir_instr *i = s.uses[k].instr;
        ir_words(i)[0] = p->memory + ir_words(i)[0] * slot_bytes(row);
        if (row->through)
            pass_through(f, row, i);
    }
    p->memory += (s.n_slots * slot_bytes(row) + 3) & ~3u;
    p->stored[row->bank.bank] += s.stored;
    cg_find_live(f);
}

static bool
is_above(const ir_fn *f, const spill_row *row)
{
    const cg_state *s = cg_of(f);
    unsigned bank = row->bank.bank;
    return s->max_demand.units[bank] + row->bank.reserved > s->budget[bank];
}

/* Tests' bounds leave room for the largest instruction. */
static void
raise_bound(ir_fn *f, const spill_row *row)
{
    toy_program *p = toy_prog(f);
    unsigned bank = row->bank.bank, least = cg_spill_floor(f, &row->bank);
    if (!row->through)
        least = (least + 7) & ~7u; /* no row is cut */
    if (p->bound[bank] && p->bound[bank] < least)
        p->bound[bank] = (uint16_t)least;
    f->level->machine->demand_known(f);
}

bool
toy_needs_spilling(const ir_fn *f)
{
    bool any = false;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        any |= is_above(f, &rows[k]);
    return any;
}

void
toy_spill(ir_fn *f)
{
    if (!toy_needs_spilling(f))
        return;
    cg_cssa classes = cg_lower_to_cssa(f, f->arena);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        raise_bound(f, &rows[k]);
        if (is_above(f, &rows[k]))
            spill_bank(f, &rows[k], &classes);
    }
    cg_remove_unused_constants(f);
}

/* ---- copies become moves ---- */

typedef struct lower_ctx {
    ir_fn *f;
    cg_sequencer *seq;
    ir_instr *at;
} lower_ctx;

/* A place of so many bytes. */
static ir_ref
place(unsigned reg, unsigned size)
{
    ir_ref r = ir_none();
    bool scalar = reg / TOY_UNIT < TOY_V0, vector = !scalar && reg / TOY_UNIT < TOY_P0;
    unsigned other = reg / TOY_UNIT < TOY_A0 ? TOY_P1 : TOY_A1;
    r.rc = (uint8_t)(scalar ? TOY_S1 : !vector ? other : size == 4 ? TOY_V1 : TOY_H1);
    r.reg = (uint16_t)reg;
    r.flags = IR_ASSIGNED;
    return r;
}

static void
emit_move(lower_ctx *c, ir_ref def, ir_ref ref)
{
    ir_instr *i = ir_new_instr(c->f, TOY_MOV, 1, 1);
    i->defs[0] = def;
    i->refs[0] = ref;
    ir_insert_before(c->at, i);
}

static void
emit_swap(lower_ctx *c, ir_ref a, ir_ref b)
{
    ir_instr *i = ir_new_instr(c->f, TOY_SWAP, 2, 2);
    i->defs[0] = i->refs[1] = a;
    i->defs[1] = i->refs[0] = b;
    ir_insert_before(c->at, i);
}

static void
add_copy(lower_ctx *c, ir_ref def, unsigned reg, ir_ref ref, unsigned from, unsigned bytes)
{
    bool full = ir_class_of(c->f, def.rc)->bank == TOY_BANK_V ||
                ir_class_of(c->f, def.rc)->bank == TOY_BANK_S;
    if (ir_is_value(ref) || ref.kind == IR_REF_NONE)
        cg_add_copy(c->seq, (cg_copy){.dst = reg, .src = from, .size = bytes},
                    (cg_granularity){.largest = full ? 4 : 2, .smallest = 2});
}

static void
collect(lower_ctx *c, const ir_instr *i)
{
    unsigned at = 0;
    switch (i->op) {
    case TOY_COPY:
        for (unsigned d = 0; d < i->n_defs; d++)
            add_copy(c, i->defs[d], i->defs[d].reg, i->refs[d], i->refs[d].reg,
                     toy_bytes(i->defs[d].rc));
        break;
    case TOY_JOIN:
        for (unsigned r = 0; r < i->n_refs; at += toy_bytes(i->refs[r].rc), r++)
            add_copy(c, i->defs[0], i->defs[0].reg + at, i->refs[r], i->refs[r].reg,
                     toy_bytes(i->refs[r].rc));
        break;
    case TOY_SPLIT:
        for (unsigned d = 0; d < i->n_defs; at += toy_bytes(i->defs[d].rc), d++)
            add_copy(c, i->defs[d], i->defs[d].reg, i->refs[0], i->refs[0].reg + at,
                     toy_bytes(i->defs[d].rc));
        break;
    default:
        at = i->refs[1].id * toy_bytes(i->defs[0].rc);
        add_copy(c, i->defs[0], i->defs[0].reg, i->refs[0], i->refs[0].reg + at,
                 toy_bytes(i->defs[0].rc));
        break;
    }
}

/* Constants are written when all has been read. */
static void
write_constants(lower_ctx *c, const ir_instr *i)
{
    unsigned at = 0;
    for (unsigned r = 0; r < i->n_refs && (i->op == TOY_COPY || i->op == TOY_JOIN); r++) {
        ir_ref def = i->op == TOY_COPY ? i->defs[r] : i->defs[0];
        unsigned bytes = toy_bytes(i->op == TOY_COPY ? def.rc : i->refs[r].rc);
        if (i->refs[r].kind == IR_REF_CONST)
            emit_move(c, place(def.reg + at, bytes), i->refs[r]);
        at += i->op == TOY_JOIN ? bytes : 0;
    }
}

static void
lower_copy(lower_ctx *c, ir_instr *i)
{
    unsigned n;
    collect(c, i);
    c->at = i;
    const cg_step *steps = cg_sequence(c->seq, &n);
    for (unsigned k = 0; k < n; k++) {
        ir_ref to = place(steps[k].dst, steps[k].size), from = place(steps[k].src, steps[k].size);
        if (steps[k].swap)
            emit_swap(c, to, from);
        else
            emit_move(c, to, from);
    }
    write_constants(c, i);
    ir_unlink(i);
}

void
toy_lower(ir_fn *f)
{
    lower_ctx c = {.f = f};
    c.seq = cg_sequencer_new(f->arena);
    cg_ssa_elimination(f);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (i->op == TOY_COPY || i->op == TOY_JOIN || i->op == TOY_SPLIT || i->op == TOY_PART)
                lower_copy(&c, i);
        }
    }
}
