/* Runs clang's kernels (*.cl, kernels_c.c) on the emulator and compares with the host's results.
 *
 *     test_kernels NAME TARGET CODEOBJECT [-O0] [--kernel K] [--seeds N]
 *
 * NAME is used in the output. -O0: the code object was compiled with it, so items are functions.
 * All checkers are on; waves are interleaved with N different seeds, 2 by default. With all seeds
 * but the first, registers that the live-register view says are not live get garbage before each
 * instruction of the kernel (functions are left alone).
 */
#include "amd/emu/run/load.h"
#include "families/families.h"
#include "family/liveness.h"
#include "kernel_test.h"
#include "machine/watch.h"

#include <stdio.h>
#include <stdlib.h>

static const kernel_row *const lists[] = {
    kernel_items,  kernel_groups, kernel_atomics, kernel_lanes,   kernel_memory, kernel_target,
    kernel_images, kernel_matrix, kernel_c,       kernel_uniform, kernel_sync,   kernel_math};
enum { N_LISTS = sizeof lists / sizeof *lists };
static const u64 seeds[] = {0, 12345, 2, 3};
enum { MOST_SEEDS = sizeof seeds / sizeof *seeds };

/* The command line. */
typedef struct options {
    const char *name, *target, *path, *kernel;
    bool calls; /* -O0 */
    u32 seeds;
} options;

static void
out_of_memory(void *user)
{
    (void)user;
    fprintf(stderr, "out of memory\n");
    exit(3);
}

static void *
read_whole(arena *a, const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    void *data = arena_alloc(a, *size);
    *size = fread(data, 1, *size, f);
    fclose(f);
    return data;
}

/* Rules that clang 19's code is known to violate (docs/emulator.md, "Hazards"); with `calls`, also
 * those that it violates because it does not look beyond a function. */
static const char *
broken_rules(amd_gen gen, bool calls)
{
    switch (gen) {
    case AMD_GFX9:
    case AMD_GFX908:
    case AMD_GFX90A:
    case AMD_GFX942: return "SoftClauseVmem";
    case AMD_GFX10:
        return calls ? "VMEMtoScalarWriteHazard,LdsBranchVmemWARHazard" : "VMEMtoScalarWriteHazard";
    case AMD_GFX11:
    case AMD_GFX11_5:
        return calls ? "VALUMaskWriteHazardVALU,VALUPartialForwardingHazard,VALUMaskWriteHazard"
                     : "VALUMaskWriteHazardVALU,VALUPartialForwardingHazard";
    case AMD_GFX12: return "VALUReadSGPRHazard";
    default: return NULL;
    }
}

/* Two arrays of random words, the same in every run. */
static void
make_inputs(u32 in[2][KERNEL_ITEMS])
{
    u64 x = 88172645463325252u;
    for (u32 i = 0; i < 2 * KERNEL_ITEMS; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        in[i / KERNEL_ITEMS][i % KERNEL_ITEMS] = (u32)(x >> 16);
    }
}

/* The shape of the grid. */
static void
set_grid(amd_emu_dispatch *d, const kernel_row *k)
{
    for (u32 c = 0; c < 3; c++) {
        u32 items = k->items[0] ? k->items[c] : c ? 1 : KERNEL_ITEMS;
        d->group_size[c] = k->group[0] ? k->group[c] : c ? 1 : KERNEL_GROUP;
        d->grid_groups[c] = (items + d->group_size[c] - 1) / d->group_size[c];
        d->grid_items[c] = items % d->group_size[c] || k->offset ? items : 0;
        d->grid_offset[c] = k->offset ? k->offset + c : 0;
    }
}

/* Is a result within the kernel's tolerance? */
static bool
same(const kernel_row *k, u32 got, u32 want)
{
    u32 off = got > want ? got - want : want - got;
    return off <= k->ulps;
}

