/* FLAT, GLOBAL and SCRATCH instructions.
 *
 * flat_* addresses are compared with the apertures. Shared addresses go to LDS, private ones to the
 * lane's scratch memory, which begins at the wave's FLAT_SCRATCH and is interleaved by dwords
 * (emu.h). scratch_* instructions contain the offset in that memory. RDNA 2 ISA, chapter "Flat
 * memory instructions".
 */
#include "amd/emu/core/findings.h"
#include "amd/emu/core/gens.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/mem/access.h"
#include "amd/emu/mem/mem.h"

static bool
has(uint16_t code)
{
    return code != AMD_REG_ABSENT && code != AMD_REG_NULL;
}

/* The address of the wave's private memory, as the program has set it up. */
static uint64_t
private_base(emu_wave *w)
{
    const emu_gen *g = amd_emu_gen_of(w->m->d->gen);
    bool sgprs = g->flat_scratch == EMU_FS_SGPRS || g->flat_scratch == EMU_FS_OFFSET;
    uint32_t low = w->sgpr[g->flat_scratch_sgpr], high = w->sgpr[g->flat_scratch_sgpr + 1];
    if (w->shadow && sgprs)
        amd_emu_shadow_use_scalar(w, g->flat_scratch_sgpr, 2, "FLAT_SCRATCH");
    if (w->shadow && g->flat_scratch == EMU_FS_HWREG && w->shadow->flat_scratch) {
        amd_emu_find(w, EMU_RULE_UNDEFINED_SCRATCH, -1,
                     "FLAT_SCRATCH was never set, or from an undefined value");
        w->shadow->flat_scratch = false;
    }
    if (g->flat_scratch == EMU_FS_OFFSET)
        return AMD_EMU_SCRATCH_BASE + ((uint64_t)high << 8);
    return sgprs ? low | (uint64_t)high << 32 : w->flat_scratch;
}

/* Loads to LDS, by the lds bit or by opcodes of their own (gfx942), have no result register. */
static bool
to_lds(const emu_inst *i)
{
    return i->row->flags & AMD_F_LOAD && i->result == AMD_REG_ABSENT;
}

static void
access_places(emu_wave *w, const emu_inst *i, const emu_places *p)
{
    if (to_lds(i))
        amd_emu_load_to_lds(w, i, i->op, p);
    else
        amd_emu_access_lanes(w, i->op, p, i->result, i->vdata);
}

/* The address of each component in the lane's scratch memory, from byte `offset` on. */
static void
private_places(emu_wave *w, const emu_access *a, emu_places *p, uint32_t l, uint32_t offset)
{
    uint32_t size = (w->m->d->scratch_bytes + 3) & ~3u, bytes = (uint32_t)a->bytes * a->count;
    uint64_t base = private_base(w);
    bool inside = offset <= size && bytes <= size - offset;
    if (!inside)
        amd_emu_find(w, EMU_RULE_SCRATCH_BOUNDS, (int)l,
                     "scratch offset %u with %u bytes, but a lane has %u", offset, bytes, size);
    for (uint32_t c = 0; c < a->count; c++) {
        p->address[c][l] = amd_emu_scratch_address(w, base, offset + 4 * c, l);
        if (!inside)
            p->valid[c] &= ~(UINT64_C(1) << l);
    }
}

static void
check_address(emu_wave *w, const emu_inst *i, bool wide)
{
    uint64_t exec = amd_emu_exec(w);
    uint32_t reg = i->vaddr - AMD_REG_VGPR0;
    if (has(i->vaddr)) {
        amd_emu_shadow_use(w, reg, exec, "address");
        if (wide)
            amd_emu_shadow_use(w, reg + 1, exec, "address");
    }
    if (has(i->saddr))
        amd_emu_shadow_use_scalar(w, i->saddr, wide || i->in.fmt != AMD_SCRATCH ? 2 : 1, "address");
}

