/* The preamble: code that one fibre of the first wave runs for all.
 *
 *     BB0: inputs; SHPS BB3, BB1     BB1: GETONE BB4, BB2     BB2: ...; SHPE; JUMP BB5
 *     BB3, BB4: JUMP BB5             BB5: the program
 *
 * Edges that leave it have blocks of their own, in which registers may be moved. */
#include "adreno/opt/preamble.h"

#include "adreno/adreno.h"

enum { START, ELECT, CODE, PASS, WAIT };
_Static_assert(WAIT + 1 == ADRENO_PREAMBLE_BLOCKS, "the blocks of the preamble");

static ir_instr *
append(ir_fn *f, ir_block *b, unsigned op)
{
    ir_instr *i = ir_new_instr(f, op, 0, 0);
    ir_append(b, i);
    return i;
}

static void
link(ir_block *from, ir_block *to)
{
    ir_add_edge(from, to, 0);
    ir_add_edge(from, to, 1);
}

void
adreno_move_inputs(ir_block *from, ir_block *to)
{
    for (ir_instr *i = from->first, *next; i; i = next) {
        next = i->next;
        if (i->op != ADRENO_P_START && i->op != ADRENO_P_PREFETCH)
            return;
        ir_unlink(i);
        ir_append(to, i);
    }
}

static ir_instr *
make_preamble(ir_fn *f)
{
    ir_block *made[ADRENO_PREAMBLE_BLOCKS], *main = f->blocks[0];
    for (unsigned k = 0; k < ADRENO_PREAMBLE_BLOCKS; k++)
        ir_insert_block(f, made[k] = ir_block_new(f), k);
    adreno_move_inputs(main, made[START]);
    append(f, made[START], ADRENO_SHPS);
    append(f, made[ELECT], ADRENO_GETONE);
    ir_instr *end = append(f, made[CODE], ADRENO_SHPE);
    append(f, made[CODE], ADRENO_JUMP);
    append(f, made[PASS], ADRENO_JUMP);
    append(f, made[WAIT], ADRENO_JUMP);
    link(made[START], made[PASS]);
    link(made[START], made[ELECT]);
    link(made[ELECT], made[WAIT]);
    link(made[ELECT], made[CODE]);
    link(made[CODE], main);
    link(made[PASS], main);
    link(made[WAIT], main);
    return end;
}

bool
adreno_has_preamble(const ir_fn *f)
{
    const ir_instr *last = f->blocks[START]->last;
    return last && last->op == ADRENO_SHPS;
}

ir_instr *
adreno_preamble(ir_fn *f)
{
    return adreno_has_preamble(f) ? f->blocks[CODE]->last->prev : make_preamble(f);
}
