/* Makes shaders at random and runs each on the HIR interpreter, on the emulated targets, and on the
 * system's Vulkan driver (diff_devices.h); all buffers and images must be the same afterwards.
 *
 *     diff [--first=SEED] [--programs=N] [--family=NAME] [--on=LIST] [--cache=DIR] [--reduce]
 *          [--keep=DIR] [--script=FILE] [--print] [--target=NAME] [--abi=vulkan|hsa]
 *          [--switches=WORDS]
 *
 * A seed makes a program of each family (gen_family.h, gen_*.c); --family selects one. A family's
 * program for a seed does not depend on the other families. --on names devices, or `all`; --target
 * any target that is compiled for, in the wave sizes that it has. --switches are those of
 * HEDDLE_DEBUG, such as tight budgets of registers.
 *
 * Half of the programs with loops are first optimised by SPIR-V's optimizer, which gives loops
 * other forms than GLSL's compiler.
 *
 * Words are compared; all NaNs are equal, and so are zeros of both signs. With --reduce a program
 * that disagrees is reduced by omitting statements as long as it still disagrees, and is written to
 * DIR as a script. With --cache the Vulkan driver's results are kept (diff_cache.h). --print prints
 * the scripts and runs nothing. A line every 100 seeds reports the progress, from which --first can
 * continue; the last line has the totals. Exit code 1 if programs disagree.
 */
#include "amber/run.h"
#include "diff_cache.h"
#include "diff_devices.h"
#include "gen_family.h"
#include "script_shader.h"

#include "base/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

enum { PROGRESS = 100, N_OUT = GEN_INVOCATIONS * GEN_WORDS };

static const gen_family *const families[] = {
    &gen_mixed,     &gen_loops, &gen_halves,    &gen_sizes,    &gen_matrices, &gen_images,
    &gen_subgroups, &gen_lanes, &gen_fragments, &gen_switches, &gen_pixels,   &gen_varyings};
enum { N_FAMILIES = sizeof families / sizeof *families };

typedef struct tool {
    diag d;
    arena devices_arena, a;
    diff_devices devices;
    uint64_t programs, first; /* seeds */
    unsigned family;          /* of the program that runs */
    const char *chosen;       /* the family's name; NULL: all */
    unsigned made;
    bool reduce, print;
    bool reducing; /* runs are of reduced programs, which are neither counted nor kept */
    const char *keep;
    const char *script; /* a script that is run instead of generated ones */
    const char *cache_folder;
    unsigned disagreements;
    unsigned cached; /* results of the Vulkan driver that came from the cache */
    /* programs that differ on the Vulkan driver for the reasons in gen_info and gen_family */
    unsigned not_believed;
    uint32_t expected[N_OUT]; /* what `out` is on the interpreter, of the last disagreement */
} tool;

/* A shader's SPIR-V. */
typedef struct module {
    const uint32_t *words; /* NULL: not compiled yet */
    size_t n_words;
    const char *message; /* why it does not compile */
} module;

/* A program and its SPIR-V, which all devices share. */
typedef struct program {
    tool *t;
    const char *text;
    bool by_wave, no_driver;
    module modules[2]; /* the vertex shader's second */
} program;

/* What a device has made of all buffers and images, one after the other. */
typedef struct outcome {
    amber_result result;
    arena *a;
    uint32_t *words;
    size_t n;
} outcome;

/* ---- scripts ---- */

/* Comments of scripts: their SPIR-V is optimized; gen_family's flags. */
static const char optimized_mark[] = "# optimized SPIR-V\n";
static const char by_wave_mark[] = "# depends on the size of subgroups\n";
static const char no_driver_mark[] = "# not for the Vulkan driver\n";

static void
put_buffer(base_buf *b, const char *name, uint64_t seed, unsigned n, bool random)
{
    buf_printf(b, "BUFFER %s DATA_TYPE uint32 DATA\n", name);
    for (unsigned i = 0; i < n; i++)
        buf_printf(b, " %u", random ? (uint32_t)base_hash64(seed * 8191 + i) >> (i % 5 * 6) : 0u);
    buf_puts(b, "\nEND\n");
}

