/* Arbitrary code on the emulator, on all generations: it never reads or writes outside its own
 * memory, always returns within its limits, and reports why it stopped.
 *
 * The input's head describes a dispatch: generation, wave size, checkers, registers, groups,
 * memory, changes to valid descriptors. The rest is the program (emu_program.h). Every run either
 * completes or names the cause that ended it.
 */
#include "fuzz.h"

#include "amd/emu/core/gens.h"
#include "amd/emu/watch/watch.h"
#include "amd/launch/launch.h"
#include "emu_descriptors.h"
#include "emu_program.h"
#include "kernel_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DATA = 4096, SMALL = 52, LIMIT = 400, CHANGES = 4 };

/* Bits of `how`. */
enum {
    WAVE32 = 1,
    ALL_CHECKS = 2,
    CHANGED = 4, /* descriptors */
    TRAP_HANDLER = 8,
    THREADS = 16,
    WATCHED = 32,
    TRACKED = 64,
    OWN_CODE = 128, /* the code may be written */
};

typedef struct emu_head {
    uint8_t gen, how, checks, vgprs;
    uint8_t items, shape, scratch, lds;
    uint8_t mode[2], seed, system;
    uint8_t descriptors, place, gds, spare;
    uint32_t offset[2];       /* of the two addresses */
    uint32_t any[8];          /* s[24:31] */
    uint32_t change[CHANGES]; /* in the descriptors: 3:0 which word, 7:4 and 31:8 which bits */
} emu_head;

static void
out_of_memory(void *user)
{
    (void)user;
    abort();
}

static void
no_text(void *user, const char *text, size_t size)
{
    (void)user;
    if (size && !memchr(text, text[size - 1], size))
        abort();
}

static void
no_export(void *user, const amd_emu_export *e)
{
    (void)user;
    (void)e;
}

static void
set_user_sgprs(amd_emu_dispatch *d, const emu_head *h, const mach_region *data,
               const mach_region *small, const mach_region *code)
{
    uint64_t address[2] = {data->base + (h->offset[0] & 0xff0),
                           (h->offset[1] & 256 ? data->base + data->size : small->base) +
                               (h->offset[1] & 63) - 16};
    uint64_t place = code->base + h->place * 4u;
    uint64_t aperture = h->place & 1 ? AMD_EMU_SHARED_BASE : AMD_EMU_PRIVATE_BASE;
    uint32_t *s = d->user_sgprs;
    for (unsigned k = 0; k < 2; k++) {
        s[EMU_ADDRESS + k] = (uint32_t)(address[0] >> 32 * k);
        s[EMU_NEAR + k] = (uint32_t)(address[1] >> 32 * k);
        s[EMU_PLACE + k] = (uint32_t)(place >> 32 * k);
        s[EMU_APERTURE + k] = (uint32_t)(aperture >> 32 * k);
    }
    emu_descriptors_set(d->gen, h->descriptors, data, s);
    for (unsigned k = 0; k < CHANGES && h->how & CHANGED; k++)
        s[EMU_BUFFER + (h->change[k] & 15)] ^= h->change[k] >> 8 << (h->change[k] >> 4 & 15);
    memcpy(s + EMU_ANY, h->any, sizeof h->any);
    s[EMU_ANY] &= 0xff;
    s[EMU_M0] &= 0xffff;
    d->n_user_sgprs = h->system & 128 ? h->system & 31u : AMD_EMU_MAX_USER_SGPRS;
}

static void
set_dispatch(amd_emu_dispatch *d, const emu_head *h)
{
    static const uint16_t vgprs[] = {0, 64, 48, 24, 256, 255, 128, 33};
    const emu_gen *gen = amd_emu_gen_of(d->gen);
    d->wave_size = gen->wave32 && h->how & WAVE32 ? 32 : 64;
    d->n_vgprs = vgprs[h->vgprs & 7];
    d->n_agprs = vgprs[h->vgprs >> 3 & 7];
    d->n_sgprs = h->vgprs & 128 ? 80 : 0;
    d->lds_bytes = h->lds & 128 ? gen->max_lds : h->lds * 16u;
    d->scratch_bytes = h->scratch & 127u;
    for (unsigned k = 0; k < 3; k++) {
        d->workgroup_id[k] = h->system >> k & 1;
        d->grid_groups[k] = 1 + (k < 2 && h->shape >> k & 1);
        d->group_size[k] = 1 + (k ? h->shape >> 2 * k & 1u : h->items);
        d->grid_items[k] = h->shape & 128
                               ? d->grid_groups[k] * d->group_size[k] - (d->group_size[k] > 1)
                               : 0;
    }
    d->workgroup_info = h->system & 8;
    d->scratch_wave_offset = h->system & 16;
    d->workitem_ids = (h->system >> 5 & 3) % 3;
    d->mode = h->mode[0] | (uint32_t)(h->mode[1] & 3) << 8;
    d->gds_bytes = h->gds * 16u;
    d->packed_d16 = h->gds & 1;
    d->seed = h->seed;
    d->max_instructions = LIMIT;
    d->checks = h->how & ALL_CHECKS ? MACH_CHECK_ALL : h->checks & MACH_CHECK_ALL;
}

