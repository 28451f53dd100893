/* hoist_uniform: what has the same value in the whole dispatch is computed once, by one fibre of
 * the first wave, in the preamble, and is a constant for all others.
 *
 *     BB0: ...                                      BB0: ... SHPS BB3, BB1
 *         f1: %2 = LDC 4, 0                         BB1: GETONE BB3, BB2
 *         f1: %3 = MUL_F %2, %2            ->       BB2: %2 = LDC 4, 0; %3 = MUL_F %2, %2
 *         f1: %4 = ADD_F %1, %3                          STC %3 imm:20; SHPE; JUMP BB3
 *                                                   BB3: f1: %5 = MOV 20 cfile:0x1
 *                                                        f1: %4 = ADD_F %1, %5
 *
 * Uniform are operations, loads of uniform buffers, loads of storage buffers and at addresses that
 * nothing changes and from tables (these where every fibre loads: an address or index may be
 * wrong), and textures, on numbers, the constant file and uniform values. A walk backwards decides
 * which values that others read become constants: those that save an instruction, because their
 * readers can read the constant file, or because they depend on other operations or on what is
 * waited for. What they are computed from is copied to the preamble. The constants lie among the
 * compiler's numbers, where stc can reach them.
 *
 * A texture that is sampled at one place has no differences of coordinates, of which the preamble,
 * without a quad, would make its level: its level is the least that the sampler allows.
 *
 * Where the scalar ALU has all that is computed, it has shared registers, and the preamble can run
 * early: before the wave has registers of its fibres.
 *
 * HEDDLE_DEBUG=nopreamble leaves it out, noearlypreamble the scalar ALU. */
#include "adreno/opt/operand.h"
#include "adreno/opt/preamble.h"
#include "base/bits.h"
#include "ir/replace.h"
#include "opt/opt.h"

#include <string.h>

enum { STC_PLACES = 256 };

enum {
    UNIFORM = 1,  /* the value is the same everywhere */
    TRIVIAL = 2,  /* a number, or of the constant file */
    NEEDED = 4,   /* something reads it that stays */
    POOR = 8,     /* ... and cannot read the constant file */
    HOISTED = 16, /* becomes a constant */
    COPIED = 32,  /* is computed in the preamble */
};

typedef struct hoisting {
    ir_fn *f;
    adreno_program *p;
    uint8_t *state; /* by value */
    ir_ref *copies; /* by value: in the preamble */
    ir_instr *end;  /* of the preamble */
    uint32_t left;  /* places */
    bool scalar;    /* the preamble has shared registers */
} hoisting;

/* ---- what is uniform ---- */

bool
adreno_has_fixed_descriptor(const ir_instr *i)
{
    return adreno_attr(i, 2, ADRENO_W_BINDLESS, 1) && !adreno_attr(i, 2, ADRENO_W_MODE, 3) &&
           i->refs[i->n_refs - 1].kind == IR_REF_CONST;
}

static bool
is_texture(const ir_instr *i)
{
    switch (i->op) {
    case ADRENO_SAM_ANY: return i->n_refs == 1;
    case ADRENO_SAML_ANY:
    case ADRENO_GETSIZE_ANY:
    case ADRENO_GETINFO_ANY:
    case ADRENO_ISAM_ANY:
    case ADRENO_ISAML_ANY:
    case ADRENO_ISAMM_ANY: return true;
    default: return false;
    }
}

/* What reads through a descriptor or at an address, and is waited for. */
static bool
is_read(const ir_instr *i)
{
    return i->op == ADRENO_LDC || i->op == ADRENO_RESINFO_B || i->op == ADRENO_LDIB_B ||
           i->op == ADRENO_LDG || is_texture(i);
}

static bool
may_hoist(const ir_instr *i)
{
    const unsigned category = adreno_category(i->op);
    if (i->op == ADRENO_P_SPLIT_VECTOR || i->op == ADRENO_P_CREATE_VECTOR)
        return true;
    if (is_texture(i))
        return adreno_attr(i, 2, ADRENO_W_MODE, 3) == ADRENO_DESC_BINDLESS_IMM;
    const bool unchanged = adreno_attr(i, 2, ADRENO_W_UNCHANGED, 1);
    if (i->op == ADRENO_LDG)
        return unchanged && i->block->index == 0;
    if (i->op == ADRENO_P_CONST_AT)
        return i->block->index == 0;
    if (i->op == ADRENO_LDIB_B && !unchanged)
        return false;
    if (is_read(i))
        return adreno_has_fixed_descriptor(i);
    if (category == 1)
        return (i->op == ADRENO_MOV || i->op == ADRENO_COV) && !adreno_attr(i, 0, ADRENO_M_REL, 1);
    return category >= 2 && category <= 4 && i->defs[0].rc != ADRENO_P1 &&
           !adreno_is_varying_op(i->op);
}

