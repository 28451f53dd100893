#include "amd/isa/table/counters.h"
#include "amd/object/object.h"
#include "amd/post/hazard.h"

#define GENS(gen) GEN_##gen
enum {
    GEN_GFX6 = 1 << AMD_GFX6,
    GEN_GFX7 = 1 << AMD_GFX7,
    GEN_GFX8 = 1 << AMD_GFX8,
    GEN_GFX9 = 1 << AMD_GFX9,
    GEN_GFX908 = 1 << AMD_GFX908,
    GEN_GFX90A = 1 << AMD_GFX90A,
    GEN_GFX942 = 1 << AMD_GFX942,
    GEN_GFX950 = 1 << AMD_GFX950,
    GEN_GFX10 = 1 << AMD_GFX10,
    GEN_GFX11 = 1 << AMD_GFX11,
    GEN_GFX11_5 = 1 << AMD_GFX11_5,
    GEN_GFX12 = 1 << AMD_GFX12,
    GENS_CDNA3 = GEN_GFX942 | GEN_GFX950,
    GENS_GFX9 = GEN_GFX9 | GEN_GFX908 | GEN_GFX90A | GENS_CDNA3,
    GENS_GCN3 = GEN_GFX8 | GENS_GFX9,
    GENS_GCN2 = GEN_GFX7 | GENS_GCN3,
    GENS_GCN = GEN_GFX6 | GENS_GCN2,
    GENS_GFX11 = GEN_GFX11 | GEN_GFX11_5 | GEN_GFX12,
};

/* Shorthands of hazards.def. */
enum { READ = HZ_READ, WRITE = HZ_WRITE, LANE = HZ_LANE, MASK = HZ_MASK, DATA = HZ_DATA };
enum { VS = 1 << AMD_WAIT_VS, LGKM = 1 << AMD_WAIT_LGKM };
#define SPACE(s)        .space = HZ_##s
#define STATES(n)       .states = (n)
#define VALUS(n)        .valus = (n)
#define SPLIT(n)        .split = (n)
#define WAVE(n)         .wave = (n)
#define PAIRS           .pairs = true
#define FIRST(is, how)  .first = {HZ_##is, how}
#define MIDDLE(is, how) .middle = {HZ_##is, how}
#define LAST(is, how)   .last = {HZ_##is, how}
#define END(is, waits)  .end = {is, waits}
#define END2(is, waits) .end2 = {is, waits}
#define SOFT_CLAUSE(kind)                                                                          \
    .clause = HZ_##kind, .retry = HZ_##kind == HZ_SMEM ? AMD_OBJ_RETRY_SCALAR : AMD_OBJ_RETRY_ALL
#define FIX(what)      .fix = HZ_FIX_##what
#define FIX_WAIT(what) .fix = HZ_FIX_WAIT, .fields = HZ_##what

const amd_hazard amd_hazards[] = {
#define HAZARD(name_, gens_, source, ...) {.name = name_, .gens = (gens_), __VA_ARGS__},
#include "amd/post/hazards.def"
#undef HAZARD
    {.name = NULL},
};
