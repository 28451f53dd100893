/* clang's OpenCL kernels on the emulator: each must leave the host's results, and the checkers must be silent but for
 * rules that clang is known to break on cedar and cayman (core/rules.def).
 *
 *   test_kernels CHIP FILE          FILE as objects.py writes it; without FILE the test is skipped
 *   test_kernels CHIP FILE mutate   runs each kernel with changed bits: whatever it does, the emulator ends and says so
 *
 * What a driver does: global memory is one buffer, vertex buffer 1 with a stride of a byte and RAT 0, in which pointers are offsets; constant
 * buffer 0 holds numbers of groups, sizes of the grid and of a group, then the arguments. */
#include "base/bits.h"
#include "base/diag.h"
#include "r600/compile/compile.h"
#include "r600/emu/emu.h"

#include "items.h"

#include <stdio.h>
#include <stdlib.h>

enum { ITEMS_N = 512, GROUP = 128, FIRST = 256, MAX_WORDS = 1 << 16, ARGS = 9, CHANGES = 40 };

typedef void
reference(const u32 *a, const u32 *b, u32 *out);

#define X(name)                                                                                    \
    static void ref_##name(const u32 *a, const u32 *b, u32 *out)                                   \
    {                                                                                              \
        for (u32 i = 0; i < ITEMS_N; i++)                                                          \
            out[i] = item_##name(i, a, b, ITEMS_N);                                                \
    }
ITEMS(X)
#undef X

static void
ref_lds_reverse(const u32 *a, const u32 *b, u32 *out)
{
    for (u32 i = 0; i < ITEMS_N; i++)
        out[i] = a[i / GROUP * GROUP + GROUP - 1 - i % GROUP] + b[i];
}

static void
ref_lds_sum(const u32 *a, const u32 *b, u32 *out)
{
    (void)b;
    for (u32 i = 0; i < ITEMS_N; i++) {
        out[i] = i % GROUP;
        for (u32 k = 0; k < GROUP; k++)
            out[i] += a[i / GROUP * GROUP + k];
    }
}

static void
ref_lds_scan(const u32 *a, const u32 *b, u32 *out)
{
    (void)b;
    for (u32 i = 0; i < ITEMS_N; i++)
        out[i] = a[i] + (i % GROUP ? out[i - 1] : 0);
}

static void
ref_lds_table(const u32 *a, const u32 *b, u32 *out)
{
    for (u32 i = 0; i < ITEMS_N; i++) {
        const u32 first = i / GROUP * GROUP,
                  at[2] = {a[i] % (GROUP * 2), (i % GROUP * 7 + 3) % (GROUP * 2)};
        out[i] = 0;
        for (u32 k = 0; k < 2; k++)
            out[i] ^= at[k] < GROUP ? a[first + at[k]] : b[first + at[k] - GROUP];
    }
}

static void
ref_lds_atomics(const u32 *a, const u32 *b, u32 *out)
{
    (void)b;
    for (u32 i = 0; i < ITEMS_N; i++)
        out[i / GROUP * GROUP + a[i] % 16]++;
}

static void
ref_bytes_out(const u32 *a, const u32 *b, u32 *out)
{
    for (u32 i = 0; i < ITEMS_N; i++)
        out[i] = (a[i] & 0xff) << 8 | b[i] << 24;
}

static void
ref_shorts_out(const u32 *a, const u32 *b, u32 *out)
{
    for (u32 i = 0; i < ITEMS_N; i++)
        out[i] = (a[i] + b[i]) << 16;
}

static const struct {
    const char *name;
    reference *run;
} rows[] = {
#define X(name) {#name, ref_##name},
    ITEMS(X)
#undef X
        {"lds_reverse", ref_lds_reverse},
    {"lds_sum", ref_lds_sum},
    {"lds_scan", ref_lds_scan},
    {"lds_table", ref_lds_table},
    {"lds_atomics", ref_lds_atomics},
    {"bytes_out", ref_bytes_out},
    {"shorts_out", ref_shorts_out},
};

typedef struct kernel {
    char name[64];
    unsigned gprs, stack, lds, n_words;
    uint8_t code[MAX_WORDS * 4];
} kernel;

