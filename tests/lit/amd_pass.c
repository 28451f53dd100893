/* Runs phases of the AMD back end on machine IR read as text, and prints the result.
 *
 *     amd_pass [--wave64] [--sgprs N] [--vgprs N] [--kills] [--stats] PHASE... < FILE
 *
 * A phase is a name of the table below. --sgprs and --vgprs bound the budgets. Text before the
 * first line that begins with "shader:" is ignored; a file may hold several functions, separated by
 * lines that begin with "----".
 */
#include "amd/amd.h"
#include "base/buf.h"
#include "cg/live.h"
#include "cg/register_allocation.h"
#include "cg/ssa_elimination.h"
#include "cg/value_numbering.h"
#include "ir/pass.h"
#include "ir/text.h"
#include "ir/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct phase {
    const char *name;
    void (*run)(ir_fn *f);
} phase;

static void
number_values(ir_fn *f)
{
    ir_require(f, IR_HAS_DOMINANCE | IR_HAS_LOOPS);
    cg_number_values(f);
    ir_verify(f, "value_numbering");
}

static const phase phases[] = {
    {"optimize", amd_optimize},
    {"value_numbering", number_values},
    {"setup_reduce_temp", amd_setup_reduce_temp},
    {"live", cg_find_live},
    {"spill", amd_spill},
    {"ra", amd_register_allocation},
    {"validate_ra", cg_validate_registers},
    {"ssa_elimination", cg_ssa_elimination},
    {"optimize_postRA", amd_optimize_post_ra},
    {"lower", amd_lower_to_hw_instr},
    {"waits", amd_insert_wait_states},
};

typedef struct options {
    uint32_t wave_size, sgprs, vgprs;
    unsigned print_flags;
    bool stats;
    const phase *run[16];
    unsigned n_run;
} options;

static const phase *
find_phase(const char *name)
{
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        if (strcmp(phases[i].name, name) == 0)
            return &phases[i];
    }
    return NULL;
}

static bool
parse_options(options *o, int argc, char **argv)
{
    for (int a = 1; a < argc; a++) {
        if (strcmp(argv[a], "--wave64") == 0)
            o->wave_size = 64;
        else if (strcmp(argv[a], "--kills") == 0)
            o->print_flags |= IR_PRINT_KILLS;
        else if (strcmp(argv[a], "--stats") == 0)
            o->stats = true;
        else if (strcmp(argv[a], "--sgprs") == 0 && a + 1 < argc)
            o->sgprs = (uint32_t)atoi(argv[++a]);
        else if (strcmp(argv[a], "--vgprs") == 0 && a + 1 < argc)
            o->vgprs = (uint32_t)atoi(argv[++a]);
        else if (find_phase(argv[a]) && o->n_run < 16)
            o->run[o->n_run++] = find_phase(argv[a]);
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
    ir_fn *f = ir_parse(ctx, &amd_level, text, size);
    amd_program *p = ARENA_NEW(ctx->arena, amd_program);
    p->fn = f;
    p->target = amd_find_target("gfx1030");
    p->wave_size = o->wave_size;
    p->lane_mask = o->wave_size == 64 ? AMD_S2 : AMD_S1;
    p->debug_sgprs = (uint16_t)o->sgprs;
    p->debug_vgprs = (uint16_t)o->vgprs;
    f->backend = p;
    f->target = p->target;
    for (unsigned r = 0; r < o->n_run; r++)
        o->run[r]->run(f);
    base_buf out = buf_make(ctx->arena);
    ir_print(f, o->print_flags, &out);
    fputs(buf_text(&out), stdout);
    if (o->stats)
        printf("demand: %d sgprs, %d vgprs; waves: %u; budget: %u sgprs, %u vgprs; used: %u "
               "sgprs, %u vgprs; spilled: %u sgprs, %u vgprs; scratch: %u\n",
               p->cg.max_demand.units[AMD_BANK_SGPR], p->cg.max_demand.units[AMD_BANK_VGPR],
               p->max_waves, p->cg.budget[AMD_BANK_SGPR], p->cg.budget[AMD_BANK_VGPR],
               p->sgprs_used, p->vgprs_used, p->spilled_sgprs, p->spilled_vgprs, p->scratch_bytes);
}

static size_t
read_all(base_buf *in)
{
    char chunk[4096];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, stdin)) > 0)
        buf_put(in, chunk, n);
    return in->size;
}

int
main(int argc, char **argv)
{
    options o = {.wave_size = 32};
    diag d;
    arena a, scratch;
    if (!parse_options(&o, argc, argv)) {
        fprintf(stderr, "usage: amd_pass [options] PHASE... < FILE\n");
        return 2;
    }
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    arena_init(&scratch, &base_malloc_allocator, diag_out_of_memory, &d);
    ir_ctx ctx = {.diag = &d, .arena = &a, .scratch = &scratch};
    volatile int result = 0;
    if (DIAG_TRY(&d)) {
        base_buf in = buf_make(&a);
        read_all(&in);
        const char *text = buf_text(&in);
        while (*text) {
            const char *end = strstr(text, "\n----");
            size_t size = end ? (size_t)(end + 1 - text) : strlen(text);
            run_function(&o, &ctx, text, size);
            text = end ? end + 1 + strcspn(end + 1, "\n") : text + size;
        }
    } else {
        char message[DIAG_MESSAGE_MAX + 64];
        diag_format(&d, message, sizeof message);
        fprintf(stderr, "%s\n", message);
        result = 1;
    }
    arena_free(&scratch);
    arena_free(&a);
    return result;
}
