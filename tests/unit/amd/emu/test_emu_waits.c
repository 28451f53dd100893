/* The counter models of the waits checker: each rule is broken once and kept once.
 *
 * A case is a list of lines: instructions, in gfx10.3's text whatever the generation (the checker
 * works on decoded instructions), and waits "!counter n". So each model is tested by itself,
 * without the other generations' assemblers. A line "=text" is an instruction that waits, in the
 * text and encoding of the generation, and is executed.
 */
#include "emu_env.h"

#include "amd/emu/check/check.h"
#include "amd/emu/check/waits.h"
#include "amd/emu/run/code.h"

static void
do_wait(emu_env *e, const char *line, amd_gen gen)
{
    uint32_t counts[AMD_WAIT_COUNT];
    char name[16];
    unsigned value;
    memset(counts, 0xff, sizeof counts);
    assert_int_equal(sscanf(line, "!%15s %u", name, &value), 2);
    for (unsigned c = 0; c < AMD_WAIT_COUNT; c++) {
        const char *here = amd_wait_counter(gen, (amd_wait)c)->name;
        if (here && !strcmp(here, name)) {
            counts[c] = value;
            amd_emu_waits_until(&e->w, counts);
            return;
        }
    }
    fail_msg("no counter %s", name);
}

static void
do_inst(emu_env *e, const char *line, amd_gen gen)
{
    bool own = line[0] == '=';
    e->d.gen = own ? gen : AMD_GFX10_3;
    one_wave_forget_code(e);
    const mach_region *code = emu_assemble_for(e->d.gen, &e->a, &e->memory, e->w.lanes,
                                               own ? line + 1 : line);
    emu_inst *i = amd_emu_fetch(&e->w, code->base);
    if (!i)
        fail_msg("%s: %s", line, e->report.findings[0].message);
    e->w.at = i;
    e->d.gen = gen;
    amd_emu_waits_before(&e->w, i);
    if (own || i->in.op == AMD_S_MOV_B32) /* exec of a case */
        i->run(&e->w, i);
}

/* Expects a finding with `part` in its message at the last line, none before; no finding at all if
 * `part` is NULL. */
static void
model(amd_gen gen, const char *lines, const char *part)
{
    emu_env *e = emu_env_new(32);
    char *text = arena_printf(&e->a, "%s", lines);
    e->d.checks |= MACH_CHECK_WAITS;
    e->w.pending = amd_emu_waits_new(&e->a);
    amd_emu_listen(&e->m);
    /* addresses: v[22:23] in LDS for lane 0 alone, v[26:27] for all lanes */
    e->w.vgpr[23][0] = (uint32_t)(AMD_EMU_SHARED_BASE >> 32);
    for (uint32_t l = 0; l < EMU_LANES; l++)
        e->w.vgpr[27][l] = (uint32_t)(AMD_EMU_SHARED_BASE >> 32);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (e->report.n_findings)
            fail_msg("gen %d\n%s\nbefore the end: %s", gen, lines, e->report.findings[0].message);
        if (line[0] == '!')
            do_wait(e, line, gen);
        else
            do_inst(e, line, gen);
    }
    const char *message = e->report.n_findings ? e->report.findings[0].message : NULL;
    if (part ? !message || !strstr(message, part) : message != NULL)
        fail_msg("gen %d\n%s\nexpected %s, got %s", gen, lines, part ? part : "nothing",
                 message ? message : "nothing");
    emu_env_free(e);
}

/* The same for each generation from `first` to `last`. */
static void
models(amd_gen first, amd_gen last, const char *lines, const char *part)
{
    for (int g = (int)first; g <= (int)last; g++)
        model((amd_gen)g, lines, part);
}

