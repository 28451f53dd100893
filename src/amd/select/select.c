/* Tools for selection: emitting legal instructions, and HIR values as machine references. */
#include "amd/select/select_half.h"

#include <assert.h>

_Noreturn void
amd_sel_unsupported(sel *s, const char *what)
{
    ir_locate(s->hir, s->loc);
    diag_fail(s->hir->ctx->diag, ERR_TARGET_SELECT, s->p->target->name, what);
}

/* ---- emitting ---- */

static bool
is_vector_fmt(unsigned fmt)
{
    return fmt == AMD_VOP1 || fmt == AMD_VOP2 || fmt == AMD_VOPC || fmt == AMD_VOP3 ||
           fmt == AMD_VOP3P;
}

static bool
is_literal(const sel *s, ir_ref r, unsigned type)
{
    return amd_is_literal(s->p->target->gen, r, type);
}

static ir_ref
to_vgpr_copy(sel *s, ir_ref r, unsigned bits)
{
    if (r.kind == IR_REF_CONST && bits == 64 && sel_regs(r) == 1)
        r = amd_const64((int32_t)r.id);
    return amd_sel_copy(s, amd_rc(true, sel_regs(r) * 4), r);
}

/* Makes the sources of a vector instruction legal: places that accept only VGPRs, the constant bus,
 * and literals. Lane masks must be in SGPRs and are handled first. */
static void
legalize(sel *s, unsigned op, const amd_op_info *row, unsigned n, ir_ref *refs)
{
    amd_bus bus = amd_bus_begin(s->p->target->gen, op);
    for (unsigned i = 0; i < n; i++) {
        const amd_operand *o = amd_op_src(row, i);
        if (o && o->kind == AMD_K_MASK)
            amd_bus_take_ref(&bus, refs[i], AMD_T_B64);
    }
    for (unsigned i = 0; i < n; i++) {
        const amd_operand *o = amd_op_src(row, i);
        unsigned type = o ? o->type : AMD_T_B32, bits = type & 0xfffu;
        bool vgpr_only = !o || o->kind == AMD_K_VGPR; /* no operand: the tied reference */
        bool scalar = amd_is_scalar_ref(refs[i]) || is_literal(s, refs[i], type);
        if (vgpr_only && !sel_is_vgpr(refs[i]) && refs[i].kind != IR_REF_UNDEF)
            refs[i] = to_vgpr_copy(s, refs[i], o ? bits : 32);
        else if (!scalar || vgpr_only || o->kind == AMD_K_MASK)
            continue;
        bool bad = op == AMD_V_MAD_F32 || amd_is_bad_literal(s->p->target->gen, op, n, refs, i);
        if (bits < 64 && bad && is_literal(s, refs[i], type))
            refs[i] = amd_sel_copy(s, AMD_S1, refs[i]);
        if ((bits == 64 && refs[i].kind == IR_REF_CONST) || !amd_bus_take_ref(&bus, refs[i], type))
            refs[i] = to_vgpr_copy(s, refs[i], bits);
    }
}

/* A scalar instruction has room for one literal (RDNA 2 ISA, "SALU operands"). */
static void
legalize_scalar(sel *s, unsigned n, ir_ref *refs)
{
    if (n >= 2 && is_literal(s, refs[0], AMD_T_B32) && is_literal(s, refs[1], AMD_T_B32) &&
        refs[0].id != refs[1].id)
        refs[0] = amd_sel_copy(s, AMD_S1, refs[0]);
}

