/* Scalar memory: loads of 1 to 16 dwords, buffer loads through a V#, cache control, clocks.
 *
 * The address is SBASE + offset + SGPR offset; the two lowest bits of each part are ignored. Buffer
 * loads are bounds-checked: dwords beyond num_records (counted in strides, if the buffer has one)
 * are 0 (RDNA 2 ISA, 7.5). Scratch loads and stores (gfx9, gfx10) multiply the SGPR offset by 64
 * ("Vega" ISA, "Scalar Memory Addressing").
 */
#include "amd/emu/mem/smem.h"

#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/desc/descriptor.h"
#include "amd/emu/mem/access.h"
#include "amd/emu/mem/mem.h"

static bool
is_scratch(const emu_inst *i)
{
    switch (i->in.op) {
    case AMD_S_SCRATCH_LOAD_DWORD:
    case AMD_S_SCRATCH_LOAD_DWORDX2:
    case AMD_S_SCRATCH_LOAD_DWORDX4:
    case AMD_S_SCRATCH_STORE_DWORD:
    case AMD_S_SCRATCH_STORE_DWORDX2:
    case AMD_S_SCRATCH_STORE_DWORDX4: return true;
    default: return false;
    }
}

static uint64_t
scalar_offset(const emu_wave *w, const emu_inst *i)
{
    uint64_t v = i->soffset == AMD_REG_ABSENT ? 0 : amd_emu_read_s32(w, &i->in, i->soffset);
    if (i->soffset == AMD_SRC_LITERAL)
        return v * 4; /* gfx7 counts in dwords ("Sea Islands" ISA, "SMRD") */
    return is_scratch(i) ? v * 64 : v;
}

/* Is the base a buffer descriptor? */
static bool
is_buffer(const emu_inst *i)
{
    const amd_operand *o = amd_op_src(i->row, 0);
    if (o && o->kind != AMD_K_SBASE)
        o = amd_op_src(i->row, 1);
    return o && o->type == AMD_T_B128;
}

/* The base register: the first source, or the second one after a store's data. */
static uint16_t
base_register(const emu_inst *i)
{
    const amd_operand *o = amd_op_src(i->row, 0);
    return o && o->kind == AMD_K_SBASE ? i->in.src[0] : i->in.src[1];
}

emu_scalar_place
amd_emu_scalar_source(emu_wave *w, const emu_inst *i)
{
    uint16_t reg = base_register(i);
    uint64_t offset = (uint64_t)(int64_t)i->in.offset + scalar_offset(w, i);
    amd_buffer_desc v;
    uint32_t words[4];
    if (w->shadow && i->soffset != AMD_REG_ABSENT)
        amd_emu_shadow_use_scalar(w, i->soffset, 1, "offset of a scalar access");
    if (!is_buffer(i)) {
        if (w->shadow)
            amd_emu_shadow_use_scalar(w, reg, 2, "address of a scalar access");
        uint64_t address = amd_emu_read_s64(w, &i->in, reg) + offset;
        return (emu_scalar_place){address & ~UINT64_C(3), 0, UINT64_MAX};
    }
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, reg, 4, "buffer descriptor");
    for (uint32_t k = 0; k < 4; k++)
        words[k] = w->sgpr[reg + k];
    amd_buffer_decode(w->m->d->gen, words, &v);
    return (emu_scalar_place){v.base & ~UINT64_C(3), (uint32_t)offset & ~3u,
                              v.stride ? (uint64_t)v.stride * v.num_records : v.num_records};
}

bool
amd_emu_scalar_address(const emu_scalar_place *p, uint32_t k, uint64_t *address)
{
    *address = mach_canonical(p->base + p->at + 4 * k);
    return p->size == UINT64_MAX || p->at + 4 * k + 4 <= p->size;
}

void
amd_emu_scalar_loaded(emu_wave *w, uint32_t code, uint32_t v, uint32_t undefined)
{
    amd_emu_write_s32(w, code, v);
    if (w->shadow && code < EMU_SREGS)
        w->shadow->s[code] = undefined ? UINT32_MAX : 0;
}

static void
load(emu_wave *w, const emu_inst *i)
{
    emu_scalar_place p = amd_emu_scalar_source(w, i);
    for (uint32_t k = 0; k < i->row->memory / 4u; k++) {
        uint32_t v = 0, undefined = 0;
        uint64_t address;
        if (amd_emu_scalar_address(&p, k, &address))
            amd_emu_load_bytes(w, address, 4, -1, &v, w->shadow ? &undefined : NULL);
        amd_emu_scalar_loaded(w, i->in.dst[0] + k, v, undefined);
    }
}

