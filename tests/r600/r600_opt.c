/* The optimizer on programs, judged by execution.
 *
 *   r600_opt CHIP INPUTS FILE ...    programs of hexadecimal words: optimized, then run with INPUTS random inputs
 *   r600_opt CHIP INPUTS --arrays R1-R8 FILE ...   the same with registers that an index chooses
 *   r600_opt CHIP other INPUTS FILE.before.words ...   another optimizer's code, FILE.after.words, in place of ours: its status alone
 *   r600_opt CHIP text FILE ...      the text of the tree behind phases gives the same code, or the same text
 *   r600_opt CHIP print PHASE FILE ...  that text
 *   r600_opt CHIP fuzz SEED COUNT FILE ...       changed words: read or refused, never more
 *
 * A line for each program: "FILE status gprs stack dwords groups alu fetches cf inputs", where inputs is the number of those that ended and were
 * compared. Status: same, different, finding (of our code, with a line "# ..."), refused (with the reason).
 *
 * The texture unit is a function of instruction and coordinates, memory and constants are random numbers, registers at the beginning too. */
#include "base/bits.h"
#include "base/fp.h"
#include "r600/compile/compile.h"
#include "r600/emu/emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_WORDS = 1 << 18, POOL = 1 << 16, MAX_EXPORTS = 1 << 12, LIMIT = 20000 };

typedef struct program {
    uint8_t bytes[MAX_WORDS * 4];
    size_t size;
} program;

/* What a run left behind. */
typedef struct outcome {
    mach_report report;
    uint32_t n_exports;
    uint64_t hash, memory;
} outcome;

static program before, after;
static outcome results[2];
static const char *arrays;
static float planes[64][3][4];

static bool
read_words(const char *path, program *p)
{
    FILE *f = fopen(path, "r");
    unsigned word;
    p->size = 0;
    if (!f)
        return false;
    while (p->size < sizeof p->bytes && fscanf(f, "%x", &word) == 1) {
        base_put_u32(p->bytes + p->size, word);
        p->size += 4;
    }
    fclose(f);
    return p->size;
}

/* ---- inputs ---- */

static uint32_t
number(uint64_t seed)
{
    const uint64_t h = base_hash64(seed * 0x9e3779b97f4a7c15u + 1);
    if (h % 5 == 0)
        return (uint32_t)(h >> 20) % 7;
    return base_f32_bits((float)(int32_t)(h >> 40 & 0xffff) / 8192.0f - 4.0f);
}

static void
fill(void *user, uint32_t wave, uint32_t reg, uint32_t chan, uint32_t value[64])
{
    const uint64_t seed = *(const uint64_t *)user;
    for (unsigned lane = 0; lane < 64; lane++)
        value[lane] = number(seed << 32 | wave << 20 | reg << 12 | chan << 8 | lane);
}

/* Depends on all that says what is fetched, and not on registers. */
static void
sample(void *user, const r600_inst *in, const uint32_t coordinate[4], uint32_t state,
       uint32_t value[4])
{
    static const uint16_t fields[] = {R600_F_resource, R600_F_sampler,  R600_F_lod_bias,
                                      R600_F_coord_x,  R600_F_coord_y,  R600_F_coord_z,
                                      R600_F_coord_w,  R600_F_offset_x, R600_F_offset_y,
                                      R600_F_offset_z, R600_F_inst_mod};
    uint64_t h = base_hash64(*(const uint64_t *)user ^ state ^ (uint64_t)in->op << 32);
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
        h = base_hash64(h + in->f[fields[i]] + 1);
    for (unsigned c = 0; c < 4; c++)
        h = base_hash64(h ^ coordinate[c]);
    for (unsigned c = 0; c < 4; c++)
        value[c] = number(h + c);
}

static void
note_export(void *user, const r600_export *e)
{
    outcome *o = user;
    uint64_t h = 0; /* the order of exports of different places does not matter */
    o->n_exports++;
    h = base_hash64(h ^ ((uint64_t)e->type << 40 | e->base << 8 | e->mask)) ^ e->lanes;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned lane = 0; lane < 64; lane++)
            if (e->lanes >> lane & 1 && e->mask >> c & 1)
                h = base_hash64(h + e->value[c][lane]);
    o->hash += h;
}

