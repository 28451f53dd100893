/* Scalar memory: loads of 1 to 16 dwords, buffer loads through a V#, cache control, clocks.
 *
 * The address is SBASE + offset + SGPR offset with the two lowest bits of each part ignored; a
 * buffer load is clamped: dwords beyond num_records (of a buffer with a stride, in units of it)
 * give 0 (RDNA 2 ISA, 7.5).
 */
#include "amd/emu/access.h"
#include "amd/emu/descriptor.h"
#include "amd/emu/shadow.h"

static uint32_t
scalar_offset(const emu_wave *w, const emu_inst *i)
{
    return i->soffset == AMD_REG_ABSENT ? 0 : emu_read_s32(w, &i->in, i->soffset);
}

static void
write_loaded(emu_wave *w, uint32_t code, uint32_t v, uint32_t undefined)
{
    emu_write_s32(w, code, v);
    if (w->shadow && code < EMU_SREGS)
        w->shadow->s[code] = undefined ? UINT32_MAX : 0;
}

static void
load(emu_wave *w, const emu_inst *i)
{
    uint64_t base = emu_read_s64(w, &i->in, i->in.src[0]);
    uint64_t address = base + (uint64_t)(int64_t)i->in.offset + scalar_offset(w, i);
    uint32_t n = i->row->memory / 4u;
    if (w->shadow)
        emu_shadow_use_scalar(w, i->in.src[0], 2, "address of a scalar load");
    address = mach_canonical(address & ~UINT64_C(3));
    for (uint32_t k = 0; k < n; k++) {
        uint32_t v = 0, undefined = 0;
        emu_load(w, address + 4 * k, 4, -1, &v, w->shadow ? &undefined : NULL);
        write_loaded(w, i->in.dst[0] + k, v, undefined);
    }
}

static void
buffer_load(emu_wave *w, const emu_inst *i)
{
    amd_buffer_desc v;
    uint32_t n = i->row->memory / 4u, words[4];
    for (uint32_t k = 0; k < 4; k++)
        words[k] = w->sgpr[i->in.src[0] + k];
    if (w->shadow)
        emu_shadow_use_scalar(w, i->in.src[0], 4, "buffer descriptor");
    amd_buffer_decode(words, &v);
    uint32_t offset = ((uint32_t)i->in.offset + scalar_offset(w, i)) & ~3u;
    uint64_t size = v.stride ? (uint64_t)v.stride * v.num_records : v.num_records;
    for (uint32_t k = 0; k < n; k++) {
        uint64_t at = (uint64_t)offset + 4 * k;
        uint32_t value = 0, undefined = 0;
        if (at + 4 <= size)
            emu_load(w, mach_canonical((v.base + at) & ~UINT64_C(3)), 4, -1, &value,
                     w->shadow ? &undefined : NULL);
        write_loaded(w, i->in.dst[0] + k, value, undefined);
    }
}

/* s_memtime, s_memrealtime: a clock that only rises. */
static void
clock_read(emu_wave *w, const emu_inst *i)
{
    w->m->time += 100;
    emu_write_s64(w, i->in.dst[0], w->m->time);
    if (w->shadow)
        w->shadow->s[i->in.dst[0]] = w->shadow->s[i->in.dst[0] + 1] = 0;
}

static void
waveid(emu_wave *w, const emu_inst *i)
{
    write_loaded(w, i->in.dst[0], w->index, 0);
}

static void
nothing(emu_wave *w, const emu_inst *i)
{
    (void)w;
    (void)i;
}

bool
emu_bind_smem(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_S_LOAD_DWORD:
    case AMD_S_LOAD_DWORDX2:
    case AMD_S_LOAD_DWORDX4:
    case AMD_S_LOAD_DWORDX8:
    case AMD_S_LOAD_DWORDX16: i->run = load; return true;
    case AMD_S_BUFFER_LOAD_DWORD:
    case AMD_S_BUFFER_LOAD_DWORDX2:
    case AMD_S_BUFFER_LOAD_DWORDX4:
    case AMD_S_BUFFER_LOAD_DWORDX8:
    case AMD_S_BUFFER_LOAD_DWORDX16: i->run = buffer_load; return true;
    case AMD_S_MEMTIME:
    case AMD_S_MEMREALTIME: i->run = clock_read; return true;
    case AMD_S_GET_WAVEID_IN_WORKGROUP: i->run = waveid; return true;
    case AMD_S_GL1_INV:
    case AMD_S_DCACHE_INV:
    case AMD_S_DCACHE_WB:
    case AMD_S_ATC_PROBE:
    case AMD_S_ATC_PROBE_BUFFER:
    case AMD_S_DCACHE_DISCARD:
    case AMD_S_DCACHE_DISCARD_X2: i->run = nothing; return true;
    default: return false;
    }
}
