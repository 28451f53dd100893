/* Fetches of what the wave itself has stored: a fetch has it only behind WAIT_ACK, which waits for
 * the acknowledgements of writes with MARK and a type that has them (Mesa: r600_shader.c,
 * emit_wait_ack and the writes of buffers).
 *
 * A stamp is a number of its own for each wave and each of its waits; stores that no wait covers
 * have another, which the wave keeps. */
#include "r600/emu/core/wave.h"

static bool
checks_waits(const emu_wave *w)
{
    return emu_machine_of(w)->d->checks & MACH_CHECK_WAITS;
}

void
r600_emu_start_stamps(emu_wave *w)
{
    emu_machine *m = emu_machine_of(w);
    w->stamp = ++m->n_stamps;
    w->unmarked_stamp = ++m->n_stamps;
}

void
r600_emu_wait_ack(emu_wave *w)
{
    w->stamp = ++emu_machine_of(w)->n_stamps;
}

void
r600_emu_note_store(emu_wave *w, uint64_t address, uint32_t size)
{
    enum { WRITE_ACK = 2, WRITE_IND_ACK = 3 };
    const uint32_t type = w->cf.f[R600_F_type];
    const bool is_marked = w->cf.f[R600_F_mark] || emu_machine_of(w)->isa->gen == R600_GEN_R700;
    const bool is_acked = is_marked && (type == WRITE_ACK || type == WRITE_IND_ACK);
    if (!checks_waits(w))
        return;
    for (uint64_t k = address; k < address + size; k++)
        map_put(&emu_machine_of(w)->stores, k, is_acked ? w->stamp : w->unmarked_stamp);
}

void
r600_emu_check_fetch(emu_wave *w, uint64_t address, uint32_t size, uint32_t lane)
{
    uint64_t stamp;
    if (!checks_waits(w))
        return;
    for (uint64_t k = address; k < address + size; k++)
        if (map_get(&emu_machine_of(w)->stores, k, &stamp) &&
            (stamp == w->stamp || stamp == w->unmarked_stamp)) {
            r600_emu_find(w, R600_RULE_FETCH_UNWAITED, (int)lane,
                          stamp == w->stamp ? "the wave's store may not have arrived: no WAIT_ACK"
                                            : "nothing waits for the wave's store: it has no MARK");
            return;
        }
}
