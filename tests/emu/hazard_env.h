/* A wave for tests of the hazards checker: instructions are decoded and checked, none is executed. */
#ifndef HAZARD_ENV_H
#define HAZARD_ENV_H

#include "amd/emu/hazards.h"

#include <stdlib.h>

typedef struct hazard_env {
    arena a;
    amd_emu_dispatch d;
    amd_emu_report report;
    emu_machine m;
    emu_group g;
    emu_wave w;
} hazard_env;

static inline void
hazard_env_no_memory(void *user)
{
    (void)user;
    abort();
}

/* All lanes are active, all other registers 0. */
static inline hazard_env *
hazard_env_new(amd_gen gen, uint32_t wave_size)
{
    hazard_env *e = calloc(1, sizeof *e);
    arena_init(&e->a, &base_malloc_allocator, hazard_env_no_memory, NULL);
    e->d = (amd_emu_dispatch){.gen = gen, .checks = AMD_EMU_CHECK_HAZARDS};
    e->m = (emu_machine){.d = &e->d, .arena = &e->a, .report = &e->report};
    e->m.hazards = emu_hazards_rules(&e->a, gen, wave_size, NULL);
    e->g = (emu_group){.n_waves = 1};
    e->w = (emu_wave){.group = &e->g, .m = &e->m, .lanes = wave_size, .n_vgprs = EMU_MAX_VGPRS};
    e->w.all_lanes = base_mask64(wave_size);
    e->w.vgpr = arena_zalloc(&e->a, (EMU_MAX_VGPRS + 16) * sizeof *e->w.vgpr);
    e->w.sgpr[AMD_REG_EXEC_LO] = UINT32_MAX;
    e->w.sgpr[AMD_REG_EXEC_HI] = wave_size == 64 ? UINT32_MAX : 0;
    e->w.hazards = emu_hazards_new(&e->a, e->m.hazards);
    return e;
}

static inline void
hazard_env_free(hazard_env *e)
{
    arena_free(&e->a);
    free(e);
}

/* The instruction at byte `at`, as the checker wants it; NULL if there is none. */
static inline emu_inst *
hazard_env_decode(hazard_env *e, const uint8_t *code, size_t size, size_t at)
{
    emu_inst *i = ARENA_NEW(&e->a, emu_inst);
    if (!amd_decode(e->d.gen, code + at, size - at, &i->in))
        return NULL;
    i->pc = at;
    i->next = at + i->in.size;
    i->row = amd_op_row((amd_op)i->in.op);
    i->samp = AMD_REG_ABSENT;
    for (unsigned s = 0, k = 0; k < AMD_MAX_OPERANDS && i->row->operands[k].role; k++) {
        if (i->row->operands[k].kind == AMD_K_SAMP)
            i->samp = i->in.src[s];
        s += i->row->operands[k].role == AMD_ROLE_SRC;
    }
    i->hazards = emu_hazards_info(&e->a, e->m.hazards, i, e->w.lanes > 32);
    return i;
}

static inline void
hazard_env_check(hazard_env *e, const emu_inst *i)
{
    e->w.at = i;
    emu_hazards_before(&e->w, i);
}

#endif
