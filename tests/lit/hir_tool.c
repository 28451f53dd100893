/* hir_tool [OPTION]... [FILE]: reads a function as text (from FILE or standard input), executes the
 * options in their order, and prints the function. For text tests of the IR and its analyses.
 *
 *   --level NAME   the text is of level NAME (hir, amd)
 *   --verify       verifies it as a user's program
 *   --divergence   prints con and div
 *   --lcssa        closes loops
 *   --dominance, --loops, --liveness   print the analysis instead of the function
 *   --twice        prints it, parses the text and prints the result
 *
 * Exit codes: 0, 1 for a bad input, 2 for a wrong option.
 */
#include "cg/live.h"
#include "ir/dominance.h"
#include "ir/text.h"
#include "ir/verify.h"

#include "amd/amd.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct tool {
    diag d;
    arena a, scratch;
    ir_ctx ctx;
    const ir_level *level;
    ir_fn *f;
    unsigned flags;
    bool silent;
} tool;

static char *
read_input(tool *t, const char *path, size_t *size)
{
    FILE *in = path ? fopen(path, "rb") : stdin;
    base_buf text = buf_make(&t->a);
    char chunk[4096];
    size_t n;
    if (!in) {
        fprintf(stderr, "hir_tool: cannot open %s\n", path);
        exit(2);
    }
    while ((n = fread(chunk, 1, sizeof chunk, in)) > 0)
        buf_put(&text, chunk, n);
    if (path)
        fclose(in);
    *size = text.size;
    return buf_text(&text);
}

static void
print_dominance(const ir_fn *f)
{
    for (unsigned list = 0; list < (f->level->machine ? 2u : 1u); list++) {
        IR_FOREACH_BLOCK(b, f) {
            printf("%s b%u:", list ? "linear" : "logical", b->index);
            if (ir_idom(b, list))
                printf(" b%u", ir_idom(b, list)->index);
            IR_FOREACH_BLOCK(c, f) {
                if (c != b && ir_dominates(b, c, list))
                    printf(" >b%u", c->index);
            }
            printf("\n");
        }
    }
}

static void
print_loops(const ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        printf("b%u: depth %u", b->index, b->loop_depth);
        if (b->loop_header)
            printf(" header b%u", b->loop_header->index);
        printf("\n");
    }
}

static void
print_ids(const char *what, const cg_id_set *set)
{
    printf("%s", what);
    for (uint32_t k = 0; k < set->count; k++)
        printf(" %%%u", set->ids[k]);
}

static void
print_liveness(tool *t)
{
    const cg_live *live = cg_find_live_sets(t->f);
    IR_FOREACH_BLOCK(b, t->f) {
        printf("b%u:", b->index);
        print_ids(" in", &live->in[b->index]);
        print_ids(", out", &live->out[b->index]);
        printf("\n");
    }
}

static bool
run_option(tool *t, const char *name)
{
    if (strcmp(name, "--verify") == 0) {
        ir_verify(t->f, NULL);
    } else if (strcmp(name, "--divergence") == 0) {
        ir_compute_loops(t->f);
        ir_compute_divergence(t->f);
        t->flags |= IR_PRINT_DIVERGENCE;
    } else if (strcmp(name, "--lcssa") == 0) {
        ir_convert_to_lcssa(t->f);
    } else if (strcmp(name, "--dominance") == 0) {
        ir_compute_dominance(t->f);
        print_dominance(t->f);
        t->silent = true;
    } else if (strcmp(name, "--loops") == 0) {
        ir_compute_loops(t->f);
        print_loops(t->f);
        t->silent = true;
    } else if (strcmp(name, "--liveness") == 0) {
        print_liveness(t);
        t->silent = true;
    } else if (strcmp(name, "--twice") == 0) {
        base_buf out = buf_make(&t->a);
        ir_print(t->f, IR_PRINT_KILLS, &out);
        t->f = ir_parse(&t->ctx, t->level, buf_text(&out), out.size);
    } else {
        return false;
    }
    return true;
}

static int
run(tool *t, int argc, char **argv)
{
    size_t size;
    const char *path = argc > 1 && argv[argc - 1][0] != '-' ? argv[argc - 1] : NULL;
    char *text = read_input(t, path, &size);
    t->d.loc.file = path ? path : "<stdin>";
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--level=amd") == 0)
            t->level = &amd_level;
    }
    t->f = ir_parse(&t->ctx, t->level, text, size);
    for (int i = 1; i < argc - (path ? 1 : 0); i++) {
        if (strncmp(argv[i], "--level=", 8) != 0 && !run_option(t, argv[i])) {
            fprintf(stderr, "hir_tool: unknown option %s\n", argv[i]);
            return 2;
        }
    }
    base_buf out = buf_make(&t->a);
    ir_print(t->f, t->flags, &out);
    if (!t->silent)
        fwrite(out.data, 1, out.size, stdout);
    return 0;
}

int
main(int argc, char **argv)
{
    static tool t;
    diag_init(&t.d);
    arena_init(&t.a, &base_malloc_allocator, diag_out_of_memory, &t.d);
    arena_init(&t.scratch, &base_malloc_allocator, diag_out_of_memory, &t.d);
    t.ctx = (ir_ctx){.diag = &t.d, .arena = &t.a, .scratch = &t.scratch};
    t.level = &ir_hir_level;
    int code = 1;
    if (DIAG_TRY(&t.d)) {
        code = run(&t, argc, argv);
    } else {
        char message[1024];
        diag_format(&t.d, message, sizeof message);
        fprintf(stderr, "%s\n", message);
    }
    arena_free(&t.a);
    arena_free(&t.scratch);
    return code;
}
