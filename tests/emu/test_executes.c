/* Every opcode of the tables executes.
 *
 *     test_executes PROCESSOR... [--list]
 *
 * Of each opcode of a processor's generation, in each of its encodings, one valid instruction is made
 * (fields drawn until the decoder takes them), put into a dispatch of one wave with all checkers on,
 * and run. What ends the run by "the emulator does not have ..." fails, unless it stands in
 * `exceptions` with the reason; an exception that executes fails too. What the instruction computes is
 * other tests' business. --list prints those that do not execute instead of judging.
 */
#include "amd/emu/emu.h"
#include "amd/isa/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct exception {
    uint16_t op;
    amd_gen first, last;
    uint32_t lanes; /* 0: both wave sizes */
    const char *why;
} exception;

static const exception exceptions[] = {
    {AMD_IMAGE_GATHER4H, AMD_GFX6, AMD_GFX12, 0, "which four texels it takes is not documented"},
    {AMD_GLOBAL_LOAD_TR_B64, AMD_GFX12, AMD_GFX12, 0,
     "which byte goes to which lane is not documented, and nobody has measured it"},
    {AMD_GLOBAL_LOAD_TR_B128, AMD_GFX12, AMD_GFX12, 64,
     "which element goes to which lane of a wave64 is not documented, and nobody has measured it"},
    {AMD_DS_BVH_STACK_RTN_B32, AMD_GFX11, AMD_GFX11_5, 0,
     "the guide's pseudo code pops another entry than it pushed last, and leaves out overflow"},
};

/* A buffer format that every generation has, in V#'s place and in MTBUF's: one number; before gfx10
 * dfmt 4 and nfmt 4. */
enum { FORMAT = 36, OLD_FORMAT = 4 | 4 << 4 };

typedef struct runner {
    arena a;
    amd_gen gen;
    const char *name; /* the processor's */
    uint32_t lanes;
    uint64_t random;
    unsigned rows, missing;
    bool list, failed;
} runner;

static void
out_of_memory(void *user)
{
    (void)user;
    fputs("out of memory\n", stderr);
    exit(3);
}