#define LOAD(r)        "global_load_dword v" #r ", v1, s[0:1]\n"
#define SAMPLE(r)      "image_sample v" #r ", v[20:21], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D\n"
#define STORE          "global_store_dword v1, v0, s[0:1]\n"
#define IMAGE_STORE    "image_store v0, v[20:21], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm\n"
#define FLAT(r)        "flat_load_dword v" #r ", v[22:23]\n"
#define FLAT_VECTOR(r) "flat_load_dword v" #r ", v[24:25]\n"
#define FLAT_LDS(r)    "flat_load_dword v" #r ", v[26:27]\n"
#define LDS(r)         "ds_read_b32 v" #r ", v1\n"
#define SCALAR(r)      "s_load_dword s" #r ", s[0:1], 0\n"
#define USE(r)         "v_mov_b32 v30, v" #r "\n"
#define SET(r)         "v_mov_b32 v" #r ", 0\n"

/* Vector loads: in order, read and overwritten. */
static void
test_vector(void **state)
{
    (void)state;
    models(AMD_GFX6, AMD_GFX10_3, LOAD(2) USE(2),
           "v2 is read, but `global_load_dword v2, v1, s[0:1]`");
    models(AMD_GFX6, AMD_GFX11_5, LOAD(2) USE(2), "needs vmcnt(0)");
    models(AMD_GFX12, AMD_GFX12, LOAD(2) USE(2), "needs loadcnt(0)");
    models(AMD_GFX6, AMD_GFX12, LOAD(2) SET(2), "v2 is overwritten");
    models(AMD_GFX6, AMD_GFX11_5, LOAD(2) "!vmcnt 0\n" USE(2), NULL);
    models(AMD_GFX12, AMD_GFX12, LOAD(2) "!loadcnt 0\n" USE(2), NULL);
    models(AMD_GFX6, AMD_GFX11_5, LOAD(2) LOAD(3) LOAD(4) "!vmcnt 2\n" USE(2), NULL);
    models(AMD_GFX6, AMD_GFX11_5, LOAD(2) LOAD(3) LOAD(4) "!vmcnt 2\n" USE(3), "needs vmcnt(1)");
    models(AMD_GFX6, AMD_GFX11_5, LOAD(2) LOAD(3) "!lgkmcnt 0\n" USE(2), "needs vmcnt(1)");
    models(AMD_GFX12, AMD_GFX12, LOAD(2) LOAD(3) "!loadcnt 1\n" USE(2), NULL);
    /* after a finding the register counts as arrived, but the order stays */
    models(AMD_GFX6, AMD_GFX11_5, LOAD(2) LOAD(3) LOAD(4) USE(3), "needs vmcnt(1)");
}

/* Stores: in vmcnt up to gfx9, where they count between loads; by themselves from gfx10. */
static void
test_stores(void **state)
{
    (void)state;
    models(AMD_GFX6, AMD_GFX9, LOAD(2) STORE "!vmcnt 1\n" USE(2), NULL);
    models(AMD_GFX10, AMD_GFX11_5, LOAD(2) STORE "!vmcnt 1\n" USE(2), "needs vmcnt(0)");
    models(AMD_GFX12, AMD_GFX12, LOAD(2) STORE "!loadcnt 1\n" USE(2), "needs loadcnt(0)");
    models(AMD_GFX10, AMD_GFX11_5, LOAD(2) STORE "!vscnt 0\n" USE(2), "needs vmcnt(0)");
    models(AMD_GFX12, AMD_GFX12, LOAD(2) STORE "!storecnt 0\n" USE(2), "needs loadcnt(0)");
    /* atomics: with a result a load, without one a store */
    models(AMD_GFX6, AMD_GFX11_5, "global_atomic_add v2, v1, v3, s[0:1] glc\n" USE(2),
           "needs vmcnt(0)");
    models(AMD_GFX7, AMD_GFX9, LOAD(2) "global_atomic_add v1, v3, s[0:1]\n!vmcnt 1\n" USE(2), NULL);
    models(AMD_GFX10, AMD_GFX11_5, LOAD(2) "global_atomic_add v1, v3, s[0:1]\n!vmcnt 1\n" USE(2),
           "needs vmcnt(0)");
}

