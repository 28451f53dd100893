/* Findings, faults and packets as lines of the log. */
#include "radeon.h"

#include "base/diag.h"
#include "families/families.h"
#include "gpu/report/report.h"
#include "gpu/sdma/sdma.h"

#include <inttypes.h>
#include <string.h>

/* Calls `print` with a text of its own, and writes what it has printed. */
typedef void
print_fn(const void *what, base_buf *out);

static void
write_text(FILE *to, print_fn *print, const void *what)
{
    arena a;
    diag d;
    diag_init(&d);
    if (!DIAG_TRY(&d))
        return;
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    base_buf text = buf_make(&a);
    print(what, &text);
    fwrite(text.data, 1, text.size, to);
    fflush(to);
    arena_free(&a);
}

static const gpu_shaders shaders = {radeon_find_shader, NULL};

static void
print_run(const void *what, base_buf *out)
{
    gpu_print_run(what, &shaders, out);
}

static void
print_run_json(const void *what, base_buf *out)
{
    gpu_print_run_json(what, &shaders, out);
}

/* The instructions that read or write memory, LDS too. */
static uint64_t
memory_instructions(const gpu_run *run)
{
    static const char *const names[] = {"smem", "lds",    "buffer", "image",
                                        "flat", "global", "scratch"};
    family_target t;
    uint64_t n = 0;
    if (!run->watch || !families_find_target(run->dispatch->launch.processor, &t))
        return 0;
    const char *const *classes = family_emulator_of(&t)->classes;
    for (unsigned k = 0; classes[k]; k++) {
        for (unsigned m = 0; m < sizeof names / sizeof *names; m++)
            n += strcmp(classes[k], names[m]) ? 0 : run->watch->counts[k].instructions;
    }
    return n;
}

/* Is it one by which RADV itself copies or fills? False where code is not known by its pipeline. */
static bool
is_drivers_own(const gpu_run *run)
{
    gpu_shader shader;
    return !gpu_shader_of(run, &shaders, &shader) && !radeon_lacks_addresses();
}

/* A dispatch as a line of JSON, with what it has executed and the cycles of the machine's model. */
static void
write_dispatch(FILE *to, const gpu_run *run)
{
    const amd_emu_dispatch *l = &run->dispatch->launch;
    const mach_report *m = run->report;
    fprintf(to,
            "{\"submission\": %" PRIu64 ", \"dispatch\": %" PRIu64 ", \"groups\": [%" PRIu32
            ", %" PRIu32 ", %" PRIu32 "], \"group_size\": [%" PRIu32 ", %" PRIu32 ", %" PRIu32
            "], \"wave_size\": %u, \"code\": \"0x%" PRIx64 "\", \"instructions\": %" PRIu64
            ", \"lane_instructions\": %" PRIu64 ", \"memory\": %" PRIu64 ", \"cycles\": %" PRIu64
            ", \"findings\": %" PRIu64 ", \"drivers_own\": %s}\n",
            run->submission, run->dispatch->number, l->grid_groups[0], l->grid_groups[1],
            l->grid_groups[2], l->group_size[0], l->group_size[1], l->group_size[2],
            (unsigned)l->wave_size, l->entry, m->instructions, m->lane_instructions,
            memory_instructions(run), run->watch ? run->watch->time.cycles : 0, m->total,
            is_drivers_own(run) ? "true" : "false");
    fflush(to);
}

static void
add_sums(radeon_counts *c, const gpu_run *run)
{
    uint64_t numbers[RADEON_SUMS];
    bool is_own = is_drivers_own(run);
    memcpy(numbers, run->watch->counts, sizeof run->watch->counts);
    memcpy(numbers + RADEON_CLASS_SUMS, &run->watch->time, sizeof run->watch->time);
    for (unsigned k = 0; k < RADEON_SUMS; k++)
        c->sums[is_own][k] += numbers[k];
}

void
radeon_report_dispatch(void *user, const gpu_run *run)
{
    radeon *r = user;
    const mach_report *m = run->report;
    r->counts->dispatches++;
    r->counts->instructions += m->instructions;
    r->counts->lane_instructions += m->lane_instructions;
    r->counts->findings += m->total;
    if (r->dispatches)
        write_dispatch(r->dispatches, run);
    if (r->sums)
        add_sums(r->counts, run);
    if (!m->n_findings)
        return;
    write_text(r->log, print_run, run);
    if (r->json)
        write_text(r->json, print_run_json, run);
}

/* ---- conflicts of packets ---- */

typedef struct packet_conflict {
    amd_gen gen;
    const gpu_conflict *conflict;
    const mach_memory *memory;
} packet_conflict;

static void
print_conflict(const void *what, base_buf *out)
{
    const packet_conflict *c = what;
    gpu_print_packet_conflict(c->gen, c->conflict, c->memory, &shaders, out);
}

static void
print_conflict_json(const void *what, base_buf *out)
{
    const packet_conflict *c = what;
    gpu_print_packet_conflict_json(c->gen, c->conflict, c->memory, &shaders, out);
}

void
radeon_report_conflict(void *user, const gpu_conflict *c, const mach_memory *m)
{
    radeon *r = user;
    packet_conflict what = {.conflict = c, .memory = m};
    amd_gen_find(r->chip->processor, &what.gen);
    r->counts->findings++;
    write_text(r->log, print_conflict, &what);
    if (r->json)
        write_text(r->json, print_conflict_json, &what);
}

/* ---- faults and packets ---- */

typedef struct lost_context {
    const char *ring;
    const gpu_fault *fault;
} lost_context;

static void
print_lost_json(const void *what, base_buf *out)
{
    const lost_context *l = what;
    buf_puts(out, "{\"lost\": ");
    gpu_print_json_string(l->ring, out);
    buf_printf(out, ", \"packet\": \"0x%" PRIx64 "\", \"message\": ", l->fault->address);
    gpu_print_json_string(l->fault->message, out);
    buf_puts(out, "}\n");
}

void
radeon_report_lost(void *user, const char *ring, const gpu_fault *fault)
{
    const radeon *r = user;
    r->counts->faults++;
    fprintf(r->log, "the context is lost: ring %s, packet at 0x%" PRIx64 ": %s\n", ring,
            fault->address, fault->message);
    fflush(r->log);
    if (r->json)
        write_text(r->json, print_lost_json, &(lost_context){ring, fault});
}

static void
print_packet(const void *what, base_buf *out)
{
    gpu_print_packet(what, out);
}

static void
print_copy_packet(const void *what, base_buf *out)
{
    gpu_print_copy_packet(what, out);
}

void
radeon_show_copy_packet(void *user, const gpu_copy_packet *p, uint64_t address)
{
    const radeon *r = user;
    fprintf(r->log, "0x%" PRIx64 " ", address);
    write_text(r->log, print_copy_packet, p);
}

void
radeon_show_packet(void *user, const gpu_packet *p, uint64_t address)
{
    const radeon *r = user;
    fprintf(r->log, "0x%" PRIx64 " ", address);
    write_text(r->log, print_packet, p);
}
