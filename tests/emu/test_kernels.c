/* Runs clang's kernels (kernels.cl) on the emulator and compares with the host's results.
 *
 *     test_kernels NAME CODEOBJECT      NAME is told in the output ("O2 wave32")
 *
 * Items are compared with their bodies compiled for the host; the others have references here. All
 * checkers are on, and waves are interleaved by two different seeds.
 */
#include "amd/emu/load.h"

#include <stdio.h>
#include <stdlib.h>

#include "items.h"

enum { N = 512, GROUP = 128, GROUPS = N / GROUP, OUT = 1024 };

typedef struct args {
    uint64_t a, b, out;
    uint32_t n;
} args;

typedef void
reference(const u32 *a, const u32 *b, u32 *out);

#define X(name)                                                                                    \
    static void ref_##name(const u32 *a, const u32 *b, u32 *out)                                   \
    {                                                                                              \
        for (u32 i = 0; i < N; i++)                                                                \
            out[i] = item_##name(i, a, b, N);                                                      \
    }
ITEMS(X)
#undef X

static void
ref_reduce(const u32 *a, const u32 *b, u32 *out)
{
    for (u32 i = 0; i < N; i++) {
        out[i] = 0;
        for (u32 k = i / GROUP * GROUP; k < i / GROUP * GROUP + GROUP; k++)
            out[i] += a[k] + b[k];
    }
}

static void
ref_scan(const u32 *a, const u32 *b, u32 *out)
{
    u32 sum = 0;
    for (u32 i = 0; i < N; i++) {
        sum = i % GROUP ? sum + a[i] : a[i];
        out[i] = sum ^ b[i];
    }
}

static void
ref_histogram(const u32 *a, const u32 *b, u32 *out)
{
    (void)b;
    for (u32 i = 0; i < N; i++)
        out[a[i] % 32]++;
}

static void
ref_transpose(const u32 *a, const u32 *b, u32 *out)
{
    for (u32 i = 0; i < N; i++) {
        u32 base = i / GROUP * GROUP, l = i % GROUP, from = base + l % 8 * 16 + l / 8;
        out[i] = a[from] + b[from];
    }
}

static void
ref_atomics(const u32 *a, const u32 *b, u32 *out)
{
    for (u32 i = 0; i < N; i++) {
        u32 v = a[i];
        out[0] += v;
        out[1] -= v;
        out[2] &= v | 0xff;
        out[3] |= v & 0xff00ff;
        out[4] ^= v;
        out[5] = v < out[5] ? v : out[5];
        out[6] = v > out[6] ? v : out[6];
        out[7] = (i32)v < (i32)out[7] ? v : out[7];
        out[8] = (i32)v > (i32)out[8] ? v : out[8];
        out[9] += b[i] & 1;
        out[10]++;
        out[16 + i] = 1;
    }
}

static void
ref_atomics64(const u32 *a, const u32 *b, u32 *out)
{
    u64 p[4] = {0};
    for (u32 i = 0; i < N; i++) {
        u64 v = (u64)a[i] << 32 | b[i];
        p[0] += v;
        p[1] = v > p[1] ? v : p[1];
        p[2] ^= v;
        p[3] += v + (i % GROUP == 0);
    }
    memcpy(out, p, sizeof p);
}

static void
ref_subgroups(const u32 *a, const u32 *b, u32 *out)
{
    (void)b;
    for (u32 i = 0; i < N; i++) {
        u32 row = i & ~15u, l = i & 15;
        u32 r = a[i ^ 1] + (l ? a[i - 1] : 7) * 3 + a[row | ((l - 1) & 15)] * 5;
        r += a[(i & ~7u) | (7 - (i & 7))] * 7 + a[(i & ~7u) | (7 - (i & 7))] * 11;
        r += a[i] * 13 + a[(row ^ 16) | (l < 8 ? 7 - l : 23 - l)] * 17;
        r += a[(i & ~31u) | ((i & 31) ^ 5)] * 19 + a[i ^ 1] * 23;
        out[i] = r;
    }
}

static int
compare_words(const void *x, const void *y)
{
    u32 a = *(const u32 *)x, b = *(const u32 *)y;
    return a < b ? -1 : a > b;
}

static void
ref_bitonic(const u32 *a, const u32 *b, u32 *out)
{
    (void)b;
    memcpy(out, a, N * sizeof *a);
    for (u32 g = 0; g < GROUPS; g++)
        qsort(out + g * GROUP, GROUP, sizeof *out, compare_words);
}

static void
ref_lds_types(const u32 *a, const u32 *b, u32 *out)
{
    for (u32 i = 0; i < N; i++) {
        u32 o = i / GROUP * GROUP + GROUP - 1 - i % GROUP;
        out[i] = (uchar)a[o] + (ushort)b[o] * 3u + (u32)(i32)(signed char)a[i] + a[o] * 5 +
                 b[o] * 7 + 7 + (u32)f64_bits((double)a[o] + 0.5);
    }
}

static void
ref_ids(const u32 *a, const u32 *b, u32 *out)
{
    (void)a;
    (void)b;
    for (u32 i = 0; i < N; i++) {
        u32 l = i % 128;
        out[i] = l % 8 + 10 * (l / 8 % 4) + 100 * (l / 32) + 1000 * (i / 128) + 80000 + 4000000;
    }
}

