/* pair_f32: two operations on 32-bit floats become one packed instruction, where the target has
 * them (CDNA 2 and 3 ISA, "Packed math": v_pk_fma_f32, v_pk_mul_f32, v_pk_add_f32).
 *
 *     v1: %5 = v_fma_f32 %1, %9, %3              v2: %7 = v_pk_fma_f32 %10, %9, %11
 *     v1: %6 = v_fma_f32 %2, %9, %4         ->   v4: %8 = p_create_vector %7, ...
 *     v4: %8 = p_create_vector %5, %6, ...
 *
 * A packed instruction reads pairs of registers. Its op_sel bits choose for each of its two
 * operations which register of each pair is read, so a pair of numbers in place, in either order,
 * or one of them twice, cost nothing; two registers that are put together may cost moves. Vectors
 * that are created, as stores do, say which numbers are in one pair of registers anyway. From their
 * neighbours the plan follows the operands: two operations whose packed instruction is the same are
 * a node, and so are two neighbours of a vector that is split, such as what was loaded.
 *
 * A node stands only if nothing but nodes and vectors reads its two numbers, since another reader
 * needs copies of them, and if all its operands are pairs: a node, a number that is read twice, or
 * two numbers that nothing else reads, which allocation puts side by side. What does not stand is
 * taken away, with what depends on it, in a bounded number of rounds. Time is linear.
 */
#include "amd/amd.h"
#include "amd/isa/table/table.h"
#include "cg/uses.h"

#include <string.h>

enum { MAX_DEPTH = 24, ROUNDS = 12, MAX_SOURCES = 3 };

typedef struct pair_row {
    uint16_t op, packed;
    uint8_t negates; /* the source that the packed instruction negates besides; NONE */
} pair_row;

enum { NONE = 3 };

static const pair_row rows[] = {
    {AMD_V_ADD_F32, AMD_V_PK_ADD_F32, NONE}, {AMD_V_SUB_F32, AMD_V_PK_ADD_F32, 1},
    {AMD_V_SUBREV_F32, AMD_V_PK_ADD_F32, 0}, {AMD_V_MUL_F32, AMD_V_PK_MUL_F32, NONE},
    {AMD_V_FMA_F32, AMD_V_PK_FMA_F32, NONE},
};

/* Two numbers that shall be in a pair of registers: results of operations, or neighbours of a
 * vector that `low` and `high`, the same instruction then, splits. */
typedef struct node {
    ir_instr *low, *high;
    uint32_t ids[2];
    bool swapped; /* the first two sources of `high` are exchanged */
    bool stands, made;
    ir_ref whole; /* the pair, once it is made */
} node;

typedef struct pairing {
    ir_fn *f;
    cg_uses uses;
    uint32_t n_values; /* those that were there before */
    uint32_t *at;      /* by value: the node's number + 1, times 2, plus 1 for the high one; or 0 */
    uint32_t *covered; /* by value: uses by nodes that stand, and by vectors */
    ir_ref *doubled;   /* by value: the pair of SGPRs whose low one it is, or none */
    node *nodes;
    size_t n_nodes, cap_nodes;
} pairing;

/* ---- the plan ---- */

/* The row of a plain operation: its only modifiers are signs. */
static const pair_row *
row_of(const ir_instr *i)
{
    if (i->n_defs != 1 || amd_form_ext(i) || i->defs[0].flags & IR_FIXED)
        return NULL;
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (rows[r].op == i->op)
            return ir_words(i)[0] >> AMD_MOD_ABS || ir_words(i)[1] || ir_words(i)[2] ? NULL
                                                                                     : &rows[r];
    }
    return NULL;
}

static bool
is_number(ir_ref r)
{
    return ir_is_value(r) && !(r.flags & IR_FIXED) && r.rc == AMD_V1;
}

