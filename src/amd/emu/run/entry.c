/* The initial state of waves: the register values that the command processor and the dispatcher
 * set.
 *
 * First come the user SGPRs, then the system SGPRs that the dispatch asks for: workgroup ids,
 * TG_SIZE, scratch wave offset; gfx12 has the ids in ttmp7 and ttmp9. The VGPRs hold work item ids,
 * one each or packed into v0. Everything else holds garbage. gens.c lists the properties of each
 * generation. Source: LLVM 19, AMDGPUUsage, "Initial Kernel Execution State".
 */
#include "amd/emu/run/entry.h"

#include "amd/emu/check/check.h"
#include "amd/emu/core/gens.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/run/group.h"

/* The contents of registers before they are written; a NaN as a float. */
enum { POISON = 0x7fa5a5a5 };

/* The work item of lane `flat` of the group. Returns whether it exists. */
static bool
work_item(const emu_machine *m, const emu_group *g, uint32_t flat, uint32_t id[3])
{
    const amd_emu_dispatch *d = m->d;
    id[0] = flat % d->group_size[0];
    id[1] = flat / d->group_size[0] % d->group_size[1];
    id[2] = flat / d->group_size[0] / d->group_size[1];
    if (id[2] >= d->group_size[2])
        return false;
    for (int a = 0; a < 3; a++)
        if (d->grid_items[a] &&
            (g->id[a] - d->first_group[a]) * d->group_size[a] + id[a] >= d->grid_items[a])
            return false;
    return true;
}

/* Sets the initial value of a scalar register; its bits in `undefined` hold garbage. */
static void
set_scalar(emu_wave *w, uint32_t code, uint32_t v, uint32_t undefined)
{
    w->sgpr[code] = (v & ~undefined) | (POISON & undefined);
    if (w->shadow)
        w->shadow->s[code] = undefined;
}

static void
next_scalar(emu_wave *w, uint32_t *at, uint32_t v, uint32_t undefined)
{
    if (*at < AMD_REG_VCC_LO)
        set_scalar(w, (*at)++, v, undefined);
}

/* TG_SIZE. Bits 5:0: the number of waves in the group. 16:6, the ordered append term (LLVM 19,
 * AMDGPUUsage, "Work-Group Info"), counts the group's waves if the dispatch leaves ORDERED_APPEND_*
 * zero, as drivers do (Mesa, ac_nir_lower_intrinsics_to_args.c); RADV 22.3.6 reads 11:6 on gfx10.3
 * and gfx11, too. From gfx10.3 on 24:20 are the wave's number (the same file), before, bit 31 is
 * set in the first wave. Nothing is known of the other bits. The checker follows VGPRs by bytes, so
 * it takes whole bytes as defined. */
static void
set_info(emu_wave *w, uint32_t *at)
{
    uint32_t info = w->group->n_waves | w->index << 6;
    if (amd_emu_gen_of(w->m->d->gen)->wave_in_info)
        next_scalar(w, at, info | w->index << 20, ~(0xffffu | 0x1fu << 20));
    else
        next_scalar(w, at, info | (uint32_t)(w->index == 0) << 31, ~(0xffffu | 1u << 31));
}

static void
init_sgprs(emu_wave *w)
{
    const amd_emu_dispatch *d = w->m->d;
    const uint32_t *id = w->group->id;
    const emu_gen *gen = amd_emu_gen_of(d->gen);
    uint32_t at = 0;
    while (at < d->n_user_sgprs)
        next_scalar(w, &at, d->user_sgprs[at], 0);
    if (gen->ids_in_ttmp) {
        set_scalar(w, AMD_REG_TTMP0 + 9, id[0], 0);
        uint32_t z = d->workgroup_id[2] ? id[2] : 0; /* LLVM 20, SIISelLowering.cpp, "GridZ" */
        set_scalar(w, AMD_REG_TTMP0 + 7, (id[1] & 0xffff) | z << 16, 0);
        /* ttmp8: the wave's number in 29:25 (LLVM 19, SIISelLowering.cpp, WAVE_ID) */
        set_scalar(w, AMD_REG_TTMP0 + 8, w->index << 25, ~(0x1fu << 25));
    }
    for (int a = 0; a < 3; a++)
        if (d->workgroup_id[a] && !gen->ids_in_ttmp)
            next_scalar(w, &at, id[a], 0);
    if (d->workgroup_info)
        set_info(w, &at);
    if (d->scratch_wave_offset && gen->flat_scratch != EMU_FS_ARCHITECTED)
        next_scalar(w, &at, (uint32_t)(w->scratch - AMD_EMU_SCRATCH_BASE), 0);
    if (gen->flat_scratch == EMU_FS_ARCHITECTED)
        w->flat_scratch = w->scratch;
}

