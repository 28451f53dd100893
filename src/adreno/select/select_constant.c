/* What is the same in all fibres, and known before the program starts: push constants and constant
 * data in the constant file, and memory whose address the driver puts there (uniform buffers before
 * a6xx, and constant data for which the file has no room).
 *
 *     x = table[i].xy;     cov.u32s16 hr0.x, r0.x
 *                          mova a0.x, hr0.x
 *                          mov.u32u32 r1.x, c<a0.x + 20>
 *                          mov.u32u32 r1.y, c<a0.x + 21>
 */
#include "adreno/select/select.h"

enum { DWORD = 4, MAX_ROW = 4, MAX_FIELD = 4096 };

/* ---- the constant file ---- */

/* `n` dwords of the constant file from `at` behind the one that `index` selects on. What is added
 * to a0.x has ten bits with its sign. */
static void
read_consts(adreno_sel *s, ir_ref index, uint32_t at, unsigned n, ir_ref *out)
{
    enum { MOST = 511 };
    if (index.kind == IR_REF_CONST) {
        for (unsigned k = 0; k < n; k++)
            out[k] = adreno_emit_const(s, at + index.id + k);
        return;
    }
    const uint32_t skip = at + n - 1 > MOST ? at + n - 1 - MOST : 0;
    index = adreno_plus(s, index, skip);
    ir_instr *i = adreno_append(s, ADRENO_P_CONST_AT, n + 1, 1);
    i->refs[0] = index;
    ir_words(i)[1] = at - skip;
    for (unsigned k = 0; k < n; k++)
        out[k] = ir_define(s->f, i, k, ADRENO_F1);
    ir_define(s->f, i, n, ADRENO_H1);
}

/* Loads from the bytes that begin at dword `at` of the constant file. */
static void
load_consts(adreno_sel *s, const ir_instr *i, uint32_t at)
{
    const unsigned bits = adreno_def_bits(s, i), n = adreno_def_parts(s, i);
    const uint32_t base = ir_attr_get(i, IR_A_BASE);
    ir_ref *out = adreno_def(s, i);
    if (bits >= 32 && base % DWORD == 0) {
        const ir_ref index = adreno_scaled_down(s, i->refs[0], 2);
        read_consts(s, index, at + base / DWORD, n, out);
        return;
    }
    const ir_ref offset = adreno_plus(s, adreno_get(s, i->refs[0]), base);
    for (unsigned k = 0; k < n; k++) {
        const ir_ref here = adreno_plus(s, offset, k * bits / 8);
        ir_ref dword;
        read_consts(s, adreno_units_of(s, here, 2), at, 1, &dword);
        out[k] = adreno_small_part(s, dword, here, bits);
    }
}

void
adreno_select_push(adreno_sel *s, const ir_instr *i)
{
    load_consts(s, i, ADRENO_CONST_PUSH);
}

/* ---- memory at an address in the constant file ---- */

/* The address of a byte behind the one that is in the constant file at `place`. */
static ir_ref
address_behind(adreno_sel *s, uint32_t place, ir_ref offset)
{
    const ir_ref low = adreno_emit_const(s, place);
    const ir_ref sum = offset.kind == IR_REF_CONST ? adreno_plus(s, low, offset.id)
                                                   : adreno_op2(s, ADRENO_ADD_U, low, offset);
    if (!s->p->target->wide_addresses)
        return sum;
    const ir_ref high = adreno_emit_const(s, place + 1);
    if (offset.kind == IR_REF_CONST && !offset.id)
        return adreno_join(s, 2, (ir_ref[]){sum, high});
    const ir_ref carry = adreno_op2(s, ADRENO_CMPS_U, sum, low);
    return adreno_join(s, 2, (ir_ref[]){sum, adreno_op2(s, ADRENO_ADD_U, high, carry)});
}

/* `n` dwords at an offset that is a multiple of four bytes. */
static ir_ref
load_dwords(adreno_sel *s, uint32_t place, ir_ref offset, unsigned n)
{
    const bool fits = offset.kind == IR_REF_CONST && offset.id < MAX_FIELD;
    const ir_ref address = address_behind(s, place, fits ? adreno_full(0) : offset);
    const ir_ref r = adreno_emit(s, ADRENO_LDG, adreno_class(false, n), 1, &address);
    ir_words(s->last)[1] = fits ? offset.id : 0;
    adreno_mark(s, 2, ADRENO_W_ELEMS, n - 1);
    adreno_mark(s, 0, ADRENO_M_TYPE, ADRENO_U32);
    return r;
}

void
adreno_load_at(adreno_sel *s, const ir_instr *i, uint32_t place, ir_ref offset)
{
    const unsigned bits = adreno_def_bits(s, i);
    const unsigned n = adreno_def_parts(s, i);
    ir_ref *out = adreno_def(s, i);
    for (unsigned k = 0; bits < 32 && k < n; k++) {
        const ir_ref here = adreno_plus(s, offset, k * bits / 8);
        const ir_ref dword = here.kind == IR_REF_CONST
                                 ? adreno_full(here.id & ~3u)
                                 : adreno_op2(s, ADRENO_AND_B, here, adreno_full(~3u));
        out[k] = adreno_small_part(s, load_dwords(s, place, dword, 1), here, bits);
    }
    for (unsigned k = 0; bits >= 32 && k < n; k += MAX_ROW) {
        const unsigned count = n - k < MAX_ROW ? n - k : MAX_ROW;
        const ir_ref r = load_dwords(s, place, adreno_plus(s, offset, DWORD * k), count);
        adreno_split(s, r, count, out + k);
    }
}

/* ---- constant data ---- */

/* Decides where constant data is: numbers of the constant file, or memory of which two of them, or
 * one, are the address. */
static void
place_data(adreno_sel *s)
{
    adreno_program *p = s->p;
    const ir_shader *sh = &s->hir->shader;
    uint32_t words = (sh->constant_size + DWORD - 1) / DWORD;
    p->constant_in_memory = p->n_literals + words > ADRENO_MAX_LITERALS;
    if (p->constant_in_memory)
        words = p->target->wide_addresses ? 2 : 1;
    if (p->n_literals + words > ADRENO_MAX_LITERALS)
        adreno_sel_unsupported(s, "so many resources");
    if (!p->constant_in_memory)
        adreno_pack_words(sh->constant_data, sh->constant_size, p->literals + p->n_literals);
    p->constant_at = 1 + p->n_literals;
    p->constant_words = p->n_literals += words;
}

void
adreno_select_constant(adreno_sel *s, const ir_instr *i)
{
    const adreno_program *p = s->p;
    if (!p->constant_at)
        place_data(s);
    const uint32_t at = adreno_literal_place(p, p->constant_at - 1);
    if (!p->constant_in_memory)
        load_consts(s, i, at);
    else
        adreno_load_at(s, i, at,
                       adreno_plus(s, adreno_get(s, i->refs[0]), ir_attr_get(i, IR_A_BASE)));
}
