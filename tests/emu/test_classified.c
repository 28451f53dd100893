/* Checks that the checkers know every opcode of the tables.
 *
 *     test_classified PROCESSOR...
 *
 * For each opcode of a processor's generation, in each of its encodings, one instruction is
 * executed alone, with the undefined checker's shadow set:
 * - Everything it reads is defined, but not what it only writes: afterwards each register that it
 *   writes must hold something defined; otherwise correct code would be reported.
 * - Everything it reads is undefined: something that it writes must be undefined, or there must be
 *   a finding; otherwise wrong code would not be reported.
 * Also, a memory instruction that writes registers must be an event of the waits checker. Each
 * exception has a reason.
 */
#include "amd/emu/check/check.h"
#include "amd/emu/check/waits.h"
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/run/code.h"
#include "one_wave.h"
#include "opcode_draw.h"

enum { LDS = 4096 };

typedef struct exception {
    const char *prefix; /* of the row's name */
    const char *why;
} exception;

typedef struct runner {
    one_wave one;
    opcode_draw draw;
    mach_region *code;
    unsigned rows, wrong;
} runner;

/* Opcodes that may hide an undefined source. */
static const exception silent[] = {
    {"s_sleep", "waits for a while"},
    {"s_sendmsg", "most messages do not look at m0"},
    {"s_ttracedata", "goes to who traces"},
    {"s_dcache_discard", "caches are not modelled"},
    {"s_set_gpr_idx", "changes parts of m0, which the indexed instruction looks at"},
    {"v_permlane64", "nothing in wave32"},
    {"v_cvt_f32_ubyte", "behind SDWA's select the byte may be a zero"},
    {"v_lshrrev", "behind SDWA's select the field may be zeros"},
    {"s_atc_probe", "asks for a translation, and gets no answer"},
    {NULL, NULL},
};

/* Opcodes that may leave some of their destinations undefined. */
static const exception partial[] = {
    {"global_load_block", "m0 says which registers"},
    {"scratch_load_block", "m0 says which registers"},
    {"v_permlane64", "nothing in wave32"},
    {"v_div_scale_f64", "gfx6's condition is wrong and counts as undefined"},
    {NULL, NULL},
};

/* Opcodes that end the run with a finding. */
static const exception ending[] = {
    {"s_rfe", "outside of a trap handler"},
    {"s_sethalt", "nobody resumes the wave"},
    {"s_sendmsghalt", "nobody resumes the wave"},
    {"s_trap", "there is no trap handler"},
    {"s_code_end", "is no code"},
    {"global_load_tr_b128", "is not known in wave64"},
    {"image_", "before gfx10 the descriptor says how many addresses there are"},
    {NULL, NULL},
};

static void
begin(runner *r, amd_gen gen, uint32_t lanes)
{
    enum { CODE = 512 };
    memset(r, 0, sizeof *r);
    one_wave_open(&r->one, &(amd_emu_dispatch){.gen = gen,
                                               .wave_size = lanes,
                                               .lds_bytes = LDS,
                                               .scratch_bytes = 64,
                                               .checks = MACH_CHECK_UNDEFINED});
    r->draw = (opcode_draw){gen, 1};
    r->one.g.lds_defined = arena_zalloc(&r->one.a, LDS + 16);
    r->one.w.shadow = arena_zalloc(&r->one.a, sizeof *r->one.w.shadow);
    r->code = mach_memory_alloc(&r->one.memory, MACH_HEAP_LOW, CODE, 256, "code");
}

/* Resets the wave before each instruction: registers are 0, except formats of buffers. */
static void
reset(runner *r)
{
    emu_wave *w = &r->one.w;
    one_wave_reset(&r->one);
    w->n_agprs = 256;
    for (uint32_t k = 3; k < 32; k += 4)
        w->sgpr[k] = FORMAT << 12;
    memset(w->shadow, 0, sizeof *w->shadow);
    memset(r->one.g.lds_defined, 1, LDS);
    w->pc = r->code->base;
}