uint32_t
amd_emu_flat_spaces(const emu_wave *w, const emu_inst *i)
{
    const uint32_t *low = w->vgpr[i->vaddr - AMD_REG_VGPR0], *high = low + EMU_LANES;
    uint32_t spaces = 0;
    for (uint64_t left = amd_emu_exec(w); left; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        uint64_t at = (low[l] | (uint64_t)high[l] << 32) + (uint64_t)(int64_t)i->in.offset;
        bool lds = at >> 32 == AMD_EMU_SHARED_BASE >> 32;
        spaces |= lds ? EMU_SPACE_LDS : EMU_SPACE_VECTOR;
    }
    return spaces;
}

/* The addresses of the lanes' components: the instruction's addresses plus `add`. */
static void
flat_places(emu_wave *w, const emu_inst *i, const emu_access *a, uint32_t add, emu_places *p)
{
    const amd_inst *in = &i->in;
    uint64_t exec = amd_emu_exec(w), private_lanes = 0;
    bool scalar = has(i->saddr), addtid = !has(i->vaddr);
    const uint32_t *low = addtid ? NULL : w->vgpr[i->vaddr - AMD_REG_VGPR0];
    const uint32_t *high = addtid || scalar ? NULL : w->vgpr[i->vaddr - AMD_REG_VGPR0 + 1];
    uint64_t base = (scalar ? amd_emu_read_s64(w, in, i->saddr) : 0) +
                    (uint64_t)(int64_t)in->offset + add;
    if (w->shadow)
        check_address(w, i, !scalar && !addtid);
    for (uint64_t left = exec; left; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        uint64_t v = addtid ? l * 4u : low[l] | (high ? (uint64_t)high[l] << 32 : 0);
        p->address[0][l] = base + v;
        if (in->fmt == AMD_FLAT && (base + v) >> 32 == AMD_EMU_PRIVATE_BASE >> 32)
            private_lanes |= UINT64_C(1) << l;
        else if ((base + v) >> 32 != AMD_EMU_SHARED_BASE >> 32)
            p->address[0][l] = mach_canonical(base + v);
    }
    amd_emu_places_linear(p, a, exec);
    for (uint64_t left = private_lanes; left; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        private_places(w, a, p, l, (uint32_t)p->address[0][l]);
    }
}

static void
scratch_places(emu_wave *w, const emu_inst *i, const emu_access *a, uint32_t add, emu_places *p)
{
    const amd_inst *in = &i->in;
    uint64_t exec = amd_emu_exec(w);
    uint32_t base = (has(i->saddr) ? amd_emu_read_s32(w, in, i->saddr) : 0) + (uint32_t)in->offset +
                    add;
    if (w->shadow)
        check_address(w, i, false);
    for (uint32_t c = 0; c < a->count; c++)
        p->valid[c] = exec;
    for (uint64_t left = exec; left; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        private_places(w, a, p, l,
                       base + (has(i->vaddr) ? w->vgpr[i->vaddr - AMD_REG_VGPR0][l] : 0));
    }
}

static void
any_places(emu_wave *w, const emu_inst *i, const emu_access *a, uint32_t add, emu_places *p)
{
    if (i->in.fmt == AMD_SCRATCH)
        scratch_places(w, i, a, add, p);
    else
        flat_places(w, i, a, add, p);
}

static void
run_flat(emu_wave *w, const emu_inst *i)
{
    emu_places p;
    any_places(w, i, i->op, 0, &p);
    access_places(w, i, &p);
}

/* global_load_block and related opcodes: m0 tells which of 32 registers are moved. Each register
 * has its own dword in memory, whether it is moved or not (RDNA 4 ISA, GLOBAL_LOAD_BLOCK). */
