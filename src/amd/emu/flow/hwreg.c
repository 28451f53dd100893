/* Hardware registers: s_getreg_b32, s_setreg_b32, s_setreg_imm32_b32.
 *
 * A table lists the ids of each generation. Their names and ranges are from LLVM 19
 * (AMDGPUAsmUtils.cpp, "HW_REG_"), their fields from the ISA guides ("Hardware register values")
 * and the register headers (SQ_WAVE_*). Registers that mean nothing to a program that runs alone
 * (bases, instruction buffers, performance counters) read 0. Writing a read-only register, or one
 * that only a trap handler may write, has no effect, as on the hardware.
 */
#include "amd/emu/core/findings.h"
#include "amd/emu/core/gens.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/flow/flow.h"

typedef enum hwreg {
    HWREG_MODE = 1,
    HWREG_STATUS = 2,
    HWREG_TRAPSTS = 3,
    HWREG_HW_ID = 4, /* gfx12: STATE_PRIV */
    HWREG_GPR_ALLOC = 5,
    HWREG_LDS_ALLOC = 6,
    HWREG_IB_STS = 7,
    HWREG_PC_LO = 8,
    HWREG_PC_HI = 9,
    HWREG_SH_MEM_BASES = 15,
    HWREG_TBA_LO = 16,
    HWREG_TBA_HI = 17,
    HWREG_TMA_LO = 18,
    HWREG_TMA_HI = 19,
    HWREG_FLAT_SCR_LO = 20,
    HWREG_FLAT_SCR_HI = 21,
    HWREG_HW_ID1 = 23,
    HWREG_HW_ID2 = 24,
    HWREG_SHADER_CYCLES = 29,
    HWREG_SHADER_CYCLES_HI = 30,
} hwreg;

/* Ranges of ids, each with the generations that have it. */
static const struct {
    uint8_t first_id, last_id, first, last;
} present[] = {
    {HWREG_MODE, HWREG_STATUS, AMD_GFX6, AMD_GFX12},
    {HWREG_TRAPSTS, HWREG_TRAPSTS, AMD_GFX6, AMD_GFX11_5},
    {HWREG_HW_ID, HWREG_HW_ID, AMD_GFX6, AMD_GFX10 - 1},
    {HWREG_HW_ID, HWREG_HW_ID, AMD_GFX12, AMD_GFX12},
    {HWREG_GPR_ALLOC, HWREG_IB_STS, AMD_GFX6, AMD_GFX12},
    {HWREG_PC_LO, 14, AMD_GFX6, AMD_GFX10_3}, /* PC, INST_DW, IB_DBG, FLUSH_IB */
    {HWREG_SH_MEM_BASES, HWREG_SH_MEM_BASES, AMD_GFX9, AMD_GFX11_5},
    {HWREG_TBA_LO, HWREG_TMA_HI, AMD_GFX9, AMD_GFX10_3},
    {17, 19, AMD_GFX12, AMD_GFX12}, /* EXCP_FLAG_PRIV, EXCP_FLAG_USER, TRAP_CTRL */
    {HWREG_FLAT_SCR_LO, HWREG_FLAT_SCR_HI, AMD_GFX10, AMD_GFX12}, /* gfx12: SCRATCH_BASE */
    {22, 22, AMD_GFX10, AMD_GFX10},                               /* XNACK_MASK */
    {HWREG_HW_ID1, HWREG_HW_ID2, AMD_GFX10, AMD_GFX12},
    {25, 25, AMD_GFX10, AMD_GFX10_3}, /* POPS_PACKER */
    {27, 28, AMD_GFX11, AMD_GFX12},   /* PERF_SNAPSHOT_DATA, _PC_LO */
    {HWREG_SHADER_CYCLES, HWREG_SHADER_CYCLES, AMD_GFX10_3, AMD_GFX12},
    {HWREG_SHADER_CYCLES_HI, HWREG_SHADER_CYCLES_HI, AMD_GFX12, AMD_GFX12},
};

static bool
exists(amd_gen gen, uint32_t id)
{
    for (size_t k = 0; k < sizeof present / sizeof *present; k++)
        if (id >= present[k].first_id && id <= present[k].last_id && gen >= present[k].first &&
            gen <= present[k].last)
            return true;
    return false;
}

/* SCC 0, PRIV 5, TRAP_EN 6, EXECZ 9, VCCZ 10, IN_TG 11, VALID 16. gfx12 has SCC in STATE_PRIV, bit
 * 9. */
static uint32_t
status(const emu_wave *w)
{
    bool gfx12 = w->m->d->gen >= AMD_GFX12;
    return (uint32_t)(w->scc && !gfx12) | (uint32_t)(w->in_trap && !gfx12) << 5 |
           (uint32_t)(w->m->d->trap_handler != 0) << 6 | (uint32_t)(amd_emu_exec(w) == 0) << 9 |
           (uint32_t)(amd_emu_read_mask(w, AMD_REG_VCC_LO) == 0) << 10 |
           (uint32_t)(w->group->n_waves > 1) << 11 | 1u << 16;
}

