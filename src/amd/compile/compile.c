#include "amd/compile/compile.h"

#include "amd/abi/lower_abi.h"
#include "amd/select/select.h"
#include "cg/live.h"
#include "cg/ssa_elimination.h"
#include "ir/analysis.h"
#include "opt/close_ifs.h"
#include "opt/opt.h"

#include <string.h>

/* The phases on machine IR, in order. All are required for code generation; amd_program.debug
 * decides what is left out. */
#define PHASE(id, fn, keeps, sentence)                                                             \
    static const ir_pass phase_##id = {#id, NULL, fn, 0, keeps, IR_PASS_REQUIRED, sentence};
#include "amd/compile/phases.def"
#undef PHASE

static const ir_pass *const phases[] = {
    &opt_passes[OPT_dce], /* removes unused results of selection */
#define PHASE(id, fn, keeps, sentence) &phase_##id,
#include "amd/compile/phases.def"
#undef PHASE
    NULL,
};

/* Steps that are not passes, only timed. */
static const ir_pass work_lower_abi = {
    .name = "lower_abi",
    .what = "Descriptors, push constants and built-in values become what the ABI gives."};
static const ir_pass work_close_ifs = {
    .name = "close_ifs", .what = "Loop-closed SSA, and divergent ifs with both arms at their end."};
static const ir_pass work_select_program = {.name = "select_program",
                                            .what = "Makes machine IR and its linear CFG of HIR."};
static const ir_pass work_emit_program = {.name = "emit_program", .what = "Encodes."};

/* The wave size that `options` and the shader request. */
static uint32_t
choose_wave_size(const amd_options *options, const ir_shader *shader)
{
    if (shader->required_wave_size)
        return shader->required_wave_size;
    return options->wave_size ? options->wave_size : 64;
}

/* MODE bits 7:0: round to nearest even; denormals are kept unless the shader requests flushing
 * (RDNA 2 ISA, 3.8: bits 3:2 and 7:6 apply to f16 and f64 together). */
static uint32_t
float_mode(const ir_float_controls *c)
{
    uint32_t mode = 0xf0;
    if (c->denorm_flush & 2)
        mode &= ~0x30u;
    if (c->denorm_flush & 5)
        mode &= ~0xc0u;
    if (c->round_zero & 2)
        mode |= 3;
    if (c->round_zero & 5)
        mode |= 3u << 2;
    return mode;
}

static uint32_t
granules(uint32_t n, uint32_t granule)
{
    uint32_t g = (n + granule - 1) / granule;
    return g ? g - 1 : 0;
}

/* COMPUTE_PGM_RSRC1 to 3 (LLVM 19, AMDGPUUsage, "compute_pgm_rsrc1 for GFX6-GFX12" and following):
 * VGPRS 5:0, FLOAT_MODE 19:12, DX10_CLAMP 21, WGP_MODE 29, MEM_ORDERED 30; SCRATCH_EN 0, USER_SGPR
 * 5:1, TGID_X_EN 7 to 9, TG_SIZE_EN 10, TIDIG_COMP_CNT 12:11, LDS_SIZE 23:15 in blocks of
 * lds_granule. */
static void
set_registers(const amd_program *p, amd_binary *out)
{
    unsigned granule = p->wave_size == 32 ? 8 : 4;
    uint32_t local_ids = 0, rsrc2 = p->n_user_sgprs << 1;
    for (unsigned a = 0; a < p->n_args; a++) {
        if (p->args[a].kind == AMD_ARG_WORKGROUP_ID)
            rsrc2 |= 1u << (7 + p->args[a].index);
        if (p->args[a].kind == AMD_ARG_WORKGROUP_INFO)
            rsrc2 |= 1u << 10;
        if (p->args[a].kind == AMD_ARG_SCRATCH_OFFSET)
            rsrc2 |= 1;
        if (p->args[a].kind == AMD_ARG_LOCAL_ID)
            local_ids = p->args[a].index;
    }
    out->rsrc[0] = granules(p->vgprs_used, granule) | p->float_mode << 12;
    if (amd_has(p->target, has_clamp_mode))
        out->rsrc[0] |= 1u << 21;
    if (amd_has(p->target, has_wgp_mode))
        out->rsrc[0] |= 1u << 29 | 1u << 30;
    uint32_t block = amd_has(p->target, lds_granule);
    uint32_t lds = p->hsa ? 0 : (p->lds_bytes + block - 1) / block; /* hsa: set by the dispatcher */
    out->rsrc[1] = rsrc2 | local_ids << 11 | lds << 15;
    out->rsrc[2] = 0;
}

