/* Passes the handlers' notifications on to the checkers that are on. */
#include "amd/emu/check/check.h"

#include "amd/emu/check/races.h"
#include "amd/emu/check/waits.h"

static void
waited(emu_wave *w, const uint32_t counts[AMD_WAIT_COUNT])
{
    if (w->pending)
        amd_emu_waits_until(w, counts);
    if (w->race)
        amd_emu_races_until(w, counts);
}

void
amd_emu_listen(emu_machine *m)
{
    m->tell.waited = waited;
    if (m->races) {
        m->tell.shared = amd_emu_races_access;
        m->tell.barrier = amd_emu_races_barrier;
        m->tell.sent = m->d->one_unit ? amd_emu_races_sent : NULL;
    }
}
