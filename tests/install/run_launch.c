/* Executes a launch description on the emulator: what a program that links only the installed
 * library has decided to put into memory and registers, and nothing else.
 *
 *     run_launch < DESCRIPTION
 *
 * A line of the description is one of these; numbers are as in C.
 *
 *     target NAME
 *     memory ADDRESS SIZE NAME       zeroed bytes of memory
 *     bytes ADDRESS HEX              writes them
 *     entry ADDRESS                  of the first instruction
 *     wave SIZE
 *     rsrc WORD1 WORD2 WORD3         COMPUTE_PGM_RSRC1 to 3
 *     lds BYTES                      hsa: the packet's group segment size
 *     scratch ADDRESS BYTES          of the dispatch's scratch memory, and for each lane
 *     sgpr NUMBER VALUE              COMPUTE_USER_DATA
 *     group X Y Z                    COMPUTE_NUM_THREAD
 *     groups X Y Z                   of the dispatch
 *     run                            the dispatch; then its registers are forgotten
 *     print ADDRESS COUNT            words, as a line of numbers
 *
 * Ends with 1 and a message if a line is wrong, or if the emulator's checks find anything. */
#include "amd/emu/run/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct world {
    arena arena;
    mach_memory memory;
    uint32_t hint;
    char target[32];
    obj_code code;
    amd_obj_state state;
    amd_emu_dispatch dispatch;
} world;

static void
stop(const char *what, const char *line)
{
    fprintf(stderr, "run_launch: %s: %s\n", what, line);
    exit(1);
}

static void
no_memory(void *user)
{
    (void)user;
    stop("out of memory", "");
}

static uint8_t *
host_of(world *w, uint64_t address, uint64_t size, const char *line)
{
    const mach_region *r = mach_memory_find(&w->memory, &w->hint, address, size);
    if (!r)
        stop("there is no such memory", line);
    return r->host + (address - r->base);
}

static void
add_memory(world *w, const char *rest, const char *line)
{
    char *end, name[64];
    uint64_t address = strtoull(rest, &end, 0), size = strtoull(end, &end, 0);
    if (sscanf(end, " %63[^\n]", name) != 1)
        stop("expected an address, a size and a name", line);
    void *host = arena_zalloc(&w->arena, (size_t)size);
    if (!mach_memory_map(&w->memory, address, size, host, arena_strdup(&w->arena, name)))
        stop("the memory overlaps", line);
}

static void
put_bytes(world *w, const char *rest, const char *line)
{
    char *hex;
    uint64_t address = strtoull(rest, &hex, 0);
    hex += strspn(hex, " ");
    size_t n = strspn(hex, "0123456789abcdef") / 2;
    uint8_t *to = host_of(w, address, n, line);
    for (size_t k = 0; k < n; k++) {
        unsigned byte;
        sscanf(hex + 2 * k, "%2x", &byte);
        to[k] = (uint8_t)byte;
    }
}

/* Decodes the register words as the hardware does, and runs the dispatch. */
static void
run(world *w, const char *line)
{
    amd_emu_dispatch *d = &w->dispatch;
    mach_report report;
    base_buf text = buf_make(&w->arena);
    uint32_t lds = (w->state.rsrc[1] >> 15 & 0x1ff) * 512;
    w->code.own = &w->state;
    w->code.target = w->target;
    w->code.lds_bytes = lds > w->code.lds_bytes ? lds : w->code.lds_bytes;
    if (!amd_emu_set_up(d, &w->code, 0))
        stop("the target is not known", line);
    d->checks = MACH_CHECK_ALL;
    if (!amd_emu_run(d, &w->memory, &w->arena, &report)) {
        for (uint32_t k = 0; k < report.n_findings; k++)
            mach_print_finding(&report.findings[k], &text);
        stop("findings", buf_text(&text));
    }
    w->code = (obj_code){.stage = OBJ_STAGE_COMPUTE};
    w->state = (amd_obj_state){.sgprs = 0};
    w->dispatch = (amd_emu_dispatch){.seed = 1};
}

static void
print(world *w, const char *rest, const char *line)
{
    char *end;
    uint64_t address = strtoull(rest, &end, 0), count = strtoull(end, NULL, 0);
    const uint8_t *from = host_of(w, address, 4 * count, line);
    for (uint64_t k = 0; k < count; k++, from += 4)
        printf("%s%u", k ? " " : "",
               (unsigned)from[0] | (unsigned)from[1] << 8 | (unsigned)from[2] << 16 |
                   (unsigned)from[3] << 24);
    printf("\n");
}

static void
set_sgpr(world *w, const uint64_t n[3], const char *line)
{
    if (n[0] >= AMD_EMU_MAX_USER_SGPRS)
        stop("there is no such user SGPR", line);
    w->dispatch.user_sgprs[n[0]] = (uint32_t)n[1];
}

/* Reads up to three numbers; what is missing is 0. */
static void
read_numbers(const char *rest, uint64_t n[3])
{
    char *end = (char *)rest;
    for (int k = 0; k < 3; k++)
        n[k] = strtoull(end, &end, 0);
}

static void
set_registers(world *w, const char *word, const char *rest, const char *line)
{
    uint64_t n[3];
    read_numbers(rest, n);
    if (strcmp(word, "entry") == 0)
        w->code.entry_address = n[0];
    else if (strcmp(word, "wave") == 0)
        w->code.wave_size = (uint8_t)n[0];
    else if (strcmp(word, "lds") == 0)
        w->code.lds_bytes = (uint32_t)n[0];
    else if (strcmp(word, "scratch") == 0 && n[0] == AMD_EMU_SCRATCH_BASE)
        w->code.scratch_bytes = (uint32_t)n[1];
    else if (strcmp(word, "sgpr") == 0)
        set_sgpr(w, n, line);
    else if (strcmp(word, "rsrc") == 0)
        for (int k = 0; k < 3; k++)
            w->state.rsrc[k] = (uint32_t)n[k];
    else if (strcmp(word, "group") == 0)
        for (int k = 0; k < 3; k++)
            w->dispatch.group_size[k] = (uint32_t)n[k];
    else if (strcmp(word, "groups") == 0)
        for (int k = 0; k < 3; k++)
            w->dispatch.grid_groups[k] = (uint32_t)n[k];
    else
        stop("what is this", line);
}

static void
read_line(world *w, const char *line)
{
    char word[16] = "";
    int used = 0;
    sscanf(line, "%15s%n", word, &used);
    const char *rest = line + used;
    if (strcmp(word, "target") == 0)
        sscanf(rest, "%31s", w->target);
    else if (strcmp(word, "memory") == 0)
        add_memory(w, rest, line);
    else if (strcmp(word, "bytes") == 0)
        put_bytes(w, rest, line);
    else if (strcmp(word, "run") == 0)
        run(w, line);
    else if (strcmp(word, "print") == 0)
        print(w, rest, line);
    else
        set_registers(w, word, rest, line);
}

int
main(void)
{
    static char line[1 << 20];
    world *w = calloc(1, sizeof *w);
    if (!w)
        no_memory(NULL);
    arena_init(&w->arena, &base_malloc_allocator, no_memory, NULL);
    mach_memory_init(&w->memory, &w->arena);
    w->dispatch.seed = 1;
    while (fgets(line, sizeof line, stdin))
        read_line(w, line);
    arena_free(&w->arena);
    free(w);
    return 0;
}