/* Only gfx6 reads the data of stores late. */
static void
test_store_data(void **state)
{
    (void)state;
    models(AMD_GFX6, AMD_GFX6, STORE SET(0), "v0 is overwritten, but `global_store_dword v1, v0");
    models(AMD_GFX6, AMD_GFX6, STORE SET(0), "needs expcnt(0)");
    models(AMD_GFX6, AMD_GFX6, STORE "!expcnt 0\n" SET(0), NULL);
    models(AMD_GFX6, AMD_GFX6, STORE "global_store_dword v1, v5, s[0:1]\n!expcnt 1\n" SET(0), NULL);
    models(AMD_GFX6, AMD_GFX6, STORE USE(0), NULL);
    models(AMD_GFX6, AMD_GFX6, STORE SET(1), NULL); /* the address is read at once */
    models(AMD_GFX6, AMD_GFX6, "global_atomic_add v1, v3, s[0:1]\n" SET(3), "needs expcnt(0)");
    models(AMD_GFX7, AMD_GFX12, STORE SET(0), NULL);
}

/* Loads, samples and rays have one counter up to gfx11.5, three on gfx12. */
static void
test_kinds(void **state)
{
    (void)state;
    models(AMD_GFX6, AMD_GFX11_5, SAMPLE(2) LOAD(3) "!vmcnt 1\n" USE(2), NULL);
    model(AMD_GFX12, SAMPLE(2) LOAD(3) "!loadcnt 0\n" USE(2), "needs samplecnt(0)");
    model(AMD_GFX12, SAMPLE(2) LOAD(3) "!samplecnt 0\n" USE(2), NULL);
    model(AMD_GFX12, SAMPLE(2) SAMPLE(3) "!samplecnt 1\n" USE(2), NULL);
    model(AMD_GFX12, SAMPLE(2) SAMPLE(3) "!samplecnt 1\n" USE(3), "needs samplecnt(0)");
    /* writes to one register: in order within a kind */
    models(AMD_GFX6, AMD_GFX11_5, LOAD(2) LOAD(2), NULL);
    model(AMD_GFX12, LOAD(2) LOAD(2), "v2 is overwritten");
    models(AMD_GFX6, AMD_GFX12, SAMPLE(2) LOAD(2), "v2 is overwritten");
    models(AMD_GFX6, AMD_GFX12, LOAD(2) SAMPLE(2), "v2 is overwritten");
    models(AMD_GFX6, AMD_GFX11, SAMPLE(2) SAMPLE(2), NULL);
    models(AMD_GFX11_5, AMD_GFX12, SAMPLE(2) SAMPLE(2), "v2 is overwritten");
    models(AMD_GFX6, AMD_GFX12, LDS(2) LDS(2), NULL);
    models(AMD_GFX6, AMD_GFX12, LDS(2) LOAD(2), "v2 is overwritten");
}

static void
test_rays(void **state)
{
    static const char *const ray = "image_bvh_intersect_ray v[4:7], v[8:18], s[4:7]\n";
    char text[256];
    (void)state;
    snprintf(text, sizeof text, "%s%s", ray, LOAD(2) "!vmcnt 1\n" USE(4));
    models(AMD_GFX10_3, AMD_GFX11_5, text, NULL);
    snprintf(text, sizeof text, "%s%s", ray, LOAD(2) "!vmcnt 2\n" USE(4));
    models(AMD_GFX10_3, AMD_GFX11_5, text, "needs vmcnt(1)");
    snprintf(text, sizeof text, "%s%s", ray, "!loadcnt 0\n!samplecnt 0\n" USE(4));
    model(AMD_GFX12, text, "needs bvhcnt(0)");
    snprintf(text, sizeof text, "%s%s", ray, "!bvhcnt 0\n" USE(4));
    model(AMD_GFX12, text, NULL);
    snprintf(text, sizeof text, "%s%s", ray, LOAD(4));
    models(AMD_GFX10_3, AMD_GFX11_5, text, "v4 is overwritten");
    snprintf(text, sizeof text, "%s%s", ray, ray);
    models(AMD_GFX10_3, AMD_GFX11_5, text, NULL);
}

/* LDS operations are ordered; constants are not; nor are messages and LDS relative to each other.
 */
