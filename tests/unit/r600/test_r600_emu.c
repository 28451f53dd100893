/* The emulator of TeraScale: each rule of its checkers has a program that breaks it, and one that does not; operations against C. */
#include "base/bits.h"
#include "base/diag.h"
#include "r600/emu/core/wave.h"
#include "r600/isa/asm/asm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { POOL = 1024, LANES = 64, SCRATCH = 2 /* elements of a lane */ };

typedef struct run {
    mach_report report;
    uint32_t out[POOL / 4];
    uint32_t exported[4]; /* of lane 0 */
    unsigned exports;
} run;

typedef struct setup {
    const char *chip, *text;
    uint32_t stack, items;
} setup;

static void
keep_export(void *user, const r600_export *e)
{
    run *r = user;
    for (unsigned c = 0; c < 4; c++)
        r->exported[c] = e->value[c][0];
    r->exports++;
}

static const r600_chip *
find_chip(const char *name)
{
    uint32_t i = 0;
    while (strcmp(r600_chips[i].name, name) != 0)
        i++;
    return &r600_chips[i];
}

/* Runs a text: vertex buffer 1 and RAT 0 are a pool of 1024 bytes, constant buffer 0 has 16 vectors of numbers. */
static void
run_text(run *r, setup s)
{
    static uint8_t constants[256];
    static diag d;
    arena a;
    mach_memory m;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    memset(r, 0, sizeof *r);
    if (!DIAG_TRY(&d))
        fail_msg("%u:%u: %s", d.loc.line, d.loc.column, d.message);
    const r600_chip *chip = find_chip(s.chip);
    const asm_options o = {.is_code = true};
    asm_unit *u = r600_assemble_unit(&d, &a, r600_isa_open(&a, chip->gen), &o,
                                     (asm_text){s.text, strlen(s.text)});
    asm_resolve(u);
    mach_memory_init(&m, &a);
    for (unsigned i = 0; i < sizeof constants / 4; i++)
        base_put_u32(constants + 4 * i, i);
    const mach_region *c = mach_memory_place(&m, MACH_HEAP_LOW, sizeof constants, constants,
                                             "constants");
    const mach_region *pool = mach_memory_alloc(&m, MACH_HEAP_LOW, POOL, 0, "pool");
    r600_emu_dispatch e = {.chip = chip,
                           .code = u->sections[0].data.data,
                           .size = u->sections[0].data.size,
                           .n_gprs = 8,
                           .stack_entries = s.stack,
                           .lds_bytes = 512,
                           .group_size = {s.items ? s.items : LANES, 1, 1},
                           .groups = {1, 1, 1},
                           .checks = MACH_CHECK_ALL,
                           .max_instructions = 10000,
                           .exported = keep_export,
                           .export_user = r};
    e.constants[0] = (r600_range){c->base, sizeof constants};
    e.rats[0] = (r600_range){pool->base, POOL};
    e.scratch_elements = SCRATCH;
    const uint64_t scratch = SCRATCH * UINT64_C(16) * LANES * R600_EMU_WAVE_SLOTS;
    e.scratch = (r600_range){mach_memory_alloc(&m, MACH_HEAP_LOW, scratch, 0, "scratch")->base,
                             scratch};
    e.resources[1][0] = (uint32_t)pool->base;
    e.resources[1][1] = POOL - 1;
    e.resources[1][2] = (uint32_t)(pool->base >> 32) | 1 << 8;
    r600_emu_run(&a, &m, &e, &r->report);
    for (unsigned i = 0; i < POOL / 4; i++)
        r->out[i] = r600_read_dword(pool->host + 4 * i);
    arena_free(&a);
}

#define END    "NOP END_OF_PROGRAM\n"
#define END_CM "END\n"

/* Lane k stores k to dword k, and fetches byte k. */
#define STORE(type) "MEM_RAT_CACHELESS STORE_RAW RAT0, R0.x___, R0 " type "\n"
#define FETCH       "v:\nVFETCH R2.x___, R0.x, b1 TYPE(NO_INDEX) FMT(8) NUM(INT)\n"