static void
find_uniform(hoisting *h, const ir_instr *i)
{
    bool uniform = i->n_defs && may_hoist(i);
    for (unsigned r = 0; r < i->n_refs && uniform; r++)
        uniform = i->refs[r].kind == IR_REF_CONST ||
                  (ir_is_value(i->refs[r]) && h->state[i->refs[r].id] & UNIFORM);
    const bool trivial = i->op == ADRENO_MOV && i->refs[0].kind == IR_REF_CONST;
    for (unsigned d = 0; d < i->n_defs && uniform; d++)
        h->state[i->defs[d].id] = (uint8_t)(UNIFORM | (trivial ? TRIVIAL : 0));
}

/* ---- what becomes a constant ---- */

/* Is a constant in its place worth an instruction, though it may have to be moved to a register? */
static bool
depends(const hoisting *h, const ir_instr *i)
{
    if (i->op == ADRENO_P_SPLIT_VECTOR || i->op == ADRENO_P_CONST_AT || is_read(i) ||
        adreno_category(i->op) == 4)
        return true;
    for (unsigned r = 0; r < i->n_refs; r++)
        if (ir_is_value(i->refs[r]) && !(h->state[i->refs[r].id] & TRIVIAL))
            return true;
    return false;
}

/* Decides on the definitions that others need. Returns true if the instruction stays, too. */
static bool
decide(hoisting *h, const ir_instr *i)
{
    bool stays = false;
    for (unsigned d = 0; d < i->n_defs; d++) {
        uint8_t *state = &h->state[i->defs[d].id];
        if (!(*state & NEEDED))
            continue;
        const bool can = i->defs[d].rc == ADRENO_F1 && !(*state & TRIVIAL) && h->left;
        if (can && (!(*state & POOR) || depends(h, i))) {
            *state |= HOISTED | COPIED;
            h->left--;
        } else {
            stays = true;
        }
    }
    return stays;
}

static void
need_operands(hoisting *h, const ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (!ir_is_value(i->refs[r]))
            continue;
        const bool rich = i->n_refs <= 3 && adreno_category(i->op) - 1u < 3u &&
                          adreno_operand_fits(i, r, ADRENO_O_FILE);
        h->state[i->refs[r].id] |= (uint8_t)(NEEDED | (rich ? 0 : POOR));
    }
}

static bool
is_copied(const hoisting *h, const ir_instr *i)
{
    bool copied = false;
    for (unsigned d = 0; d < i->n_defs; d++)
        copied |= h->state[i->defs[d].id] & COPIED;
    return copied;
}

static void
visit(hoisting *h, const ir_instr *i)
{
    const bool uniform = i->n_defs && h->state[i->defs[0].id] & UNIFORM;
    if (!uniform || decide(h, i))
        need_operands(h, i);
    if (!uniform || !is_copied(h, i))
        return;
    for (unsigned r = 0; r < i->n_refs; r++)
        if (ir_is_value(i->refs[r]))
            h->state[i->refs[r].id] |= COPIED;
}

/* ---- the preamble ---- */

/* `sam` where there are no differences: below all levels, whatever the sampler adds, at most 16. */
static ir_instr *
with_least_level(hoisting *h, const ir_instr *sam)
{
    ir_instr *i = ir_new_instr(h->f, ADRENO_SAML_ANY, 1, 2);
    ir_instr *mov = adreno_new_move(h->f, adreno_full(base_f32_bits(-16)), ADRENO_F32, ADRENO_F32);
    ir_insert_before(h->end, mov);
    memcpy(ir_words(i), ir_words(sam), 3 * sizeof(uint32_t));
    i->loc = sam->loc;
    i->refs[0] = h->copies[sam->refs[0].id];
    i->refs[1] = ir_define(h->f, mov, 0, ADRENO_F1);
    return i;
}