/* The wave's number in its group serves as its slot. HW_ID: wave 3:0, SIMD 5:4; HW_ID1: wave 4:0,
 * SIMD 9:8. */
static uint32_t
slot(const emu_wave *w)
{
    uint32_t wave = w->index / 4, simd = w->index % 4;
    return w->m->d->gen < AMD_GFX10 ? (wave & 15) | simd << 4 : (wave & 31) | simd << 8;
}

/* VGPR_SIZE: 13:8, from gfx10 on 15:8; in granules, minus one. */
static uint32_t
gpr_alloc(const emu_wave *w)
{
    uint32_t granule = amd_emu_gen_of(w->m->d->gen)->vgpr_granule[w->lanes > 32];
    return ((w->n_vgprs + granule - 1) / granule - 1) << 8;
}

static uint32_t
read_hwreg(emu_wave *w, uint32_t id)
{
    const amd_emu_dispatch *d = w->m->d;
    switch (id) {
    case HWREG_MODE: return w->mode;
    case HWREG_STATUS: return status(w);
    case HWREG_TRAPSTS: return w->trapsts;
    case HWREG_HW_ID: return d->gen < AMD_GFX12 ? slot(w) : (uint32_t)w->scc << 9;
    case HWREG_GPR_ALLOC: return gpr_alloc(w);
    case HWREG_LDS_ALLOC: return (d->lds_bytes + 255) / 256 << 12;
    case HWREG_PC_LO: return (uint32_t)w->at->pc;
    case HWREG_PC_HI: return (uint32_t)(w->at->pc >> 32);
    case HWREG_SH_MEM_BASES:
        return (uint32_t)(AMD_EMU_PRIVATE_BASE >> 48) | (uint32_t)(AMD_EMU_SHARED_BASE >> 48) << 16;
    case HWREG_TBA_LO: return (uint32_t)(d->trap_handler >> 8);
    case HWREG_TBA_HI: return (uint32_t)(d->trap_handler >> 40);
    case HWREG_TMA_LO: return (uint32_t)(d->trap_memory >> 8);
    case HWREG_TMA_HI: return (uint32_t)(d->trap_memory >> 40);
    case HWREG_FLAT_SCR_LO: return (uint32_t)w->flat_scratch;
    case HWREG_FLAT_SCR_HI: return (uint32_t)(w->flat_scratch >> 32);
    case HWREG_HW_ID1: return slot(w);
    case HWREG_SHADER_CYCLES:
        w->m->time += 100;
        return (uint32_t)w->m->time & (d->gen < AMD_GFX12 ? 0xfffff : UINT32_MAX);
    case HWREG_SHADER_CYCLES_HI: return (uint32_t)(w->m->time >> 32);
    default: return 0;
    }
}

/* SIMM16 is {size - 1, offset, id}. */
typedef struct field {
    uint32_t id, offset, mask;
} field;

static field
field_of(const emu_inst *i)
{
    uint32_t k = (uint32_t)i->in.imm, offset = k >> 6 & 31, size = (k >> 11 & 31) + 1;
    return (field){k & 63, offset, (uint32_t)base_mask64(size)};
}

static bool
check_id(emu_wave *w, uint32_t id)
{
    if (exists(w->m->d->gen, id))
        return true;
    amd_emu_stop(w, MACH_RUN_UNSUPPORTED, "there is no hardware register %u", id);
    return false;
}

static void
getreg(emu_wave *w, const emu_inst *i)
{
    field f = field_of(i);
    if (check_id(w, f.id))
        amd_emu_write_s32(w, i->in.dst[0], read_hwreg(w, f.id) >> f.offset & f.mask);
}

static void
setreg(emu_wave *w, const emu_inst *i)
{
    field f = field_of(i);
    uint32_t mask = f.mask << f.offset;
    uint32_t v = amd_emu_read_s32(w, &i->in, i->in.src[0]) << f.offset & mask;
    bool own = amd_emu_gen_of(w->m->d->gen)->flat_scratch == EMU_FS_HWREG;
    if (!check_id(w, f.id))
        return;
    switch (f.id) {
    case HWREG_MODE: w->mode = (w->mode & ~mask) | v; break;
    case HWREG_TRAPSTS: w->trapsts = (w->trapsts & ~mask) | v; break;
    case HWREG_FLAT_SCR_LO:
        if (own)
            w->flat_scratch = (w->flat_scratch & ~(uint64_t)mask) | v;
        break;
    case HWREG_FLAT_SCR_HI:
        if (own)
            w->flat_scratch = (w->flat_scratch & ~((uint64_t)mask << 32)) | (uint64_t)v << 32;
        break;
    default: break;
    }
}

bool
amd_emu_bind_hwreg(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_S_GETREG_B32: i->run = getreg; return true;
    case AMD_S_SETREG_B32:
    case AMD_S_SETREG_IMM32_B32: i->run = setreg; return true;
    default: return false;
    }
}
