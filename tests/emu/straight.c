/* Runs the waits and hazards checkers over code whose inputs are not available.
 *
 *     straight < PROGRAMS
 *
 * A line of PROGRAMS is a target, a wave size, a name without spaces and the program's bytes in
 * hexadecimal. The instructions of each program are passed to the checkers along these paths, each
 * starting with nothing outstanding:
 * - from its beginning, and from after each instruction that does not continue with the next, to
 *   the next such instruction, as if no branch were taken;
 * - the same up to a branch, which is taken, then on from its target.
 * Prints the findings, each instruction's first, and closes each program with a line "NAME: N
 * instructions, N paths, N findings".
 *
 * Only waits and the scalar ALU are executed, so that exec follows the program. Conditions are made
 * up: they hold for some of the active lanes, and the other side gets the others; if conditions are
 * nested deeply, no lane may be left. Memory is not accessed; flat instructions are treated as
 * global ones.
 *
 * This misses effects of two branches taken one after another, as in the second iteration of a loop
 * with a branch inside; code after s_setpc and calls; addresses and values.
 */
#include "amd/emu/check/check.h"
#include "amd/emu/core/gens.h"
#include "amd/emu/run/code.h"
#include "one_wave.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_CODE = 1 << 18, MAX_TARGET_PATH = 400 };

typedef struct program {
    one_wave one;
    emu_inst **list; /* the instructions in order, and ... */
    int32_t *number; /* ... the number of the one at each dword, -1: none begins there */
    uint32_t n, paths;
} program;

static program *
open_program(amd_gen gen, uint32_t wave_size, const uint8_t *code, size_t size)
{
    program *p = calloc(1, sizeof *p);
    if (!p)
        one_wave_no_memory(NULL);
    one_wave *o = &p->one;
    one_wave_open(o, &(amd_emu_dispatch){.gen = gen,
                                         .wave_size = wave_size,
                                         .checks = MACH_CHECK_WAITS | MACH_CHECK_HAZARDS});
    mach_region *r = mach_memory_alloc(&o->memory, MACH_HEAP_LOW, size + 16, 0, "code");
    memcpy(r->host, code, size);
    o->d.entry = o->w.pc = r->base;
    o->m.hazards = amd_emu_hazards_rules(&o->a, &o->d);
    o->w.pending = amd_emu_waits_new(&o->a);
    o->w.hazards = amd_emu_hazards_new(&o->a, o->m.hazards);
    amd_emu_listen(&o->m);
    return p;
}

static void
close_program(program *p)
{
    one_wave_close(&p->one);
    free(p);
}

/* Decodes all instructions; prints a message and returns false if one cannot be decoded. */
static bool
decode(program *p, const char *name, size_t size)
{
    p->list = ARENA_ARRAY(&p->one.a, size / 4 + 1, emu_inst *);
    p->number = ARENA_ARRAY(&p->one.a, size / 4 + 1, int32_t);
    memset(p->number, 0xff, (size / 4 + 1) * sizeof *p->number);
    for (size_t at = 0; at < size; at += p->list[p->n - 1]->in.size) {
        emu_inst *i = amd_emu_fetch(&p->one.w, p->one.d.entry + at);
        if (!i) {
            printf("%s: at 0x%zx: %s\n", name, at, p->one.report.findings[0].message);
            return false;
        }
        p->number[at / 4] = (int32_t)p->n;
        p->list[p->n++] = i;
    }
    return true;
}

static bool
is_branch(const emu_inst *i)
{
    return i->row->flags & AMD_F_BRANCH;
}

/* Does control not continue with the next instruction? */
static bool
ends(const emu_inst *i)
{
    return i->row->flags & AMD_F_TERM || i->in.op == AMD_S_SETPC_B64 ||
           i->in.op == AMD_S_SWAPPC_B64;
}

/* The number of a branch's target instruction, or `n`. */
static uint32_t
target(const program *p, const emu_inst *i)
{
    uint64_t at = i->next + (uint64_t)((int64_t)(int16_t)i->in.imm * 4) - p->one.d.entry;
    uint64_t dword = at / 4;
    return at % 4 || at > p->list[p->n - 1]->next - p->one.d.entry || p->number[dword] < 0
               ? p->n
               : (uint32_t)p->number[dword];
}

static bool
is_named(const emu_inst *i, const char *prefix)
{
    return !strncmp(i->row->name, prefix, strlen(prefix));
}

/* Some, but if possible not all, of the lanes of `mask`; always the same for an instruction. */
static uint64_t
some_lanes(const emu_inst *i, uint64_t mask)
{
    uint64_t z = i->pc * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t some = mask & (z ^ z >> 29);
    if (!some || some == mask)
        some = mask & (mask - 1);
    return some ? some : mask;
}