/* Finds the aligned pair of the registers of a vector that the number is in. */
static bool
find_neighbours(const ir_instr *split, uint32_t id, uint32_t pair[2])
{
    unsigned dword = 0;
    if (split->op != AMD_P_SPLIT_VECTOR || !amd_rc_is_vgpr(split->refs[0].rc) ||
        amd_rc_is_linear(split->refs[0].rc))
        return false;
    for (unsigned d = 0; d + 1 < split->n_defs; d++) {
        bool dwords = split->defs[d].rc == AMD_V1 && split->defs[d + 1].rc == AMD_V1;
        pair[0] = split->defs[d].id;
        pair[1] = split->defs[d + 1].id;
        if (dwords && dword % 2 == 0 && (pair[0] == id || pair[1] == id))
            return true;
        dword += amd_rc_regs(split->defs[d].rc);
    }
    return false;
}

/* Are the numbers, which may be one, in such a pair? */
static bool
are_neighbours(const ir_instr *split, uint32_t a, uint32_t b)
{
    uint32_t pair[2];
    return find_neighbours(split, a, pair) && (b == pair[0] || b == pair[1]);
}

static ir_ref
source_of(const node *n, bool high, unsigned k)
{
    return high ? n->high->refs[n->swapped && k < 2 ? 1 - k : k] : n->low->refs[k];
}

static void
add_node(pairing *p, node n)
{
    p->nodes = arena_grow(p->f->ctx->scratch, p->nodes, &p->cap_nodes, p->n_nodes + 1, sizeof n);
    p->nodes[p->n_nodes++] = n;
    for (unsigned h = 0; h < 2; h++)
        p->at[n.ids[h]] = (uint32_t)p->n_nodes * 2 + h;
}

/* Are two sources the same number, constant, or neighbours? Then they should be read together. */
static bool
fits(const pairing *p, ir_ref a, ir_ref b)
{
    const ir_instr *x = cg_def_of(&p->uses, a), *y = cg_def_of(&p->uses, b);
    if (!x || !y)
        return a.kind == b.kind && a.id == b.id;
    return a.id == b.id || (x == y && are_neighbours(x, a.id, b.id)) || x->op == y->op;
}

/* Plans the node of two numbers, and of what they are computed from. */
static void
plan(pairing *p, ir_ref a, ir_ref b, unsigned depth)
{
    if (!is_number(a) || !is_number(b) || p->at[a.id] || p->at[b.id])
        return;
    ir_instr *x = p->f->values[a.id].def, *y = p->f->values[b.id].def;
    node n = {.low = x, .high = y, .ids = {a.id, b.id}, .stands = true};
    if (x == y) {
        if (are_neighbours(x, a.id, b.id) && find_neighbours(x, a.id, n.ids))
            add_node(p, n);
        return;
    }
    const pair_row *r = row_of(x), *o = row_of(y);
    if (!r || !o || r->packed != o->packed || x->block != y->block || depth == MAX_DEPTH)
        return;
    n.swapped = r == o && r->negates == NONE && fits(p, x->refs[0], y->refs[1]) &&
                fits(p, x->refs[1], y->refs[0]) &&
                !(fits(p, x->refs[0], y->refs[0]) && fits(p, x->refs[1], y->refs[1]));
    add_node(p, n);
    for (unsigned k = 0; k < x->n_refs; k++)
        plan(p, source_of(&n, false, k), source_of(&n, true, k), depth + 1);
}

static bool
is_root(const ir_instr *i)
{
    return i->op == AMD_P_CREATE_VECTOR && amd_rc_is_vgpr(i->defs[0].rc) &&
           !amd_rc_is_linear(i->defs[0].rc);
}

/* Calls `visit` for each aligned pair of dwords of a vector. */
static void
each_pair(pairing *p, ir_instr *root, void (*visit)(pairing *, ir_ref, ir_ref))
{
    unsigned dword = 0;
    for (unsigned k = 0; k + 1 < root->n_refs; k++) {
        if (dword % 2 == 0 && is_number(root->refs[k]) && is_number(root->refs[k + 1]))
            visit(p, root->refs[k], root->refs[k + 1]);
        dword += amd_rc_regs(root->refs[k].rc);
    }
}

