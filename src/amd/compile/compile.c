#include "amd/compile/compile.h"

#include "amd/compile/rsrc.h"
#include "amd/object/object.h"
#include "amd/target/graphics.h"
#include "amd/target/half.h"
#include "amd/target/occupancy.h"
#include "cg/live.h"

#include <string.h>

static const ir_pass work_emit_program = {.name = "emit_program", .what = "Encodes."};

/* The wave size that `options` and the shader request. */
static uint32_t
choose_wave_size(const amd_options *options, const ir_shader *shader)
{
    if (shader->required_wave_size)
        return shader->required_wave_size;
    if (options->wave_size)
        return options->wave_size;
    return options->run->from && shader->wave_size ? shader->wave_size : 64;
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

/* A workgroup has at most 1024 invocations (LLVM 19, AMDGPUUsage,
 * "amdgpu-flat-work-group-size"). */
static void
check_limits(const ir_fn *hir, const amd_target *target, uint32_t wave_size)
{
    enum { MAX_INVOCATIONS = 1024 };
    const uint32_t *size = hir->shader.workgroup_size;
    unsigned long long lanes = (unsigned long long)size[0] * size[1];
    if (lanes <= MAX_INVOCATIONS)
        lanes *= size[2];
    if (lanes > MAX_INVOCATIONS)
        diag_fail(hir->ctx->diag, ERR_TARGET_LIMIT, lanes, "invocations", target->name,
                  (unsigned)MAX_INVOCATIONS);
    if (wave_size == 32 && !amd_has(target, has_wave32))
        diag_fail(hir->ctx->diag, ERR_TARGET_SELECT, target->name, "waves of 32 lanes");
    if (hir->shader.shared_size > target->lds_limit)
        diag_fail(hir->ctx->diag, ERR_TARGET_LIMIT, (unsigned long long)hir->shader.shared_size,
                  "bytes of shared memory", target->name, (unsigned)target->lds_limit);
}

static amd_program *
new_program(const ir_fn *hir, const amd_options *options)
{
    amd_program *p = ARENA_NEW(hir->arena, amd_program);
    p->hsa = options->hsa;
    p->address_high = options->address_high;
    p->float_mode = float_mode(&hir->shader.fp);
    /* amd_lower_abi and spilling set lds_bytes, scratch_bytes and needs_scratch */
    return p;
}

/* The pipeline, or, to test this, one whose state is dynamic as far as it can be. */
static const family_pipeline *
choose_pipeline(const ir_fn *f, const amd_options *options)
{
    if (!(options->switches.debug & AMD_DEBUG_DYNAMIC_STATE) || !options->pipeline)
        return options->pipeline;
    family_pipeline *made = arena_copy(f->arena, options->pipeline, sizeof *made);
    made->dynamic = ~0u;
    return made;
}

/* Sets what the options say of the program. */
static void
set_options(amd_program *p, ir_fn *f, const amd_options *options)
{
    p->target = options->target;
    p->target_id = options->target_id ? options->target_id : options->target->name;
    p->may_retry = amd_obj_may_retry(p->target_id, p->hsa ? OBJ_ABI_HSA : OBJ_ABI_VULKAN);
    p->wave_size = choose_wave_size(options, &f->shader);
    p->lane_mask = p->wave_size == 64 ? AMD_S2 : AMD_S1;
    p->debug = options->switches.debug;
    p->run = options->run;
    p->run->switches = p->debug;
    p->debug_sgprs = options->switches.sgprs;
    p->debug_vgprs = options->switches.vgprs;
    p->debug_reach = options->switches.reach;
    p->debug_nohazard = options->switches.nohazard;
    p->debug_end = options->switches.end;
    p->layout = options->layout;
    p->pipeline = choose_pipeline(f, options);
    if (!f->level->machine)
        p->stage = (uint8_t)amd_stage_of(f, p->target, options->pipeline);
    p->fn = f;
    f->backend = p;
    f->target = p->target;
    if (f->level->machine) /* a text was read at amd_level */
        f->level = amd_has_halves(f) && !f->allocated ? &amd_half_level : amd_level_of(p->target);
}

/* Fails if the text that `f` is from was made with other options. */
static void
check_text(const ir_fn *f, const amd_program *p, const amd_options *options)
{
    uint32_t wave = f->shader.wave_size;
    diag *d = f->ctx->diag;
    if (p && wave != 32 && wave != 64)
        diag_fail(d, ERR_IR_BAD_STATE, "its wave_size is neither 32 nor 64");
    if (wave && options->wave_size && options->wave_size != wave)
        diag_fail(d, ERR_IR_BAD_STATE,
                  wave == 32 ? "its wave_size is 32, not 64" : "its wave_size is 64, not 32");
    if (p && options->hsa && !p->hsa)
        diag_fail(d, ERR_IR_BAD_STATE, "it is for the ABI vulkan, not hsa");
}

/* Computes the liveness that a text cannot show. The text's figures, if there are any, stay: later
 * phases may have changed the program since they were found. */
static void
find_stated_live(ir_fn *f)
{
    amd_program *p = amd_prog(f);
    cg_state stated = p->cg;
    uint16_t waves = p->max_waves;
    if (!(f->valid & IR_HAS_LIVENESS))
        return;
    cg_find_live(f);
    if (!stated.limit[AMD_BANK_VGPR])
        return;
    stated.live = p->cg.live;
    p->cg = stated;
    p->max_waves = waves;
}

amd_program *
amd_prepare(ir_fn *f, const amd_options *options)
{
    amd_program *p = f->backend;
    if (options->run->from)
        check_text(f, p, options);
    check_limits(f, options->target, choose_wave_size(options, &f->shader));
    set_options(p ? p : new_program(f, options), f, options);
    if (!options->run->check)
        options->run->check = amd_check_operands;
    f->shader.wave_size = amd_prog(f)->wave_size;
    if (f->level->machine) {
        amd_prog(f)->of_text = true;
        amd_check_operands(f, NULL);
        find_stated_live(f);
    }
    return amd_prog(f);
}

static void
check_stage(const ir_fn *hir, const amd_target *target, bool hsa)
{
    diag *d = hir->ctx->diag;
    if (hir->shader.stage != IR_STAGE_COMPUTE && hsa)
        diag_fail(d, ERR_TARGET_SELECT, target->name, "kernels of AMDHSA that draw");
    if (hir->shader.stage != IR_STAGE_COMPUTE && !amd_has(target, has_graphics))
        diag_fail(d, ERR_TARGET_SELECT, target->name,
                  hir->shader.stage == IR_STAGE_VERTEX ? "vertex shaders" : "fragment shaders");
}

void
amd_compile(ir_fn *hir, const amd_options *options, amd_binary *out)
{
    memset(out, 0, sizeof *out);
    check_stage(hir, options->target, options->hsa);
    amd_program *p = amd_prepare(hir, options);
    out->program = p;
    ir_fn *f = ir_run_passes(hir, amd_pipeline, options->run);
    out->fn = f;
    if (options->run->stopped)
        return;
    base_buf code = buf_make(f->arena);
    amd_emit_program(f, &code);
    out->code = code.data;
    out->size = (uint32_t)code.size;
    out->code_size = p->code_size;
    out->sgprs = p->sgprs_used;
    out->vgprs = amd_vgprs_taken(p);
    amd_make_rsrc(p, out->rsrc);
    ir_charge(options->run, &work_emit_program, f->arena);
}