static void
run(arena *a, const r600_chip *chip, const program *p, uint64_t seed, uint32_t stack, outcome *o)
{
    static r600_emu_dispatch d;
    mach_memory m;
    memset(o, 0, sizeof *o);
    mach_memory_init(&m, a);
    const mach_region *constants = mach_memory_alloc(&m, MACH_HEAP_LOW, POOL, 0, "constants");
    const mach_region *pool = mach_memory_alloc(&m, MACH_HEAP_LOW, POOL, 0, "memory");
    for (unsigned i = 0; i < POOL / 4; i++) {
        base_put_u32(constants->host + 4 * i, number(seed << 32 | 1u << 31 | i));
        base_put_u32(pool->host + 4 * i, number(seed << 32 | 3u << 30 | i));
    }
    d = (r600_emu_dispatch){.chip = chip,
                            .code = p->bytes,
                            .size = p->size,
                            .n_gprs = 128,
                            .stack_entries = stack,
                            .lds_bytes = 32768,
                            .group_size = {chip->wave_size, 1, 1},
                            .groups = {1, 1, 1},
                            .checks = MACH_CHECK_HAZARDS,
                            .max_instructions = LIMIT,
                            .exported = note_export,
                            .export_user = o,
                            .fill = fill,
                            .sampled = sample,
                            .user = &seed,
                            .parameters = (const float(*)[3][4])planes,
                            .n_parameters = 64};
    for (unsigned i = 0; i < R600_MAX_BUFFERS; i++)
        d.constants[i] = (r600_range){constants->base, POOL};
    for (unsigned i = 0; i < R600_MAX_RATS; i++)
        d.rats[i] = (r600_range){pool->base, POOL};
    for (unsigned i = 0; i < R600_MAX_RESOURCES; i++) {
        d.resources[i][0] = (uint32_t)pool->base;
        d.resources[i][1] = POOL - 1;
        d.resources[i][2] = (uint32_t)(pool->base >> 32) | 16 << 8;
    }
    r600_emu_run(a, &m, &d, &o->report);
    for (unsigned i = 0; i < POOL / 4; i++)
        o->memory = base_hash64(o->memory ^ r600_read_dword(pool->host + 4 * i));
}

/* ---- comparing ---- */

static void
print_finding(arena *a, const mach_report *r)
{
    base_buf text = buf_make(a);
    for (uint32_t i = 0; i < r->n_findings && i < 3; i++) {
        text.size = 0;
        mach_print_finding(&r->findings[i], &text);
        printf("# %s\n", buf_text(&text));
    }
}

/* Runs both programs. Returns the status; `*n` counts the inputs that were compared. */
static const char *
compare(arena *a, const r600_chip *chip, uint32_t stack, unsigned inputs, unsigned *n)
{
    *n = 0;
    for (unsigned i = 0; i < inputs; i++) {
        const arena_mark mark = arena_save(a);
        run(a, chip, &before, i + 1, 64, &results[0]);
        run(a, chip, &after, i + 1, stack, &results[1]);
        if (results[0].report.status == MACH_RUN_UNSUPPORTED) {
            print_finding(a, &results[0].report);
            return "unsupported";
        }
        if (results[1].report.status != MACH_RUN_HANG && results[1].report.n_findings &&
            !results[0].report.n_findings) {
            print_finding(a, &results[1].report);
            return "finding";
        }
        if (results[0].report.status == MACH_RUN_HANG ||
            results[1].report.status == MACH_RUN_HANG) {
            arena_release(a, mark);
            continue;
        }
        ++*n;
        if (results[0].report.status != results[1].report.status ||
            results[0].hash != results[1].hash || results[0].memory != results[1].memory)
            return "different";
        arena_release(a, mark);
    }
    return *n ? "same" : "endless";
}