static void
test_lgkm(void **state)
{
    (void)state;
    models(AMD_GFX6, AMD_GFX11_5, LDS(2) USE(2), "needs lgkmcnt(0)");
    model(AMD_GFX12, LDS(2) USE(2), "needs dscnt(0)");
    models(AMD_GFX6, AMD_GFX11_5, LDS(2) LDS(3) "!lgkmcnt 1\n" USE(2), NULL);
    models(AMD_GFX6, AMD_GFX11_5, LDS(2) LDS(3) "!lgkmcnt 1\n" USE(3), "needs lgkmcnt(0)");
    models(AMD_GFX6, AMD_GFX11_5, SCALAR(4) SCALAR(5) "!lgkmcnt 1\ns_mov_b32 s6, s4",
           "needs lgkmcnt(0)");
    models(AMD_GFX6, AMD_GFX11_5, SCALAR(4) SCALAR(5) "!lgkmcnt 0\ns_mov_b32 s6, s4", NULL);
    models(AMD_GFX6, AMD_GFX12, SCALAR(4) SCALAR(4), "s4 is overwritten");
    /* a later constant does not imply that LDS has completed; another LDS operation does */
    models(AMD_GFX6, AMD_GFX11_5, LDS(2) SCALAR(4) "!lgkmcnt 1\n" USE(2), "needs lgkmcnt(0)");
    models(AMD_GFX6, AMD_GFX11_5, LDS(2) SCALAR(4) LDS(3) "!lgkmcnt 1\n" USE(2), NULL);
    /* gfx12: constants have their own counter */
    model(AMD_GFX12, SCALAR(4) "!dscnt 0\ns_mov_b32 s6, s4", "needs kmcnt(0)");
    model(AMD_GFX12, SCALAR(4) "!kmcnt 0\ns_mov_b32 s6, s4", NULL);
    model(AMD_GFX12, LDS(2) "!kmcnt 0\n" USE(2), "needs dscnt(0)");
    model(AMD_GFX12, LDS(2) SCALAR(4) "!dscnt 0\n" USE(2), NULL);
    models(AMD_GFX6, AMD_GFX11_5, "s_memtime s[4:5]\ns_mov_b32 s6, s5", "needs lgkmcnt(0)");
}

