/* Rules for bit fields and bytes. */
#include "amd/opt/combine.h"

/* The byte of its operand that `i` extracts, or -1; `*of` is the index of the operand. */
static int
extracted_byte(const ir_instr *i, unsigned *of)
{
    const ir_ref *r = i->refs;
    bool constant = r[0].kind == IR_REF_CONST;
    *of = i->op != AMD_V_BFE_U32;
    switch (i->op) {
    case AMD_V_BFE_U32:
        return r[1].kind == IR_REF_CONST && r[1].id % 8 == 0 && r[1].id < 32 &&
                       mopt_is_const(r[2], 8)
                   ? (int)(r[1].id / 8)
                   : -1;
    case AMD_V_AND_B32: return constant && r[0].id == 0xff ? 0 : -1;
    case AMD_V_LSHRREV_B32: return constant && r[0].id == 24 ? 3 : -1;
    default: return -1;
    }
}

/* v_cvt_f32_u32 of an extracted byte becomes v_cvt_f32_ubyte. */
bool
amd_opt_byte(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *inner = amd_opt_inner(c, i, i->refs[0]);
    unsigned of;
    if (!inner || ir_words(i)[0] | ir_words(i)[1] | ir_words(i)[2])
        return false;
    int byte = extracted_byte(inner, &of);
    if (byte < 0 || inner->refs[of].kind != IR_REF_VALUE)
        return false;
    return amd_opt_become(c, i, (unsigned)(AMD_V_CVT_F32_UBYTE0 + byte), 1, &inner->refs[of]);
}

static bool
is_mask(ir_ref r)
{
    return r.kind == IR_REF_CONST && r.id && (r.id & (r.id + 1)) == 0;
}

/* A mask of low bits after a right shift becomes a bit field extract. */
bool
amd_opt_field(mopt_ctx *c, ir_instr *i)
{
    bool vector = i->op == AMD_V_AND_B32;
    unsigned at = is_mask(i->refs[0]);
    if (!is_mask(i->refs[!at]) || mopt_has_words(i))
        return false;
    const ir_instr *inner = amd_opt_inner(c, i, i->refs[at]);
    if (!inner || inner->op != (vector ? AMD_V_LSHRREV_B32 : AMD_S_LSHR_B32))
        return false;
    ir_ref shift = inner->refs[!vector], from = inner->refs[vector];
    if (shift.kind != IR_REF_CONST || shift.id > 31 || from.kind != IR_REF_VALUE)
        return false;
    uint32_t bits = 32 - base_clz32(i->refs[!at].id);
    ir_ref refs[3] = {from, amd_const(shift.id), amd_const(bits)};
    if (!vector) /* the offset and the number of bits share one word */
        refs[1] = amd_const(shift.id | bits << 16);
    return amd_opt_become(c, i, vector ? AMD_V_BFE_U32 : AMD_S_BFE_U32, vector ? 3 : 2, refs);
}