/* The beginning of a pipeline that draws a triangle or a rectangle. */
static void
put_graphics(base_buf *b, bool one_triangle)
{
    buf_printf(b,
               "BUFFER frame FORMAT R32G32B32A32_UINT\n"
               "BUFFER corners DATA_TYPE R32G32_SFLOAT DATA -1 -1  3 -1  -1 3 END\n"
               "PIPELINE graphics pipeline\n  ATTACH vertex\n  ATTACH shader\n%s"
               "  FRAMEBUFFER_SIZE %u %u\n  BIND BUFFER frame AS color LOCATION 0\n",
               one_triangle ? "  VERTEX_DATA corners LOCATION 0\n" : "", GEN_WIDTH, GEN_HEIGHT);
}

static void
put_pipeline(base_buf *b, const gen_family *f, const gen_info *info)
{
    static const char *const names[] = {"in", "out", "counters"};
    unsigned workgroup = info->workgroup ? info->workgroup : GEN_WORKGROUP;
    if (f->make_vertex)
        put_graphics(b, info->one_triangle);
    else
        buf_puts(b, "PIPELINE compute pipeline\n  ATTACH shader\n");
    const bool is_uniform = f->flags & GEN_UNIFORM_INPUT;
    for (unsigned i = 0; i < (is_uniform ? 1 : 3); i++)
        buf_printf(b, "  BIND BUFFER %s AS %s DESCRIPTOR_SET 0 BINDING %u\n", names[i],
                   is_uniform ? "uniform" : "storage", i);
    buf_puts(b, "  BIND BUFFER uniforms AS uniform DESCRIPTOR_SET 0 BINDING 3\n");
    buf_puts(b, f->bindings ? f->bindings : "");
    if (f->make_vertex && info->one_triangle)
        buf_puts(b, "END\nCLEAR pipeline\n"
                    "RUN pipeline DRAW_ARRAY AS TRIANGLE_LIST START_IDX 0 COUNT 3\n");
    else if (f->make_vertex)
        buf_printf(b, "END\nCLEAR pipeline\nRUN pipeline DRAW_RECT POS 0 0 SIZE %u %u\n", GEN_WIDTH,
                   GEN_HEIGHT);
    else
        buf_printf(b, "END\nRUN pipeline %u 1 1\n", GEN_INVOCATIONS / workgroup);
}

static char *
make_script(const tool *t, arena *a, uint64_t seed, gen_cuts cuts, gen_info *info)
{
    const gen_family *f = families[t->family];
    base_buf b = buf_make(a);
    bool optimized = (f->flags & GEN_OPTIMIZED) && seed % 2;
    bool by_wave = f->flags & GEN_BY_WAVE;
    buf_printf(&b, "#!amber\n%s%s%sSHADER %s shader GLSL%s\n", optimized ? optimized_mark : "",
               by_wave ? by_wave_mark : "", f->flags & GEN_NO_DRIVER ? no_driver_mark : "",
               f->make_vertex ? "fragment" : "compute", by_wave ? " TARGET_ENV spv1.3" : "");
    *info = f->make(seed, cuts, &b);
    info->beyond_lavapipe |= optimized; /* the optimizer can make such loops from others */
    buf_puts(&b, "END\n");
    if (f->make_vertex) {
        buf_puts(&b, "SHADER vertex vertex GLSL\n");
        f->make_vertex(seed, &b);
        buf_puts(&b, "END\n");
    }
    put_buffer(&b, "in", seed, GEN_INVOCATIONS * GEN_WORDS, true);
    put_buffer(&b, "out", 0, GEN_INVOCATIONS * GEN_WORDS, false);
    put_buffer(&b, "counters", 0, GEN_COUNTERS, false);
    put_buffer(&b, "uniforms", seed + 1, 4, true);
    if (f->resources)
        f->resources(seed, &b);
    put_pipeline(&b, f, info);
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
    module *m = &p->modules[at->stage == AMBER_VERTEX];
    (void)a;
    if (!m->words && !m->message) {
        frontend_result r = translate(p, script, at);
        if (r.ok) {
            m->words = arena_copy(&p->t->a, r.words, r.n_words * 4);
            m->n_words = r.n_words;
        } else {
            m->message = arena_strdup(&p->t->a,
                                      r.messages ? r.messages : "the shader does not compile");
        }
        frontend_free(&r);
    }
    *words = m->words;
    *count = m->n_words;
    *message = m->message;
    return m->words != NULL;
}

