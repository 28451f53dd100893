/* Combines two instructions into one: the engine for rules.def.
 *
 * The inner instruction's result has one use, in the outer one. The combined instruction takes the
 * outer one's position, and the inner one is removed. Whether a target has the combined instruction
 * is asked of its row in isa/ops.def, so no rule names a generation.
 *
 * The rules lie in one array; an empty row stands before those of each outer opcode, and ends those
 * of the one before.
 */
#include "amd/opt/combine.h"

#include "cg/combine.h"

/* Flags; bits 7:4 are SHIFT's constant. */
enum { SCC = 1 };
#define SHIFT(n) ((n) << 4)

typedef struct mopt_rule {
    mopt_special *special; /* if not NULL: the whole rule */
    cg_rule regular;
} mopt_rule;

static const mopt_rule rules[] = {
#define OUTER(opcode) {0},
#define RULE(inner, fused, places, a, b, c, flags)                                                 \
    {NULL, {AMD_##inner, AMD_##fused, CG_##places, {CG_##a, CG_##b, CG_##c}, flags}},
#define SPECIAL(function) {.special = function},
#include "amd/opt/rules.def"
#undef OUTER
#undef RULE
#undef SPECIAL
    {0},
};

/* The rows are counted; the row of an outer opcode gets a name. */
#define JOIN(a, b)    a##b
#define LINE_NAME(n)  JOIN(ROW_AT_LINE_, n)
#define OUTER(opcode) AT_##opcode,
#define RULE(...)     LINE_NAME(__LINE__),
#define SPECIAL(...)  LINE_NAME(__LINE__),
enum {
#include "amd/opt/rules.def"
    ROWS
};
#undef OUTER
#undef RULE
#undef SPECIAL

/* By outer opcode: the first of its rules; 0: it has none. */
static const uint16_t rules_of[AMD_OP_COUNT] = {
#define OUTER(opcode) [AMD_##opcode] = AT_##opcode + 1,
#define RULE(...)
#define SPECIAL(...)
#include "amd/opt/rules.def"
};
#undef OUTER
#undef RULE
#undef SPECIAL

/* v_add_co_u32 and v_sub_co_u32 whose carry nothing reads are v_add_nc_u32 and v_sub_nc_u32, which
 * older targets do not have. */
static unsigned
plain_op(const mopt_ctx *c, const ir_instr *i)
{
    bool add = i->op == AMD_V_ADD_CO_U32, sub = i->op == AMD_V_SUB_CO_U32;
    if ((!add && !sub) || i->n_defs != 2 || c->uses.count[i->defs[1].id])
        return i->op;
    return add ? AMD_V_ADD_NC_U32 : AMD_V_SUB_NC_U32;
}

/* The combined instruction has one definition of the vector unit. */
static void
drop_carry(mopt_ctx *c, ir_instr *i)
{
    c->f->values[i->defs[1].id].def = NULL;
    ir_drop_defs(i, 1);
}

ir_instr *
amd_opt_inner(const mopt_ctx *c, const ir_instr *i, ir_ref r)
{
    ir_instr *inner = cg_single_def(&c->uses, r);
    return inner && !mopt_has_words(inner) && cg_can_move_refs(inner, i) ? inner : NULL;
}

/* A scalar instruction has room for one literal. */
static bool
scalar_legal(amd_gen gen, unsigned n, const ir_ref *refs)
{
    const ir_ref *literal = NULL;
    for (unsigned r = 0; r < n; r++) {
        if (!amd_is_literal(gen, refs[r], AMD_T_B32))
            continue;
        if (literal && literal->id != refs[r].id)
            return false;
        literal = &refs[r];
    }
    return true;
}

bool
amd_opt_become(mopt_ctx *c, ir_instr *i, unsigned op, unsigned n, const ir_ref *refs)
{
    bool vector = amd_words_of(op) == AMD_WORDS_VALU;
    amd_gen gen = c->p->target->gen;
    if (!mopt_exists(c, op) ||
        (vector ? !amd_sources_fit(gen, op, n, refs) : !scalar_legal(gen, n, refs)))
        return false;
    if (n > i->n_refs)
        cg_add_ref(&c->uses, i);
    cg_set_refs(&c->uses, i, n, refs);
    i->op = (uint16_t)op;
    return true;
}

bool
amd_opt_become_literal(mopt_ctx *c, ir_instr *i, unsigned op, const ir_ref refs[3],
                       const ir_instr *inner)
{
    enum { SOURCES = 3 };
    amd_gen gen = c->p->target->gen;
    ir_ref with[SOURCES] = {refs[0], refs[1], refs[2]}, number = inner->defs[0];
    unsigned at = 0;
    if (amd_opt_become(c, i, op, SOURCES, refs))
        return true;
    while (at < SOURCES && !amd_is_literal(gen, refs[at], AMD_T_B32))
        at++;
    if (at == SOURCES || !mopt_exists(c, op) || inner->n_defs != 1)
        return false;
    number.rc = AMD_S1;
    number.flags = 0;
    with[at] = number;
    if (!amd_sources_fit(gen, op, SOURCES, with))
        return false;
    with[at] = amd_const(0); /* until `inner` is gone */
    if (SOURCES > i->n_refs)
        cg_add_ref(&c->uses, i);
    cg_set_refs(&c->uses, i, SOURCES, with);
    i->op = (uint16_t)op;
    ir_instr *copy = amd_new(c->f, AMD_P_PARALLELCOPY, 1, 1);
    copy->loc = i->loc;
    copy->refs[0] = refs[at];
    copy->defs[0] = number;
    ir_unlink(c->f->values[number.id].def);
    c->f->values[number.id] = (ir_value){.def = copy, .type = AMD_S1};
    ir_insert_before(i, copy);
    i->refs[at] = number;
    c->uses.count[number.id] = 1;
    return true;
}

/* ---- regular rules ---- */

/* The signs and absolute value of one source. */
enum { SIGNS = 1u << AMD_MOD_NEG | 1u << AMD_MOD_ABS };

/* Adds the modifiers that stay to those of the sources. False if there are others, or the combined
 * instruction has none: only the outer float's clamp and omod may stay. */
static bool
move_modifiers(const cg_match *m, uint32_t *word)
{
    const uint32_t output = 1u << AMD_MOD_CLAMP | 3u << AMD_MOD_OMOD;
    const uint32_t *outer = ir_words(m->outer), *inner = ir_words(m->inner);
    const amd_op_info *row = amd_op_row((amd_op)m->rule->op);
    bool has = mopt_has_words(m->outer), inner_has = mopt_has_words(m->inner);
    if (!has && !inner_has)
        return true;
    if (!(row->flags & AMD_F_NEG) || !(row->flags & AMD_F_CLAMP) ||
        (has && (outer[1] | outer[2])) ||
        (inner_has && (inner[1] | inner[2] | inner[0] >> AMD_MOD_NEG_HI)) ||
        (outer[0] & (uint32_t)SIGNS << m->at) || (outer[0] & ~output) >> AMD_MOD_NEG_HI)
        return false;
    *word |= outer[0] & output;
    return true;
}

/* The outer one's scc must be unused if the combined instruction computes a different one. */
static bool
scc_may_change(const mopt_ctx *c, const cg_match *m)
{
    const ir_instr *i = m->outer;
    return m->rule->flags & SCC || i->n_defs < 2 || plain_op(c, i) != i->op ||
           !c->uses.count[i->defs[1].id];
}

static bool
fuse(void *user, const cg_match *m)
{
    mopt_ctx *c = user;
    ir_instr *i = m->outer;
    const uint32_t shift = m->rule->flags >> 4;
    ir_ref refs[CG_SOURCES];
    uint32_t word;
    if (plain_op(c, m->inner) != m->rule->inner ||
        (shift && !mopt_is_const(m->inner->refs[1], shift)) || !scc_may_change(c, m))
        return false;
    const unsigned n = cg_find_sources(m, SIGNS, refs, &word);
    const bool carry = plain_op(c, i) != i->op;
    if (!move_modifiers(m, &word) || !amd_opt_become(c, i, m->rule->op, n, refs))
        return false;
    if (carry)
        drop_carry(c, i);
    if (i->n_words)
        ir_words(i)[0] = word;
    return true;
}

static bool
has_fixed(const ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (i->refs[r].flags & IR_FIXED)
            return true;
    }
    return false;
}

static bool
try_rule(mopt_ctx *c, ir_instr *i, const mopt_rule *rule)
{
    if (rule->special) {
        unsigned op = i->op;
        bool carry = plain_op(c, i) != op, done = rule->special(c, i);
        if (done && carry && i->op != op)
            drop_carry(c, i);
        return done;
    }
    return mopt_exists(c, rule->regular.op) && cg_apply_rule(&c->uses, &rule->regular, i, fuse, c);
}

bool
amd_opt_combine(mopt_ctx *c, ir_instr *i)
{
    const mopt_rule *rule = &rules[rules_of[plain_op(c, i)]];
    if (rule == rules || !i->n_refs || has_fixed(i)) /* no sources: another value stands for it */
        return false;
    for (; rule->special || rule->regular.op; rule++) {
        if (try_rule(c, i, rule))
            return true;
    }
    return false;
}