/* Flat: two counters; up to gfx9 unordered, and it hides what was issued before it. */
static void
test_flat(void **state)
{
    (void)state;
    models(AMD_GFX7, AMD_GFX11_5, FLAT(2) USE(2), "needs vmcnt(0) and lgkmcnt(0)");
    models(AMD_GFX7, AMD_GFX11_5, FLAT(2) "!vmcnt 0\n" USE(2), "needs lgkmcnt(0)");
    models(AMD_GFX7, AMD_GFX11_5, FLAT(2) "!lgkmcnt 0\n" USE(2), "needs vmcnt(0)");
    models(AMD_GFX7, AMD_GFX11_5, FLAT(2) "!lgkmcnt 0\n!vmcnt 0\n" USE(2), NULL);
    model(AMD_GFX12, FLAT(2) "!loadcnt 0\n" USE(2), "needs dscnt(0)");
    model(AMD_GFX12, FLAT(2) "!dscnt 0\n!loadcnt 0\n" USE(2), NULL);
    models(AMD_GFX7, AMD_GFX9, LOAD(2) FLAT(3) "!vmcnt 1\n" USE(2), "needs vmcnt(0)");
    models(AMD_GFX10, AMD_GFX11_5, LOAD(2) FLAT(3) "!vmcnt 1\n" USE(2), NULL);
    models(AMD_GFX7, AMD_GFX9, FLAT(2) LOAD(3) LDS(4) "!vmcnt 1\n!lgkmcnt 1\n" USE(2),
           "needs vmcnt(0) and lgkmcnt(0)");
    models(AMD_GFX10, AMD_GFX11_5, FLAT(2) LOAD(3) LDS(4) "!vmcnt 1\n!lgkmcnt 1\n" USE(2), NULL);
    models(AMD_GFX7, AMD_GFX9, LDS(2) "flat_store_dword v[22:23], v0\n!lgkmcnt 1\n" USE(2),
           "needs lgkmcnt(0)");
    models(AMD_GFX7, AMD_GFX12, FLAT(2) FLAT(2), "v2 is overwritten");
    /* if all lanes access the same memory, its counter is enough */
    models(AMD_GFX7, AMD_GFX11_5, FLAT_VECTOR(2) "!vmcnt 0\n" USE(2), NULL);
    models(AMD_GFX7, AMD_GFX11_5, FLAT_VECTOR(2) "!lgkmcnt 0\n" USE(2), "needs vmcnt(0)");
    models(AMD_GFX7, AMD_GFX9, LOAD(2) FLAT_VECTOR(3) "!vmcnt 1\n" USE(2), NULL);
    models(AMD_GFX7, AMD_GFX11_5, FLAT_LDS(2) "!lgkmcnt 0\n" USE(2), NULL);
    models(AMD_GFX7, AMD_GFX11_5, FLAT_LDS(2) "!vmcnt 0\n" USE(2), "needs lgkmcnt(0)");
    /* from gfx10 on the other counter counts it too, in order */
    models(AMD_GFX10, AMD_GFX11_5, FLAT_LDS(2) FLAT_VECTOR(3) "!lgkmcnt 1\n" USE(2), NULL);
    models(AMD_GFX10, AMD_GFX11_5, FLAT_VECTOR(3) FLAT_LDS(2) "!lgkmcnt 1\n" USE(2),
           "needs lgkmcnt(0)");
    models(AMD_GFX10, AMD_GFX11_5, LOAD(2) FLAT_LDS(3) "!vmcnt 1\n" USE(2), NULL);
    models(AMD_GFX10, AMD_GFX11_5, FLAT_VECTOR(2) FLAT_VECTOR(3) "!vmcnt 1\n" USE(2), NULL);
    models(AMD_GFX10, AMD_GFX11_5, FLAT_VECTOR(2) FLAT_VECTOR(3) "!vmcnt 1\n" USE(3),
           "needs vmcnt(0)");
    models(AMD_GFX7, AMD_GFX9, FLAT_LDS(2) FLAT_VECTOR(3) "!lgkmcnt 1\n" USE(2),
           "needs lgkmcnt(0)");
}

/* Exports and GDS read late: their sources and exec; in order within a kind. */
static void
test_exports(void **state)
{
    (void)state;
    models(AMD_GFX6, AMD_GFX10_3, "exp pos0 v2, v3, v4, v5\n" SET(4),
           "v4 is overwritten, but `exp pos0");
    models(AMD_GFX6, AMD_GFX12, "exp pos0 v2, v3, v4, v5\n" SET(4), "needs expcnt(0)");
    models(AMD_GFX6, AMD_GFX12, "exp pos0 v2, v3, v4, v5\n" USE(4), NULL);
    models(AMD_GFX6, AMD_GFX12, "exp pos0 v2, v3, off, v5\n" SET(4), NULL);
    models(AMD_GFX6, AMD_GFX12, "exp pos0 v2, v3, v4, v5\n!expcnt 0\n" SET(4), NULL);
    models(AMD_GFX6, AMD_GFX12,
           "exp pos0 v2, v3, v4, v5\nexp pos1 v6, v6, v6, v6\n!expcnt 1\n" SET(4), NULL);
    models(AMD_GFX6, AMD_GFX12,
           "exp pos0 v2, v3, v4, v5\nexp param1 v6, v6, v6, v6\n!expcnt 1\n" SET(4),
           "needs expcnt(0)");
    models(AMD_GFX6, AMD_GFX12,
           "exp mrt0 v2, v3, v4, v5\nexp param1 v6, v6, v6, v6\n!expcnt 1\n" SET(4),
           "needs expcnt(0)");
    models(AMD_GFX6, AMD_GFX12, "exp mrt0 v2, v3, v4, v5\ns_mov_b32 exec_lo, 1",
           "exec is overwritten");
    models(AMD_GFX6, AMD_GFX12, "exp mrt0 v2, v3, v4, v5\n!expcnt 0\ns_mov_b32 exec_lo, 1", NULL);
    models(AMD_GFX6, AMD_GFX11_5, "ds_add_u32 v2, v3 gds\n" SET(2), "needs expcnt(0)");
    models(AMD_GFX6, AMD_GFX11_5, "ds_add_u32 v2, v3 gds\n!lgkmcnt 0\n" SET(3), "needs expcnt(0)");
    models(AMD_GFX6, AMD_GFX11_5, "ds_add_u32 v2, v3 gds\n!expcnt 0\n" SET(3), NULL);
    models(AMD_GFX6, AMD_GFX11_5, "ds_read_b32 v2, v3 gds\n!expcnt 0\n" USE(2), "needs lgkmcnt(0)");
    /* LDS and GDS are unordered relative to each other */
    models(AMD_GFX6, AMD_GFX11_5, LDS(2) "ds_read_b32 v4, v3 gds\n!lgkmcnt 1\n" USE(2),
           "needs lgkmcnt(0)");
}