/* Sets the work item ids. Returns the lanes that exist, which become exec. */
static uint64_t
init_vgprs(emu_wave *w)
{
    const amd_emu_dispatch *d = w->m->d;
    uint64_t exec = 0;
    for (uint32_t l = 0; l < w->lanes; l++) {
        uint32_t id[3];
        if (!work_item(w->m, w->group, w->index * w->lanes + l, id))
            continue;
        exec |= UINT64_C(1) << l;
        if (amd_emu_gen_of(d->gen)->packed_ids)
            w->vgpr[0][l] = id[0] | id[1] << 10 | id[2] << 20;
        else
            for (uint32_t a = 0; a <= d->workitem_ids; a++)
                w->vgpr[a][l] = id[a];
    }
    return exec;
}

static void
poison_registers(emu_wave *w)
{
    for (uint32_t r = 0; r < w->n_vgprs; r++)
        for (uint32_t l = 0; l < EMU_LANES; l++)
            w->vgpr[r][l] = POISON;
    for (uint32_t r = EMU_AGPR0; r < EMU_AGPR0 + w->n_agprs; r++)
        for (uint32_t l = 0; l < EMU_LANES; l++)
            w->vgpr[r][l] = POISON;
    for (uint32_t r = 0; r < EMU_SREGS; r++)
        w->sgpr[r] = POISON;
    w->sgpr[AMD_REG_NULL] = 0;
}

/* A wave before its registers are set: all of them hold garbage. */
static void
reset_wave(emu_wave *w)
{
    const amd_emu_dispatch *d = w->m->d;
    *w = (emu_wave){.group = w->group,
                    .m = w->m,
                    .index = w->index,
                    .lanes = d->wave_size,
                    .pc = d->entry,
                    .mode = d->mode,
                    .vgpr = w->vgpr,
                    .pending = w->pending,
                    .shadow = w->shadow,
                    .hazards = w->hazards,
                    .race = w->race};
    w->all_lanes = base_mask64(w->lanes);
    w->n_shared = d->n_shared_vgprs;
    w->n_vgprs = (d->n_vgprs ? d->n_vgprs : EMU_AGPR0) + w->n_shared;
    w->n_agprs = d->n_agprs;
    w->scratch = AMD_EMU_SCRATCH_BASE + amd_emu_scratch_bytes(d) * w->index;
    poison_registers(w);
}

/* Sets exec, and the checkers: `vectors` VGPRs are defined in lanes `defined`, and no SGPR. */
static void
begin_wave(emu_wave *w, uint64_t exec, uint32_t vectors, uint64_t defined)
{
    amd_emu_write_s64(w, AMD_REG_EXEC_LO, exec);
    if (!exec)
        w->state = EMU_ENDED;
    if (w->pending)
        amd_emu_waits_start(w);
    if (w->hazards)
        amd_emu_hazards_start(w);
    if (w->shadow)
        amd_emu_shadow_start(w, vectors, defined);
}

void
amd_emu_start_wave(emu_wave *w)
{
    const amd_emu_dispatch *d = w->m->d;
    reset_wave(w);
    uint64_t exec = init_vgprs(w);
    begin_wave(w, exec, amd_emu_gen_of(d->gen)->packed_ids ? 1 : d->workitem_ids + 1, exec);
    init_sgprs(w);
}

void
amd_emu_start_stage_wave(emu_wave *w, const amd_emu_stage_wave *s)
{
    reset_wave(w);
    for (uint32_t r = 0; r < s->n_vgprs; r++) {
        if (s->vgprs_set >> r & 1)
            memcpy(w->vgpr[r], s->vgprs[r], sizeof w->vgpr[r]);
    }
    begin_wave(w, s->exec, 0, 0);
    for (uint32_t r = 0; w->shadow && r < s->n_vgprs; r++) {
        if (s->vgprs_set >> r & 1)
            amd_emu_shadow_set(w, r, EMU_BYTES_ALL, s->defined, 0);
    }
    for (uint32_t k = 0; k < s->n_sgprs; k++)
        set_scalar(w, k, s->sgprs[k], s->sgprs_set >> k & 1 ? 0 : UINT32_MAX);
    if (amd_emu_gen_of(w->m->d->gen)->flat_scratch == EMU_FS_ARCHITECTED)
        w->flat_scratch = w->scratch;
}