ir_ref
amd_sel_emit(sel *s, unsigned op, unsigned rc, unsigned n, const ir_ref *refs)
{
    const amd_op_info *row = amd_op_row((amd_op)op);
    bool scc = row && (row->flags & AMD_F_SCC_W);
    ir_ref legal[16];
    assert(n <= 16);
    if (row && !amd_op_exists((amd_op)op, s->p->target->gen) &&
        amd_sel_stand_in(s, op, rc, refs, &legal[0]))
        return legal[0];
    for (unsigned i = 0; i < n; i++)
        legal[i] = refs[i];
    if (row && is_vector_fmt(row->fmt))
        legalize(s, op, row, n, legal);
    else if (row && (row->fmt == AMD_SOP2 || row->fmt == AMD_SOPC))
        legalize_scalar(s, n, legal);
    ir_instr *i = amd_new(s->f, op, (rc ? 1 : 0) + (scc ? 1 : 0), n);
    for (unsigned r = 0; r < n; r++)
        i->refs[r] = legal[r];
    ir_ref def = ir_none();
    if (rc)
        def = ir_define(s->f, i, 0, (ir_type)rc);
    if (scc) {
        ir_define(s->f, i, rc ? 1 : 0, AMD_S1);
        i->defs[rc ? 1 : 0] = ir_fixed(i->defs[rc ? 1 : 0], AMD_SCC);
    }
    i->loc = s->loc;
    ir_append(s->cur, i);
    s->last = i;
    return def;
}

/* A vector instruction with a result of class `rc` and a mask of lanes, which is its second
 * definition. */
static ir_instr *
emit_with_mask(sel *s, unsigned op, unsigned rc, unsigned n, ir_ref *refs)
{
    legalize(s, op, amd_op_row((amd_op)op), n, refs);
    ir_instr *i = amd_new(s->f, op, 2, n);
    for (unsigned r = 0; r < n; r++)
        i->refs[r] = refs[r];
    i->loc = s->loc;
    ir_define(s->f, i, 0, (ir_type)rc);
    ir_define(s->f, i, 1, (ir_type)s->p->lane_mask);
    ir_append(s->cur, i);
    s->last = i;
    return i;
}

ir_ref
amd_sel_carry(sel *s, bool sub, ir_ref a, ir_ref b, ir_ref *carry)
{
    bool more = carry->kind != IR_REF_NONE;
    unsigned op = more ? (sub ? AMD_V_SUB_CO_CI_U32 : AMD_V_ADD_CO_CI_U32)
                       : (sub ? AMD_V_SUB_CO_U32 : AMD_V_ADD_CO_U32);
    ir_ref refs[3] = {a, b, *carry};
    const ir_instr *i = emit_with_mask(s, op, AMD_V1, 2 + more, refs);
    *carry = ir_use(s->f, i->defs[1].id);
    return ir_use(s->f, i->defs[0].id);
}

ir_ref
amd_sel_mad_wide(sel *s, bool sign, ir_ref a, ir_ref b, ir_ref addend)
{
    ir_ref refs[3] = {a, b, addend};
    const unsigned op = sign ? AMD_V_MAD_I64_I32 : AMD_V_MAD_U64_U32;
    const ir_instr *i = emit_with_mask(s, op, AMD_V2, 3, refs);
    return ir_use(s->f, i->defs[0].id);
}

void
amd_sel_modify(sel *s, uint32_t modifiers)
{
    ir_instr *i = s->last;
    ir_words(i)[0] |= modifiers;
    if (!amd_forbids_modifiers(s->p, i))
        return;
    for (unsigned r = 0; r < i->n_refs; r++) {
        const amd_operand *o = amd_op_src(amd_op_row((amd_op)i->op), r);
        if (is_literal(s, i->refs[r], o ? o->type : AMD_T_B32)) {
            i->refs[r] = amd_sel_copy(s, AMD_V1, i->refs[r]);
            ir_unlink(s->last);
            ir_insert_before(i, s->last);
        }
    }
    s->last = i;
}

ir_ref
amd_sel_1(sel *s, unsigned op, unsigned rc, ir_ref a)
{
    return amd_sel_emit(s, op, rc, 1, &a);
}

ir_ref
amd_sel_2(sel *s, unsigned op, unsigned rc, ir_ref a, ir_ref b)
{
    return amd_sel_emit(s, op, rc, 2, (ir_ref[]){a, b});
}

