/* What a dispatch has accessed, told at its end: the shadow memory of the *races* checker, in runs
 * of cells that are alike. LDS is the dispatch's own and left out. */
#include "amd/emu/check/check.h"
#include "amd/emu/check/races.h"

/* Runs that are being put together. */
typedef struct teller {
    const struct emu_races *races;
    amd_emu_touched_fn *told;
    void *user;
    race_cell cell; /* of the run's cells */
    uint64_t from, to;
} teller;

/* The one of the cell's readers that depends most on what was there: a plain load before one that
 * is coherent. Stores of what was there already are among the readers, too. */
static amd_emu_access
reader_of(const teller *t)
{
    amd_emu_access best = {0};
    for (unsigned k = 0; k < RACE_READERS; k++) {
        amd_emu_access a = amd_emu_races_read(t->races, t->cell.readers[k]);
        if (a.kind & AMD_EMU_READS && (!best.kind || best.kind & AMD_EMU_COHERENT))
            best = a;
    }
    return best;
}

static void
end_run(teller *t)
{
    amd_emu_touch touch = {.address = t->from,
                           .size = t->to - t->from,
                           .writer = amd_emu_races_read(t->races, t->cell.writer),
                           .reader = reader_of(t)};
    if (touch.size && (touch.writer.kind || touch.reader.kind))
        t->told(t->user, &touch);
    t->from = t->to;
}

static void
add_cell(teller *t, const race_cell *cell, uint64_t address, uint32_t size)
{
    if (address != t->to || memcmp(cell, &t->cell, sizeof *cell) != 0) {
        end_run(t);
        t->from = address;
        t->cell = *cell;
    }
    t->to = address + size;
}

static void
tell_page(teller *t, const race_page *p)
{
    const uint32_t size = p->bytes ? 1 : 4, cells = RACE_TOUCHED_BYTES / size;
    for (uint32_t k = 0; k < 64; k++) {
        uint32_t first = k * cells;
        for (uint32_t c = first; p->touched >> k & 1 && c < first + cells; c++)
            add_cell(t, &p->cells[c], (p->number << RACE_PAGE_BITS) + (uint64_t)c * size, size);
    }
    end_run(t);
}

void
amd_emu_races_tell(const struct emu_races *r, amd_emu_touched_fn *told, void *user)
{
    const race_shadow *s = amd_emu_races_shadow(r);
    teller t = {.races = r, .told = told, .user = user};
    for (uint32_t k = 0; k < s->size; k++) {
        const race_page *p = s->table[k];
        if (p && p->number >> (32 - RACE_PAGE_BITS) != AMD_EMU_SHARED_BASE >> 32)
            tell_page(&t, p);
    }
}
