/* ALU clauses: locked constants, literals, operations. */
#include "r600/emit/emit.h"

static const uint16_t bank_selects[SCHEDULE_BANKS] = {R600_SEL_KC0, R600_SEL_KC1, R600_SEL_KC2,
                                                      R600_SEL_KC3};

/* A group in the order of its slots. */
typedef struct group {
    const tree_slot *s[R600_SLOTS];
    uint32_t literals[4];
    unsigned n_literals;
    const schedule_locks *locks;           /* of its clause */
    const tree_access *access[R600_SLOTS]; /* the elements that its moves read or write */
} group;

static void
add_literal(group *g, const tree_slot *s)
{
    uint32_t select;
    bool negate;
    for (unsigned k = 0; k < r600_tree_sources(s->op); k++) {
        unsigned i = 0;
        if (s->src[k].kind != TREE_CONST ||
            r600_schedule_inline(s->op, s->src[k].id, &select, &negate))
            continue;
        while (i < g->n_literals && g->literals[i] != s->src[k].id)
            i++;
        if (i == g->n_literals)
            g->literals[g->n_literals++] = s->src[k].id;
    }
}

/* Collects the group that begins at `n`. Returns its last node. */
static tree_node *
collect_group(tree_node *n, group *g)
{
    *g = (group){0};
    for (;; n = n->next) {
        for (unsigned i = 0; i < n->n; i++)
            g->s[n->slots[i].slot] = &n->slots[i];
        g->access[n->slots->slot] = n->access;
        if (n->ends_group)
            break;
    }
    for (unsigned i = 0; i < R600_SLOTS; i++)
        if (g->s[i])
            add_literal(g, g->s[i]);
    return n;
}

static schedule_locks
collect_locks(const emitter *e, const tree_node *n)
{
    schedule_locks l = {.most = e->p->chip->gen >= R600_GEN_EG ? 4 : 2};
    for (;; n = n->next) {
        for (unsigned i = 0; i < n->n; i++)
            for (unsigned k = 0; k < r600_tree_sources(n->slots[i].op); k++)
                if (n->slots[i].src[k].kind == TREE_KCACHE)
                    r600_schedule_lock(&l, &n->slots[i].src[k]);
        if (n->ends_clause)
            return l;
    }
}

/* ---- operands ---- */

static uint32_t
select_locked(const schedule_locks *l, const tree_operand *o)
{
    const uint32_t line = o->id / 4 / R600_KCACHE_LINE;
    unsigned i = 0;
    while (l->at[i].buffer != o->buffer || line < l->at[i].first ||
           line >= l->at[i].first + l->at[i].lines)
        i++;
    return bank_selects[i] + o->id / 4 - l->at[i].first * R600_KCACHE_LINE;
}

static uint32_t
select_constant(const group *g, const tree_slot *s, const tree_operand *o, uint32_t *chan,
                bool *negate)
{
    uint32_t select;
    if (r600_schedule_inline(s->op, o->id, &select, negate))
        return select;
    while (g->literals[*chan] != o->id)
        ++*chan;
    return R600_SEL_LITERAL;
}

static void
set_source(const emitter *e, const group *g, const tree_slot *s, unsigned k, r600_inst *in)
{
    const tree_operand *o = &s->src[k];
    uint32_t *f = &in->f[R600_F_src0_sel + k * (R600_F_src1_sel - R600_F_src0_sel)];
    uint32_t select = R600_SEL_0, chan = 0;
    bool negate = false;
    switch (o->kind) {
    case TREE_VALUE:
        select = e->ra->gpr[o->id];
        chan = e->ra->channel[o->id];
        break;
    case TREE_ELEMENT:
        select = e->ra->gpr[e->p->arrays[o->buffer].element[0]] + g->access[s->slot]->base;
        chan = e->p->arrays[o->buffer].reg & 3;
        f[R600_SRC_REL] = 1;
        break;
    case TREE_PREV:
        select = o->id == R600_SLOT_T ? R600_SEL_PS : R600_SEL_PV;
        chan = o->id & 3;
        break;
    case TREE_KCACHE:
        select = select_locked(g->locks, o);
        chan = o->id & 3;
        break;
    case TREE_SPECIAL:
        select = o->id / 4;
        chan = o->id & 3;
        break;
    case TREE_CONST: select = select_constant(g, s, o, &chan, &negate); break;
    default: break;
    }
    f[R600_SRC_SEL] = select;
    f[R600_SRC_CHAN] = chan;
    f[R600_SRC_NEG] = ((o->mods & TREE_NEG) != 0) ^ negate;
    f[R600_SRC_ABS] = (o->mods & TREE_ABS) != 0;
}

/* ---- operations ---- */

static uint32_t
first_taken(const group *g)
{
    unsigned i = 0;
    while (i < 3 && !g->s[i])
        i++;
    return i;
}