static void
plan_root(pairing *p, ir_ref a, ir_ref b)
{
    plan(p, a, b, 0);
}

/* ---- what stands ---- */

static node *
node_at(const pairing *p, uint32_t id)
{
    uint32_t at = id < p->n_values ? p->at[id] : 0;
    return at && p->nodes[at / 2 - 1].stands ? &p->nodes[at / 2 - 1] : NULL;
}

/* How two sources of a node are read as a pair. */
typedef enum reading {
    IMPOSSIBLE,
    CONSTANT, /* both the same, inline */
    SCALAR,   /* both the same SGPR */
    NODE,     /* results of one node, in any order */
    TWICE,    /* a number that nothing else reads, twice */
    GATHERED, /* two numbers that nothing else reads */
} reading;

/* May allocation choose the register of the number? A part of a vector has its place. */
static bool
is_free(const pairing *p, ir_ref r)
{
    const ir_instr *def = p->f->values[r.id].def;
    return !node_at(p, r.id) && amd_op_row((amd_op)def->op);
}

static reading
how(const pairing *p, ir_ref a, ir_ref b)
{
    amd_gen gen = amd_prog(p->f)->target->gen;
    if (a.kind == IR_REF_CONST)
        return b.kind == a.kind && a.id == b.id && !amd_is_literal(gen, a, AMD_T_V2F32)
                   ? CONSTANT
                   : IMPOSSIBLE;
    if (!ir_is_value(a) || !ir_is_value(b) || (a.flags | b.flags) & IR_FIXED)
        return IMPOSSIBLE;
    if (a.rc == AMD_S1)
        return a.id == b.id ? SCALAR : IMPOSSIBLE;
    if (a.rc != AMD_V1 || b.rc != AMD_V1)
        return IMPOSSIBLE;
    if (node_at(p, a.id) && node_at(p, a.id) == node_at(p, b.id))
        return NODE;
    uint32_t readers = p->uses.count[a.id];
    if (a.id == b.id)
        return readers == 2 && !node_at(p, a.id) ? TWICE : IMPOSSIBLE;
    return readers == 1 && p->uses.count[b.id] == 1 && is_free(p, a) && is_free(p, b) ? GATHERED
                                                                                      : IMPOSSIBLE;
}

static void
cover(pairing *p, ir_ref a, ir_ref b)
{
    const node *n = node_at(p, a.id);
    if (n && n->ids[0] == a.id && n->ids[1] == b.id) {
        p->covered[a.id]++;
        p->covered[b.id]++;
    }
}

/* Counts the uses by the node, which falls if a source cannot be read. Only one of the sources may
 * be scalar: one is all that the constant bus has on gfx9 (CDNA 2 ISA, "Vector instruction
 * operands"). */
static void
cover_sources(pairing *p, node *n)
{
    uint32_t scalar = 0;
    for (unsigned k = 0; n->low != n->high && k < n->low->n_refs; k++) {
        ir_ref a = source_of(n, false, k), b = source_of(n, true, k);
        reading r = how(p, a, b);
        bool second = r == SCALAR && scalar && scalar != a.id;
        scalar = r == SCALAR ? a.id : scalar;
        if (r == IMPOSSIBLE || second) {
            n->stands = false;
            return;
        }
        if (r == NODE) {
            p->covered[a.id]++;
            p->covered[b.id]++;
        }
    }
}

static void
cover_all(pairing *p)
{
    memset(p->covered, 0, p->n_values * sizeof *p->covered);
    IR_FOREACH_INSTR_OF(i, p->f) {
        if (is_root(i))
            each_pair(p, i, cover);
    }
    for (size_t k = 0; k < p->n_nodes; k++) {
        if (p->nodes[k].stands)
            cover_sources(p, &p->nodes[k]);
    }
}

static size_t
count_standing(const pairing *p)
{
    size_t n = 0;
    for (size_t k = 0; k < p->n_nodes; k++)
        n += p->nodes[k].stands;
    return n;
}

