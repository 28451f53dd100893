/* Algebraic rules. Each is exact: the result has the same bits for all operands, NaN and denormal
 * numbers among them. */
#include "r600/opt/gvn.h"

static bool
is_const(const tree_operand *o, uint32_t bits)
{
    return o->kind == TREE_CONST && o->id == bits;
}

static bool
is_plain(const tree_slot *s)
{
    return !s->clamp && !s->omod;
}

static void
become(tree_slot *s, unsigned op, tree_operand a, tree_operand b, tree_operand c)
{
    s->op = (uint16_t)op;
    s->src[0] = a;
    s->src[1] = b;
    s->src[2] = c;
}

static bool
become_move(tree_slot *s, tree_operand a)
{
    s->op = R600_MOV;
    s->src[0] = a;
    return true;
}

/* ---- comparisons ---- */

/* Forms of a comparison: all ones, 1.0, lanes. */
typedef struct compare {
    uint16_t mask, one, pred;
    uint16_t inverse; /* the mask of the opposite; 0: there is none for NaN */
    bool swaps;       /* the opposite has its operands exchanged */
    bool holds_for_equal;
} compare;

static const compare compares[] = {
    {R600_SETE_DX10, R600_SETE, R600_PRED_SETE, R600_SETNE_DX10, false, true},
    {R600_SETNE_DX10, R600_SETNE, R600_PRED_SETNE, R600_SETE_DX10, false, false},
    {R600_SETGT_DX10, R600_SETGT, R600_PRED_SETGT, 0, false, false},
    {R600_SETGE_DX10, R600_SETGE, R600_PRED_SETGE, 0, false, true},
    {R600_SETE_INT, 0, R600_PRED_SETE_INT, R600_SETNE_INT, false, true},
    {R600_SETNE_INT, 0, R600_PRED_SETNE_INT, R600_SETE_INT, false, false},
    {R600_SETGT_INT, 0, R600_PRED_SETGT_INT, R600_SETGE_INT, true, false},
    {R600_SETGE_INT, 0, R600_PRED_SETGE_INT, R600_SETGT_INT, true, true},
    {R600_SETGT_UINT, 0, R600_PRED_SETGT_UINT, R600_SETGE_UINT, true, false},
    {R600_SETGE_UINT, 0, R600_PRED_SETGE_UINT, R600_SETGT_UINT, true, true},
};

static const compare *
find_compare(unsigned op)
{
    for (unsigned i = 0; i < sizeof compares / sizeof *compares; i++)
        if (compares[i].mask == op)
            return &compares[i];
    return NULL;
}

/* The comparison whose mask the operand is. */
static const compare *
mask_of(const gvn *g, const tree_operand *o, tree_slot **def)
{
    *def = o->mods ? NULL : r600_gvn_def(g, o);
    return *def && is_plain(*def) ? find_compare((*def)->op) : NULL;
}

/* If `s` compares a mask with zero, the other operand. */
static const tree_operand *
tested(const tree_slot *s)
{
    return is_const(&s->src[1], 0) ? &s->src[0] : is_const(&s->src[0], 0) ? &s->src[1] : NULL;
}

/* Comparing a mask with zero is the comparison, or its opposite. */
static bool
simplify_test(const gvn *g, tree_slot *s)
{
    const bool is_pred = s->op == R600_PRED_SETNE_INT || s->op == R600_PRED_SETE_INT;
    const bool is_equal = s->op == R600_PRED_SETE_INT || s->op == R600_SETE_INT;
    if (!is_pred && s->op != R600_SETNE_INT && s->op != R600_SETE_INT)
        return false;
    const tree_operand *o = tested(s);
    tree_slot *def;
    const compare *c = o ? mask_of(g, o, &def) : NULL;
    if (!c || (is_equal && !c->inverse))
        return false;
    const compare *d = is_equal ? find_compare(c->inverse) : c;
    const bool swaps = is_equal && c->swaps;
    become(s, is_pred ? d->pred : d->mask, def->src[swaps], def->src[!swaps], s->src[2]);
    return true;
}

/* A mask and 1.0 are the comparison's other form. */
static bool
simplify_and(const gvn *g, tree_slot *s)
{
    tree_slot *def;
    for (unsigned k = 0; k < 2; k++) {
        const compare *c = is_const(&s->src[!k], 0x3f800000) ? mask_of(g, &s->src[k], &def) : NULL;
        if (!c || !c->one)
            continue;
        become(s, c->one, def->src[0], def->src[1], s->src[2]);
        return true;
    }
    return false;
}

