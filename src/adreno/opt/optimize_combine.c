/* Combines two instructions into one: the engine for rules.def.
 *
 * The inner instruction's result has one use, in the outer one. The combined instruction takes the
 * outer one's position, and the inner one is removed. Whether a target has the combined instruction
 * is asked of its row in isa/ops.def. A result that is inverted where it is read is not
 * absorbed. */
#include "adreno/opt/combine.h"

#include "base/bits.h"

/* Sources of the new instruction's operands; places of the inner result. */
enum { IN_0, IN_1, OTHER };
enum { FIRST = 1, SECOND = 2, EITHER = 3 };

typedef struct opt_rule {
    uint16_t outer, inner, op;
    uint8_t at, order[3];
} opt_rule;

static const opt_rule rules[] = {
#define RULE(outer, inner, fused, places, a, b, c)                                                 \
    {ADRENO_##outer, ADRENO_##inner, ADRENO_##fused, places, {a, b, c}},
#include "adreno/opt/rules.def"
#undef RULE
};

/* The sources of a combined instruction, with bits of modifiers. */
typedef struct sources {
    ir_ref ref[3];
    uint32_t bits[3];
} sources;

static void
find_sources(const opt_rule *rule, const ir_instr *i, const ir_instr *inner, unsigned at,
             sources *s)
{
    for (unsigned k = 0; k < 3; k++) {
        const bool other = rule->order[k] == OTHER;
        const ir_instr *from = other ? i : inner;
        const unsigned r = other ? !at : rule->order[k];
        s->ref[k] = from->refs[r];
        s->bits[k] = adreno_operand_bits(from, r);
    }
}

/* A constant stands first where the first two sources may change places. */
static void
exchange(sources *s)
{
    const ir_ref second = s->ref[1];
    const uint32_t bits = s->bits[1];
    s->ref[1] = s->ref[0];
    s->bits[1] = s->bits[0];
    s->ref[0] = second;
    s->bits[0] = bits;
}

static bool
exists(const adreno_opt *o, const opt_rule *rule, const ir_instr *i)
{
    const adreno_op_info *row = adreno_op_row((adreno_op)rule->op);
    const bool either = row->format == ADRENO_FMT_CAT3_ALT;
    return adreno_op_exists((adreno_op)rule->op, o->p->target->chip->gen) &&
           (either || !(row->properties & ADRENO_HALF) != adreno_is_half_class(i->defs[0].rc));
}

/* Operations with a number that would have to stand in a register of its own gain nothing. */
static bool
has_place(unsigned op, unsigned k, ir_ref ref, uint32_t bits)
{
    enum { MAX_NUMBER = 0xfff };
    const bool file = bits >> ADRENO_M_CFILE & 1;
    const bool numbers = adreno_op_row((adreno_op)op)->properties & ADRENO_IMMEDIATES;
    if (bits & ~(1u << ADRENO_M_CFILE))
        return false;
    if (ref.kind != IR_REF_CONST)
        return true;
    if (numbers)
        return k != 1 && !file && ref.id <= MAX_NUMBER;
    return k != 1 && (file || !adreno_is_half_class(ref.rc));
}

static bool
have_places(unsigned op, const sources *s, const ir_instr *i)
{
    for (unsigned k = 0; k < 3; k++)
        if (!has_place(op, k, s->ref[k], s->bits[k]) ||
            !adreno_is_same_size(s->ref[k].rc, i->defs[0].rc) ||
            (k == 1 && adreno_is_shared_class(s->ref[k].rc)))
            return false;
    return true;
}

static bool
apply(adreno_opt *o, ir_instr *i, const opt_rule *rule, unsigned at)
{
    const ir_instr *inner = cg_single_def(&o->uses, i->refs[at]);
    sources s;
    if (!inner || inner->op != rule->inner || inner->n_defs != 1 || adreno_other_bits(inner) ||
        adreno_operand_bits(i, at) || inner->defs[0].rc != i->defs[0].rc ||
        !cg_can_move_refs(inner, i))
        return false;
    find_sources(rule, i, inner, at, &s);
    if (rule->order[0] == IN_0 && s.ref[1].kind == IR_REF_CONST)
        exchange(&s);
    if (!have_places(rule->op, &s, i))
        return false;
    cg_add_ref(&o->uses, i);
    i->op = rule->op;
    ir_words(i)[0] = 0;
    for (unsigned k = 0; k < 3; k++)
        adreno_set_operand_bits(i, k, s.bits[k]);
    cg_set_refs(&o->uses, i, 3, s.ref);
    return true;
}

bool
adreno_opt_combine(adreno_opt *o, ir_instr *i)
{
    if (i->n_refs != 2 || adreno_other_bits(i) || i->defs[0].rc >= ADRENO_P1)
        return false;
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        const opt_rule *rule = &rules[k];
        if (rule->outer == i->op && exists(o, rule, i) &&
            ((rule->at & FIRST && apply(o, i, rule, 0)) ||
             (rule->at & SECOND && apply(o, i, rule, 1))))
            return true;
    }
    return false;
}
