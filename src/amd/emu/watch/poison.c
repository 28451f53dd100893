/* Fills registers that are said not to be live with garbage, so that a run shows whether that is
 * true: the result changes, or the *undefined* checker finds a use.
 *
 * Before each instruction those are filled that were live before the instruction of this wave that
 * was executed last, or that it has written; the others have been filled already.
 */
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/watch/watching.h"
#include "amd/isa/table/numbers.h"
#include "base/bitset.h"

enum { GARBAGE = 0x7fadbeef }; /* a NaN as a float */

static void
fill_scalar(emu_wave *w, uint32_t code)
{
    w->sgpr[code] = GARBAGE;
    if (w->shadow)
        w->shadow->s[code] = UINT32_MAX;
}

static void
fill(emu_wave *w, uint32_t number)
{
    uint32_t row = number - AMD_NUMBER_VGPR0;
    if (number >= AMD_NUMBER_VGPR0) {
        for (uint32_t lane = 0; lane < EMU_LANES; lane++)
            w->vgpr[row][lane] = GARBAGE;
        if (w->shadow)
            amd_emu_shadow_set(w, row, EMU_BYTES_ALL, UINT64_MAX, UINT64_MAX);
    } else if (number <= AMD_NUMBER_VCC_HI) {
        fill_scalar(w, number);
    } else if (number == AMD_NUMBER_M0) {
        fill_scalar(w, AMD_REG_M0);
    } else if (number == AMD_NUMBER_SCC) {
        w->scc = !w->scc;
        if (w->shadow)
            w->shadow->scc = true;
    }
}

/* Does the instruction write the register? Those that are written without being operands count as
 * written always. */
static bool
is_written(const emu_inst *i, uint32_t number)
{
    if (number >= AMD_NUMBER_VCC_LO && number <= AMD_NUMBER_SCC)
        return true;
    for (uint32_t r = 0; r < i->n_ranges; r++) {
        uint32_t first = amd_register_number(i->ranges[r].first);
        if (i->ranges[r].write && number >= first && number < first + i->ranges[r].count)
            return true;
    }
    return false;
}

static const uint64_t *
live_before(const mach_poison *p, const emu_inst *i)
{
    uint64_t at = i->pc - p->first;
    return at / 4 < p->n_dwords ? p->live[at / 4] : NULL;
}

void
amd_emu_poison(emu_wave *w, const emu_inst *i)
{
    const mach_poison *p = w->m->watching->watch->poison;
    if (!p)
        return;
    const uint64_t *now = live_before(p, i), *former = NULL;
    const emu_inst **last = &w->m->watching->last[w->index];
    if (w->instructions)
        former = live_before(p, *last);
    for (uint32_t r = 0; now && r < p->n_registers; r++) {
        bool changed = !former || bitset_has(former, r) || is_written(*last, r);
        if (changed && !bitset_has(now, r))
            fill(w, r);
    }
    *last = i;
}
