/* The preamble: code that one fibre of the first wave runs for all.
 *
 *     BB0: inputs; SHPS BB3, BB1     BB1: GETONE BB4, BB2     BB2: ...; SHPE; JUMP BB5
 *     BB3, BB4: JUMP BB5             BB5: the program
 *
 * Edges that leave it have blocks of their own, in which registers may be moved. */
#include "adreno/opt/opt.h"

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

/* The program's inputs are defined in the first of the blocks. */
static void
move_inputs(ir_block *from, ir_block *to)
{
    for (ir_instr *i = from->first, *next; i && i->op == ADRENO_P_START; i = next) {
        next = i->next;
        ir_unlink(i);
        ir_append(to, i);
    }
}

static ir_instr *
make_preamble(ir_fn *f)
{
    ir_block *made[ADRENO_PREAMBLE_BLOCKS], *main = f->blocks[0];
    const size_t n = f->n_blocks;
    for (unsigned k = 0; k < ADRENO_PREAMBLE_BLOCKS; k++)
        ir_append_block(f, made[k] = ir_block_new(f));
    for (size_t k = n; k-- > 0;)
        f->blocks[k + ADRENO_PREAMBLE_BLOCKS] = f->blocks[k];
    for (unsigned k = 0; k < ADRENO_PREAMBLE_BLOCKS; k++)
        f->blocks[k] = made[k];
    for (size_t k = 0; k < f->n_blocks; k++)
        f->blocks[k]->index = (uint32_t)k;
    move_inputs(main, made[START]);
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

ir_instr *
adreno_preamble(ir_fn *f)
{
    const ir_instr *last = f->blocks[START]->last;
    if (!last || last->op != ADRENO_SHPS)
        return make_preamble(f);
    return f->blocks[CODE]->last->prev;
}