/* Loads to LDS (this text is for gfx9 to gfx10.3) and accesses to the bytes that they will write.
 * The base is m0, 0 here; lane l writes dword l. v1 is 0. */
static void
test_loads_to_lds(void **state)
{
    static const char *const load = "global_load_dword v[20:21], off offset:16 lds\n";
    char text[256];
    (void)state;
    snprintf(text, sizeof text, "%s%s", load, "ds_read_b32 v2, v1 offset:20\n");
    models(AMD_GFX9, AMD_GFX11_5, text, "LDS bytes 16 to 143 are touched");
    models(AMD_GFX9, AMD_GFX11_5, text, "needs vmcnt(0)");
    models(AMD_GFX12, AMD_GFX12, text, "needs loadcnt(0)");
    snprintf(text, sizeof text, "%s%s", load, "ds_write_b32 v1, v2 offset:140\n");
    models(AMD_GFX9, AMD_GFX12, text, "are touched");
    snprintf(text, sizeof text, "%s%s", load, "ds_read2_b32 v[2:3], v1 offset1:6\n");
    models(AMD_GFX9, AMD_GFX12, text, "are touched");
    snprintf(text, sizeof text, "%s%s", load, "ds_read2st64_b32 v[2:3], v1 offset0:1 offset1:2\n");
    models(AMD_GFX9, AMD_GFX12, text, NULL);
    snprintf(text, sizeof text, "%s%s", load, "ds_read_b32 v2, v1 offset:12\n");
    models(AMD_GFX9, AMD_GFX12, text, NULL);
    snprintf(text, sizeof text, "%s%s", load, "ds_read_b32 v2, v1 offset:144\n");
    models(AMD_GFX9, AMD_GFX12, text, NULL);
    snprintf(text, sizeof text, "%s%s", load, "!vmcnt 0\nds_read_b32 v2, v1 offset:20\n");
    models(AMD_GFX9, AMD_GFX11_5, text, NULL);
    snprintf(text, sizeof text, "%s%s", load, LOAD(3) "!vmcnt 1\nds_read_b32 v2, v1 offset:20\n");
    models(AMD_GFX9, AMD_GFX11_5, text, NULL);
}

/* If a counter is full, the hardware waits before it issues more. */
static void
test_full(void **state)
{
    (void)state;
    char text[1024] = LOAD(2);
    for (int n = 0; n < 15; n++)
        strcat(text, STORE);
    strcat(text, USE(2));
    models(AMD_GFX7, AMD_GFX8, text, NULL);
    model(AMD_GFX9, text, "needs vmcnt(15)");
    models(AMD_GFX10, AMD_GFX11_5, text, "needs vmcnt(0)");
}

/* s_waitcnt and similar instructions in each generation's encoding, with a count that suffices and
 * one that does not. Generations that lack the opcodes are skipped. */