ir_ref
amd_sel_common(sel *s, unsigned op, ir_ref a, ir_ref b)
{
    for (unsigned k = 0; k < SEL_COMMON; k++) {
        const ir_instr *i = s->common[k].made;
        if (i && i->op == op && i->block == s->cur && ir_same_ref(s->common[k].a, a) &&
            ir_same_ref(s->common[k].b, b))
            return i->defs[0];
    }
    ir_ref r = amd_sel_2(s, op, AMD_V1, a, b);
    unsigned k = s->next_common++ % SEL_COMMON;
    s->common[k].made = s->last;
    s->common[k].a = a;
    s->common[k].b = b;
    return r;
}

ir_ref
amd_sel_3(sel *s, unsigned op, unsigned rc, ir_ref a, ir_ref b, ir_ref c)
{
    return amd_sel_emit(s, op, rc, 3, (ir_ref[]){a, b, c});
}

ir_ref
amd_sel_scc(sel *s)
{
    ir_ref d = s->last->defs[s->last->n_defs - 1];
    assert(d.reg == AMD_SCC);
    return d;
}

ir_ref
amd_sel_copy(sel *s, unsigned rc, ir_ref a)
{
    return amd_sel_emit(s, AMD_P_PARALLELCOPY, rc, 1, &a);
}

ir_ref
amd_sel_as_vgpr(sel *s, ir_ref a)
{
    return sel_is_vgpr(a) ? a : amd_sel_copy(s, amd_rc(true, sel_regs(a) * 4), a);
}

ir_ref
amd_sel_as_sgpr(sel *s, ir_ref a)
{
    if (!sel_is_vgpr(a))
        return a;
    return amd_sel_1(s, AMD_P_AS_UNIFORM, amd_rc(false, sel_regs(a) * 4), a);
}

/* The vector that was split into exactly these parts, or NONE. */
static ir_ref
joined_before(const sel *s, bool sgpr, unsigned n, const ir_ref *parts)
{
    const ir_instr *def = ir_def_of(s->f, parts[0]);
    if (!def || def->op != AMD_P_SPLIT_VECTOR || def->n_defs != n ||
        sel_is_vgpr(def->refs[0]) == sgpr)
        return ir_none();
    for (unsigned i = 0; i < n; i++) {
        if (!ir_same_ref(def->defs[i], parts[i]))
            return ir_none();
    }
    return def->refs[0];
}

ir_ref
amd_sel_join(sel *s, bool sgpr, unsigned n, const ir_ref *parts)
{
    ir_ref ready[IR_MAX_COMPS * 2];
    unsigned regs = 0;
    assert(n <= IR_MAX_COMPS * 2);
    ir_ref whole = joined_before(s, sgpr, n, parts);
    if (n > 1 && ir_is_value(whole))
        return whole;
    for (unsigned i = 0; i < n; i++) {
        ready[i] = sgpr ? amd_sel_as_sgpr(s, parts[i]) : parts[i];
        regs += sel_regs(parts[i]);
    }
    if (n == 1)
        return sgpr ? ready[0] : amd_sel_as_vgpr(s, ready[0]);
    unsigned rc = amd_rc(!sgpr, regs * 4);
    ir_instr *i = amd_new(s->f, AMD_P_CREATE_VECTOR, 1, n);
    for (unsigned r = 0; r < n; r++)
        i->refs[r] = ready[r];
    i->loc = s->loc;
    ir_ref def = ir_define(s->f, i, 0, (ir_type)rc);
    ir_append(s->cur, i);
    s->last = i;
    return def;
}

void
amd_sel_split(sel *s, ir_ref whole, unsigned n, ir_ref *parts)
{
    if (n == 1) {
        parts[0] = whole;
        return;
    }
    ir_instr *i = amd_new(s->f, AMD_P_SPLIT_VECTOR, n, 1);
    unsigned rc = amd_rc(sel_is_vgpr(whole), sel_regs(whole) / n * 4);
    i->refs[0] = whole;
    i->loc = s->loc;
    for (unsigned d = 0; d < n; d++)
        parts[d] = ir_define(s->f, i, d, (ir_type)rc);
    ir_append(s->cur, i);
    s->last = i;
}

ir_instr **
amd_sel_known(sel *s, sel_known *known, uint32_t id)
{
    known->at = arena_grow_zeroed(s->f->arena, known->at, &known->cap, id + 1, sizeof *known->at);
    return &known->at[id];
}

