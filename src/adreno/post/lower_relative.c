/* What is read or written relative to the address register, which holds 16 bits: constants, and the
 * fibre's arrays.
 *
 * The registers of arrays follow those that allocation gave out. An instruction that picks one of
 * them has all of them as operands, sixteen each, so that the order to other accesses, waits and
 * delays are those of any of them. */
#include "adreno/post/lower.h"

enum { COMPONENT = 4, ROW = 16 };

static void
set_address(adreno_lowering *l, ir_ref half, ir_ref index)
{
    adreno_add_typed(l, ADRENO_U32, ADRENO_S16, half, index);
    adreno_add_instr(l, ADRENO_MOVA, 0, 1)->refs[0] = half;
}

void
adreno_lower_const_at(adreno_lowering *l, const ir_instr *i)
{
    set_address(l, i->defs[i->n_defs - 1], i->refs[0]);
    for (unsigned k = 0; k + 1u < i->n_defs; k++) {
        ir_instr *mov = adreno_add_typed(l, ADRENO_U32, ADRENO_U32, i->defs[k],
                                         adreno_number(ir_words(i)[1] + k, false));
        adreno_set(mov, 0, ADRENO_M_CFILE, 1);
        adreno_set(mov, 0, ADRENO_M_REL, 1);
    }
}

/* ---- arrays ---- */

/* Arrays begin behind this register. */
static void
note_end(adreno_lowering *l, ir_ref r)
{
    const bool apart = adreno_is_half_class(r.rc) && !adreno_prog(l->f)->target->merged;
    if (!adreno_has_register(r) || apart || r.reg >= ADRENO_REG_SHARED)
        return;
    const uint32_t bytes = r.reg + ir_class_of(l->f, r.rc)->bytes;
    const uint32_t end = (bytes + COMPONENT - 1) / COMPONENT;
    l->array = end > l->array ? end : l->array;
}

void
adreno_place_arrays(adreno_lowering *l)
{
    IR_FOREACH_INSTR_OF(i, l->f) {
        for (unsigned d = 0; d < i->n_defs; d++)
            note_end(l, i->defs[d]);
        for (unsigned r = 0; r < i->n_refs; r++)
            note_end(l, i->refs[r]);
    }
}

/* The array's registers from number `first` on, sixteen at most. */
static ir_ref
row(const adreno_lowering *l, uint32_t first)
{
    const uint32_t left = adreno_prog(l->f)->array_words - first;
    return ir_pack_ref(IR_REF_NONE, 0, COMPONENT * (l->array + first),
                       adreno_class(false, left < ROW ? left : ROW), IR_ASSIGNED);
}

static void
move_relative(adreno_lowering *l, ir_ref value, bool writes, uint32_t number)
{
    const unsigned rows = (adreno_prog(l->f)->array_words + ROW - 1) / ROW;
    ir_instr *mov = adreno_add_instr(l, ADRENO_MOV, writes ? rows : 1, writes ? 1 : rows);
    for (unsigned k = 0; k < rows; k++)
        *(writes ? &mov->defs[k] : &mov->refs[k]) = row(l, k * ROW);
    *(writes ? &mov->refs[0] : &mov->defs[0]) = value;
    adreno_set(mov, 0, ADRENO_M_STYPE, ADRENO_U32);
    adreno_set(mov, 0, ADRENO_M_DTYPE, ADRENO_U32);
    adreno_set(mov, 0, ADRENO_M_REL, 1);
    adreno_set(mov, 2, ADRENO_W_REL_DST, writes);
    ir_words(mov)[1] = number;
}

void
adreno_lower_array(adreno_lowering *l, const ir_instr *i)
{
    const bool writes = i->op == ADRENO_P_ARRAY_WRITE;
    const unsigned indexed = writes ? i->n_defs : i->n_refs;
    const unsigned n = (writes ? i->n_refs : i->n_defs) - indexed;
    if (indexed)
        set_address(l, i->defs[i->n_defs - 1], i->refs[i->n_refs - 1]);
    for (unsigned k = 0; k < n; k++) {
        const ir_ref value = writes ? i->refs[k] : i->defs[k];
        const uint32_t number = ir_words(i)[1] + k;
        const ir_ref one = adreno_place(COMPONENT * (l->array + number), COMPONENT);
        if (indexed)
            move_relative(l, value, writes, number);
        else
            adreno_add_move(l, writes ? one : value, writes ? value : one);
    }
}