/* Does a scalar instruction compute registers from registers? */
static bool
is_scalar(const emu_inst *i)
{
    bool format = i->in.fmt == AMD_SOP1 || i->in.fmt == AMD_SOP2 || i->in.fmt == AMD_SOPK ||
                  i->in.fmt == AMD_SOPC;
    return format && i->in.n_dst && !is_named(i, "s_wait") && !is_named(i, "s_swappc") &&
           !is_named(i, "s_call") && !is_named(i, "s_sub") && !is_named(i, "s_get_barrier") &&
           !is_named(i, "s_barrier") && !is_named(i, "s_sendmsg") && !is_named(i, "s_cbranch");
}

/* Updates masks as the instruction does: comparisons and conditions hold for some lanes. */
static void
follow_masks(emu_wave *w, const emu_inst *i)
{
    uint64_t exec = amd_emu_exec(w);
    bool compares = i->row->flags & AMD_F_EXEC_W && i->in.fmt != AMD_SOP1 && i->in.fmt != AMD_SOP2;
    if (is_named(i, "s_wait") || is_scalar(i))
        i->run(w, i);
    for (unsigned k = 0; k < amd_op_dst_count(i->row); k++)
        if (amd_op_dst(i->row, k)->type == AMD_T_MASK && i->in.dst[k] < EMU_SREGS)
            amd_emu_write_mask(w, i->in.dst[k], some_lanes(i, exec));
    if (compares || is_named(i, "s_and_saveexec") || is_named(i, "s_and_wrexec"))
        amd_emu_write_mask(w, AMD_REG_EXEC_LO, some_lanes(i, exec));
}

static void
start_path(program *p)
{
    emu_wave *w = &p->one.w;
    memset(w->sgpr, 0, sizeof w->sgpr);
    w->sgpr[AMD_REG_EXEC_LO] = UINT32_MAX;
    w->sgpr[AMD_REG_EXEC_HI] = w->lanes > 32 ? UINT32_MAX : 0;
    amd_emu_waits_start(w);
    amd_emu_hazards_start(w);
    p->paths++;
}

/* Passes instructions to the checkers from number `from` up to `to`, or to the first that ends the
 * path. */
static void
go(program *p, uint32_t from, uint32_t to)
{
    emu_wave *w = &p->one.w;
    for (uint32_t k = from; k < to && k < p->n && !p->one.m.stop; k++) {
        const emu_inst *i = p->list[k];
        w->at = i;
        w->pc = i->next;
        amd_emu_waits_before(w, i);
        amd_emu_hazards_before(w, i);
        follow_masks(w, i);
        if (ends(i))
            return;
    }
}

static void
check(program *p)
{
    uint32_t begin = 0;
    for (uint32_t k = 0; k < p->n; k++) {
        const emu_inst *i = p->list[k];
        if (is_branch(i) && target(p, i) < p->n) {
            start_path(p);
            go(p, begin, k + 1);
            go(p, target(p, i), target(p, i) + MAX_TARGET_PATH);
        }
        if (!ends(i) && k + 1 < p->n)
            continue;
        start_path(p);
        go(p, begin, k + 1);
        begin = k + 1;
    }
}

static void
run_line(const char *gen_name, uint32_t wave_size, const char *name, const uint8_t *code,
         size_t size)
{
    amd_gen gen;
    if (!amd_gen_find(gen_name, &gen)) {
        printf("%s: %s is no target\n", name, gen_name);
        return;
    }
    program *p = open_program(gen, wave_size, code, size);
    if (decode(p, name, size)) {
        check(p);
        for (uint32_t k = 0; k < p->one.report.n_findings; k++)
            printf("%s: 0x%" PRIx64 " `%s`: %s: %s\n", name,
                   p->one.report.findings[k].pc - p->one.d.entry, p->one.report.findings[k].text,
                   mach_check_name(p->one.report.findings[k].check),
                   p->one.report.findings[k].message);
        printf("%s: %u instructions, %u paths, %u findings\n", name, p->n, p->paths,
               p->one.report.n_findings);
    }
    close_program(p);
}

int
main(void)
{
    static uint8_t code[MAX_CODE];
    static char name[256], gen[32];
    unsigned wave_size;
    while (scanf("%31s %u %255s ", gen, &wave_size, name) == 3) {
        size_t n = 0;
        unsigned byte;
        while (n < MAX_CODE && scanf("%2x", &byte) == 1) {
            code[n++] = (uint8_t)byte;
            int c = getchar();
            if (c == '\n' || c == EOF)
                break;
            ungetc(c, stdin);
        }
        run_line(gen, wave_size == 32 ? 32 : 64, name, code, n & ~(size_t)3);
    }
    return 0;
}