/* CNDE_INT of a comparison with zero is another selection. */
static bool
simplify_select(const gvn *g, tree_node *n)
{
    tree_slot *s = n->slots, *def;
    const tree_operand no = s->src[1], yes = s->src[2];
    const compare *c = mask_of(g, &s->src[0], &def);
    if (r600_tree_same(&no, &yes) && is_plain(s))
        return become_move(s, no);
    if (!c)
        return false;
    const bool zero_second = is_const(&def->src[1], 0), zero_first = is_const(&def->src[0], 0);
    tree_operand a = def->src[zero_second ? 0 : 1];
    if ((!zero_first && !zero_second) || a.mods & TREE_ABS || a.kind == TREE_CONST)
        return false;
    if (a.kind == TREE_UNDEF && is_plain(s)) /* which is 0 everywhere */
        return become_move(s, c->holds_for_equal ? yes : no);
    switch (c->mask) {
    case R600_SETE_DX10: become(s, R600_CNDE, a, yes, no); return true;
    case R600_SETNE_DX10: become(s, R600_CNDE, a, no, yes); return true;
    case R600_SETE_INT: become(s, R600_CNDE_INT, a, yes, no); return true;
    case R600_SETNE_INT: become(s, R600_CNDE_INT, a, no, yes); return true;
    case R600_SETGT_DX10:
        a.mods ^= zero_second ? 0 : TREE_NEG;
        become(s, R600_CNDGT, a, yes, no);
        return true;
    case R600_SETGE_DX10:
        a.mods ^= zero_second ? 0 : TREE_NEG;
        become(s, R600_CNDGE, a, yes, no);
        return true;
    case R600_SETGT_INT:
        become(s, zero_second ? R600_CNDGT_INT : R600_CNDGE_INT, a, zero_second ? yes : no,
               zero_second ? no : yes);
        return true;
    case R600_SETGE_INT:
        become(s, zero_second ? R600_CNDGE_INT : R600_CNDGT_INT, a, zero_second ? yes : no,
               zero_second ? no : yes);
        return true;
    default: return false;
    }
}

/* ---- integers ---- */

static bool
fold(unsigned op, uint32_t a, uint32_t b, uint32_t *out)
{
    switch (op) {
    case R600_ADD_INT: *out = a + b; return true;
    case R600_SUB_INT: *out = a - b; return true;
    case R600_AND_INT: *out = a & b; return true;
    case R600_OR_INT: *out = a | b; return true;
    case R600_XOR_INT: *out = a ^ b; return true;
    case R600_LSHL_INT: *out = a << (b & 31); return b < 32;
    case R600_LSHR_INT: *out = a >> (b & 31); return b < 32;
    default: return false;
    }
}

static bool
simplify_int(tree_slot *s)
{
    const tree_operand a = s->src[0], b = s->src[1];
    uint32_t bits;
    if (a.kind == TREE_CONST && b.kind == TREE_CONST && is_plain(s) &&
        fold(s->op, a.id, b.id, &bits))
        return become_move(s, r600_tree_const(bits));
    switch (s->op) {
    case R600_ADD_INT:
    case R600_OR_INT:
    case R600_XOR_INT:
        return is_const(&b, 0) ? become_move(s, a) : is_const(&a, 0) && become_move(s, b);
    case R600_SUB_INT:
    case R600_LSHL_INT:
    case R600_LSHR_INT:
    case R600_ASHR_INT: return is_const(&b, 0) && become_move(s, a);
    case R600_AND_INT:
        if (is_const(&a, 0) || is_const(&b, 0))
            return become_move(s, r600_tree_const(0));
        return is_const(&b, UINT32_MAX) ? become_move(s, a)
                                        : is_const(&a, UINT32_MAX) && become_move(s, b);
    default: return false;
    }
}

/* ---- floats ---- */

/* A product and a sum: MULADD rounds the product as MUL does. */
static bool
join_muladd(const gvn *g, tree_node *n)
{
    tree_slot *s = n->slots;
    for (unsigned k = 0; k < 2; k++) {
        const tree_operand *o = &s->src[k];
        const tree_slot *def = r600_gvn_def(g, o);
        const bool is_ieee = def && def->op == R600_MUL_IEEE;
        if (!def || (!is_ieee && def->op != R600_MUL) || !is_plain(def) || s->omod ||
            g->uses[o->id] > 1 || o->mods & TREE_ABS ||
            (def->src[0].mods | def->src[1].mods | s->src[!k].mods) & TREE_ABS)
            continue;
        tree_node trial = *n;
        tree_slot joined = *s;
        tree_operand a = def->src[0];
        if (a.kind == TREE_CONST)
            a.id ^= o->mods & TREE_NEG ? 0x80000000 : 0;
        else
            a.mods ^= o->mods & TREE_NEG;
        become(&joined, is_ieee ? R600_MULADD_IEEE : R600_MULADD, a, def->src[1], s->src[!k]);
        trial.slots = &joined;
        if (!r600_gvn_can_read(g, &trial, 0, 0, &joined.src[0]) ||
            !r600_gvn_can_read(g, &trial, 0, 1, &joined.src[1]) ||
            !r600_gvn_can_read(g, &trial, 0, 2, &joined.src[2]))
            continue;
        *s = joined;
        return true;
    }
    return false;
}

/* A move that clamps what nothing else uses: its definition can clamp. */
static bool
join_clamp(const gvn *g, tree_slot *s)
{
    tree_slot *def = r600_gvn_def(g, &s->src[0]);
    if (!s->clamp || s->omod || s->src[0].mods || !def || g->uses[s->src[0].id] > 1 ||
        !r600_tree_is_float(def->op) || def->op == R600_MOV ||
        (def->op >= R600_SETE_DX10 && def->op <= R600_SETNE_DX10) ||
        (def->op >= R600_CNDE && def->op <= R600_CNDGE))
        return false;
    def->clamp = 1;
    s->clamp = 0;
    return true;
}

bool
r600_gvn_simplify(gvn *g, tree_node *n)
{
    tree_slot *s = n->slots;
    switch (s->op) {
    case R600_CNDE_INT: return simplify_select(g, n);
    case R600_SETE_INT:
    case R600_SETNE_INT:
    case R600_PRED_SETE_INT:
    case R600_PRED_SETNE_INT: return simplify_test(g, s);
    case R600_AND_INT: return (is_plain(s) && simplify_and(g, s)) || simplify_int(s);
    case R600_ADD: return join_muladd(g, n);
    case R600_MOV: return join_clamp(g, s);
    default: return simplify_int(s);
    }
}
