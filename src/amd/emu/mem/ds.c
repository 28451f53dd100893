/* LDS and GDS instructions (DS). An address is the VGPR's value plus the instruction's offset, in
 * bytes from the start of the group's LDS or of the instruction's part of GDS. The accesses
 * themselves are made by access.c, in the apertures of the two memories. RDNA 2 ISA, chapter "Data
 * share operations".
 */
#include "amd/emu/mem/ds.h"

#include "amd/emu/core/gens.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/mem/mem.h"

#include <string.h>

enum {
    DS_TWO = 16,     /* two addresses: offset0 and offset1 in units of the element */
    DS_ST64 = 32,    /* ... of 64 elements */
    DS_SWAPPED = 64, /* data0 is the compared value, data1 the new one */
};

/* A row is an emu_access whose `flags` may include the bits above; with DS_TWO, `count` is for each
 * address. */
#define MOVE(id, bytes, count, flags) {AMD_##id, bytes, count, flags, EMU_ATOMIC_NONE},
#define ATOMIC(name, bytes, kind)     {AMD_DS_##name, bytes, 1, 0, kind},
/* An atomic without and with a result, in 32 and 64 bits; T is the type's letter. */
#define QUAD(name, T, kind)                                                                        \
    ATOMIC(name##_##T##32, 4, kind)                                                                \
    ATOMIC(name##_RTN_##T##32, 4, kind)                                                            \
    ATOMIC(name##_##T##64, 8, kind)                                                                \
    ATOMIC(name##_RTN_##T##64, 8, kind)
#define COMPARE(T, kind)                                                                           \
    {AMD_DS_CMPST_##T##32, 4, 1, DS_SWAPPED, kind},                                                \
        {AMD_DS_CMPST_RTN_##T##32, 4, 1, DS_SWAPPED, kind},                                        \
        {AMD_DS_CMPST_##T##64, 8, 1, DS_SWAPPED, kind},                                            \
        {AMD_DS_CMPST_RTN_##T##64, 8, 1, DS_SWAPPED, kind},

static const emu_access rows[] = {
    /* clang-format off */
    MOVE(DS_WRITE_B8, 1, 1, EMU_A_STORE)
    MOVE(DS_WRITE_B16, 2, 1, EMU_A_STORE)
    MOVE(DS_WRITE_B8_D16_HI, 1, 1, EMU_A_STORE | EMU_A_HIGH)
    MOVE(DS_WRITE_B16_D16_HI, 2, 1, EMU_A_STORE | EMU_A_HIGH)
    MOVE(DS_WRITE_B32, 4, 1, EMU_A_STORE)
    MOVE(DS_WRITE_B64, 4, 2, EMU_A_STORE)
    MOVE(DS_WRITE_B96, 4, 3, EMU_A_STORE)
    MOVE(DS_WRITE_B128, 4, 4, EMU_A_STORE)
    MOVE(DS_WRITE2_B32, 4, 1, EMU_A_STORE | DS_TWO)
    MOVE(DS_WRITE2ST64_B32, 4, 1, EMU_A_STORE | DS_TWO | DS_ST64)
    MOVE(DS_WRITE2_B64, 4, 2, EMU_A_STORE | DS_TWO)
    MOVE(DS_WRITE2ST64_B64, 4, 2, EMU_A_STORE | DS_TWO | DS_ST64)
    MOVE(DS_READ_U8, 1, 1, 0)
    MOVE(DS_READ_I8, 1, 1, EMU_A_SEXT)
    MOVE(DS_READ_U16, 2, 1, 0)
    MOVE(DS_READ_I16, 2, 1, EMU_A_SEXT)
    MOVE(DS_READ_U8_D16, 1, 1, EMU_A_D16)
    MOVE(DS_READ_U8_D16_HI, 1, 1, EMU_A_D16 | EMU_A_HIGH)
    MOVE(DS_READ_I8_D16, 1, 1, EMU_A_D16 | EMU_A_SEXT)
    MOVE(DS_READ_I8_D16_HI, 1, 1, EMU_A_D16 | EMU_A_SEXT | EMU_A_HIGH)
    MOVE(DS_READ_U16_D16, 2, 1, EMU_A_D16)
    MOVE(DS_READ_U16_D16_HI, 2, 1, EMU_A_D16 | EMU_A_HIGH)
    MOVE(DS_READ_B32, 4, 1, 0)
    MOVE(DS_READ_B64, 4, 2, 0)
    MOVE(DS_READ_B96, 4, 3, 0)
    MOVE(DS_READ_B128, 4, 4, 0)
    MOVE(DS_READ_B64_TR_B4, 4, 2, 0)
    MOVE(DS_READ_B96_TR_B6, 4, 3, 0)
    MOVE(DS_READ_B64_TR_B8, 4, 2, 0)
    MOVE(DS_READ_B64_TR_B16, 4, 2, 0)
    MOVE(DS_READ2_B32, 4, 1, DS_TWO)
    MOVE(DS_READ2ST64_B32, 4, 1, DS_TWO | DS_ST64)
    MOVE(DS_READ2_B64, 4, 2, DS_TWO)
    MOVE(DS_READ2ST64_B64, 4, 2, DS_TWO | DS_ST64)
    QUAD(ADD, U, EMU_ADD)
    QUAD(SUB, U, EMU_SUB)
    QUAD(RSUB, U, EMU_RSUB)
    QUAD(INC, U, EMU_INC)
    QUAD(DEC, U, EMU_DEC)
    QUAD(MIN, I, EMU_SMIN)
    QUAD(MAX, I, EMU_SMAX)
    QUAD(MIN, U, EMU_UMIN)
    QUAD(MAX, U, EMU_UMAX)
    QUAD(AND, B, EMU_AND)
    QUAD(OR, B, EMU_OR)
    QUAD(XOR, B, EMU_XOR)
    QUAD(MSKOR, B, EMU_MSKOR)
    QUAD(MIN, F, EMU_FMIN)
    QUAD(MAX, F, EMU_FMAX)
    COMPARE(B, EMU_CMPSWAP)
    COMPARE(F, EMU_FCMPSWAP)
    ATOMIC(ADD_F32, 4, EMU_FADD)
    ATOMIC(ADD_RTN_F32, 4, EMU_FADD)
    ATOMIC(ADD_F64, 8, EMU_FADD)
    ATOMIC(ADD_RTN_F64, 8, EMU_FADD)
    ATOMIC(PK_ADD_F16, 4, EMU_PK_ADD_F16)
    ATOMIC(PK_ADD_RTN_F16, 4, EMU_PK_ADD_F16)
    ATOMIC(PK_ADD_BF16, 4, EMU_PK_ADD_BF16)
    ATOMIC(PK_ADD_RTN_BF16, 4, EMU_PK_ADD_BF16)
    ATOMIC(COND_SUB_U32, 4, EMU_CONDSUB)
    ATOMIC(COND_SUB_RTN_U32, 4, EMU_CONDSUB)
    ATOMIC(SUB_CLAMP_U32, 4, EMU_CSUB)
    ATOMIC(SUB_CLAMP_RTN_U32, 4, EMU_CSUB)
    ATOMIC(CMPSTORE_B32, 4, EMU_CMPSWAP)
    ATOMIC(CMPSTORE_RTN_B32, 4, EMU_CMPSWAP)
    ATOMIC(CMPSTORE_B64, 8, EMU_CMPSWAP)
    ATOMIC(CMPSTORE_RTN_B64, 8, EMU_CMPSWAP)
    ATOMIC(CMPSTORE_F32, 4, EMU_FCMPSWAP)
    ATOMIC(CMPSTORE_RTN_F32, 4, EMU_FCMPSWAP)
    ATOMIC(CMPSTORE_F64, 8, EMU_FCMPSWAP)
    ATOMIC(CMPSTORE_RTN_F64, 8, EMU_FCMPSWAP)
    ATOMIC(WRAP_RTN_B32, 4, EMU_WRAP)
    ATOMIC(WRXCHG_RTN_B32, 4, EMU_SWAP)
    ATOMIC(WRXCHG_RTN_B64, 8, EMU_SWAP)
    {AMD_DS_WRXCHG2_RTN_B32, 4, 1, DS_TWO, EMU_SWAP},
    {AMD_DS_WRXCHG2ST64_RTN_B32, 4, 1, DS_TWO | DS_ST64, EMU_SWAP},
    {AMD_DS_WRXCHG2_RTN_B64, 8, 1, DS_TWO, EMU_SWAP},
    {AMD_DS_WRXCHG2ST64_RTN_B64, 8, 1, DS_TWO | DS_ST64, EMU_SWAP},
    /* clang-format on */
};

bool
amd_emu_ds_address(const emu_wave *w, const emu_inst *i, uint32_t at, uint32_t size,
                   uint64_t *address)
{
    uint32_t m0 = w->sgpr[AMD_REG_M0];
    if (i->in.gds) {
        uint32_t limit = m0 & 0xffff;
        *address = AMD_EMU_GDS_BASE | ((m0 >> 16) + at);
        return at <= limit && size <= limit - at;
    }
    *address = AMD_EMU_SHARED_BASE | at;
    uint32_t limit = amd_emu_gen_of(w->m->d->gen)->lds_limit_m0 ? m0 & 0x1ffff : UINT32_MAX;
    return at <= limit && size <= limit - at;
}

/* Reports an m0 that limits LDS or GDS and is undefined. */
static void
check_limit(emu_wave *w, const emu_inst *i)
{
    if (w->shadow && (i->in.gds || amd_emu_gen_of(w->m->d->gen)->lds_limit_m0))
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, i->in.gds ? "place in GDS" : "limit of LDS");
}

/* Lane addresses: register `reg` plus `offset`. */
static void
places(emu_wave *w, const emu_inst *i, const emu_access *a, uint32_t reg, uint32_t offset,
       emu_places *p)
{
    uint64_t lanes = 0;
    for (uint64_t left = amd_emu_exec(w); left; left &= left - 1) {
        uint32_t l = base_ctz64(left), size = (uint32_t)a->bytes * a->count;
        if (amd_emu_ds_address(w, i, w->vgpr[reg][l] + offset, size, &p->address[0][l]))
            lanes |= UINT64_C(1) << l;
    }
    amd_emu_places_linear(p, a, lanes);
}

/* One of an instruction's addresses: the data and result registers for the second follow those for
 * the first. */
static void
access_place(emu_wave *w, const emu_access *a, const emu_places *p, uint32_t result, uint32_t data0,
             uint32_t data1)
{
    if (!a->atomic)
        amd_emu_access_lanes(w, a, p, result, data0);
    else if (a->flags & DS_SWAPPED)
        amd_emu_atomic_lanes(w, a, p, result, data1, data0);
    else
        amd_emu_atomic_lanes(w, a, p, result, data0, data1);
}

static void
run_ds(emu_wave *w, const emu_inst *i)
{
    const emu_access *row = i->op;
    emu_access a = *row;
    uint32_t reg = i->vaddr - AMD_REG_VGPR0, element = (uint32_t)a.bytes * a.count;
    uint32_t unit = element * (a.flags & DS_ST64 ? 64 : 1), registers = element / 4;
    emu_places p, q;
    if (w->shadow)
        amd_emu_shadow_use(w, reg, amd_emu_exec(w), "LDS address");
    check_limit(w, i);
    a.flags &= (uint8_t) ~(DS_TWO | DS_ST64);
    if (!(row->flags & DS_TWO)) {
        places(w, i, &a, reg, (uint32_t)i->in.offset & 0xffff, &p);
        access_place(w, &a, &p, i->result, i->data0, i->data1);
        return;
    }
    places(w, i, &a, reg, ((uint32_t)i->in.offset & 255) * unit, &p);
    places(w, i, &a, reg, ((uint32_t)i->in.offset >> 8 & 255) * unit, &q);
    uint32_t second = i->result == AMD_REG_ABSENT ? AMD_REG_ABSENT : i->result + registers;
    access_place(w, &a, &p, i->result, i->data0, AMD_REG_ABSENT);
    access_place(w, &a, &q, second, i->data1, AMD_REG_ABSENT);
}

/* Bits of an element of a transposing read. */
static uint32_t
transposed_bits(uint32_t op)
{
    switch (op) {
    case AMD_DS_READ_B64_TR_B4: return 4;
    case AMD_DS_READ_B96_TR_B6: return 6;
    case AMD_DS_READ_B64_TR_B8: return 8;
    default: return 16;
    }
}

/* ds_read_b64_tr_b16 and the like: 16 lanes read the rows of a matrix of 16 columns; lane `l` gets
 * column l % 16. A row's columns lie in as many lanes, one behind the other, as it takes. (CDNA 4
 * ISA, "MFMA Transpose Load from LDS".) */
static void
run_transposed(emu_wave *w, const emu_inst *i)
{
    const emu_access *a = i->op;
    uint32_t bits = transposed_bits(i->in.op), depth = a->count * 32u / bits, per = 16 / depth;
    uint32_t reg = i->result - AMD_REG_VGPR0, d[3][EMU_LANES] = {{0}}, n = 16 / per;
    uint64_t undefined[3] = {0};
    emu_places p;
    if (w->shadow)
        amd_emu_shadow_use(w, i->vaddr - AMD_REG_VGPR0, amd_emu_exec(w), "LDS address");
    places(w, i, a, i->vaddr - AMD_REG_VGPR0, (uint32_t)i->in.offset & 0xffff, &p);
    amd_emu_access_lanes(w, a, &p, i->result, AMD_REG_ABSENT);
    for (uint32_t l = 0; l < w->lanes; l++) {
        for (uint32_t k = 0; k < depth; k++) {
            uint32_t from = (l & ~15u) + k * per + l % 16 / n, at = l % 16 % n * bits;
            uint64_t v = w->vgpr[reg + at / 32][from];
            bool two = at % 32 + bits > 32;
            if (two)
                v |= (uint64_t)w->vgpr[reg + at / 32 + 1][from] << 32;
            v = (v >> at % 32 & base_mask64(bits)) << k * bits % 32;
            d[k * bits / 32][l] |= (uint32_t)v;
            if (v >> 32)
                d[k * bits / 32 + 1][l] |= (uint32_t)(v >> 32);
            for (uint32_t s = at / 32; w->shadow && s <= at / 32 + two; s++) {
                uint64_t u = amd_emu_shadow_get(w, reg + s, EMU_BYTES_ALL) >> from & 1;
                for (uint32_t c = k * bits / 32; c <= (k * bits + bits - 1) / 32; c++)
                    undefined[c] |= u << l;
            }
        }
    }
    for (uint32_t c = 0; c < a->count; c++) {
        for (uint64_t left = amd_emu_exec(w); left; left &= left - 1)
            w->vgpr[reg + c][base_ctz64(left)] = d[c][base_ctz64(left)];
        if (w->shadow)
            amd_emu_shadow_set(w, reg + c, EMU_BYTES_ALL, amd_emu_exec(w), undefined[c]);
    }
}

/* Writes a lane operation's result. */
static void
put(emu_wave *w, const emu_inst *i, const uint32_t *d, uint64_t undefined)
{
    uint32_t reg = i->result - AMD_REG_VGPR0;
    for (uint64_t left = amd_emu_exec(w); left; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        w->vgpr[reg][l] = d[l];
    }
    if (w->shadow)
        amd_emu_shadow_set(w, reg, EMU_BYTES_ALL, amd_emu_exec(w), undefined);
}

/* Writes what lane `from[l]` of VGPR `reg` has to each active lane `l`; 0 where that is NO_LANE. */
enum { NO_LANE = UINT8_MAX };

static void
put_lanes(emu_wave *w, const emu_inst *i, uint32_t reg, const uint8_t *from)
{
    uint32_t d[EMU_LANES] = {0};
    uint64_t undefined[4] = {0};
    for (uint32_t l = 0; l < w->lanes; l++)
        d[l] = from[l] == NO_LANE ? 0 : w->vgpr[reg][from[l]];
    for (uint32_t k = 0; w->shadow && k < 4; k++) {
        uint64_t u = amd_emu_shadow_get(w, reg, 1u << k);
        for (uint32_t l = 0; u && l < w->lanes; l++)
            undefined[k] |= from[l] == NO_LANE ? 0 : (u >> from[l] & 1) << l;
    }
    put(w, i, d, 0);
    for (uint32_t k = 0; w->shadow && k < 4; k++)
        amd_emu_shadow_set(w, i->result - AMD_REG_VGPR0, 1u << k, amd_emu_exec(w), undefined[k]);
}

/* The lane that ds_swizzle with `offset` reads for lane `l`. From gfx9 on some offsets select
 * rotations and the FFT order instead of a permutation. */
static uint32_t
swizzle_lane(amd_gen gen, uint32_t offset, uint32_t l)
{
    if (gen < AMD_GFX9 && offset & 0x8000)
        return (l & ~3u) | (offset >> (2 * (l & 3)) & 3);
    if (offset >= 0xe000) { /* FFT */
        uint32_t mask = offset & 31, j = 0;
        for (uint32_t b = 0; b < 5; b++)
            j |= (l >> b & 1) << (4 - b);
        return j >> base_popcount32(mask) | (l & mask) | (l & 32);
    }
    if (offset >= 0xc000) { /* rotate */
        uint32_t mask = offset & 31, by = offset >> 5 & 31;
        uint32_t moved = offset >> 10 & 1 ? l - by : l + by;
        return (l & mask) | (moved & ~mask & 31) | (l & 32);
    }
    if (offset & 0x8000) /* quad permutation */
        return (l & ~3u) | (offset >> (2 * (l & 3)) & 3);
    return ((((l & 31) & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31)) | (l & 32);
}

static void
swizzle(emu_wave *w, const emu_inst *i)
{
    uint64_t exec = amd_emu_exec(w);
    uint8_t from[EMU_LANES];
    for (uint32_t l = 0; l < w->lanes; l++) {
        uint32_t lane = swizzle_lane((amd_gen)i->gen, (uint32_t)i->in.offset & 0xffff, l);
        from[l] = (uint8_t)(exec >> lane & 1 ? lane : NO_LANE);
    }
    put_lanes(w, i, i->vaddr - AMD_REG_VGPR0, from);
}

/* ds_bpermute_b32 and ds_permute_b32. From gfx10 to gfx11.5 they permute each half of a wave64
 * separately (ACO and LLVM both work around that); before and after, the whole wave.
 * ds_bpermute_fi_b32 reads inactive lanes too (RDNA4 ISA: "fetch-inactive"). An undefined address
 * says which lane a lane reads, and so makes its own result undefined; which lane it writes may
 * change any result. */
static void
permute(emu_wave *w, const emu_inst *i)
{
    uint64_t exec = amd_emu_exec(w);
    uint32_t reach = amd_emu_gen_of((amd_gen)i->gen)->half_permutes ? 31 : w->lanes - 1;
    uint32_t reg = i->vaddr - AMD_REG_VGPR0;
    bool writes = i->in.op == AMD_DS_PERMUTE_B32;
    uint64_t unknown = w->shadow ? amd_emu_shadow_get(w, reg, EMU_BYTES_ALL) & exec : 0;
    uint8_t from[EMU_LANES];
    memset(from, NO_LANE, sizeof from);
    if (w->shadow && writes)
        amd_emu_shadow_use(w, reg, exec, "lane number");
    for (uint64_t left = exec; left; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        uint32_t address = w->vgpr[reg][l] + ((uint32_t)i->in.offset & 0xffff);
        uint32_t other = (address / 4 & reach) | (l & ~reach);
        if (writes)
            from[other] = (uint8_t)l;
        else if (i->in.op == AMD_DS_BPERMUTE_FI_B32 || exec >> other & 1)
            from[l] = (uint8_t)other;
    }
    put_lanes(w, i, i->data0 - AMD_REG_VGPR0, from);
    if (unknown && !writes)
        amd_emu_shadow_set(w, i->result - AMD_REG_VGPR0, EMU_BYTES_ALL, unknown, unknown);
}

/* ds_append and ds_consume: one atomic for the wave. In GDS its place is the base in m0's upper
 * half plus the offset, in LDS the offset alone (AMD's guide of CDNA4: "(M0.base + instr_offset) if
 * GDS, or at instr_offset if LDS"; RADV leaves m0 as it is there. LLVM up to 22 puts the address
 * into m0, which the hardware then does not read). */
static void
append(emu_wave *w, const emu_inst *i)
{
    uint32_t n = base_popcount64(amd_emu_exec(w)), old = 0, d[EMU_LANES], undefined = 0;
    uint32_t at = (uint32_t)i->in.offset & 0xfffc;
    if (i->in.gds) {
        at += w->sgpr[AMD_REG_M0] >> 16;
        if (w->shadow)
            amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "place of a counter");
    }
    uint64_t address = (i->in.gds ? AMD_EMU_GDS_BASE : AMD_EMU_SHARED_BASE) | at;
    if (amd_emu_load_bytes(w, address, 4, -1, &old, w->shadow ? &undefined : NULL)) {
        uint32_t new = i->in.op == AMD_DS_APPEND ? old + n : old - n;
        amd_emu_store_bytes(w, address, 4, -1, &new, undefined);
    }
    for (uint32_t l = 0; l < w->lanes; l++)
        d[l] = old;
    put(w, i, d, undefined ? UINT64_MAX : 0);
}

/* ds_read_addtid_b32, ds_write_addtid_b32: m0's low half plus offset plus 4 bytes per lane */
static void
addtid(emu_wave *w, const emu_inst *i)
{
    bool store = i->in.op == AMD_DS_WRITE_ADDTID_B32;
    emu_access a = {i->in.op, 4, 1, store ? EMU_A_STORE : 0, EMU_ATOMIC_NONE};
    uint32_t base = (w->sgpr[AMD_REG_M0] & 0xffff) + ((uint32_t)i->in.offset & 0xffff);
    emu_places p;
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "LDS address");
    for (uint32_t l = 0; l < w->lanes; l++)
        p.address[0][l] = AMD_EMU_SHARED_BASE | (base + 4 * l);
    amd_emu_places_linear(&p, &a, amd_emu_exec(w));
    amd_emu_access_lanes(w, &a, &p, i->result, i->data0);
}

static void
nothing(emu_wave *w, const emu_inst *i)
{
    (void)w;
    (void)i;
}

bool
amd_emu_bind_ds(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_DS_SWIZZLE_B32: i->run = swizzle; return true;
    case AMD_DS_PERMUTE_B32:
    case AMD_DS_BPERMUTE_B32:
    case AMD_DS_BPERMUTE_FI_B32: i->run = permute; return true;
    case AMD_DS_APPEND:
    case AMD_DS_CONSUME: i->run = append; return true;
    case AMD_DS_READ_ADDTID_B32:
    case AMD_DS_WRITE_ADDTID_B32: i->run = addtid; return true;
    case AMD_DS_NOP: i->run = nothing; return true;
    default: break;
    }
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (rows[r].op == i->in.op) {
            i->op = &rows[r];
            i->run = strstr(i->row->name, "_tr_b") ? run_transposed : run_ds;
            return true;
        }
    }
    return false;
}
