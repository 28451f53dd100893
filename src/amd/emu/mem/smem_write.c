/* Scalar stores and atomics of gfx8, gfx9 and gfx10. With glc an atomic returns the old memory
 * contents; the first half of a compare-and-swap's data is the new value ("Vega" ISA, "SMEM
 * instructions"). */
#include "amd/emu/core/findings.h"
#include "amd/emu/core/lock.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/mem/access.h"
#include "amd/emu/mem/mem.h"
#include "amd/emu/mem/smem.h"

static uint32_t
undefined_bytes(const emu_wave *w, uint32_t code)
{
    return w->shadow && amd_emu_shadow_bits(w, code, false) ? 15 : 0;
}

static void
store(emu_wave *w, const emu_inst *i)
{
    emu_scalar_place p = amd_emu_scalar_source(w, i);
    for (uint32_t k = 0; k < i->row->memory / 4u; k++) {
        uint32_t code = i->in.src[0] + k, v = amd_emu_read_s32(w, &i->in, code);
        uint64_t address;
        if (amd_emu_scalar_address(&p, k, &address))
            amd_emu_store_bytes(w, address, 4, -1, &v, undefined_bytes(w, code));
    }
}

/* s_atomic_* and s_buffer_atomic_*, 32 and 64 bits. */
typedef struct scalar_atomic {
    uint16_t op;
    uint8_t bytes;
    uint8_t atomic; /* emu_atomic */
} scalar_atomic;

#define FOUR(name, kind)                                                                           \
    {AMD_S_ATOMIC_##name, 4, EMU_##kind}, {AMD_S_ATOMIC_##name##_X2, 8, EMU_##kind},               \
        {AMD_S_BUFFER_ATOMIC_##name, 4, EMU_##kind},                                               \
    {                                                                                              \
        AMD_S_BUFFER_ATOMIC_##name##_X2, 8, EMU_##kind                                             \
    }

static const scalar_atomic atomics[] = {
    FOUR(SWAP, SWAP), FOUR(CMPSWAP, CMPSWAP), FOUR(ADD, ADD),   FOUR(SUB, SUB), FOUR(SMIN, SMIN),
    FOUR(UMIN, UMIN), FOUR(SMAX, SMAX),       FOUR(UMAX, UMAX), FOUR(AND, AND), FOUR(OR, OR),
    FOUR(XOR, XOR),   FOUR(INC, INC),         FOUR(DEC, DEC),
};

static uint64_t
read_data(const emu_wave *w, const emu_inst *i, uint32_t code, uint32_t bytes)
{
    return bytes == 8 ? amd_emu_read_s64(w, &i->in, code) : amd_emu_read_s32(w, &i->in, code);
}

static void
atomic(emu_wave *w, const emu_inst *i)
{
    const scalar_atomic *a = i->op;
    uint32_t code = i->in.dst[0], words = a->bytes / 4u, undefined = 0;
    emu_scalar_place p = amd_emu_scalar_source(w, i);
    uint64_t address, last, old = 0;
    bool inside = amd_emu_scalar_address(&p, 0, &address) &&
                  amd_emu_scalar_address(&p, words - 1, &last);
    if (address % a->bytes)
        amd_emu_find(w, EMU_RULE_ALIGNMENT, -1, "the atomic's address 0x%llx is not aligned",
                     (unsigned long long)address);
    const mach_region *r = mach_memory_find(w->m->memory, &w->region_hint, address, a->bytes);
    const uint8_t *bytes = inside && r ? r->host + (address - r->base) : NULL;
    if (bytes)
        amd_emu_lock(w->m->locks, bytes);
    for (uint32_t k = 0; inside && k < words; k++) {
        uint32_t v = 0;
        amd_emu_load_bytes(w, address + 4 * k, 4, -1, &v, w->shadow ? &undefined : NULL);
        old |= (uint64_t)v << (32 * k);
    }
    uint64_t data = read_data(w, i, code, a->bytes);
    uint64_t data2 = a->atomic == EMU_CMPSWAP ? read_data(w, i, code + words, a->bytes) : 0;
    uint64_t v = amd_emu_atomic_result((emu_atomic)a->atomic, a->bytes * 8u, old, data, data2);
    for (uint32_t k = 0; k < words; k++) {
        uint32_t word = (uint32_t)(v >> (32 * k));
        if (inside)
            amd_emu_store_bytes(w, address + 4 * k, 4, -1, &word, undefined_bytes(w, code + k));
        if (i->in.glc)
            amd_emu_scalar_loaded(w, code + k, (uint32_t)(old >> (32 * k)), undefined);
    }
    if (bytes)
        amd_emu_unlock(w->m->locks, bytes);
}

bool
amd_emu_bind_smem_write(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_S_STORE_DWORD:
    case AMD_S_STORE_DWORDX2:
    case AMD_S_STORE_DWORDX4:
    case AMD_S_BUFFER_STORE_DWORD:
    case AMD_S_BUFFER_STORE_DWORDX2:
    case AMD_S_BUFFER_STORE_DWORDX4:
    case AMD_S_SCRATCH_STORE_DWORD:
    case AMD_S_SCRATCH_STORE_DWORDX2:
    case AMD_S_SCRATCH_STORE_DWORDX4: i->run = store; return true;
    default: break;
    }
    for (size_t k = 0; k < sizeof atomics / sizeof *atomics; k++) {
        if (atomics[k].op == i->in.op) {
            i->op = &atomics[k];
            i->run = atomic;
            return true;
        }
    }
    return false;
}
