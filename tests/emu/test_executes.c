/* Checks that every opcode of the tables executes.
 *
 *     test_executes PROCESSOR... [--list] [--draws=N]
 *
 * For each opcode of a processor's generation, in each of its encodings, one valid instruction is
 * made (fields are drawn until the decoder accepts them) and run in a dispatch of one wave with all
 * checkers on. An instruction that ends the run with "the emulator does not have ..." fails, unless
 * `exceptions` lists it with a reason; an exception that executes fails too. Other tests check the
 * results. --list prints the opcodes that do not execute instead of failing; --draws gives the
 * number of instructions for each opcode, one by default (for sanitizers).
 */
#include "amd/emu/emu.h"
#include "opcode_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct exception {
    uint16_t op;
    amd_gen first, last;
    uint32_t lanes; /* wave size; 0: both */
    const char *why;
} exception;

static const char bvh8[] = "the layout of its nodes is not documented";
static const char stack[] = "how its address holds the stack's place and size is not documented";
static const exception exceptions[] = {
    {AMD_IMAGE_GATHER4H, AMD_GFX6, AMD_GFX12, 0, "which four texels it takes is not documented"},
    {AMD_V_MFMA_LD_SCALE_B32, AMD_GFX950, AMD_GFX950, 0,
     "alone it does nothing: the matrix instruction behind it, which uses the scales, is part of "
     "it"},
    {AMD_GLOBAL_LOAD_TR_B64, AMD_GFX12, AMD_GFX12, 0,
     "which byte goes to which lane is not documented, and nobody has measured it"},
    {AMD_GLOBAL_LOAD_TR_B128, AMD_GFX12, AMD_GFX12, 64,
     "which element goes to which lane of a wave64 is not documented, and nobody has measured it"},
    {AMD_S_ALLOC_VGPR, AMD_GFX12, AMD_GFX12, 0, "waves with dynamic VGPRs are not built"},
    {AMD_IMAGE_BVH8_INTERSECT_RAY, AMD_GFX12, AMD_GFX12, 0, bvh8},
    {AMD_IMAGE_BVH_DUAL_INTERSECT_RAY, AMD_GFX12, AMD_GFX12, 0, bvh8},
    {AMD_DS_BVH_STACK_PUSH4_POP1_RTN_B32, AMD_GFX12, AMD_GFX12, 0, stack},
    {AMD_DS_BVH_STACK_PUSH8_POP1_RTN_B32, AMD_GFX12, AMD_GFX12, 0, stack},
    {AMD_DS_BVH_STACK_PUSH8_POP2_RTN_B64, AMD_GFX12, AMD_GFX12, 0, stack},
    {AMD_DS_BVH_STACK_RTN_B32, AMD_GFX11, AMD_GFX11_5, 0,
     "the guide's pseudo code pops another entry than it pushed last, and leaves out overflow"},
};

typedef struct runner {
    arena a;
    opcode_draw draw;
    const char *name; /* the processor's */
    uint32_t lanes;
    unsigned rows, missing;
    unsigned draws;
    bool list, failed;
} runner;

static void
out_of_memory(void *user)
{
    (void)user;
    fputs("out of memory\n", stderr);
    exit(3);
}