/* A file whose name does not end in `words` is the text of a tree. */
static bool
read_input(const char *path, program *p)
{
    const size_t n = strlen(path);
    FILE *f = n < 5 || strcmp(path + n - 5, "words") != 0 ? fopen(path, "r") : NULL;
    if (!f)
        return read_words(path, p);
    p->size = fread(p->bytes, 1, sizeof p->bytes, f);
    fclose(f);
    return p->size;
}

static const r600_chip *
find_chip(const char *name)
{
    for (uint32_t i = 0; i < r600_chip_count; i++)
        if (strcmp(r600_chips[i].name, name) == 0)
            return &r600_chips[i];
    fprintf(stderr, "no chip %s\n", name);
    exit(2);
}

/* The processor's time of one run, in nanoseconds. */
static double
time_run(const r600_optimize_job *job)
{
    static diag d;
    arena a;
    volatile double ns = 0; /* kept over a failure */
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    r600_optimize_job o = *job;
    o.diag = &d;
    o.arena = &a;
    const clock_t start = clock();
    if (DIAG_TRY(&d)) {
        r600_figures f;
        base_buf out = buf_make(&a);
        r600_optimize(&o, &out, &f);
        ns = (double)(clock() - start) * (1e9 / CLOCKS_PER_SEC);
    }
    arena_free(&a);
    return ns;
}

/* The best of several. */
static double
best_time(const r600_optimize_job *job)
{
    enum { ROUNDS = 5 };
    double best = time_run(job);
    for (unsigned i = 1; i < ROUNDS; i++) {
        const double ns = time_run(job);
        best = ns < best ? ns : best;
    }
    return best;
}

static void
judge(const r600_chip *chip, const char *path, unsigned inputs, const char *stop)
{
    static diag d;
    arena a;
    r600_figures f = {0};
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    base_buf out = buf_make(&a);
    r600_optimize_job o = {.diag = &d, .arena = &a, .chip = chip, .arrays = arrays, .stop = stop};
    if (!read_input(path, &before)) {
        printf("%s unreadable\n", path);
        return;
    }
    if (!DIAG_TRY(&d)) {
        printf("%s refused %s\n", path, d.message);
        arena_free(&a);
        return;
    }
    o.bytes = before.bytes;
    o.size = before.size;
    r600_optimize(&o, &out, &f);
    if (stop) {
        fputs(buf_text(&out), stdout);
        arena_free(&a);
        return;
    }
    memcpy(after.bytes, out.data, out.size);
    after.size = out.size;
    unsigned n = 0;
    const char *status = inputs ? compare(&a, chip, f.stack, inputs, &n) : "made";
    printf("%s %s %u %u %u %u %u %u %u %u %.0f\n", path, status, f.gprs, f.stack, f.dwords,
           f.groups, f.alu, f.fetches, f.cf, n, best_time(&o));
    const char *keep = getenv("R600_OPT_KEEP");
    FILE *file = keep ? fopen(keep, "w") : NULL;
    for (size_t i = 0; file && i < after.size; i += 4)
        fprintf(file, "%08x\n", r600_read_dword(after.bytes + i));
    if (file)
        fclose(file);
    arena_free(&a);
}

/* Another optimizer's code, FILE.after.words beside FILE.before.words. */
static void
judge_other(const r600_chip *chip, const char *path, unsigned inputs)
{
    enum { MOST_STACK = 64 };
    static const char from[] = ".before.words", to[] = ".after.words";
    char other[4096];
    const size_t size = strlen(path), stem = size - strlen(from);
    diag d;
    arena a;
    unsigned n = 0;
    if (size < sizeof from || size >= sizeof other || strcmp(path + stem, from) != 0)
        return;
    memcpy(other, path, stem);
    memcpy(other + stem, to, sizeof to);
    if (!read_words(path, &before) || !read_words(other, &after))
        return;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    printf("%s %s\n", path, compare(&a, chip, MOST_STACK, inputs, &n));
    arena_free(&a);
}

