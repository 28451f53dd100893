/* Memory accesses. See access.h. */
#include "amd/emu/mem/access.h"

#include "amd/emu/core/findings.h"
#include "amd/emu/core/gens.h"
#include "amd/emu/core/lock.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/num/float.h"

static float
f32(uint64_t v)
{
    return base_bits_f32((uint32_t)v);
}

/* Float atomics: binary32 or binary64. */
static uint64_t
atomic_float(emu_atomic op, bool wide, uint64_t old, uint64_t data, uint64_t data2)
{
    double a = wide ? base_bits_f64(old) : (double)f32(old);
    double b = wide ? base_bits_f64(data) : (double)f32(data);
    double c = wide ? base_bits_f64(data2) : (double)f32(data2);
    switch (op) {
    case EMU_FCMPSWAP: return a == c ? data : old;
    case EMU_FMIN: return b < a || a != a ? data : old;
    case EMU_FMAX: return b > a || a != a ? data : old;
    default: return wide ? base_f64_bits(a + b) : base_f32_bits(f32(old) + f32(data));
    }
}

/* bfloat16 is the upper half of binary32. */
static double
from_bf16(uint32_t h)
{
    return (double)base_bits_f32(h << 16);
}

static uint32_t
sum_bf16(uint32_t a, uint32_t b)
{
    return amd_emu_to_bf16(from_bf16(a) + from_bf16(b));
}

static uint32_t
sum_f16(uint32_t a, uint32_t b)
{
    return amd_emu_to_half_rne(amd_emu_from_half(a) + amd_emu_from_half(b));
}

static uint32_t
packed_sum(emu_atomic op, uint32_t a, uint32_t b)
{
    if (op == EMU_PK_ADD_F16)
        return sum_f16(a & 0xffff, b & 0xffff) | sum_f16(a >> 16, b >> 16) << 16;
    return sum_bf16(a & 0xffff, b & 0xffff) | sum_bf16(a >> 16, b >> 16) << 16;
}

/* Memory holds an ordered id and a sum. Only the wave whose turn it is adds; the turn then passes
 * to the next id (RDNA 4 ISA, GLOBAL_ATOMIC_ORDERED_ADD_B64). The guide wraps the id at
 * VGT_GS_MAX_WAVE_ID, which the driver sets; here it has the bits that a wave is given of it. */
static uint64_t
ordered_add(uint64_t old, uint64_t data)
{
    enum { MAX_ID = 0xfff };
    uint32_t id = (uint32_t)old;
    if (id != (uint32_t)data)
        return old;
    return (id == MAX_ID ? 0 : id + 1) | ((old >> 32) + (data >> 32)) << 32;
}

uint64_t
amd_emu_atomic_result(emu_atomic op, unsigned bits, uint64_t old, uint64_t data, uint64_t data2)
{
    uint64_t mask = base_mask64(bits);
    int64_t sa = base_sext64(old, bits), sb = base_sext64(data, bits);
    old &= mask;
    data &= mask;
    data2 &= mask;
    switch (op) {
    case EMU_SWAP: return data;
    case EMU_CMPSWAP: return old == data2 ? data : old;
    case EMU_ADD: return (old + data) & mask;
    case EMU_SUB: return (old - data) & mask;
    case EMU_RSUB: return (data - old) & mask;
    case EMU_CSUB: return old < data ? 0 : old - data;
    case EMU_CONDSUB: return old < data ? old : old - data;
    case EMU_SMIN: return sb < sa ? data : old;
    case EMU_UMIN: return data < old ? data : old;
    case EMU_SMAX: return sb > sa ? data : old;
    case EMU_UMAX: return data > old ? data : old;
    case EMU_AND: return old & data;
    case EMU_OR: return old | data;
    case EMU_XOR: return old ^ data;
    case EMU_INC: return old >= data ? 0 : old + 1;
    case EMU_DEC: return old == 0 || old > data ? data : old - 1;
    case EMU_MSKOR: return (old & ~data) | data2;
    case EMU_PK_ADD_F16:
    case EMU_PK_ADD_BF16: return packed_sum(op, (uint32_t)old, (uint32_t)data);
    case EMU_ORDERED_ADD: return ordered_add(old, data);
    case EMU_WRAP: return old >= data ? old - data : (old + data2) & mask;
    default: return atomic_float(op, bits == 64, old, data, data2) & mask;
    }
}

