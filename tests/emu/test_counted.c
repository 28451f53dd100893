/* Checks which counters each opcode of every target uses, against a table from the manuals.
 *
 *     test_counted PROCESSOR...
 *
 * The compiler's waits come from the flags VM, VS, LGKM and EXPC of ops.def, and the waits checker
 * of the emulator begins with them too, so that a wrong flag would be wrong on both sides. This
 * test has an independent table from the manuals, by encoding and name. For each opcode in each
 * encoding it draws instructions and compares both with the table: the flags, and the counters in
 * which the checker counts the instruction. The checker may omit instructions that write no
 * register, which requires the stronger wait.
 *
 * Sources: the ISA guides' chapters on manual dependency checks (S_WAITCNT: "VM_CNT: vector memory
 * count ... LGKM_CNT: LDS, GDS, constant and message; incremented ... EXP_CNT: export, GDS, and on
 * Southern Islands the data of vector memory writes"; RDNA: "VS_CNT: vector memory stores,
 * including atomics that return no data"; RDNA 4: "LOADcnt, SAMPLEcnt, BVHcnt, STOREcnt, DScnt,
 * KMcnt, EXPcnt").
 */
#include "amd/emu/check/waits.h"
#include "amd/emu/run/code.h"
#include "one_wave.h"
#include "opcode_draw.h"

/* The kinds of an instruction for the counters; more than one bit may be set. */
enum {
    LOAD = 1,    /* vmcnt, loadcnt */
    STORE = 2,   /* vmcnt up to gfx9, then vscnt, storecnt */
    ATOMIC = 4,  /* a load if it returns, else a store */
    DATA = 8,    /* lgkmcnt, dscnt */
    SCALAR = 16, /* lgkmcnt, kmcnt */
    EXPORT = 32, /* expcnt */
    SAMPLE = 64, /* vmcnt, samplecnt */
    RAY = 128,   /* vmcnt, bvhcnt */
    GDS = 256,   /* expcnt too, if the instruction accesses GDS */
    OPEN = 512,  /* no guide specifies it: anything is accepted */
};

/* The first row that matches the encoding and the beginning of the name. */
static const struct {
    uint8_t fmt;
    const char *name;
    uint16_t counts;
} manual[] = {
    {AMD_SMEM, "s_prefetch", 0}, /* "does not return data" */
    {AMD_SMEM, "s_buffer_prefetch", 0},
    {AMD_SMEM, "s_", SCALAR},
    {AMD_SOP1, "s_sendmsg_rtn", SCALAR},
    {AMD_SOP1, "s_get_barrier_state", SCALAR},
    {AMD_SOPP, "s_sendmsg", SCALAR},
    {AMD_DS, "ds_nop", 0},
    {AMD_DS, "ds_gws", DATA | EXPORT},
    {AMD_DS, "ds_ordered_count", DATA | EXPORT},
    {AMD_DS, "ds_", DATA | GDS},
    {AMD_MUBUF, "buffer_store_lds_dword", OPEN},
    {AMD_MUBUF, "buffer_load", LOAD},
    {AMD_MUBUF, "buffer_store", STORE},
    {AMD_MUBUF, "buffer_atomic", ATOMIC},
    {AMD_MUBUF, "buffer_wbl2", STORE}, /* LLVM, AMDGPUUsage, "Memory model": vmcnt */
    {AMD_MUBUF, "buffer_", LOAD},      /* invalidations */
    {AMD_MTBUF, "tbuffer_load", LOAD},
    {AMD_MTBUF, "tbuffer_store", STORE},
    {AMD_MIMG, "image_bvh", RAY},
    {AMD_MIMG, "image_sample", SAMPLE},
    {AMD_MIMG, "image_gather4", SAMPLE},
    {AMD_MIMG, "image_get_lod", SAMPLE},
    {AMD_MIMG, "image_msaa_load", SAMPLE},
    {AMD_MIMG, "image_load", LOAD},
    {AMD_MIMG, "image_get_resinfo", LOAD},
    {AMD_MIMG, "image_store", STORE},
    {AMD_MIMG, "image_atomic", ATOMIC},
    {AMD_FLAT, "flat_load", LOAD | DATA},
    {AMD_FLAT, "flat_store", STORE | DATA},
    {AMD_FLAT, "flat_atomic", ATOMIC | DATA},
    {AMD_GLOBAL, "global_load_lds", OPEN},
    {AMD_GLOBAL, "global_load", LOAD},
    {AMD_GLOBAL, "global_store", STORE},
    {AMD_GLOBAL, "global_atomic", ATOMIC},
    {AMD_GLOBAL, "global_inv", LOAD}, /* LLVM, the same: loadcnt, storecnt */
    {AMD_GLOBAL, "global_wb", STORE},
    {AMD_SCRATCH, "scratch_load_lds", OPEN},
    {AMD_SCRATCH, "scratch_load", LOAD},
    {AMD_SCRATCH, "scratch_store", STORE},
    {AMD_EXP, "exp", EXPORT},
    {AMD_LDSDIR, "lds_", EXPORT},
    {AMD_LDSDIR, "ds_", EXPORT},
};