bool
amd_sel_dominates_all(const sel *s, ir_ref r)
{
    const ir_instr *def = s->f->values[r.id].def;
    const ir_op_info *row = def ? &s->f->level->ops[def->op] : NULL;
    return row && !(row->flags & IR_OP_PHI) && def->op != AMD_P_STARTPGM && def->block;
}

void
amd_sel_insert_behind(sel *s, ir_ref r, ir_instr *i)
{
    ir_instr *def = s->f->values[r.id].def;
    if (def->next)
        ir_insert_before(def->next, i);
    else
        ir_append(def->block, i);
}

/* Splits a value once: after its definition or, for a phi, at its first use in the block. */
static ir_instr *
split_in_halves(sel *s, ir_ref a)
{
    bool anywhere = amd_sel_dominates_all(s, a);
    ir_instr **known = amd_sel_known(s, &s->halves, a.id), *split = *known;
    if (split && (anywhere || split->block == s->cur))
        return split;
    *known = split = amd_new(s->f, AMD_P_SPLIT_VECTOR, 2, 1);
    split->refs[0] = a;
    split->loc = s->loc;
    for (unsigned d = 0; d < 2; d++)
        ir_define(s->f, split, d, sel_is_vgpr(a) ? AMD_V1 : AMD_S1);
    if (anywhere)
        amd_sel_insert_behind(s, a, split);
    else
        ir_append(s->cur, split);
    return split;
}

ir_ref
amd_sel_half(sel *s, ir_ref a, unsigned i)
{
    if (a.kind == IR_REF_CONST)
        return amd_const(i == 0 ? a.id : (uint32_t)((int32_t)a.id >> 31));
    const ir_instr *def = s->f->values[a.id].def;
    bool same = def && def->op == AMD_P_CREATE_VECTOR && def->n_refs == 2;
    if (same && def->refs[i].kind != IR_REF_UNDEF &&
        (sel_is_vgpr(a) == sel_is_vgpr(def->refs[i]) || def->refs[i].kind == IR_REF_CONST))
        return def->refs[i];
    return split_in_halves(s, a)->defs[i];
}

/* ---- HIR values ---- */

static ir_ref
constant(sel *s, const ir_instr *load_const, unsigned comp)
{
    uint64_t v = ir_const_comp(s->hir, load_const, comp);
    if (ir_type_bits(s->hir->values[load_const->defs[0].id].type) < 64)
        return amd_const((uint32_t)v);
    if ((int64_t)v >= -16 && (int64_t)v <= 64)
        return amd_const64((int32_t)v);
    return amd_sel_join(s, true, 2,
                        (ir_ref[]){amd_const((uint32_t)v), amd_const((uint32_t)(v >> 32))});
}

static unsigned
comp_bytes(const sel *s, ir_ref r)
{
    return sel_bits(s, r) == 64 ? 8 : 4;
}

ir_ref
amd_sel_get_part(sel *s, ir_ref r, unsigned c)
{
    const ir_instr *def = s->hir->values[r.id].def;
    if (def->op == IR_load_const)
        return constant(s, def, c);
    if (def->op == IR_undef)
        return comp_bytes(s, r) == 8 ? amd_const64(0) : amd_const(0);
    sel_value *v = &s->values[r.id];
    assert(v->rep != SEL_NONE);
    if (!v->comps) {
        unsigned n = ir_type_comps(s->hir->values[r.id].type);
        v->comps = ARENA_ARRAY(s->f->arena, n, ir_ref);
        amd_sel_split(s, v->whole, n, v->comps);
    }
    return v->comps[c];
}

ir_ref
amd_sel_get_comp(sel *s, ir_ref r, unsigned c)
{
    return amd_sel_low(s, amd_sel_get_part(s, r, c));
}

ir_ref
amd_sel_get(sel *s, ir_ref r)
{
    return amd_sel_get_comp(s, r, r.comp == IR_WHOLE ? 0 : r.comp);
}

