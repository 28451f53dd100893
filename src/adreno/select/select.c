/* Tools for selection. */
#include "adreno/select/select.h"

_Noreturn void
adreno_sel_unsupported(adreno_sel *s, const char *what)
{
    ir_locate(s->hir, s->loc);
    diag_fail(s->hir->ctx->diag, ERR_TARGET_SELECT, s->p->target->chip->name, what);
}

ir_instr *
adreno_append(adreno_sel *s, unsigned op, unsigned n_defs, unsigned n_refs)
{
    ir_instr *i = ir_new_instr(s->f, op, n_defs, n_refs);
    i->loc = s->loc;
    ir_append(s->cur, i);
    return s->last = i;
}

ir_ref
adreno_emit(adreno_sel *s, unsigned op, unsigned rc, unsigned n, const ir_ref *refs)
{
    ir_instr *i = adreno_append(s, op, rc ? 1 : 0, n);
    for (unsigned r = 0; r < n; r++)
        i->refs[r] = refs[r];
    return rc ? ir_define(s->f, i, 0, (ir_type)rc) : ir_none();
}

ir_ref
adreno_emit_1(adreno_sel *s, unsigned op, unsigned rc, ir_ref a)
{
    return adreno_emit(s, op, rc, 1, &a);
}

ir_ref
adreno_emit_2(adreno_sel *s, unsigned op, unsigned rc, ir_ref a, ir_ref b)
{
    return adreno_emit(s, op, rc, 2, (ir_ref[]){a, b});
}

ir_ref
adreno_emit_3(adreno_sel *s, unsigned op, unsigned rc, ir_ref a, ir_ref b, ir_ref c)
{
    return adreno_emit(s, op, rc, 3, (ir_ref[]){a, b, c});
}

ir_ref
adreno_compare(adreno_sel *s, unsigned op, adreno_condition cond, ir_ref a, ir_ref b)
{
    const ir_ref r = adreno_op2(s, op, a, b);
    adreno_mark(s, 0, ADRENO_M_COND, cond);
    return r;
}

ir_ref
adreno_emit_cov(adreno_sel *s, unsigned from, unsigned to, unsigned rc, ir_ref a)
{
    const ir_ref r = adreno_emit_1(s, from == to ? ADRENO_MOV : ADRENO_COV, rc, a);
    adreno_mark(s, 0, ADRENO_M_STYPE, from);
    adreno_mark(s, 0, ADRENO_M_DTYPE, to);
    return r;
}

ir_ref
adreno_emit_convert(adreno_sel *s, ir_base_type from, ir_base_type to, bool half, ir_ref a)
{
    return adreno_emit_cov(s, adreno_type_of(from, adreno_is_half_class(a.rc)),
                           adreno_type_of(to, half), adreno_class(half, 1), a);
}

ir_ref
adreno_in_reg(adreno_sel *s, ir_ref a)
{
    const bool half = adreno_is_half_class(a.rc);
    const unsigned type = half ? ADRENO_U16 : ADRENO_U32;
    return a.kind == IR_REF_CONST ? adreno_emit_cov(s, type, type, a.rc, a) : a;
}

ir_ref
adreno_emit_const(adreno_sel *s, uint32_t place)
{
    const ir_ref r = adreno_emit_cov(s, ADRENO_U32, ADRENO_U32, ADRENO_F1, adreno_full(place));
    adreno_mark(s, 0, ADRENO_M_CFILE, 1);
    return r;
}

ir_ref
adreno_join(adreno_sel *s, unsigned n, const ir_ref *parts)
{
    if (n == 1)
        return adreno_in_reg(s, parts[0]);
    return adreno_emit(s, ADRENO_P_CREATE_VECTOR,
                       adreno_class(adreno_is_half_class(parts[0].rc), n), n, parts);
}

void
adreno_split(adreno_sel *s, ir_ref whole, unsigned n, ir_ref *parts)
{
    if (n == 1) {
        parts[0] = whole;
        return;
    }
    ir_instr *i = ir_new_instr(s->f, ADRENO_P_SPLIT_VECTOR, n, 1);
    i->refs[0] = whole;
    i->loc = s->loc;
    for (unsigned d = 0; d < n; d++)
        parts[d] = ir_define(s->f, i, d, (ir_type)adreno_class(adreno_is_half_class(whole.rc), 1));
    ir_append(s->cur, i);
}

/* ---- values ---- */

unsigned
adreno_ref_bits(const adreno_sel *s, ir_ref r)
{
    return ir_type_bits(ir_ref_type(s->hir, r));
}

unsigned
adreno_parts(const adreno_sel *s, ir_ref r)
{
    return ir_type_parts(ir_ref_type(s->hir, r));
}

unsigned
adreno_def_bits(const adreno_sel *s, const ir_instr *i)
{
    return adreno_ref_bits(s, ir_use(s->hir, i->defs[0].id));
}

unsigned
adreno_def_parts(const adreno_sel *s, const ir_instr *i)
{
    return adreno_parts(s, ir_use(s->hir, i->defs[0].id));
}

ir_ref
adreno_get_part(adreno_sel *s, ir_ref r, unsigned k)
{
    const ir_instr *def = s->hir->values[r.id].def;
    const unsigned bits = ir_type_bits(s->hir->values[r.id].type), per = bits == 64 ? 2 : 1;
    const unsigned at = k + (r.comp == IR_WHOLE ? 0 : r.comp * per);
    if (def && def->op == IR_undef)
        return adreno_number(0, bits == 16);
    if (def && def->op == IR_load_const) {
        const uint64_t value = ir_const_comp(s->hir, def, at / per);
        return adreno_number((uint32_t)(at % per ? value >> 32 : value), bits == 16);
    }
    if (!s->values[r.id])
        adreno_sel_unsupported(s, "descriptors as values");
    return s->values[r.id][at];
}

ir_ref
adreno_get(adreno_sel *s, ir_ref r)
{
    return adreno_get_part(s, r, 0);
}

ir_ref *
adreno_def(adreno_sel *s, const ir_instr *i)
{
    const uint32_t id = i->defs[0].id;
    const ir_type t = s->hir->values[id].type;
    if (!s->values[id])
        s->values[id] = ARENA_ARRAY(s->f->arena, 2 * ir_type_comps(t), ir_ref);
    return s->values[id];
}

void
adreno_set_def(adreno_sel *s, const ir_instr *i, ir_ref r)
{
    adreno_def(s, i)[0] = r;
}

bool
adreno_set_any(adreno_sel *s, const ir_instr *i, ir_ref r)
{
    if (r.kind != IR_REF_NONE)
        adreno_set_def(s, i, r);
    return r.kind != IR_REF_NONE;
}

ir_ref
adreno_as_predicate(adreno_sel *s, ir_ref boolean)
{
    const ir_ref p = adreno_emit_2(s, ADRENO_CMPS_S, ADRENO_P1, adreno_in_reg(s, boolean),
                                   adreno_full(0));
    adreno_mark(s, 0, ADRENO_M_COND, ADRENO_NE);
    return p;
}
