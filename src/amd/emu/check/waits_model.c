/* The counter models as tables.
 *
 * Sources: the ISA reference guides' chapters "Data dependency resolution" ("instructions of the
 * same type return in the order they were issued, except scalar memory reads"; "memory reads and
 * writes return in order"). For flat instructions, which end early in LDS and up to gfx9 in no
 * order, and for gfx12's counters: LLVM 19 (SIInsertWaitcnts.cpp) and Mesa
 * (aco_insert_waitcnt.cpp), which agree.
 */
#include "amd/emu/check/waits.h"

/* gfx6 to gfx9; gfx10 to gfx11.5; gfx12. */
enum { MODEL_GFX6, MODEL_GFX10, MODEL_GFX12, N_MODELS };

#define VM(order)        [AMD_WAIT_VM] = EMU_##order
#define LGKM(order)      [AMD_WAIT_LGKM] = EMU_##order
#define EXP(order)       [AMD_WAIT_EXP] = EMU_##order
#define VS(order)        [AMD_WAIT_VS] = EMU_##order
#define SAMPLE(order)    [AMD_WAIT_SAMPLE] = EMU_##order
#define BVH(order)       [AMD_WAIT_BVH] = EMU_##order
#define KM(order)        [AMD_WAIT_KM] = EMU_##order
#define RULE(event, ...) [EMU_EV_##event] = {{__VA_ARGS__}}

/* The same on all generations. */
#define LDS_AND_EXPORTS                                                                            \
    RULE(LDS, LGKM(ORDER_LDS)), RULE(GDS, LGKM(ORDER_GDS)),                                        \
        RULE(LDS_DIRECT, EXP(ORDER_LDS_DIRECT)), RULE(EXP_MRT, EXP(ORDER_MRT)),                    \
        RULE(EXP_POS, EXP(ORDER_POS)), RULE(EXP_PARAM, EXP(ORDER_PARAM)),                          \
        RULE(GDS_DATA, EXP(ORDER_GDS)), RULE(STORE_DATA, EXP(ORDER_STORE))

static const emu_wait_rule rules[N_MODELS][EMU_EV_COUNT] = {
    [MODEL_GFX6] = {RULE(LOAD, VM(ORDER_VECTOR)), RULE(SAMPLE, VM(ORDER_VECTOR)),
                    RULE(BVH, VM(ORDER_VECTOR)), RULE(STORE, VM(ORDER_VECTOR)),
                    RULE(FLAT_LOAD, VM(ANY_ORDER), LGKM(ANY_ORDER)),
                    RULE(FLAT_STORE, VM(ANY_ORDER), LGKM(ANY_ORDER)), RULE(SCALAR, LGKM(ANY_ORDER)),
                    RULE(MESSAGE, LGKM(ORDER_MESSAGE)), LDS_AND_EXPORTS},
    [MODEL_GFX10] = {RULE(LOAD, VM(ORDER_VECTOR)), RULE(SAMPLE, VM(ORDER_VECTOR)),
                     RULE(BVH, VM(ORDER_VECTOR)), RULE(STORE, VS(ORDER_VECTOR)),
                     RULE(FLAT_LOAD, VM(ORDER_VECTOR), LGKM(ORDER_LDS)),
                     RULE(FLAT_STORE, VS(ORDER_VECTOR), LGKM(ORDER_LDS)),
                     RULE(SCALAR, LGKM(ANY_ORDER)), RULE(MESSAGE, LGKM(ORDER_MESSAGE)),
                     LDS_AND_EXPORTS},
    [MODEL_GFX12] = {RULE(LOAD, VM(ORDER_VECTOR)), RULE(SAMPLE, SAMPLE(ORDER_VECTOR)),
                     RULE(BVH, BVH(ORDER_VECTOR)), RULE(STORE, VS(ORDER_VECTOR)),
                     RULE(FLAT_LOAD, VM(ORDER_VECTOR), LGKM(ORDER_LDS)),
                     RULE(FLAT_STORE, VS(ORDER_VECTOR), LGKM(ORDER_LDS)),
                     RULE(SCALAR, KM(ANY_ORDER)), RULE(MESSAGE, KM(ORDER_MESSAGE)),
                     LDS_AND_EXPORTS},
};

const emu_wait_rule *
amd_emu_wait_rule_of(amd_gen gen, emu_event event)
{
    unsigned model = gen < AMD_GFX10 ? MODEL_GFX6 : gen < AMD_GFX12 ? MODEL_GFX10 : MODEL_GFX12;
    return &rules[model][event];
}

/* Up to gfx11 vector memory writes VGPRs in order within loads, within samples and within rays;
 * gfx12 does not. From gfx11.5 on a sample may be executed as a load (LLVM: "point sample
 * acceleration"), so samples are not in order with anything. */
bool
amd_emu_writes_in_order(amd_gen gen, emu_event event)
{
    switch (event) {
    case EMU_EV_LOAD:
    case EMU_EV_BVH: return gen < AMD_GFX12;
    case EMU_EV_SAMPLE: return gen < AMD_GFX11_5;
    case EMU_EV_LDS:
    case EMU_EV_GDS: return true;
    default: return false;
    }
}
