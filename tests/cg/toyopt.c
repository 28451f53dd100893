/* Passes of src/cg on the made-up machine.
 *
 *     toyopt [--s N] [--v N] [--p N] [--a N] [--kills] [--turns] [--seed N] PASS... < FILE
 *
 * reads machine IR, runs the passes in that order, and prints the result. --s, --v, --p and --a
 * bound the units of the banks, --turns takes registers in turn, --seed selects random orders. A pass
 * is a name of the table below;
 * some print what an analysis has found.
 * A file may hold several functions, separated by lines that begin with "----"; text before the
 * first line that begins with "shader:" is ignored.
 */
#include "toy_check.h"
#include "toy_order.h"
#include "toy_run.h"
#include "toy_show.h"

#include "base/buf.h"
#include "cg/cssa.h"
#include "cg/live.h"
#include "cg/register_allocation.h"
#include "cg/spilling.h"
#include "cg/ssa_elimination.h"
#include "cg/value_numbering.h"
#include "ir/pass.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "opt/opt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- passes ---- */

static void
cssa(ir_fn *f)
{
    cg_lower_to_cssa(f, f->arena);
}

static void
verify(ir_fn *f)
{
    ir_verify(f, "toyopt");
}

static void
number(ir_fn *f)
{
    ir_require(f, IR_HAS_DOMINANCE | IR_HAS_LOOPS);
    cg_number_values(f);
}

static void
remove_dead(ir_fn *f)
{
    opt_dce(f);
}

static void
execute(ir_fn *f, bool trace)
{
    toy_run *m = ARENA_NEW(f->arena, toy_run);
    m->trace = trace;
    toy_execute(m, f, f->allocated, f->arena);
    printf("%s, %u bytes of output: %016llx\n", m->ended ? "ended" : "runs on", m->n_output,
           (unsigned long long)m->output);
}

static void
run(ir_fn *f)
{
    execute(f, false);
}

static void
trace(ir_fn *f)
{
    execute(f, true);
}

static const struct {
    const char *name;
    void (*run)(ir_fn *f);
} passes[] = {
    {"verify", verify},
    {"live", cg_find_live},
    {"demand", toy_show_demand},
    {"pressure", toy_show_pressure},
    {"spans", toy_show_spans},
    {"next-uses", toy_show_next_uses},
    {"webs", toy_show_webs},
    {"wants", toy_show_wants},
    {"effects", toy_show_effects},
    {"graph", toy_show_graph},
    {"forwards", toy_show_forwards},
    {"backwards", toy_show_backwards},
    {"reorder", toy_reorder},
    {"schedule", toy_schedule},
    {"lower-demand", toy_lower_demand},
    {"window", toy_schedule_window},
    {"delays", toy_schedule_delays},
    {"bundle", toy_make_bundles},
    {"number", number},
    {"dce", remove_dead},
    {"constants", cg_remove_unused_constants},
    {"cssa", cssa},
    {"spill", toy_spill},
    {"behind", toy_wish_neighbours},
    {"ra", cg_allocate_registers},
    {"validate", cg_validate_registers},
    {"leave_ssa", cg_ssa_elimination},
    {"lower", toy_lower},
    {"run", run},
    {"trace", trace},
};

enum { PASSES = sizeof passes / sizeof *passes, MOST = 16 };

/* ---- the command ---- */

typedef struct options {
    toy_bounds bounds;
    unsigned print_flags;
    unsigned run[MOST]; /* numbers of passes */
    unsigned n_run;
} options;

static unsigned
find_pass(const char *name)
{
    unsigned k = 0;
    while (k < PASSES && strcmp(passes[k].name, name) != 0)
        k++;
    return k;
}

static bool
parse_options(options *o, int argc, char **argv)
{
    static const char *const bounds[TOY_BANKS] = {"--s", "--v", "--p", "--a"};
    for (int a = 1; a < argc; a++) {
        unsigned bank = 0, pass = find_pass(argv[a]);
        while (bank < TOY_BANKS && strcmp(bounds[bank], argv[a]) != 0)
            bank++;
        if (bank < TOY_BANKS && a + 1 < argc)
            o->bounds.units[bank] = (uint16_t)atoi(argv[++a]);
        else if (strcmp(argv[a], "--seed") == 0 && a + 1 < argc)
            o->bounds.seed = strtoull(argv[++a], NULL, 10);
        else if (strcmp(argv[a], "--turns") == 0)
            o->bounds.in_turn = true;
        else if (strcmp(argv[a], "--kills") == 0)
            o->print_flags |= IR_PRINT_KILLS;
        else if (pass < PASSES && o->n_run < MOST)
            o->run[o->n_run++] = pass;
        else
            return false;
    }
    return true;
}

static void
run_function(const options *o, ir_ctx *ctx, const char *text, size_t size)
{
    const char *start = strstr(text, "shader:");
    if (start && start < text + size) {
        size -= (size_t)(start - text);
        text = start;
    }
    ir_fn *f = ir_parse(ctx, &toy_level, text, size);
    toy_prepare(f, &o->bounds);
    for (unsigned r = 0; r < o->n_run; r++)
        passes[o->run[r]].run(f);
    base_buf out = buf_make(ctx->arena);
    ir_print(f, o->print_flags, &out);
    fputs(buf_text(&out), stdout);
}

static void
run_all(const options *o, ir_ctx *ctx)
{
    base_buf in = buf_make(ctx->arena);
    char chunk[4096];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, stdin)) > 0)
        buf_put(&in, chunk, n);
    const char *text = buf_text(&in);
    while (*text) {
        const char *end = strstr(text, "\n----");
        size_t size = end ? (size_t)(end + 1 - text) : strlen(text);
        run_function(o, ctx, text, size);
        text = end ? end + 1 + strcspn(end + 1, "\n") : text + size;
    }
}

int
main(int argc, char **argv)
{
    options o = {0};
    diag d;
    arena a, scratch;
    if (!parse_options(&o, argc, argv)) {
        fprintf(stderr, "usage: toyopt [--s N] [--v N] [--p N] [--a N] [--kills] [--turns] [--seed "
                        "N] PASS... < FILE\n");
        return 2;
    }
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    arena_init(&scratch, &base_malloc_allocator, diag_out_of_memory, &d);
    ir_ctx ctx = {.diag = &d, .arena = &a, .scratch = &scratch};
    volatile int result = 0;
    if (DIAG_TRY(&d)) {
        run_all(&o, &ctx);
    } else {
        char message[DIAG_MESSAGE_MAX + 64];
        diag_format(&d, message, sizeof message);
        fflush(stdout);
        fprintf(stderr, "%s\n", message);
        result = 1;
    }
    arena_free(&scratch);
    arena_free(&a);
    return result;
}
