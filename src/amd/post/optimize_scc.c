/* The rules of optimize_postRA for what tests a result.
 *
 *     s_and_b32 s0, s1, s2                s_and_b32 s0, s1, s2       (its scc says the same)
 *     s_cmp_lg_u32 s0, 0            ->
 *     s_cbranch_scc0                      s_cbranch_scc0
 *
 *     v_cmp_lt_f32 vcc, v0, v1            v_cmp_lt_f32 vcc, v0, v1
 *     s_and_b64 s[0:1], vcc, exec   ->
 *     s_cbranch_scc0                      s_cbranch_vccz
 *
 *     s_or_b64 s[0:1], vcc, s[2:3]        s_or_b64 s[0:1], vcc, s[2:3]   (of comparisons)
 *     s_and_b64 s[4:5], s[0:1], exec ->
 *     s_cbranch_scc0                      s_cbranch_scc0
 *
 * Comparisons of the block are 0 in lanes that are not active, so exec adds nothing.
 */
#include "amd/post/optimize_post_ra.h"

enum { DEPTH = 3 }; /* operations on masks that are looked through */

/* ---- comparisons with 0 ---- */

/* Is scc "the result is not 0" behind `op`? */
static bool
tests_result(unsigned op)
{
    static const uint16_t ops[] = {
        AMD_S_AND_B32,  AMD_S_AND_B64,  AMD_S_OR_B32,      AMD_S_OR_B64,        AMD_S_XOR_B32,
        AMD_S_XOR_B64,  AMD_S_NOT_B32,  AMD_S_NOT_B64,     AMD_S_ANDN2_B32,     AMD_S_ANDN2_B64,
        AMD_S_ORN2_B32, AMD_S_ORN2_B64, AMD_S_NAND_B32,    AMD_S_NAND_B64,      AMD_S_NOR_B32,
        AMD_S_NOR_B64,  AMD_S_XNOR_B32, AMD_S_XNOR_B64,    AMD_S_LSHL_B32,      AMD_S_LSHL_B64,
        AMD_S_LSHR_B32, AMD_S_LSHR_B64, AMD_S_ASHR_I32,    AMD_S_ASHR_I64,      AMD_S_BFE_U32,
        AMD_S_BFE_I32,  AMD_S_ABS_I32,  AMD_S_ABSDIFF_I32, AMD_S_BCNT1_I32_B32, AMD_S_BCNT1_I32_B64,
    };
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        if (ops[k] == op)
            return true;
    }
    return false;
}

/* 1: `op` compares for difference, -1: for equality, 0: neither. */
static int
compares(unsigned op)
{
    switch (op) {
    case AMD_S_CMP_LG_U32:
    case AMD_S_CMP_LG_I32:
    case AMD_S_CMP_LG_U64: return 1;
    case AMD_S_CMP_EQ_U32:
    case AMD_S_CMP_EQ_I32:
    case AMD_S_CMP_EQ_U64: return -1;
    default: return 0;
    }
}

/* Makes a reader of scc right for the inverse of scc. */
static bool
invert_reader(ir_instr *i)
{
    ir_ref first = i->refs[0];
    switch (i->op) {
    case AMD_P_CBRANCH_Z: i->op = AMD_P_CBRANCH_NZ; return true;
    case AMD_P_CBRANCH_NZ: i->op = AMD_P_CBRANCH_Z; return true;
    case AMD_S_CSELECT_B32:
    case AMD_S_CSELECT_B64:
        i->refs[0] = i->refs[1];
        i->refs[1] = first;
        return true;
    default: return false;
    }
}

/* `ref`, which reads what `i` says of its operand, reads the scc of `w` instead; `i` is dropped. */
static void
take_scc(amd_post_ctx *c, ir_instr *i, ir_instr *w, ir_ref *ref)
{
    ref->id = w->defs[1].id;
    w->defs[1].flags &= (uint8_t)~IR_KILL;
    c->uses[ref->id]++;
    amd_post_drop(c, i);
}