static bool
reads(const emu_inst *i, uint32_t code)
{
    for (uint32_t k = 0; k < i->n_ranges; k++)
        if (!i->ranges[k].write && code - i->ranges[k].first < i->ranges[k].count)
            return true;
    return false;
}

static void
set_undefined(emu_wave *w, uint32_t code)
{
    if (code >= AMD_REG_VGPR0)
        amd_emu_shadow_set(w, code - AMD_REG_VGPR0, EMU_BYTES_ALL, UINT64_MAX, UINT64_MAX);
    else if (code - AMD_REG_EXEC_LO >= 2)
        w->shadow->s[code] = UINT32_MAX;
}

/* Is the whole register undefined? */
static bool
is_lost(const emu_wave *w, uint32_t code)
{
    const uint64_t *v = code >= AMD_REG_VGPR0 ? w->shadow->v[code - AMD_REG_VGPR0] : NULL;
    if (v)
        return (v[0] & v[1] & v[2] & v[3] & w->all_lanes) == w->all_lanes;
    return code - AMD_REG_EXEC_LO >= 2 && w->shadow->s[code] == UINT32_MAX;
}

/* Is any part of the register undefined? */
static bool
is_tainted(const emu_wave *w, uint32_t code)
{
    if (code >= AMD_REG_VGPR0)
        return (amd_emu_shadow_get(w, code - AMD_REG_VGPR0, EMU_BYTES_ALL) & w->all_lanes) != 0;
    return w->shadow->s[code] != 0;
}

static void
execute(runner *r, emu_inst *i)
{
    r->one.w.at = i;
    r->one.w.pc = i->next;
    amd_emu_shadow_before(&r->one.w, i);
    i->run(&r->one.w, i);
}

static void
wrong(runner *r, const emu_inst *i, const char *what, uint32_t code)
{
    char text[112];
    amd_emu_print_inst(&r->one.w, i, text, sizeof text);
    printf("# %s: %s", text, what);
    if (code >= AMD_REG_AGPR0)
        printf(" a%u", code - AMD_REG_AGPR0);
    else if (code >= AMD_REG_VGPR0)
        printf(" v%u", code - AMD_REG_VGPR0);
    else if (code)
        printf(" scalar register %u", code);
    putchar('\n');
    r->wrong++;
}

static bool
is_exception(const exception *list, const char *name)
{
    for (; list->prefix; list++)
        if (!strncmp(list->prefix, name, strlen(list->prefix)))
            return true;
    return false;
}

/* Runs the instruction with all its sources defined: its destinations must become defined. */
static void
check_defined(runner *r, emu_inst *i)
{
    reset(r);
    r->one.w.shadow->scc = (i->row->flags & (AMD_F_SCC_W | AMD_F_SCC_R)) == AMD_F_SCC_W;
    for (uint32_t k = 0; k < i->n_ranges; k++)
        for (uint32_t n = 0; i->ranges[k].write && n < i->ranges[k].count; n++)
            if (!reads(i, i->ranges[k].first + n))
                set_undefined(&r->one.w, i->ranges[k].first + n);
    execute(r, i);
    if (r->one.report.total && is_exception(ending, i->row->name))
        return;
    if (r->one.report.total)
        wrong(r, i, r->one.report.findings[0].message, 0);
    if (r->one.w.shadow->scc)
        wrong(r, i, "leaves scc undefined", 0);
    for (uint32_t k = 0; k < i->n_ranges; k++)
        for (uint32_t n = 0; i->ranges[k].write && n < i->ranges[k].count; n++)
            if (is_lost(&r->one.w, i->ranges[k].first + n) &&
                !is_exception(partial, i->row->name)) {
                wrong(r, i, "leaves undefined", i->ranges[k].first + n);
                return;
            }
}

/* Runs the instruction with all its sources undefined and half of the lanes active. Returns whether
 * a destination or a finding shows that. */