/* A run that did not complete must have a finding with the cause and an address. */
static void
judge(const amd_emu_dispatch *d, const mach_report *r)
{
    bool told = r->status == MACH_RUN_DONE;
    for (uint32_t k = 0; k < r->n_findings && k < MACH_MAX_FINDINGS; k++) {
        const mach_finding *f = &r->findings[k];
        bool ends = f->check == 0 || f->check == MACH_CHECK_HANGS || r->status == MACH_RUN_STOPPED;
        told |= ends && f->message[0] && memchr(f->message, 0, sizeof f->message) &&
                memchr(f->text, 0, sizeof f->text);
    }
    if (!told || r->n_findings > MACH_MAX_FINDINGS || r->status == MACH_RUN_BAD_DISPATCH) {
        fprintf(stderr, "gen %d wave%u: status %d, and nothing says why\n", (int)d->gen,
                d->wave_size, (int)r->status);
        abort();
    }
}

static void
run(arena *a, const emu_head *h, const uint8_t *records, size_t size)
{
    mach_memory m;
    mach_report report;
    mach_watch watch = {.trace = no_text, .dump = no_text, .count = true};
    amd_emu_dispatch d = {.gen = (amd_gen)(h->gen % AMD_GEN_COUNT)};
    emu_program p = {.gen = d.gen, .has_trap_handler = h->how & TRAP_HANDLER};
    p.code = buf_make(a);
    mach_memory_init(&m, a);
    set_dispatch(&d, h);
    emu_program_make(&p, records, size);
    mach_region *data = mach_memory_alloc(&m, MACH_HEAP_LOW, DATA, 0, "data");
    mach_region *small = mach_memory_alloc(&m, MACH_HEAP_LOW, SMALL, 0, "small");
    mach_region *code = mach_memory_alloc(&m, MACH_HEAP_LOW, p.code.size, 256, "code");
    for (uint32_t k = 0; k < DATA; k += 4)
        memcpy(data->host + k, &(float){(float)k / 64 - 4}, 4);
    memcpy(code->host, p.code.data, p.code.size);
    code->read_only = !(h->how & OWN_CODE);
    small->read_only = h->gds & 2;
    if (h->how & TRACKED)
        mach_region_track(&m, data, h->gds & 4);
    d.entry = code->base;
    if (p.has_trap_handler)
        d.trap_handler = code->base + p.trap_handler;
    d.trap_memory = d.border_colors = data->base;
    set_user_sgprs(&d, h, data, small, code);
    watch.dump_registers = watch.dump_memory = h->checks & 64;
    watch.dump_at = (mach_dump_at)(h->place % 3);
    watch.dump_pc = code->base + 64;
    if (h->how & WATCHED && !(h->spare & 3)) /* text takes time */
        d.watch = &watch;
    if (h->checks & 128)
        d.on_export = no_export;
    bool threads = h->how & THREADS && (h->spare & 12) == 12;
    if (threads) { /* threads exclude these */
        d.checks &= ~(uint32_t)MACH_CHECK_RACES;
        d.gds_bytes = 0;
        d.watch = NULL;
        d.on_export = NULL;
        data->defined = NULL;
    }
    const uint32_t *groups = d.grid_groups;
    const kernel_job job = {&amd_family_emulator, &d, (uint64_t)groups[0] * groups[1] * groups[2]};
    kernel_run_threads(&job, &m, a, threads ? 3 : 1, &report);
    judge(&d, &report);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena a;
    emu_head h;
    if (size < sizeof h)
        return 0;
    memcpy(&h, data, sizeof h);
    arena_init(&a, &base_malloc_allocator, out_of_memory, NULL);
    run(&a, &h, data + sizeof h, size - sizeof h);
    arena_free(&a);
    return 0;
}

/* Random records: twelve heads for each generation. */
uint8_t *
fuzz_seed(int index, size_t *size)
{
    enum { RECORDS = 48, SEEDS = 12 * AMD_GEN_COUNT };
    uint64_t state = UINT64_C(0x2545f4914f6cdd1d) * (uint64_t)(index + 3);
    *size = sizeof(emu_head) + RECORDS * EMU_RECORD;
    uint8_t *data = index < SEEDS ? malloc(*size) : NULL;
    for (size_t k = 0; data && k < *size; k++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        data[k] = (uint8_t)(state >> 40);
    }
    if (data)
        data[0] = (uint8_t)(index % AMD_GEN_COUNT);
    return data;
}
