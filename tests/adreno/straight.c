/* Runs the checkers of waits and delays over code whose inputs are not available.
 *
 *     straight < PROGRAMS
 *
 * A line of PROGRAMS is a generation, a name without spaces and the program's words in hexadecimal,
 * 16 digits each. The instructions of each program are passed to the checkers along these paths,
 * each starting with nothing outstanding:
 * - from its beginning, and from after each instruction that does not continue with the next, to
 *   the next such instruction, as if no branch were taken;
 * - the same up to a branch, which is taken, then on from its target.
 * Prints the findings, each instruction's first, and closes each program with a line "NAME: N
 * instructions, N paths, N findings".
 *
 * Nothing is executed, so this misses what depends on which fibres are active, and effects of two
 * branches taken one after another. */
#include "adreno/emu/check/sync.h"
#include "adreno/emu/core/alias.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 1 << 22, MAX_TARGET_PATH = 400, DIGITS = 16 };

typedef struct program {
    arena a;
    adreno_dispatch d;
    adreno_machine m;
    adreno_group g;
    adreno_wave w;
    mach_report report;
    uint32_t n, paths;
} program;

static void
out_of_memory(void *user)
{
    (void)user;
    fputs("no memory\n", stderr);
    exit(1);
}

static void
open_program(program *p, unsigned gen, const char *hex)
{
    memset(p, 0, sizeof *p);
    arena_init(&p->a, &base_malloc_allocator, out_of_memory, NULL);
    p->n = (uint32_t)(strlen(hex) / DIGITS);
    p->d = (adreno_dispatch){.gen = gen, .checks = MACH_CHECK_WAITS | MACH_CHECK_HAZARDS};
    p->m = (adreno_machine){.d = &p->d,
                            .isa = adreno_isa_open(&p->a, gen),
                            .arena = &p->a,
                            .report = &p->report,
                            .insts = ARENA_ARRAY(&p->a, p->n + 1, adreno_inst),
                            .sync_plans = ARENA_ARRAY(&p->a, p->n + 1, struct adreno_sync_plan *),
                            .n_insts = p->n};
    for (uint32_t k = 0; k < p->n; k++) {
        char digits[DIGITS + 1] = "";
        memcpy(digits, hex + (size_t)k * DIGITS, DIGITS);
        adreno_decode(p->m.isa, strtoull(digits, NULL, 16), &p->m.insts[k]);
    }
    p->w = (adreno_wave){.isa = p->m.isa,
                         .m = &p->m,
                         .group = &p->g,
                         .n_fibres = 1,
                         .active = {1},
                         .is_merged = gen >= 6,
                         .sync = adreno_sync_new(&p->a)};
}

/* ---- paths ---- */

/* Does the next instruction not follow? */
static bool
ends(const adreno_inst *in)
{
    return in->op == ADRENO_END || in->op == ADRENO_JUMP || in->op == ADRENO_RET;
}

static bool
branches(const adreno_inst *in)
{
    const bool may = in->op != ADRENO_RAW && in->op != ADRENO_END;
    return may && adreno_category_of(in->op) == 0 &&
           adreno_field_width(adreno_format_of(in->op), ADRENO_F_imm);
}

static void
check_instruction(program *p, const adreno_inst *in)
{
    adreno_sync_before(&p->w, in);
    if (adreno_is_texture_alias(in))
        adreno_alias_add(&p->w, in);
    adreno_alias_end(&p->w, in);
}

static void
check(program *p, uint32_t at)
{
    p->w.at = at;
    if (p->m.insts[at].op != ADRENO_RAW)
        check_instruction(p, &p->m.insts[at]);
}

/* From `first` to `last`, where the branch is taken, then from its target on. */
static void
take_branch(program *p, uint32_t first, uint32_t last)
{
    const int64_t to = (int64_t)last + (int32_t)p->m.insts[last].f[ADRENO_F_imm];
    adreno_sync_start(&p->w);
    for (uint32_t k = first; k <= last; k++)
        check(p, k);
    for (int64_t k = to; k >= 0 && k < p->n && k < to + MAX_TARGET_PATH; k++) {
        check(p, (uint32_t)k);
        if (ends(&p->m.insts[k]))
            break;
    }
    p->paths++;
}

static void
follow(program *p)
{
    for (uint32_t first = 0, k; first < p->n; first = k + 1) {
        adreno_sync_start(&p->w);
        for (k = first; k < p->n && !ends(&p->m.insts[k]); k++)
            check(p, k);
        if (k < p->n)
            check(p, k);
        p->paths++;
        for (uint32_t b = first; b <= k && b < p->n; b++)
            if (branches(&p->m.insts[b]))
                take_branch(p, first, b);
    }
}

static void
print(const program *p, const char *name)
{
    for (uint32_t k = 0; k < p->report.n_findings; k++) {
        const mach_finding *f = &p->report.findings[k];
        printf("%s: +%llu `%s`: %s [%s]\n", name, (unsigned long long)f->pc, f->text, f->message,
               f->rule);
    }
    printf("%s: %u instructions, %u paths, %u findings\n", name, p->n, p->paths,
           p->report.n_findings);
}

int
main(void)
{
    static char line[MAX_LINE];
    static program p;
    while (fgets(line, sizeof line, stdin)) {
        const char *gen = strtok(line, " \n"), *name = strtok(NULL, " \n"),
                   *hex = strtok(NULL, " \n");
        if (!gen || !name || !hex)
            continue;
        open_program(&p, (unsigned)atoi(gen), hex);
        follow(&p);
        print(&p, name);
        arena_free(&p.a);
    }
    return 0;
}