static void
put_operation(const emitter *e, const group *g, unsigned slot, bool last, base_buf *out)
{
    const tree_slot *s = g->s[slot];
    const r600_op_info *row = r600_op_row((r600_op)s->op);
    uint32_t words[R600_MAX_WORDS];
    r600_inst in = {.op = (r600_op)s->op, .n_words = 2};
    for (unsigned k = 0; k < r600_tree_sources(s->op); k++)
        set_source(e, g, s, k, &in);
    in.f[R600_F_last] = last;
    in.f[R600_F_bank_swizzle] = s->bank;
    in.f[R600_F_clamp] = s->clamp;
    in.f[R600_F_dst_chan] = slot < R600_SLOT_T ? slot
                            : s->def           ? e->ra->channel[s->def]
                                               : first_taken(g);
    if (row->format == R600_FMT_LDS)
        in.f[R600_F_lds_offset] = s->offset;
    if (g->access[slot] && g->access[slot]->is_write) {
        const tree_access *a = g->access[slot];
        in.f[R600_F_dst_gpr] = e->ra->gpr[e->p->arrays[a->array].element[0]] + a->base;
        in.f[R600_F_dst_rel] = 1;
    } else if (s->writes) {
        in.f[R600_F_dst_gpr] = e->ra->gpr[s->def];
    }
    if (row->format == R600_FMT_OP2) {
        in.f[R600_F_omod] = s->omod;
        in.f[R600_F_write_mask] = s->writes;
        in.f[R600_F_update_exec] = (row->properties & R600_P_PRED) != 0;
    }
    r600_encode(e->p->isa, &in, words);
    buf_put_u32(out, words[0]);
    buf_put_u32(out, words[1]);
    e->figures->alu++;
}

static void
put_group(const emitter *e, const group *g, base_buf *out)
{
    unsigned last = 0;
    for (unsigned i = 0; i < R600_SLOTS; i++)
        last = g->s[i] ? i : last;
    for (unsigned i = 0; i < R600_SLOTS; i++)
        if (g->s[i])
            put_operation(e, g, i, i == last, out);
    for (unsigned i = 0; i < g->n_literals; i++)
        buf_put_u32(out, g->literals[i]);
    if (g->n_literals & 1)
        buf_put_u32(out, 0);
    e->figures->groups++;
}

static void
set_locks(const schedule_locks *l, unsigned first, r600_inst *in)
{
    for (unsigned i = first; i < first + 2 && i < l->n; i++) {
        in->f[R600_F_kc_bank0 + i] = l->at[i].buffer;
        in->f[R600_F_kc_mode0 + i] = l->at[i].lines;
        in->f[R600_F_kc_addr0 + i] = l->at[i].first;
    }
}

static bool
has_compare(const group *g)
{
    for (unsigned i = 0; i < R600_SLOTS; i++)
        if (g->s[i] && r600_op_row((r600_op)g->s[i]->op)->properties & R600_P_PRED)
            return true;
    return false;
}

/* Is ALU_PUSH_BEFORE unsafe here, so that a PUSH of its own stands before the clause? On most chips
 * of Evergreen it is where the push would be at the end of a row of the stack or at the beginning
 * of the next, on Cayman in nested loops (Mesa: ctx_needs_stack_workaround_8xx in r600_shader.c,
 * and r600-sb's finalizer). */
static bool
needs_push(const emitter *e)
{
    const uint32_t row = e->p->chip->wave_size < 64 ? 8 : 4;
    const uint32_t elements = e->loops * row + e->pushes + (e->pushes ? 1 : 0);
    if (e->p->chip->gen == R600_GEN_CM)
        return e->loops > 1;
    return e->p->chip->gen == R600_GEN_EG && !(e->p->chip->properties & R600_SAFE_PUSH) &&
           elements && (elements % row == 0 || (elements + 1) % row == 0);
}

tree_node *
r600_emit_alu(emitter *e, tree_node *n)
{
    const schedule_locks l = collect_locks(e, n);
    base_buf words = buf_make(e->p->arena);
    unsigned op = R600_ALU;
    for (;; n = n->next) {
        group g;
        n = collect_group(n, &g);
        g.locks = &l;
        put_group(e, &g, &words);
        op = has_compare(&g) ? R600_ALU_PUSH_BEFORE : op;
        if (n->ends_clause)
            break;
    }
    if (op == R600_ALU_PUSH_BEFORE && needs_push(e)) {
        emit_cf *push = r600_emit_cf(e, R600_PUSH);
        push->target = (uint32_t)e->n + 1;
        op = R600_ALU;
        e->last_label = (uint32_t)e->n;
    }
    if (l.n > 2)
        set_locks(&l, 2, &r600_emit_cf(e, R600_ALU_EXT)->in);
    emit_cf *cf = r600_emit_cf(e, op);
    set_locks(&l, 0, &cf->in);
    cf->in.f[R600_F_count] = (uint32_t)(words.size / 8) - 1;
    cf->clause = words;
    cf->align = 1;
    return n;
}
