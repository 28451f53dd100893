/* The rules of hazards.def, and the selection for a generation. */
#include "amd/emu/check/check.h"
#include "amd/emu/check/hazards.h"
#include "amd/emu/core/findings.h"
#include "amd/object/object.h"

#define GENS(gen) HAZARD_##gen
enum {
    HAZARD_GFX6 = 1 << AMD_GFX6,
    HAZARD_GFX7 = 1 << AMD_GFX7,
    HAZARD_GFX8 = 1 << AMD_GFX8,
    HAZARD_GFX9 = 1 << AMD_GFX9,
    HAZARD_GFX908 = 1 << AMD_GFX908,
    HAZARD_GFX90A = 1 << AMD_GFX90A,
    HAZARD_GFX942 = 1 << AMD_GFX942,
    HAZARD_GFX950 = 1 << AMD_GFX950,
    HAZARD_GFX10 = 1 << AMD_GFX10,
    HAZARD_GFX10_3 = 1 << AMD_GFX10_3,
    HAZARD_GFX11 = 1 << AMD_GFX11,
    HAZARD_GFX11_5 = 1 << AMD_GFX11_5,
    HAZARD_GFX12 = 1 << AMD_GFX12,
    GENS_CDNA3 = HAZARD_GFX942 | HAZARD_GFX950,
    GENS_GFX90A = HAZARD_GFX90A | GENS_CDNA3,
    GENS_GFX9 = HAZARD_GFX9 | HAZARD_GFX908 | GENS_GFX90A,
    GENS_GCN3 = HAZARD_GFX8 | GENS_GFX9,
    GENS_GCN = HAZARD_GFX6 | HAZARD_GFX7 | GENS_GCN3,
    GENS_GFX11 = HAZARD_GFX11 | HAZARD_GFX11_5 | HAZARD_GFX12,
};

/* Shorthands of hazards.def: names of uses and waits without their prefixes. */
#define C(name)     HAZARD_C(name)
#define VMEM_CLAUSE HAZARD_VMEM_CLAUSE
enum {
    READ = HAZARD_READ,
    WRITE = HAZARD_WRITE,
    EXEC = HAZARD_EXEC,
    MASK = HAZARD_MASK,
    CONST = HAZARD_CONST,
    LANE = HAZARD_LANE,
    ZERO = HAZARD_ZERO,
    SRC0 = HAZARD_SRC0,
    DATA = HAZARD_DATA,
    DATA_SOFFSET = HAZARD_DATA_SOFFSET,
    AB = HAZARD_AB,
    ACC = HAZARD_ACC,
    VM = HAZARD_WAIT_VM,
    LGKM = HAZARD_WAIT_LGKM,
    VS = HAZARD_WAIT_VS,
    SAMPLE = HAZARD_WAIT_SAMPLE,
    BVH = HAZARD_WAIT_BVH,
    SA_SDST = HAZARD_WAIT_SA_SDST,
    VA_VDST = HAZARD_WAIT_VA_VDST,
    VA_SDST = HAZARD_WAIT_VA_SDST,
    VA_VCC = HAZARD_WAIT_VA_VCC,
    VM_VSRC = HAZARD_WAIT_VM_VSRC,
    /* with what the hardware waits for by itself */
    ANY_SA_SDST = HAZARD_WAIT_SA_SDST | HAZARD_WAIT_SELF_SA_SDST,
    ANY_VA_SDST = HAZARD_WAIT_VA_SDST | HAZARD_WAIT_SELF_VA_SDST,
    ANY_VA_VCC = HAZARD_WAIT_VA_VCC | HAZARD_WAIT_SELF_VA_VCC,
};

#define SPACE(s)             .space = HAZARD_S_##s
#define STATES(n)            .states = (n)
#define SALUS(n)             .salus = (n)
#define WAVE(n)              .wave = (n)
#define PAIRS                .pairs = true
#define FIRST(classes, how)  .first = {classes, how}
#define MIDDLE(classes, how) .middle = {classes, how}
#define SECOND(classes, how) .second = {classes, how}
#define END(classes, waits)  .end1 = {classes, waits}
#define END2(classes, waits) .end2 = {classes, waits}
#define RETRY(which)         .retry = AMD_OBJ_RETRY_##which
#define SOFT_CLAUSE(classes) .clause = (classes)
#define NEED(function)       .need = amd_emu_hazard_need_##function
#define CLANG(how)           .clang = how
#define TEST(function)       .test = amd_emu_hazard_test_##function
#define HAZARD(name_, gens_, text_, source_, ...)                                                  \
    {.name = name_, .gens = (gens_), .text = text_, .source = source_, __VA_ARGS__},

const hazard_rule amd_emu_hazard_rules[] = {
#include "amd/emu/check/hazards.def"
    {.name = NULL}};

bool
amd_emu_get_rule(uint32_t index, mach_rule *out)
{
    enum { N_OTHERS = EMU_RULE_HAZARD };
    enum { N_HAZARDS = sizeof amd_emu_hazard_rules / sizeof *amd_emu_hazard_rules - 1 };
    if (index < N_OTHERS) {
        *out = amd_emu_rules[index];
        return true;
    }
    if (index - N_OTHERS >= N_HAZARDS)
        return false;
    const hazard_rule *r = &amd_emu_hazard_rules[index - N_OTHERS];
    *out = (mach_rule){MACH_CHECK_HAZARDS, r->name, r->text, r->clang};
    return true;
}

hazard_set *
amd_emu_hazards_rules(arena *a, const amd_emu_dispatch *d)
{
    hazard_set *set = ARENA_NEW(a, hazard_set);
    set->gen = d->gen;
    for (const hazard_rule *r = amd_emu_hazard_rules; r->name && set->n < HAZARD_MAX_RULES; r++) {
        uint64_t bit = UINT64_C(1) << set->n;
        if (!(r->gens >> d->gen & 1) || (r->wave && r->wave != d->wave_size) ||
            r->retry > d->may_retry || mach_is_listed(d->rules_off, r->name))
            continue;
        *(r->test ? &set->tests : r->states ? &set->counted : &set->pending) |= bit;
        set->rules[set->n++] = r;
    }
    return set;
}
