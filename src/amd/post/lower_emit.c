/* Hardware instructions on physical registers, before the one that is being lowered. */
#include "amd/post/lower.h"

static bool
writes_scc(unsigned op)
{
    const amd_op_info *row = amd_op_row((amd_op)op);
    return row && (row->flags & AMD_F_SCC_W);
}

ir_instr *
amd_low_emit(low_ctx *c, unsigned op, unsigned n_defs, const ir_ref *defs, unsigned n_refs,
             const ir_ref *refs)
{
    bool scc = writes_scc(op);
    ir_instr *i = amd_new(c->f, op, n_defs + scc, n_refs);
    for (unsigned d = 0; d < n_defs; d++)
        i->defs[d] = defs[d];
    if (scc)
        i->defs[n_defs] = amd_phys(AMD_SCC, AMD_S1);
    for (unsigned r = 0; r < n_refs; r++)
        i->refs[r] = refs[r];
    i->loc = c->at->loc;
    ir_insert_before(c->at, i);
    return i;
}

void
amd_low_1(low_ctx *c, unsigned op, ir_ref def, ir_ref a)
{
    amd_low_emit(c, op, 1, &def, 1, &a);
}

void
amd_low_2(low_ctx *c, unsigned op, ir_ref def, ir_ref a, ir_ref b)
{
    amd_low_emit(c, op, 1, &def, 2, (ir_ref[]){a, b});
}

ir_instr *
amd_low_3(low_ctx *c, unsigned op, ir_ref def, ir_ref a, ir_ref b, ir_ref d)
{
    return amd_low_emit(c, op, 1, &def, 3, (ir_ref[]){a, b, d});
}

unsigned
amd_low_spare_scalar(const low_ctx *c, const char *what)
{
    if ((c->live & LOW_M0) && (c->live & LOW_VCC))
        diag_fail(c->f->ctx->diag, ERR_INTERNAL, what);
    return c->live & LOW_M0 ? AMD_VCC : AMD_M0;
}

ir_ref
amd_low_scalar(low_ctx *c, ir_ref r)
{
    if (!amd_is_literal(c->p->target->gen, r, 32) || amd_has(c->p->target, vop3_literals))
        return r;
    unsigned reg = amd_low_spare_scalar(c, "no scratch register for a literal");
    amd_low_load_const(c, reg, r.id);
    return low_s(reg, 1);
}
