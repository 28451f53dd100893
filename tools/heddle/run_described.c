#include "run_described.h"

#include "families/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text_run {
    const kernel_options *o;
    const char *path;
    arena arena, scratch;
    diag diag;
    family_target target;
    mach_memory memory;
    mach_report report;
    family_text_buffers buffers;
} text_run;

bool
run_has_described(const kernel_options *o)
{
    family_target t;
    return o->target && families_find_target(o->target, &t) && t.family->emulator &&
           t.family->emulator->launch_text;
}

/* "X", "X,Y" or "X,Y,Z". */
static bool
parse_groups(const char *text, uint32_t out[3])
{
    const char *p = text;
    for (unsigned i = 0; i < 3 && p; i++) {
        char *end;
        const unsigned long n = strtoul(p, &end, 10);
        if (end == p || (*end && *end != ',') || n == 0 || n > UINT32_MAX)
            return false;
        out[i] = (uint32_t)n;
        p = *end ? end + 1 : NULL;
    }
    return !p;
}

static void
print_row(const mach_region *r, size_t first, bool as_float)
{
    for (size_t i = first; i < first + 4 && 4 * i + 4 <= r->size; i++) {
        uint32_t word;
        float number;
        memcpy(&word, r->host + 4 * i, 4);
        memcpy(&number, &word, 4);
        if (as_float)
            printf(" %f", (double)number);
        else
            printf(" %08x", word);
    }
    printf("\n");
}

static void
print_buffers(const text_run *r)
{
    for (uint32_t b = 0; b < r->buffers.n; b++) {
        const mach_region *m = r->buffers.list[b];
        printf("buf[%u]: size=%llu\n", b, (unsigned long long)(m->size / 4));
        for (size_t i = 0; 4 * i < m->size; i += 4) {
            print_row(m, i, false);
            print_row(m, i, true);
        }
    }
}

static bool
tell_findings(text_run *r)
{
    uint32_t order[MACH_MAX_FINDINGS];
    const uint32_t n = mach_order_findings(&r->report, r->o->findings, order);
    for (uint32_t i = 0; i < n; i++) {
        base_buf text = buf_make(&r->arena);
        mach_print_finding(&r->report.findings[order[i]], &text);
        fprintf(stderr, "%s: %s\n", r->path, buf_text(&text));
    }
    return r->report.total == 0 && r->report.status == MACH_RUN_DONE;
}

static bool
run(text_run *r, const char *text, size_t size)
{
    const ir_ctx c = {.diag = &r->diag, .arena = &r->arena, .scratch = &r->scratch};
    const asm_options options = {.is_code = true};
    family_dispatch d = {.groups = {1, 1, 1},
                         .checks = r->o->checks.checks,
                         .rules_off = r->o->checks.off,
                         .seed = r->o->seed,
                         .max_instructions = (uint64_t)r->o->limit * 1000000};
    const family_assembly job = {.target = &r->target,
                                 .text = text,
                                 .size = size,
                                 .wave_size = r->o->wave_size,
                                 .options = &options};
    if (r->o->groups && !parse_groups(r->o->groups, d.groups)) {
        fprintf(stderr, "--groups needs X, X,Y or X,Y,Z\n");
        return false;
    }
    mach_memory_init(&r->memory, &r->arena);
    const family_launch l = r->target.family->emulator->launch_text(&c, &r->memory, &job, &d,
                                                                    &r->buffers);
    r->target.family->emulator->run(l.own, &r->memory, &r->scratch, &r->report);
    print_buffers(r);
    return tell_findings(r);
}

static bool
run_file(text_run *r)
{
    uint8_t *data;
    size_t size;
    if (!cli_read_file_quietly(r->path, &data, &size)) {
        fprintf(stderr, "%s: cannot read the file\n", r->path);
        return false;
    }
    bool ok = false;
    if (DIAG_TRY(&r->diag))
        ok = run(r, (const char *)data, size);
    else
        fprintf(stderr, "%s:%u:%u: %s\n", r->path, r->diag.loc.line, r->diag.loc.column,
                r->diag.message);
    free(data);
    return ok;
}

int
run_described(const kernel_options *o, const cli_list *files)
{
    int code = CLI_OK;
    for (size_t i = 0; i < files->count; i++) {
        text_run *r = calloc(1, sizeof *r);
        if (!r)
            cli_out_of_memory();
        r->o = o;
        r->path = files->items[i];
        diag_init(&r->diag);
        arena_init(&r->arena, &base_malloc_allocator, diag_out_of_memory, &r->diag);
        arena_init(&r->scratch, &base_malloc_allocator, diag_out_of_memory, &r->diag);
        families_find_target(o->target, &r->target);
        if (!run_file(r))
            code = CLI_FAILED;
        arena_free(&r->arena);
        arena_free(&r->scratch);
        free(r);
    }
    return code;
}
