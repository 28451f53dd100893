/* Findings, faults and packets as lines of the log. */
#include "radeon.h"

#include "base/diag.h"

#include <inttypes.h>

enum { SHOWN = 8 }; /* findings of a dispatch */

/* Calls `print` with a text of its own, and writes what it has printed. */
typedef void
print_fn(const void *what, base_buf *out);

static void
write_text(const radeon *r, print_fn *print, const void *what)
{
    arena a;
    diag d;
    diag_init(&d);
    if (!DIAG_TRY(&d))
        return;
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    base_buf text = buf_make(&a);
    print(what, &text);
    fwrite(text.data, 1, text.size, r->log);
    fflush(r->log);
    arena_free(&a);
}

typedef struct run_report {
    const gpu_dispatch *d;
    const mach_report *m;
} run_report;

static void
print_report(const void *what, base_buf *out)
{
    const run_report *run = what;
    const amd_emu_dispatch *l = &run->d->launch;
    uint32_t order[MACH_MAX_FINDINGS], n = mach_order_findings(run->m, SHOWN, order);
    buf_printf(out,
               "dispatch %" PRIu64 ": %u x %u x %u groups of %u x %u x %u, wave%u, code at "
               "0x%" PRIx64 ": %" PRIu64 " findings\n",
               run->d->number, (unsigned)l->grid_groups[0], (unsigned)l->grid_groups[1],
               (unsigned)l->grid_groups[2], (unsigned)l->group_size[0], (unsigned)l->group_size[1],
               (unsigned)l->group_size[2], (unsigned)l->wave_size, l->entry, run->m->total);
    for (uint32_t k = 0; k < n; k++) {
        buf_puts(out, "  ");
        mach_print_finding(&run->m->findings[order[k]], out);
        buf_puts(out, "\n");
    }
    if (mach_print_left_out(run->m, n, out))
        buf_puts(out, "\n");
}

void
radeon_report_dispatch(void *user, const gpu_dispatch *d, const mach_report *m)
{
    radeon *r = user;
    const run_report run = {d, m};
    r->counts->dispatches++;
    r->counts->instructions += m->instructions;
    r->counts->lane_instructions += m->lane_instructions;
    r->counts->findings += m->total;
    if (m->n_findings)
        write_text(r, print_report, &run);
}

void
radeon_report_lost(void *user, const char *ring, const gpu_fault *fault)
{
    const radeon *r = user;
    r->counts->faults++;
    fprintf(r->log, "the context is lost: ring %s, packet at 0x%" PRIx64 ": %s\n", ring,
            fault->address, fault->message);
    fflush(r->log);
}

static void
print_packet(const void *what, base_buf *out)
{
    gpu_print_packet(what, out);
}

void
radeon_show_packet(void *user, const gpu_packet *p, uint64_t address)
{
    const radeon *r = user;
    fprintf(r->log, "0x%" PRIx64 " ", address);
    write_text(r, print_packet, p);
}
