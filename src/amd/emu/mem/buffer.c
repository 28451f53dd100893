/* Buffer instructions (MUBUF): addresses through a V#, bounds, loads, stores, atomics. Formatted
 * ones are in format.c.
 *
 * With index = VGPR index (idxen) + lane (add_tid) and offset = VGPR offset (offen) + instruction's
 * offset the address is base + scalar offset + stride * index + offset, or, swizzled, the formula
 * of swizzled() (ISA guides, "Buffer addressing"). From gfx9 on an access without either index is
 * not swizzled: the guides do not say so, but RADV, which is conformant there, leaves the upper
 * bits of an address, and with them a stride and SWIZZLE_ENABLE, in descriptors of constant data
 * that it reads with offen alone (p_constaddr of Mesa's ACO, 22.3 to 26.2). addr64 of gfx6 and gfx7
 * adds a 64-bit VGPR address to base and offsets, without a bounds check. Loads out of bounds
 * return 0 and stores out of bounds are dropped; neither is a finding.
 */
#include "amd/emu/mem/buffer.h"

#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/mem/mem.h"

static uint64_t
swizzled(const amd_buffer_desc *v, uint32_t index, uint32_t offset)
{
    uint64_t index_high = index / v->index_stride, index_low = index % v->index_stride,
             size = v->element_size;
    uint64_t offset_high = offset / size, offset_low = offset % size;
    return (index_high * v->stride + offset_high * size) * v->index_stride + index_low * size +
           offset_low;
}

/* The bounds rule that an instruction and a V# select. gfx6, gfx7: CLRX, "GCN memory instructions";
 * gfx8: bytes, as Mesa's si_state.c and radv_buffer_view.c write descriptors; gfx9: idxen decides
 * (LLVM's reviews D44401 and D50306). */
static emu_bounds
bounds_of(amd_gen gen, const amd_inst *in, const amd_buffer_desc *v)
{
    if (in->addr64)
        return EMU_BOUNDS_NONE;
    if (v->format == AMD_FORMAT_INVALID && !v->add_tid)
        return EMU_BOUNDS_UNBOUND;
    if (gen >= AMD_GFX10)
        return EMU_BOUNDS_SELECT;
    bool raw = !v->stride || (gen == AMD_GFX8 && !v->swizzle) || (gen >= AMD_GFX9 && !in->idxen);
    return raw ? EMU_BOUNDS_RAW : EMU_BOUNDS_STRUCTURED;
}

/* Applies OOB_SELECT's rules to a payload of `size` bytes at (index, offset). */
static bool
in_selected_bounds(const emu_buffer_args *b, uint32_t index, uint32_t offset, uint32_t size)
{
    const amd_buffer_desc *v = &b->desc;
    uint64_t end = (uint64_t)offset + size;
    switch (v->oob) {
    case AMD_OOB_INDEX_AND_OFFSET:
        return index < v->num_records && (!v->stride || end <= v->stride);
    case AMD_OOB_INDEX: return index < v->num_records;
    case AMD_OOB_EMPTY: return v->num_records != 0;
    default: break;
    }
    if (v->swizzle && v->stride)
        return index < v->num_records && end <= v->stride;
    return b->scalar <= v->num_records && end <= v->num_records - b->scalar;
}

/* Is a payload of `size` bytes at (index, offset) within bounds? It lies `place` bytes after base
 * and scalar offset. */
static bool
in_bounds(const emu_inst *i, const emu_buffer_args *b, uint32_t index, uint32_t offset,
          uint64_t place, uint32_t size)
{
    const amd_buffer_desc *v = &b->desc;
    switch (b->bounds) {
    case EMU_BOUNDS_SELECT: return in_selected_bounds(b, index, offset, size);
    case EMU_BOUNDS_RAW:
        return b->scalar <= v->num_records && place + size <= v->num_records - b->scalar;
    case EMU_BOUNDS_STRUCTURED:
        return index < v->num_records && (offset < v->stride || !(i->in.idxen || v->add_tid));
    default: return b->bounds == EMU_BOUNDS_NONE;
    }
}

static void
use_operands(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    uint32_t reg = i->vaddr - AMD_REG_VGPR0;
    uint64_t exec = amd_emu_exec(w);
    if (in->idxen)
        amd_emu_shadow_use(w, reg, exec, "buffer index");
    if (in->offen)
        amd_emu_shadow_use(w, reg + in->idxen, exec, "buffer offset");
    for (uint32_t k = 0; in->addr64 && k < 2; k++)
        amd_emu_shadow_use(w, reg + k, exec, "buffer address");
    amd_emu_shadow_use_scalar(w, i->rsrc, 4, "buffer descriptor");
    amd_emu_shadow_use_scalar(w, i->soffset, 1, "buffer offset");
}

