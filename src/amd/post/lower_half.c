/* Instructions with halves of registers: they say which half each operand is, and name whole
 * registers.
 *
 *     v2b: %3:v[5].2 = v_add_f16 %1:v[4], %2:v[5].2
 *  -> v1: v[5] = v_add_f16 v[4], v[5], v[5] op_sel:0xa
 *
 * A vector instruction that writes a half reads the register in whole, as far as later phases see:
 * what is in the other half was written before, and must be there when others read both. A load
 * does not, or it would wait for the load of the other half.
 */
#include "amd/post/lower.h"
#include "amd/target/half.h"

static bool
is_half(ir_ref r)
{
    return r.rc == AMD_V2B;
}

static bool
is_high(ir_ref r)
{
    return r.reg & 2;
}

static ir_ref
whole(ir_ref r)
{
    return amd_phys(r.reg & ~3u, AMD_V1);
}

static void
lower_refs(const amd_target *t, ir_instr *i, int accumulator)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref old = i->refs[r];
        if (!is_half(old))
            continue;
        i->refs[r] = whole(old);
        if (is_high(old) && (int)r != accumulator)
            amd_read_high(t, i, r);
    }
}

void
amd_low_halves(const amd_target *t, ir_instr *i)
{
    bool half = i->n_defs == 1 && is_half(i->defs[0]), load = ir_has_flag(i, IR_OP_READS);
    int accumulator = half ? amd_half_accumulator(i) : -1;
    lower_refs(t, i, accumulator);
    if (!half)
        return;
    ir_ref def = i->defs[0];
    amd_write_half(i, is_high(def));
    i->defs[0] = whole(def);
    if (accumulator >= 0 || load)
        return;
    i = ir_extend_instr(i, 0, 1);
    i->refs[i->n_refs - 1u] = whole(def);
}
