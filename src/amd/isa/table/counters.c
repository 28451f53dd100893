/* Wait counters by generation. Sources: the chapters "Data dependency resolution" and S_WAITCNT of
 * the ISA reference guides "Southern Islands", "GCN3", "Vega", "RDNA 1.0", "RDNA 2", "RDNA 3",
 * "RDNA 4"; the layouts are confirmed by LLVM 19's assembler. */
#include "amd/isa/table/counters.h"

#include <string.h>

/* Sets of counters: gfx6 to gfx8; gfx9; gfx10 and gfx10.3; gfx11 and gfx11.5; gfx12. */
enum { SET_GFX6, SET_GFX9, SET_GFX10, SET_GFX11, SET_GFX12, N_SETS };

static unsigned
set_of(amd_gen gen)
{
    if (gen < AMD_GFX9)
        return SET_GFX6;
    if (gen < AMD_GFX10)
        return SET_GFX9;
    if (gen < AMD_GFX11)
        return SET_GFX10;
    return gen < AMD_GFX12 ? SET_GFX11 : SET_GFX12;
}

/* gfx12 still has the opcode, but documents no effect: it gets gfx11's layout. */
static const amd_counter waitcnt[N_SETS][4] = {
    [SET_GFX6] = {{"vmcnt", 0, 4, 0, 0, AMD_WAIT_VM},
                  {"expcnt", 4, 3, 0, 0, AMD_WAIT_EXP},
                  {"lgkmcnt", 8, 4, 0, 0, AMD_WAIT_LGKM}},
    [SET_GFX9] = {{"vmcnt", 0, 4, 14, 2, AMD_WAIT_VM},
                  {"expcnt", 4, 3, 0, 0, AMD_WAIT_EXP},
                  {"lgkmcnt", 8, 4, 0, 0, AMD_WAIT_LGKM}},
    [SET_GFX10] = {{"vmcnt", 0, 4, 14, 2, AMD_WAIT_VM},
                   {"expcnt", 4, 3, 0, 0, AMD_WAIT_EXP},
                   {"lgkmcnt", 8, 6, 0, 0, AMD_WAIT_LGKM}},
    [SET_GFX11] = {{"vmcnt", 10, 6, 0, 0, AMD_WAIT_VM},
                   {"expcnt", 0, 3, 0, 0, AMD_WAIT_EXP},
                   {"lgkmcnt", 4, 6, 0, 0, AMD_WAIT_LGKM}},
    [SET_GFX12] = {{"vmcnt", 10, 6, 0, 0, AMD_WAIT_VM},
                   {"expcnt", 0, 3, 0, 0, AMD_WAIT_EXP},
                   {"lgkmcnt", 4, 6, 0, 0, AMD_WAIT_LGKM}},
};

#define VM(bits)   [AMD_WAIT_VM] = {"vmcnt", 0, bits, 0, 0, AMD_WAIT_VM}
#define EXP(bits)  [AMD_WAIT_EXP] = {"expcnt", 0, bits, 0, 0, AMD_WAIT_EXP}
#define LGKM(bits) [AMD_WAIT_LGKM] = {"lgkmcnt", 0, bits, 0, 0, AMD_WAIT_LGKM}
#define VS(bits)   [AMD_WAIT_VS] = {"vscnt", 0, bits, 0, 0, AMD_WAIT_VS}

static const amd_counter single[N_SETS][AMD_WAIT_COUNT] = {
    [SET_GFX6] = {VM(4), EXP(3), LGKM(4)},
    [SET_GFX9] = {VM(6), EXP(3), LGKM(4)},
    [SET_GFX10] = {VM(6), EXP(3), LGKM(6), VS(6)},
    [SET_GFX11] = {VM(6), EXP(3), LGKM(6), VS(6)},
    [SET_GFX12] = {[AMD_WAIT_VM] = {"loadcnt", 0, 6, 0, 0, AMD_WAIT_VM},
                   [AMD_WAIT_EXP] = {"expcnt", 0, 3, 0, 0, AMD_WAIT_EXP},
                   [AMD_WAIT_LGKM] = {"dscnt", 0, 6, 0, 0, AMD_WAIT_LGKM},
                   [AMD_WAIT_VS] = {"storecnt", 0, 6, 0, 0, AMD_WAIT_VS},
                   [AMD_WAIT_SAMPLE] = {"samplecnt", 0, 6, 0, 0, AMD_WAIT_SAMPLE},
                   [AMD_WAIT_BVH] = {"bvhcnt", 0, 3, 0, 0, AMD_WAIT_BVH},
                   [AMD_WAIT_KM] = {"kmcnt", 0, 5, 0, 0, AMD_WAIT_KM}},
};