bool
amd_emu_buffer_source(emu_wave *w, const emu_inst *i, emu_buffer_args *b)
{
    const amd_inst *in = &i->in;
    amd_gen gen = w->m->d->gen;
    uint32_t words[4], reg = i->vaddr - AMD_REG_VGPR0;
    for (uint32_t k = 0; k < 4; k++)
        words[k] = w->sgpr[i->rsrc + k];
    *b = (emu_buffer_args){0};
    amd_buffer_decode(gen, words, &b->desc);
    if (gen >= AMD_GFX9 && !in->idxen && !b->desc.add_tid)
        b->desc.swizzle = 0;
    if (in->addr64) {
        b->offset = w->vgpr[reg];
        b->high = w->vgpr[reg + 1];
    } else {
        b->index = in->idxen ? w->vgpr[reg] : NULL;
        b->offset = in->offen ? w->vgpr[reg + in->idxen] : NULL;
    }
    b->scalar = amd_emu_read_s32(w, in, i->soffset);
    b->bounds = b->desc.type ? EMU_BOUNDS_UNBOUND : bounds_of(gen, in, &b->desc);
    b->scalar_swizzled = gen >= AMD_GFX12;
    if (w->shadow)
        use_operands(w, i);
    if (b->desc.swizzle && !b->desc.element_size) {
        amd_emu_stop(w, MACH_RUN_UNSUPPORTED,
                     "buffer descriptor with the reserved SWIZZLE_ENABLE 2");
        return false;
    }
    return true;
}

bool
amd_emu_buffer_place(const emu_wave *w, const emu_inst *i, const emu_buffer_args *b, uint32_t lane,
                     uint32_t add, uint32_t size, uint64_t *address)
{
    (void)w;
    const amd_buffer_desc *v = &b->desc;
    uint32_t index = (b->index ? b->index[lane] : 0) + (v->add_tid ? lane : 0);
    uint32_t offset = (b->offset ? b->offset[lane] : 0) + (uint32_t)i->in.offset + add;
    uint64_t place, base = v->base + b->scalar;
    if (b->high) {
        *address = base + (b->offset[lane] | (uint64_t)b->high[lane] << 32) +
                   (uint32_t)i->in.offset + add;
        *address = mach_canonical(*address);
        return true;
    }
    if (!v->swizzle)
        place = (uint64_t)v->stride * index + offset;
    else if (b->scalar_swizzled)
        base = v->base, place = swizzled(v, index, offset + b->scalar);
    else
        place = swizzled(v, index, offset);
    *address = mach_canonical(base + place);
    return in_bounds(i, b, index, offset, place, size);
}

static void
run_buffer(emu_wave *w, const emu_inst *i)
{
    const emu_access *a = i->op;
    emu_buffer_args b;
    emu_places p;
    if (!amd_emu_buffer_source(w, i, &b))
        return;
    for (uint32_t c = 0; c < a->count; c++) {
        p.valid[c] = 0;
        for (uint64_t left = amd_emu_exec(w); left; left &= left - 1) {
            uint32_t l = base_ctz64(left);
            if (amd_emu_buffer_place(w, i, &b, l, c * a->bytes, a->bytes, &p.address[c][l]))
                p.valid[c] |= UINT64_C(1) << l;
        }
    }
    if (amd_emu_buffer_to_lds(i)) { /* the instruction's offset is part of both addresses */
        amd_emu_load_to_lds(w, i, a, &p);
        return;
    }
    uint32_t result = a->flags & EMU_A_STORE || (a->atomic && !i->in.glc) ? AMD_REG_ABSENT
                                                                          : i->vdata;
    amd_emu_access_lanes(w, a, &p, result, i->vdata);
    if (i->in.tfe && result != AMD_REG_ABSENT)
        amd_emu_fault_status(w, i->vdata - AMD_REG_VGPR0 + a->count);
}

void
amd_emu_fault_status(emu_wave *w, uint32_t reg)
{
    uint64_t exec = amd_emu_exec(w);
    for (uint64_t left = exec; left; left &= left - 1)
        w->vgpr[reg][base_ctz64(left)] = 0;
    if (w->shadow)
        amd_emu_shadow_set(w, reg, EMU_BYTES_ALL, exec, 0);
}

/* buffer_store_lds_dword: each lane stores the LDS dword that a load to LDS would write for it
 * (GCN3 ISA, "LDS Offset Address"). */
static void
store_from_lds(emu_wave *w, const emu_inst *i)
{
    emu_buffer_args b;
    if (!amd_emu_buffer_source(w, i, &b))
        return;
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "LDS address");
    for (uint64_t left = amd_emu_exec(w); left; left &= left - 1) {
        uint32_t l = base_ctz64(left), v = 0, undefined = 0;
        uint32_t at = (w->sgpr[AMD_REG_M0] & 0xffff) + (uint32_t)i->in.offset + 4 * l;
        uint64_t address;
        if (amd_emu_load_bytes(w, AMD_EMU_SHARED_BASE | at, 4, (int)l, &v,
                               w->shadow ? &undefined : NULL) &&
            amd_emu_buffer_place(w, i, &b, l, 0, 4, &address))
            amd_emu_store_bytes(w, address, 4, (int)l, &v, undefined);
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
amd_emu_bind_buffer(emu_inst *i)
{
    if (!i->row->operands[0].role || i->in.op == AMD_BUFFER_STORE_LDS_DWORD) {
        i->run = i->row->operands[0].role ? store_from_lds : nothing;
        return true;
    }
    const emu_access *a = amd_emu_access_find(i->in.op);
    i->op = a;
    i->run = run_buffer;
    return a && (!amd_emu_buffer_to_lds(i) ||
                 ((a->count == 1 || amd_has_lds_bit((amd_gen)i->gen, i->row)) && !a->atomic &&
                  !(a->flags & ~EMU_A_SEXT)));
}