/* Rows shared by the families: suffix, bytes, components, flags. */
#define LOADS(R, F)                                                                                \
    R(F##_LOAD_UBYTE, 1, 1, 0)                                                                     \
    R(F##_LOAD_SBYTE, 1, 1, EMU_A_SEXT)                                                            \
    R(F##_LOAD_USHORT, 2, 1, 0)                                                                    \
    R(F##_LOAD_SSHORT, 2, 1, EMU_A_SEXT)                                                           \
    R(F##_LOAD_DWORD, 4, 1, 0)                                                                     \
    R(F##_LOAD_DWORDX2, 4, 2, 0)                                                                   \
    R(F##_LOAD_DWORDX3, 4, 3, 0)                                                                   \
    R(F##_LOAD_DWORDX4, 4, 4, 0)                                                                   \
    R(F##_LOAD_UBYTE_D16, 1, 1, EMU_A_D16)                                                         \
    R(F##_LOAD_UBYTE_D16_HI, 1, 1, EMU_A_D16 | EMU_A_HIGH)                                         \
    R(F##_LOAD_SBYTE_D16, 1, 1, EMU_A_D16 | EMU_A_SEXT)                                            \
    R(F##_LOAD_SBYTE_D16_HI, 1, 1, EMU_A_D16 | EMU_A_SEXT | EMU_A_HIGH)                            \
    R(F##_LOAD_SHORT_D16, 2, 1, EMU_A_D16)                                                         \
    R(F##_LOAD_SHORT_D16_HI, 2, 1, EMU_A_D16 | EMU_A_HIGH)                                         \
    R(F##_STORE_BYTE, 1, 1, EMU_A_STORE)                                                           \
    R(F##_STORE_BYTE_D16_HI, 1, 1, EMU_A_STORE | EMU_A_HIGH)                                       \
    R(F##_STORE_SHORT, 2, 1, EMU_A_STORE)                                                          \
    R(F##_STORE_SHORT_D16_HI, 2, 1, EMU_A_STORE | EMU_A_HIGH)                                      \
    R(F##_STORE_DWORD, 4, 1, EMU_A_STORE)                                                          \
    R(F##_STORE_DWORDX2, 4, 2, EMU_A_STORE)                                                        \
    R(F##_STORE_DWORDX3, 4, 3, EMU_A_STORE)                                                        \
    R(F##_STORE_DWORDX4, 4, 4, EMU_A_STORE)

#define ATOMICS(R, F)                                                                              \
    R(F, SWAP, SWAP)                                                                               \
    R(F, CMPSWAP, CMPSWAP)                                                                         \
    R(F, ADD, ADD)                                                                                 \
    R(F, SUB, SUB)                                                                                 \
    R(F, SMIN, SMIN)                                                                               \
    R(F, UMIN, UMIN)                                                                               \
    R(F, SMAX, SMAX)                                                                               \
    R(F, UMAX, UMAX)                                                                               \
    R(F, AND, AND)                                                                                 \
    R(F, OR, OR)                                                                                   \
    R(F, XOR, XOR)                                                                                 \
    R(F, INC, INC)                                                                                 \
    R(F, DEC, DEC)                                                                                 \
    R(F, FCMPSWAP, FCMPSWAP)                                                                       \
    R(F, FMIN, FMIN)                                                                               \
    R(F, FMAX, FMAX)

#define MOVE(id, bytes, count, flags) {AMD_##id, bytes, count, flags, EMU_ATOMIC_NONE},
#define BOTH(F, name, kind)                                                                        \
    {AMD_##F##_ATOMIC_##name, 4, 1, 0, EMU_##kind},                                                \
        {AMD_##F##_ATOMIC_##name##_X2, 8, 1, 0, EMU_##kind},

/* Float additions, including packed ones; minima and maxima of doubles. */
#define FLOATS(F)                                                                                  \
    {AMD_##F##_ATOMIC_ADD_F32, 4, 1, 0, EMU_FADD}, {AMD_##F##_ATOMIC_ADD_F64, 8, 1, 0, EMU_FADD},  \
        {AMD_##F##_ATOMIC_MIN_F64, 8, 1, 0, EMU_FMIN},                                             \
        {AMD_##F##_ATOMIC_MAX_F64, 8, 1, 0, EMU_FMAX},                                             \
        {AMD_##F##_ATOMIC_PK_ADD_F16, 4, 1, 0, EMU_PK_ADD_F16},                                    \
        {AMD_##F##_ATOMIC_PK_ADD_BF16, 4, 1, 0, EMU_PK_ADD_BF16},

static const emu_access accesses[] = {
    /* clang-format off */
    LOADS(MOVE, BUFFER)
    LOADS(MOVE, FLAT)
    LOADS(MOVE, GLOBAL)
    LOADS(MOVE, SCRATCH)
    ATOMICS(BOTH, BUFFER)
    ATOMICS(BOTH, FLAT)
    ATOMICS(BOTH, GLOBAL)
    FLOATS(BUFFER)
    FLOATS(FLAT)
    FLOATS(GLOBAL)
    {AMD_GLOBAL_ATOMIC_ORDERED_ADD_B64, 8, 1, 0, EMU_ORDERED_ADD},
    MOVE(BUFFER_LOAD_LDS_U8, 1, 1, 0)
    MOVE(BUFFER_LOAD_LDS_I8, 1, 1, EMU_A_SEXT)
    MOVE(BUFFER_LOAD_LDS_U16, 2, 1, 0)
    MOVE(BUFFER_LOAD_LDS_I16, 2, 1, EMU_A_SEXT)
    MOVE(BUFFER_LOAD_LDS_B32, 4, 1, 0)
    {AMD_BUFFER_ATOMIC_CSUB, 4, 1, 0, EMU_CSUB},
    {AMD_GLOBAL_ATOMIC_CSUB, 4, 1, 0, EMU_CSUB},
    {AMD_FLAT_ATOMIC_SUB_CLAMP_U32, 4, 1, 0, EMU_CSUB},
    {AMD_BUFFER_ATOMIC_COND_SUB_U32, 4, 1, 0, EMU_CONDSUB},
    {AMD_FLAT_ATOMIC_COND_SUB_U32, 4, 1, 0, EMU_CONDSUB},
    {AMD_GLOBAL_ATOMIC_COND_SUB_U32, 4, 1, 0, EMU_CONDSUB},
    MOVE(GLOBAL_LOAD_DWORD_ADDTID, 4, 1, 0)
    MOVE(GLOBAL_STORE_DWORD_ADDTID, 4, 1, EMU_A_STORE)
    MOVE(GLOBAL_LOAD_LDS_UBYTE, 1, 1, 0)
    MOVE(GLOBAL_LOAD_LDS_SBYTE, 1, 1, EMU_A_SEXT)
    MOVE(GLOBAL_LOAD_LDS_USHORT, 2, 1, 0)
    MOVE(GLOBAL_LOAD_LDS_SSHORT, 2, 1, EMU_A_SEXT)
    MOVE(GLOBAL_LOAD_LDS_DWORD, 4, 1, 0)
    MOVE(GLOBAL_LOAD_LDS_DWORDX3, 4, 3, 0)
    MOVE(GLOBAL_LOAD_LDS_DWORDX4, 4, 4, 0)
    MOVE(SCRATCH_LOAD_LDS_UBYTE, 1, 1, 0)
    MOVE(SCRATCH_LOAD_LDS_SBYTE, 1, 1, EMU_A_SEXT)
    MOVE(SCRATCH_LOAD_LDS_USHORT, 2, 1, 0)
    MOVE(SCRATCH_LOAD_LDS_SSHORT, 2, 1, EMU_A_SEXT)
    MOVE(SCRATCH_LOAD_LDS_DWORD, 4, 1, 0)
    /* clang-format on */
};

const emu_access *
amd_emu_access_find(uint32_t op)
{
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
        if (accesses[i].op == op)
            return &accesses[i];
    return NULL;
}

/* LDS bytes [at, at + size), or NULL after reporting a finding. */
static uint8_t *
lds_bytes(emu_wave *w, uint32_t at, uint32_t size, int lane)
{
    uint32_t limit = w->m->d->lds_bytes;
    if (w->m->watching)
        w->m->tell.access(w, true, at, size, lane);
    if (at > limit || size > limit - at) {
        amd_emu_find(w, EMU_RULE_LDS_BOUNDS, lane, "LDS bytes %u to %u, but %u are allocated", at,
                     at + size - 1, limit);
        return NULL;
    }
    return w->group->lds + at;
}

static bool
is_lds(uint64_t address)
{
    return address >> 32 == AMD_EMU_SHARED_BASE >> 32;
}

static void
report_outside(emu_wave *w, uint64_t address, uint32_t size, int lane, bool write)
{
    emu_cause cause = {.rule = write ? EMU_RULE_STORE_BOUNDS : EMU_RULE_LOAD_BOUNDS, .lane = lane};
    const char *what = write ? "store" : "load";
    const mach_region *near = mach_memory_below(w->m->memory, address);
    uint64_t past = near ? address - near->base : 0;
    bool is_near = near && past < near->size + (UINT64_C(1) << 24);
    cause.resource = is_near ? near->name : NULL;
    if (is_near)
        amd_emu_find_cause(w, &cause,
                           "%s of %u bytes at 0x%llx: offset %lld of %s, which has %llu bytes",
                           what, size, (unsigned long long)address, (long long)past, near->name,
                           (unsigned long long)near->size);
    else
        amd_emu_find_cause(w, &cause, "%s of %u bytes at 0x%llx, where nothing is mapped", what,
                           size, (unsigned long long)address);
}

static mach_region *
find_region(emu_wave *w, uint64_t address, uint32_t size, int lane, bool write)
{
    mach_region *r = mach_memory_find(w->m->memory, &w->region_hint, address, size);
    if (w->m->watching)
        w->m->tell.access(w, false, address, size, lane);
    if (!r) {
        report_outside(w, address, size, lane, write);
        return NULL;
    }
    if (write && r->read_only) {
        amd_emu_find_cause(w, &(emu_cause){EMU_RULE_READ_ONLY, NULL, r->name, lane},
                           "store to %s, which is read-only", r->name);
        return NULL;
    }
    return r;
}

/* Tells of accesses to memory that waves share. */
static void
note_access(emu_wave *w, const mach_region *r, uint64_t address, uint32_t size, int lane, bool same)
{
    if (w->race && !(r && (r->read_only || r == w->m->scratch)))
        w->m->tell.shared(w, address, size, lane, same);
}

/* The host's bytes, and the region they lie in (none for LDS). */
static uint8_t *
find_bytes(emu_wave *w, uint64_t address, uint32_t size, int lane, bool write, mach_region **r)
{
    *r = is_lds(address) ? NULL : find_region(w, address, size, lane, write);
    if (is_lds(address))
        return lds_bytes(w, (uint32_t)address, size, lane);
    return *r ? (*r)->host + (address - (*r)->base) : NULL;
}

uint8_t *
amd_emu_bytes(emu_wave *w, uint64_t address, uint32_t size, int lane, bool write)
{
    mach_region *r;
    uint8_t *p = find_bytes(w, address, size, lane, write, &r);
    if (p)
        note_access(w, r, address, size, lane, false);
    return p;
}

static uint32_t
region_undefined(const mach_region *r, uint64_t at, uint32_t size)
{
    uint32_t u = 0;
    for (uint32_t k = 0; k < size; k++)
        u |= (uint32_t) !(r->defined[(at + k) / 8] >> ((at + k) % 8) & 1) << k;
    return u;
}

/* If a scratch access crosses a dword boundary, the number of its bytes within the first dword;
 * otherwise 0. The lane's next dword is not the next one in memory (LLVM lets compilers rely on
 * that: FeatureUnalignedScratchAccess). */
static uint32_t
scratch_head(const emu_wave *w, uint64_t address, uint32_t size)
{
    const mach_region *r = w->m->scratch;
    uint32_t head = 4 - ((uint32_t)address & 3);
    return head < size && r && address >= r->base && address - r->base < r->size ? head : 0;
}

/* The address of the remaining bytes of such an access. */
static uint64_t
scratch_rest(const emu_wave *w, uint64_t address)
{
    return (address & ~UINT64_C(3)) + UINT64_C(4) * w->lanes;
}

bool
amd_emu_load_bytes(emu_wave *w, uint64_t address, uint32_t size, int lane, void *out,
                   uint32_t *undefined)
{
    uint32_t head = (address & 3) + size > 4 ? scratch_head(w, address, size) : 0;
    if (head) {
        uint32_t u = 0;
        bool ok = amd_emu_load_bytes(w, address, head, lane, out, undefined);
        ok &= amd_emu_load_bytes(w, scratch_rest(w, address), size - head, lane,
                                 (uint8_t *)out + head, undefined ? &u : NULL);
        if (undefined)
            *undefined |= u << head;
        return ok;
    }
    if (is_lds(address)) {
        const uint8_t *p = lds_bytes(w, (uint32_t)address, size, lane);
        if (!p) {
            memset(out, 0, size);
            return false;
        }
        memcpy(out, p, size);
        note_access(w, NULL, address, size, lane, false);
        if (undefined && w->group->lds_defined)
            for (uint32_t k = 0; k < size; k++)
                *undefined |= (uint32_t)!w->group->lds_defined[(uint32_t)address + k] << k;
        return true;
    }
    const mach_region *r = find_region(w, address, size, lane, false);
    if (!r) {
        memset(out, 0, size);
        return false;
    }
    memcpy(out, r->host + (address - r->base), size);
    note_access(w, r, address, size, lane, false);
    if (undefined && r->defined)
        *undefined |= region_undefined(r, address - r->base, size);
    return true;
}

void
amd_emu_store_bytes(emu_wave *w, uint64_t address, uint32_t size, int lane, const void *data,
                    uint32_t undefined)
{
    uint32_t head = (address & 3) + size > 4 ? scratch_head(w, address, size) : 0;
    if (head) {
        amd_emu_store_bytes(w, address, head, lane, data, undefined & (uint32_t)base_mask64(head));
        amd_emu_store_bytes(w, scratch_rest(w, address), size - head, lane,
                            (const uint8_t *)data + head, undefined >> head);
        return;
    }
    if (is_lds(address)) {
        uint8_t *p = lds_bytes(w, (uint32_t)address, size, lane);
        if (!p)
            return;
        note_access(w, NULL, address, size, lane, !memcmp(p, data, size));
        memcpy(p, data, size);
        if (w->group->lds_defined)
            for (uint32_t k = 0; k < size; k++)
                w->group->lds_defined[(uint32_t)address + k] = !(undefined >> k & 1);
        return;
    }
    mach_region *r = find_region(w, address, size, lane, true);
    if (!r)
        return;
    note_access(w, r, address, size, lane, !memcmp(r->host + (address - r->base), data, size));
    memcpy(r->host + (address - r->base), data, size);
    if (r->defined)
        for (uint32_t k = 0; k < size; k++)
            mach_region_set_defined(r, address - r->base + k, 1, !(undefined >> k & 1));
    if (r->defined && r == w->m->scratch) /* the store is within a dword: scratch_head */
        w->m->scratch_stored[(address - r->base) / EMU_SCRATCH_PAGE] = 1;
    const amd_emu_dispatch *d = w->m->d;
    bool in_ring = address - d->ring_base < d->ring_bytes;
    if (undefined & base_mask64(size) && r != w->m->scratch && !in_ring)
        amd_emu_find_cause(w, &(emu_cause){EMU_RULE_UNDEFINED_STORE, NULL, r->name, lane},
                           "an undefined value is stored to %s", r->name);
}

void
amd_emu_places_linear(emu_places *p, const emu_access *a, uint64_t lanes)
{
    for (uint32_t c = 0; c < a->count; c++) {
        p->valid[c] = lanes;
        if (c > 0)
            for (uint32_t l = 0; l < EMU_LANES; l++)
                p->address[c][l] = p->address[0][l] + c * a->bytes;
    }
}

/* The set of bytes of its register that a component occupies. */
static uint32_t
register_bytes(const emu_access *a)
{
    if (a->flags & EMU_A_HIGH)
        return EMU_BYTES_HIGH;
    return a->flags & EMU_A_D16 ? EMU_BYTES_LOW : EMU_BYTES_ALL;
}

/* Merges a loaded component into the old value of its register. */
static uint32_t
place_loaded(const emu_access *a, uint32_t v, uint32_t old)
{
    if (a->flags & EMU_A_SEXT)
        v = (uint32_t)base_sext64(v, a->bytes * 8u);
    if (a->flags & EMU_A_HIGH)
        return v << 16 | (old & 0xffff);
    return a->flags & EMU_A_D16 ? (v & 0xffff) | (old & 0xffff0000) : v;
}

static void
load_component(emu_wave *w, const emu_access *a, const emu_places *p, uint32_t c, uint32_t reg)
{
    uint64_t exec = amd_emu_exec(w), undefined[4] = {0};
    for (uint64_t left = exec; left; left &= left - 1) {
        uint32_t l = base_ctz64(left), v = 0, u = 0;
        if (p->valid[c] >> l & 1)
            amd_emu_load_bytes(w, p->address[c][l], a->bytes, (int)l, &v, w->shadow ? &u : NULL);
        w->vgpr[reg][l] = place_loaded(a, v, w->vgpr[reg][l]);
        for (uint32_t k = 0; u && k < a->bytes; k++)
            undefined[k] |= (uint64_t)(u >> k & 1) << l;
    }
    if (!w->shadow)
        return;
    /* bytes above the loaded ones are sign- or zero-extended */
    uint32_t bytes = register_bytes(a), first = bytes == EMU_BYTES_HIGH ? 2 : 0;
    uint64_t sign = a->flags & EMU_A_SEXT ? undefined[a->bytes - 1] : 0;
    for (uint32_t k = 0; k < 4; k++)
        if (bytes >> k & 1)
            amd_emu_shadow_set(w, reg, 1u << k, exec,
                               k - first < a->bytes ? undefined[k - first] : sign);
}

static void
store_component(emu_wave *w, const emu_access *a, const emu_places *p, uint32_t c, uint32_t reg)
{
    uint32_t first = a->flags & EMU_A_HIGH ? 2 : 0;
    for (uint64_t left = amd_emu_exec(w) & p->valid[c]; left; left &= left - 1) {
        uint32_t l = base_ctz64(left), v = w->vgpr[reg][l] >> (8 * first), u = 0;
        for (uint32_t k = 0; w->shadow && k < a->bytes; k++)
            u |= (uint32_t)(w->shadow->v[reg][first + k] >> l & 1) << k;
        amd_emu_store_bytes(w, p->address[c][l], a->bytes, (int)l, &v, u);
    }
}

static uint64_t
read_data(const emu_wave *w, const emu_access *a, uint32_t reg, uint32_t l)
{
    return w->vgpr[reg][l] | (a->bytes > 4 ? (uint64_t)w->vgpr[reg + 1][l] << 32 : 0);
}

static uint64_t
atomic_lane(emu_wave *w, const emu_access *a, uint64_t address, uint32_t l, uint64_t x, uint64_t y)
{
    uint64_t old = 0;
    if (address & (a->bytes - 1u)) {
        amd_emu_find(w, EMU_RULE_ALIGNMENT, (int)l,
                     "atomic at 0x%llx, which is not aligned to %u bytes",
                     (unsigned long long)address, a->bytes);
        return 0;
    }
    mach_region *r;
    uint8_t *p = find_bytes(w, address, a->bytes, (int)l, true, &r);
    if (!p)
        return 0;
    amd_emu_lock(w->m->locks, p);
    memcpy(&old, p, a->bytes);
    uint64_t new = amd_emu_atomic_result((emu_atomic)a->atomic, a->bytes * 8u, old, x, y);
    bool same = !memcmp(p, &new, a->bytes);
    memcpy(p, &new, a->bytes);
    amd_emu_unlock(w->m->locks, p);
    note_access(w, r, address, a->bytes, (int)l, same);
    return old;
}

void
amd_emu_atomic_lanes(emu_wave *w, const emu_access *a, const emu_places *p, uint32_t result,
                     uint32_t data, uint32_t data2)
{
    uint64_t exec = amd_emu_exec(w);
    uint32_t x = data - AMD_REG_VGPR0, y = data2 - AMD_REG_VGPR0, d = result - AMD_REG_VGPR0;
    bool two = data2 != AMD_REG_ABSENT;
    if (w->shadow)
        for (uint32_t k = 0; k < a->bytes / 4u; k++) {
            amd_emu_shadow_use(w, x + k, exec, "operand of an atomic");
            if (two)
                amd_emu_shadow_use(w, y + k, exec, "operand of an atomic");
        }
    for (uint64_t left = exec; left; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        uint64_t old = 0;
        if (p->valid[0] >> l & 1)
            old = atomic_lane(w, a, p->address[0][l], l, read_data(w, a, x, l),
                              two ? read_data(w, a, y, l) : 0);
        if (result == AMD_REG_ABSENT)
            continue;
        w->vgpr[d][l] = (uint32_t)old;
        if (a->bytes == 8)
            w->vgpr[d + 1][l] = (uint32_t)(old >> 32);
    }
    if (w->shadow && result != AMD_REG_ABSENT)
        for (uint32_t k = 0; k < a->bytes / 4u; k++)
            amd_emu_shadow_set(w, d + k, EMU_BYTES_ALL, exec, 0);
}

void
amd_emu_access_lanes(emu_wave *w, const emu_access *a, const emu_places *p, uint32_t result,
                     uint32_t data)
{
    if (a->atomic) {
        bool compare = a->atomic == EMU_CMPSWAP || a->atomic == EMU_FCMPSWAP;
        amd_emu_atomic_lanes(w, a, p, result, data,
                             compare ? data + a->bytes / 4u : AMD_REG_ABSENT);
        return;
    }
    for (uint32_t c = 0; c < a->count; c++) {
        if (a->flags & EMU_A_STORE)
            store_component(w, a, p, c, data - AMD_REG_VGPR0 + c);
        else
            load_component(w, a, p, c, result - AMD_REG_VGPR0 + c);
    }
}

/* Stores a dword for LDS, `v[0]`, `at` bytes behind M0 and the instruction's offset. */
static void
put_to_lds(emu_wave *w, const emu_inst *i, uint32_t lane, uint32_t at, const uint32_t v[2])
{
    bool large = amd_emu_gen_of(w->m->d->gen)->max_lds > 65536; /* m0 is not limited to 16 bits */
    at += (w->sgpr[AMD_REG_M0] & (large ? UINT32_MAX : 0xffff)) + (uint32_t)i->in.offset;
    amd_emu_store_bytes(w, AMD_EMU_SHARED_BASE | at, 4, (int)lane, &v[0], v[1]);
}

void
amd_emu_put_to_lds(emu_wave *w, const emu_inst *i, uint32_t lane, uint32_t v, uint32_t undefined)
{
    put_to_lds(w, i, lane, 4 * lane, (uint32_t[2]){v, undefined});
}

void
amd_emu_load_to_lds(emu_wave *w, const emu_inst *i, const emu_access *a, const emu_places *p)
{
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "LDS address");
    uint32_t apart = a->count > 1 ? 16 : 4; /* CDNA 4 ISA, "Memory Buffer Load to LDS" */
    for (uint64_t left = amd_emu_exec(w); left; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        for (uint32_t c = 0; c < a->count; c++) {
            uint32_t v[2] = {0, 0}; /* the dword and its undefined bytes */
            if (p->valid[c] >> l & 1)
                amd_emu_load_bytes(w, p->address[c][l], a->bytes, (int)l, &v[0],
                                   w->shadow ? &v[1] : NULL);
            if (a->flags & EMU_A_SEXT) {
                v[0] = (uint32_t)base_sext64(v[0], a->bytes * 8u);
                v[1] |= v[1] >> (a->bytes - 1) & 1 ? 0xf : 0;
            }
            put_to_lds(w, i, l, apart * l + 4 * c, v);
        }
    }
}