static void
test_wait_instructions(void **state)
{
    char text[4096], loads[2048] = LOAD(2), lds[2048] = LDS(2);
    (void)state;
    for (int n = 0; n < 20; n++) {
        strcat(loads, LOAD(3));
        strcat(lds, LDS(3));
    }
    for (int g = AMD_GFX6; g < AMD_GFX12; g++) {
        if (amd_op_number(AMD_S_WAITCNT, AMD_SOPP, (amd_gen)g) < 0)
            continue;
        model((amd_gen)g, LOAD(2) LOAD(3) LOAD(4) "=s_waitcnt vmcnt(2)\n" USE(2), NULL);
        model((amd_gen)g, LOAD(2) LOAD(3) LOAD(4) "=s_waitcnt vmcnt(3)\n" USE(2), "vmcnt(2)");
        model((amd_gen)g, LOAD(2) "=s_waitcnt expcnt(0) lgkmcnt(0)\n" USE(2), "vmcnt(0)");
        model((amd_gen)g, LDS(2) LDS(3) LDS(4) "=s_waitcnt lgkmcnt(2)\n" USE(2), NULL);
        model((amd_gen)g, LDS(2) LDS(3) LDS(4) "=s_waitcnt lgkmcnt(3)\n" USE(2), "lgkmcnt(2)");
        model((amd_gen)g, LDS(2) "=s_waitcnt vmcnt(0) expcnt(0)\n" USE(2), "lgkmcnt(0)");
        model((amd_gen)g, "exp mrt0 v2, v3, v4, v5\n=s_waitcnt expcnt(0)\n" SET(2), NULL);
        model((amd_gen)g, "exp mrt0 v2, v3, v4, v5\n=s_waitcnt expcnt(1)\n" SET(2), "expcnt(0)");
        model((amd_gen)g, "exp mrt0 v2, v3, v4, v5\n=s_waitcnt vmcnt(0) lgkmcnt(0)\n" SET(2),
              "expcnt(0)");
        /* more than 4 bits: vmcnt from gfx9, lgkmcnt from gfx10 */
        snprintf(text, sizeof text, "%s%s", loads, "=s_waitcnt vmcnt(20)\n" USE(2));
        if (g >= AMD_GFX9)
            model((amd_gen)g, text, NULL);
        snprintf(text, sizeof text, "%s%s", loads, "=s_waitcnt vmcnt(21)\n" USE(2));
        if (g >= AMD_GFX9)
            model((amd_gen)g, text, "vmcnt(20)");
        snprintf(text, sizeof text, "%s%s", lds, "=s_waitcnt lgkmcnt(20)\n" USE(2));
        if (g >= AMD_GFX10)
            model((amd_gen)g, text, NULL);
        snprintf(text, sizeof text, "%s%s", lds, "=s_waitcnt lgkmcnt(21)\n" USE(2));
        if (g >= AMD_GFX10)
            model((amd_gen)g, text, "lgkmcnt(20)");
    }
    for (int g = AMD_GFX10; g < AMD_GFX12; g++) {
        model((amd_gen)g, LOAD(2) STORE "=s_waitcnt_vscnt null, 0x0\n" USE(2), "vmcnt(0)");
        model((amd_gen)g, LOAD(2) "=s_waitcnt_vmcnt null, 0x0\n" USE(2), NULL);
        model((amd_gen)g, LDS(2) "=s_waitcnt_lgkmcnt null, 0x0\n" USE(2), NULL);
        model((amd_gen)g, LDS(2) "=s_waitcnt_lgkmcnt null, 0x1\n" USE(2), "lgkmcnt(0)");
        model((amd_gen)g, "exp mrt0 v2, v3, v4, v5\n=s_waitcnt_expcnt null, 0x0\n" SET(2), NULL);
        /* the register adds to the constant */
        model((amd_gen)g, "s_mov_b32 s4, 1\n" LOAD(2) "=s_waitcnt_vmcnt s4, 0x0\n" USE(2),
              "vmcnt(0)");
        model((amd_gen)g, LOAD(2) LDS(3) "=s_waitcnt_depctr 0x0\n" USE(2), "vmcnt(0)");
    }
    for (int g = AMD_GFX11; g < AMD_GFX12; g++) {
        model((amd_gen)g, "=lds_param_load v2, attr0.x\n" USE(2), "needs expcnt(0)");
        model((amd_gen)g, "=lds_param_load v2, attr0.x\n" SET(2), "v2 is overwritten");
        model((amd_gen)g, "=lds_param_load v2, attr0.x\n!expcnt 0\n" USE(2), NULL);
        model((amd_gen)g,
              "=lds_param_load v2, attr0.x\n=lds_param_load v3, attr0.y\n"
              "=s_waitcnt expcnt(1)\n" USE(2),
              NULL);
        model((amd_gen)g,
              "=lds_param_load v2, attr0.x\nexp mrt0 v4, v4, v4, v4\n"
              "=s_waitcnt expcnt(1)\n" USE(2),
              "needs expcnt(0)");
    }
    models(AMD_GFX10_3, AMD_GFX12, LOAD(2) LDS(3) "=s_wait_idle\n" USE(2), NULL);
}