/* Programs for cypress that break one rule: the only finding. */
static const struct {
    const char *rule, *chip, *text;
    uint32_t stack, items;
} broken[] = {
    {"group-slot", "cypress", "ALU c CNT(2)\n" END "c:\ny: MOV R2.y, 0\nx: MOV R2.x, 0 ;\n", 0, 0},
    {"group-slot", "cayman", "ALU c CNT(2)\n" END_CM "c:\ny: MOV R2.y, 0\nx: MOV R2.x, 0 ;\n", 0,
     0},
    {"group-end", "cypress", "ALU c CNT(1)\n" END "c:\nx: MOV R2.x, 0\n", 0, 0},
    {"group-gpr-ports", "cypress",
     "ALU c CNT(2)\n" END "c:\nx: MOV R4.x, R0.x\ny: MOV R4.y, R1.x ;\n", 0, 0},
    {"group-constant-ports", "cypress",
     "ALU c CNT(3) KC0(CB0:0-15)\n" END
     "c:\nx: MOV R2.x, KC0[0].x\ny: MOV R2.y, KC0[1].x\nz: MOV R2.z, KC0[2].x ;\n",
     0, 0},
    {"group-scalar", "cypress",
     "ALU c CNT(2) KC0(CB0:0-15)\n" END
     "c:\nx: MOV R3.x, 0\nt: MULADD R2.x, KC0[0].x, R0.x, R1.x ;\n",
     0, 0},
    {"group-writes", "cypress", "ALU c CNT(2)\n" END "c:\nx: MOV R2.x, 0\nt: MOV R2.x, 0 ;\n", 0,
     0},
    {"group-predicates", "cypress",
     "ALU c CNT(2)\n" END "c:\nx: PRED_SETE_INT __.x, R0.x, 0 UPDATE_PRED\ny: PRED_SETE_INT __.y, "
     "R0.x, 1 UPDATE_PRED ;\n",
     0, 0},
    {"kcache-lock", "cypress", "ALU c CNT(1) KC0(CB0:0-15)\n" END "c:\nx: MOV R2.x, KC0[16].x ;\n",
     0, 0},
    {"kcache-lock", "cypress", "ALU c CNT(1)\n" END "c:\nx: MOV R2.x, KC0[0].x ;\n", 0, 0},
    {"constant-bounds", "cypress",
     "ALU c CNT(1) KC0(CB0:16-31)\n" END "c:\nx: MOV R2.x, KC0[0].x ;\n", 0, 0},
    {"clause-pv", "cypress", "ALU c CNT(1)\n" END "c:\nx: MOV R2.x, PV.x ;\n", 0, 0},
    {"clause-predicate", "cypress", "ALU c CNT(1)\n" END "c:\nx: MOV R2.x, 0 PRED_ONE ;\n", 0, 0},
    {"undefined-read", "cypress",
     "ALU c CNT(2)\n" END "c:\nx: MOV R2.x, 0 ;\nx: MOV R2.x, PV.y ;\n", 0, 0},
    {"lds-queue", "cypress", "ALU c CNT(1)\n" END "c:\nx: MOV R2.x, LDS_OQ_A_POP ;\n", 0, 0},
    {"lds-queue", "cypress", "ALU c CNT(1)\n" END "c:\nx: LDS_READ_RET R1.x ;\n", 0, 0},
    {"lds-bounds", "cypress", "ALU c CNT(2)\n" END "c:\nx: LDS_WRITE L.x, R0.x ;\nLIT 512, 0\n", 0,
     0},
    {"alignment", "cypress", "ALU c CNT(2)\n" END "c:\nx: LDS_WRITE L.x, R0.x ;\nLIT 2, 0\n", 0, 0},
    {"gpr-bounds", "cypress", "ALU c CNT(1)\n" END "c:\nx: MOV R8.x, 0 ;\n", 0, 0},
    {"stack-depth", "cypress",
     "ALU_PUSH_BEFORE c CNT(1)\nPOP p POP(1)\np:\n" END "c:\nx: MOV R2.x, 0 ;\n", 0, 0},
    {"stack-depth", "cayman", "LOOP_START_DX10 e\nb: LOOP_BREAK f\nf: LOOP_END b\ne: END\n", 1, 0},
    {"stack-depth", "cedar", "LOOP_START_DX10 e\nb: LOOP_BREAK f\nf: LOOP_END b\ne: " END, 1, 32},
    {"stack-empty", "cypress", "POP p POP(1)\np:\n" END, 1, 0},
    {"undefined-branch", "cypress",
     "ALU c CNT(1)\n" END "c:\nx: PRED_SETE_INT __.x, R3.x, 0 UPDATE_EXEC ;\n", 0, 0},
    {"undefined-address", "cypress",
     "TEX v CNT(1)\n" END "v:\nVFETCH R2.x___, R3.x, b1 TYPE(NO_INDEX) FMT(32) NUM(INT)\n", 0, 0},
    {"undefined-address", "cypress",
     "ALU a CNT(1)\nALU c CNT(1)\n" END
     "a:\nx: MOVA_INT __.x, 1 ;\nc:\nx: MOV R2.x, R0[AR.x].x ;\n",
     0, 0},
    {"indexed-read", "rv770",
     "ALU c CNT(3)\n" END
     "c:\nx: MOVA_INT __.x, 1 ;\nx: MOV R1[AR.x].x, 1 ;\nx: MOV R3.x, R2.x ;\n",
     0, 0},
    {"undefined-store", "cypress",
     "MEM_RAT_CACHELESS STORE_RAW RAT0, R3.x___, R0 TYPE(WRITE_IND)\n" END, 0, 0},
    {"convert-rounding", "cypress", "ALU c CNT(1)\n" END "c:\nx: FLT_TO_INT R2.x, 0.5 ;\n", 0, 0},
    {"fetch-bounds", "cypress",
     "ALU c CNT(2)\nTEX v CNT(1)\n" END "v:\nVFETCH R2.x___, R2.x, b1 TYPE(NO_INDEX) FMT(32) "
     "NUM(INT)\nc:\nx: MOV R2.x, L.x ;\nLIT 1021, 0\n",
     0, 0},
    {"descriptor", "cypress",
     "ALU c CNT(1)\nTEX v CNT(1)\n" END "v:\nLD R2.x___, R2.x000, t20, s0\nc:\nx: MOV R2.x, 0 ;\n",
     0, 0},
    {"rat-bounds", "cypress",
     "ALU c CNT(2)\nMEM_RAT_CACHELESS STORE_RAW RAT0, R0.x___, R2 TYPE(WRITE_IND)\n" END
     "c:\nx: MOV R2.x, L.x ;\nLIT 256, 0\n",
     0, 0},
    {"scratch-bounds", "rv670", "MEM_SCRATCH READ[2], R0.xyzw, R0 ELEM(4)\n" END, 0, 0},
    {"scratch-bounds", "cypress", "MEM_SCRATCH WRITE_ACK[2], R0.x___, R0 ELEM(4) MARK\n" END, 0, 0},
    {"fetch-unwaited", "cypress", STORE("TYPE(WRITE_IND_ACK) MARK") "TEX v CNT(1)\n" END FETCH, 0,
     0},
    {"fetch-unwaited", "rv770",
     "MEM_SCRATCH WRITE[1], R0.x___, R0 ELEM(4)\nTEX v CNT(1)\n" END
     "v:\nREAD_SCRATCH R2.x___, R0.x, [1] ELEM(4)\n",
     0, 0},
    {"fetch-unwaited", "cypress", STORE("TYPE(WRITE_IND)") "WAIT_ACK\nTEX v CNT(1)\n" END FETCH, 0,
     0},
    {"race-lds", "cypress", "ALU c CNT(1)\n" END "c:\nx: LDS_WRITE 0, R0.x ;\n", 0, 128},
    {"hang", "cypress", "b: JUMP n\nn: LOOP_START_DX10 e\nc: NOP\nLOOP_END c\ne: " END, 2, 0},
};