/* Compares a kernel's results with the reference; prints the first difference. */
static bool
compare(const kernel_row *k, const uint8_t *host, const u32 *want)
{
    u32 wrong = 0, first = 0, got;
    for (u32 i = 0; i < KERNEL_OUT; i++) {
        memcpy(&got, host + 4 * i, 4);
        if (!same(k, got, want[i]) && !wrong++)
            first = i;
    }
    if (wrong) {
        memcpy(&got, host + 4 * first, 4);
        printf("  %u words differ; out[%u] is 0x%08x, should be 0x%08x\n", wrong, first, got,
               want[first]);
    }
    return !wrong;
}

static void
print_findings(arena *a, const mach_report *report)
{
    for (u32 f = 0; f < report->n_findings; f++) {
        base_buf text = buf_make(a);
        mach_print_finding(&report->findings[f], &text);
        printf("  %s\n", buf_text(&text));
    }
}

/* The dispatch of a kernel, set up as the HSA runtime does. */
static bool
set_up(const options *o, const kernel_row *k, const obj_code *code, uint64_t base,
       const kernel_setup *s, const uint64_t arrays[3], amd_emu_dispatch *d)
{
    _Alignas(16) uint8_t args[256] = {0};
    const u32 n = KERNEL_ITEMS;
    size_t size = 28;
    memcpy(args, arrays, 3 * sizeof *arrays);
    memcpy(args + 24, &n, 4);
    if (k->fill)
        size = k->fill(s, args);
    set_grid(d, k);
    if (!size || !amd_emu_set_up(d, code, base))
        return false;
    d->lds_bytes += k->lds;
    d->rules_off = broken_rules(d->gen, k->flags & KERNEL_CALLS ||
                                            (o->calls && k->flags & KERNEL_CALLS_O0));
    return amd_emu_set_up_hsa(d, code, s->m, args, size);
}

/* Makes the run fill registers of the kernel that are not live with garbage. */
static void
poison(arena *a, const options *o, const obj_code *code, amd_emu_dispatch *d, mach_watch *watch)
{
    family_target t;
    if (!families_find_target(o->target, &t))
        return;
    family_listing l = {.isa = t.family->isa,
                        .reader = t.family->isa->open(a, &t, d->wave_size),
                        .bytes = code->code,
                        .size = code->data_offset};
    family_listing_find_labels(&l, a);
    const family_code *c = family_read_code(a, &l);
    const family_liveness *live = family_liveness_of(a, a, c);
    const uint64_t **rows = ARENA_ARRAY(a, l.size / 4 + 1, const uint64_t *);
    for (u32 k = 0; k < c->n_insts; k++)
        rows[c->insts[k].at / 4] = family_live_before(live, k);
    mach_poison *p = ARENA_NEW(a, mach_poison);
    *p = (mach_poison){d->entry, l.size / 4, live->n_registers, rows};
    watch->poison = p;
    d->watch = watch;
}

/* Runs a kernel once. */
static bool
run_kernel(arena *a, const options *o, const obj_file *file, const kernel_row *k, uint64_t seed)
{
    u32 in[2][KERNEL_ITEMS], want[KERNEL_OUT] = {0};
    mach_memory m;
    mach_region *r[3];
    uint64_t base;
    mach_memory_init(&m, a);
    const obj_code *code = obj_find_kernel(file, k->name);
    if (!code || !amd_emu_load(&m, file, &base)) {
        printf("FAIL %s: not in the code object\n", k->name);
        return false;
    }
    make_inputs(in);
    r[0] = mach_memory_alloc(&m, MACH_HEAP_LOW, sizeof in[0], 0, "a");
    r[1] = mach_memory_alloc(&m, MACH_HEAP_LOW, sizeof in[1], 0, "b");
    r[2] = mach_memory_alloc(&m, MACH_HEAP_LOW, sizeof want, 0, "out");
    memcpy(r[0]->host, in[0], sizeof in[0]);
    memcpy(r[1]->host, in[1], sizeof in[1]);
    amd_emu_dispatch d = {.checks = MACH_CHECK_ALL, .seed = seed, .max_instructions = 1000000};
    kernel_setup setup = {.m = &m, .address = r[0]->base, .a = in[0], .b = in[1]};
    if (!amd_gen_find(o->target, &setup.gen) ||
        !set_up(o, k, code, base, &setup, (uint64_t[]){r[0]->base, r[1]->base, r[2]->base}, &d)) {
        printf("FAIL %s: cannot be set up\n", k->name);
        return false;
    }
    const kernel_trial trial = {d.gen, d.wave_size, o->target};
    k->run(&trial, in[0], in[1], want);
    mach_report report;
    mach_watch watch = {0};
    if (seed)
        poison(a, o, code, &d, &watch);
    bool ok = amd_emu_run(&d, &m, a, &report);
    print_findings(a, &report);
    ok = compare(k, r[2]->host, want) && ok;
    printf("%s %s (%llu instructions)\n", ok ? "PASS" : "FAIL", k->name,
           (unsigned long long)report.instructions);
    return ok;
}