/* In the order of LLVM's text. */
static const amd_counter depctr[] = {
    {"depctr_hold_cnt", 7, 1, 0, 0, AMD_WAIT_COUNT}, {"depctr_sa_sdst", 0, 1, 0, 0, AMD_WAIT_COUNT},
    {"depctr_va_vdst", 12, 4, 0, 0, AMD_WAIT_COUNT}, {"depctr_va_sdst", 9, 3, 0, 0, AMD_WAIT_COUNT},
    {"depctr_va_ssrc", 8, 1, 0, 0, AMD_WAIT_COUNT},  {"depctr_va_vcc", 1, 1, 0, 0, AMD_WAIT_COUNT},
    {"depctr_vm_vsrc", 2, 3, 0, 0, AMD_WAIT_COUNT},  {NULL, 0, 0, 0, 0, AMD_WAIT_COUNT},
};

/* The first field, hold_cnt, exists from gfx10.3 on. */
const amd_counter *
amd_depctr_counters(amd_gen gen)
{
    return gen < AMD_GFX10_3 ? depctr + 1 : depctr;
}

const amd_counter *
amd_waitcnt_counters(amd_gen gen)
{
    return waitcnt[set_of(gen)];
}

const amd_counter *
amd_wait_counter(amd_gen gen, amd_wait wait)
{
    return &single[set_of(gen)][wait];
}

static uint32_t
mask(unsigned bits)
{
    return (1u << bits) - 1;
}

uint32_t
amd_counter_get(const amd_counter *c, uint32_t imm)
{
    return (imm >> c->pos & mask(c->bits)) | (imm >> c->pos2 & mask(c->bits2)) << c->bits;
}

uint32_t
amd_counter_put(const amd_counter *c, uint32_t imm, uint32_t value)
{
    imm &= ~(mask(c->bits) << c->pos | mask(c->bits2) << c->pos2);
    return imm | (value & mask(c->bits)) << c->pos | (value >> c->bits & mask(c->bits2)) << c->pos2;
}

uint32_t
amd_counter_max(const amd_counter *c)
{
    return mask(c->bits + c->bits2);
}

/* Instructions that wait for one counter, in the immediate's low bits, and another in 13:8. */
static const struct {
    uint16_t op;
    uint8_t low, high; /* amd_wait; AMD_WAIT_COUNT: none */
} waiting[] = {
    {AMD_S_WAITCNT_VSCNT, AMD_WAIT_VS, AMD_WAIT_COUNT},
    {AMD_S_WAITCNT_VMCNT, AMD_WAIT_VM, AMD_WAIT_COUNT},
    {AMD_S_WAITCNT_EXPCNT, AMD_WAIT_EXP, AMD_WAIT_COUNT},
    {AMD_S_WAITCNT_LGKMCNT, AMD_WAIT_LGKM, AMD_WAIT_COUNT},
    {AMD_S_WAIT_LOADCNT, AMD_WAIT_VM, AMD_WAIT_COUNT},
    {AMD_S_WAIT_STORECNT, AMD_WAIT_VS, AMD_WAIT_COUNT},
    {AMD_S_WAIT_SAMPLECNT, AMD_WAIT_SAMPLE, AMD_WAIT_COUNT},
    {AMD_S_WAIT_BVHCNT, AMD_WAIT_BVH, AMD_WAIT_COUNT},
    {AMD_S_WAIT_EXPCNT, AMD_WAIT_EXP, AMD_WAIT_COUNT},
    {AMD_S_WAIT_DSCNT, AMD_WAIT_LGKM, AMD_WAIT_COUNT},
    {AMD_S_WAIT_KMCNT, AMD_WAIT_KM, AMD_WAIT_COUNT},
    {AMD_S_WAIT_LOADCNT_DSCNT, AMD_WAIT_LGKM, AMD_WAIT_VM},
    {AMD_S_WAIT_STORECNT_DSCNT, AMD_WAIT_LGKM, AMD_WAIT_VS},
};

/* A field of all ones waits for nothing. */
static void
set_value(uint8_t *at_most, uint32_t value, uint32_t max)
{
    if (value < max)
        *at_most = (uint8_t)value;
}

bool
amd_waits_for(amd_gen gen, const amd_inst *in, uint8_t at_most[AMD_WAIT_COUNT])
{
    uint32_t imm = (uint32_t)in->imm;
    memset(at_most, UINT8_MAX, AMD_WAIT_COUNT);
    if (in->op == AMD_S_WAITCNT) {
        for (const amd_counter *c = amd_waitcnt_counters(gen); c->name; c++)
            set_value(&at_most[c->wait], amd_counter_get(c, imm), amd_counter_max(c));
        return true;
    }
    for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++) {
        if (waiting[i].op != in->op)
            continue;
        const amd_counter *low = amd_wait_counter(gen, (amd_wait)waiting[i].low);
        set_value(&at_most[waiting[i].low], amd_counter_get(low, imm), amd_counter_max(low));
        if (waiting[i].high != AMD_WAIT_COUNT)
            set_value(&at_most[waiting[i].high], imm >> 8 & mask(6), mask(6));
        return true;
    }
    return false;
}