/* Lanes: up to gfx10.3, those that a pending load does not write may be used. */
static void
test_lanes(void **state)
{
    static const char *const other = "s_mov_b32 exec_lo, 1\n" LOAD(2) "s_mov_b32 exec_lo, 2\n" SET(
        2);
    (void)state;
    models(AMD_GFX6, AMD_GFX10_3, other, NULL);
    models(AMD_GFX11, AMD_GFX12, other, "v2 is overwritten");
    models(AMD_GFX6, AMD_GFX12, "s_mov_b32 exec_lo, 1\n" LOAD(2) "s_mov_b32 exec_lo, 3\n" SET(2),
           "v2 is overwritten");
    models(AMD_GFX6, AMD_GFX12,
           "s_mov_b32 exec_lo, 1\n" LOAD(2) "s_mov_b32 exec_lo, 2\nv_readlane_b32 s4, v2, 0",
           "v2 is read");
    /* from gfx11 on vector memory of the same counter may write them */
    models(AMD_GFX11, AMD_GFX12, "s_mov_b32 exec_lo, 1\n" LOAD(2) "s_mov_b32 exec_lo, 2\n" LOAD(2),
           NULL);
    models(AMD_GFX11, AMD_GFX12, "s_mov_b32 exec_lo, 1\n" LOAD(2) "s_mov_b32 exec_lo, 2\n" LDS(2),
           "v2 is overwritten");
    model(AMD_GFX12, "s_mov_b32 exec_lo, 1\n" LOAD(2) "s_mov_b32 exec_lo, 3\n" LOAD(2),
          "v2 is overwritten");
    /* a sample writes the lanes in exec, but reads coordinates of whole quads */
    models(AMD_GFX6, AMD_GFX10_3,
           "s_mov_b32 exec_lo, 1\n" SAMPLE(2) "s_mov_b32 exec_lo, 2\n" SET(2), NULL);
    models(AMD_GFX6, AMD_GFX12, "s_mov_b32 exec_lo, 1\n" SAMPLE(2) "s_mov_b32 exec_lo, 3\n" SET(2),
           "v2 is overwritten");
    models(AMD_GFX6, AMD_GFX12,
           "s_mov_b32 exec_lo, 1\n" LOAD(20) "s_mov_b32 exec_lo, 2\n" SAMPLE(2), "v20 is read");
    models(AMD_GFX6, AMD_GFX11, "s_mov_b32 exec_lo, 1\n" LOAD(2) "s_mov_b32 exec_lo, 2\n" SAMPLE(2),
           NULL);
    /* and data that a store, also to an image, has not read yet */
    model(AMD_GFX6, "s_mov_b32 exec_lo, 1\n" STORE "s_mov_b32 exec_lo, 2\n" SET(0), NULL);
    model(AMD_GFX6, "s_mov_b32 exec_lo, 1\n" IMAGE_STORE "s_mov_b32 exec_lo, 2\n" SET(0), NULL);
    model(AMD_GFX6, "s_mov_b32 exec_lo, 1\n" IMAGE_STORE "s_mov_b32 exec_lo, 3\n" SET(0),
          "v0 is overwritten");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_store_data),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_rays),
        cmocka_unit_test(test_lgkm),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_exports),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_loads_to_lds),
        cmocka_unit_test(test_wait_instructions),
        cmocka_unit_test(test_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