/* Runs all kernels that the target has; counts[0] passed, counts[1] failed. */
static void
run_all(arena *a, const options *o, const obj_file *file, u32 counts[2])
{
    amd_gen gen;
    if (!amd_gen_find(o->target, &gen)) {
        printf("FAIL: %s is no target\n", o->target);
        counts[1]++;
        return;
    }
    for (u32 l = 0; l < N_LISTS; l++)
        for (const kernel_row *k = lists[l]; k->name; k++) {
            if ((k->gens && !(k->gens >> gen & 1)) || (k->flags & KERNEL_OPTIMIZED && o->calls) ||
                (o->kernel && strcmp(o->kernel, k->name)))
                continue;
            bool ok = true;
            for (u32 s = 0; s < o->seeds && ok; s++) {
                arena_mark mark = arena_save(a);
                ok = run_kernel(a, o, file, k, seeds[s]);
                arena_release(a, mark);
            }
            counts[!ok]++;
        }
}

static bool
parse(int argc, char **argv, options *o)
{
    *o = (options){.seeds = 2};
    if (argc < 4)
        return false;
    o->name = argv[1];
    o->target = argv[2];
    o->path = argv[3];
    for (int i = 4; i < argc; i++) {
        if (!strcmp(argv[i], "-O0"))
            o->calls = true;
        else if (!strcmp(argv[i], "--kernel") && i + 1 < argc)
            o->kernel = argv[++i];
        else if (!strcmp(argv[i], "--seeds") && i + 1 < argc)
            o->seeds = (u32)strtoul(argv[++i], NULL, 10);
        else
            return false;
    }
    return o->seeds > 0 && o->seeds <= MOST_SEEDS;
}

int
main(int argc, char **argv)
{
    arena a;
    diag d;
    size_t size = 0;
    obj_file file;
    options o;
    u32 counts[2] = {0, 0};
    if (argc < 2) {
        printf(
            "SKIP: clang 19 with an AMDGPU target and lld are not there to compile the kernels\n");
        return 77;
    }
    if (!parse(argc, argv, &o)) {
        fprintf(stderr,
                "usage: test_kernels NAME TARGET CODEOBJECT [-O0] [--kernel K] [--seeds 1-%d]\n",
                MOST_SEEDS);
        return 2;
    }
    arena_init(&a, &base_malloc_allocator, out_of_memory, NULL);
    diag_init(&d);
    void *bytes = read_whole(&a, o.path, &size);
    if (!bytes) {
        printf("FAIL: cannot read %s\n", o.path);
        return 1;
    }
    if (!DIAG_TRY(&d)) {
        printf("FAIL: %s: %s\n", o.path, d.message);
        return 1;
    }
    amd_obj_read(&d, &a, bytes, size, &file);
    run_all(&a, &o, &file, counts);
    printf("%s\n%u passed, %u failed, 0 skipped\n", o.name, counts[0], counts[1]);
    arena_free(&a);
    return counts[1] != 0 || !counts[0];
}