static void
collect(void *user, const amber_script *script, const amber_memory *memory,
        const amber_command *failed)
{
    (void)failed;
    outcome *o = user;
    size_t bytes = 0, at = 0;
    for (uint32_t i = 0; i < script->buffer_count; i++)
        bytes += (size_t)memory[i].size;
    o->n = bytes / 4;
    o->words = arena_zalloc(o->a, bytes + 4);
    for (uint32_t i = 0; i < script->buffer_count; i++) {
        memcpy((uint8_t *)o->words + at, memory[i].bytes, (size_t)memory[i].size);
        at += (size_t)memory[i].size;
    }
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
    amber_observer observer = {.finished = collect, .user = o};
    arena scratch;
    arena_init(&scratch, &base_malloc_allocator, diag_out_of_memory, &t->d);
    if (DIAG_TRY(&t->d)) {
        static const amber_loader none = {0};
        amber_script *script = amber_parse(&t->a, &t->d, "generated", p->text, strlen(p->text),
                                           &none);
        amber_run(script, t->devices.device[device], &frontend, &observer, &scratch, &o->result);
    } else {
        amber_set_result(&o->result, AMBER_FAIL, "%s", t->d.message);
    }
    arena_free(&scratch);
}

/* The Vulkan driver's results, from the cache if they are there. The interpreter ran before, with
 * outcome `first`. */
static void
run_on_driver(tool *t, program *p, unsigned device, const outcome *first, outcome *o)
{
    const diff_cache cache = {t->cache_folder, t->devices.driver};
    const module *m = p->modules;
    const char *path = cache.folder && m->words
                           ? diff_cache_path(&cache, &t->a, p->text, m->words, m->n_words)
                           : NULL;
    o->words = arena_zalloc(&t->a, first->n * 4 + 4);
    o->n = first->n;
    if (path && diff_cache_get(path, o->words, o->n)) {
        amber_set_result(&o->result, AMBER_PASS, "");
        t->cached += !t->reducing;
        return;
    }
    run_on(t, p, device, o);
    if (path && !t->reducing && o->result.status == AMBER_PASS)
        diff_cache_put(path, o->words, o->n);
}

/* Are the words equal, except for the bits of NaNs and for the sign of zero, which min and max
 * leave undefined? */
