/* Checks the groups of a program without running it: of all ALU clauses that its control flow
 * names. */
#include "r600/emu/core/wave.h"

#include <string.h>

static void
check_clause(emu_wave *w, const r600_inst *cf)
{
    emu_slots g;
    w->at = cf->f[R600_F_addr] * 2;
    w->end = w->at + (cf->f[R600_F_count] + 1) * 2;
    if (w->end > emu_machine_of(w)->d->size / 4)
        r600_emu_stop(w, MACH_RUN_BAD_CODE, "a clause outside the code");
    for (; w->at < w->end; w->at = g.next) {
        r600_emu_read_group(w, &g);
        r600_emu_check_group(w, &g);
    }
}

void
r600_emu_check_code(arena *a, const r600_emu_dispatch *d, mach_report *report)
{
    emu_machine *m = ARENA_NEW(a, emu_machine);
    emu_group *g = ARENA_NEW(a, emu_group);
    emu_wave *w = ARENA_NEW(a, emu_wave);
    static const r600_inst none = {.op = R600_RAW};
    memset(report, 0, sizeof *report);
    memset(w, 0, sizeof *w);
    *m = (emu_machine){.d = d, .arena = a, .report = report, .inst = &none};
    *g = (emu_group){.machine = m};
    w->group = g;
    m->isa = r600_isa_open(a, d->chip->gen);
    m->text = buf_make(a);
    const r600_place *places = r600_map_code(m->isa, a, d->code, d->size / 4);
    if (setjmp(m->stop))
        return;
    for (size_t at = 0; at + 2 <= d->size / 4; at++) {
        if (places[at].kind != R600_PLACE_CODE || places[at].space != R600_SPACE_CF)
            continue;
        const uint32_t words[2] = {r600_read_dword(d->code + at * 4),
                                   r600_read_dword(d->code + at * 4 + 4)};
        r600_inst in;
        r600_decode(m->isa, R600_SPACE_CF, words, &in);
        m->inst = &in;
        m->where = (uint32_t)at;
        if (r600_op_row(in.op)->format == R600_FMT_CF_ALU)
            check_clause(w, &in);
    }
}
