/* Instructions that follow each other and differ in that registers or constants are one further
 * become one with (rptN) (target/repeat.h). It takes as many cycles as before, so delays and waits
 * stay right; an instruction with waits of its own, or with nops that nothing behind it takes, is
 * not joined to others before it. In the same way stores to constants become one of a row. */
#include "adreno/target/repeat.h"

enum { MOST_NOPS = 5, NOP_BITS = 3 << ADRENO_FORM_NOP };

/* The last one's (nopN) can be part of nops behind it, if there are any. */
static bool
moves_nops(const ir_instr *i, unsigned nops)
{
    const ir_instr *next = i->next;
    return next && next->op == ADRENO_NOP && !next->form && ir_words(next)[1] + nops <= MOST_NOPS;
}

/* Is the instruction behind `first` its repetition number `n`? Its nops are then behind it. */
static bool
take_next(const ir_fn *f, const ir_instr *first, unsigned n, uint32_t *counts)
{
    ir_instr *i = first->next;
    const uint8_t form = i ? i->form : 0;
    const unsigned nops = form >> ADRENO_FORM_NOP & 3;
    if (!i || (nops && !moves_nops(i, nops)))
        return false;
    i->form &= (uint8_t)~NOP_BITS;
    if (!adreno_is_repetition(first, i, n, counts) || !ir_may_change(f->ctx)) {
        i->form = form;
        return false;
    }
    if (nops)
        ir_words(i->next)[1] += nops;
    return true;
}

static void
merge_from(const ir_fn *f, ir_instr *first)
{
    uint32_t n = 0, counts = 0;
    while (n < ADRENO_MAX_REPEAT && take_next(f, first, n + 1, &counts)) {
        ir_unlink(first->next);
        n++;
    }
    adreno_set(first, 0, ADRENO_M_REPEAT, n);
    adreno_set(first, 0, ADRENO_M_R, counts);
}

/* Does `i` store the register and to the constant that are `n` behind those of `first`? */
static bool
is_next_store(const ir_instr *first, const ir_instr *i, unsigned n)
{
    return i && i->op == ADRENO_STC && !i->form && ir_words(i)[0] == ir_words(first)[0] &&
           ir_words(i)[1] == ir_words(first)[1] + n && i->refs[0].rc == first->refs[0].rc &&
           i->refs[0].reg == first->refs[0].reg + 4 * n;
}

static void
merge_stores(ir_fn *f, ir_instr *first)
{
    enum { ROW = 4 };
    ir_ref *row = &first->refs[0];
    unsigned n = 1;
    if (row->rc != ADRENO_F1 && row->rc != ADRENO_S1)
        return;
    while (n < ROW && is_next_store(first, first->next, n) && ir_may_change(f->ctx)) {
        ir_unlink(first->next);
        n++;
    }
    *row = ir_pack_ref(IR_REF_NONE, 0, row->reg, row->rc + n - 1, IR_ASSIGNED);
    adreno_set(first, 2, ADRENO_W_ELEMS, n - 1);
}

void
adreno_merge_repeats(ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        for (ir_instr *i = b->first; i; i = i->next) {
            if (i->op == ADRENO_STC)
                merge_stores(f, i);
            else if (adreno_can_repeat(i))
                merge_from(f, i);
        }
    }
}