static bool
reuse_scc(amd_post_ctx *c, ir_instr *i)
{
    int how = compares(i->op);
    if (!how)
        return false;
    unsigned at = i->refs[0].kind == IR_REF_CONST, reader_at;
    ir_ref x = i->refs[at], zero = i->refs[!at];
    if (zero.kind != IR_REF_CONST || zero.id || !amd_post_is_register(x))
        return false;
    ir_instr *w = amd_post_writer(c, i, x);
    if (!w || !tests_result(w->op) || w != amd_post_writer(c, i, i->defs[0]) ||
        w->defs[0].reg != x.reg || w->defs[0].rc != x.rc)
        return false;
    ir_instr *reader = amd_post_reader(c, i, i->defs[0], i->defs[0], &reader_at);
    if (!reader || (how < 0 && !invert_reader(reader)))
        return false;
    take_scc(c, i, w, &reader->refs[reader_at]);
    return true;
}

/* ---- masks ---- */

/* Is `mask`, behind which exec has not changed, 0 in lanes that are not active? */
static bool
is_within(const amd_post_ctx *c, const ir_instr *i, ir_ref mask, unsigned depth)
{
    const ir_instr *w = amd_post_is_register(mask) ? c->f->values[mask.id].def : NULL;
    if (!w || w->block != i->block || !amd_post_same_exec(c, w, i))
        return false;
    if (amd_post_is_compare(w))
        return true;
    if (!depth--)
        return false;
    switch (w->op) {
    case AMD_S_AND_B32:
    case AMD_S_AND_B64:
        return is_within(c, i, w->refs[0], depth) || is_within(c, i, w->refs[1], depth);
    case AMD_S_OR_B32:
    case AMD_S_OR_B64:
        return is_within(c, i, w->refs[0], depth) && is_within(c, i, w->refs[1], depth);
    case AMD_S_ANDN2_B32:
    case AMD_S_ANDN2_B64: return is_within(c, i, w->refs[0], depth);
    default: return false;
    }
}

/* `i` only tests whether `mask` has an active lane, for `reader`: the branch tests vcc. */
static bool
branch_on_vcc(amd_post_ctx *c, ir_instr *i, ir_ref mask, ir_instr *reader)
{
    bool branches = reader->op == AMD_P_CBRANCH_Z || reader->op == AMD_P_CBRANCH_NZ;
    if (!branches || mask.reg != AMD_VCC || amd_has(c->p->target, smem_breaks_vccz))
        return false;
    reader->refs[0] = mask;
    c->uses[mask.id]++;
    amd_post_drop(c, i);
    return true;
}

/* The "and" with exec of a mask that is within it, of which only scc is read. */
static bool
drop_and(amd_post_ctx *c, ir_instr *i)
{
    bool and = i->op == AMD_S_AND_B32 || i->op == AMD_S_AND_B64;
    if (!and || !amd_post_is_unused(c, i->defs[0]))
        return false;
    unsigned at = amd_post_is_exec(i->refs[0]), reader_at;
    ir_ref mask = i->refs[at];
    if (!amd_post_is_exec(i->refs[!at]) || !is_within(c, i, mask, DEPTH))
        return false;
    ir_instr *w = amd_post_writer(c, i, mask);
    if (!w || w->defs[0].id != mask.id)
        return false;
    ir_instr *reader = amd_post_reader(c, i, i->defs[1], mask, &reader_at);
    if (reader && branch_on_vcc(c, i, mask, reader))
        return true;
    if (!tests_result(w->op) || w != amd_post_writer(c, i, i->defs[1]))
        return false;
    reader = amd_post_reader(c, i, i->defs[1], i->defs[1], &reader_at);
    if (!reader)
        return false;
    take_scc(c, i, w, &reader->refs[reader_at]);
    return true;
}

bool
amd_post_optimize_scc(amd_post_ctx *c, ir_instr *i)
{
    return reuse_scc(c, i) || drop_and(c, i);
}
