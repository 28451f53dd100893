/* Tells of the descriptors that instructions use, and where their words were loaded from. */
#include "amd/emu/core/operand.h"
#include "amd/emu/watch/watching.h"

#include <string.h>

/* The address from which each scalar register of a wave was loaded last. */
typedef struct emu_origins {
    uint64_t address[EMU_SREGS + 16];
} emu_origins;

void
amd_emu_descriptors_open(emu_machine *m, uint32_t n_waves)
{
    m->watching->origins = ARENA_ARRAY(m->arena, n_waves, emu_origins);
}

/* The address where the words of registers from `reg` on are; 0 if they were not loaded in one
 * piece, or are others since. */
static uint64_t
loaded_from(const emu_wave *w, uint32_t reg, uint32_t n)
{
    const uint64_t *from = &w->m->watching->origins[w->index].address[reg];
    uint32_t hint = 0;
    for (uint32_t k = 1; k < n; k++) {
        if (from[k] != from[0] + 4 * k)
            return 0;
    }
    const mach_region *r = from[0] ? mach_memory_find(w->m->memory, &hint, from[0], 4 * n) : NULL;
    bool same = r && memcmp(r->host + (from[0] - r->base), &w->sgpr[reg], 4 * n) == 0;
    return same ? from[0] : 0;
}

static void
tell(const emu_wave *w, const emu_inst *i, mach_descriptor_kind kind, uint32_t reg, uint32_t n)
{
    const mach_watch *o = w->m->watching->watch;
    if (reg >= EMU_SREGS)
        return;
    mach_descriptor d = {
        .kind = kind, .pc = i->pc, .reg = reg, .n_words = n, .from = loaded_from(w, reg, n)};
    memcpy(d.words, &w->sgpr[reg], 4 * n);
    o->descriptor(o->descriptor_user, &d);
}

void
amd_emu_descriptors_before(const emu_wave *w, const emu_inst *i)
{
    const amd_operand *base = i->in.fmt == AMD_SMEM ? amd_op_src(i->row, 0) : NULL;
    switch (i->in.fmt) {
    case AMD_MUBUF:
    case AMD_MTBUF: tell(w, i, MACH_DESCRIPTOR_BUFFER, i->rsrc, 4); break;
    case AMD_MIMG:
        tell(w, i, MACH_DESCRIPTOR_IMAGE, i->rsrc, i->in.r128 ? 4 : 8);
        tell(w, i, MACH_DESCRIPTOR_SAMPLER, i->samp, 4);
        break;
    case AMD_SMEM:
        if (base && base->kind == AMD_K_SBASE && base->type == AMD_T_B128)
            tell(w, i, MACH_DESCRIPTOR_BUFFER, i->in.src[0], 4);
        break;
    default: break;
    }
}

void
amd_emu_descriptors_after(const emu_wave *w, const emu_inst *i)
{
    const emu_watching *s = w->m->watching;
    if (i->in.fmt != AMD_SMEM || !(i->row->flags & AMD_F_LOAD) || !i->in.n_dst)
        return;
    uint64_t *to = s->origins[w->index].address;
    for (uint32_t k = 0; k < i->row->memory / 4u && i->in.dst[0] + k < EMU_SREGS; k++)
        to[i->in.dst[0] + k] = k < s->n_accesses ? s->accesses[k].address : 0;
}