/* A workgroup has at most 1024 invocations (LLVM 19, AMDGPUUsage,
 * "amdgpu-flat-work-group-size"). */
static void
check_limits(const ir_fn *hir, const amd_target *target)
{
    enum { MAX_INVOCATIONS = 1024 };
    const uint32_t *size = hir->shader.workgroup_size;
    unsigned long long lanes = (unsigned long long)size[0] * size[1];
    if (lanes <= MAX_INVOCATIONS)
        lanes *= size[2];
    if (lanes > MAX_INVOCATIONS)
        diag_fail(hir->ctx->diag, ERR_TARGET_LIMIT, lanes, "invocations", target->name,
                  (unsigned)MAX_INVOCATIONS);
    if (hir->shader.shared_size > target->lds_limit)
        diag_fail(hir->ctx->diag, ERR_TARGET_LIMIT, (unsigned long long)hir->shader.shared_size,
                  "bytes of shared memory", target->name, (unsigned)target->lds_limit);
}

static amd_program *
new_program(const ir_fn *hir, const amd_options *options)
{
    amd_program *p = ARENA_NEW(hir->arena, amd_program);
    p->target = options->target;
    p->wave_size = choose_wave_size(options, &hir->shader);
    p->lane_mask = p->wave_size == 64 ? AMD_S2 : AMD_S1;
    p->debug = options->switches.debug;
    p->run = options->run;
    p->debug_sgprs = options->switches.sgprs;
    p->debug_vgprs = options->switches.vgprs;
    p->debug_reach = options->switches.reach;
    p->hsa = options->hsa;
    p->address_high = options->address_high;
    p->float_mode = float_mode(&hir->shader.fp);
    p->lds_bytes = hir->shader.shared_size;
    p->scratch_bytes = hir->shader.scratch_size;
    p->needs_scratch = false; /* amd_lower_abi and spilling set it */
    return p;
}

/* Cleans up after the ABI lowering, before selection. */
static const ir_pass *const before_selection[] = {
    &opt_passes[OPT_lower_idiv], &opt_passes[OPT_lower_int64], &opt_passes[OPT_gvn], &ir_if_changed,
    &opt_passes[OPT_copy_prop],  &opt_passes[OPT_licm],        &opt_passes[OPT_dce], NULL,
};

/* Uniform values and lane masks live in SGPRs. */
static bool
lives_in_sgprs(const ir_fn *f, uint32_t id)
{
    return !f->values[id].divergent || ir_type_bits(f->values[id].type) == 1;
}

static void
lower_for_selection(ir_fn *hir, amd_program *p, const amd_options *options)
{
    hir->shader.wave_size = p->wave_size;
    ir_run_passes(hir, opt_pipeline, options->run);
    if (options->run->stopped)
        return;
    ir_require(hir, IR_HAS_DOMINANCE | IR_HAS_LOOPS | IR_HAS_DIVERGENCE);
    amd_lower_abi(hir, p, options->layout);
    hir->changes++;
    ir_charge(options->run, &work_lower_abi, hir->ctx->arena);
    ir_run_passes(hir, before_selection, options->run);
    ir_require(hir, IR_HAS_DOMINANCE | IR_HAS_LOOPS);
    if (ir_convert_to_lcssa(hir))
        hir->valid &= ~(uint32_t)IR_HAS_DIVERGENCE;
    ir_require(hir, IR_HAS_DOMINANCE | IR_HAS_LOOPS | IR_HAS_DIVERGENCE);
    opt_close_divergent_ifs(hir, lives_in_sgprs);
    ir_charge(options->run, &work_close_ifs, hir->ctx->arena);
}

void
amd_compile(ir_fn *hir, const amd_options *options, amd_binary *out)
{
    check_limits(hir, options->target);
    amd_program *p = new_program(hir, options);
    memset(out, 0, sizeof *out);
    out->program = p;
    if (!options->run->check)
        options->run->check = amd_check_operands;
    lower_for_selection(hir, p, options);
    out->fn = hir;
    if (options->run->stopped)
        return;
    ir_fn *f = amd_select_program(hir, p);
    out->fn = f;
    ir_charge(options->run, &work_select_program, f->arena);
    ir_run_passes(f, phases, options->run);
    if (options->run->stopped)
        return;
    base_buf code = buf_make(f->arena);
    amd_emit_program(f, &code);
    out->code = code.data;
    out->size = (uint32_t)code.size;
    out->code_size = p->code_size;
    out->sgprs = p->sgprs_used;
    out->vgprs = p->vgprs_used;
    set_registers(p, out);
    ir_charge(options->run, &work_emit_program, f->arena);
}