static bool
read_kernel(FILE *f, kernel *k)
{
    if (fscanf(f, " kernel %63s %u %u %u %u", k->name, &k->gprs, &k->stack, &k->lds, &k->n_words) !=
            5 ||
        k->n_words > MAX_WORDS)
        return false;
    uint8_t *at = k->code;
    for (unsigned i = 0; i < k->n_words; i++) {
        unsigned word;
        if (fscanf(f, "%x", &word) != 1)
            return false;
        at = base_put_u32(at, word);
    }
    return true;
}

/* Random words, some of them small. */
static void
fill(u32 *words, uint64_t seed)
{
    for (u32 i = 0; i < ITEMS_N; i++) {
        seed = base_hash64(seed + i + 1);
        words[i] = (u32)seed >> (i % 5 == 4 ? 24 : 0);
    }
}

static const r600_chip *
find_chip(const char *name)
{
    for (uint32_t i = 0; i < r600_chip_count; i++)
        if (strcmp(r600_chips[i].name, name) == 0)
            return &r600_chips[i];
    return NULL;
}

static void
set_dispatch(r600_emu_dispatch *d, mach_memory *m, const kernel *k, uint8_t **pool)
{
    const uint64_t bytes = FIRST + 3 * ITEMS_N * 4;
    const mach_region *r = mach_memory_alloc(m, MACH_HEAP_LOW, bytes, 0, "global memory");
    const mach_region *c = mach_memory_alloc(m, MACH_HEAP_LOW, 512, 0, "constants");
    const u32 words[ARGS + 4] = {
        ITEMS_N / GROUP,         1,      1, ITEMS_N, 1, 1, GROUP, 1, 1, FIRST, FIRST + ITEMS_N * 4,
        FIRST + 2 * ITEMS_N * 4, ITEMS_N};
    for (unsigned i = 0; i < ARGS + 4; i++)
        base_put_u32(c->host + 4 * i, words[i]);
    d->code = k->code;
    d->size = k->n_words * 4;
    d->n_gprs = k->gprs;
    d->stack_entries = k->stack;
    d->lds_bytes = k->lds;
    d->constants[0] = (r600_range){c->base, 512};
    d->rats[0] = (r600_range){r->base, bytes};
    d->resources[1][0] = (uint32_t)r->base;
    d->resources[1][1] = (uint32_t)bytes - 1;
    d->resources[1][2] = (uint32_t)(r->base >> 32) | 1 << 8;
    *pool = r->host;
}

static unsigned
count_wrong(const kernel *k, const u32 *got, const u32 *want)
{
    unsigned wrong = 0;
    for (u32 i = 0; i < ITEMS_N; i++) {
        if (got[i] != want[i] && !wrong++)
            printf("# %s: item %u: %08x, not %08x\n", k->name, i, got[i], want[i]);
    }
    return wrong;
}

/* Is it a rule that clang is known to break? On cypress it breaks none. */
static bool
is_known(const mach_finding *f, const char *chip)
{
    mach_rule rule;
    for (uint32_t i = 0; f->rule && r600_emu_get_rule(i, &rule); i++)
        if (strcmp(rule.name, f->rule) == 0)
            return rule.clang && strcmp(chip, "cypress") != 0;
    return false;
}

/* Prints findings. Returns the number of those that are not known. */
static unsigned
print_findings(arena *a, const char *chip, const kernel *k, const mach_report *report)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < report->n_findings; i++) {
        base_buf text = buf_make(a);
        if (is_known(&report->findings[i], chip))
            continue;
        mach_print_finding(&report->findings[i], &text);
        printf("# %s: %s\n", k->name, buf_text(&text));
        n++;
    }
    return n;
}

static mach_report report;

/* The optimizer reads changed code, or refuses it. */
static void
optimize_changed(arena *a, const char *chip, const kernel *k)
{
    static diag d;
    const r600_optimize_job j = {
        .diag = &d, .arena = a, .chip = find_chip(chip), .bytes = k->code, .size = k->n_words * 4};
    diag_init(&d);
    if (DIAG_TRY(&d)) {
        r600_figures f;
        base_buf out = buf_make(a);
        r600_optimize(&j, &out, &f);
    }
}