static void
test_rules_speak(void **state)
{
    static run r;
    (void)state;
    for (unsigned i = 0; i < sizeof broken / sizeof *broken; i++) {
        run_text(&r, (setup){broken[i].chip, broken[i].text, broken[i].stack, broken[i].items});
        if (!r.report.n_findings)
            fail_msg("%s is silent: %s", broken[i].rule, broken[i].text);
        for (unsigned k = 0; k < r.report.n_findings; k++)
            if (r.report.findings[k].rule && strcmp(r.report.findings[k].rule, broken[i].rule) != 0)
                fail_msg("%s, not %s: `%s` %s", r.report.findings[k].rule, broken[i].rule,
                         r.report.findings[k].text, r.report.findings[k].message);
    }
}

/* Each rule has such a program. */
static void
test_rules_have_programs(void **state)
{
    mach_rule rule;
    (void)state;
    for (uint32_t i = 0; r600_emu_get_rule(i, &rule); i++) {
        bool has = !strncmp(rule.name, "export-", 7) ||
                   !strcmp(rule.name, "parameter"); /* test_r600_draw.c */
        for (unsigned k = 0; k < sizeof broken / sizeof *broken; k++)
            has |= !strcmp(rule.name, broken[k].rule);
        if (!has)
            fail_msg("%s has no program", rule.name);
    }
}

