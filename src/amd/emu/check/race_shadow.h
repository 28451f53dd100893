/* The shadow memory of the *races* checker: the last accesses to each byte.
 *
 * A page covers 4096 addresses with one cell per dword, or one per byte after an access to less
 * than an aligned dword. A cell holds the numbers of accesses, 0 for none. LDS has pages too, in
 * the shared aperture.
 */
#ifndef AMD_EMU_RACE_SHADOW_H
#define AMD_EMU_RACE_SHADOW_H

#include "base/arena.h"

enum { RACE_PAGE_BITS = 12, RACE_TOUCHED_BYTES = 64, RACE_READERS = 2 };

typedef struct race_cell {
    uint32_t writer;
    uint32_t readers[RACE_READERS]; /* of different waves */
} race_cell;

typedef struct race_page {
    uint64_t number; /* address >> RACE_PAGE_BITS */
    race_cell *cells;
    bool bytes;       /* one cell per byte */
    uint64_t touched; /* a bit for each RACE_TOUCHED_BYTES: were some of them accessed? */
} race_page;

/* Pages by number: a hash table with open addressing. */
typedef struct race_shadow {
    arena *arena;
    race_page **table;
    uint32_t count, size; /* size is a power of two, or 0 */
    race_page *last;      /* found last */
} race_shadow;

/* The page of an address; created on first use. */
race_page *
amd_emu_race_shadow_page(race_shadow *s, uint64_t address);

/* Changes the page to one cell per byte. */
void
amd_emu_race_page_split(race_shadow *s, race_page *p);

#endif