/* xorshift64* (Vigna 2016) */
static uint32_t
draw(runner *r, uint32_t n)
{
    uint64_t x = r->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    r->random = x;
    return (uint32_t)((x * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % n;
}

/* A field's value: registers that exist, small numbers, mostly zeros of what is no register. */
static uint32_t
field_value(runner *r, const amd_layout_row *row, unsigned attempt)
{
    static const uint16_t scalars[] = {0, 4, 8, 12, 106, 124, 125, 128, 129, 193, 242};
    uint32_t n = draw(r, 4), number = draw(r, 8) * 2;
    bool vector = row->field == AMD_FIELD_SRC0 || row->field == AMD_FIELD_SRC1 ||
                  row->field == AMD_FIELD_SRC2;
    if (row->field == AMD_FIELD_FORMAT)
        return r->gen < AMD_GFX10 ? OLD_FORMAT : FORMAT;
    if (row->field == AMD_FIELD_OPSEL_HI && attempt / 4 % 2)
        return UINT32_MAX;
    if (attempt % 4 == 1 && row->bits > 1) /* what the opcode does not have must be clear */
        return 0;
    if (attempt % 4 == 3)
        return row->field == AMD_FIELD_SRC0 ? AMD_REG_VGPR0 : 0;
    if (attempt % 4 == 2)
        return vector ? AMD_REG_VGPR0 + draw(r, 8) * 2 : 0;
    switch (row->field) {
    case AMD_FIELD_SRC0:
    case AMD_FIELD_SRC1:
    case AMD_FIELD_SRC2: return n ? AMD_REG_VGPR0 + number : scalars[draw(r, 11)];
    case AMD_FIELD_VADDR:
    case AMD_FIELD_VDATA:
    case AMD_FIELD_VDST: return n ? number : scalars[draw(r, 11)];
    case AMD_FIELD_SSRC0:
    case AMD_FIELD_SSRC1:
    case AMD_FIELD_SADDR:
    case AMD_FIELD_SOFFSET: return scalars[draw(r, 11)];
    case AMD_FIELD_SRSRC:
    case AMD_FIELD_SSAMP: return 0;
    case AMD_FIELD_SIMM16: return 1; /* MODE, one bit of it */
    case AMD_FIELD_DMASK: return n ? 15 : 1;
    default: return n ? 0 : draw(r, 1u << row->bits) & draw(r, 1u << row->bits);
    }
}

/* Draws the bytes of an instruction of `op` in encoding `fmt`; false if none was found. */
static bool
draw_instruction(runner *r, amd_op op, amd_fmt fmt, uint32_t words[6])
{
    amd_layout_id id = amd_layout_of(r->gen, amd_op_row(op), fmt);
    const amd_layout *l = &amd_layouts[id];
    uint32_t number = (uint32_t)amd_op_number(op, fmt, r->gen);
    if (id == AMD_L_VSAMPLE)
        number -= AMD_VSAMPLE_NUMBERS;
    for (unsigned attempt = 0; id != AMD_L_NONE && attempt < 20000; attempt++) {
        amd_inst in;
        memset(words, 0, 6 * sizeof *words);
        for (unsigned k = 0; k < l->count; k++) {
            const amd_layout_row *row = &l->rows[k];
            uint32_t v = row->field == AMD_FIELD_ENC  ? (uint32_t)l->enc >> row->at
                         : row->field == AMD_FIELD_OP ? number >> row->at
                                                      : field_value(r, row, attempt);
            words[row->pos / 32] |= (v & amd_row_mask(row)) << row->pos % 32;
        }
        if (amd_decode(r->gen, (const uint8_t *)words, 24, &in) && in.op == op && in.fmt == fmt)
            return true;
    }
    return false;
}

/* Runs the instruction; false if the emulator does not have it. */
static bool
executes(runner *r, const uint32_t words[6], char *message, size_t size)
{
    enum { CODE = 512 };
    arena_mark mark = arena_save(&r->a);
    mach_memory memory;
    amd_emu_report report;
    mach_memory_init(&memory, &r->a);
    mach_region *code = mach_memory_alloc(&memory, MACH_HEAP_LOW, CODE, 256, "code");
    amd_inst in;
    base_buf end = buf_make(&r->a);
    in = (amd_inst){.op = AMD_S_ENDPGM, .fmt = AMD_SOPP};
    amd_encode(r->gen, &in, &end);
    for (unsigned at = 0; at < CODE; at += 4)
        memcpy(code->host + at, end.data, 4);
    amd_decode(r->gen, (const uint8_t *)words, 24, &in);
    memcpy(code->host, words, in.size);
    amd_emu_dispatch d = {.gen = r->gen,
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
                          .checks = AMD_EMU_CHECK_ALL,
                          .max_instructions = 1000};
    for (unsigned k = 3; k < AMD_EMU_MAX_USER_SGPRS; k += 4)
        d.user_sgprs[k] = FORMAT << 12;
    amd_emu_run(&d, &memory, &r->a, &report);
    bool missing = report.status == AMD_EMU_UNSUPPORTED;
    if (missing)
        snprintf(message, size, "%s", report.findings[report.n_findings - 1].message);
    arena_release(&r->a, mark);
    return !missing;
}

static const exception *
find_exception(const runner *r, amd_op op)
{
    for (const exception *e = exceptions; e < exceptions + sizeof exceptions / sizeof *e; e++)
        if (e->op == op && r->gen >= e->first && r->gen <= e->last &&
            (!e->lanes || e->lanes == r->lanes))
            return e;
    return NULL;
}

static void
try_encoding(runner *r, amd_op op, amd_fmt fmt)
{
    uint32_t words[6];
    char message[400] = "";
    const exception *e = find_exception(r, op);
    r->rows++;
    if (!draw_instruction(r, op, fmt, words)) {
        printf("# %s: no instruction of %s could be made\n", r->name, amd_op_name(op, r->gen));
        r->failed = true;
        return;
    }
    bool ok = executes(r, words, message, sizeof message);
    r->missing += !ok;
    if (!ok && (r->list || !e))
        printf("# %s wave%u %s: %s\n", r->name, r->lanes, amd_op_name(op, r->gen), message);
    if (ok && e)
        printf("# %s %s executes, but is an exception: %s\n", r->name, amd_op_name(op, r->gen),
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
            if (fmt != AMD_VOPD && amd_op_number(op, fmt, r->gen) >= 0)
                try_encoding(r, op, fmt);
}

int
main(int argc, char **argv)
{
    static runner r;
    unsigned n = 0, failed = 0;
    arena_init(&r.a, &base_malloc_allocator, out_of_memory, NULL);
    for (int k = 1; k < argc; k++)
        r.list |= strcmp(argv[k], "--list") == 0;
    for (int k = 1; k < argc; k++) {
        if (!amd_gen_find(argv[k], &r.gen))
            continue;
        r.name = argv[k];
        for (r.lanes = r.gen < AMD_GFX10 ? 64 : 32; r.lanes <= 64; r.lanes += 32) {
            r.random = 1;
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
