/* Races between the lanes of a subgroup: two accesses of different lanes to one byte, of which one
 * is a write that changes it, with nothing of the subgroup between that orders memory.
 *
 * In Vulkan's memory model that is a data race, although the lanes run in lockstep here: program
 * order relates the accesses of one invocation, and those of two are ordered only by barriers,
 * atomics and what these synchronise with (Vulkan specification, "Memory Model", "Data Race" and
 * "Location-Ordered"); operations that exchange values within a subgroup order no memory. The
 * shader's result is then undefined. A compiler may give each lane the value that it stored itself
 * (opt/forward_mem.c), or the place may keep that of any lane.
 *
 * What is not reported, though the model calls it a race: a store of the bytes that are there
 * already, and accesses that are coherent or volatile, which compilers keep as they are. Any
 * barrier or atomic of a wave orders all that its lanes did before. Accesses of different waves are
 * the business of the emulator's *races* check; images are not looked at.
 */
#include "ir/eval_internal.h"

#include <stdio.h>

/* The accesses to a byte since the wave's memory was last ordered. Lanes count from 1; 0: none. */
typedef struct cell {
    const uint8_t *at; /* NULL: a free cell */
    uint32_t turn;     /* accesses in another turn of a wave are ordered before */
    uint8_t writer, reader;
} cell;

/* A byte that several lanes have read. */
enum { SEVERAL = EV_MAX_WIDTH + 1 };

/* Cells by address: a hash table with open addressing, which starts over when it is full. */
enum { CELL_BITS = 18, CELLS = 1 << CELL_BITS, MAX_CELLS = CELLS / 4 * 3 };

struct ev_races {
    uint32_t turn, count;
    cell cells[CELLS];
};

struct ev_races *
ev_races_new(arena *a)
{
    return ARENA_NEW(a, struct ev_races);
}

void
ev_races_order(ev_wave *w)
{
    if (w->g->races)
        w->turn = ++w->g->races->turn;
}

static cell *
find_cell(struct ev_races *r, const uint8_t *at)
{
    if (r->count == MAX_CELLS) {
        memset(r->cells, 0, sizeof r->cells);
        r->count = 0;
    }
    uint32_t k = (uint32_t)((uint64_t)(uintptr_t)at * UINT64_C(0x9e3779b97f4a7c15) >>
                            (64 - CELL_BITS));
    while (r->cells[k].at && r->cells[k].at != at)
        k = (k + 1) % CELLS;
    if (!r->cells[k].at) {
        r->cells[k] = (cell){.at = at};
        r->count++;
    }
    return &r->cells[k];
}

static void
report(ev_wave *w, const ev_instr *i, unsigned lane, unsigned other)
{
    ir_eval_result *r = w->g->result;
    char who[32] = "others";
    if (*r->race)
        return;
    if (other != SEVERAL)
        snprintf(who, sizeof who, "lane %u", other - 1);
    snprintf(r->race, sizeof r->race,
             "block b%u, workgroup (%u,%u,%u), subgroup %u: @%s of lane %u races with %s", w->block,
             w->g->id[0], w->g->id[1], w->g->id[2], w->id, ir_op_of(w->g->e->f, i->ir)->name, lane,
             who);
}

static void
touch(ev_wave *w, const ev_instr *i, unsigned lane, const uint8_t *at, bool write)
{
    cell *c = find_cell(w->g->races, at);
    uint8_t me = (uint8_t)(lane + 1);
    if (c->turn != w->turn) {
        c->turn = w->turn;
        c->writer = c->reader = 0;
    }
    if (c->writer && c->writer != me)
        report(w, i, lane, c->writer);
    else if (write && c->reader && c->reader != me)
        report(w, i, lane, c->reader);
    if (write)
        c->writer = me;
    else
        c->reader = !c->reader || c->reader == me ? me : SEVERAL;
}

/* Scratch is each lane's own, and what is only read cannot race. */
bool
ev_races_watches(const ev_wave *w, const ev_instr *i)
{
    if (!w->g->races)
        return false;
    switch (i->op) {
    case IR_load_ssbo:
    case IR_store_ssbo:
    case IR_load_global:
    case IR_store_global:
        return !(ir_attr_get(i->ir, IR_A_ACCESS) & (IR_ACCESS_COHERENT | IR_ACCESS_VOLATILE));
    case IR_load_shared:
    case IR_store_shared: return true;
    default: return false;
    }
}

void
ev_races_load(ev_wave *w, const ev_instr *i, unsigned lane, const uint8_t *at, unsigned size)
{
    for (unsigned k = 0; k < size; k++)
        touch(w, i, lane, at + k, false);
}

void
ev_races_store(ev_wave *w, const ev_instr *i, unsigned lane, const uint8_t *at, uint64_t value)
{
    for (unsigned k = 0; k < i->more[0].bits / 8; k++)
        if (at[k] != (uint8_t)(value >> 8 * k))
            touch(w, i, lane, at + k, true);
}
