/* Instructions that only move bytes become one v_perm_b32.
 *
 *     v1: %2 = v_lshlrev_b32 8, %1
 *     v1: %3 = v_and_b32 0xff00ff00, %2
 *     v1: %4 = v_lshrrev_b32 8, %1
 *     v1: %5 = v_and_b32 0xff00ff, %4
 *     v1: %6 = v_or_b32 %3, %5           ->    v1: %6 = v_perm_b32 %1, %1, 0x2030001
 *
 * A walk from the "or" through what nothing else uses finds, for each byte of the result, the byte
 * of one of two numbers that it is, or that it is constant. v_perm_b32 chooses bytes 0 to 3 of its
 * second source by 0 to 3, those of the first by 4 to 7, 0 by 12 and 0xff by 13 (Vega ISA,
 * V_PERM_B32). It takes the place of two instructions besides the "or", because it has a literal,
 * or of one that is v_perm_b32 already.
 */
#include "amd/opt/combine.h"

enum { FROM_ZERO = 12, FROM_ONES = 13, MAX_DEPTH = 8, WORTH_A_LITERAL = 2 };

/* Where the bytes of a number come from: 0 to 3 of the first source, 4 to 7 of the second one,
 * FROM_ZERO, FROM_ONES. */
typedef struct byte_map {
    uint8_t at[4];
} byte_map;

typedef struct byte_walk {
    const mopt_ctx *c;
    const ir_instr *root;
    ir_ref source[2];
    unsigned n_sources;
    unsigned absorbed;    /* instructions that nothing needs any more */
    const ir_instr *last; /* of these, any */
    bool has_perm;        /* one of them is v_perm_b32 */
    bool in_shared;       /* the walk is in what others need, too */
} byte_walk;

static bool
read_number(byte_walk *w, ir_ref r, unsigned depth, byte_map *out);

/* The constant that `r` is, also if an SGPR has it; else `r`. */
static ir_ref
constant_of(const byte_walk *w, ir_ref r)
{
    const ir_instr *copy = cg_def_of(&w->c->uses, r);
    bool is = copy && copy->op == AMD_P_PARALLELCOPY && copy->n_refs == 1 &&
              copy->refs[0].kind == IR_REF_CONST;
    return is ? copy->refs[0] : r;
}

/* ---- what instructions do to bytes ---- */

static bool
join(byte_map *a, const byte_map *b)
{
    for (unsigned k = 0; k < 4; k++) {
        if (a->at[k] == FROM_ZERO || b->at[k] == FROM_ONES)
            a->at[k] = b->at[k];
        else if (b->at[k] != FROM_ZERO && a->at[k] != FROM_ONES && a->at[k] != b->at[k])
            return false;
    }
    return true;
}

/* `b` where the mask has ones, `a` elsewhere; false if the mask divides a byte. */
static bool
choose(byte_map *a, ir_ref mask, const byte_map *b)
{
    if (mask.kind != IR_REF_CONST)
        return false;
    for (unsigned k = 0; k < 4; k++) {
        uint32_t m = mask.id >> 8 * k & 0xff;
        if (m != 0 && m != 0xff)
            return false;
        a->at[k] = m ? b->at[k] : a->at[k];
    }
    return true;
}

/* Bytes `at` and on of `low` and `high`, which is above it. */
static byte_map
shifted(const byte_map *high, const byte_map *low, unsigned at)
{
    byte_map out;
    for (unsigned k = 0; k < 4; k++)
        out.at[k] = at + k < 4 ? low->at[at + k] : high->at[at + k - 4];
    return out;
}

static bool
is_bytes(ir_ref count)
{
    return count.kind == IR_REF_CONST && count.id < 32 && count.id % 8 == 0;
}

static const byte_map zeros = {{FROM_ZERO, FROM_ZERO, FROM_ZERO, FROM_ZERO}};

/* a & b, one of which is a constant. */
static bool
read_masked(byte_walk *w, const ir_ref *r, unsigned depth, byte_map *out)
{
    unsigned mask = r[0].kind != IR_REF_CONST;
    byte_map all;
    *out = zeros;
    return read_number(w, r[!mask], depth, &all) && choose(out, r[mask], &all);
}

static bool
read_left(byte_walk *w, ir_ref r, ir_ref count, unsigned depth, byte_map *out)
{
    byte_map all;
    if (!is_bytes(count) || !read_number(w, r, depth, &all))
        return false;
    *out = count.id ? shifted(&all, &zeros, 4 - count.id / 8) : all;
    return true;
}

static bool
read_right(byte_walk *w, ir_ref r, ir_ref count, unsigned depth, byte_map *out)
{
    byte_map all;
    if (!is_bytes(count) || !read_number(w, r, depth, &all))
        return false;
    *out = shifted(&zeros, &all, count.id / 8);
    return true;
}

static bool
read_field(byte_walk *w, const ir_ref *r, unsigned depth, byte_map *out)
{
    if (!is_bytes(r[2]) || !r[2].id || !read_right(w, r[0], r[1], depth, out))
        return false;
    for (unsigned k = r[2].id / 8; k < 4; k++)
        out->at[k] = FROM_ZERO;
    return true;
}