/* Takes away what does not stand; true if that was anything. */
static bool
fell(pairing *p)
{
    size_t before = count_standing(p);
    cover_all(p);
    for (size_t k = 0; k < p->n_nodes; k++) {
        node *n = &p->nodes[k];
        for (unsigned h = 0; h < 2; h++)
            n->stands &= p->covered[n->ids[h]] == p->uses.count[n->ids[h]];
    }
    return count_standing(p) != before;
}

/* Returns true if operations are left to be paired. */
static bool
settle(pairing *p)
{
    unsigned round = 0;
    while (fell(p)) {
        if (++round == ROUNDS)
            return false;
    }
    bool any = false;
    for (size_t k = 0; k < p->n_nodes; k++)
        any |= p->nodes[k].stands && p->nodes[k].low != p->nodes[k].high;
    return any;
}

/* ---- changing the program ---- */

static ir_ref
create(pairing *p, ir_instr *before, unsigned rc, ir_ref a, ir_ref b)
{
    ir_instr *i = amd_new(p->f, AMD_P_CREATE_VECTOR, 1, 2);
    i->refs[0] = a;
    i->refs[1] = b;
    i->loc = before->loc;
    ir_insert_before(before, i);
    return ir_define(p->f, i, 0, (ir_type)rc);
}

/* The pair of neighbours that begins with definition `d` of a split, or NULL. */
static node *
pair_of(const pairing *p, const ir_instr *split, unsigned d)
{
    node *n = node_at(p, split->defs[d].id);
    return n && n->low == split && n->ids[0] == split->defs[d].id ? n : NULL;
}

/* The pair of SGPRs that begins with the scalar, made behind its definition for all that read it.
 */
static ir_ref
scalar_pair(pairing *p, ir_ref s)
{
    ir_ref *pair = &p->doubled[s.id];
    ir_instr *behind = p->f->values[s.id].def->next;
    while (behind->op == AMD_P_PHI || behind->op == AMD_P_LINEAR_PHI)
        behind = behind->next;
    if (!ir_is_value(*pair))
        *pair = create(p, behind, AMD_S2, s, amd_undef(AMD_S1));
    return *pair;
}

/* Splits the vector into pairs where nodes want them; a vector that is one pair is not split. */
static void
split_in_pairs(pairing *p, ir_instr *old)
{
    unsigned pairs = 0, n = 0;
    for (unsigned d = 0; d < old->n_defs; d++)
        pairs += pair_of(p, old, d) != NULL;
    ir_instr *split = amd_new(p->f, AMD_P_SPLIT_VECTOR, old->n_defs - pairs, 1);
    bool whole = split->n_defs == 1;
    split->refs[0] = old->refs[0];
    split->loc = old->loc;
    for (unsigned d = 0; d < old->n_defs; d++) {
        node *pair = pair_of(p, old, d);
        if (pair) {
            pair->whole = whole ? old->refs[0] : ir_define(p->f, split, n, AMD_V2);
            pair->made = true;
            d++;
        } else {
            split->defs[n] = old->defs[d];
            p->f->values[old->defs[d].id].def = split;
        }
        n++;
    }
    if (!whole)
        ir_insert_before(old, split);
    ir_unlink(old);
}

/* A source of the packed instruction, and which of its registers each operation reads. */
static ir_ref
make_source(pairing *p, ir_instr *at, ir_ref a, ir_ref b, bool reads_high[2])
{
    const node *n = NULL;
    reads_high[0] = false;
    reads_high[1] = false;
    switch (how(p, a, b)) {
    case CONSTANT: return a; /* LLVM reads both from the low dword, too */
    case SCALAR: return scalar_pair(p, a);
    case TWICE: return create(p, at, AMD_V2, a, amd_undef(AMD_V1));
    case NODE:
        n = node_at(p, a.id);
        reads_high[0] = n->ids[1] == a.id;
        reads_high[1] = n->ids[1] == b.id;
        return n->whole;
    default: reads_high[1] = true; return create(p, at, AMD_V2, a, b);
    }
}

