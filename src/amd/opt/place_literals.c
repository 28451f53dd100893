/* place_literals: decides for each constant that only a literal can be whether instructions have it
 * as a literal, 4 bytes each time, or read an SGPR that one s_mov loads.
 *
 *     v1: %2 = v_mul_f32 0x3e99999a, %1           s1: %9 = p_parallelcopy 0x3e99999a
 *     v1: %4 = v_mul_f32 0x3e99999a, %3     ->    v1: %2 = v_mul_f32 %9, %1
 *     ...                                         ...
 *
 * An SGPR is worth an instruction only for a constant with many uses; if some instruction takes no
 * literal, the SGPR is there anyway, and others read it too. The copy stands before the first use,
 * or at the end of the block that dominates all uses, outside of loops. The number of constants in
 * SGPRs is limited; under pressure the spiller loads them again where they are used.
 *
 * Selection gives v_mad an SGPR, because a literal leaves no room for modifiers. What still has
 * none now takes the literal, and becomes v_madmk or v_madak (post/lower_short.c).
 *
 * One walk lists the uses and counts, by constant, the bytes that an SGPR would save; then the list
 * is gone through.
 */
#include "amd/opt/combine.h"

#include "base/map.h"
#include "ir/dominance.h"

enum {
    LITERAL = 4,       /* bytes that an SGPR saves at a use */
    WORTH_A_MOVE = 8,  /* bytes to save for one more instruction */
    MOST_IN_SGPRS = 16 /* constants */
};

/* A constant and its uses. */
typedef struct literal {
    uint32_t value;
    int saved;       /* bytes, if it lies in an SGPR */
    bool needed;     /* by an instruction that takes no literal */
    ir_block *block; /* dominates all uses */
    ir_instr *first; /* the first use, if that is in the block */
    ir_ref in;       /* the SGPR, or kind NONE */
} literal;

/* Reference `ref` of an instruction, to a constant or a copy of one. */
typedef struct use {
    ir_instr *i;
    uint32_t value, literal; /* the constant; its number */
    uint8_t ref;
    bool is_use, takes_literal;
    int saved; /* bytes, if it lies in an SGPR */
} use;

typedef struct places {
    ir_fn *f;
    amd_gen gen;
    uint32_t *count; /* uses by value; NULL: not needed so far */
    base_map index;  /* constant -> number in `all` */
    literal *all;
    size_t n, cap;
    use *uses;
    size_t n_uses, cap_uses;
    unsigned n_in_sgprs;
} places;

/* ---- one reference ---- */

static bool
fits_with(const places *p, ir_instr *i, unsigned n, ir_ref r)
{
    ir_ref before = i->refs[n];
    i->refs[n] = r;
    bool fits = amd_sources_fit(p->gen, i->op, i->n_refs, i->refs);
    i->refs[n] = before;
    return fits;
}

static uint32_t *
use_counts(places *p)
{
    if (!p->count)
        p->count = ir_count_uses(p->f, p->index.arena);
    return p->count;
}

/* v_fma and v_mad without modifiers have an encoding with a literal that is as long as the one with
 * an SGPR; but that which adds to its own register is shorter. Whether the addend dies is a guess.
 */
static int
saved_in_fma(places *p, const ir_instr *i, unsigned n)
{
    if (n == 2 || i->refs[2].kind == IR_REF_CONST || amd_is_scalar_ref(i->refs[2]) ||
        i->refs[1 - n].kind == IR_REF_CONST || amd_is_scalar_ref(i->refs[1 - n]))
        return 0;
    return use_counts(p)[i->refs[2].id] == 1 ? LITERAL / 2 : 0;
}

static int
saved_in(places *p, const ir_instr *i, unsigned n)
{
    bool sum = (i->op == AMD_V_FMA_F32 || i->op == AMD_V_MAD_F32) && !mopt_has_words(i);
    return sum ? saved_in_fma(p, i, n) : LITERAL;
}

static bool
is_extended(const ir_instr *i)
{
    return amd_form_ext(i) || (i->n_words > 2 && (ir_words(i)[1] | ir_words(i)[2]));
}

static ir_ref
any_sgpr(void)
{
    ir_ref r = amd_const(UINT32_MAX);
    r.kind = IR_REF_VALUE;
    return r;
}

/* No operand has these as literals. */
static bool
is_small(uint32_t value)
{
    return value + 16 <= 64 + 16;
}

/* A literal that the instruction has. */
static void
look_at_literal(places *p, use *u)
{
    ir_instr *i = u->i;
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    const amd_operand *o = row ? amd_op_src(row, u->ref) : NULL;
    u->takes_literal = true;
    if (!o || (o->type & 0xfffu) > 32 || !amd_is_literal(p->gen, i->refs[u->ref], o->type))
        return;
    if (amd_words_of(i->op) == AMD_WORDS_VALU)
        u->is_use = o->kind == AMD_K_VSRC && !is_extended(i) && fits_with(p, i, u->ref, any_sgpr());
    else
        u->is_use = (row->fmt == AMD_SOP2 || row->fmt == AMD_SOPC) && o->kind != AMD_K_LIT &&
                    (int32_t)u->value != (int16_t)u->value;
    u->saved = saved_in(p, i, u->ref);
}

/* The constant that the SGPR is a copy of, if it is a literal; else kind NONE. */
static ir_ref
copied(const places *p, ir_ref r)
{
    const ir_instr *def = r.flags & IR_FIXED ? NULL : p->f->values[r.id].def;
    if (!def || def->op != AMD_P_PARALLELCOPY || def->n_defs != 1 ||
        (def->defs[0].flags & IR_FIXED) || !amd_is_literal(p->gen, def->refs[0], AMD_T_B32))
        return ir_none();
    return def->refs[0];
}

