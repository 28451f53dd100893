/* Clauses of memory instructions.
 *
 * In a clause of s_clause, no other wave issues between the instructions, so that accesses to the
 * same lines of the cache come together. All have one kind, which the first one decides: images
 * with and without a sampler, rays, buffers with global and scratch memory, flat memory, each by
 * load, store and atomic, and scalar loads (RDNA 3 ISA, "S_CLAUSE"; RDNA 2 names fewer kinds, which
 * these refine). Clauses of LDS and vector arithmetic exist, but no other wave disturbs those.
 *
 * Before s_clause, the hardware found such sequences itself; the scheduler brings them together on
 * every target.
 */
#include "amd/target/clause.h"

#include "amd/isa/table/table.h"

/* Units whose instructions may not mix. */
enum { UNIT_NONE, UNIT_SCALAR, UNIT_BUFFER, UNIT_FLAT, UNIT_IMAGE, UNIT_SAMPLE, UNIT_RAY };

/* The source of `row` that is a descriptor or a scalar base address, or -1. */
static int
find_base(const amd_op_info *row)
{
    const amd_operand *o;
    for (unsigned s = 0; (o = amd_op_src(row, s)); s++) {
        if (o->kind == AMD_K_RSRC || o->kind == AMD_K_SBASE)
            return (int)s;
    }
    return -1;
}

static bool
has_sampler(const amd_op_info *row)
{
    const amd_operand *o;
    for (unsigned s = 0; (o = amd_op_src(row, s)); s++) {
        if (o->kind == AMD_K_SAMP)
            return true;
    }
    return false;
}

static unsigned
unit_of(const amd_op_info *row)
{
    switch (row->fmt) {
    case AMD_SMEM: return row->flags & AMD_F_LOAD ? UNIT_SCALAR : UNIT_NONE;
    case AMD_MUBUF:
    case AMD_MTBUF:
    case AMD_GLOBAL:
    case AMD_SCRATCH: return UNIT_BUFFER;
    case AMD_FLAT: return UNIT_FLAT;
    case AMD_MIMG:
        return row->memory & AMD_A_BVH ? UNIT_RAY : has_sampler(row) ? UNIT_SAMPLE : UNIT_IMAGE;
    default: return UNIT_NONE;
    }
}

amd_clause_kind
amd_clause_kind_of(const amd_target *t, const ir_instr *i)
{
    const unsigned access = AMD_F_LOAD | AMD_F_STORE | AMD_F_ATOMIC;
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    unsigned flags = row ? row->flags & access : 0;
    if (!flags || ((flags & AMD_F_STORE) && !amd_has(t, clauses_stores)))
        return 0;
    unsigned unit = unit_of(row);
    bool nsa = row->fmt == AMD_MIMG && (ir_words(i)[1] & AMD_MEM_NSA);
    if (unit == UNIT_NONE || (nsa && amd_has(t, nsa_clause_bug)))
        return 0;
    return unit << 2 | (flags & AMD_F_ATOMIC ? 2 : flags & AMD_F_STORE ? 1 : 0);
}

bool
amd_clause_is_worth(const ir_instr *a, const ir_instr *b)
{
    int x = find_base(amd_op_row((amd_op)a->op)), y = find_base(amd_op_row((amd_op)b->op));
    if (x < 0 || y < 0)
        return x == y;
    ir_ref r = a->refs[x], s = b->refs[y];
    if (amd_rc_bytes(r.rc) == 8 && amd_rc_bytes(s.rc) == 8)
        return true;
    return r.kind == s.kind && r.id == s.id && r.reg == s.reg && r.rc == s.rc;
}
