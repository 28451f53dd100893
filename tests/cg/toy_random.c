/* Random programs on the made-up machine: each goes through all passes of src/cg, with many and
 * with very few registers, and must put out the same after each. It also goes through all without
 * spilling: then it must do so too, or be refused because it needs more registers.
 *
 *     toy_random [--first=N] [--programs=N]   runs so many seeds
 *     toy_random --seed=N                     prints the program of one, and runs it
 */
#include "toy_check.h"
#include "toy_gen.h"

#include "base/buf.h"
#include "ir/text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct totals {
    unsigned same, endless, refused, wrong;
    uint64_t stored[TOY_BANKS]; /* units that were spilled, so that it is known that some are */
} totals;

static volatile unsigned long current; /* seed, for the handler of signals */

static void
die(int signal)
{
    fprintf(stderr, "seed %lu: signal %d; --seed=%lu shows it\n", current, signal, current);
    _Exit(1);
}

/* A third of the seeds have all registers, a third some, a third as few as can be. */
static toy_bounds
bounds_of(uint64_t seed)
{
    toy_bounds b = {{0}};
    uint32_t h = (uint32_t)(seed * 2654435761u) >> 8;
    if (seed % 3 == 1)
        b = (toy_bounds){{(uint16_t)(12 + h % 48), (uint16_t)(24 + h / 64 % 40)}};
    else if (seed % 3 == 2)
        b = (toy_bounds){{1, 1, 1, 1}};
    b.seed = seed;
    b.in_turn = h / 4096 % 2;
    return b;
}

/* Few registers, so that there are often not enough. */
static toy_bounds
tight_bounds(uint64_t seed)
{
    uint32_t h = (uint32_t)(seed * 2246822519u) >> 8;
    return (toy_bounds){.units = {(uint16_t)(16 + h % 40), (uint16_t)(32 + h / 64 % 32),
                                  (uint16_t)(2 + h / 4096 % 3)},
                        .seed = seed,
                        .in_turn = h / 16384 % 2,
                        .unspilled = true};
}

static void
print_program(ir_ctx *ctx, const toy_shape *shape)
{
    base_buf out = buf_make(ctx->arena);
    ir_print(toy_generate(ctx, shape), 0, &out);
    printf("%s", buf_text(&out));
    fflush(stdout);
}

static void
note_failure(ir_ctx *ctx, const toy_shape *shape, bool show, totals *t)
{
    t->wrong++;
    if (!show && DIAG_TRY(ctx->diag))
        print_program(ctx, shape);
}

static void
run_seed(ir_ctx *ctx, uint64_t seed, const toy_bounds *bounds, bool show, totals *t)
{
    toy_shape shape = toy_random_shape(seed);
    const char *volatile after = "generating";
    const char *at = NULL;
    ir_fn *volatile f = NULL;
    current = (unsigned long)seed;
    if (DIAG_TRY(ctx->diag)) {
        f = toy_generate(ctx, &shape);
        toy_result r = toy_check(f, bounds, &at);
        after = at;
        t->same += r == TOY_SAME;
        t->endless += r == TOY_ENDLESS;
        for (unsigned k = 0; k < TOY_BANKS; k++)
            t->stored[k] += toy_prog(f)->stored[k];
        if (r != TOY_WRONG)
            return;
        printf("seed %lu: another result after %s\n", current, after);
    } else if (bounds->unspilled && f && toy_is_refusal(f, ctx->diag->message)) {
        t->refused++;
        return;
    } else {
        printf("seed %lu: %s\n", current, ctx->diag->message);
    }
    note_failure(ctx, &shape, show, t);
}

static void
run_in_arenas(uint64_t seed, const toy_bounds *bounds, bool show, totals *t)
{
    diag d;
    arena a, scratch;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    arena_init(&scratch, &base_malloc_allocator, diag_out_of_memory, &d);
    ir_ctx ctx = {.diag = &d, .arena = &a, .scratch = &scratch};
    if (show && DIAG_TRY(&d)) {
        toy_shape shape = toy_random_shape(seed);
        print_program(&ctx, &shape);
    }
    run_seed(&ctx, seed, bounds, show, t);
    arena_free(&scratch);
    arena_free(&a);
}

/* With spilling, and without. */
static void
run_both(uint64_t seed, bool show, totals *t)
{
    toy_bounds spilled = bounds_of(seed), tight = tight_bounds(seed);
    run_in_arenas(seed, &spilled, show, t);
    run_in_arenas(seed, &tight, false, t);
}

int
main(int argc, char **argv)
{
    unsigned long first = 1, programs = 1000;
    bool show = false;
    totals t = {0};
    for (int k = 1; k < argc; k++) {
        if (strncmp(argv[k], "--seed=", 7) == 0) {
            first = strtoul(argv[k] + 7, NULL, 10);
            programs = 1;
            show = true;
        } else if (strncmp(argv[k], "--first=", 8) == 0) {
            first = strtoul(argv[k] + 8, NULL, 10);
        } else if (strncmp(argv[k], "--programs=", 11) == 0) {
            programs = strtoul(argv[k] + 11, NULL, 10);
        } else {
            fprintf(stderr, "usage: toy_random [--first=N] [--programs=N] | --seed=N\n");
            return 2;
        }
    }
    signal(SIGABRT, die);
    signal(SIGSEGV, die);
    for (unsigned long k = 0; k < programs && t.wrong < 10; k++)
        run_both(first + k, show, &t);
    printf("%u the same, %u ran too long, %u refused without spilling; spilled units: %lu scalar, "
           "%lu vector, %lu predicate, %lu address\n",
           t.same, t.endless, t.refused, (unsigned long)t.stored[0], (unsigned long)t.stored[1],
           (unsigned long)t.stored[2], (unsigned long)t.stored[3]);
    printf("%u passed, %u failed, 0 skipped\n", t.same + t.refused, t.wrong);
    return t.wrong != 0;
}