static void
run_block(emu_wave *w, const emu_inst *i)
{
    uint32_t m0 = w->sgpr[AMD_REG_M0];
    bool store = i->row->flags & AMD_F_STORE;
    uint32_t first = store ? i->vdata : i->result;
    emu_access a = {i->in.op, 4, 1, store ? EMU_A_STORE : 0, EMU_ATOMIC_NONE};
    arena_mark mark = arena_save(w->m->arena);
    emu_places *p = ARENA_ARRAY(w->m->arena, EMU_BLOCK, emu_places);
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "mask of a block");
    for (uint32_t k = 0; k < EMU_BLOCK; k++) /* must precede the load of a register that holds
                                                addresses */
        if (m0 >> k & 1)
            any_places(w, i, &a, 4 * k, &p[k]);
    for (uint32_t k = 0; k < EMU_BLOCK; k++) {
        if (!(m0 >> k & 1))
            continue;
        if (first + k - AMD_REG_VGPR0 >= w->n_vgprs) {
            amd_emu_find(w, EMU_RULE_REGISTER_BOUNDS, -1, "v%u is used, but %u VGPRs are allocated",
                         first + k - AMD_REG_VGPR0, w->n_vgprs);
            break;
        }
        amd_emu_access_lanes(w, &a, &p[k], first + k, first + k);
    }
    arena_release(w->m->arena, mark);
}

/* global_load_tr_b128 in wave32: each lane reads eight 16-bit elements; groups of eight lanes
 * exchange them, so that lane L gets element L % 8 of each lane. RDNA 4 ISA, "WMMA Matrix Load Ops
 * with Transpose", describes the purpose and requires exec to be all ones. The assignment to lanes
 * was measured on gfx1201 and gfx1250 (reports of two projects that use it). */
static void
run_transpose(emu_wave *w, const emu_inst *i)
{
    static const emu_access a = {AMD_GLOBAL_LOAD_TR_B128, 4, 4, 0, EMU_ATOMIC_NONE};
    uint32_t reg = i->result - AMD_REG_VGPR0, d[4][EMU_LANES] = {{0}};
    emu_places p;
    if (w->lanes > 32) {
        amd_emu_stop(w, MACH_RUN_UNSUPPORTED,
                     "the order of a transposing load in wave64 is not known");
        return;
    }
    if (!amd_emu_exec(w))
        return;
    if (amd_emu_exec(w) != w->all_lanes)
        amd_emu_find(w, EMU_RULE_TRANSPOSE_EXEC, -1, "a transposing load needs all lanes active");
    any_places(w, i, &a, 0, &p);
    amd_emu_access_lanes(w, &a, &p, i->result, AMD_REG_ABSENT);
    for (uint32_t l = 0; l < w->lanes; l++)
        for (uint32_t j = 0; j < 8; j++) {
            uint32_t from = (l & ~7u) + j, k = l % 8;
            uint32_t v = w->vgpr[reg + k / 2][from] >> k % 2 * 16 & 0xffff;
            d[j / 2][l] |= v << j % 2 * 16;
        }
    for (uint32_t k = 0; k < 4; k++)
        memcpy(w->vgpr[reg + k], d[k], w->lanes * sizeof d[k][0]);
    for (uint32_t l = 0; w->shadow && l < w->lanes; l += 8) {
        uint64_t eight = UINT64_C(0xff) << l, undefined = 0;
        for (uint32_t k = 0; k < 4; k++)
            undefined |= amd_emu_shadow_get(w, reg + k, EMU_BYTES_ALL) & eight;
        for (uint32_t k = 0; k < 4; k++)
            amd_emu_shadow_set(w, reg + k, EMU_BYTES_ALL, eight, undefined ? eight : 0);
    }
}

/* Caches are not modelled. */
static void
nothing(emu_wave *w, const emu_inst *i)
{
    (void)w;
    (void)i;
}

bool
amd_emu_bind_flat(emu_inst *i)
{
    if (!i->row->operands[0].role) { /* global_inv, global_wb, global_wbinv */
        i->run = nothing;
        return true;
    }
    switch (i->in.op) {
    case AMD_GLOBAL_LOAD_BLOCK:
    case AMD_GLOBAL_STORE_BLOCK:
    case AMD_SCRATCH_LOAD_BLOCK:
    case AMD_SCRATCH_STORE_BLOCK: i->run = run_block; return true;
    case AMD_GLOBAL_LOAD_TR_B128: i->run = run_transpose; return true;
    default: break;
    }
    const emu_access *a = amd_emu_access_find(i->in.op);
    i->op = a;
    i->run = run_flat;
    return a && (!i->in.lds || (a->count == 1 && !a->atomic && !(a->flags & ~EMU_A_SEXT)));
}