static void
run_clean(run *r, const char *chip, const char *text)
{
    run_text(r, (setup){chip, text, 4, 0});
    if (r->report.n_findings || r->report.status != MACH_RUN_DONE)
        fail_msg("%s: `%s` %s", chip, r->report.findings[0].text, r->report.findings[0].message);
}

/* What is fetched behind the wait is nobody's finding. */
static void
test_waited_store(void **state)
{
    static run r;
    (void)state;
    run_clean(&r, "cypress",
              STORE("TYPE(WRITE_IND_ACK) MARK") "WAIT_ACK\nTEX v CNT(1)\n" END FETCH);
    assert_int_equal(r.out[3], 3);
}

/* R600 reads a whole register by control flow, in order with the writes. */
static void
test_scratch_by_flow(void **state)
{
    static run r;
    (void)state;
    run_clean(&r, "rv670",
              "ALU c CNT(6)\nMEM_SCRATCH WRITE[1], R2.xyzw, R0 ELEM(4)\n"
              "MEM_SCRATCH WRITE_IND[0], R2._y__, R3 ELEM(4) SIZE(2)\n"
              "MEM_SCRATCH READ[1], R4.xyzw, R0 ELEM(4)\n"
              "MEM_SCRATCH READ_IND[0], R3.xyzw, R3 ELEM(4) SIZE(2)\n"
              "ALU m CNT(1)\nEXPORT_DONE PIX[0], R4.xyz_\n" END
              "c:\nx: MOV R2.x, 7\ny: MOV R2.y, 1.0\nz: MOV R2.z, 0\nw: MOV R2.w, 0 ;\n"
              "x: MOV R3.x, 0 ;\nm:\nz: MOV R4.z, R3.y ;\n");
    assert_int_equal(r.exported[0], 7);
    assert_int_equal(r.exported[1], base_f32_bits(1.0f));
    assert_int_equal(r.exported[2], base_f32_bits(1.0f));
}

/* Elements of scratch memory by a number and by an index; other components of an element stay. */
static void
test_scratch(void **state)
{
    static const char *const chips[] = {"rv770", "cypress"};
    static run r;
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        static char text[1024];
        const char *mark = i ? " MARK" : ""; /* R700 has none */
        snprintf(text, sizeof text,
                 "ALU c CNT(4)\nMEM_SCRATCH WRITE_ACK[1], R2.xy__, R0 ELEM(4)%s\n"
                 "MEM_SCRATCH WRITE_IND_ACK[0], R2._y__, R3 ELEM(4) SIZE(2)%s\n"
                 "WAIT_ACK\nTEX v CNT(2)\nEXPORT_DONE PIX[0], R4.xyz_\n" END
                 "c:\nx: MOV R2.x, 7\ny: MOV R2.y, 1.0 ;\nx: MOV R3.x, 0 ;\n"
                 "v:\nREAD_SCRATCH R4.xy__, R0.x, [1] ELEM(4)\n"
                 "READ_SCRATCH R4.__y_, R3.x, [0] ELEM(4) SIZE(2) INDEXED\n",
                 mark, mark);
        run_clean(&r, chips[i], text);
        assert_int_equal(r.exported[0], 7);
        assert_int_equal(r.exported[1], base_f32_bits(1.0f));
        assert_int_equal(r.exported[2], base_f32_bits(1.0f));
    }
}

/* All slots read before any writes; PV and PS; literals; slot t. */
static void
test_groups(void **state)
{
    static run r;
    (void)state;
    run_clean(&r, "cypress",
              "ALU c CNT(10) KC0(CB0:0-15)\nEXPORT_DONE PIX[0], R2.xyzw\n" END "c:\n"
              "x: MOV R2.x, 1\ny: MOV R2.y, 7\nz: MOV R2.z, KC0[2].w ;\n"
              "x: MOV R2.x, R2.y\ny: MOV R2.y, R2.x\nw: ADD_INT R2.w, PV.z, 1 ;\n"
              "t: MULLO_INT R3.x, R2.x, 3 ;\n"
              "z: ADD_INT R2.z, PS, R2.z ;\n");
    assert_int_equal(r.exports, 1);
    assert_int_equal(r.exported[0], 7);
    assert_int_equal(r.exported[1], 1);
    assert_int_equal(r.exported[2], 21 + 11);
    assert_int_equal(r.exported[3], 12);
}

