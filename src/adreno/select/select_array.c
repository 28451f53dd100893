/* Private memory in registers.
 *
 *     array[i] = x;     cov.u32s16 hr0.x, r0.x
 *                       mova a0.x, hr0.x
 *                       mov.u32u32 r<a0.x + 20>, r1.x
 *
 * What is left of a shader's arrays, if it is small and read and written by whole dwords, stands in
 * registers behind all others, which are chosen when those are allocated; an index goes through the
 * address register, of which each fibre has its own. What an index beyond the arrays reads or
 * writes is not defined, as in Vulkan. */
#include "adreno/select/select.h"

#include "base/bits.h"

enum { MOST_WORDS = 64, DWORD = 4 };

static bool
is_access(const ir_instr *i)
{
    return i->op == IR_load_scratch || i->op == IR_store_scratch;
}

static unsigned
bits_of(const ir_fn *f, const ir_instr *i)
{
    const ir_ref value = i->op == IR_load_scratch ? ir_use(f, i->defs[0].id) : i->refs[0];
    return ir_type_bits(ir_ref_type(f, value));
}

static bool
has_whole_dwords(const ir_fn *f, const ir_instr *i)
{
    const uint32_t places = ir_attr_get(i, IR_A_ALIGN_MUL) | ir_attr_get(i, IR_A_ALIGN_OFFSET) |
                            ir_attr_get(i, IR_A_BASE);
    return bits_of(f, i) >= 32 && places % DWORD == 0;
}

void
adreno_find_arrays(adreno_sel *s)
{
    const uint32_t words = (s->hir->shader.scratch_size + DWORD - 1) / DWORD;
    bool fits = words <= MOST_WORDS;
    IR_FOREACH_BLOCK(b, s->hir)
        IR_FOREACH_INSTR(i, b)
            fits &= !is_access(i) || has_whole_dwords(s->hir, i);
    s->p->array_words = fits ? words : 0;
    s->p->private_bytes = fits ? 0 : words * DWORD;
}

/* ---- accesses ---- */

/* Where an access begins: the number of a register, behind an index (NONE: not). */
typedef struct element {
    ir_ref index;
    uint32_t number;
} element;

/* An offset in dwords; of a sum with a number that is one of dwords. */
static ir_ref
index_of(adreno_sel *s, ir_ref offset)
{
    uint64_t bytes;
    const ir_instr *def = s->hir->values[offset.id].def;
    if (ir_is_const(s->hir, offset, &bytes) || !def || def->op != IR_iadd ||
        !ir_is_const(s->hir, def->refs[1], &bytes) || bytes % DWORD)
        return adreno_scaled_down(s, offset, 2);
    const ir_ref a = adreno_scaled_down(s, def->refs[0], 2);
    const int32_t dwords = (int32_t)(uint32_t)bytes / DWORD;
    return adreno_emit_2(s, ADRENO_ADD_U, ADRENO_F1, a, adreno_number((uint32_t)dwords, false));
}

static element
element_of(adreno_sel *s, const ir_instr *i)
{
    const ir_ref at = index_of(s, i->refs[i->n_refs - 1]);
    element e = {.index = ir_none(), .number = ir_attr_get(i, IR_A_BASE) / DWORD};
    if (at.kind == IR_REF_CONST)
        e.number += at.id;
    else
        e.index = at;
    return e;
}

static bool
has_index(const element *e)
{
    return e->index.kind != IR_REF_NONE;
}

static ir_instr *
append(adreno_sel *s, unsigned op, unsigned n_defs, unsigned n_refs, const element *e)
{
    ir_instr *a = ir_new_instr(s->f, op, n_defs, n_refs);
    a->loc = s->loc;
    ir_words(a)[1] = e->number;
    if (has_index(e)) {
        a->refs[n_refs - 1] = e->index;
        ir_define(s->f, a, n_defs - 1, ADRENO_H1);
    }
    ir_append(s->cur, a);
    s->last = a;
    return a;
}

void
adreno_load_array(adreno_sel *s, const ir_instr *i)
{
    const element e = element_of(s, i);
    const unsigned n = adreno_parts(s, ir_use(s->hir, i->defs[0].id));
    ir_ref *out = adreno_def(s, i);
    ir_instr *a = append(s, ADRENO_P_ARRAY_READ, n + has_index(&e), has_index(&e), &e);
    for (unsigned k = 0; k < n; k++)
        out[k] = ir_define(s->f, a, k, ADRENO_F1);
}

/* Registers `first` on, `n` of them, that a store writes one after the other. */
static void
store_run(adreno_sel *s, const ir_instr *i, const element *e, unsigned first, unsigned n)
{
    const element at = {.index = e->index, .number = e->number + first};
    ir_ref values[16];
    for (unsigned k = 0; k < n; k++)
        values[k] = adreno_get_part(s, i->refs[0], first + k);
    ir_instr *a = append(s, ADRENO_P_ARRAY_WRITE, has_index(&at), n + has_index(&at), &at);
    for (unsigned k = 0; k < n; k++)
        a->refs[k] = values[k];
}

void
adreno_store_array(adreno_sel *s, const ir_instr *i)
{
    const element e = element_of(s, i);
    const unsigned n = adreno_parts(s, i->refs[0]), per = bits_of(s->hir, i) / 32;
    const uint32_t mask = ir_attr_get(i, IR_A_WRITE_MASK);
    for (unsigned k = 0, end; k<n; k = end> k ? end : k + 1) {
        for (end = k; end < n && mask >> end / per & 1; end++)
            ;
        if (end > k)
            store_run(s, i, &e, k, end - k);
    }
}