ir_ref
amd_sel_get_vector(sel *s, ir_ref r, bool sgpr)
{
    unsigned n = r.comp == IR_WHOLE ? ir_type_comps(s->hir->values[r.id].type) : 1;
    sel_value *v = &s->values[r.id];
    if (n > 1 && v->whole.kind == IR_REF_VALUE && sel_is_vgpr(v->whole) == !sgpr)
        return v->whole;
    ir_ref parts[IR_MAX_COMPS];
    if (n > 1 && !sgpr && sel_bits(s, r) == 16) {
        for (unsigned c = 0; c < n; c += 2)
            parts[c / 2] = amd_sel_pack_comps(s, r, c);
        return amd_sel_join(s, false, (n + 1) / 2, parts);
    }
    for (unsigned c = 0; c < n; c++)
        parts[c] = n == 1 ? amd_sel_get(s, r) : amd_sel_get_comp(s, r, c);
    return amd_sel_join(s, sgpr, n, parts);
}

static ir_ref
scc_to_mask(sel *s, ir_ref scc)
{
    ir_ref ones = s->p->wave_size == 64 ? amd_const64(-1) : amd_const(UINT32_MAX);
    ir_ref zero = s->p->wave_size == 64 ? amd_const64(0) : amd_const(0);
    return amd_sel_3(s, SEL_LM(s, S_CSELECT), s->p->lane_mask, ones, zero, ir_fixed(scc, AMD_SCC));
}

static ir_ref
bool_to_scc(sel *s, ir_ref b)
{
    if (b.kind == IR_REF_VALUE && b.reg == AMD_SCC)
        return b;
    amd_sel_2(s, AMD_S_CMP_LG_U32, 0, b, amd_const(0));
    return amd_sel_scc(s);
}

ir_ref
amd_sel_get_mask(sel *s, ir_ref r)
{
    const ir_instr *def = s->hir->values[r.id].def;
    bool wide = s->p->wave_size == 64;
    if (def->op == IR_load_const || def->op == IR_undef) {
        bool on = def->op == IR_load_const && (ir_const_comp(s->hir, def, r.comp) & 1);
        return wide ? amd_const64(on ? -1 : 0) : amd_const(on ? UINT32_MAX : 0);
    }
    ir_ref v = s->values[r.id].comps[r.comp == IR_WHOLE ? 0 : r.comp];
    if (sel_rep_of(s, r) == SEL_MASK)
        return v;
    return scc_to_mask(s, bool_to_scc(s, v));
}

ir_ref
amd_sel_get_scc(sel *s, ir_ref r)
{
    const ir_instr *def = s->hir->values[r.id].def;
    if (def->op == IR_load_const || def->op == IR_undef) {
        bool on = def->op == IR_load_const && (ir_const_comp(s->hir, def, r.comp) & 1);
        return bool_to_scc(s, amd_const(on));
    }
    ir_ref v = s->values[r.id].comps[r.comp == IR_WHOLE ? 0 : r.comp];
    if (sel_rep_of(s, r) == SEL_BOOL)
        return bool_to_scc(s, v);
    amd_sel_2(s, SEL_LM(s, S_AND), s->p->lane_mask, v, sel_exec(s));
    return amd_sel_scc(s);
}

ir_ref
amd_sel_get_bit(sel *s, ir_ref r)
{
    uint64_t v;
    if (ir_is_const(s->hir, r, &v) || s->hir->values[r.id].def->op == IR_undef)
        return amd_const(ir_is_const(s->hir, r, &v) ? (uint32_t)v & 1 : 0);
    ir_ref b = s->values[r.id].comps[r.comp == IR_WHOLE ? 0 : r.comp];
    if (sel_rep_of(s, r) == SEL_BOOL && b.reg != AMD_SCC)
        return b;
    return amd_sel_3(s, AMD_S_CSELECT_B32, AMD_S1, amd_const(1), amd_const(0),
                     amd_sel_get_scc(s, r));
}