/* A sum of products is in all four slots; AR; the queue of LDS; predicates. */
static void
test_special(void **state)
{
    static run r;
    (void)state;
    run_clean(&r, "cypress",
              "ALU c CNT(21)\nEXPORT_DONE PIX[0], R2.xyzw\n" END "c:\n"
              "x: MOV R4.x, 1.0\ny: MOV R4.y, 2.0\nz: MOV R4.z, 3.0\nw: MOV R4.w, 0.5 ;\n"
              "x: DOT4 R2.x, R4.x, R4.x\ny: DOT4 __.y, R4.y, R4.y\nz: DOT4 __.z, R4.z, R4.z\nw: "
              "DOT4 __.w, R4.w, R4.w ;\n"
              "x: MOVA_INT __.x, 1 ;\n"
              "y: MOV R2.y, R3[AR.x].z ;\n"
              "x: LSHL_INT R5.x, R0.x, 2 ;\n"
              "x: LDS_WRITE R5.x, 77 ;\n"
              "x: LDS_ADD_RET R5.x, 1 ;\n"
              "z: MOV R2.z, LDS_OQ_A_POP ;\n"
              "x: PRED_SETE_INT __.x, R0.x, 0 UPDATE_PRED ;\n"
              "w: MOV R2.w, 4 PRED_ONE\nt: MOV R2.w, 5 PRED_ZERO ;\n");
    assert_int_equal(r.exported[0], base_f32_bits(14.25f));
    assert_int_equal(r.exported[1], base_f32_bits(3.0f));
    assert_int_equal(r.exported[2], 77);
    assert_int_equal(r.exported[3], 4);
}

/* A loop in which lanes leave in different rounds: lane n stores n rounds. */
static void
test_loop(void **state)
{
    static run r;
    static const char *const chips[] = {"rv770", "cypress", "cayman"};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        static char text[512];
        const char *end = i == 2 ? "END\n" : END;
        const char *store = i ? "MEM_RAT_CACHELESS STORE_RAW RAT0, R2.x___, R0 TYPE(WRITE_IND)\n"
                              : "";
        snprintf(text, sizeof text,
                 "ALU a CNT(1)\nLOOP_START_DX10 e\nb: ALU_PUSH_BEFORE p CNT(1)\nJUMP j "
                 "POP(1)\nLOOP_BREAK l\nPOP j POP(1)\n"
                 "j: ALU i CNT(1)\nl: LOOP_END b\ne: %s%sa:\nx: MOV R2.x, 0 ;\np:\nx: "
                 "PRED_SETE_INT __.x, R2.x, R0.x UPDATE_EXEC ;\n"
                 "i:\nx: ADD_INT R2.x, R2.x, 1 ;\n",
                 store, end);
        run_clean(&r, chips[i], text);
        for (unsigned lane = 0; lane < LANES && i; lane++)
            assert_int_equal(r.out[lane], lane);
    }
}

/* Both sides of a branch. */
static void
test_else(void **state)
{
    static run r;
    (void)state;
    run_clean(
        &r, "cypress",
        "ALU_PUSH_BEFORE p CNT(2)\nJUMP s\nALU a CNT(1)\ns: ELSE f POP(1)\nALU_POP_AFTER b CNT(1)\n"
        "f: MEM_RAT_CACHELESS STORE_RAW RAT0, R2.x___, R0 TYPE(WRITE_IND) END_OF_PROGRAM\n"
        "p:\nx: AND_INT R2.x, R0.x, 1 ;\nx: PRED_SETE_INT __.x, PV.x, 0 UPDATE_EXEC ;\na:\nx: MOV "
        "R2.x, -1 ;\nb:\nx: ADD_INT R2.x, R0.x, 1 ;\n");
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_int_equal(r.out[lane], lane & 1 ? lane + 1 : UINT32_MAX);
}

/* 0 decides AND and ones decide OR, whatever an undefined operand is. */
static void
test_deciding_bits(void **state)
{
    static run r;
    (void)state;
    run_clean(&r, "cypress",
              "ALU c CNT(3)\nMEM_RAT_CACHELESS STORE_RAW RAT0, R2.x___, R0 TYPE(WRITE_IND)\n" END
              "c:\nx: AND_INT R2.x, R3.x, 0\ny: OR_INT R2.y, -1, R3.y ;\nx: SUB_INT R2.x, PV.x, "
              "PV.y ;\n");
    assert_int_equal(r.out[5], 1);
}

