/* Makes shaders at random and runs each on the HIR interpreter, on gfx1030 with wave32 and wave64,
 * and on the system's Vulkan driver; the buffers must be the same afterwards.
 *
 *     diff [--first=SEED] [--programs=N] [--family=NAME] [--cache=DIR] [--reduce] [--keep=DIR]
 *          [--script=FILE] [--target=NAME] [--abi=vulkan|hsa] [--switches=WORDS]
 *
 * --target runs NAME in the wave sizes that it has, in place of gfx1030, and without the Vulkan
 * driver, which is compared once and for all; --switches are those of HEDDLE_DEBUG, such as tight
 * budgets of registers.
 *
 * A seed makes a program of each family: `mixed` (gen_glsl.h), `loops` (gen_loops.h), `halves`
 * (gen_halves.h); --family selects one. A family's program for a seed does not depend on the other
 * families.
 *
 * Half of the programs with loops are first optimised by SPIR-V's optimizer, which gives loops
 * other forms than GLSL's compiler.
 *
 * Words are compared; all NaNs are equal, and so are zeros of both signs. With --reduce a program
 * that disagrees is reduced by omitting statements as long as it still disagrees, and is written to
 * DIR as a script. With --cache the Vulkan driver's results are kept (diff_cache.h). A line every
 * 100 programs reports the progress, from which --first can continue; the last line has the totals.
 * Exit code 1 if programs disagree.
 */
#include "amber/dev_hir.h"
#include "amber/dev_machine.h"
#include "amber/dev_vulkan.h"
#include "amber/run.h"
#include "diff_cache.h"
#include "gen_glsl.h"
#include "gen_halves.h"
#include "gen_loops.h"
#include "script_shader.h"

#include "base/bits.h"
#include "families/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

enum {
    N_DEVICES = 4,
    WAVE32 = 1,
    WAVE64 = 2,
    VULKAN = 3,
    PROGRESS = 100,
    N_OUT = GEN_INVOCATIONS * GEN_WORDS + GEN_COUNTERS
};

typedef struct generator {
    const char *name;
    gen_info (*make)(uint64_t seed, gen_cuts cuts, base_buf *out);
    bool optimizes; /* odd seeds' SPIR-V is optimized */
} generator;

static const generator generators[] = {
    {"mixed", gen_glsl, false}, {"loops", gen_loops, true}, {"halves", gen_halves, false}};
enum { N_GENERATORS = sizeof generators / sizeof *generators };

typedef struct tool {
    diag d;
    arena devices, a;
    amber_device *device[N_DEVICES]; /* NULL: not available */
    const char *target;              /* NULL: gfx1030 and the Vulkan driver */
    const char *switches;            /* of the target's compiler; NULL: none */
    obj_abi abi;
    uint64_t programs, first; /* seeds */
    const generator *family;  /* of the program that runs */
    const char *chosen;       /* the family's name; NULL: all */
    unsigned made;
    bool reduce;
    bool reducing; /* runs are of reduced programs, which are neither counted nor kept */
    const char *keep;
    const char *script; /* a script with the same buffers, run instead of generated ones */
    diff_cache cache;
    unsigned disagreements;
    unsigned ran[N_DEVICES], cached; /* programs; results of VULKAN that came from the cache */
    unsigned not_believed;           /* differ on VULKAN for the reason in gen_info */
} tool;

/* A program and its SPIR-V, which all devices share. */
typedef struct program {
    tool *t;
    const char *text;
    const uint32_t *words; /* NULL: not compiled yet */
    size_t n_words;
    const char *message; /* why it does not compile */
} program;

typedef struct outcome {
    amber_result result;
    uint32_t words[N_OUT];
} outcome;

static const char *const device_names[N_DEVICES] = {"hir", "wave32", "wave64", "vulkan"};

static const char *
target_name(const tool *t)
{
    return t->target ? t->target : "gfx1030";
}

/* ---- scripts ---- */

/* A comment of scripts whose SPIR-V is optimized. */
static const char optimized_mark[] = "# optimized SPIR-V\n";

static void
put_buffer(base_buf *b, const char *name, uint64_t seed, unsigned n, bool random)
{
    buf_printf(b, "BUFFER %s DATA_TYPE uint32 DATA\n", name);
    for (unsigned i = 0; i < n; i++)
        buf_printf(b, " %u", random ? (uint32_t)base_hash64(seed * 8191 + i) >> (i % 5 * 6) : 0u);
    buf_puts(b, "\nEND\n");
}