static const struct {
    const char *name;
    reference *run;
} kernels[] = {
#define X(name) {#name, ref_##name},
    ITEMS(X) X(reduce) X(scan) X(histogram) X(transpose) X(atomics) X(atomics64) X(subgroups)
        X(bitonic) X(lds_types) X(ids)
#undef X
};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };

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

/* Rules that clang 19's code is known to break (docs/emulator.md, "Hazards"). */
static const char *
broken_rules(amd_gen gen)
{
    switch (gen) {
    case AMD_GFX10: return "VMEMtoScalarWriteHazard";
    case AMD_GFX11:
    case AMD_GFX11_5: return "VALUMaskWriteHazardVALU";
    case AMD_GFX12: return "VALUReadSGPRHazard";
    default: return NULL;
    }
}

/* Runs a kernel; the words that are wrong, or -1 for findings, are told. */
static bool
run_kernel(arena *a, const obj_file *file, uint32_t k, uint64_t seed)
{
    u32 in[2][N], want[OUT] = {0};
    mach_memory m;
    mach_memory_init(&m, a);
    uint64_t base, x = 88172645463325252u;
    mach_region *r[3];
    const obj_code *code = obj_find_kernel(file, kernels[k].name);
    if (!code || !amd_emu_load(&m, file, &base)) {
        printf("FAIL %s: not in the code object\n", kernels[k].name);
        return false;
    }
    for (u32 i = 0; i < 2 * N; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        in[i / N][i % N] = (u32)(x >> 16);
    }
    r[0] = mach_memory_alloc(&m, MACH_HEAP_LOW, sizeof in[0], 0, "a");
    r[1] = mach_memory_alloc(&m, MACH_HEAP_LOW, sizeof in[1], 0, "b");
    r[2] = mach_memory_alloc(&m, MACH_HEAP_LOW, sizeof want, 0, "out");
    memcpy(r[0]->host, in[0], sizeof in[0]);
    memcpy(r[1]->host, in[1], sizeof in[1]);
    kernels[k].run(in[0], in[1], want);

    amd_emu_dispatch d = {.group_size = {GROUP, 1, 1},
                          .grid_groups = {GROUPS, 1, 1},
                          .checks = AMD_EMU_CHECK_ALL,
                          .seed = seed,
                          .max_instructions = 1000000};
    if (!strcmp(kernels[k].name, "ids")) {
        memcpy(d.group_size, (uint32_t[]){8, 4, 4}, sizeof d.group_size);
        memcpy(d.grid_groups, (uint32_t[]){2, 2, 1}, sizeof d.grid_groups);
    }
    args given = {r[0]->base, r[1]->base, r[2]->base, N};
    if (!amd_emu_set_up(&d, code, base) || !amd_emu_set_up_hsa(&d, code, &m, &given, sizeof given))
        return false;
    d.hazards_off = broken_rules(d.gen);
    amd_emu_report report;
    bool ok = amd_emu_run(&d, &m, a, &report);
    for (uint32_t f = 0; f < report.n_findings; f++) {
        base_buf text = buf_make(a);
        amd_emu_print_finding(&report.findings[f], &text);
        printf("  %s\n", buf_text(&text));
    }
    u32 wrong = 0, first = 0;
    for (u32 i = 0; i < OUT; i++) {
        u32 got;
        memcpy(&got, r[2]->host + 4 * i, 4);
        if (got != want[i] && !wrong++)
            first = i;
    }
    if (wrong) {
        u32 got;
        memcpy(&got, r[2]->host + 4 * first, 4);
        printf("  %u words differ; out[%u] is 0x%08x, should be 0x%08x\n", wrong, first, got,
               want[first]);
    }
    printf("%s %s (%llu instructions)\n", ok && !wrong ? "PASS" : "FAIL", kernels[k].name,
           (unsigned long long)report.instructions);
    return ok && !wrong;
}

int
main(int argc, char **argv)
{
    arena a;
    diag d;
    size_t size = 0;
    obj_file file;
    if (argc < 3) {
        printf(
            "SKIP: clang 19 with an AMDGPU target and lld are not there to compile the kernels\n");
        return 77;
    }
    arena_init(&a, &base_malloc_allocator, out_of_memory, NULL);
    diag_init(&d);
    void *bytes = read_whole(&a, argv[2], &size);
    if (!bytes) {
        printf("FAIL: cannot read %s\n", argv[2]);
        return 1;
    }
    if (!DIAG_TRY(&d)) {
        printf("FAIL: %s: %s\n", argv[2], d.message);
        return 1;
    }
    obj_read(&d, &a, bytes, size, &file);
    unsigned passed = 0, failed = 0;
    for (uint32_t k = 0; k < N_KERNELS; k++) {
        if (argc > 3 && strcmp(argv[3], kernels[k].name))
            continue;
        arena_mark mark = arena_save(&a);
        bool ok = run_kernel(&a, &file, k, 0) && run_kernel(&a, &file, k, 12345);
        passed += ok;
        failed += !ok;
        arena_release(&a, mark);
    }
    printf("%s: %u passed, %u failed, 0 skipped\n", argv[1], passed, failed);
    arena_free(&a);
    return failed != 0;
}