/* Runs the instruction; false if the emulator does not have it. */
static bool
executes(runner *r, const uint32_t words[OPCODE_WORDS], char *message, size_t size)
{
    enum { CODE = 512 };
    arena_mark mark = arena_save(&r->a);
    mach_memory memory;
    mach_report report;
    mach_memory_init(&memory, &r->a);
    mach_region *code = mach_memory_alloc(&memory, MACH_HEAP_LOW, CODE, 256, "code");
    amd_inst in;
    base_buf end = buf_make(&r->a);
    in = (amd_inst){.op = AMD_S_ENDPGM, .fmt = AMD_SOPP};
    amd_encode(r->draw.gen, &in, &end);
    for (unsigned at = 0; at < CODE; at += 4)
        memcpy(code->host + at, end.data, 4);
    amd_decode(r->draw.gen, (const uint8_t *)words, OPCODE_WORDS * 4, &in);
    memcpy(code->host, words, in.size);
    amd_emu_dispatch d = {.gen = r->draw.gen,
                          .entry = code->base,
                          .wave_size = r->lanes,
                          .n_vgprs = 256,
                          .n_agprs = 256,
                          .lds_bytes = 4096,
                          .scratch_bytes = 64,
                          .n_user_sgprs = AMD_EMU_MAX_USER_SGPRS,
                          .group_size = {r->lanes, 1, 1},
                          .grid_groups = {1, 1, 1},
                          .mode = 0xf0,
                          .gds_bytes = 4096,
                          .checks = MACH_CHECK_ALL,
                          .max_instructions = 1000};
    for (unsigned k = 3; k < AMD_EMU_MAX_USER_SGPRS; k += 4)
        d.user_sgprs[k] = FORMAT << 12;
    amd_emu_run(&d, &memory, &r->a, &report);
    bool missing = report.status == MACH_RUN_UNSUPPORTED;
    if (missing)
        snprintf(message, size, "%s", report.findings[report.n_findings - 1].message);
    arena_release(&r->a, mark);
    return !missing;
}

static const exception *
find_exception(const runner *r, amd_op op)
{
    for (const exception *e = exceptions; e < exceptions + sizeof exceptions / sizeof *e; e++)
        if (e->op == op && r->draw.gen >= e->first && r->draw.gen <= e->last &&
            (!e->lanes || e->lanes == r->lanes))
            return e;
    return NULL;
}

static void
try_encoding(runner *r, amd_op op, amd_fmt fmt, amd_ext ext)
{
    uint32_t words[OPCODE_WORDS];
    char message[400] = "";
    const exception *e = find_exception(r, op);
    r->rows++;
    if (!opcode_draw_words(&r->draw, op, fmt, ext, words)) {
        printf("# %s: no instruction of %s could be made\n", r->name, amd_op_name(op, r->draw.gen));
        r->failed = true;
        return;
    }
    bool ok = executes(r, words, message, sizeof message);
    for (unsigned k = 1; k < r->draws && opcode_draw_words(&r->draw, op, fmt, ext, words); k++)
        executes(r, words, message, sizeof message);
    r->missing += !ok;
    if (!ok && (r->list || !e))
        printf("# %s wave%u %s: %s\n", r->name, r->lanes, amd_op_name(op, r->draw.gen), message);
    if (ok && e)
        printf("# %s %s executes, but is an exception: %s\n", r->name, amd_op_name(op, r->draw.gen),
               e->why);
    r->failed |= ok == (e != NULL);
}

static void
try_all(runner *r)
{
    r->rows = r->missing = 0;
    r->failed = false;
    for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++)
        for (amd_fmt fmt = 1; fmt < AMD_FMT_COUNT; fmt++)
            for (amd_ext ext = AMD_EXT_NONE; ext <= AMD_EXT_DPP8; ext++)
                if (opcode_draw_has(r->draw.gen, op, fmt, ext))
                    try_encoding(r, op, fmt, ext);
}

int
main(int argc, char **argv)
{
    static runner r;
    unsigned n = 0, failed = 0;
    arena_init(&r.a, &base_malloc_allocator, out_of_memory, NULL);
    for (int k = 1; k < argc; k++)
        if (strncmp(argv[k], "--draws=", 8) == 0)
            r.draws = (unsigned)strtoul(argv[k] + 8, NULL, 10);
        else
            r.list |= strcmp(argv[k], "--list") == 0;
    for (int k = 1; k < argc; k++) {
        if (!amd_gen_find(argv[k], &r.draw.gen))
            continue;
        r.name = argv[k];
        for (r.lanes = r.draw.gen < AMD_GFX10 ? 64 : 32; r.lanes <= 64; r.lanes += 32) {
            r.draw.random = 1;
            try_all(&r);
            failed += r.failed;
            printf("%sok %u - %s wave%u: %u of %u encodings execute\n", r.failed ? "not " : "", ++n,
                   r.name, r.lanes, r.rows - r.missing, r.rows);
        }
    }
    printf("1..%u\n", n);
    arena_free(&r.a);
    return failed != 0 && !r.list;
}