typedef struct tester {
    one_wave one;
    opcode_draw draw;
    mach_region *code;
    const char *name;
    unsigned rows, wrong;
} tester;

/* The kinds of an opcode by `manual`; clears `known` if no row matches and the encoding is one that
 * counts. */
static unsigned
manual_of(const tester *t, amd_op op, amd_fmt fmt, bool *known)
{
    const char *name = amd_op_name(op, t->draw.gen);
    *known = true;
    for (size_t k = 0; k < sizeof manual / sizeof *manual; k++)
        if (manual[k].fmt == fmt && !strncmp(manual[k].name, name, strlen(manual[k].name)))
            return manual[k].counts;
    *known = fmt < AMD_DS && fmt != AMD_SMEM && fmt != AMD_LDSDIR;
    return 0;
}

static bool
returns(const amd_inst *in)
{
    return in->glc;
}

/* The manual's counters of an instruction, as a set of amd_wait. */
static uint32_t
counters(amd_gen gen, unsigned counts, const amd_inst *in)
{
    bool old = gen < AMD_GFX10, gfx12 = gen >= AMD_GFX12;
    bool load = counts & LOAD || (counts & ATOMIC && returns(in));
    bool store = counts & STORE || (counts & ATOMIC && !returns(in));
    uint32_t set = 0;
    set |= load ? 1u << AMD_WAIT_VM : 0;
    set |= store ? 1u << (old ? AMD_WAIT_VM : AMD_WAIT_VS) : 0;
    set |= counts & DATA ? 1u << AMD_WAIT_LGKM : 0;
    set |= counts & SCALAR ? 1u << (gfx12 ? AMD_WAIT_KM : AMD_WAIT_LGKM) : 0;
    set |= counts & SAMPLE ? 1u << (gfx12 ? AMD_WAIT_SAMPLE : AMD_WAIT_VM) : 0;
    set |= counts & RAY ? 1u << (gfx12 ? AMD_WAIT_BVH : AMD_WAIT_VM) : 0;
    set |= counts & EXPORT || (counts & GDS && in->gds) ? 1u << AMD_WAIT_EXP : 0;
    set |= gen == AMD_GFX6 && counts & (STORE | ATOMIC) ? 1u << AMD_WAIT_EXP : 0;
    return set;
}

/* The flags that the row should have among the four. */
static uint32_t
flags(unsigned counts)
{
    return (counts & (LOAD | ATOMIC | SAMPLE | RAY) ? AMD_F_VM : 0u) |
           (counts & (STORE | ATOMIC) ? AMD_F_VS : 0u) |
           (counts & (DATA | SCALAR) ? AMD_F_LGKM : 0u) | (counts & EXPORT ? AMD_F_EXPC : 0u);
}