static char *
make_script(const tool *t, arena *a, uint64_t seed, gen_cuts cuts, gen_info *info)
{
    base_buf b = buf_make(a);
    bool optimized = t->family->optimizes && seed % 2;
    buf_printf(&b, "#!amber\n%sSHADER compute shader GLSL\n", optimized ? optimized_mark : "");
    *info = t->family->make(seed, cuts, &b);
    info->beyond_lavapipe |= optimized; /* the optimizer can make such loops from others */
    buf_puts(&b, "END\n");
    put_buffer(&b, "in", seed, GEN_INVOCATIONS * GEN_WORDS, true);
    put_buffer(&b, "out", 0, GEN_INVOCATIONS * GEN_WORDS, false);
    put_buffer(&b, "counters", 0, GEN_COUNTERS, false);
    put_buffer(&b, "uniforms", seed + 1, 4, true);
    buf_puts(&b, "PIPELINE compute pipeline\n  ATTACH shader\n");
    static const char *const names[] = {"in", "out", "counters"};
    for (unsigned i = 0; i < 3; i++)
        buf_printf(&b, "  BIND BUFFER %s AS storage DESCRIPTOR_SET 0 BINDING %u\n", names[i], i);
    buf_puts(&b, "  BIND BUFFER uniforms AS uniform DESCRIPTOR_SET 0 BINDING 3\nEND\n");
    buf_printf(&b, "RUN pipeline %u 1 1\n", GEN_INVOCATIONS / GEN_WORKGROUP);
    return buf_text(&b);
}

/* ---- running ---- */

static frontend_result
translate(const program *p, const amber_script *script, const amber_attach *at)
{
    const frontend_options options = {.stage = "comp", .target_env = "spv1.3", .optimize = true};
    if (!strstr(p->text, optimized_mark))
        return script_compile(script, at, "generated");
    return frontend_translate(FRONTEND_GLSL, at->shader->text, at->shader->size, "generated",
                              &options);
}

static bool
compile(void *user, arena *a, const amber_script *script, const amber_attach *at,
        const uint32_t **words, size_t *count, const char **message)
{
    program *p = user;
    (void)a;
    if (!p->words && !p->message) {
        frontend_result r = translate(p, script, at);
        if (r.ok) {
            p->words = arena_copy(&p->t->a, r.words, r.n_words * 4);
            p->n_words = r.n_words;
        } else {
            p->message = arena_strdup(&p->t->a,
                                      r.messages ? r.messages : "the shader does not compile");
        }
        frontend_free(&r);
    }
    *words = p->words;
    *count = p->n_words;
    *message = p->message;
    return p->words != NULL;
}

static void
collect(void *user, const amber_script *script, const amber_memory *memory)
{
    outcome *o = user;
    (void)script;
    memcpy(o->words, memory[1].bytes, (size_t)GEN_INVOCATIONS * GEN_WORDS * 4);
    memcpy(o->words + GEN_INVOCATIONS * GEN_WORDS, memory[2].bytes, (size_t)GEN_COUNTERS * 4);
}

/* The script of --script instead of a generated one. */
static char *
read_script(tool *t)
{
    FILE *f = fopen(t->script, "rb");
    base_buf b = buf_make(&t->a);
    int c;
    while (f && (c = fgetc(f)) != EOF)
        buf_put_u8(&b, (uint8_t)c);
    if (f)
        fclose(f);
    return buf_text(&b);
}

static void
run_on(tool *t, program *p, unsigned device, outcome *o)
{
    amber_frontend frontend = {compile, p};
    amber_observer observer = {collect, o};
    arena scratch;
    arena_init(&scratch, &base_malloc_allocator, diag_out_of_memory, &t->d);
    memset(o, 0, sizeof *o);
    if (DIAG_TRY(&t->d)) {
        static const amber_loader none = {0};
        amber_script *script = amber_parse(&t->a, &t->d, "generated", p->text, strlen(p->text),
                                           &none);
        amber_run(script, t->device[device], &frontend, &observer, &scratch, &o->result);
    } else {
        amber_set_result(&o->result, AMBER_FAIL, "%s", t->d.message);
    }
    arena_free(&scratch);
}

/* The Vulkan driver's results, from the cache if they are there. The interpreter ran before. */
static void
run_on_vulkan(tool *t, program *p, outcome *o)
{
    const char *path = t->cache.folder && p->words
                           ? diff_cache_path(&t->cache, &t->a, p->text, p->words, p->n_words)
                           : NULL;
    if (path && diff_cache_get(path, o->words, N_OUT)) {
        amber_set_result(&o->result, AMBER_PASS, "");
        t->cached += !t->reducing;
        return;
    }
    run_on(t, p, VULKAN, o);
    if (path && !t->reducing && o->result.status == AMBER_PASS)
        diff_cache_put(path, o->words, N_OUT);
}

/* Are the words equal, except for the bits of NaNs and for the sign of zero, which min and max
 * leave undefined? */