/* gfx12's byte and short loads: their addresses are not aligned to dwords (RDNA4 ISA, "Scalar
 * Memory Loads"). */
static void
load_part(emu_wave *w, const emu_inst *i)
{
    emu_scalar_place p = amd_emu_scalar_source(w, i);
    uint32_t bytes = i->row->memory, bits = bytes * 8, v = 0, undefined = 0;
    bool buffer = p.size != UINT64_MAX;
    uint64_t at = (uint64_t)(int64_t)i->in.offset + scalar_offset(w, i);
    uint64_t address = buffer ? p.base + (uint32_t)at
                              : amd_emu_read_s64(w, &i->in, base_register(i)) + at;
    if (!buffer || (uint32_t)at + bytes <= p.size)
        amd_emu_load_bytes(w, mach_canonical(address), bytes, -1, &v,
                           w->shadow ? &undefined : NULL);
    if (amd_type_class((amd_type)i->row->operands[0].type) == AMD_CLASS_I)
        v = (uint32_t)base_sext64(v, bits);
    amd_emu_scalar_loaded(w, i->in.dst[0], v, undefined);
}

/* A prefetch reads its address but has no effect: caches are not modelled. */
static void
prefetch(emu_wave *w, const emu_inst *i)
{
    if (!w->shadow)
        return;
    if (i->in.n_src == 2)
        amd_emu_shadow_use_scalar(w, i->in.src[0], is_buffer(i) ? 4 : 2, "address of a prefetch");
    amd_emu_shadow_use_scalar(w, i->in.src[i->in.n_src - 1], 1, "offset of a prefetch");
}

/* s_memtime, s_memrealtime: a monotonic clock. */
static void
clock_read(emu_wave *w, const emu_inst *i)
{
    w->m->time += 100;
    amd_emu_write_s64(w, i->in.dst[0], w->m->time);
    if (w->shadow)
        w->shadow->s[i->in.dst[0]] = w->shadow->s[i->in.dst[0] + 1] = 0;
}

static void
waveid(emu_wave *w, const emu_inst *i)
{
    amd_emu_scalar_loaded(w, i->in.dst[0], w->index, 0);
}

static void
nothing(emu_wave *w, const emu_inst *i)
{
    (void)w;
    (void)i;
}

bool
amd_emu_bind_smem(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_S_LOAD_DWORD:
    case AMD_S_LOAD_DWORDX2:
    case AMD_S_LOAD_DWORDX4:
    case AMD_S_LOAD_DWORDX8:
    case AMD_S_LOAD_DWORDX16:
    case AMD_S_LOAD_B96:
    case AMD_S_BUFFER_LOAD_B96:
    case AMD_S_SCRATCH_LOAD_DWORD:
    case AMD_S_SCRATCH_LOAD_DWORDX2:
    case AMD_S_SCRATCH_LOAD_DWORDX4:
    case AMD_S_BUFFER_LOAD_DWORD:
    case AMD_S_BUFFER_LOAD_DWORDX2:
    case AMD_S_BUFFER_LOAD_DWORDX4:
    case AMD_S_BUFFER_LOAD_DWORDX8:
    case AMD_S_BUFFER_LOAD_DWORDX16: i->run = load; return true;
    case AMD_S_LOAD_I8:
    case AMD_S_LOAD_U8:
    case AMD_S_LOAD_I16:
    case AMD_S_LOAD_U16:
    case AMD_S_BUFFER_LOAD_I8:
    case AMD_S_BUFFER_LOAD_U8:
    case AMD_S_BUFFER_LOAD_I16:
    case AMD_S_BUFFER_LOAD_U16: i->run = load_part; return true;
    case AMD_S_PREFETCH_INST:
    case AMD_S_PREFETCH_INST_PC_REL:
    case AMD_S_PREFETCH_DATA:
    case AMD_S_PREFETCH_DATA_PC_REL:
    case AMD_S_BUFFER_PREFETCH_DATA: i->run = prefetch; return true;
    case AMD_S_MEMTIME:
    case AMD_S_MEMREALTIME: i->run = clock_read; return true;
    case AMD_S_GET_WAVEID_IN_WORKGROUP: i->run = waveid; return true;
    case AMD_S_GL1_INV:
    case AMD_S_DCACHE_INV:
    case AMD_S_DCACHE_INV_VOL:
    case AMD_S_DCACHE_WB:
    case AMD_S_DCACHE_WB_VOL:
    case AMD_S_ATC_PROBE:
    case AMD_S_ATC_PROBE_BUFFER:
    case AMD_S_DCACHE_DISCARD:
    case AMD_S_DCACHE_DISCARD_X2: i->run = nothing; return true;
    default: return false;
    }
}