/* Lane masks are never constants. */
static bool
is_mask_operand(const ir_instr *i, unsigned n)
{
    const amd_operand *o = amd_op_src(amd_op_row((amd_op)i->op), n);
    return o && o->kind == AMD_K_MASK;
}

/* A constant that the instruction reads from an SGPR. */
static void
look_at_copy(places *p, use *u, ir_ref constant)
{
    ir_instr *i = u->i;
    u->is_use = true;
    if (amd_words_of(i->op) == AMD_WORDS_VALU && !mopt_has_words(i) && !is_extended(i) &&
        !is_mask_operand(i, u->ref) && fits_with(p, i, u->ref, constant)) {
        u->takes_literal = true;
        u->saved = saved_in(p, i, u->ref);
    }
}

static use
look_at(places *p, ir_instr *i, unsigned n)
{
    ir_ref r = i->refs[n];
    use u = {.i = i, .value = r.id, .ref = (uint8_t)n};
    if (r.kind == IR_REF_CONST && !is_small(r.id)) {
        look_at_literal(p, &u);
    } else if (ir_is_value(r) && r.rc == AMD_S1) {
        ir_ref constant = copied(p, r);
        u.value = constant.id;
        if (constant.kind != IR_REF_NONE)
            look_at_copy(p, &u, constant);
    }
    return u;
}

/* ---- counting ---- */

static uint32_t
number_of(places *p, uint32_t value)
{
    uint64_t k;
    if (map_get(&p->index, value, &k))
        return (uint32_t)k;
    p->all = arena_grow(p->index.arena, p->all, &p->cap, p->n + 1, sizeof *p->all);
    p->all[p->n] = (literal){.value = value, .in = ir_none()};
    map_put(&p->index, value, p->n);
    return (uint32_t)p->n++;
}

static ir_block *
common_dominator(ir_block *a, ir_block *b)
{
    while (a != b) {
        if (a->index > b->index)
            a = ir_idom(a, 1);
        else
            b = ir_idom(b, 1);
    }
    return a;
}

static void
note_use(places *p, use u)
{
    u.literal = number_of(p, u.value);
    p->uses = arena_grow(p->index.arena, p->uses, &p->cap_uses, p->n_uses + 1, sizeof *p->uses);
    p->uses[p->n_uses++] = u;
    literal *l = &p->all[u.literal];
    l->saved += u.saved;
    l->needed |= !u.takes_literal;
    if (!l->block) {
        l->block = u.i->block;
        l->first = u.i;
        return;
    }
    ir_block *both = common_dominator(l->block, u.i->block);
    if (both != l->block)
        l->first = NULL;
    l->block = both;
}

/* ---- deciding ---- */

static bool
is_worth_it(const literal *l)
{
    int move = (int32_t)l->value == (int16_t)l->value ? 4 : 8;
    return l->needed ? l->saved > 0 : l->saved - move >= WORTH_A_MOVE;
}

static void
load(places *p, literal *l)
{
    ir_instr *i = amd_new(p->f, AMD_P_PARALLELCOPY, 1, 1);
    i->refs[0] = amd_const(l->value);
    for (; l->block->loop_header; l->first = NULL)
        l->block = ir_idom(l->block->loop_header, 1);
    l->in = ir_define(p->f, i, 0, AMD_S1);
    ir_instr *at = l->first ? l->first : ir_terminator(l->block);
    if (!l->first && at->prev && at->prev->op == AMD_P_LOGICAL_END)
        at = at->prev;
    i->loc = at->loc;
    ir_insert_before(at, i);
    p->n_in_sgprs++;
}

static void
decide(places *p)
{
    for (size_t k = 0; k < p->n; k++) {
        literal *l = &p->all[k];
        if (is_worth_it(l) && p->n_in_sgprs < MOST_IN_SGPRS && ir_may_change(p->f->ctx))
            load(p, l);
    }
}

/* The reference becomes `r`; a copy that nothing reads any more is removed. */
static void
change_ref(places *p, ir_ref *ref, ir_ref r)
{
    ir_ref before = *ref;
    uint32_t *count = ir_is_value(before) ? use_counts(p) : NULL; /* before the change */
    *ref = r;
    if (count && --count[before.id] == 0)
        ir_remove(p->f->values[before.id].def);
}

static void
change_uses(places *p)
{
    for (size_t k = 0; k < p->n_uses; k++) {
        const use *u = &p->uses[k];
        const literal *l = &p->all[u->literal];
        bool is_literal = u->i->refs[u->ref].kind == IR_REF_CONST;
        if (l->in.kind != IR_REF_NONE)
            change_ref(p, &u->i->refs[u->ref], l->in);
        else if (u->takes_literal && !l->needed && !is_literal &&
                 fits_with(p, u->i, u->ref, amd_const(l->value))) /* another may have come */
            change_ref(p, &u->i->refs[u->ref], amd_const(l->value));
    }
}

void
amd_place_literals(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    arena_mark mark = arena_save(a);
    places p = {.f = f, .gen = amd_prog(f)->target->gen, .index = map_make(a)};
    IR_FOREACH_INSTR_OF(i, f) {
        for (unsigned n = 0; n < i->n_refs && !ir_has_flag(i, IR_OP_PHI); n++) {
            use u = look_at(&p, i, n);
            if (u.is_use)
                note_use(&p, u);
        }
    }
    decide(&p);
    change_uses(&p);
    arena_release(a, mark);
}
