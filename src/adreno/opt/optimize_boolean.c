/* Booleans: what tests a boolean becomes the comparison itself, in the size and kind of register
 * that is wanted; inversions go into conditions, choices and branches; a branch tests two
 * predicates. */
#include "adreno/opt/combine.h"

static bool
is_comparison(const ir_instr *i)
{
    return i && (i->op == ADRENO_CMPS_F || i->op == ADRENO_CMPS_S || i->op == ADRENO_CMPS_U);
}

static bool
is_number(ir_ref r, uint32_t value)
{
    return r.kind == IR_REF_CONST && r.id == value;
}

static bool
is_logic(const ir_instr *i)
{
    return i->op == ADRENO_AND_B || i->op == ADRENO_OR_B || i->op == ADRENO_XOR_B;
}

enum { DEPTH = 6 };

/* Does it compute 0 or 1? */
static bool
is_boolean(const adreno_opt *o, ir_ref r, unsigned depth)
{
    const ir_instr *def = cg_def_of(&o->uses, r);
    if (r.kind == IR_REF_CONST)
        return r.id <= 1;
    if (!def || !depth || def->n_defs != 1)
        return false;
    if (is_comparison(def))
        return true;
    return is_logic(def) && !ir_words(def)[0] && is_boolean(o, def->refs[0], depth - 1) &&
           is_boolean(o, def->refs[1], depth - 1);
}

/* ---- tests ---- */

static void
set_condition(ir_instr *i, unsigned condition)
{
    ir_words(i)[0] &= ~(7u << ADRENO_M_COND);
    adreno_set(i, 0, ADRENO_M_COND, condition);
}

/* What `i` compares with 0: x != 0, x == 0; NONE: it does not. */
static ir_ref
compared(const ir_instr *i, bool *inverts)
{
    const unsigned condition = adreno_attr(i, 0, ADRENO_M_COND, 3);
    const bool plain = i->n_refs == 2 && !(adreno_other_bits(i) & ~(7u << ADRENO_M_COND)) &&
                       !(ir_words(i)[0] & 3u * ADRENO_OPERAND_BITS);
    *inverts = condition == ADRENO_EQ;
    return plain && (i->op == ADRENO_CMPS_S || i->op == ADRENO_CMPS_U) &&
                   (condition == ADRENO_EQ || condition == ADRENO_NE) && is_number(i->refs[1], 0)
               ? i->refs[0]
               : ir_none();
}

/* The boolean that `i` tests or inverts: b != 0, b == 0, b ^ 1; NONE: it does not. */
static ir_ref
tested(const adreno_opt *o, const ir_instr *i, bool *inverts)
{
    if (i->n_refs != 2 || !is_boolean(o, i->refs[0], DEPTH))
        return ir_none();
    if (i->op != ADRENO_XOR_B)
        return compared(i, inverts);
    *inverts = true;
    return !ir_words(i)[0] && is_number(i->refs[1], 1) ? i->refs[0] : ir_none();
}

/* Of floats only the opposite of == is a condition: neither < nor >= holds for what is no
 * number. */
static bool
has_opposite(const ir_instr *i)
{
    const unsigned condition = adreno_attr(i, 0, ADRENO_M_COND, 3);
    return i->op != ADRENO_CMPS_F || condition == ADRENO_EQ || condition == ADRENO_NE;
}

static void
invert(ir_instr *i)
{
    static const uint8_t opposite[] = {
        [ADRENO_LT] = ADRENO_GE, [ADRENO_LE] = ADRENO_GT, [ADRENO_GT] = ADRENO_LE,
        [ADRENO_GE] = ADRENO_LT, [ADRENO_EQ] = ADRENO_NE, [ADRENO_NE] = ADRENO_EQ};
    set_condition(i, opposite[adreno_attr(i, 0, ADRENO_M_COND, 3)]);
}

/* May `i` compute again what `def` does? */
static bool
may_repeat(const adreno_opt *o, const ir_instr *def, const ir_instr *i)
{
    return (def->block == i->block || o->uses.count[def->defs[0].id] == 1) &&
           cg_can_move_refs(def, i);
}

static bool
fold_test(adreno_opt *o, ir_instr *i)
{
    bool inverts;
    const ir_ref b = tested(o, i, &inverts);
    const ir_instr *def = cg_def_of(&o->uses, b);
    if (!def)
        return false;
    const bool repeats = is_comparison(def) && may_repeat(o, def, i) &&
                         (!inverts || has_opposite(def));
    const bool absorbs = !inverts && i->defs[0].rc == ADRENO_P1 && is_logic(def) &&
                         o->uses.count[b.id] == 1;
    if (!repeats && !absorbs)
        return false;
    adreno_opt_become(o, i, def);
    if (inverts)
        invert(i);
    return true;
}