/* Those of v_perm_b32 that choose bytes or constants, not signs. */
static bool
read_permuted(byte_walk *w, const ir_ref *r, unsigned depth, byte_map *out)
{
    byte_map high, low;
    const ir_ref select = constant_of(w, r[2]);
    if (select.kind != IR_REF_CONST || !read_number(w, r[0], depth, &high) ||
        !read_number(w, r[1], depth, &low))
        return false;
    for (unsigned k = 0; k < 4; k++) {
        uint32_t by = select.id >> 8 * k & 0xff;
        if (by > 7 && by < FROM_ZERO)
            return false;
        if (by > 7)
            out->at[k] = by == FROM_ZERO ? FROM_ZERO : FROM_ONES;
        else
            out->at[k] = by > 3 ? high.at[by - 4] : low.at[by];
    }
    return true;
}

/* ---- the walk ---- */

/* The bytes of what `i` computes; false if it does more than move them. */
static bool
read_result(byte_walk *w, const ir_instr *i, unsigned depth, byte_map *out)
{
    const ir_ref *r = i->refs;
    byte_map more = zeros, third = zeros;
    switch (i->op) {
    case AMD_V_LSHLREV_B32: return read_left(w, r[1], r[0], depth, out);
    case AMD_V_LSHRREV_B32: return read_right(w, r[1], r[0], depth, out);
    case AMD_V_AND_B32: return read_masked(w, r, depth, out);
    case AMD_V_BFE_U32: return read_field(w, r, depth, out);
    case AMD_V_PERM_B32: return read_permuted(w, r, depth, out);
    case AMD_V_OR_B32:
    case AMD_V_OR3_B32:
        return read_number(w, r[0], depth, out) && read_number(w, r[1], depth, &more) &&
               (i->n_refs < 3 || read_number(w, r[2], depth, &third)) && join(out, &more) &&
               join(out, &third);
    case AMD_V_AND_OR_B32:
        return read_masked(w, r, depth, out) && read_number(w, r[2], depth, &more) &&
               join(out, &more);
    case AMD_V_LSHL_OR_B32:
        return read_left(w, r[0], r[1], depth, out) && read_number(w, r[2], depth, &more) &&
               join(out, &more);
    case AMD_V_BFI_B32:
        return read_number(w, r[2], depth, out) && read_number(w, r[1], depth, &more) &&
               choose(out, constant_of(w, r[0]), &more);
    default: return false;
    }
}

/* The bytes of a constant, or of a number that is one of the sources itself. */
static bool
read_source(byte_walk *w, ir_ref r, byte_map *out)
{
    unsigned s = 0;
    if (r.kind == IR_REF_CONST) {
        *out = zeros;
        return choose(out, r, &(byte_map){{FROM_ONES, FROM_ONES, FROM_ONES, FROM_ONES}});
    }
    while (s < w->n_sources && !ir_same_ref(w->source[s], r))
        s++;
    if (s == 2 || !ir_is_value(r) || r.flags & IR_FIXED || (r.rc != AMD_V1 && r.rc != AMD_S1))
        return false;
    w->source[s] = r;
    w->n_sources = s == w->n_sources ? s + 1 : w->n_sources;
    for (unsigned k = 0; k < 4; k++)
        out->at[k] = (uint8_t)(4 * s + k);
    return true;
}

/* The instruction that computes `r` if the walk may go on in it: nothing else uses it, or it has
 * one source, so that there will be no more of them. */
static const ir_instr *
find_inner(const byte_walk *w, ir_ref r, bool *single)
{
    const ir_instr *inner = amd_opt_inner(w->c, w->root, r);
    *single = inner != NULL;
    if (inner)
        return inner->n_refs ? inner : NULL;
    inner = cg_def_of(&w->c->uses, r);
    bool may = inner && inner->n_refs == 2 && inner->n_defs == 1 && !mopt_has_words(inner) &&
               cg_can_move_refs(inner, w->root) &&
               (inner->refs[0].kind == IR_REF_CONST || inner->refs[1].kind == IR_REF_CONST);
    return may ? inner : NULL;
}

static bool
read_number(byte_walk *w, ir_ref r, unsigned depth, byte_map *out)
{
    const byte_walk before = *w;
    bool single = false;
    const ir_instr *inner = depth ? find_inner(w, r, &single) : NULL;
    w->in_shared |= !single;
    if (!inner || !read_result(w, inner, depth - 1, out)) {
        *w = before;
        return read_source(w, r, out);
    }
    single = !w->in_shared;
    w->in_shared = before.in_shared;
    w->absorbed += single;
    w->last = single ? inner : w->last;
    w->has_perm |= single && inner->op == AMD_V_PERM_B32;
    return true;
}

bool
amd_opt_move_bytes(mopt_ctx *c, ir_instr *i)
{
    byte_walk w = {.c = c, .root = i};
    byte_map map;
    uint32_t select = 0;
    if (!mopt_exists(c, AMD_V_PERM_B32) || mopt_has_words(i) ||
        !read_result(&w, i, MAX_DEPTH, &map) || !w.n_sources ||
        (w.absorbed < WORTH_A_LITERAL && !w.has_perm))
        return false;
    for (unsigned k = 0; k < 4; k++)
        select |= (uint32_t)map.at[k] << 8 * k;
    const ir_ref refs[3] = {w.source[w.n_sources - 1], w.source[0], amd_const(select)};
    return amd_opt_become_literal(c, i, AMD_V_PERM_B32, refs, w.last);
}
