/* Statistics of finished code. They are computed on request, so that compiling does not pay for
 * them.
 */
#include "amd/amd.h"
#include "amd/isa/table/estimate.h"
#include "amd/isa/table/table.h"
#include "amd/target/occupancy.h"
#include "api/api.h"

#include <string.h>

static bool
is_wait(unsigned op)
{
    return strncmp(amd_op_row((amd_op)op)->name, "s_waitcnt", 9) == 0;
}

static void
count_instruction(const amd_inst *in, heddle_stats *stats)
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
    default: stats->valu++; break;
    }
    stats->copies += in->op == AMD_S_MOV_B32 || in->op == AMD_S_MOV_B64 ||
                     (in->op == AMD_V_MOV_B32 && in->ext == AMD_EXT_NONE);
}

static uint32_t
least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The number of waves that fit on a SIMD with the registers, LDS and workgroup size stated in the
 * notes. */
static uint32_t
waves_that_fit(const amd_target *t, const obj_code *code)
{
    ir_fn fn = {0};
    amd_program p = {.fn = &fn, .target = t, .wave_size = code->wave_size};
    p.lds_bytes = code->lds_bytes;
    for (int i = 0; i < 3; i++)
        fn.shader.workgroup_size[i] = code->workgroup_size[i];
    p.cg.max_demand.units[AMD_BANK_SGPR] = (int32_t)least(code->sgprs, t->sgpr_limit);
    p.cg.max_demand.units[AMD_BANK_VGPR] = (int32_t)least(code->vgprs, t->vgpr_limit);
    amd_set_budgets(&p);
    return p.max_waves;
}

void
api_count_code(api_state *s, const obj_code *code, heddle_stats *stats)
{
    const amd_target *t = amd_find_target(code->target);
    amd_inst in;
    stats->wave_size = code->wave_size;
    stats->code_bytes = code->data_offset;
    stats->sgprs = code->sgprs;
    stats->vgprs = code->vgprs;
    stats->spilled_sgprs = code->spilled_sgprs;
    stats->spilled_vgprs = code->spilled_vgprs;
    stats->scratch_bytes = code->scratch_bytes;
    stats->lds_bytes = code->lds_bytes;
    if (!t)
        return;
    for (uint32_t at = 0; at < code->data_offset;) {
        bool extra,
            ok = amd_decode_loose(t->gen, code->code + at, code->data_offset - at, &in, &extra);
        if (ok)
            count_instruction(&in, stats);
        at += ok ? in.size : 4;
    }
    amd_estimate e = amd_estimate_code(&s->scratch, t->gen, code->wave_size == 64, code->code,
                                       code->data_offset);
    stats->latency = e.latency;
    stats->inv_throughput = e.inv_throughput;
    stats->max_waves = waves_that_fit(t, code);
}