/* A conversion of a boolean to 16 bits: the comparison gives them. */
static bool
fold_size(adreno_opt *o, ir_instr *i)
{
    const ir_instr *def = cg_def_of(&o->uses, i->refs[0]);
    const unsigned to = adreno_attr(i, 0, ADRENO_M_DTYPE, 3);
    if (i->op != ADRENO_COV || !is_comparison(def) || def->defs[0].rc != ADRENO_F1 ||
        adreno_attr(i, 0, ADRENO_M_STYPE, 3) != ADRENO_U32 || !may_repeat(o, def, i) ||
        (to != ADRENO_U16 && to != ADRENO_S16))
        return false;
    adreno_opt_become(o, i, def);
    return true;
}

/* ---- choices ---- */

static void
fold_choice(adreno_opt *o, ir_instr *i)
{
    bool inverts;
    if (i->op != ADRENO_SEL_B32 && i->op != ADRENO_SEL_B16)
        return;
    for (ir_instr *def; (def = cg_def_of(&o->uses, i->refs[1]));) {
        ir_ref b = def->n_defs == 1 ? tested(o, def, &inverts) : ir_none();
        if (!ir_is_value(b) && def->n_defs == 1)
            b = compared(def, &inverts); /* the choice tests all bits, too */
        if (!ir_is_value(b) || b.rc != i->refs[1].rc)
            return;
        if (inverts)
            adreno_exchange(i, 0, 2);
        cg_set_ref(&o->uses, i, 1, b);
    }
}

/* ---- branches ---- */

/* The predicate's definition, if the branch alone reads it. */
static ir_instr *
own_predicate(const adreno_opt *o, const ir_instr *br)
{
    ir_instr *def = cg_single_def(&o->uses, br->refs[0]);
    return def && def->block == br->block ? def : NULL;
}

/* A comparison with zero that no comparison stands for. */
static void
fold_branch_inversion(adreno_opt *o, ir_instr *br)
{
    bool inverts = false;
    ir_instr *def = own_predicate(o, br);
    const ir_ref b = def ? tested(o, def, &inverts) : ir_none();
    if (!ir_is_value(b) || !inverts)
        return;
    ir_words(br)[0] ^= 1u << ADRENO_M_INV;
    def->op = ADRENO_CMPS_S;
    set_condition(def, ADRENO_NE);
    def->refs[1] = adreno_number(0, adreno_is_half_class(b.rc));
    fold_test(o, def);
}

/* Makes the boolean a predicate; false if others read it, or it is none. */
static bool
may_be_predicate(const adreno_opt *o, const ir_instr *logic, ir_ref r)
{
    const ir_instr *def = cg_single_def(&o->uses, r);
    return is_comparison(def) && def->block == logic->block;
}

static ir_ref
make_predicate(adreno_opt *o, ir_ref r)
{
    ir_instr *def = cg_def_of(&o->uses, r);
    def->defs[0].rc = ADRENO_P1;
    o->f->values[r.id].type = ADRENO_P1;
    return ir_use(o->f, r.id);
}

/* A branch on a and b, or on a or b, tests both. */
static void
fold_two_tests(adreno_opt *o, ir_instr *br)
{
    ir_instr *def = own_predicate(o, br);
    if (!def || (def->op != ADRENO_AND_B && def->op != ADRENO_OR_B) || ir_words(def)[0] ||
        o->p->target->predicates < 2 || !may_be_predicate(o, def, def->refs[0]) ||
        !may_be_predicate(o, def, def->refs[1]))
        return;
    const ir_ref both[] = {make_predicate(o, def->refs[0]), make_predicate(o, def->refs[1])};
    const bool inverted = adreno_attr(br, 0, ADRENO_M_INV, 1);
    const bool all = (def->op == ADRENO_AND_B) != inverted;
    cg_add_ref(&o->uses, br);
    cg_set_refs(&o->uses, br, 2, both);
    br->op = all ? ADRENO_BRAA : ADRENO_BRAO;
}

void
adreno_opt_fold_boolean(adreno_opt *o, ir_instr *i)
{
    if (i->op == ADRENO_BR) {
        fold_branch_inversion(o, i);
        fold_two_tests(o, i);
        return;
    }
    while (fold_test(o, i) || fold_size(o, i))
        continue;
    fold_choice(o, i);
}