static void
set_comp(sel *s, const ir_instr *i, unsigned c, ir_ref r)
{
    sel_value *v = &s->values[i->defs[0].id];
    unsigned n = ir_type_comps(s->hir->values[i->defs[0].id].type);
    if (!v->comps)
        v->comps = ARENA_ARRAY(s->f->arena, n, ir_ref);
    bool wide = ir_type_bits(s->hir->values[i->defs[0].id].type) == 64;
    if (r.kind == IR_REF_CONST && wide != (sel_regs(r) == 2))
        r = amd_sel_copy(s, amd_rc(v->rep == SEL_VGPR, wide ? 8 : 4), r);
    else if (v->rep == SEL_SGPR && sel_is_vgpr(r))
        r = amd_sel_as_sgpr(s, r);
    v->comps[c] = r;
}

void
amd_sel_set(sel *s, const ir_instr *i, ir_ref value)
{
    set_comp(s, i, 0, value);
}

void
amd_sel_set_comps(sel *s, const ir_instr *i, const ir_ref *comps)
{
    unsigned n = ir_type_comps(s->hir->values[i->defs[0].id].type);
    for (unsigned c = 0; c < n; c++)
        set_comp(s, i, c, comps[c]);
}

void
amd_sel_set_vector(sel *s, const ir_instr *i, ir_ref whole)
{
    sel_value *v = &s->values[i->defs[0].id];
    unsigned n = ir_type_comps(s->hir->values[i->defs[0].id].type);
    if (n == 1) {
        amd_sel_set(s, i, whole);
        return;
    }
    if (v->rep == SEL_VGPR)
        whole = amd_sel_as_vgpr(s, whole);
    else
        whole = amd_sel_as_sgpr(s, whole);
    v->whole = whole;
    v->comps = ARENA_ARRAY(s->f->arena, n, ir_ref);
    amd_sel_split(s, whole, n, v->comps);
}

static void
set_bool(sel *s, const ir_instr *i, ir_ref r)
{
    sel_value *v = &s->values[i->defs[0].id];
    v->comps = ARENA_NEW(s->f->arena, ir_ref);
    v->comps[0] = r;
}

void
amd_sel_set_bit(sel *s, const ir_instr *i, ir_ref bit)
{
    assert(s->values[i->defs[0].id].rep == SEL_BOOL);
    set_bool(s, i, bit.kind == IR_REF_CONST ? amd_sel_copy(s, AMD_S1, bit) : bit);
}

void
amd_sel_set_mask(sel *s, const ir_instr *i, ir_ref mask)
{
    if (s->values[i->defs[0].id].rep == SEL_MASK) {
        if (mask.kind == IR_REF_CONST)
            mask = amd_sel_copy(s, s->p->lane_mask, mask);
        set_bool(s, i, mask);
        return;
    }
    amd_sel_2(s, SEL_LM(s, S_AND), s->p->lane_mask, mask, sel_exec(s));
    set_bool(s, i,
             amd_sel_3(s, AMD_S_CSELECT_B32, AMD_S1, amd_const(1), amd_const(0), amd_sel_scc(s)));
}

bool
amd_sel_feeds_only_its_branch(const sel *s, const ir_instr *i)
{
    const ir_instr *t = ir_terminator(i->block);
    if (i->next != t || t->op != IR_if || t->refs[0].id != i->defs[0].id ||
        s->uses[i->defs[0].id] != 1)
        return false;
    for (uint32_t e = 0; e < i->block->succs[0].count; e++) {
        const ir_instr *first = i->block->succs[0].at[e]->first;
        if (first && first->op == IR_phi)
            return false;
    }
    return true;
}

void
amd_sel_set_scc(sel *s, const ir_instr *i, ir_ref scc)
{
    if (s->values[i->defs[0].id].rep == SEL_MASK)
        set_bool(s, i, scc_to_mask(s, scc));
    else if (amd_sel_feeds_only_its_branch(s, i))
        set_bool(s, i, ir_fixed(scc, AMD_SCC));
    else
        set_bool(s, i,
                 amd_sel_3(s, AMD_S_CSELECT_B32, AMD_S1, amd_const(1), amd_const(0),
                           ir_fixed(scc, AMD_SCC)));
}