static void
try_changed(const r600_chip *chip)
{
    static diag d;
    arena a;
    const r600_optimize_job o = {
        .diag = &d, .arena = &a, .chip = chip, .bytes = before.bytes, .size = before.size};
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    if (DIAG_TRY(&d)) {
        r600_figures f;
        base_buf out = buf_make(&a);
        r600_optimize(&o, &out, &f);
    }
    arena_free(&a);
}

static void
fuzz(const r600_chip *chip, uint64_t seed, unsigned count, const char *path)
{
    for (unsigned i = 0; i < count && read_words(path, &before); i++) {
        const unsigned n = 1 + (seed >> 5) % 4;
        for (unsigned k = 0; k < n; k++) {
            seed = base_hash64(seed + 1);
            before.bytes[(seed >> 8) % before.size] ^= (uint8_t)(1 << (seed & 7));
        }
        try_changed(chip);
    }
}

/* Is the text behind a phase read back as the same? */
static bool
keeps_text(diag *d, arena *a, const r600_chip *chip, const char *phase)
{
    base_buf first = buf_make(a), second = buf_make(a);
    r600_optimize_job o = {.diag = d,
                           .arena = a,
                           .chip = chip,
                           .bytes = before.bytes,
                           .size = before.size,
                           .stop = phase};
    r600_figures f;
    r600_optimize(&o, &first, &f);
    r600_tree_print(r600_tree_parse(d, a, chip, buf_text(&first)), &second);
    const bool is_same = first.size == second.size &&
                         memcmp(first.data, second.data, first.size) == 0;
    if (!is_same)
        printf("%s\n---\n%s", buf_text(&first), buf_text(&second));
    base_buf code = buf_make(a), again = buf_make(a);
    o.stop = NULL;
    r600_optimize(&o, &code, &f);
    o.bytes = first.data;
    o.size = first.size;
    if (strcmp(phase, "leave_ssa") == 0 || strcmp(phase, "read") == 0)
        r600_optimize(&o, &again, &f);
    else
        again = code;
    return is_same && code.size == again.size && memcmp(code.data, again.data, code.size) == 0;
}

static void
check_phase(const r600_chip *chip, const char *path, const char *phase)
{
    static diag d;
    arena a;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    if (!read_words(path, &before) || !DIAG_TRY(&d))
        printf("%s refused %u: %s\n", path, d.loc.line, d.message);
    else
        printf("%s %s %s\n", path, phase, keeps_text(&d, &a, chip, phase) ? "same" : "different");
    arena_free(&a);
}

int
main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    const r600_chip *chip = find_chip(argv[1]);
    for (int i = 0; i < 64 * 12; i++)
        planes[i / 12][i / 4 % 3][i % 4] = (float)(i * 37 % 101) / 25.0f - 2.0f;
    if (strcmp(argv[2], "fuzz") == 0) {
        for (int i = 5; i < argc; i++)
            fuzz(chip, strtoull(argv[3], NULL, 10) + (uint64_t)i, (unsigned)atoi(argv[4]), argv[i]);
        return 0;
    }
    if (strcmp(argv[2], "text") == 0) {
        static const char *const phases[] = {"read", "rename", "gvn", "if_convert", "leave_ssa"};
        for (int i = 3; i < argc * 5 - 12; i++)
            check_phase(chip, argv[3 + (i - 3) / 5], phases[(i - 3) % 5]);
        return 0;
    }
    if (strcmp(argv[2], "print") == 0) {
        for (int i = 4; i < argc; i++)
            judge(chip, argv[i], 0, argv[3]);
        return 0;
    }
    if (strcmp(argv[2], "other") == 0) {
        for (int i = 4; i < argc; i++)
            judge_other(chip, argv[i], (unsigned)atoi(argv[3]));
        return 0;
    }
    int first = 3;
    if (argc > 5 && strcmp(argv[3], "--arrays") == 0) {
        arrays = argv[4];
        first = 5;
    }
    for (int i = first; i < argc; i++)
        judge(chip, argv[i], (unsigned)atoi(argv[2]), NULL);
    return 0;
}
