/* Functions called around each instruction of a watched dispatch: they count, and decide when to
 * trace and dump (trace.c). */
#include "amd/emu/core/operand.h"
#include "amd/emu/watch/watching.h"

#include <string.h>

_Static_assert((int)AMD_EMU_CLASS_COUNT < MACH_MAX_CLASSES, "there is a count for each class");

static bool
is_wait(const char *name)
{
    static const char *const heads[] = {"s_wait", "s_nop", "s_sleep", "s_delay_alu", "s_clause"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (!strncmp(name, heads[i], strlen(heads[i])))
            return true;
    return false;
}

static amd_emu_class
class_of(const emu_inst *i)
{
    switch ((amd_fmt)i->in.fmt) {
    case AMD_SOP1:
    case AMD_SOP2:
    case AMD_SOPC: return AMD_EMU_CLASS_SALU;
    case AMD_SOPK:
    case AMD_SOPP:
        if (i->row->flags & AMD_F_BRANCH)
            return AMD_EMU_CLASS_BRANCH;
        return is_wait(i->row->name) ? AMD_EMU_CLASS_WAIT : AMD_EMU_CLASS_SALU;
    case AMD_SMEM: return AMD_EMU_CLASS_SMEM;
    case AMD_DS: return AMD_EMU_CLASS_LDS;
    case AMD_MUBUF:
    case AMD_MTBUF: return AMD_EMU_CLASS_BUFFER;
    case AMD_MIMG: return AMD_EMU_CLASS_IMAGE;
    case AMD_FLAT: return AMD_EMU_CLASS_FLAT;
    case AMD_GLOBAL: return AMD_EMU_CLASS_GLOBAL;
    case AMD_SCRATCH: return AMD_EMU_CLASS_SCRATCH;
    case AMD_EXP: return AMD_EMU_CLASS_EXPORT;
    default: return AMD_EMU_CLASS_VALU;
    }
}

static void
note_access(emu_wave *w, bool lds, uint64_t address, uint32_t size, int lane)
{
    emu_watching *s = w->m->watching;
    if ((s->watch->count || s->origins) && s->n_accesses < EMU_MAX_ACCESSES)
        s->accesses[s->n_accesses++] = (emu_access_note){address, size,
                                                         (uint32_t)(lane + 1) << 1 | lds};
}

enum { MAX_WAVES = 1024 / 32 }; /* of a group */

void
amd_emu_watch_open(emu_machine *m)
{
    emu_watching *s = ARENA_NEW(m->arena, emu_watching);
    s->watch = m->d->watch;
    s->last = ARENA_ARRAY(m->arena, MAX_WAVES, const emu_inst *);
    s->vgpr = arena_zalloc(m->arena, EMU_MAX_VGPRS * sizeof *s->vgpr);
    m->watching = s;
    if (s->watch->count)
        s->times = amd_emu_times_open(m, MAX_WAVES);
    if (s->watch->descriptor)
        amd_emu_descriptors_open(m, MAX_WAVES);
    m->tell.access = note_access;
}

/* The number of distinct lines (address / line size) that contain the first or last bytes of
 * accesses. */
static uint64_t
distinct_lines(const emu_watching *s, unsigned shift)
{
    uint64_t seen[2 * EMU_MAX_ACCESSES], n = 0;
    for (uint32_t i = 0; i < s->n_accesses; i++) {
        if (s->accesses[i].lane & 1)
            continue;
        uint64_t first = s->accesses[i].address >> shift,
                 last = (s->accesses[i].address + s->accesses[i].size - 1) >> shift;
        for (uint64_t line = first; line <= last; line += last > first ? last - first : 1) {
            uint64_t k = n; /* accesses close to each other are usually consecutive */
            while (k > 0 && seen[k - 1] != line)
                k--;
            if (!k)
                seen[n++] = line;
        }
    }
    return n;
}

/* ---- conflicts of LDS banks ---- */

enum { BANKS = 32, MAX_WORDS = 8, MAX_PARTS = 8 };

/* The different words that a pass wants of each bank. */
typedef struct bank_use {
    uint64_t words[BANKS][MAX_WORDS];
    uint32_t count[BANKS], most;
} bank_use;

static void
use_word(bank_use *u, uint64_t word)
{
    uint32_t bank = (uint32_t)(word % BANKS), k = 0;
    uint32_t n = u->count[bank] < MAX_WORDS ? u->count[bank] : MAX_WORDS;
    while (k < n && u->words[bank][k] != word)
        k++;
    if (k < n)
        return;
    if (n < MAX_WORDS)
        u->words[bank][n] = word;
    if (++u->count[bank] > u->most)
        u->most = u->count[bank];
}

static uint32_t
lane_of(const emu_watching *s, uint32_t access)
{
    return (s->accesses[access].lane >> 1) - 1;
}

/* The conflicts of what an instruction does at one address of each lane, whose `n` parts were
 * recorded one after the other: part k has the accesses from at[k] up to at[k + 1]. */
static uint64_t
place_conflicts(const emu_watching *s, const uint32_t *at, uint32_t n)
{
    uint32_t words = (s->accesses[at[0]].size + 3) / 4, next[MAX_PARTS], lanes = BANKS;
    uint64_t conflicts = 0;
    for (; lanes * words * n > BANKS; lanes /= 2)
        ;
    memcpy(next, at, n * sizeof *next);
    for (uint32_t pass = 0; next[0] < at[1]; pass++) {
        bank_use use;
        memset(use.count, 0, sizeof use.count);
        use.most = 0;
        for (uint32_t k = 0; k < n; k++)
            for (; next[k] < at[k + 1] && lane_of(s, next[k]) / lanes <= pass; next[k]++)
                for (uint32_t word = 0; word < words; word++)
                    use_word(&use, s->accesses[next[k]].address / 4 + word);
        conflicts += use.most ? use.most - 1 : 0;
    }
    return conflicts;
}

/* Accesses are recorded part by part, the lanes of each in their order. An instruction with two
 * addresses does the second one after the first. */
static uint64_t
lds_conflicts(const emu_watching *s, const emu_inst *i)
{
    uint32_t at[MAX_PARTS + 1], n = 0;
    uint64_t conflicts = 0;
    for (uint32_t k = 0; k < s->n_accesses; k++) {
        if (!(s->accesses[k].lane & 1))
            return 0;
        if ((!k || s->accesses[k].lane <= s->accesses[k - 1].lane) && n < MAX_PARTS)
            at[n++] = k;
    }
    at[n] = s->n_accesses;
    uint32_t together = i->row->flags & AMD_F_OFFSET2 ? (n + 1) / 2 : n;
    for (uint32_t k = 0; k < n; k += together)
        conflicts += place_conflicts(s, &at[k], together < n - k ? together : n - k);
    return conflicts;
}

static void
count(emu_wave *w, const emu_inst *i)
{
    emu_watching *s = w->m->watching;
    uint64_t lines[2] = {0}, conflicts = 0;
    amd_emu_class class = class_of(i);
    mach_class_count *c = &s->watch->counts[class];
    c->instructions++;
    if (class >= AMD_EMU_CLASS_VALU)
        c->lanes += base_popcount64(s->exec);
    for (uint32_t k = 0; k < s->n_accesses; k++)
        c->bytes += s->accesses[k].size;
    if (s->n_accesses) {
        lines[0] = distinct_lines(s, 6);
        lines[1] = distinct_lines(s, 7);
        conflicts = lds_conflicts(s, i);
    }
    c->lines64 += lines[0];
    c->lines128 += lines[1];
    c->conflicts += conflicts;
    amd_emu_times_note(w, i, lines, conflicts);
}

/* Does the filter accept this wave at this address? */
static bool
is_wanted(const emu_wave *w, uint64_t pc)
{
    const mach_filter *f = &w->m->watching->watch->filter;
    return (!f->has_group || !memcmp(f->group, w->group->id, sizeof f->group)) &&
           (!f->has_wave || f->wave == w->index) && (!f->has_pc || f->pc == pc);
}

void
amd_emu_watch_before(emu_wave *w, const emu_inst *i)
{
    emu_watching *s = w->m->watching;
    const mach_watch *o = s->watch;
    s->n_accesses = 0;
    s->exec = amd_emu_exec(w);
    s->found = w->m->report->total;
    s->traced = o->trace && is_wanted(w, i->pc);
    if (s->origins)
        amd_emu_descriptors_before(w, i);
    if (o->dump && o->dump_at == MACH_DUMP_PC && i->pc == o->dump_pc && is_wanted(w, i->pc))
        amd_emu_dump(w, i->pc);
    if (s->traced) {
        memcpy(s->sgpr, w->sgpr, sizeof s->sgpr);
        memcpy(s->vgpr, w->vgpr, w->n_vgprs * sizeof *s->vgpr);
        s->scc = w->scc;
    }
}

void
amd_emu_watch_after(emu_wave *w, const emu_inst *i)
{
    emu_watching *s = w->m->watching;
    const mach_watch *o = s->watch;
    if (o->count)
        count(w, i);
    if (s->origins)
        amd_emu_descriptors_after(w, i);
    if (s->traced)
        amd_emu_trace(w, i);
    bool at_end = o->dump_at == MACH_DUMP_END && w->state == EMU_ENDED;
    bool at_finding = o->dump_at == MACH_DUMP_FINDING && !s->dumped &&
                      w->m->report->total > s->found;
    if (o->dump && (at_end || at_finding) && is_wanted(w, i->pc)) {
        amd_emu_dump(w, i->pc);
        s->dumped = true;
    }
}

void
amd_emu_watch_close(emu_machine *m)
{
    if (m->watching->times)
        amd_emu_times_close(m);
}

void
amd_emu_watch_stop(emu_wave *w)
{
    emu_watching *s = w->m->watching;
    if (s->watch->dump && s->watch->dump_at != MACH_DUMP_PC && !s->dumped && is_wanted(w, w->pc))
        amd_emu_dump(w, w->pc);
    s->dumped = true;
}