/* The signs of the sources, as bits. */
static uint32_t
signs_of(const node *n, bool high)
{
    const ir_instr *i = high ? n->high : n->low;
    const pair_row *r = row_of(i);
    uint32_t own = ir_words(i)[0] ^ (r->negates == NONE ? 0 : 1u << r->negates);
    if (high && n->swapped)
        own = (own & ~3u) | (own & 1) << 1 | (own >> 1 & 1);
    return own;
}

static void
make_operation(pairing *p, node *n)
{
    ir_instr *at = n->low->mark > n->high->mark ? n->low : n->high;
    unsigned count = n->low->n_refs;
    ir_instr *i = amd_new(p->f, row_of(n->low)->packed, 1, count);
    uint32_t words = signs_of(n, false) << AMD_MOD_NEG | signs_of(n, true) << AMD_MOD_NEG_HI;
    for (unsigned k = 0; k < count; k++) {
        bool high[2];
        i->refs[k] = make_source(p, at, source_of(n, false, k), source_of(n, true, k), high);
        words |= (uint32_t)high[0] << (AMD_MOD_OPSEL + k);
        words |= (uint32_t)high[1] << (AMD_MOD_OPSEL_HI + k);
    }
    ir_words(i)[0] = words;
    i->loc = at->loc;
    ir_insert_before(at, i);
    n->whole = ir_define(p->f, i, 0, AMD_V2);
    ir_unlink(n->low);
    ir_unlink(n->high);
}

/* Makes the node's instruction, behind those of its sources. */
static void
make(pairing *p, node *n)
{
    if (n->made)
        return;
    n->made = true;
    if (n->low == n->high) {
        split_in_pairs(p, n->low);
        return;
    }
    for (unsigned k = 0; k < n->low->n_refs; k++) {
        ir_ref a = source_of(n, false, k), b = source_of(n, true, k);
        if (how(p, a, b) == NODE)
            make(p, node_at(p, a.id));
    }
    make_operation(p, n);
}

/* The vector is created of pairs. */
static void
join_root(pairing *p, ir_instr *root)
{
    unsigned n = 0;
    for (unsigned k = 0; k < root->n_refs; k++) {
        ir_ref r = root->refs[k];
        node *pair = is_number(r) ? node_at(p, r.id) : NULL;
        bool whole = pair && pair->ids[0] == r.id && k + 1 < root->n_refs &&
                     root->refs[k + 1].id == pair->ids[1];
        if (whole) {
            make(p, pair);
            r = pair->whole;
            k++;
        }
        root->refs[n++] = r;
    }
    root->n_refs = (uint16_t)n;
}

static void
number_instrs(ir_fn *f)
{
    uint32_t position = 0;
    IR_FOREACH_INSTR_OF(i, f)
        i->mark = ++position;
}

static void
pair_all(pairing *p)
{
    number_instrs(p->f);
    for (size_t k = 0; k < p->n_nodes; k++) {
        if (p->nodes[k].stands)
            make(p, &p->nodes[k]);
    }
    IR_FOREACH_INSTR_OF(i, p->f) {
        if (is_root(i))
            join_root(p, i);
    }
}

void
amd_pair_f32(ir_fn *f)
{
    if (!amd_op_exists(AMD_V_PK_FMA_F32, amd_prog(f)->target->gen))
        return;
    arena_mark mark = arena_save(f->ctx->scratch);
    pairing p = {.f = f, .n_values = f->n_values};
    p.uses = cg_count_uses(f, f->ctx->scratch);
    p.at = ARENA_ARRAY(f->ctx->scratch, f->n_values, uint32_t);
    p.doubled = ARENA_ARRAY(f->ctx->scratch, f->n_values, ir_ref);
    p.covered = ARENA_ARRAY(f->ctx->scratch, f->n_values, uint32_t);
    IR_FOREACH_INSTR_OF(i, f) {
        if (is_root(i))
            each_pair(&p, i, plan_root);
    }
    if (p.n_nodes && settle(&p) && ir_may_change(f->ctx))
        pair_all(&p);
    arena_release(f->ctx->scratch, mark);
}
