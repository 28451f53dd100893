/* A wave for tests of the hazards checker: instructions are decoded and checked, but not
 * executed. */
#ifndef HAZARD_ENV_H
#define HAZARD_ENV_H

#include "amd/emu/check/check.h"
#include "amd/emu/check/hazards.h"
#include "amd/object/object.h"
#include "one_wave.h"

typedef one_wave hazard_env;

/* All VGPRs are allocated. */
static inline hazard_env *
hazard_env_new(amd_gen gen, uint32_t wave_size, amd_obj_retry may_retry)
{
    hazard_env *e = one_wave_new(&(amd_emu_dispatch){.gen = gen,
                                                     .wave_size = wave_size,
                                                     .checks = MACH_CHECK_HAZARDS,
                                                     .may_retry = (uint8_t)may_retry});
    e->w.n_vgprs = EMU_MAX_VGPRS;
    e->m.hazards = amd_emu_hazards_rules(&e->a, &e->d);
    e->w.hazards = amd_emu_hazards_new(&e->a, e->m.hazards);
    return e;
}

static inline void
hazard_env_free(hazard_env *e)
{
    one_wave_free(e);
}

/* The instruction at byte `at`, in the checker's form; NULL if there is none. */
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
    i->hazards = amd_emu_hazards_info(&e->a, e->m.hazards, i, e->w.lanes > 32);
    return i;
}

static inline void
hazard_env_check(hazard_env *e, const emu_inst *i)
{
    e->w.at = i;
    amd_emu_hazards_before(&e->w, i);
}

#endif