static uint32_t
counters_of_checker(amd_gen gen, const emu_inst *i)
{
    emu_event events[2];
    uint32_t set = 0;
    for (uint32_t n = amd_emu_wait_events(gen, i, events); n-- > 0;)
        for (unsigned wait = 0; wait < AMD_WAIT_COUNT; wait++)
            if (amd_emu_wait_rule_of(gen, events[n])->order[wait] != EMU_NOT_COUNTED)
                set |= 1u << wait;
    return set;
}

static void
wrong(tester *t, const amd_inst *in, const char *what, uint32_t got, uint32_t want)
{
    base_buf text = buf_make(&t->one.a);
    amd_print(t->draw.gen, in, false, &text);
    if (t->wrong++ < 40)
        printf("# %s %s: %s 0x%x, not 0x%x\n", t->name, buf_text(&text), what, got, want);
}

static void
try_drawn(tester *t, unsigned counts, const uint32_t *words)
{
    enum { FOUR = AMD_F_VM | AMD_F_VS | AMD_F_LGKM | AMD_F_EXPC };
    arena_mark mark = arena_save(&t->one.a);
    one_wave_reset(&t->one);
    one_wave_forget_code(&t->one);
    memcpy(t->code->host, words, OPCODE_WORDS * 4);
    const emu_inst *i = amd_emu_fetch(&t->one.w, t->code->base);
    if (i) {
        bool writes = false;
        for (uint32_t k = 0; k < i->n_ranges; k++)
            writes |= i->ranges[k].write;
        uint32_t want = counters(t->draw.gen, counts, &i->in),
                 got = counters_of_checker(t->draw.gen, i);
        if ((i->row->flags & FOUR) != flags(counts))
            wrong(t, &i->in, "flags", i->row->flags & FOUR, flags(counts));
        if (got & ~want || (writes && got != want))
            wrong(t, &i->in, "counters", got, want);
    }
    arena_release(&t->one.a, mark);
}

static void
try_encoding(tester *t, amd_op op, amd_fmt fmt)
{
    bool known;
    unsigned counts = manual_of(t, op, fmt, &known);
    uint32_t words[OPCODE_WORDS];
    t->rows++;
    if (!known) {
        printf("# %s: %s is in no row\n", t->name, amd_op_name(op, t->draw.gen));
        t->wrong++;
    }
    for (unsigned n = 0; n < 8 && !(counts & OPEN); n++) /* with and without glc, gds */
        if (opcode_draw_words(&t->draw, op, fmt, AMD_EXT_NONE, words))
            try_drawn(t, counts, words);
}

int
main(int argc, char **argv)
{
    static tester t;
    unsigned n = 0, failed = 0;
    for (int k = 1; k < argc; k++) {
        if (!amd_gen_find(argv[k], &t.draw.gen))
            continue;
        t.name = argv[k];
        t.draw.random = 1;
        t.rows = t.wrong = 0;
        one_wave_open(&t.one, &(amd_emu_dispatch){.gen = t.draw.gen,
                                                  .wave_size = t.draw.gen < AMD_GFX10 ? 64 : 32,
                                                  .lds_bytes = 4096});
        t.code = mach_memory_alloc(&t.one.memory, MACH_HEAP_LOW, 64, 0, "code");
        for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++)
            for (amd_fmt fmt = 1; fmt < AMD_FMT_COUNT; fmt++)
                if (opcode_draw_has(t.draw.gen, op, fmt, AMD_EXT_NONE))
                    try_encoding(&t, op, fmt);
        one_wave_close(&t.one);
        failed += t.wrong != 0;
        printf("%sok %u - %s: %u encodings\n", t.wrong ? "not " : "", ++n, t.name, t.rows);
    }
    printf("1..%u\n", n);
    return failed != 0;
}