static bool
same_word(uint32_t a, uint32_t b)
{
    bool nans = (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000;
    return a == b || nans || ((a | b) & 0x7fffffff) == 0;
}

/* The number of the first word that differs, or how many there are. */
static size_t
first_difference(const outcome *a, const outcome *b)
{
    size_t w = 0;
    while (w < a->n && same_word(a->words[w], b->words[w]))
        w++;
    return w;
}

/* Prints which word differs; those of `out` are behind those of `in`. */
static void
print_difference(const tool *t, uint64_t seed, const char *device, const outcome *o,
                 const outcome *first, size_t w)
{
    printf("seed %llu (%s): %s: ", (unsigned long long)seed, families[t->family]->name, device);
    if (w >= N_OUT && w < 2 * N_OUT)
        printf("invocation %zu, word %zu", (w - N_OUT) / GEN_WORDS, w % GEN_WORDS);
    else
        printf("word %zu of all buffers", w);
    printf(" is 0x%08x, not 0x%08x\n", o->words[w], first->words[w]);
}

/* Does the driver's result depend on the part of the program that gen_family doubts? It is right if
 * that part is replaced by one that means the same. */
static bool
is_doubted(tool *t, const program *p, unsigned device, const outcome *first)
{
    const gen_family *f = families[t->family];
    const char *at = f->doubted ? strstr(p->text, f->doubted) : NULL;
    program other = {.t = t};
    outcome o = {.a = &t->a};
    if (!at)
        return false;
    other.text = arena_printf(&t->a, "%.*s%s%s", (int)(at - p->text), p->text, f->instead,
                              at + strlen(f->doubted));
    run_on(t, &other, device, &o);
    return o.result.status == AMBER_PASS && first_difference(&o, first) == o.n;
}

/* Runs the program on a device and compares it with its reference, which ran before. */
static bool
agrees_on(tool *t, program *p, unsigned device, outcome *outcomes, const gen_info *info,
          uint64_t seed, bool loud)
{
    outcome *o = &outcomes[device],
            *first = &outcomes[diff_reference(&t->devices, device, p->by_wave)];
    bool is_driver = t->devices.rows[device].kind == DIFF_DRIVER;
    const char *name = t->devices.rows[device].name;
    o->a = &t->a;
    if (is_driver)
        run_on_driver(t, p, device, first, o);
    else
        run_on(t, p, device, o);
    if (o->result.status == AMBER_SKIP && o != first)
        return true; /* the machine cannot run it, such as images on gfx90a */
    t->devices.ran[device] += !t->reducing;
    if (first->words)
        memcpy(t->expected, first->words + N_OUT, sizeof t->expected);
    if (o->result.status != AMBER_PASS) {
        if (loud)
            printf("seed %llu (%s): %s: %s\n", (unsigned long long)seed, families[t->family]->name,
                   name, o->result.reason);
        return false;
    }
    size_t w = first_difference(o, first);
    if (w == o->n)
        return true;
    if (is_driver && !t->script && (info->beyond_lavapipe || is_doubted(t, p, device, first))) {
        t->not_believed += !t->reducing;
        return true;
    }
    if (loud)
        print_difference(t, seed, name, o, first, w);
    return false;
}

/* Compares all devices that the program runs on with the interpreter; prints a difference if
 * `loud`. */
static bool
agree(tool *t, uint64_t seed, gen_cuts cuts, gen_info *info, bool loud)
{
    arena_mark mark = arena_save(&t->a);
    program p = {.t = t};
    outcome outcomes[DIFF_DEVICES] = {{.n = 0}};
    bool same = true;
    p.text = t->script ? read_script(t) : make_script(t, &t->a, seed, cuts, info);
    p.by_wave = strstr(p.text, by_wave_mark) != NULL;
    p.no_driver = p.by_wave || (!t->devices.on && strstr(p.text, no_driver_mark));
    for (unsigned k = 0; k < DIFF_DEVICES && same; k++) {
        bool left_out = p.no_driver && t->devices.rows[k].kind == DIFF_DRIVER;
        if (!left_out && diff_runs_on(&t->devices, k, seed * N_FAMILIES + t->family, p.by_wave))
            same = agrees_on(t, &p, k, outcomes, info, seed, loud);
    }
    arena_release(&t->a, mark);
    return same;
}

/* ---- reducing ---- */

/* Writes the script with what the interpreter makes of `out` as its expectation, so that heddle run
 * and heddle bisect can take it. The last run was of this program. */
static void
write_script(tool *t, uint64_t seed, gen_cuts cuts)
{
    gen_info info;
    const char *family = families[t->family]->name;
    const char *path = arena_printf(&t->a, "%s/diff-%s-%llu.amber", t->keep, family,
                                    (unsigned long long)seed);
    FILE *f = fopen(path, "w");
    if (!f) {
        printf("%s cannot be written\n", path);
        return;
    }
    agree(t, seed, cuts, &info, false);
    fputs(make_script(t, &t->a, seed, cuts, &info), f);
    for (unsigned k = 0; k < N_OUT; k++) {
        if (k % GEN_WORDS == 0)
            fprintf(f, "\nEXPECT out IDX %u EQ", k * 4);
        fprintf(f, " %u", t->expected[k]);
    }
    fputs("\n", f);
    fclose(f);
    printf("seed %llu (%s): reduced to %s\n", (unsigned long long)seed, family, path);
}

/* Tries to omit more and more statements. */
static void
reduce(tool *t, uint64_t seed)
{
    gen_info info = {0};
    t->reducing = true;
    agree(t, seed, (gen_cuts){0}, &info, false);
    size_t n = info.statements;
    uint8_t *cut = arena_zalloc(&t->a, n + 1), *tried = arena_zalloc(&t->a, n + 1);
    for (size_t step = n; step >= 1; step /= 2) {
        for (size_t at = 0; at < n; at += step) {
            memcpy(tried, cut, n + 1);
            memset(tried + at, 1, at + step < n ? step : n - at);
            if (memcmp(tried, cut, n) != 0 && !agree(t, seed, (gen_cuts){tried, n}, &info, false))
                memcpy(cut, tried, n);
        }
    }
    write_script(t, seed, (gen_cuts){cut, n});
    t->reducing = false;
}

/* ---- the program ---- */

static bool
parse_option(tool *t, const char *arg)
{
    const struct {
        const char *name, **value;
    } words[] = {{"--cache=", &t->cache_folder},
                 {"--keep=", &t->keep},
                 {"--family=", &t->chosen},
                 {"--on=", &t->devices.on},
                 {"--target=", &t->devices.target},
                 {"--abi=", &t->devices.abi},
                 {"--switches=", &t->devices.switches},
                 {"--script=", &t->script}};
    if (strncmp(arg, "--programs=", 11) == 0)
        t->programs = strtoull(arg + 11, NULL, 0);
    else if (strncmp(arg, "--first=", 8) == 0)
        t->first = strtoull(arg + 8, NULL, 0);
    else if (strcmp(arg, "--reduce") == 0)
        t->reduce = true;
    else if (strcmp(arg, "--print") == 0)
        t->print = true;
    else {
        size_t k = 0;
        while (k < sizeof words / sizeof *words &&
               strncmp(arg, words[k].name, strlen(words[k].name)))
            k++;
        if (k == sizeof words / sizeof *words)
            return false;
        *words[k].value = arg + strlen(words[k].name);
    }
    for (unsigned k = 0; k < N_FAMILIES; k++) {
        if (t->chosen && strcmp(t->chosen, families[k]->name) == 0)
            return true;
    }
    return !t->chosen;
}

static void
run_one(tool *t, uint64_t seed)
{
    gen_info info = {0};
    t->made++;
    if (t->print) {
        printf("%s", make_script(t, &t->a, seed, (gen_cuts){0}, &info));
        return;
    }
    if (agree(t, seed, (gen_cuts){0}, &info, true))
        return;
    t->disagreements++;
    if (t->reduce && !t->script)
        reduce(t, seed);
}

/* Runs the programs; output is not buffered, even if it goes to a file. */
static void
run_all(tool *t)
{
    for (uint64_t i = 0; i < t->programs; i++) {
        for (t->family = 0; t->family < N_FAMILIES; t->family++) {
            if (!t->chosen || strcmp(t->chosen, families[t->family]->name) == 0)
                run_one(t, t->first + i);
        }
        if ((i + 1) % PROGRESS == 0 && i + 1 < t->programs && !t->print)
            printf("... to seed %llu: %u disagreements\n", (unsigned long long)(t->first + i),
                   t->disagreements);
        fflush(stdout);
    }
}

static void
print_summary(const tool *t)
{
    printf("%u passed, %u failed, 0 skipped\n", t->made - t->disagreements, t->disagreements);
    printf("%u programs (seeds %llu to %llu), %u disagreements; ran on", t->made,
           (unsigned long long)t->first, (unsigned long long)(t->first + t->programs - 1),
           t->disagreements);
    for (unsigned k = 0; k < DIFF_DEVICES; k++) {
        if (t->devices.device[k])
            printf(" %s %u%s", t->devices.rows[k].name, t->devices.ran[k],
                   k + 1 < DIFF_DEVICES ? "," : "");
    }
    printf(" (%u from the cache)", t->cached);
    if (!t->devices.driver)
        printf("; not on vulkan");
    if (t->not_believed)
        printf("; %u differ on vulkan alone, by what lavapipe is known to miscompile",
               t->not_believed);
    printf("\n");
}

/* Leaks are checked while the Vulkan driver is still open: after vkDestroyInstance its library is
 * unloaded, and its leaks could not be distinguished from ours. */
static void
close_devices(tool *t)
{
#ifdef __SANITIZE_ADDRESS__
    __lsan_do_leak_check();
#endif
    diff_close(&t->devices);
}

int
main(int argc, char **argv)
{
    static tool t = {.programs = 100, .first = 1, .keep = "."};
    for (int i = 1; i < argc; i++) {
        if (!parse_option(&t, argv[i])) {
            fprintf(stderr, "usage: diff [--first=SEED] [--programs=N] [--family=NAME] [--on=LIST] "
                            "[--cache=DIR] [--reduce] [--keep=DIR] [--script=FILE] [--print] "
                            "[--target=NAME] [--abi=vulkan|hsa] [--switches=WORDS]\n");
            return 2;
        }
    }
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* what is found survives a crash of a later program */
    t.programs = t.script ? 1 : t.programs;
    t.chosen = t.script ? families[0]->name : t.chosen;
    arena_init(&t.devices_arena, &base_malloc_allocator, diag_out_of_memory, &t.d);
    arena_init(&t.a, &base_malloc_allocator, diag_out_of_memory, &t.d);
    if (!DIAG_TRY(&t.d)) {
        fprintf(stderr, "diff: %s\n", t.d.message);
        return 3;
    }
    if (!t.print && !diff_open(&t.devices, &t.devices_arena))
        return 2;
    frontend_hold *hold = frontend_acquire();
    run_all(&t);
    frontend_release(hold);
    if (!t.print)
        print_summary(&t);
    close_devices(&t);
    arena_free(&t.a);
    arena_free(&t.devices_arena);
    return t.disagreements ? 1 : 0;
}
