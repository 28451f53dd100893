/* The family's compiler. */
#include "amd/entry/family.h"

#include "amd/compile/compile.h"
#include "amd/emit/code_object.h"

/* The debug switches that an effort stands for. */
static const uint32_t switches_of[] = {
    [FAMILY_EFFORT_LESS] = AMD_DEBUG_NO_SCHED | AMD_DEBUG_NO_SCHED_ILP | AMD_DEBUG_NO_SCHED_VOPD,
    [FAMILY_EFFORT_NONE] = AMD_DEBUG_NO_SCHED | AMD_DEBUG_NO_SCHED_ILP | AMD_DEBUG_NO_SCHED_VOPD |
                           AMD_DEBUG_NO_OPT | AMD_DEBUG_NO_VN,
};

static amd_options
options_of(diag *d, const family_request *r)
{
    amd_options options = {
        .target = amd_target_of(r->target),
        .target_id = r->target->name,
        .wave_size = r->wave_size,
        .layout = r->layout,
        .pipeline = family_pipeline_or_default(r->pipeline),
        .hsa = r->abi == OBJ_ABI_HSA,
        .address_high = r->has_address_high ? r->address_high : AMD_ADDRESS_HIGH,
        .run = r->run,
    };
    if (r->switches)
        options.switches = *(const amd_switches *)r->switches;
    options.switches.debug |= switches_of[r->effort];
    if (r->validate)
        options.switches.debug |= AMD_DEBUG_VALIDATE_RA;
    amd_layout_place(d, r->layout);
    return options;
}

static void
compile(ir_fn *hir, const family_request *r, family_binary *out)
{
    amd_binary *binary = ARENA_NEW(hir->ctx->arena, amd_binary);
    amd_options options = options_of(hir->ctx->diag, r);
    amd_compile(hir, &options, binary);
    *out = (family_binary){.fn = binary->fn, .own = binary};
    if (!r->run->stopped)
        amd_make_object(hir->ctx->arena, binary, r->name, &out->code);
}

static void
place(diag *d, const family_target *t, family_layout *layout)
{
    (void)t; /* descriptors have the same sizes on all targets that compile */
    amd_layout_place(d, layout);
}

static void
prepare(ir_fn *f, const family_request *r)
{
    amd_options options = options_of(f->ctx->diag, r);
    amd_prepare(f, &options);
}

const family_compiler amd_family_compiler = {
    .pipeline = amd_pipeline,
    .switches_size = sizeof(amd_switches),
    .read_switch = amd_read_switch,
    .place = place,
    .sampler_words = AMD_SAMPLER_DWORDS,
    .compile = compile,
    .prepare = prepare,
};
