/* The family's compiler. */
#include "amd/entry/family.h"

#include "amd/compile/compile.h"
#include "amd/emit/code_object.h"

static const char *const phases[] = {
#define PHASE(id, fn, keeps, sentence) #id,
#include "amd/compile/phases.def"
#undef PHASE
    NULL,
};

/* The debug switches that an effort stands for. */
static const uint32_t switches_of[] = {
    [FAMILY_EFFORT_LESS] = AMD_DEBUG_NO_SCHED | AMD_DEBUG_NO_SCHED_ILP | AMD_DEBUG_NO_SCHED_VOPD,
    [FAMILY_EFFORT_NONE] = AMD_DEBUG_NO_SCHED | AMD_DEBUG_NO_SCHED_ILP | AMD_DEBUG_NO_SCHED_VOPD |
                           AMD_DEBUG_NO_OPT | AMD_DEBUG_NO_VN,
};

static void
compile(ir_fn *hir, const family_request *r, family_binary *out)
{
    amd_binary *binary = ARENA_NEW(hir->ctx->arena, amd_binary);
    amd_options options = {
        .target = amd_target_of(r->target),
        .wave_size = r->wave_size,
        .layout = r->layout,
        .hsa = r->abi == OBJ_ABI_HSA,
        .run = r->run,
    };
    if (r->switches)
        options.switches = *(const amd_switches *)r->switches;
    options.switches.debug |= switches_of[r->effort];
    if (r->validate)
        options.switches.debug |= AMD_DEBUG_VALIDATE_RA;
    amd_layout_default(r->layout);
    amd_compile(hir, &options, binary);
    *out = (family_binary){.fn = binary->fn, .own = binary};
    if (!r->run->stopped)
        amd_make_object(hir->ctx->arena, binary, r->name, &out->code);
}

const family_compiler amd_family_compiler = {
    .phases = phases,
    .switches_size = sizeof(amd_switches),
    .read_switch = amd_read_switch,
    .compile = compile,
};
