/* The shadow memory of the *races* checker. See race_shadow.h. */
#include "amd/emu/check/race_shadow.h"

enum { PAGE_BYTES = 1 << RACE_PAGE_BITS, PAGE_DWORDS = PAGE_BYTES / 4, FIRST_SIZE = 64 };

static race_page **
find_place(const race_shadow *s, uint64_t number)
{
    uint32_t at = (uint32_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (s->size - 1);
    while (s->table[at] && s->table[at]->number != number)
        at = (at + 1) & (s->size - 1);
    return &s->table[at];
}

static void
grow(race_shadow *s)
{
    race_page **old = s->table;
    uint32_t n = s->size;
    s->size = n ? 2 * n : FIRST_SIZE;
    s->table = ARENA_ARRAY(s->arena, s->size, race_page *);
    for (uint32_t k = 0; k < n; k++)
        if (old[k])
            *find_place(s, old[k]->number) = old[k];
}

race_page *
amd_emu_race_shadow_page(race_shadow *s, uint64_t address)
{
    uint64_t number = address >> RACE_PAGE_BITS;
    if (s->last && s->last->number == number)
        return s->last;
    if (2 * s->count >= s->size)
        grow(s);
    race_page **place = find_place(s, number);
    if (!*place) {
        race_page *p = ARENA_NEW(s->arena, race_page);
        p->number = number;
        p->cells = ARENA_ARRAY(s->arena, PAGE_DWORDS, race_cell);
        *place = p;
        s->count++;
    }
    s->last = *place;
    return *place;
}

void
amd_emu_race_page_split(race_shadow *s, race_page *p)
{
    race_cell *cells = ARENA_ARRAY(s->arena, PAGE_BYTES, race_cell);
    for (uint32_t k = 0; k < PAGE_BYTES; k++)
        cells[k] = p->cells[k / 4];
    p->cells = cells;
    p->bytes = true;
}
