/* Formats the text of traces and dumps. */
#include "amd/emu/core/operand.h"
#include "amd/emu/watch/watching.h"

#include <string.h>

enum { COLUMNS = 8, MAX_DUMPED = 1 << 16 };

/* Scalar registers that have names: s0 to s105, vcc, ttmp, m0, exec. */
static void
put_scalar_name(uint32_t code, base_buf *out)
{
    if (code < 106)
        buf_printf(out, "s%u", code);
    else if (code == AMD_REG_VCC_LO || code == AMD_REG_VCC_LO + 1)
        buf_puts(out, code == AMD_REG_VCC_LO ? "vcc_lo" : "vcc_hi");
    else if (code == AMD_REG_M0)
        buf_puts(out, "m0");
    else if (code == AMD_REG_EXEC_LO || code == AMD_REG_EXEC_LO + 1)
        buf_puts(out, code == AMD_REG_EXEC_LO ? "exec_lo" : "exec_hi");
    else
        buf_printf(out, "ttmp%u", code - 108);
}

static void
put_place(const emu_wave *w, uint64_t pc, base_buf *out)
{
    buf_printf(out, "group %u,%u,%u wave %u pc 0x%llx", w->group->id[0], w->group->id[1],
               w->group->id[2], w->index, (unsigned long long)pc);
}

/* Prints the lanes of a VGPR that changed. */
static void
trace_vgpr(const emu_wave *w, uint32_t reg, base_buf *out)
{
    const emu_watching *s = w->m->watching;
    const mach_filter *f = &s->watch->filter;
    bool any = false;
    if (!memcmp(s->vgpr[reg], w->vgpr[reg], w->lanes * sizeof **w->vgpr))
        return;
    for (uint32_t l = 0; l < w->lanes; l++) {
        if (s->vgpr[reg][l] == w->vgpr[reg][l] || (f->has_lane && f->lane != l))
            continue;
        if (!any)
            buf_printf(out, "    v%u:", reg);
        any = true;
        buf_printf(out, " %u=%08x", l, w->vgpr[reg][l]);
    }
    if (any)
        buf_puts(out, "\n");
}

void
amd_emu_trace(emu_wave *w, const emu_inst *i)
{
    const emu_watching *s = w->m->watching;
    arena_mark mark = arena_save(w->m->arena);
    base_buf out = buf_make(w->m->arena);
    put_place(w, i->pc, &out);
    buf_printf(&out, " #%llu ", (unsigned long long)w->instructions);
    if (s->times)
        buf_printf(&out, "cycle %llu ", (unsigned long long)amd_emu_times_now(w));
    amd_print(w->m->d->gen, &i->in, w->lanes > 32, &out);
    const char *before = " |";
    for (uint32_t r = 0; r < EMU_SREGS; r++) {
        if (s->sgpr[r] == w->sgpr[r])
            continue;
        buf_printf(&out, "%s ", before);
        put_scalar_name(r, &out);
        buf_printf(&out, "=%08x", w->sgpr[r]);
        before = "";
    }
    if (s->scc != w->scc)
        buf_printf(&out, "%s scc=%d", before, w->scc);
    buf_puts(&out, "\n");
    for (uint32_t r = 0; r < w->n_vgprs; r++)
        trace_vgpr(w, r, &out);
    s->watch->trace(s->watch->trace_user, (const char *)out.data, out.size);
    arena_release(w->m->arena, mark);
}

static void
dump_scalars(const emu_wave *w, base_buf *out)
{
    buf_printf(out, "exec 0x%llx vcc 0x%08x%08x scc %d m0 0x%08x mode 0x%x\n",
               (unsigned long long)amd_emu_exec(w), w->sgpr[AMD_REG_VCC_LO + 1],
               w->sgpr[AMD_REG_VCC_LO], w->scc, w->sgpr[AMD_REG_M0], w->mode);
    uint32_t n = w->m->d->n_sgprs && w->m->d->n_sgprs < 106 ? w->m->d->n_sgprs : 106;
    for (uint32_t r = 0; r < n; r++) {
        if (r % COLUMNS == 0)
            buf_printf(out, "  s%-3u", r);
        buf_printf(out, " %08x", w->sgpr[r]);
        if (r % COLUMNS == COLUMNS - 1 || r + 1 == n)
            buf_puts(out, "\n");
    }
}

static void
dump_vectors(const emu_wave *w, base_buf *out)
{
    const mach_filter *f = &w->m->watching->watch->filter;
    for (uint32_t r = 0; r < w->n_vgprs; r++) {
        if (f->has_lane && f->lane < w->lanes) {
            buf_printf(out, "  v%-3u lane %u %08x\n", r, f->lane, w->vgpr[r][f->lane]);
            continue;
        }
        for (uint32_t l = 0; l < w->lanes; l++) {
            if (l % COLUMNS == 0 && !l)
                buf_printf(out, "  v%-3u[%2u]", r, l);
            else if (l % COLUMNS == 0)
                buf_printf(out, "      [%2u]", l);
            buf_printf(out, " %08x", w->vgpr[r][l]);
            if (l % COLUMNS == COLUMNS - 1)
                buf_puts(out, "\n");
        }
    }
}

/* Prints bytes in rows of 16; rows equal to the one before are replaced by a single "*". */
static void
dump_bytes(const uint8_t *bytes, uint64_t size, base_buf *out)
{
    bool skipped = false;
    for (uint64_t at = 0; at < size && at < MAX_DUMPED; at += 16) {
        uint32_t n = size - at < 16 ? (uint32_t)(size - at) : 16;
        if (at && n == 16 && at + 16 < size && !memcmp(bytes + at, bytes + at - 16, 16)) {
            if (!skipped)
                buf_puts(out, "  *\n");
            skipped = true;
            continue;
        }
        skipped = false;
        buf_printf(out, "  %06llx:", (unsigned long long)at);
        for (uint32_t k = 0; k < n; k++)
            buf_printf(out, "%s%02x", k % 4 ? "" : " ", bytes[at + k]);
        buf_puts(out, "\n");
    }
    if (size > MAX_DUMPED)
        buf_printf(out, "  and %llu bytes more\n", (unsigned long long)(size - MAX_DUMPED));
}

static void
dump_memory(const emu_wave *w, base_buf *out)
{
    const mach_memory *m = w->m->memory;
    if (w->m->d->lds_bytes) {
        buf_printf(out, "lds: %u bytes\n", w->m->d->lds_bytes);
        dump_bytes(w->group->lds, w->m->d->lds_bytes, out);
    }
    for (size_t k = 0; k < m->count; k++) {
        const mach_region *r = m->regions[k];
        if (r->read_only || r == w->m->code || r == w->m->scratch)
            continue;
        buf_printf(out, "%s: 0x%llx, %llu bytes\n", r->name, (unsigned long long)r->base,
                   (unsigned long long)r->size);
        dump_bytes(r->host, r->size, out);
    }
}

void
amd_emu_dump(emu_wave *w, uint64_t pc)
{
    const mach_watch *o = w->m->watching->watch;
    arena_mark mark = arena_save(w->m->arena);
    base_buf out = buf_make(w->m->arena);
    put_place(w, pc, &out);
    buf_puts(&out, "\n");
    if (o->dump_registers) {
        dump_scalars(w, &out);
        dump_vectors(w, &out);
    }
    if (o->dump_memory)
        dump_memory(w, &out);
    o->dump(o->dump_user, (const char *)out.data, out.size);
    arena_release(w->m->arena, mark);
}