/* Runs a kernel some of whose bits are changed. */
static void
run_changed(arena *a, const char *chip, const kernel *k, uint64_t seed)
{
    static kernel changed;
    mach_memory m;
    uint8_t *pool;
    r600_emu_dispatch d = {.chip = find_chip(chip),
                           .group_size = {GROUP, 1, 1},
                           .groups = {1, 1, 1},
                           .checks = MACH_CHECK_ALL,
                           .max_instructions = 2000};
    changed = *k;
    for (unsigned i = 0; i < 1 + seed % 3; i++) {
        seed = base_hash64(seed + 1);
        changed.code[(seed >> 8) % (k->n_words * 4)] ^= (uint8_t)(1 << (seed & 7));
    }
    mach_memory_init(&m, a);
    set_dispatch(&d, &m, &changed, &pool);
    r600_emu_run(a, &m, &d, &report);
    optimize_changed(a, chip, &changed);
}

/* Puts our optimizer's code in the kernel's place. Returns false if it does not take the kernel. */
static bool
optimize_kernel(arena *a, diag *d, const char *chip, kernel *k)
{
    const r600_optimize_job j = {
        .diag = d, .arena = a, .chip = find_chip(chip), .bytes = k->code, .size = k->n_words * 4};
    base_buf out = buf_make(a);
    r600_figures f;
    if (!DIAG_TRY(d)) {
        printf("# %s: %s\n", k->name, d->message);
        return false;
    }
    r600_optimize(&j, &out, &f);
    memcpy(k->code, out.data, out.size);
    k->n_words = (unsigned)(out.size / 4);
    k->gprs = f.gprs;
    k->stack = f.stack;
    return true;
}

static bool
run_kernel(arena *a, const char *chip, const kernel *k, reference *run)
{
    static u32 in[2][ITEMS_N], want[ITEMS_N], got[ITEMS_N];
    mach_memory m;
    uint8_t *pool;
    r600_emu_dispatch d = {.chip = find_chip(chip),
                           .group_size = {GROUP, 1, 1},
                           .groups = {ITEMS_N / GROUP, 1, 1},
                           .checks = MACH_CHECK_ALL,
                           .seed = 1,
                           .max_instructions = 1 << 22};
    mach_memory_init(&m, a);
    set_dispatch(&d, &m, k, &pool);
    fill(in[0], 1);
    fill(in[1], 2);
    memcpy(pool + FIRST, in, sizeof in);
    memset(want, 0, sizeof want);
    run(in[0], in[1], want);
    r600_emu_run(a, &m, &d, &report);
    memcpy(got, pool + FIRST + sizeof in, sizeof got);
    return !print_findings(a, chip, k, &report) && report.status == MACH_RUN_DONE &&
           !count_wrong(k, got, want);
}

static reference *
find_reference(const char *name)
{
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].run;
    return NULL;
}

int
main(int argc, char **argv)
{
    static kernel k;
    static diag d;
    arena a;
    unsigned passed = 0, failed = 0;
    FILE *f = argc > 2 ? fopen(argv[2], "r") : NULL;
    if (!f || !find_chip(argv[1])) {
        printf("1..0 # SKIP clang 19 for r600 is not installed\n");
        return 0;
    }
    diag_init(&d);
    while (read_kernel(f, &k)) {
        reference *run = find_reference(k.name);
        arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
        const arena_mark mark = arena_save(&a);
        const bool mutates = argc > 3 && strcmp(argv[3], "mutate") == 0;
        if (argc > 3 && !mutates && !optimize_kernel(&a, &d, argv[1], &k)) {
            printf("ok %u - %s %s # SKIP not in the tree\n", ++passed + failed, argv[1], k.name);
            arena_free(&a);
            continue;
        }
        for (unsigned i = 0; mutates && i < CHANGES; i++) {
            run_changed(&a, argv[1], &k, passed * CHANGES + i);
            arena_release(&a, mark);
        }
        const bool ok = run && (mutates || run_kernel(&a, argv[1], &k, run));
        arena_free(&a);
        passed += ok;
        failed += !ok;
        printf("%sok %u - %s %s\n", ok ? "" : "not ", passed + failed, argv[1], k.name);
    }
    fclose(f);
    printf("1..%u\n", passed + failed);
    return failed || !passed;
}
