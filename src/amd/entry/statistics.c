/* Statistics of finished code. They are computed on request, so that compiling does not pay for
 * them.
 */
#include "amd/entry/family.h"

#include "amd/isa/table/estimate.h"
#include "amd/isa/table/table.h"
#include "amd/object/object.h"
#include "amd/target/occupancy.h"

#include <string.h>

/* The figures, in the order in which users see them. */
#define FIGURES(X)                                                                                 \
    X(code_bytes)                                                                                  \
    X(instructions)                                                                                \
    X(valu)                                                                                        \
    X(salu)                                                                                        \
    X(vmem)                                                                                        \
    X(smem)                                                                                        \
    X(ds)                                                                                          \
    X(branches)                                                                                    \
    X(copies)                                                                                      \
    X(waits)                                                                                       \
    X(nops)                                                                                        \
    X(vopd)                                                                                        \
    X(sgprs)                                                                                       \
    X(vgprs)                                                                                       \
    X(spilled_sgprs)                                                                               \
    X(spilled_vgprs)                                                                               \
    X(scratch_bytes)                                                                               \
    X(lds_bytes)                                                                                   \
    X(max_waves)                                                                                   \
    X(latency)                                                                                     \
    X(inv_throughput)

typedef struct statistics {
#define X(name) uint32_t name;
    FIGURES(X)
#undef X
} statistics;

static bool
is_wait(unsigned op)
{
    return strncmp(amd_op_row((amd_op)op)->name, "s_wait", 6) == 0;
}

static void
count_instruction(const amd_inst *in, statistics *stats)
{
    const amd_op_info *row = amd_op_row((amd_op)in->op);
    stats->instructions++;
    switch ((amd_fmt)in->fmt) {
    case AMD_SOPP:
        if (row->flags & AMD_F_BRANCH)
            stats->branches++;
        else if (is_wait(in->op))
            stats->waits++;
        else if (in->op == AMD_S_NOP)
            stats->nops++;
        else
            stats->salu++;
        break;
    case AMD_SOPK:
        if (is_wait(in->op))
            stats->waits++;
        else
            stats->salu++;
        break;
    case AMD_SOP1:
    case AMD_SOP2:
    case AMD_SOPC: stats->salu++; break;
    case AMD_SMEM: stats->smem++; break;
    case AMD_DS: stats->ds++; break;
    case AMD_MUBUF:
    case AMD_MTBUF:
    case AMD_MIMG:
    case AMD_FLAT:
    case AMD_GLOBAL:
    case AMD_SCRATCH: stats->vmem++; break;
    case AMD_EXP: break;
    case AMD_VOPD:
        stats->vopd++;
        stats->valu++;
        break;
    default: stats->valu++; break;
    }
    stats->copies += in->op == AMD_S_MOV_B32 || in->op == AMD_S_MOV_B64 ||
                     (in->op == AMD_V_MOV_B32 && in->ext == AMD_EXT_NONE);
}

static uint32_t
waves_of(const amd_target *t, const obj_code *code, const statistics *stats)
{
    const amd_wave_needs needs = {
        .sgprs = stats->sgprs,
        .vgprs = stats->vgprs,
        .lds_bytes = code->lds_bytes,
        .wave_size = code->wave_size,
        .group_size = {code->workgroup_size[0], code->workgroup_size[1], code->workgroup_size[2]}};
    return amd_waves_that_fit(t, &needs);
}

static void
count_instructions(const amd_target *t, const obj_code *code, statistics *stats)
{
    amd_inst in;
    for (uint32_t at = 0; at < code->data_offset;) {
        bool extra,
            ok = amd_decode_loose(t->gen, code->code + at, code->data_offset - at, &in, &extra);
        if (ok)
            count_instruction(&in, stats);
        at += ok ? in.size : 4;
    }
}

/* Raises the figure of the bank that has all registers of the use. */
static void
note_use(const family_bank *banks, const family_use *use, statistics *stats)
{
    uint32_t end = (uint32_t)use->first + use->count;
    for (const family_bank *b = banks; b->name; b++) {
        if (!b->figure || use->first < b->first || end > (uint32_t)b->first + b->count)
            continue;
        if (strcmp(b->figure, "sgprs") == 0 && end - b->first > stats->sgprs)
            stats->sgprs = end - b->first;
        if (strcmp(b->figure, "vgprs") == 0 && end - b->first > stats->vgprs)
            stats->vgprs = end - b->first;
    }
}

