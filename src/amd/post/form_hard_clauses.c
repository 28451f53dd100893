/* form_hard_clauses: marks sequences of memory instructions that other waves must not interrupt.
 *
 *     s_load_dwordx4 s[4:7], s[0:1], 0x0           s_clause 0x1
 *     s_load_dwordx4 s[8:11], s[0:1], 0x10   ->    s_load_dwordx4 s[4:7], s[0:1], 0x0
 *                                                  s_load_dwordx4 s[8:11], s[0:1], 0x10
 *
 * target/clause.h says which instructions may stand together and whether it pays. Nothing else may
 * stand in a clause, so it ends at waits and nops, which earlier phases have inserted. A single
 * instruction needs no clause. One walk over the instructions.
 */
#include "amd/target/clause.h"

typedef struct clause {
    ir_instr *first, *last;
    unsigned length;
    amd_clause_kind kind;
} clause;

/* The immediate is the number of instructions - 1. */
static void
mark_clause(ir_fn *f, const clause *c)
{
    if (c->length < 2)
        return;
    ir_instr *mark = amd_new(f, AMD_S_CLAUSE, 0, 0);
    ir_words(mark)[0] = c->length - 1;
    mark->loc = c->first->loc;
    ir_insert_before(c->first, mark);
}

static void
form_in_block(ir_fn *f, ir_block *b, unsigned longest)
{
    const amd_target *t = amd_prog(f)->target;
    clause c = {0};
    IR_FOREACH_INSTR(i, b) {
        if (amd_is_pseudo(i->op)) /* what is left of these has no code */
            continue;
        amd_clause_kind kind = amd_clause_kind_of(t, i);
        if (!kind || kind != c.kind || c.length == longest || !amd_clause_is_worth(c.last, i)) {
            mark_clause(f, &c);
            c = (clause){.first = i, .kind = kind};
        }
        c.last = i;
        c.length += kind != 0;
    }
    mark_clause(f, &c);
}

void
amd_form_hard_clauses(ir_fn *f)
{
    unsigned longest = amd_has(amd_prog(f)->target, longest_clause);
    if (!longest)
        return;
    IR_FOREACH_BLOCK(b, f) {
        if (ir_may_change(f->ctx))
            form_in_block(f, b, longest);
    }
}