static bool
shows_undefined(runner *r, emu_inst *i)
{
    bool any = false;
    reset(r);
    amd_emu_write_s64(&r->one.w, AMD_REG_EXEC_LO,
                      UINT64_C(0x5555555555555555) & r->one.w.all_lanes);
    r->one.w.shadow->scc = i->row->flags & AMD_F_SCC_R;
    for (uint32_t k = 0; k < i->n_ranges; k++)
        for (uint32_t n = 0; !i->ranges[k].write && n < i->ranges[k].count; n++) {
            set_undefined(&r->one.w, i->ranges[k].first + n);
            any |= i->ranges[k].first + n - AMD_REG_EXEC_LO >= 2;
        }
    if (!any)
        return true;
    execute(r, i);
    bool seen = r->one.report.total || (i->row->flags & AMD_F_SCC_W && r->one.w.shadow->scc);
    for (uint32_t k = 0; k < i->n_ranges; k++)
        for (uint32_t n = 0; i->ranges[k].write && n < i->ranges[k].count; n++)
            seen |= is_tainted(&r->one.w, i->ranges[k].first + n);
    return seen;
}

/* A memory instruction that writes registers must be an event of the waits checker. */
static void
check_waits(runner *r, const emu_inst *i)
{
    emu_event events[2];
    bool memory = i->in.fmt == AMD_SMEM || i->in.fmt >= AMD_DS, writes = false;
    for (uint32_t k = 0; k < i->n_ranges; k++)
        writes |= i->ranges[k].write;
    if (memory && writes && !amd_emu_wait_events(r->draw.gen, i, events))
        wrong(r, i, "writes registers and is not waited for", 0);
}

/* Draws an instruction of the opcode; NULL if none exists or the emulator does not implement it. */
static emu_inst *
draw(runner *r, amd_op op, amd_fmt fmt, amd_ext ext)
{
    uint32_t words[OPCODE_WORDS];
    if (!opcode_draw_words(&r->draw, op, fmt, ext, words))
        return NULL;
    reset(r);
    one_wave_forget_code(&r->one);
    memcpy(r->code->host, words, sizeof words);
    return amd_emu_fetch(&r->one.w, r->code->base);
}

static void
try_encoding(runner *r, amd_op op, amd_fmt fmt, amd_ext ext)
{
    enum { DRAWS = 6 }; /* constants may make a result defined */
    arena_mark mark = arena_save(&r->one.a);
    emu_inst *i = draw(r, op, fmt, ext);
    if (i) {
        r->rows++;
        check_defined(r, i);
        check_waits(r, i);
        bool shown = shows_undefined(r, i);
        for (unsigned k = 1; k < DRAWS && !shown; k++) {
            emu_inst *other = draw(r, op, fmt, ext);
            shown = other && shows_undefined(r, other);
        }
        if (!shown && !is_exception(silent, i->row->name))
            wrong(r, i, "takes what is undefined and nothing is", 0);
    }
    arena_release(&r->one.a, mark);
}

int
main(int argc, char **argv)
{
    static runner r;
    unsigned n = 0, failed = 0;
    for (int k = 1; k < argc; k++) {
        amd_gen gen;
        if (!amd_gen_find(argv[k], &gen))
            continue;
        for (uint32_t lanes = gen < AMD_GFX10 ? 64 : 32; lanes <= 64; lanes += 32) {
            begin(&r, gen, lanes);
            for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++)
                for (amd_fmt fmt = 1; fmt < AMD_FMT_COUNT; fmt++)
                    for (amd_ext ext = AMD_EXT_NONE; ext <= AMD_EXT_DPP8; ext++)
                        if (opcode_draw_has(gen, op, fmt, ext))
                            try_encoding(&r, op, fmt, ext);
            failed += r.wrong != 0;
            printf("%sok %u - %s wave%u: %u encodings\n", r.wrong ? "not " : "", ++n, argv[k],
                   lanes, r.rows);
            one_wave_close(&r.one);
        }
    }
    printf("1..%u\n", n);
    return failed != 0;
}