/* Atomics of all lanes on one dword; MSKOR takes its mask from w. */
static void
test_atomics(void **state)
{
    static run r;
    (void)state;
    run_clean(&r, "cypress",
              "ALU c CNT(7)\nMEM_RAT ADD RAT0, R2.xyzw, R3 TYPE(WRITE_IND)\n"
              "MEM_RAT MAX_UINT RAT0, R0.xyzw, R4 TYPE(WRITE_IND)\n"
              "MEM_RAT MSKOR RAT0, R2.xyzw, R5 TYPE(WRITE_IND) END_OF_PROGRAM\nc:\n"
              "x: MOV R2.x, 1\nw: MOV R2.w, 255 ;\n"
              "x: MOV R3.x, 0 ;\nx: MOV R4.x, 1 ;\nx: ADD_INT R5.x, R0.x, 2 ;\n");
    assert_int_equal(r.out[0], LANES);
    assert_int_equal(r.out[1], LANES - 1);
    assert_int_equal(r.out[2], 1);
}

typedef struct value_case {
    r600_op op;
    uint32_t s[3], out;
} value_case;

/* Results that the guides state. */
static void
test_operations(void **state)
{
    static const value_case cases[] = {
        {R600_MUL, {0, 0x7f800000, 0}, 0}, /* zero times infinity */
        {R600_MULADD, {0x3f800000, 0x40000000, 0x40400000}, 0x40a00000},
        {R600_FRACT, {0xbe800000, 0, 0}, 0x3f400000}, /* of -0.25 */
        {R600_RNDNE, {0x40200000, 0, 0}, 0x40000000}, /* 2.5 */
        {R600_RNDNE, {0xbe99999a, 0, 0}, 0x80000000}, /* -0.3 */
        {R600_ADD, {0x00000001, 0x00000001, 0}, 0},   /* denormals */
        {R600_SETGT_DX10, {0x40000000, 0x3f800000, 0}, 0xffffffff},
        {R600_SETGT, {0x40000000, 0x3f800000, 0}, 0x3f800000},
        {R600_CNDE_INT, {0, 5, 6}, 5},
        {R600_CNDGE, {0xbf800000, 5, 6}, 6},
        {R600_BFE_INT, {0x00000f00, 8, 4}, 0xffffffff},
        {R600_BFE_UINT, {0x00000f00, 8, 4}, 15},
        {R600_BFI_INT, {0xff, 0x12345678, 0x9abcdef0}, 0x9abcde78},
        {R600_BIT_ALIGN_INT, {1, 0x80000000, 31}, 3},
        {R600_MULHI_INT, {0xffffffff, 2, 0}, 0xffffffff},
        {R600_MUL_UINT24, {0x01000002, 3, 0}, 6},
        {R600_FFBH_UINT, {1, 0, 0}, 31},
        {R600_FFBL_INT, {0, 0, 0}, 0xffffffff},
        {R600_ADDC_UINT, {0xffffffff, 1, 0}, 1},
        {R600_FLT_TO_UINT, {0xbf800000, 0, 0}, 0},
        {R600_FLT_TO_INT, {0x4f800000, 0, 0}, 0x7fffffff},
        {R600_RECIP_UINT, {3, 0, 0}, 0x55555555},
        {R600_UBYTE2_FLT, {0x00120000, 0, 0}, 0x41900000},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t out;
        assert_true(r600_emu_compute(R600_GEN_EG, cases[i].op, cases[i].s, &out));
        if (out != cases[i].out)
            fail_msg("%s gives %08x, not %08x", r600_op_row(cases[i].op)->name, out, cases[i].out);
    }
}

/* What the emulator does not have ends the run by name. */
static void
test_unsupported(void **state)
{
    static run r;
    (void)state;
    run_text(&r, (setup){"cypress", "ALU c CNT(1)\n" END "c:\nt: RECIP_64 R2.x, 1.0, 0 ;\n", 0, 0});
    assert_int_equal(r.report.status, MACH_RUN_UNSUPPORTED);
    assert_non_null(strstr(r.report.findings[0].text, "RECIP_64"));
    run_text(&r, (setup){"cypress", ".long 0xffffffff, 0x1fffffff\n", 0, 0});
    assert_int_equal(r.report.status, MACH_RUN_BAD_CODE);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_speak),
        cmocka_unit_test(test_waited_store),
        cmocka_unit_test(test_rules_have_programs),
        cmocka_unit_test(test_scratch),
        cmocka_unit_test(test_scratch_by_flow),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_special),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_else),
        cmocka_unit_test(test_deciding_bits),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_unsupported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
