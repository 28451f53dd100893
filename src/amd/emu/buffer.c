/* Buffer instructions (MUBUF): addresses through a V#, bounds, loads, stores, atomics. Formatted
 * ones are in format.c.
 *
 * With index = VGPR index (idxen) + lane (add_tid) and offset = VGPR offset (offen) + instruction's
 * offset the address is base + scalar offset + stride * index + offset, or, swizzled, the formula
 * of swizzled() (RDNA 2 ISA, 8.1.5 "Buffer addressing"). What is out of bounds reads 0 and is not
 * stored; that is no finding.
 */
#include "amd/emu/buffer.h"

#include "amd/emu/shadow.h"

enum { SWIZZLE_ELEMENT = 4 }; /* bytes: fixed on gfx10 */

static uint64_t
swizzled(const amd_buffer_desc *v, uint32_t index, uint32_t offset)
{
    uint64_t index_high = index / v->index_stride, index_low = index % v->index_stride;
    uint64_t offset_high = offset / SWIZZLE_ELEMENT, offset_low = offset % SWIZZLE_ELEMENT;
    return (index_high * v->stride + offset_high * SWIZZLE_ELEMENT) * v->index_stride +
           index_low * SWIZZLE_ELEMENT + offset_low;
}

/* Is a payload of `size` bytes at (index, offset) within bounds? */
static bool
in_bounds(const amd_buffer_desc *v, uint32_t index, uint32_t offset, uint32_t scalar, uint32_t size)
{
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
    return scalar <= v->num_records && end <= v->num_records - scalar;
}

void
emu_buffer_source(emu_wave *w, const emu_inst *i, emu_buffer_args *b)
{
    const amd_inst *in = &i->in;
    uint32_t words[4], reg = i->vaddr - AMD_REG_VGPR0;
    for (uint32_t k = 0; k < 4; k++)
        words[k] = w->sgpr[i->rsrc + k];
    amd_buffer_decode(words, &b->desc);
    b->index = in->idxen ? w->vgpr[reg] : NULL;
    b->offset = in->offen ? w->vgpr[reg + in->idxen] : NULL;
    b->scalar = emu_read_s32(w, in, i->soffset);
    if (w->shadow) {
        uint64_t exec = emu_exec(w);
        if (in->idxen)
            emu_shadow_use(w, reg, exec, "buffer index");
        if (in->offen)
            emu_shadow_use(w, reg + in->idxen, exec, "buffer offset");
        emu_shadow_use_scalar(w, i->rsrc, 4, "buffer descriptor");
        emu_shadow_use_scalar(w, i->soffset, 1, "buffer offset");
    }
}

bool
emu_buffer_place(const emu_wave *w, const emu_inst *i, const emu_buffer_args *b, uint32_t lane,
                 uint32_t add, uint32_t size, uint64_t *address)
{
    (void)w;
    const amd_buffer_desc *v = &b->desc;
    uint32_t index = (b->index ? b->index[lane] : 0) + (v->add_tid ? lane : 0);
    uint32_t offset = (b->offset ? b->offset[lane] : 0) + (uint32_t)i->in.offset + add;
    uint64_t linear = v->swizzle ? swizzled(v, index, offset)
                                 : (uint64_t)v->stride * index + offset;
    *address = mach_canonical(v->base + b->scalar + linear);
    return in_bounds(v, index, offset, b->scalar, size);
}

static void
run_buffer(emu_wave *w, const emu_inst *i)
{
    const emu_access *a = i->op;
    emu_buffer_args b;
    emu_places p;
    emu_buffer_source(w, i, &b);
    for (uint32_t c = 0; c < a->count; c++) {
        p.valid[c] = 0;
        for (uint64_t left = emu_exec(w); left; left &= left - 1) {
            uint32_t l = base_ctz64(left);
            if (emu_buffer_place(w, i, &b, l, c * a->bytes, a->bytes, &p.address[c][l]))
                p.valid[c] |= UINT64_C(1) << l;
        }
    }
    if (i->in.lds) { /* the instruction's offset counts in both addresses */
        emu_load_to_lds(w, i, a, &p);
        return;
    }
    uint32_t result = a->flags & EMU_A_STORE || (a->atomic && !i->in.glc) ? AMD_REG_ABSENT
                                                                          : i->vdata;
    emu_access_lanes(w, a, &p, result, i->vdata);
    if (i->in.tfe && result != AMD_REG_ABSENT)
        emu_fault_status(w, i->vdata - AMD_REG_VGPR0 + a->count);
}

void
emu_fault_status(emu_wave *w, uint32_t reg)
{
    uint64_t exec = emu_exec(w);
    for (uint64_t left = exec; left; left &= left - 1)
        w->vgpr[reg][base_ctz64(left)] = 0;
    if (w->shadow)
        emu_shadow_set(w, reg, EMU_BYTES_ALL, exec, 0);
}

static void
nothing(emu_wave *w, const emu_inst *i)
{
    (void)w;
    (void)i;
}

bool
emu_bind_buffer(emu_inst *i)
{
    if (i->in.op == AMD_BUFFER_GL0_INV || i->in.op == AMD_BUFFER_GL1_INV) {
        i->run = nothing;
        return true;
    }
    const emu_access *a = emu_access_find(i->in.op);
    i->op = a;
    i->run = run_buffer;
    if (a)
        return !i->in.lds || (a->count == 1 && !a->atomic && !(a->flags & ~EMU_A_SEXT));
    return emu_bind_format(i);
}
