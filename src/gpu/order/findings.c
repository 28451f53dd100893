#include "gpu/order/findings.h"

#include "gpu/code/code.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *
gpu_conflict_rule(bool is_cached)
{
    return is_cached ? "race-caches" : "race-dispatches";
}

static gpu_agent
agent_of(const gpu_work *w)
{
    return (gpu_agent)(w->agent % GPU_AGENTS);
}

static const char *
kind_name(const gpu_work_access *a)
{
    static const char *const names[4][2] = {{"load", "store"},
                                            {"read", "write"},
                                            {"fetch of indices", "fetch of indices"},
                                            {"read of the attachment", "write of the attachment"}};
    unsigned row = 0;
    if (a->access.kind & AMD_EMU_ATOMIC)
        return "atomic";
    if (a->work.packet)
        row = 1;
    else if (!a->access.pc)
        row = agent_of(&a->work) == GPU_AGENT_RESULTS ? 3 : 2;
    return names[row][(a->access.kind & AMD_EMU_WRITES) != 0];
}

/* The instruction of an access; "?" where there is none any more. */
static void
print_instruction(amd_gen gen, const gpu_work_access *a, const mach_memory *m, base_buf *out)
{
    if (!a->access.pc)
        return;
    gpu_code c = {.gen = gen, .wave64 = a->work.wave_size != 32};
    if (gpu_code_open(&c, m, a->access.pc) && gpu_code_next(&c))
        amd_print(gen, &c.in, c.wave64, out);
    else
        buf_puts(out, "?");
}

/* Where the access is in the code. */
static void
print_place(amd_gen gen, const gpu_work_access *a, const mach_memory *m, base_buf *out)
{
    if (!a->access.pc)
        return;
    buf_printf(out, " at 0x%" PRIx64 " `", a->access.pc);
    print_instruction(gen, a, m, out);
    buf_puts(out, "`");
}

/* Names the work that came earlier. */
static void
print_earlier(amd_gen gen, const gpu_conflict *c, const mach_memory *m, base_buf *out)
{
    const gpu_work *w = &c->earlier.work, *later = &c->later.work;
    if (w->packet) {
        buf_printf(out, "packet %s at 0x%" PRIx64, w->packet, w->at);
    } else {
        buf_printf(out, "%s %" PRIu64, w->is_draw ? "draw" : "dispatch", w->number);
        print_place(gen, &c->earlier, m, out);
    }
    if (w->submission != later->submission)
        buf_printf(out, " of submission %" PRIu64 " (%s)", w->submission, w->ring);
}

static const char *
reason(const gpu_conflict *c)
{
    if (!c->is_cached)
        return strcmp(c->earlier.work.ring, c->later.work.ring) == 0
                   ? "nothing in the command stream waits for it"
                   : "no semaphore or fence orders the two rings";
    return c->later.access.kind & AMD_EMU_SCALAR ? "the scalar cache is not invalidated since"
                                                 : "the vector cache is not invalidated since";
}

static void
print_message(amd_gen gen, const gpu_conflict *c, const mach_memory *m, base_buf *out)
{
    uint32_t hint = 0;
    const mach_region *r = mach_memory_find(m, &hint, c->address, 1);
    if (r)
        buf_printf(out, "byte %" PRIu64 " of %s: ", c->address - r->base, r->name);
    else
        buf_printf(out, "0x%" PRIx64 ": ", c->address);
    buf_printf(out, "the %s %s the %s by ", kind_name(&c->later),
               c->is_cached ? "may miss" : "conflicts with", kind_name(&c->earlier));
    print_earlier(gen, c, m, out);
    buf_printf(out, ": %s (%" PRIu64 " bytes)", reason(c), c->bytes);
}

void
gpu_conflict_finding(const amd_emu_dispatch *d, const gpu_conflict *c, const mach_memory *m,
                     mach_finding *f)
{
    arena_mark mark = arena_save(m->arena);
    base_buf text = buf_make(m->arena);
    uint32_t hint = 0;
    uint64_t group = c->later.access.group;
    const mach_region *r = mach_memory_find(m, &hint, c->address, 1);
    *f = (mach_finding){.check = MACH_CHECK_RACES,
                        .rule = gpu_conflict_rule(c->is_cached),
                        .pc = c->later.access.pc,
                        .wave = c->later.access.wave,
                        .lane = -1,
                        .count = 1};
    for (unsigned a = 0; a < 3; a++) {
        f->group[a] = d->first_group[a] + (uint32_t)(group % d->grid_groups[a]);
        group /= d->grid_groups[a];
    }
    if (c->later.work.is_draw) { /* as its own findings have it */
        f->group[0] = c->later.access.group;
        f->group[2] = agent_of(&c->later.work) != GPU_AGENT_VERTICES;
    }
    snprintf(f->resource, sizeof f->resource, "%s", r ? r->name : "");
    print_instruction(d->gen, &c->later, m, &text);
    snprintf(f->text, sizeof f->text, "%s", buf_text(&text));
    text = buf_make(m->arena);
    print_message(d->gen, c, m, &text);
    snprintf(f->message, sizeof f->message, "%s", buf_text(&text));
    arena_release(m->arena, mark);
}

void
gpu_print_conflict(amd_gen gen, const gpu_conflict *c, const mach_memory *m, base_buf *out)
{
    const gpu_work *w = &c->later.work;
    buf_printf(out,
               "submission %" PRIu64 " (%s), packet %s at 0x%" PRIx64 ": 1 findings\n  races: ",
               w->submission, w->ring, w->packet, w->at);
    print_message(gen, c, m, out);
    buf_printf(out, " [%s]", gpu_conflict_rule(c->is_cached));
}
