/* The depth of the stack.
 *
 * Pushes take an element, loops a row: four elements, on chips with small waves eight. Beside them
 * come elements that the hardware needs for itself. An entry of SQ_PGM_RESOURCES has four elements
 * on all chips (Mesa: callstack_update_max_depth in r600_shader.c). */
#include "r600/emu/core/wave.h"

enum { ENTRY = 4 };

static uint32_t
row_size(const r600_chip *chip)
{
    return chip->wave_size < 64 ? 8 : 4;
}

/* The elements beside those of pushes and loops. */
static uint32_t
reserved(r600_gen gen, uint32_t pushes)
{
    switch (gen) {
    case R600_GEN_R600:
    case R600_GEN_R700: return pushes ? 2 : 0;
    case R600_GEN_CM: return 2 + (pushes ? 1 : 0);
    default: return pushes ? 1 : 0;
    }
}

void
r600_emu_check_stack(const emu_wave *w)
{
    const r600_emu_dispatch *d = emu_machine_of(w)->d;
    uint32_t loops = 0;
    for (uint32_t i = 0; i < w->depth; i++)
        loops += w->stack[i].is_loop;
    const uint32_t pushes = w->depth - loops;
    const uint32_t elements = loops * row_size(d->chip) + pushes + reserved(d->chip->gen, pushes);
    if (w->depth && (elements + ENTRY - 1) / ENTRY > d->stack_entries)
        r600_emu_find(w, R600_RULE_STACK_DEPTH, -1, "the program declares a smaller stack");
}
