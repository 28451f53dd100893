/* Private memory in registers.
 *
 *     array[i] = x;     cov.u32s16 hr0.x, r0.x
 *                       mova a0.x, hr0.x
 *                       mov.u32u32 r<a0.x + 20>, r1.x
 *
 * A part of private memory (opt/private_parts.h) that is read and written by whole dwords stands in
 * registers behind all others, which are chosen when those are allocated, while there is room for
 * it; the other parts stay in memory. An index goes through the address register, of which each
 * fibre has its own. What an index beyond a part reads or writes is not defined, as in Vulkan. */
#include "adreno/select/select.h"

#include "base/bits.h"

enum { MOST_WORDS = 64, MOST_RUN = 16, DWORD = 4 };

void
adreno_find_arrays(adreno_sel *s)
{
    adreno_program *p = s->p;
    bool all = true;
    s->parts = opt_find_private_parts(s->hir, s->f->arena);
    for (unsigned k = 0; k < s->parts.n; k++) {
        opt_private_part *part = &s->parts.list[k];
        const uint32_t words = (part->end - part->first + DWORD - 1) / DWORD;
        part->in_registers = part->step && p->array_words + words <= MOST_WORDS;
        part->reg = p->array_words;
        p->array_words += part->in_registers ? words : 0;
        all &= part->in_registers;
    }
    p->private_bytes = all ? 0 : (s->hir->shader.scratch_size + DWORD - 1) / DWORD * DWORD;
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
    return adreno_op2(s, ADRENO_ADD_U, a, adreno_full((uint32_t)dwords));
}

static element
element_of(adreno_sel *s, const ir_instr *i, const opt_private_part *part)
{
    const ir_ref at = index_of(s, opt_private_offset(i));
    const uint32_t skip = ir_attr_get(i, IR_A_BASE) - part->first;
    element e = {.index = ir_none(), .number = part->reg + skip / DWORD};
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
    ir_instr *a = adreno_append(s, op, n_defs, n_refs);
    ir_words(a)[1] = e->number;
    if (has_index(e)) {
        a->refs[n_refs - 1] = e->index;
        ir_define(s->f, a, n_defs - 1, ADRENO_H1);
    }
    return a;
}

static void
load(adreno_sel *s, const ir_instr *i, const opt_private_part *part)
{
    const element e = element_of(s, i, part);
    const unsigned n = adreno_def_parts(s, i);
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
    ir_ref values[MOST_RUN];
    for (unsigned k = 0; k < n; k++)
        values[k] = adreno_get_part(s, i->refs[0], first + k);
    ir_instr *a = append(s, ADRENO_P_ARRAY_WRITE, has_index(&at), n + has_index(&at), &at);
    for (unsigned k = 0; k < n; k++)
        a->refs[k] = values[k];
}

static void
store(adreno_sel *s, const ir_instr *i, const opt_private_part *part)
{
    const element e = element_of(s, i, part);
    const uint32_t written = ir_written_parts(s->hir, i);
    for (unsigned k = 0, n; (n = base_next_run(written, MOST_RUN, &k)); k += n)
        store_run(s, i, &e, k, n);
}

bool
adreno_select_array(adreno_sel *s, const ir_instr *i)
{
    const opt_private_part *part = opt_part_in_registers(&s->parts, s->hir, i);
    if (part)
        (i->op == IR_load_scratch ? load : store)(s, i, part);
    return part != NULL;
}