static bool
same_word(uint32_t a, uint32_t b)
{
    bool nans = (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000;
    return a == b || nans || ((a | b) & 0x7fffffff) == 0;
}

/* The number of the first word that differs, or N_OUT. */
static unsigned
first_difference(const outcome *a, const outcome *b)
{
    unsigned w = 0;
    while (w < N_OUT && same_word(a->words[w], b->words[w]))
        w++;
    return w;
}

/* Compares all devices with the first available one; prints a difference if `loud`. */
static bool
agree(tool *t, uint64_t seed, gen_cuts cuts, gen_info *info, bool loud)
{
    arena_mark mark = arena_save(&t->a);
    program p = {.t = t};
    p.text = t->script ? read_script(t) : make_script(t, &t->a, seed, cuts, info);
    outcome *first = NULL;
    bool same = true;
    for (unsigned k = 0; k < N_DEVICES && same; k++) {
        outcome *o = ARENA_NEW(&t->a, outcome);
        if (!t->device[k])
            continue;
        if (k == VULKAN)
            run_on_vulkan(t, &p, o);
        else
            run_on(t, &p, k, o);
        t->ran[k] += !t->reducing;
        if (o->result.status != AMBER_PASS) {
            same = false;
            if (loud)
                printf("seed %llu (%s): %s: %s\n", (unsigned long long)seed, t->family->name,
                       device_names[k], o->result.reason);
            break;
        }
        unsigned w = first ? first_difference(o, first) : N_OUT;
        bool doubtful = k == VULKAN && !t->script && info->beyond_lavapipe;
        same = w == N_OUT || doubtful;
        t->not_believed += w < N_OUT && doubtful && !t->reducing;
        if (!same && loud)
            printf("seed %llu (%s): %s: word %u (invocation %u, %u) is 0x%08x, not 0x%08x\n",
                   (unsigned long long)seed, t->family->name, device_names[k], w, w / GEN_WORDS,
                   w % GEN_WORDS, o->words[w], first->words[w]);
        first = first ? first : o;
    }
    arena_release(&t->a, mark);
    return same;
}

/* ---- reducing ---- */

static void
reduce(tool *t, uint64_t seed)
{
    gen_info info = {0};
    t->reducing = true;
    agree(t, seed, (gen_cuts){0}, &info, false);
    size_t n = info.statements;
    uint8_t *cut = calloc(n + 1, 1);
    for (size_t step = n; step >= 1; step /= 2) {
        for (size_t at = 0; at < n; at += step) {
            uint8_t *tried = malloc(n + 1);
            memcpy(tried, cut, n + 1);
            size_t end = at + step < n ? at + step : n;
            memset(tried + at, 1, end - at);
            if (memcmp(tried, cut, n) != 0 && !agree(t, seed, (gen_cuts){tried, n}, &info, false))
                memcpy(cut, tried, n);
            free(tried);
        }
    }
    const char *path = arena_printf(&t->a, "%s/diff-%s-%llu.amber", t->keep, t->family->name,
                                    (unsigned long long)seed);
    FILE *f = fopen(path, "w");
    if (f) {
        fputs(make_script(t, &t->a, seed, (gen_cuts){cut, n}, &info), f);
        fclose(f);
        printf("seed %llu (%s): reduced to %s\n", (unsigned long long)seed, t->family->name, path);
    }
    free(cut);
    t->reducing = false;
}

/* ---- the program ---- */

/* The target in a wave size, or NULL if it does not have it. */
static amber_device *
open_target(tool *t, uint32_t wave_size, uint64_t seed)
{
    const amber_machine_options machine = {.wave_size = wave_size,
                                           .checks = 63 & ~(2u | 16u),
                                           .seed = seed,
                                           .abi = t->abi,
                                           .switches = t->switches};
    const char *name = target_name(t);
    family_target target;
    if (!families_find_target(name, &target) || !(target.wave_sizes & wave_size))
        return NULL;
    return amber_machine_open(&t->devices, name, &machine);
}

static void
open_vulkan(tool *t)
{
    const char *message = NULL;
    t->device[VULKAN] = amber_vulkan_open(&t->devices, &message);
    if (!t->device[VULKAN])
        printf("no Vulkan driver: %s\n", message);
    else
        t->cache.driver = amber_vulkan_driver(&t->devices, t->device[VULKAN]);
}

static bool
open_devices(tool *t)
{
    t->device[0] = amber_hir_open(&t->devices, 32);
    t->device[WAVE32] = open_target(t, 32, 0);
    t->device[WAVE64] = open_target(t, 64, 1);
    if (!t->target)
        open_vulkan(t);
    return t->device[WAVE32] || t->device[WAVE64];
}

/* Leaks are checked while the Vulkan driver is still open: after vkDestroyInstance its library is
 * unloaded, and its leaks could not be distinguished from ours. */
static void
close_devices(tool *t)
{
#ifdef __SANITIZE_ADDRESS__
    __lsan_do_leak_check();
#endif
    for (size_t i = 0; i < sizeof t->device / sizeof *t->device; i++) {
        if (t->device[i])
            t->device[i]->functions->destroy(t->device[i]);
    }
}

static bool
parse_option(tool *t, const char *arg)
{
    if (strncmp(arg, "--programs=", 11) == 0)
        t->programs = strtoull(arg + 11, NULL, 0);
    else if (strncmp(arg, "--first=", 8) == 0)
        t->first = strtoull(arg + 8, NULL, 0);
    else if (strncmp(arg, "--cache=", 8) == 0)
        t->cache.folder = arg + 8;
    else if (strncmp(arg, "--keep=", 7) == 0)
        t->keep = arg + 7;
    else if (strncmp(arg, "--family=", 9) == 0)
        t->chosen = arg + 9;
    else if (strncmp(arg, "--script=", 9) == 0)
        t->script = arg + 9;
    else if (strncmp(arg, "--target=", 9) == 0)
        t->target = arg + 9;
    else if (strncmp(arg, "--switches=", 11) == 0)
        t->switches = arg + 11;
    else if (strcmp(arg, "--abi=hsa") == 0)
        t->abi = OBJ_ABI_HSA;
    else if (strcmp(arg, "--abi=vulkan") == 0)
        t->abi = OBJ_ABI_VULKAN;
    else if (strcmp(arg, "--reduce") == 0)
        t->reduce = true;
    else
        return false;
    for (unsigned k = 0; k < N_GENERATORS; k++) {
        if (t->chosen && strcmp(t->chosen, generators[k].name) == 0)
            return true;
    }
    return !t->chosen;
}

static void
run_one(tool *t, uint64_t seed)
{
    gen_info info = {0};
    t->made++;
    if (agree(t, seed, (gen_cuts){0}, &info, true))
        return;
    t->disagreements++;
    if (t->reduce)
        reduce(t, seed);
}

/* Runs the programs; output is not buffered, even if it goes to a file. */
static void
run_all(tool *t)
{
    for (uint64_t i = 0; i < t->programs; i++) {
        for (unsigned k = 0; k < N_GENERATORS; k++) {
            t->family = &generators[k];
            if (!t->chosen || strcmp(t->chosen, t->family->name) == 0)
                run_one(t, t->first + i);
        }
        if ((i + 1) % PROGRESS == 0 && i + 1 < t->programs)
            printf("... to seed %llu: %u disagreements\n", (unsigned long long)(t->first + i),
                   t->disagreements);
        fflush(stdout);
    }
}

static void
print_summary(const tool *t)
{
    printf("%u passed, %u failed, 0 skipped\n", t->made - t->disagreements, t->disagreements);
    printf("%u programs (seeds %llu to %llu), %u disagreements; %s, ran on", t->made,
           (unsigned long long)t->first, (unsigned long long)(t->first + t->programs - 1),
           t->disagreements, target_name(t));
    for (unsigned k = 0; k < N_DEVICES; k++)
        printf(" %s %u%s", device_names[k], t->ran[k], k + 1 < N_DEVICES ? "," : "");
    printf(" (%u from the cache)", t->cached);
    if (!t->device[VULKAN] && !t->target)
        printf("; not on vulkan: there is no driver");
    if (t->not_believed)
        printf("; %u differ on vulkan alone, by loops that lavapipe miscompiles", t->not_believed);
    printf("\n");
}

int
main(int argc, char **argv)
{
    static tool t = {.programs = 100, .first = 1, .keep = "."};
    for (int i = 1; i < argc; i++) {
        if (!parse_option(&t, argv[i])) {
            fprintf(stderr,
                    "usage: diff [--first=SEED] [--programs=N] [--family=mixed|loops|halves] "
                    "[--cache=DIR] [--reduce] [--keep=DIR] [--script=FILE] [--target=NAME] "
                    "[--abi=vulkan|hsa] [--switches=WORDS]\n");
            return 2;
        }
    }
    arena_init(&t.devices, &base_malloc_allocator, diag_out_of_memory, &t.d);
    arena_init(&t.a, &base_malloc_allocator, diag_out_of_memory, &t.d);
    if (!DIAG_TRY(&t.d)) {
        fprintf(stderr, "diff: %s\n", t.d.message);
        return 3;
    }
    if (!open_devices(&t)) {
        fprintf(stderr, "diff: there is no target %s that runs shaders\n", t.target);
        return 2;
    }
    frontend_hold *hold = frontend_acquire();
    run_all(&t);
    frontend_release(hold);
    print_summary(&t);
    close_devices(&t);
    arena_free(&t.a);
    arena_free(&t.devices);
    return t.disagreements ? 1 : 0;
}