static ir_instr *
copy_of(hoisting *h, const ir_instr *i)
{
    if (i->op == ADRENO_SAM_ANY)
        return with_least_level(h, i);
    ir_instr *made = ir_clone_instr(h->f, i);
    for (unsigned r = 0; r < made->n_refs; r++)
        if (ir_is_value(made->refs[r]))
            made->refs[r] = h->copies[made->refs[r].id];
    return made;
}

static void
copy(hoisting *h, const ir_instr *i)
{
    ir_instr *made = copy_of(h, i);
    for (unsigned d = 0; d < made->n_defs; d++) {
        const unsigned rc = i->defs[d].rc;
        h->copies[i->defs[d].id] = ir_define(h->f, made, d,
                                             h->scalar ? ADRENO_S1 + adreno_row(rc) - 1 : rc);
    }
    ir_insert_before(h->end, made);
    if (h->scalar)
        adreno_make_scalar(made);
}

/* The value gets a place in the constant file, and its readers a copy of that. */
static void
make_constant(hoisting *h, ir_instr *i, unsigned d, ir_replacement *map)
{
    adreno_program *p = h->p;
    const uint32_t place = adreno_literal_place(p, p->n_literals);
    p->literals[p->n_literals++] = 0;
    ir_instr *stc = ir_insert_new(h->end, ADRENO_STC, 0, 1);
    stc->refs[0] = h->copies[i->defs[d].id];
    ir_words(stc)[1] = place;
    adreno_set(stc, 0, ADRENO_M_TYPE, ADRENO_U32);
    ir_instr *mov = adreno_new_move(h->f, adreno_full(place), ADRENO_U32, ADRENO_U32);
    mov->loc = i->loc;
    adreno_set(mov, 0, ADRENO_M_CFILE, 1);
    const ir_ref def = ir_define(h->f, mov, 0, ADRENO_F1);
    ir_insert_before(i, mov);
    ir_replace_add(map, i->defs[d].id, def);
}

/* Is the instruction, of those that are left, to be copied? */
static bool
moves(const hoisting *h, const ir_instr *i, size_t n_values)
{
    return i->n_defs && i->defs[0].id < n_values && is_copied(h, i);
}

static bool
all_scalar(const hoisting *h)
{
    bool all = h->p->target->early_preamble && !(h->p->debug & ADRENO_DEBUG_NO_EARLY_PREAMBLE);
    IR_FOREACH_INSTR_OF(i, h->f)
        all &= !moves(h, i, h->f->n_values) || adreno_has_scalar(i);
    return all;
}

static void
build(hoisting *h)
{
    ir_replacement map = {.f = h->f};
    const size_t n_values = h->f->n_values;
    h->copies = ARENA_ARRAY(h->f->arena, n_values, ir_ref);
    h->end = adreno_preamble(h->f);
    for (size_t k = ADRENO_PREAMBLE_BLOCKS; k < h->f->n_blocks; k++) {
        IR_FOREACH_INSTR(i, h->f->blocks[k]) {
            if (!moves(h, i, n_values))
                continue;
            copy(h, i);
            for (unsigned d = 0; d < i->n_defs; d++)
                if (h->state[i->defs[d].id] & HOISTED)
                    make_constant(h, i, d, &map);
        }
    }
    h->p->constant_words = h->p->n_literals;
    for (size_t k = ADRENO_PREAMBLE_BLOCKS; k < h->f->n_blocks; k++)
        IR_FOREACH_INSTR(i, h->f->blocks[k])
            ir_replace_in(&map, i);
}

void
adreno_hoist_uniform(ir_fn *f)
{
    adreno_program *p = adreno_prog(f);
    const uint32_t used = adreno_literal_place(p, p->n_literals);
    if (used >= STC_PLACES || !p->target->preamble)
        return;
    hoisting h = {.f = f, .p = p, .left = STC_PLACES - used};
    const uint32_t all = h.left;
    h.state = ARENA_ARRAY(f->arena, f->n_values, uint8_t);
    IR_FOREACH_INSTR_OF(i, f)
        find_uniform(&h, i);
    IR_FOREACH_BLOCK(b, f) {
        for (const ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next)
            need_operands(&h, i); /* also of what comes later in a loop */
    }
    for (size_t k = f->n_blocks; k-- > 0;)
        for (const ir_instr *i = f->blocks[k]->last; i; i = i->prev)
            visit(&h, i);
    if (h.left == all || !ir_may_change(f->ctx))
        return;
    h.scalar = all_scalar(&h);
    build(&h);
    opt_dce(f);
}