/* The registers that code without notes uses: up to the highest one that an instruction names. */
static void
count_registers(arena *scratch, const family_target *target, const obj_code *code,
                statistics *stats)
{
    const family_isa *isa = target->family->isa;
    void *reader = isa->open(scratch, target, code->wave_size);
    family_effects *e = ARENA_NEW(scratch, family_effects);
    family_inst in;
    for (uint32_t at = 0; at < code->data_offset;) {
        bool ok = isa->decode(reader, code->code + at, code->data_offset - at, &in);
        at += ok ? in.size : 4;
        if (ok)
            isa->effects(reader, e);
        for (uint32_t u = 0; ok && u < e->n_uses; u++)
            note_use(isa->banks, &e->uses[u], stats);
    }
}

void
amd_count_code(arena *scratch, const family_target *target, const obj_code *code,
               family_figures *out)
{
    const amd_target *t = amd_target_of(target);
    const amd_obj_state *state = amd_obj_state_of(code);
    statistics stats = {
        .code_bytes = code->data_offset,
        .sgprs = state->sgprs,
        .vgprs = state->vgprs,
        .spilled_sgprs = state->spilled_sgprs,
        .spilled_vgprs = state->spilled_vgprs,
        .scratch_bytes = code->scratch_bytes,
        .lds_bytes = code->lds_bytes,
    };
    if (!code->own)
        count_registers(scratch, target, code, &stats);
    count_instructions(t, code, &stats);
    amd_pace pace = amd_pace_of(t->gen, t->name, code->wave_size == 64);
    amd_estimate e = amd_estimate_code(scratch, &pace, code->code, code->data_offset);
    stats.latency = e.latency;
    stats.inv_throughput = e.inv_throughput;
    stats.max_waves = waves_of(t, code, &stats);
#define X(name) family_add_figure(out, #name, stats.name);
    FIGURES(X)
#undef X
    uint32_t granule = t->vgpr_granule[code->wave_size == 64], taken = stats.vgprs;
    family_add_figure(out, "allocated_vgprs",
                      (taken ? (taken + granule - 1) / granule : 1) * granule);
}

void
amd_describe_code(const obj_code *code, family_figures *out)
{
    const amd_obj_state *state = amd_obj_state_of(code);
    family_add_figure(out, "sgprs", state->sgprs);
    family_add_figure(out, "vgprs", state->vgprs);
    family_add_figure(out, "lds_bytes", code->lds_bytes);
    family_add_figure(out, "scratch_bytes", code->scratch_bytes);
    family_add_figure(out, "rsrc1", state->rsrc[0]);
    family_add_figure(out, "rsrc2", state->rsrc[1]);
    family_add_figure(out, "rsrc3", state->rsrc[2]);
    family_add_figure(out, "address_high", state->address_high);
    family_add_figure(out, "buffer_word3", state->buffer_word3);
}

void
amd_print_statistics(const family_figures *figures, base_buf *out)
{
    statistics s = {0};
#define X(member) s.member = (uint32_t)family_figure_of(figures, #member);
    FIGURES(X)
#undef X
    buf_printf(out,
               "  %u instructions in %u bytes: %u VALU, %u SALU, %u VMEM, %u SMEM, %u LDS, %u "
               "branches,\n  %u waits, %u nops, %u copies\n",
               s.instructions, s.code_bytes, s.valu, s.salu, s.vmem, s.smem, s.ds, s.branches,
               s.waits, s.nops, s.copies);
    buf_printf(out,
               "  %u SGPRs, %u VGPRs, %u waves; %u bytes LDS, %u bytes scratch; spilled %u SGPRs, "
               "%u VGPRs\n",
               s.sgprs, s.vgprs, s.max_waves, s.lds_bytes, s.scratch_bytes, s.spilled_sgprs,
               s.spilled_vgprs);
    if (s.latency)
        buf_printf(out, "  latency %u cycles, inverse throughput %u cycles\n", s.latency,
                   s.inv_throughput);
}
